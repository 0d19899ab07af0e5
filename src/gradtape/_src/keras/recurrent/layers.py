"""`SimpleRNN`, `GRU`, `LSTM`: layers of one of Keras's own cells."""

from __future__ import annotations

from typing import Any

from gradtape._src.keras import regularizers
from gradtape._src.keras.input_spec import InputSpec
from gradtape._src.keras.naming import in_lower_case
from gradtape._src.keras.recurrent.cells import GRUCell, LSTMCell, RecurrentCell, SimpleRNNCell
from gradtape._src.keras.recurrent.rnn import RNN
from gradtape._src.keras.serialization import Family


def _of_cell(name: str) -> Any:
    return property(lambda self: getattr(self.cell, name), doc=f"The argument `{name}`.")


class _OneCell(RNN):
    """A layer whose arguments are those of its cell and those of `RNN`."""

    cell: RecurrentCell
    _cell_type: type[RecurrentCell]

    def __init__(self, of_cell: dict[str, Any], **kwargs: Any) -> None:
        implementation = kwargs.pop("implementation", 2)
        kwargs.pop("use_cudnn", None)
        shared = {"dtype": kwargs.get("dtype"), "trainable": kwargs.get("trainable", True)}
        name = in_lower_case(self._cell_type.__name__)
        cell = self._cell_type(**of_cell, **shared, implementation=implementation, name=name)
        super().__init__(cell, **kwargs)
        self.input_spec = InputSpec(ndim=3)

    units, activation, use_bias = _of_cell("units"), _of_cell("activation"), _of_cell("use_bias")
    kernel_initializer = _of_cell("kernel_initializer")
    recurrent_initializer = _of_cell("recurrent_initializer")
    bias_initializer = _of_cell("bias_initializer")
    kernel_regularizer = _of_cell("kernel_regularizer")
    recurrent_regularizer = _of_cell("recurrent_regularizer")
    bias_regularizer = _of_cell("bias_regularizer")
    kernel_constraint = _of_cell("kernel_constraint")
    recurrent_constraint = _of_cell("recurrent_constraint")
    bias_constraint = _of_cell("bias_constraint")
    dropout, recurrent_dropout = _of_cell("dropout"), _of_cell("recurrent_dropout")

    def get_config(self):
        config = {**self._options(), **self.cell.arguments()}
        return {**config, "activity_regularizer": regularizers.serialize(self.activity_regularizer)}

    @classmethod
    def from_config(cls, config, custom_objects=None):
        return cls(**config)


class SimpleRNN(_OneCell):
    """A simple recurrent layer: ``h[t] = tanh(x[t] · W + h[t-1] · U + b)``.

    Args: those of `SimpleRNNCell` and of `RNN`.

    >>> import gradtape as tf
    >>> layer = tf.keras.layers.SimpleRNN(4, return_sequences=True)
    >>> layer(tf.ones([2, 5, 3])).shape
    TensorShape([2, 5, 4])

    As Keras 3.
    """

    _cell_type = SimpleRNNCell

    def __init__(
        self,
        units,
        activation="tanh",
        use_bias=True,
        kernel_initializer="glorot_uniform",
        recurrent_initializer="orthogonal",
        bias_initializer="zeros",
        kernel_regularizer=None,
        recurrent_regularizer=None,
        bias_regularizer=None,
        activity_regularizer=None,
        kernel_constraint=None,
        recurrent_constraint=None,
        bias_constraint=None,
        dropout=0.0,
        recurrent_dropout=0.0,
        return_sequences=False,
        return_state=False,
        go_backwards=False,
        stateful=False,
        unroll=False,
        seed=None,
        **kwargs,
    ):
        of_cell = {
            "units": units,
            "activation": activation,
            "use_bias": use_bias,
            "kernel_initializer": kernel_initializer,
            "recurrent_initializer": recurrent_initializer,
            "bias_initializer": bias_initializer,
            "kernel_regularizer": kernel_regularizer,
            "recurrent_regularizer": recurrent_regularizer,
            "bias_regularizer": bias_regularizer,
            "kernel_constraint": kernel_constraint,
            "recurrent_constraint": recurrent_constraint,
            "bias_constraint": bias_constraint,
            "dropout": dropout,
            "recurrent_dropout": recurrent_dropout,
            "seed": seed,
        }
        super().__init__(
            of_cell,
            activity_regularizer=activity_regularizer,
            return_sequences=return_sequences,
            return_state=return_state,
            go_backwards=go_backwards,
            stateful=stateful,
            unroll=unroll,
            **kwargs,
        )


