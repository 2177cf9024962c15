"""tf.compat.v1.metrics: values that are gathered over many runs of a graph, in local variables.

Each function gives (value, update): the value of what was gathered so far, and an op that gathers a batch and gives the value
after it. The variables are in the collections LOCAL_VARIABLES and METRIC_VARIABLES. Metrics of the k best classes are in
metrics_at_k.py.
"""

from __future__ import annotations

from ..core import graph, scopes
from ..core.graph_keys import GraphKeys
from ..core.op_defs import op
from . import array_ops, assert_ops, math_ops, weights_broadcast
from .array_ops import cast, convert_to_tensor
from .variable_scope import variable_scope

_EPSILON = 1e-7


# ---- what all share


def metric_variable(shape, dtype, name):
    """A local variable of zeros, of the metric variables."""
    from .. import compat

    return compat.v1.Variable(
        lambda: array_ops.zeros(shape, dtype),
        trainable=False,
        collections=[GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES],
        name=name,
    )


def scope_of(name, default_name, what):
    """The scope of a metric's variables; RuntimeError when ops are executed at once."""
    if graph.current() is None:
        raise RuntimeError(f"tf.metrics.{what} is not supported when eager execution is enabled.")
    return variable_scope(name, default_name)


def collected(value, update, metrics_collections, updates_collections):
    """The pair, which is put into the collections."""
    for collections, item in ((metrics_collections, value), (updates_collections, update)):
        for c in [collections] if isinstance(collections, str) else collections or ():
            graph.current().add_to_collection(c, item)
    return value, update


def added(variable, amount):
    """The variable's value once the amount was added."""
    return convert_to_tensor(variable.assign_add(amount))


def divided(total, count, name=None):
    """total / count, and 0 where the count is 0."""
    return op("DivNoNan")(total, count, name=name)


_RESULTS = ("value", "update_op")  # how the nodes are called that a metric gives


def _squeezed(predictions, labels=None, weights=None):
    """The three with ranks that fit: a last axis of size one too many is left out, or given to the weights."""
    predictions = convert_to_tensor(predictions)
    if labels is not None:
        labels, predictions = weights_broadcast.remove_squeezable_dimensions(labels, predictions)
        predictions.shape.assert_is_compatible_with(labels.shape)
    if weights is not None:
        weights = weights_broadcast.fitted_weights(weights, predictions)
    return predictions, labels, weights


def _weights_of(weights, values):
    return weights_broadcast.broadcast_weights(cast(weights, values.dtype), values)


# ---- means


def _mean(values, weights, name, what, finish=lambda x: x, collections=(None, None)):
    with scope_of(name, what, what):
        values = cast(values, "float32")
        total, count = metric_variable([], "float32", "total"), metric_variable([], "float32", "count")
        if weights is None:
            number = cast(array_ops.size(values), "float32")
        else:
            values, _, weights = _squeezed(values, None, weights)
            weights = _weights_of(weights, values)
            values = op("Mul")(values, weights)
            number = math_ops.reduce_sum(weights)
        with scopes.control_dependencies([values]):
            sums = added(total, math_ops.reduce_sum(values)), added(count, number)
        value = divided(convert_to_tensor(total), convert_to_tensor(count), "value")
        update = divided(*sums, "update_op")
    return collected(finish(value), finish(update), *collections)


def mean(values, weights=None, metrics_collections=None, updates_collections=None, name=None):
    """The mean of the values, with weights that broadcast."""
    return _mean(values, weights, name, "mean", collections=(metrics_collections, updates_collections))


def accuracy(labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None):
    """Which part of the predictions is equal to the labels."""
    if graph.current() is None:
        raise RuntimeError("tf.metrics.accuracy is not supported when eager execution is enabled.")
    predictions, labels, weights = _squeezed(predictions, labels, weights)
    right = op("Equal")(cast(predictions, labels.dtype), labels)
    return _mean(right, weights, name, "accuracy", collections=(metrics_collections, updates_collections))


def _error(what, error, finish=lambda x: x):
    def apply(labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None):
        if graph.current() is None:
            raise RuntimeError(f"tf.metrics.{what} is not supported when eager execution is enabled.")
        predictions, labels, weights = _squeezed(cast(predictions, "float32"), cast(labels, "float32"), weights)
        values = error(labels, predictions)
        return _mean(values, weights, name, what, finish, (metrics_collections, updates_collections))

    apply.__name__ = apply.__qualname__ = what
    apply.__doc__ = f"The {what.replace('_', ' ')} of the predictions, with weights that broadcast."
    return apply


