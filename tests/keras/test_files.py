"""Models in files: those that Keras has written, those that it reads, and those without h5py."""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from stored import script

import gradtape as tf
from gradtape._src.keras.models import hdf5

pytest.importorskip("h5py")
GOLDEN = Path(__file__).parents[1] / "golden"
FILES = GOLDEN / "keras_files"
cases = script("keras_file_cases")
ANSWERS = json.loads((FILES / "answers.json").read_text(encoding="utf-8"))
K, L = tf.keras, tf.keras.layers


def agrees(found, stored):
    for one, other in zip(found, stored, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=5e-5)


def write_all(folder: Path) -> None:
    """All files, for `tests/golden/make_keras_files.py` to read with Keras."""
    for case in cases.MODELS:
        case(K)[0].save(folder / f"{case.__name__}.keras")
    cases.subclassed(K)[0].save_weights(folder / "subclassed.weights.h5")
    cases.images(K)[0].save_weights(folder / "images.h5")


@pytest.mark.parametrize("case", cases.MODELS, ids=lambda case: case.__name__)
def test_a_model_of_keras(case):
    """Its outputs are Keras's, and it can be made here alike."""
    model = K.models.load_model(FILES / f"{case.__name__}.keras")
    mine, x = case(K)
    agrees(cases.outputs(tf, model, x), ANSWERS[case.__name__])
    agrees(cases.outputs(tf, mine, x), ANSWERS[case.__name__])


def test_the_optimizer_goes_on():
    model = K.models.load_model(FILES / "sequential.keras")
    mine, x = cases.sequential(K)
    assert int(model.optimizer.iterations) == 1
    for one in (model, mine):
        one.train_on_batch(x, cases.numbers(4, 1))
    # A new model begins its random numbers anew, and drops other elements: the state is compared, not the new weights.
    assert len(model.optimizer.variables) == len(mine.optimizer.variables)
    for one, other in zip(model.optimizer.variables, mine.optimizer.variables):
        assert one.shape == other.shape


def test_weights_of_keras():
    model, x = cases.subclassed(K)
    model.set_weights([0 * w for w in model.get_weights()])
    model.load_weights(FILES / "subclassed.weights.h5")
    agrees(cases.outputs(tf, model, x), ANSWERS["subclassed"])


def test_a_file_of_keras_2():
    model, x = cases.images(K)
    model.set_weights([0 * w for w in model.get_weights()])
    model.load_weights(FILES / "images.h5")
    agrees(cases.outputs(tf, model, x), ANSWERS["images"])
    agrees(cases.outputs(tf, K.models.load_model(FILES / "images.h5"), x), ANSWERS["images"])


@pytest.mark.parametrize("has_h5py", [True, False])
def test_round_trip(tmp_path, monkeypatch, has_h5py):
    if not has_h5py:
        monkeypatch.setitem(sys.modules, "h5py", None)
        assert hdf5.library() is None
    write_all(tmp_path)
    for case in cases.MODELS:
        x = case(K)[1]
        agrees(
            cases.outputs(tf, K.models.load_model(tmp_path / f"{case.__name__}.keras"), x),
            ANSWERS[case.__name__],
        )
    for case, name in ((cases.subclassed, "subclassed.weights.h5"), (cases.images, "images.h5")):
        model, x = case(K)
        model.set_weights([0 * w for w in model.get_weights()])
        model.load_weights(tmp_path / name)
        agrees(cases.outputs(tf, model, x), ANSWERS[case.__name__])
    if not has_h5py:
        with pytest.raises(ImportError, match=r"gradtape\[hdf5\]"):
            K.models.load_model(FILES / "images.keras")


