"""Writes reduction.json: what TensorFlow 2.21 answers to the expressions below, for tests/api to compare with.

Run it with a Python that has TensorFlow: `python tests/golden/make_reduction.py`. The tests use the names,
`answer` and `disagreements` of this file; they import no TensorFlow.
"""

# ruff: noqa: E501  the expressions are data

from __future__ import annotations

import inspect
import json
import pathlib
import re
import sys
from typing import Any

import numpy as np

PATH = pathlib.Path(__file__).with_name("reduction.json")

# --- Expressions -------------------------------------------------------------------------------------------

_V2 = """reduce_all reduce_any reduce_logsumexp reduce_max reduce_mean reduce_min reduce_prod reduce_sum argmax argmin
    cumsum sort argsort searchsorted approx_top_k unique unique_with_counts histogram_fixed_width
    histogram_fixed_width_bins""".split()
_MATH = """reduce_all reduce_any reduce_logsumexp reduce_max reduce_mean reduce_min reduce_prod reduce_sum argmax argmin
    reduce_euclidean_norm reduce_std reduce_variance count_nonzero zero_fraction cumsum cumprod cumulative_logsumexp
    segment_max segment_mean segment_min segment_prod segment_sum unsorted_segment_max unsorted_segment_mean
    unsorted_segment_min unsorted_segment_prod unsorted_segment_sqrt_n unsorted_segment_sum top_k bincount
    confusion_matrix in_top_k""".split()
_V1 = """reduce_all reduce_any reduce_logsumexp reduce_max reduce_mean reduce_min reduce_prod reduce_sum argmax argmin
    arg_max arg_min count_nonzero bincount confusion_matrix sparse_segment_sum sparse_segment_mean
    sparse_segment_sqrt_n setdiff1d""".split()
SIGNATURES = [
    *(f"signature(tf.{name})" for name in _V2),
    *(f"signature(tf.math.{name})" for name in _MATH),
    *(f"signature(tf.sparse.segment_{name})" for name in ("sum", "mean", "sqrt_n")),
    *(f"signature(tf.compat.v1.{name})" for name in _V1),
]

_AXES = """None; 0; -1; []; (); np.array(1); tf.constant(-1); tf.constant([0, 1]); tf.constant([0, 1], tf.int64);
    np.int8(1); [[0], [1]]; True; range(2); [0, -1]; 2; -3; [0, 0]; [0, -2]; 1.0; tf.constant([0.]); 'x'"""
