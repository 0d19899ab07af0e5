"""Explanations speak the user's language: names of tensors and functions, and what to write instead."""

from __future__ import annotations

import numpy as np
import pytest
from explain.test_reports import run

import gradtape as tf
from gradtape._src.explain.explanation import listed
from gradtape._src.explain.wording import function_of


@pytest.fixture(autouse=True)
def explanations():
    tf.debugging.enable_explanations()
    yield
    tf.debugging.disable_explanations()


@pytest.mark.parametrize(
    ("op", "name"),
    [
        ("BooleanMask", "tf.boolean_mask"), ("Multinomial", "tf.random.categorical"), ("IsNan", "tf.math.is_nan"),
        ("Sqrt", "tf.sqrt"), ("RealDivAbsorbing", "the division /"), ("AssignAddVariableOp", "assign_add"),
        ("ResourceStridedSliceAssign", "assign"), ("SegmentLinks", "the operation SegmentLinks"),
    ],
)  # fmt: skip
def test_operations_have_the_names_of_their_functions(op, name):
    assert function_of(op) == name


def test_weights_of_layers_have_their_paths():
    model = tf.keras.Sequential([tf.keras.layers.Dense(2), tf.keras.layers.Dense(1)], name="net")
    x = tf.ones([1, 3])
    model(x)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(model.layers[0](x))
    reasons = tape.explain(y, model.trainable_variables)
    assert [why.source for why in reasons] == [v.path for v in model.trainable_variables]
    assert f"It depends on {model.weights[1].path}, {model.weights[0].path}" not in reasons[0].message
    assert f"computed without {model.weights[2].path}" in reasons[2].message
    assert f"depends on {model.weights[1].path} and {model.weights[0].path}" in reasons[2].message


def test_what_has_no_name_is_called_by_the_text_of_the_call():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = x[0] * 2.0
    why = tape.explain(y * 1.0, x[0])
    assert why.source == "x[0]" and "y * 1.0" in why.message + why.fix
    with tf.Graph().as_default():
        a = tf.compat.v1.placeholder(tf.float32, [2])
        why = tf.debugging.explain_gradients(tf.sin(a)[1], a[1])
        assert why.source == "a[1]" and "tf.sin(a)[1]" in why.message


@pytest.mark.parametrize(
    ("leave", "instead"),
    [
        (lambda x: np.mean(x), "tf.reduce_mean for np.mean"),
        (lambda x: np.linalg.norm(x.numpy()), "tf.norm for np.linalg.norm, and leave out .numpy()"),
        (lambda x: np.spacing(x), "tf.reduce_mean for np.mean"),
        (lambda x: float(x[0]), "Leave out float()"),
        (lambda x: tf.keras.Sequential([tf.keras.layers.Dense(1)]).predict(x[:, None], verbose=0), "model(x)"),
        (lambda x: tf.numpy_function(np.sign, [x], tf.float32), "tf.custom_gradient"),
    ],
)  # fmt: skip
def test_what_to_write_where_a_value_leaves(leave, instead):
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.convert_to_tensor(leave(x))) * 2.0
    why = tape.explain(y, x)
    assert why.cause == "left_the_library" and instead in why.fix


def test_no_line_is_to_be_moved_into_the_block_that_it_is_in():
    x, y = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        with tape.stop_recording():
            h = y * y
        z = x + h
    assert "out of the `with tape.stop_recording()` block" in tape.explain(z, y).fix


def test_many_sources_are_counted():
    assert listed(["a"]) == "a"
    assert listed(list("abcde")) == "a, b, c, d and e"
    assert listed(list("abcdefg")) == "a, b, c, d and 3 more"


def test_a_picture_repeats_no_warning(tmp_path):
    script = """\
import tensorflow as tf
x = tf.constant(10)
with tf.GradientTape() as tape:
    y = tf.cast(x, tf.float32) * 2.0
print(tape.gradient(y, x))
"""
    _, plain = run(tmp_path, script=script)
    _, drawn = run(tmp_path, "--picture", str(tmp_path / "out.svg"), script=script)
    assert (drawn.stdout, drawn.stderr) == (plain.stdout, plain.stderr) and "must be floating" in plain.stderr


def test_elements_of_nested_structures_are_called_by_their_places():
    params = {"a": tf.Variable(1.0), "c": [tf.Variable(3.0), tf.Variable(4.0)]}
    with tf.GradientTape() as tape:
        y = params["c"][0] * 2.0
    found = tape.explain(y, params)
    assert [found["a"].source, found["c"][1].source] == ["params['a']", "params['c'][1]"]
    assert "depends on params['c'][0]" in found["a"].message


def test_the_variable_of_a_copy_is_named():
    one, other = [tf.keras.layers.Dense(2, name=name) for name in ("one", "other")]
    x = tf.ones([1, 3])
    one(x), other(x)
    other.set_weights(one.get_weights())
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(other(x))
    why = tape.explain(y, one.kernel)
    assert why.cause == "equal_value_but_other_tensor"
    assert why.fix == "Ask for the gradient by other/kernel, or use one/kernel itself."


def test_an_error_says_the_same_of_several_sources_once():
    v, w = tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.round(v * w)
    with pytest.raises(tf.debugging.NoGradientError) as caught:
        tape.gradient(y, [v, w], unconnected_gradients=tf.UnconnectedGradients.RAISE)
    text = str(caught.value)
    assert text.count("op_not_differentiable") == 1 and text.endswith("The same holds for w.")
    assert len(caught.value.explanations) == 2


def test_code_is_written_as_the_program_writes_it():
    layer = tf.keras.layers.BatchNormalization()
    x = tf.ones([2, 3])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(layer(x, training=False))
    assert "tape.watch(layer.moving_mean)" in tape.explain(y, layer.moving_mean).fix


def test_samples_have_advice_of_their_own():
    logits = tf.Variable([[0.0, 1.0]])
    with tf.GradientTape() as tape:
        y = tf.cast(tf.random.categorical(logits, 3), tf.float32)
    assert "probability of the sample" in tape.explain(y, logits).fix
