"""``tf.debugging``: assertions about values, dtypes and shapes.

What is known when the function is called is checked then, with ``TypeError`` and ``ValueError``; values are checked
when they are there, with ``InvalidArgumentError``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from gradtape._src.core.convert import as_operands, as_tensor
from gradtape._src.core.dtypes import as_dtype, float32, from_numpy
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Binary, Op
from gradtape._src.core.values import EagerTensor, Tensor, dtype_of, shape_of
from gradtape._src.function.assertions import check
from gradtape._src.graph.ir import Symbol
from gradtape._src.ops.arithmetic import subtract
from gradtape._src.ops.comparison import equal, greater, greater_equal, less, less_equal, not_equal
from gradtape._src.ops.complex import absolute
from gradtape._src.ops.measuring import rank as rank_op
from gradtape._src.ops.measuring import shape as shape_vector
from gradtape._src.ops.reduction import reduce_all
from gradtape._src.ops.variables import Variable


def Assert(condition: Any, data: Any, summarize: int | None = None, name: str | None = None) -> Any:
    """Fails if ``condition`` does not hold.

    Args:
      condition: a boolean tensor.
      data: a list of tensors to show then, and texts.
      summarize: how many elements of each tensor to show; 3 by default, in eager mode all.

    Returns:
      None in eager mode; in a graph the operation.

    Raises:
      InvalidArgumentError: it does not hold.

    >>> import gradtape as tf
    >>> tf.debugging.Assert(tf.constant(2) > 1, ["too little"])

    As TensorFlow 2.21.
    """
    condition = as_tensor(condition)

    def message() -> str:
        shown = "\n".join(_shown(as_tensor(x), summarize) for x in data)
        return f"Expected '{condition!s}' to be true. Summarized data: {shown}"

    return check(condition, [x if isinstance(x, str) else as_tensor(x) for x in data], summarize, message)


def _shown(x: Any, summarize: int | None) -> str:
    flat = np.asarray(x._data).reshape(-1)
    if summarize is not None and summarize >= 0 and summarize < flat.size:
        return ", ".join([*map(_plain, flat[:summarize]), "..."])
    return ", ".join(map(_plain, flat))


def _plain(value: Any) -> str:
    return repr(value) if isinstance(value, bytes) else str(value)


# --- Two values ---------------------------------------------------------------------------------------------


def _compared(
    op: Binary, sign: str, x: Any, y: Any, message: Any, summarize: int | None, name: str | None
) -> Any:
    x, y = map(as_tensor, as_operands(x, y))
    holds = op.of(x, y)
    prefix = [] if message is None else [str(message)]
    label = lambda a, letter: (
        f"{letter} ({a.name if isinstance(a, Symbol) else f'shape={a.shape} dtype={a.dtype.name}'}) = "
    )
    data = [*prefix, f"Condition x {sign} y did not hold element-wise:", label(x, "x"), x, label(y, "y"), y]

    def text() -> str:
        n = 3 if summarize is None else summarize
        a, b, held = (np.asarray(part._data) for part in (x, y, holds))
        lines = [*prefix, f"Condition x {sign} y did not hold."]
        if a.shape == b.shape:
            wrong = np.argwhere(~held)[: n if n >= 0 else None]
            at = tuple(wrong.T)
            lines += [
                f"Indices of first {len(wrong)} different values:\n{wrong}",
                f"Corresponding x values:\n{a[at]}",
                f"Corresponding y values:\n{b[at]}",
            ]
        for letter, part in (("x", a), ("y", b)):
            first = part.reshape(-1)[: n if n >= 0 else None]
            lines.append(f"First {len(first)} elements of {letter}:\n{first}")
        return "\n".join(lines)

    return check(holds, data, summarize, text)


def assert_equal(
    x: Any, y: Any, message: Any = None, summarize: int | None = None, name: str | None = None
) -> Any:
    """Fails unless ``x[i] == y[i]`` for all elements (after broadcasting).

    Args:
      message: comes first in the error's text.
      summarize: how many elements to show; 3 by default.

    Raises:
      InvalidArgumentError: when the values are there and it does not hold.

    >>> import gradtape as tf
    >>> tf.debugging.assert_equal(tf.constant([1, 2]), [1, 2])

    As TensorFlow 2.21, and so are the assertions below.
    """
    return _compared(equal, "==", x, y, message, summarize, name)


def assert_none_equal(
    x: Any, y: Any, summarize: int | None = None, message: Any = None, name: str | None = None
) -> Any:
    """Fails unless ``x[i] != y[i]`` for all elements; see `assert_equal`.

    >>> import gradtape as tf
    >>> tf.debugging.assert_none_equal(tf.constant([1, 2]), [2, 1])
    """
    return _compared(not_equal, "!=", x, y, message, summarize, name)


def assert_less(
    x: Any, y: Any, message: Any = None, summarize: int | None = None, name: str | None = None
) -> Any:
    """Fails unless ``x[i] < y[i]`` for all elements; see `assert_equal`.

    >>> import gradtape as tf
    >>> tf.debugging.assert_less(tf.constant([1, 2]), 3)
    """
    return _compared(less, "<", x, y, message, summarize, name)


def assert_less_equal(
    x: Any, y: Any, message: Any = None, summarize: int | None = None, name: str | None = None
) -> Any:
    """Fails unless ``x[i] <= y[i]`` for all elements; see `assert_equal`.

    >>> import gradtape as tf
    >>> tf.debugging.assert_less_equal(tf.constant([1, 2]), 2)
    """
    return _compared(less_equal, "<=", x, y, message, summarize, name)


def assert_greater(
    x: Any, y: Any, message: Any = None, summarize: int | None = None, name: str | None = None
) -> Any:
    """Fails unless ``x[i] > y[i]`` for all elements; see `assert_equal`.

    >>> import gradtape as tf
    >>> tf.debugging.assert_greater(tf.constant([1, 2]), 0)
    """
    return _compared(greater, ">", x, y, message, summarize, name)


def assert_greater_equal(
    x: Any, y: Any, message: Any = None, summarize: int | None = None, name: str | None = None
) -> Any:
    """Fails unless ``x[i] >= y[i]`` for all elements; see `assert_equal`.

    >>> import gradtape as tf
    >>> tf.debugging.assert_greater_equal(tf.constant([1, 2]), 1)
    """
    return _compared(greater_equal, ">=", x, y, message, summarize, name)


def assert_near(
    x: Any,
    y: Any,
    rtol: Any = None,
    atol: Any = None,
    message: Any = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Any:
    """Fails unless ``|x[i] - y[i]| <= atol + rtol * |y[i]|`` for all elements.

    Args:
      rtol, atol: 10 times the distance from 1 to the next number of the dtype, by default.

    >>> import gradtape as tf
    >>> tf.debugging.assert_near(tf.constant(1.0), 1.0 + 1e-6)
    """
    x = as_tensor(x)
    y = as_tensor(y, x.dtype)
    dtype = dtype_of(x)
    epsilon = 10 * np.finfo(dtype if dtype.kind in "fc" else np.float64).eps
    tolerances = [
        as_tensor(epsilon if t is None else t, from_numpy(np.real(np.zeros((), dtype)).dtype))
        for t in (rtol, atol)
    ]
    holds = less.of(absolute(subtract.of(x, y)), tolerances[1] + tolerances[0] * absolute(y))
    prefix = "" if message is None else f"{message}.  "
    about = f"x and y not equal to tolerance rtol = {tolerances[0]!s}, atol = {tolerances[1]!s}"
    label = lambda a, letter: (
        f"{letter} ({a.name if isinstance(a, Symbol) else f'shape={a.shape} dtype={a.dtype.name}'}) = "
    )
    return Assert(
        reduce_all.of(holds, axis=None, keepdims=False),
        [prefix, about, label(x, "x"), x, label(y, "y"), y],
        summarize,
    )


# --- One value ----------------------------------------------------------------------------------------------


def _against_zero(op: Binary, sign: str, x: Any, message: Any, summarize: int | None) -> Any:
    x = as_tensor(x)
    holds = op.of(x, as_tensor(0, x.dtype))
    prefix = "" if message is None else f"{message}.  "
    described = x.name if isinstance(x, Symbol) else f"shape={x.shape} dtype={x.dtype.name}"
    data = [prefix, f"Condition x {sign} 0 did not hold element-wise:", f"x ({described}) = ", x]

    def text() -> str:
        flat = np.asarray(x._data).reshape(-1)
        values = [str(v) for v in flat[: None if summarize is None or summarize < 0 else summarize]]
        return "\n".join([*map(str, data[:3]), str(values)])

    return check(holds, data, summarize, text)


def assert_positive(
    x: Any, message: Any = None, summarize: int | None = None, name: str | None = None
) -> Any:
    """Fails unless ``x[i] > 0`` for all elements; see `assert_equal`.

    >>> import gradtape as tf
    >>> tf.debugging.assert_positive(tf.constant([1, 2]))
    """
    return _against_zero(greater, ">", x, message, summarize)


def assert_negative(
    x: Any, message: Any = None, summarize: int | None = None, name: str | None = None
) -> Any:
    """Fails unless ``x[i] < 0`` for all elements; see `assert_equal`.

    >>> import gradtape as tf
    >>> tf.debugging.assert_negative(tf.constant([-1, -2]))
    """
    return _against_zero(less, "<", x, message, summarize)


def assert_non_negative(
    x: Any, message: Any = None, summarize: int | None = None, name: str | None = None
) -> Any:
    """Fails unless ``x[i] >= 0`` for all elements; see `assert_equal`.

    >>> import gradtape as tf
    >>> tf.debugging.assert_non_negative(tf.constant([0, 2]))
    """
    return _against_zero(greater_equal, ">=", x, message, summarize)


def assert_non_positive(
    x: Any, message: Any = None, summarize: int | None = None, name: str | None = None
) -> Any:
    """Fails unless ``x[i] <= 0`` for all elements; see `assert_equal`.

    >>> import gradtape as tf
    >>> tf.debugging.assert_non_positive(tf.constant([0, -2]))
    """
    return _against_zero(less_equal, "<=", x, message, summarize)


def _check_numerics(x: Any, *, message: str) -> Any:
    found = [text for text, bad in (("Inf", np.isinf), ("NaN", np.isnan)) if bad(x).any()]
    if found:
        raise InvalidArgumentError.of(
            f"{message} : Tensor had {' and '.join(found)} values [Op:CheckNumerics]"
        )
    return x


check_numerics_op = Op(
    "CheckNumerics",
    _check_numerics,
    vjp=lambda g, y, x, message: check_numerics_op(
        g, message="Not a number (NaN) or infinity (Inf) values detected in gradient."
    ),
    reads="",
    linear=(0,),
    elementwise=True,
    accepts="float",
    shape=lambda x, message: shape_of(x),
    stateful=True,
)


def check_numerics(tensor: Any, message: str, name: str | None = None) -> Any:
    """``tensor``, if all elements are finite; its cotangent is checked too.

    Raises:
      InvalidArgumentError: an element is infinite or NaN.

    >>> import gradtape as tf
    >>> tf.debugging.check_numerics(tf.constant([1.0]), "x").numpy()
    array([1.], dtype=float32)
    """
    return check_numerics_op.of(as_tensor(tensor), message=message, name=name)


def assert_all_finite(x: Any, message: str, name: str | None = None) -> Any:
    """``x``, if all elements are finite; the same as `check_numerics`.

    >>> import gradtape as tf
    >>> tf.debugging.assert_all_finite(tf.constant([1.0]), "x").numpy()
    array([1.], dtype=float32)
    """
    return check_numerics(x, message, name)
