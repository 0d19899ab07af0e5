"""Public activation functions, and the bias that comes before them.

``features`` is a tensor, or what converts to one, of any shape; the result has its shape and, unless stated,
its dtype. A NaN gives NaN.
"""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from gradtape._src.core.convert import as_operands, as_tensor
from gradtape._src.core.dtypes import from_numpy, is_floating_np, is_integer_np
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.shapes import in_brackets
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.ops import activations as ops
from gradtape._src.ops.arithmetic import multiply, negative
from gradtape._src.ops.arrays import reshape
from gradtape._src.ops.casting import cast
from gradtape._src.ops.elementwise import sigmoid
from gradtape._src.ops.joining import concat


def relu(features, name=None):
    """max(x, 0).

    Real numbers. The gradient at 0 is 0.

    >>> import gradtape as tf
    >>> print(tf.nn.relu([-2.0, 0.0, 3.0]).numpy())
    [0. 0. 3.]

    Nair, Hinton: Rectified linear units improve restricted Boltzmann machines (2010).
    """
    return ops.relu.of(features, name)


def relu6(features, name=None):
    """min(max(x, 0), 6).

    Real numbers. The gradient at 0 and at 6 is 0.

    >>> import gradtape as tf
    >>> print(tf.nn.relu6([-2.0, 3.0, 8.0]).numpy())
    [0. 3. 6.]

    Krizhevsky: Convolutional deep belief networks on CIFAR-10 (2010).
    """
    return ops.relu6.of(features, name)


def crelu(features, axis=-1, name=None):
    """relu(x) and relu(-x), one behind the other along an axis.

    Real numbers; the axis is twice as long in the result.

    >>> import gradtape as tf
    >>> print(tf.nn.crelu([[-2.0, 3.0]]).numpy())
    [[0. 3. 2. 0.]]

    Shang et al.: Understanding and improving convolutional neural networks via concatenated rectified linear
    units, arXiv:1603.05201.
    """
    x = as_tensor(features)
    return ops.relu.of(concat.of(x, negative.of(x), axis=int(axis)), name)


def leaky_relu(features, alpha=0.2, name=None):
    """x where it is positive, alpha x elsewhere.

    Floating-point numbers; of integers the result is float32. ``alpha`` is a number, not a tensor
    (TypeError). The gradient at 0 is alpha.

    >>> import gradtape as tf
    >>> print(tf.nn.leaky_relu([-2.0, 3.0]).numpy())
    [-0.4  3. ]

    Maas et al.: Rectifier nonlinearities improve neural network acoustic models (2013).
    """
    x = as_tensor(features)
    if is_integer_np(dtype_of(x)):
        x = cast.of(x, dtype=np.dtype(np.float32))
    if not isinstance(alpha, Real):
        raise TypeError(f"Expected float for argument 'alpha' not {alpha!r}.")
    return ops.leaky_relu.of(x, alpha=float(alpha), name=name)


def elu(features, name=None):
    """x where it is positive, e^x - 1 elsewhere.

    Floating-point numbers. The gradient at 0 is 1, the second derivative there 0.

    >>> import gradtape as tf
    >>> print(tf.nn.elu([-1.0, 2.0]).numpy().round(4))
    [-0.6321  2.    ]

    Clevert, Unterthiner, Hochreiter: Fast and accurate deep network learning by exponential linear units,
    arXiv:1511.07289.
    """
    return ops.elu.of(features, name)


def selu(features, name=None):
    """1.0507 x where x is positive, 1.7581 (e^x - 1) elsewhere: keeps mean 0 and variance 1.

    Floating-point numbers. The gradient at 0 is 1.0507.

    >>> import gradtape as tf
    >>> print(tf.nn.selu([-1.0, 2.0]).numpy().round(4))
    [-1.1113  2.1014]

    Klambauer et al.: Self-normalizing neural networks, arXiv:1706.02515, equation 2.
    """
    return ops.selu.of(features, name)


