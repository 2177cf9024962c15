"""tf.compat.v1.wrap_function: code of TensorFlow 1 as a function, whose graph can be cut to other feeds and fetches."""

from __future__ import annotations

import itertools

from . import func_graph, graph, nest
from .concrete_function import HERE, ConcreteFunction
from .function import _argument, _result, _signature
from .operation import Operation, SymbolicTensor
from .type_spec import TensorSpec, TypeSpec

_numbers = itertools.count()


class WrappedFunction(ConcreteFunction):
    """A function with the graph that it was traced into. Variables that it made live as long as it does."""

    def __init__(self, name, body, structure, signature, parameters, made_variables=(), **parts):
        super().__init__(name, body, structure, signature, parameters, **parts)
        self._keeps = list(made_variables)

    def prune(self, feeds, fetches, name="pruned", input_signature=None):
        """Another function over the same graph, which takes what is fed and gives what is fetched.

        feeds, fetches: tensors, operations (fetched alone: they run) or names, in any structure. ValueError when a fetch
        depends on an argument that is not fed.
        """
        g = self.graph
        fetches = nest.map_structure(lambda f: _element(g, f), fetches)
        feeds = nest.map_structure(lambda f: _element(g, f), feeds)
        flat_feeds = [t for t in nest.flatten(feeds, expand_composites=True)]
        for t in flat_feeds:
            if not isinstance(t, SymbolicTensor):
                raise ValueError(f"All members of argument `feeds` must be tensors. Got {t} with type {type(t)}.")
        flat_fetches = nest.flatten(fetches, expand_composites=True)
        operations = [f for f in flat_fetches if isinstance(f, Operation)]
        tensors = [f for f in flat_fetches if isinstance(f, SymbolicTensor)]
        captures = g.replay_captures()
        nodes, used = _needed(flat_feeds, tensors, operations, captures)
        fed = {id(t) for t in flat_feeds}
        captures = [
            (value, argument) for value, argument in captures if argument.op in used and id(argument) not in fed
        ]

        structure = nest.map_structure(_mark, fetches)
        if input_signature is None:
            signature = (), {_name_of(t): TensorSpec(t.shape, t.dtype, _name_of(t)) for t in flat_feeds}
        else:
            signature = input_signature
        outputs, passed = _outputs(g, tensors, flat_feeds)
        return WrappedFunction(
            f"{name}_{next(_numbers)}",
            g,
            structure,
            signature,
            [],
            self._keeps + self._variables,
            inputs=flat_feeds,
            captures=captures,
            outputs=outputs,
            controls=operations,
            nodes=nodes + passed,
        )


def _outputs(g, tensors, feeds):
    """Outputs of a function are not its inputs themselves: those pass an Identity."""
    from .op_defs import op

    fed, made, passed = {id(t) for t in feeds}, [], []
    with g.as_default():
        for t in tensors:
            if id(t) in fed:
                t = op("Identity")(t)
                passed.append(t.op)
            made.append(t)
    return made, passed


def _needed(feeds, tensors, operations, captures):
    """The nodes between the feeds and the fetches, and those of them that are captures."""
    fed = {id(t) for t in feeds}
    arguments = {argument.op for _, argument in captures}
    nodes, used = {}, set()
    todo = [t.op for t in tensors if id(t) not in fed] + list(operations)
    while todo:
        o = todo.pop()
        if o in nodes or o in used:
            continue
        if o in arguments:
            used.add(o)
            continue
        if o.type == "Placeholder":
            raise ValueError(
                f"Some or all of the fetches depend on the placeholder {o.name!r}, which is not among the feeds: a function cannot "
                "be called without it"
            )
        nodes[o] = True
        todo.extend(t.op for t in o.inputs if id(t) not in fed)
        todo.extend(o.control_inputs)
    return list(nodes), used


def _element(g, f):
    if isinstance(f, (str, bytes)):
        return g.as_graph_element(f)
    if isinstance(f, TypeSpec) and getattr(f, "name", None):
        return g.as_graph_element(f.name if ":" in f.name else f.name + ":0")
    if isinstance(f, (SymbolicTensor, Operation)) or nest.spec_of(f) is not None:
        return f
    return g.as_graph_element(f)


def _mark(fetch):
    if isinstance(fetch, Operation):
        return None
    return nest.spec_of(fetch) or HERE


def _name_of(t):
    return t.op.name


def wrap_function(fn, signature, name=None):
    """A function of fn, which is called once, with placeholders for the signature's specs.

    What fn makes as in TensorFlow 1, variables and collections, belongs to the function; variables get their values at once.
    """
    own = name or getattr(fn, "__name__", "wrapped").strip("<>")
    body = func_graph.FuncGraph(own, graph.current(), orders_effects=False)
    body._collections = {}
    body.owner = _Owner()
    with body.as_default():
        names = [f"arg{i}" for i in range(len(signature))]
        args = tuple(nest.map_structure(lambda s, n=n: _argument(body, s, getattr(s, "name", None) or n), a)
                     for a, n in zip(signature, names))  # fmt: skip
        body.structured_input_signature = _signature(tuple(signature), {}, names)
        result = fn(*args)
        structure = nest.map_structure(lambda v: _result(body, v), result)
    made = WrappedFunction(
        f"__wrapped_{own}_{next(_numbers)}",
        body,
        structure,
        body.structured_input_signature,
        names,
        body.made_variables,
    )
    return made


class _Owner:
    """Stands for the tf.function in the graph of a wrapped function: it may make variables."""
