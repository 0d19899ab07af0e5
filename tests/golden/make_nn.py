"""Writes nn.json: TensorFlow 2.21's tf.nn, for tests/api/test_nn.py.

Run it with a Python that has TensorFlow: `python tests/golden/make_nn.py`. The tests read the JSON and use
the tables and functions of this file; they import no TensorFlow.
"""

from __future__ import annotations

import inspect
import json
import pathlib
import re
from functools import reduce
from typing import Any

import numpy as np

PATH = pathlib.Path(__file__).with_name("nn.json")
INF, NAN = float("inf"), float("nan")

NAMES = """atrous_conv2d atrous_conv2d_transpose avg_pool avg_pool1d avg_pool2d avg_pool3d
    batch_norm_with_global_normalization batch_normalization bias_add compute_average_loss conv1d
    conv1d_transpose conv2d conv2d_transpose conv3d conv3d_transpose conv_transpose convolution crelu
    depthwise_conv2d depthwise_conv2d_backprop_filter depthwise_conv2d_backprop_input dilation2d dropout elu
    erosion2d experimental.general_dropout experimental.stateless_dropout fractional_avg_pool
    fractional_max_pool gelu l2_loss leaky_relu local_response_normalization log_poisson_loss log_softmax lrn
    max_pool max_pool1d max_pool2d max_pool3d max_pool_with_argmax moments nce_loss normalize_moments pool
    relu relu6 sampled_softmax_loss scale_regularization_loss selu separable_conv2d
    sigmoid_cross_entropy_with_logits silu softmax softmax_cross_entropy_with_logits
    sparse_softmax_cross_entropy_with_logits sufficient_statistics swish weighted_cross_entropy_with_logits
    weighted_moments""".split()
NAMES_1 = """avg_pool avg_pool2d avg_pool_v2 batch_norm_with_global_normalization conv1d conv2d
    conv2d_backprop_filter conv2d_backprop_input conv2d_transpose conv3d conv3d_backprop_filter
    conv3d_backprop_filter_v2 conv3d_transpose convolution crelu depthwise_conv2d depthwise_conv2d_native
    depthwise_conv2d_native_backprop_filter depthwise_conv2d_native_backprop_input dilation2d dropout
    erosion2d fused_batch_norm log_softmax max_pool max_pool_v2 max_pool_with_argmax moments pool relu_layer
    separable_conv2d softmax softmax_cross_entropy_with_logits softmax_cross_entropy_with_logits_v2
    sparse_softmax_cross_entropy_with_logits sufficient_statistics weighted_cross_entropy_with_logits
    weighted_moments xw_plus_b""".split()

KINKS = [-INF, -2.0, -0.0, 0.0, 1.0, 3.0, 6.0, 8.0, INF]


def numbers(*shape: int) -> np.ndarray:
    """Numbers without a pattern, and without ties."""
    n = int(np.prod(shape))
    return np.sin(np.arange(n) * 1.7 + 0.3).reshape(shape) * 1.5 + np.arange(n).reshape(shape) * 1e-3


