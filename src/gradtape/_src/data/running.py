"""Values computed of all elements of a dataset: at once, or by an operation where a graph is being built."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from gradtape._src.control.body import is_symbolic
from gradtape._src.core.context import under
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.nest import flatten
from gradtape._src.core.op import Op
from gradtape._src.core.values import EagerTensor
from gradtape._src.data.elements import Leaves, dims_of, dtype_in_graphs, packer


def _run(*given: Any, run: Any, ghosts: Any, specs: Any) -> Leaves:
    with under(None, ()):
        return run(dict(zip(ghosts, given, strict=True)))


over_dataset = Op(
    "ReduceDataset",
    _run,
    multi=True,
    shape=lambda *given, run, ghosts, specs: list(map(dims_of, specs)),
    dtype=lambda *given, run, ghosts, specs: list(map(dtype_in_graphs, specs)),
    stateful=True,
)
"""What ``run`` gives for the values of the symbols that a dataset needs."""


def computed(spec: Any, run: Callable[[Any], Leaves], needs: Any) -> Any:
    """The nest of what ``run`` computes from the values of ``needs``."""
    pack = packer(spec)
    if needs or is_symbolic():
        specs = tuple(flatten(spec))
        ghosts = tuple(symbol._ghost for symbol in needs)
        return pack(list(over_dataset.of(*needs, run=run, ghosts=ghosts, specs=specs)))
    with under(None, ()):
        return pack([EagerTensor(x) for x in run({})])


def single(elements: Iterator[Leaves]) -> Leaves:
    """The only element."""
    found = next(elements, None)
    if found is None:
        raise InvalidArgumentError.of("Dataset was empty. [Op:DatasetToSingleElement]")
    if next(elements, None) is not None:
        raise InvalidArgumentError.of("Dataset had more than one element. [Op:DatasetToSingleElement]")
    return found
