"""Random numbers as users see them: TensorFlow's numbers and errors, distributions, seeds, gradients, threads."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest
from golden import make_random as golden
from scipy import stats

import gradtape as tf
from gradtape._src.autodiff.batching import batched
from gradtape._src.core import seeds
from gradtape._src.core.philox import Stream, block, blocks, blocks_at, scrambled
from gradtape._src.ops import random as ops
from gradtape._src.ops.gamma_samples import random_gamma_grad
from gradtape._src.ops.truncated import bounds_slopes

ANSWERS = json.loads(golden.PATH.read_text(encoding="utf-8"))
TOLERANCE = {"float64": 1e-11, "float32": 3e-6, "float16": 2e-3, "bfloat16": 1e-2}

# --- TensorFlow's answers -----------------------------------------------------------------------------------

# Here the type of the error is TensorFlow's, but not its text, which speaks of Python's internals.
OWN_WORDS = {"tf.random.normal([2], seed='a')", "tf.random.normal([2], seed=(1, 2))", "tf.random.Generator()"}
OWN_WORDS |= {"tf.random.Generator(state=[1, 2, 3])", "tf.random.categorical([['a']], 3)"}
OWN_WORDS |= {"tf.random.stateless_normal([2], [1., 2.])"}


def alike(found: Any, expected: Any) -> bool:
    """Whether two answers agree, floating-point numbers up to the last place or two."""
    if isinstance(expected, dict) and "dtype" in expected:
        if not isinstance(found, dict) or any(found[k] != expected[k] for k in ("dtype", "shape")):
            return False
        rtol = TOLERANCE.get(expected["dtype"])
        if rtol is None:
            return found["values"] == expected["values"]
        one, other = np.array(found["values"], np.float64), np.array(expected["values"], np.float64)
        return np.allclose(one, other, rtol=rtol, atol=1e-30, equal_nan=True)
    if isinstance(expected, list) and expected[:1] == ["raises"]:
        return found[:2] == expected[:2] and found[2].startswith(expected[2])  # may say more
    if isinstance(expected, list):
        return isinstance(found, list) and len(found) == len(expected) and all(map(alike, found, expected))
    return found == expected


@pytest.mark.parametrize("section", golden.SECTIONS)
def test_answers_of_tensorflow(section: str):
    wrong = []
    for expression in golden.SECTIONS[section]:
        expected, found = ANSWERS[section][expression], golden.answer(expression, tf)
        same = found[:2] == expected[:2] if expression in OWN_WORDS else alike(found, expected)
        if not same:
            wrong.append(f"{expression}\n  found    {found}\n  expected {expected}")
    assert not wrong, "\n".join(wrong)


def test_names():
    """Names that mean one object in TensorFlow do so here."""
    v1 = tf.compat.v1
    for name in "Generator Algorithm create_rng_state get_global_generator set_global_generator".split():
        assert getattr(tf.random, name) is getattr(tf.random.experimental, name) is getattr(v1.random, name)
    assert tf.random.experimental.stateless_split is tf.random.split
    assert tf.random.experimental.stateless_fold_in is tf.random.fold_in
    assert v1.random_normal is v1.random.normal is tf.random.normal
    assert v1.random_uniform is tf.random.uniform and v1.random_shuffle is tf.random.shuffle
    assert v1.set_random_seed is v1.random.set_random_seed and v1.multinomial is v1.random.multinomial
    assert tf.nn.uniform_candidate_sampler is tf.random.uniform_candidate_sampler


# --- The generator of bits ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "counter, key, expected",
    [
        ([0] * 4, [0] * 2, [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
        ([0xFFFFFFFF] * 4, [0xFFFFFFFF] * 2, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
        (
            [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344],
            [0xA4093822, 0x299F31D0],
            [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1],
        ),
    ],
)
def test_philox_gives_the_published_words(counter, key, expected):
    """Known answers of Random123, the authors' implementation."""
    number = lambda words: sum(word << 32 * i for i, word in enumerate(words))
    assert list(block(number(key), number(counter))) == expected
    many = blocks(number(key), number(counter), 20)
    np.testing.assert_array_equal(many[0], expected)


