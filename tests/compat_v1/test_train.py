"""TensorFlow 1's training against TensorFlow 2.21: tests/golden/train_v1.json, and what the golden values leave out."""

from __future__ import annotations

import json
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
from golden import make_train_v1 as golden

import gradtape as tf
import gradtape.compat.v1 as v1

GOLDEN = json.loads(golden.PATH.read_text(encoding="utf-8"))
TRAIN = v1.train


def close(found: Any, wanted: Any, rtol: float = 3e-6) -> None:
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol / 10)


# --- Against TensorFlow


@pytest.mark.parametrize("name", golden.OPTIMIZERS)
@pytest.mark.parametrize("kind", ["graph", "float64"])
def test_steps_in_a_graph(name: str, kind: str):
    dtype = "float64" if kind == "float64" else "float32"
    wanted = GOLDEN[kind][name]
    with tf.Graph().as_default():
        found = golden.trained(tf, golden.OPTIMIZERS[name], graph=True, dtype=dtype)
    assert (found["names"], found["slots"]) == (wanted["names"], wanted["slots"])
    for step, values in zip(found["values"], wanted["values"], strict=True):
        close(step, values, 3e-6 if kind == "graph" else 1e-12)


@pytest.mark.parametrize("name", golden.OPTIMIZERS)
def test_steps_in_eager_mode(name: str):
    wanted = GOLDEN["eager"][name]
    found = golden.trained(tf, golden.OPTIMIZERS[name], graph=False)
    assert found["slots"] == wanted["slots"]
    for step, values in zip(found["values"], wanted["values"], strict=True):
        # The slots too, but in the order of their values: TensorFlow numbers names over all optimizers of a process.
        close(step[:3], values[:3])
        close(sorted(_rounded(step[3:]), key=str), sorted(_rounded(values[3:]), key=str))


def _rounded(values: list[Any]) -> list[Any]:
    return [np.round(value, 4).tolist() for value in values]


def test_learning_rates():
    found = golden.rates(tf)
    for rate, values in GOLDEN["rates"].items():
        close(found[rate], values, 1e-6)


def test_moving_averages():
    for (names, values), (wanted_names, wanted) in zip(golden.averages(tf), GOLDEN["averages"], strict=True):
        assert names == wanted_names
        for step, expected in zip(values, wanted, strict=True):
            close(step, expected, 1e-6)


@pytest.mark.parametrize("kind", ["graph", "eager"])
def test_losses(kind: str):
    found = golden.losses(tf, kind == "graph")
    for text, wanted in GOLDEN["losses"][kind].items():
        if isinstance(wanted, str):
            assert found[text] == wanted, text
        else:
            np.testing.assert_allclose(found[text], wanted, rtol=1e-6, err_msg=text)


# --- What optimizers do


def test_a_step_is_an_operation_of_the_graph():
    with tf.Graph().as_default() as graph:
        v = v1.get_variable("v", [2])
        train = TRAIN.AdamOptimizer().minimize(tf.reduce_sum(v * v))
        assert train.name == "Adam"
        assert graph.get_collection("train_op") == [train]
        assert [x.name for x in v1.trainable_variables()] == ["v:0"]
        assert {x.name for x in v1.global_variables()} == {
            "v:0",
            "beta1_power:0",
            "beta2_power:0",
            "v/Adam:0",
            "v/Adam_1:0",
        }


def test_rows_that_do_not_occur_stay():
    with tf.Graph().as_default(), v1.Session() as session:
        table = tf.Variable(np.ones((4, 2), np.float32))
        optimizer = TRAIN.MomentumOptimizer(0.1, 0.9)
        pairs = optimizer.compute_gradients(tf.reduce_sum(tf.gather(table, [1, 1])))
        assert isinstance(pairs[0][0], tf.IndexedSlices)
        train = optimizer.apply_gradients(pairs)
        session.run(v1.global_variables_initializer())
        session.run(train)
        close(session.run(table), [[1, 1], [0.8, 0.8], [1, 1], [1, 1]])
        close(session.run(optimizer.get_slot(table, "momentum")), [[0, 0], [2, 2], [0, 0], [0, 0]])


