"""Examples, CSV lines and raw bytes as tensors: tf.io.parse_example and its family, decode_csv, decode_raw, protos."""

from __future__ import annotations

from ..core import dtypes, errors, graph, tensor_shape
from ..core.op_defs import op
from ..core.scopes import name_scope_v1
from . import ragged_features
from .array_ops import convert_to_tensor
from .parsing_features import (
    FixedLenFeature,
    FixedLenSequenceFeature,
    Plan,
    RaggedFeature,
    SparseFeature,
    VarLenFeature,
)

_EXAMPLE = (VarLenFeature, SparseFeature, FixedLenFeature, FixedLenSequenceFeature, RaggedFeature)
_CONTEXT = (VarLenFeature, FixedLenFeature, RaggedFeature)
_SEQUENCE = (VarLenFeature, FixedLenSequenceFeature, RaggedFeature)


def parse_example(serialized, features, example_names=None, name=None):
    """A dictionary of tensors, SparseTensors and RaggedTensors by key of a vector of serialized Examples, or of one.

    features: FixedLenFeature and its kind by key. ValueError for features that do not fit each other,
    InvalidArgumentError for examples that lack what has no default.
    """
    if not features:
        raise ValueError(f"Argument `features` cannot be None or falsy. Got {features}")
    plan = Plan(features, _EXAMPLE)
    with name_scope_v1(name, "ParseExample"):
        return _parse_example(serialized, plan, example_names, name)


def _parse_example(serialized, plan, example_names, name):
    serialized = convert_to_tensor(serialized, dtype=dtypes.string, name="serialized")
    names = [] if example_names is None else example_names
    out = op("ParseExampleV2")(
        serialized,
        names,
        list(plan.sparse),
        list(plan.dense),
        list(plan.ragged),
        plan.dense_defaults(),
        num_sparse=len(plan.sparse),
        sparse_types=list(plan.sparse.values()),
        ragged_value_types=plan.ragged_types(),
        ragged_split_types=plan.split_types(),
        dense_shapes=plan.dense_shapes(),
        name=name,
    )
    found = {k: _sparse(*parts) for k, *parts in zip(plan.sparse, out[0], out[1], out[2])}
    found.update(zip(plan.dense, out[3]))
    ragged = dict(zip(plan.ragged, zip(out[4], out[5])))
    batched = serialized.shape.rank != 0
    return _finish(plan, found, ragged, batched)


def parse_example_v1(serialized, features, name=None, example_names=None):
    """See tf.io.parse_example."""
    return parse_example(serialized, features, example_names, name)


def parse_single_example(serialized, features, example_names=None, name=None):
    """The same of one serialized Example, a scalar: tensors have no dimension of a batch."""
    if not features:
        raise ValueError("Invalid argument: features cannot be None.")
    with name_scope_v1(name, "ParseSingleExample"):
        serialized = convert_to_tensor(serialized, dtype=dtypes.string, name="serialized")
        _check_scalar(serialized, "serialized")
        if example_names is not None:
            example_names = convert_to_tensor(example_names, dtype=dtypes.string, name="name")
            _check_scalar(example_names, "name")
        return parse_example(serialized, features, example_names)


def parse_single_example_v1(serialized, features, name=None, example_names=None):
    """See tf.io.parse_single_example."""
    return parse_single_example(serialized, features, example_names, name)


def _check_scalar(value, what):
    if value.shape.rank not in (None, 0):
        raise ValueError(f"Input {what} must be a scalar. Got shape {value.shape}.")


def _sparse(indices, values, shape):
    from .. import SparseTensor

    return SparseTensor(indices, values, shape)


def _finish(plan, found, ragged, batched):
    """The features of what the op gave: those of several keys are put together, and keys that serve only them left out."""
    out = {}
    for key, feature in plan.features.items():
        if isinstance(feature, SparseFeature):
            out[key] = _merge_sparse(found, feature, batched)
        elif isinstance(feature, RaggedFeature):
            out[key] = ragged_features.build(key, feature, ragged, batched)
        else:
            out[key] = found[key]
    return dict(sorted(out.items()))


def _merge_sparse(found, feature, batched):
    """Values under one key with indices under others as one SparseTensor."""
    from .. import SparseTensor, sparse

    keys, sizes = feature.index_key, feature.size
    keys, sizes = (list(keys), list(sizes)) if isinstance(keys, (list, tuple)) else ([keys], [sizes])
    if len(keys) != len(sizes):
        raise ValueError("sp_ids and vocab_size have to have equal lengths.")
    values = found[feature.value_key]
    columns = [op("ExpandDims")(found[k].values, 1) for k in keys]
    if batched:
        columns.insert(0, op("Slice")(values.indices, [0, 0], [-1, 1]))
    indices = op("ConcatV2")(columns, 1) if len(columns) > 1 else columns[0]
    shape = convert_to_tensor(sizes, dtype=dtypes.int64)
    if batched:
        shape = op("ConcatV2")([op("Slice")(values.dense_shape, [0], [1]), shape], 0)
    made = SparseTensor(indices, values.values, shape)
    return made if feature.already_sorted else sparse.reorder(made)


