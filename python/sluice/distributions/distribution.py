"""The base of distributions: batches of random variables, each with events of one shape.

A subclass has `_batch_shape`, `_event_shape` and their tensors, `_sample_n`, and of `_log_prob`, `_prob`, `_cdf`, `_mean` ... what it
knows; the base derives from those what it can, and raises NotImplementedError for the rest.
"""

from __future__ import annotations

from ..core import dtypes, tensor, tensor_shape
from ..core.op_defs import op
from ..core.scopes import control_dependencies, name_scope
from ..core.static_values import known_value
from ..ops import array_ops, math_ops
from ..ops.array_ops import convert_to_tensor


class ReparameterizationType:
    """Whether samples have gradients with respect to the parameters."""

    def __init__(self, rep_type):
        self._rep_type = rep_type

    def __repr__(self):
        return f"<Reparameterization Type: {self._rep_type}>"

    def __eq__(self, other):
        return self is other

    __hash__ = object.__hash__


FULLY_REPARAMETERIZED = ReparameterizationType("FULLY_REPARAMETERIZED")
NOT_REPARAMETERIZED = ReparameterizationType("NOT_REPARAMETERIZED")


class Distribution:
    """A batch of random variables.

    dtype: of samples. reparameterization_type: FULLY_REPARAMETERIZED or NOT_REPARAMETERIZED. validate_args: whether ops check
    arguments and parameters. allow_nan_stats: whether statistics that do not exist are NaN; else they raise.
    """

    def __init__(
        self,
        dtype,
        reparameterization_type,
        validate_args,
        allow_nan_stats,
        parameters=None,
        graph_parents=None,
        name=None,
    ):
        self._dtype, self._reparameterization_type = dtype, reparameterization_type
        self._validate_args, self._allow_nan_stats = validate_args, allow_nan_stats
        self._parameters = dict(parameters or {})
        self._graph_parents = list(graph_parents or [])
        self._name = name or type(self).__name__

    # ---- what it is

    name = property(lambda self: self._name)
    dtype = property(lambda self: self._dtype)
    reparameterization_type = property(lambda self: self._reparameterization_type)
    allow_nan_stats = property(lambda self: self._allow_nan_stats)
    validate_args = property(lambda self: self._validate_args)

    @property
    def parameters(self):
        """The arguments of the constructor, by name."""
        return {k: v for k, v in self._parameters.items() if k not in ("self", "__class__")}

    def copy(self, **override_parameters_kwargs):
        """Another distribution of the same class, with some of the arguments changed."""
        return type(self)(**{**self.parameters, **override_parameters_kwargs})

    @classmethod
    def _param_shapes(cls, sample_shape):
        raise NotImplementedError("_param_shapes not implemented")

    @classmethod
    def param_shapes(cls, sample_shape, name="DistributionParamShapes"):
        """By parameter the shape, a tensor, that makes one sample have this shape."""
        with name_scope(name):
            return cls._param_shapes(sample_shape)

    @classmethod
    def param_static_shapes(cls, sample_shape):
        """The same as TensorShapes; ValueError when the shape is not known."""
        shape = sample_shape if isinstance(sample_shape, tensor_shape.TensorShape) else known_value(sample_shape)
        if shape is None or isinstance(shape, tensor_shape.TensorShape) and not shape.is_fully_defined():
            raise ValueError("TensorShape sample_shape must be fully defined")
        made = cls.param_shapes(tensor_shape.TensorShape(shape).as_list())
        return {name: tensor_shape.TensorShape(known_value(value)) for name, value in made.items()}

    def _scope(self, name):
        return name_scope(f"{self._name.rstrip('/')}/{name}")

    def __str__(self):
        return (
            f'tfp.distributions.{type(self).__name__}("{self.name}", batch_shape={self.batch_shape}, '
            f"event_shape={self.event_shape}, dtype={self.dtype.name})"
        )

    def __repr__(self):
        return (
            f"<tfp.distributions.{type(self).__name__} '{self.name}' batch_shape={self.batch_shape} "
            f"event_shape={self.event_shape} dtype={self.dtype.name}>"
        )

    # ---- shapes

    def _batch_shape(self):
        return tensor_shape.TensorShape(None)

    def _event_shape(self):
        return tensor_shape.TensorShape(None)

    def _batch_shape_tensor(self):
        raise NotImplementedError(f"batch_shape_tensor is not implemented: {type(self).__name__}")

    def _event_shape_tensor(self):
        raise NotImplementedError(f"event_shape_tensor is not implemented: {type(self).__name__}")

    @property
    def batch_shape(self):
        """The shape of the batch as far as it is known."""
        return tensor_shape.as_shape(self._batch_shape())

    @property
    def event_shape(self):
        """The shape of one event as far as it is known."""
        return tensor_shape.as_shape(self._event_shape())

    def batch_shape_tensor(self, name="batch_shape_tensor"):
        with self._scope(name):
            return _known_or(self.batch_shape, self._batch_shape_tensor)

    def event_shape_tensor(self, name="event_shape_tensor"):
        with self._scope(name):
            return _known_or(self.event_shape, self._event_shape_tensor)

    def is_scalar_event(self, name="is_scalar_event"):
        """Whether events are scalars: a bool tensor."""
        with self._scope(name):
            return _is_scalar(self.event_shape, self._event_shape_tensor)

    def is_scalar_batch(self, name="is_scalar_batch"):
        """Whether there is one random variable: a bool tensor."""
        with self._scope(name):
            return _is_scalar(self.batch_shape, self._batch_shape_tensor)

    # ---- samples

    def _sample_n(self, n, seed=None):
        raise NotImplementedError(f"sample_n is not implemented: {type(self).__name__}")

    def sample(self, sample_shape=(), seed=None, name="sample"):
        """Samples of shape sample_shape + batch + event."""
        with self._scope(name):
            sample_shape = convert_to_tensor(sample_shape, dtypes.int32, name="sample_shape")
            known = known_value(sample_shape)
            if sample_shape.shape.rank == 0:
                sample_shape = array_ops.reshape(sample_shape, [1])
                known = None if known is None else known.reshape(1)
            made = self._sample_n(op("Prod")(sample_shape, [0]), seed)
            made = array_ops.reshape(made, array_ops.concat([sample_shape, array_ops.shape(made)[1:]], 0))
            if known is not None and not isinstance(made, tensor.EagerTensor):
                lead = tensor_shape.TensorShape([int(d) for d in known])
                made.set_shape(lead.concatenate(self.batch_shape).concatenate(self.event_shape))
            return made

    # ---- probabilities

    def _has(self, method) -> bool:
        return getattr(type(self), method, None) is not None

    def _missing(self, what):
        return NotImplementedError(f"{what} is not implemented: {type(self).__name__}")

    def _of_value(self, name, scope, value):
        """The first that the subclass has of the ways to compute a function of values."""
        with self._scope(scope):
            value = convert_to_tensor(value, dtype_hint=self._value_type(), name="value")
            return self._compute(name, value)

    def _value_type(self):
        return self.dtype

    def _compute(self, name, value):
        for method, change in _WAYS[name]:
            if self._has(method):
                made = getattr(self, method)(value)
                return made if change is None else change(made)
        raise self._missing(name)

    def log_prob(self, value, name="log_prob"):
        """Logarithms of the density, or of the probability of a value."""
        return self._of_value("log_prob", name, value)

    def prob(self, value, name="prob"):
        """Densities, or probabilities of values."""
        return self._of_value("prob", name, value)

    def log_cdf(self, value, name="log_cdf"):
        """log P[X <= value]."""
        return self._of_value("log_cdf", name, value)

    def cdf(self, value, name="cdf"):
        """P[X <= value]."""
        return self._of_value("cdf", name, value)

    def log_survival_function(self, value, name="log_survival_function"):
        """log P[X > value]."""
        return self._of_value("log_survival_function", name, value)

    def survival_function(self, value, name="survival_function"):
        """P[X > value]."""
        return self._of_value("survival_function", name, value)

    def quantile(self, value, name="quantile"):
        """x of P[X <= x] = value."""
        return self._of_value("quantile", name, value)

    # ---- statistics

    def _statistic(self, name, scope):
        with self._scope(scope):
            if not self._has("_" + name):
                raise self._missing(name)
            return getattr(self, "_" + name)()

    def entropy(self, name="entropy"):
        """Shannon's entropy, in nats."""
        return self._statistic("entropy", name)

    def mean(self, name="mean"):
        return self._statistic("mean", name)

    def mode(self, name="mode"):
        return self._statistic("mode", name)

    def covariance(self, name="covariance"):
        """Covariances of the elements of events."""
        return self._statistic("covariance", name)

    def variance(self, name="variance"):
        if not self._has("_variance") and self._has("_stddev"):
            with self._scope(name):
                return op("Square")(self._stddev())
        return self._statistic("variance", name)

    def stddev(self, name="stddev"):
        """Standard deviations."""
        if not self._has("_stddev") and self._has("_variance"):
            with self._scope(name):
                return op("Sqrt")(self._variance())
        return self._statistic("stddev", name)

    def cross_entropy(self, other, name="cross_entropy"):
        """-E[log of the other's density], of this distribution's events."""
        with self._scope(name):
            return self.entropy() + kl_divergence(self, other, allow_nan_stats=self.allow_nan_stats)

    def kl_divergence(self, other, name="kl_divergence"):
        """E[log(density / the other's density)], of this distribution's events."""
        with self._scope(name):
            return kl_divergence(self, other, allow_nan_stats=self.allow_nan_stats)