def programs(tf: Any) -> dict[str, tuple[Any, list[Any]]]:
    """Functions of arrays whose values, gradients and second derivatives are compared."""
    nn, x, w = tf.nn, numbers(2, 5, 4, 2), numbers(3, 2, 2, 3)
    strip, volume = numbers(2, 6, 2), numbers(1, 3, 3, 2, 2)
    logits, weights = numbers(3, 4), np.abs(numbers(3, 4))
    share = weights / weights.sum(1, keepdims=True)
    classes = np.array([1, 0, 3])
    return {
        **{
            f"{name} {kind}": (getattr(nn, name), [points])
            for name in "relu relu6 leaky_relu elu selu gelu silu crelu".split()
            for kind, points in (("inside", numbers(6) * 3), ("kinks", np.array(KINKS)))
        },
        "gelu approximate": (lambda a: nn.gelu(a, approximate=True), [numbers(6)]),
        "leaky_relu 1.5": (lambda a: nn.leaky_relu(a, alpha=1.5), [numbers(6)]),
        "silu beta": (lambda a, b: nn.silu(a, b), [numbers(6), np.array(0.7)]),
        "bias_add": (nn.bias_add, [x, numbers(2)]),
        "bias_add NC": (lambda a, b: nn.bias_add(a, b, data_format="NCHW"), [x, numbers(5)]),
        "softmax": (nn.softmax, [logits]),
        "softmax axis": (lambda a: nn.softmax(a, axis=0), [logits]),
        "log_softmax": (nn.log_softmax, [logits]),
        "log_softmax axis": (lambda a: nn.log_softmax(a, axis=-2), [logits]),
        "xent": (nn.softmax_cross_entropy_with_logits, [share, logits]),
        "xent axis": (
            lambda p, a: nn.softmax_cross_entropy_with_logits(p, a, axis=0),
            [share.T, numbers(4, 3)],
        ),
        "sparse xent": (lambda a: nn.sparse_softmax_cross_entropy_with_logits(classes, a), [logits]),
        "sigmoid xent": (nn.sigmoid_cross_entropy_with_logits, [share, logits]),
        "weighted xent": (lambda p, a: nn.weighted_cross_entropy_with_logits(p, a, 2.5), [share, logits]),
        "poisson": (nn.log_poisson_loss, [weights * 3 + 1.5, logits]),
        "poisson full": (lambda z, c: nn.log_poisson_loss(z, c, True), [weights * 3 + 1.5, logits]),
        "l2_loss": (nn.l2_loss, [x]),
        "conv2d same": (lambda a, k: nn.conv2d(a, k, 1, "SAME"), [x, w]),
        "conv2d valid strides": (lambda a, k: nn.conv2d(a, k, [2, 1], "VALID"), [x, w]),
        "conv2d same strides": (lambda a, k: nn.conv2d(a, k, [1, 2, 3, 1], "SAME"), [x, w]),
        "conv2d explicit": (
            lambda a, k: nn.conv2d(a, k, 1, [[0, 0], [1, 0], [2, 1], [0, 0]]),
            [x, w],
        ),
        "conv1d": (lambda a, k: nn.conv1d(a, k, 2, "SAME"), [strip, numbers(3, 2, 2)]),
        "conv3d": (lambda a, k: nn.conv3d(a, k, [1, 1, 2, 1, 1], "SAME"), [volume, numbers(2, 2, 2, 2, 2)]),
        "conv2d_transpose": (
            lambda a, k: nn.conv2d_transpose(a, k, [2, 10, 7, 3], 2),
            [x, numbers(3, 2, 3, 2)],
        ),
        "conv2d_transpose valid": (
            lambda a, k: nn.conv2d_transpose(a, k, [2, 11, 8, 3], 2, "VALID"),
            [x, numbers(3, 2, 3, 2)],
        ),
        "conv1d_transpose": (
            lambda a, k: nn.conv1d_transpose(a, k, [2, 12, 3], 2),
            [strip, numbers(3, 3, 2)],
        ),
        "conv3d_transpose": (
            lambda a, k: nn.conv3d_transpose(a, k, [1, 6, 5, 4, 1], 2),
            [volume, numbers(2, 2, 2, 1, 2)],
        ),
        "depthwise": (
            lambda a, k: nn.depthwise_conv2d(a, k, [1, 2, 2, 1], "SAME"),
            [x, numbers(3, 2, 2, 2)],
        ),
        "separable": (
            lambda a, k, p: nn.separable_conv2d(a, k, p, [1, 1, 1, 1], "VALID"),
            [x, numbers(2, 2, 2, 2), numbers(1, 1, 4, 3)],
        ),
        "max_pool": (lambda a: nn.max_pool2d(a, [3, 2], [2, 1], "SAME"), [x]),
        "max_pool valid": (lambda a: nn.max_pool2d(a, 2, 2, "VALID"), [x]),
        "max_pool ties": (lambda a: nn.max_pool2d(a, 2, 1, "SAME"), [np.zeros((1, 3, 3, 1))]),
        "max_pool1d": (lambda a: nn.max_pool1d(a, 3, 2, "SAME"), [strip]),
        "avg_pool": (lambda a: nn.avg_pool2d(a, [3, 2], [2, 1], "SAME"), [x]),
        "avg_pool1d": (lambda a: nn.avg_pool1d(a, 3, 2, "SAME"), [strip]),
        "pool": (lambda a: nn.pool(a, [2, 2], "AVG", dilations=[2, 1]), [x]),
        "extract_patches": (
            lambda a: tf.image.extract_patches(a, [1, 2, 3, 1], [1, 2, 1, 1], [1, 2, 1, 1], "SAME"),
            [x],
        ),
        "batch_normalization": (
            lambda a, m, v, o, s: nn.batch_normalization(a, m, v, o, s, 1e-3),
            [x, numbers(2), np.abs(numbers(2)), numbers(2), numbers(2)],
        ),
        "moments mean": (lambda a: nn.moments(a, [0, 2])[0], [x]),
        "weighted_moments": (
            lambda a, c: nn.weighted_moments(a, [0], c, keepdims=True)[1],
            [logits, weights],
        ),
    }


