"""Functions of `tf.keras.ops` for neural networks, linear algebra and control flow."""

from __future__ import annotations

from typing import Any

from gradtape._src.api import einsum as einsums
from gradtape._src.api import norms, products, segment, selection, sorting
from gradtape._src.api.arrays import expand_dims, reshape
from gradtape._src.api.arrays import shape as shape_of_tensor
from gradtape._src.api.casting import cast
from gradtape._src.api.creation import range as range_of
from gradtape._src.api.gathering import gather
from gradtape._src.api.nn_convolution import convolution
from gradtape._src.api.nn_normalization import moments as moments_of
from gradtape._src.api.nn_pooling import pool
from gradtape._src.api.reduction import reduce_max, reduce_sum
from gradtape._src.control.cond import switch_case
from gradtape._src.control.loop import while_loop as loop
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.values import shape_of
from gradtape._src.keras import activations, loss_probabilities
from gradtape._src.keras.operations.numbers import maximum
from gradtape._src.keras.operations.promotion import as_float, promoted
from gradtape._src.keras.settings import as_floatx, image_data_format


def gelu(x, approximate=True):
    """x Φ(x), by default with tanh in the place of the normal distribution."""
    return activations.gelu(as_tensor(x), approximate)


def one_hot(x, num_classes, axis=-1, dtype=None, sparse=False):
    """Class numbers as rows of zeros with a one."""
    return selection.one_hot(cast(x, "int32"), num_classes, axis=axis, dtype=as_floatx(dtype))


def multi_hot(inputs, num_classes=None, axis=-1, dtype=None, sparse=False, **kwargs):
    """The class numbers of each sample as one row of zeros and ones."""
    rows = one_hot(inputs, num_classes or kwargs["num_tokens"], axis, dtype)
    return reduce_max(rows, axis=1 if len(shape_of(as_tensor(inputs))) > 1 else 0)


def categorical_crossentropy(target, output, from_logits=False, axis=-1):
    """-sum(target * log(output)) along an axis."""
    return loss_probabilities.categorical_crossentropy(target, output, from_logits, axis=axis)


def sparse_categorical_crossentropy(target, output, from_logits=False, axis=-1):
    """-log of the probability of the class of each sample."""
    return loss_probabilities.sparse_categorical_crossentropy(target, output, from_logits, axis=axis)


def binary_crossentropy(target, output, from_logits=False):
    """-(target * log(output) + (1 - target) * log(1 - output)), elementwise."""
    return loss_probabilities._binary(as_float(target), as_float(output), from_logits)


def moments(x, axes, keepdims=False, synchronized=False):
    """Mean and variance along axes."""
    return moments_of(as_float(x), axes, keepdims=keepdims)


def normalize(x, axis=-1, order=2, epsilon=None):
    """x divided by its norm along an axis."""
    x = as_float(x)
    kind: Any = order
    length = norms.norm(x, kind, axis, keepdims=True)
    return x / maximum(length, 1e-12 if epsilon is None else epsilon)


def norm(x, ord=None, axis=None, keepdims=False):
    """The norm of vectors, or of matrices if there are two axes."""
    kind: Any = "euclidean" if ord is None or ord == "fro" else ord
    return norms.norm(as_float(x), kind, tuple(axis) if isinstance(axis, list) else axis, keepdims)


