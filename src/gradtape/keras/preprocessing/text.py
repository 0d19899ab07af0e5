"""`tf.keras.preprocessing.text`: texts as numbers of words."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.tokenizer import Tokenizer as Tokenizer
from gradtape._src.keras.tokenizer import hashing_trick as hashing_trick
from gradtape._src.keras.tokenizer import one_hot as one_hot
from gradtape._src.keras.tokenizer import text_to_word_sequence as text_to_word_sequence
from gradtape._src.keras.tokenizer import tokenizer_from_json as tokenizer_from_json

__getattr__ = _missing(__name__, globals())
