"""tf.nn: activations, softmax, losses of logits, dropout."""

from __future__ import annotations

import builtins
import math

from ..core import dtypes, errors, graph, scopes
from ..core import tensor as tensor_core
from ..core.op_defs import op
from ..core.scopes import in_scope
from ..core.static_values import known_value
from ..core.tensor import EagerTensor
from . import array_ops, assert_ops, math_ops, random_ops, stateless_random_ops
from .array_ops import _one_of, cast, convert_to_tensor

# ---- activations


def _activation(op_name):
    """A function of each element that is an op by itself."""

    def apply(features, name=None):
        return op(op_name)(features, name=name)

    return apply


elu, relu, relu6, selu = _activation("Elu"), _activation("Relu"), _activation("Relu6"), _activation("Selu")
softplus, softsign = _activation("Softplus"), _activation("Softsign")
for _name, _formula in {
    "elu": "x above 0, else exp(x) - 1",
    "relu": "max(x, 0)",
    "relu6": "min(max(x, 0), 6)",
    "selu": "1.0507 (x above 0, else 1.67326 (exp(x) - 1))",
    "softplus": "log(exp(x) + 1)",
    "softsign": "x / (|x| + 1)",
}.items():
    globals()[_name].__name__ = globals()[_name].__qualname__ = _name
    globals()[_name].__doc__ = (
        f"{_formula}, for each element x.\n\nfeatures: a tensor of any shape and a floating point type (relu "
        "and relu6: whole numbers, too). Gives its shape and type. InvalidArgumentError for another type."
    )


def leaky_relu(features, alpha=0.2, name=None):
    """x, but alpha * x below 0; integers as float32."""
    features = convert_to_tensor(features)
    if features.dtype.is_integer:
        with scopes.scope_in_graphs(name, "LeakyRelu") as name:
            return leaky_relu(cast(features, dtypes.float32), alpha, name)
    known = known_value(alpha)
    if known is None:
        alpha = cast(alpha, features.dtype)
        return op("Maximum")(alpha * features, features, name=name)
    return op("LeakyRelu")(features, alpha=float(known), name=name)


@in_scope("CRelu")
def crelu(features, axis=-1, name=None):
    """relu(x) and relu(-x), joined along the axis."""
    features = convert_to_tensor(features, name="features")
    return op("Relu")(op("ConcatV2")([features, -features], axis, name=name))


def crelu_v1(features, name=None, axis=-1):
    """crelu with the order of compat.v1's parameters."""
    return crelu(features, axis, name)


@in_scope("Gelu", names_last=False)
def gelu(features, approximate=False, name=None):
    """x times the normal distribution function of x; the approximation is by tanh."""
    x = convert_to_tensor(features, name="features")
    if not x.dtype.is_floating:
        raise ValueError(f"`features.dtype` must be a floating point tensor. Received: features.dtype={x.dtype}")
    if approximate:
        cubic = _number_in(0.044715, x.dtype)
        return (0.5 * x) * (1.0 + op("Tanh")(math.sqrt(2 / math.pi) * (x + cubic * op("Pow")(x, 3))))
    half, below = 0.5 * x, -x
    return half * op("Erfc")(below * _number_in(math.sqrt(0.5), x.dtype))


def _number_in(number, dtype):
    """A float32 number in another type; in a graph its constant is named as that of an argument of a cast."""
    if graph.current() is None:
        return cast(number, dtype)
    with scopes.name_scope("Cast") as scope:
        return cast(convert_to_tensor(number, dtypes.float32, name="x"), dtype, scope)


def silu(features, beta=1.0):
    """x * sigmoid(beta * x)"""
    x = convert_to_tensor(features)
    if type(x) is EagerTensor:
        return x * op("Sigmoid")(cast(beta, x.dtype) * x)
    beta = cast(convert_to_tensor(beta, name="beta"), x.dtype)
    return op("Mul")(x, op("Sigmoid")(beta * x), name="IdentityN")  # as programs fetch it


