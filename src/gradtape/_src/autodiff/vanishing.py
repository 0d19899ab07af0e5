"""Zeros for what is connected only by edges along which the derivative vanishes.

The slope of ``relu`` depends on its input, but does not change with it: its derivative is zero, except at the kink. As
in TensorFlow a second derivative is then zeros, and None is kept for what is not connected. Nothing is computed for
that as long as another way brings a derivative: a sweep leaves these edges out (``Op.vanishing``), and is done again
over ``carrying`` nodes for those sources alone that it found nothing for.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import Any

import numpy as np

from gradtape._src.autodiff.recording import Node
from gradtape._src.core.op import Op
from gradtape._src.core.values import EagerTensor, Ghost, Tensor, dtype_of, shape_of
from gradtape._src.graph.ir import Symbol, SymbolGhost
from gradtape._src.ops.arrays import zeros_like


class Carrying:
    """An operation with zeros for the derivatives that vanish; otherwise as it is.

    Attributes:
      op: the operation.
    """

    def __init__(self, op: Op) -> None:
        self.op = op
        self.vjps = tuple(
            [partial(_zeros, i) if i in op.vanishing else rule for i, rule in enumerate(op.vjps)]
        )

    def __getattr__(self, name: str) -> Any:
        return getattr(self.op, name)


def carrying(op: Op) -> Any:
    """The operation with zeros for the derivatives that vanish."""
    return Carrying(op) if op.vanishing and not isinstance(op, Carrying) else op


def carrying_nodes(nodes: Sequence[Node], live: Collection[Ghost | None]) -> list[Node] | None:
    """The nodes with zeros for the derivatives that vanish; None if there is none by what is ``live``."""
    if not any(node[0].vanishing and _vanishes(node, live) for node in nodes):
        return None
    return [Node(carrying(op), keys, params, out, xs, y) for op, keys, params, out, xs, y in nodes]


def _vanishes(node: Node, live: Collection[Ghost | None]) -> bool:
    return not isinstance(node[0], Carrying) and any(node[1][i] in live for i in node[0].vanishing)


def _zeros(i: int, g: Any, y: Any, *xs: Any, **params: Any) -> Any:
    """The cotangent of input i."""
    x = xs[i]
    if isinstance(x, SymbolGhost):
        x = x.stands_for
    if isinstance(x, Symbol):
        return zeros_like(x)
    zeros = np.zeros(shape_of(x), dtype_of(x))
    return EagerTensor(zeros) if isinstance(g, Tensor) else zeros
