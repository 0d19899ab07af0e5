"""Layers that prepare data, in expressions of ``tf``: the same program for Keras and for this library."""

from __future__ import annotations

from typing import Any

import numpy as np

IMAGES = (np.sin(np.arange(2 * 5 * 6 * 2)) * 100 + 120).reshape(2, 5, 6, 2).astype("float32")
COLOURED = (np.sin(np.arange(3 * 2 * 3 * 3)) * 0.4 + 0.5).reshape(3, 2, 3, 3).astype("float32")
ROWS = np.sin(np.arange(24.0)).reshape(4, 3, 2).astype("float32")
MANY = (np.sin(np.arange(300.0)) * 3).astype("float32")
TEXTS = ["The cat. sat", "the dog! sat here", "a b"]
OTHERS = [["the dog ate"], ["x"]]

# Each layer is called three times: on a batch twice, and on one image. The numbers of one seed are Keras's.
RANDOM = [
    "RandomFlip(seed=3)",
    "RandomFlip('horizontal', seed=4)",
    "RandomFlip('vertical', seed=5)",
    "RandomRotation(0.2, seed=3)",
    "RandomRotation((-0.3, 0.4), fill_mode='constant', fill_value=7.0, seed=3)",
    "RandomRotation(0.4, fill_mode='wrap', seed=3)",
    "RandomRotation(0.4, fill_mode='nearest', interpolation='nearest', seed=3)",
    "RandomTranslation(0.3, 0.2, seed=3)",
    "RandomTranslation((0.3, 0.9), (-0.8, 0.2), seed=3, fill_mode='wrap')",
    "RandomTranslation(0.3, 0.2, seed=3, fill_mode='constant')",
    "RandomZoom(0.3, seed=2)",
    "RandomZoom((-0.3, -0.2), (0.1, 0.2), seed=2, fill_mode='constant')",
    "RandomContrast((0.5, 0.2), seed=3)",
    "RandomBrightness(0.3, seed=3)",
    "RandomBrightness((0.1, 0.5), value_range=(0, 1), seed=3)",
    "RandomCrop(3, 4, seed=3)",
]

# Likewise, on images of three channels.
COLOURS = [
    "RandomHue(0.6, value_range=(0, 1), seed=3)",
    "RandomHue((0.2, 0.9), value_range=(0, 1), seed=5)",
    "RandomSaturation((0.1, 0.8), value_range=(0, 1), seed=3)",
    "RandomColorDegeneration((0.1, 0.7), seed=3)",
    "RandomInvert(0.7, value_range=(0, 1), seed=3)",
    "RandomInvert((0.3, 0.9), value_range=(0, 1), seed=4)",
    "RandomGrayscale(0.6, seed=3)",
    "RandomColorJitter((0, 1), 0.1, (0.0, 0.3), (0.3, 0.6), 0.5, seed=3)",
]

