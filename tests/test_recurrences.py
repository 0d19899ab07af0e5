"""Many tangents of a recurrence at once: the form with a matrix for each example, against each tangent alone."""

import numpy as np
import pytest

from gradtape._src.ops.driven_recurrence import driven_recurrence, pays
from gradtape._src.ops.gru import gru_forth
from gradtape._src.ops.recurrences import Form

GRU = Form(states=1, sums=4, given=3, products=3)
LSTM = Form(states=2, sums=4, given=4, products=4)
STEPS, INPUTS, UNITS, BATCH, TANGENTS = 5, 3, 4, 70, 11


def tangents(rng, causal):
    """Of the inputs, and of the first state; the inputs of later steps move later, and some tangents never do."""
    x = rng.normal(size=(TANGENTS, STEPS, INPUTS, BATCH))
    s = rng.normal(size=(TANGENTS, UNITS, BATCH))
    if causal:
        s[1:] = 0
        for i in range(TANGENTS):
            x[i, : i // 2] = 0
        x[-2:] = 0
    return x, s


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("form", [GRU, LSTM])
def test_many_tangents_are_each_alone(form, causal, monkeypatch):
    monkeypatch.setattr("gradtape._src.ops.driven_recurrence._CHUNK", 30 * UNITS * (UNITS + INPUTS))
    rng = np.random.default_rng(3)
    x, first = tangents(rng, causal)
    first = np.stack([first] * form.states, 1)
    w, u = rng.normal(size=(form.given, UNITS, INPUTS)), rng.normal(size=(form.products, UNITS, UNITS))
    c = rng.normal(size=(STEPS, form.states, form.states + form.sums, UNITS, BATCH))
    assert pays(x, w, u, form)
    assert not pays(x[:1], w, u, form)
    many = driven_recurrence.kernel(x, w, first, c, u, form)
    each = [driven_recurrence.kernel(x[i], w, first[i], c, u, form) for i in range(TANGENTS)]
    np.testing.assert_allclose(many, each, rtol=1e-10, atol=1e-10)
    assert not causal or (many[-2:] == 0).all()


@pytest.mark.parametrize("masked", [False, True])
def test_many_tangents_of_a_gru(masked):
    rng = np.random.default_rng(4)
    x, first = tangents(rng, causal=True)
    w, u = rng.normal(size=(3, UNITS, INPUTS)), rng.normal(size=(3, UNITS, UNITS))
    h, hs = rng.normal(size=(UNITS, BATCH)), rng.normal(size=(STEPS, UNITS, BATCH))
    acts = rng.normal(size=(STEPS, 4, UNITS, BATCH))
    mask = [rng.random((STEPS, 1, BATCH)) < 0.7] * masked
    many = gru_forth.kernel(x, w, first, h, hs, acts, u, *mask)
    each = [gru_forth.kernel(x[i], w, first[i], h, hs, acts, u, *mask) for i in range(TANGENTS)]
    np.testing.assert_allclose(many, each, rtol=1e-10, atol=1e-10)


def test_a_nan_moves():
    rng = np.random.default_rng(5)
    x, first = tangents(rng, causal=True)
    x[-1, 2, 0, 0] = np.nan
    w, u = rng.normal(size=(3, UNITS, INPUTS)), rng.normal(size=(3, UNITS, UNITS))
    c = rng.normal(size=(STEPS, 1, 5, UNITS, BATCH))
    many = driven_recurrence.kernel(x, w, first[:, None], c, u, GRU)
    assert np.isnan(many[-1, 2:, ..., 0]).all()
    assert np.isfinite(many[:-1]).all()
