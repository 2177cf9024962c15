"""Decorators that packages put on their functions: of deprecated parts, of exported names, of wrapped functions."""

from __future__ import annotations

import contextlib
import functools
import inspect
import sys

from ..platform import logs

_PACKAGE = __package__.rpartition(".")[0]

# ---- wrapped functions


class TFDecorator:
    """What a decorated function knows of its decorator, as its attribute `_tf_decorator`."""

    def __init__(self, decorator_name, target, decorator_doc="", decorator_argspec=None):
        self.decorator_name = decorator_name
        self.decorated_target = target
        self.decorator_doc = decorator_doc
        self.decorator_argspec = decorator_argspec


def make_decorator(target, decorator_func, decorator_name=None, decorator_doc="", decorator_argspec=None):
    """Gives decorator_func the name, the text and the signature of the target that it wraps."""
    if decorator_name is None:
        decorator_name = sys._getframe(1).f_code.co_name
    decorator_func._tf_decorator = TFDecorator(decorator_name, target, decorator_doc, decorator_argspec)
    for name in ("__name__", "__qualname__", "__module__", "__doc__"):
        if (value := getattr(target, name, None)) is not None:
            setattr(decorator_func, name, value)
    decorator_func.__dict__.update(
        {k: v for k, v in getattr(target, "__dict__", {}).items() if k not in decorator_func.__dict__}
    )
    decorator_func.__wrapped__ = target
    if isinstance(decorator_argspec, inspect.Signature):
        decorator_func.__signature__ = decorator_argspec
    elif isinstance(decorator_argspec, inspect.FullArgSpec):
        decorator_func.__signature__ = _signature(decorator_argspec, inspect.ismethod(unwrap(target)[1]))
    return decorator_func


def _signature(spec, is_bound):
    """The parameters that a specification tells; of a bound method without the first."""
    kinds, absent = inspect.Parameter, inspect.Parameter.empty
    defaults = [absent] * (len(spec.args) - len(spec.defaults or ())) + list(spec.defaults or ())
    made = [kinds(n, kinds.POSITIONAL_OR_KEYWORD, default=d) for n, d in zip(spec.args, defaults)][is_bound:]
    if spec.varargs:
        made.append(kinds(spec.varargs, kinds.VAR_POSITIONAL))
    named = spec.kwonlydefaults or {}
    made += [kinds(n, kinds.KEYWORD_ONLY, default=named.get(n, absent)) for n in spec.kwonlyargs]
    if spec.varkw:
        made.append(kinds(spec.varkw, kinds.VAR_KEYWORD))
    return inspect.Signature(made)


def unwrap(maybe_tf_decorator):
    """(the decorators, outermost first, the function within)."""
    found = []
    inner = maybe_tf_decorator
    while isinstance(made := getattr(inner, "_tf_decorator", None), TFDecorator):
        found.append(made)
        inner = made.decorated_target
    return found, inner


def rewrap(decorator_func, previous_target, new_target):
    """Puts another function within a decorated one."""
    inner = decorator_func
    while isinstance(made := getattr(inner, "_tf_decorator", None), TFDecorator):
        if made.decorated_target is previous_target:
            made.decorated_target = inner.__wrapped__ = new_target
            return
        inner = made.decorated_target


def contextmanager(target):
    """contextlib's, which takes part in unwrap()."""
    return make_decorator(target, contextlib.contextmanager(target), "contextmanager")


# ---- deprecated parts

_told: set = set()
_silent = False


@contextlib.contextmanager
def silence():
    """Within it nothing is said of deprecated parts."""
    global _silent
    before, _silent = _silent, True
    try:
        yield
    finally:
        _silent = before


def _when(date):
    return "in a future version" if date is None else f"after {date}"


def _tell(key, warn_once, message, *values):
    if _silent or (warn_once and key in _told):
        return
    _told.add(key)
    caller = sys._getframe(2)
    logs.warning("From %s:%s: " + message, caller.f_code.co_filename, caller.f_lineno, *values)


