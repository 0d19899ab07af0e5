"""``tf.contrib.opt``: SciPy's optimizers on the variables of a graph."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.autodiff.graph_gradients import gradients_v1
from gradtape._src.autodiff.unconnected import UnconnectedGradients
from gradtape._src.compat_v1.variables import trainable_variables
from gradtape._src.core.log import get_logger
from gradtape._src.core.values import shape_of
from gradtape._src.graph.running import session_for


class ExternalOptimizerInterface:
    """An optimizer outside of the graph: it asks for the loss and the gradients, and says where to go.

    A subclass defines ``_minimize(initial_val, loss_grad_func, equality_funcs, equality_grad_funcs, inequality_funcs,
    inequality_grad_funcs, packed_bounds, step_callback, optimizer_kwargs)``, which gives the vector it has found.

    Args:
      loss: a tensor.
      var_list: the variables to change; the trainable ones of the graph by default.
      equalities, inequalities: tensors that are to be zero, and not negative.
      var_to_bounds: for variables, a pair of the least and the greatest value; each a number, an array, or None.
      **optimizer_kwargs: for the optimizer.

    Raises:
      ValueError: the loss does not depend on a variable, or a bound is of a wrong shape.
    """

    def __init__(
        self, loss, var_list=None, equalities=None, inequalities=None, var_to_bounds=None, **optimizer_kwargs
    ):
        self._loss = loss
        self._vars = list(trainable_variables() if var_list is None else var_list)
        self._equalities, self._inequalities = list(equalities or ()), list(inequalities or ())
        self.optimizer_kwargs = optimizer_kwargs
        self._shapes = [shape_of(v) for v in self._vars]
        self._ends = np.cumsum([0, *(int(np.prod(shape)) for shape in self._shapes)])
        self._bounds = None if var_to_bounds is None else self._packed_bounds(var_to_bounds)
        self._gradients = self._gradients_of(loss)
        self._of_equalities = [self._gradients_of(tensor) for tensor in self._equalities]
        self._of_inequalities = [self._gradients_of(tensor) for tensor in self._inequalities]

    def _gradients_of(self, tensor: Any) -> list[Any]:
        found = gradients_v1(tensor, self._vars, unconnected_gradients=UnconnectedGradients.ZERO)
        return list(found)

    def _packed_bounds(self, bounds: Any) -> list[tuple[float, float]]:
        pairs = []
        for v, shape in zip(self._vars, self._shapes):
            low, high = bounds.get(v, (-np.inf, np.inf))
            low, high = (
                np.broadcast_to(default if side is None else side, shape).reshape(-1)
                for side, default in ((low, -np.inf), (high, np.inf))
            )
            pairs += list(zip(low.tolist(), high.tolist()))
        return pairs

    def _pack(self, arrays: list[Any]) -> np.ndarray:
        return np.concatenate(
            [np.asarray(array, np.float64).reshape(-1) for array in arrays] or [np.zeros(0)]
        )

    def _assign(self, session: Any, vector: np.ndarray) -> None:
        for v, shape, start, end in zip(self._vars, self._shapes, self._ends, self._ends[1:]):
            v.load(np.asarray(vector[start:end].reshape(shape), v.dtype.as_numpy_dtype), session)

    def minimize(
        self,
        session=None,
        feed_dict=None,
        fetches=None,
        step_callback=None,
        loss_callback=None,
        **run_kwargs,
    ):
        """Finds values of the variables for which the loss is least, and assigns these.

        Args:
          session: by default the default one.
          feed_dict: for placeholders.
          fetches: tensors whose values ``loss_callback`` gets.
          step_callback: a function of the vector of all variables, called after each step.
          loss_callback: a function of the values of ``fetches``, called whenever the loss is computed.
          **run_kwargs: for ``session.run``.
        """
        session = session_for(session, "execute operation", "minimize")
        more = list(fetches or ())

        def at(vector: np.ndarray, tensors: list[Any]) -> Any:
            self._assign(session, vector)
            return session.run(tensors, feed_dict, **run_kwargs)

        def loss_and_gradient(vector: np.ndarray) -> tuple[Any, np.ndarray]:
            loss, gradients, values = at(vector, [self._loss, self._gradients, more])
            if loss_callback is not None:
                loss_callback(*values)
            return np.float64(loss), self._pack(gradients)

        def value_of(tensor: Any) -> Any:
            return lambda vector: np.asarray(at(vector, [tensor])[0], np.float64)

        def gradient_of(gradients: list[Any]) -> Any:
            return lambda vector: self._pack(at(vector, gradients))

        found = self._minimize(
            initial_val=self._pack(session.run(self._vars)),
            loss_grad_func=loss_and_gradient,
            equality_funcs=list(map(value_of, self._equalities)),
            equality_grad_funcs=list(map(gradient_of, self._of_equalities)),
            inequality_funcs=list(map(value_of, self._inequalities)),
            inequality_grad_funcs=list(map(gradient_of, self._of_inequalities)),
            packed_bounds=self._bounds,
            step_callback=step_callback,
            optimizer_kwargs=dict(self.optimizer_kwargs),
        )
        self._assign(session, found)

    def _minimize(self, **how: Any) -> np.ndarray:
        raise NotImplementedError(
            f"{type(self).__name__} must define _minimize; see ExternalOptimizerInterface."
        )


class ScipyOptimizerInterface(ExternalOptimizerInterface):
    """Minimizes a loss by `scipy.optimize.minimize`, with the gradients of the graph.

    Args:
      loss, var_list, equalities, inequalities, var_to_bounds: as `ExternalOptimizerInterface`.
      method: of SciPy; "L-BFGS-B" by default, "SLSQP" where there are equalities or inequalities.
      options, tol, ...: passed on to SciPy.

    Raises:
      ValueError: the method cannot heed equalities, inequalities or bounds.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     v = tf.Variable([7.0, 7.0])
    ...     loss = tf.reduce_sum((v - [1.0, 2.0]) ** 2)
    ...     optimizer = tf.contrib.opt.ScipyOptimizerInterface(loss, options={"maxiter": 100})
    ...     session.run(tf.global_variables_initializer())
    ...     optimizer.minimize(session)
    ...     print(session.run(v).round(3))
    [1. 2.]

    As TensorFlow 1.15.
    """

    _DEFAULT_METHOD = "L-BFGS-B"

    def _minimize(
        self,
        *,
        initial_val,
        loss_grad_func,
        equality_funcs,
        equality_grad_funcs,
        inequality_funcs,
        inequality_grad_funcs,
        packed_bounds,
        step_callback,
        optimizer_kwargs,
    ):
        import scipy.optimize  # start-up cost: SciPy takes a quarter of a second

        constraints = [
            {"type": kind, "fun": function, "jac": jac}
            for kind, functions, jacs in (
                ("eq", equality_funcs, equality_grad_funcs),
                ("ineq", inequality_funcs, inequality_grad_funcs),
            )
            for function, jac in zip(functions, jacs)
        ]
        method = optimizer_kwargs.pop("method", "SLSQP" if constraints else self._DEFAULT_METHOD)
        if constraints and method not in ("SLSQP", "COBYLA", "trust-constr"):
            raise ValueError(f"The method {method!r} cannot heed equalities and inequalities; use 'SLSQP'.")
        result = scipy.optimize.minimize(
            loss_grad_func,
            initial_val,
            jac=True,
            method=method,
            callback=step_callback,
            constraints=constraints,
            bounds=packed_bounds,
            **optimizer_kwargs,
        )
        get_logger().info(
            "Optimization terminated with:\n  Message: %s\n  Objective function value: %f\n  Number of iterations: %s"
            "\n  Number of functions evaluations: %d",
            result.message,
            result.fun,
            result.get("nit", "unknown"),
            result.nfev,
        )
        return result.x