PROGRAMS_32 = """lrn: lambda tf, x: tf.nn.lrn(x, 1, 2.0, 0.5, 0.75);
    dilation2d: lambda tf, x: tf.nn.dilation2d(x, W, [1] * 4, 'SAME', 'NHWC', [1] * 4);
    erosion2d: lambda tf, x: tf.nn.erosion2d(x, W, [1, 2, 1, 1], 'VALID', 'NHWC', [1, 1, 2, 1]);
    avg_pool3d: lambda tf, x: tf.nn.avg_pool3d(x[:, None], [1, 2, 2], [1, 2, 1], 'SAME');
    max_pool3d: lambda tf, x: tf.nn.max_pool3d(x[:, None], [1, 2, 2], [1, 2, 2], 'SAME');
    fused_batch_norm: lambda tf, x: tf.compat.v1.nn.fused_batch_norm(x, [1.0, 2.0], [0.5, -0.5])[0];
    fused_batch_norm NCHW: lambda tf, x: tf.compat.v1.nn.fused_batch_norm(
        x, [1.0] * 5, [0.5] * 5, data_format='NCHW')[0];
    fused_batch_norm inference: lambda tf, x: tf.compat.v1.nn.fused_batch_norm(
        x, [1.0, 2.0], [0.5, -0.5], [0.1, 0.2], [1.0, 2.0], is_training=False)[0];
    max_pool_with_argmax: lambda tf, x: tf.nn.max_pool_with_argmax(x, 2, 2, 'VALID')[0]""".split(";")
PROGRAMS_32 = dict(" ".join(text.split()).split(": ", 1) for text in PROGRAMS_32)

