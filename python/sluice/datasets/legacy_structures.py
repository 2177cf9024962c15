"""tf.compat.v1.data.experimental: the names that specs of elements had, whose arguments begin with the type."""

from __future__ import annotations

from ..core.type_spec import TensorSpec
from .dataset_experimental import map_and_batch


def TensorStructure(dtype, shape):
    """A TensorSpec."""
    return TensorSpec(shape, dtype)


def SparseTensorStructure(dtype, shape):
    """A SparseTensorSpec."""
    from ..ops.sparse_tensor import SparseTensorSpec

    return SparseTensorSpec(shape, dtype)


def RaggedTensorStructure(dtype, shape, ragged_rank):
    """A RaggedTensorSpec."""
    from ..ops.ragged_tensor import RaggedTensorSpec

    return RaggedTensorSpec(shape, dtype, ragged_rank)


def TensorArrayStructure(dtype, element_shape, dynamic_size, infer_shape):
    """A TensorArraySpec."""
    from ..ops.tensor_array_ops import TensorArraySpec

    return TensorArraySpec(element_shape, dtype, dynamic_size, infer_shape)


def map_and_batch_with_legacy_function(
    map_func, batch_size, num_parallel_batches=None, drop_remainder=False, num_parallel_calls=None
):
    """The same as map_and_batch."""
    return map_and_batch(map_func, batch_size, num_parallel_batches, drop_remainder, num_parallel_calls)
