"""Recurrent cells in loops: gradients, unknown sizes, cells of one's own. Values: test_layers_v1.py."""

from __future__ import annotations

import numpy as np
import pytest
from golden.make_layers_v1 import LENGTHS, STEPS, numbers

import gradtape as v2
import gradtape.compat.v1 as tf

cells = tf.nn.rnn_cell

CELLS = {
    "rnn": lambda: cells.BasicRNNCell(2),
    "gru": lambda: cells.GRUCell(2),
    "lstm": lambda: cells.BasicLSTMCell(2),
    "whole lstm": lambda: cells.LSTMCell(3, use_peepholes=True, num_proj=2),
    "two": lambda: cells.MultiRNNCell([cells.GRUCell(2), cells.BasicLSTMCell(2)]),
}


@pytest.mark.parametrize("lengths", [None, LENGTHS], ids=["whole", "lengths"])
@pytest.mark.parametrize("name", CELLS)
def test_gradients_of_both_orders(name: str, lengths):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float64, [None, None, 2])
        y, _ = tf.nn.dynamic_rnn(CELLS[name](), x, lengths, dtype=tf.float64)
        variables = tf.trainable_variables()
        loss = tf.reduce_sum(y**3)
        first = tf.gradients(loss, [x, *variables])
        along = [tf.constant(numbers(*STEPS.shape).astype(np.float64))]
        along += [tf.constant(numbers(*v.shape.as_list(), phase=1).astype(np.float64)) for v in variables]
        slope = tf.add_n([tf.reduce_sum(g * a) for g, a in zip(first, along, strict=True)])
        second = tf.gradients(slope, [x, *variables])
        curve = tf.add_n([tf.reduce_sum(g * a) for g, a in zip(second, along, strict=True)])
        at = [numbers(*v.shape.as_list(), phase=i).astype(np.float64) for i, v in enumerate(variables)]
        direction = session.run(along)

        def values(t: float):
            for v, value, a in zip(variables, at, direction[1:], strict=True):
                v.load(value + t * a, session)
            return session.run([loss, slope, curve], {x: STEPS + t * direction[0]})

        h = 1e-4
        before, here, after = values(-h), values(0.0), values(h)
        np.testing.assert_allclose(here[1], (after[0] - before[0]) / (2 * h), rtol=1e-6, atol=1e-7)
        np.testing.assert_allclose(here[2], (after[1] - before[1]) / (2 * h), rtol=1e-6, atol=1e-7)


def test_batch_and_time_may_be_unknown():
    with tf.Graph().as_default(), tf.Session() as session:
        x, n = tf.placeholder(tf.float32, [None, None, 2]), tf.placeholder(tf.int32, [None])
        y, state = tf.nn.dynamic_rnn(cells.GRUCell(3), x, n, dtype=tf.float32)
        assert y.shape.as_list() == [None, None, 3] and state.shape.as_list() == [None, 3]
        session.run(tf.global_variables_initializer())
        for batch, time in ((3, 4), (1, 1), (2, 0)):
            feed = {x: np.ones([batch, time, 2]), n: [min(2, time)] * batch}
            found, last = session.run([y, state], feed)
            assert last.shape == (batch, 3)
            if time:  # else there is no output that knows its batch
                assert found.shape == (batch, time, 3)
            assert not found[:, 2:].any()
            if time:
                np.testing.assert_array_equal(last, found[:, min(2, time) - 1])


def test_dynamic_and_static_agree():
    with tf.Graph().as_default(), tf.Session() as session:
        cell = cells.MultiRNNCell([cells.LSTMCell(3), cells.GRUCell(2)])
        x = tf.constant(STEPS)
        y, state = tf.nn.dynamic_rnn(cell, x, LENGTHS, dtype=tf.float32)
        z, last = tf.nn.static_rnn(cell, tf.unstack(x, axis=1), dtype=tf.float32, sequence_length=LENGTHS)
        session.run(tf.global_variables_initializer())
        pairs = session.run([(y, tf.stack(z, 1)), (state[0].c, last[0].c), (state[1], last[1])])
        for one, other in pairs:
            np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-7)


def test_a_cell_of_ones_own_makes_its_variables_in_its_first_step():
    class Own(cells.RNNCell):
        state_size = output_size = 3

        def call(self, inputs, state):
            y = tf.layers.dense(inputs, 3) + inputs @ tf.get_variable("w", [2, 3]) + state
            return y, y

    class Older(cells.RNNCell):
        state_size = output_size = 3

        def __call__(self, inputs, state, scope=None):
            with tf.variable_scope(scope or "older"):
                y = inputs @ tf.get_variable("w", [2, 3]) + state
            return y, y

    with tf.Graph().as_default(), tf.Session() as session:
        y, _ = tf.nn.dynamic_rnn(Own(), tf.constant(STEPS), dtype=tf.float32)
        z, _ = tf.nn.static_rnn(Older(), tf.unstack(tf.constant(STEPS), axis=1), dtype=tf.float32, scope="s")
        names = [v.name for v in tf.global_variables()]
        assert names == ["rnn/own/dense/kernel:0", "rnn/own/dense/bias:0", "rnn/own/w:0", "s/older/w:0"]
        session.run(tf.global_variables_initializer())
        assert session.run(y).shape == (3, 4, 3) and session.run(z[3]).shape == (3, 3)


