"""Passes over the operations of a plan: constant folding and common sub-expressions.

Dead code never gets into a plan (``plan.needed``). A graph itself is never changed: a pass gives, for tensors that need
not be computed, the constant or the other tensor that stands for them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from gradtape._src.core.dtypes import DType
from gradtape._src.core.values import Ghost
from gradtape._src.graph.ir import Operation, Symbol, placeholder

_LARGEST = 1 << 16  # bytes: a larger constant is computed anew in each run and kept by nobody
_PLAIN = (bool, int, float, complex, str, bytes, np.dtype, np.generic, np.ndarray, DType, slice)
_SMALL = 64  # bytes: small constants are one if their values are, larger ones if they are the same object


class Simplified:
    """Operations that do the same with less.

    Attributes:
      operations: those that are left, in order.
      stands_for: by the ghost of a symbol that is not computed, the symbol or the array in its place.
    """

    def __init__(self, operations: Sequence[Operation], fed: Collection[Ghost]) -> None:
        self.operations: list[Operation] = []
        self.stands_for: dict[Ghost, Any] = {}
        self._seen: dict[Any, Operation] = {}
        self._fed = fed
        for node in operations:
            if not self._folded(node) and not self._merged(node):
                self.operations.append(node)

    def resolved(self, arg: Any) -> Any:
        """What stands for an argument."""
        return self.stands_for.get(arg._ghost, arg) if isinstance(arg, Symbol) else arg

    def _may_go(self, node: Operation) -> bool:
        return (
            is_pure(node)
            and not node.control_inputs
            and not any(out._ghost in self._fed for out in node.outputs)
        )

    def _folded(self, node: Operation) -> bool:
        """Whether all is known, so that the values can be computed now."""
        if not self._may_go(node):
            return False
        args = [self.resolved(arg) for arg in node.args]
        if any(isinstance(arg, (Symbol, Ghost)) for arg in args):
            return False
        if any(
            out._ghost.shape is None or None in out._ghost.shape or _bytes(out) > _LARGEST
            for out in node.outputs
        ):
            return False
        try:
            with np.errstate(all="ignore"):
                found = node.op.kernel(*args, **node.params)
        except Exception:  # it will be said when the plan is executed, with the line of the user's code
            return False
        values = found if node.op.multi else (found,)
        if not all(isinstance(value, (np.ndarray, np.generic)) for value in values):
            return False
        self.stands_for.update((out._ghost, np.asarray(value)) for out, value in zip(node.outputs, values))
        return True

    def _merged(self, node: Operation) -> bool:
        """Whether the same has been computed before."""
        if not self._may_go(node):
            return False
        try:
            key = (
                node.op,
                tuple([_identity(self.resolved(arg)) for arg in node.args]),
                _hashable(node.params),
            )
            first = self._seen.setdefault(key, node)
        except TypeError:  # a parameter that cannot be compared
            return False
        if first is node:
            return False
        self.stands_for.update((a._ghost, b) for a, b in zip(node.outputs, first.outputs))
        return True


def is_pure(node: Operation) -> bool:
    """Whether an operation does nothing but give its outputs, and the same ones whenever its inputs are the same.

    An operation that has anything but plain values among its parameters and constants (the body of a loop, a variable)
    may do more.
    """
    return not (node.op.stateful or node.op.lazy or node.op is placeholder) and all(
        isinstance(value, (Symbol, Ghost)) or _is_plain(value)
        for value in (*node.args, *node.params.values())
    )


def has_effect(node: Operation) -> bool:
    """Whether an operation, or one inside a part of a graph among its parameters, does more than give its outputs."""
    if node.op is placeholder:
        return False
    parts = [p for value in node.params.values() for p in (value if isinstance(value, tuple) else (value,))]
    return node.op.stateful or any(getattr(part, "effects", ()) for part in parts)


def _is_plain(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return all(map(_is_plain, value))
    return value is None or value is ... or isinstance(value, _PLAIN)


def _bytes(out: Symbol) -> int:
    return int(np.prod(out._ghost.shape, dtype=float)) * out._ghost.dtype.itemsize


def _identity(arg: Any) -> Any:
    if isinstance(arg, Symbol):
        return arg._ghost
    if isinstance(arg, (np.ndarray, np.generic)):
        if arg.dtype != object and arg.nbytes <= _SMALL:
            return arg.dtype.str, arg.shape, arg.tobytes()
        return id(arg)  # it is alive as long as its node
    return type(arg), _hashable(arg)


def _hashable(value: Any) -> Any:
    """A key that is equal for equal parameters only: 1, 1.0 and True differ, and so do 0.0 and -0.0."""
    if isinstance(value, dict):
        return tuple([(name, _hashable(part)) for name, part in value.items()])
    if isinstance(value, (tuple, list)):
        return type(value), tuple(map(_hashable, value))
    if isinstance(value, (np.ndarray, np.generic)):
        return _identity(value)
    if isinstance(value, float):
        return float, repr(value)
    hash(value)
    return type(value), value
