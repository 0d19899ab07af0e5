"""`tensorflow.python.framework.tensor_shape`."""

from __future__ import annotations

import gradtape.compat.v1 as _v1
from gradtape import TensorShape as TensorShape
from gradtape._src.core.missing import missing as _missing
from gradtape.compat.v1 import dimension_value as dimension_value


def unknown_shape(rank: int | None = None) -> TensorShape:
    """A shape of which the rank is known, or nothing."""
    return TensorShape(None if rank is None else [None] * rank)


def scalar() -> TensorShape:
    """The shape of a scalar."""
    return TensorShape([])


def vector(length: int | None) -> TensorShape:
    """The shape of a vector."""
    return TensorShape([length])


def matrix(rows: int | None, cols: int | None) -> TensorShape:
    """The shape of a matrix."""
    return TensorShape([rows, cols])


__getattr__ = _missing(__name__, globals(), base=_v1)
