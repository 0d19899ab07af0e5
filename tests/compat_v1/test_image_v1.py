"""``tf.image.resize_images`` of TensorFlow 1, against TensorFlow's answers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from golden import make_resize_images as golden

import gradtape as tf

v1 = tf.compat.v1
EXPECTED = json.loads((Path(golden.__file__).parent / "resize_images.json").read_text(encoding="utf-8"))
FOUND = golden.answers(tf)


@pytest.mark.parametrize("i", range(len(EXPECTED)), ids=lambda i: "-".join(map(str, golden.CASES[i])))
def test_answers_are_tensorflows(i: int):
    np.testing.assert_allclose(FOUND[i], EXPECTED[i], rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("method", range(3))
def test_images_of_unknown_size(method: int):
    with tf.Graph().as_default(), v1.Session() as session:
        x, size = v1.placeholder(tf.float32, [None, None, None, 2]), v1.placeholder(tf.int32, [2])
        y = v1.image.resize_images(x, size, method)
        gradient = tf.gradients(tf.reduce_sum(y * y), x)[0]
        found, g = session.run([y, gradient], {x: golden.X, size: [5, 6]})
    with tf.GradientTape() as tape:
        source = tf.Variable(golden.X)
        expected = v1.image.resize_images(source, [5, 6], method)
        loss = tf.reduce_sum(expected**2)
    np.testing.assert_allclose(found, expected, rtol=1e-5)
    np.testing.assert_allclose(g, tape.gradient(loss, source), rtol=1e-5)


def test_bytes_and_errors():
    image = tf.constant([[[1], [200]]], tf.uint8)
    assert v1.image.resize_images(image, [1, 4], v1.image.ResizeMethod.NEAREST_NEIGHBOR).dtype == tf.uint8
    assert v1.image.resize_images(image, [1, 4]).dtype == tf.float32
    assert v1.image.resize_images(image, [1, 2]) is image
    with pytest.raises(ValueError, match="Resize method 7"):
        v1.image.resize_images(image, [1, 4], 7)
    with pytest.raises(ValueError, match="3 or 4 dimensions"):
        v1.image.resize_images(image[0], [1, 4])
