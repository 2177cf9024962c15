"""tf.compat.v1.losses: weighted losses, which a graph collects."""

from __future__ import annotations

from ..core import dtypes, graph_keys, scopes, tensor
from ..core.op_defs import op
from . import array_ops, nn_ops, weights_broadcast
from .array_ops import _one_of, cast, convert_to_tensor

_LOSSES = graph_keys.GraphKeys.LOSSES


class Reduction:
    """How the weighted losses of elements become one."""

    NONE = "none"
    SUM = "weighted_sum"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    MEAN = "weighted_mean"
    SUM_BY_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"
    SUM_OVER_NONZERO_WEIGHTS = SUM_BY_NONZERO_WEIGHTS

    @classmethod
    def all(cls):
        """All ways."""
        return (
            cls.NONE,
            cls.SUM,
            cls.MEAN,
            cls.SUM_OVER_BATCH_SIZE,
            cls.SUM_OVER_NONZERO_WEIGHTS,
            cls.SUM_BY_NONZERO_WEIGHTS,
        )

    @classmethod
    def validate(cls, key):
        """ValueError for what is no way."""
        if key not in cls.all():
            raise ValueError(f"Invalid Reduction Key {key}. Key should be one of {cls.all()}.")


_DEFAULT = Reduction.SUM_BY_NONZERO_WEIGHTS


# ---- collections


def add_loss(loss, loss_collection=_LOSSES):
    """Adds a loss to a collection of the graph that is being built."""
    if loss_collection and not scopes.executing_eagerly():
        graph_keys.add_to_collection(loss_collection, loss)


def get_losses(scope=None, loss_collection=_LOSSES):
    """The losses that were added."""
    return graph_keys.get_collection(loss_collection, scope)


def get_regularization_losses(scope=None):
    """The losses of regularizers."""
    return graph_keys.get_collection(graph_keys.GraphKeys.REGULARIZATION_LOSSES, scope)


def get_regularization_loss(scope=None, name="total_regularization_loss"):
    """The sum of the losses of regularizers, 0 without any."""
    found = get_regularization_losses(scope)
    return op("AddN")(found, name=name) if found else convert_to_tensor(0.0)


def get_total_loss(add_regularization_losses=True, name="total_loss", scope=None):
    """The sum of the losses, and of the regularizers' if asked for."""
    losses = get_losses(scope)
    if add_regularization_losses:
        losses = losses + get_regularization_losses(scope)
    return op("AddN")(losses, name=name)


# ---- one loss of many


def _present(losses, weights, per_batch=False):
    """How many of the losses have a weight that is not 0; per_batch: of each row, with dims of 1 for the rest."""
    if not per_batch and isinstance(weights, (int, float)):
        return cast(array_ops.size(losses) if weights else 0, losses.dtype)
    weights = convert_to_tensor(weights)
    if isinstance(weights, tensor.EagerTensor) and weights.shape.rank == 0 and weights.numpy() != 0:
        return cast(array_ops.size(losses), losses.dtype)  # as TensorFlow counts for one weight, also for rows
    there = cast(op("NotEqual")(weights, cast(0, weights.dtype)), losses.dtype)
    there = weights_broadcast.broadcast_weights(there, losses)
    if per_batch:
        return op("Sum")(there, op("Range")(1, array_ops.rank(there), 1), keep_dims=True)
    return _sum(there)


def _sum(x):
    rank = x.shape.rank
    return op("Sum")(x, list(range(rank)) if rank is not None else op("Range")(0, array_ops.rank(x), 1))


def compute_weighted_loss(losses, weights=1.0, scope=None, loss_collection=_LOSSES, reduction=_DEFAULT):
    """The losses times weights, which are a scalar or have dims that are the losses' or 1, reduced.

    ValueError for weights that do not go with the losses, or an unknown reduction.
    """
    Reduction.validate(reduction)
    with scopes.name_scope(scope or "weighted_loss"):
        losses = convert_to_tensor(losses)
        have = losses.dtype
        losses = cast(losses, dtypes.float32)
        weights = cast(_not_none("weights", weights), dtypes.float32)
        weights = weights_broadcast.check_broadcastable(weights, losses)
        losses = op("Mul")(losses, weights)
        made = cast(_reduced(losses, weights, reduction), have)
        add_loss(made, loss_collection)
        return made