@pytest.mark.parametrize("counter", [0, 2**32 - 3, 2**64 - 3, 2**96 - 5, 2**128 - 2])
@pytest.mark.parametrize("n", [0, 1, 8, 9, 20])
def test_blocks_are_one_after_another(counter, n):
    """Also where a word of the counter overflows, and whether Python or NumPy computes them."""
    expected = np.array([block(5, (counter + i) % 2**128) for i in range(n)], np.uint32).reshape(n, 4)
    np.testing.assert_array_equal(blocks(5, counter, n), expected)
    np.testing.assert_array_equal(blocks_at(5, counter, np.arange(n, dtype=np.uint64)), expected)


def test_a_long_array_is_a_short_one_continued():
    """The pieces that long arrays are made in do not show."""
    for draw in (
        tf.random.stateless_normal,
        tf.random.stateless_uniform,
        tf.random.stateless_truncated_normal,
    ):
        for dtype in (tf.float32, tf.float64):
            long = draw([300_001], [1, 2], dtype=dtype).numpy()
            np.testing.assert_array_equal(long[:1001], draw([1001], [1, 2], dtype=dtype).numpy())
            assert len(np.unique(long)) > 250_000
    words = tf.random.stateless_uniform([300_001], [1, 2], None, None, tf.uint32).numpy()
    key, counter = scrambled((1, 2))
    np.testing.assert_array_equal(words[200_000:200_004], block(key, counter + 50_000))


# --- Distributions ------------------------------------------------------------------------------------------

N = 20_000


def draws(f: Any, *args: Any, **kwargs: Any) -> Any:
    tf.random.set_seed(1)
    return f([N], *args, **kwargs).numpy().astype(np.float64)


@pytest.mark.parametrize(
    "name, args, law",
    [
        ("normal", (1.0, 2.0), stats.norm(1, 2)),
        ("uniform", (-1.0, 3.0), stats.uniform(-1, 4)),
        ("truncated_normal", (0.0, 1.0), stats.truncnorm(-2, 2)),
        *(("gamma", (a, 2.0), stats.gamma(a, scale=0.5)) for a in (0.1, 0.8, 1.0, 1.5, 30.0, 1000.0)),
    ],
)
@pytest.mark.parametrize("dtype", [tf.float32, tf.float64])
def test_continuous_distributions(name, args, law, dtype):
    x = draws(getattr(tf.random, name), *args, dtype=dtype)
    assert stats.kstest(x, law.cdf).pvalue > 1e-3


@pytest.mark.parametrize(
    "low, high", [(-2, 2), (-0.5, 0.3), (1, 3), (3, np.inf), (-3, -1), (-np.inf, -4), (30, 31)]
)
def test_normal_numbers_between_bounds(low, high):
    draw = tf.random.stateless_parameterized_truncated_normal
    x = draw([N], [1, 2], *(np.float64(p) for p in (0, 1, low, high))).numpy()
    assert stats.kstest(x, stats.truncnorm(low, high).cdf).pvalue > 1e-3


def chi_square(found: Any, law: Any) -> float:
    """The level of counts in classes that are not too rare."""
    values = np.arange(int(law.ppf(0.001)), int(law.ppf(0.999)) + 1)
    expected = np.r_[law.cdf(values[0]), law.pmf(values[1:]), law.sf(values[-1])] * len(found)
    counted = np.r_[
        np.sum(found <= values[0]), [np.sum(found == v) for v in values[1:]], np.sum(found > values[-1])
    ]
    good = expected > 5
    rest = (counted[~good].sum() - expected[~good].sum()) ** 2 / max(expected[~good].sum(), 1)
    return stats.chi2.sf(np.sum((counted[good] - expected[good]) ** 2 / expected[good]) + rest, good.sum())


@pytest.mark.parametrize("rate", [0.1, 3.0, 9.99, 10.0, 77.0])
def test_poisson_numbers(rate):
    assert chi_square(draws(tf.random.poisson, rate), stats.poisson(rate)) > 1e-3


@pytest.mark.parametrize("n, p", [(5, 0.5), (40, 0.2), (40, 0.3), (40, 0.9), (1000, 0.004), (300, 0.5)])
def test_binomial_numbers(n, p):
    x = tf.random.stateless_binomial([N], [3, 4], np.float64(n), np.float64(p)).numpy()
    assert chi_square(x, stats.binom(n, p)) > 1e-3