class GRU(_OneCell):
    """A layer of gated recurrent units; see `GRUCell` for what a step computes.

    All steps run as one operation with a gradient of its own, which may be differentiated again; unless another
    activation than tanh or sigmoid, ``reset_after=False`` or dropout of the states while training asks for each step to
    be computed apart. The results are the same.

    Args: those of `GRUCell` and of `RNN`.

    >>> import gradtape as tf
    >>> layer = tf.keras.layers.GRU(4, return_state=True)
    >>> y, h = layer(tf.ones([2, 5, 3]))
    >>> y.shape, bool(tf.reduce_all(y == h))
    (TensorShape([2, 4]), True)

    As Keras 3.
    """

    _cell_type = GRUCell
    recurrent_activation = _of_cell("recurrent_activation")
    reset_after = _of_cell("reset_after")

    def __init__(
        self,
        units,
        activation="tanh",
        recurrent_activation="sigmoid",
        use_bias=True,
        kernel_initializer="glorot_uniform",
        recurrent_initializer="orthogonal",
        bias_initializer="zeros",
        kernel_regularizer=None,
        recurrent_regularizer=None,
        bias_regularizer=None,
        activity_regularizer=None,
        kernel_constraint=None,
        recurrent_constraint=None,
        bias_constraint=None,
        dropout=0.0,
        recurrent_dropout=0.0,
        seed=None,
        return_sequences=False,
        return_state=False,
        go_backwards=False,
        stateful=False,
        unroll=False,
        reset_after=True,
        use_cudnn="auto",
        **kwargs,
    ):
        of_cell = {
            "units": units,
            "activation": activation,
            "recurrent_activation": recurrent_activation,
            "use_bias": use_bias,
            "kernel_initializer": kernel_initializer,
            "recurrent_initializer": recurrent_initializer,
            "bias_initializer": bias_initializer,
            "kernel_regularizer": kernel_regularizer,
            "recurrent_regularizer": recurrent_regularizer,
            "bias_regularizer": bias_regularizer,
            "kernel_constraint": kernel_constraint,
            "recurrent_constraint": recurrent_constraint,
            "bias_constraint": bias_constraint,
            "dropout": dropout,
            "recurrent_dropout": recurrent_dropout,
            "reset_after": reset_after,
            "seed": seed,
        }
        super().__init__(
            of_cell,
            activity_regularizer=activity_regularizer,
            return_sequences=return_sequences,
            return_state=return_state,
            go_backwards=go_backwards,
            stateful=stateful,
            unroll=unroll,
            **kwargs,
        )


class LSTM(_OneCell):
    """A layer of long short-term memories; see `LSTMCell` for what a step computes, and `GRU` for how.

    Args: those of `LSTMCell` and of `RNN`.

    >>> import gradtape as tf
    >>> layer = tf.keras.layers.LSTM(4, return_sequences=True, return_state=True)
    >>> y, h, s = layer(tf.ones([2, 5, 3]))
    >>> y.shape, h.shape, s.shape
    (TensorShape([2, 5, 4]), TensorShape([2, 4]), TensorShape([2, 4]))

    As Keras 3.
    """

    _cell_type = LSTMCell
    recurrent_activation = _of_cell("recurrent_activation")
    unit_forget_bias = _of_cell("unit_forget_bias")

    def __init__(
        self,
        units,
        activation="tanh",
        recurrent_activation="sigmoid",
        use_bias=True,
        kernel_initializer="glorot_uniform",
        recurrent_initializer="orthogonal",
        bias_initializer="zeros",
        unit_forget_bias=True,
        kernel_regularizer=None,
        recurrent_regularizer=None,
        bias_regularizer=None,
        activity_regularizer=None,
        kernel_constraint=None,
        recurrent_constraint=None,
        bias_constraint=None,
        dropout=0.0,
        recurrent_dropout=0.0,
        seed=None,
        return_sequences=False,
        return_state=False,
        go_backwards=False,
        stateful=False,
        unroll=False,
        use_cudnn="auto",
        **kwargs,
    ):
        of_cell = {
            "units": units,
            "activation": activation,
            "recurrent_activation": recurrent_activation,
            "use_bias": use_bias,
            "kernel_initializer": kernel_initializer,
            "recurrent_initializer": recurrent_initializer,
            "bias_initializer": bias_initializer,
            "unit_forget_bias": unit_forget_bias,
            "kernel_regularizer": kernel_regularizer,
            "recurrent_regularizer": recurrent_regularizer,
            "bias_regularizer": bias_regularizer,
            "kernel_constraint": kernel_constraint,
            "recurrent_constraint": recurrent_constraint,
            "bias_constraint": bias_constraint,
            "dropout": dropout,
            "recurrent_dropout": recurrent_dropout,
            "seed": seed,
        }
        super().__init__(
            of_cell,
            activity_regularizer=activity_regularizer,
            return_sequences=return_sequences,
            return_state=return_state,
            go_backwards=go_backwards,
            stateful=stateful,
            unroll=unroll,
            **kwargs,
        )


Family("layer", "keras.layers", [SimpleRNN, GRU, LSTM])