_NUMERIC = (
    "float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 complex64 complex128".split()
)
REDUCTION = [
    *(f"tf.reduce_sum(a(2, 3), axis={axis.strip()})" for axis in _AXES.split(";")),
    *(f"tf.reduce_mean(a(2, 3), axis={axis.strip()}, keepdims=True)" for axis in _AXES.split(";")),
    *(
        f"tf.math.{f}(a(2, 3), axis={axis})"
        for f in """reduce_prod reduce_max reduce_min reduce_logsumexp reduce_variance reduce_std
        reduce_euclidean_norm count_nonzero""".split()
        for axis in ("None", "1", "[0, -1]", "[]", "5")
    ),
    *(
        f"tf.reduce_{f}(a(2, 3) > 0, axis={axis})"
        for f in ("all", "any")
        for axis in ("None", "1", "[]", "5")
    ),
    *(
        f"tf.math.{f}(np.array([3, 4], np.{dtype}))"
        for f in """reduce_sum reduce_mean reduce_prod reduce_max reduce_min reduce_logsumexp reduce_variance reduce_std
        reduce_euclidean_norm count_nonzero zero_fraction""".split()
        for dtype in _NUMERIC
    ),
    *(
        f"tf.math.{f}(np.zeros((0, 3), np.{dtype}), {axis})"
        for f in "reduce_sum reduce_mean reduce_prod reduce_max reduce_min".split()
        for dtype in ("float32", "int32", "uint8")
        for axis in (0, 1, None)
    ),
    *(
        f"tf.math.{f}(np.zeros((0, 3), np.float32), {axis})"
        for f in "reduce_logsumexp reduce_variance reduce_std reduce_euclidean_norm count_nonzero".split()
        for axis in (0, 1, None)
    ),
    *(f"tf.reduce_{f}(np.zeros((0, 3), bool), {axis})" for f in ("all", "any") for axis in (0, 1, None)),
    *(
        f"tf.reduce_{f}(tf.constant({v}))"
        for f in ("all", "sum", "max")
        for v in ("[1, 0]", "[True, False]", "['a']")
    ),
    "tf.reduce_all([1, 0])",
    "tf.reduce_any(1.0)",
    "tf.reduce_all(np.array([1, 0], np.int32))",
    "tf.reduce_any(tf.constant([1.0]))",
    "tf.reduce_sum(np.array([100, 100], np.int8)), tf.reduce_sum(np.array([200, 100], np.uint8))",
    "tf.reduce_mean(np.array([-3, -4], np.int32)), tf.reduce_mean(np.array([100, 101], np.int8))",
    "tf.reduce_mean(np.array([2**31 - 1, 2**31 - 1], np.int32)), tf.reduce_mean([[1, 2], [4, 5]], 0)",
    "tf.reduce_sum(f32(3)), tf.reduce_sum(f32(3), keepdims=True), tf.reduce_sum(a(2, 3), [0], keepdims=None)",
    "tf.reduce_sum(f32(3), axis=0)",
    "tf.reduce_max(np.array([1j]))",
    "tf.reduce_logsumexp([np.inf, 1.0]), tf.reduce_logsumexp([np.nan, 1.0]), tf.reduce_logsumexp([1000.0, 1000.0])",
    "tf.reduce_max([1.0, np.nan]), tf.reduce_min([[np.nan], [1.0]], 0)",
    "tf.math.reduce_variance(np.array([3 + 1j, 4], np.complex64)), tf.math.reduce_std(np.array([3 + 1j, 4]))",
    "tf.math.reduce_euclidean_norm(np.array([3 + 4j, 4], np.complex64))",
    "tf.reduce_sum(None)",
    "tf.math.count_nonzero(a(2, 3), 0, True), tf.math.count_nonzero(a(2, 3), dtype='int32')",
    "tf.math.count_nonzero(['a', '', ' ']), tf.math.count_nonzero([True, False]), tf.math.count_nonzero([np.nan, -0.0])",
    "tf.math.zero_fraction(np.zeros(0, np.float32)), tf.math.zero_fraction([True, False]), tf.math.zero_fraction(1.0)",
    # gradients
    *(
        f"grad(lambda x: tf.math.{f}(x, {axis}), a(2, 3))"
        for f in """reduce_sum reduce_mean reduce_prod reduce_max reduce_min reduce_logsumexp reduce_variance reduce_std
        reduce_euclidean_norm""".split()
        for axis in ("None", "1", "[0, -1]", "[]")
        if (f, axis) != ("reduce_std", "[]")
    ),
    *(
        f"grad(lambda x: tf.math.{f}(x), np.array([1 + 1j, 2, 3 - 2j], np.complex64))"
        for f in "reduce_sum reduce_mean reduce_prod reduce_variance reduce_std reduce_euclidean_norm".split()
    ),
    "grad(tf.reduce_max, [1.0, 3.0, 3.0]), grad(tf.reduce_min, [1.0, 1.0, 1.0])",
    "grad(lambda x: tf.reduce_max(x, 0), [[1.0, 3.0], [1.0, 2.0], [0.0, 3.0]])",
    "grad(tf.reduce_max, [np.inf, np.inf]), grad(tf.reduce_max, [0.0, -0.0]), grad(tf.reduce_max, [1.0, np.nan])",
    "grad(tf.reduce_prod, [2.0, 0.0, 3.0]), grad(tf.reduce_prod, [2.0, 0.0, 0.0])",
    "grad(tf.reduce_logsumexp, [-np.inf, 1.0])",
    "hess(tf.reduce_prod, [2.0, 1.0, 3.0]), hess(tf.math.reduce_euclidean_norm, [3.0, 4.0])",
    "grad(lambda x: tf.math.reduce_euclidean_norm(x, 1), [[-0.0], [0.0], [2.0], [-2.0]])",
    "grad(tf.math.reduce_euclidean_norm, [-0.0, 0.0, -4.0])",
    "grad(tf.math.reduce_variance, [1.0, 1.0])",
    "grad(lambda x: tf.reduce_mean(x, 0), np.zeros((0, 3), np.float32))",
    # TensorFlow 1
    "tf.compat.v1.reduce_sum(a(2, 3), reduction_indices=1, keep_dims=True), tf.compat.v1.reduce_mean(a(2, 3), 1, True)",
    "tf.compat.v1.reduce_sum(a(2, 3), axis=1, reduction_indices=1)",
    "tf.compat.v1.reduce_sum(a(2, 3), keepdims=True, keep_dims=False)",
    "tf.compat.v1.count_nonzero(input=a(2, 3))",
    "tf.compat.v1.count_nonzero(a(2, 3), input=a(2, 3))",
    "tf.compat.v1.argmax(a(2, 3), dimension=1), tf.compat.v1.arg_min(a(2, 3), 1)",
    "tf.compat.v1.argmax(a(2, 3), axis=1, dimension=1)",
    # positions
    *(
        f"tf.argmax(a(2, 3), {axis})"
        for axis in ("0", "1", "-1", "2", "[0]", "1.0", "True", "tf.constant(1)")
    ),
    "tf.argmax(a(2, 3), tf.constant([1]))",
    *(f"tf.argmax(a(2, 3), output_type=tf.{dtype})" for dtype in ("int16", "uint16", "int32", "float32")),
    *(f"tf.argmin(a(2, 3), output_type=tf.{dtype})" for dtype in ("int16", "int32")),
    "tf.argmin(a(2, 3), -3)",
    "tf.argmax(f32(1))",
    "tf.argmax(np.zeros((0, 3), np.float32))",
    "tf.argmax(np.zeros((0, 3), np.float32), 1)",
    "tf.argmax([1.0, np.nan, 3.0]), tf.argmin([np.nan, 1.0, 3.0]), tf.argmax([np.nan, np.nan]), tf.argmin([0.0, np.nan])",
    "tf.argmax([1, 3, 3, 0, 0]), tf.argmin([1, 3, 3, 0, 0]), tf.argmax([False, True])",
    "tf.argmax(np.array([1j]))",
    "tf.argmax(['a'])",
]

