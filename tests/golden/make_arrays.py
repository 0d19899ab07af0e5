"""Writes arrays.json: what TensorFlow 2.21 gives for the expressions of arrays.txt.

Run it with a Python that has TensorFlow: `python tests/golden/make_arrays.py`. tests/api/test_arrays.py
reads the JSON and uses the functions of this file; it imports no TensorFlow.

An outcome is "dtype shape values", None, a list of outcomes, or the type and text of an error.
"""

from __future__ import annotations

import inspect
import itertools
import json
import pathlib
import re
from typing import Any

import numpy as np

HERE = pathlib.Path(__file__).parent
PATH = HERE / "arrays.json"

NAMES = """
cast saturate_cast bitcast identity identity_n stop_gradient guarantee_const ensure_shape shape
shape_n size rank reshape expand_dims squeeze broadcast_to broadcast_dynamic_shape unravel_index
transpose reverse roll reverse_sequence space_to_batch space_to_batch_nd batch_to_space
required_space_to_batch_paddings concat stack parallel_stack unstack split tile repeat meshgrid pad
zeros ones fill zeros_like ones_like range linspace eye dtypes.cast dtypes.saturate_cast
math.invert_permutation linalg.diag linalg.diag_part linalg.set_diag linalg.tensor_diag
linalg.tensor_diag_part linalg.band_part linalg.eye nn.space_to_depth nn.depth_to_space
nn.space_to_batch compat.v1.batch_to_space compat.v1.batch_to_space_nd compat.v1.expand_dims
compat.v1.squeeze compat.v1.shape compat.v1.size compat.v1.transpose compat.v1.pad
compat.v1.zeros_like compat.v1.ones_like compat.v1.reverse_sequence compat.v1.space_to_batch
compat.v1.space_to_depth compat.v1.depth_to_space compat.v1.to_float compat.v1.to_double
compat.v1.to_int32 compat.v1.to_int64 compat.v1.to_bfloat16 compat.v1.to_complex64
compat.v1.to_complex128
""".split()


def expressions() -> list[str]:
    """The lines of arrays.txt, and systematic ones."""
    return [
        *(HERE / "arrays.txt").read_text(encoding="utf-8").split("\n"),
        *_bands(),
        *_casts(),
        *_paddings(),
    ]


def _bands() -> list[str]:
    found = []
    aligns = ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT")
    shapes = ((3, 4), (4, 3), (3, 3), (1, 4))
    for (rows, columns), align in itertools.product(shapes, aligns):
        for low, high in ((-2, 1), (0, 2), (-1, 0), (-1, -1), (1, 2), (-2, -1)):
            if -low >= rows or high >= columns:
                continue
            x = f"tf.reshape(tf.range(1, {rows * columns + 1}), [{rows}, {columns}])"
            length = min(rows + min(high, 0), columns - max(low, 0))
            count = high - low + 1
            d = f"tf.range(10, {10 + length})"
            if count > 1:
                d = f"tf.reshape(tf.range(10, {10 + count * length}), [{count}, {length}])"
            band = f"k=({low}, {high}), align='{align}'"
            found.append(f"tf.linalg.diag_part({x}, {band}, padding_value=-1)")
            found.append(f"tf.linalg.set_diag({x}, {d}, {band})")
            found.append(
                f"tf.linalg.diag({d}, {band}, num_rows={rows}, num_cols={columns}, padding_value=-1)"
            )
            found.append(f"tf.linalg.diag({d}, {band})")
    return found


def _casts() -> list[str]:
    numbers = "[inf, -inf, 300., -1.5, 3e9, -3e9, 1e20]"
    integers = "int8 uint8 int16 uint16 int32 uint32 int64 uint64".split()
    return [
        *(f"tf.cast(tf.constant({numbers}, '{a}'), '{b}')" for a in ("float32", "float64") for b in integers),
        *(f"tf.cast(tf.constant([300, -1, 7], '{a}'), '{b}')" for a in ("int32", "int64") for b in integers),
        *(
            f"tf.cast(tf.constant([3, 0, 7], '{a}'), '{b}')"
            for a in integers
            for b in ("bool", "float16", "complex64")
        ),
        *(f"tf.saturate_cast(tf.constant([inf, -inf, 300., -1.5], 'float64'), '{b}')" for b in integers[:-4]),
    ]


def _paddings() -> list[str]:
    pairs = ((0, 0), (1, 0), (0, 2), (2, 1), (2, 2), (3, 1))
    return [
        f"G(lambda x: tf.pad(x, [{list(a)}, {list(b)}], '{mode}') ** 2., "
        "tf.reshape(tf.range(1., 10.), [3, 3]))"
        for a, b in zip(pairs, pairs[::-1], strict=True)
        for mode in ("CONSTANT", "REFLECT", "SYMMETRIC")
    ]


def find(tf: Any, name: str) -> Any:
    found = tf
    for part in name.split("."):
        found = getattr(found, part)
    return found


def signature(function: Any) -> str:
    """Names, kinds and plain defaults of the parameters."""
    parts = []
    for parameter in inspect.signature(function).parameters.values():
        default = parameter.default
        plain = default is None or isinstance(default, (bool, int, float, str))
        shown = "" if default is parameter.empty else f"={default!r}" if plain else f"=<{default.name}>"
        parts.append(f"{'*' * (parameter.kind is parameter.VAR_POSITIONAL)}{parameter.name}{shown}")
    return ", ".join(parts)


def evaluate(tf: Any, expression: str) -> Any:
    """The outcome of an expression."""

    def gradient(f: Any, x: Any = None) -> Any:
        x = tf.Variable([[1.0, 2.0], [3.0, 4.0]]) if x is None else x
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, x)

    names = {"tf": tf, "np": np, "inf": float("inf"), "G": gradient}
    names["x"] = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    try:
        return described(eval(expression, names))
    except Exception as error:
        text = re.sub(r"\{\{function_node.*?\}\} ?", "", str(error)).strip()
        return f"{type(error).__name__}: {text.splitlines()[0] if text else ''}"


def described(value: Any) -> Any:
    if value is None:
        return None
    if isinstance(value, (list, tuple)):
        return [described(item) for item in value]
    if not hasattr(value, "numpy"):
        return str(value)
    array = value.numpy()
    if value.dtype.is_complex:
        flat = [[z.real, z.imag] for z in array.reshape(-1).tolist()]
    elif value.dtype.name == "string":
        flat = [item.decode() for item in np.reshape(array, -1).tolist()]
    else:
        flat = array.reshape(-1).astype(np.float64 if value.dtype.is_floating else array.dtype).tolist()
    return f"{value.dtype.name} {list(value.shape)} {flat}"


def read() -> dict[str, Any]:
    return json.loads(PATH.read_text(encoding="utf-8"))


if __name__ == "__main__":
    import tensorflow as tf

    golden = {
        "signatures": {name: signature(find(tf, name)) for name in NAMES},
        "outcomes": {expression: evaluate(tf, expression) for expression in expressions()},
    }
    PATH.write_text(json.dumps(golden, indent=0) + "\n", encoding="utf-8")