@pytest.mark.parametrize("samples", [7, 40])  # two ways to search
def test_class_numbers(samples):
    p = np.array([[0.1, 0.2, 0.7], [0.5, 0.0, 0.5]])
    with np.errstate(divide="ignore"):
        x = tf.random.stateless_categorical(np.tile(np.log(p), (400, 1)), samples, [1, 2]).numpy()
    for row in (0, 1):
        found = np.bincount(x[row::2].reshape(-1), minlength=3) / (400 * samples)
        np.testing.assert_allclose(found, p[row], atol=0.03)
        assert (found[p[row] == 0] == 0).all()


def test_a_shuffle_is_any_order():
    tf.random.set_seed(1)
    orders = [tuple(tf.random.shuffle([0, 1, 2]).numpy().tolist()) for _ in range(1200)]
    assert len(set(orders)) == 6
    assert min(map(orders.count, set(orders))) > 150


def test_index_shuffle_is_a_permutation():
    """For more than one seed, and for powers of 2, too."""
    shuffle = tf.random.experimental.index_shuffle
    for top in (0, 1, 9, 2**16, 2**18 - 1):
        places = shuffle(np.arange(top + 1), [3, 4], top).numpy()
        assert len(np.unique(places)) == top + 1 and places.max() == top
    each = shuffle(np.arange(3), [[1, 2], [3, 4], [1, 2]], 99).numpy()
    one = [shuffle(i, seed, 99).numpy() for i, seed in enumerate([[1, 2], [3, 4], [1, 2]])]
    np.testing.assert_array_equal(each, one)
    with pytest.raises(tf.errors.InvalidArgumentError, match="index must be in"):
        shuffle(10, [1, 2], 9)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Seed must have shape"):
        shuffle(1, [1, 2, 3], 9)


def test_parameters_without_sense():
    """Where TensorFlow hangs or gives arbitrary integers, NaN."""
    tf.random.set_seed(1)
    poisson = tf.random.poisson([2], [np.nan, np.inf]).numpy()
    np.testing.assert_array_equal(poisson, [[np.nan, np.inf]] * 2)
    binomial = tf.random.stateless_binomial([2], [1, 2], 10.0, np.nan, tf.float32).numpy()
    assert np.isnan(binomial).all()
    assert np.isnan(tf.random.gamma([2], [np.nan, -1.0]).numpy()).all()
    assert tf.random.gamma([2], 1.0, dtype=tf.bfloat16).dtype == tf.bfloat16


# --- Seeds --------------------------------------------------------------------------------------------------


def test_without_a_seed_the_numbers_cannot_be_foreseen():
    code = "import gradtape as tf; print(tf.random.normal([]).numpy(), tf.random.Generator."
    code += "from_non_deterministic_state().normal([]).numpy(), tf.random.get_global_generator().normal([]).numpy())"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    tf.random.set_seed(None)
    here = [tf.random.normal([]), tf.random.Generator.from_non_deterministic_state().normal([])]
    assert len({*other.stdout.split(), *(str(x.numpy()) for x in here)}) == 5
    assert not np.array_equal(tf.random.uniform([4]), tf.random.uniform([4]))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_process_does_not_repeat_its_parent():
    tf.random.set_seed(None)
    here, there = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(there, tf.random.uniform([4]).numpy().tobytes())
        os._exit(0)
    os.waitpid(child, 0)
    found = np.frombuffer(os.read(here, 16), np.float32)
    os.close(here)
    os.close(there)
    assert found.size == 4 and not np.array_equal(found, tf.random.uniform([4]))


def test_seeds_are_checked():
    for seed in ("a", (1, 2), [1, 2], np.array([3, 4])):
        with pytest.raises(TypeError, match="Expected an integer for argument 'seed'"):
            tf.random.set_seed(seed)
    tf.random.set_seed(np.array(3))
    first = tf.random.normal([2]).numpy()
    tf.random.set_seed(3)
    np.testing.assert_array_equal(first, tf.random.normal([2]))


def test_ever_new_seeds_are_forgotten(monkeypatch):
    monkeypatch.setattr(seeds, "_MOST_STREAMS", 10)
    tf.random.set_seed(1)
    first = tf.random.uniform([], seed=0).numpy()
    for seed in range(1, 30):
        tf.random.uniform([], seed=seed)
    assert len(seeds._streams) == 10
    assert tf.random.uniform([], seed=0) == first


