"""Branches: cond, case, switch_case; and what orders ops: group, tuple, with_dependencies.

Eagerly the Python function of the branch is called. In a graph all branches are traced, into the functions of one If or Case.
"""

from __future__ import annotations

import builtins

from . import flow_bodies
from ..core import graph, nest, scopes, tensor, variables
from ..core.indexed_slices import IndexedSlices
from ..core.op_defs import op


def _is_true(pred) -> bool:
    return bool(pred.read_value() if isinstance(pred, variables.Variable) else pred)


def _only_one(value, strict):
    return value[0] if not strict and isinstance(value, (list, tuple)) and len(value) == 1 else value


def cond(pred, true_fn=None, false_fn=None, name=None):
    """What true_fn() gives when the scalar pred is true, else what false_fn() gives.

    In a graph both have to give the same structure of tensors with the same types: TypeError when they do not.
    """
    return _cond(pred, true_fn, false_fn, True, name)


def cond_v1(pred, true_fn=None, false_fn=None, strict=False, name=None, fn1=None, fn2=None):
    """The same; fn1 and fn2 are older names. Unless `strict`, a list of one tensor is that tensor."""
    for word, old, new in (("true_fn", fn1, true_fn), ("false_fn", fn2, false_fn)):
        if old is not None and new is not None:
            raise TypeError(f"cond(): '{word}' and its older name may not both be set.")
    true_fn, false_fn = true_fn if fn1 is None else fn1, false_fn if fn2 is None else fn2
    for word, f in (("true_fn", true_fn), ("false_fn", false_fn)):
        if f is None:
            raise TypeError(f"cond(): '{word}' argument required")
    return _cond(pred, true_fn, false_fn, strict, name)


def _cond(pred, true_fn, false_fn, strict, name):
    for word, f in (("true_fn", true_fn), ("false_fn", false_fn)):
        if not callable(f):
            raise TypeError(f"'{word}' must be callable.")
    if graph.current() is None and not isinstance(pred, graph.SymbolicTensor):
        with scopes.name_scope(name or "cond"):
            return _only_one((true_fn if _is_true(pred) else false_fn)(), strict)
    if isinstance(pred, bool):
        raise TypeError("pred must not be a Python bool", pred)
    if graph.wants_switches():
        return _only_one(_switch_cond(pred, true_fn, false_fn, name or "cond"), strict)
    pred = graph.into(graph.current(), pred)
    if pred.shape.rank != 0:
        pred = op("Squeeze")(pred)
    made = _branch(
        "If", pred, {"then_branch": true_fn, "else_branch": false_fn}, ("true_fn", "false_fn"), name or "cond"
    )
    return _only_one(made, strict)


def _switch_cond(pred, true_fn, false_fn, name):
    """The conditional of TensorFlow 1."""
    from . import switch_conds

    g = graph.current()
    words = ("true_fn", "false_fn")
    with scopes.name_scope(name):
        branches = switch_conds.branches(g, graph.into(g, pred, name="pred"))
        traced = []
        for branch, word, function in zip(branches, words, (true_fn, false_fn)):
            structure = branch.trace(function)
            if structure is None:
                raise ValueError(f"'{word}' must have a return value.")
            traced.append(_Traced(structure, branch))
        _check_results(traced, words, "Switch")
        merged = switch_conds.merge([t.structure for t in traced][::-1])
    for branch in branches:
        branch.finished("cond_context")
    return merged


class _Traced:
    """A branch's results, as _check_results compares them."""

    def __init__(self, structure, branch):
        self.graph = branch.graph
        self.restructure(structure)

    def restructure(self, structure):
        self.structure = structure
        self.specs = nest.map_structure(flow_bodies.spec_or_self, structure)
        self.results = [v for v in nest.flatten(structure, True) if v is not None]


def _branch(op_name, index, functions, words, name):
    """If or Case over traced functions. `functions`: by attr of the op; words: what messages call each."""
    with scopes.name_scope(name) as scope:
        pass
    bodies = []
    for word, function in zip(words, functions.values()):
        body = flow_bodies.Body(f"{scope.rstrip('/').replace('/', '_')}_{word.replace(' ', '_')}", word, scope)
        ops_give = index if index.dtype.is_bool else tensor.convert_here(0)
        body.trace(lambda f=function, b=body: f(), ops_give=ops_give)
        bodies.append(body)
    _check_results(bodies, words, op_name)
    first = bodies[0]
    made = build_branches(op_name, index, list(functions), bodies, scope)
    if not first.results:
        return first.structure
    return flow_bodies.pack(first.structure, made)