# ---- examples of sequences


def parse_sequence_example(serialized, context_features=None, sequence_features=None, example_names=None, name=None):
    """(context, sequences, lengths) of a vector of serialized SequenceExamples: three dictionaries by key.

    Dense sequences are padded to the longest of the batch, and lengths has what each had.
    """
    return _sequences(serialized, context_features, sequence_features, example_names, name)


def parse_single_sequence_example(
    serialized, context_features=None, sequence_features=None, example_name=None, name=None
):
    """(context, sequences) of one serialized SequenceExample, a scalar."""
    serialized = convert_to_tensor(serialized, dtype=dtypes.string)
    _check_scalar(serialized, "serialized")
    return _sequences(serialized, context_features, sequence_features, example_name, name)[:2]


def _sequences(serialized, context_features, sequence_features, example_names, name):
    if not (context_features or sequence_features):
        raise ValueError(
            "Both `context_features` and `sequence_features` are None, but at least one should have values."
        )
    context = Plan(context_features or {}, _CONTEXT)
    lists = Plan(sequence_features or {}, _SEQUENCE, sequence=True)
    serialized = convert_to_tensor(serialized, dtype=dtypes.string)
    batched = serialized.shape.rank != 0
    out = op("ParseSequenceExampleV2")(
        serialized,
        [] if example_names is None else example_names,
        list(context.sparse),
        list(context.dense),
        list(context.ragged),
        list(lists.sparse),
        list(lists.dense),
        list(lists.ragged),
        [key in lists.may_be_missing for key in lists.dense],
        context.dense_defaults(),
        Ncontext_sparse=len(context.sparse),
        context_sparse_types=list(context.sparse.values()),
        context_ragged_value_types=context.ragged_types(),
        context_ragged_split_types=context.split_types(),
        context_dense_shapes=context.dense_shapes(),
        Nfeature_list_sparse=len(lists.sparse),
        Nfeature_list_dense=len(lists.dense),
        feature_list_dense_types=lists.dense_types(),
        feature_list_sparse_types=list(lists.sparse.values()),
        feature_list_ragged_value_types=lists.ragged_types(),
        feature_list_ragged_split_types=lists.split_types(),
        feature_list_dense_shapes=lists.dense_shapes(),
        name=name or "ParseSequenceExample",
    )
    found = {k: _sparse(*parts) for k, *parts in zip(context.sparse, *out[0:3])}
    found.update(zip(context.dense, out[3]))
    ragged = dict(zip(context.ragged, zip(out[4], out[5])))
    contexts = _finish(context, found, ragged, batched)

    found = {k: _sparse(*parts) for k, *parts in zip(lists.sparse, *out[6:9])}
    found.update(zip(lists.dense, out[9]))
    ragged = dict(zip(lists.ragged, zip(out[11], out[12], out[13])))
    sequences = {
        key: ragged_features.build_sequence(key, feature, ragged, batched)
        if isinstance(feature, RaggedFeature)
        else found[key]
        for key, feature in sorted((sequence_features or {}).items())
    }
    return contexts, sequences, dict(zip(lists.dense, out[10]))


# ---- lines and bytes


def decode_csv(
    records, record_defaults, field_delim=",", use_quote_delim=True, na_value="", select_cols=None, name=None
):
    """The fields of CSV lines: a list of tensors of the records' shape, of the types of record_defaults.

    record_defaults: by column a scalar or vector of one value, or an empty vector where a value has to be. select_cols:
    the numbers of the columns wanted, ascending. InvalidArgumentError for lines that do not fit.
    """
    if select_cols is not None and any(b <= a for a, b in zip(select_cols, select_cols[1:])):
        raise ValueError("select_cols is not strictly increasing.")
    if select_cols is not None and select_cols[0] < 0:
        raise ValueError("select_cols contains negative values.")
    if select_cols is not None and len(select_cols) != len(record_defaults):
        raise ValueError("Length of select_cols and record_defaults do not match.")
    return op("DecodeCSV")(
        records,
        [_default_of_column(d) for d in record_defaults],
        field_delim=field_delim,
        use_quote_delim=use_quote_delim,
        na_value=na_value,
        select_cols=select_cols or [],
        name=name,
    )


def _default_of_column(value):
    """A type stands for a column that has to be there."""
    made = convert_to_tensor([], dtype=value) if isinstance(value, dtypes.DType) else convert_to_tensor(value)
    rank = made.shape.rank
    if rank is not None and rank > 1:
        if graph.current() is not None:
            raise ValueError(f"Shape must be at most rank 1 but is rank {rank}")
        raise errors.InvalidArgumentError(None, None, "Each record default should be at most rank 1")
    return made


def decode_csv_v1(
    records, record_defaults, field_delim=",", use_quote_delim=True, name=None, na_value="", select_cols=None
):
    """See tf.io.decode_csv."""
    return decode_csv(records, record_defaults, field_delim, use_quote_delim, na_value, select_cols, name)


