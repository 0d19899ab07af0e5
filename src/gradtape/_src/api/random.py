"""Public functions of random numbers whose state the library keeps (`tf.random`).

The numbers depend on the global seed, `tf.random.set_seed`, and on the ``seed`` of the call, as in TensorFlow
2.21:

- neither: they cannot be foreseen;
- global seed only: every call after `set_seed` gives other numbers, and a second `set_seed` begins anew;
- both, or ``seed`` only: likewise, but the calls with one ``seed`` have a sequence of their own.

They are TensorFlow's numbers on a CPU, made by the generator Philox 4x32-10 (Salmon et al., "Parallel random
numbers: as easy as 1, 2, 3", SC 2011). Shapes are vectors of integers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.api.static import known_int, static_ints
from gradtape._src.core import seeds
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import DType, as_dtype, bfloat16, float16, float32, float64, int32, int64
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.shapes import broadcast
from gradtape._src.core.values import EagerTensor, Tensor, dtype_of, shape_of
from gradtape._src.graph.ir import current_graph
from gradtape._src.ops import random as ops
from gradtape._src.ops.arithmetic import add, multiply, real_divide, subtract
from gradtape._src.ops.arrays import broadcast_to
from gradtape._src.ops.elementwise import maximum

FLOATS = (float16, bfloat16, float32, float64)
_UNIFORM = (*FLOATS, int32, int64)
COUNTS = (float16, float32, float64, int32, int64)
_KERNEL_NAMES = {"float16": "half", "float32": "float", "float64": "double"}

# --- Arguments ----------------------------------------------------------------------------------------------


def as_sizes(shape: Any, op: str, attr: str = "T") -> Any:
    """A shape as a tuple, or a tensor without data as it is."""
    return static_ints(
        shape, op, attr, not_a_vector="shape must be a vector of {{int32,int64}}, got shape {shape}"
    )


def one_of(dtype: Any, allowed: tuple[DType, ...], op: str, attr: str = "dtype") -> DType:
    """A dtype that a kernel has."""
    dtype = as_dtype(dtype)
    if dtype not in allowed:
        shown, *names = (_KERNEL_NAMES.get(d.name, d.name) for d in (dtype, *allowed))
        raise InvalidArgumentError.of(
            f"Value for attr '{attr}' of {shown} is not in the list of allowed values: {', '.join(names)} "
            f"[Op:{op}]"
        )
    return dtype


def parameter(value: Any, dtype: DType, name: str) -> Any:
    """A parameter of a distribution as a tensor."""
    try:
        return as_tensor(value, dtype)
    except ValueError as error:
        if isinstance(value, Tensor):
            raise ValueError(f"{name}: {error}") from None
        raise


def _stream(seed: Any, shape: Any, *kind: Any) -> Any:
    if seed is None:
        return seeds.stream_for(None)
    wide = isinstance(shape, (Tensor, np.ndarray)) and np.dtype(dtype_of(shape)).itemsize == 8
    return seeds.stream_for(seed, *kind, wide)


def scaled(standard: Any, mean: Any, stddev: Any, dtype: DType, name: str | None) -> Any:
    """mean + stddev * standard."""
    if type(mean) is float and type(stddev) is float and mean == 0.0 and stddev == 1.0 and name is None:
        return standard
    return add.of(
        multiply.of(standard, parameter(stddev, dtype, "stddev")), parameter(mean, dtype, "mean"), name
    )


def within(standard: Any, low: Any, high: Any, dtype: DType, name: str | None) -> Any:
    """low + (high - low) * standard."""
    from_zero = type(low) is int and low == 0
    if from_zero and type(high) is int and high == 1 and name is None:
        return standard
    high = parameter(high, dtype, "max")
    if from_zero:
        return multiply.of(standard, high, name)
    low = parameter(low, dtype, "min")
    return add.of(multiply.of(standard, subtract.of(high, low)), low, name)


# --- Seeds --------------------------------------------------------------------------------------------------


def _set_seed(seed: Any) -> None:
    """Of the graph that is being built, or of eager mode."""
    graph = current_graph()
    if graph is None or graph.building_function:
        seeds.set_global_seed(seed)
    else:
        graph.seed = seeds.as_seed(seed)


def set_seed(seed):
    """Sets the global seed, and begins all random numbers anew.

    seed: an integer; None makes the numbers unpredictable again. TypeError for what is no number.

    >>> import gradtape as tf
    >>> tf.random.set_seed(5)
    >>> first, second = tf.random.uniform([]), tf.random.uniform([])
    >>> tf.random.set_seed(5)
    >>> bool(first == tf.random.uniform([])), bool(first == second)
    (True, False)

    As TensorFlow 2.21.
    """
    _set_seed(seed)


# --- Distributions ------------------------------------------------------------------------------------------


def normal(shape, mean=0.0, stddev=1.0, dtype=float32, seed=None, name=None):
    """Normal numbers: ``mean + stddev * z``, where z is of mean 0 and standard deviation 1.

    mean, stddev: numbers or tensors that broadcast with ``shape``; gradients flow to them.
    dtype: a floating-point dtype.
    Returns a tensor of the broadcast shape. ValueError if a parameter is a tensor of another dtype.

    >>> import gradtape as tf
    >>> tf.random.set_seed(5)
    >>> print(tf.random.normal([2, 2], mean=10.0).numpy().round(4))
    [[9.8197 9.0497]
     [9.9604 9.2575]]

    Box and Muller, Ann. Math. Statist. 29 (1958) 610; as TensorFlow 2.21.
    """
    op = ops.random_standard_normal
    dims = as_sizes(shape, op.name)
    dtype = _with_fractions(dtype, mean, op.name)
    standard = op.of(dims, dtype=dtype.np, stream=_stream(seed, shape, op.name, dtype.name))
    return scaled(standard, mean, stddev, dtype, name)


def _with_fractions(dtype: Any, mean: Any, op: str) -> DType:
    dtype = as_dtype(dtype)
    if dtype.is_integer:
        as_tensor(mean, dtype)  # raises TensorFlow's error for 0.0
    return one_of(dtype, FLOATS, op)


def truncated_normal(shape, mean=0.0, stddev=1.0, dtype=float32, seed=None, name=None):
    """Normal numbers at most two standard deviations from the mean: others are drawn again.

    Arguments as for `tf.random.normal`.

    >>> import gradtape as tf
    >>> z = tf.random.truncated_normal([1000])
    >>> bool(tf.reduce_all(tf.abs(z) <= 2.0))
    True

    As TensorFlow 2.21.
    """
    op = ops.truncated_normal
    dims = as_sizes(shape, op.name)
    dtype = _with_fractions(dtype, mean, op.name)
    standard = op.of(dims, dtype=dtype.np, stream=_stream(seed, shape, op.name, dtype.name))
    return scaled(standard, mean, stddev, dtype, name)


def uniform(shape, minval=0, maxval=None, dtype=float32, seed=None, name=None):
    """Uniform numbers in [minval, maxval).

    minval, maxval: of floating-point numbers, tensors that broadcast with ``shape``, to which gradients flow;
      maxval is 1 by default. Of integers, scalars; maxval is required.
    dtype: a floating-point dtype, int32 or int64; else ValueError.

    Integers are slightly uneven (by less than ``(maxval - minval) / 2^32`` of their probability), unless
    ``maxval - minval`` is a power of 2. InvalidArgumentError if it is not positive.

    >>> import gradtape as tf
    >>> tf.random.set_seed(5)
    >>> print(tf.random.uniform([5], 1, 7, tf.int32).numpy())
    [3 2 3 5 2]

    As TensorFlow 2.21.
    """
    dtype = as_dtype(dtype)
    if dtype not in _UNIFORM:
        raise ValueError(f"Argument `dtype` got invalid value {dtype}. Accepted dtypes are {_UNIFORM}.")
    if maxval is None:
        if dtype.is_integer:
            raise ValueError(f"Must specify maxval for integer dtype {dtype!r}")
        maxval = 1
    if dtype.is_integer:
        op = ops.random_uniform_int
        dims = as_sizes(shape, op.name)
        low, high = as_tensor(minval, dtype), as_tensor(maxval, dtype)
        return op.of(dims, low, high, stream=_stream(seed, shape, op.name, dtype.name), name=name)
    op = ops.random_uniform
    standard = op.of(
        as_sizes(shape, op.name), dtype=dtype.np, stream=_stream(seed, shape, op.name, dtype.name)
    )
    return within(standard, minval, maxval, dtype, name)


def gamma(shape, alpha, beta=None, dtype=float32, seed=None, name=None):
    """Numbers of the gamma distributions of these parameters: of density β^α x^(α-1) e^(-βx) / Γ(α).

    shape: of the samples for each pair of parameters.
    alpha, beta: positive, of shapes that broadcast; beta, the inverse scale, is 1 by default. Gradients flow
    to both.
    dtype: a floating-point dtype, of the parameters too.
    Returns a tensor of shape ``shape + broadcast shape``. Numbers are at least the smallest normal one.

    >>> import gradtape as tf
    >>> tf.random.gamma([10], [0.5, 1.5, 2.5]).shape
    TensorShape([10, 3])

    Marsaglia and Tsang, ACM TOMS 26 (2000) 363; the gradient in alpha: Figurnov, Mohamed and Mnih, "Implicit
    reparameterization gradients", NeurIPS 2018. As TensorFlow 2.21.
    """
    op = ops.random_gamma
    dims = as_sizes(shape, op.name, "S")
    alpha = parameter(alpha, as_dtype(dtype), "alpha")
    beta = parameter(1 if beta is None else beta, as_dtype(dtype), "beta")
    dtype = one_of(dtype, FLOATS, op.name, "T")
    alpha = with_shape_of(alpha, beta)
    sample = op.of(dims, alpha, stream=_stream(seed, shape, op.name, dtype.name))
    return at_least_tiny(sample, beta, dtype, name)


def with_shape_of(alpha: Any, beta: Any) -> Any:
    """alpha, broadcast with beta."""
    try:
        together = broadcast(shape_of(alpha), shape_of(beta))
    except ValueError as error:
        raise InvalidArgumentError.of(f"{error} [Op:BroadcastArgs]") from None
    if together == shape_of(alpha):
        return alpha
    if together is None or None in together:
        return add.of(alpha, subtract.of(beta, beta))
    return broadcast_to.of(alpha, together)


def at_least_tiny(sample: Any, beta: Any, dtype: DType, name: str | None) -> Any:
    """sample / beta, kept away from 0 because logarithms of gamma numbers are taken often."""
    tiny = dtype.np.type(np.finfo(np.float32).tiny if dtype is bfloat16 else np.finfo(dtype.np).tiny)
    return maximum.of(EagerTensor(np.asarray(tiny)), real_divide.of(sample, beta), name)


def poisson(shape, lam, dtype=float32, seed=None, name=None):
    """Numbers of the Poisson distributions of these rates.

    shape: of the samples for each rate.
    lam: the rates, floating-point or int32, int64.
    dtype: of the result: floating-point, int32 or int64. Returns a tensor of shape ``shape + lam.shape``. A
    rate below 0 counts as 0; of NaN and infinity the result is the same. No gradient flows.

    >>> import gradtape as tf
    >>> tf.random.poisson([10], [0.5, 1.5], tf.int32).shape
    TensorShape([10, 2])

    Hörmann, Insurance: Mathematics and Economics 12 (1993) 39; as TensorFlow 2.21.
    """
    op = ops.random_poisson
    dims = as_sizes(shape, op.name, "S")
    dtype = one_of(dtype, COUNTS, op.name)
    rate = as_tensor(lam)
    one_of(dtype_of(rate), COUNTS, op.name, "R")
    stream = _stream(seed, shape, op.name, dtype.name, dtype_of(rate).name)
    return op.of(dims, rate, dtype=dtype.np, stream=stream, name=name)


def categorical(logits, num_samples, dtype=None, seed=None, name=None):
    """Class numbers, for each row of logits with probabilities softmax(logits).

    logits: floating-point, of shape [rows, classes].
    num_samples: how many for each row.
    dtype: int64 by default, or int32; else ValueError.
    Returns a tensor of shape [rows, num_samples]. InvalidArgumentError if logits is not a matrix.

    >>> import gradtape as tf
    >>> print(tf.random.categorical(tf.math.log([[0.0, 1.0], [1.0, 0.0]]), 3).numpy())
    [[1 1 1]
     [0 0 0]]

    By inversion of the cumulative sum; as TensorFlow 2.21.
    """
    op = ops.multinomial
    dtype = int64 if dtype is None else class_dtype(dtype)
    logits = as_tensor(logits)
    n = known_int(
        num_samples, op.name, "num_samples", not_a_scalar="num_samples should be a scalar, got shape {shape}"
    )
    stream = seeds.stream_for(seed, op.name, dtype.name, dtype_of(logits).name)
    return op.of(logits, n, dtype=dtype.np, stream=stream, name=name)


def class_dtype(dtype: Any) -> DType:
    dtype = as_dtype(dtype)
    if dtype not in (int32, int64):
        raise ValueError(f"Argument `dtype` got invalid value {dtype}. Accepted dtypes are {(int32, int64)}.")
    return dtype


def shuffle(value, seed=None, name=None):
    """The rows of a tensor in random order.

    >>> import gradtape as tf
    >>> tf.random.set_seed(5)
    >>> print(tf.random.shuffle([1, 2, 3, 4, 5]).numpy())
    [1 5 2 4 3]

    Fisher and Yates' shuffle; as TensorFlow 2.21, but gradients flow.
    """
    value = as_tensor(value)
    order = ops.random_order.of(value, stream=seeds.stream_for(seed, "RandomShuffle", dtype_of(value).name))
    return ops.permute_rows.of(value, order, name=name)


# --- TensorFlow 1 -------------------------------------------------------------------------------------------


def v1_multinomial(logits, num_samples, seed=None, name=None, output_dtype=None):
    """`tf.random.categorical` with its arguments in another order.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.multinomial([[0.0, -100.0]], 2).numpy())
    [[0 0]]

    As TensorFlow 2.21.
    """
    return categorical(logits, num_samples, output_dtype, seed, name)


def v1_poisson(lam, shape, dtype=float32, seed=None, name=None):
    """`tf.random.poisson` with its arguments in another order.

    >>> import gradtape.compat.v1 as tf
    >>> tf.random_poisson([0.5, 1.5], [10]).shape
    TensorShape([10, 2])

    As TensorFlow 2.21.
    """
    return poisson(shape, lam, dtype, seed, name)


def set_random_seed(seed):
    """Sets the global seed: TensorFlow 1's name of `tf.random.set_seed`.

    >>> import gradtape.compat.v1 as tf
    >>> tf.set_random_seed(1)

    As TensorFlow 2.21.
    """
    _set_seed(seed)


def get_seed(op_seed):
    """The two seeds of an operation with the seed ``op_seed`` (or None); (None, None) without any seed.

    >>> import gradtape.compat.v1 as tf
    >>> tf.set_random_seed(3)
    >>> tf.get_seed(5)
    (3, 5)

    As TensorFlow 2.21.
    """
    graph = current_graph()
    return (seeds.seeds_for(op_seed) if graph is None else graph.random_seeds(op_seed)) or (None, None)
