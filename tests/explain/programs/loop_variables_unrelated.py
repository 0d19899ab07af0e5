"""Both are variables of the loop; the body does not connect them."""

import gradtape as tf


def while_loop():
    a, b = tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        _, x, _ = tf.while_loop(  # HERE
            lambda i, x, y: i < 3,
            lambda i, x, y: (i + 1, x * 2.0, y * 3.0),
            [tf.constant(0), tf.identity(a), tf.identity(b)],
        )
    return tape.explain(x, b)


def watched_tensors():
    a, b = tf.constant(1.0), tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch([a, b])
        x, _ = tf.while_loop(lambda x, y: x < 9.0, lambda x, y: (x * 2.0, y * 3.0), [a, b])  # HERE
        loss = x**2
    return tape.explain(loss, b)


def map_fn():
    with tf.Graph().as_default():
        xs, ys = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
        z = tf.map_fn(lambda pair: pair[0] * 2.0, (xs, ys), dtype=tf.float32)  # HERE
        return tf.debugging.explain_gradients(z, ys)


def map_fn_in_a_function():
    @tf.function
    def f(xs, ys):
        return tf.map_fn(lambda pair: pair[0] * 2.0, (xs, ys), dtype=tf.float32)  # HERE

    xs, ys = tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])
    with tf.GradientTape() as tape:
        z = f(xs, ys)
    return tape.explain(z, ys)
