"""The graph of a function's body: what comes from outside becomes an argument, and nodes with effects keep their order."""

from __future__ import annotations

import itertools
import weakref

from .. import _native
from . import attr_value, effects, graph, modes
from .operation import SymbolicTensor

_numbers = itertools.count()

_CURRENT = object()
_SHARED_COLLECTIONS = ("variables", "local_variables", "trainable_variables")


class FuncGraph(graph.Graph):
    """A function's graph. `outer`: the one in which it is made, or None, by default the one that this thread builds;
    `orders_effects`: whether nodes with effects wait for each other (effects.py)."""

    building_function = True
    is_control_flow_graph = False
    _scopes_kind = graph._Scopes

    def __init__(self, name: str, outer=_CURRENT, orders_effects=True):
        super().__init__()
        outer = graph.current() if outer is _CURRENT else outer
        self.native.mark(f"g{next(_numbers)}_")  # what gradients make in it will be in the one context, too
        self.name, self.outer = name, outer
        self.orders_effects = orders_effects
        self.inputs: list[SymbolicTensor] = []
        self.outputs: list[SymbolicTensor] = []
        self.structured_outputs = self.structured_input_signature = None
        self.control_outputs: list = []
        self._captures: dict[int, tuple] = {}  # id of the value outside -> (value, argument)
        self._weak_variables: list = []
        self.made_variables: list = []  # by the function itself, while it was traced
        self.owner = None  # the tf.function, while it is traced; graphs of branches have none
        self.holders = 0  # concrete functions that are made of it
        self._inner: list = []  # graphs that are made in it, weakly
        self.forbids_variables = False
        self.called: list = []  # functions that nodes name
        self.effects, self.knows_effects = effects.Order(), True
        self.ordered: list = []
        if isinstance(outer, FuncGraph):
            outer._inner.append(weakref.ref(self))
        if outer is not None:
            self._seed = outer.seed
            self._collections = self._inherited(outer._collections)

    @staticmethod
    def _inherited(collections) -> dict:
        """A function has the collections of where it is made; what it adds stays its own, but for variables."""
        own = {name for name in collections if isinstance(name, str) and name not in _SHARED_COLLECTIONS}
        return {name: list(values) if name in own else values for name, values in collections.items()}

    @property
    def outer_graph(self):
        """The graph in which it is made, as packages ask for it: the process's own when that is eager code."""
        return graph.process_graph() if self.outer is None else self.outer

    # ---- variables

    @property
    def variables(self):
        """The variables that its nodes read, of those that are still there."""
        return [v for v in (w() for w in self._weak_variables) if v is not None]

    def note_variable(self, variable):
        if all(w() is not variable for w in self._weak_variables):
            self._weak_variables.append(weakref.ref(variable))

    def variable_is_made(self, variable):
        """Hears of a variable that is made while it is traced. ValueError when its function has made variables before."""
        g = self
        while g.owner is None and isinstance(g.outer, FuncGraph):
            g = g.outer
        if g.forbids_variables:
            raise ValueError(
                "tf.function only supports singleton tf.Variables created on the first call. Make sure the tf.Variable is only "
                "created once or created outside tf.function. See https://www.tensorflow.org/guide/function#creating_tfvariables "
                "for more information."
            )
        g.made_variables.append(variable)

    @property
    def trainable_variables(self):
        return tuple(v for v in self.variables if v.trainable)

    # ---- what comes from outside

    def placeholder(self, dtype, shape, name="args"):
        attrs = [("dtype", attr_value.encode("t", False, dtype)), ("shape", attr_value.encode("h", False, shape))]
        return self.add("Placeholder", [], attrs, name).outputs[0]

    def enter(self, value, name=None):
        if isinstance(value, SymbolicTensor):
            if value.graph is self:
                return value
            value = self._value_outside(value)
        found = self._captures.get(id(value))
        if found is None:
            with self._outside_scopes():
                argument = self.placeholder(value.dtype.base_dtype, value.shape, "captured")
            if (held := getattr(value, "held", None)) is not None:
                argument.held = held
                self.native.set_held(argument._pair, *held)
            self.inputs.append(argument)
            found = self._captures[id(value)] = (value, argument)
        return found[1]

    capture = enter

    def _value_outside(self, value):
        """The tensor as the graph around this one has it."""
        g = self.outer
        while g is not None and g is not value.graph:
            g = getattr(g, "outer", None)
        if g is None:
            if value.graph.building_function:
                raise graph.out_of_scope(value)
            if self.outer is None and modes.eager:
                raise TypeError(f"{value!r} is of a graph that this function was not made in")
            return value
        return self.outer.enter(value) if self.outer is not value.graph else value

    def _outside_scopes(self):
        return _WithoutScopes(self)

    def replay_captures(self):
        """The pairs (value outside, argument) of what has become an argument."""
        return [(value, argument) for value, argument in self._captures.values() if argument.op.type == "Placeholder"]

    captures = property(replay_captures)

    @property
    def external_captures(self):
        return [value for value, _ in self.replay_captures()]

    @property
    def internal_captures(self):
        return [argument for _, argument in self.replay_captures()]

    def let_go(self):
        """One concrete function less is made of it. A graph is a cycle of nodes and tensors, which stays until the garbage collector
        comes; what it has captured goes with the last function."""
        self.holders -= 1
        if self.holders <= 0:
            self._captures.clear()
            for inner in (w() for w in self._inner):
                if inner is not None and not inner.holders:  # a body of a branch or a loop
                    inner.let_go()

    def capture_control(self, op):
        return None  # what runs outside has run before, or the call waits for it

    # ---- effects

    def order(self, type_, inputs, attrs, is_stateful, controls):
        if is_stateful and type_ not in effects.UNORDERED:
            before = self.effects.before(self, type_, inputs, attrs, is_stateful)
            if self.orders_effects:
                controls.update((o.node, o) for o in before)

    def added(self, op, is_stateful):
        if is_stateful and op.type not in effects.UNORDERED:
            self.effects.made(op)
            self.ordered.append(op)


