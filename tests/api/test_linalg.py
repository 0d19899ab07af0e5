"""Linear algebra and Fourier transforms as users see them, against TensorFlow 2.21
(tests/golden/linalg.json).

Where gradtape differs on purpose, the difference is a row of a table here and of docs/differences.md or
docs/kinks.md.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from golden import make_linalg as golden
from hypothesis import given, settings
from hypothesis import strategies as st

import gradtape as tf

GOLDEN = golden.read()
NAMES = golden.namespace(tf)

# Points where TensorFlow's value is another, on purpose.
BETTER = {
    "grad(L.det, Z)",  # TensorFlow's lacks a conjugate
}
# Errors of the same type, in words of our own.
OWN_WORDS = {
    "tf.tensordot(A, B, [[2], [0]])",
    "tf.tensordot(A, B, 'a')",
    "S.fft(u)",
}


@pytest.mark.parametrize("name", golden.NAMES)
def test_signature(name: str):
    assert golden.signature(golden.find(tf, name)) == GOLDEN["signatures"][name]


def assert_same(found: Any, expected: Any, rtol: float) -> None:
    if isinstance(expected, list):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert_same(one, other, rtol)
    elif expected is None:
        assert found is None
    else:
        assert (found["dtype"], found["shape"]) == (expected["dtype"], expected["shape"])
        if expected["dtype"] in ("float32", "complex64"):
            rtol = max(rtol, 2e-5)
        np.testing.assert_allclose(
            np.array(found["numbers"], float), np.array(expected["numbers"], float), rtol=rtol, atol=rtol
        )


@pytest.mark.parametrize("text", [text for text in golden.VALUES if text not in BETTER])
def test_value(text: str):
    assert_same(golden.value(NAMES, text), GOLDEN["values"][text], 1e-9)


@pytest.mark.parametrize("text", golden.ERRORS)
def test_error(text: str):
    kind, message = GOLDEN["errors"][text]
    found = golden.error_of(NAMES, text)
    assert found is not None, f"no error; TensorFlow raises {kind}: {message}"
    assert found[0] == kind, f"{found}, TensorFlow raises {kind}: {message}"
    assert text in OWN_WORDS or found[1][:25] == message[:25], f"{found[1]!r}, TensorFlow says {message!r}"


# --- What is a function of the matrix, where its parts are not ----------------------------------------------

rng = np.random.default_rng(11)


def matrix(*shape: int) -> np.ndarray:
    return rng.normal(size=shape) + 1j * rng.normal(size=shape)


def norm_of_square(v: Any) -> Any:
    return tf.reduce_sum(tf.math.real(v * tf.math.conj(v)) ** 2 * np.arange(1.0, 1 + v.shape[-1]))


def overlap(q: Any, k: int) -> Any:
    """Of the space of the columns from k on, with fixed weights: whatever their basis."""
    projector = tf.matmul(q[:, k:], q[:, k:], adjoint_b=True)
    return tf.reduce_sum(tf.math.real(projector) * np.sin(np.arange(q.shape[0] ** 2)).reshape(q.shape[0], -1))


def rebuilt(x: Any) -> Any:
    """exp of a Hermitian matrix by its eigenvalues, weighted."""
    e, v = tf.linalg.eigh(x)
    y = tf.matmul(v * tf.exp(e / 10), v, adjoint_b=True)
    return tf.reduce_sum(tf.math.real(y) * np.cos(np.arange(9)).reshape(3, 3))


def lower_part(x: np.ndarray) -> np.ndarray:
    return x @ x.conj().T


PHASELESS = {
    "eigh values": (
        lambda x: tf.reduce_sum(tf.math.real(tf.linalg.eigh(x)[0]) ** 3),
        lower_part(matrix(3, 3)),
    ),
    "eigh vectors": (lambda x: norm_of_square(tf.linalg.eigh(x)[1]), lower_part(matrix(3, 3))),
    "eigh rebuilt": (rebuilt, lower_part(matrix(3, 3))),
    "eig vectors": (lambda x: norm_of_square(tf.linalg.eig(x)[1]), matrix(3, 3)),
    "eig vectors, real": (lambda x: norm_of_square(tf.linalg.eig(x)[1]), matrix(3, 3).real),
    "eigvals": (lambda x: tf.reduce_sum(tf.math.real(tf.linalg.eigvals(x)) ** 3), matrix(3, 3)),
    "svd, left": (lambda x: norm_of_square(tf.linalg.svd(x)[1]), matrix(4, 3)),
    "svd, right": (lambda x: norm_of_square(tf.linalg.svd(x)[2]), matrix(3, 4)),
    "svd, both": (
        lambda x: tf.reduce_sum(
            tf.math.real(tf.linalg.svd(x)[1][:3, :3] * tf.math.conj(tf.linalg.svd(x)[2])) ** 2
        ),
        matrix(4, 3),
    ),
    "svd, the rest": (lambda x: overlap(tf.linalg.svd(x, full_matrices=True)[1], 2), matrix(5, 2)),
    "svd, the rest, right": (lambda x: overlap(tf.linalg.svd(x, full_matrices=True)[2], 2), matrix(2, 5)),
    "qr, the rest": (lambda x: overlap(tf.linalg.qr(x, full_matrices=True)[0], 2), matrix(5, 2)),
    "qr, the rest, real": (lambda x: overlap(tf.linalg.qr(x, full_matrices=True)[0], 2), matrix(5, 2).real),
    "lstsq, slow": (
        lambda x: norm_of_square(tf.linalg.lstsq(x, x[:, :1] * x[0, 0], fast=False)),
        matrix(4, 3) + 2 * np.eye(4, 3),
    ),
}


def first(f: Any, x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)


def along(f: Any, x: np.ndarray, step: np.ndarray) -> float:
    """The derivative by differences of fourth order."""
    at = lambda h: float(f(tf.constant(x + h * step)))
    h = 1e-3
    return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h)


@pytest.mark.parametrize("name", PHASELESS)
def test_derivatives_that_do_not_depend_on_phases(name: str):
    f, x = PHASELESS[name]
    step, v = ((matrix(*x.shape) if x.dtype.kind == "c" else matrix(*x.shape).real) for _ in range(2))
    if name.startswith("eigh"):
        step = step + step.conj().T
    inner = lambda a, b: float(tf.math.real(tf.reduce_sum(tf.math.conj(a) * b)))
    np.testing.assert_allclose(inner(first(f, tf.constant(x)), step), along(f, x, step), rtol=1e-6, atol=1e-8)
    second = lambda x: tf.math.real(tf.reduce_sum(tf.math.conj(first(f, x)) * v))
    np.testing.assert_allclose(
        inner(first(second, tf.constant(x)), step), along(second, x, step), rtol=1e-5, atol=1e-6
    )


# --- Points without a derivative, or where TensorFlow has none ----------------------------------------------


@pytest.mark.parametrize(
    "ord, axis", [("euclidean", None), (2, 0), (3, None), (0.5, None), (2, (0, 1)), ("fro", (0, 1))]
)
def test_norm_at_zero_has_gradient_zero(ord: Any, axis: Any):
    x = tf.constant(np.zeros((2, 2)))
    np.testing.assert_array_equal(first(lambda x: tf.norm(x, ord, axis), x), np.zeros((2, 2)))
    np.testing.assert_array_equal(first(lambda x: tf.norm(x, ord, axis) ** 2, x), np.zeros((2, 2)))


def test_global_norm_at_zero_has_gradient_zero():
    np.testing.assert_array_equal(
        first(lambda x: tf.linalg.global_norm([x]), tf.constant([0.0, 0.0])), [0.0, 0.0]
    )


def test_determinant_of_singular_matrices():
    """Its derivatives are the cofactors, to any order that is not zero."""
    x = tf.constant([[1.0, 2.0], [2.0, 4.0]])
    np.testing.assert_allclose(first(tf.linalg.det, x), [[4, -2], [-2, 1]], rtol=1e-5)
    zero = tf.constant(np.zeros((2, 2)))
    np.testing.assert_array_equal(first(tf.linalg.det, zero), np.zeros((2, 2)))
    second = first(lambda x: first(tf.linalg.det, x)[0, 0], zero)
    np.testing.assert_array_equal(second, [[0, 0], [0, 1]])
    one = tf.constant(np.diag([1.0, 2.0, 0.0, 0.0]))
    np.testing.assert_allclose(first(lambda x: first(tf.linalg.det, x)[2, 2], one)[3, 3], 2.0)


def test_a_branch_not_taken_does_not_poison():
    bad = tf.constant([[1.0, 2.0], [2.0, 1.0]])  # not positive definite

    def safe(x: Any) -> Any:
        ok = tf.linalg.eigvalsh(x)[0] > 0
        return tf.where(ok, tf.linalg.logdet(x), 0.0)

    np.testing.assert_array_equal(first(safe, bad), np.zeros((2, 2)))


def test_equal_eigenvalues_and_singular_values():
    one = tf.constant(np.eye(3))
    np.testing.assert_allclose(
        first(lambda x: tf.reduce_sum(tf.linalg.eigvalsh(x)), one), np.eye(3), atol=1e-12
    )
    for f in (
        lambda x: tf.reduce_sum(tf.linalg.eigh(x)[1] ** 3),
        lambda x: tf.reduce_sum(tf.linalg.svd(x)[1] ** 3),
        lambda x: tf.math.real(tf.reduce_sum(tf.linalg.eig(x)[1] ** 3)),
    ):
        assert np.isfinite(first(f, one)).all()


# --- Any shapes ---------------------------------------------------------------------------------------------


@st.composite
def equations(draw: Any) -> tuple[str, list[np.ndarray]]:
    """An equation of one to three operands, with sizes from 0 to 3."""
    sizes = {c: draw(st.integers(0, 3)) for c in "abcd"}
    terms = draw(st.lists(st.text("abcd", max_size=3), min_size=1, max_size=3))
    used = sorted(set("".join(terms)))
    out = draw(st.permutations(used)) if used else []
    out = out[: draw(st.integers(0, len(out)))]
    arrays = [rng.normal(size=[sizes[c] for c in term]) for term in terms]
    return f"{','.join(terms)}->{''.join(out)}", arrays


@settings(max_examples=150, deadline=None)
@given(equations())
def test_einsum_is_numpys(case: tuple[str, list[np.ndarray]]):
    equation, arrays = case
    np.testing.assert_allclose(
        tf.einsum(equation, *map(tf.constant, arrays)), np.einsum(equation, *arrays), rtol=1e-10, atol=1e-12
    )


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.integers(0, 3), max_size=2), st.tuples(*[st.integers(0, 3)] * 3), st.booleans(), st.booleans()
)
def test_matmul_is_numpys(batch: list[int], sizes: tuple[int, int, int], turn_a: bool, turn_b: bool):
    m, k, n = sizes
    a = rng.normal(size=(*batch, k, m) if turn_a else (*batch, m, k))
    b = rng.normal(size=(n, k) if turn_b else (k, n))
    expected = (np.swapaxes(a, -1, -2) if turn_a else a) @ (b.T if turn_b else b)
    found = tf.matmul(tf.constant(a), tf.constant(b), transpose_a=turn_a, transpose_b=turn_b)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_sixteen_bits_are_summed_in_float32(dtype: str):
    a, b = (tf.cast(rng.normal(size=(8, 300)), dtype) for _ in range(2))
    exact = tf.cast(tf.matmul(tf.cast(a, "float32"), tf.cast(b, "float32"), transpose_b=True), dtype)
    for found in (
        tf.matmul(a, b, transpose_b=True),
        tf.einsum("ij,kj->ik", a, b),
        tf.tensordot(a, tf.transpose(b), 1),
    ):
        assert found.dtype == dtype
        np.testing.assert_array_equal(tf.cast(found, "float32"), tf.cast(exact, "float32"))


def test_any_axes_of_a_fourier_transform():
    """TensorFlow has no kernel for these on a CPU."""
    x = rng.normal(size=(3, 4))
    for norm in (None, "backward", "ortho", "forward"):
        for axes, lengths in [(None, None), ([0], None), ([0, 1], [2, 6]), ([1, 0], None), (None, [5])]:
            args = {"axes": axes, "norm": norm}
            taken = {"s": lengths, "axes": axes if axes or not lengths else [-1], "norm": norm}
            np.testing.assert_allclose(
                tf.signal.fftnd(x + 0j, lengths, **args), np.fft.fftn(x, **taken), atol=1e-12
            )
            np.testing.assert_allclose(
                tf.signal.ifftnd(x + 0j, lengths, **args), np.fft.ifftn(x, **taken), atol=1e-12
            )
            real = tf.constant(x)
            np.testing.assert_allclose(
                tf.signal.rfftnd(real, lengths, **args), np.fft.rfftn(x, **taken), atol=1e-12
            )
            half = tf.constant(x + 0j)
            expected = np.fft.irfftn(x + 0j, **taken)
            np.testing.assert_allclose(tf.signal.irfftnd(half, lengths, **args), expected, atol=1e-12)


def test_fourier_transforms_keep_the_precision():
    x = tf.constant([1.0, 2.0, 3.0])
    assert tf.signal.rfft(x).dtype == tf.complex64
    assert tf.signal.irfft(tf.signal.rfft(x), [3]).dtype == tf.float32
    assert tf.signal.fft(tf.cast(x, tf.complex64)).dtype == tf.complex64


def test_named_tuples():
    x = tf.constant([[2.0, 0.0], [0.0, 1.0]])
    assert tf.linalg.qr(x)._fields == ("q", "r")
    assert tf.linalg.lu(x)._fields == ("lu", "p")
    assert tf.linalg.slogdet(x)._fields == ("sign", "log_abs_determinant")
    assert type(tf.linalg.svd(x)) is type(tf.linalg.eigh(x)) is tuple


def test_nothing_heavy_is_loaded_at_the_start():
    import subprocess
    import sys

    code = "import sys, gradtape; print([m for m in ('scipy', 'opt_einsum') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
