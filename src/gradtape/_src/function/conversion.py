"""AutoGraph: a function with `if`, `while`, `for` turned into one that calls the operators of `staging.py` for them.

The transformation of the source is that of the package diastatic-malt (TensorFlow's AutoGraph, maintained apart from
it). Here is what is put in its place around that: which functions are converted, and how the result is loaded. It is
compiled with the file name and line numbers of the original, so that tracebacks and errors show the user's lines.

Loaded when a function is converted for the first time: malt takes 50 ms.
"""

from __future__ import annotations

import ast
import functools
import importlib.util  # malt uses it without importing it
import inspect
import types
from collections.abc import Callable
from threading import RLock
from typing import Any
from weakref import WeakKeyDictionary

from malt import operators
from malt.converters import (
    asserts,
    break_statements,
    call_trees,
    conditional_expressions,
    continue_statements,
    control_flow,
    directives,
    functions,
    logical_expressions,
    return_statements,
    variables,
)
from malt.core import converter, unsupported_features_checker
from malt.impl import api
from malt.lang import special_functions
from malt.lang.directives import set_loop_options as malts_set_loop_options
from malt.operators import py_builtins
from malt.pyct import anno, ast_util, errors, inspect_utils, origin_info, parser, templates, transpiler

from gradtape._src.core.log import warn
from gradtape._src.function import staging
from gradtape._src.function.directives import set_loop_options
from gradtape._src.function.reachable import can_run_unconverted, is_library

OPTIONS = converter.ConversionOptions(recursive=True, user_requested=True, optional_features=None)  # type: ignore[arg-type]

# Functions of this library that call functions of the user's while a graph is built.
_TAKES_FUNCTIONS = frozenset(
    "cond case switch_case while_loop map_fn scan foldl foldr vectorized_map map_structure recompute_grad".split()
)


class _Directives(directives.DirectivesTransformer):
    """malt's, which knows ``set_loop_options`` by what is called: this library's means the same."""

    def visit_Name(self, node: Any) -> Any:
        return self._translated(super().visit_Name(node))

    def visit_Attribute(self, node: Any) -> Any:
        return self._translated(super().visit_Attribute(node))

    @staticmethod
    def _translated(node: Any) -> Any:
        if anno.getanno(node, directives.STATIC_VALUE, default=None) is set_loop_options:
            anno.setanno(node, directives.STATIC_VALUE, malts_set_loop_options)
        return node


class _Asserts(asserts.AssertTransformer):
    """malt's, which takes constant messages only: here they may be any expression."""

    def visit_Assert(self, node: Any) -> Any:
        if node.msg is None or isinstance(node.msg, ast.Constant):
            return super().visit_Assert(node)
        self.generic_visit(node)
        return templates.replace("ag__.assert_stmt(test, lambda: msg)", test=node.test, msg=node.msg)


def _handlers(node: Any) -> list[Any]:
    """All ``except E as name``. malt's analyses take the name for a node; in Python's syntax trees it is a string."""
    return [part for part in ast.walk(node) if isinstance(part, ast.ExceptHandler)]


