"""What a model consists of, by places: the layers in it and the optimizer, and the arrays of each.

The places are Keras 3's: ``layers/dense_1/vars/0`` is the first weight of the second `Dense` layer of a model. They do
not depend on the names of layers, which differ between two models that are made alike.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from gradtape._src.core.values import shape_of
from gradtape._src.keras.naming import in_lower_case
from gradtape._src.keras.parts import Parts, set_value, value_of

_ROOT = "vars"


def saved_parts(obj: Any) -> dict[str, Any]:
    """The object itself at the place "", and all layers in it and its optimizer at theirs."""
    found: dict[str, Any] = {}
    _visit(obj, "", found, set())
    return found


def _visit(obj: Any, place: str, found: dict[str, Any], seen: set[int]) -> None:
    if id(obj) in seen:
        return
    seen.add(id(obj))
    found[place] = obj
    if not isinstance(obj, Parts):
        return
    for name, child in _children(obj):
        inner = f"{place}/{name}" if place else name
        if isinstance(child, (list, tuple, dict)):
            _visit_each(child, inner, found, seen)
        elif _is_saved(child):
            _visit(child, inner, found, seen)


def _visit_each(container: Any, place: str, found: dict[str, Any], seen: set[int]) -> None:
    used: dict[str, int] = {}
    for child in container.values() if isinstance(container, dict) else container:
        inside = isinstance(child, (list, tuple, dict))
        if not inside and not _is_saved(child):
            continue
        name = "container" if inside else in_lower_case(type(child).__name__)
        number = used[name] = used.get(name, -1) + 1
        (_visit_each if inside else _visit)(
            child, f"{place}/{name}_{number}" if number else f"{place}/{name}", found, seen
        )


def _is_saved(child: Any) -> bool:
    return isinstance(child, Parts) or hasattr(type(child), "apply_gradients")


def _children(obj: Any) -> Iterator[tuple[str, Any]]:
    """The attributes that hold parts, by the names that Keras has for them, in Keras's order: private ones last."""
    names = type(obj)._file_names  # type: ignore[attr-defined]
    found = {names.get(name, name): x for name, x in obj._tracked.items() if isinstance(name, str)}
    if hasattr(obj, "_network"):  # a model
        for inner in ("_network", "_stack"):
            found.pop(inner, None)
        found.update(layers=obj.layers, optimizer=obj.optimizer)
        if obj._network is not None or hasattr(obj, "_stack"):
            yield "layers", found.pop("layers")
    yield from sorted(found.items(), key=lambda item: "~" + item[0] if item[0].startswith("_") else item[0])


# --- Arrays -------------------------------------------------------------------------------------------------


def arrays_of(model: Any) -> dict[str, np.ndarray]:
    """All arrays of a model by their places."""
    found: dict[str, np.ndarray] = {}
    for place, part in saved_parts(model).items():
        store: dict[str, Any] = {}
        if isinstance(part, Parts):
            part.save_own_variables(store)
        else:
            store = {str(i): value_of(v) for i, v in enumerate(part.variables)}
        for key, value in store.items():
            found[f"{place}/{_ROOT}/{key}" if place else f"{_ROOT}/{key}"] = np.asarray(value)
    return found


def restore(model: Any, arrays: dict[str, np.ndarray], source: Any, skip_mismatch: bool = False) -> None:
    """Gives all parts of a model their arrays; all are compared before the first is set.

    Raises:
      ValueError: a weight is missing, or has another shape; or there are arrays that no part takes.
    """
    parts = saved_parts(model)
    stores: dict[str, dict[str, np.ndarray]] = {place: {} for place in parts}
    unknown = []
    for place, array in arrays.items():
        owner, _, key = place.rpartition("/")
        owner = owner.removesuffix(_ROOT).removesuffix("/")
        if owner in stores:
            stores[owner][key] = array
        elif not owner.startswith("optimizer"):
            unknown.append(place)
    if not model.weights and any(not place.startswith("optimizer") for place in arrays):
        raise ValueError(
            f"The model '{model.name}' has no weights yet. Call it on a batch, or model.build(input_shape), and load "
            f"{source} then."
        )
    if unknown and not skip_mismatch:
        raise ValueError(
            f"{source} does not fit the model '{model.name}', which has no weights {sorted(unknown)[:5]}."
        )
    fitting = {
        place: part
        for place, part in parts.items()
        if _fits(model, part, stores[place], source, skip_mismatch)
    }
    for place, part in fitting.items():
        if isinstance(part, Parts):
            part.load_own_variables(stores[place])
        else:
            for i, variable in enumerate(part.variables):
                set_value(variable, stores[place][str(i)])


def _fits(model: Any, part: Any, store: dict[str, np.ndarray], source: Any, skip_mismatch: bool) -> bool:
    """Whether a part can take its arrays."""
    if not isinstance(part, Parts):
        shapes = [tuple(shape_of(v)) for v in part.variables]
        fits = shapes == [store[str(i)].shape for i in range(len(shapes)) if str(i) in store] and len(
            store
        ) == len(shapes)
        if store and not fits:
            warnings.warn(
                f"The state of the optimizer '{part.name}' in {source} does not fit: it has {len(store)} arrays and "
                f"not {len(shapes)} of the same shapes. The optimizer begins anew.",
                stacklevel=5,
            )
        return fits
    if type(part).load_own_variables is not Parts.load_own_variables:
        return True
    for i, weight in enumerate(part._parts().own):
        value, shape = store.get(str(i)), tuple(shape_of(weight))
        if value is not None and value.shape == shape:
            continue
        if skip_mismatch:
            return False
        have = "is missing" if value is None else f"has the shape {value.shape}"
        raise ValueError(
            f"{source} does not fit the model '{model.name}': the weight {getattr(weight, 'path', weight.name)!r} of "
            f"shape {shape} {have} there. skip_mismatch=True leaves such layers as they are."
        )
    return True
