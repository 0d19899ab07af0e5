"""Programs made by hypothesis: the tape against the naive tape, and against itself in other modes."""

from __future__ import annotations

import numpy as np
import oracle
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import gradtape as tf

SHAPES = [(), (3,), (2, 3), (3, 3), (1, 3), (2, 1)]

# name: (gradtape, NumPy). The NumPy side has to be analytic, and both sides bounded, so that programs stay tame.
UNARY = {
    "sin": (tf.sin, np.sin),
    "cos": (tf.cos, np.cos),
    "tanh": (tf.tanh, np.tanh),
    "neg": (tf.negative, np.negative),
    "exp of sin": (lambda x: tf.exp(tf.sin(x)), lambda x: np.exp(np.sin(x))),
    "square of cos": (lambda x: tf.square(tf.cos(x)), lambda x: np.cos(x) ** 2),
    "log": (lambda x: tf.math.log(2.0 + tf.sin(x)), lambda x: np.log(2 + np.sin(x))),
    "sqrt": (lambda x: tf.sqrt(2.0 + tf.cos(x)), lambda x: np.sqrt(2 + np.cos(x))),
    "power": (lambda x: (1.5 + tf.sin(x)) ** 2.5, lambda x: (1.5 + np.sin(x)) ** 2.5),
    "sigmoid": (tf.sigmoid, lambda x: 1 / (1 + np.exp(-x))),
    "sum": (tf.reduce_sum, np.sum),
    "mean of rows": (
        lambda x: tf.reduce_mean(x, axis=-1, keepdims=True) if x.shape.rank else x,
        lambda x: x.mean(-1, keepdims=True) if x.ndim else x,
    ),
    "transpose": (tf.transpose, np.transpose),
    "flat": (lambda x: tf.reshape(x, [-1])[:3], lambda x: x.reshape(-1)[:3]),
    "reverse": (
        lambda x: x[::-1] if x.shape.rank else x,
        lambda x: x[::-1] if x.ndim else x,
    ),
    "stack": (lambda x: tf.stack([x, x * x]), lambda x: np.stack([x, x * x])),
    "softmax": (
        lambda x: tf.nn.softmax(x) if x.shape.rank else x,
        lambda x: np.exp(x) / np.exp(x).sum(-1, keepdims=True) if x.ndim else x,
    ),
    "gather": (
        lambda x: tf.gather(x, [0, 0]) if x.shape.rank else x,
        lambda x: x[np.array([0, 0])] if x.ndim else x,
    ),
}
BINARY = {
    "add": (tf.add, np.add),
    "sub": (tf.subtract, np.subtract),
    "mul": (tf.multiply, np.multiply),
    "div": (lambda a, b: a / (2.0 + tf.sin(b)), lambda a, b: a / (2 + np.sin(b))),
    "where": (
        lambda a, b: tf.where(tf.constant(True), tf.sin(a) * tf.cos(b), b),
        lambda a, b: np.sin(a) * np.cos(b),
    ),
}


@st.composite
def programs(draw: st.DrawFn) -> tuple[list[np.ndarray], list[tuple[str, tuple[int, ...]]]]:
    """Inputs, and instructions: a name and the positions of the operands among all values so far."""
    seed = draw(st.integers(0, 2**31))
    rng = np.random.default_rng(seed)
    inputs = [rng.normal(size=draw(st.sampled_from(SHAPES))) for _ in range(draw(st.integers(1, 3)))]
    instructions = []
    for i in range(draw(st.integers(1, 7))):
        n = len(inputs) + i
        if draw(st.booleans()):
            instructions.append((draw(st.sampled_from(sorted(UNARY))), (draw(st.integers(0, n - 1)),)))
        else:
            name = draw(st.sampled_from(sorted(BINARY)))
            instructions.append((name, (draw(st.integers(0, n - 1)), draw(st.integers(0, n - 1)))))
    return inputs, instructions


def run(inputs, instructions, side: int, call):
    """The last value of the program; an instruction whose shapes do not broadcast gives its first operand."""
    values = list(inputs)
    for name, operands in instructions:
        f = (UNARY.get(name) or BINARY[name])[side]
        args = [values[i] for i in operands]
        shapes = [tuple(np.shape(getattr(arg, "data", arg)) if side else arg.shape) for arg in args]
        try:
            np.broadcast_shapes(*shapes)
            values.append(call(f, *args))
        except ValueError:
            values.append(args[0])
    return values[-1]


