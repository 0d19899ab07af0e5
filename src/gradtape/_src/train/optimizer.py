"""``tf.train.Optimizer`` of TensorFlow 1: gradients of a loss, and operations that change variables by them."""

from __future__ import annotations

from typing import Any

from gradtape._src.api.casting import cast
from gradtape._src.api.graphs import control_dependencies, group, scope_of
from gradtape._src.api.graphs import tuple as gated
from gradtape._src.api.trackable import children_changed
from gradtape._src.autodiff.graph_gradients import gradients_v1
from gradtape._src.autodiff.tape import GradientTape
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import bfloat16, float16, float32, float64, from_numpy
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.nest import flatten
from gradtape._src.core.notes import because
from gradtape._src.core.shapes import as_text, compatible
from gradtape._src.core.values import Tensor, dtype_of, shape_of
from gradtape._src.function.func_graph import init_scope
from gradtape._src.graph.collections import GraphKeys
from gradtape._src.graph.default import get_default_graph
from gradtape._src.graph.ir import current_graph
from gradtape._src.ops.graph_variables import home_graph
from gradtape._src.ops.indexed_slices import IndexedSlices
from gradtape._src.ops.variables import Variable
from gradtape._src.train.slots import constant_like, make_slot, owner, plain_name
from gradtape._src.train.updates import Rule, made_dense, on_rows, update


