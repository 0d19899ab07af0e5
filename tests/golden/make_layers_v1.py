"""Writes layers_v1.json: what TensorFlow 2.21's `tf.compat.v1` gives for layers and recurrent cells.

TensorFlow has them in tf_keras: run `TF_USE_LEGACY_KERAS=1 python tests/golden/make_layers_v1.py` with a Python that
has both. The programs below are run by the tests as well, which import no TensorFlow.
"""

from __future__ import annotations

import json
import pathlib
from collections.abc import Callable
from typing import Any

import numpy as np

PATH = pathlib.Path(__file__).with_name("layers_v1.json")


def numbers(*shape: int, phase: float = 0.0) -> np.ndarray:
    """Numbers in ±1 that look like no others."""
    n = int(np.prod(shape))
    return np.sin(np.arange(n) * 1.7 + n + phase).reshape(shape).astype(np.float32)


IMAGES, ROWS, STEPS = numbers(2, 6, 5, 3), numbers(4, 5), numbers(3, 4, 2)
LENGTHS = np.array([4, 0, 2], np.int32)


def _dense(tf: Any) -> Any:
    x = tf.constant(ROWS)
    y = tf.layers.dense(x, 3, activation=tf.nn.tanh)
    z = tf.layers.dense(y, 2, use_bias=False, kernel_regularizer=tf.reduce_sum)
    again = tf.layers.dense(y, 2, name="named")
    with tf.variable_scope("around"):
        once = tf.layers.dense(x, 2, trainable=False)
    with tf.variable_scope("around", reuse=True):
        twice = tf.layers.dense(x, 2)
    shared = tf.layers.dense(y, 2, name="named", reuse=True)
    deep = tf.layers.dense(tf.constant(STEPS), 2, "relu")
    return [y, z, again, once, twice, shared, deep]


def _conv2d(tf: Any) -> Any:
    x = tf.constant(IMAGES)
    y = tf.layers.conv2d(x, 4, 3, activation=tf.nn.relu)
    z = tf.layers.conv2d(x, 2, (3, 2), strides=(2, 1), padding="same", use_bias=False)
    return [y, z, tf.layers.conv2d(x, 2, [2, 2], dilation_rate=2, name="wide")]


def _conv2d_transpose(tf: Any) -> Any:
    x = tf.constant(IMAGES)
    return [
        tf.layers.conv2d_transpose(x, 2, 3, activation=tf.nn.relu),
        tf.layers.conv2d_transpose(x, 4, (2, 3), strides=(3, 2), use_bias=False),
        tf.layers.conv2d_transpose(x, 2, 3, 2, "same", name="named"),
    ]


def _pooling(tf: Any) -> Any:
    x = tf.constant(IMAGES)
    return [
        tf.layers.max_pooling2d(x, 2, 2),
        tf.layers.max_pooling2d(x, (3, 2), (1, 2), "same"),
        tf.layers.average_pooling2d(x, 2, 2),
        tf.layers.average_pooling2d(x, [2, 3], 1, padding="same"),
    ]


def _flatten(tf: Any) -> Any:
    x = tf.constant(IMAGES)
    return [
        tf.layers.flatten(x),
        tf.layers.flatten(x, data_format="channels_first"),
        tf.layers.flatten(tf.constant(numbers(3))),
        tf.layers.dropout(x, 0.5),
        tf.layers.dropout(x, 0.0, training=True),
    ]


def _batch_norm(tf: Any) -> Any:
    x, rows = tf.constant(IMAGES), tf.constant(ROWS)
    out = [
        tf.layers.batch_normalization(x),
        tf.layers.batch_normalization(x, training=True, momentum=0.9),
        tf.layers.batch_normalization(rows, training=True),
        tf.layers.batch_normalization(rows, training=tf.constant(True), center=False, epsilon=0.1),
        tf.layers.batch_normalization(x, axis=2, training=True, scale=False),
        tf.layers.batch_normalization(x, training=True, fused=False),
    ]
    updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
    with tf.control_dependencies(out):
        with tf.control_dependencies(updates):
            return [*out, *[v.read_value() for v in tf.global_variables()]]


