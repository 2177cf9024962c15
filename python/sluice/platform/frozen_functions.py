"""Concrete functions whose variables are constants: what they call is laid open, so that a graph of plain nodes is left, with If,
While and Case over functions of their own.

A tensor of the function is told by its name in the flat form of graphs ("n", "n:1"). A variable's handle becomes the constant of
its value; reads of it become Identity nodes, gathers plain gathers. Handles that go into a branch or a loop do so as values: the
functions there are copied, with other types for those arguments.
"""

from __future__ import annotations

import collections
import itertools

from ..core import dtypes, errors, graph, messages
from ..core.concrete_function import HERE
from ..core.import_graph import import_graph_def
from ..core.static_values import get_static_value
from ..core.wrapped_function import WrappedFunction
from ..ops import tensor_protos
from ..saving.function_graphs import Library, flat_input

_numbers = itertools.count()
_RESOURCE = dtypes.resource.as_datatype_enum
_CALLS = ("PartitionedCall", "StatefulPartitionedCall")
# By the op that takes a handle: the op that takes the value instead, and what its type attr is called.
_OVER_VALUES = {
    "ReadVariableOp": ("Identity", "T"),
    "ResourceGather": ("GatherV2", "Tparams"),
    "ResourceGatherNd": ("GatherNd", "Tparams"),
    "VariableShape": ("Shape", "T"),
}
# Ops that hand a handle on.
_PASSING = ("Identity", "Enter")
# By the op that calls functions: its attr of the inputs' types, and how many inputs are no arguments of the functions.
_FUNCTIONAL = {
    "If": ("Tin", 1),
    "StatelessIf": ("Tin", 1),
    "Case": ("Tin", 1),
    "StatelessCase": ("Tin", 1),
    "While": ("T", 0),
    "StatelessWhile": ("T", 0),
}


def convert_variables_to_constants_v2(func, lower_control_flow=True, aggressive_inlining=False):
    """A concrete function that gives what func does, with the values that its variables have now as constants.

    Functions that it calls are laid open; conditionals and loops stay ops over functions, whatever lower_control_flow says. Loops
    have a counter and its bound as their first variables, on which converters rely.
    UnimplementedError for an op that changes a variable, or takes one in another way.
    """
    definition = func.graph.as_graph_def()
    library = Library(definition.library)
    for node in definition.node:
        library.rename(node)
    captured = {argument.op.name: value for value, argument in func._captures}
    made = messages.GraphDef()
    made.versions.CopyFrom(definition.versions)
    frozen = _Freezer(library, made)
    names, types = {}, {}
    variables = {id(v.handle): v for v in func.variables}
    for node in definition.node:
        if node.name in captured:
            types.update(_constant(made, node, captured[node.name], variables))
            names[node.name] = node.name
    wanted = [t.name for t in func.outputs] + [o.name for o in func.graph.control_outputs]
    nodes = _needed([n for n in definition.node if n.name not in captured], wanted)
    kept = {n.name for n in nodes}
    arguments = [n for n in definition.node if n.name in {t.op.name for t in func._own_inputs} - kept]
    result = frozen.lay(made, nodes + arguments, names, types, "")
    _make_names_own(made)
    return _function(func, made, [result.tensor(_flat(t.name)) for t in func.outputs])


def _make_names_own(graph_def):
    """Nodes of the functions of loops get names that no other graph or function has: converters lay them into what is around."""
    functions = list(graph_def.library.function)
    bodies = [graph_def.node, *(f.node_def for f in functions)]
    loops = [n for nodes in bodies for n in nodes if n.op in ("While", "StatelessWhile")]
    wanted = {n.attr[key].func.name for n in loops for key in ("cond", "body")}
    counts = collections.Counter(node.name for nodes in bodies for node in nodes)
    for of in functions:
        if of.signature.name in wanted:
            _rename(of, {n.name: f"{of.signature.name}/{n.name}" for n in of.node_def if counts[n.name] > 1})


def _rename(function, names):
    def renamed(text):
        control = "^" * text.startswith("^")
        name, colon, port = text[len(control) :].partition(":")
        return f"{control}{names.get(name, name)}{colon}{port}"

    for node in function.node_def:
        node.name = names.get(node.name, node.name)
        inputs = [renamed(i) for i in node.input]
        del node.input[:]
        node.input.extend(inputs)
    for results in (function.ret, function.control_ret):
        for key, text in dict(results).items():
            results[key] = renamed(text)


def _flat(name):
    return name.removesuffix(":0")


def _node(text):
    return text.removeprefix("^").partition(":")[0]


