"""The shapes of the results of a call: those of the trace, or better ones where the arguments say more.

A trace for shapes with unknown dimensions gives results of unknown shapes. Where it is called in a graph with arguments
whose shapes, or values, are known better, its operations are gone through again for their shapes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gradtape._src.control.subgraph import Subgraph, hole
from gradtape._src.core.context import under
from gradtape._src.core.shapes import Shape, is_known, merge
from gradtape._src.core.values import Ghost, dtype_of, shape_of
from gradtape._src.graph.ir import Graph, Symbol


def output_shapes(body: Subgraph, args: Sequence[Any]) -> list[Shape]:
    """The shapes of the outputs of a body for these arguments."""
    shapes = [shape_of(out) for out in body.outputs]
    if all(shape is not None and is_known(shape) for shape in shapes):
        return shapes
    if not any(_says_more(arg, x) for arg, x in zip(args, body.inputs, strict=True)):
        return shapes
    try:
        return [merge(old, new) for old, new in zip(shapes, _inferred(body, args), strict=True)]
    except Exception:  # what does not fit is said when it is executed
        return shapes


def _says_more(arg: Any, x: Any) -> bool:
    if not isinstance(x, Symbol):
        return False
    return shape_of(arg) != shape_of(x) or _value(arg) is not None


def _value(arg: Any) -> Any:
    """What is known of the value of an argument."""
    if isinstance(arg, (np.ndarray, np.generic)):
        return np.asarray(arg) if arg.dtype.kind in "iub" else None
    return getattr(arg, "_known", None)


def _inferred(body: Subgraph, args: Sequence[Any]) -> list[Shape]:
    scratch = Graph()
    here: dict[Ghost, Symbol] = {}
    with under(scratch, ()):
        for x, arg in zip(body.inputs, args, strict=True):
            if isinstance(x, Symbol):
                symbol = hole(scratch, Ghost(merge(shape_of(x), shape_of(arg)), dtype_of(x)))  # type: ignore[arg-type]
                symbol._known = _value(arg)
                here[x._ghost] = symbol
        for node in body.operations:
            parts = tuple(here.get(getattr(arg, "_ghost", None), arg) for arg in node.args)  # type: ignore[arg-type]
            new = scratch.append(node.op, parts, node.params, None)
            for symbol, old in zip(new.outputs, node.outputs, strict=True):
                symbol.set_shape(old.shape)
                here[old._ghost] = symbol
    return [shape_of(here[out._ghost] if isinstance(out, Symbol) else out) for out in body.outputs]
