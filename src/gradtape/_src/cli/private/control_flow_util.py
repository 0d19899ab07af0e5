"""`tensorflow.python.ops.control_flow_util`."""

import gradtape.compat.v1 as _v1
from gradtape._src.core.missing import missing as _missing

ENABLE_CONTROL_FLOW_V2 = True  # the only kind here


__getattr__ = _missing(__name__, globals(), base=_v1)
