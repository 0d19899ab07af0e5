"""`tf.test.TestCase`: a `unittest.TestCase` that knows tensors, sessions and seeds."""

from __future__ import annotations

import io
import os
import random
import shutil
import sys
import tempfile
import threading
import unittest
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from gradtape._src.core import nest
from gradtape._src.core.context import current_interpreter
from gradtape._src.core.seeds import DEFAULT_GLOBAL_SEED, set_global_seed
from gradtape._src.core.values import Tensor
from gradtape._src.graph.default import get_default_graph, get_default_session, reset_default_graph
from gradtape._src.graph.ir import Graph
from gradtape._src.graph.session import Session
from gradtape._src.ops.indexed_slices import IndexedSlices
from gradtape._src.ops.variables import Variable
from gradtape._src.testing.assertions import ArrayAssertions


class EagerSession:
    """What `TestCase.session` gives in eager mode: `run` takes what has its value already."""

    def __init__(self, case: TestCase) -> None:
        self._case = case

    def run(self, fetches: Any, *args: Any, **kwargs: Any) -> Any:
        """The values of tensors, in the structure of ``fetches``; there is nothing to feed."""
        if kwargs.get("feed_dict") or (args and args[0]):
            raise RuntimeError("feed_dict is not supported when eager execution is enabled")
        return self._case.evaluate(fetches)


class TestCase(ArrayAssertions):
    """A test case for programs of tensors, eager and in graphs.

    Every test starts with a new default graph and with fixed seeds (of gradtape, NumPy and Python). The assertions take
    tensors, arrays and nests of them; tensors of a graph are evaluated in the session of the test.

    >>> class Squares(tf.test.TestCase):
    ...     def test_gradient(self):
    ...         x = tf.constant([1.0, 2.0])
    ...         with tf.GradientTape() as tape:
    ...             tape.watch(x)
    ...             y = x**2
    ...         self.assertAllClose(tape.gradient(y, x), [2.0, 4.0])
    >>> Squares("test_gradient").run().wasSuccessful()
    True
    """

    def __init__(self, methodName: str = "runTest") -> None:
        super().__init__(methodName)
        self._cached: Session | None = None
        self._folder: str | None = None

    def setUp(self) -> None:
        """A new default graph, and fixed seeds."""
        super().setUp()
        self._forget_session()
        random.seed(DEFAULT_GLOBAL_SEED)
        np.random.seed(DEFAULT_GLOBAL_SEED)
        reset_default_graph()
        set_global_seed(DEFAULT_GLOBAL_SEED)

    def tearDown(self) -> None:
        """Closes the session of the test, and removes its folder."""
        self._forget_session()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None
        super().tearDown()

    def _forget_session(self) -> None:
        if self._cached is not None:
            self._cached.close()
            self._cached = None

    # --- values ---

    def evaluate(self, tensors: Any) -> Any:
        """Arrays for a nest of tensors: what they hold in eager mode, `session.run` of it in a graph.

        A function in the nest is called first.
        """
        if current_interpreter() is None:
            return nest.map_structure(_value, tensors)
        session = get_default_session()
        if session is None:
            with self.cached_session() as session:
                return session.run(tensors)
        return session.run(tensors)

    def evaluate_if_both_tensors(self, a: Any, b: Any) -> tuple[Any, Any]:
        """Both evaluated, if both are tensors; else as they are."""
        if isinstance(a, Tensor) and isinstance(b, Tensor):
            a, b = self.evaluate([a, b])
        return a, b

    # --- sessions ---

    @contextmanager
    def session(
        self, graph: Graph | None = None, config: Any = None, use_gpu: bool = True, force_gpu: bool = False
    ) -> Iterator[Any]:
        """A new session, which is the default one in the block; in eager mode a stand-in.

        config, use_gpu, force_gpu: without effect.
        """
        if current_interpreter() is None:
            yield EagerSession(self)
            return
        with Session(graph=graph) as session, session.graph.as_default():
            yield session

    @contextmanager
    def cached_session(
        self, graph: Graph | None = None, config: Any = None, use_gpu: bool = True, force_gpu: bool = False
    ) -> Iterator[Any]:
        """The session of the test: the same one every time, so that variables keep their values.

        config, use_gpu, force_gpu: without effect.
        """
        if current_interpreter() is None:
            yield EagerSession(self)
            return
        wanted = graph if graph is not None else get_default_graph()
        if self._cached is None or self._cached.graph is not wanted:
            self._cached = Session(graph=wanted)
        with self._cached.as_default(), wanted.as_default():
            yield self._cached

    def test_session(self, *args: Any, **kwargs: Any) -> Any:
        """`cached_session`, by its old name."""
        if self.id().endswith(".test_session"):
            self.skipTest("Not a test.")  # but its name is that of one
        return self.cached_session(*args, **kwargs)

    # --- files, output, threads ---

    def get_temp_dir(self) -> str:
        """An empty folder for the files of the test, removed after it."""
        if self._folder is None:
            self._folder = tempfile.mkdtemp()
        return self._folder

    @contextmanager
    def captureWritesToStream(self, stream: Any) -> Iterator[CapturedWrites]:
        """Catches what the block writes to a stream with a file descriptor, such as ``sys.stderr``."""
        number = stream.fileno()
        saved = os.dup(number)
        with tempfile.TemporaryFile() as file:
            stream.flush()
            os.dup2(file.fileno(), number)
            captured = CapturedWrites()
            try:
                yield captured
            finally:
                stream.flush()
                os.dup2(saved, number)
                os.close(saved)
                file.seek(0, io.SEEK_SET)
                captured.text = file.read().decode()

    def checkedThread(self, target: Callable[..., Any], args: Any = (), kwargs: Any = None) -> CheckedThread:
        """A thread whose `join` fails the test if ``target`` raised an error."""
        return CheckedThread(self, target, args, kwargs or {})


class CapturedWrites:
    """What `TestCase.captureWritesToStream` caught."""

    text = ""

    def contents(self) -> str:
        """The text, when the block has ended."""
        return self.text


class CheckedThread:
    """A thread whose error is the test's."""

    def __init__(self, case: TestCase, target: Callable[..., Any], args: Any, kwargs: Any) -> None:
        self._case, self._target, self._args, self._kwargs = case, target, args, kwargs
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        try:
            self._target(*self._args, **self._kwargs)
        except BaseException as error:
            self._error = error

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def join(self) -> None:
        """Waits for the thread; fails the test if it raised an error."""
        self._thread.join()
        if self._error is not None:
            self._case.fail(f"Error in checkedThread: {self._error!r}")

    def is_alive(self) -> bool:
        """Whether the thread is running."""
        return self._thread.is_alive()


def _value(element: Any) -> Any:
    """What is in a tensor or variable; the value of a function's result."""
    if isinstance(element, IndexedSlices):
        return IndexedSlices(*(part and part.numpy() for part in (element.values, element.indices)))
    if callable(element) and not isinstance(element, Tensor | Variable):
        return nest.map_structure(_value, element())
    return element.numpy() if hasattr(element, "numpy") else element


def main(argv: list[str] | None = None) -> None:
    """Runs the tests of the script that calls it, and exits.

    >>> tf.test.main(["script", "--help"])
    Traceback (most recent call last):
    SystemExit: 0
    """
    unittest.main(argv=argv or sys.argv)
