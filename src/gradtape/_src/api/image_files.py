"""Files of images as tensors and back: JPEG, PNG, GIF and BMP, by Pillow, which ``gradtape[images]`` installs."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np

from gradtape._src.api.image_colour import convert_image_dtype
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, string, uint8, uint16
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.values import shape_of

_MODES = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}
_CHANNELS = {
    "1": 1,
    "L": 1,
    "I;16": 1,
    "I": 1,
    "LA": 2,
    "P": 3,
    "RGB": 3,
    "CMYK": 3,
    "YCbCr": 3,
    "RGBA": 4,
    "PA": 4,
}


def _pillow() -> Any:
    try:
        # start-up cost: a library for programs that read files of images only
        from PIL import Image
    except ImportError:
        raise ImportError("Files of images are read by Pillow: pip install gradtape[images].") from None
    return Image


def _opened(contents: Any, kinds: tuple[str, ...] | None) -> Any:
    text: Any = np.asarray(contents)[()]
    try:
        image = _pillow().open(BytesIO(text), formats=kinds)
        image.load()
        return image
    except ImportError:
        raise
    except Exception as error:  # Pillow has many ways to say that it cannot read something
        expected = "JPEG, PNG, GIF, BMP" if kinds is None else ", ".join(kinds)
        raise InvalidArgumentError.of(
            f"Unknown image file format, or a damaged file: expected {expected}. {error}"
        ) from None


def _pixels(image: Any, channels: int, dtype: np.dtype) -> np.ndarray:
    """The pixels of an image, of shape (height, width, channels)."""
    if image.mode.startswith("I"):  # 16 bits
        wide = np.asarray(image).astype(np.uint16)[:, :, None]
        wide = np.repeat(wide, channels or 1, -1)
        return wide if dtype == np.uint16 else (wide >> 8).astype(dtype)
    found = channels or _CHANNELS.get(image.mode, 3)
    if image.mode == "P" and not channels and "transparency" in image.info:
        found = 4
    pixels = np.asarray(image.convert(_MODES[found]))
    pixels = pixels if pixels.ndim == 3 else pixels[:, :, None]
    return pixels.astype(dtype) * np.uint16(257) if dtype == np.uint16 else pixels


def _decoded(contents: Any, *, kinds: Any, channels: int, dtype: np.dtype, frames: bool) -> np.ndarray:
    image = _opened(contents, kinds)
    if image.format != "GIF":
        return _pixels(image, channels, dtype)
    pictures = []
    for i in range(getattr(image, "n_frames", 1)):
        image.seek(i)
        pictures.append(_pixels(image, channels or 3, dtype))
    return np.stack(pictures) if frames else pictures[0]


_decode = Op(
    "DecodeImage",
    _decoded,
    shape=lambda x, *, kinds, channels, dtype, frames: (
        None if frames and kinds != ("GIF",) else (*((None,) if frames else ()), None, None, channels or None)
    ),
    dtype=lambda x, *, kinds, channels, dtype, frames: dtype,
    accepts="string",
)


def _read(contents: Any, kinds: Any, channels: Any, dtype: Any, frames: bool, name: Any, allowed: Any) -> Any:
    channels = int(channels or 0)
    if channels not in allowed:
        raise ValueError(f"channels must be one of {', '.join(map(str, allowed))}, received {channels}.")
    contents = as_tensor(contents, string)
    if shape_of(contents) not in ((), None):
        raise ValueError(f"contents must be one string, received shape {shape_of(contents)}; use tf.map_fn.")
    return _decode.of(
        contents, kinds=kinds, channels=channels, dtype=as_dtype(dtype).np, frames=frames, name=name
    )


# --- Read ----------------------------------------------------------------------------------------------------


def decode_jpeg(
    contents,
    channels=0,
    ratio=1,
    fancy_upscaling=True,
    try_recover_truncated=False,
    acceptable_fraction=1,
    dct_method="",
    name=None,
) -> Any:
    """The pixels of a JPEG file (or of a PNG, GIF or BMP file), of shape (height, width, channels), as bytes.

    Args:
      contents: the file, a string; see `tf.io.read_file`.
      channels: 1 for grey, 3 for colours, 0 for those of the file.
      ratio: of each so many rows and columns one: 1, 2, 4 or 8.
      fancy_upscaling, try_recover_truncated, acceptable_fraction, dct_method: without effect.

    Raises:
      InvalidArgumentError: it is no such file.
      ImportError: Pillow is not installed.

    The pixels are those of TensorFlow's ``dct_method="INTEGER_ACCURATE"``.
    """
    if ratio not in (1, 2, 4, 8):
        raise InvalidArgumentError.of(f"ratio must be 1, 2, 4, or 8, got {ratio}")
    found = _read(contents, None, channels, uint8, False, name, (0, 1, 3))
    return found if ratio == 1 else found[ratio // 2 :: ratio, ratio // 2 :: ratio]


def decode_png(contents, channels=0, dtype=uint8, name=None) -> Any:
    """The pixels of a PNG file (or of a JPEG, GIF or BMP file), of shape (height, width, channels).

    Args:
      contents: the file, a string.
      channels: 1 for grey, 2 for grey and opacity, 3 for colours, 4 for colours and opacity, 0 for those of the file.
      dtype: uint8 or uint16.

    Raises:
      InvalidArgumentError: it is no such file.
      ImportError: Pillow is not installed.
    """
    if as_dtype(dtype) not in (uint8, uint16):
        raise TypeError(f"dtype must be tf.uint8 or tf.uint16, received {as_dtype(dtype)!r}.")
    return _read(contents, None, channels, dtype, False, name, (0, 1, 2, 3, 4))


def decode_gif(contents, name=None) -> Any:
    """The pictures of a GIF file, of shape (pictures, height, width, 3), as bytes."""
    return _read(contents, ("GIF",), 3, uint8, True, name, (3,))


def decode_bmp(contents, channels=0, name=None) -> Any:
    """The pixels of a BMP file, of shape (height, width, channels), as bytes."""
    return _read(contents, ("BMP",), channels, uint8, False, name, (0, 1, 3, 4))


def decode_image(contents, channels=None, dtype=uint8, name=None, expand_animations=True) -> Any:
    """The pixels of a JPEG, PNG, GIF or BMP file.

    Args:
      contents: the file, a string.
      channels: see `tf.io.decode_png`.
      dtype: of the result; in floating point the range is from 0 to 1, see `tf.image.convert_image_dtype`.
      expand_animations: a GIF file gives all its pictures, of shape (pictures, height, width, 3), else the first.

    Raises:
      InvalidArgumentError: it is no such file.
      ImportError: Pillow is not installed.
    """
    wide = uint16 if as_dtype(dtype) is uint16 else uint8
    found = _read(contents, None, channels, wide, bool(expand_animations), name, (0, 1, 2, 3, 4))
    return convert_image_dtype(found, dtype)


def _jpeg_size(x: Any, *, dtype: np.dtype) -> np.ndarray:
    image = _opened(x, ("JPEG",))
    return np.array([image.height, image.width, _CHANNELS.get(image.mode, 3)], dtype)


_extract_jpeg_shape = Op(
    "ExtractJpegShape",
    _jpeg_size,
    shape=lambda x, *, dtype: (3,),
    dtype=lambda x, *, dtype: dtype,
    accepts="string",
)
_is_jpeg = Op(
    "IsJpeg",
    lambda x: np.asarray(np.asarray(x)[()][:3] == b"\xff\xd8\xff"),
    shape=lambda x: (),
    dtype=np.bool_,
    accepts="string",
)


def extract_jpeg_shape(contents, output_type="int32", name=None) -> Any:
    """Height, width and channels of a JPEG file."""
    return _extract_jpeg_shape.of(as_tensor(contents, string), dtype=as_dtype(output_type).np, name=name)


def is_jpeg(contents, name=None) -> Any:
    """Whether a string begins like a JPEG file.

    >>> import gradtape as tf
    >>> print(tf.io.is_jpeg("no picture").numpy())
    False
    """
    return _is_jpeg.of(as_tensor(contents, string), name=name)


# --- Written -------------------------------------------------------------------------------------------------


def _encoded(x: np.ndarray, *, kind: str, **options: Any) -> np.ndarray:
    if x.ndim != 3 or x.shape[2] not in _MODES or (kind == "JPEG" and x.shape[2] not in (1, 3)):
        allowed = "1 or 3" if kind == "JPEG" else "1, 2, 3 or 4"
        raise InvalidArgumentError.of(
            f"image must be of shape [height, width, channels] with {allowed} channels, received {list(x.shape)}"
        )
    if x.dtype == np.uint16:
        if x.shape[2] != 1:
            raise InvalidArgumentError.of("A PNG file of 16 bits is written with one channel; use tf.uint8.")
        image = _pillow().fromarray(np.ascontiguousarray(x[:, :, 0]))
    else:
        image = _pillow().fromarray(np.ascontiguousarray(x[:, :, 0] if x.shape[2] == 1 else x))
    file = BytesIO()
    image.save(file, kind, **options)
    return np.array(file.getvalue(), object)


def _encoder(name: str, accepts: str) -> Op:
    return Op(name, _encoded, shape=lambda x, **options: (), dtype=np.dtype(object), accepts=accepts)


_encode_jpeg = _encoder("EncodeJpeg", "uint8")
_encode_png = _encoder("EncodePng", "uint8 uint16")


def encode_jpeg(
    image,
    format="",
    quality=95,
    progressive=False,
    optimize_size=False,
    chroma_downsampling=True,
    density_unit="in",
    x_density=300,
    y_density=300,
    xmp_metadata="",
    name=None,
) -> Any:
    """The JPEG file of an image.

    Args:
      image: bytes of shape (height, width, 1) or (height, width, 3).
      format: "" (by the channels), "grayscale" or "rgb".
      quality: from 0 to 100.
      progressive, optimize_size, chroma_downsampling: as libjpeg has them.
      density_unit, x_density, y_density: dots for an inch ("in") or centimetre ("cm").
      xmp_metadata: without effect.

    Raises:
      InvalidArgumentError: another shape.
      ImportError: Pillow is not installed.
    """
    image = as_tensor(image)
    known = shape_of(image)
    wanted = {"": None, "grayscale": 1, "rgb": 3}.get(format, -1)
    if wanted == -1:
        raise ValueError(f"format must be '', 'grayscale' or 'rgb', received {format!r}.")
    if wanted and known is not None and known[-1] not in (wanted, None):
        raise InvalidArgumentError.of(f"format {format!r} expects {wanted} channels, got shape {list(known)}")
    factor = 2.54 if density_unit == "cm" else 1.0
    return _encode_jpeg.of(
        image,
        kind="JPEG",
        quality=int(quality),
        progressive=bool(progressive),
        optimize=bool(optimize_size),
        subsampling=2 if chroma_downsampling else 0,
        dpi=(int(x_density * factor), int(y_density * factor)),
        name=name,
    )


def encode_png(image, compression=-1, name=None) -> Any:
    """The PNG file of an image.

    Args:
      image: bytes of shape (height, width, channels) with 1 to 4 channels; or uint16 with one.
      compression: from 0 to 9; -1 for the usual one.

    Raises:
      InvalidArgumentError: another shape.
      ImportError: Pillow is not installed.
    """
    level = {} if compression < 0 else {"compress_level": int(compression)}
    return _encode_png.of(as_tensor(image), kind="PNG", name=name, **level)
