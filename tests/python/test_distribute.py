"""Strategies, servers and clusters. Those of several devices run in a process that has them: distribute_cases.py."""

import functools
import json
import os
import re
import subprocess
import sys

import pytest
from distribute_cases import CASES

import sluice as tf

v1 = tf.compat.v1
HERE = os.path.dirname(os.path.abspath(__file__))


@functools.cache
def outcomes(folder):
    out = os.path.join(folder, "out.json")
    command = [sys.executable, os.path.join(HERE, "distribute_cases.py"), out]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    with open(out) as file:
        return json.load(file)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return str(tmp_path_factory.mktemp("cases"))


@pytest.mark.once
@pytest.mark.parametrize("name", [case.__name__ for case in CASES])
def test_mirrored(name, folder):
    assert outcomes(folder)[name] is None, outcomes(folder)[name]


def test_one_device():
    strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
    with strategy.scope():
        v = tf.Variable(2.0)
        assert not tf.__internal__.distribute.strategy_supports_no_merge_call()
    assert float(strategy.run(lambda x: v * x, args=(3.0,))) == 6.0
    assert float(strategy.reduce("SUM", tf.constant([1.0, 2.0]), axis=0)) == 3.0
    assert strategy.experimental_local_results(3) == (3,)


def test_one_worker_of_several_devices(monkeypatch):
    monkeypatch.delenv("TF_CONFIG", raising=False)
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    assert strategy.num_replicas_in_sync == 1 and strategy.cluster_resolver.task_type is None
    with strategy.scope():
        v = tf.Variable(2.0)
    assert float(strategy.run(lambda: tf.distribute.get_replica_context().all_reduce("SUM", v * 2.0))) == 4.0


def test_workers_know_their_place():
    resolver = tf.distribute.cluster_resolver.SimpleClusterResolver
    for cluster, task, part in (
        ({"ps": ["a:1"]}, {}, "needs a job `worker` or `chief`"),
        ({"worker": ["a:1", "b:1"], "ps": ["c:1"]}, {"task_type": "ps", "task_id": 0}, "neither `chief` nor `worker`"),
        ({"worker": ["a:1", "b:1"]}, {"task_type": "worker", "task_id": 2}, "is no worker of"),
    ):
        with pytest.raises(ValueError, match=part):
            tf.distribute.MultiWorkerMirroredStrategy(resolver(tf.train.ClusterSpec(cluster), **task))


def test_central_storage_on_one_device():
    made = tf.distribute.experimental.CentralStorageStrategy()
    with made.scope():
        v = tf.Variable(2.0)
    assert made.num_replicas_in_sync == 1 and made.run(lambda: v.assign_add(1.0)).numpy() == 3
    for devices in ((["CPU:0", "CPU:1"], "CPU:0"), (["CPU:0"], "CPU:1")):
        with pytest.raises(NotImplementedError, match="tf.distribute.experimental.CentralStorageStrategy"):
            tf.distribute.experimental.CentralStorageStrategy(*devices)


# ---- servers


@pytest.fixture
def server():
    try:
        return tf.distribute.Server.create_local_server()
    except tf.errors.FailedPreconditionError as error:  # a build without connections
        pytest.skip(str(error).partition("\n")[0])


def test_sessions_of_a_server_share_variables_until_it_is_reset(server):
    assert server.target.startswith("grpc://") and server.server_def.job_name == "localhost"
    server.start()
    with tf.Graph().as_default():
        a = v1.Variable(1.0, name="a")
        with v1.container("apart"):
            b = v1.Variable(2.0, name="b")
        first, second = v1.Session(server.target), v1.Session(server.target)
        first.run(v1.global_variables_initializer())
        assert second.run(a) == 1.0
        assert second.list_devices()[0].name == "/job:localhost/replica:0/task:0/device:CPU:0"
        v1.Session.reset(server.target, ["apart"])
        with pytest.raises(tf.errors.AbortedError):
            second.run(a)
        third = v1.Session(server.target)
        assert third.run(a) == 1.0
        with pytest.raises(tf.errors.FailedPreconditionError):
            third.run(b)


