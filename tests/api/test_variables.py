"""Variables as users know them, against TensorFlow 2.21 ("variables" in tests/golden/tensors.txt)."""

from __future__ import annotations

import copy
import gc
import inspect
import pickle
import threading
import tracemalloc
import weakref

import numpy as np
import pytest
from golden import make_tensors as golden

import gradtape as tf
import gradtape.compat.v1 as tf1

OTHERWISE = {
    "tf.Variable(1., foo=3)",  # TensorFlow ignores arguments that it does not know
    "v.initialized_value()",
    "v == None, v != None",
    "round(v)",
    "v @= 2",
    "u.scatter_add(tf.IndexedSlices(tf.constant([1., 2.]), tf.constant([0])))",
    "u.sparse_read([7])",
}


def test_answers_are_tensorflows():
    differing = golden.disagreements("variables", tf)
    assert not [one for line, one in differing.items() if line not in OTHERWISE]


def test_signatures_are_tensorflows():
    names = """self initial_value trainable validate_shape caching_device name variable_def dtype import_scope
    constraint
        synchronization aggregation shape experimental_enable_variable_lifting""".split()
    assert list(inspect.signature(tf.Variable.__init__).parameters) == names
    for method in ("assign", "assign_add", "assign_sub"):
        parameters = list(inspect.signature(getattr(tf.Variable, method)).parameters)
        assert parameters[2:] == ["use_locking", "name", "read_value"]
    for method in ("scatter_add", "scatter_update", "batch_scatter_update"):
        assert list(inspect.signature(getattr(tf.Variable, method)).parameters)[1] == "sparse_delta"


def test_what_it_is():
    v = tf.Variable(1.0)
    assert (
        type(v).__name__ == "ResourceVariable" and isinstance(v, tf.Variable) and not isinstance(v, tf.Tensor)
    )
    assert isinstance(v, tf1.Variable) and isinstance(tf1.Variable(1.0, collections=[]), tf.Variable)

    class Mine(tf.Variable):
        pass

    assert type(Mine(1.0)) is Mine and Mine(2.0).numpy() == 2.0
    assert type(copy.deepcopy(Mine(2.0))) is Mine
    v.note = "n"
    assert v.note == "n"


# --- Reading and gradients ----------------------------------------------------------------------------------


def test_what_was_read_keeps_its_value():
    v = tf.Variable([1.0, 2.0])
    reads = [v.read_value(), v.value(), tf.convert_to_tensor(v), v[0], v.numpy(), tf.constant(v)]
    v.assign([5.0, 6.0])
    v.assign_add([1.0, 1.0])
    v[0].assign(9.0)
    v.scatter_add(tf.IndexedSlices(tf.constant([1.0]), tf.constant([1])))
    assert [np.asarray(x).tolist() for x in reads] == [[1.0, 2.0]] * 3 + [1.0] + [[1.0, 2.0]] * 2
    assert v.numpy().tolist() == [9.0, 8.0]


def test_gradients_reach_every_way_of_reading():
    v = tf.Variable([1.0, 2.0, 3.0])
    ways = {
        "v * v": lambda: v * v,
        "2 - v": lambda: 2 - v,
        "-v": lambda: -v,
        "read_value": lambda: v.read_value() * 2.0,
        "index": lambda: v[1] * 3.0,
        "iteration": lambda: sum(v),
        "in a list": lambda: tf.convert_to_tensor([v, v]),
        "assignment": lambda: v.assign_add([0.0, 0.0, 0.0]) * 2.0,
        "numpy": lambda: np.array([1.0, 2.0, 3.0]) * v,
    }
    wanted = [[2, 4, 6], [-1] * 3, [-1] * 3, [2] * 3, [0, 3, 0], [1] * 3, [2] * 3, [2] * 3, [1, 2, 3]]
    for (name, way), expected in zip(ways.items(), wanted, strict=True):
        with tf.GradientTape() as tape:
            y = way()
        found = tape.gradient(y, v)
        assert found is not None and found.numpy().tolist() == expected, name
        assert [w is v for w in tape.watched_variables()] == [True], name


def test_rows_that_were_read_give_a_sparse_gradient():
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        y = v.sparse_read([1, 1])
    gradient = tape.gradient(y, v)
    assert isinstance(gradient, tf.IndexedSlices) and gradient.indices.numpy().tolist() == [1, 1]
    assert tf.convert_to_tensor(gradient).numpy().tolist() == [[0.0, 0.0], [2.0, 2.0]]


def test_a_variable_that_is_not_trainable_is_not_watched():
    v = tf.Variable(2.0, trainable=False)
    with tf.GradientTape() as tape:
        y = v * v
    assert tape.gradient(y, v) is None and tape.watched_variables() == ()


