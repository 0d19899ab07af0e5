"""What the picture says: numbers, shapes, lines and causes in a few words."""

from __future__ import annotations

import linecache
import math
from collections.abc import Iterable
from typing import Any

from gradtape._src.core import notes
from gradtape._src.viz.scene import Location, Node, Stats

# Of each cause of docs/reasons.md what fits beside a link.
SHORT = {
    "source_not_watched": "the tape does not watch it",
    "variable_not_trainable": "not trainable",
    "watched_too_late": "not recorded: watched too late",
    "target_computed_outside_tape": "not recorded: outside the tape",
    "target_does_not_depend_on_source": "no path",
    "equal_value_but_other_tensor": "another tensor of equal value",
    "variable_replaced_by_tensor": "the variable became a tensor",
    "went_through_variable_state": "stored in a variable",
    "integer_dtype": "integers have no gradients",
    "left_the_library": "leaves the library",
    "op_not_differentiable": "no derivative",
    "rule_returned_none": "its gradient function gave None",
    "used_only_as_index": "only an index, shape or condition",
    "stop_gradient": "stop_gradient",
    "branch_not_taken": "branch not taken",
    "loop_variables_unrelated": "loop variables unrelated",
    "data_pipeline": "through a dataset",
    "first_gradient_not_recorded": "a gradient that was not recorded",
    "derivative_is_constant": "its derivative is constant",
    "hidden_inside_function_call": "hidden inside a call",
    "inside": "stops inside: open it",
}


def number(x: float) -> str:
    """Three digits."""
    if x == 0:
        return "0"
    if not math.isfinite(x):
        return "NaN" if math.isnan(x) else "∞" if x > 0 else "-∞"
    if 1e-3 <= abs(x) < 1e5:
        return f"{x:.3g}" if abs(x) < 1000 else f"{x:.0f}"
    mantissa, _, exponent = f"{x:.1e}".partition("e")
    return f"{mantissa}e{int(exponent)}"


def shortened(name: str) -> str:
    """A long name without the scopes that it begins with."""
    if len(name) <= 30:
        return name
    end = name[-28:]
    return "…" + end.partition("/")[2] if "/" in end else name[:28] + "…"


def source_line(location: Location) -> str:
    """The text of a line of the program; empty if it is not known."""
    return "" if location is None else linecache.getline(*location).strip()


def file_name(path: str) -> str:
    """The last part of a path."""
    return path.replace("\\", "/").rsplit("/", 1)[-1]


def worst(norms: Iterable[float]) -> float:
    """The largest of them; NaN or infinity if one is."""
    found = list(norms)
    return next((norm for norm in found if not math.isfinite(norm)), max(found, default=0.0))


def span_text(norms: Iterable[float]) -> str:
    """From the smallest to the largest, and what is not finite."""
    found = list(norms)
    finite = [norm for norm in found if math.isfinite(norm)]
    ends = [number(min(finite)), number(max(finite))] if finite else []
    bad = [number(worst(found))] if len(finite) < len(found) else []
    return " … ".join(dict.fromkeys([*ends, *bad]))


def stats_text(stats: Stats) -> str:
    """Norm, range and mean."""
    if stats.bad:
        return f"{stats.bad} of {stats.size} elements are NaN or infinite"
    if stats.size == 1:
        return number(stats.mean)
    return (
        f"norm {number(stats.norm)}, from {number(stats.low)} to {number(stats.high)}, mean {number(stats.mean)}, "
        f"{stats.size} elements"
    )


def described(node: Node) -> list[tuple[str, str]]:
    """What the page shows of a node."""
    found = [("operation" if node.kind in ("op", "custom", "call") else node.kind, node.name)]
    if node.called and node.called != node.name:
        found.append(("name", node.called))
    if node.location is not None:
        found.append(("line", f"{file_name(node.location[0])}:{node.location[1]}"))
        text = source_line(node.location)
        found += [("code", text)] if text else []
    if node.scope:
        found.append(("name scope", node.scope))
    if node.tensor:
        found.append(("result" if node.kind in ("op", "custom", "call") else "tensor", node.tensor))
    if node.value is not None:
        found.append(("value", stats_text(node.value)))
    if node.gradient is not None:
        found.append(("gradient", stats_text(node.gradient)))
    return found


def scalar_text(history: Any, vertex: Any) -> str:
    """A number that is written in the program."""
    fact = notes.journal.facts.get(vertex) if notes.journal is not None and isinstance(vertex, int) else None
    if fact is None or fact.value is None:
        return ""
    return number(fact.value) if isinstance(fact.value, (int, float)) else str(fact.value)[:20]
