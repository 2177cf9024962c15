"""Gradients of graphs: nodes that the library adds, by its rules and by those that Python registers.

A rule of Python is a function of an operation and the gradients of its outputs. It may be asked in a graph that has no
object here, the body of a function or loop that the library takes apart: then it has one for the time of the call.
"""

from __future__ import annotations

import enum
import itertools
import weakref

from .. import _native
from . import errors, flow_contexts, graph, operation, variables
from .indexed_slices import IndexedSlices
from .op_defs import op


class UnconnectedGradients(enum.Enum):
    """What a source has that no target depends on: None, or zeros of its shape."""

    NONE = "none"
    ZERO = "zero"


def wants_zeros(unconnected_gradients) -> bool:
    """ValueError when it is none of UnconnectedGradients."""
    try:
        return UnconnectedGradients(unconnected_gradients) is UnconnectedGradients.ZERO
    except ValueError:
        raise ValueError(f"Unknown value for unconnected_gradients: '{unconnected_gradients}'") from None


def is_differentiable(dtype) -> bool:
    return dtype.is_floating or dtype.is_complex or dtype.name in ("resource", "variant")


def source_of(g, x):
    """The tensor of the graph that gradients with respect to x are of: of a variable its handle, or reference."""
    if isinstance(x, variables.Variable):
        x = x.handle if hasattr(x, "handle") else x._ref()
    return g.enter(x)


def zeros_of(x):
    return op("ZerosLike")(x.read_value() if isinstance(x, variables.Variable) else x)


class Names(enum.IntEnum):
    """Where the names of new nodes are, below the name of all: for "dense/MatMul" in "dense/MatMul_grad", or in "dense"."""

    FLAT = 0
    BY_NODE = 1
    BY_SCOPE = 2


def add(g, ys, xs, dys=None, stops=(), name="gradients", colocate=False, pairs=False, names=Names.FLAT):
    """By x None, a tensor or IndexedSlices: gradients of the sum of the ys, each times its dy (None: ones).

    All are tensors of the graph. `name` ends with "/" when it is a scope that there is. LookupError when an operation on the
    way has no gradient.
    """
    prefix = name[:-1] if name.endswith("/") else g.unique_name(name)
    outer = g._gradient_names
    g._gradient_names = prefix, names
    try:
        return _with_reads(g, ys, xs, dys, stops, prefix, colocate, pairs, names)
    finally:
        g._gradient_names = outer


def _with_reads(g, ys, xs, dys, stops, prefix, colocate, pairs, names):
    g.take_in()
    if g._context is not None:
        read = [flow_contexts.snapshots(g._context, x) for x in xs]
        if any(read):
            return _by_snapshots(g, ys, xs, read, dys, stops, prefix, colocate, pairs, names)
        xs = flow_contexts.sources(g._context, ys, xs)
    return _add(g, ys, xs, dys, stops, prefix, colocate, pairs, names)


def _add(g, ys, xs, dys, stops, prefix, colocate, pairs, names):
    seeds = None if dys is None else [None if d is None else d._pair for d in dys]
    _graphs[g.native.address()] = g
    try:
        found = _native.gradients(
            g.native,
            [y._pair for y in ys],
            seeds,
            [x._pair for x in xs],
            [s._pair for s in (*stops, *g._ends)],
            prefix + "/",
            0,
            True,
            colocate,
            pairs,
            names,
        )
    except errors.NotFoundError as error:
        raise lookup_error(error) from error.__cause__
    except errors.InvalidArgumentError as error:
        if "explicitly disabled" in error.message:
            raise LookupError(error.message) from None
        raise
    return [_result(g, d) for d in found]


def _by_snapshots(g, ys, xs, read, dys, stops, prefix, colocate, pairs, names):
    """Of references that a loop reads by values from outside, too: the sum over all of these."""
    flat = [x for x, own in zip(xs, read) for x in (*own, x)]
    found = iter(_add(g, ys, flow_contexts.sources(g._context, ys, flat), dys, stops, prefix, colocate, pairs, names))
    made = []
    for own in read:
        parts = [d for d in [next(found) for _ in range(len(own) + 1)] if d is not None]
        made.append(
            None if not parts else parts[0] if len(parts) == 1 else op("AddN")([tensor_of(g, d) for d in parts])
        )
    return made


def lookup_error(error):
    """As programs expect it: a LookupError for an op without a gradient, the error itself for what else was not found."""
    return LookupError(error.message) if error.message.startswith("No gradient defined") else error


