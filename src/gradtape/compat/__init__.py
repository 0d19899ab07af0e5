"""`tf.compat`: the names of TensorFlow 1 (`v1`) and of TensorFlow 2 (`v2`, which is gradtape itself)."""

from typing import TYPE_CHECKING

from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing
from gradtape._src.core.tensor_shape import dimension_at_index as dimension_at_index
from gradtape._src.core.tensor_shape import dimension_value as dimension_value

if TYPE_CHECKING:
    from gradtape.compat import v1 as v1
    from gradtape.compat import v2 as v2
else:
    _LAZY = ("v1", "v2")
    __getattr__ = _missing(__name__, globals(), lazy=_LAZY)
    __dir__ = _listing(globals(), lazy=_LAZY)

del TYPE_CHECKING
