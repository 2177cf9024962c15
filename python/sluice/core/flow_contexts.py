"""Contexts of TensorFlow 1: the branch or loop of one graph that is being built, and how values and waiting get into it.

    Graph.add ── context.inputs ── each input as it is within the context, by way of its outer contexts
              ── context.wait ──── control inputs that the node may have, and the pivot if nothing else binds it
              ── context.made ──── the node is of the context

`Operation._context` is the innermost context of a node, None outside of all.
"""

from __future__ import annotations

from contextlib import contextmanager

from .op_defs import op


class _Asked:
    """What packages ask a context."""

    outer, is_loop = None, False
    outer_context = property(lambda self: self.outer)

    def IsWhileContext(self):
        return self.is_loop

    def IsCondContext(self):
        return not self.is_loop

    def IsXLAContext(self):
        return False

    def GetWhileContext(self):
        return loop_of(self)


class _Bare:
    """No context: nodes are made as they are told, of inputs of any context."""

    outer = None

    def inputs(self, inputs, name):
        return inputs

    def wait(self, type_, flat, controls, name):
        pass

    def made(self, node):
        pass

    def taken(self, node):
        pass


BARE = _Bare()


@contextmanager
def bare(g):
    """Nodes within wait for nothing, and are of no context until somebody says so."""
    before = g._context, g._controls
    g._context, g._controls = BARE, []
    try:
        yield
    finally:
        g._context, g._controls = before


def loop_of(context):
    """The innermost loop that the context is, or is in; None."""
    while context is not None and not context.is_loop:
        context = context.outer
    return context


def asked(context):
    """The context as packages see it; None outside of all."""
    return None if context is BARE else context


def is_within(context, outer) -> bool:
    while context is not None and context is not outer:
        context = context.outer
    return context is outer


def check_inputs(context, inputs, name):
    """ValueError when a node in the context cannot read one of the inputs: it is of a loop that the node is not in."""
    for x in inputs:
        for t in x if isinstance(x, list) else [x]:
            loop = loop_of(t.op._context)
            if loop is not None and not is_within(context, loop):
                other = loop_of(context)
                why = f"'{t.op.name}' is in a while loop" if other is None else "they are in different while loops"
                raise ValueError(
                    f"Cannot use '{t.op.name}' as input to '{name}' because {why}. See info log for more details."
                )


class _TakenFrame(_Asked):
    """A loop that the library has made, of a gradient."""

    is_loop = True

    def __init__(self, name, outer):
        self.name, self.outer = name, outer


class Context(_Asked):
    """A branch or a loop while it is built, and later what its nodes are of."""

    is_loop = False
    protects_outputs = False  # whether nodes of it may not be fed either

    def __init__(self, g, name, outer):
        self.graph, self.outer, self.name = g, outer, name
        self.pivot = None
        self.nested: list = []  # contexts within it
        self.external_values: dict[str, str] = {}  # by the name of a value outside, what it is within
        self._inside: dict[int, tuple] = {}
        self._within = None

    def __enter__(self):
        self._within = self.graph._context
        self.graph._context = self
        return self

    def __exit__(self, *exception):
        self.graph._context = self._within

    # ---- values

    def enter(self, t):
        """A tensor as it is within the context."""
        if is_within(t.op._context, self):
            return t
        found = self._inside.get(id(t))
        if found is None:
            value = t if self.outer is None else self.outer.enter(t)
            found = self._inside.get(id(value))
            if found is None:
                controls = self.graph._controls_for([value])
                with bare(self.graph):
                    made = self.bring(value, list(controls.values()))
                made.op._context = self
                found = self._inside[id(value)] = (value, made)
                self.external_values[value.name] = made.name
            self._inside[id(t)] = (t, found[1])
        return found[1]

    def inputs(self, inputs, name):
        """The inputs of a node with this name, as the context has them; what is made for that is named below the node."""
        g = self.graph
        check_inputs(self, inputs, name)
        before, g._scope = g._scope, name + "/"
        try:
            return [[self.enter(t) for t in x] if isinstance(x, list) else self.enter(x) for x in inputs]
        finally:
            g._scope = before

    # ---- nodes

    def made(self, node):
        node._context = self
        self.protect(node)

    def protect(self, node):
        """A node that may be dead, or is many, is not fetched."""
        self.graph.prevent_fetching(node)
        if self.protects_outputs:
            for t in node.outputs:
                self.graph.prevent_feeding(t)

    def taken(self, node):
        """A node that the library has made meanwhile: it is of the innermost loop whose values it reads."""
        found = None
        for o in _known_before(node):
            loop = loop_of(o._context)
            if loop is not None and (found is None or is_within(loop, found)):
                found = loop
        if node.type in ("Exit", "RefExit") and found is not None:
            found = loop_of(found.outer)
        if node.type in ("Enter", "RefEnter"):
            name = node.get_attr("frame_name").decode()
            found = self.graph._frames.setdefault(name, _TakenFrame(name, found))
        node._context = found

    def finished(self, key):
        """It is built: what is within another is known there, what is not is in a collection of the graph."""
        if self.outer is None:
            self.graph.add_to_collection(key, self)
        else:
            self.outer.nested.append(self)

    def to_proto(self, export_scope=None):
        """The context as the message that meta graphs have; None when it is not in the scope."""
        from ..ops.context_protos import to_proto

        return to_proto(self, export_scope)


