"""tf.compat.v1.Session: steps of a graph, with values fed and fetched in structures of any shape."""

from __future__ import annotations

import re
import threading
from collections import abc, namedtuple

from .. import _native
from . import dtypes, error_places, errors, graph, tensor, tensor_shape
from .op_defs import op
from .operation import Operation, SymbolicTensor

DeviceAttributes = namedtuple("DeviceAttributes", "name device_type memory_limit_bytes incarnation")


class _Defaults(threading.local):
    def __init__(self):
        self.stack = []


_defaults = _Defaults()


def get_default_session():
    """The innermost session that is the default of this thread, or None."""
    return _defaults.stack[-1] if _defaults.stack else None


def forget_default_sessions():
    _defaults.stack.clear()


# ---- fetches


class _Fetches:
    """What a structure of fetches needs from a step, and how the values go back into it."""

    def __init__(self, session, fetches, feeds=()):
        self.session, self.graph = session, session.graph
        self.tensors: list[SymbolicTensor] = []
        self.targets: list[Operation] = []
        self._index: dict = {}
        self.rebuild = self._plan(fetches)
        for t in self.tensors + self.targets:
            if not self.graph.is_fetchable(t):
                raise ValueError(f"Operation {getattr(t, 'op', t).name!r} has been marked as not fetchable.")

    def _plan(self, f):
        """A function from the values of all tensors to what stands in this place."""
        if f is None:
            raise TypeError('Argument `fetch` = None has invalid type "NoneType". Cannot be None')
        if isinstance(f, SymbolicTensor) or isinstance(f, Operation):
            return self._plan_one(f)
        if isinstance(f, tuple) and hasattr(f, "_fields"):
            parts = [self._plan(v) for v in f]
            return lambda values: type(f)(*(p(values) for p in parts))
        if isinstance(f, (list, tuple)):
            parts = [self._plan(v) for v in f]
            made = tuple if isinstance(f, tuple) else list
            return lambda values: made(p(values) for p in parts)
        if isinstance(f, abc.Mapping):
            parts = {k: self._plan(v) for k, v in f.items()}
            return lambda values: _like(f, {k: p(values) for k, p in parts.items()})
        if hasattr(type(f), "__attrs_attrs__"):
            parts = {a.name: self._plan(getattr(f, a.name)) for a in type(f).__attrs_attrs__}
            return lambda values: type(f)(**{k: p(values) for k, p in parts.items()})
        for cls, (fetch, _, _) in _conversions():
            if isinstance(f, cls):
                components, combine = fetch(f)
                parts = [self._plan(c) for c in components]
                return lambda values: combine([p(values) for p in parts])
        return self._plan_one(f)

    def _plan_one(self, f):
        try:
            element = self.graph.as_graph_element(f, allow_tensor=True, allow_operation=True)
        except TypeError as error:
            raise TypeError(
                f'Argument `fetch` = {f} has invalid type "{type(f).__name__}" must be a string or Tensor. ({error})'
            ) from None
        except (ValueError, KeyError) as error:
            raise ValueError(f"Fetch argument {f!r} cannot be interpreted as a Tensor. ({error.args[0]})") from None
        if isinstance(element, Operation):
            self.targets.append(element)
            return lambda values: None
        at = self._index.get(id(element))
        if at is None:
            at = self._index[id(element)] = len(self.tensors)
            self.tensors.append(element)
        if element.op.type == "GetSessionHandle":
            kept = element.op.inputs[0].dtype
            return lambda values: TensorHandle(values[at], kept, self.session)
        return lambda values: values[at]


def _like(mapping, items):
    if hasattr(mapping, "default_factory"):
        return type(mapping)(mapping.default_factory, items)
    return type(mapping)(items)


_registered: list = []


