"""``tf.distributions``: against SciPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

import gradtape as tf

v1 = tf.compat.v1
D = v1.distributions
A, B = np.array([0.5, 1.5, 3.0]), np.array([2.0, 0.7, 1.2])
X = np.array([[0.1], [0.4], [0.9]])

CONTINUOUS: dict[str, tuple[Any, Any]] = {
    "Normal": (lambda a, b: D.Normal(a, b), stats.norm(A, B)),
    "Uniform": (lambda a, b: D.Uniform(-a, b), stats.uniform(-A, A + B)),
    "Exponential": (lambda a, b: D.Exponential(a), stats.expon(0, 1 / A)),
    "Laplace": (lambda a, b: D.Laplace(a, b), stats.laplace(A, B)),
    "Gamma": (lambda a, b: D.Gamma(a, b), stats.gamma(A, 0, 1 / B)),
    "Beta": (lambda a, b: D.Beta(a, b), stats.beta(A, B)),
}


@pytest.mark.parametrize("name", CONTINUOUS)
def test_continuous(name: str):
    make, reference = CONTINUOUS[name]
    d = make(tf.constant(A), tf.constant(B))
    assert d.dtype == tf.float64 and d.batch_shape == [3] and d.event_shape == []
    np.testing.assert_allclose(d.log_prob(X), reference.logpdf(X), rtol=1e-9)
    np.testing.assert_allclose(d.prob(X), reference.pdf(X), rtol=1e-9)
    np.testing.assert_allclose(d.cdf(X), reference.cdf(X), rtol=1e-9)
    np.testing.assert_allclose(d.survival_function(X), reference.sf(X), rtol=1e-9)
    for moment in ("mean", "var", "std", "entropy"):
        ours = {"var": "variance", "std": "stddev"}.get(moment, moment)
        np.testing.assert_allclose(
            getattr(d, ours)(), getattr(reference, moment)(), rtol=1e-9, err_msg=moment
        )
    samples = d.sample(20000, seed=3).numpy()
    assert samples.shape == (20000, 3)
    for i in range(3):
        _, p = stats.kstest(
            samples[:, i], lambda x, i=i: np.broadcast_to(reference.cdf(x[:, None]), (len(x), 3))[:, i]
        )
        assert p > 1e-3


@pytest.mark.parametrize("name", ["Normal", "Uniform", "Laplace", "Exponential"])
def test_gradients_flow_through_samples(name: str):
    a, b = tf.Variable(A), tf.Variable(B)
    with tf.GradientTape() as tape:
        samples = CONTINUOUS[name][0](a, b).sample([4], seed=1)
    gradients = tape.gradient(samples, [a, b], unconnected_gradients="zero")
    expected = {
        "Normal": np.full(3, 4.0),
        "Laplace": np.full(3, 4.0),
        "Exponential": -samples.numpy().sum(0) / A,
    }
    if name in expected:
        np.testing.assert_allclose(gradients[0], expected[name], rtol=1e-9)
    else:
        np.testing.assert_allclose(gradients[1] - gradients[0], np.full(3, 4.0), rtol=1e-9)  # of -a and b


def test_bernoulli():
    probs = np.array([0.2, 0.7])
    for d in D.Bernoulli(probs=probs), D.Bernoulli(logits=np.log(probs / (1 - probs))):
        reference = stats.bernoulli(probs)
        np.testing.assert_allclose(d.log_prob([[0], [1]]), reference.logpmf([[0], [1]]), rtol=1e-6)
        np.testing.assert_allclose(d.mean(), reference.mean(), rtol=1e-6)
        np.testing.assert_allclose(d.variance(), reference.var(), rtol=1e-6)
        np.testing.assert_allclose(d.entropy(), reference.entropy(), rtol=1e-6)
        assert d.mode().numpy().tolist() == [0, 1]
        samples = d.sample(10000, seed=1)
        assert samples.dtype == tf.int32
        np.testing.assert_allclose(samples.numpy().mean(0), probs, atol=0.02)
    for wrong in ({}, {"probs": 0.5, "logits": 0.0}):
        with pytest.raises(ValueError, match="Must pass probs or logits"):
            D.Bernoulli(**wrong)


def test_categorical():
    probs = np.array([[0.2, 0.5, 0.3], [0.1, 0.0, 0.9]])
    d = D.Categorical(probs=probs)
    assert d.batch_shape == [2] and d.event_size.numpy() == 3
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose(d.log_prob([1, 2]), np.log([0.5, 0.9]), rtol=1e-6)
    np.testing.assert_allclose(d.prob([[0], [2]]), [[0.2, 0.1], [0.3, 0.9]], rtol=1e-6)
    np.testing.assert_allclose(d.entropy(), [stats.entropy(p) for p in probs], rtol=1e-6)
    assert d.mode().numpy().tolist() == [1, 2]
    counts = (d.sample(10000, seed=1).numpy()[..., None] == np.arange(3)).mean(0)
    np.testing.assert_allclose(counts, probs, atol=0.02)
    logits = tf.Variable([0.1, 0.2, 0.3])
    with tf.GradientTape() as tape:
        loss = -D.Categorical(logits=logits).log_prob(1)
    np.testing.assert_allclose(
        tape.gradient(loss, logits), tf.nn.softmax(logits) - [0.0, 1.0, 0.0], rtol=1e-5
    )


@pytest.mark.parametrize(
    "a, b",
    [
        (D.Normal(A, B), D.Normal(B, A)),
        (D.Uniform(A, A + B), D.Uniform(A - 1, A + B + 2)),
        (D.Exponential(A), D.Exponential(B)),
    ],
)
def test_divergences(a: Any, b: Any):
    samples = a.sample(200000, seed=5)
    sampled = tf.reduce_mean(a.log_prob(samples) - b.log_prob(samples), 0)
    np.testing.assert_allclose(D.kl_divergence(a, b), sampled, rtol=0.03)
    np.testing.assert_allclose(a.cross_entropy(b), a.entropy() + a.kl_divergence(b))


def test_divergences_of_discrete_distributions():
    p, q = np.array([0.2, 0.5, 0.3]), np.array([0.3, 0.3, 0.4])
    found = D.kl_divergence(D.Categorical(probs=p), D.Categorical(probs=q))
    np.testing.assert_allclose(found, np.sum(p * np.log(p / q)), rtol=1e-6)
    found = D.kl_divergence(D.Bernoulli(probs=p), D.Bernoulli(probs=q))
    np.testing.assert_allclose(found, p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q)), rtol=1e-6)
    with pytest.raises(NotImplementedError, match="Normal.*Uniform"):
        D.kl_divergence(D.Normal(0.0, 1.0), D.Uniform())


def test_a_policy_in_a_graph():
    with tf.Graph().as_default(), v1.Session() as session:
        mean = v1.placeholder(tf.float32, [None, 2])
        policy = D.Normal(mean, tf.constant([1.0, 2.0]))
        action = policy.sample(seed=1)
        assert action.shape.as_list() == [None, 2]
        gradient = tf.gradients(policy.log_prob(tf.stop_gradient(action)), mean)[0]
        a, g = session.run([action, gradient], {mean: np.ones((5, 2))})
        np.testing.assert_allclose(g, (a - 1) / [1.0, 4.0], rtol=1e-4)
        assert session.run(policy.sample([3]), {mean: np.ones((5, 2))}).shape == (3, 5, 2)
