"""Normal, Laplace, Uniform and Student's t distributions."""

from __future__ import annotations

import math

from ..core import dtypes
from ..core.op_defs import op
from ..core.scopes import name_scope
from ..ops import array_ops, assert_ops, math_ops, random_ops
from ..ops.array_ops import convert_to_tensor
from ..ops.math_ops import digamma, exp, expm1, lgamma, log, log1p
from ..ops.random_seeds import derived_seed
from . import distribution as base
from .distribution import FULLY_REPARAMETERIZED, Distribution, RegisterKL


class ScalarEvents(Distribution):
    """The base of distributions of numbers whose batch is what their parameters broadcast to (`_params`)."""

    def _batch_shape(self):
        return base.broadcast_of(*self._params)[0]

    def _batch_shape_tensor(self):
        return base.broadcast_of(*self._params)[1]()

    def _event_shape(self):
        return base.scalar_event()

    def _event_shape_tensor(self):
        return convert_to_tensor([], dtypes.int32)


def same_shapes(*names):
    """`_param_shapes` of parameters that all have the samples' shape."""

    def shapes(cls, sample_shape):
        return {name: convert_to_tensor(sample_shape, dtypes.int32) for name in names}

    return classmethod(shapes)


# ---- the normal distribution's function

_LOWER = {"float32": -10.0, "float64": -20.0}
_UPPER = {"float32": 5.0, "float64": 8.0}


def ndtr(x):
    """P[Z <= x] of a standard normal Z."""
    half = convert_to_tensor(0.5 * math.sqrt(2.0), x.dtype)
    w = x * half
    z = op("Abs")(w)
    erfc = op("Erfc")(z)
    far = op("SelectV2")(w > 0, 2.0 - erfc, erfc)
    return 0.5 * op("SelectV2")(z < half, 1.0 + op("Erf")(w), far)


def log_ndtr(x, series_order=3):
    """log P[Z <= x]; far below 0 by the asymptotic series, far above by log(1 - p) ≈ -p."""
    name = x.dtype.name if x.dtype.name in _LOWER else "float32"
    lower, upper = (convert_to_tensor(v[name], x.dtype) for v in (_LOWER, _UPPER))
    middle = log(ndtr(op("Maximum")(x, lower)))
    below = _log_ndtr_below(op("Minimum")(x, lower), series_order)
    return op("SelectV2")(x > upper, -ndtr(-x), op("SelectV2")(x > lower, middle, below))


def _log_ndtr_below(x, series_order):
    square = op("Square")(x)
    total, term = 1.0, 1.0
    for n in range(1, series_order + 1):
        term = term * -(2 * n - 1) / square
        total = total + term
    return -0.5 * square - log(-x) - 0.5 * math.log(2.0 * math.pi) + log(total)


class Normal(ScalarEvents):
    """Of mean loc and standard deviation scale."""

    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="Normal"):
        parameters = base.parameters_of(locals())
        with name_scope(name) as scope:
            scale = convert_to_tensor(scale, name="scale")
            checks = [assert_ops.assert_positive(scale)] if validate_args else []
            self._loc = convert_to_tensor(loc, name="loc")
            base.same_float_type(self._loc, scale)
            self._scale = base.checked(scale, checks)
        self._params = self._loc, self._scale
        super().__init__(
            self._scale.dtype,
            FULLY_REPARAMETERIZED,
            validate_args,
            allow_nan_stats,
            parameters,
            self._params,
            scope or name,
        )

    _param_shapes = same_shapes("loc", "scale")
    loc = property(lambda self: self._loc)
    scale = property(lambda self: self._scale)

    def _sample_n(self, n, seed=None):
        shape = base.with_samples(n, self.batch_shape_tensor())
        return random_ops.normal(shape, 0.0, 1.0, self._loc.dtype, seed=seed) * self._scale + self._loc

    def _z(self, x):
        return (x - self._loc) / self._scale

    def _log_prob(self, x):
        return -0.5 * op("Square")(self._z(x)) - (0.5 * math.log(2.0 * math.pi) + log(self._scale))

    def _log_cdf(self, x):
        return log_ndtr(self._z(x))

    def _cdf(self, x):
        return ndtr(self._z(x))

    def _log_survival_function(self, x):
        return log_ndtr(-self._z(x))

    def _survival_function(self, x):
        return ndtr(-self._z(x))

    def _quantile(self, p):
        return op("Ndtri")(p) * self._scale + self._loc

    def _entropy(self):
        return 0.5 * math.log(2.0 * math.pi * math.e) + log(base.spread(self._scale, self._loc))

    def _mean(self):
        return base.spread(self._loc, self._scale)

    def _stddev(self):
        return base.spread(self._scale, self._loc)

    def _mode(self):
        return self._mean()


