"""Assertions on arrays and tensors, and on nests of them: what `tf.test.TestCase` adds to `unittest.TestCase`.

Tensors of a graph are evaluated first, by the `evaluate` of the test case that these are mixed into.
"""

from __future__ import annotations

import re
import unittest
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from gradtape._src.core.dtypes import as_dtype, bfloat16
from gradtape._src.core.errors import InvalidArgumentError, OpError
from gradtape._src.graph.ir import Symbol, current_graph
from gradtape._src.ops.indexed_slices import IndexedSlices
from gradtape._src.ops.variables import Variable


class ArrayAssertions(unittest.TestCase):
    """Compares arrays, tensors, and nests of them."""

    def evaluate(self, tensors: Any) -> Any:
        raise AssertionError("mixed into a test case that can evaluate tensors")

    def _array(self, value: Any) -> Any:
        """A value as an array; tensors of a graph are evaluated, alone or in a list."""
        if _has_symbols(value):
            value = self.evaluate(value)
        if isinstance(value, np.ndarray | np.generic):
            return np.asarray(value)
        try:
            return np.array(value)
        except ValueError:  # a list of arrays of several shapes
            return np.array(value, dtype=object)

    # --- equal, close ---

    def assertAllEqual(self, a: Any, b: Any, msg: str | None = None) -> None:
        """Both have one shape, and equal elements; NaN is equal to NaN."""
        a, b = self._array(a), self._array(b)
        self.assertEqual(a.shape, b.shape, f"Shape mismatch: expected {a.shape}, got {b.shape}. {msg or ''}")
        same = np.asarray(a == b)
        if _is_inexact(a) and _is_inexact(b):
            same = same | (np.isnan(a) & np.isnan(b))
        self._all(same.reshape(a.shape), "not equal", a, b, msg)

    def assertNotAllEqual(self, a: Any, b: Any, msg: str | None = None) -> None:
        """Some element differs, or the shapes do."""
        try:
            self.assertAllEqual(a, b)
        except AssertionError:
            return
        self.fail(f"The two values are equal at all elements. {msg or ''}")

    def assertAllClose(
        self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6, msg: str | None = None
    ) -> None:
        """``|a - b| <= atol + rtol |b|``, element by element, in nests of one structure."""
        self._nest_close(a, b, rtol, atol, "", msg)

    def _nest_close(self, a: Any, b: Any, rtol: float, atol: float, path: str, msg: str | None) -> None:
        if hasattr(a, "_asdict") and hasattr(b, "_asdict"):
            a, b = a._asdict(), b._asdict()
        if isinstance(a, Mapping) or isinstance(b, Mapping):
            self.assertIsInstance(a, Mapping, f"{path}: one is a dictionary, and the other is not")
            self.assertIsInstance(b, Mapping, f"{path}: one is a dictionary, and the other is not")
            self.assertEqual(set(a), set(b), f"{path}: other keys")
            for key in a:
                self._nest_close(a[key], b[key], rtol, atol, f"{path}[{key!r}]", msg)
        elif _is_nest(a) and _is_nest(b) and not _stacks(a, b):
            self.assertEqual(len(a), len(b), f"{path}: other lengths")
            for place, (x, y) in enumerate(zip(a, b, strict=True)):
                self._nest_close(x, y, rtol, atol, f"{path}[{place}]", msg)
        else:
            self._arrays_close(self._array(a), self._array(b), rtol, atol, path, msg)

    def _arrays_close(self, a: Any, b: Any, rtol: float, atol: float, path: str, msg: str | None) -> None:
        self.assertEqual(a.shape, b.shape, f"{path} Shape mismatch: expected {a.shape}, got {b.shape}.")
        # NumPy's isclose knows no bfloat16.
        a, b = (x.astype(np.float32) if x.dtype == bfloat16.np else x for x in (a, b))
        rule = f"{path} not within rtol={rtol}, atol={atol}"
        self._all(np.isclose(a, b, rtol=rtol, atol=atol, equal_nan=True), rule, a, b, msg)

    def assertNotAllClose(
        self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6, msg: str | None = None
    ) -> None:
        """Some element is further off than `assertAllClose` allows."""
        try:
            self.assertAllClose(a, b, rtol, atol)
        except AssertionError:
            return
        self.fail(f"The two values are close at all elements. {msg or ''}")

    def assertAllCloseAccordingToType(
        self,
        a: Any,
        b: Any,
        rtol: float = 1e-6,
        atol: float = 1e-6,
        float_rtol: float = 1e-6,
        float_atol: float = 1e-6,
        half_rtol: float = 1e-3,
        half_atol: float = 1e-3,
        bfloat16_rtol: float = 1e-2,
        bfloat16_atol: float = 1e-2,
        msg: str | None = None,
    ) -> None:
        """`assertAllClose` with the tolerance of the less precise of the two dtypes."""
        a, b = self._array(a), self._array(b)
        dtypes = {np.dtype(a.dtype), np.dtype(b.dtype)}
        if dtypes & {np.dtype(np.float32), np.dtype(np.complex64)}:
            rtol, atol = max(rtol, float_rtol), max(atol, float_atol)
        if np.dtype(np.float16) in dtypes:
            rtol, atol = max(rtol, half_rtol), max(atol, half_atol)
        if bfloat16.np in dtypes:
            rtol, atol = max(rtol, bfloat16_rtol), max(atol, bfloat16_atol)
        self.assertAllClose(a, b, rtol, atol, msg)

    def _all(self, same: Any, rule: str, a: Any, b: Any, msg: str | None) -> None:
        if not np.all(same):
            where = np.argwhere(~same)[:10].tolist()
            self.fail(f"{rule} at {where}:\n{a!r}\n{b!r}\n{msg or ''}")

    # --- numbers that are near ---

    def assertNear(self, f1: Any, f2: Any, err: float, msg: str | None = None) -> None:
        """``|f1 - f2| <= err`` for two numbers."""
        self.assertTrue(
            f1 == f2 or abs(f1 - f2) <= err, f"{f1} != {f2} +/- {err}{f' ({msg})' if msg else ''}"
        )

    def assertArrayNear(self, farray1: Any, farray2: Any, err: float, msg: str | None = None) -> None:
        """``|x - y| <= err`` for two lists of numbers."""
        self.assertEqual(len(farray1), len(farray2), msg)
        for x, y in zip(farray1, farray2, strict=True):
            self.assertNear(float(x), float(y), err, msg)

    def assertNDArrayNear(self, ndarray1: Any, ndarray2: Any, err: float, msg: str | None = None) -> None:
        """The Euclidean norm of the difference of two arrays is less than ``err``."""
        distance = np.linalg.norm(self._array(ndarray1) - self._array(ndarray2))
        self.assertLess(distance, err, msg)

    # --- bounds, members ---

    def assertAllGreater(self, a: Any, comparison_target: Any) -> None:
        """Every element is greater than the target."""
        self.assertGreater(np.min(self._array(a)), comparison_target)

    def assertAllLess(self, a: Any, comparison_target: Any) -> None:
        """Every element is less than the target."""
        self.assertLess(np.max(self._array(a)), comparison_target)

    def assertAllGreaterEqual(self, a: Any, comparison_target: Any) -> None:
        """Every element is the target or greater."""
        self.assertGreaterEqual(np.min(self._array(a)), comparison_target)

    def assertAllLessEqual(self, a: Any, comparison_target: Any) -> None:
        """Every element is the target or less."""
        self.assertLessEqual(np.max(self._array(a)), comparison_target)

    def assertAllInRange(
        self,
        target: Any,
        lower_bound: Any,
        upper_bound: Any,
        open_lower_bound: bool = False,
        open_upper_bound: bool = False,
    ) -> None:
        """Every element is between the bounds, which belong to the range unless they are open."""
        target = self._array(target)
        low = target <= lower_bound if open_lower_bound else target < lower_bound
        high = target >= upper_bound if open_upper_bound else target > upper_bound
        self._all(~(low | high), f"not between {lower_bound} and {upper_bound}", target, None, None)

    def assertAllInSet(self, target: Any, expected_set: Any) -> None:
        """Every element is a member of the set."""
        self.assertFalse({*self._array(target).ravel().tolist()} - {*expected_set})

    # --- shapes, dtypes ---

    def assertShapeEqual(self, input_a: Any, input_b: Any, msg: str | None = None) -> None:
        """Two arrays or tensors have one shape."""
        self.assertEqual(_shape(input_a), _shape(input_b), msg)

    def assertDTypeEqual(self, target: Any, expected_dtype: Any) -> None:
        """An array or tensor has the dtype."""
        found = target.dtype if hasattr(target, "dtype") else self._array(target).dtype
        self.assertEqual(as_dtype(found), as_dtype(expected_dtype))

    # --- errors ---

    @contextmanager
    def assertRaisesWithPredicateMatch(
        self, exception_type: Any, expected_err_re_or_predicate: str | Callable[[Any], bool]
    ) -> Iterator[None]:
        """The block raises an error of the type whose text has the expression, or that the predicate is true of."""
        try:
            yield
        except exception_type as error:
            wanted = expected_err_re_or_predicate
            text = error.message if isinstance(error, OpError) else str(error)
            matches = wanted(error) if callable(wanted) else re.search(wanted, text) is not None
            if not matches:
                raise AssertionError(f"Exception of type {type(error)}: {error}") from error
            return
        name = getattr(exception_type, "__name__", exception_type)
        self.fail(f"{name} not raised")

    def assertRaisesOpError(self, expected_err_re_or_predicate: Any) -> Any:
        """The block raises a `tf.errors.OpError` whose text has the expression."""
        return self.assertRaisesWithPredicateMatch(OpError, expected_err_re_or_predicate)

    def assertRaisesIncompatibleShapesError(self, exception_type: Any = InvalidArgumentError) -> Any:
        """The block raises an error that says that shapes do not fit."""
        words = r"Incompatible shapes|Dimensions must be equal|required broadcastable shapes"
        return self.assertRaisesWithPredicateMatch(exception_type, words)


def _has_symbols(value: Any) -> bool:
    """Whether something must be evaluated before it can be compared."""
    if isinstance(value, list | tuple):
        return any(_has_symbols(part) for part in value)
    return isinstance(value, Symbol | IndexedSlices) or (
        isinstance(value, Variable) and current_graph() is not None
    )


def _is_nest(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _stacks(a: Any, b: Any) -> bool:
    """Whether two lists are lists of numbers, which are compared as arrays."""
    return not any(isinstance(part, list | tuple | Mapping) or np.ndim(part) for part in (*a, *b))


def _is_inexact(array: Any) -> bool:
    return array.dtype.kind in "fcV"


def _shape(value: Any) -> tuple[Any, ...]:
    shape: Any = value.shape if hasattr(value, "shape") else np.shape(value)
    return tuple(shape.as_list()) if hasattr(shape, "as_list") else tuple(shape)
