"""What a picture says: it must agree with the gradients, and with the explanations of those that are None."""

from __future__ import annotations

import importlib

import numpy as np
import pytest
from explain.test_causes import programs as programs_of_causes
from viz.programs import classifier, recurrence, with_a_function

import gradtape as tf
from gradtape._src.autodiff.explained import Explained
from gradtape._src.viz.of_graph import of_gradients
from gradtape._src.viz.of_tape import of_tape


def node(scene, name):
    (found,) = [n for n in scene.nodes.values() if name in (n.name, n.called)]
    return found


def states(scene):
    """The state and cause of each link, by the names of its ends."""
    name = lambda id_: scene.nodes[id_].called or scene.nodes[id_].name
    return {(name(link.start), name(link.end)): (link.state, link.cause) for link in scene.links}


def test_flows_stops_and_numbers(pictures):
    def draw(tape, loss, sources):
        return of_tape(tape, loss, sources), tape.gradient(loss, sources[:2]), sources

    scene, gradients, (w, b, _) = classifier(draw)
    found = states(scene)
    assert found["w", "MatMul"] == found["b", "Add"] == ("flow", "")
    assert found["h", "hard"] == ("stop", "op_not_differentiable")
    assert found["frozen", "Mul"] == ("stop", "variable_not_trainable")
    assert found["x", "MatMul"] == ("plain", "")
    assert [answer.cause for answer in scene.answers] == ["connected", "connected", "variable_not_trainable"]
    assert node(scene, "loss").role == "target" and node(scene, "w").role == "source"
    assert node(scene, "w").tensor == "float32 4×3"
    np.testing.assert_allclose(node(scene, "h").value.norm, np.sqrt(6), rtol=1e-2)
    for variable, gradient, answer in zip([w, b], gradients, scene.answers, strict=False):
        norm = np.linalg.norm(gradient)
        np.testing.assert_allclose(node(scene, variable.name[:1]).gradient.norm, norm, rtol=1e-6)
        np.testing.assert_allclose(answer.gradient.norm, norm, rtol=1e-6)
    line = node(scene, "hard").location
    assert line is not None and line[0].endswith("programs.py")


def test_a_source_that_is_not_watched_stops_before_all_else(pictures):
    scale, w = tf.constant([2.0, 3.0]), tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = w * scale
        z = tf.reduce_sum(y) + 0.0 * tf.reduce_sum(tf.round(y))
    found = states(of_tape(tape, z, [scale, w]))
    assert found["scale", "y"] == ("stop", "source_not_watched") and found["w", "y"] == ("flow", "")


def test_weights_of_targets_count(pictures):
    x = tf.Variable([3.0, 4.0])
    with tf.GradientTape() as tape:
        y = x * 1.0
    scene = of_tape(tape, y, x, tf.constant([3.0, 4.0]))
    np.testing.assert_allclose(scene.answers[0].gradient.norm, 5.0)


def test_it_changes_nothing():
    tape, loss, sources = classifier()
    before = len(tape._recording.nodes)
    with tf.GradientTape() as outer:
        tape.picture(loss, sources)
        tape.picture()
    assert len(tape._recording.nodes) == before and not outer._recording.nodes
    assert tape.gradient(loss, sources)[2] is None


def test_without_a_target_it_is_the_recording():
    tape, _, _ = recurrence(steps=2)
    scene = of_tape(tape)
    assert not scene.asked and not scene.answers
    assert node(scene, "w").role == "source"
    assert {link.state for link in scene.links} == {"open"}
    assert any("enable_pictures" in note for note in scene.notes)


