import tensorflow.compat.v1 as tf, numpy as np
from harness import run

tf.disable_v2_behavior()
G = tf.gradients


def ph(shape=(), dt=tf.float32):
    return tf.placeholder(dt, shape)


# source/target
def p_int_placeholder():
    n = tf.placeholder(tf.int32, [])  # HERE integer_dtype
    y = tf.cast(n, tf.float32) * 2.0
    return G(y, n)


class Model:
    def __init__(self):
        self.x = ph([None, 2])
        self.w = tf.get_variable("w_m", [2, 3])
        self.build()

    def build(self):
        logits = tf.matmul(self.x, self.w)
        self.pred = tf.argmax(logits, 1)  # HERE op_not_differentiable
        self.acc = tf.reduce_mean(tf.cast(tf.equal(self.pred, 1), tf.float32))


def p_argmax_class():
    m = Model()
    return G(m.acc, m.w)


def p_round_fn():
    def quant(v):
        v = v * 255.0
        return tf.rint(v) / 255.0  # HERE op_not_differentiable

    a = ph([3])
    return G(quant(a), [a])


def p_stop_scope():
    with tf.variable_scope("tgt"):
        q = tf.get_variable("q", [2])
        best = tf.stop_gradient(tf.reduce_max(q))  # HERE stop_gradient
    loss = (best - 1.0) ** 2
    return G(loss, q)


def p_not_dep():
    a, b = ph(), ph()
    c = tf.exp(a)
    d = c * 2.0  # HERE target_does_not_depend_on_source
    return G(d, b)


def p_other_tensor():
    w = tf.get_variable("w_o", [4])
    row = w[1]  # HERE equal_value_but_other_tensor
    loss = tf.reduce_sum(tf.square(w[1]))
    return G(loss, row)


def p_sibling_jac():
    x = ph([3])
    y = tf.sin(x)
    js = []
    for i in range(2):
        js.append(G(y[i], x[i])[0])  # HERE equal_value_but_other_tensor
    return js


def p_pyfunc():
    x = ph([2])
    y = tf.py_func(lambda a: np.sqrt(a), [x], tf.float32)  # HERE left_the_library
    y.set_shape([2])
    return G(tf.reduce_sum(y) * 2.0, x)


def p_assign():
    v = tf.get_variable("v_a", [])
    w = tf.get_variable("w_a", [])
    up = tf.assign(v, w * 2.0)  # HERE went_through_variable_state
    with tf.control_dependencies([up]):
        z = v.read_value() * 3.0
    return G(z, w)


def p_gather_idx():
    i = ph([2])
    t = tf.get_variable("t_g", [5, 2])
    e = tf.nn.embedding_lookup(t, tf.to_int32(i))  # HERE used_only_as_index
    return G(e, [t, i])


def p_cond_pred():
    x, s = ph(), ph()
    y = tf.cond(s > 0.0, lambda: x * 2.0, lambda: x)  # HERE used_only_as_index
    return G(y, [x, s])


def p_where_cond():
    x, s = ph([3]), ph([3])
    y = tf.where(s > 0.0, x, -x)  # HERE used_only_as_index
    return G(y, [x, s])


def p_shape():
    x = ph([None, 2])
    n = tf.cast(tf.shape(x)[0], tf.float32)  # HERE used_only_as_index
    return G(n * 2.0, x)


def p_dataset():
    x = ph([3])
    ds = tf.data.Dataset.from_tensor_slices(x)  # HERE data_pipeline
    it = tf.data.make_initializable_iterator(ds)
    y = it.get_next() * 2.0
    return G(y, x)


@tf.custom_gradient
def half(a, b):
    return a * b, lambda g: (g * b, None)


def p_rule():
    a, b = ph(), ph()
    y = half(a, b)  # HERE rule_returned_none
    return G(y, [a, b])


def p_second_linear():
    x = ph()
    y = 3.0 * x
    g = G(y, x)[0]  # HERE derivative_is_constant
    return G(g, x)


def p_optimizer():
    w = tf.get_variable("w_opt", [], trainable=True)
    u = tf.get_variable("u_opt", [])
    loss = (w - 1.0) ** 2  # HERE target_does_not_depend_on_source
    opt = tf.train.GradientDescentOptimizer(0.1)
    gv = opt.compute_gradients(loss, [w, u])
    return [g for g, _ in gv]


def p_list_comp():
    ws = [tf.get_variable("l%d" % i, []) for i in range(3)]
    y = tf.add_n([w * 2.0 for w in ws[:2]])  # HERE target_does_not_depend_on_source
    return [G(y, w)[0] for w in ws]


def p_one_hot():
    a = ph([2])
    h = tf.one_hot(tf.cast(a, tf.int32), 3)  # HERE used_only_as_index
    return G(tf.reduce_sum(h), a)


def p_seq_mask():
    a = ph([2])
    m = tf.sequence_mask(a, 3, dtype=tf.float32)  # HERE op_not_differentiable
    return G(tf.reduce_sum(m * 2.0), a)


def p_while_cond():
    n, x = ph(), ph()
    r = tf.while_loop(  # HERE used_only_as_index
        lambda i, a: i < n,
        lambda i, a: (i + 1.0, a * x),
        [0.0, x],
    )[1]
    return G(r, [x, n])


def p_eval_joined():
    x = ph()
    with tf.Session() as s:
        h = x * 2.0
        hv = s.run(h, {x: 1.0})
        y = tf.constant(hv) * 3.0  # HERE left_the_library
    return G(y, x)


def p_stop_list():
    x = ph()
    h = tf.tanh(x)  # HERE stop_gradient
    y = h * 2.0
    return G(y, x, stop_gradients=[h])


run(globals())
