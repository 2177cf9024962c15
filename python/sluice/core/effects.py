"""The order of nodes with effects in a function: what a node waits for is told by the resources that it reads and changes.

read of a resource     waits for the last change of it
change of a resource   waits for the last change of it, and for the reads since
stateful, no resource  waits for the last node of this kind: what is printed, written and called keeps its order

Who takes elements of a dataset, or has an iterator over it, changes what the dataset's functions captured.
"""

from __future__ import annotations

from . import attr_value, dtypes

_resource, _variant = dtypes.resource.as_datatype_enum, dtypes.variant.as_datatype_enum

# Ops that change nothing of the resources that they take.
_READERS = {"ReadVariableOp", "ResourceGather", "ResourceGatherNd", "VariableShape", "_ReadVariablesOp"}

# Ops that keep state, yet need no order: what they give does not depend on when they run.
UNORDERED = {
    "AnonymousIterator",
    "Multinomial",
    "Placeholder",
    "PlaceholderWithDefault",
    "RandomGammaGrad",
    "RandomShuffle",
    "RandomStandardNormal",
    "RandomUniform",
    "RandomUniformInt",
    "TruncatedNormal",
    "VarHandleOp",
    "VariableV2",
    "_Arg",
}

# By op that calls functions: the input that is their first argument, and the attrs that name them.
_CALLERS = {
    "StatefulPartitionedCall": (0, ("f",)),
    "PartitionedCall": (0, ("f",)),
    "If": (1, ("then_branch", "else_branch")),
    "StatelessIf": (1, ("then_branch", "else_branch")),
    "Case": (1, ("branches",)),
    "StatelessCase": (1, ("branches",)),
    "While": (0, ("cond", "body")),
    "StatelessWhile": (0, ("cond", "body")),
}


def _called(graph, type_, attrs):
    """The functions that a node calls, as the graph knows them: None for one that it knows by its name alone."""
    names = _CALLERS[type_][1]
    found = []
    for name, data in attrs:
        if name in names:
            value = attr_value.decode(data)
            found += [graph._functions.get(f.name) for f in (value if isinstance(value, list) else [value])]
    return found


def _root(t):
    """The handle that a tensor is a copy of."""
    while t.op.type == "Identity":
        t = t.op.inputs[0]
    return t


def _captured(tensors) -> list:
    """The handles that datasets have captured, and those that they read."""
    found, seen, ahead = [], set(), [t for t in tensors if t._dtype_number == _variant]
    while ahead:
        op = ahead.pop().op
        if id(op) in seen or not op.type.rstrip("V0123456789").endswith("Dataset"):
            continue
        seen.add(id(op))
        for t in op.inputs:
            if t._dtype_number == _resource:
                found.append(_root(t))
            elif t._dtype_number == _variant:
                ahead.append(t)
    return found


class Order:
    """What has happened so far in one function's graph."""

    def __init__(self):
        self.changed: set[int] = set()  # ids of the handles that something in the function changes
        self.has_outside = False  # whether it has nodes whose order does not follow from handles
        self._last_outside = None
        self._changes: dict[int, object] = {}  # by handle, the last change
        self._reads: dict[int, list] = {}  # by handle, the reads since
        self._over: dict[int, list] = {}  # by an iterator's handle, what its dataset captured
        self._next = None

    def _effects(self, graph, type_, inputs, attrs, is_stateful):
        """(handles that are read, handles that are changed, whether it is ordered by itself)."""
        handles = [(i, _root(t)) for i, t in enumerate(inputs) if t._dtype_number == _resource]
        if type_ in _CALLERS:
            first, functions = _CALLERS[type_][0], _called(graph, type_, attrs)
            bodies = [getattr(f, "effects", None) for f in functions]
            changed = [t for i, t in handles if any(b is None or b.changes(i - first) for b in bodies)]
            outside = any(b is None or b.has_outside for b in bodies)
        else:
            changed = [t for _, t in handles if type_ not in _READERS]
            outside = is_stateful and not handles
        within = _captured(inputs)
        if type_ == "MakeIterator":
            self._over[id(handles[-1][1])] = within
        else:
            changed += within + [t for _, handle in handles for t in self._over.get(id(handle), ())]
        kept = {id(t) for t in changed}
        return [t for _, t in handles if id(t) not in kept], changed, outside

    def before(self, graph, type_, inputs, attrs, is_stateful) -> list:
        """The operations that a new node waits for."""
        self._next = self._effects(graph, type_, inputs, attrs, is_stateful)
        read, changed, outside = self._next
        found = [self._changes.get(id(t)) for t in (*read, *changed)]
        for t in changed:
            found += self._reads.get(id(t), ())
        if outside:
            found.append(self._last_outside)
        return [o for o in found if o is not None]

    def made(self, op):
        """The node that was asked about last is made."""
        read, changed, outside = self._next
        for t in read:
            self._reads.setdefault(id(t), []).append(op)
        for t in changed:
            self._changes[id(t)], self._reads[id(t)] = op, []
            self.changed.add(id(t))
        if outside:
            self._last_outside, self.has_outside = op, True


class Effects:
    """What a traced function does with its arguments."""

    def __init__(self, order, arguments):
        self._changed = {i for i, t in enumerate(arguments) if id(t) in order.changed}
        self.has_outside = order.has_outside

    def changes(self, argument) -> bool:
        return argument in self._changed
