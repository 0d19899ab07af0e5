"""``tf.lookup``, ``tf.sets``, ``tf.edit_distance``: TensorFlow 2.21's answers, eagerly, in functions and sessions."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf

v1 = tf.compat.v1
places = pytest.mark.parametrize("place", [lambda f: f, tf.function], ids=["eager", "in a function"])


def words(keys=("a", "b"), values=(1, 2)):
    return tf.lookup.KeyValueTensorInitializer(list(keys), tf.constant(list(values), tf.int64))


@places
def test_a_static_table(place):
    table = tf.lookup.StaticHashTable(words(), -1)
    find = place(table.lookup)
    assert find(tf.constant(["a", "z", "b"])).numpy().tolist() == [1, -1, 2]
    assert find(tf.constant([["b"]])).numpy().tolist() == [[2]]
    assert table.size().numpy() == 2
    found = find(tf.sparse.from_dense([["a", "z"]]))
    assert found.values.numpy().tolist() == [1, -1]
    assert find(tf.ragged.constant([["a"], ["z", "b"]])).to_list() == [[1], [-1, 2]]
    texts = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer([1, 2], ["x", "y"]), "")
    assert place(texts.lookup)(tf.constant([2, 3])).numpy().tolist() == [b"y", b""]


def test_a_static_table_in_a_session():
    with tf.Graph().as_default(), v1.Session() as session:
        table = tf.lookup.StaticHashTable(words(), -1)
        keys = v1.placeholder(tf.string, [None])
        found = table.lookup(keys)
        session.run([table.initializer, v1.tables_initializer()])
        assert session.run(found, {keys: ["b", "q"]}).tolist() == [2, -1]


def test_tables_of_files(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("x\t1.5\ny\t2\nz\t3\n")
    index = tf.lookup.TextFileIndex
    table = tf.lookup.StaticHashTable(
        tf.lookup.TextFileInitializer(str(path), tf.string, 0, tf.int64, index.LINE_NUMBER), -1
    )
    assert table.lookup(tf.constant(["y", "q"])).numpy().tolist() == [1, -1]
    numbers = tf.lookup.TextFileInitializer(str(path), tf.string, 0, tf.float32, 1, vocab_size=2)
    assert tf.lookup.StaticHashTable(numbers, 0.0).lookup(tf.constant(["x", "z"])).numpy().tolist() == [
        1.5,
        0.0,
    ]
    with pytest.raises(tf.errors.InvalidArgumentError, match="no column 5"):
        tf.lookup.StaticHashTable(tf.lookup.TextFileInitializer(str(path), tf.string, 5, tf.int64, -1), -1)
    with pytest.raises(tf.errors.InvalidArgumentError, match="is no int64"):
        tf.lookup.StaticHashTable(tf.lookup.TextFileInitializer(str(path), tf.string, 0, tf.int64, 1), -1)


@places
def test_a_vocabulary_has_numbers_for_unknown_words(place):
    table = tf.lookup.StaticVocabularyTable(words(values=(0, 1)), 2)
    found = place(table.lookup)(tf.constant(["b", "q", "r", "s", "t"])).numpy()
    assert found[0] == 1 and set(found[1:].tolist()) == {2, 3}
    assert table.size().numpy() == 4
    assert tf.lookup.StaticVocabularyTable(None, 1, tf.string).lookup(tf.constant("a")).numpy() == 0


@places
def test_a_table_that_changes(place):
    table = tf.lookup.experimental.MutableHashTable(tf.string, tf.float32, default_value=[0.0, 0.0])

    @place
    def change():
        table.insert(tf.constant(["a", "b"]), tf.constant([[1.0, 2.0], [3.0, 4.0]]))
        table.remove(tf.constant(["a", "q"]))
        return table.lookup(tf.constant(["a", "b"])), table.size()

    found, size = change()
    assert found.numpy().tolist() == [[0.0, 0.0], [3.0, 4.0]]
    assert size.numpy() == 1
    keys, values = table.export()
    assert keys.numpy().tolist() == [b"b"] and values.numpy().tolist() == [[3.0, 4.0]]


def test_refusals():
    with pytest.raises(tf.errors.FailedPreconditionError, match="different value for same key"):
        tf.lookup.StaticHashTable(words("aa"), -1)
    with pytest.raises(ValueError, match="vectors of one length"):
        tf.lookup.KeyValueTensorInitializer(["a"], [1, 2])
    with pytest.raises(TypeError, match="Dtype of argument `keys` must be"):
        tf.lookup.StaticHashTable(words(), -1).lookup(tf.constant([1]))
    with pytest.raises(ValueError, match="num_oov_buckets"):
        tf.lookup.StaticVocabularyTable(words(), 0)


SETS = [
    ("intersection", [[1, 2, 3], [4, 5, 6]], [[2, 3, 9], [1, 1, 1]], [[2, 3], [0, 0]]),
    ("union", [[1, 2, 2]], [[5, 2, 9]], [[1, 2, 5, 9]]),
    ("difference", [[1, 2, 2, 3]], [[5, 2, 9]], [[1, 3]]),
]


@places
@pytest.mark.parametrize("name, a, b, expected", SETS)
def test_sets(name, a, b, expected, place):
    function = place(getattr(tf.sets, name))
    for x in (tf.constant(a), tf.sparse.from_dense(a)):
        for y in (tf.constant(b), tf.sparse.from_dense(b)):
            assert tf.sparse.to_dense(function(x, y)).numpy().tolist() == expected


def test_sets_of_strings_and_sizes():
    found = tf.sets.union([["a", "b"], ["c", "c"]], [["b", "d"], ["c", "c"]])
    assert found.values.numpy().tolist() == [b"a", b"b", b"d", b"c"]
    assert tf.sets.size(found).numpy().tolist() == [3, 1]
    assert tf.sets.difference([[1, 2]], [[2, 3]], aminusb=False).values.numpy().tolist() == [3]
    with pytest.raises(tf.errors.InvalidArgumentError, match="Mismatched group shapes"):
        tf.sets.union([[1]], [[1], [2]])


@places
def test_edit_distances(place):
    distance = place(tf.edit_distance)
    sparse = lambda rows: tf.sparse.from_dense(rows)
    a, b = sparse([["a", "b", "c"]]), sparse([["a", "c", "d"]])
    np.testing.assert_allclose(distance(a, b), [2 / 3], rtol=1e-6)
    np.testing.assert_array_equal(distance(a, b, normalize=False), [2.0])
    found = distance(
        tf.SparseTensor([[0, 0], [2, 0]], ["a", "b"], [3, 1]),
        tf.SparseTensor([[0, 0], [1, 0], [1, 1]], ["a", "x", "y"], [3, 2]),
    )
    np.testing.assert_array_equal(found, [0.0, 1.0, np.inf])
    found = distance(
        tf.SparseTensor([[0, 0, 0], [1, 0, 0]], [1, 2], [2, 1, 1]),
        tf.SparseTensor([[0, 0, 0], [1, 0, 0], [1, 1, 0]], [1, 2, 3], [2, 2, 1]),
    )
    np.testing.assert_array_equal(found, [[0.0, 0.0], [0.0, 1.0]])
    with pytest.raises(TypeError, match="SparseTensor"):
        tf.edit_distance([1], b)
