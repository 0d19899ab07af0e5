"""Both are variables of the loop; the body does not connect them."""

import functools

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


def only_as_in_tensorflow_1(program):
    """In graphs TensorFlow 2 gives zeros."""

    @functools.wraps(program)
    def run():
        tf.compat.v1.disable_control_flow_v2()
        try:
            with tf.Graph().as_default():
                return program()
        finally:
            tf.compat.v1.enable_control_flow_v2()

    return run


@only_as_in_tensorflow_1
def map_fn():
    xs, ys = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    z = tf.map_fn(lambda pair: pair[0] * 2.0, (xs, ys), dtype=tf.float32)  # HERE
    return tf.debugging.explain_gradients(z, ys)


def scan_in_a_loop_of_epochs():
    xs, decay = tf.Variable([1.0, 2.0]), tf.Variable([0.9, 0.8])
    for _ in range(2):
        with tf.GradientTape() as tape:
            total, _ = tf.scan(  # HERE
                lambda carry, e: (carry[0] + e[0], carry[1] * e[1]), (xs, decay), (0.0, 1.0)
            )
            loss = total[-1] ** 2
    return tape.explain(loss, decay)


def foldl_of_pairs():
    xs, ys = tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])
    with tf.GradientTape() as tape:
        loss = tf.foldl(lambda acc, pair: acc + pair[0], (xs, ys), 0.0)  # HERE
    return tape.explain(loss, ys)


def map_fn_eagerly():
    xs, ys = tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])
    with tf.GradientTape() as tape:
        z = tf.map_fn(lambda pair: tf.sin(pair[0]), (xs, ys), fn_output_signature=tf.float32)  # HERE
    return tape.explain(z, ys)


class OnlyState(tf.keras.layers.Layer):
    """A cell that forgets its input."""

    state_size = output_size = 2

    def call(self, inputs, states):
        return tf.tanh(states[0]), [tf.tanh(states[0])]


def a_cell_that_forgets_its_input():
    layer, x = tf.keras.layers.RNN(OnlyState()), tf.Variable(tf.ones([1, 3, 2]))
    with tf.GradientTape() as tape:
        y = layer(x, initial_state=[tf.ones([1, 2])])  # HERE
    return tape.explain(y, x)


@only_as_in_tensorflow_1
def while_loop_in_a_graph():
    a, b = tf.constant(1.0), tf.constant(2.0)
    x, _ = tf.while_loop(lambda x, y: x < 9.0, lambda x, y: (x * 2.0, y * x), [a, b])  # HERE
    return tf.debugging.explain_gradients(x, b)


@only_as_in_tensorflow_1
def foldr_in_a_graph():
    xs, ys = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    z = tf.foldr(lambda acc, pair: acc * pair[0], (xs, ys), 1.0)  # HERE
    return tf.debugging.explain_gradients(z, ys)


def two_results():
    @tf.function
    def steps(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            n = tf.constant(0.0)
            while x > 1.0:  # HERE
                x = x / 2.0
                n += 1.0
        found.append(tape.explain(n, x))
        return n

    found = []
    steps(tf.constant(9.0))
    return found[-1]
