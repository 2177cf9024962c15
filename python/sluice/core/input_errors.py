"""The errors of inputs whose types a node of a graph cannot have."""

from __future__ import annotations

import re

from . import dtypes, tensor


def other_type(info, arg, t, wanted):
    """The error that an input has another type than the op, or an input before it, asks for."""
    have, name = t.dtype.base_dtype.name, dtypes.by_number[wanted].name
    if arg.number_attr:
        return TypeError(
            f"Tensors in list passed to '{arg.name}' of '{info.name}' Op have types [{name}, {have}] that don't all match."
        )
    start = f"Input '{arg.name}' of '{info.name}' Op has type {have} that does not match "
    if not arg.type_attr:
        return TypeError(f"{start}expected type of {name}.")
    first = next((a.name for a in info.inputs if a.type_attr == arg.type_attr), arg.name)
    return TypeError(f"{start}type {name} of argument '{first}'.")


def not_allowed(info, inputs, message):
    """A TypeError instead of the library's message that an attr's type is none of those allowed; None for other messages."""
    found = re.match(r"Value for attr '(\w+)' of \w+ is not in the list of allowed values: ([\w, ]+)", message)
    if found is None:
        return None
    names = {"float": "float32", "double": "float64", "half": "float16"}
    allowed = ", ".join(names.get(n, n) for n in found[2].split(", "))
    for arg, value in zip(info.inputs, inputs):
        t = value[0] if isinstance(value, list) and value else value
        if arg.type_attr == found[1] and isinstance(t, tensor.Tensor):
            return TypeError(
                f"Value passed to parameter '{arg.name}' has DataType {t.dtype.base_dtype.name} not in list of allowed "
                f"values: {allowed}"
            )
    return None