def test_graphs_of_a_server_share_variables_by_name(server):
    def graph():
        made = tf.Graph()
        with made.as_default():
            return made, v1.Variable(1.0, name="shared", use_resource=True)

    (one, v), (other, w) = graph(), graph()
    with v1.Session(server.target, graph=one) as session:
        session.run(v.initializer)
        with one.as_default():
            session.run(v.assign(5.0))
    with v1.Session(server.target, graph=other) as session:
        assert session.run(w) == 5.0


def test_iterators_outlive_the_session_that_made_them(server):
    """Their functions, threads and devices stay as long."""
    with tf.Graph().as_default():
        elements = v1.data.Dataset.range(4).map(lambda x: x + 1)
        iterator = v1.data.make_initializable_iterator(elements, shared_name="shared")
        taken = iterator.get_next()
        with v1.Session(server.target) as session:
            session.run(iterator.initializer)
            assert [session.run(taken) for _ in range(2)] == [1, 2]
        with v1.Session(server.target) as session:
            assert [session.run(taken) for _ in range(2)] == [3, 4]
            with pytest.raises(tf.errors.OutOfRangeError):
                session.run(taken)


def test_what_no_server_is():
    with pytest.raises(ValueError, match="task_index"):
        tf.distribute.Server({"worker": ["a:1", "b:1"]})
    with pytest.raises(ValueError, match="job_name"):
        tf.distribute.Server({"worker": ["a:1"], "ps": ["b:1"]})
    with pytest.raises(tf.errors.NotFoundError, match="No session factory"):
        v1.Session("nowhere://x")


_TASK = """
import sys
import sluice as tf
cluster, task = eval(sys.argv[1]), int(sys.argv[2])
server = tf.distribute.Server(cluster, job_name="worker", task_index=task)
print(server.target, flush=True)
sys.stdin.read()
"""


