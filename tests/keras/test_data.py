"""Data sets from local files, made data in their place, and helpers for data."""

from __future__ import annotations

import gzip
import pickle
import struct
import tarfile
import zipfile

import numpy as np
import pytest

import gradtape as tf
from gradtape._src.keras import local_files
from gradtape.compat.v1.examples.tutorials.mnist import input_data

sets, utils = tf.keras.datasets, tf.keras.utils


@pytest.fixture
def data(tmp_path, monkeypatch):
    """The folder of GRADTAPE_DATA, and no other."""
    monkeypatch.setenv("GRADTAPE_DATA", str(tmp_path))
    monkeypatch.setenv("KERAS_HOME", str(tmp_path / "no keras"))
    return tmp_path


@pytest.fixture
def toy(monkeypatch):
    monkeypatch.setattr(local_files, "_toy", [True])
    monkeypatch.setattr(local_files, "_said", set())


def write_idx(path, array):
    header = b"\0\0\x08" + bytes([array.ndim]) + struct.pack(f">{array.ndim}i", *array.shape)
    with gzip.open(path, "wb") as file:
        file.write(header + array.tobytes())


def images(n):
    rng = np.random.default_rng(n)
    return rng.integers(0, 256, (n, 28, 28)).astype(np.uint8), rng.integers(0, 10, n).astype(np.uint8)


def write_mnist(folder):
    train, test = images(30), images(7)
    for part, (x, y) in (("train", train), ("t10k", test)):
        write_idx(folder / f"{part}-images-idx3-ubyte.gz", x)
        write_idx(folder / f"{part}-labels-idx1-ubyte.gz", y)
    return train, test


def test_mnist(data):
    (x, y), (x_test, y_test) = images(5), images(3)
    np.savez(data / "mnist.npz", x_train=x, y_train=y, x_test=x_test, y_test=y_test)
    (a, b), (c, d) = sets.mnist.load_data()
    for got, want in ((a, x), (b, y), (c, x_test), (d, y_test)):
        np.testing.assert_array_equal(got, want)


def test_fashion_mnist_and_damaged_files(data):
    train, test = write_mnist(data)
    (x, y), (x_test, _) = sets.fashion_mnist.load_data()
    np.testing.assert_array_equal(x, train[0])
    np.testing.assert_array_equal(y, train[1])
    np.testing.assert_array_equal(x_test, test[0])
    with gzip.open(data / "train-images-idx3-ubyte.gz", "wb") as file:
        file.write(b"\0\0\x08\x03" + struct.pack(">3i", 9, 28, 28) + b"short")
    with pytest.raises(ValueError, match="is damaged"):
        sets.fashion_mnist.load_data()


def test_cifar(data):
    rng = np.random.default_rng(0)
    folder = data / "datasets" / "cifar-10-batches-py"
    folder.mkdir(parents=True)
    for name in [f"data_batch_{i}" for i in range(1, 6)] + ["test_batch"]:
        batch = {b"data": rng.integers(0, 256, (2, 3072)).astype(np.uint8), b"labels": [3, 7]}
        (folder / name).write_bytes(pickle.dumps(batch))
    (x, y), (x_test, y_test) = sets.cifar10.load_data()
    assert x.shape == (10, 32, 32, 3) and y.shape == (10, 1) and x.dtype == y.dtype == np.uint8
    np.testing.assert_array_equal(x_test[1].transpose(2, 0, 1).ravel(), batch[b"data"][1])
    assert y_test.ravel().tolist() == [3, 7]
    with pytest.raises(ValueError, match="label_mode"):
        sets.cifar100.load_data("other")


def test_texts(data):
    def lists(*texts):
        out = np.empty(len(texts), object)
        out[:] = texts
        return out

    x, y = lists([1, 2, 3], [4], [5, 6], [7, 8, 9, 10]), np.array([0, 1, 1, 0])
    np.savez(data / "imdb.npz", x_train=x, y_train=y, x_test=x, y_test=y)
    np.savez(data / "reuters.npz", x=x, y=y)
    (a, labels), _ = sets.imdb.load_data(num_words=9)
    found = dict(zip(map(len, a), a))
    assert found[4] == [1, 4, 5, 6] and found[5] == [1, 2, 2, 2, 2] and sorted(labels) == [0, 0, 1, 1]
    (a, _), (b, _) = sets.imdb.load_data(start_char=None, index_from=0, oov_char=None, skip_top=2, maxlen=3)
    assert sorted(map(tuple, a)) == sorted(map(tuple, b)) == [(4,), (5,)]  # 6 is the number of words then
    (a, _), (b, _) = sets.reuters.load_data(test_split=0.25)
    assert len(a) == 3 and len(b) == 1
    (data / "imdb_word_index.json").write_text('{"film": 1}')
    assert sets.imdb.get_word_index() == {"film": 1}


