"""Shape rules against TensorFlow's graph shapes and NumPy's; TensorShape, Dimension and TensorSpec."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from golden import make_core
from hypothesis import given
from hypothesis import strategies as st

from gradtape._src.core import dtypes, shapes, specs, tensor_shape
from gradtape._src.core.tensor_shape import Dimension, TensorShape

NAMES = {
    "as_dtype": dtypes.as_dtype,
    "TS": TensorShape,
    "D": Dimension,
    "S": specs.TensorSpec,
    "broadcast_static_shape": tensor_shape.broadcast_static_shape,
}


def as_shape(dims):
    return None if dims is None else tuple(dims)


RULES = {
    "add": lambda a, b: shapes.broadcast(as_shape(a), as_shape(b)),
    "matmul": lambda a, b, ta, tb: shapes.matmul_shape(as_shape(a), as_shape(b), ta, tb),
    "reduce": lambda s, axes, keep: shapes.reduce_shape(as_shape(s), axes, keep),
    "concat": lambda all_, axis: shapes.concat_shape([as_shape(s) for s in all_], axis),
    "stack": lambda all_, axis: shapes.stack_shape([as_shape(s) for s in all_], axis),
    "reshape": lambda s, target: shapes.reshape_shape(as_shape(s), target),
}


# --- Against TensorFlow's answers ---------------------------------------------------------------------------


def test_tensor_shape_answers_as_tensorflow():
    assert not make_core.disagreements("tensor_shapes", NAMES, prefix=25)


def test_dimension_answers_as_tensorflow():
    # Only the types of exceptions: of a string on one side, Python's own message says more.
    assert not make_core.disagreements("dimensions", NAMES, prefix=0)


def test_specs_answer_as_tensorflow():
    assert not make_core.disagreements("specs", NAMES, but=("S()",))  # TensorFlow names DenseSpec there


def test_shape_rules_know_at_least_what_tensorflow_knows():
    """Equal, or more specific, in the few cases with a dimension of size 0 where TensorFlow gives up."""
    for text, wanted in make_core.read()["rules"].items():
        found = make_core.answer(text, RULES)
        if found[:2] == wanted[:2] == ["raises", "ValueError"] or found == wanted:
            continue
        ours, theirs = eval(found[2]), eval(wanted[2])
        assert "0" in text and shapes.merge(ours, theirs) == ours, (
            f"{text}: TensorFlow {wanted}, here {found}"
        )


# --- Against NumPy's ----------------------------------------------------------------------------------------

dims = st.integers(0, 4)
known = st.lists(dims, max_size=4).map(tuple)


def hide(shape, mask):
    return tuple(None if hidden else n for n, hidden in zip(shape, mask, strict=False))


masks = st.lists(st.booleans(), min_size=8, max_size=8)


def agrees(rule, truth, mask_a, mask_b, a, b):
    """A rule gives NumPy's shape when it knows all, and nothing that contradicts it when it knows less."""
    try:
        expected = truth(np.zeros(a), np.zeros(b)).shape
    except ValueError:
        with pytest.raises(ValueError):
            rule(a, b)
        return
    assert rule(a, b) == expected
    for less in (
        rule(hide(a, mask_a), b),
        rule(hide(a, mask_a), hide(b, mask_b)),
        rule(None, b),
        rule(a, None),
    ):
        assert shapes.compatible(less, expected)


@given(known, known, masks, masks)
def test_broadcast_is_numpys(a, b, mask_a, mask_b):
    agrees(shapes.broadcast, np.add, mask_a, mask_b, a, b)


@given(st.lists(known, min_size=1, max_size=4))
def test_broadcast_of_many_is_numpys(many):
    try:
        expected = np.broadcast_shapes(*many)
    except ValueError:
        with pytest.raises(ValueError, match="Incompatible shapes: .* vs. "):
            shapes.broadcast(*many)
    else:
        assert shapes.broadcast(*many) == expected


matrices = st.lists(st.sampled_from([1, 2, 3]), min_size=2, max_size=4).map(tuple)


@given(matrices, matrices, masks, masks, st.booleans(), st.booleans())
def test_matmul_is_numpys(a, b, mask_a, mask_b, ta, tb):
    def rule(a, b):
        return shapes.matmul_shape(a, b, ta, tb)

    def truth(x, y):
        return np.matmul(np.swapaxes(x, -1, -2) if ta else x, np.swapaxes(y, -1, -2) if tb else y)

    agrees(rule, truth, mask_a, mask_b, a, b)