_WAYS = ("", ", exclusive=True", ", reverse=True", ", exclusive=True, reverse=True")
_SCANS = ("cumsum", "cumprod", "cumulative_logsumexp")
CUMULATIVE = [
    *(f"tf.math.{f}(a(2, 3), {axis}{way})" for f in _SCANS for axis in (0, 1, -1) for way in _WAYS),
    *(
        f"tf.math.{f}(a(2, 3), {axis})"
        for f in _SCANS
        for axis in (2, "tf.constant(1, tf.int64)", "[0]", "1.0", "None")
    ),
    *(f"tf.math.{f}(f32(1))" for f in _SCANS),
    *(f"tf.math.{f}(np.zeros((0, 3), np.float32){way})" for f in _SCANS for way in _WAYS),
    *(f"tf.math.{f}(np.array([3, 4, 100], np.{dtype}))" for f in _SCANS for dtype in _NUMERIC),
    *(f"tf.math.{f}({v})" for f in _SCANS for v in ("[True]", "['a']")),
    *(f"grad(lambda x: tf.math.{f}(x{way}), a(2, 3))" for f in _SCANS for way in _WAYS),
    *(f"grad(lambda x: tf.math.{f}(x{way}), [3.0, 1.0, 2.0, 5.0])" for f in _SCANS for way in _WAYS),
    *(f"grad(tf.math.{f}, np.array([2 + 1j, 1, 3, 4j], np.complex64))" for f in ("cumsum", "cumprod")),
    "hess(tf.math.cumprod, [2.0, 1.0, 3.0])",
    "tf.cumsum([2.0, np.nan, 3.0]), tf.cumsum([2.0, np.nan, np.inf], reverse=True, exclusive=True)",
    "tf.math.cumprod([2.0, np.nan, 3.0, 0.0]), tf.math.cumprod([2.0, np.inf, 0.0, 1.0])",
    "tf.math.cumulative_logsumexp([-np.inf, -np.inf, 3.0]), tf.math.cumulative_logsumexp([1.0, np.inf, 3.0])",
]

