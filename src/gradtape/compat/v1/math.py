"""`tf.compat.v1.math`: `tf.math`, with the arguments of TensorFlow 1."""

import gradtape.math as _math
from gradtape._src.api.v1_reduction import argmax as argmax
from gradtape._src.api.v1_reduction import argmin as argmin
from gradtape._src.api.v1_reduction import bincount as bincount
from gradtape._src.api.v1_reduction import confusion_matrix as confusion_matrix
from gradtape._src.api.v1_reduction import count_nonzero as count_nonzero
from gradtape._src.api.v1_reduction import in_top_k as in_top_k
from gradtape._src.api.v1_reduction import reduce_all as reduce_all
from gradtape._src.api.v1_reduction import reduce_any as reduce_any
from gradtape._src.api.v1_reduction import reduce_logsumexp as reduce_logsumexp
from gradtape._src.api.v1_reduction import reduce_max as reduce_max
from gradtape._src.api.v1_reduction import reduce_mean as reduce_mean
from gradtape._src.api.v1_reduction import reduce_min as reduce_min
from gradtape._src.api.v1_reduction import reduce_prod as reduce_prod
from gradtape._src.api.v1_reduction import reduce_sum as reduce_sum
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals(), base=_math)
__dir__ = _listing(globals(), base=_math)
