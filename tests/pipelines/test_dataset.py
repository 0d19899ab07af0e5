"""``tf.data.Dataset`` and ``tf.queue``: sequences that stop gradients."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf

Dataset = tf.data.Dataset


def values(dataset):
    return [x.tolist() for x in dataset.as_numpy_iterator()]


def test_sources():
    assert values(Dataset.range(3)) == [0, 1, 2]
    assert values(Dataset.range(5, 1, -2, output_type=tf.int32)) == [5, 3]
    assert values(Dataset.from_tensor_slices([[1, 2], [3, 4]])) == [[1, 2], [3, 4]]
    (a, b), *_ = Dataset.from_tensors((1, [2.0, 3.0]))
    assert int(a) == 1 and b.dtype == tf.float32
    first, second = Dataset.from_tensor_slices({"a": [1.0, 2.0], "b": [[1], [2]]})
    assert float(first["a"]) == 1.0 and second["b"].shape == (1,)


def test_transformations():
    assert values(Dataset.range(10).batch(4, drop_remainder=True).repeat(2).take(3)) == [
        [0, 1, 2, 3],
        [4, 5, 6, 7],
        [0, 1, 2, 3],
    ]
    assert values(Dataset.range(5).batch(2)) == [[0, 1], [2, 3], [4]]
    pairs = list(Dataset.zip((Dataset.range(3), Dataset.range(5))).map(lambda a, b: (a + b, {"c": b})))
    assert [(int(a), int(d["c"])) for a, d in pairs] == [(0, 0), (2, 1), (4, 2)]
    assert [tuple(map(int, p)) for p in Dataset.zip(Dataset.range(2), Dataset.range(3, 6))] == [
        (0, 3),
        (1, 4),
    ]
    assert len(list(Dataset.range(3).map(lambda x: [x, x + 1]))[0]) == 2


@pytest.mark.parametrize(
    "dataset, size",
    [
        (Dataset.range(10), 10),
        (Dataset.range(10).repeat(), -1),
        (Dataset.range(0).repeat(), 0),
        (Dataset.range(3).repeat(0), 0),
        (Dataset.range(3).repeat().take(5), 5),
        (Dataset.range(10).batch(4), 3),
        (Dataset.range(10).batch(4, drop_remainder=True), 2),
        (Dataset.zip((Dataset.range(3), Dataset.range(10).repeat())), 3),
        (Dataset.range(3).map(lambda x: x), 3),
    ],
)
def test_cardinality(dataset, size):
    assert int(dataset.cardinality()) == size
    if size >= 0:
        assert len(dataset) == size == len(list(dataset))
    else:
        with pytest.raises(TypeError, match="infinite"):
            len(dataset)
    assert bool(dataset)


def test_element_spec():
    assert repr(Dataset.range(3).batch(2)) == (
        "<_BatchDataset element_spec=TensorSpec(shape=(None,), dtype=tf.int64, name=None)>"
    )
    spec = Dataset.from_tensor_slices(([1.0], [[True]])).map(lambda a, b: {"x": a, "y": (b, b)}).element_spec
    assert spec == {"x": tf.TensorSpec((), tf.float32), "y": (tf.TensorSpec((1,), tf.bool),) * 2}


def test_it_is_lazy():
    calls = []
    dataset = Dataset.range(10).repeat().map(lambda x: (calls.append(int(x)), x)[1])
    iterator = iter(dataset)
    assert [int(next(iterator)) for _ in range(2)] == [0, 1]
    assert calls == [0, 1]


def test_an_iterator_is_on_no_tape():
    x, v = tf.constant([1.0, 2.0]), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        element = next(iter(Dataset.from_tensors(x).map(lambda z: z * v)))
        y = element * v
    dx, dv = tape.gradient(y, [x, v])
    assert dx is None and float(dv) == 9.0


def test_get_next():
    iterator = iter(Dataset.range(1))
    assert int(iterator.get_next()) == 0
    with pytest.raises(tf.errors.OutOfRangeError, match="End of sequence"):
        iterator.get_next()


@pytest.mark.parametrize(
    "call, error, text",
    [
        (lambda: Dataset.from_tensor_slices(5), ValueError, "rank >= 1"),
        (
            lambda: Dataset.from_tensor_slices(([1, 2], [1, 2, 3])),
            ValueError,
            "Dimensions 2 and 3 are not compatible",
        ),
        (lambda: Dataset.from_tensor_slices({}), ValueError, "should not be empty"),
        (lambda: Dataset.range(), ValueError, "between 1 and 3"),
        (lambda: Dataset.range(3).batch(0), tf.errors.InvalidArgumentError, "greater than zero"),
        (lambda: Dataset.zip((1, 2)), TypeError, "Invalid input to `zip`"),
        (lambda: Dataset.zip([Dataset.range(2)]), TypeError, "use `tuple`"),
        (
            lambda: list(Dataset.range(3).map(lambda n: tf.zeros([n])).batch(2)),
            tf.errors.InvalidArgumentError,
            "Cannot batch tensors with different shapes",
        ),
    ],
)
def test_errors(call, error, text):
    with pytest.raises(error, match=text):
        call()


class TestQueue:
    def test_first_in_first_out(self):
        queue = tf.queue.FIFOQueue(10, tf.float32, shapes=())
        queue.enqueue_many([[1.0, 2.0, 3.0]])
        queue.enqueue(4.0)
        assert int(queue.size()) == 4
        assert float(queue.dequeue()) == 1.0
        np.testing.assert_array_equal(queue.dequeue_many(2), [2.0, 3.0])
        queue.close()
        assert bool(queue.is_closed())
        np.testing.assert_array_equal(queue.dequeue_up_to(5), [4.0])
        with pytest.raises(tf.errors.OutOfRangeError, match="is closed and has insufficient elements"):
            queue.dequeue()

    def test_names(self):
        queue = tf.queue.FIFOQueue(2, [tf.float32, tf.int32], shapes=[[], [2]], names=["a", "b"])
        queue.enqueue({"a": 1.0, "b": [1, 2]})
        found = queue.dequeue()
        assert float(found["a"]) == 1.0 and found["b"].shape == (2,)

    def test_it_is_on_no_tape(self):
        x = tf.constant(2.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            queue = tf.queue.FIFOQueue(1, tf.float32)
            queue.enqueue(x * x)
            y = queue.dequeue()
        assert tape.gradient(y, x) is None

    @pytest.mark.parametrize(
        "call, error, text",
        [
            (
                lambda q: q.enqueue(tf.constant(1)),
                ValueError,
                "component_0: Tensor conversion requested dtype float32",
            ),
            (lambda q: [q.enqueue(1.0) for _ in range(3)], tf.errors.InvalidArgumentError, "is full"),
            (lambda q: q.dequeue(), tf.errors.InvalidArgumentError, "too few elements"),
            (lambda q: q.enqueue({"a": 1.0}), ValueError, "must have names"),
            (lambda q: q.enqueue([1.0, 2.0]), tf.errors.InvalidArgumentError, "Shape mismatch"),
            (lambda q: (q.close(), q.enqueue(1.0)), tf.errors.CancelledError, "closed"),
        ],
    )
    def test_errors(self, call, error, text):
        with pytest.raises(error, match=text):
            call(tf.queue.FIFOQueue(2, tf.float32, shapes=()))

    def test_many_need_shapes(self):
        queue = tf.queue.FIFOQueue(2, tf.float32)
        queue.enqueue(1.0)
        with pytest.raises(tf.errors.InvalidArgumentError, match="specified shapes"):
            queue.dequeue_many(1)
