"""vectorized_map is map_fn, eagerly and in graphs, with gradients and inside itself."""

import copy
import logging

import numpy as np
import pytest

import gradtape as tf
from gradtape._src.core import log

X = np.array([[1.0, 2.0], [3.0, -4.0], [0.5, 0.0]])
W = np.array([[2.0, 1.0], [0.0, 3.0]])


def gradient_inside(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.tanh(x) ** 3) * x[0]
    return tape.gradient(y, x)


def jacobian_inside(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x[0]
    return tape.jacobian(y, x)


FUNCTIONS = {
    "captured": lambda x: tf.linalg.matvec(tf.constant(W), x),
    "reductions": lambda x: tf.reduce_max(x) - tf.reduce_mean(tf.sort(x)),
    "nested": lambda x: tf.vectorized_map(lambda a: a * a * W[0, 0], x) * tf.constant(W[0]),
    "map inside": lambda x: tf.map_fn(lambda a: a**3, x),
    "gradient inside": gradient_inside,
    "jacobian inside": jacobian_inside,
    "indexing": lambda x: tf.stack([x[1], x[0], tf.gather(x, [0, 1, 1])[2]]),
    "function": tf.function(lambda x: tf.scan(lambda a, e: tf.tanh(a + e), x)),
    "comparison": lambda x: tf.where(tf.equal(x, 2.0) | (x > 0.0), x, -x),
    "operators that compare": lambda x: (
        tf.where((x == 2.0) | (x[0] == x), x, -x) * tf.cast(x != [1.0, 3.0], x.dtype)
    ),
    "numbers of elements": lambda x: x * tf.cast(tf.unravel_index(tf.argmax(x), [1, 2]), x.dtype),
    "fractions": lambda x: x * tf.cast(tf.math.zero_fraction(x), x.dtype),
    "text": lambda x: x * tf.cast(tf.strings.length(tf.strings.as_string(x)), x.dtype),
    "finite": lambda x: tf.debugging.check_numerics(x, "x"),
    "comparison that does not fit": lambda x: tf.where(x == [1.0, 2.0, 3.0], x, -x) * x[0],
    "cond of a captured value": lambda x: tf.cond(tf.constant(True), lambda: x, lambda: -x),
}


places = pytest.mark.parametrize("place", [lambda f: f, tf.function], ids=["eager", "in a function"])


@places
@pytest.mark.parametrize("name", FUNCTIONS)
class TestIsMapFn:
    def test_value(self, name, place):
        f = FUNCTIONS[name]
        expected = np.stack([f(tf.constant(x)).numpy() for x in X])
        found = place(lambda x: tf.vectorized_map(f, x, fallback_to_while_loop=False))(tf.constant(X))
        np.testing.assert_allclose(found, expected, rtol=1e-12)

    def test_gradient(self, name, place):
        f = FUNCTIONS[name]

        def gradient(x, many):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.reduce_sum(tf.sin(many(x)))
            return tape.gradient(y, x)

        expected = gradient(tf.constant(X), lambda x: tf.stack([f(x[i]) for i in range(len(X))]))
        found = place(lambda x: gradient(x, lambda x: tf.vectorized_map(f, x, warn=False)))(tf.constant(X))
        np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-14)


@places
def test_gradient_of_what_is_captured(place):
    def gradient(w):
        with tf.GradientTape() as tape:
            tape.watch(w)
            y = tf.vectorized_map(lambda x: tf.reduce_sum(tf.linalg.matvec(w, x) ** 2), tf.constant(X))
        return tape.gradient(y, w)

    np.testing.assert_allclose(place(gradient)(tf.constant(W)), 2 * (X @ W.T).T @ X)


