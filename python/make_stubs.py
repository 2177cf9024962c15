#!/usr/bin/env python3
"""Writes stubs of the public modules, by which editors and type checkers find what is behind a name:

    make_stubs.py PACKAGE OUT       PACKAGE: the folder sluice with its sources; stubs go into OUT

The public modules are made when they are imported (namespaces.py), so there are no files that an editor could read.
"""

import importlib.util
import os
import sys


def load_names(package):
    spec = importlib.util.spec_from_file_location("names", os.path.join(package, "names.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.NAMES


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


def stub(space, spaces):
    lines = []
    inner = sorted({s[len(space) + 1 if space else 0 :].partition(".")[0] for s in spaces if s != space and (s + ".").startswith(space + "." if space else "")})
    lines += [f"from . import {name} as {name}" for name in inner if name]
    lines += [f"from sluice.{module} import {own} as {public}" for public, (module, own) in sorted(spaces[space].items())]
    return "\n".join(lines) + "\n"


def main(package, out):
    spaces = tables(load_names(package))
    for space in spaces:
        has_inner = not space or any(s.startswith(space + ".") for s in spaces)
        path = os.path.join(out, *space.split(".")) if space else out
        path = os.path.join(path, "__init__.pyi") if has_inner else path + ".pyi"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(stub(space, spaces))
    open(os.path.join(out, "py.typed"), "w").close()


if __name__ == "__main__":
    main(*sys.argv[1:])
