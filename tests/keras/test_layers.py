"""Every layer in every mode: against Keras's stored answers, and against itself."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from stored import script

import gradtape as tf
import gradtape.compat.v1 as tf1

GOLDEN = Path(__file__).parents[1] / "golden"
cases = script("keras_layer_cases")
STORED = json.loads((GOLDEN / "keras_layers.json").read_text(encoding="utf-8"))
PAIRS = list(zip(cases.NAMES, cases.CASES))
L = tf.keras.layers


def close(found, stored, tolerance=1e-5):
    shape, values = stored
    found = np.asarray(found)
    assert list(found.shape) == shape
    np.testing.assert_allclose(found.ravel(), values, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize(("name", "case"), PAIRS, ids=cases.NAMES)
def test_as_keras(name, case):
    found, stored = cases.run(case, tf), STORED[name]
    assert [[path, list(shape)] for path, shape in found["weights"]] == stored["weights"]
    close(found["outputs"], stored["outputs"])
    for part in ("gradients", "training", "trained"):
        assert len(found.get(part, [])) == len(stored.get(part, []))
        for mine, theirs in zip(found.get(part, []), stored.get(part, [])):
            close(mine, theirs, 1e-5 if part != "trained" else 2e-5)


def made(case, **kwargs):
    """The layer of a case, and how it is called on a list of inputs."""
    layer = eval(f"L.{case.make}", {"L": L})
    if kwargs:
        config = {**layer.get_config(), **kwargs}
        if "layer" in config:  # a layer around another
            config["layer"]["config"].update(kwargs)
        layer = type(layer).from_config(config)
    apart = case.apart or len(case.shapes) == 1
    return layer, (lambda xs, **kw: layer(*xs, **kw) if apart else layer(xs, **kw))


def masked(case):
    return {} if not case.mask else {"mask": tf.constant(cases.mask_of(case))}


def run_layer_test(case):
    """A layer in all its modes: they agree, and gradients are those of differences."""
    arrays = cases.inputs_of(case)
    layer, call = made(case)
    eager = call([tf.constant(a) for a in arrays], **masked(case))
    layer.set_weights(cases.weights_of(layer))
    eager = call([tf.constant(a) for a in arrays], **masked(case)).numpy()
    again = call([tf.constant(a) for a in arrays], **masked(case)).numpy()
    np.testing.assert_array_equal(eager, again)  # the second call may go the quick way

    traced = tf.function(lambda *xs: call(list(xs), **masked(case)))(*map(tf.constant, arrays))
    np.testing.assert_allclose(traced, eager, rtol=1e-5, atol=1e-6)
    _check_description(case, layer, eager, arrays)
    _check_session(case, layer, eager, arrays)
    _check_gradients(case)
    return layer


def _check_description(case, layer, eager, arrays):
    """Symbolic shape = shape of the values; and a model of the layer gives the same."""
    twin = type(layer).from_config(layer.get_config())
    inputs = [tf.keras.Input(a.shape[1:], dtype=a.dtype.name) for a in arrays]
    outputs = twin(*inputs) if case.apart or len(inputs) == 1 else twin(inputs)
    assert outputs.shape.is_compatible_with(eager.shape) and outputs.shape[1:].is_fully_defined()
    assert outputs.dtype.name == eager.dtype.name
    assert [w.shape for w in twin.weights] == [w.shape for w in layer.weights]
    twin.set_weights(layer.get_weights())
    if not case.mask:
        model = tf.keras.Model(inputs, outputs)
        np.testing.assert_allclose(model(arrays), eager, rtol=1e-5, atol=1e-6)


def _check_session(case, layer, eager, arrays):
    with tf.Graph().as_default(), tf1.Session() as session:
        twin, call = made(case)
        feeds = [tf1.placeholder(a.dtype, (None, *a.shape[1:])) for a in arrays]
        outputs = call(feeds, **masked(case))
        session.run(tf1.global_variables_initializer())
        twin.set_weights(layer.get_weights())
        found = session.run(outputs, dict(zip(feeds, arrays)))
    np.testing.assert_allclose(found, eager, rtol=1e-5, atol=1e-6)


def _check_gradients(case):
    """In float64, with respect to inputs and weights."""
    layer, call = made(case, dtype="float64")
    arrays = [a.astype(np.float64) if case.kind == "float" else a for a in cases.inputs_of(case)]
    call([tf.constant(a) for a in arrays], **masked(case))
    layer.set_weights(cases.weights_of(layer))
    variables = layer.trainable_variables

    def of(xs):
        return tf.reduce_sum(tf.sin(call(list(xs), **masked(case)) + 0.3))

    tensors = [tf.constant(a) for a in arrays]
    moving = tensors if case.kind == "float" else []
    with tf.GradientTape() as tape:
        tape.watch(moving)
        y = of(tensors)
    gradients = tape.gradient(y, [*moving, *variables])
    step = 1e-6
    for i, g in enumerate(gradients):
        way = cases.numbers(tuple(g.shape), i + 0.2).astype(np.float64)
        slope = float(tf.reduce_sum(tf.convert_to_tensor(g) * way))
        ends = []
        for sign in (1, -1):
            if i < len(moving):
                ends.append(
                    float(of([a + sign * step * way if i == j else a for j, a in enumerate(tensors)]))
                )
            else:
                variable = variables[i - len(moving)]
                before = variable.value()
                variable.assign_add(sign * step * way)
                ends.append(float(of(tensors)))
                variable.assign(before)
        np.testing.assert_allclose((ends[0] - ends[1]) / (2 * step), slope, rtol=2e-6, atol=2e-7)


@pytest.mark.parametrize("case", cases.CASES, ids=cases.NAMES)
def test_modes(case):
    run_layer_test(case)


@pytest.mark.parametrize("case", [c for c in cases.CASES if not c.apart], ids=lambda c: c.make)
def test_saved_and_loaded(case, tmp_path):
    arrays = cases.inputs_of(case)
    layer, _ = made(case)
    inputs = [tf.keras.Input(a.shape[1:], dtype=a.dtype.name) for a in arrays]
    model = tf.keras.Model(inputs, layer(inputs if len(inputs) > 1 else inputs[0]))
    layer.set_weights(cases.weights_of(layer))
    model.save(tmp_path / "model.keras")
    again = tf.keras.models.load_model(tmp_path / "model.keras")
    np.testing.assert_array_equal(again(arrays), model(arrays))
    # Tuples come back as lists, as in Keras.
    assert json.dumps(again.get_layer(layer.name).get_config()) == json.dumps(layer.get_config())


def test_where_a_mask_leaves_nothing():
    """Softmax gives 0 there, and no NaN in gradients; MultiHeadAttention looks everywhere alike, as in Keras 3."""
    x, mask = tf.constant([[1.0, 2.0], [3.0, 1.0]]), tf.constant([[True, True], [False, False]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = L.Softmax()(x, mask=mask)
        loss = tf.reduce_sum(y * [[1.0, 2.0], [3.0, 4.0]])
    np.testing.assert_allclose(y, [tf.nn.softmax(x[0]), [0, 0]], rtol=1e-6)
    np.testing.assert_allclose(tape.gradient(loss, x)[1], [0, 0])
    np.testing.assert_allclose(L.Softmax(axis=(0, 1))(x, mask=tf.zeros([2, 1])), np.zeros((2, 2)))
    with pytest.raises(ValueError, match="broadcastable"):
        L.Softmax()(x, mask=tf.ones([3], tf.bool))
    attention = L.MultiHeadAttention(1, 2)
    inputs = tf.constant(np.sin(np.arange(12.0)).reshape(1, 4, 3), tf.float32)
    nowhere = tf.zeros([1, 4, 4], tf.bool)
    y = attention(inputs, inputs, attention_mask=nowhere)
    mean = tf.reduce_mean(inputs, axis=1, keepdims=True)
    np.testing.assert_allclose(y, attention(inputs, tf.tile(mean, [1, 4, 1])), rtol=1e-5, atol=1e-6)
    _, weights = attention(inputs, inputs, attention_mask=nowhere, return_attention_scores=True)
    np.testing.assert_array_equal(weights, np.zeros((1, 1, 4, 4)))
