"""The command line itself: its words, its help, its exit status."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import gradtape
from gradtape._src.cli.main import main


def test_version(capsys):
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out == f"gradtape {gradtape.__version__}\n"


def test_help_names_every_option(capsys):
    with pytest.raises(SystemExit) as end:
        main(["run", "--help"])
    assert end.value.code == 0
    text = capsys.readouterr().out
    for word in (
        "SCRIPT",
        "--api",
        "auto",
        "v1",
        "v2",
        "compat.v1",
        "--toy-data",
        "--explain",
        "--strict",
        "--check",
    ):
        assert word in text


def test_without_a_command_the_help(capsys):
    assert main([]) == 0
    assert "run" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["run"], "required: SCRIPT"),
        (["run", "--api", "v3", "x.py"], "invalid choice: 'v3'"),
        (["run", "--ap", "v1", "x.py"], "unrecognized arguments: --ap"),
        (["jump"], "invalid choice: 'jump'"),
    ],
)
def test_wrong_words(capsys, words, complaint):
    with pytest.raises(SystemExit) as end:
        main(words)
    assert end.value.code == 2
    assert complaint in capsys.readouterr().err


def test_a_double_dash_ends_the_options(launcher):
    launcher.write("-odd.py", "import sys; print(sys.argv)")
    assert launcher.run("--", "-odd.py", "-x").stdout == "['-odd.py', '-x']\n"


def test_made_data_in_place_of_data_sets(launcher):
    launcher.write(
        "program.py",
        "import tensorflow as tf\n"
        "(x, y), _ = tf.keras.datasets.mnist.load_data()\n"
        "print(x.shape[1:], x.dtype, y.dtype)\n",
    )
    done = launcher.run("--toy-data", "program.py")
    assert done.stdout == "(28, 28) uint8 uint8\n"
    assert done.stderr.count("keras.datasets.mnist is made data") == 1
    launcher.write(
        "older.py",
        "from tensorflow.examples.tutorials.mnist import input_data\n"
        "mnist = input_data.read_data_sets('MNIST_data', one_hot=True)\n"
        "print(mnist.train.next_batch(5)[0].shape, mnist.train.next_batch(5)[1].shape)\n",
    )
    done = launcher.run("--toy-data", "--api", "v1", "older.py")
    assert done.stdout == "(5, 784) (5, 10)\n" and "is made data" in done.stderr


def test_the_installed_command_is_the_module(launcher):
    command = shutil.which("gradtape", path=os.path.dirname(sys.executable))
    if command is None:
        pytest.skip("gradtape is not installed in this environment")
    program = launcher.write("program.py", "import sys, tensorflow; print(sys.argv, sys.path[0]); 1 / 0")
    done = subprocess.run([command, "run", str(program), "x"], capture_output=True, text=True, timeout=60)
    module = launcher.run(str(program), "x")
    assert (done.stdout, done.stderr, done.returncode) == (module.stdout, module.stderr, module.returncode)
    assert done.stdout == f"{[str(program), 'x']} {program.parent}\n"


def test_start_up_loads_nothing_slow(launcher):
    # SciPy, rich and the rest are loaded when first used; a process is the only clean measure.
    done = launcher.program(
        "import sys, tensorflow\n"
        "print({'scipy', 'rich', 'difflib', 'multiprocessing', 'unittest'} & set(sys.modules))"
    )
    assert (done.stdout, done.stderr) == ("set()\n", "")


def test_the_module_has_no_side_effect_when_imported():
    assert Path(gradtape.__file__).with_name("__main__.py").read_text().count('__name__ == "__main__"') == 1
