"""Elements picked, placed, searched and ordered by index: gather_nd, scatter, sort, unique, partitions ..."""

from __future__ import annotations

import builtins

import numpy as np

from ..core import dtypes, graph
from ..core.op_defs import op
from ..core.scopes import executing_eagerly, in_scope, name_scope
from . import array_ops
from .array_ops import cast, concat, convert_to_tensor, expand_dims, gather, reshape, shape

_int32, _int64 = dtypes.as_dtype("int32"), dtypes.as_dtype("int64")


# ---- gather


def batch_gather(params, indices, name=None):
    """gather along the last axis of indices; all axes before it are shared."""
    indices = convert_to_tensor(indices)
    if indices.shape.rank is None:
        raise ValueError("batch_gather needs indices of a known rank")
    return gather(params, indices, batch_dims=indices.shape.rank - 1, name=name)


def _policy(bad_indices_policy):
    if bad_indices_policy not in ("", "DEFAULT", "ERROR", "IGNORE"):
        raise ValueError(f"unknown bad_indices_policy {bad_indices_policy!r}")
    return bad_indices_policy


def gather_nd(params, indices, batch_dims=0, name=None, bad_indices_policy=""):
    """params' slices at the places that the last axis of indices names. The first batch_dims axes are shared."""
    if hasattr(params, "gather_nd") and batch_dims == 0:
        return params.gather_nd(indices, name=name)
    if batch_dims == 0:
        return op("GatherNd")(params, indices, bad_indices_policy=_policy(bad_indices_policy), name=name)
    params, indices = convert_to_tensor(params), convert_to_tensor(indices)
    if indices.shape.rank is not None and not 0 <= batch_dims < indices.shape.rank:
        raise ValueError(
            f"batch_dims = {batch_dims} must be non-negative and less than the rank of indices, {indices.shape.rank}"
        )
    sizes = array_ops.unstack(shape(params, indices.dtype)[:batch_dims], batch_dims)
    grid = array_ops.meshgrid(*(op("Range")(cast(0, n.dtype), n, cast(1, n.dtype)) for n in sizes), indexing="ij")
    places = array_ops.stack(grid, -1)
    middle = shape(indices, indices.dtype)[batch_dims:-1]
    rank = array_ops.rank(indices)
    lead = concat(
        [
            shape(places, indices.dtype)[:-1],
            array_ops.ones(expand_dims(rank - batch_dims - 1, 0), indices.dtype),
            [batch_dims],
        ],
        0,
    )
    wide = concat([shape(places, indices.dtype)[:-1], middle, [batch_dims]], 0)
    places = op("BroadcastTo")(reshape(places, lead), wide)
    return op("GatherNd")(
        params, concat([places, indices], -1), bad_indices_policy=_policy(bad_indices_policy), name=name
    )


def gather_nd_v1(params, indices, name=None, batch_dims=0, bad_indices_policy=""):
    return gather_nd(params, indices, batch_dims, name, bad_indices_policy)


# ---- scatter


def scatter_nd(indices, updates, shape, bad_indices_policy="", name=None):
    """Zeros of the shape, with updates added at the places that the last axis of indices names."""
    return op("ScatterNd")(indices, updates, shape, bad_indices_policy=_policy(bad_indices_policy), name=name)


def tensor_scatter_nd_update(tensor, indices, updates, name=None):
    """The tensor with other values at the places that the last axis of indices names."""
    return op("TensorScatterUpdate")(tensor, indices, updates, name=name)


def _scatter(op_name, words):
    def apply(tensor, indices, updates, bad_indices_policy="", name=None):
        return op(op_name)(tensor, indices, updates, bad_indices_policy=_policy(bad_indices_policy), name=name)

    apply.__name__ = apply.__qualname__ = "tensor_scatter_nd_" + op_name[len("TensorScatter") :].lower()
    apply.__doc__ = f"The tensor with {words} at the places that the last axis of indices names."
    return apply


tensor_scatter_nd_add = _scatter("TensorScatterAdd", "updates added")
tensor_scatter_nd_sub = _scatter("TensorScatterSub", "updates subtracted")
tensor_scatter_nd_max = _scatter("TensorScatterMax", "the larger of both")
tensor_scatter_nd_min = _scatter("TensorScatterMin", "the smaller of both")


# ---- order


def top_k(input, k=1, sorted=True, index_type=_int32, name=None):
    """(values, indices) of the k largest of each row, the largest first."""
    return op("TopKV2")(input, k, sorted=sorted, index_type=index_type, name=name)


def in_top_k(targets, predictions, k, name=None):
    """By row of predictions [batch, classes]: whether the target class is among the k largest."""
    if executing_eagerly():
        return op("InTopKV2")(predictions, targets, k)
    with name_scope(name or "in_top_k"):
        return op("InTopKV2")(predictions, targets, k, name=name)


def in_top_k_v1(predictions, targets, k, name=None):
    return in_top_k(targets, predictions, k, name)


def _approximate(is_max_k, words):
    def apply(
        operand,
        k,
        reduction_dimension=-1,
        recall_target=0.95,
        reduction_input_size_override=-1,
        aggregate_to_topk=True,
        name=None,
    ):
        return op("ApproxTopK")(
            operand,
            k=k,
            reduction_dimension=reduction_dimension,
            recall_target=recall_target,
            is_max_k=is_max_k,
            reduction_input_size_override=reduction_input_size_override,
            aggregate_to_topk=aggregate_to_topk,
            name=name,
        )

    apply.__name__ = apply.__qualname__ = "approx_max_k" if is_max_k else "approx_min_k"
    apply.__doc__ = f"(values, indices) of about the k {words} along a dimension; recall_target of them are right."
    return apply


