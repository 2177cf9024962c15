"""tf.cond in graphs of TensorFlow 1: both branches are nodes of the one graph, and a value that enters a branch passes a Switch.

    pred ── Switch ── pivot of each branch, for nodes without inputs
    x ───── Switch ── what the branch makes of it ──┐
    ...                       of the other branch ──┴── Merge ── result

So reference variables can be assigned to in a branch, and only what is asked for runs.
"""

from __future__ import annotations


from ..core import flow_contexts, graph, nest
from ..core.op_defs import op


class Branch(flow_contexts.Context):
    """One branch of a conditional: `number` 1 where pred is true, 0 where it is false."""

    def __init__(self, g, pred, pivot, number, name, outer):
        super().__init__(g, name, outer)
        self.pred, self.pivot, self.number = pred, pivot, number
        for t in (pred, pivot):
            self._inside[id(t)] = (t, t)
        self.external_values[pred.name] = pred.name

    def bring(self, value, controls):
        made = flow_contexts.switch(value, self.pred)[self.number]
        self.graph.prevent_fetching(made.op)
        return made

    def wait(self, type_, flat, controls, name):
        """A node without inputs waits for the pivot: else it would run in both cases. Nothing outside of the loop around
        is waited for."""
        loop = flow_contexts.loop_of(self)
        if loop is not None:
            for node in [n for n, o in controls.items() if flow_contexts.loop_of(o._context) is not loop]:
                del controls[node]
        if not flat and not any(flow_contexts.is_within(o._context, self) for o in controls.values()):
            controls[self.pivot.op.node] = self.pivot.op

    # ---- results

    def trace(self, function):
        """The structure of what the branch gives, as tensors of the branch; None when it gives nothing."""
        with self:
            result = function()
            return None if result is None else nest.map_structure(self._result, result)

    def _result(self, value):
        if value is None:
            return None
        if nest.spec_of(value) is not None:
            return nest.map_structure(self._tensor, value, expand_composites=True)
        return self._tensor(value)

    def _tensor(self, value):
        if isinstance(value, graph.Operation):
            with self.graph.control_dependencies([value]), self.graph.colocate_with(self.pivot.op):
                return op("Identity")(self.pivot, name="control_dependency")
        return self.enter(graph.into(self.graph, value))


def branches(g, pred):
    """The two branches of a conditional, that for true first."""
    pair = op("Switch")(pred, pred)
    pivots = [op("Identity")(pair[1], name="switch_t"), op("Identity")(pair[0], name="switch_f")]
    pred = op("Identity")(pred, name="pred_id")
    for t in (pair[0], *pivots, pred):
        g.prevent_fetching(t.op)
    return [
        Branch(g, pred, pivot, number, g.unique_name("cond_text"), g._context) for pivot, number in zip(pivots, (1, 0))
    ]


def merge(structures):
    """The results of the branches, that for false first, each in the branch that is taken."""
    flat = [nest.flatten(s, True) for s in structures]
    made = []
    for pair in zip(*flat):
        if pair[0] is None:
            made.append(None)
            continue
        t = op("RefMerge" if all(map(flow_contexts.is_ref, pair)) else "Merge")(list(pair), name="Merge")[0]
        t.set_shape(pair[0].shape.most_specific_compatible_shape(pair[1].shape))
        made.append(t)
    return nest.pack_sequence_as(structures[0], made, True)