def gelu(features, approximate=False, name=None):
    """x Φ(x), with Φ the distribution function of the standard normal distribution.

    With ``approximate``: x (1 + tanh(√(2/π) (x + 0.044715 x³))) / 2. Floating-point numbers (else ValueError).

    >>> import gradtape as tf
    >>> print(tf.nn.gelu([-1.0, 2.0]).numpy().round(4))
    [-0.1587  1.9545]

    Hendrycks, Gimpel: Gaussian error linear units, arXiv:1606.08415.
    """
    x = as_tensor(features)
    if not is_floating_np(dtype_of(x)):
        raise ValueError(
            "`features.dtype` must be a floating point tensor.Received:features.dtype="
            f"{from_numpy(dtype_of(x))}. Use tf.cast to convert it."
        )
    return (ops.gelu_tanh if approximate else ops.gelu).of(x, name)


def silu(features, beta=1.0):
    """x sigmoid(beta x), also called swish.

    Floating-point or complex numbers. ``beta`` is a number or a tensor that broadcasts, and has a gradient.

    >>> import gradtape as tf
    >>> print(tf.nn.silu([-1.0, 2.0]).numpy().round(4))
    [-0.2689  1.7616]

    Ramachandran, Zoph, Le: Searching for activation functions, arXiv:1710.05941.
    """
    x = as_tensor(features)
    if type(beta) is float and beta == 1 and is_floating_np(dtype_of(x)):
        return ops.silu.of(x)
    if not isinstance(beta, Real):
        beta = as_tensor(beta)
        if dtype_of(beta) != dtype_of(x):
            beta = cast.of(beta, dtype=dtype_of(x))
    return multiply.of(x, sigmoid.of(x if isinstance(beta, Real) and beta == 1 else multiply.of(x, beta)))


swish = silu


# --- Bias ---------------------------------------------------------------------------------------------------


def bias_add(value, bias, data_format=None, name=None):
    """Adds to each channel a number of its own.

    Args:
      value: numbers, of rank 2 at least; channels are the last axis, or axis 1 if ``data_format`` starts with "NC".
      bias: a vector of the same dtype, one number a channel.
      data_format: None, or text of the form "N...C" or "NC...".
      name: of the operation in a graph.

    Raises:
      InvalidArgumentError: value has too low a rank, or bias is no vector, or not one of as many channels.
      ValueError: any other ``data_format``.

    >>> import gradtape as tf
    >>> print(tf.nn.bias_add([[1.0, 2.0], [3.0, 4.0]], [10.0, 20.0]).numpy())
    [[11. 22.]
     [13. 24.]]

    As TensorFlow 2.21.
    """
    first = _channels_first(data_format)
    x, bias = map(as_tensor, as_operands(value, bias))
    have, want = shape_of(x), shape_of(bias)
    if have is not None and want is not None:
        _check_bias(have, want, 1 if first else -1)
    if first and have is not None and len(have) > 2:
        bias = reshape.of(bias, (-1, *(1,) * (len(have) - 2)))
    return ops.bias_add.of(x, bias, name)


def _channels_first(data_format: Any) -> bool:
    if data_format is None:
        return False
    if isinstance(data_format, str):
        if data_format.startswith("NC"):
            return True
        if data_format.startswith("N") and data_format.endswith("C"):
            return False
    raise ValueError(
        f"`data_format` must be of the form `N...C` or `NC...`. Received: data_format={data_format}"
    )


def _check_bias(have: tuple[Any, ...], want: tuple[Any, ...], axis: int) -> None:
    if len(have) < 2:
        why = f"Input tensor must be at least 2D: {in_brackets(have)}"
    elif len(want) != 1:
        why = f"Biases must be 1D: {in_brackets(want)}"
    elif have[axis] is not None and want[0] is not None and have[axis] != want[0]:
        which = "last" if axis == -1 else "second"
        why = (
            f"Must provide as many biases as the {which} dimension of the input tensor: {in_brackets(want)} vs. "
            f"{in_brackets(have)}"
        )
    else:
        return
    raise InvalidArgumentError.of(f"{why} [Op:BiasAdd]")
