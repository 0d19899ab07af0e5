"""Objects as configurations, plain dictionaries that JSON can hold, and back; objects by name.

The dictionaries are Keras 3's: ``{"module": "keras.initializers", "class_name": "Zeros", "config": {},
"registered_name": None}``. Those of Keras 2, which have a class name and a configuration only, are read too.
"""

from __future__ import annotations

import importlib
import inspect
import sys
import types
from collections.abc import Mapping
from typing import Any

import numpy as np

from gradtape._src.api.tensors import constant
from gradtape._src.core.dtypes import DType
from gradtape._src.core.tensor_shape import TensorShape
from gradtape._src.core.values import Tensor
from gradtape._src.keras.custom_objects import (
    custom_object_scope,
    get_registered_name,
    get_registered_object,
)
from gradtape._src.ops.variables import Variable

_PLAIN = (str, int, float, bool, type(None))
_homes: dict[Any, tuple[str, str]] = {}  # a class or function of Keras -> its public module and name


class Family:
    """The objects of one kind that can be named: initializers, losses, ...

    Args:
      word: of the kind, for messages.
      module: its public module, ``"keras.losses"``.
      members: classes and functions. Each is known by its own name.
      aliases: further names.
    """

    def __init__(self, word: str, module: str, members: list[Any], aliases: Mapping[str, Any] | None = None):
        self.word, self.module = word, module
        self.members: dict[str, Any] = {member.__name__: member for member in members}
        self.members.update(aliases or {})
        for member in members:
            _homes[member] = (module, member.__name__)

    def get(self, identifier: Any) -> Any:
        """The object of a name, a configuration or a class; any other callable is what is meant itself.

        Raises:
          ValueError: nothing of that name, or no callable.
        """
        if identifier is None:
            return None
        found = identifier
        if isinstance(identifier, (dict, str)):
            found = self.deserialize(identifier)
        if not callable(found):
            raise self.unknown(identifier)
        return found() if inspect.isclass(found) else found

    def deserialize(self, config: Any, custom_objects: Mapping[str, Any] | None = None) -> Any:
        """The object of a configuration or a name; a name may be that of a class or a function."""
        if isinstance(config, str):
            found = get_registered_object(config, custom_objects, self.members)
            if found is None:
                raise self.unknown(config)
            return found
        return deserialize_keras_object(config, custom_objects, module_objects=self.members)

    def unknown(self, identifier: Any) -> ValueError:
        """The error for what names nothing."""
        return ValueError(f"Could not interpret {self.word} identifier: {identifier}")


def serialize_keras_object(obj: Any) -> Any:
    """The configuration of an object: plain values, or a dictionary that `deserialize_keras_object` reads.

    Args:
      obj: plain Python values, arrays, tensors, dtypes, shapes, lists and dictionaries of such; functions;
        objects with a method ``get_config()``.

    Raises:
      TypeError: an object without ``get_config``.

    >>> import gradtape as tf
    >>> tf.keras.utils.serialize_keras_object(tf.keras.regularizers.L2(0.5))
    {'module': 'keras.regularizers', 'class_name': 'L2', 'config': {'l2': 0.5}, 'registered_name': None}

    As Keras 3.
    """
    if isinstance(obj, _PLAIN):
        return obj
    if isinstance(obj, (list, tuple)):
        values = [serialize_keras_object(x) for x in obj]
        return tuple(values) if isinstance(obj, tuple) else values
    if isinstance(obj, dict):
        return {key: serialize_keras_object(value) for key, value in obj.items()}
    if isinstance(obj, TensorShape):
        return None if obj.rank is None else obj.as_list()
    if isinstance(obj, DType):
        return obj.name
    if isinstance(obj, (Tensor, Variable)):
        config = {"value": np.asarray(obj).tolist(), "dtype": obj.dtype.name}
        return {"class_name": "__tensor__", "config": config}
    if isinstance(obj, np.ndarray) and obj.ndim:
        return {"class_name": "__numpy__", "config": {"value": obj.tolist(), "dtype": obj.dtype.name}}
    if isinstance(obj, (np.ndarray, np.generic)):
        return obj.item()
    if isinstance(obj, types.FunctionType) or inspect.isclass(obj):
        return _described_function(obj)
    return _described(obj)


def _described_function(function: Any) -> dict[str, Any]:
    module, name = _homes.get(function, (function.__module__, get_registered_name(function)))
    kind = "class" if inspect.isclass(function) else "function"
    return {"module": module, "class_name": kind, "config": name, "registered_name": name}


def _described(obj: Any) -> dict[str, Any]:
    cls = type(obj)
    if not hasattr(obj, "get_config"):
        raise TypeError(
            f"Cannot serialize object {obj} of type {cls}. To be serializable, a class must implement the "
            "`get_config()` method."
        )
    config = obj.get_config()
    if not isinstance(config, dict):
        raise TypeError(f"The `get_config()` method of {obj} should return a dict. It returned: {config}")
    home = _home_of(cls)
    module, name = home or (cls.__module__, cls.__name__)
    described = {
        "module": module,
        "class_name": name,
        "config": serialize_keras_object(config),
        "registered_name": None if home else get_registered_name(cls),
    }
    for extra in ("build_config", "compile_config"):
        more = getattr(obj, f"get_{extra}", lambda: None)()
        if more is not None:
            described[extra] = serialize_keras_object(more)
    return described


