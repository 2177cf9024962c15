"""Readers of compat.v1: graphs' ops that read records of the files whose names a queue gives."""

from __future__ import annotations

from ..core import dtypes, graph
from ..core.op_defs import op
from ..files import records
from .array_ops import convert_to_tensor


class ReaderBase:
    """A reader. Each of its methods makes ops, which run in sessions."""

    def __init__(self, reader_ref, supports_serialize=False):
        if graph.current() is None:
            raise RuntimeError(
                "Readers are not supported when eager execution is enabled. Instead, please use tf.data to get data into "
                "your model."
            )
        self._reader_ref, self._supports_serialize = reader_ref, supports_serialize

    reader_ref = property(lambda self: self._reader_ref, doc="The op of the reader.")
    supports_serialize = property(lambda self: self._supports_serialize, doc="Whether its state can be kept.")

    def read(self, queue, name=None):
        """(key, value) of the next record. OutOfRangeError when the queue is closed and empty."""
        return op("ReaderReadV2")(self._reader_ref, _ref(queue), name=name)

    def read_up_to(self, queue, num_records, name=None):
        """(keys, values) of the next records, at most so many."""
        return op("ReaderReadUpToV2")(self._reader_ref, _ref(queue), num_records, name=name)

    def num_records_produced(self, name=None):
        """How many records were read, int64."""
        return op("ReaderNumRecordsProducedV2")(self._reader_ref, name=name)

    def num_work_units_completed(self, name=None):
        """How many files were read to their ends, int64."""
        return op("ReaderNumWorkUnitsCompletedV2")(self._reader_ref, name=name)

    def serialize_state(self, name=None):
        """The state as a byte string."""
        return op("ReaderSerializeStateV2")(self._reader_ref, name=name)

    def restore_state(self, state, name=None):
        """Goes back to a state, a scalar. ValueError when it is none."""
        state = convert_to_tensor(state, dtype=dtypes.string)
        if state.shape.rank not in (None, 0):
            raise ValueError(f"Shape must be rank 0 but is rank {state.shape.rank}")
        return op("ReaderRestoreStateV2")(self._reader_ref, state, name=name)

    def reset(self, name=None):
        """Goes back to the beginning."""
        return op("ReaderResetV2")(self._reader_ref, name=name)


def _ref(queue):
    return getattr(queue, "queue_ref", queue)


class WholeFileReader(ReaderBase):
    """Records are whole files, keys their names."""

    def __init__(self, name=None):
        super().__init__(op("WholeFileReaderV2")(name=name), supports_serialize=True)


class TextLineReader(ReaderBase):
    """Records are lines, keys FILE:NUMBER. skip_header_lines: lines left out at a file's beginning."""

    def __init__(self, skip_header_lines=None, name=None):
        super().__init__(op("TextLineReaderV2")(skip_header_lines=skip_header_lines or 0, name=name))


class FixedLengthRecordReader(ReaderBase):
    """Records have so many bytes, after a header and before a footer. hop_bytes: from one record's begin to the next's."""

    def __init__(self, record_bytes, header_bytes=None, footer_bytes=None, hop_bytes=None, name=None, encoding=None):
        super().__init__(
            op("FixedLengthRecordReaderV2")(
                record_bytes=record_bytes,
                header_bytes=header_bytes or 0,
                footer_bytes=footer_bytes or 0,
                hop_bytes=hop_bytes or 0,
                encoding=encoding or "",
                name=name,
            )
        )


class TFRecordReader(ReaderBase):
    """Records of TFRecord files."""

    def __init__(self, name=None, options=None):
        kind = records.TFRecordOptions.get_compression_type_string(options)
        super().__init__(op("TFRecordReaderV2")(compression_type=kind, name=name))


class LMDBReader(ReaderBase):
    """Records of LMDB databases."""

    def __init__(self, name=None, options=None):
        del options  # it has no effect
        super().__init__(op("LMDBReader")(name=name))


class IdentityReader(ReaderBase):
    """Key and value are what the queue gives."""

    def __init__(self, name=None):
        super().__init__(op("IdentityReaderV2")(name=name), supports_serialize=True)
