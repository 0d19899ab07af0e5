"""``tf.io.gfile``: files and folders, with the errors that TensorFlow raises. Paths are those of the machine."""

from __future__ import annotations

import glob as _glob
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from gradtape._src.core.errors import (
    AlreadyExistsError,
    FailedPreconditionError,
    NotFoundError,
    OpError,
    PermissionDeniedError,
    UnknownError,
)

_ERRORS: list[tuple[type[OSError], Any]] = [
    (FileNotFoundError, NotFoundError),
    (FileExistsError, AlreadyExistsError),
    (PermissionError, PermissionDeniedError),
    (IsADirectoryError, FailedPreconditionError),
    (NotADirectoryError, FailedPreconditionError),
    (OSError, UnknownError),
]


@contextmanager
def _tensorflows_errors(path: Any) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        kind = next(kind for python, kind in _ERRORS if isinstance(error, python))
        raise kind.of(f"{os.fspath(path)}; {error.strerror or error}") from None


def _text(path: Any) -> str:
    path = os.fspath(path)
    path = path.decode() if isinstance(path, bytes) else path
    return path.removeprefix("file://")


class GFile:
    """A file, opened when it is first read or written.

    Args:
      name: its path.
      mode: as Python's: "r", "w", "a", "r+", "w+", and with "b" for bytes. Text is UTF-8.
      encoding: of text.

    Raises:
      NotFoundError, PermissionDeniedError, ...: when it is read or written.

    >>> import gradtape as tf, tempfile
    >>> path = tempfile.mkdtemp() + "/note.txt"
    >>> with tf.io.gfile.GFile(path, "w") as file:
    ...     file.write("hello")
    >>> with tf.io.gfile.GFile(path) as file:
    ...     file.read()
    'hello'
    """

    def __init__(self, name, mode="r", encoding="utf-8"):
        self._file: Any = None
        if mode not in (
            "r",
            "w",
            "a",
            "r+",
            "w+",
            "a+",
            "rb",
            "wb",
            "ab",
            "r+b",
            "w+b",
            "a+b",
            "rb+",
            "wb+",
            "ab+",
        ):
            raise ValueError(f"mode is not 'r' or 'w' or 'a' (with 'b' or '+'): {mode!r}")
        self._name, self._mode, self._encoding = _text(name), mode, encoding

    def _opened(self) -> Any:
        if self._file is None:
            text = "b" not in self._mode
            with _tensorflows_errors(self._name):
                self._file = open(
                    self._name,
                    self._mode,
                    encoding=self._encoding if text else None,
                    newline="" if text else None,
                )
        return self._file

    @property
    def name(self):
        """The path."""
        return self._name

    @property
    def mode(self):
        """The mode."""
        return self._mode

    def size(self):
        """The number of bytes."""
        self.flush()
        return stat(self._name).length

    def read(self, n=-1):
        """The next ``n`` bytes or characters; all that is left by default."""
        with _tensorflows_errors(self._name):
            return self._opened().read(n)

    def readline(self):
        """The next line, with its end; empty at the end of the file."""
        return self._opened().readline()

    def readlines(self):
        """The lines that are left."""
        return self._opened().readlines()

    def write(self, file_content):
        """Writes text or bytes."""
        with _tensorflows_errors(self._name):
            if "b" not in self._mode and isinstance(file_content, bytes):
                file_content = file_content.decode(self._encoding)
            elif "b" in self._mode and isinstance(file_content, str):
                file_content = file_content.encode(self._encoding)
            self._opened().write(file_content)

    def seek(self, offset=None, whence=0, position=None):
        """Goes to a place in the file."""
        offset = position if offset is None else offset
        if offset is None:
            raise TypeError("seek(): offset argument required")
        self._opened().seek(offset, whence)

    def tell(self):
        """The place in the file."""
        return self._opened().tell()

    def seekable(self):
        """True."""
        return True

    def flush(self):
        """Hands what was written to the system."""
        if self._file is not None:
            self._file.flush()

    def close(self):
        """Closes the file."""
        if self._file is not None:
            self._file.close()
            self._file = None
        elif self._mode[0] == "w":  # a file that nobody wrote to is empty
            self._opened()
            self.close()

    def __del__(self):
        if self._file is not None:
            self._file.close()

    def __iter__(self):
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    next = __next__

    def __enter__(self):
        return self

    def __exit__(self, *exc: Any) -> None:
        self.close()


class FileStatistics(NamedTuple):
    """What `tf.io.gfile.stat` gives: the number of bytes, the time of the last change, and whether it is a folder."""

    length: int
    mtime_nsec: int
    is_directory: bool


def exists(path):
    """Whether there is a file or folder.

    >>> import gradtape as tf
    >>> tf.io.gfile.exists("/no/such/file")
    False
    """
    return os.path.exists(_text(path))


