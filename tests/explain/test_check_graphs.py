"""Gradients in graphs against differences: `gradtape run --check` and `tf.debugging.check_gradients`."""

from __future__ import annotations

import numpy as np
import pytest
from explain.test_reports import run

import gradtape as tf
from gradtape._src.graph import verify

v1 = tf.compat.v1


@pytest.fixture(autouse=True)
def replays_are_in_float64(monkeypatch):
    monkeypatch.setattr(verify, "during_execution", False)


@tf.custom_gradient
def wrong_square(x):
    return x * x, lambda dy: dy * x  # should be 2 x


def stopped(x):
    return x * tf.stop_gradient(x)


RIGHT = {
    "layers": lambda x: tf.reduce_mean(tf.nn.softplus(tf.matmul(x, tf.ones([3, 2])))),
    "a stopped gradient": stopped,
    "a stopped gradient in a function": tf.function(stopped),
    "a stopped gradient in a loop": lambda x: tf.while_loop(
        lambda i, y: i < 2, lambda i, y: (i + 1, stopped(y)), [0, x]
    )[1],
    "a loop": lambda x: tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.sin(y) * x), [0, x])[1],
    "a scan": lambda x: tf.scan(lambda a, e: a * tf.cos(e), x, tf.ones([3])),
    "a branch": lambda x: tf.cond(tf.reduce_sum(x) > 0, lambda: tf.exp(x), lambda: x),
    "a function": tf.function(lambda x: tf.exp(x) * x),
    "rows": lambda x: tf.gather(x, [0, 0]) ** 2,
    "random numbers": lambda x: x * tf.random.uniform([2, 3]) ** 2,
    "random numbers in a function": tf.function(lambda x: x * tf.random.uniform([2, 3]) ** 2),
    "a derivative": lambda x: v1.gradients(tf.sin(x) * x, x)[0],
    "a kink": lambda x: tf.nn.relu(x - 0.5),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right(name):
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [2, 3])
        w = v1.get_variable("w", initializer=tf.constant([0.3, 0.5, 0.7]))
        session.run(v1.global_variables_initializer())
        y = RIGHT[name](x * w)
        found = tf.debugging.check_gradients(y, [x, w], {x: np.full([2, 3], 1.25)})
        assert [one.ok for one in found] == [True, True], found
        if "random" not in name and "loop" not in name:
            assert all(one.measured or one.given == 0.0 for one in found)


WRONG = {
    "plain": lambda x: wrong_square(x),
    "in a function": tf.function(lambda x: tf.exp(wrong_square(x))),
    "in a loop": lambda x: tf.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, wrong_square(y)), [0, x])[
        1
    ],
    "in a branch": lambda x: tf.cond(tf.reduce_sum(x) > 0, lambda: wrong_square(x), lambda: x),
    "before a function": lambda x: tf.function(tf.sin)(wrong_square(x)),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong(name):
    with tf.Graph().as_default(), v1.Session():
        x = v1.placeholder(tf.float32, [2])
        y = WRONG[name](x)
        found = tf.debugging.check_gradients(y, x, {x: [1.0, 0.5]})
    assert not found.ok and "custom_gradient" in found.message
    assert found.file == __file__ and "wrong_square(" in found.text


def test_weights_and_stops():
    with tf.Graph().as_default(), v1.Session():
        x = v1.placeholder(tf.float32, [2])
        h = tf.exp(x)
        options = {"grad_ys": tf.constant([2.0, -3.0]), "stop_gradients": [h]}
        found = tf.debugging.check_gradients(h * x, x, {x: [1.0, 0.5]}, **options)
        assert found.ok and found.measured != 0.0
    with pytest.raises(ValueError, match="session"):
        tf.debugging.check_gradients(x, x)


SCRIPT = """\
import numpy as np
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
@tf.custom_gradient
def square(x):
    return x * x, lambda dy: dy * x
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [None, 2])
w = tf.get_variable("w", [2, 3])
h = tf.nn.dropout(tf.matmul(x, w), 0.5)
train = tf.train.AdamOptimizer().minimize(tf.reduce_mean(h ** 2))
bad = tf.reduce_sum(
    square(h))
more = tf.train.GradientDescentOptimizer(0.1).minimize(bad)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(3):
        session.run([train, more], {x: np.ones([4, 2])})
    print(session.run([w, h], {x: np.ones([4, 2])}))
"""


def test_run_check_of_a_training_program(tmp_path):
    path, plain = run(tmp_path, script=SCRIPT)
    _, done = run(tmp_path, "--check", script=SCRIPT)
    assert done.stdout == plain.stdout and done.returncode == 0
    *_, report, last = done.stderr.splitlines()
    assert report.startswith(f"{path}:13: gradient by w is wrong: ") and "custom_gradient" in report
    assert last == "gradtape: 2 gradients checked, 1 wrong"


TRAIN_STEP = """\
import numpy as np
import tensorflow as tf
tf.keras.utils.set_random_seed(1)
@tf.custom_gradient
def square(x):
    return x * x, lambda dy: dy * x
model = tf.keras.Sequential([tf.keras.layers.Dense(3, activation="relu"), tf.keras.layers.Dropout(0.5)])
optimizer = tf.keras.optimizers.SGD(0.1)
@tf.function
def step(x):
    with tf.GradientTape() as tape:
        h = model(x, training=True)
        loss = tf.reduce_sum(square(h))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss
for _ in range(3):
    print(step(tf.ones([4, 2])).numpy())
"""


def test_run_check_of_a_tape_in_a_function(tmp_path):
    path, plain = run(tmp_path, script=TRAIN_STEP)
    _, done = run(tmp_path, "--check", script=TRAIN_STEP)
    assert done.stdout == plain.stdout and done.returncode == 0
    *reports, last = done.stderr.splitlines()
    assert reports and all(line.startswith(f"{path}:13: gradient by ") for line in reports)
    assert last == "gradtape: 1 gradients checked, 1 wrong"
    _, right = run(tmp_path, "--check", script=TRAIN_STEP.replace("dy * x", "dy * 2 * x"))
    assert right.stderr == "gradtape: 1 gradients checked, 0 wrong\n"


def test_run_check_names_a_registered_gradient(tmp_path):
    script = """\
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
@tf.RegisterGradient("Wrong")
def wrong(op, grad):
    return grad * op.inputs[0]
x = tf.placeholder(tf.float32, [2])
with tf.get_default_graph().gradient_override_map({"Square": "Wrong"}):
    y = tf.square(x)
with tf.Session() as session:
    print(session.run(tf.gradients(tf.exp(y), x), {x: [1.0, 0.5]}))
"""
    path, done = run(tmp_path, "--check", script=script)
    report = done.stderr.splitlines()[-2]
    assert report.startswith(f"{path}:8: gradient by x is wrong: ") and "registered as 'Wrong'" in report


def test_run_check_of_a_function_that_computes_more_than_its_loss(tmp_path):
    script = """\
import tensorflow as tf
w, v = tf.Variable(2.0), tf.Variable(3.0)
@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = w * w * x
        unused = tf.sin(v) * loss
    w.assign_sub(0.1 * tape.gradient(loss, [w, v])[0])
    return loss
print(step(tf.constant(1.0)).numpy())
"""
    _, done = run(tmp_path, "--check", script=script)
    assert (done.returncode, done.stdout) == (0, "4.0\n")
    assert done.stderr == "gradtape: 1 gradients checked, 0 wrong\n"
