"""Writes random.json: what TensorFlow 2.21 answers to the expressions below, for tests/api to compare with.

Run it with a Python that has TensorFlow: `python tests/golden/make_random.py`. The tests use the names and `answer`
of this file; they import no TensorFlow. The global seed is set to 5 before each expression.
"""

# ruff: noqa: E501  the expressions are data

from __future__ import annotations

import inspect
import json
import pathlib
import re
import sys
from typing import Any

import numpy as np

PATH = pathlib.Path(__file__).with_name("random.json")

# --- Expressions -------------------------------------------------------------------------------------------


def each(text: str) -> list[str]:
    """What stands between the semicolons."""
    return [part.strip() for part in text.split(";")]


_FLOATS = "float16 bfloat16 float32 float64".split()

SIGNATURES = [
    *(
        f"signature(tf.random.{name})"
        for name in """all_candidate_sampler categorical create_rng_state fixed_unigram_candidate_sampler fold_in gamma
        get_global_generator learned_unigram_candidate_sampler log_uniform_candidate_sampler normal poisson
        set_global_generator set_seed shuffle split stateless_binomial stateless_categorical stateless_gamma
        stateless_normal stateless_parameterized_truncated_normal stateless_poisson stateless_truncated_normal
        stateless_uniform truncated_normal uniform uniform_candidate_sampler""".split()
    ),
    *(
        f"signature(tf.random.experimental.{name})"
        for name in """create_rng_state get_global_generator index_shuffle set_global_generator stateless_fold_in
        stateless_shuffle stateless_split""".split()
    ),
    *(
        f"signature(tf.random.Generator.{name})"
        for name in """binomial from_key_counter from_non_deterministic_state from_seed from_state make_seeds normal reset
        reset_from_key_counter reset_from_seed skip split truncated_normal uniform uniform_full_int""".split()
    ),
    *(
        f"signature(tf.compat.v1.{name})"
        for name in """multinomial random_normal random_uniform truncated_normal random_shuffle random_gamma random_poisson
        set_random_seed get_seed random.multinomial random.poisson random.stateless_multinomial random.normal""".split()
    ),
    "list(tf.random.Algorithm)",
]

