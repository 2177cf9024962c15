"""What is looked for in examples: tf.io.FixedLenFeature and its kind, and the plan of a parsing op that they come to."""

from __future__ import annotations

from collections import namedtuple

from ..core import dtypes, tensor, tensor_shape
from ..core.op_defs import op


class FixedLenFeature(namedtuple("FixedLenFeature", "shape dtype default_value")):
    """A tensor of this shape in each example; default_value where it is missing, an error without one."""

    def __new__(cls, shape, dtype, default_value=None):
        return super().__new__(cls, shape, dtype, default_value)


class VarLenFeature(namedtuple("VarLenFeature", "dtype")):
    """Any number of values: a SparseTensor."""


class FixedLenSequenceFeature(namedtuple("FixedLenSequenceFeature", "shape dtype allow_missing default_value")):
    """Any number of tensors of this shape, padded with default_value to the longest of the batch."""

    def __new__(cls, shape, dtype, allow_missing=False, default_value=None):
        return super().__new__(cls, shape, dtype, allow_missing, default_value)


class SparseFeature(namedtuple("SparseFeature", "index_key value_key dtype size already_sorted")):
    """A SparseTensor of values under one key with their indices under others. size: its shape."""

    def __new__(cls, index_key, value_key, dtype, size, already_sorted=False):
        return super().__new__(cls, index_key, value_key, dtype, size, already_sorted)


class RaggedFeature(namedtuple("RaggedFeature", "dtype value_key partitions row_splits_dtype validate")):
    """A RaggedTensor of values under value_key (or the feature's own key), parted by what is under other keys."""

    RowSplits = namedtuple("RowSplits", "key")
    RowLengths = namedtuple("RowLengths", "key")
    RowStarts = namedtuple("RowStarts", "key")
    RowLimits = namedtuple("RowLimits", "key")
    ValueRowIds = namedtuple("ValueRowIds", "key")
    UniformRowLength = namedtuple("UniformRowLength", "length")

    def __new__(cls, dtype, value_key=None, partitions=(), row_splits_dtype=dtypes.int32, validate=False):
        if value_key is not None and not isinstance(value_key, str):
            raise ValueError(f"Argument `value_key` must be a string; got {value_key!r}")
        if not isinstance(partitions, (list, tuple)):
            raise TypeError(
                f"Argument `partitions` must be a list or tuple. Received partitions={partitions} of type "
                f"{type(partitions).__name__}."
            )
        partitions = tuple(partitions)
        for p in partitions:
            if not isinstance(p, _PARTITIONS):
                raise TypeError(
                    f"Argument `partitions` cannot be cast to any of the partition types in {_PARTITIONS}; got: {p!r} with "
                    f"type {type(p)}"
                )
        dtype, row_splits_dtype = dtypes.as_dtype(dtype), dtypes.as_dtype(row_splits_dtype)
        if row_splits_dtype not in (dtypes.int32, dtypes.int64):
            raise ValueError(f"Argument `row_splits_dtype` must be tf.int32 or tf.int64; got {row_splits_dtype!r}")
        return super().__new__(cls, dtype, value_key, partitions, row_splits_dtype, bool(validate))


_PARTITIONS = (
    RaggedFeature.RowSplits,
    RaggedFeature.RowLengths,
    RaggedFeature.RowStarts,
    RaggedFeature.RowLimits,
    RaggedFeature.ValueRowIds,
    RaggedFeature.UniformRowLength,
)