@given(known, known, masks, masks, st.integers(-4, 3))
def test_concat_is_numpys(a, b, mask_a, mask_b, axis):
    agrees(
        lambda a, b: shapes.concat_shape([a, b], axis) if (a, b) != (None, None) else None,
        lambda x, y: np.concatenate([x, y], axis),
        mask_a,
        mask_b,
        a,
        b,
    )


@given(known, masks, st.integers(-5, 4))
def test_stack_is_numpys(a, mask, axis):
    agrees(
        lambda a, b: shapes.stack_shape([a, b], axis), lambda x, y: np.stack([x, y], axis), mask, mask, a, a
    )


@given(known, st.data(), st.booleans())
def test_reduce_is_numpys(a, data, keepdims):
    axes = data.draw(
        st.none() | st.lists(st.integers(-len(a), len(a) - 1), unique_by=lambda i: i % len(a))
        if a
        else st.none()
    )
    expected = np.sum(np.zeros(a), None if axes is None else tuple(axes), keepdims=keepdims).shape
    assert shapes.reduce_shape(a, axes, keepdims) == expected


@given(known, st.data())
def test_reshape_is_numpys(a, data):
    target = list(data.draw(st.permutations(a)))
    if target:
        target[data.draw(st.integers(0, len(target) - 1))] = -1
    try:
        expected = np.zeros(a).reshape(target).shape
    except ValueError:
        assert 0 in target  # NumPy does not guess; TensorFlow lets the sizes that are not zero decide
        return
    assert shapes.reshape_shape(a, target) == expected
    assert shapes.compatible(shapes.reshape_shape((None,) * len(a), target), expected)


