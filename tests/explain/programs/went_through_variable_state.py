"""The path goes through the value of a variable."""

import gradtape as tf


def assign_add():
    x0, x1 = tf.Variable(3.0), tf.Variable(0.0)
    with tf.GradientTape() as tape:
        x1.assign_add(x0)  # HERE
        y = x1**2
    assert tape.gradient(y, x0) is None
    return tape.explain(y, x0)


def weights_from_input():
    kernel, theta = tf.Variable([[0.0]]), tf.constant([[2.0]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(theta)
        kernel.assign(theta)  # HERE
        out = tf.reduce_sum(tf.matmul([[3.0]], kernel))
    return tape.explain(out, theta)


def variable_of_a_tensor():
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        u = tf.Variable(w * 3.0)  # HERE
        y = u * u
    return tape.explain(y, w)


def running_mean():
    class Mean:
        def __init__(self):
            self.total = tf.Variable(0.0, trainable=False)
            self.count = tf.Variable(0.0, trainable=False)

        def __call__(self, x):
            self.total.assign_add(tf.reduce_sum(x))  # HERE
            self.count.assign_add(1.0)
            return self.total / self.count

    mean, w = Mean(), tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        loss = mean(w * 2.0)
    return tape.explain(loss, w)


def optimizer_step():
    w, rate = tf.Variable(2.0), tf.Variable(0.1)
    optimizer = tf.compat.v1.train.GradientDescentOptimizer(rate)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            loss = (w - 3.0) ** 2
        g = inner.gradient(loss, w)
        optimizer.apply_gradients([(g, w)])  # HERE
        after = (w - 1.0) ** 2
    return outer.explain(after, rate)


def in_a_function():
    w, state = tf.Variable(2.0), tf.Variable(0.0)

    @tf.function
    def f():
        state.assign(w * 3.0)  # HERE
        return state * state

    with tf.GradientTape() as tape:
        y = f()
    return tape.explain(y, w)


def in_a_graph():
    with tf.Graph().as_default():
        x = tf.compat.v1.placeholder(tf.float32, [])
        v = tf.compat.v1.get_variable("v", [], use_resource=True)
        with tf.control_dependencies([v.assign(x * 2.0)]):  # HERE
            y = v.read_value() ** 2
        return tf.debugging.explain_gradients(y, x)


def slice_of_a_variable():
    w, table = tf.Variable(2.0), tf.Variable([0.0, 0.0])
    with tf.GradientTape() as tape:
        table[1].assign(w)  # HERE
        y = tf.reduce_sum(table)
    return tape.explain(y, w)


def set_weights():
    model, copy = tf.keras.layers.Dense(1), tf.keras.layers.Dense(1)
    x = tf.ones([2, 3])
    model(x), copy(x)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            loss = tf.reduce_sum(model(x) ** 2)
        grads = inner.gradient(loss, model.weights)
        copy.set_weights([w - 0.1 * g for w, g in zip(model.weights, grads)])  # HERE
        test_loss = tf.reduce_sum(copy(x))
    return outer.explain(test_loss, model.kernel)


def initialized_from_another_variable():
    with tf.Graph().as_default():
        w = tf.compat.v1.get_variable("w", initializer=[1.0, 2.0])
        copied = tf.compat.v1.get_variable("copied", initializer=w.initialized_value() * 2.0)  # HERE
        return tf.debugging.explain_gradients(copied * 3.0, w)
