"""`tensorflow.python.eager.context`."""

import gradtape.compat.v1 as _v1
from gradtape._src.core.missing import missing as _missing
from gradtape._src.testing.modes import eager_mode as eager_mode
from gradtape._src.testing.modes import graph_mode as graph_mode

__getattr__ = _missing(__name__, globals(), base=_v1)
