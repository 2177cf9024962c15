"""tf.image: how much images differ, and how much they change from pixel to pixel."""

from __future__ import annotations

import math

from ..core import dtypes, errors
from ..core.op_defs import op
from ..core.scopes import in_scope, scope_in_graphs
from . import array_ops, image_colour_ops
from .array_ops import convert_to_tensor


# ---- changes from pixel to pixel


@in_scope("total_variation", names_last=False)
def total_variation(images, name=None):
    """The sum of the absolute differences of neighbours: a scalar of an image, [batch] of a batch."""
    images = convert_to_tensor(images)
    rank = images.shape.rank
    if rank not in (3, 4):
        raise ValueError("'images' must be either 3 or 4-dimensional.")
    axes = [0, 1, 2] if rank == 3 else [1, 2, 3]
    down = images[..., 1:, :, :] - images[..., :-1, :, :]
    right = images[..., 1:, :] - images[..., :-1, :]
    return op("Sum")(op("Abs")(down), axes) + op("Sum")(op("Abs")(right), axes)


def image_gradients(image):
    """(dy, dx) of images [batch, height, width, channels]: the differences to the next row and column, 0 for the last."""
    image = convert_to_tensor(image)
    if image.shape.rank != 4:
        raise ValueError(f"image_gradients expects a 4D tensor [batch_size, h, w, d], not {image.shape}.")
    dy, dx = image[:, 1:] - image[:, :-1], image[:, :, 1:] - image[:, :, :-1]
    dy = op("Pad")(dy, [[0, 0], [0, 1], [0, 0], [0, 0]], name="Reshape")  # as programs fetch it
    return dy, op("Pad")(dx, [[0, 0], [0, 0], [0, 1], [0, 0]], name="Reshape")


def sobel_edges(image):
    """[batch, height, width, channels, 2]: Sobel's dy and dx of images."""
    image = convert_to_tensor(image)
    rows = [[-1.0, -2.0, -1.0], [0.0, 0.0, 0.0], [1.0, 2.0, 1.0]]
    kernels = [[[down, right] for down, right in zip(*pair)] for pair in zip(rows, zip(*rows))]  # [3, 3, 2]
    kernels = convert_to_tensor([[[pair] for pair in row] for row in kernels], image.dtype)
    repeats = [1, 1, _channels(image), 1]
    repeats = repeats if isinstance(repeats[2], int) else array_ops.stack(repeats)
    kernels = op("Tile")(kernels, repeats, name="sobel_filters")
    padded = op("MirrorPad")(image, [[0, 0], [1, 1], [1, 1], [0, 0]], mode="REFLECT")
    edges = op("DepthwiseConv2dNative")(padded, kernels, strides=[1, 1, 1, 1], padding="VALID", name="depthwise")
    made = array_ops.reshape(edges, array_ops.concat([array_ops.shape(image), [2]], 0))
    made.set_shape(image.shape.concatenate([2]))
    return made


def _channels(image):
    n = None if image.shape.rank is None else image.shape[-1]
    return array_ops.shape(image)[-1] if n is None else n


# ---- differences of images


def _as_floats(max_val, *images):
    """float32 images, and the largest number of their type as they have it."""
    images = [convert_to_tensor(i) for i in images]
    have = images[0].dtype
    limit = image_colour_ops.convert_image_dtype(array_ops.cast(max_val, have), dtypes.float32)
    return limit, [image_colour_ops.convert_image_dtype(i, dtypes.float32) for i in images]


def _check_pair(a, b):
    """ValueError when the shapes of the images cannot be the same."""
    for x in (a, b):
        if x.shape.rank is not None and x.shape.rank < 3:
            raise ValueError(f"Shape {x.shape} must have rank at least 3")
    if a.shape.rank is not None and b.shape.rank is not None and not a.shape[-3:].is_compatible_with(b.shape[-3:]):
        raise ValueError(f"Shapes {a.shape} and {b.shape} are incompatible")


@in_scope("PSNR", names_last=False)
def psnr(a, b, max_val, name=None):
    """The peak signal-to-noise ratios, in dB, of pairs of images: a float for each."""
    limit, (a, b) = _as_floats(max_val, a, b)
    _check_pair(a, b)
    error = op("Mean")(op("SquaredDifference")(a, b), [-3, -2, -1])
    peak = 20.0 * op("Log")(limit) / op("Log")(10.0)
    return array_ops.identity(op("Sub")(peak, 10.0 / math.log(10.0) * op("Log")(error), name="psnr"))


