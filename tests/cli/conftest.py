"""Runs programs in processes of their own, with `gradtape run` and with plain Python."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import gradtape

# Where this very gradtape comes from: a child has another working directory, and perhaps no installation.
SOURCE = str(Path(gradtape.__file__).resolve().parents[1])


class Launcher:
    """Writes programs into `folder` and runs them there."""

    def __init__(self, folder: Path):
        self.folder = folder

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def process(self, *command: str, stdin: str = "", **env: str) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join(filter(None, [env.pop("PYTHONPATH", ""), SOURCE]))
        return subprocess.run(
            [sys.executable, *command],
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=self.folder,
            timeout=60,
            env={**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8", **env},
        )

    def run(self, *words: str, **options: str) -> subprocess.CompletedProcess[str]:
        """`gradtape run words...`"""
        return self.process("-m", "gradtape", "run", *words, **options)

    def program(self, text: str | bytes, *args: str, **options: str) -> subprocess.CompletedProcess[str]:
        """`gradtape run` on a program given as text."""
        return self.run(str(self.write("program.py", text)), *args, **options)


@pytest.fixture
def launcher(tmp_path: Path) -> Launcher:
    return Launcher(tmp_path)