def test_an_index_out_of_range():
    table = tf.Variable(np.ones((4, 2), np.float32))
    slices = tf.IndexedSlices(tf.ones((1, 2)), tf.constant([4]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="4"):
        TRAIN.GradientDescentOptimizer(0.1).apply_gradients([(slices, table)])
    assert table.numpy().tolist() == np.ones((4, 2)).tolist()


def test_gradients_are_those_of_the_values_before_the_step():
    with tf.Graph().as_default(), v1.Session() as session:
        a, b = tf.Variable(2.0), tf.Variable(3.0)
        train = TRAIN.GradientDescentOptimizer(1.0).minimize(a * b)
        session.run(v1.global_variables_initializer())
        session.run(train)
        close(session.run([a, b]), [-1.0, 1.0])


def test_variables_without_a_gradient_are_skipped():
    with tf.Graph().as_default(), v1.Session() as session:
        a, b = tf.Variable(2.0), tf.Variable(3.0)
        optimizer = TRAIN.AdagradOptimizer(1.0)
        train = optimizer.minimize(a * a)
        assert optimizer.get_slot(b, "accumulator") is None
        session.run(v1.global_variables_initializer())
        session.run(train)
        assert session.run(b) == 3.0


def test_a_learning_rate_from_a_placeholder_and_from_the_step():
    with tf.Graph().as_default(), v1.Session() as session:
        v = tf.Variable(1.0)
        rate = v1.placeholder(tf.float32, [])
        step = TRAIN.get_or_create_global_step()
        fed = TRAIN.GradientDescentOptimizer(rate).minimize(v * 1.0)
        decayed = TRAIN.GradientDescentOptimizer(TRAIN.piecewise_constant(step, [0], [0.5, 0.25])).minimize(
            v * 1.0, step
        )
        session.run(v1.global_variables_initializer())
        session.run(fed, {rate: 0.125})
        assert session.run(v) == 0.875
        session.run(decayed)
        session.run(decayed)
        assert session.run([v, step]) == [0.125, 2]
        assert TRAIN.global_step(session, step) == 2


def test_gradients_may_be_clipped_in_between():
    with tf.Graph().as_default(), v1.Session() as session:
        v = tf.Variable([3.0, 4.0])
        optimizer = TRAIN.GradientDescentOptimizer(1.0)
        pairs = optimizer.compute_gradients(tf.reduce_sum(v * v), gate_gradients=optimizer.GATE_GRAPH)
        train = optimizer.apply_gradients([(tf.clip_by_norm(g, 1.0), x) for g, x in pairs])
        session.run(v1.global_variables_initializer())
        session.run(train)
        close(session.run(v), [2.4, 3.2])


def test_a_constraint():
    with tf.Graph().as_default(), v1.Session() as session:
        v = v1.get_variable("v", initializer=1.0, constraint=lambda x: tf.maximum(x, 0.0))
        train = TRAIN.GradientDescentOptimizer(1.0).minimize(v * 3.0)
        session.run(v1.global_variables_initializer())
        session.run(train)
        assert session.run(v) == 0.0


def test_in_a_function():
    v = tf.Variable([1.0, 2.0])
    optimizer = TRAIN.AdamOptimizer(0.1)
    other = tf.Variable([1.0, 2.0])
    eager = TRAIN.AdamOptimizer(0.1)

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(v * v)
        optimizer.apply_gradients([(tape.gradient(loss, v), v)])

    for _ in range(3):
        step()
        eager.minimize(lambda: tf.reduce_sum(other * other))
    close(v.numpy(), other.numpy())


def test_an_optimizer_of_the_users():
    class Sign(TRAIN.Optimizer):
        def __init__(self, rate):
            super().__init__(False, "Sign")
            self._rate = rate

        def _create_slots(self, var_list):
            for v in var_list:
                self._zeros_slot(v, "last", self._name)

        def _apply_dense(self, grad, var):
            kept = self.get_slot(var, "last").assign(grad)
            return v1.group(var.assign_sub(self._rate * tf.sign(grad)), kept)

    with tf.Graph().as_default(), v1.Session() as session:
        v = tf.Variable([3.0, -4.0])
        optimizer = Sign(0.5)
        train = optimizer.minimize(tf.reduce_sum(v * v))
        session.run(v1.global_variables_initializer())
        session.run(train)
        close(session.run([v, optimizer.get_slot(v, "last")]), [[2.5, -3.5], [6.0, -8.0]])


# --- Errors


def test_errors():
    with tf.Graph().as_default():
        v = v1.get_variable("v", [2])
        optimizer = TRAIN.GradientDescentOptimizer(0.1)
        for wrong, error, says in [
            (
                lambda: optimizer.minimize(tf.constant(1.0)),
                ValueError,
                "No gradients provided for any variable, check",
            ),
            (lambda: optimizer.minimize(tf.constant(1)), ValueError, "Invalid type tf.int32"),
            (lambda: optimizer.apply_gradients([]), ValueError, "No variables provided."),
            (
                lambda: optimizer.apply_gradients([(None, v)]),
                ValueError,
                "No gradients provided for any variable",
            ),
            (lambda: optimizer.minimize(v[0], var_list=[]), ValueError, "No variables to optimize."),
            (lambda: optimizer.minimize(v[0], gate_gradients=7), ValueError, "gate_gradients must be one of"),
            (lambda: optimizer.minimize(v[0], var_list=["v"]), NotImplementedError, "unsupported type"),
            (lambda: TRAIN.AdamOptimizer(name=""), ValueError, "Must specify the optimizer name"),
            (lambda: TRAIN.AdagradOptimizer(0.1, 0.0), ValueError, "must be positive"),
        ]:
            with pytest.raises(error, match=says):
                wrong()
    with pytest.raises(RuntimeError, match="should be a function"):
        optimizer.minimize(tf.constant(1.0))


def test_the_global_step():
    with tf.Graph().as_default() as graph:
        assert TRAIN.get_global_step() is None
        with v1.variable_scope("a"):
            step = TRAIN.create_global_step()
        assert step.name == "a/global_step:0" and TRAIN.get_global_step(graph) is step
        assert step in v1.global_variables() and step not in v1.trainable_variables()
        with pytest.raises(ValueError, match="already exists"):
            TRAIN.create_global_step()
    with pytest.raises(TypeError, match="integer"):
        TRAIN.assert_global_step(tf.constant(1.0))
    with pytest.raises(TypeError, match="scalar"):
        TRAIN.assert_global_step(tf.constant([1]))


def test_rates_are_functions_in_eager_mode():
    v = tf.Variable(1.0)
    step = tf.Variable(0)
    optimizer = TRAIN.GradientDescentOptimizer(TRAIN.exponential_decay(0.5, step, 1, 0.5))
    for _ in range(2):
        optimizer.minimize(lambda: v * 1.0, global_step=step)
    assert v.numpy() == 0.25


def test_in_a_branch():
    with tf.Graph().as_default(), v1.Session() as session:
        v, chosen = tf.Variable(2.0), v1.placeholder(tf.bool, [])
        optimizer = TRAIN.MomentumOptimizer(0.5, 0.9)

        def step():
            with tf.control_dependencies([optimizer.minimize(v * v)]):
                return tf.constant(1.0)

        out = v1.cond(chosen, step, lambda: tf.constant(0.0))
        session.run(v1.global_variables_initializer())
        assert session.run(out, {chosen: False}) == 0.0 and session.run(v) == 2.0
        assert session.run(out, {chosen: True}) == 1.0 and session.run(v) == 0.0


@pytest.mark.parametrize("graph", [True, False])
def test_gradients_that_do_not_fit(graph: bool):
    with tf.Graph().as_default() if graph else nullcontext():
        v = tf.Variable([1.0, 2.0])
        optimizer = TRAIN.AdagradOptimizer(0.1)
        with pytest.raises(ValueError if graph else tf.errors.InvalidArgumentError, match="the same shape"):
            optimizer.apply_gradients([(tf.constant([1.0, 2.0, 3.0]), v)])
        with pytest.raises(TypeError if graph else tf.errors.InvalidArgumentError, match="float64"):
            optimizer.apply_gradients([(tf.constant([1.0, 2.0], tf.float64), v)])


def test_a_gradient_of_unknown_rows():
    with tf.Graph().as_default(), v1.Session() as session:
        table = tf.Variable(np.ones((5, 2), np.float32))
        rows = v1.placeholder(tf.int32, [None, None])
        loss = tf.reduce_sum(tf.nn.embedding_lookup(table, rows) ** 2)
        train = TRAIN.RMSPropOptimizer(0.5, decay=0.0).minimize(loss)
        session.run(v1.global_variables_initializer())
        done, before = session.run([train, loss], {rows: [[1, 2], [2, 3]]})
        assert done is None and before == 8.0
        close(session.run(table)[:, 0], [1.0, 0.5, 0.5, 0.5, 1.0])


# --- What scripts begin with


def test_messages(caplog: pytest.LogCaptureFixture):
    before = v1.logging.get_verbosity()
    try:
        v1.logging.set_verbosity(v1.logging.INFO)
        v1.logging.info("step %d", 3)
        v1.logging.debug("not shown")
        for i in range(5):
            v1.logging.log_every_n(v1.logging.WARN, "every %d", 2, i)
            v1.logging.log_first_n(v1.logging.ERROR, "first %d", 1, i)
    finally:
        v1.logging.set_verbosity(before)
    shown = [(record.levelname, record.getMessage()) for record in caplog.records]
    assert shown == [
        ("INFO", "step 3"),
        ("WARNING", "every 0"),
        ("ERROR", "first 0"),
        ("WARNING", "every 2"),
        ("WARNING", "every 4"),
    ]


def test_py_func():
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [2])
        y = v1.py_func(lambda a: a[::-1].copy(), [x], tf.float32)
        close(session.run(y, {x: [1.0, 2.0]}), [2.0, 1.0])
