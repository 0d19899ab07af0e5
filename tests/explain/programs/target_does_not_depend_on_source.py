"""No path at all."""

import gradtape as tf


def plain():
    x, y = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        z = y * y  # HERE
    assert tape.gradient(z, x) is None
    return tape.explain(z, x)


def constant_target():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.constant([4.4])  # HERE
    return tape.explain(y, x)


def forgotten_bias():
    class Dense:
        def __init__(self):
            self.kernel = tf.Variable([[1.0]])
            self.bias = tf.Variable([0.0])

        def __call__(self, x):
            return tf.matmul(x, self.kernel)

    layer = Dense()
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(layer(tf.constant([[2.0]])))  # HERE
    return tape.explain(loss, [layer.kernel, layer.bias])[1]


def in_a_graph():
    with tf.Graph().as_default():
        x = tf.compat.v1.placeholder(tf.float32, [], name="x")
        y = tf.compat.v1.placeholder(tf.float32, [], name="y")
        z = tf.exp(y)  # HERE
        return tf.debugging.explain_gradients(z, x)


def printed_meanwhile():
    x, y = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        print(float(x * 2.0))
        z = y * y  # HERE
    return tape.explain(z, x)


def in_a_loop():
    x, y = tf.Variable(2.0), tf.Variable(3.0)
    for _ in range(2):
        with tf.GradientTape() as tape:
            z = tf.sin(y)  # HERE
        tape.gradient(z, [x, y])
    return tape.explain(z, [x, y])[0]
