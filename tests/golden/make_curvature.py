"""Writes curvature.json: of which second and third derivatives TensorFlow 2.21 gives zeros, and of which None.

For tests/autodiff/test_vanishing.py. Run it with a Python that has TensorFlow: `python tests/golden/make_curvature.py`.
The tests read the JSON and use the tables of this file; they import no TensorFlow.
"""

from __future__ import annotations

import json
import pathlib
from typing import Any

import numpy as np

PATH = pathlib.Path(__file__).with_name("curvature.json")
POINTS = np.array([[-1.3, 0.4, 2.2, 7.5], [0.7, -0.2, -3.1, 0.9]], np.float32)
MATRIX = np.sin(np.arange(12.0).reshape(4, 3)).astype(np.float32)
ORDERS = 3


def programs(tf: Any) -> dict[str, Any]:
    """Functions of POINTS that are made of straight pieces, and some that are not."""
    nn, keras = tf.nn, tf.keras
    image = lambda x: tf.reshape(x, [1, 2, 4, 1])
    return {
        **{name: getattr(nn, name) for name in "relu relu6 leaky_relu crelu elu selu".split()},
        **{f"keras {name}": getattr(keras.activations, name) for name in "relu relu6 leaky_relu elu selu".split()},
        "keras relu with all": lambda x: keras.activations.relu(x, 0.1, 3.0, 0.5),
        "keras hard_sigmoid": keras.activations.hard_sigmoid,
        "keras hard_silu": keras.activations.hard_silu,
        "keras hard_tanh": keras.activations.hard_tanh,
        "hinge_loss": lambda x: tf.compat.v1.losses.hinge_loss(tf.constant(POINTS > 0), x),
        "max_pool1d": lambda x: nn.max_pool1d(tf.reshape(x, [1, 8, 1]), 2, 2, "VALID"),
        "max_pool2d": lambda x: nn.max_pool2d(image(x), 2, 1, "VALID"),
        "max_pool3d": lambda x: nn.max_pool3d(tf.reshape(x, [1, 2, 2, 2, 1]), 2, 2, "VALID"),
        "avg_pool2d": lambda x: nn.avg_pool2d(image(x), 2, 1, "VALID"),
        "abs": tf.abs,
        "sign": tf.sign,
        "clip_by_value": lambda x: tf.clip_by_value(x, -1.0, 1.0),
        "maximum": lambda x: tf.maximum(x, 0.3),
        "minimum": lambda x: tf.minimum(0.3, x),
        "reduce_max": lambda x: tf.reduce_max(x, 1),
        "sort": lambda x: tf.sort(x, axis=1),
        "where": lambda x: tf.where(x > 0, x, 2 * x),
        "floormod": lambda x: tf.math.floormod(x, 0.7),
        "negative": tf.negative,
        "square": tf.square,
        "relu of products": lambda x: nn.relu(tf.matmul(x, tf.constant(MATRIX))),
        "relu, scaled": lambda x: nn.relu(x) * 3.0 + 1.0,
        "relu of a square": lambda x: nn.relu(x * x - 1.0),
        "abs of relu": lambda x: tf.abs(nn.relu(x)),
        "leaky_relu, broadcast": lambda x: nn.leaky_relu(x[0] - x[1]),
        "relu of a constant": lambda x: nn.relu(tf.stop_gradient(x)) * x,
        "relu in a branch": lambda x: tf.cond(tf.reduce_sum(x) > 0, lambda: nn.relu(x), lambda: x),
        "relu in a loop": lambda x: tf.while_loop(
            lambda i, y: i < 2, lambda i, y: (i + 1, nn.relu(y) * 1.5), (tf.constant(0), x)
        )[1],
        "relu in a map": lambda x: tf.map_fn(nn.relu, x),
        "relu in a function": tf.function(lambda x: nn.relu(x)),
    }  # fmt: skip


def word(g: Any) -> str:
    """What a derivative is."""
    if g is None:
        return "none"
    return "numbers" if np.any(np.asarray(g)) else "zeros"


def nested(tf: Any, f: Any, x: Any, order: int = ORDERS) -> list[Any]:
    """The derivatives of the sum, from the first order on: None from where on there is none."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        lower = [tf.reduce_sum(f(x))] if order == 1 else nested(tf, f, x, order - 1)
        target = lower[-1]
    g = None if target is None else tape.gradient(target, x)
    return [g] if order == 1 else [*lower, g]


def _eager(tf: Any, f: Any) -> list[str]:
    return [word(g) for g in nested(tf, f, tf.constant(POINTS))]


def _function(tf: Any, f: Any) -> list[str]:
    missing: list[bool] = []

    @tf.function(autograph=False)
    def run(x: Any) -> Any:
        found = nested(tf, f, x)
        missing[:] = [g is None for g in found]
        return [tf.zeros([]) if g is None else g for g in found]

    found = run(tf.constant(POINTS))
    return ["none" if lacks else word(g) for lacks, g in zip(missing, found, strict=True)]


def _session(tf: Any, f: Any) -> list[str]:
    with tf.Graph().as_default():
        x = tf.compat.v1.placeholder(tf.float32, [2, 4])
        y, found = f(x), []
        for _ in range(ORDERS):
            y = None if y is None else tf.gradients(y, x)[0]
            found.append(y)
        with tf.compat.v1.Session() as session:
            return [word(None if g is None else session.run(g, {x: POINTS})) for g in found]


def _hessians(tf: Any, f: Any) -> list[str]:
    with tf.Graph().as_default():
        x = tf.compat.v1.placeholder(tf.float32, [2, 4])
        (h,) = tf.compat.v1.hessians(tf.reduce_sum(f(x)), x)
        with tf.compat.v1.Session() as session:
            return [word(session.run(h, {x: POINTS}))]


def _by_tape(how: str) -> Any:
    def answer(tf: Any, f: Any) -> list[str]:
        x = tf.constant(POINTS)
        with tf.GradientTape() as tape:
            tape.watch(x)
            (g,) = nested(tf, f, x, 1)
        return [word(getattr(tape, how)(g, x))]

    return answer


def _forward(tf: Any, f: Any) -> list[str]:
    x = tf.constant(POINTS)
    with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
        (g,) = nested(tf, f, x, 1)
    return [word(accumulator.jvp(g))]


MODES = {
    "eager": _eager,
    "function": _function,
    "session": _session,
    "hessians": _hessians,
    "jacobian": _by_tape("jacobian"),
    "batch_jacobian": _by_tape("batch_jacobian"),
    "forward": _forward,
}


def main() -> None:
    import tensorflow as tf

    found: dict[str, Any] = {}
    for name, f in programs(tf).items():
        for mode, answer in MODES.items():
            try:
                found.setdefault(name, {})[mode] = answer(tf, f)
            except (LookupError, ValueError, TypeError) as error:
                found[name][mode] = type(error).__name__
    PATH.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
