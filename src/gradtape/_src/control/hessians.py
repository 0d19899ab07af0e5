"""``tf.hessians``: the Jacobian of the gradient, in a graph."""

from __future__ import annotations

from typing import Any

from gradtape._src.autodiff.graph_gradients import gradients, recorded
from gradtape._src.control.graph_jacobian import graph_jacobians
from gradtape._src.core.values import Tensor
from gradtape._src.graph.ir import current_graph
from gradtape._src.graph.plan import needed
from gradtape._src.ops.arrays import identity
from gradtape._src.ops.indexed_slices import dense


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
    source = graph.input(x) if isinstance(x, Tensor) else x
    recording = recorded(needed([g], [], graph.operations), [source._ghost])
    (found,) = graph_jacobians(recording, g, [source], zero=True)
    return found
