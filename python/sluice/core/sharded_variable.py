"""A variable in parts along its first axis: each part is a variable, as partitioners of layers and strategies make them."""

from __future__ import annotations

from . import tensor_shape, variables
from .op_defs import op
from .trackable import Trackable


class ShardedVariable(Trackable):
    """Variables that are one when they are read, assigned and saved. ValueError unless they fit together along axis 0."""

    is_tensor_like = True

    def __init__(self, variables, name="ShardedVariable"):
        if not variables or not all(_is_variable(v) for v in variables):
            raise TypeError("Argument `variables` should be a non-empty list of `variables.Variable`s")
        first = variables[0]
        for v in variables:
            if v.dtype != first.dtype:
                raise ValueError("All elements in argument `variables` must have the same dtype.")
            if v.shape.rank is None or v.shape.rank < 1 or v.shape[1:] != first.shape[1:]:
                raise ValueError(
                    "All elements in argument `variables` must have the same shapes except for the first axis."
                )
        self._variables, self._name = list(variables), name

    variables = property(lambda self: self._variables)
    name = property(lambda self: self._name)
    dtype = property(lambda self: self._variables[0].dtype)
    trainable = property(lambda self: self._variables[0].trainable)

    @property
    def shape(self):
        rows = sum(v.shape[0] for v in self._variables)
        return tensor_shape.TensorShape([rows, *self._variables[0].shape.as_list()[1:]])

    def __len__(self):
        return len(self._variables)

    def __iter__(self):
        return iter(self._variables)

    def _whole(self):
        return op("ConcatV2")([v.read_value() for v in self._variables], 0)

    def read_value(self):
        """Its value: the parts one after the other."""
        return self._whole()

    def numpy(self):
        return self._whole().numpy()

    def __tf_tensor__(self, dtype=None, name=None):
        made = self._whole()
        if dtype is not None and dtype != made.dtype:
            raise ValueError(
                f"Incompatible type conversion requested to type {dtype.name} for variable of type {made.dtype.name}"
            )
        return made

    def __getitem__(self, key):
        return self._whole()[key]

    def _by_part(self, method, value):
        from ..ops.array_ops import convert_to_tensor, split

        sizes = [v.shape[0] for v in self._variables]
        for v, part in zip(self._variables, split(convert_to_tensor(value, self.dtype), sizes)):
            getattr(v, method)(part)
        return self

    def assign(self, value):
        """Gives each part its rows of the value."""
        return self._by_part("assign", value)

    def assign_add(self, delta):
        return self._by_part("assign_add", delta)

    def assign_sub(self, delta):
        return self._by_part("assign_sub", delta)

    def __repr__(self):
        return (
            f"<ShardedVariable {self._name!r} shape={self.shape} dtype={self.dtype.name} parts={len(self._variables)}>"
        )

    # ---- in checkpoints: one value

    def _serialize_to_tensors(self):
        return {"VARIABLE_VALUE": self._whole()}

    def _restore_from_tensors(self, restored_tensors):
        return self.assign(restored_tensors["VARIABLE_VALUE"])


def _is_variable(value) -> bool:
    return isinstance(value, variables.Variable)
