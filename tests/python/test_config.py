"""tf.config, tf.compat, logs and versions. What is set before the first op is in a process of its own."""

import subprocess
import sys

import pytest

import sluice as tf


def test_the_machine_has_a_cpu():
    (cpu,) = tf.config.list_physical_devices("CPU")
    assert (cpu.name, cpu.device_type) == ("/physical_device:CPU:0", "CPU")
    assert cpu in tf.config.get_visible_devices() and tf.config.list_physical_devices("TPU") == []


def test_several_cpus_before_the_first_op():
    program = """
import sluice as tf
cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
assert [d.name for d in tf.config.list_logical_devices("CPU")] == ["/device:CPU:0", "/device:CPU:1"]
with tf.device("CPU:1"):
    assert (tf.constant(1) + 1).device.endswith("CPU:1")
try:
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()])
except RuntimeError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "Virtual devices cannot be modified after being initialized\n", done.stderr


def test_threads_are_said_before_the_first_op():
    tf.constant(1) + 1  # an op has run
    assert tf.config.threading.get_inter_op_parallelism_threads() == 0
    with pytest.raises(RuntimeError, match="cannot be modified after initialization"):
        tf.config.threading.set_inter_op_parallelism_threads(2)


def test_options_of_the_optimizer():
    tf.config.optimizer.set_experimental_options({"constant_folding": False, "nonsense": True})
    assert tf.config.optimizer.get_experimental_options()["constant_folding"] is False
    assert "nonsense" not in tf.config.optimizer.get_experimental_options()
    tf.config.optimizer.set_jit(True)
    assert tf.config.optimizer.get_jit() == "autoclustering"
    tf.config.optimizer.set_jit(False)


def test_texts_and_bytes():
    assert tf.compat.as_bytes("ä") == b"\xc3\xa4" and tf.compat.as_text(b"\xc3\xa4") == "ä"
    assert tf.compat.as_str_any(3) == "3" and tf.compat.dimension_value(3) == 3
    with pytest.raises(TypeError, match="Expected binary or unicode string, got 3"):
        tf.compat.as_bytes(3)


def test_the_version_is_that_of_the_interface():
    assert tf.version.VERSION.split(".")[0] == "2" and tf.compat.v1.VERSION == tf.version.VERSION
    assert tf.sysconfig.get_build_info()["is_cuda_build"] is False


def test_logs_of_every_third_time(caplog):
    logging = tf.compat.v1.logging
    before = logging.get_verbosity()
    logging.set_verbosity(logging.INFO)
    for i in range(7):
        logging.log_every_n(logging.INFO, "at %d", 3, i)
    logging.set_verbosity(before)
    assert [r.getMessage() for r in caplog.records] == ["at 0", "at 3", "at 6"]
