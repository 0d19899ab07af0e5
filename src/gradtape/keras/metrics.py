"""`tf.keras.metrics`, also `tf.metrics`: numbers that are gathered over batches."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.auc import AUC as AUC
from gradtape._src.keras.confusion import FalseNegatives as FalseNegatives
from gradtape._src.keras.confusion import FalsePositives as FalsePositives
from gradtape._src.keras.confusion import Precision as Precision
from gradtape._src.keras.confusion import PrecisionAtRecall as PrecisionAtRecall
from gradtape._src.keras.confusion import Recall as Recall
from gradtape._src.keras.confusion import RecallAtPrecision as RecallAtPrecision
from gradtape._src.keras.confusion import SensitivityAtSpecificity as SensitivityAtSpecificity
from gradtape._src.keras.confusion import SpecificityAtSensitivity as SpecificityAtSensitivity
from gradtape._src.keras.confusion import TrueNegatives as TrueNegatives
from gradtape._src.keras.confusion import TruePositives as TruePositives
from gradtape._src.keras.iou_metrics import BinaryIoU as BinaryIoU
from gradtape._src.keras.iou_metrics import IoU as IoU
from gradtape._src.keras.iou_metrics import MeanIoU as MeanIoU
from gradtape._src.keras.iou_metrics import OneHotIoU as OneHotIoU
from gradtape._src.keras.iou_metrics import OneHotMeanIoU as OneHotMeanIoU
from gradtape._src.keras.loss_functions import categorical_hinge as categorical_hinge
from gradtape._src.keras.loss_functions import cosine_similarity as cosine_similarity
from gradtape._src.keras.loss_functions import hinge as hinge
from gradtape._src.keras.loss_functions import huber as huber
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
from gradtape._src.keras.loss_probabilities import binary_crossentropy as binary_crossentropy
from gradtape._src.keras.loss_probabilities import binary_focal_crossentropy as binary_focal_crossentropy
from gradtape._src.keras.loss_probabilities import categorical_crossentropy as categorical_crossentropy
from gradtape._src.keras.loss_probabilities import (
    categorical_focal_crossentropy as categorical_focal_crossentropy,
)
from gradtape._src.keras.loss_probabilities import kl_divergence as KLD
from gradtape._src.keras.loss_probabilities import kl_divergence as kl_divergence
from gradtape._src.keras.loss_probabilities import kl_divergence as kld
from gradtape._src.keras.loss_probabilities import kl_divergence as kullback_leibler_divergence
from gradtape._src.keras.loss_probabilities import poisson as poisson
from gradtape._src.keras.loss_probabilities import (
    sparse_categorical_crossentropy as sparse_categorical_crossentropy,
)
from gradtape._src.keras.metric import Mean as Mean
from gradtape._src.keras.metric import MeanMetricWrapper as MeanMetricWrapper
from gradtape._src.keras.metric import Metric as Metric
from gradtape._src.keras.metric import Sum as Sum
from gradtape._src.keras.metric_functions import binary_accuracy as binary_accuracy
from gradtape._src.keras.metric_functions import categorical_accuracy as categorical_accuracy
from gradtape._src.keras.metric_functions import concordance_correlation as concordance_correlation
from gradtape._src.keras.metric_functions import pearson_correlation as pearson_correlation
from gradtape._src.keras.metric_functions import sparse_categorical_accuracy as sparse_categorical_accuracy
from gradtape._src.keras.metric_functions import (
    sparse_top_k_categorical_accuracy as sparse_top_k_categorical_accuracy,
)
from gradtape._src.keras.metric_functions import top_k_categorical_accuracy as top_k_categorical_accuracy
from gradtape._src.keras.metric_names import deserialize as deserialize
from gradtape._src.keras.metric_names import get as get
from gradtape._src.keras.metric_names import serialize as serialize
from gradtape._src.keras.metrics import Accuracy as Accuracy
from gradtape._src.keras.metrics import BinaryAccuracy as BinaryAccuracy
from gradtape._src.keras.metrics import BinaryCrossentropy as BinaryCrossentropy
from gradtape._src.keras.metrics import CategoricalAccuracy as CategoricalAccuracy
from gradtape._src.keras.metrics import CategoricalCrossentropy as CategoricalCrossentropy
from gradtape._src.keras.metrics import CategoricalHinge as CategoricalHinge
from gradtape._src.keras.metrics import ConcordanceCorrelation as ConcordanceCorrelation
from gradtape._src.keras.metrics import CosineSimilarity as CosineSimilarity
from gradtape._src.keras.metrics import Hinge as Hinge
from gradtape._src.keras.metrics import KLDivergence as KLDivergence
from gradtape._src.keras.metrics import LogCoshError as LogCoshError
from gradtape._src.keras.metrics import MeanAbsoluteError as MeanAbsoluteError
from gradtape._src.keras.metrics import MeanAbsolutePercentageError as MeanAbsolutePercentageError
from gradtape._src.keras.metrics import MeanSquaredError as MeanSquaredError
from gradtape._src.keras.metrics import MeanSquaredLogarithmicError as MeanSquaredLogarithmicError
from gradtape._src.keras.metrics import PearsonCorrelation as PearsonCorrelation
from gradtape._src.keras.metrics import Poisson as Poisson
from gradtape._src.keras.metrics import RootMeanSquaredError as RootMeanSquaredError
from gradtape._src.keras.metrics import SparseCategoricalAccuracy as SparseCategoricalAccuracy
from gradtape._src.keras.metrics import SparseCategoricalCrossentropy as SparseCategoricalCrossentropy
from gradtape._src.keras.metrics import SparseTopKCategoricalAccuracy as SparseTopKCategoricalAccuracy
from gradtape._src.keras.metrics import SquaredHinge as SquaredHinge
from gradtape._src.keras.metrics import TopKCategoricalAccuracy as TopKCategoricalAccuracy
from gradtape._src.keras.score_metrics import F1Score as F1Score
from gradtape._src.keras.score_metrics import FBetaScore as FBetaScore
from gradtape._src.keras.score_metrics import R2Score as R2Score

__getattr__ = _missing(__name__, globals())
