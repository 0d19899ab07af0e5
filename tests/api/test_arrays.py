"""Shapes, arrays, creation and casting as users see them, against TensorFlow 2.21 (tests/golden/arrays.json).

Where gradtape differs on purpose, the difference is a row of a table here and of docs/differences.md.
"""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np
import pytest
from golden import make_arrays as golden
from hypothesis import given, settings
from hypothesis import strategies as st

import gradtape as tf

GOLDEN = golden.read()
NAN = float("nan")

# Expressions (or what they begin with) that work here and fail in TensorFlow.
WORKS = (
    "tf.linalg.diag([True,True])",
    "tf.linalg.band_part([[1,2]],[0],0)",
    "tf.linalg.band_part([[1,2]],tf.constant(0,tf.int64),tf.constant(0))",
    "tf.reverse_sequence([[1,2,3],[4,5,6]],[2,1,1],seq_axis=-2,batch_axis=-1)",
    "tf.tile([1,2],tf.constant([2],tf.int16))",
    "tf.range(3,dtype=tf.int8)",
    "tf.range(3,dtype=tf.int16)",
    "tf.range(3,dtype=tf.uint8)",
    "tf.range(0,5,dtype=tf.uint",
    "tf.meshgrid('a','b')",
    "G(lambda x: tf.bitcast(",
    "G(lambda c: tf.guarantee_const(c))",
)
# A gradient here, None in TensorFlow.
DIFFERENTIABLE = {
    "G(lambda c: tf.pad(x,[[1,1],[1,1]],constant_values=c), tf.constant(2.))": "float32 [] [12.0]",
    "G(lambda c: tf.range(c,10.,2.), tf.constant(2.))": "float32 [] [4.0]",
    "G(lambda c: tf.linalg.diag([1.,2.],padding_value=c), tf.constant(2.))": "float32 [] [2.0]",
    "G(lambda c: tf.linalg.diag_part(x,padding_value=c,k=(0,1)), tf.constant(2.))": "float32 [] [1.0]",
}
# The right value here, a wrong one or none in TensorFlow.
BETTER = {
    "tf.saturate_cast(tf.constant([2**63-1],tf.int64), tf.float32)": "float32 [1] [9.223372036854775807e+18]",
    "tf.saturate_cast(tf.constant([1e30],tf.float32), tf.int64)": "int64 [1] [9223371487098961920]",
    "tf.eye(tf.constant(2.))": "TypeError",
    "tf.unstack(tf.zeros([2,3]),num=0)": "InvalidArgumentError",
    "tf.unravel_index([-1],[2,3])": "InvalidArgumentError",
}
# NaN to an integer: an error here, INT_MIN or 0 in TensorFlow.
NANS = (
    "tf.cast([np.nan, np.inf, -np.inf, 3e9, -3e9], tf.int32)",
    "tf.cast([np.nan, np.inf, -np.inf, 3e19], tf.int64)",
    "tf.cast([np.nan, np.inf, -np.inf, 300., -1.], tf.uint8)",
    "tf.saturate_cast([300., -5., 3.7, np.nan, np.inf], tf.uint8)",
    "tf.saturate_cast([3e9, -3e9, np.inf, np.nan], tf.int32)",
)
# The same type of error in other words, or another type where TensorFlow's is an accident.
OWN_ERRORS = {
    "tf.linspace(0.,1.,-2)": "InvalidArgumentError: Requires num >= 0",
    "tf.repeat([1,2],-1)": "InvalidArgumentError: Expected repeats >= 0",
    "tf.concat([],0)": "InvalidArgumentError: Expected a list of at least one tensor",
    "tf.split([1,2,3,4],[])": "InvalidArgumentError: Expected the lengths of at least one part",
    "tf.split([1,2,3,4],tf.constant([[1,3]]))": "InvalidArgumentError: size of the split_tensor must be 1-D",
    "tf.stack([],axis=1)": "ValueError: Expected a list of at least one tensor",
    "tf.stack({'a':1})": "ValueError: Attempt to convert a value",
    "tf.squeeze(tf.zeros([1,2,1]), axis='a')": "TypeError: Expected list for 'axis'",
    "tf.unstack(tf.zeros([2,3]),axis=1.)": "TypeError: Argument `axis` must be an integer",
    "tf.range(3,dtype=tf.complex64)": "InvalidArgumentError: Value for attr 'T' of complex64",
    "tf.linspace('a','b',3)": "UnimplementedError: Cast string to float64 is not supported",
    "tf.linspace(tf.constant(0.),tf.constant(1.,tf.float64),4)": "ValueError: Tensor conversion requested",
    "tf.broadcast_to(tf.zeros([0]),[3,1])": "InvalidArgumentError: Incompatible shapes: [0] vs. [3,1]",
    "tf.roll([1,2,3],[[1]],[[0]])": "InvalidArgumentError: axis must be a scalar or a 1-D vector",
    "tf.reverse_sequence([[1,2,3],[4,5,6]],[2.,1],seq_axis=1)": "InvalidArgumentError: Value for attr 'Tlen'",
    "tf.range(limit=3)": "TypeError: range() missing 1 required positional argument: 'start'",
    "tf.nn.space_to_depth([[[[1],[2]],[[3],[4]]]],2,data_format='NCHW')": "InvalidArgumentError: Image width",
    "tf.nn.depth_to_space([[[[1,2,3,4]]]],2,'NCHW')": "InvalidArgumentError: Input depth dimension",
    "tf.linalg.tensor_diag_part([1,2])": "InvalidArgumentError: The rank of the tensor should be even",
    "tf.eye(True)": "TypeError: Arguments `num_rows` and `num_columns` must be positive",
}
_ERROR = re.compile(r"\w*Error: ?")


