"""Makes summary.json: what TensorFlow's summary operations of version 1 give, as the text of their messages.

python tests/golden/make_summary.py   # with TensorFlow 2.21
"""

from __future__ import annotations

import json
from pathlib import Path

INPUTS = {
    "few": [1.0, 2.0, -0.5],
    "none": [],
    "wide": [-1e30, -3.0, 0.0, 1e-13, 1e-12, 0.1, 0.1, 5.0, 1e21],
}
PICTURES = {
    "positive": [[[[0.0], [0.5]], [[1.0], [2.0]]]],
    "negative": [[[[-4.0], [0.0]], [[1.0], [2.0]]]],
    "bad": [[[[0.0, 0.0, 1.0], [float("nan"), 0.0, 0.5]]]],
    "zero": [[[[0.0], [0.0]]]],
}


def answers(tf) -> dict:
    t1 = tf.compat.v1
    found = {}
    with tf.Graph().as_default(), t1.Session() as session:
        for name, values in INPUTS.items():
            x = tf.constant(values, tf.float32)
            raw = session.run(t1.summary.histogram(f"histogram {name}", x))
            found[f"histogram {name}"] = str(t1.Summary.FromString(raw))
        with tf.name_scope("scope"):
            raw = session.run(t1.summary.scalar("a b", tf.constant(2.5), family="family"))
            found["scalar"] = str(t1.Summary.FromString(raw))
        raw = session.run(t1.summary.text("text", tf.constant([["a", "b"]])))
        found["text"] = str(t1.Summary.FromString(raw))
        for name, values in PICTURES.items():
            raw = session.run(t1.summary.image(f"image_{name}", tf.constant(values), max_outputs=1))
            found[f"image {name}"] = [
                [
                    v.tag,
                    v.image.height,
                    v.image.width,
                    v.image.colorspace,
                    decoded(v.image.encoded_image_string),
                ]
                for v in t1.Summary.FromString(raw).value
            ]
    return found


def decoded(png: bytes) -> list[int]:
    """The bytes of a picture whose lines have no filter, or the filter `sub` or `up`."""
    import struct
    import zlib

    at, body, width, height, channels = 8, b"", 0, 0, 0
    while at < len(png):
        (size,) = struct.unpack(">I", png[at : at + 4])
        kind, data = png[at + 4 : at + 8], png[at + 8 : at + 8 + size]
        assert zlib.crc32(kind + data) == struct.unpack(">I", png[at + 8 + size : at + 12 + size])[0]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", data[:10])
            assert depth == 8
            channels = {0: 1, 2: 3, 4: 2, 6: 4}[color]
        body += data if kind == b"IDAT" else b""
        at += 12 + size
    raw, out, above = zlib.decompress(body), [], [0] * width * channels
    for y in range(height):
        start = y * (1 + width * channels)
        kind, line = raw[start], list(raw[start + 1 : start + 1 + width * channels])
        assert kind in (0, 1, 2)
        for i in range(len(line)):
            before = line[i - channels] if kind == 1 and i >= channels else above[i] if kind == 2 else 0
            line[i] = (line[i] + before) % 256
        out += line
        above = line
    return out


if __name__ == "__main__":
    import tensorflow

    path = Path(__file__).parent / "summary.json"
    path.write_text(json.dumps(answers(tensorflow), indent=1) + "\n", encoding="utf-8")
