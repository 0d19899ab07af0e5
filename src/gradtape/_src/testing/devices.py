"""`tf.test`'s questions for devices and builds: there is one device, the processor."""

from __future__ import annotations

from typing import Any


def is_gpu_available(cuda_only: bool = False, min_cuda_compute_capability: Any = None) -> bool:
    """Whether there is a GPU to compute on: no.

    >>> tf.test.is_gpu_available()
    False
    """
    return False


def gpu_device_name() -> str:
    """The name of the GPU: an empty text.

    >>> tf.test.gpu_device_name()
    ''
    """
    return ""


def is_built_with_cuda() -> bool:
    """Whether CUDA is used: no.

    >>> tf.test.is_built_with_cuda()
    False
    """
    return False


def is_built_with_rocm() -> bool:
    """Whether ROCm is used: no.

    >>> tf.test.is_built_with_rocm()
    False
    """
    return False


def is_built_with_gpu_support() -> bool:
    """Whether GPUs are used: no.

    >>> tf.test.is_built_with_gpu_support()
    False
    """
    return False


def is_built_with_xla() -> bool:
    """Whether XLA is used: no.

    >>> tf.test.is_built_with_xla()
    False
    """
    return False


def is_cpu_target_available(target: str) -> bool:
    """Whether code can be compiled for a processor ("x86", "arm", …): no, nothing is compiled.

    >>> tf.test.is_cpu_target_available("x86")
    False
    """
    return False
