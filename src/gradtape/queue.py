"""Queues: ``tf.queue``."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.data.queue import FIFOQueue as FIFOQueue
from gradtape._src.data.queue import QueueBase as QueueBase

__getattr__ = _missing(__name__, globals())
