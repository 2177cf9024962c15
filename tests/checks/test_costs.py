#!/usr/bin/env python3
"""What adding one thing costs, as docs/ARCHITECTURE.md says it: for one thing of each kind that is there, the files that name it are the
files that the page lists. A fact that comes to be said in a second list shows up here.

    tests/checks/test_costs.py [ROOT]      prints what differs; last line: N passed, N failed
"""
import os
import re
import sys
import unittest

ROOT = sys.argv.pop(1) if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOURCE = (".c", ".h", ".def", ".inc", ".cases", ".py", ".in", ".out")
# Made by generators, or about everything.
MADE = re.compile(r"^(include/sluice/gen/|docs/|bench/|src/proto/gen/)")


def files_with(word, folders=("src", "tests", "include", "tools", "cli")):
    """The files in which a word stands, relative to the root; generated ones aside."""
    pattern = re.compile(r"(?<![\w])(SL_ROW_)?%s(?!\w)" % re.escape(word))
    found = set()
    for folder in folders:
        for where, _, names in os.walk(os.path.join(ROOT, folder)):
            for name in names:
                path = os.path.relpath(os.path.join(where, name), ROOT)
                if not name.endswith(SOURCE) or MADE.match(path):
                    continue
                with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as file:
                    if pattern.search(file.read()):
                        found.add(path)
    return found


class Costs(unittest.TestCase):
    def test_elementwise_op_with_gradient(self):
        """Five rows: the op with its facts, its loop, its rule, its cases, its differences."""
        for op, family, loops, grad in (("Softsign", "nn", "activation", "nn"), ("Asinh", "math", "math", "math"),
                                        ("Atan", "math", "math", "math")):
            self.assertEqual(files_with(op) - {"tests/checks/test_costs.py"},
                             {"src/ops/%s.def" % family, "src/backends/cpu/isa/%s_loops.def" % loops,
                              "src/grad/%s_grad.c" % grad, "tests/ops/%s.cases" % family,
                              "tests/unit/grad/test_rules.c"}, op)

    def test_pass(self):
        """One file and one row."""
        self.assertEqual(files_with("sl_pass_merge_equal", ("src",)),
                         {"src/passes/optimise/merge_equal.c", "src/passes/passes.def"})


if __name__ == "__main__":
    result = unittest.TextTestRunner(verbosity=1).run(unittest.defaultTestLoader.loadTestsFromTestCase(Costs))
    bad = len(result.failures) + len(result.errors)
    print("%d passed, %d failed" % (result.testsRun - bad, bad))
    sys.exit(bad != 0)
