"""tf.function: a Python function traced into a graph, once for each kind of arguments, and called as one op."""

from __future__ import annotations

import functools
import inspect
import itertools
import time
import types
import weakref

from . import dtypes, fork_locks, func_graph, graph, nest, retracing, tensor, tensor_shape, tracebacks, variables
from .concrete_function import HERE, ConcreteFunction
from .op_defs import op
from .trackable import CHECKPOINT
from .type_spec import TensorSpec, TypeSpec

_numbers = itertools.count()
_MANY_TRACES = 5  # of as many calls: then a warning is due


class _Eagerly:
    """Whether functions run as Python functions (tf.config.run_functions_eagerly)."""

    flag = False


def run_functions_eagerly(run_eagerly):
    """True: what tf.function has made calls its Python function."""
    _Eagerly.flag = bool(run_eagerly)


def functions_run_eagerly() -> bool:
    """Whether functions run their Python code in each call."""
    return _Eagerly.flag


# ---- kinds of arguments


def _kinds_of_tensors(args):
    """A key of arguments that are all eager tensors; None when they are not."""
    key = []
    for a in args:
        if type(a) is not tensor.EagerTensor:
            return None
        key.append(a._dtype_number)
        key.append(a.shape._dims)
    return tuple(key)


class _ById:
    """An object as a part of a key, that is the object itself as long as it lives."""

    __slots__ = ("weak", "number")

    def __init__(self, value):
        self.number = id(value)
        try:
            self.weak = weakref.ref(value)
        except TypeError:
            self.weak = lambda: value

    def __eq__(self, other):
        return isinstance(other, _ById) and self.weak() is not None and self.weak() is other.weak()

    def __hash__(self):
        return self.number


def _kind(value):
    """What tells one trace from another: of tensors type and shape, of other values the value."""
    if isinstance(value, _Fitted):
        return value
    if isinstance(value, tensor.Tensor):
        return tensor.Tensor, value._dtype_number, value.shape
    if isinstance(value, variables.Variable):
        return variables.Variable, _ById(value)
    if isinstance(value, TensorSpec):
        return tensor.Tensor, value.dtype.as_datatype_enum, value.shape
    if (spec := nest.spec_of(value)) is not None:
        return spec
    if _is_numpy(value):
        return tensor.Tensor, dtypes.as_dtype(value.dtype).as_datatype_enum, tensor_shape.TensorShape(value.shape)
    if hasattr(value, "__tf_tracing_type__"):
        return value.__tf_tracing_type__(None)
    if isinstance(value, (int, float, str, bytes, bool, complex, type(None))):
        return type(value), value
    if callable(value) or type(value).__hash__ is object.__hash__:
        return type(value), _ById(value)
    try:
        hash(value)
    except TypeError:
        return type(value), _ById(value)
    return type(value), value


def _kinds(leaves):
    """The kinds of a call's arguments. A variable that a trace may take another one's place is told by its type and by which of
    the variables it is: the same one given twice is another kind than two."""
    kinds = list(map(_kind, leaves))
    first: dict[int, int] = {}
    for i, v in enumerate(leaves):
        if _is_exchangeable(v):
            of = (type(v), v._dtype_number, v._shape, v._trainable, v._aggregation, v.device)
            kinds[i] = variables.Variable, *of, first.setdefault(id(v), i)
    return tuple(kinds)


def _is_exchangeable(value) -> bool:
    """Whether it is a variable of eager code, with nothing to it that a trace could keep."""
    return (
        type(value) is variables.ResourceVariable
        and value._graph is None
        and type(value._handle) is tensor.EagerTensor
        and value._constraint is None
        and variables.replica.key is None
    )


def _is_numpy(value) -> bool:
    return type(value).__module__ == "numpy" and hasattr(value, "dtype") and hasattr(value, "shape")


def _is_tensor_kind(kind) -> bool:
    return isinstance(kind, tuple) and len(kind) == 3 and kind[0] is tensor.Tensor


