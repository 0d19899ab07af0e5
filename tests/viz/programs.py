"""Programs that several tests draw: ``draw(tape, target, sources)``, where their names are in sight."""

from __future__ import annotations

import gradtape as tf


def given(*args):
    return args


def classifier(draw=given):
    """A layer, a loss, a rounding on the side, and a variable that is not trainable."""
    w = tf.Variable(tf.ones([4, 3]) * 0.5, name="w")
    b = tf.Variable(tf.zeros([3]), name="b")
    frozen = tf.Variable(tf.ones([3]), trainable=False, name="frozen")
    x = tf.reshape(tf.range(8.0), [2, 4])
    with tf.GradientTape() as tape:
        h = tf.tanh(x @ w + b)
        hard = tf.round(h)
        loss = tf.reduce_sum(h * frozen) + 0.0 * tf.reduce_sum(hard)
    return draw(tape, loss, [w, b, frozen])


def recurrence(draw=given, steps=3):
    """A loop of Python: three lines, seven operations a step."""
    w = tf.Variable([[0.3, 0.1], [-0.2, 0.4]], name="w")
    h = tf.ones([1, 2])
    with tf.GradientTape() as tape:
        for _ in range(steps):
            a = h @ w + 0.1
            a = a * a - a
            h = tf.tanh(a)
        loss = tf.reduce_sum(h)
    return draw(tape, loss, [w])


@tf.function
def powers(x):
    for _ in tf.range(3):
        x = tf.tanh(x * 2.0)
    return x


def with_a_function(draw=given):
    w = tf.Variable([1.0, 2.0], name="w")
    with tf.GradientTape() as tape:
        y = powers(w)
        loss = tf.reduce_sum(y)
    return draw(tape, loss, [w])
