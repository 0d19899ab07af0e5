"""Random arrays from a key and a counter: uniform, normal and truncated normal numbers, permutations.

Each function is ``f(shape, key, counter, dtype, ...)``, and place i of the result depends on i and on the
arguments alone. Arrays of n keys and counters (``Key``), as ``philox.blocks_of`` takes them, give n results. How words
of random bits become numbers is what TensorFlow does, so that they are its numbers. A function's result takes
``RESERVED`` blocks an element of a stream, most of which go unused. Rests on ``core/philox.py``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape._src.core.philox import blocks, blocks_at, blocks_of

Key = int | np.ndarray

RESERVED = 256
"""How many blocks a stream moves on for each number taken from it."""

_CHUNK = 1 << 14  # blocks turned into numbers at a time: the intermediate arrays stay in a processor's cache
_SMALLEST = 1e-7  # of the uniform number whose logarithm is taken
_BOUND = 2.0  # of truncated normal numbers
_MORE = np.arange(1, 5, dtype=np.uint64)  # blocks tried at once where some are outside

_HALF = np.dtype(np.float16)
_SINGLE = np.dtype(np.float32)
_DOUBLE = np.dtype(np.float64)

# The bits of 1.0, and a mask of the mantissa, of the small floating-point types.
_ONE_16 = {"float16": (0x3C00, 0x3FF), "bfloat16": (0x3F80, 0x7F)}


def _filled(
    shape: tuple[int, ...], key: Key, counter: Key, dtype: np.dtype, per_block: int, make: Callable[..., Any]
) -> Any:
    """Numbers made of consecutive blocks: ``make`` turns n blocks into ``n * per_block`` numbers."""
    size = math.prod(shape)
    n = -(-size // per_block)
    if isinstance(key, np.ndarray) and isinstance(counter, np.ndarray):
        out = np.empty((len(key), n * per_block), dtype)
        rows = max(1, _CHUNK // max(n, 1))
        for i in range(0, len(key), rows):
            words = blocks_of(key[i : i + rows], counter[i : i + rows], n).reshape(-1, 4)
            out[i : i + rows] = make(words).reshape(-1, n * per_block) if n else 0
        return out[:, :size].reshape(len(key), *shape)
    if n <= _CHUNK:
        found = make(blocks(key, counter, n)).reshape(-1)  # type: ignore[arg-type]
        return found[:size].reshape(shape) if found.size != size else found.reshape(shape)
    out = np.empty(n * per_block, dtype)
    for start in range(0, n, _CHUNK):
        stop = min(n, start + _CHUNK)
        numbers = make(blocks(key, counter + start, stop - start))  # type: ignore[arg-type]
        out[start * per_block : stop * per_block] = numbers.reshape(-1)
    return out[:size].reshape(shape)


def per_block(dtype: np.dtype) -> int:
    """How many numbers of a dtype one block gives."""
    return 2 if dtype.itemsize == 8 else 4


# --- Uniform ------------------------------------------------------------------------------------------------


def _single(words: Any) -> Any:
    """[0, 1) in steps of 2^-23: the low bits are the mantissa of a number in [1, 2)."""
    bits = words & np.uint32(0x7FFFFF)
    bits |= np.uint32(0x3F800000)
    out = bits.view(np.float32)
    out -= np.float32(1)
    return out


def double_uniforms(words: Any) -> Any:
    """[0, 1) in steps of 2^-52, of pairs of words: the first has the high bits."""
    bits = words[:, 0::2] & np.uint64(0xFFFFF)
    bits |= np.uint64(0x3FF00000)
    bits <<= np.uint64(32)
    bits |= words[:, 1::2]
    out = bits.view(np.float64)
    out -= 1.0
    return out


def _small(dtype: np.dtype) -> Callable[[Any], Any]:
    one, mantissa = _ONE_16[dtype.name]

    def make(words: Any) -> Any:
        bits = (words & np.uint32(mantissa) | np.uint32(one)).astype(np.uint16)
        return bits.view(dtype) - dtype.type(1)

    return make


def uniform(shape: tuple[int, ...], key: Key, counter: Key, dtype: np.dtype) -> Any:
    """Floating-point numbers in [0, 1)."""
    make = _single if dtype == _SINGLE else double_uniforms if dtype == _DOUBLE else _small(dtype)
    return _filled(shape, key, counter, dtype, per_block(dtype), make)


def words64(words: Any) -> Any:
    """Pairs of words as integers of 64 bits: the first has the low bits."""
    return words[:, 0::2] | words[:, 1::2].astype(np.uint64) << np.uint64(32)


def uniform_full_int(shape: tuple[int, ...], key: Key, counter: Key, dtype: np.dtype) -> Any:
    """Integers of which every one of the dtype is as likely."""
    make = words64 if dtype.itemsize == 8 else lambda words: words
    unsigned = np.dtype(f"u{dtype.itemsize}")
    return _filled(shape, key, counter, unsigned, per_block(dtype), make).view(dtype)


def uniform_int(shape: tuple[int, ...], key: Key, counter: Key, dtype: np.dtype, low: int, high: int) -> Any:
    """Integers in [low, high): random words modulo ``high - low``, which need not divide their number."""
    unsigned = np.dtype(f"u{dtype.itemsize}")
    out = uniform_full_int(shape, key, counter, unsigned)
    out = out % unsigned.type(high - low)
    out += unsigned.type(low % (1 << 8 * dtype.itemsize))  # wraps around, as signed integers do
    return out.view(dtype)


# --- Normal -------------------------------------------------------------------------------------------------


def _single_normals(words: Any) -> Any:
    """Two independent normal numbers of two uniform ones: Box and Muller, Ann. Math. Stat. 29 (1958) 610.

    Sine and cosine are the C library's, through the complex exponential, the logarithm is rounded from
    double: so the numbers are TensorFlow's, but for one in 300 that differs in the last place.
    """
    u = _single(words)
    radius = np.log(np.maximum(u[:, 0::2], np.float32(_SMALLEST)), dtype=np.float64).astype(np.float32)
    radius *= np.float32(-2)
    np.sqrt(radius, out=radius)
    angle = np.zeros(radius.shape, np.complex64)
    angle.imag = u[:, 1::2].astype(np.float64) * (2 * math.pi)
    circle: Any = np.exp(angle)
    out = u  # its storage is free again
    np.multiply(circle.imag, radius, out=out[:, 0::2])
    np.multiply(circle.real, radius, out=out[:, 1::2])
    return out


def double_normals(words: Any) -> Any:
    u = double_uniforms(words)
    radius = np.sqrt(-2 * np.log(np.maximum(u[:, :1], _SMALLEST)))
    angle = np.zeros(radius.shape, np.complex128)
    angle.imag = u[:, 1:] * (2 * math.pi)
    circle: Any = np.exp(angle)
    return np.concatenate([circle.imag * radius, circle.real * radius], axis=1)


def normal(shape: tuple[int, ...], key: Key, counter: Key, dtype: np.dtype) -> Any:
    """Normal numbers of mean 0 and standard deviation 1."""
    if dtype == _DOUBLE:
        return _filled(shape, key, counter, dtype, 2, double_normals)
    found = _filled(shape, key, counter, _SINGLE, 4, _single_normals)
    return found if dtype == _SINGLE else found.astype(dtype)


def makers(dtype: np.dtype) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """What makes normal and uniform numbers of blocks, in the precision of a dtype."""
    return (double_normals, double_uniforms) if dtype == _DOUBLE else (_single_normals, _single)


def truncated_normal(shape: tuple[int, ...], key: int, counter: int, dtype: np.dtype) -> Any:
    """Normal numbers between -2 and 2: those outside are dropped.

    Each group of 4 (in float64: 2) numbers has a sequence of its own, and is its first ones inside.
    """
    wide = _DOUBLE if dtype == _DOUBLE else _SINGLE
    group = per_block(wide)
    size = math.prod(shape)
    n = -(-size // group)
    out = np.empty((n, group), wide)
    for start in range(0, n, _CHUNK):
        _fill_truncated(out[start : start + _CHUNK], key, counter + start * RESERVED * group // 4)
    out = out.reshape(-1)[:size].reshape(shape)
    return out if dtype == wide else out.astype(dtype)


def _fill_truncated(out: Any, key: int, counter: int) -> None:
    n, group = out.shape
    make = _single_normals if group == 4 else double_normals
    at = np.arange(n, dtype=np.uint64) * np.uint64(RESERVED * group // 4)
    tried = make(blocks_at(key, counter, at))
    inside = np.abs(tried) < _BOUND
    out[...] = tried
    missing = np.nonzero(~inside.all(axis=1))[0]
    tried, inside = tried[missing], inside[missing]
    while missing.size:
        next_ones = at[missing, None] + _MORE
        at[missing] = next_ones[:, -1]
        more = make(blocks_at(key, counter, next_ones.reshape(-1))).reshape(len(missing), -1)
        tried = np.concatenate([tried, more], axis=1)
        inside = np.concatenate([inside, np.abs(more) < _BOUND], axis=1)
        enough = inside.sum(axis=1) >= group
        first = np.argsort(~inside[enough], axis=1, kind="stable")[:, :group]
        out[missing[enough]] = np.take_along_axis(tried[enough], first, axis=1)
        missing, tried, inside = missing[~enough], tried[~enough], inside[~enough]


# --- Discrete -----------------------------------------------------------------------------------------------


def categorical(logits: Any, n: int, key: int, counter: int) -> Any:
    """n class numbers for each row of logits, with probabilities proportional to exp(logits): by inversion.

    Infinite and NaN logits have probability 0; if all are, the number of classes is the result.
    """
    rows, classes = logits.shape
    out = np.empty((rows, n), np.int64)
    u = uniform((rows, n), key, counter, _DOUBLE)
    finite = np.isfinite(logits)
    logits = np.where(finite, logits, -np.inf).astype(np.float64)
    top = np.max(logits, axis=1, keepdims=True)
    weights = np.exp(logits - np.where(top == -np.inf, 0.0, top))
    totals = np.cumsum(weights, axis=1)
    u *= totals[:, -1:]
    if n < 32:  # few searches: all at once, if less cleverly
        step = max(1, (1 << 20) // max(1, n * classes))
        for start in range(0, rows, step):
            some = slice(start, start + step)
            out[some] = np.sum(totals[some, None, :] <= u[some, :, None], axis=-1)
    else:
        for row in range(rows):
            out[row] = np.searchsorted(totals[row], u[row], side="right")
    return out


def permutation(n: int, key: int, counter: int) -> Any:
    """The numbers 0 to n - 1 in random order: Fisher and Yates' shuffle, from the front."""
    words = blocks(key, counter, -(-n // 4)).reshape(-1)[: max(n - 1, 0)]
    jumps = (words % np.arange(n, 1, -1, dtype=np.uint32)).tolist()
    order = list(range(n))
    for i, jump in enumerate(jumps):
        j = i + jump
        order[i], order[j] = order[j], order[i]
    return np.array(order, np.int64)
