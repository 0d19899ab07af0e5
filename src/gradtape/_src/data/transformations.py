"""The transformations of ``tf.data.Dataset``, as users see them. What they do is in the files beside this one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from gradtape._src.core.values import EagerTensor
from gradtape._src.data import batching, buckets, grouping, mapping, ordering
from gradtape._src.data.caching import cache, save, snapshot
from gradtape._src.data.options import Options
from gradtape._src.data.recipe import Recipe
from gradtape._src.data.resampling import rejection_resample
from gradtape._src.data.running import computed, single

Function = Callable[..., Any]


class Transformations:
    """The methods of ``Dataset`` that give another dataset, or a value computed of all elements."""

    _recipe: Recipe
    _of: Callable[[Recipe], Any]  # a dataset of the same class with another recipe

    # ---- order and number

    def shuffle(
        self,
        buffer_size: Any,
        seed: Any = None,
        reshuffle_each_iteration: bool | None = True,
        name: str | None = None,
    ) -> Any:
        """The elements in random order: each is drawn from a buffer of the next ``buffer_size`` ones.

        Args:
          buffer_size: as many as there are elements give all orders alike.
          seed: of the order, together with the global seed; see `tf.random.set_seed`.
          reshuffle_each_iteration: each pass gives another order.

        Raises:
          InvalidArgumentError: the size is not positive.

        >>> import gradtape as tf
        >>> tf.random.set_seed(1)
        >>> numbers = tf.data.Dataset.range(5).shuffle(5, seed=1)
        >>> [x.item() for x in numbers.as_numpy_iterator()], [x.item() for x in numbers.as_numpy_iterator()]
        ([0, 4, 1, 3, 2], [1, 3, 4, 2, 0])

        The order is that of TensorFlow 2.21.
        """
        return self._of(ordering.shuffle(self._recipe, buffer_size, seed, reshuffle_each_iteration))

    def repeat(self, count: Any = None, name: str | None = None) -> Any:
        """The elements ``count`` times over; without end if it is None or -1.

        >>> import gradtape as tf
        >>> [x.item() for x in tf.data.Dataset.range(2).repeat(2).as_numpy_iterator()]
        [0, 1, 0, 1]
        """
        return self._of(ordering.repeat(self._recipe, count))

    def take(self, count: Any, name: str | None = None) -> Any:
        """The first ``count`` elements; all of them if it is -1."""
        return self._of(ordering.take(self._recipe, count))

    def skip(self, count: Any, name: str | None = None) -> Any:
        """The elements after the first ``count``; none if it is -1."""
        return self._of(ordering.skip(self._recipe, count))

    def shard(self, num_shards: Any, index: Any, name: str | None = None) -> Any:
        """Each ``num_shards``-th element, beginning with the one at ``index``.

        >>> import gradtape as tf
        >>> [x.item() for x in tf.data.Dataset.range(7).shard(3, 1).as_numpy_iterator()]
        [1, 4]
        """
        return self._of(ordering.shard(self._recipe, num_shards, index))

    def concatenate(self, dataset: Any, name: str | None = None) -> Any:
        """The elements of this dataset, then those of the other.

        Raises:
          TypeError: elements differ in structure or dtype.
        """
        return self._of(ordering.concatenate(self._recipe, dataset._recipe))

    def enumerate(self, start: Any = 0, name: str | None = None) -> Any:
        """Pairs of a number and an element.

        >>> import gradtape as tf
        >>> list(tf.data.Dataset.from_tensor_slices([7, 8]).enumerate().as_numpy_iterator())
        [(np.int64(0), np.int32(7)), (np.int64(1), np.int32(8))]
        """
        return self._of(ordering.enumerate_(self._recipe, start))

    def cache(self, filename: Any = "", name: str | None = None) -> Any:
        """The same elements, which are kept when a pass comes to its end, for all later passes.

        Args:
          filename: of a file to keep them in; without it they are kept in memory. Later programs read the file too.
        """
        return self._of(cache(self._recipe, text_of(filename)))

    def snapshot(
        self,
        path: Any,
        compression: Any = "AUTO",
        reader_func: Function | None = None,
        shard_func: Function | None = None,
        name: str | None = None,
    ) -> Any:
        """The same elements, stored in the folder ``path`` by the first pass that comes to its end.

        Later passes, and later programs, read what is stored. See ``save`` and ``load`` for the other arguments.
        """
        return self._of(snapshot(self._recipe, text_of(path), compression, reader_func, shard_func, self._of))

    def save(
        self,
        path: Any,
        compression: Any = None,
        shard_func: Function | None = None,
        checkpoint_args: Any = None,
    ) -> None:
        """Stores the elements in the folder ``path``, for ``tf.data.Dataset.load``: all of them or nothing.

        Args:
          path: of the folder, which is made if need be.
          compression: "GZIP", or None for no compression.
          shard_func: gives the number of the shard for an element: what ``load`` hands to its ``reader_func``.
          checkpoint_args: without effect.

        Raises:
          TypeError: elements hold datasets.

        >>> import gradtape as tf, tempfile
        >>> folder = tempfile.mkdtemp()
        >>> tf.data.Dataset.range(3).save(folder)
        >>> [x.item() for x in tf.data.Dataset.load(folder).as_numpy_iterator()]
        [0, 1, 2]

        The files are NumPy's arrays in a ZIP archive; TensorFlow's are others.
        """
        save(self._recipe, text_of(path), compression, shard_func, self._of)

    def prefetch(self, buffer_size: Any, name: str | None = None) -> Any:
        """The same elements. Nothing is computed ahead: there are no threads that could."""
        return self._of(ordering.prefetch(self._recipe, buffer_size))

    # ---- batches

    def batch(
        self,
        batch_size: Any,
        drop_remainder: bool = False,
        num_parallel_calls: Any = None,
        deterministic: bool | None = None,
        name: str | None = None,
    ) -> Any:
        """Stacks ``batch_size`` elements to one. The last batch may be smaller, unless ``drop_remainder``.

        Raises:
          InvalidArgumentError: the size is not positive, or (at iteration) elements of a batch differ in shape.

        >>> import gradtape as tf
        >>> list(tf.data.Dataset.range(3).batch(2).as_numpy_iterator())
        [array([0, 1]), array([2])]
        """
        return self._of(
            batching.batch(self._recipe, batch_size, drop_remainder, num_parallel_calls is not None)
        )

    def padded_batch(
        self,
        batch_size: Any,
        padded_shapes: Any = None,
        padding_values: Any = None,
        drop_remainder: bool = False,
        name: str | None = None,
    ) -> Any:
        """Batches of elements of different shapes, padded at their ends.

        Args:
          padded_shapes: the nest of shapes after padding; None or -1 for the longest of the batch, which is the
            default.
          padding_values: the nest of values to pad with: zeros, and empty strings, by default.

        Raises:
          DataLossError: (at iteration) an element is larger than its padded shape.

        >>> import gradtape as tf
        >>> rows = tf.data.Dataset.range(1, 3).map(lambda n: tf.fill([n], n))
        >>> print(next(iter(rows.padded_batch(2))).numpy())
        [[1 0]
         [2 2]]
        """
        return self._of(
            batching.padded_batch(self._recipe, batch_size, padded_shapes, padding_values, drop_remainder)
        )

    def unbatch(self, name: str | None = None) -> Any:
        """The rows of the elements, one after the other."""
        return self._of(batching.unbatch(self._recipe))

    def rebatch(self, batch_size: Any, drop_remainder: bool = False, name: str | None = None) -> Any:
        """Batches of another size. A list of sizes is gone through over and over again.

        >>> import gradtape as tf
        >>> list(tf.data.Dataset.range(5).batch(2).rebatch(3).as_numpy_iterator())
        [array([0, 1, 2]), array([3, 4])]
        """
        return self._of(batching.rebatch(self._recipe, batch_size, drop_remainder))

    def window(
        self,
        size: Any,
        shift: Any = None,
        stride: Any = 1,
        drop_remainder: bool = False,
        name: str | None = None,
    ) -> Any:
        """Datasets of ``size`` elements each: the elements at ``i * shift``, ``i * shift + stride``, ...

        A component of an element becomes a dataset of its own.

        >>> import gradtape as tf
        >>> windows = tf.data.Dataset.range(5).window(3, shift=1, drop_remainder=True)
        >>> list(windows.flat_map(lambda window: window.batch(3)).as_numpy_iterator())
        [array([0, 1, 2]), array([1, 2, 3]), array([2, 3, 4])]
        """
        return self._of(grouping.window(self._recipe, size, shift, stride, drop_remainder))

    def group_by_window(
        self,
        key_func: Function,
        reduce_func: Function,
        window_size: Any = None,
        window_size_func: Function | None = None,
        name: str | None = None,
    ) -> Any:
        """Collects elements by their key; ``window_size`` of a key become a dataset, whose reduction is given on.

        Args:
          key_func: gives the int64 key of an element.
          reduce_func: gives a dataset for a key and the dataset of its elements.
          window_size: the number of elements, or ``window_size_func``, which gives it for a key.

        >>> import gradtape as tf
        >>> groups = tf.data.Dataset.range(5).group_by_window(lambda x: x % 2, lambda key, xs: xs.batch(5), 5)
        >>> list(groups.as_numpy_iterator())
        [array([0, 2, 4]), array([1, 3])]
        """
        return self._of(
            grouping.group_by_window(
                self._recipe, key_func, reduce_func, window_size, window_size_func, self._of
            )
        )

    def bucket_by_sequence_length(
        self,
        element_length_func: Function,
        bucket_boundaries: Any,
        bucket_batch_sizes: Any,
        padded_shapes: Any = None,
        padding_values: Any = None,
        pad_to_bucket_boundary: bool = False,
        no_padding: bool = False,
        drop_remainder: bool = False,
        name: str | None = None,
    ) -> Any:
        """Padded batches of elements of similar length.

        Args:
          element_length_func: gives the int32 length of an element.
          bucket_boundaries: where the next bucket begins.
          bucket_batch_sizes: of each bucket; one more than there are boundaries.
          pad_to_bucket_boundary: pad to the boundary (less one) rather than to the longest of the batch.
          no_padding: elements of a batch must be of one shape.
        """
        return self._of(
            buckets.bucket_by_sequence_length(
                self._recipe,
                element_length_func,
                bucket_boundaries,
                bucket_batch_sizes,
                padded_shapes,
                padding_values,
                pad_to_bucket_boundary,
                no_padding,
                drop_remainder,
                self._of,
            )
        )

    # ---- functions of elements

    def map(
        self,
        map_func: Function,
        num_parallel_calls: Any = None,
        deterministic: bool | None = None,
        synchronous: bool | None = None,
        use_unbounded_threadpool: bool = False,
        name: str | None = None,
    ) -> Any:
        """``map_func`` of each element; components of a tuple are its arguments.

        It is traced once, with AutoGraph; ``tf.py_function`` in it calls Python for each element. What it computes is
        on no tape.

        Raises:
          TypeError: it returns something that is no tensor.

        >>> import gradtape as tf
        >>> pairs = tf.data.Dataset.from_tensor_slices(([1, 2], [10, 20]))
        >>> [x.item() for x in pairs.map(lambda a, b: a + b).as_numpy_iterator()]
        [11, 22]
        """
        return self._of(mapping.map_(self._recipe, map_func, num_parallel_calls is not None, self._of))

    def filter(self, predicate: Function, name: str | None = None) -> Any:
        """The elements for which ``predicate`` gives True.

        Raises:
          ValueError: it does not give a boolean scalar.

        >>> import gradtape as tf
        >>> [x.item() for x in tf.data.Dataset.range(5).filter(lambda x: x % 2 == 0).as_numpy_iterator()]
        [0, 2, 4]
        """
        return self._of(mapping.filter_(self._recipe, predicate, self._of))

    def take_while(self, predicate: Function, name: str | None = None) -> Any:
        """The elements before the first for which ``predicate`` gives False."""
        return self._of(mapping.take_while(self._recipe, predicate, self._of))

    def flat_map(self, map_func: Function, name: str | None = None) -> Any:
        """The elements of the dataset that ``map_func`` gives for each element, one dataset after the other.

        >>> import gradtape as tf
        >>> numbers = tf.data.Dataset.range(1, 4).flat_map(lambda n: tf.data.Dataset.range(n))
        >>> [x.item() for x in numbers.as_numpy_iterator()]
        [0, 0, 1, 0, 1, 2]
        """
        return self._of(mapping.flat_map(self._recipe, map_func, self._of))

    def interleave(
        self,
        map_func: Function,
        cycle_length: Any = None,
        block_length: Any = None,
        num_parallel_calls: Any = None,
        deterministic: bool | None = None,
        name: str | None = None,
    ) -> Any:
        """The elements of the datasets that ``map_func`` gives, ``block_length`` of each in turn.

        Args:
          cycle_length: how many datasets are read at a time. Default: the number of processors.
          block_length: how many elements of a dataset follow each other. Default 1.

        >>> import gradtape as tf
        >>> make = lambda n: tf.data.Dataset.from_tensors(n).repeat(2)
        >>> [x.item() for x in tf.data.Dataset.range(3).interleave(make, cycle_length=2).as_numpy_iterator()]
        [0, 1, 0, 1, 2, 2]
        """
        return self._of(
            mapping.interleave(
                self._recipe, map_func, cycle_length, block_length, num_parallel_calls, self._of
            )
        )

    def scan(self, initial_state: Any, scan_func: Function, name: str | None = None) -> Any:
        """Outputs of a function that carries a state: ``state, output = scan_func(state, element)``.

        >>> import gradtape as tf
        >>> sums = tf.data.Dataset.range(4).scan(tf.constant(0, tf.int64), lambda s, x: (s + x, s + x))
        >>> [x.item() for x in sums.as_numpy_iterator()]
        [0, 1, 3, 6]
        """
        return self._of(mapping.scan(self._recipe, initial_state, scan_func, self._of))

    def unique(self, name: str | None = None) -> Any:
        """The elements without those that came before. They must be int32, int64 or strings."""
        return self._of(grouping.unique(self._recipe))

    def rejection_resample(
        self,
        class_func: Function,
        target_dist: Any,
        initial_dist: Any = None,
        seed: Any = None,
        name: str | None = None,
    ) -> Any:
        """Pairs of class and element, of which some are left out, so that classes are as frequent as is wanted.

        An element of class c is taken with probability target(c) / initial(c), divided by the greatest of these.

        Args:
          class_func: gives the class of an element, an integer.
          target_dist: the probability of each class in the result.
          initial_dist: that in this dataset. Without it, it is estimated from the elements that came so far.
          seed: of the choices.

        Raises:
          TypeError: the class is no integer scalar.
          ValueError: a distribution is none.

        >>> import gradtape as tf
        >>> labels = tf.data.Dataset.from_tensor_slices([0, 0, 0, 1]).repeat()
        >>> even = labels.rejection_resample(lambda x: x, [0.5, 0.5], [0.75, 0.25], seed=1).take(1000)
        >>> bool(abs(sum(label for label, _ in even.as_numpy_iterator()) - 500) < 50)
        True

        TensorFlow mixes in elements that were not looked at, to the same frequencies.
        """
        return self._of(
            rejection_resample(self._recipe, class_func, target_dist, initial_dist, seed, self._of)
        )

    def ignore_errors(self, log_warning: bool = False, name: str | None = None) -> Any:
        """The elements whose computation raises no error of `tf.errors`."""
        return self._of(mapping.ignore_errors(self._recipe, log_warning))

    def apply(self, transformation_func: Function) -> Any:
        """``transformation_func(dataset)``, which must be a dataset."""
        found = transformation_func(self)
        if not hasattr(found, "_recipe"):
            raise TypeError(
                f"`transformation_func` must return a `tf.data.Dataset` object. Got {type(found)}."
            )
        return found

    # ---- values of all elements

    def reduce(self, initial_state: Any, reduce_func: Function, name: str | None = None) -> Any:
        """The last state of ``state = reduce_func(state, element)``.

        In a graph it is computed whenever the graph is executed.

        Raises:
          TypeError: the new state has another dtype or structure than the first.

        >>> import gradtape as tf
        >>> tf.data.Dataset.range(5).reduce(tf.constant(0, tf.int64), lambda s, x: s + x).numpy()
        np.int64(10)
        """
        return computed(*mapping.reduction(self._recipe, initial_state, reduce_func, self._of))

    def get_single_element(self, name: str | None = None) -> Any:
        """The only element.

        Raises:
          InvalidArgumentError: there is none, or more than one.
        """
        return computed(
            self._recipe.spec, lambda values: single(self._recipe.begin(values)), self._recipe.needs
        )

    # ---- options

    def options(self) -> Options:
        """The options that were set."""
        return self._recipe.options or Options()

    def with_options(self, options: Options, name: str | None = None) -> Any:
        """The same elements, with options; see `tf.data.Options`."""
        return self._of(replace(self._recipe, kind="Options", options=self.options().merge(options)))


def text_of(x: Any) -> str:
    """A path that is given as text, bytes, a path or a tensor."""
    if isinstance(x, EagerTensor):
        x = x.numpy()
    return x.decode() if isinstance(x, bytes) else str(x)
