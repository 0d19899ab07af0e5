"""`tf.compat.v1.logging`: messages of TensorFlow 1 programs, and which of them are shown."""

from gradtape._src.compat_v1.messages import DEBUG as DEBUG
from gradtape._src.compat_v1.messages import ERROR as ERROR
from gradtape._src.compat_v1.messages import FATAL as FATAL
from gradtape._src.compat_v1.messages import INFO as INFO
from gradtape._src.compat_v1.messages import WARN as WARN
from gradtape._src.compat_v1.messages import debug as debug
from gradtape._src.compat_v1.messages import error as error
from gradtape._src.compat_v1.messages import fatal as fatal
from gradtape._src.compat_v1.messages import get_verbosity as get_verbosity
from gradtape._src.compat_v1.messages import info as info
from gradtape._src.compat_v1.messages import log as log
from gradtape._src.compat_v1.messages import log_every_n as log_every_n
from gradtape._src.compat_v1.messages import log_first_n as log_first_n
from gradtape._src.compat_v1.messages import log_if as log_if
from gradtape._src.compat_v1.messages import set_verbosity as set_verbosity
from gradtape._src.compat_v1.messages import vlog as vlog
from gradtape._src.compat_v1.messages import warn as warn
from gradtape._src.compat_v1.messages import warning as warning
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals())
