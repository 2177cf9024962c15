"""The public functions that see weak tensors and promote types (promotion.py), as TensorFlow 2.21 has them. All others take a weak
tensor as the tensor that it is."""

# They give something as weak as their first argument.
OF_ONE = """
constant identity stop_gradient expand_dims reshape squeeze transpose zeros_like ones_like clip_by_value
compat.v1.expand_dims compat.v1.reshape compat.v1.ones_like compat.v1.squeeze compat.v1.transpose compat.v1.zeros_like
reduce_sum reduce_mean reduce_max reduce_min reduce_prod reduce_logsumexp
math.reduce_std math.reduce_variance math.reduce_euclidean_norm
compat.v1.reduce_sum compat.v1.reduce_mean compat.v1.reduce_max compat.v1.reduce_min compat.v1.reduce_prod
compat.v1.reduce_logsumexp
abs negative sign square round exp floor sqrt sigmoid sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh
math.angle math.conj math.real math.imag math.ceil math.digamma math.erf math.erfc math.erfinv math.erfcinv math.expm1
math.lgamma math.log math.log1p math.log_sigmoid math.ndtri math.reciprocal math.reciprocal_no_nan math.rint math.rsqrt
math.softplus math.bessel_i0 math.bessel_i0e math.bessel_i1 math.bessel_i1e math.log_softmax
math.special.bessel_j0 math.special.bessel_j1 math.special.bessel_k0 math.special.bessel_k0e math.special.bessel_k1
math.special.bessel_k1e math.special.bessel_y0 math.special.bessel_y1 math.special.dawsn math.special.expint
math.special.fresnel_cos math.special.fresnel_sin math.special.spence
nn.gelu nn.leaky_relu nn.relu6 nn.silu
linalg.diag linalg.diag_part linalg.tensor_diag_part linalg.trace linalg.matrix_transpose
experimental.numpy.abs experimental.numpy.absolute experimental.numpy.amax experimental.numpy.amin experimental.numpy.angle
experimental.numpy.arange experimental.numpy.arccos experimental.numpy.arccosh experimental.numpy.arcsin
experimental.numpy.arcsinh experimental.numpy.arctan experimental.numpy.arctanh experimental.numpy.around
experimental.numpy.array experimental.numpy.asanyarray experimental.numpy.asarray experimental.numpy.ascontiguousarray
experimental.numpy.average experimental.numpy.bitwise_not experimental.numpy.cbrt experimental.numpy.ceil
experimental.numpy.conj experimental.numpy.conjugate experimental.numpy.copy experimental.numpy.cos experimental.numpy.cosh
experimental.numpy.cumprod experimental.numpy.cumsum experimental.numpy.deg2rad experimental.numpy.diag
experimental.numpy.diagflat experimental.numpy.diagonal experimental.numpy.diff experimental.numpy.empty_like
experimental.numpy.exp experimental.numpy.exp2 experimental.numpy.expand_dims experimental.numpy.expm1
experimental.numpy.fabs experimental.numpy.fix experimental.numpy.flatten experimental.numpy.flip experimental.numpy.fliplr
experimental.numpy.flipud experimental.numpy.floor experimental.numpy.full_like experimental.numpy.imag
experimental.numpy.log experimental.numpy.log10 experimental.numpy.log1p experimental.numpy.log2 experimental.numpy.max
experimental.numpy.mean experimental.numpy.min experimental.numpy.moveaxis experimental.numpy.nanmean
experimental.numpy.negative experimental.numpy.ones_like experimental.numpy.positive experimental.numpy.prod
experimental.numpy.ptp experimental.numpy.rad2deg experimental.numpy.ravel experimental.numpy.real
experimental.numpy.reciprocal experimental.numpy.repeat experimental.numpy.reshape experimental.numpy.rot90
experimental.numpy.round experimental.numpy.sign experimental.numpy.sin experimental.numpy.sinc experimental.numpy.sinh
experimental.numpy.sort experimental.numpy.sqrt experimental.numpy.square experimental.numpy.squeeze experimental.numpy.std
experimental.numpy.sum experimental.numpy.swapaxes experimental.numpy.tan experimental.numpy.tanh experimental.numpy.trace
experimental.numpy.transpose experimental.numpy.triu experimental.numpy.vander experimental.numpy.var
experimental.numpy.zeros_like experimental.numpy.atleast_1d experimental.numpy.atleast_2d experimental.numpy.atleast_3d
"""

# As weak as their second argument.
OF_SECOND = "scalar_mul"

# Their first two arguments become one type. What they give is weak where that is.
OF_TWO = """
add subtract multiply divide pow matmul truncatediv truncatemod realdiv
math.truediv math.floordiv math.floormod math.divide_no_nan math.multiply_no_nan
linalg.matvec experimental.numpy.matmul experimental.numpy.hypot
compat.v1.div_no_nan compat.v1.floor_div compat.v1.matmul
"""

# The same, of functions that give strong tensors alone.
OF_TWO_STRONG = "maximum minimum equal compat.v1.equal"

# The same as for OF_TWO, of functions that take weak tensors for strong ones.
OF_TWO_AS_STRONG = "tensordot"
