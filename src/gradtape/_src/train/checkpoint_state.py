"""The text file ``checkpoint`` of a folder: which checkpoints there are, and which is the latest.

The same text as TensorFlow writes: a protocol buffer in text form.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any

from gradtape._src.core.files import written_whole
from gradtape._src.core.log import get_logger

SUFFIX = ".safetensors"  # of the file of a checkpoint, whose name without it is the checkpoint's

_LINE = re.compile(r'\s*(\w+)\s*:\s*(?:"((?:[^"\\]|\\.)*)"|([-+.\deE]+))\s*')


class CheckpointState:
    """What the file ``checkpoint`` says.

    Attributes:
      model_checkpoint_path: the latest checkpoint.
      all_model_checkpoint_paths: those that there are, the oldest first.
      all_model_checkpoint_timestamps: the seconds since 1970 at which they were written, if that is known.
      last_preserved_timestamp: when a `tf.train.CheckpointManager` last decided to keep one for good.
    """

    def __init__(self, model_checkpoint_path: str = "") -> None:
        self.model_checkpoint_path = model_checkpoint_path
        self.all_model_checkpoint_paths: list[str] = []
        self.all_model_checkpoint_timestamps: list[float] = []
        self.last_preserved_timestamp = 0.0

    def __repr__(self) -> str:
        lines = [f'model_checkpoint_path: "{_quoted(self.model_checkpoint_path)}"']
        lines += [
            f'all_model_checkpoint_paths: "{_quoted(path)}"' for path in self.all_model_checkpoint_paths
        ]
        lines += [
            f"all_model_checkpoint_timestamps: {time!r}" for time in self.all_model_checkpoint_timestamps
        ]
        if self.last_preserved_timestamp:
            lines.append(f"last_preserved_timestamp: {self.last_preserved_timestamp!r}")
        return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    raw = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").encode()
    return "".join(chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}" for byte in raw)


def _unquoted(text: str) -> str:
    return text.encode().decode("unicode_escape").encode("latin-1").decode()


def _parsed(text: str) -> CheckpointState:
    state: Any = CheckpointState()
    at = 0
    while at < len(text.rstrip()):
        found = _LINE.match(text, at)
        if found is None:
            raise ValueError(f"not a line of a checkpoint state: {text[at : at + 80]!r}")
        field, quoted, number = found.groups()
        if not hasattr(state, field):
            raise ValueError(f"a checkpoint state has no field {field!r}")
        value = float(number) if quoted is None else _unquoted(quoted)
        if isinstance(getattr(state, field), list):
            getattr(state, field).append(value)
        else:
            setattr(state, field, value)
        at = found.end()
    return state


def state_file(folder: str, latest_filename: str | None = None) -> str:
    """The name of the file."""
    return os.path.join(folder, latest_filename or "checkpoint")


def update_checkpoint_state(
    save_dir,
    model_checkpoint_path,
    all_model_checkpoint_paths=None,
    latest_filename=None,
    all_model_checkpoint_timestamps=None,
    last_preserved_timestamp=None,
):
    """Writes the file ``checkpoint`` of a folder. The paths are absolute, or relative to where the program runs.

    Raises:
      ValueError: there are not as many times as paths.
      RuntimeError: the file of the state would be that of the checkpoint.

    >>> import gradtape.compat.v1 as tf, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> tf.train.update_checkpoint_state(folder, f"{folder}/model-3")
    >>> tf.train.get_checkpoint_state(folder).model_checkpoint_path == f"{folder}/model-3"
    True
    """
    save_dir, latest = os.fspath(save_dir), os.fspath(model_checkpoint_path)
    paths = [os.fspath(path) for path in all_model_checkpoint_paths or ()]
    times: list[float] = list(all_model_checkpoint_timestamps or ())
    if times and len(times) != len(paths):
        raise ValueError(
            f"Checkpoint timestamps, if provided, must match checkpoint paths: received {len(times)} for "
            f"{len(paths)} paths."
        )
    if not paths or paths[-1] != latest:
        paths.append(latest)
    file = state_file(save_dir, latest_filename)
    if file == latest:
        raise RuntimeError(
            f"Save path '{latest}' conflicts with path used for checkpoint state. Please use a different save path."
        )
    if not os.path.isabs(save_dir):  # then the file says where the checkpoints are from where it is itself
        latest, *paths = [p if os.path.isabs(p) else os.path.relpath(p, save_dir) for p in (latest, *paths)]
    state = CheckpointState(latest)
    state.all_model_checkpoint_paths = paths
    state.all_model_checkpoint_timestamps = times
    state.last_preserved_timestamp = last_preserved_timestamp or 0.0
    write_state(file, state)


def write_state(file: str, state: CheckpointState) -> None:
    """Writes a state as it is."""
    os.makedirs(os.path.dirname(file) or ".", exist_ok=True)
    with written_whole(file) as temporary, open(temporary, "w", encoding="ascii") as out:
        out.write(repr(state))


def get_checkpoint_state(checkpoint_dir, latest_filename=None):
    """What the file ``checkpoint`` of a folder says, with paths that can be restored; None if there is none.

    >>> import gradtape as tf
    >>> print(tf.train.get_checkpoint_state("no/such/folder"))
    None
    """
    folder = os.fspath(checkpoint_dir)
    file = state_file(folder, latest_filename)
    if not os.path.isfile(file):
        return None
    try:
        with open(file, encoding="utf-8") as text:
            state = _parsed(text.read())
    except (OSError, ValueError) as error:
        get_logger().warning("%s: %s", type(error).__name__, error)
        get_logger().warning("%s: Checkpoint ignored", file)
        return None
    if not state.model_checkpoint_path:
        get_logger().warning("%s: Checkpoint ignored: it names no checkpoint", file)
        return None
    state.model_checkpoint_path = os.path.join(folder, state.model_checkpoint_path)
    state.all_model_checkpoint_paths = [os.path.join(folder, p) for p in state.all_model_checkpoint_paths]
    return state


def latest_checkpoint(checkpoint_dir, latest_filename=None):
    """The path of the latest checkpoint in a folder, or None if there is none.

    >>> import gradtape as tf
    >>> print(tf.train.latest_checkpoint("no/such/folder"))
    None
    """
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    if state is None:
        return None
    if checkpoint_exists(state.model_checkpoint_path):
        return state.model_checkpoint_path
    get_logger().error("Couldn't match files for checkpoint %s", state.model_checkpoint_path)
    return None


def checkpoint_exists(checkpoint_prefix):
    """Whether there is a checkpoint of this path, as `tf.train.Saver.save` gave it.

    >>> import gradtape.compat.v1 as tf
    >>> tf.train.checkpoint_exists("no/such/model-1")
    False
    """
    return os.path.isfile(file_of(checkpoint_prefix))


def file_of(prefix: Any) -> str:
    """The file of a checkpoint."""
    prefix = os.fspath(prefix)
    return prefix if prefix.endswith(SUFFIX) else prefix + SUFFIX


def get_checkpoint_mtimes(checkpoint_prefixes):
    """The seconds since 1970 at which checkpoints were written; those that are gone are left out.

    >>> import gradtape.compat.v1 as tf
    >>> tf.train.get_checkpoint_mtimes(["no/such/model-1"])
    []
    """
    files = map(file_of, checkpoint_prefixes)
    return [os.path.getmtime(file) for file in files if os.path.isfile(file)]


def remove_checkpoint(checkpoint_prefix, checkpoint_format_version=2, meta_graph_suffix="meta"):
    """Deletes the file of a checkpoint, if it is there.

    >>> import gradtape.compat.v1 as tf
    >>> tf.train.remove_checkpoint("no/such/model-1")
    """
    try:
        os.remove(file_of(checkpoint_prefix))
    except FileNotFoundError:
        pass


def existing(paths: Sequence[str]) -> list[str]:
    """Those of the checkpoints that are there."""
    return [path for path in paths if checkpoint_exists(path)]
