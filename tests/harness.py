"""What ``tests/test_ops.py`` needs to differentiate one operation in every way there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from op_cases.case import Case

import gradtape._src.ops.operators  # noqa: F401  rules use the operators
from gradtape._src.autodiff.recording import Recording
from gradtape._src.autodiff.sweep import sweep
from gradtape._src.core.context import add_recorder, current_recorders, remove_recorder
from gradtape._src.core.values import EagerTensor, ghost_of
from gradtape._src.ops.indexed_slices import dense


class Recorded:
    """``with Recorded(tensors) as recording:`` follows the tensors in a recording of its own."""

    def __init__(self, tensors: Sequence[EagerTensor]) -> None:
        self.recording = Recording()
        for tensor in tensors:
            self.recording.follow(ghost_of(tensor))

    def __enter__(self) -> Recording:
        add_recorder(self.recording)
        return self.recording

    def __exit__(self, *exc: Any) -> None:
        remove_recorder(self.recording)


def parts(y: Any) -> tuple[Any, ...]:
    """The outputs, as a tuple also when there is one."""
    return y if isinstance(y, tuple) else (y,)


def data(value: Any) -> Any:
    """The array of a tensor, dense; None for None."""
    return None if value is None else dense(value)._data


def moving(y: Any) -> bool:
    return (y._data if isinstance(y, EagerTensor) else y).dtype.kind in "fc"


def real_inner(a: Any, b: Any) -> float:
    """Re<a, b>, the inner product in which cotangents and tangents are dual to each other."""
    return float(np.sum(np.real(np.conj(a) * b)))


def random_like(rng: np.random.Generator, x: Any) -> np.ndarray:
    x = np.asarray(x)
    values = rng.normal(size=x.shape)
    if x.dtype.kind == "c":
        values = values + 1j * rng.normal(size=x.shape)
    return np.asarray(values, x.dtype)


def gradients(case: Case, args: Sequence[Any], gs: Sequence[Any]) -> list[Any]:
    """The cotangents of the arguments ``case.wrt``, as tensors; recorded if a recorder is active."""
    tensors = [
        arg if isinstance(arg, EagerTensor) or not isinstance(arg, np.ndarray) else EagerTensor(arg)
        for arg in args
    ]
    sources = [tensors[i] for i in case.wrt]
    with Recorded(sources) as recording:
        y = case.op(*tensors, **case.params)
    seeds = {ghost_of(part): g for part, g in zip(parts(y), gs, strict=True) if g is not None}
    return sweep(recording, seeds, [ghost_of(source) for source in sources])


def along(
    f: Callable[[list[Any]], float], args: Sequence[Any], wrt: Sequence[int], es: Sequence[Any]
) -> float:
    """The derivative of f in the direction ``es`` of the arguments ``wrt``, by central differences of fourth order."""

    def at(h: float) -> float:
        moved = list(args)
        for i, e in zip(wrt, es, strict=True):
            moved[i] = np.asarray(args[i] + h * e)  # of 0-d arrays NumPy makes scalars
        return f(moved)

    h = 1e-4
    return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h)


def assert_close(found: float, expected: float, what: str, rtol: float = 1e-6) -> None:
    assert np.isclose(found, expected, rtol=rtol, atol=rtol), f"{what}: {found!r}, expected {expected!r}"


def nobody_records() -> bool:
    return not current_recorders()
