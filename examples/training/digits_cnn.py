"""A small convolutional network learns handwritten digits: a model by subclassing, metrics, and a loop of its own.

In training each batch is shifted by up to one pixel, so that the network learns that a digit stays the same digit.
"""

import tensorflow as tf
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(1)
EPOCHS = 15

digits = load_digits()
images = (digits.images[..., None] / 16).astype("float32")  # (1797, 8, 8, 1)
x_train, x_test, y_train, y_test = train_test_split(
    images, digits.target, test_size=0.2, stratify=digits.target, random_state=0
)
train = tf.data.Dataset.from_tensor_slices((x_train, y_train)).shuffle(2000, seed=0).batch(32)
test = tf.data.Dataset.from_tensor_slices((x_test, y_test)).batch(100)


class Network(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.conv1 = layers.Conv2D(24, 3, padding="same", activation="relu")
        self.pool = layers.MaxPooling2D()  # 8 x 8 -> 4 x 4
        self.conv2 = layers.Conv2D(48, 3, padding="same", activation="relu")
        self.flatten = layers.Flatten()
        self.dropout = layers.Dropout(0.3, seed=0)
        self.dense = layers.Dense(10)

    def call(self, x, training=False):
        x = self.conv2(self.pool(self.conv1(x)))
        return self.dense(self.dropout(self.flatten(x), training=training))


model = Network()
loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
rate = tf.keras.optimizers.schedules.CosineDecay(5e-3, EPOCHS * len(train))
optimizer = tf.keras.optimizers.Adam(rate)
train_loss = tf.keras.metrics.Mean()
test_accuracy = tf.keras.metrics.SparseCategoricalAccuracy()


@tf.function
def train_step(x, y):
    x = tf.image.random_crop(tf.pad(x, [[0, 0], [1, 1], [1, 1], [0, 0]]), tf.shape(x))
    with tf.GradientTape() as tape:
        loss = loss_of(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    train_loss.update_state(loss)


@tf.function
def test_step(x, y):
    test_accuracy.update_state(y, model(x))


for epoch in range(1, EPOCHS + 1):
    train_loss.reset_state()
    test_accuracy.reset_state()
    for x, y in train:
        train_step(x, y)
    for x, y in test:
        test_step(x, y)
    if epoch % 3 == 0:
        print(f"epoch {epoch:2}: loss {train_loss.result():.4f}, test accuracy {test_accuracy.result():.4f}")

print(f"parameters: {model.count_params()}")
print(f"test accuracy: {test_accuracy.result():.4f}")
