"""FunctionDefs of a saved library as concrete functions of this process: each gets a name of its own, and a graph."""

from __future__ import annotations

import itertools
import re

from . import source_lines
from .. import _native
from ..core import dtypes, func_graph, graph, messages, nest
from ..core.concrete_function import HERE, ConcreteFunction
from ..core.op_defs import read_op
from ..core.type_spec import TypeSpec
from ..core.variables import _ANONYMOUS

_numbers = itertools.count()
_ENDING = re.compile(r"_[rl]?\d+$")


def _function_attrs(node):
    """The parts of a node's attrs that name functions."""
    for value in node.attr.values():
        if value.WhichOneof("value") == "func":
            yield value.func
        elif value.WhichOneof("value") == "list":
            yield from value.list.func


_ops_with_names: dict[str, bool] = {}


def _has_shared_name(op_name) -> bool:
    known = _ops_with_names.get(op_name)
    if known is None:
        data = _native.op_def(op_name)
        if data is None:  # a function
            return False
        known = _ops_with_names[op_name] = any(a.name == "shared_name" for a in read_op(data).attrs)
    return known


def _end_shared_name(node, ending):
    """Another name for the resource of a node that has one; its own name is what it shares by if the attr is empty."""
    if not _has_shared_name(node.op):
        return
    shared = node.attr["shared_name"].s or node.name.encode()
    if shared != _ANONYMOUS.encode():
        node.attr["shared_name"].s = shared + ending.encode()


class Library:
    """The functions of a GraphDef, with `renames` under names that nothing else in this process has.

    of_load: ends the shared names of their nodes, so that each load of a model has tables of its own. places: of nodes, by
    the names of functions in the file (source_lines.places).
    """

    def __init__(self, library, renames=True, of_load="", places=None):
        self._defs, self.names = {}, {}
        for f in library.function:
            old = f.signature.name
            self.names[old] = f"{_ENDING.sub('', old)}_r{next(_numbers)}" if renames else old
        self.places = {self.names.get(function, function): lines for function, lines in (places or {}).items()}
        self.gradients = {g.function_name: g.gradient_func for g in library.gradient}
        for f in library.function:
            made = messages.FunctionDef()
            made.CopyFrom(f)
            made.signature.name = self.names[f.signature.name]
            for node in made.node_def:
                self.rename(node)
                if of_load:
                    _end_shared_name(node, of_load)
            self._rename_attrs(made.attr)
            self._defs[made.signature.name] = made
        self._needs: dict[str, list[str]] = {}

    def rename(self, node):
        """Has a node name functions as they are called here."""
        node.op = self.names.get(node.op, node.op)
        for f in _function_attrs(node):
            f.name = self.names.get(f.name, f.name)
        gradient = node.attr.get("_gradient_op_type")
        if gradient is not None:
            node.attr["_gradient_op_type"].s = self.names.get(gradient.s.decode(), gradient.s.decode()).encode()

    def _rename_attrs(self, attrs):
        for value in attrs.values():
            if value.WhichOneof("value") == "func":
                value.func.name = self.names.get(value.func.name, value.func.name)

    def definition(self, old_name):
        """The FunctionDef of a function by its name in the file. KeyError when there is none."""
        return self._defs[self.names[old_name]]

    def needed(self, nodes) -> list:
        """The FunctionDefs that nodes name, and those that these name."""
        found, todo = {}, [n for node in nodes for n in self._named(node)]
        while todo:
            name = todo.pop()
            if name in self._defs and name not in found:
                found[name] = self._defs[name]
                todo.extend(n for node in self._defs[name].node_def for n in self._named(node))
        return list(found.values())

    def _named(self, node):
        yield node.op
        yield from (f.name for f in _function_attrs(node))

    def all(self):
        return list(self._defs.values())

    def place(self, functions, name):
        """What made the node of this name, "CALL/NODE" of one within, in one of the functions: (operation name, place), or None."""
        for function in functions:
            found = self.places.get(function, {}).get(name)
            if found:
                return name, found
            for node in self._defs[function].node_def if function in self._defs else ():
                if name.startswith(node.name + "/"):
                    inner, rest = [f.name for f in _function_attrs(node)], name[len(node.name) + 1 :]
                    # In loops and branches the function's attr comes first.
                    found = self.place(inner, rest) or self.place(inner, rest.partition("/")[2])
                    if found:
                        return found
        return None

    # ---- a function's graph

    def graph_def(self, definition):
        """The nodes of a function as a GraphDef: placeholders for its arguments, and the functions that it needs."""
        made = messages.GraphDef()
        made.versions.producer = 1087
        places = {}
        for i, arg in enumerate(definition.signature.input_arg):
            node = made.node.add(name=arg.name, op="Placeholder")
            node.attr["dtype"].type = arg.type
            shape = node.attr["shape"].shape
            told = definition.arg_attr[i].attr if i in definition.arg_attr else {}
            if "_output_shapes" in told:
                shape.CopyFrom(told["_output_shapes"].list.shape[0])
            else:
                shape.unknown_rank = arg.type not in (dtypes.resource.as_datatype_enum,)
            if "_user_specified_name" in told:
                node.attr["_user_specified_name"].CopyFrom(told["_user_specified_name"])
            places[arg.name] = {None: 0}
        for node in definition.node_def:
            places[node.name] = self._outputs(node)
        for node in definition.node_def:
            copy = made.node.add()
            copy.CopyFrom(node)
            del copy.input[:]
            copy.input.extend(flat_input(text, places) for text in node.input)
            copy.attr.pop("_output_shapes", None)
        for f in self.needed(definition.node_def):
            made.library.function.add().CopyFrom(f)
        return made, places

    def _outputs(self, node):
        """By the name of each result of a node's op where its tensors begin."""
        if node.op in self._defs:
            return {arg.name: i for i, arg in enumerate(self._defs[node.op].signature.output_arg)}
        data = _native.op_def(node.op)
        if data is None:
            raise NotImplementedError(f"The saved function has the op {node.op!r}, which is not there.")
        places, at = {}, 0
        for arg in read_op(data).outputs:
            places[arg.name] = at
            if arg.number_attr:
                at += node.attr[arg.number_attr].i
            elif arg.type_list_attr:
                at += len(node.attr[arg.type_list_attr].list.type)
            else:
                at += 1
        return places

    def body(self, definition, name):
        """(graph, arguments, results, nodes that run for their effects) of a FunctionDef."""
        graph_def, places = self.graph_def(definition)
        made = func_graph.FuncGraph(name, None, orders_effects=False)
        made.knows_effects = False  # of nodes that are imported
        from ..core.import_graph import import_graph_def

        with graph.outside(), made.as_default():
            import_graph_def(graph_def, name="")
        if self.places:
            source_lines.give(made, self.places.get(definition.signature.name))
            made.saved_lines = self
        inputs = [made.get_operation_by_name(arg.name).outputs[0] for arg in definition.signature.input_arg]
        outputs = [
            made.as_graph_element(_with_port(flat_input(definition.ret[arg.name], places)))
            for arg in definition.signature.output_arg
        ]
        controls = [made.get_operation_by_name(n) for n in dict(definition.control_ret).values()]
        made.control_outputs = controls
        return made, inputs, outputs, controls


