"""`tf.compat.v1.app`: runs a program with flags."""

from gradtape._src.compat_v1.flags import run as run
from gradtape._src.core.missing import missing as _missing
from gradtape.compat.v1 import flags as flags

__getattr__ = _missing(__name__, globals())
