"""`tf.dtypes`: the types of a tensor's elements, and the way between them."""

from gradtape._src.api.casting import cast as cast
from gradtape._src.api.casting import saturate_cast as saturate_cast
from gradtape._src.api.complex import complex as complex
from gradtape._src.core.dtypes import QUANTIZED_DTYPES as QUANTIZED_DTYPES
from gradtape._src.core.dtypes import DType as DType
from gradtape._src.core.dtypes import as_dtype as as_dtype
from gradtape._src.core.dtypes import bfloat16 as bfloat16
from gradtape._src.core.dtypes import bool_ as bool
from gradtape._src.core.dtypes import complex64 as complex64
from gradtape._src.core.dtypes import complex128 as complex128
from gradtape._src.core.dtypes import double as double
from gradtape._src.core.dtypes import float16 as float16
from gradtape._src.core.dtypes import float32 as float32
from gradtape._src.core.dtypes import float64 as float64
from gradtape._src.core.dtypes import half as half
from gradtape._src.core.dtypes import int8 as int8
from gradtape._src.core.dtypes import int16 as int16
from gradtape._src.core.dtypes import int32 as int32
from gradtape._src.core.dtypes import int64 as int64
from gradtape._src.core.dtypes import qint8 as qint8
from gradtape._src.core.dtypes import qint16 as qint16
from gradtape._src.core.dtypes import qint32 as qint32
from gradtape._src.core.dtypes import quint8 as quint8
from gradtape._src.core.dtypes import quint16 as quint16
from gradtape._src.core.dtypes import resource as resource
from gradtape._src.core.dtypes import string as string
from gradtape._src.core.dtypes import uint8 as uint8
from gradtape._src.core.dtypes import uint16 as uint16
from gradtape._src.core.dtypes import uint32 as uint32
from gradtape._src.core.dtypes import uint64 as uint64
from gradtape._src.core.dtypes import variant as variant
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing
from gradtape.dtypes import experimental as experimental

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
