"""A perceptron with one hidden layer learns handwritten digits, in a training loop of its own.

One step of training is four lines: record, compute the loss, ask the tape for its gradient, let the optimizer move
the weights.
"""

import tensorflow as tf
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

tf.keras.utils.set_random_seed(2)
EPOCHS = 30

# 1797 images of 8 x 8 pixels, as rows of 64 numbers from 0 to 16.
images, labels = load_digits(return_X_y=True)
images = (images / 16).astype("float32")
x_train, x_test, y_train, y_test = train_test_split(
    images, labels, test_size=0.2, stratify=labels, random_state=0
)
batches = tf.data.Dataset.from_tensor_slices((x_train, y_train)).shuffle(2000, seed=0).batch(32)

model = tf.keras.Sequential([tf.keras.layers.Dense(128, activation="relu"), tf.keras.layers.Dense(10)])
loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
rate = tf.keras.optimizers.schedules.CosineDecay(5e-3, EPOCHS * len(batches))
optimizer = tf.keras.optimizers.Adam(rate)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_of(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def accuracy(x, y):
    """The share of the images whose digit gets the highest score."""
    return float(tf.reduce_mean(tf.cast(tf.argmax(model(x), axis=1) == y, tf.float32)))


mean_loss = tf.keras.metrics.Mean()
for epoch in range(1, EPOCHS + 1):
    mean_loss.reset_state()
    for x, y in batches:
        mean_loss.update_state(train_step(x, y))
    if epoch % 5 == 0:
        print(f"epoch {epoch:2}: loss {mean_loss.result():.4f}, test accuracy {accuracy(x_test, y_test):.4f}")

print(f"test accuracy: {accuracy(x_test, y_test):.4f}")
