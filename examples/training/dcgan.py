"""Two networks play against each other: one draws digits, the other tells them from real ones (a small DCGAN).

Each has its own loss, its own tape and its own optimizer; both tapes record the same run of the two networks
(Goodfellow et al., 2014; Radford et al., 2016).
"""

import numpy as np
import tensorflow as tf
from sklearn.datasets import load_digits
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(1)
NOISE, BATCH = 16, 64

real_images = (load_digits().images[..., None] / 8 - 1).astype("float32")  # from -1 to 1, as tanh gives
batches = tf.data.Dataset.from_tensor_slices(real_images).shuffle(2000, seed=0)
batches = batches.batch(BATCH, drop_remainder=True)

generator = tf.keras.Sequential(
    [
        layers.Dense(2 * 2 * 64, use_bias=False),
        layers.BatchNormalization(),
        layers.LeakyReLU(),
        layers.Reshape((2, 2, 64)),
        layers.Conv2DTranspose(32, 4, strides=2, padding="same", use_bias=False),  # 4 x 4
        layers.BatchNormalization(),
        layers.LeakyReLU(),
        layers.Conv2DTranspose(1, 4, strides=2, padding="same", activation="tanh"),  # 8 x 8
    ]
)
discriminator = tf.keras.Sequential(
    [
        layers.Conv2D(32, 4, strides=2, padding="same"),
        layers.LeakyReLU(),
        layers.Dropout(0.3, seed=1),
        layers.Conv2D(64, 4, strides=2, padding="same"),
        layers.LeakyReLU(),
        layers.Dropout(0.3, seed=2),
        layers.Flatten(),
        layers.Dense(1),
    ]
)
cross_entropy = tf.keras.losses.BinaryCrossentropy(from_logits=True)
generator_optimizer = tf.keras.optimizers.Adam(1e-3, beta_1=0.5)
discriminator_optimizer = tf.keras.optimizers.Adam(1e-3, beta_1=0.5)


@tf.function
def train_step(images):
    noise = tf.random.normal([BATCH, NOISE])
    with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
        generated = generator(noise, training=True)
        real = discriminator(images, training=True)
        fake = discriminator(generated, training=True)
        gen_loss = cross_entropy(tf.ones_like(fake), fake)
        disc_loss = cross_entropy(tf.ones_like(real), real) + cross_entropy(tf.zeros_like(fake), fake)
    gen_gradients = gen_tape.gradient(gen_loss, generator.trainable_variables)
    disc_gradients = disc_tape.gradient(disc_loss, discriminator.trainable_variables)
    generator_optimizer.apply_gradients(zip(gen_gradients, generator.trainable_variables))
    discriminator_optimizer.apply_gradients(zip(disc_gradients, discriminator.trainable_variables))
    return gen_loss, disc_loss


def distance_to_real(images):
    """How far the images' means and standard deviations, pixel by pixel, are from the real ones'."""
    means = images.mean(axis=0) - real_images.mean(axis=0)
    deviations = images.std(axis=0) - real_images.std(axis=0)
    return np.sqrt(np.mean(means**2)) + np.sqrt(np.mean(deviations**2))


noise = tf.random.normal([500, NOISE], seed=0)
print(f"distance before: {distance_to_real(generator(noise).numpy()):.3f}")
for epoch in range(1, 16):
    losses = [train_step(images) for images in batches]
    if epoch % 5 == 0:
        gen_loss, disc_loss = np.mean(losses, axis=0)
        print(f"epoch {epoch:2}: generator {gen_loss:.3f}, discriminator {disc_loss:.3f}")

drawn = generator(noise).numpy()
for line in np.concatenate(drawn[:5, :, :, 0], axis=1):
    print("".join(" .:*#"[int(2.4999 * (p + 1))] * 2 for p in line))
print(f"distance after: {distance_to_real(drawn):.3f}")
