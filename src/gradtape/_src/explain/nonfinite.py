"""Where a number first became NaN or infinite, forwards or backwards, and the safe form of the operation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from gradtape._src.autodiff.recording import Node, Recording
from gradtape._src.autodiff.sweep import Absorbing, add, vjp
from gradtape._src.core import notes
from gradtape._src.core.context import under
from gradtape._src.core.errors import frame_at
from gradtape._src.core.nest import flatten
from gradtape._src.core.values import EagerTensor, Ghost, Tensor, ghost_of
from gradtape._src.explain import names
from gradtape._src.explain.diagnosis import function_of
from gradtape._src.explain.explanation import Explanation
from gradtape._src.ops.arrays import ones_like, sum_to, zeros_like
from gradtape._src.ops.indexed_slices import dense
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
_INPUT = Safe(
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
    "Sqrt": _ROOT, "Rsqrt": _ROOT, "EuclideanNorm": _ROOT, "Norm": _ROOT, "Log": _LOG, "Log1p": _LOG, "Xlogy": _LOG,
    "RealDiv": _DIVISION, "Div": _DIVISION, "Reciprocal": _DIVISION, "Inv": _DIVISION, "Pow": _POWER, "Acos": _ARC,
    "Asin": _ARC, "Atanh": _ARC, "Acosh": _ARC, "Exp": _EXP, "Expm1": _EXP, "Sinh": _EXP, "Cosh": _EXP,
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
        found = _forward(recording, flat, targets) or _backward(recording, targets, flat)
    if found is None:
        return None
    direction, node, safe, inputs = found
    location = tape._spans[-1][0] if tape._spans else None
    if node is not None and notes.journal is not None:
        out = node.out[0] if node.op.multi else node.out
        number = notes.journal.known(out)
        event = notes.journal.events.get(number) if number is not None else None
        location = event.location if event is not None else location
    return described(
        direction,
        node.op.name if node is not None else "",
        safe,
        inputs,
        location,
        names.called(target, "the target"),
    )


def described(
    direction: str, op: str, safe: Safe, inputs: Sequence[Any], location: Any, source: str
) -> Explanation:
    """The explanation in words."""
    file, line, text = (None, None, "") if location is None else frame_at(location)
    what = f"{'Forwards' if direction == 'forward' else 'Backwards'}, in {function_of(op)}: " if op else ""
    given = f" (inputs: {', '.join(map(summary, inputs))})" if inputs else ""
    return Explanation(safe.cause, file, line, text, f"{what}{safe.message}{given}.", safe.fix, source)


def summary(x: Any) -> str:
    """A value in a few words."""
    if isinstance(x, (Ghost, type(None))):
        return "?"
    x = np.asarray(x._data if isinstance(x, (EagerTensor, Variable)) else x)
    if x.size == 1:
        return str(x.reshape(())[()])
    if x.dtype.kind not in "fciu":
        return f"shape {x.shape}"
    bad, zero = int((~np.isfinite(x)).sum()), int((x == 0).sum())
    extra = f", {bad} not finite" if bad else f", {zero} zeros" if zero else ""
    finite = x[np.isfinite(x)]
    span = f" from {finite.min()} to {finite.max()}" if finite.size and x.dtype.kind != "c" else ""
    return f"shape {x.shape}{span}{extra}"


# --- Forwards ------------------------------------------------------------------------------------------------------


def _forward(recording: Recording, sources: Sequence[Any], targets: Sequence[Any]) -> Any:
    """The first operation whose result is not finite, though its inputs are."""
    values: dict[Ghost, Any] = {ghost_of(x): _data(x) for x in (*sources, *targets)}
    for variable in recording.variables.values():
        values[variable._ghost] = variable._data
    bad = [x for x in sources if not _finite(_data(x))]
    if bad:
        return "forward", None, _INPUT, [_data(bad[0])]
    for node in map(Node._make, recording.nodes):
        if node.op.multi:
            continue
        inputs = [_known(values, key, x) for key, x in zip(node.keys, node.xs, strict=True)]
        out = _data(node.y) if isinstance(node.y, EagerTensor) else values.get(node.out)
        if out is None and not any(x is None for x in inputs) and not node.op.stateful:
            out = node.op.run(inputs, node.params)
        if out is None:
            continue
        values[node.out] = out
        if not _finite(out):
            if all(x is None or _finite(x) for x in inputs):
                return "forward", node, safe_form(node.op.name, inputs), inputs
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
    x = np.asarray(x._data if isinstance(x, (EagerTensor, Variable)) else x)
    return x.dtype.kind not in "fc" and x.dtype.char != "E" or bool(np.isfinite(x).all())


# --- Backwards -------------------------------------------------------------------------------------------------------


def _backward(recording: Recording, targets: Sequence[Any], sources: Sequence[Any]) -> Any:
    """The first operation whose rule makes a cotangent that is not finite of one that is."""
    live = recording.leading_from([ghost_of(x) for x in sources])
    cotangents: dict[Ghost, Any] = {}
    for target in targets:
        cotangents[ghost_of(target)] = ones_like.of(ghost_of(target))
    with under(Absorbing(None), ()):
        for node in map(Node._make, reversed(recording.nodes)):
            outs = node.out if node.op.multi else (node.out,)
            gs = [cotangents.pop(out, None) for out in outs]
            if all(g is None for g in gs):
                continue
            g = tuple(
                zeros_like(o) if c is None and not node.op.takes_none else c
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
                ct = sum_to(ct, key) if hasattr(ct, "shape") and tuple(ct.shape) != tuple(key.shape) else ct
                cotangents[key] = add(cotangents[key], ct) if key in cotangents else ct
    return None
