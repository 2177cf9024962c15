"""Datasets whose elements have a part for each replica: PerReplica values at the leaves."""

from __future__ import annotations

from ..core import dtypes, graph, nest
from ..core.type_spec import TensorSpec
from ..datasets import dataset as datasets
from ..datasets import dataset_steps, iterators, optionals
from ..datasets.dataset_options import AutoShardPolicy
from ..datasets.optionals import OptionalSpec
from ..ops import array_ops, control_flow_ops, math_ops
from .replica_values import PerReplica, PerReplicaSpec


class DistributedDataset:
    """A dataset whose elements are divided among the replicas of a strategy, which makes it."""

    __module__ = "tensorflow.python.distribute.input_lib"  # Keras tells by it what is a dataset

    def __init__(self, dataset, n_replicas, group=None):
        self._dataset, self._n_replicas, self._group = dataset, n_replicas, group

    element_spec = property(lambda self: self._dataset.element_spec)

    def __iter__(self):
        return (
            DistributedIterator(self._dataset) if self._group is None else WorkersIterator(self._dataset, self._group)
        )

    def _autograph_for(self, extra_test, body, get_state, set_state, names, options):
        iterators.loop_over(iter(self), extra_test, body, get_state, set_state, names, options)

    def __len__(self):
        return len(self._dataset)

    def cardinality(self):
        """How many elements there are, as of datasets."""
        return self._dataset.cardinality()

    def reduce(self, initial_state, reduce_func):
        """reduce_func(state, element) over all elements."""
        state = initial_state
        for element in self:
            state = reduce_func(state, element)
        return state


class DistributedIterator(iterators.OwnedIterator):
    """Gives the elements of a DistributedDataset, in Python and in functions."""

    _type_spec = property(lambda self: DistributedIteratorSpec(self._element_spec))


class DistributedIteratorSpec(iterators.IteratorSpec):
    """The spec of such an iterator."""

    __slots__ = ()
    value_type = property(lambda self: DistributedIterator)

    def _from_components(self, components):
        return DistributedIterator(components=components, element_spec=self._element_spec)


class WorkersIterator(DistributedIterator):
    """The same where nobody knows how many elements each worker has: all go on until nobody has any. Who has no more of its own
    gets elements without rows."""

    def __init__(self, dataset=None, group=None, components=None, element_spec=None):
        super().__init__(dataset, components, element_spec)
        self._group = group

    _type_spec = property(lambda self: WorkersIteratorSpec(self._element_spec, self._group))

    def get_next_as_optional(self):
        own, spec = super().get_next_as_optional(), OptionalSpec(self._element_spec)
        has = own.has_value()
        somebody_has = self._group.sum(math_ops.cast(has, dtypes.int32)) > 0
        found = control_flow_ops.cond(
            math_ops.logical_or(has, math_ops.logical_not(somebody_has)),
            lambda: own._variant_tensor,
            lambda: optionals.Optional.from_value(_empty(self._element_spec))._variant_tensor,
        )
        return spec._from_components([found])

    def __next__(self):
        if graph.current() is not None:
            return self.get_next()
        found = self.get_next_as_optional()
        if not found.has_value():
            raise StopIteration
        return found.get_value()

    next = __next__


class WorkersIteratorSpec(DistributedIteratorSpec):
    """The spec of such an iterator."""

    __slots__ = ("_group",)

    def __init__(self, element_spec, group):
        super().__init__(element_spec)
        self._group = group

    value_type = property(lambda self: WorkersIterator)

    def _serialize(self):
        return (self._element_spec, self._group)

    def _from_components(self, components):
        return WorkersIterator(group=self._group, components=components, element_spec=self._element_spec)


def of_batches(dataset, n_replicas):
    """Each batch cut into as many parts, of rows in order: ceil(rows / n) for the first ones. ValueError: no batches."""
    if isinstance(dataset, DistributedDataset):
        return dataset
    _check_batches(dataset)
    if n_replicas == 1:
        return DistributedDataset(dataset.map(lambda *parts: _divided(parts, 1)), 1)
    made = dataset.map(lambda *parts: _divided(parts, n_replicas))
    return DistributedDataset(made.with_options(dataset.options()).prefetch(2), n_replicas)


def _check_batches(dataset):
    for leaf in nest.flatten(dataset.element_spec):
        if getattr(leaf, "shape", None) is not None and leaf.shape.rank == 0:
            raise ValueError(f"A dataset of batches is needed; its elements have no first axis to divide: {leaf}")