@RegisterKL(Normal, Normal)
def _normal_normal(a, b, name=None):
    ratio = op("Square")(a.scale / b.scale)
    return op("Square")(a.loc - b.loc) / (2.0 * op("Square")(b.scale)) + 0.5 * (ratio - 1.0 - log(ratio))


class Laplace(ScalarEvents):
    """Of density exp(-|x - loc| / scale) / (2 scale)."""

    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="Laplace"):
        parameters = base.parameters_of(locals())
        with name_scope(name) as scope:
            scale = convert_to_tensor(scale, name="scale")
            checks = [assert_ops.assert_positive(scale)] if validate_args else []
            self._loc = array_ops.identity(convert_to_tensor(loc, name="loc"))
            base.same_float_type(self._loc, scale)
            self._scale = base.checked(scale, checks)
        self._params = self._loc, self._scale
        super().__init__(
            self._loc.dtype,
            FULLY_REPARAMETERIZED,
            validate_args,
            allow_nan_stats,
            parameters,
            self._params,
            scope or name,
        )

    _param_shapes = same_shapes("loc", "scale")
    loc = property(lambda self: self._loc)
    scale = property(lambda self: self._scale)

    def _sample_n(self, n, seed=None):
        import numpy

        shape = base.with_samples(n, self.batch_shape_tensor())
        least = numpy.nextafter(self.dtype.as_numpy_dtype(-1.0), self.dtype.as_numpy_dtype(0.0))
        u = random_ops.uniform(shape, minval=least, maxval=1.0, dtype=self.dtype, seed=seed)
        return self._loc - self._scale * op("Sign")(u) * log1p(-op("Abs")(u))

    def _z(self, x):
        return (x - self._loc) / self._scale

    def _log_prob(self, x):
        return -op("Abs")(self._z(x)) - (math.log(2.0) + log(self._scale))

    def _log_cdf(self, x):
        z = self._z(x)
        return op("SelectV2")(z < 0, z - math.log(2.0), log1p(-0.5 * exp(-op("Abs")(z))))

    def _log_survival_function(self, x):
        z = self._z(x)
        return op("SelectV2")(z < 0, log1p(-0.5 * exp(-op("Abs")(z))), -z - math.log(2.0))

    def _cdf(self, x):
        z = self._z(x)
        return 0.5 + 0.5 * op("Sign")(z) * -expm1(-op("Abs")(z))

    def _entropy(self):
        return math.log(2.0) + 1 + log(base.spread(self._scale, self._loc))

    def _mean(self):
        return base.spread(self._loc, self._scale)

    def _stddev(self):
        return math.sqrt(2.0) * base.spread(self._scale, self._loc)

    def _median(self):
        return self._mean()

    def _mode(self):
        return self._mean()


class Uniform(ScalarEvents):
    """Of the same density in all of [low, high)."""

    def __init__(self, low=0.0, high=1.0, validate_args=False, allow_nan_stats=True, name="Uniform"):
        parameters = base.parameters_of(locals())
        with name_scope(name) as scope:
            low, high = convert_to_tensor(low, name="low"), convert_to_tensor(high, name="high")
            checks = []
            if validate_args:
                checks = [assert_ops.assert_less(low, high, message="uniform not defined when low >= high.")]
            self._low, self._high = base.checked(low, checks), base.checked(high, checks)
            base.same_float_type(self._low, self._high)
        self._params = self._low, self._high
        super().__init__(
            self._low.dtype,
            FULLY_REPARAMETERIZED,
            validate_args,
            allow_nan_stats,
            parameters,
            self._params,
            scope or name,
        )

    _param_shapes = same_shapes("low", "high")
    low = property(lambda self: self._low)
    high = property(lambda self: self._high)

    def range(self, name="range"):
        """high - low."""
        with self._scope(name):
            return self._high - self._low

    def _sample_n(self, n, seed=None):
        shape = base.with_samples(n, self.batch_shape_tensor())
        return self._low + self.range() * random_ops.uniform(shape, dtype=self.dtype, seed=seed)

    def _prob(self, x):
        x = base.spread(x, self._low, self._high)
        inside = op("SelectV2")(
            op("LogicalOr")(x < self._low, x >= self._high),
            array_ops.zeros_like(x),
            array_ops.ones_like(x) / self.range(),
        )
        return op("SelectV2")(op("IsNan")(x), x, inside)

    def _cdf(self, x):
        x = base.spread(x, self._low, self._high)
        within = op("SelectV2")(x < self._low, array_ops.zeros_like(x), (x - self._low) / self.range())
        return op("SelectV2")(x >= self._high, array_ops.ones_like(x), within)

    def _entropy(self):
        return log(self.range())

    def _mean(self):
        return (self._low + self._high) / 2.0

    def _variance(self):
        return op("Square")(self.range()) / 12.0

    def _stddev(self):
        return self.range() / math.sqrt(12.0)


