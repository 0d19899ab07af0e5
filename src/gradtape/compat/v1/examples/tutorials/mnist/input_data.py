"""`tensorflow.examples.tutorials.mnist.input_data` of TensorFlow 1: handwritten digits in batches."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.mnist_tutorial import DataSet as DataSet
from gradtape._src.keras.mnist_tutorial import Datasets as Datasets
from gradtape._src.keras.mnist_tutorial import dense_to_one_hot as dense_to_one_hot
from gradtape._src.keras.mnist_tutorial import read_data_sets as read_data_sets

__getattr__ = _missing(__name__, globals())
