import tensorflow as tf, numpy as np, contextlib, functools
from harness import run
import helper_mod as hm


# --- source_not_watched
def p_nw_closure():
    x = tf.constant([1.0, 2.0])

    def loss():
        return tf.reduce_sum(x**2)  # HERE source_not_watched

    with tf.GradientTape() as tape:
        l = loss()
    return tape.gradient(l, x)


class Fgsm:
    def __init__(self, model):
        self.model = model

    def perturb(self, image):
        with tf.GradientTape() as tape:
            score = self.model(image)  # HERE source_not_watched
            loss = tf.reduce_sum(score)
        return tape.gradient(loss, image)


def p_nw_class():
    d = tf.keras.layers.Dense(2)
    return Fgsm(d).perturb(tf.ones([1, 3]))


def p_nw_converted():
    arr = np.array([1.0, 2.0], "float32")
    xs = [tf.convert_to_tensor(a) for a in arr]
    with tf.GradientTape() as tape:
        tape.watch(xs[0])
        y = xs[0] * xs[1]  # HERE source_not_watched
    return tape.gradient(y, xs)


def p_nw_hidden_activation():
    m = tf.keras.Sequential([tf.keras.layers.Dense(3), tf.keras.layers.Dense(1)])
    x = tf.ones([2, 2])
    m(x)
    h = m.layers[0](x)
    for v in m.trainable_variables:
        pass
    with tf.GradientTape() as tape:
        out = m.layers[1](h)  # HERE source_not_watched
    return tape.gradient(out, h)


def p_nw_generator():
    def steps():
        for k in range(2):
            yield tf.fill([2], float(k + 1))

    gs = []
    for x in steps():
        with tf.GradientTape() as t:
            z = hm.predict(x, tf.eye(2))
            s = tf.reduce_sum(z)
        gs.append(t.gradient(s, x))
    return gs


# --- variable_not_trainable
class BN(tf.keras.layers.Layer):
    def build(self, s):
        self.gamma = self.add_weight(shape=(s[-1],), initializer="ones", trainable=False, name="gamma")

    def call(self, x):
        return x * self.gamma  # HERE variable_not_trainable


def p_vt_layer():
    l = BN()
    x = tf.ones([2, 3])
    l(x)
    with tf.GradientTape() as tape:
        y = tf.reduce_mean(l(x))
    return tape.gradient(y, l.weights)


def p_vt_module():
    e = hm.Encoder()
    with tf.GradientTape() as tape:
        y = e(tf.constant(2.0))
    return tape.gradient(y, [e.scale, e.frozen])


def p_vt_frozen_layer():
    m = tf.keras.Sequential([tf.keras.layers.Dense(3), tf.keras.layers.Dense(1)])
    m.build((None, 2))
    m.layers[0].trainable = False
    with tf.GradientTape() as tape:
        y = m(tf.ones([1, 2]))
    return tape.gradient(y, m.layers[0].kernel)


def p_vt_no_access():
    w = tf.Variable([1.0, 2.0])
    b = tf.Variable(0.0)
    with tf.GradientTape(watch_accessed_variables=False, persistent=True) as tape:
        tape.watch(w)
        pred = tf.reduce_sum(w * 3.0) + b  # HERE variable_not_trainable
    return tape.gradient(pred, [w, b])


def p_vt_comprehension():
    vs = [tf.Variable(float(i), trainable=i % 2 == 0) for i in range(3)]
    with tf.GradientTape() as tape:
        y = tf.add_n([v**2 for v in vs])  # HERE variable_not_trainable
    return tape.gradient(y, vs)


# --- watched_too_late
def p_wl_decorator():
    def logged(f):
        @functools.wraps(f)
        def inner(*a):
            return f(*a)

        return inner

    @logged
    def energy(q):
        return tf.reduce_sum(q**4)  # HERE watched_too_late

    q = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        e = energy(q)
        tape.watch(q)
    return tape.gradient(e, q)


