"""Through a dataset or a queue."""

import gradtape as tf


def dataset():
    w = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        data = tf.data.Dataset.from_tensor_slices(w * 2.0)  # HERE
        total = tf.constant(0.0)
        for element in data:
            total += element
    assert tape.gradient(total, w) is None
    return tape.explain(total, w)


def batched():
    x = tf.constant([[1.0], [2.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        data = tf.data.Dataset.from_tensor_slices(x).batch(2)  # HERE
        batch = next(iter(data))
        loss = tf.reduce_sum(batch**2)
    return tape.explain(loss, x)


def queue():
    w = tf.Variable([1.0, 2.0])
    q = tf.queue.FIFOQueue(3, [tf.float32])
    with tf.GradientTape() as tape:
        q.enqueue(w * 2.0)  # HERE
        y = tf.reduce_sum(q.dequeue())
    return tape.explain(y, w)


def in_a_helper():
    def batches(x):
        return tf.data.Dataset.from_tensors(x)  # HERE

    w = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        loss = tf.constant(0.0)
        for b in batches(tf.exp(w)):
            loss = loss + tf.reduce_mean(b)
    return tape.explain(loss, w)
