"""Source and target are results of one call."""

import gradtape as tf


def plain():
    @tf.function
    def f(x):
        h = x * x
        return h, h * 3.0

    x = tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        h, y = f(x)  # HERE
    assert tape.gradient(y, h) is None
    return tape.explain(y, h)


def model_with_features():
    class Model:
        def __init__(self):
            self.w = tf.Variable([[1.0], [2.0]])

        @tf.function
        def __call__(self, x):
            features = tf.matmul(x, self.w)
            return {"features": features, "score": tf.reduce_sum(features**2)}

    model = Model()
    with tf.GradientTape() as tape:
        out = model(tf.constant([[1.0, 2.0]]))  # HERE
        loss = out["score"] * 2.0
    return tape.explain(loss, out["features"])


def in_a_function():
    found = []

    @tf.function
    def inner(x):
        h = tf.sin(x)
        return h, h * h

    @tf.function
    def outer(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            h, y = inner(x)  # HERE
        found.append(tape.explain(y, h))
        return y

    outer(tf.constant(1.0))
    return found[0]
