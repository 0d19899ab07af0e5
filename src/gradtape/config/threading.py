"""`tf.config.threading`: numbers of threads."""

from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing
from gradtape._src.function.config import get_inter_op_parallelism_threads as get_inter_op_parallelism_threads
from gradtape._src.function.config import get_intra_op_parallelism_threads as get_intra_op_parallelism_threads
from gradtape._src.function.config import set_inter_op_parallelism_threads as set_inter_op_parallelism_threads
from gradtape._src.function.config import set_intra_op_parallelism_threads as set_intra_op_parallelism_threads

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
