"""tf.nest against TensorFlow's own answers, composites, and properties of structures made at random."""

from __future__ import annotations

import collections
import gc
import weakref

import numpy as np
import pytest
from golden import make_core
from hypothesis import given
from hypothesis import strategies as st

from gradtape._src.core import nest
from gradtape._src.core.tensor_shape import TensorShape

DIFFERENT = (
    "nest.flatten({'a': 1, 2: 3})",  # the same TypeError, with TensorFlow's message from another function
    "nest.map_structure(lambda x: [x], {'a': 1, 2: 3})",
    "nest.pack_sequence_as(memoryview(b'ab'), [10, 20])",  # a list, as for range; TensorFlow fails
    "nest.map_structure(lambda x: [x], memoryview(b'ab'))",
    # Neither can build a mappingproxy; the texts differ at their ends. TensorFlow writes collections.deque.
    "nest.assert_same_structure(deque([1]), [1], check_types=True)",
    "nest.map_structure(lambda x, y: (x, y), deque([1]), [1], check_types=True)",
    "nest.pack_sequence_as(types.MappingProxyType({'b': 1, 'a': 2}), [10, 20])",
    "nest.map_structure(lambda x: [x], types.MappingProxyType({'b': 1, 'a': 2}))",
)


def test_answers_are_tensorflows():
    """Messages included, from the first character to the last."""
    assert not make_core.disagreements(
        "nest", {"nest": nest, "TS": TensorShape}, prefix=10_000, but=DIFFERENT
    )


# --- Structures made at random ------------------------------------------------------------------------------

Point = collections.namedtuple("Point", "x y")

leaves = st.none() | st.integers() | st.text(max_size=2) | st.just(1.5)
structures = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
        | st.lists(st.tuples(st.sampled_from("abc"), inner), max_size=3).map(collections.OrderedDict)
        | st.builds(Point, inner, inner)
    ),
    max_leaves=8,
)


@given(structures)
def test_packing_what_was_flattened_gives_it_back(x):
    again = nest.pack_sequence_as(x, nest.flatten(x))
    assert again == x and type(again) is type(x)
    nest.assert_same_structure(x, again)
    assert nest.map_structure(lambda leaf: leaf, x) == x


@given(structures)
def test_paths_reach_the_leaves(x):
    assert [eval("x" + path, {"x": x}) for path in nest.leaf_paths(x)] == nest.flatten(x)


@given(structures)
def test_mapping_two_structures_is_mapping_their_leaves(x):
    y = nest.map_structure(repr, x)
    pairs = nest.map_structure(lambda a, b: {(a, b)}, x, y)
    assert nest.flatten(pairs) == [{(a, repr(a))} for a in nest.flatten(x)]
    assert nest.flatten_up_to(x, pairs) == nest.flatten(pairs)


@given(structures, structures)
def test_structures_are_the_same_in_both_directions(x, y):
    def same(a, b):
        try:
            nest.assert_same_structure(a, b)
        except (ValueError, TypeError) as error:
            assert str(error).startswith(
                "The two structures don't have the same nested structure.\n\nFirst structure: "
            )
            return False
        return True

    assert same(x, y) == same(y, x)
    if same(x, y):
        assert len(nest.flatten(x)) == len(nest.flatten(y))


# --- Composites ---------------------------------------------------------------------------------------------


class Slices:
    """A composite with an optional part."""

    def __init__(self, values, indices, size=None):
        self.values, self.indices, self.size = values, indices, size

    def _components(self):
        return (self.values, self.indices) + (() if self.size is None else (self.size,))

    def _from_components(self, parts):
        return Slices(*parts)


def test_a_composite_is_a_leaf_unless_expanded():
    a = Slices(1, 2)
    assert not nest.is_nested(a)
    assert nest.flatten([a, 3]) == [a, 3]
    assert nest.flatten([a, 3], expand_composites=True) == [1, 2, 3]
    assert nest.flatten({"a": Slices(a, 5, 7)}, expand_composites=True) == [1, 2, 5, 7]


def test_composites_are_built_again():
    new = nest.map_structure(
        lambda x, y: x + y, [Slices(1, 2, 3)], [Slices(10, 20, 30)], expand_composites=True
    )
    assert type(new[0]) is Slices and new[0]._components() == (11, 22, 33)
    packed = nest.pack_sequence_as((Slices(1, 2), 3), [7, 8, 9], expand_composites=True)
    assert packed[0]._components() == (7, 8) and packed[1] == 9


def test_composites_and_other_things_differ_only_when_expanded():
    nest.assert_same_structure(Slices(1, 2), 3)
    with pytest.raises(
        ValueError, match='type=Slices str=.* is a sequence, while substructure "type=int str=3" is not'
    ):
        nest.assert_same_structure(Slices(1, 2), 3, expand_composites=True)
    with pytest.raises(TypeError, match="same sequence type"):
        nest.assert_same_structure([Slices(1, 2)], [(1, 2)], expand_composites=True)
    with pytest.raises(ValueError, match="same number of elements"):
        nest.assert_same_structure(Slices(1, 2), Slices(1, 2, 3), expand_composites=True)


# --- The rest -----------------------------------------------------------------------------------------------


class WithAttrs:
    """What the attrs library makes of a class, as far as nest looks."""

    __attrs_attrs__ = (
        collections.namedtuple("Attribute", "name")("x"),
        collections.namedtuple("Attribute", "name")("y"),
    )

    def __init__(self, x, y):
        self.x, self.y = x, y


def test_attrs_classes_are_opened():
    thing = WithAttrs(1, [2, 3])
    assert nest.is_nested(thing) and nest.flatten(thing) == [1, 2, 3]
    assert nest.leaf_paths(thing) == [".x", ".y[0]", ".y[1]"]
    new = nest.map_structure(lambda x: -x, thing)
    assert type(new) is WithAttrs and (new.x, new.y) == (-1, [-2, -3])


def test_arrays_are_leaves():
    x, y = np.arange(3), np.arange(4)
    assert nest.flatten([x, {"a": y}])[1] is y
    assert nest.map_structure(lambda a, b: a.sum() + b.sum(), [x], [y]) == [9]


def test_flatten_up_to_stops_at_the_leaves_of_the_shallow_structure():
    assert nest.flatten_up_to(0, [1, 2]) == [[1, 2]]
    assert nest.flatten_up_to([0, {"a": 0}], [(1, 2), {"a": {"b": 3}}]) == [(1, 2), {"b": 3}]
    for wrong in ([1], 1, [1, {"b": 2}], [1, 2]):
        with pytest.raises(ValueError, match=r"Expected shape_invariants to have the structure of"):
            nest.flatten_up_to([0, {"a": 0}], wrong, what="shape_invariants")


def test_errors_of_the_function_pass_through_whole():
    def stop(*_):
        raise StopIteration("mine")

    for structures in ([[1]], [[1], [2]]):
        with pytest.raises(StopIteration, match="mine"):
            nest.map_structure(stop, *structures)


def test_the_message_is_given_even_if_a_mapping_cannot_be_built_again():
    view = make_core.types.MappingProxyType({"a": 1})
    with pytest.raises(ValueError, match="The two structures don't have the same nested structure"):
        nest.assert_same_structure(view, 1)


def test_classes_made_without_end_are_let_go():
    first = weakref.ref(type("Fleeting", (list,), {}))
    nest.flatten(first()())
    for _ in range(4100):
        nest.is_nested(type("Fleeting", (), {})())
    gc.collect()
    assert first() is None
    assert len(nest._PLAIN) < 4100