def _named(function):
    return getattr(function, "__qualname__", str(function)), getattr(function, "__module__", "")


def deprecated(date, instructions, warn_once=True):
    """A decorator of a function or class that goes away: its first call logs what to do instead."""

    def decorate(function):
        text = "%s (from %s) is deprecated and will be removed %s.\nInstructions for updating:\n%s"
        if isinstance(function, type):
            made = function.__init__

            @functools.wraps(made)
            def init(self, *args, **kwargs):
                _tell(function, warn_once, text, *_named(function), _when(date), instructions)
                return made(self, *args, **kwargs)

            function.__init__ = init
            return function

        @functools.wraps(function)
        def call(*args, **kwargs):
            _tell(function, warn_once, text, *_named(function), _when(date), instructions)
            return function(*args, **kwargs)

        return make_decorator(function, call, "deprecated")

    return decorate


def deprecated_alias(deprecated_name, name, func_or_class, warn_once=True):
    """The same function or class under an old name, whose first use is logged."""
    text = "The name %s is deprecated. Please use %s instead.\n"
    if isinstance(func_or_class, type):

        class Alias(func_or_class):
            __doc__ = func_or_class.__doc__
            __module__ = func_or_class.__module__

            def __init__(self, *args, **kwargs):
                _tell(deprecated_name, warn_once, text, deprecated_name, name)
                super().__init__(*args, **kwargs)

        Alias.__name__, Alias.__qualname__ = func_or_class.__name__, func_or_class.__qualname__
        return Alias

    @functools.wraps(func_or_class)
    def call(*args, **kwargs):
        _tell(deprecated_name, warn_once, text, deprecated_name, name)
        return func_or_class(*args, **kwargs)

    return make_decorator(func_or_class, call, "deprecated")


def deprecated_endpoints(*args):
    """Old public names of a function."""

    def decorate(function):
        function._tf_deprecated_api_names = args
        return function

    return decorate


def deprecated_args(date, instructions, *deprecated_arg_names_or_tuples, warn_once=True):
    """A decorator of a function with parameters that go away; (name, value) means: unless they are that value."""
    named = [(n, ()) if isinstance(n, str) else (n[0], n[1:]) for n in deprecated_arg_names_or_tuples]

    def decorate(function):
        signature = inspect.signature(function)

        @functools.wraps(function)
        def call(*args, **kwargs):
            if not _silent:
                given = signature.bind_partial(*args, **kwargs).arguments
                for name, fine in named:
                    if name in given and not any(given[name] is f or given[name] == f for f in fine):
                        text = (
                            "calling %s (from %s) with %s is deprecated and will be removed %s.\n"
                            "Instructions for updating:\n%s"
                        )
                        _tell((function, name), warn_once, text, *_named(function), name, _when(date), instructions)
            return function(*args, **kwargs)

        return make_decorator(function, call, "deprecated")

    return decorate


def deprecated_arg_values(date, instructions, warn_once=True, **deprecated_kwargs):
    """A decorator of a function with values of parameters that go away."""

    def decorate(function):
        signature = inspect.signature(function)

        @functools.wraps(function)
        def call(*args, **kwargs):
            if not _silent:
                given = signature.bind_partial(*args, **kwargs).arguments
                for name, value in deprecated_kwargs.items():
                    if name in given and (given[name] is value or given[name] == value):
                        text = (
                            "calling %s (from %s) with %s=%s is deprecated and will be removed %s.\n"
                            "Instructions for updating:\n%s"
                        )
                        _tell(
                            (function, name), warn_once, text, *_named(function), name, value, _when(date), instructions
                        )
            return function(*args, **kwargs)

        return make_decorator(function, call, "deprecated")

    return decorate


