"""Files of images: written and read again, TensorFlow's pixels, refusals, datasets."""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path

import numpy as np
import pytest

import gradtape as tf

PICTURES = {c: np.random.default_rng(c).integers(0, 256, (5, 7, c)).astype(np.uint8) for c in (1, 2, 3, 4)}

# Files by TensorFlow 2.21 of an image, and what it reads in the first.
GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "pictures.json").read_text(encoding="utf-8"))
JPEG, PNG = base64.b64decode(GOLDEN["jpeg"]), base64.b64decode(GOLDEN["png"])
RAMP = np.arange(48).reshape(4, 4, 3).astype(np.uint8) * 5


def test_files_of_tensorflow():
    found = tf.io.decode_jpeg(JPEG).numpy().astype(int)
    assert np.abs(found - np.array(GOLDEN["pixels"])).max() <= 1
    np.testing.assert_array_equal(tf.io.decode_png(PNG), RAMP)
    np.testing.assert_array_equal(tf.io.decode_image(PNG), RAMP)
    assert tf.io.extract_jpeg_shape(JPEG).numpy().tolist() == [4, 4, 3]
    assert tf.io.is_jpeg(JPEG).numpy() and not tf.io.is_jpeg(PNG).numpy()


@pytest.mark.parametrize("channels", PICTURES)
def test_a_png_file_keeps_all(channels):
    file = tf.io.encode_png(PICTURES[channels], compression=9)
    np.testing.assert_array_equal(tf.io.decode_png(file), PICTURES[channels])
    np.testing.assert_array_equal(tf.image.decode_image(file, channels=channels), PICTURES[channels])


def test_sixteen_bits():
    image = np.random.default_rng(0).integers(0, 65536, (3, 4, 1)).astype(np.uint16)
    file = tf.io.encode_png(image)
    np.testing.assert_array_equal(tf.io.decode_png(file, dtype=tf.uint16), image)
    np.testing.assert_array_equal(tf.io.decode_png(file), image >> 8)


@pytest.mark.parametrize("channels", [1, 3])
def test_a_jpeg_file_keeps_what_is_smooth(channels):
    image = np.broadcast_to((np.arange(16) * 8)[:, None, None], (16, 16, channels)).astype(np.uint8)
    file = tf.io.encode_jpeg(image, quality=100)
    assert np.abs(tf.io.decode_jpeg(file).numpy().astype(int) - image).max() <= 2
    assert tf.io.decode_jpeg(file, channels=3).shape == [16, 16, 3]
    assert tf.io.decode_jpeg(file, ratio=4).shape == [4, 4, channels]


def test_floating_point():
    found = tf.io.decode_image(PNG, dtype=tf.float32)
    np.testing.assert_allclose(found, RAMP / 255, rtol=1e-6)


def test_in_a_dataset(tmp_path):
    for i in range(3):
        tf.io.write_file(str(tmp_path / f"{i}.png"), tf.io.encode_png(np.full((4, 4, 3), i, np.uint8)))

    def read(path):
        image = tf.io.decode_image(tf.io.read_file(path), channels=3, expand_animations=False)
        return tf.image.resize(tf.image.convert_image_dtype(image, tf.float32), [2, 2])

    files = tf.data.Dataset.list_files(str(tmp_path / "*.png"), shuffle=False)
    (batch,) = files.map(read).batch(3)
    np.testing.assert_allclose(batch[:, 0, 0, 0], np.arange(3) / 255, rtol=1e-6)


def test_what_is_no_picture():
    with pytest.raises(tf.errors.InvalidArgumentError, match="Unknown image file format"):
        tf.io.decode_image("no picture")
    with pytest.raises(tf.errors.InvalidArgumentError, match="channels"):
        tf.io.encode_jpeg(np.zeros((2, 2, 4), np.uint8))
    with pytest.raises(ValueError, match="channels must be one of"):
        tf.io.decode_jpeg(JPEG, channels=2)
    with pytest.raises(ValueError, match="one string"):
        tf.io.decode_png([PNG])


def test_without_pillow(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ImportError, match=r"pip install gradtape\[images\]"):
        tf.io.decode_png(PNG)