def _kind_text(kind) -> str:
    """A kind as a message has it."""
    if _is_tensor_kind(kind):
        return f"a tensor {dtypes.by_number[kind[1]].name}{kind[2]}"
    if isinstance(kind, tuple) and kind and kind[0] is variables.Variable and len(kind) > 2:
        return f"a variable {dtypes.by_number[kind[2]].name}{kind[3]}" + ("" if kind[4] else ", not trainable")
    if isinstance(kind, _Fitted):
        return repr(kind.spec)
    if isinstance(kind, tuple) and len(kind) == 2:
        return repr(kind[1]) if not isinstance(kind[1], _ById) else f"an object of type {kind[0].__name__}"
    return repr(kind)


def _covers(wide, narrow) -> bool:
    """Whether a trace for one kind serves the other."""
    if _is_tensor_kind(wide) and _is_tensor_kind(narrow):
        return wide[1] == narrow[1] and narrow[2].is_subtype_of(wide[2])
    if isinstance(wide, TypeSpec) and isinstance(narrow, TypeSpec):
        return narrow.is_subtype_of(wide)
    return wide == narrow


class _Unfit(TypeError):
    """A tensor that is not as the signature has it."""


class _Fitted:
    """An argument that an input signature speaks of."""

    def __init__(self, value, spec):
        self.value, self.spec = value, spec

    def __eq__(self, other):
        return isinstance(other, _Fitted) and self.spec == other.spec

    def __hash__(self):
        return hash(self.spec)


def _fit(value, spec):
    """The value, or a structure of values, as a signature has it."""
    if isinstance(spec, TensorSpec):
        if not isinstance(value, (tensor.Tensor, TensorSpec)):
            try:
                value = tensor.convert(value, spec.dtype.as_datatype_enum)
            except (TypeError, ValueError) as error:
                raise TypeError(f"Binding inputs to tf.function failed: {value!r} is no {spec}: {error}") from None
        if not spec.is_compatible_with(value):
            raise _Unfit(f"Can not cast {TensorSpec(value.shape, value.dtype)!r} to {spec!r}")
        return _Fitted(value, spec)
    if isinstance(spec, TypeSpec):
        if not spec.is_compatible_with(value):
            raise TypeError(f"Binding inputs to tf.function failed: {value!r} is not compatible with {spec}")
        return _Fitted(value, spec)
    if isinstance(spec, dict):
        if not isinstance(value, dict) or set(value) != set(spec):
            raise TypeError(f"Binding inputs to tf.function failed: {value!r} has not the keys of {spec}")
        return {k: _fit(value[k], spec[k]) for k in spec}
    if isinstance(spec, (list, tuple)):
        if not isinstance(value, (list, tuple)) or len(value) != len(spec):
            raise TypeError(f"Binding inputs to tf.function failed: {value!r} has not the structure of {spec}")
        made = [_fit(v, s) for v, s in zip(value, spec)]
        return type(value)(*made) if nest.is_namedtuple(value) else type(value)(made)
    return value


def _skeleton(structure):
    """The structure alone, as a key."""
    if isinstance(structure, dict):
        return dict, tuple((k, _skeleton(structure[k])) for k in sorted(structure, key=repr))
    if isinstance(structure, (list, tuple)):
        return type(structure), tuple(map(_skeleton, structure))
    return None


def _unwrapped(value):
    return value.value if isinstance(value, _Fitted) else value


# ---- functions


