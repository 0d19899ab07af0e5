"""What is known of values while a graph is built."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf


@pytest.mark.parametrize("value", [0.5, [1.0, 2.0], 3, True, "a"])
def test_constants_are_known_whatever_their_number_and_name(value):
    with tf.Graph().as_default():
        first, second = tf.constant(value), tf.constant(value, name="other")
        for x in (first, second, tf.identity(tf.identity(second))):
            found = tf.get_static_value(x)
            assert np.array_equal(found, value.encode() if value == "a" else value)
