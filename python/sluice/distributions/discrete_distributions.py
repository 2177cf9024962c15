"""Bernoulli, categorical, multinomial and Dirichlet-multinomial distributions."""

from __future__ import annotations

from ..core import dtypes
from ..core.op_defs import op
from ..core.scopes import name_scope
from ..ops import array_ops, assert_ops, check_shapes, random_ops
from ..ops.array_ops import convert_to_tensor
from ..ops.math_ops import exp, lgamma, log, log1p
from ..ops.random_seeds import derived_seed
from . import distribution as base
from .continuous_distributions import ScalarEvents
from .distribution import NOT_REPARAMETERIZED, Distribution, RegisterKL
from .gamma_distributions import VectorConcentration, log_beta


def logits_and_probs(logits, probs, validate_args, multidimensional):
    """Both of the one that is given; the last axis is one of classes where there are several (multidimensional).

    ValueError when both are given, or none; TypeError for logits that are not floating.
    """
    if (probs is None) == (logits is None):
        raise ValueError("Must pass probs or logits, but not both.")
    if probs is None:
        logits = convert_to_tensor(logits, name="logits")
        if not logits.dtype.is_floating:
            raise TypeError("logits must having floating type.")
        return logits, op("Softmax")(logits) if multidimensional else op("Sigmoid")(logits)
    probs = convert_to_tensor(probs, name="probs")
    if not probs.dtype.is_floating:
        raise TypeError("probs must having floating type.")
    if validate_args:
        one = convert_to_tensor(1.0, probs.dtype)
        checks = [assert_ops.assert_non_negative(probs)]
        if multidimensional:
            checks.append(assert_ops.assert_near(op("Sum")(probs, [-1]), one, message="probs does not sum to 1."))
        else:
            checks.append(assert_ops.assert_less_equal(probs, one, message="probs has components greater than 1."))
        probs = base.checked(probs, checks)
    return (log(probs) if multidimensional else log(probs) - log1p(-probs)), probs


class Bernoulli(ScalarEvents):
    """1 with probability probs, else 0; logits is log(probs / (1 - probs))."""

    def __init__(
        self, logits=None, probs=None, dtype=dtypes.int32, validate_args=False, allow_nan_stats=True, name="Bernoulli"
    ):
        parameters = base.parameters_of(locals())
        with name_scope(name) as scope:
            self._logits, self._probs = logits_and_probs(logits, probs, validate_args, False)
        self._params = (self._logits,)
        super().__init__(
            dtypes.as_dtype(dtype),
            NOT_REPARAMETERIZED,
            validate_args,
            allow_nan_stats,
            parameters,
            [self._logits, self._probs],
            scope or name,
        )

    @classmethod
    def _param_shapes(cls, sample_shape):
        return {"logits": convert_to_tensor(sample_shape, dtypes.int32)}

    logits = property(lambda self: self._logits)
    probs = property(lambda self: self._probs)

    def _sample_n(self, n, seed=None):
        shape = base.with_samples(n, self.batch_shape_tensor())
        made = random_ops.uniform(shape, seed=seed, dtype=self._probs.dtype)
        return array_ops.cast(made < self._probs, self.dtype)

    def _log_prob(self, event):
        if self.validate_args:
            event = _checked_integers(event, 1)
        z = array_ops.cast(event, self._logits.dtype)
        logits = self._logits
        return -(op("Relu")(logits) - logits * z + log1p(exp(-op("Abs")(logits))))

    def _entropy(self):
        return -self._logits * (op("Sigmoid")(self._logits) - 1.0) + op("Softplus")(-self._logits)

    def _mean(self):
        return array_ops.identity(self._probs)

    def _variance(self):
        return self._probs * (1.0 - self._probs)

    def _mode(self):
        return array_ops.cast(self._probs > 0.5, self.dtype)


