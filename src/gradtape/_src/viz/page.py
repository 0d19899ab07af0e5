"""One HTML page of a picture. All is in it: page.css, page.js, the drawings as SVG, the details as JSON.

Its content security policy forbids whatever would come from elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from gradtape._src.viz.drawing import Arrow, Box, Drawing
from gradtape._src.viz.fold import fold
from gradtape._src.viz.layout import label_of, title_of
from gradtape._src.viz.scene import Scene
from gradtape._src.viz.sheet import legend
from gradtape._src.viz.svg import STYLE, Painter
from gradtape._src.viz.words import SHORT, number

_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
      content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<aside>
<header><h1 id="title"></h1><select id="scenes" aria-label="Picture" hidden></select></header>
<input id="search" type="search" aria-label="Search" placeholder="Search  ( / )"
 title="An operation, a name, :line, a shape">
<ol id="hits" hidden></ol>
<section id="answers"></section>
<section id="details"><p class="hint">Point at a box or an arrow to see more; click to keep it here. Drag to move,
wheel to zoom, double-click a box with ⊕ to open it.</p></section>
<footer><div id="legend"></div><div id="notes"></div></footer>
</aside>
<main>
<nav id="path"></nav>
<svg id="canvas" xmlns="http://www.w3.org/2000/svg"><g id="view"></g></svg>
<div id="tools"><button id="in" title="Zoom in (+)">+</button><button id="out" title="Zoom out (-)">−</button><button
 id="fit" title="Show all (0)">Fit</button></div>
<div id="tip" hidden></div>
</main>
<script type="application/json" id="data">{data}</script>
<script>{script}</script>
</body>
</html>
"""


def page(scenes: Sequence[Scene]) -> str:
    """The page of one or several scenes."""
    here = Path(__file__)
    data = json.dumps([_scene(scene) for scene in scenes], separators=(",", ":"), ensure_ascii=False)
    return _PAGE.format(
        title=escape(scenes[0].title if scenes else "no gradients"),
        style=STYLE + here.with_name("page.css").read_text(encoding="utf-8"),
        script=here.with_name("page.js").read_text(encoding="utf-8"),
        data=data.replace("<", "\\u003c"),
    )


def _scene(scene: Scene) -> dict[str, Any]:
    painter = Painter(scene)
    drawings = fold(scene)
    return {
        "title": scene.title,
        "asked": scene.asked,
        "notes": scene.notes,
        "answers": [_answer(answer, drawings) for answer in scene.answers],
        "legend": "".join(legend(painter, 2, lines=True)),
        "drawings": {drawing.key: _drawing(painter, drawing) for drawing in drawings},
    }


def _answer(answer: Any, drawings: Sequence[Drawing]) -> dict[str, Any]:
    found = vars(answer).copy()
    found["gradient"] = None if answer.gradient is None else number(answer.gradient.norm)
    found["box"] = next(
        (b.id for b in drawings[0].boxes.values() if any(n.id == answer.node for n in b.nodes)), None
    )
    return found


def _drawing(painter: Painter, drawing: Drawing) -> dict[str, Any]:
    svg, width, height = painter.svg(drawing)
    boxes = {box.id: _box(box) for box in drawing.boxes.values()}
    arrows = [_arrow(arrow, drawing, painter.scene) for arrow in drawing.arrows]
    return {
        "title": drawing.title,
        "parent": drawing.parent,
        "note": drawing.note,
        "width": round(width),
        "height": round(height),
        "svg": svg,
        "boxes": boxes,
        "arrows": arrows,
    }


def _box(box: Box) -> dict[str, Any]:
    lines = {n.location[1] for n in box.nodes if n.location is not None}
    words = {box.title, box.called, *(n.name for n in box.nodes), *(n.called for n in box.nodes)}
    words |= {n.tensor for n in box.nodes} | {n.scope for n in box.nodes} | {f":{line}" for line in lines}
    return {
        "title": title_of(box),
        "child": box.child,
        "details": box.details,
        "words": " ".join(sorted(words - {""})),
    }


def _arrow(arrow: Arrow, drawing: Drawing, scene: Scene) -> dict[str, Any]:
    details = [("tensor", ", ".join(list(dict.fromkeys(t for t in arrow.tensors if t))[:6]) or "?")]
    if len(arrow.tensors) > 1:
        details.append(("tensors", str(len(arrow.tensors))))
    said = {
        "flow": "comes back" + ("" if arrow.norm is None else f", norm {number(arrow.norm)}"),
        "stop": "stops: " + (SHORT[arrow.cause] if arrow.cause else ""),
        "open": "could come back; none arrives" if scene.asked else "could come back; none was asked for",
        "plain": "none",
    }[arrow.state]
    details.append(("gradient", said))
    if arrow.cause and arrow.cause != "inside":
        details.append(("cause", arrow.cause))
    ends = [title_of(drawing.boxes[end]) for end in (arrow.start, arrow.end)]
    return {"title": " → ".join(ends), "details": details, "label": label_of(arrow)}
