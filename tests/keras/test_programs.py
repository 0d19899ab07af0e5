"""What small programs see, against Keras's stored answers."""

from __future__ import annotations

import json

import numpy as np
import pytest
from stored import script

import gradtape as tf

SCRIPTS = [script("make_keras_programs"), script("make_keras_training")]
STORED = {}
for golden in SCRIPTS:
    STORED |= json.loads(golden.PATH.read_text(encoding="utf-8"))
PROGRAMS = [program for golden in SCRIPTS for program in golden.PROGRAMS]


def same(found, stored):
    found = list(found) if isinstance(found, tuple) else found
    assert type(found) is type(stored) or not isinstance(stored, (dict, list, str))
    if isinstance(stored, dict):
        assert list(found) == list(stored)
        for key in stored:
            same(found[key], stored[key])
    elif isinstance(stored, list):
        assert len(found) == len(stored), (found, stored)
        for one, other in zip(found, stored, strict=True):
            same(one, other)
    elif isinstance(stored, float):
        np.testing.assert_allclose(found, stored, rtol=1e-5, atol=1e-5)
    else:
        assert found == stored


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_as_keras(program):
    same(program(tf), STORED[program.__name__])
