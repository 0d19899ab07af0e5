"""`tf.sparse`: functions of sparse tensors."""

from gradtape._src.api.segment import sparse_segment_mean as segment_mean
from gradtape._src.api.segment import sparse_segment_sqrt_n as segment_sqrt_n
from gradtape._src.api.segment import sparse_segment_sum as segment_sum
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