def test_housing(data):
    x, y = np.arange(20.0).reshape(10, 2), np.arange(10.0)
    np.savez(data / "boston_housing.npz", x=x, y=y)
    np.savez(data / "california_housing.npz", x=x, y=y)
    (a, b), (c, d) = sets.boston_housing.load_data()
    assert a.shape == (8, 2) and c.shape == (2, 2) and sorted([*b, *d]) == y.tolist()
    np.testing.assert_array_equal(a[:, 0], 2 * b)
    assert sets.california_housing.load_data("small")[0][0].dtype == np.float32
    with pytest.raises(ValueError, match="version"):
        sets.california_housing.load_data("middle")


@pytest.mark.parametrize("name", dir(sets))
def test_a_missing_file_is_explained(name, data):
    module = getattr(sets, name)
    if name.startswith("_"):
        return
    with pytest.raises(FileNotFoundError, match="GRADTAPE_DATA") as caught:
        module.load_data()
    assert str(data) in str(caught.value) and "--toy-data" in str(caught.value)


def test_get_file(data):
    (data / "poem.txt").write_text("words")
    assert utils.get_file("poem.txt", "https://example.org/x") == str(data / "poem.txt")
    assert utils.get_file(origin="https://example.org/poem.txt") == str(data / "poem.txt")
    assert utils.get_file("other", f"file://{data}/poem.txt") == str(data / "poem.txt")
    with pytest.raises(ValueError, match="its hash is not"):
        utils.get_file("poem.txt", "https://example.org/x", file_hash="0" * 64)
    with pytest.raises(ValueError, match="origin"):
        utils.get_file()
    with tarfile.open(data / "flowers.tar.gz", "w:gz") as archive:
        archive.add(data / "poem.txt", "flowers/poem.txt")
    with zipfile.ZipFile(data / "more.zip", "w") as archive:
        archive.write(data / "poem.txt", "poem.txt")
    path = utils.get_file("flowers", "https://example.org/flowers.tar.gz", untar=True)
    assert path == str(data / "flowers") and (data / "flowers" / "poem.txt").read_text() == "words"
    path = utils.get_file("more.zip", "https://example.org/more.zip", extract=True)
    assert (data / "more.zip_extracted" / "poem.txt").read_text() == "words" and path.endswith("_extracted")


@pytest.mark.parametrize(
    ("name", "shapes", "dtypes"),
    [
        ("mnist", [(28, 28), ()], ["uint8", "uint8"]),
        ("fashion_mnist", [(28, 28), ()], ["uint8", "uint8"]),
        ("cifar10", [(32, 32, 3), (1,)], ["uint8", "uint8"]),
        ("cifar100", [(32, 32, 3), (1,)], ["uint8", "uint8"]),
        ("imdb", [(), ()], ["object", "int64"]),
        ("reuters", [(), ()], ["object", "int64"]),
        ("boston_housing", [(13,), ()], ["float64", "float64"]),
        ("california_housing", [(8,), ()], ["float32", "float32"]),
    ],
)
def test_made_data(name, shapes, dtypes, data, toy, capsys):
    train, test = getattr(sets, name).load_data()
    again = getattr(sets, name).load_data()
    for part in (train, test):
        for array, shape, dtype in zip(part, shapes, dtypes, strict=True):
            assert array.shape[1:] == shape and array.dtype == dtype and len(array) >= 100
    if dtypes[0] != "object":
        np.testing.assert_array_equal(train[0], again[0][0])
    said = capsys.readouterr().err
    assert said.count("made data") == 1 and name in said


def test_made_text(data, toy):
    with open(utils.get_file("shakespeare.txt", "https://example.org/shakespeare.txt")) as file:
        assert len(file.read()) >= 40_000


def test_made_images_can_be_learned(toy):
    (x, y), (x_test, y_test) = sets.mnist.load_data()
    centres = np.stack([x[y == k].mean(0) for k in range(10)])
    nearest = ((x_test[:, None] - centres) ** 2).sum((2, 3)).argmin(1)
    assert (nearest == y_test).mean() > 0.9


