"""Rows of ``ops/recurrent.py``, ``ops/recurrences.py`` and ``ops/driven_recurrence.py``."""

import numpy as np

from gradtape._src.ops import driven_recurrence as d
from gradtape._src.ops import gru as g
from gradtape._src.ops import gru_before as before
from gradtape._src.ops import recurrences as l
from gradtape._src.ops import recurrent as r

from .case import Case, const, normal

FLOATS = ("float64", "float32", "bfloat16", "float16")
MASK = const([[[True, True]], [[False, True]], [[True, False]]])


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def entering(x, w):
    return np.einsum("kui,tib->tkub", np.asarray(w, np.float64), np.asarray(x, np.float64))


def steps(step, p, states, mask):
    """The states of all steps, each as ``step(p[t], *states)`` gives them."""
    rows = []
    for t, row in enumerate(p):
        new, rest = step(row, *states)
        if mask:
            new = tuple(np.where(mask[0][t], a, b) for a, b in zip(new, states, strict=True))
        states = new
        rows.append((*states, *rest))
    return tuple(map(np.stack, zip(*rows, strict=True)))


def simple_rnn(x, w, h, u, b, *mask):
    return steps(lambda p, h: ((np.tanh(p[0] + u[0] @ h + b[0]),), ()), entering(x, w), (h,), mask)[0]


def gru(x, w, h, u, b, *mask):
    def step(p, h):
        q, z, k = u @ h + b[:3]
        z, k = sigmoid(p[0] + z), sigmoid(p[1] + k)
        c = np.tanh(p[2] + k * q + b[3])
        return (z * h + (1 - z) * c,), (np.stack([q, z, k, c]),)

    return steps(step, entering(x, w), (h,), mask)


def gru_slopes(old, acts, *mask):
    q, z, r, c = np.moveaxis(np.asarray(acts, np.float64), 1, 0)
    of_c = (1 - z) * (1 - c**2)
    slopes = np.stack([z, r * of_c, (old - c) * z * (1 - z), q * r * (1 - r) * of_c, of_c], 1)
    if mask:
        slopes = np.where(mask[0][:, None], slopes, np.eye(5)[0][:, None, None])
    return slopes[:, None]


def gru_back(g, h, hs, acts, u):
    """Step by step, from the last: each sum bends the state that it makes, and the state before makes the sums."""
    c = gru_slopes(np.stack([h, *hs[:-1]]), acts)[:, 0]
    ct, sums = np.zeros(np.shape(h)), []
    for g_t, c_t in zip(reversed(g), reversed(c), strict=True):
        ct = ct + g_t[0]
        sums.append(c_t[1:] * ct)
        ct = c_t[0] * ct + np.einsum("kij,kib->jb", np.asarray(u, np.float64), sums[-1][:3])
    return np.stack(sums[::-1]), ct[None]


def gru_before(x, w, h, u, b, *mask):
    def step(p, h):
        z, r = sigmoid(p[:2] + u[:2] @ h + b[:2])
        c = np.tanh(p[2] + u[2] @ (r * h) + b[2])
        return (z * h + (1 - z) * c,), (np.stack([z, r, c]),)

    return steps(step, entering(x, w), (h,), mask)


def interleaved(a, b, rank):
    return np.stack([x[t] for t in range(len(a)) for x in (a, b)])


def lstm(x, w, h, s, u, b, *mask):
    def step(p, h, s):
        x = p + u @ h + b
        i, f, g, o = sigmoid(x[0]), sigmoid(x[1]), np.tanh(x[2]), sigmoid(x[3])
        s = f * s + i * g
        return (o * np.tanh(s), s), (np.stack([i, f, g, o]),)

    return steps(step, entering(x, w), (h, s), mask)


def driven_recurrence(x, w, s, c, u, form):
    return linear_recurrence(entering(x, w), s, c, u, form)


def linear_recurrence(e, s, c, u, form):
    rows = []
    for e_t, c_t in zip(e, c, strict=True):
        v = np.zeros((form.states + form.sums, *s.shape[1:]))
        v[: form.states] = s
        v[form.states : form.states + form.products] += u @ s[-1]
        v[len(v) - form.given :] += e_t
        s = np.einsum("svub,vub->sub", c_t, v)
        rows.append(s)
    return np.stack(rows)


ONE = l.Form(states=1, sums=3, given=2, products=2)
TWO = l.Form(states=2, sums=2, given=2, products=1)


