"""`tf.bitwise`: operations on the bits of integers."""

from gradtape._src.api.bitwise import bitwise_and as bitwise_and
from gradtape._src.api.bitwise import bitwise_or as bitwise_or
from gradtape._src.api.bitwise import bitwise_xor as bitwise_xor
from gradtape._src.api.bitwise import invert as invert
from gradtape._src.api.bitwise import left_shift as left_shift
from gradtape._src.api.bitwise import right_shift as right_shift
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
