"""tf.math, tf.reduce_*, tf.bitwise, tf.sets, shapes and casts: numbers that functions give, texts that errors have."""

from programs import close, shows, tf

X = [[1.5, -2.0, 0.25], [3.0, 0.5, -1.0]]


def kind(f, *args, **kwargs):
    """The class of the error that a call raises."""
    try:
        f(*args, **kwargs)
    except Exception as error:
        return type(error).__name__
    return "no error"


@shows
def elementwise():
    x = tf.constant(X)
    return [
        f(x) for f in (tf.abs, tf.sign, tf.floor, tf.math.ceil, tf.round, tf.square, tf.exp, tf.tanh, tf.sin, tf.cos)
    ]


@shows
def elementwise_of_positive():
    x = tf.abs(tf.constant(X))
    names = "sqrt rsqrt log log1p expm1 lgamma digamma erf erfc reciprocal softplus sigmoid log_sigmoid"
    return {n: getattr(tf.math, n)(x) for n in names.split()}


@shows
def special_functions():
    x = tf.constant([0.1, 0.7, 2.0])
    names = "bessel_i0 bessel_i0e bessel_i1 bessel_i1e bessel_j0 bessel_j1 dawsn expint fresnel_cos fresnel_sin spence"
    return {n: getattr(tf.math.special, n)(x) for n in names.split()}


@shows
def inverse_functions():
    x = tf.constant([0.1, 0.7, 0.9])
    return {n: getattr(tf.math, n)(x) for n in "acos asin atan atanh asinh erfinv ndtri erfcinv".split()}, tf.acosh(
        1 / x
    )


@shows
def two_operands():
    a, b = tf.constant([7.5, -7.5, 2.0]), tf.constant([2.0, 2.0, -3.0])
    names = "atan2 floordiv floormod maximum minimum mod pow squared_difference truediv divide_no_nan xdivy xlogy xlog1py multiply_no_nan"
    return {n: getattr(tf.math, n)(a, b) for n in names.split()}


@shows
def whole_numbers():
    a, b = tf.constant([7, -7, 9]), tf.constant([2, 2, -4])
    return a // b, a % b, tf.truncatediv(a, b), tf.truncatemod(a, b), a / b, a**2, -a, abs(a), tf.math.floormod(a, b)


@shows
def operators_of_python():
    a = tf.constant([5, 3])
    return 2 + a, 2 - a, 2 * a, 7 // a, 7 % a, 2**a, a & 1, a | 8, a ^ 3, ~a, a > 4, a >= 3, a != 5, 10 / a


@shows
def reductions():
    x = tf.constant(X)
    names = "sum mean max min prod std variance euclidean_norm logsumexp"
    return {n: [getattr(tf.math, "reduce_" + n)(x, a) for a in (None, 0, [1])] for n in names.split()}


@shows
def reductions_that_keep():
    x = tf.constant([[True, False], [True, True]])
    return tf.reduce_all(x, 0, keepdims=True), tf.reduce_any(x, 1, keepdims=True), tf.math.count_nonzero(x, -1)


@shows
def cumulations():
    x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    return (
        tf.cumsum(x, 1),
        tf.cumsum(x, 0, exclusive=True),
        tf.math.cumprod(x, 1, reverse=True),
        tf.math.cumulative_logsumexp(x, axis=1),
        tf.cumsum(x, 1, exclusive=True, reverse=True),
    )


@shows
def segments():
    x, ids = tf.constant([1.0, 2.0, 3.0, 4.0]), tf.constant([0, 0, 2, 2])
    a = [getattr(tf.math, "segment_" + n)(x, ids) for n in ("sum", "mean", "max", "min", "prod")]
    names = ("sum", "mean", "max", "min", "prod", "sqrt_n")
    return a, [getattr(tf.math, "unsorted_segment_" + n)(x, ids, 4) for n in names]


@shows
def sparse_segments():
    x = tf.reshape(tf.range(12.0), [4, 3])
    return [getattr(tf.sparse, "segment_" + n)(x, [0, 1, 3], [0, 0, 1]) for n in ("sum", "mean", "sqrt_n")]


@shows
def arguments_of_extremes():
    x = tf.constant([[3, 1, 2], [9, 9, 8]])
    return (
        tf.argmax(x, 1),
        tf.argmin(x, 0),
        tf.math.argmax(x, output_type=tf.int32),
        tf.argsort(x, direction="DESCENDING"),
    )


