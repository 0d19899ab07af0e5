"""Every test of every operation, made from the rows of ``op_cases``."""

from __future__ import annotations

import importlib
import pkgutil

import numpy as np
import pytest
from harness import Recorded, along, assert_close, data, gradients, moving, parts, random_like, real_inner
from op_cases import CASES
from op_cases.case import Case, Make

import gradtape as tf
import gradtape._src.ops
from gradtape._src.autodiff.batching import batched
from gradtape._src.autodiff.forward import jvp
from gradtape._src.autodiff.sweep import sweep
from gradtape._src.core.op import Op
from gradtape._src.core.values import EagerTensor, Ghost, ghost_of
from gradtape._src.graph.ir import Graph, Symbol, placeholder
from gradtape._src.graph.plan import Plan
from gradtape._src.ops.arrays import identity

every_case = pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])


def differentiable(order: int = 1):
    cases = [(c, d) for c in CASES if c.order >= order for d in _precisions(c)]
    return pytest.mark.parametrize("case, dtype", cases, ids=[f"{c.id}-{d}" for c, d in cases])


def _precisions(case: Case) -> list[str]:
    kinds = {np.dtype(d).kind if d != "bfloat16" else "f" for d in case.dtypes}
    return [d for d, kind in (("float64", "f"), ("complex128", "c")) if kind in kinds]


def test_every_operation_has_a_row():
    """An operation without a row is not tested at all."""
    ops = set()
    for module in pkgutil.walk_packages(gradtape._src.ops.__path__, "gradtape._src.ops."):
        # Not of arrays: tested with the loops that use them, and with the sessions that hold variables.
        if module.name.endswith((".sequences", ".sequence_elements", ".graph_variables")):
            continue
        names = vars(importlib.import_module(module.name)).values()
        ops.update(op for op in names if isinstance(op, Op))
    missing = {op.name for op in ops} - {case.op.name for case in CASES}
    assert not missing, f"no row in tests/op_cases for: {sorted(missing)}"


@every_case
def test_value_and_dtype(case: Case):
    for dtype in case.dtypes:
        args = case.draw(dtype=dtype)
        found = case.op.run(args, case.params)
        for part in parts(found):
            assert isinstance(part, (np.ndarray, np.generic)), f"the kernel gave a {type(part)}"
        if case.ref is None:
            continue
        wide = case.draw(dtype=dtype)
        with np.errstate(all="ignore"):
            expected = case.ref(*wide, **case.params)
        small = dtype not in ("float64", "complex128")
        rtol = {"float16": 1e-2, "bfloat16": 5e-2}.get(dtype, 2e-5) if small else case.rtol
        if case.make_y is not None:
            found, expected = case.make_y(found), case.make_y(expected)
        for one, other in zip(parts(found), parts(expected), strict=True):
            one, other = np.asarray(one), np.asarray(other)
            if one.dtype.kind in "fcV" and one.dtype != object:
                wide_type = np.complex128 if one.dtype.kind == "c" else np.float64
                np.testing.assert_allclose(
                    one.astype(wide_type), other.astype(wide_type), rtol=rtol, atol=rtol
                )
            else:
                np.testing.assert_array_equal(one, other)


def _backwards(x: np.ndarray) -> np.ndarray:
    return np.flip(np.flip(x).copy())


def _read_only_with_gaps(x: np.ndarray) -> np.ndarray:
    y = np.repeat(x[..., None], 2, axis=-1)[..., 0]
    y.flags.writeable = False
    return y


