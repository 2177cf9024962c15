"""tf.feature_column: how features of examples become numbers, and what reads them: input_layer, linear_model.

A column transforms a feature once (FeatureTransformationCache keeps the result); its variables are made and found by a
StateManager. Dense columns give numbers, categorical ones ids with weights, as sparse tensors.
"""

from __future__ import annotations

import math
from collections import defaultdict, namedtuple

import numpy as np

from ..core import dtypes, tensor_shape
from ..core.op_defs import op
from ..core.scopes import control_dependencies
from ..files import gfile
from . import (
    array_ops,
    assert_ops,
    embedding_ops,
    indexing_ops,
    initializers_v1,
    lookup_ops,
    math_ops,
    parsing_features,
    sparse_ops,
)
from . import string_ops
from .sparse_tensor import SparseTensor
from .variable_scope import PartitionedVariable, get_variable, variable_scope


class FeatureColumn:
    """What a column of examples is: its name, what it is made of, and how it is parsed."""

    __slots__ = ()

    @property
    def name(self) -> str:
        raise NotImplementedError(f"{type(self).__name__}.name")

    parents = property(lambda self: [])
    parse_example_spec = property(lambda self: {})
    _is_v2_column = True

    def transform_feature(self, transformation_cache, state_manager):
        """What the column makes of its feature: tensors that the cache keeps."""
        raise NotImplementedError(f"{type(self).__name__}.transform_feature")

    def create_state(self, state_manager):
        """Makes its variables."""

    def __lt__(self, other):
        return str(self) < str(other)

    def __gt__(self, other):
        return str(self) > str(other)


class DenseColumn(FeatureColumn):
    """A column of numbers, of the shape `variable_shape` in each example."""

    __slots__ = ()

    def get_dense_tensor(self, transformation_cache, state_manager):
        """[batch, *variable_shape]"""
        return transformation_cache.get(self, state_manager)


class SequenceDenseColumn(FeatureColumn):
    """A column of sequences of numbers, of the shape `variable_shape` in each step."""

    __slots__ = ()

    def get_sequence_dense_tensor(self, transformation_cache, state_manager):
        """(numbers [batch, time, *variable_shape], lengths [batch])"""
        raise NotImplementedError(f"{type(self).__name__}.get_sequence_dense_tensor")


def _has_sequences(column, wanted):
    """ValueError when a column's categorical column has sequences and may not, or has none and must."""
    categorical = column.categorical_column
    if hasattr(categorical, "get_sequence_sparse_tensors") == wanted:
        return
    if wanted:
        raise ValueError(
            f"In {type(column).__name__}: {column.name}. categorical_column must be of type SequenceCategoricalColumn to use "
            f"SequenceFeatures. Given (type {type(categorical)}): {categorical}"
        )
    raise ValueError(
        f"In {type(column).__name__}: {column.name}. categorical_column must not be of type SequenceCategoricalColumn. Given "
        f"(type {type(categorical)}): {categorical}"
    )


class CategoricalColumn(FeatureColumn):
    """A column of ids from 0 to `num_buckets`."""

    __slots__ = ()
    IdWeightPair = namedtuple("IdWeightPair", "id_tensor weight_tensor")

    def get_sparse_tensors(self, transformation_cache, state_manager):
        """IdWeightPair: sparse tensors of ids, and of their weights or None."""
        return self.IdWeightPair(transformation_cache.get(self, state_manager), None)


class FeatureTransformationCache:
    """Features by key, and what columns have made of them."""

    def __init__(self, features):
        self._features = dict(features)
        self._made = {}

    def get(self, key, state_manager, training=None):
        """The tensor of a feature's key, or what a column makes."""
        if key in self._made:
            return self._made[key]
        if isinstance(key, str):
            if key not in self._features:
                raise ValueError(f"Feature {key} is not in features dictionary.")
            made = _raw(key, self._features[key])
        elif isinstance(key, FeatureColumn):
            made = key.transform_feature(self, state_manager)
            if made is None:
                raise ValueError(f"Column {key.name} is not supported.")
        else:
            raise TypeError(f'"key" must be either a "str" or "FeatureColumn". Provided: {key}')
        self._made[key] = made
        return made


def _raw(key, value):
    """A feature with an axis for what each example has."""
    if isinstance(value, SparseTensor):
        if value.shape.rank == 1:
            return sparse_ops.expand_dims(value, -1)
        return value
    value = array_ops.convert_to_tensor(value)
    rank = value.shape.rank
    if rank == 0:
        raise ValueError(f"Feature (key: {key}) cannot have rank 0. Given: {value}")
    return array_ops.expand_dims(value, -1) if rank == 1 else value


class StateManager:
    """Makes the variables of columns, and finds them again. Layers have one of their own."""

    def create_variable(
        self, feature_column, name, shape, dtype=None, trainable=True, use_resource=True, initializer=None
    ):
        raise NotImplementedError("StateManager.create_variable")

    def get_variable(self, feature_column, name):
        raise NotImplementedError("StateManager.get_variable")


