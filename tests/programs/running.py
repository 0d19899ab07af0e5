"""Executes a program in each mode: its values, first derivatives, and second derivatives in a direction."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import numpy as np

import gradtape as tf
from programs.tree import Program

Arrays = list[np.ndarray]
_numbers = count()
_decisions: list[Any] | None = None


@tf.autograph.experimental.do_not_convert
def decided(test: Any) -> Any:
    """The test; its outcome is written down while ``path`` executes a program."""
    if _decisions is not None:
        _decisions.append(np.array(test).tolist())
    return test


@tf.autograph.experimental.do_not_convert
def whole(s: Any) -> Any:
    """An integer from 0 to 3 that depends on a number."""
    found = tf.cast(tf.floor(3.7 * tf.sigmoid(s) + 0.11), tf.int32)
    if _decisions is not None:
        _decisions.append(int(found))
    return found


@tf.custom_gradient
def soft(x: Any) -> Any:
    """log(1 + e^x), with a gradient of its own that reads what the function has computed."""
    e = tf.exp(x)
    return tf.math.log(1.0 + e), lambda dy: dy * (1.0 - 1.0 / (1.0 + e))


def compiled(text: str) -> Callable[..., Any]:
    """The function ``program`` of a text; AutoGraph finds the text by its name."""
    name = f"<program {next(_numbers)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names = {"__name__": "programs.made", "tf": tf, "decided": decided, "whole": whole, "soft": soft}
    exec(compile(text, name, "exec"), names)
    return names["program"]


def in_graphs(f: Callable[..., Any], autograph: bool) -> Callable[..., Any]:
    """The function as code that builds a graph."""
    return tf.autograph.to_graph(f) if autograph else f


def inputs_of(program: Program) -> tuple[Arrays, Arrays]:
    """The point, and a direction."""
    rng = np.random.default_rng(program.seed)
    draw = lambda: [rng.normal(size=shape) for shape in ((3,), (), (3, 3))]
    return draw(), draw()


def total(results: Sequence[Any]) -> Any:
    return tf.add_n([tf.reduce_sum(y) for y in results[:3]])


def dense(tensors: Sequence[Any]) -> list[Any]:
    """Tensors; a gradient may come as rows."""
    return [tf.convert_to_tensor(x) for x in tensors]


def projected(first: Sequence[Any], directions: Arrays) -> tuple[list[Any], Any]:
    """The first derivatives, and the slope in the directions."""
    first = dense(first)
    return first, tf.add_n([tf.reduce_sum(g * d) for g, d in zip(first, directions, strict=True)])


def derivatives(f: Callable[..., Any], xs: Sequence[Any], directions: Arrays) -> list[Any]:
    """Values, gradient of their sum, and the gradient of the slope in the directions, by two tapes."""
    xs = list(xs)
    with tf.GradientTape() as outer:
        outer.watch(xs)
        with tf.GradientTape() as inner:
            inner.watch(xs)
            results = f(*xs)
            y = total(results)
        first = inner.gradient(y, xs, unconnected_gradients="zero")
        first, slope = projected(first, directions)
    return dense([*results, *first, *outer.gradient(slope, xs, unconnected_gradients="zero")])


def eager(f: Callable[..., Any], arrays: Arrays, directions: Arrays) -> Arrays:
    return [np.array(x) for x in derivatives(f, [tf.constant(a) for a in arrays], directions)]


def tapes_outside(f: Callable[..., Any], arrays: Arrays, directions: Arrays) -> Arrays:
    return eager(tf.function(f), arrays, directions)


def tapes_inside(f: Callable[..., Any], arrays: Arrays, directions: Arrays) -> Arrays:
    inside = tf.function(lambda *xs: derivatives(f, xs, directions), autograph=False)
    for _ in range(4):  # plans that are executed often become functions
        found = inside(*[tf.constant(a) for a in arrays])
    return [np.array(x) for x in found]


def tape_on_either_side(f: Callable[..., Any], arrays: Arrays, directions: Arrays) -> Arrays:
    """The second tape is outside a function with the first one inside; the scalar is a variable."""
    x, w, m = tf.constant(arrays[0]), tf.Variable(arrays[1]), tf.constant(arrays[2])

    @tf.function(autograph=False)
    def inside(x: Any, m: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([x, m])
            results = f(x, w, m)
            y = total(results)
        return results, tape.gradient(y, [x, w, m], unconnected_gradients="zero")

    with tf.GradientTape() as outer:
        outer.watch([x, m])
        results, first = inside(x, m)
        first, slope = projected(first, directions)
    second = outer.gradient(slope, [x, w, m], unconnected_gradients="zero")
    return [np.array(y) for y in dense([*results, *first, *second])]


def session(f: Callable[..., Any], arrays: Arrays, directions: Arrays) -> Arrays:
    with tf.Graph().as_default():
        xs = [tf.compat.v1.placeholder(tf.float64, a.shape) for a in arrays]
        results = f(*xs)
        first = tf.gradients(total(results), xs, unconnected_gradients="zero")
        first, slope = projected(first, directions)
        second = dense(tf.gradients(slope, xs, unconnected_gradients="zero"))
        with tf.compat.v1.Session() as sess:
            return sess.run([*results, *first, *second], dict(zip(xs, arrays, strict=True)))


def path(f: Callable[..., Any], arrays: Arrays) -> tuple[float, list[Any]]:
    """The sum of the results, and every decision on the way."""
    global _decisions
    _decisions = []
    try:
        return float(total(f(*[tf.constant(a) for a in arrays]))), _decisions
    finally:
        _decisions = None
