"""Computed in NumPy or Python."""

import math

import numpy as np

import gradtape as tf


def numpy_function_on_a_tensor():
    x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        x2 = x**2
        y = np.mean(x2, axis=0)  # HERE
        y = tf.reduce_mean(y, axis=0)
    assert tape.gradient(y, x) is None
    return tape.explain(y, x)


def numpy_method():
    w = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        h = (w * 2.0).numpy()  # HERE
        loss = tf.reduce_sum(tf.square(h))
    return tape.explain(loss, w)


def float_of_a_tensor():
    w = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        total = float(tf.reduce_sum(w))  # HERE
        loss = tf.constant(total * 2.0) ** 2
    return tape.explain(loss, w)


def python_math():
    w = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        scale = math.exp(w)  # HERE
        loss = tf.constant(3.0) * scale
    return tape.explain(loss, w)


def list_of_numbers():
    w = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        parts = [float(v) ** 2 for v in tf.unstack(w)]  # HERE
        loss = tf.reduce_sum(tf.constant(parts))
    return tape.explain(loss, w)


def inside_a_model():
    class Model:
        def __init__(self):
            self.w = tf.Variable([[1.0], [1.0]])

        def features(self, x):
            return np.tanh(tf.matmul(x, self.w))  # HERE

        def __call__(self, x):
            return tf.reduce_sum(self.features(x) * 2.0)

    model = Model()
    with tf.GradientTape() as tape:
        loss = model(tf.constant([[1.0, 2.0]])) + tf.constant(0.0)
    return tape.explain(loss, model.w)


def numpy_function():
    x = tf.Variable([1.0, 2.0])

    @tf.function
    def f(v):
        return tf.numpy_function(np.sin, [v], tf.float32)  # HERE

    with tf.GradientTape() as tape:
        y = tf.reduce_sum(f(x))
    return tape.explain(y, x)


def py_func_in_a_graph():
    with tf.Graph().as_default():
        x = tf.compat.v1.placeholder(tf.float32, [2])
        y = tf.compat.v1.py_func(np.sin, [x], tf.float32)  # HERE
        return tf.debugging.explain_gradients(y, x)


def item_by_item():
    w = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        total = 0.0
        for v in (w * 2.0).numpy():  # HERE
            total += v**2
        loss = tf.convert_to_tensor(total)
    return tape.explain(loss, w)


def joined_by_a_feed():
    with tf.Graph().as_default():
        x = tf.constant([1.0, 2.0])
        h = x * 2.0
        p = tf.compat.v1.placeholder(tf.float32, [2])
        y = tf.reduce_sum(p**2)
        with tf.compat.v1.Session() as session:
            value = session.run(h)
            session.run(y, {p: value})  # HERE
        return tf.debugging.explain_gradients(y, x)


def model_predict():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    x = tf.ones([2, 3])
    model(x)
    with tf.GradientTape() as tape:
        p = model.predict(x, verbose=0)  # HERE
        loss = tf.reduce_mean((p - 1.0) ** 2)
    return tape.explain(loss, model.trainable_variables)[0]


def numpy_function_in_eager_mode():
    x = tf.Variable([-1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.numpy_function(lambda a: np.maximum(a, 0.0), [x], tf.float32)  # HERE
        loss = tf.reduce_sum(y)
    return tape.explain(loss, x)
