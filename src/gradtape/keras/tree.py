"""`tf.keras.tree`: nests of tensors."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.core.nest import assert_same_structure as assert_same_structure
from gradtape._src.core.nest import flatten as flatten
from gradtape._src.core.nest import is_nested as is_nested
from gradtape._src.core.nest import map_structure as map_structure
from gradtape._src.core.nest import pack_sequence_as as pack_sequence_as

__getattr__ = _missing(__name__, globals())
