"""Workers of a strategy as one group of collectives: sums, copies and rows of all of them, in every worker the same bits.

Each worker is a process with a server of its own (TFE_EnableCollectiveOps). The ops are of this process; who else is in
the group, and what the others bring, their servers tell each other. All workers call the same, in the same order.
"""

from __future__ import annotations

import atexit
import itertools
import os
import sys
import time

from .. import _native
from ..core import dtypes, errors, graph, messages, scopes, tensor
from ..core.indexed_slices import IndexedSlices
from ..core.op_defs import op
from ..ops import array_ops, math_ops
from ..platform import logs
from .cluster import server_def_of

_group_keys = itertools.count(1)
_MEETING = 0  # the instance of the meetings at the beginning and at the end
_SUMMED = {"float16", "float32", "float64", "bfloat16", "int32", "int64"}  # element types of CollectiveReduceV2
_SENT = {
    dtypes.bool_,
    dtypes.float16,
    dtypes.float32,
    dtypes.float64,
    dtypes.int32,
    dtypes.int64,
}  # likewise, of broadcasts
_MEET_SECONDS = 300.0  # for a worker to come at the beginning
_PART_SECONDS = 30.0  # and at the end
_RETURN_SECONDS = 10.0  # for one that has gone, at the end, to begin anew
_RETRY_SECONDS = 0.2
_ELASTIC_KEY = 1 << 24  # of the group whose members come and go: there is one
_agreed = False  # its members have agreed to join anew


class CollectiveGroup:
    """The workers of a cluster's jobs `chief` and `worker`, this process among them.

    It begins when all have come. After timeout_seconds, or 300 s, that ends with DeadlineExceededError and the names of those
    that have come, or with UnavailableError where the first worker, who knows of all, cannot be reached.

    With `least`, it begins with as many as have come wait_seconds after the first of them, if they are so many; `n` and `rank`
    are of those. Where others are silent, not known to have ended, they have to be a majority. Making it anew, after
    an error, is how members join again.
    """

    def __init__(self, cluster_spec, task_type, task_id, timeout_seconds=None, least=None, wait_seconds=30.0):
        names = [
            (job, i) for job in ("chief", "worker") if job in cluster_spec.jobs for i in cluster_spec.task_indices(job)
        ]
        if (task_type, task_id) not in names:
            raise ValueError(f"/job:{task_type}/task:{task_id} is no worker of {cluster_spec!r}")
        if least is not None and not 1 <= least <= len(names):
            raise ValueError(f"least_workers is {least}, of {len(names)} workers")
        self.n, self.rank = len(names), names.index((task_type, task_id))
        self._most, self._least, self._wait = len(names), least, float(wait_seconds)
        self._timeout = float(timeout_seconds or 0)
        self._key, self._instances = next(_group_keys) if least is None else _ELASTIC_KEY, itertools.count(1)
        _become(cluster_spec, task_type, task_id, names[0])
        self._device = f"/job:{task_type}/replica:0/task:{task_id}/device:CPU:0"
        if least is not None:
            _groups[:] = [g for g in _groups if g._least is None]  # this one is in its place
        self._meet()
        _groups.append(self)

    def _meet(self):
        """Waits until all are there. Who is first finds no server at the others' addresses yet, or one that is about to end."""
        deadline = time.monotonic() + (self._timeout or _MEET_SECONDS)
        while True:
            try:
                if self._least is not None:
                    self._join(max(1.0, deadline - time.monotonic()))
                if self._meeting(1, max(1.0, deadline - time.monotonic())) == self.n:
                    return
            except (errors.UnavailableError, errors.AbortedError):
                if time.monotonic() > deadline:
                    raise
            time.sleep(_RETRY_SECONDS)

    def _join(self, seconds):
        """Becomes a member of the next round, and knows who is. Who comes while others train waits until they ask."""
        global _agreed
        regroups, _agreed = _agreed, False
        join = (self._key, self._most, self._least, self._wait, seconds, regroups)
        members = _native.group_join(self._device, *join)
        self.n, self.rank = len(members), members.index(self._device)

    def check(self):
        """Raises AbortedError, at all members, when other workers wait to be members, too."""
        global _agreed
        if self._least is None:
            return
        with graph.outside():
            n = int(self._reduced(tensor.convert(_native.group_newcomers(self._key))))
        if n:
            _agreed = True
            text = (
                f"{n} of the {self._most} workers came while {self.n} trained: make the strategy anew, with all of them"
            )
            raise errors.AbortedError(None, None, text)

    def _part(self):
        """Waits until all are at their end, for a while at most. False: others have begun anew, and need this worker, too."""
        own, begun = self.n + 1, time.monotonic()
        deadline = begun + _PART_SECONDS
        while True:
            try:
                return self._meeting(own, max(1.0, deadline - time.monotonic())) == self.n * own
            except (errors.UnavailableError, errors.AbortedError):
                deadline = min(deadline, begun + _RETURN_SECONDS)
                if time.monotonic() > deadline or self._least is not None:
                    raise
                time.sleep(_RETRY_SECONDS)

    def _meeting(self, own, seconds):
        """The sum of what the workers bring: 1 who begins, n + 1 who is at its end."""
        with graph.outside():
            return int(self._reduced(tensor.convert(own), _MEETING, seconds))

    # ---- what workers do together

    def _keys(self, instance=None):
        """group_size, group_key, instance_key: a new instance, unless one is given."""
        return [tensor.convert(k) for k in (self.n, self._key, next(self._instances) if instance is None else instance)]

    def _call(self, name, *inputs, seconds=None, **attrs):
        with scopes.device(self._device):
            return op(name)(*inputs, timeout_seconds=self._timeout if seconds is None else float(seconds), **attrs)

    def _reduced(self, value, instance=None, seconds=None):
        keys = self._keys(instance)
        return self._call("CollectiveReduceV2", value, *keys, [], seconds=seconds, merge_op="Add", final_op="Id")

    def _gathered(self, value):
        return self._call("CollectiveGatherV2", value, *self._keys(), [])

    def sum(self, value):
        """The sum of all workers' tensors, or IndexedSlices with the rows of all. TypeError for what are no numbers."""
        if isinstance(value, IndexedSlices):
            return IndexedSlices(self.concat(value.values), self.concat(value.indices), value.dense_shape)
        if value.dtype.name not in _SUMMED:
            raise TypeError(f"Workers cannot add up tensors of type {value.dtype.name}")
        return self._reduced(value)

    def sums(self, values):
        """`sum` of each, with one exchange for all dense tensors of one type."""
        made, by_type = list(values), {}
        for i, v in enumerate(values):
            if isinstance(v, IndexedSlices):
                made[i] = self.sum(v)
            else:
                by_type.setdefault(v.dtype, []).append(i)
        for places in by_type.values():
            if len(places) == 1:
                made[places[0]] = self.sum(values[places[0]])
                continue
            parts = [values[i] for i in places]
            whole = self.sum(array_ops.concat([array_ops.reshape(v, [-1]) for v in parts], 0))
            for i, part, v in zip(places, array_ops.split(whole, [_count(v) for v in parts]), parts):
                made[i] = array_ops.reshape(part, array_ops.shape(v))
        return made

    def concat(self, value, axis=0):
        """The tensors of all workers, one behind the other along an axis, whose size may differ."""
        rank = value.shape.rank
        moved = array_ops.transpose(value, _exchanged(rank, axis)) if axis else value
        rows = array_ops.shape(moved)[:1]
        sizes = self._gathered(rows)
        most = math_ops.reduce_max(sizes)
        padding = array_ops.concat([[0], most - rows, array_ops.zeros([2 * rank - 2], dtypes.int32)], 0)
        whole = self._gathered(array_ops.pad(moved, array_ops.reshape(padding, [rank, 2])))
        joined = array_ops.concat([whole[r * most : r * most + sizes[r]] for r in range(self.n)], 0)
        return array_ops.transpose(joined, _exchanged(rank, axis)) if axis else joined

    def of_first(self, value, shape, dtype):
        """The first worker's value, which the others need not have (None): of this shape and type. None where values of the
        type cannot be sent."""
        if dtype not in _SENT:
            return None
        if self.rank == 0:
            return self._call("CollectiveBcastSendV2", value, *self._keys())
        dims = tensor.convert([int(d) for d in shape], 3, 0)
        return self._call("CollectiveBcastRecvV2", *self._keys(), dims, T=dtype)


