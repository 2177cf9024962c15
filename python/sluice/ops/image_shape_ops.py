"""tf.image: flips, turns, crops, padding and resizing.

An image is [height, width, channels], or a batch of them with one more dim before.
"""

from __future__ import annotations

import math

from ..core import dtypes, scopes, tensor
from ..core.op_defs import op
from ..core.static_values import known_value, known_int, known_ints
from . import array_ops
from .array_ops import cast, convert_to_tensor

Tensor = tensor.Tensor


# ---- what is asked of arguments


def require(*conditions):
    """(condition, message): ValueError for one that is False now; gives nodes that check the others when they run."""
    checks = []
    for condition, message in conditions:
        if not isinstance(condition, Tensor):
            if not condition:
                raise ValueError(message)
        elif (known := known_value(condition)) is not None:
            if not known:
                raise ValueError(message)
        else:
            checks.append(op("Assert")(condition, [message]))
    return checks


def checked(image, *conditions):
    """The image, after the conditions are met."""
    checks = require(*conditions)
    if not checks:
        return image
    with scopes.control_dependencies(checks):
        return array_ops.identity(image, "control_dependency")


def image_at_least_3d(image):
    """A tensor of the image; ValueError when it has less than three dims, or one of the inner three is 0."""
    image = convert_to_tensor(image)
    shape = image.shape
    if shape.rank is not None and shape.rank < 3:
        raise ValueError(f"'image' (shape {shape}) must be at least three-dimensional.")
    return _not_empty(image)


def _not_empty(image):
    message = f"inner 3 dims of 'image.shape' must be > 0: {image.shape}"
    inner = image.shape[-3:] if image.shape.rank is not None else None
    if inner is not None and inner.is_fully_defined():
        return checked(image, (all(n > 0 for n in inner.as_list()), message))
    return checked(image, (op("All")(array_ops.shape(image)[-3:] > 0, [0]), message))


def _with_3_or_4_dims(image):
    """The image, which has three or four dims, three where that is not known; ValueError when it has others."""
    image = convert_to_tensor(image)
    if image.shape.rank is None:
        image = array_ops.identity(image)
        image.set_shape([None, None, None])
    if image.shape.rank not in (None, 3, 4):
        raise ValueError(f"'image' (shape {image.shape}) must have either 3 or 4 dimensions.")
    return _not_empty(image)


def _height_width(image):
    """Numbers where they are known, else scalars."""
    dims = [None, None] if image.shape.rank is None else image.shape.as_list()[-3:-1]
    if None in dims:
        shape = array_ops.shape(image)
        dims = [shape[i - 3] if n is None else n for i, n in enumerate(dims)]
    return dims


def _number(value):
    """An int where the value is known, else its tensor."""
    known = known_int(value)
    return value if known is None else known


def _with_size(made, image, height, width):
    """Says of the shape of what was made of an image what is known of its size."""
    if image.shape.rank is not None:
        size = [n if isinstance(n, int) else None for n in (height, width)]
        made.set_shape([*image.shape.as_list()[:-3], *size, image.shape[-1]])
    return made


def _min(a, b):
    return min(a, b) if not isinstance(a, Tensor) and not isinstance(b, Tensor) else op("Minimum")(a, b)


def _max(a, b):
    return max(a, b) if not isinstance(a, Tensor) and not isinstance(b, Tensor) else op("Maximum")(a, b)


# ---- flips and turns


def reversed_along(image, axes, name=None):
    """The elements of each axis, counted from the last one, in the other order."""
    if image.shape.rank is None:
        axes = array_ops.rank(image) + axes
    made = op("ReverseV2")(image, axes, name=name)
    made.set_shape(image.shape)
    return made


def flip_left_right(image):
    """Mirrored: the first column last."""
    with scopes.name_scope("flip_left_right"):
        return reversed_along(image_at_least_3d(image), [-2])


def flip_up_down(image):
    """Upside down: the first row last."""
    with scopes.name_scope("flip_up_down"):
        return reversed_along(image_at_least_3d(image), [-3])