def deserialize_keras_object(
    config: Any,
    custom_objects: Mapping[str, Any] | None = None,
    safe_mode: bool = True,
    module_objects: Mapping[str, Any] | None = None,
    **kwargs: Any,
) -> Any:
    """The object of a configuration.

    Args:
      config: what `serialize_keras_object` gave, or a dictionary ``{"class_name": ..., "config": ...}``.
      custom_objects: users' classes and functions by name.
      safe_mode: without effect: configurations hold no code.
      module_objects: classes and functions by name, to look in after those.

    Raises:
      TypeError: a class that cannot be found.

    >>> import gradtape as tf
    >>> config = tf.keras.utils.serialize_keras_object(tf.keras.regularizers.L2(0.5))
    >>> tf.keras.utils.deserialize_keras_object(config).l2
    0.5

    As Keras 3.
    """
    if isinstance(config, (list, tuple)):
        values = [deserialize_keras_object(x, custom_objects, safe_mode, module_objects) for x in config]
        return tuple(values) if isinstance(config, tuple) else values
    if isinstance(config, str):
        found = get_registered_object(config, custom_objects, module_objects)
        return config if found is None else found
    if not isinstance(config, dict):
        return config
    if "class_name" not in config or "config" not in config:
        return {
            key: deserialize_keras_object(value, custom_objects, safe_mode, module_objects)
            for key, value in config.items()
        }
    with custom_object_scope(custom_objects):
        return _built(config, custom_objects, module_objects)


def _built(config: dict[str, Any], custom_objects: Any, module_objects: Any) -> Any:
    name, inner = config["class_name"], config["config"]
    if name == "__tuple__":
        return tuple(deserialize_keras_object(x, custom_objects) for x in inner["value"])
    if name == "__tensor__":
        return constant(inner["value"], inner["dtype"])
    if name == "__numpy__":
        return np.array(inner["value"], inner["dtype"])
    if name in ("function", "class"):
        return _found(config, inner, custom_objects, module_objects)
    cls = _found(config, name, custom_objects, module_objects)
    if not inspect.isclass(cls):
        return cls
    make = getattr(cls, "from_config", None)
    if make is None:
        raise TypeError(
            f"Unable to reconstruct an instance of '{name}': the class {cls} has no `from_config()`."
        )
    instance = make(_understood(_with_tuples(inner)))
    if config.get("build_config") and hasattr(instance, "build_from_config"):
        instance.build_from_config(config["build_config"])
    if config.get("compile_config") and hasattr(instance, "compile_from_config"):
        instance.compile_from_config(config["compile_config"])
    return instance


# Arguments of Keras 3 that no class of this library has. They are of no consequence while they are not set.
_NOT_HERE = ("input_axes", "output_axes", "quantization_config", "use_gate", "sparse_categories")


def _understood(config: Any) -> Any:
    """A configuration without what is unknown here and not set."""
    if not isinstance(config, dict):
        return config
    return {key: value for key, value in config.items() if value or key not in _NOT_HERE}


def _with_tuples(x: Any) -> Any:
    """A configuration with the tuples that were described in it, as older releases of Keras do."""
    if isinstance(x, (list, tuple)):
        values = [_with_tuples(v) for v in x]
        return tuple(values) if isinstance(x, tuple) else values
    if not isinstance(x, dict):
        return x
    if x.get("class_name") == "__tuple__":
        return tuple(_with_tuples(v) for v in x["config"]["value"])
    return {key: _with_tuples(v) for key, v in x.items()}


def _home_of(cls: type) -> tuple[str, str] | None:
    """The public module and the name of a class of this library; None for one of the user's."""
    if cls in _homes:
        return _homes[cls]
    home = getattr(cls, "_home", None)
    return (home, cls.__name__) if home and cls.__module__.startswith("gradtape._src.") else None


_KINDS = (
    "layers",
    "models",
    "initializers",
    "regularizers",
    "constraints",
    "optimizers",
    "losses",
    "metrics",
)


def _by_name_alone(name: str) -> Any:
    """A class of Keras, for configurations of Keras 2, which do not say where it is."""
    for kind in _KINDS:
        found = getattr(importlib.import_module(f"gradtape.keras.{kind}"), name, None)
        if found is not None:
            return found
    return None


def _found(config: dict[str, Any], name: str, custom_objects: Any, module_objects: Any) -> Any:
    """The class or function that a configuration names."""
    module, registered = config.get("module"), config.get("registered_name")
    for known in (registered, name):
        found = known and get_registered_object(known, custom_objects)
        if found is not None:
            return found
    if module and module.split(".")[0] == "keras":
        # The public modules are the registry of Keras's own classes, and many are loaded only when they are named.
        module = "keras.models" if module.startswith("keras.src.models") else module
        found = getattr(importlib.import_module(f"gradtape.{module}"), name, None)
    elif module:
        found = getattr(sys.modules.get(module), name, None)
    else:
        found = (module_objects or {}).get(name) or _by_name_alone(name)
    if found is None:
        raise TypeError(
            f"Could not locate class '{name}'. Make sure custom classes and functions are decorated with "
            "`@keras.saving.register_keras_serializable()`, or pass them as `custom_objects`. If they are already "
            "decorated, make sure they are all imported so that the decorator is run before trying to load them. "
            f"Full object config: {config}"
        )
    return found
