"""Matrices in the last two axes: their diagonals, factors, solutions of systems. All axes before count as a batch."""

from __future__ import annotations

from ..core import dtypes
from ..core.op_defs import op
from ..core.scopes import name_scope, name_scope_v1
from ..core.tensor import Tensor
from . import array_ops
from .array_ops import convert_to_tensor

# ---- transposed


def adjoint(matrix, name=None):
    """The conjugate transpose."""
    with name_scope(name or "adjoint"):
        return array_ops.matrix_transpose(convert_to_tensor(matrix, name="matrix"), conjugate=True)


def swapped(matrix, conjugate=False):
    """The last two axes exchanged; also conjugated where that says so and the type is complex."""
    n = matrix.shape.rank
    if n is None:
        rank = array_ops.rank(matrix)
        perm = array_ops.concat([op("Range")(0, rank - 2, 1), [rank - 1], [rank - 2]], 0)
    elif n < 2:
        raise ValueError(
            f"Argument `a` should be a (batch) matrix with rank >= 2.  Received `a` = {matrix} with shape: {matrix.shape}"
        )
    else:
        perm = [*range(n - 2), n - 1, n - 2]
    return op("ConjugateTranspose" if conjugate and matrix.dtype.is_complex else "Transpose")(matrix, perm)


# ---- diagonals and bands


def diag(diagonal, name="diag", k=0, num_rows=-1, num_cols=-1, padding_value=0, align="RIGHT_LEFT"):
    """Matrices with a diagonal, or with the diagonals k[0] ... k[1] (the topmost first), and the padding elsewhere."""
    if not isinstance(diagonal, Tensor):
        with name_scope_v1(name, "diag") as name:
            diagonal = convert_to_tensor(diagonal, name="diagonal")
    padding = _padding(padding_value, diagonal.dtype)
    return op("MatrixDiagV3")(diagonal, k, num_rows, num_cols, padding, align=align, name=name)


def diag_part(input, name="diag_part", k=0, padding_value=0, align="RIGHT_LEFT"):
    """The diagonal, or diagonals k[0] ... k[1] as rows, the topmost first."""
    if not isinstance(input, Tensor):
        with name_scope_v1(name, "diag_part") as name:
            input = convert_to_tensor(input, name="input")
    padding = _padding(padding_value, input.dtype)
    return op("MatrixDiagPartV3")(input, k, padding, align=align, name=name)


def _padding(value, dtype):
    """What the node takes, which names a number below itself."""
    if isinstance(value, (int, float, complex)) and not dtype.is_quantized:
        return bool(value) if dtype.is_bool else value
    return convert_to_tensor(bool(value) if dtype.is_bool else value, dtype)


def set_diag(input, diagonal, name="set_diag", k=0, align="RIGHT_LEFT"):
    """The matrices with other elements on the diagonals k."""
    return op("MatrixSetDiagV3")(input, diagonal, k, align=align, name=name)


def band_part(input, num_lower, num_upper, name=None):
    """The matrices with zeros outside of a band of so many subdiagonals and superdiagonals; a negative number: all."""
    return op("MatrixBandPart")(input, num_lower, num_upper, name=name)


def tensor_diag(diagonal, name=None):
    """A tensor of twice the rank, with the elements where the first half of the indices equals the second."""
    return op("Diag")(diagonal, name=name)


def tensor_diag_part(input, name=None):
    """The elements where the first half of the indices equals the second."""
    return op("DiagPart")(input, name=name)


def trace(x, name=None):
    """Sums of the diagonals."""
    with name_scope(name or "Trace") as scope:
        return op("Sum")(diag_part(x), [-1], name=scope)


# ---- factors


def cholesky(input, name=None):
    """Lower triangles L with positive diagonals, L Lᴴ = input. InvalidArgumentError when there are none."""
    return op("Cholesky")(input, name=name)


def qr(input, full_matrices=False, name=None):
    """(q, r): matrices with orthonormal columns, and upper triangles."""
    return op("Qr")(input, full_matrices=full_matrices, name=name)


def svd(tensor, full_matrices=False, compute_uv=True, name=None):
    """(s, u, v): the singular values, falling, and the vectors: tensor = u diag(s) vᴴ. s alone without compute_uv."""
    s, u, v = op("Svd")(tensor, compute_uv=compute_uv, full_matrices=full_matrices, name=name)
    return (convert_to_tensor(s), u, v) if compute_uv else s


def lu(input, output_idx_type=dtypes.int32, name=None):
    """(lu, p): the triangles, the lower one without its diagonal of ones, and which row of the input is where."""
    return op("Lu")(input, output_idx_type=dtypes.as_dtype(output_idx_type), name=name)