EXACT = """tf.nn.relu([1, -2]); tf.nn.relu6([1, -2, 7]); tf.nn.leaky_relu([1, -2]);
    tf.nn.crelu([[1.0, -2.0]], axis=0); tf.nn.max_pool_with_argmax(X, 2, 2, 'SAME')[1];
    tf.nn.max_pool_with_argmax(tf.concat([X, X], 0), 2, 2, 'VALID', include_batch_in_index=True)[1];
    tf.nn.max_pool_with_argmax(tf.ones([1, 3, 3, 1]), 2, 1, 'SAME', output_dtype=tf.int32)[1];
    tf.nn.max_pool2d(tf.cast(X, tf.uint8), 2, 2, 'SAME'); tf.nn.max_pool2d(X, [1, 1, 1, 2], [1, 1, 1, 2],
    'SAME'); tf.nn.conv2d(tf.cast(X, tf.int32), tf.ones([2, 2, 2, 1], tf.int32), 1, 'VALID'); tf.nn.conv2d(X,
    tf.ones([2, 2, 1, 4]), 1, 'VALID'); tf.nn.conv2d(X[None], tf.ones([2, 2, 2, 1]), 1, 'VALID');
    tf.nn.conv2d(X, tf.ones([6, 6, 2, 4]), 1, 'VALID'); tf.nn.conv2d(tf.ones([0, 5, 5, 2]), K, 1, 'VALID');
    tf.nn.conv2d(X, tf.ones([3, 3, 2, 0]), 1, 'VALID'); tf.nn.conv2d(X, np.ones([2, 2, 2, 1]), 1, 'VALID');
    tf.nn.conv2d(X, K, None, 'SAME'); tf.nn.conv2d(X, K, 1, 'SAME', dilations=2); tf.nn.conv2d_transpose(X,
    tf.ones([3, 3, 4, 2]), [10, 10], 2); tf.nn.conv_transpose(X, tf.ones([3, 3, 4, 2]), tf.constant([1, 9, 10,
    4]), 2); tf.nn.convolution(X, K, padding='SAME', strides=2); tf.nn.atrous_conv2d(X, K, 2, 'SAME');
    tf.nn.atrous_conv2d_transpose(X, tf.ones([3, 3, 4, 2]), [1, 9, 9, 4], 2, 'VALID');
    tf.nn.depthwise_conv2d(X, K, [1, 1, 1, 1], 'SAME', dilations=[2, 2]); tf.nn.softmax(tf.zeros([0, 3]));
    tf.nn.softmax(tf.zeros([3, 0])); tf.nn.softmax([-INF, 0.0, 0.0]); tf.nn.log_softmax([-INF, 0.0]);
    tf.nn.softmax([[1.0, 1.0]], axis=tf.constant(0)); tf.nn.softmax_cross_entropy_with_logits([[0, 1]], [[2.0,
    2.0]]); tf.nn.softmax_cross_entropy_with_logits(tf.zeros([2, 0]), tf.zeros([2, 0]));
    tf.nn.softmax_cross_entropy_with_logits([[0.0], [0.5]], [[1.0, 1.0, 1.0], [0.0, 0.0, 0.0]]);
    tf.nn.sparse_softmax_cross_entropy_with_logits(tf.constant(1, tf.int64), tf.zeros([2], tf.float64));
    tf.nn.sparse_softmax_cross_entropy_with_logits(tf.zeros([0], tf.int32), tf.zeros([0, 3]));
    tf.nn.sigmoid_cross_entropy_with_logits([0.0, 1.0], [-1000.0, 1000.0]); tf.nn.moments(tf.constant([1, 2,
    3, 4]), 0)[0]; tf.nn.moments(X[0], [])[1]; tf.nn.moments(X, None)[0]; tf.nn.moments(X, [1, 2],
    keepdims=True)[0]; tf.nn.weighted_moments(X, [1], 2.0)[1]; tf.nn.sufficient_statistics(X, [0, 1],
    shift=1.0)[1]; tf.nn.sufficient_statistics(X, [0, 1])[0]; tf.nn.normalize_moments(2.0, 4.0, 10.0, 1.0)[1];
    tf.nn.compute_average_loss([1.0, 2.0], [1.0, 0.0], 4); tf.nn.compute_average_loss([[1.0, 2.0]]);
    tf.nn.compute_average_loss([], global_batch_size=0); tf.nn.scale_regularization_loss([1.0, 2.0]);
    tf.nn.dropout(X, 0); tf.nn.dropout(tf.ones([40]), 0.4, seed=3); tf.nn.dropout(tf.ones([5, 8]), 0.4,
    noise_shape=[None, 1], seed=4); tf.nn.dropout(tf.ones([40], tf.float16), 0.4, seed=3);
    tf.nn.dropout(tf.ones([4]), tf.constant(2.0)); tf.nn.experimental.stateless_dropout(tf.ones([40]), 0.5,
    [1, 2]); tf.nn.dropout(tf.fill([8], INF), 0.5, seed=1); tf.image.extract_patches(
        tf.cast(X, tf.int32), [1, 2, 2, 1], [1, 3, 3, 1], [1, 1, 1, 1], 'VALID')""".split(";")
EXACT = [" ".join(text.split()) for text in EXACT]

