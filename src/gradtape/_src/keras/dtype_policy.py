"""The dtypes of a layer: of what it computes in, and of its weights."""

from __future__ import annotations

from typing import Any

from gradtape._src.core.dtypes import DType, as_dtype
from gradtape._src.keras.serialization import Family
from gradtape._src.keras.settings import floatx, standardize_dtype


class DTypePolicy:
    """The dtypes of a layer.

    Args:
      name: of a dtype, for computations and weights both; or ``"mixed_float16"``, ``"mixed_bfloat16"``: then
        computations are in that dtype and the weights in float32.

    Raises:
      ValueError: neither.

    >>> import gradtape as tf
    >>> policy = tf.keras.DTypePolicy("mixed_bfloat16")
    >>> policy.compute_dtype, policy.variable_dtype
    ('bfloat16', 'float32')
    """

    def __init__(self, name: str = "float32") -> None:
        self.name = name
        mixed = isinstance(name, str) and name.startswith("mixed_")
        try:
            self.compute_dtype = standardize_dtype(name.removeprefix("mixed_") if mixed else name)
        except TypeError:
            raise ValueError(
                f"Cannot convert '{name}' to a mixed precision DTypePolicy. Valid policies include 'mixed_float16', "
                f"'mixed_bfloat16', and the name of any float dtype such as 'float32'."
            ) from None
        self.variable_dtype = "float32" if mixed else self.compute_dtype

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a policy like this one."""
        return {"name": self.name}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> DTypePolicy:
        """The policy of `get_config`."""
        return cls(**config)

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, DTypePolicy) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f'<DTypePolicy "{self.name}">'


Family("policy", "keras", [DTypePolicy])

_global: list[DTypePolicy] = []


def dtype_policy() -> DTypePolicy:
    """The policy of layers that are given no dtype."""
    return _global[0] if _global else DTypePolicy(floatx())


def set_dtype_policy(policy: Any) -> None:
    """Sets the policy of layers that are given no dtype; None: that of `tf.keras.backend.floatx`."""
    _global[:] = [] if policy is None else [policy_of(policy)]


def policy_of(dtype: Any) -> DTypePolicy:
    """A policy, from one, its name or configuration, or a dtype."""
    if dtype is None:
        return dtype_policy()
    if isinstance(dtype, DTypePolicy):
        return dtype
    if isinstance(dtype, dict):
        return DTypePolicy(**dtype["config"])
    if isinstance(dtype, str) and dtype.startswith("mixed_"):
        return DTypePolicy(dtype)
    return DTypePolicy(dtype.name if isinstance(dtype, DType) else as_dtype(dtype).name)