class Plan:
    """Keys and types of a parsing op, made of features: what is sparse, dense and ragged in the examples themselves."""

    def __init__(self, features, allowed, sequence=False):
        self.features = features
        self.sparse: dict[str, object] = {}  # key -> dtype
        self.dense: dict[str, tuple] = {}  # key -> (dtype, shape, default)
        self.ragged: dict[str, tuple] = {}  # key -> (dtype, dtype of row splits)
        self.may_be_missing: list[str] = []
        for key in sorted(features):
            feature = features[key]
            if not isinstance(feature, allowed):
                raise ValueError(f"Unsupported {type(feature).__name__} {feature} for key '{key}'")
            _ADD[type(feature)](self, key, feature, sequence)

    def _add_sparse(self, key, dtype):
        known = self.sparse.setdefault(key, dtype)
        if known != dtype:
            raise ValueError(f"Conflicting type {known} vs {dtype} for feature {key}.")

    def _add_ragged(self, key, dtype, splits):
        known = self.ragged.setdefault(key, (dtype, splits))
        if known != (dtype, splits):
            raise ValueError(f"Conflicting type {known} vs {(dtype, splits)} for feature {key}.")

    def var_len(self, key, feature, sequence):
        if not feature.dtype:
            raise ValueError(f"Missing type for feature {key}. Received feature={feature}")
        self._add_sparse(key, dtypes.as_dtype(feature.dtype))

    def sparse_feature(self, key, feature, sequence):
        if not feature.index_key:
            raise ValueError(f"Missing index_key for SparseFeature {feature}.")
        if not feature.value_key:
            raise ValueError(f"Missing value_key for SparseFeature {feature}.")
        if not feature.dtype:
            raise ValueError(f"Missing type for feature {key}. Received feature={feature}.")
        for index in _as_list(feature.index_key):
            self._add_sparse(index, dtypes.int64)
        self._add_sparse(feature.value_key, dtypes.as_dtype(feature.dtype))

    def ragged_feature(self, key, feature, sequence):
        self._add_ragged(value_key(key, feature), feature.dtype, feature.row_splits_dtype)
        for p in feature.partitions:
            if not isinstance(p, RaggedFeature.UniformRowLength):
                self._add_ragged(p.key, dtypes.int64, feature.row_splits_dtype)

    def fixed_len(self, key, feature, sequence):
        _check_dense(key, feature)
        shape = tensor_shape.as_shape(feature.shape)
        if shape.rank and shape[0] is None:
            raise ValueError(
                f"First dimension of shape for feature {key} unknown. Consider using FixedLenSequenceFeature. Received "
                f"feature={feature}."
            )
        if shape.rank is None or not shape.is_fully_defined():
            raise ValueError(f"All dimensions of shape for feature {key} need to be known but received {shape!s}.")
        self.dense[key] = dtypes.as_dtype(feature.dtype), shape, feature.default_value

    def fixed_len_sequence(self, key, feature, sequence):
        _check_dense(key, feature)
        if sequence:
            if feature.allow_missing:
                self.may_be_missing.append(key)
            if feature.default_value is not None:
                raise ValueError(
                    f"Unsupported: FixedLenSequenceFeature of a sequence with default_value. Received feature={feature}."
                )
            shape = tensor_shape.as_shape(feature.shape)
        else:
            if not feature.allow_missing:
                raise ValueError("Unsupported: FixedLenSequenceFeature requires allow_missing to be True.")
            shape = tensor_shape.TensorShape([None]).concatenate(feature.shape)
        self.dense[key] = dtypes.as_dtype(feature.dtype), shape, feature.default_value

    def dense_types(self):
        return [dtype for dtype, _, _ in self.dense.values()]

    def dense_shapes(self):
        return [shape for _, shape, _ in self.dense.values()]

    def dense_defaults(self):
        """A tensor for each dense key: empty where a value has to be."""
        return [_default(key, *parts) for key, parts in self.dense.items()]

    def ragged_types(self):
        return [dtype for dtype, _ in self.ragged.values()]

    def split_types(self):
        return [splits for _, splits in self.ragged.values()]


_ADD = {
    VarLenFeature: Plan.var_len,
    SparseFeature: Plan.sparse_feature,
    RaggedFeature: Plan.ragged_feature,
    FixedLenFeature: Plan.fixed_len,
    FixedLenSequenceFeature: Plan.fixed_len_sequence,
}


def value_key(key, feature):
    return key if feature.value_key is None else feature.value_key


def _as_list(keys):
    return list(keys) if isinstance(keys, (list, tuple)) else [keys]


def _check_dense(key, feature):
    if not feature.dtype:
        raise ValueError(f"Missing type for feature {key}. Received feature={feature}.")
    if feature.shape is None:
        raise ValueError(f"Missing shape for feature {key}. Received feature={feature}.")


def _default(key, dtype, shape, value):
    if shape.rank and shape[0] is None:  # a padding value
        if value is None:
            value = b"" if dtype == dtypes.string else 0
        return op("Reshape")(_constant(value, dtype), [])
    if value is None:
        return _constant([], dtype)
    return op("Reshape")(_constant(value, dtype), shape.as_list())


def _constant(value, dtype):
    from .array_ops import convert_to_tensor

    if isinstance(value, tensor.Tensor):
        return value
    return convert_to_tensor(value, dtype=dtype)
