"""Whether examples depend on each other along a batch axis: warnings of ``batch_jacobian``."""

import warnings

import numpy as np
import pytest

import gradtape as tf

MODES = ("forward", "reverse")


class TestDependence:
    @pytest.mark.parametrize("n", [2, 3, 6, 7, 31])
    def test_of_one_example_on_one_other(self, n):
        """In a small batch no pair is overlooked, in neither direction."""
        rng = np.random.default_rng(0)
        pairs = [(i, j) for i in range(n) for j in range(n) if i != j]
        for i, j in [pairs[k] for k in rng.permutation(len(pairs))[:12]]:
            links = np.zeros((n, n))
            links[i, j] = 1
            x = tf.constant(rng.normal(size=(n, 2)))
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = x + tf.constant(links) @ tf.sin(x)
            with pytest.warns(UserWarning, match="along axis 0 depend on each other"):
                tape.batch_jacobian(y, x)

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
