"""Jacobians: both directions, eager, in a function and in a session agree with each other and with differences."""

import numpy as np
import pytest
from harness import Recorded, moving, parts
from op_cases import CASES

import gradtape as tf
from gradtape import compat
from gradtape._src.autodiff import jacobian as blocks
from gradtape._src.autodiff.jacobian import jacobians, sparse_jacobians_of
from gradtape._src.core.values import EagerTensor, ghost_of

v1 = compat.v1
MODES = ("forward", "reverse")


def differences(f, arrays, i, step=1e-6):
    """The Jacobian of f by argument i, by central differences, of a real function."""
    x = arrays[i]
    columns = []
    for k in np.ndindex(*x.shape):
        e = np.zeros_like(x)
        e[k] = step
        high, low = (
            np.asarray(f(*(tf.constant(a + sign * e if j == i else a) for j, a in enumerate(arrays))))
            for sign in (1, -1)
        )
        columns.append((high - low) / (2 * step))
    y = np.stack(columns, -1)
    return y.reshape(y.shape[:-1] + x.shape)


def jacobian(f, xs, mode, axis=None):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(xs)
        y = f(*xs)
    if axis is None:
        return tape.jacobian(y, xs, mode=mode)
    return [tape.batch_jacobian(y, x, mode=mode, batch_axis=axis) for x in xs]


def in_every_way(f, arrays, axis=None):
    for mode in MODES:
        yield f"eager, {mode}", jacobian(f, [tf.constant(a) for a in arrays], mode, axis)
        function = tf.function(lambda *xs, mode=mode: jacobian(f, list(xs), mode, axis))
        yield f"function, {mode}", function(*map(tf.constant, arrays))
        for known in (True, False):
            with tf.Graph().as_default():
                xs = [v1.placeholder(a.dtype, a.shape if known else [None] * a.ndim) for a in arrays]
                ys = jacobian(f, xs, mode, axis)
                with v1.Session() as session:
                    yield f"session, {mode}, {known}", session.run(ys, dict(zip(xs, arrays, strict=True)))


def inner_gradient(f):
    """The gradient of the squares of f, to be differentiated again."""

    def g(*xs):
        with tf.GradientTape() as tape:
            tape.watch(xs)
            y = tf.reduce_sum(f(*xs) ** 2)
        return tf.convert_to_tensor(tape.gradient(y, xs[0]))

    return g


@tf.function
def a_scan(x):
    return tf.scan(lambda a, e: tf.tanh(a + e * tf.reduce_sum(x)), x)


def a_while(x):
    step = lambda i, y: (i + 1, tf.cond(y[0, 0] > 0.0, lambda: tf.tanh(y * x) + x[::-1], lambda: y * x[1]))
    return tf.while_loop(lambda i, y: i < 3, step, (tf.constant(0), x))[1]


PROGRAMS = {
    "dense": (lambda x, w: tf.tanh(x @ w) * tf.reduce_sum(x), [(3, 4), (4, 2)]),
    "softmax": (lambda x, w: tf.nn.softmax(x @ w)[:, ::2], [(3, 4), (4, 3)]),
    "reshape": (lambda x: tf.reshape(x, tf.shape(x)[::-1]) ** 2, [(4, 2)]),
    "gather": (lambda x: tf.gather(x, [0, 0, 3]) ** 2, [(4, 2)]),
    "recurrence": (
        lambda x, w: tf.stack(recurrence(x, w), 1),
        [(2, 3, 2), (2, 2)],
    ),
    "map_fn": (lambda x: tf.map_fn(lambda a: a * tf.reduce_sum(x**2), x), [(4, 2)]),
    "scan": (lambda x: tf.scan(lambda a, e: tf.tanh(a + e * tf.reduce_sum(x)), x), [(4, 2)]),
    "while and cond": (a_while, [(3, 2)]),
    "function": (a_scan, [(4, 2)]),
    "to complex": (lambda x: tf.math.real(tf.complex(x, x * x) ** 3), [(3,)]),
}
PROGRAMS |= {
    f"gradient of {name}": (inner_gradient(f), shapes)
    for name, (f, shapes) in PROGRAMS.items()
    if name in ("dense", "gather", "scan", "while and cond", "function")
}


def recurrence(x, w):
    h, steps = tf.zeros_like(x[:, 0]), []
    for t in range(x.shape[1] or 3):
        h = tf.tanh(h @ w + x[:, t])
        steps.append(h)
    return steps