@places
@pytest.mark.parametrize("f", [
    lambda v: lambda x: tf.linalg.matvec(v, x) ** 2,
    lambda v: lambda x: tf.nn.embedding_lookup(v, tf.cast(x > 0, tf.int32)) * x,
    lambda v: tf.function(lambda x: tf.scan(lambda a, e: tf.tanh(a * v[0, 0] + e), x)),
    lambda v: tf.recompute_grad(lambda x: tf.tanh(v * x) * x),
], ids=["read", "looked up", "in a function", "recomputed"])  # fmt: skip
class TestVariables:
    def test_gradient(self, place, f):
        v = tf.Variable(W)
        f = f(v)

        def gradient(many):
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(many(tf.constant(X)))
            return tf.convert_to_tensor(tape.gradient(y, v))

        expected = gradient(lambda xs: tf.stack([f(x) for x in xs]))
        found = place(lambda: gradient(lambda xs: tf.vectorized_map(f, xs)))()
        np.testing.assert_allclose(found, expected, rtol=1e-10)

    def test_tangent(self, place, f):
        v = tf.Variable(W)
        f = f(v)

        def tangent(many):
            with tf.autodiff.ForwardAccumulator(v, tf.constant(W[::-1].copy())) as accumulator:
                y = many(tf.constant(X))
            return accumulator.jvp(y)

        expected = tangent(lambda xs: tf.stack([f(x) for x in xs]))
        found = place(lambda: tangent(lambda xs: tf.vectorized_map(f, xs)))()
        np.testing.assert_allclose(found, expected, rtol=1e-10)


class TestCustomGradients:
    @staticmethod
    @tf.custom_gradient
    def twice(x, w):
        y = tf.sin(x * w)

        def grad(dy):
            return 2.0 * dy * w * tf.cos(x * w) + 0.0 * y, 3.0 * dy * x

        return y, grad

    @places
    @pytest.mark.parametrize("shared", [True, False])
    def test_from_outside(self, place, shared):
        w = tf.constant(W[0] if shared else X[::-1].copy())

        def gradients(x, w):
            with tf.GradientTape() as outer:
                outer.watch([x, w])
                with tf.GradientTape() as tape:
                    tape.watch([x, w])
                    given = x if shared else (x, w)
                    f = lambda p: self.twice(p, w) if shared else self.twice(*p)
                    y = tf.vectorized_map(f, given, fallback_to_while_loop=False)
                found = tape.gradient(y, [x, w])
                total = sum(tf.reduce_sum(g**2) for g in found)
            return found, outer.gradient(total, [x, w])

        x, v = tf.constant(X), w.numpy()
        (dx, dw), second = place(gradients)(x, w)
        np.testing.assert_allclose(dx, 2 * v * np.cos(X * v), rtol=1e-12)
        np.testing.assert_allclose(dw, np.sum(3 * X, 0) if shared else 3 * X, rtol=1e-12)
        assert [g.shape for g in second] == [x.shape, w.shape]

    @places
    def test_from_inside(self, place):
        def gradient(x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = self.twice(x, W[0])
            return tape.gradient(y, x)

        found = place(lambda x: tf.vectorized_map(gradient, x, fallback_to_while_loop=False))(tf.constant(X))
        np.testing.assert_allclose(found, 2 * W[0] * np.cos(X * W[0]))

    @places
    def test_one_that_broadcasts(self, place):
        """A scalar for a vector, a matrix for a vector."""
        for gradient, factor in ((lambda dy: tf.reduce_sum(dy), 2), (lambda dy: tf.stack([dy, dy, dy]), 3)):
            f = tf.custom_gradient(lambda x, gradient=gradient: (x * 1.0, gradient))

            def gradient_of(x, f=f):
                with tf.GradientTape() as tape:
                    tape.watch(x)
                    y = tf.vectorized_map(f, x)
                return tape.gradient(y, x)

            np.testing.assert_array_equal(place(gradient_of)(tf.ones([4, 2])), np.full((4, 2), factor))


@places
def test_gradients_of_each_element(place):
    """Those of tables are IndexedSlices, and of what is not connected None."""
    table, other = tf.Variable(W), tf.Variable(1.0)

    def gradients(i):
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.gather(table, [i, i]) ** 2)
        return tape.gradient(y, [table, other])

    found, none = place(lambda i: tf.vectorized_map(gradients, i))(tf.constant([1, 0]))
    assert none is None
    np.testing.assert_array_equal(found, [[[0, 0], 4 * W[1]], [4 * W[0], [0, 0]]])


