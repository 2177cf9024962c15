"""tf.function: a Python function traced into a graph, once for each kind of arguments, and called as one op."""

from __future__ import annotations

import functools
import inspect
import itertools
import threading
import weakref

from .. import _native
from . import dtypes, func_graph, graph, nest, tensor, tensor_shape, variables
from .op_defs import op
from .type_spec import TensorSpec, TypeSpec

_numbers = itertools.count()
_SOFT = b"\x38\x01"  # a ConfigProto with allow_soft_placement


class ConcreteFunction:
    """One trace: a graph with arguments, results and captures, and the library's function of it."""

    def __init__(self, name, body: func_graph.FuncGraph, structure, specs, arguments):
        self.graph, self._structure, self._specs, self._arguments = body, structure, specs, arguments
        outputs = [t for t in body.outputs]
        self.native = body.native.function(
            name, [t._pair for t in body.inputs], [t._pair for t in outputs], [], [o.node for o in body.ordered], False
        )
        self.name = self.native.name
        self.library = [self.native] + body.native.functions()  # also those that gradients have made
        for f in self.library:
            f.register()
            weakref.finalize(self, _forget, f.name)
        self._types = [t._dtype_number for t in outputs]
        self._captured = body.external_captures
        self._variables = body.variables  # kept by the function from here on

    inputs = property(lambda self: list(self.graph.inputs))
    outputs = property(lambda self: list(self.graph.outputs))
    captured_inputs = property(lambda self: self.graph.external_captures)
    variables = property(lambda self: tuple(self._variables))
    trainable_variables = property(lambda self: tuple(v for v in self._variables if v.trainable))
    structured_outputs = property(lambda self: self._pack(self.graph.outputs))
    structured_input_signature = property(lambda self: (tuple(self._specs), {}))

    def _pack(self, flat):
        flat = iter(flat)

        def value(leaf):
            return next(flat) if leaf is _HERE else leaf.from_tensors(flat) if isinstance(leaf, TypeSpec) else leaf

        return nest.map_structure(value, self._structure)

    def call_flat(self, arguments):
        """The results' tensors in the structure that the function gave, of arguments in the order of the graph's inputs."""
        g = graph.current()
        for watcher in variables._watchers:
            for v in self.trainable_variables:
                watcher.variable_read(v)
        if g is None:
            flat = _native.execute_function(self.name, [*arguments, *self._captured], len(self._types), _SOFT)
        else:
            flat = self._build_call(g, arguments)
        return flat[0] if self._structure is _HERE else self._pack(flat)

    def _build_call(self, g, arguments):
        g.use_function(self)
        if isinstance(g, func_graph.FuncGraph):
            g.called.append(self)
            for v in self.graph.variables:
                g.note_variable(v)
        inputs = [*arguments, *self._captured]
        flat = op("StatefulPartitionedCall")(inputs, Tout=self._types, f=self.name, config_proto=_SOFT)
        return flat if self._types else []

    def __call__(self, *args, **kwargs):
        values = list(args) + [kwargs[k] for k in self._arguments[len(args) :] if k in kwargs]
        flat = [
            v
            for v in nest.flatten(values, expand_composites=True)
            if isinstance(v, tensor.Tensor) or hasattr(v, "__array__") or isinstance(v, (int, float, list))
        ]
        if len(flat) != len(self._specs):
            raise TypeError(f"{self.name} takes {len(self._specs)} tensors, got {len(flat)}")
        return self.call_flat(
            [
                tensor.convert(v, s.dtype.as_datatype_enum)
                if graph.current() is None
                else graph.into(graph.current(), v, s.dtype.as_datatype_enum)
                for v, s in zip(flat, self._specs)
            ]
        )


def _forget(name):
    try:
        _native.context_call("remove_function", name)
    except Exception:  # the context has gone first, at the interpreter's end
        pass


def _kinds_of_tensors(args):
    """A key of arguments that are all eager tensors; None when they are not."""
    key = []
    for a in args:
        if type(a) is not tensor.EagerTensor:
            return None
        key.append(a._dtype_number)
        key.append(a.shape._dims)
    return tuple(key)


class _Here:
    def __repr__(self):
        return "<tensor>"


_HERE = _Here()