STATEFUL = [
    *(f"tf.random.normal([9], dtype=tf.{d})" for d in _FLOATS),
    *(f"tf.random.uniform([9], dtype=tf.{d})" for d in _FLOATS),
    *(f"tf.random.truncated_normal([29], dtype=tf.{d})" for d in _FLOATS),
    "tf.random.normal([70, 40])[60:63]",
    "tf.random.normal([]), tf.random.normal([0, 3]), tf.random.normal([2, 1, 2])",
    "tf.random.normal([3], [1., 2., 3.], 2), tf.random.normal([3], [[1.], [2.]], 2), tf.random.normal([2], 1, 2)",
    "tf.random.normal([2]), tf.random.normal([2]), tf.random.normal([2], seed=1), tf.random.normal([2], seed=1), tf.random.normal([2])",
    "tf.random.uniform([3], seed=7), tf.random.uniform([5], seed=7), tf.random.uniform([3], seed=7, dtype=tf.float64), tf.random.uniform([3], seed=7), tf.random.normal([3], seed=7)",
    "tf.random.uniform([3], seed=7), tf.random.uniform(tf.constant([3], tf.int64), seed=7), tf.random.uniform(np.array([3]), seed=7), tf.random.uniform([3], seed=7)",
    "tf.random.set_seed(1), tf.random.uniform([2]), tf.random.set_seed(1), tf.random.uniform([2])",
    *(
        f"tf.random.set_seed({s}), tf.random.uniform([2]), tf.random.uniform([2], seed=3)"
        for s in "0 -3 2**31-1 2**70 np.int64(3) tf.constant(3)".split()
    ),
    *(f"tf.random.uniform([2], seed={s})" for s in "0 -1 2**31-1 2**40 np.int32(4)".split()),
    "tf.random.set_seed(0), tf.random.uniform([2], seed=0)",
    "tf.random.set_seed(None), tf.random.uniform([2], seed=3), tf.random.normal([2], seed=3)",
    "tf.random.uniform([3], 2, 5), tf.random.uniform([3], 5., 3.), tf.random.uniform([2], [1.], [3., 4.]), tf.random.uniform([2], 2., None), tf.random.uniform([2], 0, 5)",
    "tf.random.uniform([5], 0, 10, tf.int32), tf.random.uniform([5], -7, 10, tf.int64), tf.random.uniform([5], maxval=2, dtype='int64')",
    "tf.random.uniform([5], -2**31, 2**31 - 1, tf.int32), tf.random.uniform([5], -2**63, 2**63 - 1, tf.int64)",
    "tf.random.uniform([3], 0, 9, tf.int32, seed=1), tf.random.uniform([3], 0, 9, tf.int32, seed=1)",
    "tf.random.gamma([7], [.1, .5, 1., 3., 200.])",
    "tf.random.gamma([7], [.1, .5, 1., 3., 200.], dtype=tf.float64)",
    "tf.random.gamma([3], [[.5], [2.]], [1., 4., 9.]), tf.random.gamma([], 2., .5), tf.random.gamma([2, 2], 3)",
    "tf.random.gamma([2], [-1., 2., 0., np.inf]), tf.random.gamma([2], 2., seed=1), tf.random.gamma([2], 2., seed=1)",
    "tf.random.poisson([7], [0., .5, 3., 9.9, 10., 50., 1e5])",
    "tf.random.poisson([7], [.5, 20.], tf.int64), tf.random.poisson([7], [3], tf.int32), tf.random.poisson([2], [-1.], tf.float64)",
    "tf.random.poisson([2], 3., seed=1), tf.random.poisson([2], 3., seed=1), tf.random.poisson([3], 300., tf.float16)",
    "tf.random.categorical([[0., 1., 2.], [2., 1., 0.]], 7), tf.random.categorical([[0., 1.]], 4, tf.int32)",
    "tf.random.categorical(np.array([[0., 1., 2.], [2., -np.inf, 0.]]), 40)",
    "tf.random.categorical([[-np.inf, -np.inf]], 4), tf.random.categorical([[np.nan, 0.]], 4), tf.random.categorical([[np.inf, 0.]], 4)",
    "tf.random.categorical(tf.zeros([0, 2]), 3), tf.random.categorical(tf.zeros([2, 2]), 0)",
    "tf.random.categorical([[0., 1.]], 5, seed=3), tf.random.categorical([[0., 1.]], 5, seed=3)",
    "tf.random.shuffle([1, 2, 3, 4, 5, 6, 7]), tf.random.shuffle([[1, 2], [3, 4], [5, 6]]), tf.random.shuffle(['a', 'b', 'c'])",
    "tf.random.shuffle(3), tf.random.shuffle([]), tf.random.shuffle([4])",
    "tf.random.shuffle(np.arange(5), seed=2), tf.random.shuffle(np.arange(5), seed=2), tf.random.shuffle(np.arange(9), seed=2)",
    "tf.compat.v1.multinomial([[0., 1.]], 5), tf.compat.v1.random_poisson([.5, 3.], [4]), tf.compat.v1.get_seed(7), tf.compat.v1.get_seed(None)",
    "tf.compat.v1.set_random_seed(9), tf.compat.v1.random_uniform([2]), tf.compat.v1.truncated_normal([2]), tf.compat.v1.random_normal([2])",
    "tuple(tf.random.uniform_candidate_sampler([[0], [3]], 1, 5, True, 10, seed=1))",
    "tuple(tf.random.uniform_candidate_sampler([[0]], 1, 3, False, 10, seed=1)), tuple(tf.random.uniform_candidate_sampler([[0]], 1, 3, False, 10, seed=1))",
    "tuple(tf.random.log_uniform_candidate_sampler([[0, 3]], 2, 5, True, 10, seed=1))",
    "tuple(tf.random.all_candidate_sampler([[0]], 1, 3, True))",
    "tf.random.fixed_unigram_candidate_sampler([[0]], 1, 3, False, 4, unigrams=[1., 2., 3., 4.]).true_expected_count",
    # errors
    *(
        f"tf.random.uniform([2], {rest})"
        for rest in each("""0, None, tf.int32; None, 5, tf.int32; 5, 5, tf.int32; 6, 5, tf.int64; [1, 2], 4, tf.int32; 1, [4, 5], tf.int32; 0, 5, tf.uint32; 0, 5, tf.int8; 0, 5, tf.complex64;
        0, 1.5, tf.int32; tf.constant(1., tf.float64)""")
    ),
    *(
        f"tf.random.normal({shape})"
        for shape in each(
            "['a']; 'a'; None; [None]; [-1]; [2.]; 2.; 2; [[2]]; [2**40, 2**40]; tf.TensorShape([2, None])"
        )
    ),
    "tf.random.normal([2], dtype=tf.int32)",
    "tf.random.normal([2], dtype=tf.complex64)",
    "tf.random.normal([2], dtype='x')",
    "tf.random.normal([2], 'a')",
    "tf.random.normal([2], [1., 2., 3.])",
    "tf.random.normal([2], tf.constant([1., 2.], tf.float64))",
    "tf.random.truncated_normal([-2])",
    "tf.random.truncated_normal([2], dtype=tf.int32)",
    "tf.random.normal([2], seed='a')",
    "tf.random.normal([2], seed=(1, 2))",
    "tf.random.categorical([[0., 1.]], 3, tf.float32)",
    "tf.random.categorical([0., 1.], 3)",
    "tf.random.categorical([[0., 1.]], -3)",
    "tf.random.categorical([[0., 1.]], [3, 3])",
    "tf.random.categorical([['a']], 3)",
    "tf.random.categorical(tf.zeros([2, 0]), 3)",
    "tf.random.gamma([2], 1., dtype=tf.int32)",
    "tf.random.gamma([2], [1., 2.], [1., 2., 3.])",
    "tf.random.gamma([2], tf.constant(1., tf.float64))",
    "tf.random.poisson([2], [3.], tf.int8)",
    "tf.random.poisson([2], [3.], tf.complex64)",
    "tf.random.uniform_candidate_sampler([[0]], 1, 30, True, 10)",
    "tf.random.uniform_candidate_sampler([[0, 3]], 1, 3, False, 10)",
    "tf.random.uniform_candidate_sampler([[11]], 1, 3, False, 10)",
    "tf.random.uniform_candidate_sampler([[1]], 1, 0, False, 10)",
]

