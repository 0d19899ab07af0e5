"""A drawing as SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape

from gradtape._src.viz.drawing import Arrow, Box, Drawing, Frame
from gradtape._src.viz.layout import Layout, Point, label_of, laid_out, lines_of, title_of
from gradtape._src.viz.palette import BAD, GRADIENTS, IDLE, OPEN, STOP, VALUES, Scale
from gradtape._src.viz.scene import Scene
from gradtape._src.viz.words import worst

_PAD = 18.0
STYLE = """\
.gt text{font-family:ui-sans-serif,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',Arial,sans-serif;fill:#0f172a}
.gt .t{font-size:12.5px;font-weight:600}.gt .s{font-size:10px;fill:#475569}
.gt .halo{paint-order:stroke;stroke-width:4px;stroke-linejoin:round}
.gt .code{font-family:ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:11px;fill:#334155}
.gt .l{font-size:9px;fill:#64748b;paint-order:stroke;stroke:#fff;stroke-width:3px}
.gt .stop .l{fill:#d92525;font-weight:600}
.gt .tag{font-size:8.5px;font-weight:700;fill:#fff;letter-spacing:.04em}
.gt .dim{opacity:.55}"""


class Painter:
    """Draws the drawings of one scene with common scales of colours."""

    def __init__(self, scene: Scene) -> None:
        nodes = scene.nodes.values()
        self.scene = scene
        self.values = Scale((n.value.norm for n in nodes if n.value is not None), VALUES)
        self.gradients = Scale((n.gradient.norm for n in nodes if n.gradient is not None), GRADIENTS)
        self.found = {a.node for a in scene.answers if a.cause == "connected"}
        self.lacking = {a.node for a in scene.answers if a.cause != "connected"}

    def svg(self, drawing: Drawing) -> tuple[str, float, float]:
        """The inside of an ``svg`` element, its width and height."""
        layout = laid_out(drawing)
        width, height = layout.width + 2 * _PAD, layout.height + 2 * _PAD
        parts = [f'<g class="gt" transform="translate({_PAD:g} {_PAD:g})">']
        frames = list(enumerate(drawing.all_frames()))
        parts += [_ground(frame, layout.frames[i]) for i, frame in frames]
        flowing = _ends(drawing, "flow")
        concerned = flowing | _ends(drawing, "open")
        order = ("plain", "open", "flow", "stop")
        for i, arrow in sorted(enumerate(drawing.arrows), key=lambda pair: order.index(pair[1].state)):
            parts += self._arrow(i, arrow, layout)
        parts += [_frame_label(frame, layout.frames[i]) for i, frame in frames]
        for box in drawing.boxes.values():
            if box.id in layout.boxes:
                dim = self.scene.asked and box.id not in concerned and not box.role and not box.cause
                parts += self._box(box, layout.boxes[box.id], dim, box.id in flowing)
        parts += [_sign(layout.splines[i]) for i, arrow in enumerate(drawing.arrows) if arrow.state == "stop"]
        return "".join([*parts, "</g>"]), width, height

    # --- Arrows

    def _arrow(self, i: int, arrow: Arrow, layout: Layout) -> Iterator[str]:
        points, tip = layout.splines.get(i), layout.tips.get(i)
        if points is None or tip is None:
            return
        colour, width = {
            "plain": (IDLE, 1.1),
            "open": (OPEN, 1.4),
            "stop": (STOP, 1.8),
            "flow": (GRADIENTS[1], 2.2),
        }[arrow.state]
        if arrow.state == "flow" and arrow.norm is not None:
            colour = self.gradients(arrow.norm)
            width = 1.8 + 2.4 * self.gradients.place(arrow.norm)
        dash = ' stroke-dasharray="5 4"' if arrow.state == "stop" or arrow.back else ""
        yield f'<g class="arrow {arrow.state}" data-arrow="{i}">'
        path = _path(points)
        yield f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width:.1f}"{dash}/>'
        yield _head(points[-1], tip, colour, width)
        if i in layout.labels:
            x, y = layout.labels[i]
            yield f'<text class="l" x="{x:.1f}" y="{y + 3:.1f}" text-anchor="middle">{escape(label_of(arrow))}</text>'
        yield "</g>"

    # --- Boxes

    def _box(
        self, box: Box, place: tuple[float, float, float, float], dim: bool, flows: bool
    ) -> Iterator[str]:
        x, y, w, h = place
        lacking = any(n.id in self.lacking for n in box.nodes)
        values, gradients = box.values(), box.gradients()
        stroke, thick = (
            ("#94a3b8", 1.2) if not gradients else (self.gradients(worst(s.norm for s in gradients)), 2.4)
        )
        if lacking or (box.cause and not gradients and not flows):
            stroke, thick = STOP, 2.0
        fill = {
            "variable": "#eef2ff",
            "outside": "#f1f5f9",
            "end": "#fff1f1",
            "custom": "#faf5ff",
            "call": "#f0f9ff",
        }
        radius = h / 2 if box.kind in ("variable", "outside", "input", "result") else 7
        classes = "box " + box.kind + (" dim" if dim else "")
        yield f'<g class="{classes}" data-box="{escape(box.id)}">'
        dash = ' stroke-dasharray="4 3"' if box.kind in ("tensor", "outside", "input", "result") else ""
        rect = f'width="{w:.1f}" height="{h:.1f}" rx="{radius:.1f}" stroke="{stroke}" stroke-width="{thick:g}"{dash}'
        if box.kind in ("group", "many", "call"):
            yield f'<rect x="{x + 4:.1f}" y="{y + 4:.1f}" {rect} fill="#fff" opacity=".6"/>'
        yield f'<rect x="{x:.1f}" y="{y:.1f}" {rect} fill="{fill.get(box.kind, "#ffffff")}"/>'
        if values:
            yield self._stripe(x, y, h, radius, self.values(worst(s.norm for s in values)))
        yield from self._texts(box, x, y, w)
        if len(box.trend) > 1:
            yield from self._trend(box.trend, x + 14, y + h - 21, w - 28)
        yield from self._tags(box, x, y, lacking)
        yield "</g>"

    def _stripe(self, x: float, y: float, h: float, radius: float, colour: str) -> str:
        inset = min(radius, h / 2) * 0.5 + 2
        return (
            f'<rect class="value" x="{x + 5:.1f}" y="{y + inset:.1f}" width="5" height="{h - 2 * inset:.1f}" rx="2.5" '
            f'fill="{colour}"/>'
        )

    def _texts(self, box: Box, x: float, y: float, w: float) -> Iterator[str]:
        left = x + 16
        yield f'<text class="t" x="{left:.1f}" y="{y + 17.5:.1f}">{escape(title_of(box))}</text>'
        for i, line in enumerate(lines_of(box)):
            yield f'<text class="s" x="{left:.1f}" y="{y + 31 + 13 * i:.1f}">{escape(line)}</text>'
        if box.child:
            yield f'<text class="s open" x="{x + w - 8:.1f}" y="{y + 17:.1f}" text-anchor="end">⊕</text>'
        if box.times > 1:
            at = x + w - (22 if box.child else 8)
            style = f'class="s" font-weight="700" x="{at:.1f}" y="{y + 17:.1f}" text-anchor="end"'
            yield f"<text {style}>×{box.times:,}</text>"

    def _trend(self, norms: Sequence[float], x: float, y: float, w: float) -> Iterator[str]:
        """A bar for each execution: the norm of its gradient, on a logarithmic scale."""
        step = max(1, math.ceil(len(norms) / 48))
        shown = norms[::step]
        bar = w / len(shown)
        for i, norm in enumerate(shown):
            tall, wide = 2 + 14 * self.gradients.place(norm), max(bar - 1, 0.6)
            place = f'x="{x + i * bar:.1f}" y="{y + 16 - tall:.1f}" width="{wide:.1f}" height="{tall:.1f}"'
            yield f'<rect {place} fill="{self.gradients(norm)}"/>'

    def _tags(self, box: Box, x: float, y: float, lacking: bool) -> Iterator[str]:
        tags = []
        if box.kind == "outside":
            return
        if "target" in box.role:
            tags.append(("target", "#0f172a"))
        if "source" in box.role and not self.scene.asked:
            tags.append(("watched", "#475569"))
        elif "source" in box.role:
            found = any(n.id in self.found for n in box.nodes)
            tags.append(
                ("source: None", STOP) if lacking else ("source", GRADIENTS[2] if found else "#475569")
            )
        if any(s.bad for s in (*box.values(), *box.gradients())):
            tags.append(("NaN or ∞", BAD))
        at = x + 12
        for text, colour in tags:
            wide = 5.6 * len(text) + 10
            yield f'<rect x="{at:.1f}" y="{y - 8:.1f}" width="{wide:.1f}" height="13" rx="6.5" fill="{colour}"/>'
            yield f'<text class="tag" x="{at + 5:.1f}" y="{y + 1.6:.1f}">{text}</text>'
            at += wide + 4


def _ends(drawing: Drawing, state: str) -> set[str]:
    """The boxes that have an arrow of this state."""
    return {end for arrow in drawing.arrows if arrow.state == state for end in (arrow.start, arrow.end)}


_GROUNDS = {
    "line": ("#f8fafc", "#dde3ea", ""),
    "scope": ("#fffbeb", "#f3d48b", ""),
    "part": ("#ffffff", "#94a3b8", ' stroke-dasharray="5 3"'),
}


def _ground(frame: Frame, place: tuple[float, float, float, float]) -> str:
    x, y, w, h = place
    fill, stroke, dash = _GROUNDS[frame.kind]
    size = f'x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}"'
    return f'<rect {size} rx="8" fill="{fill}" stroke="{stroke}"{dash}/>'


def _frame_label(frame: Frame, place: tuple[float, float, float, float]) -> str:
    """Over the arrows, with a border of the ground's colour."""
    kind = "code" if frame.kind == "line" else "s"
    x, y, halo = place[0] + 9, place[1] + 15, _GROUNDS[frame.kind][0]
    return f'<text class="halo {kind}" x="{x:.1f}" y="{y:.1f}" style="stroke:{halo}">{escape(frame.label)}</text>'


def _sign(points: Sequence[Point]) -> str:
    """No entry, where a gradient would come in."""
    x, y = points[-1]
    return (
        f'<g class="sign"><circle cx="{x:.1f}" cy="{y - 5:.1f}" r="5.5" fill="{STOP}" stroke="#fff"/>'
        f'<rect x="{x - 3.4:.1f}" y="{y - 6.1:.1f}" width="6.8" height="2.2" fill="#fff"/></g>'
    )


def _path(points: Sequence[Point]) -> str:
    first, *rest = [f"{x:.1f} {y:.1f}" for x, y in points]
    return f"M{first}C{' '.join(rest)}"


def _head(base: Point, tip: Point, colour: str, width: float) -> str:
    (x0, y0), (x1, y1) = base, tip
    length = math.hypot(x1 - x0, y1 - y0) or 1.0
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    wide = 2.6 + width * 0.5
    corners = [(x1, y1), (x0 - dy * wide, y0 + dx * wide), (x0 + dy * wide, y0 - dx * wide)]
    return f'<polygon points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in corners)}" fill="{colour}"/>'
