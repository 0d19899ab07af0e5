import tensorflow as tf, numpy as np
from harness import run
import helper_mod as hm


# --- op_not_differentiable
def p_op_helper():
    v = tf.Variable([0.11, 0.26])
    with tf.GradientTape() as t:
        s = tf.reduce_sum(hm.rounded(v))
    return t.gradient(s, v)


class Acc(tf.keras.losses.Loss):
    def call(self, y, p):
        hit = tf.equal(tf.argmax(p, -1), tf.cast(y, tf.int64))  # HERE op_not_differentiable
        return 1.0 - tf.cast(hit, tf.float32)


def p_op_accuracy_loss():
    m = tf.keras.layers.Dense(3)
    x = tf.ones([2, 4])
    m.build((None, 4))
    with tf.GradientTape() as t:
        l = Acc()(tf.constant([0, 1]), m(x))
    return t.gradient(l, m.trainable_variables)


def p_op_threshold():
    w = tf.Variable([0.2, 0.8])
    with tf.GradientTape() as t:

        def binarize(p):
            return tf.where(p > 0.5, tf.ones_like(p), tf.zeros_like(p))  # HERE used_only_as_index

        out = tf.reduce_sum(binarize(w))
    return t.gradient(out, w)


def p_op_sort_rank():
    s = tf.Variable([3.0, 1.0, 2.0])
    with tf.GradientTape() as t:
        ranks = tf.cast(tf.argsort(tf.argsort(s)), tf.float32)  # HERE op_not_differentiable
        rho = tf.reduce_mean(ranks**2)
    return t.gradient(rho, s)


def p_op_floor_fn():
    @tf.function
    def wrap(a):
        def inner(b):
            return tf.floor(b) * 2.0  # HERE op_not_differentiable

        return inner(a + 1.0)

    a = tf.Variable(1.5)
    with tf.GradientTape() as t:
        o = wrap(a)
    return t.gradient(o, a)


def p_op_sample():
    logits = tf.Variable([[0.1, 0.9]])
    with tf.GradientTape() as t:
        a = tf.random.categorical(logits, 1)  # HERE op_not_differentiable
        r = tf.reduce_sum(tf.one_hot(a, 2) * tf.constant([1.0, 2.0]))
    return t.gradient(r, logits)


def p_op_sign_eq():
    v = tf.Variable([1.0, -1.0])
    with tf.GradientTape() as t:
        k = tf.math.count_nonzero(v > 0, dtype=tf.float32)  # HERE op_not_differentiable
    return t.gradient(k, v)


# --- rule_returned_none
@tf.custom_gradient
def scaled(x, s):
    def grad(dy):
        return dy * s, None

    return x * s, grad


def p_rn_second():
    x, s = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as t:
        y = scaled(x, s)  # HERE rule_returned_none
    return t.gradient(y, [x, s])


class STE(tf.keras.layers.Layer):
    def call(self, x):
        @tf.custom_gradient
        def f(a):
            return tf.round(a), lambda g: None

        return f(x)  # HERE rule_returned_none


def p_rn_layer():
    v = tf.Variable([0.4])
    with tf.GradientTape() as t:
        y = tf.reduce_sum(STE()(v) * 2.0)
    return t.gradient(y, v)


def p_rn_fn():
    @tf.function
    def g(a):
        return tf.reduce_sum(scaled(tf.ones([2]), a))  # HERE rule_returned_none

    a = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as t:
        y = g(a)
    return t.gradient(y, a)


@tf.custom_gradient
def with_vars(x):
    w = VAR.read_value() if False else VAR

    def grad(dy, variables=None):
        return dy, [None for _ in variables]

    return x * w, grad


VAR = tf.Variable(2.0)


def p_rn_variables():
    x = tf.Variable(1.0)
    with tf.GradientTape() as t:
        y = with_vars(x)  # HERE rule_returned_none
    return t.gradient(y, [x, VAR])


# --- used_only_as_index
def p_ix_gather():
    table = tf.Variable(tf.random.normal([5]))
    pos = tf.Variable(2.3)
    with tf.GradientTape() as t:
        idx = tf.cast(pos, tf.int32)
        y = table[idx] * 2.0  # HERE used_only_as_index
    return t.gradient(y, [table, pos])


