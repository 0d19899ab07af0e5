"""Recurrent layers against Keras 3's stored answers, and against themselves in graphs and step by step."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from stored import script

import gradtape as tf

GOLDEN = Path(__file__).parents[1] / "golden"
golden = script("make_keras_recurrent")
ROWS = json.loads(golden.PATH.read_text(encoding="utf-8"))

L = tf.keras.layers
v1 = tf.compat.v1
numbers, X, MASK = golden.numbers, golden.X, golden.MASK


@pytest.mark.parametrize("wrap", [lambda f: f, tf.function], ids=["eager", "function"])
@pytest.mark.parametrize("row", ROWS, ids=[f"{row['layer']}-{row['call']}" for row in ROWS])
def test_as_keras(row, wrap):
    found = golden.run(tf, row["layer"], row["call"], wrap)
    for what in ("outputs", "gradients", "trained"):
        assert len(found[what]) == len(row[what]), what
        for one, other in zip(found[what], row[what], strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-5, atol=2e-6, err_msg=what)


# --- In graphs ----------------------------------------------------------------------------------------------


class Own:
    """A user's own cell: no layer, with a state that is no output."""

    state_size = [3, 2]
    output_size = 2

    def call(self, inputs, states):
        wide, sums = states
        wide = tf.tanh(tf.concat([inputs, inputs[:, :1]], 1) + 0.5 * wide)
        sums = sums + wide[:, 1:] * inputs
        return sums * sums, [wide, sums]


class OwnLayer(tf.keras.layers.Layer):
    """A user's own cell that is a layer with a weight, and asks whether it trains."""

    state_size = 2

    def build(self, input_shape):
        self.w = self.add_weight(shape=(input_shape[-1], 2), initializer=constant, name="w")

    def call(self, inputs, states, training=False):
        h = tf.sin(inputs @ self.w + states[0])
        return (h if training else 2.0 * h), [h]


def constant(shape, dtype=None):
    return tf.constant(numbers(*shape), dtype)


START = {"kernel_initializer": constant, "recurrent_initializer": constant, "bias_initializer": constant}
CELLS = {
    "simple": lambda: L.SimpleRNNCell(2, **START),
    "gru": lambda: L.GRUCell(2, **START),
    "gru before": lambda: L.GRUCell(2, reset_after=False, **START),
    "lstm": lambda: L.LSTMCell(2, unit_forget_bias=False, **START),
    "stacked": lambda: [L.GRUCell(3, **START), L.LSTMCell(2, unit_forget_bias=False, **START)],
    "own": Own,
    "own layer": OwnLayer,
}


def program(cell, x, mask, **options):
    """The outputs and states, the gradient of a sum of their squares, and the gradient of the square of that."""
    layer = L.RNN(CELLS[cell](), return_sequences=True, return_state=True, **options)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            ys = tf.nest.flatten(layer(x, mask=mask))
            total = sum(tf.reduce_sum(y * y) for y in ys)
        g = tape.gradient(total, x)
        length = tf.reduce_sum(g * g)
    return [*ys, g, outer.gradient(length, x)]


@pytest.mark.parametrize("masked", [False, True], ids=["", "mask"])
@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
@pytest.mark.parametrize("time_major", [False, True], ids=["", "time major"])
@pytest.mark.parametrize("cell", CELLS)
def test_a_graph_gives_the_same(cell, time_major, known, masked):
    """With batch and time known or not; to the second derivative."""
    x, mask = (X.swapaxes(0, 1), MASK.T) if time_major else (X, MASK)
    options = {"time_major": time_major, "go_backwards": masked}
    expected = program(cell, tf.constant(x), tf.constant(mask) if masked else None, **options)
    with tf.Graph().as_default():
        shape = x.shape[:2] if known else (None, None)
        inputs = v1.placeholder(tf.float32, (*shape, 2))
        mask_in = v1.placeholder(tf.bool, shape)
        found = program(cell, inputs, mask_in if masked else None, **options)
        assert found[0].shape.as_list() == [*shape, 2]
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            found = session.run(found, {inputs: x, mask_in: mask})
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other.numpy(), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("cell", ["simple", "gru", "gru before", "lstm", "stacked"])
def test_fused_is_step_by_step(cell):
    """A subclass of a cell runs step by step: the same to some units in the last place."""
    made = CELLS[cell]()
    cells = made if isinstance(made, list) else [made]
    apart = []
    for one in cells:
        kind = type(one)
        apart.append(type("Sub" + kind.__name__, (kind,), {})(**one.get_config()))
    layers = [L.RNN(many if len(many) > 1 else many[0], return_sequences=True) for many in (cells, apart)]
    a, b = (layer(X, mask=MASK) for layer in layers)
    np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-7)


class OwnGRUCell(L.GRUCell):
    """Is executed step by step, as every cell of a user."""


class OwnLSTMCell(L.LSTMCell):
    """As above."""


class OwnRNNCell(L.SimpleRNNCell):
    """As above."""


