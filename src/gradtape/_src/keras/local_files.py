"""Files of data sets on this computer: nothing is downloaded.

A file is looked for in the folders that Keras keeps its own in, ``~/.keras/datasets``, and in the folder that the
environment variable ``GRADTAPE_DATA`` names.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

_toy: list[bool] = []  # has an element while made data stands for what is missing
_said: set[str] = set()


def use_toy_data() -> None:
    """From now on made data stands for the data sets: ``gradtape run --toy-data``."""
    _toy.append(True)


def toy_data(name: str, what: str) -> bool:
    """Whether made data is wanted. Says once on standard error that it is not the real data."""
    if _toy and name not in _said:
        _said.add(name)
        print(f"gradtape: {name} is made data ({what}), not the real data set: --toy-data", file=sys.stderr)
    return bool(_toy)


def folders(cache_dir: Any = None, cache_subdir: str = "datasets") -> list[Path]:
    """The folders to look in, the first first."""
    found = []
    own = os.environ.get("GRADTAPE_DATA")
    if own:
        found += [Path(own).expanduser() / cache_subdir, Path(own).expanduser()]
    home = cache_dir or os.environ.get("KERAS_HOME") or Path("~/.keras")
    found.append(Path(home).expanduser() / cache_subdir)
    return found


def find(names: list[str], what: str, origin: str | None = None, where: list[Path] | None = None) -> Path:
    """The first of the files or folders of these names that is there.

    Raises:
      FileNotFoundError: none is; the message says where to put one.
    """
    where = folders() if where is None else where
    for folder in where:
        for name in names:
            if (folder / name).exists():
                return folder / name
    source = f" from {origin}" if origin else ""
    raise FileNotFoundError(
        f"{what}: there is no {' or '.join(names)} on this computer, and gradtape downloads nothing. Looked in "
        f"{', '.join(map(str, where))}. Put the file{source} there, or into a folder that the environment variable "
        "GRADTAPE_DATA names. To try the program without it: gradtape run --toy-data SCRIPT"
    )


def get_file(
    fname=None,
    origin=None,
    untar=False,
    md5_hash=None,
    file_hash=None,
    cache_subdir="datasets",
    hash_algorithm="auto",
    extract=False,
    archive_format="auto",
    cache_dir=None,
    force_download=False,
):
    """The path of a file that is on this computer already.

    Args:
      fname: the name; by default the last part of ``origin``.
      origin: where the file comes from, which is named if it is missing. A ``file://`` address is read.
      untar, extract: whether the file is an archive to unpack beside itself; then the path is that of the folder.
      md5_hash, file_hash: what the file must hash to.
      cache_subdir: the folder in ``~/.keras``, or in the folder of ``GRADTAPE_DATA``.
      hash_algorithm: ``"md5"``, ``"sha256"`` or ``"auto"``.
      archive_format: without effect: the name of the file says what it is.
      cache_dir: in place of ``~/.keras``.
      force_download: without effect.

    Returns:
      The path, a string.

    Raises:
      ValueError: no name and no origin, or a file of another hash.
      FileNotFoundError: the file is not there; the message says where to put it.

    >>> import gradtape as tf
    >>> tf.keras.utils.get_file("no such file.txt", "https://example.org/no such file.txt")
    Traceback (most recent call last):
    FileNotFoundError: get_file: there is no no such file.txt on this computer, and gradtape downloads nothing...

    As Keras 3, without the download.
    """
    if not fname and not origin:
        raise ValueError('Please specify the "origin" argument (URL of the file to download).')
    address = urlparse(origin or "")
    name = os.path.basename(str(fname or unquote(address.path)))
    if address.scheme == "file":
        path = Path(unquote(address.path))
    else:
        where = (
            [Path(str(fname)).parent]
            if fname and os.path.isabs(str(fname))
            else folders(cache_dir, cache_subdir)
        )
        archived = [f"{name}{end}" for end in (".tar.gz", ".tgz", ".tar", ".zip")] if untar or extract else []
        if toy_data_file(name):
            return toy_data_file(name)
        path = find([name, *archived], "get_file", origin, where)
    expected = file_hash or md5_hash
    if expected and path.is_file() and not _has_hash(path, expected, hash_algorithm):
        raise ValueError(
            f"{path} is incomplete or another version: its hash is not {expected}. Replace it"
            + (f" by {origin}" if origin else "")
        )
    return str(_unpacked(path, name, untar) if (untar or extract) and path.is_file() else path)


def toy_data_file(name: str) -> str | None:
    """A made text file in place of one that is missing, if that is wanted."""
    if not name.endswith(".txt") or not toy_data(name, "a text of 40,000 characters"):
        return None
    # start-up cost: only for --toy-data
    import tempfile

    # start-up cost: only for --toy-data
    from gradtape._src.keras.made_data import text

    folder = Path(tempfile.mkdtemp(prefix="gradtape-toy-data-"))
    (folder / name).write_text(text(), encoding="utf-8")
    return str(folder / name)


def _has_hash(path: Path, expected: str, algorithm: str) -> bool:
    kind = "sha256" if algorithm in ("sha256", "auto") and len(expected) == 64 else "md5"
    with open(path, "rb") as file:
        return hashlib.file_digest(file, kind).hexdigest() == expected


def _unpacked(archive: Path, name: str, untar: bool) -> Path:
    """The folder that an archive is unpacked into, beside it. Members that would land elsewhere are refused."""
    folder = archive.parent / (name if untar and archive.name != name else f"{name}_extracted")
    if not folder.exists():
        partial = folder.with_name(f"{folder.name}.partial")
        shutil.rmtree(partial, ignore_errors=True)
        options: dict[str, Any] = {} if archive.suffix == ".zip" else {"filter": "data"}
        shutil.unpack_archive(archive, partial, **options)
        inner = partial / name
        os.replace(inner if untar and inner.is_dir() else partial, folder)
        shutil.rmtree(partial, ignore_errors=True)
    return folder
