"""`ImageDataGenerator`: batches of images that are changed at random, as Keras 2 has it, on NumPy and SciPy.

The layers `RandomFlip`, `RandomRotation` and their kin are the newer way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.keras.data_utils import PyDataset, img_to_array
from gradtape._src.keras.folder_datasets import IMAGES, files_by_class
from gradtape._src.keras.image_files import load_img


def apply_affine_transform(
    x, theta=0, tx=0, ty=0, shear=0, zx=1, zy=1, row_axis=0, col_axis=1, channel_axis=2, fill_mode="nearest",
    cval=0.0, order=1,
):  # fmt: skip
    """An image turned by theta degrees, moved, sheared and zoomed about its middle.

    >>> import gradtape as tf
    >>> x = np.array([[[1.0], [2.0]], [[3.0], [4.0]]])
    >>> tf.keras.preprocessing.image.apply_affine_transform(x, theta=90)[..., 0].round(3)
    array([[3., 1.],
           [4., 2.]])
    """
    from scipy import ndimage  # start-up cost: needed here only

    theta, shear = np.deg2rad(theta), np.deg2rad(shear)
    turned = np.array([[np.cos(theta), -np.sin(theta), 0], [np.sin(theta), np.cos(theta), 0], [0, 0, 1]])
    moved = np.array([[1, 0, tx], [0, 1, ty], [0, 0, 1]])
    sheared = np.array([[1, -np.sin(shear), 0], [0, np.cos(shear), 0], [0, 0, 1]])
    matrix = turned @ moved @ sheared @ np.diag([zx, zy, 1.0])
    if np.allclose(matrix, np.eye(3)):
        return x
    channels = np.moveaxis(x, channel_axis, 0)
    middle = np.array([n / 2 - 0.5 for n in channels.shape[1:]])
    offset: Any = middle + matrix[:2, 2] - matrix[:2, :2] @ middle
    planes = [
        ndimage.affine_transform(plane, matrix[:2, :2], offset, order=order, mode=fill_mode, cval=cval)
        for plane in channels
    ]
    return np.moveaxis(np.stack(planes), 0, channel_axis)


class Iterator(PyDataset):
    """Batches of n images, for ever, in another order in each pass: what `ImageDataGenerator.flow` gives."""

    def __init__(self, n: int, batch_size: int, shuffle: bool, seed: Any) -> None:
        super().__init__()
        self.n, self.batch_size, self.shuffle, self.seed = n, batch_size, shuffle, seed
        self.total_batches_seen, self._order, self._place = 0, np.arange(n), 0
        self._random = np.random.RandomState(seed)
        self.on_epoch_end()

    def on_epoch_end(self) -> None:
        self._order = self._random.permutation(self.n) if self.shuffle else np.arange(self.n)

    def reset(self) -> None:
        """Begins a pass anew."""
        self._place = 0

    def __len__(self) -> int:
        return (self.n + self.batch_size - 1) // self.batch_size

    def __getitem__(self, index: int) -> Any:
        if index >= len(self):
            raise ValueError(f"Asked to retrieve element {index}, but the Sequence has length {len(self)}")
        return self._batch(self._order[index * self.batch_size : (index + 1) * self.batch_size])

    def __iter__(self) -> Iterator:
        return self

    def __next__(self) -> Any:
        if self._place == len(self):
            self._place = 0
            self.on_epoch_end()
        self._place += 1
        return self[self._place - 1]

    next = __next__

    def _batch(self, rows: np.ndarray) -> Any:
        raise NotImplementedError


class NumpyArrayIterator(Iterator):
    """Batches of the images of an array."""

    def __init__(
        self, x: Any, y: Any, weights: Any, maker: Any, batch_size: int, shuffle: bool, seed: Any
    ) -> None:
        self.x, self.y, self.sample_weight, self.image_data_generator = x, y, weights, maker
        super().__init__(len(x), batch_size, shuffle, seed)

    def _batch(self, rows: np.ndarray) -> Any:
        x = np.stack([self.image_data_generator._changed(self.x[i]) for i in rows])
        if self.y is None:
            return x
        return (
            (x, self.y[rows]) if self.sample_weight is None else (x, self.y[rows], self.sample_weight[rows])
        )


class DirectoryIterator(Iterator):
    """Batches of the images of a folder, which has a folder for each class."""

    def __init__(
        self, directory: Any, maker: Any, target_size: Any, color_mode: str, classes: Any, class_mode: Any,
        batch_size: int, shuffle: bool, seed: Any, subset: Any, interpolation: str,
    ) -> None:  # fmt: skip
        paths, numbers, names = files_by_class(directory, "inferred", IMAGES, classes, False)
        if subset is not None:
            share = maker.validation_split
            of_validation = np.concatenate([
                np.arange(n := int((numbers == i).sum())) < int(share * n) for i in range(len(names))
            ])  # fmt: skip
            chosen = np.flatnonzero(of_validation if subset == "validation" else ~of_validation)
            paths, numbers = [paths[i] for i in chosen], numbers[chosen]
        self.filepaths, self.classes, self.class_mode = paths, numbers, class_mode
        self.class_indices = {name: i for i, name in enumerate(names)}
        self.image_data_generator, self.target_size = maker, target_size
        self.color_mode, self.interpolation = color_mode, interpolation
        self.samples, self.num_classes = len(paths), len(names)
        print(f"Found {len(paths)} images belonging to {len(names)} classes.")
        super().__init__(len(paths), batch_size, shuffle, seed)

    def _batch(self, rows: np.ndarray) -> Any:
        images = (
            img_to_array(load_img(self.filepaths[i], self.color_mode, self.target_size, self.interpolation))
            for i in rows
        )
        x = np.stack([self.image_data_generator._changed(image) for image in images])
        if self.class_mode is None:
            return x
        if self.class_mode == "input":
            return x, x.copy()
        y = self.classes[rows]
        if self.class_mode == "categorical":
            return x, np.eye(self.num_classes, dtype="float32")[y]
        return x, y.astype("float32")


class ImageDataGenerator:
    """Batches of images that are changed at random: turned, moved, sheared, zoomed, mirrored, in another light.

    Args:
      featurewise_center, featurewise_std_normalization: whether images lose the mean, and are divided by the standard
        deviation, of the images that `fit` has seen.
      samplewise_center, samplewise_std_normalization: the same for each image by itself.
      rotation_range: of angles in degrees.
      width_shift_range, height_shift_range: as a part of the size, or in pixels from 1 on.
      brightness_range: two factors.
      shear_range: of angles in degrees.
      zoom_range: two factors, or a number z for (1 - z, 1 + z).
      channel_shift_range: how much is added to each channel at most.
      fill_mode: "nearest", "constant", "reflect" or "wrap": what is beyond the border.
      cval: for the mode "constant".
      horizontal_flip, vertical_flip: whether every other image is mirrored.
      rescale: a factor, applied at the end.
      preprocessing_function: of an image.
      validation_split: the share of the images that ``subset="validation"`` means.
      data_format: "channels_last".
      interpolation_order: of the splines between pixels.
      dtype: of the batches.

    >>> import gradtape as tf
    >>> maker = tf.keras.preprocessing.image.ImageDataGenerator(rescale=0.5, horizontal_flip=True)
    >>> batches = maker.flow(np.ones((5, 4, 4, 3)), np.arange(5), batch_size=2, shuffle=False)
    >>> x, y = next(batches)
    >>> x.shape, float(x.max()), y.tolist(), len(batches)
    ((2, 4, 4, 3), 0.5, [0, 1], 3)

    As Keras 2; the random numbers are NumPy's global ones.
    """

    def __init__(
        self, featurewise_center=False, samplewise_center=False, featurewise_std_normalization=False,
        samplewise_std_normalization=False, zca_whitening=False, zca_epsilon=1e-6, rotation_range=0,
        width_shift_range=0.0, height_shift_range=0.0, brightness_range=None, shear_range=0.0, zoom_range=0.0,
        channel_shift_range=0.0, fill_mode="nearest", cval=0.0, horizontal_flip=False, vertical_flip=False,
        rescale=None, preprocessing_function=None, data_format=None, validation_split=0.0, interpolation_order=1,
        dtype=None,
    ):  # fmt: skip
        if zca_whitening:
            raise ValueError("ImageDataGenerator(zca_whitening=True) is not supported.")
        if data_format == "channels_first":
            raise ValueError("ImageDataGenerator takes images with their channels last.")
        self.featurewise_center, self.samplewise_center = featurewise_center, samplewise_center
        self.featurewise_std_normalization = featurewise_std_normalization
        self.samplewise_std_normalization = samplewise_std_normalization
        self.rotation_range, self.shear_range = rotation_range, shear_range
        self.width_shift_range, self.height_shift_range = width_shift_range, height_shift_range
        self.brightness_range, self.channel_shift_range = brightness_range, channel_shift_range
        self.zoom_range = (
            [1 - zoom_range, 1 + zoom_range] if isinstance(zoom_range, (int, float)) else list(zoom_range)
        )
        self.fill_mode, self.cval, self.interpolation_order = fill_mode, cval, interpolation_order
        self.horizontal_flip, self.vertical_flip = horizontal_flip, vertical_flip
        self.rescale, self.preprocessing_function = rescale, preprocessing_function
        self.validation_split, self.dtype = validation_split, dtype or "float32"
        self.mean: Any = None
        self.std: Any = None

    def fit(self, x, augment=False, rounds=1, seed=None):
        """Takes mean and standard deviation from images."""
        x = np.asarray(x, self.dtype)
        self.mean, self.std = x.mean((0, 1, 2)), x.std((0, 1, 2))

    # --- Batches

    def flow(
        self, x, y=None, batch_size=32, shuffle=True, sample_weight=None, seed=None, subset=None, **kwargs
    ):  # fmt: skip
        """Batches of the images of an array, for ever.

        Args:
          x: images (n, height, width, channels).
          y: labels.
          batch_size, shuffle, seed: of the batches.
          sample_weight: of the images.
          subset: "training" or "validation", if there is a ``validation_split``.
          **kwargs: ``save_to_dir`` and its kin, without effect.
        """
        x = np.asarray(x)
        if x.ndim != 4:
            raise ValueError(
                f"Input data in `NumpyArrayIterator` should have rank 4. Received shape {x.shape}"
            )
        arrays = [x, *(None if a is None else np.asarray(a) for a in (y, sample_weight))]
        if subset is not None:
            n = int(len(x) * self.validation_split)
            part = slice(None, n) if subset == "validation" else slice(n, None)
            arrays = [None if a is None else a[part] for a in arrays]
        return NumpyArrayIterator(*arrays, self, batch_size, shuffle, seed)

    def flow_from_directory(
        self, directory, target_size=(256, 256), color_mode="rgb", classes=None, class_mode="categorical",
        batch_size=32, shuffle=True, seed=None, subset=None, interpolation="nearest", **kwargs,
    ):  # fmt: skip
        """Batches of the images of a folder, which has a folder for each class, for ever.

        Args:
          directory: the folder.
          target_size: to which images are resized.
          color_mode: "grayscale", "rgb" or "rgba".
          classes: the names of the folders in the order of their numbers.
          class_mode: "categorical", "binary", "sparse", "input" or None.
          batch_size, shuffle, seed, subset: as of `flow`.
          interpolation: of the resizing.
          **kwargs: ``save_to_dir`` and its kin, without effect.
        """
        return DirectoryIterator(
            directory, self, target_size, color_mode, classes, class_mode, batch_size, shuffle, seed, subset,
            interpolation,
        )  # fmt: skip

    # --- One image

    def _changed(self, x: np.ndarray) -> np.ndarray:
        x = np.asarray(x, self.dtype)
        return self.standardize(self.apply_transform(x, self.get_random_transform(x.shape)))

    def get_random_transform(self, img_shape, seed=None):
        """The parameters of a change at random."""
        if seed is not None:
            np.random.seed(seed)
        draw: Any = np.random.uniform

        def shift(limit: float, size: int) -> float:
            return draw(-limit, limit) * (size if limit < 1 else 1)

        zoom = draw(*self.zoom_range, 2) if self.zoom_range != [1, 1] else (1.0, 1.0)
        return {
            "theta": draw(-self.rotation_range, self.rotation_range),
            "tx": shift(self.height_shift_range, img_shape[0]),
            "ty": shift(self.width_shift_range, img_shape[1]),
            "shear": draw(-self.shear_range, self.shear_range),
            "zx": zoom[0],
            "zy": zoom[1],
            "flip_horizontal": bool(np.random.random() < 0.5) and self.horizontal_flip,
            "flip_vertical": bool(np.random.random() < 0.5) and self.vertical_flip,
            "channel_shift_intensity": draw(-self.channel_shift_range, self.channel_shift_range),
            "brightness": None if self.brightness_range is None else draw(*self.brightness_range),
        }

    def apply_transform(self, x, transform_parameters):
        """An image changed by these parameters."""
        given = transform_parameters
        place = {
            key: given.get(key, 1 if key[0] == "z" else 0)
            for key in ("theta", "tx", "ty", "shear", "zx", "zy")
        }
        order = self.interpolation_order
        x = apply_affine_transform(x, **place, fill_mode=self.fill_mode, cval=self.cval, order=order)
        if given.get("channel_shift_intensity"):
            x = np.clip(x + given["channel_shift_intensity"], x.min(), x.max())
        if given.get("flip_horizontal"):
            x = x[:, ::-1]
        if given.get("flip_vertical"):
            x = x[::-1]
        if given.get("brightness") is not None:
            x = np.clip(x * given["brightness"], 0, 255 if x.max() > 1 else 1)
        return x

    def random_transform(self, x, seed=None):
        """An image changed at random."""
        return self.apply_transform(x, self.get_random_transform(x.shape, seed))

    def standardize(self, x):
        """An image scaled, and without its mean or that of all."""
        if self.preprocessing_function is not None:
            x = self.preprocessing_function(x)
        if self.rescale:
            x = x * self.rescale
        if self.samplewise_center:
            x = x - np.mean(x)
        if self.samplewise_std_normalization:
            x = x / (np.std(x) + 1e-6)
        if self.featurewise_center and self.mean is not None:
            x = x - self.mean
        if self.featurewise_std_normalization and self.std is not None:
            x = x / (self.std + 1e-6)
        return np.asarray(x, self.dtype)
