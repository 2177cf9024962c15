#!/usr/bin/env python3
"""What several processes cost together: bench_cluster.py MODULE BUILD prints name, least and median of each case, in nanoseconds.

MODULE is sluice or tensorflow. Loops over tasks: servers of the module, and TensorFlow's Python client. Sums over workers
(MultiWorkerMirroredStrategy) and steps by parameter servers (ParameterServerStrategy) are programs of the module, in processes
of their own.
"""

import json
import os
import pathlib
import subprocess
import sys
import time

from bench_server import MODULE, Task, free_ports, say

BUILD = pathlib.Path(sys.argv[2])
TURNS, PATIENCE = 1000, 300
SIZES = {"1 kB": 256, "100 kB": 25600, "10 MB": 2621440, "100 MB": 26214400}  # of floats


# ---- loops, each turn of which is at every task


def loop(tf, n):
    v1 = tf.compat.v1
    graph = tf.Graph()
    with graph.as_default(), tf.device("/job:worker/task:0"):
        turns = v1.placeholder(tf.int32, [], "turns")

        def body(i, x):
            for task in range(n):
                with tf.device(f"/job:worker/task:{task}"):
                    x = x + 1.0
            return i + 1, x

        out = tf.identity(v1.while_loop(lambda i, x: i < turns, body, [tf.constant(0), tf.constant(0.0)])[1], "out")
    return graph, out


def loops(n):
    import tensorflow as tf

    tf.compat.v1.disable_control_flow_v2()
    graph, out = loop(tf, n)
    ports = free_ports(n)
    tasks = [Task(i, ports) for i in range(n)]
    try:
        with tf.compat.v1.Session(f"grpc://127.0.0.1:{ports[0]}", graph=graph) as session:

            def run(turns):
                begin = time.perf_counter_ns()
                assert session.run(out, {"turns:0": turns}) == turns * n
                return time.perf_counter_ns() - begin

            run(10)
            alone = min(run(0) for _ in range(20))
            say(f"turn of a loop over {n} tasks", [(run(TURNS) - alone) / TURNS for _ in range(7)])
    finally:
        for task in tasks:
            task.end()


# ---- programs of several processes: this file, with the task in TF_CONFIG


def module():
    if MODULE == "sluice":
        import sluice as tf
    else:
        import tensorflow as tf
    return tf


def timed(call, n):
    times = []
    for _ in range(n):
        begin = time.perf_counter_ns()
        call()
        times.append(time.perf_counter_ns() - begin)
    return times


def sums():
    tf = module()
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    n = strategy.num_replicas_in_sync
    for name, elements in SIZES.items():
        if n * elements > 1 << 26:
            continue
        value = tf.ones([elements])

        @tf.function
        def step(value=value):
            return strategy.run(lambda: tf.distribute.get_replica_context().all_reduce("SUM", tf.identity(value)))

        for _ in range(3):
            step()
        times = timed(step, 200 if elements < 100000 else 15)
        assert float(tf.reshape(strategy.experimental_local_results(step())[0], [-1])[-1]) == n
        if strategy.cluster_resolver.task_id == 0:
            say(f"sum of {name} over {n} processes", times)


def coordinator():
    tf = module()
    resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    strategy = tf.distribute.ParameterServerStrategy(resolver)
    asks = tf.distribute.coordinator.ClusterCoordinator(strategy)
    with strategy.scope():
        w, b = tf.Variable(tf.zeros([100, 10])), tf.Variable(tf.zeros([10]))

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((x @ w + b) ** 2)
        for v, g in zip((w, b), tape.gradient(loss, [w, b])):
            v.assign_sub(0.1 * g)
        return loss

    x = tf.ones([32, 100])

    def round_of(n):
        for _ in range(n):
            asks.schedule(step, args=(x,))
        asks.join()

    round_of(20)
    n = resolver.cluster_spec().num_tasks("worker")
    say(f"step of {n} workers, 2 parameter servers", [t / 200 for t in timed(lambda: round_of(200), 7)])


def serve():
    tf = module()
    task = json.loads(os.environ["TF_CONFIG"])
    server = tf.distribute.Server(task["cluster"], job_name=task["task"]["type"], task_index=task["task"]["index"])
    sys.stdin.read()
    del server


def processes(jobs, program):
    """A process for each task; those of the first job run the program, the others a server until the first have ended."""
    ports = iter(free_ports(sum(jobs.values())))
    cluster = {job: [f"127.0.0.1:{next(ports)}" for _ in range(n)] for job, n in jobs.items()}
    first, started = next(iter(jobs)), []
    try:
        for job, n in jobs.items():
            for i in range(n):
                config = json.dumps({"cluster": cluster, "task": {"type": job, "index": i}})
                what = program if job == first else "serve"
                started.append(subprocess.Popen([sys.executable, __file__, MODULE, str(BUILD), what], stdin=subprocess.PIPE,
                                                env={**os.environ, "TF_CONFIG": config}))  # fmt: skip
        for process in started[: jobs[first]]:
            if process.wait(PATIENCE):
                raise SystemExit(f"{program} has failed")
    finally:
        for process in started:
            process.kill()
            process.wait()


def main():
    for n in (2, 4):
        loops(n)
    for n in (2, 4):
        processes({"worker": n}, "sums")
    for n in (1, 2):
        processes({"chief": 1, "worker": n, "ps": 2}, "coordinator")


if __name__ == "__main__":
    {"sums": sums, "coordinator": coordinator, "serve": serve}[sys.argv[3]]() if len(sys.argv) > 3 else main()