@in_scope("relu_layer")
def relu_layer(x, weights, biases, name=None):
    """relu(x weights + biases)"""
    return op("Relu")(_affine(x, weights, biases, None), name=name)


@in_scope("xw_plus_b")
def xw_plus_b(x, weights, biases, name=None):
    """x weights + biases, for matrices x and weights."""
    return _affine(x, weights, biases, name)


def _affine(x, weights, biases, name):
    x, weights = convert_to_tensor(x, name="x"), convert_to_tensor(weights, name="weights")
    biases = convert_to_tensor(biases, name="biases")
    return op("BiasAdd")(op("MatMul")(x, weights), biases, name=name)


def bias_add(value, bias, data_format=None, name=None):
    """value with a vector added along the channels: the last axis, or for a format "NC..." the second."""
    if data_format is not None and data_format not in _CHANNELS_FIRST and data_format not in _CHANNELS_LAST:
        raise ValueError(f"`data_format` must be of the form `N...C` or `NC...`. Received: data_format={data_format}")
    layout = "NCHW" if data_format in _CHANNELS_FIRST else "NHWC"
    try:
        x = convert_to_tensor(value)
        if type(bias) is not builtins.list:  # else the op takes it, and names its constant
            bias = convert_to_tensor(bias, x.dtype)
        return op("BiasAdd")(x, bias, data_format=layout, name=name)
    except errors.OpError as error:
        raise tensor_core.told(error, "", value, bias)


_CHANNELS_FIRST, _CHANNELS_LAST = ("NC", "NCW", "NCHW", "NCDHW", "NC..."), ("NWC", "NHWC", "NDHWC", "N...C")


# ---- softmax


def softmax(logits, axis=None, name=None):
    """exp(x) over its sum along the axis, the last one unless another is named."""
    return _along(op("Softmax"), logits, axis, name)


def log_softmax(logits, axis=None, name=None):
    """The logarithm of softmax."""
    return _along(op("LogSoftmax"), logits, axis, name)


def softmax_v1(logits, axis=None, name=None, dim=None):
    """softmax with compat.v1's parameters."""
    return softmax(logits, _one_of("axis", axis, "dim", dim), name)


def log_softmax_v1(logits, axis=None, name=None, dim=None):
    """log_softmax with compat.v1's parameters."""
    return log_softmax(logits, _one_of("axis", axis, "dim", dim), name)


def _along(function, x, axis, name):
    x = convert_to_tensor(x)
    rank = x.shape.rank
    axis = -1 if axis is None else axis
    if axis == -1 or rank is not None and axis == rank - 1:
        return function(x, name=name)
    if rank is None:
        return _exchanged(function, x, axis, name)
    if not -rank <= axis < rank:
        raise errors.InvalidArgumentError(
            None, None, f"`axis` must be in the range [{-rank}, {rank - 1}]. Received: axis={axis}"
        )
    perm = builtins.list(range(rank))
    perm[axis], perm[-1] = perm[-1], perm[axis]
    return op("Transpose")(function(op("Transpose")(x, perm, name="transpose")), perm, name=name or "transpose")


def _exchanged(function, x, axis, name):
    """The function along an axis of a tensor of unknown rank, which is exchanged with the last one."""
    rank = array_ops.rank(x)
    axis = axis + rank if axis < 0 else axis
    at = op("Range")(0, rank, 1)
    perm = array_ops.where(op("Equal")(at, axis), rank - 1, array_ops.where(op("Equal")(at, rank - 1), axis, at))
    return op("Transpose")(function(op("Transpose")(x, perm, name="transpose")), perm, name=name or "transpose")


# ---- losses of logits

_NARROW = (dtypes.as_dtype("float16"), dtypes.as_dtype("bfloat16"))  # computed in float32


@in_scope("softmax_cross_entropy_with_logits")
def softmax_cross_entropy_with_logits(labels, logits, axis=-1, name=None):
    """The cross entropy of the softmax of logits along the axis with labels, which sum to one; without that axis."""
    logits = convert_to_tensor(logits, name="logits")
    labels = convert_to_tensor(labels, None if hasattr(labels, "dtype") else logits.dtype, name="labels")
    narrow = logits.dtype in _NARROW
    wide = cast(logits, dtypes.float32) if narrow else logits
    made = _cross_entropy(cast(labels, wide.dtype), wide, axis, name)
    return cast(made, logits.dtype) if narrow else made


