"""How a checkpoint's tensors are parted into files: by the tasks that hold them, or by size."""

from __future__ import annotations

import abc
import contextlib
import dataclasses
import logging
import math

from ..core import device_spec, dtypes, graph, scopes, tensor, tensor_shape, variables
from ..core.op_defs import op
from .. import compat
from .object_graph import GRAPH_KEY


@dataclasses.dataclass(frozen=True)
class ShardableTensor:
    """A tensor, or a slice of one, that is to be written."""

    _tensor_save_spec: object
    tensor: object
    dtype: dtypes.DType
    device: object
    name: str
    shape: tensor_shape.TensorShape
    slice_spec: str
    checkpoint_key: str
    trackable: object

    def __hash__(self):
        return hash((self.name, self.dtype, str(self.device), self.slice_spec))


class ShardingCallback(abc.ABC):
    """Called with the tensors of a task; gives their shards: {checkpoint key: {slice: tensor}} for each file."""

    @property
    @abc.abstractmethod
    def description(self):
        """What it does, in a sentence."""

    @abc.abstractmethod
    def __call__(self, shardable_tensors):
        """The shards of the tensors."""


class ShardByTaskPolicy(ShardingCallback):
    """A file for each task."""

    @property
    def description(self):
        return "Split tensors into shards based on their device spec task."

    def __call__(self, shardable_tensors):
        shard: dict = {}
        for t in shardable_tensors:
            shard.setdefault(t.checkpoint_key, {})[t.slice_spec] = t.tensor
        return [shard]


class MaxShardSizePolicy(ShardingCallback):
    """Files of at most so many bytes: tensors are cut along the dimension that gives the fullest files."""

    def __init__(self, max_shard_size):
        self.max_shard_size = max_shard_size

    @property
    def description(self):
        return "Split tensors into shards with a max shard size."

    def __call__(self, shardable_tensors):
        if graph.current() is not None and graph.current().building_function:
            logging.getLogger("absl").warning(
                "This sharding policy is being executed in a tf.function. The size of strings is not known there: they are "
                "taken for texts of one byte."
            )
        shards, room, alone = [{}], self.max_shard_size, []
        for t in shardable_tensors:
            if t.checkpoint_key == GRAPH_KEY:  # goes with the others, whatever its size
                shards[-1].setdefault(t.checkpoint_key, {})[t.slice_spec] = t.tensor
                continue
            for spec, part, size in self._parts(t, room):
                if size > self.max_shard_size:  # a scalar, or a single element, that cannot be cut
                    alone.append({t.checkpoint_key: {spec: part}})
                    continue
                if size > room and shards[-1]:
                    shards.append({})
                    room = self.max_shard_size
                shards[-1].setdefault(t.checkpoint_key, {})[spec] = part
                room -= size
                if room <= 0:
                    shards.append({})
                    room = self.max_shard_size
        return [s for s in shards if s] + alone

    def _parts(self, t, room):
        """(slice's text, tensor, bytes) of the parts of a tensor, of which the first fits into what room is left."""
        shape = t.shape.as_list()
        each = _bytes_of(t)
        total = each * math.prod(shape)
        if not shape or total <= room:
            yield t.slice_spec, t.tensor, total
            return
        full, offset = _slice_of(t)
        axis, rows = self._cut(shape, each, room)
        if rows == 0:  # nothing fits here: begin a new file
            room = self.max_shard_size
            axis, rows = self._cut(shape, each, room)
        done = 0
        while done < shape[axis]:
            n = min(max(rows, 1), shape[axis] - done)
            begin, size = [0] * len(shape), list(shape)
            begin[axis], size[axis] = done, n
            where = [o + b for o, b in zip(offset, begin)]
            spec = variables.Variable.SaveSliceInfo(
                full_name=t.checkpoint_key, full_shape=full, var_offset=where, var_shape=size
            ).spec
            yield spec, op("Slice")(t.tensor, begin, size), each * math.prod(size)
            done += n
            rest = each * math.prod(shape) // shape[axis]
            rows = self.max_shard_size // rest

    def _cut(self, shape, each, room):
        """(dimension, how many of it fit): that which leaves the least room."""
        best = (0, 0)
        fullest = 0
        for axis, n in enumerate(shape):
            row = each * math.prod(shape) // n
            fits = min(room // row, n)
            if fits * row > fullest:
                fullest, best = fits * row, (axis, fits)
        return best


def _slice_of(t):
    """(whole shape, where the tensor begins in it)."""
    if not t.slice_spec:
        shape = t.shape.as_list()
        return shape, [0] * len(shape)
    words = t.slice_spec.split()
    return [int(w) for w in words[:-1]], [int(p.split(",")[0]) if p != "-" else 0 for p in words[-1].split(":")]


def _bytes_of(t) -> int:
    """The bytes of an element; of texts the longest."""
    if t.dtype != dtypes.string:
        return t.dtype.size
    if isinstance(t.tensor, tensor.EagerTensor):
        texts = t.tensor._tolist()
    elif not t.tensor.graph.building_function and (session := compat.v1.get_default_session()) is not None:
        texts = session.run(t.tensor)
        texts = texts.tolist() if hasattr(texts, "tolist") else texts
    else:
        return 1

    def longest(v):
        return len(v) if isinstance(v, bytes) else max(map(longest, v), default=0)

    return longest(texts)


def save(prefix, values, callback):
    """Writes the shards that a callback makes of each task's tensors, and joins their files under the prefix: at once, or an op.

    Each task writes its own; the prefix is to be in a folder that all of them see.
    """
    by_task: dict = {}
    for t in [_shardable(name, value) for name, value in values.items()]:
        by_task.setdefault(_task_of(t.device), []).append(t)
    shards = [(task, s) for task, tensors in by_task.items() for s in callback(tensors) if s]
    temporary = op("StringJoin")([prefix, tensor_of("_temp/part")])
    paths = [op("ShardedFilename")(temporary, i, len(shards)) for i in range(len(shards))]
    written = []
    for path, (task, shard) in zip(paths, shards):
        rows = [(name, spec, parts[spec]) for name, parts in sorted(shard.items()) for spec in sorted(parts)]
        with scopes.device(f"{task}/device:CPU:0") if task else contextlib.nullcontext():
            written.append(op("SaveV2")(path, [r[0] for r in rows], [r[1] for r in rows], [r[2] for r in rows]))
    with scopes.control_dependencies(written if graph.current() is not None else None):
        return op("MergeV2Checkpoints")(op("Pack")(paths), prefix, delete_old_dirs=True)


def _task_of(device) -> str:
    """The task of a device as a device's name begins with it; "" for this process."""
    spec = device_spec.DeviceSpec.from_string(str(device or ""))
    if spec.job in (None, "localhost"):
        return ""
    return f"/job:{spec.job}/replica:{spec.replica or 0}/task:{spec.task or 0}"


def tensor_of(value):
    return tensor.convert(value) if graph.current() is None else graph.into(graph.current(), value)


def _shardable(name, value):
    value = value.read_value() if isinstance(value, variables.Variable) else tensor_of(value)
    return ShardableTensor(None, value, value.dtype, value.device, name, value.shape, "", name, None)
