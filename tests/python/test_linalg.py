"""Functions of tf.linalg, on matrices whose results are known or can be checked by multiplying."""

import numpy as np
import pytest

import sluice as tf

L = tf.linalg
A = np.array([[[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 2.0]], [[2.0, 0.0, 1.0], [0.0, 2.0, 0.0], [1.0, 0.0, 2.0]]])
B = np.array([[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]] * 2)

try:
    L.cholesky(A)
except tf.errors.NotFoundError:
    pytest.skip("the library was built without these kernels", allow_module_level=True)


def close(got, want):
    np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-9)


def test_factors():
    factor = L.cholesky(A)
    close(factor @ L.adjoint(factor), A)
    close(L.cholesky_solve(factor, B), np.linalg.solve(A, B))
    q, r = L.qr(A)
    close(q @ r, A)
    s, u, v = L.svd(A)
    close(u @ L.diag(s) @ L.adjoint(v), A)
    close(L.svd(A, compute_uv=False), s)
    e, v = L.eigh(A)
    close(A @ v, v * e[:, None])
    close(L.eigvalsh(A), e)
    close(L.lu_reconstruct(*L.lu(A)), A)


@pytest.mark.parametrize("adjoint", [False, True])
def test_systems(adjoint):
    matrix = A + np.triu(A, 1)
    transposed = np.swapaxes(matrix, -1, -2) if adjoint else matrix
    close(L.solve(matrix, B, adjoint=adjoint), np.linalg.solve(transposed, B))
    close(L.inv(matrix, adjoint=adjoint), np.linalg.inv(transposed))
    lower = np.tril(matrix)
    close(
        L.triangular_solve(matrix, B, adjoint=adjoint),
        np.linalg.solve(np.swapaxes(lower, 1, 2) if adjoint else lower, B),
    )


def test_uses_of_lu():
    close(L.lu_solve(*L.lu(A), B), np.linalg.solve(A, B))
    close(L.lu_solve(*L.lu(A[0]), B), np.linalg.solve(A[:1], B))
    close(L.lu_matrix_inverse(*L.lu(A)), np.linalg.inv(A))


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("shape", [(3, 2), (2, 3)])
def test_least_squares(shape, fast):
    matrix = A[0][: shape[0], : shape[1]]
    want = np.linalg.lstsq(matrix, B[0][: shape[0]], rcond=None)[0]
    close(L.lstsq(matrix, B[0][: shape[0]], fast=fast), want)
    close(L.pinv(matrix), np.linalg.pinv(matrix))


def test_numbers_of_matrices():
    close(L.det(A), np.linalg.det(A))
    close(L.logdet(A), np.log(np.linalg.det(A)))
    close(L.slogdet(-A)[0], [-1, -1])
    close(L.trace(A), [9, 6])
    close(L.matrix_rank(np.array([[1.0, 2.0], [2.0, 4.0]])), 1)


@pytest.mark.parametrize("ord", ["fro", "euclidean", 1, 2, np.inf])
def test_norms_of_matrices(ord):
    numpy_ord = None if ord == "euclidean" else ord
    close(tf.norm(A, ord, axis=[-2, -1]), [np.linalg.norm(a, numpy_ord) for a in A])


@pytest.mark.parametrize("ord", ["euclidean", 1, 3.5, np.inf])
def test_norms_of_vectors(ord):
    numpy_ord = None if ord == "euclidean" else ord
    close(tf.norm(A, ord, axis=-1, keepdims=True), np.linalg.norm(A, numpy_ord, axis=-1, keepdims=True))


@pytest.mark.parametrize("form", ["compact", "sequence", "matrix"])
def test_tridiagonal(form):
    compact = np.array([[1.0, 1.0, 9.0], [4.0, 3.0, 2.0], [9.0, 1.0, 1.0]])
    diagonals = {"compact": compact, "sequence": list(compact), "matrix": A[0]}[form]
    close(L.tridiagonal_matmul(diagonals, B[0], form), A[0] @ B[0])
    close(L.tridiagonal_solve(diagonals, B[0], form), np.linalg.solve(A[0], B[0]))
    close(L.tridiagonal_solve(diagonals, B[0][:, 0], form), np.linalg.solve(A[0], B[0][:, 0]))


@pytest.mark.parametrize("keywords", [{"ord": "x"}, {"ord": -1}, {"axis": [0, 1, 2]}, {"ord": 3, "axis": [0, 1]}])
def test_norms_refused(keywords):
    with pytest.raises(ValueError, match="must be"):
        tf.norm(A, **keywords)


@pytest.mark.parametrize("size", [1e-3, 1.0, 30.0])
def test_exponentials(size):
    e, v = np.linalg.eigh(A * size)
    want = (v * np.exp(e)[:, None]) @ np.swapaxes(v, 1, 2)
    np.testing.assert_allclose(L.expm(A * size), want, rtol=1e-11, atol=1e-12 * np.abs(want).max())


