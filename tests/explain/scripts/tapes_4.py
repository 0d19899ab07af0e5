import tensorflow as tf, numpy as np
from harness import run
import helper_mod as hm


# --- branch_not_taken
class Gate(tf.keras.layers.Layer):
    def __init__(self, use):
        super().__init__()
        self.use = use
        self.a = tf.Variable(2.0)
        self.b = tf.Variable(3.0)

    def call(self, x):
        if self.use:  # HERE branch_not_taken
            return x * self.a
        else:
            return x * self.b


def p_br_layer():
    l = Gate(True)
    x = tf.ones([2])
    with tf.GradientTape() as t:
        y = tf.reduce_sum(l(x))
    return t.gradient(y, [l.a, l.b])


def p_br_cond():
    u, v = tf.Variable(1.0), tf.Variable(2.0)
    k = tf.constant(3)
    with tf.GradientTape() as t:
        y = tf.cond(  # HERE branch_not_taken
            k > 5,
            lambda: u * 2.0,
            lambda: v * 3.0,
        )
    return t.gradient(y, [u, v])


def p_br_ternary():
    w, alt = tf.Variable(1.0), tf.Variable(5.0)
    training = False
    with tf.GradientTape() as t:
        y = (alt if training else w) ** 2  # HERE branch_not_taken
    return t.gradient(y, alt)


