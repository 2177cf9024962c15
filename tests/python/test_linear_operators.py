"""Linear operators: each class against its dense matrix, the rules of two operators, hints, and operators in functions."""

import numpy as np
import pytest

import sluice as tf

L = tf.linalg
rng = np.random.RandomState(1)

try:
    L.cholesky(np.eye(2))
except tf.errors.NotFoundError:
    pytest.skip("the library was built without these kernels", allow_module_level=True)

M = rng.randn(2, 3, 3) + 4 * np.eye(3)
F = L.LinearOperatorFullMatrix
SQUARE = {
    "identity": lambda: L.LinearOperatorIdentity(3, batch_shape=[2], dtype=tf.float64),
    "scaled": lambda: L.LinearOperatorScaledIdentity(3, np.array([2.0, -3.0])),
    "diag": lambda: L.LinearOperatorDiag(rng.rand(2, 3) + 1),
    "full": lambda: F(M),
    "lower": lambda: L.LinearOperatorLowerTriangular(M),
    "adjoint": lambda: F(M).adjoint(),
    "inverse": lambda: F(M).inverse(),
    "composition": lambda: F(M) @ F(M + 1),
    "low_rank": lambda: L.LinearOperatorLowRankUpdate(
        L.LinearOperatorDiag(rng.rand(2, 3) + 1), rng.randn(2, 3, 1), np.array([[2.0], [-1.0]]), rng.randn(2, 3, 1)
    ),
    "block_diag": lambda: L.LinearOperatorBlockDiag([F(M), L.LinearOperatorDiag(rng.rand(2) + 1)]),
    "block_lower": lambda: L.LinearOperatorBlockLowerTriangular([[F(M)], [F(rng.randn(2, 3)), F(M[:, :2, :2])]]),
    "kronecker": lambda: L.LinearOperatorKronecker([F(M), F(M[:, :2, :2])]),
    "circulant": lambda: L.LinearOperatorCirculant(rng.rand(2, 3) + 1 + 0.5j, input_output_dtype=tf.complex128),
    "circulant_2d": lambda: L.LinearOperatorCirculant2D(rng.rand(2, 2, 3) + 1, input_output_dtype=tf.complex128),
    "toeplitz": lambda: L.LinearOperatorToeplitz(np.array([[5.0, 2, 3], [6, 1, 1]]), np.array([5.0, 1, 2])),
    "householder": lambda: L.LinearOperatorHouseholder(rng.randn(2, 3)),
    "permutation": lambda: L.LinearOperatorPermutation([[1, 2, 0], [0, 2, 1]], dtype=tf.float64),
    "tridiag": lambda: L.LinearOperatorTridiag(rng.rand(2, 3, 3) + np.array([[0.0], [3.0], [0.0]])),
}


