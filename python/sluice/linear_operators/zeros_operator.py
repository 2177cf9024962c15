"""Matrices of zeros."""

from __future__ import annotations

from ..core import dtypes
from ..core.op_defs import op
from ..core.scopes import control_dependencies
from ..ops import array_ops, linalg_ops
from ..ops.array_ops import convert_to_tensor
from .identity_operators import OfGivenBatch, batch_argument, size_argument
from .linear_operator import LinearOperator, constructor_arguments, require
from .operator_slicing import sliced_shape


class LinearOperatorZeros(OfGivenBatch, LinearOperator):
    """Zeros, [num_rows, num_columns] (num_columns: num_rows when it is not given), or a batch of them."""

    _composite_tensor_fields = ("num_rows", "num_columns", "batch_shape")
    _composite_tensor_prefer_static_fields = ("num_rows", "num_columns", "batch_shape")

    def __init__(
        self,
        num_rows,
        num_columns=None,
        batch_shape=None,
        dtype=None,
        is_non_singular=False,
        is_self_adjoint=True,
        is_positive_definite=False,
        is_square=True,
        assert_proper_shapes=False,
        name="LinearOperatorZeros",
    ):
        parameters = constructor_arguments(locals())
        self._assert_proper_shapes = assert_proper_shapes
        if is_non_singular:
            raise ValueError("A zeros operator is always non-invertible.")
        if is_positive_definite:
            raise ValueError("A zeros operator is always non-positive definite.")
        if is_self_adjoint is False and is_square:
            raise ValueError("A zeros operator is always self-adjoint.")
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
        if num_columns is None:
            self._num_columns, self._num_columns_static = self._num_rows, self._num_rows_static
        else:
            columns = size_argument(num_columns, "num_columns", assert_proper_shapes)
            self._num_columns, self._num_columns_static = columns
        batch, static = batch_argument(batch_shape, assert_proper_shapes)
        self._batch_shape_arg, self._batch_shape_static = batch, self._no_dependency(static)

    @property
    def num_rows(self):
        return self._num_rows

    @property
    def num_columns(self):
        return self._num_columns

    def _matrix(self):
        return [self._num_rows_static, self._num_columns_static], [self._num_rows, self._num_columns]

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        x = linalg_ops.adjoint(x) if adjoint_arg else x
        mine, theirs = self._shape_or_tensor(), array_ops.shape(x)
        if self._assert_proper_shapes:
            same = op("Equal")(theirs[-2], mine[-2] if adjoint else mine[-1])
            with control_dependencies([require(same, "Dimensions are not compatible")]):
                theirs = array_ops.identity(theirs)
        batch = mine[:-2] if self._batch_shape_arg is None else op("BroadcastArgs")(theirs[:-2], mine[:-2])
        batch = theirs[:-2] if self._batch_shape_arg is None else batch
        rows = mine[-1] if adjoint else mine[-2]
        return array_ops.zeros(array_ops.concat([batch, [rows, theirs[-1]]], 0), dtype=x.dtype)

    def _linop_matmul(self, left_operator, right_operator):
        if left_operator.is_square is False or right_operator.is_square is False:
            raise ValueError("Cannot compute product of non-square LinearOperatorZeros.")
        return super()._linop_matmul(left_operator, right_operator)

    def _zeros_of_batch(self):
        return array_ops.zeros(self._batch_shape_tensor(), dtype=self.dtype)

    def _determinant(self):
        if self.is_square is False:
            raise NotImplementedError("Determinant not defined for rectangular matrices.")
        return self._zeros_of_batch()

    def _trace(self):
        return self._zeros_of_batch()

    def _diag_part(self):
        shape = self._shape_or_tensor()
        size = op("Minimum")(shape[-1], shape[-2])
        known = [self.range_dimension.value, self.domain_dimension.value]
        if None not in known and self.batch_shape.is_fully_defined():
            return array_ops.zeros([*self.batch_shape.as_list(), min(known)], dtype=self.dtype)
        return array_ops.zeros(array_ops.concat([shape[:-2], [size]], 0), dtype=self.dtype)

    _eigvals = _diag_part

    def _to_dense(self):
        return array_ops.zeros(self._shape_or_tensor(), dtype=self.dtype)

    def add_to_tensor(self, mat, name="add_to_tensor"):
        """mat, broadcast with the operator's batch."""
        with self._name_scope(name):
            mat = convert_to_tensor(mat, name="mat")
            if self._batch_shape_arg is None:
                return mat
            spread = array_ops.concat([self._batch_shape_tensor(), [1, 1]], 0)
            return mat + array_ops.zeros(spread, dtype=mat.dtype)

    def _assert_non_singular(self):
        return _refuse("Zeros operators are always non-invertible.")

    def _assert_positive_definite(self):
        return _refuse("Zeros operators are always non-positive definite.")

    def _assert_self_adjoint(self):
        return op("NoOp")()

    def __getitem__(self, slices):
        changed = self.parameters
        batch = self._batch_shape_arg if self._batch_shape_arg is not None else convert_to_tensor([], dtypes.int32)
        changed["batch_shape"] = sliced_shape(batch, slices)
        return LinearOperatorZeros(**changed)


def _refuse(message):
    from ..core.errors import InvalidArgumentError

    raise InvalidArgumentError(None, None, message)
