"""The identity, and multiples of it, for batches of matrices: no matrix is made to apply them."""

from __future__ import annotations

from ..core import dtypes, tensor_shape, variables
from ..core.op_defs import op
from ..core.scopes import control_dependencies
from ..core.static_values import known_value
from ..ops import array_ops, linalg_ops
from ..ops.array_ops import convert_to_tensor
from . import batch_broadcasting as batches
from .linear_operator import LinearOperator, absolute, conj, constructor_arguments, real, require
from .operator_slicing import sliced_shape


def check_not_reference(value, name):
    """TypeError for variables: shapes do not change."""
    if isinstance(value, variables.Variable):
        raise TypeError(f"Argument `{name}` cannot be reference type. Found: {type(value)}.")


def size_argument(value, name, check_values):
    """(a size as a scalar tensor, its value where it is known). TypeError or ValueError for what is none; with check_values
    also when it runs."""
    check_not_reference(value, name)
    given = tensor_of_size(value, name)
    if not given.dtype.is_integer:
        raise TypeError(f"Argument `{name}` must be integer type. Found: {value}.")
    known = known_value(given)
    if known is None:
        return (_checked_size(given, name) if check_values else given), None
    if known.ndim != 0:
        raise ValueError(f"Argument `{name}` must be a 0-D Tensor. Found: {value}.")
    if known < 0:
        raise ValueError(f"Argument `{name}` must be non-negative. Found: {value}.")
    return given, int(known)


def tensor_of_size(value, name):
    value = value.value if isinstance(value, tensor_shape.Dimension) else value
    return convert_to_tensor(value, name=name)


def _checked_size(given, name):
    checks = [
        require(op("Equal")(array_ops.rank(given), 0), f"Argument {name} must be a 0-D Tensor."),
        require(given >= 0, f"Argument {name} must be non-negative."),
    ]
    with control_dependencies(checks):
        return array_ops.identity(given)


def batch_argument(value, check_values):
    """(a batch's shape as a vector of integers, its value where it is known), both None for None."""
    if value is None:
        return None, None
    check_not_reference(value, "batch_shape")
    if isinstance(value, (list, tuple)) and not value:
        return convert_to_tensor([], dtypes.int32), []
    given = convert_to_tensor(value, name="batch_shape")
    if not given.dtype.is_integer:
        raise TypeError(f"Argument `batch_shape` must be integer type. Found: {value}.")
    known = known_value(given)
    if known is None:
        return (_checked_batch(given) if check_values else given), None
    if known.ndim != 1:
        raise ValueError(f"Argument `batch_shape` must be a 1-D Tensor. Found: {value}.")
    if (known < 0).any():
        raise ValueError(f"Argument `batch_shape` must be non-negative. Found: {value}.")
    return given, [int(d) for d in known]


def _checked_batch(given):
    checks = [
        require(op("Equal")(array_ops.rank(given), 1), "Argument batch_shape must be a 1-D Tensor."),
        require(given >= 0, "Argument batch_shape must be non-negative."),
    ]
    with control_dependencies(checks):
        return array_ops.identity(given)


class BaseLinearOperatorIdentity(LinearOperator):
    """What the identity and its multiples share."""

    def _check_rows(self, x, axis):
        """x, with a check when it runs that it has as many rows as the operator."""
        if not self._assert_proper_shapes:
            return x
        same = op("Equal")(array_ops.shape(x)[axis], array_ops.cast(self._num_rows, dtypes.int32))
        with control_dependencies([require(same, "Dimensions are not compatible")]):
            return array_ops.identity(x)

    def _spread_batch(self, x, batch_shape, batch_shape_tensor):
        """x broadcast with the operator's batch."""
        special = tensor_shape.TensorShape([1, 1])
        if batch_shape.rank is not None and x.shape.rank is not None and batch_shape.is_fully_defined():
            mine = batch_shape.concatenate(special)
            if x.shape.is_fully_defined() and batches.broadcast_static(x.shape, mine) == x.shape:
                return x
        mine = array_ops.concat([batch_shape_tensor(), [1, 1]], 0)
        return x + array_ops.zeros(mine, dtype=x.dtype)

    def _min_matrix_dim(self):
        return self._num_rows_static


class OfGivenBatch:
    """What operators share that are told the shape of their batch (batch_argument). `_matrix` gives the two sizes of a matrix, as far
    as they are known, and as tensors."""

    def _field_value(self, name):
        known = name != "batch_shape" or self._batch_shape_arg is None or self._batch_shape_static is not None
        return super()._field_value(name) if known else self._batch_shape_arg

    def _shape(self):
        matrix, _ = self._matrix()
        if self._batch_shape_arg is None:
            return tensor_shape.TensorShape(matrix)
        if self._batch_shape_static is None:
            n = self._batch_shape_arg.shape[0] if self._batch_shape_arg.shape.rank == 1 else None
            return tensor_shape.TensorShape(None if n is None else [None] * n + matrix)
        return tensor_shape.TensorShape(list(self._batch_shape_static) + matrix)

    def _shape_tensor(self):
        matrix = array_ops.stack(self._matrix()[1])
        if self._batch_shape_arg is None:
            return matrix
        return array_ops.concat([array_ops.cast(self._batch_shape_arg, matrix.dtype), matrix], 0)