@pytest.mark.parametrize("case", [c for c in CASES if not c.op.stateful], ids=lambda case: case.id)
@pytest.mark.parametrize("order", [np.asfortranarray, _backwards, _read_only_with_gaps])
def test_the_order_in_memory_does_not_matter(case: Case, order):
    """Of values and gradients. Nothing is written into an argument either, or a read-only one would say so."""
    dtype = next(iter(_precisions(case)), case.dtypes[0])
    rng = np.random.default_rng(4)
    args = case.draw(dtype=dtype)
    place = lambda x: order(x) if isinstance(x, np.ndarray) and x.ndim else x
    placed = list(map(place, case.draw(dtype=dtype)))
    assert_same = lambda a, b: (
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)
        if np.asarray(a).dtype.kind in "fc"
        else np.testing.assert_array_equal(a, b)
    )
    y = parts(case.op.run(args, case.params))
    for one, other in zip(y, parts(case.op.run(placed, case.params)), strict=True):
        assert_same(one, other)
    if not case.op.differentiable or not _precisions(case):
        return
    gs = [random_like(rng, part) if moving(part) else None for part in y]
    found = [
        gradients(case, xs, [None if g is None else EagerTensor(there(g)) for g in gs])
        for xs, there in ((args, np.asarray), (placed, place))
    ]
    for one, other in zip(*found, strict=True):
        if one is not None:
            assert_same(data(one), data(other))


@differentiable()
def test_vjp_is_the_derivative(case: Case, dtype: str):
    """Re<vjp(g), e> = Re<g, df(x)/de> by differences, one input at a time."""
    rng = np.random.default_rng(1)
    args = case.draw(dtype=dtype)
    y = parts(case.op.run(args, case.params))
    gs = [random_like(rng, part) if moving(part) else None for part in y]
    cts = gradients(case, args, [None if g is None else EagerTensor(g) for g in gs])

    def projected(moved):
        out = parts(case.op.run(moved, case.params))
        return sum(real_inner(g, part) for g, part in zip(gs, out, strict=True) if g is not None)

    for i, ct in zip(case.wrt, cts, strict=True):
        ct = data(ct)
        assert ct is not None, f"no cotangent for input {i}"
        assert ct.shape == args[i].shape and ct.dtype == args[i].dtype
        for _ in range(3):
            e = case.step(random_like(rng, args[i]))
            assert_close(real_inner(ct, e), along(projected, args, [i], [e]), f"input {i}")


@pytest.mark.parametrize("case", [c for c in CASES if c.op.vanishing], ids=lambda case: case.id)
def test_what_is_said_to_vanish_does(case: Case):
    """The output stays as it is when the inputs move by which its derivative is said to vanish."""
    args = case.draw(dtype="float64")
    # All of them at once: maxima move with what they are maxima of, and have to be the same numbers still.
    by = 1 + 1e-9 if case.op.elementwise else 2.0
    moved = [arg * by if i in case.op.vanishing else arg for i, arg in enumerate(args)]
    assert all(case.op.vjps[i] is None for i in case.op.vanishing)
    np.testing.assert_array_equal(case.op.run(moved, case.params), case.op.run(args, case.params))


@differentiable()
def test_jvp_is_the_transpose_of_vjp(case: Case, dtype: str):
    """Re<g, jvp(t)> = Re<vjp(g), t>, for raw arrays and for tensors."""
    rng = np.random.default_rng(2)
    args = case.draw(dtype=dtype)
    y = case.op.run(args, case.params)
    gs = [random_like(rng, part) if moving(part) else None for part in parts(y)]
    cts = gradients(case, args, [None if g is None else EagerTensor(g) for g in gs])
    for chosen in [*([i] for i in case.wrt), list(case.wrt)]:
        ts = [case.step(random_like(rng, arg)) if i in chosen else None for i, arg in enumerate(args)]
        expected = sum(
            real_inner(data(ct), ts[i]) for i, ct in zip(case.wrt, cts, strict=True) if ts[i] is not None
        )
        raw = parts(jvp(case.op, ts, y, args, case.params))
        box = lambda x: EagerTensor(x) if isinstance(x, (np.ndarray, np.generic)) else x
        boxed_y = tuple(map(box, y)) if case.op.multi else box(y)
        tensors = parts(jvp(case.op, list(map(box, ts)), boxed_y, list(map(box, args)), case.params))
        for found in raw, tuple(map(data, tensors)):
            for t, part in zip(found, parts(y), strict=True):
                assert t is None or (t.shape == part.shape and (t.dtype == part.dtype or not moving(part)))
            pairs = [(g, t) for g, t in zip(gs, found, strict=True) if g is not None and t is not None]
            assert_close(sum(real_inner(g, t) for g, t in pairs), expected, f"inputs {chosen}", rtol=1e-9)


