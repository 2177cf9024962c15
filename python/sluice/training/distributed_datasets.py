"""Datasets whose elements have a part for each replica: PerReplica values at the leaves."""

from __future__ import annotations

from ..core import nest
from ..core.type_spec import TensorSpec
from ..datasets import dataset as datasets
from ..datasets import iterators
from ..ops import array_ops
from .replica_values import PerReplica


class DistributedDataset:
    """A dataset whose elements are divided among the replicas of a strategy, which makes it."""

    __module__ = "tensorflow.python.distribute.input_lib"  # Keras tells by it what is a dataset

    def __init__(self, dataset, n_replicas):
        self._dataset, self._n_replicas = dataset, n_replicas

    element_spec = property(lambda self: self._dataset.element_spec)

    def __iter__(self):
        return DistributedIterator(self._dataset)

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


def of_batches(dataset, n_replicas):
    """Each batch cut into as many parts, of rows in order: ceil(rows / n) for the first ones. ValueError: no batches."""
    if isinstance(dataset, DistributedDataset):
        return dataset
    for leaf in nest.flatten(dataset.element_spec):
        if getattr(leaf, "shape", None) is not None and leaf.shape.rank == 0:
            raise ValueError(f"A dataset of batches is needed; its elements have no first axis to divide: {leaf}")
    if n_replicas == 1:
        return DistributedDataset(dataset.map(lambda *parts: _divided(parts, 1)), 1)
    made = dataset.map(lambda *parts: _divided(parts, n_replicas))
    return DistributedDataset(made.with_options(dataset.options()).prefetch(2), n_replicas)


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
    spec = dataset.element_spec
    leaves = nest.flatten(spec)
    if all(hasattr(s, "shape") and s.shape.rank and s.shape[0] is None and isinstance(s, TensorSpec) for s in leaves):
        empty = nest.map_structure(lambda s: array_ops.zeros([0] + [d or 0 for d in s.shape[1:]], s.dtype), spec)
        dataset = dataset.concatenate(datasets.Dataset.from_tensors(empty).repeat(n_replicas - 1))
    grouped = dataset.window(n_replicas, drop_remainder=True).map(lambda *parts: _from_windows(parts, n_replicas))
    return DistributedDataset(grouped.prefetch(2), n_replicas)


def _from_windows(parts, n):
    element = parts[0] if len(parts) == 1 else parts
    return nest.map_structure(lambda w: PerReplica([w.skip(i).take(1).get_single_element() for i in range(n)]), element)
