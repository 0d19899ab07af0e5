"""What `GradientTape.picture` gives."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gradtape._src.viz.scene import Scene


class Picture:
    """A drawing of what a tape recorded. A notebook shows it; `save` writes it into a file.

    It holds no tensors, and stays as it is when the program goes on.

    >>> import gradtape as tf
    >>> x = tf.Variable(3.0)
    >>> with tf.GradientTape() as tape:
    ...     y = x * x
    >>> picture = tape.picture(y, x)
    >>> picture.svg()[:4], picture.html()[:15]
    ('<svg', '<!doctype html>')
    """

    def __init__(self, scenes: Sequence[Scene]) -> None:
        self._scenes = list(scenes)

    def svg(self) -> str:
        """The picture as one SVG image.

        Raises:
          ImportError: the extra ``gradtape[viz]`` is not installed.
        """
        from gradtape._src.viz.sheet import sheet  # start-up cost: only where a picture is written

        return sheet(self._scenes)

    def html(self) -> str:
        """The picture as one HTML page that needs nothing else: to zoom into, to search, to open what is folded.

        Raises:
          ImportError: the extra ``gradtape[viz]`` is not installed.
        """
        from gradtape._src.viz.page import page  # start-up cost: only where a picture is written

        return page(self._scenes)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes ``path``: an SVG image if it ends with ``.svg``, an HTML page if with ``.html`` or ``.htm``.

        Raises:
          ImportError: the extra ``gradtape[viz]`` is not installed.
          ValueError: another suffix.
        """
        from gradtape._src.core.files import written_whole  # start-up cost: only where a picture is written

        path = os.fspath(path)
        text = self.svg() if suffix_of(path) == ".svg" else self.html()
        with written_whole(path) as temporary, open(temporary, "w", encoding="utf-8") as file:
            file.write(text)

    def _repr_html_(self) -> str:
        from html import escape  # start-up cost: only in notebooks

        page = escape(self.html(), quote=True)
        style = "width:100%;height:640px;border:1px solid #ddd;border-radius:8px"
        return f'<iframe srcdoc="{page}" style="{style}"></iframe>'

    def __repr__(self) -> str:
        n = sum(len(scene.nodes) for scene in self._scenes)
        return f"<tf.debugging.Picture of {n:,} nodes: save it as a .html or .svg file>"


def suffix_of(path: str) -> str:
    """The suffix, if it is one that pictures are written as.

    Raises:
      ValueError: it is not.
    """
    suffix = os.path.splitext(path)[1].lower()
    if suffix not in (".svg", ".html", ".htm"):
        raise ValueError(
            f"A picture is written as .html or .svg, got {path!r}. Give the file one of these suffixes."
        )
    return suffix
