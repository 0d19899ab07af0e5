"""Datasets of files, and datasets in files: records, CSV, elements that are saved."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf
import gradtape.compat.v1 as tf1


def elements(dataset):
    return [x.tolist() if hasattr(x, "tolist") else x for x in dataset.as_numpy_iterator()]


# --- Records ------------------------------------------------------------------------------------------------

# What TensorFlow 2.21's writer made of these records.
RECORDS = [b"", b"one", b"\x00\xff" * 3]
WRITTEN = (
    "000000000000000029039807d8ea82a20300000000000000b099490e6f6e650140550806000000000000007369d53700ff00ff"
    "00ff4c812478"
)


def write(path, records, options=None):
    with tf.io.TFRecordWriter(str(path), options) as writer:
        for record in records:
            writer.write(record)


def test_records_are_tensorflows_bytes(tmp_path):
    write(tmp_path / "a", RECORDS)
    assert (tmp_path / "a").read_bytes().hex() == WRITTEN


@pytest.mark.parametrize("kind", ["", "GZIP", "ZLIB"])
def test_records_of_each_compression_come_back(kind, tmp_path):
    path = str(tmp_path / "a")
    write(path, RECORDS, tf.io.TFRecordOptions(kind, compression_level=3) if kind else None)
    assert elements(tf.data.TFRecordDataset(path, kind)) == RECORDS
    assert list(tf1.io.tf_record_iterator(path, tf.io.TFRecordOptions(kind))) == RECORDS


def test_records_of_texts_and_tensors(tmp_path):
    write(tmp_path / "a", ["é", tf.constant("b")])
    assert elements(tf.data.TFRecordDataset(str(tmp_path / "a"))) == ["é".encode(), b"b"]


def test_a_closed_writer_and_a_missing_folder_say_so(tmp_path):
    writer = tf.io.TFRecordWriter(str(tmp_path / "a"))
    writer.close()
    with pytest.raises(tf.errors.FailedPreconditionError, match="closed"):
        writer.write(b"x")
    with pytest.raises(tf.errors.NotFoundError):
        tf.io.TFRecordWriter(str(tmp_path / "none" / "a"))
    with pytest.raises(ValueError, match="compression_type"):
        tf.io.TFRecordWriter(str(tmp_path / "a"), "LZ4")


def test_a_dataset_writes_records(tmp_path):
    path = str(tmp_path / "a")
    texts = tf.data.Dataset.from_tensor_slices(["a", "b"])
    tf.data.experimental.TFRecordWriter(path).write(texts)
    assert elements(tf.data.TFRecordDataset(path)) == [b"a", b"b"]
    with pytest.raises(TypeError, match="single strings"):
        tf.data.experimental.TFRecordWriter(path).write(tf.data.Dataset.range(2))


# --- Saved elements -----------------------------------------------------------------------------------------

SAVED = {
    "number": lambda: tf.data.Dataset.range(4),
    "nest": lambda: tf.data.Dataset.from_tensor_slices(
        {"x": [[1.0, 2.0], [3.0, 4.0]], "y": ([1, 2], ["a", "bc"])}
    ),
    "ragged": lambda: tf.data.Dataset.range(4).map(lambda n: (tf.range(n), tf.fill([n], "é"))),
    "bfloat16": lambda: tf.data.Dataset.from_tensors(tf.constant([1.5], tf.bfloat16)),
    "empty": lambda: tf.data.Dataset.range(0),
}


@pytest.mark.parametrize("compression", [None, "GZIP"])
@pytest.mark.parametrize("name", SAVED)
def test_what_is_saved_is_loaded(name, compression, tmp_path):
    dataset = SAVED[name]()
    dataset.save(str(tmp_path), compression)
    loaded = tf.data.Dataset.load(str(tmp_path))
    assert loaded.element_spec == dataset.element_spec
    assert len(loaded) == len(list(dataset))
    for _ in range(2):
        assert str(list(loaded.as_numpy_iterator())) == str(list(dataset.as_numpy_iterator()))


def test_an_error_while_saving_leaves_what_was_there(tmp_path):
    tf.data.Dataset.range(2).save(str(tmp_path))
    bad = tf.data.Dataset.from_tensor_slices(["1", "x"]).map(lambda t: tf.strings.to_number(t, tf.int64))
    with pytest.raises(tf.errors.InvalidArgumentError):
        bad.save(str(tmp_path))
    assert elements(tf.data.Dataset.load(str(tmp_path))) == [0, 1]
    assert len(list(tmp_path.iterdir())) == 1


def test_shards_come_to_the_reader_and_are_interleaved_without_one(tmp_path):
    tf.data.Dataset.range(6).save(str(tmp_path), shard_func=lambda x: x % 3)
    assert elements(tf.data.Dataset.load(str(tmp_path))) == [0, 1, 2, 3, 4, 5]
    first = tf.data.Dataset.load(
        str(tmp_path), reader_func=lambda shards: shards.take(1).flat_map(lambda x: x)
    )
    assert elements(first) == [0, 3]


def test_loading_says_what_is_not_there(tmp_path):
    with pytest.raises(tf.errors.NotFoundError, match="no dataset was saved"):
        tf.data.Dataset.load(str(tmp_path))
    tf.data.Dataset.range(1).save(str(tmp_path))
    with pytest.raises(ValueError, match="element_spec"):
        tf.data.Dataset.load(str(tmp_path), tf.TensorSpec([], tf.float32))
    with pytest.raises(TypeError, match="flat_map"):
        tf.data.Dataset.range(2).window(1).save(str(tmp_path))


def test_a_snapshot_is_computed_once(tmp_path):
    calls = []

    def seen(x):
        calls.append(x)
        return x

    make = lambda: tf.data.Dataset.range(3).map(lambda x: tf.numpy_function(seen, [x], tf.int64))
    snapshot = make().snapshot(str(tmp_path))
    assert next(iter(snapshot)).numpy() == 0  # a pass that does not come to its end stores nothing
    calls.clear()
    assert elements(snapshot) == elements(snapshot) == elements(make().snapshot(str(tmp_path))) == [0, 1, 2]
    assert len(calls) == 3


# --- CSV ----------------------------------------------------------------------------------------------------


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a,b,c,d\n1,2.5,x,\n3000000000,4,y,7\n,1e300,,\n")
    return str(path)


def make_csv(table, **kwargs):
    return tf.data.experimental.make_csv_dataset(table, 2, shuffle=False, **kwargs)


def test_columns_of_csv_get_names_and_the_narrowest_types(table):
    dataset = make_csv(table, num_epochs=1)
    types = {name: spec.dtype for name, spec in dataset.element_spec.items()}
    assert types == {"a": tf.int64, "b": tf.float64, "c": tf.string, "d": tf.int32}
    first, last = dataset.as_numpy_iterator()
    assert {k: v.tolist() for k, v in first.items()} == {
        "a": [1, 3000000000], "b": [2.5, 4.0], "c": [b"x", b"y"], "d": [0, 7],
    }  # fmt: skip
    assert {k: v.tolist() for k, v in last.items()} == {"a": [0], "b": [1e300], "c": [b""], "d": [0]}


def test_a_label_stands_apart_and_batches_without_end_are_full(table):
    dataset = make_csv(table, label_name="c")
    features, label = dataset.element_spec
    assert list(features) == ["a", "b", "d"]
    assert label == tf.TensorSpec([2], tf.string)
    labels = [label.tolist() for _, label in dataset.take(3).as_numpy_iterator()]
    assert labels == [[b"x", b"y"], [b"", b"x"], [b"y", b""]]


def test_csv_columns_are_chosen_in_the_order_of_the_file(table):
    dataset = make_csv(table, select_columns=["c", "a"], num_epochs=1, column_defaults=[np.int32(-1), "none"])
    assert list(dataset.element_spec) == ["a", "c"]
    with pytest.raises(tf.errors.InvalidArgumentError, match="valid int32"):
        list(dataset)
    dataset = make_csv(table, select_columns=[3], num_epochs=1, column_defaults=[[-1]], header=True)
    assert [x["d"].tolist() for x in dataset.as_numpy_iterator()] == [[-1, 7], [-1]]


def test_shuffled_csv_is_the_same_under_a_seed(table):
    def once():
        tf.random.set_seed(1)
        dataset = tf.data.experimental.make_csv_dataset(table, 1, num_epochs=1, shuffle_seed=3)
        return [x["d"].tolist() for x in dataset.as_numpy_iterator()]

    assert once() == once()
    assert sorted(once()) == [[0], [0], [7]]


@pytest.mark.parametrize(
    "given",
    [
        {"label_name": "z"},
        {"select_columns": ["z"]},
        {"select_columns": [4]},
        {"select_columns": ["a", 0]},
        {"column_names": ["a", "a", "c", "d"]},
        {"header": False},
        {"column_defaults": [1]},
    ],
    ids=str,
)
def test_wrong_columns_of_csv(given, table):
    with pytest.raises(ValueError):
        make_csv(table, **given)


def test_no_csv_files():
    with pytest.raises(ValueError, match="No files match"):
        make_csv("/no/such/*.csv")


# --- Resampling ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("initial", [[0.6, 0.3, 0.1], None])
def test_resampled_classes_are_as_frequent_as_wanted(initial):
    labels = np.random.default_rng(0).choice(3, 4000, p=[0.6, 0.3, 0.1])
    dataset = tf.data.Dataset.from_tensor_slices((labels, np.arange(4000)))
    resampled = dataset.rejection_resample(lambda label, i: label, [0.2, 0.2, 0.6], initial, seed=7)
    found = [(int(label), int(i)) for label, (_, i) in resampled.as_numpy_iterator()]
    assert all(labels[i] == label for label, i in found)
    assert [i for _, i in found] == sorted(i for _, i in found)
    frequencies = np.bincount([label for label, _ in found]) / len(found)
    np.testing.assert_allclose(frequencies, [0.2, 0.2, 0.6], atol=0.05)
    again = [(int(label), int(i)) for label, (_, i) in resampled.as_numpy_iterator()]
    assert again == found


def test_resampling_refuses_what_is_no_class_and_no_distribution():
    dataset = tf.data.Dataset.range(3)
    with pytest.raises(TypeError, match="integer scalar"):
        dataset.rejection_resample(lambda x: tf.cast(x, tf.float32), [0.5, 0.5])
    with pytest.raises(ValueError, match="same classes"):
        dataset.rejection_resample(lambda x: x, [0.5, 0.5], [1.0])
    with pytest.raises(ValueError, match="target_dist"):
        dataset.rejection_resample(lambda x: x, [-1.0, 2.0])
