"""tf.autograph: functions converted, shown, left alone."""

from __future__ import annotations

import ast
import enum
import functools
import inspect
import logging
import types

from ..core import function
from . import calls, loading


class Feature(enum.Enum):
    """Parts of the conversion that can be asked for. All are always on but BUILTIN_FUNCTIONS, with which print of tensors prints
    their values whenever the graph runs."""

    ALL = "ALL"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    NAME_SCOPES = "NAME_SCOPES"

    @classmethod
    def all(cls):
        return tuple(cls.__members__.values())

    @classmethod
    def all_but(cls, exclude):
        exclude = exclude if isinstance(exclude, (list, tuple, set)) else (exclude,)
        return tuple(set(cls.all()) - set(exclude) - {cls.ALL})


def to_graph(entity, recursive=True, experimental_optional_features=None):
    """The function, converted: its conditions and loops on tensors make nodes. ValueError when it has no source."""
    if not callable(entity) or isinstance(entity, type):
        raise ValueError(f"to_graph takes a function, got {entity!r}")
    if isinstance(entity, types.MethodType):
        made = to_graph(entity.__func__, recursive, experimental_optional_features)
        return types.MethodType(made, entity.__self__)
    try:
        made = loading.convert(entity)
    except loading.source.NoSource as error:
        raise ValueError(f"{entity!r} cannot be converted: {error}") from None
    if experimental_optional_features is None:
        return made

    @functools.wraps(made)
    def with_features(*args, **kwargs):
        with calls.features(names):
            return made(*args, **kwargs)

    names = function.names_of_features(experimental_optional_features)
    return with_features


def to_graph_v1(
    entity, recursive=True, arg_values=None, arg_types=None, experimental_optional_features=None
):  # fmt: skip
    return to_graph(entity, recursive, experimental_optional_features)


def to_code(entity, recursive=True, experimental_optional_features=None):
    """The converted function as Python's source."""
    entity = getattr(entity, "python_function", entity)
    entity = getattr(entity, "__func__", entity)
    try:
        node = loading.tree(entity)
    except loading.source.NoSource as error:
        raise ValueError(f"{entity!r} cannot be converted: {error}") from None
    return ast.unparse(ast.fix_missing_locations(node)) + "\n"


def to_code_v1(
    entity, recursive=True, arg_values=None, arg_types=None, indentation="  ", experimental_optional_features=None
):  # fmt: skip
    return to_code(entity, recursive, experimental_optional_features)


def do_not_convert(func=None):
    """Leaves a function as it is, where converted code calls it; also as a decorator."""
    if func is None:
        return do_not_convert
    if isinstance(func, types.FunctionType):

        @functools.wraps(func)
        def as_it_is(*args, **kwargs):
            return func(*args, **kwargs)

        as_it_is._autograph_left_alone = True
        return as_it_is
    func = functools.partial(func) if inspect.isbuiltin(func) else func
    try:
        func._autograph_left_alone = True
    except AttributeError:
        pass
    return func


def tf_convert(f, ctx=None, convert_by_default=True, user_requested=False):
    """What converted code calls in place of f."""
    return calls.convert_top(f) if convert_by_default else do_not_convert(f)


def set_loop_options(
    parallel_iterations=None, swap_memory=None, maximum_iterations=None, shape_invariants=None
):  # fmt: skip
    """In the body of a loop that becomes one of the graph: options of tf.while_loop. Elsewhere it does nothing.

    shape_invariants: [(variable, shape)] for loop variables whose shape changes.
    """


_verbosity = [0]


def set_verbosity(level, alsologtostdout=False):
    """How much the conversion tells of itself, 0 (nothing) to 10."""
    _verbosity[0] = level
    logging.getLogger("sluice").setLevel(logging.DEBUG if level >= 3 else logging.NOTSET)


def trace(*args):
    """Prints while a function is traced."""
    print(*args)
