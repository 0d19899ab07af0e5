import tensorflow as tf
from harness import run


def p_ds_in_function():
    @tf.function
    def f(x):
        ds = tf.data.Dataset.from_tensor_slices(x)  # HERE data_pipeline
        tot = tf.constant(0.0)
        for e in ds:
            tot += e * e
        return tot

    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as t:
        y = f(x)
    return t.gradient(y, x)


def p_ds_fn2():
    @tf.function
    def f(x):
        ds = tf.data.Dataset.from_tensors(x).map(lambda a: a * 2.0).batch(1)  # HERE data_pipeline
        return tf.reduce_sum(next(iter(ds)))

    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x) ** 2
    return t.gradient(y, x)


run(globals())
