"""A program as Python text: with ``tf.cond`` and ``tf.while_loop``, or with ``if``, ``while`` and ``for``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from programs.tree import (
    Block,
    Choose,
    Fold,
    For,
    Function,
    If,
    Let,
    Map,
    Program,
    Slope,
    Statement,
    Test,
    While,
    assigned,
    kinds,
)

_DECORATORS = {"function": "@tf.function", "recompute": "@tf.recompute_grad", "custom": "@tf.custom_gradient"}
_NOTHING = {
    "s": "tf.zeros([], tf.float64)",
    "v": "tf.zeros([3], tf.float64)",
    "m": "tf.zeros([3, 3], tf.float64)",
    "i": "tf.constant(0)",
    "a": "tf.TensorArray(tf.float64, 3, clear_after_read=False).unstack(tf.zeros([3], tf.float64))",
}


def written(program: Program, autograph: bool, plain: bool = False) -> str:
    """The text of a module with a function ``program(x, w, m)``; ``plain`` leaves the decorators out."""
    writer = _Writer(autograph, plain)
    for function in program.functions:
        writer.function(function)
    with writer.indented("def program(x, w, m):"):
        writer.block(program.body, {"x", "w", "m"})
        writer.line(f"return {', '.join(program.results)}")
    return "\n".join(writer.lines) + "\n"


def _tupled(names: Sequence[str]) -> str:
    return f"({names[0]},)" if len(names) == 1 else f"({', '.join(names)})"


def _nest(names: Sequence[str]) -> str:
    """One value by itself, several as a tuple."""
    return names[0] if len(names) == 1 else ", ".join(names)


class _Writer:
    def __init__(self, autograph: bool, plain: bool) -> None:
        self.autograph, self.plain = autograph, plain
        self.lines: list[str] = []
        self.depth = 0
        self.count = 0

    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    @contextmanager
    def indented(self, text: str) -> Iterator[None]:
        self.line(text)
        self.depth += 1
        yield
        self.depth -= 1

    def new(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    def test(self, test: Test) -> str:
        if isinstance(test, str):
            return test
        word, *parts = test
        texts = [self.test(part) for part in parts]
        if self.autograph:
            return f"(not {texts[0]})" if word == "not" else f"({texts[0]} {word} {texts[1]})"
        return f"tf.logical_{word}({', '.join(texts)})"

    def block(self, block: Block, scope: set[str]) -> set[str]:
        for node in block:
            self.statement(node, scope)
            scope = scope | set(assigned((node,)))
        return scope

    def statement(self, node: Statement, scope: set[str]) -> None:
        methods: dict[type, Callable[..., None]] = {
            Let: self.let,
            If: self.if_,
            Choose: self.choose,
            While: self.while_,
            For: self.for_,
            Map: self.map_,
            Fold: self.fold,
            Slope: self.slope,
        }
        methods[type(node)](node, scope)

    def let(self, node: Let, scope: set[str]) -> None:
        self.line(f"{node.name} = {node.value}")

    def branch(self, block: Block, scope: set[str], names: Sequence[str], results: Sequence[str]) -> str:
        """A function of no arguments that gives the results after the block, which assigns ``names``."""
        name = self.new("branch")
        with self.indented(f"def {name}({', '.join(f'{n}={n}' for n in names)}):"):
            self.block(block, scope)
            self.line(f"return {_nest(results)}")
        return name

    def changed(self, blocks: Sequence[Block], scope: set[str]) -> list[str]:
        """The variables of the scope that the blocks assign."""
        return list(dict.fromkeys(n for block in blocks for n in assigned(block) if n in scope))

    def declared(self, node: Statement, scope: set[str]) -> set[str]:
        """The scope in which AutoGraph meets a statement.

        What a function in it captures has to have a value before, as in TensorFlow.
        """
        if not any(kind[-1] in ("Map", "Fold") for kind in kinds((node,))):
            return scope
        names = [name for name in assigned((node,)) if name not in scope]
        for name in names:
            self.line(f"{name} = {_NOTHING[name[0]]}")
        return scope | set(names)

    def if_(self, node: If, scope: set[str]) -> None:
        if self.autograph:
            scope = self.declared(node, scope)
            with self.indented(f"if {self.test(node.test)}:"):
                self.block(node.then, scope)
                if not node.then:
                    self.line("pass")
            if node.other:
                with self.indented("else:"):
                    self.block(node.other, scope)
            return
        names = self.changed((node.then, node.other), scope)
        then, other = (self.branch(block, scope, names, names) for block in (node.then, node.other))
        self.line(f"{_nest(names)} = tf.cond({self.test(node.test)}, {then}, {other})")

    def choose(self, node: Choose, scope: set[str]) -> None:
        n = len(node.branches)
        tests = [f"tf.equal({node.index}, {i})" for i in range(n - 1)]
        if self.autograph:
            scope = self.declared(node, scope)
            for i, block in enumerate(node.branches):
                words = f"if {tests[0]}:" if i == 0 else "else:" if i == n - 1 else f"elif {tests[i]}:"
                with self.indented(words):
                    self.block(block, scope)
                    if not block:
                        self.line("pass")
            return
        names = self.changed(node.branches, scope)
        branches = [self.branch(block, scope, names, names) for block in node.branches]
        if node.by_case:
            pairs = ", ".join(f"({test}, {branch})" for test, branch in zip(tests, branches))
            call = f"tf.case([{pairs}], default={branches[-1]})"
        else:
            call = f"tf.switch_case({node.index}, [{', '.join(branches)}])"
        self.line(f"{_nest(names)} = {call}")

    def while_(self, node: While, scope: set[str]) -> None:
        test = f"{node.counter} < {node.trips}"
        if self.autograph:
            scope = self.declared(node, scope)
        self.line(f"{node.counter} = tf.constant(0)")
        scope = scope | {node.counter}
        if self.autograph:
            with self.indented(f"while {test}:"):
                self.line(f"{node.counter} += 1")
                scope = self.block(node.before, scope)
                self.leave(node)
                self.block(node.after, scope)
            return
        body = (Let(node.counter, f"{node.counter} + 1"), *node.before)
        if node.leave is None:
            body = (*body, *node.after)
        else:
            leave, go = self.new("leave"), self.new("go")
            body = (*body, Let(leave, self.test(node.leave.test)), If(leave, (), node.after))
            if not self.changed((node.after,), scope | set(assigned(node.before))):
                body = body[:-1]
            if node.leave.word == "break":
                self.line(f"{go} = tf.constant(True)")
                scope = scope | {go}
                body = (*body, Let(go, f"tf.logical_not({leave})"))
                test = f"tf.logical_and({test}, {go})"
        names = self.changed((body,), scope)
        loop_test, loop_body = self.new("test"), self.new("body")
        with self.indented(f"def {loop_test}({', '.join(names)}):"):
            self.line(f"return {test}")
        with self.indented(f"def {loop_body}({', '.join(names)}):"):
            self.block(body, scope)
            self.line(f"return {_tupled(names)}")
        left = f"{names[0]}," if len(names) == 1 else ", ".join(names)
        self.line(f"{left} = tf.while_loop({loop_test}, {loop_body}, {_tupled(names)})")

    def leave(self, node: While | For) -> None:
        if node.leave is not None:
            with self.indented(f"if {self.test(node.leave.test)}:"):
                self.line(node.leave.word)

    def for_(self, node: For, scope: set[str]) -> None:
        if self.autograph:
            scope = self.declared(node, scope)
            with self.indented(f"for {node.item} in {node.over}:"):
                inner = self.block(node.before, scope | {node.item})
                self.leave(node)
                self.block(node.after, inner)
                if node.leave is None and not (node.before or node.after):
                    self.line("pass")
            return
        rows, counter = self.new("rows"), self.new("j")
        self.line(f"{rows} = {node.over}")
        before = (Let(node.item, f"{rows}[{counter} - 1]"), *node.before)
        loop = While(counter, f"tf.shape({rows})[0]", before, node.leave, node.after)
        self.while_(loop, scope | {rows})

    def inner_function(
        self, parameters: Sequence[Sequence[str]], block: Block, results: Sequence[str], scope: set[str]
    ) -> str:
        """A function of nests: each parameter is one name, or several that come as a tuple."""
        name = self.new("f")
        given = [names[0] if len(names) == 1 else self.new("nest") for names in parameters]
        with self.indented(f"def {name}({', '.join(given)}):"):
            for one, names in zip(given, parameters, strict=True):
                if len(names) > 1:
                    self.line(f"{', '.join(names)} = {one}")
            self.block(block, scope | {n for names in parameters for n in names})
            self.line(f"return {_nest(results)}")
        return name

    def afterwards(self, targets: Sequence[str], after: str) -> None:
        if after:
            for target in targets:
                self.line(f"{target} = {after.format(target)}")

    def map_(self, node: Map, scope: set[str]) -> None:
        f = self.inner_function([node.rows], node.body, node.results, scope)
        elems, signature = (
            _tupled(xs) if len(xs) > 1 else xs[0]
            for xs in (node.elems, [f"tf.{spec}" for spec in node.signature])
        )
        call = f"tf.map_fn({f}, {elems}, fn_output_signature={signature})"
        self.line(f"{_nest(node.targets)} = {call}")
        self.afterwards(node.targets, node.after)

    def fold(self, node: Fold, scope: set[str]) -> None:
        f = self.inner_function([node.carries, node.rows], node.body, node.results, scope)
        arguments = [f, _tupled(node.elems) if len(node.elems) > 1 else node.elems[0]]
        if node.starts is not None:
            starts = _tupled(node.starts) if len(node.starts) > 1 else node.starts[0]
            arguments.append(f"initializer={starts}")
        if node.reverse:
            arguments.append("reverse=True")
        self.line(f"{_nest(node.targets)} = tf.{node.kind}({', '.join(arguments)})")
        self.afterwards(node.targets, node.after)

    def slope(self, node: Slope, scope: set[str]) -> None:
        """The source is the tensor that was watched; the body may give its name to another.

        What a loop or a conditional gives is a tensor of its own in a graph, and in eager mode often one from before.
        """
        source = self.new("source")
        self.line(f"{source} = {node.at} = {node.start}")
        tape = self.new("tape")
        with self.indented(f"with tf.GradientTape() as {tape}:"):
            self.line(f"{tape}.watch({source})")
            self.block(node.body, scope | {node.at})
            target = self.new("target")
            self.line(f"{target} = {node.value}")
        gradient = f"{tape}.gradient({target}, {source}, unconnected_gradients='zero')"
        self.line(f"{node.name} = tf.convert_to_tensor({gradient})  # it may come as rows")

    def function(self, node: Function) -> None:
        """A function of the module. A custom gradient is that of the same function, by a tape."""
        kind = "plain" if self.plain and node.kind in ("function", "recompute") else node.kind
        parameters = ", ".join(node.parameters)
        name = f"{node.name}_itself" if kind == "custom" else node.name
        if kind == "custom" and not self.plain:  # AutoGraph does not go into custom gradients
            self.line(_DECORATORS["function"])
        elif kind in ("function", "recompute"):
            self.line(_DECORATORS[kind])
        with self.indented(f"def {name}({parameters}):"):
            self.function_body(node)
        if kind == "custom":
            self.line(_DECORATORS[kind])
            with self.indented(f"def {node.name}({parameters}):"):
                with self.indented("def gradient(dy):"):
                    with self.indented("with tf.GradientTape() as tape:"):
                        self.line(f"tape.watch([{parameters}])")
                        self.line(f"y = {name}({parameters})")
                    self.line(f"return tape.gradient(y, [{parameters}], dy, unconnected_gradients='zero')")
                self.line(f"return {name}({parameters}), gradient")

    def function_body(self, node: Function) -> None:
        scope = set(node.parameters)
        if node.early is not None:
            test, value = node.early
            if self.autograph:
                with self.indented(f"if {self.test(test)}:"):
                    self.line(f"return {value}")
            else:
                rest = self.branch(node.body, scope, self.changed((node.body,), scope), [node.result])
                self.line(f"return tf.cond({self.test(test)}, lambda: {value}, {rest})")
                return
        self.block(node.body, scope)
        self.line(f"return {node.result}")
