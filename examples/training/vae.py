"""A variational autoencoder of handwritten digits: an image becomes a distribution of 8 numbers, and comes back.

It maximizes the evidence lower bound, E[log p(x|z)] - KL(q(z|x) || p(z)): images are to be recovered from their codes,
and codes are to look like standard normal numbers, so that new images can be drawn. The gradient passes the random
numbers because they are written as z = mean + exp(log_var / 2) * eps (Kingma & Welling, 2014).
"""

import numpy as np
import tensorflow as tf
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(1)
CODE = 8

images = (load_digits().data / 16).astype("float32")
x_train, x_test = train_test_split(images, test_size=0.2, random_state=0)
batches = tf.data.Dataset.from_tensor_slices(x_train).shuffle(2000, seed=0).batch(64)

encoder = tf.keras.Sequential([layers.Dense(256, activation="relu"), layers.Dense(2 * CODE)])
decoder = tf.keras.Sequential([layers.Dense(256, activation="relu"), layers.Dense(64)])
optimizer = tf.keras.optimizers.Adam(2e-3)


def reconstruction_error(x, logits):
    """-log p(x|z): pixels as independent probabilities."""
    return tf.reduce_sum(tf.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=logits), axis=1)


def negative_bound(x):
    mean, log_var = tf.split(encoder(x), 2, axis=1)
    z = mean + tf.exp(log_var / 2) * tf.random.normal(tf.shape(mean))
    kl = tf.reduce_sum(tf.exp(log_var) + mean**2 - 1 - log_var, axis=1) / 2
    return tf.reduce_mean(reconstruction_error(x, decoder(z)) + kl)


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        loss = negative_bound(x)
    variables = encoder.trainable_variables + decoder.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss


def show(rows):
    """Prints images beside each other, the darker the more ink."""
    pixels = np.concatenate(np.reshape(rows, (-1, 8, 8)), axis=1)
    for line in pixels:
        print("".join(" .:*#"[int(4.999 * p)] * 2 for p in line))


for epoch in range(1, 41):
    losses = [float(train_step(x)) for x in batches]
    if epoch % 10 == 0:
        print(f"epoch {epoch:2}: -bound {np.mean(losses):.3f}, for test images {negative_bound(x_test):.3f}")

show(tf.sigmoid(decoder(tf.random.normal([5, CODE], seed=3))).numpy())

# What a model without codes would reach, which expects every image to be the mean image.
mean_image = np.clip(x_train.mean(axis=0), 1e-3, 1 - 1e-3)
logits = np.broadcast_to(np.log(mean_image / (1 - mean_image)), x_test.shape)
print(f"without codes: {tf.reduce_mean(reconstruction_error(x_test, logits)):.3f}")
print(f"with codes: {negative_bound(x_test):.3f}")
