"""Initializers, activations, regularizers and constraints against Keras 3; objects by name and as configurations."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import gradtape as tf

PATH = Path(__file__).parents[1] / "golden" / "keras_parts.json"
STORED = json.loads(PATH.read_text(encoding="utf-8"))
ROWS = STORED["rows"]
keras = tf.keras


def evaluated(row, wrap=lambda f: f):
    module = getattr(keras, row["module"])
    names = {**vars(module), "random": keras.random}
    x = tf.Variable(STORED["x"])

    def run():
        value = eval(row["text"], {**names, "x": x.value()})
        value = value(x.value()) if row["module"] in ("regularizers", "constraints") else value
        return tf.convert_to_tensor(value)

    with tf.GradientTape() as tape:
        value = wrap(run)()
        total = tf.reduce_sum(value) if value.dtype.is_floating else None
    return value, None if total is None else tape.gradient(total, x)


@pytest.mark.parametrize("wrap", [lambda f: f, tf.function], ids=["eager", "function"])
@pytest.mark.parametrize("row", ROWS, ids=[f"{row['module']}.{row['text']}" for row in ROWS])
def test_as_keras(row, wrap):
    if "error" in row:
        with pytest.raises(ValueError):
            evaluated(row, wrap)
        return
    value, slope = evaluated(row, wrap)
    assert value.dtype.name == row["dtype"]
    np.testing.assert_allclose(value, row["value"], rtol=2e-5, atol=2e-6)
    assert (slope is None) == ("gradient" not in row)
    if slope is not None:
        np.testing.assert_allclose(slope, row["gradient"], rtol=1e-4, atol=1e-5)


def test_sparsemax_is_the_projection_onto_the_simplex():
    """The result adds up to 1, and x less the result is one number where the result is positive, less elsewhere."""
    x = tf.Variable(np.random.default_rng(0).normal(size=(5, 6)).astype("float32"))
    for axis in (0, -1):
        with tf.GradientTape() as tape:
            y = keras.activations.sparsemax(x, axis)
            total = tf.reduce_sum(y)
        np.testing.assert_allclose(tf.reduce_sum(y, axis), 1.0, rtol=1e-5)
        np.testing.assert_allclose(tape.gradient(total, x), 0.0, atol=1e-6)
        rest = (x - y).numpy()
        level = np.where(y > 0, rest, -np.inf).max(axis, keepdims=True)
        assert (np.where(y > 0, np.abs(rest - level) < 1e-5, rest <= level + 1e-5)).all()


def test_seeds():
    first = keras.initializers.GlorotUniform()
    np.testing.assert_array_equal(first([3]), first([3]))  # an initializer has one seed
    keras.utils.set_random_seed(5)
    a = keras.initializers.HeNormal()([4]), keras.random.normal([2]), tf.random.normal([2])
    keras.utils.set_random_seed(5)
    b = keras.initializers.HeNormal()([4]), keras.random.normal([2]), tf.random.normal([2])
    for x, y in zip(a, b, strict=True):
        np.testing.assert_array_equal(x, y)
    assert (keras.random.normal([2]).numpy() != keras.random.normal([2]).numpy()).all()
    with pytest.raises(ValueError, match="`seed` argument"):
        keras.initializers.GlorotUniform(seed="a")
    with pytest.raises(ValueError, match="to be an integer"):
        keras.utils.set_random_seed(0.5)


def test_distributions():
    """Means, variances and bounds of many numbers, against the formulas."""
    shape, n = (300, 200), 300 * 200
    for name, variance in [
        ("GlorotUniform", 2 / 500),
        ("GlorotNormal", 2 / 500),
        ("HeUniform", 2 / 300),
        ("HeNormal", 2 / 300),
        ("LecunUniform", 1 / 300),
        ("LecunNormal", 1 / 300),
    ]:
        x = getattr(keras.initializers, name)(seed=1)(shape).numpy()
        assert abs(x.mean()) < 4 * np.sqrt(variance / n)
        assert abs(x.var() / variance - 1) < 0.03
        limit = np.sqrt(3 * variance) if "Uniform" in name else 2 * np.sqrt(variance) / 0.8796
        assert np.abs(x).max() <= limit * 1.0001
    wide = keras.initializers.VarianceScaling(seed=1, input_axes=[0, 1], output_axes=[2])([20, 30, 5]).numpy()
    assert abs(wide.var() * 600 - 1) < 0.1


def test_tensorflow_2s_own_initializers():
    for make in (tf.random_normal_initializer, tf.random_uniform_initializer):
        np.testing.assert_array_equal(make(seed=3)([4]), make(seed=3)([4]))
        one = make()
        assert (one([4]).numpy() != one([4]).numpy()).any()
        assert make.from_config(make(seed=3).get_config()).get_config() == make(seed=3).get_config()
    assert tf.zeros_initializer()([2]).dtype == tf.float32
    assert tf.ones_initializer()([2], tf.float64).numpy().tolist() == [1.0, 1.0]
    assert tf.constant_initializer([1.0, 2.0])([2]).numpy().tolist() == [1.0, 2.0]
    assert tf.initializers.HeNormal is keras.initializers.HeNormal


def test_by_name_and_as_configurations():
    for module, names in [
        (
            keras.initializers,
            ["zeros", "Ones", "glorot_uniform", "he_normal", "uniform", "identity", "orthogonal"],
        ),
        (keras.regularizers, ["l1", "L2", "l1_l2", "orthogonal_regularizer"]),
        (keras.constraints, ["max_norm", "NonNeg", "unit_norm", "min_max_norm"]),
    ]:
        for name in names:
            made = module.get(name)
            again = module.deserialize(module.serialize(made))
            assert type(again) is type(made) and again.get_config() == made.get_config()
            older = {"class_name": type(made).__name__, "config": made.get_config()}  # Keras 2's form
            assert type(module.get(older)) is type(made)
        assert module.get(None) is None
        for wrong in ("nothing", 3):
            with pytest.raises(ValueError, match="Could not interpret"):
                module.get(wrong)
    given = keras.initializers.get(np.array([1.0, 2.0]))
    assert given([2]).numpy().tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match="Expected `shape`"):
        given([3])
    assert keras.activations.get(None)(3) == 3
    assert keras.activations.get("relu") is keras.activations.relu
    with pytest.raises(ValueError, match="Could not interpret activation"):
        keras.activations.get("nothing")


@keras.utils.register_keras_serializable("these_tests")
class Halved(keras.regularizers.Regularizer):
    def __init__(self, part=0.5):
        self.part = part

    def __call__(self, x):
        return self.part * tf.reduce_sum(x)

    def get_config(self):
        return {"part": self.part}


class Unregistered(keras.constraints.Constraint):
    def __call__(self, w):
        return w


def test_objects_of_ones_own():
    config = keras.utils.serialize_keras_object(Halved(0.25))
    assert config["registered_name"] == "these_tests>Halved"
    assert keras.utils.deserialize_keras_object(config).part == 0.25
    assert keras.regularizers.get("these_tests>Halved").part == 0.5
    config = keras.utils.serialize_keras_object(Unregistered())
    with keras.utils.custom_object_scope({"Unregistered": Unregistered}):
        assert isinstance(keras.constraints.get("Unregistered"), Unregistered)
        assert isinstance(keras.utils.deserialize_keras_object(config), Unregistered)
    config["module"] = "no.such.module"
    with pytest.raises(TypeError, match="Could not locate class 'Unregistered'"):
        keras.utils.deserialize_keras_object(config)
    assert isinstance(
        keras.utils.deserialize_keras_object(config, {"Unregistered": Unregistered}), Unregistered
    )
    with pytest.raises(ValueError, match="does not have a get_config"):
        keras.utils.register_keras_serializable()(int)
    with pytest.raises(TypeError, match="Cannot serialize"):
        keras.utils.serialize_keras_object(object())


def test_plain_values_come_back():
    values = {
        "a": [1, 2.5, None, "x", (1, 2)],
        "t": tf.constant([1.0]),
        "n": np.array([1, 2]),
        "d": tf.float16,
        "s": tf.TensorShape([None, 2]),
        "r": keras.regularizers.L1(0.5),
        "f": keras.losses.mean_squared_error,
    }
    stored = json.loads(json.dumps(keras.utils.serialize_keras_object(values)))
    back = keras.utils.deserialize_keras_object(stored)
    assert (
        back["a"] == [1, 2.5, None, "x", [1, 2]]
        and back["t"].numpy().tolist() == [1.0]
        and back["n"].tolist() == [1, 2]
    )
    assert back["d"] == "float16" and back["s"] == [None, 2] and back["r"].l1 == 0.5
    assert back["f"] is keras.losses.mean_squared_error