def _cross_entropy(labels, logits, axis, name):
    rank = logits.shape.rank
    if axis != -1 and axis != (rank or 0) - 1:
        perm = _moved_last(axis, array_ops.rank(logits) if rank is None else rank)
        logits, labels = (op("Transpose")(t, perm, name="transpose") for t in (logits, labels))
    if rank == 2:
        made = op("SoftmaxCrossEntropyWithLogits")(logits, labels, name=name)[0]
        return made if name is None else array_ops.identity(made, "Reshape_2")  # as programs fetch it
    flat = [array_ops.reshape(v, array_ops.stack([-1, array_ops.shape(v)[-1]])) for v in (logits, labels)]
    loss = op("SoftmaxCrossEntropyWithLogits")(*flat, name=name)[0]
    made = array_ops.reshape(loss, array_ops.shape(logits)[:-1])
    if rank is not None:
        made.set_shape(logits.shape[:-1])
    return made


def _moved_last(axis, rank):
    """The permutation that puts an axis behind all others."""
    axis = axis + rank if axis < 0 else axis
    if isinstance(rank, int):
        return [i for i in range(rank) if i != axis] + [axis]
    return array_ops.concat([op("Range")(0, axis, 1), op("Range")(axis + 1, rank, 1), [axis]], 0)


def softmax_cross_entropy_with_logits_v2_v1(labels, logits, axis=None, name=None, dim=None):
    """softmax_cross_entropy_with_logits with compat.v1's parameters."""
    axis = _one_of("axis", axis, "dim", dim)
    return softmax_cross_entropy_with_logits(labels, logits, -1 if axis is None else axis, name)


@in_scope("softmax_cross_entropy_with_logits_sg")
def softmax_cross_entropy_with_logits_v1(labels=None, logits=None, dim=-1, name=None, axis=None):
    """softmax_cross_entropy_with_logits without a gradient for the labels."""
    _both_given(labels, logits)
    labels = array_ops.stop_gradient(labels, name="labels_stop_gradient")
    return softmax_cross_entropy_with_logits.__wrapped__(labels, logits, dim if axis is None else axis, name)


def _both_given(labels, logits):
    if labels is None or logits is None:
        raise ValueError("Both `labels` and `logits` must be provided.")


def sparse_softmax_cross_entropy_with_logits(labels, logits, name=None):
    """The cross entropy of the softmax of logits, along the last axis, with the class that the label names."""
    if graph.current() is None:
        return _sparse_cross_entropy(convert_to_tensor(labels), convert_to_tensor(logits), name)
    with scopes.name_scope(name or _SPARSE):
        return _sparse_cross_entropy(convert_to_tensor(labels), convert_to_tensor(logits), name)


_SPARSE = "SparseSoftmaxCrossEntropyWithLogits"


def _sparse_cross_entropy(labels, logits, name):
    have = logits.dtype
    narrow = have in _NARROW
    logits = cast(logits, dtypes.float32) if narrow else logits
    _check_labels(labels, logits)
    shape = array_ops.shape(labels) if graph.current() is not None or logits.shape.rank != 2 else None
    if logits.shape.rank == 2:
        made = op(_SPARSE)(logits, labels, name=name)[0]
    else:
        classes = array_ops.shape(logits)[-1]
        flat = array_ops.reshape(logits, array_ops.stack([-1, classes])), array_ops.reshape(labels, [-1])
        made = array_ops.reshape(op(_SPARSE)(*flat, name=name)[0], shape)
        made.set_shape(labels.shape)
    return cast(made, have) if narrow else made