def _known_before(node):
    """The operations that a node reads or waits for, but for what a loop makes later."""
    pairs = getattr(node._inputs, "pairs", None)
    if pairs is None:
        found = [t.op for t in node._inputs]
    else:
        found = [o for o in (node.graph._by_node.get(n) for n, _ in pairs) if o is not None]
    return [*found, *node._control_inputs]


# ---- gradients that are asked for within a loop


def sources(context, ys, xs):
    """The xs as gradients within the context are of: of a value outside of the loop what the loop reads of it. ValueError when
    ys follow from one of them by way of the first value of a loop variable."""
    loop = loop_of(context)
    if loop is None or all(is_within(x.op._context, loop) for x in xs):
        return xs
    behind = _behind([y.op for y in ys])
    loops = []
    while loop is not None:
        loops.append(loop)
        loop = loop_of(loop.outer)
    first = [e.op for frame in loops for m, e in zip(frame.merges, frame.enters) if m.op in behind]
    before = _behind(first) if first else ()
    for x in xs:
        if x.op in before:
            raise ValueError(
                f"Cannot compute gradient inside while loop with respect to op '{x.op.name}'. We do not support taking the "
                "gradient wrt or through the initial value of a loop variable. Gradients can be computed through loop "
                "invariants or wrt the input parameters to the loop body."
            )
    return [x if is_within(x.op._context, loops[0]) else loops[0].enter(x) for x in xs]


def snapshots(context, x):
    """What a loop reads of a reference outside of it by way of the values that were read there."""
    loop = loop_of(context)
    if loop is None or not is_ref(x) or is_within(x.op._context, loop):
        return []
    values = {id(value): value for value, _ in loop._inside.values()}.values()
    return [t for t in values if t.op.type == "Identity" and t.op.inputs[0] is x]


def _behind(ops):
    """The operations from which these follow, and they; not by way of the first values of loops."""
    found, todo = set(), list(ops)
    while todo:
        o = todo.pop()
        if o not in found:
            found.add(o)
            todo.extend(t.op for t in o.inputs if not (o.type in ("Merge", "RefMerge") and t.op.type in _LOOP_EDGES))
    return found


_LOOP_EDGES = {"Enter", "RefEnter", "NextIteration", "RefNextIteration"}


def is_ref(t) -> bool:
    return t._dtype_number > 100


def switch(data, pred, name="Switch"):
    """The pair of the data for false and for true; each has the shape of the data."""
    with data.graph.colocate_with(data.op, ignore_existing=True):
        pair = op("RefSwitch" if is_ref(data) else "Switch")(data, pred, name=name)
    for t in pair:
        t.set_shape(data.shape)
    return pair
