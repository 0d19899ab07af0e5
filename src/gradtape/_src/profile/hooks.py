"""How a profile measures: while it is taken, a few methods and the kernels of all operations are replaced.

So nothing is paid for profiles by a program that takes none. This is the only place besides ``ops/operators.py`` that
changes classes from outside, and it puts everything back.

A kernel counts for the line that executes it, in a graph for the line that made its operation. A backward rule counts
for the line of its operation, and so do the operations that it writes into a graph.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

from gradtape._src.autodiff import sweep as sweeps
from gradtape._src.autodiff.recording import Node, Recording
from gradtape._src.autodiff.tape import GradientTape
from gradtape._src.control.looping import Looping
from gradtape._src.core.context import current_interpreter
from gradtape._src.core.errors import user_location
from gradtape._src.core.op import Op
from gradtape._src.core.values import Ghost
from gradtape._src.data.iterators import DatasetIterator
from gradtape._src.function.concrete import ConcreteFunction
from gradtape._src.function.function import Function
from gradtape._src.graph.ir import Operation, SymbolGhost
from gradtape._src.graph.plan import Plan
from gradtape._src.graph.session import BaseSession
from gradtape._src.profile.record import Key, Place, Profile
from gradtape._src.train.optimizer import Optimizer as Optimizer1

_KERNEL: Any = vars(Op)["kernel"]  # the descriptor of the slot


class Hooks:
    """What a profile is told, and by whom. ``install`` and ``remove`` belong together."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self._replaced: list[tuple[Any, str, Any]] = []
        self._made: WeakKeyDictionary[Ghost, Place] = WeakKeyDictionary()  # what tapes have written down
        self._plans: WeakSet[Plan] = WeakSet()  # that are made of measuring kernels
        self._loops: WeakSet[Looping] = WeakSet()

    def install(self) -> None:
        self._replace(Op, "kernel", property(self._measuring, _KERNEL.__set__))
        self._around(Plan, "_kernel", self._of_plan)
        self._around(Plan, "_run", self._run_plan)
        self._around(Looping, "__call__", self._run_loop)
        for name in ("record", "record_unary", "record_binary", "record_read"):
            self._around(Recording, name, self._record)
        self._around(sweeps, "_run", self._sweep)
        for owner, name, called, phase in _spans():
            self._around(owner, name, self._span_of(called, phase))

    def remove(self) -> None:
        for owner, name, old in reversed(self._replaced):
            if old is None:
                delattr(owner, name)
            else:
                setattr(owner, name, old)
        self._replaced.clear()
        for plan in self._plans:
            plan._prepare()
        for loop in self._loops:
            _forget(loop)

    def _replace(self, owner: Any, name: str, new: Any) -> None:
        self._replaced.append((owner, name, vars(owner).get(name)))
        setattr(owner, name, new)

    def _around(self, owner: Any, name: str, hook: Callable[..., Any]) -> None:
        """Has ``hook(old, *args, **kwargs)`` called in the place of a method."""
        old = getattr(owner, name)
        self._replace(owner, name, lambda *args, **kwargs: hook(old, *args, **kwargs))

    # --- Kernels

    def _measuring(self, op: Op) -> Callable[..., Any]:
        """The kernel of an operation, as anybody gets it that asks for it."""
        kernel = _KERNEL.__get__(op)

        def measured(*args: Any, **params: Any) -> Any:
            around = self.profile.innermost()
            if around is not None and around.key.kind != "span":  # a part of that
                return kernel(*args, **params)
            phase = "forward" if around is None else around.key.phase
            return self._timed(Key(Place(user_location()), op.name, phase, "op"), "", kernel, args, params)

        return measured

    def _timed(
        self,
        key: Key,
        name: str,
        kernel: Callable[..., Any],
        args: tuple[Any, ...],
        params: dict[str, Any],
    ) -> Any:
        entry = self.profile.begin(key, name)
        result = None
        try:
            result = kernel(*args, **params)
        finally:
            self.profile.end(entry, result)
        return result

    def _of_plan(self, old: Any, plan: Plan, node: Operation) -> Callable[..., Any]:
        """The kernel of an operation in a plan."""
        kernel = old(plan, node)
        backwards = Key(_place(node.serves or node), node.type, "backward", "op")
        forwards = backwards if node.serves else backwards._replace(phase="forward")

        def measured(*args: Any, **params: Any) -> Any:
            around = self.profile.innermost()
            key = forwards if around is None or around.key.phase == "forward" else backwards
            return self._timed(key, node.name, kernel, args, params)

        return measured

    def _run_plan(self, old: Any, plan: Plan, arrays: tuple[Any, ...]) -> list[Any]:
        self._prepared(plan)
        return old(plan, arrays)

    def _prepared(self, plan: Plan) -> None:
        if plan not in self._plans:
            self._plans.add(plan)
            plan._prepare()

    def _run_loop(self, old: Any, loop: Looping, *args: Any) -> Any:
        if loop not in self._loops:
            self._loops.add(loop)
            _forget(loop)
            for part in (loop._step, loop._cond):
                if part is not None:
                    self._prepared(part.plan)
            if loop._step.plan.hasty:
                self._prepared(loop._step.plan.careful)
        return old(loop, *args)

    # --- Lines

    def _record(self, old: Any, recording: Recording, *args: Any) -> None:
        n = len(recording.nodes)
        old(recording, *args)
        if len(recording.nodes) > n and current_interpreter() is None:
            ghost = _first_output(recording.nodes[-1])
            if ghost is not None:
                self._made[ghost] = Place(user_location())

    def _line_of(self, node: Any) -> Place:
        ghost = _first_output(node)
        if isinstance(ghost, SymbolGhost):
            return _place(ghost.stands_for.op.serves or ghost.stands_for.op)
        found = None if ghost is None else self._made.get(ghost)
        return Place(user_location()) if found is None else found

    # --- Backwards

    def _sweep(
        self, old: Any, recording: Recording, cotangents: Any, sources: Any, live: Any, raw: bool
    ) -> Any:
        interpreter = current_interpreter()
        if interpreter is None or not interpreter.symbolic:
            recording = sweeps.watched(recording, self._ruling)
        return old(recording, cotangents, sources, live, raw)

    def _ruling(self, node: Node) -> Callable[..., Any]:
        """Measures the backward rules of an operation."""
        key = Key(self._line_of(node), node[0].name, "backward", "rule")

        def run(rule: Callable[..., Any], *args: Any, **params: Any) -> Any:
            entry = self.profile.begin(key)
            try:
                return rule(*args, **params)
            finally:
                self.profile.end(entry)

        return run

    # --- Calls that hold others

    def _span_of(self, called: Callable[[Any], str], phase: str | None) -> Callable[..., Any]:
        def hook(old: Any, owner: Any, *args: Any, **kwargs: Any) -> Any:
            around = self.profile.innermost()
            if around is not None and (around.key.kind != "span" or around.key.name == called(owner)):
                return old(owner, *args, **kwargs)
            outer = "forward" if around is None else around.key.phase
            key = Key(Place(user_location()), called(owner), phase or outer, "span")
            with self.profile.span(key):
                return old(owner, *args, **kwargs)

        return hook


