"""Public functions of random numbers without a state: functions of a seed, a pair of integers.

The same seed gives the same numbers, always; `split` and `fold_in` make new seeds of one. They are TensorFlow
2.21's numbers on a CPU. ``alg`` must be "philox" or "auto_select", which is Philox: as in TensorFlow without
XLA, ThreeFry raises InvalidArgumentError.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from gradtape._src.api.random import (
    COUNTS,
    FLOATS,
    as_sizes,
    at_least_tiny,
    class_dtype,
    one_of,
    parameter,
    scaled,
    with_shape_of,
    within,
)
from gradtape._src.api.static import as_tensors, known_int
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, float32, from_numpy, int32, int64, uint32, uint64
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.shapes import in_brackets
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.ops import random as stateful_ops
from gradtape._src.ops import stateless_random as ops
from gradtape._src.ops.arrays import pack
from gradtape._src.ops.casting import cast
from gradtape._src.ops.index_shuffle import random_index_shuffle

INTEGERS = (int32, int64, uint32, uint64)
_UNIFORM = (*FLOATS, *INTEGERS)


class Algorithm(Enum):
    """The generators of random bits.

    >>> import gradtape as tf
    >>> tf.random.Algorithm.PHILOX.value
    1
    """

    PHILOX = 1
    THREEFRY = 2
    AUTO_SELECT = 3


_NAMES = {"philox": Algorithm.PHILOX, "threefry": Algorithm.THREEFRY, "autoselect": Algorithm.AUTO_SELECT}


def algorithm_number(alg: Any) -> int:
    """The number of a generator that is given by number, name or member of `Algorithm`."""
    if isinstance(alg, Algorithm):
        return alg.value
    if isinstance(alg, str):
        found = _NAMES.get(alg.strip().lower().replace("-", "").replace("_", ""))
        if found is None:
            raise ValueError(
                f"Argument `alg` got unsupported value {alg}. Supported values are philox for the Philox "
                "algorithm, threefry for the ThreeFry algorithm, and auto_select for auto-selection."
            )
        return found.value
    found = as_tensor(alg)
    if not from_numpy(dtype_of(found)).is_integer:
        raise TypeError(f"Can't convert argument `alg` (of value {alg} and type {type(alg)}) to int.")
    return int(found)


def _key_counter(seed: Any, alg: Any = "philox") -> tuple[Any, Any]:
    """Key and counter of a seed, as tensors."""
    number = algorithm_number(alg)
    if number not in (Algorithm.PHILOX.value, Algorithm.AUTO_SELECT.value):
        raise InvalidArgumentError.of(
            f"Unsupported algorithm: {alg}. Use 'philox', which 'auto_select' selects."
        )
    return ops.get_key_counter.of(as_tensor(seed))


# --- Distributions ------------------------------------------------------------------------------------------


def stateless_uniform(shape, seed, minval=0, maxval=None, dtype=float32, name=None, alg="auto_select"):
    """Uniform numbers in [minval, maxval), a function of the seed.

    seed: two integers.
    minval, maxval: of floating-point numbers, tensors that broadcast with ``shape``, to which gradients flow;
      maxval is 1 by default. Of int32 and int64, scalars; or both None, and every integer of the dtype is as
      likely. Of uint32 and uint64, None.
    dtype: a floating-point dtype or one of these; else ValueError.

    >>> import gradtape as tf
    >>> print(tf.random.stateless_uniform([3], seed=[1, 2]).numpy())
    [0.8440604  0.19204533 0.9962232 ]
    >>> print(tf.random.stateless_uniform([5], [1, 2], 0, 10, tf.int32).numpy())
    [0 9 4 9 7]

    As TensorFlow 2.21.
    """
    dtype = as_dtype(dtype)
    if dtype not in _UNIFORM:
        raise ValueError(f"Argument `dtype` got invalid value {dtype}. Accepted dtypes are {_UNIFORM}.")
    if dtype.is_integer:
        if (minval is None) != (maxval is None):
            raise ValueError(
                f"For integer `dtype` argument {dtype}, argument `minval` and `maxval` must be both None or "
                f"not None. Got `minval`={minval} and `maxval`={maxval}."
            )
        if minval is not None and dtype.is_unsigned:
            raise ValueError(
                f"Argument `dtype` got invalid value {dtype} when argument `minval` is not None. Please "
                "don't use unsigned integers in this case."
            )
        if minval is None:
            return _full_int(shape, seed, dtype, alg, name)
        op = ops.stateless_uniform_int
        low, high = as_tensor(minval, dtype), as_tensor(maxval, dtype)
        return op.of(as_sizes(shape, op.name, "Tshape"), *_key_counter(seed, alg), low, high, name=name)
    op = ops.stateless_uniform
    standard = op.of(as_sizes(shape, op.name, "Tshape"), *_key_counter(seed, alg), dtype=dtype.np)
    return within(standard, minval, 1 if maxval is None else maxval, dtype, name)


def stateless_normal(shape, seed, mean=0.0, stddev=1.0, dtype=float32, name=None, alg="auto_select"):
    """Normal numbers, ``mean + stddev * z``, a function of the seed.

    seed: two integers.
    mean, stddev: numbers or tensors that broadcast with ``shape``; gradients flow to them.

    >>> import gradtape as tf
    >>> print(tf.random.stateless_normal([3], seed=[1, 2]).numpy().round(4))
    [0.5441 0.2074 0.0736]

    As TensorFlow 2.21.
    """
    return _standard(ops.stateless_normal, shape, seed, mean, stddev, dtype, name, alg)


def stateless_truncated_normal(
    shape, seed, mean=0.0, stddev=1.0, dtype=float32, name=None, alg="auto_select"
):
    """Normal numbers at most two standard deviations from the mean, a function of the seed.

    Arguments as for `tf.random.stateless_normal`.

    >>> import gradtape as tf
    >>> print(tf.random.stateless_truncated_normal([5], seed=[1, 2]).numpy().round(4))
    [0.5441 0.2074 0.0736 0.0464 0.1682]

    As TensorFlow 2.21.
    """
    return _standard(ops.stateless_truncated_normal, shape, seed, mean, stddev, dtype, name, alg)


def _standard(op: Any, shape: Any, seed: Any, mean: Any, stddev: Any, dtype: Any, name: Any, alg: Any) -> Any:
    dims = as_sizes(shape, op.name, "Tshape")
    dtype = as_dtype(dtype)
    if dtype.is_integer:
        as_tensor(mean, dtype)  # raises TensorFlow's error for 0.0
    dtype = one_of(dtype, FLOATS, op.name)
    return scaled(op.of(dims, *_key_counter(seed, alg), dtype=dtype.np), mean, stddev, dtype, name)


def stateless_gamma(shape, seed, alpha, beta=None, dtype=float32, name=None):
    """Numbers of gamma distributions, a function of the seed.

    shape: of the result; ends with the shape that alpha and beta broadcast to.
    seed: two integers.
    alpha, beta: positive; beta, the inverse scale, is 1 by default. Gradients flow to both.

    >>> import gradtape as tf
    >>> print(tf.random.stateless_gamma([3, 2], [1, 2], [1.0, 2.0]).numpy().round(4))
    [[3.4994 2.2183]
     [1.7193 2.262 ]
     [2.2487 1.4951]]

    See `tf.random.gamma`. As TensorFlow 2.21.
    """
    op = ops.stateless_gamma
    dims = as_sizes(shape, op.name, "Tshape")
    alpha = parameter(alpha, as_dtype(dtype), "alpha")
    beta = parameter(1 if beta is None else beta, as_dtype(dtype), "beta")
    dtype = one_of(dtype, FLOATS, op.name)
    sample = op.of(dims, *_key_counter(seed), with_shape_of(alpha, beta))
    return at_least_tiny(sample, beta, dtype, name)


def stateless_poisson(shape, seed, lam, dtype=int32, name=None):
    """Numbers of Poisson distributions, a function of the seed.

    shape: of the result; ends with the shape of ``lam``, the rates.
    seed: two integers.

    >>> import gradtape as tf
    >>> print(tf.random.stateless_poisson([3, 2], [1, 2], [1.0, 2.0]).numpy())
    [[3 3]
     [3 1]
     [2 6]]

    See `tf.random.poisson`. As TensorFlow 2.21.
    """
    op = ops.stateless_poisson
    dims, rate = as_sizes(shape, op.name, "Tshape"), as_tensor(lam)
    dtype = one_of(dtype, COUNTS, op.name)
    one_of(dtype_of(rate), COUNTS, op.name, "Rtype")
    return op.of(dims, *_key_counter(seed), rate, dtype=dtype.np, name=name)


def stateless_binomial(shape, seed, counts, probs, output_dtype=int32, name=None):
    """Numbers of successes in ``counts`` trials of probability ``probs``, a function of the seed.

    shape: of the result; ends with the shape that counts and probs broadcast to.
    seed: two integers.
    counts: of one of the dtypes float16, float32, float64, int32, int64; ``probs`` is brought to it.

    >>> import gradtape as tf
    >>> print(tf.random.stateless_binomial([3, 2], [1, 2], [10.0, 100.0], 0.3).numpy())
    [[ 5 42]
     [ 5 26]
     [ 5 34]]

    Hörmann, J. Statist. Comput. Simul. 46 (1993) 101; as TensorFlow 2.21.
    """
    op = ops.stateless_binomial
    dims = as_sizes(shape, op.name, "S")
    counts, probs = binomial_parameters(counts, probs, op.name)
    dtype = one_of(output_dtype, COUNTS, op.name)
    return op.of(dims, *_key_counter(seed), counts, probs, dtype=dtype.np, name=name)


def binomial_parameters(counts: Any, probs: Any, op: str) -> tuple[Any, Any]:
    """Counts, brought to the dtype of the probabilities, and these."""
    probs = as_tensor(probs)
    dtype = from_numpy(dtype_of(probs))
    one_of(dtype, (FLOATS[0], *FLOATS[2:]), op, "T")
    counts = as_tensor(counts) if hasattr(counts, "dtype") else as_tensor(counts, dtype)
    return (counts if dtype_of(counts) == dtype.np else cast.of(counts, dtype=dtype.np)), probs


def stateless_parameterized_truncated_normal(
    shape, seed, means=0.0, stddevs=1.0, minvals=-2.0, maxvals=2.0, name=None
):
    """Normal numbers between bounds, a function of the seed.

    shape: of the result; ends with the shape that the parameters broadcast to.
    seed: two integers.
    means, stddevs: of the normal distribution, before it is cut.
    minvals, maxvals: the bounds, in the units of the numbers. One of them may be infinite.
    Gradients flow to all four. InvalidArgumentError if a parameter makes no sense.

    >>> import gradtape as tf
    >>> x = tf.random.stateless_parameterized_truncated_normal([1000], [1, 2], 0.0, 1.0, 3.0, 4.0)
    >>> bool(tf.reduce_all((x >= 3.0) & (x <= 4.0)))
    True

    Robert, Statistics and Computing 5 (1995) 121. As TensorFlow 2.21, but for the gradients: a sample is
    moved at its quantile, so that bounds that stay where they are hold it back.
    """
    op = ops.stateless_parameterized_truncated_normal
    dims = as_sizes(shape, op.name, "S")
    parameters = as_tensors([means, stddevs, minvals, maxvals])
    one_of(dtype_of(parameters[0]), (FLOATS[0], *FLOATS[2:]), op.name)
    return op.of(dims, *_key_counter(seed), *parameters, name=name)


def stateless_categorical(logits, num_samples, seed, dtype=int64, name=None):
    """Class numbers for each row of logits, a function of the seed.

    logits: floating-point, of shape [rows, classes].
    seed: two integers.
    Returns a tensor of shape [rows, num_samples].

    >>> import gradtape as tf
    >>> print(tf.random.stateless_categorical([[0.0, 1.0, 2.0], [1.0, 1.0, 1.0]], 5, [1, 2]).numpy())
    [[2 2 1 2 2]
     [1 2 0 2 2]]

    See `tf.random.categorical`. As TensorFlow 2.21.
    """
    op = ops.stateless_multinomial
    dtype = class_dtype(dtype)
    n = known_int(
        num_samples, op.name, "num_samples", not_a_scalar="num_samples should be a scalar, got shape {shape}"
    )
    return op.of(as_tensor(logits), n, *_key_counter(seed), dtype=dtype.np, name=name)


def v1_stateless_multinomial(logits, num_samples, seed, output_dtype=int64, name=None):
    """`tf.random.stateless_categorical` under its older name.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.random.stateless_multinomial([[0.0, -100.0]], 2, [1, 2]).numpy())
    [[0 0]]

    As TensorFlow 2.21.
    """
    return stateless_categorical(logits, num_samples, seed, output_dtype, name)


# --- Orders -------------------------------------------------------------------------------------------------


def stateless_shuffle(value, seed, alg="auto_select", name=None):
    """The rows of a tensor in random order, a function of the seed.

    >>> import gradtape as tf
    >>> print(tf.random.experimental.stateless_shuffle([1, 2, 3, 4], seed=[8, 9]).numpy())
    [2 1 3 4]

    As TensorFlow 2.21, but gradients flow.
    """
    value = as_tensor(value)
    return stateful_ops.permute_rows.of(
        value, ops.stateless_order.of(value, *_key_counter(seed, alg)), name=name
    )


def index_shuffle(index, seed, max_index):
    """The places of ``index`` in a random permutation of [0, max_index], without making the permutation.

    index: an integer, or a vector of integers.
    seed: two integers, or [n, 2] of them, a pair for each index.
    max_index: of the dtype of ``index``, inclusive.

    >>> import gradtape as tf
    >>> print(tf.random.experimental.index_shuffle(tf.range(10), [1, 2], 9).numpy())
    [5 0 1 4 3 6 9 8 7 2]

    By the cipher Simon, walked along its cycles: see Black and Rogaway, "Ciphers with arbitrary finite
    domains", CT-RSA 2002. As TensorFlow 2.21, which fails for more than one seed, and gives no permutation
    for a max_index of 2^16, 2^18, 2^20, ...
    """
    index = as_tensor(index)
    return random_index_shuffle.of(index, as_tensor(seed), as_tensor(max_index, like=index), rounds=4)


# --- Seeds of seeds -----------------------------------------------------------------------------------------


def _full_int(shape: Any, seed: Any, dtype: Any, alg: Any, name: Any = None) -> Any:
    op = ops.stateless_uniform_full_int
    return op.of(as_sizes(shape, op.name, "Tshape"), *_key_counter(seed, alg), dtype=dtype.np, name=name)


def split(seed, num=2, alg="auto_select"):
    """``num`` new seeds, which give numbers independent of each other: a tensor of shape [num, 2].

    seed: two integers, whose dtype the new seeds have.

    >>> import gradtape as tf
    >>> print(tf.random.split([1, 2], 3).numpy())
    [[1105988140 1738052849]
     [-335576002  370444179]
     [  10670227 -246211131]]

    As TensorFlow 2.21.
    """
    seed = as_tensor(seed)
    dtype = one_of(dtype_of(seed), INTEGERS, "StatelessRandomUniformFullIntV2")
    return _full_int([num, 2], seed, dtype, alg)


def fold_in(seed, data, alg="auto_select"):
    """A new seed, made of a seed and an integer such as the number of a step.

    data: an integer, whose dtype the new seed has.

    >>> import gradtape as tf
    >>> print(tf.random.fold_in([1, 2], 3).numpy())
    [1105988140          3]

    As TensorFlow 2.21.
    """
    data = as_tensor(data)
    if shape_of(data) not in ((), None):
        raise InvalidArgumentError.of(
            "Shapes of all inputs must match: values[0].shape = [] != values[1].shape = "
            f"{in_brackets(shape_of(data))} [Op:Pack]"
        )
    first = _full_int([], seed, one_of(dtype_of(data), INTEGERS, "StatelessRandomUniformFullIntV2"), alg)
    return pack.of(first, data)
