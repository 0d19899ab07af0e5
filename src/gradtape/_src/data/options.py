"""``tf.data.Options``: settings of TensorFlow's executor, taken and kept. None of them changes the elements."""

from __future__ import annotations

from typing import Any

_PARTS = (
    "autotune",
    "experimental_distribute",
    "experimental_optimization",
    "threading",
    "experimental_service",
)
_NAMES = (
    "dataset_name", "deterministic", "experimental_deterministic", "experimental_external_state_policy",
    "experimental_slack", "experimental_symbolic_checkpoint", "experimental_threading", "experimental_warm_start",
    "framework_type",
)  # fmt: skip


class OptionGroup:
    """Options of one kind, such as ``options.threading``; each is None until it is set."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return None

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(self) == vars(other)

    __hash__ = object.__hash__


class Options:
    """Options of a dataset, for ``dataset.with_options``. They are kept and have no effect.

    >>> import gradtape as tf
    >>> options = tf.data.Options()
    >>> options.deterministic = True
    >>> tf.data.Dataset.range(3).with_options(options).options().deterministic
    True

    As TensorFlow 2.21, where some make a pipeline faster.
    """

    def __init__(self) -> None:
        for name in _PARTS:
            object.__setattr__(self, name, OptionGroup())
        for name in _NAMES:
            object.__setattr__(self, name, None)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in vars(self):
            raise AttributeError(f"Cannot set the property {name} on Options.")
        object.__setattr__(self, name, value)

    def merge(self, options: Options) -> Options:
        """These options, with those of ``options`` that are set in their place."""
        merged = Options()
        for name in _NAMES:
            new = getattr(options, name)
            object.__setattr__(merged, name, getattr(self, name) if new is None else new)
        for name in _PARTS:
            vars(getattr(merged, name)).update(vars(getattr(self, name)) | vars(getattr(options, name)))
        return merged

    def __eq__(self, other: object) -> bool:
        return type(other) is Options and vars(self) == vars(other)

    __hash__ = object.__hash__
