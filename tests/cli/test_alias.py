"""`import tensorflow` means gradtape in the process of the script, and nowhere else."""

from __future__ import annotations

import multiprocessing
import sys

import pytest

import gradtape

FAKE = {"PYTHONPATH": "elsewhere"}


@pytest.fixture
def fake(launcher):
    """A package named tensorflow, as a real one would be, on the path of the child processes."""
    text = "print('the real TensorFlow was imported')\n__version__ = 'real'\n"
    launcher.write("elsewhere/tensorflow/__init__.py", text)
    launcher.write("elsewhere/tensorflow/keras.py", "")
    return launcher


def printed(done) -> str:
    assert done.stderr == ""
    assert done.returncode == 0
    return done.stdout


def test_ways_to_import(launcher):
    done = launcher.program("""
import sys
import tensorflow as tf
import tensorflow
import gradtape
assert tf is tensorflow is gradtape
from tensorflow import version, compat
assert version is gradtape.version
from tensorflow.version import VERSION
import tensorflow.version as other
assert other is version is sys.modules["tensorflow.version"] is tensorflow.version
import tensorflow.compat.v1 as v1
import gradtape.compat.v1
assert v1 is gradtape.compat.v1 and v1 is not tf
import tensorflow.compat.v2 as v2
import tensorflow.compat.v2.version
assert v2 is tf
assert v1.version is version
import tensorflow.python.framework.ops as ops
from tensorflow.python.framework import ops as same
from tensorflow.python import framework
assert ops is same is framework.ops is v1
import importlib, importlib.util
assert importlib.util.find_spec("tensorflow") is not None
assert importlib.reload(tf) is tf
assert gradtape.__name__ == gradtape.__spec__.name == "gradtape"
print("done")
""")
    assert printed(done) == "done\n"


def test_gradtape_s_own_submodules():
    import gradtape.compat.v2
    from gradtape.compat import v1
    from gradtape.version import VERSION

    assert gradtape.compat.v2 is gradtape
    assert v1.version.VERSION == VERSION
    assert {"compat", "version"} <= set(dir(gradtape))


def test_a_plain_process_is_left_alone(fake):
    text = """
import gradtape._src.cli.alias
import tensorflow
print(tensorflow.__version__, gradtape.__version__)
"""
    done = fake.process("-c", text, **FAKE)
    assert printed(done) == f"the real TensorFlow was imported\nreal {gradtape.__version__}\n"
    assert "tensorflow" not in sys.modules


def test_an_installed_tensorflow_is_not_used(fake):
    text = "import tensorflow as tf, tensorflow.compat as c\nprint(tf.__name__, c.__name__)"
    assert printed(fake.program(text, **FAKE)) == "gradtape gradtape.compat\n"


def test_one_imported_before_is_put_aside(fake):
    # A .pth file or a sitecustomize may import it before the command starts.
    fake.write("elsewhere/sitecustomize.py", "import tensorflow")
    done = fake.program("import tensorflow\nprint(tensorflow.__name__)", **FAKE)
    assert printed(done) == "the real TensorFlow was imported\ngradtape\n"


def test_missing_submodule_of_an_installed_tensorflow_stays_missing(fake):
    done = fake.program("import tensorflow.no_such_thing", **FAKE)
    assert done.returncode == 1
    assert "the real TensorFlow" not in done.stdout


def test_processes_that_the_script_starts_are_left_alone(fake):
    text = """
import subprocess, sys, tensorflow
subprocess.run([sys.executable, "-c", "import tensorflow"], check=True)
"""
    assert printed(fake.program(text, **FAKE)) == "the real TensorFlow was imported\n"


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
@pytest.mark.parametrize("api", ["v1", "v2"])
def test_children_of_multiprocessing_run_the_same_script(fake, method: str, api: str):
    text = f"""
import multiprocessing, sys
import tensorflow as tf

def work(x):
    return tf.__name__, tf.__version__, sys.argv[1:], x + 1

if __name__ == "__main__":
    with multiprocessing.get_context({method!r}).Pool(1) as pool:
        print(*pool.map(work, [1]))
    # again, from a process that has the machinery loaded
    process = multiprocessing.get_context({method!r}).Process(target=print, args=(work(2)[0],))
    process.start()
    process.join()
"""
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {method} on this platform")
    done = fake.run("--api", api, str(fake.write("program.py", text)), "x", **FAKE)
    name, version = {"v1": ("gradtape.compat.v1", "1.15.5"), "v2": ("gradtape", "2.21.0")}[api]
    deprecated = "DeprecationWarning"  # of fork in a process with threads, on some versions of Python
    assert done.stderr == "" or deprecated in done.stderr
    assert done.stdout == f"{(name, version, ['x'], 2)}\n{name}\n"


def test_a_fork_server_does_not_run_the_script_itself(launcher):
    # It would do so without the alias. Python 3.11 to 3.13 leave the script to the children in any case.
    done = launcher.program("""
import tensorflow
import multiprocessing.popen_fork
from multiprocessing import spawn
print("init_main_from_path" in spawn.get_preparation_data("ignore"))
print("init_main_from_path" in spawn.get_preparation_data("a child"))
""")
    assert printed(done) == "False\nTrue\n"


def test_missing_submodule(launcher):
    done = launcher.program("import tensorflow.versions\n")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "ModuleNotFoundError: No module named 'tensorflow.versions': "
        "gradtape has no module 'gradtape.versions'; nearest: 'gradtape.version'"
    )
    assert "frozen" not in done.stderr
    assert done.stderr.count("File ") == done.stderr.count("program.py") == 1


def test_missing_submodule_can_be_caught(launcher):
    text = """
try:
    from tensorflow.contrib.nothing import thing
except ImportError as error:
    print(type(error).__name__, error.name)
"""
    assert printed(launcher.program(text)) == "ModuleNotFoundError tensorflow.contrib\n"


def test_missing_name(launcher):
    done = launcher.program("import tensorflow as tf\ntf.versoin\n")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "AttributeError: module 'gradtape' has no attribute 'versoin'; nearest: 'version'"
    )
    assert "tf.versoin" in done.stderr


def test_version_that_scripts_compare(launcher):
    text = "import tensorflow as tf\nprint(tf.__version__, tf.version.VERSION, tf.__version__ >= '2')"
    assert printed(launcher.program(text)) == "2.21.0 2.21.0 True\n"


def test_version_in_a_tensorflow_1_program(launcher):
    text = "import tensorflow as tf\nprint(tf.__version__, tf.VERSION)"
    launcher.write("program.py", text)
    assert printed(launcher.run("--api=v1", "program.py")) == "1.15.5 1.15.5\n"


def test_keras_by_itself(launcher):
    """`import keras` is the Keras of `import tensorflow`, also under the names of older versions' modules."""
    done = launcher.program("""
import keras
from keras import layers, ops
from keras.layers.core import Dense
from keras.engine.topology import Layer
from keras.utils.np_utils import to_categorical
import keras.backend as K
import tensorflow as tf
assert keras is tf.keras and layers is tf.keras.layers and ops is keras.ops and K is keras.backend
assert Dense is layers.Dense and Layer is layers.Layer and to_categorical is keras.utils.to_categorical
try:
    import keras.laiers
except ModuleNotFoundError as error:
    print(error)
""")
    said = "No module named 'keras.laiers': gradtape has no module 'gradtape.keras.laiers'"
    assert printed(done) == f"{said}; nearest: 'gradtape.keras.layers'\n"