FUSED = [
    (L.GRU, OwnGRUCell, {}),
    (L.GRU, OwnGRUCell, {"reset_after": False}),
    (L.LSTM, OwnLSTMCell, {}),
    (L.SimpleRNN, OwnRNNCell, {}),
]
every_fused = pytest.mark.parametrize("fused, cell, options", FUSED)


def same_weights(fused, cell, options):
    layers = [fused(3, return_sequences=True, **options), L.RNN(cell(3, **options), return_sequences=True)]
    for layer in layers:
        layer(tf.constant(X))
        layer.set_weights([np.sin(np.arange(w.numpy().size).reshape(w.shape)) for w in layer.weights])
    return layers


@pytest.mark.parametrize("wrap", [lambda f: f, tf.function], ids=["eager", "function"])
@every_fused
def test_a_nan_harms_what_depends_on_it_only(fused, cell, options, wrap):
    """An earlier step, and another example, have their gradients, as if the steps were operations of their own."""
    x = np.array(X)
    x[1, 2, 0] = np.nan

    def derivatives(layer, x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = layer(x)
            early, other = tf.reduce_sum(y[:, 1]), tf.reduce_sum(y[0])
        found = tape.gradient([early, other], [x, *layer.trainable_variables])
        return found, [tape.batch_jacobian(y, x, mode=mode) for mode in ("forward", "reverse")]

    layers = same_weights(fused, cell, options)
    (found, found_jacobians), (expected, jacobians) = (
        wrap(lambda x, layer=layer: derivatives(layer, x))(tf.constant(x)) for layer in layers
    )
    for one, other in zip(found, expected, strict=True):
        assert np.isfinite(one).all()
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-6)
    for one, other in zip(found_jacobians, jacobians, strict=True):
        assert np.isnan(one[1, 2]).any() and np.isfinite(one[1, :2]).all()
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("mode", ["forward", "reverse"])
@every_fused
def test_jacobian_of_no_examples(fused, cell, options, mode):
    layer, _ = same_weights(fused, cell, options)
    x = tf.constant(X[:0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = layer(x)
    assert tape.batch_jacobian(y, x, mode=mode).shape == (0, *y.shape[1:], *x.shape[1:])


def test_states_are_kept():
    layer, whole = L.GRU(2, stateful=True, **START), L.GRU(2, **START)
    parts = [layer(X[:, :2]), layer(X[:, 2:])]
    np.testing.assert_allclose(parts[1], whole(X), rtol=1e-6)
    layer.reset_state()
    np.testing.assert_array_equal(layer(X[:, :2]), parts[0])
    layer.reset_states(tf.ones([3, 2]))
    np.testing.assert_array_equal(layer.states[0], np.ones((3, 2)))
    assert len(layer.weights) == 3
    with pytest.raises(ValueError, match="Expected batch size: 3"):
        layer(X[:2])
    with pytest.raises(ValueError, match="batch size must be static"):
        L.GRU(2, stateful=True)(tf.keras.Input((4, 2)))


def test_states_are_kept_in_a_graph():
    expected = L.LSTM(2, **START)(X)
    with tf.Graph().as_default():
        x = v1.placeholder(tf.float32, (3, 2, 2))
        y = L.LSTM(2, stateful=True, **START)(x)
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            session.run(y, {x: X[:, :2]})
            np.testing.assert_allclose(session.run(y, {x: X[:, 2:]}), expected, rtol=1e-6)


@pytest.mark.parametrize("recurrent", [0.0, 0.3])
def test_dropout(recurrent):
    """The numbers are Keras 3's; each call drops other elements, and all steps of a sequence the same."""
    layer = L.LSTM(2, dropout=0.4, recurrent_dropout=recurrent, seed=5)
    layer(X)
    layer.set_weights([0.5 * np.cos(np.arange(np.prod(w.shape))).reshape(w.shape) for w in layer.weights])
    first, second = layer(X, training=True), layer(X, training=True)
    assert np.abs(first - second).max() > 1e-3
    np.testing.assert_array_equal(layer(X), layer(X, training=False))
    again = L.LSTM.from_config(layer.get_config())
    again(X)
    again.set_weights(layer.get_weights())
    np.testing.assert_array_equal(again(X, training=True), first)


def test_the_same_is_dropped_in_all_steps():
    layer = L.SimpleRNN(4, dropout=0.5, activation=None, recurrent_initializer="zeros", return_sequences=True)
    y = layer(tf.ones([2, 6, 3]), training=True)
    np.testing.assert_array_equal(y, np.broadcast_to(y[:, :1], (2, 6, 4)))


def test_a_cell_of_tensorflow_1():
    with tf.Graph().as_default():
        cells = [v1.nn.rnn_cell.GRUCell(3), v1.nn.rnn_cell.BasicLSTMCell(2)]
        outputs = [L.RNN(cell)(tf.constant(X)) for cell in cells]
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            assert [y.shape for y in session.run(outputs)] == [(3, 3), (3, 2)]


def test_saved_weights(tmp_path):
    """Of matrices of any order in memory: orthogonal ones may be transposed."""
    models = [tf.keras.Sequential([L.Input((4, 2)), L.Bidirectional(L.GRU(3))]) for _ in range(2)]
    models[0].save_weights(tmp_path / "it.weights.h5")
    models[1].load_weights(tmp_path / "it.weights.h5")
    np.testing.assert_array_equal(models[1](X), models[0](X))


# --- Grammar ------------------------------------------------------------------------------------------------


def test_weights_are_named_as_in_keras():
    layer = L.Bidirectional(L.GRU(2, name="g"), name="b")
    layer(X)
    assert [w.path for w in layer.weights[2:4]] == [
        "b/forward_g/gru_cell/bias",
        "b/backward_g/gru_cell/kernel",
    ]
    stacked = L.RNN([L.LSTMCell(2, name="one"), L.GRUCell(2, name="two")], name="r")
    stacked(X)
    names = ["kernel", "recurrent_kernel", "bias"]
    paths = [f"r/{stacked.cell.name}/{cell}/{name}" for cell in ("one", "two") for name in names]
    assert [w.path for w in stacked.weights] == paths


@pytest.mark.parametrize("row", ROWS[::3], ids=[row["layer"] for row in ROWS[::3]])
def test_from_its_configuration(row):
    layer = eval(row["layer"], {"L": L})
    config = tf.keras.utils.serialize_keras_object(layer)
    again = tf.keras.utils.deserialize_keras_object(json.loads(json.dumps(config)))
    assert again.get_config() == layer.get_config()
    x = golden.inputs_of(row["layer"])
    y = layer(x)
    again(x)
    again.set_weights(layer.get_weights())
    for one, other in zip(tf.nest.flatten(again(x)), tf.nest.flatten(y), strict=True):
        np.testing.assert_array_equal(one, other)


def test_the_first_states_may_come_with_the_inputs():
    layer = L.LSTM(2, **START)
    states = [tf.constant(h) for h in golden.HS]
    np.testing.assert_array_equal(layer([X, *states]), layer(X, initial_state=states))


def test_a_functional_model():
    x = tf.keras.Input((None, 2))
    y, *states = L.LSTM(3, return_sequences=True, return_state=True)(L.Masking()(x))
    z = L.TimeDistributed(L.Dense(2))(L.GRU(2, return_sequences=True)(y, initial_state=states[0][:, :2]))
    model = tf.keras.Model(x, [z, *states])
    assert [tuple(out.shape) for out in model.outputs] == [(None, None, 2), (None, 3), (None, 3)]
    assert [out.shape for out in model(X)] == [(3, 4, 2), (3, 3), (3, 3)]


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda: L.GRU(0), ValueError, "positive integer"),
        (lambda: L.RNN(object()), ValueError, "should have a `call`"),
        (lambda: L.RNN([L.GRUCell(2), object()]), ValueError, "All cells must have a `call`"),
        (lambda: L.GRU(2)(X[0]), ValueError, "expected ndim=3, found ndim=2"),
        (lambda: L.GRU(2, unroll=True)(tf.keras.Input((None, 2))), ValueError, "Cannot unroll"),
        (lambda: L.Bidirectional(3), ValueError, "Received: 3"),
        (lambda: L.Bidirectional(L.GRU(2), merge_mode="max"), ValueError, "Invalid merge mode"),
        (lambda: L.Bidirectional(L.GRU(2), backward_layer=L.GRU(2)), ValueError, "go_backwards"),
        (lambda: L.TimeDistributed(L.Dense(2))(X[0]), ValueError, "at least 3 dimensions"),
        (lambda: L.RNN(Own())(X[:, :0]), tf.errors.InvalidArgumentError, "at least one step"),
    ],
)
def test_errors(make, error, text):
    with pytest.raises(error, match=text):
        make()


def test_time_distributed_statistics_of_each_step():
    """A layer that keeps statistics of its batches sees one step after the other while it trains, as in Keras."""
    layer, one = L.TimeDistributed(L.BatchNormalization()), L.BatchNormalization()
    y = layer(X, training=True)
    steps = [one(X[:, t], training=True) for t in range(4)]
    np.testing.assert_allclose(y, np.stack(steps, 1), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(layer.get_weights()[2], one.get_weights()[2], rtol=1e-6)


@pytest.mark.parametrize("layer", [L.LSTM, L.GRU, L.SimpleRNN])
def test_initial_states_that_do_not_fit(layer):
    x, n = tf.ones([2, 4, 5]), 2 if layer is L.LSTM else 1
    for states in ([tf.ones([2, 4])] * n, [tf.ones([2, 3])] * (n + 1), [tf.ones([3])] * n):
        with pytest.raises(ValueError, match="initial states of the sizes"):
            layer(3)(x, initial_state=states)
    assert layer(3)(x, initial_state=[tf.ones([2, 3])] * n).shape == (2, 3)
    with pytest.raises(ValueError, match="recurrent layer"):
        L.Bidirectional(L.Dense(3))
