"""Datasets that are written to folders and read again: save, load, snapshot."""

from __future__ import annotations

import os

from ..core import dtypes
from ..core.op_defs import op
from ..core.type_spec import TensorSpec
from ..ops import array_ops
from . import elements
from .dataset import DatasetSpec
from .dataset_functions import ElementFunction

_SPEC_FILE = "dataset_spec.pb"


def _path(path):
    return array_ops.convert_to_tensor(os.fspath(path) if isinstance(path, os.PathLike) else path, dtypes.string)


def _shard_function(dataset, shard_func, what):
    if shard_func is None:
        return ElementFunction(
            lambda *_: array_ops.constant(0, dtypes.int64), [dataset.element_spec], what, autograph=False
        )
    made = ElementFunction(shard_func, [dataset.element_spec], what)
    if not elements.are_compatible(made.spec, TensorSpec([], dtypes.int64)):
        raise TypeError(
            f"Invalid `shard_func`. `shard_func` must return a `tf.int64` scalar tensor but its return type is {made.spec}."
        )
    return made


def _reader_function(reader_func, spec, what):
    def all_shards(shards):
        return shards.interleave(lambda shard: shard, cycle_length=-1)

    return ElementFunction(reader_func or all_shards, [DatasetSpec(DatasetSpec(spec))], what)


def save(dataset, path, compression, shard_func, checkpoint_args):
    """Writes the elements, and their spec, to a folder."""
    if checkpoint_args is not None:
        raise NotImplementedError("Dataset.save: checkpoint_args")
    from ..core import structured_values
    from ..files import gfile

    f = _shard_function(dataset, shard_func, "Dataset.save()")
    gfile.makedirs(os.fspath(path))
    with open(os.path.join(path, _SPEC_FILE), "wb") as out:
        out.write(structured_values.encode(dataset.element_spec).SerializeToString())
    return op("SaveDataset")(
        dataset._variant_tensor, _path(path), list(f.captured), compression=compression or "", shard_func=f.name,
        use_shard_func=shard_func is not None,
    )  # fmt: skip


def load(cls, path, element_spec, compression, reader_func, wait):
    """The elements that `save` has written. NotFoundError when their spec is neither there nor given."""
    if wait:
        raise NotImplementedError("Dataset.load: wait")
    if element_spec is None:
        from ..core import errors, messages, structured_values

        file = os.path.join(path, _SPEC_FILE)
        if not os.path.exists(file):
            raise errors.NotFoundError(None, None, f"{file}; No such file or directory")
        with open(file, "rb") as given:
            element_spec = structured_values.decode(messages.StructuredValue.FromString(given.read()))
    f = _reader_function(reader_func, element_spec, "Dataset.load()")
    made = op("LoadDataset")(
        _path(path), list(f.captured), reader_func=f.name, compression=compression or "", **elements.attrs(element_spec)
    )
    return cls._made("LoadDataset", made, element_spec, (), [f])


def snapshot(dataset, path, compression, reader_func, shard_func, name):
    """The elements, which the first pass writes to a folder and later ones read from it."""
    shard = _shard_function(dataset, shard_func, "Dataset.snapshot()")
    reader = _reader_function(reader_func, dataset.element_spec, "Dataset.snapshot()")
    made = op("SnapshotDatasetV2")(
        dataset._variant_tensor, _path(path), list(reader.captured), list(shard.captured), compression=compression or "",
        reader_func=reader.name, shard_func=shard.name, name=name, **elements.attrs(dataset.element_spec),
    )  # fmt: skip
    return dataset._made("SnapshotDataset", made, dataset.element_spec, (dataset,), [shard, reader])