def eigh(tensor, name=None):
    """(e, v): eigenvalues, rising, and eigenvectors, as columns, of self-adjoint matrices. Only their lower part is read."""
    return tuple(op("SelfAdjointEigV2")(tensor, compute_v=True, name=name))


def eigvalsh(tensor, name=None):
    """Eigenvalues of self-adjoint matrices."""
    return op("SelfAdjointEigV2")(tensor, compute_v=False, name=name)[0]


def _complex_of(dtype):
    return dtypes.complex64 if dtype in (dtypes.float32, dtypes.complex64) else dtypes.complex128


def eig(tensor, name=None):
    """(e, v): complex eigenvalues and eigenvectors of matrices of any kind."""
    tensor = convert_to_tensor(tensor)
    return op("Eig")(tensor, Tout=_complex_of(tensor.dtype), compute_v=True, name=name)


def eigvals(tensor, name=None):
    """Complex eigenvalues of matrices of any kind."""
    tensor = convert_to_tensor(tensor)
    return op("Eig")(tensor, Tout=_complex_of(tensor.dtype), compute_v=False, name=name)[0]


def sqrtm(input, name=None):
    """Matrices whose square is the input."""
    return op("MatrixSquareRoot")(input, name=name)


def logm(input, name=None):
    """Principal logarithms of complex matrices."""
    return op("MatrixLogarithm")(input, name=name)


# ---- determinants


def det(input, name=None):
    """Determinants."""
    return op("MatrixDeterminant")(input, name=name)


def slogdet(input, name=None):
    """(sign, log_abs_determinant)."""
    return op("LogMatrixDeterminant")(input, name=name)


def logdet(matrix, name=None):
    """Logarithms of determinants of positive definite matrices, by their Cholesky factors."""
    with name_scope(name or "logdet"):
        diagonal = diag_part(cholesky(matrix))
        if diagonal.dtype.is_complex:
            diagonal = op("Real")(diagonal, Tout=diagonal.dtype.real_dtype)
        total = op("Sum")(op("Log")(diagonal), [-1])
        return 2.0 * total


# ---- systems


def inv(input, adjoint=False, name=None):
    """Inverses, or their adjoints. InvalidArgumentError when there are none."""
    return op("MatrixInverse")(input, adjoint=adjoint, name=name)


def solve(matrix, rhs, adjoint=False, name=None):
    """x of matrix x = rhs, or of matrixᴴ x = rhs."""
    return op("MatrixSolve")(matrix, rhs, adjoint=adjoint, name=name)


def triangular_solve(matrix, rhs, lower=True, adjoint=False, name=None):
    """The same of triangles; what is beyond the diagonal is not read. The batches broadcast."""
    with name_scope(name or "triangular_solve"):
        return op("MatrixTriangularSolve")(matrix, rhs, lower=lower, adjoint=adjoint)


def cholesky_solve(chol, rhs, name=None):
    """x of (chol cholᴴ) x = rhs."""
    with name_scope(name or "cholesky_solve"):
        y = op("MatrixTriangularSolve")(chol, rhs, lower=True, adjoint=False)
        return op("MatrixTriangularSolve")(chol, y, lower=True, adjoint=True)


def banded_triangular_solve(bands, rhs, lower=True, adjoint=False, name=None):
    """The same of triangles given as bands: row i of `bands` is the i-th diagonal above, or (lower) below, the main one."""
    with name_scope(name or "banded_triangular_solve"):
        return op("BandedTriangularSolve")(bands, rhs, lower=lower, adjoint=adjoint)


# ---- tridiagonal matrices


def _three_diagonals(diagonals, diagonals_format):
    """[superdiagonal, diagonal, subdiagonal], each of the matrix's size: the first without its last, the last without its
    first element."""
    if diagonals_format == "sequence":
        if not isinstance(diagonals, (tuple, list)) or len(diagonals) != 3:
            raise ValueError("Expected diagonals to be a sequence of length 3.")
        return list(map(convert_to_tensor, diagonals))
    if diagonals_format == "matrix":
        diagonals = _diagonals_of_matrix(convert_to_tensor(diagonals))
    elif diagonals_format != "compact":
        raise ValueError(f"Unrecognized diagonals_format: {diagonals_format}")
    diagonals = convert_to_tensor(diagonals)
    return [diagonals[..., i, :] for i in range(3)]


