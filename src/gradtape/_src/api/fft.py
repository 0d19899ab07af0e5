"""Public discrete Fourier transforms. They work on the last axes; leading ones are batches.

The transform of x[0], ..., x[N-1] is y[k] = sum over j of x[j] exp(-2 pi i j k / N), its inverse has
exp(+...) / N.
"""

from __future__ import annotations

from math import prod, sqrt
from typing import Any

import numpy as np

from gradtape._src.api.static import static_ints
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.shapes import as_text
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.ops import fft as ops

_LAST = {1: (-1,), 2: (-2, -1), 3: (-3, -2, -1)}


def _complex(x: Any) -> Any:
    """A tensor; of a list of real numbers complex64."""
    if isinstance(x, (list, tuple)):
        found = as_tensor(x)
        return as_tensor(x, "complex64") if dtype_of(found).kind in "fi" else found
    return as_tensor(x)


def _checked(x: Any, dtypes: tuple[str, str], rank: int, name: str) -> Any:
    if isinstance(x, (list, tuple, np.ndarray)):
        try:
            x = as_tensor(x, dtypes[0])
        except (TypeError, ValueError):
            pass
    x = as_tensor(x)
    if dtype_of(x).name not in dtypes:
        raise ValueError(f"{name} requires tf.{dtypes[0]} or tf.{dtypes[1]} inputs, got: {x}")
    shape = shape_of(x)
    if shape is not None and len(shape) < rank:
        raise ValueError(f"Shape {as_text(shape)} must have rank at least {rank}")
    return x


def _ints(value: Any, name: str) -> Any:
    return (value,) if isinstance(value, int) else static_ints(value, name, None)


def _lengths(fft_length: Any, rank: int, name: str) -> tuple[int, ...] | None:
    if fft_length is None:
        return None
    lengths = _ints(fft_length, name)
    if not isinstance(lengths, tuple):
        raise ValueError(
            f"{name}: `fft_length` must be known while the graph is built, received {fft_length!r}."
        )
    if len(lengths) != rank:
        raise InvalidArgumentError.of(
            f"fft_length must have shape [{rank}], not [{len(lengths)}] [Op:{name}]"
        )
    if min(lengths) <= 0:
        raise InvalidArgumentError.of(f"fft_length must be positive, not {list(lengths)} [Op:{name}]")
    return lengths


def _rfft(x: Any, fft_length: Any, rank: int, name: Any) -> Any:
    x = _checked(x, ("float32", "float64"), rank, "RFFT" if rank == 1 else f"RFFT{rank}D")
    return ops.rfft.of(x, lengths=_lengths(fft_length, rank, "RFFT"), axes=_LAST[rank], name=name)


def _irfft(x: Any, fft_length: Any, rank: int, name: Any) -> Any:
    x = _checked(x, ("complex64", "complex128"), rank, "IRFFT" if rank == 1 else f"IRFFT{rank}D")
    return ops.irfft.of(x, lengths=_lengths(fft_length, rank, "IRFFT"), axes=_LAST[rank], name=name)


def fft(input, name=None):
    """The discrete Fourier transform over the last axis. Complex.

    >>> import gradtape as tf
    >>> print(tf.signal.fft([1., 2.]).numpy())
    [ 3.+0.j -1.+0.j]

    As TensorFlow 2.21.
    """
    return ops.fft.of(_complex(input), axes=_LAST[1], name=name)


def fft2d(input, name=None):
    """The discrete Fourier transform over the last two axes. Complex.

    >>> import gradtape as tf
    >>> print(tf.signal.fft2d([[1., 2.], [3., 4.]]).numpy().real)
    [[10. -2.]
     [-4.  0.]]

    As TensorFlow 2.21.
    """
    return ops.fft.of(_complex(input), axes=_LAST[2], name=name)


def fft3d(input, name=None):
    """The discrete Fourier transform over the last three axes. Complex.

    >>> import gradtape as tf
    >>> print(tf.signal.fft3d([[[1., 2.]]]).numpy())
    [[[ 3.+0.j -1.+0.j]]]

    As TensorFlow 2.21.
    """
    return ops.fft.of(_complex(input), axes=_LAST[3], name=name)


def ifft(input, name=None):
    """The inverse discrete Fourier transform over the last axis. Complex.

    >>> import gradtape as tf
    >>> print(tf.signal.ifft([3., -1.]).numpy())
    [1.+0.j 2.+0.j]

    As TensorFlow 2.21.
    """
    return ops.ifft.of(_complex(input), axes=_LAST[1], name=name)


def ifft2d(input, name=None):
    """The inverse discrete Fourier transform over the last two axes. Complex.

    >>> import gradtape as tf
    >>> print(tf.signal.ifft2d([[10., -2.], [-4., 0.]]).numpy().real)
    [[1. 2.]
     [3. 4.]]

    As TensorFlow 2.21.
    """
    return ops.ifft.of(_complex(input), axes=_LAST[2], name=name)