def _check_labels(labels, logits):
    if logits.shape.rank == 0:
        raise ValueError(f"`logits` cannot be a scalar. Received logits={logits}")
    if logits.shape.rank is None or labels.shape.rank is None:
        return
    if labels.shape.rank != logits.shape.rank - 1:
        raise ValueError(
            "`labels.shape.rank` must equal `logits.shape.rank - 1`. Received: labels.shape="
            f"{labels.shape} of rank {labels.shape.rank} and logits.shape={logits.shape} of rank {logits.shape.rank}"
        )
    if not labels.shape.is_compatible_with(logits.shape[:-1]):
        raise ValueError(
            "`labels.shape` must equal `logits.shape` except for the last dimension. Received: labels.shape="
            f"{labels.shape} and logits.shape={logits.shape}"
        )


def sparse_softmax_cross_entropy_with_logits_v1(labels=None, logits=None, name=None):
    """sparse_softmax_cross_entropy_with_logits with compat.v1's parameters."""
    _both_given(labels, logits)
    return sparse_softmax_cross_entropy_with_logits(labels, logits, name)


def _same_shapes(logits, labels):
    logits = convert_to_tensor(logits, name="logits")
    labels = convert_to_tensor(labels, logits.dtype, name="labels")
    if not logits.shape.is_compatible_with(labels.shape):
        raise ValueError(
            f"`logits` and `labels` must have the same shape, received ({logits.shape} vs {labels.shape})."
        )
    return logits, labels


@in_scope("logistic_loss")
def sigmoid_cross_entropy_with_logits(labels=None, logits=None, name=None):
    """The cross entropy of sigmoid(logits) with labels from 0 to 1, by element: max(x, 0) - x z + log(1 + exp(-|x|))."""
    _both_given(labels, logits)
    x, z = _same_shapes(logits, labels)
    # Both choices have at 0 the derivatives with which the whole has that of what it stands for.
    zeros = op("ZerosLike")(x) if name is None else array_ops.zeros_like(x)
    up = op("GreaterEqual")(x, zeros)
    positive = op("Select")(up, x, zeros)
    minus_abs = op("Select")(up, -x, x)
    return op("AddV2")(positive - x * z, op("Log1p")(op("Exp")(minus_abs)), name=name)


@in_scope("logistic_loss")
def weighted_cross_entropy_with_logits(labels, logits, pos_weight, name=None):
    """The same with the part of the labels times pos_weight: (1 - z) x + l (log(1 + exp(-|x|)) + max(-x, 0))."""
    x, z = _same_shapes(logits, labels)
    weight = 1 + (pos_weight - 1) * z
    first = (1 - z) * x
    rest = op("Log1p")(op("Exp")(-op("Abs")(x))) + op("Relu")(-x)
    return op("AddV2")(first, weight * rest, name=name)


def weighted_cross_entropy_with_logits_v1(labels=None, logits=None, pos_weight=None, name=None, targets=None):
    """weighted_cross_entropy_with_logits with compat.v1's parameters."""
    return weighted_cross_entropy_with_logits(_one_of("labels", labels, "targets", targets), logits, pos_weight, name)


@in_scope("log_poisson_loss", names_last=False)
def log_poisson_loss(targets, log_input, compute_full_loss=False, name=None):
    """exp(c) - z c of log rates c and counts z; the full loss has Stirling's approximation of log z! for z > 1."""
    c = convert_to_tensor(log_input, name="log_input")
    z = convert_to_tensor(targets, c.dtype, name="targets")
    if not c.shape.is_compatible_with(z.shape):
        raise ValueError(f"`log_input` and `targets` must have the same shape, received ({c.shape} vs {z.shape}).")
    loss = op("Exp")(c) - c * z
    if not compute_full_loss:
        return loss
    half, circle = convert_to_tensor(0.5, z.dtype), convert_to_tensor(2 * math.pi, z.dtype)
    stirling = z * op("Log")(z) - z + half * op("Log")(circle * z)
    zeros, ones = array_ops.zeros_like(z), array_ops.ones_like(z)
    small = op("LogicalAnd")(z >= zeros, z <= ones)
    return loss + op("Select")(small, zeros, stirling)


