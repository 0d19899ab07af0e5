"""`tf.experimental.dlpack`: tensors to and from other libraries."""

from gradtape._src.api.tensors import from_dlpack as from_dlpack
from gradtape._src.api.tensors import to_dlpack as to_dlpack
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