def test_an_open_tape_and_a_persistent_one():
    x = tf.Variable(2.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
        inside = of_tape(tape, y, x)
        z = y + 1.0
    assert len(of_tape(tape, z, x).nodes) == len(inside.nodes) + 1
    assert tape.gradient(z, x) == 4.0 and tape.gradient(y, x) == 4.0


def test_a_used_tape_is_drawn_if_it_was_made_for_it(pictures):
    tape, loss, sources = classifier()
    expected = states(of_tape(tape, loss, sources))
    tape.gradient(loss, sources)
    assert states(of_tape(tape, loss, sources)) == expected


def test_a_used_tape_that_kept_nothing_says_so():
    tape, loss, sources = classifier()
    tape.gradient(loss, sources[:2])
    with pytest.raises(RuntimeError, match=r"persistent=True|enable_pictures"):
        tape.picture(loss)


def test_a_target_that_is_no_tensor():
    tape, _, _ = classifier()
    with pytest.raises(TypeError, match="A target must be a tf.Tensor or a tf.Variable, got 3"):
        tape.picture(3)


def test_custom_gradient(pictures):
    @tf.custom_gradient
    def clipped(x):
        return tf.identity(x), lambda dy: tf.clip_by_norm(dy, 0.1)

    w = tf.Variable([1.0, 2.0], name="w")
    with tf.GradientTape() as tape:
        y = clipped(w)
        loss = tf.reduce_sum(y)
    found = states(of_tape(tape, loss, w))
    assert found["w", "y"] == ("flow", "") and found["Identity", "y"] == ("plain", "")


def test_a_second_derivative(pictures):
    x = tf.Variable(3.0, name="x")
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = x**3
        g = inner.gradient(y, x)
        loss = g * 1.0
    found = states(of_tape(outer, loss, x))
    assert found["x", "g"] == ("flow", "") and found["g", "loss"] == ("flow", "")


def test_bodies_are_inside_their_call(pictures):
    scene = with_a_function(of_tape)
    call = node(scene, "y")
    assert call.kind == "call" and call.name == "powers"
    (loop,) = [n for n in scene.nodes.values() if n.name == "loop"]
    assert loop.owner == call.id
    steps = {n.name for n in scene.nodes.values() if n.owner == loop.id and n.part == "step of the loop"}
    assert {"Mul", "Tanh"} <= steps
    assert states(scene)["w", "y"] == ("flow", "")


def test_name_scopes(pictures):
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape, tf.name_scope("encoder"):
        y = tf.sin(x)
        with tf.name_scope("deep"):
            z = tf.exp(y)
    scene = of_tape(tape, z, x)
    assert (node(scene, "y").scope, node(scene, "z").scope) == ("encoder", "encoder/deep")


def test_a_tape_inside_a_function(pictures):
    """It has symbols: lines and paths, but no numbers."""
    scenes = []

    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.round(x) * x
        scenes.extend([of_tape(tape), of_tape(tape, y, x)])
        return tape.gradient(y, x)

    f(tf.constant([1.0, 2.0]))
    for scene, state in zip(scenes, ("open", "flow"), strict=True):
        assert states(scene)["x", "y"] == (state, "") and node(scene, "y").location is not None
        assert states(scene)["x", "Round"] == ("stop", "op_not_differentiable") or state == "open"


def test_graph():
    with tf.Graph().as_default():
        x = tf.compat.v1.placeholder(tf.float32, [None, 2], name="x")
        unused = tf.constant([1.0, 2.0])
        y = tf.reduce_sum(tf.stop_gradient(x) * x)
        (g,) = tf.gradients(y, x)
        before = len(x.graph.operations)
        scene = of_gradients(y, [x, unused])
        assert len(x.graph.operations) == before and g is not None
    found = states(scene)
    assert found["x", "Mul"] == ("flow", "") and found["x", "StopGradient"] == ("stop", "stop_gradient")
    assert [a.cause for a in scene.answers] == ["connected", "target_does_not_depend_on_source"]
    assert "float32 ?×2" in {link.tensor for link in scene.links}
    assert "gradients" not in {n.scope for n in scene.nodes.values()}


def test_graph_around_a_loop():
    """Inside the body of a loop the way goes on through the graph around it."""
    scenes = []
    with tf.Graph().as_default():
        x = tf.constant([1.0, 2.0, 3.0])
        y = x * x

        def row(i):
            scenes.append(of_gradients(y[i], x))
            return tf.gradients(y[i], x)[0]

        tf.map_fn(row, tf.range(3), dtype=tf.float32)
    assert states(scenes[0])["x", "y"] == ("flow", "") and scenes[0].answers[0].cause == "connected"


def test_a_gradient_in_a_graph_needs_a_graph():
    with pytest.raises(ValueError, match="In eager mode a tape has the method `picture`"):
        tf.debugging.draw_gradients(tf.constant(1.0), tf.constant(2.0))


SILENT = {  # there is no path that could be drawn, or its end is inside a body
    "branch_not_taken",
    "equal_value_but_other_tensor",
    "hidden_inside_function_call",
    "loop_variables_unrelated",
    "target_does_not_depend_on_source",
    "variable_replaced_by_tensor",
}


@pytest.mark.parametrize(("cause", "program"), list(programs_of_causes()))
def test_every_cause_is_told_as_explained(cause, program, pictures, monkeypatch):
    """The programs of tests/explain, drawn where they explain."""
    scenes = []
    debugging = importlib.import_module("gradtape.debugging")
    explain, explain_gradients = Explained.explain, debugging.explain_gradients

    def and_draw(*args):  # no names here: explanations look for the program's
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Explained, "explain", explain)
            scenes.append(of_tape(*args))
        return explain(*args)

    def and_draw_graph(*args, **more):
        scenes.append(of_gradients(*args, **more))
        return explain_gradients(*args, **more)

    monkeypatch.setattr(Explained, "explain", and_draw)
    monkeypatch.setattr(debugging, "explain_gradients", and_draw_graph)
    program()
    scene = scenes[-1]
    assert cause in {answer.cause for answer in scene.answers}
    stops = [link for link in scene.links if link.state == "stop"]
    lacking = {answer.node for answer in scene.answers if answer.cause != "connected"}
    assert stops or cause in SILENT or not any(link.start in lacking for link in scene.links)
    assert not any(link.state == "flow" and link.start in lacking for link in scene.links)
