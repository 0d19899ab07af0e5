"""Objects that hold variables, and the names by which their variables are found in a checkpoint.

A *trackable* is a variable, or an object with a method ``_trackable_children()`` that gives its parts by name
(`tf.Module`, `tf.train.Checkpoint`, layers, models, optimizers). Lists, tuples and dictionaries count where they hold
one. An object that gets parts later says so by `children_changed`, so that what a checkpoint has for them is restored
when they are made.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

from gradtape._src.ops.variables import Variable

VALUE = ".ATTRIBUTES/VARIABLE_VALUE"  # what TensorFlow puts behind the path of a variable
PENDING = "_pending_restoration"  # the attribute of an object for which a checkpoint may have more


def is_trackable(value: Any) -> bool:
    """Whether a value is a variable or says what its parts are."""
    return isinstance(value, Variable) or hasattr(type(value), "_trackable_children")


def holds_trackables(value: Any) -> bool:
    """Whether a value is trackable, or a list, tuple or dictionary with something trackable in it."""
    if isinstance(value, (list, tuple)):
        return any(map(holds_trackables, value))
    if isinstance(value, Mapping):
        return any(map(holds_trackables, value.values()))
    return is_trackable(value)


def attributes(owner: Any) -> dict[str, Any]:
    """The attributes of an object that are trackable: the usual answer of ``_trackable_children``."""
    return {name: value for name, value in vars(owner).items() if holds_trackables(value)}


def children(value: Any) -> dict[str, Any]:
    """The trackable parts of a value by name; the items of a list by their numbers."""
    if isinstance(value, (list, tuple)):
        items = [(str(i), item) for i, item in enumerate(value)]
    elif isinstance(value, Mapping):
        items = [(str(key), item) for key, item in value.items()]
    elif isinstance(value, Variable):
        return {}
    else:
        return dict(value._trackable_children())
    return {name: item for name, item in items if holds_trackables(item)}


def walk(root: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every object under ``root`` once, by its shortest path: ``("model/layers/0/kernel", <variable>)``."""
    seen = {id(root)}
    queue = deque([(prefix, root)])
    while queue:
        path, value = queue.popleft()
        yield path, value
        for name, child in children(value).items():
            if id(child) not in seen:
                seen.add(id(child))
                step = name.replace(".", "..").replace("/", ".S")
                queue.append((f"{path}/{step}" if path else step, child))


def children_changed(owner: Any) -> None:
    """Restores what a checkpoint has for parts that ``owner`` has got since; does nothing without a checkpoint."""
    pending = getattr(owner, PENDING, None)
    if pending is not None:
        pending(owner)