STATELESS = [
    *(f"tf.random.stateless_normal([9], [1, 2], dtype=tf.{d})" for d in _FLOATS),
    *(f"tf.random.stateless_uniform([9], [1, 2], dtype=tf.{d})" for d in _FLOATS),
    *(f"tf.random.stateless_truncated_normal([29], [1, 2], dtype=tf.{d})" for d in _FLOATS),
    *(
        f"tf.random.stateless_uniform([9], [1, 2], None, None, tf.{d})"
        for d in "int32 int64 uint32 uint64".split()
    ),
    *(
        f"tf.random.stateless_normal([2], {seed})"
        for seed in each(
            "[2**40, -1]; tf.constant([1, 2], tf.int64); np.array([1, 2], np.int32); [0, 0]; (3, 4)"
        )
    ),
    "tf.random.stateless_normal([3], [1, 2], [1., 2., 3.], 2.), tf.random.stateless_normal([], [1, 2]), tf.random.stateless_normal([0, 3], [1, 2])",
    "tf.random.stateless_normal([3], [1, 2], alg='philox'), tf.random.stateless_normal([3], [1, 2], alg=tf.random.Algorithm.AUTO_SELECT)",
    "tf.random.stateless_uniform([5], [1, 2], 0, 10, tf.int32), tf.random.stateless_uniform([5], [1, 2], -5, 10, tf.int64)",
    "tf.random.stateless_uniform([2], [1, 2], [1., 2.], [4., 5.]), tf.random.stateless_uniform([2], [1, 2], 1, 5), tf.random.stateless_uniform([2], [1, 2], 1, None)",
    "tf.random.stateless_gamma([6, 4], [1, 2], [.1, 1., 3., 20.]), tf.random.stateless_gamma([3], [1, 2], 2., dtype=tf.float64)",
    "tf.random.stateless_gamma([3, 2, 2], [1, 2], [1., 2.], [[1.], [4.]])",
    "tf.random.stateless_poisson([6, 3], [1, 2], [.5, 9., 300.]), tf.random.stateless_poisson([3], [1, 2], 4., tf.float32)",
    "tf.random.stateless_binomial([6, 5], [1, 2], [5., 10., 100., 1000., 1e6], [.5, .3, .7, .01, .999])",
    "tf.random.stateless_binomial([5], [1, 2], 10., .5, tf.float64), tf.random.stateless_binomial([5], [1, 2], 10, .5)",
    "tf.random.stateless_binomial([2, 4], [1, 2], [-1., 0., 5., 5.], [.5, .5, 0., 1.]), tf.random.stateless_binomial([2, 2], [1, 2], [7., 8.], [[.2], [.3]])",
    "tf.random.stateless_binomial([9], [1, 2], tf.constant(10., tf.float64), tf.constant(.9, tf.float64))",
    "tf.random.stateless_categorical([[0., 1., 2.], [1., 1., 1.]], 5, [1, 2]), tf.random.stateless_categorical([[0., 1.]], 5, [1, 2], tf.int32)",
    *(
        f"tf.random.stateless_parameterized_truncated_normal([20], [1, 2], 0., 1., {a}, {b})"
        for a, b in (
            ("-2.", "2."),
            ("-.5", ".3"),
            ("1.", "3."),
            ("3.", "np.inf"),
            ("-3.", "-1."),
            ("-np.inf", "-4."),
            (".1", ".2"),
        )
    ),
    "tf.random.stateless_parameterized_truncated_normal([10, 3], [1, 2], [0., 1., 2.], [1., 2., .5], [-1., 2., -1.], [1., 4., 2.2])",
    "tf.random.stateless_parameterized_truncated_normal([5], [1, 2])",
    "tf.random.split([1, 2], 3), tf.random.split(tf.constant([1, 2], tf.int64)), tf.random.split([1, 2], 0)",
    "tf.random.fold_in([1, 2], 3), tf.random.fold_in([1, 2], tf.constant(3, tf.int64)), tf.random.fold_in([1, 2], np.uint32(3))",
    "tf.random.experimental.stateless_shuffle(np.arange(10), [1, 2]), tf.random.experimental.stateless_shuffle([[1], [2], [3]], [1, 2])",
    "tf.random.experimental.index_shuffle(np.arange(10), [1, 2], 9), tf.random.experimental.index_shuffle(3, [1, 2], 99)",
    "tf.random.experimental.index_shuffle(np.arange(5, dtype=np.uint64), [1, 2], 10**12), tf.random.experimental.index_shuffle(np.arange(5), np.array([-1, 2**40 + 3]), 10**18)",
    "tf.compat.v1.random.stateless_multinomial([[0., 1.]], 5, [1, 2])",
    # errors
    *(
        f"tf.random.stateless_normal([2], {rest})"
        for rest in each(
            "[1, 2], alg='foo'; [1, 2, 3]; [1., 2.]; 5; [1, 2], dtype=tf.int32; [1, 2], dtype=tf.complex64; [1, 2], 'a'"
        )
    ),
    *(f"tf.random.stateless_normal({shape}, [1, 2])" for shape in each("2; [-2]; [2.]; None; [[2]]")),
    *(
        f"tf.random.stateless_uniform([2], [1, 2], {rest})"
        for rest in each(
            """0, None, tf.int32; None, 5, tf.int32; 5, 5, tf.int32; 6, 5, tf.int64; [1, 2], 4, tf.int32; None, None; 0, 1, tf.int8; 0, 1, tf.uint64; dtype=tf.complex64"""
        )
    ),
    "tf.random.stateless_gamma([3], [1, 2], [1., 2.])",
    "tf.random.stateless_poisson([3], [1, 2], [1., 2.])",
    "tf.random.stateless_binomial([3], [1, 2], [1., 2.], [.5])",
    "tf.random.stateless_binomial([2], [1, 2], 10., .5, tf.bool)",
    "tf.random.stateless_parameterized_truncated_normal([2], [1, 2], 0., 1., 3., 2.)",
    "tf.random.stateless_parameterized_truncated_normal([2], [1, 2], 0., 1., -np.inf, np.inf)",
    "tf.random.stateless_parameterized_truncated_normal([2], [1, 2], [0., 1., 1.])",
    "tf.random.fold_in([1, 2], [3])",
    "tf.random.fold_in([1, 2, 3], 3)",
    "tf.random.split([1, 2], -1)",
]

