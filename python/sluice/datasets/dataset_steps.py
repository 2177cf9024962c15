"""Transformations that are more than one node: padded, ragged and sparse batches, groups, buckets."""

from __future__ import annotations

from ..core import dtypes, nest, static_values, tensor, tensor_shape
from ..core.op_defs import op
from ..core.type_spec import TensorSpec
from ..ops import array_ops
from . import elements
from .dataset import DatasetSpec, _known_size, int64
from .dataset_functions import ElementFunction

# ---- padded batches


def padded_batch(dataset, batch_size, padded_shapes, padding_values, drop_remainder, name):
    spec = dataset.element_spec
    leaves = nest.flatten(spec)
    for leaf in leaves:
        if type(leaf) is not TensorSpec:
            raise TypeError(
                f"`padded_batch` is only supported for datasets that produce tensor elements but got {leaf}."
            )
    shapes = [_padded_shape(leaf, s) for leaf, s in zip(leaves, _shapes_of(spec, leaves, padded_shapes))]
    values = [_padding_value(leaf, v) for leaf, v in zip(leaves, _values_of(spec, leaves, padding_values))]
    size, drop = int64(batch_size), array_ops.convert_to_tensor(drop_remainder, dtypes.bool_)
    known = [_static_shape(s) for s in shapes]
    made_spec = elements.batched(
        nest.pack_sequence_as(spec, [TensorSpec(s, leaf.dtype) for s, leaf in zip(known, leaves)]),
        _known_size(size, drop),
    )
    made = op("PaddedBatchDatasetV2")(
        dataset._variant_tensor,
        size,
        shapes,
        values,
        drop,
        output_shapes=elements.attrs(made_spec)["output_shapes"],
        name=name,
    )
    return dataset._made("PaddedBatchDataset", made, made_spec, (dataset,))


def _shapes_of(spec, leaves, given):
    if given is None:
        for leaf in leaves:
            if leaf.shape.rank is None:
                raise ValueError(
                    f"You must provide `padded_shapes` argument because component {leaf} has unknown rank."
                )
        return [leaf.shape for leaf in leaves]
    return nest.flatten_up_to(spec, given, check_types=False)


def _values_of(spec, leaves, given):
    if given is None:
        return [None] * len(leaves)
    if not nest.is_nested(given):
        return [given] * len(leaves)
    return nest.flatten_up_to(spec, given, check_types=False)


def _padded_shape(leaf, given):
    """A shape as an int64 vector, -1 for what varies."""
    if isinstance(given, tensor.Tensor):
        if given.dtype != dtypes.int64:
            raise TypeError(f"Padded shape {given} must be a `tf.int64` vector tensor.")
        if given.shape.rank not in (None, 1):
            raise ValueError(
                f"Padded shape {given} must be a `tf.int64` vector tensor, but its shape was {given.shape}."
            )
        made = given
        shape = _static_shape(given)
    else:
        try:
            shape = tensor_shape.as_shape(
                [None if d == -1 else d for d in given] if isinstance(given, (list, tuple)) else given
            )
        except (TypeError, ValueError):
            made = array_ops.convert_to_tensor(given, dtypes.int64)
            shape = _static_shape(made)
        else:
            made = int64([-1 if d is None else d for d in shape.as_list()])
    if not _may_hold(leaf.shape, shape):
        raise ValueError(
            f"The padded shape {_text(shape)} is not compatible with the shape {_text(leaf.shape)} of the corresponding input component."
        )
    return made


def _text(shape):
    return str(tuple(shape.as_list())) if shape.rank is not None else "<unknown>"


def _may_hold(have, padded) -> bool:
    if have.rank is None or padded.rank is None:
        return True
    return have.rank == padded.rank and all(
        a is None or b is None or a <= b for a, b in zip(have.as_list(), padded.as_list())
    )


