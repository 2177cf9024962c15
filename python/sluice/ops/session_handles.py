"""Tensors that stay with a session between its steps: what is fetched is a handle, which other steps are fed."""

from __future__ import annotations

from ..core import dtypes
from ..core.op_defs import op
from . import array_ops


def get_session_handle(data, name=None):
    """A handle of the tensor: a step that fetches it keeps the tensor, and gives a TensorHandle."""
    if not isinstance(data, array_ops.Tensor):
        raise TypeError(f"`data` must be of type Tensor. Received: {data!r}")
    return op("GetSessionHandle")(data, name=name)


def get_session_tensor(handle, dtype, name=None):
    """(placeholder of a handle, the tensor of this type that it stands for)."""
    holder = op("Placeholder")(dtype="string", shape=[])
    return holder, op("GetSessionTensor")(holder, dtype=dtypes.as_dtype(dtype), name=name)


def delete_session_tensor(handle, name=None):
    """(placeholder of a handle, the op that frees its tensor)."""
    holder = op("Placeholder")(dtype="string", shape=[])
    return holder, op("DeleteSessionTensor")(holder, name=name)
