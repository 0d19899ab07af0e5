"""``tf.GradientTape``: records operations while it is entered, and sweeps them for gradients."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from operator import is_
from typing import Any
from weakref import ref

from gradtape._src.autodiff.explained import Explained
from gradtape._src.autodiff.jacobian import (
    as_target,
    batch_axis_of,
    check_mode,
    jacobians_of,
    sparse_jacobians_of,
)
from gradtape._src.autodiff.recording import CompleteRecording, Recording
from gradtape._src.autodiff.sweep import add, sweep
from gradtape._src.autodiff.unconnected import UnconnectedGradients
from gradtape._src.autodiff.weights import weight_of
from gradtape._src.core import notes
from gradtape._src.core.context import add_recorder, current, remove_recorder
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy, is_differentiable_np
from gradtape._src.core.errors import user_location
from gradtape._src.core.log import warn
from gradtape._src.core.nest import flatten, pack_sequence_as
from gradtape._src.core.shapes import compatible
from gradtape._src.core.values import EagerTensor, Ghost, Tensor, ghost_of, shape_of
from gradtape._src.graph.ir import current_graph
from gradtape._src.ops.arrays import ones_array, ones_like, zeros_like
from gradtape._src.ops.casting import cast
from gradtape._src.ops.indexed_slices import IndexedSlices
from gradtape._src.ops.variables import Variable

_USED_UP = "A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians)"
_INSIDE = (
    "Calling GradientTape.gradient on a persistent tape inside its context is significantly less efficient than "
    "calling it outside the context (it causes the gradient ops to be recorded on the tape, leading to increased CPU "
    "and memory usage). Only call GradientTape.gradient inside the context if you actually want to trace the gradient "
    "in order to compute higher order derivatives."
)


class GradientTape(Explained):
    """Records operations for reverse-mode differentiation.

    Operations are recorded while the tape is entered (``with``), if an input is *watched*: a trainable variable,
    watched when it is first read, a tensor given to ``watch``, or anything computed from these. Tapes can be nested:
    an outer tape also records the gradient computation of an inner one, which gives derivatives of higher order.

    Args:
      persistent: ``gradient`` may be called more than once. Otherwise the recording is dropped after the first call.
      watch_accessed_variables: watch trainable variables when they are read.

    Raises:
      ValueError: entered while it is already recording.
      RuntimeError: a second ``gradient`` of a tape that is not persistent.

    Example:
    >>> import gradtape as tf
    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = x * x
    >>> print(tape.gradient(y, x))
    tf.Tensor(6.0, shape=(), dtype=float32)

    As TensorFlow 2.21; the sweep is reverse accumulation (Griewank & Walther, Evaluating Derivatives, 2008, ch. 3).
    """

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        super().__init__()
        self._persistent = persistent
        self._watch_accessed_variables = watch_accessed_variables
        self._recording: Recording | None = self._new_recording()
        self._active = False
        self._entered: Recording | None = None  # what this tape put among the recorders
        self._variables: dict[Ghost, Variable] = {}  # that are watched, in order of their first reads

    def __enter__(self) -> GradientTape:
        self._start()
        return self

    def __exit__(self, *exc: Any) -> None:
        if (
            self._entered is not None
        ):  # even if stopped: where and when it was stopped, another state may have hidden it
            remove_recorder(self._entered)
        self._active = False
        if self._spans[-1][2] is None:
            self._spans[-1][2] = notes.clock()

    def _start(self) -> None:
        if self._active:
            raise ValueError(
                "Tape is still recording, This can happen if you try to re-enter an already-active tape."
            )
        if self._recording is None:
            self._recording = self._new_recording()
        add_recorder(self._recording)
        self._entered = self._recording
        self._active = True
        self._spans.append([user_location(), notes.clock(), None])

    def _new_recording(self) -> Recording:
        kind = CompleteRecording if notes.keeps_all else Recording
        return kind(self._watch_accessed_variables, self._persistent)

    def _stop(self) -> Recording:
        if not self._active or self._recording is None:
            raise ValueError("Tape is not recording.")
        remove_recorder(self._recording)
        self._active = False
        self._spans[-1][2] = notes.clock()
        return self._recording

    def watch(self, tensor: Any) -> None:
        """Follows a tensor, a variable, or a nest of them, from here on.

        Raises:
          ValueError: for anything else, a NumPy array or a Python number among others.
        """
        recording = self._recording
        if recording is None:
            recording = self._recording = self._new_recording()
        where = None
        for x in flatten(tensor, expand_composites=True):
            if isinstance(x, Variable):
                recording.watch_variable(x)
            elif not isinstance(x, Tensor):
                raise ValueError(
                    f"Passed in object {x} of type {type(x).__name__!r}, not tf.Tensor or tf.Variable or "
                    f"ExtensionType. Make a tensor of it with tf.constant, and compute with that tensor."
                )
            elif _moves(ghost := ghost_of(x), "watched tensor"):
                recording.follow(ghost)
                where = where or (user_location(), notes.clock())
                self._watches.setdefault(ghost, where)

    @contextmanager
    def stop_recording(self) -> Iterator[None]:
        """Hides the operations of a ``with`` block from the tape, to save memory or to leave them undifferentiated.

        Raises:
          RuntimeError: the tape is not recording.
        """
        if not self._active:
            raise RuntimeError("Trying to stop recording a tape which is not recording.")
        self._stop()
        try:
            yield
        finally:
            self._start()

    def reset(self) -> None:
        """Forgets everything recorded and watched so far, and goes on recording.

        Raises:
          ValueError: the tape is not recording.
        """
        self._stop()
        self._recording = None
        self._variables = {}
        self._watches.clear()
        self._forgot = notes.clock()
        self._start()

    def watched_variables(self) -> tuple[Variable, ...]:
        """The variables that are watched, in order of their creation."""
        if self._recording is not None:
            self._variables = self._recording.variables
        return tuple(sorted(self._variables.values(), key=lambda variable: variable._serial))

    def gradient(
        self,
        target: Any,
        sources: Any,
        output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> Any:
        """The derivative of the sum of all elements of ``target``: d(sum target)/d source for each source.

        Args:
          target: a tensor, or a nest of tensors whose sum is differentiated.
          sources: a tensor, variable or ragged tensor, or a nest of them; intermediate results of the recorded program
            too.
          output_gradients: weights, one for each tensor of ``target``, which broadcast to its shape; None for ones.
          unconnected_gradients: what to give for a source that ``target`` does not depend on.

        Returns:
          A gradient for each source, of its shape and dtype, in the structure of ``sources``. An ``IndexedSlices``
          where a source was only looked up by ``gather`` or ``embedding_lookup``. None where there is no path.

        Raises:
          RuntimeError: the tape is not persistent and has been used, or was never entered.
          TypeError: ``target`` is None, or a target or source is not a tensor.
          ValueError: a source is a sparse tensor; another number of ``output_gradients`` than of targets; an unknown
            ``unconnected_gradients``.
          InvalidArgumentError: one of ``output_gradients`` does not fit its target.
        """
        recording = self._take(_INSIDE)
        if target is None:
            raise TypeError(
                "Argument `target` should be a list or nested structure of Tensors, Variables or CompositeTensors to "
                "be differentiated, but received None."
            )
        unconnected = UnconnectedGradients.of(unconnected_gradients)
        targets = flatten(target, expand_composites=True)
        wholes = flatten(sources)
        ragged = any(hasattr(kind, "flat_values") for kind in set(map(type, wholes)))
        flat = [x.flat_values if hasattr(type(x), "flat_values") else x for x in wholes] if ragged else wholes
        ghosts = [_ghost(x, "source") for x in flat]
        weights = [None] * len(targets) if output_gradients is None else flatten(output_gradients)
        if len(weights) != len(targets):
            raise ValueError(
                f"output_gradients must have the structure of target, got {len(weights)} weights for {len(targets)} "
                f"target{'s' * (len(targets) > 1)}."
            )
        if notes.on_gradient is not None:
            notes.on_gradient(self, target, sources, output_gradients)
        found = self._swept(recording, targets, weights, ghosts)
        if notes.graph_checks is not None and (graph := current_graph()) is not None:
            notes.graph_checks.asked(graph, targets, weights, flat, found, (), recording)
        self._told(targets, flat, found)
        complete = self._answered([_ghost(x, "target") for x in targets], ghosts, found)
        if notes.numerics is not None:
            notes.numerics.gradient(self, target, sources, found)
        if not complete:
            self._lacks(recording, target, flat, found, unconnected)
        if unconnected is UnconnectedGradients.ZERO:
            found = [zeros_like.of(ghost) if g is None else g for ghost, g in zip(ghosts, found, strict=True)]
        self._used()
        if ragged:
            found = [
                g if whole is x or g is None else whole.with_flat_values(as_tensor(g))
                for whole, x, g in zip(wholes, flat, found, strict=True)
            ]
        flat_already = (
            type(sources) is list and len(sources) == len(wholes) and all(map(is_, sources, wholes))
        )
        return found if flat_already else pack_sequence_as(sources, found)

    def jacobian(
        self,
        target: Any,
        sources: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: Any = None,
        experimental_use_pfor: bool = True,
        *,
        mode: str = "auto",
        sparse: bool = False,
    ) -> Any:
        """The derivative of each element of ``target`` by each element of the sources.

            J[i..., j...] = d target[i...] / d source[j...]

        A row costs a sweep of the recorded program backwards, a column one forwards. The cheaper direction is taken,
        many rows or columns at once.

        Args:
          target: a tensor; an IndexedSlices stands for its dense tensor.
          sources: a tensor or variable, or a nest of them.
          unconnected_gradients: what to give for a source that ``target`` does not depend on.
          parallel_iterations, experimental_use_pfor: without effect.
          mode: "forward" (by columns), "reverse" (by rows), or "auto".
          sparse: whether to give a ``scipy.sparse.csr_array``, found without the dense matrix; in eager mode.

        Returns:
          For each source a tensor of shape ``target.shape + source.shape`` and of the source's dtype, in the structure
          of ``sources``; None where there is no path. If ``sparse``, a matrix with a row for each element of the target
          and a column for each element of the source, in the order of ``tf.reshape(x, [-1])``.

        Raises:
          RuntimeError: the tape is not persistent and has been used.
          TypeError: the target or a source is not a tensor.
          ValueError: the target or a source is a ragged or sparse tensor; an unknown ``mode`` or
            ``unconnected_gradients``; ``sparse`` while a graph is built.

        Example:
        >>> import gradtape as tf
        >>> x = tf.constant([1.0, 2.0])
        >>> with tf.GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = x * x[0]
        >>> print(tape.jacobian(y, x).numpy())
        [[2. 0.]
         [2. 1.]]

        A sparse one:
        >>> x = tf.constant([1.0, 2.0, 4.0, 7.0])
        >>> with tf.GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = x[1:] - x[:-1]
        >>> tape.jacobian(y, x, sparse=True).nnz
        6

        As TensorFlow 2.21, which always goes backwards, and whose Jacobians are dense.
        """
        recording = self._take(_INSIDE.replace("gradient on", "jacobian on"))
        unconnected = UnconnectedGradients.of(unconnected_gradients)
        check_mode(mode)
        target = as_target(recording, target)
        target_ghost = _one(target, "target")
        flat = flatten(sources)
        ghosts = [_ghost(x, "source") for x in flat]
        if notes.on_gradient is not None:
            notes.on_gradient(self, target, sources, None)
        moving = [i for i, ghost in enumerate(ghosts) if _moves(ghost, "source tensor")]
        found: list[Any] = [None] * len(flat)
        if moving and _moves(target_ghost, "target tensor"):
            zero = unconnected is UnconnectedGradients.ZERO
            of = sparse_jacobians_of if sparse else jacobians_of
            jacobians = of(recording, target, [flat[i] for i in moving], mode, zero=zero)
            for i, jacobian in zip(moving, jacobians, strict=True):
                found[i] = jacobian
        if any(jacobian is None for jacobian in found):
            self._lacks(recording, target, flat, found, unconnected)
        self._used()
        return pack_sequence_as(sources, found)

    def batch_jacobian(
        self,
        target: Any,
        source: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: Any = None,
        experimental_use_pfor: bool = True,
        *,
        batch_axis: int = 0,
        mode: str = "auto",
    ) -> Any:
        """The Jacobian of each example of a batch, where examples do not depend on each other.

            J[b, i..., j...] = d target[b, i...] / d source[b, j...]

        Args:
          target: a tensor of at least two dimensions, of which ``batch_axis`` numbers the examples.
          source: a tensor or variable, likewise.
          unconnected_gradients: without effect: as in TensorFlow, the answer is zeros.
          parallel_iterations, experimental_use_pfor: without effect.
          batch_axis: the axis of the examples. The result keeps its place in the target's shape.
          mode: "forward" (by columns), "reverse" (by rows), or "auto" for the cheaper.

        Returns:
          A tensor of the shape of the target, followed by that of the source without its batch axis. If examples do
          depend on each other, the derivatives by the other examples are added in; a warning says so.

        Raises:
          RuntimeError: the tape is not persistent and has been used.
          TypeError: the target or the source is not a tensor.
          ValueError: the shapes have no such axis, or differ there; an unknown ``mode``.

        Example:
        >>> import gradtape as tf
        >>> x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        >>> with tf.GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = x * x[:, :1]
        >>> print(tape.batch_jacobian(y, x).numpy())
        [[[2. 0.]
          [2. 1.]]
        <BLANKLINE>
         [[6. 0.]
          [4. 3.]]]

        As TensorFlow 2.21, whose batch axis is the first, and which does not warn.
        """
        recording = self._take(_INSIDE.replace("gradient on", "batch_jacobian on"))
        UnconnectedGradients.of(unconnected_gradients)
        check_mode(mode)
        target = as_target(recording, target)
        target_ghost, source_ghost = _one(target, "target"), _one(source, "source")
        axis = batch_axis_of(target_ghost.shape, source_ghost.shape, batch_axis)
        if notes.on_gradient is not None:
            notes.on_gradient(self, target, source, None)
        moving = _moves(source_ghost, "source tensor") and _moves(target_ghost, "target tensor")
        (found,) = jacobians_of(recording if moving else Recording(), target, [source], mode, axis, zero=True)
        found = found if moving else cast(found, dtype=target_ghost.dtype)
        self._used()
        return found

    def _used(self) -> None:
        """Drops the recording, unless the tape is persistent."""
        recording = self._recording
        if recording is not None and not self._persistent:
            self._variables = recording.variables
            if recording.spoiled or recording.complete:
                self._kept = recording
            self._recording = None

    def _take(self, warning: str) -> Recording:
        """The recording, ready to be swept. A tape that is not persistent stops recording first."""
        if self._recording is None:
            raise RuntimeError(
                _USED_UP + ". Write tf.GradientTape(persistent=True), or ask for all sources at once."
            )
        if not self._spans:
            raise RuntimeError(
                "The tape was never entered, and has recorded nothing. Compute the target under `with tape:`."
            )
        if self._active:
            if self._persistent:
                warn(warning, first=1)
            else:
                self._stop()
        return self._recording

    def _swept(
        self, recording: Recording, targets: Sequence[Any], weights: Sequence[Any], sources: Sequence[Ghost]
    ) -> list[Any]:
        seeds: dict[Ghost, Any] = {}
        for i, target in enumerate(targets):
            ghost, weight = _ghost(target, "target"), weights[i]
            if not is_differentiable_np(ghost.dtype):
                _moves(ghost, "target tensor")
                if ghost not in sources or ghost.dtype == object:
                    continue
            seed = (
                _ones(target, ghost)
                if weight is None
                else weight_of(weight, target, f"output_gradients[{i}]")
            )
            old = seeds.get(ghost)
            seeds[ghost] = seed if old is None else add(old, seed)
        found = sweep(recording, seeds, sources)
        for i, g in enumerate(found):
            if g is None:
                _moves(sources[i], "source tensor")
        return found


def _one(x: Any, role: str) -> Ghost:
    if isinstance(x, (list, tuple, dict)) or x is None:
        raise TypeError(
            f"The {role} of a Jacobian must be one tf.Tensor or tf.Variable, got {x!r} of type {type(x).__name__}."
        )
    return _ghost(x, role)


def _ghost(x: Any, role: str) -> Ghost:
    if isinstance(x, (Tensor, Variable)):
        return x._ghost or ghost_of(x)
    if isinstance(x, IndexedSlices):
        return ghost_of(x.values)
    for values in ("flat_values", "values"):  # of a ragged tensor, of a sparse one
        if hasattr(type(x), values) and hasattr(type(x), "_components"):
            raise ValueError(
                f"The {role} of this derivative must be a tf.Tensor or a tf.Variable, got a {type(x).__name__}. "
                f"Use the tensor of its values, x.{values}."
            )
    raise TypeError(
        f"The {role} of a gradient must be a tf.Tensor or a tf.Variable, got {x!r} of type {type(x).__name__}. "
        f"The tape cannot follow values that are not tensors."
    )


def _ones(target: Any, ghost: Ghost) -> Any:
    if type(target) is EagerTensor:
        return EagerTensor(ones_array(ghost.shape, ghost.dtype))
    return ones_like.of(ghost)


def _moves(ghost: Ghost, role: str) -> bool:
    """Whether the dtype can be differentiated; warns in TensorFlow's words if not."""
    if is_differentiable_np(ghost.dtype):
        return True
    when = "" if role == "watched tensor" else " when calling GradientTape.gradient"
    name = from_numpy(ghost.dtype)
    warn(f"The dtype of the {role} must be floating (e.g. tf.float32){when}, got {name!r}", first=5)
    return False
