"""`tf.keras.optimizers.schedules`: learning rates that depend on the step."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.schedules import CosineDecay as CosineDecay
from gradtape._src.keras.schedules import CosineDecayRestarts as CosineDecayRestarts
from gradtape._src.keras.schedules import ExponentialDecay as ExponentialDecay
from gradtape._src.keras.schedules import InverseTimeDecay as InverseTimeDecay
from gradtape._src.keras.schedules import LearningRateSchedule as LearningRateSchedule
from gradtape._src.keras.schedules import PiecewiseConstantDecay as PiecewiseConstantDecay
from gradtape._src.keras.schedules import PolynomialDecay as PolynomialDecay
from gradtape._src.keras.schedules import deserialize as deserialize
from gradtape._src.keras.schedules import serialize as serialize

__getattr__ = _missing(__name__, globals())
