"""Large tapes fold into drawings that can be read."""

from __future__ import annotations

import linecache
import xml.etree.ElementTree as ElementTree
from functools import partial

import pytest
from viz.programs import recurrence, with_a_function

import gradtape as tf
from gradtape._src.viz.fold import MOST, fold
from gradtape._src.viz.layout import laid_out
from gradtape._src.viz.of_tape import of_tape
from gradtape._src.viz.svg import Painter


def boxes(drawing):
    return list(drawing.boxes.values())


def test_a_small_tape_is_drawn_in_full(pictures):
    scene = recurrence(of_tape, 2)
    (drawing,) = fold(scene)
    assert len(drawing.boxes) == len(scene.nodes)
    lines = [frame.label.split()[1:3] for frame in drawing.frames]
    assert lines[:3] == [["a", "="], ["a", "="], ["h", "="]] and len(lines) == 7


def test_ten_thousand_operations_fold_by_lines(pictures):
    scene = recurrence(of_tape, 2000)
    assert len(scene.nodes) > 10_000
    first, *others = fold(scene)
    groups = [box for box in boxes(first) if box.kind == "group"]
    assert len(first.boxes) <= 8
    assert [(box.title.split()[1], box.times) for box in groups] == [("a", 2000), ("a", 2000), ("h", 2000)]
    assert sum(len(box.nodes) for box in first.boxes.values()) == len(scene.nodes)
    assert [
        arrow.back for arrow in first.arrows if arrow.start == groups[2].id and arrow.end == groups[0].id
    ] == [True]
    norms = groups[2].trend
    assert len(norms) == 2000 and norms[-1] > norms[0]  # it vanishes on its way back
    assert groups[0].child and others and all(len(drawing.boxes) <= MOST + 16 for drawing in others)
    layout = laid_out(first)
    assert layout.width < 1500 and layout.height < 1500


def made(text, name):
    """Executes a program that has lines of its own; gives its namespace."""
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    scope = {"tf": tf}
    exec(compile(text, name, "exec"), scope)
    return scope


def test_many_lines_fold_by_functions(pictures):
    functions = [
        f"def f{i}(x):\n" + "".join(f"    x = tf.sin(x) * {j}.5\n" for j in range(20)) + "    return x\n"
        for i in range(4)
    ]
    text = (
        "".join(functions)
        + "v = tf.Variable(1.0)\nwith tf.GradientTape() as tape:\n    y = f3(f2(f1(f0(v))))\n"
    )
    scope = made(text, "/many/lines.py")
    first, *others = fold(of_tape(scope["tape"], scope["y"], scope["v"]))
    assert [box.title for box in boxes(first) if box.kind == "group"] == ["f0()", "f1()", "f2()", "f3()"]
    assert len(others) == 4 and all(d.parent == first.key and len(d.boxes) >= 40 for d in others)


def test_one_line_folds_by_name_scopes_then_by_operations(pictures):
    text = (
        "v = tf.Variable(1.0)\n"
        "def layer(i, x):\n    with tf.name_scope(f'layer{i}'): return chain(x)\n"
        "chain = lambda x: [x := tf.sin(x) * 0.5 for _ in range(40)][-1]\n"
        "with tf.GradientTape() as tape:\n    y = layer(1, layer(0, v))\n"
    )
    scope = made(text, "/one/line.py")
    first, inner, _ = fold(of_tape(scope["tape"], scope["y"], scope["v"]))
    assert [box.title for box in boxes(first) if box.kind == "group"] == ["layer0", "layer1"]
    kinds = [(box.title, box.times) for box in boxes(inner) if box.kind == "group"]
    assert kinds == [("Sin", 40), ("Mul", 40)]


def test_many_variables_are_one_box(pictures):
    variables = [tf.Variable(float(i), name=f"v{i}") for i in range(40)]
    with tf.GradientTape() as tape:
        total = tf.constant(0.0)
        for v in variables:
            total = total + v * v
    first = fold(of_tape(tape, total, variables))[0]
    many = [box for box in boxes(first) if box.kind == "many"]
    assert [box.title for box in many] == ["40 variables"]
    assert ("v7", "value: 7; gradient norm 14") in [(n, t.partition("; ")[2]) for n, t in many[0].details]


def test_a_call_can_be_opened(pictures):
    first, function, loop = fold(with_a_function(of_tape))
    (call,) = [box for box in boxes(first) if box.kind == "call"]
    assert call.child == function.key and function.title == "powers" and loop.parent == function.key
    assert {frame.label for frame in loop.frames} == {"step of the loop", "condition of the loop"}


@pytest.mark.parametrize("program", [with_a_function, recurrence, partial(recurrence, steps=100)])
def test_every_drawing_is_well_formed_svg_within_its_size(program, pictures):
    scene = program(of_tape)
    painter = Painter(scene)
    for drawing in fold(scene):
        text, width, height = painter.svg(drawing)
        root = ElementTree.fromstring(f"<svg>{text}</svg>")
        shown = {part.get("data-box") for part in root.iter("g")} - {None}
        assert shown == set(drawing.boxes)
        for rect in root.iter("rect"):
            x, y = float(rect.get("x", 0)), float(rect.get("y", 0))
            assert -12 <= x <= width and -12 <= y <= height
        drawn = [part for part in root.iter("g") if part.get("data-arrow") is not None]
        assert len(drawn) == len(drawing.arrows)
