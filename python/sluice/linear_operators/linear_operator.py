"""The base of linear operators: shapes, hints, and all that follows from a matrix product alone.

A subclass has `_shape` and `_matmul`, and `_shape_tensor` where its shape may be unknown. All else has a definition here by the
dense matrix, which a subclass replaces where it knows better: `_solve`, `_determinant`, `_diag_part` ... Of two operators the
rules of operator_algebra.py say what their product, quotient, inverse and Cholesky factor are.
"""

from __future__ import annotations

from ..core import dtypes, tensor_shape
from ..core.composite_tensor import CompositeTensor
from ..core.module import Module
from ..core.op_defs import op
from ..core.scopes import name_scope
from ..ops import array_ops, linalg_ops, math_ops
from ..ops.array_ops import convert_to_tensor
from . import batch_broadcasting as batches
from .operator_specs import spec_class

FLOATS_AND_COMPLEX = ["float16", "float32", "float64", "complex64", "complex128"]


class LinearOperator(Module, CompositeTensor):
    """A batch of matrices, [B1 ... Bb, M, N], that act on vectors.

    dtype: of its elements and arguments. is_non_singular, is_self_adjoint, is_positive_definite, is_square: what the caller
    promises of it (None: nothing), which chooses between ways to compute; nothing checks it. ValueError when the hints contradict
    each other. parameters: the arguments of the subclass's constructor.
    """

    def __init__(
        self,
        dtype,
        graph_parents=None,
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=None,
        name=None,
        parameters=None,
    ):
        if is_positive_definite:
            if is_non_singular is False:
                raise ValueError("A positive definite matrix is always non-singular.")
            is_non_singular = True
        for hint, word in ((is_non_singular, "non-singular"), (is_self_adjoint, "self-adjoint")):
            if hint:
                if is_square is False:
                    raise ValueError(f"A {word} matrix is always square.")
                is_square = True
        self._is_square_set_or_implied_by_hints = is_square
        self._is_non_singular, self._is_self_adjoint = is_non_singular, is_self_adjoint
        self._is_positive_definite = is_positive_definite
        self._graph_parents = self._no_dependency(list(graph_parents or []))
        self._parameters = self._no_dependency(dict(parameters or {}))
        self._dtype = None if dtype is None else dtypes.as_dtype(dtype).base_dtype
        self._name = name or type(self).__name__

    # ---- what subclasses have

    def _shape(self):
        raise NotImplementedError(f"{type(self).__name__}._shape is not implemented.")

    def _shape_tensor(self):
        raise NotImplementedError("_shape_tensor is not implemented.")

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        raise NotImplementedError("_matmul is not implemented.")

    # Names of the constructor's arguments that are tensors or operators, and of those among them that shall not become tensors
    # of a function where their values are known.
    _composite_tensor_fields: tuple = ()
    _composite_tensor_prefer_static_fields: tuple = ()

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self):
        """By argument that is a tensor: how many of its last axes belong to one matrix."""
        return {}

    # ---- names and what it is made of

    def _name_scope(self, name=None):
        """The scope of the ops of a method."""
        return name_scope(f"{self._name}/{name}" if name else self._name)

    name = property(lambda self: self._name)
    name_scope = property(lambda self: name_scope(self._name))
    dtype = property(lambda self: self._dtype)
    graph_parents = property(lambda self: self._graph_parents)

    @property
    def parameters(self):
        """The arguments of the constructor, by name."""
        return dict(self._parameters)

    is_non_singular = property(lambda self: self._is_non_singular)
    is_self_adjoint = property(lambda self: self._is_self_adjoint)
    is_positive_definite = property(lambda self: self._is_positive_definite)

    @property
    def is_square(self):
        """Whether M is N; None when nothing says so. ValueError when it was promised otherwise."""
        m, n = self.range_dimension.value, self.domain_dimension.value
        hint = self._is_square_set_or_implied_by_hints
        found = None if m is None or n is None else m == n
        if hint is False and found:
            raise ValueError("User set is_square hint to False, but the operator was square.")
        return found if hint is None else hint

    # ---- shapes

    @property
    def shape(self):
        """[B1 ... Bb, M, N] as far as it is known."""
        return self._shape()

    @property
    def batch_shape(self):
        return self.shape[:-2] if self.shape.rank is not None else tensor_shape.TensorShape(None)

    @property
    def tensor_rank(self):
        """b + 2, or None."""
        return self.shape.rank

    @property
    def domain_dimension(self):
        """N, as a Dimension."""
        return tensor_shape.Dimension(None if self.shape.rank is None else self.shape[-1])

    @property
    def range_dimension(self):
        """M, as a Dimension."""
        return tensor_shape.Dimension(None if self.shape.rank is None else self.shape[-2])

    def _shape_or_tensor(self):
        known = batches.known_shape(self.shape)
        return self._shape_tensor() if known is None else known

    def shape_tensor(self, name="shape_tensor"):
        """The shape as a tensor."""
        with self._name_scope(name):
            return self._shape_or_tensor()

    def _batch_shape_tensor(self, shape=None):
        known = batches.known_shape(self.batch_shape)
        return (self._shape_tensor() if shape is None else shape)[:-2] if known is None else known

    def batch_shape_tensor(self, name="batch_shape_tensor"):
        with self._name_scope(name):
            return self._batch_shape_tensor()

    def _tensor_rank_tensor(self, shape=None):
        if self.tensor_rank is not None:
            return convert_to_tensor(self.tensor_rank)
        return array_ops.size(self._shape_tensor() if shape is None else shape)

    def tensor_rank_tensor(self, name="tensor_rank_tensor"):
        with self._name_scope(name):
            return self._tensor_rank_tensor()

    def _dimension_tensor(self, known, shape, at):
        return convert_to_tensor(known.value) if known.value is not None else self._shape_or_given(shape)[at]

    def _shape_or_given(self, shape):
        return self._shape_tensor() if shape is None else shape

    def _domain_dimension_tensor(self, shape=None):
        return self._dimension_tensor(self.domain_dimension, shape, -1)

    def domain_dimension_tensor(self, name="domain_dimension_tensor"):
        with self._name_scope(name):
            return self._domain_dimension_tensor()

    def _range_dimension_tensor(self, shape=None):
        return self._dimension_tensor(self.range_dimension, shape, -2)

    def range_dimension_tensor(self, name="range_dimension_tensor"):
        with self._name_scope(name):
            return self._range_dimension_tensor()

    # ---- promises that can be checked

    def _require_square(self, error, text):
        if self.is_square is False:
            raise error(text)

    def _max_condition_number_to_be_non_singular(self):
        """The condition number from which on a matrix counts as singular."""
        import numpy

        eps = float(numpy.finfo(self.dtype.as_numpy_dtype).eps)
        size = op("Maximum")(self._domain_dimension_tensor(), self._range_dimension_tensor())
        size = op("Maximum")(array_ops.cast(size, self.dtype.real_dtype), 100.0)
        return 1.0 / (eps * size)

    def _assert_non_singular(self):
        condition, limit = self.cond(), self._max_condition_number_to_be_non_singular()
        return require(op("Less")(condition, limit), "Singular matrix up to precision epsilon.", condition, limit)

    def assert_non_singular(self, name="assert_non_singular"):
        """An op (when executed at once: nothing) that raises InvalidArgumentError when a matrix is singular."""
        with self._name_scope(name):
            return self._assert_non_singular()

    def _assert_positive_definite(self):
        if not self.is_self_adjoint:
            raise NotImplementedError("assert_positive_definite is not implemented.")
        diagonal = real(linalg_ops.diag_part(linalg_ops.cholesky(self.to_dense())))
        return require(diagonal > 0, "Matrix was not positive definite.", diagonal)

    def assert_positive_definite(self, name="assert_positive_definite"):
        """The same when a matrix is not positive definite: Re(xᴴ A x) > 0 for all x."""
        with self._name_scope(name):
            return self._assert_positive_definite()

    def _assert_self_adjoint(self):
        dense = self.to_dense()
        return require(op("Equal")(dense, linalg_ops.adjoint(dense)), "Matrix was not equal to its adjoint.", dense)

    def assert_self_adjoint(self, name="assert_self_adjoint"):
        """The same when a matrix differs from its adjoint."""
        with self._name_scope(name):
            return self._assert_self_adjoint()

    def _can_use_cholesky(self):
        return bool(self.is_self_adjoint and self.is_positive_definite)

    # ---- arguments

    def _check_input_dtype(self, arg):
        if arg.dtype.base_dtype != self.dtype:
            raise TypeError(f"Expected argument to have dtype {self.dtype}.  Found: {arg.dtype} in tensor {arg}")

    def _argument(self, x, name, dimension, axis):
        x = convert_to_tensor(x, name=name)
        self._check_input_dtype(x)
        if x.shape.rank is not None:
            check_dimensions(dimension.value, x.shape[axis])
        return x

    # ---- products

    def matmul(self, x, adjoint=False, adjoint_arg=False, name="matmul"):
        """A x, or with Aᴴ and xᴴ: [..., M, R] of x [..., N, R]. The batches broadcast. Of an operator x: an operator."""
        if isinstance(x, LinearOperator):
            left, right = self.adjoint() if adjoint else self, x.adjoint() if adjoint_arg else x
            _check_operators(left, right, left.domain_dimension, right.range_dimension)
            with self._name_scope(name):
                return self._linop_matmul(left, right)
        with self._name_scope(name):
            dimension = self.range_dimension if adjoint else self.domain_dimension
            x = self._argument(x, "x", dimension, -1 if adjoint_arg else -2)
            return self._matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def __matmul__(self, other):
        return self.matmul(other)

    def __rmatmul__(self, other):
        return linalg_ops.adjoint(self.matmul(other, adjoint=True, adjoint_arg=True))

    def _matvec(self, x, adjoint=False):
        return array_ops.squeeze(self.matmul(array_ops.expand_dims(x, -1), adjoint=adjoint), -1)

    def matvec(self, x, adjoint=False, name="matvec"):
        """A x of vectors x, [..., N]."""
        with self._name_scope(name):
            x = self._argument(x, "x", self.range_dimension if adjoint else self.domain_dimension, -1)
            return self._matvec(x, adjoint=adjoint)

    # ---- systems

    def _dense_solve(self, rhs, adjoint=False, adjoint_arg=False):
        rhs = linalg_ops.adjoint(rhs) if adjoint_arg else rhs
        if self._can_use_cholesky():
            return batches.cholesky_solve_with_broadcast(linalg_ops.cholesky(self.to_dense()), rhs)
        return batches.matrix_solve_with_broadcast(self.to_dense(), rhs, adjoint=adjoint)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._dense_solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _require_solvable(self):
        text = "Exact solve not implemented for an operator that is expected to "
        if self.is_non_singular is False:
            raise NotImplementedError(text + "be singular.")
        self._require_square(NotImplementedError, text + "not be square.")

    def solve(self, rhs, adjoint=False, adjoint_arg=False, name="solve"):
        """x of A x = rhs, or with Aᴴ and rhsᴴ: [..., N, R] of rhs [..., M, R]. Of an operator: an operator.

        NotImplementedError when the operator is known to be singular, or not to be square.
        """
        self._require_solvable()
        if isinstance(rhs, LinearOperator):
            left, right = self.adjoint() if adjoint else self, rhs.adjoint() if adjoint_arg else rhs
            _check_operators(left, right, left.range_dimension, right.range_dimension)
            with self._name_scope(name):
                return self._linop_solve(left, right)
        with self._name_scope(name):
            dimension = self.domain_dimension if adjoint else self.range_dimension
            rhs = self._argument(rhs, "rhs", dimension, -1 if adjoint_arg else -2)
            return self._solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _solvevec(self, rhs, adjoint=False):
        return array_ops.squeeze(self.solve(array_ops.expand_dims(rhs, -1), adjoint=adjoint), -1)

    def solvevec(self, rhs, adjoint=False, name="solve"):
        """x of A x = rhs for vectors rhs, [..., M]."""
        with self._name_scope(name):
            rhs = self._argument(rhs, "rhs", self.domain_dimension if adjoint else self.range_dimension, -1)
            return self._solvevec(rhs, adjoint=adjoint)

    # ---- operators of operators

    def _linop_matmul(self, left_operator, right_operator):
        from .operator_algebra import matmul

        return matmul(left_operator, right_operator)

    def _linop_solve(self, left_operator, right_operator):
        from .operator_algebra import solve

        return solve(left_operator, right_operator)

    def _linop_adjoint(self):
        from .adjoint_operator import LinearOperatorAdjoint

        return LinearOperatorAdjoint(self, **hints_of(self))

    def adjoint(self, name="adjoint"):
        """Aᴴ as an operator."""
        if self.is_self_adjoint is True:
            return self
        with self._name_scope(name):
            return self._linop_adjoint()

    H = property(lambda self: self.adjoint(), doc="Aᴴ as an operator.")

    def _linop_inverse(self):
        from .inverse_operator import LinearOperatorInversion

        return LinearOperatorInversion(self, **hints_of(self))

    def inverse(self, name="inverse"):
        """The inverse as an operator. ValueError when the operator is known to be singular, or not to be square."""
        self._require_square(ValueError, "Cannot take the Inverse: This operator represents a non square matrix.")
        if self.is_non_singular is False:
            raise ValueError("Cannot take the Inverse: This operator represents a singular matrix.")
        with self._name_scope(name):
            return self._linop_inverse()

    def _linop_cholesky(self):
        from .lower_triangular_operator import LinearOperatorLowerTriangular

        factor = linalg_ops.cholesky(self.to_dense())
        return LinearOperatorLowerTriangular(factor, is_non_singular=True, is_self_adjoint=False, is_square=True)

    def cholesky(self, name="cholesky"):
        """L, lower triangular, of A = L Lᴴ, as an operator. ValueError unless A is known to be positive definite and self-adjoint."""
        if not self._can_use_cholesky():
            raise ValueError("Cannot take the Cholesky decomposition: Not a positive definite self adjoint matrix.")
        with self._name_scope(name):
            return self._linop_cholesky()

    # ---- numbers and tensors

    def _determinant(self):
        if self._can_use_cholesky():
            return array_ops.cast(op("Exp")(self.log_abs_determinant()), self.dtype)
        return linalg_ops.det(self.to_dense())

    def determinant(self, name="det"):
        """Determinants; NotImplementedError when the operator is known not to be square."""
        text = "Determinant not implemented for an operator that is expected to not be square."
        self._require_square(NotImplementedError, text)
        with self._name_scope(name):
            return self._determinant()

    def _log_abs_determinant(self):
        if self._can_use_cholesky():
            diagonal = real(linalg_ops.diag_part(linalg_ops.cholesky(self.to_dense())))
            return array_ops.cast(2 * op("Sum")(op("Log")(diagonal), [-1]), self.dtype)
        return linalg_ops.slogdet(self.to_dense())[1]

    def log_abs_determinant(self, name="log_abs_det"):
        """Logarithms of the absolute determinants."""
        text = "Determinant not implemented for an operator that is expected to not be square."
        self._require_square(NotImplementedError, text)
        with self._name_scope(name):
            return self._log_abs_determinant()

    def _diag_part(self):
        return linalg_ops.diag_part(self.to_dense())

    def diag_part(self, name="diag_part"):
        """The diagonals, [..., min(M, N)]."""
        with self._name_scope(name):
            return self._diag_part()

    def _trace(self):
        return op("Sum")(self.diag_part(), [-1])

    def trace(self, name="trace"):
        """Sums of the diagonals."""
        with self._name_scope(name):
            return self._trace()

    def _to_dense(self):
        return self.matmul(
            array_ops.eye(self._domain_dimension_tensor(), dtype=self.dtype, batch_shape=self._batch_shape_tensor())
        )

    def to_dense(self, name="to_dense"):
        """The matrices."""
        with self._name_scope(name):
            return self._to_dense()

    def _add_to_tensor(self, x):
        return self.to_dense() + x

    def add_to_tensor(self, x, name="add_to_tensor"):
        """A + x."""
        with self._name_scope(name):
            x = convert_to_tensor(x, name="x")
            self._check_input_dtype(x)
            return self._add_to_tensor(x)

    def _eigvals(self):
        return linalg_ops.eigvalsh(self.to_dense())

    def eigvals(self, name="eigvals"):
        """Eigenvalues; NotImplementedError unless the operator is known to be self-adjoint."""
        if not self.is_self_adjoint:
            raise NotImplementedError("Only self-adjoint matrices are supported.")
        with self._name_scope(name):
            return self._eigvals()

    def _cond(self):
        values = self._eigvals() if self.is_self_adjoint else linalg_ops.svd(self.to_dense(), compute_uv=False)
        return ratio_of_extremes(values)

    def cond(self, name="cond"):
        """Condition numbers: the largest singular value over the smallest."""
        with self._name_scope(name):
            return self._cond()

    # ---- as a value made of tensors

    def _field_value(self, name):
        """What the operator has as an argument of its constructor: a tensor where that is one."""
        return getattr(self, name, self._parameters.get(name))

    @property
    def _type_spec(self):
        return spec_class(type(self)).from_operator(self)

    def _shape_invariant_to_type_spec(self, shape):
        if shape is not None and shape != self.shape:
            raise NotImplementedError("A loop variable that is a linear operator keeps its shape")
        return self._type_spec

    def _convert_variables_to_tensors(self):
        from ..core import nest, variables

        def fixed(leaf):
            return convert_to_tensor(leaf) if isinstance(leaf, variables.Variable) else leaf

        def convert(value):
            if isinstance(value, LinearOperator):
                return value._convert_variables_to_tensors()
            return nest.map_structure(convert, value) if isinstance(value, (list, tuple)) else fixed(value)

        return type(self)(**{name: convert(value) for name, value in self._parameters.items()})

    def __getitem__(self, slices):
        from .operator_slicing import sliced

        return sliced(self, slices)


