"""How often values come: bincount, histograms, confusion matrices."""

from __future__ import annotations

from ..core import dtypes, tensor
from ..core.op_defs import op
from ..core.scopes import in_scope
from . import array_ops, math_ops
from .array_ops import cast, convert_to_tensor
from .row_partition import after, require

Tensor = tensor.Tensor
_int32 = dtypes.as_dtype("int32")


def _is_sparse(x):
    return hasattr(x, "dense_shape") and hasattr(x, "values") and not isinstance(x, Tensor)


def _is_ragged(x):
    return hasattr(x, "row_splits") and not isinstance(x, Tensor)


def _bins(values, minlength, maxlength):
    """One more than the largest value, between the limits."""
    some = cast(op("Greater")(array_ops.size(values), 0), values.dtype)
    size = some * (math_ops.reduce_max(values) + 1)
    if minlength is not None:
        size = op("Maximum")(convert_to_tensor(minlength, values.dtype, name="minlength"), size)
    if maxlength is not None:
        size = op("Minimum")(convert_to_tensor(maxlength, values.dtype, name="maxlength"), size)
    return size


def _whole(x):
    """The values, of an integer type that the ops take."""
    x = convert_to_tensor(x, name="arr")
    return x if x.dtype.name in ("int32", "int64") else cast(x, "int32")


def _check_weights(values, weights):
    if not values.shape.is_compatible_with(weights.shape):
        raise ValueError(f"`weights` must have the shape of the values, {values.shape}; it has {weights.shape}")


@in_scope("bincount", names_last=False)
def bincount(
    arr, weights=None, minlength=None, maxlength=None, dtype=_int32, name=None, axis=None, binary_output=False
):
    """How often 0, 1 ... come in arr, or the sums of their weights; at least minlength counts, at most maxlength.

    axis: None or 0 counts all values, -1 those of each row. binary_output: 1 where a value comes. dtype: of counts without
    weights. arr may be a SparseTensor or a RaggedTensor.
    """
    dtype = dtypes.as_dtype(dtype)
    if axis not in (None, 0, -1):
        raise ValueError(f"Unsupported value for argument axis={axis}. Only 0 and -1 are currently supported.")
    if _is_sparse(arr) or _is_ragged(arr):
        return _bincount_of_composite(arr, weights, minlength, maxlength, dtype, name, axis, binary_output)
    values = _whole(arr)
    size = _bins(values, minlength, maxlength)
    if weights is not None:
        weights = convert_to_tensor(weights, name="weights")
        _check_weights(values, weights)
        weights = array_ops.reshape(weights, [-1]) if axis != -1 else weights
    if axis != -1:
        values = array_ops.reshape(values, [-1])
    weights = convert_to_tensor([], dtype) if weights is None else weights
    return op("DenseBincount")(values, size, weights, binary_output=binary_output)


def _bincount_of_composite(arr, weights, minlength, maxlength, dtype, name, axis, binary_output):
    ragged = _is_ragged(arr)
    values = _whole(arr.flat_values if ragged else arr.values)
    size = _bins(values, minlength, maxlength)
    if weights is None:
        weights = array_ops.zeros([0], dtype)
    else:
        if type(weights) is not type(arr):
            raise ValueError(f"Argument `weights` must be a {type(arr).__name__} as `arr` is. Received: {weights!r}")
        weights = weights.flat_values if ragged else weights.values
        _check_weights(values, weights)
    flags = {"binary_output": binary_output, "name": name}
    if axis != -1:
        return op("DenseBincount")(values, size, weights, **flags)
    if ragged:
        return op("RaggedBincount")(cast(arr.row_splits, "int64"), values, size, weights, **flags)
    return op("SparseBincount")(arr.indices, values, arr.dense_shape, size, weights, **flags)


def bincount_v1(arr, weights=None, minlength=None, maxlength=None, dtype=_int32):
    return bincount(arr, weights, minlength, maxlength, dtype)


def sparse_bincount(values, weights=None, axis=0, minlength=None, maxlength=None, binary_output=False, name=None):
    """The same counts as a SparseTensor of int64 (of the weights' type): only the values that come.

    axis: 0 counts all values, -1 those of each row. values: a tensor, a SparseTensor or a RaggedTensor.
    """
    if axis is None:
        axis = 0
    if axis not in (0, -1):
        raise ValueError(f"Unsupported value for argument axis={axis}. Only 0 and -1 are currently supported.")
    limits = {
        "minlength": -1 if minlength is None else minlength,
        "maxlength": -1 if maxlength is None else maxlength,
        "binary_output": binary_output,
        "name": name,
    }
    composite = _is_sparse(values) or _is_ragged(values)
    if weights is not None and binary_output:
        raise ValueError("Arguments `binary_output` and `weights` are mutually exclusive: weights make sums, not flags")
    if weights is not None and composite and type(weights) is not type(values):
        raise ValueError(f"Argument `weights` must be a {type(values).__name__} as `values` is. Received: {weights!r}")
    if weights is not None and _is_sparse(values):
        weights = weights.with_values(after(_check_same_places(values, weights), weights.values))
    if not composite:
        if _is_sparse(weights) or _is_ragged(weights):
            raise ValueError(f"Argument `weights` must be a tf.Tensor as `values` is. Received: {weights!r}")
        values = convert_to_tensor(values)
        weights = None if weights is None else convert_to_tensor(weights)
    if axis == 0:
        flat = (lambda x: x.values) if _is_sparse(values) else (lambda x: x.flat_values) if composite else _flat
        values, weights = flat(values), None if weights is None else flat(weights)
        composite = False
    counts_dtype = dtypes.as_dtype(values.dtype) if weights is None else weights.dtype
    if not composite:
        values = _whole(values)
        weights = _no_weights() if weights is None else convert_to_tensor(weights)
        made = op("DenseCountSparseOutput")(values, weights, **limits)
    elif _is_sparse(values):
        weights = _no_weights() if weights is None else weights.values
        made = op("SparseCountSparseOutput")(
            values.indices, _whole(values.values), values.dense_shape, weights, **limits
        )
    else:
        weights = _no_weights() if weights is None else weights.flat_values
        made = op("RaggedCountSparseOutput")(
            cast(values.row_splits, "int64"), _whole(values.flat_values), weights, **limits
        )
    from .. import SparseTensor

    indices, counts, shape = made
    return SparseTensor(indices, cast(counts, counts_dtype) if counts_dtype.is_integer else counts, shape)


