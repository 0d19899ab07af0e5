"""Lookups ``gather`` and slices ``x[key]``, and ``IndexedSlices``: their cotangents.

The cotangent of a lookup is the slices that came back and where they were taken from. It stays so while it is
added to others of its kind, and becomes dense where it meets a dense one, or a rule that computes with it.
The cotangents of ``x[key]`` are summed in the same way while a sweep runs, so that a loop over ``x[0]``,
``x[1]``, ... takes time in proportion to the size of x, and not to its square; `settled` makes them dense at
the end.

``gather`` and ``gather_grad``, ``strided_slice`` and ``strided_slice_grad`` are each other's transpose.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from gradtape._src.core.dtypes import as_dtype, float32, int64
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.specs import TypeSpec
from gradtape._src.core.tensor_shape import TensorShape
from gradtape._src.core.values import EagerTensor, Ghost, Tensor, dtype_of, shape_of
from gradtape._src.ops import rows
from gradtape._src.ops.arrays import (
    behind,
    broadcast_to,
    lead,
    like_with_axis,
    reshape,
    with_axis,
    zeros_array,
)
from gradtape._src.ops.casting import cast
from gradtape._src.ops.flattening import flat_rows
from gradtape._src.ops.joining import concat
from gradtape._src.ops.keys import ALL, HOLE, check, filled, index_of, parts_of, sliced_shape
from gradtape._src.ops.measuring import shape as shape_vector


class _Part(NamedTuple):
    """Values at rows, or at a key of which the place gives the dynamic numbers."""

    values: Any
    place: Any  # indices of rows, or a tuple of numbers
    key: tuple[Any, ...] | None = None  # None: rows


class IndexedSlices:
    """A sparse tensor of whole slices: the sum over i of ``values[i]`` at row ``indices[i]``, and 0
    elsewhere.

    An index may come several times: the slices add up. It is what the gradient of `tf.gather` and of
    embedding lookups is, so that a step costs what was looked up and not what the table holds.
    `tf.convert_to_tensor` makes it dense.

    Args:
      values: a tensor of shape (n, ...), the slices.
      indices: an integer tensor of shape (n,), the rows.
      dense_shape: an integer tensor, the shape of the dense tensor; needed to make it dense.

    >>> import gradtape as tf
    >>> slices = tf.IndexedSlices(tf.constant([[1., 2.], [3., 4.], [5., 6.]]), tf.constant([2, 0, 2]),
    ...                           tf.constant([3, 2]))
    >>> tf.convert_to_tensor(slices).numpy().tolist()
    [[3.0, 4.0], [0.0, 0.0], [6.0, 8.0]]
    """

    def __init__(self, values: Any, indices: Any, dense_shape: Any = None) -> None:
        self._rope: Any = _Part(values, indices)  # a part, or a pair of ropes
        self._like: Any = None  # what has the shape of the dense tensor
        self._dense_shape = dense_shape
        self._keyed = False  # whether a part is not of rows

    @classmethod
    def _of(cls, rope: Any, like: Any, dense_shape: Any = None, keyed: bool = False) -> IndexedSlices:
        """The sum of the parts, each a part of an array of the shape of ``like``."""
        slices = cls.__new__(cls)
        slices._rope, slices._like, slices._dense_shape, slices._keyed = rope, like, dense_shape, keyed
        return slices

    def _parts(self) -> list[_Part]:
        ropes, parts = [self._rope], []
        while ropes:
            rope = ropes.pop()
            if type(rope) is _Part:
                parts.append(rope)
            else:
                ropes += rope[::-1]
        return parts

    def _whole(self) -> _Part:
        """All rows as one part; joined when first asked for, since many are added up before anybody looks."""
        if type(self._rope) is not _Part:
            self._rope = _joined_rows(self._parts())
        return self._rope

    @property
    def values(self) -> Any:
        """The slices."""
        return self._whole().values

    @property
    def indices(self) -> Any:
        """The row of each slice."""
        return self._whole().place

    @property
    def dense_shape(self) -> Any:
        """The shape of the dense tensor, as a tensor; None if it was not given."""
        if self._dense_shape is None and self._like is not None:
            self._dense_shape = shape_vector.of(self._like, out_type=np.dtype(np.int32))
        return self._dense_shape

    @property
    def shape(self) -> TensorShape:
        """The shape of the dense tensor, as far as it is known."""
        if self._like is None and self._dense_shape is not None:
            return TensorShape(_known_shape(self._dense_shape))
        return TensorShape(None if self._like is None else shape_of(self._like))

    @property
    def dtype(self) -> Any:
        """The dtype of the slices."""
        return self._parts()[0].values.dtype

    name = property(lambda self: self.values.name, doc="The name of the values.")
    op = property(lambda self: self.values.op, doc="The operation of a graph that makes the values.")
    graph = property(lambda self: self.values.graph, doc="The graph that the values belong to.")
    device = property(lambda self: self.values.device, doc="Where the values are.")

    def consumers(self) -> list[Any]:
        """The operations that use this object: none, they use its parts."""
        return []

    def map(self, f: Callable[[Any], Any]) -> IndexedSlices:
        """The same slices, with f of values and of indices in their place."""
        return self._with(lambda values, place: (f(values), f(place)))

    def _with(self, f: Callable[[Any, Any], tuple[Any, Any]]) -> IndexedSlices:
        if self._keyed:
            parts = [
                _Part(*f(values, place)) if key is None else _Part(f(values, None)[0], place, key)
                for values, place, key in self._parts()
            ]
        else:
            parts = [_Part(*f(self.values, self.indices))]
        rope = reduce(lambda left, right: (left, right), parts)
        return self._of(rope, self._like, self._dense_shape, self._keyed)

    def joined(self, other: IndexedSlices) -> IndexedSlices:
        """The sum of both, where ``other`` came from a lookup before this one's: its slices come first."""
        like = other._like if self._like is None else self._like
        return self._of((other._rope, self._rope), like, self._dense_shape, self._keyed or other._keyed)

    def _components(self) -> tuple[Any, ...]:
        parts = (self.values, self.indices)
        return parts if self.dense_shape is None else (*parts, self.dense_shape)

    def _from_components(self, parts: tuple[Any, ...]) -> IndexedSlices:
        return IndexedSlices(*parts)

    @property
    def _type_spec(self) -> IndexedSlicesSpec:
        shape, dense = self.dense_shape, None
        if shape is not None:
            shape, dense = self.shape, as_dtype(shape.dtype)
        else:
            shape = TensorShape([None]).concatenate(TensorShape(shape_of(self.values))[1:])
        rows = TensorShape(shape_of(self.indices))
        return IndexedSlicesSpec(shape, self.dtype, self.indices.dtype, dense, rows)

    def __tf_tensor__(self, dtype: Any = None, name: Any = None) -> Any:
        """The dense tensor: what `tf.convert_to_tensor` gives."""
        if dtype is not None and as_dtype(dtype) != as_dtype(self.dtype):
            raise ValueError(
                f"Incompatible tensor conversion requested to `dtype` {as_dtype(dtype).name} for "
                f"IndexedSlices ({self}) with dtype {as_dtype(self.dtype).name}"
            )
        return dense(self)

    def __neg__(self) -> IndexedSlices:
        return self._with(lambda values, place: (-values, place))

    def __str__(self) -> str:
        shape = "" if self.dense_shape is None else f", dense_shape={self.dense_shape!s}"
        return f"IndexedSlices(indices={self.indices!s}, values={self.values!s}{shape})"