@pytest.fixture(autouse=True)
def no_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Casts of complex numbers warn; what they say is tested below."""
    monkeypatch.setattr("gradtape._src.api.casting.warn", lambda message: None)


@pytest.mark.parametrize("name", golden.NAMES)
def test_signature(name: str):
    root = tf
    if name.startswith("compat."):
        import gradtape.compat.v1  # noqa: F401  a submodule that is loaded when it is first named
    assert golden.signature(golden.find(root, name)) == GOLDEN["signatures"][name]


@pytest.mark.parametrize("expression", golden.expressions())
def test_outcome(expression: str):
    expected = GOLDEN["outcomes"][expression]
    found = golden.evaluate(tf, expression)
    if expression.startswith(WORKS):
        assert str(expected).startswith(("TypeError", "LookupError", "InvalidArg", "NotFound")), (
            "no longer differs"
        )
        assert not str(found).startswith(("TypeError", "LookupError", "InvalidArg", "NotFound")), found
    elif expression in DIFFERENTIABLE:
        assert (expected, found) == (None, DIFFERENTIABLE[expression])
    elif expression in BETTER:
        assert same(str(found).split(":")[0], BETTER[expression])
    elif expression in NANS:
        assert found.startswith("InvalidArgumentError: Cast") and "is NaN" in found
    elif expression in OWN_ERRORS:
        assert found.startswith(OWN_ERRORS[expression])
    elif isinstance(expected, str) and (start := _ERROR.match(expected)):
        assert same_error(found, expected, start.group()), f"{found}\ninstead of\n{expected}"
    else:
        assert same(found, expected), f"{found}\ninstead of\n{expected}"


def same_error(found: Any, expected: str, kind: str) -> bool:
    """The type is the same, and the text begins the same."""
    if kind.startswith("AssertionError"):  # TensorFlow's assert statements on the dtype of an argument
        return str(found).startswith("TypeError")
    text = re.split(r"\[Op:|\n|; NodeDef| name: ", expected)[0].strip()
    if "allowed values" in text:
        text = text.split(" is not in the list")[0]
    if "(None)" in text:
        text = text.split("(None)")[0]
    return str(found).startswith(text)


def same(found: Any, expected: Any) -> bool:
    """Equal, numbers of floating-point dtypes within some rounding."""
    if isinstance(expected, list):
        return len(found) == len(expected) and all(map(same, found, expected))
    if found == expected or expected is None:
        return found == expected
    head = re.compile(r"(\w+) (\[[\d, ]*\]) (.*)")
    one, other = head.fullmatch(str(found)), head.fullmatch(expected)
    if one is None or other is None or one.groups()[:2] != other.groups()[:2]:
        return False
    names = {"inf": float("inf"), "nan": NAN}
    a, b = (np.array(eval(match.group(3), names)) for match in (one, other))
    rough = {"float16": 1e-3, "bfloat16": 1e-2, "float32": 1e-6}.get(one.group(1), 1e-12)
    return one.group(1).startswith(("f", "b", "c")) and np.allclose(a, b, rough, rough, equal_nan=True)


# --- Metadata -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "shape",
    [
        (2, 3),
        [2, 3],
        [2, -1],
        np.array([2, 3]),
        np.array([2, 3], np.int16),
        [np.int64(2), 3],
        tf.TensorShape([2, 3]),
        (tf.constant(2), 3),
        tf.constant([2, 3], tf.int64),
    ],
    ids=repr,
)
def test_a_shape_may_be_written_in_many_ways(shape: Any):
    assert tf.reshape(tf.zeros([6]), shape).shape == [2, 3]


def test_a_shape_of_tensors_can_be_computed():
    x = tf.zeros([4, 3])
    assert tf.reshape(x, [tf.shape(x)[0] * 3, -1]).shape == [12, 1]
    assert tf.zeros(tf.shape(x)).shape == [4, 3]
    assert tf.tile(x, tf.shape(x)).shape == [16, 9]


def test_numpy_and_user_warnings_stay_silent():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tf.cast([float("inf"), 1e30], tf.int32)
        tf.cast(tf.constant([1 + 2j]), tf.float32)
        tf.cast(tf.constant([1e300], tf.float64), tf.float32)


def test_nothing_changes_the_users_array():
    a = np.arange(6.0)
    for y in (tf.reshape(a, [2, 3]), tf.expand_dims(a, 0), tf.identity(a), tf.cast(a, tf.float64)):
        a[0] = 7.0
        assert float(tf.reshape(y, [-1])[0]) == 0.0
        a[0] = 0.0


def test_a_cast_to_the_same_dtype_is_the_tensor_itself():
    x = tf.constant([1.0])
    assert tf.cast(x, tf.float32) is x
    assert tf.identity(x) is not x


def test_nan_to_an_integer_says_where():
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"the element at \[1,0\] of the input of shape \[2,2\]"
    ):
        tf.cast([[1.0, 2.0], [NAN, 3.0]], tf.int64)
    for dtype in ("float16", "bfloat16", "float64", "complex128"):
        x = tf.constant(np.array([1.0, NAN]).astype(tf.as_dtype(dtype).as_numpy_dtype))
        with pytest.raises(tf.errors.InvalidArgumentError, match="NaN"):
            tf.cast(x, tf.int8)
    assert tf.cast([NAN], tf.bool).numpy().tolist() == [True]


def test_complex_to_real_warns(monkeypatch: pytest.MonkeyPatch):
    said: list[str] = []
    monkeypatch.setattr("gradtape._src.api.casting.warn", said.append)
    tf.cast(tf.constant([1 + 2j]), tf.float32)
    tf.cast(tf.constant([1 + 2j]), tf.complex64)
    assert said == [
        "You are casting an input of type complex128 to an incompatible dtype float32.  This will discard "
        "the imaginary part and may not be what you intended."
    ]


# --- Gradients ----------------------------------------------------------------------------------------------


def gradient(f: Any, *xs: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = f(*xs)
    found = tape.gradient(y, xs)
    return found[0] if len(xs) == 1 else found


def test_an_integer_cuts_the_path_and_the_factor_beside_it_counts():
    x = tf.constant([1.5, 2.5])
    found = gradient(lambda x: tf.cast(tf.cast(x, tf.int32), tf.float32) * x, x)
    np.testing.assert_array_equal(found, [1.0, 2.0])


def test_one_of_several_outputs():
    x = tf.constant([1.0, 2.0, 3.0, 4.0])
    np.testing.assert_array_equal(gradient(lambda x: tf.split(x, [1, 3])[1] ** 2, x), [0, 4, 6, 8])
    np.testing.assert_array_equal(gradient(lambda x: tf.unstack(x)[2] ** 2, x), [0, 0, 6, 0])
    np.testing.assert_array_equal(gradient(lambda x: tf.meshgrid(x, x)[0], x), [4, 4, 4, 4])


def test_the_margin_of_a_padding_takes_only_what_is_in_it():
    x, c = tf.constant([1.0, 2.0]), tf.constant(3.0)
    weights = tf.constant([10.0, 1.0, float("inf"), 20.0])
    g_x, g_c = gradient(lambda x, c: tf.pad(x, [[1, 1]], constant_values=c) * weights, x, c)
    np.testing.assert_array_equal(g_x, [1.0, np.inf])
    assert float(g_c) == 30.0


def test_zero_times_infinity_stays_zero_through_moves():
    x = tf.constant([0.0, 4.0])
    found = gradient(lambda x: tf.reverse(tf.tile(tf.sqrt(x), [2]), [0]) * [1.0, 0.0, 1.0, 0.0], x)
    np.testing.assert_array_equal(found, [0.0, 0.5])


def test_range_and_linspace_differentiate_their_ends():
    start, delta = tf.constant(0.5), tf.constant(0.25)
    g_start, g_delta = gradient(lambda a, d: tf.range(a, 1.5, d) ** 2, start, delta)
    y = 0.5 + 0.25 * np.arange(4)
    np.testing.assert_allclose(
        [float(g_start), float(g_delta)], [np.sum(2 * y), np.sum(2 * y * np.arange(4))]
    )
    ends = tf.constant([0.0, 1.0]), tf.constant([1.0, 3.0])
    g_start, g_stop = gradient(lambda a, b: tf.linspace(a, b, 3, axis=-1), *ends)
    np.testing.assert_allclose([g_start, g_stop], [[1.5, 1.5], [1.5, 1.5]])


# --- Against NumPy ------------------------------------------------------------------------------------------

shapes = st.lists(st.integers(0, 4), max_size=4)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_moves_are_numpys(data: st.DataObject):
    shape = data.draw(shapes)
    rank = len(shape)
    a = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    x = tf.constant(a)
    perm = data.draw(st.permutations(range(rank)))
    np.testing.assert_array_equal(tf.transpose(x, perm), a.transpose(perm))
    times = data.draw(st.lists(st.integers(0, 3), min_size=rank, max_size=rank))
    np.testing.assert_array_equal(tf.tile(x, times), np.tile(a, times))
    margins = data.draw(
        st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=rank, max_size=rank)
    )
    np.testing.assert_array_equal(tf.pad(x, margins or np.zeros((0, 2), int)), np.pad(a, margins or 0))
    if rank:
        axis = data.draw(st.integers(-rank, rank - 1))
        np.testing.assert_array_equal(tf.reverse(x, [axis]), np.flip(a, axis))
        shift = data.draw(st.integers(-5, 5))
        np.testing.assert_array_equal(tf.roll(x, shift, axis), np.roll(a, shift, axis))
        np.testing.assert_array_equal(tf.concat([x, x], axis), np.concatenate([a, a], axis))
        np.testing.assert_array_equal(tf.stack([x, x], axis), np.stack([a, a], axis))
        counts = data.draw(st.lists(st.integers(0, 3), min_size=shape[axis], max_size=shape[axis]))
        np.testing.assert_array_equal(tf.repeat(x, np.array(counts, int), axis), np.repeat(a, counts, axis))
        assert len(tf.unstack(x, axis=axis)) == shape[axis]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 4), min_size=1, max_size=3), st.data())
def test_split_undoes_concat(sizes: list[int], data: st.DataObject):
    rank = data.draw(st.integers(1, 3))
    axis = data.draw(st.integers(-rank, rank - 1))
    parts = []
    for n in sizes:
        shape = [2] * rank
        shape[axis] = n
        parts.append(tf.constant(np.random.default_rng(n).normal(size=shape)))
    for one, other in zip(tf.split(tf.concat(parts, axis), sizes, axis), parts, strict=True):
        np.testing.assert_array_equal(one, other)


def test_blocks_are_inverse_to_each_other():
    x = tf.reshape(tf.range(96), [2, 4, 6, 2])
    np.testing.assert_array_equal(tf.nn.depth_to_space(tf.nn.space_to_depth(x, 2), 2), x)
    y = tf.space_to_batch(x, [2, 3], [[1, 1], [0, 3]])
    np.testing.assert_array_equal(tf.batch_to_space(y, [2, 3], [[1, 1], [0, 3]]), x)
    channels_first = tf.transpose(x, [0, 3, 1, 2])
    np.testing.assert_array_equal(
        tf.transpose(tf.nn.space_to_depth(channels_first, 2, "NCHW"), [0, 2, 3, 1]),
        tf.nn.space_to_depth(x, 2),
    )
