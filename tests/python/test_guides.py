"""Programs in the manner of guides, each run as it is, with `import tensorflow` meaning this package: they print what they print
with TensorFlow. `python tests/python/test_guides.py PYTHON` records that anew, with a Python that has TensorFlow."""

import pathlib
import subprocess
import sys

import pytest

FOLDER = pathlib.Path(__file__).parent / "guides"
PROGRAMS = sorted(p.stem for p in FOLDER.glob("*.py"))


@pytest.mark.parametrize("name", PROGRAMS)
def test_guide(name):
    done = subprocess.run(
        [sys.executable, "-m", "sluice", str(FOLDER / f"{name}.py")], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == (FOLDER / f"{name}.txt").read_text()


def record(python):
    for name in PROGRAMS:
        done = subprocess.run([python, str(FOLDER / f"{name}.py")], capture_output=True, text=True, check=True)
        (FOLDER / f"{name}.txt").write_text(done.stdout)


if __name__ == "__main__":
    record(sys.argv[1])
