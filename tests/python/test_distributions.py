"""compat.v1.distributions: densities, moments and samples of each, divergences, what is refused. Expected values were taken
from TensorFlow 2.21."""

import numpy as np
import pytest

import sluice as tf

D = tf.compat.v1.distributions


ROWS = [
    (
        "D.Bernoulli(probs=[0.3, 0.9])",
        [1, 0],
        {
            "log_prob": [-1.20397, -2.30258],
            "mean": [0.3, 0.9],
            "variance": [0.21, 0.09],
            "mode": [0.0, 1.0],
            "entropy": [0.61086, 0.32508],
            "sample": [[0.0, 1.0], [0.0, 1.0]],
        },
    ),
    (
        "D.Beta([1.5, 2.0], 3.0)",
        [0.2, 0.9],
        {
            "log_prob": [0.63037, -2.22562],
            "cdf": [0.30411, 0.9963],
            "mean": [0.33333, 0.4],
            "variance": [0.0404, 0.04],
            "mode": [0.2, 0.33333],
            "entropy": [-0.27301, -0.23491],
            "sample": [[0.37121, 0.48667], [0.29318, 0.66763]],
        },
    ),
    (
        "D.Categorical(probs=[0.1, 0.2, 0.7])",
        [1, 2],
        {"log_prob": [-1.60944, -0.35667], "cdf": [0.1, 0.3], "mode": 2.0, "entropy": 0.80182, "sample": [1.0, 2.0]},
    ),
    (
        "D.Dirichlet([[1.5, 2.0, 3.0]])",
        [0.2, 0.3, 0.5],
        {
            "log_prob": [1.69521],
            "mean": [[0.23077, 0.30769, 0.46154]],
            "variance": [[0.02367, 0.0284, 0.03314]],
            "mode": [[0.14286, 0.28571, 0.57143]],
            "entropy": [-1.1016],
            "sample": [[[0.23763, 0.29093, 0.47144]], [[0.15079, 0.31962, 0.52959]]],
        },
    ),
    (
        "D.DirichletMultinomial(4.0, [1.0, 2.0, 1.0])",
        [1.0, 2.0, 1.0],
        {
            "log_prob": -2.45674,
            "mean": [1.0, 2.0, 1.0],
            "variance": [1.2, 1.6, 1.2],
            "sample": [[2.0, 2.0, 0.0], [0.0, 4.0, 0.0]],
        },
    ),
    (
        "D.Exponential([1.0, 2.0])",
        [0.5, 3.0],
        {
            "log_prob": [-0.5, -5.30685],
            "cdf": [0.39347, 0.99752],
            "mean": [1.0, 0.5],
            "variance": [1.0, 0.25],
            "entropy": [1.0, 0.30685],
            "sample": [[0.25002, 0.11082], [0.32245, 0.7329]],
        },
    ),
    (
        "D.Gamma([1.5, 3.0], [2.0, 0.5])",
        [0.5, 3.0],
        {
            "log_prob": [-0.18607, -2.07536],
            "cdf": [0.42759, 0.19115],
            "mean": [0.75, 6.0],
            "variance": [0.375, 12.0],
            "mode": [0.25, 4.0],
            "entropy": [0.66783, 2.54073],
            "sample": [[0.8815, 6.55496], [0.83029, 9.77339]],
        },
    ),
    (
        "D.Laplace([0.0, 1.0], 2.0)",
        [0.5, -3.0],
        {
            "log_prob": [-1.63629, -3.38629],
            "cdf": [0.6106, 0.06767],
            "mean": [0.0, 1.0],
            "variance": [8.0, 8.0],
            "mode": [0.0, 1.0],
            "entropy": [2.38629, 2.38629],
            "sample": [[1.63095, 2.8446], [1.19113, -0.5453]],
        },
    ),
    (
        "D.Multinomial(4.0, logits=[0.1, 0.2, 0.3])",
        [1.0, 2.0, 1.0],
        {
            "log_prob": -1.92286,
            "mean": [1.20244, 1.3289, 1.46866],
            "variance": [0.84097, 0.88741, 0.92942],
            "sample": [[2.0, 0.0, 2.0], [2.0, 1.0, 1.0]],
        },
    ),
    (
        "D.Normal([0.0, 1.0], 2.0)",
        [0.5, -3.0],
        {
            "log_prob": [-1.64334, -3.61209],
            "cdf": [0.59871, 0.02275],
            "mean": [0.0, 1.0],
            "variance": [4.0, 4.0],
            "mode": [0.0, 1.0],
            "entropy": [2.11209, 2.11209],
            "sample": [[-1.34172, 1.44714], [1.59455, 1.19234]],
        },
    ),
    (
        "D.StudentT([1.5, 3.0], 0.0, 2.0)",
        [0.5, -3.0],
        {
            "log_prob": [-1.82082, -2.81327],
            "cdf": [0.58375, 0.11529],
            "mean": [0.0, 0.0],
            "mode": 0.0,
            "entropy": [2.84281, 2.46662],
            "sample": [[-2.86009, 0.47467], [5.64423, 0.33548]],
        },
    ),
    (
        "D.Uniform([0.0, 1.0], 3.0)",
        [0.5, 2.0],
        {
            "log_prob": [-1.09861, -0.69315],
            "cdf": [0.16667, 0.5],
            "mean": [1.5, 2.0],
            "variance": [0.75, 0.33333],
            "entropy": [1.09861, 0.69315],
            "sample": [[2.33636, 2.6024], [2.17312, 1.46179]],
        },
    ),
]


