"""Images of different sizes as one ragged tensor."""

from __future__ import annotations

from ..core import type_spec
from ..core.op_defs import op
from ..core.static_values import known_value
from . import array_ops, functional_ops, image_shape_ops
from .ragged_tensor import RaggedTensor


def resize(images, size, method="bilinear", preserve_aspect_ratio=False, antialias=False, name=None):
    """A tensor [batch, *size, channels] of ragged images [batch, (height), (width), channels]."""
    if preserve_aspect_ratio:
        raise ValueError("preserve_aspect_ratio is not supported for ragged images")

    def resized(image):
        return image_shape_ops.resize(image, size, method, antialias=antialias)

    return _each(images, size, resized)


def resize_v1(images, size, method="bilinear", align_corners=False, preserve_aspect_ratio=False, name=None):
    """The same with the parameters of compat.v1."""
    if preserve_aspect_ratio:
        raise ValueError("preserve_aspect_ratio is not supported for ragged images")

    def resized(image):
        return image_shape_ops.resize_v1(image, size, method, align_corners)

    return _each(images, size, resized)


def _each(images, size, resized):
    if images.shape.rank != 4:
        raise ValueError(f"Expected images.shape.rank to be 4, i.e. rank must be 4; got {images.shape.rank}")
    known = known_value(size)
    height, width = (None, None) if known is None else (int(n) for n in known)
    channels = images.shape[3]

    def one(image):
        made = resized(image.to_tensor() if isinstance(image, RaggedTensor) else image)
        return array_ops.ensure_shape(made, [height, width, channels])

    if images._row_partition.static_nrows == 0:
        sizes = array_ops.cast(array_ops.convert_to_tensor(size), "int32")
        inner = op("Shape")(images.flat_values)[-1]
        return op("Fill")(op("ConcatV2")([[0], sizes, inner[None]], 0), array_ops.zeros([], "float32"))
    spec = type_spec.TensorSpec([height, width, channels], _result_type(resized, images))
    return functional_ops.map_fn(one, images, fn_output_signature=spec)


def _result_type(resized, images):
    """The type that resizing gives: of an image of one pixel."""
    pixel = op("ZerosLike")(op("Fill")([1, 1, images.shape[3] or 1], array_ops.zeros([], images.dtype)))
    return resized(pixel).dtype
