import tensorflow as tf, numpy as np, math, copy
from harness import run
import helper_mod as hm


# --- equal_value_but_other_tensor
def p_ev_slice_again():
    x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        rows = [x[i] for i in range(2)]
        loss = tf.add_n([tf.reduce_sum(r**2) for r in rows])
        again = x[0]  # HERE equal_value_but_other_tensor
    return tape.gradient(loss, again)


class Attn(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.e = tf.keras.layers.Dense(2)
        self.o = tf.keras.layers.Dense(1)

    def features(self, x):
        return self.e(x)  # HERE equal_value_but_other_tensor

    def call(self, x):
        return self.o(self.e(x))


def p_ev_layer_again():
    m = Attn()
    x = tf.ones([1, 3])
    m(x)
    with tf.GradientTape() as tape:
        score = m(x)
        f = m.features(x)
    return tape.gradient(score, f)


def p_ev_submodel():
    inp = tf.keras.Input((3,))
    h = tf.keras.layers.Dense(4, name="hid")(inp)
    out = tf.keras.layers.Dense(1)(h)
    m = tf.keras.Model(inp, out)
    sub = tf.keras.Model(inp, m.get_layer("hid").output)
    x = tf.random.normal([2, 3])
    with tf.GradientTape() as tape:
        conv = sub(x)  # HERE equal_value_but_other_tensor
        pred = m(x)
        top = pred[:, 0]
    return tape.gradient(top, conv)


def p_ev_reshape():
    w = tf.Variable(tf.range(4, dtype=tf.float32))
    with tf.GradientTape(persistent=True) as tape:
        m = tf.reshape(w, [2, 2])  # HERE equal_value_but_other_tensor
        y = tf.reduce_sum(tf.matmul(tf.reshape(w, [2, 2]), tf.reshape(w, [2, 2])))
    return tape.gradient(y, m)


def p_ev_unstack():
    s = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        tape.watch(s)
        first, second = tf.unstack(s)  # HERE equal_value_but_other_tensor
        t = tf.einsum("ij->", s * s)
    return tape.gradient(t, first)


# --- variable_replaced_by_tensor
class Net:
    def __init__(self):
        self.w = tf.Variable([1.0, 2.0])

    def step(self, lr):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(self.w**2)
        g = tape.gradient(loss, self.w)
        if g is not None:
            self.w = self.w - lr * g  # HERE variable_replaced_by_tensor
        return g


def p_vr_class():
    n = Net()
    return [n.step(0.1), n.step(0.1)]


def p_vr_list():
    ps = [tf.Variable(1.0), tf.Variable(2.0)]
    out = []
    for _ in range(2):
        with tf.GradientTape() as tape:
            l = ps[0] * ps[1]
        gs = tape.gradient(l, ps)
        out += gs
        if gs[0] is None:
            break
        ps = [p - 0.1 * g for p, g in zip(ps, gs)]  # HERE variable_replaced_by_tensor
    return out


def p_vr_dict():
    p = {"w": tf.Variable(2.0)}

    def sgd(params, grads):
        return {k: params[k] - 0.1 * grads[k] for k in params}  # HERE variable_replaced_by_tensor

    r = []
    for _ in range(2):
        with tf.GradientTape() as t:
            e = p["w"] ** 2
        g = t.gradient(e, p)
        r.append(g["w"])
        if g["w"] is None:
            break
        p = sgd(p, g)
    return r


# --- went_through_variable_state
def p_st_assign():
    v = tf.Variable(1.0)
    buf = tf.Variable(0.0)
    with tf.GradientTape() as tape:
        buf.assign(v * 3.0)  # HERE went_through_variable_state
        y = buf * 2.0
    return tape.gradient(y, v)


class Stateful(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.h = tf.Variable([0.0, 0.0], trainable=False)

    def call(self, x):
        self.h.assign_add(x)  # HERE went_through_variable_state
        return self.h * 2.0


def p_st_layer():
    l = Stateful()
    x = tf.Variable([1.0, 1.0])
    with tf.GradientTape() as tape:
        y = l(x)
    return tape.gradient(y, x)


def p_st_made():
    a = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(a)
        b = tf.Variable(a * 2.0)  # HERE went_through_variable_state
        c = tf.reduce_sum(b**2)
    return tape.gradient(c, a)


def p_st_maml():
    w = tf.Variable(1.0)
    opt = tf.keras.optimizers.SGD(0.1)
    lr = tf.Variable(2.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            l = (w * lr) ** 2
        g = inner.gradient(l, w)
        opt.apply_gradients([(g, w)])  # HERE went_through_variable_state
        l2 = w**2
    return outer.gradient(l2, lr)


def p_st_slice():
    s = tf.Variable(tf.zeros([3]))
    x = tf.Variable(2.0)
    with tf.GradientTape() as t:
        for i in range(3):
            s[i].assign(x * float(i))  # HERE went_through_variable_state
        y = tf.reduce_sum(s)
    return t.gradient(y, x)


# --- integer_dtype
def p_int_source():
    x = tf.Variable(3)  # HERE integer_dtype
    with tf.GradientTape() as tape:
        y = x * x
    return tape.gradient(y, x)


def p_int_cast():
    q = tf.Variable(2.7)

    def quantize(v, levels=4):
        v = v * levels
        return tf.cast(v, tf.int32)  # HERE integer_dtype

    with tf.GradientTape() as tape:
        z = tf.cast(quantize(q), tf.float32) * 2.0
    return tape.gradient(z, q)


def p_int_watch():
    ids = tf.constant([1, 2])  # HERE integer_dtype
    table = tf.Variable(tf.ones([3, 2]))
    with tf.GradientTape() as tape:
        tape.watch(ids)
        e = tf.nn.embedding_lookup(table, ids)
    return tape.gradient(e, ids)


def p_int_image():
    img = tf.constant(np.ones((1, 2, 2, 1), "uint8"))  # HERE integer_dtype
    with tf.GradientTape() as t:
        t.watch(img)
        s = tf.reduce_sum(tf.keras.layers.Rescaling(1.0 / 255)(img))
    return t.gradient(s, img)


def p_int_target():
    v = tf.Variable([1.0, 5.0])
    with tf.GradientTape() as t:
        k = tf.saturate_cast(v * 10.0, tf.uint8)  # HERE integer_dtype
    return t.gradient(k, v)


# --- left_the_library
def p_ll_helper():
    v = tf.Variable([0.5])
    with tf.GradientTape() as t:
        y = hm.through_numpy(v * 2.0) * 3.0
    return t.gradient(y, v)


def p_ll_list():
    xs = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as t:
        vals = [float(x) ** 2 for x in xs]  # HERE left_the_library
        s = tf.reduce_sum(tf.constant(vals))
    return t.gradient(s, xs)


def p_ll_math():
    a = tf.Variable(0.3)
    with tf.GradientTape() as t:
        y = a * 0.0 + math.sin(a)
        z = tf.constant(math.cos(a))  # HERE left_the_library
    return t.gradient(z, a)


class NpLoss(tf.keras.losses.Loss):
    def call(self, y, p):
        d = (p - y).numpy()  # HERE left_the_library
        return tf.reduce_mean(tf.convert_to_tensor(np.abs(d)))


def p_ll_loss():
    w = tf.Variable([[1.0]])
    with tf.GradientTape() as t:
        l = NpLoss()(tf.ones([2, 1]), tf.ones([2, 1]) @ w)
    return t.gradient(l, w)


def p_ll_npfn():
    v = tf.Variable([1.0, 4.0])
    with tf.GradientTape() as t:
        m = np.sqrt(v)  # HERE left_the_library
        o = tf.reduce_sum(m * tf.ones([2]))
    return t.gradient(o, v)


def p_ll_numpy_function():
    v = tf.Variable([1.0, 4.0])

    @tf.function
    def f(x):
        return tf.numpy_function(np.median, [x], tf.float32)  # HERE left_the_library

    with tf.GradientTape() as t:
        o = f(v)
    return t.gradient(o, v)


run(globals())
