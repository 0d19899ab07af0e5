"""`gradtape run PROGRAM` does what `python PROGRAM` does: output, errors and exit status are the same.

The programs here do not import TensorFlow, so plain Python is the oracle.
"""

from __future__ import annotations

import os
import sys
import zipfile
from pathlib import Path

import pytest

PROGRAMS = {
    "what the program sees of itself": """
        import sys
        print(sys.argv, sys.path[0], __name__, __file__, __package__, __spec__, __cached__, __doc__)
        print(type(__loader__).__name__, __loader__.name, __loader__.path, type(__builtins__).__name__)
        print(sorted(globals()), sys.modules["__main__"].__dict__ is globals(), __annotations__)
    """
    if sys.version_info < (3, 14)
    else """
        import sys
        print(sys.argv, sys.path[0], __name__, __file__, __package__, __spec__, __doc__)
        print(type(__loader__).__name__, __loader__.name, __loader__.path, type(__builtins__).__name__)
        print(sorted(globals()), sys.modules["__main__"].__dict__ is globals())
    """,
    "no future import leaks in": """
        def f(x: int): ...
        print(f.__annotations__)
    """,
    "the source can be found": """
        import dataclasses, inspect, pickle
        @dataclasses.dataclass
        class Point:
            x: float
        print(inspect.getsource(Point), pickle.loads(pickle.dumps(Point(1.0))))
    """,
    "standard input is the program's": """
        print(input() + "!")
    """,
    "an error in a function": """
        def f(x):
            return 1 / x
        print("before")
        f(0)
    """,
    "chained errors with a note": """
        def f():
            try:
                {}["key"]
            except KeyError as error:
                error.add_note("a note")
                raise ValueError("chained") from error
        f()
    """,
    "an error group": """
        raise ExceptionGroup("several", [ValueError("one"), TypeError("two")])
    """,
    "an error in a thread": """
        import threading
        def f(): raise ValueError("in a thread")
        thread = threading.Thread(target=f, name="worker")
        thread.start(); thread.join(); print("after")
    """,
    "a syntax error": "print('never printed')\nx = = 1\n",
    "an indentation error": "if True:\nprint('never printed')\n",
    "a syntax warning, once": """
        print("\\d", 1 is 1)
    """,
    "a module that is missing": """
        import no_such_module_at_all
    """,
    "an excepthook of its own": """
        import sys, traceback
        def hook(kind, value, frames):
            print("hook:", kind.__name__, value, [f.name for f in traceback.extract_tb(frames)])
        sys.excepthook = hook
        raise ValueError("x")
    """,
    "exit status of a number": "import sys; sys.exit(3)",
    "exit status of a text": "import sys; sys.exit('a message')",
    "exit status of nothing": "import sys; sys.exit()",
    "exit at once": "import os; os._exit(4)",
    "an interrupt": """
        import atexit
        atexit.register(print, "cleaned up")
        raise KeyboardInterrupt
    """,
    "threads and exit handlers are waited for": """
        import atexit, threading, time
        atexit.register(print, "last")
        threading.Thread(target=lambda: (time.sleep(0.2), print("thread"))).start()
        print("main"); raise SystemExit(5)
    """,
    "a coding cookie": "# -*- coding: latin-1 -*-\nprint(ascii('\xe9'))\n".encode("latin-1"),
    "a byte order mark": b"\xef\xbb\xbfprint('\xc3\xa9')\n",
}


def dedent(text: str | bytes) -> str | bytes:
    if isinstance(text, bytes) or not text.startswith("\n"):
        return text
    lines = text.strip("\n").rstrip().split("\n")
    return "\n".join(line[8:] for line in lines) + "\n"


@pytest.mark.parametrize("name", PROGRAMS)
def test_same_as_python(launcher, name: str):
    launcher.write("program.py", dedent(PROGRAMS[name]))
    command = ["program.py", "--api", "an argument", "--", "-x"]
    python = launcher.process(*command, stdin="typed\n")
    ours = launcher.run(*command, stdin="typed\n")
    assert ours.stdout == python.stdout
    assert ours.stderr == python.stderr
    assert ours.returncode == python.returncode


def test_the_interrupt_is_a_signal(launcher):
    # So that a shell's loop over programs stops, as with Python; a shell reports 130.
    assert launcher.program("raise KeyboardInterrupt").returncode == (
        -2 if os.name == "posix" else 0xC000013A
    )


def test_text_that_is_not_utf8_is_a_syntax_error(launcher):
    done = launcher.program(b"print('\xff\xfe')\n")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("SyntaxError: ")
    assert "gradtape" not in done.stderr


@pytest.mark.parametrize("form", ["symlink", "relative", "directory", "zip", "pyc", "stdin"])
def test_forms_of_a_program(launcher, form: str):
    text = """
import sys, helper
print(sys.argv, sys.path[0], globals().get('__file__'), __package__)
helper.fail()
"""
    launcher.write("home/__main__.py", text)
    launcher.write("home/helper.py", "def fail(): raise ValueError('in the helper')\n")
    stdin = ""
    home = launcher.folder / "home"
    words = ["home"]
    if form == "symlink":
        os.symlink(home / "__main__.py", launcher.folder / "link.py")
        words = ["link.py"]
    elif form == "relative":
        words = [os.path.join(".", "home", "..", "home", "__main__.py")]
    elif form == "zip":
        with zipfile.ZipFile(launcher.folder / "home.zip", "w") as archive:
            for path in home.iterdir():
                archive.write(path, path.name)
        words = ["home.zip"]
    elif form == "pyc":
        launcher.process("-m", "compileall", "-q", "-b", "home")
        words = [os.path.join("home", "__main__.pyc")]
    elif form == "stdin":
        stdin, words = text.replace(", helper", "").replace("helper.fail()", "1 / 0"), ["-"]
    python, ours = launcher.process(*words, "x", stdin=stdin), launcher.run(*words, "x", stdin=stdin)
    assert ours.stdout == python.stdout
    # For a directory Python shows the frames of its own launcher, `runpy`, which say nothing.
    assert ours.stderr == without_runpy(python.stderr)
    assert ours.returncode == python.returncode == 1


def without_runpy(report: str) -> str:
    return "".join(line for line in report.splitlines(True) if "<frozen runpy>" not in line)


def test_cannot_be_opened(launcher):
    python, ours = launcher.process("nothing.py"), launcher.run("nothing.py")
    assert ours.returncode == python.returncode == 2
    assert ours.stderr == python.stderr.replace(sys.executable, "gradtape")


def test_directory_without_a_program(launcher):
    Path(launcher.folder / "empty").mkdir()
    python, ours = launcher.process("empty"), launcher.run("empty")
    assert ours.returncode == python.returncode == 1
    assert ours.stderr == python.stderr.replace(sys.executable, "gradtape")


def test_safe_path_is_kept(launcher):
    launcher.write("program.py", "import sys; print(sys.path)")
    python = launcher.process("-P", "program.py")
    assert launcher.process("-P", "-m", "gradtape", "run", "program.py").stdout == python.stdout


def test_a_failing_excepthook_is_python_s_to_report(launcher):
    done = launcher.program("import sys\nsys.excepthook = lambda *_: 1 / 0\nraise ValueError('x')\n")
    assert done.returncode == 1
    assert "Error in sys.excepthook:" in done.stderr
    assert "Original exception was:" in done.stderr
    assert "ValueError: x" in done.stderr
