"""Weights of values, as losses and metrics have them: a scalar, or of the values' rank with dims that are theirs or 1."""

from __future__ import annotations

from ..core import scopes
from ..core.op_defs import op
from . import array_ops, assert_ops
from .array_ops import convert_to_tensor

_MESSAGE = "weights can not be broadcast to values."


def check_broadcastable(weights, values):
    """The weights, once it is sure that they go with the values: ValueError now, or InvalidArgumentError in the graph."""
    weights, values = convert_to_tensor(weights), convert_to_tensor(values)
    have, wanted = weights.shape, values.shape
    if have.rank == 0:
        return weights
    if have.rank is not None and wanted.rank is not None:
        if have.rank != wanted.rank:
            raise ValueError(f"{_MESSAGE} values.rank={wanted.rank}. weights.rank={have.rank}. {have} {wanted}")
        pairs = list(zip(have.as_list(), wanted.as_list()))
        if any(None not in (w, v) and w not in (1, v) for w, v in pairs):
            raise ValueError(f"{_MESSAGE} Mismatch of dims. values.shape={wanted}. weights.shape={have}.")
        if all(w == 1 or w is not None and w == v for w, v in pairs):
            return weights
    return _checked_later(weights, values)


def _checked_later(weights, values):
    w, v = array_ops.shape(weights), array_ops.shape(values)
    fits = op("LogicalOr")(op("Equal")(w, v, incompatible_shape_error=False), op("Equal")(w, 1))
    same_rank = op("Equal")(array_ops.rank(weights), array_ops.rank(values))
    every = op("LogicalAnd")(same_rank, op("All")(fits, op("Range")(0, array_ops.rank(fits), 1)))
    ok = op("LogicalOr")(op("Equal")(array_ops.rank(weights), 0), every)
    done = assert_ops.Assert(ok, [_MESSAGE, "weights.shape=", w, "values.shape=", v])
    if done is None:
        return weights
    with scopes.control_dependencies([done]):
        return array_ops.identity(weights)


def broadcast_weights(weights, values):
    """The weights in the values' shape."""
    weights = check_broadcastable(weights, values)
    values = convert_to_tensor(values)
    if weights.shape.is_fully_defined() and weights.shape == values.shape:
        return weights
    return op("Mul")(weights, array_ops.ones_like(values, dtype=weights.dtype))


def remove_squeezable_dimensions(labels, predictions, expected_rank_diff=0):
    """(labels, predictions), of which the one with a rank too high by one has lost a last dim of 1."""
    labels, predictions = convert_to_tensor(labels), convert_to_tensor(predictions)
    if labels.shape.rank is None or predictions.shape.rank is None:
        return labels, predictions
    difference = predictions.shape.rank - labels.shape.rank
    if difference == expected_rank_diff + 1 and predictions.shape[-1] in (None, 1):
        predictions = array_ops.squeeze(predictions, [-1])
    elif difference == expected_rank_diff - 1 and labels.shape[-1] in (None, 1):
        labels = array_ops.squeeze(labels, [-1])
    return labels, predictions


def squeezed_weights(weights, values):
    """Weights without a last dim that the values have not."""
    weights = convert_to_tensor(weights)
    rank = weights.shape.rank
    if rank == 0:
        return weights
    if rank is None or values.shape.rank is None:
        more = op("Equal")(array_ops.rank(weights) - array_ops.rank(values), 1)
        kept = array_ops.rank(weights) - array_ops.cast(more, "int32")
        return array_ops.reshape(weights, array_ops.shape(weights)[:kept])
    return array_ops.squeeze(weights, [-1]) if rank - values.shape.rank == 1 else weights


def fitted_weights(weights, values):
    """Weights whose rank differs from the values' by one, with a last dim of 1 less or more."""
    weights = squeezed_weights(weights, values)
    ranks = weights.shape.rank, values.shape.rank
    if None not in ranks and ranks[0] and ranks[1] - ranks[0] == 1:
        return array_ops.expand_dims(weights, -1)
    return weights