def test_threads_share_streams_without_repeating():
    tf.random.set_seed(1)
    generator = tf.random.Generator.from_seed(1)
    found: list[float] = []

    def work():
        for _ in range(200):
            numbers = [generator.uniform([]), tf.random.uniform([], seed=3), tf.random.uniform([])]
            found.extend(float(x) for x in numbers)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) > 2395  # of 2400, in steps of 2^-23
    assert generator.state.numpy()[0] == 1 + 800 * 256


def test_streams():
    stream = Stream.of(3, 4)
    copy = stream.copy()
    assert stream.take(5) == (3, 4 << 64) and stream.take(1) == (3, (4 << 64) + 5)
    assert copy.take(1) == (3, 4 << 64)
    assert Stream(1, 2**128 - 1).take(3) == (1, 2**128 - 1)
    end = Stream(1, 2**128 - 1)
    end.take(3)
    assert end.take(0) == (1, 2)
    assert repr(Stream(1, 2)) == "Stream(key=0x1, counter=0x2)"


# --- Generators ---------------------------------------------------------------------------------------------


def test_generators_share_and_keep_state():
    v = tf.Variable([1, 2, 3], dtype=tf.int64)
    g = tf.random.Generator.from_state(v, "philox")
    first = g.normal([2]).numpy()
    assert g.state is v and v.numpy().tolist() == [513, 2, 3]
    v.assign([1, 2, 3])
    np.testing.assert_array_equal(g.normal([2]), first)
    copy = tf.random.Generator(copy_from=g)
    again = pickle.loads(pickle.dumps(g))
    expected = g.normal([3]).numpy()
    np.testing.assert_array_equal(copy.normal([3]), expected)
    np.testing.assert_array_equal(again.normal([3]), expected)
    with pytest.raises(AssertionError, match="neither state nor alg"):
        tf.random.Generator(copy_from=g, alg=1)
    with pytest.raises(ValueError, match="unsupported value 5"):
        tf.random.Generator.from_state([1, 2, 3], 5)
    with pytest.raises(TypeError, match="Can't convert argument `alg`"):
        tf.random.Generator.from_seed(1, 1.5)


def test_the_global_generator():
    g = tf.random.Generator.from_seed(1)
    tf.random.set_global_generator(g)
    assert tf.random.get_global_generator() is g
    pairs = g.make_seeds(2).numpy()
    assert tf.random.stateless_normal([2], pairs[:, 0]).shape == (2,)


def test_threefry_is_refused():
    with pytest.raises(tf.errors.InvalidArgumentError, match="Unsupported algorithm: threefry"):
        tf.random.stateless_normal([2], [1, 2], alg="threefry")


# --- Gradients ----------------------------------------------------------------------------------------------


def gradient(f, x):
    x = tf.constant(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)


def test_gradients_of_a_shuffle():
    """A permutation: TensorFlow has None for one and an error for the other."""
    weights = tf.constant([1.0, 2.0, 3.0])
    order = [1.0, 2.0, 3.0]
    for shuffle in (
        lambda x: tf.random.shuffle(x, seed=3),
        lambda x: tf.random.experimental.stateless_shuffle(x, [1, 2]),
    ):
        tf.random.set_seed(1)
        g = gradient(lambda x, shuffle=shuffle: shuffle(x) * weights, order)
        tf.random.set_seed(1)
        place = {value: i for i, value in enumerate(shuffle(order).numpy().tolist())}
        np.testing.assert_array_equal(g, [weights.numpy()[place[value]] for value in order])


def test_the_gradient_of_a_gamma_number_is_that_of_the_mean():
    """E[dx/da] = dE[x]/da = 1, E[d(x^2)/da] = 2a + 1; to second order, too."""
    for a in (0.05, 0.7, 1.0, 4.0, 90.0):
        alpha = tf.fill([N], tf.constant(a, tf.float64))
        draw = lambda x: tf.random.stateless_gamma([N], [1, 2], x, dtype=tf.float64)
        assert abs(np.mean(gradient(draw, alpha)) - 1) < 0.05
        assert abs(np.mean(gradient(lambda x, draw=draw: draw(x) ** 2, alpha)) / (2 * a + 1) - 1) < 0.1
    with tf.GradientTape() as outer:
        outer.watch(alpha)
        first = gradient_within(draw, alpha)
    assert abs(np.mean(outer.gradient(first, alpha))) < 0.05  # d^2 E[x] / da^2 = 0


