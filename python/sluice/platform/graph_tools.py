"""compat.v1.graph_util: parts of graphs, and graphs whose variables are constants."""

from __future__ import annotations

from ..compat import v1
from ..core import messages

_VARIABLES = ("Variable", "VariableV2", "VarHandleOp")


def _node_name(text):
    return text.removeprefix("^").partition(":")[0]


def must_run_on_cpu(node, pin_variables_on_cpu=False):
    """Whether a node has no kernel of accelerators: it has strings, or is a variable that is to stay on the CPU."""
    node_def = node if isinstance(node, v1.NodeDef) else node.node_def
    if pin_variables_on_cpu and node_def.op in ("Variable", "VariableV2"):
        return True
    string = v1.string.as_datatype_enum
    if node_def.op == "Const":
        return node_def.attr["dtype"].type == string
    return (
        node_def.op in ("DynamicStitch", "ParallelDynamicStitch")
        and node_def.attr["T"].type == v1.int32.as_datatype_enum
    )


def extract_sub_graph(graph_def, dest_nodes):
    """The nodes that these need, as a GraphDef. AssertionError for a name that is not in the graph."""
    if not isinstance(graph_def, messages.GraphDef) and not hasattr(graph_def, "node"):
        raise TypeError(f"graph_def must be a graph_pb2.GraphDef proto, but got type {type(graph_def)}.")
    if isinstance(dest_nodes, str):
        raise TypeError(f"dest_nodes must be an iterable of strings, but got type {type(dest_nodes)}.")
    nodes = {n.name: n for n in graph_def.node}
    for name in dest_nodes:
        if name not in nodes:
            raise AssertionError(f"{name} is not in graph")
    keep, left = set(), list(dest_nodes)
    while left:
        name = left.pop()
        if name not in keep:
            keep.add(name)
            left += [_node_name(i) for i in nodes[name].input]
    made = messages.GraphDef()
    made.node.extend(n for n in graph_def.node if n.name in keep)
    made.library.CopyFrom(graph_def.library)
    made.versions.CopyFrom(graph_def.versions)
    return made


def tensor_shape_from_node_def_name(graph, input_name):
    """The shape of the tensor that an input of a node names."""
    if ":" not in input_name:
        input_name += ":0"
    return graph.get_tensor_by_name(input_name).get_shape()


def remove_training_nodes(input_graph, protected_nodes=None):
    """The graph without nodes that only training needs: checks of numbers, and identities; but for the protected ones."""
    protected = set(protected_nodes or ())
    passed: dict[str, str] = {}  # a node that goes -> what it has for input
    for kinds in (("CheckNumerics",), ("Identity",)):
        for node in input_graph.node:
            waits = any(i.startswith("^") for i in node.input)
            if node.op in kinds and node.name not in protected and len(node.input) == 1 and not waits:
                passed[node.name] = node.input[0]

    def source(name):
        while _node_name(name) in passed and not name.startswith("^"):
            name = passed[_node_name(name)]
        return name

    waited_for = {_node_name(i) for n in input_graph.node for i in n.input if i.startswith("^")}
    for name in waited_for & set(passed):
        del passed[name]
    made = messages.GraphDef()
    for node in input_graph.node:
        if node.name in passed:
            continue
        copy = made.node.add()
        copy.CopyFrom(node)
        del copy.input[:]
        copy.input.extend(source(i) for i in node.input)
    made.library.CopyFrom(input_graph.library)
    made.versions.CopyFrom(input_graph.versions)
    return made


def convert_variables_to_constants(
    sess, input_graph_def, output_node_names, variable_names_whitelist=None, variable_names_blacklist=None
):
    """The part of a graph that the outputs need, with the session's values in place of variables."""
    part = extract_sub_graph(input_graph_def, output_node_names)
    names = [n.name for n in part.node if n.op in _VARIABLES]
    if variable_names_whitelist is not None:
        names = [n for n in names if n in variable_names_whitelist]
    names = [n for n in names if n not in (variable_names_blacklist or ())]
    values = dict(zip(names, sess.run([_read(sess.graph, n) for n in names]))) if names else {}
    handles = {n.name for n in part.node if n.op == "VarHandleOp" and n.name in values}
    made = messages.GraphDef()
    for node in part.node:
        copy = made.node.add()
        if node.name in values:
            _make_constant(copy, node, values[node.name])
        elif node.op == "ReadVariableOp" and _handle(part, node.input[0]) in handles:
            copy.name, copy.op = node.name, "Identity"
            copy.input.extend(node.input)
            copy.attr["T"].CopyFrom(node.attr["dtype"])
        elif node.op == "Identity" and node.attr["T"].type == 20 and _handle(part, node.input[0]) in handles:
            copy.CopyFrom(node)
            copy.attr["T"].type = _type_of(part, _handle(part, node.input[0]))
        else:
            copy.CopyFrom(node)
    made.library.CopyFrom(part.library)
    made.versions.CopyFrom(part.versions)
    return made


def _handle(graph_def, name):
    """The node at the begin of a chain of identities."""
    nodes = {n.name: n for n in graph_def.node}
    node = nodes[_node_name(name)]
    while node.op == "Identity":
        node = nodes[_node_name(node.input[0])]
    return node.name


def _type_of(graph_def, name):
    return next(n.attr["dtype"].type for n in graph_def.node if n.name == name)


def _read(graph, name):
    """A tensor of a variable's value."""
    op = graph.get_operation_by_name(name)
    if op.type != "VarHandleOp":
        return op.outputs[0]
    for consumer in graph.get_operations():
        if consumer.type == "ReadVariableOp" and consumer.inputs[0] is op.outputs[0]:
            return consumer.outputs[0]
    with graph.as_default():
        return v1.raw_ops.ReadVariableOp(resource=op.outputs[0], dtype=op.get_attr("dtype"))


def _make_constant(to, variable, value):
    to.name, to.op = variable.name, "Const"
    to.attr["dtype"].CopyFrom(variable.attr["dtype"])
    proto = v1.make_tensor_proto(value, dtype=variable.attr["dtype"].type, shape=getattr(value, "shape", ()))
    to.attr["value"].tensor.CopyFrom(proto)


def do_quantize_training_on_graphdef(input_graph, num_bits):
    raise NotImplementedError("tf.compat.v1.train.do_quantize_training_on_graphdef")
