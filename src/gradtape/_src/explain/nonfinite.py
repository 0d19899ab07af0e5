"""Where a number first became NaN or infinite, forwards or backwards, and the safe form of the operation."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any, NamedTuple

import numpy as np

from gradtape._src.autodiff.recording import Node, Recording
from gradtape._src.autodiff.sweep import Absorbing, add, vjp
from gradtape._src.core.context import under
from gradtape._src.core.errors import frame_at
from gradtape._src.core.nest import flatten
from gradtape._src.core.values import EagerTensor, Ghost, Tensor, ghost_of
from gradtape._src.explain import names
from gradtape._src.explain.explanation import Explanation
from gradtape._src.explain.replay import CannotReplay, as_tensor, expanded, line_of, parts_of
from gradtape._src.explain.wording import function_of
from gradtape._src.function.body import Call
from gradtape._src.ops.arrays import ones_like, sum_to, zeros_like
from gradtape._src.ops.indexed_slices import dense
from gradtape._src.ops.sequences import Sequence as Elements
from gradtape._src.ops.variables import Variable


class Safe(NamedTuple):
    """A cause, what happened, and the form that does not."""

    cause: str
    message: str
    fix: str


_ROOT = Safe(
    "sqrt_at_zero",
    "the slope of a square root is infinite at 0",
    "Write tf.sqrt(x + 1e-12), or tf.sqrt(tf.maximum(x, 1e-12)); for a norm tf.sqrt(tf.reduce_sum(x * x) + 1e-12).",
)
_LOG = Safe(
    "log_of_zero",
    "the logarithm of 0 is -inf, and of a negative number NaN",
    "Write tf.math.log(x + 1e-12) or tf.math.log(tf.maximum(x, 1e-12)); of a softmax "
    "tf.nn.log_softmax(logits), of 1 + x tf.math.log1p(x).",
)
_DIVISION = Safe(
    "division_by_zero", "something is divided by 0", "Write tf.math.divide_no_nan(x, y), or x / (y + 1e-12)."
)
_POWER = Safe(
    "power_of_zero",
    "a power of 0 with an exponent below 1 has an infinite slope, one of a negative number is NaN",
    "Write tf.pow(tf.maximum(x, 1e-12), p), or x * x where the exponent is a whole number.",
)
_ARC = Safe(
    "arc_at_its_ends",
    "the slope of acos and asin is infinite at -1 and 1, and beyond them they are NaN",
    "Write tf.acos(tf.clip_by_value(x, -1 + 1e-7, 1 - 1e-7)), or tf.atan2(y, x) for an angle.",
)
_AREA = Safe(
    "arc_at_its_ends",
    "atanh is infinite at -1 and 1, and the slope of acosh is infinite at 1; beyond them they are NaN",
    "Write tf.atanh(tf.clip_by_value(x, -1 + 1e-7, 1 - 1e-7)), or tf.acosh(tf.maximum(x, 1 + 1e-7)).",
)
_INVERSE_ROOT = Safe(
    "sqrt_at_zero",
    "1 / sqrt(x) is infinite at 0",
    "Write tf.math.rsqrt(x + 1e-12), or tf.math.rsqrt(tf.maximum(x, 1e-12)).",
)
_EXP = Safe(
    "exp_overflows",
    "the exponential of so large a number is infinite",
    "Subtract the largest value first: tf.nn.softmax, tf.reduce_logsumexp, tf.nn.softplus and tf.sigmoid do.",
)
_SOFTMAX = Safe(
    "softmax_by_hand",
    "an overflowing exponential is divided by a sum of such",
    "Write tf.nn.softmax(x), and tf.nn.softmax_cross_entropy_with_logits for its loss: they subtract "
    "the largest value first.",
)
_WHERE = Safe(
    "where_over_bad_branch",
    "a branch of tf.where that is not taken is not finite",
    "Make the argument of that branch safe with a tf.where of its own: tf.where(ok, f(tf.where(ok, x, 1.0)), other).",
)
INPUT = Safe(
    "input_not_finite",
    "a number that came from outside is not finite already",
    "Look at the data: tf.debugging.check_numerics(x, 'x') where it comes in.",
)
_OTHER = Safe(
    "not_finite",
    "the result is not finite although the inputs are",
    "Look at the inputs, and keep them in the range where the operation is finite.",
)

SAFE = {
    "Sqrt": _ROOT, "Rsqrt": _INVERSE_ROOT, "EuclideanNorm": _ROOT, "Norm": _ROOT, "Log": _LOG, "Log1p": _LOG,
    "Xlogy": _LOG, "RealDiv": _DIVISION, "Div": _DIVISION, "Reciprocal": _DIVISION, "Inv": _DIVISION, "Pow": _POWER,
    "Acos": _ARC, "Asin": _ARC, "Atanh": _AREA, "Acosh": _AREA, "Exp": _EXP, "Expm1": _EXP, "Sinh": _EXP, "Cosh": _EXP,
    "SelectV2": _WHERE,
}  # fmt: skip


def safe_form(op: str, inputs: Sequence[Any]) -> Safe:
    """The words for an operation that gave what is not finite."""
    if op in ("RealDiv", "Div") and len(inputs) == 2 and not _finite(inputs[0]) and not _finite(inputs[1]):
        return _SOFTMAX
    return SAFE.get(op, _OTHER)


def explain_nonfinite(tape: Any, target: Any, sources: Any) -> Any:
    """See `GradientTape.explain_nonfinite`."""
    recording: Recording | None = tape._recording or tape._kept
    if recording is None:
        raise RuntimeError(
            "This tape has been used and keeps no numbers. Ask before `gradient`, or write "
            "tf.GradientTape(persistent=True)."
        )
    targets = flatten(target, expand_composites=True)
    flat = flatten(sources)
    interpreter = None
    with under(interpreter, ()), np.errstate(all="ignore"):
        opened = _opened(recording)
        found = _forward(opened, flat, targets) or _backward(opened, targets, flat)
    if found is None:
        return None
    direction, node, safe, inputs = found
    role = "result" if node is not None and inputs and inputs[0] is node.y else "inputs"
    location = tape._spans[-1][0] if tape._spans else None
    if node is not None:
        location = line_of(node) or location
        risky = [op for part in parts_of(node) for op in part.operations if op.op.name in SAFE]
        if len({op.op.name for op in risky}) == 1:  # in a loop or a branch
            node, safe, location = risky[0], SAFE[risky[0].op.name], risky[0].location or location
    return described(
        direction,
        node.op.name if node is not None else "",
        safe,
        inputs,
        location,
        names.called(target, "the target"),
        role,
    )


def described(
    direction: str,
    op: str,
    safe: Safe,
    inputs: Sequence[Any],
    location: Any,
    source: str,
    role: str = "inputs",
) -> Explanation:
    """The explanation in words. role: what ``inputs`` are to the operation."""
    file, line, text = (None, None, "") if location is None else frame_at(location)
    where = _CONTAINERS.get(op) or function_of(op)
    what = f"{'Forwards' if direction == 'forward' else 'Backwards'}, in {where}: " if op else ""
    given = f" ({role}: {'; '.join(map(summary, inputs))})" if inputs else ""
    return Explanation(safe.cause, file, line, text, f"{what}{safe.message}{given}.", safe.fix, source)


def summary(x: Any) -> str:
    """A value in a few words."""
    if isinstance(x, (Ghost, Elements, type(None))):
        return "?"
    x = np.asarray(x._data if isinstance(x, (EagerTensor, Variable)) else x)
    if x.size == 1:
        return str(x.reshape(())[()])
    if x.dtype.kind not in "fciu":
        return f"shape {x.shape}"
    bad, zero = int((~np.isfinite(x)).sum()), int((x == 0).sum())
    extra = f", {bad} not finite" if bad else f", {zero} of them 0" if zero else ""
    finite = x[np.isfinite(x)]
    span = f" from {finite.min()} to {finite.max()}" if finite.size and x.dtype.kind != "c" else ""
    return f"shape {x.shape}{span}{extra}"


_CONTAINERS = {"While": "this loop", "If": "this conditional", "PartitionedCall": "this call of a function"}


def _opened(recording: Recording) -> Recording:
    """The recording with the operations of the functions that it calls, where their arguments are known."""
    values: dict[Any, Any] = {v._ghost: v._data for v in recording.variables.values()}
    opened = copy(recording)
    opened.nodes = []
    for node in map(Node._make, recording.nodes):
        inputs = [_known(values, key, x) for key, x in zip(node.keys, node.xs, strict=True)]
        nodes = [node]
        if isinstance(node.op, Call) and not any(x is None for x in inputs):
            try:
                nodes = expanded([node._replace(xs=tuple(map(as_tensor, inputs)))])
            except CannotReplay:
                pass
        elif not node.op.multi and not node.op.stateful and not any(x is None for x in inputs):
            values[node.out] = (
                _data(node.y) if isinstance(node.y, EagerTensor) else node.op.run(inputs, node.params)
            )
        opened.nodes += nodes
    opened.followed = {*recording.followed, *(out for node in opened.nodes for out in _outs(node))}
    return opened


def _outs(node: Node) -> Sequence[Any]:
    return node.out if node.op.multi else (node.out,)


# --- Forwards ------------------------------------------------------------------------------------------------------


def _forward(recording: Recording, sources: Sequence[Any], targets: Sequence[Any]) -> Any:
    """The first operation whose result is not finite, though its inputs are."""
    values: dict[Ghost, Any] = {ghost_of(x): _data(x) for x in (*sources, *targets)}
    for variable in recording.variables.values():
        values[variable._ghost] = variable._data
    bad = [x for x in sources if not _finite(_data(x))]
    if bad:
        return "forward", None, INPUT, [_data(bad[0])]
    for node in map(Node._make, recording.nodes):
        inputs = [_known(values, key, x) for key, x in zip(node.keys, node.xs, strict=True)]
        if node.op.multi:
            outs = [
                (out, _data(y)) for out, y in zip(node.out, node.y, strict=True) if isinstance(y, EagerTensor)
            ]
            values.update(outs)
            if not all(_finite(y) for _, y in outs) and all(x is None or _finite(x) for x in inputs):
                return "forward", node, safe_form(node.op.name, inputs), inputs
            continue
        out = _data(node.y) if isinstance(node.y, EagerTensor) else values.get(node.out)
        if out is None and not any(x is None for x in inputs) and not node.op.stateful:
            out = node.op.run(inputs, node.params)
        if out is None:
            continue
        values[node.out] = out
        if not _finite(out):
            good = all(x is None or _finite(x) for x in inputs)
            return "forward", node, safe_form(node.op.name, inputs) if good else INPUT, inputs
        elif node.op.name == "SelectV2" and not all(x is None or _finite(x) for x in inputs):
            continue
    return None


def _known(values: dict[Ghost, Any], key: Any, x: Any) -> Any:
    if isinstance(x, EagerTensor):
        return x._data
    if key is not None and key in values:
        return values[key]
    return None if isinstance(x, Ghost) else x


def _data(x: Any) -> Any:
    return getattr(x, "_data", x)


def _finite(x: Any) -> bool:
    if isinstance(x, Elements):
        return all(map(_finite, x))
    x = np.asarray(x._data if isinstance(x, (EagerTensor, Variable)) else x)
    return x.dtype.kind not in "fc" and x.dtype.char != "E" or bool(np.isfinite(x).all())


# --- Backwards -------------------------------------------------------------------------------------------------------


def _backward(recording: Recording, targets: Sequence[Any], sources: Sequence[Any]) -> Any:
    """The first operation whose rule makes a cotangent that is not finite of one that is."""
    live = recording.leading_from([ghost_of(x) for x in sources])
    cotangents: dict[Any, Any] = {}
    for target in targets:
        cotangents[ghost_of(target)] = ones_like.of(ghost_of(target))
    with under(Absorbing(None), ()):
        for node in map(Node._make, reversed(recording.nodes)):
            outs = node.out if node.op.multi else (node.out,)
            gs = [cotangents.pop(out, None) for out in outs]
            if all(g is None for g in gs):
                continue
            g = tuple(
                zeros_like(o[1] if isinstance(o, tuple) else o) if c is None and not node.op.takes_none else c
                for o, c in zip(outs, gs, strict=True)
            )
            xs = [EagerTensor(x) if isinstance(x, (np.ndarray, np.generic)) else x for x in node.xs]
            found = vjp(
                node.op,
                [key in live for key in node.keys],
                g if node.op.multi else g[0],
                node.y,
                xs,
                node.params,
            )
            for key, ct in zip(node.keys, found, strict=False):
                if ct is None or key not in live:
                    continue
                ct = dense(ct)
                if isinstance(ct, Tensor) and type(ct) is EagerTensor and not _finite(ct):
                    inputs = [x for x in node.xs if not isinstance(x, Ghost)]
                    return "backward", node, safe_form(node.op.name, inputs), inputs or [node.y]
                like = key[1] if isinstance(key, tuple) else key  # of a call
                ct = sum_to(ct, like) if hasattr(ct, "shape") and tuple(ct.shape) != tuple(like.shape) else ct
                cotangents[key] = add(cotangents[key], ct) if key in cotangents else ct
    return None