class Optimizer:
    """Changes variables so that a loss becomes smaller: what the optimizers of `tf.compat.v1.train` have in common.

    In a graph `minimize` gives an operation, which does one step each time a session executes it. In eager mode the
    loss is a function without arguments, and `minimize` does one step.

    A subclass defines ``_apply_dense(grad, var)`` and ``_apply_sparse(grad, var)``, and where it needs them
    ``_create_slots(var_list)``, ``_prepare()`` and ``_finish(update_ops, name_scope)``.

    Args:
      use_locking: without effect.
      name: of the operations, and of the slots.

    Raises:
      ValueError: no name.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     v = tf.Variable([1.0, 2.0])
    ...     step = tf.train.GradientDescentOptimizer(0.25).minimize(tf.reduce_sum(v * v))
    ...     session.run(tf.global_variables_initializer())
    ...     session.run(step)
    ...     print(session.run(v))
    [0.5 1. ]

    As TensorFlow 2.21 (1.15).
    """

    GATE_NONE = 0
    GATE_OP = 1
    GATE_GRAPH = 2

    def __init__(self, use_locking, name, use_own_namescope_for_non_slot_vars=False):
        if not name:
            raise ValueError("Must specify the optimizer name")
        self._use_locking = use_locking
        self._name = name
        self._use_own_namescope_for_non_slot_vars = use_own_namescope_for_non_slot_vars
        self._slots: dict[str, dict[Any, Variable]] = {}
        self._non_slot_dict: dict[Any, Variable] = {}

    def get_name(self):
        """The name."""
        return self._name

    def minimize(
        self,
        loss,
        global_step=None,
        var_list=None,
        gate_gradients=GATE_OP,
        aggregation_method=None,
        colocate_gradients_with_ops=False,
        name=None,
        grad_loss=None,
    ) -> Any:
        """`compute_gradients`, and `apply_gradients` of what it gives.

        Args:
          loss: a tensor; in eager mode a function without arguments that gives it.
          global_step: a variable to add 1 to afterwards.
          var_list: the variables to change; by default the trainable ones of the graph, or those the function reads.
          gate_gradients: ``GATE_NONE``, ``GATE_OP`` or ``GATE_GRAPH``; the gradients are the same with each.
          aggregation_method, colocate_gradients_with_ops: without effect.
          name: of the operation.
          grad_loss: the gradient of what is minimized with respect to ``loss``; ones by default.

        Returns:
          The operation of a step; None in eager mode.

        Raises:
          ValueError: the loss depends on none of the variables.
          RuntimeError: in eager mode, the loss is not a function.
        """
        grads_and_vars = self.compute_gradients(
            loss, var_list, gate_gradients, aggregation_method, colocate_gradients_with_ops, grad_loss
        )
        if all(g is None for g, _ in grads_and_vars):
            raise ValueError(
                "No gradients provided for any variable, check your graph for ops that do not support gradients, "
                f"between variables {[str(v) for _, v in grads_and_vars]} and loss {loss}." + because()
            )
        return self.apply_gradients(grads_and_vars, global_step=global_step, name=name)

    def compute_gradients(
        self,
        loss,
        var_list=None,
        gate_gradients=GATE_OP,
        aggregation_method=None,
        colocate_gradients_with_ops=False,
        grad_loss=None,
    ):
        """A list of pairs: the gradient of the loss with respect to a variable, and the variable. See `minimize`.

        A gradient is a tensor, an `tf.IndexedSlices` where only some rows were looked up, or None.
        """
        if callable(loss):
            with GradientTape() as tape:
                if var_list is not None:
                    tape.watch(var_list)
                value = loss()
            sources = list(tape.watched_variables()) if var_list is None else flatten(var_list)
            with control_dependencies([value]):
                return list(zip(tape.gradient(value, sources, grad_loss), sources))
        if current_graph() is None:
            raise RuntimeError(
                "`loss` passed to Optimizer.compute_gradients should be a function when eager execution is enabled."
            )
        if gate_gradients not in (self.GATE_NONE, self.GATE_OP, self.GATE_GRAPH):
            raise ValueError(
                "gate_gradients must be one of: Optimizer.GATE_NONE, Optimizer.GATE_OP, Optimizer.GATE_GRAPH.  "
                f"Not {gate_gradients}"
            )
        self._assert_valid_dtypes([loss] if grad_loss is None else [loss, grad_loss])
        if var_list is None:
            var_list = home_graph().get_collection(GraphKeys.TRAINABLE_VARIABLES)
        var_list = [_trained(v) for v in flatten(var_list)]
        if not var_list:
            raise ValueError("No variables to optimize.")
        grads = gradients_v1(loss, var_list, grad_ys=grad_loss)
        if gate_gradients == self.GATE_GRAPH:
            grads = gated(grads)
        pairs = list(zip(grads, var_list))
        self._assert_valid_dtypes([v for g, v in pairs if g is not None])
        return pairs

    def apply_gradients(
        self, grads_and_vars, global_step=None, name=None, skip_gradients_aggregation=False
    ) -> Any:
        """Changes variables by gradients, each as the optimizer does.

        Args:
          grads_and_vars: pairs as `compute_gradients` gives them; those without a gradient are left out.
          global_step: a variable to add 1 to afterwards.
          name: of the operation.
          skip_gradients_aggregation: without effect.

        Returns:
          The operation of a step, which is in the graph's collection ``TRAIN_OP`` too; None in eager mode.

        Raises:
          ValueError: no variables, or a gradient for none of them. TypeError: a gradient that is no tensor.
        """
        pairs = [(_gradient(g), _trained(v)) for g, v in grads_and_vars]
        if not pairs:
            raise ValueError("No variables provided.")
        var_list = [v for g, v in pairs if g is not None]
        if not var_list:
            raise ValueError(
                f"No gradients provided for any variable: {[str(v) for _, v in pairs]}." + because()
            )
        with init_scope():
            self._create_slots(var_list)
        with scope_of(name or self._name) as scope:
            self._prepare()
            updates = []
            for g, v in pairs:
                if g is not None:
                    with scope_of(f"update_{plain_name(v)}"):
                        updates.append(self._update(g, v))
            if global_step is None:
                done = self._finish(updates, scope)
            else:
                finished = self._finish(updates, "update")
                with control_dependencies([] if finished is None else [finished]):
                    done = global_step.assign_add(1, read_value=False, name=scope)
        if current_graph() is not None:
            steps = get_default_graph().get_collection_ref(GraphKeys.TRAIN_OP)
            if done not in steps:
                steps.append(done)
        return done

    def _update(self, grad, var):
        """One variable's part of a step, and its constraint."""
        if isinstance(var, Tensor):
            raise NotImplementedError("Trying to update a Tensor ", var)
        if isinstance(grad, IndexedSlices):
            if var.constraint is not None:
                raise RuntimeError("Cannot use a constraint function on a sparse variable.")
            return self._resource_apply_sparse_duplicate_indices(grad.values, var, grad.indices)
        done = self._resource_apply_dense(grad, var)
        if var.constraint is None:
            return done
        with control_dependencies([] if done is None else [done]):
            return var.assign(var.constraint(var), read_value=False)

    # --- What optimizers keep

    def get_slot(self, var, name) -> Any:
        """The variable that the optimizer keeps for ``var`` under this name, or None."""
        return self._slots.get(name, {}).get(owner(var).ref())

    def get_slot_names(self):
        """The names of the slots, sorted."""
        return sorted(self._slots)

    def variables(self):
        """The variables that the optimizer has made in the current graph, or in eager mode, sorted by name."""
        graph = current_graph()
        made = [v for slots in self._slots.values() for v in slots.values()]
        made += self._non_slot_dict.values()
        return sorted((v for v in made if getattr(v, "graph", None) is graph), key=lambda v: v.name)

    def _get_or_make_slot(self, var, val, slot_name, op_name):
        """The slot, with the initial value ``val`` if it is new."""
        slots = self._slots.setdefault(slot_name, {})
        key = owner(var).ref()
        if key not in slots:
            taken = {plain_name(slot) for others in self._slots.values() for slot in others.values()}
            slots[key] = make_slot(owner(var), val() if callable(val) else val, op_name, taken)
            children_changed(self)
        return slots[key]

    def _get_or_make_slot_with_initializer(self, var, initializer, shape, dtype, slot_name, op_name):
        return self._get_or_make_slot(var, lambda: initializer(shape, dtype), slot_name, op_name)

    def _zeros_slot(self, var, slot_name, op_name):
        return self._get_or_make_slot(var, lambda: constant_like(var, 0.0), slot_name, op_name)

    def _create_non_slot_variable(self, initial_value, name, colocate_with):
        key = (name, getattr(colocate_with, "graph", None))
        if key not in self._non_slot_dict:
            self._non_slot_dict[key] = Variable(initial_value, trainable=False, name=name)
            children_changed(self)
        return self._non_slot_dict[key]

    def _trackable_children(self):
        """For `tf.train.Checkpoint`: what is kept beside no variable."""
        return {name: variable for (name, _), variable in self._non_slot_dict.items()}

    def _slot_variables(self):
        """For `tf.train.Checkpoint`: what is kept beside variables, as (variable, name of the slot, slot)."""
        return [(v.deref(), name, slot) for name, slots in self._slots.items() for v, slot in slots.items()]

    def _get_non_slot_variable(self, name, graph=None):
        return self._non_slot_dict.get((name, graph))

    def _non_slot_variables(self):
        return self._non_slot_dict.values()

    # --- What subclasses define

    def _valid_dtypes(self):
        return [float32, float64, float16, bfloat16]

    def _assert_valid_dtypes(self, tensors):
        valid = self._valid_dtypes()
        for t in tensors:
            if t.dtype.base_dtype not in valid:
                name = getattr(t, "name", t)
                raise ValueError(f"Invalid type {t.dtype!r} for {name}, expected: {list(valid)}.")

    def _create_slots(self, var_list):
        """Makes the variables that the optimizer keeps."""

    def _prepare(self):
        """Makes tensors of the optimizer's arguments, before a step."""

    def _apply_dense(self, grad, var):
        raise NotImplementedError(f"{type(self).__name__} must define _apply_dense(grad, var).")

    def _resource_apply_dense(self, grad, handle):
        return self._apply_dense(grad, handle)

    def _apply_sparse(self, grad, var):
        raise NotImplementedError(f"{type(self).__name__} must define _apply_sparse(grad, var).")

    def _resource_apply_sparse(self, grad, handle, indices):
        return self._apply_sparse(IndexedSlices(grad, indices), handle)

    def _resource_apply_sparse_duplicate_indices(self, grad, handle, indices):
        return self._resource_apply_sparse(grad, handle, indices)

    def _finish(self, update_ops, name_scope):
        return group(*update_ops, name=name_scope)

    @staticmethod
    def _call_if_callable(param):
        return param() if callable(param) else param

    def __repr__(self):
        return f"<{type(self).__module__}.{type(self).__name__} {self._name!r}>"


