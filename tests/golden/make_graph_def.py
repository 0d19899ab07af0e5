"""Makes graph_def.json: frozen models as TensorFlow writes them, with an input and what TensorFlow computes.

python tests/golden/make_graph_def.py   # with TensorFlow 2.21
"""

from __future__ import annotations

import base64
import json
from pathlib import Path


def conv(tf, t1, x):
    rng = __import__("numpy").random.default_rng(0)
    c = lambda *shape: tf.constant(rng.normal(size=shape).astype("float32"))
    y = tf.nn.conv2d(x, c(3, 3, 2, 4), [1, 2, 2, 1], "SAME", name="conv")
    y = tf.nn.bias_add(y, c(4))
    y, _, _ = t1.nn.fused_batch_norm(y, c(4), c(4), c(4), tf.abs(c(4)), is_training=False)
    y = tf.nn.relu(y)
    y = tf.nn.lrn(y, 2, 1.0, 0.1, 0.75)
    y = tf.nn.max_pool2d(tf.pad(y, [[0, 0], [1, 1], [1, 1], [0, 0]]), 3, 2, "VALID", name="pool1")
    y = tf.concat([y, tf.nn.avg_pool2d(y, 2, 1, "SAME")], 3)
    y = t1.nn.depthwise_conv2d_native(y, c(2, 2, 8, 1), [1, 1, 1, 1], "SAME")
    flat = tf.reshape(y, [-1, 8 * y.shape[1] * y.shape[2]])
    y = tf.matmul(flat, c(int(flat.shape[1]), 5))
    return tf.nn.softmax(y, name="output")


def forms(tf, t1, x):
    y = tf.transpose(x, [0, 3, 1, 2])
    y = tf.squeeze(tf.expand_dims(y, 1), [1])
    a, b = tf.split(y, 2, 1, name="parts")
    y = tf.stack([a, b * 2.0], axis=-1)
    y = y[:, 0, 1:, ::2] + tf.gather(y, [1, 0], axis=4)[:, 0, 1:, ::2]
    y = tf.tile(y, [1, 2, 1, 1]) ** 2.0
    y = tf.where(y > 1.0, tf.tanh(y), -y)
    y = tf.reduce_mean(y, [1, 2], keepdims=True) - tf.reduce_max(y, axis=1, keepdims=True)
    y = tf.reshape(y, tf.concat([tf.shape(x)[:1], [-1]], 0))
    y = tf.add_n([y, tf.maximum(y, 0.1)]) + tf.cast(tf.argmax(y, 1), tf.float32)[:, None]
    return tf.identity(tf.math.squared_difference(y, tf.fill(tf.shape(y), 0.5)), name="output")


MODELS = {"conv": conv, "forms": forms}


def answers(tf) -> dict:
    import numpy as np

    t1 = tf.compat.v1
    x = np.random.default_rng(1).normal(size=(2, 8, 6, 2)).round(3).astype(np.float32)
    found = {"input": x.tolist()}
    for name, build in MODELS.items():
        with tf.Graph().as_default() as graph, t1.Session() as session:
            fed = t1.placeholder(tf.float32, [None, 8, 6, 2], name="input")
            y = build(tf, t1, fed)
            found[name] = {
                "graph": base64.b64encode(graph.as_graph_def().SerializeToString()).decode(),
                "names": [op.name for op in graph.get_operations()],
                "output": session.run(y, {fed: x}).tolist(),
            }
    return found


if __name__ == "__main__":
    import tensorflow

    path = Path(__file__).parent / "graph_def.json"
    path.write_text(json.dumps(answers(tensorflow), indent=1) + "\n", encoding="utf-8")