def _static_shape(vector):
    found = static_values.known_value(vector)
    if found is None:
        n = vector.shape[0] if vector.shape.rank == 1 else None
        return tensor_shape.TensorShape(None if n is None else [None] * n)
    return tensor_shape.TensorShape([None if d == -1 else int(d) for d in found])


def _padding_value(leaf, given):
    if given is None:
        if leaf.dtype == dtypes.variant:
            raise TypeError("Unable to create default padding value for a component of type 'tf.variant'.")
        given = "" if leaf.dtype == dtypes.string else 0
        return (
            array_ops.constant(given, leaf.dtype) if leaf.dtype == dtypes.string else array_ops.cast(given, leaf.dtype)
        )
    if isinstance(given, (int, float, complex)) and not isinstance(given, bool) and type(given) is int:
        made = (
            array_ops.cast(given, leaf.dtype)
            if not leaf.dtype.is_bool and leaf.dtype != dtypes.string
            else array_ops.convert_to_tensor(given)
        )
    else:
        made = array_ops.convert_to_tensor(given)
    if made.shape.rank not in (None, 0):
        raise ValueError(f"Invalid `padding_values`. `padding_values` values should be scalars, but got {made.shape}.")
    if made.dtype != leaf.dtype:
        raise TypeError(
            f"Invalid `padding_values`. `padding_values` values type {made.dtype!r} does not match type {leaf.dtype!r} of the "
            "corresponding input component."
        )
    return made


# ---- ragged and sparse batches


def ragged_batch(dataset, batch_size, drop_remainder, row_splits_dtype, name):
    from ..ops import ragged_tensor

    def ragged(leaf):
        if type(leaf) is TensorSpec:
            rank = leaf.shape.rank
            if rank is None or rank == 0 or leaf.shape.is_fully_defined():
                return leaf
            return ragged_tensor.RaggedTensorSpec(leaf.shape, leaf.dtype, 0, row_splits_dtype)
        return leaf

    spec = nest.map_structure(ragged, dataset.element_spec)
    flat = nest.flatten(spec)

    def variants(*arguments):
        element = arguments if type(dataset.element_spec) is tuple else arguments[0]
        parts = elements.flatten_up_to(spec, element)
        return tuple(t for leaf, value in zip(flat, parts) for t in leaf._to_tensor_list(value))

    whole = dataset.map(variants, name=name)
    whole._element_spec = spec
    return whole.batch(batch_size, drop_remainder=drop_remainder, name=name)


def sparse_batch(dataset, batch_size, row_shape, name):
    from ..ops.sparse_tensor import SparseTensorSpec

    leaf = dataset.element_spec
    if type(leaf) is not TensorSpec:
        raise TypeError(f"`dense_to_sparse_batch` requires an input dataset with tensor elements, but got {leaf}.")
    shape = tensor_shape.as_shape(row_shape) if not isinstance(row_shape, tensor.Tensor) else _static_shape(row_shape)
    vector = (
        int64([-1 if d is None else d for d in shape.as_list()])
        if not isinstance(row_shape, tensor.Tensor)
        else int64(row_shape)
    )
    spec = SparseTensorSpec(tensor_shape.TensorShape([None]).concatenate(shape), leaf.dtype)
    return dataset._then("DenseToSparseBatchDataset", int64(batch_size), vector, spec=spec, name=name)


def rebatch(dataset, batch_size, drop_remainder, name):
    sizes, drop = int64(batch_size), array_ops.convert_to_tensor(drop_remainder, dtypes.bool_)
    if sizes.shape.rank not in (None, 0, 1):
        raise ValueError(
            "Invalid `batch_sizes`. Expected `batch_sizes` to be a scalar or a vector. Received `batch_sizes` of rank "
            f"{sizes.shape.rank}."
        )
    spec = dataset.element_spec
    rows = _rebatched_rows(spec, static_values.known_value(sizes), static_values.known_value(drop))
    made = nest.map_structure(lambda leaf: _rebatched(leaf, rows), spec)
    whole = dataset.map(elements.batch_function(spec), name=name) if elements.has_composites(spec) else dataset
    cut = op("RebatchDatasetV2")(whole._variant_tensor, sizes, drop, name=name, **elements.attrs(made))
    return dataset._made("RebatchDataset", cut, made, (dataset,), (whole,))


