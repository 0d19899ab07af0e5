"""Writes elementwise.json: TensorFlow 2.21's element-wise mathematics, for tests/api/test_elementwise.py.

Run it with a Python that has TensorFlow: `python tests/golden/make_elementwise.py`. The tests read the
JSON and use
the tables and functions of this file; they import no TensorFlow.
"""

from __future__ import annotations

import inspect
import json
import pathlib
import re
from functools import reduce
from typing import Any

import numpy as np

PATH = pathlib.Path(__file__).with_name("elementwise.json")

DTYPES = """bfloat16 float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 complex64
complex128
    bool string""".split()

UNARY = """abs acos acosh asin asinh atan atanh cos cosh exp floor negative round sigmoid sign sin sinh
sqrt square
    tan tanh math.angle math.ceil math.conj math.digamma math.erf math.erfc math.erfcinv math.erfinv
    math.expm1
    math.imag math.is_finite math.is_inf math.is_nan math.lbeta math.lgamma math.log math.log1p
    math.log_sigmoid
    math.ndtri math.real math.reciprocal math.reciprocal_no_nan math.rint math.rsqrt math.softplus
    math.softsign
    math.bessel_i0 math.bessel_i0e math.bessel_i1 math.bessel_i1e math.special.bessel_j0
    math.special.bessel_j1
    math.special.bessel_k0 math.special.bessel_k0e math.special.bessel_k1 math.special.bessel_k1e
    math.special.bessel_y0 math.special.bessel_y1 math.special.dawsn math.special.expint
    math.special.fresnel_cos
    math.special.fresnel_sin math.special.spence logical_not bitwise.invert""".split()
BINARY = """add subtract multiply divide truediv realdiv maximum minimum pow truncatediv truncatemod equal
not_equal
    less less_equal greater greater_equal logical_and logical_or atan2 complex math.divide_no_nan
    math.multiply_no_nan math.floordiv math.floormod math.mod math.igamma math.igammac math.logical_xor
    math.nextafter math.polygamma math.squared_difference math.xdivy math.xlog1py math.xlogy math.zeta
    bitwise.bitwise_and bitwise.bitwise_or bitwise.bitwise_xor bitwise.left_shift
    bitwise.right_shift""".split()
OTHERS = "add_n clip_by_value scalar_mul math.accumulate_n math.betainc math.polyval".split()
NAMES = [*UNARY, *BINARY, *OTHERS]