class Function:
    """What tf.function makes."""

    def __init__(
        self, python_function, name=None, input_signature=None, autograph=True, reduce_retracing=False, jit_compile=None,
        attributes=None, features=(),
    ):  # fmt: skip
        if not callable(python_function):
            raise TypeError(f"{python_function!r} is not a callable object")
        inner = python_function
        while isinstance(inner, functools.partial):
            inner = inner.func
        functools.update_wrapper(self, inner if not isinstance(inner, Function) else inner._python_function)
        self._python_function = python_function
        self._name = name or getattr(inner, "__name__", type(inner).__name__).strip("<>")
        self._signature = _signature_of(python_function)
        self._input_signature = None if input_signature is None else _check_signature(input_signature, self._signature)
        self._autograph, self._jit_compile, self._attributes = autograph, jit_compile, dict(attributes or {})
        self._reduce_retracing = reduce_retracing
        self._features = features  # of AutoGraph, by their names
        self._traces: dict = {}
        self._wide: list = []  # (kinds, skeleton, trace) of those that serve shapes known in part
        self._by_tensors: dict = {}  # traces of calls with eager tensors alone
        self._made_variables = None  # by the first trace; it makes none later
        self._calls = self._new_traces = 0
        self._history: list = []  # (name, what was new, seconds) of each trace
        self._lock = fork_locks.rlock()
        self._bound = weakref.WeakKeyDictionary()
        self._in_replicas = {}  # by strategy: what runs it in all replicas

    python_function = property(lambda self: self._python_function)
    input_signature = property(lambda self: self._input_signature)

    @property
    def function_spec(self):
        """Its parameters, and the input signature that it was made with."""
        from . import function_type

        return function_type.FunctionSpec(self._signature, self.input_signature)

    name = property(lambda self: self._name)

    def experimental_get_tracing_count(self):
        """How often the Python function was traced."""
        return len(self._traces)

    def experimental_get_compiler_ir(self, *args, **kwargs):
        raise NotImplementedError("tf.function.experimental_get_compiler_ir: there is no compiler (XLA) here")

    def pretty_printed_concrete_signatures(self, verbose=True) -> str:
        """The signatures of all traces, as text."""
        return "\n\n".join(t.pretty_printed_signature(verbose) for t in self._traces.values())

    def __repr__(self):
        return f"<sluice.core.function.Function {self._name!r} at 0x{id(self):X}>"

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        bound = self._bound.get(instance)
        if bound is None:
            weak = weakref.ref(instance)
            python_function = self._python_function

            bound_later = self._autograph and isinstance(python_function, types.FunctionType)

            @functools.wraps(python_function)
            def method(*args, **kwargs):
                if bound_later:
                    from ..conversion import calls

                    with calls.features(self._features):
                        return calls.convert_top(python_function, asked=True)(weak(), *args, **kwargs)
                return python_function(weak(), *args, **kwargs)

            method.__signature__ = self._signature.replace(parameters=list(self._signature.parameters.values())[1:])
            bound = Function(
                method, self._name, self._input_signature, False, self._reduce_retracing, self._jit_compile,
                self._attributes,
            )  # fmt: skip
            self._bound[instance] = bound
        return bound

    def _decorate(self, decorator):
        """Puts a decorator around the Python function, before it was traced."""
        if self._traces:
            raise ValueError("Functions cannot be decorated after they have been traced.")
        self._python_function = decorator(self._python_function)
        self._signature = _signature_of(self._python_function)

    # ---- arguments

    def _told_signature(self):
        """The signature for messages: what input_signature says of an argument stands behind its name."""
        parameters = list(self._signature.parameters.values())
        for i, spec in enumerate(self._input_signature or ()):
            if i < len(parameters) and parameters[i].kind in (
                inspect.Parameter.POSITIONAL_ONLY,
                inspect.Parameter.POSITIONAL_OR_KEYWORD,
            ):
                parameters[i] = parameters[i].replace(annotation=spec)
        return self._signature.replace(parameters=parameters, return_annotation=inspect.Signature.empty)

    def _bind(self, args, kwargs):
        try:
            bound = self._signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(
                f"Binding inputs to tf.function failed due to `{error}`. Received args: {args} and kwargs: {kwargs} "
                f"for signature: {self._told_signature()}."
            ) from None
        bound.apply_defaults()
        return bound.args, dict(sorted(bound.kwargs.items()))  # in the order of their leaves

    def _fit(self, args, kwargs):
        wanted = self._input_signature
        if len(args) < len(wanted):
            raise TypeError(f"{self._name} takes {len(wanted)} tensors by its input_signature, got {len(args)}")
        try:
            fitted = [_fit(value, spec) for value, spec in zip(args, wanted)]
        except _Unfit as error:
            named = ", ".join(f"{n}: {s!r}" for n, s in zip(_names_for(self._signature, len(wanted)), wanted))
            raise TypeError(
                f"Binding inputs to tf.function failed due to `{error}`. Received args: {args} and kwargs: {kwargs} "
                f"for signature: ({named})."
            ) from None
        return tuple(fitted) + tuple(args[len(wanted) :]), kwargs

    # ---- traces

    def _trace_for(self, args, kwargs):
        args, kwargs = self._bind(args, kwargs)
        if self._input_signature is not None:
            args, kwargs = self._fit(args, kwargs)
        leaves = nest.flatten((args, kwargs))
        kinds, skeleton = _kinds(leaves), _skeleton((args, kwargs))
        if variables.replica.key is not None:
            skeleton = variables.replica.key, skeleton
        g = graph.current()
        found = self._find(kinds, skeleton, g)
        if found is None:
            with self._lock:
                found = self._find(kinds, skeleton, g)
                if found is None:
                    try:
                        found = self._new_trace(args, kwargs, kinds, skeleton, g)
                    except Exception as error:
                        raise tracebacks.of_program(error)
        return found, leaves

    def _find(self, kinds, skeleton, g):
        found = self._traces.get((kinds, skeleton))
        if found is None:
            wide = (
                t for k, s, t in self._wide if s == skeleton and len(k) == len(kinds) and all(map(_covers, k, kinds))
            )
            found = next(wide, None)
        if found is not None and not _fits(found, g):
            found = getattr(g, "_own_traces", {}).get((id(self), kinds, skeleton))
        return found

    def _new_trace(self, args, kwargs, kinds, skeleton, g):
        (news, advice), begin = self._news(kinds, skeleton), time.perf_counter()
        if retracing.tells_all():
            retracing.tell(self._name, news, advice)
        self._warn_of_retracing(news, advice)
        if self._reduce_retracing and self._input_signature is None:
            args, kwargs, kinds = self._relax(args, kwargs, kinds, skeleton)
        made = first = self._trace(args, kwargs)
        if self._made_variables is None:
            self._made_variables = [weakref.ref(v) for v in made.graph.made_variables]
            if self._made_variables:
                made = self._trace(args, kwargs)  # as it is from the second call on
        self._history.append((made.name, news, time.perf_counter() - begin))
        if _fits_everywhere(made) or g is None:
            self._traces[kinds, skeleton] = made
            if any(_is_wide(k) for k in kinds):
                self._wide.append((kinds, skeleton, made))
        else:
            self._traces.setdefault((kinds, skeleton), made)
            g.__dict__.setdefault("_own_traces", {})[id(self), kinds, skeleton] = made
        return first if getattr(first.graph, "initializes_variables", False) else made

    def _news(self, kinds, skeleton) -> tuple[str, str]:
        """What a call that needs a trace has that the nearest one had not, and what would be right."""
        found = retracing.nearest(self._traces, kinds, skeleton)
        if found is None:
            return "the first call", ""
        before, its_skeleton = found
        if its_skeleton != skeleton or len(before) != len(kinds):
            counts = "" if len(before) == len(kinds) else f", {len(kinds)} values after {len(before)}"
            return (
                f"the structure of the arguments is another one{counts}",
                "stack what is of varying number into one tensor",
            )
        names = _names_for(self._signature, len(kinds)) or ["an argument"]
        news, advice = retracing.compare(before, kinds, names, _kind_text)
        return news or "it is called in another graph", advice

    def _warn_of_retracing(self, news, advice):
        """Says so when calls are traced again and again, and which argument is to blame."""
        self._new_traces += 1
        if self._new_traces < _MANY_TRACES or self._calls > 2 * self._new_traces or not self._traces:
            return
        import logging

        logging.getLogger("sluice").warning(
            "%d out of the last %d calls to %r triggered tf.function retracing. Tracing is expensive. What differed last is %s: "
            "%s; explain() tells all traces.",
            self._new_traces, max(self._calls, self._new_traces), self, news,
            advice or "pass tensors in place of Python values, or ask for reduce_retracing=True",
        )  # fmt: skip

    def explain(self) -> str:
        """All traces, a line each: what in the call was new, and how long the tracing took."""
        return "\n".join(f"{name}  {seconds * 1e3:.1f} ms  {news}" for name, news, seconds in self._history)

    def _relax(self, args, kwargs, kinds, skeleton):
        """Arguments with shapes that serve an earlier trace's calls, too."""
        for (known, s), _ in reversed(list(self._traces.items())):
            if s != skeleton or len(known) != len(kinds):
                continue
            joined = [_join(a, b) for a, b in zip(known, kinds)]
            if any(j is None for j in joined):
                continue
            leaves = [_with_kind(v, k) for v, k in zip(nest.flatten((args, kwargs)), joined)]
            args, kwargs = nest.pack_sequence_as((args, kwargs), leaves)
            return args, kwargs, tuple(joined)
        return args, kwargs, kinds

    def _trace(self, args, kwargs):
        outer = graph.current()
        body = func_graph.FuncGraph(self._name, outer)
        body.owner = self
        try:
            structure = self._trace_into(body, args, kwargs)
        finally:
            body.owner = None  # else the function would be part of the graph's cycle
        body.structured_outputs, body.is_finished = structure, True
        name = f"__inference_{self._name}_{next(_numbers)}"
        names = _names_for(self._signature, len(args))
        made = ConcreteFunction(name, body, structure, body.structured_input_signature, names)
        made._given_signature = nest.map_structure(_spec_for, (tuple(args), dict(kwargs)))
        made._by_name_count = len(_by_position(self._signature))
        made.exchange_variables([(i, v) for i, v in enumerate(nest.flatten((args, kwargs))) if _is_exchangeable(v)])
        return made

    def _trace_into(self, body, args, kwargs):
        """The structure of the results."""
        body.forbids_variables = bool(self._made_variables)
        names = _names_for(self._signature, len(args))
        with body.as_default():
            inside = tuple(nest.map_structure(lambda v, n=n: _argument(body, v, n), a) for a, n in zip(args, names))
            inside_kwargs = {k: nest.map_structure(lambda v, k=k: _argument(body, v, k), kwargs[k]) for k in kwargs}
            body.structured_input_signature = _signature(args, kwargs, names)
            given = inside, inside_kwargs
            leaves, skeleton = nest.flatten(given), _skeleton(given)
            result = self._call_python(inside, inside_kwargs)
            if _skeleton(given) != skeleton or any(a is not b for a, b in zip(leaves, nest.flatten(given))):
                raise ValueError(
                    f"{self._name}{self._signature} should not modify its Python input arguments. Check if it modifies any "
                    "lists or dicts passed as arguments. Modifying a copy is allowed."
                )
            return nest.map_structure(lambda v: _result(body, v), result)

    def _call_python(self, args, kwargs):
        if not self._autograph:
            return self._python_function(*args, **kwargs)
        from ..conversion import calls

        with calls.features(self._features):
            return calls.convert_top(self._python_function, asked=True)(*args, **kwargs)

    def get_concrete_function(self, *args, **kwargs):
        """The trace for arguments, which may be TensorSpecs."""
        if not args and not kwargs and self._input_signature is not None:
            args = self._input_signature
        return self._trace_for(args, kwargs)[0]

    def _list_all_concrete_functions(self):
        """All traces."""
        return list(self._traces.values())

    def _trackable_children(self, save_type=CHECKPOINT, **kwargs):
        """What packages that write SavedModels of their own ask it for: its traces, by names."""
        traces = self._list_all_concrete_functions_for_serialization() if save_type != CHECKPOINT else []
        return {f"trace_{i}": t for i, t in enumerate(traces)}

    def _list_all_concrete_functions_for_serialization(self):
        """All traces that can be saved: one with a signature is traced if it was not."""
        if self._input_signature is not None and not self._traces:
            self.get_concrete_function()
        return [t for t in self._list_all_concrete_functions() if not _is_inner(t)]

    # ---- calls

    def __call__(self, *args, **kwargs):
        if _Eagerly.flag:
            return self._python_function(*args, **kwargs)
        self._calls += 1
        key = None
        if not kwargs and self._input_signature is None:
            key = _kinds_of_tensors(args)
            if key is not None and variables.replica.key is not None:
                key = variables.replica.key, key
            trace = self._by_tensors.get(key)
            if trace is not None and (trace._fits_all or graph.current() is None):
                return trace.call_flat(args)
        trace, leaves = self._trace_for(args, kwargs)
        once = getattr(trace.graph, "initializes_variables", False)
        if key is not None and len(leaves) == len(args) and not once:  # nothing but these tensors: no defaults
            trace._fits_all = _fits_everywhere(trace)
            self._by_tensors[key] = trace
        arguments = []
        for v in leaves:
            v = _unwrapped(v)
            if isinstance(v, tensor.Tensor):
                arguments.append(v)
            elif isinstance(v, variables.Variable):
                continue
            elif _is_numpy(v):
                arguments.append(tensor.convert(v))
            elif (spec := nest.spec_of(v)) is not None:
                arguments.extend(spec.to_tensors(v))
        return trace.call_flat(arguments, *trace.of_variables(leaves))


