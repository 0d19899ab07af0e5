"""`tf.lookup`: tables from keys to values."""

from gradtape._src.api.lookup import KeyValueTensorInitializer as KeyValueTensorInitializer
from gradtape._src.api.lookup import StaticHashTable as StaticHashTable
from gradtape._src.api.lookup import StaticVocabularyTable as StaticVocabularyTable
from gradtape._src.api.lookup import TextFileIndex as TextFileIndex
from gradtape._src.api.lookup import TextFileInitializer as TextFileInitializer
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing
from gradtape.lookup import experimental as experimental

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