def build_branches(op_name, index, attrs, bodies, scope):
    """The op over traced bodies, whose results agree in number and types: its outputs, or the op where it has none."""
    captures = flow_bodies.share_captures(bodies)
    shapes = [_common_shape(ts) for ts in zip(*(b.results for b in bodies))]
    names = [b.finish() for b in bodies]
    branches = dict(zip(attrs, names)) if op_name == "If" else {"branches": names}
    with flow_bodies.awaited(bodies):
        made = op(op_name if any(b.is_stateful for b in bodies) else "Stateless" + op_name)(
            index,
            captures,
            Tout=[t.dtype for t in bodies[0].results],
            output_shapes=shapes,
            name=scope,
            **branches,
        )
    return flow_bodies.outputs_with_shapes(made, shapes, scope) if bodies[0].results else made


def _common_shape(tensors):
    shape = tensors[0].shape
    for t in tensors[1:]:
        shape = shape.most_specific_compatible_shape(t.shape)
    return shape


def _match_slices(a, b):
    """IndexedSlices whose indices are int32 in one branch and int64 in the other have int64 in both. TypeError when a branch
    has IndexedSlices where the other has none."""
    leaves = [nest.flatten(body.structure) for body in (a, b)]
    if len(leaves[0]) != len(leaves[1]):
        return
    for i, pair in enumerate(zip(*leaves)):
        kinds = [isinstance(v, IndexedSlices) for v in pair]
        if any(kinds) and not all(kinds) and None not in pair:
            raise TypeError(f"Cannot reconcile tf.cond {i}-th outputs:\n  {pair[0]}\n  {pair[1]}")
        if all(kinds) and pair[0].indices.dtype != pair[1].indices.dtype:
            for body, leaf, flat in zip((a, b), pair, leaves):
                if leaf.indices.dtype.name == "int32":
                    with body.graph.building():
                        flat[i] = IndexedSlices(leaf.values, op("Cast")(leaf.indices, DstT=9), leaf.dense_shape)
    for body, flat in zip((a, b), leaves):
        body.restructure(nest.pack_sequence_as(body.structure, flat))


class _OtherLength(ValueError):
    """Branches agree in structure, but one has None where the other has a tensor."""


def _check_results(bodies, words, op_name):
    first = bodies[0]
    for body, word in zip(bodies[1:], words[1:]):
        try:
            _match_slices(first, body)
            nest.assert_same_structure(first.specs, body.specs, expand_composites=True)
            pairs = [*zip(nest.flatten(first.structure, True), nest.flatten(body.structure, True))]
            if len(first.results) != len(body.results):
                raise _OtherLength(
                    f"Lengths of branch outputs of {'switch_case' if op_name == 'Case' else 'cond'} must match.\n"
                    f"len(graphs[0].outputs): {len(first.results)}\nlen(graphs[1].outputs): {len(body.results)}\n"
                )
            for a, b in pairs:
                if (a is None) != (b is None):
                    raise TypeError("Some values are None in one branch and tensors in another.")
                if a is not None and a.dtype.base_dtype != b.dtype.base_dtype:
                    if op_name == "Switch":
                        raise ValueError(
                            "Outputs of 'true_fn' and 'false_fn' must have the same type(s). Received "
                            f"{a.dtype.name} from 'true_fn' and {b.dtype.name} from 'false_fn'."
                        )
                    raise TypeError(f"Tensors have the types {a.dtype.name} and {b.dtype.name}.")
        except (ValueError, TypeError) as error:
            if isinstance(error, _OtherLength):
                raise ValueError(str(error)) from None
            if op_name == "Switch" or "Cannot reconcile" in str(error):
                raise
            what = (
                "true_fn and false_fn arguments to tf.cond"
                if op_name == "If"
                else f"{words[0]} and {word} arguments to tf.switch_case"
            )
            raise TypeError(
                f"{what} must have the same number, type, and overall structure of return values.\n\n{words[0]} output: "
                f"{first.structure}\n{word} output: {body.structure}\n\nError details:\n{error}"
            ) from None


