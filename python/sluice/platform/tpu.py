"""tf.tpu: what programs write before they ask whether there is a TPU. Descriptions of embedding tables and of how these are
trained are plain records; whatever would need a TPU says that there is none.
"""

from __future__ import annotations

import enum
import os

from ..core import dtypes, errors
from ..core.tensor_shape import TensorShape
from ..training.cluster_resolvers import ClusterResolver
from ..training.optimizer import Optimizer
from ..training.strategies import Strategy

_NO_NAME = "Please provide a TPU Name to connect to."


class TPUClusterResolver(ClusterResolver):
    """Where a TPU is. ValueError without a name, as anywhere without TPUs; NotImplementedError with one."""

    def __init__(self, tpu=None, *args, **kwargs):
        name = tpu or os.environ.get("TPU_NAME")
        if not name:
            raise ValueError(_NO_NAME)
        raise NotImplementedError(
            f"tf.distribute.cluster_resolver.TPUClusterResolver({name!r}): the library has no TPUs"
        )

    @staticmethod
    def connect(tpu=None, zone=None, project=None):
        """Fails as the constructor does."""
        return TPUClusterResolver(tpu, zone, project)


class TPUStrategy(Strategy):
    """Replicas on the cores of a TPU. Its objects cannot be made: errors as those of a resolver without a name."""

    def __init__(self, tpu_cluster_resolver=None, experimental_device_assignment=None, *args, **kwargs):
        TPUClusterResolver.connect()


def initialize_tpu_system(cluster_resolver=None):
    """ValueError without a resolver, NotFoundError with one: there are no TPUs."""
    if cluster_resolver is None:
        TPUClusterResolver.connect()
    raise errors.NotFoundError(
        None, None, "TPUs not found in the cluster. Failed in initialization: the library has no TPUs"
    )


def shutdown_tpu_system(cluster_resolver=None):
    """Fails as initialize_tpu_system does."""
    initialize_tpu_system(cluster_resolver)


class HardwareFeature:
    """What a TPU can do. Its objects cannot be made."""

    class EmbeddingFeature(enum.Enum):
        """How far its cores help with embedding tables."""

        UNSUPPORTED = "UNSUPPORTED"
        V1 = "V1"
        V2 = "V2"

    def __init__(self, tpu_hardware_feature_proto):
        _refuse("HardwareFeature")


def _refuse(name):
    raise NotImplementedError(f"tf.tpu.{name}: the library has no TPUs")


def _absent(name, *bases):
    def init(self, *args, **kwargs):
        _refuse(name)

    return type(
        name.rpartition(".")[2], bases, {"__init__": init, "__module__": __name__, "__doc__": "NotImplementedError."}
    )


DeviceAssignment, Topology, XLAOptions = map(
    _absent, ("experimental.DeviceAssignment", "experimental.Topology", "XLAOptions")
)
TPUEmbedding, TPUEmbeddingV0, TPUEmbeddingV2, TPUEmbeddingForServing = (
    _absent(f"experimental.embedding.{name}")
    for name in ("TPUEmbedding", "TPUEmbeddingV0", "TPUEmbeddingV2", "TPUEmbeddingForServing")
)
CrossShardOptimizer = _absent("CrossShardOptimizer", Optimizer)


# ---- embedding tables


class _Described:
    """A record whose repr is how it can be made again."""

    _shown: tuple[str, ...] = ()

    def __repr__(self):
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._shown)
        return f"{type(self).__name__}({values})"


class QuantizationConfig(_Described):
    """Rows as `num_buckets` (>= 2) numbers between `lower` and `upper`."""

    _shown = ("num_buckets", "lower", "upper")

    def __init__(self, num_buckets, lower, upper):
        if num_buckets < 2:
            raise ValueError(f"num_buckets is {num_buckets}, must be at least 2.")
        self.num_buckets, self.lower, self.upper = num_buckets, lower, upper


class TableConfig(_Described):
    """A table of `vocabulary_size` rows of `dim` numbers; `combiner` ("mean", "sum", "sqrtn") makes one of several rows."""

    _shown = ("vocabulary_size", "dim", "initializer", "optimizer", "combiner", "name", "quantization_config")

    def __init__(
        self,
        vocabulary_size,
        dim,
        initializer=None,
        optimizer=None,
        combiner="mean",
        name=None,
        quantization_config=None,
        layout=None,
        dtype=dtypes.float32,
    ):
        for argument, value in (("vocabulary_size", vocabulary_size), ("dim", dim)):
            if not isinstance(value, int) or value < 1:
                raise ValueError(f"Argument `{argument}` must be an int and must be >= 1. Received: {value}")
        if initializer is not None and not callable(initializer):
            raise ValueError(f"Argument `initializer` must be a callable (or None). Received: {initializer}")
        if isinstance(combiner, str) and combiner not in ("mean", "sum", "sqrtn"):
            raise ValueError(f"String argument `combiner` must be in ('mean', 'sum', 'sqrtn'). Received: {combiner}")
        self.vocabulary_size, self.dim, self.initializer, self.optimizer = vocabulary_size, dim, initializer, optimizer
        self.combiner, self.name, self.quantization_config = combiner, name, quantization_config
        self.layout, self.dtype = layout, dtype


