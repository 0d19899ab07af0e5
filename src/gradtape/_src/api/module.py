"""``tf.Module``: an object whose variables are those of its attributes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import Any

from gradtape._src.api.graphs import name_scope, scope_of
from gradtape._src.api.trackable import PENDING, attributes, children_changed, holds_trackables, is_trackable
from gradtape._src.ops.variables import Variable


class Module:
    """Holds variables and other modules as attributes, and finds them all.

    Attributes may be lists, tuples and dictionaries of variables and modules too. A `tf.train.Checkpoint` finds the
    variables by the names of the attributes.

    Args:
      name: of the module and of its name scope; by default the name of the class in lower case.

    Raises:
      ValueError: the name is no Python identifier.

    >>> import gradtape as tf
    >>> class Dense(tf.Module):
    ...     def __init__(self, inputs, outputs, name=None):
    ...         super().__init__(name=name)
    ...         self.w = tf.Variable(tf.ones([inputs, outputs]), name="w")
    ...         self.b = tf.Variable(tf.zeros([outputs]), name="b")
    ...
    ...     def __call__(self, x):
    ...         return x @ self.w + self.b
    >>> dense = Dense(3, 2)
    >>> [v.name for v in dense.trainable_variables], dense.name
    (['b:0', 'w:0'], 'dense')

    As TensorFlow 2.21.
    """

    _TF_MODULE_IGNORED_PROPERTIES: frozenset[str] = frozenset()

    def __init__(self, name=None):
        name = _in_lower_case(type(self).__name__) if name is None else name
        if not re.fullmatch(r"[A-Za-z_]\w*", name):
            raise ValueError(
                f"{name!r} is not a valid module name. Module names must be valid Python identifiers (e.g. a valid "
                "class name)."
            )
        self._name = name
        with scope_of(name) as scope:
            self._scope_name = scope

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)
        if PENDING in self.__dict__ and name != PENDING and holds_trackables(value):
            children_changed(self)

    @property
    def name(self):
        """The name that was given, or the class's."""
        return self._name

    @property
    def name_scope(self):
        """The `tf.name_scope` of the module, to enter in methods; see `with_name_scope`."""
        return name_scope(self._scope_name)

    @property
    def variables(self) -> tuple[Any, ...]:
        """The variables: the module's own by the names of the attributes, then those of its submodules."""
        return tuple(_once(self._found(_variables_of)))

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        """Those of the variables that are trainable, in the same order."""
        return tuple(_once(self._found(_trainable_variables_of)))

    @property
    def non_trainable_variables(self) -> tuple[Any, ...]:
        """Those of the variables that are not trainable, in the same order."""
        trainable = {id(v) for v in self.trainable_variables}
        return tuple([v for v in self.variables if id(v) not in trainable])

    @property
    def submodules(self) -> tuple[Any, ...]:
        """The modules among the attributes, and theirs."""
        found = _once(self._found(lambda leaf: [leaf] if isinstance(leaf, Module) else []))
        return tuple([module for module in found if module is not self])

    def _flatten(self, recursive=True, predicate=None):
        """The leaves of the attributes for which ``predicate`` holds, each once, in the order of `variables`."""
        holds = predicate or (lambda leaf: True)
        return _once(self._found(lambda leaf: [leaf] if holds(leaf) else [], recursive))

    def _found(
        self, taken: Callable[[Any], Any], recursive: bool = True, seen: set[int] | None = None
    ) -> Iterator[Any]:
        seen = {id(self)} if seen is None else seen
        inner = []
        for name in sorted(vars(self)):
            if name in self._TF_MODULE_IGNORED_PROPERTIES or name == PENDING:
                continue
            for leaf in _leaves(vars(self)[name]):
                yield from taken(leaf)
                if recursive and isinstance(leaf, Module) and id(leaf) not in seen:
                    seen.add(id(leaf))
                    inner.append(leaf)
        for module in inner:
            yield from module._found(taken, recursive, seen)

    def _trackable_children(self) -> dict[str, Any]:
        return attributes(self)

    @classmethod
    def with_name_scope(cls, method):
        """A decorator of methods: runs them in the module's name scope, so that variables are named after it.

        >>> import gradtape as tf
        >>> class Lazy(tf.Module):
        ...     @tf.Module.with_name_scope
        ...     def __call__(self, x):
        ...         if not hasattr(self, "w"):
        ...             self.w = tf.Variable(tf.ones([x.shape[1], 2]), name="w")
        ...         return x @ self.w
        >>> lazy = Lazy(name="layer")
        >>> y = lazy(tf.ones([1, 3]))
        >>> lazy.w.name
        'layer/w:0'
        """

        @wraps(method)
        def in_scope(self, *args, **kwargs):
            with self.name_scope:
                return method(self, *args, **kwargs)

        return in_scope


def _variables_of(leaf: Any) -> Any:
    if isinstance(leaf, Variable):
        return [leaf]
    return leaf.variables if _is_layer(leaf) else []


def _trainable_variables_of(leaf: Any) -> Any:
    if isinstance(leaf, Variable):
        return [leaf] if leaf.trainable else []
    return leaf.trainable_variables if _is_layer(leaf) else []


def _is_layer(leaf: Any) -> bool:
    """Whether it collects its variables itself: layers and models that are no modules."""
    return not isinstance(leaf, Module) and is_trackable(leaf) and hasattr(type(leaf), "trainable_variables")


def _leaves(value: Any) -> Iterator[Any]:
    """What is in lists, tuples and dictionaries (these in the order of their keys), else the value."""
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, Mapping):
        try:
            keys = sorted(value)
        except TypeError:
            keys = list(value)
        for key in keys:
            yield from _leaves(value[key])
    else:
        yield value


def _once(values: Iterator[Any]) -> Iterator[Any]:
    seen: set[int] = set()
    for value in values:
        if id(value) not in seen:
            seen.add(id(value))
            yield value


def _in_lower_case(name: str) -> str:
    """``MultiHead`` -> ``multi_head``."""
    return re.sub(r"((?<=[a-z0-9])[A-Z]|(?!^)(?<!_)[A-Z](?=[a-z]))", r"_\1", name).lower()
