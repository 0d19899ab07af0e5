"""Optimizers by name."""

from __future__ import annotations

from typing import Any, cast

from gradtape._src.keras import matrix_optimizers, more_optimizers, optimizers
from gradtape._src.keras.optimizer import Optimizer
from gradtape._src.keras.serialization import Family, serialize_keras_object

_CLASSES: list[Any] = [
    more_optimizers.Adadelta,
    more_optimizers.Adafactor,
    more_optimizers.Adagrad,
    optimizers.Adam,
    optimizers.AdamW,
    optimizers.Adamax,
    more_optimizers.Ftrl,
    more_optimizers.Lamb,
    more_optimizers.Lion,
    matrix_optimizers.Muon,
    optimizers.Nadam,
    optimizers.RMSprop,
    optimizers.SGD,
    matrix_optimizers.ScheduleFreeAdamW,
]
_FAMILY = Family("optimizer", "keras.optimizers", _CLASSES, {cls.__name__.lower(): cls for cls in _CLASSES})


def get(identifier):
    """The optimizer of a name (in any case), a configuration or a class; an optimizer is meant itself.

    Raises:
      ValueError: nothing of that name.

    >>> import gradtape as tf
    >>> tf.keras.optimizers.get("adam").name
    'adam...'
    """
    if isinstance(identifier, Optimizer):
        return identifier
    if isinstance(identifier, str):
        identifier = _FAMILY.deserialize(
            identifier.lower() if identifier.lower() in _FAMILY.members else identifier
        )
    if isinstance(identifier, dict):
        return deserialize(identifier)
    if isinstance(identifier, type) and issubclass(identifier, Optimizer):
        return cast(Any, identifier)()
    raise _FAMILY.unknown(identifier)


def serialize(optimizer):
    """The configuration of an optimizer."""
    return serialize_keras_object(optimizer)


def deserialize(config, custom_objects=None):
    """The optimizer of a configuration."""
    if config.get("class_name", "").lower() in _FAMILY.members:
        config = {**config, "class_name": _FAMILY.members[config["class_name"].lower()].__name__}
    return _FAMILY.deserialize(config, custom_objects)
