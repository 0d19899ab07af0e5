"""A function traced for one kind of arguments: ``ConcreteFunction``, and how it is traced and called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gradtape._src.control.body import after_parts
from gradtape._src.control.subgraph import effects_of
from gradtape._src.core.context import current, under
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.nest import assert_same_structure, flatten, pack_sequence_as
from gradtape._src.core.op import apply
from gradtape._src.core.shapes import compatible
from gradtape._src.core.specs import TensorSpec
from gradtape._src.core.tensor_shape import TensorShape
from gradtape._src.core.values import EagerTensor, Tensor, dtype_of, shape_of
from gradtape._src.function.body import Body, as_raw, depth
from gradtape._src.function.described import described, described_output, described_parameters, signature_text
from gradtape._src.function.func_graph import FuncGraph
from gradtape._src.function.signature import Signature, held, is_tensor_leaf
from gradtape._src.function.traced import bound, bound_flat, traced_parameters
from gradtape._src.graph.ir import Symbol, current_graph
from gradtape._src.graph.names import Names
from gradtape._src.ops.arrays import identity
from gradtape._src.ops.variables import Variable


class ConcreteFunction:
    """What ``tf.function(f).get_concrete_function(...)`` gives: f as a graph, for arguments of one kind.

    Call it with the tensors, in the order of the parameters or by name; Python values that were part of the trace may
    be left out.

    Attributes:
      graph: the graph of the function.
      structured_input_signature: (args, kwargs) with ``tf.TensorSpec``s in place of tensors.
      structured_outputs: what the function returns, with the symbols of the graph.

    >>> import gradtape as tf
    >>> square = tf.function(lambda x: x * x).get_concrete_function(tf.TensorSpec([None], tf.float32))
    >>> print(square(tf.constant([1.0, 2.0])))
    tf.Tensor([1. 4.], shape=(2,), dtype=float32)

    As TensorFlow 2.21.
    """

    def __init__(
        self, graph: FuncGraph, signature: Signature, args: Any, kwargs: Any, leaves: Sequence[int]
    ) -> None:
        self.graph = graph
        self.structured_input_signature = graph.structured_input_signature
        self.structured_outputs = graph.structured_outputs
        self._signature = signature
        self._parameters = traced_parameters(signature, args, kwargs)
        self._flat_names = [symbol.op.name for symbol in graph.inputs]
        self._leaves = leaves  # the positions of the tensors among the flat arguments
        self._captured = [outside for outside, _ in graph.captures.values()]
        self._captured_arrays = [x._data if type(x) is EagerTensor else None for x in self._captured]
        self._all_eager = all(type(x) is EagerTensor for x in self._captured)
        variables = graph.variables
        self._watched = [variable for variable in variables if variable._trainable]
        inputs = [*graph.inputs, *(symbol for _, symbol in graph.captures.values()), *variables]
        self._variables = list(variables)
        self._body = Body(graph.name, graph, inputs, graph.outputs, effects_of(graph.operations, inputs))
        structure = graph.structured_outputs
        self._single = len(graph.outputs) == 1 and structure is graph.outputs[0]
        self._holes = [i for i, x in enumerate(flatten(structure, True)) if x is None]

    # ---- what it is

    @property
    def name(self) -> bytes:
        """A name that no other function has."""
        return f"__inference_{self.graph.name}_{id(self) % 100000}".encode()

    @property
    def inputs(self) -> list[Any]:
        """The symbols of the arguments, and of what is captured."""
        return [*self.graph.inputs, *(symbol for _, symbol in self.graph.captures.values())]

    @property
    def outputs(self) -> list[Any]:
        """The symbols of the results."""
        return list(self.graph.outputs)

    @property
    def captured_inputs(self) -> list[Any]:
        """The tensors and variables from outside of the function that it uses."""
        return [*self._captured, *(variable.handle for variable in self._variables)]

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables that it uses."""
        return tuple(self._variables)

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """Those that tapes watch."""
        return tuple(self._watched)

    @property
    def output_dtypes(self) -> Any:
        """The dtypes of the results, in their structure."""
        return self._of_outputs(lambda x: from_numpy(dtype_of(x)), None)

    @property
    def output_shapes(self) -> Any:
        """The shapes of the results, as far as they are known, in their structure."""
        return self._of_outputs(lambda x: TensorShape._of(shape_of(x)), TensorShape(None))

    def _of_outputs(self, f: Callable[[Any], Any], otherwise: Any) -> Any:
        flat = flatten(self.structured_outputs)
        return pack_sequence_as(self.structured_outputs, [otherwise if x is None else f(x) for x in flat])

    def pretty_printed_signature(self, verbose: bool = True) -> str:
        """The parameters and results as text."""
        if not verbose:
            return signature_text(self._parameters, self.structured_outputs)
        captures = [
            f"  {id(s)}: {described(TensorSpec(x.shape, x.dtype))}" for x, s in self.graph.captures.values()
        ]
        captures += [f"  {id(v)}: {described(TensorSpec([], v.handle.dtype))}" for v in self._variables]
        return "\n".join(
            [
                "Input Parameters:",
                *described_parameters(self._parameters),
                "Output Type:",
                f"  {described_output(self.structured_outputs)}",
                "Captures:",
                *(captures or ["  None"]),
            ]
        )

    def __str__(self) -> str:
        return f"ConcreteFunction {self.pretty_printed_signature()}"

    def __repr__(self) -> str:
        return f"<ConcreteFunction {self.pretty_printed_signature(verbose=False)} at 0x{id(self):X}>"

    # ---- calling it

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.call_flat(self._bound(args, kwargs))

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """The tensors of a call, in order."""
        inputs = self.graph.inputs
        if not kwargs and len(args) == len(inputs) and all(isinstance(x, Tensor) for x in args):
            return self._checked(args)
        try:
            return self._checked(bound(self._parameters, args, kwargs))
        except TypeError as error:
            failed = self._signature.binding_failed(
                str(error), args, kwargs, self.pretty_printed_signature(False)
            )
        try:
            return self._checked(bound_flat(self.graph.name, self._flat_names, args, kwargs))
        except TypeError as error:
            raise TypeError(f"{failed}\nFallback to flat signature also failed due to: {error}") from None

    def _call_with_flat_signature(self, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        return self.call_flat(self._checked(bound_flat(self.graph.name, self._flat_names, args, kwargs)))

    def _checked(self, args: Sequence[Any]) -> list[Any]:
        """The arguments as tensors of the dtypes, and while a graph is built of the shapes, that were traced."""
        found = []
        strict = current_graph() is not None
        for i, (x, symbol) in enumerate(zip(args, self.graph.inputs, strict=True)):
            wanted = symbol._ghost
            dtype = from_numpy(wanted.dtype)
            x = as_tensor(x) if hasattr(x, "dtype") else as_tensor(x, dtype)
            if dtype_of(x) != wanted.dtype:
                name = self.name.decode()
                raise InvalidArgumentError.of(
                    f"cannot compute {name} as input #{i}(zero-based) was expected to be a {_kind(dtype)} tensor but "
                    f"is a {_kind(from_numpy(dtype_of(x)))} tensor [Op:{name}]"
                )
            if strict and not compatible(shape_of(x), wanted.shape):
                given, traced = TensorSpec(x.shape, x.dtype), TensorSpec(symbol.shape, dtype)
                raise TypeError(
                    f"Can not cast {given} to {traced}. The function was traced for this shape; give "
                    f"get_concrete_function a tf.TensorSpec with None for dimensions that vary."
                )
            found.append(x)
        return found

    def name_inputs(self, names: Sequence[str | None]) -> None:
        """Gives the tensors among the arguments other names, where there are some."""
        if not any(names):
            return
        taken = Names()
        given = [name or old for name, old in zip(names, self._flat_names, strict=True)]
        self._flat_names = [taken.unique(_valid(name)) for name in given]
        flat = flatten(self.structured_input_signature, True)
        new = iter(given)
        flat = [TensorSpec(x.shape, x.dtype, next(new)) if isinstance(x, TensorSpec) else x for x in flat]
        self.structured_input_signature = pack_sequence_as(self.structured_input_signature, flat, True)

    def call_flat(self, leaves: list[Any]) -> Any:
        """The function of the tensors ``leaves``, in the structure of its results."""
        interpreter, recorders = current()
        if interpreter is None and not recorders and self._all_eager:
            raw = [x._data for x in leaves]
            found = self._body(*raw, *self._captured_arrays, *self._variables)
            if self._single:
                return EagerTensor(as_raw(found[0]))
            return self._packed([EagerTensor(as_raw(part)) for part in found])
        body = self._body
        args = (*leaves, *self._captured, *self._variables)
        for recorder in recorders:
            for variable in self._watched:
                recorder.record_access(variable)
        if recorders:
            body = body.extended(depth(args, recorders))
        with after_parts([self.graph]):
            out = apply(body.call, args, {})
        n = len(self.graph.outputs)
        return self._packed(list(out[:n]) if n else [])

    def _packed(self, found: list[Any]) -> Any:
        if self._single:
            return found[0]
        for i in self._holes:
            found.insert(i, None)
        return pack_sequence_as(self.structured_outputs, found, True)


def _kind(dtype: Any) -> str:
    name: str = dtype.name
    return {"float32": "float", "float64": "double", "float16": "half"}.get(name, name)


def trace(
    function: Callable[..., Any],
    name: str,
    signature: Signature,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    shapes: Sequence[Any] | None = None,
    may_create: bool | None = False,
) -> ConcreteFunction:
    """Runs a function once, with symbols in place of the tensors among its arguments.

    Args:
      shapes: of the inputs, where they are to be more general than those of the arguments.
      may_create: whether variables may be created; None: not any more.
    """
    graph = FuncGraph(name, current_graph(), may_create)
    flat = flatten((args, kwargs), True)
    leaves = [i for i, x in enumerate(flat) if is_tensor_leaf(x)]
    symbolic = list(flat)
    specs = list(map(held, flat))
    kept = list(specs)
    names = iter(_names(signature, args, kwargs))
    for k, (i, label) in enumerate(
        zip(leaves, [n for n, x in zip(names, flat, strict=True) if is_tensor_leaf(x)])
    ):
        x = flat[i]
        x = x if isinstance(x, (Tensor, TensorSpec)) else as_tensor(x)
        shape = shapes[k] if shapes is not None else x.shape._dims
        dtype = x.dtype.np
        label = getattr(x, "name", None) or label if isinstance(x, TensorSpec) else label
        symbolic[i] = graph.add_input(shape, dtype, _valid(label), x)
        specs[i] = TensorSpec(TensorShape._of(shape), x.dtype, label)
        kept[i] = TensorSpec(TensorShape._of(shape), x.dtype)
    structure = (args, kwargs)
    graph.structured_input_signature = pack_sequence_as(structure, specs, True) if flat else structure
    symbolic_args, symbolic_kwargs = pack_sequence_as(structure, symbolic, True) if flat else structure
    with under(graph, ()):
        result = function(*symbolic_args, **symbolic_kwargs)
        if flat:
            before = pack_sequence_as(structure, symbolic, True)
            _check_unmodified(signature, before, (symbolic_args, symbolic_kwargs))
        _take_outputs(graph, function, result)
    graph.forget_values()
    traced_args, traced_kwargs = pack_sequence_as(structure, kept, True) if flat else structure
    return ConcreteFunction(graph, signature, traced_args, traced_kwargs, leaves)


def _check_unmodified(signature: Signature, before: Any, after: Any) -> None:
    """The function has left the lists and dictionaries among its arguments as they were."""
    try:
        assert_same_structure(before, after, expand_composites=True)
        pairs = zip(flatten(before, True), flatten(after, True), strict=True)
        if all(x is y for x, y in pairs if isinstance(x, Tensor)):
            return
    except (TypeError, ValueError):
        pass
    raise ValueError(
        f"{signature.function_name}{signature.signature} should not modify its Python input arguments. Check if it "
        f"modifies any lists or dicts passed as arguments. Modifying a copy is allowed."
    )


def _take_outputs(graph: FuncGraph, function: Any, result: Any) -> None:
    """Makes what the function returned the outputs of its graph."""
    structured: list[Any] = []
    for x in flatten(result, True):
        if x is None:
            structured.append(None)
            continue
        try:
            symbol = graph.input(as_tensor(x))
        except (TypeError, ValueError) as error:
            if isinstance(x, Tensor):
                raise
            raise TypeError(
                f"To be compatible with tf.function, Python functions must return zero or more Tensors or "
                f"ExtensionTypes or None values; in compilation of {function}, found return value of type "
                f"{type(x).__name__}, which is not a Tensor or ExtensionType."
            ) from error
        structured.append(graph.apply(identity, (symbol,), {}, "Identity"))
    graph.outputs = [symbol for symbol in structured if symbol is not None]
    graph.structured_outputs = pack_sequence_as(result, structured, True)


def _names(signature: Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[str]:
    """The name of the parameter of each flat argument."""
    names: list[str] = []
    positional = signature.positional
    for i, arg in enumerate(args):
        name = positional[i] if i < len(positional) else f"{signature.starred}_{i - len(positional)}"
        names += [name] * len(flatten(arg, True))
    for key in sorted(kwargs):
        names += [key] * len(flatten(kwargs[key], True))
    return names


def _valid(name: str) -> str:
    return name.lstrip("_") or "input"