CASES = [
    Case(g.gru_slopes, [normal(3, 2, 3), normal(3, 4, 2, 3)], gru_slopes),
    Case(g.gru_slopes, [normal(3, 2, 2), normal(3, 4, 2, 2), MASK], gru_slopes),
    Case(
        r.simple_rnn,
        [normal(4, 2, 2), normal(1, 3, 2), normal(3, 2), normal(1, 3, 3), normal(1, 3, 1)],
        simple_rnn,
        dtypes=FLOATS,
    ),
    Case(
        r.simple_rnn,
        [normal(3, 2, 2), normal(1, 3, 2), normal(3, 2), normal(1, 3, 3), normal(1, 3, 1), MASK],
        simple_rnn,
        dtypes=FLOATS[:2],
    ),
    Case(
        g.gru,
        [normal(4, 2, 2), normal(3, 3, 2), normal(3, 2), normal(3, 3, 3), normal(4, 3, 1)],
        gru,
        dtypes=FLOATS,
    ),
    Case(
        g.gru, [normal(3, 3, 2), normal(3, 2, 3), normal(2, 2), normal(3, 2, 2), normal(4, 2, 1), MASK], gru
    ),
    Case(g.gru, [normal(1, 3, 2), normal(3, 2, 3), normal(2, 2), normal(3, 2, 2), normal(4, 2, 1)], gru),
    Case(before.interleaved, [normal(2, 3), normal(2, 3)], interleaved, {"rank": 2}),
    Case(
        before.gru_before,
        [normal(4, 2, 2), normal(3, 3, 2), normal(3, 2), normal(3, 3, 3), normal(3, 3, 1)],
        gru_before,
        dtypes=FLOATS,
    ),
    Case(
        before.gru_before,
        [normal(3, 3, 2), normal(3, 2, 3), normal(2, 2), normal(3, 2, 2), normal(3, 2, 1), MASK],
        gru_before,
    ),
    Case(
        r.lstm,
        [normal(4, 2, 2), normal(4, 3, 2), normal(3, 2), normal(3, 2), normal(4, 3, 3), normal(4, 3, 1)],
        lstm,
        dtypes=FLOATS,
    ),
    Case(
        r.lstm,
        [
            normal(3, 1, 2),
            normal(4, 2, 1),
            normal(2, 2),
            normal(2, 2),
            normal(4, 2, 2),
            normal(4, 2, 1),
            MASK,
        ],
        lstm,
    ),
    Case(
        g.gru_forth,
        [
            normal(3, 3, 2),
            normal(3, 2, 3),
            normal(2, 2),
            normal(2, 2),
            normal(3, 2, 2),
            normal(3, 4, 2, 2),
            normal(3, 2, 2),
            MASK,
        ],
    ),
    Case(
        g.gru_back,
        [normal(3, 1, 2, 2), normal(2, 2), normal(3, 2, 2), normal(3, 4, 2, 2), normal(3, 2, 2), MASK],
    ),
    Case(
        g.gru_back,
        [normal(2, 1, 2, 3), normal(2, 3), normal(2, 2, 3), normal(2, 4, 2, 3), normal(3, 2, 2)],
        gru_back,
        dtypes=FLOATS[:2],
    ),
    Case(
        d.driven_recurrence,
        [normal(3, 2, 3), normal(2, 2, 2), normal(1, 2, 3), normal(3, 1, 4, 2, 3), normal(2, 2, 2)],
        driven_recurrence,
        {"form": ONE},
    ),
    Case(
        d.driven_recurrence,
        [normal(3, 2, 3), normal(2, 2, 2), normal(2, 2, 3), normal(3, 2, 4, 2, 3), normal(1, 2, 2)],
        driven_recurrence,
        {"form": TWO},
    ),
    Case(
        l.linear_recurrence,
        [normal(3, 2, 2, 3), normal(1, 2, 3), normal(3, 1, 4, 2, 3), normal(2, 2, 2)],
        linear_recurrence,
        {"form": ONE},
    ),
    Case(
        l.linear_recurrence,
        [normal(3, 2, 2, 3), normal(2, 2, 3), normal(3, 2, 4, 2, 3), normal(1, 2, 2)],
        linear_recurrence,
        {"form": TWO},
    ),
    Case(
        l.transposed_recurrence,
        [normal(3, 1, 2, 3), normal(3, 1, 4, 2, 3), normal(2, 2, 2)],
        params={"form": ONE},
    ),
    Case(
        l.transposed_recurrence,
        [normal(3, 2, 2, 3), normal(3, 2, 4, 2, 3), normal(1, 2, 2)],
        params={"form": TWO},
    ),
]
