"""What a Saver saves and restores: variables, partitions of variables, and objects that say themselves how."""

from __future__ import annotations

import collections

from ..compat import v1
from ..core import scopes, tensor
from ..core.op_defs import op
from . import training_variables


class SaveSpec:
    """A tensor of a checkpoint: the tensor, or a function that gives it; its slice as text; its name; its type."""

    def __init__(self, tensor, slice_spec, name, dtype=None, device=None):
        self._tensor, self.slice_spec, self.name = tensor, slice_spec, name
        if dtype is None and callable(tensor):
            raise AssertionError("When passing a callable `tensor` to a SaveSpec, an explicit dtype must be provided.")
        self.dtype = tensor.dtype if dtype is None else dtype
        self._device = device

    @property
    def tensor(self):
        return self._tensor() if callable(self._tensor) else self._tensor

    @property
    def device(self):
        return self._device if self._device is not None else getattr(self._tensor, "device", "")


class SaveableObject:
    """Something with state: `specs` are its tensors, `restore(tensors, shapes)` gives it others. op: what it is of."""

    def __init__(self, op, specs, name):
        self.op, self.specs, self.name = op, specs, name

    @property
    def optional_restore(self):
        return False

    @property
    def device(self):
        return self.specs[0].device if self.specs else ""

    def restore(self, restored_tensors, restored_shapes):
        raise ValueError("Calling an abstract method.")


class _VariableSaveable(SaveableObject):
    def __init__(self, variable, slice_spec, name):
        self._variable = variable
        spec = SaveSpec(
            lambda: v1.identity(variable.read_value()) if _has_handle(variable) else variable._ref(),
            slice_spec,
            name,
            dtype=variable.dtype.base_dtype,
            device=variable.device,
        )
        super().__init__(variable, [spec], name)

    def restore(self, restored_tensors, restored_shapes):
        (value,) = restored_tensors
        if restored_shapes is not None:
            value = v1.reshape(value, restored_shapes[0])
        shape = self._variable.get_shape()
        if _has_handle(self._variable):
            # The shape of what was read is known when it runs; the op refuses one that does not fit.
            if not isinstance(value, tensor.EagerTensor) and restored_shapes is None and value.shape.rank is None:
                value.set_shape(shape)
            if isinstance(value, tensor.EagerTensor) and not shape.is_compatible_with(value.shape):
                raise ValueError(
                    f"Received incompatible tensor with shape {value.shape} when attempting to restore variable with shape "
                    f"{shape} and name {self.name}."
                )
            return op("AssignVariableOp")(self._variable.handle, value)
        return op("Assign")(
            self._variable._ref(), value, validate_shape=restored_shapes is None and shape.is_fully_defined()
        )


def _has_handle(variable) -> bool:
    return getattr(variable, "handle", None) is not None


def is_partitioned(value) -> bool:
    return hasattr(value, "_get_variable_list") or type(value).__name__ == "PartitionedVariable"


def _parts(value):
    return list(value._get_variable_list()) if hasattr(value, "_get_variable_list") else list(value)


def name_of(variable) -> str:
    """The name under which a list's variable is saved."""
    info = getattr(variable, "_save_slice_info", None)
    if info is not None:
        return info.full_name
    if scopes.executing_eagerly():
        return getattr(variable, "_shared_name", None) or variable.name.partition(":")[0]
    return variable.op.name


def _sort(var_list) -> dict:
    """name -> variable, partitions, or object."""
    named: dict = {}
    for v in sorted(var_list, key=lambda v: v.name):
        if isinstance(v, SaveableObject):
            named[v.name] = v
        elif is_partitioned(v):
            if v.name in named:
                raise ValueError(f"At least two variables have the same name: {v.name}")
            named[v.name] = v
        elif getattr(v, "_save_slice_info", None) is not None:
            name = v._save_slice_info.full_name
            if name in named and not isinstance(named[name], list):
                raise ValueError(f"Mixing slices and non-slices with the same name: {name}")
            named.setdefault(name, []).append(v)
        elif not training_variables.is_variable(v):
            raise TypeError(f"Variable to save is not a Variable: {v}")
        else:
            name = name_of(v)
            if name in named:
                if named[name] is v:
                    continue
                raise ValueError(f"At least two variables have the same name: {name}")
            named[name] = v
    return named


def saveables_of(var_list) -> list[SaveableObject]:
    """The objects to save for a list, or a dictionary by name, of variables and saveable objects.

    ValueError when two have one name, or one has two; TypeError when something is neither.
    """
    named = dict(var_list) if isinstance(var_list, collections.abc.Mapping) else _sort(var_list)
    made, seen = [], set()
    for name in sorted(named):
        if not isinstance(name, str):
            raise TypeError(
                f"names_to_saveables must be a dict mapping string names to checkpointable operations. Name is not a string: {name}"
            )
        for saveable in _of(name, named[name]):
            for source in [saveable.op]:
                if id(source) in seen:
                    raise ValueError(f"The same saveable will be restored with two names: {name}")
                seen.add(id(source))
            made.append(saveable)
    return made


def _of(name, value):
    if isinstance(value, SaveableObject):
        return [value]
    if is_partitioned(value) or isinstance(value, (list, tuple)):
        return [_part(name, v) for v in (_parts(value) if is_partitioned(value) else value)]
    if training_variables.is_variable(value):
        info = getattr(value, "_save_slice_info", None)
        return [_VariableSaveable(value, info.spec if info is not None else "", name)]
    if hasattr(value, "_gather_saveables_for_checkpoint"):
        made = []
        for key, factory in value._gather_saveables_for_checkpoint().items():
            full = name if key in ("", "VARIABLE_VALUE") else f"{name}_{key}"
            made.append(factory(full) if callable(factory) else _of(full, factory)[0])
        return made
    if (
        isinstance(value, tensor.Tensor)
        and getattr(value, "op", None) is not None
        and value.op.type in ("VariableV2", "Variable")
    ):
        return [_ReferenceSaveable(value, "", name)]
    raise TypeError(
        f"names_to_saveables must be a dict mapping string names to Tensors/Variables. Not a variable: {value}"
    )


class _ReferenceSaveable(SaveableObject):
    """The output of a variable's node, without its object."""

    def __init__(self, ref, slice_spec, name):
        super().__init__(ref, [SaveSpec(ref, slice_spec, name, ref.dtype.base_dtype)], name)

    def restore(self, restored_tensors, restored_shapes):
        (value,) = restored_tensors
        value = v1.reshape(value, restored_shapes[0]) if restored_shapes is not None else value
        return op("Assign")(self.op, value, validate_shape=restored_shapes is None)


def _part(name, variable):
    if not training_variables.is_variable(variable):
        raise ValueError(f"Slices must all be Variables: {variable}")
    info = getattr(variable, "_save_slice_info", None)
    if info is None:
        raise ValueError(f"Slices must all be slices: {variable}")
    return _VariableSaveable(variable, info.spec, name)