class _WithoutScopes:
    """Arguments are named, placed and ordered by nothing around their first use."""

    def __init__(self, g):
        self.graph = g

    def __enter__(self):
        g = self.graph
        self.before = g._controls, g._scope, g._devices, g._attrs
        g._controls, g._scope, g._devices, g._attrs = [], "", [], []

    def __exit__(self, *exception):
        g = self.graph
        g._controls, g._scope, g._devices, g._attrs = self.before


class NotLifted(ValueError):
    """A tensor of a function depends on its arguments."""


def lift(value):
    """The value of a tensor of a function that depends on no argument of the function: computed at once. NotLifted when it
    depends on one."""
    g = value.graph
    nodes, todo, arguments = {}, [value.op], {t.op: outside for outside, t in g.replay_captures()}
    while todo:
        o = todo.pop()
        if o in nodes:
            continue
        nodes[o] = True
        if o.type == "Placeholder" and o not in arguments:
            raise NotLifted(
                f"Tensor {value.name} cannot be lifted out of the function {g.name}: it depends on the argument {o.name}. "
                "tf.function only supports singleton tf.Variables created on the first call. Make sure the tf.Variable is only "
                "created once or created outside tf.function."
            )
        todo.extend(t.op for t in o.inputs)
    captured = [o for o in nodes if o in arguments]
    f = g.native.function(
        f"__lifted_{next(_numbers)}",
        [(o.node, 0) for o in captured],
        [value._pair],
        [],
        [],
        False,
        [o.node for o in nodes],
    )
    library = _Registered([*g.native.functions(), f])
    with graph.outside():
        made = _native.execute_function(f.name, [arguments[o] for o in captured], 1, b"")[0]
    if made.dtype.name in ("variant", "resource"):  # datasets and iterators call functions by name
        made._keeps = library
    return made


class _Registered:
    """Functions as ops of the eager context, as long as this lives."""

    def __init__(self, functions):
        for f in functions:
            f.register()
            weakref.finalize(self, forget, f.name)


def forget(name):
    """A function that was registered is no op any more, unless somebody else has registered it."""
    try:
        _native.context_call("remove_function", name)
    except Exception:  # the context has gone first, at the interpreter's end
        pass