class LayerStateManager(StateManager):
    """Makes them as weights of a layer of Keras 2. Its layers have classes below this one, which use the attributes."""

    def __init__(self, layer, trainable):
        self._layer, self._trainable = layer, trainable
        self._cols_to_vars_map: dict = defaultdict(dict)
        self._cols_to_resources_map: dict = defaultdict(dict)

    def create_variable(
        self, feature_column, name, shape, dtype=None, trainable=True, use_resource=True, initializer=None
    ):
        if name in self._cols_to_vars_map[feature_column]:
            raise ValueError(f"Variable {name} of {feature_column} already exists.")
        made = self._layer.add_weight(
            name=name,
            shape=shape,
            dtype=dtype,
            initializer=initializer,
            trainable=self._trainable and trainable,
            use_resource=use_resource,
            getter=get_variable,
        )
        self._cols_to_vars_map[feature_column][name] = made
        return made

    def get_variable(self, feature_column, name):
        if name not in self._cols_to_vars_map[feature_column]:
            raise ValueError(f"Variable {name} of {feature_column} does not exist.")
        return self._cols_to_vars_map[feature_column][name]

    def add_resource(self, feature_column, resource_name, resource):
        """Keeps something else of a column, as a table."""
        self._cols_to_resources_map[feature_column][resource_name] = resource

    def has_resource(self, feature_column, resource_name):
        return resource_name in self._cols_to_resources_map[feature_column]

    def get_resource(self, feature_column, resource_name):
        if not self.has_resource(feature_column, resource_name):
            raise ValueError(f"Resource {resource_name} of {feature_column} does not exist.")
        return self._cols_to_resources_map[feature_column][resource_name]


class _ScopedVariables(StateManager):
    """Variables of the scope in which they are asked for."""

    def __init__(self, trainable, collections):
        self._trainable, self._collections, self.made = trainable, collections, {}

    def create_variable(
        self, feature_column, name, shape, dtype=None, trainable=True, use_resource=True, initializer=None
    ):
        self.made[feature_column, name] = get_variable(
            name,
            shape,
            dtype=dtype,
            initializer=initializer,
            trainable=self._trainable and trainable,
            collections=self._collections,
        )
        return self.made[feature_column, name]

    def get_variable(self, feature_column, name):
        if (feature_column, name) not in self.made:
            raise ValueError(f"Could not find variable {name} of {feature_column}.")
        return self.made[feature_column, name]


# ---- columns of numbers


class NumericColumn(DenseColumn, namedtuple("NumericColumn", "key shape default_value dtype normalizer_fn")):
    """Numbers as they are."""

    name = property(lambda self: self.key)
    parents = property(lambda self: [self.key])
    variable_shape = property(lambda self: tensor_shape.TensorShape(self.shape))

    @property
    def parse_example_spec(self):
        return {self.key: parsing_features.FixedLenFeature(self.shape, self.dtype, self.default_value)}

    def transform_feature(self, transformation_cache, state_manager):
        value = transformation_cache.get(self.key, state_manager)
        if isinstance(value, SparseTensor):
            raise ValueError(
                "The corresponding Tensor of numerical column must be a Tensor. SparseTensor is not supported. key: "
                f"{self.key}"
            )
        if self.normalizer_fn is not None:
            value = self.normalizer_fn(value)
        return math_ops.cast(value, dtypes.float32)


def numeric_column(key, shape=(1,), default_value=None, dtype=dtypes.float32, normalizer_fn=None):
    """Numbers of a shape in each example, which become float32. normalizer_fn: a function of the tensor.

    ValueError for a shape that is not of positive numbers, a type without numbers, a default of another shape.
    """
    shape, dtype = checked_numbers(shape, dtype, key)
    default_value = _checked_default(shape, default_value, dtype, key)
    if normalizer_fn is not None and not callable(normalizer_fn):
        raise TypeError(f"normalizer_fn must be a callable. Given: {normalizer_fn}")
    _check_key(key)
    return NumericColumn(key, shape, default_value, dtype, normalizer_fn)


def _check_key(key) -> None:
    if not isinstance(key, str):
        raise ValueError(f"key must be a string. Got: type {type(key)}. Given key: {key}.")


def checked_numbers(shape, dtype, key) -> tuple:
    """The shape and the type of a column of numbers. ValueError, TypeError for what cannot be."""
    shape, dtype = _checked_shape(shape, key), dtypes.as_dtype(dtype)
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype must be convertible to float. dtype: {dtype}, key: {key}")
    return shape, dtype


def _checked_shape(shape, key) -> tuple:
    _check_key(key)
    shape = tuple(shape) if isinstance(shape, (list, tuple, tensor_shape.TensorShape)) else (shape,)
    for n in shape:
        if not isinstance(n, int):
            raise TypeError(f"shape dimensions must be integer. shape: {shape}, key: {key}")
        if n < 1:
            raise ValueError(f"shape dimensions must be greater than 0. shape: {shape}, key: {key}")
    return shape


def _as_tuples(value):
    return tuple(_as_tuples(v) for v in value) if isinstance(value, (list, tuple)) else value


