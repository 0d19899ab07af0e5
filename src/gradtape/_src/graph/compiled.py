"""Plans as Python functions: one line a step, values in local variables.

Worth its making for plans that are executed often, the steps of loops above all: a step then costs little more than the
call of its kernel. A plan becomes a function; a loop becomes one function with the lines of its plans inside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from gradtape._src.core.errors import OpError

if TYPE_CHECKING:
    from gradtape._src.graph.ir import Operation
    from gradtape._src.graph.plan import Plan

_FILE = "<plan>"


class Source:
    """The text of a function that is being written, the objects that it names, and the operation of each line."""

    def __init__(self, head: str) -> None:
        self.lines = [head]
        self.operations: list[Operation | None] = [None]
        self.names: dict[str, Any] = {}

    def write(self, line: str, operation: Operation | None = None) -> None:
        self.lines.append(line)
        self.operations.append(operation)

    def name(self, value: Any) -> str:
        """A name for an object."""
        name = f"o{len(self.names)}"
        self.names[name] = value
        return name

    def write_plan(self, plan: Plan, feeds: Sequence[str], indent: str, prefix: str = "v") -> list[str]:
        """The steps of a plan of the values called ``feeds``; gives the names of what is fetched."""
        constants: dict[int, str] = {}

        def name(slot: int) -> str:
            if slot >= 0:
                return feeds[slot] if slot < len(feeds) else f"{prefix}{slot}"
            if slot not in constants:
                constants[slot] = self.name(plan.start[slot])
            return constants[slot]

        for operation, (kernel, _, _, _, ins, params, out, dead) in zip(
            plan.operations, plan.steps, strict=True
        ):
            call = (
                f"{self.name(partial(kernel, **params) if params else kernel)}({', '.join(map(name, ins))})"
            )
            if type(out) is int:
                call = f"{name(out)} = {call}"
            elif out:
                call = f"{', '.join(map(name, out))}, = {call}"
            self.write(indent + call, operation)
            if emptied := [name(slot) for slot in dead if slot >= len(feeds)]:
                self.lines[-1] += f"; {' = '.join(emptied)} = None"
        return ["None" if slot is None else name(slot) for slot in plan.fetched]

    def function(self) -> Callable[..., Any]:
        """The function. An error in a line says which operation failed."""
        exec(compile("\n".join(self.lines), _FILE, "exec"), self.names)
        run, code, operations = self.names["run"], self.names["run"].__code__, self.operations

        def executed(*arrays: Any) -> Any:
            try:
                return run(*arrays)
            except Exception as error:
                traceback = error.__traceback__
                while traceback is not None:
                    if traceback.tb_frame.f_code is code:
                        operation = operations[traceback.tb_lineno - 1]
                        if operation is not None:
                            explain(error, operation)
                    traceback = traceback.tb_next
                raise

        return executed


def compiled(plan: Plan) -> Callable[..., list[Any]]:
    """The function of the feeds that executes a plan and gives the fetched values in a list."""
    feeds = [f"v{i}" for i in range(plan.n_feeds)]
    source = Source(f"def run({', '.join(feeds)}):")
    source.write(f"    return [{', '.join(source.write_plan(plan, feeds, '    '))}]")
    return source.function()


def compiled_loop(
    step: Plan, cond: Plan | None, n_out: int, n_carry: int, n_seqs: int, counted: bool
) -> Callable[..., tuple[list[Any], int, list[list[Any]]]]:
    """``run(n, carry, sequences, constants) -> (carry, number of steps, columns)``.

    Args:
      step: of the carry, an element of each sequence and the constants: the next carry, and what each step gives.
      cond: of the carry and the constants: whether there is another step.
      n_out: how many values a step gives; what its plan fetches besides are effects.
      counted: whether the number of steps is at most ``n``.
    """
    carry = [f"x{i}" for i in range(n_carry)]
    elements = [f"e{i}" for i in range(n_seqs)]
    constants = [f"c{i}" for i in range(step.n_feeds - n_carry - n_seqs)]
    columns = [f"y{i}" for i in range(n_out - n_carry)]
    source = Source("def run(n, carry, sequences, constants):")
    for names, values in ((carry, "carry"), (constants, "constants")):
        if names:
            source.write(f"    {', '.join(names)}, = {values}")
    for y in columns:
        source.write(f"    {y} = []")
    source.write("    k = 0")
    if n_seqs:
        source.write(f"    for {', '.join(elements)}, in zip(*sequences):")
    else:
        source.write("    while k < n:" if counted else "    while True:")
    indent = " " * 8
    if cond is not None:
        goes_on, *_ = source.write_plan(cond, [*carry, *constants], indent, "q")
        source.write(f"{indent}if not {goes_on}: break")
    results = source.write_plan(step, [*carry, *elements, *constants], indent)
    for y, result in zip(columns, results[n_carry:n_out], strict=True):
        source.write(f"{indent}{y}.append({result})")
    if carry:
        source.write(f"{indent}{', '.join(carry)}, = {', '.join(results[:n_carry])},")
    source.write(f"{indent}k += 1")
    source.write(f"    return [{', '.join(carry)}], k, [{', '.join(columns)}]")
    return source.function()


def explain(error: Exception, operation: Operation) -> None:
    """Says which operation failed, and where in the user's code it was made."""
    if isinstance(error, OpError) and error._op is None:
        error._op = operation
    if operation.location is not None:
        file, line = operation.location
        error.add_note(f"Executing node {operation.name!r} ({operation.type}), made at {file}:{line}")
