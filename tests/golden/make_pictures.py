"""Writes pictures.json: files of a small image by TensorFlow 2.21, and the pixels that it reads in them.

Run it with a Python that has TensorFlow: `python tests/golden/make_pictures.py`. Files are in base64.
"""

from __future__ import annotations

import base64
import json
import pathlib

import numpy as np

PATH = pathlib.Path(__file__).with_suffix("").with_name("pictures.json")
RAMP = np.arange(48).reshape(4, 4, 3).astype(np.uint8) * 5

if __name__ == "__main__":
    import tensorflow as tf

    jpeg, png = tf.io.encode_jpeg(RAMP).numpy(), tf.io.encode_png(RAMP).numpy()
    pixels = tf.io.decode_jpeg(jpeg, dct_method="INTEGER_ACCURATE").numpy().tolist()
    files = {"jpeg": base64.b64encode(jpeg).decode(), "png": base64.b64encode(png).decode()}
    PATH.write_text(json.dumps({**files, "pixels": pixels}) + "\n", encoding="utf-8")