def close(got, want):
    np.testing.assert_allclose(got, want, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("kind", SQUARE)
def test_agrees_with_its_matrix(kind):
    operator = SQUARE[kind]()
    a = operator.to_dense().numpy()
    assert a.shape == tuple(operator.shape) == tuple(operator.shape_tensor().numpy())
    n = a.shape[-1]
    x = rng.randn(2, n, 2).astype(a.dtype)
    ah, xh = (np.conj(np.swapaxes(m, -1, -2)) for m in (a, x))
    close(operator.matmul(x), a @ x)
    close(operator.matmul(xh, adjoint=True, adjoint_arg=True), ah @ x)
    close(operator.matvec(x[..., 0]), (a @ x)[..., 0])
    close(operator.solve(x), np.linalg.solve(a, x))
    close(operator.solve(xh, adjoint=True, adjoint_arg=True), np.linalg.solve(ah, x))
    close(operator.solvevec(x[..., 0]), np.linalg.solve(a, x)[..., 0])
    close(operator.determinant(), np.linalg.det(a))
    close(np.real(operator.log_abs_determinant()), np.log(np.abs(np.linalg.det(a))))
    close(operator.trace(), np.trace(a, axis1=-2, axis2=-1))
    close(operator.diag_part(), np.diagonal(a, axis1=-2, axis2=-1))
    close(operator.add_to_tensor(a), 2 * a)
    close(operator.H.to_dense(), ah)
    close(operator.inverse().to_dense(), np.linalg.inv(a))
    close(operator[1:].to_dense(), a[1:])
    close(np.abs(operator.cond()), np.linalg.cond(a))


@pytest.mark.parametrize("kind", SQUARE)
def test_is_a_value_made_of_tensors(kind):
    operator = SQUARE[kind]()
    flat = tf.nest.flatten(operator, expand_composites=True)
    again = tf.nest.pack_sequence_as(operator, flat, expand_composites=True)
    assert type(again) is type(operator)
    x = rng.randn(operator.shape[-1], 1).astype(operator.dtype.as_numpy_dtype)
    close(tf.function(lambda o: o.matmul(x))(operator), operator.matmul(x))


@pytest.mark.parametrize("kind", ["identity", "diag", "block_lower", "circulant"])
def test_loops_carry_operators(kind):
    operator = SQUARE[kind]()

    @tf.function
    def loop(o):
        return tf.while_loop(lambda _: True, lambda o: (type(o)(**o.parameters),), (o,), maximum_iterations=2)[
            0
        ].to_dense()

    close(loop(operator), operator.to_dense())


def test_a_batch_that_is_known_later():
    identities = tf.function(
        lambda shape: tf.function(lambda o: o.to_dense())(L.LinearOperatorIdentity(2, batch_shape=shape)),
        input_signature=[tf.TensorSpec(None, tf.int32)],
    )
    close(identities([3]), np.stack([np.eye(2)] * 3))


def test_shapes_that_are_known_later():
    @tf.function(input_signature=[tf.TensorSpec(None, tf.float64), tf.TensorSpec(None, tf.float64)])
    def product(matrix, x):
        operator = F(matrix)
        return operator.matmul(x), operator.shape_tensor(), operator.domain_dimension_tensor()

    made, shape, n = product(M, np.ones((3, 1)))
    close(made, M.sum(-1, keepdims=True))
    assert shape.numpy().tolist() == [2, 3, 3] and n.numpy() == 3


@pytest.mark.parametrize(
    "left, right, kind",
    [
        ("identity", "full", "FullMatrix"),
        ("full", "identity", "FullMatrix"),
        ("scaled", "scaled", "ScaledIdentity"),
        ("scaled", "diag", "Diag"),
        ("diag", "lower", "LowerTriangular"),
        ("lower", "diag", "LowerTriangular"),
        ("circulant", "circulant", "Circulant"),
        ("block_diag", "block_diag", "BlockDiag"),
        ("full", "diag", "Composition"),
    ],
)
def test_products_of_operators(left, right, kind):
    a, b = SQUARE[left](), SQUARE[right]()
    product = a @ b
    assert type(product).__name__ == "LinearOperator" + kind
    close(product.to_dense(), a.to_dense() @ b.to_dense())
    close(a.solve(b).to_dense(), np.linalg.solve(a.to_dense(), b.to_dense()))


def test_positive_definite_operators_have_cholesky_factors():
    a = M @ np.swapaxes(M, 1, 2)
    hints = {"is_self_adjoint": True, "is_positive_definite": True}
    operator = F(a, **hints)
    close(operator.cholesky().to_dense(), np.linalg.cholesky(a))
    close(operator.solve(M), np.linalg.solve(a, M))
    close(operator.eigvals(), np.linalg.eigvalsh(a))
    lower = L.LinearOperatorLowerTriangular(np.linalg.cholesky(a), is_non_singular=True, is_positive_definite=True)
    assert (lower @ lower.H).cholesky() is lower


def test_zeros():
    operator = L.LinearOperatorZeros(2, 3, is_square=False, is_self_adjoint=False)
    assert operator.matmul(np.ones((3, 4), "f4")).numpy().tolist() == np.zeros((2, 4)).tolist()
    with pytest.raises(tf.errors.InvalidArgumentError, match="non-invertible"):
        operator.assert_non_singular()


def test_blocks_of_arguments():
    operator = SQUARE["block_lower"]()
    x = [tf.constant(rng.randn(3, 1)), tf.constant(rng.randn(2, 1))]
    close(tf.concat(operator.matmul(x), -2), operator.matmul(tf.concat(x, 0)))
    close(tf.concat(operator.solve(x), -2), operator.solve(tf.concat(x, 0)))


def test_gradients_reach_variables():
    diagonal = tf.Variable([2.0, 3.0])
    operator = L.LinearOperatorDiag(diagonal)
    assert operator.variables == (diagonal,)
    with tf.GradientTape() as tape:
        y = operator.log_abs_determinant()
    close(tape.gradient(y, diagonal), [1 / 2, np.float32(1 / 3)])


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: F(M, is_positive_definite=True, is_non_singular=False), ValueError, "always non-singular"),
        (lambda: F(M, is_self_adjoint=True, is_square=False), ValueError, "always square"),
        (lambda: F(M).matmul(np.ones((2, 2))), ValueError, "Dimensions 3 and 2 are not compatible"),
        (lambda: F(M).matmul(np.ones((3, 2), "f4")), TypeError, "Expected argument to have dtype"),
        (lambda: F(M).eigvals(), NotImplementedError, "self-adjoint"),
        (lambda: F(M[:, :2]).solve(np.ones((2, 1))), NotImplementedError, "not be square"),
        (lambda: F(M).matmul(F(M[:, :2])), ValueError, "Operators are incompatible"),
        (lambda: L.LinearOperatorDiag([1.0, 0.0]).assert_non_singular(), tf.errors.OpError, "Singular operator"),
        (lambda: L.LinearOperatorPermutation([0, 0]), ValueError, "unique integers"),
    ],
)
def test_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_gradients_of_operators():
    diagonal = tf.Variable([2.0, 3.0])
    operator = L.LinearOperatorDiag(diagonal)
    with tf.GradientTape() as tape:
        pass
    close(tape.gradient(operator, diagonal), [1, 1])

    @tf.function
    def gradient(a, x):
        operator = F(a)
        return tf.gradients(operator.matmul(x), operator)[0].to_dense()

    close(gradient(M[0], np.ones((3, 1))), np.ones((3, 3)))


