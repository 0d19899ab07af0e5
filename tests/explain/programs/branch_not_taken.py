"""The other branch was executed."""

import gradtape as tf


def eager_if():
    x = tf.constant(1.0)
    v0, v1 = tf.Variable(2.0), tf.Variable(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        if x > 0.0:  # HERE
            result = v0
        else:
            result = v1**2
    assert tape.gradient(result, v1) is None
    return tape.explain(result, [v0, v1])[1]


def conditional_expression():
    a, b, flag = tf.Variable(2.0), tf.Variable(3.0), True
    with tf.GradientTape() as tape:
        y = a * 2.0 if flag else b * 3.0  # HERE
    return tape.explain(y, b)


def eager_cond():
    a, b, x = tf.Variable(2.0), tf.Variable(3.0), tf.constant(1.0)
    with tf.GradientTape() as tape:
        y = tf.cond(x > 0.0, lambda: a * 2.0, lambda: b * 3.0)  # HERE
    return tape.explain(y, b)


def in_a_layer():
    class Gate:
        def __init__(self):
            self.train_scale = tf.Variable(2.0)
            self.test_scale = tf.Variable(3.0)

        def __call__(self, x, training):
            if training:  # HERE
                return x * self.train_scale
            return x * self.test_scale

    gate = Gate()
    with tf.GradientTape() as tape:
        y = gate(tf.constant(1.0), training=False)
    return tape.explain(y, gate.train_scale)


def eager_case():
    a, b, x = tf.Variable(2.0), tf.Variable(3.0), tf.constant(1.0)
    with tf.GradientTape() as tape:
        y = tf.case([(x > 2.0, lambda: b * 3.0)], default=lambda: a * 2.0)  # HERE
    return tape.explain(y, b)


def python_if_while_tracing():
    a, b = tf.Variable(2.0), tf.Variable(3.0)

    @tf.function
    def f(x, training):
        if training:  # HERE
            x = x * b
        return x * a

    with tf.GradientTape() as tape:
        y = f(tf.constant(1.0), False)
    return tape.explain(y, b)


def layer_of_a_model():
    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.first = tf.keras.layers.Dense(2)
            self.second = tf.keras.layers.Dense(2)

        def call(self, x, training=False):
            if training:  # HERE
                return self.first(x)
            return self.second(x)

    net, x = Net(), tf.ones([1, 3])
    net(x, training=True)
    net(x)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(net(x))
    return tape.explain(y, net.first.trainable_variables)[0]


def the_decision_about_the_target():
    x, v, w = tf.constant(1.0), tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        first = v if x > 0.0 else w * 3.0
        y = tf.cond(x > 0.0, lambda: v * 1.0, lambda: w * 2.0)  # HERE
    assert first is v
    return tape.explain(y, w)
