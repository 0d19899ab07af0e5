"""Pictures as PNG files, in the few lines that Python's zlib leaves to do: a library for pictures is 7 MB.

The format is that of ISO/IEC 15948: chunks of length, name, data and checksum.
"""

from __future__ import annotations

import struct
import zlib

import numpy as np

_COLOR_TYPES = {1: 0, 2: 4, 3: 2, 4: 6}  # by channels: grey, grey and alpha, colors, colors and alpha


def encode_png(image: np.ndarray) -> bytes:
    """The file of a picture of shape (height, width, channels), of bytes."""
    height, width, channels = image.shape
    if channels not in _COLOR_TYPES:
        raise ValueError(f"A picture has 1, 2, 3 or 4 channels, received shape {image.shape}.")
    lines = np.zeros(
        (height, 1 + width * channels), np.uint8
    )  # each begins with the number of its filter: none
    lines[:, 1:] = image.reshape(height, width * channels)
    header = struct.pack(">IIBBBBB", width, height, 8, _COLOR_TYPES[channels], 0, 0, 0)
    body = zlib.compress(lines.tobytes())
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", body) + _chunk(b"IEND", b"")


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
