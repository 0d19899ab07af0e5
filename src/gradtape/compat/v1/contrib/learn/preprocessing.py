"""`tf.contrib.learn.preprocessing`: documents as vectors."""

from gradtape._src.compat_v1.contrib.learn import CategoricalVocabulary as CategoricalVocabulary
from gradtape._src.compat_v1.contrib.learn import VocabularyProcessor as VocabularyProcessor
from gradtape._src.compat_v1.contrib.learn import tokenizer as tokenizer
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals())
