"""Public running sums, products and log-sum-exps along an axis.

``axis`` is an int or a scalar integer tensor; a negative one counts from the end. ``exclusive`` leaves out
the element itself, ``reverse`` starts at the end. An axis that is not there raises InvalidArgumentError.
"""

from __future__ import annotations

from typing import Any

from gradtape._src.api.axes import by_axis, integer
from gradtape._src.core.convert import as_tensor
from gradtape._src.ops import cumulative as ops


def _scanned(op: Any, x: Any, axis: Any, exclusive: Any, reverse: Any, name: Any) -> Any:
    x = as_tensor(x)
    axis = integer(axis, "Tidx", op.name, "ScanOp: axis must be a scalar, not")
    return by_axis(op, x, axis=axis, exclusive=bool(exclusive), reverse=bool(reverse), name=name)


def cumsum(x, axis=0, exclusive=False, reverse=False, name=None):
    """Running sums: y_k is the sum of x_i for i <= k (``exclusive``: i < k; ``reverse``: i >= k).

    Numbers; integers wrap around, float16 and bfloat16 are added in float32.

    >>> import gradtape as tf
    >>> print(tf.cumsum([1., 2., 4.]).numpy(), tf.cumsum([1., 2., 4.], exclusive=True, reverse=True).numpy())
    [1. 3. 7.] [6. 4. 0.]

    As TensorFlow 2.21.
    """
    return _scanned(ops.cumsum, x, axis, exclusive, reverse, name)


def cumprod(x, axis=0, exclusive=False, reverse=False, name=None):
    """Running products: y_k is the product of x_i for i <= k (``exclusive``: i < k; ``reverse``: i >= k).

    Numbers; integers wrap around. Gradients of any order are right where elements are zero.

    >>> import gradtape as tf
    >>> print(tf.math.cumprod([2., 3., 4.]).numpy(), tf.math.cumprod([2., 3., 4.], exclusive=True).numpy())
    [ 2.  6. 24.] [1. 2. 6.]

    As TensorFlow 2.21, whose gradient is wrong at and behind the first zero.
    """
    return _scanned(ops.cumprod, x, axis, exclusive, reverse, name)


def cumulative_logsumexp(x, axis=0, exclusive=False, reverse=False, name=None):
    """Running log-sum-exps: y_k = log(sum of exp(x_i) for i <= k), without overflow; of nothing -inf.

    Floating point. The gradient of elements that are -inf is 0.

    >>> import gradtape as tf
    >>> print(tf.math.cumulative_logsumexp([0., 0., 0.]).numpy())
    [0.        0.6931472 1.0986123]

    As TensorFlow 2.21.
    """
    return _scanned(ops.cumulative_logsumexp, x, axis, exclusive, reverse, name)