def _checked_default(shape, value, dtype, key):
    if value is None:
        return None
    kinds = (int, np.integer) if dtype.is_integer else (int, float, np.integer, np.floating)
    array = np.array(value)
    if not all(isinstance(v, kinds) for v in array.reshape(-1).tolist()):
        raise TypeError(
            f"default_value must be compatible with dtype. default_value: {value}, dtype: {dtype}, key: {key}"
        )
    if array.ndim and array.shape != shape:
        raise ValueError(
            f"The shape of default_value must be equal to given shape. default_value: {value}, shape: {shape}, key: {key}"
        )
    return _as_tuples(np.broadcast_to(array.astype(dtype.as_numpy_dtype), shape).tolist())


class BucketizedColumn(DenseColumn, CategoricalColumn, namedtuple("BucketizedColumn", "source_column boundaries")):
    """Between which boundaries numbers are."""

    name = property(lambda self: f"{self.source_column.name}_bucketized")
    parents = property(lambda self: [self.source_column])
    parse_example_spec = property(lambda self: self.source_column.parse_example_spec)
    variable_shape = property(
        lambda self: tensor_shape.TensorShape([*self.source_column.shape, len(self.boundaries) + 1])
    )
    num_buckets = property(lambda self: (len(self.boundaries) + 1) * self.source_column.shape[0])

    def transform_feature(self, transformation_cache, state_manager):
        source = transformation_cache.get(self.source_column, state_manager)
        return op("Bucketize")(source, boundaries=list(self.boundaries))

    def get_dense_tensor(self, transformation_cache, state_manager):
        places = math_ops.cast(transformation_cache.get(self, state_manager), dtypes.int64)
        return array_ops.one_hot(places, len(self.boundaries) + 1, 1.0, 0.0)

    def get_sparse_tensors(self, transformation_cache, state_manager):
        places = transformation_cache.get(self, state_manager)
        rows, n = array_ops.shape(places)[0], self.source_column.shape[0]
        row = array_ops.reshape(array_ops.tile(array_ops.expand_dims(math_ops.range(rows), 1), [1, n]), [-1])
        column = array_ops.tile(math_ops.range(n), array_ops.expand_dims(rows, 0))
        ids = array_ops.reshape(places, [-1]) + (len(self.boundaries) + 1) * column
        indices = math_ops.cast(array_ops.stack([row, column], 1), dtypes.int64)
        shape = math_ops.cast(array_ops.stack([rows, n]), dtypes.int64)
        return self.IdWeightPair(SparseTensor(indices, math_ops.cast(ids, dtypes.int64), shape), None)


def bucketized_column(source_column, boundaries):
    """Buckets (-inf, b0), [b0, b1) ... [bn, inf) of a numeric column with at most one axis.

    ValueError for another column, and boundaries that are not in order.
    """
    if not isinstance(source_column, NumericColumn):
        raise ValueError(f"source_column must be a column generated with numeric_column(). Given: {source_column}")
    if len(source_column.shape) > 1:
        raise ValueError(f"source_column must be one-dimensional column. Given: {source_column}")
    if not boundaries:
        raise ValueError("boundaries must not be empty.")
    if not isinstance(boundaries, (list, tuple)):
        raise ValueError("boundaries must be a sorted list.")
    if any(a >= b for a, b in zip(boundaries, boundaries[1:])):
        raise ValueError("boundaries must be a sorted list.")
    return BucketizedColumn(source_column, tuple(boundaries))


# ---- columns of ids


def _sparse(value, ignored=None):
    """A feature as a sparse tensor, of a dense one without the value that means nothing: -1, or an empty text."""
    if isinstance(value, SparseTensor):
        return value
    value = array_ops.convert_to_tensor(value)
    if ignored is None:
        ignored = "" if value.dtype.name == "string" else -1
    indices = op("Where")(op("NotEqual")(value, array_ops.convert_to_tensor(ignored, value.dtype)))
    return SparseTensor(indices, op("GatherNd")(value, indices), array_ops.shape(value, out_type=dtypes.int64))


class _KeyedColumn(CategoricalColumn):
    """A categorical column of one feature."""

    __slots__ = ()
    name = property(lambda self: self.key)
    parents = property(lambda self: [self.key])
    _parsed_type = dtypes.int64

    @property
    def parse_example_spec(self):
        return {self.key: parsing_features.VarLenFeature(self._parsed_type)}

    def transform_feature(self, transformation_cache, state_manager):
        found = _sparse(transformation_cache.get(self.key, state_manager))
        return SparseTensor(found.indices, self._ids(found.values), found.dense_shape)


