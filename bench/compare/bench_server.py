#!/usr/bin/env python3
"""What a server of a cluster costs: bench_server.py MODULE BUILD prints name, least and median of each case.

MODULE is sluice or tensorflow: whose server two tasks run. The clients are the same: BUILD/bench/bench_steps, which sends bare
frames, and TensorFlow's Python client. Nanoseconds, but for the rows that end in ", bytes" and ", threads"; rows that end in
", p99" have the 99th percentile in place of the median.
"""

import os
import pathlib
import socket
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

MODULE, BUILD = sys.argv[1], pathlib.Path(sys.argv[2])
MB = 1 << 20
STARTS = 5 if MODULE == "sluice" else 2
PATIENCE = 60
SERVER = """
import sys, tensorflow as tf
tf.distribute.Server({"worker": sys.argv[2:]}, "worker", int(sys.argv[1])).join()
"""


def say(name, times):
    print(name, min(times), statistics.median(times), sep="\t", flush=True)
    if len(times) >= 1000:
        print(name + ", p99", min(times), sorted(times)[len(times) // 100 * 99], sep="\t", flush=True)


def free_ports(n):
    sockets = [socket.socket() for _ in range(n)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def ask_status(port):
    """GetStatus as bare frames; whether an answer has come. Raises OSError while nobody listens."""

    def frame(kind, flags, stream, data=b""):
        return len(data).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + data

    def header(name, value):
        return b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value

    headers = b"".join(header(*pair) for pair in (
        (b":method", b"POST"), (b":scheme", b"http"), (b":path", b"/tensorflow.WorkerService/GetStatus"), (b":authority", b"localhost"),
        (b"te", b"trailers"), (b"content-type", b"application/grpc")))  # fmt: skip
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as s:
        s.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0) + frame(1, 4, 1, headers) + frame(0, 1, 1, b"\0" * 5))
        said = b""
        while b"DeviceAttributes" not in said and b"/device:CPU:0" not in said:
            more = s.recv(65536)
            if not more:
                return False
            said += more
    return True


class Task:
    """A server, from its start until it has answered its first call."""

    def __init__(self, index, ports):
        addresses = [f"127.0.0.1:{port}" for port in ports]
        if MODULE == "sluice":
            command = [str(BUILD / "bin" / "sluice"), "serve", "--cluster", "worker=" + ",".join(addresses), "--task", str(index),
                       "--listen", f"0.0.0.0:{ports[index]}"]  # fmt: skip
        else:
            command = [sys.executable, "-c", SERVER, str(index), *addresses]
        begin = time.perf_counter_ns()
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + PATIENCE
        while True:
            try:
                if ask_status(ports[index]):
                    break
            except OSError:
                pass
            if self.process.poll() is not None or time.monotonic() > end:
                raise SystemExit("the server has not started")
            time.sleep(0.0002)
        self.start_ns = time.perf_counter_ns() - begin

    def status(self, name):
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith(name + ":"))

    def end(self):
        self.process.kill()
        self.process.wait()


def make_graph(tf):
    """What bench_steps knows by name."""
    v1 = tf.compat.v1
    graph = tf.Graph()
    with graph.as_default():
        with tf.device("/job:worker/task:0"):
            tf.no_op("nothing")
            fed = v1.placeholder(tf.float32, [None], "fed")
            with tf.control_dependencies([fed]):
                tf.no_op("took")
        kept = []
        for task in (0, 1):
            with tf.device(f"/job:worker/task:{task}"):
                handle = tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[100 * MB // 4], shared_name=f"kept{task}")
                kept.append(tf.raw_ops.AssignVariableOp(resource=handle, value=tf.fill([100 * MB // 4], 1.0)))
                read = tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.float32, name="large" if task == 0 else "far")
        with tf.device("/job:worker/task:0"):
            tf.group(*kept, name="made")
            tf.identity(read, "moved")
    return graph


def timed(call, n, warm):
    times = []
    for i in range(warm + n):
        begin = time.perf_counter_ns()
        call()
        if i >= warm:
            times.append(time.perf_counter_ns() - begin)
    return times


def by_python(tf, graph, port):
    op, tensor = graph.get_operation_by_name, graph.get_tensor_by_name
    fed = np.ones(100 * MB // 4, np.float32)
    with tf.compat.v1.Session(f"grpc://127.0.0.1:{port}", graph=graph) as session:
        session.run(op("made"))
        say("null step, Python client", timed(lambda: session.run(op("nothing")), 2000, 100))
        say("feed of 100 MB, Python client", timed(lambda: session.run(op("took"), {"fed:0": fed}), 7, 2))
        say("fetch of 100 MB, Python client", timed(lambda: session.run(tensor("large:0")), 7, 2))


def by_frames(*arguments):
    subprocess.run([str(BUILD / "bench" / "bench_steps"), *map(str, arguments)], check=True)


def main():
    starts, memory, threads = [], [], []
    for _ in range(STARTS):
        ports = free_ports(2)
        task = Task(0, ports)
        starts.append(task.start_ns)
        memory.append(task.status("VmRSS") * 1024)
        threads.append(task.status("Threads"))
        task.end()
    say("server start to first answer", starts)
    say("server resident, bytes", memory)
    say("server at rest, threads", threads)
    import tensorflow as tf

    graph = make_graph(tf)
    ports = free_ports(2)
    tasks = [Task(i, ports) for i in range(2)]
    try:
        with tempfile.NamedTemporaryFile() as file:
            file.write(graph.as_graph_def().SerializeToString())
            file.flush()
            by_frames(f"127.0.0.1:{ports[0]}", file.name)
            by_python(tf, graph, ports[0])
            by_frames(f"127.0.0.1:{ports[0]}", file.name, 1000)
            say("server after 1,000 clients, threads", [tasks[0].status("Threads")])
            say("server after all that, most resident, bytes", [tasks[0].status("VmHWM") * 1024])
    finally:
        for task in tasks:
            task.end()


if __name__ == "__main__":
    main()