@differentiable(order=2)
def test_second_derivative(case: Case, dtype: str):
    """The derivative of Re<v, vjp(g)> in the inputs and in g, against differences of the first."""
    rng = np.random.default_rng(3)
    args = case.draw(dtype=dtype)
    y = parts(case.op.run(args, case.params))
    gs = [random_like(rng, part) if moving(part) else None for part in y]
    vs = [random_like(rng, args[i]) for i in case.wrt]

    def first(moved_args, moved_gs):
        cts = gradients(case, moved_args, [None if g is None else EagerTensor(g) for g in moved_gs])
        return sum(real_inner(v, data(ct)) for v, ct in zip(vs, cts, strict=True))

    tensors = [EagerTensor(arg) if isinstance(arg, np.ndarray) else arg for arg in args]
    g_tensors = [None if g is None else EagerTensor(g) for g in gs]
    sources = [tensors[i] for i in case.wrt] + [g for g in g_tensors if g is not None]
    with Recorded(sources) as recording:
        cts = [_dense(ct) for ct in gradients(case, tensors, g_tensors)]
    for ct, first_raw in zip(cts, gradients(case, args, g_tensors), strict=True):
        np.testing.assert_allclose(data(ct), data(first_raw), rtol=1e-12, atol=1e-12)  # recorded = raw
    seeds = {}
    for v, ct in zip(vs, map(_dense, cts), strict=True):  # two inputs may have one tensor as their cotangent
        v = v + seeds[ghost_of(ct)]._data if ghost_of(ct) in seeds else v
        seeds[ghost_of(ct)] = EagerTensor(v)
    found = [data(h) for h in sweep(recording, seeds, [ghost_of(source) for source in sources])]

    n = len(case.wrt)
    for i, h in zip(case.wrt, found[:n], strict=True):
        e = case.step(random_like(rng, args[i]))
        expected = along(lambda moved: first(moved, gs), args, [i], [e])
        assert_close(
            0.0 if h is None else real_inner(h, e), expected, f"second derivative, input {i}", rtol=1e-5
        )
    places = [j for j, g in enumerate(gs) if g is not None]
    for j, h in zip(places, found[n:], strict=True):
        e = random_like(rng, gs[j])
        expected = along(lambda moved: first(args, moved), gs, [j], [e])
        assert_close(
            0.0 if h is None else real_inner(h, e), expected, f"derivative in cotangent {j}", rtol=1e-5
        )


def _dense(ct):
    from gradtape._src.ops.indexed_slices import dense

    return dense(ct)


@every_case
def test_batch_is_a_loop(case: Case):
    arrays = [i for i, arg in enumerate(case.args) if isinstance(arg, Make) and arg.moves]
    for subset in (
        [set(arrays), *({i} for i in arrays)] if len(arrays) > 1 else [set(arrays)] if arrays else []
    ):
        assert_batch_is_a_loop(case, subset)


@every_case
def test_batch_of_indices_is_a_loop(case: Case):
    """Of all arrays, and of those that are not differentiated."""
    every = {i for i, arg in enumerate(case.args) if isinstance(arg, Make)}
    still = {i for i in every if not case.args[i].moves}
    for subset in (every, still, *({i} for i in still)) if still else ():
        assert_batch_is_a_loop(case, subset)


def assert_batch_is_a_loop(case: Case, subset: set[int]) -> None:
    n = 3
    draws = [case.draw(seed=s) for s in range(n)]
    rows = [[draws[s][i] if i in subset else draws[0][i] for i in range(len(case.args))] for s in range(n)]
    try:
        many = [parts(case.op.run(row, case.params)) for row in rows]
    except (tf.errors.OpError, ValueError, IndexError):  # these arguments do not go together
        return
    if any(np.shape(part) != np.shape(first) for one in many for part, first in zip(one, many[0])):
        return  # what depends on values cannot be stacked
    xs = [np.stack([row[i] for row in rows]) if i in subset else draws[0][i] for i in range(len(case.args))]
    with np.errstate(all="ignore"):
        found = parts(batched(case.op, n, xs, [i in subset for i in range(len(xs))], case.params))
    for j, part in enumerate(found):
        expected = np.stack([one[j] for one in many])
        assert part.shape == expected.shape and part.dtype == expected.dtype
        if case.op.stateful:  # a batch of random numbers is of other numbers
            continue
        if part.dtype.kind in "fc":
            np.testing.assert_allclose(part, expected, rtol=1e-10, atol=1e-12)
        else:
            np.testing.assert_array_equal(part, expected)


