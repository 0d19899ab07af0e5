"""``tf.image``: against TensorFlow's answers, differences, and in graphs with unknown sizes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from stored import script

import gradtape as tf

GOLDEN = Path(__file__).parents[1] / "golden"
EXPECTED = json.loads((GOLDEN / "images.json").read_text(encoding="utf-8"))


MAKER = script("make_images")


def assert_alike(found: Any, expected: Any) -> None:
    if isinstance(found, str) or isinstance(expected, str):
        assert found == expected
    elif isinstance(found[0], list):
        for x, y in zip(found, expected, strict=True):
            assert_alike(x, y)
    else:
        assert found[:2] == expected[:2]
        tolerance = {"float32": 1e-5, "float16": 1e-3}.get(found[0], 0)
        np.testing.assert_allclose(found[2], expected[2], rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("line", MAKER.lines())
def test_answers_of_tensorflow(line: str):
    assert_alike(MAKER.answer(line, tf), EXPECTED[line])


FUNCTIONS = {
    "bilinear": lambda x: tf.image.resize(x, [3, 5]),
    "area": lambda x: tf.image.resize(x, [3, 2], "area"),
    "bicubic": lambda x: tf.image.resize(x, [7, 5], "bicubic"),
    "antialias": lambda x: tf.image.resize(x, [2, 2], antialias=True),
    "nearest": lambda x: tf.image.resize(x, [7, 5], "nearest"),
    "crop_or_pad": lambda x: tf.image.resize_with_crop_or_pad(x, 2, 9),
    "contrast": lambda x: tf.image.adjust_contrast(x, 1.5),
    "standardization": tf.image.per_image_standardization,
    "grayscale": tf.image.rgb_to_grayscale,
    "sobel": tf.image.sobel_edges,
    "variation": tf.image.total_variation,
    "hsv": lambda x: tf.image.hsv_to_rgb(tf.image.rgb_to_hsv(x) * 0.9),
    "hue": lambda x: tf.image.adjust_hue(x, 0.3),
    "saturation": lambda x: tf.image.adjust_saturation(x, 0.7),
    "gamma": lambda x: tf.image.adjust_gamma(x, 2.0),
    "yuv": tf.image.rgb_to_yuv,
    "ssim": lambda x: tf.image.ssim(x, x[::-1], 1.0, filter_size=3),
    "crop and resize": lambda x: tf.image.crop_and_resize(x, [[0.1, 0.2, 0.8, 1.1]], [1], [3, 4]),
    "flip": lambda x: tf.image.flip_left_right(tf.image.rot90(x)),
}


def images():
    return np.random.default_rng(1).random((2, 4, 5, 3)).astype(np.float32)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_unknown_sizes_in_a_function(name: str):
    f = tf.function(FUNCTIONS[name], input_signature=[tf.TensorSpec([None, None, None, 3], tf.float32)])
    np.testing.assert_allclose(f(images()), FUNCTIONS[name](images()), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients(name: str):
    f = FUNCTIONS[name]
    rng = np.random.default_rng(2)
    x = tf.constant(images())
    direction = rng.standard_normal(x.shape).astype(np.float32)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
        weights = rng.standard_normal(y.shape).astype(np.float32)
        total = tf.reduce_sum(y * weights)
    slope = np.sum(tape.gradient(total, x).numpy() * direction)
    step = 1e-3
    value = lambda t: np.sum(np.float64(f(x + t * direction).numpy()) * weights)
    assert slope == pytest.approx((value(step) - value(-step)) / (2 * step), rel=2e-2, abs=2e-2)


@pytest.mark.parametrize("method", ["bilinear", "bicubic", "nearest_neighbor", "area"])
def test_resizing_functions_of_tensorflow_1(method: str):
    v1, x = tf.compat.v1.image, images()
    function = getattr(v1, f"resize_{method}")
    numbers = {"bilinear": 0, "nearest_neighbor": 1, "bicubic": 2, "area": 3}
    np.testing.assert_array_equal(function(x, [3, 7]), v1.resize_images(x, [3, 7], numbers[method]))
    if method != "area":
        new = tf.image.resize(x, [3, 7], method.removesuffix("_neighbor"))
        np.testing.assert_array_equal(function(x, [3, 7], half_pixel_centers=True), new)
        with pytest.raises(ValueError, match="align_corners must be False"):
            function(x, [3, 7], align_corners=True, half_pixel_centers=True)
