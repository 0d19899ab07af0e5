"""Layers without a family: `Lambda`, `Masking`, `Rescaling`, `Identity`, `InputLayer` and `Input`."""

from __future__ import annotations

import inspect
from typing import Any

from gradtape._src.api.casting import cast
from gradtape._src.api.comparison import not_equal
from gradtape._src.api.reduction import reduce_any
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.tensor_shape import as_shape_tuple
from gradtape._src.core.values import dtype_of
from gradtape._src.keras.keras_tensor import KerasTensor, Node
from gradtape._src.keras.layer import Layer
from gradtape._src.keras.serialization import deserialize_keras_object, serialize_keras_object
from gradtape._src.keras.settings import standardize_dtype
from gradtape._src.keras.signatures import CallSignature


class Identity(Layer):
    """The inputs as they are.

    >>> import gradtape as tf
    >>> tf.keras.layers.Identity()(tf.constant(3.0)).numpy()
    np.float32(3.0)
    """

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking = True

    def call(self, inputs):
        return inputs


class Lambda(Layer):
    """A function of tensors as a layer. Variables that it uses are not the layer's.

    Args:
      function: of the inputs; it may have arguments ``mask`` and ``training``.
      output_shape: of the outputs without the batch, or a function of the inputs' shape; found by itself otherwise.
      mask: of the outputs, or a function of the inputs and their mask.
      arguments: further arguments of the function, a dictionary.
      **kwargs: of `Layer`.

    >>> import gradtape as tf
    >>> tf.keras.layers.Lambda(lambda x: x ** 2)(tf.constant([3.0])).numpy()
    array([9.], dtype=float32)

    As Keras 3.
    """

    def __init__(self, function, output_shape=None, mask=None, arguments=None, **kwargs):
        super().__init__(**kwargs)
        self.function, self.arguments, self.mask = function, dict(arguments or {}), mask
        self._output_shape = output_shape
        self.supports_masking = mask is not None
        signature = CallSignature(_with_self(function))
        self._takes = tuple(name for name in ("training", "mask") if signature.has(name))

    def call(self, inputs, mask=None, training=None):
        given = {"mask": mask, "training": training}
        return self.function(inputs, **self.arguments, **{name: given[name] for name in self._takes})

    def compute_mask(self, inputs, previous_mask=None):
        return self.mask(inputs, previous_mask) if callable(self.mask) else self.mask

    def get_config(self):
        """The arguments that make a layer like this one; a function that has no name cannot be read back."""
        function = serialize_keras_object(self.function)
        return {**super().get_config(), "function": function, "arguments": dict(self.arguments)}

    @classmethod
    def from_config(cls, config):
        config = {**config, "function": deserialize_keras_object(config["function"])}
        return cls(**config)


def _with_self(function: Any) -> Any:
    """The function with one more argument in front, as a method has it."""

    def method(*args: Any, **kwargs: Any) -> Any:
        return function(*args[1:], **kwargs)

    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # written in C
        return lambda self, x: function(x)
    first = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    rest = [
        p.replace(kind=p.POSITIONAL_ONLY) if p.name == "self" else p for p in signature.parameters.values()
    ]
    method.__signature__ = signature.replace(parameters=[first, *rest])  # type: ignore[attr-defined]
    return method


class Masking(Layer):
    """Masks the steps of which all features are ``mask_value``, and sets them to 0.

    >>> import gradtape as tf
    >>> y = tf.keras.layers.Masking()(tf.constant([[[0.0, 0.0], [0.0, 1.0]]]))
    >>> y._keras_mask.numpy()
    array([[False,  True]])

    As Keras 3.
    """

    _config = ("mask_value",)

    def __init__(self, mask_value=0.0, **kwargs):
        super().__init__(**kwargs)
        self.mask_value, self.supports_masking = mask_value, True

    def call(self, inputs):
        there = reduce_any(not_equal(inputs, self.mask_value), axis=-1, keepdims=True)
        return inputs * cast(there, dtype_of(inputs))

    def compute_mask(self, inputs, previous_mask=None):
        return reduce_any(not_equal(inputs, self.mask_value), axis=-1)