def _signature_of(python_function):
    try:
        return inspect.signature(python_function)
    except (TypeError, ValueError):
        return inspect.Signature([inspect.Parameter("args", inspect.Parameter.VAR_POSITIONAL)])


def _check_signature(input_signature, signature):
    if not isinstance(input_signature, (tuple, list)):
        raise TypeError(f"input_signature must be either a tuple or a list, got {type(input_signature)}.")
    for leaf in nest.flatten(input_signature):
        if not isinstance(leaf, TypeSpec) and isinstance(leaf, (tensor.Tensor, type)):
            raise TypeError(f"input_signature must be a possibly nested sequence of TensorSpec objects, got {leaf!r}")
    _check_constraints(len(input_signature), list(signature.parameters.values()))
    return tuple(input_signature)


def _check_constraints(n, parameters):
    """TypeError when n specs are not one for each parameter that needs one."""
    if parameters and parameters[0].name == "self":
        parameters = parameters[1:]
    by_name = [p for p in parameters if p.kind is p.KEYWORD_ONLY]
    by_position = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    for p in by_name:
        if p.default is p.empty:
            raise TypeError(
                f"Since input_signature is defined, keyword-only parameter `{p.name}` must have a default value"
            )
    for p in by_position[n:]:
        if p.default is p.empty:
            raise TypeError(f"input_signature missing type constraint for {p.name}")
    extra = n - len(by_position) - len(by_name)
    if extra > 0 and not any(p.kind is p.VAR_POSITIONAL for p in parameters):
        raise TypeError(f"input_signature contains {extra} extra type constraints.")


