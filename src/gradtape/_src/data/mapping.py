"""Transformations that compute with elements: functions of the user's, traced once.

Where a pass can go on after an error (``ignore_errors``) it is made of Python's iterators: a generator that has raised
is at its end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import Any

from gradtape._src.core.dtypes import bool_
from gradtape._src.core.errors import InvalidArgumentError, OpError
from gradtape._src.core.log import warn
from gradtape._src.core.nest import flatten, map_structure
from gradtape._src.core.processors import processors
from gradtape._src.core.specs import TensorSpec
from gradtape._src.data.elements import DatasetSpec, Leaves, opened, relaxed, spec_of
from gradtape._src.data.functions import ElementFunction, begun, on_elements
from gradtape._src.data.recipe import INFINITE, UNKNOWN, Recipe, needs_of, number, raw, valued

Wrap = Callable[[Recipe], Any]


def map_(recipe: Recipe, function: Callable[..., Any], parallel: bool, wrap: Wrap) -> Recipe:
    f = on_elements(function, recipe.spec, wrap, "map")
    begin = lambda values: map(partial(f, values), recipe.begin(values))
    kind = "ParallelMap" if parallel else "Map"
    return Recipe(begin, f.spec, recipe.size, kind, needs_of((recipe, *f.needs)))


def _predicate(recipe: Recipe, function: Callable[..., Any], wrap: Wrap, what: str) -> ElementFunction:
    f = on_elements(function, recipe.spec, wrap, what)
    if not (isinstance(f.spec, TensorSpec) and f.spec.dtype == bool_ and f.spec.shape.is_compatible_with(())):
        raise ValueError(
            f"Invalid `predicate`. `predicate` must return a `tf.bool` scalar tensor, but its return type is {f.spec}."
        )
    return f


def filter_(recipe: Recipe, predicate: Callable[..., Any], wrap: Wrap) -> Recipe:
    f = _predicate(recipe, predicate, wrap, "filter")
    begin = lambda values: filter(lambda element: f(values, element)[0], recipe.begin(values))
    return Recipe(begin, recipe.spec, UNKNOWN, "Filter", needs_of((recipe, *f.needs)))


def take_while(recipe: Recipe, predicate: Callable[..., Any], wrap: Wrap) -> Recipe:
    f = _predicate(recipe, predicate, wrap, "take_while")

    def begin(values: Any) -> Iterator[Leaves]:
        for x in recipe.begin(values):
            if not f(values, x)[0]:
                return
            yield x

    return Recipe(begin, recipe.spec, UNKNOWN, "TakeWhile", needs_of((recipe, *f.needs)))


def _to_dataset(recipe: Recipe, function: Callable[..., Any], wrap: Wrap, what: str) -> ElementFunction:
    f = on_elements(function, recipe.spec, wrap, what)
    if not isinstance(f.spec, DatasetSpec):
        raise TypeError(
            f"The `map_func` argument must return a `Dataset` object. Got {f.spec}: return a dataset, for example "
            f"tf.data.Dataset.from_tensors(...), or use map."
        )
    return f


def flat_map(recipe: Recipe, function: Callable[..., Any], wrap: Wrap) -> Recipe:
    f = _to_dataset(recipe, function, wrap, "flat_map")
    begin = lambda values: chain.from_iterable(begun(f(values, x)[0]) for x in recipe.begin(values))
    return Recipe(begin, f.spec.element_spec, UNKNOWN, "FlatMap", needs_of((recipe, *f.needs)))


def interleave(
    recipe: Recipe,
    function: Callable[..., Any],
    cycle_length: Any,
    block_length: Any,
    parallel: Any,
    wrap: Wrap,
) -> Recipe:
    f = _to_dataset(recipe, function, wrap, "interleave")
    n = _AUTOTUNE if cycle_length is None else number(cycle_length)
    block = 1 if block_length is None else number(block_length)
    if n == _AUTOTUNE:
        n = processors()
    for name, x in (("cycle_length", n), ("block_length", block)):
        if isinstance(x, int) and x <= 0:
            raise InvalidArgumentError.of(f"{name} must be greater than zero, received {x}.")

    def begin(values: Any) -> Iterator[Leaves]:
        passes = (begun(f(values, x)[0]) for x in recipe.begin(values))
        return _interleaved(passes, int(valued(n, values)), int(valued(block, values)))

    kind = "Interleave" if parallel is None else "ParallelInterleave"
    return Recipe(begin, f.spec.element_spec, UNKNOWN, kind, needs_of((recipe, *f.needs, n, block)))


_AUTOTUNE = -1


def _interleaved(passes: Iterator[Any], n: int, block: int) -> Iterator[Leaves]:
    """``block`` elements of each of ``n`` passes in turn. A pass that ends gives its place to the next one."""
    open_: list[Any] = [None] * n
    more, i = True, 0
    while more or any(x is not None for x in open_):
        if open_[i] is None and more:
            open_[i] = next(passes, None)
            more = open_[i] is not None
        if open_[i] is not None:
            for _ in range(block):
                element = next(open_[i], None)
                if element is None:
                    open_[i] = None
                    break
                yield element
        i = (i + 1) % n


def _stateful(
    recipe: Recipe,
    initial_state: Any,
    function: Callable[..., Any],
    wrap: Wrap,
    what: str,
    split: Callable[[Any], Any],
) -> tuple[ElementFunction, Any, list[Any]]:
    """A function of state and element, traced for shapes of the state that it keeps; its spec; the first state."""
    structure = opened(initial_state)
    first = [raw(x) for x in flatten(structure)]
    spec = map_structure(spec_of, structure)
    while True:
        if what == "reduce" and type(recipe.spec) is tuple:
            f = ElementFunction(lambda s, *xs: function(s, xs), (spec, *recipe.spec), wrap, what)
        else:
            f = ElementFunction(function, (spec, recipe.spec), wrap, what)
        new = split(f.spec)
        for old, s in zip(flatten(spec), flatten(new)):
            if old.dtype != s.dtype:
                raise TypeError(
                    f"Invalid `{what}_func`. The element types for the new state must match the initial state. "
                    f"Expected {old.dtype!r}, got {s.dtype!r}."
                )
        try:
            wider = relaxed(spec, new)
        except TypeError:
            raise TypeError(
                f"Invalid `{what}_func`. The element classes for the new state must match the initial state. Expected "
                f"{spec}, got {new}."
            ) from None
        if wider == spec:
            return f, spec, first
        spec = wider


def scan(recipe: Recipe, initial_state: Any, function: Callable[..., Any], wrap: Wrap) -> Recipe:
    def split(spec: Any) -> Any:
        if type(spec) is not tuple or len(spec) != 2:
            raise TypeError(
                f"Invalid `scan_func`. `scan_func` should return a pair consisting of new state and the output value, "
                f"but its return type is {spec}."
            )
        return spec[0]

    f, state_spec, first = _stateful(recipe, initial_state, function, wrap, "scan", split)
    n = len(flatten(state_spec))

    def begin(values: Any) -> Iterator[Leaves]:
        state = tuple([valued(x, values) for x in first])
        for element in recipe.begin(values):
            found = f(values, (*state, *element))
            state = found[:n]
            yield found[n:]

    return Recipe(begin, f.spec[1], recipe.size, "Scan", needs_of((recipe, *first, *f.needs)))


def reduction(
    recipe: Recipe, initial_state: Any, function: Callable[..., Any], wrap: Wrap
) -> tuple[Any, Callable[[Any], Leaves], Any]:
    """What ``reduce`` computes: its spec, a function of the values of symbols, and these symbols."""
    f, spec, first = _stateful(recipe, initial_state, function, wrap, "reduce", lambda spec: spec)

    def run(values: Any) -> Leaves:
        state = tuple([valued(x, values) for x in first])
        for element in recipe.begin(values):
            state = f(values, (*state, *element))
        return state

    return spec, run, needs_of((recipe, *first, *f.needs))


def ignore_errors(recipe: Recipe, log_warning: bool) -> Recipe:
    def begin(values: Any) -> Iterator[Leaves]:
        elements = recipe.begin(values)
        while True:
            try:
                yield next(elements)
            except StopIteration:
                return
            except OpError as error:
                if log_warning:
                    warn(f"Error raised with error message {error}")

    return Recipe(begin, recipe.spec, UNKNOWN, "IgnoreErrors", recipe.needs)