def _constant(made, argument, value, variables):
    """The node of a value from outside in the argument's place; (name, type) when it was a variable's handle."""
    is_handle = argument.attr["dtype"].type == _RESOURCE
    if is_handle and id(value) not in variables:
        made.node.add().CopyFrom(argument)
        return {}
    value = variables[id(value)].numpy() if is_handle else get_static_value(value)
    proto = tensor_protos.make_tensor_proto(value)
    node = made.node.add(name=argument.name, op="Const")
    node.attr["dtype"].type = proto.dtype
    node.attr["value"].tensor.CopyFrom(proto)
    return {argument.name: proto.dtype} if is_handle else {}


def _needed(nodes, names):
    """The nodes that these tensors need, each behind its inputs but for the edges back of loops."""
    by_name = {n.name: n for n in nodes}
    found: dict = {}
    todo = [(_node(name), False) for name in reversed(names)]
    entered = set()
    while todo:
        name, is_left = todo.pop()
        if name not in by_name or name in found:
            continue
        if is_left:
            found[name] = by_name[name]
        elif name not in entered:
            entered.add(name)
            todo.append((name, True))
            todo.extend((_node(i), False) for i in by_name[name].input)
    return list(found.values())


class _Laid:
    """Where the tensors and nodes of one body are in the graph that is made."""

    def __init__(self, names):
        self._names = dict(names)  # a tensor of the body -> of the graph
        self._waits: dict[str, list] = {}  # a node of the body that is several in the graph -> those to wait for
        self.prefix = ""

    def tensor(self, text):
        return self._names[text] if text in self._names else self.prefix + text

    def inputs(self, node):
        plain = [self.tensor(i) for i in node.input if not i.startswith("^")]
        return plain, [c for i in node.input if i.startswith("^") for c in self.controls(i[1:])]

    def controls(self, name):
        if name in self._waits:
            return self._waits[name]
        return ["^" + _node(self.tensor(name))]

    def goes_to(self, name, tensors, waits):
        for i, tensor in enumerate(tensors):
            self._names[f"{name}:{i}" if i else name] = tensor
        self._waits[name] = waits


