"""Every result is checked: `tf.debugging.enable_check_numerics`, ``gradtape run --check-numerics``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradtape._src.core import notes
from gradtape._src.core.context import Listener, current, remove_recorder, set_outermost
from gradtape._src.core.errors import InvalidArgumentError, user_location
from gradtape._src.core.op import Op
from gradtape._src.core.values import EagerTensor
from gradtape._src.explain.explanation import Explanation
from gradtape._src.explain.nonfinite import described, explain_nonfinite, safe_form
from gradtape._src.ops.indexed_slices import dense

_PASSED = frozenset("CheckNumerics CheckNumericsV2 IsFinite IsInf IsNan ReadVariableOp Const".split())


class Numerics(Listener):
    """A recorder that looks at every result.

    Args:
      tell: what to do: is given the explanation and the results.
    """

    def __init__(self, tell: Callable[..., None]) -> None:
        self.tell = tell

    def record(self, op: Op, args: tuple[Any, ...], params: dict[str, Any], out: Any) -> None:
        self.look(op.name, args, out if op.multi else (out,), None)

    def look(self, name: str, args: Sequence[Any], outs: Sequence[Any], location: Any) -> None:
        """Tells of a result that is not finite, if the inputs are."""
        if name in _PASSED or all(map(_finite, outs)) or not all(map(_finite, args)):
            return
        self.tell(
            described("forward", name, safe_form(name, args), args, location or user_location(), ""), outs
        )

    def gradient(self, tape: Any, target: Any, sources: Any, found: Sequence[Any]) -> None:
        """Tells of a gradient that is not finite, if the target is."""
        if all(g is None or _finite(dense(g)) for g in found):
            return
        why = explain_nonfinite(tape, target, sources)
        if why is not None and why.message.startswith("Backwards"):
            self.tell(why, [dense(g) for g in found if g is not None])

    def kernel(self, node: Any, kernel: Callable[..., Any]) -> Callable[..., Any]:
        """The kernel of a graph's operation, looking at what it gives."""

        def looked_at(*args: Any, **params: Any) -> Any:
            out = kernel(*args, **params)
            self.look(node.op.name, args, out if isinstance(out, tuple) else (out,), node.location)
            return out

        return looked_at


def _finite(x: Any) -> bool:
    x = x._data if type(x) is EagerTensor else x
    if not isinstance(x, (np.ndarray, np.generic)) or x.dtype.kind not in "fc":
        return True
    return bool(np.isfinite(x).all())


def enable(tell: Callable[..., None]) -> None:
    """From now on, in this thread; plans that are made already are not looked at."""
    disable()
    notes.numerics = Numerics(tell)
    set_outermost(notes.numerics)


def disable() -> None:
    """No more."""
    if notes.numerics is not None:
        if notes.numerics in current().recorders:
            remove_recorder(notes.numerics)
        notes.numerics = None


def refuse(why: Explanation, outs: Sequence[Any]) -> None:
    """Raises TensorFlow's error, with the safe form."""
    arrays = [np.asarray(x._data if type(x) is EagerTensor else x) for x in outs]
    n = sum(int((~np.isfinite(x)).sum()) for x in arrays if x.dtype.kind in "fc")
    place = "" if why.file is None else f'\nFile "{why.file}", line {why.line}\n    {why.text}'
    raise InvalidArgumentError.of(
        f"!!! Detected Infinity or NaN in {n} element{'s' * (n > 1)} !!!{place}\n{why.message}\nInstead: {why.fix}"
    )


_reported: set[Any] = set()


def report(why: Explanation, outs: Sequence[Any]) -> None:
    """Writes ``FILE:LINE: not finite: CAUSE: message``, and a hint below it, once for each line."""
    if (why.file, why.line) in _reported:
        return
    _reported.add((why.file, why.line))
    print(
        f"{why.file or '?'}:{why.line or 0}: not finite: {why.cause}: {why.message}\n    hint: {why.fix}",
        file=sys.stderr,
    )
