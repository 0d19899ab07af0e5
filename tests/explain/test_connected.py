"""A gradient that exists is said to exist."""

from __future__ import annotations

import gradtape as tf


def test_a_loop_gives_zeros_for_what_it_does_not_use():
    with tf.Graph().as_default():
        a, b = tf.constant(1.0), tf.constant(2.0)
        x, _ = tf.while_loop(lambda x, y: x < 9.0, lambda x, y: (x * 2.0, y * 3.0), [a, b])
        n = len(tf.compat.v1.get_default_graph().get_operations())
        assert tf.debugging.explain_gradients(x, b).cause == "connected"
        assert len(tf.compat.v1.get_default_graph().get_operations()) == n