@pytest.mark.parametrize("name", PROGRAMS)
def test_all_ways_agree_with_differences(name):
    f, shapes = PROGRAMS[name]
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=shape) for shape in shapes]
    expected = [differences(f, arrays, i) for i in range(len(arrays))]
    for way, found in in_every_way(f, arrays):
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-7, err_msg=way)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: tf.exp(x) * tf.cast(tf.abs(x[0]), x.dtype),
        lambda x: tf.abs(x) ** 2,
        lambda x: tf.math.conj(x) * x[0] * tf.constant([1j, 2.0, 1.0]),
    ],
)
def test_complex_directions_agree(f):
    rng = np.random.default_rng(0)
    array = rng.normal(size=3) + 1j * rng.normal(size=3)
    ways = dict(in_every_way(f, [array]))
    first = ways.pop("eager, reverse")
    for way, found in ways.items():
        np.testing.assert_allclose(found[0], first[0], rtol=1e-10, err_msg=way)


@pytest.mark.parametrize("f, axis", [
    (lambda x: tf.stack([tf.tanh(x[:, 0]), x[:, 1] * x[:, 0]], 1), 0),
    (lambda x: tf.cumsum(x, 0) * tf.reduce_mean(x, 2, keepdims=True), 1),
    (lambda x: tf.cumsum(x, 0)[..., :2] ** 2, -2),
])  # fmt: skip
def test_batch_jacobian_is_the_diagonal(f, axis):
    array = np.random.default_rng(0).normal(size=(4, 3, 3))
    at = axis % 3
    whole = np.asarray(jacobian(f, [tf.constant(array)], "reverse")[0])
    expected = np.moveaxis(np.diagonal(whole, axis1=at, axis2=3 + at), -1, at)
    for way, found in in_every_way(f, [array], axis):
        np.testing.assert_allclose(found[0], expected, rtol=1e-10, atol=1e-12, err_msg=way)


CASES_WITH_BOTH = [c for c in CASES if c.op.differentiable and c.wrt and "float64" in map(str, c.dtypes)]


@pytest.mark.parametrize("case", CASES_WITH_BOTH, ids=[c.id for c in CASES_WITH_BOTH])
def test_forwards_is_backwards(case):
    """On a recording, where a rule sees no more than it said it reads."""
    inputs = [EagerTensor(a) if isinstance(a, np.ndarray) else a for a in case.draw(dtype="float64")]
    sources = [inputs[i] for i in case.wrt]
    with Recorded(sources) as recording:
        outs = parts(case.op(*inputs, **case.params))
    for y in outs:
        if not moving(y):
            continue
        ghosts = [ghost_of(x) for x in sources]
        forward, reverse = (jacobians(recording, ghost_of(y), ghosts, mode) for mode in MODES)
        for one, other in zip(forward, reverse, strict=True):
            if one is None or other is None:  # a rule that says that there is nothing is right to do so
                zero = other if one is None else one
                assert zero is None or not np.any(zero)
            else:
                np.testing.assert_allclose(one, other, rtol=1e-8, atol=1e-10)
        if not recording.complex:
            for x, dense in zip(sources, reverse, strict=True):
                (found,) = sparse_jacobians_of(recording, y, [x], zero=True)
                expected = np.zeros(found.shape) if dense is None else np.reshape(dense, found.shape)
                np.testing.assert_allclose(found.toarray(), expected, rtol=1e-8, atol=1e-9)


def test_in_blocks(monkeypatch):
    f = PROGRAMS["recurrence"][0]
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=(3, 4, 2)), rng.normal(size=(2, 2))]
    whole = [jacobian(f, list(map(tf.constant, arrays)), mode) for mode in MODES]
    monkeypatch.setattr(blocks, "_BLOCK", 3 * 24 * 8)
    for mode, expected in zip(MODES, whole, strict=True):
        for one, other in zip(jacobian(f, list(map(tf.constant, arrays)), mode), expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-12)


class TestDirection:
    def directions(self, monkeypatch):
        taken = []
        for name in ("_forward", "_reverse"):
            real = getattr(blocks, name)
            monkeypatch.setattr(
                blocks, name, lambda *args, real=real, name=name: taken.append(name) or real(*args)
            )
        return taken

    def test_few_columns(self, monkeypatch):
        taken = self.directions(monkeypatch)
        jacobian(lambda x: tf.tanh(x[0] * tf.ones([50])), [tf.constant([1.0, 2.0])], "auto")
        assert set(taken) == {"_forward"}

    def test_few_rows(self, monkeypatch):
        taken = self.directions(monkeypatch)
        jacobian(lambda x: tf.reduce_sum(x**2), [tf.random.normal([10_000])], "auto")
        assert taken == ["_reverse"]


