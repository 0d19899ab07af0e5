"""Decorators that run a test in graphs, eagerly, or in both: what TensorFlow's own tests call `test_util`.

A decorator of tests takes a method, or the reason for it first (`@run_v1_only("needs placeholders")`). Programs are
taken for TensorFlow 2 unless `tf.disable_v2_behavior()` was called.
"""

from __future__ import annotations

import functools
import unittest
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from gradtape._src.core.context import current_interpreter, current_recorders, under
from gradtape._src.core.values import Tensor
from gradtape._src.graph.default import outermost, start_graph_mode
from gradtape._src.graph.ir import Graph


@contextmanager
def graph_mode() -> Iterator[Graph]:
    """The block builds a new graph."""
    with Graph().as_default() as graph:
        yield graph


@contextmanager
def eager_mode() -> Iterator[None]:
    """The block is executed at once."""
    with under(None, current_recorders()):
        yield


def _is_tensorflow_1() -> bool:
    return not Tensor._USE_EQUALITY


def _decorator(wrap: Callable[[Any], Any]) -> Callable[..., Any]:
    """`@decorator`, `@decorator()` and `@decorator("why")`."""

    def decorator(function: Any = None, *args: Any, **kwargs: Any) -> Any:
        return wrap(function) if callable(function) else wrap

    return functools.update_wrapper(decorator, wrap)


def _of_tests(wrap_method: Callable[[Any], Any]) -> Callable[..., Any]:
    """A decorator of methods and of classes: of all their tests, then."""

    def wrap(test: Any) -> Any:
        if not isinstance(test, type):
            return wrap_method(test)
        for name, value in list(vars(test).items()):
            if callable(value) and name.startswith(unittest.TestLoader.testMethodPrefix):
                setattr(test, name, wrap_method(value))
        return test

    return _decorator(functools.update_wrapper(wrap, wrap_method))


def _both(test: Any) -> Any:
    """Runs a test while a graph is built, and then eagerly, each from a fresh start."""

    @functools.wraps(test)
    def decorated(self: Any, *args: Any, **kwargs: Any) -> None:
        in_graph_mode = current_interpreter() is outermost()
        try:
            with graph_mode(), self.test_session():
                test(self, *args, **kwargs)
        except unittest.SkipTest:
            pass  # the eager half may be meant
        self.tearDown()
        try:
            with eager_mode():
                self.setUp()  # which begins a new default graph
                test(self, *args, **kwargs)
        finally:
            if in_graph_mode:
                start_graph_mode()

    return decorated


def _in_graph(test: Any) -> Any:
    """Runs a test while a graph is built."""

    @functools.wraps(test)
    def decorated(self: Any, *args: Any, **kwargs: Any) -> None:
        if current_interpreter() is outermost():
            test(self, *args, **kwargs)
            return
        with graph_mode():
            test(self, *args, **kwargs)

    return decorated


def _only(wanted: bool, reason: str) -> Callable[[Any], Any]:
    def wrap(test: Any) -> Any:
        @functools.wraps(test)
        def decorated(self: Any, *args: Any, **kwargs: Any) -> None:
            if _is_tensorflow_1() is not wanted:
                self.skipTest(reason)
            test(self, *args, **kwargs)

        return decorated

    return wrap


def _skipped(reason: str) -> Callable[[Any], Any]:
    def wrap(test: Any) -> Any:
        return unittest.skip(reason)(test)

    return wrap


def _unchanged(test: Any) -> Any:
    return test


run_in_graph_and_eager_modes = _of_tests(_both)
run_all_in_graph_and_eager_modes = run_in_graph_and_eager_modes
run_deprecated_v1 = _of_tests(_in_graph)
deprecated_graph_mode_only = run_deprecated_v1
run_all_in_deprecated_graph_mode_only = run_deprecated_v1
build_as_function_and_v1_graph = run_deprecated_v1
run_v1_only = _of_tests(_only(True, "a test of TensorFlow 1's behaviour"))
run_v2_only = _of_tests(_only(False, "a test of TensorFlow 2's behaviour"))
run_gpu_only = run_cuda_only = _decorator(_skipped("there is no GPU"))
disable_control_flow_v2 = _decorator(_skipped("there is one kind of control flow, TensorFlow 2's"))
# What they switch does not exist here, or is always on.
with_control_flow_v2 = enable_control_flow_v2 = _decorator(_unchanged)
assert_no_new_tensors = assert_no_garbage_created = _decorator(_unchanged)
assert_no_new_pyobjects_executing_eagerly = _decorator(_unchanged)
disable_xla = no_xla_auto_jit = xla_allow_fallback = _decorator(_unchanged)
disable_mlir_bridge = disable_tfrt = disable_eager_op_as_function = _decorator(_unchanged)
enable_eager_op_as_function = with_eager_op_as_function = _decorator(_unchanged)
enable_output_all_intermediates = _decorator(_unchanged)


@contextmanager
def use_gpu() -> Iterator[None]:
    """The block may use a GPU; there is none."""
    yield


force_gpu = force_cpu = device = use_gpu


def is_xla_enabled() -> bool:
    """No."""
    return False


is_mlir_bridge_enabled = is_xla_enabled
