"""`tf.compat.v1.flags`: flags of the command line; all that absl-py's `flags` has."""

import absl.flags as _flags

from gradtape._src.compat_v1.flags import FLAGS as FLAGS
from gradtape._src.compat_v1.flags import DEFINE_bool as DEFINE_bool
from gradtape._src.compat_v1.flags import DEFINE_boolean as DEFINE_boolean
from gradtape._src.compat_v1.flags import DEFINE_float as DEFINE_float
from gradtape._src.compat_v1.flags import DEFINE_integer as DEFINE_integer
from gradtape._src.compat_v1.flags import DEFINE_string as DEFINE_string
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals(), base=_flags)
__dir__ = _listing(globals(), base=_flags)