def register_session_run_conversion_functions(
    tensor_type, fetch_function, feed_function=None, feed_function_for_partial_run=None
):
    """Lets sessions fetch and feed objects of a class.

    fetch_function(object) -> (tensors, function of their values); feed_function(object, value) -> [(tensor, value)];
    feed_function_for_partial_run(object) -> tensors. ValueError when the class, or one of its bases, is known already.
    """
    for cls, _ in _registered:
        if issubclass(tensor_type, cls):
            raise ValueError(f"{tensor_type} has already been registered so ignore it.")
    _registered.insert(0, (tensor_type, (fetch_function, feed_function, feed_function_for_partial_run)))


def _conversions():
    from .composite_tensor import CompositeTensor

    return [*_registered, (CompositeTensor, (_fetch_composite, _feed_composite, _parts_of_composite))]


def _parts_of_composite(value):
    return value._session_parts()[0]


def _fetch_composite(value):
    return value._session_parts()


def _feed_composite(target, value):
    return target._session_feed(value)


# ---- sessions


default_config = None  # of sessions that are given none: what tf.config was told


class BaseSession:
    """What Session and InteractiveSession have in common."""

    def __init__(self, target="", graph=None, config=None):
        self._graph = _default_graph() if graph is None else graph
        if not hasattr(self._graph, "native"):
            raise TypeError(f'Argument `graph` must be a tf.Graph, but got "{type(graph).__name__}"')
        if not isinstance(target, (str, bytes)):
            raise TypeError(f'Argument `target` must be a string, but got "{type(target).__name__}"')
        if config is not None and not hasattr(config, "SerializeToString"):
            raise TypeError(f'Argument `config` must be a tf.ConfigProto, but got "{type(config).__name__}"')
        self._target, self._config = target.decode() if isinstance(target, bytes) else target, config
        self._adds_shapes = config is not None and config.graph_options.infer_shapes
        self._closed = False
        self._partial: dict[str, set] = {}  # by handle: what was declared
        told = default_config if config is None and not self._target else config
        encoded = b"" if told is None else told.SerializeToString()
        self._session = _native.Session(self._graph.native, self._target, encoded)

    graph = property(lambda self: self._graph)
    graph_def = property(lambda self: self._graph.as_graph_def(add_shapes=self._adds_shapes))
    sess_str = property(lambda self: self._target)

    def close(self):
        """Frees what the session holds. It cannot be used any more."""
        if not self._closed:
            self._closed = True
            self._session.close()

    def list_devices(self):
        """The devices that it may use."""
        return [DeviceAttributes(n, t, m, i) for n, t, m, i in self._session.devices()]

    def as_default(self):
        """Makes it the default session of this thread within the `with`; it stays open."""
        return _AsDefault(self)

    def _check_open(self):
        if self._closed:
            raise RuntimeError("Attempted to use a closed Session.")
        if not self._graph._ops:
            self._graph.take_in()
            if not self._graph._ops:
                raise RuntimeError("The Session graph is empty. Add operations to the graph before calling run().")

    # ---- a step

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        """Runs a step: the values of the fetches, in their structure, where feed_dict says what some tensors are.

        Values are numpy arrays; of operations None. `options`: RunOptions; `run_metadata`: RunMetadata, to be filled in.
        """
        self._check_open()
        if options is None and run_metadata is None and not self._graph._unfetchable:
            if (
                type(fetches) is SymbolicTensor
                and fetches.graph is self._graph
                and fetches.op.type != "GetSessionHandle"
            ):
                feeds, values = self._feeds(feed_dict)
                if all(t is not fetches for t in feeds):
                    return self._step(feeds, values, [fetches], [])[0]
            elif type(fetches) is Operation and fetches.graph is self._graph:
                self._step(*self._feeds(feed_dict), [], [fetches])
                return None
        plan = _Fetches(self, fetches)
        return self._planned(plan, *self._feeds(feed_dict), options, run_metadata)

    def _planned(self, plan, feeds, values, options=None, run_metadata=None):
        """A step of a plan. What is both fed and fetched is given as it is: the library refuses it."""
        fed = {id(t): value for t, value in zip(feeds, values)}
        if all(id(t) not in fed for t in plan.tensors):
            return plan.rebuild(self._step(feeds, values, plan.tensors, plan.targets, options, run_metadata))
        wanted = [t for t in plan.tensors if id(t) not in fed]
        made = iter(self._step(feeds, values, wanted, plan.targets, options, run_metadata))
        return plan.rebuild([tensor.to_numpy(fed[id(t)]) if id(t) in fed else next(made) for t in plan.tensors])

    def _step(self, feeds, values, tensors, targets, options=None, run_metadata=None):
        if not tensors and not targets:
            return []
        try:
            made, metadata = self._session.run(
                None if options is None else options.SerializeToString(),
                [t._pair for t in feeds],
                values,
                [t._pair for t in tensors],
                [o.node for o in targets],
                run_metadata is not None,
            )
        except errors.OpError as error:
            raise error_places.told(error, self._graph) from _cause(error)
        if run_metadata is not None:
            run_metadata.ParseFromString(metadata)
        return [tensor.to_numpy(t) for t in made]

    # ---- feeds

    def _feeds(self, feed_dict):
        tensors, values = [], []
        if not feed_dict:
            return tensors, values
        if not isinstance(feed_dict, abc.Mapping):
            raise TypeError(f"The type of `feed_dict` must be a dictionary, got {type(feed_dict).__name__}")
        for key, value in feed_dict.items():
            if type(key) is SymbolicTensor and key.graph is self._graph and key.name not in self._graph._unfeedable:
                tensors.append(key)
                values.append(self._feed_value(key, value))
                continue
            for target, part in self._expand(key, value):
                tensors.append(target)
                values.append(self._feed_value(target, part))
        return tensors, values

    def _expand(self, key, value):
        if isinstance(key, tuple) and not hasattr(key, "_as_graph_element"):
            return [pair for k, v in zip(key, value, strict=True) for pair in self._expand(k, v)]
        for cls, (_, feed, _) in _conversions():
            if isinstance(key, cls) and not isinstance(key, SymbolicTensor):
                if feed is None:
                    raise TypeError(f"Cannot feed a {cls.__name__}")
                return [pair for k, v in feed(key, value) for pair in self._expand(k, v)]
        try:
            target = self._graph.as_graph_element(key, allow_tensor=True, allow_operation=False)
        except (TypeError, ValueError, KeyError) as error:
            raise TypeError(f"Cannot interpret feed_dict key as Tensor: {error.args[0]}") from None
        if not self._graph.is_feedable(target):
            raise ValueError(f"Tensor {target.name} may not be fed.")
        return [(target, value)]

    def _feed_value(self, target, value):
        """The eager tensor that is fed."""
        if isinstance(value, tensor.Tensor):
            raise TypeError(
                "The value of a feed cannot be a tf.Tensor object. Acceptable feed values include Python scalars, strings, "
                f"lists, numpy ndarrays, or TensorHandles. For reference, the tensor object was {value} which was passed to "
                f"the argument `feed_dict` with key {target}."
            )
        number = target._dtype_number % 100
        if isinstance(value, TensorHandle):
            value = value._handle_value()
        made = _fed(value, number, target)
        if not target.shape.is_compatible_with(made.shape):
            raise ValueError(
                f"Cannot feed value of shape {tuple(made.shape.as_list())!r} for Tensor {target.name}, which has shape "
                f"{_shape_text(target.shape)}"
            )
        return made

    # ---- steps in parts

    def partial_run_setup(self, fetches, feeds=None):
        """Begins a step whose feeds and fetches come in several calls of partial_run: gives its handle."""
        self._check_open()
        plan = _Fetches(self, fetches)
        tensors = []
        for key in feeds or []:
            for cls, (_, _, parts) in _conversions():
                if isinstance(key, cls) and parts is not None:
                    tensors.extend(self._graph.as_graph_element(p, True, False) for p in parts(key))
                    break
            else:
                try:
                    tensors.append(self._graph.as_graph_element(key, allow_tensor=True, allow_operation=False))
                except (TypeError, ValueError, KeyError) as error:
                    raise TypeError(f"Cannot interpret feed_list key as Tensor: {error.args[0]}") from None
        handle = self._session.partial_setup(
            [t._pair for t in tensors], [t._pair for t in plan.tensors], [o.node for o in plan.targets]
        )
        self._partial[handle] = {t.name for t in tensors + plan.tensors}
        return handle

    def partial_run(self, handle, fetches, feed_dict=None):
        """Goes on with such a step: feeds some, fetches some."""
        self._check_open()
        plan = _Fetches(self, fetches)
        feeds, values = self._feeds(feed_dict)
        for t in feeds + plan.tensors:
            if handle in self._partial and t.name not in self._partial[handle]:
                raise errors.InvalidArgumentError(None, None, f"{t.name} was not specified in partial_run_setup.")
        try:
            made = self._session.partial_run(handle, [t._pair for t in feeds], values, [t._pair for t in plan.tensors])
        except errors.OpError as error:
            raise error_places.told(error, self._graph) from _cause(error)
        return plan.rebuild([tensor.to_numpy(t) for t in made])

    def make_callable(self, fetches, feed_list=None, accept_options=False):
        """A function of the values for feed_list that runs such a step; faster than run for the same step again and again."""
        self._check_open()
        if feed_list is not None and not isinstance(feed_list, (list, tuple)):
            raise TypeError("Argument `feed_list` must be a list or tuple.")
        plan = _Fetches(self, fetches)
        targets = [self._graph.as_graph_element(f, True, False) for f in feed_list or ()]

        def step(*values, options=None, run_metadata=None):
            if len(values) != len(targets):
                raise TypeError(f"the step takes {len(targets)} values, got {len(values)}")
            fed = [self._feed_value(t, v) for t, v in zip(targets, values)]
            return self._planned(plan, targets, fed, options, run_metadata)

        def plain(*values):
            return step(*values)

        return step if accept_options else plain

    def _make_callable_from_options(self, callable_options):
        """The same by a CallableOptions message: a function of the values to be fed that gives a list of what is fetched."""
        if callable_options.tensor_connection:
            raise NotImplementedError("CallableOptions.tensor_connection")
        fetches = list(callable_options.fetch), list(callable_options.target)
        step = self.make_callable(fetches, list(callable_options.feed), accept_options=True)
        options = callable_options.run_options if callable_options.HasField("run_options") else None
        return lambda *values, run_metadata=None: step(*values, options=options, run_metadata=run_metadata)[0]


