"""``tf.function``: a Python function that is traced into a graph, once for each kind of arguments."""

from __future__ import annotations

import functools
import inspect
import weakref
from collections.abc import Callable
from functools import partial
from threading import RLock
from typing import Any

from gradtape._src.core.context import current_interpreter
from gradtape._src.core.errors import OperatorNotAllowedInGraphError
from gradtape._src.core.log import warn
from gradtape._src.core.nest import flatten
from gradtape._src.core.shapes import compatible, relax
from gradtape._src.core.specs import TensorSpec
from gradtape._src.function import running
from gradtape._src.function.concrete import ConcreteFunction, trace
from gradtape._src.function.func_graph import root_graph
from gradtape._src.function.signature import Signature, is_tensor_leaf, key_of

_TOO_OFTEN = (
    "{traces} out of the last {calls} calls to {function} triggered tf.function retracing. Tracing is expensive and "
    "the excessive number of tracings could be due to (1) creating @tf.function repeatedly in a loop, (2) passing "
    "tensors with different shapes, (3) passing Python objects instead of tensors. For (1), please define your "
    "@tf.function outside of the loop. For (2), @tf.function has reduce_retracing=True option that can avoid "
    "unnecessary retracing. For (3), please refer to https://www.tensorflow.org/guide/function#controlling_retracing "
    "and https://www.tensorflow.org/api_docs/python/tf/function for  more details."
)


class _History:
    """The calls of a piece of code, by whatever function, and which of them traced it."""

    def __init__(self) -> None:
        self.calls = 0
        self._traced_at: list[int] = []
        self._warned = 0

    def traced(self, function: Any) -> None:
        """Warns, twice at most, of code that is traced in five of its last ten calls."""
        self._traced_at = [call for call in self._traced_at if call > self.calls - 10] + [self.calls]
        if len(self._traced_at) >= 5 and self._warned < 2:
            self._warned += 1
            calls = self.calls - self._traced_at[0] + 1
            warn(_TOO_OFTEN.format(traces=len(self._traced_at), calls=calls, function=function))


_histories: weakref.WeakKeyDictionary[Any, _History] = weakref.WeakKeyDictionary()


def _history_of(function: Any) -> _History:
    function = inspect.unwrap(function)
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return _History() if code is None else _histories.setdefault(code, _History())


