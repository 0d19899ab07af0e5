"""`tf.keras.layers`: layers, and the base to make one's own."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.input_spec import InputSpec as InputSpec
from gradtape._src.keras.layer import Layer as Layer

__getattr__ = _missing(__name__, globals())