def divided_batches(dataset, n):
    """Each batch in n parts, of which the first ones have ceil(rows / n) rows."""
    spec = dataset.element_spec
    known = {leaf.shape[0] if leaf.shape.rank else None for leaf in nest.flatten(spec) if hasattr(leaf, "shape")}
    rows = known.pop() if len(known) == 1 else None
    rows = rows // n if rows is not None and rows % n == 0 else None
    made = nest.map_structure(lambda leaf: _rebatched(leaf, rows), spec)
    whole = dataset.map(elements.batch_function(spec)) if elements.has_composites(spec) else dataset
    cut = op("RebatchDataset")(whole._variant_tensor, int64(n), **elements.attrs(made))
    return dataset._made("RebatchDataset", cut, made, (dataset,), (whole,))


def sharded_batches(dataset, n_workers, index, policy, n_replicas):
    """What one of n_workers takes of a dataset: its files or its elements, as the AutoShardPolicy says."""
    spec = dataset.element_spec
    made = op("AutoShardDataset")(
        dataset._variant_tensor,
        int64(n_workers),
        int64(index),
        auto_shard_policy=int(policy),
        num_replicas=n_replicas,
        **elements.attrs(spec),
    )
    return dataset._made("AutoShardDataset", made, spec, (dataset,), (dataset,))


def batch_size(dataset) -> int:
    """How many rows the dataset's batches have, but for the last one; -1 when that is not known."""
    return int(op("ComputeBatchSize")(dataset._variant_tensor))


def _rebatched_rows(spec, sizes, drop):
    """How many rows every new batch has; None where they differ or cannot be known."""
    shapes = [leaf.shape for leaf in nest.flatten(spec) if hasattr(leaf, "shape")]
    known = [shape[0] for shape in shapes if shape.rank and shape[0] is not None]
    if any(n != known[0] for n in known):
        raise ValueError(
            f"Invalid `input_dataset.` The batch dimension of component 0 is {known[0]}, while the batch dimension of component "
            f"i is {known}."
        )
    distinct = set() if sizes is None else {int(n) for n in sizes.reshape(-1)}
    if len(distinct) != 1:
        return None
    one = distinct.pop()
    fits = known and len(known) == len(shapes) and (one == 0 or known[0] % one == 0)
    return one if drop or fits else None


def _rebatched(leaf, rows):
    shape = getattr(leaf, "shape", None)
    if shape is not None and shape.rank == 0:
        raise ValueError(
            "Invalid `batch_sizes`. Expected dataset with rank of >= 1 but found a dataset with scalar elements. Fix the issue by "
            "adding the `batch` transformation to the dataset."
        )
    if type(leaf) is TensorSpec and shape.rank is None:
        return leaf
    return leaf._unbatch()._batch(rows)


# ---- groups


def group_by_window(dataset, key_func, reduce_func, window_size, window_size_func, name):
    if window_size is None and window_size_func is None or window_size is not None and window_size_func is not None:
        raise ValueError("Either the `window_size` argument or the `window_size_func` argument must be specified.")
    if window_size is not None:
        size = window_size

        def window_size_func(unused_key):
            return int64(size)

    scalar, what = TensorSpec([], dtypes.int64), "Dataset.group_by_window()"
    key = ElementFunction(
        lambda *args: _as_int64(_called(key_func, args)), [dataset.element_spec], what, autograph=False
    )
    _demand_scalar(key.spec, "key_func")
    size_function = ElementFunction(
        lambda k: _as_int64(_called(window_size_func, (k,))), [scalar], what, autograph=False
    )
    _demand_scalar(size_function.spec, "window_size_func")
    reduced = ElementFunction(reduce_func, [scalar, DatasetSpec(dataset.element_spec)], what)
    if not isinstance(reduced.spec, DatasetSpec):
        raise TypeError(
            f"Invalid `reduce_func`. `reduce_func` must return a single `tf.data.Dataset` object but its return type is {reduced.spec}."
        )
    functions = [("key_func", key), ("reduce_func", reduced), ("window_size_func", size_function)]
    return dataset._then("GroupByWindowDataset", spec=reduced.spec.element_spec, functions=functions, name=name)


