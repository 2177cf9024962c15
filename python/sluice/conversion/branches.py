"""if statements and conditional expressions on tensors."""

from __future__ import annotations

from ..core import graph, nest, tensor, variables
from . import expressions, state, tensor_lists
from .undefined import Undefined

_FLAGS = ("do_return_", "break_", "continue_")


def if_stmt(test, body, orelse, names, how_many, get_rest=None, set_rest=None):
    """Runs one of the two; both become branches of the graph when the test is a tensor.

    names: of the state; how_many: (variables that are results, all variables), after them names of what get_rest gives.
    """
    if not expressions.is_tensor(test):
        body() if test else orelse()
        return
    test = expressions.dense(test)
    if expressions.runs_at_once(test):
        body() if bool(test) else orelse()
        return
    get_state, set_state = state.of((body, orelse), names, get_rest, set_rest)
    guarded(test, body, orelse, get_state, set_state, names, how_many)


def guarded(test, body, orelse, get_state, set_state, names, how_many):
    """The same for a test of a graph and a state that is given by functions."""
    results, all_variables = how_many
    chosen = [i for i in range(len(names)) if i < results or i >= all_variables]
    before = get_state()
    lists = _Lists(before, chosen)

    def run(branch):
        set_state(lists.for_branch())
        branch()
        after = get_state()
        return lists.seen([after[i] for i in chosen])

    made = _branch(test, run, (body, orelse), [names[i] for i in chosen])
    set_state(before)
    after = list(before)
    for i, value in zip(chosen, made):
        after[i] = lists.kept(i, value)
    set_state(tuple(after))


class _Lists:
    """Python's lists in the state of two branches: each branch changes a copy. What both make of it is put into the list itself."""

    def __init__(self, before, chosen):
        self.before, self.chosen, self.copies, self.made = before, chosen, [], []
        self.changed: set[int] = set()  # of the state: lists that both branches still have, so that they are not others

    def for_branch(self):
        given = [v.copy() if isinstance(v, tensor_lists.TensorList) else v for v in self.before]
        for i in self.chosen:
            if type(given[i]) is list:
                given[i] = list(given[i])
        self.copies.append(given)
        return tuple(given)

    def seen(self, after):
        """What a branch gives; after the second one, lists without a change by tensors are again what they were."""
        self.made.append(after)
        if len(self.made) == 2:
            for at, i in enumerate(self.chosen):
                original, parts = self.before[i], [values[at] for values in self.made]
                if type(original) is list and all(p is c[i] for p, c in zip(parts, self.copies)):
                    self.changed.add(i)
                    self._settle(at, original, parts)
        return after

    def _settle(self, at, original, parts):
        n = len(original)
        if all(len(p) >= n and all(x is y for x, y in zip(p, original)) for p in parts):
            added = [v for p in parts for v in p[n:]]
            if not any(expressions.is_tensor(v) for v in nest.flatten(added)):
                original.extend(added)  # notes of the tracing, which runs both
                for values in self.made:
                    values[at] = original

    def kept(self, i, value):
        """What the variable is after the branches."""
        original = self.before[i]
        if i not in self.changed or value is original:
            return value
        original[:] = value
        return original


def expression(test, body, orelse, what, assigned=None):
    """body() if test else orelse(), of a tensor.

    assigned: (get_state, set_state, names) of what the two assign by :=; a name that one of them leaves alone is zero there.
    """
    test = expressions.dense(test)
    if expressions.runs_at_once(test):
        return body() if bool(test) else orelse()
    get_state, set_state, names = assigned or (lambda: (), lambda values: None, ())
    before = get_state()

    def run(branch):
        set_state(before)
        return [branch(), *get_state()]

    value, *after = _branch(test, run, (body, orelse), [what, *names], fill=True)
    set_state(tuple(after))
    return value


def _branch(test, run, functions, names, fill=False):
    """An If of both; the values that they give for the names, as they agree on them.

    fill: a name that one of them leaves without a value is zero there
    """
    from ..ops import control_flow_ops, flow_bodies

    g = graph.current()
    with nothing_or_graph(test, g):
        g = graph.current()
        pred = expressions.truth(test)
        with g.name_scope("cond") as scope:
            pass
        bodies, values = [], []
        for word, function in zip(("true", "false"), functions):
            b = flow_bodies.Body(f"{scope.rstrip('/').replace('/', '_')}_{word}", scope=scope)
            with b.graph.building():
                values.append(run(function))
            bodies.append(b)
        joins = [_join(name, a, b, bodies, fill or name == "retval_") for name, a, b in zip(names, *values)]
        for i, b in enumerate(bodies):
            b.results = [t for join in joins for t in join.tensors[i]]
            b.structure = b.results
        attrs = ("then_branch", "else_branch")
        made = control_flow_ops.build_branches("If", pred, attrs, bodies, scope)
        flat = iter(made if bodies[0].results else ())
        return [join.rebuild(flat) for join in joins]


