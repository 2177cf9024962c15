"""while and for statements: loops of Python, until a condition or what they run over is a tensor.

A loop of the graph has as loop variables the tensors of its state. Names that are not set before it get zeros, of the shapes
that a trial of the body gives them; what is no tensor has to stay the same object.
"""

from __future__ import annotations

from ..core import func_graph, graph, nest, tensor, tensor_shape, variables
from ..core.op_defs import op
from . import branches, expressions, tensor_lists
from . import state as states
from .undefined import Undefined


def while_stmt(test, body, names, options, get_rest=None, set_rest=None):
    """while test(): body(). A condition that becomes a tensor makes the rest of the loop one of the graph.

    names: of the state, after the variables those of what get_rest gives
    """
    first, get_state = True, None
    while True:
        effects = _effects()
        condition = test()
        if expressions.is_tensor(condition):
            if get_state is None:
                options = options or {}
                get_state, set_state = states.of((test, body), names, get_rest, set_rest)
            if expressions.runs_at_once(condition):
                if first:
                    check = _EagerState(get_state, names)
                if not bool(expressions.dense(condition)):
                    break
                body()
                if first:
                    check.after_one()
                first = False
                continue
            if options.get("test_assigns") or _effects() != effects:
                _rotated(condition, test, body, get_state, set_state, names, options)
            else:
                _staged(test, body, get_state, set_state, names, options)
            return
        if not condition:
            break
        body()
        first = False


def _effects() -> int:
    """How many ops with effects the graph that is being built has."""
    return len(getattr(graph.current(), "ordered", ()))


def _rotated(condition, test, body, get_state, set_state, names, options):
    """A loop of the graph whose test has to run just once an iteration: it follows the body, its result is a loop variable."""
    more = [expressions._as_bool(condition)]

    def once():
        body()
        more[0] = expressions._as_bool(test())

    def get():
        return (*get_state(), more[0])

    def put(values):
        set_state(values[:-1])
        more[0] = values[-1]

    _staged(lambda: more[0], once, get, put, (*names, "the loop's condition"), options)


class _EagerState:
    """What a loop on a tensor's value demands of its state, also where it runs at once."""

    def __init__(self, get_state, names):
        self.get_state, self.names, self.before = get_state, names, get_state()
        for name, value in zip(names, self.before):
            if type(value) is Undefined and not name.isidentifier():
                raise ValueError(f"'{name}' must be defined before the loop")

    def after_one(self):
        for name, before, after in zip(self.names, self.before, self.get_state()):
            if type(before) is Undefined:
                if type(after) is not Undefined and not _is_structure_of_tensors(after):
                    raise ValueError(f"'{name}' must be defined before the loop")
            elif before is not after and not _is_structure_of_tensors(after):
                raise TypeError(
                    f"'{name}' is {after!r}, which is no tensor, after an iteration of a loop whose condition is a tensor"
                )


def _is_structure_of_tensors(value) -> bool:
    return all(_is_tensor_like(v) for v in nest.flatten(value))


def _is_tensor_like(value) -> bool:
    return (
        isinstance(value, (tensor.Tensor, variables.Variable, bool, int, float, complex))
        or nest.spec_of(value) is not None
        or type(value).__module__ == "numpy"
        or isinstance(value, (str, bytes))
    )


# ---- for


def for_stmt(iterated, extra_test, body, names, options, get_rest=None, set_rest=None):
    """for item in iterated: body(item), while extra_test() (None: always). `names` as in while_stmt."""
    options = options or {}
    get_state, set_state = states.of((body,), names, get_rest, set_rest)
    if expressions.is_tensor(iterated) and not expressions.runs_at_once(iterated):
        _over_tensor(expressions.dense(iterated), extra_test, body, get_state, set_state, names, options)
        return
    staged = getattr(type(iterated), "_autograph_for", None)
    if staged is not None and graph.current() is not None:
        staged(iterated, extra_test, body, get_state, set_state, names, options)
        return
    if expressions.is_tensor(iterated):
        iterated = expressions.dense(iterated)
        if iterated.shape.rank == 0:
            raise TypeError("'Tensor' object is not iterable: a for statement over a scalar tensor")
        check = _EagerState(get_state, names)
        _over_python(iter(iterated), extra_test, body, get_state, set_state, names, check)
        return
    _over_python(iterated, extra_test, body, get_state, set_state, names, None)


