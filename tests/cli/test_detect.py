"""Telling a TensorFlow 1 program from a TensorFlow 2 program by its names."""

from __future__ import annotations

import pytest

from gradtape._src.cli import detect
from gradtape._src.cli.detect import Evidence

TF = "import tensorflow as tf\n"

VERSION_1 = {
    TF + "with tf.Session() as s: pass": ("tf.Session", 2),
    TF + "x = tf.placeholder(tf.float32)": ("tf.placeholder", 2),
    TF + "tf.enable_eager_execution()\ntf.Session": ("tf.enable_eager_execution", 2),
    TF + "tf.reset_default_graph()": ("tf.reset_default_graph", 2),
    TF + "def f():\n  return tf.train.AdamOptimizer(1e-3).minimize(x)": ("tf.train.AdamOptimizer", 3),
    TF + "tf.contrib.layers.flatten(x)": ("tf.contrib", 2),
    "import tensorflow\ntensorflow.log(x)": ("tensorflow.log", 2),
    "import tensorflow.keras\ntensorflow.log(x)": ("tensorflow.log", 2),
    "from tensorflow import keras, Session": ("from tensorflow import Session", 1),
    "from tensorflow.train import Saver": ("from tensorflow.train import Saver", 1),
    "import tensorflow.contrib.slim as slim": ("import tensorflow.contrib.slim", 1),
    "from tensorflow.examples.tutorials.mnist import input_data": (
        "from tensorflow.examples.tutorials.mnist import input_data",
        1,
    ),
}

VERSION_2 = [
    "print('no TensorFlow at all')",
    "tf.Session()  # tensorflow is only mentioned",
    TF + "tf.constant(1.0); tf.train.Checkpoint(); tf.keras.layers.Dense(1)",
    TF + "x.Session; x.tf.placeholder; f().log",
    TF + "class tf2:\n  Session = 1\ntf2.Session",
    "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\ntf.Session()",
    TF + "tf1 = tf.compat.v1\ntf1.Session()",
    TF + "tf.compat.v1.Session(); tf.compat.v1.train.AdamOptimizer(1.0)",
    # the program has made its own arrangements
    TF + "if tf.__version__.startswith('1'):\n  tf.enable_eager_execution()",
    TF + "if not tf.executing_eagerly():\n  tf.enable_eager_execution()",
    TF + "try:\n  tf.enable_eager_execution()\nexcept AttributeError:\n  pass",
    TF + "if tf.__version__ > '2':\n  tf = tf.compat.v1\ntf.Session()",
    TF + "is_v2 = tf.__version__ > '2'\nif is_v2: pass\nelse: tf.Session()",
    TF + "log = tf.log if hasattr(tf, 'log') else tf.math.log",
    TF + "hasattr(tf, 'enable_eager_execution') and tf.enable_eager_execution()",
    "try:\n  import tensorflow.compat.v1 as tf\nexcept ImportError:\n  import tensorflow as tf\ntf.Session()",
    # names that early releases of TensorFlow 2 had too
    TF + "tf.losses.mean_squared_error(a, b)",
]


@pytest.mark.parametrize("text", VERSION_1)
def test_version_1(text: str):
    assert detect.tensorflow1(text.encode()) == Evidence(*VERSION_1[text])


@pytest.mark.parametrize("text", VERSION_2)
def test_version_2(text: str):
    assert detect.tensorflow1(text.encode()) is None


@pytest.mark.parametrize(
    "source", [b"tensorflow = = 1", b"tensorflow\0", b"# coding: none\ntensorflow", b"\xff tensorflow"]
)
def test_what_cannot_be_parsed_is_not_judged(source: bytes):
    assert detect.tensorflow1(source) is None


def test_detection_says_so_once_and_only_for_version_1(launcher):
    done = launcher.program("import tensorflow as tf\ntf.enable_eager_execution()\nprint(tf.__name__)")
    assert done.stdout == "gradtape.compat.v1\n"
    assert done.stderr == (
        "gradtape: a TensorFlow 1 program (line 2: tf.enable_eager_execution), "
        "so tensorflow means gradtape.compat.v1; --api v2 overrides\n"
    )


def test_the_choice_can_be_made(launcher):
    launcher.write(
        "program.py", "import tensorflow as tf\nprint(tf.__name__, hasattr(tf, 'enable_eager_execution'))"
    )
    assert launcher.run("--api", "v1", "program.py").stdout == "gradtape.compat.v1 True\n"
    assert launcher.run("--api", "v2", "program.py").stdout == "gradtape False\n"
    assert launcher.run("--api", "v1", "program.py").stderr == ""