class IdentityCategoricalColumn(
    _KeyedColumn, namedtuple("IdentityCategoricalColumn", "key number_buckets default_value")
):
    """Whole numbers that are ids."""

    num_buckets = property(lambda self: self.number_buckets)

    def _ids(self, values):
        if not values.dtype.is_integer:
            raise ValueError(f"Invalid input, not integer. key: {self.key} dtype: {values.dtype}")
        values = math_ops.cast(values, dtypes.int64)
        n = array_ops.convert_to_tensor(self.number_buckets, dtypes.int64)
        if self.default_value is None:
            checks = [
                assert_ops.assert_greater_equal_v1(values, math_ops.cast(0, dtypes.int64)),
                assert_ops.assert_less_v1(values, n),
            ]
            with control_dependencies([c for c in checks if c is not None]):
                return array_ops.identity(values)
        default = array_ops.convert_to_tensor(self.default_value, dtypes.int64)
        outside = op("LogicalOr")(values < 0, values >= n)
        return op("SelectV2")(outside, default, values)


def categorical_column_with_identity(key, num_buckets, default_value=None):
    """Ids from 0 to num_buckets; others become default_value, or are an InvalidArgumentError without one."""
    if num_buckets < 1:
        raise ValueError(f"num_buckets {num_buckets} < 1, column_name {key}")
    if default_value is not None and not 0 <= default_value < num_buckets:
        raise ValueError(f"default_value {default_value} not in range [0, {num_buckets}), column_name {key}")
    _check_key(key)
    return IdentityCategoricalColumn(key, num_buckets, default_value)


class _VocabularyColumn(_KeyedColumn):
    """Ids are places in a vocabulary."""

    __slots__ = ()

    @property
    def _parsed_type(self):
        return self.dtype if self.dtype.name == "string" else dtypes.int64

    def _ids(self, values):
        if self.dtype.is_integer != values.dtype.is_integer:
            raise ValueError(
                f"Column dtype and SparseTensors dtype must be compatible. key: {self.key}, column dtype: {self.dtype}, "
                f"tensor dtype: {values.dtype}"
            )
        if values.dtype.is_integer:
            values = math_ops.cast(values, dtypes.int64)
        return self._table().lookup(values)

    def _table_of(self, initializer):
        if self.num_oov_buckets:
            kind = None if initializer.key_dtype.is_integer else dtypes.as_dtype("string")
            return lookup_ops.StaticVocabularyTable(initializer, self.num_oov_buckets, lookup_key_dtype=kind)
        return lookup_ops.StaticHashTable(initializer, self.default_value)


class VocabularyListCategoricalColumn(
    _VocabularyColumn,
    namedtuple("VocabularyListCategoricalColumn", "key vocabulary_list dtype default_value num_oov_buckets"),
):
    """Places in a list."""

    num_buckets = property(lambda self: len(self.vocabulary_list) + self.num_oov_buckets)

    def _table(self):
        kind = dtypes.int64 if self.dtype.is_integer else self.dtype
        keys = array_ops.constant(list(self.vocabulary_list), kind)
        places = array_ops.constant(list(range(len(self.vocabulary_list))), dtypes.int64)
        return self._table_of(lookup_ops.KeyValueTensorInitializer(keys, places))


def categorical_column_with_vocabulary_list(key, vocabulary_list, dtype=None, default_value=-1, num_oov_buckets=0):
    """Places of texts or whole numbers in a list. Others become default_value, or one of num_oov_buckets by their hash.

    ValueError for an empty list, one with the same twice, and both ways for others.
    """
    if vocabulary_list is None or len(vocabulary_list) < 1:
        raise ValueError(f"vocabulary_list {vocabulary_list} must be non-empty, column_name: {key}")
    if len(set(vocabulary_list)) != len(vocabulary_list):
        raise ValueError(f"Duplicate keys in vocabulary_list {vocabulary_list}, column_name: {key}")
    own = dtypes.as_dtype(np.array(vocabulary_list).dtype)
    _check_unknown(key, default_value, num_oov_buckets)
    if own.name != "string" and not own.is_integer:
        raise ValueError(f"Vocabulary dtype must be string or integer, column_name: {key}, vocabulary dtype: {own}")
    dtype = own if dtype is None else dtypes.as_dtype(dtype)
    if own.is_integer != dtype.is_integer:
        raise ValueError(f"dtype {dtype} and vocabulary dtype {own} do not match, column_name: {key}")
    _check_text_or_int(dtype, key)
    _check_key(key)
    return VocabularyListCategoricalColumn(key, tuple(vocabulary_list), dtype, default_value, num_oov_buckets)


def _check_unknown(key, default_value, num_oov_buckets) -> None:
    if num_oov_buckets and num_oov_buckets < 0:
        raise ValueError(f"Invalid num_oov_buckets {num_oov_buckets} in {key}.")
    if num_oov_buckets and default_value not in (None, -1):
        raise ValueError(f"Can't specify both num_oov_buckets and default_value in {key}.")


def _check_text_or_int(dtype, key) -> None:
    if dtype.name != "string" and not dtype.is_integer:
        raise ValueError(f"column_name: {key} dtype must be string or integer. dtype: {dtype}.")


