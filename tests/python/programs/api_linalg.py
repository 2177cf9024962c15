"""tf.linalg and its operators, tf.signal."""

from programs import close, shows, tf

A = [[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 5.0]]


@shows
def decompositions():
    a = tf.constant(A)
    lower = tf.linalg.cholesky(a)
    values = tf.linalg.eigvalsh(a)
    q, r = tf.linalg.qr(a)
    lu, p = tf.linalg.lu(a)
    return lower, values, tf.abs(tf.linalg.diag_part(r)), q @ r, lu, p, tf.linalg.svd(a, compute_uv=False)


@shows
def eigenvectors_agree():
    a = tf.constant(A)
    values, vectors = tf.linalg.eigh(a)
    return (
        values,
        tf.reduce_max(tf.abs(a @ vectors - vectors * values)) < 1e-4,
        tf.math.real(tf.sort(tf.math.real(tf.linalg.eigvals(a)))),
    )


@shows
@close(1e-4)
def solutions():
    a, b = tf.constant(A), tf.constant([[1.0], [2.0], [3.0]])
    return (
        tf.linalg.solve(a, b),
        tf.linalg.inv(a),
        tf.linalg.det(a),
        tf.linalg.logdet(a),
        tf.linalg.slogdet(a),
        tf.linalg.lstsq(a[:, :2], b),
        tf.linalg.triangular_solve(tf.linalg.band_part(a, -1, 0), b),
        tf.linalg.cholesky_solve(tf.linalg.cholesky(a), b),
        tf.linalg.pinv(a[:, :2]),
        tf.linalg.solve(a, b, adjoint=True),
    )


@shows
@close(1e-4)
def functions_of_matrices():
    a = tf.constant(A) / 4
    return (
        tf.linalg.expm(a),
        tf.linalg.sqrtm(a),
        tf.linalg.logm(tf.cast(a, tf.complex64)),
        tf.linalg.matrix_rank(a),
        tf.linalg.adjoint(tf.complex(a, a)),
    )


@shows
def tridiagonal():
    d = tf.constant([[1.0, 2.0, 0.0], [4.0, 5.0, 6.0], [0.0, 1.0, 1.0]])
    return (
        tf.linalg.tridiagonal_solve(d, tf.constant([1.0, 2.0, 3.0])),
        tf.linalg.tridiagonal_matmul(d, tf.eye(3), diagonals_format="compact"),
        tf.linalg.banded_triangular_solve(
            tf.constant([[1.0, 2.0, 3.0], [0.0, 1.0, 1.0]]), tf.constant([[1.0], [2.0], [3.0]])
        ),
    )


@shows
def operators():
    made = {}
    for name, op in {
        "full": tf.linalg.LinearOperatorFullMatrix(A),
        "diag": tf.linalg.LinearOperatorDiag([1.0, 2.0, 4.0]),
        "lower": tf.linalg.LinearOperatorLowerTriangular(A),
        "identity": tf.linalg.LinearOperatorIdentity(3),
        "scaled": tf.linalg.LinearOperatorScaledIdentity(3, 2.0),
        "circulant": tf.linalg.LinearOperatorCirculant(
            tf.constant([3.0, 1.0, 1.0], tf.complex64), input_output_dtype=tf.complex64
        ),
        "householder": tf.linalg.LinearOperatorHouseholder([0.0, 0.6, 0.8]),
        "toeplitz": tf.linalg.LinearOperatorToeplitz([1.0, 2.0, 3.0], [1.0, 5.0, 6.0]),
        "kronecker": tf.linalg.LinearOperatorKronecker(
            [tf.linalg.LinearOperatorDiag([1.0, 2.0]), tf.linalg.LinearOperatorFullMatrix([[1.0, 2.0], [0.0, 1.0]])]
        ),
        "block": tf.linalg.LinearOperatorBlockDiag(
            [tf.linalg.LinearOperatorIdentity(1), tf.linalg.LinearOperatorDiag([2.0])]
        ),
        "permutation": tf.linalg.LinearOperatorPermutation([2, 0, 1]),
        "zeros": tf.linalg.LinearOperatorZeros(2),
    }.items():
        made[name] = (
            op.to_dense(),
            op.trace(),
            op.diag_part(),
            op.matvec(tf.ones(op.shape[-1:], op.dtype)),
            str(op.shape),
            op.name,
        )
    return made


