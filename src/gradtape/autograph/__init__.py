"""`tf.autograph`: Python's control flow as operations of a graph."""

from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing
from gradtape._src.function.autograph import set_verbosity as set_verbosity
from gradtape._src.function.autograph import to_code as to_code
from gradtape._src.function.autograph import to_graph as to_graph
from gradtape._src.function.autograph import trace as trace
from gradtape.autograph import experimental as experimental

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
