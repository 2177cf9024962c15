"""Ragged tensors as numpy arrays: compat.v1.ragged.RaggedTensorValue, and how they are shown."""

from __future__ import annotations

import numpy as np


class RaggedTensorValue:
    """The values and row_splits of a ragged tensor as numpy arrays; values may be a RaggedTensorValue."""

    _is_no_tensor = True  # conversion to a tensor refuses it, as it refuses a RaggedTensor

    def __init__(self, values, row_splits):
        if not (isinstance(row_splits, (np.ndarray, np.generic)) and row_splits.dtype in (np.int64, np.int32)):
            raise TypeError("row_splits must be a 1D int32 or int64 numpy array")
        if row_splits.ndim != 1:
            raise TypeError("row_splits must be a 1D int32 or int64 numpy array")
        if not isinstance(values, (np.ndarray, np.generic, RaggedTensorValue)):
            raise TypeError("values must be a numpy array or a RaggedTensorValue")
        if isinstance(values, RaggedTensorValue) and row_splits.dtype != values.row_splits.dtype:
            raise ValueError("row_splits and values.row_splits must have the same dtype")
        self._values, self._row_splits = values, row_splits

    values = property(lambda self: self._values)
    row_splits = property(lambda self: self._row_splits)
    dtype = property(lambda self: self._values.dtype)

    @property
    def flat_values(self):
        """The innermost values, an array."""
        return self._values.flat_values if isinstance(self._values, RaggedTensorValue) else self._values

    @property
    def nested_row_splits(self):
        """row_splits of each partition, the outermost first."""
        inner = self._values.nested_row_splits if isinstance(self._values, RaggedTensorValue) else ()
        return (self._row_splits, *inner)

    @property
    def ragged_rank(self):
        return len(self.nested_row_splits)

    @property
    def shape(self):
        """A tuple with the number of rows, and None for dimensions whose rows differ."""
        return (len(self._row_splits) - 1, None, *self._values.shape[1:])

    @property
    def _nested_row_partitions(self):
        return self.nested_row_splits

    def rows(self) -> list:
        """Each row: an array, or a RaggedTensorValue."""
        splits = self._row_splits
        return [_part(self._values, splits[i], splits[i + 1]) for i in range(len(splits) - 1)]

    def to_list(self):
        """Nested Python lists."""
        return [row.to_list() if isinstance(row, RaggedTensorValue) else row.tolist() for row in self.rows()]

    def as_array(self):
        """An array where all rows have one length, otherwise one of type object with the rows."""
        values = self._values.as_array() if isinstance(self._values, RaggedTensorValue) else self._values
        rows = [values[start:stop] for start, stop in zip(self._row_splits[:-1], self._row_splits[1:])]
        if not rows:
            return np.zeros((0, 0, *values.shape[1:]), values.dtype)
        if len({len(row) for row in rows}) == 1:
            return np.stack(rows)
        made = np.empty(len(rows), dtype=object)
        for i, row in enumerate(rows):
            made[i] = row
        return made

    def __str__(self):
        return f"<tf.RaggedTensorValue {self.to_list()}>"

    def __repr__(self):
        return f"tf.RaggedTensorValue(values={self._values!r}, row_splits={self._row_splits!r})"


def _part(values, start, stop):
    if not isinstance(values, RaggedTensorValue):
        return values[start:stop]
    splits = values.row_splits[start : stop + 1]
    return RaggedTensorValue(_part(values.values, splits[0], splits[-1]), splits - splits[0])


def text_of_rows(value) -> str:
    """How a ragged tensor is shown: as numpy shows an array whose elements are the rows."""
    return _array_text(value.as_array())


def _array_text(array) -> str:
    if array.size == 0:
        return str(array.tolist())
    return np.array2string(array, separator=", ", formatter={"all": _element_text})


def _element_text(x) -> str:
    return _array_text(x) if isinstance(x, np.ndarray) else repr(x) if isinstance(x, (bytes, str)) else str(x)
