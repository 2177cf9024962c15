"""A function that was traced: the graph of its body, what it takes and gives, and how it is called."""

from __future__ import annotations

import inspect
import sys
import weakref

from .. import _native
from . import dtypes, effects, error_places, errors, func_graph, graph, nest, tensor, variables
from .op_defs import info as op_info
from .op_defs import op
from .type_spec import TensorSpec, TypeSpec

_RESOURCE, _VARIANT = dtypes.resource.as_datatype_enum, dtypes.variant.as_datatype_enum
_SOFT = b"\x38\x01"  # a ConfigProto with allow_soft_placement


class _Here:
    """Stands for a tensor in a structure of results."""

    def __repr__(self):
        return "<tensor>"


HERE = _Here()


call_listener = None  # (function): hears of each call, while tf.summary traces


class ConcreteFunction:
    """One trace of a function.

    `structure`: of the results, HERE for a tensor, a spec for a composite tensor; `signature`: (args, kwargs) with specs for
    tensors and Python's values as they are; `parameters`: the names of the positional ones. `inputs`, `captures` and `outputs`:
    tensors of the graph, those of the body unless others are meant; `nodes`: what it is made of, without it the whole graph.
    """

    def __init__(
        self, name, body, structure, signature, parameters, inputs=None, captures=None, outputs=None, controls=None, nodes=None
    ):  # fmt: skip
        self.graph, self._structure, self._parameters = body, structure, list(parameters)
        self.structured_input_signature = signature
        self._captures = body.replay_captures() if captures is None else captures
        internal = {id(argument) for _, argument in self._captures}
        own = [t for t in (body.inputs if inputs is None else inputs) if id(t) not in internal]
        self._own_inputs = own
        self._inputs = own + [argument for _, argument in self._captures]
        self._outputs = list(body.outputs if outputs is None else outputs)
        controls = body.ordered if controls is None else controls
        body.control_outputs = list(controls)
        arguments = [
            name, [t._pair for t in self._inputs], [t._pair for t in self._outputs], [], [o.node for o in controls], False
        ]  # fmt: skip
        self.native = body.native.function(*arguments, *([] if nodes is None else [[o.node for o in nodes]]))
        self.name = self.native.name
        self.library = [self.native] + body.native.functions()  # also those that gradients have made
        for f in self.library:
            f.register()
            weakref.finalize(self, func_graph.forget, f.name)
        self.effects = effects.Effects(body.effects, self._inputs) if body.knows_effects else None
        self._call_op = (
            "StatefulPartitionedCall" if _is_stateful(body) else "PartitionedCall"
        )  # of a node that calls it
        body.holders += 1
        weakref.finalize(self, _let_go, weakref.ref(body)).atexit = False  # which may be within a graph that calls this
        self._types = [t._dtype_number for t in self._outputs]
        self._gives_datasets = _VARIANT in self._types or _RESOURCE in self._types
        self._captured = [value for value, _ in self._captures]
        self._variables = list(body.variables)  # kept by the function from here on
        self._specs = [s for leaf in nest.flatten(signature) if isinstance(leaf, TypeSpec) for s in leaf.flatten()]
        self._arg_keywords = [t.op.name for t in own]
        self._num_positional_args = len(own)
        # Whether gradients call functions of its own, or Python's: tapes keep it, so that they are there then.
        self._has_own_gradients = any(f.name.startswith("custom_gradient_") for f in self.library) or bool(
            body.callbacks
        )
        self._fits_all = False  # whether it may be called in every graph

    # ---- what it is

    inputs = property(lambda self: list(self._inputs))
    outputs = property(lambda self: list(self._outputs))
    captured_inputs = property(lambda self: list(self._captured))
    variables = property(lambda self: tuple(self._variables))
    trainable_variables = property(lambda self: tuple(v for v in self._variables if v.trainable))
    output_dtypes = property(
        lambda self: nest.map_structure(lambda t: getattr(t, "dtype", None), self._packed_outputs())
    )
    output_shapes = property(
        lambda self: nest.map_structure(lambda t: getattr(t, "shape", None), self._packed_outputs())
    )
    _tells_names = False  # whether its specs have names that the parameters' are told apart from
    _keyword_kind = inspect.Parameter.KEYWORD_ONLY
    _given_signature = None  # structured_input_signature with the specs as they were given, if that is known
    _by_name_count = sys.maxsize  # how many of the parameters may be given by name, too

    @property
    def function_type(self):
        """What it takes, captures and gives, as types."""
        from . import function_type

        return function_type.of_concrete(self)

    @property
    def function_def(self):
        """The function as a FunctionDef message."""
        from . import messages

        return messages.FunctionDef.FromString(self.native.definition())

    definition = function_def

    def pretty_printed_signature(self, verbose=True) -> str:
        """What it takes and gives, as text; with what it captures if verbose."""
        made = self.function_type
        return repr(made) if verbose else str(made)

    @property
    def structured_outputs(self):
        """The tensors of the graph in the structure of the results; of one that was loaded, specs with names."""
        return self._packed_outputs() if self._loaded_outputs is None else self._loaded_outputs

    _loaded_outputs = None

    def _packed_outputs(self):
        return self._pack(self._outputs)

    def _structured_specs(self):
        flat = iter(self._outputs)

        def spec(leaf):
            if leaf is not HERE:
                return leaf
            t = next(flat)
            return TensorSpec(t.shape, t.dtype)

        return nest.map_structure(spec, self._structure)

    def _output_specs(self):
        """The structure of its results, with specs for tensors."""
        return self._structured_specs() if self._loaded_outputs is None else self._loaded_outputs

    def __repr__(self):
        return f"<ConcreteFunction {self.pretty_printed_signature(verbose=False)} at 0x{id(self):X}>"

    def __str__(self):
        return f"ConcreteFunction {self.pretty_printed_signature(verbose=True)}"

    def set_external_captures(self, captures):
        """Puts other values in place of those that it took from outside."""
        self._captured = list(captures)

    def _pack(self, flat):
        flat = iter(flat)

        def value(leaf):
            return next(flat) if leaf is HERE else leaf.from_tensors(flat) if isinstance(leaf, TypeSpec) else leaf

        return nest.map_structure(value, self._structure)

    # ---- variables among the arguments

    _exchanged = ()  # (place among what is captured or None, place among the variables or None, number of the leaf)

    def exchange_variables(self, leaves):
        """Calls may give other variables in place of these, (number of the leaf, variable) each: what the trace takes of them is
        that of the others then, also where it knows them from outside."""
        exchanged = {}
        for leaf, variable in leaves:
            place = next((i for i, v in enumerate(self._captured) if v is variable._handle), None)
            noted = next((i for i, v in enumerate(self._variables) if v is variable), None)
            if place is not None or noted is not None:
                exchanged.setdefault(id(variable), (place, noted, leaf))
        self._exchanged = tuple(exchanged.values())

    def of_variables(self, leaves):
        """(what is captured, the variables) for a call with these leaves of arguments; nothing where that is as it was traced."""
        if not self._exchanged:
            return ()
        captured, own = list(self._captured), list(self._variables)
        for place, noted, leaf in self._exchanged:
            if place is not None:
                captured[place] = leaves[leaf]._handle
            if noted is not None:
                own[noted] = leaves[leaf]
        return captured, own

    # ---- calls

    def call_flat(self, arguments, captured=None, own_variables=None):
        """The results in the structure that the function gave, of its arguments' tensors in the order of the inputs. What it
        took from outside, and the variables that it reads, are others where these are given."""
        captured = self._captured if captured is None else captured
        own_variables = self._variables if own_variables is None else own_variables
        g = graph.current()
        for watcher in variables.watching.tapes:
            if self._has_own_gradients:
                watcher.function_called(self)
            for v in own_variables:
                if v.trainable:
                    watcher.variable_read(v)
        if call_listener is not None:
            call_listener(self)
        if g is None:
            try:
                flat = _native.execute_function(self.name, [*arguments, *captured], len(self._types), _SOFT)
            except errors.OpError as error:
                raise error_places.told(error, self.graph) from error.__cause__
            if self._gives_datasets:
                self._keep_for(flat, arguments)
        else:
            flat = self._build_call(g, arguments, captured, own_variables)
        if self._structure is HERE:
            made = flat[0]
        else:
            made = self._pack(flat)
        return made

    def _keep_for(self, results, arguments):
        """Datasets and iterators call functions by name: those of this one, and of datasets that it was given."""
        keeps = (self, [t for t in arguments if t._dtype_number == _VARIANT])
        for t in results:
            if t._dtype_number in (_VARIANT, _RESOURCE):
                t._keeps = keeps

    def _build_call(self, g, arguments, captured, own_variables):
        self._note_in(g, own_variables)
        inputs = [*arguments, *captured]
        flat = op(self._call_op)(inputs, Tout=self._types, f=self.name, config_proto=_SOFT)
        if not self._types:
            return []
        for made, inner in zip(flat, self._outputs):
            if made.shape.rank is None or not made.shape.is_fully_defined():
                made.set_shape(inner.shape)
        return flat

    def add_gradient_functions_to_graph(self, g=None):
        """Gradients are made when a tape or a graph asks for them: there is nothing to add."""

    def add_to_graph(self, g=None, overwrite=False):
        """Makes it known to the nodes of a graph."""
        self._note_in(g or graph.default_graph(), self._variables)

    def _note_in(self, g, own_variables):
        g.use_function(self)
        if isinstance(g, func_graph.FuncGraph):
            g.called.append(self)
            g.callbacks.extend(self.graph.callbacks)
            for v in own_variables:
                g.note_variable(v)

    def __call__(self, *args, **kwargs):
        """Calls it with arguments as the Python function has them, or with tensors alone, by position or name."""
        try:
            arguments = self._bind(args, kwargs)
        except TypeError as error:
            arguments = self._bind_flat(args, kwargs, error)
        return self.call_flat(arguments)

    def _bind(self, args, kwargs):
        """The tensors of arguments that are those of the Python function."""
        wanted_args, wanted_kwargs = self.structured_input_signature
        kwargs = dict(kwargs)
        given = list(args)
        for name, wanted in list(zip(self._parameters, wanted_args))[len(given) :]:
            if name in kwargs:
                given.append(kwargs.pop(name))
            elif _is_plain(wanted):
                given.append(wanted)
            else:
                raise TypeError(f"{self.name} missing required argument: {name!r}")
        for name, wanted in wanted_kwargs.items():
            if name not in kwargs and _is_plain(wanted):
                kwargs[name] = wanted
        if len(given) != len(wanted_args) or set(kwargs) != set(wanted_kwargs):
            raise TypeError(
                f"{self.name} takes {self.pretty_printed_signature()}, got {len(args)} positional arguments and keywords "
                f"{sorted(kwargs)}"
            )
        made = []
        wanted = wanted_args, wanted_kwargs
        try:
            values = nest.flatten_up_to(wanted, (tuple(given), kwargs), check_types=False)
        except ValueError as error:
            raise TypeError(f"{self.name}: {error}") from None
        for leaf, value in zip(nest.flatten(wanted), values):
            if isinstance(leaf, TensorSpec):
                made.append(self._as_tensor(len(made), value, leaf))
            elif isinstance(leaf, TypeSpec):
                if not leaf.is_compatible_with(value):
                    raise TypeError(f"{self.name}: {value!r} is not compatible with {leaf}")
                made.extend(leaf.to_tensors(value))
            elif value is not leaf and not isinstance(leaf, variables.Variable) and value != leaf:
                raise TypeError(f"{self.name}: the argument {leaf!r} was traced, and cannot be {value!r}")
        return made

    def _bind_flat(self, args, kwargs, error):
        """The tensors of arguments that are tensors by position, or by the names of the graph's inputs."""
        names = self._arg_keywords
        values = dict(zip(names, args))
        if len(args) > len(names) or set(kwargs) - set(names) or set(kwargs) & set(values):
            raise error
        values.update(kwargs)
        if len(values) != len(names):
            missing = [n for n in names if n not in values]
            raise TypeError(f"{error} (missing: {', '.join(missing)})") from None
        specs = [(n, self._flat_spec(t)) for n, t in zip(names, self._own_inputs)]
        return [self._as_tensor(i, values[n], spec) for i, (n, spec) in enumerate(specs)]

    def _as_tensor(self, i, value, spec):
        """The i-th tensor that goes in, which has to be as the spec says."""
        if (
            isinstance(value, tensor.EagerTensor)
            and value.dtype != spec.dtype
            and spec.shape.is_compatible_with(value.shape)
        ):
            raise tensor.wrong_type(self.name, i, spec.dtype, value.dtype)
        return _as_tensor(value, spec)

    def _flat_spec(self, t):
        """What a tensor has to be that is given for an input by its name."""
        return TensorSpec(t.shape, t.dtype)


def _is_plain(value) -> bool:
    """Whether an argument was no tensor: then it may be left out."""
    return not any(isinstance(leaf, TypeSpec) for leaf in nest.flatten(value))


def _as_tensor(value, spec):
    g, number = graph.current(), spec.dtype.as_datatype_enum
    if isinstance(value, variables.Variable) and spec.dtype.name == "resource":
        value = value.handle
    try:
        made = tensor.convert(value, number) if g is None else graph.into(g, value, number)
    except (ValueError, TypeError) as error:
        raise TypeError(f"the argument {value!r} is no tensor of type {spec.dtype.name}: {error}") from None
    if not spec.shape.is_compatible_with(made.shape):
        raise TypeError(f"the argument {value!r} of shape {made.shape} is not compatible with the shape {spec.shape}")
    return made


def _is_stateful(body) -> bool:
    """Whether the graph has nodes that keep or change state, or look at it."""
    types = {part[1] for part in body.native.nodes(0)[1]}
    return any(t.startswith("__") or op_info(t).is_stateful for t in types)


def _let_go(body):
    if (body := body()) is not None:
        body.let_go()