class LinearOperatorIdentity(OfGivenBatch, BaseLinearOperatorIdentity):
    """The identity of num_rows rows: a batch of them where there is a batch_shape, else it broadcasts with any batch.

    dtype: float32 when it is not given. assert_proper_shapes: checks the shapes also when it runs.
    """

    _composite_tensor_fields = ("num_rows", "batch_shape")
    _composite_tensor_prefer_static_fields = ("num_rows", "batch_shape")

    def __init__(
        self,
        num_rows,
        batch_shape=None,
        dtype=None,
        is_non_singular=True,
        is_self_adjoint=True,
        is_positive_definite=True,
        is_square=True,
        assert_proper_shapes=False,
        name="LinearOperatorIdentity",
    ):
        parameters = constructor_arguments(locals())
        self._assert_proper_shapes = assert_proper_shapes
        for hint, word in (
            (is_self_adjoint, "self-adjoint"),
            (is_non_singular, "non-singular"),
            (is_positive_definite, "positive-definite"),
        ):
            if not hint:
                raise ValueError(f"An identity operator is always {word}.")
        if not is_square:
            raise ValueError("An identity operator is always square.")
        super().__init__(
            dtype or dtypes.float32,
            is_non_singular=is_non_singular,
            is_self_adjoint=is_self_adjoint,
            is_positive_definite=is_positive_definite,
            is_square=is_square,
            name=name,
            parameters=parameters,
        )
        self._num_rows, self._num_rows_static = size_argument(num_rows, "num_rows", assert_proper_shapes)
        batch, static = batch_argument(batch_shape, assert_proper_shapes)
        self._batch_shape_arg, self._batch_shape_static = batch, self._no_dependency(static)

    @property
    def num_rows(self):
        return self._num_rows

    def _matrix(self):
        return [self._num_rows_static] * 2, [self._num_rows, self._num_rows]

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        x = linalg_ops.adjoint(x) if adjoint_arg else x
        x = self._check_rows(x, -2)
        return x if self._batch_shape_arg is None else self._spread_batch(x, self.batch_shape, self._batch_shape_tensor)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._matmul(rhs, adjoint_arg=adjoint_arg)

    def _linop_adjoint(self):
        return self

    def _linop_inverse(self):
        return self

    def _linop_cholesky(self):
        return LinearOperatorIdentity(
            self._num_rows if self._num_rows_static is None else self._num_rows_static,
            batch_shape=self._batch_shape_arg,
            dtype=self.dtype,
        )

    def _determinant(self):
        return array_ops.ones(self._batch_shape_tensor(), dtype=self.dtype)

    def _log_abs_determinant(self):
        return array_ops.zeros(self._batch_shape_tensor(), dtype=self.dtype)

    def _ones_diag(self):
        known = batches.known_shape(self.shape[:-1]) if self.shape.rank is not None else None
        return array_ops.ones(self._shape_tensor()[:-1] if known is None else known, dtype=self.dtype)

    def _diag_part(self):
        return self._ones_diag()

    _eigvals = _diag_part

    def _trace(self):
        rows = array_ops.cast(self._domain_dimension_tensor(), self.dtype)
        return rows * array_ops.ones(self._batch_shape_tensor(), dtype=self.dtype)

    def _cond(self):
        return array_ops.ones(self._batch_shape_tensor(), dtype=self.dtype.real_dtype)

    def _nothing_to_check(self):
        return op("NoOp")()

    _assert_non_singular = _assert_positive_definite = _assert_self_adjoint = _nothing_to_check

    def add_to_tensor(self, mat, name="add_to_tensor"):
        """mat + I."""
        with self._name_scope(name):
            mat = convert_to_tensor(mat, name="mat")
            diagonal = linalg_ops.diag_part(mat)
            return linalg_ops.set_diag(mat, diagonal + array_ops.ones([], dtype=mat.dtype))

    def __getitem__(self, slices):
        changed = self.parameters
        batch = self._batch_shape_arg if self._batch_shape_arg is not None else convert_to_tensor([], dtypes.int32)
        changed["batch_shape"] = sliced_shape(batch, slices)
        return LinearOperatorIdentity(**changed)


