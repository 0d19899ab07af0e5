"""Control flow in graphs: values and derivatives of two orders are those of eager mode."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf
from gradtape._src.autodiff.sweep import sweep
from gradtape._src.control import loop_op
from gradtape._src.control.batched_step import run_batched
from gradtape._src.control.subgraph import recorded
from gradtape._src.core.values import EagerTensor
from gradtape._src.graph import verify
from gradtape._src.graph.ir import Graph, placeholder
from gradtape._src.graph.plan import Plan

DOUBLE = np.dtype("float64")
ARRAYS = [np.array([0.3, -0.5, 0.8]), np.array(1.3)]


def hole(graph, shape):
    return graph.append(placeholder, (), {"shape": shape, "dtype": DOUBLE}, "x").outputs[0]


def times(n, body, start):
    """``body`` n times."""
    return tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, body(i, a)), (0, start))[1]


def writes(x, w):
    """Each state of a loop, into an array."""
    array = tf.TensorArray(tf.float64, 4)

    def body(i, s, array):
        s = tf.sin(s * w) + x[i % 3]
        return i + 1, s, array.write(i, s * s)

    return tf.while_loop(lambda i, s, array: i < 4, body, (0, w, array))[2].stack()


def reads(x, w):
    """The elements of an array, one of them again and again."""
    array = tf.TensorArray(tf.float64, 3, clear_after_read=False).unstack(x)
    body = lambda i, s: (i + 1, tf.sin(s * w) + array.read(i) * array.read(0))
    return tf.while_loop(lambda i, s: i < 3, body, (0, w))[1]


def grows(x, w):
    array = tf.TensorArray(tf.float64, 0, dynamic_size=True, element_shape=[])
    for i in (0, 2, 1):
        array = array.write(i, x[i] * w)
    return array.stack() * w


def in_parts(x, w):
    """Elements of several lengths, taken apart and joined again; the overwritten one counts for nothing."""
    array = tf.TensorArray(tf.float64, 2, infer_shape=False, clear_after_read=False).split(x * w, [1, 2])
    return array.write(0, array.read(1) * x[0]).concat() * tf.reduce_sum(array.read(1))


def with_an_array(x, w):
    """An array that every element makes anew."""
    array = tf.TensorArray(tf.float64, 3, clear_after_read=False).unstack(tf.sin(x * w))
    return array.read(1) * array.read(2)


PROGRAMS = {
    "TensorArray, written": writes,
    "TensorArray, read": reads,
    "TensorArray, growing": grows,
    "TensorArray, in parts": in_parts,
    "TensorArray through a cond": lambda x, w: tf.cond(
        w > 0.0,
        lambda: tf.TensorArray(tf.float64, 3).unstack(x * w),
        lambda: tf.TensorArray(tf.float64, 3).unstack(x),
    ).stack(),
    "map_fn": lambda x, w: tf.map_fn(lambda a: tf.sin(a * w) * a, x),
    "map_fn of a pair": lambda x, w: tf.map_fn(
        lambda p: p[0] * p[1] * w, (x, x * x), fn_output_signature=tf.float64
    ),
    "scan": lambda x, w: tf.scan(lambda a, b: tf.sin(a * w) + b, x),
    "scan reversed": lambda x, w: tf.scan(lambda a, b: tf.sin(a * w) + b, x, reverse=True),
    "scan from": lambda x, w: tf.scan(lambda a, b: tf.sin(a * w) + b, x, initializer=w * 2.0),
    "scan of a pair": lambda x, w: tf.scan(lambda a, b: (a[0] * b, a[1] + a[0]), x, initializer=(w, w * w))[
        1
    ],
    "foldl": lambda x, w: tf.foldl(lambda a, b: tf.sin(a * w) + b, x),
    "foldr from": lambda x, w: tf.foldr(lambda a, b: tf.sin(a * w) + b, x, initializer=w),
    "while": lambda x, w: times(4, lambda i, a: tf.sin(a * w) + a, x),
    "while, not entered": lambda x, w: times(0, lambda i, a: tf.sin(a * w) + a, x * w),
    "while with the counter": lambda x, w: times(3, lambda i, a: a * tf.cast(i, tf.float64) + w, x),
    "while, stopped": lambda x, w: tf.while_loop(
        lambda a: True, lambda a: tf.sin(a * w) + a, [x], maximum_iterations=3
    )[0],
    "cond, true": lambda x, w: tf.cond(tf.reduce_sum(x) > 0.0, lambda: x * w, lambda: tf.sin(x)),
    "cond, false": lambda x, w: tf.cond(tf.reduce_sum(x) < 0.0, lambda: x * w, lambda: tf.sin(x)),
    "switch_case": lambda x, w: tf.switch_case(
        tf.cast(w, tf.int32), [lambda: x, lambda: x * w * w, lambda: x * x]
    ),
    "case": lambda x, w: tf.case([(w < 0.0, lambda: x), (w > 1.0, lambda: x * w * w)], default=lambda: x * x),
    "case, else": lambda x, w: tf.case(
        [(w < 0.0, lambda: x), (w > 5.0, lambda: x * w)], default=lambda: x * x * w
    ),
    "cond in map_fn": lambda x, w: tf.map_fn(
        lambda a: tf.cond(a > 0.0, lambda: a * w, lambda: tf.sin(a * w)), x
    ),
    "while in while": lambda x, w: times(3, lambda i, a: times(i, lambda j, b: tf.sin(b * w), a) + a, x),
    "cond in while in cond": lambda x, w: tf.cond(
        w > 0.0, lambda: times(3, lambda i, a: tf.cond(i > 1, lambda: a * w, lambda: tf.sin(a)), x), lambda: x
    ),
    "map_fn in scan": lambda x, w: tf.scan(
        lambda a, b: tf.map_fn(lambda c: tf.sin(c * w) * b, a), x, initializer=x * w
    ),
    "TensorArray in map_fn": lambda x, w: tf.map_fn(lambda a: a * with_an_array(x, w), x),
    "rows of a while": lambda x, w: w * times(3, lambda i, a: tf.sin(a * w), x)[1],
    "rows of a cond": lambda x, w: tf.gather(tf.cond(w > 0.0, lambda: tf.sin(x * w), lambda: x), [1, 1]),
    "rows of a map_fn": lambda x, w: w * tf.map_fn(lambda a: tf.sin(a * w), x)[1],
    "rows of a function": lambda x, w: w * tf.function(lambda a: tf.sin(a * w))(x)[1],
    "rows of a carry in a while": lambda x, w: times(
        2, lambda i, b: x * times(2, lambda j, a: tf.sin(a * w), b)[1], x
    ),
    "gradient in map_fn": lambda x, w: tf.map_fn(lambda a: slope(lambda a: tf.sin(a * w) * a, a), x),
}


def slope(f, a):
    with tf.GradientTape() as tape:
        tape.watch(a)
        y = f(a)
    return tape.gradient(y, a)


def eager(f, arrays):
    xs = [tf.constant(x) for x in arrays]
    with tf.GradientTape() as outer:
        outer.watch(xs)
        with tf.GradientTape() as inner:
            inner.watch(xs)
            y = f(*xs)
            total = tf.reduce_sum(y)
        first = inner.gradient(total, xs, unconnected_gradients="zero")
        projected = tf.add_n([tf.reduce_sum(tf.sin(g) * x) for g, x in zip(first, xs, strict=True)])
    return [y, *first, *outer.gradient(projected, xs, unconnected_gradients="zero")]


def graph(f, arrays, shapes):
    def gradients(y, xs):
        ghosts = [x._ghost for x in xs]
        found = sweep(recorded(built.operations, ghosts), {y._ghost: EagerTensor(np.ones(()))}, ghosts)
        return [tf.zeros_like(x) if g is None else g for g, x in zip(found, xs, strict=True)]

    built = Graph()
    with built.as_default():
        xs = [hole(built, x.shape if shapes == "known" else (None,) * x.ndim) for x in arrays]
        y = f(*xs)
        first = gradients(tf.reduce_sum(y), xs)
        projected = tf.add_n([tf.reduce_sum(tf.sin(g) * x) for g, x in zip(first, xs, strict=True)])
        second = gradients(projected, xs)
    return Plan([y, *first, *second], xs, built.operations)


@pytest.mark.parametrize("shapes", ["known", "unknown"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_graph_is_eager(name, shapes):
    plan = graph(PROGRAMS[name], ARRAYS, shapes)
    for found, expected in zip(plan(*ARRAYS), eager(PROGRAMS[name], ARRAYS), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_compiled_plan_gives_the_same(name, monkeypatch):
    """A plan that is called often becomes a Python function; so do those of the parts of control flow."""
    plan = graph(PROGRAMS[name], ARRAYS, "unknown")
    interpreted = plan(*ARRAYS)
    monkeypatch.setattr(verify, "during_execution", False)
    for _ in range(4):
        found = plan(*ARRAYS)
    assert plan._compiled is not None
    for one, other in zip(found, interpreted, strict=True):
        np.testing.assert_array_equal(one, other)


def test_an_error_in_a_compiled_plan_names_its_operation(monkeypatch):
    monkeypatch.setattr(verify, "during_execution", False)
    built = Graph()
    with built.as_default():
        x = hole(built, (None,))
        y = tf.reshape(x * 2.0, [2], name="two")
    plan = Plan([y], [x], built.operations)
    for _ in range(4):
        plan(np.ones(2))
    with pytest.raises((ValueError, tf.errors.InvalidArgumentError)) as caught:
        plan(np.ones(3))
    assert any("Executing node 'two'" in note for note in caught.value.__notes__)


@pytest.mark.parametrize(
    "f, error, text",
    [
        (
            lambda x: tf.cond(x > 0.0, lambda: (x, x), lambda: x),
            TypeError,
            "overall structure of return values",
        ),
        (lambda x: tf.cond(x > 0.0, lambda: x, lambda: 1), TypeError, "One gives float64, another int32"),
        (lambda x: tf.cond(x > 0.0, lambda: x, lambda: None), TypeError, "structure|None in the same places"),
        (
            lambda x: times(3, lambda i, a: tf.cast(a, tf.float32), x),
            TypeError,
            "type .*float32.* after 1 iteration",
        ),
        (lambda x: times(3, lambda i, a: tf.stack([a, a]), x), ValueError, "shape_invariants"),
        (lambda x: tf.map_fn(lambda a: a, x), ValueError, "not scalars"),
        (lambda x: tf.map_fn(lambda a: a > 0.0, tf.stack([x, x])), TypeError, "fn_output_signature"),
    ],
)
def test_errors(f, error, text):
    built = Graph()
    with built.as_default(), pytest.raises(error, match=text):
        f(hole(built, ()))


class TestBatched:
    """A ``map_fn`` of operations that can be batched is executed by one call of each."""

    X = np.linspace(-1.0, 1.0, 7)

    @staticmethod
    def calls(f, monkeypatch):
        """How many batched runs there are in the value and the gradient of f."""
        counted = []
        monkeypatch.setattr(
            loop_op, "run_batched", lambda *args: counted.append(run_batched(*args)) or counted[-1]
        )
        built = Graph()
        with built.as_default():
            x = hole(built, (None,))
            y = f(x)
            ghosts = [x._ghost]
            (dx,) = sweep(recorded(built.operations, ghosts), {y._ghost: EagerTensor(np.ones(7))}, ghosts)
        found = Plan([y, dx], [x], built.operations)(TestBatched.X)
        return found, sum(result is not None for result in counted)

    def test_forwards_and_backwards(self, monkeypatch):
        w = tf.constant(1.3, tf.float64)
        (y, dx), runs = self.calls(lambda x: tf.map_fn(lambda a: tf.sin(a * w) * a, x), monkeypatch)
        assert runs == 2
        np.testing.assert_allclose(y, np.sin(1.3 * self.X) * self.X, rtol=1e-14)
        np.testing.assert_allclose(dx, 1.3 * np.cos(1.3 * self.X) * self.X + np.sin(1.3 * self.X), rtol=1e-12)

    def test_not_with_control_flow_in_it(self, monkeypatch):
        f = lambda x: tf.map_fn(lambda a: tf.cond(a > 0.0, lambda: a * a, lambda: -a), x)
        (y, dx), runs = self.calls(f, monkeypatch)
        assert runs == 0
        np.testing.assert_allclose(y, np.where(self.X > 0, self.X**2, -self.X), rtol=1e-14)
        np.testing.assert_allclose(dx, np.where(self.X > 0, 2 * self.X, -1.0), rtol=1e-14)
