"""What print and repr show; more of it is in tests/golden/tensors.txt."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf

NUMBERS = "float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()


@pytest.mark.parametrize("dtype", [*NUMBERS, "complex64", "complex128", "bool"])
def test_every_dtype(dtype: str):
    zero = tf.constant(False) if dtype == "bool" else tf.constant(0, dtype)
    assert repr(zero).startswith(f"<tf.Tensor: shape=(), dtype={dtype}, numpy=")
    assert str(zero).endswith(f", shape=(), dtype={dtype})")
    row = tf.constant([zero.numpy().item()] * 3, dtype)
    assert repr(row) == f"<tf.Tensor: shape=(3,), dtype={dtype}, numpy={row.numpy()!r}>"
    assert str(row) == f"tf.Tensor({row.numpy()}, shape=(3,), dtype={dtype})"


def test_several_lines_begin_on_a_line_of_their_own():
    x = tf.constant(np.arange(4).reshape(2, 2))
    assert str(x) == "tf.Tensor(\n[[0 1]\n [2 3]], shape=(2, 2), dtype=int64)"
    assert repr(x) == "<tf.Tensor: shape=(2, 2), dtype=int64, numpy=\narray([[0, 1],\n       [2, 3]])>"
    v = tf.Variable(x, name="m")
    assert repr(v) == "<tf.Variable 'm:0' shape=(2, 2) dtype=int64, numpy=\narray([[0, 1],\n       [2, 3]])>"


def test_quantized_numbers_are_shown_as_integers():
    x = tf.constant([1, 2], tf.qint8)
    assert repr(x) == "<tf.Tensor: shape=(2,), dtype=qint8, numpy=array([1, 2], dtype=int8)>"
    assert x.numpy().dtype == np.int8


def test_the_print_options_of_numpy_count():
    x = tf.constant([1 / 3])
    with np.printoptions(precision=2):
        assert str(x) == "tf.Tensor([0.33], shape=(1,), dtype=float32)"


def test_formats():
    assert f"{tf.constant(1.5):.3f}" == "1.500" and f"{tf.constant(1.5, tf.bfloat16):.2f}" == "1.50"
    assert f"{tf.constant(3):05d}" == "00003" and f"{tf.constant([1, 2])}" == "[1 2]"
    with pytest.raises(TypeError, match="unsupported format string"):
        f"{tf.constant([1.5]):.3f}"
