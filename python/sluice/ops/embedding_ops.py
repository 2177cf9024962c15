"""tf.nn: rows of tables by their numbers, and what is computed of samples of a table's classes.

A table may be in parts: its rows then go to them in turn ("mod"), or part by part ("div").
"""

from __future__ import annotations

from ..core import dtypes, scopes
from ..core.op_defs import op
from . import array_ops, candidate_sampling_ops, nn_ops
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
    ids = convert_to_tensor(ids)
    if len(params) == 1:
        rows = _clipped(_gather(params[0], ids), ids, max_norm)
        return array_ops.identity(rows, name=name)
    flat = array_ops.reshape(ids, [-1])
    part, row = _places(params, flat, strategy)
    count = len(params)
    where = op("DynamicPartition")(op("Range")(0, array_ops.size(flat), 1), part, num_partitions=count)
    found = [_gather(p, i) for p, i in zip(params, op("DynamicPartition")(row, part, num_partitions=count))]
    rows = op("ParallelDynamicStitch")(where, found)
    made = array_ops.reshape(rows, array_ops.concat([array_ops.shape(ids), array_ops.shape(rows)[1:]], 0))
    made.set_shape(ids.shape.concatenate(rows.shape[1:]))
    return array_ops.identity(_clipped(made, ids, max_norm), name=name)


def _gather(params, ids):
    sparse_read = getattr(params, "sparse_read", None)
    return sparse_read(ids) if sparse_read is not None else array_ops.gather(params, ids)


def _places(params, ids, strategy):
    """(part, row within the part) of each number."""
    count = len(params)
    if strategy == "mod":
        return cast(op("FloorMod")(ids, cast(count, ids.dtype)), dtypes.int32), op("FloorDiv")(
            ids, cast(count, ids.dtype)
        )
    if strategy != "div":
        raise ValueError(f"Only 'mod' and 'div' partition strategies are supported. Received: {strategy}")
    sizes = [cast(array_ops.shape(p)[0], ids.dtype) for p in params]
    total = op("AddN")(sizes)
    each, more = total // count, total % count
    part = op("Maximum")(ids // (each + 1), (ids - more) // each)
    early = cast(part < more, ids.dtype)
    row = early * (ids % (each + 1)) + (1 - early) * ((ids - more) % each)
    return cast(part, dtypes.int32), row


def _clipped(rows, ids, max_norm):
    if max_norm is None:
        return rows
    axes = op("Range")(array_ops.rank(ids), array_ops.rank(rows), 1)
    if ids.shape.rank is not None and rows.shape.rank is not None:
        axes = list(range(ids.shape.rank, rows.shape.rank))
    norm = op("Sqrt")(op("Sum")(rows * rows, axes, keep_dims=True))
    limit = convert_to_tensor(max_norm, rows.dtype)
    return rows * limit / op("Maximum")(norm, limit)


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
        return sp_ids.values, cast(sp_ids.indices[:, 0], dtypes.int32)
    if hasattr(sp_ids, "value_rowids"):
        return sp_ids.values, cast(sp_ids.value_rowids(), dtypes.int32)
    raise TypeError(f"sp_ids must be a SparseTensor or RaggedTensor, got {type(sp_ids)}")


def _lookup_sparse(params, sp_ids, sp_weights, strategy, combiner, max_norm, name):
    combiner = combiner or "mean"
    if combiner not in ("mean", "sqrtn", "sum"):
        raise ValueError(f"combiner must be one of 'mean', 'sqrtn' or 'sum', got {combiner}")
    params = _parts(params)
    ids, segments = _ids_and_segments(sp_ids)
    if sp_weights is None:
        ids, places = op("Unique")(ids)
        rows = _lookup(params, ids, strategy, max_norm)
        reduce = {"mean": "SparseSegmentMean", "sqrtn": "SparseSegmentSqrtN", "sum": "SparseSegmentSum"}[combiner]
        return op(reduce)(rows, places, segments, name=name)
    weights = sp_weights.values
    rows = _lookup(params, ids, strategy, max_norm)
    narrow = rows.dtype
    weights = cast(weights, narrow)
    column = array_ops.reshape(weights, array_ops.concat([array_ops.shape(weights), _ones_for(rows)], 0))
    total = op("SegmentSum")(rows * column, segments)
    if combiner == "sum":
        return array_ops.identity(total, name=name)
    scale = op("SegmentSum")(column if combiner == "mean" else column * column, segments)
    return op("DivNoNan")(total, scale if combiner == "mean" else op("Sqrt")(scale), name=name)


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
    ragged = not isinstance(sparse_ids, SparseTensor)
    if ragged:
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
    places = array_ops.reshape(op("Where")(kept), [-1])
    indices, ids = array_ops.gather(indices, places), array_ops.gather(ids, places)
    filled = op("SparseFillEmptyRows")(indices, ids, matrix, cast(default_id or 0, ids.dtype))
    full_ids = SparseTensor(filled[0], filled[1], matrix)
    full_weights = None
    if weights is not None:
        more = op("SparseFillEmptyRows")(indices, array_ops.gather(weights, places), matrix, cast(1, weights.dtype))
        full_weights = SparseTensor(more[0], more[1], matrix)
    rows = _lookup_sparse(table, full_ids, full_weights, strategy, combiner, max_norm, None)
    if default_id is None:
        empty = array_ops.reshape(filled[2], array_ops.concat([[-1], _ones_for(rows)], 0))
        rows = array_ops.where(empty, array_ops.zeros_like(rows), rows)
    outer = cast(shape[:-1], dtypes.int32)
    made = array_ops.reshape(rows, array_ops.concat([outer, array_ops.shape(rows)[1:]], 0), name=name)
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
    rows, shifts = _lookup(weights, every, strategy, None), _lookup(biases, every, strategy, None)
    inputs = convert_to_tensor(inputs)
    rows, shifts = cast(rows, inputs.dtype), cast(shifts, inputs.dtype)
    n = array_ops.size(true)
    dim = array_ops.shape(rows)[1]
    true_rows = array_ops.reshape(rows[:n], array_ops.stack([-1, num_true, dim]))
    true_logits = op("Sum")(array_ops.expand_dims(inputs, 1) * true_rows, [2])
    true_logits = true_logits + array_ops.reshape(shifts[:n], [-1, num_true])
    logits = op("MatMul")(inputs, rows[n:], transpose_b=True) + shifts[n:]
    if remove_accidental_hits:
        logits = logits + _hits(labels, sampled, num_true, array_ops.shape(logits), logits.dtype)
    if subtract_log_q:
        true_logits = true_logits - op("Log")(cast(true_count, true_logits.dtype))
        logits = logits - op("Log")(cast(sampled_count, logits.dtype))
    ones = array_ops.ones_like(true_logits) / cast(num_true, true_logits.dtype)
    return array_ops.concat([true_logits, logits], 1), array_ops.concat([ones, array_ops.zeros_like(logits)], 1)


def _hits(labels, sampled, num_true, shape, dtype):
    """Very small numbers where a sampled class is a true one, 0 elsewhere."""
    rows, columns, weights = candidate_sampling_ops.compute_accidental_hits(labels, sampled, num_true=num_true)
    at = array_ops.stack([cast(rows, dtypes.int32), cast(columns, dtypes.int32)], 1)
    return op("SparseToDense")(at, shape, cast(weights, dtype), cast(0.0, dtype), validate_indices=False)


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
        return op("Sum")(nn_ops.sigmoid_cross_entropy_with_logits(labels=wanted, logits=logits), [1])


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
        return nn_ops.softmax_cross_entropy_with_logits(labels=array_ops.stop_gradient(wanted), logits=logits)
