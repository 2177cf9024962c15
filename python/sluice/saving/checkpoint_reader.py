"""What is in a checkpoint: names, types and shapes from its index file, values by the op that restores them.

The index is a table: blocks of entries whose keys share beginnings, an index block, a footer.
"""

from __future__ import annotations

import os
import struct

from ..core import dtypes, errors, graph, messages
from ..core.message_wire import _varint
from ..core.op_defs import op
from . import checkpoint_state

_MAGIC = 0xDB4775248B80FB57


def _block(data, at, size):
    if data[at + size] != 0:
        raise errors.UnimplementedError(None, None, "The checkpoint's index is compressed.")
    return data[at : at + size]


def _entries(block):
    (restarts,) = struct.unpack_from("<I", block, len(block) - 4)
    at, end, key = 0, len(block) - 4 * (restarts + 1), b""
    while at < end:
        shared, at = _varint(block, at)
        rest, at = _varint(block, at)
        length, at = _varint(block, at)
        key = key[:shared] + block[at : at + rest]
        yield key, block[at + rest : at + rest + length]
        at += rest + length


def _table(data):
    """(key, value) of each entry."""
    if len(data) < 48 or struct.unpack_from("<Q", data, len(data) - 8)[0] != _MAGIC:
        raise errors.DataLossError(None, None, "not an sstable (bad magic number)")
    _, at = _varint(data, len(data) - 48)
    _, at = _varint(data, at)
    offset, at = _varint(data, at)
    size, at = _varint(data, at)
    for _, handle in _entries(_block(data, offset, size)):
        first, at = _varint(handle, 0)
        length, _ = _varint(handle, at)
        yield from _entries(_block(data, first, length))


class CheckpointReader:
    """A checkpoint by its prefix. NotFoundError when there is none."""

    def __init__(self, filename):
        self._prefix = os.fspath(filename)
        index = self._prefix + ".index"
        if not os.path.exists(index):
            raise errors.NotFoundError(
                None,
                None,
                f"Unsuccessful TensorSliceReader constructor: Failed to find any matching files for {self._prefix}",
            )
        with open(index, "rb") as f:
            entries = list(_table(f.read()))
        self._entries = {
            key.decode(): messages.BundleEntryProto.FromString(value)
            for key, value in entries
            if key and key[0] != 0  # the header, and parts of partitioned variables
        }

    def get_variable_to_dtype_map(self):
        return {name: dtypes.as_dtype(entry.dtype) for name, entry in self._entries.items()}

    def get_variable_to_shape_map(self):
        return {name: [d.size for d in entry.shape.dim] for name, entry in self._entries.items()}

    def has_tensor(self, tensor_str):
        return tensor_str in self._entries

    def named(self, name, key) -> dict[str, str]:
        """The keys of the values that an attribute of a graph of objects has: its own key, or those that begin with it."""
        if key in self._entries:
            return {name: key}
        if key + "_STATE" in self._entries:  # of an iterator: TensorFlow's graph of objects names it without
            return {name + "_STATE": key + "_STATE"}
        return {name + k[len(key) :]: k for k in self._entries if k.startswith(key + "-")}

    def get_tensor(self, tensor_str):
        """The value, as numpy's array; a scalar text as bytes. NotFoundError for an unknown name."""
        name = tensor_str.decode() if isinstance(tensor_str, bytes) else tensor_str
        if name not in self._entries:
            raise errors.NotFoundError(None, None, f"Key {name} not found in checkpoint")
        return self.read([name])[0].numpy()

    def read(self, names):
        """Tensors by their names, at once."""
        kinds = [dtypes.as_dtype(self._entries[n].dtype) for n in names]
        with graph.outside():
            return op("RestoreV2")(self._prefix, names, [""] * len(names), dtypes=kinds)

    def debug_string(self):
        out = []
        for name, entry in sorted(self._entries.items()):
            kind = messages.DataType.Name(entry.dtype)
            out.append(f"{name} ({kind}) [{','.join(str(d.size) for d in entry.shape.dim)}]\n")
        return "".join(out).encode()


def _prefix_of(ckpt_dir_or_file) -> str:
    path = os.fspath(ckpt_dir_or_file)
    if os.path.isdir(path):
        found = checkpoint_state.latest_checkpoint(path)
        if found is None:
            raise ValueError(f"Couldn't find 'checkpoint' file or checkpoints in given directory {path}")
        return found
    return path


def load_checkpoint(ckpt_dir_or_file):
    """A reader of a checkpoint, or of the newest in a folder."""
    return CheckpointReader(_prefix_of(ckpt_dir_or_file))


def NewCheckpointReader(filepattern):
    """A reader of a checkpoint."""
    return CheckpointReader(filepattern)


def load_variable(ckpt_dir_or_file, name):
    """A value, as numpy's array."""
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name[:-2] if name.endswith(":0") else name)


def list_variables(ckpt_dir_or_file):
    """[(name, shape)] of all values, by name."""
    shapes = load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map()
    return sorted(shapes.items())
