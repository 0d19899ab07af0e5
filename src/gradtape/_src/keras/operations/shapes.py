"""Functions of `tf.keras.ops` that make arrays and move their elements about."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from gradtape._src.api import arrays, creation, gathering, joining, reordering, scattering, selection
from gradtape._src.api.casting import cast
from gradtape._src.api.indexing import slice as slice_of
from gradtape._src.api.products import tensordot
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, int32
from gradtape._src.core.nest import map_structure
from gradtape._src.core.values import Tensor, dtype_of, shape_of
from gradtape._src.keras.operations.promotion import promoted
from gradtape._src.keras.settings import as_floatx, standardize_dtype


def convert_to_tensor(x, dtype=None, sparse=None, ragged=None):
    """x as a tensor; Python's floats, and NumPy's in float64, become numbers of the dtype of `floatx`."""
    if dtype is None and not isinstance(x, Tensor) and not hasattr(type(x), "__tf_tensor__"):
        made = np.asarray(x)
        if made.dtype == np.float64 and not isinstance(x, np.ndarray):
            return as_tensor(x, as_floatx(None))
        return as_tensor(x)
    x = as_tensor(x)
    return x if dtype is None else cast(x, standardize_dtype(dtype))


def convert_to_numpy(x):
    """x as a NumPy array."""
    return np.array(x)


def shape(x):
    """The shape as a tuple; in a graph a size that is not known there is a tensor."""
    x = as_tensor(x)
    known = shape_of(x)
    if known is None or (None in known and not isinstance(x, Tensor)):
        return arrays.shape(x)
    if None not in known:
        return tuple(known)
    if hasattr(x, "_keras_history"):  # a description of the inputs of a model
        return tuple(known)
    now = arrays.shape(x)
    return tuple(now[i] if n is None else n for i, n in enumerate(known))


def ndim(x):
    """The number of dimensions."""
    return len(shape_of(as_tensor(x)))


def size(x):
    """The number of elements."""
    return arrays.size(x)


def dtype(x):
    """The name of the dtype."""
    return as_dtype(dtype_of(as_tensor(x))).name


def is_tensor(x):
    """Whether x is a tensor."""
    return isinstance(x, Tensor)


# --- New arrays ---------------------------------------------------------------------------------------------


def zeros(shape, dtype=None):
    """Zeros, of the dtype of `floatx` by default."""
    return creation.zeros(shape, as_floatx(dtype))


def ones(shape, dtype=None):
    """Ones, of the dtype of `floatx` by default."""
    return creation.ones(shape, as_floatx(dtype))


def full(shape, fill_value, dtype=None):
    """An array of one value."""
    value = cast(fill_value, as_floatx(dtype))
    return arrays.broadcast_to(value, shape)


def full_like(x, fill_value, dtype=None):
    """An array of one value, of the shape of x."""
    x = as_tensor(x)
    return creation.ones_like(x, dtype or x.dtype) * cast(fill_value, dtype or x.dtype)


def arange(start, stop=None, step=None, dtype=None):
    """start, start + step, ... below stop; with one argument 0, 1, ... below it."""
    first, last = (0, start) if stop is None else (start, stop)
    found = creation.range(first, last, 1 if step is None else step)
    return found if dtype is None else cast(found, dtype)


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    """``num`` numbers from start to stop at equal distances; without ``endpoint`` stop would be the next."""
    first: Any
    last: Any
    first, last = (cast(as_tensor(x), as_floatx(dtype)) for x in (start, stop))
    step = (last - first) / (builtins.max(num - 1, 1) if endpoint else num)
    found = creation.linspace(first, last if endpoint else last - step, num, axis=axis)
    return (found, step) if retstep else found


def eye(N, M=None, k=0, dtype=None):
    """Ones on the diagonal k of a matrix (N, M), and zeros."""
    return as_tensor(np.eye(N, M, k, as_floatx(dtype).np))


def identity(n, dtype=None):
    """Ones on the diagonal of a matrix (n, n), and zeros."""
    return eye(n, dtype=dtype)


def tri(N, M=None, k=0, dtype=None):
    """Ones on and below the diagonal k of a matrix (N, M), and zeros."""
    return as_tensor(np.tri(N, M, k, as_floatx(dtype).np))


# --- Other shapes -------------------------------------------------------------------------------------------


def transpose(x, axes=None):
    """The axes in another order; in the opposite one by default."""
    return reordering.transpose(x, axes)


def swapaxes(x, axis1, axis2):
    """Two axes exchanged."""
    order = list(range(ndim(x)))
    order[axis1], order[axis2] = order[axis2], order[axis1]
    return reordering.transpose(x, order)


def moveaxis(x, source, destination):
    """Axes at other places; the others keep their order."""
    rank = ndim(x)
    from_, to = ([axes] if isinstance(axes, int) else list(axes) for axes in (source, destination))
    from_, to = [axis % rank for axis in from_], [axis % rank for axis in to]
    order = [axis for axis in range(rank) if axis not in from_]
    for place, axis in sorted(zip(to, from_)):
        order.insert(place, axis)
    return reordering.transpose(x, order)


def ravel(x):
    """All elements in a row."""
    return arrays.reshape(x, [-1])


def flip(x, axis=None):
    """The elements along ``axis``, or along all axes, in the opposite order."""
    axes = range(ndim(x)) if axis is None else [axis] if isinstance(axis, int) else axis
    return reordering.reverse(x, list(axes))


def roll(x, shift, axis=None):
    """The elements moved along ``axis``, or all in a row; those that leave come in at the other end."""
    if axis is not None:
        return reordering.roll(x, shift, axis)
    return arrays.reshape(reordering.roll(ravel(x), shift, 0), arrays.shape(x))


def squeeze(x, axis=None):
    """Without axes of length 1: these, or all."""
    return arrays.squeeze(x, axis)


def expand_dims(x, axis):
    """With new axes of length 1 at these places."""
    x = as_tensor(x)
    if isinstance(axis, int):
        return arrays.expand_dims(x, axis)
    rank = ndim(x) + len(axis)
    for place in sorted(a % rank for a in axis):
        x = arrays.expand_dims(x, place)
    return x


def concatenate(xs, axis=0):
    """Arrays one behind the other along an axis, brought to one dtype."""
    return joining.concat(list(promoted(*xs)), axis)


def stack(x, axis=0):
    """Arrays side by side along a new axis, brought to one dtype."""
    return joining.stack(list(promoted(*x)), axis)


def hstack(xs):
    """Arrays one behind the other along the second axis, or the only one."""
    return concatenate(xs, 0 if ndim(xs[0]) == 1 else 1)


def vstack(xs):
    """Arrays one below the other."""
    return concatenate([arrays.reshape(x, [1, -1]) if ndim(x) == 1 else x for x in xs], 0)


def split(x, indices_or_sections, axis=0):
    """x in so many equal parts, or cut at these places, along an axis."""
    if isinstance(indices_or_sections, int):
        return joining.split(x, indices_or_sections, axis)
    edges = [0, *indices_or_sections, shape(x)[axis]]
    return joining.split(x, [b - a for a, b in zip(edges, edges[1:])], axis)


def tile(x, repeats):
    """x so many times along each axis."""
    x = as_tensor(x)
    times = [repeats] if isinstance(repeats, int) else list(repeats)
    times = [1] * (ndim(x) - len(times)) + times
    while len(times) > ndim(x):
        x = arrays.expand_dims(x, 0)
    return joining.tile(x, times)


def pad(x, pad_width, mode="constant", constant_values=None):
    """x with a border: of so many elements before and behind, along each axis."""
    x = as_tensor(x)
    width = [(pad_width, pad_width)] if isinstance(pad_width, int) else list(pad_width)
    if isinstance(width[0], int):
        width = [tuple(width)]
    width = list(width) * ndim(x) if len(width) == 1 else width
    return joining.pad(x, width, mode.upper(), 0 if constant_values is None else constant_values)


def tril(x, k=0):
    """The matrices with zeros above the diagonal k."""
    return _part(x, lambda rows, columns: columns <= rows + k)


def triu(x, k=0):
    """The matrices with zeros below the diagonal k."""
    return _part(x, lambda rows, columns: columns >= rows + k)


def _part(x: Any, inside: Any) -> Any:
    x = as_tensor(x)
    dims = shape(x)
    rows, columns = creation.range(dims[-2])[:, None], creation.range(dims[-1])[None, :]
    return selection.where(inside(rows, columns), x, creation.zeros_like(x))


# --- Chosen elements ----------------------------------------------------------------------------------------


def where(condition, x1=None, x2=None):
    """x1 where the condition holds, and x2 elsewhere; the places where it holds without them."""
    if x1 is None:
        return nonzero(condition)
    a, b = promoted(x1, x2)
    return selection.where(cast(condition, "bool"), a, b)


def nonzero(x):
    """The places of the elements that are not 0, for each axis."""
    places = selection.where(cast(x, "bool"))
    return tuple(cast(places[:, i], int32) for i in range(ndim(x)))


def take(x, indices, axis=None):
    """The slices of these numbers along ``axis``, or the elements of all in a row."""
    x, indices = as_tensor(x), as_tensor(indices)
    x, axis = (ravel(x), 0) if axis is None else (x, axis % ndim(x))
    n = shape(x)[axis]
    return gathering.gather(
        x, selection.where(indices < 0, indices + cast(n, indices.dtype), indices), axis=axis
    )


def take_along_axis(x, indices, axis=None):
    """For each place the element of the number that is there, along ``axis``."""
    x, indices = as_tensor(x), as_tensor(indices)
    if axis is None:
        return take(ravel(x), ravel(indices), 0)
    last = ndim(x) - 1
    axis = axis % ndim(x)
    turned, places = swapaxes(x, axis, last), swapaxes(indices, axis, last)
    return swapaxes(gathering.gather(turned, places, batch_dims=last), axis, last)


def slice(inputs, start_indices, shape):
    """The part of this shape that begins there."""
    return slice_of(inputs, start_indices, shape)


def slice_update(inputs, start_indices, updates):
    """The array with ``updates`` from ``start_indices`` on."""
    inputs, updates = as_tensor(inputs), as_tensor(updates)
    grid = joining.meshgrid(
        *[creation.range(n) + s for n, s in zip(shape(updates), start_indices)], indexing="ij"
    )
    places = joining.stack([ravel(g) for g in grid], axis=-1)
    return scattering.tensor_scatter_nd_update(inputs, places, ravel(updates))


def scatter(indices, values, shape):
    """Zeros of this shape, with values added at places."""
    return scattering.scatter_nd(indices, values, shape)


def scatter_update(inputs, indices, updates, reduction=None):
    """The array with new values at places, or with values added there ("add") or compared ("max", "min")."""
    functions = {
        None: scattering.tensor_scatter_nd_update,
        "add": scattering.tensor_scatter_nd_add,
        "max": scattering.tensor_scatter_nd_max,
        "min": scattering.tensor_scatter_nd_min,
    }
    if reduction not in functions:
        raise ValueError(f"reduction must be one of {list(functions)}. Received: {reduction}")
    return functions[reduction](as_tensor(inputs), indices, updates)


def diag(x, k=0):
    """The matrix with x on the diagonal k, or the diagonal k of a matrix."""
    x = as_tensor(x)
    if ndim(x) != 1:
        return diagonal(x, k)
    n = shape(x)[0]
    row = creation.range(n)
    places = joining.stack([row + builtins.max(-k, 0), row + builtins.max(k, 0)], axis=-1)
    return scattering.scatter_nd(places, x, [n + abs(k), n + abs(k)])


def diagonal(x, offset=0, axis1=0, axis2=1):
    """The elements (i, i + offset) of two axes."""
    x = moveaxis(as_tensor(x), (axis1, axis2), (-2, -1))
    rows, columns = shape(x)[-2:]
    n = builtins.min(rows + builtins.min(offset, 0), columns - builtins.max(offset, 0))
    i = np.arange(builtins.max(n, 0))
    flat = arrays.reshape(x, [*shape(x)[:-2], rows * columns])
    return gathering.gather(
        flat, (i + builtins.max(-offset, 0)) * columns + i + builtins.max(offset, 0), axis=-1
    )


def dot(x1, x2):
    """The product over the last axis of x1 and the last but one of x2; of scalars the product."""
    a, b = promoted(x1, x2)
    if not ndim(a) or not ndim(b):
        return a * b
    return tensordot(a, b, [[-1 % ndim(a)], [builtins.max(ndim(b) - 2, 0)]])


def outer(x1, x2):
    """The products of all pairs of elements."""
    a, b = promoted(x1, x2)
    return ravel(a)[:, None] * ravel(b)[None, :]


def meshgrid(*x, indexing="xy"):
    """Coordinates of a grid."""
    return joining.meshgrid(*x, indexing=indexing)


def copy(x):
    """A tensor of the same values."""
    return map_structure(arrays.identity, as_tensor(x))
