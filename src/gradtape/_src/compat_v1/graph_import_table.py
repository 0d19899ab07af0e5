"""What each kind of node of a `GraphDef` means: a function of its inputs, its attributes and its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradtape._src.api import (
    arithmetic,
    arrays,
    casting,
    comparison,
    creation,
    elementwise,
    gathering,
    indexing,
    joining,
    nn_activations,
    nn_convolution,
    nn_losses,
    nn_normalization,
    nn_pooling,
    products,
    reduction,
    reordering,
    selection,
    special,
)
from gradtape._src.compat_v1.placeholders import placeholder
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype
from gradtape._src.core.tensor_shape import TensorShape
from gradtape._src.graph.ir import const, current_graph, no_op
from gradtape._src.graph.tensor_messages import array_of


class Known:
    """A constant: the tensor, and its value, which may be an axis or a shape."""

    def __init__(self, tensor: Any, value: np.ndarray) -> None:
        self.tensor, self.value = tensor, value


def tensor(x: Any) -> Any:
    """An input as a tensor."""
    return x.tensor if isinstance(x, Known) else x


def number(x: Any) -> Any:
    """An input that says how: a number or a list of them, if it is known."""
    return x.value.tolist() if isinstance(x, Known) else x


class Attributes:
    """The attributes of a node, with defaults."""

    def __init__(self, node: Any) -> None:
        self._node = node

    def __contains__(self, name: str) -> bool:
        return name in self._node.attr

    def flag(self, name: str, default: bool = False) -> bool:
        return self._node.attr[name].b if name in self else default

    def integer(self, name: str, default: int = 0) -> int:
        return self._node.attr[name].i if name in self else default

    def real(self, name: str, default: float = 0.0) -> float:
        return self._node.attr[name].f if name in self else default

    def text(self, name: str, default: str = "") -> str:
        return self._node.attr[name].s.decode() if name in self else default

    def integers(self, name: str, default: Sequence[int] = ()) -> list[int]:
        return list(self._node.attr[name].list.i) if name in self else list(default)

    def dtype(self, name: str, default: Any = "float32") -> Any:
        return as_dtype(self._node.attr[name].type) if name in self else as_dtype(default)

    def shape(self, name: str = "shape") -> Any:
        if name not in self or self._node.attr[name].shape.unknown_rank:
            return None
        return [None if dim.size < 0 else dim.size for dim in self._node.attr[name].shape.dim]


Import = Callable[[list[Any], Attributes, str], Any]
TABLE: dict[str, Import] = {}


def _plain(**functions: Callable[..., Any]) -> None:
    """Kinds whose inputs are tensors, and which have no attributes that matter."""

    def row(function: Callable[..., Any]) -> Import:
        return lambda inputs, attributes, name: function(*map(tensor, inputs), name=name)

    TABLE.update({kind: row(function) for kind, function in functions.items()})


_plain(
    Abs=elementwise.abs,
    Add=arithmetic.add,
    AddV2=arithmetic.add,
    Ceil=elementwise.ceil,
    Cos=elementwise.cos,
    Elu=nn_activations.elu,
    Equal=comparison.equal,
    Erf=special.erf,
    Exp=elementwise.exp,
    Expm1=elementwise.expm1,
    Floor=elementwise.floor,
    Greater=comparison.greater,
    GreaterEqual=comparison.greater_equal,
    Identity=arrays.identity,
    Less=comparison.less,
    LessEqual=comparison.less_equal,
    Log=elementwise.log,
    Log1p=elementwise.log1p,
    LogSoftmax=lambda x, name: nn_losses.log_softmax(x, name=name),
    LogicalAnd=comparison.logical_and,
    LogicalNot=comparison.logical_not,
    LogicalOr=comparison.logical_or,
    Maximum=arithmetic.maximum,
    Minimum=arithmetic.minimum,
    Mul=arithmetic.multiply,
    Neg=arithmetic.negative,
    NotEqual=comparison.not_equal,
    OnesLike=lambda x, name: creation.ones_like(x, name=name),
    PlaceholderWithDefault=arrays.identity,
    Pow=arithmetic.pow,
    RealDiv=arithmetic.divide,
    Relu=nn_activations.relu,
    Relu6=nn_activations.relu6,
    Round=elementwise.round,
    Rsqrt=elementwise.rsqrt,
    Select=selection.where,
    SelectV2=selection.where,
    Selu=nn_activations.selu,
    Sigmoid=elementwise.sigmoid,
    Sign=elementwise.sign,
    Sin=elementwise.sin,
    Softmax=lambda x, name: nn_losses.softmax(x, name=name),
    Softplus=elementwise.softplus,
    Softsign=elementwise.softsign,
    Sqrt=elementwise.sqrt,
    Square=arithmetic.square,
    SquaredDifference=arithmetic.squared_difference,
    StopGradient=arrays.identity,
    Sub=arithmetic.subtract,
    Tanh=elementwise.tanh,
    ZerosLike=lambda x, name: creation.zeros_like(x, name=name),
)


def _row(*kinds: str) -> Callable[[Import], Import]:
    def add(function: Import) -> Import:
        TABLE.update(dict.fromkeys(kinds, function))
        return function

    return add


# --- Where values come from ---------------------------------------------------------------------------------


@_row("Const")
def _const(inputs, attributes, name):
    graph: Any = current_graph()
    return graph.apply(const, (), {"value": array_of(attributes._node.attr["value"].tensor)}, name)


@_row("Placeholder")
def _placeholder(inputs, attributes, name):
    return placeholder(attributes.dtype("dtype"), attributes.shape(), name)


@_row("NoOp")
def _no_op(inputs, attributes, name):
    graph: Any = current_graph()
    graph.append(no_op, (), {}, name)
    return []


# --- Products and layers ------------------------------------------------------------------------------------


@_row("MatMul", "BatchMatMul", "BatchMatMulV2")
def _matmul(inputs, attributes, name):
    here = {
        "transpose_a": "transpose_a",
        "transpose_b": "transpose_b",
        "adj_x": "adjoint_a",
        "adj_y": "adjoint_b",
    }
    turned = {argument: attributes.flag(attribute) for attribute, argument in here.items()}
    return products.matmul(tensor(inputs[0]), tensor(inputs[1]), **turned, name=name)


@_row("BiasAdd")
def _bias_add(inputs, attributes, name):
    form = attributes.text("data_format", "NHWC")
    return nn_activations.bias_add(tensor(inputs[0]), tensor(inputs[1]), form, name=name)


@_row("Conv2D", "DepthwiseConv2dNative")
def _conv2d(inputs, attributes, name):
    form = attributes.text("data_format", "NHWC")
    padding: Any = attributes.text("padding")
    if padding == "EXPLICIT":
        ends = attributes.integers("explicit_paddings")
        padding = [ends[i : i + 2] for i in range(0, 8, 2)]
    dilations = attributes.integers("dilations", [1, 1, 1, 1])
    args = (tensor(inputs[0]), tensor(inputs[1]), attributes.integers("strides"), padding, form)
    if attributes._node.op == "Conv2D":
        return nn_convolution.conv2d(*args, dilations, name=name)
    spatial = dilations[1:3] if form == "NHWC" else dilations[2:]
    return nn_convolution.depthwise_conv2d(*args, spatial, name=name)


@_row("MaxPool", "AvgPool")
def _pool(inputs, attributes, name):
    function = nn_pooling.max_pool2d if attributes._node.op == "MaxPool" else nn_pooling.avg_pool2d
    form = attributes.text("data_format", "NHWC")
    sizes, strides = attributes.integers("ksize"), attributes.integers("strides")
    return function(tensor(inputs[0]), sizes, strides, attributes.text("padding"), form, name=name)


@_row("LRN")
def _lrn(inputs, attributes, name):
    return nn_normalization.local_response_normalization(
        tensor(inputs[0]),
        attributes.integer("depth_radius", 5),
        attributes.real("bias", 1.0),
        attributes.real("alpha", 1.0),
        attributes.real("beta", 0.5),
        name=name,
    )


@_row("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3", "BatchNormWithGlobalNormalization")
def _batch_norm(inputs, attributes, name):
    x, *rest = map(tensor, inputs)
    if attributes._node.op == "BatchNormWithGlobalNormalization":
        mean, variance, offset, scale = rest
        scale = scale if attributes.flag("scale_after_normalization") else None
        epsilon = attributes.real("variance_epsilon")
    else:
        scale, offset, mean, variance = rest
        epsilon = attributes.real("epsilon", 1e-4)
        if attributes.flag("is_training", True):
            axes = [0, 1, 2] if attributes.text("data_format", "NHWC") == "NHWC" else [0, 2, 3]
            mean, variance = nn_normalization.moments(x, axes)
    if attributes.text("data_format", "NHWC") == "NCHW":
        mean, variance, offset, scale = (
            p if p is None else arrays.reshape(p, [1, -1, 1, 1]) for p in (mean, variance, offset, scale)
        )
    return nn_normalization.batch_normalization(x, mean, variance, offset, scale, epsilon, name)


@_row("LeakyRelu")
def _leaky_relu(inputs, attributes, name):
    return nn_activations.leaky_relu(tensor(inputs[0]), attributes.real("alpha", 0.2), name=name)


@_row("AddN")
def _add_n(inputs, attributes, name):
    return arithmetic.add_n([tensor(x) for x in inputs], name=name)


@_row("CheckNumerics")
def _check_numerics(inputs, attributes, name):
    return arrays.identity(tensor(inputs[0]), name)


# --- Reductions ---------------------------------------------------------------------------------------------


@_row("Mean", "Sum", "Max", "Min", "Prod", "All", "Any")
def _reduce(inputs, attributes, name):
    function = getattr(reduction, f"reduce_{attributes._node.op.lower()}")
    keep = attributes.flag("keep_dims") or attributes.flag("keepdims")
    return function(tensor(inputs[0]), number(inputs[1]), keep, name=name)


@_row("ArgMax", "ArgMin")
def _arg(inputs, attributes, name):
    function = reduction.argmax if attributes._node.op == "ArgMax" else reduction.argmin
    return function(tensor(inputs[0]), number(inputs[1]), attributes.dtype("output_type", "int64"), name=name)


# --- Forms --------------------------------------------------------------------------------------------------


@_row("Reshape")
def _reshape(inputs, attributes, name):
    return arrays.reshape(tensor(inputs[0]), number(inputs[1]), name=name)


@_row("Squeeze")
def _squeeze(inputs, attributes, name):
    axes = attributes.integers("squeeze_dims") or attributes.integers("axis") or None
    return arrays.squeeze(tensor(inputs[0]), axes, name=name)


@_row("ExpandDims")
def _expand_dims(inputs, attributes, name):
    return arrays.expand_dims(tensor(inputs[0]), number(inputs[1]), name=name)


@_row("Concat", "ConcatV2")
def _concat(inputs, attributes, name):
    parts, axis = (inputs[1:], inputs[0]) if attributes._node.op == "Concat" else (inputs[:-1], inputs[-1])
    return joining.concat([tensor(x) for x in parts], number(axis), name=name)


@_row("Pack")
def _pack(inputs, attributes, name):
    return joining.stack([tensor(x) for x in inputs], attributes.integer("axis"), name=name)


@_row("Split", "SplitV")
def _split(inputs, attributes, name):
    if attributes._node.op == "Split":
        return joining.split(tensor(inputs[1]), attributes.integer("num_split"), number(inputs[0]), name=name)
    return joining.split(tensor(inputs[0]), number(inputs[1]), number(inputs[2]), name=name)


@_row("Transpose")
def _transpose(inputs, attributes, name):
    return reordering.transpose(tensor(inputs[0]), number(inputs[1]), name=name)


@_row("Pad", "PadV2", "MirrorPad")
def _pad(inputs, attributes, name):
    mode = attributes.text("mode", "CONSTANT")
    value = number(inputs[2]) if len(inputs) > 2 else 0
    return joining.pad(tensor(inputs[0]), number(inputs[1]), mode, value, name=name)


@_row("Tile")
def _tile(inputs, attributes, name):
    return joining.tile(tensor(inputs[0]), number(inputs[1]), name=name)


@_row("Cast")
def _cast(inputs, attributes, name):
    return casting.cast(tensor(inputs[0]), attributes.dtype("DstT"), name=name)


@_row("Shape")
def _shape(inputs, attributes, name):
    return arrays.shape(tensor(inputs[0]), attributes.dtype("out_type", "int32"), name=name)


@_row("Fill")
def _fill(inputs, attributes, name):
    return creation.fill(number(inputs[0]), tensor(inputs[1]), name=name)


@_row("Range")
def _range(inputs, attributes, name):
    start, limit, delta = map(tensor, inputs)
    return creation.range(start, limit, delta, name=name)


@_row("Gather", "GatherV2")
def _gather(inputs, attributes, name):
    axis = number(inputs[2]) if len(inputs) > 2 else 0
    return gathering.gather(tensor(inputs[0]), tensor(inputs[1]), axis=axis, name=name)


@_row("Slice")
def _slice(inputs, attributes, name):
    return indexing.slice(tensor(inputs[0]), number(inputs[1]), number(inputs[2]), name=name)


@_row("StridedSlice")
def _strided_slice(inputs, attributes, name):
    masks = {
        mask: attributes.integer(mask)
        for mask in ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
    }
    begin, end, strides = map(number, inputs[1:])
    return indexing.strided_slice(tensor(inputs[0]), begin, end, strides, **masks, name=name)
