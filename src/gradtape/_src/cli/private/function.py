"""`tensorflow.python.eager.function`."""

import gradtape.compat.v1 as _v1
from gradtape._src.core.missing import missing as _missing
from gradtape._src.function.function import function as defun

__getattr__ = _missing(__name__, globals(), base=_v1)
