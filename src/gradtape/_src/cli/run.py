"""Running a script as `python SCRIPT` does, with `tensorflow` meaning gradtape.

What a script can see of its launch is set up as Python sets it up: `__main__` and its attributes,
`sys.argv`, `sys.path[0]`, the exit status, and tracebacks, in which no frame of the launcher appears. Rests
on `alias` and `detect`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import (
    BuiltinImporter,
    ModuleSpec,
    PathFinder,
    SourceFileLoader,
    SourcelessFileLoader,
)
from types import CodeType, ModuleType, TracebackType
from typing import Any, NamedTuple

from gradtape._src.cli import alias, detect
from gradtape._src.keras import local_files


class CannotOpen(Exception):
    """There is no program to run; `status` is the exit status that Python gives."""

    def __init__(self, message: str, status: int):
        super().__init__(message)
        self.status = status


class Program(NamedTuple):
    """A program that has been read but not compiled: a syntax error is reported like any other error."""

    source: bytes  # for `detect`; empty where there is none
    path0: str  # what goes to sys.path[0]
    attributes: dict[str, Any]  # of the module `__main__`
    code: Callable[[], CodeType]


def run(
    script: str,
    args: Sequence[str],
    api: str,
    toy_data: bool = False,
    watch: str | None = None,
    picture: str | None = None,
    profile: bool | str = False,
) -> int:
    """Run `script`; return 0, or 2 (1 for a directory without `__main__`) where it cannot be opened.

    api: "v1", "v2" or "auto". toy_data: whether made data stands for well-known data sets. watch: "explain" or
    "strict", what to do about gradients that are None. picture: the file to draw gradients into. profile: whether to
    measure where the time goes, or the file for its trace. Whatever the script raises, SystemExit included, passes
    through.
    """
    try:
        program = load(script)
    except CannotOpen as error:
        print(f"gradtape: {error}", file=sys.stderr)
        return error.status
    if api == "auto":
        evidence = detect.tensorflow1(program.source)
        api = "v1" if evidence else "v2"
        if evidence:
            print(
                f"gradtape: a TensorFlow 1 program (line {evidence.line}: {evidence.name}), "
                "so tensorflow means gradtape.compat.v1; --api v2 overrides",
                file=sys.stderr,
            )
    alias.install(api)
    if toy_data:
        local_files.use_toy_data()
    sys.argv[:] = [script, *args]
    if not sys.flags.safe_path:  # else Python has put nothing there that the script's directory replaces
        sys.path[0] = program.path0
    if watch is not None:
        from gradtape._src.explain import report  # start-up cost: only for those who ask

        report.start(watch)
    if picture is not None:
        from gradtape._src.viz import script as album  # start-up cost: only for those who ask

        try:
            album.start(picture)
        except (ImportError, ValueError, OSError) as error:
            print(f"gradtape: {error}", file=sys.stderr)
            return 2
    with profiled(profile):
        execute(program)
    return 0


@contextmanager
def profiled(profile: bool | str) -> Iterator[None]:
    """Measures a ``with`` block if asked to, and prints the table on standard error at its end."""
    if not profile:
        yield
        return
    from gradtape._src.profile import profiler, table, trace  # start-up cost: only for those who ask

    profiler.begin()
    try:
        yield
    finally:
        found = profiler.finish()
        table.show(found)
        if isinstance(profile, str):
            trace.write_trace(found, profile)


def load(script: str) -> Program:
    """Read what `python script` would run; raises CannotOpen."""
    if script == "-":
        source = sys.stdin.buffer.read()
        return Program(
            source, "", {"__loader__": BuiltinImporter, "__file__": "<stdin>"}, _compiler(source, "<stdin>")
        )
    # Python makes `__file__` absolute, and does not otherwise touch it.
    path = os.path.join(os.getcwd(), script)
    try:
        if os.path.isdir(path) or _is_archive(path):
            return _load_container(path)
        folder = os.path.dirname(os.path.realpath(path))
        if path.endswith(".pyc"):
            open(path, "rb").close()
            loader = SourcelessFileLoader("__main__", path)
            return Program(b"", folder, {"__loader__": loader, "__file__": path}, _getter(loader))
        with open(path, "rb") as file:
            source = file.read()
    except OSError as error:
        raise CannotOpen(f"can't open file '{path}': [Errno {error.errno}] {error.strerror}", 2) from None
    loader = SourceFileLoader("__main__", path)
    return Program(source, folder, {"__loader__": loader, "__file__": path}, _compiler(source, path))


def execute(program: Program) -> None:
    """Run a program as the module `__main__`."""
    main = ModuleType("__main__")
    vars(main).update(program.attributes, __builtins__=sys.modules["builtins"])
    vars(main).setdefault("__cached__", None)
    if sys.version_info < (3, 14):
        main.__annotations__ = {}
    launcher = sys.modules["__main__"]  # kept alive while this frame runs: the launcher's globals are in it
    sys.modules["__main__"] = main
    try:
        exec(program.code(), vars(main))
    except SystemExit:
        raise
    except BaseException as error:
        _hide_launcher(error)
        raise
    finally:
        del launcher


def _compiler(source: bytes, filename: str) -> Callable[[], CodeType]:
    # From bytes, so that a coding cookie or a byte order mark counts.
    return lambda: compile(source, filename, "exec", dont_inherit=True)


def _getter(loader: Any) -> Callable[[], CodeType]:
    return lambda: loader.get_code("__main__")


def _is_archive(path: str) -> bool:
    if path.endswith((".py", ".pyc")) or not os.path.isfile(path):
        return False
    import zipfile  # start-up cost: only for a file whose name does not say that it is Python's

    return zipfile.is_zipfile(path)


def _load_container(path: str) -> Program:
    spec: ModuleSpec | None = PathFinder.find_spec("__main__", [path])
    if spec is None or not hasattr(spec.loader, "get_code"):
        raise CannotOpen(f"can't find '__main__' module in '{path}'", 1)
    loader: Any = spec.loader
    try:
        source = (loader.get_source("__main__") or "").encode()
    except (ImportError, SyntaxError):  # cannot be decoded: compiling it will say so
        source = b""
    attributes = {
        "__spec__": spec,
        "__package__": "",
        "__loader__": loader,
        "__file__": spec.origin,
        "__cached__": spec.cached,
    }
    return Program(source, path, attributes, _getter(loader))


def _hide_launcher(error: BaseException) -> None:
    """Have Python report `error` without the frames through which the script was launched.

    The error is left to Python, which knows what to do with it (the exit status, an interrupt, `python -i`,
    an excepthook of the script's own that fails in turn); only what the hook is given changes.
    """
    hook = sys.excepthook
    frames = _of_script(error.__traceback__)

    def report(kind: type[BaseException], value: BaseException, _: TracebackType | None) -> None:
        sys.last_traceback = frames  # for `python -i` and pdb.pm()
        hook(kind, value.with_traceback(frames), frames)

    sys.excepthook = report


def _of_script(frames: TracebackType | None) -> TracebackType | None:
    """Without the leading frames, of this module and of the loaders it compiles with, and without a last
    frame in which the alias says that there is no such module."""
    while frames is not None and (_file(frames) == __file__ or _file(frames).startswith("<frozen ")):
        frames = frames.tb_next
    frame = frames
    while frame is not None and frame.tb_next is not None:
        if frame.tb_next.tb_next is None and _file(frame.tb_next) == alias.__file__:
            frame.tb_next = None
        frame = frame.tb_next
    return frames


def _file(frame: TracebackType) -> str:
    return frame.tb_frame.f_code.co_filename
