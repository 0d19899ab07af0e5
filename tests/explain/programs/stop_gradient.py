"""Stopped on purpose."""

from explain.programs.loop_variables_unrelated import only_as_in_tensorflow_1

import gradtape as tf


def plain():
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = tf.stop_gradient(x * x) + 1.0  # HERE
    return tape.explain(y, x)


def target_network():
    online, target = tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        goal = tf.stop_gradient(target * 3.0)  # HERE
        loss = (online - goal) ** 2
    assert tape.gradient(loss, [online, target])[1] is None
    return tape.explain(loss, [online, target])[1]


def in_a_function():
    @tf.function
    def f(x):
        h = tf.exp(x)
        h = tf.stop_gradient(h)  # HERE
        return h * 2.0

    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = f(x)
    return tape.explain(y, x)


def in_a_graph():
    with tf.Graph().as_default():
        x = tf.compat.v1.placeholder(tf.float32, [3])
        h = tf.nn.relu(x)
        h = tf.stop_gradient(h)  # HERE
        return tf.debugging.explain_gradients(tf.reduce_sum(h), x)


@only_as_in_tensorflow_1
def in_a_scan():
    x = tf.constant([1.0, 2.0, 3.0])
    y = tf.scan(lambda a, b: a + tf.stop_gradient(b), x, initializer=0.0)  # HERE
    return tf.debugging.explain_gradients(y, x)


def argument_of_gradients():
    with tf.Graph().as_default():
        x = tf.constant(2.0)
        h = x * 2.0  # HERE
        y = h * 3.0
        return tf.debugging.explain_gradients(y, x, stop_gradients=[h])
