"""Writes keras_recurrent.json: what Keras 3 gives for recurrent layers, their gradients and five training steps.

Run it with a Python that has TensorFlow. The rows and `run` are used by the tests as well, which import no TensorFlow.
"""

from __future__ import annotations

import json
import pathlib
from typing import Any

import numpy as np

PATH = pathlib.Path(__file__).with_name("keras_recurrent.json")


def numbers(*shape: int, phase: float = 0.0) -> np.ndarray:
    """Numbers in ±1 that look like no others."""
    n = int(np.prod(shape))
    return np.sin(np.arange(n) * 1.7 + n + phase).reshape(shape).astype(np.float32)


X, IMAGES = numbers(3, 4, 2), numbers(3, 4, 3, 4, 1)
MASK = np.array([[1, 1, 1, 1], [0, 1, 0, 1], [1, 1, 0, 0]], bool)
H = [numbers(3, 2, phase=1.0)]
HS = [numbers(3, 2, phase=1.0), numbers(3, 2, phase=2.0)]

SEQUENCES = "return_sequences=True"
ALL = "return_sequences=True, return_state=True"
_KINDS = {"SimpleRNN": "H", "GRU": "H", "LSTM": "HS"}

ROWS: list[tuple[str, str]] = [
    *((f"L.{kind}(2)", "") for kind in _KINDS),
    *((f"L.{kind}(2, {ALL})", f"initial_state={states}") for kind, states in _KINDS.items()),
    *((f"L.{kind}(2, {ALL})", f"mask=MASK, initial_state={states}") for kind, states in _KINDS.items()),
    *((f"L.{kind}(2, {ALL}, zero_output_for_mask=True)", "mask=MASK") for kind in _KINDS),
    *((f"L.{kind}(2, go_backwards=True, {SEQUENCES})", "mask=MASK") for kind in _KINDS),
    *((f"L.{kind}(2, use_bias=False, unroll=True, {SEQUENCES})", "") for kind in _KINDS),
    *((f"L.{kind}(2, activation='relu', {ALL})", f"mask=MASK, initial_state={s}") for kind, s in _KINDS.items()),
    *((f"L.RNN(L.{kind}Cell(2), {ALL})", f"initial_state={states}") for kind, states in _KINDS.items()),
    (f"L.GRU(2, reset_after=False, {ALL})", "mask=MASK, initial_state=H"),
    ("L.GRU(2, reset_after=False, use_bias=False)", ""),
    ("L.GRU(2, recurrent_activation='hard_sigmoid')", ""),
    (f"L.LSTM(2, recurrent_activation='softsign', {SEQUENCES})", "mask=MASK"),
    ("L.LSTM(2, unit_forget_bias=False, kernel_regularizer='l2', recurrent_constraint='max_norm')", ""),
    (f"L.RNN([L.GRUCell(2), L.GRUCell(3)], {SEQUENCES})", ""),
    (f"L.RNN([L.GRUCell(2), L.GRUCell(3)], {SEQUENCES})", "mask=MASK"),
    (f"L.RNN([L.SimpleRNNCell(2), L.LSTMCell(2)], {ALL})", "initial_state=[H, HS], mask=MASK"),
    ("L.RNN(L.StackedRNNCells([L.LSTMCell(2), L.GRUCell(2, reset_after=False)]))", "mask=MASK"),
    *((f"L.Bidirectional(L.{kind}(2))", "mask=MASK") for kind in _KINDS),
    (f"L.Bidirectional(L.GRU(2, {SEQUENCES}))", "mask=MASK"),
    *((f"L.Bidirectional(L.GRU(2, {SEQUENCES}), merge_mode={mode!r})", "") for mode in ("sum", "mul", "ave", None)),
    (f"L.Bidirectional(L.LSTM(2, {ALL}))", "initial_state=HS + HS"),
    ("L.Bidirectional(L.GRU(2), backward_layer=L.GRU(2, activation='relu', go_backwards=True))", ""),
    ("L.TimeDistributed(L.Dense(3, activation='tanh'))", ""),
    ("L.ConvLSTM2D(2, 2, return_sequences=True, return_state=True)", "mask=MASK"),
    ("L.ConvLSTM2D(1, (2, 1), strides=2, padding='same', use_bias=False)", ""),
    ("L.ConvLSTM1D(2, 2, return_sequences=True)", "mask=MASK"),
    ("L.ConvLSTM3D(2, (2, 2, 1), padding='same')", ""),
]  # fmt: skip


def inputs_of(layer: str) -> np.ndarray:
    """What a layer is called on: sequences of rows, images or volumes, according to its convolution."""
    if "ConvLSTM1D" in layer:
        return IMAGES[:, :, :, 0]
    if "ConvLSTM3D" in layer:
        return IMAGES[:, :, :, :, None]
    return IMAGES if "Conv" in layer else X


def run(tf: Any, layer: str, call: str, wrap: Any = lambda f: f) -> dict[str, Any]:
    """The outputs of a layer, the gradients of a sum of theirs, and the weights after five steps of descent."""
    made = eval(layer, {"L": tf.keras.layers})
    x = tf.constant(inputs_of(layer))
    given = eval(f"dict({call})", {"MASK": tf.constant(MASK), "H": H, "HS": HS})
    if "initial_state" in given:
        given["initial_state"] = tf.nest.map_structure(tf.constant, given["initial_state"])
    made(x, **given)
    made.set_weights([0.6 * numbers(*w.shape, phase=i) for i, w in enumerate(made.weights)])
    sources = [x, *tf.nest.flatten(given.get("initial_state", []))]

    def outputs() -> Any:
        return made(x, **given)

    outputs = wrap(outputs)

    def gradients() -> Any:
        with tf.GradientTape() as tape:
            tape.watch(sources)
            ys = tf.nest.flatten(outputs())
            total = sum(tf.reduce_sum(y * numbers(*y.shape, phase=3.0)) for y in ys)
        return ys, tape.gradient(total, sources + made.trainable_variables)

    ys, found = gradients()
    for _ in range(5):
        _, grads = gradients()
        for variable, grad in zip(made.trainable_variables, grads[len(sources) :]):
            variable.assign_sub(0.1 * grad)
    trained = [np.asarray(w) for w in made.get_weights()]
    return {"outputs": [y.numpy() for y in ys], "gradients": [g.numpy() for g in found], "trained": trained}


def _stored(arrays: list[np.ndarray]) -> list[Any]:
    return [np.vectorize(lambda v: float(f"{v:.8g}"))(a).tolist() for a in arrays]


def main() -> None:
    import tensorflow

    rows = []
    for layer, call in ROWS:
        found = run(tensorflow, layer, call)
        rows.append({"layer": layer, "call": call, **{k: _stored(v) for k, v in found.items()}})
    lines = ",\n".join(json.dumps(row) for row in rows)
    PATH.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
