"""Layers that prepare data: as Keras's stored answers, in datasets and models, and where they refuse."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from stored import script

import gradtape as tf

GOLDEN = Path(__file__).parents[1] / "golden"
cases = script("keras_preprocessing_cases")
L = tf.keras.layers


def test_as_keras():
    stored = json.loads((GOLDEN / "keras_preprocessing.json").read_text(encoding="utf-8"))
    names = [*cases.RANDOM, *cases.COLOURS, *(text for text, _, _ in cases.ADAPTED)]
    for name, mine, theirs in zip(names, cases.run(tf), stored, strict=True):
        for a, b in zip(mine, theirs, strict=True):
            if isinstance(b, list):
                assert a == b, name
                continue
            assert (a["dtype"], a["shape"]) == (b["dtype"], b["shape"]), name
            if b["dtype"] == "string":
                assert a["values"] == b["values"], name
            else:
                np.testing.assert_allclose(a["values"], b["values"], rtol=1e-5, atol=2e-4, err_msg=name)


@pytest.mark.parametrize("text", [text for text in (*cases.RANDOM, *cases.COLOURS) if "Crop" not in text])
def test_random_layers_in_graphs(text):
    """The same numbers in a function and in the functions of a dataset; images as they are while not training."""
    images = cases.COLOURED if text in cases.COLOURS else cases.IMAGES
    make = lambda: eval(f"L.{text}", {"L": L})
    eager, traced, mapped = make(), make(), make()
    expected = eager(images).numpy()
    found = tf.function(
        lambda x: traced(x), input_signature=[tf.TensorSpec((None, None, None, images.shape[-1]))]
    )
    np.testing.assert_allclose(found(images), expected, rtol=1e-5, atol=1e-3)
    data = tf.data.Dataset.from_tensor_slices(images).batch(len(images)).map(mapped)
    np.testing.assert_allclose(next(iter(data)), expected, rtol=1e-5, atol=1e-3)
    np.testing.assert_array_equal(eager(images, training=False), images)


def test_gradients_through_a_warp():
    layer = L.RandomRotation(0.3, seed=1)
    x = tf.constant(cases.IMAGES)
    matrix = layer._transform(x)
    layer._transform = lambda x: matrix  # the same turn in each call
    way = tf.constant(np.cos(np.arange(x.numpy().size)).reshape(x.shape), tf.float32)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(layer(x) * layer(x))
    slope = tf.reduce_sum(tape.gradient(y, x) * way)
    ends = [tf.reduce_sum(layer(x + h * way) ** 2) for h in (0.5, -0.5)]
    np.testing.assert_allclose(slope, ends[0] - ends[1], rtol=1e-3)


def test_a_model_of_texts():
    texts, labels = np.array(["good film", "bad film", "good", "bad bad"]), np.array([1, 0, 1, 0])
    vectors = L.TextVectorization(output_sequence_length=4)
    vectors.adapt(tf.data.Dataset.from_tensor_slices(texts).batch(2))
    model = tf.keras.Sequential([
        tf.keras.Input((1,), dtype=tf.string), vectors, L.Embedding(vectors.vocabulary_size(), 4, mask_zero=True),
        L.GlobalAveragePooling1D(), L.Dense(1),
    ])  # fmt: skip
    model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True), metrics=["accuracy"])
    model.fit(tf.data.Dataset.from_tensor_slices((texts, labels)).batch(2), epochs=2, verbose=0)
    assert model.predict(texts, verbose=0).shape == (4, 1)


@pytest.mark.parametrize("mode", ["multi_hot", "count", "one_hot", "tf_idf"])
def test_rows_of_categories_go_into_a_layer(mode):
    layer = L.StringLookup(output_mode=mode)
    layer.adapt([["a"], ["b"], ["a"]])
    x = tf.keras.Input((1,), dtype="string")
    model = tf.keras.Model(x, L.Dense(2)(layer(x)))
    assert model(tf.constant([["a"], ["c"]])).shape == (2, 2)


def test_a_learned_vocabulary_in_files(tmp_path):
    layer = L.StringLookup()
    layer.adapt(["a", "b", "a"])
    layer.save_assets(tmp_path)
    again = L.StringLookup.from_config(layer.get_config())
    again.load_assets(tmp_path)
    assert again.get_vocabulary() == ["[UNK]", "a", "b"]
    vocabulary = tmp_path / "words.txt"
    vocabulary.write_text("x\ny\n")
    assert L.StringLookup(vocabulary=str(vocabulary)).get_vocabulary() == ["[UNK]", "x", "y"]


def test_statistics_of_several_batches():
    x = np.random.RandomState(0).normal(3.0, 2.0, (64, 3)).astype("float32")
    layer, other = L.Normalization(), L.Normalization()
    layer.adapt(x)
    other.adapt(tf.data.Dataset.from_tensor_slices((x, x)).batch(10))
    np.testing.assert_allclose(layer(x), other(x), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(layer(x), (x - x.mean(0)) / x.std(0), rtol=1e-4, atol=1e-5)
    assert [w.path.split("/")[1] for w in layer.weights] == ["mean", "variance", "count"]


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda: L.CategoryEncoding(), ValueError, "num_tokens must be set"),
        (lambda: L.CategoryEncoding(3, "count", sparse=True), ValueError, "outputs are dense"),
        (lambda: L.StringLookup(vocabulary=["a", "a"]), ValueError, "repeated term"),
        (lambda: L.StringLookup(vocabulary=["a"]).adapt(["b"]), ValueError, "static vocabulary"),
        (lambda: L.StringLookup(output_mode="count")(["a"]), RuntimeError, "must set the layer's vocabulary"),
        (
            lambda: L.StringLookup(vocabulary=["a"], num_oov_indices=0)(["b"]),
            tf.errors.InvalidArgumentError,
            r"OOV values \['b'\]",
        ),
        (lambda: L.IntegerLookup(max_tokens=1), ValueError, "must be greater than 1"),
        (lambda: L.TextVectorization(split="lines"), ValueError, "Unknown value for `split`"),
        (lambda: L.TextVectorization(ragged=True), ValueError, "outputs are dense"),
        (lambda: L.Hashing(0), ValueError, "non-positive"),
        (lambda: L.Discretization(), ValueError, "Exactly one of"),
        (lambda: L.Discretization(num_bins=3)([1.0]), ValueError, "call `adapt"),
        (lambda: L.Normalization(mean=1.0), ValueError, "both `mean` and `variance`"),
        (lambda: L.RandomFlip("sideways"), ValueError, "needs the mode"),
        (lambda: L.RandomRotation(1.5), ValueError, r"in the range \[-1.0, 1.0\]"),
        (lambda: L.RandomZoom(0.1, fill_mode="mirror"), ValueError, "Unknown `fill_mode`"),
        (lambda: L.Resizing(2, 2)(tf.ones([2, 2])), ValueError, "rank 3"),
    ],
)
def test_refusals(make, error, text):
    with pytest.raises(error, match=text):
        make()
