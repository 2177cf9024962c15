"""Blocks of space in the batch: space_to_batch, batch_to_space and the paddings that they need."""

from __future__ import annotations

import numpy as np

from ..core import static_values, tensor_shape
from ..core.op_defs import op
from . import array_ops


def space_to_batch_nd(input, block_shape, paddings, name=None):
    """Blocks of the axes after the first, once padded, go to the first axis: [batch * blocks, ...]."""
    return op("SpaceToBatchND")(input, _whole(block_shape), _whole(paddings), name=name)


def _whole(numbers):
    """An empty array, whatever numpy takes it for, is one of whole numbers."""
    empty = np.size(numbers) == 0 if isinstance(numbers, (list, tuple, np.ndarray)) else False
    return np.asarray(numbers, np.int32) if empty else numbers


def space_to_batch(input, block_shape, paddings, name=None):
    """The same as space_to_batch_nd."""
    return space_to_batch_nd(input, block_shape, paddings, name)


def space_to_batch_v1(input, paddings, block_size=None, name=None, block_shape=None):
    block_size = array_ops._one_of("block_shape", block_shape, "block_size", block_size)
    made = space_to_batch(input, _block(block_size), paddings, name)
    if np.ndim(block_size) == 0 and made.shape.rank is None:
        made.set_shape([None] * 4)
    return made


def _block(size):
    """Of one number, that for height and width."""
    return np.array([size, size], np.int64) if np.ndim(size) == 0 else size


def batch_to_space(input, block_shape, crops, name=None):
    """The reverse of space_to_batch; `crops` are cut from the axes."""
    return op("BatchToSpaceND")(input, _block(block_shape), crops, name=name)


def batch_to_space_nd(input, block_shape, crops, name=None):
    """The reverse of space_to_batch_nd; `crops` are cut from the axes."""
    return op("BatchToSpaceND")(input, _whole(block_shape), _whole(crops), name=name)


def batch_to_space_v1(input, crops, block_size, name=None, block_shape=None):
    return batch_to_space(input, array_ops._one_of("block_shape", block_shape, "block_size", block_size), crops, name)


def required_space_to_batch_paddings(input_shape, block_shape, base_paddings=None, name=None):
    """(paddings, crops) that make space_to_batch of this shape fit, after base_paddings [axes, 2]."""
    known = [static_values.known_value(x) for x in (input_shape, block_shape, base_paddings) if x is not None]
    if all(v is not None for v in known):
        return _known_paddings(*known, name=name)
    input_shape, block_shape = (array_ops.convert_to_tensor(x, "int32") for x in (input_shape, block_shape))
    block_shape.shape.assert_has_rank(1)
    n = block_shape.shape[0]
    if n == 0:
        return array_ops.zeros([0, 2], "int32"), array_ops.zeros([0, 2], "int32")
    base = (
        array_ops.zeros([n, 2], "int32")
        if base_paddings is None
        else array_ops.convert_to_tensor(base_paddings, "int32")
    )
    tensor_shape.TensorShape([n, 2]).assert_is_compatible_with(base.shape)
    start, end = base[:, 0], base[:, 1]
    full = input_shape + start + end
    extra = op("FloorMod")(block_shape - op("FloorMod")(full, block_shape), block_shape)
    return array_ops.stack([start, end + extra], 1, name), array_ops.stack([array_ops.zeros_like(extra), extra], 1)


def _known_paddings(input_shape, block_shape, base_paddings=None, name=None):
    base = np.zeros([len(block_shape), 2], int) if base_paddings is None else np.asarray(base_paddings)
    base = base.reshape(len(block_shape), 2)
    extra = -(input_shape + base.sum(1)) % block_shape if len(block_shape) else np.zeros(0, int)
    paddings, crops = (np.stack(p, 1).reshape(-1, 2) for p in ((base[:, 0], base[:, 1] + extra), (0 * extra, extra)))
    return array_ops.constant(paddings, "int32", name=name or "paddings"), array_ops.constant(
        crops, "int32", name="crops"
    )
