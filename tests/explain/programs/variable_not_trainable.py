"""A variable that tapes do not watch."""

import gradtape as tf


def frozen():
    w = tf.Variable(2.0, trainable=False)
    with tf.GradientTape() as tape:
        y = w * w  # HERE
    return tape.explain(y, w)


def tape_watches_none():
    v, w = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(v)
        y = v * w  # HERE
    assert tape.gradient(y, [v, w])[1] is None
    return tape.explain(y, [v, w])[1]


def in_a_layer():
    class Layer(tf.Module if hasattr(tf, "Module") else object):
        def __init__(self):
            self.scale = tf.Variable([1.0, 1.0], trainable=False, name="scale")

        def __call__(self, x):
            return x * self.scale  # HERE

    layer = Layer()
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(layer(x))
    return tape.explain(y, [x, layer.scale])[1]


def in_a_function():
    w = tf.Variable(2.0, trainable=False)

    @tf.function
    def f(x):
        return x * w  # HERE

    with tf.GradientTape() as tape:
        y = f(tf.constant(3.0))
    return tape.explain(y, w)


def frozen_layer():
    class Scale(tf.keras.layers.Layer):
        def build(self, shape):
            self.scale = self.add_weight(shape=(shape[-1],), initializer="ones", trainable=False)

        def call(self, x):
            return x * self.scale  # HERE

    layer = Scale()
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(layer(tf.ones([2, 3])))
    return tape.explain(y, layer.scale)
