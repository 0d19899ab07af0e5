"""TensorFlow's private modules that public programs import, and where gradtape has their names.

`from tensorflow.python.framework import ops` is common although nothing promises it. Most such modules hold
names that TensorFlow 1 exports at its top level, hence `compat.v1`. Rests on nothing.
"""

# Packages that only lead to modules.
PACKAGES = frozenset(
    f"python{tail}"
    for tail in (
        "",
        ".client",
        ".eager",
        ".framework",
        ".ops",
        ".platform",
        ".training",
        ".util",
        ".data",
        ".data.ops",
    )
)

_V1 = "compat.v1"

# path below `tensorflow` -> path below gradtape
PRIVATE = {
    "compat.v2": "",
    "python.client.session": _V1,
    "python.data.ops.dataset_ops": "data",
    "python.eager.backprop": _V1,
    "python.eager.context": _V1,
    "python.eager.def_function": _V1,
    "python.eager.forwardprop": "autodiff",
    "python.framework.constant_op": _V1,
    "python.framework.dtypes": "dtypes",
    "python.framework.errors": "errors",
    "python.framework.errors_impl": "errors",
    "python.framework.ops": _V1,
    "python.framework.random_seed": _V1,
    "python.framework.tensor_shape": _V1,
    "python.framework.tensor_spec": _V1,
    "python.keras": "keras",
    "python.ops.array_ops": _V1,
    "python.ops.check_ops": _V1,
    "python.ops.clip_ops": _V1,
    "python.ops.control_flow_ops": _V1,
    "python.ops.custom_gradient": _V1,
    "python.ops.functional_ops": _V1,
    "python.ops.gradients": _V1,
    "python.ops.gradients_impl": _V1,
    "python.ops.init_ops": _V1,
    "python.ops.linalg_ops": _V1,
    "python.ops.map_fn": _V1,
    "python.ops.math_ops": _V1,
    "python.ops.nn": "nn",
    "python.ops.nn_impl": "nn",
    "python.ops.nn_ops": "nn",
    "python.ops.random_ops": _V1,
    "python.ops.rnn": "compat.v1.nn",
    "python.ops.rnn_cell": "compat.v1.nn.rnn_cell",
    "python.ops.rnn_cell_impl": "compat.v1.nn.rnn_cell",
    "python.ops.state_ops": _V1,
    "python.ops.tensor_array_ops": _V1,
    "python.ops.variable_scope": _V1,
    "python.ops.variables": _V1,
    "python.ops.while_loop": _V1,
    "python.platform.app": "compat.v1.app",
    "python.platform.flags": "compat.v1.flags",
    "python.platform.gfile": "compat.v1.gfile",
    "python.platform.test": "test",
    "python.platform.tf_logging": "compat.v1.logging",
    "python.training.moving_averages": "compat.v1.train",
    "python.training.optimizer": "compat.v1.train",
    "python.training.saver": "compat.v1.train",
    "python.util.nest": "nest",
}
