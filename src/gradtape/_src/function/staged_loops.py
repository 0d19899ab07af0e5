"""What converted functions call in place of `while` and `for`: `tf.while_loop` where a condition or range is a symbol.

The *state* of a loop is what the function's variables hold that its body may change; see `staging.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradtape._src.control.body import is_symbolic
from gradtape._src.control.graph_forms import graph_while
from gradtape._src.control.loop import while_loop
from gradtape._src.control.subgraph import hole
from gradtape._src.control.tensor_array import TensorArray
from gradtape._src.core.context import under
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy
from gradtape._src.core.errors import OperatorNotAllowedInGraphError
from gradtape._src.core.nest import assert_same_structure, flatten, map_structure, pack_sequence_as
from gradtape._src.core.tensor_shape import TensorShape
from gradtape._src.core.values import EagerTensor, Ghost, Tensor, dtype_of, shape_of
from gradtape._src.function.assertions import assert_true
from gradtape._src.function.func_graph import FuncGraph
from gradtape._src.function.iteration import opened, parts_if_any
from gradtape._src.function.states import (
    Get,
    Set,
    check_condition,
    holds_tensors,
    is_missing,
    is_staged,
    nothing_like,
)
from gradtape._src.graph.ir import current_graph
from gradtape._src.ops.comparison import greater, less, logical_and, logical_or

_NO_BREAK_IN_PYTHON = (
    "break and return statements which depend on a TF condition are not supported in Python for loops. Did you intend "
    "to make it a TF loop?\nSee https://github.com/tensorflow/tensorflow/blob/master/tensorflow/python/autograph/g3doc/"
    "reference/limitations.md#consistency-of-control-flow-types for more info."
)
_BECAME_STAGED = (
    "The condition of while loop started as non-Tensor, then changed to Tensor. This may happen either because "
    "variables change type, or when a break or return statement inside the loop depends on a Tensor condition. In both "
    "cases, changing to a TF loop should remove the error."
)


def while_stmt(
    test: Callable[[], Any],
    body: Callable[[], Any],
    get_state: Get,
    set_state: Set,
    names: Any,
    opts: dict[str, Any],
) -> None:
    """``while test(): body()``."""
    if is_symbolic() and is_staged(_tried(test, get_state, set_state)):
        _Loop(test, get_state, set_state, names, opts).run(body)
        return
    while True:
        goes_on = test()
        try:
            if not goes_on:
                return
        except OperatorNotAllowedInGraphError:
            raise NotImplementedError(_BECAME_STAGED) from None
        body()


def for_stmt(
    iterated: Any,
    extra_test: Callable[[], Any] | None,
    body: Callable[[Any], Any],
    get_state: Get,
    set_state: Set,
    names: Any,
    opts: dict[str, Any],
) -> None:
    """``for target in iterated: body(target)``, as long as ``extra_test()`` holds."""
    if is_staged(iterated):
        run = _over_range if iterated.op.type == "Range" else _over_rows
    elif is_symbolic() and hasattr(iterated, "element_spec"):
        run = _over_dataset
    else:
        for target in iterated:
            if extra_test is not None and not _known(extra_test()):
                return
            body(target)
        return
    run(iterated, body, _Loop(extra_test, get_state, set_state, names, opts))


def _known(condition: Any) -> bool:
    try:
        return bool(condition)
    except OperatorNotAllowedInGraphError:
        raise NotImplementedError(_NO_BREAK_IN_PYTHON) from None


def _over_range(iterated: Any, body: Callable[[Any], Any], loop: _Loop) -> None:
    start, limit, delta = map(as_tensor, iterated.op.args)

    def more(i: Any) -> Any:
        if type(delta) is EagerTensor:
            return less.of(i, limit) if delta._data > 0 else greater.of(i, limit)
        rising = logical_and.of(greater.of(delta, 0), less.of(i, limit))
        return logical_or.of(rising, logical_and.of(less.of(delta, 0), greater.of(i, limit)))

    loop.run(body, [start], more, lambda i: (i + delta,))


def _over_rows(iterated: Any, body: Callable[[Any], Any], loop: _Loop) -> None:
    shape = shape_of(iterated)
    if shape == ():
        raise TypeError("Cannot iterate over a scalar tensor.")
    loop.columns = [iterated]
    row: Any = None if shape is None else shape[1:]
    first = hole(iterated.graph, Ghost(row, dtype_of(iterated)))
    loop.run(lambda *row: body(row[0] if row else first), more=lambda: True)


def _over_dataset(iterated: Any, body: Callable[[Any], Any], loop: _Loop) -> None:
    spec = iterated.element_spec
    source = iterated._source if hasattr(iterated, "get_next") else opened(iterated)
    take = lambda: parts_if_any(source, spec)
    loop.shapes = [(), *(getattr(s, "shape", None) for s in flatten(spec))]
    loop.run(
        lambda _, *element: body(iterated._nested(element)),
        take(),
        lambda has, *_: has,
        lambda *_: tuple(take()),
    )


def _tried(f: Callable[[], Any], get_state: Get, set_state: Set) -> Any:
    """The result of ``f()``, whose operations and changes are forgotten."""
    before = get_state()
    with under(FuncGraph("tried", current_graph()), ()):
        try:
            return f()
        finally:
            set_state(before)


class _Loop:
    """A loop of the graph over a state.

    Args:
      test: a further condition, or None.
      opts: what the user has set with ``set_loop_options``.

    Attributes:
      shapes: of the counters, where they may change.
      columns: tensors whose rows the steps take, one each, behind the counters.
    """

    def __init__(
        self,
        test: Callable[[], Any] | None,
        get_state: Get,
        set_state: Set,
        names: Sequence[str],
        opts: dict[str, Any],
    ) -> None:
        self.test = test
        self.get_state, self.set_state = get_state, set_state
        self.names = names
        self.opts = opts
        self.shapes: list[Any] | None = None
        self.columns: list[Any] = []

    def run(
        self,
        step: Callable[..., Any],
        counters: Sequence[Any] = (),
        more: Callable[..., Any] | None = None,
        advance: Callable[..., Any] | None = None,
    ) -> None:
        """The loop over the state, and over counters which belong to the loop itself.

        while more(*counters) and test():
            step(*counters)
            counters = advance(*counters)
        """
        n = len(counters)
        before = self.get_state()
        start, missing = self._completed(before, step, counters)
        staged = [i for i, x in enumerate(start) if holds_tensors(x)]

        def enter(values: Sequence[Any]) -> tuple[Any, ...]:
            state = list(start)
            for i, x in zip(staged, values, strict=True):
                state[i] = x
            self.set_state(state)
            return tuple(state)

        def goes_on(*values: Any) -> Any:
            enter(values[n:])
            return self._goes_on(more, values[:n])

        def once(*values: Any) -> tuple[Any, ...]:
            row = values[len(values) - len(self.columns) :] if self.columns else ()
            entered = enter(values[n : len(values) - len(row)])
            step(*values[:n], *row)
            left = self.get_state()
            self._check(entered, left, staged)
            after = values[:n] if advance is None else advance(*values[:n])
            return (*after, *(left[i] for i in staged))

        loop_vars = (*counters, *(map_structure(_loop_variable, start[i]) for i in staged))
        try:
            found = self._built(goes_on, once, loop_vars, self._options(counters, start, staged))
        except BaseException:
            self.set_state(before)
            raise
        wanted = [
            self.names[i] for i in missing if not self.names[i].startswith(("retval_", "do_return", "break_"))
        ]
        if wanted and "do_return" not in self.names:
            self.set_state(start)
            began = as_tensor(self._goes_on(more, counters))
            assert_true(began, f"loop must iterate at least once to initialize {', '.join(wanted)}")
        enter(found[n:])

    def _built(self, goes_on: Any, once: Any, loop_vars: tuple[Any, ...], options: dict[str, Any]) -> Any:
        if loop_vars and not self.columns:
            return while_loop(goes_on, once, loop_vars, **options)
        shapes = options.get("shape_invariants")
        invariants = None if shapes is None else [shape._dims for shape in flatten(shapes)]
        flat = [as_tensor(x) for x in flatten(loop_vars, True)]
        limit = options.get("maximum_iterations")
        return graph_while(goes_on, once, loop_vars, flat, invariants, limit, columns=self.columns)

    def _goes_on(self, more: Callable[..., Any] | None, counters: Sequence[Any]) -> Any:
        found: Any = True if more is None else more(*counters)
        if self.test is None:
            return found
        again = self.test()
        if isinstance(again, Tensor):
            check_condition(again, "while loop")
        return again if more is None else logical_and.of(as_tensor(found), as_tensor(again))

    def _completed(
        self, start: tuple[Any, ...], step: Callable[..., Any], counters: Sequence[Any]
    ) -> tuple[tuple[Any, ...], list[int]]:
        """The state before the loop, with zeros for what only its body gives a value; and where these are."""
        missing = [i for i, x in enumerate(start) if is_missing(x) or x is None]
        if not missing:
            return start, []

        def one_step() -> tuple[Any, ...]:
            step(*counters)
            return self.get_state()

        after = _tried(one_step, self.get_state, self.set_state)
        found = list(start)
        for i in missing:
            if holds_tensors(after[i]):
                found[i] = map_structure(_zeros_of, after[i], expand_composites=True)
        return tuple(found), [i for i in missing if is_missing(start[i]) and holds_tensors(after[i])]

    def _check(self, entered: Sequence[Any], left: Sequence[Any], staged: Sequence[int]) -> None:
        """A loop variable keeps its structure, dtype and shape."""
        for i, (name, before, after) in enumerate(zip(self.names, entered, left)):
            if i in staged:
                _check_variable(name, before, after, bool(self.opts.get("shape_invariants")))
            elif before is not after and not is_missing(before):
                raise ValueError(
                    f"'{name}' is {after!r} after a step of the loop, and {before!r} before: a value that the loop "
                    f"changes has to be a tensor, before the loop too."
                )

    def _options(
        self, counters: Sequence[Any], start: Sequence[Any], staged: Sequence[int]
    ) -> dict[str, Any]:
        """Arguments of ``while_loop``."""
        opts = self.opts
        found = {
            key: opts[key]
            for key in ("parallel_iterations", "swap_memory", "maximum_iterations")
            if key in opts
        }
        given = {id(x): shape for x, shape in opts.get("shape_invariants") or ()}
        if given or self.shapes is not None:
            invariants: list[Any] = (
                [as_tensor(x).shape for x in counters] if self.shapes is None else self.shapes
            )
            invariants = [TensorShape(shape) for shape in invariants]
            for i in staged:
                whole = given.get(id(start[i]))
                leaves = [given.get(id(leaf), _shape_of(leaf)) for leaf in flatten(start[i])]
                invariants.append(pack_sequence_as(start[i], leaves) if whole is None else whole)
            found["shape_invariants"] = tuple(invariants)
        return found


def _shape_of(x: Any) -> Any:
    return None if isinstance(x, TensorArray) else as_tensor(x).shape


def _loop_variable(x: Any) -> Any:
    return x if isinstance(x, TensorArray) else as_tensor(x)


def _is_vague(shape: Any) -> bool:
    return shape is None or None in shape


def _zeros_of(x: Any) -> Any:
    if not isinstance(x, TensorArray) and _is_vague(shape_of(as_tensor(x))):
        raise ValueError(
            f"A value of shape {as_tensor(x).shape} that the loop makes must have a value before the loop, since its "
            f"shape is not known here."
        )
    return nothing_like(x)


def _check_variable(name: str, before: Any, after: Any, free_shape: bool) -> None:
    if after is None or is_missing(after):
        raise ValueError(f"'{name}' is None at the end of the iteration.")
    try:
        assert_same_structure(before, after, expand_composites=True)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"'{name}' does not have the same nested structure after one iteration.\n\n{error}"
        ) from None
    for x, y in zip(flatten(before, True), flatten(after, True), strict=True):
        if isinstance(x, TensorArray):
            continue
        y = as_tensor(y, x.dtype) if isinstance(y, (bool, int, float)) and _fits(y, x) else as_tensor(y)
        old, new = from_numpy(dtype_of(x)), from_numpy(dtype_of(y))
        if old is not new:
            raise TypeError(
                f"'{name}' has dtype {old.name} before the loop, but dtype {new.name} after one iteration"
            )
        shapes = TensorShape._of(shape_of(x)), TensorShape._of(shape_of(y))
        if not free_shape and not shapes[1].is_subtype_of(shapes[0]):
            raise ValueError(
                f"'{name}' has shape {shapes[0]} before the loop, but shape {shapes[1]} after one iteration. Use "
                f"tf.autograph.experimental.set_loop_options to set shape invariants."
            )


def _fits(y: Any, x: Any) -> bool:
    kind = dtype_of(x).kind
    return isinstance(y, bool) == (kind == "b") and not (isinstance(y, float) and kind in "iu")