class _Freezer:
    def __init__(self, library, made):
        self._library, self._made = library, made
        self._copies: dict = {}

    def lay(self, made, nodes, names, types, prefix):
        """Adds the nodes of a body to a graph. `names`: of the body's arguments there; `types`: of tensors of the graph that are
        values of variables, where the body has handles."""
        laid = _Laid(names)
        laid.prefix = prefix
        for node in nodes:
            inputs, controls = laid.inputs(node)
            frozen = {i: types[name] for i, name in enumerate(inputs) if name in types}
            if node.op in _CALLS or node.op in self._library.names.values():
                self._lay_call(made, node, laid, inputs, controls, types, prefix)
            elif not frozen:
                self._copy(made, node, prefix, inputs + controls)
                self._use(node)
            elif node.op == "Identity" and not controls:
                laid.goes_to(node.name, inputs, [])
            else:
                copy = self._copy(made, node, prefix, inputs + controls)
                self._take_values(made, copy, frozen)
                if node.op in _PASSING:
                    types[copy.name] = frozen[0]
                elif node.op.endswith("While"):
                    for i in frozen:  # a loop hands handles on as they are
                        laid._names[f"{node.name}:{i}" if i else node.name] = inputs[i]
        return laid

    def _copy(self, made, node, prefix, inputs):
        copy = made.node.add()
        copy.CopyFrom(node)
        copy.name = prefix + node.name
        del copy.input[:]
        copy.input.extend(inputs)
        return copy

    def _use(self, node):
        for definition in self._library.needed([node]):
            if all(f.signature.name != definition.signature.name for f in self._made.library.function):
                self._made.library.function.add().CopyFrom(definition)

    def _lay_call(self, made, node, laid, inputs, controls, types, prefix):
        name = node.attr["f"].func.name if node.op in _CALLS else node.op
        definition = self._library._defs[name]
        body, places = self._library.graph_def(definition)
        arguments = [a.name for a in definition.signature.input_arg]
        results = [flat_input(definition.ret[a.name], places) for a in definition.signature.output_arg]
        effects = list(dict(definition.control_ret).values())
        nodes = _needed([n for n in body.node if n.name not in arguments], results + effects)
        inner = self.lay(made, nodes, dict(zip(arguments, inputs)), types, f"{prefix}{node.name}/")
        waits = [c for name in effects for c in inner.controls(name)]
        if controls:
            late = {_node(c) for c in waits}
            for one in made.node:
                if one.name in late:
                    one.input.extend(c for c in controls if c not in one.input)
        tensors = [inner.tensor(t) for t in results]
        waits = waits or ["^" + _node(t) for t in tensors] or controls
        laid.goes_to(node.name, tensors, list(dict.fromkeys(waits)))

    def _take_values(self, made, node, frozen):
        """Has a node take values where it took handles."""
        if node.op in _OVER_VALUES:
            kind, attr = _OVER_VALUES[node.op]
            node.attr.pop("validate_indices", None)
            node.attr.pop("dtype", None)
            if node.op == "ResourceGather":
                self._add_axis(made, node)
            node.op = kind
            node.attr[attr].type = frozen[0]
        elif node.op in _PASSING:
            node.attr["T"].type = frozen[0]
        elif node.op in _FUNCTIONAL:
            attr, first = _FUNCTIONAL[node.op]
            for i, type_ in frozen.items():
                node.attr[attr].list.type[i - first] = type_
            node.attr.pop("output_shapes", None)
            node.attr.pop("_output_shapes", None)
            arguments = {i - first: type_ for i, type_ in frozen.items()}
            for value in node.attr.values():
                kind = value.WhichOneof("value")
                for f in [value.func] if kind == "func" else value.list.func if kind == "list" else ():
                    f.name = self._over_values(f.name, arguments)
        else:
            raise errors.UnimplementedError(
                None,
                None,
                f"variables as constants: {node.op} ({node.name}) takes a variable otherwise than to read it",
            )

    def _add_axis(self, made, node):
        dims = node.attr.pop("batch_dims", None)
        dims = dims.i if dims is not None else 0
        axis = made.node.add(name=node.name + "/axis", op="Const")
        proto = tensor_protos.make_tensor_proto(dims, dtype=dtypes.int32)
        axis.attr["dtype"].type = proto.dtype
        axis.attr["value"].tensor.CopyFrom(proto)
        node.attr["batch_dims"].i = dims
        node.attr["Taxis"].type = proto.dtype
        at = next((i for i, text in enumerate(node.input) if text.startswith("^")), len(node.input))
        inputs = [*node.input[:at], axis.name, *node.input[at:]]
        del node.input[:]
        node.input.extend(inputs)

    def _over_values(self, name, arguments):
        """The name of a function that is another with values in place of some arguments that are handles."""
        key = name, tuple(sorted(arguments.items()))
        if key in self._copies:
            return self._copies[key]
        own = self._copies[key] = f"{name}_frozen_{next(_numbers)}"
        definition = self._library._defs[name]
        body, places = self._library.graph_def(definition)
        inputs = [a.name for a in definition.signature.input_arg]
        types = {inputs[i]: type_ for i, type_ in arguments.items()}
        results = [flat_input(definition.ret[a.name], places) for a in definition.signature.output_arg]
        effects = dict(definition.control_ret)
        nodes = _needed([n for n in body.node if n.name not in inputs], results + list(effects.values()))
        made = messages.GraphDef()
        laid = self.lay(made, nodes, {n: n for n in inputs}, types, "")

        copy = messages.FunctionDef()
        copy.signature.CopyFrom(definition.signature)
        copy.signature.name = own
        for arg in copy.signature.input_arg:
            arg.type = types.get(arg.name, arg.type)
        ports = {n.name: self._ports(n) for n in made.node}
        for arg, result in zip(copy.signature.output_arg, results):
            tensor = laid.tensor(result)
            arg.type = types.get(tensor, arg.type)
            copy.ret[arg.name] = _port(tensor, ports)
        for name, result in effects.items():
            copy.control_ret[name] = laid.controls(result)[0][1:]
        for node in made.node:
            one = copy.node_def.add()
            one.CopyFrom(node)
            del one.input[:]
            one.input.extend(i if i.startswith("^") else _port(i, ports) for i in node.input)
        self._made.library.function.add().CopyFrom(copy)
        return own

    def _ports(self, node):
        """The names of a node's tensors in functions, in order."""
        places = sorted(self._library._outputs(node).items(), key=lambda place: place[1])
        return [(name, at) for name, at in places]


def _port(text, ports):
    """A tensor of a graph as a function has it."""
    name, _, at = text.partition(":")
    if name not in ports:
        return name  # an argument
    at = int(at or 0)
    output, first = next((o, first) for o, first in reversed(ports[name]) if first <= at)
    return f"{name}:{output}:{at - first}"


def _function(func, graph_def, outputs):
    """The function of a graph, called as `func` is."""
    from ..core.func_graph import FuncGraph

    body = FuncGraph("frozen", None, orders_effects=False)
    body.knows_effects = False
    body.callbacks = list(func.graph.callbacks)
    with graph.outside(), body.as_default():
        import_graph_def(graph_def, name="")
        inputs = [body.get_operation_by_name(t.op.name).outputs[0] for t in func._own_inputs]
    body.inputs = inputs
    results = [body.as_graph_element(t if ":" in t else t + ":0") for t in outputs]
    for t, of in zip(inputs + results, func._own_inputs + func.outputs):
        t.set_shape(of.shape)
    body.outputs, body.structured_input_signature = results, func.structured_input_signature
    made = WrappedFunction(
        f"frozen_{next(_numbers)}",
        body,
        [HERE] * len(results),
        func.structured_input_signature,
        func._parameters,
        inputs=inputs,
        captures=[],
        outputs=results,
    )
    body.structured_outputs = made._packed_outputs()
    return made
