"""`tf.lookup.experimental`: tables that change."""

from gradtape._src.api.lookup import MutableHashTable as MutableHashTable
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
