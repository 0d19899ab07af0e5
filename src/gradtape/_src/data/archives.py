"""Files of elements: archives of NumPy's arrays, which hold no code and are read one element after the other.

The component ``k`` of element ``i`` of shard ``s`` is ``<s>/<i>.<k>.npy``; strings are stored as bytes and lengths. How
the elements are nested, and how many there are, is JSON in ``elements.json``.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import numpy as np

from gradtape._src.core.dtypes import as_dtype
from gradtape._src.core.errors import InvalidArgumentError, NotFoundError
from gradtape._src.core.files import written_whole
from gradtape._src.core.nest import flatten, is_nested
from gradtape._src.core.specs import TensorSpec
from gradtape._src.data.elements import DatasetSpec, Leaves

_ABOUT = "elements.json"
_LENGTH = np.dtype(np.int64)


class Archive:
    """A file of elements, written whole or not at all.

    Args:
      path: of the file.
      spec: of an element.
      compressed: whether what is written is compressed.
    """

    def __init__(self, path: str, spec: Any, compressed: bool = False) -> None:
        if any(isinstance(s, DatasetSpec) for s in flatten(spec)):
            raise TypeError("Elements that hold datasets cannot be stored: use flat_map first.")
        self.path = path
        self.spec = spec
        self.dtypes = [s.dtype.np for s in flatten(spec)]
        self.method = ZIP_DEFLATED if compressed else ZIP_STORED

    def is_complete(self) -> bool:
        return os.path.exists(self.path)

    def elements(self, shard: int = 0) -> Iterator[Leaves]:
        with ZipFile(self.path) as archive:
            for i in range(_about(archive, self.path)["shards"].get(str(shard), 0)):
                yield tuple([_read(archive, f"{shard}/{i}.{k}", t) for k, t in enumerate(self.dtypes)])

    def kept(
        self, elements: Iterator[Leaves], shard_of: Callable[[Leaves], int] | None = None
    ) -> Iterator[Leaves]:
        """The elements, which are written as they pass; the file is there after the last one."""
        os.makedirs(os.path.dirname(self.path) or ".", exist_ok=True)
        counts: Counter[int] = Counter()
        with written_whole(self.path) as partial, ZipFile(partial, "w", self.method) as archive:
            for element in elements:
                shard = 0 if shard_of is None else shard_of(element)
                for k, (x, dtype) in enumerate(zip(element, self.dtypes)):
                    _write(archive, f"{shard}/{counts[shard]}.{k}", x, dtype)
                counts[shard] += 1
                yield element
            about = {"spec": _as_json(self.spec), "shards": dict(sorted(counts.items()))}
            archive.writestr(_ABOUT, json.dumps(about))


def stored(path: str) -> tuple[Any, dict[int, int]]:
    """The spec of the elements in a file, and how many there are in each shard.

    Raises:
      NotFoundError: there is no such file.
    """
    if not os.path.exists(path):
        raise NotFoundError.of(f"{path}; No such file or directory: no dataset was saved there.")
    with ZipFile(path) as archive:
        about = _about(archive, path)
    return _of_json(about["spec"]), {int(shard): n for shard, n in about["shards"].items()}


def _about(archive: ZipFile, path: str) -> Any:
    try:
        return json.loads(archive.read(_ABOUT))
    except KeyError:
        raise InvalidArgumentError.of(f"{path} is no file of the elements of a dataset.") from None


def _as_json(spec: Any) -> Any:
    if isinstance(spec, dict):
        return {"dict": [[key, _as_json(part)] for key, part in spec.items()]}
    if is_nested(spec):
        return {"tuple": [_as_json(part) for part in spec]}
    return {"dtype": spec.dtype.name, "shape": None if spec.shape.rank is None else spec.shape._dims}


def _of_json(about: Any) -> Any:
    if "dict" in about:
        return {key: _of_json(part) for key, part in about["dict"]}
    if "tuple" in about:
        return tuple(map(_of_json, about["tuple"]))
    return TensorSpec(about["shape"], as_dtype(about["dtype"]))


def _write(archive: ZipFile, name: str, x: Any, dtype: np.dtype) -> None:
    x = np.asarray(x)
    if dtype.kind == "O":
        parts = x.reshape(-1).tolist()
        _write(
            archive, f"{name}.lengths", np.array(list(map(len, parts)), np.int64).reshape(x.shape), _LENGTH
        )
        x = np.frombuffer(b"".join(parts), np.uint8)
    elif dtype.kind == "V":  # bfloat16 and its like, which NumPy's files do not know
        x = x.view(f"u{dtype.itemsize}")
    with archive.open(f"{name}.npy", "w") as file:
        np.lib.format.write_array(file, x, allow_pickle=False)


def _read(archive: ZipFile, name: str, dtype: np.dtype) -> Any:
    with archive.open(f"{name}.npy") as file:
        x = np.lib.format.read_array(file, allow_pickle=False)
    if dtype.kind != "O":
        return x.view(dtype)
    lengths = _read(archive, f"{name}.lengths", _LENGTH)
    ends = np.cumsum(lengths.reshape(-1)).tolist()
    data = x.tobytes()
    found = np.empty(lengths.shape, object)
    found.reshape(-1)[:] = [data[end - n : end] for end, n in zip(ends, lengths.reshape(-1).tolist())]
    return found