def _checked_integers(x, maximum=None):
    checks = [assert_ops.assert_non_negative(x, message="Elements must be non-negative.")]
    if x.dtype.is_floating:
        whole = op("Equal")(x, op("Floor")(x))
        checks.append(base.assert_true(whole, "Elements must be int32-equivalent.", x))
    if maximum is not None:
        limit = convert_to_tensor(maximum, x.dtype)
        checks.append(assert_ops.assert_less_equal(x, limit, message=f"Elements cannot exceed {maximum}."))
    return base.checked(x, checks)


@RegisterKL(Bernoulli, Bernoulli)
def _bernoulli_bernoulli(a, b, name=None):
    softplus, sigmoid = op("Softplus"), op("Sigmoid")
    without = sigmoid(a.logits) * (softplus(-b.logits) - softplus(-a.logits))
    return without + sigmoid(-a.logits) * (softplus(b.logits) - softplus(a.logits))


class Categorical(Distribution):
    """Class numbers by logits, unnormalised log probabilities, or probs: [..., K]."""

    def __init__(
        self, logits=None, probs=None, dtype=dtypes.int32, validate_args=False, allow_nan_stats=True, name="Categorical"
    ):
        parameters = base.parameters_of(locals())
        with name_scope(name) as scope:
            self._logits, self._probs = logits_and_probs(logits, probs, validate_args, True)
            if validate_args:
                vector = check_shapes.assert_rank_at_least(self._logits, 1)
                self._logits = base.checked(self._logits, [vector])
        super().__init__(
            dtypes.as_dtype(dtype),
            NOT_REPARAMETERIZED,
            validate_args,
            allow_nan_stats,
            parameters,
            [self._logits, self._probs],
            scope or name,
        )

    logits = property(lambda self: self._logits)
    probs = property(lambda self: self._probs)

    @property
    def event_size(self):
        """How many classes there are: a scalar tensor."""
        n = self._logits.shape[-1] if self._logits.shape.rank is not None else None
        return convert_to_tensor(n, name="event_size") if n is not None else array_ops.shape(self._logits)[-1]

    def _batch_shape(self):
        return self._logits.shape[:-1] if self._logits.shape.rank is not None else self._logits.shape

    def _batch_shape_tensor(self):
        return array_ops.shape(self._logits)[:-1]

    def _event_shape(self):
        return base.scalar_event()

    def _event_shape_tensor(self):
        return convert_to_tensor([], dtypes.int32)

    def _sample_n(self, n, seed=None):
        flat = self._logits if self._logits.shape.rank == 2 else array_ops.reshape(self._logits, [-1, self.event_size])
        wide = dtypes.int64 if self.dtype.size > 4 else dtypes.int32
        draws = op("Transpose")(random_ops.categorical(flat, n, dtype=wide, seed=seed), [1, 0])
        made = array_ops.reshape(draws, base.with_samples(n, self.batch_shape_tensor()))
        return array_ops.cast(made, self.dtype)

    def _aligned(self, k):
        """(k, logits) with k as integers, broadcast with each other's batch."""
        if self.validate_args:
            k = _checked_integers(k)
        if not k.dtype.is_integer:
            k = array_ops.cast(k, dtypes.int32)
        shape = op("BroadcastArgs")(array_ops.shape(k), self.batch_shape_tensor())
        logits = op("BroadcastTo")(self._logits, array_ops.concat([shape, array_ops.shape(self._logits)[-1:]], 0))
        return op("BroadcastTo")(k, shape), logits, array_ops.broadcast_static_shape(k.shape, self.batch_shape)

    def _log_prob(self, k):
        k, logits, known = self._aligned(k)
        flat = array_ops.reshape(logits, [-1, self.event_size])
        k = k if k.dtype in (dtypes.int32, dtypes.int64) else array_ops.cast(k, dtypes.int32)
        loss, _ = op("SparseSoftmaxCrossEntropyWithLogits")(flat, array_ops.reshape(k, [-1]))
        made = -array_ops.reshape(loss, array_ops.shape(k))
        if known.rank is not None and hasattr(made, "op"):
            made.set_shape(known)
        return made

    def _cdf(self, k):
        k, logits, _ = self._aligned(k)
        classes = op("Range")(0, self.event_size, 1)
        below = array_ops.cast(classes, k.dtype) < array_ops.expand_dims(k, -1)
        return op("Sum")(op("SelectV2")(below, op("Softmax")(logits), array_ops.zeros_like(logits)), [-1])

    def _entropy(self):
        return -op("Sum")(op("LogSoftmax")(self._logits) * self._probs, [-1])

    def _mode(self):
        return array_ops.cast(op("ArgMax")(self._logits, -1), self.dtype)


