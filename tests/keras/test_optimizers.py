"""Optimizers against Keras 3's stored steps, in eager mode, in a function and in a graph; and their grammar."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import gradtape as tf

PATH = Path(__file__).parents[1] / "golden" / "keras_optimizers.json"
STORED = json.loads(PATH.read_text(encoding="utf-8"))
ROWS = STORED["optimizers"]
optimizers = tf.keras.optimizers
LOOKED_UP = [[2, 0, 2], [1, 1, 0], [0, 0, 0], [3, 2, 1], [2, 1, 1]]


def made(text):
    return eval(text, {**vars(optimizers), "schedules": optimizers.schedules})


def variables():
    return [
        tf.Variable([[0.1, -0.4], [0.3, 0.8], [-0.2, 0.5]], name="w"),
        tf.Variable([0.2, -0.3], name="b"),
        tf.Variable(0.7, name="scale"),
        tf.Variable([[1.0, 2.0], [3.0, -1.0], [0.5, 0.25], [2.0, 1.0]], name="table"),
    ]


def loss(vs, indices):
    w, b, scale, table = vs
    x = tf.constant([[1.0, -2.0, 0.5], [0.3, 0.7, -1.1]])
    y = tf.constant([[0.5, 1.0], [-1.0, 2.0]])
    rows = tf.gather(table, indices)
    return tf.reduce_mean((scale * tf.matmul(x, w) + b - y) ** 2) + 0.3 * tf.reduce_sum(rows * rows)


def step(optimizer, vs, indices):
    with tf.GradientTape() as tape:
        value = loss(vs, indices)
    optimizer.apply_gradients(zip(tape.gradient(value, vs), vs))


def check(row, after):
    for got, want in zip(after, row["values"], strict=True):
        for g, w in zip(got, want, strict=True):
            np.testing.assert_allclose(g, w, rtol=1e-5, atol=2e-6)


@pytest.mark.parametrize("mode", ["eager", "function"])
@pytest.mark.parametrize("row", ROWS, ids=[row["text"] for row in ROWS])
def test_five_steps(row, mode):
    optimizer, vs, after = made(row["text"]), variables(), []
    run = (lambda indices: step(optimizer, vs, indices)) if mode == "eager" else None
    run = run or tf.function(lambda indices: step(optimizer, vs, indices))
    for indices in LOOKED_UP:
        run(tf.constant(indices))
        after.append([v.numpy() for v in vs])
    check(row, after)
    assert int(optimizer.iterations) == row["iterations"]
    config = optimizer.get_config()
    for key, value in row["config"].items():
        assert config[key] == value or np.isclose(config[key], value)


@pytest.mark.parametrize("row", ROWS, ids=[row["text"] for row in ROWS])
def test_five_steps_in_a_graph(row):
    v1 = tf.compat.v1
    with tf.Graph().as_default(), v1.Session() as session:
        vs, indices = variables(), v1.placeholder(tf.int32, [3])
        optimizer = made(row["text"])
        train = optimizer.minimize(loss(vs, indices), vs)
        session.run(v1.global_variables_initializer())
        after = []
        for rows in LOOKED_UP:
            session.run(train, {indices: rows})
            after.append(session.run(vs))
    check(row, after)


@pytest.mark.parametrize("row", STORED["schedules"], ids=[row["text"] for row in STORED["schedules"]])
def test_schedules(row):
    schedule = eval(row["text"], vars(optimizers.schedules))
    again = optimizers.schedules.deserialize(optimizers.schedules.serialize(schedule))
    traced = tf.function(schedule)
    for i, want in zip(STORED["at"], row["rates"], strict=True):
        for rate in (schedule(i), schedule(tf.constant(i, tf.int64)), again(i), traced(tf.constant(i))):
            np.testing.assert_allclose(rate, want, rtol=2e-6, atol=1e-8)


def test_what_was_read_before_keeps_its_value():
    v, g = tf.Variable([1.0, 2.0]), tf.constant([1.0, 1.0])
    optimizer = optimizers.Adam(0.1)
    optimizer.apply_gradients([(g, v)])
    before, slot = v.value(), optimizer.variables[2].value()
    copies = before.numpy(), slot.numpy()
    optimizer.apply_gradients([(g, v)])
    np.testing.assert_array_equal(before, copies[0])
    np.testing.assert_array_equal(slot, copies[1])
    assert (optimizer.variables[2].numpy() != copies[1]).all()
    rows = tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([1]), tf.constant([2, 1]))
    table = tf.Variable([[1.0], [2.0]])
    before = table.value()
    optimizers.SGD(0.5).apply_gradients([(rows, table)])
    assert before.numpy().tolist() == [[1.0], [2.0]] and table.numpy().tolist() == [[1.0], [1.5]]


def test_half_precision_and_double():
    for dtype in (tf.float16, tf.bfloat16, tf.float64):
        for name in ("SGD", "Adam", "RMSprop", "Adagrad", "Lion"):
            v = tf.Variable(tf.cast([1.0, 2.0], dtype))
            getattr(optimizers, name)(0.1).apply_gradients([(tf.constant([1.0, -1.0]), v)])
            assert v.dtype == dtype
            assert v.numpy().astype("float64")[0] < 1.0 and v.numpy().astype("float64")[1] > 2.0


def test_gradients_that_are_no_numbers_pass_without_a_warning():
    for name in (
        "SGD",
        "RMSprop",
        "Adam",
        "Adamax",
        "Nadam",
        "Adagrad",
        "Adadelta",
        "Adafactor",
        "Ftrl",
        "Lion",
        "Lamb",
    ):
        v, optimizer = tf.Variable([1.0, 2.0, 3.0]), getattr(optimizers, name)(0.1)
        for g in ([np.inf, np.nan, 1e30], [np.inf, 0.0, -1e30]):
            optimizer.apply_gradients([(tf.constant(g), v)])
        assert np.isnan(v.numpy()[1]) or name == "Lion"


def test_missing_gradients():
    a, b = tf.Variable(1.0, name="a"), tf.Variable(1.0, name="b")
    optimizer = optimizers.SGD(0.1)
    with pytest.warns(
        UserWarning, match=r"Gradients do not exist for variables \['b:0'\] when minimizing the loss"
    ):
        optimizer.apply_gradients([(tf.constant(1.0), a), (None, b)])
    with pytest.raises(ValueError, match="No gradients provided for any variable"):
        optimizer.apply_gradients([(None, a), (None, b)])
    with pytest.raises(ValueError, match="No gradients provided for any variable"):
        optimizer.apply_gradients([])
    with pytest.raises(ValueError, match="Unknown variable"):
        optimizer.apply_gradients([(tf.constant(1.0), tf.Variable(1.0))])


def test_refusals():
    for arguments, message in [
        ({"rate": 0.1}, "not recognized: {'rate': 0.1}"),
        ({"momentum": 2.0}, "`momentum` must be a float between"),
        ({"learning_rate": "x"}, "Argument `learning_rate` should be float"),
        ({"clipnorm": 1.0, "clipvalue": 1.0}, "Only one of `clipnorm`"),
        ({"gradient_accumulation_steps": 1}, "must be an integer >= 2"),
        ({"use_ema": True, "ema_momentum": 2.0}, "must be in the range"),
    ]:
        with pytest.raises(ValueError) as caught:
            optimizers.SGD(**arguments)
        assert message in str(caught.value)
    with pytest.raises(ValueError, match="must already be built"):
        optimizers.SGD().apply([tf.constant(1.0)])
    with pytest.raises(TypeError, match="is not settable"):
        optimizers.SGD(optimizers.schedules.ExponentialDecay(0.1, 1, 0.5)).learning_rate = 0.1
    with pytest.raises(tf.errors.InvalidArgumentError, match="shapes must be equal"):
        optimizers.SGD().apply_gradients([(tf.constant([1.0, 2.0]), tf.Variable([1.0]))])


def test_what_it_keeps():
    w = tf.Variable([1.0, 2.0], name="w")
    optimizer = optimizers.Adam(0.1, name="mine")
    assert len(optimizer.variables) == len(optimizer.variables()) == 2
    optimizer.build([w])
    assert [v.shape for v in optimizer.variables] == [(), (), (2,), (2,)]
    optimizer.apply_gradients([(tf.constant([1.0, 1.0]), w)])
    other = optimizers.Adam.from_config(optimizer.get_config())
    other.build([w])
    other.set_weights(optimizer.get_weights())
    for a, b in zip(optimizer.get_weights(), other.get_weights(), strict=True):
        np.testing.assert_array_equal(a, b)
    store = {}
    optimizer.save_own_variables(store)
    other.load_own_variables(store)
    with pytest.raises(ValueError, match="has not yet been built"):
        optimizers.Adam().set_weights([])


def test_building_again_keeps_the_state():
    w = tf.Variable([1.0, 2.0])
    optimizer = optimizers.Adam(0.1, use_ema=True)
    optimizer.build([w])
    optimizer.apply_gradients([(tf.constant([1.0, 1.0]), w)])
    before = optimizer.get_weights()
    optimizer.build([w])
    assert len(optimizer.variables) == len(before) == 5
    for a, b in zip(optimizer.get_weights(), before, strict=True):
        np.testing.assert_array_equal(a, b)
    legacy = optimizers.legacy.Adam(0.1, use_ema=True)
    for v in (w, tf.Variable(1.0)):
        legacy.apply_gradients([(tf.ones_like(v), v)])
    assert len(legacy.variables) == 8 and legacy.variables[-1].shape == ()


def test_the_learning_rate():
    v = tf.Variable(0.0)
    optimizer = optimizers.SGD(lr=0.5)
    assert optimizer.lr.numpy() == 0.5
    optimizer.learning_rate = 0.25
    optimizer.apply_gradients([(tf.constant(1.0), v)])
    assert v.numpy() == -0.25
    optimizer.learning_rate.assign(1.0)
    optimizer.apply_gradients([(tf.constant(1.0), v)])
    assert v.numpy() == -1.25
    optimizer.lr = lambda: 2.0
    optimizer.apply_gradients([(tf.constant(1.0), v)])
    assert v.numpy() == -3.25
    decaying = optimizers.SGD(1.0, decay=1.0)
    for _ in range(3):
        decaying.apply_gradients([(tf.constant(1.0), v)])
    np.testing.assert_allclose(v, -3.25 - 1 - 1 / 2 - 1 / 3, rtol=1e-6)


def test_by_name():
    assert isinstance(optimizers.get("ADAM"), optimizers.Adam)
    assert isinstance(optimizers.get(optimizers.RMSprop), optimizers.RMSprop)
    config = {"class_name": "sgd", "config": {"learning_rate": 0.25}}
    assert optimizers.get(config).learning_rate.numpy() == 0.25
    scheduled = optimizers.SGD(optimizers.schedules.PolynomialDecay(0.5, 10))
    again = optimizers.deserialize(optimizers.serialize(scheduled))
    assert again.learning_rate.numpy() == 0.5
    with pytest.raises(ValueError, match="Could not interpret optimizer identifier: nothing"):
        optimizers.get("nothing")
    assert tf.optimizers.Adam is optimizers.Adam


def test_constraints_and_minimize():
    v = tf.Variable([1.0, -1.0], constraint=tf.keras.constraints.NonNeg())
    optimizers.SGD(0.1).minimize(lambda: tf.reduce_sum(v), [v])
    np.testing.assert_allclose(v, [0.9, 0.0])
    w = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        value = w * w
    optimizers.SGD(0.1).minimize(value, [w], tape=tape)
    np.testing.assert_allclose(w, 2.4)
    with pytest.raises(ValueError, match="`tape` is required"):
        optimizers.SGD().minimize(value, [w])


def test_weight_decay_leaves_out_what_is_excluded():
    a, b = tf.Variable(1.0, name="kernel"), tf.Variable(1.0, name="bias")
    optimizer = optimizers.SGD(0.1, weight_decay=1.0)
    optimizer.exclude_from_weight_decay(var_names=["bias"])
    optimizer.apply_gradients([(tf.constant(0.0), a), (tf.constant(0.0), b)])
    np.testing.assert_allclose([a, b], [0.9, 1.0])


class Own(optimizers.Optimizer):
    def __init__(self, learning_rate=0.1, **kwargs):
        super().__init__(learning_rate=learning_rate, **kwargs)

    def build(self, variables):
        super().build(variables)
        self.sums = self.add_optimizer_variables(variables, "sum")

    def update_step(self, gradient, variable, learning_rate):
        total = self.sums[self._get_variable_index(variable)]
        self.assign_add(total, gradient)
        self.assign_sub(variable, total * tf.cast(learning_rate, variable.dtype))


def test_an_optimizer_of_ones_own():
    for wrap in (lambda f: f, tf.function):
        v, optimizer = tf.Variable(1.0), Own()
        run = wrap(lambda o=optimizer, v=v: o.apply_gradients([(tf.constant(1.0), v)]))
        run()
        run()
        np.testing.assert_allclose(v, 0.7, rtol=1e-6)
