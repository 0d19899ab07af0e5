"""``tf.debugging``: assertions about dtypes and shapes, and settings.

What is known when the function is called is checked then, with ``TypeError`` and ``ValueError``; a shape that is not
known is checked when the graph is executed, with ``InvalidArgumentError``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, float32
from gradtape._src.core.values import EagerTensor, Tensor, shape_of
from gradtape._src.function.assertions import check
from gradtape._src.graph.ir import Symbol
from gradtape._src.ops.comparison import equal, greater_equal
from gradtape._src.ops.measuring import rank as rank_op
from gradtape._src.ops.measuring import shape as shape_vector
from gradtape._src.ops.variables import Variable

# --- Dtypes -------------------------------------------------------------------------------------------------


def _with(message: Any, text: str) -> str:
    return text if message is None or message == "" else f"{message}.  {text}"


def assert_integer(x: Any, message: Any = None, name: str | None = None) -> None:
    """Raises ``TypeError`` unless ``x`` is of an integer dtype.

    >>> import gradtape as tf
    >>> tf.debugging.assert_integer(tf.constant(1))
    """
    x = as_tensor(x)
    if not x.dtype.is_integer:
        what = x.name if isinstance(x, Symbol) else "tensor"
        raise TypeError(_with(message, f'Expected "x" to be integer type.  Found: {what} of dtype {x.dtype}'))


def assert_type(tensor: Any, tf_type: Any, message: Any = None, name: str | None = None) -> None:
    """Raises ``TypeError`` unless ``tensor`` is of the dtype ``tf_type``.

    >>> import gradtape as tf
    >>> tf.debugging.assert_type(tf.constant(1), tf.int32)
    """
    tensor, wanted = as_tensor(tensor), as_dtype(tf_type)
    if tensor.dtype != wanted:
        what = tensor.name if isinstance(tensor, Symbol) else "tensor"
        raise TypeError(_with(message, f"{what} must be of type {wanted!r}; got {tensor.dtype!r}"))


def assert_same_float_dtype(tensors: Any = None, dtype: Any = None) -> Any:
    """The floating dtype that all ``tensors`` have; ``tf.float32`` if there are none.

    Raises:
      ValueError: they differ from each other or from ``dtype``, or it is not floating.

    >>> import gradtape as tf
    >>> tf.debugging.assert_same_float_dtype([tf.constant(1.0), tf.constant(2.0)])
    tf.float32
    """
    expected, first = None if dtype is None else as_dtype(dtype), None
    for x in tensors or ():
        if expected is None:
            expected, first = x.dtype, x
        elif x.dtype != expected:
            than = "" if first is None else f" as {first!s}"
            raise ValueError(f"{x!s}, type={x.dtype}, must be of the same type ({expected}){than}.")
    expected = expected or float32
    if not expected.is_floating:
        raise ValueError(f"Expected floating point type, got {expected}.")
    return expected


def is_numeric_tensor(tensor: Any) -> bool:
    """Whether ``tensor`` is a tensor of numbers.

    >>> import gradtape as tf
    >>> tf.debugging.is_numeric_tensor(tf.constant(1)), tf.debugging.is_numeric_tensor(1)
    (True, False)
    """
    return isinstance(tensor, (Tensor, Variable)) and tensor.dtype.is_numeric


def assert_proper_iterable(values: Any) -> None:
    """Raises ``TypeError`` if ``values`` is a tensor, an array or a text, or cannot be iterated over.

    >>> import gradtape as tf
    >>> tf.debugging.assert_proper_iterable([tf.constant(1)])
    """
    if isinstance(values, (Tensor, np.ndarray, bytes, str, Variable)):
        raise TypeError(f'Expected argument "values" to be a "proper" iterable.  Found: {type(values)}')
    if not isinstance(values, Iterable):
        raise TypeError(f'Expected argument "values" to be iterable.  Found: {type(values)}')


# --- Shapes -------------------------------------------------------------------------------------------------


def _ranked(x: Any, message: Any, holds: Any, condition: Any, wanted: str, numbers: list[Any]) -> Any:
    """Checks a rank: at once if it is known, else by an operation."""
    shape = shape_of(x)
    name = x.name if isinstance(x, Symbol) else ""
    if shape is not None:
        if not holds(len(shape)):
            raise ValueError(
                _with(
                    message, f"Tensor {name} must have {wanted}.  Received rank {len(shape)}, shape {shape}"
                )
            )
        return None
    prefix = "" if message is None else f"{message}.  "
    words = wanted.rsplit(" ", len(numbers))[0] if len(numbers) == 1 else wanted.partition(" (")[0]
    data = [
        prefix,
        f"Tensor {name} must have {words}",
        *numbers,
        "Received shape: ",
        shape_vector.of(x, out_type=np.dtype(np.int32)),
    ]
    return check(condition(rank_op.of(x)), data, None, lambda: "")


def assert_rank(x: Any, rank: Any, message: Any = None, name: str | None = None) -> Any:
    """Raises ``ValueError`` unless ``x`` has this rank; if it is not known, checks when the graph is executed.

    >>> import gradtape as tf
    >>> tf.debugging.assert_rank(tf.zeros([2, 3]), 2)
    """
    x, n = as_tensor(x), int(rank)
    return _ranked(x, message, lambda r: r == n, lambda r: equal.of(r, n), f"rank {n}", [n])


def assert_rank_at_least(x: Any, rank: Any, message: Any = None, name: str | None = None) -> Any:
    """Raises ``ValueError`` unless ``x`` has this rank or a higher one; see `assert_rank`.

    >>> import gradtape as tf
    >>> tf.debugging.assert_rank_at_least(tf.zeros([2, 3]), 1)
    """
    x, n = as_tensor(x), int(rank)
    return _ranked(x, message, lambda r: r >= n, lambda r: greater_equal.of(r, n), f"rank at least {n}", [n])


def assert_rank_in(x: Any, ranks: Any, message: Any = None, name: str | None = None) -> Any:
    """Raises ``ValueError`` unless ``x`` has one of these ranks; see `assert_rank`.

    >>> import gradtape as tf
    >>> tf.debugging.assert_rank_in(tf.zeros([2, 3]), [1, 2])
    """
    x, ns = as_tensor(x), tuple(int(n) for n in ranks)

    def condition(r: Any) -> Any:
        found = equal.of(r, ns[0])
        for n in ns[1:]:
            found = found | equal.of(r, n)
        return found

    return _ranked(x, message, lambda r: r in ns, condition, f"rank in {ns}", list(ns))


def assert_scalar(tensor: Any, message: Any = None, name: str | None = None) -> Any:
    """``tensor`` as a tensor, if it is a scalar; else raises ``ValueError``.

    >>> import gradtape as tf
    >>> tf.debugging.assert_scalar(tf.constant(1.0))
    """
    tensor = as_tensor(tensor)
    shape = shape_of(tensor)
    if shape != ():
        if isinstance(tensor, Symbol):
            text = f"Expected scalar shape for {tensor.name}, saw shape: {tensor.shape}."
        else:
            text = f"Expected scalar shape, saw shape: {tensor.shape}."
        raise ValueError(_with(message, text))
    return None if type(tensor) is EagerTensor else tensor


def assert_shapes(
    shapes: Any, data: Any = None, summarize: int | None = None, message: Any = None, name: str | None = None
) -> None:
    """Checks shapes against each other.

    Args:
      shapes: pairs (tensor, shape) or a dictionary of them; a shape is a tuple of ints, of letters or words that stand
        for the same size wherever they come, and of None (any size); it may begin with ``"..."`` or ``...``.
      data, summarize: what to show in the error.

    Raises:
      ValueError: a size that is known does not fit.
      InvalidArgumentError: when the graph is executed, a size that was not known does not fit.

    >>> import gradtape as tf
    >>> tf.debugging.assert_shapes([(tf.zeros([2, 3]), ("N", "D")), (tf.zeros([3]), ("D",))])
    """
    pairs = list(shapes.items() if isinstance(shapes, Mapping) else shapes)
    pairs = [
        (as_tensor(x), tuple(wanted) if isinstance(wanted, (tuple, list, str)) else (wanted,))
        for x, wanted in pairs
    ]
    known: dict[Any, tuple[Any, Any, int]] = {}
    for x, wanted in pairs:
        any_rank = bool(wanted) and wanted[0] in ("...", "*", ...)
        sizes = wanted[1:] if any_rank else wanted
        (assert_rank_at_least if any_rank else assert_rank)(x, len(sizes), message)
        shape = shape_of(x)
        for k, size in enumerate(sizes):
            axis = k - len(sizes)
            if size is None or size in (".", "*", "_"):
                continue
            _check_size(x, axis, shape, size, known, message)


def _check_size(x: Any, axis: int, shape: Any, size: Any, known: dict[Any, Any], message: Any) -> None:
    actual: Any = None if shape is None else shape[axis]
    if actual is None:
        actual = shape_vector.of(x, out_type=np.dtype(np.int32))[axis]
    if isinstance(size, int):
        wanted, by = size, "Specified explicitly"
    elif size in known:
        wanted, by = known[size]
    else:
        known[size] = (
            actual,
            f"Specified by {_described(x)} dimension {(len(shape) if shape else 0) + axis}",
        )
        return
    if isinstance(actual, Tensor) or isinstance(wanted, Tensor):
        check(
            equal.of(as_tensor(actual), as_tensor(wanted)),
            [f"{by}.  {_described(x)} must have size ", as_tensor(wanted)],
            None,
            lambda: by,
        )
    elif actual != wanted:
        where = f"{_described(x, 'T')} dimension {len(shape or ()) + axis}"
        received = f"Received size {actual}, shape {shape}"
        raise ValueError(_with(message, f"{by}.  {where} must have size {wanted}.  {received}"))


def _described(x: Any, letter: str = "t") -> str:
    what = x.name if isinstance(x, Symbol) else f"shape={x.shape} dtype={x.dtype.name}"
    return f"{letter}ensor {what}"


# --- Settings -----------------------------------------------------------------------------------------------


def enable_traceback_filtering() -> None:
    """Without effect: tracebacks are always those of Python.

    >>> import gradtape as tf
    >>> tf.debugging.enable_traceback_filtering()
    """


def disable_traceback_filtering() -> None:
    """Without effect, likewise.

    >>> import gradtape as tf
    >>> tf.debugging.disable_traceback_filtering()
    """


def is_traceback_filtering_enabled() -> bool:
    """False.

    >>> import gradtape as tf
    >>> tf.debugging.is_traceback_filtering_enabled()
    False
    """
    return False


_log_device_placement = False


def set_log_device_placement(enabled: bool) -> None:
    """Remembered, without effect: there is one device.

    >>> import gradtape as tf
    >>> tf.debugging.set_log_device_placement(False)
    """
    global _log_device_placement
    _log_device_placement = bool(enabled)


def get_log_device_placement() -> bool:
    """What `set_log_device_placement` was given.

    >>> import gradtape as tf
    >>> tf.debugging.get_log_device_placement()
    False
    """
    return _log_device_placement
