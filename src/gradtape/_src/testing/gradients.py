"""``tf.test.compute_gradient``: Jacobians by the tape and by differences, side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradtape._src.autodiff.tape import GradientTape
from gradtape._src.core.convert import as_tensor


def compute_gradient(f: Callable[..., Any], x: Sequence[Any], delta: float | None = None) -> Any:
    """The Jacobians of ``f(*x)`` as the tape gives them, and as central differences do.

        numerical[i, j] = (f(x + delta e_j)[i] - f(x - delta e_j)[i]) / (2 delta)

    Args:
      f: a function of tensors that gives a tensor.
      x: a list of its arguments: real and floating.
      delta: the step; by default 1/1024.

    Returns:
      A pair of lists of arrays, one for each argument, of shape (size of the result, size of the argument).

    Raises:
      ValueError: ``x`` is no list or tuple.

    >>> import gradtape as tf
    >>> theoretical, numerical = tf.test.compute_gradient(lambda x: x * x, [tf.constant([1.0, 2.0])])
    >>> print(theoretical[0])
    [[2. 0.]
     [0. 4.]]

    As TensorFlow 2.21.
    """
    if not isinstance(x, (list, tuple)):
        raise ValueError(
            f"`x` must be a list or tuple of values convertible to a Tensor (arguments to `f`), got {x!r}."
        )
    tensors = [as_tensor(value) for value in x]
    step = 1.0 / 1024 if delta is None else delta
    given, measured = [], []
    for k, tensor in enumerate(tensors):
        with GradientTape() as tape:
            tape.watch(tensor)
            y = as_tensor(f(*tensors))
        jacobian = tape.jacobian(y, tensor, unconnected_gradients="zero").numpy()
        given.append(jacobian.reshape(y.numpy().size, -1))
        measured.append(_differences(f, tensors, k, step))
    return given, measured


def _differences(f: Callable[..., Any], tensors: Sequence[Any], k: int, step: float) -> Any:
    data = tensors[k].numpy()
    columns = []
    for j in range(np.size(data)):
        moved = []
        for sign in (1.0, -1.0):
            value = np.array(data)
            value.reshape(-1)[j] += sign * step
            moved.append(np.ravel(as_tensor(f(*tensors[:k], as_tensor(value), *tensors[k + 1 :])).numpy()))
        columns.append((moved[0] - moved[1]) / (2 * step))
    return np.stack(columns, axis=1)
