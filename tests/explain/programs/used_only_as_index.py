"""An index, a shape, a condition."""

from explain.programs.loop_variables_unrelated import only_as_in_tensorflow_1

import gradtape as tf


def gather():
    table, position = tf.Variable([1.0, 2.0, 3.0]), tf.Variable(1.2)
    with tf.GradientTape() as tape:
        i = tf.cast(position, tf.int32)
        y = tf.gather(table, i)  # HERE
    return tape.explain(y, position)


def shape():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        n = tf.cast(tf.size(x), tf.float32)  # HERE
        y = n * 2.0
    return tape.explain(y, x)


def condition_of_where():
    x = tf.Variable([-1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.where(x > 0, 1.0, 0.5))  # HERE
    return tape.explain(y, x)


def python_condition():
    x, v = tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        if x > 0.0:  # HERE
            y = v * 2.0
        else:
            y = v
    return tape.explain(y, x)


def predicate_of_cond():
    with tf.Graph().as_default():
        x, v = tf.compat.v1.placeholder(tf.float32, []), tf.constant(2.0)
        y = tf.cond(x > 0.0, lambda: v * 2.0, lambda: v)  # HERE
        return tf.debugging.explain_gradients(y, x)


def zeros_like():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        h = tf.zeros_like(x)  # HERE
        y = tf.reduce_sum(h) + 1.0
    return tape.explain(y, x)


def in_a_layer():
    class Lookup:
        def __init__(self):
            self.table = tf.Variable([[1.0], [2.0]])

        def __call__(self, x):
            rows = tf.cast(tf.round(x), tf.int32)
            return tf.nn.embedding_lookup(self.table, rows)  # HERE

    layer, x = Lookup(), tf.Variable([0.1, 0.9])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(layer(x))
    return tape.explain(y, x)


@only_as_in_tensorflow_1
def limit_of_a_loop():
    n = tf.compat.v1.placeholder(tf.float32, [])
    start = tf.constant(1.0)
    y = tf.while_loop(lambda a: a < n, lambda a: [a * 2.0], [start])  # HERE
    return tf.debugging.explain_gradients(y, n)


def in_a_function():
    @tf.function
    def f(x, v):
        if x > 0.0:  # HERE
            return v * 2.0
        return v

    x, v = tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = f(x, v)
    return tape.explain(y, x)


def condition_of_an_eager_loop():
    x, one = tf.Variable(2.0), tf.constant(1.0)
    with tf.GradientTape() as tape:
        y = tf.while_loop(lambda y: y < x * 10.0, lambda y: [y * 2.0], [one])  # HERE
    return tape.explain(y, x)


def size():
    w = tf.Variable(2.7)
    with tf.GradientTape() as tape:
        n = tf.cast(w, tf.int32)
        y = tf.reduce_sum(tf.ones([n, 2]))  # HERE
    return tape.explain(y, w)


def the_decision_about_the_target():
    x, v = tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        if x > 3.0:
            v.assign(1.0)
        if x > 0.0:  # HERE
            y = v * 2.0
        else:
            y = v
    return tape.explain(y, x)


def number_of_rows_that_were_found():
    x = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        found = tf.where(x > 1.5)
        n = tf.cast(tf.shape(found)[0], tf.float32)  # HERE
        y = n * 2.0
    return tape.explain(y, x)
