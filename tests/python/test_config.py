"""tf.config, tf.compat, logs and versions. What is set before the first op is in a process of its own."""

import subprocess
import sys

import numpy as np
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


def test_sessions_without_a_config_have_what_was_told():
    program = """
import sluice as tf
cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
g = tf.Graph()
with g.as_default():
    with tf.device("CPU:1"):
        there = tf.constant(1.0) + 2
    with tf.device("CPU:7"):
        nowhere = tf.constant(1.0) + 3
def run(x, config=None):
    with tf.compat.v1.Session(graph=g, config=config) as s:
        return len(s.list_devices()), s.run(x)
tf.config.set_soft_device_placement(True)
print(run(there), run(nowhere), run(there, tf.compat.v1.ConfigProto(allow_soft_placement=True))[0])
tf.config.set_soft_device_placement(False)
try:
    run(nowhere)
except tf.errors.InvalidArgumentError as error:
    print("CPU:7" in error.message)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "(2, np.float32(3.0)) (2, np.float32(4.0)) 1\nTrue\n", done.stderr


def test_devices_of_a_context_that_begins_anew():
    program = """
import sluice as tf
from sluice.internal import contexts
cpu = tf.config.list_physical_devices("CPU")[0]
v, before = tf.Variable(1.0), tf.constant([1.0])
contexts._reset_context()
assert float(v + before) == 2 and len(tf.config.list_logical_devices("CPU")) == 1
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
with strategy.scope():
    w = tf.Variable(3.0)
assert [float(x) for x in strategy.run(lambda: w + before).values] == [4, 4]
assert tf.function(lambda x: x * 2)(before).numpy() == 2
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


def test_products_of_bfloat16_are_asked_for():
    name = "auto_mixed_precision_onednn_bfloat16"
    a, b = (tf.constant(np.random.default_rng(i).random((64, 64), np.float32)) for i in (1, 2))
    exact = np.matmul(a.numpy().astype("f8"), b.numpy())
    plain = tf.matmul(a, b).numpy()
    assert name not in tf.config.optimizer.get_experimental_options() and np.abs(plain - exact).max() < 1e-4
    try:
        tf.config.optimizer.set_experimental_options({name: True})
        assert tf.config.optimizer.get_experimental_options()[name] is True
        assert np.abs(tf.matmul(a, b).numpy() - exact).max() < 0.1  # of sums of about 16
    finally:
        tf.config.optimizer.set_experimental_options({name: False})
    assert (tf.matmul(a, b).numpy() == plain).all()


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


_CONNECTED = """
import sluice as tf

server = tf.distribute.Server({"worker": ["localhost:0"]}, job_name="worker", task_index=0)
tf.config.experimental_connect_to_host(server.target)
names = [d.name for d in tf.config.list_logical_devices()]
assert names == ["/device:CPU:0", "/job:worker/replica:0/task:0/device:CPU:0"], names
here = tf.constant([1.0, 2.0])
with tf.device("/job:worker/task:0"):
    there = tf.constant([3.0, 4.0])
    total = here + there
    v = tf.Variable([1.0, 1.0])
    v.assign_add(total)
assert there.device == total.device == v.device == names[1], (there.device, total.device, v.device)
assert total.numpy().tolist() == [4.0, 6.0] and v.numpy().tolist() == [5.0, 7.0]
assert (here * 2).device == "/job:localhost/replica:0/task:0/device:CPU:0"


@tf.function
def f(x):
    with tf.device("/job:worker/task:0"):
        y = x * v
    return y + 1, y


a, b = f(here)
assert a.numpy().tolist() == [6.0, 15.0] and b.device == names[1], (a, b.device)
try:
    with tf.device("/job:worker/task:0"):
        tf.reshape(there, [3])
    raise SystemExit("no error")
except tf.errors.InvalidArgumentError as e:
    assert "3" in str(e)
try:
    with tf.GradientTape() as tape, tf.device("/job:worker/task:0"):
        loss = tf.reduce_sum(v * v)
    tape.gradient(loss, v)
    raise SystemExit("a gradient")
except tf.errors.UnimplementedError:
    pass
print("all is well")
"""


def test_devices_of_other_tasks():
    try:
        tf.distribute.Server.create_local_server()
    except tf.errors.FailedPreconditionError as error:  # a build without connections
        pytest.skip(str(error).partition("\n")[0])
    done = subprocess.run([sys.executable, "-c", _CONNECTED], capture_output=True, text=True, timeout=60)
    assert done.stdout == "all is well\n", done.stdout + done.stderr


def test_connecting_needs_a_cluster():
    with pytest.raises(ValueError, match="at least one remote_host"):
        tf.config.experimental_connect_to_host()
    with pytest.raises(ValueError, match="must be a `ClusterSpec`"):
        tf.config.experimental_connect_to_cluster({"worker": ["localhost:1"]})
    spec = tf.train.ClusterSpec({"worker": ["localhost:1"]})
    with pytest.raises(NotImplementedError, match="cluster_device_filters"):
        tf.config.experimental_connect_to_cluster(
            spec, cluster_device_filters=tf.config.experimental.ClusterDeviceFilters()
        )
