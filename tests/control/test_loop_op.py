"""The loop of graphs: its values and derivatives of three orders, against NumPy loops and differences."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf
from gradtape._src.autodiff.sweep import sweep
from gradtape._src.control.loop_op import loop
from gradtape._src.control.subgraph import Subgraph, recorded
from gradtape._src.core.values import EagerTensor
from gradtape._src.graph.ir import Graph, placeholder
from gradtape._src.graph.plan import Plan
from gradtape._src.ops.sequences import elements, stacked

DOUBLE, INT = np.dtype("float64"), np.dtype("int32")


def hole(graph, shape, dtype=DOUBLE):
    return graph.append(placeholder, (), {"shape": shape, "dtype": dtype}, "x").outputs[0]


def gradients(graph, y, xs):
    ghosts = [x._ghost for x in xs]
    return sweep(recorded(graph.operations, ghosts), {y._ghost: EagerTensor(np.ones(()))}, ghosts)


def derivative(f, x, h=1e-3):
    return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h)


class TestWhile:
    """x = sin(w x) + x^2 / 10, n times; y = sum of squares."""

    @pytest.fixture
    def plan(self):
        body = Graph()
        with body.as_default():
            i, x, w, n = hole(body, (), INT), hole(body, (3,)), hole(body, ()), hole(body, (), INT)
            results = [i + 1, tf.sin(x * w) + x * x * 0.1]
            goes_on = tf.less(i, n)
        inputs = [i, x, w, n]
        step, cond = Subgraph(body, inputs, results), Subgraph(body, inputs, [goes_on])
        graph = Graph()
        with graph.as_default():
            x, w, n = hole(graph, (3,)), hole(graph, ()), hole(graph, (), INT)
            settings = {
                "step": step,
                "cond": cond,
                "n_carry": 2,
                "n_seqs": 0,
                "reverse": False,
                "limit": None,
            }
            out = loop(np.int32(0), x, w, n, **settings)
            y = tf.reduce_sum(out[1] * out[1])
            dx, dw = gradients(graph, y, [x, w])
            (dww,) = gradients(graph, dw, [w])
            (dwww,) = gradients(graph, dww, [w])
        return Plan([y, dx, dw, dww, dwww, out[0]], [x, w, n], graph.operations)

    X, W = np.array([0.3, -0.5, 0.8]), 0.9

    @staticmethod
    def reference(x, w, n):
        for _ in range(n):
            x = np.sin(x * w) + x * x * 0.1
        return (x * x).sum()

    @pytest.mark.parametrize("n", [0, 1, 5])
    def test_three_orders(self, plan, n):
        y, dx, dw, dww, dwww, i = plan(self.X, np.float64(self.W), np.int32(n))
        assert i == n
        np.testing.assert_allclose(y, self.reference(self.X, self.W, n), rtol=1e-14)
        np.testing.assert_allclose(
            dw, derivative(lambda w: self.reference(self.X, w, n), self.W), rtol=1e-8, atol=1e-9
        )
        for k in range(3):
            e = np.eye(3)[k]
            expected = derivative(lambda s, e=e: self.reference(self.X + s * e, self.W, n), 0.0)
            np.testing.assert_allclose(dx[k], expected, rtol=1e-8, atol=1e-9)
        for order, found in ((2, dww), (3, dwww)):
            expected = derivative(lambda w, o=order: plan(self.X, np.float64(w), np.int32(n))[o], self.W)
            np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-9)


class TestScan:
    """s = tanh(s + w x_k), y_k = s x_k, in either direction; sequences in and out."""

    @pytest.fixture(params=[False, True], ids=["forwards", "backwards"])
    def plan(self, request):
        body = Graph()
        with body.as_default():
            s, x, w = hole(body, ()), hole(body, ()), hole(body, ())
            new = tf.tanh(s + w * x)
            step = Subgraph(body, [s, x, w], [new, new * x])
        graph = Graph()
        with graph.as_default():
            s, xs, w = hole(graph, ()), hole(graph, (None,)), hole(graph, ())
            settings = {
                "step": step,
                "cond": None,
                "n_carry": 1,
                "n_seqs": 1,
                "reverse": request.param,
                "limit": None,
            }
            last, _, ys = loop(s, elements(xs), w, **settings)
            ys = stacked(ys, shape=(), dtype=DOUBLE)
            y = tf.reduce_sum(ys * ys) + last
            ds, dx, dw = gradients(graph, y, [s, xs, w])
            total = tf.reduce_sum(dx * tf.sin(xs)) + ds
            d2x, d2w = gradients(graph, total, [xs, w])
        return request.param, Plan([y, ds, dx, dw, total, d2x, d2w], [s, xs, w], graph.operations)

    @staticmethod
    def reference(s, xs, w, reverse):
        total = 0.0
        for x in xs[::-1] if reverse else xs:
            s = np.tanh(s + w * x)
            total += (s * x) ** 2
        return total + s

    @pytest.mark.parametrize("n", [1, 4])
    def test_two_orders(self, plan, n):
        reverse, plan = plan
        s, xs, w = np.float64(0.2), np.linspace(-1.0, 1.3, n), np.float64(0.7)
        y, ds, dx, dw, total, d2x, d2w = plan(s, xs, w)
        np.testing.assert_allclose(y, self.reference(s, xs, w, reverse), rtol=1e-14)
        np.testing.assert_allclose(ds, derivative(lambda s: self.reference(s, xs, w, reverse), s), rtol=1e-8)
        np.testing.assert_allclose(dw, derivative(lambda w: self.reference(s, xs, w, reverse), w), rtol=1e-8)
        np.testing.assert_allclose(
            d2w, derivative(lambda w: plan(s, xs, np.float64(w))[4], w), rtol=1e-7, atol=1e-9
        )
        for k in range(n):
            e = np.eye(n)[k]
            along = lambda h, e=e: self.reference(s, xs + h * e, w, reverse)
            np.testing.assert_allclose(dx[k], derivative(along, 0.0), rtol=1e-8, atol=1e-10)
            slope = lambda h, e=e: plan(s, xs + h * e, w)[4]
            np.testing.assert_allclose(d2x[k], derivative(slope, 0.0), rtol=1e-7, atol=1e-9)