class RuleOptimizer(Optimizer):
    """An optimizer whose step is a function of arrays: see `updates.py`."""

    _kind = ""  # TensorFlow's name of the operation, without Resource
    _slot_names: tuple[str, ...] = ()
    _all_rows = False  # whether rows that no gradient reaches change too

    def _create_slots(self, var_list):
        """Zeros for each of ``_slot_names``."""
        for v in var_list:
            for name in self._slot_names:
                self._zeros_slot(v, name, self._name)

    def _numbers(self) -> list[Any]:
        """The numbers that the rule takes after the gradient."""
        raise NotImplementedError

    def _rule(self) -> Rule:
        """The function of the value, the slots, the gradient and the numbers."""
        raise NotImplementedError

    def _prepare(self):
        self._tensors = [
            x if isinstance(x, Variable) else as_tensor(x)
            for x in map(self._call_if_callable, self._numbers())
        ]

    def _applied(self, kind: str, rule: Rule, var: Any, gradient: list[Any]) -> Any:
        slots = [self.get_slot(var, name) for name in self._slot_names]
        numbers = [cast(x, var.dtype) for x in self._tensors]
        return update(kind, rule, var, slots, [*gradient, *numbers])

    def _apply_dense(self, grad, var):
        kind = f"ResourceApply{self._kind}"
        _check(kind, grad, var, shape_of(grad), shape_of(var))
        return self._applied(kind, self._rule(), var, [grad])

    def _apply_sparse(self, grad, var):
        return self._resource_apply_sparse_duplicate_indices(grad.values, var, grad.indices)

    def _resource_apply_sparse_duplicate_indices(self, grad, handle, indices):
        by_rows = made_dense if self._all_rows else on_rows
        rule = by_rows(self._rule(), len(self._slot_names))
        kind = f"ResourceSparseApply{self._kind}"
        rows, row = shape_of(grad), shape_of(handle)
        if rows is not None and row is not None:
            _check(kind, grad, handle, rows[len(shape_of(indices) or (0,)) :], row[1:])
        return self._applied(kind, rule, handle, [grad, indices])


