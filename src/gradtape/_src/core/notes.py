"""Who is told of what happens to tensors outside operations: where the path of a gradient can end.

A conversion to NumPy, an assignment, a dataset made of a tensor, a gradient that was taken: none of these is an
operation that a tape records, and each is told to the recorders that have a method ``note``. The *journal* is the
recorder that explanations keep; it is None until ``tf.debugging.enable_explanations()``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from gradtape._src.core.context import current, current_interpreter, current_recorders

journal: Any = None  # the recorder of explain/journal.py, while explanations are enabled
numerics: Any = None  # the recorder of explain/numerics.py, while every result is checked
keeps_all = False  # whether tapes keep all numbers, so that gradients can be checked
graph_checks: Any = None  # what compares the gradients that plans compute, while they are checked
datasets: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()  # of ghosts: where symbols went into datasets
on_gradient: Any = None  # what `gradtape run --check` and `--picture` do about every gradient of a tape
on_graph_gradient: Any = None  # what `gradtape run --picture` does about every `tf.gradients`
lacking: Any = None  # explains the gradients that were None last: a function without arguments
on_none: Any = None  # what `gradtape run --explain` and `--strict` do about a gradient that is None


def note(kind: str, how: str, inputs: Sequence[Any], outputs: Sequence[Any] = ()) -> None:
    """Tells the recorders that ``outputs`` (of which there may be none) were made of ``inputs``, by no operation."""
    for recorder in current_recorders():
        noted = getattr(recorder, "note", None)
        if noted is not None:
            noted(kind, how, inputs, outputs)


def born(variable: Any, value: Any) -> None:
    """Is called where a variable was made of a value."""
    if journal is not None:
        journal.number(variable)
    if hasattr(value, "_ghost"):
        note("state", "tf.Variable", (value,), (variable,))


def left(tensor: Any, how: str) -> None:
    """Is called where the value of a tensor becomes one of Python's or NumPy's: kind "left", or "choice" for a bool."""
    if tensor._ghost is not None and current_recorders() and _asked_by_user(how == "bool()"):
        note("choice" if how in ("bool()", "an index") else "left", how, (tensor,))


def _asked_by_user(decides: bool) -> bool:
    """Whether it was not this package that wanted the value, unless for a loop or a conditional of the user's."""
    frame: Any = sys._getframe(3)  # behind this function, `left` and the conversion
    if frame is not None and frame.f_code.co_name in _CONVERSIONS:  # of a variable, by a function of its own
        frame = frame.f_back
    while frame is not None and frame.f_code.co_filename.startswith(_NUMPY):
        frame = frame.f_back
    file = "" if frame is None else frame.f_code.co_filename
    return not file.startswith(_HERE) or (decides and file.startswith(_CONTROL))


_CONVERSIONS = ("__bool__", "__int__", "__float__", "__complex__")
_NUMPY = os.path.dirname(np.__file__) + os.sep
_CONTROL = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "control") + os.sep
_HERE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep


def reasons() -> Any:
    """The module that explains. Nothing imports it before somebody asks: it rests on everything else."""
    return import_module("gradtape._src.explain.answers")


def nonfinite() -> Any:
    """The module that explains NaNs and infinities."""
    return import_module("gradtape._src.explain.nonfinite")


def check() -> Any:
    """The module that compares gradients with differences."""
    return import_module("gradtape._src.explain.check")


def pictures() -> Any:
    """The module that draws."""
    return import_module("gradtape._src.viz.pictures")


def checking() -> Any:
    """The module that checks every result."""
    return import_module("gradtape._src.explain.numerics")


def because() -> str:
    """Why gradients were None last, to be appended to an error about a None; empty if there was none."""
    if lacking is None:
        return ""
    try:
        return reasons().because(lacking())
    except Exception:  # the error itself must be said
        return ""


def clock() -> tuple[int | None, int | None]:
    """Where the program is, as the journal and the current graph count: to say later what came before."""
    operations = getattr(current_interpreter(), "operations", None)
    return None if journal is None else journal.clock, None if operations is None else len(operations)
