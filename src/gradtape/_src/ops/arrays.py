"""The shape of an array, changed without touching its elements, and the ``_like`` forms that rules use.

A ``_like`` operation takes the shape (never the data) of its second argument, which may be a tensor, a raw
array or a ghost: so a rule never needs to know a shape when it is written down, and graphs with unknown
dimensions work.

A shape given as a value (``reshape``, ``broadcast_to``) is a tuple of integers, or an integer tensor in a
graph. Kernels try NumPy first, and ask the shape rule for the reason only if NumPy refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op, Unary
from gradtape._src.core.shapes import Shape, in_brackets, is_known, normalize_axis, reshape_shape, stack_shape
from gradtape._src.core.values import Ghost, Tensor, dtype_of, shape_of


def refusal(op: str, rule: Callable[..., Any], *args: Any, **params: Any) -> InvalidArgumentError:
    """The error of an executed operation whose shape rule refuses the arguments, in the rule's words."""
    try:
        rule(*args, **params)
    except ValueError as error:
        return InvalidArgumentError.of(f"{error} [Op:{op}]")
    raise AssertionError(f"{op}: NumPy refuses what the shape rule accepts: {args}")


def rank_of(x: Any) -> int:
    """The rank of an argument of a batch rule, where it is known."""
    shape: Any = shape_of(x)
    return len(shape)


def behind(axis: int) -> int:
    """The axis of an array when a new one is put in front."""
    return axis if axis < 0 else axis + 1


def static(shape: Any) -> Shape:
    """A shape given as a value, as far as it is known: a tensor without data tells at most how long it is."""
    if isinstance(shape, (tuple, list)):
        return tuple(shape)
    if isinstance(shape, np.ndarray):
        return tuple(shape.tolist())
    dims: Any = shape_of(shape)
    return (None,) * dims[0] if dims and dims[0] is not None else None


def with_axis(n: int, xs: Sequence[Any], batched: Sequence[bool]) -> list[Any]:
    """Arguments of a batch rule, repeated along a new leading axis where they have none."""
    return [x if has else lead(x, n=n) for x, has in zip(xs, batched, strict=True)]


def like_with_axis(n: int, like: Any, batched: bool) -> Any:
    """The second argument of a ``_like`` operation, with a leading axis of length n."""
    if batched:
        return like
    shape: Any = shape_of(like)
    return Ghost((n, *shape), dtype_of(like)) if is_known(shape) else lead(like, n=n)


def first_and_likes(n: int, xs: Sequence[Any], batched: Sequence[bool]) -> list[Any]:
    """As ``with_axis``, for an operation of whose arguments only the first one's data matters."""
    x, *likes = xs
    likes = [like_with_axis(n, like, has) for like, has in zip(likes, batched[1:], strict=True)]
    return [x if batched[0] else lead(x, n=n), *likes]


def shape_with_axis(n: int, shape: Any) -> Any:
    """A shape given as a value, with n in front."""
    if isinstance(shape, Tensor):
        return prepend(shape, n=n)
    return (n, *shape)


prepend = Op(
    "PrependAxis",
    lambda shape, n: np.concatenate([np.array([n], shape.dtype), shape]),
    shape=lambda shape, n: (None,) if static(shape) is None else (1 + len(static(shape) or ()),),
)


def ones_behind_first(x: Any, rank: int) -> Any:
    """Puts ones behind the first axis until the array has ``rank`` axes behind it."""
    shape: Any = shape_of(x)
    missing = rank - len(shape) + 1
    if missing <= 0:
        return x
    if is_known(shape):
        return reshape(x, (shape[0], *(1,) * missing, *shape[1:]))
    for _ in range(missing):
        x = expand_dims(x, axis=1)
    return x


# --- Broadcasting -------------------------------------------------------------------------------------------

_SMALL = 1 << 14  # elements: up to here filling an array costs less than NumPy's broadcast_to


def _broadcast(x: Any, shape: tuple[int, ...]) -> Any:
    if x.shape == shape:
        return x
    if x.ndim > len(shape) or prod(shape) > _SMALL:
        return np.broadcast_to(x, shape)
    out = np.empty(shape, x.dtype)
    out[...] = x
    return out


def _sum_to(x: Any, like: Any) -> Any:
    shape = like.shape
    extra = x.ndim - len(shape)
    if extra > 0:
        x = np.add.reduce(x) if extra == 1 else np.add.reduce(x, axis=tuple(range(extra)))
        if x.shape == shape:
            return x
    axes = tuple([i for i, n in enumerate(shape) if n == 1 != x.shape[i]])
    return np.add.reduce(x, axis=axes, keepdims=True) if axes else x