ERRORS = """tf.nn.elu([1, 2]); tf.nn.gelu([1]); tf.nn.silu([1]); tf.nn.relu('a');
    tf.nn.leaky_relu([1.0], tf.constant(0.1)); tf.nn.bias_add(tf.ones([2, 3]), [1.0]);
    tf.nn.bias_add(tf.ones([3]), [1.0]); tf.nn.bias_add(tf.ones([2, 3]), [[1.0]]);
    tf.nn.bias_add(X, [1.0, 2.0], data_format='NXX'); tf.nn.softmax(1.0); tf.nn.softmax([1, 2]);
    tf.nn.softmax([1.0], axis=3); tf.nn.log_softmax([1.0], axis=-2);
    tf.nn.softmax_cross_entropy_with_logits([0.0, 1.0], [0, 1]);
    tf.nn.softmax_cross_entropy_with_logits(tf.zeros([2, 2]), tf.zeros([2, 3]));
    tf.nn.sparse_softmax_cross_entropy_with_logits([3], [[1.0, 2.0, 3.0]]);
    tf.nn.sparse_softmax_cross_entropy_with_logits([-1, 0], tf.zeros([2, 3]));
    tf.nn.sparse_softmax_cross_entropy_with_logits([1.0], tf.zeros([1, 3]));
    tf.nn.sparse_softmax_cross_entropy_with_logits([1], tf.zeros([2, 3]));
    tf.nn.sparse_softmax_cross_entropy_with_logits([[1, 2]], tf.zeros([2, 3]));
    tf.nn.sparse_softmax_cross_entropy_with_logits(1, 1.0);
    tf.nn.sparse_softmax_cross_entropy_with_logits([0], tf.zeros([1, 0]));
    tf.nn.sigmoid_cross_entropy_with_logits(labels=[1.0]);
    tf.nn.sigmoid_cross_entropy_with_logits([0.0, 1.0], [[1.0, 2.0]]);
    tf.nn.sigmoid_cross_entropy_with_logits(tf.constant([0.0], tf.float64), tf.constant([1.0]));
    tf.nn.weighted_cross_entropy_with_logits([0.0, 1.0], [[1.0, 2.0]], 1.0);
    tf.nn.log_poisson_loss([0.0, 1.0], [1.0]); tf.nn.l2_loss([1, 2]);
    tf.nn.conv2d(X, K, 1, 'same'); tf.nn.conv2d(X, K, 1, None);
    tf.nn.conv2d(X, K, 1, [[1, 0], [0, 0], [0, 0], [0, 0]]); tf.nn.conv2d(X, K, 1, [[1, 1], [0, 0]]);
    tf.nn.conv2d(X, K, 1, [[0, 0], [-1, 0], [0, 0], [0, 0]]); tf.nn.conv2d(X, K, [2, 1, 1, 1], 'SAME');
    tf.nn.conv2d(X, K, 0, 'SAME'); tf.nn.conv2d(X, K, [1, 1, 1], 'SAME');
    tf.nn.conv2d(X, tf.ones([3, 3, 3, 4]), 1, 'SAME'); tf.nn.conv2d(X, tf.ones([3, 3, 1, 3]), 1, 'SAME');
    tf.nn.conv2d(X, tf.ones([3, 3, 2]), 1, 'SAME'); tf.nn.conv2d(X[0], K, 1, 'SAME');
    tf.nn.conv2d(X, tf.ones([7, 7, 2, 4]), 1, 'VALID'); tf.nn.conv2d(X, K, 1, 'SAME', dilations=0);
    tf.nn.conv2d(X, tf.ones([0, 3, 2, 1]), 1, 'VALID'); tf.nn.conv2d(X, K, 1, 'SAME', 'NWC');
    tf.nn.conv2d(tf.cast(X, tf.uint8), tf.cast(K, tf.uint8), 1, 'SAME');
    tf.nn.conv2d(X, tf.cast(K, tf.float64), 1, 'SAME'); tf.nn.conv1d(X[0], tf.ones([3, 2, 1]), [1, 2],
    'SAME'); tf.nn.conv1d(X[0], tf.ones([3, 2, 1]), 1, 'SAME', data_format='foo'); tf.nn.conv_transpose(X, K,
    [1, 2], 1); tf.nn.conv_transpose(X, K, 10, 1); tf.nn.conv2d_transpose(X, tf.ones([3, 3, 4, 2]), [-1, 10,
    10, 4], 2); tf.nn.convolution(tf.ones([1, 2, 2, 2, 2, 1]), tf.ones([1, 1, 1, 1, 1, 1]));
    tf.nn.depthwise_conv2d(X, K, 1, 'SAME'); tf.nn.depthwise_conv2d(X, tf.ones([3, 3, 3, 1]), [1] * 4,
    'SAME'); tf.nn.atrous_conv2d(X, K, 0, 'SAME'); tf.nn.atrous_conv2d_transpose(X, K, [1, 5, 5, 2], 2,
    'foo'); tf.nn.max_pool2d(X, 2, 2, 'foo'); tf.nn.max_pool2d(X, 0, 2, 'SAME'); tf.nn.max_pool2d(X, 2, 0,
    'SAME'); tf.nn.max_pool2d(X, 7, 1, 'VALID'); tf.nn.max_pool2d(X[0], 2, 2, 'SAME'); tf.nn.max_pool2d(X, [2,
    2, 2, 1], 1, 'SAME'); tf.nn.max_pool2d(X, [1, 2, 1], 1, 'SAME'); tf.nn.max_pool2d(X, [1, 2, 1, 2], [1, 2,
    1, 2], 'SAME'); tf.nn.avg_pool2d(X, [1, 1, 1, 2], [1, 1, 1, 2], 'SAME'); tf.nn.avg_pool2d(tf.cast(X,
    tf.int32), 2, 2, 'SAME'); tf.nn.max_pool(X[0, 0], 2, 2, 'SAME'); tf.nn.avg_pool2d(X, 2, 2, [[0, 0], [1,
    1], [1, 0], [0, 0]]); tf.nn.pool(X, [2, 2], 'FOO'); tf.nn.pool(X, [2] * 4, 'MAX'); tf.nn.pool(X[0], [2,
    2], 'MAX'); tf.nn.max_pool_with_argmax(X, 2, 2, 'SAME', 'NCHW'); tf.nn.max_pool_with_argmax(X, 2, 2,
    'SAME', output_dtype=tf.float32); tf.nn.dilation2d(X, tf.ones([3, 3, 3]), [1] * 4, 'SAME', 'NHWC', [1] *
    4); tf.nn.dilation2d(X, tf.ones([3, 3, 2]), [1] * 4, 'SAME', 'NCHW', [1] * 4); tf.nn.dilation2d(X,
    tf.ones([3, 3, 2]), [2, 1, 1, 1], 'SAME', 'NHWC', [1] * 4); tf.image.extract_patches(X, [2, 2], [1] * 4,
    [1] * 4, 'VALID'); tf.image.extract_patches(X, [2, 2, 2, 1], [1] * 4, [1] * 4, 'VALID'); tf.nn.lrn(X[0]);
    tf.nn.moments(X, [7]); tf.nn.weighted_moments(X[0, 0], [0], [[1.0], [2.0]]);
    tf.compat.v1.nn.fused_batch_norm(X, [1.0], [0.0, 0.0]); tf.compat.v1.nn.fused_batch_norm(X[0], [1.0] * 2,
    [0.0] * 2); tf.compat.v1.nn.fused_batch_norm(X, [1.0] * 2, [0.0] * 2, is_training=False); tf.nn.dropout(X,
    1); tf.nn.dropout(X, -0.1); tf.nn.dropout([1, 2], 0.5); tf.nn.dropout(X, 'a'); tf.nn.dropout(X, None);
    tf.nn.dropout(X, tf.constant(0.5, tf.float64)); tf.compat.v1.nn.dropout(X); tf.compat.v1.nn.dropout(X,
    keep_prob=0.5, rate=0.5); tf.nn.compute_average_loss(1.0);
    tf.nn.compute_average_loss([1.0], global_batch_size=2.0)""".split(";")