# ---- one of several


def switch_case(branch_index, branch_fns, default=None, name="switch_case"):
    """What the function with the number branch_index gives; `default`, or the last one, for numbers without a function.

    branch_fns: functions, or pairs (number, function), or a dictionary of them; in all the numbers are 0 to n - 1.
    """
    functions = _numbered(branch_fns, default)
    if isinstance(branch_index, int):
        raise TypeError(f"'branch_index' must be a Tensor, got {type(branch_index)}")
    if graph.current() is None and not isinstance(branch_index, graph.SymbolicTensor):
        i = int(branch_index)
        return functions[i if 0 <= i < len(functions) else -1]()
    index = graph.into(graph.current(), branch_index)
    if index.dtype.name != "int32":
        index = op("Cast")(index, DstT=3)
    words = [f"branch {i}" for i in builtins.range(len(functions))]
    with scopes.name_scope(name or "switch_case"):
        return _branch("Case", index, dict(zip(words, functions)), words, "indexed_case")


def _numbered(branch_fns, default):
    if not isinstance(branch_fns, (list, tuple, dict)):
        raise TypeError("branch_fns must be a dict, list, or tuple")
    pairs = sorted(branch_fns.items(), key=lambda p: p[0]) if isinstance(branch_fns, dict) else list(branch_fns)
    if all(callable(f) for f in pairs):
        pairs = list(enumerate(pairs))
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(f"Each entry in branch_fns must be a 2-tuple. Received {pair}.")
        if isinstance(pair[0], tensor.Tensor) or not isinstance(pair[0], int):
            raise TypeError(f"key must be a Python `int`, got {type(pair[0])}")
        if not callable(pair[1]):
            raise TypeError(f"fn for key {pair[0]} must be callable.")
    if not pairs:
        raise ValueError("Must provide at least one item in branch_fns")
    pairs.sort(key=lambda p: p[0])
    numbers = [n for n, _ in pairs]
    if min(numbers) < 0 or max(numbers) >= len(pairs) or len(set(numbers)) != len(numbers):
        raise ValueError(
            f"branch indices (keys) must form contiguous range of [0 to {len(pairs)}) but found {{{','.join(map(str, numbers))}}}"
        )
    functions = [f for _, f in pairs]
    return functions + [default] if default is not None else functions


def case(pred_fn_pairs, default=None, exclusive=False, strict=False, name="case"):
    """What the function beside the first true pred gives; default() when none is true.

    pred_fn_pairs: pairs (scalar bool tensor, function), or compat.v1's dictionary of them. exclusive: InvalidArgumentError
    when several are true.
    """
    pairs, names = _checked_pairs(pred_fn_pairs, default)
    eager = graph.current() is None and not any(isinstance(p, graph.SymbolicTensor) for p, _ in pairs)
    with scopes.name_scope(name or "case"):
        checks = []
        if exclusive:
            preds = [p for p, _ in pairs]
            if eager and sum(map(_is_true, preds)) > 1:
                raise _not_exclusive(preds, names)
            if not eager:
                count = op("Sum")(op("Cast")(op("Pack")(preds), DstT=3), [0])
                text = f"Input error: exclusive=True: more than 1 conditions ({', '.join(names)}) evaluated as True:"
                checks.append(op("Assert")(op("Less")(count, 2), [text, op("Pack")(preds)], summarize=len(preds)))
        rest = default
        if rest is None:
            rest = _last_resort(pairs.pop(), eager, name)
        for pred, function in reversed(pairs):
            rest = _either(pred, function, rest, strict)
        with scopes.control_dependencies(checks):
            return _only_one(rest(), strict)


def _either(pred, function, rest, strict):
    return lambda: _cond(pred, function, rest, strict, "cond")


def _not_exclusive(preds, names):
    from ..core import errors

    return errors.InvalidArgumentError(
        None,
        None,
        f"Input error: More than one condition evaluated as True but exclusive=True. Conditions: ({', '.join(names)}), Values: {preds}",
    )


