"""Slices, lookups, scatters and selections as users see them: against TensorFlow's answers, and where these
end."""

from __future__ import annotations

import json
import re
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, basic_indices
from stored import script

import gradtape as tf
from gradtape._src.autodiff.batching import batched
from gradtape._src.ops import gathering, indexed_slices, scattering, selection
from gradtape._src.ops.keys import ALL, HOLE

GOLDEN = Path(__file__).parents[1] / "golden"
make = script("make_indexing")
EXPECTED = json.loads((GOLDEN / "indexing.json").read_text(encoding="utf-8"))

# Expressions to which gradtape means to answer otherwise; see docs/differences.md. A note says why.
DIFFERENT = {
    "x[tf.constant(0,tf.int64), i]": "indices of two dtypes",
    "x[2**70:]": "Python's slices stop at the end",
    "tf.slice(tf.constant(3.),[],[])": "an empty list is no list of floats",
    "tf.gather(t3,[[0],[1]],batch_dims=1,axis=0)": "refused; TensorFlow ignores batch_dims",
    "tf.gather_nd(x,[[0],[3]],bad_indices_policy='foo')": "InvalidArgumentError",
    "tf.scatter_nd(np.zeros((1,0),np.int32),[[1.,2.]],[2])": "index vectors of length 0",
    "tf.scatter_nd(np.array([[0]],np.int16),[1.],np.array([2],np.int16))": "int16",
    "tf.tensor_scatter_nd_update(z,tf.constant([[0]],tf.uint16),[1.])": "uint16",
    "tf.tensor_scatter_nd_max([1j],[[0]],[1j])": "InvalidArgumentError",
    "tf.tensor_scatter_nd_add([True],[[0]],[True])": "InvalidArgumentError",
    "tf.tensor_scatter_nd_add(['a'],[[0]],['b'])": "InvalidArgumentError",
    "tf.tensor_scatter_nd_max(['a'],[[0]],['b'])": "InvalidArgumentError",
    "g(lambda x: tf.gather_nd(x,[1]),x)": "one index vector; TensorFlow fails",
    "g(lambda x,u: tf.tensor_scatter_nd_update(x,[[1],[1]],u),z,[5.,6.])": "overwritten updates",
    "g(lambda x,y: tf.dynamic_stitch([[0,1],[1]],[x,y]),[1.,2.],[3.])": "overwritten slices",
    "g(lambda x,y: tf.dynamic_stitch([[0,0],[1]],[x,y]),[1.,2.],[3.])": "overwritten slices",
    "g(lambda a,b: tf.one_hot([0,1],2,a,b),3.,4.)": "gradients of the values",
    "g(lambda x: tf.gather_nd(x,[[0],[9]],bad_indices_policy='IGNORE'),x)": "TensorFlow keeps the bad index",
    "g(lambda u: tf.scatter_nd([[1],[9]],u,[3],'IGNORE'),[5.,6.])": "TensorFlow fails",
    "w.scatter_update(tf.IndexedSlices([[1.]*3],[0]))": "a wrong shape is refused",
    "tf.dynamic_stitch([[0]],tf.constant([[1.]]))": "tensors as lists",
    "tf.one_hot(True,2)": "bool indices are refused",
    "tf.nn.embedding_lookup((x[:2],x[2:]),[0,2],max_norm=1.)": "a tuple of tables",
    "g2(lambda x: tf.where(x>3.,tf.sqrt(x),0.), x)": "0, not NaN",
    "g2(lambda x: tf.where(x>0.,tf.sqrt(x),0.), [0.,-1.,4.])": "0, not NaN",
    "g2(lambda x: tf.tensor_scatter_nd_update(x,[[1],[1]],[x[0]**2.,x[1]**3.]), x)": "overwritten updates",
    "g2(lambda x: tf.dynamic_stitch([[0,1],[1]],[x[:2]**2.,x[2:]**3.]), x)": "overwritten slices",
}  # fmt: skip
# The type is TensorFlow's, the text is not: it would tell of operations that gradtape does not use.
OTHER_TEXT = {
    "tf.gather_nd(x,[[0],[1]],batch_dims=1)",
    "tf.gather(x,[0],axis=1.)",
    "tf.gather_nd(x,[[0],[1],[4]],batch_dims=1)",
    "tf.tensor_scatter_nd_add(tf.constant(1.),[[0]],[1.])",
    "tf.dynamic_stitch([],[])",
    "v1.batch_gather(x,[[0],[1]])",
    "v1.batch_gather(x,[[0],[1],[7]])",
    "tf.nn.embedding_lookup([x[:2],x[2:]],[5])",
    "slc(1,[1.,2.,3.,4.],'assign_add')",
    "slc(tf.constant([True,False,True]),1.)",
    "type(w[1]), type(w[1:].assign(tf.zeros([2,4])))",
}

