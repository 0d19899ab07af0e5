"""Whether examples depend on each other along a batch axis: warnings of ``batch_jacobian``."""

import warnings

import numpy as np
import pytest

import gradtape as tf
from gradtape._src.autodiff import independence, jacobian

MODES = ("forward", "reverse")


def _batch_jacobian(x, links, mode):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.constant(links) @ tf.sin(tf.cumsum(x, 1))
    return tape.batch_jacobian(y, x, mode=mode)


class TestDependence:
    @pytest.mark.parametrize("mode", MODES)
    @pytest.mark.parametrize("dtype", [np.float32, np.float64])
    @pytest.mark.parametrize("n", [2, 3, 6, 7, 31, 32, 33, 64, 100, 200])
    def test_of_one_example_on_one_other(self, n, dtype, mode):
        """No pair is overlooked, in neither direction."""
        rng = np.random.default_rng(0)
        pairs = [(i, j) for i in range(n) for j in range(n) if i != j]
        for i, j in [pairs[k] for k in rng.permutation(len(pairs))[:12]]:
            links = np.zeros((n, n), dtype)
            links[i, j] = rng.choice([1, -0.03])
            x = tf.constant(rng.normal(size=(n, 2)), dtype)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.tanh(x) + tf.constant(links) @ tf.sin(x)
            with pytest.warns(UserWarning, match="along axis 0 depend on each other"):
                tape.batch_jacobian(y, x, mode=mode)

    @pytest.mark.parametrize("mode", MODES)
    @pytest.mark.parametrize("axis", [0, 1])
    def test_of_one_number_on_one_other(self, axis, mode):
        """Also where it is one of many numbers, in blocks, and of a complex batch."""
        x = tf.constant(np.random.default_rng(0).normal(size=(40, 50)) + 0.5j)
        link = np.zeros((40, 50))
        link[3 if axis == 0 else 7, 9 if axis == 0 else 31] = 1e-3
        other = (4, 9) if axis == 0 else (7, 30)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * x + tf.constant(link, tf.complex128) * x[other]
        with pytest.warns(UserWarning, match=f"along axis {axis} depend on each other"):
            tape.batch_jacobian(y, x, batch_axis=axis, mode=mode)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            tape.batch_jacobian(y, x, batch_axis=1 - axis, mode=mode)

    @pytest.mark.parametrize("mode", MODES)
    def test_in_blocks(self, mode, monkeypatch):
        monkeypatch.setattr(jacobian, "_BLOCK", 64 * 5 * 8 * 3)
        x = tf.constant(np.random.default_rng(0).normal(size=(64, 5)))
        links = np.eye(64)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            _batch_jacobian(x, links, mode)
        links[40, 41] = 0.01
        with pytest.warns(UserWarning, match="along axis 0 depend on each other"):
            _batch_jacobian(x, links, mode)

    @pytest.mark.parametrize("mode", MODES)
    @pytest.mark.parametrize("n", [5, 64])
    def test_in_a_graph(self, n, mode):
        run = tf.function(_batch_jacobian)
        x, links = tf.constant(np.random.default_rng(0).normal(size=(n, 3))), np.eye(n)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            run(x, tf.constant(links), mode)
        links[n - 2, 1] = 0.01
        with pytest.warns(UserWarning, match="along axis 0 depend on each other"):
            tf.function(_batch_jacobian)(x, tf.constant(links), mode)

    @pytest.mark.parametrize("mode", MODES)
    def test_rounding_is_no_dependence(self, mode, monkeypatch):
        """What is only suspected is looked at exactly."""
        looks, closer = [], independence.Glance.closer
        monkeypatch.setattr(
            independence.Glance, "closer", lambda glance: looks.append(glance) or closer(glance)
        )
        x = tf.constant(np.random.default_rng(0).normal(size=(50, 3)), tf.float32)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = (x * 3e5 + tf.sin(x)) - x * 3e5
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            tape.batch_jacobian(y, x, mode=mode)
        assert len(looks) == 1

    @pytest.mark.parametrize("dtype", [tf.float16, tf.bfloat16])
    def test_in_half_precision(self, dtype):
        x = tf.cast(tf.constant(np.random.default_rng(0).normal(size=(50, 3))), dtype)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = tf.tanh(x)
            z = y + tf.roll(tf.one_hot([7], 50, axis=0, dtype=dtype) * x, 1, 0)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            tape.batch_jacobian(y, x)
        with pytest.warns(UserWarning, match="along axis 0 depend on each other"):
            tape.batch_jacobian(z, x)

    @pytest.mark.parametrize("mode", MODES)
    def test_a_large_batch_costs_one_row(self, mode, monkeypatch):
        monkeypatch.setattr(independence.Glance, "closer", None)  # nothing is looked at that is not suspected
        x = tf.constant(np.random.default_rng(0).normal(size=(100, 3, 4)), tf.float32)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.keras.layers.GRU(5, return_sequences=True)(x)
        tape.batch_jacobian(y, x, mode=mode)

    def test_names_the_right_axis(self):
        x = tf.random.normal([5, 4, 2])
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = tf.cumsum(x, 0)
        with pytest.warns(UserWarning, match="pass batch_axis=1"):
            tape.batch_jacobian(y, x)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            tape.batch_jacobian(y, x, batch_axis=1)

    @pytest.mark.parametrize("reverse", [False, True])
    def test_in_either_direction(self, reverse):
        x = tf.constant([[1.0], [2.0]])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.cumsum(x, 0, reverse=reverse)
        with pytest.warns(UserWarning, match="depend on each other") as caught:
            tape.batch_jacobian(y, x)
        assert caught[0].filename == __file__

    @pytest.mark.parametrize("axis", [0, 1])
    def test_in_a_function_when_it_first_runs(self, axis):
        @tf.function
        def f(x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.cumsum(x, 0)
            return tape.batch_jacobian(y, x, batch_axis=axis)

        x = tf.random.normal([5, 4, 2])
        f.get_concrete_function(x)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            f(x)
            f(x)
        texts = [str(w.message) for w in caught]
        assert len(texts) == (1 if axis == 0 else 0)
        assert all("pass batch_axis=1" in text for text in texts)
        assert all(w.filename == __file__ for w in caught)

    def test_normalized_over_the_batch(self):
        x = tf.random.normal([5, 4])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x - tf.reduce_mean(x)
        with pytest.warns(UserWarning, match="tape.jacobian"):
            tape.batch_jacobian(y, x)
