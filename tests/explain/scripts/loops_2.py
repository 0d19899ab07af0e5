import tensorflow.compat.v1 as tf
from harness import run

tf.disable_v2_behavior()


def p_while():
    a, b = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    i, x, y = tf.while_loop(  # HERE loop_variables_unrelated
        lambda i, x, y: i < 3,
        lambda i, x, y: (i + 1, x * 2.0, y * x),
        [0, a, b],
    )
    return tf.gradients(x, [a, b])


def p_scan():
    xs, ys = tf.placeholder(tf.float32, [None]), tf.get_variable("ys", [3])
    out = tf.scan(  # HERE loop_variables_unrelated
        lambda c, e: (c[0] + e[0], c[1] + c[0] * e[1]), (xs, ys), (0.0, 0.0)
    )
    return tf.gradients(out[0], ys)


def p_map():
    xs, ys = tf.placeholder(tf.float32, [3]), tf.get_variable("ys2", [3])
    out = tf.map_fn(lambda e: (e[0] * 2, e[1] * 3), (xs, ys))  # HERE loop_variables_unrelated
    return tf.gradients(out[0], ys)


def p_foldr():
    xs, ys = tf.placeholder(tf.float32, [3]), tf.get_variable("ys3", [3])

    def body(c, e):
        u, v = e
        return c * u

    out = tf.foldr(body, (xs, ys), tf.constant(1.0))  # HERE loop_variables_unrelated
    return tf.gradients(out, ys)


run(globals())
