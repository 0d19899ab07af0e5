"""`tf.keras.callbacks`: what is called while a model is trained."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.models.averaging import SwapEMAWeights as SwapEMAWeights
from gradtape._src.keras.models.backup import BackupAndRestore as BackupAndRestore
from gradtape._src.keras.models.callback_list import CallbackList as CallbackList
from gradtape._src.keras.models.callbacks import Callback as Callback
from gradtape._src.keras.models.callbacks import History as History
from gradtape._src.keras.models.callbacks import LambdaCallback as LambdaCallback
from gradtape._src.keras.models.callbacks import TerminateOnNaN as TerminateOnNaN
from gradtape._src.keras.models.logging import CSVLogger as CSVLogger
from gradtape._src.keras.models.logging import ProgbarLogger as ProgbarLogger
from gradtape._src.keras.models.logging import TensorBoard as TensorBoard
from gradtape._src.keras.models.monitoring import EarlyStopping as EarlyStopping
from gradtape._src.keras.models.monitoring import LearningRateScheduler as LearningRateScheduler
from gradtape._src.keras.models.monitoring import ModelCheckpoint as ModelCheckpoint
from gradtape._src.keras.models.monitoring import ReduceLROnPlateau as ReduceLROnPlateau

__getattr__ = _missing(__name__, globals())
