"""`tf.test`: test cases, and what programs ask of the machine."""

from gradtape._src.compat_v1.test_case import TestCase as TestCase
from gradtape._src.compat_v1.test_case import get_temp_dir as get_temp_dir
from gradtape._src.compat_v1.test_case import gpu_device_name as gpu_device_name
from gradtape._src.compat_v1.test_case import is_built_with_cuda as is_built_with_cuda
from gradtape._src.compat_v1.test_case import is_gpu_available as is_gpu_available
from gradtape._src.compat_v1.test_case import main as main
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