_G = "(g := tf.random.Generator.from_seed(1234))"
GENERATOR = [
    f"{_G}.normal([3]), g.state, g.uniform([2, 3]), g.state, g.truncated_normal([9]), g.state, g.normal([3], dtype=tf.float64), g.state",
    f"{_G}.make_seeds(2), g.state, [x.state for x in g.split(2)], g.state, g.skip(3), g.state, g.uniform_full_int([3]), g.state",
    f"{_G}.uniform([5], 0, 10, tf.int32), g.uniform([5], None, None, tf.int32), g.uniform([5], 2, 5), g.normal([2], [1., 2.], 3.), g.normal([0]), g.state",
    f"{_G}.binomial([3], 20., .4), g.state, g.binomial([3, 2], [5., 100.], [.4, .3], tf.float32), g.state",
    f"{_G}.reset_from_seed(5), g.state, g.reset_from_key_counter(7, [1, 2]), g.state, g.reset([4, 5, 6]), g.state, g.key, g.normal([2]), g.algorithm",
    "tf.random.Generator.from_key_counter(5, [2**64 - 1, 8], 'philox').state, tf.random.Generator.from_state([1, 2, 3], 1).state, tf.random.Generator(state=[1, 2, 3], alg='philox').normal([2])",
    *(
        f"tf.random.Generator.from_seed({seed}).state"
        for seed in each(
            "-5; 2**63 + 5; 2**64 + 5; [5, 6]; [5, 6, 7, 8]; tf.constant(5); np.array([[1, 2], [3, 4]]); [1, 2**64 - 1]"
        )
    ),
    "tf.random.Generator.from_state([2**64 - 1, 2**64 - 1, 3], 'philox').normal([6])",
    "(g := tf.random.Generator.from_state([-1, 5, 3], 'philox')).normal([6]), g.state",
    "tf.random.Generator(copy_from=tf.random.Generator.from_seed(3)).state, tf.random.Generator.from_seed(5, 'auto_select').algorithm, tf.random.Generator.from_seed(5, 'threefry').state",
    "tf.random.create_rng_state(5, 'philox'), tf.random.create_rng_state(5, 'threefry'), tf.random.create_rng_state([5, 6], tf.random.Algorithm.PHILOX)",
    *(
        f"{_G}.{call}"
        for call in each("""uniform([3], 0, None, tf.int32); uniform_full_int([3], tf.int8); normal([3], dtype=tf.int32); reset([4, 5]);
        reset_from_key_counter(7, [1, 2, 3]); reset_from_key_counter([7], [1, 2]); normal([-1]); normal(2); binomial([3], [5., 6.], .5)""")
    ),
    "tf.random.Generator()",
    "tf.random.Generator(state=[1, 2, 3])",
    "tf.random.Generator(state=[1, 2], alg='philox')",
    "tf.random.Generator.from_state([1, 2, 3], 'x')",
    "tf.random.Generator.from_seed(None)",
    "tf.random.Generator.from_seed(5, 'threefry').normal([2])",
    "tf.random.create_rng_state(5, 'foo')",
]

