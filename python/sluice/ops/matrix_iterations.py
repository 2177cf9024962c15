"""Functions of matrices that are found by steps: exponentials, eigenvalues of tridiagonal matrices, conjugate gradients."""

from __future__ import annotations

from collections import namedtuple

from ..core import dtypes, graph
from ..core.op_defs import op
from ..core.scopes import name_scope
from . import array_ops, linalg_ops, math_ops
from .array_ops import convert_to_tensor
from .while_loops import while_loop

# The Padé approximant of exp of a degree: its coefficients, and up to which 1-norm of a matrix it is exact to the type's
# precision (Higham, "The scaling and squaring method for the matrix exponential revisited", 2005, table 2.3).
_PADE_SINGLE = [17297280.0, 8648640.0, 1995840.0, 277200.0, 25200.0, 1512.0, 56.0, 1.0]
_PADE_DOUBLE = [
    64764752532480000.0,
    32382376266240000.0,
    7771770303897600.0,
    1187353796428800.0,
    129060195264000.0,
    10559470521600.0,
    670442572800.0,
    33522128640.0,
    1323241920.0,
    40840800.0,
    960960.0,
    16380.0,
    182.0,
    1.0,
]
_LIMIT_SINGLE, _LIMIT_DOUBLE = 3.925724783138660, 5.371920351148152


def _product(a, b):
    return op("BatchMatMulV2")(a, b)


def _magnitude(x):
    return op("ComplexAbs")(x, Tout=x.dtype.real_dtype) if x.dtype.is_complex else op("Abs")(x)


def expm(input, name=None):
    """Exponentials of matrices: of each divided by a power of 2, squared as often again."""
    with name_scope(name or "matrix_exponential"):
        matrix = convert_to_tensor(input, name="input")
        if matrix.shape.rank is not None and matrix.shape[-2:].as_list() == [0, 0]:
            return matrix
        is_single = matrix.dtype.real_dtype != dtypes.float64
        limit = _LIMIT_SINGLE if is_single else _LIMIT_DOUBLE
        size = op("Max")(op("Sum")(_magnitude(matrix), [-2], keep_dims=True), [-1, -2], keep_dims=True)
        ratio = op("Log")(op("Maximum")(size / limit, 1.0)) / 0.6931471805599453
        squarings = op("Ceil")(ratio)
        scaled = matrix / array_ops.cast(op("Pow")(convert_to_tensor(2.0, squarings.dtype), squarings), matrix.dtype)
        result = _pade(scaled, _PADE_SINGLE if is_single else _PADE_DOUBLE)
        times = math_ops.reduce_max(squarings)

        def square(i, r):
            return i + 1.0, op("SelectV2")(i < squarings, _product(r, r), r)

        shapes = [convert_to_tensor(0.0, times.dtype).shape, result.shape]
        _, result = while_loop(lambda i, _: i < times, square, [convert_to_tensor(0.0, times.dtype), result], shapes)
        if matrix.shape.rank is not None:
            result.set_shape(matrix.shape)
        return result if graph.current() is None else array_ops.identity(result, name="Reshape_1")


def _pade(matrix, coefficients):
    """V⁻¹ U of the polynomials U = Σ b_k A^k, V = Σ b_k (-A)^k: apart in even and odd powers."""
    square = _product(matrix, matrix)
    ones = op("OnesLike")(linalg_ops.diag_part(matrix))
    power = linalg_ops.set_diag(op("ZerosLike")(matrix), ones)
    even = odd = None
    for k in range(0, len(coefficients), 2):
        terms = [power * convert_to_tensor(c, matrix.dtype) for c in coefficients[k : k + 2]]
        even, odd = terms if even is None else (even + terms[0], odd + terms[1])
        if k + 2 < len(coefficients):
            power = _product(power, square)
    odd = _product(matrix, odd)
    return linalg_ops.solve(even - odd, even + odd)


def eigh_tridiagonal(alpha, beta, eigvals_only=True, select="a", select_range=None, tol=None, name=None):
    """Eigenvalues, rising, of self-adjoint matrices with the diagonal alpha, [n], and the subdiagonal beta, [n - 1].

    select: "a": all; "i": those of the numbers select_range = (first, last); "v": those in (low, high]. With
    eigvals_only=False also the eigenvectors, as columns. tol: has no effect, eigenvalues are as exact as the type.
    """
    if select not in ("a", "i", "v"):
        raise ValueError("'select must have a value in {'a', 'i', 'v'}.")
    with name_scope(name or "eigh_tridiagonal"):
        alpha = convert_to_tensor(alpha, name="alpha")
        beta = convert_to_tensor(beta, alpha.dtype, name="beta")
        matrix = linalg_ops.set_diag(linalg_ops.diag(alpha), beta, k=-1)
        values, vectors = linalg_ops.eigh(matrix)
        values = op("Real")(values, Tout=values.dtype.real_dtype) if values.dtype.is_complex else values
        if select == "i":
            first, last = select_range
            values, vectors = values[first : last + 1], vectors[:, first : last + 1]
        elif select == "v":
            low, high = (convert_to_tensor(v, values.dtype) for v in select_range)
            inside = op("Reshape")(op("Where")(op("LogicalAnd")(values > low, values <= high)), [-1])
            values, vectors = op("GatherV2")(values, inside, 0), op("GatherV2")(vectors, inside, 1)
        return values if eigvals_only else (values, vectors)


CGState = namedtuple("CGState", "i x r p gamma")


def conjugate_gradient(operator, rhs, preconditioner=None, x=None, tol=1e-5, max_iter=20, name="conjugate_gradient"):
    """Solves operator x = rhs, vectors [..., N], for a linear operator that is positive definite and self-adjoint.

    preconditioner: an operator near the inverse. x: where to begin. Ends when |r| <= tol |rhs| for all, or after max_iter
    steps. Gives CGState(i: steps, x, r: residual, p: the last direction, gamma: r·r). ValueError for other operators.
    """
    if not (operator.is_self_adjoint and operator.is_positive_definite):
        raise ValueError("Expected a self-adjoint, positive definite operator.")

    def dot(a, b):
        a = op("Conj")(a) if a.dtype.is_complex else a
        return op("Sum")(a * b, [-1])

    def column(v):
        return array_ops.expand_dims(v, -1)

    def preconditioned(r):
        return r if preconditioner is None else preconditioner.matvec(r)

    with name_scope(name):
        rhs = convert_to_tensor(rhs, operator.dtype)
        if x is None:
            x, r = array_ops.zeros_like(rhs), rhs
        else:
            x = convert_to_tensor(x, operator.dtype)
            r = rhs - operator.matvec(x)
        limit = tol * op("Sqrt")(op("Sum")(op("Square")(_magnitude(rhs)), [-1]))

        def unfinished(i, x, r, p, gamma):
            left = op("Sqrt")(op("Sum")(op("Square")(_magnitude(r)), [-1])) > limit
            some = op("Any")(op("Reshape")(left, [-1]), [0])
            return op("LogicalAnd")(i < max_iter, some)

        def step(i, x, r, p, gamma):
            z = operator.matvec(p)
            alpha = column(op("DivNoNan")(gamma, dot(p, z)))  # a system that is solved stays so
            x, r = x + alpha * p, r - alpha * z
            q = preconditioned(r)
            new_gamma = dot(r, q)
            return i + 1, x, r, q + column(op("DivNoNan")(new_gamma, gamma)) * p, new_gamma

        p = preconditioned(r)
        state = while_loop(unfinished, step, [convert_to_tensor(0), x, r, p, dot(r, p)])
        return CGState(*state)
