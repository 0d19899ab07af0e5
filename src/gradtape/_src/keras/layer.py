"""`Layer`: a function with variables. It makes them when it first sees the shape of its inputs.

`__call__` prepares a call: dtypes, masks, the argument ``training``, the variables. A layer that has been called
before on a plain tensor of the same shape and dtype has nothing to prepare, and goes the quick way.
"""

from __future__ import annotations

import warnings
from functools import wraps
from typing import Any

from gradtape._src.api.arrays import shape as shape_of_tensor
from gradtape._src.api.casting import cast
from gradtape._src.api.graphs import scope_of
from gradtape._src.core.context import current_interpreter
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, is_floating_np
from gradtape._src.core.nest import flatten, map_structure
from gradtape._src.core.values import EagerTensor, Tensor, dtype_of, shape_of
from gradtape._src.function.func_graph import init_scope
from gradtape._src.graph.ir import current_graph
from gradtape._src.keras import constraints, initializers, regularizers
from gradtape._src.keras.calls import Call, close_call, current_call, open_call, path_of
from gradtape._src.keras.configured import Configured
from gradtape._src.keras.dtype_policy import policy_of
from gradtape._src.keras.input_spec import check_inputs
from gradtape._src.keras.keras_tensor import KerasTensor, keras_tensors
from gradtape._src.keras.masking import hang_on, has_all_masks, mask_of, masks_of
from gradtape._src.keras.naming import auto_name, in_lower_case
from gradtape._src.keras.parts import Parts
from gradtape._src.keras.shapes import given_shape, is_of_numbers, map_shapes, shapes_of
from gradtape._src.keras.signatures import CallSignature, shape_arguments
from gradtape._src.keras.symbolic import called_on_descriptions, described
from gradtape._src.keras.tracking import structure
from gradtape._src.keras.weights import make_weight
from gradtape._src.ops.variables import Variable

_PREPARED, _WITH_CONTEXT = 1, 2  # kinds of quick calls


def _building(build: Any) -> Any:
    """A `build` that is executed once and outside of functions, under the layer's name."""

    @wraps(build)
    def wrapped(self: Any, *args: Any, **kwargs: Any) -> None:
        call = current_call()
        training = None if call is None else call.training
        with init_scope():
            token = open_call(Call(training, path_of(self), self))
            try:
                build(self, *args, **kwargs)
            finally:
                close_call(token)
        if args and not kwargs:
            self.__dict__["_build_shape"] = args[0]
        self._after_build()

    return wrapped


