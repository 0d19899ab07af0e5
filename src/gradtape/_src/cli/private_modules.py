"""TensorFlow's private modules that public programs import, and where gradtape has their names.

`from tensorflow.python.framework import ops` is common although nothing promises it. Most such modules hold
names that TensorFlow 1 exports at its top level, hence `compat.v1`. Rests on nothing.
"""

# Packages that only lead to modules.
PACKAGES = frozenset({"core", "core.framework", "core.protobuf"}) | frozenset(
    f"python{tail}"
    for tail in (
        "",
        ".client",
        ".eager",
        ".eager.polymorphic_function",
        ".framework",
        ".grappler",
        ".ops",
        ".platform",
        ".ops.parallel_for",
        ".layers",
        ".training",
        ".util",
        ".data",
        ".data.ops",
    )
)

_V1 = "compat.v1"

# What has names that are nowhere public, or differ from the public ones.
_HERE = "_src.cli.private"

# path below `tensorflow` -> path below gradtape
PRIVATE = {
    "compat.v2": "",
    "core.protobuf.config_pb2": _V1,
    "core.protobuf.rewriter_config_pb2": _V1,
    "python.client.session": _V1,
    "python.data.ops.dataset_ops": "data",
    "python.data.ops.iterator_ops": "data",
    "python.eager.backprop": f"{_HERE}.backprop",
    "python.eager.context": f"{_HERE}.context",
    "python.eager.def_function": _V1,
    "python.eager.forwardprop": "autodiff",
    "python.eager.function": f"{_HERE}.function",
    "python.eager.polymorphic_function.polymorphic_function": _V1,
    "python.eager.test": "test",
    "python.framework.constant_op": _V1,
    "python.framework.dtypes": "dtypes",
    "python.framework.errors": "errors",
    "python.framework.errors_impl": "errors",
    "python.framework.config": "config",
    "python.framework.function": f"{_HERE}.framework_function",
    "python.framework.indexed_slices": _V1,
    "python.framework.ops": _V1,
    "python.framework.random_seed": _V1,
    "python.framework.sparse_tensor": _V1,
    "python.framework.tensor": _V1,
    "python.framework.tensor_shape": f"{_HERE}.tensor_shape",
    "python.framework.tensor_spec": _V1,
    "python.framework.tensor_util": f"{_HERE}.tensor_util",
    "python.framework.test_util": f"{_HERE}.test_util",
    "python.framework.type_spec": _V1,
    "python.keras": "keras",
    "python.layers.convolutional": "compat.v1.layers",
    "python.layers.core": "compat.v1.layers",
    "python.layers.normalization": "compat.v1.layers",
    "python.layers.pooling": "compat.v1.layers",
    "python.ops.array_ops": f"{_HERE}.array_ops",
    "python.ops.array_ops_stack": _V1,
    "python.ops.bitwise_ops": "bitwise",
    "python.ops.check_ops": _V1,
    "python.ops.clip_ops": _V1,
    "python.ops.cond": _V1,
    "python.ops.control_flow_assert": _V1,
    "python.ops.control_flow_case": _V1,
    "python.ops.control_flow_ops": _V1,
    "python.ops.control_flow_switch_case": _V1,
    "python.ops.control_flow_util": f"{_HERE}.control_flow_util",
    "python.ops.control_flow_v2_toggles": _V1,
    "python.ops.custom_gradient": _V1,
    "python.ops.data_flow_ops": _V1,
    "python.ops.embedding_ops": "compat.v1.nn",
    "python.ops.functional_ops": f"{_HERE}.functional_ops",
    "python.ops.gen_functional_ops": f"{_HERE}.gen_functional_ops",
    "python.ops.gradient_checker_v2": "test",
    "python.ops.gradients": _V1,
    "python.ops.gradients_impl": _V1,
    "python.ops.gradients_util": _V1,
    "python.ops.init_ops": _V1,
    "python.ops.linalg_ops": _V1,
    "python.ops.logging_ops": _V1,
    "python.ops.map_fn": _V1,
    "python.ops.math_ops": f"{_HERE}.math_ops",
    "python.ops.nn": "nn",
    "python.ops.nn_impl": "nn",
    "python.ops.nn_ops": "nn",
    "python.ops.parallel_for.control_flow_ops": _V1,
    "python.ops.random_ops": _V1,
    "python.ops.resource_variable_ops": f"{_HERE}.resource_variable_ops",
    "python.ops.rnn": "compat.v1.nn",
    "python.ops.rnn_cell": "compat.v1.nn.rnn_cell",
    "python.ops.rnn_cell_impl": "compat.v1.nn.rnn_cell",
    "python.ops.script_ops": _V1,
    "python.ops.sparse_ops": "sparse",
    "python.ops.state_ops": _V1,
    "python.ops.string_ops": _V1,
    "python.ops.tensor_array_ops": _V1,
    "python.ops.unconnected_gradients": _V1,
    "python.ops.variable_scope": _V1,
    "python.ops.variables": f"{_HERE}.variables",
    "python.ops.while_loop": _V1,
    "python.ops.while_v2": _V1,
    "python.ops.cond_v2": _V1,
    "python.platform.app": "compat.v1.app",
    "python.platform.flags": "compat.v1.flags",
    "python.platform.gfile": "compat.v1.gfile",
    "python.platform.googletest": "test",
    "python.platform.test": "test",
    "python.platform.tf_logging": "compat.v1.logging",
    "python.training.moving_averages": "compat.v1.train",
    "python.training.optimizer": "compat.v1.train",
    "python.training.saver": "compat.v1.train",
    "python.training.training": "compat.v1.train",
    "python.util.compat": "compat",
    "python.util.nest": "nest",
}
# Modules of older Keras: what they had is in the public packages.
PRIVATE.update(
    (f"keras.layers.{module}", "keras.layers")
    for module in (
        "advanced_activations", "convolutional", "convolutional_recurrent", "core", "embeddings", "local", "merge",
        "noise", "normalization", "pooling", "recurrent", "wrappers",
    )
)  # fmt: skip
PRIVATE.update(
    {
        "keras.backend.tensorflow_backend": "keras.backend",
        "keras.engine": "keras.layers",
        "keras.engine.topology": "keras.layers",
        "keras.engine.training": "keras.models",
        "keras.objectives": "keras.losses",
        "keras.utils.generic_utils": "keras.utils",
        "keras.utils.np_utils": "keras.utils",
        "keras.utils.vis_utils": "keras.utils",
    }
)
# What is a module here and a package there.
WITH_MODULES = frozenset(path.rpartition(".")[0] for path in PRIVATE if path.startswith("keras.")) - {"keras"}
# Modules of operations under their own names: those that are public too are there.
PRIVATE.update(
    (f"python.ops.gen_{family}_ops", _V1)
    for family in ("array", "data_flow", "list", "math", "nn", "resource_variable")
)
# Imported for what they register, not for a name of theirs: gradtape's gradients are always there.
PRIVATE.update(
    (f"python.ops.{family}_grad", _V1)
    for family in ("array", "control_flow", "data_flow", "math", "nn", "state", "tensor_array")
)
# What TensorFlow's own tests import for a few cases (of devices, of graph optimizers, ...) that have no counterpart
# here: the modules can be imported, and their names are missing where they are used.
PRIVATE.update(
    dict.fromkeys(
        (
            "core.framework.attr_value_pb2",
            "python.eager.cancellation",
            "python.eager.executor",
            "python.eager.tape",
            "python.framework.meta_graph",
            "python.framework.test_ops",
            "python.grappler.tf_optimizer",
            "python.ops.collective_ops",
            "python.ops.control_flow_util_v2",
            "python.ops.gen_logging_ops",
            "python.ops.list_ops",
            "python.pywrap_tfe",
        ),
        _V1,
    )
)
