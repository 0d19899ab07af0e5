"""`tf.ragged`: rows of different lengths."""

from gradtape._src.api.ragged import boolean_mask as boolean_mask
from gradtape._src.api.ragged import constant as constant
from gradtape._src.api.ragged import map_flat_values as map_flat_values
from gradtape._src.api.ragged import ragged_range as range
from gradtape._src.api.ragged import stack as stack
from gradtape._src.api.ragged_places import row_splits_to_segment_ids as row_splits_to_segment_ids
from gradtape._src.api.ragged_places import segment_ids_to_row_splits as segment_ids_to_row_splits
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