GRADIENTS = [
    "grad(lambda m, s: tf.random.normal([3], m, s), 1., 2.), grad(lambda m, s: tf.random.normal([3], m, s), [1., 2., 3.], [[2.], [1.]])",
    "grad(lambda a, b: tf.random.uniform([3], a, b), 1., 2.), grad(lambda a: tf.random.uniform([3], 0, a), 1.)",
    "grad(lambda m, s: tf.random.truncated_normal([3], m, s), 1., 2.)",
    "grad(lambda m, s: tf.random.stateless_normal([3], [1, 2], m, s), 1., 2.), grad(lambda a, b: tf.random.stateless_uniform([3], [1, 2], a, b), 1., 2.)",
    "grad(lambda a, b: tf.random.gamma([5], a, b), [.1, .5, 1., 3., 200.], [2.]), grad(lambda a: tf.random.gamma([5], a), [[.7], [7.]])",
    "grad(lambda a, b: tf.random.stateless_gamma([5, 3], [1, 2], a, b), [1., .5, 20.], [2.])",
    "grad(lambda m, s: tf.random.Generator.from_seed(1).normal([3], m, s), 1., 2.)",
    "grad(lambda a: tf.random.categorical(a, 3), [[1., 2.]])",
    "grad(lambda a, b: tf.random.stateless_parameterized_truncated_normal([5, 3], [1, 2], 0., 1., a, b), [-1., 2., -1.], [1., 4., 2.2])",
]