@shows
@close(1e-4)
def operators_composed():
    a, d = (
        tf.linalg.LinearOperatorFullMatrix(A, is_self_adjoint=True, is_positive_definite=True),
        tf.linalg.LinearOperatorDiag([1.0, 2.0, 4.0]),
    )
    c = a @ d
    return (
        type(c).__name__,
        c.to_dense(),
        c.determinant(),
        a.solve([[1.0], [0.0], [0.0]]),
        a.inverse().to_dense(),
        a.adjoint().to_dense(),
        a.cholesky().to_dense(),
        d.log_abs_determinant(),
        d.inverse().diag_part(),
        a.cond() > 1.0,
    )


@shows
def low_rank_update():
    op = tf.linalg.LinearOperatorLowRankUpdate(tf.linalg.LinearOperatorDiag([1.0, 2.0, 3.0]), [[1.0], [0.0], [1.0]])
    return op.to_dense(), op.determinant(), op.solve([[1.0], [1.0], [1.0]]), op.assert_non_singular()


@shows
def batches():
    a = tf.stack([tf.constant(A), 2 * tf.constant(A)])
    return (
        tf.linalg.det(a),
        tf.linalg.cholesky(a)[1],
        a @ a[0],
        tf.linalg.trace(a),
        tf.linalg.matrix_transpose(a)[0],
        tf.linalg.norm(a, axis=[-2, -1]),
        tf.linalg.eigvalsh(a),
    )


@shows
def refused_matrices():
    made = []
    for f in (
        lambda: tf.linalg.cholesky([[1.0, 2.0], [2.0, 1.0]]),
        lambda: tf.linalg.inv([[1.0, 1.0], [1.0, 1.0]]),
        lambda: tf.linalg.det([1.0]),
        lambda: tf.linalg.solve([[1.0]], [[1.0], [2.0]]),
    ):
        try:
            f()
            made.append("nothing")
        except Exception as error:
            made.append((type(error).__name__, str(error).split("[Op")[0].split("}}")[-1].strip()))
    return made


@shows
@close(1e-4)
def transforms():
    x = tf.constant([1.0, 2.0, -1.0, 3.0, 0.5, 0.0, 1.0, 2.0])
    z = tf.cast(x, tf.complex64)
    return (
        tf.signal.rfft(x),
        tf.signal.irfft(tf.signal.rfft(x)),
        tf.signal.fft(z),
        tf.signal.ifft(z),
        tf.signal.fft2d(tf.reshape(z, [2, 4])),
        tf.signal.rfft2d(tf.reshape(x, [2, 4])),
        tf.signal.fftshift(x),
        tf.signal.rfft(x, [4]),
        tf.signal.dct(x),
        tf.signal.dct(x, type=3, norm="ortho"),
        tf.signal.idct(x),
    )


@shows
@close(1e-4)
def short_time_transforms():
    x = tf.sin(tf.range(64.0) * 0.3)
    s = tf.signal.stft(x, 16, 8)
    back = tf.signal.inverse_stft(s, 16, 8, window_fn=tf.signal.inverse_stft_window_fn(8))
    return (
        tf.shape(s),
        tf.abs(s)[1],
        back[16:20],
        tf.signal.frame(x[:10], 4, 3, pad_end=True),
        tf.signal.overlap_and_add([[1.0, 2.0], [3.0, 4.0]], 1),
    )


@shows
@close(1e-4)
def windows():
    names = "hann hamming kaiser kaiser_bessel_derived vorbis"
    return {n: getattr(tf.signal, n + "_window")(8) for n in names.split()}, tf.signal.hann_window(5, periodic=False)


@shows
@close(1e-4)
def mel_scale():
    m = tf.signal.linear_to_mel_weight_matrix(4, 9, 8000, 125.0, 3800.0)
    return (
        m,
        tf.signal.mfccs_from_log_mel_spectrograms(tf.reshape(tf.range(8.0), [2, 4])),
        tf.signal.mdct(tf.range(16.0), 8)[0],
    )


@shows
def gradients_of_decompositions():
    made = []
    for f in (tf.linalg.cholesky, tf.linalg.inv, tf.linalg.det, tf.linalg.logdet, tf.linalg.eigvalsh, tf.linalg.expm):
        x = tf.constant(A) / 3
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(f(x))
        made.append(tape.gradient(y, x))
    return made


@shows
def einsum_forms():
    a, b = tf.reshape(tf.range(8.0), [2, 2, 2]), tf.reshape(tf.range(4.0), [2, 2])
    forms = ["aij,jk->aik", "aij,ij->a", "aij,jk->k", "aij->jia", "aij,bj->abi", "aij->aj"]
    return (
        [tf.einsum(f, a, b) if "," in f else tf.einsum(f, a) for f in forms],
        tf.einsum("ii->i", b),
        tf.einsum("i,j->ij", b[0], b[1]),
    )
