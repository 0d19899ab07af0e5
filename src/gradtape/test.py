"""`tf.test`: tests of programs of tensors."""

from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing
from gradtape._src.testing.case import TestCase as TestCase
from gradtape._src.testing.case import main as main
from gradtape._src.testing.devices import gpu_device_name as gpu_device_name
from gradtape._src.testing.devices import is_built_with_cuda as is_built_with_cuda
from gradtape._src.testing.devices import is_built_with_gpu_support as is_built_with_gpu_support
from gradtape._src.testing.devices import is_built_with_rocm as is_built_with_rocm
from gradtape._src.testing.devices import is_built_with_xla as is_built_with_xla
from gradtape._src.testing.devices import is_cpu_target_available as is_cpu_target_available
from gradtape._src.testing.devices import is_gpu_available as is_gpu_available
from gradtape._src.testing.gradients import compute_gradient as compute_gradient

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