def dot_product_attention(
    query, key, value, bias=None, mask=None, scale=None, is_causal=False, flash_attention=None,
    attn_logits_soft_cap=None,
):  # fmt: skip
    """softmax(scale * query keyᵀ + bias) value, for each head: (batch, steps, heads, size).

    Keys and values may have fewer heads than queries, whose number they divide.
    """
    q, k, v = (as_float(x) for x in (query, key, value))
    groups = shape_of(q)[2] // shape_of(k)[2]
    if groups > 1:
        from_ = [i // groups for i in range(shape_of(q)[2])]
        k, v = (gather(x, from_, axis=2) for x in (k, v))
    scale = 1.0 / float(shape_of(q)[-1]) ** 0.5 if scale is None else scale
    scores = einsums.einsum("bqhd,bkhd->bhqk", q, k) * scale
    if attn_logits_soft_cap is not None:
        scores = activations.tanh(scores / attn_logits_soft_cap) * attn_logits_soft_cap
    scores = scores if bias is None else scores + cast(bias, scores.dtype)
    if is_causal:
        rows, columns = (range_of(shape_of_tensor(x)[1]) for x in (q, k))
        causal = columns[None, :] <= rows[:, None]
        mask = causal if mask is None else cast(mask, "bool") & causal
    if mask is not None:
        scores = selection.where(cast(mask, "bool"), scores, as_tensor(-1e9, scores.dtype))
    return einsums.einsum("bhqk,bkhd->bqhd", activations.softmax(scores), v)


def conv(inputs, kernel, strides=1, padding="valid", data_format=None, dilation_rate=1):
    """The convolution of images with a kernel (..., channels, filters), of any number of dimensions."""
    rank = len(shape_of(as_tensor(inputs))) - 2
    first = (data_format or image_data_format()) == "channels_first"
    layout = {1: "NCW", 2: "NCHW", 3: "NCDHW"}[rank] if first else None
    many = lambda x: [x] * rank if isinstance(x, int) else list(x)
    x, w = promoted(inputs, kernel)
    return convolution(x, w, many(strides), padding.upper(), layout, many(dilation_rate))


def max_pool(inputs, pool_size, strides=None, padding="valid", data_format=None):
    """The largest elements of windows."""
    return _pooled(inputs, pool_size, strides, padding, data_format, "MAX")


def average_pool(inputs, pool_size, strides=None, padding="valid", data_format=None):
    """The means of windows."""
    return _pooled(inputs, pool_size, strides, padding, data_format, "AVG")


def _pooled(inputs: Any, size: Any, strides: Any, padding: str, data_format: Any, kind: str) -> Any:
    x = as_tensor(inputs)
    rank = len(shape_of(x)) - 2
    first = (data_format or image_data_format()) == "channels_first"
    layout = {1: "NCW", 2: "NCHW", 3: "NCDHW"}[rank] if first else None
    window = [size] * rank if isinstance(size, int) else list(size)
    step = window if strides is None else [strides] * rank if isinstance(strides, int) else list(strides)
    return pool(x, window, kind, step, padding.upper(), layout)


# --- Linear algebra and sorting ------------------------------------------------------------------------------


def matmul(x1, x2):
    """The product of matrices, or of a matrix and a vector, or of two vectors."""
    a, b = promoted(x1, x2)
    ranks = len(shape_of(a)), len(shape_of(b))
    if ranks == (1, 1):
        return reduce_sum(a * b)
    if ranks[1] == 1:
        return products.matvec(a, b)
    if ranks[0] == 1:
        return products.matmul(expand_dims(a, 0), b)[..., 0, :]
    return products.matmul(a, b)


def einsum(subscripts, *operands, **kwargs):
    """Sums of products, as `tf.einsum`; operands are brought to one dtype."""
    return einsums.einsum(subscripts, *promoted(*operands), **kwargs)


def tensordot(x1, x2, axes=2):
    """The product summed over some axes of both."""
    a, b = promoted(x1, x2)
    return products.tensordot(a, b, axes)


def argsort(x, axis=-1):
    """The places of the elements in ascending order; of all in a row for the axis None."""
    x = as_tensor(x)
    return sorting.argsort(reshape(x, [-1]), 0) if axis is None else sorting.argsort(x, axis)


def segment_sum(data, segment_ids, num_segments=None, sorted=False):
    """The sums of the rows of each segment."""
    return segment.unsorted_segment_sum(data, segment_ids, segments(segment_ids, num_segments))


def segment_max(data, segment_ids, num_segments=None, sorted=False):
    """The largest elements of the rows of each segment."""
    return segment.unsorted_segment_max(data, segment_ids, segments(segment_ids, num_segments))


def segments(ids: Any, number: Any) -> Any:
    """How many segments there are."""
    return reduce_max(as_tensor(ids)) + 1 if number is None else number


# --- Control flow -------------------------------------------------------------------------------------------


def while_loop(cond, body, loop_vars, maximum_iterations=None):
    """``body`` again and again as long as ``cond`` holds; gives the last values."""
    single = not isinstance(loop_vars, (tuple, list))
    values = (loop_vars,) if single else tuple(loop_vars)

    def step(*args: Any) -> Any:
        found = body(*args)
        return found if isinstance(found, (tuple, list)) else (found,)

    found = loop(cond, step, values, maximum_iterations=maximum_iterations)
    return found[0] if single else found


def fori_loop(lower, upper, body_fun, init_val):
    """``value = body_fun(i, value)`` for i from lower to upper - 1; gives the last value."""
    return loop(
        lambda i, value: i < upper, lambda i, value: (i + 1, body_fun(i, value)), (as_tensor(lower), init_val)
    )[1]


def switch(index, branches, *operands):
    """The branch of this number, called on the operands."""
    return switch_case(as_tensor(index), [lambda branch=branch: branch(*operands) for branch in branches])