def _default_graph():
    return graph.default_graph()


def _cause(error):
    from . import callbacks

    return callbacks.exception_of(error.message)


def _fed(value, number, target):
    """A value as an eager tensor of the type; arrays of that type are copied once."""
    import numpy

    if (
        type(value) is numpy.ndarray
        and value.dtype == dtypes.by_number[number].as_numpy_dtype
        and number not in _NO_PLAIN
    ):
        return _native.tensor_of_bytes(number, value.shape, value if value.flags.c_contiguous else value.tobytes())
    if isinstance(value, int) and not isinstance(value, bool):
        d = dtypes.by_number[number]
        if number == 7 or d.is_integer and not d.min <= value <= d.max:
            raise TypeError(
                f"Type of feed value {value} with type {type(value)} is not compatible with Tensor type "
                f"{dtypes.by_number[number].as_numpy_dtype}. Try explicitly setting the type of the feed tensor to a larger "
                "type (e.g. int64)."
            )
    if isinstance(value, tensor_shape.TensorShape):
        value = value.as_list()
    if number == 7:
        array = numpy.asarray(value, dtype=object) if not isinstance(value, numpy.ndarray) else value
        return _native.convert(array.tolist(), 7, 0) if array.size else _empty(array.shape, 7)
    array = numpy.asarray(value, dtype=dtypes.by_number[number].as_numpy_dtype)
    return _native.tensor_of_bytes(number, array.shape, numpy.ascontiguousarray(array).tobytes())