# --- Errors of rules ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: shapes.broadcast((2, 3), (None, 4)),
            r"Incompatible shapes: \[2,3\] vs. \[\?,4\]. Counted from",
        ),
        (lambda: shapes.normalize_axis(2, 2), r"Argument `axis` = 2 not in range \[-2, 2\)"),
        (lambda: shapes.normalize_axis(-1, 0, "dim"), r"Argument `dim` = -1 not in range \[0, 0\)"),
        (
            lambda: shapes.normalize_axes([0, 5], 2),
            "Invalid reduction dimension 5 for input with 2 dimension",
        ),
        (lambda: shapes.normalize_axes([0, -2], 2), "Axes contains duplicate dimension: 0"),
        (
            lambda: shapes.concat_shape([(2,), (2, 1)], 0),
            r"ConcatOp : Ranks of all .* \[2\] vs. shape\[1\] = \[2,1\]",
        ),
        (
            lambda: shapes.concat_shape([(2, 1), (3, 1)], 1),
            "ConcatOp : Dimension 0 in both shapes must be equal",
        ),
        (
            lambda: shapes.concat_shape([(2,)], 1),
            r"ConcatOp : Expected concatenating dimensions in the range \[-1, 1\)",
        ),
        (
            lambda: shapes.stack_shape([(2,), (3,)]),
            r"Shapes of all inputs must match: .* = \[2\] != .* = \[3\]",
        ),
        (
            lambda: shapes.matmul_shape((2, 3), (2, 3)),
            r"Matrix size-incompatible: In\[0\]: \[2,3\], In\[1\]: \[2,3\]",
        ),
        (lambda: shapes.matmul_shape((2, 3), (3,)), "has different ndims.*tf.linalg.matvec"),
        (lambda: shapes.matmul_shape((5, 2, 3), (4, 3, 2)), "must have compatible batch dimensions"),
        (lambda: shapes.reshape_shape((2, 3), [4]), "with 6 values, but the requested shape has 4"),
        (
            lambda: shapes.reshape_shape((2, 3), [4, -1]),
            "with 6 values, but the requested shape requires a multiple of 4",
        ),
        (lambda: shapes.reshape_shape((2, 3), [-1, -1]), "Only one input size may be -1, not both 0 and 1"),
        (lambda: shapes.reshape_shape((2, 3), [-2, 3]), "Size 0 must be non-negative, not -2"),
        (lambda: shapes.merge((2, None), (3, 1)), r"Shapes \(2, None\) and \(3, 1\) are not compatible"),
    ],
)
def test_messages_name_the_shapes(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_axes_must_be_integers():
    with pytest.raises(TypeError, match="Argument `axis` must be an integer, got 1.5"):
        shapes.normalize_axis(1.5, 3)
    assert shapes.normalize_axis(np.int64(-1), 3) == 2
    assert shapes.normalize_axis(-1, None) == -1
    assert shapes.normalize_axes(np.array([0, -1]), 3) == (0, 2)


# --- TensorShape, Dimension, TensorSpec ---------------------------------------------------------------------


@given(st.none() | st.lists(st.none() | dims, max_size=3))
def test_a_shape_survives_copies_and_its_own_text(dims):
    shape = TensorShape(dims)
    assert eval(repr(shape)) == shape
    for other in (pickle.loads(pickle.dumps(shape)), copy.copy(shape), copy.deepcopy(shape)):
        assert type(other) is TensorShape and other == shape and hash(other) == hash(shape)
    assert TensorShape._of(shape._dims) == shape == TensorShape(shape)
    assert tensor_shape.as_shape_tuple(dims) == shape._dims


def test_numpy_takes_a_shape():
    shape = TensorShape([2, 3])
    assert (
        np.zeros(shape).shape
        == np.reshape(range(6), shape).shape
        == np.broadcast_to(1, shape).shape
        == (2, 3)
    )


def test_slices_of_an_unknown_shape_with_steps():
    assert TensorShape(None)[0:5:2] == [None, None, None]  # TensorFlow: "Steps are not yet handled"
    assert TensorShape(None)[::2].rank is None


def test_negative_sizes_never_equal_a_shape():
    assert TensorShape([2]) != [-1]  # TensorFlow raises ValueError from ==


def test_tensorflow_1_gives_dimensions():
    shape = TensorShape([2, None])
    tensor_shape.set_v2_tensorshape(False)
    try:
        assert shape[0].value == 2 and shape[1].value is None
        assert [type(d) for d in shape] == [Dimension, Dimension]
        assert type(shape[:1]) is TensorShape
        assert repr(shape) == "TensorShape([Dimension(2), Dimension(None)])"
        assert str(shape) == "(2, ?)"
        assert shape == [2, None] and shape.as_list() == [2, None]
        assert int(shape[0]) * 3 == 6 and np.zeros(shape[:1]).shape == (2,)
    finally:
        tensor_shape.set_v2_tensorshape(True)
    assert shape[0] == 2 and type(shape[0]) is int


def test_dimensions_pickle_and_refuse_to_be_an_unknown_number():
    assert pickle.loads(pickle.dumps(Dimension(3))).value == 3
    with pytest.raises(TypeError, match="not known"):
        range(Dimension(None))  # type: ignore[arg-type]


class FakeTensor:
    def __init__(self, shape, dtype):
        self.shape, self.dtype = TensorShape(shape), dtypes.as_dtype(dtype)


class FakeSymbol(FakeTensor):
    class op:
        name = "mul_3"


def test_specs_of_tensors():
    spec = specs.TensorSpec([None, 2], "float32")
    assert spec.is_compatible_with(FakeTensor([3, 2], "float32"))
    assert not spec.is_compatible_with(FakeTensor([3, 1], "float32"))
    assert not spec.is_compatible_with(FakeTensor([3, 2], "float64"))
    assert (
        repr(specs.TensorSpec.from_tensor(FakeTensor([3], "int8")))
        == "TensorSpec(shape=(3,), dtype=tf.int8, name=None)"
    )
    assert specs.TensorSpec.from_tensor(FakeSymbol([3], "int8")).name == "mul_3"
    assert specs.TensorSpec.from_tensor(FakeSymbol([3], "int8"), name="x").name == "x"


def test_specs_pickle_and_are_keys():
    spec = specs.TensorSpec([None, 2], "float32", name="x")
    for other in (pickle.loads(pickle.dumps(spec)), copy.deepcopy(spec)):
        assert other == spec and {spec: 1}[other] == 1
    with pytest.raises(AttributeError):
        spec.shape = 3  # type: ignore[misc]


class PairSpec(specs.TypeSpec):
    def __init__(self, shape, label):
        self.shape, self.label = TensorShape(shape), label

    def _parts(self):
        return self.shape, self.label


def test_a_new_kind_of_spec_needs_only_its_parts():
    a, b = PairSpec([2, 3], "x"), PairSpec([2, 4], "x")
    assert a != b and a == PairSpec([2, 3], "x") and a != PairSpec([2, 3], "y")
    assert a.most_specific_compatible_type(b) == PairSpec([2, None], "x")
    assert a.is_subtype_of(PairSpec([None, 3], "x")) and not a.is_subtype_of(b)
    assert a.is_compatible_with(PairSpec(None, "x")) and not a.is_compatible_with(PairSpec(None, "y"))
    assert not a.is_compatible_with("a")
    assert repr(a) == "PairSpec(TensorShape([2, 3]), 'x')"
    with pytest.raises(ValueError, match="No TypeSpec is compatible with both"):
        a.most_specific_compatible_type(PairSpec([2, 3], "y"))
