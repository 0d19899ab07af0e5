"""Programs with nested control flow, made by hypothesis: eager = function = session, to the second derivative."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, event, given, seed, settings
from programs import running
from programs.drawing import EXPRESSIONS, programs
from programs.tree import Program, kinds
from programs.writing import written

from gradtape._src.graph import verify

MODES = [running.eager, running.tapes_outside]
GRAPH_MODES = [running.tapes_inside, running.tape_on_either_side, running.session]
STEEP = 1e6  # derivatives of this size are no matter for differences

made = settings(
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
)


def assert_same(found, expected, what: str) -> None:
    for i, (one, other) in enumerate(zip(found, expected, strict=True)):
        scale = max(1.0, np.abs(other).max(initial=0.0))
        part = "value" if i < 4 else "first derivative" if i < 7 else "second derivative"
        np.testing.assert_allclose(one, other, rtol=1e-8, atol=1e-8 * scale, err_msg=f"{what}: {part} {i}")


def check(program: Program) -> None:
    """Every mode gives the values and derivatives of plain eager execution, and these are derivatives."""
    arrays, directions = running.inputs_of(program)
    plain = running.compiled(written(program, autograph=False, plain=True))
    expected = running.eager(plain, arrays, directions)
    check_differences(plain, arrays, directions, expected)
    # Malt takes longer for its conversion than all the rest: some of the programs are written for AutoGraph too.
    for autograph in (False, True)[: 2 if program.seed % 8 == 5 else 1]:
        f = running.compiled(written(program, autograph))
        event(f"written for AutoGraph: {autograph}")
        g = running.in_graphs(f, autograph)
        for mode in (*MODES, *GRAPH_MODES):
            found = mode(f if mode in MODES else g, arrays, directions)
            assert_same(found, expected, f"{mode.__name__}{', AutoGraph' * autograph}")


def check_differences(f, arrays, directions, expected) -> None:
    """The slope in the directions by central differences; only where nothing is decided otherwise on the way."""
    first = expected[4:7]
    if max(np.abs(x).max() for x in expected[4:]) > STEEP:
        event("differences: too steep")
        return
    h = 1e-4
    _, here = running.path(f, arrays)
    found = {}
    for k in (-2, -1, 1, 2):
        moved = [a + k * h * d for a, d in zip(arrays, directions, strict=True)]
        found[k], there = running.path(f, moved)
        if there != here:
            event("differences: another path")
            return
    slope = (8 * (found[1] - found[-1]) - (found[2] - found[-2])) / (12 * h)
    exact = sum(float(np.sum(g * d)) for g, d in zip(first, directions, strict=True))
    scale = max(1.0, *(np.abs(x).max() for x in expected[4:]))
    event("differences: compared")
    np.testing.assert_allclose(exact, slope, rtol=1e-5, atol=1e-6 * scale)


@settings(made, max_examples=8)
@given(programs())
def test_every_mode_gives_the_same(program):
    check(program)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_every_mode_gives_the_same_for_a_thousand_programs(part, monkeypatch):
    """Half of them with values checked against the rules, half as in use, where plans become functions."""
    monkeypatch.setattr(verify, "during_execution", part % 2 == 0)

    @seed(part)
    @settings(made, max_examples=250, database=None)
    @given(programs())
    def quarter(program):
        check(program)

    quarter()


def test_the_programs_have_what_they_should_have():
    """Every construct, every expression, and constructs inside one another, in a good part of the programs."""
    words: Counter[str] = Counter()
    nested: Counter[tuple[str, ...]] = Counter()
    depths: Counter[int] = Counter()

    @seed(0)
    @settings(made, max_examples=200, database=None, phases=[Phase.generate])
    @given(programs())
    def count(program):
        texts = [written(program, autograph=False), written(program, autograph=True)]
        words.update({word for text in texts for word in re.findall(r"[\w.]+", text)})
        blocks = [program.body, *(f.body for f in program.functions)]
        paths = [[k for k in path if k != "Let"] for block in blocks for path in kinds(block)]
        nested.update({pair for path in paths for pair in zip(path, path[1:])})
        depths[max(map(len, paths))] += 1

    count()
    calls = "tf.cond tf.switch_case tf.case tf.while_loop tf.map_fn tf.scan tf.foldl tf.foldr tf.TensorArray".split()
    words_of_loops = (
        "tf.function tf.custom_gradient tf.recompute_grad tf.GradientTape reverse initializer".split()
    )
    statements = "if elif else while for break continue and or not".split()
    rare = [word for word in (*calls, *words_of_loops, *statements) if words[word] < 3]
    assert not rare, {word: words[word] for word in rare}
    functions = {
        name for forms in EXPRESSIONS.values() for form in forms for name in re.findall(r"tf\.[\w.]+", form)
    }
    missing = functions - set(words)
    assert not missing
    constructs = "If Choose While For Map Fold".split()
    unmet = [(a, b) for a in constructs for b in constructs if not nested[a, b]]
    assert len(unmet) <= 12, unmet
    assert sum(n for depth, n in depths.items() if depth >= 2) >= 40
    assert sum(n for depth, n in depths.items() if depth >= 3) >= 12
