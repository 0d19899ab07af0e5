"""Operations that jump or stay."""

from explain.programs.loop_variables_unrelated import only_as_in_tensorflow_1

import gradtape as tf


def round_():
    x = tf.Variable(2.3)
    with tf.GradientTape() as tape:
        y = tf.round(x) * 2.0  # HERE
    return tape.explain(y, x)


def argmax():
    logits = tf.Variable([[1.0, 3.0], [2.0, 0.5]])
    with tf.GradientTape() as tape:
        best = tf.argmax(logits, axis=1)  # HERE
        accuracy = tf.reduce_mean(tf.cast(best, tf.float32))
    return tape.explain(accuracy, logits)


def comparison():
    x = tf.Variable([0.2, 0.7])
    with tf.GradientTape() as tape:
        hits = tf.cast(x > 0.5, tf.float32)  # HERE
        loss = tf.reduce_mean(hits)
    return tape.explain(loss, x)


def floor_in_a_layer():
    class Quantize:
        def __call__(self, x):
            return tf.floor(x * 4.0) / 4.0  # HERE

    w, layer = tf.Variable(0.3), Quantize()
    with tf.GradientTape() as tape:
        y = layer(w * 2.0) ** 2
    tape.gradient(y, w)
    return tape.explain(y, w)


def one_hot():
    scores = tf.Variable([0.1, 0.9])
    with tf.GradientTape() as tape:
        choice = tf.one_hot(tf.argmax(scores), 2)  # HERE
        y = tf.reduce_sum(choice * [1.0, 2.0])
    return tape.explain(y, scores)


def in_a_function():
    @tf.function
    def f(x):
        h = x * 3.0
        return tf.math.ceil(h) + 1.0  # HERE

    x = tf.Variable(0.3)
    with tf.GradientTape() as tape:
        y = f(x)
    return tape.explain(y, x)


def in_a_graph():
    with tf.Graph().as_default():
        x = tf.compat.v1.placeholder(tf.float32, [None, 3])
        predicted = tf.argmax(x, 1)  # HERE
        error = tf.reduce_mean(tf.cast(tf.equal(predicted, 1), tf.float32))
        return tf.debugging.explain_gradients(error, x)


def in_a_map():
    x = tf.Variable([0.2, 1.7])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.map_fn(lambda a: tf.round(a), x))  # HERE
    return tape.explain(y, x)


@only_as_in_tensorflow_1
def in_a_map_of_a_graph():
    x = tf.compat.v1.placeholder(tf.float32, [3])
    y = tf.map_fn(lambda a: tf.floor(a) + 1.0, x)  # HERE
    return tf.debugging.explain_gradients(y, x)


def in_both_branches_of_a_function():
    @tf.function
    def f(x):
        return tf.cond(x > 0.0, lambda: tf.floor(x), lambda: 1.0)  # HERE

    x = tf.Variable(1.5)
    with tf.GradientTape() as tape:
        y = f(x)
    return tape.explain(y, x)