def p_wl_method():
    class Sim:
        def run(self, s):
            with tf.GradientTape() as tape:
                s2 = s + 1.0  # HERE watched_too_late
                for _ in range(2):
                    s2 = s2 * 1.5
                tape.watch(s)
                l = tf.reduce_sum(s2)
            return tape.gradient(l, s)

    return Sim().run(tf.zeros([3]))


def p_wl_persistent():
    a = tf.constant(2.0)
    t = tf.GradientTape(persistent=True)
    with t:
        b = tf.exp(a)  # HERE watched_too_late
        t.watch([a])
        c = b * 3.0
    return t.gradient(c, a)


def p_wl_fn():
    @tf.function
    def g(x):
        with tf.GradientTape() as tape:
            y = x * x  # HERE watched_too_late
            tape.watch(x)
            z = y + 1.0
        r = tape.gradient(z, x)
        return tf.constant(-1.0) if r is None else r

    g(tf.constant(3.0))
    return None


# --- target_computed_outside
def p_to_after():
    w = tf.Variable([[1.0], [2.0]])
    with tf.GradientTape() as tape:
        pred = tf.ones([1, 2]) @ w
    loss = tf.keras.losses.MeanSquaredError()(tf.zeros([1, 1]), pred)  # HERE target_computed_outside_tape
    return tape.gradient(loss, w)


def p_to_before():
    m = tf.keras.layers.Dense(1)
    x = tf.ones([2, 2])
    m.build((None, 2))
    out = m(x)  # HERE target_computed_outside_tape
    with tf.GradientTape() as tape:
        l = tf.reduce_sum(out)
    return tape.gradient(l, m.trainable_variables)


def p_to_stop_recording():
    w = tf.Variable(3.0)

    def forward(tape):
        h = w * 2.0
        with tape.stop_recording():
            h = tf.square(h)  # HERE target_computed_outside_tape
        return h + 1.0

    with tf.GradientTape() as tape:
        y = forward(tape)
    return tape.gradient(y, w)


def p_to_contextmanager():
    @contextlib.contextmanager
    def recording():
        with tf.GradientTape() as t:
            yield t

    v = tf.Variable(2.0)
    with recording() as tape:
        u = v * 2.0
    out = u**2  # HERE target_computed_outside_tape
    return tape.gradient(out, v)


def p_to_regulariser():
    m = tf.keras.Sequential([tf.keras.layers.Dense(2, kernel_regularizer="l2")])
    m.build((None, 2))
    reg = tf.add_n(m.losses)  # HERE target_computed_outside_tape
    with tf.GradientTape() as tape:
        l = tf.reduce_sum(m(tf.ones([1, 2])))
    return tape.gradient(reg, m.layers[0].kernel)


# --- does not depend
def p_nd_other_net():
    class GAN:
        def __init__(self):
            self.g = tf.keras.layers.Dense(2)
            self.d = tf.keras.layers.Dense(1)
            self.g.build((None, 3))
            self.d.build((None, 2))

        def d_step(self, real):
            with tf.GradientTape() as tape:
                score = self.d(real)
                loss = tf.reduce_mean(score)  # HERE target_does_not_depend_on_source
            return tape.gradient(loss, self.g.trainable_variables)

    return GAN().d_step(tf.ones([2, 2]))


def p_nd_dict():
    p = {"a": tf.Variable(1.0), "b": tf.Variable(2.0)}
    with tf.GradientTape() as tape:
        q = p["a"] * 3.0  # HERE target_does_not_depend_on_source
    return list(tape.gradient(q, p).values())


def p_nd_overwritten():
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = w * 4.0
        y = tf.constant(5.0)
        z = y * 2.0  # HERE target_does_not_depend_on_source
    return tape.gradient(z, w)


def p_nd_wrong_name():
    x = tf.Variable(1.0)
    x1 = tf.Variable(5.0)
    with tf.GradientTape() as tape:
        y = tf.add_n([x1 * i for i in (1.0, 2.0)])  # HERE target_does_not_depend_on_source
    return tape.gradient(y, x)


run(globals())
