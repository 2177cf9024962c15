"""The syntax tree of a function, with the lines and columns of its file."""

from __future__ import annotations

import ast
import functools
import linecache
import sys


class NoSource(Exception):
    """The source of a function cannot be found, or is not the function's."""


def tree_of(function):
    """The FunctionDef or Lambda of a Python function. NoSource when there is no source."""
    code = function.__code__
    lines = _lines(code.co_filename, function.__globals__)
    if function.__name__ == "<lambda>":
        return _in_file(lines, code, ast.Lambda)
    found = _definition(lines, code)
    return found if found is not None else _in_file(lines, code, (ast.FunctionDef, ast.AsyncFunctionDef))


def _lines(name, of_module) -> list[str]:
    """The lines of a file, of a cell that linecache knows, of a module's loader, or of python -c."""
    linecache.checkcache(name)
    lines = linecache.getlines(name, of_module)
    if not lines and name == "<string>" and of_module.get("__name__") == "__main__":
        given = sys.orig_argv
        if "-c" in given[:-1]:
            return given[given.index("-c") + 1].splitlines(True)
    return lines


def _definition(lines, code):
    """The definition that begins at the code's first line; None when there is none by its name.

    It may end before any line that is not further to the right: texts and brackets go on there, so the first end that can be
    parsed is taken.
    """
    first = code.co_firstlineno - 1
    if first >= len(lines):
        return None
    indent = _indent(lines[first])
    head = "if 1:\n" if indent else "\n"  # either way lines are counted from 2 below the one before the first
    end, tries = first + 1, 0
    while tries < 50:
        while end < len(lines) and (_indent(lines[end]) > indent or lines[end].lstrip()[:1] in ("", "#")):
            end += 1
        try:
            tree = ast.parse(head + "".join(lines[first:end]))
        except SyntaxError:
            if end >= len(lines):
                return None
            end, tries = end + 1, tries + 1
            continue
        body = tree.body[0].body if indent and tree.body else tree.body
        node = body[0] if body else None
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or node.name != code.co_name:
            return None
        node.lines_before = first - 1  # of the file, before the lines of the tree
        return node
    return None


def _indent(line) -> int:
    return len(line) - len(line.lstrip(" \t"))


@functools.lru_cache(maxsize=8)
def _parsed(name, text):
    return ast.parse(text)


def _in_file(lines, code, kinds):
    text = "".join(lines)
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


def _the_one(found, code):
    """Of several on one line the one with the code's columns."""
    if len(found) > 1:
        # Instructions that stand for nothing in the source have an empty range.
        places = {(p[0], p[2]) for p in code.co_positions() if p[0] is not None and p[2] is not None and p[2] != p[3]}
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
