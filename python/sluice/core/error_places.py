"""Of an error of a node: the operation, the lines of the program that made it, and as notes of the exception what it reads and
what would be right. Sessions and calls of functions ask."""

from __future__ import annotations

import re

_NODE = re.compile(r"\{\{node ([^}]*)\}\}")
_TOLD = re.compile(r"(?:Watching numbers: |Waiting: (?:.*? )?)node '([^']*)' \(")  # what made a NaN, what waits


def told(error, graph):
    """The error with what it is about, found by the name in its message; the error itself where nothing is known of that."""
    found = _TOLD.search(error.message) or _NODE.search(error.message)
    path = _path(graph, found.group(1)) if found else []
    saved = _saved_place(graph, found.group(1)) if found and not any(op._made_at for op in path) else None
    if saved:
        return _told_of_saved(error, graph, *saved)
    if not path:
        if hasattr(error, "_place"):
            _add_notes(error, error, graph)
        return error
    op, message = path[-1], error.message
    lines = [f'  File "{file}", line {line}, in {function}' for file, line, function in _places(path)]
    if lines:
        message += f"\n\nOperation {op.name!r} was made here:\n" + "\n".join(lines)
    elif "gradient" in op.name:
        message += _forward(op)
    made = type(error)(None, op, message)
    made._lazy_node_def = op
    _add_notes(made, error, graph)
    return made


def _saved_place(graph, name):
    """Of a node in a function of a loaded model: its name there and the place that made it; None: not known."""
    end = name.find("/")
    while end > 0:
        caller, rest = graph._ops.get(name[:end]), name[end + 1 :]
        if caller is not None:
            # In loops and branches the function's attr comes first.
            for inner in (rest, rest.partition("/")[2]):
                found = _saved_in_calls(graph, caller, inner)
                if found:
                    return found
        end = name.find("/", end + 1)
    return None


def _saved_in_calls(graph, caller, name):
    """The same within the functions that a node names."""
    found = None
    if getattr(graph, "saved_lines", None) is not None:
        found = graph.saved_lines.place(_function_names(caller), name)
    for function in _functions(graph, caller):
        found = found or _saved_place(function.graph, name)
    return found


def _told_of_saved(error, graph, name, place):
    file, line, function = place
    made = type(error)(
        None, None, f'{error.message}\n\nOperation {name!r} was made here:\n  File "{file}", line {line}, in {function}'
    )
    _add_notes(made, error, graph)
    return made


def _add_notes(made, error, graph):
    for sentence in graph.native.explain(error.error_code, error.message, getattr(error, "_place", "")).splitlines():
        made.add_note(sentence)


def _forward(op):
    """Of a node of gradients, which no line has made: what it reads of the forward pass, and where that was made."""
    made = [(t.op.name, t.op._made_at) for t in op.inputs if t.op._made_at]
    return "".join(
        f'\n\nIt reads {name!r}, which was made here:\n  File "{file}", line {line}, in {function}'
        for name, (file, line, function) in made[:2]
    )


def _places(path):
    """Where each was made, from outside in, none twice in a row."""
    made = []
    for op in path:
        if op._made_at and made[-1:] != [op._made_at]:
            made.append(op._made_at)
    return made


def _path(graph, name):
    """The operation of that name, after those whose functions it is in: in steps it has the names of all of them."""
    found = graph._ops.get(name)
    if found is not None:
        return [found]
    end = name.rfind("/")
    while end > 0:
        caller = graph._ops.get(name[:end])
        if caller is not None:
            rest = name[end + 1 :]
            for function in _functions(graph, caller):
                # In loops and branches the function's attr comes first.
                for inner in (rest, rest.partition("/")[2]):
                    path = _path(function.graph, inner) if inner else []
                    if path:
                        return [caller, *path]
        end = name.rfind("/", 0, end)
    return []


def _function_names(op):
    """Those that a node names in its attrs."""
    names = []
    for value in op.node_def.attr.values():
        names += [value.func.name] if value.HasField("func") else [f.name for f in value.list.func]
    return names


def _functions(graph, op):
    """Those of them whose graphs are there."""
    found = (graph._functions.get(name) for name in _function_names(op))
    return [f for f in found if getattr(f, "graph", None) is not None]