def _kind(value):
    """What tells one trace from another: of tensors type and shape, of other values the value."""
    if isinstance(value, tensor.Tensor):
        return tensor.Tensor, value._dtype_number, value.shape
    if isinstance(value, variables.Variable):
        return variables.Variable, id(value)
    if isinstance(value, TensorSpec):
        return tensor.Tensor, value.dtype.as_datatype_enum, value.shape
    if (spec := nest.spec_of(value)) is not None:
        return spec
    if type(value).__module__ == "numpy":
        return tensor.Tensor, dtypes.as_dtype(value.dtype).as_datatype_enum, tensor_shape.TensorShape(value.shape)
    try:
        hash(value)
    except TypeError:
        return type(value), id(value)
    return type(value), value


class Function:
    """What tf.function makes."""

    def __init__(
        self, python_function, name=None, input_signature=None, autograph=True, reduce_retracing=False, **others
    ):
        functools.update_wrapper(self, python_function)
        self._python_function = python_function
        self._name = name or getattr(python_function, "__name__", "function").strip("<>")
        self._signature = inspect.signature(python_function)
        self._input_signature = None if input_signature is None else tuple(input_signature)
        self._traces: dict = {}
        self._by_tensors: dict = {}  # the same, of calls with eager tensors alone
        self._lock = threading.RLock()
        self._bound = weakref.WeakKeyDictionary()

    python_function = property(lambda self: self._python_function)
    input_signature = property(lambda self: self._input_signature)
    function_spec = property(lambda self: self._signature)

    def experimental_get_tracing_count(self):
        """How often the Python function was traced."""
        return len(self._traces)

    def __get__(self, instance, owner):
        if instance is None:
            return self
        bound = self._bound.get(instance)
        if bound is None:
            weak = weakref.ref(instance)
            python_function = self._python_function

            @functools.wraps(python_function)
            def method(*args, **kwargs):
                return python_function(weak(), *args, **kwargs)

            method.__signature__ = self._signature.replace(parameters=list(self._signature.parameters.values())[1:])
            bound = self._bound[instance] = Function(method, self._name, self._input_signature)
        return bound

    def _bind(self, args, kwargs):
        try:
            bound = self._signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(
                f"Binding inputs to tf.function failed due to `{error}`. Received args: {args} and kwargs: {kwargs} "
                f"for signature: {self._signature}."
            ) from None
        bound.apply_defaults()
        return bound.args, bound.kwargs

    def _trace_for(self, args, kwargs):
        args, kwargs = self._bind(args, kwargs)
        if self._input_signature is not None:
            args = self._fit(args)
        leaves = nest.flatten((args, kwargs))
        key = tuple(map(_kind, leaves)), _skeleton((args, kwargs))
        found = self._traces.get(key)
        if found is None:
            with self._lock:
                found = self._traces.get(key)
                if found is None:
                    found = self._traces[key] = self._trace(args, kwargs)
        return found, leaves

    def _fit(self, args):
        if len(args) < len(self._input_signature):
            raise TypeError(
                f"{self._name} takes {len(self._input_signature)} tensors by its input_signature, got {len(args)}"
            )
        fitted = [_fit(value, spec) for value, spec in zip(args, self._input_signature)]
        return tuple(fitted) + tuple(args[len(self._input_signature) :])

    def _trace(self, args, kwargs):
        body = func_graph.FuncGraph(self._name, graph.current())
        names = list(self._signature.parameters)
        specs = []

        def placeholder(value, name):
            spec = value.spec if isinstance(value, _Fitted) else None
            value = value.value if isinstance(value, _Fitted) else value
            if isinstance(value, variables.Variable):
                return value
            if (composite := nest.spec_of(value)) is not None:
                composite = spec or composite
                return composite.from_tensors([placeholder(part, name) for part in composite.flatten()])
            if type(value).__module__ == "numpy":
                value = TensorSpec(value.shape, value.dtype)
            if not isinstance(value, (tensor.Tensor, TensorSpec)):
                return value
            spec = spec or TensorSpec(
                value.shape, value.dtype, getattr(value, "name", None) if isinstance(value, TensorSpec) else None
            )
            specs.append(TensorSpec(spec.shape, spec.dtype, spec.name or name))
            made = body.placeholder(spec.dtype, spec.shape, spec.name or name)
            body.inputs.append(made)
            return made

        with body.building():
            inside = tuple(
                nest.map_structure(lambda v, n=n: placeholder(v, n), a)
                for a, n in zip(args, names + ["args"] * len(args))
            )
            inside_kwargs = {k: nest.map_structure(lambda v, k=k: placeholder(v, k), kwargs[k]) for k in kwargs}
            result = self._python_function(*inside, **inside_kwargs)
            structure = nest.map_structure(lambda v: self._result(body, v), result)
        return ConcreteFunction(f"__inference_{self._name}_{next(_numbers)}", body, structure, specs, names)

    @staticmethod
    def _result(body, value):
        if value is None:
            return None
        if isinstance(value, graph.Operation):
            return None
        if (spec := nest.spec_of(value)) is not None and value is not spec:
            body.outputs.extend(op("Identity")(graph.into(body, t)) for t in spec.to_tensors(value))
            return spec
        if isinstance(value, (tensor.Tensor, variables.Variable)) or not callable(value):
            made = graph.into(body, value.read_value() if isinstance(value, variables.Variable) else value)
            body.outputs.append(op("Identity")(made))
            return _HERE
        raise TypeError(
            f"To be compatible with tf.function, Python functions must return zero or more Tensors or ExtensionTypes or "
            f"None values; got {value!r}"
        )

    def get_concrete_function(self, *args, **kwargs):
        """The trace for arguments, which may be TensorSpecs."""
        if not args and not kwargs and self._input_signature is not None:
            args = self._input_signature
        return self._trace_for(args, kwargs)[0]

    def __call__(self, *args, **kwargs):
        key = None
        if not kwargs and self._input_signature is None:
            key = _kinds_of_tensors(args)
            trace = self._by_tensors.get(key)
            if trace is not None:
                return trace.call_flat(args)
        trace, leaves = self._trace_for(args, kwargs)
        if key is not None and len(leaves) == len(args):  # nothing but these tensors: no defaults
            self._by_tensors[key] = trace
        arguments = []
        for v in leaves:
            v = v.value if isinstance(v, _Fitted) else v
            if isinstance(v, tensor.Tensor):
                arguments.append(v)
            elif type(v).__module__ == "numpy":
                arguments.append(tensor.convert(v))
            elif (spec := nest.spec_of(v)) is not None:
                arguments.extend(spec.to_tensors(v))
        return trace.call_flat(arguments)


