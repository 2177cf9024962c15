"""tf.nn: rows of tables by their numbers, and what is computed of samples of a table's classes.

A table may be in parts: its rows then go to them in turn ("mod"), or part by part ("div").
"""

from __future__ import annotations

from ..core import dtypes, graph, scopes
from ..core.op_defs import op
from ..core.tensor import Tensor
from . import array_ops, candidate_sampling_ops, clip_ops, math_ops, nn_ops
from .array_ops import cast, convert_to_tensor
from .sparse_tensor import SparseTensor

_int64 = dtypes.as_dtype("int64")


# ---- rows


def _parts(params):
    if params is None or isinstance(params, (list, tuple)) and not params:
        raise ValueError(f"params must be specified. Received: {params}")
    return list(params) if isinstance(params, (list, tuple)) else [params]


def embedding_lookup(params, ids, max_norm=None, name=None):
    """The rows of a table, or of parts in turn of one, by numbers: [*ids, *row]. Rows longer than max_norm are cut to it."""
    return _lookup(params, ids, "div", max_norm, name)


def embedding_lookup_v1(params, ids, partition_strategy="mod", name=None, validate_indices=True, max_norm=None):
    """embedding_lookup with the way in which the parts share the rows."""
    return _lookup(params, ids, partition_strategy, max_norm, name)


def _lookup(params, ids, strategy, max_norm, name=None):
    params = _parts(params)
    if graph.current() is None:
        return _found(params, convert_to_tensor(ids), strategy, max_norm, None)
    with scopes.name_scope(name or "embedding_lookup") as scope:
        return _found(params, convert_to_tensor(ids, name="ids"), strategy, max_norm, scope)


def _found(params, ids, strategy, max_norm, scope):
    if len(params) == 1:
        rows = _gather(params[0], ids, scope)
        if max_norm is None and scope is not None and rows.op.type == "Identity":
            return rows
        return array_ops.identity(_clipped(rows, ids, max_norm))
    params = [p if isinstance(p, Tensor) or hasattr(p, "sparse_read") else convert_to_tensor(p) for p in params]
    flat = array_ops.reshape(ids, [-1])
    numbers = op("Range")(0, array_ops.size(flat), 1, name="range")
    part, row = _places(params, flat, strategy)
    part, count = cast(part, dtypes.int32), len(params)
    row = op("DynamicPartition")(row, part, num_partitions=count)
    where = op("DynamicPartition")(numbers, part, num_partitions=count)
    found = [_gather(p, i) for p, i in zip(params, row)]
    rows = op("ParallelDynamicStitch")(where, found, name=scope)
    if scope is None:
        made = array_ops.reshape(rows, op("ConcatV2")([array_ops.shape(ids), array_ops.shape(rows)[1:]], 0))
        return _clipped(made, ids, max_norm)
    one = _row_shape(params)
    inner = one.as_list() if one.is_fully_defined() else array_ops.shape(rows)[1:]
    made = array_ops.reshape(rows, op("ConcatV2")([array_ops.shape(ids), inner], 0, name="concat"))
    made.set_shape(ids.shape.concatenate(one))
    return _clipped(made, ids, max_norm)


def _row_shape(params):
    shape = params[0].shape[1:]
    for p in params[1:]:
        shape = shape.merge_with(p.shape[1:])
    return shape


def _gather(params, ids, name=None):
    sparse_read = None if isinstance(params, Tensor) else getattr(params, "sparse_read", None)
    return sparse_read(ids, name=name) if sparse_read is not None else op("GatherV2")(params, ids, 0, name=name)


