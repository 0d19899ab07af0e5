"""`tf.sets`: rows as sets."""

from gradtape._src.api.sets import difference as difference
from gradtape._src.api.sets import intersection as intersection
from gradtape._src.api.sets import size as size
from gradtape._src.api.sets import union as union
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
