"""tf.cond in graphs of TensorFlow 1: both branches are nodes of the one graph, and a value that enters a branch passes a Switch.

    pred ── Switch ── pivot of each branch, for nodes without inputs
    x ───── Switch ── what the branch makes of it ──┐
    ...                       of the other branch ──┴── Merge ── result

So reference variables can be assigned to in a branch, and only what is asked for runs.
"""

from __future__ import annotations

from ..core import graph, nest, variables
from ..core.op_defs import op


class Branch:
    """One branch while it is built: the graph asks it about the inputs of every new node."""

    def __init__(self, g, pred, number):
        self.graph, self.pred, self.number = g, pred, number
        self.outer = g._branch
        self._made: set = set()
        self._inside: dict[int, tuple] = {}
        switched = op("Switch")(pred, pred)[number]
        self.pivot = op("Identity")(switched, name="switch_t" if number else "switch_f")
        self.made(switched.op)
        self.made(self.pivot.op)

    def __enter__(self):
        self.graph._branch = self
        return self

    def __exit__(self, *exception):
        self.graph._branch = self.outer

    def enter(self, t):
        """A tensor as it is within the branch."""
        if t.op in self._made:
            return t
        found = self._inside.get(id(t))
        if found is None:
            self.graph._branch = self.outer
            try:
                is_ref = t._dtype_number > 100
                with self.graph.control_dependencies(None):
                    made = op("RefSwitch" if is_ref else "Switch")(t, self.pred)[self.number]
            finally:
                self.graph._branch = self
            made.set_shape(t.shape)
            found = self._inside[id(t)] = (t, made)
            self.made(made.op)
        return found[1]

    def inputs(self, inputs):
        return [[self.enter(t) for t in x] if isinstance(x, list) else self.enter(x) for x in inputs]

    def wait(self, flat, controls):
        """A node without inputs waits for the pivot: else it would run in both cases."""
        if not flat:
            controls[self.pivot.op.node] = self.pivot.op

    def made(self, node):
        """A node of the branch: it may be dead, so it is neither fed nor fetched."""
        self._made.add(node)
        self.graph.prevent_fetching(node)
        for t in node.outputs:
            self.graph.prevent_feeding(t)

    # ---- results

    def trace(self, function):
        """The structure of what the branch gives, as tensors of the branch."""
        with self:
            result = function()
            return nest.map_structure(self._result, result)

    def _result(self, value):
        if value is None:
            return None
        if nest.spec_of(value) is not None:
            return nest.map_structure(self._tensor, value, expand_composites=True)
        return self._tensor(value)

    def _tensor(self, value):
        if isinstance(value, graph.Operation):
            with self.graph.control_dependencies([value]):
                return op("Identity")(self.pivot)
        if isinstance(value, variables.Variable):
            value = value.read_value()
        return op("Identity")(self.enter(graph.into(self.graph, value)))


def merge(structures):
    """The results of the branches, each in the branch that is taken."""
    flat = [nest.flatten(s, True) for s in structures]
    made = []
    for pair in zip(*flat):
        if pair[0] is None:
            made.append(None)
            continue
        t = op("Merge")(list(pair))[0]
        t.set_shape(pair[0].shape.most_specific_compatible_shape(pair[1].shape))
        made.append(t)
    return nest.pack_sequence_as(structures[0], made, True)