def _sum_to_batched(n: int, xs: Any, batched: Any) -> Any:
    x, like = xs
    if not batched[0]:
        return lead(sum_to(x, one_of(like)), n=n)
    like = like_with_axis(n, like, batched[1])
    shape: Any = shape_of(like)
    extra = rank_of(x) - len(shape)
    if extra <= 0:
        return sum_to(x, like)
    if is_known(shape):
        ones = Ghost((n, *(1,) * extra, *shape[1:]), dtype_of(x))
    else:
        ones = ones_behind_first(like, rank_of(x) - 1)
    return reshape_like(sum_to(x, ones), like)


def one_of(like: Any) -> Any:
    """A stand-in for one of the arrays along the leading axis of ``like``, for its shape."""
    shape: Any = shape_of(like)
    return Ghost(shape[1:], dtype_of(like)) if is_known(shape) else like[0]


sum_to = Op(
    "SumTo",
    _sum_to,
    vjp=(lambda g, y, x, like: broadcast_like(g, x), None),
    reads="",
    linear=(0,),
    batch=_sum_to_batched,
    shape=lambda x, like: shape_of(like),
)
"""Undoes broadcasting: sums ``x`` over what was repeated to get from the shape of ``like`` to its own."""


def _broadcast_like_batched(n: int, xs: Any, batched: Any) -> Any:
    like = like_with_axis(n, xs[1], batched[1])
    x = ones_behind_first(xs[0], rank_of(like) - 1) if batched[0] else xs[0]
    return broadcast_like(x, like)


broadcast_like = Op(
    "BroadcastLike",
    lambda x, like: _broadcast(x, like.shape),
    vjp=(lambda g, y, x, like: sum_to(g, x), None),
    reads="",
    linear=(0,),
    batch=_broadcast_like_batched,
    shape=lambda x, like: shape_of(like),
)


def _broadcast_to_shape(x: Any, shape: Any) -> Shape:
    have, want = shape_of(x), static(shape)
    if want is None:
        return None
    for dim in want:
        if dim is not None and dim < 0:
            raise ValueError(f"Dimension {dim} must be >= 0")
    if have is not None:
        if len(have) > len(want):
            raise ValueError(
                f"Rank of input ({len(have)}) must be no greater than rank of output shape ({len(want)})."
            )
        for a, b in zip(reversed(have), reversed(want)):
            if a is not None and a != 1 and b is not None and a != b:
                raise ValueError(f"Incompatible shapes: {in_brackets(have)} vs. {in_brackets(want)}")
    return want


def _broadcast_to(x: Any, shape: Any) -> Any:
    if type(shape) is not tuple:
        shape = tuple(shape.tolist())
    try:
        if x.ndim <= len(shape):
            return _broadcast(x, shape)
    except ValueError:
        pass
    raise refusal("BroadcastTo", _broadcast_to_shape, x, shape)


def _broadcast_to_batched(n: int, xs: Any, batched: Any) -> Any:
    x, shape = xs
    if batched[1]:
        return NotImplemented
    known: Any = static(shape)
    x = ones_behind_first(x, len(known)) if known is not None else x
    return broadcast_to(x, shape_with_axis(n, shape))


broadcast_to = Op(
    "BroadcastTo",
    _broadcast_to,
    vjp=(lambda g, y, x, shape: g, None),
    reads="",
    linear=(0,),
    batch=_broadcast_to_batched,
    shape=_broadcast_to_shape,
)


def _lead_batched(m: int, xs: Any, batched: Any, n: int) -> Any:
    dims: Any = shape_of(xs[0])
    return broadcast_to(expand_dims(xs[0], axis=1), (m, n, *dims[1:])) if is_known(dims) else NotImplemented


lead = Op(
    "LeadingAxis",
    lambda x, n: np.broadcast_to(x, (n, *x.shape)),
    vjp=lambda g, y, x, n: g,
    reads="",
    linear=(0,),
    batch=_lead_batched,
    shape=lambda x, n: None if shape_of(x) is None else (n, *shape_of(x)),
)
"""Repeats an array along a new leading axis, without copying: a value that is the same for a whole batch."""

# --- Constants of a shape -----------------------------------------------------------------------------------


def zeros_array(shape: Any, dtype: Any) -> Any:
    """Zeros; empty strings for strings."""
    return np.full(shape, b"", dtype) if dtype.kind == "O" else np.zeros(shape, dtype)


