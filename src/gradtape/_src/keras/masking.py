"""Masks: which steps of a sequence count. A mask hangs on the tensor that it belongs to."""

from __future__ import annotations

from typing import Any

from gradtape._src.core.nest import flatten, map_structure
from gradtape._src.core.values import Tensor


def mask_of(x: Any) -> Any:
    """The mask of a tensor, or None."""
    return x._keras_mask if isinstance(x, Tensor) else None


def masks_of(inputs: Any) -> Any:
    """The masks of a nest of tensors, as such a nest; None if no tensor has one."""
    if isinstance(inputs, Tensor):
        return inputs._keras_mask
    masks = map_structure(mask_of, inputs)
    return masks if any(mask is not None for mask in flatten(masks)) else None


def hang_on(outputs: Any, masks: Any) -> None:
    """Gives tensors their masks: one each, or one for the only tensor."""
    tensors = flatten(outputs)
    found = flatten(masks) if len(tensors) > 1 else [masks]
    for tensor, mask in zip(tensors, found):
        if mask is not None and isinstance(tensor, Tensor):
            tensor._keras_mask = mask


def has_all_masks(outputs: Any) -> bool:
    """Whether somebody has given every tensor its mask already."""
    return all(mask_of(x) is not None for x in flatten(outputs))
