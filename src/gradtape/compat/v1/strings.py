"""`tf.compat.v1.strings`: `tf.strings`, with the arguments of TensorFlow 1."""

import gradtape.strings as _strings
from gradtape._src.compat_v1.sparse import strings_split as split
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals(), base=_strings)
__dir__ = _listing(globals(), base=_strings)
