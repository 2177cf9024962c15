"""import tensorflow means Sluice, when a program asks for it, and not before."""

import subprocess
import sys
import textwrap

import pytest


def run(*arguments, **options):
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, timeout=60, **options)
    return done.returncode, done.stdout, done.stderr


def test_a_program_runs(tmp_path):
    (tmp_path / "beside.py").write_text("TWO = 2.0\n")
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent("""
        import sys
        import tensorflow as tf
        import tensorflow.compat.v1 as tf1
        from tensorflow.math import log1p
        from beside import TWO
        assert __name__ == "__main__"
        print(tf.constant(3.0).numpy() * TWO, tf1.placeholder.__name__, log1p(0.0).numpy(), sys.argv[1:])
        """)
    )
    assert run("-m", "sluice", str(program), "a", "b") == (0, "6.0 placeholder 0.0 ['a', 'b']\n", "")
    (tmp_path / "here").mkdir()
    program.write_text("import sys\nassert sys.argv[1] not in sys.path, sys.path\n")
    here = str(tmp_path / "here")
    assert run("-m", "sluice", str(program), here, cwd=here) == (0, "", "")


def test_code_and_modules():
    assert run("-m", "sluice", "-c", "import tensorflow as tf; print(tf.__name__)") == (0, "sluice\n", "")
    code, out, error = run("-m", "sluice", "-m", "timeit", "-n", "1", "-r", "1", "import tensorflow")
    assert code == 0 and "loop" in out and error == ""


def test_metadata_has_the_version():
    code = """
        from importlib import metadata
        assert metadata.version("tensorflow").startswith("2."), metadata.version("tensorflow")
        assert metadata.distribution("tensorflow").files is None
        try:
            metadata.version("tensorflow-of-another-name")
        except metadata.PackageNotFoundError:
            print("not there")
    """
    assert run("-m", "sluice", "-c", textwrap.dedent(code)) == (0, "not there\n", "")


def test_names_that_are_not_there():
    code, _, error = run("-m", "sluice", "-c", "import tensorflow.lite.tools")
    assert code == 1
    assert "No module named 'tensorflow.lite': sluice stands for tensorflow, and has no 'lite'" in error


def test_exit_codes_are_the_programs():
    assert run("-m", "sluice", "-c", "raise SystemExit(3)")[0] == 3
    assert run("-m", "sluice")[0] == 2


@pytest.mark.parametrize("code", ["import sluice\nimport sys\nassert 'tensorflow' not in sys.modules"])
def test_nothing_is_replaced_unasked(code):
    assert run("-c", code) == (0, "", "")


def test_classes_are_known_by_their_names():
    """Keras asks a value's class for its name and module, where it need not import TensorFlow."""
    code = """
        import pickle
        import tensorflow as tf
        values = {
            "framework.tensor.Tensor": tf.constant(1),
            "data.ops.dataset_ops.DatasetV2": tf.data.Dataset.range(2),
            "ops.ragged.ragged_tensor.RaggedTensor": tf.ragged.constant([[1]]),
            "framework.sparse_tensor.SparseTensor": tf.sparse.eye(2),
        }
        for name, value in values.items():
            classes = [c for c in type(value).__mro__ if f"{c.__module__}.{c.__name__}" == "tensorflow.python." + name]
            assert len(classes) == 1, (name, type(value).__mro__)
            assert pickle.loads(pickle.dumps(classes[0])) is classes[0]
    """
    assert run("-m", "sluice", "-c", textwrap.dedent(code)) == (0, "", "")