def _called(function, args):
    from ..conversion import calls

    return calls.convert_top(function)(*args)


def _as_int64(value):
    if isinstance(value, tensor.Tensor) and value.dtype != dtypes.int64 and value.dtype.is_integer:
        return array_ops.cast(value, dtypes.int64)
    return int64(value) if not isinstance(value, tensor.Tensor) else value


def _demand_scalar(spec, which):
    if not elements.are_compatible(spec, TensorSpec([], dtypes.int64)):
        raise ValueError(
            f"Invalid `{which}`. `{which}` must return a single `tf.int64` scalar tensor but its return type is {spec}."
        )


def bucket_by_sequence_length(
    dataset, element_length_func, bucket_boundaries, bucket_batch_sizes, padded_shapes, padding_values, pad_to_bucket_boundary,
    no_padding, drop_remainder, name,
):  # fmt: skip
    if len(bucket_batch_sizes) != len(bucket_boundaries) + 1:
        raise ValueError(
            "`len(bucket_batch_sizes)` must equal `len(bucket_boundaries) + 1` but `len(bucket_batch_sizes)="
            f"{len(bucket_batch_sizes)}` and `len(bucket_boundaries)={len(bucket_boundaries)}`."
        )
    sizes = array_ops.constant(list(bucket_batch_sizes), dtypes.int64)
    boundaries = list(bucket_boundaries)

    def bucket(*args):
        length = op("Cast")(_called(element_length_func, args), DstT=dtypes.int32)
        limits = array_ops.constant(boundaries, dtypes.int32)
        return op("Sum")(op("Cast")(op("GreaterEqual")(length, limits), DstT=dtypes.int64), 0)

    def batch(key, grouped):
        size = op("GatherV2")(sizes, key, 0)
        if no_padding:
            return grouped.batch(size, drop_remainder=drop_remainder, name=name)
        shapes = _shapes_with_none(grouped.element_spec, padded_shapes)
        if pad_to_bucket_boundary:
            limits = array_ops.constant([*boundaries, 2**31 - 1], dtypes.int64)
            check = op("Assert")(
                op("Less")(key, int64(len(boundaries))),
                [
                    array_ops.constant(
                        "When pad_to_bucket_boundary=True, elements must have length < max(bucket_boundaries)."
                    )
                ],
            )
            from ..core import graph

            with graph.current().control_dependencies([check]):
                boundary = op("GatherV2")(limits, key, 0) - 1
            shapes = [_bounded(s, boundary) for s in shapes]
        packed = nest.pack_sequence_as(grouped.element_spec, shapes)
        return grouped.padded_batch(size, packed, padding_values, drop_remainder=drop_remainder, name=name)

    return dataset.group_by_window(bucket, batch, window_size_func=lambda key: op("GatherV2")(sizes, key, 0), name=name)


def _shapes_with_none(spec, padded_shapes):
    if padded_shapes is None:
        return [leaf.shape for leaf in nest.flatten(spec)]
    return [tensor_shape.as_shape(s) for s in nest.flatten_up_to(spec, padded_shapes, check_types=False)]


def _bounded(shape, boundary):
    parts = [boundary if d is None else int64(d) for d in shape.as_list()]
    return op("Pack")(parts) if parts else array_ops.constant([], dtypes.int64)