def _reduced(losses, weights, reduction):
    if reduction == Reduction.NONE:
        return losses
    total = _sum(losses)
    if reduction == Reduction.MEAN:
        return op("DivNoNan")(total, _sum(array_ops.ones_like(losses) * weights), name="value")
    if reduction == Reduction.SUM_BY_NONZERO_WEIGHTS:
        return op("DivNoNan")(total, _present(losses, weights), name="value")
    if reduction == Reduction.SUM_OVER_BATCH_SIZE:
        return op("DivNoNan")(total, cast(array_ops.size(losses), losses.dtype), name="value")
    return total


def _not_none(what, value):
    if value is None:
        raise ValueError(f"{what} must not be None.")
    return value


def _both_given(labels, predictions, what="predictions"):
    _not_none(what, predictions)
    _not_none("labels", labels)


def _pair(labels, predictions):
    """float32 predictions and labels of one shape."""
    predictions, labels = cast(predictions, dtypes.float32), cast(labels, dtypes.float32)
    predictions.shape.assert_is_compatible_with(labels.shape)
    return labels, predictions


# ---- losses


def absolute_difference(labels, predictions, weights=1.0, scope=None, loss_collection=_LOSSES, reduction=_DEFAULT):
    """|predictions - labels|, weighted."""
    _both_given(labels, predictions)
    with scopes.name_scope(scope or "absolute_difference") as scope:
        labels, predictions = _pair(labels, predictions)
        losses = op("Abs")(predictions - labels)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def mean_squared_error(labels, predictions, weights=1.0, scope=None, loss_collection=_LOSSES, reduction=_DEFAULT):
    """(predictions - labels)^2, weighted."""
    _both_given(labels, predictions)
    with scopes.name_scope(scope or "mean_squared_error") as scope:
        labels, predictions = _pair(labels, predictions)
        losses = op("SquaredDifference")(predictions, labels)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def cosine_distance(
    labels,
    predictions,
    axis=None,
    weights=1.0,
    scope=None,
    loss_collection=_LOSSES,
    reduction=_DEFAULT,
    dim=None,
):
    """1 - the sum along the axis of labels times predictions, which have the length 1; weighted."""
    axis = _one_of("axis", axis, "dim", dim)
    if axis is None:
        raise ValueError("You must specify argument `axis`.")
    _both_given(labels, predictions)
    with scopes.name_scope(scope or "cosine_distance_loss") as scope:
        labels, predictions = _pair(labels, predictions)
        losses = 1 - op("Sum")(predictions * labels, [axis], keep_dims=True)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def hinge_loss(labels, logits, weights=1.0, scope=None, loss_collection=_LOSSES, reduction=_DEFAULT):
    """max(0, 1 - y x) for labels of 0 and 1, which stand for y of -1 and 1; weighted."""
    _both_given(labels, logits, "logits")
    with scopes.name_scope(scope or "hinge_loss") as scope:
        labels, logits = _pair(labels, logits)
        losses = op("Relu")(1.0 - (2.0 * labels - 1.0) * logits)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def huber_loss(labels, predictions, weights=1.0, delta=1.0, scope=None, loss_collection=_LOSSES, reduction=_DEFAULT):
    """d^2 / 2 for differences d up to delta, delta |d| - delta^2 / 2 beyond; weighted."""
    _both_given(labels, predictions)
    with scopes.name_scope(scope or "huber_loss") as scope:
        labels, predictions = _pair(labels, predictions)
        error = op("Abs")(predictions - labels)
        near = op("Minimum")(error, delta)
        losses = 0.5 * near * near + delta * (error - near)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def log_loss(labels, predictions, weights=1.0, epsilon=1e-7, scope=None, loss_collection=_LOSSES, reduction=_DEFAULT):
    """-z log(p + epsilon) - (1 - z) log(1 - p + epsilon), weighted."""
    _both_given(labels, predictions)
    with scopes.name_scope(scope or "log_loss") as scope:
        labels, predictions = _pair(labels, predictions)
        hit, miss = labels * op("Log")(predictions + epsilon), (1 - labels) * op("Log")(1 - predictions + epsilon)
        return compute_weighted_loss(-hit - miss, weights, scope, loss_collection, reduction)


