"""Python functions as operations: executed whenever the graph is, on tensors that have their values.

``py_function`` can be differentiated: while its function runs, a tape records it, and the gradient is that tape's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import numpy as np

from gradtape._src.autodiff.tape import GradientTape
from gradtape._src.control.body import is_symbolic
from gradtape._src.core.context import under
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, from_numpy, is_differentiable_np
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.nest import flatten, pack_sequence_as
from gradtape._src.core.notes import note
from gradtape._src.core.op import Op
from gradtape._src.core.specs import TensorSpec
from gradtape._src.core.values import EagerTensor, dtype_of, shape_of
from gradtape._src.graph.ir import current_graph
from gradtape._src.ops.indexed_slices import dense
from gradtape._src.ops.sequences import Sequence as Sequence_
from gradtape._src.ops.variables import Variable

OBJECT = np.dtype(object)


def py_function(func: Any = None, inp: Any = None, Tout: Any = None, name: str | None = None) -> Any:
    """Calls a Python function on tensors with values, whenever the graph is executed.

        func(*inp), in eager mode

    Args:
      func: a function of the tensors; it may do anything that Python can.
      inp: a list of tensors.
      Tout: the dtype of its result, or a list of them; ``tf.TensorSpec``s say the shapes too. None or [] if it gives
        nothing.

    Returns:
      A tensor for a single ``Tout``, a list for a list. Gradients flow to ``inp``, to any order, though not to
      variables that ``func`` reads.

    Raises:
      InvalidArgumentError: (when executed) it gives another number or dtype of results.

    >>> import gradtape as tf
    >>> @tf.function
    ... def f(x):
    ...     return tf.py_function(lambda v: v ** 2 if v.numpy() > 0 else -v, [x], tf.float32)
    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = f(x)
    >>> y.numpy(), tape.gradient(y, x).numpy()
    (np.float32(9.0), np.float32(6.0))

    As TensorFlow 2.21.
    """
    return _called(_on_tensors(func), inp, Tout, name, differentiable=True)


def numpy_function(
    func: Any = None, inp: Any = None, Tout: Any = None, stateful: bool = True, name: str | None = None
) -> Any:
    """Calls a Python function on NumPy arrays, whenever the graph is executed. It has no gradient.

    Args:
      func: a function of arrays; it gives arrays of the dtypes ``Tout``.
      inp: a list of tensors.
      Tout: the dtype of its result, or a list of them.
      stateful: False allows calls to be left out or merged.

    Without ``func`` it is a decorator, which makes a function of tensors.

    Raises:
      InvalidArgumentError: (when executed) it gives another number or dtype of results.

    >>> import numpy as np
    >>> import gradtape as tf
    >>> tf.function(lambda x: tf.numpy_function(np.cbrt, [x], tf.float32))(tf.constant(8.0)).numpy()
    np.float32(2.0)

    As TensorFlow 2.21.
    """
    if func is None:
        return lambda f: wraps(f)(lambda *args: numpy_function(f, args, Tout, stateful, name))
    return _called(_on_arrays(func), list(inp), Tout, name, differentiable=False, stateful=stateful)


def _on_tensors(func: Any) -> Callable[..., Any]:
    def call(*tensors: Any) -> Any:
        return func(*tensors)

    return call


def _on_arrays(func: Any) -> Callable[..., Any]:
    def call(*tensors: Any) -> Any:
        return func(*[tensor.numpy() for tensor in tensors])

    return call


def _called(
    func: Callable[..., Any], inp: Any, Tout: Any, name: Any, differentiable: bool, stateful: bool = True
) -> Any:
    inputs = (
        [as_tensor(x) for x in (inp if isinstance(inp, (list, tuple)) else [inp])] if inp is not None else []
    )
    single = Tout is not None and not isinstance(Tout, (list, tuple))
    wanted = [] if Tout is None else flatten(Tout)
    dtypes = tuple(spec.dtype if isinstance(spec, TensorSpec) else as_dtype(spec) for spec in wanted)
    shapes = tuple(spec.shape._dims if isinstance(spec, TensorSpec) else None for spec in wanted)
    if not is_symbolic():
        if differentiable:
            found = _results(func(*inputs), dtypes)
        else:
            note("left", "tf.numpy_function", inputs)
            with under(None, ()):
                found = _results(func(*inputs), dtypes, True)
    else:
        op = eager_py_func if differentiable else (numpy_func if stateful else stateless_numpy_func)
        out = op.of(*inputs, func=func, dtypes=dtypes, shapes=shapes, name=name)
        found = list(out[: len(dtypes)])
        if not found:
            return current_graph().operations[-1]  # type: ignore[union-attr]
    if not found:
        return None if Tout is None else []
    return found[0] if single else pack_sequence_as(Tout, found) if Tout is not None else found


def _results(found: Any, dtypes: Sequence[Any], of_arrays: bool = False) -> list[Any]:
    """What the function gave as tensors of these dtypes: those of ``numpy_function`` must have them."""
    if not dtypes:
        return []
    flat = list(found) if isinstance(found, (list, tuple)) and len(dtypes) != 1 else [found]
    if len(dtypes) == 1 and isinstance(found, (list, tuple)) and len(found) == 1:
        flat = list(found)
    if len(flat) != len(dtypes):
        raise InvalidArgumentError.of(
            f"pyfunc returns {len(flat)} values, but expects to see {len(dtypes)} values: as many as there are in Tout."
        )
    return [_result(x, dtype, i, of_arrays) for i, (x, dtype) in enumerate(zip(flat, dtypes, strict=True))]


def _result(x: Any, dtype: Any, i: int, of_arrays: bool) -> Any:
    if isinstance(x, Variable) or not hasattr(x, "dtype"):
        return as_tensor(x, dtype)
    if isinstance(x, (np.ndarray, np.generic)) and not of_arrays:
        return as_tensor(x, dtype)
    x = as_tensor(x)
    if dtype_of(x) != dtype.np:
        raise InvalidArgumentError.of(
            f"{i}-th value returned by pyfunc is {from_numpy(dtype_of(x)).name}, but expects {dtype.name}: convert "
            f"it, or change Tout."
        )
    return x


# --- Operations ---------------------------------------------------------------------------------------------


class _Recorded:
    """A call of the user's function, with the tape that has seen it."""

    def __init__(self, tape: GradientTape, inputs: list[Any], outputs: list[Any]) -> None:
        self.tape, self.inputs, self.outputs = tape, inputs, outputs

    def gradient(self, cotangents: Sequence[Any]) -> list[Any]:
        moving = [x for x in self.inputs if is_differentiable_np(dtype_of(x))]
        targets = [(y, g) for y, g in zip(self.outputs, cotangents, strict=True) if g is not None]
        found = self.tape.gradient([y for y, _ in targets], moving, output_gradients=[g for _, g in targets])
        return [_zeros(x) if ct is None else dense(ct) for ct, x in zip(found, moving, strict=True)]


