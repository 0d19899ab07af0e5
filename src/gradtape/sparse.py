"""`tf.sparse`: functions of sparse tensors."""

from gradtape._src.api.segment import sparse_segment_mean as segment_mean
from gradtape._src.api.segment import sparse_segment_sqrt_n as segment_sqrt_n
from gradtape._src.api.segment import sparse_segment_sum as segment_sum
from gradtape._src.api.sparse import add as add
from gradtape._src.api.sparse import concat as concat
from gradtape._src.api.sparse import eye as eye
from gradtape._src.api.sparse import from_dense as from_dense
from gradtape._src.api.sparse import map_values as map_values
from gradtape._src.api.sparse import reduce_sum as reduce_sum
from gradtape._src.api.sparse import reorder as reorder
from gradtape._src.api.sparse import reshape as reshape
from gradtape._src.api.sparse import retain as retain
from gradtape._src.api.sparse import sparse_dense_matmul as sparse_dense_matmul
from gradtape._src.api.sparse import to_dense as to_dense
from gradtape._src.api.sparse import transpose as transpose
from gradtape._src.api.sparse_tensor import SparseTensor as SparseTensor
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