class _Transpiler(api.PyToPy):
    """malt's, with another namespace for the generated code and another way of loading it."""

    def __init__(self) -> None:
        super().__init__()
        self._factories: WeakKeyDictionary[types.CodeType, Any] = WeakKeyDictionary()
        self._lock = RLock()

    def get_transformed_name(self, node: Any) -> str:
        return "tf__" + transpiler.GenericTranspiler.get_transformed_name(self, node)

    def transform_ast(self, node: Any, ctx: Any) -> Any:
        unsupported_features_checker.verify(node)
        for handler in _handlers(node):
            handler.name = handler.name and ast.Name(handler.name, ctx=ast.Store())
        node = self.initial_analysis(node, ctx)
        node = functions.transform(node, ctx)
        node = _Directives(ctx).visit(node)
        node = break_statements.transform(node, ctx)
        node = _Asserts(ctx).visit(node)
        passes = [continue_statements, return_statements, call_trees]
        passes += [control_flow, conditional_expressions, logical_expressions, variables]
        for part in passes:
            node = part.transform(node, ctx)
        for handler in _handlers(node):
            handler.name = handler.name and handler.name.id
        return node

    def get_extra_locals(self) -> dict[str, Any]:
        if self._extra_locals is None:
            namespace = types.ModuleType("ag__")
            vars(namespace).update(vars(operators))
            vars(namespace).update(
                {k: v for k, v in vars(special_functions).items() if not k.startswith("_")}
            )
            vars(namespace).update(staging.OPERATORS)
            vars(namespace).update(
                ConversionOptions=converter.ConversionOptions,
                Feature=converter.Feature,
                STD=converter.STANDARD_OPTIONS,
                converted_call=converted_call,
                autograph_artifact=_artifact,
            )
            self._extra_locals = {"ag__": namespace}
        return self._extra_locals

    def source_of(self, f: Any) -> tuple[Any, Any]:
        """The transformed syntax tree of a function, and malt's context with its new name."""
        context = converter.ProgramContext(options=OPTIONS)
        nodes, ctx = transpiler.GenericTranspiler.transform_function(self, f, context)
        if isinstance(nodes, ast.Lambda):
            nodes = ast.Assign(targets=[ast.Name(ctx.info.name, ctx=ast.Store())], value=nodes)
        else:
            nodes.name = ctx.info.name
        return nodes, ctx

    def converted(self, f: types.FunctionType) -> Callable[..., Any]:
        """The converted form of a function, with its globals, closure and defaults."""
        factory = self._factories.get(f.__code__)
        if factory is None:
            with self._lock:
                factory = self._factories.get(f.__code__)
                if factory is None:
                    factory = self._factories[f.__code__] = _Factory(
                        f, *self.source_of(f), self.get_extra_locals()
                    )
        new = factory.instantiate(f.__globals__, f.__closure__ or (), f.__defaults__, f.__kwdefaults__)
        new.autograph_info__ = {}
        return new


def _artifact(f: Any, extras: Any = None) -> Any:
    """Marks a function that converted code defines: it is converted already."""
    f.autograph_info__ = {}
    return f


class _Factory(transpiler._PythonFnFactory):
    """Makes converted functions from transformed code, which is compiled under the lines of the original."""

    def __init__(self, f: types.FunctionType, nodes: Any, ctx: Any, extra_locals: dict[str, Any]) -> None:
        super().__init__(ctx.info.name, f.__code__.co_freevars, extra_locals)
        inner, outer = ctx.namer.new_symbol("inner_factory", ()), ctx.namer.new_symbol("outer_factory", ())
        features = ctx.info.future_features
        whole = transpiler._wrap_into_factory(
            nodes, self._name, inner, outer, self._freevars, self._extra_locals.keys(), features
        )
        source = parser.unparse(whole, indentation="  ")
        namespace: dict[str, Any] = {}
        exec(_compiled(whole, source, f), namespace)
        self._unbound_factory = namespace[outer]()


def _compiled(nodes: Any, source: str, f: types.FunctionType) -> types.CodeType:
    """The code of ``source``, with the lines from which its parts come."""
    nodes = nodes if isinstance(nodes, (list, tuple)) else (nodes,)
    filename = f.__code__.co_filename
    origins = origin_info.create_source_map(nodes, source, filename)
    lines = {location.lineno: origin.loc.lineno for location, origin in origins.items()}
    tree = ast.parse(source)
    first = f.__code__.co_firstlineno
    line = first
    for i in range(1, source.count("\n") + 2):
        line = lines[i] = lines.get(i, line)
    exact = {}
    for before, after in ast_util.parallel_walk(nodes, tree.body):
        origin: Any = anno.getanno(before, anno.Basic.ORIGIN, default=None)
        if origin is not None:
            exact[after] = origin.loc.lineno
    for node in tree.body:
        _number(node, exact, lines, first)
    return compile(tree, filename, "exec", dont_inherit=True)


def _number(node: Any, exact: dict[Any, int], lines: dict[int, int], first: int) -> int | None:
    """Gives a node and its parts the lines of the original; an expression that was put around others that of the first.

    exact: the lines of nodes that are parts of the original. lines: for each line of the converted code one of the
    original.
    """
    parts = [_number(part, exact, lines, first) for part in ast.iter_child_nodes(node)]
    if not hasattr(node, "lineno"):
        return None
    line = exact.get(node)
    if line is None and isinstance(node, ast.expr):
        line = min((part for part in parts if part is not None), default=None)
    node.lineno = node.end_lineno = lines.get(node.lineno, first) if line is None else line
    node.col_offset = node.end_col_offset = 0
    if (
        isinstance(node, ast.Call) and node.func not in exact
    ):  # the line of a call of a method is that of its name
        node.func.lineno = node.func.end_lineno = node.lineno
    return line


