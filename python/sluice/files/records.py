"""TFRecords: files of byte strings, each with its length and checksums, plain or compressed.

length (uint64) | masked crc32c of the length | data | masked crc32c of the data        little endian
"""

from __future__ import annotations

import functools
import struct
import zlib

from ..core import errors
from . import gfile


class TFRecordCompressionType:
    """How records are compressed."""

    NONE = 0
    ZLIB = 1
    GZIP = 2


_TYPES = {TFRecordCompressionType.NONE: "", TFRecordCompressionType.ZLIB: "ZLIB", TFRecordCompressionType.GZIP: "GZIP"}


class TFRecordOptions:
    """How a file of records is compressed: compression_type "", "GZIP" or "ZLIB", and zlib's parameters."""

    compression_type_map = _TYPES

    def __init__(
        self,
        compression_type=None,
        flush_mode=None,
        input_buffer_size=None,
        output_buffer_size=None,
        window_bits=None,
        compression_level=None,
        compression_method=None,
        mem_level=None,
        compression_strategy=None,
    ):
        self.get_compression_type_string(compression_type)
        self.compression_type = compression_type
        self.flush_mode = flush_mode
        self.input_buffer_size = input_buffer_size
        self.output_buffer_size = output_buffer_size
        self.window_bits = window_bits
        self.compression_level = compression_level
        self.compression_method = compression_method
        self.mem_level = mem_level
        self.compression_strategy = compression_strategy

    @classmethod
    def get_compression_type_string(cls, options):
        """ "", "GZIP" or "ZLIB" of options, of a TFRecordCompressionType, or of such a text. ValueError for others."""
        if not options:
            return ""
        if isinstance(options, TFRecordOptions):
            return cls.get_compression_type_string(options.compression_type)
        if isinstance(options, int) and options in _TYPES:
            return _TYPES[options]
        if options in _TYPES.values():
            return options
        raise ValueError(f'Not a valid compression_type: "{options}"')


# ---- checksums


@functools.cache
def _table() -> list[int]:
    table = []
    for n in range(256):
        for _ in range(8):
            n = n >> 1 ^ (0x82F63B78 if n & 1 else 0)
        table.append(n)
    return table


def crc32c(data: bytes) -> int:
    """The Castagnoli checksum."""
    table, crc = _table(), 0xFFFFFFFF
    for byte in data:
        crc = table[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def masked_crc(data: bytes) -> bytes:
    """The checksum as records have it."""
    crc = crc32c(data)
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


# ---- writing


class TFRecordWriter:
    """Writes records to a file. options: TFRecordOptions, a compression type, or None.

    with tf.io.TFRecordWriter(path) as w:
        w.write(example.SerializeToString())
    """

    def __init__(self, path, options=None):
        kind = TFRecordOptions.get_compression_type_string(options)
        options = options if isinstance(options, TFRecordOptions) else TFRecordOptions()
        path = gfile.local_path(path)
        with gfile._told(path):
            self._file = open(path, "wb")
        self._packer = _packer(kind, options)

    def write(self, record):
        """Adds a record, bytes or a text. FailedPreconditionError when the writer is closed."""
        record = record.encode() if isinstance(record, str) else bytes(record)
        length = struct.pack("<Q", len(record))
        self._put(length + masked_crc(length) + record + masked_crc(record))

    def _put(self, data):
        self._check()
        self._file.write(self._packer.compress(data) if self._packer else data)

    def _check(self):
        if self._file is None:
            raise errors.FailedPreconditionError(None, None, "Writer is closed.")

    def flush(self):
        """Writes what was kept in memory."""
        self._check()
        if self._packer:
            self._file.write(self._packer.flush(zlib.Z_SYNC_FLUSH))
        self._file.flush()

    def close(self):
        if self._file is not None:
            if self._packer:
                self._file.write(self._packer.flush())
            self._file.close()
            self._file = None

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def __del__(self):
        if getattr(self, "_file", None) is not None:
            self.close()


def _packer(kind, options):
    if not kind:
        return None
    bits = options.window_bits or zlib.MAX_WBITS
    return zlib.compressobj(
        -1 if options.compression_level is None else options.compression_level,
        zlib.DEFLATED if options.compression_method is None else options.compression_method,
        bits + 16 if kind == "GZIP" and 8 <= bits <= 15 else bits,
        zlib.DEF_MEM_LEVEL if options.mem_level is None else options.mem_level,
        zlib.Z_DEFAULT_STRATEGY if options.compression_strategy is None else options.compression_strategy,
    )


# ---- reading


class _Unpacked:
    """A compressed file, read piece by piece."""

    def __init__(self, file, kind):
        self._file, self._kind, self._left = file, kind, b""
        self._unpacker = self._fresh()

    def _fresh(self):
        return zlib.decompressobj(zlib.MAX_WBITS + 16 if self._kind == "GZIP" else zlib.MAX_WBITS)

    def read(self, n):
        while len(self._left) < n:
            if self._unpacker.eof:  # members follow each other
                rest = self._unpacker.unused_data
                self._unpacker = self._fresh()
            else:
                rest = b""
            data = rest or self._file.read(1 << 16)
            if not data:
                break
            try:
                self._left += self._unpacker.decompress(data)
            except zlib.error as error:
                text = str(error).removeprefix("Error -3 while decompressing data: ")
                raise errors.DataLossError(None, None, f"inflate() failed with error -3: {text}") from None
        out, self._left = self._left[:n], self._left[n:]
        return out


def tf_record_iterator(path, options=None):
    """The records of a file, as bytes. DataLossError where one is damaged or cut off."""
    path, kind = gfile.local_path(path), TFRecordOptions.get_compression_type_string(options)
    with gfile._told(path):
        file = open(path, "rb")
    return _records(file, _Unpacked(file, kind) if kind else file)


def _records(file, stream):
    at = 0
    with file:
        while (record := read_record(stream, at)) is not None:
            at += len(record) + 16
            yield record


def read_record(stream, at):
    """The next record of a stream, which is at this place of its file; None at the end. DataLossError when it is damaged."""
    head = stream.read(12)
    if not head:
        return None
    if len(head) < 12:
        raise _truncated(at)
    if head[8:] != masked_crc(head[:8]):
        raise errors.DataLossError(None, None, f"corrupted record at {at}")
    (n,) = struct.unpack("<Q", head[:8])
    data = stream.read(n + 4)
    if len(data) < n + 4:
        raise _truncated(at)
    if data[n:] != masked_crc(data[:n]):
        raise errors.DataLossError(None, None, f"corrupted record at {at}")
    return data[:n]


def _truncated(at):
    return errors.DataLossError(None, None, f"truncated record at {at}' failed with Read less bytes than requested")