class VocabularyFileCategoricalColumn(
    _VocabularyColumn,
    namedtuple(
        "VocabularyFileCategoricalColumn",
        "key vocabulary_file vocabulary_size num_oov_buckets dtype default_value file_format",
    ),
):
    """Lines of a file."""

    num_buckets = property(lambda self: self.vocabulary_size + self.num_oov_buckets)

    def _table(self):
        kind = dtypes.int64 if self.dtype.is_integer else self.dtype
        index = lookup_ops.TextFileIndex
        return self._table_of(
            lookup_ops.TextFileInitializer(
                self.vocabulary_file, kind, index.WHOLE_LINE, dtypes.int64, index.LINE_NUMBER, self.vocabulary_size
            )
        )


def categorical_column_with_vocabulary_file(
    key,
    vocabulary_file,
    vocabulary_size=None,
    dtype=dtypes.as_dtype("string"),
    default_value=None,
    num_oov_buckets=0,
    file_format=None,
):
    """Numbers of lines in a file, of the first vocabulary_size or all. Others as in categorical_column_with_vocabulary_list.

    ValueError when there is no such file. file_format: other files than of text are not supported.
    """
    if file_format is not None:
        raise NotImplementedError(f"categorical_column_with_vocabulary_file: file_format={file_format!r}")
    if not vocabulary_file:
        raise ValueError(f"Missing vocabulary_file in {key}.")
    if vocabulary_size is None:
        if not gfile.exists(vocabulary_file):
            raise ValueError(f"vocabulary_file in {key} does not exist.")
        with gfile.GFile(vocabulary_file, "rb") as file:
            vocabulary_size = sum(1 for _ in file)
    if vocabulary_size < 1:
        raise ValueError(f"Invalid vocabulary_size in {key}.")
    _check_unknown(key, default_value, num_oov_buckets)
    dtype = dtypes.as_dtype(dtype)
    _check_text_or_int(dtype, key)
    _check_key(key)
    default_value = -1 if default_value is None else default_value
    return VocabularyFileCategoricalColumn(
        key, vocabulary_file, vocabulary_size, num_oov_buckets, dtype, default_value, file_format
    )


def categorical_column_with_vocabulary_file_v1(
    key, vocabulary_file, vocabulary_size=None, num_oov_buckets=0, default_value=None, dtype=dtypes.as_dtype("string")
):
    """The same, with the order of compat.v1's parameters."""
    return categorical_column_with_vocabulary_file(
        key, vocabulary_file, vocabulary_size, dtype, default_value, num_oov_buckets
    )


class HashedCategoricalColumn(_KeyedColumn, namedtuple("HashedCategoricalColumn", "key hash_bucket_size dtype")):
    """Hashes."""

    num_buckets = property(lambda self: self.hash_bucket_size)
    _parsed_type = property(lambda self: self.dtype)

    def _ids(self, values):
        _check_text_or_int(values.dtype, self.key)
        if self.dtype.is_integer != values.dtype.is_integer:
            raise ValueError(
                f"Column dtype and SparseTensors dtype must be compatible. key: {self.key}, column dtype: {self.dtype}, "
                f"tensor dtype: {values.dtype}"
            )
        texts = values if self.dtype.name == "string" else string_ops.as_string(values)
        return string_ops.to_hash_bucket_fast(texts, self.hash_bucket_size)


def categorical_column_with_hash_bucket(key, hash_bucket_size, dtype=dtypes.as_dtype("string")):
    """The hashes of texts or whole numbers, from 0 to hash_bucket_size."""
    if hash_bucket_size is None:
        raise ValueError(f"hash_bucket_size must be set. key: {key}")
    if hash_bucket_size < 1:
        raise ValueError(f"hash_bucket_size must be at least 1. hash_bucket_size: {hash_bucket_size}, key: {key}")
    dtype = dtypes.as_dtype(dtype)
    _check_key(key)
    _check_text_or_int(dtype, key)
    return HashedCategoricalColumn(key, hash_bucket_size, dtype)


class CrossedColumn(CategoricalColumn, namedtuple("CrossedColumn", "keys hash_bucket_size hash_key")):
    """Hashes of all combinations of several columns' values."""

    parents = property(lambda self: list(self.keys))
    num_buckets = property(lambda self: self.hash_bucket_size)

    def _leaves(self):
        for key in self.keys:
            yield from key._leaves() if isinstance(key, CrossedColumn) else [key]

    @property
    def name(self):
        return "_X_".join(sorted(key if isinstance(key, str) else key.name for key in self._leaves()))

    @property
    def parse_example_spec(self):
        spec = {}
        for key in self.keys:
            text = {key: parsing_features.VarLenFeature(dtypes.as_dtype("string"))} if isinstance(key, str) else {}
            spec.update(text or key.parse_example_spec)
        return spec

    def transform_feature(self, transformation_cache, state_manager):
        inputs = []
        for key in self._leaves():
            if isinstance(key, str):
                inputs.append(transformation_cache.get(key, state_manager))
                continue
            pair = key.get_sparse_tensors(transformation_cache, state_manager)
            if pair.weight_tensor is not None:
                raise ValueError(
                    f"crossed_column does not support weight_tensor, but the given column populates it: {key.name}"
                )
            inputs.append(pair.id_tensor)
        return sparse_ops.cross_hashed(inputs, self.hash_bucket_size, self.hash_key)


