"""A gradient function gave None."""

import gradtape as tf


@tf.custom_gradient
def only_first(a, b):
    def grad(dy):
        return dy * b, None

    return a * b, grad


def plain():
    a, b = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = only_first(a, b)  # HERE
    assert tape.gradient(y, [a, b])[1] is None
    return tape.explain(y, [a, b])[1]


def in_the_middle():
    a, b = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        h = tf.exp(b)
        y = only_first(a, h) + 1.0  # HERE
    return tape.explain(y, b)


def in_a_function():
    @tf.function
    def f(a, b):
        return only_first(a, b * 2.0)  # HERE

    a, b = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = f(a, b)
    return tape.explain(y, b)


def in_a_graph():
    with tf.Graph().as_default():
        a, b = tf.constant(2.0), tf.constant(3.0)
        y = only_first(a, b)  # HERE
        return tf.debugging.explain_gradients(y, [a, b])[1]


def variables_of_it():
    w = tf.Variable(3.0)

    @tf.custom_gradient
    def scaled(x):
        def grad(dy, variables=None):
            return dy, [None] * len(variables)

        return x * w, grad

    with tf.GradientTape() as tape:
        y = scaled(tf.constant(1.0))  # HERE
    return tape.explain(y, w)
