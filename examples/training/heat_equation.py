"""A network solves the heat equation, du/dt = 0.1 d2u/dx2 on 0 < x < 1 (a physics-informed network).

It is never shown the solution. Its loss is how badly it fulfils the equation at random points, which takes second
derivatives of the network by its inputs, and then the gradient of all that by the weights: three tapes, one in the
other (Raissi, Perdikaris & Karniadakis, 2019).
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
CONDUCTIVITY, POINTS = 0.1, 256

network = tf.keras.Sequential([tf.keras.layers.Dense(32, activation="tanh") for _ in range(3)])
network.add(tf.keras.layers.Dense(1))
rate = tf.keras.optimizers.schedules.ExponentialDecay(5e-3, decay_steps=250, decay_rate=0.6)
optimizer = tf.keras.optimizers.Adam(rate)


def u(x, t):
    """The temperature. The factor x (1 - x) keeps both ends of the rod at zero."""
    return x * (1 - x) * network(tf.concat([x, t], axis=1))


def residual(x, t):
    """du/dt - 0.1 d2u/dx2 at each point: zero where the equation is fulfilled."""
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch([x, t])
            temperature = u(x, t)
        u_x, u_t = inner.gradient(temperature, [x, t])
    u_xx = outer.gradient(u_x, x)
    return u_t - CONDUCTIVITY * u_xx


@tf.function
def train_step():
    x, t = tf.random.uniform([POINTS, 1]), tf.random.uniform([POINTS, 1])
    with tf.GradientTape() as tape:
        equation = tf.reduce_mean(residual(x, t) ** 2)
        start = tf.reduce_mean((u(x, 0 * t) - tf.sin(np.pi * x)) ** 2)  # u(x, 0) = sin(pi x)
        loss = equation + 10 * start
    variables = network.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return equation, start


for step in range(1, 1501):
    equation, start = train_step()
    if step % 250 == 0:
        print(f"step {step:4}: equation {equation:.1e}, initial temperature {start:.1e}")

# For this start the solution is known.
x, t = (tf.reshape(v, [-1, 1]) for v in tf.meshgrid(tf.linspace(0.0, 1.0, 51), tf.linspace(0.0, 1.0, 51)))
exact = tf.exp(-CONDUCTIVITY * np.pi**2 * t) * tf.sin(np.pi * x)
print(f"largest residual: {tf.reduce_max(tf.abs(residual(x, t))):.4f}")
print(f"largest error: {tf.reduce_max(tf.abs(u(x, t) - exact)):.4f}")