def crossed_column(keys, hash_bucket_size, hash_key=None):
    """The hashes, from 0 to hash_bucket_size, of all combinations of features (by key) and categorical columns.

    ValueError for fewer than two, and for columns of hashes or numbers.
    """
    if not hash_bucket_size or hash_bucket_size < 1:
        raise ValueError(f"hash_bucket_size must be > 1. hash_bucket_size: {hash_bucket_size}")
    if not keys or len(keys) < 2:
        raise ValueError(f"keys must be a list with length > 1. Given: {keys}")
    for key in keys:
        if not isinstance(key, (str, CategoricalColumn)):
            raise ValueError(
                "Unsupported key type. All keys must be either string, or categorical column except HashedCategoricalColumn. "
                f"Given: {key}"
            )
        if isinstance(key, HashedCategoricalColumn):
            raise ValueError(
                "categorical_column_with_hash_bucket is not supported for crossing. Hashing before crossing will increase "
                f"probability of collision. Instead, use the feature name as a string. Given: {key}"
            )
    return CrossedColumn(tuple(keys), hash_bucket_size, hash_key)


class WeightedCategoricalColumn(
    CategoricalColumn, namedtuple("WeightedCategoricalColumn", "categorical_column weight_feature_key dtype")
):
    """A categorical column whose ids have weights."""

    name = property(lambda self: f"{self.categorical_column.name}_weighted_by_{self.weight_feature_key}")
    parents = property(lambda self: [self.categorical_column, self.weight_feature_key])
    num_buckets = property(lambda self: self.categorical_column.num_buckets)

    @property
    def parse_example_spec(self):
        spec = dict(self.categorical_column.parse_example_spec)
        if self.weight_feature_key in spec:
            raise ValueError(
                f"Parse config {spec[self.weight_feature_key]} already exists for {self.weight_feature_key}."
            )
        spec[self.weight_feature_key] = parsing_features.VarLenFeature(self.dtype)
        return spec

    def transform_feature(self, transformation_cache, state_manager):
        weights = transformation_cache.get(self.weight_feature_key, state_manager)
        if self.dtype != weights.dtype.base_dtype:
            raise ValueError(f"Bad dtype, expected {self.dtype}, but got {weights.dtype}.")
        weights = _sparse(weights, 0)
        if not weights.dtype.is_floating:
            weights = sparse_ops.cast(weights, dtypes.float32)
        return self.categorical_column.get_sparse_tensors(transformation_cache, state_manager).id_tensor, weights

    def get_sparse_tensors(self, transformation_cache, state_manager):
        return self.IdWeightPair(*transformation_cache.get(self, state_manager))


def weighted_categorical_column(categorical_column, weight_feature_key, dtype=dtypes.float32):
    """The ids of a categorical column with the weights of another feature."""
    dtype = None if dtype is None else dtypes.as_dtype(dtype)
    if dtype is None or not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype {dtype} is not convertible to float.")
    return WeightedCategoricalColumn(categorical_column, weight_feature_key, dtype)


# ---- ids as numbers


class EmbeddingColumn(
    DenseColumn,
    SequenceDenseColumn,
    namedtuple(
        "EmbeddingColumn",
        "categorical_column dimension combiner initializer ckpt_to_load_from tensor_name_in_ckpt max_norm trainable "
        "use_safe_embedding_lookup",
    ),
):
    """Rows of a matrix that is learned, of several ids combined."""

    name = property(lambda self: f"{self.categorical_column.name}_embedding")
    parents = property(lambda self: [self.categorical_column])
    parse_example_spec = property(lambda self: self.categorical_column.parse_example_spec)
    variable_shape = property(lambda self: tensor_shape.TensorShape([self.dimension]))

    def transform_feature(self, transformation_cache, state_manager):
        return transformation_cache.get(self.categorical_column, state_manager)

    def create_state(self, state_manager):
        state_manager.create_variable(
            self,
            name="embedding_weights",
            shape=(self.categorical_column.num_buckets, self.dimension),
            dtype=dtypes.float32,
            trainable=self.trainable,
            use_resource=True,
            initializer=self.initializer,
        )

    def get_dense_tensor(self, transformation_cache, state_manager):
        _has_sequences(self, False)
        return self._rows(
            *self.categorical_column.get_sparse_tensors(transformation_cache, state_manager), state_manager
        )

    def get_sequence_dense_tensor(self, transformation_cache, state_manager):
        from .sequence_columns import TensorSequenceLengthPair, lengths_of

        _has_sequences(self, True)
        ids, weights = self.categorical_column.get_sequence_sparse_tensors(transformation_cache, state_manager)
        return TensorSequenceLengthPair(self._rows(ids, weights, state_manager), lengths_of(ids))

    def _rows(self, ids, weights, state_manager):
        table = state_manager.get_variable(self, "embedding_weights")
        if self.ckpt_to_load_from is not None:
            from ..training.checkpoint_values import init_from_checkpoint

            init_from_checkpoint(self.ckpt_to_load_from, {self.tensor_name_in_ckpt: table})
        if self.use_safe_embedding_lookup:
            return embedding_ops.safe_embedding_lookup_sparse(
                table, ids, weights, combiner=self.combiner, max_norm=self.max_norm
            )
        return embedding_ops.embedding_lookup_sparse(
            table, ids, weights, combiner=self.combiner, max_norm=self.max_norm
        )


