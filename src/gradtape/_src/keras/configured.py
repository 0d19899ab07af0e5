"""`Configured`: layers as configurations, and back."""

from __future__ import annotations

from typing import Any

from gradtape._src.keras import activations
from gradtape._src.keras.serialization import serialize_keras_object
from gradtape._src.keras.shapes import ShapeTuple, map_shapes
from gradtape._src.keras.signatures import init_arguments


class Configured:
    """What a layer knows of how it was made."""

    _config: tuple[
        str, ...
    ] = ()  # the arguments of a class of this library that are attributes of the same name
    name: str
    trainable: Any
    dtype_policy: Any
    built: bool
    build: Any
    _init_arguments: tuple[tuple[Any, ...], dict[str, Any]]
    _build_shape: Any

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one.

        Raises:
          NotImplementedError: a subclass has arguments that are no plain values, and no `get_config` of its own.
        """
        base = {
            "name": self.name,
            "trainable": self.trainable,
            "dtype": serialize_keras_object(self.dtype_policy),
        }
        for cls in reversed(type(self).__mro__):
            for name in cls.__dict__.get("_config", ()):
                base[name] = _plain(name, getattr(self, name))
        if self._is_of_library() or type(self).get_config is not Configured.get_config:
            return base
        args, kwargs = self._init_arguments
        given = init_arguments(type(self), args, kwargs)
        base = {key: value for key, value in base.items() if key != "name" or "name" in given}
        for name, value in given.items():
            if not isinstance(value, (str, int, float, bool, list, tuple, dict, type(None))):
                raise NotImplementedError(
                    f"Object {type(self).__name__} was created by passing non-serializable argument values in "
                    f"`__init__()`, and therefore the object must override `get_config()` in order to be serializable. "
                    f"Argument `{name}` has the value {value!r}."
                )
        return {**given, **base}

    def _is_of_library(self) -> bool:
        own = type(self).__module__.startswith("gradtape._src.")
        return own or any(
            cls.__module__.startswith("gradtape._src.keras.layers.") for cls in type(self).__mro__
        )

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """The layer of `get_config`.

        Raises:
          TypeError: the configuration is not that of this class.
        """
        try:
            return cls(**config)
        except TypeError as error:
            raise TypeError(
                f"Error when deserializing class '{cls.__name__}' using config={config}.\n\nException encountered: "
                f"{error}"
            ) from error

    def get_build_config(self) -> Any:
        """What `build_from_config` needs; None before the layer is built."""
        return None if self._build_shape is None else {"input_shape": self._build_shape}

    def build_from_config(self, config: Any) -> None:
        """Makes the variables."""
        if config and not self.built and config.get("input_shape") is not None:
            self.build(map_shapes(ShapeTuple, config["input_shape"]))


def _plain(name: str, value: Any) -> Any:
    if name == "activation":
        return activations.serialize(value)
    return value if isinstance(value, (tuple, list, dict)) else serialize_keras_object(value)
