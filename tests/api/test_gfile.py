"""``tf.io.gfile``: files with TensorFlow's errors."""

from __future__ import annotations

from pathlib import Path

import pytest

import gradtape as tf

gfile = tf.io.gfile


def test_files_and_folders(tmp_path: Path):
    folder = gfile.join(str(tmp_path), "a", "b")
    gfile.makedirs(folder)
    gfile.makedirs(folder)
    with pytest.raises(tf.errors.AlreadyExistsError):
        gfile.mkdir(folder)
    with gfile.GFile(gfile.join(folder, "x.txt"), "w") as file:
        file.write("één\ntwo\n")
        file.write(b"three\n")
        assert file.size() == 16
    with gfile.GFile(gfile.join(folder, "x.txt")) as file:
        assert (file.readline(), list(file), file.read()) == ("één\n", ["two\n", "three\n"], "")
        file.seek(0)
        assert file.read(3) == "één"
    with gfile.GFile(gfile.join(folder, "x.txt"), "rb") as file:
        assert file.read(5) == "één".encode() and file.tell() == 5
    with gfile.GFile(gfile.join(folder, "x.txt"), "a") as file:
        file.write("four")
    gfile.copy(gfile.join(folder, "x.txt"), gfile.join(folder, "y.txt"))
    with pytest.raises(tf.errors.AlreadyExistsError):
        gfile.copy(gfile.join(folder, "x.txt"), gfile.join(folder, "y.txt"))
    gfile.rename(gfile.join(folder, "y.txt"), gfile.join(folder, "z.txt"), overwrite=True)
    assert gfile.glob(gfile.join(folder, "*.txt")) == [
        gfile.join(folder, name) for name in ("x.txt", "z.txt")
    ]
    assert sorted(gfile.listdir(folder)) == ["x.txt", "z.txt"] and gfile.isdir(folder)
    assert gfile.stat(gfile.join(folder, "x.txt")).length == 20
    assert [(path, dirs) for path, dirs, _ in gfile.walk(str(tmp_path))][0] == (str(tmp_path), ["a"])
    gfile.remove(gfile.join(folder, "x.txt"))
    gfile.rmtree(str(tmp_path / "a"))
    assert not gfile.exists(folder)


def test_what_is_not_there_is_not_found(tmp_path: Path):
    missing = str(tmp_path / "missing")
    with pytest.raises(tf.errors.NotFoundError, match="missing"):
        gfile.GFile(missing).read()
    for function in gfile.listdir, gfile.remove, gfile.rmtree, gfile.stat:
        with pytest.raises(tf.errors.NotFoundError, match="missing"):
            function(missing)
    with pytest.raises(tf.errors.NotFoundError):
        gfile.mkdir(missing + "/inner")
    errors = []
    assert (
        list(gfile.walk(missing, onerror=errors.append)) == [] and type(errors[0]) is tf.errors.NotFoundError
    )
    with pytest.raises(tf.errors.NotFoundError, match="missing"):
        tf.io.read_file(missing)
    with pytest.raises(ValueError, match="mode"):
        gfile.GFile(missing, "x")


def test_version_1_has_other_names(tmp_path: Path):
    v1 = tf.compat.v1.gfile
    with v1.FastGFile(str(tmp_path / "a"), "wb") as file:
        file.write(b"\xff")
    assert v1.Exists(tmp_path / "a") and v1.Open(str(tmp_path / "a"), "rb").read() == b"\xff"


def test_files_in_graphs(tmp_path: Path):
    v1 = tf.compat.v1
    with tf.Graph().as_default(), v1.Session() as session:
        name = v1.placeholder(tf.string, [])
        write, read = tf.io.write_file(name, "hello"), tf.io.read_file(name)
        session.run(write, {name: str(tmp_path / "x")})
        assert session.run(read, {name: str(tmp_path / "x")}) == b"hello"
        assert session.run(tf.io.matching_files(str(tmp_path / "*"))).tolist() == [
            str(tmp_path / "x").encode()
        ]