def l2_loss(t, name=None):
    """Half of the sum of squares."""
    return op("L2Loss")(t, name=name)


# ---- losses of distributed training


def compute_average_loss(per_example_loss, sample_weight=None, global_batch_size=None):
    """The sum of the losses, times the weights, over the size of the batch of all replicas."""
    loss = convert_to_tensor(per_example_loss)
    have = loss.dtype
    loss = _with_rank(loss)
    if sample_weight is not None:
        weights = convert_to_tensor(sample_weight)
        kind = weights.dtype if weights.dtype.is_floating else dtypes.float32
        wide = loss.dtype if loss.dtype.is_floating and loss.dtype.size >= kind.size else kind
        loss = cast(loss, wide) * cast(weights, wide)
    loss = cast(loss, have if have.is_floating else dtypes.float32)
    if global_batch_size is None:
        size = array_ops.shape(loss)[0] * _replicas("compute_average_loss")
    else:
        size = _batch_size(global_batch_size)
    return op("DivNoNan")(math_ops.reduce_sum(loss), cast(size, loss.dtype), name="div_no_nan")


def _replicas(name):
    """How many replicas there are. RuntimeError outside of them."""
    from ..training import strategies

    if strategies.has_strategy() and strategies.in_cross_replica_context():
        raise RuntimeError(
            f"You are calling `{name}` in cross replica context, while it was expected to be called in replica context."
        )
    return strategies.get_strategy().num_replicas_in_sync


def _with_rank(loss):
    message = "Invalid value passed for `per_example_loss`. Expected a tensor with at least rank 1."
    if loss.shape.rank == 0:
        raise ValueError(message)
    if loss.shape.rank is not None:
        return loss
    with scopes.control_dependencies([assert_ops.Assert(op("Greater")(array_ops.rank(loss), 0), [message])]):
        return array_ops.identity(loss)


def _batch_size(value):
    size = convert_to_tensor(value)
    if size.shape.rank not in (None, 0):
        raise ValueError(f"global_batch_size must be scalar, not {value}")
    if not size.dtype.is_integer:
        raise TypeError(f"global_batch_size must be an int, not {value}")
    known = known_value(size)
    if known is not None and known < 0:
        raise errors.InvalidArgumentError(None, None, f"global_batch_size must be non-negative, not {value}")
    return size


def scale_regularization_loss(regularization_loss):
    """The loss over the number of replicas."""
    loss = convert_to_tensor(regularization_loss)
    loss = loss if loss.shape.rank == 0 else math_ops.reduce_sum(loss)
    return loss / _replicas("scale_regularization_loss")


# ---- dropout


def general_dropout(x, rate, uniform_sampler, noise_shape=None, name=None):
    """x / (1 - rate), but 0 where a draw of uniform_sampler(shape=, dtype=) is below the rate."""
    with scopes.name_scope(name or "dropout"):
        x = convert_to_tensor(x)
        if not x.dtype.is_floating:
            raise ValueError(f"`x.dtype` must be a floating point tensor. Received: x.dtype={x.dtype}")
        if not hasattr(rate, "dtype") or known_value(rate) is not None and not hasattr(rate, "op"):
            known = float(known_value(rate))
            if not 0 <= known < 1:
                raise ValueError(
                    f"`rate` must be a scalar tensor or a float in the range [0, 1). Received: rate={rate}"
                )
            if known == 0 and not hasattr(rate, "dtype"):
                return x
        if isinstance(rate, (builtins.int, builtins.float)):
            scaled = op("Mul")(x, convert_to_tensor(1 / (1 - rate), x.dtype))
        else:
            rate = convert_to_tensor(rate, None if hasattr(rate, "dtype") else x.dtype)
            if rate.shape.rank not in (None, 0):
                raise ValueError(f"`rate` must be a scalar tensor. Received: rate={rate}")
            rate = cast(rate, x.dtype)
            scaled = op("RealDiv")(x, op("Sub")(convert_to_tensor(1, x.dtype), rate))
        drawn = uniform_sampler(shape=_noise_shape(x, noise_shape), dtype=x.dtype)
        return array_ops.where(op("GreaterEqual")(drawn, rate), scaled, convert_to_tensor(0, x.dtype))


