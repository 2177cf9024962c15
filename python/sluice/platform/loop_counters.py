"""Loops of a graph as TensorFlow makes them: the first two variables are a counter and its bound.

Converters of graphs rely on that. Loops of this package have a counter only where they have a bound, and the bound is in their
condition. Results stay what they are; loops that come from TensorFlow are left alone.
"""

from __future__ import annotations

import collections

from ..core import dtypes
from ..ops import tensor_protos

_LOOPS = ("While", "StatelessWhile")
_INT = dtypes.int32.as_datatype_enum
_NO_BOUND = -1


def add_counters(graph_def):
    """Rewrites the loops of a GraphDef and of its functions. Returns what maps a tensor's name in the graph to its name now."""
    functions = {f.signature.name: f for f in graph_def.library.function}
    forms = {}  # by the names of a loop's functions: (where variables come in, how many, the bound's place in the condition)
    bodies = [graph_def, *functions.values()]
    loops = [(of, node) for of in bodies for node in _nodes(of) if node.op in _LOOPS]
    for of, node in loops:
        key = node.attr["cond"].func.name, node.attr["body"].func.name
        if key not in forms and all(name in functions for name in key):
            forms[key] = _change_functions(*(functions[name] for name in key))
    moved = {}  # by body: by node (where, how far) results have moved
    for of, node in loops:
        form = forms.get((node.attr["cond"].func.name, node.attr["body"].func.name))
        if form is not None:
            moved.setdefault(id(of), {})[node.name] = form[:2]
            _change_node(of, node, *form)
    for of in bodies:
        if id(of) in moved:
            _rename_inputs(of, moved[id(of)])
    _make_names_own(bodies, {name for key in forms for name in key})
    return lambda text: _moved(text, moved.get(id(graph_def), {}))


def _nodes(of):
    return of.node_def if hasattr(of, "node_def") else of.node


def _moved(text, moved):
    """A tensor's name ("n", "n:1", in functions "n:output:1") behind the variables that have come in."""
    if text.startswith("^"):
        return text
    name, _, port = text.partition(":")
    if name not in moved:
        return text
    start, _, index = port.rpartition(":")
    at, count = moved[name]
    index = int(index or 0)
    index += count if index >= at else 0
    return f"{name}:{start}:{index}" if start else f"{name}:{index}" if index else name


def _rename_inputs(of, moved):
    for node in _nodes(of):
        _replace(node.input, [_moved(i, moved) for i in node.input])
    for key, text in dict(getattr(of, "ret", {})).items():
        of.ret[key] = _moved(text, moved)


def _make_names_own(bodies, wanted):
    """Nodes of these functions get names that no other graph or function has: converters lay bodies into what is around them."""
    counts = collections.Counter(node.name for of in bodies for node in _nodes(of))
    for of in bodies[1:]:
        if of.signature.name not in wanted:
            continue
        own = {n.name: f"{of.signature.name}/{n.name}" for n in of.node_def if counts[n.name] > 1}

        def renamed(text):
            control = "^" * text.startswith("^")
            name, colon, port = text[len(control) :].partition(":")
            return f"{control}{own.get(name, name)}{colon}{port}"

        for node in of.node_def:
            node.name = own.get(node.name, node.name)
            _replace(node.input, [renamed(i) for i in node.input])
        for results in (of.ret, of.control_ret):
            for key, text in dict(results).items():
                results[key] = renamed(text)


def _replace(field, values):
    del field[:]
    field.extend(values)


def _insert(field, at, messages):
    """Puts messages into a repeated field."""
    kept = [bytes(one.SerializeToString()) for one in [*field[:at], *messages, *field[at:]]]
    del field[:]
    for data in kept:
        field.add().ParseFromString(data)


# ---- functions


