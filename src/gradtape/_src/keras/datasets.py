"""``tf.keras.datasets``: well-known data sets, read from files on this computer (`local_files.py`)."""

from __future__ import annotations

import gzip
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np

from gradtape._src.keras import made_data
from gradtape._src.keras.local_files import find, folders, toy_data
from gradtape._src.keras.settings import image_data_format

_ORIGIN = "https://storage.googleapis.com/tensorflow/tf-keras-datasets"


def _toy_images(name: str, shape: tuple[int, ...], classes: int) -> Any:
    if not toy_data(f"keras.datasets.{name}", "1,000 training and 200 test images"):
        return None
    return made_data.images(1000, shape, classes, 1), made_data.images(200, shape, classes, 2)


def _arrays(path: Path) -> dict[str, np.ndarray]:
    with np.load(path, allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


def load_mnist(path="mnist.npz"):
    """Handwritten digits: ``(x_train, y_train), (x_test, y_test)``, images (60000, 28, 28) of uint8 and their classes.

    Raises:
      FileNotFoundError: there is no local copy; the message says where to put one.

    >>> import gradtape as tf
    >>> (x_train, y_train), (x_test, y_test) = tf.keras.datasets.mnist.load_data()  # doctest: +SKIP
    >>> x_train.shape  # doctest: +SKIP
    (60000, 28, 28)
    """
    toy = _toy_images("mnist", (28, 28), 10)
    if toy:
        return toy
    data = _arrays(find([str(path)], "keras.datasets.mnist.load_data", f"{_ORIGIN}/mnist.npz"))
    return (data["x_train"], data["y_train"]), (data["x_test"], data["y_test"])


def load_fashion_mnist():
    """Clothes, ten kinds, in the form of `tf.keras.datasets.mnist`, from its four gzipped files."""
    toy = _toy_images("fashion_mnist", (28, 28), 10)
    if toy:
        return toy
    places = [folder / inner for folder in folders() for inner in ("fashion-mnist", "")]
    return read_idx("keras.datasets.fashion_mnist.load_data", f"{_ORIGIN}/", places)


def read_idx(what: str, origin: str, places: list[Path]) -> Any:
    """Training and test images and classes from the four files of the MNIST format."""
    parts = []
    for part, kind in (("train", 3), ("train", 1), ("t10k", 3), ("t10k", 1)):
        name = f"{part}-{'images' if kind == 3 else 'labels'}-idx{kind}-ubyte"
        path = find([f"{name}.gz", name], what, f"{origin}{name}.gz", places)
        with (gzip.open if path.suffix == ".gz" else open)(path, "rb") as file:
            parts.append(_idx(file.read(), path))
    return (parts[0], parts[1]), (parts[2], parts[3])


def _idx(content: bytes, path: Path) -> np.ndarray:
    """An array of the IDX format: two zeros, the type, the number of dimensions, their sizes, the elements."""
    rank = content[3] if len(content) > 3 else 0
    sizes = np.frombuffer(content, ">i4", rank, 4) if len(content) >= 4 + 4 * rank else np.zeros(0, int)
    if content[:3] != b"\0\0\x08" or len(content) != 4 + 4 * rank + int(np.prod(sizes)):
        raise ValueError(f"{path} is damaged, or is no file of bytes in the IDX format.")
    return np.frombuffer(content, np.uint8, offset=4 + 4 * rank).reshape(sizes)


def load_cifar10():
    """Small photographs of ten kinds: images (50000, 32, 32, 3) of uint8, classes (50000, 1), and 10000 for testing."""
    toy = _toy_cifar("cifar10", 10)
    if toy:
        return toy
    folder = _cifar_folder(
        "cifar-10-batches-py", "cifar10", "https://www.cs.toronto.edu/~kriz/cifar-10-python.tar.gz"
    )
    batches = [_cifar_batch(folder / f"data_batch_{i}", b"labels") for i in range(1, 6)]
    train = np.concatenate([x for x, _ in batches]), np.concatenate([y for _, y in batches])
    return train, _cifar_batch(folder / "test_batch", b"labels")


def load_cifar100(label_mode="fine"):
    """`tf.keras.datasets.cifar10` of 100 kinds; ``label_mode="coarse"`` gives the 20 groups of them.

    Raises:
      ValueError: another ``label_mode``.
    """
    if label_mode not in ("fine", "coarse"):
        raise ValueError(
            f"`label_mode` must be one of `'fine'`, `'coarse'`. Received: label_mode={label_mode}."
        )
    toy = _toy_cifar("cifar100", 100 if label_mode == "fine" else 20)
    if toy:
        return toy
    origin = "https://www.cs.toronto.edu/~kriz/cifar-100-python.tar.gz"
    folder, key = _cifar_folder("cifar-100-python", "cifar100", origin), f"{label_mode}_labels".encode()
    return _cifar_batch(folder / "train", key), _cifar_batch(folder / "test", key)


def _toy_cifar(name: str, classes: int) -> Any:
    toy = _toy_images(name, (32, 32, 3), classes)
    return toy and tuple((_channels(x), y[:, None]) for x, y in toy)


def _cifar_folder(name: str, module: str, origin: str) -> Path:
    names = [f"{name}-target_extracted/{name}", f"{name}-target/{name}", f"{name}_extracted/{name}", name]
    return find(names, f"keras.datasets.{module}.load_data", f"{origin} (unpacked)")


def _cifar_batch(path: Path, key: bytes) -> tuple[np.ndarray, np.ndarray]:
    with open(path, "rb") as file:
        batch = pickle.load(file, encoding="bytes")
    x = batch[b"data"].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)
    return _channels(np.ascontiguousarray(x)), np.array(batch[key], np.uint8)[:, None]