def _noise_shape(x, noise_shape):
    """The shape of the draws: None is the input's dim."""
    if noise_shape is None:
        return array_ops.shape(x)
    if isinstance(noise_shape, (builtins.list, builtins.tuple)) and x.shape.rank == len(noise_shape):
        shape = [x.shape[i] if n is None else n for i, n in enumerate(noise_shape)]
        return shape if None not in shape else array_ops.shape(x)
    return noise_shape


def dropout(x, rate, noise_shape=None, seed=None, name=None):
    """x / (1 - rate), but 0 with the probability rate, drawn for the noise_shape, which broadcasts to x's."""

    def draw(shape, dtype):
        return random_ops.uniform(shape, seed=seed, dtype=dtype)

    return general_dropout(x, rate, draw, noise_shape, name)


def stateless_dropout(x, rate, seed, rng_alg=None, noise_shape=None, name=None):
    """dropout of a seed [2]."""

    def draw(shape, dtype):
        return stateless_random_ops.stateless_uniform(shape, seed, dtype=dtype, alg=rng_alg or "auto_select")

    return general_dropout(x, rate, draw, noise_shape, name or "stateless_dropout")


def dropout_v1(x, keep_prob=None, noise_shape=None, seed=None, name=None, rate=None):
    """dropout with compat.v1's parameters: keep_prob is 1 - rate."""
    if keep_prob is not None:
        if rate is not None:
            raise ValueError("Cannot specify both 'keep_prob' and 'rate'.")
        rate = 1 - keep_prob
    if rate is None:
        raise ValueError("`rate` must be provided.")
    return dropout(x, rate, noise_shape, seed, name)


# ---- axes that exchange with depth


def space_to_depth(input, block_size, data_format="NHWC", name=None):
    """Blocks of block_size x block_size pixels become channels."""
    return op("SpaceToDepth")(input, block_size=block_size, data_format=data_format, name=name)


def depth_to_space(input, block_size, data_format="NHWC", name=None):
    """Channels become blocks of block_size x block_size pixels."""
    return op("DepthToSpace")(input, block_size=block_size, data_format=data_format, name=name)


def space_to_depth_v1(input, block_size, name=None, data_format="NHWC"):
    """space_to_depth with the order of compat.v1's parameters."""
    return space_to_depth(input, block_size, data_format, name)


def depth_to_space_v1(input, block_size, name=None, data_format="NHWC"):
    """depth_to_space with the order of compat.v1's parameters."""
    return depth_to_space(input, block_size, data_format, name)


def isotonic_regression(inputs, decreasing=True, axis=-1):
    """(the nearest monotonic sequences along the axis, the segments in which they are constant)."""
    x = convert_to_tensor(inputs)
    rank = x.shape.rank
    axis = axis % rank if rank is not None else axis
    if rank is None and axis != -1:
        raise NotImplementedError("isotonic_regression along another axis than the last, of an unknown rank")
    wide = dtypes.as_dtype("float64") if x.dtype in (dtypes.as_dtype("float64"), dtypes.as_dtype("int64")) else None
    kind = x.dtype if x.dtype.is_floating else wide or dtypes.float32
    perm = None
    if rank is not None and axis != rank - 1:
        perm = builtins.list(range(rank))
        perm[axis], perm[-1] = perm[-1], perm[axis]
        x = op("Transpose")(x, perm, name="transpose")
    flat = x if rank == 2 else array_ops.reshape(x, array_ops.stack([-1, array_ops.shape(x)[-1]]))
    made, segments = op("IsotonicRegression")(flat if decreasing else -flat, output_dtype=kind)
    results = [made if decreasing else -made, segments]
    if rank != 2:
        results = [array_ops.reshape(v, array_ops.shape(x)) for v in results]
    return tuple(op("Transpose")(v, perm, name="transpose") if perm else v for v in results)
