"""``tf.train.Example``, ``tf.io.parse_example`` and bytes as tensors: TensorFlow's answers, graphs, datasets."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from stored import script

import gradtape as tf

GOLDEN = Path(__file__).parents[1] / "golden"
EXPECTED = json.loads((GOLDEN / "examples.json").read_text(encoding="utf-8"))


MAKER = script("make_examples")


@pytest.mark.parametrize("line", MAKER.lines())
def test_answers_of_tensorflow(line: str):
    assert MAKER.answer(line, tf) == EXPECTED[line]


def example(size: float, words: list[bytes]) -> bytes:
    features = {
        "size": tf.train.Feature(float_list=tf.train.FloatList(value=[size])),
        "words": tf.train.Feature(bytes_list=tf.train.BytesList(value=words)),
    }
    return tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()


def test_messages_come_back():
    assert tf.compat.v1.train.Example is tf.train.Example
    message = tf.train.Example.FromString(example(1.5, [b"a"]))
    assert list(message.features.feature["size"].float_list.value) == [1.5]
    assert tf.train.Example.FromString(message.SerializeToString()) == message


def test_examples_in_a_dataset(tmp_path):
    path = str(tmp_path / "a.tfrecord")
    with tf.io.TFRecordWriter(path) as writer:
        for i in range(5):
            writer.write(example(i / 2, [b"w"] * i))
    features = {"size": tf.io.FixedLenFeature([], tf.float32), "words": tf.io.VarLenFeature(tf.string)}

    def read(text):
        found = tf.io.parse_single_example(text, features)
        return found["size"], tf.size(found["words"].values)

    one_by_one = tf.data.TFRecordDataset(path).map(read)
    assert one_by_one.element_spec == (tf.TensorSpec([], tf.float32), tf.TensorSpec([], tf.int32))
    assert [(s.item(), n.item()) for s, n in one_by_one.as_numpy_iterator()] == [(i / 2, i) for i in range(5)]

    def read_batch(texts):
        found = tf.io.parse_example(texts, features)
        return found["size"], tf.sparse.to_dense(found["words"])

    sizes, words = next(iter(tf.data.TFRecordDataset(path).batch(3).map(read_batch)))
    assert sizes.numpy().tolist() == [0.0, 0.5, 1.0]
    assert words.numpy().tolist() == [[b"", b""], [b"w", b""], [b"w", b"w"]]


def test_examples_of_a_placeholder():
    v1 = tf.compat.v1
    with tf.Graph().as_default(), v1.Session() as session:
        texts = v1.placeholder(tf.string, [None])
        found = v1.parse_example(texts, {"size": v1.FixedLenFeature([], tf.float32)})
        assert found["size"].shape.as_list() == [None]
        assert session.run(found["size"], {texts: [example(2.0, [])]}).tolist() == [2.0]


@pytest.mark.parametrize(
    "features, message",
    [
        ({"size": tf.io.FixedLenFeature([2], tf.float32)}, "Key: size.*do not fit the shape"),
        (
            {"size": tf.io.FixedLenFeature([], tf.int64)},
            "Key: size.*Data type: float but expected type: int64",
        ),
        ({"no": tf.io.FixedLenFeature([], tf.int64)}, r"Feature: no \(data type: int64\) is required"),
    ],
)
def test_messages_name_the_feature(features, message):
    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        tf.io.parse_single_example(example(1.0, []), features)


def test_features_of_unknown_kinds():
    with pytest.raises(ValueError, match="Unsupported feature type int for 'size'"):
        tf.io.parse_single_example(example(1.0, []), {"size": 3})
    with pytest.raises(ValueError, match="wholly known"):
        tf.io.parse_single_example(example(1.0, []), {"size": tf.io.FixedLenFeature([None], tf.float32)})


@pytest.mark.parametrize(
    "dtype", ["float16", "bfloat16", "float64", "int8", "uint64", "bool", "complex64", "string"]
)
def test_tensors_as_strings_come_back(dtype):
    x = tf.constant(["a", "bc"]) if dtype == "string" else tf.cast([[0, 1], [1, 1]], dtype)
    f = lambda x: tf.io.parse_tensor(tf.io.serialize_tensor(x), x.dtype)
    for found in (f(x), tf.function(f)(x)):
        assert found.dtype == x.dtype
        np.testing.assert_array_equal(found, x)


def test_csv_in_a_function():
    f = tf.function(
        lambda rows: tf.io.decode_csv(rows, [0, ""]), input_signature=[tf.TensorSpec([None], tf.string)]
    )
    numbers, texts = f(["1,a", ",b"])
    assert numbers.numpy().tolist() == [1, 0]
    assert texts.numpy().tolist() == [b"a", b"b"]
    assert numbers.shape == [2]
