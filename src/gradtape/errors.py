"""`tf.errors`: the exceptions of operations, and their codes."""

from gradtape._src.core.errors import ABORTED as ABORTED
from gradtape._src.core.errors import ALREADY_EXISTS as ALREADY_EXISTS
from gradtape._src.core.errors import CANCELLED as CANCELLED
from gradtape._src.core.errors import DATA_LOSS as DATA_LOSS
from gradtape._src.core.errors import DEADLINE_EXCEEDED as DEADLINE_EXCEEDED
from gradtape._src.core.errors import FAILED_PRECONDITION as FAILED_PRECONDITION
from gradtape._src.core.errors import INTERNAL as INTERNAL
from gradtape._src.core.errors import INVALID_ARGUMENT as INVALID_ARGUMENT
from gradtape._src.core.errors import NOT_FOUND as NOT_FOUND
from gradtape._src.core.errors import OK as OK
from gradtape._src.core.errors import OUT_OF_RANGE as OUT_OF_RANGE
from gradtape._src.core.errors import PERMISSION_DENIED as PERMISSION_DENIED
from gradtape._src.core.errors import RESOURCE_EXHAUSTED as RESOURCE_EXHAUSTED
from gradtape._src.core.errors import UNAUTHENTICATED as UNAUTHENTICATED
from gradtape._src.core.errors import UNAVAILABLE as UNAVAILABLE
from gradtape._src.core.errors import UNIMPLEMENTED as UNIMPLEMENTED
from gradtape._src.core.errors import UNKNOWN as UNKNOWN
from gradtape._src.core.errors import AbortedError as AbortedError
from gradtape._src.core.errors import AlreadyExistsError as AlreadyExistsError
from gradtape._src.core.errors import CancelledError as CancelledError
from gradtape._src.core.errors import DataLossError as DataLossError
from gradtape._src.core.errors import DeadlineExceededError as DeadlineExceededError
from gradtape._src.core.errors import FailedPreconditionError as FailedPreconditionError
from gradtape._src.core.errors import InternalError as InternalError
from gradtape._src.core.errors import InvalidArgumentError as InvalidArgumentError
from gradtape._src.core.errors import NotFoundError as NotFoundError
from gradtape._src.core.errors import OperatorNotAllowedInGraphError as OperatorNotAllowedInGraphError
from gradtape._src.core.errors import OpError as OpError
from gradtape._src.core.errors import OutOfRangeError as OutOfRangeError
from gradtape._src.core.errors import PermissionDeniedError as PermissionDeniedError
from gradtape._src.core.errors import ResourceExhaustedError as ResourceExhaustedError
from gradtape._src.core.errors import UnauthenticatedError as UnauthenticatedError
from gradtape._src.core.errors import UnavailableError as UnavailableError
from gradtape._src.core.errors import UnimplementedError as UnimplementedError
from gradtape._src.core.errors import UnknownError as UnknownError
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
