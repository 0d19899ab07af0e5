"""`tf.keras.applications`: well-known networks of images."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.applications.inception import InceptionV3 as InceptionV3
from gradtape._src.keras.applications.mobilenet import MobileNet as MobileNet
from gradtape._src.keras.applications.mobilenet import MobileNetV2 as MobileNetV2
from gradtape._src.keras.applications.resnet import ResNet50 as ResNet50
from gradtape._src.keras.applications.resnet import ResNet101 as ResNet101
from gradtape._src.keras.applications.resnet import ResNet152 as ResNet152
from gradtape._src.keras.applications.vgg import VGG16 as VGG16
from gradtape._src.keras.applications.vgg import VGG19 as VGG19
from gradtape.keras.applications import inception_v3 as inception_v3
from gradtape.keras.applications import mobilenet as mobilenet
from gradtape.keras.applications import mobilenet_v2 as mobilenet_v2
from gradtape.keras.applications import resnet as resnet
from gradtape.keras.applications import resnet50 as resnet50
from gradtape.keras.applications import vgg16 as vgg16
from gradtape.keras.applications import vgg19 as vgg19

__getattr__ = _missing(__name__, globals())
