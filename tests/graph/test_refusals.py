"""What sessions and graphs refuse: TensorFlow's exception type, where it was made, the way out."""

from __future__ import annotations

import re

import numpy as np
import pytest

import gradtape as tf

v1 = tf.compat.v1
HERE = r"test_refusals\.py:\d+"


def other():
    with tf.Graph().as_default():
        return tf.constant(1.0, name="elsewhere")


def fed(session, value, dtype=tf.float32, shape=(2,)):
    x = v1.placeholder(dtype, shape)
    return session.run(x + x, {x: value})


def branch(session, one, other):
    return tf.cond(tf.constant(True), lambda: one, lambda: other)


CASES = {
    "fetch of another graph": (lambda s: s.run(other()), ValueError, "not an element of this graph.*" + HERE),
    "fetch of its operation": (
        lambda s: s.run(other().op),
        ValueError,
        "not an element of this graph.*" + HERE,
    ),
    "fetch of None": (
        lambda s: s.run([tf.constant(1.0), None]),
        TypeError,
        "NoneType.*unconnected_gradients",
    ),
    "fetch of a number": (lambda s: s.run(3.0), TypeError, "must be a string or Tensor"),
    "fetch of an array": (lambda s: s.run(np.ones(2)), TypeError, "must be a string or Tensor"),
    "fetch of no such name": (lambda s: s.run("no:0"), ValueError, "does not exist in the graph"),
    "feed of another graph": (
        lambda s: s.run(tf.constant(1.0), {other(): 1.0}),
        TypeError,
        "feed_dict key.*" + HERE,
    ),
    "feed of a wrong shape": (
        lambda s: fed(s, [1.0] * 3),
        ValueError,
        HERE + r".*None for dimensions that vary",
    ),
    "feed of a wrong dtype": (lambda s: fed(s, ["a", "b"]), ValueError, HERE),
    "feed of a large number": (lambda s: fed(s, 2**40, tf.int32, []), TypeError, "larger type"),
    "feed of a tensor": (lambda s: fed(s, tf.ones([2])), TypeError, "cannot be a tf.Tensor object"),
    "no feed": (
        lambda s: s.run(v1.placeholder(tf.float32) * 2.0),
        tf.errors.InvalidArgumentError,
        HERE + "|feed_dict",
    ),
    "no value": (
        lambda s: s.run(tf.Variable(1.0, name="w") + 1.0),
        tf.errors.FailedPreconditionError,
        r"value w\b.*global_variables_initializer.*" + HERE,
    ),
    "if": (lambda s: 1 if tf.constant(True) else 2, TypeError, HERE + ".*tf.cond"),
    "for": (lambda s: list(tf.constant([1, 2])), TypeError, HERE + ".*tf.map_fn"),
    "number": (lambda s: float(tf.constant(1.0)), TypeError, HERE + ".*session.run"),
    "two graphs": (lambda s: tf.constant(1.0) + other(), ValueError, "same graph.*" + HERE + ".*as_default"),
    "two graphs in a branch": (
        lambda s: branch(s, other(), tf.constant(1.0)),
        ValueError,
        "same graph.*" + HERE,
    ),
    "branches of two dtypes": (lambda s: branch(s, 1, 2.0), TypeError, "int32, another float32.*tf.cast"),
    "branches of two structures": (lambda s: branch(s, (1, 2), 1), TypeError, "overall structure"),
    "branches, one of them empty": (lambda s: branch(s, 1, None), TypeError, "None"),
    "a loop that changes a dtype": (
        lambda s: tf.while_loop(lambda i: i < 2, lambda i: [tf.cast(i, tf.float32)], [0]),
        TypeError,
        "<dtype: 'int32'> but has type <dtype: 'float32'>.*tf.cast",
    ),
    "a loop that changes a shape": (
        lambda s: tf.while_loop(lambda x: True, lambda x: [tf.concat([x, x], 0)], [tf.ones([1])]),
        ValueError,
        r"`ones:0` enters the loop with shape \(1,\), but has shape \(2,\).*shape_invariants",
    ),
    "a closed session": (lambda s: (s.close(), s.run(tf.constant(1.0))), RuntimeError, "closed Session"),
}


@pytest.mark.parametrize("case", CASES)
def test_refusal(case):
    act, kind, text = CASES[case]
    with tf.Graph().as_default(), v1.Session() as session, pytest.raises(kind) as caught:
        tf.constant("a graph that is not empty")
        act(session)
    told = " ".join([str(caught.value), *getattr(caught.value, "__notes__", [])])
    assert re.search(text, told, re.DOTALL), told


def test_fetches_of_slices_with_arrays():
    slices = tf.IndexedSlices(tf.constant([1.0]), tf.constant([2]), tf.constant([3]))
    with tf.Graph().as_default() as graph:
        tf.constant(0)
        with v1.Session(graph=graph) as session:
            values, indices, shape = session.run(slices)
    assert (values, indices, shape) == ([1.0], [2], [3])
