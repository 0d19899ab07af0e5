"""`tf.config.experimental`: names that TensorFlow may still change."""

from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing
from gradtape._src.function.config import LogicalDeviceConfiguration as VirtualDeviceConfiguration
from gradtape._src.function.config import enable_op_determinism as enable_op_determinism
from gradtape._src.function.config import enable_tensor_float_32_execution as enable_tensor_float_32_execution
from gradtape._src.function.config import get_device_details as get_device_details
from gradtape._src.function.config import get_logical_device_configuration as get_virtual_device_configuration
from gradtape._src.function.config import get_memory_growth as get_memory_growth
from gradtape._src.function.config import get_memory_info as get_memory_info
from gradtape._src.function.config import get_synchronous_execution as get_synchronous_execution
from gradtape._src.function.config import get_visible_devices as get_visible_devices
from gradtape._src.function.config import list_logical_devices as list_logical_devices
from gradtape._src.function.config import list_physical_devices as list_physical_devices
from gradtape._src.function.config import reset_memory_stats as reset_memory_stats
from gradtape._src.function.config import set_logical_device_configuration as set_virtual_device_configuration
from gradtape._src.function.config import set_memory_growth as set_memory_growth
from gradtape._src.function.config import set_synchronous_execution as set_synchronous_execution
from gradtape._src.function.config import set_visible_devices as set_visible_devices
from gradtape._src.function.config import (
    tensor_float_32_execution_enabled as tensor_float_32_execution_enabled,
)

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
