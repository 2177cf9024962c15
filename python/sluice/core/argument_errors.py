"""What a program that makes a node is told of an attr that the op does not allow."""

from __future__ import annotations

import re

from . import op_defs

_NOT_ALLOWED = re.compile(r"Value for attr '(\w+)' of (.+?) is not in the list of allowed values: ([^\n]*)")
_TYPE_NAMES = {"half": "float16", "float": "float32", "double": "float64"}


def of_node(type_: str, message: str) -> Exception:
    """The ValueError or TypeError for what the library says of a node."""
    found = _NOT_ALLOWED.search(message)
    if found is None:
        return ValueError(message)
    attr, value, allowed = found.groups()
    if value.startswith('"'):
        return ValueError(f"Attr '{attr}' of '{type_}' Op passed string '{value[1:-1]}' not in: {allowed}.")
    info = op_defs.info(type_)
    parameter = next((a.name for a in info.inputs if attr in (a.type_attr, a.type_list_attr)), attr)
    names = ", ".join(_TYPE_NAMES.get(n, n) for n in allowed.split(", "))
    return TypeError(
        f"Value passed to parameter '{parameter}' has DataType {_TYPE_NAMES.get(value, value)} not in list of allowed "
        f"values: {names}"
    )
