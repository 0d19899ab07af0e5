"""`tf.config.optimizer`: settings of graph optimizers."""

from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing
from gradtape._src.function.config import get_experimental_options as get_experimental_options
from gradtape._src.function.config import get_jit as get_jit
from gradtape._src.function.config import set_experimental_options as set_experimental_options
from gradtape._src.function.config import set_jit as set_jit

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
