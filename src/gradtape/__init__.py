"""gradtape: gradients of ordinary Python programs that speak TensorFlow's language, on NumPy.

`import gradtape as tf`, or run an unchanged script with `gradtape run script.py`. This module and its
submodules only list public names; the code is in `gradtape._src`.
"""

from typing import TYPE_CHECKING

from gradtape import autodiff as autodiff
from gradtape import autograph as autograph
from gradtape import bitwise as bitwise
from gradtape import config as config
from gradtape import debugging as debugging
from gradtape import dtypes as dtypes
from gradtape import errors as errors
from gradtape import experimental as experimental
from gradtape import image as image
from gradtape import linalg as linalg
from gradtape import math as math
from gradtape import nest as nest
from gradtape import nn as nn
from gradtape import queue as queue
from gradtape import random as random
from gradtape import signal as signal
from gradtape import sparse as sparse
from gradtape._src.api.arithmetic import add as add
from gradtape._src.api.arithmetic import add_n as add_n
from gradtape._src.api.arithmetic import clip_by_value as clip_by_value
from gradtape._src.api.arithmetic import divide as divide
from gradtape._src.api.arithmetic import maximum as maximum
from gradtape._src.api.arithmetic import minimum as minimum
from gradtape._src.api.arithmetic import multiply as multiply
from gradtape._src.api.arithmetic import negative as negative
from gradtape._src.api.arithmetic import pow as pow
from gradtape._src.api.arithmetic import realdiv as realdiv
from gradtape._src.api.arithmetic import scalar_mul as scalar_mul
from gradtape._src.api.arithmetic import square as square
from gradtape._src.api.arithmetic import subtract as subtract
from gradtape._src.api.arithmetic import truediv as truediv
from gradtape._src.api.arithmetic import truncatediv as truncatediv
from gradtape._src.api.arithmetic import truncatemod as truncatemod
from gradtape._src.api.arrays import broadcast_dynamic_shape as broadcast_dynamic_shape
from gradtape._src.api.arrays import broadcast_to as broadcast_to
from gradtape._src.api.arrays import ensure_shape as ensure_shape
from gradtape._src.api.arrays import expand_dims as expand_dims
from gradtape._src.api.arrays import guarantee_const as guarantee_const
from gradtape._src.api.arrays import identity as identity
from gradtape._src.api.arrays import identity_n as identity_n
from gradtape._src.api.arrays import rank as rank
from gradtape._src.api.arrays import reshape as reshape
from gradtape._src.api.arrays import shape as shape
from gradtape._src.api.arrays import shape_n as shape_n
from gradtape._src.api.arrays import size as size
from gradtape._src.api.arrays import squeeze as squeeze
from gradtape._src.api.arrays import stop_gradient as stop_gradient
from gradtape._src.api.arrays import unravel_index as unravel_index
from gradtape._src.api.casting import bitcast as bitcast
from gradtape._src.api.casting import cast as cast
from gradtape._src.api.casting import saturate_cast as saturate_cast
from gradtape._src.api.clipping import clip_by_global_norm as clip_by_global_norm
from gradtape._src.api.clipping import clip_by_norm as clip_by_norm
from gradtape._src.api.clock import timestamp as timestamp
from gradtape._src.api.comparison import equal as equal
from gradtape._src.api.comparison import greater as greater
from gradtape._src.api.comparison import greater_equal as greater_equal
from gradtape._src.api.comparison import less as less
from gradtape._src.api.comparison import less_equal as less_equal
from gradtape._src.api.comparison import logical_and as logical_and
from gradtape._src.api.comparison import logical_not as logical_not
from gradtape._src.api.comparison import logical_or as logical_or
from gradtape._src.api.comparison import not_equal as not_equal
from gradtape._src.api.complex import complex as complex
from gradtape._src.api.counting import histogram_fixed_width as histogram_fixed_width
from gradtape._src.api.counting import histogram_fixed_width_bins as histogram_fixed_width_bins
from gradtape._src.api.counting import unique as unique
from gradtape._src.api.counting import unique_with_counts as unique_with_counts
from gradtape._src.api.creation import eye as eye
from gradtape._src.api.creation import fill as fill
from gradtape._src.api.creation import linspace as linspace
from gradtape._src.api.creation import ones as ones
from gradtape._src.api.creation import ones_like as ones_like
from gradtape._src.api.creation import range as range
from gradtape._src.api.creation import zeros as zeros
from gradtape._src.api.creation import zeros_like as zeros_like
from gradtape._src.api.cumulative import cumsum as cumsum
from gradtape._src.api.decompositions import eig as eig
from gradtape._src.api.decompositions import eigvals as eigvals
from gradtape._src.api.decompositions import sqrtm as matrix_square_root
from gradtape._src.api.einsum import einsum as einsum
from gradtape._src.api.elementwise import abs as abs
from gradtape._src.api.elementwise import acos as acos
from gradtape._src.api.elementwise import acosh as acosh
from gradtape._src.api.elementwise import asin as asin
from gradtape._src.api.elementwise import asinh as asinh
from gradtape._src.api.elementwise import atan as atan
from gradtape._src.api.elementwise import atan2 as atan2
from gradtape._src.api.elementwise import atanh as atanh
from gradtape._src.api.elementwise import cos as cos
from gradtape._src.api.elementwise import cosh as cosh
from gradtape._src.api.elementwise import exp as exp
from gradtape._src.api.elementwise import floor as floor
from gradtape._src.api.elementwise import round as round
from gradtape._src.api.elementwise import sigmoid as sigmoid
from gradtape._src.api.elementwise import sign as sign
from gradtape._src.api.elementwise import sin as sin
from gradtape._src.api.elementwise import sinh as sinh
from gradtape._src.api.elementwise import sqrt as sqrt
from gradtape._src.api.elementwise import tan as tan
from gradtape._src.api.elementwise import tanh as tanh
from gradtape._src.api.gathering import dynamic_partition as dynamic_partition
from gradtape._src.api.gathering import dynamic_stitch as dynamic_stitch
from gradtape._src.api.gathering import gather as gather
from gradtape._src.api.gathering import gather_nd as gather_nd
from gradtape._src.api.graphs import control_dependencies as control_dependencies
from gradtape._src.api.graphs import device as device
from gradtape._src.api.graphs import group as group
from gradtape._src.api.graphs import name_scope as name_scope
from gradtape._src.api.graphs import no_op as no_op
from gradtape._src.api.graphs import tuple as tuple
from gradtape._src.api.indexing import slice as slice
from gradtape._src.api.indexing import strided_slice as strided_slice
from gradtape._src.api.initializers import Constant as constant_initializer
from gradtape._src.api.initializers import Ones as ones_initializer
from gradtape._src.api.initializers import RandomNormal as random_normal_initializer
from gradtape._src.api.initializers import RandomUniform as random_uniform_initializer
from gradtape._src.api.initializers import Zeros as zeros_initializer
from gradtape._src.api.joining import concat as concat
from gradtape._src.api.joining import meshgrid as meshgrid
from gradtape._src.api.joining import pad as pad
from gradtape._src.api.joining import parallel_stack as parallel_stack
from gradtape._src.api.joining import repeat as repeat
from gradtape._src.api.joining import split as split
from gradtape._src.api.joining import stack as stack
from gradtape._src.api.joining import tile as tile
from gradtape._src.api.joining import unstack as unstack
from gradtape._src.api.module import Module as Module
from gradtape._src.api.norms import norm as norm
from gradtape._src.api.products import matmul as matmul
from gradtape._src.api.products import tensordot as tensordot
from gradtape._src.api.reduction import argmax as argmax
from gradtape._src.api.reduction import argmin as argmin
from gradtape._src.api.reduction import reduce_all as reduce_all
from gradtape._src.api.reduction import reduce_any as reduce_any
from gradtape._src.api.reduction import reduce_logsumexp as reduce_logsumexp
from gradtape._src.api.reduction import reduce_max as reduce_max
from gradtape._src.api.reduction import reduce_mean as reduce_mean
from gradtape._src.api.reduction import reduce_min as reduce_min
from gradtape._src.api.reduction import reduce_prod as reduce_prod
from gradtape._src.api.reduction import reduce_sum as reduce_sum
from gradtape._src.api.reordering import batch_to_space as batch_to_space
from gradtape._src.api.reordering import required_space_to_batch_paddings as required_space_to_batch_paddings
from gradtape._src.api.reordering import reverse as reverse
from gradtape._src.api.reordering import reverse_sequence as reverse_sequence
from gradtape._src.api.reordering import roll as roll
from gradtape._src.api.reordering import space_to_batch as space_to_batch
from gradtape._src.api.reordering import space_to_batch_nd as space_to_batch_nd
from gradtape._src.api.reordering import transpose as transpose
from gradtape._src.api.scattering import scatter_nd as scatter_nd
from gradtape._src.api.scattering import tensor_scatter_nd_add as tensor_scatter_nd_add
from gradtape._src.api.scattering import tensor_scatter_nd_max as tensor_scatter_nd_max
from gradtape._src.api.scattering import tensor_scatter_nd_min as tensor_scatter_nd_min
from gradtape._src.api.scattering import tensor_scatter_nd_sub as tensor_scatter_nd_sub
from gradtape._src.api.scattering import tensor_scatter_nd_update as tensor_scatter_nd_update
from gradtape._src.api.selection import boolean_mask as boolean_mask
from gradtape._src.api.selection import one_hot as one_hot
from gradtape._src.api.selection import sequence_mask as sequence_mask
from gradtape._src.api.selection import where as where
from gradtape._src.api.sorting import approx_top_k as approx_top_k
from gradtape._src.api.sorting import argsort as argsort
from gradtape._src.api.sorting import searchsorted as searchsorted
from gradtape._src.api.sorting import sort as sort
from gradtape._src.api.sparse_tensor import SparseTensor as SparseTensor
from gradtape._src.api.sparse_tensor import SparseTensorSpec as SparseTensorSpec
from gradtape._src.api.tensors import constant as constant
from gradtape._src.api.tensors import convert_to_tensor as convert_to_tensor
from gradtape._src.api.tensors import executing_eagerly as executing_eagerly
from gradtape._src.api.tensors import get_static_value as get_static_value
from gradtape._src.api.tensors import is_symbolic_tensor as is_symbolic_tensor
from gradtape._src.api.tensors import is_tensor as is_tensor
from gradtape._src.autodiff.custom import custom_gradient as custom_gradient
from gradtape._src.autodiff.custom import grad_pass_through as grad_pass_through
from gradtape._src.autodiff.custom import recompute_grad as recompute_grad
from gradtape._src.autodiff.graph_gradients import AggregationMethod as AggregationMethod
from gradtape._src.autodiff.graph_gradients import gradients as gradients
from gradtape._src.autodiff.tape import GradientTape as GradientTape
from gradtape._src.autodiff.unconnected import UnconnectedGradients as UnconnectedGradients
from gradtape._src.control.cond import case as case
from gradtape._src.control.cond import cond as cond
from gradtape._src.control.cond import switch_case as switch_case
from gradtape._src.control.hessians import hessians as hessians
from gradtape._src.control.loop import while_loop as while_loop
from gradtape._src.control.scan import foldl as foldl
from gradtape._src.control.scan import foldr as foldr
from gradtape._src.control.scan import map_fn as map_fn
from gradtape._src.control.scan import scan as scan
from gradtape._src.control.tensor_array import TensorArray as TensorArray
from gradtape._src.control.vectorized_map import vectorized_map as vectorized_map
from gradtape._src.core.convert import (
    register_tensor_conversion_function as register_tensor_conversion_function,
)
from gradtape._src.core.distribution import VariableAggregationV2 as VariableAggregation
from gradtape._src.core.distribution import VariableSynchronization as VariableSynchronization
from gradtape._src.core.dtypes import DType as DType
from gradtape._src.core.dtypes import as_dtype as as_dtype
from gradtape._src.core.dtypes import bfloat16 as bfloat16
from gradtape._src.core.dtypes import bool_ as bool
from gradtape._src.core.dtypes import complex64 as complex64
from gradtape._src.core.dtypes import complex128 as complex128
from gradtape._src.core.dtypes import double as double
from gradtape._src.core.dtypes import float16 as float16
from gradtape._src.core.dtypes import float32 as float32
from gradtape._src.core.dtypes import float64 as float64
from gradtape._src.core.dtypes import half as half
from gradtape._src.core.dtypes import int8 as int8
from gradtape._src.core.dtypes import int16 as int16
from gradtape._src.core.dtypes import int32 as int32
from gradtape._src.core.dtypes import int64 as int64
from gradtape._src.core.dtypes import qint8 as qint8
from gradtape._src.core.dtypes import qint16 as qint16
from gradtape._src.core.dtypes import qint32 as qint32
from gradtape._src.core.dtypes import quint8 as quint8
from gradtape._src.core.dtypes import quint16 as quint16
from gradtape._src.core.dtypes import resource as resource
from gradtape._src.core.dtypes import string as string
from gradtape._src.core.dtypes import uint8 as uint8
from gradtape._src.core.dtypes import uint16 as uint16
from gradtape._src.core.dtypes import uint32 as uint32
from gradtape._src.core.dtypes import uint64 as uint64
from gradtape._src.core.dtypes import variant as variant
from gradtape._src.core.log import get_logger as get_logger
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing
from gradtape._src.core.specs import TensorSpec as TensorSpec
from gradtape._src.core.specs import TypeSpec as TypeSpec
from gradtape._src.core.tensor_shape import TensorShape as TensorShape
from gradtape._src.core.tensor_shape import broadcast_static_shape as broadcast_static_shape
from gradtape._src.core.values import Tensor as Tensor
from gradtape._src.function.debugging import Assert as Assert
from gradtape._src.function.debugging import assert_equal as assert_equal
from gradtape._src.function.debugging import assert_greater as assert_greater
from gradtape._src.function.debugging import assert_less as assert_less
from gradtape._src.function.func_graph import init_scope as init_scope
from gradtape._src.function.function import function as function
from gradtape._src.function.printing import print_tensors as print
from gradtape._src.function.py_function import numpy_function as numpy_function
from gradtape._src.function.py_function import py_function as py_function
from gradtape._src.function.static_checks import assert_rank as assert_rank
from gradtape._src.graph.gradient_overrides import RegisterGradient as RegisterGradient
from gradtape._src.graph.gradient_overrides import no_gradient as no_gradient
from gradtape._src.graph.ir import Graph as Graph
from gradtape._src.graph.ir import Operation as Operation
from gradtape._src.ops.indexed_slices import IndexedSlices as IndexedSlices
from gradtape._src.ops.indexed_slices import IndexedSlicesSpec as IndexedSlicesSpec
from gradtape._src.ops.variables import Variable as Variable

