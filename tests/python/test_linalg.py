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