def _by_position(signature):
    """The names of the parameters that are given by position, but for *args."""
    parameters = signature.parameters.values()
    return [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]


def _names_for(signature, n):
    """A name for each of n arguments by position; those that *args takes are numbered."""
    names = _by_position(signature)[:n]
    rest = next((p.name for p in signature.parameters.values() if p.kind is p.VAR_POSITIONAL), "args")
    return names + [f"{rest}_{i}" for i in range(n - len(names))]


def _spec_for(value):
    """What a value is in a signature: a spec of tensors and composite tensors, else itself."""
    if isinstance(value, _Fitted):
        return value.spec
    if isinstance(value, TypeSpec):
        return value
    if isinstance(value, tensor.Tensor) or _is_numpy(value):
        return TensorSpec(value.shape, value.dtype)
    return nest.spec_of(value) or value


def _signature(args, kwargs, names):
    """(args, kwargs) with a spec for each tensor, named by the parameter and the way to it within the argument."""

    def named(name, argument):
        leaves = nest.flatten_with_path(argument)
        return nest.pack_sequence_as(argument, [spec_at("_".join([name, *map(str, path)]), v) for path, v in leaves])

    def spec_at(name, value):
        spec = _spec_for(value)
        return TensorSpec(spec.shape, spec.dtype, name) if type(spec) is TensorSpec and not spec.name else spec

    return tuple(named(n, a) for a, n in zip(args, names)), {k: named(k, v) for k, v in kwargs.items()}


