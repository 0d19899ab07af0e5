"""Public reductions: sums, means, products, extremes, truth, counts, moments, norms, positions of extremes.

They share their arguments:

- ``input_tensor``: a tensor, or what converts to one;
- ``axis``: an int, a sequence of ints or an integer tensor; negative ones count from the end. None means all
  axes, an empty sequence none;
- ``keepdims``: whether the axes stay, with length 1.

An axis that is not there raises InvalidArgumentError (ValueError in a graph).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.api.axes import by_axis, integer, reduction_axes
from gradtape._src.api.selection import require
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, bool_, from_numpy, int64
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.values import EagerTensor, Tensor, dtype_of
from gradtape._src.ops import reduction as ops
from gradtape._src.ops import statistics
from gradtape._src.ops.complex import imag, real
from gradtape._src.ops.elementwise import sqrt


def _reduced(op: Any, x: Any, axis: Any, keepdims: Any, name: Any) -> Any:
    if type(x) is not EagerTensor:
        if hasattr(type(x), "_reduced"):
            return x._reduced(op.name, axis, bool(keepdims))
        x = as_tensor(x)
    if axis is not None:
        axis = reduction_axes(axis, x, op.name)
    return op.of(x, axis, bool(keepdims), name)


def reduce_sum(input_tensor, axis=None, keepdims=False, name=None):
    """The sum over axes.

    Numbers; integers wrap around, float16 and bfloat16 are added in float32. The sum of nothing is 0.

    >>> import gradtape as tf
    >>> print(tf.reduce_sum([[1., 2.], [3., 4.]], axis=0).numpy())
    [4. 6.]

    As TensorFlow 2.21.
    """
    return _reduced(ops.reduce_sum, input_tensor, axis, keepdims, name)


def reduce_mean(input_tensor, axis=None, keepdims=False, name=None):
    """The mean over axes.

    Numbers; of integers it is an integer, rounded towards zero. The mean of nothing is NaN (0 for integers).

    >>> import gradtape as tf
    >>> print(tf.reduce_mean([[1., 2.], [3., 5.]], axis=1).numpy(), tf.reduce_mean([1, 2]).numpy())
    [1.5 4. ] 1

    As TensorFlow 2.21.
    """
    return _reduced(ops.reduce_mean, input_tensor, axis, keepdims, name)


def reduce_prod(input_tensor, axis=None, keepdims=False, name=None):
    """The product over axes; its gradients of any order are right where elements are zero.

    Numbers; integers wrap around. The product of nothing is 1.

    >>> import gradtape as tf
    >>> print(tf.reduce_prod([[1., 2.], [3., 4.]], axis=0).numpy())
    [3. 8.]

    As TensorFlow 2.21.
    """
    return _reduced(ops.reduce_prod, input_tensor, axis, keepdims, name)


def reduce_max(input_tensor, axis=None, keepdims=False, name=None):
    """The largest element over axes. Equal largest elements share the gradient equally.

    Real numbers; NaN if there is one. Of nothing it is the least number of the dtype, -inf if there is one.

    >>> import gradtape as tf
    >>> print(tf.reduce_max([[1., 4.], [3., 2.]], axis=1).numpy())
    [4. 3.]

    As TensorFlow 2.21.
    """
    return _reduced(ops.reduce_max, input_tensor, axis, keepdims, name)


def reduce_min(input_tensor, axis=None, keepdims=False, name=None):
    """The smallest element over axes. Equal smallest elements share the gradient equally.

    Real numbers; NaN if there is one. Of nothing it is the largest number of the dtype, inf if there is one.

    >>> import gradtape as tf
    >>> print(tf.reduce_min([[1., 4.], [3., 2.]], axis=1).numpy())
    [1. 2.]

    As TensorFlow 2.21.
    """
    return _reduced(ops.reduce_min, input_tensor, axis, keepdims, name)


def _truths(x: Any, op: Any) -> Any:
    if hasattr(type(x), "_reduced"):
        return x
    if not isinstance(x, Tensor) and not hasattr(x, "__tf_tensor__"):
        return as_tensor(x, bool_)
    x = as_tensor(x)
    found = from_numpy(dtype_of(x))
    if found is not bool_:
        kernel_name = {"float32": "float", "float64": "double", "float16": "half"}.get(found.name, found.name)
        raise InvalidArgumentError.of(
            f"cannot compute {op.name} as input #0(zero-based) was expected to be a bool tensor but is a "
            f"{kernel_name} tensor [Op:{op.name}]. Compare first, for example x != 0."
        )
    return x


def reduce_all(input_tensor, axis=None, keepdims=False, name=None):
    """Whether all elements over axes are true. Of nothing they are.

    bool; TypeError or InvalidArgumentError for other dtypes.

    >>> import gradtape as tf
    >>> print(tf.reduce_all([[True, False], [True, True]], axis=1).numpy())
    [False  True]

    As TensorFlow 2.21.
    """
    return _reduced(ops.reduce_all, _truths(input_tensor, ops.reduce_all), axis, keepdims, name)


def reduce_any(input_tensor, axis=None, keepdims=False, name=None):
    """Whether any element over axes is true. Of nothing none is.

    bool; TypeError or InvalidArgumentError for other dtypes.

    >>> import gradtape as tf
    >>> print(tf.reduce_any([[True, False], [False, False]], axis=1).numpy())
    [ True False]

    As TensorFlow 2.21.
    """
    return _reduced(ops.reduce_any, _truths(input_tensor, ops.reduce_any), axis, keepdims, name)


def reduce_logsumexp(input_tensor, axis=None, keepdims=False, name=None):
    """log(sum(exp(x))) over axes, without overflow: m + log(sum(exp(x - m))) with the largest element m.

    Floating point. Of nothing, or of -inf only, it is -inf, with gradient 0.

    >>> import gradtape as tf
    >>> print(tf.reduce_logsumexp([1000., 0.]).numpy())
    1000.0

    As TensorFlow 2.21.
    """
    return _reduced(statistics.reduce_logsumexp, input_tensor, axis, keepdims, name)


def reduce_variance(input_tensor, axis=None, keepdims=False, name=None):
    """The variance over axes, mean(|x - mean(x)|^2), divided by n, not n - 1.

    Floating point or complex; of complex numbers it is real. TypeError for integers.

    >>> import gradtape as tf
    >>> print(tf.math.reduce_variance([[1., 3.], [2., 2.]], axis=1).numpy())
    [1. 0.]

    As TensorFlow 2.21.
    """
    x = _continuous(input_tensor)
    if not from_numpy(dtype_of(x)).is_complex:
        return _reduced(statistics.reduce_variance, x, axis, keepdims, name)
    parts = [_reduced(statistics.reduce_variance, part(x), axis, keepdims, name) for part in (real, imag)]
    return parts[0] + parts[1]


def _continuous(value: Any) -> Any:
    x = as_tensor(value)
    dtype = from_numpy(dtype_of(x))
    if dtype.is_integer or dtype.is_bool:
        kind = "integer" if dtype.is_integer else "bool"
        raise TypeError(f"Input must be either real or complex. Received {kind} type {dtype!s}. Use tf.cast.")
    return x


def reduce_std(input_tensor, axis=None, keepdims=False, name=None):
    """The standard deviation over axes, the root of `tf.math.reduce_variance`.

    The gradient is (x - mean(x)) / (n std(x)), and 0 where all elements are equal: there std is least.

    Floating point or complex; of complex numbers it is real. TypeError for integers.

    >>> import gradtape as tf
    >>> print(tf.math.reduce_std([[1., 3.], [2., 2.]], axis=1).numpy())
    [1. 0.]

    As TensorFlow 2.21, whose gradient is NaN where all elements are equal.
    """
    x = _continuous(input_tensor)
    if from_numpy(dtype_of(x)).is_complex:
        return sqrt(reduce_variance(x, axis, keepdims, name))
    return _reduced(statistics.reduce_std, x, axis, keepdims, name)


def reduce_euclidean_norm(input_tensor, axis=None, keepdims=False, name=None):
    """The Euclidean norm over axes, sqrt(sum(|x|^2)).

    Numbers; of integers it is rounded down, of complex numbers it is complex with imaginary part 0. Squares
    that overflow or underflow do no harm. The gradient is x / norm, NaN at the zero vector.

    >>> import gradtape as tf
    >>> print(tf.math.reduce_euclidean_norm([[3., 4.], [0., 2.]], axis=1).numpy())
    [5. 2.]

    As TensorFlow 2.21.
    """
    return _reduced(statistics.reduce_euclidean_norm, input_tensor, axis, keepdims, name)


def count_nonzero(input, axis=None, keepdims=None, dtype=int64, name=None):
    """How many elements over axes are not zero; of strings, how many are not empty. NaN is not zero.

    It has no gradient.

    >>> import gradtape as tf
    >>> print(tf.math.count_nonzero([[0., 1.], [2., 3.]], axis=0).numpy())
    [1 2]

    As TensorFlow 2.21.
    """
    x = as_tensor(input)
    axis = reduction_axes(axis, x, "Sum")
    dtype = as_dtype(dtype).np
    return by_axis(ops.count_nonzero, x, axis=axis, keepdims=bool(keepdims), dtype=dtype, name=name)


def zero_fraction(value, name=None):
    """The fraction of the elements that are zero, a float32 scalar; NaN of nothing.

    It has no gradient.

    >>> import gradtape as tf
    >>> print(tf.math.zero_fraction([0., 1., 0., 0.]).numpy())
    0.75

    As TensorFlow 2.21.
    """
    return ops.zero_fraction.of(as_tensor(value), name=name)


# --- Positions ----------------------------------------------------------------------------------------------


def _position(op: Any, value: Any, axis: Any, output_type: Any, allowed: str, name: Any) -> Any:
    x = as_tensor(value)
    if not isinstance(axis, (Tensor, bool, int, np.integer)) and not hasattr(axis, "__tf_tensor__"):
        if axis is not None and not (
            isinstance(axis, np.ndarray) and axis.ndim == 0 and axis.dtype.kind in "iu"
        ):
            raise TypeError(f"axis must be int or Tensor with integer datatype, received {axis!r}.")
    axis = integer(
        0 if axis is None else axis, "Tidx", op.name, "dim must be a scalar, but received tensor of shape:"
    )
    dtype = as_dtype(output_type)
    require(EagerTensor(np.zeros((), dtype.np)), allowed, "output_type", op.name)
    return by_axis(op, x, axis=axis, output_type=dtype.np, name=name)


def argmax(input, axis=None, output_type=int64, name=None):
    """The index of the largest element along one axis, by default 0; of equals the first. NaN is passed by.

    Real numbers or bool; the result is int16, uint16, int32 or int64. It has no gradient.

    >>> import gradtape as tf
    >>> print(tf.argmax([[1., 5.], [3., 2.]], axis=1).numpy())
    [1 0]

    Raises InvalidArgumentError for an axis that is not there or is empty.

    As TensorFlow 2.21.
    """
    return _position(statistics.argmax, input, axis, output_type, "int16, uint16, int32, int64", name)


def argmin(input, axis=None, output_type=int64, name=None):
    """The index of the smallest element along one axis, by default 0; of equals the first. NaN is passed by.

    Real numbers or bool; the result is int32 or int64. It has no gradient.

    >>> import gradtape as tf
    >>> print(tf.argmin([[1., 5.], [3., 2.]], axis=1).numpy())
    [0 1]

    Raises InvalidArgumentError for an axis that is not there or is empty.

    As TensorFlow 2.21.
    """
    return _position(statistics.argmin, input, axis, output_type, "int32, int64", name)
