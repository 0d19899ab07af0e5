"""`tf.dtypes.experimental`: small number types. Tensors of them can be made, cast and printed."""

from gradtape._src.core.dtypes import float4_e2m1fn as float4_e2m1fn
from gradtape._src.core.dtypes import float8_e4m3b11fnuz as float8_e4m3b11fnuz
from gradtape._src.core.dtypes import float8_e4m3fn as float8_e4m3fn
from gradtape._src.core.dtypes import float8_e4m3fnuz as float8_e4m3fnuz
from gradtape._src.core.dtypes import float8_e5m2 as float8_e5m2
from gradtape._src.core.dtypes import float8_e5m2fnuz as float8_e5m2fnuz
from gradtape._src.core.dtypes import int2 as int2
from gradtape._src.core.dtypes import int4 as int4
from gradtape._src.core.dtypes import uint2 as uint2
from gradtape._src.core.dtypes import uint4 as uint4
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