class StudentT(ScalarEvents):
    """Student's t of df degrees of freedom, moved by loc, times scale."""

    def __init__(self, df, loc, scale, validate_args=False, allow_nan_stats=True, name="StudentT"):
        parameters = base.parameters_of(locals())
        with name_scope(name) as scope:
            df = convert_to_tensor(df, name="df")
            checks = [assert_ops.assert_positive(df)] if validate_args else []
            self._df = base.checked(df, checks)
            self._loc = array_ops.identity(convert_to_tensor(loc, df.dtype, name="loc"))
            self._scale = array_ops.identity(convert_to_tensor(scale, df.dtype, name="scale"))
            base.same_float_type(self._df, self._loc, self._scale)
        self._params = self._df, self._loc, self._scale
        super().__init__(
            self._scale.dtype,
            FULLY_REPARAMETERIZED,
            validate_args,
            allow_nan_stats,
            parameters,
            self._params,
            scope or name,
        )

    _param_shapes = same_shapes("df", "loc", "scale")
    df = property(lambda self: self._df)
    loc = property(lambda self: self._loc)
    scale = property(lambda self: self._scale)

    def _ones(self):
        return array_ops.ones(self.batch_shape_tensor(), dtype=self.dtype)

    def _sample_n(self, n, seed=None):
        shape = base.with_samples(n, self.batch_shape_tensor())
        normal = random_ops.normal(shape, dtype=self.dtype, seed=seed)
        df = self._df * self._ones()
        gamma = random_ops.gamma(
            array_ops.reshape(n, [1]), 0.5 * df, beta=0.5, dtype=self.dtype, seed=derived_seed(seed, "student_t")
        )
        return normal * op("Rsqrt")(gamma / df) * self._scale + self._loc

    def _log_prob(self, x):
        y = (x - self._loc) / self._scale
        return -0.5 * (self._df + 1.0) * log1p(op("Square")(y) / self._df) - self._log_normalization()

    def _log_normalization(self):
        constant = log(op("Abs")(self._scale)) + 0.5 * log(self._df) + 0.5 * math.log(math.pi)
        return constant + lgamma(0.5 * self._df) - lgamma(0.5 * (self._df + 1.0))

    def _cdf(self, x):
        y = (x - self._loc) / op("Abs")(self._scale)
        tail = 0.5 * math_ops.betainc(
            0.5 * base.spread(self._df, y),
            base.spread(convert_to_tensor(0.5, y.dtype), self._df, y),
            self._df / (y * y + self._df),
        )
        return op("SelectV2")(y < 0, tail, 1.0 - tail)

    def _entropy(self):
        df = self._df * self._ones()
        half, next_half = 0.5 * df, 0.5 * (df + 1.0)
        lbeta = lgamma(half) + lgamma(convert_to_tensor(0.5, df.dtype)) - lgamma(next_half)
        scale = log(op("Abs")(self._scale)) + 0.5 * log(df)
        return scale + lbeta + next_half * (digamma(next_half) - digamma(half))

    def _where_defined(self, condition, value, least, what):
        """The value where the condition holds, elsewhere NaN, or an error."""
        if self.allow_nan_stats:
            return op("SelectV2")(condition, value, convert_to_tensor(float("nan"), self.dtype))
        message = f"{what} not defined for components of df <= {least}"
        return base.checked(value, [base.assert_true(condition, message)])

    def _mean(self):
        mean = self._loc * self._ones()
        return self._where_defined(self._df * self._ones() > 1.0, mean, 1, "mean")

    def _variance(self):
        df = self._df * self._ones()
        denominator = op("SelectV2")(df > 2.0, df - 2.0, array_ops.ones_like(df))
        finite = op("Square")(self._scale * self._ones()) * df / denominator
        value = op("SelectV2")(df > 2.0, finite, convert_to_tensor(float("inf"), self.dtype))
        return self._where_defined(df > 1.0, value, 1, "variance")

    def _mode(self):
        return array_ops.identity(self._loc)