def _channels(x: np.ndarray) -> np.ndarray:
    return x if image_data_format() == "channels_last" else np.ascontiguousarray(x.transpose(0, 3, 1, 2))


def load_imdb(
    path="imdb.npz",
    num_words=None,
    skip_top=0,
    maxlen=None,
    seed=113,
    start_char=1,
    oov_char=2,
    index_from=3,
    **kwargs,
):
    """Reviews of films as lists of word numbers, and whether they praise: 25000 for training, 25000 for testing.

    Args:
      path: the name of the file.
      num_words: rarer words become ``oov_char``.
      skip_top: so many of the commonest words become ``oov_char``.
      maxlen: longer reviews are left out.
      seed: of the order.
      start_char: what each list begins with, or None.
      oov_char: stands for words that are left out; None removes them.
      index_from: the number of the commonest word, less one.
    """
    if toy_data("keras.datasets.imdb", "500 training and 200 test reviews"):
        train, test = made_data.sequences(500, 2, 2000, 1), made_data.sequences(200, 2, 2000, 2)
    else:
        data = _objects(find([str(path)], "keras.datasets.imdb.load_data", f"{_ORIGIN}/imdb.npz"))
        train, test = (data["x_train"], data["y_train"]), (data["x_test"], data["y_test"])
    rng = np.random.RandomState(seed)
    train, test = _shuffled(*train, rng), _shuffled(*test, rng)
    both = [_marked(x, start_char, index_from) for x in (train[0], test[0])]
    labels = [train[1], test[1]]
    if maxlen:
        kept = [[len(s) < maxlen for s in x] for x in both]
        both = [[s for s, keep in zip(x, keeps) if keep] for x, keeps in zip(both, kept)]
        labels = [y[np.array(keeps, bool)] for y, keeps in zip(labels, kept)]
    most = num_words or max(max(s) for x in both for s in x)
    x_train, x_test = (_limited(x, most, skip_top, oov_char) for x in both)
    return (x_train, labels[0]), (x_test, labels[1])


