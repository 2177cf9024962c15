"""Datasets that are written to folders and read again: save, load, snapshot."""

from __future__ import annotations

import os
import time

from ..core import dtypes, graph
from ..core.op_defs import op
from ..core.type_spec import TensorSpec
from ..ops import array_ops
from . import elements
from .dataset import DatasetSpec
from .dataset_functions import ElementFunction

_SPEC_FILE, _METADATA_FILE = "dataset_spec.pb", "snapshot.metadata"
_WAIT = 0.1  # seconds between looks


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
    """Writes the elements, and their spec, to a folder; with checkpoint_args and eagerly checkpoints on the way."""
    from ..core import structured_values
    from ..files import gfile

    f = _shard_function(dataset, shard_func, "Dataset.save()")
    gfile.makedirs(os.fspath(path))
    with open(os.path.join(path, _SPEC_FILE), "wb") as out:
        out.write(structured_values.encode(dataset.element_spec).SerializeToString())
    arguments = (dataset._variant_tensor, _path(path), list(f.captured))
    options = {"compression": compression or "", "shard_func": f.name, "use_shard_func": shard_func is not None}
    if not checkpoint_args or graph.current() is not None:
        return op("SaveDataset")(*arguments, **options)
    made = op("SaveDatasetV2")(*arguments, **options, **elements.attrs(dataset.element_spec))
    return _take_all(dataset._made("SaveDataset", made, dataset.element_spec, (dataset,), [f]), **checkpoint_args)


def _take_all(dataset, step_counter=None, **manager_options):
    """Takes all elements, counts them, and saves counter and position: from the last checkpoint on, if there is one."""
    from ..core.variables import Variable
    from ..saving.checkpoint import Checkpoint
    from ..saving.kept_checkpoints import CheckpointManager

    counter, iterator = Variable(0, trainable=False) if step_counter is None else step_counter, iter(dataset)
    manager = CheckpointManager(
        Checkpoint(step_counter=counter, iterator=iterator), step_counter=counter, **manager_options
    )
    manager.restore_or_initialize()
    for _ in iterator:
        counter.assign_add(1)
        manager.save(check_interval=True)


def load(cls, path, element_spec, compression, reader_func, wait):
    """The elements that `save` has written. NotFoundError when their spec is neither there nor given."""
    files = [os.path.join(path, name) for name in (_SPEC_FILE, _METADATA_FILE)]
    while wait and not all(map(os.path.exists, files)):
        time.sleep(_WAIT)
    if element_spec is None:
        from ..core import errors, messages, structured_values

        if not os.path.exists(files[0]):
            raise errors.NotFoundError(None, None, f"tf.data snapshot element_spec file not found: {files[0]}.")
        with open(files[0], "rb") as given:
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
