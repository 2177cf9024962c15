"""Matrices of which the elements that are not zero are held by rows (CSR): variants, batched or not, with their type and shape.

What `tensorflow.python.ops.linalg.sparse.sparse` has for packages. A matrix has rank 2, or 3 with a batch of matrices.
"""

from __future__ import annotations

from ..core import dtypes
from ..core.op_defs import op
from ..core.tensor_shape import TensorShape
from . import array_ops
from .array_ops import convert_to_tensor
from .sparse_tensor import SparseTensor


class CSRSparseMatrix:
    """A matrix, or a batch of them, of a SparseTensor, or of a dense tensor's elements at `indices` (those that are not zero).

    ValueError for other ranks than 2 and 3; types are float32, float64, complex64 and complex128.
    """

    def __init__(self, value, indices=None, name=None):
        if isinstance(value, SparseTensor):
            if indices is not None:
                raise ValueError("indices must be None if value is a SparseTensor.")
            self._dtype, self._shape = value.dtype, value.shape
            self._matrix = op("SparseTensorToCSRSparseMatrix")(value.indices, value.values, value.dense_shape, name=name)
        else:
            value = convert_to_tensor(value)
            places = array_ops.where(op("NotEqual")(value, array_ops.zeros_like(value))) if indices is None else indices
            self._dtype, self._shape = value.dtype, value.shape
            self._matrix = op("DenseToCSRSparseMatrix")(value, convert_to_tensor(places, "int64"), name=name)
        if self._shape.rank not in (None, 2, 3):
            raise ValueError(f"A matrix or a batch of them has rank 2 or 3, not {self._shape.rank}")

    @classmethod
    def _of(cls, matrix, dtype, shape):
        made = cls.__new__(cls)
        made._matrix, made._dtype, made._shape = matrix, dtypes.as_dtype(dtype), shape
        return made

    dtype = property(lambda self: self._dtype)
    shape = property(lambda self: self._shape)
    name = property(lambda self: self._matrix.name)
    graph = property(lambda self: self._matrix.graph)

    def get_shape(self):
        return self._shape

    def nnz(self):
        """int32: how many elements are held, of each matrix of a batch."""
        return op("SparseMatrixNNZ")(self._matrix)

    def to_dense(self):
        """All elements, as a tensor."""
        return op("CSRSparseMatrixToDense")(self._matrix, type=self._dtype)

    def to_sparse_tensor(self):
        """The same as a SparseTensor, in its order."""
        return SparseTensor(*op("CSRSparseMatrixToSparseTensor")(self._matrix, type=self._dtype))

    def _turned(self, conjugate):
        shape = self._shape
        if shape.rank is not None:
            *batch, rows, columns = shape.as_list()
            shape = [*batch, columns, rows]
        turned = op("SparseMatrixTranspose")(self._matrix, conjugate=conjugate, type=self._dtype)
        return CSRSparseMatrix._of(turned, self._dtype, TensorShape(shape))

    def transpose(self):
        """Rows as columns."""
        return self._turned(False)

    def hermitian_transpose(self):
        """Rows as columns, of the conjugates."""
        return self._turned(True)

    def conj(self):
        """The conjugates."""
        return self._turned(True)._turned(False) if self._dtype.is_complex else self


def matmul(a, b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False, name=None):
    """The product of two matrices of which one or both are sparse: a CSRSparseMatrix where both are, else a tensor.

    ValueError when neither is sparse, or when a matrix is to be both transposed and adjoint.
    """
    for matrix, transposes, adjoins in (("a", transpose_a, adjoint_a), ("b", transpose_b, adjoint_b)):
        if transposes and adjoins:
            raise ValueError(f"transpose_{matrix} and adjoint_{matrix} cannot both be True")
    turns = {"transpose_a": transpose_a, "transpose_b": transpose_b, "adjoint_a": adjoint_a, "adjoint_b": adjoint_b}
    is_sparse = isinstance(a, CSRSparseMatrix), isinstance(b, CSRSparseMatrix)
    if all(is_sparse):
        product = op("SparseMatrixSparseMatMul")(a._matrix, b._matrix, type=a.dtype, name=name, **turns)
        return CSRSparseMatrix._of(product, a.dtype, _shape_of_product(a.shape, b.shape, turns))
    if is_sparse[0]:
        return op("SparseMatrixMatMul")(a._matrix, convert_to_tensor(b), name=name, **turns)
    if not is_sparse[1]:
        raise ValueError("One of the matrices must be a CSRSparseMatrix")
    # a b = (b' a')': the op wants the sparse one first.
    a, left = convert_to_tensor(a), b if transpose_b else b.conj() if adjoint_b else b.transpose()
    return op("SparseMatrixMatMul")(
        left._matrix,
        op("Conj")(a) if adjoint_a and a.dtype.is_complex else a,
        transpose_b=not (transpose_a or adjoint_a),
        transpose_output=True,
        name=name,
    )


def _shape_of_product(a, b, turns):
    if a.rank is None or b.rank is None:
        return TensorShape(None)
    rows = a[-1] if turns["transpose_a"] or turns["adjoint_a"] else a[-2]
    columns = b[-2] if turns["transpose_b"] or turns["adjoint_b"] else b[-1]
    return a[:-2].concatenate([rows, columns])
