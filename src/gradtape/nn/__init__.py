"""`tf.nn`: the parts of neural networks."""

from gradtape._src.api.candidates import all_candidate_sampler as all_candidate_sampler
from gradtape._src.api.candidates import fixed_unigram_candidate_sampler as fixed_unigram_candidate_sampler
from gradtape._src.api.candidates import (
    learned_unigram_candidate_sampler as learned_unigram_candidate_sampler,
)
from gradtape._src.api.candidates import log_uniform_candidate_sampler as log_uniform_candidate_sampler
from gradtape._src.api.candidates import uniform_candidate_sampler as uniform_candidate_sampler
from gradtape._src.api.counting import in_top_k as in_top_k
from gradtape._src.api.elementwise import sigmoid as sigmoid
from gradtape._src.api.elementwise import softplus as softplus
from gradtape._src.api.elementwise import softsign as softsign
from gradtape._src.api.elementwise import tanh as tanh
from gradtape._src.api.gathering import embedding_lookup as embedding_lookup
from gradtape._src.api.nn_activations import bias_add as bias_add
from gradtape._src.api.nn_activations import crelu as crelu
from gradtape._src.api.nn_activations import elu as elu
from gradtape._src.api.nn_activations import gelu as gelu
from gradtape._src.api.nn_activations import leaky_relu as leaky_relu
from gradtape._src.api.nn_activations import relu as relu
from gradtape._src.api.nn_activations import relu6 as relu6
from gradtape._src.api.nn_activations import selu as selu
from gradtape._src.api.nn_activations import silu as silu
from gradtape._src.api.nn_activations import swish as swish
from gradtape._src.api.nn_convolution import atrous_conv2d as atrous_conv2d
from gradtape._src.api.nn_convolution import conv1d as conv1d
from gradtape._src.api.nn_convolution import conv2d as conv2d
from gradtape._src.api.nn_convolution import conv3d as conv3d
from gradtape._src.api.nn_convolution import convolution as convolution
from gradtape._src.api.nn_convolution import depthwise_conv2d as depthwise_conv2d
from gradtape._src.api.nn_convolution import separable_conv2d as separable_conv2d
from gradtape._src.api.nn_dropout import dropout as dropout
from gradtape._src.api.nn_fractional import fractional_avg_pool as fractional_avg_pool
from gradtape._src.api.nn_fractional import fractional_max_pool as fractional_max_pool
from gradtape._src.api.nn_losses import compute_average_loss as compute_average_loss
from gradtape._src.api.nn_losses import l2_loss as l2_loss
from gradtape._src.api.nn_losses import log_poisson_loss as log_poisson_loss
from gradtape._src.api.nn_losses import log_softmax as log_softmax
from gradtape._src.api.nn_losses import scale_regularization_loss as scale_regularization_loss
from gradtape._src.api.nn_losses import sigmoid_cross_entropy_with_logits as sigmoid_cross_entropy_with_logits
from gradtape._src.api.nn_losses import softmax as softmax
from gradtape._src.api.nn_losses import softmax_cross_entropy_with_logits as softmax_cross_entropy_with_logits
from gradtape._src.api.nn_losses import (
    sparse_softmax_cross_entropy_with_logits as sparse_softmax_cross_entropy_with_logits,
)
from gradtape._src.api.nn_losses import (
    weighted_cross_entropy_with_logits as weighted_cross_entropy_with_logits,
)
from gradtape._src.api.nn_morphology import dilation2d as dilation2d
from gradtape._src.api.nn_morphology import erosion2d as erosion2d
from gradtape._src.api.nn_normalization import (
    batch_norm_with_global_normalization as batch_norm_with_global_normalization,
)
from gradtape._src.api.nn_normalization import batch_normalization as batch_normalization
from gradtape._src.api.nn_normalization import local_response_normalization as local_response_normalization
from gradtape._src.api.nn_normalization import lrn as lrn
from gradtape._src.api.nn_normalization import moments as moments
from gradtape._src.api.nn_normalization import normalize_moments as normalize_moments
from gradtape._src.api.nn_normalization import sufficient_statistics as sufficient_statistics
from gradtape._src.api.nn_normalization import weighted_moments as weighted_moments
from gradtape._src.api.nn_pooling import avg_pool as avg_pool
from gradtape._src.api.nn_pooling import avg_pool1d as avg_pool1d
from gradtape._src.api.nn_pooling import avg_pool2d as avg_pool2d
from gradtape._src.api.nn_pooling import avg_pool3d as avg_pool3d
from gradtape._src.api.nn_pooling import max_pool as max_pool
from gradtape._src.api.nn_pooling import max_pool1d as max_pool1d
from gradtape._src.api.nn_pooling import max_pool2d as max_pool2d
from gradtape._src.api.nn_pooling import max_pool3d as max_pool3d
from gradtape._src.api.nn_pooling import max_pool_with_argmax as max_pool_with_argmax
from gradtape._src.api.nn_pooling import pool as pool
from gradtape._src.api.nn_sampled import nce_loss as nce_loss
from gradtape._src.api.nn_sampled import sampled_softmax_loss as sampled_softmax_loss
from gradtape._src.api.nn_transposed import atrous_conv2d_transpose as atrous_conv2d_transpose
from gradtape._src.api.nn_transposed import conv1d_transpose as conv1d_transpose
from gradtape._src.api.nn_transposed import conv2d_transpose as conv2d_transpose
from gradtape._src.api.nn_transposed import conv3d_transpose as conv3d_transpose
from gradtape._src.api.nn_transposed import conv_transpose as conv_transpose
from gradtape._src.api.nn_transposed import (
    depthwise_conv2d_backprop_filter as depthwise_conv2d_backprop_filter,
)
from gradtape._src.api.nn_transposed import depthwise_conv2d_backprop_input as depthwise_conv2d_backprop_input
from gradtape._src.api.norms import l2_normalize as l2_normalize
from gradtape._src.api.reduction import zero_fraction as zero_fraction
from gradtape._src.api.reordering import depth_to_space as depth_to_space
from gradtape._src.api.reordering import space_to_batch as space_to_batch
from gradtape._src.api.reordering import space_to_depth as space_to_depth
from gradtape._src.api.sorting import approx_max_k as approx_max_k
from gradtape._src.api.sorting import approx_min_k as approx_min_k
from gradtape._src.api.sorting import top_k as top_k
from gradtape._src.control.ctc import ctc_loss as ctc_loss
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing
from gradtape.nn import experimental as experimental

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