@pytest.mark.parametrize("call, value, wanted", ROWS)
def test_numbers(call, value, wanted):
    distribution = eval(call)
    for name, numbers in wanted.items():
        if name == "sample":
            tf.random.set_seed(1)
            made = distribution.sample(2, seed=3)
            assert tuple(made.shape) == (2, *distribution.batch_shape, *distribution.event_shape)
        else:
            made = getattr(distribution, name)(*([value] if name in ("log_prob", "cdf") else []))
        np.testing.assert_allclose(made, numbers, rtol=1e-4, atol=1e-5, err_msg=name)


@pytest.mark.parametrize("call, value, wanted", ROWS)
def test_functions_agree(call, value, wanted):
    distribution = eval(call)
    np.testing.assert_allclose(distribution.prob(value), np.exp(distribution.log_prob(value)), rtol=1e-5)
    if "cdf" in wanted:
        survival = distribution.survival_function(value)
        np.testing.assert_allclose(1 - distribution.cdf(value), survival, atol=1e-5)
        np.testing.assert_allclose(distribution.log_survival_function(value), np.log(survival), atol=1e-4)


def test_tails_of_the_normal_distribution():
    normal = D.Normal(np.float64(0), np.float64(1))
    np.testing.assert_allclose(normal.log_cdf([-30.0, 0.0, 9.0]), [-454.321244, -0.693147, -1.1285884e-19], rtol=1e-6)
    np.testing.assert_allclose(normal.quantile(normal.cdf([-1.5, 2.0])), [-1.5, 2.0], rtol=1e-6)


def test_divergences():
    np.testing.assert_allclose(D.kl_divergence(D.Normal(0.0, 1.0), D.Normal(1.0, 2.0)), 0.443147, rtol=1e-5)
    np.testing.assert_allclose(D.kl_divergence(D.Exponential(2.0), D.Gamma(1.5, 1.0)), 0.7075465, rtol=1e-5)
    np.testing.assert_allclose(D.Beta(2.0, 3.0).cross_entropy(D.Beta(1.0, 1.0)), 0.0, atol=1e-6)
    with pytest.raises(NotImplementedError, match="No KL"):
        D.kl_divergence(D.Normal(0.0, 1.0), D.Laplace(0.0, 1.0))


def test_gradients_of_samples():
    scale = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(scale)
        sample = D.Normal(0.0, scale).sample(seed=1)
    np.testing.assert_allclose(tape.gradient(sample, scale), sample / 2, rtol=1e-6)


def test_in_a_graph():
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        rate = tf.compat.v1.placeholder(tf.float32, [None])
        gamma = D.Gamma(2.0, rate)
        assert gamma.batch_shape.as_list() == [None]
        shape, mean = session.run([gamma.batch_shape_tensor(), gamma.mean()], {rate: [1.0, 4.0]})
        assert shape.tolist() == [2] and mean.tolist() == [2.0, 0.5]


@pytest.mark.parametrize(
    "call, error, message",
    [
        ("D.Normal(0.0, -1.0, validate_args=True)", tf.errors.OpError, "x > 0"),
        ("D.Normal(0, 1)", ValueError, "Expected floating point type"),
        ("D.Bernoulli()", ValueError, "Must pass probs or logits, but not both"),
        ("D.Categorical(logits=[1, 2])", TypeError, "floating type"),
        ("D.Uniform(1.0, 0.0, validate_args=True)", tf.errors.OpError, "uniform not defined"),
        (
            "D.Multinomial(4.0, probs=[0.5, 0.5], validate_args=True).prob([1.0, 2.0])",
            tf.errors.OpError,
            "counts must sum",
        ),
        ("D.Beta(0.5, 0.5, allow_nan_stats=False).mode()", tf.errors.OpError, "Mode undefined"),
        ("D.Gamma(1.0, 1.0).quantile(0.5)", NotImplementedError, "quantile is not implemented: Gamma"),
    ],
)
def test_refused(call, error, message):
    with pytest.raises(error, match=message):
        eval(call)