def isdir(path):
    """Whether there is a folder of this name.

    >>> import gradtape as tf
    >>> tf.io.gfile.isdir("/")
    True
    """
    return os.path.isdir(_text(path))


def join(path, *paths):
    """Paths put together, as by ``os.path.join``.

    >>> import gradtape as tf
    >>> tf.io.gfile.join("a", "b")
    'a/b'
    """
    return os.path.join(path, *paths)


def glob(pattern):
    """The files and folders that a pattern, or one of a list of patterns, matches; sorted.

    >>> import gradtape as tf
    >>> tf.io.gfile.glob("/no/such/*")
    []
    """
    patterns = [pattern] if isinstance(pattern, (str, bytes, os.PathLike)) else list(pattern)
    return [name for one in patterns for name in sorted(_glob.glob(_text(one)))]


def listdir(path):
    """The names in a folder.

    Raises:
      NotFoundError: there is no such folder.

    >>> import gradtape as tf, tempfile
    >>> tf.io.gfile.listdir(tempfile.mkdtemp())
    []
    """
    if not isdir(path):
        raise NotFoundError.of(f"Could not find directory {os.fspath(path)}")
    return os.listdir(_text(path))


def mkdir(path):
    """Makes a folder, in one that is there.

    Raises:
      NotFoundError: the folder around it is not there. AlreadyExistsError: it is there.

    >>> import gradtape as tf, tempfile
    >>> tf.io.gfile.mkdir(tempfile.mkdtemp() + "/new")
    """
    with _tensorflows_errors(path):
        os.mkdir(_text(path))


def makedirs(path):
    """Makes a folder and those around it; nothing if it is there.

    >>> import gradtape as tf, tempfile
    >>> tf.io.gfile.makedirs(tempfile.mkdtemp() + "/new/inner")
    """
    with _tensorflows_errors(path):
        os.makedirs(_text(path), exist_ok=True)


def remove(path):
    """Deletes a file.

    Raises:
      NotFoundError: there is none.

    >>> import gradtape as tf, tempfile
    >>> tf.io.gfile.remove(tempfile.mkstemp()[1])
    """
    with _tensorflows_errors(path):
        os.remove(_text(path))


def rmtree(path):
    """Deletes a folder with all that is in it.

    Raises:
      NotFoundError: there is none.

    >>> import gradtape as tf, tempfile
    >>> tf.io.gfile.rmtree(tempfile.mkdtemp())
    """
    with _tensorflows_errors(path):
        shutil.rmtree(_text(path))


def copy(src, dst, overwrite=False):
    """Copies a file.

    Raises:
      NotFoundError: there is none. AlreadyExistsError: the other is there, and ``overwrite`` is False.

    >>> import gradtape as tf, tempfile
    >>> source = tempfile.mkstemp()[1]
    >>> tf.io.gfile.copy(source, source + ".copy")
    """
    if not overwrite and exists(dst):
        raise AlreadyExistsError.of(f"file already exists: {os.fspath(dst)}")
    with _tensorflows_errors(src):
        shutil.copyfile(_text(src), _text(dst))


def rename(src, dst, overwrite=False):
    """Gives a file or folder another name.

    Raises:
      NotFoundError: there is none. AlreadyExistsError: the other is there, and ``overwrite`` is False.

    >>> import gradtape as tf, tempfile
    >>> source = tempfile.mkstemp()[1]
    >>> tf.io.gfile.rename(source, source + ".new")
    """
    if not overwrite and exists(dst):
        raise AlreadyExistsError.of(f"file already exists: {os.fspath(dst)}")
    with _tensorflows_errors(src):
        os.replace(_text(src), _text(dst))


def stat(path):
    """The size of a file, and when it was changed.

    Raises:
      NotFoundError: there is none.

    >>> import gradtape as tf, tempfile
    >>> tf.io.gfile.stat(tempfile.mkstemp()[1]).length
    0
    """
    with _tensorflows_errors(path):
        found = os.stat(_text(path))
    return FileStatistics(found.st_size, found.st_mtime_ns, os.path.isdir(_text(path)))


def walk(top, topdown=True, onerror=None):
    """Folder by folder: the folder, the names of the folders in it, and those of the files.

    onerror: a function to call with the error if there is no such folder.

    >>> import gradtape as tf, tempfile
    >>> [(folders, files) for _, folders, files in tf.io.gfile.walk(tempfile.mkdtemp())]
    [([], [])]
    """

    def heard(error: OSError) -> None:
        if onerror is not None:
            try:
                with _tensorflows_errors(top):
                    raise error
            except OpError as translated:
                onerror(translated)

    yield from os.walk(_text(top), topdown, heard)


def get_registered_schemes():
    """The kinds of paths that there are: files.

    >>> import gradtape as tf
    >>> tf.io.gfile.get_registered_schemes()
    ['', 'file']
    """
    return ["", "file"]
