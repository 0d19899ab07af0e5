"""``tf.config``: what can be asked and set about devices and the runtime. There is one device, the CPU."""

from __future__ import annotations

from typing import Any, NamedTuple

from gradtape._src.native.library import set_threads


class PhysicalDevice(NamedTuple):
    """A device of the machine.

    >>> import gradtape as tf
    >>> tf.config.list_physical_devices()
    [PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')]
    """

    name: str
    device_type: str


class LogicalDevice(NamedTuple):
    """A device as programs name it.

    >>> import gradtape as tf
    >>> tf.config.list_logical_devices()
    [LogicalDevice(name='/device:CPU:0', device_type='CPU')]
    """

    name: str
    device_type: str


class LogicalDeviceConfiguration(NamedTuple):
    """How a part of a device is to be set up.

    >>> import gradtape as tf
    >>> tf.config.LogicalDeviceConfiguration(memory_limit=100).memory_limit
    100
    """

    memory_limit: Any = None
    experimental_priority: Any = None
    experimental_device_ordinal: Any = None


_CPU = PhysicalDevice("/physical_device:CPU:0", "CPU")
_settings: dict[str, Any] = {"soft_placement": True, "tf32": True, "inter": 0, "intra": 0, "policy": "silent"}
_options: dict[str, Any] = {"disable_model_pruning": False, "disable_meta_optimizer": False}
_jit: list[str] = [""]


def _of_type(devices: list[Any], device_type: str | None) -> list[Any]:
    return [device for device in devices if device_type in (None, device.device_type)]


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices of the machine, or those of one type: the CPU, and no others.

    >>> import gradtape as tf
    >>> tf.config.list_physical_devices("GPU")
    []
    """
    return _of_type([_CPU], device_type)


def list_logical_devices(device_type: str | None = None) -> list[LogicalDevice]:
    """The devices as programs name them.

    >>> import gradtape as tf
    >>> len(tf.config.list_logical_devices("CPU"))
    1
    """
    return _of_type([LogicalDevice("/device:CPU:0", "CPU")], device_type)


def get_visible_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices in use.

    >>> import gradtape as tf
    >>> tf.config.get_visible_devices("GPU")
    []
    """
    return _of_type([_CPU], device_type)


def set_visible_devices(devices: Any, device_type: str | None = None) -> None:
    """Chooses devices to use; without effect, as there is one.

    Raises:
      ValueError: there is no such device.

    >>> import gradtape as tf
    >>> tf.config.set_visible_devices([], "GPU")
    """
    for device in (
        devices
        if isinstance(devices, (list, tuple)) and not isinstance(devices, PhysicalDevice)
        else [devices]
    ):
        _known(device)


def _known(device: Any) -> None:
    if device is not None and device != _CPU:
        raise ValueError(f"Unrecognized device: {device!r}")


def get_logical_device_configuration(device: Any) -> Any:
    """How a device is divided: None, it is not.

    >>> import gradtape as tf
    >>> tf.config.get_logical_device_configuration(tf.config.list_physical_devices()[0])
    """
    _known(device)


def set_logical_device_configuration(device: Any, logical_devices: Any) -> None:
    """Divides a device: the CPU cannot be divided.

    Raises:
      RuntimeError: into more than one.

    >>> import gradtape as tf
    >>> cpu = tf.config.list_physical_devices()[0]
    >>> tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()])
    """
    _known(device)
    if logical_devices is not None and len(logical_devices) > 1:
        raise RuntimeError("Virtual devices cannot be modified after being initialized")


def get_soft_device_placement() -> bool:
    """Whether an operation may run on another device than was asked for.

    >>> import gradtape as tf
    >>> tf.config.get_soft_device_placement()
    True
    """
    return _settings["soft_placement"]


def set_soft_device_placement(enabled: bool) -> None:
    """Remembered, without effect.

    >>> import gradtape as tf
    >>> tf.config.set_soft_device_placement(True)
    """
    _settings["soft_placement"] = bool(enabled)


# --- tf.config.experimental ---------------------------------------------------------------------------------


def get_memory_growth(device: Any) -> bool:
    """Whether the memory in use on a GPU grows: there is no GPU.

    Raises:
      KeyError: always.

    >>> import gradtape as tf
    >>> [tf.config.experimental.get_memory_growth(gpu) for gpu in tf.config.list_physical_devices("GPU")]
    []
    """
    _known(device)
    raise KeyError(device)


def set_memory_growth(device: Any, enable: bool) -> None:
    """Whether the memory in use on a GPU is to grow.

    Raises:
      ValueError: the device is no GPU.

    >>> import gradtape as tf
    >>> for gpu in tf.config.list_physical_devices("GPU"):
    ...     tf.config.experimental.set_memory_growth(gpu, True)
    """
    _known(device)
    raise ValueError("Cannot set memory growth on non-GPU and non-Pluggable devices")


