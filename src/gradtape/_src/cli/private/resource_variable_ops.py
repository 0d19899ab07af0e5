"""`tensorflow.python.ops.resource_variable_ops`."""

import gradtape.compat.v1 as _v1
from gradtape._src.core.missing import missing as _missing
from gradtape._src.ops.variables import Variable as ResourceVariable

__getattr__ = _missing(__name__, globals(), base=_v1)