_SORTED = [f"segment_{f}" for f in ("sum", "mean", "prod", "max", "min")]
_UNSORTED = [f"unsorted_segment_{f}" for f in ("sum", "mean", "sqrt_n", "prod", "max", "min")]
_SPARSE = [f"segment_{f}" for f in ("sum", "mean", "sqrt_n")]
SEGMENT = [
    *(f"tf.math.{f}(a(4, 2), {ids})" for f in _SORTED for ids in ("[0, 0, 1, 3]", "np.array([1, 1, 2, 3])")),
    *(
        f"tf.math.segment_sum(a(4, 2), {ids})"
        for ids in """[0, 1, 0, 3]; [-1, 0, 0, 3]; [0, 0, 1]; [[0, 0], [1, 1], [1, 1], [1, 1]]; 0; [0., 0, 1, 3];
        np.zeros(4, np.int8)""".split(";")
    ),
    *(
        f"tf.math.{f}(np.array([-1, -2, 4], np.{dtype}), [0, 0, 1])"
        for f in _SORTED
        for dtype in _NUMERIC
        if "u" not in dtype
    ),
    *(f"tf.math.{f}(a(0, 2), np.zeros(0, np.int32))" for f in _SORTED),
    "tf.math.segment_sum(f32(1), [0])",
    "tf.math.segment_sum([True], [0])",
    *(f"tf.math.{f}(a(4, 2), [1, 0, 1, -1], 3)" for f in _UNSORTED),
    *(f"tf.math.{f}(a(4, 2), [[1, 0], [0, 2], [0, 2], [0, 2]], tf.constant(3, tf.int64))" for f in _UNSORTED),
    *(
        f"tf.math.{f}(np.array([1, 2, 4], np.{dtype}), [0, 0, 2], 3)"
        for f in _UNSORTED
        for dtype in _NUMERIC
        if not ("complex" in dtype and ("mean" in f or "sqrt" in f))
    ),
    *(
        f"tf.math.unsorted_segment_sum(a(4, 2), {ids})"
        for ids in """[1, 0, 1, 3], 3; [1, 0, 1, 3], -3; [1, 0, 1, 3], [3]; [[1], [0], [0], [0]], 3; 1, 3; [0, 1], 3;
        [0., 0, 1, 3], 4; [0, 0, 1, 3], 4.0; np.array([0, 0, 1, 3], np.int16), 4""".split(";")
    ),
    *(f"tf.math.{f}(a(0, 3), np.zeros(0, np.int32), 2)" for f in _UNSORTED),
    *(f"grad(lambda x: tf.math.{f}(x, [0, 0, 1, 3]), a(4, 2))" for f in _SORTED),
    *(f"grad(lambda x: tf.math.{f}(x, [0, 0, 2, 3]), [1.0, 1.0, 2.0, 0.0])" for f in _SORTED),
    *(f"grad(lambda x: tf.math.{f}(x, [1, 0, 1, -1], 3), a(4, 2))" for f in _UNSORTED),
    *(f"grad(lambda x: tf.math.{f}(x, [0, 0, -1, 3], 5), [2.0, 2.0, 3.0, 0.0])" for f in _UNSORTED),
    *(
        f"grad(lambda x: tf.math.segment_prod(x, [0, 0, 0, 3]), {x})"
        for x in ("[1., 0, 3, 0]", "[0., 0, 3, 0]")
    ),
    "hess(lambda x: tf.math.segment_prod(x, [0, 0, 0, 3]), [1.0, 2.0, 3.0, 3.0])",
    *(f"tf.sparse.{f}(a(4, 2), [0, 1, 3], [0, 0, 2])" for f in _SPARSE),
    *(f"tf.sparse.{f}(a(4, 2), [0, 1, 3], [0, 0, 2], num_segments=4)" for f in _SPARSE),
    *(f"tf.compat.v1.sparse_{f}(a(4, 2), [0, 1, 3], [0, 0, 2], num_segments=4)" for f in _SPARSE),
    *(f"grad(lambda x: tf.sparse.{f}(x, [0, 1, 1], [0, 0, 2], num_segments=4), a(4, 2))" for f in _SPARSE),
    *(
        f"tf.sparse.segment_sum(a(4, 2), {rest})"
        for rest in """[0, 1, 4], [0, 0, 1]; [0, 1, -1], [0, 0, 1]; [0, 1, 1], [0, 1, 0]; [0, 1, 1], [0, 0, 5], 3;
        [0, 1, 1], [0, 0]; [[0, 1, 1]], [0, 0]; [0, 1, 1], [-1, 0, 0]; [0, 1, 1], [0, 0, 1], [4]; [0, 1, 1], [0, 0, 1], -1;
        [0., 1, 1], [0, 0, 1]; np.zeros(0, np.int32), np.zeros(0, np.int32)""".split(";")
    ),
    "tf.sparse.segment_sum(np.array([1, 2], np.int32), [0, 1], [0, 0])",
    "tf.sparse.segment_mean(np.array([1, 2], np.int32), [0, 1], [0, 0])",
    "tf.sparse.segment_sum(f32(1), [0], [0])",
]

