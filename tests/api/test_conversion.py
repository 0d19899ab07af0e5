"""From values to tensors: the answers of TensorFlow 2.21, and what gradtape refuses or accepts on purpose."""

from __future__ import annotations

import collections

import numpy as np
import pytest
from golden import make_tensors as golden
from hypothesis import given, settings
from hypothesis import strategies as st

import gradtape as tf
from gradtape._src.core import convert

# TensorFlow lets these wrap round or become a number that means nothing; see docs/differences.md.
REFUSED = {
    "tf.constant(300, tf.uint8)",
    "tf.constant(-1, tf.uint8)",
    "tf.constant(2**40, tf.int32)",
    "tf.constant([-1], tf.uint32)",
    "tf.constant([2**32], tf.uint32)",
    "tf.constant(np.array([300,2]), tf.uint8)",
    "tf.constant(np.array([1.5,np.nan]), tf.int32)",
    "tf.constant(np.array([2**40]), tf.int32)",
    "tf.constant(np.array([-1]), tf.uint8)",
    "tf.constant(np.array([1e20]), tf.int32)",
    "tf.constant(np.array([1e20]), tf.int64)",
    "tf.constant(np.array([-1.]), tf.uint8)",
    "tf.constant(np.array([np.inf]), tf.int32)",
    "tf.constant(1) + np.array([2**40])",
    "tf.constant(1, tf.uint8) + 300",
    "tf.constant(1, tf.uint8) + (-1)",
    "tf.constant(1) + 2**40",
    "tf.constant(1.) * np.array([1j])",
    "tf.constant(1.) * np.array([None])",
    "tf.convert_to_tensor([[], [1]])",
    "tf.constant([[], 1])",
    "tf.constant([[1, 2], {3, 4}])",
}
# TensorFlow refuses these.
ACCEPTED = {
    "tf.constant([tf.constant(1.), tf.constant(2.)])",
    "tf.constant([tf.constant(1.), 2.])",
    "tf.constant([2., tf.constant(1.)])",
    "tf.constant([2, tf.constant(1.)])",
    "tf.constant([[tf.constant(1.), 3.], [1., 2.]])",
    "tf.constant([tf.constant([1.,2.]), [3.,4.]])",
    "tf.constant([tf.constant(1.)], tf.float64)",
    "tf.constant([tf.Variable(1.), 2.])",
    "tf.convert_to_tensor([A(), A()])",
    "tf.convert_to_tensor([E(), 1.])",
    "tf.constant(C())",
    "tf.constant([1,2]).__array__(dtype=np.float32, copy=True)",
    "tf.constant([1,2]).__array__(copy=False)",
    "round(tf.constant(2.5))",
    "round(tf.constant(2.567), 2)",
    "round(tf.constant(5))",
    "tf.constant([tf.bfloat16.as_numpy_dtype(1.5)])",
    "tf.constant([1, 1j], tf.complex64)",
    "tf.constant(np.array(['ab', 'c'], dtype=np.dtypes.StringDType()))",
    "tf.add(1, tf.Variable(1.))",
}
# An error there and here, of another type or text.
OTHERWISE = {
    "tf.constant([tf.constant(1.), tf.constant(2)])",
    "tf.constant([tf.constant([1.,2.]), tf.constant([3.])])",
    "tf.convert_to_tensor([[tf.constant([1.,2.])], [tf.constant([3.,4.]), tf.constant([3.,4.])]])",
    "tf.constant(1) + 2**70",
    "tf.constant([1.,2.]) @ tf.constant([1.,2.])",
    "tf.constant(True) / True",
    "tf.constant(7) // 0",
    "tf.constant(7) % 0",
    "tf.constant([[1], 'a'])",
    "tf.add(1, 2), tf.add(1, 2.5)",
    "tf.add(1, 'a')",
    "tf.add(np.array([1,2]), 2.5)",
    "tf.add([1,2], [1., 2.])",
    "tf.add(tf.constant(1), 1.5)",
    "tf.divide(tf.constant(1), 1.5)",
    "tf.truediv(1, 2), tf.math.truediv(tf.constant(1), 2.5)",
    "tf.constant(1.) * np.array(['a'])",
}
# The hint cannot be followed without loss.
ELSEWISE = {"tf.convert_to_tensor([300], dtype_hint=tf.uint8)"}


@pytest.mark.parametrize("section", ["constant", "convert", "more conversions"])
def test_answers_are_tensorflows(section: str):
    differing = golden.disagreements(section, tf)
    known = REFUSED | ACCEPTED | OTHERWISE | ELSEWISE
    assert not [one for line, one in differing.items() if line not in known]