def _with_port(text):
    return text if ":" in text else text + ":0"


def flat_input(text, places):
    """An input of a function's node ("n", "n:output:1", "^n") as a graph's has it ("n", "n:3", "^n")."""
    if text.startswith("^"):
        return text
    name, _, rest = text.partition(":")
    if not rest:
        return name
    output, _, index = rest.partition(":")
    at = places[name][output] + int(index or 0)
    return f"{name}:{at}" if at else name


def _structure(value):
    """A structure of output specs as concrete functions have it: HERE for tensors."""
    return nest.map_structure(lambda s: HERE if _is_plain_spec(s) else s, value)


def _is_plain_spec(value) -> bool:
    return isinstance(value, TypeSpec) and type(value).__name__ == "TensorSpec"


def concrete_function(library, old_name, captures, signature, output, parameters, kind=ConcreteFunction, variables=()):
    """A concrete function of a saved one.

    captures: the values that its last arguments stand for. signature: (args, kwargs) of specs and values. output: the
    structure of its results.
    """
    definition = library.definition(old_name)
    new_name = f"{_ENDING.sub('', old_name)}_l{next(_numbers)}"  # calls within the library name a copy of it
    body, inputs, outputs, controls = library.body(definition, new_name)
    first = len(inputs) - len(captures)
    for (at, value), argument in zip(enumerate(captures), inputs[first:]):
        key = id(value) if id(value) not in body._captures else -1 - at
        body._captures[key] = (value, argument)
    body.inputs, body.outputs, body.ordered = inputs, outputs, controls
    for v in variables:
        body.note_variable(v)
    _set_shapes(outputs, output)
    body.structured_input_signature, body.structured_outputs = signature, _structure(output)
    made = kind(
        new_name,
        body,
        _structure(output),
        signature,
        parameters,
        captures=list(zip(captures, inputs[first:])),
        controls=controls,
    )
    made._variables, made._tells_names = list(variables), True
    made._loaded_outputs = output
    return made


def _set_shapes(outputs, structure):
    specs = [s for leaf in nest.flatten(structure) if isinstance(leaf, TypeSpec) for s in leaf.flatten()]
    for t, spec in zip(outputs, specs):
        if spec.dtype == t.dtype:
            try:
                t.set_shape(spec.shape)
            except ValueError:
                continue