def _result(g, found):
    if found is None:
        return None
    if isinstance(found[0], int):
        return g.tensor_of(found)
    values, indices, shape = (None if p is None else g.tensor_of(p) for p in found)
    return IndexedSlices(values, indices, shape)


_FLOW = {"If", "StatelessIf", "Case", "StatelessCase", "While", "StatelessWhile"}


# Ops at which a gradient ends whatever comes before them.
_ENDS = {"StopGradient", "ZerosLike", "OnesLike", "Sign", "Round", "Rint", "Floor", "Ceil", "Shape", "Size", "Rank"}


def with_zeros(g, ys, xs, found):
    """The gradients, with zeros for those xs that lead to ys only through branches and loops, whatever these do with them."""
    missing = [i for i, d in enumerate(found) if d is None]
    if not missing or all(o.type not in _FLOW for o in g.get_operations()):
        return found
    reached = _behind_flow(ys)
    return [op("ZerosLike")(x) if d is None and id(x) in reached else d for d, x in zip(found, xs)]


def _behind_flow(ys):
    """Ids of the tensors from which ys follow by way of a branch or loop."""
    reached: set = set()
    seen: set = set()
    todo = [(y, False) for y in ys]
    while todo:
        t, through = todo.pop()
        if (id(t), through) in seen or not is_differentiable(t.dtype):
            continue
        seen.add((id(t), through))
        if through and t.dtype.name not in ("resource", "variant"):
            reached.add(id(t))
        if t.op.type not in _ENDS:
            through = through or t.op.type in _FLOW
            todo.extend((u, through) for u in t.op.inputs)
    return reached


def _captured(g):
    """(tensor outside, argument) of a function's graph, of those that may have gradients."""
    pairs = [(v, a) for v, a in getattr(g, "captures", ()) if isinstance(v, graph.SymbolicTensor)]
    return [(v, a) for v, a in pairs if v.dtype.is_floating or v.dtype.is_complex]


def through_captures(g, ys, xs, dys=None, stops=()):
    """The same with respect to tensors of a graph around the function's, on all ways that lead into the function."""
    parts: list[list] = [[] for _ in xs]
    captured = _captured(g) if xs else []
    found = add(g, ys, [a for _, a in captured], dys, stops) if captured else []
    todo = [(value, tensor_of(g, d)) for (value, _), d in zip(captured, found) if d is not None]
    while todo:
        value, d = todo.pop()
        around = value.graph
        inner = _captured(around)  # what leads further out
        wanted = [(parts[i].append, x) for i, x in enumerate(xs) if x.graph is around and x is not value]
        wanted += [(lambda e, v=v: todo.append((v, e)), a) for v, a in inner]
        for part, x in zip(parts, xs):
            if x is value:
                part.append(d)
        with around.building():
            gradients, there = by_seed(around, value, [x for _, x in wanted], (), "outer") if wanted else (None, [])
        made = iter(gradients(d)) if gradients is not None else iter(())
        for (take, _), e in zip(wanted, there):
            if e is not None:
                take(next(made))
    return [None if not p else p[0] if len(p) == 1 else op("AddN")(p) for p in parts]


# ---- rules

_rules: dict[str, object] = {}  # by the name that was registered
_graphs: weakref.WeakValueDictionary = weakref.WeakValueDictionary()  # by address: those whose gradients were asked for


class _Asked:
    """The operation that a rule is asked about. In the gradient of a loop it reads other tensors than its node does."""

    def __init__(self, node, inputs, outputs):
        self._node, self.inputs, self.outputs = node, tuple(inputs), list(outputs)

    def __getattr__(self, name):
        return getattr(self._node, name)


def _elsewhere(g, node, inputs):
    """An operation of a body whose gradient is made in the graph g."""
    from . import messages

    type_ = messages.NodeDef.FromString(g.native.node_def(node)).op
    return operation.Operation(g, node, type_, g.native.node_name(node), "", inputs, [], [])