def _fit(value, spec):
    """The value, or a structure of values, as a signature has it."""
    if isinstance(spec, TensorSpec):
        if not isinstance(value, (tensor.Tensor, TensorSpec)):
            value = tensor.convert(value, spec.dtype.as_datatype_enum)
        if not spec.is_compatible_with(value):
            raise TypeError(f"Binding inputs to tf.function failed: {value!r} is not compatible with {spec}")
        return _Fitted(value, spec)
    if isinstance(spec, TypeSpec):
        if not spec.is_compatible_with(value):
            raise TypeError(f"Binding inputs to tf.function failed: {value!r} is not compatible with {spec}")
        return _Fitted(value, spec)
    if isinstance(spec, dict):
        return {k: _fit(value[k], spec[k]) for k in spec}
    if isinstance(spec, (list, tuple)):
        return type(spec)(_fit(v, s) for v, s in zip(value, spec, strict=True))
    return value


class _Fitted:
    """An argument that an input signature speaks of."""

    def __init__(self, value, spec):
        self.value, self.spec = value, spec

    def __eq__(self, other):
        return isinstance(other, _Fitted) and self.spec == other.spec

    def __hash__(self):
        return hash(self.spec)


def _skeleton(structure):
    """The structure alone, as a key."""
    if isinstance(structure, dict):
        return dict, tuple((k, _skeleton(structure[k])) for k in sorted(structure))
    if isinstance(structure, (list, tuple)):
        return type(structure), tuple(map(_skeleton, structure))
    return None


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

    input_signature: TensorSpecs of the arguments: there is one trace. jit_compile is accepted and has no effect.
    """

    def decorate(f):
        return Function(f, None, input_signature, autograph, reduce_retracing)

    return decorate if func is None else decorate(func)