class Function:
    """What `tf.function` makes of a Python function."""

    autograph_info__: dict[str, Any] = {}  # converted code calls it as it is

    def __init__(
        self,
        python_function: Callable[..., Any],
        name: str,
        input_signature: Any = None,
        autograph: bool = True,
        reduce_retracing: bool = False,
        skipped: int = 0,
    ) -> None:
        if not callable(python_function):
            raise TypeError(f"{python_function!r} is not a callable object")
        functools.update_wrapper(self, python_function, updated=())
        self._python_function = python_function
        self._name = name
        self._autograph = autograph
        self._reduce_retracing = reduce_retracing
        self._signature = Signature(python_function, input_signature, skipped)
        self._input_signature = input_signature
        self._instance: Any = None  # of a method: a weak reference to its object
        self._bound: dict[int, tuple[Any, Function]] = {}
        self._concrete: dict[Any, ConcreteFunction] = {}
        self._traced: list[tuple[Any, Any, ConcreteFunction]] = []
        self._traces = 0
        self._history = _history_of(python_function)
        self._created = False
        self._lock = RLock()

    # ---- what it is

    @property
    def python_function(self) -> Callable[..., Any]:
        """The Python function."""
        return self._python_function

    @property
    def name(self) -> str:
        """The name of the Python function."""
        return self._name

    @property
    def input_signature(self) -> Any:
        """As given."""
        return self._signature.input_signature

    def experimental_get_tracing_count(self) -> int:
        """How often the Python function was traced."""
        return self._traces

    def pretty_printed_concrete_signatures(self, verbose: bool = True) -> str:
        """The signatures of all traces as text."""
        return "\n\n".join(c.pretty_printed_signature(verbose) for c in self._list_all_concrete_functions())

    def _list_all_concrete_functions(self) -> list[ConcreteFunction]:
        return list({id(c): c for _, _, c in self._traced}.values())

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """The function as a method: with traces of its own for each object."""
        if instance is None:
            return self
        key = id(instance)
        found = self._bound.get(key)
        if found is not None and found[0]() is instance:
            return found[1]
        method = Function(
            self._python_function,
            self._name,
            self._method_signature(),
            self._autograph,
            self._reduce_retracing,
            1,
        )
        try:
            method._instance = weakref.ref(instance, lambda _: self._bound.pop(key, None))
        except TypeError:
            method._instance = lambda: instance
        method.__signature__ = method._signature.signature  # type: ignore[attr-defined]
        self._bound[key] = (method._instance, method)
        return method

    def _method_signature(self) -> Any:
        return self._input_signature

    def __reduce__(self) -> Any:
        options = (self._input_signature, self._autograph, self._reduce_retracing)
        return Function, (self._python_function, self._name, *options)

    def __deepcopy__(self, memo: Any) -> Function:
        return self._again(self._python_function)

    def _again(self, python_function: Callable[..., Any]) -> Function:
        return Function(
            python_function, self._name, self._input_signature, self._autograph, self._reduce_retracing
        )

    # ---- calling it

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if running._eagerly:
            return self._run_eagerly(args, kwargs)
        self._history.calls += 1
        args, kwargs = self._signature.bind(args, kwargs)
        if self._signature.input_signature is not None:
            args, kwargs = self._signature.cast(args, kwargs)
        leaves: list[Any] = []
        key = [key_of(x, leaves) for x in args]
        if kwargs:
            key.append(key_of(kwargs, leaves))
        key.append(None if current_interpreter() is None else _root())
        concrete = self._concrete.get(tuple(key))
        if concrete is None:
            traces = self._traces
            concrete = self._found_or_traced(tuple(key), args, kwargs, leaves)
            if self._traces > traces and current_interpreter() is None:
                self._history.traced(self._python_function)
        return concrete.call_flat(leaves)

    def _run_eagerly(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        instance = () if self._instance is None else (self._instance(),)
        return self._python_function(*instance, *args, **kwargs)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The trace for arguments of this kind: tensors or ``tf.TensorSpec``s, and Python values.

        >>> import gradtape as tf
        >>> double = tf.function(lambda x: 2 * x)
        >>> double.get_concrete_function(tf.TensorSpec([], tf.float32))(tf.constant(3.0)).numpy()
        np.float32(6.0)
        """
        if not args and not kwargs and self._signature.input_signature is not None:
            args = self._signature.input_signature
        args, kwargs = self._signature.bind(args, kwargs)
        if self._signature.input_signature is not None:
            args, kwargs = self._signature.cast(args, kwargs)
            first = self._signature.unconstrained
            behind = args[first + len(self._signature.input_signature) :]
            args = (*args[:first], *self._signature.input_signature, *behind)
        leaves: list[Any] = []
        key = [key_of(x, leaves) for x in args]
        if kwargs:
            key.append(key_of(kwargs, leaves))
        key.append(None if current_interpreter() is None else _root())
        exact = self._concrete.get(tuple(key))
        found = exact or self._found_or_traced(tuple(key), args, kwargs, leaves)
        found.name_inputs([x.name if isinstance(x, TensorSpec) else None for x in leaves])
        return found

    # ---- tracing it

    def _found_or_traced(self, key: Any, args: Any, kwargs: Any, leaves: list[Any]) -> ConcreteFunction:
        with self._lock:
            if self._signature.input_signature is not None:
                specs = flatten(self._signature.input_signature)
                shapes: Any = [s.shape._dims for s in specs] + [x.shape._dims for x in leaves[len(specs) :]]
            else:
                shapes = [x.shape._dims for x in leaves]
            kind = _without_shapes(key)
            found = self._more_general(kind, shapes)
            if found is None:
                if self._reduce_retracing:
                    shapes = self._relaxed(kind, shapes)
                found = self._trace(args, kwargs, shapes)
                self._traced.append((kind, shapes, found))
            self._concrete[key] = found
            return found

    def _more_general(self, kind: Any, shapes: list[Any]) -> ConcreteFunction | None:
        """The trace whose shapes hold these ones, the narrowest of several."""
        best = None
        for other, wider, concrete in self._traced:
            if other == kind and all(map(_within, shapes, wider)):
                if best is None or all(map(_within, wider, best[0])):
                    best = (wider, concrete)
        return None if best is None else best[1]

    def _relaxed(self, kind: Any, shapes: list[Any]) -> list[Any]:
        for other, known, _ in reversed(self._traced):
            if other == kind:
                return [relax(a, b) for a, b in zip(shapes, known, strict=True)]
        return shapes

    def _trace(self, args: Any, kwargs: Any, shapes: Any) -> ConcreteFunction:
        first = not self._traced and not self._created
        may_create = True if first else False if self._created else None
        concrete = self._traced_once(args, kwargs, shapes, may_create)
        if concrete.graph.created:
            # The second trace finds the variables there; one that makes new ones each time is refused.
            self._created = True
            concrete = self._traced_once(args, kwargs, shapes, False)
        return concrete

    def _traced_once(self, args: Any, kwargs: Any, shapes: Any, may_create: bool | None) -> ConcreteFunction:
        self._traces += 1
        function = self._python_function
        if self._instance is not None and hasattr(function, "__get__"):
            instance = self._instance()  # None if nobody holds the object any more
            function = function.__get__(instance) if instance is not None else partial(function, None)
        forms = running.attempts(function, self._autograph, flatten((args, kwargs)))
        for form in forms[:-1]:
            try:
                return trace(form, self._name, self._signature, args, kwargs, shapes, may_create)
            except OperatorNotAllowedInGraphError:
                pass  # there is control flow that the look at the code has missed
        return trace(forms[-1], self._name, self._signature, args, kwargs, shapes, may_create)


def _root() -> Any:
    """The graph of the user's that is being built: what a trace belongs to."""
    graph = root_graph()
    return None if graph is None else weakref.ref(graph)


def _without_shapes(key: Any) -> Any:
    """A key, or a part of one, with the shapes of tensors taken out."""
    if type(key) is tuple and len(key) == 2 and hasattr(key[0], "itemsize"):
        return key[0]
    return tuple(map(_without_shapes, key)) if type(key) is tuple else key


def _within(shape: Any, wider: Any) -> bool:
    """Whether every value of one shape has the other."""
    if wider is None:
        return True
    return (
        shape is not None
        and len(shape) == len(wider)
        and all(w is None or w == d for d, w in zip(shape, wider))
    )


def function(
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    experimental_implements: str | None = None,
    experimental_autograph_options: Any = None,
    experimental_attributes: Any = None,
    experimental_relax_shapes: bool | None = None,
    experimental_compile: bool | None = None,
    experimental_follow_type_hints: bool | None = None,
) -> Any:
    """Makes of a Python function one that is traced into a graph, and executed from the graph ever after.

        trace = traces.get(kind of the arguments) or the operations that func(*symbols) asks for
        return the results of trace, executed

    The kind of a tensor is its dtype and shape, that of a Python value the value itself. While the function is traced
    its tensors have no values yet, and Python code runs as it always does: once for each trace. `if`, `while`, `for`,
    `and`, `or`, `not` and `assert` on tensors become `tf.cond`, `tf.while_loop`, … (AutoGraph). Gradients go through
    calls as through operations, and can be taken inside.

    Args:
      func: the function; without it, a decorator is returned.
      input_signature: a sequence of `tf.TensorSpec`, one for each parameter: there is one trace, for these.
      autograph: whether to convert Python's control flow.
      reduce_retracing: a second trace for another shape is made for all shapes that agree where the two do.
      jit_compile, experimental_implements, experimental_autograph_options, experimental_attributes: without effect.
      experimental_relax_shapes: the older name of ``reduce_retracing``.
      experimental_compile, experimental_follow_type_hints: older names, without effect.

    Raises:
      TypeError: ``func`` cannot be called; a signature that does not fit; (when called) arguments that do not fit, or
        a result that is no tensor.
      ValueError: (when called) variables are created in a later call than the first, or in each.

    >>> import gradtape as tf
    >>> @tf.function
    ... def power(x, n):
    ...     print("tracing")
    ...     y = x
    ...     for _ in range(n - 1):
    ...         y = y * x
    ...     return y
    >>> print(power(tf.constant(2.0), 3))
    tracing
    tf.Tensor(8.0, shape=(), dtype=float32)
    >>> print(power(tf.constant(3.0), 3))
    tf.Tensor(27.0, shape=(), dtype=float32)

    As TensorFlow 2.21.
    """
    relax_shapes = bool(reduce_retracing or experimental_relax_shapes)

    def decorated(f: Callable[..., Any]) -> Function:
        name = getattr(f, "__name__", None) or getattr(getattr(f, "func", None), "__name__", None)
        name = "lambda" if name == "<lambda>" else name or type(f).__name__
        return Function(f, name, input_signature, autograph, relax_shapes)

    return decorated if func is None else decorated(func)
