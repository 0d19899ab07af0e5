"""`tf.keras.losses`, also `tf.losses`: what training makes small."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.loss import FunctionLoss as LossFunctionWrapper
from gradtape._src.keras.loss import Loss as Loss
from gradtape._src.keras.loss import Reduction as Reduction
from gradtape._src.keras.loss_functions import categorical_hinge as categorical_hinge
from gradtape._src.keras.loss_functions import cosine_similarity as cosine_similarity
from gradtape._src.keras.loss_functions import hinge as hinge
from gradtape._src.keras.loss_functions import huber as huber
from gradtape._src.keras.loss_functions import huber as huber_loss
from gradtape._src.keras.loss_functions import log_cosh as log_cosh
from gradtape._src.keras.loss_functions import log_cosh as logcosh
from gradtape._src.keras.loss_functions import mean_absolute_error as MAE
from gradtape._src.keras.loss_functions import mean_absolute_error as mae
from gradtape._src.keras.loss_functions import mean_absolute_error as mean_absolute_error
from gradtape._src.keras.loss_functions import mean_absolute_percentage_error as MAPE
from gradtape._src.keras.loss_functions import mean_absolute_percentage_error as mape
from gradtape._src.keras.loss_functions import (
    mean_absolute_percentage_error as mean_absolute_percentage_error,
)
from gradtape._src.keras.loss_functions import mean_squared_error as MSE
from gradtape._src.keras.loss_functions import mean_squared_error as mean_squared_error
from gradtape._src.keras.loss_functions import mean_squared_error as mse
from gradtape._src.keras.loss_functions import mean_squared_logarithmic_error as MSLE
from gradtape._src.keras.loss_functions import (
    mean_squared_logarithmic_error as mean_squared_logarithmic_error,
)
from gradtape._src.keras.loss_functions import mean_squared_logarithmic_error as msle
from gradtape._src.keras.loss_functions import squared_hinge as squared_hinge
from gradtape._src.keras.loss_overlaps import circle as circle
from gradtape._src.keras.loss_overlaps import dice as dice
from gradtape._src.keras.loss_overlaps import tversky as tversky
from gradtape._src.keras.loss_probabilities import binary_crossentropy as BCE
from gradtape._src.keras.loss_probabilities import binary_crossentropy as bce
from gradtape._src.keras.loss_probabilities import binary_crossentropy as binary_crossentropy
from gradtape._src.keras.loss_probabilities import binary_focal_crossentropy as binary_focal_crossentropy
from gradtape._src.keras.loss_probabilities import categorical_crossentropy as categorical_crossentropy
from gradtape._src.keras.loss_probabilities import (
    categorical_focal_crossentropy as categorical_focal_crossentropy,
)
from gradtape._src.keras.loss_probabilities import (
    categorical_generalized_cross_entropy as categorical_generalized_cross_entropy,
)
from gradtape._src.keras.loss_probabilities import kl_divergence as KLD
from gradtape._src.keras.loss_probabilities import kl_divergence as kl_divergence
from gradtape._src.keras.loss_probabilities import kl_divergence as kld
from gradtape._src.keras.loss_probabilities import kl_divergence as kullback_leibler_divergence
from gradtape._src.keras.loss_probabilities import poisson as poisson
from gradtape._src.keras.loss_probabilities import (
    sparse_categorical_crossentropy as sparse_categorical_crossentropy,
)
from gradtape._src.keras.loss_sequences import ctc as ctc
from gradtape._src.keras.losses import CTC as CTC
from gradtape._src.keras.losses import BinaryCrossentropy as BinaryCrossentropy
from gradtape._src.keras.losses import BinaryFocalCrossentropy as BinaryFocalCrossentropy
from gradtape._src.keras.losses import CategoricalCrossentropy as CategoricalCrossentropy
from gradtape._src.keras.losses import CategoricalFocalCrossentropy as CategoricalFocalCrossentropy
from gradtape._src.keras.losses import (
    CategoricalGeneralizedCrossEntropy as CategoricalGeneralizedCrossEntropy,
)
from gradtape._src.keras.losses import CategoricalHinge as CategoricalHinge
from gradtape._src.keras.losses import Circle as Circle
from gradtape._src.keras.losses import CosineSimilarity as CosineSimilarity
from gradtape._src.keras.losses import Dice as Dice
from gradtape._src.keras.losses import Hinge as Hinge
from gradtape._src.keras.losses import Huber as Huber
from gradtape._src.keras.losses import KLDivergence as KLDivergence
from gradtape._src.keras.losses import LogCosh as LogCosh
from gradtape._src.keras.losses import MeanAbsoluteError as MeanAbsoluteError
from gradtape._src.keras.losses import MeanAbsolutePercentageError as MeanAbsolutePercentageError
from gradtape._src.keras.losses import MeanSquaredError as MeanSquaredError
from gradtape._src.keras.losses import MeanSquaredLogarithmicError as MeanSquaredLogarithmicError
from gradtape._src.keras.losses import Poisson as Poisson
from gradtape._src.keras.losses import SparseCategoricalCrossentropy as SparseCategoricalCrossentropy
from gradtape._src.keras.losses import SquaredHinge as SquaredHinge
from gradtape._src.keras.losses import Tversky as Tversky
from gradtape._src.keras.losses import deserialize as deserialize
from gradtape._src.keras.losses import get as get
from gradtape._src.keras.losses import serialize as serialize

__getattr__ = _missing(__name__, globals())
