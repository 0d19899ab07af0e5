"""An actor learns to balance a pole on a moving hand, and a critic learns how long the pole is going to stand.

The critic's opinion is what the actor's result is measured by: an action that went better than expected becomes more
likely (advantage actor-critic). 16 poles stand side by side; both networks learn from every 10 steps.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
POLES, STEPS, DISCOUNT = 16, 10, 0.97


class Poles:
    """Poles whose foot is pushed to the left or to the right (Barto, Sutton & Anderson, 1983).

    A state is the angle, in units of 12 degrees, and how fast it changes. A pole that leans more than 12 degrees has
    fallen, and is put up again.
    """

    def __init__(self, n, seed):
        self.random = np.random.default_rng(seed)
        self.state = self.upright(n)

    def upright(self, n):
        return self.random.uniform(-0.2, 0.2, (n, 2)).astype("float32")

    def push(self, right):
        """20 milliseconds later; gives which poles have fallen."""
        angle, spin = np.radians(12) * self.state.T
        force = (np.where(right, 10, -10) + 0.05 * spin**2 * np.sin(angle)) / 1.1
        bend = (9.8 * np.sin(angle) - np.cos(angle) * force) / (2 / 3 - 0.05 * np.cos(angle) ** 2 / 1.1)
        angle, spin = angle + 0.02 * spin, spin + 0.02 * bend
        self.state = (np.stack([angle, spin], axis=1) / np.radians(12)).astype("float32")
        fallen = abs(self.state[:, 0]) > 1
        self.state[fallen] = self.upright(fallen.sum())
        return fallen


def network(outputs):
    return tf.keras.Sequential([tf.keras.layers.Dense(32, activation="tanh"), tf.keras.layers.Dense(outputs)])


actor, critic = network(2), network(1)
optimizer = tf.keras.optimizers.Adam(5e-3)


@tf.function
def learn(states, actions, returns):
    with tf.GradientTape() as tape:
        log_p = tf.nn.log_softmax(actor(states))
        surprise = returns - critic(states)[:, 0]
        chosen = tf.gather(log_p, actions, batch_dims=1)
        entropy = -tf.reduce_sum(tf.exp(log_p) * log_p, axis=1)
        gain = chosen * tf.stop_gradient(surprise) + 0.003 * entropy  # who is unsure goes on trying
        loss = tf.reduce_mean(surprise**2 / 2 - gain)
    variables = actor.trainable_variables + critic.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))


poles, falls = Poles(POLES, seed=0), 0
for update in range(1, 301):
    states, actions, fallen = [], [], []
    for _ in range(STEPS):
        states.append(poles.state)
        actions.append(tf.random.categorical(actor(poles.state), 1)[:, 0].numpy())
        fallen.append(poles.push(actions[-1] == 1))
    # A step that the pole survives earns its share of 1; what comes later counts a little less.
    returns = [critic(poles.state)[:, 0].numpy()]
    for fell in reversed(fallen):
        returns.insert(0, np.where(fell, 0, 1 - DISCOUNT + DISCOUNT * returns[0]).astype("float32"))
    learn(np.concatenate(states), np.concatenate(actions), np.concatenate(returns[:-1]))
    falls += np.sum(fallen)
    if update % 50 == 0:
        print(f"update {update:3}: {falls} falls")
        falls = 0

poles, stand = Poles(100, seed=1), np.ones(100, bool)
for _ in range(500):
    stand &= ~poles.push(tf.argmax(actor(poles.state), axis=1).numpy() == 1)
print(f"share of poles that stand for 10 seconds: {stand.mean():.2f}")