def deprecated_argument_lookup(new_name, new_value, old_name, old_value):
    """The value of a parameter that has an old name, too. ValueError when both are given."""
    if old_value is None:
        return new_value
    if new_value is not None:
        raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'.")
    return old_value


# ---- exported names

_symbols: dict = {}  # name -> what was exported under it


class _Export:
    _attribute = "_tf_api_names"

    def __init__(self, *names, v1=None, api_name=None, allow_multiple_exports=True):
        self._names = names
        self._v1 = tuple(names if v1 is None else v1)

    def __call__(self, function):
        _, inner = unwrap(function)
        setattr(inner, self._attribute, self._names)
        setattr(inner, self._attribute + "_v1", self._v1)
        for name in (*self._names, *self._v1):
            _symbols[name] = function
        return function

    def export_constant(self, module_name, name):
        """Constants are exported by their module."""


class tf_export(_Export):  # a decorator; its name is what programs write
    """Tells the names under which a package exports a function or class."""


class keras_export(_Export):
    """The same for the names of Keras."""

    _attribute = "_keras_api_names"


def get_canonical_name_for_symbol(symbol, api_name="tensorflow", add_prefix_to_v1_names=False):
    """The first name under which a symbol was exported, or None."""
    attribute = "_keras_api_names" if api_name == "keras" else "_tf_api_names"
    _, inner = unwrap(symbol)
    own = inner.__dict__ if isinstance(inner, type) else getattr(inner, "__dict__", {})
    if own.get(attribute):
        return own[attribute][0]
    if own.get(attribute + "_v1"):
        return ("compat.v1." if add_prefix_to_v1_names else "") + own[attribute + "_v1"][0]
    if api_name == "tensorflow":
        names = sorted(own.get("api_names", ()), key=lambda name: "." not in name)
        return names[0] if names else None
    return None


def get_symbol_from_name(name):
    """What was exported under a name, or the public function of that name; or None."""
    if name in _symbols:
        return _symbols[name]
    space, _, own = name.rpartition(".")
    module = sys.modules.get(f"{_PACKAGE}.{space}" if space else _PACKAGE)
    return getattr(module, own, None)


def kwarg_only(f):
    """A function whose arguments have to be named."""

    @functools.wraps(f)
    def call(**kwargs):
        return f(**kwargs)

    return make_decorator(f, call, "kwarg_only")


def remove_undocumented(module_name, allowed_exception_list=None, doc_string_modules=None):
    """Takes the names out of a module that its text does not mention. They stay: packages import them all the same."""


def reveal_undocumented(symbol_name, target_module=None):
    """Nothing was taken out."""


def make_all(module_name, doc_string_modules=None):
    """The public names of a module."""
    return [n for n in vars(sys.modules[module_name]) if not n.startswith("_")]


# ---- dispatch


def add_dispatch_support(target=None, iterable_parameters=None):
    """A decorator of a function that composite tensors may handle: see tf.experimental.dispatch_for_api."""
    from ..core import dispatch

    def decorate(function):
        return dispatch.public(function, getattr(function, "__name__", ""))

    return decorate if target is None else decorate(target)


def dispatch_for_types(op, *types):
    """A decorator of a function that takes a call of `op` which that refuses, when an argument is of one of the types."""
    from ..core import dispatch

    def decorate(function):
        class ByType(dispatch.OpDispatcher):
            def handle(self, args, kwargs):
                given = [*args, *kwargs.values()]
                given += [v for x in given if isinstance(x, (list, tuple)) for v in x]
                return function(*args, **kwargs) if any(isinstance(v, types) for v in given) else self.NOT_SUPPORTED

        ByType().register(op)
        return function

    return decorate


# ---- marks for the documentation of packages: they change nothing


def _unmarked(x):
    return x


do_not_doc_inheritable = do_not_generate_docs = doc_in_current_and_subclasses = doc_private = _unmarked
for_subclass_implementers = _unmarked


def inheritable_header(text):
    return _unmarked
