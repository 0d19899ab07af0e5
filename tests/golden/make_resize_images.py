"""Makes resize_images.json: what TensorFlow's `tf.image.resize_images` of version 1 gives.

python tests/golden/make_resize_images.py   # with TensorFlow 2.21
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

X = (np.arange(24.0, dtype=np.float32).reshape(1, 3, 4, 2) ** 1.5).round(2)
SIZES = (5, 6), (2, 2), (1, 7)
CASES = [(size, method, corners) for size in SIZES for method in range(3) for corners in (False, True)]
CASES += [((5, 6), 3, False), ((2, 2), 3, False)]


def answers(tf) -> list:
    resize = tf.compat.v1.image.resize_images
    return [
        resize(tf.constant(X), size, method, align_corners=corners).numpy().round(4).tolist()
        for size, method, corners in CASES
    ]


if __name__ == "__main__":
    import tensorflow

    path = Path(__file__).parent / "resize_images.json"
    path.write_text(json.dumps(answers(tensorflow)) + "\n", encoding="utf-8")
