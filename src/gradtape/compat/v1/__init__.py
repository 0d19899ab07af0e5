"""`tf.compat.v1`: what TensorFlow 1 programs call `tf`.

It has every name of gradtape, the names that TensorFlow 2 merely moved (`tf.log` is `tf.math.log`), and the
TensorFlow 1 names below. A script that imports this module and not gradtape itself starts with TensorFlow 1.13's
defaults, graphs that a `tf.Session` executes; in any other program execution stays eager until
`tf.disable_v2_behavior()`.
"""

from typing import TYPE_CHECKING

import gradtape as _gradtape
from gradtape import signal as spectral
from gradtape._src.api.clipping import clip_by_average_norm as clip_by_average_norm
from gradtape._src.api.counting import setdiff1d as setdiff1d
from gradtape._src.api.graphs import colocate_with as colocate_with
from gradtape._src.api.graphs import name_scope_v1 as name_scope
from gradtape._src.api.random import get_seed as get_seed
from gradtape._src.api.random import set_random_seed as set_random_seed
from gradtape._src.api.random import v1_multinomial as multinomial
from gradtape._src.api.random import v1_poisson as random_poisson
from gradtape._src.api.reordering import batch_to_space_nd as batch_to_space_nd
from gradtape._src.api.scattering import tensor_scatter_nd_add as tensor_scatter_add
from gradtape._src.api.scattering import tensor_scatter_nd_sub as tensor_scatter_sub
from gradtape._src.api.scattering import tensor_scatter_nd_update as tensor_scatter_update
from gradtape._src.api.selection import where as where_v2
from gradtape._src.api.sparse import sparse_to_dense as sparse_to_dense
from gradtape._src.api.sparse_tensor import SparseTensorValue as SparseTensorValue
from gradtape._src.api.v1_arrays import batch_to_space as batch_to_space
from gradtape._src.api.v1_arrays import depth_to_space as depth_to_space
from gradtape._src.api.v1_arrays import expand_dims as expand_dims
from gradtape._src.api.v1_arrays import ones_like as ones_like
from gradtape._src.api.v1_arrays import pad as pad
from gradtape._src.api.v1_arrays import reverse_sequence as reverse_sequence
from gradtape._src.api.v1_arrays import shape as shape
from gradtape._src.api.v1_arrays import size as size
from gradtape._src.api.v1_arrays import space_to_batch as space_to_batch
from gradtape._src.api.v1_arrays import space_to_depth as space_to_depth
from gradtape._src.api.v1_arrays import squeeze as squeeze
from gradtape._src.api.v1_arrays import to_bfloat16 as to_bfloat16
from gradtape._src.api.v1_arrays import to_complex64 as to_complex64
from gradtape._src.api.v1_arrays import to_complex128 as to_complex128
from gradtape._src.api.v1_arrays import to_double as to_double
from gradtape._src.api.v1_arrays import to_float as to_float
from gradtape._src.api.v1_arrays import to_int32 as to_int32
from gradtape._src.api.v1_arrays import to_int64 as to_int64
from gradtape._src.api.v1_arrays import transpose as transpose
from gradtape._src.api.v1_arrays import zeros_like as zeros_like
from gradtape._src.api.v1_indexing import batch_gather as batch_gather
from gradtape._src.api.v1_indexing import batch_scatter_update as batch_scatter_update
from gradtape._src.api.v1_indexing import boolean_mask as boolean_mask
from gradtape._src.api.v1_indexing import (
    convert_to_tensor_or_indexed_slices as convert_to_tensor_or_indexed_slices,
)
from gradtape._src.api.v1_indexing import gather as gather
from gradtape._src.api.v1_indexing import gather_nd as gather_nd
from gradtape._src.api.v1_indexing import scatter_add as scatter_add
from gradtape._src.api.v1_indexing import scatter_div as scatter_div
from gradtape._src.api.v1_indexing import scatter_max as scatter_max
from gradtape._src.api.v1_indexing import scatter_min as scatter_min
from gradtape._src.api.v1_indexing import scatter_mul as scatter_mul
from gradtape._src.api.v1_indexing import scatter_nd_add as scatter_nd_add
from gradtape._src.api.v1_indexing import scatter_nd_sub as scatter_nd_sub
from gradtape._src.api.v1_indexing import scatter_nd_update as scatter_nd_update
from gradtape._src.api.v1_indexing import scatter_sub as scatter_sub
from gradtape._src.api.v1_indexing import scatter_update as scatter_update
from gradtape._src.api.v1_indexing import sparse_mask as sparse_mask
from gradtape._src.api.v1_indexing import where as where
from gradtape._src.api.v1_linalg import norm as norm
from gradtape._src.api.v1_math import div as div
from gradtape._src.api.v1_math import floor_div as floor_div
from gradtape._src.api.v1_nn_windows import extract_image_patches as extract_image_patches
from gradtape._src.api.v1_reduction import arg_max as arg_max
from gradtape._src.api.v1_reduction import arg_min as arg_min
from gradtape._src.api.v1_reduction import argmax as argmax
from gradtape._src.api.v1_reduction import argmin as argmin
from gradtape._src.api.v1_reduction import bincount as bincount
from gradtape._src.api.v1_reduction import confusion_matrix as confusion_matrix
from gradtape._src.api.v1_reduction import count_nonzero as count_nonzero
from gradtape._src.api.v1_reduction import reduce_all as reduce_all
from gradtape._src.api.v1_reduction import reduce_any as reduce_any
from gradtape._src.api.v1_reduction import reduce_logsumexp as reduce_logsumexp
from gradtape._src.api.v1_reduction import reduce_max as reduce_max
from gradtape._src.api.v1_reduction import reduce_mean as reduce_mean
from gradtape._src.api.v1_reduction import reduce_min as reduce_min
from gradtape._src.api.v1_reduction import reduce_prod as reduce_prod
from gradtape._src.api.v1_reduction import reduce_sum as reduce_sum
from gradtape._src.api.v1_reduction import sparse_segment_mean as sparse_segment_mean
from gradtape._src.api.v1_reduction import sparse_segment_sqrt_n as sparse_segment_sqrt_n
from gradtape._src.api.v1_reduction import sparse_segment_sum as sparse_segment_sum
from gradtape._src.api.v1_tensors import VariableV1 as Variable
from gradtape._src.api.v1_tensors import assign as assign
from gradtape._src.api.v1_tensors import assign_add as assign_add
from gradtape._src.api.v1_tensors import assign_sub as assign_sub
from gradtape._src.api.v1_tensors import constant as constant
from gradtape._src.api.v1_tensors import convert_to_tensor as convert_to_tensor
from gradtape._src.api.v1_tensors import is_variable_initialized as is_variable_initialized
from gradtape._src.autodiff.graph_gradients import gradients_v1 as gradients
from gradtape._src.compat_v1.behaviour import control_flow_v2_enabled as control_flow_v2_enabled
from gradtape._src.compat_v1.behaviour import disable_control_flow_v2 as disable_control_flow_v2
from gradtape._src.compat_v1.behaviour import disable_eager_execution as disable_eager_execution
from gradtape._src.compat_v1.behaviour import disable_resource_variables as disable_resource_variables
from gradtape._src.compat_v1.behaviour import disable_tensor_equality as disable_tensor_equality
from gradtape._src.compat_v1.behaviour import disable_v2_behavior as disable_v2_behavior
from gradtape._src.compat_v1.behaviour import disable_v2_tensorshape as disable_v2_tensorshape
from gradtape._src.compat_v1.behaviour import enable_control_flow_v2 as enable_control_flow_v2
from gradtape._src.compat_v1.behaviour import enable_eager_execution as enable_eager_execution
from gradtape._src.compat_v1.behaviour import enable_resource_variables as enable_resource_variables
from gradtape._src.compat_v1.behaviour import enable_tensor_equality as enable_tensor_equality
from gradtape._src.compat_v1.behaviour import enable_v2_behavior as enable_v2_behavior
from gradtape._src.compat_v1.behaviour import enable_v2_tensorshape as enable_v2_tensorshape
from gradtape._src.compat_v1.behaviour import resource_variables_enabled as resource_variables_enabled
from gradtape._src.compat_v1.behaviour import start_as_tensorflow_1 as _start
from gradtape._src.compat_v1.config import ConfigProto as ConfigProto
from gradtape._src.compat_v1.config import GPUOptions as GPUOptions
from gradtape._src.compat_v1.config import RunMetadata as RunMetadata
from gradtape._src.compat_v1.config import RunOptions as RunOptions
from gradtape._src.compat_v1.graph_import import import_graph_def as import_graph_def
from gradtape._src.compat_v1.initializers import constant_initializer as constant_initializer
from gradtape._src.compat_v1.initializers import glorot_normal_initializer as glorot_normal_initializer
from gradtape._src.compat_v1.initializers import glorot_uniform_initializer as glorot_uniform_initializer
from gradtape._src.compat_v1.initializers import ones_initializer as ones_initializer
from gradtape._src.compat_v1.initializers import orthogonal_initializer as orthogonal_initializer
from gradtape._src.compat_v1.initializers import random_normal_initializer as random_normal_initializer
from gradtape._src.compat_v1.initializers import random_uniform_initializer as random_uniform_initializer
from gradtape._src.compat_v1.initializers import truncated_normal_initializer as truncated_normal_initializer
from gradtape._src.compat_v1.initializers import (
    uniform_unit_scaling_initializer as uniform_unit_scaling_initializer,
)
from gradtape._src.compat_v1.initializers import variance_scaling_initializer as variance_scaling_initializer
from gradtape._src.compat_v1.initializers import zeros_initializer as zeros_initializer
from gradtape._src.compat_v1.placeholders import placeholder as placeholder
from gradtape._src.compat_v1.placeholders import placeholder_with_default as placeholder_with_default
from gradtape._src.compat_v1.renamed import RENAMED as _RENAMED
from gradtape._src.compat_v1.sparse import sparse_placeholder as sparse_placeholder
from gradtape._src.compat_v1.sparse import sparse_reduce_sum as sparse_reduce_sum
from gradtape._src.compat_v1.sparse import string_split as string_split
from gradtape._src.compat_v1.variable_scope import AUTO_REUSE as AUTO_REUSE
from gradtape._src.compat_v1.variable_scope import VariableScope as VariableScope
from gradtape._src.compat_v1.variable_scope import get_local_variable as get_local_variable
from gradtape._src.compat_v1.variable_scope import get_variable as get_variable
from gradtape._src.compat_v1.variable_scope import get_variable_scope as get_variable_scope
from gradtape._src.compat_v1.variable_scope import no_regularizer as no_regularizer
from gradtape._src.compat_v1.variable_scope import variable_scope as variable_scope
from gradtape._src.compat_v1.variables import add_to_collection as add_to_collection
from gradtape._src.compat_v1.variables import add_to_collections as add_to_collections
from gradtape._src.compat_v1.variables import all_variables as all_variables
from gradtape._src.compat_v1.variables import assert_variables_initialized as assert_variables_initialized
from gradtape._src.compat_v1.variables import get_collection as get_collection
from gradtape._src.compat_v1.variables import get_collection_ref as get_collection_ref
from gradtape._src.compat_v1.variables import global_variables as global_variables
from gradtape._src.compat_v1.variables import global_variables_initializer as global_variables_initializer
from gradtape._src.compat_v1.variables import initialize_all_variables as initialize_all_variables
from gradtape._src.compat_v1.variables import initialize_local_variables as initialize_local_variables
from gradtape._src.compat_v1.variables import initialize_variables as initialize_variables
from gradtape._src.compat_v1.variables import local_variables as local_variables
from gradtape._src.compat_v1.variables import local_variables_initializer as local_variables_initializer
from gradtape._src.compat_v1.variables import model_variables as model_variables
from gradtape._src.compat_v1.variables import moving_average_variables as moving_average_variables
from gradtape._src.compat_v1.variables import report_uninitialized_variables as report_uninitialized_variables
from gradtape._src.compat_v1.variables import tables_initializer as tables_initializer
from gradtape._src.compat_v1.variables import trainable_variables as trainable_variables
from gradtape._src.compat_v1.variables import variables_initializer as variables_initializer
from gradtape._src.control.hessians import hessians_v1 as hessians
from gradtape._src.control.v1_control import cond as cond
from gradtape._src.control.v1_control import while_loop as while_loop
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing
from gradtape._src.core.tensor_shape import Dimension as Dimension
from gradtape._src.core.tensor_shape import dimension_at_index as dimension_at_index
from gradtape._src.core.tensor_shape import dimension_value as dimension_value
from gradtape._src.function.py_function import numpy_function as py_func
from gradtape._src.graph.collections import GraphKeys as GraphKeys
from gradtape._src.graph.default import get_default_graph as get_default_graph
from gradtape._src.graph.default import get_default_session as get_default_session
from gradtape._src.graph.default import reset_default_graph as reset_default_graph
from gradtape._src.graph.gradient_overrides import no_gradient as NoGradient
from gradtape._src.graph.gradient_overrides import no_gradient as NotDifferentiable
from gradtape._src.graph.session import IndexedSlicesValue as IndexedSlicesValue
from gradtape._src.graph.session import InteractiveSession as InteractiveSession
from gradtape._src.graph.session import Session as Session
from gradtape.compat.v1 import errors as errors
from gradtape.compat.v1 import initializers as initializers
from gradtape.compat.v1 import layers as layers
from gradtape.compat.v1 import logging as logging
from gradtape.compat.v1 import losses as losses
from gradtape.compat.v1 import math as math
from gradtape.compat.v1 import nn as nn
from gradtape.compat.v1 import random as random
from gradtape.compat.v1 import sparse as sparse
from gradtape.compat.v1 import train as train
from gradtape.version import GIT_VERSION as GIT_VERSION
from gradtape.version import VERSION as VERSION

