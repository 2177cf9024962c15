"""tf.while_loop in graphs of TensorFlow 1: the loop is nodes of the one graph, in a frame of their own.

    first value ── Enter ── Merge ── Switch ── Identity ── what the body makes of it ── NextIteration ──┐
                              │  └──────────────────────────────────────────────────────────────────────┘ (input 1)
                  condition ──┴─ LoopCond (of all Switches)
                                   Switch ── Exit ── last value
    value of outside ── Enter (is_constant) ── condition, body

A node that reads no value of the iteration waits for the pivot, so that it runs once in each.
"""

from __future__ import annotations

from . import while_loops
from ..core import flow_contexts, graph, nest, scopes, tensor_shape, variables
from ..core.op_defs import op


class Frame(flow_contexts.Context):
    """One loop. `back_prop`: whether gradients go through it."""

    is_loop = protects_outputs = True

    def __init__(self, g, parallel_iterations, back_prop, swap_memory, name, outer):
        super().__init__(g, name, outer)
        g._frames[self.name] = self
        self.parallel_iterations, self.back_prop, self.swap_memory = parallel_iterations, back_prop, swap_memory
        self.enters, self.merges, self.exits, self.results = [], [], [], []
        self.condition = self.pivot_for_condition = self.pivot_for_body = self.maximum_iterations = None

    # ---- values of outside

    def _enter_node(self, value, is_constant):
        is_ref = flow_contexts.is_ref(value)
        made = op("RefEnter" if is_ref else "Enter")(
            value, frame_name=self.name, is_constant=is_constant, parallel_iterations=self.parallel_iterations
        )
        self.graph.prevent_feeding(made)
        made.op._context = self
        return made

    def bring(self, value, controls):
        """What a node waits for outside of the loop, what is brought in for it waits for."""
        around = flow_contexts.loop_of(self.outer)
        before = [o for o in controls if flow_contexts.loop_of(o._context) is around]
        with self.graph.control_dependencies(before):
            made = self._enter_node(value, True)
        made.set_shape(value.shape)
        made.constant = getattr(value, "constant", None)
        return made

    @staticmethod
    def _is_constant(t) -> bool:
        return t.op.type in ("Enter", "RefEnter") and t.op.get_attr("is_constant")

    def wait(self, type_, flat, controls, name):
        """A node waits for nodes of this iteration only. What it has to wait for outside of the loop is read within it."""
        outside = [o for o in controls.values() if flow_contexts.loop_of(o._context) is not self]
        for o in outside:
            del controls[o.node]
        if not controls and all(self._is_constant(t) for t in flat):
            controls[self.pivot.op.node] = self.pivot.op
        g = self.graph
        for o in outside:
            if o.outputs:
                before = g._scope, g._controls
                g._scope, g._controls = self._scope_below(type_, name), []
                try:
                    read = op("Identity")(o.outputs[0])
                finally:
                    g._scope, g._controls = before
                controls[read.op.node] = read.op

    def _scope_below(self, type_, name):
        """Where what a node needs is named: below the node, but for constants."""
        return self.graph._scope if type_ == "Const" else name + "/"

    # ---- references that the loop assigns
    #
    # TensorFlow's Identity of a reference shares the variable's memory, so what reads a variable by the value that was read
    # outside sees what the loop assigns. Here values do not change: each such reader reads the variable when it runs.

    def _snapshots(self):
        """(reference outside, what a value that was read of it outside is within), of all that have entered."""
        for value, made in {id(made): (value, made) for value, made in self._inside.values()}.values():
            while value.op.type == "Enter":
                value = value.op.inputs[0]
            if value.op.type == "Identity" and flow_contexts.is_ref(value.op.inputs[0]):
                yield value.op.inputs[0], made

    def _readers(self, tensors) -> dict:
        """The operations that read each, by its id."""
        found: dict = {id(t): [] for t in tensors}
        self.graph.take_in()
        for o in self.graph.get_operations() if found else ():
            for t in o.inputs:
                if id(t) in found and o not in found[id(t)]:
                    found[id(t)].append(o)
        return found

    def _read_anew(self):
        g = self.graph
        stale = [(self._inside[id(r)][1], made) for r, made in self._snapshots() if id(r) in self._inside]
        readers = self._readers([t for both in stale for t in both])
        for reference, made in stale:
            if all(o.type == "Identity" for o in readers[id(reference)]):
                continue
            for reader in readers[id(made)]:
                pivot = self.pivot_for_condition if reader in self._of_condition else self.pivot_for_body
                with flow_contexts.bare(g), g.control_dependencies([*reader.control_inputs, pivot.op]):
                    fresh = op("Identity")(reference, name="read")
                fresh.op._context = reader._context
                for i, t in enumerate(reader.inputs):
                    if t is made:
                        g.update_edge(reader, i, fresh)

    # ---- the loop

    def begin(self, values, shapes):
        """Enter and Merge of each loop variable: gives the values that the condition reads."""
        g = self.graph
        if self.outer is not None:
            values = [self.outer.enter(t) for t in values]
        self.enters = [self._first(t, shape) for t, shape in zip(values, shapes)]
        with flow_contexts.bare(g):
            for t, shape in zip(self.enters, shapes):
                merge = op("RefMerge" if flow_contexts.is_ref(t) else "Merge")([t, t], name="Merge")[0]
                merge.set_shape(shape)
                self.made(merge.op)
                self.merges.append(merge)
        self.pivot = self.pivot_for_condition = self.merges[0]
        return self.merges

    def _first(self, value, shape):
        g = self.graph
        constant = self.outer is not None and self.outer.is_loop and self._is_constant(value)
        with flow_contexts.bare(g):
            with g.control_dependencies([self.outer.pivot] if constant else []):
                made = self._enter_node(value, False)
        made.set_shape(shape)
        return made

    def decide(self, condition):
        """The condition is known: gives the values that the body reads."""
        self._of_condition = {o for os in self._readers([t for _, t in self._snapshots()]).values() for o in os}
        self.condition = op("LoopCond")(condition, name="LoopCond")
        switches = []
        for t in self.merges:
            switches.append(flow_contexts.switch(t, self.condition))
        self.exits = [pair[0] for pair in switches]
        values = [op("RefIdentity" if flow_contexts.is_ref(pair[1]) else "Identity")(pair[1]) for pair in switches]
        self.pivot = self.pivot_for_body = values[0]
        return values

    def end(self, results):
        """The body's results are known: closes the loop."""
        for merge, t in zip(self.merges, results):
            after = op("RefNextIteration" if flow_contexts.is_ref(t) else "NextIteration")(t)
            self.graph.update_edge(merge.op, 1, after)
        self._read_anew()

    def leave(self):
        """The last values, of the context around."""
        g = self.graph
        made = []
        for t in self.exits:
            with flow_contexts.bare(g):
                t = op("RefExit" if flow_contexts.is_ref(t) else "Exit")(t)
            t.op._context = self.outer
            if self.outer is not None:
                self.outer.protect(t.op)
                g.prevent_feeding(t)
            made.append(t)
        self.results = made
        if not self.back_prop:
            g.ends_gradients(made)
        return made