# Arguments at which value and gradient are asked for, in float64 or, where they are complex, complex128.
INF, NAN = float("inf"), float("nan")
_LINE = [-2.5, -1.0, -0.5, 0.0, 0.5, 1.0, 2.5]
_INSIDE = [-1.0, -0.7, 0.0, 0.3, 1.0, 1.5]
_POSITIVE = [0.0, 1e-3, 0.5, 1.0, 2.5, 40.0]
_ABOVE = [0.5, 1.0, 1.001, 2.5]
_PLANE = [0.3 + 0.4j, -0.6 + 0.2j, 0.1 - 0.7j, -0.5 - 0.5j]
POINTS: list[tuple[str, list[Any]]] = [
    *((name, [_LINE]) for name in """abs asinh atan cos cosh exp floor negative round sigmoid sign sin sinh
    square tan
        tanh math.angle math.ceil math.conj math.erf math.erfc math.expm1 math.imag math.log_sigmoid math.real
        math.reciprocal math.reciprocal_no_nan math.rint math.softplus math.softsign math.bessel_i0
        math.bessel_i0e
        math.bessel_i1 math.bessel_i1e math.special.bessel_j0 math.special.bessel_j1 math.special.dawsn
        math.special.fresnel_cos math.special.fresnel_sin math.lgamma math.digamma""".split()),
    *((name, [_INSIDE]) for name in "acos asin atanh math.erfinv".split()),
    *((name, [[-1.0, *_POSITIVE]]) for name in "sqrt math.rsqrt math.log math.special.spence".split()),
    *((name, [_POSITIVE]) for name in """math.special.bessel_k0 math.special.bessel_k0e math.special.bessel_k1
        math.special.bessel_k1e math.special.bessel_y0 math.special.bessel_y1 math.special.expint""".split()),
    *((name, [[0.0, 0.2, 0.5, 0.9, 1.0]]) for name in "math.ndtri math.erfcinv".split()),
    ("acosh", [_ABOVE]),
    ("math.log1p", [[-2.0, -1.0, -0.5, 0.0, 3.0]]),
    ("math.lbeta", [[1.0, 2.0, 3.5]]),
    ("math.lbeta", [[[1.0, 2.0], [3.0, 0.5]]]),
    *((name, [[-800.0, 800.0, INF]]) for name in """sigmoid tanh math.softplus math.log_sigmoid
    math.expm1""".split()),
    *((name, [_PLANE]) for name in """abs acos acosh asin asinh atan atanh cos cosh exp negative sigmoid
    sign sin sinh
        sqrt square tan tanh math.angle math.conj math.expm1 math.imag math.log math.log1p math.real
        math.reciprocal
        math.reciprocal_no_nan math.rsqrt""".split()),
    *((name, [_PLANE, _PLANE[::-1]]) for name in """add subtract multiply divide pow math.divide_no_nan
        math.multiply_no_nan math.squared_difference math.xdivy math.xlogy math.xlog1py""".split()),
    *((name, [[-1.5, 0.0, 2.0], [[0.5], [-3.0]]]) for name in """add subtract multiply divide truediv
    realdiv maximum
        minimum math.squared_difference atan2 complex math.floordiv math.floormod truncatediv""".split()),
    *((name, [[1.0, 2.0, NAN, 1.0, -0.0], [1.0, 1.0, 1.0, NAN, 0.0]]) for name in ("maximum", "minimum")),
    *((name, [[1.0, 5.0, -5.0, 5.0, -5.0, 1.0, 1.0], [0.1, 3.0, 3.0, -3.0, -3.0, 0.0, INF]])
      for name in ("math.floordiv", "math.floormod")),
    ("truncatediv", [[1.0, 5.0, -5.0, 5.0, -5.0, 1.0], [0.1, 3.0, 3.0, -3.0, -3.0, 0.0]]),
    ("pow", [[0.0, 0.0, 0.0, 0.0, -1.0, -1.0, -1.0], [1.0, 2.0, 3.0, 0.5, 2.0, 0.5, 3.0]]),
    ("pow", [[-1.0, 0.0, 2.0], 4.0]),
    ("pow", [2.0, [-1.0, 0.0, 2.0]]),
    ("math.divide_no_nan", [[1.0, 0.0, INF, 3.0], [0.0, 0.0, 0.0, 2.0]]),
    ("math.multiply_no_nan", [[INF, NAN, 2.0], [0.0, 0.0, 3.0]]),
    ("math.xlogy", [[0.0, 0.0, 2.0, 2.0, 0.0, 2.0], [0.0, 3.0, 0.0, -1.0, -1.0, 3.0]]),
    ("math.xlog1py", [[0.0, 0.0, 2.0, 2.0, 0.0, 2.0], [-1.0, 3.0, -1.0, -3.0, -2.0, 3.0]]),
    ("math.xdivy", [[0.0, 0.0, 2.0, 0.0, 2.0], [0.0, 3.0, 0.0, NAN, 3.0]]),
    ("math.nextafter", [[1.0, 2.0, 3.0], [2.0, 2.0, 2.0]]),
    ("math.igamma", [[0.5, 2.0, 2.0, 3.0, 1e3, 40.0, 0.01], [1.0, 3.0, 0.0, 50.0, 1e3, 20.0, 0.02]]),
    ("math.igammac", [[0.5, 2.0, 3.0, 1e3, 40.0, 0.01], [1.0, 3.0, 50.0, 1e3, 20.0, 0.02]]),
    ("math.polygamma", [[1.0, 2.0, 1.5, 4.0], [0.5, 0.5, 1.0, 2.5]]),
    ("math.zeta", [[2.0, 3.0, 2.5], [1.0, 0.5, 2.0]]),
    ("math.betainc", [[0.5, 2.0, 2.0], [1.0, 3.0, 4.0], [0.5, 0.2, 0.7]]),
    ("clip_by_value", [_LINE, -1.0, 1.0]),
    ("clip_by_value", [[0.0, 5.0], 3.0, 1.0]),
]  # fmt: skip