@every_case
def test_shape_rule_is_the_kernel(case: Case):
    for dtype in case.dtypes:
        args = case.draw(dtype=dtype)
        y = parts(case.op.run(args, case.params))
        ghosts = [
            Ghost(a.shape, a.dtype) if isinstance(s, Make) and s.moves else a for a, s in zip(args, case.args)
        ]
        found = case.op.infer(ghosts, case.params)
        if case.dynamic:
            assert [dtype for _, dtype in found] == [part.dtype for part in y]
        else:
            assert [(tuple(shape), dtype) for shape, dtype in found] == [
                (part.shape, part.dtype) for part in y
            ]
    arrays = [i for i, arg in enumerate(ghosts) if isinstance(arg, Ghost)]
    unknown = [(i, axis) for i in arrays for axis in range(len(ghosts[i].shape))]
    for i, axis in [*unknown, *((i, None) for i in arrays)]:
        shape = (
            None if axis is None else tuple(None if k == axis else d for k, d in enumerate(ghosts[i].shape))
        )
        blurred = [Ghost(shape, g.dtype) if k == i else g for k, g in enumerate(ghosts)]
        for (rough, _), part in zip(case.op.infer(blurred, case.params), y, strict=True):
            assert rough is None or len(rough) == part.ndim
            assert rough is None or all(r in (None, d) for r, d in zip(rough, part.shape, strict=True))


@pytest.mark.parametrize("shapes", ["known", "unknown dimensions", "unknown rank"])
@every_case
def test_a_graph_gives_the_same(case: Case, shapes: str):
    """Values and cotangents of a graph, built with as little knowledge of shapes as there may be."""
    args = case.draw()
    graph = Graph()
    with graph.as_default():
        symbols = [
            _symbol(graph, arg, shapes) if isinstance(s, Make) and s.moves else arg
            for arg, s in zip(args, case.args, strict=True)
        ]
        sources = [symbols[i] for i in case.wrt or ()]
        with Recorded(sources) as recording:
            y = parts(case.op.of(*symbols, **case.params))
        eager = parts(case.op.run(args, case.params))
        rng = np.random.default_rng(4)
        gs = [random_like(rng, part) if moving(part) and case.op.differentiable else None for part in eager]
        seeds = {ghost_of(part): EagerTensor(g) for part, g in zip(y, gs, strict=True) if g is not None}
        cts = sweep(recording, seeds, [ghost_of(source) for source in sources]) if seeds else []
        cts = [identity.of(_dense(ct)) for ct in cts if ct is not None]  # a seed may come out as it went in
    feeds = [symbol for symbol in symbols if isinstance(symbol, Symbol)]
    plan = Plan([*y, *cts], feeds, graph.operations)
    found = plan(*[arg for arg, symbol in zip(args, symbols, strict=True) if isinstance(symbol, Symbol)])
    if not case.op.stateful:
        for one, other in zip(found[: len(y)], eager, strict=True):
            np.testing.assert_array_equal(one, other)
    expected = gradients(case, args, [None if g is None else EagerTensor(g) for g in gs]) if cts else []
    for one, other in zip(found[len(y) :], [ct for ct in expected if ct is not None], strict=True):
        np.testing.assert_allclose(one, data(other), rtol=1e-10, atol=1e-12)


def _symbol(graph: Graph, array: np.ndarray, shapes: str) -> Symbol:
    shape = {"known": array.shape, "unknown dimensions": (None,) * array.ndim, "unknown rank": None}[shapes]
    return graph.append(placeholder, (), {"shape": shape, "dtype": array.dtype}, "x").outputs[0]