def test_public_functions_take_operators():
    a = M @ np.swapaxes(M, 1, 2)
    operator = F(a, is_self_adjoint=True, is_positive_definite=True)
    x = rng.randn(2, 3, 3)
    close(tf.matmul(operator, x), a @ x)
    close(tf.matmul(x, operator), x @ a)
    close(tf.constant(x) @ operator, x @ a)
    close(L.solve(operator, x), np.linalg.solve(a, x))
    close(L.det(operator), np.linalg.det(a))
    close(L.logdet(operator), np.log(np.linalg.det(a)))
    close(L.trace(operator), np.trace(a, axis1=1, axis2=2))
    close(L.cholesky(operator).to_dense(), np.linalg.cholesky(a))
    close(L.inv(operator).to_dense(), np.linalg.inv(a))
    assert L.adjoint(operator) is operator
    with pytest.raises(ValueError, match="Transposing not supported"):
        tf.matmul(operator, x, transpose_a=True)


def test_permutations_of_unknown_rank():
    permuted = tf.function(
        lambda perm, x: L.LinearOperatorPermutation(perm, dtype=tf.float64).matmul(x),
        input_signature=[tf.TensorSpec(None, tf.int32), tf.TensorSpec(None, tf.float64)],
    )
    perm = [[1, 2, 0], [0, 2, 1]]
    close(permuted(perm, M[0]), [M[0][p] for p in perm])
