"""Makes functions of converted trees, with the globals and the closure of the original, once for each code object."""

from __future__ import annotations

import ast
import functools
import threading
import types

from . import converter, source

_lock = threading.RLock()
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
        (calls, "converted_call"),
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
    node = source.tree_of(function)
    if isinstance(node, ast.AsyncFunctionDef):
        raise source.NoSource("it is a coroutine")
    return converter.Converter().function(node)


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
    factory = ast.parse(f"def factory_({', '.join(['ag__', *free])}):\n    pass")
    if isinstance(node, ast.Lambda):
        inner = ast.copy_location(ast.Return(node), node)
    else:
        inner = node
    factory.body[0].body = [inner]
    converter.place(factory, node)
    whole = compile(factory, code.co_filename, "exec", flags=code.co_flags & _FUTURES, dont_inherit=True)
    outer = next(c for c in whole.co_consts if isinstance(c, types.CodeType))
    made = next(c for c in outer.co_consts if isinstance(c, types.CodeType) and c.co_name == code.co_name)
    _note(made)
    return made


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