@RegisterKL(Categorical, Categorical)
def _categorical_categorical(a, b, name=None):
    logs = op("LogSoftmax")(a.logits) - op("LogSoftmax")(b.logits)
    return op("Sum")(op("Softmax")(a.logits) * logs, [-1])


# ---- counts


def _checked_counts(counts, total_count, validate_args, what):
    """The counts; each check waits for the one before, so the first that fails is the one that is told."""
    if not validate_args:
        return counts
    counts = base.checked(counts, [assert_ops.assert_non_negative(counts, message="counts must be non-negative.")])
    whole = op("Equal")(counts, op("Floor")(counts))
    counts = base.checked(counts, [base.assert_true(whole, "counts cannot contain fractional components.", counts)])
    message = f"{what} must sum to `self.total_count`"
    return base.checked(counts, [assert_ops.assert_equal(total_count, op("Sum")(counts, [-1]), message=message)])


def _checked_total(total_count, validate_args):
    if not validate_args:
        return total_count
    checks = [
        assert_ops.assert_non_negative(total_count, message="total_count must be non-negative."),
        base.assert_true(
            op("Equal")(total_count, op("Floor")(total_count)),
            "total_count cannot contain fractional values.",
            total_count,
        ),
    ]
    return base.checked(total_count, checks)


def log_combinations(n, counts):
    """log(n! / Π counts!), the product along the last axis."""
    return lgamma(n + 1) - op("Sum")(lgamma(1 + counts), [-1])


def _negative_outer(x):
    return -(array_ops.expand_dims(x, -1) * array_ops.expand_dims(x, -2))


class Multinomial(Distribution):
    """How often each class is drawn in total_count draws, by logits or probs [..., K]. Counts are floats."""

    def __init__(
        self, total_count, logits=None, probs=None, validate_args=False, allow_nan_stats=True, name="Multinomial"
    ):
        parameters = base.parameters_of(locals())
        with name_scope(name) as scope:
            self._total_count = _checked_total(convert_to_tensor(total_count, name="total_count"), validate_args)
            self._logits, self._probs = logits_and_probs(logits, probs, validate_args, True)
            self._mean_val = array_ops.expand_dims(self._total_count, -1) * self._probs
        super().__init__(
            self._probs.dtype,
            NOT_REPARAMETERIZED,
            validate_args,
            allow_nan_stats,
            parameters,
            [self._total_count, self._logits, self._probs],
            scope or name,
        )

    total_count = property(lambda self: self._total_count)
    logits = property(lambda self: self._logits)
    probs = property(lambda self: self._probs)

    def _batch_shape(self):
        return self._mean_val.shape[:-1] if self._mean_val.shape.rank is not None else self._mean_val.shape

    def _batch_shape_tensor(self):
        return array_ops.shape(self._mean_val)[:-1]

    def _event_shape(self):
        return self._mean_val.shape[-1:] if self._mean_val.shape.rank is not None else [None]

    def _event_shape_tensor(self):
        return array_ops.shape(self._mean_val)[-1:]

    def _sample_n(self, n, seed=None):
        """As many draws as the largest total count for each; those beyond a smaller total count are left out."""
        k = self.event_shape_tensor()[0]
        batch = self.batch_shape_tensor()
        totals = array_ops.reshape(op("BroadcastTo")(array_ops.cast(self._total_count, dtypes.int32), batch), [-1])
        logits = op("BroadcastTo")(self._logits, array_ops.concat([batch, [k]], 0))
        most = op("Max")(op("ConcatV2")([totals, [0]], 0), [0])
        draws = random_ops.categorical(array_ops.reshape(logits, [-1, k]), n * most, dtype=dtypes.int32, seed=seed)
        draws = array_ops.reshape(draws, array_ops.stack([array_ops.shape(totals)[0], n, most]))
        counted = op("Range")(0, most, 1) < array_ops.reshape(totals, [-1, 1, 1])
        each = array_ops.one_hot(op("SelectV2")(counted, draws, -1), k, dtype=self.dtype)
        counts = op("Transpose")(op("Sum")(each, [-2]), [1, 0, 2])
        return array_ops.reshape(counts, array_ops.concat([array_ops.reshape(n, [1]), batch, [k]], 0))

    def _log_prob(self, counts):
        counts = _checked_counts(counts, self._total_count, self.validate_args, "counts")
        unnormalized = op("Sum")(counts * op("LogSoftmax")(self._logits), [-1])
        return unnormalized + log_combinations(self._total_count, counts)

    def _mean(self):
        return array_ops.identity(self._mean_val)

    def _spread_probs(self):
        return self._probs * array_ops.ones_like(array_ops.expand_dims(self._total_count, -1))

    def _covariance(self):
        p = self._spread_probs()
        return op("MatrixSetDiagV3")(
            -array_ops.expand_dims(self._mean_val, -1) * array_ops.expand_dims(p, -2), self._variance(), 0
        )

    def _variance(self):
        p = self._spread_probs()
        return self._mean_val - self._mean_val * p


