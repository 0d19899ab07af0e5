"""``tf.queue``: sequences that stop gradients."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf


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
