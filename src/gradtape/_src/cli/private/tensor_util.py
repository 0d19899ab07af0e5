"""`tensorflow.python.framework.tensor_util`."""

import gradtape.compat.v1 as _v1
from gradtape import get_static_value as constant_value
from gradtape import is_tensor as is_tensor
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals(), base=_v1)
