"""tf.image: types of pixels, colours and their adjustment.

What is computed of integers is computed in float32, in parts of the type's largest number, and converted back.
"""

from __future__ import annotations

from ..core import dtypes, scopes
from ..core.op_defs import op
from . import array_ops, image_codec_ops
from .array_ops import cast, convert_to_tensor
from .image_shape_ops import checked, image_at_least_3d


# ---- types


def convert_image_dtype(image, dtype, saturate=False, name=None):
    """Pixels in another type: a floating one has 0 to 1 for what an integer has from 0 to its largest number.

    saturate: what the other type has not is at its limits, else it overflows.
    """
    image, dtype = convert_to_tensor(image), dtypes.as_dtype(dtype)
    have = image.dtype
    for d in (have, dtype):
        if not (d.is_floating or d.is_integer):
            raise AttributeError("dtype must be either floating point or integer")
    if have == dtype:
        return array_ops.identity(image, name=name)
    with scopes.name_scope(name or "convert_image") as name:
        if have.is_integer and dtype.is_integer:
            return _between_integers(image, dtype, saturate, name)
        if have.is_floating and dtype.is_floating:
            return cast(image, dtype, name=name)
        if have.is_integer:
            return op("Mul")(cast(image, dtype), 1.0 / have.max, name=name)
        scaled = image * (dtype.max + 0.5)
        return (array_ops.saturate_cast if saturate else cast)(scaled, dtype, name=name)


