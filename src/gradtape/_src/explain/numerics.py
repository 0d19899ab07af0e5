"""Every result is checked: `tf.debugging.enable_check_numerics`, ``gradtape run --check-numerics``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakSet

import numpy as np

from gradtape._src.core import notes
from gradtape._src.core.context import Listener, current_recorders, remove_recorder, set_outermost
from gradtape._src.core.errors import InvalidArgumentError, user_location
from gradtape._src.core.op import Op
from gradtape._src.core.values import EagerTensor, ghost_of
from gradtape._src.explain.explanation import Explanation
from gradtape._src.explain.nonfinite import INPUT, described, explain_nonfinite, safe_form
from gradtape._src.ops.indexed_slices import dense

# What looks itself, gives what there is, or has operations inside that are looked at.
_PASSED = frozenset(
    "CheckNumerics CheckNumericsV2 IsFinite IsInf IsNan ReadVariableOp Const While If PartitionedCall "
    "StatefulPartitionedCall".split()
)


class Numerics(Listener):
    """A recorder that looks at every result.

    Args:
      tell: what to do: is given the explanation and the results.
    """

    def __init__(self, tell: Callable[..., None]) -> None:
        self.tell = tell
        self._inside = False  # whether something in a graph was told of since the last gradient
        self._known: WeakSet[Any] = WeakSet()  # ghosts of what is known to be bad

    def record(self, op: Op, args: tuple[Any, ...], params: dict[str, Any], out: Any) -> None:
        outs = out if op.multi else (out,)
        self.look(op.name, args, outs, None)
        if op.name not in _PASSED:
            came = [x for x in args if _has_nan(x) and getattr(x, "_ghost", None) not in self._known]
            if came and any(map(_has_nan, outs)):
                self.tell(described("forward", op.name, INPUT, args, user_location(), ""), outs)
        self._known.update(ghost_of(x) for x in (*args, *outs) if type(x) is EagerTensor and not _finite(x))

    def look(self, name: str, args: Sequence[Any], outs: Sequence[Any], node: Any) -> None:
        """Tells of a result that is not finite, if the inputs are. node: of a graph."""
        if name in _PASSED or all(map(_finite, outs)) or not all(map(_finite, args)):
            return
        served = None if node is None else node.serves
        self._inside |= node is not None
        where = user_location() if node is None else (served or node).location
        if served is None:
            self.tell(described("forward", name, safe_form(name, args), args, where, ""), outs)
        else:
            self.tell(described("backward", served.type, safe_form(served.type, ()), (), where, ""), outs)

    def gradient(self, tape: Any, target: Any, sources: Any, found: Sequence[Any]) -> None:
        """Tells of a gradient that is not finite, if the target is."""
        inside, self._inside = self._inside, False
        if inside or all(g is None or _finite(dense(g)) for g in found):
            return
        why = explain_nonfinite(tape, target, sources)
        if why is not None and why.message.startswith("Backwards"):
            self.tell(why, [dense(g) for g in found if g is not None])

    def kernel(self, node: Any, kernel: Callable[..., Any]) -> Callable[..., Any]:
        """The kernel of a graph's operation, looking at what it gives."""

        def looked_at(*args: Any, **params: Any) -> Any:
            out = kernel(*args, **params)
            self.look(node.type, args, out if isinstance(out, tuple) else (out,), node)
            return out

        return looked_at


def _has_nan(x: Any) -> bool:
    x = x._data if type(x) is EagerTensor else x
    return isinstance(x, (np.ndarray, np.generic)) and x.dtype.kind in "fc" and bool(np.isnan(x).any())


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
        if notes.numerics in current_recorders():
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
