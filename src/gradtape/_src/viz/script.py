"""``gradtape run --picture FILE``: a picture of the first gradient that each line of a script asks for."""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Callable
from typing import Any

from gradtape._src.core import notes
from gradtape._src.core.context import current_interpreter, under
from gradtape._src.core.errors import user_location
from gradtape._src.core.values import ghost_of
from gradtape._src.viz import pictures
from gradtape._src.viz.layout import check_installed
from gradtape._src.viz.named import tensors
from gradtape._src.viz.of_graph import of_gradients
from gradtape._src.viz.of_tape import of_tape
from gradtape._src.viz.picture import Picture, suffix_of
from gradtape._src.viz.scene import Scene
from gradtape._src.viz.words import file_name

MOST = 24  # pictures of one script


class Album:
    """The pictures of a script, which are written when it ends."""

    def __init__(self, path: str) -> None:
        self.path = os.path.abspath(path)  # the script may change its directory
        self.scenes: dict[Any, Scene] = {}
        self.times: dict[Any, int] = {}
        self.lacking: set[Any] = set()

    def of_tape(self, tape: Any, target: Any, sources: Any, weights: Any) -> None:
        """Is told of a gradient of a tape, before it is taken."""
        self._add(lambda: of_tape(tape, target, sources, weights), lambda: _lacks(tape, target, sources))

    def of_graph(self, ys: Any, xs: Any, stopped: Any, exist: list[bool]) -> None:
        """Is told of a gradient in a graph, when it has been written."""
        self._add(lambda: of_gradients(ys, xs, stopped, exist), lambda: not all(exist))

    def _add(self, scene: Callable[[], Scene], lacks: Callable[[], bool]) -> None:
        """Draws the first gradient of a line, and the first of it that seems to be None where that is another."""
        asked = user_location()
        self.times[asked] = self.times.get(asked, 0) + 1
        if asked in self.lacking or len(self.scenes) >= MOST:
            return
        is_none = lacks()
        if not is_none and self.times[asked] > 1:
            return
        if is_none:
            self.lacking.add(asked)
        hooks, notes.on_gradient, notes.on_graph_gradient = (
            (notes.on_gradient, notes.on_graph_gradient),
            None,
            None,
        )
        try:
            with under(current_interpreter(), ()):
                self.scenes[asked, self.times[asked]] = scene()
        except Exception as error:  # the script must run as it does without
            failed = Scene("A gradient that could not be drawn", notes=[repr(error)])
            self.scenes[asked, self.times[asked]] = failed
        finally:
            notes.on_gradient, notes.on_graph_gradient = hooks

    def save(self) -> None:
        """Writes the file; says on standard error if that fails."""
        for (asked, n), scene in self.scenes.items():
            which = f", {n} of {self.times[asked]}" if self.times[asked] > 1 else ""
            scene.title += "" if asked is None else f" ({file_name(asked[0])}:{asked[1]}{which})"
        try:
            Picture(list(self.scenes.values())).save(self.path)
        except Exception as error:
            print(f"gradtape: the picture could not be written: {error}", file=sys.stderr)


def _lacks(tape: Any, target: Any, sources: Any) -> bool:
    """Whether a gradient will be None, as far as the recording shows at a glance."""
    recording = tape._recording
    targets, ghosts = [[ghost_of(x) for x in tensors(part, "tensor")] for part in (target, sources)]
    if recording is None or not recording.followed.issuperset(ghosts):
        return True
    led = recording.leading_from(ghosts)
    return not any(ghost in led for ghost in targets)


def start(path: str) -> None:
    """From now on; the file is written at the end of the process.

    Raises:
      ImportError: the extra ``gradtape[viz]`` is not installed.
      ValueError: the file has no suffix of a picture.
      OSError: it cannot be written there.
    """
    check_installed()
    suffix_of(path)
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        raise FileNotFoundError(f"There is no folder {folder!r} to write the picture into.")
    pictures.enable()
    album = Album(path)
    notes.on_gradient, notes.on_graph_gradient = album.of_tape, album.of_graph
    atexit.register(album.save)