SECTIONS = {
    "signatures": SIGNATURES,
    "stateful": STATEFUL,
    "stateless": STATELESS,
    "generator": GENERATOR,
    "gradients": GRADIENTS,
}

# --- Answers -----------------------------------------------------------------------------------------------


def signature(function: Any) -> list[str]:
    """The parameters and their defaults; dtypes by name."""
    return [
        re.sub(r"<dtype: '(\w+)'>", r"tf.\1", str(p)) for p in inspect.signature(function).parameters.values()
    ]


def gradient(tf: Any) -> Any:
    """``grad(f, *xs)``: the gradients of the sum of f."""

    def grad(f: Any, *xs: Any) -> list[Any]:
        xs = [tf.constant(x) for x in xs]
        with tf.GradientTape() as tape:
            tape.watch(xs)
            y = f(*xs)
        return tape.gradient(y, xs)

    return grad


def plain(value: Any) -> Any:
    """A value as JSON."""
    if hasattr(value, "numpy"):
        data = value.numpy()
        dtype = getattr(value.dtype, "name", str(value.dtype))
        values = np.asarray(data).astype(
            object if dtype == "string" else np.float64 if "float" in dtype else data.dtype
        )
        return {"dtype": dtype, "shape": list(np.shape(data)), "values": plain(values.tolist())}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, bytes):
        return value.decode()
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def answer(expression: str, tf: Any) -> list[Any]:
    """What an expression gives or raises."""
    tf.random.set_seed(5)
    try:
        return [
            "gives",
            plain(eval(expression, {"tf": tf, "np": np, "signature": signature, "grad": gradient(tf)})),
        ]
    except Exception as error:
        text = re.sub(r"\{\{function_node [^}]*\}\} ", "", str(error))
        text = re.split(r" ?\[Op:|\n|\. Use |: <tf|; NodeDef", text)[0]
        return ["raises", type(error).__name__, text.strip().rstrip(".:")]


if __name__ == "__main__":
    import tensorflow

    found = {
        section: {e: answer(e, tensorflow) for e in expressions} for section, expressions in SECTIONS.items()
    }
    with PATH.open("w", encoding="utf-8") as file:
        json.dump({"tensorflow": tensorflow.__version__, **found}, file, indent=0)
        file.write("\n")
    print(sum(map(len, found.values())), "answers", file=sys.stderr)