class IndexedSlicesSpec(TypeSpec):
    """What an `tf.IndexedSlices` looks like.

    Args:
      shape: of the dense tensor.
      dtype: of the slices.
      indices_dtype: of the indices.
      dense_shape_dtype: of the dense shape, or None if there is none.
      indices_shape: of the indices.

    >>> import gradtape as tf
    >>> tf.IndexedSlicesSpec([3, 2])
    IndexedSlicesSpec(TensorShape([3, 2]), tf.float32, tf.int64, None, TensorShape([None]))
    """

    __slots__ = ("_dense_shape_dtype", "_dtype", "_indices_dtype", "_indices_shape", "_shape")

    def __init__(
        self,
        shape: Any = None,
        dtype: Any = float32,
        indices_dtype: Any = int64,
        dense_shape_dtype: Any = None,
        indices_shape: Any = None,
    ) -> None:
        self._shape = TensorShape(shape)
        self._dtype = as_dtype(dtype)
        self._indices_dtype = as_dtype(indices_dtype)
        self._dense_shape_dtype = None if dense_shape_dtype is None else as_dtype(dense_shape_dtype)
        rows = TensorShape(indices_shape)
        self._indices_shape = rows if rows.rank is not None else TensorShape([None])

    @property
    def value_type(self) -> type:
        """The type of the values that this spec describes."""
        return IndexedSlices

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether slices, or all slices of a spec, could be some that this spec describes."""
        if isinstance(spec_or_value, IndexedSlices):
            spec_or_value = spec_or_value._type_spec
        return super().is_compatible_with(spec_or_value)

    def _parts(self) -> tuple[Any, ...]:
        return self._shape, self._dtype, self._indices_dtype, self._dense_shape_dtype, self._indices_shape


def rows_of(values: Any, indices: Any, like: Any) -> IndexedSlices:
    """The cotangent of a lookup in an array of the shape of ``like``."""
    return IndexedSlices._of(_Part(values, indices), like)


def _joined_rows(parts: list[_Part]) -> _Part:
    values, indices, _ = zip(*parts, strict=True)
    common = np.result_type(*map(dtype_of, indices))
    indices = [i if dtype_of(i) == common else cast(i, dtype=common) for i in indices]
    return _Part(concat(*values, axis=0), concat(*indices, axis=0))


def dense(x: Any) -> Any:
    """The dense tensor of an IndexedSlices; anything else passes."""
    if type(x) is not IndexedSlices:
        return x
    like = _dense_like(x) if x._like is None else x._like
    if not x._keyed:
        return gather_grad(x.values, x.indices, like)
    parts = x._parts()
    if len(parts) == 1:
        return _dense_part(*parts[0], like)
    placed = [part for part in parts if part.key is not None and not part.place]
    looked_up = [part for part in parts if part.key is None]
    others = [part for part in parts if part.key is not None and part.place]
    total = (
        slices_sum(like, *[p.values for p in placed], keys=tuple([p.key for p in placed])) if placed else None
    )
    for part in ([_joined_rows(looked_up)] if looked_up else []) + others:
        one = _dense_part(*part, like)
        total = one if total is None else total + one
    return total


def _dense_part(values: Any, place: Any, key: Any, like: Any) -> Any:
    return (
        gather_grad(values, place, like) if key is None else strided_slice_grad(values, like, *place, key=key)
    )


def settled(x: Any) -> Any:
    """A cotangent as the user gets it: of the sparse ones, the sums of lookups stay sparse."""
    if type(x) is IndexedSlices and not x._keyed:
        x._whole()  # now, while whoever watches the sweep sees it
        return x
    return dense(x)


def _dense_like(x: IndexedSlices) -> Any:
    if x._dense_shape is None:
        raise ValueError(
            f"Tensor conversion requested for IndexedSlices for argument `value` without dense_shape: {x}\n"
            "Give tf.IndexedSlices the shape of the dense tensor as its third argument."
        )
    shape, dtype = _known_shape(x._dense_shape), dtype_of(x.values)
    return broadcast_to(np.zeros((), dtype), x._dense_shape) if shape is None else Ghost(shape, dtype)


def _known_shape(shape: Any) -> Any:
    """A shape given as a tensor, an array or a sequence, as a tuple of ints; None if it is not known yet."""
    if type(shape) is EagerTensor:
        shape = shape._data
    elif isinstance(shape, Tensor):
        return None
    return tuple(np.asarray(shape).astype(np.int64).tolist())


# --- Lookups ------------------------------------------------------------------------------------------------


def _gather_vjp(g: Any, y: Any, x: Any, indices: Any, axis: int = 0, batch_dims: int = 0) -> Any:
    if axis or batch_dims:
        return gather_grad(g, indices, x, axis=axis, batch_dims=batch_dims)
    if len(shape_of(indices)) != 1:
        g = flat_rows(g, indices)
        indices = reshape(indices, (-1,))
    return rows_of(g, indices, x)


def _gather_shape(x: Any, indices: Any, axis: int = 0, batch_dims: int = 0) -> Any:
    params, ids = shape_of(x), shape_of(indices)
    if params is None or ids is None:
        return None
    axis %= len(params)
    return params[:axis] + ids[rows.from_front(batch_dims, len(ids)) :] + params[axis + 1 :]


def _gather_batch(n: int, xs: Any, batched: Any, axis: int = 0, batch_dims: int = 0) -> Any:
    if not batched[0] and axis == 0 and batch_dims == 0:
        return gather(*xs)
    if not batched[1] and batch_dims == 0:
        return gather(*xs, axis=behind(axis))
    return gather(*with_axis(n, xs, batched), axis=behind(axis), batch_dims=behind(batch_dims))


def _gather_grad_batch(n: int, xs: Any, batched: Any, axis: int = 0, batch_dims: int = 0) -> Any:
    g, indices = xs[0], xs[1]
    like = like_with_axis(n, xs[2], batched[2])
    if not batched[1] and batch_dims == 0:
        (g,) = with_axis(n, [g], batched[:1])
        return gather_grad(g, indices, like, axis=behind(axis))
    g, indices = with_axis(n, [g, indices], batched[:2])
    return gather_grad(g, indices, like, axis=behind(axis), batch_dims=behind(batch_dims))


gather = Op(
    "GatherV2",
    rows.gather,
    vjp=(_gather_vjp, None),
    reads="indices",
    linear=(0,),
    batch=_gather_batch,
    shape=_gather_shape,
    holomorphic=False,
)
"""The slices of x along an axis that the indices name; the first ``batch_dims`` axes of both run together."""

gather_grad = Op(
    "GatherGrad",
    rows.gather_grad,
    vjp=(lambda g, y, values, indices, like, **how: gather(g, indices, **how), None, None),
    reads="indices",
    linear=(0,),
    batch=_gather_grad_batch,
    shape=lambda g, indices, like, **how: shape_of(like),
    holomorphic=False,
)
"""Zeros of the shape of ``like``, with each slice of g added where ``gather`` would take it from."""


# --- Strided slices -----------------------------------------------------------------------------------------


def _strided_slice(x: Any, *dynamic: Any, key: tuple[Any, ...]) -> Any:
    try:
        return x[index_of(key, dynamic)]
    except (IndexError, ValueError):
        check(filled(key, dynamic), x.shape, InvalidArgumentError.of)
        raise


def _strided_slice_grad(g: Any, like: Any, *dynamic: Any, key: tuple[Any, ...]) -> Any:
    out = zeros_array(like.shape, g.dtype)
    out[index_of(key, dynamic)] = g
    return out


def _strided_slice_batch(n: int, xs: Any, batched: Any, *, key: tuple[Any, ...]) -> Any:
    if any(batched[1:]):
        return _sliced_differently(n, xs, batched, key)
    return strided_slice(*xs, key=(ALL, *key))


def _sliced_differently(n: int, xs: Any, batched: Any, key: tuple[Any, ...]) -> Any:
    """For integers that differ from one application to the next: takes all, then gathers one axis after the
    other."""
    (x, *dynamic), (x_has, *dynamic_has) = xs, batched
    rank = len(shape_of(x)) - x_has
    numbers = iter(zip(dynamic, dynamic_has, strict=True))
    same: list[Any] = []  # the dynamic numbers that are the same in all applications
    wide: list[Any] = []  # the key, with all of an axis in place of a number that differs
    differing: list[tuple[int, Any]] = []  # where that axis is in the result, and the numbers
    place = 0
    for part, _ in parts_of(key, rank):
        holes = (part == HOLE) if type(part) is not tuple else part.count(HOLE)
        for _ in range(holes):
            number, has = next(numbers)
            if has and type(part) is tuple:
                return NotImplemented
            if has:
                differing.append((place, number))
                part = ALL
            else:
                same.append(number)
        wide.append(part)
        place += part is None or type(part) is tuple
    y = strided_slice(x, *same, key=(ALL, *wide) if x_has else tuple(wide))
    for axis, number in reversed(differing):
        if not x_has and axis:
            y = lead(y, n=n)
            x_has = True
        number = counted_from_front(number, y, axis=axis + x_has)
        y = gather(y, number, axis=axis + x_has, batch_dims=int(x_has))
        x_has = True
    return y


def _strided_slice_grad_batch(n: int, xs: Any, batched: Any, *, key: tuple[Any, ...]) -> Any:
    if any(batched[2:]):
        return NotImplemented
    (g,) = with_axis(n, xs[:1], batched[:1])
    return strided_slice_grad(g, like_with_axis(n, xs[1], batched[1]), *xs[2:], key=(ALL, *key))


counted_from_front = Op(
    "CountedFromFront",
    lambda numbers, like, axis: np.where(numbers < 0, numbers + like.shape[axis], numbers).astype(
        numbers.dtype
    ),
    shape=lambda numbers, like, axis: shape_of(numbers),
)
"""Indices along an axis of ``like`` with the length of it added to negative ones."""

strided_slice = Op(
    "StridedSlice",
    _strided_slice,
    vjp=(lambda g, y, x, *dynamic, key: IndexedSlices._of(_Part(g, dynamic, key), x, None, True),),
    reads="dynamic",
    linear=(0,),
    batch=_strided_slice_batch,
    shape=lambda x, *dynamic, key: sliced_shape(shape_of(x), filled(key, dynamic)),
    holomorphic=False,
)
"""``x[key]``."""

strided_slice_grad = Op(
    "StridedSliceGrad",
    _strided_slice_grad,
    vjp=(lambda h, y, g, like, *dynamic, key: strided_slice(h, *dynamic, key=key), None),
    reads=("dynamic", ""),
    linear=(0,),
    batch=_strided_slice_grad_batch,
    shape=lambda g, like, *dynamic, key: shape_of(like),
    holomorphic=False,
)
"""Zeros of the shape of ``like``, with g at ``[key]``."""


def _slices_sum(like: Any, *gs: Any, keys: tuple[Any, ...]) -> Any:
    out = np.zeros(like.shape, gs[0].dtype)
    for g, key in zip(gs, keys, strict=True):
        out[index_of(key)] += g
    return out


def _slices_sum_batch(n: int, xs: Any, batched: Any, *, keys: tuple[Any, ...]) -> Any:
    like = like_with_axis(n, xs[0], batched[0])
    return slices_sum(like, *with_axis(n, xs[1:], batched[1:]), keys=tuple([(ALL, *key) for key in keys]))


def _slices_sum_jvp(ts: Any, y: Any, like: Any, *gs: Any, keys: tuple[Any, ...]) -> Any:
    moving = [(t, key) for t, key in zip(ts[1:], keys, strict=True) if t is not None]
    return (
        slices_sum(like, *[t for t, _ in moving], keys=tuple([key for _, key in moving])) if moving else None
    )


slices_sum = Op(
    "StridedSliceGradSum",
    _slices_sum,
    vjp_all=lambda wanted, h, y, like, *gs, keys: [
        None,
        *[strided_slice(h, key=key) if want else None for want, key in zip(wanted[1:], keys, strict=True)],
    ],
    reads="",
    jvp=_slices_sum_jvp,
    batch=_slices_sum_batch,
    shape=lambda like, *gs, keys: shape_of(like),
    dtype=lambda like, *gs, keys: dtype_of(gs[0]),
    holomorphic=False,
)
"""Zeros of the shape of ``like``, with each array added at its key."""
