"""``tf.test.compute_gradient``: Jacobians by the tape and by differences, side by side.

A complex number counts as two real ones, its parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from gradtape._src.autodiff.tape import GradientTape
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy, is_differentiable_np, real_np


def compute_gradient(f: Callable[..., Any], x: Sequence[Any], delta: float | None = None) -> Any:
    """The Jacobians of ``f(*x)`` as the tape gives them, and as central differences do.

        numerical[i, j] = (f(x + delta e_j)[i] - f(x - delta e_j)[i]) / (2 delta)

    Args:
      f: a function of tensors that gives a tensor.
      x: a list of its arguments, floating or complex.
      delta: the step; by default 1/1024.

    Returns:
      A pair of lists of arrays, one for each argument, of shape (size of the result, size of the argument). A complex
      number counts as two, its real and its imaginary part.

    Raises:
      ValueError: ``x`` is no list or tuple.
      AssertionError: an argument or the result has no derivatives, of integers for example.

    >>> import gradtape as tf
    >>> theoretical, numerical = tf.test.compute_gradient(lambda x: x * x, [tf.constant([1.0, 2.0])])
    >>> print(theoretical[0])
    [[2. 0.]
     [0. 4.]]

    As TensorFlow 2.21.
    """
    if not isinstance(x, (list, tuple)):
        raise ValueError(
            f"`x` must be a list or tuple of values convertible to a Tensor (arguments to `f`), not a {type(x)}"
        )
    tensors = [as_tensor(value) for value in x]
    for k, tensor in enumerate(tensors):
        check_dtype(tensor.dtype.np, f"argument {k}")
    step = 1.0 / 1024 if delta is None else delta
    given, measured = [], []
    for k, tensor in enumerate(tensors):
        value = lambda moved, k=k: as_tensor(f(*tensors[:k], as_tensor(moved), *tensors[k + 1 :])).numpy()
        given.append(_by_tape(f, tensors, k))
        measured.append(differences(value, tensor.numpy(), step).T)
    return given, measured


def check_dtype(dtype: np.dtype, what: str) -> None:
    """Refuses what has no derivatives."""
    if not is_differentiable_np(dtype):
        raise AssertionError(
            f"Cannot compute gradient for unsupported type {from_numpy(dtype).name} of {what}: only floating and "
            "complex numbers have derivatives. Use tf.cast."
        )


def _by_tape(f: Callable[..., Any], tensors: Sequence[Any], k: int) -> Any:
    with GradientTape(persistent=True) as tape:
        tape.watch(tensors[k])
        y = as_tensor(f(*tensors))
    check_dtype(y.dtype.np, "the result of `f`")
    rows = []
    for seed in units(y.numpy().shape, y.dtype.np):
        g = tape.gradient(y, tensors[k], as_tensor(seed), unconnected_gradients="zero")
        rows.append(parts(as_tensor(g).numpy()))
    size = parts(tensors[k].numpy()).size
    return as_matrix(rows, tensors[k].numpy().dtype, size)


def units(shape: tuple[int, ...], dtype: np.dtype) -> Iterator[Any]:
    """For each real number in a tensor: the tensor in which it is one, and the others are zero."""
    for i in range(parts(np.zeros(shape, dtype)).size):
        unit = np.zeros(shape, dtype)
        _view(unit)[i] = 1
        yield unit


def parts(x: Any) -> Any:
    """All real numbers in an array, one after the other."""
    return _view(np.array(x))


def _view(x: Any) -> Any:
    return x.reshape(-1).view(real_np(x.dtype))


def differences(f: Callable[[Any], Any], x: Any, step: float) -> Any:
    """The derivatives of the numbers of ``f(x)`` by those of ``x``, one row for each of these."""
    rows = []
    for i in range(parts(x).size):
        moved = []
        for sign in (1.0, -1.0):
            value = np.array(x)
            _view(value)[i] += sign * step
            moved.append(parts(f(value)))
        rows.append((moved[0] - moved[1]) / (2 * step))
    return as_matrix(rows, x.dtype, len(rows[0]) if rows else parts(f(x)).size)


def as_matrix(rows: Sequence[Any], dtype: np.dtype, size: int) -> Any:
    """Rows of this size as an array of real numbers, without negative zeros."""
    return np.array(rows, real_np(dtype)).reshape(len(rows), size) + np.zeros((), real_np(dtype))
