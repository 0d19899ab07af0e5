"""The same value, computed again."""

import gradtape as tf


def slice_taken_again():
    x = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape(persistent=True) as tape:
        y = x[0] * x[0] + x[1]
        first = x[0]  # HERE
    return tape.explain(y, first)


def slice_after_the_tape():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x**2)
    return tape.explain(y, x[0])  # HERE


def layer_called_again():
    class Layer:
        def __init__(self):
            self.w = tf.Variable([[1.0, 2.0], [0.5, -1.0]])

        def __call__(self, x):
            return tf.matmul(x, self.w)  # HERE

    layer = Layer()
    x = tf.constant([[1.0, 2.0]])
    with tf.GradientTape(persistent=True) as tape:
        y = tf.reduce_sum(layer(x) ** 2)
        hidden = layer(x)
    return tape.explain(y, hidden)


def jacobian_by_hand():
    with tf.Graph().as_default():
        inputs = tf.compat.v1.placeholder(tf.float32, [3, 2])
        outputs = tf.tanh(inputs)
        row = inputs[1, :]  # HERE
        return tf.debugging.explain_gradients(outputs[1, :], row)


def variable_read_again():
    w = tf.Variable(2.0)
    with tf.GradientTape(persistent=True) as tape:
        y = w * w
        value = tf.identity(w)  # HERE
    return tape.explain(y, value)


def jacobian_in_a_function():
    found = []

    @tf.function
    def f(x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x**2
            part = x[1]  # HERE
        found.append(tape.explain(y[1], part))
        return y

    f(tf.constant([1.0, 2.0]))
    return found[0]


def copied_model():
    model = tf.keras.Sequential([tf.keras.layers.Dense(2), tf.keras.layers.Dense(1)])
    x = tf.constant([[1.0, 2.0, 3.0]])
    model(x)
    copy = tf.keras.models.clone_model(model)  # HERE
    copy.set_weights(model.get_weights())
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(model(x) ** 2)
    return tape.explain(y, copy.trainable_variables)[0]