_NUMBER = re.compile(r"-?(?:\d+\.?\d*(?:e[-+]?\d+)?|nan|inf)j?")
_ERROR = re.compile(r"(\w+): (.*)", re.DOTALL)


@pytest.fixture(scope="module")
def found():
    return make.answers(tf)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("expression", [e for e in EXPECTED["answers"] if e not in DIFFERENT])
def test_answers_are_tensorflows(found, expression):
    expected, answer = EXPECTED["answers"][expression], found[expression]
    if "Error: " in expected[:40]:
        kind, text = _ERROR.match(expected).groups()
        assert answer.startswith(kind)
        assert expression in OTHER_TEXT or _ERROR.match(answer)[2][:24] == text[:24]
        return
    assert _NUMBER.sub("#", answer) == _NUMBER.sub("#", expected)
    values = [np.array([complex(n) for n in _NUMBER.findall(text)]) for text in (answer, expected)]
    np.testing.assert_allclose(*values, rtol=2e-6, atol=1e-6)


def test_notes_about_differences_are_up_to_date(found):
    assert set(DIFFERENT) | OTHER_TEXT <= set(EXPECTED["answers"])
    assert not [e for e in DIFFERENT if found[e] == EXPECTED["answers"][e]]


def test_signatures_are_tensorflows():
    assert make.signatures(tf) == EXPECTED["signatures"]


# --- IndexedSlices ------------------------------------------------------------------------------------------


def slices(dense_shape=(4, 2)):
    shape = None if dense_shape is None else tf.constant(dense_shape)
    return tf.IndexedSlices(tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([3, 3]), shape)


def test_indexed_slices_print_like_tensorflows():
    assert str(slices()) == (
        "IndexedSlices(indices=tf.Tensor([3 3], shape=(2,), dtype=int32), values=tf.Tensor(\n[[1. 2.]\n [3. "
        "4.]], "
        "shape=(2, 2), dtype=float32), dense_shape=tf.Tensor([4 2], shape=(2,), dtype=int32))"
    )
    assert str(slices(None)).endswith("dtype=float32))")


def test_indexed_slices_tell_their_shape_and_dtype():
    assert slices().shape == tf.TensorShape([4, 2]) and slices(None).shape == tf.TensorShape(None)
    assert slices().dtype == tf.float32 and slices().consumers() == []
    assert repr(slices()._type_spec) == (
        "IndexedSlicesSpec(TensorShape([4, 2]), tf.float32, tf.int32, tf.int32, TensorShape([2]))"
    )
    assert slices(None)._type_spec == tf.IndexedSlicesSpec([None, 2], tf.float32, tf.int32, None, [2])
    assert tf.IndexedSlicesSpec().value_type is tf.IndexedSlices


def test_indexed_slices_become_dense_when_asked():
    np.testing.assert_array_equal(tf.convert_to_tensor(slices()), [[0, 0], [0, 0], [0, 0], [4, 6]])
    np.testing.assert_array_equal((-slices()).values, [[-1, -2], [-3, -4]])
    with pytest.raises(ValueError, match="without dense_shape"):
        tf.convert_to_tensor(slices(None))
    with pytest.raises(ValueError, match="Incompatible tensor conversion requested to `dtype` float64"):
        tf.convert_to_tensor(slices(), dtype=tf.float64)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"segment_ids\[0\] = 3 is out of range"):
        tf.convert_to_tensor(slices((2, 2)))


