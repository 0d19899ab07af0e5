"""tf.nn as users see it, against TensorFlow 2.21 (tests/golden/nn.json).

Where gradtape differs on purpose, the difference is a row of a table here and of docs/differences.md or docs/kinks.md.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from golden import make_nn as golden
from hypothesis import given, settings
from hypothesis import strategies as st

import gradtape as tf
import gradtape.compat.v1 as tf1
from gradtape._src.autodiff.batching import batched
from gradtape._src.ops.pooling import max_pool, max_pool_pick, max_pool_scatter

GOLDEN = golden.read()
INF, NAN = float("inf"), float("nan")
PROGRAMS = golden.programs(tf)

# Infinite arguments where TensorFlow's formula gives NaN, and the limit is this: (program, part, index) ->
# value.
BETTER = {
    ("gelu kinks", "value", 0): 0.0,
    ("gelu kinks", "gradient", 0): 0.0,
    ("gelu kinks", "gradient", -1): 1.0,
    ("silu kinks", "value", 0): 0.0,
    ("silu kinks", "gradient", 0): 0.0,
    ("silu kinks", "gradient", -1): 1.0,
}
# NaN at infinity; TensorFlow leaves out the mixed derivative in labels and logits.
NO_SECOND = {"gelu kinks", "silu kinks", "xent", "xent axis"}
# Errors of TensorFlow's type, in words of our own.
OWN_WORDS = """conv1d(X[0] convolution(tf.ones pool(X[0] max_pool2d(X[0] avg_pool2d(X, [1 lrn(X[0]
    fused_batch_norm(X[0] atrous_conv2d(X conv2d_transpose(X""".split()


@pytest.mark.parametrize("name", golden.NAMES)
def test_signature(name: str):
    assert golden.signature(golden.find(tf.nn, name)) == GOLDEN["signatures"][name]


@pytest.mark.parametrize("name", golden.NAMES_1)
def test_signature_of_tensorflow_1(name: str):
    assert golden.signature(golden.find(tf1.nn, name)) == GOLDEN["signatures_1"][name]


def close(found: Any, expected: Any, what: str, tolerance: float = 1e-7) -> None:
    if expected is None or found is None:
        expected, found = (0.0 if v is None else v for v in (expected, found))
    np.testing.assert_allclose(
        np.asarray(found, float), np.asarray(expected, float), tolerance, tolerance, err_msg=what
    )


@pytest.mark.parametrize("name", PROGRAMS)
def test_value_gradient_and_second_derivative(name: str):
    f, arrays = PROGRAMS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        found = golden.derivatives(tf, f, arrays)
    for part, one, other in zip(
        ("value", "gradient", "second"), found, GOLDEN["programs"][name], strict=True
    ):
        if part == "second" and name in NO_SECOND:
            continue
        one, other = (one, other) if part != "value" else ([one], [other])
        for i, (a, b) in enumerate(zip(one, other, strict=True)):
            for (label, where, index), value in BETTER.items():
                if (label, where) == (name, part):
                    seed = golden.numbers(len(b))[index] if part == "gradient" else 1.0
                    assert np.isnan(b[index]), "TensorFlow has improved"
                    b[index] = value * seed
            close(a, b, f"{part} {i}")


@pytest.mark.parametrize("name", golden.PROGRAMS_32)
def test_value_and_gradient_in_single_precision(name: str):
    found, expected = golden.program_32(tf, name), GOLDEN["programs_32"][name]
    close(found[0], expected[0], "value", 2e-5)
    if name != "max_pool3d":  # TensorFlow gives every one of several maxima the whole cotangent
        close(found[1], expected[1], "gradient", 5e-5)


@pytest.mark.parametrize("text", golden.EXACT)
def test_values_dtypes_and_shapes(text: str):
    dtype, shape, values = GOLDEN["exact"][text]
    found = golden.described(tf, text)
    assert found[:2] == [dtype, shape]
    close(found[2], values, text, 1e-6 if dtype != "float16" else 1e-3)


@pytest.mark.parametrize("text", golden.ERRORS)
def test_errors(text: str):
    kind, words = GOLDEN["errors"][text]
    found_kind, found_words = golden.error_of(tf, text)
    assert found_kind == kind
    if not any(part in text for part in OWN_WORDS):
        start = min(len(words), len(found_words), 60)
        ours, theirs = (w[:start].split(" is not in the list")[0] for w in (found_words, words))
        assert ours == theirs


# --- Where TensorFlow is wrong, or cannot -------------------------------------------------------------------


def gradients(f: Any, *arrays: Any) -> list[Any]:
    xs = [tf.constant(np.asarray(a, float)) for a in arrays]
    with tf.GradientTape() as tape:
        for x in xs:
            tape.watch(x)
        y = f(*xs)
    return [None if g is None else g.numpy() for g in tape.gradient(y, xs)]


def test_the_gradient_of_cross_entropy_is_right_for_labels_of_any_sum():
    labels, logits = np.array([[0.5, 2.0, 0.0]]), np.array([[1.0, -1.0, 0.5]])
    p = np.exp(logits) / np.exp(logits).sum()
    _, found = gradients(tf.nn.softmax_cross_entropy_with_logits, labels, logits)
    np.testing.assert_allclose(found, p * 2.5 - labels)
    _, found = gradients(tf.nn.softmax_cross_entropy_with_logits, np.zeros((1, 3)), logits)
    np.testing.assert_array_equal(found, 0)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_class_that_is_ruled_out_costs_nothing():
    loss = tf.nn.softmax_cross_entropy_with_logits([[0.0, 1.0]], [[-INF, 2.0]])
    np.testing.assert_array_equal(loss.numpy(), 0)
    _, found = gradients(tf.nn.softmax_cross_entropy_with_logits, [[0.0, 1.0]], [[-INF, 2.0]])
    np.testing.assert_array_equal(found, 0)


def test_labels_that_broadcast_have_a_gradient():
    labels, logits = gradients(tf.nn.softmax_cross_entropy_with_logits, [[0.2, 0.8]], np.zeros((3, 2)))
    assert labels.shape == (1, 2) and logits.shape == (3, 2)
    np.testing.assert_allclose(labels, 3 * np.log(2))


def test_the_second_derivative_of_the_variance():
    x = tf.constant([1.0, 2.0, 4.0], tf.float64)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            variance = tf.nn.moments(x, 0)[1]
        slope = inner.gradient(variance, x) * [1.0, 10.0, 100.0]
    found = outer.gradient(slope, x).numpy()
    np.testing.assert_allclose(found, (2 / 3 * np.eye(3) - 2 / 9) @ [1, 10, 100])


def test_channels_first_is_channels_last_transposed():
    x, w = golden.numbers(2, 5, 4, 2), golden.numbers(3, 2, 2, 3)
    first = tf.nn.conv2d(x.transpose(0, 3, 1, 2), w, [1, 1, 2, 1], "SAME", data_format="NCHW")
    last = tf.nn.conv2d(x, w, [1, 2, 1, 1], "SAME")
    np.testing.assert_allclose(first.numpy().transpose(0, 2, 3, 1), last.numpy())
    margins = [[0, 0], [0, 0], [1, 0], [0, 2]]
    first = tf.nn.conv2d(x.transpose(0, 3, 1, 2), w, 1, margins, data_format="NCHW")
    last = tf.nn.conv2d(x, w, 1, [[0, 0], [1, 0], [0, 2], [0, 0]])
    np.testing.assert_allclose(first.numpy().transpose(0, 2, 3, 1), last.numpy())
    for pool in (tf.nn.max_pool2d, tf.nn.avg_pool2d):
        first = pool(x.transpose(0, 3, 1, 2), 2, [1, 1, 2, 1], "SAME", data_format="NCHW")
        np.testing.assert_allclose(first.numpy().transpose(0, 2, 3, 1), pool(x, 2, [2, 1], "SAME").numpy())
    y = tf.nn.conv2d_transpose(
        x.transpose(0, 3, 1, 2), w.transpose(0, 1, 3, 2), [2, 3, 10, 8], 2, data_format="NCHW"
    )
    z = tf.nn.conv2d_transpose(x, w.transpose(0, 1, 3, 2), [2, 10, 8, 3], 2)
    np.testing.assert_allclose(y.numpy().transpose(0, 2, 3, 1), z.numpy())


def test_grouped_and_dilated_convolutions_have_gradients():
    x, w = golden.numbers(1, 5, 5, 4), golden.numbers(2, 2, 2, 6)

    def parts(x: Any, w: Any) -> Any:
        halves = [
            tf.nn.conv2d(a, b, 1, "SAME", dilations=2) for a, b in zip(tf.split(x, 2, 3), tf.split(w, 2, 3))
        ]
        return tf.concat(halves, 3) ** 2

    whole = gradients(lambda x, w: tf.nn.conv2d(x, w, 1, "SAME", dilations=2) ** 2, x, w)
    for found, expected in zip(whole, gradients(parts, x, w), strict=True):
        np.testing.assert_allclose(found, expected)


@given(
    height=st.integers(1, 7),
    width=st.integers(1, 7),
    window=st.tuples(st.integers(1, 3), st.integers(1, 3)),
    strides=st.tuples(st.integers(1, 3), st.integers(1, 3)),
    dilations=st.tuples(st.integers(1, 2), st.integers(1, 2)),
    groups=st.integers(1, 3),
    padding=st.sampled_from(["SAME", "VALID"]),
)
@settings(max_examples=40, deadline=None)
def test_a_convolution_and_its_transposes_agree(height, width, window, strides, dilations, groups, padding):
    """<conv(x, w), g> = <x, to_input(w, g)> = <w, to_filter(x, g)>."""
    if padding == "VALID" and any((k - 1) * d >= n for k, d, n in zip(window, dilations, (height, width))):
        return
    x = golden.numbers(2, height, width, 2 * groups)
    w = golden.numbers(*window, 2, 2 * groups)
    y = tf.nn.conv2d(x, w, strides, padding, dilations=dilations)
    g = golden.numbers(*y.shape)
    to_x, to_w = gradients(lambda x, w: tf.nn.conv2d(x, w, strides, padding, dilations=dilations) * g, x, w)
    total = np.sum(y.numpy() * g)
    np.testing.assert_allclose([np.sum(to_x * x), np.sum(to_w * w)], [total, total], rtol=1e-9, atol=1e-9)
    if groups == 1:
        back = tf.nn.conv2d_transpose(g, w, x.shape, strides, padding, dilations=dilations)
        np.testing.assert_allclose(back.numpy(), to_x, atol=1e-12)


def test_a_large_convolution_is_computed_in_parts():
    x, w = np.ones((3, 130, 130, 24), np.float32), np.full((3, 3, 24, 4), 0.5, np.float32)
    y = tf.nn.conv2d(x, w, 1, "VALID").numpy()
    assert y.shape == (3, 128, 128, 4)
    np.testing.assert_allclose(y, 9 * 24 * 0.5)


@pytest.mark.parametrize("pool", [tf.nn.max_pool3d, tf.nn.max_pool2d])
def test_the_first_of_several_maxima_gets_the_gradient(pool: Any):
    shape = (1, 2, 2, 1) if pool is tf.nn.max_pool2d else (1, 1, 2, 2, 1)
    (found,) = gradients(
        lambda x: pool(x, [1, 2, 2, 1] if len(shape) == 4 else [1, 2, 2], 1, "VALID"), np.ones(shape)
    )
    np.testing.assert_array_equal(found.ravel(), [1, 0, 0, 0])


def test_nan_shows_in_a_maximum():
    x = np.array([1.0, NAN, 2.0, NAN]).reshape(1, 2, 2, 1)
    assert np.isnan(tf.nn.max_pool2d(x, 2, 2, "VALID").numpy()).all()
    (found,) = gradients(lambda x: tf.nn.max_pool2d(x, 2, 2, "VALID"), x)
    np.testing.assert_array_equal(found.ravel(), [0, 1, 0, 0])


def test_all_gradients_of_fused_batch_norm():
    """Also those of the statistics, against the same in single steps."""
    x, scale, offset = golden.numbers(2, 3, 2, 2), np.array([1.5, 0.5]), np.array([0.1, 0.2])

    def fused(x: Any, scale: Any, offset: Any) -> Any:
        y, mean, variance = tf1.nn.fused_batch_norm(x, scale, offset)
        return tf.reduce_sum(y**3) + tf.reduce_sum(mean**2) + tf.reduce_sum(variance**2)

    def stepwise(x: Any, scale: Any, offset: Any) -> Any:
        mean, variance = tf.nn.moments(x, [0, 1, 2])
        y = tf.nn.batch_normalization(x, mean, variance, offset, scale, 1e-3)
        unbiased = variance * (12 / 11)
        return tf.reduce_sum(y**3) + tf.reduce_sum(mean**2) + tf.reduce_sum(unbiased**2)

    for found, expected in zip(
        gradients(fused, x, scale, offset), gradients(stepwise, x, scale, offset), strict=True
    ):
        np.testing.assert_allclose(found, expected, rtol=1e-10)


def test_running_statistics():
    x = golden.numbers(2, 3, 2, 2)
    _, mean, variance = tf1.nn.fused_batch_norm(
        x, [1.0, 1.0], [0.0, 0.0], [1.0, 2.0], [3.0, 4.0], exponential_avg_factor=0.25
    )
    rows = x.reshape(-1, 2)
    np.testing.assert_allclose(mean.numpy(), 0.25 * rows.mean(0) + 0.75 * np.array([1, 2]))
    np.testing.assert_allclose(variance.numpy(), 0.25 * rows.var(0, ddof=1) + 0.75 * np.array([3, 4]))


# --- Dropout ------------------------------------------------------------------------------------------------


def test_the_gradient_of_dropout_is_its_mask():
    x = tf.constant(golden.numbers(200))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.dropout(x, 0.25)
    mask = tape.gradient(y, x).numpy()
    assert set(mask.tolist()) == {0.0, 1 / 0.75}
    np.testing.assert_allclose(y.numpy(), x.numpy() * mask)
    assert not np.signbit(y.numpy()[mask == 0]).any()


def test_a_rate_that_is_a_tensor_has_a_gradient():
    rate = tf.constant(0.25)
    with tf.GradientTape() as tape:
        tape.watch(rate)
        y = tf.nn.dropout(tf.ones([100]), rate, seed=1)
    kept = int((y.numpy() > 0).sum())
    np.testing.assert_allclose(tape.gradient(y, rate).numpy(), kept / 0.75**2, rtol=1e-5)


def test_version_1_dropout_takes_what_to_keep():
    y = tf1.nn.dropout(tf.ones([1000]), keep_prob=0.8).numpy()
    assert set(y.tolist()) == {0.0, 1.25} and 700 < (y > 0).sum() < 900


def test_labels_of_version_1_have_no_gradient():
    labels, logits = tf.constant([[0.0, 1.0]]), tf.constant([[0.0, 1.0]])
    with tf.GradientTape() as tape:
        tape.watch([labels, logits])
        loss = tf1.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    of_labels, of_logits = tape.gradient(loss, [labels, logits])
    assert of_labels is None and of_logits is not None


# --- Sampled losses and fractional pooling ------------------------------------------------------------------


@pytest.mark.parametrize("remove_hits", [False, True])
def test_sampled_losses_by_hand(remove_hits: bool):
    w, b, x = golden.numbers(5, 3), golden.numbers(5), golden.numbers(2, 3)
    labels, drawn, expected = np.array([[0, 4], [3, 1]]), np.array([2, 4, 1]), np.array([0.5, 0.25, 0.5])
    values = (drawn, np.array([[0.1, 0.2], [0.3, 0.4]]), expected)
    logits = x @ w.T + b
    of_true = np.take_along_axis(logits, labels, 1) - np.log(values[1])
    of_drawn = logits[:, drawn] - np.log(expected)
    if remove_hits:
        of_drawn = np.where((labels[:, :, None] == drawn).any(1), -1e38, of_drawn)
    soft = lambda z: np.logaddexp(0, z)
    both = np.concatenate([of_true, of_drawn], 1)
    truths = np.array([0.5, 0.5, 0, 0, 0])
    arguments = (w, b, labels, x, 3, 5, 2, values, remove_hits)
    np.testing.assert_allclose(
        tf.nn.nce_loss(*arguments).numpy(), (soft(both) - both * truths).sum(1), rtol=1e-6
    )
    shares = both - np.log(np.exp(both).sum(1, keepdims=True))
    np.testing.assert_allclose(
        tf.nn.sampled_softmax_loss(*arguments).numpy(), -(truths * shares).sum(1), rtol=1e-6
    )


def test_the_gradient_of_a_sampled_loss_is_sparse():
    w = tf.Variable(golden.numbers(50, 3).astype(np.float32))
    with tf.GradientTape() as tape:
        loss = tf.nn.sampled_softmax_loss(w, tf.zeros([50]), [[1], [2]], tf.ones([2, 3]), 4, 50, seed=1)
    assert type(tape.gradient(loss, w)) is tf.IndexedSlices


@pytest.mark.parametrize("pseudo_random", [False, True])
@pytest.mark.parametrize("overlapping", [False, True])
def test_fractional_pooling(pseudo_random: bool, overlapping: bool):
    x = golden.numbers(2, 11, 7, 2)
    for pool, reduce in ((tf.nn.fractional_max_pool, np.max), (tf.nn.fractional_avg_pool, np.mean)):
        y, rows, columns = (t.numpy() for t in pool(x, [1.7, 1.3], pseudo_random, overlapping, seed=3))
        assert y.shape == (2, 6, 5, 2) and (rows[0], rows[-1], columns[-1]) == (0, 11, 7)
        assert set(np.diff(rows)) <= {1, 2} and set(np.diff(columns)) <= {1, 2}
        for i, j in np.ndindex(6, 5):
            part = x[:, rows[i] : rows[i + 1] + overlapping, columns[j] : columns[j + 1] + overlapping]
            np.testing.assert_allclose(y[:, i, j], reduce(part, axis=(1, 2)))


@pytest.mark.parametrize("has", [(True, True, True), (False, True, True), (True, False, False)])
def test_a_batch_of_maxima_is_a_loop(has: tuple[bool, ...]):
    """What the rows of tests/op_cases cannot show: y has to be the pool of x."""
    sliding = {"ksize": (2, 2), "strides": (1, 2), "padding": "SAME", "dilations": (1, 1)}
    x, g = golden.numbers(3, 2, 4, 3, 2), golden.numbers(3, 2, 4, 2, 2)
    y = np.stack([max_pool(one, **sliding) for one in x])
    for op, whole in ((max_pool_scatter, (g, x, y)), (max_pool_pick, (x + 1, x, y))):
        arguments = [a if batch else a[0] for a, batch in zip(whole, has, strict=True)]
        loop = [
            op(*(a[i] if b else a for a, b in zip(arguments, has, strict=True)), **sliding) for i in range(3)
        ]
        np.testing.assert_array_equal(batched(op, 3, arguments, has, sliding), np.stack(loop))