def naive(inputs, instructions):
    sources = [oracle.Value(x) for x in inputs]
    target = run(sources, instructions, 1, oracle.call)
    return target.data, oracle.gradients(target, sources)


def taped(inputs, instructions, persistent=False):
    sources = [tf.constant(x) for x in inputs]
    with tf.GradientTape(persistent=persistent) as tape:
        tape.watch(sources)
        target = run(sources, instructions, 0, lambda f, *args: f(*args))
    return target, tape.gradient(target, sources)


def dense(g, like):
    return np.zeros_like(like) if g is None else np.asarray(tf.convert_to_tensor(g))


@settings(max_examples=150, deadline=None)
@given(programs())
def test_the_tape_agrees_with_the_naive_tape(program):
    inputs, instructions = program
    value, expected = naive(inputs, instructions)
    found, gradients = taped(inputs, instructions)
    np.testing.assert_allclose(found, value, rtol=1e-10, atol=1e-10)
    for g, e, x in zip(gradients, expected, inputs, strict=True):
        np.testing.assert_allclose(dense(g, x), np.zeros_like(x) if e is None else e, rtol=1e-8, atol=1e-10)


@settings(max_examples=60, deadline=None)
@given(programs(), st.integers(0, 2**31))
def test_second_derivatives_agree_with_differences_of_the_naive_tape(program, seed):
    inputs, instructions = program
    rng = np.random.default_rng(seed)
    directions = [rng.normal(size=x.shape) for x in inputs]

    sources = [tf.constant(x) for x in inputs]
    with tf.GradientTape() as outer:
        outer.watch(sources)
        with tf.GradientTape() as inner:
            inner.watch(sources)
            target = run(sources, instructions, 0, lambda f, *args: f(*args))
        first = inner.gradient(target, sources, unconnected_gradients="zero")
        slope = tf.add_n(
            [tf.reduce_sum(tf.convert_to_tensor(g) * v) for g, v in zip(first, directions, strict=True)]
        )
    found = outer.gradient(slope, sources)

    h = 2e-5
    moved = lambda k: naive([x + k * h * v for x, v in zip(inputs, directions, strict=True)], instructions)[1]
    for g, *at, x in zip(found, moved(1), moved(-1), moved(2), moved(-2), inputs, strict=True):
        if at[0] is None:
            expected = np.zeros_like(x)
        else:
            expected = (8 * (at[0] - at[1]) - (at[2] - at[3])) / (12 * h)
        assume(np.abs(expected).max(initial=0.0) < 1e3)  # where it is steep, differences are no reference
        np.testing.assert_allclose(dense(g, x), expected, rtol=1e-4, atol=1e-5)


@settings(max_examples=60, deadline=None)
@given(programs())
def test_a_recorded_sweep_gives_what_a_raw_one_does(program):
    inputs, instructions = program
    _, raw = taped(inputs, instructions)
    with tf.GradientTape() as outer:
        outer.watch(tf.constant(0.0))
        _, recorded = taped(inputs, instructions)
    for a, b, x in zip(raw, recorded, inputs, strict=True):
        assert (a is None) == (b is None)
        np.testing.assert_allclose(dense(a, x), dense(b, x), rtol=1e-12, atol=1e-14)


@settings(max_examples=40, deadline=None)
@given(programs(), st.floats(-2, 2), st.floats(-2, 2))
def test_gradients_are_linear_in_output_gradients(program, a, b):
    inputs, instructions = program
    sources = [tf.constant(x) for x in inputs]
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(sources)
        target = run(sources, instructions, 0, lambda f, *args: f(*args))
    rng = np.random.default_rng(0)
    u, v = (rng.normal(size=tuple(target.shape)) for _ in range(2))
    pull = lambda w: tape.gradient(target, sources, output_gradients=tf.constant(w))
    for gu, gv, gw, x in zip(pull(u), pull(v), pull(a * u + b * v), inputs, strict=True):
        np.testing.assert_allclose(a * dense(gu, x) + b * dense(gv, x), dense(gw, x), rtol=1e-8, atol=1e-8)