ERRORS = """tf.sqrt(tf.constant([1, 2])); tf.sin(1); tf.exp(tf.constant(True)); tf.abs(tf.constant(True));
    tf.maximum(F, D); tf.multiply(F, D); tf.equal(F, D); tf.atan2(F, D); tf.math.xlogy(F, D); tf.pow(F, I);
    tf.divide(F, I); tf.truediv(F, D); tf.math.divide_no_nan(F, D); tf.divide(B, B); tf.math.floordiv(F, I);
    tf.subtract(F, T); tf.maximum(F, T); tf.equal(F, T); tf.not_equal(F, T); tf.less(F, T);
    tf.add(tf.ones([2, 3]), tf.ones([3, 2])); tf.math.floormod(I, 0); tf.math.floordiv(I, 0); tf.pow(I, -1);
    tf.maximum(I, 1.5); tf.multiply(I, 1.5); tf.less(I, 1.5); tf.pow(I, 0.5); tf.bitwise.left_shift(I, 1.5);
    tf.logical_and(F, F); tf.logical_and(1, 0); tf.logical_not(F); tf.logical_not(1);
    tf.math.logical_xor(F, F);
    tf.complex(F, D); tf.complex(I, I); tf.complex(F, I); tf.complex(1, 2); tf.math.conj('a');
    tf.math.real(B);
    tf.math.angle(tf.constant('a')); tf.sin(None); tf.add(F, None); tf.equal(F, None); tf.abs(object());
    tf.clip_by_value(I, 1.5, 2.5); tf.clip_by_value(F, [0.0, 0.0, 0.0], 1.0);
    tf.clip_by_value(F, [[0.0, 0.0], [0.0, 0.0]], 1.0); tf.clip_by_value(F, None, 1.0);
    tf.add_n([F, T]); tf.add_n([F, D]); tf.add_n([]); tf.add_n(3.0); tf.math.accumulate_n([]);
    tf.math.accumulate_n([F, D]); tf.math.accumulate_n([F, T]); tf.math.accumulate_n([F],
    tensor_dtype=tf.int32);
    tf.scalar_mul(F, F); tf.scalar_mul(tf.constant(2), D); tf.math.polyval(F, 2.0); tf.math.lbeta(2.0);
    tf.math.lbeta(I)""".split(";")
ERRORS = [" ".join(text.split()) for text in ERRORS]

EXACT = """tf.math.floordiv([-7, 7, -7], [2, -2, -2]); tf.math.floormod([-7, 7, -7], [2, -2, -2]);
    tf.truncatediv([-7, 7, -7], [2, -2, -2]); tf.truncatemod([-7, 7, -7], [2, -2, -2]); tf.pow(2, 40);
    tf.pow(tf.constant(0), 0); tf.pow([2, 3], 3); tf.sign([-3, 0, 2]); tf.round([0.5, 1.5, -0.5, 2.5]);
    tf.round(I);
    tf.math.rint([0.5, 1.5, -2.5]); tf.bitwise.left_shift([1, 5, -5], [2, 40, -1]);
    tf.bitwise.right_shift([-5, -5, 5, -5], [1, 40, -1, 31]); tf.bitwise.invert(tf.constant([0, 5],
    tf.uint8));
    tf.abs(tf.constant([-128], tf.int8)); tf.add(tf.constant([120], tf.int8), tf.constant([120], tf.int8));
    tf.divide(1, 2); tf.divide(tf.constant([1], tf.int8), tf.constant([2], tf.int8)); tf.divide(I, I);
    tf.math.divide_no_nan(I, tf.constant([0, 2])); tf.equal([1, 2], [1, 3]); tf.equal([NAN], [NAN]);
    tf.equal(['a', 'b'], ['a', 'c']);  tf.less(F, 2);
    tf.maximum(1, F); tf.clip_by_value(F, 0, 1); tf.scalar_mul(2, D); tf.math.polyval([], F);
    tf.math.polyval([3.0], F);
    tf.math.polyval([1.0, 2.0, 3.0], F); tf.add_n([F, F, F]); tf.add_n([I]); tf.math.accumulate_n([F, F],
    shape=[2]);
    tf.complex(1.0, 2.0); tf.math.imag(I); tf.math.real(I); tf.math.lbeta(tf.zeros([0])); tf.math.xlogy(0, F);
    tf.math.zeta(2.0, F) > 1; tf.logical_and(True, [True, False]); tf.math.logical_xor(True, [True, False]);
    tf.math.is_inf([1.0, INF, NAN]); tf.math.nextafter(1.0, 2.0); tf.clip_by_value([NAN], 0.0, 1.0)"""