SORTING = [
    *(
        f"tf.{f}(a(2, 3){rest})"
        for f in ("sort", "argsort")
        for rest in ("", ", 0", ", -1, 'DESCENDING'", ", 2", ", -3")
    ),
    *(f"tf.{f}(a(2, 3), direction='up')" for f in ("sort", "argsort")),
    "tf.sort(a(2, 3), axis=None)",
    "tf.sort(f32(1))",
    *(f"tf.sort(np.array([3, 1, 2], np.{dtype}))" for dtype in _NUMERIC if "complex" not in dtype),
    *(
        f"tf.sort(np.array([3, 1, 2], np.{dtype}), direction='DESCENDING')"
        for dtype in ("int8", "uint8", "float16")
    ),
    "tf.sort([True])",
    "tf.sort(['a'])",
    "tf.sort(np.array([1j]))",
    "tf.argsort([1, 1, 0, 0]), tf.argsort([1.0, 1.0, 0.0, 0.0], direction='DESCENDING', stable=True)",
    "tf.sort(a(0, 3)), tf.sort(a(3, 0)), tf.argsort(a(0, 3), 0)",
    "grad(lambda x: tf.sort(x) * f32([1, 2, 3]), [3.0, 1.0, 2.0])",
    "grad(lambda x: tf.sort(x) * f32([1, 2, 3]), [1.0, 1.0, 1.0])",
    "grad(lambda x: tf.sort(x, direction='DESCENDING') * f32([1, 2, 3]), [1.0, 1.0, 2.0])",
    *(f"tf.math.top_k(a(2, 3), {k})" for k in ("1", "2", "0", "4", "-1", "tf.constant(2)", "[2]", "2.0")),
    *(f"tf.math.top_k(a(2, 3), 2, index_type=tf.{dtype})" for dtype in ("int16", "int64", "float32")),
    "tf.math.top_k([1.0, 3.0, 2.0, 3.0], 2), tf.math.top_k(np.array([3, 3, 1], np.uint8), 2)",
    "tf.math.top_k(a(2, 3))._fields, type(tf.math.top_k(a(2, 3))).__name__",
    "tf.math.top_k(f32(1), 1)",
    "tf.math.top_k([True], 1)",
    "grad(lambda x: tf.math.top_k(x, 2).values * f32([1, 2]), [1.0, 3.0, 3.0])",
    "tf.approx_top_k(a(2, 5), 2)",
    "tf.approx_top_k(a(2, 5), 7)",
    "tf.approx_top_k([1, 2], 1)",
    *(
        f"tf.searchsorted([1, 3, 5], [0, 1, 2, 6]{rest})"
        for rest in ("", ", side='right'", ", out_type=tf.int64")
    ),
    "tf.searchsorted([[1, 3, 5], [2, 4, 6]], [[1, 2], [5, 1]]), tf.searchsorted(a(2, 2, 3), a(2, 2, 1))",
    "tf.searchsorted([1, 2], [[1, 2]]), tf.searchsorted(np.zeros(0, np.float32), f32([3]))",
    *(
        f"tf.searchsorted({args})"
        for args in """[[1, 3], [2, 4]], [[1]]; [1, 3], 3; [1., 3.], [3]; f32([1]), np.array([3.]); [1, 2], [1], side='x';
        [1, 2], [1], out_type=tf.float32; [[1, 2], [3, 4]], [1, 2]""".split(";")
    ),
]