def p_br_dropout_path():
    class Block(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.d1 = tf.keras.layers.Dense(2)
            self.skip = tf.keras.layers.Dense(2)

        def call(self, x, training=False):
            h = self.d1(x)
            if training:  # HERE branch_not_taken
                h = h + self.skip(x)
            return h

    m = Block()
    x = tf.ones([1, 2])
    m(x, training=True)
    with tf.GradientTape() as t:
        y = tf.reduce_sum(m(x))
    return t.gradient(y, m.skip.trainable_variables)


def p_br_earlystop():
    vs = [tf.Variable(float(i + 1)) for i in range(3)]
    with tf.GradientTape() as t:
        acc = tf.constant(0.0)
        for v in vs:
            if acc > 2.0:
                break
            acc = acc + v * 2.0
    return t.gradient(acc, vs[:1])


def p_br_try():
    a, b = tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape() as t:
        try:
            y = a * 2.0  # HERE target_does_not_depend_on_source
        except ValueError:
            y = b * 2.0
    return t.gradient(y, b)


# --- data_pipeline
def p_dp_slices():
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as t:
        t.watch(x)
        ds = tf.data.Dataset.from_tensor_slices(x).batch(2)  # HERE data_pipeline
        tot = 0.0
        for b in ds:
            tot += tf.reduce_sum(b**2)
    return t.gradient(tot, x)


def p_dp_map():
    w = tf.Variable([1.0, 2.0])

    def make(v):
        return tf.data.Dataset.from_tensors(v * 3.0).repeat(2)  # HERE data_pipeline

    with tf.GradientTape() as t:
        l = tf.add_n([tf.reduce_sum(e) for e in make(w)])
    return t.gradient(l, w)


def p_dp_queue():
    w = tf.Variable(2.0)
    q = tf.queue.FIFOQueue(3, [tf.float32], [[]])
    with tf.GradientTape() as t:
        for i in range(2):
            q.enqueue(w * float(i + 1))  # HERE data_pipeline
        s = q.dequeue() + q.dequeue()
    return t.gradient(s, w)


def p_dp_next():
    emb = tf.Variable(tf.ones([4, 2]))
    with tf.GradientTape() as t:
        it = iter(
            tf.data.Dataset.from_tensor_slices((emb + 1.0, tf.range(4))).shuffle(4)  # HERE data_pipeline
        )
        e, _ = next(it)
        l = tf.reduce_sum(e)
    return t.gradient(l, emb)


def p_dp_predict():
    m = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    x = tf.Variable(tf.ones([2, 3]))
    m(x)
    with tf.GradientTape() as t:
        p = m.predict(x, verbose=0)  # HERE left_the_library
        l = tf.reduce_mean(tf.square(p - 1.0))
    return t.gradient(l, m.trainable_variables)


# --- first_gradient_not_recorded
def p_fg_hessian():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = tf.reduce_sum(x**3)
    g = inner.gradient(y, x)  # HERE first_gradient_not_recorded
    return outer.gradient(g, x)


def p_fg_penalty():
    d = tf.keras.layers.Dense(1)
    x = tf.random.normal([3, 2])
    d.build((None, 2))

    def penalty(z):
        with tf.GradientTape() as t:
            t.watch(z)
            s = tf.tanh(d(z))
        return tf.reduce_mean(t.gradient(s, z) ** 2)  # HERE first_gradient_not_recorded

    with tf.GradientTape() as tape:
        s = d(x)
    gp = penalty(x)
    return tape.gradient(gp, d.trainable_variables[:1])


def p_fg_pinn():
    class PINN:
        def __init__(self):
            self.a = tf.Variable(0.5)

        def u(self, t):
            return tf.exp(self.a * t)  # HERE target_computed_outside_tape

        def residual(self, t):
            with tf.GradientTape() as g1:
                g1.watch(t)
                u = self.u(t)
            return u, g1.gradient(u, t)

    p = PINN()
    tt = tf.constant([0.1, 0.2])
    u, ut = p.residual(tt)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((ut - u) ** 2)
    return tape.gradient(loss, p.a)


def p_fg_persistent():
    v = tf.Variable(2.0)
    with tf.GradientTape(persistent=True) as tt:
        y = v**4
    g = tt.gradient(y, v)  # HERE first_gradient_not_recorded
    return tt.gradient(g, v)


def p_fg_stop():
    v = tf.Variable(2.0)
    with tf.GradientTape() as o:
        with tf.GradientTape() as i:
            y = v**4
        with o.stop_recording():
            g = i.gradient(y, v)  # HERE first_gradient_not_recorded
        h = g * 1.0
    return o.gradient(h, v)


# --- derivative_is_constant
def p_dc_linear():
    x = tf.Variable([1.0, 2.0])
    w = tf.constant([3.0, 4.0])
    with tf.GradientTape() as o:
        with tf.GradientTape() as i:
            y = tf.tensordot(w, x, 1)
        g = i.gradient(y, x)  # HERE derivative_is_constant
    return o.gradient(g, x)


def p_dc_third():
    t = tf.constant(2.0)
    with tf.GradientTape(persistent=True) as a:
        a.watch(t)
        with tf.GradientTape() as b:
            b.watch(t)
            s = 5.0 * t + 1.0
        vel = b.gradient(s, t)  # HERE derivative_is_constant
    return a.gradient(vel, t)


def p_dc_fn():
    x = tf.Variable(1.0)

    @tf.function
    def f():
        with tf.GradientTape() as o:
            with tf.GradientTape() as i:
                y = 3.0 * x
            g = i.gradient(y, x)  # HERE derivative_is_constant
        h = o.gradient(g, x)
        return tf.constant(0.0) if h is None else h

    f()
    return None


# --- hidden_inside_function_call
def p_hf_pair():
    @tf.function
    def net(x):
        h = tf.tanh(x)
        return h, h**2

    x = tf.Variable(0.5)
    with tf.GradientTape() as t:
        h, y = net(x)  # HERE hidden_inside_function_call
    return t.gradient(y, h)


class M(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.d = tf.keras.layers.Dense(2)
        self.o = tf.keras.layers.Dense(1)

    @tf.function
    def call(self, x):
        f = self.d(x)
        return {"feat": f, "out": self.o(f)}


def p_hf_dict():
    m = M()
    x = tf.ones([1, 3])
    with tf.GradientTape() as t:
        r = m(x)  # HERE hidden_inside_function_call
        s = tf.reduce_sum(r["out"])
    return t.gradient(s, r["feat"])


def p_hf_method():
    class Sim(tf.Module):
        def __init__(self):
            self.k = tf.Variable(2.0)

        @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
        def step(self, s):
            v = s * self.k
            e = 0.5 * v**2
            return v, e

    sim = Sim()
    with tf.GradientTape(persistent=True) as t:
        vel, en = sim.step(tf.constant(1.5))  # HERE hidden_inside_function_call
    return t.gradient(en, vel)


run(globals())
