"""One step of an optimizer on one variable, as an operation on arrays.

A step is a function ``step(value, slots, gradient, rate, count, slices)`` that writes the new slots in place and gives
the new value. ``slices`` is None for a dense gradient; else it knows the rows that the gradient was the sum of. A step
that changes only these writes them in place too.

The arrays of variables are immutable for everybody else. A slot's array is written into only if nobody but the slot
holds it, which its reference count tells; otherwise the slot gets a copy first. So a step allocates little.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from sys import getrefcount
from typing import Any

import numpy as np

from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.notes import note
from gradtape._src.core.op import Op
from gradtape._src.core.shapes import compatible, in_brackets
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.graph.ir import current_graph
from gradtape._src.ops.casting import cast
from gradtape._src.ops.indexed_slices import IndexedSlices
from gradtape._src.ops.rows import out_of_range, sum_of_rows, within

Step = Callable[..., Any]


class Slices:
    """A gradient of rows: values at indices, of which some may come several times."""

    def __init__(self, values: np.ndarray, indices: np.ndarray, shape: tuple[int, ...]) -> None:
        if not within(indices, shape[0]):
            raise out_of_range(indices, shape[0], "indices", "[Op:ResourceScatterUpdate]")
        self.rows, places = np.unique(np.ravel(indices), return_inverse=True)
        self._places = places.reshape(-1)
        self._values = np.reshape(values, (self._places.size, *shape[1:]))
        self._shape = shape

    def of_rows(self, function: Callable[[Any], Any] | None = None) -> np.ndarray:
        """The sums over each of ``rows`` of the values, or of a function of each value."""
        values = self._values if function is None else function(self._values)
        return sum_of_rows((self.rows.size, *self._shape[1:]), self._places, values)

    def dense(self, function: Callable[[Any], Any] | None = None) -> np.ndarray:
        """The same sums in an array of the variable's shape."""
        sums = self.of_rows(function)
        out = np.zeros(self._shape, sums.dtype)
        out[self.rows] = sums
        return out


def _holders(variable: Any) -> int:
    return getrefcount(variable._data)


class _Probe:
    def __init__(self) -> None:
        self._data = np.zeros(1)


_ALONE = _holders(_Probe())  # counted as it is counted below: how a count comes about differs between Pythons


def writable(variable: Any) -> np.ndarray:
    """The array of a variable, after it was seen to that nobody else holds it."""
    data = vars(variable).get("_data")
    if type(data) is np.ndarray and data.base is None and data.flags.writeable:
        del data
        if _holders(variable) <= _ALONE:
            return variable._data
    own = np.array(variable._data)
    variable._replace(lambda _: own)
    return own


def _kernel(variable: Any, *args: Any, n_slots: int, step: Step, sparse: bool, rows_only: bool) -> tuple[()]:
    slots, arrays = args[:n_slots], args[n_slots:]
    states = [writable(slot) for slot in slots]
    old = writable(variable) if sparse and rows_only else np.asarray(variable._data)
    rate, count = arrays[-2], arrays[-1]
    slices = Slices(arrays[0], arrays[1], old.shape) if sparse else None
    gradient = arrays[0] if slices is None else None
    if old.ndim == 0:  # in-place arithmetic needs arrays, and numbers of no dimension are none
        gradient = np.reshape(arrays[0], 1)
        new = step(old.reshape(1), [state.reshape(1) for state in states], gradient, rate, count, slices)
        new = np.asarray(new).reshape(())
    else:
        new = step(old, states, gradient, rate, count, slices)
    variable._replace(lambda _: new)
    return ()


@cache
def _op(kind: str) -> Op:
    return Op(kind, _kernel, multi=True, shape=lambda *_, **params: [], dtype=np.dtype(bool), stateful=True)


def apply_step(
    kind: str,
    step: Step,
    variable: Any,
    slots: Sequence[Any],
    gradient: Any,
    rate: Any,
    count: Any,
    rows_only: bool = False,
) -> Any:
    """Changes a variable and its slots. In a graph it gives the operation, of the name ``kind``.

    Args:
      kind: the name of the operation.
      step: see this module.
      variable: the variable.
      slots: what the optimizer keeps for it.
      gradient: a tensor, or `tf.IndexedSlices`, of the dtype and shape of the variable.
      rate, count: the learning rate and the number of steps before; numbers, in a graph tensors.
      rows_only: whether the step changes only the rows of `tf.IndexedSlices`.

    Raises:
      InvalidArgumentError: in eager mode, a gradient of another shape; ValueError in a graph.
    """
    sparse = isinstance(gradient, IndexedSlices)
    parts = (gradient.values, gradient.indices) if sparse else (gradient,)
    have, given = variable._shape, shape_of(parts[0])
    if sparse:
        have, given = have and have[1:], given and given[1:]
    graph = current_graph()
    if have != given and not compatible(have, given):
        raise (ValueError if graph is not None else InvalidArgumentError.of)(
            f"Cannot update variable with shape {in_brackets(variable._shape)} using a Tensor with shape "
            f"{in_brackets(shape_of(parts[0]))}, shapes must be equal. [Op:{kind}]"
        )
    if dtype_of(parts[0]) != variable._ghost.dtype:
        parts = (cast.of(parts[0], dtype=variable._ghost.dtype), *parts[1:])
    if graph is None:
        note("state", "an optimizer's step", parts, (variable,))
        arrays = [part._data for part in parts]
        _kernel(
            variable,
            *slots,
            *arrays,
            rate,
            count,
            n_slots=len(slots),
            step=step,
            sparse=sparse,
            rows_only=rows_only,
        )
        return None
    args = (variable, *slots, *map(graph.input, (*parts, rate, count)))
    # The hyperparameters are read when the step is done, hence numbers of the graph come as NumPy's.
    params = {"n_slots": len(slots), "step": partial(_with_numbers, step), "sparse": sparse}
    params["rows_only"] = rows_only
    return graph.append(_op(kind), args, params, None)


def _with_numbers(
    step: Step, value: Any, slots: Any, gradient: Any, rate: Any, count: Any, slices: Any
) -> Any:
    return step(value, slots, gradient, float(rate), int(count), slices)
