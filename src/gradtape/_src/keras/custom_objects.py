"""Users' classes and functions by name, so that a configuration can be read back.

A name comes from `register_keras_serializable` (for good) or from a `custom_object_scope` (inside it).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_registered: dict[str, Any] = {}  # "package>name" -> object
_names: dict[Any, str] = {}
_scoped: ContextVar[dict[str, Any]] = ContextVar("custom_objects", default={})  # noqa: B039  never written into


def get_custom_objects() -> dict[str, Any]:
    """The dictionary of the objects that are known everywhere; what is put there is found by name.

    >>> import gradtape as tf
    >>> tf.keras.utils.get_custom_objects()["twice"] = lambda x: 2 * x
    >>> tf.keras.activations.get("twice")(3)
    6
    >>> del tf.keras.utils.get_custom_objects()["twice"]
    """
    return _registered


def register_keras_serializable(package: str = "Custom", name: str | None = None) -> Callable[[Any], Any]:
    """A decorator: a class or a function can be found by the name ``package>name`` when it is read back.

    Args:
      package: the first part of the name.
      name: the second; by default the object's own.

    Raises:
      ValueError: a class without ``get_config``.

    >>> import gradtape as tf
    >>> @tf.keras.utils.register_keras_serializable("mine")
    ... def twice(x):
    ...     return 2 * x
    >>> tf.keras.utils.get_registered_name(twice)
    'mine>twice'
    """

    def decorated(obj: Any) -> Any:
        full = f"{package}>{name or obj.__name__}"
        if inspect.isclass(obj) and not hasattr(obj, "get_config"):
            raise ValueError(
                f"Cannot register a class that does not have a get_config() method. Received: {obj.__name__}"
            )
        _registered[full] = obj
        _names[obj] = full
        return obj

    return decorated


def get_registered_name(obj: Any) -> str:
    """The name that a class or a function is registered under, or its own."""
    try:
        return _names.get(obj) or obj.__name__
    except TypeError:  # cannot be hashed
        return obj.__name__


def get_registered_object(
    name: str,
    custom_objects: Mapping[str, Any] | None = None,
    module_objects: Mapping[str, Any] | None = None,
) -> Any:
    """The object of a name: in a scope, registered, or in one of the given dictionaries. None if there is none."""
    for there in (_scoped.get(), _registered, custom_objects or {}, module_objects or {}):
        if name in there:
            return there[name]
    return None


@contextmanager
def custom_object_scope(
    custom_objects: Mapping[str, Any] | None = None, *more: Mapping[str, Any]
) -> Iterator[None]:
    """Inside it these objects are found by name.

    Args:
      custom_objects: a dictionary of names and objects; more of them may follow.

    >>> import gradtape as tf
    >>> with tf.keras.utils.custom_object_scope({"twice": lambda x: 2 * x}):
    ...     tf.keras.activations.get("twice")(3)
    6
    """
    known = dict(_scoped.get())
    for objects in (custom_objects or {}, *more):
        known.update(objects)
    token = _scoped.set(known)
    try:
        yield
    finally:
        _scoped.reset(token)
