"""How layers know the layers and variables in the lists and dictionaries that are their attributes.

`structure` counts the changes of what layers are made of, anywhere. What a layer has collected of its parts
is true as long as that number is the same; so a training loop may ask for `trainable_variables` in each step.
"""

from __future__ import annotations

from functools import wraps
from typing import Any


class Structure:
    """The number of changes."""

    changes = 0


structure = Structure()


def _noticed(cls: type, name: str) -> Any:
    change = getattr(cls, name)

    @wraps(change)
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        structure.changes += 1
        return change(self, *args, **kwargs)

    return method


class TrackedList(list):
    """A list that is an attribute of a layer."""

    append, extend, insert = (_noticed(list, name) for name in ("append", "extend", "insert"))
    pop, remove, clear = (_noticed(list, name) for name in ("pop", "remove", "clear"))
    reverse, sort = (_noticed(list, name) for name in ("reverse", "sort"))
    __setitem__, __delitem__ = (_noticed(list, name) for name in ("__setitem__", "__delitem__"))
    __iadd__ = _noticed(list, "__iadd__")

    def __reduce__(self) -> Any:
        return TrackedList, (list(self),)


class TrackedDict(dict):
    """A dictionary that is an attribute of a layer."""

    update, setdefault, clear = (_noticed(dict, name) for name in ("update", "setdefault", "clear"))
    pop, popitem = (_noticed(dict, name) for name in ("pop", "popitem"))
    __setitem__, __delitem__ = (_noticed(dict, name) for name in ("__setitem__", "__delitem__"))
    __ior__ = _noticed(dict, "__ior__")

    def __reduce__(self) -> Any:
        return TrackedDict, (dict(self),)


def tracked(value: Any) -> Any:
    """A list or a dictionary as one that says when it changes; anything else as it is."""
    if type(value) is list:
        return TrackedList(value)
    return TrackedDict(value) if type(value) is dict else value
