"""tf.nn in graphs that do not know the shapes of their arrays: the same values and gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from golden.make_nn import numbers
from harness import Recorded

import gradtape as tf
import gradtape.compat.v1 as tf1
from gradtape._src.autodiff.sweep import sweep
from gradtape._src.core.values import EagerTensor, ghost_of
from gradtape._src.graph.ir import Graph, placeholder
from gradtape._src.graph.plan import Plan

X, W = numbers(2, 5, 4, 2), numbers(3, 2, 2, 3)
SIZES = np.array([2, 10, 7, 3], np.int32)
CLASSES = np.arange(40).reshape(2, 5, 4) % 2

CALLS = {
    "relu": tf.nn.relu,
    "crelu": tf.nn.crelu,
    "bias_add": lambda x: tf.nn.bias_add(x, [1.0, 2.0]),
    "softmax": lambda x: tf.nn.softmax(x, -1),
    "log_softmax": tf.nn.log_softmax,
    "xent": lambda x: tf.nn.softmax_cross_entropy_with_logits(np.abs(X), x),
    "sparse xent": lambda x: tf.nn.sparse_softmax_cross_entropy_with_logits(CLASSES, x),
    "sigmoid xent": lambda x: tf.nn.sigmoid_cross_entropy_with_logits(np.abs(X), x),
    "l2_loss": tf.nn.l2_loss,
    "conv2d": lambda x: tf.nn.conv2d(x, W, 2, "SAME"),
    "conv2d explicit": lambda x: tf.nn.conv2d(x, W, 1, [[0, 0], [1, 0], [0, 1], [0, 0]]),
    "conv2d NCHW": lambda x: tf.nn.conv2d(x, numbers(2, 1, 5, 3), 1, "VALID", data_format="NCHW"),
    "conv2d_transpose": lambda x: tf.nn.conv2d_transpose(x, numbers(3, 2, 3, 2), [2, 10, 7, 3], 2),
    "depthwise": lambda x: tf.nn.depthwise_conv2d(x, numbers(2, 2, 2, 1), [1, 1, 1, 1], "SAME"),
    "max_pool": lambda x: tf.nn.max_pool2d(x, 2, 2, "SAME"),
    "argmax": lambda x: tf.nn.max_pool_with_argmax(x, 2, 2, "SAME").output,
    "avg_pool": lambda x: tf.nn.avg_pool2d(x, 3, 1, "SAME"),
    "extract_patches": lambda x: tf.image.extract_patches(x, [1, 2, 2, 1], [1] * 4, [1] * 4, "VALID"),
    "moments": lambda x: tf.nn.moments(x, [0, 1, 2])[1],
    "statistics": lambda x: (
        tf.nn.sufficient_statistics(x, [0, 1])[0] * tf.nn.sufficient_statistics(x, [0, 1])[2]
    ),
    "weighted_moments": lambda x: tf.nn.weighted_moments(x, [0, 1], np.abs(X))[0],
    "batch_normalization": lambda x: tf.nn.batch_normalization(
        x, [1.0, 2.0], [1.0, 2.0], None, [3.0, 4.0], 1e-3
    ),
    "fused_batch_norm": lambda x: tf1.nn.fused_batch_norm(x, [1.0, 2.0], [0.0, 0.0])[0],
    "lrn": lambda x: tf.nn.lrn(x, 1),
    "dilation2d": lambda x: tf.nn.dilation2d(x, numbers(2, 2, 2), [1] * 4, "SAME", "NHWC", [1] * 4),
    "dropout 0": lambda x: tf.nn.dropout(x, 0) * 2.0,
}
NEED_RANK = {"xent", "weighted_moments", "depthwise"}  # those that look at it while a graph is built


def in_a_graph(f: Any, shapes: list[Any], arrays: list[Any]) -> list[Any]:
    """The value of f, and the gradient of its sum of squares in the first argument."""
    graph = Graph()
    with graph.as_default():
        inputs = [
            graph.append(placeholder, (), {"shape": s, "dtype": a.dtype}, "x").outputs[0]
            for s, a in zip(shapes, arrays, strict=True)
        ]
        with Recorded(inputs[:1]) as recording:
            y = f(*inputs)
        (g,) = sweep(recording, {ghost_of(y): y + y}, [ghost_of(inputs[0])])
    return Plan([y, g], inputs, graph.operations)(*arrays)


def eagerly(f: Any, arrays: list[Any]) -> list[Any]:
    tensors = [EagerTensor(a) for a in arrays]
    with Recorded(tensors[:1]) as recording:
        y = f(*tensors)
    (g,) = sweep(recording, {ghost_of(y): y + y}, [ghost_of(tensors[0])])
    return [y.numpy(), g.numpy()]


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize(
    "shape", [(None, 5, 4, 2), (None, None, None, 2), None], ids=["batch", "space", "rank"]
)
def test_value_and_gradient(name: str, shape: Any):
    if name == "conv2d NCHW" and shape is not None:
        shape = (None, 5, None, None)
    if shape is None and name in NEED_RANK:
        pytest.skip("needs the rank")
    for found, expected in zip(in_a_graph(CALLS[name], [shape], [X]), eagerly(CALLS[name], [X]), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("shape", [(5, 1), (10,), (4,), ()])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_classes_of_a_wrong_shape_that_only_execution_tells(shape: Any, dtype: Any):
    x = np.ones((5, 2), np.float32)
    f = lambda x, classes: tf.nn.sparse_softmax_cross_entropy_with_logits(classes, x)
    with pytest.raises(tf.errors.InvalidArgumentError, match="got logits shape"):
        in_a_graph(f, [None, None], [x, np.zeros(shape, dtype)])


@pytest.mark.parametrize("data_format", ["NHWC", "NCHW"])
def test_a_size_that_only_execution_tells(data_format: str):
    x = X if data_format == "NHWC" else X.transpose(0, 3, 1, 2)
    sizes = SIZES if data_format == "NHWC" else SIZES[[0, 3, 1, 2]]
    f = lambda x, n: tf.nn.conv2d_transpose(x, numbers(3, 2, 3, 2), n, 2, data_format=data_format)
    found = in_a_graph(f, [(None, None, None, None), (4,)], [x, sizes])
    for one, other in zip(found, eagerly(f, [x, sizes]), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)


def test_dropout_draws_anew_at_every_execution():
    graph = Graph()
    with graph.as_default():
        x = graph.append(placeholder, (), {"shape": (None,), "dtype": np.dtype(np.float32)}, "x").outputs[0]
        y = tf.nn.dropout(x, 0.5)
    plan = Plan([y], [x], graph.operations)
    ones = np.ones(100, np.float32)
    (a,), (b,) = plan(ones), plan(ones)
    assert set(a.tolist()) == {0.0, 2.0} and (a != b).any()
