"""`tf.compat.v1.errors`: the exceptions of operations, and the way between them and their codes."""

from gradtape import errors as _errors
from gradtape._src.core.errors import error_code_from_exception_type as error_code_from_exception_type
from gradtape._src.core.errors import exception_type_from_error_code as exception_type_from_error_code
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals(), base=_errors)
__dir__ = _listing(globals(), base=_errors)
