"""tf.feature_column.sequence_*: columns of examples that have a sequence of numbers or ids each. What reads them asks a dense column's
`get_sequence_dense_tensor` for (numbers [batch, time, ...], lengths [batch])."""

from __future__ import annotations

from collections import namedtuple

from ..core import dtypes, tensor_shape
from ..core.op_defs import op
from . import array_ops, feature_columns, math_ops, parsing_features, sparse_ops
from .sparse_tensor import SparseTensor

TensorSequenceLengthPair = namedtuple("TensorSequenceLengthPair", "dense_tensor sequence_length")


def lengths_of(sparse, elements=1):
    """Of each row of a sparse tensor how many columns it has: those of one step are `elements`. int64 [batch]"""
    rows, columns = sparse.indices[:, 0], sparse.indices[:, 1] + 1
    found = math_ops.cast(math_ops.ceil(op("SegmentMax")(columns, rows) / elements), dtypes.int64)
    missing = math_ops.maximum(sparse.dense_shape[0] - array_ops.shape(found, out_type=dtypes.int64)[0], 0)
    return array_ops.concat([found, array_ops.zeros(array_ops.expand_dims(missing, 0), dtypes.int64)], 0)


def _of_steps(sparse):
    """[batch, time, the rest] of a sparse tensor of at least two axes."""
    if sparse is None or sparse.shape.rank == 3:
        return sparse
    shape = sparse.dense_shape
    rest = math_ops.reduce_prod(shape[2:])
    return sparse_ops.reshape(sparse, array_ops.stack([shape[0], shape[1], rest]))


class SequenceCategoricalColumn(
    feature_columns.CategoricalColumn, namedtuple("SequenceCategoricalColumn", "categorical_column")
):
    """A categorical column whose examples are sequences: an id, or several, for each step."""

    name = property(lambda self: self.categorical_column.name)
    parents = property(lambda self: [self.categorical_column])
    parse_example_spec = property(lambda self: self.categorical_column.parse_example_spec)
    num_buckets = property(lambda self: self.categorical_column.num_buckets)

    def transform_feature(self, transformation_cache, state_manager):
        return self.categorical_column.transform_feature(transformation_cache, state_manager)

    def get_sequence_sparse_tensors(self, transformation_cache, state_manager):
        """IdWeightPair of [batch, time, ids of a step]."""
        pair = self.categorical_column.get_sparse_tensors(transformation_cache, state_manager)
        return self.IdWeightPair(*map(_of_steps, pair))


class SequenceNumericColumn(
    feature_columns.SequenceDenseColumn,
    namedtuple("SequenceNumericColumn", "key shape default_value dtype normalizer_fn"),
):
    """Sequences of numbers."""

    name = property(lambda self: self.key)
    parents = property(lambda self: [self.key])
    parse_example_spec = property(lambda self: {self.key: parsing_features.VarLenFeature(self.dtype)})
    variable_shape = property(lambda self: tensor_shape.TensorShape(self.shape))

    def transform_feature(self, transformation_cache, state_manager):
        value = transformation_cache.get(self.key, state_manager)
        return value if self.normalizer_fn is None else self.normalizer_fn(value)

    def get_sequence_dense_tensor(self, transformation_cache, state_manager):
        sparse = transformation_cache.get(self, state_manager)
        if not isinstance(sparse, SparseTensor):
            raise TypeError(f"sequence_numeric_column takes a SparseTensor for {self.key}. Given: {sparse}")
        dense = sparse_ops.to_dense(sparse, default_value=self.default_value)
        shape = array_ops.concat([sparse.dense_shape[:1], [-1], self.variable_shape.as_list()], 0)
        elements = self.variable_shape.num_elements() if sparse.shape.rank == 2 else 1
        return TensorSequenceLengthPair(array_ops.reshape(dense, shape), lengths_of(sparse, elements))


def sequence_numeric_column(key, shape=(1,), default_value=0.0, dtype=dtypes.float32, normalizer_fn=None):
    """Sequences of numbers, of a shape in each step; `default_value` stands behind their ends. normalizer_fn: a function of the sparse
    tensor.

    ValueError for a shape that is not of positive numbers and a type without numbers.
    """
    shape, dtype = feature_columns.checked_numbers(shape, dtype, key)
    if normalizer_fn is not None and not callable(normalizer_fn):
        raise TypeError(f"normalizer_fn must be a callable. Given: {normalizer_fn}")
    return SequenceNumericColumn(key, shape, default_value, dtype, normalizer_fn)


def sequence_categorical_column_with_identity(key, num_buckets, default_value=None):
    """Sequences of ids below num_buckets; see categorical_column_with_identity."""
    return SequenceCategoricalColumn(
        feature_columns.categorical_column_with_identity(key, num_buckets=num_buckets, default_value=default_value)
    )


def sequence_categorical_column_with_hash_bucket(key, hash_bucket_size, dtype=dtypes.as_dtype("string")):
    """Sequences of values whose hashes are ids; see categorical_column_with_hash_bucket."""
    return SequenceCategoricalColumn(
        feature_columns.categorical_column_with_hash_bucket(key, hash_bucket_size=hash_bucket_size, dtype=dtype)
    )


def sequence_categorical_column_with_vocabulary_file(
    key, vocabulary_file, vocabulary_size=None, num_oov_buckets=0, default_value=None, dtype=dtypes.as_dtype("string")
):
    """Sequences of the lines of a file; see categorical_column_with_vocabulary_file."""
    return SequenceCategoricalColumn(
        feature_columns.categorical_column_with_vocabulary_file(
            key,
            vocabulary_file=vocabulary_file,
            vocabulary_size=vocabulary_size,
            num_oov_buckets=num_oov_buckets,
            default_value=default_value,
            dtype=dtype,
        )
    )


def sequence_categorical_column_with_vocabulary_list(
    key, vocabulary_list, dtype=None, default_value=-1, num_oov_buckets=0
):
    """Sequences of values of a list; see categorical_column_with_vocabulary_list."""
    return SequenceCategoricalColumn(
        feature_columns.categorical_column_with_vocabulary_list(
            key,
            vocabulary_list=vocabulary_list,
            dtype=dtype,
            default_value=default_value,
            num_oov_buckets=num_oov_buckets,
        )
    )
