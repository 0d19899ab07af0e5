"""A variable became a tensor."""

import gradtape as tf


def in_a_loop():
    x = tf.Variable(2.0)
    for _ in range(2):
        with tf.GradientTape() as tape:
            y = x + 1
        tape.gradient(y, x)
        why = tape.explain(y, x)
        x = x + 1  # HERE
    return why


def gradient_descent():
    w, rate = tf.Variable([1.0, 2.0]), 0.1
    for _ in range(3):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w**2)
        g = tape.gradient(loss, w)
        if g is None:
            break
        w = w - rate * g  # HERE
    return tape.explain(loss, w)


def attribute():
    class Model:
        def __init__(self):
            self.w = tf.Variable(1.0)

        def step(self):
            with tf.GradientTape() as tape:
                loss = (self.w - 3.0) ** 2
            g = tape.gradient(loss, self.w)
            if g is None:
                return tape.explain(loss, self.w)
            self.w = self.w - 0.1 * g  # HERE
            return None

    model = Model()
    model.step()
    return model.step()


def list_of_parameters():
    params = [tf.Variable(1.0), tf.Variable(2.0)]
    for _ in range(2):
        with tf.GradientTape() as tape:
            loss = params[0] ** 2 + params[1] ** 2
        grads = tape.gradient(loss, params)
        if grads[0] is None:
            break
        params = [p - 0.1 * g for p, g in zip(params, grads)]  # HERE
    return tape.explain(loss, params)[0]