def _check_same_places(values, weights):
    """InvalidArgumentError when two SparseTensors have other shapes or indices."""
    what = "Arguments `weights` and `values` must have the same"
    same = op("Equal")(values.dense_shape, weights.dense_shape)
    checks = require(op("All")(same, [0]), f"{what} dense shape.")
    same = op("All")(op("Reshape")(op("Equal")(values.indices, weights.indices), [-1]), [0])
    checks += require(same, f"{what} indices.")
    return checks


def _flat(x):
    return array_ops.reshape(x, [-1])


def _no_weights():
    return array_ops.zeros([0], "int64")


# ---- histograms


@in_scope("histogram_fixed_width_bins", names_last=False)
def histogram_fixed_width_bins(values, value_range, nbins=100, dtype=_int32, name=None):
    """By value the number of its bin, of nbins alike ones over [low, high]; values beyond go to the first and the last."""
    values = convert_to_tensor(values, name="values")
    shape = array_ops.shape(values)
    flat = array_ops.reshape(values, [-1])
    limits = convert_to_tensor(value_range, values.dtype, name="value_range")
    if flat.dtype.is_integer:
        flat, limits = cast(flat, "float64"), cast(limits, "float64")
    count = convert_to_tensor(nbins, "int32", name="nbins")
    parts = math_ops.truediv(flat - limits[0], limits[1] - limits[0])
    index = op("Floor")(op("Mul")(cast(count, parts.dtype), parts, name="mul"), name="indices")
    index = op("Minimum")(op("Maximum")(index, cast(0, parts.dtype)), cast(count - 1, parts.dtype))
    return array_ops.reshape(cast(index, dtype), shape, name=name)


@in_scope("histogram_fixed_width")
def histogram_fixed_width(values, value_range, nbins=100, dtype=_int32, name=None):
    """How many values each of nbins alike bins over [low, high] has; values beyond count in the first and the last."""
    return op("HistogramFixedWidth")(values, value_range, nbins, dtype=dtypes.as_dtype(dtype), name=name)


# ---- confusion matrices


@in_scope("confusion_matrix", names_last=False)
def confusion_matrix(labels, predictions, num_classes=None, weights=None, dtype=_int32, name=None):
    """How often (or with which weights) each prediction, a column, comes with each label, a row. Both are vectors.

    InvalidArgumentError when a class is negative, or is not below num_classes.
    """
    from . import assert_ops
    from .weights_broadcast import remove_squeezable_dimensions
    from .control_flow_ops import with_dependencies

    labels, predictions = remove_squeezable_dimensions(labels, predictions)
    labels, predictions = cast(labels, "int64"), cast(predictions, "int64")
    dtype = dtypes.as_dtype(dtype)
    named, negative = "control_dependency", "contains negative values"
    labels, predictions = (
        with_dependencies([assert_ops.assert_non_negative(t, f"`{word}` {negative}")], t, named)
        for word, t in (("labels", labels), ("predictions", predictions))
    )
    weights = None if weights is None else convert_to_tensor(weights, name="weights")
    if num_classes is None:
        n = op("Maximum")(math_ops.reduce_max(predictions), math_ops.reduce_max(labels)) + 1
    else:
        n = cast(num_classes, "int64")
        labels = with_dependencies([assert_ops.assert_less(labels, n, "`labels` out of bound")], labels, named)
        predictions = with_dependencies(
            [assert_ops.assert_less(predictions, n, "`predictions` out of bound")], predictions, named
        )
    if weights is not None:
        predictions.shape.assert_is_compatible_with(weights.shape)
        weights = cast(weights, dtype)
    else:
        weights = array_ops.ones_like_v1(predictions, dtype)
    sizes = array_ops.stack([n, n])
    return op("ScatterNd")(array_ops.stack([labels, predictions], 1), weights, sizes)


def confusion_matrix_v1(labels, predictions, num_classes=None, dtype=_int32, name=None, weights=None):
    return confusion_matrix(labels, predictions, num_classes, weights, dtype, name)