def gradient_within(f, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)


def test_gradients_of_normal_numbers_between_bounds():
    """At a fixed level of the distribution function, whose differences SciPy gives."""
    mean, stddev, low, high = 0.3, 1.2, -0.5, 2.0
    level = np.linspace(0.05, 0.95, 7)

    def quantile(m, s, a, b):
        return stats.truncnorm.ppf(level, (a - m) / s, (b - m) / s, loc=m, scale=s)

    at = [mean, stddev, low, high]
    slopes = bounds_slopes(quantile(*at), *(np.float64(p) for p in at))
    for i, slope in enumerate(slopes):
        step = np.eye(4)[i] * 1e-5
        expected = (quantile(*(at + step)) - quantile(*(at - step))) / 2e-5
        np.testing.assert_allclose(slope, expected, rtol=1e-6, atol=1e-8)
    open_slopes = bounds_slopes(np.float64(-5.0), *(np.float64(p) for p in (0.0, 1.0, -np.inf, -4.0)))
    assert np.isfinite(open_slopes).all() and open_slopes[2] == 0
    draw = tf.random.stateless_parameterized_truncated_normal
    assert gradient(lambda m: draw([3], [1, 2], m, 1.0, -1.0, 1.0), 0.2).numpy() < 3  # the bounds hold back


def test_no_gradient_of_counts():
    assert gradient(lambda x: tf.random.poisson([3], x), 2.0) is None
    assert gradient(lambda x: tf.random.stateless_binomial([3], [1, 2], x, 0.5, tf.float32), 2.0) is None


# --- Many at once -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "op, args, has_axis, params, shape",
    [
        (ops.random_standard_normal, [(2, 3)], [False], {"dtype": np.dtype(np.float32)}, (4, 2, 3)),
        (ops.random_uniform, [()], [False], {"dtype": np.dtype(np.float64)}, (4,)),
        (ops.random_uniform_int, [(2,), np.int32(0), np.int32(99999)], [False] * 3, {}, (4, 2)),
        (ops.random_gamma, [(2,), np.ones((4, 3))], [False, True], {}, (4, 2, 3)),
        (ops.random_gamma, [(2,), np.ones(3)], [False, False], {}, (4, 2, 3)),
        (
            ops.random_poisson,
            [(2,), np.full((4, 3), 1e6)],
            [False, True],
            {"dtype": np.dtype(np.int32)},
            (4, 2, 3),
        ),
        (
            ops.multinomial,
            [np.zeros((4, 3, 999)), 2],
            [True, False],
            {"dtype": np.dtype(np.int32)},
            (4, 3, 2),
        ),
        (ops.multinomial, [np.zeros((3, 999)), 2], [False, False], {"dtype": np.dtype(np.int32)}, (4, 3, 2)),
    ],
)
def test_a_batch_has_independent_numbers(op, args, has_axis, params, shape):
    x = batched(op, 4, args, has_axis, {**params, "stream": Stream(1, 2)})
    assert x.shape == shape
    assert len(np.unique(x)) > 0.9 * x.size


def test_batched_gammas_belong_to_their_parameters():
    alpha = np.array([[1.0, 10.0], [100.0, 1000.0], [1e4, 1e5]])
    x = batched(ops.random_gamma, 3, [(500,), alpha], [False, True], {"stream": Stream(1, 2)})
    np.testing.assert_allclose(x.mean(axis=1), alpha, rtol=0.2)


def test_zero_cotangent_at_zero():
    """0 times an infinite slope is 0, also through the slope of a gamma number that came out as 0."""
    alpha, sample = tf.constant([0.5, 2.0]), tf.constant([0.0, 0.0])
    with tf.GradientTape() as tape:
        tape.watch([alpha, sample])
        y = random_gamma_grad(alpha, sample) * 0.0
    assert [g.numpy().tolist() for g in tape.gradient(y, [alpha, sample])] == [[0, 0], [0, 0]]
