"""What a tape can be asked about its answers, and what it remembers for that: see explain/."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from weakref import ref

from gradtape._src.autodiff.recording import Recording
from gradtape._src.autodiff.unconnected import UnconnectedGradients
from gradtape._src.core import notes
from gradtape._src.core.context import current
from gradtape._src.core.values import Ghost, ghost_of
from gradtape._src.ops.indexed_slices import IndexedSlices


class Explained:
    """The questions to a tape, and its memory.

    Attributes:
      _spans: where it recorded from and to: triples of a line and two clocks, the second None while it records.
      _forgot: the clocks when it was reset.
      _watches: where what was watched.
      _asked: the last targets and sources, and of which of these there was a gradient (None: of all).
      _left: of a tape that has been used, what led to what, if a gradient was None.
      _kept: of a tape that has been used, all of it, if a gradient was NaN, or if tapes keep all numbers.
    """

    _persistent: bool
    _asked: tuple[list[Ghost], list[Ghost], list[bool] | None] | None = None
    _left: Recording | None = None
    _kept: Recording | None = None
    _forgot: tuple[int | None, int | None] | None = None

    def __init__(self) -> None:
        self._spans: list[list[Any]] = []
        self._watches: dict[Ghost, Any] = {}

    def explain(self, target: Any, sources: Any) -> Any:
        """Why the gradient of ``target`` by each source is None, if it is.

        Says one cause for each source, out of the list in docs/reasons.md, and the line of your program where the path
        ends. With `tf.debugging.enable_explanations()` before the tape it knows every line; without, only those where a
        path can end (conversions, assignments, casts, ...). May be asked before or after ``gradient``, and changes
        nothing.

        Args:
          target: as for ``gradient``.
          sources: as for ``gradient``.

        Returns:
          For each source, in their structure, an `tf.debugging.Explanation` with ``cause``, ``file``, ``line``,
          ``text`` (of that line), ``message`` and ``fix``. The cause of a gradient that exists is ``"connected"``.

        Example:
        >>> import gradtape as tf
        >>> x = tf.Variable(3.0)
        >>> with tf.GradientTape() as tape:
        ...     y = tf.stop_gradient(x * x)
        >>> tape.gradient(y, x) is None
        True
        >>> tape.explain(y, x).cause
        'stop_gradient'
        """
        return notes.reasons().explain_tape(self, target, sources)

    def check(self, target: Any, sources: Any) -> Any:
        """Whether the gradients of ``target`` by the sources are right: compares them with differences.

            <g, v> = (F(x + h v) - F(x - h v)) / 2h        for random directions v

        F is the recorded program, executed again in float64. Where they differ the operations are compared one by one,
        so that a wrong `tf.custom_gradient` is named. ``gradtape run --check`` does it for every gradient of a script.

        Args:
          target, sources: as for ``gradient``. To be asked before ``gradient``, unless the tape is persistent.

        Returns:
          For each source, in their structure, a `tf.debugging.GradientCheck` with ``ok``, ``given``, ``measured``,
          ``file``, ``line``, ``text`` and ``message``.

        Raises:
          RuntimeError: the tape has been used, or was made before `tf.debugging.enable_gradient_checks`.

        Example:
        >>> import gradtape as tf
        >>> tf.debugging.enable_gradient_checks()
        >>> @tf.custom_gradient
        ... def square(x):
        ...     return x * x, lambda dy: dy * x  # should be 2 x
        >>> x = tf.Variable(3.0)
        >>> with tf.GradientTape() as tape:
        ...     y = square(x)
        >>> print(tape.check(y, x).ok)
        False
        >>> tf.debugging.disable_gradient_checks()
        """
        return notes.check().check_tape(self, target, sources)

    def explain_nonfinite(self, target: Any, sources: Any) -> Any:
        """Where ``target`` or its gradient by the sources first became NaN or infinite.

        Args:
          target, sources: as for ``gradient``.

        Returns:
          None if all is finite; else an `tf.debugging.Explanation` of the first operation, forwards or else backwards,
          that made of finite numbers what is not: its inputs, the line (with `tf.debugging.enable_explanations`), and
          the safe form. The causes are in docs/reasons.md.

        Raises:
          RuntimeError: the tape is not persistent and has been used, and no NaN came out.

        Example:
        >>> import gradtape as tf
        >>> x = tf.Variable([0.0, 4.0])
        >>> with tf.GradientTape(persistent=True) as tape:
        ...     y = tf.sqrt(x)
        >>> tape.explain_nonfinite(y, x).cause
        'sqrt_at_zero'
        """
        return notes.nonfinite().explain_nonfinite(self, target, sources)

    def picture(self, target: Any = None, sources: Any = None, output_gradients: Any = None) -> Any:
        """A drawing of what the tape has recorded: where gradients flow, and where and why they stop.

        Operations are grouped by lines of your program and by name scopes; shapes and dtypes stand at the arrows.
        Values are coloured by their norms, and, if there is a ``target``, the gradients that come back by theirs. A
        large tape is folded by lines, then by functions. A notebook shows it; ``save("tape.html")`` and
        ``save("tape.svg")`` write files. Changes nothing, and may be asked while the tape records.

        Lines, all values and the surest reasons need `tf.debugging.enable_pictures()` before the tape is made.

        Args:
          target: of what gradients are shown; None for the recording alone.
          sources: by what; None for all variables and tensors that the tape watches.
          output_gradients: weights of the targets, as for ``gradient``.

        Returns:
          A `tf.debugging.Picture`, with ``svg()``, ``html()`` and ``save(path)``, which need the extra
          ``gradtape[viz]``.

        Raises:
          RuntimeError: the tape has been used, is not persistent, and was made before `tf.debugging.enable_pictures`.
          TypeError: a target or source is not a tensor.

        Example:
        >>> import gradtape as tf
        >>> x = tf.Variable([1.0, 2.0])
        >>> with tf.GradientTape() as tape:
        ...     y = tf.reduce_sum(tf.round(x) * x)
        >>> "no derivative" in tape.picture(y, x).svg()
        True
        """
        return notes.pictures().picture_of_tape(self, target, sources, output_gradients)

    def _answered(self, targets: list[Ghost], sources: list[Ghost], found: Sequence[Any]) -> bool:
        """Remembers which gradients there are; whether there are all."""
        for g in found:
            if g is None:
                self._asked = (targets, sources, [g is not None for g in found])
                return False
        self._asked = (targets, sources, None)
        return True

    def _told(self, targets: Sequence[Any], sources: Sequence[Any], found: Sequence[Any]) -> None:
        """Tells who wants to know where these gradients come from."""
        interpreter, recorders = current()
        if interpreter is None and not recorders:
            return
        targets, sources, made = [
            [x.values if isinstance(x, IndexedSlices) else x for x in part if x is not None]
            for part in (targets, sources, found)
        ]
        notes.note("gradient", "tape.gradient", [*targets, *sources], made)
        derivatives = getattr(interpreter, "derivatives", None)
        if derivatives is not None:
            derivatives.append(tuple([tuple(map(ghost_of, part)) for part in (targets, sources, made)]))

    def _lacks(
        self,
        recording: Recording,
        target: Any,
        sources: Sequence[Any],
        found: Sequence[Any],
        unconnected: Any,
    ) -> None:
        """Some gradients are None: keeps what explains them, and tells who wants to know."""
        if not self._persistent:
            self._left = recording.stripped()
        if unconnected is UnconnectedGradients.ZERO:
            return
        lacking = [x for x, g in zip(sources, found, strict=True) if g is None]
        # A recording with its data would stay alive with the question, so that of a persistent tape is held weakly.
        tape: Any = ref(self) if self._persistent else lambda: self
        notes.lacking = lambda: [] if tape() is None else tape().explain(target, lacking)
        strict = unconnected is UnconnectedGradients.RAISE
        if strict or notes.on_none is not None:
            notes.reasons().lacking(notes.lacking, strict)