def _zeros(x: Any) -> Any:
    return EagerTensor(np.zeros(shape_of(x), dtype_of(x)))


def _run(
    *arrays: Any, func: Any, dtypes: Any, shapes: Any, used: Sequence[bool] | None = None
) -> tuple[Any, ...]:
    inputs = list(map(EagerTensor, arrays))
    if used is not None and not used[-1]:
        with under(None, ()):
            return (*(y._data for y in _results(func(*inputs), dtypes)), None)
    with under(None, ()), GradientTape(persistent=True) as tape:
        tape.watch([x for x in inputs if is_differentiable_np(dtype_of(x))])
        outputs = _results(func(*inputs), dtypes)
    return (*(y._data for y in outputs), Sequence_([_Recorded(tape, inputs, outputs)]))


def _shapes(*args: Any, shapes: Any, **_: Any) -> list[Any]:
    return [*shapes, None]


def _dtypes(*args: Any, dtypes: Any, **_: Any) -> list[Any]:
    return [*(dtype.np for dtype in dtypes), OBJECT]


def _vjp(wanted: Any, g: Any, y: Any, *xs: Any, func: Any, dtypes: Any, shapes: Any, **_: Any) -> list[Any]:
    moving = [i for i, x in enumerate(xs) if is_differentiable_np(dtype_of(x))]
    arriving = [i for i, ct in enumerate(g[:-1]) if ct is not None and is_differentiable_np(dtypes[i].np)]
    if not moving or not arriving:
        return [None] * len(xs)
    spec = {
        "shapes": tuple(shape_of(xs[i]) for i in moving),
        "dtypes": tuple(from_numpy(dtype_of(xs[i])) for i in moving),
    }
    cts = [g[i] for i in arriving]
    found = py_func_grad(
        y[-1], *xs, *cts, func=func, arriving=tuple(arriving), n=len(dtypes), of=dtypes, **spec
    )
    by_input = dict(zip(moving, found, strict=True))
    return [by_input.get(i) for i in range(len(xs))]


