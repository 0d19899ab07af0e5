"""`tf.summary.experimental`: the step of summaries that are given none."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.summary.v2 import get_step as get_step
from gradtape._src.summary.v2 import set_step as set_step

__getattr__ = _missing(__name__, globals())