def test_eigenvalues_of_tridiagonal_matrices():
    alpha, beta = np.diagonal(A[0]), np.diagonal(A[0], 1)
    values = np.linalg.eigvalsh(A[0])
    close(L.eigh_tridiagonal(alpha, beta), values)
    close(L.eigh_tridiagonal(alpha, beta, select="i", select_range=(1, 2)), values[1:])
    close(L.eigh_tridiagonal(alpha, beta, select="v", select_range=(0, values[1])), values[:2])
    e, v = L.eigh_tridiagonal(alpha, beta, eigvals_only=False)
    close(A[0] @ v.numpy(), v * e)


def test_conjugate_gradient():
    operator = L.LinearOperatorFullMatrix(A, is_self_adjoint=True, is_positive_definite=True)
    rhs = np.ones((2, 3))
    for preconditioner in (None, L.LinearOperatorDiag(1 / np.diagonal(A, axis1=1, axis2=2))):
        state = tf.function(lambda: L.experimental.conjugate_gradient(operator, rhs, preconditioner, tol=1e-12))()
        close(state.x, np.linalg.solve(A, rhs[..., None])[..., 0])
        assert state.i <= 4


# ---- matrices that go by blocks


@pytest.mark.parametrize("n", [24, 33, 70, 130])
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_large_matrices(n, dtype):
    numbers = np.random.RandomState(n)
    near = {"atol": 2e-3 if dtype in ("float32", "complex64") else 1e-9}

    def made(*shape):
        a = numbers.randn(*shape)
        return (a + 1j * numbers.randn(*shape) if dtype.startswith("complex") else a).astype(dtype)

    a, b = made(n, n) + 2 * n**0.5 * np.eye(n, dtype=dtype), made(n, 5)
    assert np.allclose(tf.linalg.inv(a) @ a, np.eye(n), **near)
    for adjoint in (False, True):
        turned = a.conj().T if adjoint else a
        assert np.allclose(turned @ tf.linalg.solve(a, b, adjoint=adjoint), b, **near)
        for lower in (False, True):
            triangle = np.tril(a) if lower else np.triu(a)
            x = tf.linalg.triangular_solve(a, b, lower=lower, adjoint=adjoint).numpy()
            assert np.allclose((triangle.conj().T if adjoint else triangle) @ x, b, **near)
    lu, order = tf.linalg.lu(a)
    lower = np.tril(lu, -1) + np.eye(n)
    assert np.allclose(lower @ np.triu(lu), a[order.numpy()], **near)
    positive = (a @ a.conj().T / n).astype(dtype)
    root = tf.linalg.cholesky(positive).numpy()
    assert np.allclose(root @ root.conj().T, positive, **near) and not np.triu(root, 1).any()
    values, vectors = (t.numpy() for t in tf.linalg.eigh(positive))
    assert np.allclose(vectors * values @ vectors.conj().T, positive, **near) and (np.diff(values) >= 0).all()
    assert np.allclose(vectors.conj().T @ vectors, np.eye(n), **near)


@pytest.mark.parametrize("shape", [(24, 24), (90, 31), (31, 90), (130, 130)])
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("kind", ["full", "rank 3", "zero", "huge", "half of the rows"])
def test_singular_values_of_large_matrices(shape, dtype, kind):
    numbers = np.random.RandomState(1)
    a = numbers.randn(*shape) + (1j * numbers.randn(*shape) if dtype.startswith("complex") else 0)
    if kind == "rank 3":
        a = a[:, :3] @ a[:3, :]
    elif kind == "half of the rows":
        a[::2] = 0
    a = (a * {"zero": 0.0, "huge": 1e15}.get(kind, 1.0)).astype(dtype)
    s, u, v = (t.numpy() for t in tf.linalg.svd(a))
    scale = max(s[0], 1e-30)
    near = {"atol": 1e-4 if dtype in ("float32", "complex64") else 1e-10}
    assert np.allclose(u * (s / scale) @ v.conj().T, a / scale, **near) and (np.diff(s) <= 0).all() and (s >= 0).all()
    assert np.allclose(s / scale, np.linalg.svd(a, compute_uv=False) / scale, **near)
    assert np.allclose(tf.linalg.svd(a, compute_uv=False) / scale, s / scale, **near)
    for side in (u, v):
        assert np.allclose(side.conj().T @ side, np.eye(side.shape[1]), **near)


def test_what_is_known_of_the_shape_of_tensordot():
    shapes = []

    @tf.function(input_signature=[tf.TensorSpec([None, 1, 8]), tf.TensorSpec([8, 11]), tf.TensorSpec(None)])
    def products(x, weights, any_rank):
        shapes.append(tf.tensordot(x, weights, 1).shape.as_list())
        shapes.append(tf.tensordot(weights, x, [[0], [2]]).shape.as_list())
        shapes.append(tf.tensordot(any_rank, weights, 1).shape.rank)
        return tf.tensordot(x, weights, [[-1], [0]])

    assert products.get_concrete_function().output_shapes.as_list() == [None, 1, 11]
    assert shapes == [[None, 1, 11], [11, None, 1], None]