def _argument(body, value, name):
    """What the Python function is called with: a placeholder for each tensor, other values as they are."""
    spec = _spec_for(value)
    if isinstance(value, variables.Variable) or not isinstance(spec, TypeSpec):
        return _unwrapped(value)
    if isinstance(spec, TensorSpec):
        made = body.placeholder(spec.dtype, spec.shape, spec.name or name)
        body.inputs.append(made)
        return made
    parts = []
    for part in spec.flatten():
        parts.append(body.placeholder(part.dtype, part.shape, part.name or name.lstrip("_") or "args"))
        body.inputs.append(parts[-1])
    return spec.from_tensors(iter(parts))


_of_python = None  # what a result is that is no tensor, where types are promoted


def use_results(function) -> None:
    """From here on results of functions that are no tensors are what the function makes of them; None: tensors of them."""
    global _of_python
    _of_python = function


def _result(body, value):
    """Makes the tensors of a result outputs of the body: what stands in the structure of results."""
    if value is None or isinstance(value, graph.Operation):
        return None
    if _of_python is not None and not isinstance(value, tensor.Tensor):
        value = _of_python(value)
    if (spec := nest.spec_of(value)) is not None and value is not spec:
        body.outputs.extend(op("Identity")(graph.into(body, t)) for t in spec.to_tensors(value))
        return spec
    if not isinstance(value, (tensor.Tensor, variables.Variable)) and callable(value):
        raise _no_tensor(value)
    try:
        made = graph.into(body, value.read_value() if isinstance(value, variables.Variable) else value)
    except (TypeError, ValueError) as error:
        if isinstance(value, tensor.Tensor):
            raise
        raise _no_tensor(value) from error
    body.outputs.append(op("Identity")(made))
    return HERE


