"""What a tape writes down: nodes, and which tensors it follows.

A recording identifies a tensor by its ghost, and keeps the data of those only that a rule will read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from gradtape._src.core.dtypes import is_differentiable_np
from gradtape._src.core.errors import user_location
from gradtape._src.core.op import NO_PARAMS, Op
from gradtape._src.core.values import EagerTensor, Ghost, Tensor, ghost_of, new_ghost
from gradtape._src.graph.names import eager_scope
from gradtape._src.ops.variables import read_variable

_new = object.__new__


class Node(NamedTuple):
    """One application of an operation, as a recording keeps it.

    ``out`` and ``y`` are tuples if the operation has several outputs.
    """

    op: Op
    keys: tuple[Any, ...]  # the ghosts of the inputs; None for one that cannot be followed
    params: dict[str, Any]
    out: Any  # the ghost of the output
    xs: Sequence[Any]  # the inputs as the rules see them: a Ghost in place of data that no rule reads
    y: Any  # the output, likewise


class Recording:
    """What a tape has written down: nodes, in order of creation, and the ghosts of what it follows."""

    def __init__(self, watch_variables: bool = False, persistent: bool = False) -> None:
        self.watch_variables = watch_variables  # whether reading a trainable variable makes it followed
        self.persistent = persistent  # whether gradients taken of it may be recorded in it
        self.variables: dict[Ghost, Any] = {}
        self.nodes: list[Node] = []
        self.followed: set[Ghost | None] = set()
        self.leaves: set[Ghost] = (
            set()
        )  # what is followed for its own sake, not for what it was computed from
        self.complex = False  # whether any node is complex
        self.complete = False  # whether it keeps all numbers
        self.spoiled = False  # whether a NaN came out of a sweep
        self.dead: set[Ghost] = set()  # what came out where a path ended
        self.ends: list[tuple[Any, ...]] = []  # where paths ended, for explanations: see explain/history.py

    def follow(self, ghost: Ghost) -> None:
        """Starts to follow a tensor."""
        self.followed.add(ghost)
        self.leaves.add(ghost)
        self.complex |= ghost.dtype.kind == "c"

    def watch_variable(self, variable: Any) -> None:
        """Follows a variable: from now on its reads are recorded."""
        ghost = variable._ghost
        self.variables.setdefault(ghost, variable)
        if is_differentiable_np(ghost.dtype):
            self.follow(ghost)

    def record_extended(self, operation: Any, old: int) -> None:
        """Is told that an operation of a graph has got outputs beyond the first ``old``: residuals of its gradient.

        What is computed from these depends on the operation's inputs as well.
        """
        if not old or operation.outputs[0]._ghost not in self.followed:
            return
        self.followed.update(symbol._ghost for symbol in operation.outputs)
        first = operation.outputs[0]._ghost
        for i, node in enumerate(map(Node._make, self.nodes)):
            if node.op.multi and node.out and node.out[0] is first:
                out = tuple(symbol._ghost for symbol in operation.outputs)
                self.nodes[i] = node._replace(out=out, params=operation.params, y=operation.outputs)

    def record_read(self, variable: Any, out: Any) -> None:
        key = variable._ghost
        if key not in self.followed:
            if not (self.watch_variables and variable._trainable):
                return
            self.watch_variable(variable)
            if key not in self.followed:  # it is of integers
                return
        ghost = out._ghost or new_ghost(out)
        self.followed.add(ghost)
        keys = (key,)
        self.nodes.append((read_variable, keys, NO_PARAMS, ghost, keys, ghost))  # type: ignore[arg-type]

    def record_access(self, variable: Any) -> None:
        """Is told that an operation that comes next reads a variable by itself."""
        if self.watch_variables and variable._trainable and variable._ghost not in self.followed:
            self.watch_variable(variable)

    def note(self, kind: str, how: str, inputs: Sequence[Any], outputs: Sequence[Any] = ()) -> None:
        """Is told that something was made of followed tensors by no operation: see core/notes.py."""
        keys = tuple([x._ghost for x in inputs])
        if not (self.followed.isdisjoint(keys) and self.dead.isdisjoint(keys)) or self._will_follow(inputs):
            self._end(kind, how, None, keys, outputs)

    def _will_follow(self, inputs: Sequence[Any]) -> bool:
        """Whether one of them is a variable that is watched when it is read."""
        return self.watch_variables and any(getattr(x, "_trainable", False) for x in inputs)

    def _end(self, kind: str, how: str, op: Op | None, keys: Sequence[Any], outputs: Sequence[Any]) -> None:
        made = tuple([getattr(x, "_ghost", None) or ghost_of(x) for x in outputs if hasattr(x, "_ghost")])
        self.dead.update(made)
        self.ends.append((kind, how, op, keys, made, user_location()))

    def stripped(self) -> Recording:
        """The same without any data: what led to what."""
        copy = Recording(self.watch_variables, self.persistent)
        copy.variables, copy.followed, copy.leaves = self.variables, self.followed, self.leaves
        copy.nodes = [Node(op, keys, params, out, keys, out) for op, keys, params, out, _, _ in self.nodes]
        copy.ends = self.ends
        return copy

    def depth(self, ghosts: Collection[Ghost | None]) -> int:
        """How many times a gradient may be taken through an operation on these, as far as this recording goes."""
        return 0 if self.followed.isdisjoint(ghosts) else 8 if self.persistent else 1

    def leading_from(self, sources: Iterable[Ghost]) -> Collection[Ghost | None]:
        """The ghosts of those sources that are followed, and of everything that was computed from them."""
        live: set[Ghost | None] = self.followed.intersection(sources)
        if self.leaves <= live:
            return self.followed
        for op, keys, _, out, _, _ in self.nodes:
            if not live.isdisjoint(keys):
                if op.multi:
                    live.update(out)
                else:
                    live.add(out)
        return live

    # What follows is on the hottest path of the library, hence written out, with plain tuples for nodes: a NamedTuple
    # takes four times as long to make and to unpack. The first two are called in eager mode only.

    def record_unary(self, op: Op, x: Any, out: Any) -> None:
        key = x._ghost
        followed = self.followed
        if key not in followed:
            return
        if not op.plain:
            return self.record(op, (x,), NO_PARAMS, out)
        ghost = out._ghost
        if ghost is None:
            ghost = out._ghost = _new(Ghost)
            data = out._data
            ghost.shape = data.shape
            ghost.dtype = data.dtype
        followed.add(ghost)
        keys = (key,)
        xs = (x,) if op.keeps_for else keys
        self.nodes.append((op, keys, NO_PARAMS, ghost, xs, out if op.keeps_y else ghost))  # type: ignore[arg-type]

    def record_binary(self, op: Op, x: Any, y: Any, out: Any) -> None:
        followed = self.followed
        x_key = x._ghost if type(x) is EagerTensor else None
        y_key = y._ghost if type(y) is EagerTensor else None
        keeps = op.keeps_for[(x_key in followed) + 2 * (y_key in followed)]
        if keeps is None:
            return
        if not op.plain:
            return self.record(op, (x, y), NO_PARAMS, out)
        ghost = out._ghost
        if ghost is None:
            ghost = out._ghost = _new(Ghost)
            data = out._data
            ghost.shape = data.shape
            ghost.dtype = data.dtype
        followed.add(ghost)
        keep_x, keep_y, keep_out = keeps
        xs = (x if keep_x else x_key or _without_data(x), y if keep_y else y_key or _without_data(y))
        self.nodes.append((op, (x_key, y_key), NO_PARAMS, ghost, xs, out if keep_out else ghost))  # type: ignore

    def record(self, op: Op, args: tuple[Any, ...], params: dict[str, Any], out: Any) -> None:
        followed = self.followed
        keys = tuple([getattr(arg, "_ghost", None) for arg in args])  # of tensors, and of variables
        if followed.isdisjoint(keys):
            return
        if not op.differentiable:
            self._end("op", op.name, op, keys, out if op.multi else (out,))
            return
        keeps = op.keeps
        if len(keeps) < len(args):
            keeps += (op.keeps_rest,) * (len(args) - len(keeps))
        xs = tuple(
            [
                arg if keep else key or _without_data(arg)
                for arg, key, keep in zip(args, keys, keeps, strict=False)
            ]
        )
        if op.multi:
            ghost = tuple(map(ghost_of, out))
            followed.update(ghost)
            self.complex |= any(part.dtype.kind == "c" for part in ghost)
        else:
            ghost = out._ghost or new_ghost(out)
            followed.add(ghost)
            self.complex |= ghost.dtype.kind == "c"
        self.nodes.append((op, keys, params, ghost, xs, out if op.keeps_y else ghost))  # type: ignore[arg-type]


class Place(NamedTuple):
    """Where in the user's program a node comes from: file and line, and the name scope."""

    location: tuple[str, int] | None
    scope: str


