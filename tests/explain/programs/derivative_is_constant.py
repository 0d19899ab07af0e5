"""The source no longer occurs."""

import gradtape as tf


def linear():
    x, w = tf.Variable(3.0), tf.Variable(1.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = x * w
        dw = inner.gradient(y, w)  # HERE
    assert outer.gradient(dw, w) is None
    return outer.explain(dw, w)


def third_of_a_square():
    x = tf.Variable(3.0)
    with tf.GradientTape() as t3:
        with tf.GradientTape() as t2:
            with tf.GradientTape() as t1:
                y = x * x
            d1 = t1.gradient(y, x)
        d2 = t2.gradient(d1, x)  # HERE
    return t3.explain(d2, x)


def in_a_graph():
    with tf.Graph().as_default():
        x, w = tf.constant(2.0), tf.constant(3.0)
        (dw,) = tf.gradients(x * w, w)  # HERE
        return tf.debugging.explain_gradients(dw, w)


def in_a_layer():
    class Linear:
        def __init__(self):
            self.w = tf.Variable([[1.0], [2.0]])

        def __call__(self, x):
            return tf.matmul(x, self.w)

    layer, x = Linear(), tf.constant([[1.0, 2.0]])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = layer(x)
        dx = inner.gradient(y, x)  # HERE
    return outer.explain(dx, x)


def in_a_function():
    found = []

    @tf.function
    def f(x, w):
        with tf.GradientTape() as outer:
            outer.watch(w)
            with tf.GradientTape() as inner:
                inner.watch(w)
                y = x * w
            dw = inner.gradient(y, w)  # HERE
        found.append(outer.explain(dw, w))
        return dw

    f(tf.constant(1.0), tf.constant(2.0))
    return found[0]