EXACT = [" ".join(text.split()) for text in EXACT.split(";")]


def find(tf: Any, name: str) -> Any:
    return reduce(getattr, name.split("."), tf)


def signature(function: Any) -> str:
    parameters = inspect.signature(function).parameters.values()
    return str(inspect.Signature([p.replace(annotation=inspect.Parameter.empty) for p in parameters]))


def result_dtype(tf: Any, name: str, dtype: str) -> str:
    """The dtype of the result for arguments of this dtype, or the name of the exception."""
    one = tf.constant(["a", "b"]) if dtype == "string" else tf.cast(tf.constant([1, 1]), dtype)
    try:
        return find(tf, name)(*[one] * (2 if name in BINARY else 1)).dtype.name
    except Exception as error:
        return type(error).__name__


def plain(x: Any) -> Any:
    """Nested lists of an array; a complex number is a pair."""
    x = np.asarray(x)
    if x.dtype.kind == "c":
        x = np.stack([x.real, x.imag], -1)
    return x.tolist()


def value_and_gradients(tf: Any, name: str, points: list[Any]) -> list[Any]:
    """The value, and the gradient of its sum for each argument; of a complex value that of its real part."""
    dtype = np.complex128 if any(np.asarray(p).dtype.kind == "c" for p in points) else np.float64
    xs = [tf.constant(np.asarray(p, dtype)) for p in points]
    with tf.GradientTape() as tape:
        for x in xs:
            tape.watch(x)
        y = find(tf, name)(*xs)
    gradients = tape.gradient(y, xs)
    return [plain(y.numpy()), *(None if g is None else plain(g.numpy()) for g in gradients)]


def evaluated(tf: Any, text: str) -> Any:
    names = {
        "tf": tf,
        "F": tf.constant([1.0, 2.0]),
        "D": tf.constant([1.0, 2.0], tf.float64),
        "T": tf.constant([1.0, 2.0, 3.0]),
        "I": tf.constant([1, 2]),
        "B": tf.constant([True, False]),
        "INF": INF,
        "NAN": NAN,
    }
    return eval(text, names)


def error_of(tf: Any, text: str) -> list[str]:
    try:
        found = evaluated(tf, text)
    except Exception as error:
        message = str(error)
        if message.startswith("{{function_node"):
            message = message.split("}} ", 1)[1]
        return [type(error).__name__, re.sub(r" at 0x\w+", "", message)[:80]]
    return ["none", repr(found)]


def exact(tf: Any, text: str) -> list[Any]:
    y = evaluated(tf, text)
    value = y.numpy()
    if y.dtype == tf.string:
        return ["string", [v.decode() for v in np.asarray(value, object).reshape(-1)]]
    return [y.dtype.name, plain(value)]


def label(name: str, points: list[Any]) -> str:
    return f"{name}{tuple(points)}"


def read() -> dict[str, Any]:
    return json.loads(PATH.read_text(encoding="utf-8"))


def main() -> None:
    import tensorflow as tf

    golden = {
        "signatures": {name: signature(find(tf, name)) for name in NAMES},
        "dtypes": {name: [result_dtype(tf, name, d) for d in DTYPES] for name in (*UNARY, *BINARY)},
        "points": {label(name, points): value_and_gradients(tf, name, points) for name, points in POINTS},
        "errors": {text: error_of(tf, text) for text in ERRORS},
        "exact": {text: exact(tf, text) for text in EXACT},
    }
    sections = []
    for title, answers in golden.items():
        lines = ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in answers.items())
        sections.append(f"{json.dumps(title)}: {{\n{lines}\n}}")
    PATH.write_text("{\n" + ",\n".join(sections) + "\n}\n", encoding="utf-8")
    assert len(golden["points"]) == len(POINTS), "two points have one label"


if __name__ == "__main__":
    main()