COUNTING = [
    *(
        f"tf.math.bincount({args})"
        for args in """[1, 1, 3]; [1, 1, 3], minlength=6; [1, 1, 3], maxlength=2; [1, 1, 3], weights=[.5, 1., 2.];
        [1, 1, 3], weights=[1, 2, 3]; [1, 1, 3], dtype=tf.int64; [1, 1, 3], dtype=tf.float32; [[1, 1, 3], [0, 0, 1]];
        [[1, 1, 3], [0, 0, 1]], axis=-1; [[1, 1, 3], [0, 0, 1]], axis=0; [[1, 1, 3], [0, 0, 1]], axis=1;
        [[1, 1, 3], [0, 0, 1]], axis=-1, binary_output=True; [1, 1, 3], axis=-1;
        [[1, 1, 3], [0, 0, 1]], axis=-1, weights=[[1., 2, 3], [4, 5, 6]]; [1, 1, 3], binary_output=True; [1, -1, 3];
        [[1, -1]], axis=-1; [1., 2.]; []; np.zeros(0, np.int32), minlength=3; np.array([1, 2]); np.zeros(2, np.uint8);
        [1, 1, 3], weights=[1., 2.]; [[[1]]], axis=-1; 2; [1, 1], minlength=-1; [1, 1, 30], minlength=8, maxlength=5;
        [1, 1], weights=[1., 2.], binary_output=True; [1, 1], minlength=tf.constant(3); [1, 1], maxlength=-1;
        [1, 1], maxlength=0; [1, 1, 3], weights=np.ones(3, np.float16); [1, 1, 3], dtype=tf.int8; [True, False];
        [[1, 1, 3], [0, 0, 1]], axis=-1, minlength=6""".split(";")
    ),
    "tf.compat.v1.bincount([1, 1, 3], dtype=tf.int64)",
    *(
        f"tf.histogram_fixed_width(f32([-1, 0, 1.5, 2, 5, 15]), {args})"
        for args in """[0., 5.], nbins=5; [0., 5.], nbins=5, dtype=tf.int64; [5., 0.], nbins=5; [0., 5.], nbins=0;
        [0., 5., 1.], nbins=5; [0., 5.], nbins=5, dtype=tf.float32; [0., 5.], nbins=2.0; np.array([0., 5.]), nbins=3;
        [0., 5.]""".split(";")
    ),
    "tf.histogram_fixed_width([-1, 0, 1, 2, 5, 15], [0, 5], nbins=5), tf.histogram_fixed_width(a(0), [0., 5.], nbins=2)",
    "tf.histogram_fixed_width([np.nan, 1.0], [0.0, 5.0], nbins=5)",
    "tf.histogram_fixed_width(np.array([1], np.float16), np.array([0, 5], np.float16))",
    *(
        f"tf.histogram_fixed_width_bins(f32([[-1, 0, 1.5], [2, 5, 15]]), {args})"
        for args in ("[0., 5.], nbins=5", "[5., 0.], 5")
    ),
    "tf.histogram_fixed_width_bins([np.nan, np.inf, -np.inf, 1.0], [0.0, 5.0], nbins=5)",
    *(
        f"tf.{f}({args})"
        for f in ("unique", "unique_with_counts")
        for args in """[1, 1, 2, 4, 4, 4, 7, 8, 8]; [3, 1, 1, 2], out_idx=tf.int64; [np.nan, np.nan, 1.0]; [0.0, -0.0];
        ['b', 'a', 'b']; [[1, 2]]; 1; np.zeros(0, np.int32); [True, True, False]; [1, 1], out_idx=tf.float32;
        np.array([3, 1, 1], np.float16)""".split(";")
    ),
    "type(tf.unique([1])).__name__, tf.unique([1])._fields, tf.unique_with_counts([1])._fields",
    *(
        f"tf.compat.v1.setdiff1d({args})"
        for args in """[1, 2, 3, 4, 5], [1, 3]; [1, 2, 2, 4], [1, 3], index_dtype=tf.int64; [[1]], [1]; [1], [[1]];
        [1], [1.]; ['a', 'b'], ['b']""".split(";")
    ),
    *(
        f"tf.math.confusion_matrix({args})"
        for args in """[1, 2, 4], [2, 2, 4]; [1, 2, 4], [2, 2, 4], num_classes=6, dtype=tf.float32;
        [1, 2, 4], [2, 2, 4], weights=[.5, 1, 2]; [1, 2, 4], [2, 2, 4], weights=[.5, 1, 2], dtype=tf.float32;
        [1, 2, 4], [2, 2, 4], num_classes=3; [-1, 2, 4], [2, 2, 4]; [1, 2, 4], [2, -2, 4]; [[1], [2]], [1, 2];
        [1, 2], [[1], [2]]; [[1, 2]], [[1, 2]]; [1., 2.], [1.5, 2]; [1, 2, 4], [2, 2, 4], tf.constant(6);
        [1, 2, 4], [2, 2, 4], weights=[[.5, 1, 2]]; [1, 2], [1, 7], 3; ['a'], ['a'];
        [1, 2, 4], [2, 2, 4], num_classes=5, dtype=tf.bool; [1, 2], [1, 2], weights=tf.constant([.5, .5]),
        dtype=tf.float64""".replace("]),\n", "]),").split(";")
    ),
    "tf.compat.v1.confusion_matrix([1, 2, 4], [2, 2, 4], 6, tf.float32)",
    "grad(lambda w: tf.math.confusion_matrix([1, 2], [1, 0], weights=w, dtype=tf.float32), [0.5, 0.5])",
    "tf.math.in_top_k([0, 1], a(2, 3), 1), tf.math.in_top_k(np.array([0, 1]), np.zeros((2, 3)), tf.constant(2))",
    "tf.math.in_top_k([0, 5], a(2, 3), 3), tf.math.in_top_k([0, -1], a(2, 3), 3), tf.math.in_top_k([0, 1], a(2, 3), -1)",
    "tf.math.in_top_k([0, 1], f32([[1, 1, 1], [np.nan, 1, 0]]), 1), tf.math.in_top_k([0], f32([[np.inf, 1]]), 1)",
    *(
        f"tf.math.in_top_k({args}, 1)"
        for args in ("[0], a(2, 3)", "[[0]], a(2, 3)", "[0, 1], a(3)", "[0.], a(1, 3)")
    ),
]