class Rescaling(Layer):
    """x * scale + offset; integers become numbers of the layer's dtype.

    >>> import gradtape as tf
    >>> tf.keras.layers.Rescaling(0.5, offset=1)(tf.constant([2, 4])).numpy()
    array([2., 3.], dtype=float32)
    """

    _config = ("scale", "offset")

    def __init__(self, scale, offset=0.0, **kwargs):
        super().__init__(**kwargs)
        self.scale, self.offset, self.supports_masking = scale, offset, True

    def call(self, inputs):
        x = cast(inputs, self.compute_dtype)
        return x * as_tensor(self.scale, x.dtype) + as_tensor(self.offset, x.dtype)


class InputLayer(Layer):
    """What the inputs of a functional model come from. `tf.keras.Input` makes it.

    Args:
      shape: of an input without the batch.
      batch_size: of the batch, if it is to be fixed.
      dtype: of the input.
      batch_shape: the shape with the batch, in place of the first two.
      name: of the layer.
      **kwargs: Keras 2's spellings ``input_shape``, ``batch_input_shape``.
    """

    def __init__(
        self, shape=None, batch_size=None, dtype=None, sparse=None, ragged=None, batch_shape=None,
        input_tensor=None, optional=False, name=None, **kwargs,
    ):  # fmt: skip
        if input_tensor is not None and batch_shape is None and shape is None:
            batch_shape, dtype = tuple(input_tensor.shape), dtype or input_tensor.dtype
        shape = kwargs.pop("input_shape", shape)
        batch_shape = kwargs.pop("batch_input_shape", batch_shape)
        super().__init__(name=name, dtype=None, **kwargs)
        if batch_shape is None:
            if shape is None:
                raise ValueError("You must pass a `shape` argument.")
            batch_shape = (batch_size, *((shape,) if isinstance(shape, int) else as_shape_tuple(shape) or ()))
        self.batch_shape, self._input_dtype = tuple(batch_shape), standardize_dtype(dtype)
        self.optional, self.built = optional, True
        self.__dict__["_cast_to"] = None
        output = KerasTensor(self.batch_shape, self._input_dtype, name=self.name)
        Node(self, (), {}, [output])

    @property
    def dtype(self):
        """The dtype of the input."""
        return self._input_dtype

    def call(self, *args):
        return args[0] if args else None

    def get_config(self):
        """The arguments that make a layer like this one."""
        return {
            "batch_shape": self.batch_shape,
            "dtype": self._input_dtype,
            "sparse": False,
            "ragged": False,
            "name": self.name,
            "optional": self.optional,
        }


def Input(
    shape=None, batch_size=None, dtype=None, sparse=None, ragged=None, batch_shape=None, name=None, tensor=None,
    optional=False, **kwargs,
):  # fmt: skip
    """An input of a functional model: the description of a tensor, of which layers make others.

    Args:
      shape: of an input without the batch; None in it for any size.
      batch_size: of the batch, if it is to be fixed.
      dtype: of the input; that of `tf.keras.backend.floatx` by default.
      batch_shape: the shape with the batch, in place of the first two.
      name: of the input.
      tensor: a description that exists already.
      sparse, ragged, optional: without effect.

    >>> import gradtape as tf
    >>> x = tf.keras.Input((3,))
    >>> y = tf.keras.layers.Dense(2)(x)
    >>> tf.keras.Model(x, y)(tf.ones([5, 3])).shape
    TensorShape([5, 2])

    As Keras 3.
    """
    if isinstance(tensor, KerasTensor):
        return tensor
    layer = InputLayer(
        shape, batch_size, dtype, sparse, ragged, batch_shape, tensor, optional, name, **kwargs
    )
    return layer._inbound_nodes[0].outputs[0]
