"""`tf.compat.v1.sparse`: `tf.sparse`, with the arguments of TensorFlow 1."""

import gradtape.sparse as _sparse
from gradtape._src.api.v1_reduction import sparse_segment_mean as segment_mean
from gradtape._src.api.v1_reduction import sparse_segment_sqrt_n as segment_sqrt_n
from gradtape._src.api.v1_reduction import sparse_segment_sum as segment_sum
from gradtape._src.compat_v1.sparse import sparse_placeholder as placeholder
from gradtape._src.compat_v1.sparse import sparse_reduce_sum as reduce_sum
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals(), base=_sparse)
__dir__ = _listing(globals(), base=_sparse)