class DirichletMultinomial(VectorConcentration):
    """How often each class is drawn in total_count draws, whose probabilities are of a Dirichlet distribution."""

    def __init__(
        self, total_count, concentration, validate_args=False, allow_nan_stats=True, name="DirichletMultinomial"
    ):
        parameters = base.parameters_of(locals())
        with name_scope(name) as scope:
            self._total_count = _checked_total(convert_to_tensor(total_count, name="total_count"), validate_args)
            self._set_concentration(concentration, validate_args)
        super().__init__(
            self._concentration.dtype,
            NOT_REPARAMETERIZED,
            validate_args,
            allow_nan_stats,
            parameters,
            [self._total_count, self._concentration],
            scope or name,
        )

    total_count = property(lambda self: self._total_count)

    def _sample_n(self, n, seed=None):
        """ValueError unless there is one total count for all."""
        k, batch = self.event_shape_tensor()[0], self.batch_shape_tensor()
        draws = array_ops.cast(self._total_count, dtypes.int32)
        if draws.shape.rank not in (0, None):
            raise NotImplementedError("Sample only supported for scalar number of draws.")
        gamma = random_ops.gamma(array_ops.reshape(n, [1]), self._concentration, dtype=self.dtype, seed=seed)
        logits = array_ops.reshape(log(gamma), [-1, k])
        classes = random_ops.categorical(logits, draws, seed=derived_seed(seed, "dirichlet_multinomial"))
        counts = op("Sum")(array_ops.one_hot(classes, k, dtype=self.dtype), [-2])
        return array_ops.reshape(counts, array_ops.concat([array_ops.reshape(n, [1]), batch, [k]], 0))

    def _log_prob(self, counts):
        counts = _checked_counts(counts, self._total_count, self.validate_args, "counts last-dimension")
        ordered = log_beta(self._concentration + counts) - log_beta(self._concentration)
        return ordered + log_combinations(self._total_count, counts)

    def _mean(self):
        return self._total_count * self._proportions()

    def _scale_term(self):
        """The square root of (total concentration + total count) / (1 + total concentration)."""
        total = array_ops.expand_dims(self._total_concentration, -1)
        return op("Sqrt")((1.0 + total / self._total_count) / (1.0 + total))

    def _covariance(self):
        x = self._scale_term() * self._mean()
        return op("MatrixSetDiagV3")(_negative_outer(x), self._variance(), 0)

    def _variance(self):
        scale = self._scale_term()
        x = scale * self._mean()
        return x * (scale * self._total_count - x)
