"""`tensorflow.python.ops.math_ops`."""

import gradtape.compat.v1 as _v1
from gradtape import add as add_v2
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals(), base=_v1)
