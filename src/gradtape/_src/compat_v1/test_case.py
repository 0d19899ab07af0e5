"""``tf.test``: a `unittest.TestCase` with assertions about arrays, and what programs ask of the machine.

Rests on absl-py's test case, as TensorFlow's does.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from absl.testing import absltest

from gradtape._src.api.random import set_random_seed
from gradtape._src.core.context import current
from gradtape._src.core.errors import OpError
from gradtape._src.core.nest import map_structure
from gradtape._src.core.values import Tensor
from gradtape._src.graph.default import get_default_graph, get_default_session, outermost, reset_default_graph
from gradtape._src.graph.ir import current_graph
from gradtape._src.graph.session import Session
from gradtape._src.ops.indexed_slices import IndexedSlices, dense
from gradtape._src.ops.variables import Variable


class TestCase(absltest.TestCase):
    """A test case with assertions about tensors and arrays, and sessions for tests of graphs.

    Each test begins with an empty default graph and the same seeds.

    >>> import gradtape as tf
    >>> class SquareTest(tf.test.TestCase):
    ...     def test_square(self):
    ...         self.assertAllEqual(tf.square([2, 3]), [4, 9])
    >>> test = SquareTest("test_square").run()
    >>> test.wasSuccessful()
    True

    As TensorFlow 2.21.
    """

    _cached: Any = None  # the session of this test

    def setUp(self):
        super().setUp()
        if self.id().endswith(".test_session"):
            self.skipTest("Not a test.")  # a method for tests, which test runners take for one
        random.seed(1234)
        np.random.seed(1234)
        if current().interpreter in (None, outermost()):
            reset_default_graph()
        if current_graph() is not None:
            get_default_graph().seed = 87654321
        else:
            set_random_seed(1234)

    def tearDown(self):
        if self._cached is not None:
            self._cached.close()
        super().tearDown()

    def get_temp_dir(self):
        """A folder for the files of this test."""
        return self.create_tempdir().full_path

    # --- Values

    def evaluate(self, tensors):
        """The arrays of tensors in any nest: in a graph, in the session of the ``with`` block."""
        if current_graph() is not None:
            session = get_default_session() or self._session(None)
            return session.run(tensors)
        return map_structure(_array, tensors)

    def _session(self, graph: Any) -> Any:
        if self._cached is None or self._cached.graph is not (graph or get_default_graph()):
            self._cached = Session(graph=graph)
        return self._cached

    @contextmanager
    def session(self, graph=None, config=None, use_gpu=True, force_gpu=False):
        """A new session; in eager mode, nothing."""
        if current_graph() is None and graph is None:
            yield None
        else:
            with Session(graph=graph) as session:
                yield session

    @contextmanager
    def cached_session(self, graph=None, config=None, use_gpu=True, force_gpu=False):
        """The one session of this test, which stays open; in eager mode, nothing."""
        if current_graph() is None and graph is None:
            yield None
        else:
            session = self._session(graph)
            with session.graph.as_default(), session.as_default():
                yield session

    test_session = cached_session

    def _values(self, *values: Any) -> Any:
        return [np.asarray(self._get(value)) for value in values]

    def _get(self, value: Any) -> Any:
        if isinstance(value, (Tensor, Variable, IndexedSlices)):
            return self.evaluate(value)
        if isinstance(value, (list, tuple)):
            return [self._get(item) for item in value]
        return value

    # --- Assertions

    def assertAllEqual(self, a, b, msg=None):
        """The same shape and the same elements; NaNs are equal to each other."""
        a, b = self._values(a, b)
        self.assertEqual(a.shape, b.shape, f"Shape mismatch: expected {a.shape}, got {b.shape}. {msg or ''}")
        equal = a == b
        if a.dtype.kind in "fc" and b.dtype.kind in "fc":
            equal = equal | (np.isnan(a) & np.isnan(b))
        if a.dtype.kind in "OSU":
            equal = (
                np.vectorize(lambda x, y: _as_bytes(x) == _as_bytes(y), otypes=[bool])(a, b)
                if a.size
                else a == b
            )
        if not np.all(equal):
            where = np.argwhere(~np.atleast_1d(equal))[:10].tolist()
            self.fail(f"Arrays are not equal, at {where}:\n{a!r}\n{b!r}\n{msg or ''}")

    def assertNotAllEqual(self, a, b, msg=None):
        """Not the same elements."""
        self._not(self.assertAllEqual, "The two values are equal at all elements.", a, b, msg=msg)

    def assertAllClose(self, a, b, rtol=1e-6, atol=1e-6, msg=None):
        """Arrays, or nests of them, that differ by no more than ``atol + rtol * |b|``; half precision by 1e-3."""
        if isinstance(a, Mapping) or isinstance(b, Mapping):
            self.assertCountEqual(a, b, msg)
            for key in a:
                self.assertAllClose(a[key], b[key], rtol, atol, f"at {key!r}. {msg or ''}")
            return
        if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)) and _is_ragged(a, b):
            self.assertEqual(len(a), len(b), msg)
            for i, (one, other) in enumerate(zip(a, b)):
                self.assertAllClose(one, other, rtol, atol, f"at {i}. {msg or ''}")
            return
        a, b = self._values(a, b)
        if (
            a.dtype.itemsize == 2
            and a.dtype.kind not in "iu"
            or b.dtype.itemsize == 2
            and b.dtype.kind not in "iu"
        ):
            rtol, atol = max(rtol, 1e-3), max(atol, 1e-3)
            a, b = a.astype(np.float32), b.astype(np.float32)
        self.assertEqual(a.shape, b.shape, f"Shape mismatch: expected {a.shape}, got {b.shape}. {msg or ''}")
        np.testing.assert_allclose(a, b, rtol, atol, err_msg=msg or "")

    def assertAllCloseAccordingToType(
        self,
        a,
        b,
        rtol=1e-6,
        atol=1e-6,
        float_rtol=1e-6,
        float_atol=1e-6,
        half_rtol=1e-3,
        half_atol=1e-3,
        bfloat16_rtol=1e-2,
        bfloat16_atol=1e-2,
        msg=None,
    ):
        """`assertAllClose` with tolerances for the less precise of the two dtypes."""
        names = {value.dtype.name for value in self._values(a, b)}
        for name, r, t in (
            ("float32", float_rtol, float_atol),
            ("complex64", float_rtol, float_atol),
            ("float16", half_rtol, half_atol),
            ("bfloat16", bfloat16_rtol, bfloat16_atol),
        ):
            if name in names:
                rtol, atol = max(rtol, r), max(atol, t)
        a, b = [v.astype(np.float32) if v.dtype.name == "bfloat16" else v for v in self._values(a, b)]
        self.assertAllClose(a, b, rtol, atol, msg)

    def assertNotAllClose(self, a, b, rtol=1e-6, atol=1e-6, msg=None):
        """Not as close."""
        text = "The two values are close at all elements."
        self._not(self.assertAllClose, text, a, b, rtol=rtol, atol=atol, msg=msg)

    def _not(self, assertion: Any, text: str, *args: Any, **options: Any) -> None:
        try:
            assertion(*args, **options)
        except AssertionError:
            return
        raise AssertionError(f"{text} {options.get('msg') or ''}")

    def assertNear(self, f1, f2, err, msg=None):
        """Two numbers that differ by no more than ``err``."""
        f1, f2 = self._values(f1, f2)
        self.assertTrue(f1 == f2 or abs(f1 - f2) <= err, f"{f1!r} != {f2!r} +/- {err!r} {msg or ''}")

    def assertArrayNear(self, farray1, farray2, err, msg=None):
        """Two sequences of numbers that differ by no more than ``err``."""
        self.assertEqual(len(farray1), len(farray2), msg)
        for f1, f2 in zip(farray1, farray2):
            self.assertNear(f1, f2, err, msg)

    def assertNDArrayNear(self, ndarray1, ndarray2, err, msg=None):
        """Two arrays whose difference has a norm of at most ``err``."""
        a, b = self._values(ndarray1, ndarray2)
        self.assertLessEqual(np.linalg.norm(a - b), err, msg)

    def assertShapeEqual(self, input_a, input_b, msg=None):
        """The same shape."""
        self.assertEqual(tuple(input_a.shape), tuple(input_b.shape), msg)

    def assertAllGreater(self, a, comparison_target):
        """All elements are greater."""
        self._all(a, lambda x: x > comparison_target, f"greater than {comparison_target}")

    def assertAllGreaterEqual(self, a, comparison_target):
        """All elements are at least as great."""
        self._all(a, lambda x: x >= comparison_target, f"at least {comparison_target}")

    def assertAllLess(self, a, comparison_target):
        """All elements are less."""
        self._all(a, lambda x: x < comparison_target, f"less than {comparison_target}")

    def assertAllLessEqual(self, a, comparison_target):
        """All elements are at most as great."""
        self._all(a, lambda x: x <= comparison_target, f"at most {comparison_target}")

    def assertAllInRange(
        self, target, lower_bound, upper_bound, open_lower_bound=False, open_upper_bound=False
    ):
        """All elements lie between two bounds, which belong to the range unless it is open there."""

        def inside(x: Any) -> Any:
            above = x > lower_bound if open_lower_bound else x >= lower_bound
            return above & (x < upper_bound if open_upper_bound else x <= upper_bound)

        self._all(target, inside, f"between {lower_bound} and {upper_bound}")

    def assertAllInSet(self, target, expected_set):
        """All elements are among the expected ones."""
        self._all(target, lambda x: np.isin(x, list(expected_set)), f"among {expected_set}")

    def _all(self, a: Any, holds: Any, what: str) -> None:
        (a,) = self._values(a)
        ok = holds(a)
        if not np.all(ok):
            self.fail(f"Not all elements are {what}: {a[~ok][:10]}")

    def assertDTypeEqual(self, target, expected_dtype):
        """The dtype is the expected one."""
        (target,) = self._values(target)
        self.assertEqual(target.dtype, getattr(expected_dtype, "as_numpy_dtype", expected_dtype))

    @contextmanager
    def assertRaisesWithPredicateMatch(self, exception_type, expected_err_re_or_predicate):
        """An error of this type, for which a function holds, or whose text has a regular expression in it."""
        try:
            yield
        except Exception as error:
            text = getattr(error, "message", str(error)) if isinstance(error, OpError) else str(error)
            if callable(expected_err_re_or_predicate):
                matches = expected_err_re_or_predicate(error)
            else:
                matches = _found(expected_err_re_or_predicate, text)
            if not isinstance(error, exception_type) or not matches:
                raise AssertionError(f"Exception of type {type(error)}: {error}") from error
        else:
            self.fail(f"{exception_type.__name__} not raised")

    def assertRaisesOpError(self, expected_err_re_or_predicate):
        """An error of an operation; see `assertRaisesWithPredicateMatch`."""
        return self.assertRaisesWithPredicateMatch(OpError, expected_err_re_or_predicate)


def _array(value: Any) -> Any:
    if isinstance(value, IndexedSlices):
        value = dense(value)
    return value.numpy() if isinstance(value, (Tensor, Variable)) else value


def _as_bytes(value: Any) -> Any:
    return value.encode() if isinstance(value, str) else value


def _found(pattern: str, text: str) -> bool:
    return re.search(pattern, text) is not None


def _is_ragged(a: Any, b: Any) -> bool:
    """Whether two sequences are structures rather than arrays: their items have different shapes."""

    def shape(value: Any) -> Any:
        return tuple(value.shape) if hasattr(value, "shape") else np.shape(value)

    try:
        return len({shape(item) for item in [*a, *b]}) > 1 or any(isinstance(item, Mapping) for item in a)
    except ValueError:
        return True


def main(argv=None):
    """Runs the tests of the script, and ends the program: ``unittest.main``, with the flags of absl-py."""
    absltest.main(argv=argv)


# --- The machine --------------------------------------------------------------------------------------------


def is_gpu_available(cuda_only=False, min_cuda_compute_capability=None):
    """Whether there is a GPU for computations: no.

    >>> import gradtape as tf
    >>> tf.test.is_gpu_available()
    False
    """
    return False


def is_built_with_cuda():
    """Whether gradtape can use CUDA: no.

    >>> import gradtape as tf
    >>> tf.test.is_built_with_cuda()
    False
    """
    return False


def gpu_device_name():
    """The name of a GPU; empty without one.

    >>> import gradtape as tf
    >>> tf.test.gpu_device_name()
    ''
    """
    return ""


def get_temp_dir():
    """A folder for the files of tests.

    >>> import gradtape as tf, os
    >>> os.path.isdir(tf.test.get_temp_dir())
    True
    """
    folder = absltest.get_default_test_tmpdir()
    os.makedirs(folder, exist_ok=True)
    return folder