@pytest.mark.parametrize("section", ["constant", "convert", "more conversions"])
def test_where_answers_differ(section: str):
    lines = golden.sections()[section]
    for line, found in zip(lines, golden.answers(lines, tf), strict=True):
        if line in REFUSED | OTHERWISE:
            assert found[0] == "raises", line
        if line in ACCEPTED:
            assert found[0] == "gives", line


# --- Arrays -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [tf.constant, tf.convert_to_tensor, tf.Variable, tf.negative])
def test_a_tensor_never_shares_the_users_array(make):
    array = np.arange(6.0).reshape(2, 3)
    for view in (array, array.T, array[:, ::-1], array[0], array[0, :1]):
        tensor = make(view)
        before = tensor.numpy()
        array += 1
        np.testing.assert_array_equal(tensor.numpy(), before)


def test_an_operand_that_is_changed_later_does_not_change_the_gradient():
    x, weights = tf.constant([1.0, 2.0]), np.array([3.0, 4.0], np.float32)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * weights
    weights[:] = 0
    np.testing.assert_array_equal(tape.gradient(y, x).numpy(), [3.0, 4.0])


def test_what_numpy_gives_can_be_written_to_without_harm():
    tensor = tf.constant([1.0, 2.0])
    tensor.numpy()[0] = 9
    np.array(tensor)[0] = 9
    with pytest.raises(ValueError, match="read-only"):
        np.asarray(tensor)[0] = 9
    assert tensor.numpy().tolist() == [1.0, 2.0]


def test_odd_arrays():
    big = np.array([[1, 2], [3, 4]], ">i4")
    assert tf.constant(big).dtype == tf.int32 and tf.constant(big).numpy().dtype.isnative
    read_only = np.arange(3.0)
    read_only.flags.writeable = False
    assert tf.constant(read_only).numpy().flags.writeable
    assert tf.constant(np.zeros((2, 0, 3))).shape == (2, 0, 3)
    assert tf.constant(np.array(5)).shape == ()
    assert tf.constant(np.array([1.5, 2], object), tf.float32).numpy().tolist() == [1.5, 2.0]
    assert tf.constant([np.zeros((2, 3), ">f4")] * 2).dtype == tf.float32
    with pytest.raises(TypeError, match="its elements are Python objects, of type str"):
        tf.constant(np.array(["a"], object), tf.float32)
    with pytest.raises(ValueError, match=r"NPY_DATETIME.*datetime64\('2020|NPY_DATETIME.*2020-01-01"):
        tf.constant(np.array(["2020-01-01"], "M8[D]"))


class Frame:
    """Like a table of pandas: knows how to become an array."""

    def __array__(self, dtype=None, copy=None):
        return np.array([[1, 2], [3, 4]], dtype)

    def __len__(self):
        return 2

    def __getitem__(self, key):
        raise KeyError(key)


def test_an_object_that_becomes_an_array():
    assert tf.constant(Frame()).numpy().tolist() == [[1, 2], [3, 4]]
    assert tf.convert_to_tensor(Frame(), tf.float32).dtype == tf.float32
    assert (tf.constant([1.0, 1.0]) + Frame()).numpy().tolist() == [[2.0, 3.0], [4.0, 5.0]]


# --- Sequences ----------------------------------------------------------------------------------------------


def test_errors_name_the_input():
    with pytest.raises(ValueError, match=r"Lists of 2 and of 1 .*\[\[1, 2\], \[3\]\]"):
        tf.constant([[1, 2], [3]])
    with pytest.raises(ValueError, match=r"int and NoneType: \[1, None\]"):
        tf.constant([1, None])
    with pytest.raises(ValueError, match="gradient of what is not connected"):
        tf.constant(None)
    with pytest.raises(TypeError, match=r"element \[1\] 300 is not in \[0, 255\]"):
        tf.constant([1, 300], tf.uint8)
    with pytest.raises(ValueError, match=r"1e\+40"):
        tf.constant([1e40])
    with pytest.raises(TypeError, match="imaginary"):
        tf.constant(np.array([1j]), tf.float32)


def test_a_list_that_contains_itself():
    endless: list = []
    endless.append(endless)
    with pytest.raises(ValueError, match="more than 64 levels"):
        tf.constant(endless)


def test_long_and_deep():
    assert tf.constant(list(range(100_000))).shape == (100_000,)
    assert tf.constant([[[[[[1.0]]]]]]).shape == (1,) * 6
    assert tf.constant([collections.deque([1, 2]), range(2)]).numpy().tolist() == [[1, 2], [0, 1]]


