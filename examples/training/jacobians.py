"""Jacobians of a recurrent network, along a batch axis and sparse, and what to do without a Hessian."""

from time import perf_counter

import gradtape as tf
from gradtape.keras.layers import RNN, GRUCell

tf.keras.utils.set_random_seed(1)
TIME, BATCH, FEATURES, UNITS = 10, 100, 2, 50

# Two GRU cells above each other; time is the first axis, the batch the second.
rnn = RNN([GRUCell(UNITS), GRUCell(UNITS)], time_major=True, return_sequences=True)
x = tf.random.normal([TIME, BATCH, FEATURES])
rnn(x)  # makes the weights


def timed(what, f):
    start = perf_counter()
    result = f()
    print(f"{what}: shape {tuple(result.shape)}, {1000 * (perf_counter() - start):.0f} ms")
    return result


# The derivative of all outputs of an example by all its inputs. Examples do not depend on each other, so there is one
# matrix for each, and `batch_axis` says where they are numbered.
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = rnn(x)
jacobian = timed("batch Jacobian", lambda: tape.batch_jacobian(y, x, batch_axis=1))

# The same numbers as the gradient of one output of one example gives.
with tf.GradientTape() as one:
    one.watch(x)
    number = rnn(x)[7, 3, 20]
row = one.gradient(number, x)[:, 3]
print(f"difference from a gradient: {tf.reduce_max(tf.abs(jacobian[7, 3, 20] - row)):.1e}")

# Nothing depends on what comes later.
future = tf.reduce_max(tf.abs(jacobian[4, :, :, 5:]))
print(f"derivative by the future: {future:.1e}")

# Without `batch_axis` there would be 100 times as many numbers, nearly all of them zeros. A sparse Jacobian is found
# without writing them down. Here of the heat that flows between the 2500 points of a plate:
with tf.GradientTape() as tape:
    plate = tf.Variable(tf.random.uniform([50, 50]))
    inner = plate[1:-1, 1:-1]
    neighbours = plate[2:, 1:-1] + plate[:-2, 1:-1] + plate[1:-1, 2:] + plate[1:-1, :-2]
    flow = (1 + inner**2) * (neighbours - 4 * inner)
sparse = timed("sparse Jacobian", lambda: tape.jacobian(flow, plate, sparse=True))
print(f"entries in a row: {sparse.nnz / sparse.shape[0]:.0f}")


# The loss of a network as a function of its weights has a Hessian of 23 400 x 23 400 numbers. Its product with a vector
# costs a few gradients.
weights = rnn.trainable_variables
vector = [tf.random.normal(w.shape) for w in weights]


def loss():
    return tf.reduce_mean(rnn(x)[-1] ** 2)


def gradient():
    with tf.GradientTape() as tape:
        value = loss()
    return tape.gradient(value, weights)


def product():
    with tf.autodiff.ForwardAccumulator(weights, vector) as accumulator:
        g = gradient()
    return tf.concat([tf.reshape(part, [-1]) for part in accumulator.jvp(g)], axis=0)


curvature = timed("Hessian-vector product", product)

# The same with a tape around a tape: the gradient of the gradient's product with the vector.
with tf.GradientTape() as outer:
    along = sum(tf.reduce_sum(g * v) for g, v in zip(gradient(), vector))
again = tf.concat([tf.reshape(part, [-1]) for part in outer.gradient(along, weights)], axis=0)
print(f"difference from two tapes: {tf.reduce_max(tf.abs(again - curvature)):.1e}")
