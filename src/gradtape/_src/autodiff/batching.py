"""Many applications of an operation at once, along a new leading axis.

``batched`` finds or makes the batch rule of any operation. ``Batched`` is a tensor with such a hidden axis; a
``Batcher`` is the interpreter that executes operations on them, and so runs whole programs (a sweep, the function of
``vectorized_map``) many times at once.

The rows of a ``Batched`` that is linear in its rows (the cotangents and tangents of a Jacobian) may be *sparse*:
``rows`` then says which of them are there, and the others are zero. So an early step of a recurrence does no work for
the inputs of later ones.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from collections.abc import Sequence as Seq
from contextlib import AbstractContextManager, contextmanager
from typing import Any, NamedTuple, NoReturn

import numpy as np

from gradtape._src.core.context import Listener, Recorder, current, under
from gradtape._src.core.op import Binary, Op, apply
from gradtape._src.core.values import DEVICE, EagerTensor, Ghost, Tensor, dtype_of, shape_of
from gradtape._src.ops.arrays import broadcast_to, reshape, stack
from gradtape._src.ops.sequences import Sequence


def batched(op: Op, n: int, xs: Seq[Any], has_axis: Seq[bool], params: dict[str, Any]) -> Any:
    """``stack([op(*one) for one in ...])``: where ``has_axis[i]``, ``xs[i]`` has a leading axis of length n."""
    if op.batch is not None and op.unguarded is None:  # a batch rule names the plain operation
        out = op.batch(n, xs, has_axis, **params)
        if out is not NotImplemented:  # the rule is for other arguments than these
            return out
    elif op.elementwise:
        return op(*aligned(n, xs, has_axis), **params)
    many = [
        op(*[_row(x, i) if has else x for x, has in zip(xs, has_axis, strict=True)], **params)
        for i in range(n)
    ]
    return tuple(map(_stacked, zip(*many, strict=True))) if op.multi else _stacked(many)


# A sequence has its leading axis in each of its elements.


def _row(x: Any, i: int) -> Any:
    if isinstance(x, Sequence):
        return Sequence(_row(element, i) for element in x)
    return None if x is None else x[i]


def _stacked(many: Collection[Any]) -> Any:
    first = next(iter(many))
    if isinstance(first, Sequence):
        return Sequence(map(_stacked, zip(*many, strict=True)))
    return None if first is None else stack(many)


def with_leading(value: Any, n: int) -> Any:
    """A value, n times along a leading axis."""
    if isinstance(value, Sequence):
        return Sequence(with_leading(element, n) for element in value)
    return None if value is None else broadcast_to(value, (n, *shape_of(value)))


def aligned(n: int, xs: Seq[Any], has_axis: Seq[bool]) -> list[Any]:
    """The arguments with ones put in their shapes, so that they broadcast behind the leading axis."""
    ranks = [len(shape_of(x)) - has for x, has in zip(xs, has_axis, strict=True)]
    most = max(ranks)
    return [
        reshape(x, (n, *(1,) * (most - rank), *shape_of(x)[1:])) if has and rank < most else x
        for x, has, rank in zip(xs, has_axis, ranks, strict=True)
    ]


class ValueNeeded(TypeError):
    """A program that is executed many times at once asked for the value of a tensor, which differs from row to row."""


def _value_needed(self: Any, *args: Any, **kwargs: Any) -> NoReturn:
    raise ValueNeeded(
        f"The value of {self!r} was asked for inside a vectorized computation, where it differs from element to "
        f"element. Use TensorFlow operations (tf.where, tf.cond) in place of Python's `if`, `float()` and NumPy."
    )


class Batched(Tensor):
    """A tensor with a hidden leading axis.

    Attributes:
      value: the raw array, or the tensor, with the leading axis.
      rows: which rows ``value`` has, in order, where the others are zero; None for all.
      batcher: the interpreter that it belongs to.
      key: its number among those of its batcher.
    """

    __slots__ = ("__dict__", "__weakref__", "_ghost", "batcher", "key", "rows", "value")

    def __init__(self, value: Any, batcher: Batcher, rows: np.ndarray | None = None) -> None:
        self.key = batcher.count = batcher.count + 1
        self.value = value
        self.batcher = batcher
        self.rows = rows
        shape = shape_of(value)
        self._ghost = Ghost(None if shape is None else shape[1:], dtype_of(value))  # type: ignore[arg-type]

    def __repr__(self) -> str:
        return f"<tf.Tensor: shape={self._ghost.shape}, dtype={self.dtype.name}, one of many>"

    def get_shape(self) -> Any:
        return self.shape

    def set_shape(self, shape: Any) -> None:
        """Without effect: the shape is known."""

    def _shape_tuple(self) -> Any:
        return self._ghost.shape

    def __copy__(self) -> Batched:
        return self

    def __deepcopy__(self, memo: Any) -> Batched:
        return self

    device = DEVICE
    _data = property(_value_needed)
    numpy = eval = __array__ = __bool__ = __int__ = __float__ = __complex__ = __index__ = _value_needed

    def __len__(self) -> int:
        return self._ghost.shape[0]


class _Reads(Listener):
    """Tells the recorders around a batcher which variables are read. Of operations the batcher tells them itself."""

    def __init__(self, outer: Seq[Recorder]) -> None:
        self.outer = outer

    def record_read(self, variable: Any, out: Any) -> None:
        for recorder in self.outer:
            recorder.record_read(variable, out)

    def record_access(self, variable: Any) -> None:
        for recorder in self.outer:
            recorder.record_access(variable)


class Step(NamedTuple):
    """An operation that was executed for all rows: its arguments by their keys, or as they are if they have no rows."""

    op: Op
    args: tuple[Any, ...]
    keys: tuple[int | None, ...]
    params: dict[str, Any]
    out: tuple[int | None, ...]


class Batcher:
    """The interpreter that executes operations on all rows of ``Batched`` tensors.

    Args:
      n: the number of rows.
      linear: whether all that is batched is linear in its rows, so that rows of zeros may be left out.
    """

    symbolic = False

    def __init__(self, n: int, linear: bool = False, on_loop: Callable[[Op], None] | None = None) -> None:
        self.n = n
        self.outer = interpreter, recorders = current()
        self.raw = interpreter is None and not recorders
        self.linear = linear and self.raw
        self.on_loop = on_loop
        self.count = 0
        self.steps: list[Step] | None = None  # what is done with batched tensors, if somebody wants to know

    def active(self) -> AbstractContextManager[None]:
        """Executes the operations of a ``with`` block."""
        _, watchers = self.outer
        return under(self, (_Reads(watchers),) if watchers else ())

    @contextmanager
    def resumed(self) -> Iterator[None]:
        """Executes a ``with`` block for those who hold tensors of this batcher when its work is done."""
        before = self.outer, self.raw
        self.outer, self.raw = current(), False
        try:
            with self.active():
                yield
        finally:
            self.outer, self.raw = before

    def batch(self, value: Any) -> Batched:
        """A value with a leading axis of length n as a tensor."""
        return Batched(value._data if self.raw and type(value) is EagerTensor else value, self)

    def unbatch(self, x: Any) -> Any:
        """The value of a tensor with the leading axis."""
        if not self.owns(x):
            x = x._data if self.raw and type(x) is EagerTensor else x
            return with_leading(x, self.n)
        if x.rows is None:
            return x.value
        return _spread(x.value, x.rows, np.arange(self.n))

    def owns(self, x: Any) -> bool:
        return type(x) is Batched and x.batcher is self

    def apply(self, op: Op, args: tuple[Any, ...], params: dict[str, Any], name: str | None) -> Any:
        has_axis = [type(arg) is Batched and arg.batcher is self for arg in args]
        if True not in has_axis and not (op.stateful and not self.linear):
            if self.raw:
                return op.execute(args, params)
            with under(*self.outer):
                return apply(op, args, params, name)
        rows, xs = self._rows(args, has_axis)
        if self.raw:
            xs = [x._data if type(x) is EagerTensor else x for x in xs]
            op.check_dtypes(xs)
        n = self.n if rows is None else len(rows)
        size = max([_size(x) for x, has in zip(xs, has_axis, strict=True) if has]) if self.linear else 0
        if self.on_loop is not None and is_looped(op):
            self.on_loop(op)
        try:
            if self.raw:
                out = batched(op, n, xs, has_axis, params)
            else:
                with under(*self.outer):
                    out = batched(op, n, xs, has_axis, params)
        except ValueError:
            if isinstance(op, Binary):  # speaks of the shapes of one row, which the user knows
                raise op.shapes_do_not_fit(*args) from None
            raise
        found = tuple([self._boxed(part, rows, size) for part in (out if op.multi else (out,))])
        if self.steps is not None:
            keys = lambda xs: tuple([x.key if self.owns(x) else None for x in xs])
            own = tuple([None if has else arg for arg, has in zip(args, has_axis, strict=True)])
            self.steps.append(Step(op, own, keys(args), params, keys(found)))
        return found if op.multi else found[0]

    def _rows(self, args: Seq[Any], has_axis: Seq[bool]) -> tuple[np.ndarray | None, list[Any]]:
        """The rows that any argument has, and the arguments with these rows."""
        owned = [arg for arg, has in zip(args, has_axis, strict=True) if has]
        rows = owned[0].rows if owned else None
        if any(x.rows is not rows for x in owned):
            rows = None
            if all(x.rows is not None for x in owned):
                rows = np.unique(np.concatenate([x.rows for x in owned]))
        wanted = np.arange(self.n) if rows is None else rows
        return rows, [
            arg
            if not has
            else arg.value
            if arg.rows is rows or (arg.rows is not None and len(arg.rows) == len(wanted))
            else _spread(arg.value, arg.rows, wanted)
            for arg, has in zip(args, has_axis, strict=True)
        ]

    def _boxed(self, value: Any, rows: np.ndarray | None, size: int) -> Any:
        """A result as a tensor. If it is smaller than what it was taken from, some rows may have nothing in it."""
        if value is None:
            return None
        if 0 < _size(value) < size and len(value) > 1:
            there = value.reshape(len(value), -1).any(axis=1)
            kept = there.nonzero()[0]
            if len(kept) < len(value):
                kept = kept if len(kept) else np.zeros(1, int)
                return Batched(value[kept], self, kept if rows is None else rows[kept])
        return Batched(value, self, rows)


def _spread(value: Any, rows: Any, wanted: np.ndarray) -> Any:
    """An array with rows of zeros put in."""
    if isinstance(value, Sequence):
        return Sequence(None if x is None else _spread(x, rows, wanted) for x in value)
    found = np.zeros((len(wanted), *value.shape[1:]), value.dtype)
    found[np.searchsorted(wanted, rows)] = value
    return found


def _size(value: Any) -> int:
    return getattr(value, "size", 0)


def is_looped(op: Op) -> bool:
    """Whether an operation has no batch rule, and is executed once for each row."""
    return op.batch is None and not op.elementwise
