"""What explanations and checks are, and how they are shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gradtape._src.explain.causes import CAUSES


@dataclass(frozen=True)
class Explanation:
    """Why a gradient is None, or that it exists.

    Attributes:
      cause: one of the causes in docs/reasons.md.
      file, line, text: where the path ends in the user's program; None, None and "" if that is not known.
      message: what happened there.
      fix: what to write instead.
      source: the user's name of the source.

    >>> import gradtape as tf
    >>> x = tf.constant(10)
    >>> with tf.GradientTape() as tape:
    ...     y = x * x
    >>> why = tape.explain(y, x)
    >>> why.cause
    'integer_dtype'
    """

    cause: str
    file: str | None
    line: int | None
    text: str
    message: str
    fix: str
    source: str = ""

    def __str__(self) -> str:
        if self.cause == "connected":
            head = f"The gradient by {self.source} exists"
        elif self.cause in CAUSES:
            head = f"No gradient by {self.source}"
        else:
            head = "Not finite"
        place = "" if self.file is None else f'\n  File "{self.file}", line {self.line}'
        text = f"\n    {self.text}" if self.text else ""
        return f"{head}: {self.cause}{place}{text}\n  {self.message}\n  Instead: {self.fix}"

    def __rich__(self) -> object:
        from rich.text import Text  # start-up cost: only where somebody prints with rich

        shown = Text(f"{self.cause}\n", style="bold")
        if self.file is not None:
            shown.append(f"{self.file}:{self.line}\n", style="cyan")
        if self.text:
            shown.append(f"    {self.text}\n", style="yellow")
        return shown.append(f"{self.message}\n").append(self.fix, style="green")

    def _repr_html_(self) -> str:
        import html  # start-up cost: only in notebooks

        place = "" if self.file is None else f"<br><code>{html.escape(self.file)}:{self.line}</code>"
        text = f"<pre>{html.escape(self.text)}</pre>" if self.text else ""
        return (
            f"<div><b>{html.escape(self.source)}: {self.cause}</b>{place}{text}<p>{html.escape(self.message)}</p>"
            f"<p><i>{html.escape(self.fix)}</i></p></div>"
        )


def grouped(found: Sequence[Explanation]) -> list[list[Explanation]]:
    """Those that say the same of several sources together."""
    groups: dict[Any, list[Explanation]] = {}
    for one in found:
        groups.setdefault((one.cause, one.file, one.line), []).append(one)
    return list(groups.values())


def told(found: Sequence[Explanation]) -> list[str]:
    """The explanations in words, each once for all sources of which it holds."""
    return [
        str(group[0])
        + (f"\n  The same holds for {listed([e.source for e in group[1:]])}." if len(group) > 1 else "")
        for group in grouped(found)
    ]


def listed(sources: Sequence[str]) -> str:
    """Names in a row: all of a few, and the number of the rest."""
    more = [f"{len(sources) - 4} more"] if len(sources) > 5 else []
    *first, last = [*sources[: 4 if more else 5], *more]
    return f"{', '.join(first)} and {last}" if first else last


@dataclass(frozen=True)
class GradientCheck:
    """Whether the gradient by a source is right.

    Attributes:
      ok: whether it agrees with differences; also where the function has a kink, so that they say nothing.
      given: the tape's derivative in a random direction.
      measured: that of differences in float64.
      file, line, text: where the wrong operation is, if that is known.
      message: what was found.
      source: the user's name of the source.
    """

    ok: bool
    given: float
    measured: float
    file: str | None
    line: int | None
    text: str
    message: str
    source: str

    def __str__(self) -> str:
        place = "" if self.file is None else f'\n  File "{self.file}", line {self.line}\n    {self.text}'
        return f"Gradient by {self.source}: {'right' if self.ok else 'wrong'}{place}\n  {self.message}"
