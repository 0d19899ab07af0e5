"""Iterators of TensorFlow 1: elements as tensors of a graph."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape.compat.v1 as tf

Dataset = tf.data.Dataset


def until_the_end(session, fetches):
    found = []
    while True:
        try:
            found.append(session.run(fetches))
        except tf.errors.OutOfRangeError:
            return found


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


def test_one_shot_in_two_sessions():
    x = Dataset.range(3).map(lambda x: x * x).make_one_shot_iterator().get_next()
    for _ in range(2):
        with tf.Session() as session:
            assert until_the_end(session, x) == [0, 1, 4]
            with pytest.raises(tf.errors.OutOfRangeError, match="End of sequence"):
                session.run(x)


def test_one_element_for_all_fetches_of_a_run():
    a, b = tf.data.make_one_shot_iterator(Dataset.zip((Dataset.range(3), Dataset.range(3)))).get_next()
    with tf.Session() as session:
        assert [tuple(pair) for pair in until_the_end(session, [a, b + 0])] == [(0, 0), (1, 1), (2, 2)]


def test_a_one_shot_iterator_needs_no_placeholder():
    dataset = Dataset.from_tensor_slices(tf.placeholder(tf.float32, [None]))
    with pytest.raises(ValueError, match="make_initializable_iterator"):
        dataset.make_one_shot_iterator()
    with pytest.raises(ValueError, match="does not have an initializer"):
        Dataset.range(2).make_one_shot_iterator().initializer


def test_placeholders_are_fed_to_the_initializer():
    data, size = tf.placeholder(tf.float32, [None, 2]), tf.placeholder(tf.int64, [])
    scale = tf.placeholder(tf.float32, [])
    dataset = Dataset.from_tensor_slices((data, tf.range(tf.shape(data)[0])))
    dataset = dataset.map(lambda x, i: (scale * x, i)).batch(size)
    assert dataset.output_types == (tf.float32, tf.int32)
    assert [s.as_list() for s in dataset.output_shapes] == [[None, 2], [None]]
    iterator = dataset.make_initializable_iterator()
    x, i = iterator.get_next()
    with tf.Session() as session:
        with pytest.raises(tf.errors.FailedPreconditionError, match="has not been initialized"):
            session.run(x)
        for n in (2, 3):
            session.run(iterator.initializer, {data: np.ones((5, 2)), size: n, scale: 2.0 * n})
            found = until_the_end(session, [x, i])
            np.testing.assert_array_equal(np.concatenate([a for a, _ in found]), np.full((5, 2), 2.0 * n))
            assert [len(b) for _, b in found] == ([2, 2, 1] if n == 2 else [3, 2])


def test_a_dataset_of_a_graph_is_made_anew_by_its_initializer():
    dataset = Dataset.range(6).shuffle(6, seed=3).repeat(2)
    iterator = dataset.make_initializable_iterator()
    x = iterator.get_next()
    with tf.Session() as session:
        passes = []
        for _ in range(2):
            session.run(iterator.initializer)
            passes.append(until_the_end(session, x))
    assert passes[0] == passes[1]
    assert passes[0][:6] != passes[0][6:] and sorted(passes[0][:6]) == list(range(6))


def test_one_iterator_over_several_datasets():
    train, test = Dataset.range(2), Dataset.range(10, 13)
    iterator = tf.data.Iterator.from_structure(train.output_types, train.output_shapes)
    x = iterator.get_next()
    begin_train, begin_test = iterator.make_initializer(train), iterator.make_initializer(test)
    with pytest.raises(TypeError, match="Expected a dataset with elements"):
        iterator.make_initializer(Dataset.from_tensors(1.0))
    with tf.Session() as session:
        session.run(begin_train)
        assert session.run(x) == 0
        session.run(begin_test)
        assert until_the_end(session, x) == [10, 11, 12]
        session.run(begin_train)
        assert until_the_end(session, x) == [0, 1]


def test_gradients_through_what_an_iterator_gives():
    w = tf.Variable(2.0)
    x = Dataset.from_tensor_slices([1.0, 3.0]).map(lambda x: x * w).make_initializable_iterator()
    y = x.get_next() * w
    (dw,) = tf.gradients(y, [w])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(x.initializer)
        assert until_the_end(session, [y, dw]) == [[4.0, 2.0], [12.0, 6.0]]
        session.run(w.assign(1.0))
        session.run(x.initializer)
        assert until_the_end(session, [y, dw]) == [[1.0, 1.0], [3.0, 3.0]]


def test_reduce_in_a_graph():
    n = tf.placeholder(tf.int64, [])
    total = Dataset.range(n).reduce(tf.constant(0, tf.int64), lambda s, x: s + x)
    with tf.Session() as session:
        assert [session.run(total, {n: k}) for k in (3, 5)] == [3, 10]
