"""Graphs of TensorFlow 1 with reference variables, rewritten to resource variables, which functions can hold."""

from __future__ import annotations

from ..core import messages

_MAKERS = {"Variable", "VariableV2"}
_WRITERS = {"Assign": "AssignVariableOp", "AssignAdd": "AssignAddVariableOp", "AssignSub": "AssignSubVariableOp"}


def to_resources(graph_def):
    """A copy of a GraphDef in which reference variables are resource variables, and the names of the variables that were.

    A variable keeps its name, reads and assignments keep theirs. NotImplementedError for other ops that need references.
    """
    makers = {n.name: n for n in graph_def.node if n.op in _MAKERS}
    if not makers:
        return graph_def, set()
    made = messages.GraphDef()
    made.CopyFrom(graph_def)
    del made.node[:]
    refs = _references(graph_def, makers)
    read: set[str] = set()
    for node in graph_def.node:
        copy = made.node.add()
        copy.CopyFrom(node)
        if node.op in _MAKERS:
            _make(copy)
        elif node.op in _WRITERS and node.name in refs:
            _write(copy, refs)
        elif node.op == "IsVariableInitialized":
            copy.op = "VarIsInitializedOp"
            copy.attr.clear()
            copy.input[0] = refs[_node_of(node.input[0])]
        elif node.op == "Identity" and node.name not in refs and _node_of(node.input[0]) in refs:
            copy.op = "ReadVariableOp"
            dtype = node.attr["T"].type % 100
            _keep(copy, "_class")
            copy.attr["dtype"].type = dtype
            _redirect(copy, refs)
        elif node.name in refs:
            copy.op = "NoOp"  # passes a reference on: those who use it go to the variable
            copy.attr.clear()
            controls = [i for i in node.input if i.startswith("^")] + [
                f"^{_node_of(i)}" for i in node.input if i[0] != "^"
            ]
            del copy.input[:]
            copy.input.extend(controls)
        else:
            _read_inputs(copy, refs, read)
    for name in sorted(read):
        variable, after = name.split("|") if "|" in name else (name, "")
        node = made.node.add(name=_reader(name), op="ReadVariableOp", input=[variable])
        node.attr["dtype"].type = makers[variable].attr["dtype"].type % 100
        if after:
            node.input.append("^" + after)
    return made, set(makers)


def _node_of(text) -> str:
    return text.lstrip("^").partition(":")[0]


def _reader(name) -> str:
    return name.replace("|", "/after/") + "/as_value"


def _references(graph_def, makers) -> dict[str, str]:
    """The nodes that give a reference, and which variable's."""
    refs = {name: name for name in makers}
    for _ in range(4):  # references pass through few nodes
        for node in graph_def.node:
            passes = node.op in _WRITERS or node.op in ("RefIdentity", "CountUpTo") or node.op.startswith("Scatter")
            if passes and node.input and _node_of(node.input[0]) in refs:
                refs[node.name] = refs[_node_of(node.input[0])]
    for node in graph_def.node:
        if node.name in refs and node.op not in _MAKERS and node.op not in _WRITERS and node.op != "RefIdentity":
            raise NotImplementedError(f"the reference variable {refs[node.name]} is changed by {node.op}")
    return refs


def _keep(node, *names):
    for name in [n for n in node.attr if n not in names]:
        del node.attr[name]


def _make(node):
    node.op = "VarHandleOp"
    dtype = node.attr["dtype"].type % 100
    shared = node.attr["shared_name"].s or node.name.encode()
    _keep(node, "shape", "container", "_class")
    node.attr["dtype"].type = dtype
    node.attr["shared_name"].s = shared


def _write(node, refs):
    node.op = _WRITERS[node.op]
    dtype = node.attr["T"].type % 100
    _keep(node, "_class")
    node.attr["dtype"].type = dtype
    first = node.input[0]
    node.input[0] = refs[_node_of(first)]
    if _node_of(first) != node.input[0]:
        node.input.append("^" + _node_of(first))


def _redirect(node, refs):
    source = _node_of(node.input[0])
    node.input[0] = refs[source]
    if source != refs[source]:
        node.input.append("^" + source)


def _read_inputs(node, refs, read):
    for i, text in enumerate(node.input):
        source = _node_of(text)
        if text.startswith("^") or source not in refs:
            continue
        name = refs[source] if source == refs[source] else f"{refs[source]}|{source}"
        read.add(name)
        node.input[i] = _reader(name)
