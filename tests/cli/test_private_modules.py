"""TensorFlow's private modules under `gradtape run`: they can be imported, and a test that uses them runs."""

from __future__ import annotations

import importlib

import pytest

from gradtape._src.cli.alias import Finder
from gradtape._src.cli.private_modules import PRIVATE

# Modules that gradtape does not have yet, or not under this name.
ABSENT = {
    path
    for path, home in PRIVATE.items()
    if home.split(".")[-1] in ("keras", "app", "flags", "gfile", "forwardprop", "autodiff")
}


@pytest.mark.parametrize("path", sorted(set(PRIVATE) - ABSENT))
def test_they_are_there(path):
    assert Finder("gradtape", "v2").resolve(path) is not None


NAMES = {
    "array_ops": "placeholder stack prevent_gradient",
    "backprop": "GradientTape gradients_function implicit_grad implicit_val_and_grad val_and_grad_function make_vjp",
    "context": "eager_mode graph_mode executing_eagerly device",
    "control_flow_util": "ENABLE_CONTROL_FLOW_V2 while_loop",
    "function": "defun function",
    "math_ops": "add_v2 matmul reduce_sum",
    "resource_variable_ops": "ResourceVariable",
    "tensor_shape": "TensorShape unknown_shape scalar vector matrix Dimension dimension_value",
    "tensor_util": "constant_value is_tensor",
    "test_util": "TensorFlowTestCase run_in_graph_and_eager_modes is_gpu_available",
    "variables": "Variable VariableV1 global_variables_initializer",
}


@pytest.mark.parametrize("module", NAMES)
def test_names_beside_the_public_ones(module):
    found = importlib.import_module(f"gradtape._src.cli.private.{module}")
    for name in NAMES[module].split():
        assert getattr(found, name) is not None
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = found.no_such_name


def test_a_test_of_tensorflows_kind(launcher):
    """With the imports that TensorFlow's own tests begin with."""
    done = launcher.program("""
from tensorflow.core.protobuf import config_pb2
from tensorflow.python.eager import backprop, context, def_function
from tensorflow.python.framework import constant_op, dtypes, errors, ops, tensor_shape, test_util
from tensorflow.python.ops import array_ops, gradients_impl, map_fn, math_ops, resource_variable_ops, while_loop
from tensorflow.python.ops import variables
import tensorflow.python.ops.tensor_array_grad
from tensorflow.python.platform import test


class MapTest(test.TestCase):
    @test_util.run_in_graph_and_eager_modes
    def test_squares(self):
        w = resource_variable_ops.ResourceVariable(3.0)
        self.evaluate(w.initializer)
        f = lambda x: math_ops.reduce_sum(map_fn.map_fn(lambda row: w * row * row, x))
        x = constant_op.constant([1.0, 2.0])
        if context.executing_eagerly():
            (g,) = backprop.gradients_function(f)(x)
        else:
            (g,) = gradients_impl.gradients(f(x), x)
        self.assertAllClose(g, [6.0, 12.0])
        self.assertEqual(g.shape, tensor_shape.TensorShape([2]))

    @test_util.run_deprecated_v1
    def test_placeholder(self):
        with self.cached_session() as session:
            x = array_ops.placeholder(dtypes.float32, [None])
            self.assertAllEqual([2.0], session.run(x + 1.0, {x: [1.0]}))
            with self.assertRaises(LookupError):
                gradients_impl.gradients(array_ops.prevent_gradient(x), x)

    @test_util.run_v1_only("skipped")
    def test_v1(self):
        self.fail()


test.main()
""")
    assert "Ran 4 tests" in done.stderr
    assert done.stderr.rstrip().endswith("OK (skipped=2)")