def _no_tensor(value):
    return TypeError(
        f"To be compatible with tf.function, Python functions must return zero or more Tensors or ExtensionTypes or None values; "
        f"got {value!r}"
    )


def _fits(trace, g) -> bool:
    """Whether a trace may be called in this graph: what it took from outside has to be reachable."""
    for value in trace._captured:
        if isinstance(value, graph.SymbolicTensor):
            around = g
            while around is not None and around is not value.graph:
                around = getattr(around, "outer", None)
            if around is None:
                return False
    return True


def _fits_everywhere(trace) -> bool:
    return not any(isinstance(value, graph.SymbolicTensor) for value in trace._captured)


def _is_inner(trace) -> bool:
    """Whether it captured something of another function's graph: then it is a part of that."""
    return any(isinstance(value, graph.SymbolicTensor) and value.graph.building_function for value in trace._captured)


def _is_wide(kind) -> bool:
    if _is_tensor_kind(kind):
        return not kind[2].is_fully_defined()
    return isinstance(kind, TypeSpec) or isinstance(kind, _Fitted)


def _join(a, b):
    """A kind that serves both; None when there is none."""
    if a == b:
        return a
    if _is_tensor_kind(a) and _is_tensor_kind(b) and a[1] == b[1]:
        return tensor.Tensor, a[1], a[2].most_specific_compatible_shape(b[2])
    if isinstance(a, TypeSpec) and isinstance(b, TypeSpec):
        return a.most_specific_common_supertype([b])
    return None


def _with_kind(value, kind):
    """What is traced in place of a value, for its kind: a spec where the kind is wider than the value."""
    if _is_tensor_kind(kind):
        return TensorSpec(kind[2], dtypes.by_number[kind[1]])
    return kind if isinstance(kind, TypeSpec) else value


def names_of_features(options) -> tuple:
    """Names of tf.autograph.experimental.Features: of one, several, or None."""
    options = options if isinstance(options, (list, tuple, set, frozenset)) else () if options is None else (options,)
    return tuple(feature.name for feature in options)


def function(
    func=None,
    input_signature=None,
    autograph=True,
    jit_compile=None,
    reduce_retracing=False,
    experimental_implements=None,
    experimental_autograph_options=None,
    experimental_attributes=None,
    experimental_relax_shapes=None,
    experimental_compile=None,
    experimental_follow_type_hints=None,
):
    """Makes a Python function one that is traced into a graph; also as a decorator, with or without arguments.

    input_signature: TensorSpecs of the arguments: there is one trace. reduce_retracing: traces serve several shapes.
    jit_compile is accepted and has no effect.

    >>> double = tf.function(lambda x: x + x)
    >>> double(tf.constant(2.0)).numpy()
    4.0
    """
    relax = reduce_retracing or bool(experimental_relax_shapes)
    attributes = dict(experimental_attributes or {})
    features = names_of_features(experimental_autograph_options)
    if experimental_implements is not None:
        attributes["api_implements"] = experimental_implements

    def decorate(f):
        if isinstance(f, type):
            raise TypeError(f"tf.function takes a function, got the class {f!r}")
        compiled = jit_compile if jit_compile is not None else experimental_compile
        return Function(f, None, input_signature, autograph, relax, compiled, attributes, features)

    return decorate if func is None else decorate(func)