class LinearOperatorScaledIdentity(BaseLinearOperatorIdentity):
    """Multiples of the identity of num_rows rows; multiplier: a tensor of the batch's shape."""

    _composite_tensor_fields = ("num_rows", "multiplier")
    _composite_tensor_prefer_static_fields = ("num_rows",)

    def __init__(
        self,
        num_rows,
        multiplier,
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=True,
        assert_proper_shapes=False,
        name="LinearOperatorScaledIdentity",
    ):
        parameters = constructor_arguments(locals())
        self._assert_proper_shapes = assert_proper_shapes
        self._multiplier = batches.tensor_or_variable(multiplier, name="multiplier")
        if not self._multiplier.dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError("A real multiple of the identity is always self-adjoint.")
            is_self_adjoint = True
        if not is_square:
            raise ValueError("A ScaledIdentity operator is always square.")
        super().__init__(
            self._multiplier.dtype,
            is_non_singular=is_non_singular,
            is_self_adjoint=is_self_adjoint,
            is_positive_definite=is_positive_definite,
            is_square=is_square,
            name=name,
            parameters=parameters,
        )
        self._num_rows, self._num_rows_static = size_argument(num_rows, "num_rows", assert_proper_shapes)

    @property
    def num_rows(self):
        return self._num_rows

    @property
    def multiplier(self):
        """The scalars, [B1 ... Bb]."""
        return self._multiplier

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self):
        return {"multiplier": 0}

    def _shape(self):
        return self._multiplier.shape.concatenate(tensor_shape.TensorShape([self._num_rows_static] * 2))

    def _shape_tensor(self):
        rows = array_ops.cast(array_ops.stack([self._num_rows, self._num_rows]), dtypes.int32)
        return array_ops.concat([array_ops.shape(self._multiplier), rows], 0)

    def _factor(self, conjugate=False):
        """The multiplier as matrices of one element."""
        factor = conj(self._multiplier) if conjugate else convert_to_tensor(self._multiplier)
        return array_ops.expand_dims(array_ops.expand_dims(factor, -1), -1)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        x = linalg_ops.adjoint(x) if adjoint_arg else x
        return self._check_rows(x, -2) * self._factor(adjoint)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        rhs = linalg_ops.adjoint(rhs) if adjoint_arg else rhs
        return self._check_rows(rhs, -2) / self._factor(adjoint)

    def _rows_argument(self):
        return self._num_rows if self._num_rows_static is None else self._num_rows_static

    def _of(self, multiplier, **hints):
        return LinearOperatorScaledIdentity(self._rows_argument(), multiplier, **hints)

    def _linop_adjoint(self):
        return self._of(
            conj(self._multiplier),
            is_non_singular=self.is_non_singular,
            is_self_adjoint=self.is_self_adjoint,
            is_positive_definite=self.is_positive_definite,
        )

    def _linop_inverse(self):
        return self._of(
            1.0 / convert_to_tensor(self._multiplier),
            is_non_singular=self.is_non_singular,
            is_self_adjoint=True if self.is_self_adjoint else None,
            is_positive_definite=self.is_positive_definite,
        )

    def _linop_cholesky(self):
        root = op("Sqrt")(convert_to_tensor(self._multiplier))
        return self._of(root, is_non_singular=True, is_self_adjoint=True, is_positive_definite=True)

    def _rows_as(self, dtype):
        return array_ops.cast(self._domain_dimension_tensor(), dtype)

    def _determinant(self):
        return op("Pow")(convert_to_tensor(self._multiplier), self._rows_as(self.dtype))

    def _log_abs_determinant(self):
        real_type = self.dtype.real_dtype
        made = self._rows_as(real_type) * op("Log")(absolute(self._multiplier))
        return array_ops.cast(made, self.dtype)

    def _trace(self):
        return self._multiplier * self._rows_as(self.dtype)

    def _diag_part(self):
        ones = array_ops.ones(array_ops.expand_dims(self._domain_dimension_tensor(), 0), dtype=self.dtype)
        return array_ops.expand_dims(convert_to_tensor(self._multiplier), -1) * ones

    _eigvals = _diag_part

    def _cond(self):
        zero = op("Equal")(self._multiplier, array_ops.zeros([], dtype=self.dtype))
        real_type = self.dtype.real_dtype
        return op("SelectV2")(zero, convert_to_tensor(float("nan"), real_type), convert_to_tensor(1.0, real_type))

    def _assert_non_singular(self):
        return require(absolute(self._multiplier) > 0, "LinearOperator was singular")

    def _assert_positive_definite(self):
        return require(real(convert_to_tensor(self._multiplier)) > 0, "LinearOperator was not positive definite.")

    def _assert_self_adjoint(self):
        multiplier = convert_to_tensor(self._multiplier)
        return require(op("Equal")(multiplier, conj(multiplier)), "LinearOperator was not self-adjoint")

    def add_to_tensor(self, mat, name="add_to_tensor"):
        """mat + multiplier I."""
        with self._name_scope(name):
            mat = convert_to_tensor(mat, name="mat")
            multiplier = array_ops.expand_dims(convert_to_tensor(self._multiplier), -1)
            diagonal = linalg_ops.diag_part(mat) + multiplier
            batch = batches.broadcast_dynamic(array_ops.shape(mat)[:-2], array_ops.shape(self._multiplier))
            if mat.shape.rank is None or mat.shape[:-2] != diagonal.shape[:-1]:
                mat = batches.with_batch(mat, batch)
            return linalg_ops.set_diag(mat, diagonal)
