"""Reductions of the slices of data that share a segment: of ordered segment ids, of any ids, and of slices picked by index."""

from __future__ import annotations

from ..core import graph
from ..core.op_defs import op
from ..core.scopes import in_scope
from . import array_ops
from .array_ops import convert_to_tensor


def _named(function, name, doc):
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


def _segment(op_name, name, words):
    def apply(data, segment_ids, name=None):
        return op(op_name)(data, segment_ids, name=name)

    return _named(apply, name, f"{words} of the slices of each segment. segment_ids: a vector that does not decrease.")


def _unsorted(op_name, name, words):
    def apply(data, segment_ids, num_segments, name=None):
        return op(op_name)(data, segment_ids, num_segments, name=name)

    return _named(
        apply, name, f"{words} of the slices of each of num_segments segments. Slices of negative ids are left out."
    )


segment_sum = _segment("SegmentSum", "segment_sum", "Sums")
segment_mean = _segment("SegmentMean", "segment_mean", "Means")
segment_prod = _segment("SegmentProd", "segment_prod", "Products")
segment_max = _segment("SegmentMax", "segment_max", "The largest elements")
segment_min = _segment("SegmentMin", "segment_min", "The least elements")
unsorted_segment_sum = _unsorted("UnsortedSegmentSum", "unsorted_segment_sum", "Sums")
unsorted_segment_prod = _unsorted("UnsortedSegmentProd", "unsorted_segment_prod", "Products")
unsorted_segment_max = _unsorted("UnsortedSegmentMax", "unsorted_segment_max", "The largest elements")
unsorted_segment_min = _unsorted("UnsortedSegmentMin", "unsorted_segment_min", "The least elements")


def _sizes(data, segment_ids, num_segments):
    """How many slices each segment has, at least one, with as many axes as the sums."""
    num_segments = convert_to_tensor(num_segments)
    ones = array_ops.ones(array_ops.known_shape(segment_ids), data.dtype)
    counts = op("UnsortedSegmentSum")(ones, segment_ids, num_segments)
    if graph.current() is None:
        inner = data.shape.rank - segment_ids.shape.rank
        wide = array_ops.reshape(counts, counts.shape.as_list() + [1] * inner)
    else:
        n = num_segments[None]
        inner = array_ops.rank(data) - array_ops.rank(segment_ids)
        wide = array_ops.reshape(counts, array_ops.concat([n, array_ops.ones([inner], n.dtype)], 0))
    return op("Maximum")(wide, 1)


@in_scope("UnsortedSegmentMean", names_last=False)
def unsorted_segment_mean(data, segment_ids, num_segments, name=None):
    """Means of the slices of each of num_segments segments; zeros where there are none."""
    data, segment_ids = convert_to_tensor(data), convert_to_tensor(segment_ids)
    sizes = _sizes(data, segment_ids, num_segments)
    return op("UnsortedSegmentSum")(data, segment_ids, num_segments) / sizes


@in_scope("UnsortedSegmentSqrtN", names_last=False)
def unsorted_segment_sqrt_n(data, segment_ids, num_segments, name=None):
    """Sums of the slices of each of num_segments segments over the square root of how many they are."""
    data, segment_ids = convert_to_tensor(data), convert_to_tensor(segment_ids)
    sizes = _sizes(data, segment_ids, num_segments)
    return op("UnsortedSegmentSum")(data, segment_ids, num_segments) / op("Sqrt")(sizes)


def _sparse(op_name, name, words):
    def apply(data, indices, segment_ids, num_segments=None, name=None, sparse_gradient=False):
        flags = {"sparse_gradient": sparse_gradient, "name": name}
        if num_segments is None:
            return op(op_name)(data, indices, segment_ids, **flags)
        return op(op_name + "WithNumSegments")(data, indices, segment_ids, num_segments, **flags)

    def old(data, indices, segment_ids, name=None, num_segments=None, sparse_gradient=False):
        return apply(data, indices, segment_ids, num_segments, name, sparse_gradient)

    doc = f"{words} of the slices data[indices[i]] of each segment. segment_ids: a vector that does not decrease."
    return _named(apply, name, doc), _named(old, "sparse_" + name, doc)


sparse_segment_sum, sparse_segment_sum_v1 = _sparse("SparseSegmentSum", "segment_sum", "Sums")
sparse_segment_mean, sparse_segment_mean_v1 = _sparse("SparseSegmentMean", "segment_mean", "Means")
sparse_segment_sqrt_n, sparse_segment_sqrt_n_v1 = _sparse(
    "SparseSegmentSqrtN", "segment_sqrt_n", "Sums over the square root of the number"
)