def test_a_cluster_of_two_processes(server):
    """Ports are those that servers of one task were given: another process may take them in between, and then it skips."""
    import socket

    held = [socket.socket() for _ in range(2)]
    for s in held:
        s.bind(("127.0.0.1", 0))
    cluster = {"worker": [f"127.0.0.1:{s.getsockname()[1]}" for s in held]}
    for s in held:
        s.close()
    tasks = [
        subprocess.Popen(
            [sys.executable, "-c", _TASK, repr(cluster), str(i)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for i in range(2)
    ]
    try:
        targets = [t.stdout.readline().strip() for t in tasks]
        if not all(targets):
            pytest.skip("a port was taken")
        with tf.Graph().as_default():
            with tf.device("/job:worker/task:1"):
                v = v1.Variable([1.0, 2.0], use_resource=True)
            with tf.device("/job:worker/task:0"):
                y = v * 3.0
            with v1.Session(targets[0]) as session:
                session.run(v.initializer)
                assert session.run(y).tolist() == [3.0, 6.0]
                assert sorted(d.name[-23:] for d in session.list_devices())[0].endswith("task:0/device:CPU:0")
            with v1.Session(targets[1]) as session:
                assert session.run(v).tolist() == [1.0, 2.0]
    finally:
        for t in tasks:
            t.stdin.close()
            t.wait()
            t.stdout.close()


# ---- clusters


def test_cluster_specs():
    spec = tf.train.ClusterSpec({"ps": ["a:1"], "worker": {0: "b:1", 2: "c:1"}})
    assert spec.as_dict() == {"ps": ["a:1"], "worker": {0: "b:1", 2: "c:1"}}
    assert sorted(spec.jobs) == ["ps", "worker"] and bool(spec) and not tf.train.ClusterSpec({})
    assert spec.num_tasks("worker") == 2 and spec.task_indices("worker") == [0, 2]
    assert spec.task_address("worker", 2) == "c:1" and spec.job_tasks("worker") == ["b:1", None, "c:1"]
    assert tf.train.ClusterSpec(spec.as_cluster_def()) == spec == tf.train.ClusterSpec(spec)
    assert spec != tf.train.ClusterSpec({"ps": ["a:1"]})
    with pytest.raises(ValueError, match="No such job"):
        spec.num_tasks("chief")
    with pytest.raises(ValueError, match="No task with index"):
        spec.task_address("worker", 1)
    with pytest.raises(TypeError):
        tf.train.ClusterSpec(["a:1"])


def test_cluster_resolvers(monkeypatch):
    resolvers = tf.distribute.cluster_resolver
    config = {"cluster": {"worker": ["a:1", "b:1"]}, "task": {"type": "worker", "index": 1}}
    monkeypatch.setenv("TF_CONFIG", json.dumps(config))
    from_config = resolvers.TFConfigClusterResolver()
    assert (from_config.task_type, from_config.task_id) == ("worker", 1)
    assert from_config.master(rpc_layer="grpc") == "grpc://b:1"
    assert from_config.cluster_spec().as_dict() == {"worker": ["a:1", "b:1"]}
    simple = resolvers.SimpleClusterResolver(tf.train.ClusterSpec({"ps": ["c:1"]}), rpc_layer="grpc")
    assert simple.master("ps", 0) == "grpc://c:1" and simple.master() == ""
    both = resolvers.UnionResolver(from_config, simple)
    assert both.cluster_spec().as_dict() == {"worker": ["a:1", "b:1"], "ps": ["c:1"]}
    monkeypatch.setenv("TF_CONFIG", "{")
    with pytest.raises(ValueError):
        from_config.cluster_spec()


# ---- Slurm


SLURM = {
    "SLURM_PROCID": "3",
    "SLURM_STEP_NUM_TASKS": "5",
    "SLURM_STEP_TASKS_PER_NODE": "2(x2),1",
    "SLURM_STEP_NODELIST": "t02n[08-09,41]",
}


def slurm(monkeypatch, changes=(), **options):
    for name, value in {**SLURM, **dict(changes)}.items():
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value)
    return tf.distribute.cluster_resolver.SlurmClusterResolver(**options)


def test_slurm_tells_the_tasks_of_a_step(monkeypatch):
    found = slurm(monkeypatch)
    tasks = ["t02n08:8888", "t02n08:8889", "t02n09:8888", "t02n09:8889", "t02n41:8888"]
    assert found.cluster_spec().as_dict() == {"worker": tasks} and found.get_task_info() == ("worker", 3)
    assert found.master() == "grpc://t02n09:8889" and found.master("worker", 0, rpc_layer="x") == "x://t02n08:8888"
    found = slurm(monkeypatch, {"SLURM_STEP_NODELIST": "a1,b[2-3]c"}, jobs={"ps": 1, "worker": 4}, port_base=7)
    assert found.cluster_spec().as_dict() == {"ps": ["a1:7"], "worker": ["a1:8", "b2c:7", "b2c:8", "b3c:7"]}
    assert (found.task_type, found.task_id) == ("worker", 2)


@pytest.mark.parametrize(
    ("changes", "options", "kind", "text"),
    [
        *(({name: None}, {}, RuntimeError, f"{name} not found in environment") for name in SLURM),
        ({}, {"jobs": {"worker": 3}}, RuntimeError, "Requested 3 tasks but only 5 were assigned."),
        ({"SLURM_STEP_NODELIST": "h[1-"}, {}, ValueError, "Invalid hostlist format"),
        ({"SLURM_STEP_NODELIST": "h[1-x]"}, {}, ValueError, "Invalid hostlist format"),
        ({"SLURM_STEP_NODELIST": ""}, {}, ValueError, "Invalid hostlist format"),
        ({"SLURM_STEP_TASKS_PER_NODE": "two"}, {}, ValueError, "Invalid tasks-per-node format"),
    ],
)
def test_slurm_steps_that_make_no_sense(monkeypatch, changes, options, kind, text):
    with pytest.raises(kind, match=re.escape(text)):
        slurm(monkeypatch, changes, **options)
