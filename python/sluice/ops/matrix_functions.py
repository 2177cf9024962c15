"""Functions of matrices that are made of several ops: least squares, pseudo-inverses, ranks, norms, uses of LU factors."""

from __future__ import annotations

from ..core import dtypes
from ..core.op_defs import op
from ..core.scopes import control_dependencies, name_scope
from . import array_ops, linalg_ops
from .array_ops import convert_to_tensor


def _product(a, b, adjoint_a=False, adjoint_b=False):
    if a.shape.rank == b.shape.rank == 2 and not a.dtype.is_complex:
        return op("MatMul")(a, b, transpose_a=adjoint_a, transpose_b=adjoint_b)
    return op("BatchMatMulV2")(a, b, adj_x=adjoint_a, adj_y=adjoint_b)


def _absolute(x):
    return op("ComplexAbs")(x, Tout=x.dtype.real_dtype) if x.dtype.is_complex else op("Abs")(x)


# ---- least squares and ranks


def lstsq(matrix, rhs, l2_regularizer=0.0, fast=True, name=None):
    """x that makes |matrix x - rhs|² + l2_regularizer |x|² least; of all such x the shortest.

    fast: by the Cholesky factor of the matrix's Gramian, which wants a matrix of full rank that is well conditioned.
    """
    from ..core.static_values import known_value

    if not fast:
        return op("MatrixSolveLs")(matrix, rhs, l2_regularizer, fast=False, name=name)
    with name_scope(name or "matrix_solve_ls"):
        matrix = convert_to_tensor(matrix)
        rhs = convert_to_tensor(rhs, matrix.dtype)
        rows, columns = (matrix.shape[-2], matrix.shape[-1]) if matrix.shape.rank is not None else (None, None)
        known = known_value(l2_regularizer)
        plain = known is not None and known == 0
        regularizer = (
            None if plain else array_ops.cast(convert_to_tensor(l2_regularizer, matrix.dtype.real_dtype), matrix.dtype)
        )
        if rows is None or columns is None:
            from .control_flow_ops import cond

            shape = array_ops.shape(matrix)
            return cond(
                shape[-2] >= shape[-1],
                lambda: _overdetermined(matrix, rhs, regularizer),
                lambda: _underdetermined(matrix, rhs, regularizer),
            )
        return (_overdetermined if rows >= columns else _underdetermined)(matrix, rhs, regularizer)


def _gramian_factor(matrix, regularizer, first):
    gramian = _product(matrix, matrix, adjoint_a=first, adjoint_b=not first)
    if regularizer is not None:
        n = array_ops.shape(gramian)[-1]
        gramian = gramian + array_ops.eye(n, dtype=gramian.dtype) * regularizer
    return linalg_ops.cholesky(gramian)


def _overdetermined(matrix, rhs, regularizer):
    factor = _gramian_factor(matrix, regularizer, True)
    return linalg_ops.cholesky_solve(factor, _product(matrix, rhs, adjoint_a=True))


def _underdetermined(matrix, rhs, regularizer):
    factor = _gramian_factor(matrix, regularizer, False)
    return _product(matrix, linalg_ops.cholesky_solve(factor, rhs), adjoint_a=True)


def _float_matrix(a, validate_args):
    a = convert_to_tensor(a)
    if not a.dtype.is_floating:
        raise TypeError(f"Input `a` must have `float`-like `dtype` (saw {a.dtype.name}).")
    if a.shape.rank is not None:
        if a.shape.rank < 2:
            raise ValueError(f"Input `a` must have at least 2 dimensions (saw: {a.shape.rank}).")
    elif validate_args:
        with control_dependencies(
            [op("Assert")(array_ops.rank(a) >= 2, ["Input `a` must have at least 2 dimensions."])]
        ):
            return array_ops.identity(a)
    return a


def _epsilon_by_size(a, factor=1.0, name=None):
    import numpy

    if a.shape.rank is not None and None not in a.shape.as_list()[-2:]:
        epsilon = numpy.finfo(a.dtype.as_numpy_dtype).eps
        return convert_to_tensor(factor * max(a.shape.as_list()[-2:]) * epsilon, a.dtype, name=name)
    size = op("Max")(array_ops.shape(a)[-2:], [0])
    return array_ops.cast(size, a.dtype) * convert_to_tensor(factor * numpy.finfo(a.dtype.as_numpy_dtype).eps, a.dtype)


def matrix_rank(a, tol=None, validate_args=False, name=None):
    """How many singular values exceed tol, by default the largest × the larger size × epsilon. int32."""
    with name_scope(name or "matrix_rank"):
        a = _float_matrix(a, validate_args)
        s = linalg_ops.svd(a, compute_uv=False)
        if tol is None:
            tol = _epsilon_by_size(a) * op("Max")(s, [-1], keep_dims=True)
        return op("Sum")(array_ops.cast(s > tol, dtypes.int32), [-1])