def ifft3d(input, name=None):
    """The inverse discrete Fourier transform over the last three axes. Complex.

    >>> import gradtape as tf
    >>> print(tf.signal.ifft3d([[[3., -1.]]]).numpy())
    [[[1.+0.j 2.+0.j]]]

    As TensorFlow 2.21.
    """
    return ops.ifft.of(_complex(input), axes=_LAST[3], name=name)


def rfft(input_tensor, fft_length=None, name=None):
    """The first half, N // 2 + 1 frequencies, of the transform of real signals over the last axis.

    float32 or float64. The other half are the conjugates.

    Args:
      input_tensor: the signals.
      fft_length: [N]: crop the signals, or pad them with zeros, to this length.
      name: a name for the operation.

    >>> import gradtape as tf
    >>> print(tf.signal.rfft([1., 2., 3.]).numpy().round(3))
    [ 6. +0.j    -1.5+0.866j]

    As TensorFlow 2.21.
    """
    return _rfft(input_tensor, fft_length, 1, name)


def rfft2d(input_tensor, fft_length=None, name=None):
    """The transform of real signals over the last two axes; of the last one, half of the frequencies. See
    `rfft`.

    >>> import gradtape as tf
    >>> print(tf.signal.rfft2d([[1., 2.], [3., 4.]]).numpy().real)
    [[10. -2.]
     [-4.  0.]]

    As TensorFlow 2.21.
    """
    return _rfft(input_tensor, fft_length, 2, name)


def rfft3d(input_tensor, fft_length=None, name=None):
    """The transform of real signals over the last three axes; of the last one, half of the frequencies. See
    `rfft`.

    >>> import gradtape as tf
    >>> print(tf.signal.rfft3d([[[1., 2.]]]).numpy())
    [[[ 3.+0.j -1.+0.j]]]

    As TensorFlow 2.21.
    """
    return _rfft(input_tensor, fft_length, 3, name)


def irfft(input_tensor, fft_length=None, name=None):
    """The real signals whose transform begins with these frequencies, over the last axis. The inverse of
    `rfft`.

    Args:
      input_tensor: complex, N // 2 + 1 frequencies of each signal.
      fft_length: [N]; by default the even number 2 (frequencies - 1).
      name: a name for the operation.

    >>> import gradtape as tf
    >>> print(tf.signal.irfft([6., -2. + 2j, -2.]).numpy().round(3))
    [0. 1. 2. 3.]

    As TensorFlow 2.21.
    """
    return _irfft(input_tensor, fft_length, 1, name)


def irfft2d(input_tensor, fft_length=None, name=None):
    """The inverse of `rfft2d`. See `irfft`.

    >>> import gradtape as tf
    >>> print(tf.signal.irfft2d([[10. + 0j, -2.], [-4., 0.]]).numpy())
    [[1. 2.]
     [3. 4.]]

    As TensorFlow 2.21.
    """
    return _irfft(input_tensor, fft_length, 2, name)


def irfft3d(input_tensor, fft_length=None, name=None):
    """The inverse of `rfft3d`. See `irfft`.

    >>> import gradtape as tf
    >>> print(tf.signal.irfft3d([[[3. + 0j, -1.]]]).numpy())
    [[[1. 2.]]]

    As TensorFlow 2.21.
    """
    return _irfft(input_tensor, fft_length, 3, name)


# --- Any axes -----------------------------------------------------------------------------------------------


def _axes(x: Any, axes: Any, lengths: Any, name: str) -> tuple[tuple[int, ...], tuple[int, ...] | None]:
    """Axes from the end, and lengths."""
    shape = shape_of(x)
    if shape is None:
        raise ValueError(f"{name} needs a tensor of known rank; give it one with tf.ensure_shape.")
    rank = len(shape)
    if axes is None:
        count = rank if lengths is None else len(_ints(lengths, name))
        found = tuple(range(-count, 0))
    else:
        found = _ints(axes, name)
        for axis in found:
            if not -rank <= axis < rank:
                raise InvalidArgumentError.of(f"axes: {axis} is not in [{-rank}, {rank}) [Op:{name}]")
        found = tuple(axis % rank - rank for axis in found)
        if len(set(found)) < len(found):
            raise InvalidArgumentError.of(f"axes must be unique, received {axes} [Op:{name}]")
    return found, _lengths(lengths, len(found), name)


def _scaled(y: Any, count: int, norm: str | None, inverse: bool) -> Any:
    """The result, computed with all of the factor 1 / N in the inverse, with the factor where `norm` says."""
    if norm in (None, "backward"):
        return y
    if norm not in ("ortho", "forward"):
        raise ValueError(f"`norm` must be None, 'backward', 'ortho' or 'forward', not {norm!r}.")
    factor = sqrt(count) if norm == "ortho" else count
    return y * factor if inverse else y / factor


def _count(x: Any, axes: tuple[int, ...], lengths: tuple[int, ...] | None, norm: Any, name: str) -> int:
    if norm in (None, "backward"):
        return 1
    sizes = lengths or tuple(shape_of(x)[axis] for axis in axes)  # type: ignore[index]
    if None in sizes:
        raise ValueError(f"{name} with norm={norm!r} needs to know the lengths; give `fft_length`.")
    return prod(sizes)  # type: ignore[arg-type]


