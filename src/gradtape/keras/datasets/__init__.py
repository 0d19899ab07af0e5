"""`tf.keras.datasets`: well-known data sets, read from files on this computer."""

from gradtape._src.core.missing import missing as _missing
from gradtape.keras.datasets import boston_housing as boston_housing
from gradtape.keras.datasets import california_housing as california_housing
from gradtape.keras.datasets import cifar10 as cifar10
from gradtape.keras.datasets import cifar100 as cifar100
from gradtape.keras.datasets import fashion_mnist as fashion_mnist
from gradtape.keras.datasets import imdb as imdb
from gradtape.keras.datasets import mnist as mnist
from gradtape.keras.datasets import reuters as reuters

__getattr__ = _missing(__name__, globals())
