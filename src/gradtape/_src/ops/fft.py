"""Discrete Fourier transforms, over the last one, two or three axes or any others. Kernels are NumPy's.

The matrix of a complex transform is symmetric, so each is its own transpose: the sweep's conjugations turn it
into the adjoint. Transforms of real signals keep half of the spectrum; their transposes count the other half
by weights along the last transformed axis: 1 for the frequency 0 (and for the highest one of an even length),
2 for the others.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import Any

import numpy as np

from gradtape._src.core.dtypes import real_np
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.shapes import Shape, in_brackets
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.ops.arithmetic import COMPLEX
from gradtape._src.ops.arrays import behind, lead

Axes = tuple[int, ...]


def _same_shape(x: Any, **params: Any) -> Shape:
    return shape_of(x)


def _check_rank(x: Any, axes: Axes, name: str) -> None:
    if x.ndim < len(axes):
        raise InvalidArgumentError.of(
            f"Input must have rank of at least {len(axes)} but got: {in_brackets(x.shape)} [Op:{name}]"
        )


def _complex_transform(name: str, one: Any, many: Any) -> Op:
    # NumPy's functions of one axis have a third of the overhead.
    def kernel(x: Any, *, axes: Axes) -> Any:
        _check_rank(x, axes, name)
        if x.size == 0:
            return x
        return one(x, axis=axes[0]) if len(axes) == 1 else many(x, axes=axes)

    op = Op(
        name,
        kernel,
        vjp=lambda g, y, x, axes: op(g, axes=axes),
        reads="",
        linear=(0,),
        batch=lambda n, xs, batched, axes: op(*xs, axes=tuple(map(behind, axes))),
        shape=_same_shape,
        accepts=COMPLEX,
    )
    return op


fft = _complex_transform("FFT", np.fft.fft, np.fft.fftn)
ifft = _complex_transform("IFFT", np.fft.ifft, np.fft.ifftn)

# --- Real signals -------------------------------------------------------------------------------------------


def _lengths_of(x: Any, axes: Axes) -> tuple[int, ...]:
    return tuple(x.shape[axis] for axis in axes)


def _rfft(x: Any, *, lengths: tuple[int, ...] | None, axes: Axes) -> Any:
    _check_rank(x, axes, "RFFT")
    lengths = _lengths_of(x, axes) if lengths is None else lengths
    return _transformed(np.fft.rfft, np.fft.rfftn, x, lengths, axes, lengths[-1] // 2 + 1)


def _irfft(x: Any, *, lengths: tuple[int, ...] | None, axes: Axes) -> Any:
    _check_rank(x, axes, "IRFFT")
    if lengths is None:
        *others, last = _lengths_of(x, axes)
        lengths = (*others, max(2 * (last - 1), 0))
    return _transformed(np.fft.irfft, np.fft.irfftn, x, lengths, axes, lengths[-1])


def _transformed(one: Any, many: Any, x: Any, lengths: tuple[int, ...], axes: Axes, last: int) -> Any:
    """The transform, which NumPy refuses for no elements at all."""
    if x.size and all(lengths) and last:
        return one(x, lengths[0], axes[0]) if len(axes) == 1 else many(x, lengths, axes=axes)
    shape = list(x.shape)
    for axis, length in zip(axes, (*lengths[:-1], last)):
        shape[axis] = length
    return np.zeros(shape, real_np(x.dtype) if many is np.fft.irfftn else _COMPLEX_OF[x.dtype.char])


_COMPLEX_OF = {"f": np.dtype(np.complex64), "d": np.dtype(np.complex128)}


@lru_cache(256)
def _weights(length: int, dtype: np.dtype, total: int, inverse: bool, axis: int) -> np.ndarray:
    """How often each frequency of half a spectrum is in the whole one, divided by the number of samples (or
    the inverse of that), along an axis.
    """
    count = np.full(length // 2 + 1, 2.0)
    count[0] = 1
    if length % 2 == 0:
        count[-1] = 1
    count /= total
    return (1 / count if inverse else count).astype(dtype).reshape(-1, *(1,) * (-1 - axis))


def _fitted(x: Any, shape: Any) -> Any:
    """Cropped, or padded with zeros at the end, to a shape."""
    if x.shape == shape:
        return x
    x = x[tuple(slice(n) for n in shape)]
    if x.shape == shape:
        return x
    y = np.zeros(shape, x.dtype)
    y[tuple(map(slice, x.shape))] = x
    return y


def _rfft_back(g: Any, like: Any, *, lengths: tuple[int, ...] | None, axes: Axes) -> Any:
    """Re(F^H g), the transpose of the real transform F of arrays like ``like``."""
    lengths = _lengths_of(like, axes) if lengths is None else lengths
    total = prod(lengths)
    if total == 0:
        return np.zeros(_with_batch(g, like), like.dtype)
    weighted = g * _weights(lengths[-1], real_np(g.dtype), total, True, axes[-1])
    return _fitted(np.fft.irfftn(weighted, lengths, axes=axes), _with_batch(g, like))


def _irfft_back(g: Any, like: Any, *, lengths: tuple[int, ...] | None, axes: Axes) -> Any:
    """The transpose of ``irfft`` of arrays like ``like`` to signals like g."""
    lengths = _lengths_of(g, axes)
    total = prod(lengths)
    if total == 0:
        return np.zeros(_with_batch(g, like), like.dtype)
    spectrum = np.fft.rfftn(g, axes=axes)
    return _fitted(spectrum * _weights(lengths[-1], g.dtype, total, False, axes[-1]), _with_batch(g, like))


def _with_batch(g: Any, like: Any) -> tuple[int, ...]:
    """The shape of ``like``, behind a leading axis if g has one more."""
    return (*g.shape[: g.ndim - like.ndim], *like.shape)


def _half_spectrum_shape(x: Any, *, lengths: tuple[int, ...] | None, axes: Axes) -> Shape:
    shape = shape_of(x)
    if shape is None:
        return None
    out = list(shape)
    for axis, length in zip(axes, [shape[axis] for axis in axes] if lengths is None else lengths):
        out[axis] = length
    last = out[axes[-1]]
    out[axes[-1]] = None if last is None else last // 2 + 1
    return tuple(out)


def _signal_shape(x: Any, *, lengths: tuple[int, ...] | None, axes: Axes) -> Shape:
    shape = shape_of(x)
    if shape is None:
        return None
    out = list(shape)
    if lengths is None:
        last = shape[axes[-1]]
        out[axes[-1]] = None if last is None else max(2 * (last - 1), 0)
    else:
        for axis, length in zip(axes, lengths):
            out[axis] = length
    return tuple(out)


rfft = Op(
    "RFFT",
    _rfft,
    vjp=lambda g, y, x, lengths, axes: rfft_back(g, x, lengths=lengths, axes=axes),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched, **params: rfft(*xs, **params),
    shape=_half_spectrum_shape,
    dtype=lambda x, **params: _COMPLEX_OF[dtype_of(x).char],
    accepts="float32 float64",
    holomorphic=False,
)
"""The first half of the spectrum of real signals; ``lengths``: to which they are cropped or padded. Axes <
0.
"""

rfft_back = Op(
    "RFFTBack",
    _rfft_back,
    vjp=(lambda g, y, x, like, lengths, axes: rfft(g, lengths=lengths, axes=axes), None),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched, **params: rfft_back(
        xs[0] if batched[0] else lead(xs[0], n=n), xs[1], **params
    ),
    shape=lambda x, like, **params: shape_of(like),
    dtype=lambda x, like, **params: real_np(dtype_of(x)),
    accepts=COMPLEX,
    holomorphic=False,
)

irfft = Op(
    "IRFFT",
    _irfft,
    vjp=lambda g, y, x, lengths, axes: irfft_back(g, x, lengths=lengths, axes=axes),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched, **params: irfft(*xs, **params),
    shape=_signal_shape,
    dtype=lambda x, **params: real_np(dtype_of(x)),
    accepts=COMPLEX,
    holomorphic=False,
)
"""Real signals of these lengths from the first half of their spectrum. Axes < 0."""

irfft_back = Op(
    "IRFFTBack",
    _irfft_back,
    vjp=(lambda g, y, x, like, lengths, axes: irfft(g, lengths=lengths, axes=axes), None),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched, **params: irfft_back(
        xs[0] if batched[0] else lead(xs[0], n=n), xs[1], **params
    ),
    shape=lambda x, like, **params: shape_of(like),
    dtype=lambda x, like, **params: _COMPLEX_OF[dtype_of(x).char],
    accepts="float32 float64",
    holomorphic=False,
)


# --- Other lengths, other orders ----------------------------------------------------------------------------

fit_like = Op(
    "FitLike",
    lambda x, like: _fitted(x, _with_batch(x, like)),
    vjp=(lambda g, y, x, like: fit_like(g, x), None),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched: fit_like(xs[0] if batched[0] else lead(xs[0], n=n), xs[1]),
    shape=lambda x, like: shape_of(like),
)
"""Cropped, or padded with zeros at the end, to the shape of ``like``."""


def _fit_shape(x: Any, *, lengths: tuple[int, ...], axes: Axes) -> Shape:
    shape = shape_of(x)
    if shape is None:
        return None
    out = list(shape)
    for axis, length in zip(axes, lengths):
        out[axis] = length
    return tuple(out)


fit = Op(
    "Fit",
    lambda x, lengths, axes: _fitted(x, _fit_shape(x, lengths=lengths, axes=axes)),
    vjp=lambda g, y, x, lengths, axes: fit_like(g, x),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched, lengths, axes: fit(*xs, lengths=lengths, axes=tuple(map(behind, axes))),
    shape=_fit_shape,
)
"""Cropped, or padded with zeros at the end, to these lengths along these axes."""


def _shift(name: str, shift: Any, inverse: Any) -> Op:
    op = Op(
        name,
        lambda x, axes: shift(x, axes),
        vjp=lambda g, y, x, axes: inverse()(g, axes=axes),
        reads="",
        linear=(0,),
        batch=lambda n, xs, batched, axes: op(*xs, axes=tuple(map(behind, axes))),
        shape=_same_shape,
    )
    return op


fftshift = _shift("FFTShift", np.fft.fftshift, lambda: ifftshift)
"""The second half along each axis in front of the first: frequency 0 comes to the middle."""

ifftshift = _shift("IFFTShift", np.fft.ifftshift, lambda: fftshift)
"""Undoes ``fftshift``."""
