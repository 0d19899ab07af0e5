"""``tf.data.experimental``: older names of what datasets do by their methods, as transformations for ``apply``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from gradtape._src.core.convert import as_array
from gradtape._src.core.dtypes import string
from gradtape._src.core.specs import TensorSpec
from gradtape._src.data.dataset import Dataset
from gradtape._src.data.record_writing import TFRecordWriter as RecordWriter
from gradtape._src.data.transformations import text_of

Transformation = Callable[[Any], Any]


def cardinality(dataset: Any) -> Any:
    """The number of elements, as ``dataset.cardinality()``.

    >>> import gradtape as tf
    >>> tf.data.experimental.cardinality(tf.data.Dataset.range(3)).numpy()
    np.int64(3)
    """
    return dataset.cardinality()


def assert_cardinality(expected_cardinality: Any) -> Transformation:
    """A transformation that says how many elements there are, where that is not known.

    >>> import gradtape as tf
    >>> even = tf.data.Dataset.range(4).filter(lambda x: x % 2 == 0)
    >>> len(even.apply(tf.data.experimental.assert_cardinality(2)))
    2
    """
    n = int(as_array(expected_cardinality))
    return lambda dataset: dataset._of(replace(dataset._recipe, size=n, kind="AssertCardinality"))


def ignore_errors(log_warning: bool = False) -> Transformation:
    """``dataset.ignore_errors`` as a transformation."""
    return lambda dataset: dataset.ignore_errors(log_warning)


def unbatch() -> Transformation:
    """``dataset.unbatch`` as a transformation."""
    return lambda dataset: dataset.unbatch()


def unique() -> Transformation:
    """``dataset.unique`` as a transformation."""
    return lambda dataset: dataset.unique()


def enumerate_dataset(start: Any = 0) -> Transformation:
    """``dataset.enumerate`` as a transformation."""
    return lambda dataset: dataset.enumerate(start)


def scan(initial_state: Any, scan_func: Callable[..., Any]) -> Transformation:
    """``dataset.scan`` as a transformation."""
    return lambda dataset: dataset.scan(initial_state, scan_func)


def take_while(predicate: Callable[..., Any]) -> Transformation:
    """``dataset.take_while`` as a transformation."""
    return lambda dataset: dataset.take_while(predicate)


def shuffle_and_repeat(buffer_size: Any, count: Any = None, seed: Any = None) -> Transformation:
    """``dataset.shuffle(buffer_size, seed).repeat(count)`` as a transformation."""
    return lambda dataset: dataset.shuffle(buffer_size, seed).repeat(count)


def map_and_batch(
    map_func: Callable[..., Any],
    batch_size: Any,
    num_parallel_batches: Any = None,
    drop_remainder: bool = False,
    num_parallel_calls: Any = None,
) -> Transformation:
    """``dataset.map(map_func).batch(batch_size)`` as a transformation."""
    return lambda dataset: dataset.map(map_func).batch(batch_size, drop_remainder)


def parallel_interleave(
    map_func: Callable[..., Any],
    cycle_length: Any,
    block_length: Any = 1,
    sloppy: Any = False,
    buffer_output_elements: Any = None,
    prefetch_input_elements: Any = None,
) -> Transformation:
    """``dataset.interleave`` as a transformation."""
    return lambda dataset: dataset.interleave(map_func, cycle_length, block_length)


def group_by_window(
    key_func: Callable[..., Any],
    reduce_func: Callable[..., Any],
    window_size: Any = None,
    window_size_func: Any = None,
) -> Transformation:
    """``dataset.group_by_window`` as a transformation."""
    return lambda dataset: dataset.group_by_window(key_func, reduce_func, window_size, window_size_func)


def bucket_by_sequence_length(
    element_length_func: Callable[..., Any],
    bucket_boundaries: Any,
    bucket_batch_sizes: Any,
    padded_shapes: Any = None,
    padding_values: Any = None,
    pad_to_bucket_boundary: bool = False,
    no_padding: bool = False,
    drop_remainder: bool = False,
) -> Transformation:
    """``dataset.bucket_by_sequence_length`` as a transformation."""
    return lambda dataset: dataset.bucket_by_sequence_length(
        element_length_func,
        bucket_boundaries,
        bucket_batch_sizes,
        padded_shapes,
        padding_values,
        pad_to_bucket_boundary,
        no_padding,
        drop_remainder,
    )


def rejection_resample(
    class_func: Callable[..., Any], target_dist: Any, initial_dist: Any = None, seed: Any = None
) -> Transformation:
    """``dataset.rejection_resample`` as a transformation."""
    return lambda dataset: dataset.rejection_resample(class_func, target_dist, initial_dist, seed)


def snapshot(
    path: Any, compression: Any = "AUTO", reader_func: Any = None, shard_func: Any = None
) -> Transformation:
    """``dataset.snapshot`` as a transformation."""
    return lambda dataset: dataset.snapshot(path, compression, reader_func, shard_func)


def save(
    dataset: Any, path: Any, compression: Any = None, shard_func: Any = None, checkpoint_args: Any = None
) -> None:
    """As ``dataset.save``."""
    dataset.save(path, compression, shard_func)


def load(path: Any, element_spec: Any = None, compression: Any = None, reader_func: Any = None) -> Any:
    """As ``tf.data.Dataset.load``."""
    return Dataset.load(path, element_spec, compression, reader_func)


def sample_from_datasets(
    datasets: Any, weights: Any = None, seed: Any = None, stop_on_empty_dataset: bool = False
) -> Any:
    """As ``tf.data.Dataset.sample_from_datasets``."""
    return Dataset.sample_from_datasets(datasets, weights, seed, stop_on_empty_dataset)


def choose_from_datasets(datasets: Any, choice_dataset: Any, stop_on_empty_dataset: bool = False) -> Any:
    """As ``tf.data.Dataset.choose_from_datasets``."""
    return Dataset.choose_from_datasets(datasets, choice_dataset, stop_on_empty_dataset)


def get_single_element(dataset: Any) -> Any:
    """As ``dataset.get_single_element()``."""
    return dataset.get_single_element()


def get_structure(dataset_or_iterator: Any) -> Any:
    """The ``element_spec``."""
    return dataset_or_iterator.element_spec


def get_next_as_optional(iterator: Any) -> Any:
    """As ``iterator.get_next_as_optional()``."""
    return iterator.get_next_as_optional()


def Counter(start: Any = 0, step: Any = 1, dtype: Any = "int64") -> Any:
    """As ``tf.data.Dataset.counter``."""
    return Dataset.counter(start, step, dtype)


def RandomDataset(seed: Any = None) -> Any:
    """As ``tf.data.Dataset.random``."""
    return Dataset.random(seed)


def prefetch_to_device(device: str, buffer_size: Any = None) -> Transformation:
    """The same dataset: there is one device."""
    return lambda dataset: dataset


def copy_to_device(target_device: str, source_device: str = "/cpu:0") -> Transformation:
    """The same dataset: there is one device."""
    return lambda dataset: dataset


class TFRecordWriter:
    """Writes a dataset of strings to a file: ``TFRecordWriter(filename).write(dataset)``.

    Args:
      filename: of the file.
      compression_type: "" (none), "GZIP" or "ZLIB".

    Raises:
      TypeError: (of ``write``) elements are not single strings.
    """

    def __init__(self, filename: Any, compression_type: Any = None) -> None:
        self._path, self._kind = text_of(filename), compression_type

    def write(self, dataset: Any) -> None:
        """Writes the elements, one record each."""
        spec = dataset.element_spec
        if not (isinstance(spec, TensorSpec) and spec.dtype == string and spec.shape.rank in (0, None)):
            raise TypeError(f"`dataset` must be of single strings, but its elements are {spec}.")
        with RecordWriter(self._path, self._kind) as writer:
            for record in dataset.as_numpy_iterator():
                writer.write(record)