def test_structures_and_lengths_of_one():
    out = tf.vectorized_map(
        lambda p: {"s": p[0] + p[1]["b"], "c": 3.0}, (tf.ones([4, 2]), {"b": tf.ones([1, 2])})
    )
    np.testing.assert_array_equal(out["s"], np.full((4, 2), 2.0))
    np.testing.assert_array_equal(out["c"], np.full(4, 3.0))


def test_random_numbers_differ():
    found = tf.vectorized_map(lambda x: tf.random.uniform([]), tf.ones([5])).numpy()
    assert len(set(found)) == 5


@places
@pytest.mark.parametrize("method", ["jacobian", "batch_jacobian"])
def test_jacobians_of_each_element(method, place):
    """The look at whether examples depend on each other asks for values: there are none here."""

    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.sin(x) * tf.reduce_sum(x, 1, keepdims=True)
        return getattr(tape, method)(y, x)

    x = tf.constant(np.random.default_rng(0).normal(size=(3, 2, 4)))
    found = place(lambda x: tf.vectorized_map(f, x, fallback_to_while_loop=False))(x)
    np.testing.assert_allclose(found, tf.stack([f(row) for row in x]), rtol=1e-12)


# Functions of integers (and weights) whose results have a shape that does not depend on them.
COUNTING = {
    "bincount": lambda i, w: tf.math.bincount(i, minlength=5, maxlength=5),
    "weights": lambda i, w: tf.math.bincount(i, w, minlength=5, maxlength=5),
    "rows": lambda i, w: tf.math.bincount(tf.stack([i, 4 - i]), minlength=5, maxlength=5, axis=-1),
    "confusion": lambda i, w: tf.math.confusion_matrix(i, 4 - i, 5, w),
    "histogram": lambda i, w: tf.histogram_fixed_width(w, [0.0, 1.0], 3),
    "inverse": lambda i, w: tf.math.invert_permutation(i),
    "stitch": lambda i, w: tf.dynamic_stitch([i[:3], i[3:]], [w[:3], w[3:]]),
    "stitch at fixed places": lambda i, w: tf.dynamic_stitch([[0, 2], [1]], [w[:2], w[2:3]]),
    "partition": lambda i, w: tf.concat(tf.dynamic_partition(w, i % 2, 2), 0),
    "partition at fixed places": lambda i, w: tf.concat(tf.dynamic_partition(w, [0, 1, 1, 0, 1], 2), 0),
    "sparse": lambda i, w: tf.sparse.sparse_dense_matmul(tf.sparse.eye(5, dtype=tf.float64), w[:, None]),
}


@pytest.mark.parametrize("name", COUNTING)
@places
def test_counts_and_rows(name, place):
    rng = np.random.default_rng(0)
    i = tf.constant(np.stack([rng.permutation(5) for _ in range(3)]), tf.int32)
    w = tf.constant(rng.uniform(size=(3, 5)))
    f = COUNTING[name]
    together = place(
        lambda i, w: tf.vectorized_map(lambda one: f(*one), (i, w), fallback_to_while_loop=False)
    )
    np.testing.assert_allclose(together(i, w), tf.stack([f(*one) for one in zip(i, w)]), rtol=1e-12)

    def slopes(call):
        with tf.GradientTape() as tape:
            tape.watch(w)
            y = call()
            loss = tf.reduce_sum(tf.sin(tf.cast(y, tf.float64)))
        return tape.gradient(loss, w, unconnected_gradients="zero")

    expected = slopes(lambda: tf.stack([f(*one) for one in zip(i, w)]))
    np.testing.assert_allclose(slopes(lambda: together(i, w)), expected, rtol=1e-12)