def _last_resort(pair, eager, name):
    """The last pair's function, which without a default has to be one whose pred is true."""
    pred, function = pair
    text = "Input error: None of conditions evaluated as True. "

    def call():
        with scopes.control_dependencies(
            [op("Assert")(pred, [text + str(getattr(pred, "name", "") if not eager else pred)])]
        ):
            return function()

    return call


def _checked_pairs(pred_fn_pairs, default):
    if isinstance(pred_fn_pairs, dict):
        pairs = [(k.deref() if isinstance(k, tensor.Reference) else k, v) for k, v in pred_fn_pairs.items()]
        if graph.current() is not None and pairs and all(hasattr(p, "name") for p, _ in pairs):
            pairs.sort(key=lambda p: p[0].name)
    elif isinstance(pred_fn_pairs, (list, tuple)):
        pairs = list(pred_fn_pairs)
    else:
        raise TypeError(f"'pred_fn_pairs' must be a list, tuple, or dict. Received: {type(pred_fn_pairs)}")
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(f"Each entry in pred_fn_pairs must be a 2-tuple. Received {pair}.")
        pred, function = pair
        if isinstance(pred, (tensor.Tensor, variables.Variable)):
            if not pred.dtype.is_bool:
                raise TypeError(
                    f"pred must be Tensor of type bool: {getattr(pred, 'name', pred) if graph.current() else pred}"
                )
        elif graph.current() is not None or not isinstance(pred, bool):
            raise TypeError(f"pred must be a Tensor, got: {pred}")
        if not callable(function):
            raise TypeError(f"fn for pred {pred} must be callable.")
    if default is not None and not callable(default):
        raise TypeError("'default' must be callable.")
    if not pairs:
        raise ValueError(
            "Must provide at least one pair in pred_fn_pairs" if default is None else "pred_fn_pairs is empty"
        )
    return pairs, [str(getattr(p, "name", p)) if isinstance(p, graph.SymbolicTensor) else str(p) for p, _ in pairs]


# ---- order


def no_op(name=None):
    """An op that does nothing, for others to wait for; in eager code None."""
    return op("NoOp")(name=name)


def _operations(inputs):
    for x in inputs:
        if x is None:
            continue
        if hasattr(x, "_as_graph_element"):
            x = x._as_graph_element()
        yield x


def group(*inputs, **kwargs):
    """An operation that is done when all of these are. Eagerly they are done, and there is None."""
    name = kwargs.pop("name", None)
    if kwargs:
        raise ValueError(f"Unknown keyword arguments: {', '.join(kwargs)}.")
    if graph.current() is None:
        return None
    flat = [x for x in nest.flatten(inputs, expand_composites=True) if x is not None]
    for x in flat:
        if not isinstance(x, (tensor.Tensor, graph.Operation, variables.Variable)) and not hasattr(x, "device"):
            raise TypeError(f"'inputs' should be zero or more (nested) Tensors. Received '{x}' with type '{type(x)}'.")
    with graph.current().control_dependencies(flat):
        return no_op(name or "group_deps")


def tuple_(tensors, control_inputs=None, name=None):
    """The tensors, each of which is there only when all of them are, and the control inputs. None stays None."""
    if graph.current() is None:
        return tensors
    with scopes.name_scope(name or "tuple"):
        after = [t for t in tensors if t is not None]
        if not after:
            raise ValueError(f"'tensors' should have at least one non-None Tensor. Received: {tensors}.")
        for c in control_inputs or ():
            if not isinstance(c, (graph.Operation, tensor.Tensor)):
                raise TypeError(f"'control_inputs' must only contain Operation or Tensor. Received: {type(c)}")
        flat = [c for t in after for c in nest.flatten(t, True)]
        gate = group(*flat, *(control_inputs or ()))
        return [None if t is None else with_dependencies([gate], t, "control_dependency") for t in tensors]


def with_dependencies(dependencies, output_tensor, name=None):
    """The tensor, or composite, once the dependencies are done."""
    if graph.current() is None:
        return output_tensor
    with graph.current().control_dependencies(dependencies):
        if isinstance(output_tensor, graph.Operation):
            return no_op("group_deps" if name == "control_dependency" else name)
        made = nest.map_structure(lambda t: op("Identity")(t, name=name), output_tensor, expand_composites=True)
        return made


def tuple_v1(tensors, name=None, control_inputs=None):
    return tuple_(tensors, control_inputs, name)
