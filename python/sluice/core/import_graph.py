"""tf.import_graph_def: the nodes of a GraphDef added to the graph that is being built."""

from __future__ import annotations

from . import graph
from .operation import Operation, SymbolicTensor


def _message(graph_def):
    from . import messages

    if isinstance(graph_def, messages.GraphDef):
        return graph_def
    if hasattr(graph_def, "SerializeToString") and hasattr(graph_def, "node"):
        return messages.GraphDef.FromString(graph_def.SerializeToString())
    raise TypeError(f"Argument `graph_def` must be a GraphDef proto. Received: {type(graph_def)}")


class ImportedFunction:
    """A function that came with a GraphDef: its FunctionDef, and no graph."""

    def __init__(self, definition):
        self.name, self.definition = definition.signature.name, definition


def import_graph_def(
    graph_def, input_map=None, return_elements=None, name=None, op_dict=None, producer_op_list=None, validate_colocation_constraints=True
):  # fmt: skip
    """Adds a GraphDef's nodes under a prefix ("import").

    input_map: names of its tensors -> tensors of this graph that stand for them. return_elements: names of operations and
    tensors; gives the list of them, or None. ValueError when a name is not in the GraphDef, or the nodes do not fit.
    """
    def_ = _message(graph_def)
    input_map = _checked_map(input_map)
    wanted = _checked_elements(return_elements)
    g = graph.default_graph()
    # As producers without the ops' defaults wrote them: the library fills defaults in.
    with g.as_default():
        prefix, uniquify = _prefix(g, name)
        with g.name_scope(prefix + "/_inputs/") if prefix else g.name_scope("inputs"):
            mapped, controls = _mapping(g, input_map)
    outputs = [(n.partition(":")[0], int(n.partition(":")[2] or 0)) for n in wanted if ":" in n]
    nodes = [n for n in wanted if ":" not in n]
    try:
        made = g.native.import_graph(
            _with_own_frames(g, def_, prefix).SerializeToString(),
            prefix,
            mapped,
            controls,
            [o.node for level in g._controls for o in level.ops],
            uniquify,
            outputs,
            nodes,
            g._device_of("", "", [], []) if g._devices else "",
        )
    except graph_errors() as error:
        raise ValueError(str(error)) from None
    pairs, found, unused = made
    if unused:
        missing = ", ".join(n if not i and n in input_map else f"{n}:{i}" for n, i in unused)
        raise ValueError(f"Attempted to map inputs that were not found in graph_def: [{missing}]")
    g.take_in()
    g.knows_effects = False
    for f in def_.library.function:
        g._functions.setdefault(f.signature.name, ImportedFunction(f))
    if return_elements is None:
        return None
    tensors, operations = iter([g.tensor_of(p) for p in pairs]), iter([g._by_node[n] for n in found])
    return [next(tensors) if ":" in n else next(operations) for n in wanted]


def _with_own_frames(g, def_, prefix):
    """The GraphDef, whose loops of TensorFlow 1 are not taken for those of the graph that have the same names."""
    entries = [n for n in def_.node if n.op in ("Enter", "RefEnter")] if g._frames and prefix else []
    if all(n.attr["frame_name"].s.decode() not in g._frames for n in entries):
        return def_
    from . import messages

    made = messages.GraphDef()
    made.CopyFrom(def_)
    for node in made.node:
        if node.op in ("Enter", "RefEnter"):
            node.attr["frame_name"].s = f"{prefix}/".encode() + node.attr["frame_name"].s
    return made


def graph_errors():
    from . import errors

    return errors.InvalidArgumentError, errors.NotFoundError, ValueError


def _prefix(g, name):
    """The prefix of the new names, without "/" at its end; and whether names that are taken are changed."""
    if name == "":
        return g._scope.rstrip("/"), False
    if name is not None and name.endswith("/"):
        return name.rstrip("/"), False
    return g.unique_name(name or "import"), False


def _checked_map(input_map):
    if input_map is None:
        return {}
    if not isinstance(input_map, dict) or not all(isinstance(k, (str, bytes)) for k in input_map):
        raise TypeError(
            f"Argument `input_map` must be a dictionary mapping strings to Tensor objects. Received: {input_map}"
        )
    return {k.decode() if isinstance(k, bytes) else k: v for k, v in input_map.items()}


def _checked_elements(return_elements):
    if return_elements is None:
        return []
    elements = tuple(return_elements)
    if not all(isinstance(e, (str, bytes)) for e in elements):
        raise TypeError(f"Argument `return_elements` must be a list of strings. Received: {return_elements}")
    return [e.decode() if isinstance(e, bytes) else e for e in elements]


def _mapping(g, input_map):
    tensors, controls = [], []
    for name, value in input_map.items():
        if name.startswith("^"):
            target = value if isinstance(value, Operation) else getattr(value, "op", None)
            controls.append((name[1:], target.node))
            continue
        if isinstance(value, Operation):
            raise TypeError(f"the input_map maps {name!r} to an operation")
        t = value if isinstance(value, SymbolicTensor) else graph.into(g, value)
        node, _, index = name.partition(":")
        tensors.append((node, int(index or 0), t._pair))
    return tensors, controls
