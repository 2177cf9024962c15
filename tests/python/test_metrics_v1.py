"""tf.compat.v1.metrics and losses in graphs; expected values are TensorFlow's."""

import numpy as np
import pytest

import sluice as tf

v1 = tf.compat.v1
LABELS, SCORES = [1, 0, 1, 1], [0.9, 0.6, 0.2, 0.7]


def _run(build):
    """(value, update) of a metric after its update ran twice."""
    with tf.Graph().as_default(), v1.Session() as session:
        value, update = build(v1.metrics)
        session.run(v1.local_variables_initializer())
        session.run(update)
        told = session.run(update)
        return np.asarray(session.run(value)), told


@pytest.mark.parametrize(
    "build, expected",
    [
        (lambda m: m.mean(tf.constant([1.0, 3.0]), weights=[1.0, 3.0]), 2.5),
        (lambda m: m.mean_tensor(tf.constant([1.0, 3.0])), [1.0, 3.0]),
        (lambda m: m.accuracy(tf.constant(LABELS), tf.constant([1, 1, 0, 1])), 0.5),
        (lambda m: m.mean_squared_error(tf.constant([1.0, 3.0]), tf.constant([2.0, 3.0])), 0.5),
        (lambda m: m.root_mean_squared_error(tf.constant([1.0, 3.0]), tf.constant([3.0, 3.0])), 2**0.5),
        (
            lambda m: m.mean_relative_error(tf.constant([1.0, 3.0]), tf.constant([2.0, 5.0]), tf.constant([2.0, 0.0])),
            0.25,
        ),
        (lambda m: m.percentage_below(tf.constant([1.0, 3.0, 5.0]), 4.0), 2 / 3),
        (lambda m: m.false_negatives(tf.constant(LABELS), tf.constant([1, 1, 0, 1])), 2.0),
        (lambda m: m.precision(tf.constant(LABELS), tf.constant([1, 1, 0, 1])), 2 / 3),
        (lambda m: m.recall_at_thresholds(tf.constant(LABELS), tf.constant(SCORES), [0.1, 0.8]), [1.0, 1 / 3]),
        (lambda m: m.auc(tf.constant(LABELS), tf.constant(SCORES)), 2 / 3),
        (lambda m: m.mean_iou(tf.constant(LABELS), tf.constant([1, 1, 0, 1]), 2), 0.25),
        (lambda m: m.mean_per_class_accuracy(tf.constant(LABELS), tf.constant([1, 1, 0, 1]), 2), 1 / 3),
        (lambda m: m.sensitivity_at_specificity(tf.constant(LABELS), tf.constant(SCORES), 1.0), 2 / 3),
        (
            lambda m: m.recall_at_k(
                tf.constant([[1], [2]], tf.int64), tf.constant([[0.1, 0.7, 0.2], [0.5, 0.1, 0.4]]), 1
            ),
            0.5,
        ),
        (
            lambda m: m.average_precision_at_k(
                tf.constant([[2], [2]], tf.int64), tf.constant([[0.1, 0.7, 0.2]] * 2), 2
            ),
            0.5,
        ),
    ],
)
def test_metrics(build, expected):
    value, _ = _run(build)
    np.testing.assert_allclose(value, expected, rtol=1e-5)


def test_metrics_are_of_graphs():
    with pytest.raises(RuntimeError, match="eager"):
        v1.metrics.mean([1.0])
    with tf.Graph().as_default():
        value, update = v1.metrics.mean(tf.constant([1.0]), metrics_collections=["m"], updates_collections=["u"])
        assert v1.get_collection("m") == [value] and v1.get_collection("u") == [update]
        assert {v.name for v in v1.get_collection("metric_variables")} == {"mean/total:0", "mean/count:0"}
        with pytest.raises(ValueError, match="weights can not be broadcast to values"):
            v1.metrics.mean(tf.ones([2, 3]), weights=[1.0, 2.0, 3.0])


Y, P = np.array([[1.0, 0.0, 1.0]], "f"), np.array([[0.8, 0.4, 0.5]], "f")


@pytest.mark.parametrize(
    "loss, expected",
    [
        (lambda m: m.absolute_difference(Y, P), 1.1 / 3),
        (lambda m: m.mean_squared_error(Y, P, weights=[[1.0, 0.0, 0.0]]), 0.04),
        (lambda m: m.mean_squared_error(Y, P, reduction=m.Reduction.SUM), 0.45),
        (lambda m: m.huber_loss(Y, P * 5, delta=0.5), 0.958333),
        (lambda m: m.log_loss(Y, P), 0.475705),
        (lambda m: m.hinge_loss(Y, P), 0.7),
        (lambda m: m.cosine_distance(Y, P, axis=1), -0.3),
        (lambda m: m.sigmoid_cross_entropy(Y, P, label_smoothing=0.2), 0.616064),
        (lambda m: m.softmax_cross_entropy(Y[:, ::2] / 2, P[:, ::2]), 0.704355),
        (lambda m: m.sparse_softmax_cross_entropy([[2]], P), 1.180099),
        (lambda m: m.mean_pairwise_squared_error(Y, P), 0.42),
    ],
)
def test_losses(loss, expected):
    np.testing.assert_allclose(loss(v1.losses), expected, rtol=1e-5)


def test_graphs_collect_losses():
    with tf.Graph().as_default(), v1.Session() as session:
        v1.losses.absolute_difference(Y, P)
        v1.losses.add_loss(tf.constant(2.0))
        assert len(v1.losses.get_losses()) == 2
        np.testing.assert_allclose(session.run(v1.losses.get_total_loss()), 2.366667, rtol=1e-5)