_NO_PLAIN = {7, 11, 12, 13, 15, 16}  # texts, and quantised numbers, which are records in numpy


def _empty(dims, number):
    with graph.outside():
        return op("Fill")(_native.convert([int(d) for d in dims] or [], 3, 0), _native.convert(b"", number, 0))


def _shape_text(shape):
    return repr(tuple(shape.as_list())) if shape.rank is not None else "<unknown>"


class TensorHandle:
    """A tensor that stays with a session (tf.compat.v1.get_session_handle). It may be fed: its value then is."""

    def __init__(self, handle, dtype, session):
        text = handle.decode() if isinstance(handle, bytes) else str(handle)
        self._handle, self._dtype, self._session = text, dtype, session

    handle = property(lambda self: self._handle)

    def __str__(self):
        return self._handle

    def get_raw_handle(self):
        """The handle, which the caller has to delete with delete_session_tensor."""
        return self._handle

    def eval(self):
        """The value."""
        return self._session.run(*self._step("GetSessionTensor"))

    def delete(self):
        """Frees the tensor."""
        self._session.run(*self._step("DeleteSessionTensor"))

    def _step(self, type_):
        """A fetch and its feed: nodes that the graph has once for each type."""
        made = self._session.graph.__dict__.setdefault("_handle_nodes", {})
        key = type_, self._dtype
        if key not in made:
            with self._session.graph.building():
                holder = op("Placeholder")(dtype="string", shape=[])
                made[key] = holder, op(type_)(holder, **({"dtype": self._dtype} if type_ == "GetSessionTensor" else {}))
        holder, node = made[key]
        return node, {holder.name: self._handle}

    def _handle_value(self):
        return self.eval()


