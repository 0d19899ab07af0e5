"""Whether a gradient passes from an output of an event to one of its inputs, and what stops it if not."""

from __future__ import annotations

from typing import Any

from gradtape._src.core.dtypes import is_differentiable_np
from gradtape._src.explain.history import Event, History, Vertex

# What an operation is asked for no more than its shape, or of which elements there are.
_SHAPES = frozenset("Shape Size Rank ZerosLike OnesLike ZeroFraction BroadcastArgs RowCount IotaLike".split())
_CASTS = frozenset("Cast Bitcast".split())
# What makes an index or a condition of a number: followed by a use as such, that use is the reason.
CHOOSING = frozenset(
    "Cast Round Rint Floor Ceil Greater GreaterEqual Less LessEqual Equal NotEqual LogicalAnd LogicalOr LogicalNot "
    "LogicalXor Any All Within NotZero IsNan IsInf IsFinite Where FloorDiv Sign".split()
)
_ARRAYS_OF_LIKE = frozenset("BroadcastLike SumTo ReshapeLike TileLike SpreadLike FitLike".split())


def block(history: History, event: Event, i: int, out: Vertex) -> str | None:
    """What stops a gradient from the output to input i: None if it passes.

    "state", "left", "data", "gradient", "index", "integer", "stop", "op", "rule".
    """
    kind = event.kind
    if kind in ("read", "capture", "root"):
        return None
    if kind == "condition":
        return "index"
    if kind == "feed":
        return "left"
    if kind in ("left", "data"):
        return None if _is_outside(event.inputs[i]) else kind
    if kind in ("state", "gradient"):
        return kind
    return _block_of_op(history, event, i, out)


def _block_of_op(history: History, event: Event, i: int, out: Vertex) -> str | None:
    op, name = event.op, event.name
    if name == "StopGradient":
        return "stop"
    if name in _SHAPES or (name in _ARRAYS_OF_LIKE and i > 0):
        return "index"
    if name in ("PyFunc", "PyFuncStateless"):
        return "left"
    given, made = history.dtype(event.inputs[i]), history.dtype(out)
    if name in _CASTS and not (_moves(given) and _moves(made)):
        return "integer"
    if op is not None and not op.differentiable:
        return "op" if _moves(given) or not _arithmetic(name) else "integer"
    if op is not None and op.vjps and i < len(op.vjps) and op.vjps[i] is None and i not in op.vanishing:
        return "index"
    if not _moves(given):
        return "index" if op is not None and _indexed(name, i) else "integer"
    return None if _moves(made) else "op"


def _moves(dtype: Any) -> bool:
    return dtype is None or dtype.kind == "O" or is_differentiable_np(dtype)


def _arithmetic(name: str) -> bool:
    return name not in CHOOSING and not name.startswith(("Arg", "Logical"))


def _indexed(name: str, i: int) -> bool:
    return i > 0 and name.startswith(("Gather", "StridedSlice", "Slice", "Tile", "Reshape", "Transpose"))


def _is_outside(vertex: Vertex) -> bool:
    return type(vertex) is tuple and vertex[0] == "outside"
