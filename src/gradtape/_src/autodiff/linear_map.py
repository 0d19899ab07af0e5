"""A sweep as a linear map, for many tangents or cotangents at once, and again and again.

The first time the sweep is executed under a ``Batcher``, which notes what is done with batched tensors. That does not
depend on their values, because no rule does; so later blocks repeat these steps only, and nothing of what the rules
compute from the recorded values alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradtape._src.autodiff.batching import Batched, Batcher, Step, ValueNeeded
from gradtape._src.autodiff.sweep import Absorbing, raw_of
from gradtape._src.core.context import current, under
from gradtape._src.core.nan import any_has_nan
from gradtape._src.core.values import EagerTensor
from gradtape._src.ops.arrays import stack


class LinearMap:
    """``linear_map(xs)``: for rows of ``xs`` along a leading axis, the rows of each result; None for a structural zero.

    Args:
      run: the sweep, of one batched tensor; gives a list of tensors or Nones.
      once: whether it is called only once, so that nothing has to be noted.
    """

    def __init__(self, run: Callable[[Any], Sequence[Any]], once: bool = False) -> None:
        self._run = run
        self._once = once
        self._steps: list[tuple[Step, list[int]]] | None = (
            None  # each with the values that nobody reads after it
        )
        self._results: list[Any] = []  # keys, or results that do not depend on the argument
        self._apart = False

    def __call__(self, xs: Any) -> list[Any]:
        if not self._apart:
            try:
                return self._together(xs)
            except ValueNeeded:  # a user's gradient function calls Python with values
                self._apart = True
        each = [self._run(EagerTensor(x)) for x in xs]
        found = [None if rows[0] is None else stack(rows) for rows in zip(*each, strict=True)]
        interpreter, recorders = current()
        return found if interpreter or recorders else list(map(raw_of, found))

    def _together(self, xs: Any) -> list[Any]:
        batcher = Batcher(len(xs), linear=True)
        x = batcher.batch(xs)
        with batcher.active(), np.errstate(all="ignore"):
            found = self._first(batcher, x) if self._steps is None else self._again(batcher, x)
            if batcher.raw and any_has_nan(y.value for y in found if batcher.owns(y)):
                with under(Absorbing(batcher), ()):
                    found = self._run(x)
        return [None if y is None else batcher.unbatch(y) for y in found]

    def _first(self, batcher: Batcher, x: Batched) -> Sequence[Any]:
        if self._once or not batcher.raw:  # who watches may want to see all of it
            return self._run(x)
        batcher.steps = []
        found = self._run(x)
        self._results = [y.key if batcher.owns(y) else y for y in found]
        read = {key for key in self._results if type(key) is int}
        steps = []
        for step in reversed(batcher.steps):
            if read.isdisjoint(step.out):  # of a sum that was taken up again, or of a sweep that met a NaN
                continue
            last = {key for key in (*step.keys, *step.out) if key is not None} - read
            read |= last
            steps.append((step, list(last)))
        self._steps = steps[::-1]
        batcher.steps = None
        return found

    def _again(self, batcher: Batcher, x: Batched) -> list[Any]:
        values: dict[int | None, Any] = {1: x}
        for (op, args, keys, params, out), last in self._steps or ():
            inputs = tuple([arg if key is None else values[key] for arg, key in zip(args, keys, strict=True)])
            found = batcher.apply(op, inputs, params, None)
            values.update(zip(out, found if op.multi else (found,), strict=True))
            for key in last:
                del values[key]
        return [values[key] if type(key) is int else key for key in self._results]