# A layer, what it adapts to (None: nothing), and what it is called on.
ADAPTED = [
    ("TextVectorization()", TEXTS, OTHERS),
    ("TextVectorization(output_mode='multi_hot')", TEXTS, OTHERS),
    ("TextVectorization(5, output_mode='count')", TEXTS, TEXTS),
    ("TextVectorization(output_mode='tf_idf')", TEXTS, OTHERS),
    ("TextVectorization(20, output_mode='tf_idf', pad_to_max_tokens=True)", TEXTS, TEXTS),
    ("TextVectorization(ngrams=2)", TEXTS, TEXTS),
    ("TextVectorization(standardize='lower', ngrams=(2,), output_mode='count')", TEXTS, TEXTS),
    ("TextVectorization(split='character', output_sequence_length=5)", TEXTS, OTHERS),
    ("TextVectorization(split=None)", TEXTS, OTHERS),
    ("TextVectorization(vocabulary=['a', 'b'], output_sequence_length=3)", None, ["a b", "c a b a"]),
    ("StringLookup(vocabulary=['a', 'b', 'c'])", None, [["a", "x"], ["", "b"]]),
    ("StringLookup(num_oov_indices=3, vocabulary=['a', 'b', 'c'])", None, [["a", "x"], ["", "b"]]),
    ("StringLookup(num_oov_indices=3, vocabulary=['a', 'b', 'c'], salt=7)", None, [["a", "x"], ["", "b"]]),
    ("StringLookup(mask_token='', vocabulary=['a', 'b'], output_mode='multi_hot')", None, [["a", "x"], ["", "b"]]),
    ("StringLookup(vocabulary=['a', 'b', 'c'], output_mode='one_hot')", None, ["a", "zz", "b"]),
    ("StringLookup(vocabulary=['a', 'b'], output_mode='count')", None, ["a", "zz", "b"]),
    ("StringLookup(vocabulary=['a', 'b'], idf_weights=[0.3, 0.5], output_mode='tf_idf')", None, [["a", "x"]]),
    ("StringLookup(vocabulary=['a', 'b'], invert=True, mask_token='')", None, [0, 1, 2, 3, 9]),
    ("IntegerLookup(max_tokens=4, mask_token=0)", [1, 1, 2, 3, 3, 3, 0, 4], [0, 1, 2, 3, 4]),
    ("IntegerLookup(vocabulary=[5, 6], num_oov_indices=2)", None, [5, 6, 7, 8]),
    ("IntegerLookup(vocabulary=[5, 6], invert=True)", None, [0, 1, 2, 7]),
    *((f"CategoryEncoding(4, {mode!r})", None, [[3, 2], [1, 1]]) for mode in ("one_hot", "multi_hot", "count")),
    ("CategoryEncoding(4, 'count')", None, [3, 2, 0, 1]),
    ("CategoryEncoding(4, 'one_hot')", None, [[3], [2]]),
    ("CategoryEncoding(2, 'multi_hot')", None, [[[0, 1], [0, 0]]]),
    ("Hashing(5)", None, [["A"], ["B"], [""]]),
    ("Hashing(5, salt=(133, 137))", None, [["A"], ["B"], [""]]),
    ("Hashing(5, mask_value='')", None, [["A"], ["B"], [""]]),
    ("Hashing(5, output_mode='multi_hot')", None, [["A", "C"], ["B", "B"]]),
    ("Hashing(5)", None, [1, 2, 3]),
    ("Discretization([0.0, 1.0, 2.0])", None, [[-1.5, 0.0, 3.4, 0.5]]),
    ("Discretization([0.0, 1.0, 2.0], output_mode='one_hot')", None, [-1.5, 0.0, 3.4, 0.5]),
    ("Discretization(num_bins=4)", MANY, MANY[:9]),
    ("Discretization(num_bins=4, epsilon=0.1)", MANY, MANY[:9]),
    ("Normalization()", ROWS, ROWS),
    ("Normalization(axis=None)", ROWS, ROWS),
    ("Normalization(axis=(1, 2))", ROWS, ROWS),
    ("Normalization(axis=1, invert=True)", ROWS, ROWS),
]  # fmt: skip


def plain(x: Any) -> dict[str, Any]:
    """An array as its dtype and its numbers or strings."""
    x = np.asarray(x)
    values = [v.decode() if isinstance(v, bytes) else v for v in x.ravel().tolist()]
    return {
        "dtype": "string" if x.dtype.kind == "O" else x.dtype.name,
        "shape": list(x.shape),
        "values": [float(f"{v:.7g}") if isinstance(v, float) else v for v in values],
    }


def run(tf: Any) -> list[Any]:
    """What all of them give."""
    scope = {"L": tf.keras.layers}
    answers = []
    for text in (*RANDOM, *COLOURS):
        images = IMAGES if text in RANDOM else COLOURED
        layer = eval(f"L.{text}", scope)
        answers.append([plain(layer(x)) for x in (images, images, images[0])])
    for text, data, inputs in ADAPTED:
        layer = eval(f"L.{text}", scope)
        if data is not None:
            layer.adapt(data)
        found = [plain(layer(np.array(inputs) if isinstance(inputs[0], int) else inputs))]
        if hasattr(layer, "get_vocabulary"):
            found.append([str(token) for token in layer.get_vocabulary()])
        answers.append(found)
    return answers
