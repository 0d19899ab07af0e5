"""`tf.config`: devices and the runtime."""

from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing
from gradtape._src.function.config import LogicalDevice as LogicalDevice
from gradtape._src.function.config import LogicalDeviceConfiguration as LogicalDeviceConfiguration
from gradtape._src.function.config import PhysicalDevice as PhysicalDevice
from gradtape._src.function.config import get_logical_device_configuration as get_logical_device_configuration
from gradtape._src.function.config import get_soft_device_placement as get_soft_device_placement
from gradtape._src.function.config import get_visible_devices as get_visible_devices
from gradtape._src.function.config import list_logical_devices as list_logical_devices
from gradtape._src.function.config import list_physical_devices as list_physical_devices
from gradtape._src.function.config import set_logical_device_configuration as set_logical_device_configuration
from gradtape._src.function.config import set_soft_device_placement as set_soft_device_placement
from gradtape._src.function.config import set_visible_devices as set_visible_devices
from gradtape._src.function.running import functions_run_eagerly as experimental_functions_run_eagerly
from gradtape._src.function.running import functions_run_eagerly as functions_run_eagerly
from gradtape._src.function.running import run_functions_eagerly as experimental_run_functions_eagerly
from gradtape._src.function.running import run_functions_eagerly as run_functions_eagerly
from gradtape.config import experimental as experimental
from gradtape.config import optimizer as optimizer
from gradtape.config import threading as threading

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
