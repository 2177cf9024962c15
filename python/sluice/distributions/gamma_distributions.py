"""Gamma, exponential, beta and Dirichlet distributions."""

from __future__ import annotations

from ..core.op_defs import op
from ..core.scopes import name_scope
from ..ops import array_ops, assert_ops, check_shapes, math_ops, random_ops
from ..ops.array_ops import convert_to_tensor
from ..ops.math_ops import digamma, lgamma, log, log1p, xlogy
from ..ops.random_seeds import derived_seed
from . import distribution as base
from .continuous_distributions import ScalarEvents, same_shapes
from .distribution import FULLY_REPARAMETERIZED, Distribution, RegisterKL


class Gamma(ScalarEvents):
    """Of density x^(concentration - 1) exp(-rate x), up to a factor."""

    def __init__(self, concentration, rate, validate_args=False, allow_nan_stats=True, name="Gamma"):
        parameters = base.parameters_of(locals())
        with name_scope(name) as scope:
            self._concentration = self._checked(concentration, validate_args, "concentration")
            self._rate = self._checked(rate, validate_args, "rate")
            base.same_float_type(self._concentration, self._rate)
        self._params = self._concentration, self._rate
        super().__init__(
            self._concentration.dtype,
            FULLY_REPARAMETERIZED,
            validate_args,
            allow_nan_stats,
            parameters,
            self._params,
            scope or name,
        )

    @staticmethod
    def _checked(value, validate_args, name):
        value = convert_to_tensor(value, name=name)
        return base.checked(value, [assert_ops.assert_positive(value)] if validate_args else [])

    _param_shapes = same_shapes("concentration", "rate")
    concentration = property(lambda self: self._concentration)
    rate = property(lambda self: self._rate)

    def _sample_n(self, n, seed=None):
        shape = array_ops.reshape(n, [1])
        return random_ops.gamma(shape, self._concentration, beta=self._rate, dtype=self.dtype, seed=seed)

    def _checked_sample(self, x):
        base.same_float_type(x, self._concentration)
        return base.checked(x, [assert_ops.assert_positive(x)]) if self.validate_args else x

    def _log_prob(self, x):
        x = self._checked_sample(x)
        unnormalized = xlogy(self._concentration - 1.0, x) - self._rate * x
        return unnormalized - (lgamma(self._concentration) - self._concentration * log(self._rate))

    def _cdf(self, x):
        x = self._checked_sample(x)
        return math_ops.igamma(self._concentration, self._rate * x)

    def _entropy(self):
        a = self._concentration
        return a - log(self._rate) + lgamma(a) + (1.0 - a) * digamma(a)

    def _mean(self):
        return self._concentration / self._rate

    def _variance(self):
        return self._concentration / op("Square")(self._rate)

    def _stddev(self):
        return op("Sqrt")(self._concentration) / self._rate

    def _mode(self):
        mode = (self._concentration - 1.0) / self._rate
        if not self.allow_nan_stats:
            message = "mode not defined when any concentration <= 1"
            one = array_ops.ones([], self.dtype)
            return base.checked(mode, [assert_ops.assert_less(one, self._concentration, message=message)])
        condition = base.spread(self._concentration, mode) > 1.0
        return op("SelectV2")(condition, mode, convert_to_tensor(float("nan"), self.dtype))


@RegisterKL(Gamma, Gamma)
def _gamma_gamma(a, b, name=None):
    return (
        (a.concentration - b.concentration) * digamma(a.concentration)
        + lgamma(b.concentration)
        - lgamma(a.concentration)
        + b.concentration * log(a.rate)
        - b.concentration * log(b.rate)
        + a.concentration * (b.rate / a.rate - 1.0)
    )


class Exponential(Gamma):
    """Of density rate exp(-rate x)."""

    def __init__(self, rate, validate_args=False, allow_nan_stats=True, name="Exponential"):
        parameters = base.parameters_of(locals())
        rate = convert_to_tensor(rate, name="rate")
        super().__init__(array_ops.ones_like(rate), rate, validate_args, allow_nan_stats, name)
        self._parameters = parameters

    _param_shapes = same_shapes("rate")

    def _log_survival_function(self, x):
        return -self._rate * self._checked_sample(x)

    def _sample_n(self, n, seed=None):
        import numpy

        shape = base.with_samples(n, array_ops.shape(self._rate))
        tiny = numpy.finfo(self.dtype.as_numpy_dtype).tiny
        u = random_ops.uniform(shape, minval=tiny, maxval=1.0, seed=seed, dtype=self.dtype)
        return -log(u) / self._rate


