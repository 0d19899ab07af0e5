"""`tensorflow.python.framework.test_util`: the test case, and the decorators of TensorFlow's own tests."""

from gradtape import test as _test
from gradtape._src.core.missing import missing as _missing
from gradtape._src.testing.case import TestCase as TensorFlowTestCase
from gradtape._src.testing.modes import *  # noqa: F403

__getattr__ = _missing(__name__, globals(), base=_test)
