"""tf.image: adjustments by random amounts, of the seeds of the random ops or of a seed that is given each time."""

from __future__ import annotations

from ..core import dtypes, scopes
from ..core.op_defs import op
from . import array_ops, image_colour_ops, image_shape_ops, random_ops, stateless_random_ops
from .array_ops import cast


def _draw(seed):
    def uniform(shape, low=0.0, high=1.0, dtype=dtypes.float32):
        return random_ops.uniform(shape, low, high, dtype, seed)

    return uniform


def _draw_of(seed):
    def uniform(shape, low=0.0, high=1.0, dtype=dtypes.float32):
        return stateless_random_ops.stateless_uniform(shape, seed, low, high, dtype)

    return uniform


# ---- amounts


def _check_limits(lower, upper):
    if upper <= lower:
        raise ValueError("upper must be > lower.")
    if lower < 0:
        raise ValueError("lower must be non-negative.")


def _brightness(image, max_delta, draw):
    if max_delta < 0:
        raise ValueError("max_delta must be non-negative.")
    return image_colour_ops.adjust_brightness(image, draw([], -max_delta, max_delta))


def _contrast(image, lower, upper, draw):
    _check_limits(lower, upper)
    return image_colour_ops.adjust_contrast(image, draw([], lower, upper))


def _saturation(image, lower, upper, draw):
    _check_limits(lower, upper)
    return image_colour_ops.adjust_saturation(image, draw([], lower, upper))


def _hue(image, max_delta, draw):
    if max_delta > 0.5:
        raise ValueError("max_delta must be <= 0.5.")
    if max_delta < 0:
        raise ValueError("max_delta must be non-negative.")
    return image_colour_ops.adjust_hue(image, draw([], -max_delta, max_delta))


def _jpeg_quality(image, lowest, highest, draw):
    if lowest < 0 or highest < 0 or lowest > 100 or highest > 100:
        raise ValueError("jpeg encoding range must be between 0 and 100.")
    if lowest >= highest:
        raise ValueError("`min_jpeg_quality` must be less than `max_jpeg_quality`.")
    return image_colour_ops.adjust_jpeg_quality(image, draw([], lowest, highest, dtypes.int32))


def random_brightness(image, max_delta, seed=None):
    """adjust_brightness by -max_delta to max_delta."""
    return _brightness(array_ops.convert_to_tensor(image), max_delta, _draw(seed))


def stateless_random_brightness(image, max_delta, seed):
    """adjust_brightness by -max_delta to max_delta, of a seed [2]."""
    return _brightness(image, max_delta, _draw_of(seed))


def random_contrast(image, lower, upper, seed=None):
    """adjust_contrast by lower to upper."""
    return _contrast(image, lower, upper, _draw(seed))


def stateless_random_contrast(image, lower, upper, seed):
    """adjust_contrast by lower to upper, of a seed [2]."""
    return _contrast(image, lower, upper, _draw_of(seed))


def random_saturation(image, lower, upper, seed=None):
    """adjust_saturation by lower to upper."""
    return _saturation(image, lower, upper, _draw(seed))


def stateless_random_saturation(image, lower, upper, seed=None):
    """adjust_saturation by lower to upper, of a seed [2]."""
    return _saturation(image, lower, upper, _draw_of(seed))


def random_hue(image, max_delta, seed=None):
    """adjust_hue by -max_delta to max_delta, which is at most 0.5."""
    return _hue(image, max_delta, _draw(seed))


def stateless_random_hue(image, max_delta, seed):
    """adjust_hue by -max_delta to max_delta, of a seed [2]."""
    return _hue(image, max_delta, _draw_of(seed))


def random_jpeg_quality(image, min_jpeg_quality, max_jpeg_quality, seed=None):
    """adjust_jpeg_quality from the least to below the most."""
    return _jpeg_quality(image, min_jpeg_quality, max_jpeg_quality, _draw(seed))


def stateless_random_jpeg_quality(image, min_jpeg_quality, max_jpeg_quality, seed):
    """adjust_jpeg_quality from the least to below the most, of a seed [2]."""
    return _jpeg_quality(image, min_jpeg_quality, max_jpeg_quality, _draw_of(seed))


# ---- flips


def _flip(image, axis, draw, name):
    """The image or its mirror image, each with probability 1/2; of a batch each image by itself."""
    with scopes.name_scope(name):
        return _flipped_or_not(image, axis, draw)


def _flipped_or_not(image, axis, draw):
    image = image_shape_ops.image_at_least_3d(image)
    flipped = image_shape_ops.reversed_along(image, [axis])
    if image.shape.rank == 3:
        made = array_ops.where(draw([]) < 0.5, flipped, image, name="Identity")  # as programs fetch it
    elif image.shape.rank == 4:
        batch = array_ops.shape(image)[0]
        flips = cast(op("Round")(array_ops.reshape(draw(array_ops.stack([batch])), [-1, 1, 1, 1])), image.dtype)
        made = flips * flipped + (cast(1, image.dtype) - flips) * image
    elif image.shape.rank is None:  # what the two above do, whichever it is
        batch = array_ops.concat([array_ops.shape(image)[:-3], [1, 1, 1]], 0)
        single = op("Equal")(array_ops.rank(image), 3)
        made = array_ops.where(op("Equal")(op("Less")(draw(batch), 0.5), single), flipped, image)
    else:
        raise ValueError(f"'image' (shape {image.shape}) must have either 3 or 4 dimensions.")
    made.set_shape(image.shape)
    return made


def random_flip_left_right(image, seed=None):
    """Mirrored or not."""
    return _flip(image, -2, _draw(seed), "random_flip_left_right")


def random_flip_up_down(image, seed=None):
    """Upside down or not."""
    return _flip(image, -3, _draw(seed), "random_flip_up_down")


def stateless_random_flip_left_right(image, seed):
    """Mirrored or not, of a seed [2]."""
    return _flip(image, -2, _draw_of(seed), "stateless_random_flip_left_right")


def stateless_random_flip_up_down(image, seed):
    """Upside down or not, of a seed [2]."""
    return _flip(image, -3, _draw_of(seed), "stateless_random_flip_up_down")