def transpose(image, name=None):
    """Rows become columns."""
    with scopes.name_scope(name or "transpose"):
        image = image_at_least_3d(image)
        rank = image.shape.rank
        if rank is not None:
            return array_ops.transpose(
                image, [*range(rank - 3), rank - 2, rank - 3, rank - 1], name=name or "transpose"
            )
        rank = array_ops.rank(image)
        outer = op("Range")(0, rank - 3, 1)
        return op("Transpose")(image, array_ops.concat([outer, [rank - 2, rank - 3, rank - 1]], 0))


def rot90(image, k=1, name=None):
    """Turned k times by a quarter, against the clock."""
    with scopes.name_scope(name or "rot90"):
        image = image_at_least_3d(image)
        turns = known_int(k)
        if turns is None:
            from . import control_flow_ops

            k = convert_to_tensor(k, dtypes.int32)
            return control_flow_ops.switch_case(k % 4, [lambda n=n: _turned(image, n) for n in range(4)])
        with scopes.scope_in_graphs(None, "cond"):
            return _turned(image, turns % 4)


def _turned(image, k):
    if k == 1:
        return reversed_along(transpose(image), [-3], "Identity")
    if k == 2:
        return reversed_along(image, [-3, -2], "Identity")
    if k == 3:
        image = transpose(reversed_along(image, [-3]))
    return array_ops.identity(image)


# ---- crops and padding


def crop_to_bounding_box(image, offset_height, offset_width, target_height, target_width):
    """The part of target_height x target_width that begins at the offsets. ValueError when it is not within the image."""
    with scopes.name_scope("crop_to_bounding_box"):
        image = _with_3_or_4_dims(image)
        return _crop(image, offset_height, offset_width, target_height, target_width, name=_last(image, "Slice"))


def _crop(image, *box, name="Slice"):
    top, left, target_height, target_width = map(_number, box)
    height, width = _height_width(image)
    image = checked(
        image,
        (left >= 0, "offset_width must be >= 0."),
        (top >= 0, "offset_height must be >= 0."),
        (target_width > 0, "target_width must be > 0."),
        (target_height > 0, "target_height must be > 0."),
        (width >= target_width + left, "width must be >= target + offset."),
        (height >= target_height + top, "height must be >= target + offset."),
    )
    return _part(image, top, left, target_height, target_width, name)


def _part(image, top, left, height, width, name="Slice"):
    if image.shape.rank not in (3, 4):
        return _with_size(image[..., top : top + height, left : left + width, :], image, height, width)
    outer = [] if image.shape.rank == 3 else [0]
    begin = array_ops.stack([*outer, top, left, 0])
    size = array_ops.stack([*(-1 for _ in outer), height, width, -1])
    return _with_size(op("Slice")(image, begin, size, name=name), image, height, width)


def pad_to_bounding_box(image, offset_height, offset_width, target_height, target_width):
    """The image at the offsets in zeros of target_height x target_width. ValueError when it does not fit."""
    with scopes.name_scope("pad_to_bounding_box"):
        image = _with_3_or_4_dims(image)
        return _pad(image, offset_height, offset_width, target_height, target_width, name=_last(image, "Pad"))


def _last(image, name):
    """How programs fetch the result: TensorFlow makes a batch of an image, and then an image of that."""
    return name if image.shape.rank == 4 else "Squeeze"


def _pad(image, *box, name):
    top, left, target_height, target_width = map(_number, box)
    height, width = _height_width(image)
    right, bottom = target_width - left - width, target_height - top - height
    needs = [
        (left, "offset_width must be >= 0."),
        (top, "offset_height must be >= 0."),
        (right, "width must be <= target - offset."),
        (bottom, "height must be <= target - offset."),
    ]
    if not scopes.executing_eagerly_outside_functions():  # graphs of compat.v1 leave the rest to the op
        needs = [(n, message) for n, message in needs if isinstance(n, int)]
    image = checked(image, *((n >= 0, message) for n, message in needs))
    outer = [[0, 0]] if image.shape.rank == 4 else []
    made = op("Pad")(image, convert_to_tensor([*outer, [top, bottom], [left, right], [0, 0]]), name=name)
    return _with_size(made, image, target_height, target_width)