class TestFallback:
    @pytest.fixture
    def messages(self, monkeypatch, caplog):
        monkeypatch.setattr(log, "_counts", type(log._counts)())
        logger = logging.getLogger("tensorflow")
        monkeypatch.setattr(logger, "propagate", True)
        with caplog.at_level(logging.WARNING, logger="tensorflow"):
            yield lambda: [record.getMessage() for record in caplog.records]

    def test_is_announced_once_by_name(self, messages):
        for _ in range(2):
            found = tf.vectorized_map(lambda x: tf.unique(x)[0], tf.constant([[1, 1], [3, 3]]))
        np.testing.assert_array_equal(found, [[1], [3]])
        assert len(messages()) == 1 and "Unique" in messages()[0]

    def test_in_a_function(self, messages):
        f = tf.function(lambda x: tf.vectorized_map(lambda x: tf.unique(x)[0][:1], x))
        np.testing.assert_array_equal(f(tf.constant([[1, 1], [3, 3]])), [[1], [3]])
        assert len(messages()) == 1 and "Unique" in messages()[0]

    def test_can_be_silent(self, messages):
        tf.vectorized_map(lambda x: tf.unique(x)[0], tf.constant([[1, 1], [3, 3]]), warn=False)
        assert not messages()

    def test_can_be_refused(self):
        with pytest.raises(ValueError, match="Unique"):
            tf.vectorized_map(lambda x: tf.unique(x)[0], tf.constant([[1, 1]]), fallback_to_while_loop=False)

    @pytest.mark.parametrize("f", [
        lambda x: x if x[0] > 0 else -x,
        lambda x: tf.cond(x[0] > 0, lambda: x, lambda: -x),
        lambda x: x * float(tf.sign(x[0])),
    ])  # fmt: skip
    def test_for_a_value(self, f, messages):
        np.testing.assert_array_equal(tf.vectorized_map(f, tf.constant([[1.0], [-2.0]])), [[1.0], [2.0]])
        assert len(messages()) == 1 and "asks for a value" in messages()[0]
        with pytest.raises(ValueError, match="asks for"):
            tf.vectorized_map(f, tf.constant([[1.0], [-2.0]]), fallback_to_while_loop=False)


@pytest.mark.parametrize("y", [tf.ones([3]), [1.0, 2.0, 3.0]])
def test_shapes_that_do_not_fit(y):
    """Are named as those of one element."""
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Incompatible shapes: \[2\] vs. \[3\]"):
        tf.vectorized_map(lambda x: x + y, tf.constant(X, tf.float32))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Incompatible shapes: \[2\] vs. \[3\]"):
        tf.vectorized_map(lambda x: tf.ones([2]) + y, tf.constant(X))


@pytest.mark.parametrize(
    "elems, text",
    [((tf.ones([4]), tf.ones([3])), "equal"), (tf.constant(1.0), "scalar"), ((), "at least one")],
)
def test_refusals(elems, text):
    with pytest.raises(ValueError, match=text):
        tf.vectorized_map(lambda x: x, elems)


_SEEDS = tf.constant([[1, 2], [3, -4], [0, 0]])
_SPARSE = tf.SparseTensor([[0, 1], [2, 0]], [1.0, 2.0], [3, 2])
_PLACES = np.array([[[0, 1], [2, 0]], [[0, 0], [1, 1]]])
_TABLE = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer([3, 5], [1.0, 2.0]), -1.0)


