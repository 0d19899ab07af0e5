"""`tensorflow.python.ops.variables`."""

import gradtape.compat.v1 as _v1
from gradtape._src.core.missing import missing as _missing
from gradtape._src.ops.variables import Variable as Variable
from gradtape.compat.v1 import Variable as VariableV1

__getattr__ = _missing(__name__, globals(), base=_v1)