def _squares(labels, predictions):
    return op("SquaredDifference")(predictions, labels)


mean_absolute_error = _error("mean_absolute_error", lambda y, x: op("Abs")(x - y))
mean_squared_error = _error("mean_squared_error", _squares)
root_mean_squared_error = _error("root_mean_squared_error", _squares, lambda x: op("Sqrt")(x))


def mean_relative_error(
    labels, predictions, normalizer, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The mean of |labels - predictions| / normalizer; what the normalizer makes 0 / 0 counts as 0."""
    normalizer = cast(normalizer, "float32")

    def error(y, x):
        weights_broadcast.remove_squeezable_dimensions(x, normalizer)[1].shape.assert_is_compatible_with(x.shape)
        none = op("Equal")(normalizer, 0.0)
        return op("Select")(none, array_ops.zeros_like(y), op("Abs")(y - x) / normalizer)

    metric = _error("mean_relative_error", error)
    return metric(labels, predictions, weights, metrics_collections, updates_collections, name)


def mean_cosine_distance(
    labels, predictions, dim, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """1 less the mean of the products of labels and predictions, summed over `dim`; both are unit vectors."""
    if graph.current() is None:
        raise RuntimeError("tf.metrics.mean_cosine_distance is not supported when eager execution is enabled.")
    predictions, labels, weights = _squeezed(cast(predictions, "float32"), cast(labels, "float32"), weights)
    products = math_ops.reduce_sum(op("Mul")(predictions, labels), [dim], keepdims=True)
    return _mean(
        products,
        weights,
        name,
        "mean_cosine_distance",
        lambda x: op("Sub")(1.0, x),
        (metrics_collections, updates_collections),
    )


def percentage_below(values, threshold, weights=None, metrics_collections=None, updates_collections=None, name=None):
    """Which part of the values is below the threshold."""
    if graph.current() is None:
        raise RuntimeError("tf.metrics.percentage_below is not supported when eager execution is enabled.")
    below = cast(op("Less")(values, threshold), "float32")
    collections = metrics_collections, updates_collections
    return _mean(below, weights, name, "percentage_below_threshold", collections=collections)


def mean_tensor(values, weights=None, metrics_collections=None, updates_collections=None, name=None):
    """The means of the values by element, over the runs."""
    with scope_of(name, "mean", "mean_tensor"):
        values = cast(values, "float32")
        total = metric_variable(values.shape, "float32", "total_tensor")
        count = metric_variable(values.shape, "float32", "count_tensor")
        number = array_ops.ones_like(values)
        if weights is not None:
            values, _, weights = _squeezed(values, None, weights)
            weights = _weights_of(weights, values)
            values, number = op("Mul")(values, weights), op("Mul")(number, weights)
        with scopes.control_dependencies([values]):
            sums = added(total, values), added(count, number)
        value = divided(convert_to_tensor(total), convert_to_tensor(count), "value")
        return collected(value, divided(*sums, "update_op"), metrics_collections, updates_collections)


# ---- confusion matrices


def _classes(labels, predictions, weights):
    labels, predictions = cast(labels, "int64"), cast(predictions, "int64")
    predictions, labels, weights = _squeezed(predictions, labels, weights)
    labels, predictions = (array_ops.reshape(t, [-1]) for t in (labels, predictions))
    if weights is not None:
        weights = array_ops.reshape(weights, [-1])
        predictions.shape.assert_is_compatible_with(weights.shape)
    return labels, predictions, weights


def mean_iou(
    labels, predictions, num_classes, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The mean over the classes that come of intersection over union: of what is a class and what is predicted as it. The update
    gives the confusion matrix."""
    from .counting_ops import confusion_matrix

    with scope_of(name, "mean_iou", "mean_iou"):
        predictions.shape.assert_is_compatible_with(labels.shape)
        labels, predictions, weights = _classes(labels, predictions, weights)
        total = metric_variable([num_classes, num_classes], "float64", "total_confusion_matrix")
        update = added(total, confusion_matrix(labels, predictions, num_classes, weights, "float64"))
        matrix = cast(convert_to_tensor(total), "float32")
        both = op("MatrixDiagPart")(matrix)
        union = op("Sub")(op("AddV2")(math_ops.reduce_sum(matrix, 0), math_ops.reduce_sum(matrix, 1)), both)
        present = math_ops.reduce_sum(cast(op("NotEqual")(union, 0.0), "float32"))
        value = divided(math_ops.reduce_sum(divided(both, union)), present, "Select_1")  # as programs fetch it
        return collected(value, update, metrics_collections, updates_collections)


def mean_per_class_accuracy(
    labels, predictions, num_classes, weights=None, metrics_collections=None, updates_collections=None, name=None
):
    """The mean over all classes of the part of a class that is predicted as it. The update gives these parts."""
    with scope_of(name, "mean_accuracy", "mean_per_class_accuracy"):
        predictions.shape.assert_is_compatible_with(labels.shape)
        labels, predictions, weights = _classes(labels, predictions, weights)
        labels = _within(labels, num_classes, "`labels` out of bound")
        predictions = _within(predictions, num_classes, "`predictions` out of bound")
        total = metric_variable([num_classes], "float32", "total")
        count = metric_variable([num_classes], "float32", "count")
        ones = array_ops.ones(array_ops.shape(labels), "float32") if weights is None else cast(weights, "float32")
        right = op("Mul")(cast(op("Equal")(labels, predictions), "float32"), ones)
        sums = [added(v, op("UnsortedSegmentSum")(x, labels, num_classes)) for v, x in ((total, ones), (count, right))]
        parts = divided(convert_to_tensor(count), convert_to_tensor(total), "div_no_nan")
        value = math_ops.reduce_mean(parts, name="mean_accuracy")
        return collected(value, divided(sums[1], sums[0], "update_op"), metrics_collections, updates_collections)


def _within(classes, num_classes, message):
    from .control_flow_ops import with_dependencies

    return with_dependencies([assert_ops.assert_less(classes, cast(num_classes, "int64"), message)], classes)


# ---- counts of true and false predictions


def _count(right, weights, name, collections):
    """How many of what is true, as weights say."""
    with variable_scope(name, name):
        count = metric_variable([], "float32", "count")
        return _counted(right, weights, count, collections)


def _counted(right, weights, count, collections):
    values = cast(right, "float32")
    if weights is not None:
        values, _, weights = _squeezed(values, None, weights)
        values = op("Mul")(values, _weights_of(weights, values))
    with scopes.control_dependencies([values]):
        update = added(count, math_ops.reduce_sum(values))
    return collected(array_ops.identity(convert_to_tensor(count)), update, *collections)


_KINDS = {  # kind -> (what the label is, what the prediction is)
    "true_positives": (True, True),
    "true_negatives": (False, False),
    "false_positives": (False, True),
    "false_negatives": (True, False),
}


def _of_kind(kind, labels, predictions):
    label, prediction = _KINDS[kind]
    parts = (x if wanted else op("LogicalNot")(x) for x, wanted in ((labels, label), (predictions, prediction)))
    return op("LogicalAnd")(*parts)


def _kind(kind):
    def apply(labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None):
        with scope_of(name, kind, kind):
            predictions, labels, weights = _squeezed(cast(predictions, "bool"), cast(labels, "bool"), weights)
            count = metric_variable([], "float32", "count")
            found = _of_kind(kind, labels, predictions)
            return _counted(found, weights, count, (metrics_collections, updates_collections))

    apply.__name__ = apply.__qualname__ = kind
    apply.__doc__ = (
        f"The number, or the weights, of {kind.replace('_', ' ')}: labels and predictions are cast to truth values."
    )
    return apply


true_positives, true_negatives = _kind("true_positives"), _kind("true_negatives")
false_positives, false_negatives = _kind("false_positives"), _kind("false_negatives")


def _ratio(what, first, second, words):
    def apply(labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None):
        with scope_of(name, what, what):
            predictions, labels, weights = _squeezed(cast(predictions, "bool"), cast(labels, "bool"), weights)
            pairs = [_count(_of_kind(k, labels, predictions), weights, k, (None, None)) for k in (first, second)]
            value, update = (divided(a, a + b, name) for (a, b), name in zip(zip(*pairs), _RESULTS))
            return collected(value, update, metrics_collections, updates_collections)

    apply.__name__ = apply.__qualname__ = what
    apply.__doc__ = words
    return apply


precision = _ratio("precision", "true_positives", "false_positives", "Which part of what is predicted is true.")
recall = _ratio("recall", "true_positives", "false_negatives", "Which part of what is true is predicted.")


# ---- at thresholds


def _at_thresholds(labels, predictions, thresholds, weights, kinds):
    """By kind (its value, its update): counts for each threshold, above which a prediction is positive."""
    predictions, labels, weights = _squeezed(cast(predictions, "float32"), cast(labels, "bool"), weights)
    n = len(thresholds)
    if weights is not None:
        weights = array_ops.reshape(_weights_of(weights, predictions), [1, -1])
    predictions, labels = (array_ops.reshape(t, [1, -1]) for t in (predictions, labels))
    limits = array_ops.expand_dims(convert_to_tensor(thresholds, "float32"), 1)
    positive = op("Greater")(predictions, limits)
    labels = array_ops.tile(labels, [n, 1])
    made = {}
    for kind in kinds:
        count = metric_variable([n], "float32", kind)
        found = cast(_of_kind(kind, labels, positive), "float32")
        if weights is not None:
            found = op("Mul")(found, weights)
        made[kind] = convert_to_tensor(count), added(count, math_ops.reduce_sum(found, 1))
    return made


def _kind_at_thresholds(kind):
    def apply(
        labels, predictions, thresholds, weights=None, metrics_collections=None, updates_collections=None, name=None
    ):
        with scope_of(name, kind, kind + "_at_thresholds"):
            made = _at_thresholds(labels, predictions, thresholds, weights, [kind])
            count, update = made[kind]
            return collected(array_ops.identity(count), update, metrics_collections, updates_collections)

    apply.__name__ = apply.__qualname__ = kind + "_at_thresholds"
    apply.__doc__ = f"By threshold the number of {kind.replace('_', ' ')}: predictions above it are positive."
    return apply


true_positives_at_thresholds = _kind_at_thresholds("true_positives")
true_negatives_at_thresholds = _kind_at_thresholds("true_negatives")
false_positives_at_thresholds = _kind_at_thresholds("false_positives")
false_negatives_at_thresholds = _kind_at_thresholds("false_negatives")


def _over(part, *others, epsilon=_EPSILON, name=None):
    """part / (part + others), and about 0 when all are 0."""
    total = part
    for x in others:
        total = op("AddV2")(total, x)
    return op("RealDiv")(part, op("AddV2")(total, convert_to_tensor(epsilon)), name=name)


def _ratio_at_thresholds(what, second):
    def apply(
        labels, predictions, thresholds, weights=None, metrics_collections=None, updates_collections=None, name=None
    ):
        with scope_of(name, what, what):
            made = _at_thresholds(labels, predictions, thresholds, weights, ["true_positives", second])
            pairs, ratio = zip(made["true_positives"], made[second]), what.partition("_")[0]
            value, update = (_over(a, b, name=f"{ratio}_{end}") for (a, b), end in zip(pairs, _RESULTS))
            return collected(value, update, metrics_collections, updates_collections)

    apply.__name__ = apply.__qualname__ = what
    apply.__doc__ = f"By threshold the {what.partition('_')[0]}: predictions above it are positive."
    return apply


precision_at_thresholds = _ratio_at_thresholds("precision_at_thresholds", "false_positives")
recall_at_thresholds = _ratio_at_thresholds("recall_at_thresholds", "false_negatives")


def _spread(num_thresholds):
    """Thresholds from just below 0 to just above 1."""
    inner = [(i + 1) / (num_thresholds - 1) for i in range(num_thresholds - 2)]
    return [-_EPSILON, *inner, 1 + _EPSILON]


_ALL = ["true_positives", "false_negatives", "true_negatives", "false_positives"]


def _best(what, name, labels, predictions, target, weights, num_thresholds, collections, fit, value, last):
    """value() at the threshold where fit() is nearest to the target: the last such threshold, or the first."""
    with scope_of(name, what, what):
        made = _at_thresholds(labels, predictions, _spread(num_thresholds), weights, _ALL)

        def at_best(counts, name):
            off = op("Abs")(op("Sub")(fit(counts), convert_to_tensor(float(target))))
            if last:
                nearest = cast(op("Equal")(off, math_ops.reduce_min(off)), "int64")
                place = op("ArgMax")(op("Cumsum")(nearest, 0), 0, output_type="int32")
            else:
                place = op("ArgMin")(off, 0, output_type="int32")
            return value({k: c[place] for k, c in counts.items()}, name)

        results = (at_best({k: made[k][i] for k in _ALL}, name) for i, name in enumerate(_RESULTS))
        return collected(*results, *collections)


def _sensitivity(c, name=None):
    return _over(c["true_positives"], c["false_negatives"], name=name)


def _specificity(c, name=None):
    return _over(c["true_negatives"], c["false_positives"], name=name)


def sensitivity_at_specificity(
    labels,
    predictions,
    specificity,
    weights=None,
    num_thresholds=200,
    metrics_collections=None,
    updates_collections=None,
    name=None,
):
    """The part of what is true that is predicted, at the threshold where the part of what is not true that is not predicted is
    nearest to `specificity`."""
    if specificity < 0 or specificity > 1:
        raise ValueError(f"`specificity` must be in the range [0, 1]. Currently, `specificity` got {specificity}.")
    return _best(
        "sensitivity_at_specificity",
        name,
        labels,
        predictions,
        specificity,
        weights,
        num_thresholds,
        (metrics_collections, updates_collections),
        _specificity,
        _sensitivity,
        last=False,
    )


def specificity_at_sensitivity(
    labels,
    predictions,
    sensitivity,
    weights=None,
    num_thresholds=200,
    metrics_collections=None,
    updates_collections=None,
    name=None,
):
    """The part of what is not true that is not predicted, at the threshold where the part of what is true that is predicted is
    nearest to `sensitivity`."""
    if sensitivity < 0 or sensitivity > 1:
        raise ValueError(f"`sensitivity` must be in the range [0, 1]. Currently, `sensitivity` got {sensitivity}.")
    return _best(
        "specificity_at_sensitivity",
        name,
        labels,
        predictions,
        sensitivity,
        weights,
        num_thresholds,
        (metrics_collections, updates_collections),
        _sensitivity,
        _specificity,
        last=True,
    )


def auc(
    labels,
    predictions,
    weights=None,
    num_thresholds=200,
    metrics_collections=None,
    updates_collections=None,
    curve="ROC",
    name=None,
    summation_method="trapezoidal",
    thresholds=None,
):
    """The area under a curve, ROC or PR, as a sum over thresholds: "trapezoidal", "minoring", "majoring", or, of PR, with the
    interpolation of Davis and Goadrich, "The relationship between precision-recall and ROC curves": "careful_interpolation"."""
    if curve not in ("ROC", "PR"):
        raise ValueError(f"Curve must be either ROC or PR. Curve {curve} is unknown.")
    if summation_method not in ("trapezoidal", "minoring", "majoring", "careful_interpolation"):
        raise ValueError(
            f"Invalid summation_method: {summation_method} summation_method should be 'trapezoidal', "
            "'careful_interpolation', 'minoring', or 'majoring'."
        )
    limits = _spread(num_thresholds) if thresholds is None else [-_EPSILON, *sorted(thresholds), 1 + _EPSILON]
    with scope_of(name, "auc", "auc"):
        made = _at_thresholds(labels, predictions, limits, weights, _ALL)
        areas = (_area({k: made[k][i] for k in _ALL}, curve, summation_method, name) for i, name in enumerate(_RESULTS))
        return collected(*areas, metrics_collections, updates_collections)


def _area(c, curve, method, name):
    tp, fn, tn, fp = (c[k] for k in _ALL)
    if curve == "PR" and method == "careful_interpolation":
        return _interpolated_area(tp, fn, fp)
    small = convert_to_tensor(1e-6)
    recalls = op("RealDiv")(op("AddV2")(tp, small), op("AddV2")(op("AddV2")(tp, fn), small))
    if curve == "ROC":
        x, y = op("RealDiv")(fp, op("AddV2")(op("AddV2")(fp, tn), small)), recalls
    else:
        x, y = recalls, op("RealDiv")(op("AddV2")(tp, small), op("AddV2")(op("AddV2")(tp, fp), small))
    before, after = y[:-1], y[1:]
    if method == "minoring":
        heights = op("Minimum")(before, after)
    elif method == "majoring":
        heights = op("Maximum")(before, after)
    else:
        heights = op("Mul")(op("AddV2")(before, after), convert_to_tensor(0.5))
    return math_ops.reduce_sum(op("Mul")(op("Sub")(x[:-1], x[1:]), heights), name=name)


def _interpolated_area(tp, fn, fp):
    positives = op("AddV2")(tp, fp)
    rise = op("Sub")(tp[:-1], tp[1:])
    run = op("Maximum")(op("Sub")(positives[:-1], positives[1:]), 0.0)
    slope = divided(rise, run)
    intercept = op("Sub")(tp[1:], op("Mul")(slope, positives[1:]))
    both = op("LogicalAnd")(op("Greater")(positives[:-1], 0.0), op("Greater")(positives[1:], 0.0))
    ratio = divided(positives[:-1], op("Maximum")(positives[1:], 0.0))
    ratio = op("SelectV2")(both, ratio, array_ops.ones_like(ratio))
    step = op("Mul")(slope, op("AddV2")(rise, op("Mul")(intercept, op("Log")(ratio))))
    step = divided(step, op("Maximum")(op("AddV2")(tp[1:], fn[1:]), 0.0))
    return math_ops.reduce_sum(step, name="interpolate_pr_auc")
