"""What public functions do with ragged tensors, as tables of names."""

from __future__ import annotations

import importlib

from . import ragged_elementwise
from .ragged_tensor import is_ragged

# Functions of each element of their first argument.
UNARY = frozenset(
    "abs acos acosh angle as_string asin asinh atan atanh bitwise.invert cast ceil clip_by_value conj cos cosh "
    "debugging.check_numerics debugging.is_finite debugging.is_inf debugging.is_nan decode_base64 decode_compressed digamma "
    "dtypes.as_string dtypes.cast dtypes.saturate_cast encode_base64 erf erfc erfinv exp expm1 floor identity "
    "image.adjust_brightness image.adjust_gamma image.convert_image_dtype image.random_brightness "
    "image.stateless_random_brightness imag io.decode_base64 io.decode_compressed io.encode_base64 is_finite is_inf is_nan "
    "lgamma log log1p log_sigmoid logical_not math.abs math.acos math.acosh math.angle math.asin math.asinh math.atan "
    "math.atanh math.bessel_i0 math.bessel_i0e math.bessel_i1 math.bessel_i1e math.ceil math.conj math.cos math.cosh "
    "math.digamma math.erf math.erfc math.erfcinv math.erfinv math.exp math.expm1 math.floor math.imag math.is_finite "
    "math.is_inf math.is_nan math.lgamma math.log math.log1p math.log_sigmoid math.logical_not math.ndtri math.negative "
    "math.nextafter math.real math.reciprocal math.reciprocal_no_nan math.rint math.round math.rsqrt math.sigmoid math.sign "
    "math.sin math.sinh math.softplus math.softsign math.special.bessel_i0 math.special.bessel_i0e math.special.bessel_i1 "
    "math.special.bessel_i1e math.special.bessel_j0 math.special.bessel_j1 math.special.bessel_k0 math.special.bessel_k0e "
    "math.special.bessel_k1 math.special.bessel_k1e math.special.bessel_y0 math.special.bessel_y1 math.special.dawsn "
    "math.special.expint math.special.fresnel_cos math.special.fresnel_sin math.special.spence math.sqrt math.square math.tan "
    "math.tanh negative nn.dropout nn.elu nn.experimental.stateless_dropout nn.gelu nn.leaky_relu nn.log_softmax nn.relu "
    "nn.relu6 nn.selu nn.sigmoid nn.silu nn.softplus nn.softsign nn.swish nn.tanh nn.experimental.general_dropout ones_like real "
    "reciprocal regex_replace rint round rsqrt saturate_cast sigmoid sign sin sinh sqrt square stop_gradient string_strip "
    "string_to_hash_bucket string_to_hash_bucket_fast string_to_hash_bucket_strong string_to_number strings.as_string "
    "strings.length strings.lower strings.regex_full_match strings.regex_replace strings.strip strings.substr "
    "strings.to_hash_bucket strings.to_hash_bucket_fast strings.to_hash_bucket_strong strings.to_number "
    "strings.unicode_script strings.unicode_transcode strings.upper substr tan tanh to_bfloat16 to_complex128 to_complex64 "
    "to_double to_float to_int32 to_int64 zeros_like nn.embedding_lookup".split()
)
# Functions of the elements of their first two arguments, which broadcast.
BINARY = frozenset(
    "add atan2 bitwise.bitwise_and bitwise.bitwise_or bitwise.bitwise_xor bitwise.left_shift bitwise.right_shift complex "
    "div div_no_nan divide dtypes.complex equal floor_div floordiv floormod greater greater_equal less less_equal "
    "logical_and logical_or logical_xor math.add math.atan2 math.divide math.divide_no_nan math.equal math.floordiv "
    "math.floormod math.greater math.greater_equal math.less math.less_equal math.logical_and math.logical_or "
    "math.logical_xor math.maximum math.minimum math.mod math.multiply math.multiply_no_nan math.not_equal math.pow "
    "math.scalar_mul math.squared_difference math.subtract math.truediv math.xdivy math.xlog1py math.xlogy math.zeta maximum "
    "minimum mod multiply nn.sigmoid_cross_entropy_with_logits not_equal pow realdiv scalar_mul squared_difference subtract "
    "truediv truncatediv truncatemod zeta".split()
)
_ASSERTED = "equal greater greater_equal less less_equal near none_equal"
ASSERTS = frozenset(f"{space}assert_{what}" for what in _ASSERTED.split() for space in ("debugging.", ""))

