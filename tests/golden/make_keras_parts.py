"""Writes keras_parts.json: what initializers, activations, regularizers and constraints of Keras 3 give.

Run it with a Python that has TensorFlow: `python tests/golden/make_keras_parts.py`. The tests import no TensorFlow.
"""

from __future__ import annotations

import json
import pathlib
import warnings
from typing import Any

PATH = pathlib.Path(__file__).with_name("keras_parts.json")

INITIALIZERS = [
    "Zeros()([2, 3])",
    "Ones()([2], dtype='int32')",
    "Constant(0.5)([2, 2])",
    "Identity(2.0)([2, 3])",
    "RandomNormal(0.5, 2.0, seed=1)([2, 3])",
    "RandomUniform(-1.0, 2.0, seed=2)([2, 3])",
    "TruncatedNormal(0.5, 2.0, seed=3)([3, 3])",
    "VarianceScaling(2.0, 'fan_out', 'untruncated_normal', seed=4)([2, 3])",
    "VarianceScaling(0.5, 'fan_avg', 'uniform', seed=5)([2, 3, 4])",
    "GlorotNormal(seed=6)([2, 3])",
    "GlorotUniform(seed=7)([2, 3])",
    "GlorotUniform(seed=7)([4])",
    "HeNormal(seed=8)([3, 3, 2, 4])",
    "HeUniform(seed=9)([2, 3])",
    "LecunNormal(seed=10)([2, 3])",
    "LecunUniform(seed=11)([2, 3], dtype='float64')",
    "Orthogonal(2.0, seed=12)([4, 3])",
    "Orthogonal(seed=13)([2, 3, 2])",
    "get('he_normal').__class__(seed=3)([2, 2])",
    "GlorotUniform(seed=random.SeedGenerator(5))([2, 2])",
    "Identity()([2])",
    "Orthogonal()([2])",
    "VarianceScaling(-1.0)",
    "VarianceScaling(mode='fan')",
]
RANDOM = [
    "normal([3], seed=1)",
    "uniform([3], -1.0, 1.0, seed=2)",
    "truncated_normal([3], seed=3)",
    "randint([5], 0, 10, seed=4)",
    "categorical([[0.0, 1.0, 2.0]], 5, seed=5)",
    "shuffle([[1], [2], [3], [4]], seed=6)",
    "gamma([3], 2.0, seed=7)",
    "beta([3], 2.0, 3.0, seed=8)",
    "binomial([3], 5.0, 0.3, seed=9)",
    "dropout([1.0, 1.0, 1.0, 1.0], 0.5, seed=10)",
]
ACTIVATIONS = [
    *"celu elu exponential gelu hard_shrink hard_sigmoid hard_silu hard_tanh leaky_relu linear log_sigmoid".split(),
    *"log_softmax mish relu relu6 selu sigmoid silu soft_shrink softmax softplus softsign sparse_plus".split(),
    *"sparse_sigmoid squareplus tanh tanh_shrink glu".split(),
]
ACTIVATION_CALLS = [f"{name}(x)" for name in ACTIVATIONS] + [
    "relu(x, 0.2, 1.5, 0.3)",
    "relu(x, max_value=6)",
    "relu(x, 0.1, threshold=0.25)",
    "elu(x, 0.5)",
    "celu(x, 2.0)",
    "gelu(x, approximate=True)",
    "softmax(x, axis=0)",
    "squareplus(x, b=1)",
    "threshold(x, 0.1, 20.0)",
]
REGULARIZERS = [
    "L1(0.3)",
    "L2(0.3)",
    "L1L2(0.1, 0.2)",
    "L1L2()",
    "OrthogonalRegularizer(0.5)",
    "OrthogonalRegularizer(0.5, 'columns')",
    "get('l2')",
    "L1(-1.0)",
]
CONSTRAINTS = [
    "MaxNorm(1.5)",
    "MaxNorm(1.5, axis=1)",
    "NonNeg()",
    "UnitNorm()",
    "MinMaxNorm(0.5, 1.0, 0.7, axis=1)",
]
X = [[-3.0, -1.2, -0.5, 0.0], [0.3, 1.0, 2.0, 7.0]]


def evaluated(tf: Any, module: str, text: str) -> dict[str, Any]:
    """The value, and of functions of x the gradient of its sum; or the type of the error."""
    keras = tf.keras
    x = tf.Variable(X)
    names = {**vars(getattr(keras, module)), "get": getattr(getattr(keras, module), "get", None)}
    names.update(random=keras.random, np=__import__("numpy"))
    try:
        with tf.GradientTape() as tape:
            names["x"] = x.value()
            value = eval(text, names)
            value = value(x.value()) if module in ("regularizers", "constraints") else value
            value = tf.convert_to_tensor(value)
            total = tf.reduce_sum(value) if value.dtype.is_floating else None
        slope = tape.gradient(total, x) if total is not None else None
    except Exception as error:
        return {"error": type(error).__name__}
    found = {"value": value.numpy().tolist(), "dtype": value.dtype.name}
    return found if slope is None else {**found, "gradient": slope.numpy().tolist()}


def cases() -> list[tuple[str, str]]:
    groups = {
        "initializers": INITIALIZERS,
        "random": RANDOM,
        "activations": ACTIVATION_CALLS,
        "regularizers": REGULARIZERS,
        "constraints": CONSTRAINTS,
    }
    return [(module, text) for module, texts in groups.items() for text in texts]


def main() -> None:
    import tensorflow as tf

    warnings.simplefilter("ignore")
    rows = [json.dumps({"module": m, "text": text, **evaluated(tf, m, text)}) for m, text in cases()]
    PATH.write_text(f'{{"x": {X},\n"rows": [\n' + ",\n".join(rows) + "\n]}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