def _call_rule(rule):
    def call(native, node, xs, ys, dys):
        g = _graph_of(native)
        with g.building(), g.name_scope(_scope_of(g, node)), flow_contexts.bare(g):
            g.take_in()
            inputs, outputs = ([g.tensor_of(p) for p in pairs] for pairs in (xs, ys))
            asked = _Asked(g._by_node.get(node) or _elsewhere(g, node, inputs), inputs, outputs)
            made = rule(asked, *[None if d is None else g.tensor_of(d) for d in dys])
            made = list(made) if isinstance(made, (list, tuple)) else [made]
            if len(made) != len(inputs):
                raise ValueError(
                    f"Num gradients {len(made)} generated for op {asked.name} do not match num inputs {len(inputs)}"
                )
            return [None if d is None else graph.into(g, d)._pair for d in made]

    return call


def _scope_of(g, node):
    """Where the names are of what a rule adds for this node."""
    prefix, names = g._gradient_names or ("", Names.FLAT)
    if not prefix:
        return None
    name = g.native.node_name(node)
    if names == Names.BY_NODE:
        return f"{prefix}/{name}_grad/"
    scope = name.rpartition("/")[0] if names == Names.BY_SCOPE else ""
    return f"{prefix}/{scope}/" if scope else f"{prefix}/"


def _graph_of(native):
    known = _graphs.get(native.address())
    if known is not None:
        return known
    g = graph.Graph.__new__(graph.Graph)
    graph.Graph.__init__(g)
    g.native = native
    g.building_function = True
    return g


def register(name: str, rule) -> None:
    """KeyError when the name has a rule. The rule is called with the operation and the gradients of its outputs."""
    if name in _rules:
        raise KeyError(f"Registering two gradient with name '{name}'!")
    _rules[name] = rule
    _native.register_gradient(name, _call_rule(rule))


class RegisterGradient:
    """A decorator: the function gives the gradients of ops of this type, or of those that gradient_override_map names so.

    It is called with the operation and a gradient for each output, and gives one for each input, None for none.
    """

    __slots__ = ["_op_type"]

    def __init__(self, op_type):
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string")
        self._op_type = op_type

    def __call__(self, f):
        register(self._op_type, f)
        return f


def no_gradient(op_type):
    """Ops of this type have no gradients, by intent."""
    if not isinstance(op_type, str):
        raise TypeError("op_type must be a string")
    register(op_type, lambda asked, *dys: [None] * len(asked.inputs))


# ---- one gradient for many seeds

_numbers = itertools.count()


class _Function:
    """A part of a graph as a function, that its graph knows."""

    def __init__(self, g, name, inputs, outputs, nodes):
        self.native = g.native.function(
            name, [t._pair for t in inputs], [t._pair for t in outputs], [], [], False, [o.node for o in nodes]
        )
        self.name, self.library = self.native.name, [self.native]
        g.use_function(self)


def _between(first, last):
    """The operations from which `last` follow, and which follow from `first`; and what they read of others."""
    follows: dict = {first.op: True}
    order: list = []

    def visit(root):
        stack = [(root, iter(root.inputs))]
        open_ = {root}
        while stack:
            node, rest = stack[-1]
            inner = next((t.op for t in rest if t.op not in follows and t.op not in open_), None)
            if inner is not None:
                open_.add(inner)
                stack.append((inner, iter(inner.inputs)))
                continue
            stack.pop()
            follows[node] = any(follows.get(t.op) for t in node.inputs)
            if follows[node]:
                order.append(node)

    for t in last:
        if t.op not in follows:
            visit(t.op)
    inside = set(order)
    read = {id(t): t for o in order for t in o.inputs if t.op not in inside and t is not first}
    return order, list(read.values())


def by_seed(g, y, xs, stops, name):
    """A function that gives, for a seed of y's shape, the gradients of y with respect to xs: tensors, or None."""
    seed = op("PlaceholderWithDefault")(op("ZerosLike")(y), shape=y.shape)
    found = [None if d is None else tensor_of(g, d) for d in add(g, [y], xs, [seed], stops)]
    there = [d for d in found if d is not None]
    if not there:
        return None, found
    with g.building():
        there = [op("Identity")(d) for d in there]
    nodes, read = _between(seed, there)
    function = _Function(g, f"{name}_{next(_numbers)}", [seed, *read], there, nodes)
    types = [d.dtype for d in there]

    def gradients(dy):
        graph.current().use_function(function)
        made = op("PartitionedCall")([dy, *read], Tout=types, f=function.name)
        for t, d in zip(made, there):
            if isinstance(t, graph.SymbolicTensor):
                t.set_shape(d.shape)
        return made

    return gradients, found


def tensor_of(g, gradient):
    with g.building():
        return graph.into(g, gradient)
