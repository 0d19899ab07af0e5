"""Integers, booleans and strings have no gradients."""

import numpy as np

import gradtape as tf


def source():
    x = tf.constant(10)  # HERE
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    assert tape.gradient(y, x) is None
    return tape.explain(y, x)


def variable():
    w = tf.Variable([[1, 2]])  # HERE
    with tf.GradientTape() as tape:
        y = tf.matmul(w, [[9], [10]])
    return tape.explain(y, w)


def array():
    x = tf.convert_to_tensor(np.arange(3))  # HERE
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x**2)
    return tape.explain(y, x)


def cast_in_the_middle():
    x = tf.Variable(2.7)
    with tf.GradientTape() as tape:
        n = tf.cast(x, tf.int32)  # HERE
        y = tf.cast(n, tf.float32) * 3.0
    return tape.explain(y, x)


def target():
    x = tf.Variable(2.7)
    with tf.GradientTape() as tape:
        h = x * 255.0
        image = tf.cast(h, tf.uint8)  # HERE
    return tape.explain(image, x)


def in_a_graph():
    with tf.Graph().as_default():
        w = tf.compat.v1.Variable([[1, 2]])  # HERE
        y = tf.matmul(w, tf.constant([[9], [10]]))
        return tf.debugging.explain_gradients(y, [w])[0]


def cast_in_a_function():
    @tf.function
    def quantized(x):
        return tf.cast(tf.cast(x * 10.0, tf.int32), tf.float32) / 10.0  # HERE

    x = tf.Variable(0.37)
    with tf.GradientTape() as tape:
        y = quantized(x)
    return tape.explain(y, x)


def state_of_a_loop():
    with tf.Graph().as_default():
        x = tf.constant(2.5)
        start = tf.cast(x, tf.int32)  # HERE
        _, n = tf.while_loop(lambda i, n: i < 3, lambda i, n: (i + 1, n * 2), [0, start])
        return tf.debugging.explain_gradients(tf.cast(n, tf.float32), x)
