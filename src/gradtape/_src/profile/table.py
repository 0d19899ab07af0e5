"""A profile as tables: by line, by operation, and by name scope where there are any."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TextIO

from gradtape._src.core.errors import frame_at
from gradtape._src.profile.record import Key, Profile, Total

MOST_ROWS = 25
_WIDTH = 48  # of a line's text


class Row(NamedTuple):
    """A line of a table: own times in seconds, and the most bytes that were held at a time."""

    label: str
    text: str
    calls: int
    forward: float
    backward: float
    held: int


class Table(NamedTuple):
    title: str
    headings: tuple[str, str]
    rows: list[Row]
    others: int  # rows that are left out


def tables(profile: Profile) -> list[Table]:
    """The rows that take longest, first."""
    totals = profile.totals.items()
    by_line = _rows(totals, lambda key: _line(key), _text)
    by_op = _rows(totals, lambda key: key.name, lambda key: "")
    found = [
        _table("By line", ("line", "text"), by_line),
        _table("By operation", ("operation", ""), by_op),
    ]
    scopes = {key.place.scope for key in profile.totals}
    if len(scopes) > 1:
        in_scopes = [(key, total) for key, total in totals if key.place.scope]
        by_scope = _rows(in_scopes, lambda key: key.place.scope, lambda key: "")
        found.append(_table("By name scope", ("scope", ""), by_scope))
    return found


def _rows(
    totals: Iterable[tuple[Key, Total]], label: Callable[[Key], str], text: Callable[[Key], str]
) -> list[Row]:
    groups: dict[str, list[tuple[Key, Total]]] = {}
    for key, total in totals:
        groups.setdefault(label(key), []).append((key, total))
    rows = []
    for name, group in groups.items():
        times = {
            phase: sum(t.seconds for key, t in group if key.phase == phase)
            for phase in ("forward", "backward")
        }
        kinds = {key.kind for key, _ in group}
        counted = "op" if "op" in kinds else "span" if "span" in kinds else "rule"
        calls = sum(t.calls for key, t in group if key.kind == counted)
        rows.append(
            Row(
                name,
                text(group[0][0]),
                calls,
                times["forward"],
                times["backward"],
                sum(t.most for _, t in group),
            )
        )
    return sorted(rows, key=lambda row: -(row.forward + row.backward))


def _table(title: str, headings: tuple[str, str], rows: list[Row]) -> Table:
    return Table(title, headings, rows[:MOST_ROWS], max(0, len(rows) - MOST_ROWS))


def _line(key: Key) -> str:
    return "?" if key.place.location is None else "{}:{}".format(*key.place.location)


def _text(key: Key) -> str:
    text = "" if key.place.location is None else frame_at(key.place.location).text
    return text if len(text) <= _WIDTH else text[: _WIDTH - 3] + "..."


def summary(profile: Profile) -> str:
    """The sums in one line."""
    times = {
        phase: sum(total.seconds for key, total in profile.totals.items() if key.phase == phase)
        for phase in ("forward", "backward")
    }
    rest = max(0.0, profile.seconds - sum(times.values()))
    return (
        f"{profile.seconds:.3f} s: forward {times['forward']:.3f}, backward {times['backward']:.3f}, the rest "
        f"(Python, and measuring) {rest:.3f}; at most {_size(profile.memory.most)} held by results"
    )


def _cells(row: Row) -> list[str]:
    return [
        row.label,
        row.text,
        str(row.calls),
        f"{row.forward * 1e3:.2f}",
        f"{row.backward * 1e3:.2f}",
        _size(row.held),
    ]


_COLUMNS = ("calls", "forward ms", "backward ms", "held")


def _size(n: int) -> str:
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if n >= size:
            return f"{n / size:.1f} {unit}"
    return f"{n} B"


def text(profile: Profile) -> str:
    """All of it as plain text."""
    parts = [summary(profile)]
    for table in tables(profile):
        lines = [[*table.headings, *_COLUMNS], *map(_cells, table.rows)]
        parts += ["", table.title, *_aligned(lines)]
        if table.others:
            parts.append(f"and {table.others} more")
    return "\n".join(parts)


def _aligned(lines: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    used = [i for i, width in enumerate(widths) if width]
    aligned = lambda cell, i: cell.ljust(widths[i]) if i < 2 else cell.rjust(widths[i])
    return ["  ".join(aligned(line[i], i) for i in used).rstrip() for line in lines]


def show(profile: Profile, file: TextIO | None = None) -> None:
    """Prints it, with rich if that is installed and ``file`` is a terminal."""
    file = sys.stderr if file is None else file
    try:
        import rich.console  # start-up cost: only where a profile is printed
    except ImportError:
        print(text(profile), file=file)
        return
    console = rich.console.Console(file=file)
    if not console.is_terminal:
        print(text(profile), file=file)
        return
    console.print(summary(profile))
    for table in tables(profile):
        console.print(_in_colour(table))


def _in_colour(table: Table) -> Any:
    from rich.table import Table as Rich  # start-up cost: only where a profile is printed
    from rich.text import Text  # start-up cost: likewise

    caption = f"and {table.others} more" if table.others else None
    shown = Rich(title=table.title, title_justify="left", caption=caption, box=None, header_style="bold")
    used = [True, any(row.text for row in table.rows), *[True] * len(_COLUMNS)]
    headings = [*table.headings, *_COLUMNS]
    styles = ["cyan", "yellow", "", "green", "magenta", "blue"]
    for i, heading in enumerate(headings):
        if used[i]:
            shown.add_column(heading, justify="left" if i < 2 else "right", style=styles[i])
    for row in table.rows:
        shown.add_row(*[Text(cell) for i, cell in enumerate(_cells(row)) if used[i]])
    return shown