def ones_array(shape: Any, dtype: Any) -> Any:
    """Ones: ``np.ones`` in a third of its time."""
    ones = np.empty(shape, dtype)
    ones.fill(1)
    return ones


def _dtype_or_likes(like: Any, dtype: Any = None) -> Any:
    return dtype_of(like) if dtype is None else dtype


zeros_like = Op(
    "ZerosLike",
    lambda like, dtype=None: zeros_array(like.shape, dtype or like.dtype),
    elementwise=True,
    shape=lambda like, dtype=None: shape_of(like),
    dtype=_dtype_or_likes,
)
ones_like = Op(
    "OnesLike",
    lambda like, dtype=None: ones_array(like.shape, dtype or like.dtype),
    elementwise=True,
    shape=lambda like, dtype=None: shape_of(like),
    dtype=_dtype_or_likes,
)

# --- The same elements --------------------------------------------------------------------------------------

_IDENTITY = {
    "vjp": lambda g, y, x: g,
    "reads": "",
    "elementwise": True,
    "linear": (0,),
    "takes_slices": True,
    "holomorphic": False,  # a real factor: nothing to conjugate
}

identity = Unary("Identity", lambda x: x, **_IDENTITY)
guarantee_const = Unary("GuaranteeConst", lambda x: x, **_IDENTITY)
stop_gradient = Unary("StopGradient", lambda x: x, elementwise=True)
"""The identity without a derivative."""

identity_n = Op(
    "IdentityN",
    lambda *xs: xs,
    vjp_all=lambda wanted, g, y, *xs: g,
    reads="",
    jvp=lambda ts, y, *xs: tuple(ts),
    batch=lambda n, xs, batched: tuple(with_axis(n, xs, batched)),
    multi=True,
    shape=lambda *xs: list(map(shape_of, xs)),
    dtype=lambda *xs: list(map(dtype_of, xs)),
)

# --- Another shape ------------------------------------------------------------------------------------------


def _reshape_like_batched(n: int, xs: Any, batched: Any) -> Any:
    x, like = xs
    if batched[0]:
        return reshape_like(x, like_with_axis(n, like, batched[1]))
    return lead(reshape_like(x, one_of(like)), n=n)


reshape_like = Op(
    "ReshapeLike",
    lambda x, like: x.reshape(like.shape),
    vjp=(lambda g, y, x, like: reshape_like(g, x), None),
    reads="",
    linear=(0,),
    batch=_reshape_like_batched,
    shape=lambda x, like: shape_of(like),
)


def _reshape_shape(x: Any, shape: Any) -> Shape:
    target: Any = static(shape)
    return None if target is None else reshape_shape(shape_of(x), target)


def _reshape(x: Any, shape: Any) -> Any:
    try:
        return x.reshape(shape)
    except ValueError:
        pass
    try:
        # NumPy does not work out a -1 in an empty array.
        return x.reshape(_reshape_shape(x, shape))
    except ValueError:
        raise refusal("Reshape", _reshape_shape, x, shape) from None


def _reshape_batched(n: int, xs: Any, batched: Any) -> Any:
    x, shape = xs
    if batched[1]:
        return NotImplemented
    if not isinstance(shape, Tensor):
        known = _reshape_shape(one_of(x), shape)
        shape = known if is_known(known) else shape
    return reshape(x, shape_with_axis(n, shape))


reshape = Op(
    "Reshape",
    _reshape,
    vjp=(lambda g, y, x, shape: reshape_like(g, x), None),
    reads="",
    linear=(0,),
    batch=_reshape_batched,
    shape=_reshape_shape,
)
"""``shape`` is a tuple of ints with at most one -1, or an integer tensor."""


def _expand_dims_shape(x: Any, axis: int) -> Shape:
    dims: Any = shape_of(x)
    if dims is None:
        return None
    at = axis + len(dims) + 1 if axis < 0 else axis
    if not 0 <= at <= len(dims):
        raise ValueError(f"Tried to expand dim index {axis} for tensor with {len(dims)} dimensions.")
    return (*dims[:at], 1, *dims[at:])


def _expand_dims(x: Any, axis: int) -> Any:
    dims = x.shape
    rank = len(dims)
    at = axis + rank + 1 if axis < 0 else axis
    if not 0 <= at <= rank:
        raise refusal("ExpandDims", _expand_dims_shape, x, axis)
    return x.reshape(dims[:at] + (1,) + dims[at:])


