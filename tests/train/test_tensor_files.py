"""Files of arrays: what goes in comes out, or the file is refused; a process that dies leaves the older file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import gradtape as tf
from gradtape._src.train.tensor_files import TensorFile, write_tensors

ARRAYS = {
    "float": np.linspace(0, 1, 7, dtype=np.float32).reshape(7, 1),
    "scalar": np.array(3, np.int64),
    "empty": np.zeros((0, 3)),
    "half": np.arange(4).astype(ml_dtypes.bfloat16),
    "complex": np.array([1 + 2j, -3j]),
    "single": np.array([1 + 2j], np.complex64),
    "flags": np.array([True, False]),
    "strings": np.array([[b"a", b""], [b"\xff\0", "é".encode()]], object),
    "column": np.arange(6.0).reshape(2, 3)[:, 1],
}


def test_arrays_of_every_kind_come_back(tmp_path: Path):
    path = str(tmp_path / "new folder" / "x.safetensors")
    write_tensors(path, ARRAYS)
    file = TensorFile(path)
    assert file.names() == sorted(ARRAYS)
    for name, array in ARRAYS.items():
        found = file.read(name)
        assert (found.dtype, found.shape) == (array.dtype, array.shape), name
        assert found.tolist() == array.tolist(), name
        assert file.shape(name) == array.shape and file.dtype(name).np == array.dtype, name


def test_no_flipped_byte_goes_unseen(tmp_path: Path):
    path = tmp_path / "x.safetensors"
    write_tensors(str(path), ARRAYS)
    good = path.read_bytes()
    same = 0
    for at in range(0, len(good), 3):
        path.write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
        try:
            file = TensorFile(str(path))
            found = {name: file.read(name) for name in file.names()}
        except tf.errors.DataLossError:
            continue
        same += 1  # the byte is padding, or the name of a checksum
        for name, array in ARRAYS.items():
            assert found[name].tolist() == array.tolist(), (at, name)
    assert same < 40


def test_a_damaged_value_is_named(tmp_path: Path):
    path = tmp_path / "x.safetensors"
    write_tensors(str(path), {"layer/w": np.full(100, 7, np.uint8), "b": np.zeros(3)})
    data = bytearray(path.read_bytes())
    data[data.rindex(bytes([7]))] = 8
    path.write_bytes(bytes(data))
    file = TensorFile(str(path))
    assert file.read("b").tolist() == [0, 0, 0]
    with pytest.raises(tf.errors.DataLossError, match="'layer/w'"):
        file.read("layer/w")


@pytest.mark.parametrize("keep", [0, 1, 7, 8, 100, -1])
def test_a_file_that_was_cut_is_refused(tmp_path: Path, keep: int):
    path = tmp_path / "x.safetensors"
    write_tensors(str(path), {"w": np.arange(1000.0)})
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(tf.errors.DataLossError, match="damaged"):
        TensorFile(str(path)).read("w")


def test_a_file_of_another_program_is_read(tmp_path: Path):
    from safetensors.numpy import save_file

    save_file({"w": np.arange(3, dtype=np.float32)}, tmp_path / "x.safetensors")
    file = TensorFile(str(tmp_path / "x.safetensors"))
    assert (file.read("w").tolist(), file.shape("w"), file.dtype("w")) == ([0, 1, 2], (3,), tf.float32)


def test_an_error_while_writing_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = str(tmp_path / "x.safetensors")
    write_tensors(path, {"w": np.zeros(2)})

    def full(*args: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_tensors(path, {"w": np.ones(2)})
    assert os.listdir(tmp_path) == ["x.safetensors"]
    assert TensorFile(path).read("w").tolist() == [0, 0]


SAVES = """
import sys
import numpy as np
import gradtape as tf
v = tf.Variable(np.zeros(500_000))
manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=v), sys.argv[1], max_to_keep=2)
while True:
    v.assign(np.full(500_000, float(manager.checkpoint.save_counter) + 1))
    manager.save()
    print("saved", flush=True)
"""


V1_SAVES = """
import sys
import numpy as np
import gradtape.compat.v1 as tf
v = tf.get_variable("v", initializer=np.zeros(500_000))
step = tf.train.get_or_create_global_step()
more = tf.group(tf.assign_add(v, np.ones(500_000)), tf.assign_add(step, 1))
saver = tf.train.Saver(max_to_keep=2)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    while True:
        sess.run(more)
        saver.save(sess, sys.argv[1] + "/model", global_step=step)
        print("saved", flush=True)
"""


def killed_while_it_saves(program: str, folder: Path, after: int) -> None:
    """Runs a program, and kills it when it has saved so often, while it writes the next one."""
    process = subprocess.Popen([sys.executable, "-c", program, str(folder)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    for _ in range(after):
        process.stdout.readline()
    with process.stdout:
        process.send_signal(signal.SIGKILL)
        process.wait()


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_a_kill_in_the_middle_leaves_what_a_saver_of_tensorflow_1_wrote(tmp_path: Path):
    for after in (2, 3):
        folder = tmp_path / str(after)
        folder.mkdir()
        killed_while_it_saves(V1_SAVES, folder, after)
        latest = tf.train.latest_checkpoint(folder)
        reader = tf.train.load_checkpoint(latest)
        step = reader.get_tensor("global_step")
        assert step >= after
        assert np.all(reader.get_tensor("v") == step)


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_a_kill_in_the_middle_leaves_the_older_checkpoint(tmp_path: Path):
    for after in range(3):
        killed_while_it_saves(SAVES, tmp_path, after + 2)
        latest = tf.train.latest_checkpoint(tmp_path)
        v = tf.Variable(np.zeros(500_000))
        checkpoint = tf.train.Checkpoint(v=v)
        checkpoint.restore(latest).assert_consumed()
        assert np.all(v.numpy() == float(checkpoint.save_counter))
