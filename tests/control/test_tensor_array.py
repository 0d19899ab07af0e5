"""`tf.TensorArray`: the same in eager mode, in a function and in a graph; its errors and static shapes in graphs."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf

v1 = tf.compat.v1


def in_session(f):
    with tf.Graph().as_default():
        result = f()
        with v1.Session() as session:
            return session.run(result)


MODES = {
    "eager": lambda f: f().numpy(),
    "function": lambda f: tf.function(f)().numpy(),
    "session": in_session,
}
mode = pytest.mark.parametrize("run", MODES.values(), ids=MODES)
graphs = pytest.mark.parametrize("run", [MODES["function"], MODES["session"]], ids=["function", "session"])


def array(size=3, **options):
    return tf.TensorArray(tf.float32, size, **options)


def two_ways(choose):
    """Arrays of elements of other shapes, chosen while the graph runs."""
    return tf.cond(
        choose, lambda: array(2).write(0, [1.0]).write(1, [2.0]), lambda: array(1).write(0, [3.0, 4.0])
    ).stack()


VALUES = {
    "unwritten, shape of the others": (
        lambda: array().write(1, [[4.0, 5.0]]).stack(),
        [[[0, 0]], [[4, 5]], [[0, 0]]],
    ),
    "unwritten, read": (lambda: array().write(1, [4.0]).read(0), [0]),
    "unwritten, joined": (lambda: array(2).write(1, [[4.0, 5.0]]).concat(), [[0, 0], [4, 5]]),
    "strings": (lambda: tf.TensorArray(tf.string, 2).unstack(["a", "b"]).read(1), b"b"),
    "scatter": (lambda: array().scatter([2, 0], [[1.0], [2.0]]).stack(), [[2], [0], [1]]),
    "scatter, one number twice": (lambda: array(2).scatter([0, 0], [1.0, 2.0]).stack(), [2, 0]),
    "scatter, growing": (lambda: array(0, dynamic_size=True).scatter([1, 3], [1.0, 2.0]).size(), 4),
    "no elements, joined": (lambda: array(0, element_shape=[2, 3]).concat(), np.zeros((0, 3))),
    "conditional": (lambda: two_ways(tf.constant(False)), [[3, 4]]),
    "fewer rows than the size": (lambda: array(3).unstack([1.0, 2.0]).stack(), [1, 2]),
}


@mode
@pytest.mark.parametrize("f, want", VALUES.values(), ids=VALUES)
def test_values(run, f, want):
    np.testing.assert_array_equal(run(f), want)


def test_scatter_of_an_unknown_number_of_elements():
    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32), tf.TensorSpec([None, 2], tf.float32)])
    def scattered(indices, values):
        with tf.GradientTape() as tape:
            tape.watch(values)
            y = tf.stack([tf.range(3.0), tf.range(3.0)], 1) * array().scatter(indices, values).stack()
        return y, tape.gradient(y, values)

    y, g = scattered(tf.constant([2, 0]), tf.ones([2, 2]))
    np.testing.assert_array_equal(y, [[0, 0], [0, 0], [2, 2]])
    np.testing.assert_array_equal(g, [[2, 2], [0, 0]])


GRADIENTS = {  # of the sum of [1, 2, 3, 4] times the array, in x = [5, 6]
    "scatter": (lambda x: array(4).scatter([3, 1], x).stack(), [4, 2]),
    "scatter, overwritten": (lambda x: array(4).scatter([1, 1], x).stack(), [0, 2]),
    "unstack, written behind": (
        lambda x: array(2, dynamic_size=True).unstack(x).write(3, 1.0).stack(),
        [1, 2],
    ),
    "split, written behind": (
        lambda x: array(2, dynamic_size=True).split(x, [1, 1]).write(2, [1.0]).write(3, [1.0]).concat(),
        [1, 2],
    ),
    "joined, not all written": (
        lambda x: array(3, infer_shape=False, element_shape=[1]).write(2, x[:1]).write(0, x[1:]).concat(),
        [3, 1],
    ),
}


@mode
@pytest.mark.parametrize("f, want", GRADIENTS.values(), ids=GRADIENTS)
def test_gradients(run, f, want):
    def gradient():
        x = tf.constant([5.0, 6.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
            y = y * tf.constant([1.0, 2.0, 3.0, 4.0])[: tf.shape(y)[0]]
        return tape.gradient(y, x)

    np.testing.assert_array_equal(run(gradient), want)


SHAPES = {
    "a size that is known": (lambda: array().write(0, [1.0, 2.0]).stack(), [3, 2]),
    "a size that may grow": (lambda: array(3, dynamic_size=True).write(0, [1.0]).stack(), [None, 1]),
    "equal lengths": (lambda: array().split(tf.ones([6, 2]), [2, 2, 2]).read(0), [2, 2]),
    "other lengths": (lambda: array(2).split(tf.ones([6, 2]), [2, 4]).read(0), None),
    "scatter": (lambda: array().scatter([0], [[1.0, 2.0]]).read(0), [2]),
    "branches that differ": (lambda: two_ways(tf.constant(True)), [None, None]),
    "written in a loop": (
        lambda: tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a.write(i, [[0.0]])), [0, array()])[
            1
        ].stack(),
        [3, 1, 1],
    ),
}


@pytest.mark.parametrize("f, want", SHAPES.values(), ids=SHAPES)
def test_static_shapes(f, want):
    with tf.Graph().as_default():
        assert f().shape.rank is None if want is None else f().shape.as_list() == want


ERRORS = {
    "write behind": (lambda: array(3).write(3, 1.0).stack(), "modify element 3 in a list with 3 elements"),
    "write before": (
        lambda: array(3).write(-1, 1.0).stack(),
        "modify element -1 in a list, but the index must",
    ),
    "read behind": (lambda: array(3).write(0, 1.0).read(3), "access element 3 in a list with 3 elements"),
    "read, nothing known": (lambda: array(3).read(0), "element_shape is not fully defined"),
    "stack, nothing there": (lambda: array(0).stack(), "Tried to stack elements of an empty list"),
    "scatter": (lambda: array(3).scatter([0], [1.0, 2.0]).stack(), "1 vs. 2"),
    "dtype": (
        lambda: array(3).write(0, "text").stack(),
        "dtype is float32 but Op is trying to write dtype string",
    ),
    "scalars joined": (lambda: array(1).write(0, 1.0).concat(), "Concat saw a scalar shape at index 0"),
    "ranks": (
        lambda: array(2, infer_shape=False).write(0, [1.0]).write(1, [[1.0]]).concat(),
        "Incompatible ranks",
    ),
    "shapes": (
        lambda: array(2, infer_shape=False).write(0, [1.0]).write(1, [1.0, 2.0]).stack(),
        "Incompatible shapes",
    ),
    "lengths": (lambda: array(1).split([1.0, 2.0, 3.0], [1]).concat(), "Length of tensor: 3 Values used: 1"),
    "too long": (lambda: array(1).split([1.0, 2.0, 3.0], [5]).concat(), "Attempting to slice"),
    "no lengths": (lambda: array(1).split([1.0], 1).concat(), "Expected lengths to be a vector"),
}


@graphs
@pytest.mark.parametrize("f, words", ERRORS.values(), ids=ERRORS)
def test_errors_in_graphs(run, f, words):
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        run(f)


def test_errors_in_eager_mode():
    with pytest.raises(tf.errors.InvalidArgumentError, match="sum of lengths is 1"):
        array(1).split([1.0, 2.0, 3.0], [1])
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"\(2 vs. 1\)"):
        array(2).split([1.0], [1])
    with pytest.raises(tf.errors.InvalidArgumentError, match="scalar shape at index 0"):
        array(1).write(0, 1.0).concat()
    with pytest.raises(ValueError, match="Cannot unstack 2 tensors into a TensorArray of static size 1"):
        array(1).unstack([1.0, 2.0])


def test_what_is_waited_for():
    with tf.Graph().as_default(), v1.Session() as session:
        count = tf.Variable(0)
        session.run(count.initializer)
        first = array(1).write(0, 1.0)
        with tf.control_dependencies([count.assign_add(1)]):
            same = first.identity()
        assert session.run(same.read(0)) == 1.0
        assert session.run(count) == 1
        assert session.run(first.close()) is None
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(array(1).write(5, 1.0).flow)
