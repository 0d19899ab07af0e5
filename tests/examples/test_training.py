"""The programs of examples/training learn what they say they learn.

Their last lines are claims, ``what: number``. The numbers are not compared to the digit: other machines round
otherwise. Each runs in one thread of linear algebra: tests run side by side, and several threads each would wait for
one another.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import gradtape

FOLDER = Path(__file__).parents[2] / "examples" / "training"
SOURCE = str(Path(gradtape.__file__).resolve().parents[1])  # a child has another working directory


def claims_of(program: str, folder: Path) -> dict[str, float]:
    """Runs a program with `gradtape run`; gives the numbers that it prints, the last ones of each name."""
    path = os.pathsep.join(filter(None, [SOURCE, os.environ.get("PYTHONPATH", "")]))
    done = subprocess.run(
        [sys.executable, "-m", "gradtape", "run", str(FOLDER / f"{program}.py")],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=folder,
        timeout=300,
        env={**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8", "OPENBLAS_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    found = re.findall(r"^([^:\n]+): ([-+.\de]+)$", done.stdout, re.MULTILINE)
    return {name: float(number) for name, number in found}


@pytest.fixture
def claims(request, tmp_path: Path) -> dict[str, float]:
    return claims_of(request.function.__name__.removeprefix("test_"), tmp_path)


def test_jacobians(claims):
    assert claims["difference from a gradient"] < 1e-6
    assert claims["derivative by the future"] == 0
    assert claims["entries in a row"] == 5
    assert claims["difference from two tapes"] < 1e-5


@pytest.mark.slow
def test_digits_mlp(claims):
    assert claims["test accuracy"] > 0.97


@pytest.mark.slow
def test_digits_cnn(claims):
    assert claims["test accuracy"] > 0.97


@pytest.mark.slow
def test_fgsm(claims):
    assert claims["test accuracy"] > 0.97  # of the classifier that it attacks
    assert claims["accuracy at random"] > 0.9
    assert claims["accuracy under attack"] < 0.3


@pytest.mark.slow
def test_text_gru(claims):
    assert claims["loss"] < 0.1
    assert claims["share of words that are the poem's"] > 0.9


@pytest.mark.slow
def test_vae(claims):
    assert claims["with codes"] < claims["without codes"] - 2


@pytest.mark.slow
def test_dcgan(claims):
    assert claims["distance after"] < 0.5 * claims["distance before"]


@pytest.mark.slow
def test_heat_equation(claims):
    assert claims["largest residual"] < 0.2
    assert claims["largest error"] < 0.01


@pytest.mark.slow
def test_actor_critic(claims):
    assert claims["share of poles that stand for 10 seconds"] > 0.9


def test_every_program_is_tested():
    tested = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}
    assert {path.stem for path in FOLDER.glob("*.py")} == tested - {"every_program_is_tested"}