def decode_raw(input_bytes, out_type, little_endian=True, fixed_length=None, name=None):
    """Byte strings as numbers: a dimension more than input_bytes. fixed_length: bytes of each, cut off or padded to it."""
    if fixed_length is not None:
        return op("DecodePaddedRaw")(
            input_bytes, fixed_length, out_type=out_type, little_endian=little_endian, name=name
        )
    return op("DecodeRaw")(input_bytes, out_type=out_type, little_endian=little_endian, name=name)


def decode_raw_v1(input_bytes=None, out_type=None, little_endian=True, name=None, bytes=None):
    """See tf.io.decode_raw."""
    if input_bytes is not None and bytes is not None:
        raise ValueError("Cannot specify both 'bytes' and 'input_bytes'")
    if out_type is None:
        raise ValueError("decode_raw_v1() missing 1 positional argument: 'out_type'")
    return decode_raw(bytes if input_bytes is None else input_bytes, out_type, little_endian, name=name)


def decode_json_example(json_examples, name=None):
    """Examples in JSON as serialized Examples, of the same shape."""
    return op("DecodeJSONExample")(json_examples, name=name)


def decode_compressed(bytes, compression_type="", name=None):
    """Byte strings that were compressed ("", "ZLIB" or "GZIP") as they were."""
    return op("DecodeCompressed")(bytes, compression_type=compression_type, name=name)


def decode_base64(input, name=None):
    """Texts in web-safe base64 as byte strings."""
    return op("DecodeBase64")(input, name=name)


def encode_base64(input, pad=False, name=None):
    """Byte strings as texts in web-safe base64, with "=" at their ends if pad."""
    return op("EncodeBase64")(input, pad=pad, name=name)


# ---- tensors and messages


def parse_tensor(serialized, out_type, name=None):
    """A serialized TensorProto, a scalar, as a tensor of this type."""
    return op("ParseTensor")(serialized, out_type=out_type, name=name)


def serialize_tensor(tensor, name=None):
    """A tensor as a serialized TensorProto, a scalar."""
    return op("SerializeTensor")(tensor, name=name)


def decode_proto(
    bytes,
    message_type,
    field_names,
    output_types,
    descriptor_source="local://",
    message_format="binary",
    sanitize=False,
    name=None,
):
    """(sizes, values) of the fields of serialized messages: how many each has, and a tensor of each field's values.

    descriptor_source: "local://" for TensorFlow's own messages, "bytes://..." with a FileDescriptorSet, or a file of one.
    """
    return op("DecodeProtoV2")(
        bytes,
        message_type=message_type,
        field_names=list(field_names),
        output_types=list(output_types),
        descriptor_source=_descriptors(descriptor_source),
        message_format=message_format,
        sanitize=sanitize,
        name=name,
    )


def encode_proto(sizes, values, field_names, message_type, descriptor_source="local://", name=None):
    """Serialized messages of their fields' values; the reverse of decode_proto."""
    return op("EncodeProto")(
        sizes,
        values,
        field_names=list(field_names),
        message_type=message_type,
        descriptor_source=_descriptors(descriptor_source),
        name=name,
    )


def _descriptors(source):
    """The messages that are known here ("local://") as bytes; other sources as they are."""
    if source not in ("local://", b"local://"):
        return source
    from ..core import message_files

    return b"bytes://" + message_files.descriptor_set()


# ---- sparse tensors


def serialize_sparse(sp_input, out_type=dtypes.string, name=None):
    """A SparseTensor as a vector of three: indices, values, shape, serialized."""
    return op("SerializeSparse")(sp_input.indices, sp_input.values, sp_input.dense_shape, out_type=out_type, name=name)


def serialize_sparse_v1(sp_input, name=None, out_type=dtypes.string):
    """See tf.io.serialize_sparse."""
    return serialize_sparse(sp_input, out_type, name)


def serialize_many_sparse(sp_input, out_type=dtypes.string, name=None):
    """A SparseTensor as a matrix: a row of three for each of its first dimension."""
    return op("SerializeManySparse")(
        sp_input.indices, sp_input.values, sp_input.dense_shape, out_type=out_type, name=name
    )


def serialize_many_sparse_v1(sp_input, name=None, out_type=dtypes.string):
    """See tf.io.serialize_many_sparse."""
    return serialize_many_sparse(sp_input, out_type, name)


def deserialize_many_sparse(serialized_sparse, dtype, rank=None, name=None):
    """The SparseTensor of a matrix of serialized ones: they become its first dimension."""
    indices, values, shape = op("DeserializeManySparse")(serialized_sparse, dtype=dtype, name=name)
    if rank is not None and not isinstance(shape, type(None)):
        if hasattr(indices, "set_shape"):
            indices.set_shape(tensor_shape.TensorShape([None, rank + 1]))
            shape.set_shape([rank + 1])
    return _sparse(indices, values, shape)