def nothing_or_graph(test, g):
    """Within a graph: that of the tensor, where none is being built."""
    from contextlib import nullcontext

    return nullcontext() if g is not None else test.graph.as_default()


class _Joined:
    """What two branches give for one name: tensors of each, and how the op's outputs are put together."""

    def __init__(self, tensors, rebuild):
        self.tensors, self.rebuild = tensors, rebuild


def _same(a, b) -> bool:
    if a is b:
        return True
    if isinstance(a, (tensor.Tensor, variables.Variable)) or isinstance(b, (tensor.Tensor, variables.Variable)):
        return False
    if type(a) is not type(b) or not isinstance(a, (int, float, complex, str, bytes, bool, type(None))):
        return False
    return a == b


def _join(name, a, b, bodies, fill):
    if _same(a, b) or all(isinstance(v, tensor_lists.TensorList) and v.is_empty_on_trial for v in (a, b)):
        return _Joined(([], []), lambda flat: a)
    for value, word in ((a, "main"), (b, "else")):
        if type(value) is Undefined:
            other = b if word == "main" else a
            if fill and type(other) is not Undefined:
                return _join(
                    name,
                    *(_zeros_of(other, bodies, 0 if word == "main" else 1, i, v) for i, v in enumerate((a, b))),
                    bodies,
                    fill,
                )
            if "." in name or "[" in name or type(other) is Undefined:
                if type(other) is Undefined:
                    return _Joined(([], []), lambda flat: a)
            what = "a value is returned" if name == "retval_" else f"'{name}' must also be initialized"
            raise ValueError(
                f"{what} in the {word} branch: the condition is a tensor, so both branches have to give it a value"
            )
    try:
        nest.assert_same_structure(a, b, check_types=False, expand_composites=True)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"'{name}' must have the same nested structure in the main and else branches:\n\n{error}"
        ) from None
    leaves = [_join_leaf(name, x, y, bodies) for x, y in zip(nest.flatten(a, True), nest.flatten(b, True))]
    tensors = [t for leaf in leaves for t in leaf.tensors[0]], [t for leaf in leaves for t in leaf.tensors[1]]
    return _Joined(tensors, lambda flat: nest.pack_sequence_as(a, [leaf.rebuild(flat) for leaf in leaves], True))


def _zeros_of(other, bodies, missing, i, value):
    """For a branch that returns nothing, where a flag says that it does not: zeros like the other's."""
    if i != missing:
        return value
    g = bodies[missing].graph

    def zeros(leaf):
        if not isinstance(leaf, tensor.Tensor):
            return leaf if isinstance(leaf, (int, float, bool, str)) or leaf is None else leaf
        dims = [d or 0 for d in leaf.shape.as_list()] if leaf.shape.rank is not None else [0]
        with g.building():
            from ..ops.array_ops import zeros as make

            return make(dims, leaf.dtype)

    return nest.map_structure(zeros, other, expand_composites=True)


def _join_leaf(name, a, b, bodies):
    if _same(a, b):
        return _Joined(([], []), lambda flat: a)
    values = [expressions.dense(v) if isinstance(v, variables.Variable) else v for v in (a, b)]
    known = next((v.dtype for v in values if isinstance(v, tensor.Tensor)), None)
    made = []
    for value, body, word in zip((a, b), bodies, ("main", "else")):
        with body.graph.building():
            value = expressions.dense(value)
            if value is None:
                raise ValueError(
                    f"'{name}' is None at the end of the {word} branch, and a tensor at the end of the other"
                )
            wanted = 0 if isinstance(value, tensor.Tensor) or known is None else known.as_datatype_enum % 100
            try:
                made.append(graph.into(body.graph, value, wanted))
            except (TypeError, ValueError):
                try:
                    made.append(graph.into(body.graph, value))
                except (TypeError, ValueError):
                    raise TypeError(
                        f"'{name}' is {value!r} at the end of the {word} branch, which is no tensor and not what it is at the end of "
                        "the other: the condition is a tensor"
                    ) from None
    if made[0].dtype != made[1].dtype:
        raise TypeError(
            f"'{name}' has dtype {made[0].dtype.name} in the main branch, but dtype {made[1].dtype.name} in the else branch: give it "
            f"one type with tf.cast{expressions.origin(*made)}"
        )
    return _Joined(([made[0]], [made[1]]), next)