class _AsDefault:
    """A session as the default one, within a `with`."""

    def __init__(self, session):
        self._session = session

    def __enter__(self):
        _defaults.stack.append(self._session)
        return self._session

    def __exit__(self, *exception):
        if not _defaults.stack or _defaults.stack[-1] is not self._session:
            if self._session in _defaults.stack:
                raise AssertionError(f"Nesting violated for default stack of {type(self._session)} objects")
            return
        _defaults.stack.pop()


class Session(BaseSession):
    """Runs a graph. As a context it is the default session, with its graph the default graph, and is closed at the end."""

    def __init__(self, target="", graph=None, config=None):
        super().__init__(target, graph, config)
        self._contexts = []

    def __enter__(self):
        if self._contexts:
            raise RuntimeError(
                "Session context managers are not re-entrant. Use `Session.as_default()` if you want to enter a session multiple "
                "times."
            )
        entered = graph.entered(self._graph)
        entered.__enter__()
        default = self.as_default()
        default.__enter__()
        self._contexts.append((entered, default))
        return self

    def __exit__(self, *exception):
        entered, default = self._contexts.pop()
        default.__exit__(*exception)
        entered.__exit__(*exception)
        self.close()

    @staticmethod
    def reset(target, containers=None, config=None):
        """Ends the sessions of a server, and clears its containers: all, or those that are named.

        UnavailableError when no server answers within the operation_timeout_in_ms of the config.
        """
        target = target.decode() if isinstance(target, bytes) else target
        named = [c.decode() if isinstance(c, bytes) else c for c in containers or ()]
        _native.server_reset(target, named, b"" if config is None else config.SerializeToString())


class InteractiveSession(BaseSession):
    """A session that is the default one, with its graph, from when it is made until it is closed."""

    _count = 0

    def __init__(self, target="", graph=None, config=None):
        super().__init__(target, graph, config)
        InteractiveSession._count += 1
        if InteractiveSession._count > 1:
            import warnings

            warnings.warn(
                "An interactive session is already active. This can cause out-of-memory errors in some cases. You must "
                "explicitly call `InteractiveSession.close()` to release resources held by the other session(s).",
                stacklevel=2,
            )
        self._default = self.as_default()
        self._default.__enter__()
        self._entered = _entered(self._graph) if graph is not None else None
        if self._entered is not None:
            self._entered.__enter__()

    def close(self):
        if self._closed:
            return
        super().close()
        InteractiveSession._count -= 1
        if self._entered is not None:
            self._entered.__exit__(None, None, None)
        self._default.__exit__(None, None, None)


def _entered(g):
    return graph.entered(g)
