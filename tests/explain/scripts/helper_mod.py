import tensorflow as tf
import numpy as np


def predict(w, x):
    return tf.linalg.matvec(x, w)  # HERE source_not_watched


def rounded(x):
    y = x * 10.0
    return tf.round(y) / 10.0  # HERE op_not_differentiable


def through_numpy(t):
    a = np.tanh(t)  # HERE left_the_library
    return tf.constant(a)


def detach(t):
    return tf.stop_gradient(t)  # HERE stop_gradient


class Encoder(tf.Module):
    def __init__(self):
        super().__init__()
        self.scale = tf.Variable(2.0, name="scale")
        self.frozen = tf.Variable(3.0, trainable=False)

    def __call__(self, x):
        return x * self.scale + self.frozen  # HERE variable_not_trainable