def test_indexed_slices_are_a_composite():
    given = slices()
    assert tf.nest.flatten(given) == [given]
    parts = tf.nest.flatten(given, expand_composites=True)
    assert [part.shape.as_list() for part in parts] == [[2, 2], [2], [2]]
    again = tf.nest.pack_sequence_as(given, parts, expand_composites=True)
    assert type(again) is tf.IndexedSlices and again.values is parts[0]


def test_a_lookup_costs_what_was_looked_up():
    table = tf.Variable(np.zeros((200_000, 8), np.float32))
    tracemalloc.start()
    with tf.GradientTape() as tape:
        y = sum(tf.reduce_sum(tf.gather(table, [i, i + 1])) for i in range(20))
    g = tape.gradient(y, table)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert g.values.shape == (40, 8) and g.shape == table.shape
    assert peak < table.numpy().nbytes / 10


def test_slices_of_a_loop_are_summed_at_once():
    x = tf.constant(np.arange(12.0).reshape(6, 2))
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = sum(tf.reduce_sum(x[i] * x[i]) for i in range(6)) + x[2, 1]
            y += tf.reduce_sum(tf.gather(x, [0, 0]))
        g = tape.gradient(y, x)
    expected = 2 * x.numpy()
    expected[2, 1] += 1
    expected[0] += 2
    assert isinstance(g, tf.Tensor)
    np.testing.assert_array_equal(g, expected)
    np.testing.assert_array_equal(outer.gradient(g, x), np.full((6, 2), 2.0))


# --- Indexing -----------------------------------------------------------------------------------------------


@st.composite
def arrays_and_keys(draw):
    shape = draw(array_shapes(max_dims=4, min_side=1, max_side=4))
    key = draw(basic_indices(shape, allow_newaxis=True, allow_ellipsis=True))
    return np.arange(float(np.prod(shape))).reshape(shape), key


@settings(max_examples=150, deadline=None)
@given(arrays_and_keys())
def test_brackets_are_numpys_and_their_gradient_is_the_transpose(case):
    array, key = case
    x = tf.constant(array)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x[key]
        z = tf.reduce_sum(y * y)
    expected = np.zeros_like(array)
    expected[key] = 2 * array[key]
    np.testing.assert_array_equal(y, array[key])
    np.testing.assert_array_equal(tape.gradient(z, x), expected)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_where_gives_no_gradient_to_the_other_side_to_any_order():
    x = tf.constant([0.0, -1.0, 4.0], tf.float64)
    tapes = [tf.GradientTape() for _ in range(3)]
    for tape in tapes:
        tape.__enter__()
        tape.watch(x)
    y = tf.where(x > 0.0, tf.sqrt(x), 0.0)
    for order, tape in enumerate(reversed(tapes)):
        tape.__exit__(None, None, None)
        y = tape.gradient(y, x)
        np.testing.assert_allclose(y, [0, 0, [1 / 4, -1 / 32, 3 / 256][order]])


# --- Batches with different indices -------------------------------------------------------------------------

