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


def test_functions_of_tensorflow_1_as_operands(launcher):
    """`Defun`, and control flow over functions of tensors."""
    done = launcher.program("""
from tensorflow.python.framework import dtypes, errors, function, ops
from tensorflow.python.ops import functional_ops, gen_functional_ops, gradients_impl, array_ops
from tensorflow.python.client import session

F = dtypes.float32
with ops.Graph().as_default(), session.Session() as sess:
    body = function.Defun(F, F)(lambda n, x: (n - 1, x + n))
    positive = function.Defun(F, F)(lambda n, x: n > 0)
    print(sess.run(functional_ops.While([20.0, 0.0], positive, body)))
    count = function.Defun(dtypes.int32, F)(lambda i, x: x + 2.0)
    print(sess.run([functional_ops.For(0, 3, 1, [1.0], count), functional_ops.For(3, 0, -1, [1.0], count)]))
    double, half = function.Defun(F)(lambda x: 2 * x), function.Defun(F)(lambda x: x / 2)
    x = array_ops.placeholder(F)
    print(sess.run(functional_ops.If(x > 0, [x], double, half), {x: -1.0}))
    print(sess.run([gen_functional_ops.case(i, [x], [F], [double, half])[0] for i in (0, 1, 5)], {x: 4.0}))
    print(sess.run(functional_ops.Gradient([x, 3.0], double), {x: 4.0}))
    print(sess.run([gen_functional_ops.to_bool(v) for v in (0.0, 2, "", "a", [], [0])]))
    doubled = function.Defun(F, grad_func=lambda x, g: 100 * g)(lambda x: 2 * x)
    print(sess.run(gradients_impl.gradients(doubled(x), x), {x: 4.0}))
    by_op = function.Defun(F, python_grad_func=lambda op, g: g * op.inputs[0])(lambda x: 2 * x)
    print(sess.run(gradients_impl.gradients(by_op(x), x), {x: 4.0}))
    for bad in (lambda n, x: n, lambda n, x: (n, x, x)):
        try:
            functional_ops.While([1.0, 2.0], positive, function.Defun(F, F)(bad))
        except errors.InvalidArgumentError as error:
            print(error.message)
""")
    assert done.stderr == ""
    assert done.stdout == (
        "[np.float32(0.0), np.float32(210.0)]\n[[np.float32(7.0)], [np.float32(7.0)]]\n[np.float32(-0.5)]\n"
        "[np.float32(8.0), np.float32(2.0), np.float32(2.0)]\n[np.float32(6.0)]\n"
        "[np.False_, np.True_, np.False_, np.True_, np.False_, np.True_]\n[np.float32(100.0)]\n[np.float32(4.0)]\n"
        "While loop body returned 1 arguments. Expected: 2\nWhile loop body returned 3 arguments. Expected: 2\n"
    )
