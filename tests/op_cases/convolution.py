"""Rows of ``ops/convolution.py``: against a loop over the taps of the filter, each a tensor product."""

import numpy as np

from gradtape._src.ops import convolution as c

from .case import Case, const, normal


def margins(n, k, s, d, pad):
    extent = (k - 1) * d + 1
    if pad == "SAME":
        out = -(-n // s)
        missing = max((out - 1) * s + extent - n, 0)
        return out, missing // 2, missing - missing // 2
    before, after = (0, 0) if pad == "VALID" else pad
    return (n + before + after - extent) // s + 1, before, after


def taps(x, w, strides, padding, dilations):
    """For every tap of the filter: its index, and where the windows have it in the padded array."""
    rank = len(strides)
    found = [
        margins(n, k, s, d, padding if isinstance(padding, str) else padding[i])
        for i, (n, k, s, d) in enumerate(zip(x[1:-1], w[:-2], strides, dilations))
    ]
    pads = [(0, 0), *((b, a) for _, b, a in found), (0, 0)]
    places = []
    for tap in np.ndindex(w[:-2]):
        where = [slice(None)] + [
            slice(
                tap[i] * dilations[i], tap[i] * dilations[i] + (found[i][0] - 1) * strides[i] + 1, strides[i]
            )
            for i in range(rank)
        ]
        places.append((tap, tuple(where)))
    return pads, [out for out, _, _ in found], places


def conv(x, w, **sliding):
    x, w = x.astype(np.float64), w.astype(np.float64)
    pads, out, places = taps(x.shape, w.shape, **sliding)
    padded = np.pad(x, pads)
    groups = x.shape[-1] // w.shape[-2]
    parts = []
    for xs, ws in zip(np.split(padded, groups, -1), np.split(w, groups, -1)):
        parts.append(sum(np.tensordot(xs[where], ws[tap], 1) for tap, where in places))
    return np.concatenate(parts, -1)


def linear_transpose(f, shape, g):
    """The transpose of a linear function, by its matrix."""
    basis = np.eye(int(np.prod(shape))).reshape(-1, *shape)
    return np.array([np.vdot(f(e), g) for e in basis]).reshape(shape)


def to_input(w, g, like, **sliding):
    like = like if isinstance(like, tuple) else like.shape
    return linear_transpose(lambda x: conv(x, w.astype(np.float64), **sliding), like, g.astype(np.float64))


def to_filter(x, g, like, **sliding):
    return linear_transpose(
        lambda w: conv(x.astype(np.float64), w, **sliding), like.shape, g.astype(np.float64)
    )


FLOATS = ("float64", "float32", "bfloat16", "float16")


def sliding(*strides, padding="VALID", dilations=None):
    return {"strides": strides, "padding": padding, "dilations": dilations or (1,) * len(strides)}


def trio(ops, x, w, params, dtypes=("float64", "float32")):
    """A row for a convolution and one for each of its transposes."""
    forward, back, of_filter = ops[:3]
    _, out, _ = taps(x, w, **params)
    g = (x[0], *out, w[-1])
    return [
        Case(forward, [normal(*x), normal(*w)], conv, params, dtypes=dtypes),
        Case(back, [normal(*w), normal(*g), normal(*x)], to_input, params, wrt=[0, 1], dtypes=dtypes),
        Case(of_filter, [normal(*x), normal(*g), normal(*w)], to_filter, params, wrt=[0, 1], dtypes=dtypes),
        Case(ops[3], [normal(*w), normal(*g), x], to_input, params, dtypes=dtypes),
    ]


TWO = (c.conv2d, c.conv2d_to_input, c.conv2d_to_filter, c.conv2d_transpose)
THREE = (c.conv3d, c.conv3d_to_input, c.conv3d_to_filter, c.conv3d_transpose)

CASES = [
    *trio(TWO, (2, 4, 5, 2), (3, 2, 2, 3), sliding(1, 1, padding="SAME"), dtypes=FLOATS),
    *trio(TWO, (1, 4, 3, 9), (2, 2, 9, 2), sliding(1, 1)),
    *trio(TWO, (1, 5, 6, 2), (2, 3, 2, 9), sliding(2, 2, padding="SAME")),
    *trio(TWO, (1, 5, 6, 17), (2, 2, 17, 1), sliding(2, 1, padding="SAME")),
    *trio(TWO, (1, 6, 5, 1), (2, 3, 1, 2), sliding(1, 1, dilations=(2, 1))),
    *trio(TWO, (1, 4, 4, 2), (2, 2, 2, 2), sliding(1, 2, padding=((1, 0), (3, 2)))),
    *trio(TWO, (1, 3, 3, 2), (2, 2, 2, 2), sliding(1, 1, padding=((2, 2), (0, 1)))),
    *trio(TWO, (1, 4, 3, 4), (2, 2, 2, 6), sliding(1, 1, padding="SAME")),
    *trio(TWO, (2, 4, 3, 3), (2, 2, 1, 6), sliding(1, 2, padding="SAME")),
    *trio(TWO, (2, 4, 3, 3), (2, 2, 1, 3), sliding(1, 1)),
    *trio(TWO, (1, 3, 3, 2), (1, 1, 2, 3), sliding(1, 1)),
    *trio(TWO, (1, 2, 2, 1), (3, 3, 1, 2), sliding(1, 1)),
    *trio(THREE, (1, 3, 4, 2, 2), (2, 2, 1, 2, 3), sliding(1, 2, 1, padding="SAME"), dtypes=FLOATS),
    *trio(THREE, (1, 3, 3, 3, 2), (2, 1, 2, 2, 2), sliding(1, 1, 1, dilations=(1, 1, 2))),
    Case(
        c.conv2d,
        [normal(1, 2, 2, 1), normal(1, 1, 1, 1)],
        conv,
        sliding(1, 1),
        edges=[[const([[[[np.inf], [1.0]], [[2.0], [3.0]]]]), const([[[[1.0]]]])]],
    ),
]
