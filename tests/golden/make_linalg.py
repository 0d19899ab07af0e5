"""Writes linalg.json: TensorFlow 2.21's linear algebra and Fourier transforms, for tests/api/test_linalg.py.

Run it with a Python that has TensorFlow: `python tests/golden/make_linalg.py`. The tests read the JSON and
use the tables and functions of this file; they import no TensorFlow.
"""

from __future__ import annotations

import inspect
import json
import pathlib
from typing import Any

import numpy as np

PATH = pathlib.Path(__file__).with_name("linalg.json")

LINALG = """adjoint banded_triangular_solve cholesky cholesky_solve cross det eig eigh
    eigh_tridiagonal eigvals eigvalsh einsum expm global_norm inv l2_normalize logdet logm lstsq lu
    lu_matrix_inverse lu_reconstruct lu_solve matmul matrix_rank matrix_transpose matvec norm normalize pinv
    qr slogdet solve sqrtm svd tensordot trace triangular_solve tridiagonal_matmul
    tridiagonal_solve""".split()
SIGNAL = """fft fft2d fft3d fftnd fftshift ifft ifft2d ifft3d ifftnd ifftshift irfft irfft2d irfft3d irfftnd
rfft
    rfft2d rfft3d rfftnd""".split()
TOP = "matmul tensordot einsum norm eig eigvals matrix_square_root".split()
NAMES = [
    *(f"linalg.{name}" for name in LINALG),
    *(f"signal.{name}" for name in SIGNAL),
    *TOP,
    "math.l2_normalize",
    "compat.v1.norm",
    "clip_by_norm",
    "clip_by_global_norm",
    "compat.v1.clip_by_average_norm",
]

rng = np.random.default_rng(7)
ARRAYS: dict[str, Any] = {
    "A": rng.normal(size=(3, 3)) + 3 * np.eye(3),
    "B": rng.normal(size=(3, 2)),
    "M": rng.normal(size=(3, 4)),
    "N": rng.normal(size=(4, 2)),
    "X": rng.normal(size=(2, 3, 4)),
    "Y": rng.normal(size=(2, 4, 2)),
    "W": rng.normal(size=(3, 3)),
    "v": rng.normal(size=3),
    "u": rng.normal(size=4),
    "I": rng.integers(-9, 9, (3, 3)).astype(np.int32),
    "Z": rng.normal(size=(3, 3)) + 1j * rng.normal(size=(3, 3)) + 3 * np.eye(3),
    "z": rng.normal(size=5) + 1j * rng.normal(size=5),
    "bands": rng.normal(size=(3, 4)) + [[0], [4], [0]],
    "lower": rng.normal(size=(3, 4)) + [[4], [0], [0]],
    "upper": rng.normal(size=(3, 4)) + [[0], [0], [4]],
    "beta": rng.normal(size=3),
    "zero": np.zeros((2, 2)),
    "one": np.eye(2),
}
ARRAYS["P"] = ARRAYS["A"] @ ARRAYS["A"].T
ARRAYS["H"] = ARRAYS["Z"] @ ARRAYS["Z"].conj().T
ARRAYS["Q"] = np.stack([ARRAYS["P"], ARRAYS["P"] + np.eye(3)])

# The expressions of linalg.txt: those with a value, and behind an empty line those that raise. In them
# `grad(f, x, ...)` is the gradient of the sum of the real part of f(x, ...), weighted by sin 1, sin 2, ...
VALUES, ERRORS = (
    block.splitlines() for block in PATH.with_suffix(".txt").read_text(encoding="utf-8").strip().split("\n\n")
)


def read() -> Any:
    return json.loads(PATH.read_text(encoding="utf-8"))


def find(tf: Any, name: str) -> Any:
    found = tf
    for part in name.split("."):
        found = getattr(found, part)
    return found


def signature(function: Any) -> list[str]:
    """Parameters and defaults, without annotations."""
    return [
        str(p.replace(annotation=inspect.Parameter.empty))
        for p in inspect.signature(function).parameters.values()
    ]


def namespace(tf: Any) -> dict[str, Any]:
    arrays = {name: tf.constant(value) for name, value in ARRAYS.items()}

    def weighted(y: Any) -> Any:
        n = int(np.prod(y.shape))
        weights = tf.constant(np.sin(np.arange(1, n + 1)).reshape(y.shape), tf.as_dtype(y.dtype).real_dtype)
        return tf.reduce_sum((tf.math.real(y) if y.dtype.is_complex else y) * weights)

    def grad(f: Any, *xs: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(xs)
            y = weighted(f(*xs))
        return tape.gradient(y, xs)

    def by_size(e: Any) -> Any:
        e = e.numpy()
        return tf.constant(e[np.lexsort((e.imag.round(6), e.real.round(6)))])

    return {"tf": tf, "np": np, "L": tf.linalg, "S": tf.signal, "grad": grad, "by_size": by_size, **arrays}


def described(y: Any) -> Any:
    """dtype, shape and numbers; of a tuple, a list of them."""
    if isinstance(y, (tuple, list)):
        return list(map(described, y))
    if y is None:
        return None
    y = np.asarray(y)
    flat = y.reshape(-1)
    numbers = [flat.real.tolist(), flat.imag.tolist()] if y.dtype.kind == "c" else flat.tolist()
    return {"dtype": y.dtype.name, "shape": list(y.shape), "numbers": numbers}


def value(names: dict[str, Any], text: str) -> Any:
    return described(eval(text, names))


def error_of(names: dict[str, Any], text: str) -> list[str] | None:
    """The exception's type and the start of its text, without TensorFlow's name of a node."""
    try:
        eval(text, names)
    except Exception as error:
        message = str(error)
        if message.startswith("{{function_node"):
            message = message.split("}} ", 1)[1]
        return [type(error).__name__, message[:80]]
    return None


def main() -> None:
    import tensorflow as tf

    names = namespace(tf)
    golden = {
        "signatures": {name: signature(find(tf, name)) for name in NAMES},
        "values": {text: value(names, text) for text in VALUES},
        "errors": {text: error_of(names, text) for text in ERRORS},
    }
    PATH.write_text(json.dumps(golden, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
