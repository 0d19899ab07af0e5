"""What is known of a value while the graph is built: sizes and shapes that were computed from static shapes.

A symbol of a few integers or bools whose value follows from constants and static shapes has it as an array; the
entries of a shape of which some are known as a tuple with None for the others. Shape rules get it in the symbol's
place, so that ``tf.reshape(x, [tf.shape(x)[0], 10])`` has the static shape (None, 10).
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape._src.core.op import Op
from gradtape._src.core.values import Tensor, shape_of

if TYPE_CHECKING:
    from gradtape._src.graph.ir import Operation

_MOST = 64  # elements; what is larger is no shape
# Operations whose shape rules take dimensions that are partly known: by position of the dimensions.
_TAKES_DIMENSIONS = {
    "BroadcastTo": 1,
    "Fill": 0,
    "Ones": 0,
    "RandomStandardNormal": 0,
    "RandomUniform": 0,
    "Reshape": 1,
    "TruncatedNormal": 0,
    "Zeros": 0,
}


def array_of(value: Any) -> np.ndarray | None:
    """The value of a symbol or a raw value as an array, if it is known."""
    if isinstance(value, Tensor):
        found = getattr(value, "_known", None)
        if found is None:
            while value.op.type == "Identity":  # as a custom gradient puts around what its function is given
                (value,) = value.op.inputs
            if value.op.type == "Const":
                return value.op.params["value"]
        return found if isinstance(found, np.ndarray) else None
    return value if isinstance(value, np.ndarray) else None


def for_shapes(op: Op, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments as shape rules take them: what is known in place of the symbol."""
    if op.lazy:  # loops and calls read their arguments as symbols
        return args
    place = _TAKES_DIMENSIONS.get(op.name)
    return tuple([_seen(arg, i == place) if isinstance(arg, Tensor) else arg for i, arg in enumerate(args)])


def _seen(symbol: Any, dimensions: bool) -> Any:
    found = symbol._known
    if found is None or isinstance(found, tuple) and not dimensions:
        return symbol
    return found


def learn(node: Operation) -> None:
    """Puts down what is known of the outputs of a new operation."""
    op = node.op
    if op.name == "Unpack":
        _learn_parts(node)
    if op.multi or op.stateful or len(node.outputs) != 1:
        return
    out = node.outputs[0]
    dims = out._ghost.shape
    if out._ghost.dtype.kind not in "iub" or dims is None or None in dims or prod(dims) > _MOST:
        return
    if op.name == "Const":
        out._known = node.params["value"]
        return
    rule = _RULES.get(op.name)
    found = None if rule is None else rule(node)
    if found is None:
        arrays = [_argument(arg) for arg in node.args]
        if any(arg is None for arg in arrays):
            return
        try:
            found = np.asarray(op.kernel(*arrays, **node.params))
        except Exception:  # what is wrong is said when the graph is executed
            return
    elif isinstance(found, tuple) and None not in found:
        found = np.array(found, out._ghost.dtype)
    out._known = found


def _learn_parts(node: Operation) -> None:
    """The entries of a vector that is taken apart."""
    entries = _entries(node.args[0]) if node.outputs and node.outputs[0]._ghost.shape == () else None
    for out, n in zip(node.outputs, entries or ()):
        out._known = None if n is None else np.array(n, out._ghost.dtype)


def _argument(arg: Any) -> Any:
    return array_of(arg) if isinstance(arg, Tensor) else arg


def _entries(value: Any) -> tuple[Any, ...] | None:
    """A vector of sizes as a tuple with None for what is not known; None if nothing is."""
    if isinstance(value, Tensor):
        found = value._known  # type: ignore[attr-defined]
        if found is None:
            shape = shape_of(value)
            return (None,) * shape[0] if shape and shape[0] is not None else None
        return found if isinstance(found, tuple) else tuple(np.atleast_1d(found).tolist())
    return tuple(np.atleast_1d(value).tolist()) if isinstance(value, (np.ndarray, np.generic, int)) else None


def _shape(node: Operation) -> Any:
    return shape_of(node.args[0])


def _size(node: Operation) -> Any:
    shape = shape_of(node.args[0])
    return None if shape is None or None in shape else np.array(prod(shape), node.outputs[0]._ghost.dtype)


def _pack(node: Operation) -> Any:
    if node.params.get("axis", 0) != 0 or node.outputs[0]._ghost.shape != (len(node.args),):
        return None
    found = [array_of(arg) if isinstance(arg, Tensor) else arg for arg in node.args]
    entries = tuple(None if x is None or np.ndim(x) else int(x) for x in found)
    return entries if any(n is not None for n in entries) else None


def _concat(node: Operation) -> Any:
    parts = [_entries(arg) for arg in node.args if np.ndim(_argument(arg)) or isinstance(arg, Tensor)]
    if len(parts) != len(node.args) or None in parts:
        return None
    entries = tuple(n for part in parts for n in part)  # type: ignore[union-attr]
    return entries if node.outputs[0]._ghost.shape == (len(entries),) else None


def _slice(node: Operation) -> Any:
    entries, key = _entries(node.args[0]), node.params.get("key", ())
    if entries is None or len(node.args) != 1 or len(key) != 1 or shape_of(node.args[0]) != (len(entries),):
        return None
    if type(key[0]) is int:
        found = entries[key[0]] if -len(entries) <= key[0] < len(entries) else None
        return None if found is None else np.array(found, node.outputs[0]._ghost.dtype)
    if type(key[0]) is tuple:
        found = entries[slice(*key[0])]
        return found if any(n is not None for n in found) else None
    return None


_RULES = {
    "Shape": _shape,
    "Size": _size,
    "Rank": lambda node: (
        None if shape_of(node.args[0]) is None else np.array(len(shape_of(node.args[0])), np.int32)
    ),
    "Pack": _pack,
    "ConcatV2": _concat,
    "StridedSlice": _slice,
}