eager_py_func = Op(
    "EagerPyFunc",
    _run,
    vjp_all=_vjp,
    multi=True,
    lazy=True,
    holomorphic=False,
    takes_none=True,
    shape=_shapes,
    dtype=_dtypes,
    stateful=True,
)
"""Outputs: the results, and the recorded call if anybody reads it."""


def _run_grad(recorded: Any, *args: Any, arriving: Any, n: int, **_: Any) -> tuple[Any, ...]:
    cotangents: list[Any] = [None] * n
    for i, g in zip(arriving, args[len(args) - len(arriving) :], strict=True):
        cotangents[i] = EagerTensor(g)
    with under(None, ()):
        return tuple(ct._data for ct in recorded[0].gradient(cotangents))


def _vjp_of_grad(
    wanted: Any,
    g: Any,
    y: Any,
    recorded: Any,
    *args: Any,
    func: Any,
    arriving: Any,
    n: int,
    of: Any,
    shapes: Any,
    dtypes: Any,
) -> list[Any]:
    """The gradient's gradient: that of the whole, forwards and backwards, as one function of the user's."""
    n_inputs = len(args) - len(arriving)

    def both(*tensors: Any) -> list[Any]:
        inputs = list(tensors[:n_inputs])
        moving = [x for x in inputs if is_differentiable_np(dtype_of(x))]
        with GradientTape(persistent=True) as tape:
            tape.watch(moving)
            outputs = _results(func(*inputs), of)
        cotangents: list[Any] = [None] * n
        for i, ct in zip(arriving, tensors[n_inputs:], strict=True):
            cotangents[i] = ct
        return _Recorded(tape, inputs, outputs).gradient(cotangents)

    again = eager_py_func(*args, func=both, dtypes=dtypes, shapes=shapes)
    found = _vjp(wanted[1:], (*g, None), again, *args, func=both, dtypes=dtypes, shapes=shapes)
    return [None, *found]


py_func_grad = Op(
    "EagerPyFuncGrad",
    _run_grad,
    vjp_all=_vjp_of_grad,
    multi=True,
    holomorphic=False,
    takes_none=True,
    shape=lambda *args, shapes, **_: list(shapes),
    dtype=lambda *args, dtypes, **_: [dtype.np for dtype in dtypes],
)


def _run_numpy(*arrays: Any, func: Any, dtypes: Any, shapes: Any) -> tuple[Any, ...]:
    with under(None, ()):
        return tuple(y._data for y in _results(func(*map(EagerTensor, arrays)), dtypes, True))


def _numpy_op(stateful: bool) -> Op:
    return Op(
        "PyFunc" if stateful else "PyFuncStateless",
        _run_numpy,
        multi=True,
        shape=lambda *args, shapes, **_: list(shapes),
        dtype=lambda *args, dtypes, **_: [dtype.np for dtype in dtypes],
        stateful=stateful,
    )


numpy_func, stateless_numpy_func = _numpy_op(True), _numpy_op(False)