def _cell(make: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def program(tf: Any) -> Any:
        cell = make(tf)
        x = tf.constant(STEPS)
        y, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
        total = tf.reduce_sum(y * y)
        of_variables = tf.gradients(total, tf.trainable_variables())
        return [y, *_flat(state), *tf.gradients(total, x), *of_variables]

    return program


def _flat(x: Any) -> list[Any]:
    return [y for part in x for y in _flat(part)] if isinstance(x, (list, tuple)) else [x]


def _lengths(tf: Any) -> Any:
    cell = tf.nn.rnn_cell.BasicLSTMCell(3)
    y, state = tf.nn.dynamic_rnn(cell, tf.constant(STEPS), LENGTHS, dtype=tf.float32)
    major = tf.constant(STEPS.transpose(1, 0, 2))
    again, last = tf.nn.dynamic_rnn(cell, major, LENGTHS, initial_state=state, time_major=True)
    return [y, *state, again, *last]


def _static(tf: Any) -> Any:
    steps = tf.unstack(tf.constant(STEPS), axis=1)
    y, state = tf.nn.static_rnn(tf.nn.rnn_cell.GRUCell(3), steps, dtype=tf.float32)
    with tf.variable_scope("other"):
        cell = tf.nn.rnn_cell.BasicRNNCell(2, "relu", name="mine")
        z, last = tf.nn.static_rnn(cell, steps, dtype=tf.float32, sequence_length=LENGTHS, scope="here")
    return [*y, state, *z, last]


def _both_ways(tf: Any) -> Any:
    forwards, backwards = tf.nn.rnn_cell.GRUCell(3), tf.nn.rnn_cell.BasicLSTMCell(2)
    x = tf.constant(STEPS)
    y, states = tf.nn.bidirectional_dynamic_rnn(forwards, backwards, x, LENGTHS, dtype=tf.float32)
    major = tf.constant(STEPS.transpose(1, 0, 2))
    with tf.variable_scope("other"):
        one, two = tf.nn.rnn_cell.GRUCell(3), tf.nn.rnn_cell.GRUCell(2)
        z, last = tf.nn.bidirectional_dynamic_rnn(
            one, two, major, dtype=tf.float32, time_major=True, scope="b"
        )
    return _flat([y, states, z, last])


def _multi(tf: Any) -> Any:
    cells = tf.nn.rnn_cell
    return cells.MultiRNNCell(
        [cells.LSTMCell(3), cells.ResidualWrapper(cells.GRUCell(3)), cells.BasicRNNCell(2)]
    )


def _one_state(tf: Any) -> Any:
    cells = tf.nn.rnn_cell
    lstm = [cells.BasicLSTMCell(n, state_is_tuple=False) for n in (2, 3)]
    return cells.MultiRNNCell(lstm, state_is_tuple=False)


def _whole(tf: Any) -> Any:
    return tf.nn.rnn_cell.LSTMCell(
        3, use_peepholes=True, cell_clip=0.4, num_proj=2, proj_clip=0.3, forget_bias=0.5
    )


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "dense": _dense,
    "conv2d": _conv2d,
    "conv2d_transpose": _conv2d_transpose,
    "pooling": _pooling,
    "flatten": _flatten,
    "batch_normalization": _batch_norm,
    "BasicRNNCell": _cell(lambda tf: tf.nn.rnn_cell.BasicRNNCell(3)),
    "GRUCell": _cell(lambda tf: tf.nn.rnn_cell.GRUCell(3)),
    "BasicLSTMCell": _cell(lambda tf: tf.nn.rnn_cell.BasicLSTMCell(3, forget_bias=0.7)),
    "LSTMCell": _cell(_whole),
    "MultiRNNCell": _cell(_multi),
    "MultiRNNCell of one state": _cell(_one_state),
    "DropoutWrapper": _cell(lambda tf: tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.GRUCell(2))),
    "sequence_length": _lengths,
    "static_rnn": _static,
    "bidirectional_dynamic_rnn": _both_ways,
}


def run(program: Callable[[Any], Any], tf: Any) -> dict[str, Any]:
    """The names of a program's variables, collections and results, and their values for variables that are set."""
    with tf.Graph().as_default(), tf.Session() as session:
        results = program(tf)
        variables = tf.global_variables()
        for i, v in enumerate(variables):
            value = numbers(*v.shape.as_list(), phase=i)
            v.load(value if "moving_variance" not in v.name else value + 2.0, session)
        return {
            "variables": [v.name for v in variables],
            "trainable": [v.name for v in tf.trainable_variables()],
            "updates": len(tf.get_collection(tf.GraphKeys.UPDATE_OPS)),
            "losses": len(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)),
            "shapes": [x.shape.as_list() for x in results],
            "values": [np.asarray(x, np.float64).round(7).tolist() for x in session.run(results)],
        }


def main() -> None:
    import tensorflow

    tf = tensorflow.compat.v1
    tf.disable_v2_behavior()
    golden = {name: run(program, tf) for name, program in PROGRAMS.items()}
    PATH.write_text(
        json.dumps(golden, separators=(",", ":")).replace("],[[", "],\n[[") + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