_ARRAY, _MATH, _GATHER = "ragged_array_ops", "ragged_math_ops", "ragged_gather_ops"
# Public names by module and function; those of compat.v1 where they are functions of their own.
_TABLE = {
    _ARRAY: {
        "add_n": "add_n math.add_n",
        "assert_type": "debugging.assert_type assert_type",
        "bitcast": "bitcast",
        "broadcast_to": "broadcast_to",
        "concat": "concat",
        "dynamic_partition": "dynamic_partition",
        "expand_dims": "expand_dims",
        "expand_dims_v1": "compat.v1.expand_dims",
        "one_hot": "one_hot",
        "ones": "ones",
        "ragged_shape": "shape",
        "ragged_shape_v1": "compat.v1.shape",
        "rank": "rank",
        "reduce_join": "strings.reduce_join",
        "reshape": "reshape",
        "reverse": "reverse manip.reverse",
        "size": "size",
        "size_v1": "compat.v1.size",
        "split": "split",
        "squeeze": "squeeze",
        "squeeze_v1": "compat.v1.squeeze",
        "stack": "stack",
        "string_join": "strings.join string_join",
        "tile": "tile manip.tile",
        "where": "where compat.v1.where_v2",
        "zeros": "zeros",
        "where_v1": "compat.v1.where",
    },
    _MATH: {
        "cumsum": "cumsum math.cumsum",
        "matmul": "matmul linalg.matmul",
        "matvec": "linalg.matvec",
        "reduce_all": "reduce_all math.reduce_all",
        "reduce_any": "reduce_any math.reduce_any",
        "reduce_logsumexp": "reduce_logsumexp math.reduce_logsumexp",
        "reduce_max": "reduce_max math.reduce_max",
        "reduce_mean": "reduce_mean math.reduce_mean",
        "reduce_min": "reduce_min math.reduce_min",
        "reduce_prod": "reduce_prod math.reduce_prod",
        "reduce_std": "math.reduce_std",
        "reduce_sum": "reduce_sum math.reduce_sum",
        "reduce_variance": "math.reduce_variance",
        "softmax": "nn.softmax math.softmax",
        "unsorted_segment_max": "math.unsorted_segment_max unsorted_segment_max",
        "unsorted_segment_mean": "math.unsorted_segment_mean unsorted_segment_mean",
        "unsorted_segment_min": "math.unsorted_segment_min unsorted_segment_min",
        "unsorted_segment_prod": "math.unsorted_segment_prod unsorted_segment_prod",
        "unsorted_segment_sqrt_n": "math.unsorted_segment_sqrt_n unsorted_segment_sqrt_n",
        "unsorted_segment_sum": "math.unsorted_segment_sum unsorted_segment_sum",
    },
    _GATHER: {
        "batch_gather": "batch_gather",
        "gather": "gather",
        "gather_v1": "compat.v1.gather",
        "gather_nd": "gather_nd manip.gather_nd",
        "gather_nd_v1": "compat.v1.gather_nd",
    },
    "ragged_text": {"string_format": "strings.format"},
    "ragged_image_ops": {"resize": "image.resize", "resize_v1": "compat.v1.image.resize"},
}
_HANDLERS = {
    name: (module, function)
    for module, rows in _TABLE.items()
    for function, names in rows.items()
    for name in names.split()
}


def takes(leaves) -> bool:
    return any(is_ragged(leaf) or type(leaf).__name__ == "DynamicRaggedShape" for leaf in leaves)


def _plain(name: str) -> str:
    return name.removeprefix("compat.v1.")


def elementwise_kind(names):
    """'unary', 'binary', 'assert', or None of others."""
    for name in names:
        plain = _plain(name)
        for kind, table in (("unary", UNARY), ("binary", BINARY), ("assert", ASSERTS)):
            if plain in table:
                return kind
    return None


_ELEMENTWISE = {
    "unary": ragged_elementwise.unary,
    "binary": ragged_elementwise.binary,
    "assert": ragged_elementwise.binary_assert,
}


def handler_for(names):
    """The function for ragged tensors of a public function with these names, or None."""
    for name in names:
        found = _HANDLERS.get(name) or _HANDLERS.get(_plain(name))
        if found is not None:
            return getattr(importlib.import_module(f"{__package__}.{found[0]}"), found[1])
    return None


def target_for(api, kind, args, kwargs):
    """A call of what the public function is for ragged tensors, or None."""
    if kind is not None:
        return lambda: _ELEMENTWISE[kind](api.api_function, args, kwargs)
    handler = handler_for(api.api_names)
    return None if handler is None else lambda: handler(*args, **kwargs)