def _diagonals_of_matrix(matrix):
    if (
        matrix.shape.rank is not None
        and matrix.shape.rank >= 2
        and not matrix.shape[-2:-1].is_compatible_with(matrix.shape[-1:])
    ):
        raise ValueError(
            f"Expected last two dimensions of diagonals to be same, got {matrix.shape[-2]} and {matrix.shape[-1]}"
        )
    return diag_part(matrix, k=(-1, 1), padding_value=0, align="LEFT_RIGHT")


def tridiagonal_solve(
    diagonals,
    rhs,
    diagonals_format="compact",
    transpose_rhs=False,
    conjugate_rhs=False,
    name=None,
    partial_pivoting=True,
    perturb_singular=False,
):
    """x of A x = rhs, [..., m, k] or [..., m], for a tridiagonal A.

    diagonals_format: "compact": [..., 3, m], the superdiagonal (its last element is not read), the diagonal and the
    subdiagonal (its first is not read); "sequence": three tensors of them, the first and last also [..., m - 1];
    "matrix": [..., m, m]. ValueError for others.
    """
    if perturb_singular and not partial_pivoting:
        raise ValueError("partial_pivoting must be True if perturb_singular is True.")
    if diagonals_format == "compact":
        compact = convert_to_tensor(diagonals)
    elif diagonals_format == "matrix":
        compact = _diagonals_of_matrix(convert_to_tensor(diagonals))
    else:
        compact = _stacked(*_three_diagonals(diagonals, diagonals_format))
    return _solve_compact(compact, rhs, transpose_rhs, conjugate_rhs, partial_pivoting, perturb_singular, name)


def _stacked(above, middle, below):
    """Three diagonals, the outer ones perhaps without the elements that are not read, as one tensor."""
    m = middle.shape[-1]
    if m is None:
        raise ValueError("The size of the matrix must be known")
    short = [d.shape[-1] == m - 1 for d in (above, below)]
    pads = [[0, 0]] * (middle.shape.rank - 1)
    above = op("Pad")(above, [*pads, [0, 1]]) if short[0] else above
    below = op("Pad")(below, [*pads, [1, 0]]) if short[1] else below
    return array_ops.stack([above, middle, below], axis=-2)


def _solve_compact(diagonals, rhs, transpose_rhs, conjugate_rhs, partial_pivoting, perturb_singular, name):
    rhs = convert_to_tensor(rhs, diagonals.dtype)
    if diagonals.shape.rank is not None:
        if diagonals.shape.rank < 2:
            raise ValueError(f"Expected diagonals to have rank at least 2, got {diagonals.shape.rank}")
        if diagonals.shape[-2] not in (3, None):
            raise ValueError(f"Expected 3 diagonals got {diagonals.shape[-2]}")
        if rhs.shape.rank is not None and rhs.shape.rank not in (diagonals.shape.rank - 1, diagonals.shape.rank):
            raise ValueError(
                f"Expected the rank of rhs to be {diagonals.shape.rank - 1} or {diagonals.shape.rank}, got {rhs.shape.rank}"
            )
    attrs = {"partial_pivoting": partial_pivoting, "perturb_singular": perturb_singular, "name": name}
    is_vector = rhs.shape.rank is not None and rhs.shape.rank + 1 == diagonals.shape.rank
    if is_vector:
        rhs = op("Conj")(rhs) if conjugate_rhs and rhs.dtype.is_complex else rhs
        _check_sizes(diagonals.shape[-1], rhs.shape[-1])
        return array_ops.squeeze(op("TridiagonalSolve")(diagonals, array_ops.expand_dims(rhs, -1), **attrs), -1)
    if transpose_rhs:
        rhs = swapped(rhs, conjugate_rhs)
    elif conjugate_rhs and rhs.dtype.is_complex:
        rhs = op("Conj")(rhs)
    if rhs.shape.rank is not None and diagonals.shape.rank is not None:
        _check_sizes(diagonals.shape[-1], rhs.shape[-2])
    return op("TridiagonalSolve")(diagonals, rhs, **attrs)


def _check_sizes(left, right):
    if left is not None and right is not None and left != right:
        raise ValueError(f"Expected number of left-hand sided and right-hand sides to be equal, got {left} and {right}")


def tridiagonal_matmul(diagonals, rhs, diagonals_format="compact", name=None):
    """Products of tridiagonal matrices and rhs, [..., m, k]. The formats are those of `tridiagonal_solve`, but all three
    tensors of a sequence are [..., m]."""
    above, middle, below = _three_diagonals(diagonals, diagonals_format)
    rows = [array_ops.expand_dims(d, -2) for d in (above, middle)]
    column = array_ops.expand_dims(below, -2)
    return op("TridiagonalMatMul")(*rows, column, convert_to_tensor(rhs), name=name)