def _count(value):
    return value.shape.num_elements() if value.shape.is_fully_defined() else array_ops.size(value)


def _exchanged(rank, axis):
    """The order of axes with the first and this one exchanged."""
    order = list(range(rank))
    order[0], order[axis] = axis % rank, 0
    return order


_groups: list[CollectiveGroup] = []  # those that have met
_definition = None  # of the cluster that this process is a task of


def _become(cluster_spec, task_type, task_id, leader):
    """Makes this process a task of the cluster, unless it is one already."""
    global _definition
    definition = server_def_of(cluster_spec, task_type, task_id, "grpc")
    definition.default_session_config.experimental.collective_group_leader = "/job:{}/replica:0/task:{}".format(*leader)
    encoded = definition.SerializeToString()
    if encoded == _definition:
        return
    _groups.clear()
    _native.enable_collectives(encoded)
    if _definition is None:
        atexit.register(_part)
    _definition = encoded


def _part():
    """At the end of the program: nobody goes while others need an answer of its server. A program that fails goes at once,
    which is what the others then hear; a program whose others have been started anew ends with status 1, so that who starts
    them starts it again as well."""
    is_needed = False
    for group in _groups if getattr(sys, "last_value", None) is None else ():
        try:
            is_needed = not group._part() or is_needed
        except errors.OpError as error:
            logs.info("The workers do not end together: %s", error.message)
    known = messages.ServerDef.FromString(_definition)
    alone = messages.ServerDef(job_name=known.job_name, task_index=known.task_index, protocol=known.protocol)
    alone.cluster.job.add(name=known.job_name).tasks[known.task_index] = ""
    _native.enable_collectives(alone.SerializeToString())
    if is_needed:
        logs.error("Other workers have begun anew: this one ends with status 1, to be started again with them")
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(1)