def test_the_tutorial(data, tmp_path):
    folder = tmp_path / "MNIST_data"
    folder.mkdir()
    train, test = write_mnist(folder)
    mnist = input_data.read_data_sets(str(folder), one_hot=True, validation_size=10)
    assert [part.num_examples for part in mnist] == [20, 10, 7]
    assert mnist.train.images.shape == (20, 784) and mnist.train.images.dtype == np.float32
    np.testing.assert_allclose(mnist.test.images, test[0].reshape(7, -1) / 255, rtol=1e-6)
    np.testing.assert_array_equal(mnist.test.labels.argmax(1), test[1])
    seen = [mnist.train.next_batch(8) for _ in range(5)]
    assert all(x.shape == (8, 784) and y.shape == (8, 10) for x, y in seen)
    assert mnist.train.epochs_completed == 1
    epoch = np.concatenate([x for x, _ in seen])[:20]
    np.testing.assert_array_equal(
        np.sort(epoch.sum(1)),
        np.sort(train[0][10:].reshape(20, -1).astype("f").__mul__(np.float32(1 / 255)).sum(1)),
    )
    with pytest.raises(ValueError, match="Validation size"):
        input_data.read_data_sets(str(folder), validation_size=31)
    assert input_data.read_data_sets("nowhere", fake_data=True).train.num_examples == 10000


def test_helpers():
    assert utils.to_categorical([[1], [0]]).tolist() == [[0.0, 1.0], [1.0, 0.0]]
    assert utils.to_categorical([[[1, 0]]], 2).shape == (1, 1, 2, 2)
    assert utils.normalize([[0.0, 0.0], [0.0, 2.0]]).tolist() == [[0.0, 0.0], [0.0, 1.0]]
    padded = utils.pad_sequences([[1, 2, 3], [4]], padding="post", truncating="post", maxlen=2, value=9)
    assert padded.tolist() == [[1, 2], [4, 9]]
    assert utils.pad_sequences([[[1, 2]], []], maxlen=2).shape == (2, 2, 2)
    with pytest.raises(ValueError, match="not understood"):
        utils.pad_sequences([[1]], padding="middle")
    assert utils.unpack_x_y_sample_weight([1]) == (1, None, None)
    assert utils.pack_x_y_sample_weight(1, 2, 3) == (1, 2, 3)
    with pytest.raises(ValueError, match="Data is expected"):
        utils.unpack_x_y_sample_weight((1, 2, 3, 4))
    (a, b), (c, d) = utils.split_dataset((np.arange(10), np.arange(10)), right_size=3, shuffle=True, seed=1)
    np.testing.assert_array_equal(a, b)
    assert len(c) == 3 and sorted([*a, *d]) == list(range(10))


# --- Files in folders, windows, words -------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path):
    """Two classes, of three texts and three images each."""
    pytest.importorskip("PIL")
    for i, kind in enumerate(("a", "b")):
        (tmp_path / kind).mkdir()
        for n in range(3):
            (tmp_path / kind / f"{n}.txt").write_text(f"{kind} text {n}")
            image = np.full((8, 6, 3), 100 * i + 10 * n, "float32")
            tf.keras.utils.save_img(tmp_path / kind / f"{n}.png", image, scale=False)
    return tmp_path


def test_images_in_a_folder(folder):
    data = tf.keras.utils.image_dataset_from_directory(folder, image_size=(4, 4), batch_size=4, shuffle=False)
    x, y = next(iter(data))
    assert data.class_names == ["a", "b"] and x.shape == (4, 4, 4, 3) and y.numpy().tolist() == [0, 0, 0, 1]
    np.testing.assert_allclose(x[:, 0, 0, 0], [0, 10, 20, 100])
    both = tf.keras.utils.image_dataset_from_directory(
        folder, image_size=(4, 4), label_mode="categorical", validation_split=0.5, subset="both", seed=1
    )
    assert [len(part.file_paths) for part in both] == [3, 3]
    assert not set(both[0].file_paths) & set(both[1].file_paths)
    image = tf.keras.utils.load_img(folder / "b" / "1.png", target_size=(2, 3), color_mode="grayscale")
    assert tf.keras.utils.img_to_array(image).tolist() == [[[110.0]] * 3] * 2
    with pytest.raises(ValueError, match="must provide a `seed`"):
        tf.keras.utils.image_dataset_from_directory(folder, validation_split=0.5, subset="training")
    with pytest.raises(FileNotFoundError, match="no folder"):
        tf.keras.utils.text_dataset_from_directory(folder / "none")


