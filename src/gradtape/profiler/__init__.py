"""`tf.profiler`: where the time goes."""

from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing
from gradtape.profiler import experimental as experimental

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
