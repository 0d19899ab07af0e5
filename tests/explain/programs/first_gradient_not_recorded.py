"""The outer tape was not recording when the inner gradient was taken."""

import gradtape as tf


def after_the_outer():
    x = tf.Variable(3.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = x**3
    g = inner.gradient(y, x)  # HERE
    return outer.explain(g, x)


def two_tapes_in_turn():
    x = tf.Variable(3.0)
    with tf.GradientTape() as first:
        y = tf.sin(x)
    g = first.gradient(y, x)  # HERE
    with tf.GradientTape() as second:
        z = g * 2.0
    assert second.gradient(z, x) is None
    return second.explain(z, x)


def gradient_penalty():
    w = tf.Variable([2.0, 1.0])
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as inner:
        inner.watch(x)
        score = tf.reduce_sum(tf.tanh(w * x))
    g = inner.gradient(score, x)  # HERE
    with tf.GradientTape() as outer:
        penalty = (tf.norm(g) - 1.0) ** 2
    return outer.explain(penalty, w)


def in_a_function():
    found = []

    @tf.function
    def f(x):
        with tf.GradientTape() as first:
            first.watch(x)
            y = tf.sin(x)
        g = first.gradient(y, x)  # HERE
        with tf.GradientTape() as second:
            second.watch(x)
            z = g * 2.0
        found.append(second.explain(z, x))
        return z

    f(tf.constant(1.0))
    return found[0]
