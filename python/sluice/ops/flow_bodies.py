"""Bodies of branches and loops: Python functions traced into functions of the graph that is being built.

A body is a FuncGraph within the graph where the op will be. What it uses of outside are its captures: further inputs
of the op, in one order for all bodies of one op (`share_captures`).
"""

from __future__ import annotations

import contextlib
import itertools

from ..core import attr_value, effects, func_graph, graph, nest, op_defs, variables
from ..core.op_defs import op

_numbers = itertools.count()
# Ops of a body that are called stateful, and are not a reason to run an op for more than its results.
_HARMLESS = {"Placeholder", "VarHandleOp", "_Arg"}


def _has_effects(type_: str) -> bool:
    return type_ not in _HARMLESS and not type_.startswith("__") and op_defs.info(type_).is_stateful


_MOST_COPIED = 1024  # elements


class BodyGraph(func_graph.FuncGraph):
    """The graph of a branch or loop. Small whole numbers of outside that are known are copied, so that shapes that are made
    of them stay known."""

    is_control_flow_graph = True

    def __init__(self, name, outer, word, scope):
        super().__init__(name, outer, orders_effects=getattr(outer, "orders_effects", False))
        self._scope = scope
        self._devices = list(outer._devices)
        self._collections = outer._collections
        self.word = word
        self.awaited: list = []  # operations of the graph around that the op has to wait for
        self._copied: dict[int, tuple] = {}

    def enter(self, value, name=None):
        known = getattr(value, "constant", None)
        if known is None or value.graph is self or not (known.dtype.is_integer or known.dtype.is_bool):
            return super().enter(value, name)
        if known.shape.num_elements() > _MOST_COPIED:
            return super().enter(value, name)
        found = self._copied.get(id(value))
        if found is None:
            self._value_outside(value)
            with self._outside_scopes():
                found = self._copied[id(value)] = (
                    value,
                    graph.constant_node(self, known, value.op.name.rpartition("/")[2]),
                )
        return found[1]

    def _value_outside(self, value):
        other = value.graph
        if isinstance(other, BodyGraph) and other.outer is self.outer:
            raise ValueError(f"Tensor {value.name} in {other.word} is accessed from {self.word}.")
        return super()._value_outside(value)

    def capture_control(self, op):
        if op.graph is self.outer:
            self.awaited.append(op)
        elif self.outer is not None:
            self.outer.capture_control(op)
        return None


def spec_or_self(value):
    """Of a composite its spec, which can be compared in every graph."""
    spec = nest.spec_of(value)
    return value if spec is None else spec


class Body:
    """A traced body: its graph, the structure of its results, and the tensors of that. `scope`: of names within, "" or with a
    "/" at its end."""

    def __init__(self, name: str, word: str = "", scope: str = ""):
        self.outer = graph.current()
        self.graph = BodyGraph(name, self.outer, word or name, scope)
        self.structure = None
        self.results: list = []
        self.native = None
        self.is_stateful = False  # known once it is finished

    def argument(self, dtype, shape, name="args"):
        made = self.graph.placeholder(dtype, shape, name)
        self.graph.inputs.append(made)
        return made

    def trace(self, function, *arguments, ops_give=None):
        """Calls the function while the graph is built. `ops_give`: what an operation among its results stands for."""
        with self.graph.building():
            result = function(*arguments)
            self.structure = nest.map_structure(lambda v: self._leaf(v, ops_give), result)
            self.restructure(self.structure)

    def restructure(self, structure):
        """Sets the structure of the results."""
        self.structure = structure
        with self.graph.building():
            self.specs = nest.map_structure(spec_or_self, structure)
            self.results = [graph.into(self.graph, v) for v in nest.flatten(structure, True) if v is not None]

    def _leaf(self, value, ops_give):
        if value is None:
            return value
        if nest.spec_of(value) is not None:
            return nest.map_structure(lambda t: graph.into(self.graph, t), value, expand_composites=True)
        if isinstance(value, graph.Operation):
            if ops_give is None:
                return None
            with self.graph.control_dependencies([value]):
                return op("Identity")(ops_give)
        if isinstance(value, variables.Variable):
            value = value.read_value()
        return graph.into(self.graph, value)

    def _pruned(self, outputs):
        """The nodes from which the results follow, of graphs of TensorFlow 1 where others have effects; else None: all."""
        self.graph.take_in()
        read = {
            node: (type_, [n for n, _ in inputs] + controls) for node, type_, _, _, inputs, controls, _ in self._parts()
        }
        found: set = set()
        todo = [t.op.node for t in [*outputs, *self.graph.inputs]]
        while todo:
            node = todo.pop()
            if node not in found:
                found.add(node)
                todo.extend(read[node][1])
        if self.graph.orders_effects or not any(_has_effects(t) for n, (t, _) in read.items() if n not in found):
            return None
        return list(found)

    def _parts(self):
        return self.graph.native.nodes(0)[1]

    def finish(self, outputs=None):
        """Makes the function, known to the outer graph; gives its name."""
        g = self.graph
        outputs = self.results if outputs is None else outputs
        with g.building():
            outputs = [op("Identity")(t) for t in outputs]
        nodes = self._pruned(outputs)
        kept = None if nodes is None else set(nodes)
        self.is_stateful = any(_has_effects(p[1]) for p in self._parts() if kept is None or p[0] in kept)
        name = f"{g.name}_{next(_numbers)}"
        parts = ([], [o.node for o in g.ordered], False) if nodes is None else ([], [], False, nodes)
        self.native = g.native.function(name, [t._pair for t in g.inputs], [t._pair for t in outputs], *parts)
        self.name = self.native.name
        self.effects = effects.Effects(g.effects, g.inputs) if g.knows_effects else None
        self.library = [self.native, *g.native.functions()]
        self.outer.use_function(self)
        if isinstance(self.outer, func_graph.FuncGraph):
            self.outer.called.append(self)
            for v in g.variables:
                self.outer.note_variable(v)
        return self.name


def share_captures(bodies) -> list:
    """Gives all bodies the same captures in the same order, behind their own arguments; gives the captured values."""
    values: dict[int, object] = {}
    for body in bodies:
        values.update((id(value), value) for value in body.graph.external_captures)
    for body in bodies:
        g = body.graph
        own = len(g.inputs) - len(g.captures)
        arguments = [t for t in g.inputs if all(t is not argument for _, argument in g.captures)]
        assert len(arguments) == own
        with g.building():
            g.inputs[:] = arguments + [g.enter(value) for value in values.values()]
    return list(values.values())


# Sessions and functions run the op as switches, merges and loops, not as calls of its bodies.
_LOWERED = {"_lower_using_switch_merge": attr_value.encode("b", False, True)}


@contextlib.contextmanager
def awaited(bodies):
    """Within this `with` the op is made: it waits for what the bodies wait for outside."""
    here = graph.current()
    with here.control_dependencies([o for b in bodies for o in b.graph.awaited]), here._with_attrs(_LOWERED):
        yield


def pack(structure, flat):
    """A traced structure with the op's outputs for its tensors; None stays."""
    have = nest.flatten(structure, True)
    flat = iter(flat)
    return nest.pack_sequence_as(structure, [None if v is None else next(flat) for v in have], True)


def outputs_with_shapes(outputs, shapes, scope):
    """The op's outputs, by way of Identity, so that none is the op's own; their shapes are told."""
    made = []
    for t, shape in zip(outputs, shapes):
        if t.shape.rank is None or not t.shape.is_fully_defined():
            t.set_shape(shape)
        with graph.current().name_scope(scope):
            made.append(op("Identity")(t))
    return made