def _complement(p):
    return 1.0 - p


_WAYS = {
    "log_prob": [("_log_prob", None), ("_prob", math_ops.log)],
    "prob": [("_prob", None), ("_log_prob", math_ops.exp)],
    "log_cdf": [("_log_cdf", None), ("_cdf", math_ops.log)],
    "cdf": [("_cdf", None), ("_log_cdf", math_ops.exp)],
    "log_survival_function": [
        ("_log_survival_function", None),
        ("_survival_function", math_ops.log),
        ("_cdf", lambda p: math_ops.log1p(-p)),
        ("_log_cdf", lambda p: math_ops.log1p(-math_ops.exp(p))),
    ],
    "survival_function": [
        ("_survival_function", None),
        ("_log_survival_function", math_ops.exp),
        ("_cdf", _complement),
        ("_log_cdf", lambda p: 1.0 - math_ops.exp(p)),
    ],
    "quantile": [("_quantile", None)],
}


def _known_or(shape, shape_tensor):
    if shape.is_fully_defined():
        return convert_to_tensor(shape.as_list(), dtypes.int32)
    return shape_tensor()


def _is_scalar(shape, shape_tensor):
    if shape.rank is not None:
        return convert_to_tensor(shape.rank == 0)
    return op("Equal")(array_ops.shape(shape_tensor())[0], 0)


