"""`tf.compat.v2` is gradtape itself: importing this module gives the one module object."""

import sys

import gradtape

sys.modules[__name__] = gradtape
