"""``tf.RaggedTensor``, ``tf.ragged`` and strings in pieces: TensorFlow's answers, gradients, graphs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from stored import script

import gradtape as tf

GOLDEN = Path(__file__).parents[1] / "golden"
EXPECTED = json.loads((GOLDEN / "ragged.json").read_text(encoding="utf-8"))


MAKER = script("make_ragged")


@pytest.mark.parametrize("line", MAKER.lines())
def test_answers_of_tensorflow(line: str):
    assert MAKER.answer(line, tf) == EXPECTED[line]


ROWS = [[1.0, 2.0], [], [3.0, 4.0, 5.0]]
# Functions of a ragged tensor that give dense ones, and what they are of a list of NumPy's rows.
FUNCTIONS = {
    "to_tensor": (lambda r: r.to_tensor(), lambda rows: [np.pad(x, (0, 3 - len(x))) for x in rows]),
    "narrower": (
        lambda r: r.to_tensor(-1.0, shape=[None, 1]),
        lambda rows: [x[:1] if len(x) else [-1] for x in rows],
    ),
    "sum of rows": (lambda r: tf.reduce_sum(r * r, 1), lambda rows: [np.sum(x * x) for x in rows]),
    "mean": (lambda r: tf.reduce_mean(tf.exp(r)), lambda rows: np.mean(np.exp(np.concatenate(rows)))),
    "columns": (lambda r: (r[:, 1:] ** 2).values, lambda rows: np.concatenate([x[1:] ** 2 for x in rows])),
    "one for each row": (
        lambda r: (r * [[1.0], [2.0], [3.0]]).values,
        lambda rows: np.concatenate([x * (i + 1) for i, x in enumerate(rows)]),
    ),
    "rows": (lambda r: r[::-2].values, lambda rows: np.concatenate(rows[::-2])),
    "sparse": (
        lambda r: tf.sparse.to_dense(r.to_sparse()),
        lambda rows: [np.pad(x, (0, 3 - len(x))) for x in rows],
    ),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_values_gradients_and_functions(name: str):
    f, reference = FUNCTIONS[name]
    values = np.concatenate(ROWS)
    of_values = lambda v: f(tf.RaggedTensor.from_row_lengths(v, [2, 0, 3]))
    expected = np.array(reference(list(map(np.array, ROWS))), np.float64)
    x = tf.constant(values, tf.float64)
    np.testing.assert_allclose(of_values(x), expected, rtol=1e-12)
    np.testing.assert_allclose(tf.function(of_values)(x), expected, rtol=1e-12)

    def loss(v: Any) -> Any:
        return tf.reduce_sum(tf.sin(of_values(v)))

    for call in (loss, tf.function(loss)):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = call(x)
        slope = tf.convert_to_tensor(tape.gradient(y, x))
        eps = 1e-6
        steps = [(loss(x + eps * e) - loss(x - eps * e)).numpy() / (2 * eps) for e in np.eye(5)]
        np.testing.assert_allclose(slope, steps, atol=1e-8)


@pytest.mark.parametrize("wrapped", [lambda f: f, tf.function], ids=["eager", "function"])
def test_gradients_by_ragged_tensors_are_ragged(wrapped):
    """One tensor for another: what the gradient by the values is, in the same rows."""

    def slopes(r):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(r)
            y = r.to_tensor() ** 2
            z = tf.gather(r.flat_values, [0, 0])
        return tape.gradient(y, {"r": r, "of no use": tf.ragged.constant([[1.0]])}), tape.gradient(z, r)

    r = tf.ragged.constant([[[1.0, 2.0], []], [[3.0]]])
    found, of_some = wrapped(slopes)(r)
    assert found["r"].to_list() == [[[2.0, 4.0], []], [[6.0]]]
    assert found["of no use"] is None
    assert of_some.to_list() == [[[2.0, 0.0], []], [[0.0]]]


@pytest.mark.parametrize("method", ["jacobian", "batch_jacobian"])
def test_jacobians_are_of_tensors(method):
    x = tf.constant([[1.0, 2.0]])
    ragged = tf.RaggedTensor.from_tensor(x)
    sparse = tf.sparse.from_dense(x)
    for target, source, place in [
        (ragged, x, "target.*flat_values"),
        (x, ragged, "source.*flat_values"),
        (sparse, x, r"target.*x\.values"),
        (x, sparse, r"source.*x\.values"),
    ]:
        with tf.GradientTape() as tape:
            tape.watch(x)
        with pytest.raises(ValueError, match=place):
            getattr(tape, method)(target, source)
    with tf.GradientTape() as tape:
        tape.watch(sparse)
    with pytest.raises(ValueError, match=r"source.*SparseTensor.*x\.values"):
        tape.gradient(sparse, sparse)


def test_unknown_lengths_in_a_function():
    spec = [tf.TensorSpec([None], tf.float32), tf.TensorSpec([None], tf.int64)]

    @tf.function(input_signature=spec)
    def f(values, lengths):
        r = tf.RaggedTensor.from_row_lengths(values, lengths)
        return r.to_tensor(), tf.reduce_max(r, 1), r[:, :1].values, r.bounding_shape()

    dense, most, first, shape = f([1.0, 2.0, 3.0], [1, 2])
    assert dense.numpy().tolist() == [[1.0, 0.0], [2.0, 3.0]]
    assert most.numpy().tolist() == [1.0, 3.0]
    assert first.numpy().tolist() == [1.0, 2.0]
    assert shape.numpy().tolist() == [2, 2]


def test_ragged_tensors_go_in_and_out_of_functions():
    r = tf.ragged.constant([[[1, 2], [3]], [[4]]])
    found = tf.function(lambda x: x * 2)(r)
    assert found.to_list() == [[[2, 4], [6]], [[8]]]
    assert str(tf.function(lambda x: x)(r)) == str(r)


def test_python_with_ragged_tensors():
    r = tf.ragged.constant(ROWS)
    assert [x.numpy().tolist() for x in r] == ROWS
    with pytest.raises(ValueError, match=r"received a RaggedTensor. Use its to_tensor"):
        tf.matmul(r, r)
    with pytest.raises(ValueError, match="ProdEuclid|EuclideanNorm|does not take ragged"):
        tf.math.reduce_euclidean_norm(r, 1)
    with pytest.raises(tf.errors.InvalidArgumentError, match="different rows"):
        r + tf.ragged.constant([[1.0], [2.0], [3.0]])


def test_a_step_of_slices_and_new_axes_are_refused():
    r = tf.ragged.constant(ROWS)
    with pytest.raises(ValueError, match="step of 1"):
        r[:, ::2]
    with pytest.raises(ValueError, match="ellipsis or a new axis"):
        r[None]