def _gaussian(size, sigma):
    """[size, size, 1, 1]: a window of the sum 1."""
    x = array_ops.cast(op("Range")(0, size, 1), "float32") - (size - 1) / 2.0
    g = op("Square")(x) * (-0.5 / sigma**2)
    flat = op("Softmax")(array_ops.reshape(array_ops.expand_dims(g, 0) + array_ops.expand_dims(g, 1), [1, -1]))
    return array_ops.reshape(flat, [size, size, 1, 1])


def _ssim_parts(x, y, limit, filter_size, filter_sigma, k1, k2):
    """(similarity, its part without luminance), a map of each channel [..., height, width, channels]."""
    kernel = _gaussian(filter_size, filter_sigma)
    kernel = op("Tile")(kernel, array_ops.stack([1, 1, _channels(x), 1]))

    def smooth(z):
        shape = array_ops.shape(z)
        flat = array_ops.reshape(z, array_ops.concat([[-1], shape[-3:]], 0))
        made = op("DepthwiseConv2dNative")(flat, kernel, strides=[1, 1, 1, 1], padding="VALID")
        return array_ops.reshape(made, array_ops.concat([shape[:-3], array_ops.shape(made)[1:]], 0))

    c1, c2 = (k1 * limit) ** 2, (k2 * limit) ** 2
    mean_x, mean_y = smooth(x), smooth(y)
    product, squares = mean_x * mean_y * 2.0, op("Square")(mean_x) + op("Square")(mean_y)
    luminance = (product + c1) / (squares + c1)
    covariance = smooth(x * y) * 2.0 - product
    variances = smooth(op("Square")(x) + op("Square")(y)) - squares
    structure = (covariance + c2) / (variances + c2)
    return luminance * structure, structure


def _check_filter(x, filter_size):
    for n in x.shape[-3:-1].as_list() if x.shape.rank is not None else ():
        if n is not None and n < filter_size:
            message = f"The images, of shape {x.shape}, are smaller than the filter of size {filter_size}"
            raise errors.InvalidArgumentError(None, None, message)


def ssim(img1, img2, max_val, filter_size=11, filter_sigma=1.5, k1=0.01, k2=0.03, return_index_map=False):
    """The structural similarity of pairs of images, at most 1: a float for each, or with return_index_map for each pixel.

    After Wang et al., Image quality assessment: from error visibility to structural similarity, 2004.
    """
    with scope_in_graphs(None, "SSIM"):
        limit, (x, y) = _as_floats(max_val, img1, img2)
        _check_pair(x, y)
        _check_filter(x, filter_size)
        whole, _ = _ssim_parts(x, y, limit, filter_size, filter_sigma, k1, k2)
        return op("Mean")(whole, [-1] if return_index_map else [-3, -2, -1], name="Mean_2")  # as programs fetch it


_SCALES = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)  # Wang et al., Multi-scale structural similarity, 2003


def ssim_multiscale(img1, img2, max_val, power_factors=_SCALES, filter_size=11, filter_sigma=1.5, k1=0.01, k2=0.03):
    """The product of powers of the structural similarities at scales, each half of the one before: a float a pair."""
    with scope_in_graphs(None, "MS-SSIM"):
        return _ssim_of_scales(img1, img2, max_val, power_factors, filter_size, filter_sigma, k1, k2)


def _ssim_of_scales(img1, img2, max_val, power_factors, filter_size, filter_sigma, k1, k2):
    limit, (x, y) = _as_floats(max_val, img1, img2)
    _check_pair(x, y)
    parts = []
    for k in range(len(power_factors)):
        if k:
            x, y = _halved(x), _halved(y)
        _check_filter(x, filter_size)
        whole, structure = _ssim_parts(x, y, limit, filter_size, filter_sigma, k1, k2)
        chosen = whole if k == len(power_factors) - 1 else structure
        parts.append(op("Relu")(op("Mean")(chosen, [-3, -2], name="scale")))
    powers = op("Pow")(array_ops.stack(parts, -1), convert_to_tensor(list(power_factors), dtypes.float32))
    return op("Mean")(op("Prod")(powers, [-1]), [-1])


def _halved(x):
    """Means of 2 x 2 pixels; the last of an odd number of rows or columns is there twice."""
    shape = array_ops.shape(x)
    flat = array_ops.reshape(x, array_ops.concat([[-1], shape[-3:]], 0))
    odd = shape[-3:-1] % 2
    paddings = array_ops.stack([0, odd[0], odd[1], 0])
    padded = op("MirrorPad")(flat, array_ops.stack([array_ops.zeros_like(paddings), paddings], 1), mode="SYMMETRIC")
    made = op("AvgPool")(padded, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="VALID")
    return array_ops.reshape(made, array_ops.concat([shape[:-3], array_ops.shape(made)[1:]], 0))
