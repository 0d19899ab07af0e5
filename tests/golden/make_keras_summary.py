"""Writes keras_summary.json: the tables that `model.summary()` of Keras 3 prints, for a terminal of 130 columns.

Run it with a Python that has TensorFlow: `COLUMNS=130 python tests/golden/make_keras_summary.py`.
The tests import none.
"""

from __future__ import annotations

import json
import pathlib
from typing import Any

PATH = pathlib.Path(__file__).with_name("keras_summary.json")
KWARGS = [{}, {"line_length": 61}, {"show_trainable": True}, {"expand_nested": True}]


def models(tf: Any) -> list[Any]:
    """Models whose summaries differ in kind: branches, a model in a model, a row of layers, a subclass."""
    K, L = tf.keras, tf.keras.layers
    K.backend.clear_session()
    x = start = K.Input((8, 8, 3), name="a_rather_long_input_name")
    x = L.DepthwiseConv2D(3)(x)
    left, right = L.Conv2D(6, 3)(x), L.SeparableConv2D(6, 3)(x)
    joined = L.Concatenate()([left, right, L.Add()([left, right])])
    branches = K.Model(start, [L.BatchNormalization()(L.GlobalMaxPooling2D()(joined)), left], name="branches")
    outer = K.Input((8, 8, 3))
    pooled, image = branches(outer)
    nested = K.Model(outer, [L.Dense(2)(pooled), image], name="nested")
    row = K.Sequential([K.Input((8, 8, 3)), L.Conv2D(3, 3), L.Flatten(), L.Dense(1000)], name="row")
    row.compile("adam", "mse")
    start = K.Input((3,))
    several = K.Model(start, [L.Dense(2)(start), L.Dense(4)(start)], name="several")

    class Own(K.Model):
        def __init__(self) -> None:
            super().__init__(name="own")
            self.part, self.last = several, L.Dense(2)

        def call(self, x: Any) -> Any:
            return self.last(self.part(x)[1])

    own = Own()
    own(tf.ones([1, 3]))
    return [branches, nested, row, own]


def lines(model: Any, kwargs: Any) -> list[str]:
    """What the summary prints."""
    printed: list[str] = []
    model.summary(print_fn=lambda text, line_break=True: printed.append(text), **kwargs)
    return [line.rstrip() for line in "\n".join(printed).rstrip().split("\n")]


def main() -> None:
    import tensorflow as tf

    found = [[lines(model, kwargs) for kwargs in KWARGS] for model in models(tf)]
    PATH.write_text(json.dumps(found, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