def embedding_column(
    categorical_column,
    dimension,
    combiner="mean",
    initializer=None,
    ckpt_to_load_from=None,
    tensor_name_in_ckpt=None,
    max_norm=None,
    trainable=True,
    use_safe_embedding_lookup=True,
):
    """A row of `dimension` learned numbers for each id; of several ids in an example their mean, sum or sqrtn.

    initializer: of the rows, by default truncated normal numbers of deviation 1 / sqrt(dimension). ValueError for a dimension
    below 1, an initializer that cannot be called, and one of the names of a checkpoint alone.
    """
    if dimension is None or dimension < 1:
        raise ValueError(f"Invalid dimension {dimension}.")
    if (ckpt_to_load_from is None) != (tensor_name_in_ckpt is None):
        raise ValueError("Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them.")
    if initializer is not None and not callable(initializer):
        raise ValueError(
            f"initializer must be callable if specified. Embedding of column_name: {categorical_column.name}"
        )
    if initializer is None:
        initializer = initializers_v1.TruncatedNormal(mean=0.0, stddev=1 / math.sqrt(dimension))
    return EmbeddingColumn(
        categorical_column,
        dimension,
        combiner,
        initializer,
        ckpt_to_load_from,
        tensor_name_in_ckpt,
        max_norm,
        trainable,
        use_safe_embedding_lookup,
    )


class IndicatorColumn(DenseColumn, SequenceDenseColumn, namedtuple("IndicatorColumn", "categorical_column")):
    """How often each id is there, or the sum of its weights."""

    name = property(lambda self: f"{self.categorical_column.name}_indicator")
    parents = property(lambda self: [self.categorical_column])
    parse_example_spec = property(lambda self: self.categorical_column.parse_example_spec)
    variable_shape = property(lambda self: tensor_shape.TensorShape([1, self.categorical_column.num_buckets]))

    def get_dense_tensor(self, transformation_cache, state_manager):
        _has_sequences(self, False)
        return transformation_cache.get(self, state_manager)

    def get_sequence_dense_tensor(self, transformation_cache, state_manager):
        from .sequence_columns import TensorSequenceLengthPair, lengths_of

        _has_sequences(self, True)
        ids, _ = self.categorical_column.get_sequence_sparse_tensors(transformation_cache, state_manager)
        return TensorSequenceLengthPair(transformation_cache.get(self, state_manager), lengths_of(ids))

    def transform_feature(self, transformation_cache, state_manager):
        own = self.categorical_column
        of_ids = getattr(own, "get_sequence_sparse_tensors", own.get_sparse_tensors)
        ids, weights = of_ids(transformation_cache, state_manager)
        n = own.num_buckets
        if weights is None:
            dense = sparse_ops.to_dense(ids, -1)
            return math_ops.reduce_sum(array_ops.one_hot(dense, n, 1.0, 0.0), [-2])
        kept = op("LogicalAnd")(ids.values >= 0, ids.values < n)
        rows = array_ops.concat([ids.indices[:, :-1], array_ops.expand_dims(ids.values, 1)], 1)
        shape = array_ops.concat([ids.dense_shape[:-1], array_ops.constant([n], dtypes.int64)], 0)
        return indexing_ops.scatter_nd(
            array_ops.boolean_mask(rows, kept), array_ops.boolean_mask(weights.values, kept), shape
        )


def indicator_column(categorical_column):
    """Numbers [num_buckets]: how often each id of a categorical column is in an example. ValueError for another column."""
    if not isinstance(categorical_column, CategoricalColumn):
        raise ValueError(f"Unsupported input type. Input must be a CategoricalColumn. Given: {categorical_column}")
    return IndicatorColumn(categorical_column)


def make_parse_example_spec(feature_columns):
    """What tf.io.parse_example takes to parse the features of these columns.

    ValueError for what is no column, and for columns that want one feature in two ways.
    """
    found = {}
    for column in feature_columns:
        if not isinstance(column, FeatureColumn):
            raise ValueError(f"All feature_columns must be FeatureColumn instances. Given: {column}")
        for key, spec in column.parse_example_spec.items():
            if key in found and found[key] != spec:
                raise ValueError(
                    f"feature_columns contain different parse_spec for key {key}. Given {spec} and {found[key]}"
                )
            found[key] = spec
    return found


# ---- what reads columns, in graphs of TensorFlow 1


