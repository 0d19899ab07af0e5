"""`Bidirectional`: a recurrent layer that goes through its inputs both ways."""

from __future__ import annotations

from typing import Any

from gradtape._src.api.joining import concat
from gradtape._src.api.reordering import reverse
from gradtape._src.core.nest import is_nested
from gradtape._src.core.values import Tensor
from gradtape._src.keras.layer import Layer
from gradtape._src.keras.serialization import Family, deserialize_keras_object, serialize_keras_object

_MODES = ("sum", "mul", "ave", "concat", None)
_SHARED = ("stateful", "return_sequences", "return_state")


class Bidirectional(Layer):
    """Two recurrent layers, one from the first step to the last, the other from the last to the first.

    Args:
      layer: a recurrent layer. Both are made anew from its configuration.
      merge_mode: what is done with the two outputs, in the order of the inputs both: ``"concat"`` puts them side by
        side, ``"sum"``, ``"mul"`` and ``"ave"`` compute with them, None gives them both.
      weights: initial values, half of them for either layer.
      backward_layer: the second layer, if it is to be another one; it has ``go_backwards=True``.

    Call arguments:
      sequences, mask, training: as those of `RNN`.
      initial_state: the first states, those of the first layer before those of the second.

    Raises:
      ValueError: no layer, an unknown mode, or two layers that do not go together.

    >>> import gradtape as tf
    >>> layer = tf.keras.layers.Bidirectional(tf.keras.layers.GRU(3, return_sequences=True))
    >>> layer(tf.ones([2, 5, 1])).shape
    TensorShape([2, 5, 6])

    M. Schuster and K. Paliwal, "Bidirectional recurrent neural networks", IEEE Trans. Signal Processing 45(11), 1997.
    """

    def __init__(self, layer, merge_mode="concat", weights=None, backward_layer=None, **kwargs):
        for one in (layer, backward_layer):
            if not isinstance(one, Layer) and not (one is None and one is not layer):
                raise ValueError(f"Expected a `keras.layers.Layer` for `Bidirectional`. Received: {one}")
            missing = [n for n in ("go_backwards", *_SHARED) if one is not None and not hasattr(one, n)]
            if missing:
                raise ValueError(
                    f"`Bidirectional` needs a recurrent layer, or one that has {', '.join(missing)}. Received: {one}"
                )
        if merge_mode not in _MODES:
            raise ValueError(
                f'Invalid merge mode. Received: {merge_mode}. Merge mode should be one of {{"sum", "mul", "ave", '
                f'"concat", None}}'
            )
        super().__init__(**kwargs)
        self.forward_layer = _copied(layer, "forward")
        self.backward_layer = (
            _copied(layer, "backward", go_backwards=not layer.go_backwards)
            if backward_layer is None
            else backward_layer
        )
        self._check_pair()
        for one in (self.forward_layer, self.backward_layer):
            if hasattr(one, "zero_output_for_mask"):
                one.zero_output_for_mask = one.return_sequences
        if weights:
            half = len(weights) // 2
            self.forward_layer.__dict__["_initial_weights"] = weights[:half]
            self.backward_layer.__dict__["_initial_weights"] = weights[half:]
        self.merge_mode = merge_mode
        self.stateful, self.return_sequences, self.return_state = (getattr(layer, name) for name in _SHARED)
        self.supports_masking = True
        self.input_spec = layer.input_spec

    def _check_pair(self) -> None:
        forward, backward = self.forward_layer, self.backward_layer
        if forward.go_backwards == backward.go_backwards:
            raise ValueError(
                "Forward layer and backward layer should have different `go_backwards` value. Received: "
                f"forward_layer.go_backwards {forward.go_backwards}, backward_layer.go_backwards="
                f"{backward.go_backwards}"
            )
        for name in _SHARED:
            if getattr(forward, name) != getattr(backward, name):
                raise ValueError(
                    "Forward layer and backward layer are expected to have the same value for attribute "
                    f'"{name}", got "{getattr(forward, name)}" for forward layer and "{getattr(backward, name)}" for '
                    "backward layer"
                )

    def build(self, sequences_shape, initial_state_shape=None):
        self.__dict__["_build_shape"] = sequences_shape
        for layer in (self.forward_layer, self.backward_layer):
            if not layer.built:
                layer.build(sequences_shape)

    def __call__(self, sequences, *args, **kwargs):
        if isinstance(sequences, (list, tuple)) and len(sequences) > 1 and hasattr(sequences[0], "shape"):
            sequences, *states = sequences
            kwargs = {"initial_state": states, **kwargs}
        return super().__call__(sequences, *args, **kwargs)

    def call(self, sequences, initial_state=None, mask=None, training=None):
        forward_state = backward_state = None
        if initial_state is not None:
            half = len(initial_state) // 2
            forward_state, backward_state = initial_state[:half], initial_state[half:]
        options = {"mask": mask, "training": training}
        y = self.forward_layer(sequences, initial_state=forward_state, **options)
        back = self.backward_layer(sequences, initial_state=backward_state, **options)
        states: tuple[Any, ...] = ()
        if self.return_state:
            states = (*y[1:], *back[1:])
            y, back = y[0], back[0]
        if self.return_sequences:
            back = reverse(back, [0 if getattr(self.forward_layer, "time_major", False) else 1])
        output = self._merged(y, back)
        if not self.return_state:
            return output
        return (*output, *states) if self.merge_mode is None else (output, *states)

    def _merged(self, y: Any, back: Any) -> Any:
        if self.merge_mode is None:
            return y, back
        if self.merge_mode == "concat":
            return concat([y, back], -1)
        if self.merge_mode == "mul":
            return y * back
        return y + back if self.merge_mode == "sum" else (y + back) / 2

    def compute_mask(self, inputs, previous_mask):
        mask = previous_mask[0] if is_nested(previous_mask) else previous_mask
        mask = mask if self.return_sequences else None
        of_outputs = [mask, mask] if self.merge_mode is None else [mask]
        if self.return_state:
            of_outputs += [None] * (len(self.forward_layer.state_size) + len(self.backward_layer.state_size))
        return of_outputs if len(of_outputs) > 1 else mask

    # --- States and configuration

    @property
    def states(self):
        """The states that are kept, of both layers; None if there are none."""
        forward, backward = self.forward_layer.states, self.backward_layer.states
        return (*forward, *backward) if forward and backward else None

    def reset_state(self):
        """Sets the states that are kept to zero."""
        if not self.stateful:
            raise AttributeError("Layer must be stateful.")
        self.forward_layer.reset_state()
        self.backward_layer.reset_state()

    reset_states = reset_state

    def get_config(self):
        return {
            **super().get_config(),
            "merge_mode": self.merge_mode,
            "layer": serialize_keras_object(self.forward_layer),
            "backward_layer": serialize_keras_object(self.backward_layer),
        }

    @classmethod
    def from_config(cls, config, custom_objects=None):
        layers = {
            name: deserialize_keras_object(config[name], custom_objects)
            for name in ("layer", "backward_layer")
            if config.get(name) is not None
        }
        return cls(**{**config, **layers})


def _copied(layer: Any, way: str, **changes: Any) -> Any:
    """A layer of the same configuration, named after its way."""
    config = serialize_keras_object(layer)
    name = layer.name.removeprefix(f"{way}_")
    config["config"] = {**config["config"], "name": f"{way}_{name}", **changes}
    config.pop("build_config", None)
    return deserialize_keras_object(config, {type(layer).__name__: type(layer)})


Family("layer", "keras.layers", [Bidirectional])