def mean_pairwise_squared_error(labels, predictions, weights=1.0, scope=None, loss_collection=_LOSSES):
    """The mean squares of what the differences of pairs of elements of a row differ by; summed over rows, weighted."""
    _both_given(labels, predictions)
    with scopes.name_scope(scope or "mean_pairwise_squared_error") as scope:
        labels, predictions = _pair(labels, predictions)
        weights = cast(_not_none("weights", weights), dtypes.float32)
        weights = weights_broadcast.check_broadcastable(weights, labels)
        d = predictions - labels
        axes = op("Range")(1, array_ops.rank(d), 1)
        n = _present(d, weights, per_batch=True)
        squares = op("Sum")(d * d, axes, keep_dims=True)
        squares = 2.0 * op("DivNoNan")(squares, op("Maximum")(n - 1, 0.0), name="value")
        total = op("Sum")(d, axes, keep_dims=True)
        product = 2.0 * op("DivNoNan")(total * total, op("Maximum")(n * (n - 1), 0.0), name="value")
        loss = _sum((squares - product) * weights)
        made = op("Select")(_sum(n) > 0, loss, array_ops.zeros_like(loss), name="value")
        add_loss(made, loss_collection)
        return made


def sigmoid_cross_entropy(
    multi_class_labels,
    logits,
    weights=1.0,
    label_smoothing=0,
    scope=None,
    loss_collection=_LOSSES,
    reduction=_DEFAULT,
):
    """The cross entropy of sigmoid(logits); smoothing draws labels towards 1/2. Weighted."""
    _not_none("logits", logits)
    _not_none("multi_class_labels", multi_class_labels)
    with scopes.name_scope(scope or "sigmoid_cross_entropy_loss") as scope:
        logits = convert_to_tensor(logits)
        labels = cast(multi_class_labels, logits.dtype)
        logits.shape.assert_is_compatible_with(labels.shape)
        if label_smoothing > 0:
            labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
        losses = nn_ops.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def softmax_cross_entropy(
    onehot_labels,
    logits,
    weights=1.0,
    label_smoothing=0,
    scope=None,
    loss_collection=_LOSSES,
    reduction=_DEFAULT,
):
    """The cross entropy of softmax(logits); smoothing draws labels towards 1 / classes. Weighted."""
    _not_none("logits", logits)
    _not_none("onehot_labels", onehot_labels)
    with scopes.name_scope(scope or "softmax_cross_entropy_loss") as scope:
        logits = convert_to_tensor(logits)
        labels = cast(onehot_labels, logits.dtype)
        logits.shape.assert_is_compatible_with(labels.shape)
        if label_smoothing > 0:
            classes = cast(array_ops.shape(labels)[-1], logits.dtype)
            labels = labels * (1 - label_smoothing) + label_smoothing / classes
        labels = array_ops.stop_gradient(labels, name="labels_stop_gradient")
        losses = nn_ops.softmax_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def sparse_softmax_cross_entropy(labels, logits, weights=1.0, scope=None, loss_collection=_LOSSES, reduction=_DEFAULT):
    """The cross entropy of softmax(logits) with classes by number, weighted."""
    _not_none("labels", labels)
    _not_none("logits", logits)
    with scopes.name_scope(scope or "sparse_softmax_cross_entropy_loss") as scope:
        logits = convert_to_tensor(logits)
        labels, logits = weights_broadcast.remove_squeezable_dimensions(labels, logits, expected_rank_diff=1)
        weights = weights_broadcast.squeezed_weights(_not_none("weights", weights), labels)
        losses = nn_ops.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)