def load_reuters(
    path="reuters.npz",
    num_words=None,
    skip_top=0,
    maxlen=None,
    test_split=0.2,
    seed=113,
    start_char=1,
    oov_char=2,
    index_from=3,
    **kwargs,
):
    """News as lists of word numbers, and their topics, 46 of them; see `tf.keras.datasets.imdb` for the arguments."""
    if toy_data("keras.datasets.reuters", "700 news"):
        xs, labels = made_data.sequences(700, 46, 2000, 1)
    else:
        data = _objects(find([str(path)], "keras.datasets.reuters.load_data", f"{_ORIGIN}/reuters.npz"))
        xs, labels = data["x"], data["y"]
    xs, labels = _shuffled(xs, labels, np.random.RandomState(seed))
    xs = _marked(xs, start_char, index_from)
    if maxlen:
        keeps = [len(s) < maxlen for s in xs]
        xs, labels = [s for s, keep in zip(xs, keeps) if keep], labels[np.array(keeps, bool)]
    most = num_words or max(max(s) for s in xs)
    xs = _limited(xs, most, skip_top, oov_char)
    n = int(len(xs) * (1 - test_split))
    return (xs[:n], labels[:n]), (xs[n:], labels[n:])


def _objects(path: Path) -> dict[str, np.ndarray]:
    """The arrays of lists in a file; NumPy keeps lists in pickles."""
    with np.load(path, allow_pickle=True) as file:
        return {name: file[name] for name in file.files}


def _shuffled(x: Any, y: np.ndarray, rng: np.random.RandomState) -> tuple[Any, np.ndarray]:
    order = np.arange(len(x))
    rng.shuffle(order)
    return [x[i] for i in order], y[order]


def _marked(x: Any, start: Any, first: int) -> list[list[int]]:
    head = [] if start is None else [start]
    return [head + [w + (first or 0) for w in s] for s in x]


def _limited(x: Any, most: int, skip: int, unknown: Any) -> np.ndarray:
    out = np.empty(len(x), object)
    for i, s in enumerate(x):
        out[i] = [w if skip <= w < most else unknown for w in s if skip <= w < most or unknown is not None]
    return out


def imdb_word_index(path="imdb_word_index.json"):
    """A dictionary of the words of `tf.keras.datasets.imdb` and their numbers, without ``index_from``."""
    return _word_index("imdb", path)


def reuters_word_index(path="reuters_word_index.json"):
    """A dictionary of the words of `tf.keras.datasets.reuters` and their numbers, without ``index_from``."""
    return _word_index("reuters", path)


def _word_index(name: str, path: Any) -> dict[str, int]:
    if toy_data(f"keras.datasets.{name}.get_word_index", "2,000 words"):
        return {f"word{i}": i for i in range(1, 2001)}
    found = find([str(path)], f"keras.datasets.{name}.get_word_index", f"{_ORIGIN}/{name}_word_index.json")
    return json.loads(found.read_text(encoding="utf-8"))


def load_boston_housing(path="boston_housing.npz", test_split=0.2, seed=113):
    """Prices of houses in Boston: 13 features of 506 districts, and the median price in thousands of dollars.

    Raises:
      ValueError: ``test_split`` is not in [0, 1).
    """
    if not 0 <= test_split < 1:
        raise ValueError(
            f"Invalid `test_split` argument: {test_split}. It must be between 0 and 1 (exclusive of 1)."
        )
    return _housing("boston_housing", path, 13, 506, np.float64, test_split, seed)


def load_california_housing(version="large", path="california_housing.npz", test_split=0.2, seed=113):
    """Prices of houses in California: 8 features of 20640 districts, 600 in the small version, of float32.

    Raises:
      ValueError: another version.
    """
    if version not in ("small", "large"):
        raise ValueError(f"Argument `version` must be one of 'small', 'large'. Received: version={version}")
    limit = 600 if version == "small" else None
    return _housing("california_housing", path, 8, 600, np.float32, test_split, seed, limit)


def _housing(
    name: str, path: Any, columns: int, n: int, dtype: Any, test_split: float, seed: int, limit: Any = None
) -> Any:
    if toy_data(f"keras.datasets.{name}", f"{n} districts"):
        x, y = made_data.table(n, columns, 1)
    else:
        data = _arrays(find([str(path)], f"keras.datasets.{name}.load_data", f"{_ORIGIN}/{name}.npz"))
        x, y = data["x"][:limit], data["y"][:limit]
    order = np.arange(len(x))
    np.random.RandomState(seed).shuffle(order)
    return made_data.split(x[order].astype(dtype), y[order].astype(dtype), test_split)
