"""More functions of networks and linear algebra in `tf.keras.ops`: normalization, convolutions by channel, `scan`."""

from __future__ import annotations

from typing import Any

from gradtape._src.api import complex as complex_numbers
from gradtape._src.api import elementwise, nn_convolution, reordering, segment, solvers
from gradtape._src.api.arrays import expand_dims, reshape
from gradtape._src.api.casting import cast
from gradtape._src.control.scan import scan as scanned
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.nest import map_structure
from gradtape._src.core.values import shape_of
from gradtape._src.keras.operations import networks, numbers, shapes
from gradtape._src.keras.operations.promotion import as_float, promoted
from gradtape._src.keras.settings import image_data_format

# --- Normalization ------------------------------------------------------------------------------------------


def batch_normalization(x, mean, variance, axis, offset=None, scale=None, epsilon=1e-3):
    """``scale * (x - mean) / sqrt(variance + epsilon) + offset``, with vectors along ``axis``."""
    x = as_float(x)
    dims = [1] * len(shape_of(x))
    dims[axis] = -1
    along = lambda v: reshape(cast(v, x.dtype), dims)
    y = (x - along(mean)) * elementwise.rsqrt(along(variance) + epsilon)
    y = y if scale is None else y * along(scale)
    return y if offset is None else y + along(offset)


def layer_normalization(x, gamma=None, beta=None, axis=-1, epsilon=1e-5):
    """x with the mean 0 and the variance 1 along ``axis``, times gamma, plus beta."""
    x = as_float(x)
    mean, variance = numbers.mean(x, axis=axis, keepdims=True), numbers.var(x, axis=axis, keepdims=True)
    return _scaled((x - mean) * elementwise.rsqrt(variance + epsilon), gamma, beta)


def rms_normalization(x, scale=None, axis=-1, epsilon=None):
    """x divided by the root of its mean square along ``axis``, times scale."""
    x = as_float(x)
    square = numbers.mean(x * x, axis=axis, keepdims=True)
    return _scaled(x * elementwise.rsqrt(square + (1e-7 if epsilon is None else epsilon)), scale, None)


def _scaled(y: Any, scale: Any, offset: Any) -> Any:
    y = y if scale is None else y * cast(scale, y.dtype)
    return y if offset is None else y + cast(offset, y.dtype)


# --- Windows ------------------------------------------------------------------------------------------------


def _channels_last(x: Any, data_format: Any, back: bool = False) -> Any:
    if (data_format or image_data_format()) != "channels_first":
        return x
    return shapes.moveaxis(x, -1, 1) if back else shapes.moveaxis(x, 1, -1)


def depthwise_conv(inputs, kernel, strides=1, padding="valid", data_format=None, dilation_rate=1):
    """The convolution of each channel by itself; the kernel is (..., channels, multiplier)."""
    x, w = promoted(inputs, kernel)
    x = _channels_last(x, data_format)
    rank = len(shape_of(x)) - 2
    many = lambda n: [n] * rank if isinstance(n, int) else list(n)
    step, apart = many(strides), many(dilation_rate)
    if rank == 1:  # as an image of one row
        x, w = expand_dims(x, 1), expand_dims(w, 0)
        step, apart = step * 2, apart * 2
    y = nn_convolution.depthwise_conv2d(x, w, [1, *step, 1], padding.upper(), dilations=apart)
    return _channels_last(y[:, 0] if rank == 1 else y, data_format, back=True)


def separable_conv(
    inputs, depthwise_kernel, pointwise_kernel, strides=1, padding="valid", data_format=None, dilation_rate=1
):
    """`depthwise_conv`, and then a convolution with a window of one place."""
    x = depthwise_conv(inputs, depthwise_kernel, strides, padding, data_format, dilation_rate)
    return networks.conv(x, pointwise_kernel, data_format=data_format)


def depth_to_space(x, block_size, data_format=None):
    """The channels of each pixel as a block of pixels."""
    return _channels_last(
        reordering.depth_to_space(_channels_last(as_tensor(x), data_format), block_size),
        data_format,
        back=True,
    )


