"""`tf.contrib.opt`: optimizers outside of the graph."""

from gradtape._src.compat_v1.contrib.opt import ExternalOptimizerInterface as ExternalOptimizerInterface
from gradtape._src.compat_v1.contrib.opt import ScipyOptimizerInterface as ScipyOptimizerInterface
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals())