def while_loop(cond, body, loop_vars, invariants, options, name, same):
    parallel_iterations, back_prop, swap_memory, maximum_iterations = options
    g = graph.current()
    if not loop_vars:
        raise ValueError("'loop_vars' must be provided.")
    with scopes.name_scope(name or "while"):
        if maximum_iterations is not None:
            maximum_iterations = graph.into(g, maximum_iterations, name="maximum_iterations")
            if maximum_iterations.shape.rank not in (0, None):
                raise ValueError(f"'maximum_iterations' must be a scalar. Received shape: {maximum_iterations.shape}")
            counter = graph.into(g, 0, maximum_iterations._dtype_number, name="iteration_counter")
            if invariants is not None:
                invariants = (tensor_shape.TensorShape([]), invariants)
            cond, body, loop_vars = _counted(cond, body, loop_vars, maximum_iterations, counter)
        loop = Loop(cond, body, loop_vars, invariants)
        loop.name(name or "while")
        frame = Frame(g, parallel_iterations, back_prop, swap_memory, g.unique_name("while_context"), g._context)
        frame.maximum_iterations = maximum_iterations
        made = loop.build_in(frame)
    frame.finished("while_context")
    if maximum_iterations is not None:
        made = made[1]
    return made[0] if not same and len(nest.flatten(made, True)) == 1 and _is_of_one(made) else made


def _is_of_one(made) -> bool:
    return isinstance(made, (list, tuple)) and len(made) == 1


def _counted(cond, body, loop_vars, limit, counter):
    """The condition, body and variables with a counter before the others."""

    def condition(i, variables):
        below = op("Less")(i, limit)
        return op("LogicalAnd")(below, cond(*variables))

    def once(i, variables):
        count = op("AddV2")(i, 1, name="add")
        made = body(*variables)
        if not isinstance(made, (list, tuple)):
            made = [made]
        if type(made) in (list, tuple) and type(variables) in (list, tuple):
            made = type(variables)(made)
        return count, made

    return condition, once, (counter, loop_vars if isinstance(loop_vars, (list, tuple)) else [loop_vars])


class Loop(while_loops.Loop):
    """A loop over structures of variables, built as nodes of the graph."""

    @staticmethod
    def _variable(g, value):
        return value if nest.spec_of(value) is not None else graph.into(g, value)

    def build_in(self, frame):
        g = frame.graph
        with frame:
            values = self._pack(frame.begin(self.flat, self.shapes))
            condition = self.cond(*values)
            if isinstance(condition, variables.Variable):
                condition = condition.read_value()
            values = self._pack(frame.decide(graph.into(g, condition)))
            made = self.body(*values)
            if not isinstance(made, (list, tuple)):
                made = [made]
            nest.assert_same_structure(list(values), list(made), expand_composites=True)
            made = nest.map_structure(lambda v: self._variable(g, v), made)
            results = nest.flatten(made, True)
            for t, shape, result in zip(self.flat, self.shapes, results):
                while_loops.check_variable(t, shape, result)
            frame.end(results)
        last = self._pack(frame.leave())
        self.learn_element_shapes(last, made)
        return nest.pack_sequence_as(made, nest.flatten(last))