@shows
def top_values():
    x = tf.constant([3.0, 1.0, 2.0, 5.0])
    values, at = tf.math.top_k(x, 2)
    return values, at, tf.math.in_top_k([1], [[0.1, 0.9, 0.5]], 1), tf.nn.top_k(x, 3, sorted=True)


@shows
def complex_numbers():
    z = tf.complex([1.0, -2.0], [3.0, 0.5])
    return (
        z,
        tf.math.real(z),
        tf.math.imag(z),
        tf.math.conj(z),
        tf.abs(z),
        tf.math.angle(z),
        z * z,
        z / (1 + 2j),
        tf.exp(z),
    )


@shows
def comparisons():
    a, b = tf.constant([1.0, 2.0, float("nan")]), tf.constant([1.0, 3.0, float("nan")])
    return (
        a == b,
        a < b,
        tf.equal(a, 1.0),
        tf.math.is_nan(a),
        tf.math.is_finite(a),
        tf.math.is_inf(1 / (a - 1)),
        tf.raw_ops.ApproximateEqual(x=a, y=b, tolerance=2.0),
        tf.math.is_strictly_increasing([1, 2, 2]),
        tf.math.is_non_decreasing([1, 2, 2]),
    )


@shows
def bits():
    a, b = tf.constant([5, 12], tf.uint8), tf.constant([3, 2], tf.uint8)
    names = "bitwise_and bitwise_or bitwise_xor left_shift right_shift"
    return (
        {n: getattr(tf.bitwise, n)(a, b) for n in names.split()},
        tf.bitwise.invert(a),
        tf.raw_ops.PopulationCount(x=a),
    )


@shows
def histograms():
    x = tf.constant([0.0, 0.4, 1.1, 1.9, 5.0, -1.0])
    return (
        tf.histogram_fixed_width(x, [0.0, 2.0], 4),
        tf.histogram_fixed_width_bins(x, [0.0, 2.0], 4),
        tf.math.bincount([1, 1, 3]),
        tf.math.bincount([1, 1, 3], weights=[0.5, 1.0, 2.0], minlength=6),
        tf.math.bincount([[1, 1], [0, 2]], axis=-1),
        tf.math.confusion_matrix([0, 1, 1], [0, 1, 0]),
    )


@shows
def polynomials():
    x = tf.constant([1.0, 2.0])
    return (
        tf.math.polyval([2.0, 0.0, 1.0], x),
        tf.math.zeta(3.0, x),
        tf.math.polygamma(1.0, x),
        tf.math.igamma(2.0, x),
        tf.math.betainc(2.0, 3.0, x / 4),
    )


@shows
def casts():
    x = tf.constant([1.9, -1.9, 300.0])
    return (
        [tf.cast(x, t) for t in (tf.int32, tf.int64, tf.float64, tf.float16, tf.bfloat16, tf.bool, tf.complex64)],
        tf.saturate_cast(x, tf.int8),
        tf.bitcast(tf.constant(1.0), tf.int32),
    )


@shows
def ranges():
    return (
        tf.range(5),
        tf.range(2, 9, 3),
        tf.range(5.0, 0.0, -2.0),
        tf.linspace(0.0, 1.0, 5),
        tf.range(3, dtype=tf.float64),
        tf.linspace([0.0, 1.0], [1.0, 3.0], 3),
    )


@shows
def products_of_tensors():
    a, b = tf.reshape(tf.range(6.0), [2, 3]), tf.reshape(tf.range(12.0), [3, 4])
    return (
        a @ b,
        tf.matmul(a, b, transpose_a=False),
        tf.tensordot(a, b, [[1], [0]]),
        tf.einsum("ij,jk->ki", a, b),
        tf.einsum("ij->i", a),
        tf.tensordot(a, a, 2),
        tf.linalg.matvec(a, [1.0, 2.0, 3.0]),
        tf.einsum("...ij,...j->...i", a, tf.constant([1.0, 0.0, -1.0])),
    )


@shows
def accumulations():
    return (
        tf.add_n([[1.0], [2.0], [3.0]]),
        tf.math.accumulate_n([tf.constant([1, 2]), tf.constant([3, 4])]),
        tf.math.scalar_mul(3.0, tf.constant([1.0])),
    )


@shows
def next_numbers():
    return tf.math.nextafter([1.0, -1.0], [2.0, -2.0]), tf.math.rint([0.5, 1.5, 2.5, -0.5]), tf.round([0.5, 1.5, 2.5])