def p_ix_repeat():
    n = tf.Variable(3.0)
    with tf.GradientTape() as t:
        y = tf.reduce_sum(tf.fill([int(n)], 2.0))  # HERE left_the_library
    return t.gradient(y, n)


def p_ix_if():
    x, temp = tf.Variable(2.0), tf.Variable(1.0)

    def act(a):
        if temp > 0.5:  # HERE used_only_as_index
            return a * 2.0
        return a

    with tf.GradientTape() as t:
        y = act(x)
    return t.gradient(y, [x, temp])


def p_ix_where():
    gate, a, b = tf.Variable([1.0, -1.0]), tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])
    with tf.GradientTape() as t:
        y = tf.reduce_sum(tf.where(gate > 0, a, b))  # HERE used_only_as_index
    return t.gradient(y, [gate, a, b])


def p_ix_shape():
    x = tf.Variable([[1.0, 2.0, 3.0]])
    with tf.GradientTape() as t:
        y = 2.0 * tf.cast(tf.shape(x)[1], tf.float32)  # HERE used_only_as_index
    return t.gradient(y, x)


def p_ix_mask():
    s, v = tf.Variable([0.1, 0.9, 0.8]), tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as t:
        kept = tf.boolean_mask(v, s > 0.5)  # HERE used_only_as_index
        y = tf.reduce_mean(kept)
    return t.gradient(y, [s, v])


def p_ix_topk():
    s, v = tf.Variable([0.1, 0.9, 0.8]), tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as t:
        _, order = tf.nn.top_k(s, 2)  # HERE op_not_differentiable
        y = tf.reduce_sum(tf.gather(v, order))
    return t.gradient(y, [s, v])


def p_ix_while():
    n, x = tf.Variable(3.0), tf.Variable(2.0)
    with tf.GradientTape() as t:
        i, y = 0.0, x
        while i < n:  # HERE used_only_as_index
            y = y * x
            i += 1.0
    return t.gradient(y, [n, x])


# --- stop_gradient
def p_sg_helper():
    v = tf.Variable(2.0)
    with tf.GradientTape() as t:
        y = hm.detach(v**2) + 1.0
    return t.gradient(y, v)


class VQ(tf.keras.layers.Layer):
    def build(self, s):
        self.e = self.add_weight(shape=(4, s[-1]), initializer="uniform", name="codes")

    def call(self, x):
        d = tf.reduce_sum((x[:, None] - self.e[None]) ** 2, -1)
        q = tf.gather(self.e, tf.argmin(d, -1))
        return x + tf.stop_gradient(q - x)  # HERE stop_gradient


def p_sg_vq():
    l = VQ()
    x = tf.ones([2, 3])
    l(x)
    with tf.GradientTape() as t:
        y = tf.reduce_mean(l(x) ** 2)
    return t.gradient(y, l.trainable_variables)


def p_sg_target_net():
    q = tf.keras.layers.Dense(2)
    target = tf.keras.layers.Dense(2)
    s = tf.ones([1, 3])
    q(s)
    target(s)
    with tf.GradientTape(persistent=True) as t:
        nxt = tf.reduce_max(target(s), -1)
        goal = tf.stop_gradient(1.0 + 0.9 * nxt)  # HERE stop_gradient
        td = tf.reduce_mean((goal - q(s)[:, 0]) ** 2)
    return t.gradient(td, [q.kernel, target.kernel])


def p_sg_foreach():
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as t:
        parts = list(map(tf.stop_gradient, tf.unstack(v)))  # HERE stop_gradient
        y = tf.add_n(parts)
    return t.gradient(y, v)


def p_sg_fn():
    @tf.function
    def f(z):
        for _ in range(2):
            z = tf.identity(z)
        return tf.stop_gradient(  # HERE stop_gradient
            z * 2.0
        )

    v = tf.Variable(1.0)
    with tf.GradientTape() as t:
        y = f(v) * 3.0
    return t.gradient(y, v)


run(globals())