SECTIONS = {
    "signatures": SIGNATURES,
    "reduction": REDUCTION,
    "cumulative": CUMULATIVE,
    "segment": SEGMENT,
    "sorting": SORTING,
    "counting": COUNTING,
}

# --- Names that the expressions use ------------------------------------------------------------------------


def a(*shape: int) -> np.ndarray:
    """Some numbers, all different."""
    return np.sin(np.arange(np.prod(shape)) * 1.7 + 0.3).reshape(shape).astype(np.float32)


def f32(x: Any) -> Any:
    return np.asarray(x, np.float32)[()]


def signature(function: Any) -> list[str]:
    """Names and defaults of the parameters."""
    return [
        p.name if p.default is p.empty else f"{p.name}={p.default!r}"
        for p in inspect.signature(function).parameters.values()
    ]


def gradients(tf: Any, tape_type: Any) -> dict[str, Any]:
    """``grad(f, x)``, the gradient of the sum of f(x), and ``hess(f, x)``, the gradient's Jacobian."""

    def grad(f, x):
        x = tf.constant(np.asarray(x, None if isinstance(x, np.ndarray) else np.float32))
        with tape_type() as tape:
            tape.watch(x)
            y = f(x)
        g = tape.gradient(y, x)
        return g if g is None or hasattr(g, "numpy") else tf.convert_to_tensor(g)

    def hess(f, x):
        x = tf.constant(np.asarray(x, np.float32))
        with tape_type(persistent=True) as outer:
            outer.watch(x)
            with tape_type() as inner:
                inner.watch(x)
                y = f(x)
            g = inner.gradient(y, x)
            parts = [tf.reduce_sum(g * np.eye(len(x), dtype=np.float32)[i]) for i in range(len(x))]
        rows = [outer.gradient(part, x) for part in parts]
        return np.array([np.zeros(x.shape, np.float32) if row is None else row.numpy() for row in rows])

    return {"grad": grad, "hess": hess}


