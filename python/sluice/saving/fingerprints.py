"""fingerprint.pb of a SavedModel: numbers by which two of them are told apart without reading them.

Each is the Fingerprint64 of a part as bytes with maps in order. Of the same model TensorFlow has other numbers for graph and
signatures, since it leaves out what differs from one save to the next; that of the checkpoint is the same.
"""

from __future__ import annotations

import os
import uuid

from ..core import graph, messages
from ..core.op_defs import op
from ..files import gfile

FINGERPRINT_FILENAME = "fingerprint.pb"
_PRODUCER = 4  # of TensorFlow 2.21


def _hash(data: bytes) -> int:
    with graph.outside():
        made = op("Fingerprint")([data], "farmhash64")
    return int.from_bytes(made.numpy().tobytes(), "little")


def write(folder, saved_model, checkpoint_prefix) -> None:
    """Beside a SavedModel that was written."""
    meta_graph = saved_model.meta_graphs[0]
    key = "serving_default" if "serving_default" in meta_graph.signature_def else None
    keys = [key] if key else sorted(meta_graph.signature_def)
    signature = b"".join(meta_graph.signature_def[k].SerializeToString(deterministic=True) for k in keys)
    index = checkpoint_prefix + ".index"
    checkpoint = b""
    if gfile.exists(index):
        with gfile.GFile(index, "rb") as f:
            checkpoint = f.read()
    made = messages.FingerprintDef(
        saved_model_checksum=_hash(saved_model.SerializeToString(deterministic=True)),
        graph_def_program_hash=_hash(meta_graph.graph_def.SerializeToString(deterministic=True)),
        signature_def_hash=_hash(signature),
        saved_object_graph_hash=_hash(meta_graph.object_graph_def.SerializeToString(deterministic=True)),
        checkpoint_hash=_hash(checkpoint) if checkpoint else 0,
        uuid=str(uuid.uuid4().int),
        version=messages.VersionDef(producer=_PRODUCER),
    )
    with gfile.GFile(os.path.join(folder, FINGERPRINT_FILENAME), "wb") as f:
        f.write(made.SerializeToString())


class Fingerprint:
    """The numbers of a SavedModel; None where one is not known."""

    def __init__(
        self,
        saved_model_checksum=None,
        graph_def_program_hash=None,
        signature_def_hash=None,
        saved_object_graph_hash=None,
        checkpoint_hash=None,
        version=None,
    ):
        self.saved_model_checksum, self.graph_def_program_hash = saved_model_checksum, graph_def_program_hash
        self.signature_def_hash, self.saved_object_graph_hash = signature_def_hash, saved_object_graph_hash
        self.checkpoint_hash, self.version = checkpoint_hash, version

    @classmethod
    def from_proto(cls, proto):
        """Of a FingerprintDef; ValueError when that is none."""
        if isinstance(proto, bytes):
            proto = messages.FingerprintDef.FromString(proto)
        try:
            return cls(*(getattr(proto, name) for name in (*_NUMBERS, "version")))
        except AttributeError as error:
            raise ValueError(
                f"Given proto could not be deserialized as fingerprint.{error}. Not a FingerprintDef: {proto!r}"
            ) from None

    def _numbers(self):
        return tuple(getattr(self, name) for name in _NUMBERS)

    def __eq__(self, other):
        return isinstance(other, Fingerprint) and self._numbers() == other._numbers()

    __hash__ = None

    def __str__(self):
        return "\n".join(["SavedModel Fingerprint", *(f"  {n}: {getattr(self, n)}" for n in _NUMBERS)])

    def __repr__(self):
        return f"Fingerprint({', '.join(map(str, self._numbers()))})"

    def singleprint(self) -> str:
        """One text of what does not change from one save of the same model to the next; ValueError when a number lacks."""
        numbers = self._numbers()[1:]
        if None in numbers:
            lacking = ", ".join(n for n, value in zip(_NUMBERS[1:], numbers) if value is None)
            raise ValueError(f"Encounted invalid fingerprint values when constructing singleprint: no {lacking}")
        return "/".join(map(str, numbers))


_NUMBERS = (
    "saved_model_checksum",
    "graph_def_program_hash",
    "signature_def_hash",
    "saved_object_graph_hash",
    "checkpoint_hash",
)


def read_fingerprint(export_dir) -> Fingerprint:
    """The fingerprint of the SavedModel in a folder; FileNotFoundError when it has none."""
    path = os.path.join(os.fspath(export_dir), FINGERPRINT_FILENAME)
    if not gfile.exists(path):
        raise FileNotFoundError(
            f"SavedModel Fingerprint Error: Could not find fingerprint in directory: {export_dir}\nNOT_FOUND: {path} not found"
        )
    with gfile.GFile(path, "rb") as f:
        return Fingerprint.from_proto(f.read())
