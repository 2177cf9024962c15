"""Exceptions, one for each of the codes with which the library fails."""

from __future__ import annotations

import re


_OF_AN_OP = re.compile(r"(.* \[Op:\w+\])( name: [^\[\n]*)?", re.DOTALL)


class OpError(Exception):
    """An op failed. `message` says why, `error_code` is the code, `op` the operation of a graph, or None."""

    def __init__(self, node_def, op, message, error_code, *args):
        super().__init__()
        self._node_def, self._op, self._message, self._error_code = node_def, op, message, error_code

    message = property(lambda self: self._message)
    op = property(lambda self: self._op)
    node_def = property(lambda self: self._node_def)
    error_code = property(lambda self: self._error_code)
    experimental_payloads = property(lambda self: {})

    def __str__(self):
        return str(self._message)

    def with_name(self, name):
        """Itself, of an eager op: its message tells this name. None: no name."""
        found = _OF_AN_OP.fullmatch(str(self._message))
        if found:
            self._message = found[1] + (f" name: {name}" if name is not None else "")
        return self

    def __reduce__(self):
        return type(self), (self._node_def, None, self._message) + (
            () if type(self) is not OpError else (self._error_code,)
        )


OK, CANCELLED, UNKNOWN, INVALID_ARGUMENT, DEADLINE_EXCEEDED, NOT_FOUND, ALREADY_EXISTS, PERMISSION_DENIED = range(8)
RESOURCE_EXHAUSTED, FAILED_PRECONDITION, ABORTED, OUT_OF_RANGE, UNIMPLEMENTED, INTERNAL, UNAVAILABLE, DATA_LOSS = range(
    8, 16
)
UNAUTHENTICATED = 16

classes: dict[int, type] = {}


def _class(name: str, code: int):
    def init(self, node_def, op, message, *args):
        OpError.__init__(self, node_def, op, message, code)

    made = type(name, (OpError,), {"__init__": init, "__module__": __name__, "__doc__": f"The code {code}."})
    classes[code] = made
    return made


CancelledError = _class("CancelledError", CANCELLED)
UnknownError = _class("UnknownError", UNKNOWN)
InvalidArgumentError = _class("InvalidArgumentError", INVALID_ARGUMENT)
DeadlineExceededError = _class("DeadlineExceededError", DEADLINE_EXCEEDED)
NotFoundError = _class("NotFoundError", NOT_FOUND)
AlreadyExistsError = _class("AlreadyExistsError", ALREADY_EXISTS)
PermissionDeniedError = _class("PermissionDeniedError", PERMISSION_DENIED)
ResourceExhaustedError = _class("ResourceExhaustedError", RESOURCE_EXHAUSTED)
FailedPreconditionError = _class("FailedPreconditionError", FAILED_PRECONDITION)
AbortedError = _class("AbortedError", ABORTED)
OutOfRangeError = _class("OutOfRangeError", OUT_OF_RANGE)
UnimplementedError = _class("UnimplementedError", UNIMPLEMENTED)
InternalError = _class("InternalError", INTERNAL)
UnavailableError = _class("UnavailableError", UNAVAILABLE)
DataLossError = _class("DataLossError", DATA_LOSS)
UnauthenticatedError = _class("UnauthenticatedError", UNAUTHENTICATED)


class InaccessibleTensorError(ValueError, TypeError):
    """A tensor is used in a graph that cannot reach the graph that has it."""


class OperatorNotAllowedInGraphError(TypeError):
    """Python asked for the value of a tensor of a graph, which is not there yet."""