def _over_python(iterated, extra_test, body, get_state, set_state, names, check):
    for item in iterated:
        if extra_test is not None:
            go = extra_test()
            if expressions.is_tensor(go) and not expressions.runs_at_once(go):
                _guarded(go, item, body, get_state, set_state, names)
                continue
            if not (bool(expressions.dense(go)) if expressions.is_tensor(go) else go):
                break
        body(item)
        if check is not None:
            check.after_one()
            check = None


def _guarded(go, item, body, get_state, set_state, names):
    """One round of a Python loop that a tensor may have ended."""
    n = len([name for name in names if name.isidentifier()])
    branches.guarded(expressions.dense(go), lambda: body(item), lambda: None, get_state, set_state, names, (n, n))


def _over_tensor(iterated, extra_test, body, get_state, set_state, names, options):
    """Over the rows of a tensor in a graph."""
    if iterated.shape.rank == 0:
        raise TypeError("'Tensor' object is not iterable: a for statement over a scalar tensor")
    over_rows(
        lambda: op("Shape")(iterated)[0], lambda i: iterated[i], extra_test, body, get_state, set_state, names, options
    )


def over_rows(count, row, extra_test, body, get_state, set_state, names, options):
    """A loop of the graph over row(0) ... row(count() - 1)."""
    at = [graph.into(graph.current(), 0, 3)]
    n = count()

    def test():
        more = op("Less")(at[0], n)
        return more if extra_test is None else expressions.and_(more, extra_test)

    def once():
        i = at[0]
        body(row(i))
        at[0] = op("AddV2")(i, 1)

    def get():
        return (*get_state(), at[0])

    def put(values):
        set_state(values[:-1])
        at[0] = values[-1]

    _staged(test, once, get, put, (*names, "the loop's index"), options)


# ---- loops of the graph


class _Variable:
    """One name of a loop's state. `leaves`: what the graph's loop has of it; None: nothing, `value` stays."""

    def __init__(self, name, value):
        self.name, self.value, self.made = name, value, False
        self.leaves = None

    def settle(self, value):
        self.value = value
        self.leaves = [_as_loop_variable(v) for v in nest.flatten(value)]

    def pack(self, leaves):
        return nest.pack_sequence_as(self.value, leaves) if self.leaves is not None else self.value


def _as_loop_variable(value):
    value = expressions.dense(value)
    return value if nest.spec_of(value) is not None else graph.into(graph.current(), value)


class _Grown(Exception):
    """The body gave variables of a loop that relaxes their shapes less specific ones."""


