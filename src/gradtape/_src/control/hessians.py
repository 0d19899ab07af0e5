"""``tf.hessians``: the gradient is linearized once, and its gradient executed for each element."""

from __future__ import annotations

from typing import Any

from gradtape._src.api.arrays import reshape, shape, size
from gradtape._src.api.creation import eye
from gradtape._src.api.joining import concat
from gradtape._src.autodiff.graph_gradients import gradients
from gradtape._src.control.loop_op import loop
from gradtape._src.control.subgraph import Subgraph
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy
from gradtape._src.core.shapes import is_known
from gradtape._src.core.values import Tensor, dtype_of, shape_of
from gradtape._src.graph.ir import Symbol, current_graph, placeholder
from gradtape._src.graph.plan import needed
from gradtape._src.ops.arrays import broadcast_to, identity, zeros_like
from gradtape._src.ops.indexed_slices import dense
from gradtape._src.ops.sequences import elements, stacked


def hessians(ys, xs, gate_gradients=False, aggregation_method=None, name="hessians"):
    """The second derivatives of the sum of ``ys``: for each x a tensor of shape ``x.shape + x.shape``.

        H[i, j] = d^2 (sum of ys) / dx[i] dx[j]

    Args:
      ys: tensors of the graph.
      xs: tensors or variables; one, or a list of them.
      gate_gradients, aggregation_method: without effect.
      name: of the name scope.

    Raises:
      RuntimeError: in eager mode, where nested `tf.GradientTape`s are to be used.
      ValueError: ``ys`` do not depend on an x.

    >>> import gradtape as tf
    >>> with tf.Graph().as_default():
    ...     x = tf.constant([1.0, 2.0])
    ...     (h,) = tf.hessians(x[0] ** 2 * x[1], x)
    ...     with tf.compat.v1.Session() as session:
    ...         print(session.run(h))
    [[4. 2.]
     [2. 0.]]

    As TensorFlow 2.21 (1.15), except that a function that is linear in x has a Hessian of zeros.
    """
    graph = current_graph()
    if graph is None:
        raise RuntimeError(
            "tf.hessians is not supported when eager execution is enabled. Use two nested tf.GradientTape instead: "
            "outer.jacobian(inner.gradient(y, x), x)."
        )
    xs = list(xs) if isinstance(xs, (list, tuple)) else [xs]
    with graph.name_scope(name):
        return [_hessian(graph, ys, x) for x in xs]


def hessians_v1(
    ys, xs, name="hessians", colocate_gradients_with_ops=False, gate_gradients=False, aggregation_method=None
):
    """`tf.hessians` with TensorFlow 1's arguments; ``colocate_gradients_with_ops`` is without effect."""
    return hessians(ys, xs, gate_gradients, aggregation_method, name)


def _hessian(graph: Any, ys: Any, x: Any) -> Any:
    (g,) = gradients(ys, [x])
    if g is None:
        raise ValueError(
            f"tf.hessians: there is no differentiable path from {x!r} to {ys!r}. Compute ys from this very tensor."
        )
    g = identity(dense(g))
    value = as_tensor(x)
    dims = shape(value)
    count = size(value)
    linear = Subgraph(graph, [graph.input(x) if isinstance(x, Tensor) else x], [g]).linearized([True], [True])
    (ct,) = linear.cotangents
    target = concat([dims, dims], 0)
    if not isinstance(ct, Symbol):
        return broadcast_to(reshape(zeros_like(value), concat([dims, dims * 0 + 1], 0)), target)
    dtype = dtype_of(value)
    basis = reshape(eye(count, dtype=from_numpy(dtype)), concat([[count], dims], 0))
    given = [*linear.cotangent_inputs, *linear.residuals]
    # What the graph of a function took from outside while the gradient was written is an input as well.
    captured = [op.outputs[0] for op in needed([ct], given, graph.operations) if op.op is placeholder]
    consts = [*linear.residuals, *captured]
    step = Subgraph(graph, [*linear.cotangent_inputs, *consts], [ct])
    _, rows = loop(
        elements(basis), *consts, step=step, cond=None, n_carry=0, n_seqs=1, reverse=False, limit=None
    )
    found = reshape(stacked.of(rows, shape=shape_of(value), dtype=dtype), target)
    known = shape_of(value)
    if is_known(known):
        found.set_shape((*known, *known))  # type: ignore[misc]
    return found