# ---- divergences

_divergences: dict = {}


class RegisterKL:
    """Registers a function(a, b, name=None) as the divergence of two classes: a decorator. ValueError when they have one."""

    def __init__(self, dist_cls_a, dist_cls_b):
        self._key = dist_cls_a, dist_cls_b

    def __call__(self, kl_fn):
        if not callable(kl_fn):
            raise TypeError(f"kl_fn must be callable, received: {kl_fn}")
        if self._key in _divergences:
            a, b = (c.__name__ for c in self._key)
            raise ValueError(f"KL({a} || {b}) has already been registered to: {_divergences[self._key]}")
        _divergences[self._key] = kl_fn
        return kl_fn


def _registered(a, b):
    """The function of the nearest classes."""
    pairs = [(i + j, x, y) for i, x in enumerate(a.__mro__) for j, y in enumerate(b.__mro__) if (x, y) in _divergences]
    return _divergences[min(pairs, key=lambda p: p[0])[1:]] if pairs else None


def kl_divergence(distribution_a, distribution_b, allow_nan_stats=True, name=None):
    """E[log(a's density / b's)] of events of a. NotImplementedError when none is known for the two classes; with
    allow_nan_stats=False InvalidArgumentError when it is NaN."""
    function = _registered(type(distribution_a), type(distribution_b))
    if function is None:
        raise NotImplementedError(
            "No KL(distribution_a || distribution_b) registered for distribution_a type "
            f"{type(distribution_a).__name__} and distribution_b type {type(distribution_b).__name__}"
        )
    with name_scope(name or "KullbackLeibler"):
        made = function(distribution_a, distribution_b, name=name)
        if allow_nan_stats:
            return made
        message = (
            f"KL calculation between {distribution_a.name} and {distribution_b.name} returned NaN values (and was called "
            "with allow_nan_stats=False). Values:"
        )
        return checked(made, [assert_true(op("LogicalNot")(math_ops.reduce_any(op("IsNan")(made))), message, made)])


def cross_entropy(ref, other, allow_nan_stats=True, name=None):
    """-E[log of other's density], of events of ref."""
    with name_scope(name or "cross_entropy"):
        return ref.entropy() + kl_divergence(ref, other, allow_nan_stats=allow_nan_stats)


# ---- what subclasses use


def parameters_of(values: dict) -> dict:
    """`parameters`, of the constructor's locals()."""
    return {k: v for k, v in values.items() if k not in ("self", "__class__")}


def checked(x, asserts):
    """x, once the asserts hold."""
    asserts = [a for a in asserts if a is not None]
    if not asserts:
        return array_ops.identity(x)
    with control_dependencies(asserts):
        return array_ops.identity(x)


def assert_true(condition, message, *data):
    return op("Assert")(math_ops.reduce_all(condition), [message, *data])


def same_float_type(*tensors):
    """ValueError unless all have one floating type."""
    first = tensors[0].dtype.base_dtype
    if not first.is_floating:
        raise ValueError(f"Expected floating point type, got {first}.")
    for t in tensors:
        if t.dtype.base_dtype != first:
            raise ValueError(f"{t}, type={t.dtype}, must be of the same type ({first})")


def broadcast_of(*values):
    """(shape of what the values broadcast to, the same as a function that gives a tensor)."""
    static = values[0].shape
    for v in values[1:]:
        static = array_ops.broadcast_static_shape(static, v.shape)

    def dynamic():
        shape = array_ops.shape(values[0])
        for v in values[1:]:
            shape = op("BroadcastArgs")(shape, array_ops.shape(v))
        return shape

    return static, dynamic


def spread(value, *others):
    """The value in the shape that it and others broadcast to."""
    for other in others:
        value = value + array_ops.zeros_like(other)
    return value


def scalar_event():
    return tensor_shape.TensorShape([])


def with_samples(n, shape):
    """The shape [n] + shape, tensors."""
    return array_ops.concat([array_ops.reshape(n, [1]), shape], 0)
