"""The functions that users give to datasets: traced once, for elements of one spec, then executed for each element."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

from gradtape._src.control.subgraph import effects_of
from gradtape._src.core.context import under
from gradtape._src.core.errors import OperatorNotAllowedInGraphError
from gradtape._src.core.nest import flatten, map_structure
from gradtape._src.core.specs import TensorSpec
from gradtape._src.core.values import EagerTensor, Tensor
from gradtape._src.data.elements import (
    Leaves,
    dims_of,
    dtype_in_graphs,
    opened,
    packer,
    spec_of,
)
from gradtape._src.data.recipe import UNKNOWN, Recipe, Values, needs_of, valued
from gradtape._src.function.body import Body, as_raw
from gradtape._src.function.func_graph import FuncGraph
from gradtape._src.function.running import attempts
from gradtape._src.graph.ir import Symbol, current_graph
from gradtape._src.ops.arrays import identity
from gradtape._src.ops.sequences import Sequence


class ElementFunction:
    """A function of elements as a graph. What it computes is on no tape.

    Args:
      function: takes one argument for each spec; returns a nest of tensors and datasets.
      specs: of the arguments: nests of specs.
      wrap: makes a dataset of a recipe: what the function is given for a dataset.
      what: the name of the transformation, for messages and names.

    Attributes:
      spec: of the result.
      needs: the symbols of graphs around it that it uses.
    """

    def __init__(
        self, function: Callable[..., Any], specs: tuple[Any, ...], wrap: Callable[[Recipe], Any], what: str
    ) -> None:
        if not callable(function):
            raise TypeError(f"`{what}` needs a function of elements, received {function!r}.")
        self._wrap = wrap
        flat_args = [TensorSpec(s.shape, s.dtype) if isinstance(s, TensorSpec) else s for s in flatten(specs)]
        forms = attempts(function, True, flat_args)
        for i, form in enumerate(forms):
            try:
                graph, result = self._traced(form, specs, what)
                break
            except OperatorNotAllowedInGraphError:
                if i == len(forms) - 1:
                    raise
        with under(graph, ()):
            self._take(graph, result)
        graph.forget_values()
        captured = graph.captures.values()
        inputs = [*graph.inputs, *(symbol for _, symbol in captured), *graph.variables]
        self._body = Body(graph.name, graph, inputs, graph.outputs, effects_of(graph.operations, inputs))
        outside = [x for x, _ in captured]
        self._fixed = [x._data if type(x) is EagerTensor else x for x in outside]
        self.needs = needs_of(outside)
        self._variables = graph.variables

    def _traced(self, form: Callable[..., Any], specs: tuple[Any, ...], what: str) -> tuple[FuncGraph, Any]:
        graph = FuncGraph(f"Dataset_{what}", current_graph())
        with under(graph, ()):
            args = [packer(spec)([self._argument(graph, s) for s in flatten(spec)]) for spec in specs]
            result = form(*args)
            return graph, tuple(result) if isinstance(result, list) else result

    def _argument(self, graph: FuncGraph, spec: Any) -> Any:
        symbol = graph.add_input(dims_of(spec), dtype_in_graphs(spec), "args")
        return symbol if isinstance(spec, TensorSpec) else self._wrap(of_symbol(symbol, spec.element_spec))

    def _take(self, graph: FuncGraph, result: Any) -> None:
        """Makes the tensors of the result, and what its datasets need, the outputs of the graph."""
        try:
            structure = opened(result)
        except (TypeError, ValueError) as error:
            if isinstance(result, Tensor):
                raise
            raise TypeError(
                f"Unsupported return value from function passed to a dataset: {result!r}. Expected tensors, or tuples "
                f"and dictionaries of them."
            ) from error
        self.spec = map_structure(spec_of, structure)
        self._parts: list[tuple[int, Recipe | None]] = []
        for leaf in flatten(structure):
            recipe = leaf._recipe if hasattr(leaf, "_recipe") else None
            symbols = [graph.input(leaf)] if recipe is None else list(recipe.needs)
            self._parts.append((len(symbols), recipe))
            graph.outputs += [
                graph.apply(identity, (symbol,), {}, "Identity") for symbol in map(graph.input, symbols)
            ]
        self._plain = all(recipe is None for _, recipe in self._parts)

    def __call__(self, values: Values, leaves: Leaves) -> Leaves:
        """The leaves of the result for the leaves of the arguments."""
        fixed = [valued(x, values) for x in self._fixed] if self.needs else self._fixed
        found = self._body(*leaves, *fixed, *self._variables)
        if self._plain:
            return tuple([as_raw(x) for x in found])
        supply = iter(found)
        return tuple([_part(list(islice(supply, n)), recipe) for n, recipe in self._parts])


def _part(found: list[Any], recipe: Recipe | None) -> Any:
    if recipe is None:
        return as_raw(found[0])
    return Sequence([recipe.bound({symbol._ghost: x for symbol, x in zip(recipe.needs, found, strict=True)})])


def of_symbol(symbol: Symbol, spec: Any) -> Recipe:
    """The recipe for a dataset that is the value of a symbol."""
    return Recipe(lambda values: begun(values[symbol._ghost]), spec, UNKNOWN, "Variant", (symbol,))


def as_leaf(recipe: Recipe) -> Any:
    """A recipe as a leaf of an element."""
    return Sequence([recipe])


def begun(leaf: Any) -> Any:
    """A pass over the dataset that is a leaf of an element."""
    return leaf[0].begin({})


def on_elements(
    function: Callable[..., Any], spec: Any, wrap: Callable[[Recipe], Any], what: str
) -> ElementFunction:
    """The function of one element, whose parts are its arguments if it is a tuple."""
    specs = spec if type(spec) is tuple else (spec,)
    return ElementFunction(function, specs, wrap, what)
