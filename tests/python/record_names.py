#!/usr/bin/env python3
"""Records what TensorFlow's public names are: name, kind, parameters with their defaults.

    record_names.py NAMES > tests/python/data/names.tsv        NAMES: a file with one public name a line, without "tf."

Needs tensorflow-cpu; test_names.py compares this package with the result.
Kinds: function, class (parameters of __init__), method (of a class before it), value, module.
"""

import inspect
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import tensorflow as tf  # noqa: E402


def parameters(value):
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return "?"
    out = []
    for p in signature.parameters.values():
        if p.name == "self":
            continue
        star = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        plain = p.default is None or isinstance(p.default, (bool, int, float, str, tuple, list))
        default = "" if p.default is p.empty else "=" + (repr(p.default) if plain else getattr(p.default, "name", "?"))
        out.append(star + p.name + default)
    return ", ".join(out)


def row(name, value):
    if inspect.ismodule(value):
        print(name, "module", "", sep="\t")
    elif inspect.isclass(value):
        print(name, "class", parameters(value.__init__), sep="\t")
        for member in sorted(set(dir(value)) - set(dir(object))):
            method = inspect.getattr_static(value, member)
            if not member.startswith("_") and callable(getattr(value, member)):
                method = getattr(method, "__func__", method)
                print(f"{name}.{member}", "method", parameters(method), sep="\t")
    elif callable(value):
        print(name, "function", parameters(value), sep="\t")
    else:
        print(name, "value", type(value).__name__, sep="\t")


def find(name):
    value = tf
    for part in name.split("."):
        value = getattr(value, part)
    return value


for line in open(sys.argv[1]):
    try:
        row(line.strip(), find(line.strip()))
    except AttributeError:
        print("not in TensorFlow:", line.strip(), file=sys.stderr)