class TestSparse:
    N = 30

    FUNCTIONS = {
        "tridiagonal": (lambda x: tf.roll(x, 1, 0) + tf.roll(x, -1, 0) - 2 * tf.tanh(x), 3 * N),
        "differences": (lambda x: x[2:] - 2 * x[1:-1] * tf.sin(x[:-2]) + x[:-2] ** 2, 3 * (N - 2)),
        "convolution": (
            lambda x: tf.nn.conv1d(
                x[None, :, None], tf.constant([[[1.0]], [[-2.0]], [[1.0]]], x.dtype), 1, "SAME"
            ),
            3 * N - 2,
        ),
        "sums of parts": (lambda x: tf.reduce_sum(tf.reshape(x**2, [-1, 5]), 1), N),
        "rows": (lambda x: tf.nn.softmax(tf.reshape(x, [-1, 3]) @ tf.ones([3, 2], x.dtype)), 2 * N),
        "nothing": (lambda x: tf.stop_gradient(x) * tf.ones_like(x), 0),
    }

    @pytest.mark.parametrize("name", FUNCTIONS)
    def test_is_the_dense_one(self, name):
        f, most = self.FUNCTIONS[name]
        x = tf.constant(np.random.default_rng(0).normal(size=self.N))
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = f(x)
        sparse = tape.jacobian(y, x, unconnected_gradients="zero", sparse=True)
        dense = tape.jacobian(y, x, unconnected_gradients="zero")
        np.testing.assert_allclose(sparse.toarray(), np.reshape(dense, sparse.shape), rtol=1e-10, atol=1e-14)
        assert sparse.nnz <= most

    @pytest.mark.parametrize("f, structured", [
        (lambda x: tf.sin(x) * tf.exp(x), True),
        (lambda x: tf.tanh(tf.reshape(x, [-1, 8]) @ tf.ones([8, 4], x.dtype)), True),
        (lambda x: tf.where(x > 0, tf.sqrt(x), 0.0), True),
        (lambda x: x * tf.reduce_sum(x), False),
    ])  # fmt: skip
    def test_a_large_dense_one_is_made_of_it(self, f, structured, monkeypatch):
        monkeypatch.setattr(blocks, "_LARGE", 0)
        made = []
        real = blocks._by_structure
        monkeypatch.setattr(blocks, "_by_structure", lambda *args: made.append(real(*args)) or made[-1])
        x = tf.constant(np.maximum(np.random.default_rng(0).normal(size=160), 0.0))
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = f(x)
        found = tape.jacobian(y, x)
        np.testing.assert_allclose(found, tape.jacobian(y, x, mode="reverse"), rtol=1e-10, atol=1e-14)
        assert (made[0] is not None) == structured

    def test_a_dense_one_is_not_searched(self, monkeypatch):
        monkeypatch.setattr(blocks, "_LARGE", 0)
        monkeypatch.delattr(blocks, "sparse_jacobian")
        x = tf.constant(np.linspace(-1.0, 1.0, 40))
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.linalg.matvec(tf.ones([30, 40], x.dtype), tf.tanh(x))
        expected = np.broadcast_to(1 - np.tanh(x) ** 2, (30, 40))
        np.testing.assert_allclose(tape.jacobian(y, x), expected, rtol=1e-12)

    def test_a_branch_not_taken(self):
        x = tf.constant([0.0, 4.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.where(x > 0, tf.sqrt(x), 0.0)
        np.testing.assert_allclose(tape.jacobian(y, x, sparse=True).toarray(), [[0.0, 0.0], [0.0, 0.25]])

    def test_large(self):
        """The dense one would take 80 GB."""
        n = 100_000
        x = tf.constant(np.random.default_rng(0).normal(size=n))
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x[1:-1] ** 2 * x[2:] + x[:-2]
        found = tape.jacobian(y, x, sparse=True)
        assert found.shape == (n - 2, n) and found.nnz == 3 * (n - 2)
        v = np.random.default_rng(1).normal(size=n)
        a = x.numpy()
        expected = 2 * a[1:-1] * a[2:] * v[1:-1] + a[1:-1] ** 2 * v[2:] + v[:-2]
        np.testing.assert_allclose(found @ v, expected, rtol=1e-10, atol=1e-12)

    @pytest.mark.parametrize("dtype", [tf.float16, tf.bfloat16])
    def test_a_dtype_that_scipy_lacks(self, dtype):
        x = tf.constant([1.0, 2.0], dtype)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * x
        for found in (
            tape.jacobian(y, x, sparse=True),
            tape.jacobian(x[0], x, unconnected_gradients="zero", sparse=True),
        ):
            assert found.dtype == np.float32
        np.testing.assert_array_equal(tape.jacobian(y, x, sparse=True).toarray(), np.diag([2.0, 4.0]))

    def test_complex(self):
        x = tf.constant([1.0 + 2.0j, 3.0 - 1.0j])
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x**2
        np.testing.assert_allclose(tape.jacobian(y, x, sparse=True).toarray(), tape.jacobian(y, x))

    def test_in_a_graph_there_is_none(self):
        @tf.function
        def f(x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = x * x
            return tape.jacobian(y, x, sparse=True)

        with pytest.raises(ValueError, match="eager mode"):
            f(tf.constant([1.0]))


class TestAnswers:
    def test_unconnected(self):
        x, z = tf.Variable([1.0, 2.0]), tf.Variable([[3.0]])
        with tf.GradientTape(persistent=True) as tape:
            y = x**2
        assert tape.jacobian(y, [x, z])[1] is None
        found = tape.jacobian(y, {"z": z}, unconnected_gradients="zero")
        assert found["z"].shape == (2, 1, 1)
        w = tf.Variable([[3.0], [1.0]])
        np.testing.assert_array_equal(tape.batch_jacobian(y[:, None], w), np.zeros((2, 1, 1)))

    @pytest.mark.parametrize("wrap", [lambda f: f, tf.function], ids=["eager", "function"])
    def test_of_a_variable_by_itself(self, wrap):
        """As TensorFlow: asking reads it, and a tape that watches what is read watches it then."""
        w = tf.Variable([[1.0, 2.0]])

        def recorded(watch):
            with tf.GradientTape(persistent=True, watch_accessed_variables=watch) as tape:
                pass
            return tape

        found = wrap(lambda: recorded(True).jacobian(w, w))()
        np.testing.assert_array_equal(found, np.eye(2)[None, :, None])
        np.testing.assert_array_equal(wrap(lambda: recorded(True).batch_jacobian(w, w))(), np.eye(2)[None])
        assert wrap(lambda: recorded(False).jacobian(w, w))() is None

    def test_integer_source(self):
        x = tf.constant([1, 2])
        with tf.GradientTape() as tape:
            y = tf.cast(x, tf.float32) ** 2
        assert tape.jacobian(y, x) is None

    @pytest.mark.parametrize("place", [lambda f: f, tf.function], ids=["eager", "in a function"])
    def test_integers_along_a_batch_axis(self, place):
        def f(x, dtype):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.cast(x, dtype) * 2
            return tape.batch_jacobian(y, x)

        for source, target in [("int32", "float64"), ("float64", "int32"), ("int32", "int64")]:
            found = place(f)(tf.constant([[1, 2]], source), target)
            assert found.dtype == target
            np.testing.assert_array_equal(found, np.zeros((1, 2, 2)))

    @pytest.mark.parametrize("persistent", [True, False])
    @pytest.mark.parametrize("inside", [True, False])
    def test_a_target_of_slices(self, persistent, inside):
        x = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        with tf.GradientTape(persistent=persistent) as tape:
            with tf.GradientTape() as inner:
                y = tf.reduce_sum(tf.gather(x, [0, 0, 2]) ** 3)
            gradient = inner.gradient(y, x)
            if inside:
                found = tape.jacobian(gradient, x)
        found = found if inside else tape.jacobian(gradient, x)
        expected = np.diag(6 * x.numpy().ravel() * [2, 2, 0, 0, 1, 1])
        np.testing.assert_allclose(np.reshape(found, (6, 6)), expected)

    def test_nan_in_a_branch_not_taken(self):
        x = tf.constant([0.0, 4.0])
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = tf.where(x > 0, tf.sqrt(x), 0.0)
        for mode in MODES:
            np.testing.assert_allclose(tape.jacobian(y, x, mode=mode), [[0.0, 0.0], [0.0, 0.25]])

    def test_is_recorded_by_an_outer_tape(self):
        x = tf.constant([0.5, 1.5])
        for mode in MODES:
            with tf.GradientTape() as outer:
                outer.watch(x)
                with tf.GradientTape() as tape:
                    tape.watch(x)
                    y = x**3 * tf.reduce_sum(x)
                total = tf.reduce_sum(tape.jacobian(y, x, mode=mode))
            # sum_ij d(x_i³ s)/dx_j = sum_i 3 x_i² s + 2 x_i³, for s = x_0 + x_1
            a, b = 0.5, 1.5
            expected = [6 * p * (a + b) + 3 * (a * a + b * b) + 6 * p * p for p in (a, b)]
            np.testing.assert_allclose(outer.gradient(total, x), expected, rtol=1e-6)


class TestRefusals:
    def recorded(self, persistent=True):
        x = tf.constant([[1.0, 2.0]])
        with tf.GradientTape(persistent=persistent) as tape:
            tape.watch(x)
            y = x * x
        return tape, y, x

    def test_mode(self):
        tape, y, x = self.recorded()
        with pytest.raises(ValueError, match="'auto', 'forward', 'reverse'"):
            tape.jacobian(y, x, mode="forwards")

    def test_used_twice(self):
        tape, y, x = self.recorded(persistent=False)
        tape.jacobian(y, x)
        with pytest.raises(RuntimeError, match="persistent=True"):
            tape.jacobian(y, x)

    @pytest.mark.parametrize("axis", [2, -3])
    def test_axis_out_of_range(self, axis):
        tape, y, x = self.recorded()
        with pytest.raises(ValueError, match="out of range.*jacobian takes tensors of any shape"):
            tape.batch_jacobian(y, x, batch_axis=axis)

    def test_axis_that_is_no_number(self):
        tape, y, x = self.recorded()
        with pytest.raises(TypeError, match="batch_axis must be an integer"):
            tape.batch_jacobian(y, x, batch_axis="0")

    def test_axis_of_different_sizes(self):
        tape, y, x = self.recorded()
        with pytest.raises(
            ValueError, match="Need first dimension of target shape.*Say with batch_axis which"
        ):
            tape.batch_jacobian(tf.concat([y, y], 0), x)

    def test_axis_from_the_end_that_is_another_one_in_the_source(self):
        tape, y, x = self.recorded()
        with pytest.raises(ValueError, match="axis 2 of the target.*axis 1 of its source.*from the front"):
            tape.batch_jacobian(y[:, tf.newaxis], x, batch_axis=-1)

    def test_without_an_axis_beside_that_of_the_batch(self):
        tape, y, x = self.recorded()
        with pytest.raises(ValueError, match="rank at least 2.*dimension of length 1"):
            tape.batch_jacobian(y[:, 0], x)

    @pytest.mark.parametrize("mode", ["forward", "reverse"])
    def test_axis_of_sizes_that_differ_when_it_runs(self, mode):
        with tf.Graph().as_default(), v1.Session() as session:
            x, more = v1.placeholder(tf.float32, [None, 3]), v1.placeholder(tf.float32, [None, 3])
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.concat([x * x, more], 0)
            found = tape.batch_jacobian(y, x, mode=mode)
            sizes = lambda n, m: {x: np.ones((n, 3)), more: np.ones((m, 3))}
            assert session.run(found, sizes(2, 0)).shape == (2, 3, 3)
            with pytest.raises(
                tf.errors.InvalidArgumentError, match=r"\[6,3\]\) and source shape \(\[2,3\]\)"
            ):
                session.run(found, sizes(2, 4))

    def test_unknown_rank(self):
        with tf.Graph().as_default():
            x = v1.placeholder(tf.float32)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = x * x
            with pytest.raises(ValueError, match="rank"):
                tape.batch_jacobian(y, x)

    @pytest.mark.parametrize("target", [None, [1.0], "y"])
    def test_no_tensor(self, target):
        tape, _, x = self.recorded()
        with pytest.raises(TypeError, match="must be"):
            tape.jacobian(target, x)


def test_of_a_nest_of_values():
    x, w = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    found = tf.autodiff.jacobian(lambda x, w: {"a": x * w, "b": [tf.reduce_sum(x)]}, (x, w))
    np.testing.assert_array_equal(found["a"][0], np.diag([3.0, 4.0]))
    np.testing.assert_array_equal(found["a"][1], np.diag([1.0, 2.0]))
    ((of_x, of_w),) = found["b"]
    np.testing.assert_array_equal(of_x, [1.0, 1.0])
    assert of_w is None