X = np.random.default_rng(0).normal(size=(3, 4, 5))
ROWS = np.array([[0, 2], [3, 3], [1, 0]])
PAIRS = np.array([[[0, 1], [3, 2]], [[1, 1], [1, 1]], [[2, 0], [0, 4]]])
BATCHES = [
    (indexed_slices.gather, [X, ROWS], [True, True], {}),
    (indexed_slices.gather, [X[0], ROWS], [False, True], {}),
    (indexed_slices.gather, [X[0], ROWS], [False, True], {"axis": 1}),
    (indexed_slices.gather, [X, ROWS], [True, True], {"axis": -1}),
    (indexed_slices.gather_grad, [X[:, :2], ROWS, X], [True, True, True], {}),
    (indexed_slices.gather_grad, [X[0, :2], ROWS, X[0]], [False, True, False], {}),
    (indexed_slices.strided_slice, [X, ROWS[:, 0]], [True, True], {"key": (HOLE,)}),
    (indexed_slices.strided_slice, [X, ROWS[:, 0] - 4, ROWS[:, 1]], [True] * 3, {"key": (HOLE, HOLE)}),
    (indexed_slices.strided_slice, [X[0], ROWS[:, 0]], [False, True], {"key": (ALL, HOLE)}),
    (indexed_slices.strided_slice, [X[0], ROWS[:, 0]], [False, True], {"key": (None, HOLE, (1, 3, None))}),
    (indexed_slices.strided_slice, [X, np.array([0, 1, 2])], [True, True], {"key": ((None, None, None),
    HOLE)}), (gathering.gather_nd, [X, PAIRS], [True, True], {}),
    (gathering.gather_nd, [X[0], PAIRS], [False, True], {}),
    (gathering.gather_nd_grad, [X[:, 0, :2], PAIRS, X], [True, True, True], {}),
    (scattering.scatter_nd, [PAIRS, X[0, 0, :2], (4, 5)], [True, False, False], {}),
    (scattering.tensor_scatter_update, [X, PAIRS, X[:, 0, :2]], [True, True, True], {}),
    (scattering.tensor_scatter_add, [X[0], PAIRS, X[:, 0, :2]], [False, True, True], {}),
    (scattering.cleared, [X, PAIRS], [True, True], {}),
    (selection.one_hot, [ROWS, 4, np.array(2.0), np.array(0.5)], [True, False, False, False], {"axis": 0}),
    (selection.one_hot, [ROWS, 4, X[:, 0, 0], np.array(0.5)], [True, False, True, False], {}),
    (selection.select, [X[:, 0] > 0, X[:, 1], X[0, 2]], [True, True, False], {}),
    (selection.select, [X[:, 0, 0] > 0, X, X[0]], [True, True, False], {}),
    (selection.sequence_mask, [ROWS, 3], [True, False], {"dtype": np.dtype(bool)}),
]  # fmt: skip


NAMES = [f"{case[0].name}-{i}" for i, case in enumerate(BATCHES)]


@pytest.mark.parametrize("op, xs, has, params", BATCHES, ids=NAMES)
def test_a_batch_with_different_indices_is_a_loop(op, xs, has, params):
    found = batched(op, 3, xs, has, params)
    many = [op(*[x[i] if h else x for x, h in zip(xs, has, strict=True)], **params) for i in range(3)]
    np.testing.assert_array_equal(found, np.stack(many))


# --- Kernels ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n, d, k", [(5, 3, 4), (50, 40, 300), (40, 60, 6000), (200_000, 3, 100)])
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "complex64", "int32"])
def test_rows_are_added_up_at_every_size(n, d, k, dtype):
    dtype = tf.as_dtype(dtype).np
    rng = np.random.default_rng(0)
    rows = rng.integers(0, n, k)
    values = rng.integers(-3, 4, size=(k, d)).astype(dtype)
    expected = np.zeros((n, d), np.complex128 if dtype.kind == "c" else np.float64)
    np.add.at(expected, rows, values.astype(expected.dtype))
    found = indexed_slices.gather_grad(values, rows, np.empty((n, d), dtype))
    assert found.dtype == dtype
    np.testing.assert_allclose(found.astype(expected.dtype), expected, rtol=1e-2)


def test_kernels_never_write_into_their_inputs():
    x, u, i = np.arange(4.0), np.ones(2), np.array([[1], [1]])
    for op in (
        scattering.tensor_scatter_update,
        scattering.tensor_scatter_add,
        scattering.tensor_scatter_max,
    ):
        op(x, i, u)
    scattering.scatter_rows(x, i[:, 0], u, "mul")
    scattering.scatter_vectors(x, i, u, "update")
    np.testing.assert_array_equal(x, np.arange(4.0))
