"""tf.compat.v1.metrics of the k best classes of each row: precision, recall and average precision.

Labels are classes, int64: a tensor or SparseTensor [..., labels of a row], or [...] with one label a row. Predictions are logits
[..., classes], or with _top_k the classes themselves, [..., k].
"""

from __future__ import annotations

import numpy as np

from ..core import tensor, tensor_shape
from ..core.op_defs import op
from ..core.scopes import current_name_scope
from . import array_ops, math_ops, weights_broadcast
from .array_ops import cast, convert_to_tensor
from .metrics_v1 import added, collected, divided, metric_variable, scope_of

Tensor = tensor.Tensor
_NONE = np.iinfo(np.int64).min  # what fills rows of sparse labels


def _dense_labels(labels, predictions):
    """Labels as a tensor with as many axes as the predictions."""
    if hasattr(labels, "dense_shape") and not isinstance(labels, Tensor):
        missing = convert_to_tensor(_NONE, "int64")
        values = cast(labels.values, "int64")
        dense = op("SparseToDense")(labels.indices, labels.dense_shape, values, missing)
        if isinstance(getattr(labels, "shape", None), tensor_shape.TensorShape):
            dense.set_shape(labels.shape)
        labels = dense
    labels = cast(labels, "int64")
    if labels.shape.rank is not None and labels.shape.rank == (predictions.shape.rank or 0) - 1:
        labels = array_ops.expand_dims(labels, -1)
    return labels


def _first_ones(values):
    """Which values of a row are no repetitions of one before."""
    same = op("Equal")(array_ops.expand_dims(values, -1), array_ops.expand_dims(values, -2))
    n = array_ops.shape(values)[-1]
    row = op("Range")(0, n, 1)
    before = op("Less")(array_ops.expand_dims(row, 0), array_ops.expand_dims(row, 1))
    return op("LogicalNot")(math_ops.reduce_any(op("LogicalAnd")(same, before), -1))


def _members(values, class_id):
    """Which values of a row count: each once, and only of the class when one is named."""
    wanted = op("LogicalAnd")(_first_ones(values), op("NotEqual")(values, convert_to_tensor(_NONE, "int64")))
    if class_id is not None:
        wanted = op("LogicalAnd")(wanted, op("Equal")(values, convert_to_tensor(class_id, "int64")))
    return wanted


def _among(values, others):
    return math_ops.reduce_any(op("Equal")(array_ops.expand_dims(values, -1), array_ops.expand_dims(others, -2)), -1)


def _rows(which):
    return math_ops.reduce_sum(cast(which, "float64"), -1)


def _weighted(counts, weights):
    if weights is not None:
        weights = weights_broadcast.fitted_weights(cast(weights, "float64"), counts)
        counts = op("Mul")(counts, weights_broadcast.broadcast_weights(weights, counts))
    return math_ops.reduce_sum(counts)


def _suffix(k, class_id):
    return f"_at_{k}" if class_id is None else f"_at_{k}_class{class_id}"


def _ratio(what, second, labels, predictions, k, class_id, weights, collections, name, find):
    """true positives / (true positives + others) of the classes predicted, [..., k]."""
    suffix = _suffix(k, class_id)
    with scope_of(name, what + suffix, f"{what}_at_k"):
        whole = current_name_scope()
        top = cast(find(predictions), "int64")
        labels = _dense_labels(labels, top)
        predicted, true = _members(top, class_id), _members(labels, class_id)
        right = _rows(op("LogicalAnd")(predicted, _among(top, labels)))
        of, other = (predicted, "false_positive") if second == "false_positive" else (true, "false_negative")
        wrong = op("Sub")(_rows(of), right)
        values, updates = [], []
        for kind, counts in (("true_positive", right), (other, wrong)):
            variable = metric_variable([], "float64", kind + suffix)
            values.append(convert_to_tensor(variable))
            updates.append(added(variable, _weighted(counts, weights)))
        value, update = (
            op("RealDiv")(a, op("AddV2")(a, b, name="Add"), name=end)
            for (a, b), end in ((values, whole), (updates, "update"))
        )
        return collected(value, update, *collections)


def _best(k):
    return lambda predictions: op("TopKV2")(convert_to_tensor(predictions), k)[1]


def precision_at_k(
    labels, predictions, k, class_id=None, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """Which part of the k best classes are labels of their row; class_id: of that class only."""
    collections = metrics_collections, updates_collections
    find = _best(k)
    return _ratio("precision", "false_positive", labels, predictions, k, class_id, weights, collections, name, find)


def recall_at_k(
    labels, predictions, k, class_id=None, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """Which part of the labels are among the k best classes of their row; class_id: of that class only."""
    collections = metrics_collections, updates_collections
    find = _best(k)
    return _ratio("recall", "false_negative", labels, predictions, k, class_id, weights, collections, name, find)


def precision_at_top_k(
    labels,
    predictions_idx,
    k=None,
    class_id=None,
    weights=None,
    metrics_collections=None,
    updates_collections=None,
    name=None,
):
    """precision_at_k of the k best classes themselves."""
    collections = metrics_collections, updates_collections
    find = convert_to_tensor
    return _ratio("precision", "false_positive", labels, predictions_idx, k, class_id, weights, collections, name, find)


def recall_at_top_k(
    labels,
    predictions_idx,
    k=None,
    class_id=None,
    weights=None,
    metrics_collections=None,
    updates_collections=None,
    name=None,
):
    """recall_at_k of the k best classes themselves."""
    collections = metrics_collections, updates_collections
    find = convert_to_tensor
    return _ratio("recall", "false_negative", labels, predictions_idx, k, class_id, weights, collections, name, find)


def sparse_precision_at_k(
    labels, predictions, k, class_id=None, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The same as precision_at_k."""
    return precision_at_k(labels, predictions, k, class_id, weights, metrics_collections, updates_collections, name)


def average_precision_at_k(
    labels, predictions, k, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The mean over the rows of average precision: the mean of the precisions of the i best classes, over each i <= k whose class
    is a label, as a part of the labels that there are, k at most."""
    with scope_of(name, f"average_precision{_suffix(k, None)}", "average_precision_at_k"):
        top = cast(_best(k)(predictions), "int64")
        labels = _dense_labels(labels, top)
        relevant = cast(op("LogicalAnd")(_first_ones(top), _among(top, labels)), "float64")
        ranks = cast(op("Range")(1, k + 1, 1), "float64")
        precisions = op("RealDiv")(op("Cumsum")(relevant, -1), ranks)
        sums = math_ops.reduce_sum(op("Mul")(precisions, relevant), -1)
        number = op("Minimum")(_rows(_members(labels, None)), convert_to_tensor(float(k), "float64"))
        averages = divided(sums, number)
        largest = metric_variable([], "float64", "max")
        total = metric_variable([], "float64", "total")
        new = (
            added(total, _weighted(averages, weights)),
            added(largest, _weighted(array_ops.ones_like(averages), weights)),
        )
        value = divided(convert_to_tensor(total), convert_to_tensor(largest), "mean")
        return collected(value, divided(*new, current_name_scope()), metrics_collections, updates_collections)


def sparse_average_precision_at_k(
    labels, predictions, k, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The same as average_precision_at_k."""
    return average_precision_at_k(labels, predictions, k, weights, metrics_collections, updates_collections, name)