ERRORS = [" ".join(text.split()) for text in ERRORS]


def find(module: Any, name: str) -> Any:
    return reduce(getattr, name.split("."), module)


def signature(function: Any) -> str:
    """Without annotations, and without the address of a default."""
    plain = [
        p.replace(annotation=inspect.Parameter.empty) for p in inspect.signature(function).parameters.values()
    ]
    return re.sub(r"<dtype: '(\w+)'>", r"tf.\1", str(inspect.Signature(plain)))


def evaluated(tf: Any, text: str) -> Any:
    names = {
        "tf": tf,
        "np": np,
        "X": tf.reshape(tf.range(50.0), [1, 5, 5, 2]),
        "K": tf.ones([3, 3, 2, 1]),
        "INF": INF,
    }
    return eval(text, names)


def plain(x: Any) -> Any:
    return None if x is None else np.asarray(x, np.float64).round(9).tolist()


def described(tf: Any, text: str) -> list[Any]:
    tf.random.set_seed(11)
    y = evaluated(tf, text)
    return [y.dtype.name, list(y.shape), plain(y.numpy())]


def error_of(tf: Any, text: str) -> list[str]:
    """The type and the words of an exception, without what TensorFlow says of its machinery."""
    try:
        evaluated(tf, text)
    except Exception as error:
        words = re.sub(r"\{\{[^}]*\}\}\s*", "", str(error)).replace("\n", " ")
        return [type(error).__name__, re.sub(r"\s*(\[Op:|; NodeDef).*", "", words)]
    return ["", ""]


