import tensorflow as tf
from harness import run

tf.compat.v1.set_random_seed(1)


def p_scan_function():
    @tf.function
    def f(xs, ys):
        def step(carry, e):
            a, b = carry
            return a + e[0], b * e[1]

        s, q = tf.scan(step, (xs, ys), (tf.constant(0.0), tf.constant(1.0)))
        return s[-1]

    xs, ys = tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])
    with tf.GradientTape() as tape:
        l = f(xs, ys)
    return tape.gradient(l, ys)


def p_foldl_function():
    @tf.function
    def f(xs, ys):
        return tf.foldl(lambda acc, e: acc + e[0], (xs, ys), initializer=tf.constant(0.0))

    xs, ys = tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])
    with tf.GradientTape() as tape:
        l = f(xs, ys)
    return tape.gradient(l, [xs, ys])


def p_autograph_for():
    @tf.function
    def f(a, b):
        x, y = a * 1.0, b * 1.0
        for i in tf.range(3):
            x = x * 2.0
            y = y * 3.0
        return x

    a, b = tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        l = f(a, b)
    return tape.gradient(l, [a, b])


def p_autograph_while():
    @tf.function
    def f(a, b):
        y = b + 0.0
        x = a
        i = tf.constant(0)
        while i < 3:
            x = tf.sin(x)
            y = y + tf.exp(y) * 0.1
            i += 1
        return x**2

    a, b = tf.constant(1.0), tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch([a, b])
        l = f(a, b)
    return tape.gradient(l, [a, b])


class Cell(tf.keras.layers.Layer):
    """Forgets to use what comes in: the output is made of the state only."""

    def __init__(self):
        super().__init__()
        self.units = self.state_size = self.output_size = 2
        self.w = tf.Variable([[0.1, 0.2], [0.3, 0.4]])
        self.u = tf.Variable([[0.1, 0.2], [0.3, 0.4]])

    def call(self, inputs, states):
        h = tf.tanh(states[0] @ self.u)
        z = inputs @ self.w
        return h, [h]


def p_eager_scan():
    xs, ys = tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])
    with tf.GradientTape() as tape:
        s, q = tf.scan(  # HERE loop_variables_unrelated
            lambda c, e: (c[0] + e[0], c[1] * e[1]),
            (xs, ys),
            (tf.constant(0.0), tf.constant(1.0)),
        )
        l = s[-1]
    return tape.gradient(l, ys)


def p_eager_foldl():
    xs, ys = tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])
    with tf.GradientTape() as tape:
        s = tf.foldl(lambda c, e: c + e[0], (xs, ys), tf.constant(0.0))  # HERE loop_variables_unrelated
    return tape.gradient(s, ys)


def p_eager_map():
    xs, ys = tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])
    with tf.GradientTape() as tape:
        s = tf.map_fn(  # HERE loop_variables_unrelated
            lambda e: tf.sin(e[0]), (xs, ys), fn_output_signature=tf.float32
        )
    return tape.gradient(s, ys)


def p_rnn():
    cell = Cell()
    rnn = tf.keras.layers.RNN(cell)
    x = tf.Variable(tf.ones([1, 3, 2]))
    h0 = tf.Variable([[1.0, 2.0]])
    with tf.GradientTape() as tape:
        y = rnn(x, initial_state=[h0])  # HERE loop_variables_unrelated
    return tape.gradient(y, [x, h0])


def p_rnn_fn():
    cell = Cell()
    rnn = tf.keras.layers.RNN(cell)
    x = tf.Variable(tf.ones([1, 3, 2]))
    h0 = tf.Variable([[1.0, 2.0]])

    @tf.function
    def g():
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(rnn(x, initial_state=[h0]))
        return tape.gradient(y, [x, h0])

    try:
        return g()
    except TypeError:
        return [None]


def p_switched_state():
    @tf.function
    def f(p, v, force):
        for _ in tf.range(4):
            p = p * 0.99
            v = v + force
        return p

    force = tf.Variable(0.3)
    with tf.GradientTape() as tape:
        out = f(tf.constant(1.0), tf.constant(0.0), force) + 0.0 * tf.Variable(1.0)
    return tape.gradient(out, force)


run(globals())
