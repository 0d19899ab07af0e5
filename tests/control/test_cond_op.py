"""The conditional of graphs: values and three orders of derivatives of either branch."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf
from gradtape._src.autodiff.sweep import sweep
from gradtape._src.control.cond_op import cond_op
from gradtape._src.control.subgraph import Subgraph, recorded
from gradtape._src.core.values import EagerTensor
from gradtape._src.graph.ir import Graph, placeholder
from gradtape._src.graph.plan import Plan

DOUBLE = np.dtype("float64")


def hole(graph, shape=(), dtype=DOUBLE):
    return graph.append(placeholder, (), {"shape": shape, "dtype": dtype}, "x").outputs[0]


def gradient(graph, y, x):
    (found,) = sweep(recorded(graph.operations, [x._ghost]), {y._ghost: EagerTensor(np.ones(()))}, [x._ghost])
    return found


def branch(f):
    graph = Graph()
    with graph.as_default():
        x, w = hole(graph), hole(graph)
        return Subgraph(graph, [x, w], [f(x, w)])


@pytest.mark.parametrize("index", ["bool", "int"])
def test_three_orders(index):
    """sin(w x) x, or x e^x: w does not occur in the second branch."""
    dtype = np.dtype(bool if index == "bool" else "int32")
    branches = (branch(lambda x, w: tf.sin(x * w) * x), branch(lambda x, w: tf.exp(x) * x))
    graph = Graph()
    with graph.as_default():
        i, x, w = hole(graph, (), dtype), hole(graph), hole(graph)
        (y,) = cond_op(i, x, w, branches=branches, spreads=(), packs=())
        dx, dw = gradient(graph, y, x), gradient(graph, y, w)
        dxx, dxw = gradient(graph, dx, x), gradient(graph, dx, w)
        dxxx = gradient(graph, dxx, x)
    plan = Plan([y, dx, dw, dxx, dxw, dxxx], [i, x, w], graph.operations)
    a, b = np.float64(0.7), np.float64(1.3)
    s, c, e = np.sin(a * b), np.cos(a * b), np.exp(a)
    first = [s * a, s + a * b * c, a * a * c, 2 * b * c - a * b * b * s, 2 * a * c - a * a * b * s]
    first.append(-3 * b * b * s - a * b**3 * c)
    second = [e * a, e * (a + 1), 0, e * (a + 2), 0, e * (a + 3)]
    cases = (
        [(True, first), (False, second)]
        if index == "bool"
        else [(0, first), (1, second), (7, second), (-1, second)]
    )
    for value, expected in cases:
        np.testing.assert_allclose(plan(dtype.type(value), a, b), expected, rtol=1e-12, atol=1e-15)


def test_only_the_branch_taken_is_executed():
    """The square root of a negative number in the other branch leaves no trace."""
    branches = (branch(lambda x, w: tf.sqrt(x) * w), branch(lambda x, w: x * w))
    graph = Graph()
    with graph.as_default():
        i, x, w = hole(graph, (), np.dtype(bool)), hole(graph), hole(graph)
        (y,) = cond_op(i, x, w, branches=branches, spreads=(), packs=())
        dx = gradient(graph, y, x)
    plan = Plan([y, dx], [i, x, w], graph.operations)
    assert plan(np.bool_(False), np.float64(-4.0), np.float64(3.0)) == [-12.0, 3.0]
