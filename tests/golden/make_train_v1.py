"""Writes train_v1.json: five training steps with each optimizer of tf.compat.v1 2.21, and its learning rates.

Run it with a Python that has TensorFlow: `python tests/golden/make_train_v1.py`. The tests import no TensorFlow.
"""

from __future__ import annotations

import json
import pathlib
from contextlib import nullcontext
from typing import Any

PATH = pathlib.Path(__file__).with_name("train_v1.json")
STEPS = 5

OPTIMIZERS = {
    "GradientDescent": "GradientDescentOptimizer(0.1)",
    "Momentum": "MomentumOptimizer(0.1, 0.9)",
    "Nesterov": "MomentumOptimizer(0.1, 0.9, use_nesterov=True)",
    "Adam": "AdamOptimizer(0.1)",
    "Adam with other numbers": "AdamOptimizer(0.05, beta1=0.8, beta2=0.95, epsilon=1e-3)",
    "RMSProp": "RMSPropOptimizer(0.1)",
    "RMSProp with momentum": "RMSPropOptimizer(0.1, momentum=0.5)",
    "RMSProp centered": "RMSPropOptimizer(0.1, decay=0.8, momentum=0.3, epsilon=1e-5, centered=True)",
    "Adagrad": "AdagradOptimizer(0.5)",
    "Adadelta": "AdadeltaOptimizer(1.0, epsilon=1e-3)",
}

RATES = [
    "exponential_decay(0.1, step, 10, 0.5)",
    "exponential_decay(0.1, step, 10, 0.5, staircase=True)",
    "natural_exp_decay(0.1, step, 10, 0.5)",
    "inverse_time_decay(0.1, step, 10, 0.5)",
    "inverse_time_decay(0.1, step, 10, 0.5, staircase=True)",
    "polynomial_decay(0.1, step, 10, 0.01, power=2.0)",
    "polynomial_decay(0.1, step, 10, 0.01, cycle=True)",
    "cosine_decay(0.1, step, 15, alpha=0.1)",
    "piecewise_constant(step, [5, 10], [1.0, 0.5, 0.1])",
]
LOSSES = [
    "mean_squared_error(y, p)",
    "mean_squared_error(y, p, weights=2.0)",
    "mean_squared_error(y, p, [[1.0], [0.0]])",
    "mean_squared_error(y, p, [[1.0], [0.5]], reduction=losses.Reduction.MEAN)",
    "mean_squared_error(y, p, reduction=losses.Reduction.SUM)",
    "mean_squared_error(y, p, reduction=losses.Reduction.NONE)",
    "mean_squared_error(y, p, [[0.5], [0.0]], reduction=losses.Reduction.SUM_OVER_BATCH_SIZE)",
    "mean_squared_error(y, p, 0.0)",
    "absolute_difference(y, p)",
    "huber_loss(y, p, delta=0.5)",
    "log_loss(y, p)",
    "hinge_loss(y, p)",
    "cosine_distance(y, p, axis=1)",
    "sigmoid_cross_entropy(y, p)",
    "sigmoid_cross_entropy(y, p, label_smoothing=0.2)",
    "softmax_cross_entropy(y, p)",
    "softmax_cross_entropy(y, p, [1.0, 0.0], label_smoothing=0.2)",
    "sparse_softmax_cross_entropy([2, 0], p)",
    "sparse_softmax_cross_entropy([[2], [0]], p, [[1.0], [0.25]])",
    "mean_squared_error(y, [1.0])",
    "mean_squared_error(y, p, [1.0, 2.0])",
    "mean_squared_error(y, None)",
    "mean_squared_error(y, p, reduction='sum')",
]
AT = [0, 3, 5, 10, 11, 20, 25]