def of_workers(dataset, group, n_replicas):
    """Batches of all replicas as those of one worker's n_replicas. Where nothing is divided among the workers (the policy OFF),
    each goes through all batches by itself, its own part first."""
    _check_batches(dataset)
    policy, n = dataset.options().experimental_distribute.auto_shard_policy, group.n * n_replicas
    size = dataset_steps.batch_size(dataset) if policy == AutoShardPolicy.OFF else -1
    if size >= 0:
        parts = [size // n + (i < size % n) for i in range(n)]
        own = group.rank * n_replicas
        made = dataset.rebatch(parts[own:] + parts[:own])
    else:
        made = dataset_steps.divided_batches(dataset, n)
        if policy != AutoShardPolicy.OFF:
            made = dataset_steps.sharded_batches(made, group.n, group.rank, policy, n)
    return of_worker_turns(made, group, n_replicas)


def of_worker_turns(dataset, group, n_replicas):
    """`of_turns` where workers may have different numbers of elements: each goes on until nobody has any."""
    if isinstance(dataset, DistributedDataset):
        return dataset
    whole = of_turns(dataset, n_replicas)
    if not _may_be_empty(dataset.element_spec):
        return whole
    own = int(whole.cardinality())
    with graph.outside():
        counts = group.concat(array_ops.constant([own], dtypes.int64)).numpy().tolist()
    if len(set(counts)) == 1 and own != datasets.UNKNOWN_CARDINALITY:
        return whole
    if min(counts) < 0:
        return DistributedDataset(whole._dataset, n_replicas, group)
    missing = datasets.Dataset.from_tensors(_empty(whole.element_spec)).repeat(max(counts) - own)
    return DistributedDataset(whole._dataset.concatenate(missing), n_replicas)


def _may_be_empty(spec):
    """Whether elements without rows fit a spec."""
    leaves = nest.flatten(spec)
    return all(isinstance(s, TensorSpec) and s.shape.rank and s.shape[0] is None for s in leaves)


def _empty(spec):
    """An element without rows. Dims that are not known are 0."""

    def leaf(s):
        if isinstance(s, PerReplicaSpec):
            return PerReplica([leaf(part) for part in s._component_specs])
        return array_ops.zeros([0] + [d or 0 for d in s.shape[1:]], s.dtype)

    return nest.map_structure(leaf, spec)


def _divided(parts, n):
    """The element that map gave as `parts`, divided."""
    element = parts[0] if len(parts) == 1 else parts
    return nest.map_structure(lambda leaf: _rows(leaf, n), element)


def _rows(leaf, n):
    if leaf is None:
        return None
    if n == 1:
        return PerReplica([leaf])
    from ..ops.sparse_tensor import SparseTensor

    if isinstance(leaf, SparseTensor):
        return PerReplica(_sparse_rows(leaf, n))
    rows = leaf.nrows() if hasattr(leaf, "nrows") else array_ops.shape(leaf)[0]
    most = -(-rows // n)
    return PerReplica([leaf[i * most : (i + 1) * most] for i in range(n)])


def _sparse_rows(leaf, n):
    from ..ops import array_ops as arrays
    from ..ops import sparse_ops

    shape = leaf.dense_shape
    most = -(-shape[0] // n)
    made = []
    for i in range(n):
        start = arrays.concat([[most * i], arrays.zeros_like(shape[1:])], 0)
        made.append(sparse_ops.slice(leaf, start, arrays.concat([[most], shape[1:]], 0)))
    return made


def of_turns(dataset, n_replicas):
    """The elements in groups, one for each replica. Where the rows of a batch may differ, the last group is filled up with
    batches without rows; else it is left out when it is not full."""
    if isinstance(dataset, DistributedDataset):
        return dataset
    if n_replicas == 1:
        return DistributedDataset(dataset.map(lambda *parts: _divided(parts, 1)), 1)
    if _may_be_empty(dataset.element_spec):
        empty = datasets.Dataset.from_tensors(_empty(dataset.element_spec))
        dataset = dataset.concatenate(empty.repeat(n_replicas - 1))
    grouped = dataset.window(n_replicas, drop_remainder=True).map(lambda *parts: _from_windows(parts, n_replicas))
    return DistributedDataset(grouped.prefetch(2), n_replicas)


def _from_windows(parts, n):
    element = parts[0] if len(parts) == 1 else parts
    return nest.map_structure(lambda w: PerReplica([w.skip(i).take(1).get_single_element() for i in range(n)]), element)