class FeatureConfig(_Described):
    """What a feature of the input looks up in which table: the rows combined, or `max_sequence_length` of them in order."""

    _shown = ("table", "max_sequence_length", "validate_weights_and_indices", "output_shape", "name")

    def __init__(self, table, max_sequence_length=0, validate_weights_and_indices=True, output_shape=None, name=None):
        self.table, self.max_sequence_length, self.name = table, max_sequence_length, name
        self.validate_weights_and_indices, self.output_shape = validate_weights_and_indices, TensorShape(output_shape)


class RowIdInitializer:
    """Gives each row its number, from `offset` on."""

    def __init__(self, offset=0):
        self.offset = offset


class _TableOptimizer:
    """How the rows of a table are trained; attributes are the arguments."""

    def __init__(
        self,
        learning_rate,
        use_gradient_accumulation=True,
        clip_weight_min=None,
        clip_weight_max=None,
        weight_decay_factor=None,
        multiply_weight_decay_factor_by_learning_rate=None,
        slot_variable_creation_fn=None,
        clipvalue=None,
        low_dimensional_packing_status=False,
    ):
        self.slot_variable_creation_fn, self.learning_rate = slot_variable_creation_fn, learning_rate
        self.use_gradient_accumulation = use_gradient_accumulation
        self.clip_weight_min, self.clip_weight_max = clip_weight_min, clip_weight_max
        low, high = (
            clipvalue if isinstance(clipvalue, tuple) else (None if clipvalue is None else -clipvalue, clipvalue)
        )
        if (low is not None or high is not None) and not use_gradient_accumulation:
            raise ValueError("Gradients can be clipped with use_gradient_accumulation=True alone")
        self.clip_gradient_min, self.clip_gradient_max = low, high
        self.weight_decay_factor = weight_decay_factor
        self.multiply_weight_decay_factor_by_learning_rate = multiply_weight_decay_factor_by_learning_rate
        self.low_dimensional_packing_status = low_dimensional_packing_status


class SGD(_TableOptimizer):
    """Gradient descent."""

    def __init__(self, learning_rate=0.01, *args, **kwargs):
        super().__init__(learning_rate, *args, **kwargs)


class Adagrad(_TableOptimizer):
    """Adagrad."""

    def __init__(self, learning_rate=0.001, initial_accumulator_value=0.1, *args, **kwargs):
        super().__init__(learning_rate, *args, **kwargs)
        self.initial_accumulator_value = initial_accumulator_value


class AdagradMomentum(_TableOptimizer):
    """Adagrad with momentum."""

    def __init__(
        self, learning_rate=0.001, momentum=0.0, use_nesterov=False, exponent=2, beta2=1, epsilon=1e-10, *args, **kwargs
    ):
        super().__init__(learning_rate, *args, **kwargs)
        self.momentum, self.use_nesterov, self.exponent = momentum, use_nesterov, exponent
        self.beta2, self.epsilon = beta2, epsilon


class Adam(_TableOptimizer):
    """Adam."""

    def __init__(
        self,
        learning_rate=0.001,
        beta_1=0.9,
        beta_2=0.999,
        epsilon=1e-07,
        lazy_adam=True,
        sum_inside_sqrt=True,
        *args,
        **kwargs,
    ):
        super().__init__(learning_rate, *args, **kwargs)
        self.beta_1, self.beta_2, self.epsilon = beta_1, beta_2, epsilon
        self.lazy_adam, self.sum_inside_sqrt = lazy_adam, sum_inside_sqrt


class FTRL(_TableOptimizer):
    """Follow the regularised leader."""

    def __init__(
        self,
        learning_rate=0.001,
        learning_rate_power=-0.5,
        l1_regularization_strength=0.0,
        l2_regularization_strength=0.0,
        beta=0.0,
        initial_accumulator_value=0.1,
        *args,
        multiply_linear_by_learning_rate=False,
        allow_zero_accumulator=False,
        **kwargs,
    ):
        super().__init__(learning_rate, *args, **kwargs)
        self.learning_rate_power, self.beta = learning_rate_power, beta
        self.l1_regularization_strength = l1_regularization_strength
        self.l2_regularization_strength = l2_regularization_strength
        self.initial_accumulator_value = initial_accumulator_value
        self.multiply_linear_by_learning_rate = multiply_linear_by_learning_rate
        self.allow_zero_accumulator = allow_zero_accumulator