def _places(params, ids, strategy):
    """(part, row within the part) of each number."""
    count = len(params)
    if strategy == "mod":
        return ids % count, ids // count
    if strategy != "div":
        raise ValueError(f"Only 'mod' and 'div' partition strategies are supported. Received: {strategy}")
    sizes = [p.shape[0] for p in params]
    if None in sizes:
        sizes = [cast(array_ops.shape(p)[0], ids.dtype) for p in params]
        total = math_ops.reduce_sum(array_ops.stack(sizes))
    else:
        total = sum(sizes)
        total = total if graph.current() is None else convert_to_tensor(total, ids.dtype)
    each, more = total // count, total % count
    part = op("Maximum")(ids // (each + 1), (ids - more) // each)
    early = part < more
    return part, op("Select")(early, ids % (each + 1), (ids - more) % each)


def _clipped(rows, ids, max_norm):
    if max_norm is None:
        return rows
    if ids.shape.rank is not None and rows.shape.rank is not None:
        axes = list(range(ids.shape.rank, rows.shape.rank))
    else:
        axes = op("Range")(array_ops.rank(ids), array_ops.rank(rows), 1, name="range")
    return clip_ops.clip_by_norm(rows, max_norm, axes)


# ---- sums of rows


def embedding_lookup_sparse(
    params, sp_ids, sp_weights, combiner=None, max_norm=None, name=None, allow_fast_lookup=False
):
    """The sum, mean or sqrtn of the rows that each row of a sparse or ragged matrix of numbers names, weighted."""
    return _lookup_sparse(params, sp_ids, sp_weights, "div", combiner, max_norm, name)


def embedding_lookup_sparse_v1(
    params,
    sp_ids,
    sp_weights,
    partition_strategy="mod",
    name=None,
    combiner=None,
    max_norm=None,
    allow_fast_lookup=False,
):
    """embedding_lookup_sparse with compat.v1's parameters."""
    return _lookup_sparse(params, sp_ids, sp_weights, partition_strategy, combiner, max_norm, name)


def _ids_and_segments(sp_ids):
    if isinstance(sp_ids, SparseTensor):
        return sp_ids.values, sp_ids.indices[:, 0]
    if hasattr(sp_ids, "value_rowids"):
        return sp_ids.values, sp_ids.value_rowids()
    raise TypeError(f"sp_ids must be a SparseTensor or RaggedTensor, got {type(sp_ids)}")


def _lookup_sparse(params, sp_ids, sp_weights, strategy, combiner, max_norm, name):
    combiner = combiner or "mean"
    if combiner not in ("mean", "sqrtn", "sum"):
        raise ValueError(f"combiner must be one of 'mean', 'sqrtn' or 'sum', got {combiner}")
    params = _parts(params)
    if graph.current() is None:
        return _combined(params, sp_ids, sp_weights, strategy, combiner, max_norm, None)
    with scopes.name_scope(name or "embedding_lookup_sparse") as scope:
        return _combined(params, sp_ids, sp_weights, strategy, combiner, max_norm, scope)


def _combined(params, sp_ids, sp_weights, strategy, combiner, max_norm, name):
    ids, segments = _ids_and_segments(sp_ids)
    if sp_weights is None:
        reduce = {"mean": "SparseSegmentMean", "sqrtn": "SparseSegmentSqrtN", "sum": "SparseSegmentSum"}[combiner]
        if (
            len(params) == 1
            and max_norm is None
            and (isinstance(params[0], Tensor) or not hasattr(params[0], "sparse_read"))
        ):
            return op(reduce)(params[0], ids, segments, name=name)
        ids, places = op("Unique")(ids)
        rows = _lookup(params, ids, strategy, max_norm)
        return op(reduce)(rows, places, segments, name=name)
    ids, places = op("Unique")(ids)
    rows = _lookup(params, ids, strategy, max_norm)
    narrow = rows.dtype
    wide = dtypes.float32 if narrow in (dtypes.as_dtype("float16"), dtypes.as_dtype("bfloat16")) else narrow
    segments = cast(segments, dtypes.int32)
    rows = cast(array_ops.gather(rows, places), wide)
    weights = cast(sp_weights.values, wide)
    more, shape = op("ExpandDims")(array_ops.rank(rows) - 1, 0), array_ops.shape(weights)
    weights = array_ops.reshape(weights, array_ops.concat([shape, array_ops.ones(more, dtypes.int32)], 0))
    rows = rows * weights
    if combiner == "sum":
        made = op("SegmentSum")(rows, segments, name=name)
    else:
        made = op("SegmentSum")(rows, segments)
        if combiner == "mean":
            scale = op("SegmentSum")(weights, segments)
        else:
            scale = op("Sqrt")(op("SegmentSum")(op("Pow")(weights, 2), segments))
        made = op("DivNoNan")(made, scale, name=name)
    return cast(made, narrow)


def _ones_for(rows):
    """1 for each dim of rows but the first."""
    return array_ops.ones(array_ops.stack([array_ops.rank(rows) - 1]), dtypes.int32)


def safe_embedding_lookup_sparse(
    embedding_weights,
    sparse_ids,
    sparse_weights=None,
    combiner="mean",
    default_id=None,
    max_norm=None,
    name=None,
    allow_fast_lookup=False,
):
    """embedding_lookup_sparse of what is there: numbers below 0, and weights that are not above 0, count as absent.

    A row without any is the default_id's, or 0.
    """
    return _safe_lookup(embedding_weights, sparse_ids, sparse_weights, combiner, default_id, "div", max_norm, name)


def safe_embedding_lookup_sparse_v1(
    embedding_weights,
    sparse_ids,
    sparse_weights=None,
    combiner="mean",
    default_id=None,
    name=None,
    partition_strategy="div",
    max_norm=None,
    allow_fast_lookup=False,
):
    """safe_embedding_lookup_sparse with compat.v1's parameters."""
    return _safe_lookup(
        embedding_weights, sparse_ids, sparse_weights, combiner, default_id, partition_strategy, max_norm, name
    )


def _safe_lookup(table, sparse_ids, sparse_weights, combiner, default_id, strategy, max_norm, name):
    with scopes.scope_in_graphs(name, "embedding_lookup") as scope:
        return _safe_rows(table, sparse_ids, sparse_weights, combiner, default_id, strategy, max_norm, scope)


def _safe_rows(table, sparse_ids, sparse_weights, combiner, default_id, strategy, max_norm, name):
    if not isinstance(sparse_ids, SparseTensor):
        sparse_ids = sparse_ids.to_sparse()
        sparse_weights = None if sparse_weights is None else sparse_weights.to_sparse()
    shape = cast(sparse_ids.dense_shape, _int64)
    rank = sparse_ids.dense_shape.shape[0]
    matrix = array_ops.concat([op("Prod")(shape[:-1], [0], keep_dims=True), shape[-1:]], 0)
    indices, _ = op("SparseReshape")(sparse_ids.indices, shape, matrix)
    ids, weights = sparse_ids.values, None if sparse_weights is None else sparse_weights.values
    kept = ids >= cast(0, ids.dtype)
    if weights is not None:
        kept = op("LogicalAnd")(kept, weights > cast(0, weights.dtype)) if combiner != "sum" else kept
    places = op("Squeeze")(op("Where")(kept), squeeze_dims=[1])
    indices, ids = array_ops.gather(indices, places), array_ops.gather(ids, places)
    filled = op("SparseFillEmptyRows")(indices, ids, matrix, cast(default_id or 0, ids.dtype))
    full_ids = SparseTensor(filled[0], filled[1], matrix)
    full_weights = None
    if weights is not None:
        more = op("SparseFillEmptyRows")(indices, array_ops.gather(weights, places), matrix, cast(1, weights.dtype))
        full_weights = SparseTensor(more[0], more[1], matrix)
    inner = None if default_id is None else name
    rows = _lookup_sparse(table, full_ids, full_weights, strategy, combiner, max_norm, inner)
    if default_id is None:
        empty = array_ops.reshape(filled[2], array_ops.concat([[-1], _ones_for(rows)], 0), name="Reshape_1")
        rows = op("SelectV2")(empty, array_ops.zeros_like(rows), rows, name=name)
    outer = cast(shape[:-1], dtypes.int32)
    last = "Reshape_1" if default_id is not None else "Reshape_2"
    made = array_ops.reshape(rows, array_ops.concat([outer, array_ops.shape(rows)[1:]], 0), name=last)
    if rank is not None and rows.shape.rank is not None:
        made.set_shape([None] * (rank - 1) + rows.shape.as_list()[1:])
    return made


# ---- losses of some of many classes


def _sampled_logits(
    weights,
    biases,
    labels,
    inputs,
    num_sampled,
    num_classes,
    num_true,
    sampled_values,
    subtract_log_q,
    remove_accidental_hits,
    strategy,
    seed=None,
):
    """(logits, labels) [batch, num_true + num_sampled] of the true classes and the sampled ones."""
    weights, biases = _parts(weights), _parts(biases)
    labels = cast(labels, _int64)
    if labels.shape.rank == 1:
        labels = array_ops.expand_dims(labels, -1)
    true = array_ops.reshape(labels, [-1])
    inputs = convert_to_tensor(inputs)
    if sampled_values is None:
        sampled_values = candidate_sampling_ops.log_uniform_candidate_sampler(
            true_classes=labels,
            num_true=num_true,
            num_sampled=num_sampled,
            unique=True,
            range_max=num_classes,
            seed=seed,
        )
    sampled, true_count, sampled_count = (array_ops.stop_gradient(v) for v in sampled_values)
    sampled = cast(sampled, _int64)
    every = array_ops.concat([true, sampled], 0)
    rows = cast(_lookup(weights, every, strategy, None), inputs.dtype)
    size = array_ops.stack([array_ops.shape(true)[0], -1])
    true_rows = op("Slice")(rows, [0, 0], size)
    start = array_ops.stack([array_ops.shape(true)[0], 0])
    logits = op("MatMul")(inputs, op("Slice")(rows, start, [-1, -1]), transpose_b=True)
    shifts = cast(_lookup(biases, every, strategy, None), inputs.dtype)
    true_shifts = op("Slice")(shifts, [0], array_ops.shape(true))
    shifts = op("Slice")(shifts, array_ops.shape(true), [-1])
    dim = array_ops.shape(true_rows)[1:2]
    shape = op("ConcatV2")([[-1, num_true], dim], 0, name="concat")
    products = op("Mul")(array_ops.expand_dims(inputs, 1), array_ops.reshape(true_rows, shape))
    products = array_ops.reshape(products, op("ConcatV2")([[-1], dim], 0, name="concat"))
    true_logits = array_ops.reshape(_row_sums(products), [-1, num_true])
    true_shifts = array_ops.reshape(true_shifts, [-1, num_true])
    true_logits, logits = true_logits + true_shifts, logits + shifts
    if remove_accidental_hits:
        logits = logits + _hits(labels, sampled, num_true, num_sampled, logits.dtype)
    if subtract_log_q:
        true_logits = true_logits - op("Log")(cast(true_count, true_logits.dtype))
        logits = logits - op("Log")(cast(sampled_count, logits.dtype))
    every = array_ops.concat([true_logits, logits], 1)
    ones = array_ops.ones_like(true_logits) / float(num_true)
    return every, array_ops.concat([ones, array_ops.zeros_like(logits)], 1)


def _row_sums(x):
    """The sums of the rows of a matrix, by a product as TensorFlow has them, to the bit."""
    columns = array_ops.shape(x)[1]
    ones = array_ops.ones(array_ops.stack([columns, 1]), x.dtype)
    return array_ops.reshape(op("MatMul")(x, ones), [-1])


def _hits(labels, sampled, num_true, num_sampled, dtype):
    """Very small numbers where a sampled class is a true one, 0 elsewhere."""
    rows, columns, weights = candidate_sampling_ops.compute_accidental_hits(labels, sampled, num_true=num_true)
    rows = array_ops.reshape(rows, [-1, 1])
    columns = array_ops.reshape(cast(columns, dtypes.int32), [-1, 1])
    at = array_ops.concat([rows, columns], 1, name="sparse_indices")
    shape = array_ops.concat([array_ops.shape(labels)[:1], array_ops.expand_dims(num_sampled, 0)], 0)
    return op("SparseToDense")(at, shape, cast(weights, dtype), 0.0, validate_indices=False)


def nce_loss(
    weights,
    biases,
    labels,
    inputs,
    num_sampled,
    num_classes,
    num_true=1,
    sampled_values=None,
    remove_accidental_hits=False,
    name="nce_loss",
):
    """Noise-contrastive estimation: the losses [batch] of telling true classes from sampled ones, each by itself."""
    return nce_loss_v1(
        weights,
        biases,
        labels,
        inputs,
        num_sampled,
        num_classes,
        num_true,
        sampled_values,
        remove_accidental_hits,
        "div",
        name,
    )


def nce_loss_v1(
    weights,
    biases,
    labels,
    inputs,
    num_sampled,
    num_classes,
    num_true=1,
    sampled_values=None,
    remove_accidental_hits=False,
    partition_strategy="mod",
    name="nce_loss",
):
    """nce_loss with compat.v1's parameters."""
    with scopes.name_scope(name or "nce_loss"):
        logits, wanted = _sampled_logits(
            weights,
            biases,
            labels,
            inputs,
            num_sampled,
            num_classes,
            num_true,
            sampled_values,
            True,
            remove_accidental_hits,
            partition_strategy,
        )
    return _row_sums(nn_ops.sigmoid_cross_entropy_with_logits(labels=wanted, logits=logits, name="sampled_losses"))


def sampled_softmax_loss(
    weights,
    biases,
    labels,
    inputs,
    num_sampled,
    num_classes,
    num_true=1,
    sampled_values=None,
    remove_accidental_hits=True,
    seed=None,
    name="sampled_softmax_loss",
):
    """The cross entropies [batch] of the softmax over the true classes and sampled ones."""
    return sampled_softmax_loss_v1(
        weights,
        biases,
        labels,
        inputs,
        num_sampled,
        num_classes,
        num_true,
        sampled_values,
        remove_accidental_hits,
        "div",
        name,
        seed,
    )


def sampled_softmax_loss_v1(
    weights,
    biases,
    labels,
    inputs,
    num_sampled,
    num_classes,
    num_true=1,
    sampled_values=None,
    remove_accidental_hits=True,
    partition_strategy="mod",
    name="sampled_softmax_loss",
    seed=None,
):
    """sampled_softmax_loss with compat.v1's parameters."""
    with scopes.name_scope(name or "sampled_softmax_loss"):
        logits, wanted = _sampled_logits(
            weights,
            biases,
            labels,
            inputs,
            num_sampled,
            num_classes,
            num_true,
            sampled_values,
            True,
            remove_accidental_hits,
            partition_strategy,
            seed,
        )
    wanted = array_ops.stop_gradient(wanted, name="labels_stop_gradient")
    return nn_ops.softmax_cross_entropy_with_logits(labels=wanted, logits=logits)