# ---- what subclasses use


def hints_of(operator):
    """The hints as a constructor takes them."""
    return {
        "is_non_singular": operator.is_non_singular,
        "is_self_adjoint": operator.is_self_adjoint,
        "is_positive_definite": operator.is_positive_definite,
        "is_square": operator.is_square,
    }


def constructor_arguments(values: dict):
    """`parameters`, of the constructor's locals()."""
    return {name: value for name, value in values.items() if name not in ("self", "__class__")}


def checked_type(tensor, argument, allowed=FLOATS_AND_COMPLEX):
    """TypeError unless the tensor has one of these types."""
    if tensor.dtype.base_dtype.name not in allowed:
        names = ", ".join(f"tf.{n}" for n in allowed)
        raise TypeError(f"Argument `{argument}` must have dtype in [{names}]. Received: {tensor.dtype}.")


def checked_rank(tensor, argument, least, value):
    """ValueError when the tensor is known to have fewer dimensions."""
    if tensor.shape.rank is not None and tensor.shape.rank < least:
        word = "dimension" if least == 1 else "dimensions"
        raise ValueError(f"Argument `{argument}` must have at least {least} {word}. Received: {value}.")


def check_dimensions(a, b):
    """ValueError when two sizes are known to differ."""
    if a is not None and b is not None and a != b:
        raise ValueError(f"Dimensions {a} and {b} are not compatible")


def _check_operators(left, right, expected, found):
    if expected.value is not None and found.value is not None and expected.value != found.value:
        raise ValueError(
            f"Operators are incompatible. Expected `x` to have dimension {expected.value} but got {found.value}."
        )


def require(condition, message, *data):
    """An op that raises InvalidArgumentError with the message unless all of the condition holds; at once, and None, where
    ops are executed at once."""
    return op("Assert")(math_ops.reduce_all(condition), [message, *data])


def real(x):
    """The real part of what may be complex."""
    return op("Real")(x, Tout=x.dtype.real_dtype) if x.dtype.is_complex else convert_to_tensor(x)


def conj(x):
    """The conjugate of what may be complex, as a tensor."""
    x = convert_to_tensor(x)
    return op("Conj")(x) if x.dtype.is_complex else x


def absolute(x):
    """Absolute values: real."""
    x = convert_to_tensor(x)
    return op("ComplexAbs")(x, Tout=x.dtype.real_dtype) if x.dtype.is_complex else op("Abs")(x)


def ratio_of_extremes(values):
    """The largest over the smallest absolute value of the last axis."""
    values = absolute(values)
    return op("Max")(values, [-1]) / op("Min")(values, [-1])
