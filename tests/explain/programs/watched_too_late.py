"""Used before it was watched."""

import gradtape as tf


def plain():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = x * x  # HERE
        tape.watch(x)
    return tape.explain(y, x)


def in_a_helper():
    def loss_of(x):
        return tf.reduce_sum(x**2)  # HERE

    x = tf.constant([3.0])
    with tf.GradientTape() as tape:
        loss = loss_of(x)
        tape.watch(x)
        loss = loss * 1.5
    tape.gradient(loss, x)
    return tape.explain(loss, x)


def an_intermediate():
    w = tf.constant(3.0)
    with tf.GradientTape() as tape:
        h = tf.exp(w)
        y = h * 2.0  # HERE
        tape.watch(h)
    return tape.explain(y, h)


def in_a_function():
    found = []

    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            y = tf.sin(x)  # HERE
            tape.watch(x)
        found.append(tape.explain(y, x))
        return y

    f(tf.constant(1.0))
    return found[0]