def space_to_depth(x, block_size, data_format=None):
    """Blocks of pixels as the channels of one."""
    return _channels_last(
        reordering.space_to_depth(_channels_last(as_tensor(x), data_format), block_size),
        data_format,
        back=True,
    )


def psnr(x1, x2, max_val):
    """The peak of a signal over its noise, in decibels."""
    a, b = promoted(x1, x2)
    difference = as_float(a) - as_float(b)
    return 20 * numbers.log10(as_float(max_val)) - 10 * numbers.log10(numbers.mean(difference * difference))


# --- Segments, sparse activations -----------------------------------------------------------------------------


def segment_min(data, segment_ids, num_segments=None, sorted=False):
    """The smallest elements of the rows of each segment."""
    return segment.unsorted_segment_min(data, segment_ids, networks.segments(segment_ids, num_segments))


def segment_prod(data, segment_ids, num_segments=None, sorted=False):
    """The products of the rows of each segment."""
    return segment.unsorted_segment_prod(data, segment_ids, networks.segments(segment_ids, num_segments))


def sparse_sigmoid(x):
    """0 below -1, 1 above 1, and (x + 1) / 2 between."""
    return numbers.clip((as_float(x) + 1.0) / 2.0, 0.0, 1.0)


def polar(abs_, angle):
    """The complex number of this absolute value and this angle."""
    size, turned = (as_float(x) for x in promoted(abs_, angle))
    return complex_numbers.complex(size * elementwise.cos(turned), size * elementwise.sin(turned))


def view_as_complex(x):
    """Pairs of numbers, in the last axis, as complex numbers."""
    x = as_float(x)
    return complex_numbers.complex(x[..., 0], x[..., 1])


def view_as_real(x):
    """Complex numbers as pairs of numbers, in a new last axis."""
    x = as_tensor(x)
    return shapes.stack([complex_numbers.real(x), complex_numbers.imag(x)], axis=-1)


# --- Linear algebra -----------------------------------------------------------------------------------------


def solve_triangular(a, b, lower=False):
    """x of the equation a x = b, where a is a triangular matrix."""
    a, b = (as_float(x) for x in promoted(a, b))
    vector = len(shape_of(b)) == len(shape_of(a)) - 1
    x = solvers.triangular_solve(a, expand_dims(b, -1) if vector else b, lower=lower)
    return x[..., 0] if vector else x


def lstsq(a, b, rcond=None):
    """The x for which a x is closest to b: the shortest one, if there are several."""
    a, b = (as_float(x) for x in promoted(a, b))
    vector = len(shape_of(b)) == 1
    x = networks.matmul(solvers.pinv(a, rcond), expand_dims(b, -1) if vector else b)
    return x[..., 0] if vector else x


def cholesky_inverse(x, upper=False):
    """The inverse of the matrix that has this Cholesky factor."""
    x = as_float(x)
    factor = shapes.swapaxes(x, -1, -2) if upper else x
    rows = shape_of(x)[-1]
    inverse = solvers.triangular_solve(factor, shapes.eye(rows, dtype=x.dtype))
    return networks.matmul(shapes.swapaxes(inverse, -1, -2), inverse)


# --- Control flow -------------------------------------------------------------------------------------------


def scan(f, init, xs=None, length=None, reverse=False, unroll=1):
    """``carry, y = f(carry, x)`` for each x along the first axis of ``xs``.

    Returns:
      The last carry, and all y along a first axis. Backwards, if ``reverse``. Without ``xs``, x is None and there are
      ``length`` steps.

    As Keras 3.
    """
    init = map_structure(as_tensor, init)
    steps = shapes.arange(length) if xs is None else map_structure(as_tensor, xs)
    first = None if xs is None else map_structure(lambda x: x[0], steps)
    made = f(init, first)[1]  # the form of y, which the loop needs before its first step
    start = (init, None if made is None else map_structure(lambda y: as_tensor(y) * 0, made))

    def step(state: Any, x: Any) -> Any:
        return tuple(f(state[0], None if xs is None else x))

    if made is None:
        start, step = (init,), lambda state, x: (f(state[0], None if xs is None else x)[0],)
    found = scanned(step, steps, start, reverse=reverse)
    last = 0 if reverse else -1
    return map_structure(lambda c: c[last], found[0]), None if made is None else found[1]
