"""`tf.TensorShape`, the shape that users see, and `Dimension`, what indexing it gave in TensorFlow 1.

A `TensorShape` wraps one static shape of `shapes.py` (its slot `_dims`). Code inside the package makes one
from a checked tuple with `TensorShape._of`, and turns whatever a user may write for a shape into a tuple with
`as_shape_tuple`. With TensorFlow 1's behaviour switched on (`set_v2_tensorshape(False)`), indexing and
iterating give `Dimension`s, so that `x.shape[0].value` works.

Rests on `shapes.py`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

from gradtape._src.core.shapes import Shape, as_text, broadcast, compatible, is_known, merge, relax, size_of

_v2 = True


def set_v2_tensorshape(on: bool) -> None:
    """Whether indexing a shape gives plain integers (TensorFlow 2) or Dimensions (TensorFlow 1)."""
    global _v2
    _v2 = on


def _as_dim(value: Any) -> int | None:
    """One dimension from whatever a user may write for it."""
    if type(value) is not int:
        if value is None:
            return None
        if isinstance(value, Dimension):
            return value.value
        try:
            value = int(operator.index(value))
        except TypeError:
            raise TypeError(
                "Dimension value must be integer or None or have an __index__ method, "
                f"got value '{value!r}' with type '{type(value)!r}'"
            ) from None
    if value < 0:
        raise ValueError(f"Dimension {value} must be >= 0. Write None for a dimension that is not known.")
    return value


def as_shape_tuple(value: Any) -> Shape:
    """The plain shape that `value` means: None, an integer, a sequence of dimensions or a TensorShape."""
    if type(value) is TensorShape:
        return value._dims
    if value is None:
        return None
    if isinstance(value, (tuple, list)):
        return tuple(map(_as_dim, value))
    if isinstance(value, (str, bytes)):
        raise TypeError(
            f"Failed to convert '{value!r}' to a shape: it could not be converted to a dimension. A shape "
            "should either be single dimension (e.g. 10), or an iterable of dimensions (e.g. [1, 10, None])."
        )
    if isinstance(value, (int, Dimension)) or getattr(value, "shape", None) == ():
        return (_as_dim(value),)  # a 0-d array or tensor has __iter__ too, but only to refuse
    try:
        dims = iter(value)
    except (TypeError, ValueError):
        return (_as_dim(value),)
    return tuple(map(_as_dim, dims))


def _or_none(value: Any) -> TensorShape | None:
    """`value` as a shape, or None if it is none: for comparisons, which do not raise."""
    if isinstance(value, dict):
        return None
    try:
        return TensorShape(value)
    except (TypeError, ValueError):
        return None


class TensorShape:
    """The shape of a tensor, as far as it is known: a dimension may be None, and the rank too.

    >>> import gradtape as tf
    >>> shape = tf.TensorShape([2, None])
    >>> shape, str(shape), shape.rank, shape[0], shape == [2, None]
    (TensorShape([2, None]), '(2, None)', 2, 2, True)
    """

    __slots__ = ("_dims",)
    _dims: Shape

    def __init__(self, dims: Any) -> None:
        self._dims = as_shape_tuple(dims)

    @classmethod
    def _of(cls, dims: Shape) -> TensorShape:
        """The shape of a tuple that is known to hold nothing but sizes and None: no checks."""
        shape = _new(cls)
        shape._dims = dims
        return shape

    # What is known

    @property
    def rank(self) -> int | None:
        """The number of dimensions, or None."""
        return None if self._dims is None else len(self._dims)

    @property
    def ndims(self) -> int | None:
        """The number of dimensions, or None: the older name of `rank`."""
        return self.rank

    @property
    def dims(self) -> list[Dimension] | None:
        """The dimensions as `Dimension`s, or None for an unknown rank."""
        return None if self._dims is None else [Dimension(d) for d in self._dims]

    def as_list(self) -> list[int | None]:
        """The dimensions as a list of integers and None; ValueError if the rank is unknown."""
        if self._dims is None:
            raise ValueError("as_list() is not defined on an unknown TensorShape.")
        return list(self._dims)

    def num_elements(self) -> int | None:
        """The number of elements of a tensor of this shape, or None."""
        return size_of(self._dims)

    def is_fully_defined(self) -> bool:
        """Whether the rank and every dimension are known."""
        return is_known(self._dims)

    # Two shapes

    def is_compatible_with(self, other: Any) -> bool:
        """Whether one tensor could have both shapes."""
        return compatible(self._dims, as_shape_tuple(other))

    def merge_with(self, other: Any) -> TensorShape:
        """All that is known of a tensor that has both shapes; ValueError if none can."""
        return self._of(merge(self._dims, as_shape_tuple(other)))

    def concatenate(self, other: Any) -> TensorShape:
        """The dimensions of this shape followed by those of `other`."""
        dims = as_shape_tuple(other)
        return self._of(None if self._dims is None or dims is None else self._dims + dims)

    def most_specific_compatible_shape(self, other: Any) -> TensorShape:
        """The most specific shape that describes tensors of either shape."""
        return self._of(relax(self._dims, as_shape_tuple(other)))

    def is_subtype_of(self, other: Any) -> bool:
        """Whether every tensor of this shape has the shape `other` too."""
        if type(other) is not TensorShape:
            return False
        return relax(self._dims, other._dims) == other._dims

    def most_specific_common_supertype(self, others: Any) -> TensorShape | None:
        """The most specific shape that describes tensors of all these shapes; None if one is not a shape."""
        dims = self._dims
        for other in others:
            if type(other) is not TensorShape:
                return None
            dims = relax(dims, other._dims)
        return self._of(dims)

    # Demands

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raise ValueError unless one tensor could have both shapes."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {other} are incompatible")

    def assert_same_rank(self, other: Any) -> None:
        """Raise ValueError if the ranks are known and differ."""
        dims = as_shape_tuple(other)
        if self._dims is not None and dims is not None and len(self._dims) != len(dims):
            raise ValueError(f"Shapes {self} and {as_text(dims)} must have the same rank")

    def assert_has_rank(self, rank: int) -> None:
        """Raise ValueError if the rank is known and is not `rank`."""
        if self.rank not in (None, rank):
            raise ValueError(f"Shape {self} must have rank {rank}")

    def assert_is_fully_defined(self) -> None:
        """Raise ValueError unless the rank and every dimension are known."""
        if not self.is_fully_defined():
            raise ValueError(f"Shape {self} is not fully defined")

    def with_rank(self, rank: int | None) -> TensorShape:
        """This shape, known to have `rank` dimensions; ValueError if it has not."""
        if rank is None:
            return self
        if self._dims is None:
            return self._of((None,) * operator.index(rank))
        self.assert_has_rank(rank)
        return self

    def with_rank_at_least(self, rank: int) -> TensorShape:
        """This shape; ValueError if it is known to have fewer than `rank` dimensions."""
        if self._dims is not None and len(self._dims) < rank:
            raise ValueError(f"Shape {self} must have rank at least {rank}")
        return self

    def with_rank_at_most(self, rank: int) -> TensorShape:
        """This shape; ValueError if it is known to have more than `rank` dimensions."""
        if self._dims is not None and len(self._dims) > rank:
            raise ValueError(f"Shape {self} must have rank at most {rank}")
        return self

    # As a sequence

    def __len__(self) -> int:
        if self._dims is None:
            raise ValueError("Cannot take the length of shape with unknown rank.")
        return len(self._dims)

    def __bool__(self) -> bool:
        return self._dims is not None  # whether the rank is known; the shape of a scalar is true

    def __iter__(self) -> Iterator[Any]:
        if self._dims is None:
            raise ValueError("Cannot iterate over a shape with unknown rank.")
        return iter(self._dims if _v2 else map(Dimension, self._dims))

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return self._of(_slice_unknown(key) if self._dims is None else self._dims[key])
        dim = None if self._dims is None else self._dims[key]
        return dim if _v2 else Dimension(dim)

    def __add__(self, other: Any) -> TensorShape:
        return self.concatenate(other)

    def __radd__(self, other: Any) -> TensorShape:
        return TensorShape(other).concatenate(self)

    def __eq__(self, other: object) -> bool:
        other = other if type(other) is TensorShape else _or_none(other)
        return NotImplemented if other is None else self._dims == other._dims

    def __hash__(self) -> int:
        return hash(self._dims)

    def __repr__(self) -> str:
        return f"TensorShape({None if self._dims is None else list(self)})"

    def __str__(self) -> str:
        return as_text(self._dims) if _v2 else as_text(self._dims).replace("None", "?")

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorShape, (self._dims,)


_new = object.__new__


def _slice_unknown(key: slice) -> Shape:
    """A slice of a shape of unknown rank: its length is known if both of its ends count from the front."""
    start, stop = key.start or 0, key.stop
    if stop is None or start < 0 or stop < 0 or (key.step or 1) < 0:
        return None
    return (None,) * len(range(start, stop, key.step or 1))


def broadcast_static_shape(shape_x: Any, shape_y: Any) -> TensorShape:
    """The static shape of an elementwise operation on tensors of these two static shapes.

    >>> import gradtape as tf
    >>> tf.broadcast_static_shape(tf.TensorShape([5, 1]), tf.TensorShape([None, 3]))
    TensorShape([5, 3])
    """
    x, y = as_shape_tuple(shape_x), as_shape_tuple(shape_y)
    try:
        return TensorShape._of(broadcast(x, y))
    except ValueError:
        raise ValueError(
            "Incompatible shapes for broadcasting. Two shapes are compatible if for each dimension pair they "
            f"are either equal or one of them is 1. Received: {as_text(x)} and {as_text(y)}."
        ) from None


def _lift(function: Callable[[Any, Any], Any], wrap: bool, swap: bool = False) -> Any:
    """A binary operator of `Dimension`: on the values, and unknown if one of them is unknown."""

    def method(self: Dimension, other: Any) -> Any:
        try:
            a, b = self.value, other if isinstance(other, int) else _as_dim(other)
        except (TypeError, ValueError):
            return NotImplemented
        if a is None or b is None:
            return Dimension(None) if wrap else None
        result = function(b, a) if swap else function(a, b)
        return Dimension(result) if wrap else result

    return method


def _no_division(self: Dimension, other: Any) -> Any:
    raise TypeError(
        f"unsupported operand type(s) for /: 'Dimension' and '{type(other).__name__}', please use // instead"
    )


class Dimension:
    """One dimension of a shape in TensorFlow 1: a size, or unknown. Arithmetic with an unknown is unknown.

    Comparing with an unknown dimension gives None, neither true nor false.

    >>> import gradtape.compat.v1 as tf
    >>> tf.Dimension(3) + 2, tf.Dimension(3) * None, tf.Dimension(3) == 3
    (Dimension(5), Dimension(None), True)
    """

    __slots__ = ("_value",)
    __hash__ = None  # type: ignore[assignment]  # an unknown equals nothing, itself included

    def __init__(self, value: Any) -> None:
        self._value = _as_dim(value)

    @property
    def value(self) -> int | None:
        """The size, or None."""
        return self._value

    def is_compatible_with(self, other: Any) -> bool:
        """Whether the two can be the same size."""
        other = _as_dim(other)
        return self._value is None or other is None or self._value == other

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raise ValueError unless the two can be the same size."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Dimensions {self} and {other} are not compatible")

    def merge_with(self, other: Any) -> Dimension:
        """What is known of a dimension that is both; ValueError if they differ."""
        self.assert_is_compatible_with(other)
        return Dimension(other if self._value is None else self._value)

    __add__ = __radd__ = _lift(operator.add, wrap=True)
    __sub__ = _lift(operator.sub, wrap=True)
    __rsub__ = _lift(operator.sub, wrap=True, swap=True)
    __mul__ = __rmul__ = _lift(operator.mul, wrap=True)
    __floordiv__ = _lift(operator.floordiv, wrap=True)
    __rfloordiv__ = _lift(operator.floordiv, wrap=True, swap=True)
    __mod__ = _lift(operator.mod, wrap=True)
    __rmod__ = _lift(operator.mod, wrap=True, swap=True)
    __truediv__ = __rtruediv__ = _no_division
    __eq__ = _lift(operator.eq, wrap=False)
    __ne__ = _lift(operator.ne, wrap=False)
    __lt__ = _lift(operator.lt, wrap=False)
    __le__ = _lift(operator.le, wrap=False)
    __gt__ = _lift(operator.gt, wrap=False)
    __ge__ = _lift(operator.ge, wrap=False)

    def __int__(self) -> int:
        return self.__index__()

    def __index__(self) -> int:
        if self._value is None:
            raise TypeError("The size of this dimension is not known, so it cannot be used as an integer.")
        return self._value

    def __bool__(self) -> bool:
        return bool(self._value)

    def __repr__(self) -> str:
        return f"Dimension({self._value})"

    def __str__(self) -> str:
        return "?" if self._value is None else str(self._value)

    def __reduce__(self) -> tuple[Any, ...]:
        return Dimension, (self._value,)


def dimension_value(dimension: Any) -> int | None:
    """The size that a dimension of a shape is, in TensorFlow 1 and 2 alike: an int, or None.

    >>> import gradtape as tf
    >>> tf.compat.dimension_value(tf.compat.v1.Dimension(3)), tf.compat.dimension_value(None)
    (3, None)
    """
    return dimension.value if isinstance(dimension, Dimension) else dimension


def dimension_at_index(shape: Any, index: int) -> Dimension:
    """One dimension of a shape as a `Dimension`, in TensorFlow 1 and 2 alike; unknown where the rank is.

    >>> import gradtape as tf
    >>> tf.compat.dimension_at_index(tf.TensorShape([2, None]), 0)
    Dimension(2)
    """
    return Dimension(None) if shape.rank is None else Dimension(shape.as_list()[index])