class Beta(ScalarEvents):
    """Of density x^(concentration1 - 1) (1 - x)^(concentration0 - 1), up to a factor."""

    def __init__(
        self, concentration1=None, concentration0=None, validate_args=False, allow_nan_stats=True, name="Beta"
    ):
        parameters = base.parameters_of(locals())
        with name_scope(name) as scope:
            self._concentration1 = self._checked(concentration1, validate_args, "concentration1")
            self._concentration0 = self._checked(concentration0, validate_args, "concentration0")
            base.same_float_type(self._concentration1, self._concentration0)
            self._total = self._concentration1 + self._concentration0
        self._params = self._concentration1, self._concentration0
        super().__init__(
            self._total.dtype,
            FULLY_REPARAMETERIZED,
            validate_args,
            allow_nan_stats,
            parameters,
            self._params,
            scope or name,
        )

    @staticmethod
    def _checked(value, validate_args, name):
        value = convert_to_tensor(value, name=name)
        if not validate_args:
            return value
        return base.checked(
            value, [assert_ops.assert_positive(value, message="Concentration parameter must be positive.")]
        )

    _param_shapes = same_shapes("concentration1", "concentration0")
    concentration1 = property(lambda self: self._concentration1)
    concentration0 = property(lambda self: self._concentration0)
    total_concentration = property(lambda self: self._total, doc="concentration1 + concentration0.")

    def _sample_n(self, n, seed=None):
        shape, ones = array_ops.reshape(n, [1]), array_ops.ones_like(self._total)
        first = random_ops.gamma(shape, ones * self._concentration1, dtype=self.dtype, seed=seed)
        again = derived_seed(seed, "beta")
        second = random_ops.gamma(shape, ones * self._concentration0, dtype=self.dtype, seed=again)
        return first / (first + second)

    def _checked_sample(self, x):
        if not self.validate_args:
            return x
        checks = [
            assert_ops.assert_positive(x, message="sample must be positive"),
            assert_ops.assert_less(x, array_ops.ones([], self.dtype), message="sample must be less than `1`."),
        ]
        return base.checked(x, checks)

    def _log_normalization(self):
        return lgamma(self._concentration1) + lgamma(self._concentration0) - lgamma(self._total)

    def _log_prob(self, x):
        x = self._checked_sample(x)
        unnormalized = xlogy(self._concentration1 - 1.0, x) + (self._concentration0 - 1.0) * log1p(-x)
        return unnormalized - self._log_normalization()

    def _cdf(self, x):
        x = self._checked_sample(x)
        one, zero = (base.spread(c, self._total, x) for c in self._params)
        return math_ops.betainc(one, zero, base.spread(x, self._total))

    def _entropy(self):
        return (
            self._log_normalization()
            - (self._concentration1 - 1.0) * digamma(self._concentration1)
            - (self._concentration0 - 1.0) * digamma(self._concentration0)
            + (self._total - 2.0) * digamma(self._total)
        )

    def _mean(self):
        return self._concentration1 / self._total

    def _variance(self):
        return self._mean() * (1.0 - self._mean()) / (1.0 + self._total)

    def _mode(self):
        mode = (self._concentration1 - 1.0) / (self._total - 2.0)
        if not self.allow_nan_stats:
            checks = [
                base.assert_true(c > 1.0, f"Mode undefined for concentration{i} <= 1.")
                for i, c in ((1, self._concentration1), (0, self._concentration0))
            ]
            return base.checked(mode, checks)
        defined = op("LogicalAnd")(self._concentration1 > 1.0, self._concentration0 > 1.0)
        return op("SelectV2")(defined, mode, convert_to_tensor(float("nan"), self.dtype))


@RegisterKL(Beta, Beta)
def _beta_beta(a, b, name=None):
    return (
        b._log_normalization()
        - a._log_normalization()
        - digamma(a.concentration1) * (b.concentration1 - a.concentration1)
        - digamma(a.concentration0) * (b.concentration0 - a.concentration0)
        + digamma(a.total_concentration) * (b.total_concentration - a.total_concentration)
    )