def test_by_name():
    model = K.Sequential([K.Input((2,)), L.Dense(3, name="one"), L.Dense(1, name="two")])
    other = K.Sequential([K.Input((2,)), L.Dense(3, name="one"), L.Dense(4, name="three")])
    path = Path("weights.h5")
    model.save_weights(path)
    other.load_weights(path, by_name=True)
    np.testing.assert_array_equal(other.layers[0].kernel, model.layers[0].kernel)
    with pytest.raises(ValueError, match="does not fit the layer 'three'"):
        other.load_weights(path)


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_damaged_files(tmp_path):
    model, _ = cases.images(K)
    model.save("model.keras")
    whole = (tmp_path / "model.keras").read_bytes()
    (tmp_path / "half.keras").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match="is damaged"):
        K.models.load_model("half.keras")
    with zipfile.ZipFile("empty.keras", "w") as archive:
        archive.writestr("config.json", "{}")
    with pytest.raises(ValueError, match="no file of a model"):
        K.models.load_model("empty.keras")


def test_an_optimizer_that_does_not_fit():
    model, x = cases.sequential(K)
    model.save_weights("model.weights.h5")
    model.compile("sgd", "mse")
    with pytest.warns(UserWarning, match="The optimizer begins anew"):
        model.load_weights("model.weights.h5")


def test_folders(tmp_path):
    model, x = cases.functional(K)
    tf.saved_model.save(model, "saved")
    again = tf.saved_model.load("saved")
    agrees(cases.outputs(tf, again, x), ANSWERS["functional"])
    found = again.signatures["serving_default"](a=tf.constant(x[0]), b=tf.constant(x[1]))
    assert sorted(found) == ["output_0", "output_1"]
    model.export("exported")
    assert len(K.models.load_model("exported").weights) == len(model.weights)
    with pytest.raises(tf.errors.UnimplementedError, match="tf.train.Checkpoint"):
        tf.saved_model.save(tf.Module(), "module")
    (tmp_path / "saved_model.pb").write_bytes(b"")
    with pytest.raises(tf.errors.UnimplementedError, match="written by TensorFlow"):
        tf.saved_model.load(tmp_path)
    with pytest.raises(ValueError, match="written by TensorFlow"):
        K.models.load_model(tmp_path)
    with pytest.raises(OSError, match="does not exist"):
        tf.saved_model.load(tmp_path / "nothing")


def test_networks_of_images(tmp_path, monkeypatch):
    """Their trained weights are in files, by Keras's names of layers."""
    monkeypatch.setenv("GRADTAPE_DATA", str(tmp_path))
    make = K.applications.MobileNetV2
    with pytest.raises(FileNotFoundError, match="0.35_96_no_top.h5.*GRADTAPE_DATA"):
        make((96, 96, 3), 0.35, include_top=False)
    model = make((96, 96, 3), 0.35, include_top=False, weights=None, pooling="avg")
    assert model.layers[-3].name == "Conv_1_bn" and model.output_shape == (None, 1280)
    name = "mobilenet_v2_weights_tf_dim_ordering_tf_kernels_0.35_96_no_top.h5"
    model.save_weights(tmp_path / name)
    again = make((96, 96, 3), 0.35, include_top=False, weights="imagenet", pooling="avg")
    np.testing.assert_array_equal(again.get_weights()[-1], model.get_weights()[-1])
    np.testing.assert_array_equal(again.get_weights()[0], model.get_weights()[0])
    top = K.applications.MobileNet((32, 32, 3), 0.25, classes=3, weights=None)
    np.testing.assert_allclose(np.sum(top(np.ones((1, 32, 32, 3), "float32"))), 1, rtol=1e-5)
    with pytest.raises(ValueError, match="`classes` should be 1000"):
        K.applications.VGG16(classes=3)
    with pytest.raises(ValueError, match="at least 75x75"):
        K.applications.InceptionV3(False, None, input_shape=(32, 32, 3))
    x = np.array([[[103.0, 116.0, 123.0]]])
    pixels = K.applications.vgg19.preprocess_input(tf.constant(x, tf.float32))
    np.testing.assert_allclose(pixels, [[[123 - 103.939, 116 - 116.779, 103 - 123.68]]], rtol=1e-4)
