"""Tensors as users know them, against TensorFlow 2.21 (the section "tensor" of tests/golden/tensors.txt)."""

from __future__ import annotations

import copy
import gc
import inspect
import itertools
import operator
import pickle
import weakref

import numpy as np
import pytest
from golden import make_tensors as golden

import gradtape as tf

# TensorFlow drops the imaginary part, or raises AttributeError where Python's protocol asks for TypeError.
OTHERWISE = {
    "int(tf.constant(1j))",
    "float(tf.constant(1j))",
    "[1,2,3][tf.constant(1.)]",
    "[1,2,3][tf.constant(True)]",
    "range(tf.constant(1.))",
}


def test_answers_are_tensorflows():
    differing = golden.disagreements("tensor", tf)
    assert not [one for line, one in differing.items() if line not in OTHERWISE]


SIGNATURES = {
    "constant": "(value, dtype=None, shape=None, name='Const')",
    "convert_to_tensor": "(value, dtype=None, dtype_hint=None, name=None)",
    "get_static_value": "(tensor, partial=False)",
    "is_tensor": "(x)",
    "is_symbolic_tensor": "(tensor)",
    "executing_eagerly": "()",
    "register_tensor_conversion_function": "(base_type, conversion_func, priority=100)",
    "as_dtype": "(type_value)",
    "experimental.dlpack.to_dlpack": "(tf_tensor)",
    "experimental.dlpack.from_dlpack": "(dlcapsule)",
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_signatures_are_tensorflows(name: str):
    function = tf
    for part in name.split("."):
        function = getattr(function, part)
    parameters = [p.replace(annotation=p.empty) for p in inspect.signature(function).parameters.values()]
    assert str(inspect.Signature(parameters)) == SIGNATURES[name]


# --- Identity and copies ------------------------------------------------------------------------------------


def test_hashing_equality_and_references():
    x, y = tf.constant([1.0, 2.0]), tf.constant([1.0, 2.0])
    with pytest.raises(TypeError, match="Tensor is unhashable. Instead, use tensor.ref"):
        hash(x)
    assert (x == y).numpy().all() and x.ref() != y.ref()
    assert {x.ref(): 1, y.ref(): 2}[x.ref()] == 1 and x.ref().deref() is x
    assert not (x == None) and (x != None)  # noqa: E711
    assert (x == tf.constant([1.0, 2.0, 3.0])).numpy() == np.False_
    assert (x != [1.0, 5.0]).numpy().tolist() == [False, True]


def test_copies_and_pickles():
    for x in (tf.constant([1.5, 2], tf.bfloat16), tf.constant(["a", "b"]), tf.constant(3), tf.constant([])):
        again = pickle.loads(pickle.dumps(x))
        assert repr(again) == repr(x) and again is not x
        assert copy.copy(x) is x and copy.deepcopy({"x": x})["x"] is x


def test_attributes_can_be_hung_on_a_tensor():
    x = tf.constant(1.0)
    x.mask = "m"
    assert x.mask == "m" and not hasattr(tf.constant(1.0), "mask")


def test_a_tensor_is_freed_with_its_last_reference():
    gc.disable()
    try:
        x = tf.constant([1.0])
        seen = weakref.ref(x)
        del x
        assert seen() is None
    finally:
        gc.enable()


def test_missing_attributes():
    x = tf.constant([1.0])
    with pytest.raises(AttributeError, match=r"has no attribute 'astype'.*write tf.cast"):
        x.astype
    with pytest.raises(AttributeError, match="Tensor.name is undefined when eager execution is enabled"):
        x.name
    assert not hasattr(x, "op") and getattr(x, "graph", None) is None


def test_what_there_is_is_what_dir_says():
    """And nothing else: neither of tensors with data nor of those of graphs, with what a user hangs on them."""
    x = tf.constant([1.0])
    x.T = x.mine = 1

    lacks = lambda tensor: [
        name for name in dir(tensor) if not name.startswith("_") and not hasattr(tensor, name)
    ]

    @tf.function
    def f(symbol):
        return lacks(symbol), "numpy" in dir(symbol)

    assert f(x) == ([], False) and lacks(x) == []
    assert {"T", "mine", "numpy", "shape"} <= set(dir(x)) and "astype" not in dir(x)


BINARY = "add sub mul truediv floordiv mod pow and_ or_ xor lt ge matmul".split()


@pytest.mark.parametrize("name", BINARY)
def test_operands_that_do_not_fit_are_refused_once(name):
    """By one error, and not by another one "during handling of the above exception"."""
    operands = [
        *map(tf.constant, [[1.0, 2.0], [1, 2, 3], [True], ["a", "b"], [1 + 2j]]),
        *[tf.Variable([1.0, 2.0]), 1.5, "q", [1, "a"], 10**30, 2j],
    ]
    refused = 0
    for x, y in itertools.product(operands, repeat=2):
        if any(isinstance(z, (tf.Tensor, tf.Variable)) for z in (x, y)):
            try:
                getattr(operator, name)(x, y)
            except Exception as error:
                refused += 1
                assert error.__context__ is None or error.__suppress_context__, (x, y)
    assert refused > 20


# --- Python and NumPy ---------------------------------------------------------------------------------------


def test_iteration_differentiates():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        a, b = x
        y = a * 2.0 + b * b
    assert tape.gradient(y, x).numpy().tolist() == [[2.0, 2.0], [6.0, 8.0]]
    assert list(tf.zeros([0, 2])) == [] and len(tf.zeros([0, 2])) == 0


def test_scalars_are_python_numbers():
    assert bool(tf.constant(2.5)) and not bool(tf.constant([[0]])) and not bool(tf.constant([]))
    with pytest.raises(ValueError, match="truth value of an array with more than one element is ambiguous"):
        bool(tf.constant([1, 2]))
    assert [1, 2, 3][tf.constant(1)] == 2 and list(range(tf.constant(3, tf.uint8))) == [0, 1, 2]
    assert complex(tf.constant(1 + 2j)) == 1 + 2j and int(tf.constant(2.7)) == 2


def test_numpy_functions_give_arrays():
    x = tf.constant([1.0, 2.0])
    for found in (np.sin(x), np.add(x, 1), np.concatenate([x, x]), np.array([x, x]), np.stack([x])):
        assert type(found) is np.ndarray and found.dtype == np.float32
    assert np.asarray(x, np.float64).dtype == np.float64 and np.array(x, copy=True).flags.writeable
    with pytest.raises(ValueError, match="avoid copy"):
        np.asarray(x, np.float64, copy=False)


@pytest.mark.parametrize(
    "left", [np.float64(2), np.float32(2), np.int64(2), np.array(2.0), np.array([2.0, 2.0])]
)
def test_numpy_on_the_left_gives_tensors(left):
    x = tf.constant([1.0, 4.0])
    for found in (left + x, left - x, left * x, left / x, left**x, left // x, left % x, left == x, left < x):
        assert isinstance(found, tf.Tensor)
        assert found.dtype in (tf.float32, tf.bool)


def test_dlpack():
    x = tf.constant([[1.0, 2.0]])
    assert np.from_dlpack(x).tolist() == [[1.0, 2.0]] and not np.from_dlpack(x).flags.writeable
    array = np.arange(3.0)
    y = tf.experimental.dlpack.from_dlpack(array)
    array[0] = 9
    assert y.numpy().tolist() == [0.0, 1.0, 2.0]
    capsule = tf.experimental.dlpack.to_dlpack(x)
    assert tf.experimental.dlpack.from_dlpack(capsule).numpy().tolist() == [[1.0, 2.0]]
    with pytest.raises(TypeError, match="DLPack capsule"):
        tf.experimental.dlpack.from_dlpack(3)
    with pytest.raises(BufferError):
        tf.constant("a").__dlpack__()


# --- Operators ----------------------------------------------------------------------------------------------


def test_two_dtypes_are_named():
    x = tf.constant(1.0)
    for y, name in ((tf.constant(1.0, tf.float64), "double"), (tf.Variable(1), "int32")):
        for operate in ("+", "-", "*", "//", "%", "**", "<", "=="):
            with pytest.raises(
                tf.errors.InvalidArgumentError, match=f"a float tensor but is a {name} tensor"
            ):
                eval(f"x {operate} y")
        with pytest.raises(TypeError, match="must have the same dtype, got tf.float32 != "):
            x / y


def test_division_of_integers():
    assert (tf.constant(1) / 2).dtype == tf.float64 and (tf.constant(1, tf.int8) / 2).dtype == tf.float32
    assert (1 / tf.constant(4)).numpy() == 0.25 and (tf.constant(7) // 2).dtype == tf.int32
    with pytest.raises(TypeError, match="must have the same dtype, got tf.int32 != tf.float32"):
        tf.constant(1) / 2.5


def test_round():
    assert round(tf.constant(2.5)).numpy() == 2.0 and round(tf.constant(5)).numpy() == 5
    np.testing.assert_allclose(round(tf.constant(2.567), 2).numpy(), 2.57, rtol=1e-6)


def test_strings():
    x = tf.constant([["a", "b"], ["c", "é"]])
    assert x.dtype == tf.string and x[1, 1].numpy() == "é".encode() and x[0].numpy().tolist() == [b"a", b"b"]
    assert (x + "!").numpy().tolist()[0] == [b"a!", b"b!"] and ("<" + x[0, 0]).numpy() == b"<a"
    assert (x == "a").numpy().tolist() == [[True, False], [False, False]]
    assert tf.stack([x[0, 0], "z"]).numpy().tolist() == [b"a", b"z"]
    assert tf.concat([x[0], ["z"]], 0).shape == (3,) and tf.reshape(x, [4]).numpy()[3] == "é".encode()
