"""`tf.saved_model`: models of Keras in folders."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.models.saved_folder import load as load
from gradtape._src.keras.models.saved_folder import save as save

__getattr__ = _missing(__name__, globals())
