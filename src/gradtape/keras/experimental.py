"""`tf.keras.experimental`: learning rate schedules, by the place they had in Keras 2."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.schedules import CosineDecay as CosineDecay
from gradtape._src.keras.schedules import CosineDecayRestarts as CosineDecayRestarts

__getattr__ = _missing(__name__, globals())
