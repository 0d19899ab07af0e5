"""One SVG file of a picture: the drawing, what became of each gradient, and what the colours mean."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from html import escape

from gradtape._src.viz.fold import fold
from gradtape._src.viz.layout import text_width
from gradtape._src.viz.palette import BAD, GRADIENTS, OPEN, STOP, VALUES, mixed
from gradtape._src.viz.scene import Scene
from gradtape._src.viz.svg import STYLE, Painter
from gradtape._src.viz.words import number

_LINE = 17.0
_MOST = 12  # answers of a kind that are written out


def sheet(scenes: list[Scene]) -> str:
    """The file; several scenes stand below each other."""
    parts, width, y = [], 420.0, 0.0
    for scene in scenes:
        body, wide, high = _one(scene)
        parts.append(f'<g transform="translate(0 {y:.1f})">{body}</g>')
        width, y = max(width, wide), y + high
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {y:.0f}" width="{width:.0f}" '
        f'height="{y:.0f}"><style>{STYLE}</style><rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>'
    )


def _one(scene: Scene) -> tuple[str, float, float]:
    painter = Painter(scene)
    inside, width, height = painter.svg(fold(scene)[0])
    lines = [f'<text x="18" y="28" font-size="16" font-weight="700">{escape(scene.title)}</text>']
    y = 34.0
    for text, colour, bold in _answers(scene):
        y += _LINE
        style = f'font-size="11.5" font-weight="{"600" if bold else "400"}" style="fill:{colour}"'
        lines.append(f'<text x="18" y="{y:.1f}" {style}>{escape(text)}</text>')
        width = max(width, 36 + 6.6 * len(text))
    y += 12
    lines += legend(painter, y)
    y += 24
    for note in scene.notes:
        y += _LINE
        lines.append(f'<text class="s" x="18" y="{y:.1f}">{escape(note)}</text>')
        width = max(width, 36 + 5.6 * len(note))
    y += 6
    below = f'<g transform="translate(0 {y:.1f})">{inside}</g>'
    return f'<g class="gt">{"".join(lines)}</g>{below}', max(width, 640), y + height


def _answers(scene: Scene) -> Iterator[tuple[str, str, bool]]:
    there = [answer for answer in scene.answers if answer.cause == "connected"]
    lacking = [answer for answer in scene.answers if answer.cause != "connected"]
    for answer in there[:_MOST]:
        norm = "" if answer.gradient is None else f", norm {number(answer.gradient.norm)}"
        yield f"✓ {answer.source}: the gradient exists{norm}", GRADIENTS[2], True
    if len(there) > _MOST:
        yield f"✓ … and {len(there) - _MOST} more", GRADIENTS[2], True
    for answer in lacking[:_MOST]:
        place = f" ({answer.place})" if answer.place else ""
        yield f"✕ {answer.source}: None: {answer.cause}{place}", STOP, True
        for line in textwrap.wrap(f"{answer.message} Instead: {answer.fix}", 110):
            yield "    " + line, "#475569", False
    if len(lacking) > _MOST:
        yield f"✕ … and {len(lacking) - _MOST} more", STOP, True


def legend(painter: Painter, y: float, lines: bool = False) -> Iterator[str]:
    """What the colours mean, in one row or each on a line of its own."""
    x = left = 2.0 if lines else 18.0
    for part, width in _keys(painter):
        yield f'<g class="row" transform="translate({x:.1f} {y:.1f})">{part}</g>'
        x, y = (left, y + 18) if lines else (x + width + 22, y)


def _keys(painter: Painter) -> Iterator[tuple[str, float]]:
    """Each item of the legend, and its width."""
    for name, scale, stops in (
        ("norm of value", painter.values, VALUES),
        ("norm of gradient", painter.gradients, GRADIENTS),
    ):
        if scale.known:
            low, high = number(10**scale.low), number(10**scale.high)
            begin = 94 + text_width(low, 10)
            end = begin + 86
            ramp = "".join(
                f'<rect x="{begin + 4 * i:.1f}" width="4.3" height="10" fill="{mixed(stops, i / 19)}"/>'
                for i in range(20)
            )
            yield _text(name, 0) + _text(low, 90) + ramp + _text(high, end), end + text_width(high, 10)
    asked = painter.scene.asked
    signs = [("a gradient comes back", GRADIENTS[1], "")] if asked else []
    signs.append(("recorded; none arrives" if asked else "recorded", OPEN, ""))
    for text, colour, dash in [*signs, ("it stops here", STOP, ' stroke-dasharray="5 4"')]:
        line = f'<path d="M0 5h26" stroke="{colour}" stroke-width="2.5"{dash}/>'
        yield line + _text(text, 32), 32 + text_width(text, 10)
    if any(s.bad for n in painter.scene.nodes.values() for s in (n.value, n.gradient) if s is not None):
        yield f'<rect width="10" height="10" fill="{BAD}"/>' + _text("NaN or infinite", 15), 90


def _text(text: str, x: float) -> str:
    return f'<text class="s" x="{x:.1f}" y="9">{escape(text)}</text>'
