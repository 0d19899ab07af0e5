"""Assertions: their texts are TensorFlow 2.21's, in eager mode and in a function."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf

d = tf.debugging
A, B, C = tf.constant([1.0, 2.0]), tf.constant([1.0, 3.0]), tf.constant([-1.0, 0.0, 1.0])
InvalidArgument = tf.errors.InvalidArgumentError

EQUAL = (
    "{}Condition x == y did not hold.\nIndices of first 1 different values:\n[[1]]\nCorresponding x values:\n[2.]\n"
    "Corresponding y values:\n[3.]\nFirst {n} elements of x:\n{}\nFirst {n} elements of y:\n{}"
)


@pytest.mark.parametrize(
    "call, error, text",
    [
        (lambda: d.assert_equal(A, B), InvalidArgument, EQUAL.format("", "[1. 2.]", "[1. 3.]", n=2)),
        (
            lambda: d.assert_equal(A, B, message="Hey", summarize=1),
            InvalidArgument,
            EQUAL.format("Hey\n", "[1.]", "[1.]", n=1),
        ),
        (
            lambda: d.assert_equal(A, 1.0),
            InvalidArgument,
            "Condition x == y did not hold.\nFirst 2 elements of x:\n[1. 2.]\nFirst 1 elements of y:\n[1.]",
        ),
        (lambda: d.assert_less(A, B), InvalidArgument, "Condition x < y did not hold."),
        (lambda: d.assert_none_equal(A, B), InvalidArgument, "Condition x != y did not hold."),
        (lambda: d.assert_greater_equal(A, B), InvalidArgument, "Condition x >= y did not hold."),
        (
            lambda: d.assert_near(A, B),
            InvalidArgument,
            "Expected 'tf.Tensor(False, shape=(), dtype=bool)' to be true. Summarized data: b''\n"
            "b'x and y not equal to tolerance rtol = tf.Tensor(1.1920929e-06, shape=(), dtype=float32), "
            "atol = tf.Tensor(1.1920929e-06, shape=(), dtype=float32)'\nb'x (shape=(2,) dtype=float32) = '\n1.0, 2.0\n"
            "b'y (shape=(2,) dtype=float32) = '\n1.0, 3.0",
        ),
        (
            lambda: d.assert_positive(C, message="Hey"),
            InvalidArgument,
            "Hey.  \nCondition x > 0 did not hold element-wise:\nx (shape=(3,) dtype=float32) = \n"
            "['-1.0', '0.0', '1.0']",
        ),
        (lambda: d.assert_negative(C), InvalidArgument, "Condition x < 0 did not hold element-wise"),
        (lambda: d.assert_non_negative(C), InvalidArgument, "Condition x >= 0 did not hold element-wise"),
        (lambda: d.assert_non_positive(C), InvalidArgument, "Condition x <= 0 did not hold element-wise"),
        (
            lambda: d.assert_integer(A, message="M"),
            TypeError,
            "M.  Expected \"x\" to be integer type.  Found: tensor of dtype <dtype: 'float32'>",
        ),
        (lambda: d.assert_type(A, tf.int32), TypeError, "tensor must be of type tf.int32; got tf.float32"),
        (lambda: d.assert_rank(A, 2), ValueError, "Tensor  must have rank 2.  Received rank 1, shape (2,)"),
        (
            lambda: d.assert_rank_at_least(A, 2, message="M"),
            ValueError,
            "M.  Tensor  must have rank at least 2.  Received rank 1, shape (2,)",
        ),
        (
            lambda: d.assert_rank_in(A, [2, 3]),
            ValueError,
            "Tensor  must have rank in (2, 3).  Received rank 1, shape (2,)",
        ),
        (lambda: d.assert_scalar(A), ValueError, "Expected scalar shape, saw shape: (2,)."),
        (
            lambda: d.assert_shapes([(A, ("N",)), (tf.zeros([3, 3]), ("M", "N"))]),
            ValueError,
            "Specified by tensor shape=(2,) dtype=float32 dimension 0.  Tensor shape=(3, 3) dtype=float32 dimension 1 "
            "must have size 2.  Received size 3, shape (3, 3)",
        ),
        (
            lambda: d.assert_shapes([(A, (1,))], message="m"),
            ValueError,
            "m.  Specified explicitly.  Tensor shape=(2,) dtype=float32 dimension 0 must have size 1.  "
            "Received size 2, shape (2,)",
        ),
        (lambda: d.assert_all_finite(A / 0.0, "mm"), InvalidArgument, "mm : Tensor had Inf values"),
        (
            lambda: d.check_numerics(tf.constant([np.inf, np.nan]), "mm"),
            InvalidArgument,
            "mm : Tensor had Inf and NaN",
        ),
        (
            lambda: d.assert_proper_iterable(A),
            TypeError,
            'Expected argument "values" to be a "proper" iterable.',
        ),
        (lambda: d.assert_proper_iterable(3), TypeError, 'Expected argument "values" to be iterable.'),
        (
            lambda: d.assert_same_float_dtype([A, tf.constant(1)]),
            ValueError,
            "tf.Tensor(1, shape=(), dtype=int32), type=<dtype: 'int32'>, must be of the same type (<dtype: 'float32'>) "
            "as tf.Tensor([1. 2.], shape=(2,), dtype=float32).",
        ),
        (
            lambda: d.Assert(tf.constant(False), [A, "x"]),
            InvalidArgument,
            "Expected 'tf.Tensor(False, shape=(), dtype=bool)' to be true. Summarized data: 1.0, 2.0\nb'x'",
        ),
    ],
)
def test_eager(call, error, text):
    with pytest.raises(error) as info:
        call()
    assert text in str(info.value)


def test_what_holds():
    assert d.assert_equal(A, A) is d.assert_less_equal(A, B) is d.Assert(True, [A]) is None
    d.assert_positive(tf.constant([]))
    d.assert_shapes([(A, ("N",)), (tf.zeros([3, 2]), ("M", "N")), (tf.zeros([5, 4, 2]), ("...", "N"))])
    assert d.assert_same_float_dtype([A, B]) == tf.float32
    assert d.is_numeric_tensor(A) and not d.is_numeric_tensor(tf.constant("a")) and not d.is_numeric_tensor(1)


X = [tf.TensorSpec(None)]


@pytest.mark.parametrize(
    "check, signature, args, text",
    [
        (
            lambda x, y: d.assert_equal(x, y, message="G"),
            None,
            [A, B],
            "assertion failed: [G] [Condition x == y did not hold element-wise:] [x (x:0) = ] [1 2] [y (y:0) = ] [1 3]",
        ),
        (
            lambda x: d.assert_positive(x, message="P"),
            None,
            [tf.constant([[-1.0, 0.0], [1.0, 2.0]])],
            "assertion failed: [P.  ] [Condition x > 0 did not hold element-wise:] [x (x:0) = ] [[-1 0][1...]...]",
        ),
        (
            lambda x: d.assert_rank(x, 2, message="P"),
            X,
            [A],
            "assertion failed: [P.  ] [Tensor x:0 must have rank] [2] [Received shape: ] [2]",
        ),
        (
            lambda x: d.assert_rank_in(x, [2, 3], message="P"),
            X,
            [A],
            "assertion failed: [P.  ] [Tensor x:0 must have rank in] [2] [3] [Received shape: ] [2]",
        ),
        (
            lambda x: d.Assert(x > 5.0, ["boo", x, tf.constant("s"), 3]),
            None,
            [tf.constant(2.0)],
            "assertion failed: [boo] [2] [s] [3]",
        ),
        (lambda x: d.check_numerics(x, "mm") * 1.0, None, [A / 0.0], "mm : Tensor had Inf values"),
    ],
)
def test_in_a_function(check, signature, args, text):
    def f(*args):
        check(*args)

    wrapped = tf.function(lambda x: f(x) if len(args) == 1 else None, input_signature=signature)
    if len(args) == 2:
        wrapped = tf.function(lambda x, y: f(x, y))
    with pytest.raises(InvalidArgument) as info:
        wrapped(*args)
    assert text in str(info.value)
    assert any("test_debugging.py" in note for note in info.value.__notes__)