def _fftnd(x: Any, fft_length: Any, axes: Any, norm: Any, name: Any, inverse: bool) -> Any:
    x = _complex(x)
    label = "IFFTND" if inverse else "FFTND"
    found, lengths = _axes(x, axes, fft_length, label)
    if lengths is not None:
        x = ops.fit.of(x, lengths=lengths, axes=found)
    y = (ops.ifft if inverse else ops.fft).of(x, axes=found, name=name)
    return _scaled(y, _count(x, found, lengths, norm, label), norm, inverse)


def fftnd(input_tensor, fft_length=None, axes=None, norm=None, name=None):
    """The discrete Fourier transform over any axes. Complex.

    Args:
      input_tensor: a tensor.
      fft_length: for each of the axes the length to crop or pad to.
      axes: the axes; by default all, or the last ones for which there are lengths.
      norm: where the factor 1 / N is: 'backward' (None), in the inverse; 'forward', here; 'ortho', half here.
      name: a name for the operation.

    >>> import gradtape as tf
    >>> print(tf.signal.fftnd([[1. + 0j, 2.], [3., 4.]], axes=[0]).numpy().real)
    [[ 4.  6.]
     [-2. -2.]]

    TensorFlow 2.21 has no kernel for it on a CPU; NumPy's `fftn`.
    """
    return _fftnd(input_tensor, fft_length, axes, norm, name, False)


def ifftnd(input_tensor, fft_length=None, axes=None, norm=None, name=None):
    """The inverse of `fftnd`.

    >>> import gradtape as tf
    >>> print(tf.signal.ifftnd([[4. + 0j, 6.], [-2., -2.]], axes=[0]).numpy().real)
    [[1. 2.]
     [3. 4.]]

    TensorFlow 2.21 has no kernel for it on a CPU; NumPy's `ifftn`.
    """
    return _fftnd(input_tensor, fft_length, axes, norm, name, True)


def rfftnd(input_tensor, fft_length=None, axes=None, norm=None, name=None):
    """The transform of real signals over any axes; of the last of them, half of the frequencies. See `fftnd`.

    >>> import gradtape as tf
    >>> print(tf.signal.rfftnd([[1., 2.], [3., 4.]], axes=[0]).numpy().real)
    [[ 4.  6.]
     [-2. -2.]]

    TensorFlow 2.21 has no kernel for it on a CPU; NumPy's `rfftn`.
    """
    x = _checked(input_tensor, ("float32", "float64"), 1, "RFFTND")
    found, lengths = _axes(x, axes, fft_length, "RFFTND")
    y = ops.rfft.of(x, lengths=lengths, axes=found, name=name)
    return _scaled(y, _count(x, found, lengths, norm, "RFFTND"), norm, False)


def irfftnd(input_tensor, fft_length=None, axes=None, norm=None, name=None):
    """The inverse of `rfftnd`.

    >>> import gradtape as tf
    >>> print(tf.signal.irfftnd([[4. + 0j, 6.], [-2., -2.]], axes=[0]).numpy())
    [[1. 2.]
     [3. 4.]]

    TensorFlow 2.21 has no kernel for it on a CPU; NumPy's `irfftn`.
    """
    x = _checked(input_tensor, ("complex64", "complex128"), 1, "IRFFTND")
    found, lengths = _axes(x, axes, fft_length, "IRFFTND")
    y = ops.irfft.of(x, lengths=lengths, axes=found, name=name)
    return _scaled(y, _count(y, found, None, norm, "IRFFTND"), norm, True)


# --- Order of frequencies -----------------------------------------------------------------------------------


def _shifted(op: Any, x: Any, axes: Any, name: Any) -> Any:
    x = as_tensor(x)
    shape = shape_of(x)
    if shape is None:
        raise ValueError(f"{op.name} needs a tensor of known rank; give it one with tf.ensure_shape.")
    rank = len(shape)
    found = tuple(range(rank)) if axes is None else _ints(axes, op.name)
    for axis in found:
        if not -rank <= axis < rank:
            raise InvalidArgumentError.of(f"axes: {axis} is not in [{-rank}, {rank}) [Op:{op.name}]")
    return op.of(x, axes=tuple(found), name=name)


def fftshift(x, axes=None, name=None):
    """Brings frequency 0 to the middle: moves each axis by half its length. Any dtype.

    Args:
      x: a tensor.
      axes: an int or several; None: all.
      name: a name for the operation.

    >>> import gradtape as tf
    >>> print(tf.signal.fftshift([0, 1, 2, -2, -1]).numpy())
    [-2 -1  0  1  2]

    As TensorFlow 2.21.
    """
    return _shifted(ops.fftshift, x, axes, name)


def ifftshift(x, axes=None, name=None):
    """Undoes `fftshift`.

    >>> import gradtape as tf
    >>> print(tf.signal.ifftshift([-2, -1, 0, 1, 2]).numpy())
    [ 0  1  2 -2 -1]

    As TensorFlow 2.21.
    """
    return _shifted(ops.ifftshift, x, axes, name)