def _check(kind: str, grad: Any, var: Any, given: Any, wanted: Any) -> None:
    """Raises if a gradient does not fit its variable: in a graph as TensorFlow's graphs do, else as its kernels do."""
    in_graph = current_graph() is not None
    if dtype_of(grad) != dtype_of(var):
        raise (TypeError if in_graph else InvalidArgumentError.of)(
            f"The gradient of {var.name} has the dtype {from_numpy(dtype_of(grad)).name}, but the variable has "
            f"{from_numpy(dtype_of(var)).name}: use tf.cast. [Op:{kind}]"
        )
    if not compatible(given, wanted):
        raise (ValueError if in_graph else InvalidArgumentError.of)(
            f"var and delta do not have the same shape: {var.name} has the shape {as_text(wanted)}, its gradient "
            f"{as_text(given)}. [Op:{kind}]"
        )


def _trained(v: Any) -> Any:
    if not isinstance(v, (Variable, Tensor)):
        raise NotImplementedError("Trying to optimize unsupported type ", v)
    return owner(v)


def _gradient(g: Any) -> Any:
    if g is None or isinstance(g, IndexedSlices):
        return g
    try:
        return as_tensor(g)
    except TypeError:
        raise TypeError(f"Gradient must be convertible to a Tensor or IndexedSlices, or None: {g}") from None