class TestWithoutALoop:
    """By one application of a batch rule, with the numbers of a loop."""

    @pytest.mark.parametrize("f, elems", [
        (lambda s: tf.random.stateless_uniform([3, 5], s), _SEEDS),
        (lambda s: tf.random.stateless_uniform([3], s, -4, 9, tf.int32), _SEEDS),
        (lambda s: tf.random.stateless_uniform([3], s, None, None, tf.int64), _SEEDS),
        (lambda s: tf.random.stateless_uniform([0], s), _SEEDS),
        (lambda s: tf.random.stateless_normal([5], s, dtype=tf.float64), _SEEDS),
        (lambda s: tf.random.stateless_normal([2], s, dtype=tf.float16), _SEEDS),
        (lambda s: tf.roll(tf.reshape(tf.range(6.0), [2, 3]), s, [0, 1]), _SEEDS),
        (lambda s: tf.roll(tf.range(5), s[0], 0), _SEEDS),
        (lambda s: tf.roll(tf.cast(s, tf.float32), s[1], 0), _SEEDS),
        (lambda s: _TABLE.lookup(s), tf.constant([[3, 4], [5, 3]])),
        (lambda v: tf.sparse.to_dense(tf.SparseTensor(_SPARSE.indices, v, [3, 2])), tf.constant(X)),
        (lambda v: tf.sparse.sparse_dense_matmul(tf.SparseTensor(_SPARSE.indices, v, [3, 2]), W), tf.constant(X)),
        (lambda i: tf.sparse.to_dense(tf.SparseTensor(i, [1.0, 2.0], [3, 2])), _PLACES),
        (lambda w: tf.nn.dilation2d(
            tf.reshape(tf.range(18.0), [1, 3, 3, 2]), tf.reshape(w, [1, 2, 2]), [1] * 4, "SAME", "NHWC", [1] * 4
        ), tf.constant([[1.0, 2.0, 0.0, 5.0], [9.0, 0.0, 0.0, 1.0]])),
    ])  # fmt: skip
    def test_as_a_loop(self, f, elems):
        elems = tf.convert_to_tensor(elems)
        found = tf.vectorized_map(f, elems, fallback_to_while_loop=False)
        expected = tf.stack([f(one) for one in elems])
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)
        in_graph = tf.function(lambda x: tf.vectorized_map(f, x, fallback_to_while_loop=False))
        np.testing.assert_array_equal(in_graph(elems), expected)

    def test_maps_in_maps(self):
        f = lambda seed: tf.random.stateless_normal([4], seed)
        seeds = tf.reshape(tf.range(12), [2, 3, 2])
        found = tf.vectorized_map(lambda row: tf.vectorized_map(f, row), seeds)
        np.testing.assert_array_equal(found, [[f(seed) for seed in row] for row in seeds])

    def test_gradients(self):
        w, x = tf.constant(X), tf.constant(np.arange(6.0).reshape(3, 2))
        places = tf.constant([[0, 1], [2, 0]], tf.int64)
        f = lambda v, b: tf.reduce_sum(
            tf.sparse.sparse_dense_matmul(tf.SparseTensor(places, v, [3, 2]), b) ** 2
        )
        b = tf.constant(np.arange(12.0).reshape(3, 2, 2))

        def loss(how):
            with tf.GradientTape() as tape:
                tape.watch([w, x, b])
                shift = tf.constant([1, 0, 1])
                y = how(
                    lambda e: f(e[0], e[3]) + tf.reduce_sum(tf.roll(e[1], e[2], 0) * e[0]), (w, x, shift, b)
                )
            return tape.gradient(y, [w, x, b])

        by_loop = lambda g, elems: tf.stack([g([e[i] for e in elems]) for i in range(3)])
        for found, expected in zip(loss(tf.vectorized_map), loss(by_loop), strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_elements_are_tensors_to_their_users():
    """What eager tensors and those of graphs both have."""
    common = {name for name in dir(tf.constant(1.0)) if not name.startswith("__")}
    tf.function(lambda x: common.intersection_update(dir(x)))(tf.constant(1.0))
    common -= {"consumers"}  # a method that in eager mode only refuses

    def looked_at(x):
        assert common <= set(dir(x))
        assert x._shape_tuple() == (2,)
        assert copy.copy(x) is x
        assert copy.deepcopy([x])[0] is x
        return x

    np.testing.assert_array_equal(tf.vectorized_map(looked_at, X), X)
