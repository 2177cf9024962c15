"""Stubs, which python/make_stubs.py writes: every public name is in that of its module, and means what is there."""

import ast
import importlib
import importlib.util
import inspect
import os
import sys

import pytest

import sluice as tf
from sluice import namespaces
from sluice.names import WHOLE

PYTHON = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python")


@pytest.fixture(scope="module")
def stubs(tmp_path_factory):
    """namespace -> the tree of its stub"""
    out = tmp_path_factory.mktemp("stubs")
    spec = importlib.util.spec_from_file_location("make_stubs", os.path.join(PYTHON, "make_stubs.py"))
    make_stubs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make_stubs)
    make_stubs.main(os.path.join(PYTHON, "sluice"), str(out))
    trees = {}
    for path in out.rglob("*.pyi"):
        parts = path.relative_to(out).with_suffix("").parts
        trees[".".join(p for p in parts if p != "__init__")] = ast.parse(path.read_text())
    return trees


def declared(tree):
    """public name -> the statement that says what it is"""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            found.update({alias.asname: node for alias in node.names if alias.asname})
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found[node.name] = node
        elif isinstance(node, ast.AnnAssign):
            found[node.target.id] = node
    return found


def test_every_public_name_is_in_a_stub(stubs):
    without = {*WHOLE, *("compat.v1." + space for space in WHOLE), "compat.v2", "compat.v1.compat"}
    lacking = {}
    for space in {"", *namespaces._spaces} - without:
        absent = set(namespaces.names_of(space)) - set(declared(stubs[space])) - {"raw_ops", "compat"}
        if absent:
            lacking[space] = sorted(absent)
    assert lacking == {}


def test_what_stubs_import_is_there(stubs):
    for space, tree in stubs.items():
        for node in (
            n for n in tree.body if isinstance(n, ast.ImportFrom) and n.module and n.module.startswith("sluice")
        ):
            module = importlib.import_module(node.module)
            for alias in node.names:
                assert alias.name == "*" or hasattr(module, alias.name), f"{space}: {node.module}.{alias.name}"


def test_declared_functions_have_their_parameters(stubs):
    for space, tree in stubs.items():
        module = tf if not space else sys.modules["sluice." + space]
        for node in (n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name != "__getattr__"):
            function = getattr(module, node.name)
            if node.args.vararg:  # ops, whose parameters are the library's
                continue
            have = [a.arg for a in node.args.args]
            assert have == [
                p.name for p in inspect.signature(function).parameters.values() if p.kind == p.POSITIONAL_OR_KEYWORD
            ]


def test_tensors_have_what_their_stub_says():
    with open(os.path.join(PYTHON, "sluice", "_native.pyi")) as file:
        classes = {n.name: n for n in ast.parse(file.read()).body if isinstance(n, ast.ClassDef)}
    with tf.Graph().as_default():
        symbolic = tf.compat.v1.placeholder(tf.float32, [2])
    for name, value in (("Tensor", symbolic), ("EagerTensor", tf.constant([1.0]))):
        for node in classes[name].body:
            if isinstance(node, ast.FunctionDef):
                assert hasattr(value, node.name), node.name