__version__ = _gradtape.__version__

if TYPE_CHECKING:
    from gradtape.compat.v1 import app as app
    from gradtape.compat.v1 import contrib as contrib
    from gradtape.compat.v1 import data as data
    from gradtape.compat.v1 import distributions as distributions
    from gradtape.compat.v1 import flags as flags
    from gradtape.compat.v1 import gfile as gfile
    from gradtape.compat.v1 import image as image
    from gradtape.compat.v1 import io as io
    from gradtape.compat.v1 import strings as strings
    from gradtape.compat.v1 import summary as summary
    from gradtape.compat.v1 import test as test

# Imported when first named: start-up cost.
_LAZY = (
    "app",
    "contrib",
    "data",
    "distributions",
    "examples",
    "flags",
    "gfile",
    "image",
    "io",
    "strings",
    "summary",
    "test",
)
# A former name of a module; messages of protocol buffers.
_ELSEWHERE = {
    "decode_csv": "gradtape.compat.v1.io:decode_csv",
    "decode_raw": "gradtape.compat.v1.io:decode_raw",
    "parse_example": "gradtape.compat.v1.io:parse_example",
    "parse_single_example": "gradtape.compat.v1.io:parse_single_example",
    "python_io": "gradtape.compat.v1.io",
    "AttrValue": "tensorboardX.proto.attr_value_pb2:AttrValue",
    "Event": "tensorboardX.proto.event_pb2:Event",
    "GraphDef": "tensorboardX.proto.graph_pb2:GraphDef",
    "HistogramProto": "tensorboardX.proto.summary_pb2:HistogramProto",
    "NodeDef": "tensorboardX.proto.node_def_pb2:NodeDef",
    "SessionLog": "tensorboardX.proto.event_pb2:SessionLog",
    "Summary": "tensorboardX.proto.summary_pb2:Summary",
    "SummaryMetadata": "tensorboardX.proto.summary_pb2:SummaryMetadata",
}

__getattr__ = _missing(
    __name__, globals(), lazy=_LAZY, base=_gradtape, renamed=_RENAMED, elsewhere=_ELSEWHERE
)
__dir__ = _listing({**globals(), **_RENAMED, **_ELSEWHERE}, lazy=_LAZY, base=_gradtape)

_start()
