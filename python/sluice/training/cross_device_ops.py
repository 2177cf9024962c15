"""How values of several devices become one: sums in the order of the replicas, so that each run gives the same bits."""

from __future__ import annotations

import enum

from ..core import scopes, tensor, variables
from ..core.indexed_slices import IndexedSlices
from ..core.op_defs import op
from ..ops import array_ops
from .replica_values import DistributedValues, Mirrored


class ReduceOp(enum.Enum):
    """How values of replicas become one."""

    SUM = "SUM"
    MEAN = "MEAN"


def reduce_op_of(value) -> ReduceOp:
    """A ReduceOp, or its name in any case."""
    return value if isinstance(value, ReduceOp) else ReduceOp(str(value).upper().removeprefix("REDUCEOP."))


def reduce_values(kind: ReduceOp, values):
    """The sum or mean of tensors, or of IndexedSlices, on the device that is in scope."""
    if any(isinstance(v, IndexedSlices) for v in values):
        if not all(isinstance(v, IndexedSlices) for v in values):
            return reduce_values(kind, [array_ops.convert_to_tensor(v) for v in values])
        rows = array_ops.concat([v.values for v in values], 0)
        if kind is ReduceOp.MEAN:
            rows = rows / len(values)
        return IndexedSlices(rows, array_ops.concat([v.indices for v in values], 0), values[0].dense_shape)
    values = [v.read_value() if isinstance(v, variables.Variable) else tensor.convert(v) for v in values]
    total = op("AddN")(values) if len(values) > 1 else op("Identity")(values[0])
    return total / len(values) if kind is ReduceOp.MEAN else total


def copy_here(value):
    """The value on the device that is in scope."""
    if isinstance(value, IndexedSlices):
        return IndexedSlices(op("Identity")(value.values), op("Identity")(value.indices), value.dense_shape)
    return op("Identity")(value)


def _devices_of(destinations, value):
    """Where the result goes: the devices of a distributed value or variable, a device's name, or several."""
    if isinstance(destinations, str):
        return [destinations]
    if isinstance(destinations, (list, tuple)):
        return list(destinations)
    if isinstance(destinations, DistributedValues):
        return [v.device for v in destinations.values]
    device = getattr(destinations, "device", None)
    if not device and isinstance(value, DistributedValues):
        device = value.values[0].device
    return [device or "/device:CPU:0"]


class CrossDeviceOps:
    """How values of several devices are reduced: on the first of the destinations, from where copies go to the others."""

    def reduce(self, reduce_op, per_replica_value, destinations, options=None):
        """The sum or mean of a PerReplica; a Mirrored for several destinations. ValueError for a plain value's sum."""
        kind, devices = reduce_op_of(reduce_op), _devices_of(destinations, per_replica_value)
        if not isinstance(per_replica_value, DistributedValues):
            return plain_reduced(kind, per_replica_value)
        with scopes.device(getattr(self, "reduce_to_device", None) or devices[0]):
            made = reduce_values(kind, per_replica_value.values)
        if len(devices) == 1:
            return made
        copies = []
        for device in devices:
            with scopes.device(device):
                copies.append(copy_here(made))
        return Mirrored(copies)

    def batch_reduce(self, reduce_op, value_destination_pairs, options=None):
        """`reduce` of each pair (value, destinations)."""
        return [self.reduce(reduce_op, value, destinations) for value, destinations in value_destination_pairs]

    def broadcast(self, tensor, destinations):
        """A copy on each of the destinations: a Mirrored of several."""
        copies = []
        for device in _devices_of(destinations, tensor):
            with scopes.device(device):
                copies.append(copy_here(tensor))
        return Mirrored(copies) if len(copies) > 1 else copies[0]


def plain_reduced(kind, value):
    """What a value that all replicas share is reduced to. ValueError: its sum would depend on how many there are."""
    if kind is ReduceOp.MEAN or isinstance(value, (int, float)) and value == 0:
        return value
    raise ValueError(
        f"A non-DistributedValues value {value} cannot be reduced with the given reduce op ReduceOp.{kind.name}."
    )


class ReductionToOneDevice(CrossDeviceOps):
    """The sum is made on one device, by default the first destination."""

    def __init__(self, reduce_to_device=None, accumulation_fn=None):
        self.reduce_to_device, self.accumulation_fn = reduce_to_device, accumulation_fn


class NcclAllReduce(CrossDeviceOps):
    """Of devices that have no NCCL: the same sums. ValueError for less than no packs."""

    def __init__(self, num_packs=1):
        if num_packs < 0:
            raise ValueError("NCCL all-reduce requires num_packs >= 0")
        self.num_packs = num_packs


class HierarchicalCopyAllReduce(NcclAllReduce):
    """The same sums."""
