"""Recurrent layers against Keras 3's stored answers, in eager mode, in functions and in graphs; and against themselves."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

import gradtape as tf

GOLDEN = Path(__file__).parents[1] / "golden"
_SPEC = importlib.util.spec_from_file_location("make_keras_recurrent", GOLDEN / "make_keras_recurrent.py")
golden = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(golden)
ROWS = json.loads(golden.PATH.read_text(encoding="utf-8"))

L = tf.keras.layers
v1 = tf.compat.v1


@pytest.mark.parametrize("wrap", [lambda f: f, tf.function], ids=["eager", "function"])
@pytest.mark.parametrize("row", ROWS, ids=[f"{row['layer']}-{row['call']}" for row in ROWS])
def test_as_keras(row, wrap):
    found = golden.run(tf, row["layer"], row["call"], wrap)
    for what in ("outputs", "gradients", "trained"):
        assert len(found[what]) == len(row[what]), what
        for one, other in zip(found[what], row[what], strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-5, atol=2e-6, err_msg=what)
