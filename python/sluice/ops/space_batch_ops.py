"""Blocks of space in the batch: space_to_batch, batch_to_space and the paddings that they need."""

from __future__ import annotations

import numpy as np

from ..core import tensor_shape
from ..core.op_defs import op
from . import array_ops


def space_to_batch_nd(input, block_shape, paddings, name=None):
    """Blocks of the axes after the first, once padded, go to the first axis: [batch * blocks, ...]."""
    return op("SpaceToBatchND")(input, block_shape, paddings, name=name)


def space_to_batch(input, block_shape, paddings, name=None):
    """The same as space_to_batch_nd."""
    return op("SpaceToBatchND")(input, block_shape, paddings, name=name)


def space_to_batch_v1(input, paddings, block_size=None, name=None, block_shape=None):
    block_size = array_ops._one_of("block_shape", block_shape, "block_size", block_size)
    return space_to_batch(input, _block(block_size), paddings, name)


def _block(size):
    """Of one number, that for height and width."""
    return np.array([size, size], np.int64) if np.ndim(size) == 0 else size


def batch_to_space(input, block_shape, crops, name=None):
    """The reverse of space_to_batch; `crops` are cut from the axes."""
    return op("BatchToSpaceND")(input, _block(block_shape), crops, name=name)


def batch_to_space_nd(input, block_shape, crops, name=None):
    """The reverse of space_to_batch_nd; `crops` are cut from the axes."""
    return op("BatchToSpaceND")(input, block_shape, crops, name=name)


def batch_to_space_v1(input, crops, block_size, name=None, block_shape=None):
    return batch_to_space(input, array_ops._one_of("block_shape", block_shape, "block_size", block_size), crops, name)


def required_space_to_batch_paddings(input_shape, block_shape, base_paddings=None, name=None):
    """(paddings, crops) that make space_to_batch of this shape fit, after base_paddings [axes, 2]."""
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
