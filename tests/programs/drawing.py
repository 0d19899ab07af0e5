"""Draws programs: every variable that a statement uses is defined before it, and has the right type.

Values stay tame (no divisions by what may vanish, bounded functions around what a loop carries), so that derivatives
of two orders can be compared. Wherever a program decides by a number it says ``decided`` or ``whole``, so that
``running`` can tell whether two executions took the same path.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from programs.tree import (
    Block,
    Choose,
    Fold,
    For,
    Function,
    If,
    Leave,
    Let,
    Map,
    Program,
    Slope,
    Statement,
    Test,
    While,
)

EXPRESSIONS = {
    "S": [
        "tf.sin({S})",
        "tf.tanh({S})",
        "({S} * {S})",
        "({S} + {S})",
        "({S} - {S})",
        "tf.sigmoid({S})",
        "tf.exp(tf.sin({S}))",
        "tf.math.log(2.0 + tf.sin({S}))",
        "tf.sqrt(2.0 + tf.sin({S}))",
        "({S} / (2.0 + tf.cos({S})))",
        "tf.cast({I}, tf.float64)",
        "{V}[1]",
        "{V}[{I} % 3]",
        "tf.gather({V}, {I} % 3)",
        "{M}[{I} % 3, 2]",
        "{A}.read({I} % 3)",
        "{A}.read({I} % 3)",
        "tf.reduce_sum({V})",
        "tf.reduce_mean({M})",
        "tf.reduce_logsumexp({V})",
        "tf.tensordot({V}, {V}, 1)",
        "tf.linalg.trace({M})",
        "tf.where({B}, {S}, {S})",
        "soft({S})",
    ],
    "V": [
        "tf.sin({V})",
        "tf.tanh({V})",
        "({V} * {V})",
        "({V} + {V})",
        "({S} * {V})",
        "({V} - {S})",
        "tf.linalg.matvec({M}, {V})",
        "tf.einsum('ij,i->j', {M}, {V})",
        "{V}[::-1]",
        "tf.stack([{S}, {S}, {S}])",
        "tf.concat([{V}[1:], {V}[:1]], 0)",
        "tf.gather({V}, [2, 0, 0])",
        "tf.nn.softmax({V})",
        "tf.cumsum({V})",
        "{M}[{I} % 3]",
        "{M}[:, 1]",
        "tf.ensure_shape({A}.stack(), [3])",
        "tf.reduce_sum({M}, axis=0)",
        "tf.reduce_mean({M}, axis=1)",
        "tf.linalg.diag_part({M})",
        "tf.tensor_scatter_nd_update({V}, [[{I} % 3]], [{S}])",
        "tf.where(decided({V} > 0.137), {V}, {V})",
        "tf.broadcast_to({S}, [3])",
        "tf.roll({V}, {I} % 3, 0)",
        "tf.reshape({M}, [-1])[2:5]",
        "soft({V})",
    ],
    "M": [
        "tf.tanh({M})",
        "({M} * {V})",
        "({M} + {V}[:, None])",
        "({S} * {M})",
        "tf.matmul({M}, {M})",
        "tf.transpose({M})",
        "tf.tensordot({V}, {V}, 0)",
        "tf.stack([{V}, {V}, {V}])",
        "tf.linalg.diag({V})",
    ],
    "I": [
        "(({I} + 1) % 5)",
        "(({I} + {I}) % 5)",
        "whole({S})",
        "tf.shape({V})[0]",
    ],
    "B": [
        "decided({S} > 0.137)",
        "tf.equal({I} % 2, 0)",
        "({I} < {I})",
    ],
}

LEAVES = {
    "S": ["tf.constant(0.7, tf.float64)"],
    "V": ["tf.constant([0.3, -0.8, 0.5], tf.float64)"],
    "M": ["tf.eye(3, dtype=tf.float64)"],
    "I": ["tf.constant(1)", "tf.constant(2)"],
    "B": ["tf.constant(True)"],
    "A": ["tf.TensorArray(tf.float64, 3, clear_after_read=False).unstack({V})"],
}
TAME = {"S": "tf.sin({})", "V": "tf.sin({})", "M": "tf.tanh({})", "I": "{} % 5"}
ROWS = {"V": "S", "M": "V"}  # what is a row of what
STACKED = {"S": "V", "V": "M"}
DTYPE = {"S": "float64", "V": "float64", "M": "float64", "I": "int32"}
DEEPEST = 3


class Drawer:
    """The variables that are in scope, and draws of what may be said of them."""

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self.draw = draw
        self.types: dict[str, str] = {"x": "V", "w": "S", "m": "M"}
        self.own = ["x", "w", "m"]  # may be assigned here: the variables of this function
        self.count = 0
        self.in_slope = False
        self.left = draw(st.integers(3, 10))  # statements
        self.functions: list[tuple[Function, list[str], str]] = []

    def integer(self, low: int, high: int) -> int:
        return self.draw(st.integers(low, high))

    def one_of(self, options: list[Any]) -> Any:
        return options[self.integer(0, len(options) - 1)]

    def new(self, type: str) -> str:
        self.count += 1
        name = f"{type.lower()}{self.count}"
        return name

    def define(self, name: str, type: str) -> str:
        self.types[name] = type
        self.own.append(name)
        return name

    # --- Expressions

    def expression(self, type: str, depth: int = 2) -> str:
        variables = [name for name, t in self.types.items() if t == type]
        forms = EXPRESSIONS.get(type, [])
        if depth == 0 or not forms or (variables and self.integer(0, 3) == 0):
            text = self.one_of([*reversed(variables), *([] if variables and type != "I" else LEAVES[type])])
        else:
            callable = [f for f in self.functions if f[2] == type]
            k = self.integer(0, len(forms) - 1 + 2 * len(callable))
            if k >= len(forms):
                function, parameters, _ = callable[(k - len(forms)) // 2]
                text = f"{function.name}({', '.join(f'{{{t}}}' for t in parameters)})"
            else:
                text = forms[k]
        return re.sub(r"\{([A-Z])\}", lambda found: self.expression(found[1], max(depth - 1, 0)), text)

    def test(self, depth: int = 1) -> Test:
        k = self.integer(0, 5) if depth else 0
        if k < 3:
            return self.expression("B")
        if k == 3:
            return ("not", self.test(depth - 1))
        return ("and" if k == 4 else "or", self.test(depth - 1), self.test(depth - 1))

    def tame(self, type: str) -> str:
        return TAME[type].format(self.expression(type))

    # --- Blocks

    def block(self, depth: int, most: int = 3) -> Block:
        """Statements; the last one assigns a variable from outside the block."""
        before, outside = dict(self.types), list(self.own)
        statements = []
        for _ in range(self.integer(0, most)):
            if self.left <= 0:
                break
            self.left -= 1
            statements.append(self.statement(depth))
        statements.append(self.change([n for n in outside if before[n] in (*TAME, "A")]))
        self.types, self.own = before, outside
        return tuple(statements)

    def change(self, names: list[str]) -> Let:
        arrays = [name for name in names if self.types[name] == "A"]
        name = self.one_of(arrays if arrays and self.integer(0, 2) == 0 else names)
        if self.types[name] == "A":
            return Let(name, f"{name}.write({self.expression('I', 1)} % 3, {self.tame('S')})")
        return Let(name, self.tame(self.types[name]))

    def statement(self, depth: int) -> Statement:
        kinds: list[Callable[[int], Statement]] = [self.let, self.array]
        if depth < DEEPEST:
            kinds += [self.if_, self.if_, self.while_, self.while_, self.for_, self.for_, self.choose]
            kinds += [self.map_, self.map_, self.fold, self.fold]
        if not self.in_slope:  # of slopes the third derivatives are taken
            kinds.append(self.slope)
        return self.one_of(kinds)(depth)

    def let(self, depth: int) -> Statement:
        if self.own and self.integer(0, 1):
            return self.change([n for n in self.own if self.types[n] in (*TAME, "A")] or ["x"])
        type = self.one_of(["S", "V", "M", "I"])
        value = self.expression(type)
        return Let(self.define(self.new(type), type), value)

    def array(self, depth: int) -> Statement:
        text = LEAVES["A"][0].replace("{V}", self.expression("V", 1))
        return Let(self.define(self.new("A"), "A"), text)

    def if_(self, depth: int) -> Statement:
        if not self.assignable():
            return self.let(depth)
        test = self.test()
        then = self.block(depth + 1)
        return If(test, then, self.block(depth + 1) if self.integer(0, 2) else ())

    def choose(self, depth: int) -> Statement:
        if not self.assignable():
            return self.let(depth)
        branches = [self.block(depth + 1, most=1) for _ in range(self.integer(2, 4))]
        index = self.define_after(Let(self.new("I"), f"{self.expression('I')} % 4"))
        return Choose(index, tuple(branches), self.integer(0, 1) == 1)

    def define_after(self, node: Let) -> str:
        """An expression in place of a statement: an index is used in several tests."""
        return f"({node.value})"

    def assignable(self) -> bool:
        return any(self.types[n] in (*TAME, "A") for n in self.own)

    def halves(self, depth: int) -> tuple[Block, Leave | None, Block]:
        before = self.block(depth + 1, most=2)
        if self.integer(0, 2):
            return before, None, ()
        leave = Leave(self.test(), self.one_of(["break", "continue"]))
        return before, leave, self.block(depth + 1, most=1)

    def while_(self, depth: int) -> Statement:
        if not self.assignable():
            return self.let(depth)
        trips = f"{self.expression('I')} % {self.integer(2, 4)}"
        counter = self.new("I")
        self.types[counter] = "I"  # not its own: the body must not assign it
        loop = While(counter, trips, *self.halves(depth))
        self.own.append(counter)
        return loop

    def for_(self, depth: int) -> Statement:
        if not self.assignable():
            return self.let(depth)
        type = self.one_of(["S", "V", "I"])
        over = f"tf.range({self.expression('I')} % 4)" if type == "I" else self.expression(STACKED[type])
        item = self.new(type)
        before = dict(self.types)
        self.types[item] = type
        loop = For(item, over, *self.halves(depth))
        self.types = before
        return loop

    # --- Functions of rows

    def rows(self) -> tuple[list[str], list[str], list[str], bool]:
        """Elements, their rows' names and types; and whether only the first few of them, or none, are taken."""
        types = [self.one_of(["V", "M"]) for _ in range(self.integer(1, 2))]
        elems = [self.expression(type) for type in types]
        cut = self.integer(0, 3) == 0
        if cut:
            length = f"{self.expression('I', 1)} % 4"
            elems = [f"{elem}[:{length}]" for elem in elems]
        rows = [self.new(ROWS[type]) for type in types]
        return elems, rows, [ROWS[type] for type in types], cut

    def inside(
        self, names: list[str], types: list[str], depth: int, results: list[str]
    ) -> tuple[Block, list[str]]:
        """The body of a function of these variables, and expressions of the types of its results."""
        before, outside = dict(self.types), self.own
        self.own = []
        for name, type in zip(names, types, strict=True):
            self.define(name, type)
        statements = []
        for _ in range(self.integer(0, 3)):
            if self.left > 0:
                self.left -= 1
                statements.append(self.statement(depth + 1))
        values = [self.tame(type) for type in results]
        self.types, self.own = before, outside
        return tuple(statements), values

    def map_(self, depth: int) -> Statement:
        elems, rows, types, cut = self.rows()
        wanted = [self.one_of(["S", "S", "V", "I"]) for _ in range(self.integer(1, 2))]
        body, results = self.inside(rows, types, depth, wanted)
        if "I" in wanted:
            cut = True  # there is no type for vectors of integers: their sum
            after = "tf.reduce_sum({}, axis=0)"
        after = "tf.reduce_sum({}, axis=0)" if cut else ""
        targets = self.targets(wanted, cut)
        # Of no rows at all, a dtype does not say what shape the results have.
        signature = tuple(f"TensorSpec([3], tf.{DTYPE[t]})" if t == "V" else DTYPE[t] for t in wanted)
        return Map(targets, tuple(rows), tuple(elems), body, tuple(results), signature, after)

    def targets(self, types: list[str], summed: bool) -> tuple[str, ...]:
        types = types if summed else [STACKED[type] for type in types]
        return tuple(self.define(self.new(type), type) for type in types)

    def fold(self, depth: int) -> Statement:
        kind = self.one_of(["scan", "scan", "foldl", "foldr"])
        elems, rows, row_types, cut = self.rows()
        if not cut and self.integer(0, 3) == 0:
            starts, types = None, row_types
        else:
            types = [self.one_of(["S", "V", "I"]) for _ in range(self.integer(1, 2))]
            starts = tuple(self.tame(type) for type in types)
        carries = [self.new(type) for type in types]
        body, results = self.inside([*carries, *rows], [*types, *row_types], depth, types)
        summed = kind == "scan" and (cut or "I" in types)
        after = "tf.reduce_sum({}, axis=0)" if summed else ""
        targets = self.targets(types, kind != "scan" or summed)
        reverse = kind == "scan" and self.integer(0, 1) == 1
        return Fold(
            kind,
            targets,
            tuple(carries),
            starts,
            tuple(rows),
            tuple(elems),
            body,
            tuple(results),
            reverse,
            after,
        )

    def slope(self, depth: int) -> Statement:
        type = self.one_of(["S", "V"])
        start = self.expression(type, 1)
        at = self.new(type)
        before, outside = dict(self.types), self.own
        self.in_slope = True
        body, (value,) = self.inside([at], [type], depth, ["S"])
        self.in_slope = False
        self.types, self.own = before, outside
        return Slope(self.define(self.new(type), type), at, start, body, value)

    def function(self) -> None:
        types = [self.one_of(["S", "V", "M"]) for _ in range(self.integer(1, 2))]
        result = self.one_of(["S", "V"])
        kind = self.one_of(["plain", "function", "recompute", "custom"])
        name = f"g{len(self.functions) + 1}"
        parameters = [self.new(type) for type in types]
        before, outside = self.types, self.own
        self.types, self.own = {}, []
        for parameter, type in zip(parameters, types, strict=True):
            self.types[parameter] = type
        early = (self.test(), self.tame(result)) if self.integer(0, 2) == 0 else None
        self.left += 2
        body, (value,) = self.inside(parameters, types, 1, [result])
        self.types, self.own = before, outside
        made = Function(name, kind, tuple(parameters), early, body, value)
        self.functions.append((made, types, result))


@st.composite
def programs(draw: st.DrawFn) -> Program:
    drawer = Drawer(draw)
    for _ in range(draw(st.integers(0, 2))):
        drawer.function()
    statements: list[Statement] = [Let(drawer.define("k", "I"), "whole(w)")]
    while drawer.left > 0 or len(statements) == 1:
        drawer.left -= 1
        statements.append(drawer.statement(0))
    results = (
        " + ".join(name for name, type in drawer.types.items() if type == "S"),
        " + ".join(name for name, type in drawer.types.items() if type == "V"),
        " + ".join(name for name, type in drawer.types.items() if type == "M"),
        " + ".join(name for name, type in drawer.types.items() if type == "I"),
    )
    return Program(
        tuple(f for f, *_ in drawer.functions), tuple(statements), results, draw(st.integers(0, 2**16))
    )
