"""Computed before the tape was entered, after it was left, or while it was stopped."""

import gradtape as tf


def before():
    w = tf.Variable(3.0)
    y = w * w  # HERE
    with tf.GradientTape() as tape:
        z = y * 2.0
    return tape.explain(z, w)


def after():
    w = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        h = w * w
    loss = h + 1.0  # HERE
    return tape.explain(loss, w)


def model_called_outside():
    class Model:
        def __init__(self):
            self.w = tf.Variable([[1.0], [2.0]])

        def __call__(self, x):
            return tf.matmul(x, self.w)  # HERE

    model = Model()
    prediction = model(tf.constant([[1.0, 2.0]]))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((prediction - 1.0) ** 2)
    tape.gradient(loss, model.w)
    return tape.explain(loss, model.w)


def stopped():
    w = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        h = w * w
        with tape.stop_recording():
            y = h + 1.0  # HERE
    return tape.explain(y, w)


def loss_after_the_loop():
    w = tf.Variable(3.0)
    losses = []
    with tf.GradientTape() as tape:
        for i in range(3):
            losses.append(w * float(i + 1))
    total = tf.add_n(losses)  # HERE
    return tape.explain(total, w)


def after_in_a_function():
    found = []

    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            h = tf.sin(x)
        y = h * 2.0  # HERE
        found.append(tape.explain(y, x))
        return y

    f(tf.constant(1.0))
    return found[0]


def function_called_outside():
    w = tf.Variable(3.0)

    @tf.function
    def f():
        return w * w

    y = f()  # HERE
    with tf.GradientTape() as tape:
        z = y * 2.0
    return tape.explain(z, w)


def forgotten():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        h = x * x  # HERE
        tape.reset()
        y = h + 1.0
    why = tape.explain(y, x)
    assert "tape.reset()" in why.fix
    return why


def summed_after_the_last_of_several_tapes():
    w, losses = tf.Variable(1.0), []
    for i in range(3):
        with tf.GradientTape() as tape:
            losses.append(w * float(i))
    total = tf.add_n(losses)  # HERE
    return tape.explain(total, w)
