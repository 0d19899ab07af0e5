"""A change that one hardly sees makes a good classifier fail: the fast gradient sign method.

The gradient of the loss is taken not by the weights but by the image, and each pixel moves a little in the direction
that makes the loss grow (Goodfellow, Shlens & Szegedy, 2015). The classifier is the one of digits_mlp.py.
"""

import tensorflow as tf
from digits_mlp import accuracy, loss_of, model, x_test, y_test


def attacked(x, y, size):
    x = tf.constant(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = loss_of(y, model(x))
    return tf.clip_by_value(x + size * tf.sign(tape.gradient(loss, x)), 0.0, 1.0)


def noisy(x, size):
    """The same change of each pixel, but in a random direction."""
    return tf.clip_by_value(x + size * tf.sign(tf.random.normal(x.shape)), 0.0, 1.0)


def show(*rows):
    for line in tf.concat([tf.reshape(row, (8, 8)) for row in rows], axis=1).numpy():
        print("".join(" .:*#"[int(4.999 * p)] * 2 for p in line))


print()
for size in (0.05, 0.1, 0.15):
    under_attack, at_random = attacked(x_test, y_test, size), noisy(x_test, size)
    print(f"pixels changed by {size}:", end=" ")
    print(f"accuracy {accuracy(under_attack, y_test):.3f}, at random {accuracy(at_random, y_test):.3f}")

image, label = x_test[:1], y_test[:1]
other, size = image, 0.0
while accuracy(other, label) == 1:
    size += 0.01
    other = attacked(image, label, size)
print(f"A {tf.argmax(model(image)[0])} becomes a {tf.argmax(model(other)[0])} by {size:.2f}:")
show(image, other)
print(f"accuracy at random: {accuracy(at_random, y_test):.3f}")
print(f"accuracy under attack: {accuracy(under_attack, y_test):.3f}")