def get_memory_info(device: str) -> dict[str, int]:
    """The memory in use on a GPU.

    Raises:
      ValueError: the device is no GPU.

    >>> import gradtape as tf
    >>> tf.config.experimental.get_memory_info("CPU:0")
    Traceback (most recent call last):
    ValueError: Allocator stats not available for device 'CPU:0'
    """
    if device.upper().endswith("CPU:0"):
        raise ValueError(f"Allocator stats not available for device '{device}'")
    raise ValueError(f"No matching devices found for '{device}'")


def reset_memory_stats(device: str) -> None:
    """Forgets the largest amount of memory that was in use on a GPU; see `get_memory_info`.

    >>> import gradtape as tf
    >>> tf.config.experimental.reset_memory_stats("GPU:0")
    Traceback (most recent call last):
    ValueError: No matching devices found for 'GPU:0'
    """
    get_memory_info(device)


def get_device_details(device: Any) -> dict[str, Any]:
    """What is known of a GPU: nothing of a CPU.

    >>> import gradtape as tf
    >>> tf.config.experimental.get_device_details(tf.config.list_physical_devices()[0])
    {}
    """
    return {}


def enable_op_determinism() -> None:
    """Without effect: every operation gives the same result each time anyway.

    >>> import gradtape as tf
    >>> tf.config.experimental.enable_op_determinism()
    """


def enable_tensor_float_32_execution(enabled: bool) -> None:
    """Remembered, without effect: float32 is never rounded.

    >>> import gradtape as tf
    >>> tf.config.experimental.enable_tensor_float_32_execution(True)
    """
    _settings["tf32"] = bool(enabled)


def tensor_float_32_execution_enabled() -> bool:
    """What `enable_tensor_float_32_execution` was given.

    >>> import gradtape as tf
    >>> tf.config.experimental.tensor_float_32_execution_enabled()
    True
    """
    return _settings["tf32"]


def get_synchronous_execution() -> bool:
    """Whether an operation is executed before the next one starts: always.

    >>> import gradtape as tf
    >>> tf.config.experimental.get_synchronous_execution()
    True
    """
    return True


def set_synchronous_execution(enable: bool) -> None:
    """Without effect.

    >>> import gradtape as tf
    >>> tf.config.experimental.set_synchronous_execution(True)
    """


# --- tf.config.threading and tf.config.optimizer ------------------------------------------------------------


def get_inter_op_parallelism_threads() -> int:
    """What `set_inter_op_parallelism_threads` was given; 0: not set.

    >>> import gradtape as tf
    >>> tf.config.threading.get_inter_op_parallelism_threads()
    0
    """
    return _settings["inter"]


def set_inter_op_parallelism_threads(num_threads: int) -> None:
    """Remembered, without effect: operations are executed one after the other.

    >>> import gradtape as tf
    >>> tf.config.threading.set_inter_op_parallelism_threads(0)
    """
    _settings["inter"] = int(num_threads)


def get_intra_op_parallelism_threads() -> int:
    """What `set_intra_op_parallelism_threads` was given; 0: not set.

    >>> import gradtape as tf
    >>> tf.config.threading.get_intra_op_parallelism_threads()
    0
    """
    return _settings["intra"]


def set_intra_op_parallelism_threads(num_threads: int) -> None:
    """How many threads the compiled kernels use; 0: as many as there are cores. (NumPy's own obey OMP_NUM_THREADS.)

    >>> import gradtape as tf
    >>> tf.config.threading.set_intra_op_parallelism_threads(0)
    """
    _settings["intra"] = int(num_threads)
    set_threads(_settings["intra"])


def get_jit() -> str:
    """What `set_jit` was given.

    >>> import gradtape as tf
    >>> tf.config.optimizer.get_jit()
    ''
    """
    return _jit[0]


def set_jit(enabled: Any) -> None:
    """Remembered, without effect.

    >>> import gradtape as tf
    >>> tf.config.optimizer.set_jit(False)
    """
    _jit[0] = "autoclustering" if enabled in (True, "autoclustering") else ""


def get_experimental_options() -> dict[str, Any]:
    """What `set_experimental_options` was given.

    >>> import gradtape as tf
    >>> tf.config.optimizer.get_experimental_options()["disable_meta_optimizer"]
    False
    """
    return dict(_options)


def set_experimental_options(options: dict[str, Any]) -> None:
    """Remembered, without effect.

    >>> import gradtape as tf
    >>> tf.config.optimizer.set_experimental_options({})
    """
    _options.update(options)