_plain = st.one_of(
    st.integers(-(2**40), 2**40), st.booleans(), st.floats(width=32, allow_nan=True, allow_infinity=True)
)


@given(st.lists(_plain, min_size=1, max_size=6), st.integers(1, 3))
@settings(max_examples=100, deadline=None)
def test_the_quick_way_and_the_long_way_agree(items, rows):
    """A list, the same list as nested rows, as a tuple, as an array of objects: one result or one refusal."""
    whole = _try(items)
    assert _same(whole, _try(tuple(items)))
    nested = _try([items] * rows)
    if whole is not None and nested is not None:
        np.testing.assert_array_equal(nested.numpy(), np.stack([whole.numpy()] * rows))
    else:
        assert whole is nested is None


def _try(value):
    try:
        return tf.constant(value)
    except ValueError:
        return None


def _same(a, b):
    if a is None or b is None:
        return a is b
    return a.dtype == b.dtype and np.array_equal(a.numpy(), b.numpy(), equal_nan=a.dtype.is_floating)


# --- Numbers as operands ------------------------------------------------------------------------------------


def test_signed_zeros_are_not_mixed_up():
    x = tf.constant([1.0, -1.0])
    for _ in range(2):
        assert np.signbit((x * 0.0).numpy()).tolist() == [False, True]
        assert np.signbit((x * -0.0).numpy()).tolist() == [True, False]
        assert np.signbit(tf.constant(-0.0).numpy()) and not np.signbit(tf.constant(0.0).numpy())


def test_equal_numbers_of_different_types_are_not_mixed_up():
    x = tf.constant([1, 2])
    assert (x + 1).dtype == tf.int32
    with pytest.raises(tf.errors.InvalidArgumentError, match="int32 tensor but is a float"):
        x + 1.0
    assert (tf.constant([1.5]) + True).numpy() == 2.5
    assert (x + True).numpy().tolist() == [2, 3]
    with pytest.raises(TypeError, match="Cannot convert 1 to EagerTensor of dtype bool"):
        tf.constant(True) & 1
    assert np.isnan((tf.constant(1.0) * float("nan")).numpy())
    assert tf.constant(1).dtype == tf.int32 and tf.constant(1.0).dtype == tf.float32
    assert tf.constant(True).dtype == tf.bool


def test_one_number_in_many_dtypes():
    for dtype in (tf.float16, tf.bfloat16, tf.float32, tf.float64, tf.int8, tf.uint64, tf.complex64):
        x = tf.constant([1, 2], dtype)
        for found in (x * 3, 3 * x):
            assert found.dtype == dtype and found.numpy().astype(np.complex128).tolist() == [3, 6]


# --- Lists with tensors -------------------------------------------------------------------------------------


def test_gradients_flow_into_a_list():
    x, v = tf.constant(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.convert_to_tensor([x, [1, 2][0], x * v])
        z = tf.constant([1.0, 10.0, 100.0]) * [x, x, v] + y
    gradients = tape.gradient(z, [x, v])
    assert [g.numpy() for g in gradients] == [15.0, 102.0]


def test_arrays_and_tensors_in_one_list():
    x = tf.constant(1.0)
    assert tf.convert_to_tensor([np.array(2.0), x, np.float64(3)]).numpy().tolist() == [2.0, 1.0, 3.0]
    rows = tf.convert_to_tensor([Frame(), tf.constant([[1, 2], [3, 4]])])
    assert rows.shape == (2, 2, 2) and rows.dtype == tf.int32


def test_a_registered_conversion():
    class Celsius:
        def __init__(self, degrees):
            self.degrees = degrees

    class Hot(Celsius):
        pass

    tf.register_tensor_conversion_function(
        Celsius, lambda value, dtype=None, name=None, as_ref=False: tf.constant(value.degrees, dtype)
    )
    assert (tf.constant(1.0) + Hot(2.0)).numpy() == 3.0
    tf.register_tensor_conversion_function(
        Hot, lambda value, dtype=None, name=None, as_ref=False: NotImplemented, 10
    )
    assert tf.convert_to_tensor(Hot(2.0), tf.float64).dtype == tf.float64
    tf.register_tensor_conversion_function(Celsius, lambda value, dtype=None, name=None, as_ref=False: 5, 1)
    with pytest.raises(TypeError, match="must return a tf.Tensor, got 5"):
        tf.convert_to_tensor(Celsius(1.0))


def test_many_numbers_do_not_fill_the_memory():
    x = tf.constant(1.0)
    for i in range(10_000):
        x * (i + 0.5)
    assert sum(map(len, convert._FLOATS.values())) < 10_000