expand_dims = Op(
    "ExpandDims",
    _expand_dims,
    vjp=lambda g, y, x, axis: reshape_like(g, x),
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched, axis: expand_dims(xs[0], axis=behind(axis)),
    shape=_expand_dims_shape,
)


def _squeeze_shape(x: Any, axis: tuple[int, ...] = ()) -> Shape:
    dims: Any = shape_of(x)
    if dims is None:
        return None
    if not axis:
        return None if None in dims else tuple(d for d in dims if d != 1)
    rank = len(dims)
    gone = set()
    for a in axis:
        if not -rank <= a < rank:
            raise ValueError(f"Tried to squeeze dim index {a} for tensor with {rank} dimensions.")
        a %= rank
        if dims[a] not in (1, None):
            raise ValueError(f"Can not squeeze dim[{a}], expected a dimension of 1, got {dims[a]}")
        gone.add(a)
    return tuple(d for i, d in enumerate(dims) if i not in gone)


def _squeeze(x: Any, axis: tuple[int, ...] = ()) -> Any:
    try:
        return x.reshape(_squeeze_shape(x, axis))
    except ValueError:
        raise refusal("Squeeze", _squeeze_shape, x, axis) from None


def _squeeze_batched(n: int, xs: Any, batched: Any, axis: tuple[int, ...] = ()) -> Any:
    x = xs[0]
    if not axis:
        dims: Any = shape_of(x)[1:]
        if None in dims:
            return NotImplemented
        axis = tuple(i for i, d in enumerate(dims) if d == 1)
        if not axis:
            return x
    return squeeze(x, axis=tuple(map(behind, axis)))


squeeze = Op(
    "Squeeze",
    _squeeze,
    vjp=lambda g, y, x, axis=(): reshape_like(g, x),
    reads="",
    linear=(0,),
    batch=_squeeze_batched,
    shape=_squeeze_shape,
)
"""``axis``: which dimensions of length 1 go; ``()``: all of them."""

# --- One more axis ------------------------------------------------------------------------------------------


def _pack_shape(*xs: Any, axis: int = 0) -> Shape:
    return stack_shape(list(map(shape_of, xs)), axis)


def _pack(*xs: Any, axis: int = 0) -> Any:
    try:
        return np.concatenate([x[None] for x in xs]) if axis == 0 else np.stack(xs, axis)
    except ValueError:
        raise refusal("Pack", _pack_shape, *xs, axis=axis) from None


def _pack_jvp(ts: Any, y: Any, *xs: Any, axis: int = 0) -> Any:
    return pack(*[zeros_like(x) if t is None else t for t, x in zip(ts, xs, strict=True)], axis=axis)


pack = Op(
    "Pack",
    _pack,
    vjp_all=lambda wanted, g, y, *xs, axis=0: unpack(g, num=len(xs), axis=axis),
    reads="",
    jvp=_pack_jvp,
    batch=lambda n, xs, batched, axis=0: pack(*with_axis(n, xs, batched), axis=behind(axis)),
    same_dtype=True,
    shape=_pack_shape,
)


def stack(xs: Any) -> Any:
    """Arrays along a new first axis."""
    return pack(*xs)


def _unpack_shape(x: Any, num: int, axis: int = 0) -> list[Shape]:
    dims: Any = shape_of(x)
    if dims is None:
        return [None] * num
    axis = normalize_axis(axis, len(dims))
    if dims[axis] not in (num, None):
        raise ValueError(f"Input shape axis {axis} must equal {num}, got shape {in_brackets(dims)}")
    return [(*dims[:axis], *dims[axis + 1 :])] * num


def _unpack(x: Any, num: int, axis: int = 0) -> Any:
    dims = x.shape
    if not -len(dims) <= axis < len(dims) or dims[axis] != num:
        raise refusal("Unpack", _unpack_shape, x, num, axis)
    x = np.moveaxis(x, axis, 0) if axis % len(dims) else x
    # Items of arrays of strings and of ml_dtypes' numbers are no NumPy scalars.
    return tuple([x[i, ...] for i in range(num)]) if x.ndim == 1 else tuple(x)


unpack = Op(
    "Unpack",
    _unpack,
    vjp_all=lambda wanted, g, y, x, num, axis=0: [pack(*g, axis=axis)],
    reads="",
    linear=(0,),
    batch=lambda n, xs, batched, num, axis=0: unpack(xs[0], num=num, axis=behind(axis)),
    multi=True,
    shape=_unpack_shape,
)