# --- Answers ------------------------------------------------------------------------------------------------


def plain(value: Any) -> Any:
    """A value as JSON holds it: dtype, shape and elements of a tensor."""
    if hasattr(value, "numpy"):
        value = value.numpy()
    if isinstance(value, (np.ndarray, np.generic)):
        value = np.asarray(value)
        wide = (
            value.astype(np.complex128 if value.dtype.kind == "c" else np.float64)
            if value.dtype.kind in "fc"
            else value
        )
        return {
            "dtype": str(value.dtype),
            "shape": list(value.shape),
            "data": [repr(x) for x in wide.ravel().tolist()],
        }
    if isinstance(value, (tuple, list)):
        return [plain(v) for v in value]
    return repr(value)


def answer(text: str, tf: Any, tape_type: Any) -> list[Any]:
    """What an expression gives, or the type and message of its exception."""
    names = {"tf": tf, "np": np, "a": a, "f32": f32, "signature": signature, **gradients(tf, tape_type)}
    try:
        return ["gives", plain(eval(text.strip(), names))]
    except Exception as error:
        return ["raises", type(error).__name__, re.sub(r"^\{\{.*?\}\} ", "", str(error))[:160]]


def same(found: Any, wanted: Any, signs: bool) -> bool:
    """Whether two plain values agree; ``signs``: also in the signs of zeros."""
    if not isinstance(wanted, dict):
        if isinstance(wanted, list) and isinstance(found, list):
            return len(found) == len(wanted) and all(same(x, y, signs) for x, y in zip(found, wanted))
        return found == wanted
    if found == wanted:
        return True
    if not isinstance(found, dict) or (found["dtype"], found["shape"]) != (wanted["dtype"], wanted["shape"]):
        return False
    if np.dtype(wanted["dtype"]).kind not in "fc":
        return False
    names = {"nan": np.nan, "inf": np.inf, "nanj": complex(0, np.nan), "infj": complex(0, np.inf)}
    x, y = ([eval(text, names) for text in part["data"]] for part in (found, wanted))
    rtol = {"float16": 2e-3, "float32": 3e-6, "complex64": 3e-6}.get(wanted["dtype"], 1e-12)
    if not np.allclose(x, y, rtol=rtol, atol=rtol, equal_nan=True):
        return False
    return not signs or all(np.signbit(p) == np.signbit(q) for p, q in zip(x, y) if isinstance(p, float))


def disagreements(
    section: str, tf: Any, tape_type: Any, but: tuple[str, ...] = (), prefix: int = 20
) -> list[str]:
    """Where gradtape's answers are not TensorFlow's, except for the expressions that contain one of ``but``."""
    out = []
    for text, wanted in json.loads(PATH.read_text(encoding="utf-8"))[section].items():
        if any(part in text for part in but):
            continue
        found = answer(text, tf, tape_type)
        if wanted[0] == found[0] == "raises":
            agree = found[1] == wanted[1] and found[2][:prefix] == wanted[2][:prefix]
        else:
            agree = found[0] == wanted[0] and same(found[1], wanted[1], "norm" in text)
        if not agree:
            out.append(f"{text}\n    TensorFlow: {wanted}\n    gradtape:   {found}")
    return out


def main() -> None:
    import tensorflow as tf

    golden = {
        title: {text: answer(text, tf, tf.GradientTape) for text in texts}
        for title, texts in SECTIONS.items()
    }
    text = json.dumps({"tensorflow": tf.__version__, **golden}, indent=0, ensure_ascii=False)
    PATH.write_text(text + "\n", encoding="utf-8")
    print(f"{sum(map(len, golden.values()))} answers written to {PATH}", file=sys.stderr)


if __name__ == "__main__":
    main()