# --- Replacing the value ------------------------------------------------------------------------------------


def test_shape_and_dtype_are_fixed():
    v = tf.Variable([1.0, 2.0])
    before = v.numpy()
    for wrong, error in (
        (lambda: v.assign([1.0]), ValueError),
        (lambda: v.assign(1.0), ValueError),
        (lambda: v.assign_add(1.0), tf.errors.InvalidArgumentError),
        (lambda: v.assign(tf.constant([1, 2])), ValueError),
        (lambda: v.assign([1j, 1j]), TypeError),
        (lambda: v[0:1].assign([1.0, 2.0]), tf.errors.InvalidArgumentError),
        (
            lambda: v.scatter_add(tf.IndexedSlices(tf.constant([1.0]), tf.constant([2]))),
            tf.errors.InvalidArgumentError,
        ),
        (lambda: v.scatter_nd_add([[0.5]], [1.0]), tf.errors.InvalidArgumentError),
    ):
        with pytest.raises(error):
            wrong()
        assert (v.numpy() == before).all(), "nothing is lost"


def test_a_part_of_a_scalar():
    v = tf.Variable(1.0)
    v.assign_add(1.0)
    v[...].assign(5.0)
    v[tf.newaxis].assign([6.0])
    assert v.numpy() == 6.0 and v.shape == ()


def test_assignments_can_be_chained_and_read():
    v = tf.Variable(1.0)
    r = v.assign(2.0).assign_add(3.0)
    assert v.numpy() == 5.0 and (r * 2.0).numpy() == 10.0
    v.assign(7.0)
    assert r.numpy() == 7.0 and r.name == "UnreadVariable" and r.shape == () and r.trainable
    assert v.assign(1.0, read_value=False) is None


def test_a_shape_that_is_not_fixed():
    v = tf.Variable([[1.0, 2.0]], shape=[None, 2])
    v.assign([[1.0, 2.0], [3.0, 4.0]])
    assert v.shape.as_list() == [None, 2] and v.read_value().shape == (2, 2)
    with tf.GradientTape() as tape:
        y = v * v
    assert tape.gradient(y, v).numpy().tolist() == [[2.0, 4.0], [6.0, 8.0]]
    with pytest.raises(ValueError, match="Shape mismatch"):
        v.assign([[1.0]])


def test_assignment_copies_a_tensor_no_more_than_needed():
    n = 1_000_000
    v, delta = tf.Variable(np.zeros(n, np.float32)), tf.constant(np.ones(n, np.float32))
    tracemalloc.start()
    v.assign_sub(delta)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * n * 1.1, "one new array"
    assert v.assign(delta).numpy()[0] == 1.0


def test_a_counter_in_many_threads():
    v = tf.Variable(0)

    def count():
        for _ in range(300):
            v.assign_add(1)

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert v.numpy() == 1200


# --- Copies -------------------------------------------------------------------------------------------------


def test_copies_are_apart():
    v = tf.Variable([1.0, 2.0], trainable=False, name="q", shape=[None])
    assert copy.copy(v) is v
    for again in (copy.deepcopy(v), pickle.loads(pickle.dumps(v))):
        assert repr(again) == repr(v) and not again.trainable and again.shape.as_list() == [None]
        again.assign([5.0])
        assert v.numpy().tolist() == [1.0, 2.0]
    both = copy.deepcopy({"a": v, "b": [v]})
    assert both["a"] is both["b"][0] is not v
    assert copy.deepcopy(v.assign([3.0, 4.0])).numpy().tolist() == [3.0, 4.0]


def test_it_is_freed_with_its_last_reference():
    gc.disable()
    try:
        v = tf.Variable([1.0])
        v.assign_add([1.0])
        part = v[0]
        seen = weakref.ref(v)
        del v, part
        assert seen() is None
    finally:
        gc.enable()


def test_hashing():
    v = tf.Variable(1.0)
    with pytest.raises(TypeError, match="Variable is unhashable. Instead, use variable.ref"):
        hash(v)
    assert (
        {v.ref(): 1}[v.ref()] == 1 and (v == tf.Variable(1.0)).numpy() and v.ref() != tf.Variable(1.0).ref()
    )


def test_the_messages_of_in_place_operators():
    v = tf.Variable(1.0)
    with pytest.raises(RuntimeError, match=r"`variable \+= value` with `tf.Variable`s is not supported"):
        v += 1.0
    with pytest.raises(RuntimeError, match=r"out = variable - value"):
        v -= 1.0