_transpiler = _Transpiler()


def source_code(f: Any) -> str:
    """The converted source of a function."""
    nodes, _ = _transpiler.source_of(f)
    return parser.unparse(nodes, indentation="    ").removeprefix("# coding=utf-8\n")


def convert(f: Callable[..., Any]) -> Callable[..., Any]:
    """``f``, converted when it is called, together with what it calls."""

    @functools.wraps(f)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return converted_call(f, args, kwargs)

    wrapper.autograph_info__ = {}  # type: ignore[attr-defined]
    return wrapper


def converted_call(f: Any, args: tuple[Any, ...], kwargs: Any, scope: Any = None, options: Any = None) -> Any:
    """``f(*args, **kwargs)`` in converted code: with ``f`` converted too, if it is the user's and needs it."""
    kwargs = kwargs or {}
    if hasattr(f, "autograph_info__"):
        return f(*args, **kwargs)
    if isinstance(f, functools.partial):
        return converted_call(f.func, (*f.args, *args), {**f.keywords, **kwargs}, scope)
    if inspect_utils.isbuiltin(f):
        return _call_builtin(f, args, kwargs, scope)
    if isinstance(f, type) or isinstance(f, functools._lru_cache_wrapper):
        return f(*args, **kwargs)
    if is_library(f):
        if getattr(f, "__name__", None) in _TAKES_FUNCTIONS:
            args = tuple(map(_function_converted, args))
            kwargs = {key: _function_converted(value) for key, value in kwargs.items()}
        return f(*args, **kwargs)
    plain = isinstance(f, (types.FunctionType, types.MethodType))
    target = f if plain else inspect.getattr_static(type(f), "__call__", None)
    bound = (f.__self__,) if isinstance(f, types.MethodType) else () if plain else (f,)
    function = getattr(target, "__func__", target)
    if not isinstance(function, types.FunctionType) or is_library(function) or _is_left_alone(function):
        return f(*args, **kwargs)
    if not bound and can_run_unconverted(function, [*args, *kwargs.values()]):
        return f(*args, **kwargs)
    try:
        converted = _transpiler.converted(function)
    except Exception as error:
        warn(
            f"AutoGraph could not transform {f} and will run it as-is.\nCause: {_cause(error)}\nTo silence this "
            f"warning, decorate the function with @tf.autograph.experimental.do_not_convert",
            first=1,
        )
        function.autograph_info__ = {}  # type: ignore[attr-defined]
        return f(*args, **kwargs)
    return converted(*bound, *args, **kwargs)


def _cause(error: Exception) -> str:
    known = isinstance(error, (errors.InaccessibleSourceCodeError, errors.UnsupportedLanguageElementError))
    return str(error) if known else f"{type(error).__name__}: {error}"


def _is_left_alone(f: types.FunctionType) -> bool:
    return (
        hasattr(f, "autograph_info__")
        or inspect.isgeneratorfunction(f)
        or f.__code__.co_filename == "<string>"
    )


def _call_builtin(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], scope: Any) -> Any:
    if f is eval:
        return py_builtins.eval_in_original_context(f, args, scope)
    if f is super:
        return py_builtins.super_in_original_context(f, args, scope)
    if f is globals:
        return py_builtins.globals_in_original_context(scope)
    if f is locals:
        return py_builtins.locals_in_original_context(scope)
    function: Any = staging.BUILTINS.get(f, f)
    return function(*args, **kwargs)


def _function_converted(x: Any) -> Any:
    if isinstance(x, (types.FunctionType, types.MethodType, functools.partial)) and not is_library(x):
        return x if hasattr(x, "autograph_info__") else convert(x)
    if isinstance(x, (list, tuple)) and type(x) in (list, tuple):
        return type(x)(map(_function_converted, x))
    if type(x) is dict:
        return {key: _function_converted(value) for key, value in x.items()}
    return x


def to_graph(f: Any) -> Any:
    """The converted form of a function; of a method with ``self`` as its first argument."""
    return _transpiler.converted(getattr(f, "__func__", f))