def _staged(test, body, get_state, set_state, names, options):
    """A loop of the graph; options["relaxes"]: shapes that the body changes become less specific, as loops over datasets have it."""
    from ..ops import array_ops, while_loops

    with branches.nothing_or_graph(None, graph.current() or graph.default_graph()):
        state = [_Variable(n, v) for n, v in zip(names, get_state())]
        lists = options.get("lists", ())
        for v in state:
            if v.name in lists and type(v.value) is list:
                v.value = tensor_lists.TensorList.on_trial(v.value)
            elif type(v.value) is not Undefined and _is_structure_of_tensors(v.value):
                v.settle(v.value)
        unclear = [v for v in state if v.leaves is None]
        if unclear:
            _try_once(state, unclear, body, get_state, set_state)
            _settle_lists(unclear)
        invariants = _invariants(state, options)
        grown = {} if options.get("relaxes") and not graph.wants_switches() else None
        made = [v for v in state if v.made]

        # Whether it ran; also for a loop that has effects alone, since one without variables would be none.
        flags = [graph.into(graph.current(), False)] if made or all(v.leaves is None for v in state) else []
        loop_vars = [leaf for v in state if v.leaves is not None for leaf in v.leaves] + flags

        def put(flat):
            flat = list(flat)
            values = []
            for v in state:
                n = len(v.leaves) if v.leaves is not None else 0
                values.append(v.pack(flat[:n]))
                flat = flat[n:]
            set_state(tuple(values))

        def condition(*flat):
            put(flat)
            more = test()
            return expressions._as_bool(more)

        def once(*flat):
            put(flat)
            body()
            after = []
            for v, value in zip(state, get_state()):
                after.extend(_after(v, value, flat[len(after) :], invariants, grown))
            if grown:
                raise _Grown()
            return [*after, *([graph.into(graph.current(), True)] if flags else [])]

        extra = {
            k: v
            for k, v in options.items()
            if k in ("parallel_iterations", "maximum_iterations", "swap_memory") and v is not None
        }
        while True:
            shapes = None
            if invariants:
                shapes = []
                for v in state:
                    for i, leaf in enumerate(v.leaves or ()):
                        shapes.append(invariants.get((v.name, i), _shape_of(leaf)))
                shapes += [f.shape for f in flags]
            try:
                results = list(while_loops.while_loop(condition, once, loop_vars, shape_invariants=shapes, **extra))
                break
            except _Grown:  # traced once more, as TensorFlow does
                invariants.update(grown)
                grown.clear()
        if flags:
            ran = results.pop()
            what = ", ".join(repr(v.name) for v in made if v.name != "retval_")
            if what:
                check = op("Assert")(ran, [f"loop must iterate at least once to initialize {what}"])
                at = 0
                for v in state:
                    n = len(v.leaves or ())
                    if v.made and v.name != "retval_":
                        with graph.current().control_dependencies([check]):
                            results[at : at + n] = [
                                nest.map_structure(array_ops.identity, t, expand_composites=True)
                                for t in results[at : at + n]
                            ]
                    at += n
        put(results)


def _settle_lists(state):
    """Lists that a trial has changed become tensor lists; those of other things than tensors stay."""
    for v in state:
        learned = getattr(v.value, "learned", None) if isinstance(v.value, tensor_lists.TensorList) else None
        if learned is None:
            continue
        if learned.dtype is None or learned.refused:
            v.value = learned.values
        else:
            v.settle(tensor_lists.TensorList.of(learned))


def _shape_of(leaf):
    spec = nest.spec_of(leaf)
    return spec if spec is not None else leaf.shape


def _after(v, value, flat, invariants, grown):
    """A loop variable's leaves after an iteration, checked against those before it; grown: has shapes that differ, None: none may."""
    if v.leaves is None:
        if type(value) is Undefined or value is v.value or branches._same(value, v.value):
            return []
        raise TypeError(
            f"'{v.name}' is {v.value!r} before the loop, which is no tensor, but {value!r} after an iteration: a loop whose condition "
            "is a tensor can change tensors alone"
        )
    if type(value) is Undefined:
        raise ValueError(f"'{v.name}' must not be deleted in the loop")
    try:
        nest.assert_same_structure(v.value, value, check_types=False)
    except (ValueError, TypeError) as error:
        raise TypeError(
            f"'{v.name}' does not have the same nested structure before and after one iteration: {error}"
        ) from None
    made = []
    for i, (before, leaf) in enumerate(zip(flat, nest.flatten(value))):
        leaf = expressions.dense(leaf)
        if nest.spec_of(leaf) is not None:
            made.append(leaf)
            continue
        if leaf is None:
            raise ValueError(f"'{v.name}' is None at the end of the loop's body, and a tensor before it")
        wanted = before.dtype
        if not isinstance(leaf, tensor.Tensor):
            try:
                leaf = graph.into(graph.current(), leaf, wanted.as_datatype_enum)
            except (TypeError, ValueError):
                leaf = graph.into(graph.current(), leaf)
        if leaf.dtype != wanted:
            raise TypeError(
                f"'{v.name}' has dtype {wanted.name} before the loop, but dtype {leaf.dtype.name} after one iteration: give it one "
                f"type, with tf.cast or a constant of that type before the loop{expressions.origin(leaf)}"
            )
        shape = invariants.get((v.name, i), before.shape)
        shape = getattr(shape, "shape", shape)
        if not leaf.shape.is_subtype_of(tensor_shape.as_shape(shape)):
            if grown is not None:
                grown[v.name, i] = tensor_shape.as_shape(shape).most_specific_compatible_shape(leaf.shape)
                made.append(leaf)
                continue
            raise ValueError(
                f"'{v.name}' has shape {before.shape} before the loop, but shape {leaf.shape} after one iteration. Use "
                f"tf.autograph.experimental.set_loop_options to set shape invariants{expressions.origin(leaf)}."
            )
        made.append(leaf)
    return made


