"""Rows of ``ops/cumulative.py``."""

import numpy as np

from gradtape._src.ops.cumulative import (
    cumprod,
    cumsum,
    cumulative_logsumexp,
    delay,
    exp_difference,
    recurrence,
)

from .case import Case, const, normal, uniform

ALL = ("float64", "float32", "bfloat16", "float16", "complex128", "complex64")
REAL = ("float64", "float32", "bfloat16", "float16")
INF, NAN = np.inf, np.nan


def scanned(accumulate, identity):
    """The definition: what is before (or up to) each element, one at a time, in double precision."""

    def ref(x, axis=0, exclusive=False, reverse=False):
        wide = x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)
        x = np.moveaxis(wide, axis, 0)
        x = x[::-1] if reverse else x
        rows, total = [], np.full(x.shape[1:], identity, x.dtype)
        for row in x:
            after = accumulate(total, row)
            rows.append(total if exclusive else after)
            total = after
        y = np.array(rows).reshape(x.shape)
        return np.moveaxis(y[::-1] if reverse else y, 0, axis)

    return ref


def recurred(a, b, axis=-1, reverse=False):
    a, b = np.broadcast_arrays(a, b)
    a, b = np.moveaxis(a, axis, 0), np.moveaxis(b, axis, 0)
    y, last = np.empty_like(b), np.zeros(b.shape[1:], b.dtype)
    for k in range(len(b))[:: -1 if reverse else 1]:
        y[k] = last = b[k] + a[k] * last
    return np.moveaxis(y, 0, axis)


def delayed(x, axis=-1, reverse=False, fill=0):
    y = np.roll(x, -1 if reverse else 1, axis)
    np.moveaxis(y, axis, 0)[-1 if reverse else 0] = fill
    return y


ways = [
    {},
    {"axis": 1, "exclusive": True},
    {"axis": -1, "reverse": True},
    {"axis": -3, "exclusive": True, "reverse": True},
]
sums, products = scanned(np.add, 0), scanned(np.multiply, 1)
logs = scanned(np.logaddexp, -INF)
with_zeros = const(np.array([[2.0, 0.0, 3.0], [0.0, 0.0, 1.0]]))

CASES = [
    *(Case(cumsum, [normal(2, 3, 4)], sums, params=way, dtypes=ALL) for way in ways),
    *(Case(cumprod, [normal(2, 3, 4)], products, params=way, dtypes=ALL) for way in ways),
    # The first element of an exclusive one is -inf, of which there are no differences:
    # tests/api/test_cumulative.py has them.
    *(
        Case(
            cumulative_logsumexp,
            [normal(2, 3, 4)],
            logs,
            params=way,
            dtypes=REAL,
            order=0 if "exclusive" in way else 2,
        )
        for way in ways
    ),
    Case(cumsum, [normal(3, 0)], sums, params={"axis": 1}),
    Case(cumprod, [normal(7)], products, edges=[[const([0.0, INF, 0.0, 1.0])], [const([INF, 0.0, NAN])]]),
    Case(cumprod, [normal(1)], products, params={"exclusive": True}, edges=[[const([INF])]]),
    Case(
        cumulative_logsumexp,
        [normal(7)],
        logs,
        edges=[[const([-INF, -INF, 1.0])], [const([1.0, INF, INF])], [const([1.0, NAN, 2.0])]],
    ),
    Case(
        cumulative_logsumexp,
        [normal(3)],
        logs,
        params={"exclusive": True},
        edges=[[const([-INF, INF, 1.0])]],
        order=0,
    ),
    Case(delay, [normal(2, 3)], delayed, dtypes=ALL),
    Case(delay, [normal(3, 2)], delayed, params={"axis": -2, "reverse": True, "fill": 7}),
    Case(recurrence, [normal(2, 5), normal(2, 5)], recurred, dtypes=ALL),
    Case(
        recurrence,
        [normal(5, 1), normal(5, 2)],
        recurred,
        params={"axis": -2, "reverse": True},
        edges=[[const([[INF], [0.0], [INF]]), const([[1.0], [INF], [0.0]])]],
    ),
    Case(
        exp_difference,
        [normal(3, 4), uniform(1, 3, 4)],
        lambda a, b: np.exp(a - b),
        dtypes=REAL,
        edges=[[const([-INF, INF, NAN, -INF]), const([-INF, INF, 1.0, INF])]],
    ),
]