@shows
def normalised():
    x = tf.constant([[3.0, 4.0], [0.0, 0.0]])
    return (
        tf.math.l2_normalize(x, 1),
        tf.linalg.normalize(x + 1, axis=1),
        tf.math.softmax(x),
        tf.nn.log_softmax(x),
        tf.math.zero_fraction(x),
        tf.norm(x, 1),
    )


@shows
def set_operations():
    a, b = tf.constant([[1, 2, 3], [4, 5, 5]]), tf.constant([[2, 3, 9], [5, 5, 5]])
    return tf.sets.intersection(a, b), tf.sets.union(a, b), tf.sets.difference(a, b), tf.sets.size(tf.sets.union(a, b))


@shows
def shapes_of_broadcasts():
    return (
        tf.broadcast_static_shape(tf.TensorShape([3, 1]), tf.TensorShape([1, 4])),
        tf.broadcast_dynamic_shape([3, 1], [4]),
        tf.broadcast_to([1, 2], [2, 2]),
        tf.ones([3, 1]) + tf.zeros([4]),
    )


@shows
def refused_types():
    return (
        kind(lambda: tf.constant(1) + tf.constant(1.0)),
        kind(lambda: tf.constant(1) + 1.5),
        kind(lambda: tf.constant("a") - "b"),
        kind(lambda: tf.sqrt(tf.constant(4))),
        kind(lambda: tf.constant([1, 2]) + tf.constant([1, 2, 3])),
        kind(lambda: tf.matmul([[1.0]], [[1.0], [2.0]])),
        kind(lambda: tf.cast("a", tf.int32)),
        kind(lambda: tf.reduce_sum([1.0], 3)),
        kind(lambda: bool(tf.constant([True, False]))),
        kind(lambda: len(tf.constant(1))),
        kind(lambda: iter(tf.constant(1))),
        kind(lambda: tf.constant([1, 2])[5]),
        kind(lambda: int(tf.constant([1, 2]))),
        kind(lambda: {tf.constant(1): 2}),
        kind(lambda: tf.constant([[1], [2, 3]])),
        kind(lambda: tf.reshape([1, 2, 3], [2, 2])),
        kind(lambda: tf.concat([[1], ["a"]], 0)),
        kind(lambda: tf.math.floordiv(1, 0)),
    )


@shows
def half_precision():
    x = tf.constant([1.0, 2.5, -3.25], tf.float16)
    return x * x, tf.exp(x), tf.reduce_sum(x), tf.cast(x, tf.bfloat16) / 3, tf.nn.softmax(x), x + 1


@shows
def unsigned_numbers():
    a = tf.constant([200, 5], tf.uint8)
    return a + 100, a - 10, a // 3, tf.cast(a, tf.int8), a > 100, tf.reduce_max(a), tf.constant([2**63], tf.uint64) // 2


@shows
def long_sums():
    x = tf.sin(tf.range(10000.0))
    return tf.reduce_sum(x), tf.reduce_mean(tf.reshape(x, [100, 100]), 0)[:3], tf.math.reduce_std(x), tf.reduce_max(x)


@shows
@close(1e-4)
def approximations():
    x = tf.linspace(-3.0, 3.0, 7)
    return (
        tf.nn.gelu(x),
        tf.nn.gelu(x, approximate=True),
        tf.nn.swish(x),
        tf.nn.elu(x),
        tf.nn.selu(x),
        tf.nn.leaky_relu(x),
        tf.nn.relu6(x * 3),
        tf.math.erfcinv(x / 7 + 1),
    )


@shows
def ways_to_clip():
    x = tf.constant([[3.0, -4.0], [0.5, 12.0]])
    a, norm = tf.clip_by_global_norm([x, x * 2], 5.0)
    return (
        tf.clip_by_value(x, -1, 1),
        tf.clip_by_norm(x, 2.0),
        tf.clip_by_norm(x, 2.0, axes=[1]),
        a,
        norm,
        tf.linalg.global_norm([x]),
    )


@shows
def where_forms():
    c = tf.constant([[True, False], [False, True]])
    return tf.where(c), tf.where(c, 1, [[5, 6], [7, 8]]), tf.compat.v1.where(c), tf.where([False])


@shows
def gathers():
    x = tf.reshape(tf.range(24), [2, 3, 4])
    return (
        tf.gather(x, [2, 0], axis=1),
        tf.gather(x, [[0], [1]], batch_dims=1, axis=2),
        tf.gather_nd(x, [[0, 1], [1, 2]]),
        tf.gather_nd(x, [[1, 1, 1]]),
        tf.boolean_mask(x, [True, False]),
        tf.boolean_mask(x[0], [True, False, True], axis=0),
    )


