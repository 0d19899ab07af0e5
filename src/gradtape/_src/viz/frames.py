"""Frames around the boxes of a drawing: lines of the program, name scopes, parts of a body."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import groupby
from typing import Any

from gradtape._src.viz.drawing import Box, Drawing, Frame
from gradtape._src.viz.scene import Location
from gradtape._src.viz.words import file_name, source_line

_LONGEST = 60


def line_label(location: Location) -> str:
    """The number and the text of a line."""
    if location is None:
        return ""
    text = source_line(location)
    text = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return f"{location[1]}\u00a0\u00a0{text}" if text else f"{file_name(location[0])}:{location[1]}"


def frames_of(drawing: Drawing) -> list[Frame]:
    """Consecutive boxes of one line are in one frame; name scopes are frames inside or around these."""
    boxes = [box for box in drawing.boxes.values() if box.kind not in ("variable", "tensor", "outside")]
    parts = list(dict.fromkeys(box.nodes[0].part for box in boxes))
    if len(parts) < 2:
        return _lines([box for box in boxes if box.kind not in ("input", "result")])
    found = []
    for part in parts:
        own = [box for box in boxes if box.nodes[0].part == part]
        ends = [box.id for box in own if box.kind in ("input", "result")]
        inner = _lines([box for box in own if box.kind not in ("input", "result")])
        found.append(Frame("part", part, ends, inner))
    return found


def _lines(boxes: Sequence[Box]) -> list[Frame]:
    lines = []
    for location, run in _runs(boxes, lambda box: box.nodes[0].location):
        frame = Frame("line", line_label(location), location=location)
        scopes = _runs(run, lambda box: box.nodes[0].scope)
        if len(scopes) > 1:
            for scope, part in scopes:
                ids = [box.id for box in part]
                if scope:
                    frame.frames.append(Frame("scope", str(scope), ids))
                else:
                    frame.boxes += ids
            scope = ""
        else:
            scope = scopes[0][0]
            frame.boxes = [box.id for box in run]
        lines.append((scope, frame))
    return _in_scopes(lines)


def _in_scopes(lines: Sequence[tuple[Hashable, Frame]]) -> list[Frame]:
    """Lines of one name scope get a frame of it; lines that are not known get none."""
    found: list[Frame] = []
    for scope, run in groupby(lines, key=lambda pair: pair[0]):
        frames = [frame for _, frame in run]
        if scope:
            outer = Frame("scope", str(scope), [], [f for f in frames if f.label])
            outer.boxes = [id for f in frames if not f.label for id in f.boxes]
            found.append(outer)
        else:
            found += [f for f in frames if f.label or f.frames]
    return found


def _runs(boxes: Sequence[Box], key: Callable[[Box], Any]) -> list[tuple[Any, list[Box]]]:
    return [(value, list(run)) for value, run in groupby(boxes, key=key)]
