"""Writes keras_optimizers.json: five steps of each optimizer of Keras 3, and the rates of its schedules.

Run it with a Python that has TensorFlow: `python tests/golden/make_keras_optimizers.py`. The tests import none.
"""

from __future__ import annotations

import json
import pathlib
import warnings
from typing import Any

PATH = pathlib.Path(__file__).with_name("keras_optimizers.json")
STEPS = 5

OPTIMIZERS = [
    "SGD(0.1)",
    "SGD(0.1, momentum=0.9)",
    "SGD(0.1, momentum=0.9, nesterov=True)",
    "SGD(0.1, clipnorm=0.5)",
    "SGD(0.1, clipvalue=0.3)",
    "SGD(0.1, global_clipnorm=0.5)",
    "SGD(0.1, weight_decay=0.1)",
    "SGD(0.1, use_ema=True, ema_momentum=0.8)",
    "SGD(0.1, use_ema=True, ema_momentum=0.8, ema_overwrite_frequency=2)",
    "SGD(0.1, momentum=0.5, gradient_accumulation_steps=2)",
    "SGD(schedules.ExponentialDecay(0.1, 2, 0.5))",
    "RMSprop(0.1)",
    "RMSprop(0.1, rho=0.8, momentum=0.5, epsilon=1e-3)",
    "RMSprop(0.1, momentum=0.3, centered=True)",
    "Adam(0.1)",
    "Adam(0.05, beta_1=0.8, beta_2=0.95, epsilon=1e-3)",
    "Adam(0.1, amsgrad=True)",
    "Adam(0.1, gradient_accumulation_steps=3, clipnorm=0.5)",
    "AdamW(0.1)",
    "AdamW(0.1, weight_decay=0.2)",
    "Adamax(0.1)",
    "Nadam(0.1)",
    "Adagrad(0.5)",
    "Adagrad(0.5, initial_accumulator_value=0.0, epsilon=1e-3)",
    "Adadelta(1.0, epsilon=1e-3)",
    "Adafactor(0.1)",
    "Adafactor(0.5, relative_step=False, clip_threshold=0.5)",
    "Ftrl(0.1)",
    "Ftrl(0.5, learning_rate_power=-0.6, initial_accumulator_value=0.2, l1_regularization_strength=0.1, "
    "l2_regularization_strength=0.2, l2_shrinkage_regularization_strength=0.05, beta=0.3)",
    "Lion(0.1)",
    "Lamb(0.1)",
    "Muon(0.1)",
    "Muon(0.1, nesterov=False, rms_rate=None, adam_lr_ratio=0.5, adam_weight_decay=None, weight_decay=0.1, ns_steps=3)",
    "Muon(0.1, exclude_layers=['tab'])",
    "ScheduleFreeAdamW(0.1)",
    "ScheduleFreeAdamW(0.1, beta_1=0.8, warmup_steps=3, weight_decay=0.1)",
]
SCHEDULES = [
    "ExponentialDecay(0.1, 10, 0.5)",
    "ExponentialDecay(0.1, 10, 0.5, staircase=True)",
    "InverseTimeDecay(0.1, 10, 0.5)",
    "InverseTimeDecay(0.1, 10, 0.5, staircase=True)",
    "PolynomialDecay(0.1, 10, 0.01, power=2.0)",
    "PolynomialDecay(0.1, 10, 0.01, cycle=True)",
    "PiecewiseConstantDecay([5, 10], [1.0, 0.5, 0.1])",
    "CosineDecay(0.1, 15)",
    "CosineDecay(0.1, 15, alpha=0.1)",
    "CosineDecay(0.0, 10, warmup_target=0.2, warmup_steps=5)",
    "CosineDecayRestarts(0.1, 5)",
    "CosineDecayRestarts(0.1, 5, t_mul=1.0, m_mul=0.8, alpha=0.05)",
    "CosineDecayRestarts(0.1, 4, t_mul=1.5, m_mul=0.9)",
]
AT = [0, 1, 3, 5, 7, 10, 11, 20, 25]


def trained(tf: Any, text: str) -> dict[str, Any]:
    """The variables after each step: a matrix, a vector, a scalar, and a table of which rows are looked up twice."""
    names = {**vars(tf.keras.optimizers), "schedules": tf.keras.optimizers.schedules}
    optimizer = eval(text, names)
    x = tf.constant([[1.0, -2.0, 0.5], [0.3, 0.7, -1.1]])
    y = tf.constant([[0.5, 1.0], [-1.0, 2.0]])
    new = tf.keras.Variable if "Muon" in text else tf.Variable  # it asks variables for their paths
    w = new([[0.1, -0.4], [0.3, 0.8], [-0.2, 0.5]], name="w")
    b, scale = new([0.2, -0.3], name="b"), new(0.7, name="scale")
    table = new([[1.0, 2.0], [3.0, -1.0], [0.5, 0.25], [2.0, 1.0]], name="table")
    variables = [w, b, scale, table]
    values = []
    for step in range(STEPS):
        with tf.GradientTape() as tape:
            rows = tf.gather(table, [[2, 0, 2], [1, 1, 0], [0, 0, 0], [3, 2, 1], [2, 1, 1]][step])
            loss = tf.reduce_mean((scale * tf.matmul(x, w) + b - y) ** 2) + 0.3 * tf.reduce_sum(rows * rows)
        optimizer.apply_gradients(
            zip(
                tape.gradient(loss, [getattr(v, "value", v) if "Muon" in text else v for v in variables]),
                variables,
            )
        )
        values.append([v.numpy().tolist() for v in variables])
    config = {
        key: value for key, value in optimizer.get_config().items() if key not in ("name", "learning_rate")
    }
    return {"values": values, "config": config, "iterations": int(optimizer.iterations)}


def main() -> None:
    import tensorflow as tf

    warnings.simplefilter("ignore")
    rows = [json.dumps({"text": text, **trained(tf, text)}) for text in OPTIMIZERS]
    made = {text: eval(text, vars(tf.keras.optimizers.schedules)) for text in SCHEDULES}
    rates = [json.dumps({"text": text, "rates": [float(rate(i)) for i in AT]}) for text, rate in made.items()]
    text = '{{"at": {},\n"optimizers": [\n{}\n],\n"schedules": [\n{}\n]}}\n'
    PATH.write_text(text.format(AT, ",\n".join(rows), ",\n".join(rates)), encoding="utf-8")


if __name__ == "__main__":
    main()
