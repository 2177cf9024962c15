"""FunctionDefs as graphs, for packages that convert what a graph's nodes call."""

from __future__ import annotations

from ..core import graph, messages, tensor_shape
from ..saving.function_graphs import Library


def _with_called(fdef):
    """The function and, of those that the graph which is being built knows, those that it calls."""
    known = graph.current()._functions if graph.current() is not None else {}
    library, seen, ahead = messages.FunctionDefLibrary(), {fdef.signature.name}, [fdef]
    while ahead:
        f = ahead.pop()
        library.function.add().CopyFrom(f)
        for node in f.node_def:
            names = {node.op, *(v.func.name for v in node.attr.values())}
            names |= {g.name for v in node.attr.values() for g in v.list.func}
            for name in names - seen:
                if getattr(known.get(name), "definition", None) is not None:
                    seen.add(name)
                    ahead.append(known[name].definition)
    return library


def function_def_to_graph(fdef, structured_input_signature=None, structured_outputs=None, input_shapes=None):
    """A FuncGraph of a FunctionDef, whose nodes keep their names, and whose nodes name functions as it does.

    input_shapes: a shape, or None, for each argument; the function's own where there are none. ValueError when the nodes do not fit.
    """
    library = Library(_with_called(fdef), renames=False)
    definition = library.definition(fdef.signature.name)
    for i, shape in enumerate(input_shapes or ()):
        if shape is not None:
            told = definition.arg_attr[i].attr["_output_shapes"].list
            del told.shape[:]
            told.shape.add().CopyFrom(tensor_shape.as_shape(shape).as_proto())
    made, inputs, outputs, _ = library.body(definition, fdef.signature.name)
    made.inputs, made.outputs = inputs, outputs
    made.structured_input_signature, made.structured_outputs = structured_input_signature, structured_outputs
    return made