def resize_with_crop_or_pad(image, target_height, target_width):
    """Cut at both sides, or padded with zeros, to the size."""
    with scopes.name_scope("resize_image_with_crop_or_pad"):
        image = _with_3_or_4_dims(image)
        target_height, target_width = _number(target_height), _number(target_width)
        image = checked(
            image,
            (target_width > 0, "target_width must be > 0."),
            (target_height > 0, "target_height must be > 0."),
        )
        height, width = _height_width(image)
        more_rows, more_columns = target_height - height, target_width - width
        cut = _crop(
            image,
            _max(-more_rows // 2, 0),
            _max(-more_columns // 2, 0),
            _min(target_height, height),
            _min(target_width, width),
        )
        first, left = _max(more_rows // 2, 0), _max(more_columns // 2, 0)
        return _pad(cut, first, left, target_height, target_width, name=_last(image, "control_dependency_1"))


def central_crop(image, central_fraction):
    """The middle of the image, central_fraction of its height and width. ValueError when that is not in (0, 1]."""
    with scopes.name_scope("central_crop"):
        image = convert_to_tensor(image)
        known = known_value(central_fraction)
        if known is not None:
            if known <= 0.0 or known > 1.0:
                raise ValueError("central_fraction must be within (0, 1]")
            if known == 1.0:
                return image
        if image.shape.rank not in (3, 4):
            raise ValueError(
                f"`image` should either be a Tensor with rank = 3 or rank = 4. Had rank = {image.shape.rank}."
            )
        image = image if known is not None else _checked_fraction(image, central_fraction)
        (top, rows), (left, columns) = (_middle(n, central_fraction, known) for n in _height_width(image))
        return _part(image, top, left, rows, columns)


def _checked_fraction(image, fraction):
    ok = op("LogicalAnd")(fraction > 0, fraction <= 1)
    return checked(image, (ok, "central_fraction must be within (0, 1]"))


def _middle(n, fraction, known):
    """(first, how many) of the middle of n."""
    if isinstance(n, int) and known is not None:
        first = int((n - n * float(known)) / 2)
    else:
        wide = cast(n, dtypes.float64)
        first = cast((wide - wide * cast(fraction, dtypes.float64)) / 2, dtypes.int32)
    return first, n - first * 2


# ---- resizing


class ResizeMethod:
    """How images are resized."""

    BILINEAR = "bilinear"
    NEAREST_NEIGHBOR = "nearest"
    BICUBIC = "bicubic"
    AREA = "area"
    LANCZOS3 = "lanczos3"
    LANCZOS5 = "lanczos5"
    GAUSSIAN = "gaussian"
    MITCHELLCUBIC = "mitchellcubic"


class ResizeMethodV1:
    """How images are resized, for compat.v1."""

    BILINEAR = 0
    NEAREST_NEIGHBOR = 1
    BICUBIC = 2
    AREA = 3


# method -> (op with pixels' centres at halves, kernel of ScaleAndTranslate)
_METHODS = {
    ResizeMethod.BILINEAR: ("ResizeBilinear", "triangle"),
    ResizeMethod.NEAREST_NEIGHBOR: ("ResizeNearestNeighbor", None),
    ResizeMethod.BICUBIC: ("ResizeBicubic", "keyscubic"),
    ResizeMethod.AREA: ("ResizeArea", None),
    ResizeMethod.LANCZOS3: (None, "lanczos3"),
    ResizeMethod.LANCZOS5: (None, "lanczos5"),
    ResizeMethod.GAUSSIAN: (None, "gaussian"),
    ResizeMethod.MITCHELLCUBIC: (None, "mitchellcubic"),
}
_V1_METHODS = ("bilinear", "nearest", "bicubic", "area")


def _method_name(method, names):
    if method not in names:
        raise ValueError("Resize method is not implemented: " + str(method))
    return method


def resize(images, size, method=ResizeMethod.BILINEAR, preserve_aspect_ratio=False, antialias=False, name=None):
    """Images of another size, [height, width]. float32, but for the nearest neighbour the images' type.

    preserve_aspect_ratio: the largest size within `size` that keeps the ratio. antialias: a kernel grows when an image
    shrinks. ValueError when the size is no vector of two integers, or the method unknown.
    """
    method = _method_name(method, _METHODS)
    op_name, kernel = _METHODS[method]

    def apply(batch, size):
        if op_name and not (antialias and kernel):
            attrs = {} if op_name == "ResizeArea" else {"half_pixel_centers": True}
            return op(op_name)(batch, size, **attrs)
        scale = cast(size, dtypes.float32) / cast(array_ops.shape(batch)[1:3], dtypes.float32)
        return op("ScaleAndTranslate")(
            batch, size, scale, array_ops.zeros([2]), kernel_type=kernel, antialias=bool(antialias)
        )

    with scopes.name_scope(name or "resize"):
        return _resized(images, size, preserve_aspect_ratio, apply, skip_same=False)


def resize_v1(
    images, size, method=ResizeMethodV1.BILINEAR, align_corners=False, preserve_aspect_ratio=False, name=None
):
    """Images of another size, with pixels' corners at whole numbers; images that have the size stay as they are."""
    method = _V1_METHODS[method] if isinstance(method, int) and 0 <= method < 4 else method
    op_name = _METHODS[_method_name(method, _V1_METHODS)][0]

    def apply(batch, size):
        return op(op_name)(batch, size, align_corners=align_corners)

    with scopes.name_scope(name or "resize"):
        return _resized(images, size, preserve_aspect_ratio, apply, skip_same=True)


def _resized(images, size, preserve_aspect_ratio, apply, skip_same):
    images = convert_to_tensor(images)
    rank = images.shape.rank
    if rank is None:
        raise ValueError("'images' contains no shape.")
    if rank not in (3, 4):
        raise ValueError("'images' must have either 3 or 4 dimensions.")
    size = _size_of(size)
    height, width = images.shape.as_list()[-3:-1]
    if preserve_aspect_ratio:
        size = _size_within(size, *_height_width(images))
    known = known_ints(size)
    if skip_same and known is not None and known == [height, width]:
        return images
    batch = images if rank == 4 else op("ExpandDims")(images, 0)
    made = apply(batch, size)
    if rank == 3:
        made = op("Squeeze")(made, squeeze_dims=[0])
    parts = known or [None, None]
    return _with_size(made, images, *parts)


def _size_of(size):
    try:
        size = convert_to_tensor(size, dtype_hint=dtypes.int32)
    except (TypeError, ValueError):
        raise ValueError("'size' must be a 1-D int32 Tensor") from None
    if not size.shape.is_compatible_with([2]):
        raise ValueError("'size' must be a 1-D Tensor of 2 elements: new_height, new_width")
    if size.dtype not in (dtypes.int32, dtypes.as_dtype("int64")):
        raise ValueError("'size' must be a 1-D int32 Tensor")
    return cast(size, dtypes.int32)


def _size_within(size, height, width):
    """The largest size of height x width's ratio within the size."""
    known = known_ints(size)
    if known is not None and isinstance(height, int) and isinstance(width, int):
        import numpy

        one = numpy.float32
        scale = min(one(known[0]) / one(height), one(known[1]) / one(width))
        return convert_to_tensor([int(numpy.rint(scale * one(n))) for n in (height, width)], dtypes.int32)
    have = cast(convert_to_tensor([height, width]), dtypes.float32)
    scale = op("Min")(cast(size, dtypes.float32) / have, 0)
    return cast(op("Round")(scale * have), dtypes.int32)


def resize_with_pad(image, target_height, target_width, method=ResizeMethod.BILINEAR, antialias=False):
    """Resized to fit into the size with its ratio kept, and centred in zeros."""

    def apply(image, size):
        return resize(image, size, method, antialias=antialias)

    return _with_pad(image, target_height, target_width, apply)


def resize_image_with_pad_v1(image, target_height, target_width, method=ResizeMethodV1.BILINEAR, align_corners=False):
    """Resized to fit into the size with its ratio kept, and centred in zeros."""

    def apply(image, size):
        return resize_v1(image, size, method, align_corners)

    return _with_pad(image, target_height, target_width, apply)


def _with_pad(image, target_height, target_width, apply):
    with scopes.name_scope("resize_image_with_pad"):
        image = _with_3_or_4_dims(image)
        target_height, target_width = _number(target_height), _number(target_width)
        image = checked(
            image,
            (target_width > 0, "target_width must be > 0."),
            (target_height > 0, "target_height must be > 0."),
        )
        height, width = _height_width(image)
        rows, top = _fit(height, target_height, height, width, target_height, target_width)
        columns, left = _fit(width, target_width, height, width, target_height, target_width)
        resized = apply(image, [rows, columns])
        if image.shape.rank != 4:
            return _pad(resized, top, left, target_height, target_width, name="Squeeze")
        with scopes.name_scope("pad_to_bounding_box"):
            return _pad(resized, top, left, target_height, target_width, name="Pad")


def _fit(n, target, height, width, target_height, target_width):
    """(n when the whole image fits, what is before it)"""
    if all(isinstance(v, int) for v in (height, width, target_height, target_width)):
        ratio = max(width / target_width, height / target_height)
        fitted = math.floor(n / ratio)
        return fitted, max(0, math.floor((target - n / ratio) / 2))
    wide = [cast(v, dtypes.float64) for v in (n, target, height, width, target_height, target_width)]
    n, target, height, width, target_height, target_width = wide
    exact = n / op("Maximum")(width / target_width, height / target_height)
    before = op("Maximum")(cast(op("Floor")((target - exact) / 2), dtypes.int32), 0)
    return cast(op("Floor")(exact), dtypes.int32), before


# ---- parts of images


def crop_and_resize(image, boxes, box_indices, crop_size, method="bilinear", extrapolation_value=0.0, name=None):
    """[boxes, crop height, crop width, channels]: the boxes [y1, x1, y2, x2], in parts of the image, of one size."""
    return op("CropAndResize")(
        image,
        boxes,
        box_indices,
        crop_size,
        method=method,
        extrapolation_value=float(extrapolation_value),
        name=name,
    )


def crop_and_resize_v1(
    image,
    boxes,
    box_ind=None,
    crop_size=None,
    method="bilinear",
    extrapolation_value=0,
    name=None,
    box_indices=None,
):
    """crop_and_resize with the order of compat.v1's parameters."""
    indices = box_ind if box_indices is None else box_indices
    return crop_and_resize(image, boxes, indices, crop_size, method, extrapolation_value, name)


def extract_glimpse(input, size, offsets, centered=True, normalized=True, noise="uniform", name=None):
    """[batch, *size, channels]: the parts of images around offsets [batch, 2]; what is outside has the noise."""
    return op("ExtractGlimpseV2")(
        input, size, offsets, centered=centered, normalized=normalized, uniform_noise=False, noise=noise, name=name
    )


def extract_glimpse_v1(input, size, offsets, centered=True, normalized=True, uniform_noise=True, name=None):
    """Parts of images around offsets; noise outside is uniform, or else gaussian."""
    return op("ExtractGlimpse")(
        input,
        size,
        offsets,
        centered=centered,
        normalized=normalized,
        uniform_noise=uniform_noise,
        noise="uniform" if uniform_noise else "gaussian",
        name=name,
    )


def extract_patches(images, sizes, strides, rates, padding, name=None):
    """[batch, rows, columns, patch height * patch width * channels]: patches of images, flat."""
    return op("ExtractImagePatches")(images, ksizes=sizes, strides=strides, rates=rates, padding=padding, name=name)


def extract_image_patches_v1(images, ksizes=None, strides=None, rates=None, padding=None, name=None, sizes=None):
    """extract_patches with the order of compat.v1's parameters."""
    return extract_patches(images, ksizes if sizes is None else sizes, strides, rates, padding, name)


def resize_area(images, size, align_corners=False, name=None):
    """Averages over areas: float32."""
    return op("ResizeArea")(images, size, align_corners=align_corners, name=name)


def _legacy_resize(op_name):
    def apply(images, size, align_corners=False, name=None, half_pixel_centers=False):
        return op(op_name)(images, size, align_corners=align_corners, half_pixel_centers=half_pixel_centers, name=name)

    return apply


resize_bilinear, resize_bicubic = _legacy_resize("ResizeBilinear"), _legacy_resize("ResizeBicubic")
resize_nearest_neighbor = _legacy_resize("ResizeNearestNeighbor")
