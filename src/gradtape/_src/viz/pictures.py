"""The questions: a picture of a tape, one of a gradient in a graph, and what tapes must keep for good ones."""

from __future__ import annotations

from typing import Any

from gradtape._src.core import notes
from gradtape._src.explain import journal
from gradtape._src.viz.of_graph import of_gradients
from gradtape._src.viz.of_tape import of_tape
from gradtape._src.viz.picture import Picture


def picture_of_tape(tape: Any, target: Any, sources: Any, weights: Any) -> Picture:
    """See `GradientTape.picture`."""
    return Picture([of_tape(tape, target, sources, weights)])


def picture_of_gradients(ys: Any, xs: Any, stop_gradients: Any = None) -> Picture:
    """See `tf.debugging.draw_gradients`."""
    return Picture([of_gradients(ys, xs, stop_gradients)])


def enable() -> None:
    """See `tf.debugging.enable_pictures`."""
    journal.enable()
    notes.keeps_all = True


def disable() -> None:
    """See `tf.debugging.disable_pictures`."""
    journal.disable()
    notes.keeps_all = False
