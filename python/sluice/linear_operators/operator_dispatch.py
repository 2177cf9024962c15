"""What public functions of matrices do with linear operators: their methods."""

from __future__ import annotations

from ..ops import linalg_ops
from .linear_operator import LinearOperator


def _method(method):
    def call(operator, name=None):
        return getattr(operator, method)(**({} if name is None else {"name": name}))

    return call


def _diag_part(input, name="diag_part", k=0, padding_value=0, align="RIGHT_LEFT"):
    if k != 0:
        raise NotImplementedError("linalg.diag_part(k) of a linear operator")
    return input.diag_part(name=name)


def _inv(input, adjoint=False, name=None):
    inverse = input.inverse(name=name or "inverse")
    return inverse.adjoint() if adjoint else inverse


def _matmul(
    a,
    b,
    transpose_a=False,
    transpose_b=False,
    adjoint_a=False,
    adjoint_b=False,
    a_is_sparse=False,
    b_is_sparse=False,
    output_type=None,
    grad_a=False,
    grad_b=False,
    name=None,
):
    if transpose_a or transpose_b:
        raise ValueError("Transposing not supported at this time.")
    if a_is_sparse or b_is_sparse:
        raise ValueError("Sparse methods not supported at this time.")
    if isinstance(a, LinearOperator):
        return a.matmul(b, adjoint=adjoint_a, adjoint_arg=adjoint_b, name=name or "matmul")
    made = b.matmul(a, adjoint=not adjoint_b, adjoint_arg=not adjoint_a, name=name or "matmul")
    return linalg_ops.adjoint(made)


def _matvec(a, b, transpose_a=False, adjoint_a=False, a_is_sparse=False, b_is_sparse=False, name=None):
    if transpose_a:
        raise ValueError("Transposing not supported at this time.")
    if a_is_sparse or b_is_sparse:
        raise ValueError("Sparse methods not supported at this time.")
    return a.matvec(b, adjoint=adjoint_a, name=name or "matvec")


def _solve(matrix, rhs, adjoint=False, name=None):
    if not isinstance(matrix, LinearOperator):
        raise ValueError("Passing in `matrix` as a Tensor and `rhs` as a LinearOperator is not supported.")
    return matrix.solve(rhs, adjoint=adjoint, name=name or "solve")


_TARGETS = {
    "linalg.adjoint": _method("adjoint"),
    "linalg.cholesky": _method("cholesky"),
    "linalg.det": _method("determinant"),
    "linalg.diag_part": _diag_part,
    "linalg.inv": _inv,
    "linalg.logdet": _method("log_abs_determinant"),
    "linalg.matmul": _matmul,
    "linalg.matvec": _matvec,
    "linalg.solve": _solve,
    "linalg.trace": _method("trace"),
}
_OTHER_NAMES = {
    "matmul": "linalg.matmul",
    "compat.v1.cholesky": "linalg.cholesky",
    "compat.v1.matrix_determinant": "linalg.det",
    "compat.v1.matrix_diag_part": "linalg.diag_part",
    "compat.v1.matrix_inverse": "linalg.inv",
    "compat.v1.matrix_solve": "linalg.solve",
    "compat.v1.trace": "linalg.trace",
}


def target_for(api, leaves, args, kwargs):
    """A call of what takes the place of a public function that met a linear operator, or None."""
    if not any(isinstance(leaf, LinearOperator) for leaf in leaves):
        return None
    for name in api.api_names:
        target = _TARGETS.get(_OTHER_NAMES.get(name, name))
        if target is not None:
            return lambda: target(*args, **kwargs)
    return None