def _spans() -> list[tuple[Any, str, Callable[[Any], str], str | None]]:
    """Methods whose calls hold others: the class, the name, what they are called, and the phase if they begin one."""
    from gradtape._src.keras.models.trainer import Trainer  # start-up cost: Keras
    from gradtape._src.keras.optimizer import Optimizer  # start-up cost: Keras

    named: Callable[[str], Callable[[Any], str]] = lambda text: lambda owner: text
    return [
        *((Trainer, name, named(f"Model.{name}"), None) for name in ("fit", "evaluate", "predict")),
        *((GradientTape, name, named(f"tape.{name}"), "backward") for name in _DERIVATIVES),
        *((kind, "apply_gradients", _update_by, None) for kind in (Optimizer, Optimizer1)),
        (BaseSession, "run", named("Session.run"), None),
        (Function, "__call__", lambda f: f"tf.function {f._name}", None),
        (ConcreteFunction, "__call__", lambda f: f"tf.function {f.graph.name}", None),
        (Function, "_traced_once", lambda f: f"tracing {f._name}", None),
        (DatasetIterator, "__next__", named("next element of a dataset"), None),
    ]


_DERIVATIVES = ("gradient", "jacobian", "batch_jacobian")


def _update_by(optimizer: Any) -> str:
    return f"{type(optimizer).__name__}.apply_gradients"


def _place(node: Operation) -> Place:
    return Place(node.location, node.name.rpartition("/")[0])


def _first_output(node: Any) -> Any:
    out = node[3]
    return (out[0] if out else None) if type(out) is tuple else out


def _forget(loop: Looping) -> None:
    """Has the functions of a loop made anew."""
    for name in ("_first", "_careful"):
        loop.__dict__.pop(name, None)
