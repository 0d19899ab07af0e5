"""More of NumPy's functions in `tf.keras.ops` that make arrays, cut them and turn them."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.api import products
from gradtape._src.api.arrays import reshape
from gradtape._src.api.casting import cast
from gradtape._src.api.diagonals import diag
from gradtape._src.api.joining import stack as stacked
from gradtape._src.api.selection import where
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.values import shape_of
from gradtape._src.keras.operations import numbers, shapes
from gradtape._src.keras.operations.promotion import as_float, promoted
from gradtape._src.keras.settings import floatx


def empty(shape, dtype=None):
    """Zeros: nothing is left undefined."""
    return shapes.zeros(shape, dtype)


def empty_like(x, dtype=None):
    """Zeros of the shape of x."""
    x = as_tensor(x)
    return shapes.zeros(shapes.shape(x), dtype or x.dtype)


def logspace(start, stop, num=50, endpoint=True, base=10, dtype=None, axis=0):
    """Powers of ``base`` whose exponents go from start to stop in equal steps."""
    exponents = as_float(shapes.linspace(start, stop, num, endpoint, dtype=dtype, axis=axis))
    return numbers.power(as_tensor(base, exponents.dtype), exponents)


def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    """Numbers from start to stop, each the same multiple of the one before."""
    first, last = as_float(start), as_float(stop)
    exponents = shapes.linspace(0.0, 1.0, num, endpoint, dtype=dtype)
    exponents = reshape(exponents, [num] + [1] * len(shape_of(first)))
    return shapes.moveaxis(first * numbers.power(last / first, exponents), 0, axis)


def _window(name: str, formula: Any, text: str) -> Any:
    def operation(x):
        return as_tensor(formula(int(x)).astype(floatx()))

    operation.__name__ = operation.__qualname__ = name
    operation.__doc__ = f"{text} of x numbers, for the spectrum of a signal. As Keras 3."
    return operation


bartlett = _window("bartlett", np.bartlett, "Bartlett's window")
blackman = _window("blackman", np.blackman, "Blackman's window")
hamming = _window("hamming", np.hamming, "Hamming's window")
hanning = _window("hanning", np.hanning, "The Hann window")


def kaiser(x, beta):
    """Kaiser's window of x numbers, for the spectrum of a signal."""
    return as_tensor(np.kaiser(int(x), float(beta)).astype(floatx()))


def vander(x, N=None, increasing=False):
    """The powers of a vector's elements, from N - 1 down to 0."""
    x = as_tensor(x)
    powers = np.arange(shape_of(x)[0] if N is None else N)
    return numbers.power(shapes.expand_dims(x, -1), powers if increasing else powers[::-1].copy())


def append(x1, x2, axis=None):
    """x2 behind x1 along ``axis``; both in a row by default."""
    a, b = promoted(x1, x2)
    return shapes.concatenate([reshape(a, [-1]), reshape(b, [-1])] if axis is None else [a, b], axis or 0)


def array_split(x, indices_or_sections, axis=0):
    """Parts along ``axis``, the first ones larger by one where they are not equal."""
    if not isinstance(indices_or_sections, int):
        return shapes.split(x, indices_or_sections, axis)
    x = as_tensor(x)
    size, more = divmod(shape_of(x)[axis], indices_or_sections)
    sizes = [size + 1] * more + [size] * (indices_or_sections - more)
    return shapes.split(x, np.cumsum(sizes)[:-1].tolist(), axis)


def hsplit(x, indices_or_sections):
    """Parts along the second axis; of a vector, the first."""
    return shapes.split(x, indices_or_sections, 0 if len(shape_of(as_tensor(x))) == 1 else 1)


def vsplit(x, indices_or_sections):
    """Parts along the first axis."""
    return shapes.split(x, indices_or_sections, 0)


def dsplit(x, indices_or_sections):
    """Parts along the third axis."""
    return shapes.split(x, indices_or_sections, 2)


def dstack(xs):
    """Joined along the third axis, which vectors and matrices get."""

    def of_three(x: Any) -> Any:
        x = as_tensor(x)
        dims = list(shape_of(x))
        return reshape(x, [1, *dims, 1] if len(dims) == 1 else [*dims, 1] if len(dims) == 2 else dims)

    return shapes.concatenate([of_three(x) for x in xs], axis=2)


def fliplr(x):
    """The second axis backwards."""
    return shapes.flip(x, 1)


def flipud(x):
    """The first axis backwards."""
    return shapes.flip(x, 0)


def rot90(array, k=1, axes=(0, 1)):
    """Turned k times by 90 degrees, from the first of two axes towards the second."""
    x = as_tensor(array)
    a, b = (axis % len(shape_of(x)) for axis in axes)
    for _ in range(k % 4):
        x = shapes.flip(shapes.swapaxes(x, a, b), a)
    return x


def diagflat(x, k=0):
    """A matrix with the elements on its k-th diagonal."""
    return diag(reshape(as_tensor(x), [-1]), k=k)


def diff(a, n=1, axis=-1):
    """The differences of neighbours along ``axis``, n times."""
    x = shapes.moveaxis(as_tensor(a), axis, -1)
    for _ in range(n):
        x = x[..., 1:] - x[..., :-1]
    return shapes.moveaxis(x, -1, axis)


def select(condlist, choicelist, default=0):
    """Of the choices the one whose condition is the first to hold, elementwise."""
    found: Any = default
    for condition, choice in reversed(list(zip(condlist, choicelist, strict=True))):
        found = where(cast(condition, "bool"), *promoted(choice, found))
    return found


def get_item(x, key):
    """``x[key]``."""
    return as_tensor(x)[key]


def kron(x1, x2):
    """Kronecker's product: each element of x1 times x2, in a block."""
    a, b = promoted(x1, x2)
    rank = max(len(shape_of(a)), len(shape_of(b)))
    dims = [[1] * (rank - len(shape_of(x))) + list(shape_of(x)) for x in (a, b)]
    a = reshape(a, [size for n in dims[0] for size in (n, 1)])
    b = reshape(b, [size for n in dims[1] for size in (1, n)])
    return reshape(a * b, [n * m for n, m in zip(*dims)])


def cross(x1, x2, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """The vector product of vectors of three numbers, or of two."""
    axisa, axisb, axisc = (axisa, axisb, axisc) if axis is None else (axis, axis, axis)
    a, b = promoted(x1, x2)
    a, b = shapes.moveaxis(a, axisa, -1), shapes.moveaxis(b, axisb, -1)
    if shape_of(a)[-1] == shape_of(b)[-1] == 2:
        return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    a, b = (_of_three(x) for x in (a, b))
    a, b = a + 0 * b, b + 0 * a
    return shapes.moveaxis(products.cross(a, b), -1, axisc)


def _of_three(x: Any) -> Any:
    return x if shape_of(x)[-1] == 3 else stacked([x[..., 0], x[..., 1], 0 * x[..., 0]], -1)