def trained(tf: Any, text: str, graph: bool, dtype: str = "float32") -> dict[str, Any]:
    """The values after each step, and the names of the variables of the optimizer."""
    v1 = tf.compat.v1
    x = tf.constant([[1.0, -2.0, 0.5], [0.3, 0.7, -1.1]], dtype)
    y = tf.constant([[0.5, 1.0], [-1.0, 2.0]], dtype)
    w = tf.Variable(tf.constant([[0.1, -0.4], [0.3, 0.8], [-0.2, 0.5]], dtype), name="w")
    table = tf.Variable(tf.constant([[1.0, 2.0], [3.0, -1.0], [0.5, 0.25], [2.0, 1.0]], dtype), name="table")
    step = v1.train.get_or_create_global_step() if graph else tf.Variable(0, trainable=False, dtype=tf.int64)

    def loss() -> Any:
        rows = tf.gather(table, [2, 0, 2])
        return tf.reduce_mean((tf.matmul(x, w) - y) ** 2) + tf.reduce_sum(rows * rows) * tf.constant(
            0.3, dtype
        )

    optimizer: Any = eval(f"train.{text}", {"train": v1.train})
    kept = [w, table, step]
    values = []
    if graph:
        train = optimizer.minimize(loss(), global_step=step)
        kept += optimizer.variables()
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            for _ in range(STEPS):
                session.run(train)
                values.append([v.tolist() for v in session.run(kept)])
    else:
        for i in range(STEPS):
            optimizer.minimize(loss, global_step=step, var_list=[w, table])
            kept += optimizer.variables() if i == 0 else []
            values.append([v.numpy().tolist() for v in kept])
    return {
        "names": [v.name for v in optimizer.variables()],
        "slots": optimizer.get_slot_names(),
        "values": values,
    }


def rates(tf: Any) -> dict[str, list[float]]:
    """Learning rates at some steps, in a graph."""
    found: dict[str, list[float]] = {rate: [] for rate in RATES}
    v1 = tf.compat.v1
    for rate, values in found.items():
        with tf.Graph().as_default(), v1.Session() as session:
            step = v1.placeholder(tf.int64, [])
            tensor = eval(f"train.{rate}", {"train": v1.train, "step": step})
            values += [float(session.run(tensor, {step: at})) for at in AT]
    return found


def losses(tf: Any, graph: bool) -> dict[str, Any]:
    """Losses of a batch, or the exceptions' types."""
    found: dict[str, Any] = {}
    for text in LOSSES:
        with tf.Graph().as_default() if graph else nullcontext():
            y = tf.constant([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
            p = tf.constant([[0.25, 0.5, 0.125], [0.75, 0.1, 0.2]])
            names = {"losses": tf.compat.v1.losses, "y": y, "p": p}
            try:
                loss = eval(f"losses.{text}", names)
            except ValueError as error:
                found[text] = type(error).__name__
                continue
            if graph:
                with tf.compat.v1.Session() as session:
                    found[text] = session.run(tf.compat.v1.losses.get_total_loss()).tolist()
            else:
                found[text] = loss.numpy().tolist()
    return found


def averages(tf: Any) -> list[Any]:
    """Moving averages of a variable and of a tensor."""
    v1 = tf.compat.v1
    found = []
    for options in ({}, {"zero_debias": True}, {"step": True}):
        with tf.Graph().as_default(), v1.Session() as session:
            step = v1.train.get_or_create_global_step()
            given = {"num_updates": step} if options.pop("step", False) else options
            v = v1.get_variable("v", initializer=[1.0, 2.0])
            t = v1.identity(v * v, name="t")
            ema = v1.train.ExponentialMovingAverage(0.9, **given)
            update = ema.apply([v, t])
            change = v1.group(v.assign_add([1.0, -0.5]), step.assign_add(1))
            names = sorted(x.name for x in v1.global_variables())
            names += [ema.average_name(v), ema.average_name(t), *sorted(ema.variables_to_restore())]
            session.run(v1.global_variables_initializer())
            values = []
            for _ in range(3):
                session.run(update)
                values.append([x.tolist() for x in session.run([ema.average(v), ema.average(t)])])
                session.run(change)
            found.append([names, values])
    return found


def everything(tf: Any) -> dict[str, Any]:
    """What is compared."""
    found: dict[str, Any] = {"graph": {}, "eager": {}, "float64": {}}
    for name, optimizer in OPTIMIZERS.items():
        for dtype, key in (("float32", "graph"), ("float64", "float64")):
            with tf.Graph().as_default():
                found[key][name] = trained(tf, optimizer, graph=True, dtype=dtype)
        found["eager"][name] = trained(tf, optimizer, graph=False)
    found["rates"] = rates(tf)
    found["averages"] = averages(tf)
    found["losses"] = {kind: losses(tf, kind == "graph") for kind in ("graph", "eager")}
    return found


if __name__ == "__main__":
    import tensorflow

    PATH.write_text(json.dumps(everything(tensorflow), indent=None) + "\n", encoding="utf-8")