def _checked_columns(feature_columns) -> list:
    """The columns in the order of their names."""
    if isinstance(feature_columns, dict):
        raise ValueError("Expected feature_columns to be iterable, found dict.")
    columns = [feature_columns] if isinstance(feature_columns, FeatureColumn) else list(feature_columns)
    if not columns:
        raise ValueError("feature_columns must not be empty.")
    named: dict = {}
    for column in columns:
        if not isinstance(column, FeatureColumn):
            raise ValueError(
                f"Items of feature_columns must be a FeatureColumn. Given (type {type(column)}): {column}."
            )
        if column.name in named:
            raise ValueError(
                f"Duplicate feature column name found for columns: {column} and {named[column.name]}. This usually means that "
                "these columns refer to same base feature. Either one must be discarded or a duplicated but renamed item must "
                "be inserted in features dict."
            )
        named[column.name] = column
    return [named[name] for name in sorted(named)]


def _collections(wanted) -> list:
    return list(dict.fromkeys([*(wanted or ()), "variables", "model_variables"]))


def input_layer(
    features, feature_columns, weight_collections=None, trainable=True, cols_to_vars=None, cols_to_output_tensors=None
):
    """[batch, all numbers of the dense columns], in the order of their names; variables of embeddings are made in the scope
    input_layer. cols_to_vars, cols_to_output_tensors: dictionaries that are filled. ValueError for categorical columns."""
    columns = _checked_columns(feature_columns)
    for column in columns:
        if not isinstance(column, DenseColumn):
            raise ValueError(
                "Items of feature_columns must be a _DenseColumn. You can wrap a categorical column with an embedding_column "
                f"or indicator_column. Given: {column}"
            )
    cache, parts = FeatureTransformationCache(features), []
    with variable_scope(None, default_name="input_layer", values=features.values()):
        for column in columns:
            states = _ScopedVariables(trainable, _collections(weight_collections))
            with variable_scope(None, default_name=_scope_name(column)):
                column.create_state(states)
                made = column.get_dense_tensor(cache, states)
                parts.append(array_ops.reshape(made, [array_ops.shape(made)[0], column.variable_shape.num_elements()]))
            if cols_to_vars is not None:
                cols_to_vars[column] = _parts(states.made.values())
            if cols_to_output_tensors is not None:
                cols_to_output_tensors[column] = parts[-1]
        return array_ops.concat(parts, 1)


def _parts(made) -> list:
    """Variables, of partitioned ones their parts."""
    return [part for v in made for part in (v if isinstance(v, PartitionedVariable) else [v])]


def _scope_name(column) -> str:
    """The name with characters that names of scopes may have."""
    return "".join(c if c.isalnum() or c in "._/-" else "_" for c in column.name)


def linear_model(
    features,
    feature_columns,
    units=1,
    sparse_combiner="sum",
    weight_collections=None,
    trainable=True,
    cols_to_vars=None,
):
    """[batch, units]: the sum of each column's numbers, or ids, times its weights, and a bias; all begin as zeros.

    Variables are made in the scope linear_model. cols_to_vars: a dictionary that is filled, by column and "bias".
    """
    columns = _checked_columns(feature_columns)
    for column in columns:
        if not isinstance(column, (DenseColumn, CategoricalColumn)):
            raise ValueError(
                f"Items of feature_columns must be either a _DenseColumn or _CategoricalColumn. Given: {column}"
            )
    cache, parts = FeatureTransformationCache(features), []
    options = dict(trainable=trainable, collections=_collections(weight_collections))
    zeros = initializers_v1.Zeros()
    with variable_scope(None, default_name="linear_model", values=features.values()):
        for column in columns:
            with variable_scope(None, default_name=_scope_name(column)):
                ids = isinstance(column, CategoricalColumn)
                rows = column.num_buckets if ids else column.variable_shape.num_elements()
                states = _ScopedVariables(trainable, options["collections"])
                weights = get_variable("weights", [rows, units], dtypes.float32, zeros, **options)
                column.create_state(states)
                parts.append((_sum_of_ids if ids else _product)(column, cache, states, weights, sparse_combiner))
            if cols_to_vars is not None:
                cols_to_vars[column] = _parts([weights, *states.made.values()])
        bias = get_variable("bias_weights", [units], dtypes.float32, zeros, **options)
        if cols_to_vars is not None:
            cols_to_vars["bias"] = _parts([bias])
        return op("BiasAdd")(math_ops.add_n(parts), array_ops.convert_to_tensor(bias), name="weighted_sum")


def _product(column, cache, states, weights, combiner):
    numbers = column.get_dense_tensor(cache, states)
    rows = array_ops.reshape(numbers, [array_ops.shape(numbers)[0], column.variable_shape.num_elements()])
    return math_ops.matmul(rows, array_ops.convert_to_tensor(weights))


def _sum_of_ids(column, cache, states, weights, combiner):
    ids, of_ids = column.get_sparse_tensors(cache, states)
    flat = array_ops.stack([ids.dense_shape[0], math_ops.reduce_prod(ids.dense_shape[1:])])
    ids = sparse_ops.reshape(ids, flat)
    of_ids = None if of_ids is None else sparse_ops.reshape(of_ids, flat)
    return embedding_ops.safe_embedding_lookup_sparse_v1(weights, ids, of_ids, combiner=combiner)
