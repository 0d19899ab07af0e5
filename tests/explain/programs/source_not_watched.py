"""A tensor that nobody watched."""

import gradtape as tf


def plain():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = x * x + 1.0  # HERE
    return tape.explain(y, x)


def in_a_class():
    class Model:
        def __init__(self):
            self.w = tf.Variable(2.0)

        def __call__(self, inputs):
            return self.w * inputs  # HERE

    model, image = Model(), tf.ones([2, 2])
    with tf.GradientTape() as tape:
        score = tf.reduce_sum(model(image))
    tape.gradient(score, image)
    return tape.explain(score, image)


def in_a_loop():
    xs = [tf.constant(1.0), tf.constant(2.0)]
    with tf.GradientTape() as tape:
        tape.watch(xs[0])
        total = tf.constant(0.0)
        for x in xs:
            total += x * x  # HERE
    return tape.explain(total, xs)[1]


def in_a_function():
    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            y = x**3  # HERE
        found.append(tape.explain(y, x))
        return y

    found = []
    f(tf.constant(2.0))
    return found[0]


def tape_in_a_graph():
    with tf.Graph().as_default():
        x = tf.compat.v1.placeholder(tf.float32, [])
        with tf.GradientTape() as tape:
            y = tf.sin(x)  # HERE
        return tape.explain(y, x)


def given_to_a_function():
    @tf.function
    def f(x):
        return x * 2.0  # HERE

    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        y = f(x)
    return tape.explain(y, x)