__version__ = "0.1.0"
newaxis = None

# Submodules that are imported when first named: start-up cost.
if TYPE_CHECKING:
    from gradtape import compat as compat
    from gradtape import data as data
    from gradtape import io as io
    from gradtape import keras as keras
    from gradtape import lookup as lookup
    from gradtape import profiler as profiler
    from gradtape import ragged as ragged
    from gradtape import saved_model as saved_model
    from gradtape import sets as sets
    from gradtape import strings as strings
    from gradtape import summary as summary
    from gradtape import test as test
    from gradtape import train as train
    from gradtape import version as version
    from gradtape._src.api.decoding import make_ndarray as make_ndarray
    from gradtape._src.api.decoding import make_tensor_proto as make_tensor_proto
    from gradtape._src.api.ragged_tensor import RaggedTensor as RaggedTensor
    from gradtape._src.api.ragged_tensor import RaggedTensorSpec as RaggedTensorSpec
    from gradtape._src.api.sets import edit_distance as edit_distance
    from gradtape.keras import initializers as initializers
    from gradtape.keras import losses as losses
    from gradtape.keras import metrics as metrics
    from gradtape.keras import optimizers as optimizers
else:
    _LAZY = (
        "compat", "data", "io", "keras", "lookup", "profiler", "ragged", "saved_model", "sets", "strings", "summary",
        "test", "train", "version",
    )  # fmt: skip
    _ELSEWHERE = {
        name: f"gradtape.keras.{name}" for name in ("initializers", "losses", "metrics", "optimizers")
    }
    _ELSEWHERE |= {
        "RaggedTensor": "gradtape._src.api.ragged:RaggedTensor",
        "RaggedTensorSpec": "gradtape._src.api.ragged:RaggedTensorSpec",
        "edit_distance": "gradtape._src.api.sets:edit_distance",
        "make_ndarray": "gradtape._src.api.decoding:make_ndarray",
        "make_tensor_proto": "gradtape._src.api.decoding:make_tensor_proto",
    }
    __getattr__ = _missing(__name__, globals(), lazy=_LAZY, elsewhere=_ELSEWHERE)
    __dir__ = _listing(globals(), lazy=(*_LAZY, *_ELSEWHERE))

del TYPE_CHECKING
