"""`tf.nest`: nested structures of lists, tuples, dictionaries and their kin, taken apart and put together.

Why not a library: optree and its like dispatch on exact types, while TensorFlow opens every `Sequence` and
`Mapping` (subclasses of list and dict, `range`, `deque`, views of dictionaries), sorts keys and refuses what
it cannot sort, and compares structures by its own rules. Loading optree takes 17 ms, this file 1 ms.

A *leaf* is whatever is not a container: numbers, strings, arrays, tensors, None. How to open a type and to
build it again is found once for each type and kept in a table. A *composite* is an object whose class has
`_components(self) -> tuple` and `_from_components(self, parts)`, such as `IndexedSlices`: a leaf, unless
`expand_composites=True`; hence two tables.

Rests on the standard library only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, ItemsView, Iterable, KeysView, Mapping, Sequence, ValuesView
from typing import Any, NamedTuple, cast


class _Container(NamedTuple):
    """How to open a type (children in the order of flattening) and to build one like it from new children."""

    children: Callable[[Any], Sequence[Any]]
    rebuild: Callable[[Any, list[Any]], Any]
    steps: Callable[[Any], Iterable[str]]  # how Python text reaches each child: [0], ['a'], .x


def _numbered(x: Any) -> Iterable[str]:
    return (f"[{i}]" for i in range(len(x)))


def _sorted_keys(x: Mapping[Any, Any]) -> list[Any]:
    try:
        return sorted(x)
    except TypeError:
        raise TypeError(
            "nest only supports dicts with sortable keys. It flattens them in the order of their keys, and "
            f"these cannot be compared with each other: {list(x)}"
        ) from None


def _dict_children(x: Mapping[Any, Any]) -> list[Any]:
    return [x[key] for key in _sorted_keys(x)]


def _dict_rebuild(x: Mapping[Any, Any], parts: list[Any]) -> Any:
    new = dict(zip(_sorted_keys(x), parts, strict=True))
    new = {key: new[key] for key in x}  # the order of the keys stays
    if type(x) is dict:
        return new
    make = cast(Any, type(x))
    if isinstance(x, defaultdict):
        return make(x.default_factory, new)
    try:
        return make(new if isinstance(x, dict) else new.items())
    except TypeError as error:
        raise TypeError(
            f"Error creating an object of type {type(x)} like {x}. Note that it must accept a single "
            "positional argument representing an iterable of key-value pairs, in addition to self. "
            f"Cause: {error}"
        ) from error


def _attrs_children(x: Any) -> list[Any]:
    return [getattr(x, field.name) for field in type(x).__attrs_attrs__]


_as_itself: Callable[[Any], Any] = lambda x: x
_as_list = _Container(list, lambda x, parts: parts, _numbered)  # for what has no constructor of its own
_of_list = _Container(_as_itself, lambda x, parts: parts, _numbered)
_of_tuple = _Container(_as_itself, lambda x, parts: tuple(parts), _numbered)
_of_sequence = _Container(_as_itself, lambda x, parts: type(x)(parts), _numbered)
_of_namedtuple = _Container(
    _as_itself, lambda x, parts: type(x)(*parts), lambda x: (f".{name}" for name in x._fields)
)
_of_mapping = _Container(_dict_children, _dict_rebuild, lambda x: (f"[{key!r}]" for key in _sorted_keys(x)))
_of_attrs = _Container(
    _attrs_children,
    lambda x, parts: type(x)(*parts),
    lambda x: (f".{field.name}" for field in type(x).__attrs_attrs__),
)
_of_dataclass = _Container(
    lambda x: x.__tf_flatten__()[1],
    lambda x, parts: type(x).__tf_unflatten__(x.__tf_flatten__()[0], tuple(parts)),
    lambda x: (f".__tf_flatten__()[1][{i}]" for i in range(len(x.__tf_flatten__()[1]))),
)
_of_composite = _Container(
    lambda x: x._components(),
    lambda x, parts: x._from_components(tuple(parts)),
    lambda x: (f"._components()[{i}]" for i in range(len(x._components()))),
)


def _container_of(cls: type, expand: bool) -> _Container | None:
    """How to open `cls`; None if its objects are leaves."""
    if hasattr(cls, "_components") and hasattr(cls, "_from_components"):
        return _of_composite if expand else None
    if cls is list:
        return _of_list
    if cls is tuple:
        return _of_tuple
    if _is_namedtuple(cls):
        return _of_namedtuple
    if issubclass(cls, Mapping):
        return _of_mapping
    if hasattr(cls, "__attrs_attrs__"):
        return _of_attrs
    if all(hasattr(cls, name) for name in ("__dataclass_fields__", "__tf_flatten__", "__tf_unflatten__")):
        return _of_dataclass
    if cls in (range, memoryview) or issubclass(cls, (KeysView, ItemsView, ValuesView)):
        return _as_list
    if issubclass(cls, Sequence) and not issubclass(cls, (str, bytes)):
        return _of_sequence
    return None


def _is_namedtuple(cls: type) -> bool:
    fields = getattr(cls, "_fields", None)
    return issubclass(cls, tuple) and isinstance(fields, tuple) and all(type(name) is str for name in fields)


def _name_and_fields(cls: Any) -> tuple[str, Any]:
    return cls.__name__, getattr(cls, "_fields", None)


class _Table(dict[type, "_Container | None"]):
    """What `_container_of` said of each type seen so far: a dictionary, so that a hit costs one lookup."""

    def __init__(self, expand: bool) -> None:
        super().__init__()
        self.expand = expand

    def __missing__(self, cls: type) -> _Container | None:
        if len(self) > 4000:  # a program that makes classes without end must not be kept alive by this table
            self.clear()
        found = self[cls] = _container_of(cls, self.expand)
        return found


_PLAIN = _Table(expand=False)
_EXPANDED = _Table(expand=True)


def is_nested(seq: Any) -> bool:
    """Whether `tf.nest` opens `seq`: lists, tuples, dictionaries and their kin, but no tensors or strings.

    >>> import gradtape as tf
    >>> tf.nest.is_nested([1]), tf.nest.is_nested({}), tf.nest.is_nested("ab"), tf.nest.is_nested(None)
    (True, True, False, False)
    """
    return _PLAIN[type(seq)] is not None


def map_children(func: Callable[[Any], Any], structure: Any) -> Any:
    """A container like `structure`, with `func` of each child, containers too, in its place."""
    container = _PLAIN[type(structure)]
    assert container is not None
    return container.rebuild(structure, [func(child) for child in container.children(structure)])


def flatten(structure: Any, expand_composites: bool = False) -> list[Any]:
    """The leaves of a structure, from left to right; those of a dictionary in the order of its sorted keys.

    >>> import gradtape as tf
    >>> tf.nest.flatten([1, (2, [3, None]), {"b": 5, "a": 4}])
    [1, 2, 3, None, 4, 5]
    """
    table = _EXPANDED if expand_composites else _PLAIN
    container = table[type(structure)]
    if container is None:
        return [structure]
    leaves: list[Any] = []
    _flatten(structure, container, table, leaves)
    return leaves


def _flatten(x: Any, container: _Container, table: _Table, leaves: list[Any]) -> None:
    for child in container[0](x):
        inner = table[type(child)]
        if inner is None:
            leaves.append(child)
        else:
            _flatten(child, inner, table, leaves)


def pack_sequence_as(structure: Any, flat_sequence: Any, expand_composites: bool = False) -> Any:
    """A structure like `structure`, with the items of `flat_sequence` as leaves, in the order of `flatten`.

    Raises ValueError if there are not as many items as leaves, TypeError if `flat_sequence` is no sequence.

    >>> import gradtape as tf
    >>> tf.nest.pack_sequence_as({"b": 0, "a": (0, 0)}, [1, 2, 3])
    {'b': 3, 'a': (1, 2)}
    """
    kind = _PLAIN[type(flat_sequence)]
    if kind is None or kind is _of_mapping:
        raise TypeError(
            f"Attempted to pack value:\n  {flat_sequence}\ninto a structure, but found incompatible type "
            f"`{type(flat_sequence)}` instead. Expected a list of the leaves, as tf.nest.flatten gives."
        )
    table = _EXPANDED if expand_composites else _PLAIN
    container = table[type(structure)]
    if container is None:
        if len(flat_sequence) != 1:
            raise ValueError(
                f"The target structure is of type `{type(structure)}`\n  {structure}\nHowever the input is a "
                f"sequence ({type(flat_sequence)}) of length {len(flat_sequence)}.\n  {flat_sequence}\n"
                "nest cannot guarantee that it is safe to map one to the other."
            )
        return flat_sequence[0]
    supply = iter(flat_sequence)
    try:
        packed = _map(lambda _: next(supply), structure, container, table)
        fits = next(supply, _DOT) is _DOT
    except StopIteration:
        fits = False
    if not fits:
        raise ValueError(
            f"Could not pack sequence. Structure had {len(flatten(structure, expand_composites))} atoms, but "
            f"flat_sequence had {len(flat_sequence)} items.  Structure: {structure}, "
            f"flat_sequence: {flat_sequence}."
        )
    return packed


def _map(func: Callable[[Any], Any], x: Any, container: _Container, table: _Table) -> Any:
    """A structure like `x`, with `func` of each leaf in its place."""
    parts = []
    for child in container[0](x):
        inner = table[type(child)]
        parts.append(func(child) if inner is None else _map(func, child, inner, table))
    return container[1](x, parts)


def map_structure(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """A structure like the first one, whose leaves are the values of `func` at the leaves of all of them.

    Args:
      func: called with one leaf of each structure.
      *structure: one or more structures, all alike.
      check_types: whether their containers must also be of the same types. Default True.
      expand_composites: whether to open composites such as `tf.IndexedSlices`. Default False.

    Raises ValueError or TypeError, as `assert_same_structure`.

    >>> import gradtape as tf
    >>> tf.nest.map_structure(lambda x, y: x + y, {"a": 1, "b": (2, 3)}, {"a": 10, "b": (20, 30)})
    {'a': 11, 'b': (22, 33)}
    """
    check_types = kwargs.pop("check_types", True)
    expand = kwargs.pop("expand_composites", False)
    if kwargs:
        unknown = "`, `".join(kwargs)
        raise ValueError(
            f"Only valid keyword arguments are `check_types` and `expand_composites`, not: `{unknown}`"
        )
    if not callable(func):
        raise TypeError(f"func must be callable, got: {func}")
    if not structure:
        raise ValueError("Must provide at least one structure")
    first = structure[0]
    table = _EXPANDED if expand else _PLAIN
    container = table[type(first)]
    if len(structure) == 1:
        return func(first) if container is None else _map(func, first, container, table)
    for other in structure[1:]:
        assert_same_structure(first, other, check_types, expand)
    return func(*structure) if container is None else _map_many(func, structure, container, table)


def _map_many(
    func: Callable[..., Any], structures: Sequence[Any], container: _Container, table: _Table
) -> Any:
    """`_map` of several structures that are known to be alike."""
    parts = []
    opened = [cast(_Container, table[type(x)]).children(x) for x in structures]
    for row in zip(*opened, strict=True):
        inner = table[type(row[0])]
        parts.append(func(*row) if inner is None else _map_many(func, row, inner, table))
    return container.rebuild(structures[0], parts)


class _Dot:
    """Prints as the dot that stands for a leaf in messages."""

    def __repr__(self) -> str:
        return "."


_DOT: Any = _Dot()


class _Difference(Exception):
    """Where and how two structures differ; `error` is the type to raise."""

    def __init__(self, error: type[Exception], text: str) -> None:
        self.error = error
        self.text = text


def assert_same_structure(
    nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False
) -> None:
    """Raise unless two structures are alike: leaves where the other has leaves, containers of equal lengths.

    Args:
      nest1, nest2: the structures.
      check_types: whether containers must be of the same type and dictionaries have the same keys. Lists of
        any class are alike, so are mappings, and namedtuples of one name with the same fields.
      expand_composites: whether to open composites such as `tf.IndexedSlices`.

    Raises ValueError if leaves, lengths or keys differ; TypeError if types do.

    >>> import gradtape as tf
    >>> tf.nest.assert_same_structure([1, {"a": 2}], [3, {"a": "x"}])
    >>> try:
    ...     tf.nest.assert_same_structure([1, 2], [1, [2]])
    ... except ValueError as error:
    ...     print(str(error).splitlines()[0])
    The two structures don't have the same nested structure.
    """
    table = _EXPANDED if expand_composites else _PLAIN
    try:
        _compare(nest1, nest2, check_types, table)
    except _Difference as difference:
        raise difference.error(
            "The two structures don't have the same nested structure.\n\n"
            f"First structure: {_show(nest1)}\n\nSecond structure: {_show(nest2)}\n\n"
            f"More specifically: {difference.text}\n"
            f"Entire first structure:\n{_outline(nest1)}\nEntire second structure:\n{_outline(nest2)}"
        ) from None


def _show(x: Any) -> str:
    return f"type={type(x).__name__} str={x}"


def _outline(x: Any) -> str:
    """A structure with a dot for each leaf, as text."""
    try:
        return str(map_structure(lambda _: _DOT, x))
    except TypeError:  # a mapping that cannot be built again
        return str(x)


def _compare(a: Any, b: Any, check_types: bool, table: _Table) -> None:
    """Raise _Difference at the first place where the structures differ."""
    open_a, open_b = table[type(a)], table[type(b)]
    if open_a is None and open_b is None:
        return
    if open_a is None or open_b is None:
        nested, leaf = (a, b) if open_b is None else (b, a)
        raise _Difference(
            ValueError,
            f'Substructure "{_show(nested)}" is a sequence, while substructure "{_show(leaf)}" is not',
        )
    if check_types:
        if open_a is _of_mapping and open_b is _of_mapping:
            _compare_keys(a, b)
        elif type(a) is not type(b):
            _compare_types(a, b)
    children_a, children_b = open_a.children(a), open_b.children(b)
    for child_a, child_b in zip(children_a, children_b, strict=False):
        if table[type(child_a)] is not None or table[type(child_b)] is not None:
            _compare(child_a, child_b, check_types, table)
    if len(children_a) != len(children_b):
        raise _Difference(
            ValueError,
            "The two structures don't have the same number of elements. "
            f"First structure: {_show(a)}. Second structure: {_show(b)}",
        )


def _compare_keys(a: Any, b: Any) -> None:
    if set(a) != set(b):
        raise _Difference(
            ValueError,
            "The two dictionaries don't have the same set of keys. First structure has keys "
            f"{_show(list(a))}, while second structure has keys {_show(list(b))}",
        )


def _compare_types(a: Any, b: Any) -> None:
    cls_a, cls_b = type(a), type(b)
    both_lists = issubclass(cls_a, list) and issubclass(cls_b, list)
    if both_lists or (_is_namedtuple(cls_a) and _name_and_fields(cls_a) == _name_and_fields(cls_b)):
        return
    raise _Difference(
        TypeError,
        f"The two namedtuples don't have the same sequence type. First structure {_show(a)} has type "
        f"{cls_a.__name__}, while second structure {_show(b)} has type {cls_b.__name__}",
    )


# --- For the rest of the package ----------------------------------------------------------------------------


def leaf_paths(structure: Any, expand_composites: bool = False) -> list[str]:
    """How Python text reaches each leaf, in the order of `flatten`: "[0]['a'].x". For messages."""
    table = _EXPANDED if expand_composites else _PLAIN

    def walk(x: Any, path: str) -> None:
        container = table[type(x)]
        if container is None:
            paths.append(path)
        else:
            for step, child in zip(container.steps(x), container.children(x), strict=True):
                walk(child, path + step)

    paths: list[str] = []
    walk(structure, "")
    return paths


def flatten_up_to(shallow: Any, structure: Any, what: str = "structure") -> list[Any]:
    """The parts of `structure` that stand where `shallow` has leaves; they may be structures themselves.

    Raises ValueError if `structure` is not open where `shallow` is; `what` names it in the message.
    """
    container = _PLAIN[type(shallow)]
    if container is None:
        return [structure]
    inner = _PLAIN[type(structure)]
    parts, wanted = None if inner is None else inner.children(structure), container.children(shallow)
    if parts is None or len(parts) != len(wanted) or _keys(shallow) != _keys(structure):
        raise ValueError(
            f"Expected {what} to have the structure of {_outline(shallow)} "
            f"(a dot stands for anything), but received {_show(structure)}."
        )
    return [leaf for s, x in zip(wanted, parts, strict=True) for leaf in flatten_up_to(s, x, what)]


def _keys(x: Any) -> Any:
    return set(x) if isinstance(x, Mapping) else None
