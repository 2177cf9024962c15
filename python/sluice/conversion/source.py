"""The syntax tree of a function, with the lines and columns of its file."""

from __future__ import annotations

import ast
import functools
import inspect
import linecache
import textwrap


class NoSource(Exception):
    """The source of a function cannot be found, or is not the function's."""


def tree_of(function):
    """The FunctionDef or Lambda of a Python function. NoSource when there is no source."""
    code = function.__code__
    if function.__name__ == "<lambda>":
        return _lambda_of(code)
    try:
        lines, first = inspect.getsourcelines(function.__code__)  # of a wrapper its own
    except (OSError, TypeError, IndentationError, SyntaxError) as error:
        raise NoSource(f"the source of {function.__qualname__} is not there ({error})") from None
    text = "".join(lines)
    indent = len(text) - len(text.lstrip(" \t"))
    try:
        tree = ast.parse(textwrap.dedent(text))
    except SyntaxError:
        return _in_file(code, (ast.FunctionDef, ast.AsyncFunctionDef))
    node = next((n for n in tree.body if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))), None)
    if node is None or node.name != function.__name__.rpartition(".")[2] and node.name != code.co_name:
        return _in_file(code, (ast.FunctionDef, ast.AsyncFunctionDef))
    for n in ast.walk(node):
        if hasattr(n, "lineno"):
            n.lineno += first - 1
            n.end_lineno += first - 1
            n.col_offset += indent
            n.end_col_offset += indent
    return node


@functools.lru_cache(maxsize=8)
def _parsed(name, text):
    return ast.parse(text)


def _in_file(code, kinds):
    text = "".join(linecache.getlines(code.co_filename))
    if not text:
        raise NoSource(f"the source of {code.co_name} is not there: no file {code.co_filename!r}")
    try:
        tree = _parsed(code.co_filename, text)
    except SyntaxError as error:
        raise NoSource(f"{code.co_filename} cannot be parsed: {error}") from None
    found = []
    for n in ast.walk(tree):
        if isinstance(n, kinds):
            first = min([n.lineno] + [d.lineno for d in getattr(n, "decorator_list", [])])
            if first == code.co_firstlineno and getattr(n, "name", "<lambda>") == code.co_name:
                found.append(n)
    return _the_one(found, code)


def _lambda_of(code):
    return _in_file(code, ast.Lambda)


def _the_one(found, code):
    """Of several on one line the one with the code's columns."""
    if len(found) > 1:
        places = {(p[0], p[2]) for p in code.co_positions() if p[0] is not None and p[2] is not None}
        inside = [n for n in found if all(_spans(n, line, column) for line, column in places)]
        exact = [n for n in inside if _parameters(n) == code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]]
        found = sorted(exact or inside, key=lambda n: (n.end_lineno - n.lineno, n.end_col_offset - n.col_offset))[:1]
    if not found:
        raise NoSource(
            f"the source of {code.co_name} is not at {code.co_filename}:{code.co_firstlineno}: has the file changed?"
        )
    import copy

    return copy.deepcopy(found[0])


def _spans(node, line, column) -> bool:
    return (node.lineno, node.col_offset) <= (line, column) <= (node.end_lineno, node.end_col_offset)


def _parameters(node):
    return tuple(a.arg for a in node.args.posonlyargs + node.args.args + node.args.kwonlyargs)