def test_texts_in_a_folder(folder):
    data = tf.keras.utils.text_dataset_from_directory(folder, batch_size=None, shuffle=False, max_length=3)
    assert [x.numpy() for x, _ in data] == [b"a t"] * 3 + [b"b t"] * 3


def test_image_generator(folder):
    maker = tf.keras.preprocessing.image.ImageDataGenerator(
        rescale=1 / 255, rotation_range=20, width_shift_range=0.1, zoom_range=0.2, shear_range=5,
        channel_shift_range=3, brightness_range=(0.9, 1.1), vertical_flip=True, validation_split=0.5,
    )  # fmt: skip
    batches = maker.flow_from_directory(folder, (8, 6), class_mode="binary", batch_size=2, subset="training")
    x, y = next(batches)
    assert (
        x.shape == (2, 8, 6, 3)
        and x.max() <= 1
        and set(y) <= {0.0, 1.0}
        and batches.class_indices == {"a": 0, "b": 1}
    )
    plain = tf.keras.preprocessing.image.ImageDataGenerator(featurewise_center=True, horizontal_flip=False)
    images = np.random.RandomState(0).rand(5, 4, 4, 1)
    plain.fit(images)
    np.testing.assert_allclose(plain.flow(images, shuffle=False)[0], images - images.mean(), atol=1e-6)
    model = tf.keras.Sequential(
        [tf.keras.Input((8, 6, 3)), tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)]
    )
    model.compile("sgd", "mse")
    assert len(model.fit(batches, epochs=2, verbose=0).history["loss"]) == 2


def test_windows_of_a_series():
    values = np.arange(10.0)
    data = tf.keras.utils.timeseries_dataset_from_array(
        values, values[3:], 3, sequence_stride=2, batch_size=2
    )
    found = [(x.numpy().tolist(), y.numpy().tolist()) for x, y in data]
    assert found[0] == ([[0, 1, 2], [2, 3, 4]], [3, 5]) and found[-1] == ([[4, 5, 6], [6, 7, 8]], [7, 9])
    shuffled = tf.keras.utils.timeseries_dataset_from_array(
        values, None, 2, shuffle=True, seed=1, batch_size=None
    )
    assert sorted(x.numpy()[0] for x in shuffled) == list(range(9))


def test_tokenizer():
    text = tf.keras.preprocessing.text
    tokenizer = text.Tokenizer(num_words=4, oov_token="?")
    tokenizer.fit_on_texts(["a b b", "c b a!"])
    assert tokenizer.word_index == {"?": 1, "b": 2, "a": 3, "c": 4}
    assert tokenizer.texts_to_sequences(["c b x"]) == [[1, 2, 1]]
    assert tokenizer.sequences_to_texts([[2, 3]]) == ["b a"]
    np.testing.assert_array_equal(tokenizer.texts_to_matrix(["b b a"], "count"), [[0, 0, 2, 1]])
    again = text.tokenizer_from_json(tokenizer.to_json())
    assert again.get_config() == tokenizer.get_config()
    assert text.hashing_trick("a a", 5, "md5")[0] in range(1, 5)


def test_skipgrams():
    couples, labels = tf.keras.preprocessing.sequence.skipgrams([1, 2, 3], 5, window_size=1, seed=0)
    near = {tuple(couple) for couple, label in zip(couples, labels) if label}
    assert near == {(1, 2), (2, 1), (2, 3), (3, 2)} and sum(labels) == len(labels) / 2 == 4
    assert 0 < tf.keras.preprocessing.sequence.make_sampling_table(10)[1] < 1


def test_training_goes_on_from_a_backup(tmp_path):
    model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")

    class Stop(tf.keras.callbacks.Callback):
        def on_epoch_end(self, epoch, logs=None):
            if epoch == 2:
                raise KeyboardInterrupt

    x, y = np.ones((4, 2)), np.ones((4, 1))
    with pytest.raises(KeyboardInterrupt):
        model.fit(
            x, y, epochs=5, verbose=0, callbacks=[tf.keras.callbacks.BackupAndRestore(tmp_path), Stop()]
        )
    weights = model.get_weights()
    again = tf.keras.models.clone_model(model)
    again.compile("adam", "mse")
    history = again.fit(x, y, epochs=5, verbose=0, callbacks=[tf.keras.callbacks.BackupAndRestore(tmp_path)])
    assert history.epoch == [3, 4] and int(again.optimizer.iterations) == 5
    assert not np.array_equal(again.get_weights()[0], weights[0]) and not list(tmp_path.iterdir())