def derivatives(
    tf: Any, f: Any, arrays: list[Any], dtype: Any = np.float64, second: bool = True
) -> list[Any]:
    """The value, the gradients of a weighted sum of it, and the gradients of a weighted sum of those."""
    xs = [tf.constant(np.asarray(a, dtype)) for a in arrays]
    with tf.GradientTape() as outer:
        for x in xs:
            outer.watch(x)
        with tf.GradientTape() as inner:
            for x in xs:
                inner.watch(x)
            y = f(*xs)
        seed = tf.constant(numbers(*y.shape).astype(dtype))
        first = inner.gradient(y, xs, output_gradients=seed)
        if not second:
            return [plain(y.numpy()), [plain(g.numpy()) for g in first], None]
        total = sum(tf.reduce_sum(g * tf.constant(numbers(*g.shape).astype(dtype))) for g in first)
    again = outer.gradient(total, xs)
    return [
        plain(y.numpy()),
        [plain(g.numpy()) for g in first],
        [None if g is None else plain(g.numpy()) for g in again],
    ]


def program_32(tf: Any, name: str) -> list[Any]:
    """Value and gradient of what TensorFlow has in float32 only."""
    weights = numbers(2, 2, 2).astype(np.float32)
    f = eval(PROGRAMS_32[name], {"W": weights})
    return derivatives(tf, lambda x: f(tf, x), [numbers(1, 5, 4, 2)], np.float32, second=False)


def read() -> Any:
    return json.loads(PATH.read_text(encoding="utf-8"))


def main() -> None:
    import os

    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import tensorflow as tf

    found: dict[str, Any] = {
        "signatures": {name: signature(find(tf.nn, name)) for name in NAMES},
        "signatures_1": {name: signature(find(tf.compat.v1.nn, name)) for name in NAMES_1},
        "exact": {text: described(tf, text) for text in EXACT},
        "errors": {text: error_of(tf, text) for text in ERRORS},
        "programs": {},
        "programs_32": {name: program_32(tf, name) for name in PROGRAMS_32},
    }
    for name, (f, arrays) in programs(tf).items():
        try:
            found["programs"][name] = derivatives(tf, f, arrays)
        except (LookupError, tf.errors.OpError) as error:
            print(name, type(error).__name__, str(error)[:120])
            found["programs"][name] = derivatives(tf, f, arrays, second=False)
    text = json.dumps(found, indent=0)
    PATH.write_text(re.sub(r"\n(?=[\d\-\]NI])", "", text) + "\n", encoding="utf-8")
    print({text: words for text, words in found["errors"].items() if not words[0]})


if __name__ == "__main__":
    main()