def pinv(a, rcond=None, validate_args=False, name=None):
    """Moore-Penrose pseudo-inverses. Singular values below rcond × the largest count as 0; rcond is by default 10 × the
    larger size × epsilon."""
    with name_scope(name or "pinv"):
        a = _float_matrix(a, validate_args)
        given = rcond is not None
        rcond = convert_to_tensor(rcond, a.dtype, name="rcond") if given else _epsilon_by_size(a, 10.0, "rcond")
        s, u, v = linalg_ops.svd(a, full_matrices=False, compute_uv=True)
        cutoff = array_ops.expand_dims(rcond * op("Max")(s, -1), -1)
        s = op("SelectV2")(s > cutoff, s, float("inf"))
        return _product(v / array_ops.expand_dims(s, -2), u, adjoint_b=True)


# ---- uses of LU factors


def _checked(lower_upper, perm, validate_args):
    lower_upper, perm = convert_to_tensor(lower_upper), convert_to_tensor(perm, dtype_hint=dtypes.int32)
    rank, rank_of_perm = lower_upper.shape.rank, perm.shape.rank
    if rank is not None and rank < 2:
        raise ValueError("Input `lower_upper` must have at least 2 dimensions.")
    if rank is not None and rank_of_perm is not None and rank != rank_of_perm + 1:
        raise ValueError("`rank(lower_upper)` must equal `rank(perm) + 1`")
    if rank is not None and not lower_upper.shape[-2:-1].is_compatible_with(lower_upper.shape[-1:]):
        raise ValueError("`lower_upper` must be square.")
    if validate_args:
        sizes = array_ops.shape(lower_upper)
        square = op("Assert")(op("Equal")(sizes[-2], sizes[-1]), ["`lower_upper` must be square."])
        fitting = op("Assert")(
            op("Equal")(array_ops.rank(lower_upper), array_ops.rank(perm) + 1),
            ["`rank(lower_upper)` must equal `rank(perm) + 1`"],
        )
        with control_dependencies([square, fitting]):
            lower_upper = array_ops.identity(lower_upper)
    return lower_upper, perm


def _lower(lower_upper):
    """The lower triangle with its ones."""
    ones = op("OnesLike")(linalg_ops.diag_part(lower_upper))
    return linalg_ops.set_diag(linalg_ops.band_part(lower_upper, -1, 0), ones)


def permuted_rows(x, perm):
    """Rows of each matrix, [..., n, k], in the order of a permutation of its own, [..., n], of the same batch."""
    rank = perm.shape.rank
    if rank is not None:
        return op("GatherV2")(x, perm, rank - 1, batch_dims=rank - 1)
    shape = array_ops.shape(x)
    flat = op("GatherV2")(
        array_ops.reshape(x, array_ops.concat([[-1], shape[-2:]], 0)),
        array_ops.reshape(perm, array_ops.concat([[-1], shape[-2:-1]], 0)),
        1,
        batch_dims=1,
    )
    return array_ops.reshape(flat, shape)


def lu_solve(lower_upper, perm, rhs, validate_args=False, name=None):
    """x of A x = rhs, of what `lu(A)` gave. The batches broadcast."""
    with name_scope(name or "lu_solve"):
        lower_upper, perm = _checked(lower_upper, perm, validate_args)
        rhs = convert_to_tensor(rhs, lower_upper.dtype)
        if rhs.shape.rank is not None and rhs.shape.rank < 2:
            raise ValueError("`rhs` must have at least 2 dimensions.")
        if lower_upper.shape.rank == 2 and rhs.shape.rank == 2:
            rhs = op("GatherV2")(rhs, perm, 0)
        else:
            batch = op("BroadcastArgs")(array_ops.shape(rhs)[:-2], array_ops.shape(perm)[:-1])
            rhs = op("BroadcastTo")(rhs, array_ops.concat([batch, array_ops.shape(rhs)[-2:]], 0))
            perm = op("BroadcastTo")(perm, array_ops.concat([batch, array_ops.shape(perm)[-1:]], 0))
            rhs = permuted_rows(rhs, perm)
        below = linalg_ops.triangular_solve(_lower(lower_upper), rhs)
        return linalg_ops.triangular_solve(lower_upper, below, lower=False)


def lu_matrix_inverse(lower_upper, perm, validate_args=False, name=None):
    """The inverse of A, of what `lu(A)` gave."""
    with name_scope(name or "lu_matrix_inverse"):
        lower_upper, perm = _checked(lower_upper, perm, validate_args)
        n = array_ops.shape(lower_upper)[-1]
        return lu_solve(lower_upper, perm, array_ops.eye(n, dtype=lower_upper.dtype))


