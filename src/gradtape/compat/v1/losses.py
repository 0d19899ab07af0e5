"""`tf.compat.v1.losses`: losses of a batch, as TensorFlow 1 programs write them."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.train.losses import Reduction as Reduction
from gradtape._src.train.losses import absolute_difference as absolute_difference
from gradtape._src.train.losses import add_loss as add_loss
from gradtape._src.train.losses import compute_weighted_loss as compute_weighted_loss
from gradtape._src.train.losses import cosine_distance as cosine_distance
from gradtape._src.train.losses import get_losses as get_losses
from gradtape._src.train.losses import get_regularization_loss as get_regularization_loss
from gradtape._src.train.losses import get_regularization_losses as get_regularization_losses
from gradtape._src.train.losses import get_total_loss as get_total_loss
from gradtape._src.train.losses import hinge_loss as hinge_loss
from gradtape._src.train.losses import huber_loss as huber_loss
from gradtape._src.train.losses import log_loss as log_loss
from gradtape._src.train.losses import mean_squared_error as mean_squared_error
from gradtape._src.train.losses import sigmoid_cross_entropy as sigmoid_cross_entropy
from gradtape._src.train.losses import softmax_cross_entropy as softmax_cross_entropy
from gradtape._src.train.losses import sparse_softmax_cross_entropy as sparse_softmax_cross_entropy

__getattr__ = _missing(__name__, globals())