def _invariants(state, options):
    """By (name, leaf): the shape that set_loop_options, or a trial, says."""
    made = {}
    given = options.get("shape_invariants")
    pairs = given() if given is not None else []
    for key, shape in pairs:
        v = next((v for v in state if v.name == key or not isinstance(key, str) and v.value is key), None)
        if v is None or v.leaves is None:
            continue
        if len(v.leaves) == 1:
            made[v.name, 0] = shape if hasattr(shape, "_component_specs") else tensor_shape.as_shape(shape)
        else:
            for i, s in enumerate(nest.flatten_up_to(v.value, shape)):
                made[v.name, i] = tensor_shape.as_shape(s)
    for v in state:
        if v.made:
            for i, shape in enumerate(v.shapes):
                made.setdefault((v.name, i), shape)
    return made


def _try_once(state, unclear, body, get_state, set_state):
    """Traces the body in a graph that is thrown away, to see what it makes of names that are not set, or no tensors."""
    g = graph.current()
    before = get_state()
    trial = func_graph.FuncGraph("trial", g)
    try:
        with trial.as_default():
            values = []
            for v in state:
                if v.leaves is None:
                    values.append(v.value)
                    continue
                leaves = [
                    leaf if nest.spec_of(leaf) is not None else trial.placeholder(leaf.dtype, leaf.shape)
                    for leaf in v.leaves
                ]
                values.append(v.pack(leaves))
            set_state(tuple(values))
            body()
            after = get_state()
    except (UnboundLocalError, AttributeError, KeyError) as error:
        missing = [v.name for v in unclear if type(v.value) is Undefined]
        told = next(
            (n for n in missing if repr(n) in str(error) or n.rpartition(".")[2] in str(error)),
            missing[0] if missing else None,
        )
        if told is None:
            raise
        raise ValueError(f"'{told}' must be defined before the loop: {error}") from error
    finally:
        set_state(before)
    for v, value in zip(state, after):
        if v.leaves is not None or isinstance(v.value, tensor_lists.TensorList):
            continue
        if type(v.value) is Undefined:
            if type(value) is Undefined:
                continue
            if not v.name.isidentifier() or not _is_structure_of_tensors(value):
                raise ValueError(f"'{v.name}' must be defined before the loop")
            _make(v, value)
        elif value is not v.value and not branches._same(value, v.value):
            if v.value is None or any(leaf is None for leaf in nest.flatten(v.value)):
                raise ValueError(f"'{v.name}' may not be None before the loop: it is {value!r} after an iteration")
            raise TypeError(
                f"'{v.name}' is {v.value!r} before the loop, which is no tensor, but {value!r} after an iteration: a loop whose "
                "condition is a tensor can change tensors alone"
            )


def _make(v, value):
    """Zeros for a name that the loop sets."""
    from ..ops import array_ops

    leaves, shapes = [], []
    for leaf in nest.flatten(value):
        leaf = expressions.dense(leaf)
        if nest.spec_of(leaf) is not None:
            raise ValueError(f"'{v.name}' must be defined before the loop: it becomes a {type(leaf).__name__}")
        made = leaf if isinstance(leaf, tensor.Tensor) else tensor.convert_here(leaf)
        shape = made.shape
        dims = [d or 0 for d in shape.as_list()] if shape.rank is not None else []
        leaves.append(array_ops.zeros(dims, made.dtype))
        shapes.append(shape)
    v.made, v.shapes = True, shapes
    v.value = nest.pack_sequence_as(value, leaves)
    v.leaves = leaves