class Layer(Parts, Configured):
    """A function of tensors with variables: the base of all layers.

    A subclass makes its variables in ``build(input_shape)`` by `add_weight`, and computes in ``call(inputs)``. Layers
    and variables that are its attributes, also in lists and dictionaries, are found by themselves.

    Args:
      activity_regularizer: a function of the outputs, whose value becomes a loss.
      trainable: whether optimizers change its variables.
      dtype: of the variables and the computations, or a `DTypePolicy`.
      autocast: whether floating-point inputs are cast to the dtype.
      name: of the layer; by default its class's in lower case, with a number.
      input_shape, input_dim, batch_input_shape, batch_size: the shape of the inputs, for the first layer of a
        `Sequential`.
      weights: the initial values of its weights.

    >>> import gradtape as tf
    >>> class Linear(tf.keras.layers.Layer):
    ...     def __init__(self, units):
    ...         super().__init__()
    ...         self.units = units
    ...     def build(self, input_shape):
    ...         self.w = self.add_weight(shape=(input_shape[-1], self.units), initializer="ones", name="w")
    ...     def call(self, inputs):
    ...         return inputs @ self.w
    >>> layer = Linear(2)
    >>> print(layer(tf.constant([[1.0, 2.0, 3.0]])))
    tf.Tensor([[6. 6.]], shape=(1, 2), dtype=float32)
    >>> layer.w.path
    'linear/w'

    As Keras 3; the spellings of Keras 2 are taken too.
    """

    _home = "keras.layers"  # the public module of the classes of this library
    _shape_arguments: tuple[str, ...] = ()
    built: bool
    input_spec: Any
    supports_masking: bool
    activity_regularizer: Any
    autocast: bool
    _name: str
    _path: str | None
    _policy: Any
    _cast_to: Any
    _losses: list[Any]
    _inbound_nodes: list[Any]
    _given_shape: Any
    _initial_weights: Any
    _quick: int  # the kind of call that needs no preparation; 0: none
    _seen: Any  # shape and dtype of the input that was prepared last

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "call" in cls.__dict__:
            cls._signature = CallSignature(cls.__dict__["call"])
        if "build" in cls.__dict__:
            cls._shape_arguments = shape_arguments(cls.__dict__["build"])
            cls.build = _building(cls.__dict__["build"])

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        self = object.__new__(cls)
        self.__dict__.update(
            _tracked={}, _collected=None, _trainable=True, _losses=[], _inbound_nodes=[],
            _init_arguments=(args, kwargs), _quick=0, _seen=None, _build_shape=None, _path=None, _name="",
            built=False, input_spec=None,
        )  # fmt: skip
        return self

    def __init__(
        self,
        *,
        activity_regularizer: Any = None,
        trainable: bool = True,
        dtype: Any = None,
        autocast: bool = True,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        shape = given_shape(kwargs)
        initial_weights = kwargs.pop("weights", None)
        kwargs.pop("dynamic", None)
        if kwargs:
            raise ValueError(f"Unrecognized keyword arguments passed to {type(self).__name__}: {kwargs}")
        if name is not None and (not isinstance(name, str) or "/" in name):
            raise ValueError(
                f"Argument `name` must be a string and cannot contain character `/`. Received: name={name} (of type "
                f"{type(name)})"
            )
        policy = policy_of(dtype)
        compute = as_dtype(policy.compute_dtype)
        self.__dict__.update(
            _name=name or auto_name(in_lower_case(type(self).__name__)), _policy=policy, autocast=autocast,
            _cast_to=compute if autocast and compute.is_floating else None, _trainable=bool(trainable),
            _given_shape=shape, _initial_weights=initial_weights, stateful=False,
            supports_masking=type(self).compute_mask is not Layer.compute_mask,
            activity_regularizer=regularizers.get(activity_regularizer),
        )  # fmt: skip

    # --- What it is

    @property
    def name(self) -> str:
        """The name."""
        return self._name

    @name.setter
    def name(self, value: str) -> None:
        self.__dict__["_name"] = value

    @property
    def path(self) -> Any:
        """Its name after those of the layers around it, as its weights have it; None before it is built."""
        return self._path

    @property
    def dtype_policy(self) -> Any:
        """Its dtypes."""
        return self._policy

    @property
    def dtype(self) -> str:
        """The dtype of its variables."""
        return self._policy.variable_dtype

    variable_dtype = dtype

    @property
    def compute_dtype(self) -> str:
        """The dtype of its computations, which floating-point inputs are cast to."""
        return self._policy.compute_dtype

    @property
    def input_dtype(self) -> str:
        """The same as `compute_dtype`."""
        return self._policy.compute_dtype

    @property
    def input(self) -> Any:
        """The description of the inputs in the one functional model in which it is used."""
        inputs = self._only_node("input").inputs
        return inputs[0] if len(inputs) == 1 else inputs

    @property
    def output(self) -> Any:
        """The description of the outputs in the one functional model in which it is used."""
        outputs = self._only_node("output").outputs
        return outputs[0] if len(outputs) == 1 else outputs

    def _only_node(self, what: str) -> Any:
        if not self._inbound_nodes:
            raise AttributeError(
                f"The layer {self.name} has never been called and thus has no defined {what}."
            )
        if len(self._inbound_nodes) > 1:
            raise AttributeError(
                f"The layer {self.name} has multiple inbound nodes, hence the notion of '{what}' is ill-defined."
            )
        return self._inbound_nodes[0]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}, built={self.built}>"

    # --- For subclasses

    @_building
    def build(self, input_shape: Any) -> None:
        """Makes the variables, for inputs of this shape (a tuple; None for any size)."""
        self.built = True

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """The outputs."""
        raise NotImplementedError(f"Layer {type(self).__name__} does not have a `call` method implemented.")

    _signature = CallSignature(call)

    def compute_mask(self, inputs: Any, previous_mask: Any) -> Any:
        """The mask of the outputs: that of the inputs."""
        return previous_mask

    def add_weight(
        self,
        *args: Any,
        shape: Any = None,
        initializer: Any = None,
        dtype: Any = None,
        trainable: bool | None = True,
        autocast: bool = True,
        regularizer: Any = None,
        constraint: Any = None,
        aggregation: Any = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> Any:
        """A new variable of this layer.

        Args:
          shape: without unknown sizes; () by default.
          initializer: a function of shape and dtype, or its name; Glorot's for floating-point variables, else zeros.
          dtype: by default that of the layer.
          trainable: whether optimizers change it.
          regularizer: a function of the variable, whose value is among the `losses`.
          constraint: a function that optimizers apply to it after each step.
          name: of the variable. It may also be the first positional argument, and the shape the second.
          autocast: whether reads of it in calls give the dtype of the computations, if that is another one.
          aggregation: without effect.
        """
        named = bool(args) and (args[0] is None or isinstance(args[0], str))  # the order of Keras 2
        order = ("name", "shape", "dtype", "initializer") if named else ("shape", "initializer", "dtype")
        given: dict[str, Any] = dict(zip(order, args))
        shape, initializer = given.get("shape", shape), given.get("initializer", initializer)
        dtype, name = given.get("dtype", dtype), given.get("name", name)
        dtype = as_dtype(self.variable_dtype if dtype is None else dtype)
        shape = () if shape is None else (shape,) if isinstance(shape, int) else tuple(shape)
        if None in shape:
            raise ValueError(
                f"Shapes used to initialize variables must be fully-defined (no `None` dimensions). Received: "
                f"shape={shape} for variable path='{path_of(self)}{name}'"
            )
        if initializer is None:
            initializer = "glorot_uniform" if dtype.is_floating else "zeros"
        initialize = initializers.get(initializer)
        weight = make_weight(
            path_of(self) + (name or auto_name("variable")),
            lambda: initialize(shape, dtype=dtype),
            dtype,
            trainable=trainable is None or bool(trainable),
            constraint=constraints.get(constraint),
        )
        weight.regularizer = regularizers.get(regularizer)
        if autocast and self._autocasts and dtype.is_floating:
            weight._cast_to = as_dtype(self.compute_dtype)
        self._tracked[id(weight)] = weight
        structure.changes += 1
        if not self._trainable:
            weight.trainable = False
        return weight

    add_variable = add_weight

    def add_loss(self, loss: Any) -> None:
        """Adds a scalar, or a list of such, to the `losses` of the call that is running."""
        self._losses.extend(x() if callable(x) else x for x in flatten(loss) if x is not None)
        self.__dict__["_quick"] = 0

    @property
    def losses(self) -> list[Any]:
        """What `add_loss` got in the last call, and the regularizers of the trainable weights give now."""
        found = [loss for layer in self._flatten_layers() for loss in layer._losses]
        regularized = [w for w in self.trainable_weights if getattr(w, "regularizer", None) is not None]
        return found + [w.regularizer(w) for w in regularized]

    def _clear_losses(self) -> None:
        for layer in self._flatten_layers():
            if layer._losses:
                layer._losses.clear()

    # --- Calls

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The outputs; in the first call the variables are made."""
        if self._quick and len(args) == 1 and not kwargs:
            x = args[0]
            if (
                type(x) is EagerTensor
                and (x._data.shape, x._data.dtype) == self._seen
                and x._keras_mask is None
                and current_interpreter() is None
            ):
                return self.call(x) if self._quick is _PREPARED else self._call_with_context(x)
        if keras_tensors(args, kwargs):
            return called_on_descriptions(self, args, kwargs)
        return self._call_in_full(args, kwargs)

    def _call_with_context(self, x: Any) -> Any:
        """A call that needs no preparation, but to know whether it is for training."""
        outer, signature = current_call(), self._signature
        training = None if outer is None else outer.training
        if outer is None:
            self._clear_losses()
        if training is None:
            training = signature.training
        token = open_call(Call(training, path_of(self), self))
        try:
            return self.call(x, training=training) if signature.has_training else self.call(x)
        finally:
            close_call(token)

    def _call_in_full(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        outer = current_call()
        if outer is None:
            self._clear_losses()
        given, simple = args, len(args) == 1 and not kwargs
        signature = self._signature
        if args and type(args[0]) in (list, tuple) and is_of_numbers(args[0]):
            args = (as_tensor(args[0]), *args[1:])
        args, kwargs = map_structure(self._converted, (args, dict(kwargs)))
        if not (signature.has_training or signature.takes_any):
            said = kwargs.pop("training", None)
        else:
            said = signature.given("training", args, kwargs)
        bound = signature.bound(args, kwargs)
        inputs = next(iter(bound.values()), None)
        check_inputs(self.input_spec, inputs, self.name)
        training = said if said is not None else None if outer is None else outer.training
        training = signature.training if training is None else training
        token = open_call(Call(training, path_of(self), self))
        try:
            if not self.built:
                self._build_for(bound, inputs)
            if signature.has_training and said is None and "training" not in signature.names[: len(args)]:
                kwargs["training"] = training
            self._add_masks(signature, bound, kwargs, inputs)
            outputs = self._called(args, kwargs)
            self._regularize_and_mask(inputs, outputs, kwargs.get("mask"))
        finally:
            close_call(token)
        if simple:
            self._notice(given[0], args[0], outputs)
        return outputs

    def _called(self, args: Any, kwargs: Any) -> Any:
        if current_graph() is None:
            return self.call(*args, **kwargs)
        with scope_of(self.name):
            return self.call(*args, **kwargs)

    def _converted(self, x: Any) -> Any:
        """An argument as `call` gets it: arrays become tensors, floating-point ones of the layer's dtype."""
        if not isinstance(x, Tensor):
            if not (hasattr(x, "__array__") or isinstance(x, Variable)) or isinstance(x, type):
                return x
            x = as_tensor(x)
        if self._cast_to is not None and is_floating_np(dtype_of(x)) and dtype_of(x) != self._cast_to.np:
            mask, x = mask_of(x), cast(x, self._cast_to)
            if mask is not None:
                x._keras_mask = mask
        return x

    def _build_for(self, bound: dict[str, Any], inputs: Any) -> None:
        if self._shape_arguments:
            names = {name.removesuffix("_shape"): name for name in self._shape_arguments}
            shapes = {names[k]: shapes_of(v) for k, v in bound.items() if k in names and v is not None}
            self.build(**shapes)
        else:
            self.build(shapes_of(inputs))
        self.built = True

    def _after_build(self) -> None:
        """What is left to do when the variables are there."""
        self.__dict__["_path"] = path_of(self).removesuffix("/")
        self.built = True
        if not self._trainable:
            self.trainable = False
        if self._initial_weights is not None:
            values, self.__dict__["_initial_weights"] = self._initial_weights, None
            self.set_weights(values)

    def _add_masks(self, signature: CallSignature, bound: Any, kwargs: Any, inputs: Any) -> None:
        """Passes the masks of the inputs on, to a `call` that asks for them and was not given others."""
        if signature.has_mask and bound.get("mask") is None and (mask := masks_of(inputs)) is not None:
            if "mask" not in bound or "mask" in kwargs:
                kwargs["mask"] = mask
        for name, value in bound.items():
            wanted = f"{name}_mask"
            if signature.has(wanted) and bound.get(wanted) is None and (mask := masks_of(value)) is not None:
                kwargs[wanted] = mask

    def _regularize_activity(self, outputs: Any) -> None:
        """Adds the regularizer's value of the outputs, for each sample, to the losses."""
        if self.activity_regularizer is None:
            return
        for output in flatten(outputs):
            loss, shape = self.activity_regularizer(output), shape_of(output)
            if shape != ():
                n = shape[0] if shape else None
                loss = loss / (cast(shape_of_tensor(output)[0], loss.dtype) if n is None else n)
            self.add_loss(loss)

    def _regularize_and_mask(self, inputs: Any, outputs: Any, mask: Any) -> None:
        self._regularize_activity(outputs)
        previous = masks_of(inputs) if mask is None else mask
        if self.supports_masking:
            if not has_all_masks(outputs):
                hang_on(outputs, self.compute_mask(inputs, previous))
        elif previous is not None and not has_all_masks(outputs):
            warnings.warn(
                f"Layer '{self.name}' (of type {type(self).__name__}) was passed an input with a mask attached to it. "
                "However, this layer does not support masking and will therefore destroy the mask information. "
                "Downstream layers will not see the mask.",
                stacklevel=4,
            )

    @property
    def _autocasts(self) -> bool:
        """Whether computations are in another dtype than the weights."""
        return self.autocast and self.compute_dtype != self.variable_dtype

    def _notice(self, given: Any, x: Any, outputs: Any) -> None:
        """After a call that needed no preparation: the next one like it goes the quick way."""
        plain = type(given) is EagerTensor and given is x and current_interpreter() is None
        if not plain or self._losses or self.activity_regularizer is not None or mask_of(outputs) is not None:
            return
        with_context = self._signature.has_training or bool(self._layers) or self._autocasts
        self.__dict__["_seen"] = (x._data.shape, x._data.dtype)
        self.__dict__["_quick"] = _WITH_CONTEXT if with_context else _PREPARED

    # --- Descriptions

    def compute_output_spec(self, *args: Any, **kwargs: Any) -> Any:
        """The outputs for inputs that are KerasTensors: their descriptions."""
        if type(self).compute_output_shape is Layer.compute_output_shape:
            outputs = described(self, args, kwargs)
            self._clear_losses()
            return outputs
        bound = self._signature.bound(args, kwargs)
        inputs = next(iter(bound.values()), None)
        check_inputs(self.input_spec, inputs, self.name)
        if not self.built:
            self._build_for(bound, inputs)
        return _as_descriptions(self.compute_output_shape(shapes_of(inputs)), self.compute_dtype)

    def compute_output_shape(self, *args: Any, **kwargs: Any) -> Any:
        """The shape of the outputs for inputs of a shape (tuples; None for any size); builds the layer."""
        args, kwargs = map_shapes(lambda s: KerasTensor(s, self.compute_dtype), (args, kwargs))
        kwargs = {name.removesuffix("_shape"): value for name, value in kwargs.items()}
        outputs = described(self, args, kwargs)
        self._clear_losses()
        return map_structure(lambda x: shape_of(x), outputs)

    def symbolic_call(self, *args: Any, **kwargs: Any) -> Any:
        """The same as `compute_output_spec`."""
        return self.compute_output_spec(*args, **kwargs)


def _as_descriptions(shapes: Any, dtype: Any) -> Any:
    return map_shapes(lambda shape: KerasTensor(shape, dtype), shapes)