def test_nested_inputs_and_outputs():
    class Pair(cells.RNNCell):
        state_size = (2, (2,))
        output_size = (2, 2)

        def call(self, inputs, state):
            a, b = inputs
            return (a + state[0], b), (a + state[0], (b * state[1][0],))

    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant(STEPS)
        start = (tf.zeros([3, 2]), (tf.ones([3, 2]),))
        (y, z), (last, (product,)) = tf.nn.dynamic_rnn(Pair(), (x, 2 * x), initial_state=start)
        found = session.run([y, z, last, product])
        np.testing.assert_allclose(found[0], STEPS.cumsum(1), rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(found[1], 2 * STEPS)
        np.testing.assert_allclose(found[2], STEPS.sum(1), rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(found[3], (2 * STEPS).prod(1), rtol=1e-5)


def test_scopes_of_cells():
    with tf.Graph().as_default():
        x = tf.ones([1, 2])
        one, two = cells.BasicRNNCell(2), cells.BasicRNNCell(2)
        for cell in (one, two, one):
            cell(x, cell.zero_state(1, tf.float32))
        cells.BasicRNNCell(2)(x, one.zero_state(1, tf.float32), scope="mine")
        assert [v.name for v in tf.global_variables() if "kernel" in v.name] == [
            "basic_rnn_cell/kernel:0",
            "basic_rnn_cell_1/kernel:0",
            "mine/kernel:0",
        ]
        zero = one.zero_state(tf.placeholder(tf.int32, []), tf.float32)
        assert zero.shape.as_list() == [None, 2]


def test_dropout_of_steps():
    with tf.Graph().as_default(), tf.Session() as session:

        class Same(cells.RNNCell):
            state_size = output_size = 50

            def call(self, inputs, state):
                return inputs, state + 1

        x = tf.ones([2, 6, 50])
        each, state = tf.nn.dynamic_rnn(
            cells.DropoutWrapper(Same(), 0.5, state_keep_prob=0.5, seed=1), x, dtype=tf.float32
        )
        wrapped = cells.DropoutWrapper(
            Same(), output_keep_prob=0.5, variational_recurrent=True, dtype=tf.float32, seed=1
        )
        once, _ = tf.nn.dynamic_rnn(wrapped, x, dtype=tf.float32)
        memory, (c, h) = cells.DropoutWrapper(cells.BasicLSTMCell(50), state_keep_prob=0.01)(
            x[:, 0], cells.LSTMStateTuple(tf.ones([2, 50]), tf.ones([2, 50]))
        )
        session.run(tf.global_variables_initializer())
        each, state, once, c, h = session.run([each, state, once, c, h])
        assert set(np.unique(each)) == {0, 2} and set(np.unique(once)) == {0, 2}
        assert (each[:, 0] != each[:, 1]).any() and (once == once[:1, :1]).all()
        assert (state == 0).any() and (c != 0).all() and (h == 0).any()


def test_in_eager_mode():
    cell = cells.GRUCell(3)
    y, state = tf.nn.dynamic_rnn(cell, v2.constant(STEPS), LENGTHS, dtype=v2.float32)
    z, last = tf.nn.static_rnn(
        cell, v2.unstack(v2.constant(STEPS), axis=1), dtype=v2.float32, sequence_length=LENGTHS
    )
    np.testing.assert_allclose(y.numpy(), np.stack([x.numpy() for x in z], 1), rtol=1e-6)
    np.testing.assert_allclose(state.numpy(), last.numpy(), rtol=1e-6)


@pytest.mark.parametrize(
    ("program", "kind", "message"),
    [
        (lambda x: tf.nn.dynamic_rnn(cells.GRUCell(3), x), ValueError, "If no initial_state is provided"),
        (
            lambda x: tf.nn.dynamic_rnn(3, x, dtype=tf.float32),
            TypeError,
            "The argument 'cell' .3. is not an RNNCell",
        ),
        (
            lambda x: tf.nn.dynamic_rnn(cells.GRUCell(3), x[0, 0], dtype=tf.float32),
            ValueError,
            "Input tensor should",
        ),
        (
            lambda x: tf.nn.dynamic_rnn(cells.GRUCell(3), x, [1, 2], dtype=tf.float32),
            ValueError,
            "sequence_length",
        ),
        (
            lambda x: tf.nn.static_rnn(cells.GRUCell(3), x, dtype=tf.float32),
            TypeError,
            "inputs must be a sequence",
        ),
        (
            lambda x: tf.nn.static_rnn(cells.GRUCell(3), [], dtype=tf.float32),
            ValueError,
            "inputs must not be empty",
        ),
        (lambda x: cells.MultiRNNCell([]), ValueError, "Must specify at least one cell"),
        (
            lambda x: cells.MultiRNNCell([cells.BasicLSTMCell(1)], False),
            ValueError,
            "Some cells return tuples",
        ),
        (
            lambda x: cells.DropoutWrapper(cells.GRUCell(3), 1.5),
            ValueError,
            "Parameter input_keep_prob must be",
        ),
    ],
)
def test_errors(program, kind, message: str):
    with tf.Graph().as_default(), pytest.raises(kind, match=message):
        program(tf.constant(STEPS))