class VectorConcentration(Distribution):
    """What distributions with a vector of concentrations share: `_concentration`, [..., K]."""

    def _set_concentration(self, concentration, validate_args):
        self._concentration = convert_to_tensor(concentration, name="concentration")
        if validate_args:
            positive = assert_ops.assert_positive(
                self._concentration, message="Concentration parameter must be positive."
            )
            vector = check_shapes.assert_rank_at_least(
                self._concentration, 1, message="Concentration parameter must have >=1 dimensions."
            )
            several = assert_ops.assert_less(
                1,
                array_ops.shape(self._concentration)[-1],
                message="Concentration parameter must have event_size >= 2.",
            )
            self._concentration = base.checked(self._concentration, [positive, vector, several])
        self._total_concentration = op("Sum")(self._concentration, [-1])

    concentration = property(lambda self: self._concentration)
    total_concentration = property(lambda self: self._total_concentration, doc="The concentrations' sum.")

    def _batch_shape(self):
        return self._total_concentration.shape

    def _batch_shape_tensor(self):
        return array_ops.shape(self._total_concentration)

    def _event_shape(self):
        return self._concentration.shape[-1:] if self._concentration.shape.rank is not None else [None]

    def _event_shape_tensor(self):
        return array_ops.shape(self._concentration)[-1:]

    def _proportions(self):
        return self._concentration / array_ops.expand_dims(self._total_concentration, -1)


def log_beta(concentration):
    """The logarithm of the beta function of vectors."""
    return op("Sum")(lgamma(concentration), [-1]) - lgamma(op("Sum")(concentration, [-1]))


class Dirichlet(VectorConcentration):
    """Vectors of positive numbers whose sum is 1, of density Π x_i^(concentration_i - 1), up to a factor."""

    def __init__(self, concentration, validate_args=False, allow_nan_stats=True, name="Dirichlet"):
        parameters = base.parameters_of(locals())
        with name_scope(name) as scope:
            self._set_concentration(concentration, validate_args)
        super().__init__(
            self._concentration.dtype,
            FULLY_REPARAMETERIZED,
            validate_args,
            allow_nan_stats,
            parameters,
            [self._concentration, self._total_concentration],
            scope or name,
        )

    def _sample_n(self, n, seed=None):
        made = random_ops.gamma(array_ops.reshape(n, [1]), self._concentration, dtype=self.dtype, seed=seed)
        return made / op("Sum")(made, [-1], keep_dims=True)

    def _checked_sample(self, x):
        if not self.validate_args:
            return x
        checks = [
            assert_ops.assert_positive(x, message="samples must be positive"),
            assert_ops.assert_near(
                op("Sum")(x, [-1]), array_ops.ones([], self.dtype), message="sample last-dimension must sum to `1`"
            ),
        ]
        return base.checked(x, checks)

    def _log_prob(self, x):
        x = self._checked_sample(x)
        return op("Sum")(xlogy(self._concentration - 1.0, x), [-1]) - log_beta(self._concentration)

    def _entropy(self):
        k = array_ops.cast(self.event_shape_tensor()[0], self.dtype)
        return (
            log_beta(self._concentration)
            + (self._total_concentration - k) * digamma(self._total_concentration)
            - op("Sum")((self._concentration - 1.0) * digamma(self._concentration), [-1])
        )

    def _mean(self):
        return self._proportions()

    def _scale_term(self):
        return op("Rsqrt")(1.0 + array_ops.expand_dims(self._total_concentration, -1))

    def _covariance(self):
        x = self._scale_term() * self._mean()
        outer = array_ops.expand_dims(x, -1) * array_ops.expand_dims(x, -2)
        return op("MatrixSetDiagV3")(-outer, self._variance(), 0)

    def _variance(self):
        scale, mean = self._scale_term(), self._mean()
        return scale * mean * scale * (1.0 - mean)

    def _mode(self):
        k = array_ops.cast(self.event_shape_tensor()[0], self.dtype)
        mode = (self._concentration - 1.0) / (array_ops.expand_dims(self._total_concentration, -1) - k)
        if not self.allow_nan_stats:
            message = "Mode undefined when any concentration <= 1"
            return base.checked(mode, [base.assert_true(self._concentration > 1.0, message)])
        defined = op("All")(self._concentration > 1.0, [-1], keep_dims=True)
        return op("SelectV2")(defined, mode, convert_to_tensor(float("nan"), self.dtype))


@RegisterKL(Dirichlet, Dirichlet)
def _dirichlet_dirichlet(a, b, name=None):
    differences = a.concentration - b.concentration
    relative = digamma(a.concentration) - digamma(array_ops.expand_dims(a.total_concentration, -1))
    return op("Sum")(differences * relative, [-1]) - log_beta(a.concentration) + log_beta(b.concentration)
