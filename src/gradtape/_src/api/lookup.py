"""``tf.lookup``: tables from keys to values. A look-up is an operation without a gradient."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape._src.api.gfile import GFile
from gradtape._src.api.graphs import no_op
from gradtape._src.api.ragged import RaggedTensor
from gradtape._src.api.selection import where
from gradtape._src.api.sparse_tensor import SparseTensor
from gradtape._src.api.tensors import get_static_value
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, int64, string
from gradtape._src.core.errors import FailedPreconditionError, InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.values import EagerTensor, shape_of
from gradtape._src.graph.ir import current_graph
from gradtape._src.ops.strings import mapped


class TextFileIndex:
    """What of a text file is a key or a value: the whole line, or its number; or a column, by its number.

    >>> import gradtape as tf
    >>> tf.lookup.TextFileIndex.WHOLE_LINE
    -2
    """

    WHOLE_LINE = -2
    LINE_NUMBER = -1


class KeyValueTensorInitializer:
    """Keys and values for a table.

    Args:
      keys, values: vectors of one length.
      key_dtype, value_dtype: their dtypes, where they are no tensors.

    Raises:
      ValueError: they are no vectors of one length.
    """

    def __init__(self, keys, values, key_dtype=None, value_dtype=None, name=None):
        self._keys, self._values = as_tensor(keys, key_dtype), as_tensor(values, value_dtype)
        if len(shape_of(self._keys)) != 1 or shape_of(self._keys) != shape_of(self._values):
            raise ValueError(
                f"keys and values must be vectors of one length, received shapes {shape_of(self._keys)} and "
                f"{shape_of(self._values)}."
            )
        self.key_dtype, self.value_dtype = self._keys.dtype, self._values.dtype

    def _pairs(self) -> Any:
        arrays = [get_static_value(x) for x in (self._keys, self._values)]
        if any(x is None for x in arrays):
            raise ValueError(
                "The keys and values of a table must be constants: their values are not known here."
            )
        return zip(*(np.asarray(x).tolist() for x in arrays))


class TextFileInitializer:
    """Keys and values for a table, from the lines of a text file.

    Args:
      filename: of the file.
      key_dtype, value_dtype: string or int64; of a value also float32.
      key_index, value_index: a column, or one of `tf.lookup.TextFileIndex`.
      vocab_size: how many lines to read; all of them by default.
      delimiter: what is between two columns.
      value_index_offset: what is added to a line number that is a value.

    Raises:
      NotFoundError: there is no such file.
      InvalidArgumentError: a line has no such column, or one that is no number where one is wanted.
    """

    def __init__(
        self,
        filename,
        key_dtype,
        key_index,
        value_dtype,
        value_index,
        vocab_size=None,
        delimiter="\t",
        name=None,
        value_index_offset=0,
    ):
        self._filename, self._delimiter, self._size = filename, delimiter, vocab_size
        self._columns = (key_index, value_index)
        self._offset = value_index_offset
        self.key_dtype, self.value_dtype = as_dtype(key_dtype), as_dtype(value_dtype)

    def _pairs(self) -> Any:
        with GFile(self._filename, "rb") as file:
            lines = [line.rstrip(b"\r\n") for line in file.read().splitlines()]
        for number, line in enumerate(lines[: self._size]):
            key, value = (self._part(line, number, column) for column in self._columns)
            if self._columns[1] == TextFileIndex.LINE_NUMBER:
                value += self._offset
            yield self._typed(key, self.key_dtype), self._typed(value, self.value_dtype)

    def _part(self, line: bytes, number: int, column: int) -> Any:
        if column == TextFileIndex.LINE_NUMBER:
            return number
        if column == TextFileIndex.WHOLE_LINE:
            return line
        parts = line.split(self._delimiter.encode())
        if not 0 <= column < len(parts):
            raise InvalidArgumentError.of(
                f"Line {number} of {self._filename} has no column {column}: {line!r}"
            )
        return parts[column]

    def _typed(self, part: Any, dtype: Any) -> Any:
        if dtype is string:
            return part if isinstance(part, bytes) else str(part).encode()
        try:
            return int(part) if dtype.is_integer else float(part)
        except ValueError:
            raise InvalidArgumentError.of(f"{part!r} of {self._filename} is no {dtype.name}.") from None


# --- Tables --------------------------------------------------------------------------------------------------


def _find(keys: Any, default: Any, *, table: Any) -> np.ndarray:
    dtype = table.value_dtype.np
    found = np.empty(np.shape(keys) + np.shape(default), dtype)
    held, default = table._held, default[()]
    for at in np.ndindex(np.shape(keys)):
        key = keys[at]
        found[at] = held.get(key if isinstance(key, bytes) else key.item(), default)
    return found


_lookup = Op(
    "LookupTableFindV2",
    lambda keys, default, *, table: _find(np.asarray(keys), np.asarray(default), table=table),
    shape=lambda keys, default, *, table: (
        (*shape_of(keys), *shape_of(default)) if shape_of(keys) is not None else None
    ),
    dtype=lambda keys, default, *, table: table.value_dtype.np,
    batch=lambda n, xs, batched, *, table: (
        _lookup(*xs, table=table) if batched == [True, False] else NotImplemented
    ),
    stateful=True,
)
_size_of = Op(
    "LookupTableSizeV2",
    lambda *, table: np.array(len(table._held), np.int64),
    shape=lambda *, table: (),
    dtype=np.dtype(np.int64),
    stateful=True,
)


def _on_keys(table: Any, keys: Any, function: Callable[[Any], Any]) -> Any:
    """A function of the keys in a tensor, a sparse or a ragged one."""
    if isinstance(keys, SparseTensor):
        return keys.with_values(_on_keys(table, keys.values, function))
    if isinstance(keys, RaggedTensor):
        return keys.with_flat_values(_on_keys(table, keys.flat_values, function))
    given = hasattr(keys, "dtype")
    keys = as_tensor(keys) if given else as_tensor(keys, table.key_dtype)
    if keys.dtype != table.key_dtype:
        raise TypeError(f"Dtype of argument `keys` must be {table.key_dtype!r}, received: {keys.dtype!r}")
    return function(keys)


class StaticHashTable:
    """A table that does not change.

    Args:
      initializer: `tf.lookup.KeyValueTensorInitializer` or `tf.lookup.TextFileInitializer`.
      default_value: the value of a key that is not there.

    Raises:
      FailedPreconditionError: a key has two values.

    >>> import gradtape as tf
    >>> table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]), -1)
    >>> print(table.lookup(tf.constant(["b", "c"])).numpy())
    [ 2 -1]

    As TensorFlow 2.21.
    """

    def __init__(self, initializer, default_value, name=None, experimental_is_anonymous=False):
        self.key_dtype, self.value_dtype = initializer.key_dtype, initializer.value_dtype
        self.default_value = as_tensor(default_value, self.value_dtype)
        self.name = name or "hash_table"
        self._held: dict[Any, Any] = {}
        for key, value in initializer._pairs():
            if self._held.setdefault(key, value) != value:
                raise FailedPreconditionError.of(
                    f"HashTable has different value for same key. Key {key!r} has {self._held[key]!r} and trying to "
                    f"add value {value!r}"
                )

    @property
    def initializer(self):
        """The operation that initializes the table in a session. The table is there already: it does nothing."""
        return no_op() if current_graph() is not None else None

    def lookup(self, keys, name=None):
        """The value of each key, in a tensor, a sparse or a ragged one, as the keys are.

        Raises:
          TypeError: the keys are of another dtype.
        """
        return _on_keys(self, keys, lambda keys: _lookup.of(keys, self.default_value, table=self, name=name))

    __getitem__ = lookup

    def size(self, name=None):
        """How many keys there are."""
        return _size_of.of(table=self, name=name)

    def export(self, name=None):
        """All keys, and their values."""
        return _vector(self._held.keys(), self.key_dtype), _vector(self._held.values(), self.value_dtype)


def _vector(items: Any, dtype: Any) -> Any:
    items = list(items)
    out = np.empty((len(items), *np.shape(items[0] if items else ())), dtype.np)
    for i, item in enumerate(items):
        out[i] = item
    return EagerTensor(out)


def _number(item: Any, *, first: int, buckets: int) -> int:
    text = item if isinstance(item, bytes) else str(item).encode()
    return first + int.from_bytes(hashlib.blake2b(text, digest_size=8).digest()) % buckets


_bucket = Op(
    "StringToHashBucketFast",
    mapped(_number, np.int64),
    shape=lambda x, **params: shape_of(x),
    dtype=np.dtype(np.int64),
    elementwise=True,
)


class StaticVocabularyTable:
    """A table of numbers, which gives keys that it does not have one of some further numbers.

    Args:
      initializer: of keys, whose values are 0, 1, ... of int64; or None.
      num_oov_buckets: how many further numbers there are.
      lookup_key_dtype: of the keys; that of the initializer by default.

    >>> import gradtape as tf
    >>> words = tf.lookup.KeyValueTensorInitializer(["a", "b"], tf.constant([0, 1], tf.int64))
    >>> table = tf.lookup.StaticVocabularyTable(words, num_oov_buckets=1)
    >>> print(table.lookup(tf.constant(["b", "c"])).numpy())
    [1 2]

    Which of several further numbers a key gets is not as in TensorFlow.
    """

    def __init__(
        self, initializer, num_oov_buckets, lookup_key_dtype=None, name=None, experimental_is_anonymous=False
    ):
        if num_oov_buckets is None or num_oov_buckets <= 0:
            raise ValueError(
                f"`num_oov_buckets` must be > 0; use StaticHashTable instead. Received: {num_oov_buckets}."
            )
        if initializer is not None and initializer.value_dtype is not int64:
            raise TypeError(f"Invalid `value_dtype`, expected {int64} but got {initializer.value_dtype}.")
        self._table = None if initializer is None else StaticHashTable(initializer, -1)
        self._buckets = int(num_oov_buckets)
        given = lookup_key_dtype or (string if initializer is None else initializer.key_dtype)
        self.key_dtype, self.value_dtype = as_dtype(given), int64
        self.name = name or "string_to_index"

    def _count(self) -> int:
        return 0 if self._table is None else len(self._table._held)

    def lookup(self, keys, name=None):
        """The number of each key, in a tensor, a sparse or a ragged one, as the keys are."""

        def numbers(keys: Any) -> Any:
            other = _bucket.of(keys, first=self._count(), buckets=self._buckets)
            if self._table is None:
                return other
            found = self._table.lookup(keys)
            return where(found < 0, other, found)

        return _on_keys(self, keys, numbers)

    __getitem__ = lookup

    def size(self, name=None):
        """How many numbers there are."""
        return as_tensor(self._count() + self._buckets, int64)


class MutableHashTable:
    """A table that changes.

    Args:
      key_dtype, value_dtype: of keys and values.
      default_value: the value of a key that is not there; its shape is that of all values.

    >>> import gradtape as tf
    >>> table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, default_value=-1)
    >>> table.insert(tf.constant(["a", "b"]), tf.constant([1, 2], tf.int64))
    >>> print(table.lookup(tf.constant(["b", "c"])).numpy())
    [ 2 -1]

    As TensorFlow 2.21.
    """

    def __init__(
        self,
        key_dtype,
        value_dtype,
        default_value,
        name="MutableHashTable",
        checkpoint=True,
        experimental_is_anonymous=False,
    ):
        self.key_dtype, self.value_dtype = as_dtype(key_dtype), as_dtype(value_dtype)
        self.default_value = as_tensor(default_value, self.value_dtype)
        self.name = name
        self._held: dict[Any, Any] = {}

    def insert(self, keys, values, name=None):
        """Gives keys values, new or in place of the old ones. In a graph it gives the operation that does it."""
        values = as_tensor(values, self.value_dtype)
        return _effect(_insert, (as_tensor(keys, self.key_dtype), values), self, name)

    def remove(self, keys, name=None):
        """Takes keys out; those that are not there are ignored. In a graph it gives the operation that does it."""
        return _effect(_remove, (as_tensor(keys, self.key_dtype),), self, name)

    def lookup(self, keys, dynamic_default_values=None, name=None):
        """The value of each key.

        dynamic_default_values: the values of keys that are not there, in place of the default.
        """
        default = self.default_value
        if dynamic_default_values is not None:
            default = as_tensor(dynamic_default_values, self.value_dtype)
        return _on_keys(self, keys, lambda keys: _lookup.of(keys, default, table=self, name=name))

    __getitem__ = lookup

    size = StaticHashTable.size
    export = StaticHashTable.export


def _inserted(keys: Any, values: Any, *, table: Any) -> tuple[()]:
    for at in np.ndindex(np.shape(keys)):
        key = keys[at]
        table._held[key if isinstance(key, bytes) else key.item()] = values[at]
    return ()


def _removed(keys: Any, *, table: Any) -> tuple[()]:
    for at in np.ndindex(np.shape(keys)):
        key = keys[at]
        table._held.pop(key if isinstance(key, bytes) else key.item(), None)
    return ()


def _changing(name: str, kernel: Any) -> Op:
    run = lambda *args, table: kernel(*map(np.asarray, args), table=table)
    return Op(name, run, multi=True, shape=lambda *args, table: [], dtype=np.dtype(np.int64), stateful=True)


_insert = _changing("LookupTableInsertV2", _inserted)
_remove = _changing("LookupTableRemoveV2", _removed)


def _effect(op: Op, args: tuple[Any, ...], table: Any, name: Any) -> Any:
    graph = current_graph()
    if graph is not None:
        return graph.append(op, tuple(map(graph.input, args)), {"table": table}, name)
    op.of(*args, table=table)
    return None
