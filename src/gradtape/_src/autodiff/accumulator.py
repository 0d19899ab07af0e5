"""``tf.autodiff.ForwardAccumulator``: computes tangents beside the values, operation by operation."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from gradtape._src.autodiff.forward import jvp
from gradtape._src.autodiff.sweep import Absorbing, boxed, raw_of
from gradtape._src.autodiff.unconnected import UnconnectedGradients
from gradtape._src.autodiff.vanishing import carrying
from gradtape._src.core.context import Listener, add_recorder, current, remove_recorder, under
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy, is_differentiable_np
from gradtape._src.core.log import warn
from gradtape._src.core.nan import any_has_nan
from gradtape._src.core.nest import assert_same_structure, flatten, map_structure
from gradtape._src.core.op import Op
from gradtape._src.core.shapes import compatible, in_brackets
from gradtape._src.core.values import EagerTensor, Ghost, Tensor, ghost_of, shape_of
from gradtape._src.graph.ir import Symbol
from gradtape._src.ops.arrays import zeros_like
from gradtape._src.ops.indexed_slices import IndexedSlices
from gradtape._src.ops.sequences import has_cotangent
from gradtape._src.ops.variables import Variable


class ForwardAccumulator(Listener):
    """Computes Jacobian-vector products (directional derivatives) while the function is computed.

        tangent of y = J v,   J[i, j] = dy[i] / dx[j],   v the tangent of x

    What is computed inside a ``with`` block from a primal gets a tangent at once; ``jvp`` looks it up. One pass gives
    one direction for all outputs, where a `tf.GradientTape` gives all inputs for one output. Accumulators and tapes
    can be nested in either order: the outer one sees the derivative that the inner one computes.

    Args:
      primals: a tensor or variable, or a nest of them.
      tangents: a tensor for each, of its shape and dtype.

    Raises:
      ValueError: a primal is given twice; a tangent does not fit its primal; entered while it is recording.

    Example:
    >>> import gradtape as tf
    >>> x = tf.constant([2.0, 3.0])
    >>> with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 0.0])) as acc:
    ...     y = x * x[0]
    >>> print(acc.jvp(y))
    tf.Tensor([4. 3.], shape=(2,), dtype=float32)

    Forward over reverse gives the product of the Hessian with a vector:
    >>> with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 0.0])) as acc:
    ...     with tf.GradientTape() as tape:
    ...         tape.watch(x)
    ...         y = tf.reduce_sum(x ** 3)
    ...     g = tape.gradient(y, x)
    >>> print(acc.jvp(g))
    tf.Tensor([12.  0.], shape=(2,), dtype=float32)

    As TensorFlow 2.21. Griewank & Walther, Evaluating Derivatives, 2008, section 3.1.
    """

    def __init__(self, primals: Any, tangents: Any) -> None:
        self._tangents: WeakKeyDictionary[Ghost, Any] = WeakKeyDictionary()
        self._recording = False
        assert_same_structure(primals, tangents)
        flat = flatten(primals)
        if len({id(primal) for primal in flat}) < len(flat):
            raise ValueError(
                "Tensors or variables were given multiple times among the primals of a ForwardAccumulator. Pass each "
                "one once, with the sum of its tangents."
            )
        for primal, tangent in zip(flat, flatten(tangents), strict=True):
            self._watch(primal, tangent)

    def _watch(self, primal: Any, tangent: Any) -> None:
        if not isinstance(primal, (Tensor, Variable)):
            raise TypeError(
                f"The primals of a ForwardAccumulator must be tensors or variables, got {primal!r} of type "
                f"{type(primal).__name__}. Make a tensor of it with tf.constant, and compute with that tensor."
            )
        ghost = ghost_of(primal)
        if not is_differentiable_np(ghost.dtype):
            name = from_numpy(ghost.dtype)
            warn(f"The dtype of the watched primal must be floating (e.g. tf.float32), got {name!r}", first=5)
            return
        tangent = as_tensor(tangent, dtype=from_numpy(ghost.dtype))
        if not compatible(shape_of(tangent), ghost.shape):
            raise ValueError(
                f"A tangent must have the shape of its primal: expected {in_brackets(ghost.shape)}, got "
                f"{in_brackets(shape_of(tangent))}."
            )
        self._tangents[ghost] = tangent

    def __enter__(self) -> ForwardAccumulator:
        if self._recording:
            raise ValueError("Accumulator is already recording.")
        add_recorder(self)
        self._recording = True
        return self

    def __exit__(self, *exc: Any) -> None:
        remove_recorder(self)
        self._recording = False

    def jvp(self, primals: Any, unconnected_gradients: Any = UnconnectedGradients.NONE) -> Any:
        """The tangents of tensors that were computed from the primals.

        Args:
          primals: a tensor or variable, or a nest of them.
          unconnected_gradients: what to give for one that does not depend on the primals.

        Returns:
          A tensor of the shape and dtype of each, in their structure; None where there is no path. Of an IndexedSlices
          an IndexedSlices.

        Raises:
          TypeError: one is no tensor.
        """
        zero = UnconnectedGradients.of(unconnected_gradients) is UnconnectedGradients.ZERO

        def tangent(x: Any) -> Any:
            if isinstance(x, IndexedSlices):
                values = tangent(x.values)
                return None if values is None else IndexedSlices(values, x.indices, x.dense_shape)
            if not isinstance(x, (Tensor, Variable)):
                raise TypeError(f"jvp takes tensors and variables, got {x!r} of type {type(x).__name__}.")
            found = self._tangents.get(ghost_of(x))
            return zeros_like.of(x) if found is None and zero else found

        return map_structure(tangent, primals)

    # --- As a recorder

    def record(self, op: Op, args: tuple[Any, ...], params: dict[str, Any], out: Any) -> None:
        if not op.differentiable:
            return
        ghosts = [getattr(arg, "_ghost", None) for arg in args]
        ts = [None if ghost is None else self._tangents.get(ghost) for ghost in ghosts]
        if all(t is None for t in ts):
            return
        t = self._computed(op, ts, out, args, params)
        if op.multi and out and isinstance(out[0], Symbol) and len(out[0].op.outputs) > len(out):
            # The tangents read more of the operation than it gave: what it gives now has tangents too.
            return self.record_extended(out[0].op, len(out))
        if t is None:
            return
        for part, tangent in zip(out, t, strict=False) if op.multi else ((out, t),):
            if tangent is not None and has_cotangent(part):
                self._tangents[ghost_of(part)] = tangent

    def _computed(self, op: Op, ts: list[Any], y: Any, xs: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """The tangents of the outputs, as the accumulators and tapes around this one see them computed."""
        interpreter, recorders = current()
        outer = recorders[: recorders.index(self)]
        symbolic = interpreter is not None and interpreter.symbolic
        with under(Absorbing(interpreter) if symbolic else interpreter, outer), np.errstate(all="ignore"):
            if interpreter is None and not outer:
                ts = [raw_of(t) for t in ts]
                y = tuple(map(raw_of, y)) if op.multi else raw_of(y)
                xs = tuple(map(raw_of, xs))
            t = jvp(carrying(op), ts, y, xs, params)
            if not symbolic and t is not None and any_has_nan(map(raw_of, t) if op.multi else (raw_of(t),)):
                with under(Absorbing(interpreter), outer):
                    tensors = [boxed(t) for t in ts]
                    t = jvp(carrying(op), tensors, y, xs, params)
        if t is None:
            return None
        return tuple(map(boxed, t)) if op.multi else boxed(t)

    def record_read(self, variable: Variable, out: Any) -> None:
        tangent = self._tangents.get(variable._ghost)
        if tangent is not None:
            self._tangents[ghost_of(out)] = tangent

    def record_extended(self, operation: Any, old: int) -> None:
        """Is told that an operation of a graph has got outputs beyond the first ``old``: they have tangents as well."""
        self.record(operation.op, operation.args, operation.params, operation.outputs)

    def depth(self, ghosts: Any) -> int:
        return int(any(ghost is not None and ghost in self._tangents for ghost in ghosts))
