"""tf.compat.v1.data.Dataset: datasets with iterators for sessions."""

from __future__ import annotations

from ..core import dtypes
from ..core.op_defs import op
from . import elements, iterators_v1
from .dataset import Dataset


class DatasetV1(Dataset):
    """A dataset of TensorFlow 1."""

    _is_plain = True
    _keeps_count = False

    def __init__(self, variant_tensor=None):
        super().__init__(variant_tensor)

    output_types = property(lambda self: elements.legacy_types(self.element_spec))
    output_shapes = property(lambda self: elements.legacy_shapes(self.element_spec))
    output_classes = property(lambda self: elements.legacy_classes(self.element_spec))

    def make_one_shot_iterator(self):
        """An iterator that needs no initialization. ValueError for a dataset with state."""
        return iterators_v1.make_one_shot_iterator(self)

    def make_initializable_iterator(self, shared_name=None):
        """An iterator that its initializer starts."""
        return iterators_v1.make_initializable_iterator(self, shared_name)

    @classmethod
    def from_sparse_tensor_slices(cls, sparse_tensor):
        """The rows of a sparse tensor, as triples (indices, values, dense_shape)."""
        from ..core.type_spec import TensorSpec
        from ..ops.sparse_tensor import SparseTensor

        if not isinstance(sparse_tensor, SparseTensor):
            raise TypeError(
                f"Invalid `sparse_tensor`. `sparse_tensor` must be a `tf.sparse.SparseTensor`. Got {type(sparse_tensor)}."
            )
        rank = sparse_tensor.dense_shape.shape[0] if sparse_tensor.dense_shape.shape.rank else None
        inner = None if rank is None else rank - 1
        spec = (
            TensorSpec([None, inner], dtypes.int64), TensorSpec([None], sparse_tensor.dtype), TensorSpec([inner], dtypes.int64)
        )  # fmt: skip
        made = op("SparseTensorSliceDataset")(sparse_tensor.indices, sparse_tensor.values, sparse_tensor.dense_shape)
        return cls._made("SparseTensorSliceDataset", made, spec)

    def map_with_legacy_function(
        self, map_func, num_parallel_calls=None, deterministic=None, use_unbounded_threadpool=False
    ):
        """The same as map."""
        return self.map(map_func, num_parallel_calls, deterministic, use_unbounded_threadpool=use_unbounded_threadpool)

    def filter_with_legacy_function(self, predicate):
        """The same as filter."""
        return self.filter(predicate)
