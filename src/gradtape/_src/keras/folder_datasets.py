"""Datasets of files in folders, one folder a class; and of windows of a time series."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from gradtape._src.api.gathering import gather
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.specs import TensorSpec
from gradtape._src.data.dataset import Dataset
from gradtape._src.keras.data_utils import img_to_array
from gradtape._src.keras.image_files import load_img
from gradtape._src.keras.preprocessing.images import fitted, resized

IMAGES = (".bmp", ".gif", ".jpeg", ".jpg", ".png")


def files_by_class(
    directory: Any, labels: Any, endings: tuple[str, ...], class_names: Any, follow: bool
) -> tuple[Any, ...]:
    """The paths in alphabetical order, the class of each, and the names of the classes."""
    root = Path(directory)
    if not root.is_dir():
        raise FileNotFoundError(f"There is no folder {directory}.")
    if labels == "inferred":
        folders = sorted(
            entry.name for entry in root.iterdir() if entry.is_dir() and not entry.name.startswith(".")
        )
        names = list(folders if class_names is None else class_names)
        if set(names) - set(folders):
            raise ValueError(
                "The `class_names` passed did not match the names of the subdirectories of the target directory. "
                f"Expected: {folders}, but received: {names}"
            )
    else:
        names = [""]
    paths, classes = [], []
    for i, name in enumerate(names):
        for folder, inner, files in os.walk(root / name, followlinks=follow):
            inner.sort()
            found = [os.path.join(folder, f) for f in sorted(files) if f.lower().endswith(endings)]
            paths += found
            classes += [i] * len(found)
    if isinstance(labels, (list, tuple)):
        if len(labels) != len(paths):
            raise ValueError(
                "Expected the lengths of `labels` to match the number of files in the target directory. len(labels) "
                f"is {len(labels)} while we found {len(paths)} files in directory {directory}."
            )
        classes, names = list(labels), [str(x) for x in sorted(set(labels))]
    if not paths:
        raise ValueError(f"No files found in directory {directory}. Allowed formats: {endings}")
    return paths, np.array(classes), None if labels is None else names


def _labels(classes: np.ndarray, mode: Any, n: int) -> Any:
    if mode == "int":
        return classes.astype(np.int32)
    if mode == "binary":
        if n != 2:
            raise ValueError(
                "When passing `label_mode='binary'`, there must be exactly 2 class_names. Received: "
                f"{n} classes"
            )
        return classes.astype(np.float32)[:, None]
    if mode == "categorical":
        return np.eye(n, dtype=np.float32)[classes]
    raise ValueError(f'`label_mode` must be "int", "binary", "categorical" or None. Received: {mode}')


def _parts(n: int, split: Any, subset: Any, shuffle: bool, seed: Any) -> list[np.ndarray]:
    """The numbers of the files in the order of the dataset: of one part, or of both."""
    order = np.arange(n)
    if shuffle:
        np.random.RandomState(seed).shuffle(order)
    if not split:
        if subset is not None:
            raise ValueError("If `subset` is set, `validation_split` must be set, and inversely.")
        return [order]
    if not 0 < split < 1:
        raise ValueError(f"`validation_split` must be between 0 and 1, received: {split}")
    if subset not in ("training", "validation", "both"):
        raise ValueError(f'`subset` must be either "training", "validation" or "both", received: {subset}')
    if shuffle and seed is None:
        raise ValueError(
            "If using `validation_split` and shuffling the data, you must provide a `seed` argument, to make sure that "
            "there is no overlap between the training and validation subset."
        )
    last = int(split * n)
    parts = {"training": order[: n - last], "validation": order[n - last :]}
    return list(parts.values()) if subset == "both" else [parts[subset]]


def _dataset(
    paths: Any, labels: Any, read: Any, signature: Any, batch_size: Any, shuffle: bool, seed: Any
) -> Any:
    def items() -> Any:
        for i, path in enumerate(paths):
            yield read(path) if labels is None else (read(path), labels[i])

    spec: Any = signature
    if labels is not None:
        spec = (signature, TensorSpec(labels.shape[1:], labels.dtype))
    data = Dataset.from_generator(items, output_signature=spec)
    if batch_size is None:
        return data.shuffle(1024, seed=seed) if shuffle else data
    return (data.shuffle(batch_size * 8, seed=seed) if shuffle else data).batch(batch_size)


def _from_directory(
    directory: Any, labels: Any, label_mode: Any, class_names: Any, endings: Any, read: Any, signature: Any,
    batch_size: Any, shuffle: bool, seed: Any, validation_split: Any, subset: Any, follow: bool,
) -> Any:  # fmt: skip
    paths, classes, names = files_by_class(directory, labels, endings, class_names, follow)
    with_labels = labels is not None and label_mode is not None
    rows = _labels(classes, label_mode, len(names)) if with_labels else None
    found = []
    for part in _parts(len(paths), validation_split, subset, shuffle, seed):
        chosen = [paths[i] for i in part]
        data = _dataset(
            chosen, None if rows is None else rows[part], read, signature, batch_size, shuffle, seed
        )
        data.class_names, data.file_paths = names, chosen
        found.append(data)
    return found[0] if len(found) == 1 else found


def image_dataset_from_directory(
    directory, labels="inferred", label_mode="int", class_names=None, color_mode="rgb", batch_size=32,
    image_size=(256, 256), shuffle=True, seed=None, validation_split=None, subset=None, interpolation="bilinear",
    follow_links=False, crop_to_aspect_ratio=False, pad_to_aspect_ratio=False, data_format=None, format=None,
    verbose=True,
):  # fmt: skip
    """A dataset of the images in a folder, which has a folder for each class.

    Args:
      directory: the folder.
      labels: "inferred" from the folders, None for none, or a list in the order of the sorted files.
      label_mode: "int", "binary", "categorical" or None.
      class_names: of the folders, in the order of their numbers; alphabetical by default.
      color_mode: "grayscale", "rgb" or "rgba".
      batch_size: None for single images.
      image_size: to which images are resized.
      shuffle, seed: of the order.
      validation_split: the share of the files that is kept for validation.
      subset: "training", "validation" or "both", which gives a pair.
      interpolation: of the resizing, as of `tf.image.resize`.
      follow_links: whether to follow links of folders.
      crop_to_aspect_ratio: whether to cut off what does not fit, instead of distorting.
      pad_to_aspect_ratio, data_format, format, verbose: without effect.

    Returns:
      A `tf.data.Dataset` with the attributes ``class_names`` and ``file_paths``.

    Raises:
      ImportError: Pillow is not installed.
      FileNotFoundError, ValueError: no such folder, no files in it, or arguments that do not fit.
    """
    channels = {"grayscale": 1, "rgb": 3, "rgba": 4}[color_mode]
    size = tuple(image_size)

    def read(path: str) -> Any:
        x = as_tensor(img_to_array(load_img(path, color_mode)))[None]
        return (
            fitted(x, size, interpolation) if crop_to_aspect_ratio else resized(x, size, interpolation, False)
        )[0]

    signature = TensorSpec((*size, channels), "float32")
    return _from_directory(
        directory, labels, label_mode, class_names, IMAGES, read, signature, batch_size, shuffle, seed,
        validation_split, subset, follow_links,
    )  # fmt: skip


def text_dataset_from_directory(
    directory, labels="inferred", label_mode="int", class_names=None, batch_size=32, max_length=None, shuffle=True,
    seed=None, validation_split=None, subset=None, follow_links=False, format=None, verbose=True,
):  # fmt: skip
    """A dataset of the ``.txt`` files in a folder, which has a folder for each class.

    Args:
      max_length: to which texts are cut.
      directory, labels, ...: as of `image_dataset_from_directory`.

    >>> import gradtape as tf, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for kind in ("bad", "good"):
    ...         (pathlib.Path(folder) / kind).mkdir()
    ...         _ = (pathlib.Path(folder) / kind / "1.txt").write_text(f"a {kind} film")
    ...     data = tf.keras.utils.text_dataset_from_directory(folder, batch_size=2, shuffle=False)
    ...     texts, classes = next(iter(data))
    >>> data.class_names, texts.numpy().tolist(), classes.numpy().tolist()
    (['bad', 'good'], [b'a bad film', b'a good film'], [0, 1])
    """

    def read(path: str) -> bytes:
        return Path(path).read_bytes()[:max_length]

    return _from_directory(
        directory, labels, label_mode, class_names, (".txt",), read, TensorSpec((), "string"), batch_size, shuffle,
        seed, validation_split, subset, follow_links,
    )  # fmt: skip


def timeseries_dataset_from_array(
    data, targets, sequence_length, sequence_stride=1, sampling_rate=1, batch_size=128, shuffle=False, seed=None,
    start_index=None, end_index=None,
):  # fmt: skip
    """A dataset of windows of a time series.

    Args:
      data: an array whose first axis is time.
      targets: the target of the window that begins at each step; None for none.
      sequence_length: how many values a window has.
      sequence_stride: how far apart windows begin.
      sampling_rate: how far apart the values of a window are.
      batch_size: None for single windows.
      shuffle, seed: of the order.
      start_index, end_index: a part of the data.

    Raises:
      ValueError: numbers out of range.

    >>> import gradtape as tf
    >>> data = tf.keras.utils.timeseries_dataset_from_array(np.arange(5), np.arange(10, 15), 3)
    >>> [(x.numpy().tolist(), y.numpy().tolist()) for x, y in data]
    [([[0, 1, 2], [1, 2, 3], [2, 3, 4]], [10, 11, 12])]
    """
    values = np.asarray(data)
    for word, number in (
        ("sequence_length", sequence_length), ("sequence_stride", sequence_stride), ("sampling_rate", sampling_rate),
    ):  # fmt: skip
        if number <= 0:
            raise ValueError(f"`{word}` must be higher than 0. Received: {word}={number}")
    first, last = start_index or 0, len(values) if end_index is None else end_index
    if not 0 <= first < last <= len(values):
        raise ValueError(
            f"start_index={start_index} and end_index={end_index} are no part of data of length {len(values)}."
        )
    n = last - first
    starts = np.arange(0, n - (sequence_length - 1) * sampling_rate, sequence_stride)
    if targets is not None:
        starts = np.arange(0, min(n - (sequence_length - 1) * sampling_rate, len(targets)), sequence_stride)
    if shuffle:
        np.random.RandomState(np.random.randint(1_000_000) if seed is None else seed).shuffle(starts)
    within = np.arange(sequence_length) * sampling_rate
    values = values[first:last]
    chosen = None if targets is None else np.asarray(targets)
    places = Dataset.from_tensor_slices(starts)
    table = as_tensor(values)
    answers = None if chosen is None else as_tensor(chosen)

    def window(start: Any) -> Any:
        x = gather(table, start[..., None] + within)
        return x if answers is None else (x, gather(answers, start))

    if batch_size is None:
        return places.map(window)
    if shuffle:
        places = places.shuffle(batch_size * 8, seed=seed)
    return places.batch(batch_size).map(window)