@pytest.mark.parametrize(
    "case", [c for c in CASES if c.order and not c.op.stateful and _precisions(c)], ids=lambda case: case.id
)
def test_a_function_and_a_session_give_the_same(case: Case):
    """Values, and derivatives of both orders: across the boundary of a ``tf.function``, and by ``tf.gradients``."""
    args = case.draw(dtype=_precisions(case)[0])
    arrays = [args[i] for i in case.wrt]
    y = parts(case.op.run(args, case.params))
    rng = np.random.default_rng(5)
    gs = [random_like(rng, part) for part in y if moving(part)]
    vs = [random_like(rng, x) for x in arrays]

    def f(*xs):
        given = list(args)
        for i, x in zip(case.wrt, xs, strict=True):
            given[i] = x
        return [part for part, was in zip(parts(case.op.of(*given, **case.params)), y) if moving(was)]

    def taped(f):
        xs = list(map(tf.constant, arrays))
        with tf.GradientTape() as outer, tf.GradientTape() as inner:
            outer.watch(xs)
            inner.watch(xs)
            out = f(*xs)
            with inner.stop_recording():
                first = list(map(_dense, inner.gradient(out, xs, gs, "zero")))
        second = outer.gradient(first, xs, vs, "zero") if case.order > 1 else []
        return [data(x) for x in (*out, *first, *second)]

    expected = taped(f)
    with tf.Graph().as_default():
        xs = [tf.compat.v1.placeholder(x.dtype, x.shape) for x in arrays]
        out = f(*xs)
        first = list(map(_dense, tf.gradients(out, xs, gs, unconnected_gradients="zero")))
        second = tf.gradients(first, xs, vs, unconnected_gradients="zero") if case.order > 1 else []
        with tf.compat.v1.Session() as session:
            fetches = [*out, *first, *map(_dense, second)]
            found = session.run(fetches, dict(zip(xs, arrays, strict=True)))
    for what, answers in (("session", found), ("function", taped(tf.function(f, autograph=False)))):
        for i, (one, other) in enumerate(zip(answers, expected, strict=True)):
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-10, err_msg=f"{what}, {i}")


edges = [(case, edge) for case in CASES for edge in case.edges]


@pytest.mark.parametrize("case, edge", edges, ids=[f"{case.id}-{i}" for i, (case, _) in enumerate(edges)])
def test_zero_stays_zero_at_singular_points(case: Case, edge):
    """A cotangent of zero stays zero through an infinite or undefined slope, to second order."""
    args = case.draw(edge=edge)
    y = parts(case.op.run(args, case.params))
    tensors = [EagerTensor(arg) if isinstance(arg, np.ndarray) else arg for arg in args]
    zero = [EagerTensor(np.zeros_like(part)) if moving(part) else None for part in y]
    sources = [tensors[i] for i in case.wrt]
    with Recorded(sources) as recording:
        cts = gradients(case, tensors, zero)
    for ct in cts:
        np.testing.assert_array_equal(data(ct), 0)
    seeds = {ghost_of(_dense(ct)): EagerTensor(np.ones_like(data(ct))) for ct in cts}
    for h in sweep(recording, seeds, [ghost_of(source) for source in sources]):
        assert h is None or not np.any(data(h)), f"second derivative: {data(h)}"


def test_every_row_can_fail():
    """A wrong rule is found: the harness itself is tried on operations with a fault."""
    from op_cases.case import normal

    from gradtape._src.core.op import Unary

    good = {"elementwise": True, "reads": "x"}
    wrong = Unary("Wrong", np.sin, vjp=lambda g, y, x: g * x, **good)
    with pytest.raises(AssertionError):
        test_vjp_is_the_derivative(Case(wrong, [normal(3)]), "float64")
    hungry = Unary("Hungry", np.sin, vjp=lambda g, y, x: g * np.cos(x), elementwise=True, reads="")
    with pytest.raises((AssertionError, TypeError, AttributeError)):
        test_vjp_is_the_derivative(Case(hungry, [normal(3)]), "float64")