def _between_integers(image, dtype, saturate, name):
    have = image.dtype
    to = array_ops.saturate_cast if saturate else cast
    if have.max > dtype.max:
        scale = (have.max + 1) // (dtype.max + 1)
        return to(op("FloorDiv")(image, convert_to_tensor(scale, have)), dtype, name=name)
    return op("Mul")(to(image, dtype), convert_to_tensor((dtype.max + 1) // (have.max + 1), dtype), name=name)


def _in_floats(image, change):
    """The change made to the image in a floating type, and converted back."""
    image = convert_to_tensor(image)
    have = image.dtype
    floats = (
        image if have in (dtypes.as_dtype("float16"), dtypes.float32) else convert_image_dtype(image, dtypes.float32)
    )
    return convert_image_dtype(change(floats), have, saturate=True)


# ---- adjustments


def adjust_brightness(image, delta):
    """The pixels with delta added to each."""
    with scopes.name_scope("adjust_brightness"):
        return _in_floats(image, lambda x: x + cast(delta, x.dtype))


def adjust_contrast(images, contrast_factor):
    """(x - mean) * contrast_factor + mean, with a mean of each image and channel."""
    with scopes.name_scope("adjust_contrast"):
        factor = cast(contrast_factor, dtypes.float32)
        return _in_floats(images, lambda x: op("AdjustContrastv2")(x, factor))


def adjust_gamma(image, gamma=1, gain=1):
    """gain * pixel ** gamma. ValueError or InvalidArgumentError when gamma is negative."""
    with scopes.name_scope("adjust_gamma"):

        def change(x):
            x = checked(x, (gamma >= 0, "Gamma should be a non-negative real number."))
            return cast(gain, x.dtype) * op("Pow")(x, cast(gamma, x.dtype))

        return _in_floats(image, change)


def adjust_hue(image, delta, name=None):
    """RGB images with hues turned by delta, a part of a full turn, from -1 to 1."""
    with scopes.name_scope(name or "adjust_hue"):
        if scopes.executing_eagerly() and not -1 <= delta <= 1:
            raise ValueError("delta must be in the interval [-1, 1]")
        return _in_floats(image, lambda x: op("AdjustHue")(x, cast(delta, dtypes.float32)))


def adjust_saturation(image, saturation_factor, name=None):
    """RGB images with saturations multiplied by the factor."""
    with scopes.name_scope(name or "adjust_saturation"):
        factor = cast(saturation_factor, dtypes.float32)
        return _in_floats(image, lambda x: op("AdjustSaturation")(x, factor))


def adjust_jpeg_quality(image, jpeg_quality, dct_method="", name=None):
    """The image [height, width, 1 or 3] as JPEG of the quality leaves it."""
    with scopes.name_scope(name or "adjust_jpeg_quality"):
        image = convert_to_tensor(image)
        have, channels = image.dtype, None if image.shape.rank is None else image.shape[-1]
        pixels = convert_image_dtype(image, dtypes.as_dtype("uint8"), saturate=True)
        code = op("EncodeJpegVariableQuality")(pixels, cast(jpeg_quality, dtypes.int32))
        made = image_codec_ops.decode_jpeg(code, channels=channels or 0, dct_method=dct_method)
        if image.shape.rank is not None:
            made.set_shape(image.shape)
        return convert_image_dtype(made, have, saturate=True)


def per_image_standardization(image):
    """Each image with mean 0 and deviation 1; a deviation below 1 / sqrt(pixels) counts as that. float32."""
    with scopes.name_scope("per_image_standardization") as name:
        image = image_at_least_3d(image)
        x = cast(image, dtypes.float32)
        inner = x.shape[-3:] if x.shape.rank is not None else None
        count = inner.num_elements() if inner is not None else None
        if count is None:
            count = op("Prod")(array_ops.shape(x)[-3:], 0)
        axes = [-1, -2, -3]
        mean = op("Mean")(x, axes, keep_dims=True)
        deviation = op("Sqrt")(op("Mean")(op("Square")(x - mean), axes, keep_dims=True))
        least = op("Rsqrt")(cast(count, x.dtype))
        least = op("Maximum")(deviation, least)
        return op("RealDiv")(x - mean, least, name=name)


# ---- colours


def rgb_to_grayscale(images, name=None):
    """[..., 3] -> [..., 1]: the luma of each pixel."""
    with scopes.name_scope(name or "rgb_to_grayscale") as name:
        images = convert_to_tensor(images)
        have = images.dtype
        floats = convert_image_dtype(images, dtypes.float32)
        if images.shape.rank is not None and images.shape[-1] not in (None, 3):
            raise ValueError(f"The last dimension of an RGB image should be size 3, not of shape {images.shape}")
        with scopes.scope_in_graphs(None, "Tensordot") as scope:
            weights = convert_to_tensor([0.2989, 0.587, 0.114], floats.dtype, name="b")
            flat = array_ops.reshape(floats, [-1, 3])
            flat = op("MatMul")(flat, array_ops.reshape(weights, [3, 1]))
            known = floats.shape.rank is not None and floats.shape[:-1].is_fully_defined()
            shape = (
                convert_to_tensor(floats.shape[:-1].as_list(), "int32", name="shape")
                if known
                else array_ops.shape(floats)[:-1]
            )
            gray = array_ops.reshape(flat, shape, name=scope)
        gray = array_ops.expand_dims(gray, -1)
        if not known:
            gray.set_shape(floats.shape[:-1].concatenate([1]))
        return convert_image_dtype(gray, have, name=name)


def grayscale_to_rgb(images, name=None):
    """[..., 1] -> [..., 3]: each pixel three times."""
    with scopes.name_scope(name or "grayscale_to_rgb") as name:
        images = convert_to_tensor(images)
        rank = images.shape.rank
        if rank is not None and rank < 2:
            raise ValueError("A grayscale image (shape %s) must be at least two-dimensional." % images.shape)
        known = None if rank is None else images.shape[-1]
        one = op("Equal")(array_ops.shape(images)[-1], 1) if known is None else known == 1
        images = checked(images, (one, "Last dimension of a grayscale image should be size 1."))
        if rank is None:
            once = array_ops.ones(array_ops.expand_dims(array_ops.rank(images) - 1, 0), dtypes.int32)
            return op("Tile")(images, array_ops.concat([once, [3]], 0), name=name)
        made = op("Tile")(images, [1] * (rank - 1) + [3], name=name)
        made.set_shape(images.shape[:-1].concatenate([3]))
        return made


def rgb_to_hsv(images, name=None):
    """[..., 3]: hue, saturation and value of red, green and blue, all from 0 to 1."""
    return op("RGBToHSV")(images, name=name)


def hsv_to_rgb(images, name=None):
    """[..., 3]: red, green and blue of hue, saturation and value, all from 0 to 1."""
    return op("HSVToRGB")(images, name=name)


def _linear(matrix):
    """A change of colours that is a product with a matrix."""

    def change(images):
        images = convert_to_tensor(images, name="images")
        kernel = convert_to_tensor(matrix, images.dtype, name="kernel")
        with scopes.scope_in_graphs(None, "Tensordot") as scope:
            flat = op("MatMul")(array_ops.reshape(images, [-1, 3]), kernel)
            made = array_ops.reshape(flat, array_ops.shape(images, name="shape"), name=scope)
        if images.shape.rank is not None:
            made.set_shape(images.shape[:-1].concatenate([3]))
        return made

    return change


# The matrices of the colour spaces, for pixels that are rows: https://en.wikipedia.org/wiki/YIQ, .../YUV
rgb_to_yiq = _linear([[0.299, 0.59590059, 0.2115], [0.587, -0.27455667, -0.52273617], [0.114, -0.32134392, 0.31119955]])
yiq_to_rgb = _linear([[1.0, 1.0, 1.0], [0.95598634, -0.27201283, -1.10674021], [0.6208248, -0.64720424, 1.70423049]])
rgb_to_yuv = _linear(
    [[0.299, -0.14714119, 0.61497538], [0.587, -0.28886916, -0.51496512], [0.114, 0.43601035, -0.10001026]]
)
yuv_to_rgb = _linear([[1.0, 1.0, 1.0], [0.0, -0.394642334, 2.03206185], [1.13988303, -0.58062185, 0.0]])
for _name in ("rgb_to_yiq", "yiq_to_rgb", "rgb_to_yuv", "yuv_to_rgb"):
    globals()[_name].__name__ = globals()[_name].__qualname__ = _name
    globals()[_name].__doc__ = (
        f"{_name.replace('_', ' ').upper().replace('TO', 'to')}, for images [..., 3] of a floating point type, from 0 to 1. "
        "InvalidArgumentError for another last dimension."
    )