class CompleteRecording(Recording):
    """A recording that keeps the data of everything, so that the program can be executed again, and drawn.

    Attributes:
      places: where each ghost was made.
    """

    def __init__(self, watch_variables: bool = False, persistent: bool = False) -> None:
        super().__init__(watch_variables, persistent)
        self.complete = True
        self.places: dict[Ghost, Place] = {}

    def record_unary(self, op: Op, x: Any, out: Any) -> None:
        self.record(op, (x,), NO_PARAMS, out)

    def record_binary(self, op: Op, x: Any, y: Any, out: Any) -> None:
        self.record(op, (x, y), NO_PARAMS, out)

    def record_read(self, variable: Any, out: Any) -> None:
        n = len(self.nodes)
        super().record_read(variable, out)
        if len(self.nodes) > n:
            self.nodes[-1] = Node._make(self.nodes[-1])

    def record(self, op: Op, args: tuple[Any, ...], params: dict[str, Any], out: Any) -> None:
        n = len(self.nodes)
        super().record(op, args, params, out)
        if len(self.nodes) > n:
            self.nodes[-1] = Node._make(self.nodes[-1])._replace(xs=args, y=out)
            made = self.nodes[-1].out
            self.places.update(
                dict.fromkeys(made if op.multi else (made,), Place(user_location(), eager_scope()))
            )


def _without_data(arg: Any) -> Any:
    """The argument as a rule sees it that does not read it."""
    if isinstance(arg, Tensor):
        return ghost_of(arg)
    return Ghost(arg.shape, arg.dtype) if isinstance(arg, np.ndarray) else arg