def lu_reconstruct(lower_upper, perm, validate_args=False, name=None):
    """A, of what `lu(A)` gave."""
    with name_scope(name or "lu_reconstruct"):
        lower_upper, perm = _checked(lower_upper, perm, validate_args)
        x = _product(_lower(lower_upper), linalg_ops.band_part(lower_upper, 0, -1))
        if perm.shape.rank == 1:
            return op("GatherV2")(x, op("InvertPermutation")(perm), 0)
        order = op("TopKV2")(-perm, array_ops.shape(perm)[-1], sorted=True)[1]  # where 0, 1, 2 ... are
        return permuted_rows(x, order)


# ---- norms

_VECTOR_ORDERS = ("euclidean", 1, 2, float("inf"))
_MATRIX_ORDERS = ("euclidean", "fro", 1, 2, float("inf"))


def norm(tensor, ord="euclidean", axis=None, keepdims=None, name=None):
    """Norms of vectors (axis None: all elements as one; or an integer), or of matrices (axis of two integers).

    ord: "euclidean", 1, 2, inf and for vectors any positive number, for matrices "fro". ValueError for others.
    """
    is_matrix = isinstance(axis, (tuple, list)) and len(axis) == 2
    axes = _axes_of_norm(axis)
    _check_order(ord, is_matrix)
    with name_scope(name or "norm"):
        tensor = convert_to_tensor(tensor)
        made = _norm(tensor, ord, axes, is_matrix)
        return made if keepdims else op("Squeeze")(made, squeeze_dims=axes or [])


def norm_v1(tensor, ord="euclidean", axis=None, keepdims=None, name=None, keep_dims=None):
    """`norm` with TensorFlow 1's second name of keepdims."""
    return norm(tensor, ord, axis, keepdims if keep_dims is None else keep_dims, name)


def _axes_of_norm(axis):
    if axis is None:
        return None
    axes = tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)
    if any(not isinstance(a, int) for a in axes) or len(axes) > 2 or len(axes) != len(set(axes)):
        shown = axes if isinstance(axis, (tuple, list)) and len(axes) == 2 else axis
        raise ValueError(f"'axis' must be None, an integer, or a tuple of 2 unique integers, got {shown}")
    return list(axes)


def _check_order(order, is_matrix):
    if is_matrix:
        if order not in _MATRIX_ORDERS:
            raise ValueError(f"'ord' must be a supported matrix norm in {list(_MATRIX_ORDERS)}, got {order}")
    elif isinstance(order, str) and order not in _VECTOR_ORDERS or not isinstance(order, str) and order <= 0:
        raise ValueError(f"'ord' must be a supported vector norm, got {order}")


def _over(reduction, x, axes):
    """A reduction that keeps its axes."""
    from . import math_ops

    return getattr(math_ops, reduction)(x, axes, True)


def _norm(x, order, axes, is_matrix):
    if order in ("fro", "euclidean") or order == 2 and not is_matrix:
        square = x * op("Conj")(x) if x.dtype.is_complex else x * x
        total = _over("reduce_sum", square, axes)
        return op("Sqrt")(total)
    if is_matrix and order == 2:
        return _spectral_norm(x, axes)
    x = _absolute(x)
    if order == 1:
        total = _over("reduce_sum", x, axes[:1] if is_matrix else axes)
        return _over("reduce_max", total, axes[1:]) if is_matrix else total
    if order == float("inf"):
        total = _over("reduce_sum", x, axes[1:]) if is_matrix else x
        return _over("reduce_max", total, axes[:1] if is_matrix else axes)
    order = convert_to_tensor(float(order), x.dtype)
    return op("Pow")(_over("reduce_sum", op("Pow")(x, order), axes), 1.0 / order)


def _spectral_norm(x, axes):
    n = x.shape.rank
    if n is None:
        raise NotImplementedError("tf.norm(ord=2) of matrices in a tensor of unknown rank")
    last = [a % n for a in axes]
    order = [a for a in range(n) if a not in last] + last
    largest = op("Max")(linalg_ops.svd(op("Transpose")(x, order), compute_uv=False), [-1], keep_dims=True)
    back = [order.index(a) for a in range(n)]
    return op("Transpose")(array_ops.expand_dims(largest, -1), back)


def normalize(tensor, ord="euclidean", axis=None, name=None):
    """(tensor / norm, norm): the norm along the axes, which keep their place with size 1."""
    with name_scope(name or "normalize"):
        tensor = convert_to_tensor(tensor)
        length = array_ops.cast(norm(tensor, ord, axis, keepdims=True), tensor.dtype)
        return tensor / length, length


def cross(a, b, name=None):
    """Cross products of vectors of three elements in the last axis."""
    return op("Cross")(a, b, name=name)