@shows
def scatters():
    x = tf.zeros([4], tf.int32)
    at = [[0], [2], [2]]
    names = ("add", "sub", "max", "min", "update")
    return [getattr(tf, "tensor_scatter_nd_" + n)(x, at, [5, 7, 9]) for n in names], tf.scatter_nd(at, [1, 2, 3], [5])


@shows
def ways_to_shape():
    x = tf.reshape(tf.range(6), [2, 3])
    return (
        tf.transpose(x),
        tf.reverse(x, [1]),
        tf.roll(x, 1, 1),
        tf.tile(x, [1, 2]),
        tf.repeat(x, [1, 2], axis=0),
        tf.expand_dims(x, 1),
        tf.squeeze([[1], [2]], 1),
        tf.pad(x, [[1, 0], [0, 1]], constant_values=9),
        tf.pad(x, [[0, 0], [1, 1]], "REFLECT"),
        tf.stack([x, x], 1),
        tf.unstack(x),
        tf.concat([x, x], -1),
        tf.split(x, [1, 2], 1),
        tf.one_hot([0, 2], 3, on_value=5, off_value=-1),
        tf.sequence_mask([1, 3]),
        tf.reverse_sequence(x, [2, 3], seq_axis=1),
    )


@shows
def matrices_of_parts():
    x = tf.reshape(tf.range(9.0), [3, 3])
    return (
        tf.linalg.diag([1, 2]),
        tf.linalg.diag_part(x),
        tf.linalg.diag_part(x, k=1),
        tf.linalg.band_part(x, 0, -1),
        tf.linalg.set_diag(x, [9.0, 9.0, 9.0]),
        tf.linalg.trace(x),
        tf.eye(2, 3),
        tf.linalg.cross([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
        tf.meshgrid([1, 2], [3, 4, 5], indexing="ij"),
    )


@shows
def spaces_and_batches():
    x = tf.reshape(tf.range(16), [1, 4, 4, 1])
    return (
        tf.nn.space_to_depth(x, 2),
        tf.nn.depth_to_space(tf.reshape(x, [1, 2, 2, 4]), 2),
        tf.space_to_batch(x, [2, 2], [[0, 0], [0, 0]]),
        tf.batch_to_space(tf.reshape(x, [4, 2, 2, 1]), [2, 2], [[0, 0], [0, 0]]),
        tf.image.extract_patches(x, [1, 2, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1], "VALID"),
    )


@shows
def unique_values():
    x = tf.constant([3, 1, 3, 2, 1])
    return (
        tf.unique(x),
        tf.unique_with_counts(x),
        tf.raw_ops.UniqueV2(x=[[1, 2], [1, 2]], axis=[0]),
        tf.math.invert_permutation([2, 0, 1]),
        tf.sort([[3, 1], [2, 4]], axis=0),
        tf.searchsorted([1, 3, 5], [0, 3, 9], side="right"),
    )


@shows
def slices():
    x = tf.reshape(tf.range(24), [2, 3, 4])
    return (
        x[0],
        x[:, 1:],
        x[..., -1],
        x[1, :, ::2],
        x[::-1, ..., 1],
        x[:, tf.newaxis, 0],
        tf.slice(x, [0, 1, 2], [1, 2, -1]),
        tf.strided_slice(x, [0, 0], [2, 3], [1, 2]),
        x[x > 20],
    )


@shows
def dynamic_parts():
    x = tf.constant([10, 20, 30, 40])
    parts = tf.dynamic_partition(x, [0, 1, 0, 1], 2)
    return (
        parts,
        tf.dynamic_stitch([[0, 2], [1, 3]], parts),
        tf.raw_ops.ParallelDynamicStitch(indices=[[0], [1]], data=[[5], [6]]),
        tf.ensure_shape(x, [None]),
        tf.shape_n([x, [1]]),
        tf.size(x),
        tf.rank(x),
    )


@shows
def gradient_of_many():
    x = tf.Variable([0.5, 1.5])
    made = []
    for f in (
        tf.sin,
        tf.math.lgamma,
        tf.math.erf,
        lambda v: v**3,
        tf.math.log1p,
        tf.nn.gelu,
        tf.math.cumprod,
        tf.reduce_prod,
    ):
        with tf.GradientTape() as tape:
            y = f(x)
        made.append(tape.gradient(y, x))
    return made
