#!/usr/bin/env python3
"""Writes stubs of the public modules, by which editors and type checkers find what is behind a name:

    make_stubs.py PACKAGE OUT       PACKAGE: the folder sluice with its sources; stubs go into OUT

The public modules are made when they are imported (namespaces.py), so there are no files that an editor could read. A name that
stands in the source of its module is imported from there; one that the module makes from a table is declared.
"""

import ast
import functools
import importlib.util
import os
import sys

# What modules make from their tables: the table, and the parameters of what is in it; "": of what is in none.
_MADE = {
    "ops.elementwise_ops": {"_UNARY": "x, name=None", "_SPECIAL": "x, name=None", "_BINARY": "x, y, name=None"},
    "ops.numpy_math": {"_UNARY": "x", "_BINARY": "x1, x2"},
    "ops.plain_ops": {"": "*args: Any, **kwargs: Any"},
    "platform.dtensor": {"": "*args: Any, **kwargs: Any"},
}
# A declaration of any name of a module, and what it needs.
_DECLARED = {
    "core.dtypes": ("{public}: DType", "from sluice.core.dtypes import DType"),
    "core.messages": ("class {public}(Message): ...", "from sluice.core.messages import Message"),
    "_native": ("from sluice._native import {own} as {public}", None),
}
_ANY = "from typing import Any"
_REST = {"compat.v2": "from sluice import *\n"}


def load_names(package):
    spec = importlib.util.spec_from_file_location("names", os.path.join(package, "names.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.NAMES, module.WHOLE


def tables(names):
    """namespace -> {public name: (module, its own name)}; compat.v1.X has what X has, unless it says otherwise."""
    spaces = {"": {}}
    for module, rows in names.items():
        for where, words in rows.items():
            for space in where.split():
                table = spaces.setdefault("" if space == "tf" else space, {})
                for word in words.split():
                    public, _, own = word.partition("=")
                    table[public] = module, own or public
    for space in [s for s in spaces if not s.startswith("compat")]:
        own = "compat.v1" + ("." + space if space else "")
        spaces[own] = {**spaces[space], **spaces.get(own, {})}
    for space in list(spaces):
        while space:
            spaces.setdefault(space, {})
            space = space.rpartition(".")[0]
    return spaces


# ---- what the source of a module says


def _targets(node):
    found = node.targets if isinstance(node, ast.Assign) else [node.target]
    return {n.id for target in found for n in ast.walk(target) if isinstance(n, ast.Name)}


def _names_in(body):
    names = set()
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            names |= _targets(node)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, (ast.If, ast.Try)):
            names |= _names_in(node.body)
    return names


@functools.lru_cache(maxsize=None)
def source_of(package, module):
    """(names that stand in the source, {table: names in it}); nothing of a module that has no source."""
    path = os.path.join(package, *module.split("."))
    path = path + ".py" if os.path.exists(path + ".py") else os.path.join(path, "__init__.py")
    if not os.path.exists(path):
        return set(), {}
    with open(path) as file:
        body = ast.parse(file.read()).body
    in_tables = {}
    for node in body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict):
            keys = {k.value for k in node.value.keys if isinstance(k, ast.Constant)}
            in_tables.update(dict.fromkeys(_targets(node), keys))
    return _names_in(body), in_tables


def declaration(package, public, module, own):
    """(the line of a name, an import that it needs or None)."""
    names, in_tables = source_of(package, module)
    if own.partition(".")[0] in names:
        return f"from sluice.{module} import {own} as {public}", None
    if module in _DECLARED:
        line, needed = _DECLARED[module]
        return line.format(public=public, own=own), needed
    made = _MADE.get(module, {})
    parameters = next((p for table, p in made.items() if own in in_tables.get(table, ())), made.get(""))
    if parameters is None:
        raise SystemExit(f"make_stubs.py: sluice.{module} has no {own} in its source: {public}")
    kind = f"class {public}:\n    def __init__(self, {parameters}) -> None: ..." if public[0].isupper() else None
    return kind or f"def {public}({parameters}) -> Any: ...", _ANY


def stub(package, space, spaces, whole):
    prefix = space + "." if space else ""
    inner = {s[len(prefix) :].partition(".")[0] for s in [*spaces, *whole] if s != space and (s + ".").startswith(prefix)}
    lines = [f"from . import {name} as {name}" for name in sorted(inner) if name]
    made = [declaration(package, public, *found) for public, found in sorted(spaces[space].items())]
    lines += sorted({needed for _, needed in made if needed}) + [line for line, _ in made]
    if not space:
        lines += ["newaxis: None", "__version__: str"]
    return "\n".join(lines) + "\n"


def main(package, out):
    names, whole = load_names(package)
    spaces, whole = tables(names), [*whole, *_REST]
    texts = {space: stub(package, space, spaces, whole) for space in spaces}
    for space in whole:
        texts[space] = _REST.get(space, f"{_ANY}\n\ndef __getattr__(name: str) -> Any: ...\n")  # by default a name is made when asked for
    for space, text in texts.items():
        has_inner = not space or any(s.startswith(space + ".") for s in texts)
        path = os.path.join(out, *space.split(".")) if space else out
        path = os.path.join(path, "__init__.pyi") if has_inner else path + ".pyi"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
    open(os.path.join(out, "py.typed"), "w").close()


if __name__ == "__main__":
    main(*sys.argv[1:])
