"""Large arrays that are made and freed in turn cost no page faults, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import resource
import numpy as np
import gradtape

def faults():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(50):
        np.ones(500_000)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

faults()
print(faults())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="of glibc")
def test_freed_memory_is_used_again():
    """Without it these are about 50 times 1000 faults."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("MALLOC_")}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=env, capture_output=True, text=True, check=True
    )
    assert int(done.stdout) < 1000
