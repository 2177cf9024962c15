"""Contexts of TensorFlow 1 as the messages of meta graphs, and back: CondContextDef and WhileContextDef."""

from __future__ import annotations

from . import frame_loops, switch_conds
from ..core import graph, messages


def _name(name, scope):
    """A name without the scope; None when it is outside."""
    if not scope:
        return name
    return name[len(scope) + 1 :] if name.startswith(scope + "/") else None


def _tensor_name(t, scope):
    return None if t is None else _name(t.name, scope)


def to_proto(context, export_scope=None):
    scope = (export_scope or "").rstrip("/")
    name = _name(context.name, scope)
    if name is None:
        return None
    is_loop = context.is_loop
    made = messages.WhileContextDef() if is_loop else messages.CondContextDef()
    made.context_name = name
    made.pivot_name = _tensor_name(context.condition if is_loop else context.pivot, scope)
    if is_loop:
        made.parallel_iterations = int(context.parallel_iterations)
        made.back_prop, made.swap_memory = bool(context.back_prop), bool(context.swap_memory)
        made.pivot_for_pred_name = _tensor_name(context.pivot_for_condition, scope)
        made.pivot_for_body_name = _tensor_name(context.pivot_for_body, scope)
        made.loop_exit_names.extend(_name(t.name, scope) for t in context.results)
        made.loop_enter_names.extend(_name(t.name, scope) for t in context.enters)
        limit = context.maximum_iterations
        if limit is not None and _tensor_name(limit, scope):
            made.maximum_iterations_name = _tensor_name(limit, scope)
    else:
        made.pred_name, made.branch = _tensor_name(context.pred, scope), context.number
    _values(made.values_def, context, scope)
    for inner in context.nested:
        part = to_proto(inner, export_scope)
        nested = made.nested_contexts.add()
        (nested.while_ctxt if inner.is_loop else nested.cond_ctxt).CopyFrom(part)
    return made


def _values(values, context, scope):
    own = [t.name for o in context.graph.get_operations() if o._context is context for t in o.outputs]
    own += [t.name for t in getattr(context, "results", ())] + list(context.external_values)
    values.values.extend(sorted(filter(None, (_name(n, scope) for n in set(own)))))
    for outside, inside in context.external_values.items():
        if _name(outside, scope) and _name(inside, scope):
            values.external_values[_name(outside, scope)] = _name(inside, scope)


# ---- back


class _Imported:
    """Where the names of a message are in the graph that it was imported into."""

    def __init__(self, scope):
        self.graph, self.scope = graph.default_graph(), scope

    def name(self, name):
        return f"{self.scope}/{name}" if self.scope else name

    def tensor(self, name):
        return self.graph.get_tensor_by_name(self.name(name)) if name else None

    def settle(self, context, proto):
        """The context of what was imported: its values, nodes and inner contexts."""
        for outside, inside in proto.values_def.external_values.items():
            a, b = self.tensor(outside), self.tensor(inside)
            context._inside[id(a)] = (a, b)
            context.external_values[a.name] = b.name
        brought = set(proto.values_def.external_values)
        for name in proto.values_def.values:
            o = self.tensor(name).op
            if name not in brought or o.type in ("Enter", "RefEnter"):
                o._context = context
        for nested in proto.nested_contexts:
            inner = nested.while_ctxt if nested.WhichOneof("ctxt") == "while_ctxt" else nested.cond_ctxt
            make = self.loop if nested.WhichOneof("ctxt") == "while_ctxt" else self.branch
            context.nested.append(make(inner, context))
        return context

    def branch(self, proto, outer=None):
        pred, pivot = self.tensor(proto.pred_name), self.tensor(proto.pivot_name)
        made = switch_conds.Branch(self.graph, pred, pivot, proto.branch, self.name(proto.context_name), outer)
        self.settle(made, proto)
        pivot.op._context = pred.op._context = outer
        return made

    def loop(self, proto, outer=None):
        name = self.name(proto.context_name)
        options = proto.parallel_iterations, proto.back_prop, proto.swap_memory
        made = frame_loops.Frame(self.graph, *options, name, outer)
        made.enters = [self.tensor(n) for n in proto.loop_enter_names]
        made.merges = [self._merge_of(t) for t in made.enters]
        made.results = [self.tensor(n) for n in proto.loop_exit_names]
        made.condition = self.tensor(proto.pivot_name)
        made.pivot_for_condition = self.tensor(proto.pivot_for_pred_name)
        made.pivot = made.pivot_for_body = self.tensor(proto.pivot_for_body_name)
        made.maximum_iterations = self.tensor(proto.maximum_iterations_name)
        self.settle(made, proto)
        for t in made.results:
            t.op._context = outer
        if not made.back_prop:
            self.graph.ends_gradients(made.results)
        return made

    def _merge_of(self, enter):
        return next(o for o in enter.consumers() if o.type in ("Merge", "RefMerge")).outputs[0]


def branch_from_proto(proto, import_scope=None):
    """The branch that a CondContextDef describes, of nodes that are in the current graph."""
    return _Imported(import_scope).branch(proto)


def loop_from_proto(proto, import_scope=None):
    """The same of a WhileContextDef."""
    return _Imported(import_scope).loop(proto)
