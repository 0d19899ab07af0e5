"""tf.DType against TensorFlow's own answers, and the predicates on NumPy dtypes."""

from __future__ import annotations

import copy
import pickle

import ml_dtypes
import numpy as np
import pytest
from golden import make_core

from gradtape._src.core import dtypes as d

# A handle has no NumPy type: TensorFlow's KeyError(20) does not say so.
DIFFERENT = tuple(
    f"as_dtype('{n}').{what}" for n in ("resource", "variant") for what in ("as_numpy_dtype", "limits")
)


def test_answers_are_tensorflows():
    names = {"as_dtype": d.as_dtype, "DType": d.DType}
    assert not make_core.disagreements("dtypes", names, but=DIFFERENT)


def test_handles_say_that_they_have_no_numpy_type():
    for handle in (d.resource, d.variant):
        with pytest.raises(TypeError, match="has no NumPy dtype"):
            _ = handle.as_numpy_dtype
        with pytest.raises(ValueError, match="does not have defined limits"):
            _ = handle.limits


@pytest.mark.parametrize("dtype", [*d.DTYPES.values(), d.float32._as_ref], ids=str)
def test_one_object_for_each_dtype(dtype: d.DType):
    assert pickle.loads(pickle.dumps(dtype)) is dtype
    assert copy.copy(dtype) is dtype
    assert copy.deepcopy([dtype])[0] is dtype
    assert d.as_dtype(dtype.name) is dtype
    assert d.DType(dtype.as_datatype_enum) is dtype
    assert eval(repr(dtype), {"tf": d}) is dtype if hasattr(d, dtype.name) else True


@pytest.mark.parametrize("dtype", [x for x in d.DTYPES.values() if x.is_numpy_compatible], ids=str)
def test_numpy_and_back_in_both_byte_orders(dtype: d.DType):
    assert d.from_numpy(dtype.np) is dtype
    assert d.from_numpy(dtype.np.newbyteorder()) is dtype
    assert d.is_floating_np(dtype.np.newbyteorder()) == d.is_floating_np(dtype.np) == dtype.is_floating
    assert d.is_integer_np(dtype.np) == dtype.is_integer
    assert d.is_complex_np(dtype.np) == dtype.is_complex
    assert d.is_differentiable_np(dtype.np) == (dtype.is_floating or dtype.is_complex)
    assert d.from_numpy(d.real_np(dtype.np)) is dtype.real_dtype


def test_small_floats_are_floats_whatever_numpy_calls_their_kind():
    kinds = {np.dtype(t).kind for t in (ml_dtypes.bfloat16, ml_dtypes.float8_e5m2, ml_dtypes.float8_e4m3fn)}
    assert kinds == {"V", "f"}, "if ml_dtypes has changed this, the predicates may be simpler"
    assert all(d.is_floating_np(np.dtype(t)) for t in (ml_dtypes.bfloat16, ml_dtypes.float8_e5m2))
    assert d.is_integer_np(np.dtype(ml_dtypes.int4))


def test_string_arrays_of_any_width():
    for array in (np.array("ab"), np.array(b"abc"), np.array("x" * 99), np.array([b"a", None])):
        assert d.from_numpy(array.dtype) is d.string
    assert np.dtype("U99") not in d._BY_NUMPY, "a width is not worth an entry"


@pytest.mark.parametrize("foreign", ["M8[s]", "m8[ns]", np.longdouble, [("x", "i4")], "V7"], ids=str)
def test_foreign_numpy_dtypes_are_refused(foreign):
    with pytest.raises(TypeError, match="Cannot convert the NumPy dtype .* to a TensorFlow DType. Convert"):
        d.from_numpy(np.dtype(foreign))
    with pytest.raises(TypeError, match="Cannot convert the argument `type_value`"):
        d.as_dtype(np.dtype(foreign))
    assert d.float32 != np.dtype(foreign)


@pytest.mark.parametrize(
    ("wrong", "advice"),
    [
        (int, "Write tf.int32 or tf.int64."),
        ("int", "Write tf.int32 or tf.int64."),
        (str, "Write tf.string."),
        ("flaot32", "Did you mean tf.float32?"),
        (np.longdouble, "Did you mean tf.float64?"),
        (None, "Expected a tf.DType such as tf.float32"),
        (3.0, "Expected a tf.DType such as tf.float32"),
    ],
    ids=repr,
)
def test_a_refusal_says_what_to_write(wrong, advice):
    with pytest.raises(TypeError) as caught:
        d.as_dtype(wrong)
    assert str(caught.value).startswith(
        f"Cannot convert the argument `type_value`: {wrong!r} to a TensorFlow DType."
    )
    assert advice in str(caught.value)


def test_compares_with_numpy_from_both_sides():
    assert d.float32 == np.dtype("f4")
    assert np.dtype("f4") == d.float32
    assert np.float32 == d.float32
    assert d.float32 != np.float64
    assert {d.float32: 1}[d.as_dtype("float")] == 1


def test_flags_cannot_be_added():
    with pytest.raises(AttributeError):
        d.float32.colour = "red"  # type: ignore[attr-defined]
