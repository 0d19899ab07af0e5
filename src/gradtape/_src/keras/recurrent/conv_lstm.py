"""`ConvLSTM1D`, `2D`, `3D`: long short-term memories whose products are convolutions."""

from __future__ import annotations

from typing import Any

from gradtape._src.api import creation
from gradtape._src.api.joining import split
from gradtape._src.api.nn_convolution import convolution
from gradtape._src.keras import regularizers
from gradtape._src.keras.input_spec import InputSpec
from gradtape._src.keras.layers.windows import checked_tuple
from gradtape._src.keras.recurrent.cells import LSTMCell
from gradtape._src.keras.recurrent.rnn import RNN
from gradtape._src.keras.serialization import Family


class _ConvLSTMCell(LSTMCell):
    """One step: that of `LSTMCell` with convolutions for the products; the state's keeps its size."""

    dropout_mask_count = 4
    draws_seed_first = True

    def __init__(self, rank, filters, kernel_size, strides=1, padding="valid", dilation_rate=1, **kwargs):
        super().__init__(filters, **kwargs)
        self.filters = filters
        self.kernel_size = checked_tuple(kernel_size, rank, "kernel_size")
        self.strides = checked_tuple(strides, rank, "strides")
        self.dilation_rate = checked_tuple(dilation_rate, rank, "dilation_rate")
        self.padding = padding.lower()
        if self.padding not in ("valid", "same"):
            raise ValueError(f'Expected padding "valid" or "same". Received: padding={padding}')

    def build(self, input_shape):
        columns = self.gates * self.units
        self.kernel = self._add("kernel", "kernel", (*self.kernel_size, input_shape[-1], columns))
        of_state = (*self.kernel_size, self.units, columns)
        self.recurrent_kernel = self._add("recurrent_kernel", "recurrent", of_state)
        if self.use_bias:
            self.bias = self._add("bias", "bias", (columns,))

    def call(self, inputs, states, training=False):
        h, s = states
        x = self._of_inputs(self._dropped(inputs, self.get_dropout_mask(inputs), training, self.dropout))
        parts = self._dropped(h, self.get_recurrent_dropout_mask(h), training, self.recurrent_dropout)
        kernels = split(self.in_use(self.recurrent_kernel), self.gates, -1)
        of_h = [convolution(part, kernel, padding="SAME") for part, kernel in zip(parts, kernels)]
        return self._updated([a + b for a, b in zip(x, of_h)], s)

    def _of_inputs(self, parts: list[Any]) -> list[Any]:
        kernels = split(self.in_use(self.kernel), self.gates, -1)
        how = {"strides": self.strides, "padding": self.padding.upper(), "dilations": self.dilation_rate}
        sums = [convolution(part, kernel, **how) for part, kernel in zip(parts, kernels)]
        if self.bias is None:
            return sums
        return [x + b for x, b in zip(sums, split(self.in_use(self.bias), self.gates, 0))]

    def first_states(self, inputs: Any) -> list[Any]:
        """Zeros of the shape of the output, from one step of the inputs."""
        zeros = creation.zeros_like(self._of_inputs([creation.zeros_like(inputs)] * self.gates)[0])
        return [zeros, zeros]

    def arguments(self) -> dict[str, Any]:
        found = super().arguments()
        del found["units"]
        names = ("filters", "kernel_size", "strides", "padding", "dilation_rate")
        return {**{name: getattr(self, name) for name in names}, **found}


class _ConvLSTM(RNN):
    """What the three have in common."""

    rank: int  # of what the convolutions go over

    _of_cell = (
        "activation", "recurrent_activation", "use_bias", "kernel_initializer", "recurrent_initializer",
        "bias_initializer", "unit_forget_bias", "kernel_regularizer", "recurrent_regularizer", "bias_regularizer",
        "kernel_constraint", "recurrent_constraint", "bias_constraint", "dropout", "recurrent_dropout", "seed",
    )  # fmt: skip

    def __init__(
        self,
        filters,
        kernel_size,
        strides=1,
        padding="valid",
        data_format=None,
        dilation_rate=1,
        activity_regularizer=None,
        return_sequences=False,
        return_state=False,
        go_backwards=False,
        stateful=False,
        **kwargs,
    ):
        if data_format not in (None, "channels_last"):
            raise ValueError(f'Expected data_format "channels_last" or None. Received: {data_format}')
        shared = {"dtype": kwargs.get("dtype"), "trainable": kwargs.get("trainable", True)}
        of_cell = {name: kwargs.pop(name) for name in self._of_cell if name in kwargs}
        cell = _ConvLSTMCell(
            self.rank,
            filters,
            kernel_size,
            strides,
            padding,
            dilation_rate,
            name="conv_lstm_cell",
            **of_cell,
            **shared,
        )
        super().__init__(
            cell,
            return_sequences=return_sequences,
            return_state=return_state,
            go_backwards=go_backwards,
            stateful=stateful,
            activity_regularizer=activity_regularizer,
            **kwargs,
        )
        self.input_spec = InputSpec(ndim=3 + self.rank)

    def _first_states(self, sequences: Any, initial_state: Any) -> list[Any]:
        if initial_state is None and not self.stateful:
            return self.cell.first_states(sequences[0] if self.time_major else sequences[:, 0])
        return super()._first_states(sequences, initial_state)

    def get_config(self):
        config = {**self._options(), **self.cell.arguments(), "data_format": "channels_last"}
        return {**config, "activity_regularizer": regularizers.serialize(self.activity_regularizer)}

    @classmethod
    def from_config(cls, config, custom_objects=None):
        return cls(**config)


class ConvLSTM2D(_ConvLSTM):
    """A long short-term memory of images: `LSTM` with convolutions for the products (Shi et al., NeurIPS 2015).

    The inputs are (batch, time, height, width, channels); the states are images like the outputs.

    Args:
      filters: the channels of the outputs.
      kernel_size: of both kernels: an integer or two.
      strides, padding, dilation_rate: of the convolution of the inputs; that of the state keeps its size.
      data_format: ``"channels_last"`` or None.
      activity_regularizer: of the outputs.
      return_sequences, return_state, go_backwards, stateful: as those of `RNN`.
      kwargs: the other arguments of `LSTMCell` and of `RNN`.

    >>> import gradtape as tf
    >>> layer = tf.keras.layers.ConvLSTM2D(3, 2, return_sequences=True)
    >>> layer(tf.ones([1, 4, 6, 5, 2])).shape
    TensorShape([1, 4, 5, 4, 3])

    As Keras 3.
    """

    rank = 2


class ConvLSTM1D(_ConvLSTM):
    """A long short-term memory of rows (batch, time, steps, channels); see `ConvLSTM2D`.

    >>> import gradtape as tf
    >>> tf.keras.layers.ConvLSTM1D(3, 2)(tf.ones([1, 4, 6, 2])).shape
    TensorShape([1, 5, 3])
    """

    rank = 1


class ConvLSTM3D(_ConvLSTM):
    """A long short-term memory of volumes (batch, time, depth, height, width, channels); see `ConvLSTM2D`.

    >>> import gradtape as tf
    >>> tf.keras.layers.ConvLSTM3D(3, 2)(tf.ones([1, 2, 3, 3, 3, 2])).shape
    TensorShape([1, 2, 2, 2, 3])
    """

    rank = 3


Family("layer", "keras.layers", [ConvLSTM1D, ConvLSTM2D, ConvLSTM3D])