def _change_functions(cond, body):
    """Gives both functions the variables that they lack: (at, how many, the bound); None if they lack none. The bound is None,
    a number's TensorProto, or the place of an argument."""
    arguments = [a.name for a in cond.signature.input_arg]
    has_counter = bool(arguments) and arguments[0].endswith("loop_counter")
    if has_counter and len(arguments) > 1 and "maximum_iterations" in arguments[1]:
        return None
    if not has_counter:
        _add_arguments(cond, 0, ["loop_counter", "maximum_iterations"])
        counter, bound = _add_arguments(body, 0, ["loop_counter", "maximum_iterations"])
        _add_results(body, 0, [_next(body, counter), bound])
        return 0, 2, None
    less = next((n for n in cond.node_def if n.op == "Less" and n.input[0] == arguments[0]), None)
    if less is None:
        return None
    name = less.input[1].partition(":")[0]
    node = next((n for n in cond.node_def if n.name == name), None)
    if node is None and name not in arguments or node is not None and node.op != "Const":
        return None
    (bound,) = _add_arguments(cond, 1, ["maximum_iterations"])
    _replace(less.input, [less.input[0], bound, *less.input[2:]])
    (bound,) = _add_arguments(body, 1, ["maximum_iterations"])
    _add_results(body, 1, [bound])
    return 1, 1, arguments.index(name) if node is None else node.attr["value"].tensor


def _free_name(function, name):
    taken = {a.name for a in function.signature.input_arg} | {n.name for n in function.node_def}
    made, n = name, 0
    while made in taken:
        n += 1
        made = f"{name}_{n}"
    return made


def _argument(name):
    from ..core import messages

    made = messages.OpDef.ArgDef()
    made.name, made.type = name, _INT
    return made


def _add_arguments(function, at, words):
    names = [_free_name(function, f"while_{word}") for word in words]
    _insert(function.signature.input_arg, at, [_argument(name) for name in names])
    for attrs in (function.arg_attr, function.resource_arg_unique_id):  # by the argument's place
        later = {place + len(words): attrs[place] for place in sorted(attrs) if place >= at}
        values = {place: v.SerializeToString() if hasattr(v, "SerializeToString") else v for place, v in later.items()}
        for place in [p for p in attrs if p >= at]:
            del attrs[place]
        for place, value in values.items():
            if isinstance(value, bytes):
                attrs[place].ParseFromString(value)
            else:
                attrs[place] = value
    return names


def _add_results(function, at, tensors):
    taken = {a.name for a in function.signature.output_arg}
    names = []
    for i, tensor in enumerate(tensors):
        name = f"variable_{i}"
        while name in taken:
            name += "_"
        taken.add(name)
        names.append(name)
        function.ret[name] = tensor
    _insert(function.signature.output_arg, at, [_argument(name) for name in names])


def _next(function, counter):
    """counter + 1 within a function."""
    one, add = _free_name(function, "while_counter/y"), _free_name(function, "while_counter")
    _constant(function.node_def.add(name=one, op="Const"), 1)
    node = function.node_def.add(name=add, op="AddV2")
    node.input.extend([counter, f"{one}:output:0"])
    node.attr["T"].type = _INT
    return f"{add}:z:0"


def _constant(node, value):
    proto = value if hasattr(value, "tensor_shape") else tensor_protos.make_tensor_proto(value, dtype=dtypes.int32)
    node.attr["dtype"].type = _INT
    node.attr["value"].tensor.CopyFrom(proto)


# ---- nodes


def _change_node(of, node, at, count, bound):
    inside = hasattr(of, "node_def")
    taken = {n.name for n in _nodes(of)}
    plain = [i for i in node.input if not i.startswith("^")]

    def constant(word, value):
        name = f"{node.name}/{word}"
        while name in taken:
            name += "_"
        taken.add(name)
        _constant(_nodes(of).add(name=name, op="Const"), value)
        return f"{name}:output:0" if inside else name

    made = [constant("loop_counter", 0)] if count == 2 else []
    made.append(
        plain[bound]
        if isinstance(bound, int)
        else constant("maximum_iterations", _NO_BOUND if bound is None else bound)
    )
    _replace(node.input, [*plain[:at], *made, *plain[at:], *(i for i in node.input if i.startswith("^"))])
    types = list(node.attr["T"].list.type)
    _replace(node.attr["T"].list.type, [*types[:at], *[_INT] * count, *types[at:]])
    for key in ("output_shapes", "_output_shapes"):
        if key in node.attr and node.attr[key].list.shape:
            from ..core import messages

            _insert(node.attr[key].list.shape, at, [messages.TensorShapeProto() for _ in range(count)])
