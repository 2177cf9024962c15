"""Datasets of the records of files: lines of text, records of TFRecord files and of fixed length, rows of CSV files."""

from __future__ import annotations

import os

from ..core import dtypes, tensor
from ..core.op_defs import op
from ..core.type_spec import TensorSpec
from ..ops import array_ops
from . import elements
from .dataset import Dataset, int64
from .dataset_v1 import DatasetV1

_BUFFER = 256 * 1024  # bytes


def _text(value, default=""):
    return array_ops.convert_to_tensor(default if value is None else value, dtypes.string)


def _names(filenames):
    """The files as a dataset of scalars, or a tensor of any shape as one. TypeError for other datasets."""
    if isinstance(filenames, Dataset):
        spec = filenames.element_spec
        if not isinstance(spec, TensorSpec) or spec.dtype != dtypes.string:
            raise TypeError(
                f"The `filenames` argument must contain `tf.string` elements. Got a dataset of `{elements.legacy_types(spec)}` elements."
            )
        if not spec.shape.is_compatible_with([]):
            raise TypeError(
                f"The `filenames` argument must contain `tf.string` elements of shape [] (i.e. scalars). Got a dataset of element shape {spec.shape}."
            )
        return filenames
    if not isinstance(filenames, tensor.Tensor):
        many = isinstance(filenames, (list, tuple))
        filenames = [_as_path(f) for f in filenames] if many else _as_path(filenames)
    made = array_ops.convert_to_tensor(filenames)
    if made.dtype != dtypes.string:
        raise TypeError(f"The `filenames` argument must contain `tf.string` elements. Got `{made.dtype!r}` elements.")
    return made


def _as_path(value):
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def _fill(dataset, cls, made_of, num_parallel_reads, name):
    """Makes `dataset` the records of all files: cls gives the node's variant for a vector or scalar of names."""
    Dataset.__init__(dataset, None)
    dataset._element_spec, dataset._keeps, dataset._made_of = TensorSpec([], dtypes.string), (), ()
    names = _names(made_of)
    if num_parallel_reads is None and not isinstance(names, Dataset):
        dataset._variant_tensor = cls(op("Reshape")(names, [-1]))
        return
    if not isinstance(names, Dataset):
        names = Dataset.from_tensor_slices(op("Reshape")(names, [-1]), name=name)
    spec = dataset._element_spec

    def records(file):
        return Dataset._made("Records", cls(file), spec)

    if num_parallel_reads is None:
        whole = names.flat_map(records)
    else:
        whole = names.interleave(records, cycle_length=num_parallel_reads, num_parallel_calls=num_parallel_reads)
    dataset._variant_tensor, dataset._made_of = whole._variant_tensor, (whole,)


class TextLineDataset(Dataset):
    """The lines of text files, without their ends. compression_type: "", "GZIP" or "ZLIB"."""

    _is_plain = False
    _kind = "TextLineDatasetV2"  # as it is shown

    def __init__(self, filenames, compression_type=None, buffer_size=None, num_parallel_reads=None, name=None):
        kind, size = _text(compression_type), int64(_BUFFER if buffer_size is None else buffer_size)
        _fill(self, lambda f: op("TextLineDataset")(f, kind, size, name=name), filenames, num_parallel_reads, name)


class TFRecordDataset(Dataset):
    """The records of TFRecord files, as texts. compression_type: "", "GZIP" or "ZLIB"."""

    _is_plain = False
    _kind = "TFRecordDatasetV2"  # as it is shown

    def __init__(self, filenames, compression_type=None, buffer_size=None, num_parallel_reads=None, name=None):
        kind, size = _text(compression_type), int64(_BUFFER if buffer_size is None else buffer_size)
        _fill(self, lambda f: op("TFRecordDataset")(f, kind, size, name=name), filenames, num_parallel_reads, name)


class FixedLengthRecordDataset(Dataset):
    """The records of record_bytes of files, between header_bytes and footer_bytes of each."""

    _is_plain = False
    _kind = "FixedLengthRecordDatasetV2"  # as it is shown

    def __init__(
        self, filenames, record_bytes, header_bytes=None, footer_bytes=None, buffer_size=None, compression_type=None,
        num_parallel_reads=None, name=None,
    ):  # fmt: skip
        numbers = [int64(n or 0) if n is None else int64(n) for n in (header_bytes, record_bytes, footer_bytes)]
        numbers.append(int64(_BUFFER if buffer_size is None else buffer_size))
        kind = _text(compression_type)
        _fill(
            self,
            lambda f: op("FixedLengthRecordDatasetV2")(f, *numbers, kind, name=name),
            filenames,
            num_parallel_reads,
            name,
        )


# TensorFlow takes a default that is the number of a type for that type: 1 means a float32 that must be there, and 2.0 a float64.
_TYPES_BY_NUMBER = {
    t.as_datatype_enum: t for t in (dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64, dtypes.string)
}


class CsvDataset(Dataset):
    """The rows of CSV files as tuples of scalars. record_defaults: a default, or the type of a column that must be there."""

    _is_plain = False

    def __init__(
        self, filenames, record_defaults, compression_type=None, buffer_size=None, header=False, field_delim=",",
        use_quote_delim=True, na_value="", select_cols=None, exclude_cols=None,
    ):  # fmt: skip
        defaults = []
        for d in record_defaults:
            if type(d) in (int, float) and d in _TYPES_BY_NUMBER:
                d = _TYPES_BY_NUMBER[d]
            is_type = isinstance(d, (dtypes.DType, type))
            defaults.append(array_ops.constant([], dtypes.as_dtype(d)) if is_type else _default(d))
        spec = tuple(TensorSpec([], d.dtype) for d in defaults)
        Dataset.__init__(
            self,
            op("CSVDatasetV2")(
                _names(filenames), _text(compression_type), int64(4 * 1024 * 1024 if buffer_size is None else buffer_size),
                array_ops.convert_to_tensor(header, dtypes.bool_), _text(field_delim, ","),
                array_ops.convert_to_tensor(use_quote_delim, dtypes.bool_), _text(na_value), int64(select_cols or []), defaults,
                int64(exclude_cols or []), output_shapes=[s.shape for s in spec],
            ),
        )  # fmt: skip
        self._element_spec, self._keeps, self._made_of = spec, (), ()


def _default(value):
    if isinstance(value, tensor.Tensor):
        return value
    made = array_ops.convert_to_tensor(value)
    return made if made.shape.rank else op("ExpandDims")(made, 0)


class SqlDataset(Dataset):
    """The rows of a database's answer: not supported."""

    _is_plain = False

    def __init__(self, driver_name, data_source_name, query, output_types):
        raise NotImplementedError("tf.data.experimental.SqlDataset: there is no database here")


class TextLineDatasetV1(TextLineDataset, DatasetV1):
    """TextLineDataset with what TensorFlow 1's datasets have."""

    _is_plain = False


class TFRecordDatasetV1(TFRecordDataset, DatasetV1):
    """TFRecordDataset with what TensorFlow 1's datasets have."""

    _is_plain = False


class FixedLengthRecordDatasetV1(FixedLengthRecordDataset, DatasetV1):
    """FixedLengthRecordDataset with what TensorFlow 1's datasets have."""

    _is_plain = False


class CsvDatasetV1(CsvDataset, DatasetV1):
    """CsvDataset with what TensorFlow 1's datasets have."""

    _is_plain = False
