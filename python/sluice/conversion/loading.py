"""Makes functions of converted trees, with the globals and the closure of the original, once for each code object."""

from __future__ import annotations

import ast
import functools
import inspect
import re
import types

from . import converter, left_alone, source
from ..core import fork_locks

_lock = fork_locks.rlock()
_made: dict = {}  # code object -> (the converted code, names of its closure)
_converted: set[int] = set()  # ids of code objects that converted code is made of
_kept: list = []  # which keep their ids


class _Operators:
    """What converted code calls as ag__."""


ag = _Operators()


def _fill():
    from . import branches, calls, expressions, loops, undefined

    for module, names in (
        (branches, "if_stmt"),
        (calls, "attribute converted_call"),
        (expressions, "and_ assert_stmt compare eq if_exp iterable not_ not_eq or_"),
        (loops, "for_stmt while_stmt"),
        (undefined, "Undefined is_set peek read returned"),
    ):
        for name in names.split():
            setattr(ag, name, getattr(module, name))


def is_converted(code) -> bool:
    return id(code) in _converted


def tree(function):
    """The converted tree of a function: a FunctionDef or Lambda. NoSource when there is no source."""
    if function.__code__.co_flags & inspect.CO_GENERATOR:
        line = function.__code__.co_firstlineno
        raise NotImplementedError(f"generators are not supported by AutoGraph: {function.__name__}, line {line}")
    node = source.tree_of(function)
    if isinstance(node, ast.AsyncFunctionDef):
        raise source.NoSource("it is a coroutine")
    return converter.Converter(_modules(function)).function(node)


def _modules(function) -> set[str]:
    """The globals of a function that are modules whose functions are called as they are."""
    known, locals_ = set(), set()
    _collect_names(function.__code__, known, locals_)
    found = {n: function.__globals__.get(n) for n in known - locals_}
    return {
        n
        for n, m in found.items()
        if isinstance(m, types.ModuleType) and left_alone.is_module_called_as_it_is(m.__name__)
    }


def _collect_names(code, known, locals_):
    known.update(code.co_names)
    locals_.update(code.co_varnames, code.co_cellvars, code.co_freevars)
    for c in code.co_consts:
        if isinstance(c, types.CodeType):
            _collect_names(c, known, locals_)


def convert(function):
    """The function, converted. It shares the original's globals, defaults and closure."""
    code = function.__code__
    with _lock:
        found = _made.get(code)
        if found is None:
            if not hasattr(ag, "if_stmt"):
                _fill()
            found = _made[code] = _compile(function)
    made = types.FunctionType(
        found, function.__globals__, function.__name__, function.__defaults__, _closure(found, function)
    )
    made.__kwdefaults__ = function.__kwdefaults__
    functools.update_wrapper(made, function)
    made.__wrapped__ = function
    return made


def _compile(function):
    node = tree(function)
    code = function.__code__
    free = [n for n in code.co_freevars if n != "ag__"]
    # The class gives private names (__x) their prefix, and keeps the function's name free for the global of that name.
    at = converter.place_of(node)
    _without_defaults(node.args, at)
    inner = ast.Assign([ast.Name("made_", ast.Store(), **at)], node, **at) if isinstance(node, ast.Lambda) else node
    holder = ast.ClassDef(_class_of(code), [], [], [inner], [], **at, **converter.TYPE_PARAMETERS)
    factory = ast.Module([converter.define("factory_", ("ag__", *free), [holder], at)], [])
    whole = compile(factory, code.co_filename, "exec", flags=code.co_flags & _FUTURES, dont_inherit=True)
    outer = next(c for c in whole.co_consts if isinstance(c, types.CodeType))
    within = next(c for c in outer.co_consts if isinstance(c, types.CodeType))
    made = next(c for c in within.co_consts if isinstance(c, types.CodeType) and c.co_name == code.co_name)
    made = _as_written(made, getattr(node, "lines_before", 0))
    _note(made)
    return made


def _without_defaults(args, at):
    """The original's are taken. A lambda among them would be met before the function itself."""
    none = ast.Constant(None, **at)
    args.defaults = [none for _ in args.defaults]
    args.kw_defaults = [d and none for d in args.kw_defaults]


# Functions that the converter makes of blocks and operands.
_PARTS = re.compile(r"(get_state|set_state|if_body|else_body|loop_body|loop_test|extra_test|operand)_[0-9_]+")


def _as_written(code, lines, outer=None):
    """The code so many lines further down (its table of lines counts from its first), its parts under the function's name: so
    debuggers and traces tell of what the user wrote."""
    name = (outer.co_name, outer.co_qualname) if outer is not None and _PARTS.fullmatch(code.co_name) else None
    changes = {"co_firstlineno": code.co_firstlineno + lines}
    if name is not None:
        changes["co_name"], changes["co_qualname"] = name
    whole = code if name is None else outer
    parts = (_as_written(c, lines, whole) if isinstance(c, types.CodeType) else c for c in code.co_consts)
    return code.replace(co_consts=tuple(parts), **changes)


def _class_of(code) -> str:
    """A class by which private names get the prefix that they have in the method: underscores before its name do not count."""
    outer = code.co_qualname.split(".")[-2:-1]
    return "____" + outer[0].lstrip("_") if outer and outer[0].isidentifier() else "____"


def _futures() -> int:
    import __future__

    flags = 0
    for name in __future__.all_feature_names:
        flags |= getattr(__future__, name).compiler_flag
    return flags


_FUTURES = _futures()


def _note(code):
    _converted.add(id(code))
    _kept.append(code)
    for c in code.co_consts:
        if isinstance(c, types.CodeType):
            _note(c)


def _closure(code, function):
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    cells["ag__"] = types.CellType(ag)
    return tuple(cells[n] if n in cells else types.CellType() for n in code.co_freevars)
