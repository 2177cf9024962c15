"""experimental_enable_numpy_behavior(dtype_conversion_mode=...): types, weakness, values and errors are TensorFlow's.

Each mode runs in a process of its own: it is the process's, and cannot be taken back whole."""

import functools
import pathlib
import subprocess
import sys

import promotion_cases
import pytest

NO_KERNEL = ("NotFoundError", "UnimplementedError")
ROWS = [(mode, i, *row) for mode in promotion_cases.MODES for i, row in enumerate(promotion_cases.read(mode))]


@functools.cache
def outcomes(mode):
    script = pathlib.Path(promotion_cases.__file__)
    run = subprocess.run([sys.executable, script, "sluice", mode], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    return [line.split("\t") for line in run.stdout.splitlines()]


@pytest.mark.parametrize("mode, i, expression, wanted", ROWS, ids=lambda v: v if isinstance(v, str) else None)
def test_outcome(mode, i, expression, wanted):
    made, *texts = outcomes(mode)[i]
    assert made == expression and len(texts) == len(wanted)
    found = dict(zip(promotion_cases.TYPES, texts))
    # What TensorFlow has no kernel for may be there.
    assert {t: found[t] if w not in NO_KERNEL else w for t, w in zip(found, wanted)} == dict(zip(found, wanted))


def run(mode, program):
    """What a program prints after the mode is set."""
    start = f"import sluice as tf\ntf.experimental.numpy.experimental_enable_numpy_behavior(dtype_conversion_mode={mode!r})\n"
    return subprocess.run(
        [sys.executable, "-c", start + program], capture_output=True, text=True, timeout=100, check=True
    ).stdout.splitlines()


def test_message_of_safe_mode():
    program = "try: tf.constant(1, tf.int32) + 2.5\nexcept TypeError as e: print(e)"
    assert run("safe", program) == [
        "In promotion mode PromoMode.SAFE, implicit dtype promotion between (<dtype: 'int32'>, weak=False) and (<dtype: "
        "'float32'>, weak=True) is disallowed. You need to explicitly specify the dtype in your op, or relax your dtype "
        "promotion rules (such as from SAFE mode to ALL mode)."
    ]


def test_message_of_variables():
    program = "try: tf.Variable(1).assign_add(tf.constant(1.5))\nexcept TypeError as e: print(e)"
    assert run("all", program) == [
        "Variable dtype is immutable. Calling assign_add of Variable (with dtype <dtype: 'int32'>) on 1.5 weakly typed requires "
        "converting 1.5 weakly typed to <dtype: 'int32'>. This is disabled in the current promotion semantics. Please convert "
        "1.5 weakly typed manually before calling assign_add."
    ]


def test_traces_are_told_apart():
    program = """
f = tf.function(lambda x: x * 2.5)
made = [f(x) for x in (tf.constant(1), tf.constant(2), tf.constant(1, tf.int32), 1)]
print([t.dtype.name for t in made], f.experimental_get_tracing_count())
print(f.get_concrete_function(tf.constant(1)).structured_input_signature[0][0])
"""
    assert run("all", program) == [
        "['float32', 'float32', 'float64', 'float32'] 3",
        "EagerWeakTensor.Spec(tensor=TensorSpec(shape=(), dtype=tf.int32, name=None))",
    ]


def test_loops_and_jacobians():
    program = """
print(tf.function(lambda x: tf.while_loop(lambda i: i < 3, lambda i: i + 1, [x]))(tf.constant(0)))
w = tf.constant([1.0, 2.0])
with tf.GradientTape() as tape:
    tape.watch(w)
    y = w * w
print(tape.jacobian(y, w).numpy().tolist())
"""
    assert run("all", program) == [
        "[<tf.Tensor: shape=(), dtype=int32, numpy=3, weak=True>]",
        "[[2.0, 0.0], [0.0, 4.0]]",
    ]


def test_ragged_operands():
    program = """
r = tf.ragged.constant([[1], [2, 3]])
print((r + tf.constant(1)).to_list(), (tf.constant(1) + r).to_list(), (tf.constant(2) * r).to_list())
class Odd:
    def __radd__(self, other): return "odd"
print(tf.constant(1) + Odd())
"""
    assert run("all", program) == ["[[2], [3, 4]] [[2], [3, 4]] [[2], [4, 6]]", "odd"]


def test_saved_models(tmp_path):
    """Weak tensors in signatures and constants of functions are there again, also those that TensorFlow saves (same names)."""
    program = f"""
class M(tf.Module):
    @tf.function
    def __call__(self, x): return x + 1.5
    @tf.function(input_signature=[])
    def one(self): return tf.constant(1)
m = M()
m(tf.constant(1)), m(tf.constant(1, tf.int32))
tf.saved_model.save(m, {str(tmp_path)!r})
m = tf.saved_model.load({str(tmp_path)!r})
print(m(tf.constant(1)), m(tf.constant(1, tf.int32)), m.one())
from sluice.core import structured_values, type_spec
print(all(structured_values._class_of(structured_values._EXTENSION, f"tf.{{k}}WeakTensor.Spec") is type(type_spec.type_spec_from_value(tf.constant(1)))
          for k in ("Eager", "Graph")))
"""
    assert run("all", program) == [
        "tf.Tensor(2.5, shape=(), dtype=float32, weak=True) tf.Tensor(2.5, shape=(), dtype=float64, weak=True) "
        "tf.Tensor(1, shape=(), dtype=int32, weak=True)",
        "True",
    ]
    assert b"tf.EagerWeakTensor.Spec" in (tmp_path / "saved_model.pb").read_bytes()


def test_modes_take_each_others_place():
    program = """
use = tf.experimental.numpy.experimental_enable_numpy_behavior
weak = tf.constant(2)
print(tf.constant(1) + 1.5)
use(dtype_conversion_mode="legacy")
print(tf.constant(1) + 1.5)
use(dtype_conversion_mode="off")
try: tf.constant(1) + 1.5
except tf.errors.InvalidArgumentError: print("off")
print(weak + 1, 3 * weak, -weak, tf.abs(weak))
use(dtype_conversion_mode="safe")
print(tf.constant(1) + 1.5)
try: use(dtype_conversion_mode="foo")
except ValueError as e: print(e)
"""
    assert run("all", program) == [
        "tf.Tensor(2.5, shape=(), dtype=float32, weak=True)",
        "tf.Tensor(2.5, shape=(), dtype=float64)",
        "off",
        "tf.Tensor(3, shape=(), dtype=int32) tf.Tensor(6, shape=(), dtype=int32) tf.Tensor(-2, shape=(), dtype=int32) "
        "tf.Tensor(2, shape=(), dtype=int32)",
        "tf.Tensor(2.5, shape=(), dtype=float32, weak=True)",
        "The provided promotion mode foo does not exist. Make sure the provided dtype conversion mode is one of the followings: "
        "'off', 'legacy', 'safe' or 'all'.",
    ]
