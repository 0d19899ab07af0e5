"""`tf.compat.v1.nn`: the parts of neural networks as TensorFlow 1 has them, and all names of `tf.nn`."""

from gradtape import nn as _nn
from gradtape._src.api.nn_normalization import fused_batch_norm as fused_batch_norm
from gradtape._src.api.nn_pooling import avg_pool as avg_pool_v2
from gradtape._src.api.nn_pooling import max_pool as max_pool_v2
from gradtape._src.api.nn_sampled import v1_nce_loss as nce_loss
from gradtape._src.api.nn_sampled import v1_sampled_softmax_loss as sampled_softmax_loss
from gradtape._src.api.nn_transposed import (
    depthwise_conv2d_backprop_filter as depthwise_conv2d_native_backprop_filter,
)
from gradtape._src.api.nn_transposed import (
    depthwise_conv2d_backprop_input as depthwise_conv2d_native_backprop_input,
)
from gradtape._src.api.v1_arrays import depth_to_space as depth_to_space
from gradtape._src.api.v1_arrays import space_to_batch as space_to_batch
from gradtape._src.api.v1_arrays import space_to_depth as space_to_depth
from gradtape._src.api.v1_indexing import embedding_lookup as embedding_lookup
from gradtape._src.api.v1_nn import (
    batch_norm_with_global_normalization as batch_norm_with_global_normalization,
)
from gradtape._src.api.v1_nn import crelu as crelu
from gradtape._src.api.v1_nn import dropout as dropout
from gradtape._src.api.v1_nn import log_softmax as log_softmax
from gradtape._src.api.v1_nn import moments as moments
from gradtape._src.api.v1_nn import relu_layer as relu_layer
from gradtape._src.api.v1_nn import softmax as softmax
from gradtape._src.api.v1_nn import softmax_cross_entropy_with_logits as softmax_cross_entropy_with_logits
from gradtape._src.api.v1_nn import (
    softmax_cross_entropy_with_logits_v2 as softmax_cross_entropy_with_logits_v2,
)
from gradtape._src.api.v1_nn import (
    sparse_softmax_cross_entropy_with_logits as sparse_softmax_cross_entropy_with_logits,
)
from gradtape._src.api.v1_nn import sufficient_statistics as sufficient_statistics
from gradtape._src.api.v1_nn import weighted_cross_entropy_with_logits as weighted_cross_entropy_with_logits
from gradtape._src.api.v1_nn import weighted_moments as weighted_moments
from gradtape._src.api.v1_nn import xw_plus_b as xw_plus_b
from gradtape._src.api.v1_nn_windows import avg_pool as avg_pool
from gradtape._src.api.v1_nn_windows import avg_pool2d as avg_pool2d
from gradtape._src.api.v1_nn_windows import conv1d as conv1d
from gradtape._src.api.v1_nn_windows import conv2d as conv2d
from gradtape._src.api.v1_nn_windows import conv2d_backprop_filter as conv2d_backprop_filter
from gradtape._src.api.v1_nn_windows import conv2d_backprop_input as conv2d_backprop_input
from gradtape._src.api.v1_nn_windows import conv2d_transpose as conv2d_transpose
from gradtape._src.api.v1_nn_windows import conv3d as conv3d
from gradtape._src.api.v1_nn_windows import conv3d_backprop_filter as conv3d_backprop_filter
from gradtape._src.api.v1_nn_windows import conv3d_backprop_filter as conv3d_backprop_filter_v2
from gradtape._src.api.v1_nn_windows import conv3d_transpose as conv3d_transpose
from gradtape._src.api.v1_nn_windows import convolution as convolution
from gradtape._src.api.v1_nn_windows import depthwise_conv2d as depthwise_conv2d
from gradtape._src.api.v1_nn_windows import depthwise_conv2d_native as depthwise_conv2d_native
from gradtape._src.api.v1_nn_windows import dilation2d as dilation2d
from gradtape._src.api.v1_nn_windows import erosion2d as erosion2d
from gradtape._src.api.v1_nn_windows import max_pool as max_pool
from gradtape._src.api.v1_nn_windows import max_pool_with_argmax as max_pool_with_argmax
from gradtape._src.api.v1_nn_windows import pool as pool
from gradtape._src.api.v1_nn_windows import separable_conv2d as separable_conv2d
from gradtape._src.api.v1_reduction import in_top_k as in_top_k
from gradtape._src.compat_v1.rnn import bidirectional_dynamic_rnn as bidirectional_dynamic_rnn
from gradtape._src.compat_v1.rnn import dynamic_rnn as dynamic_rnn
from gradtape._src.compat_v1.rnn import static_rnn as static_rnn
from gradtape._src.control.ctc import ctc_loss as ctc_loss_v2
from gradtape._src.control.ctc import ctc_loss_v1 as ctc_loss
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing
from gradtape.compat.v1 import rnn_cell as rnn_cell

__getattr__ = _missing(__name__, globals(), base=_nn)
__dir__ = _listing(globals(), base=_nn)