approx_max_k, approx_min_k = _approximate(True, "largest"), _approximate(False, "least")


def _rows(values, axis):
    """(the tensor with the axis last, how to move it back)."""
    axis = axis if isinstance(axis, builtins.int) else int(axis)
    n = values.shape.rank
    if axis == -1 or n is not None and axis == n - 1:
        return values, lambda t: t
    if n is not None:
        if not -n <= axis < n:
            raise ValueError(f"axis {axis} is out of range for a tensor of rank {n}")
        perm = [i for i in builtins.range(n) if i != axis % n] + [axis % n]
        back = list(np.argsort(perm))
    else:
        rank = array_ops.rank(values)
        axis = convert_to_tensor(axis) if axis >= 0 else axis + rank
        every = op("Range")(0, rank, 1)
        perm = concat([every[:axis], every[axis + 1 :], [axis]], 0)
        back = op("InvertPermutation")(perm)
    return array_ops.transpose(values, perm), lambda t: array_ops.transpose(t, back)


def _flipped(values):
    """Values whose order is the opposite: of unsigned numbers what is left to the largest."""
    if values.dtype.is_unsigned:
        return op("Sub")(convert_to_tensor(values.dtype.max, values.dtype), values, name="sub")
    if values.dtype.is_integer:
        return op("Sub")(op("Neg")(values), 1, name="sub")
    return op("Neg")(values)


def _ordered(values, axis, direction, which, name=None):
    if direction not in ("ASCENDING", "DESCENDING"):
        raise ValueError(
            f"Argument `direction` should be one of ['ASCENDING', 'DESCENDING']. Received: direction={direction}"
        )
    values = convert_to_tensor(values)
    ascending = direction == "ASCENDING"
    rows, back = _rows(_flipped(values) if ascending else values, axis)
    made = op("TopKV2")(rows, shape(rows)[-1], sorted=True)
    if which == "indices":
        return back(made.indices)
    return _flipped(back(made.values)) if ascending else back(made.values)


@in_scope("sort", names_last=False)
def sort(values, axis=-1, direction="ASCENDING", name=None):
    """The elements in order along an axis; direction: "ASCENDING" or "DESCENDING"."""
    return _ordered(values, axis, direction, "values")


@in_scope("argsort", names_last=False)
def argsort(values, axis=-1, direction="ASCENDING", stable=False, name=None):
    """The indices, int32, that put the elements in order along an axis. Equal elements stay in their order."""
    return _ordered(values, axis, direction, "indices")


def searchsorted(sorted_sequence, values, side="left", out_type=_int32, name=None):
    """By value the place in the ordered last axis of sorted_sequence before which it belongs; side="right": after equal ones."""
    names = {"left": "LowerBound", "right": "UpperBound"}
    if side not in names:
        raise ValueError(f"Argument `side` must be either 'right' or 'left'. Received: `side` = '{side}'.")
    sequence = convert_to_tensor(sorted_sequence)
    values = convert_to_tensor(values, sequence.dtype)
    if sequence.shape.rank != 1 or values.shape.rank != 1:
        sequence.shape[:-1].assert_is_compatible_with(
            values.shape[:-1]
        ) if sequence.shape.rank and values.shape.rank else None
    shape = array_ops.known_shape
    last_s, last_v = shape(sequence)[-1], shape(values)[-1]
    pack = array_ops.stack if graph.current() is None else list
    flat_s, flat_v = reshape(sequence, pack([-1, last_s])), reshape(values, pack([-1, last_v]))
    found = op(names[side])(flat_s, flat_v, out_type=dtypes.as_dtype(out_type), name=name)
    return reshape(found, shape(values))


# ---- sets of values


def unique(x, out_idx=_int32, name=None):
    """(y, idx): the different values of a vector in the order in which they come, and by element the place of its value."""
    return op("Unique")(x, out_idx=out_idx, name=name)


def unique_with_counts(x, out_idx=_int32, name=None):
    """(y, idx, count): the same as unique, and how often each value comes."""
    return op("UniqueWithCounts")(x, out_idx=out_idx, name=name)


def setdiff1d(x, y, index_dtype=_int32, name=None):
    """(out, idx): the values of the vector x that y has not, and their places."""
    return op("ListDiff")(x, y, out_idx=index_dtype, name=name)


def invert_permutation(x, name=None):
    """The permutation that undoes a permutation."""
    return op("InvertPermutation")(x, name=name)


def unravel_index(indices, dims, name=None):
    """By flat index a column of coordinates in a tensor of these dimensions."""
    return op("UnravelIndex")(indices, dims, name=name)


def dynamic_partition(data, partitions, num_partitions, name=None):
    """num_partitions tensors: the slices of data for which `partitions` has 0, 1 ..."""
    return op("DynamicPartition")(data, partitions, num_partitions=num_partitions, name=name)


def dynamic_stitch(indices, data, name=None):
    """One tensor of many: slice data[m][i] goes to indices[m][i]; later ones win."""
    return op("DynamicStitch")(indices, data, name=name)


def edit_distance(hypothesis, truth, normalize=True, name="edit_distance"):
    """The Levenshtein distances of the sequences in the last axis of two SparseTensors; normalize: by the truth's length."""
    for given in (hypothesis, truth):
        if not (hasattr(given, "indices") and hasattr(given, "dense_shape")):
            raise TypeError(f"Hypothesis and truth must be SparseTensors, got {given!r}")
    return op("EditDistance")(
        hypothesis.indices,
        hypothesis.values,
        hypothesis.dense_shape,
        truth.indices,
        truth.values,
        truth.dense_shape,
        normalize=normalize,
        name=name,
    )
