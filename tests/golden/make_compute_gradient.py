"""Makes compute_gradient.json: what TensorFlow's two functions `tf.test.compute_gradient` give.

python tests/golden/make_compute_gradient.py   # with TensorFlow 2.21
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

POINT = np.array([1.5, 2.0])

# name -> dtype, function of TensorFlow's module and a tensor
CASES = {
    "square": ("float32", lambda tf, x: x * x),
    "square in float64": ("float64", lambda tf, x: x * x),
    "square of complex numbers": ("complex64", lambda tf, x: x * x),
    "conjugate": ("complex128", lambda tf, x: tf.math.conj(x) * x),
    "absolute value": ("complex64", lambda tf, x: tf.abs(x)),
    "real to complex": ("float64", lambda tf, x: tf.complex(x, x * x)),
    "rows": ("float32", lambda tf, x: tf.gather(x, [1, 1, 0])),
    "nothing": ("float32", lambda tf, x: x[:0]),
    "stopped": ("float64", lambda tf, x: x * tf.stop_gradient(x)),
}


def point(dtype: str):
    return (POINT + 0.5j if dtype.startswith("complex") else POINT).astype(dtype)


def eagerly(tf, name: str):
    dtype, f = CASES[name]
    (given,), (measured,) = tf.test.compute_gradient(lambda x: f(tf, x), [tf.constant(point(dtype))])
    return given, measured


def in_a_session(tf, v1, name: str):
    dtype, f = CASES[name]
    with tf.Graph().as_default(), v1.Session():
        x = v1.placeholder(dtype, [2])
        y = f(tf, x)
        return v1.test.compute_gradient(x, [2], y, y.shape.as_list(), x_init_value=point(dtype))


def main() -> None:
    import tensorflow as tf

    found = {
        name: [
            [[str(part.dtype), list(part.shape), part.ravel().tolist()] for part in pair]
            for pair in (eagerly(tf, name), in_a_session(tf, tf.compat.v1, name))
        ]
        for name in CASES
    }
    path = Path(__file__).parent / "compute_gradient.json"
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
