"""Keras, as it is on the package index, trains on Sluice: each row gives the numbers that it gives with TensorFlow."""

import functools
import json
import os
import subprocess
import sys
import tempfile

import pytest
from differences import difference
from installed import installed
from record import GROUPS, stored

HERE = os.path.dirname(os.path.abspath(__file__))
WITHIN = 1e-5  # relative
pytestmark = [
    pytest.mark.skipif(not installed("keras"), reason="keras is not installed"),
    pytest.mark.once,
]


@functools.cache
def results(group):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.json")
        command = [sys.executable, "-m", "sluice", os.path.join(HERE, "run_rows.py"), group, out]
        done = subprocess.run(command, capture_output=True, text=True, timeout=1200, cwd=folder)
        assert done.returncode == 0, done.stderr[-3000:]
        with open(out) as file:
            return json.load(file)


@pytest.mark.parametrize("group, name", [(group, name) for group in GROUPS for name in stored(group)])
def test_row(group, name):
    expected, found = stored(group)[name], results(group)[name]
    if "requires the scipy module" in found.get("error", ""):
        pytest.skip("scipy is not installed")
    assert "error" not in found, found["error"]
    assert difference(found["numbers"], expected["numbers"]) < WITHIN
    assert found["saved"] == expected["saved"]
