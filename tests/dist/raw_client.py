"""A client of `sluice serve` in bare frames, and what is needed to start one: HTTP/2, gRPC and protobuf by hand.

Headers that the server sends are passed over: a call has gone well when its message has come and its stream has ended.
"""
import os
import re
import signal
import socket
import subprocess
import threading
import time

PATIENCE = 120  # seconds until something that has to come is missed
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
END_STREAM = ACK = 1
END_HEADERS = 4
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
LARGEST_WINDOW = (1 << 31) - 1


class Failed(Exception):
    """A call that the server has ended without a message."""


# ---- bytes


def frame(kind, flags, stream, data=b""):
    return len(data).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + data


def setting(number, value):
    return number.to_bytes(2, "big") + value.to_bytes(4, "big")


def header(name, value):
    """A literal of HPACK, not indexed, of at most 126 bytes each."""
    return b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value


def call_headers(path, *more):
    pairs = [(b":method", b"POST"), (b":scheme", b"http"), (b":path", path), (b":authority", b"localhost"), (b"te", b"trailers"),
             (b"content-type", b"application/grpc"), *more]  # fmt: skip
    return b"".join(header(*pair) for pair in pairs)


def message(data):
    return b"\0" + len(data).to_bytes(4, "big") + data


def varint(n):
    n &= (1 << 64) - 1
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def field(number, value):
    """A field of a message: a number, or bytes, text or a message."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


# ---- messages of TensorFlow

INT64, FLOAT, RESOURCE = 9, 1, 20


def attr(name, value):
    return field(5, field(1, name) + field(2, value))


def of_type(dtype):
    return field(6, dtype)


def of_shape(*dims):
    return field(7, b"".join(field(2, field(1, d)) for d in dims))


def node(name, op, inputs=(), attrs=b""):
    return field(1, field(1, name) + field(2, op) + b"".join(field(3, i) for i in inputs) + attrs)


def constant(name, dtype, content, *dims):
    tensor = field(1, dtype) + field(2, b"".join(field(2, field(1, d)) for d in dims)) + field(4, content)
    return node(name, "Const", attrs=attr("dtype", of_type(dtype)) + attr("value", field(8, tensor)))


def counter_graph(elements):
    """ "zero" sets a counter that all clients of the server share, "add" adds one to it; "count:0" reads it; "large:0" are so many
    floats; "wait" never ends by itself."""
    shared = attr("dtype", of_type(INT64)) + attr("shape", of_shape()) + attr("shared_name", field(2, "counter"))
    typed = attr("dtype", of_type(INT64))
    queue = attr("component_types", field(1, field(6, bytes([FLOAT])))) + attr("shared_name", field(2, "never"))
    return b"".join([
        constant("none", INT64, (0).to_bytes(8, "little")), constant("one", INT64, (1).to_bytes(8, "little")),
        node("counter", "VarHandleOp", attrs=shared), node("zero", "AssignVariableOp", ["counter", "none"], typed),
        node("add", "AssignAddVariableOp", ["counter", "one"], typed), node("count", "ReadVariableOp", ["counter"], typed),
        constant("dims", 3, elements.to_bytes(4, "little"), 1), constant("value", FLOAT, b"\0\0\x80\x3f"),
        node("large", "Fill", ["dims", "value"], attr("T", of_type(FLOAT)) + attr("index_type", of_type(3))),
        node("queue", "FIFOQueueV2", attrs=queue),
        node("wait", "QueueDequeueV2", ["queue"], attr("component_types", field(1, field(6, bytes([FLOAT]))))),
    ])  # fmt: skip


def run_step(session, fetches=(), targets=(), request_id=0):
    return (field(1, session) + b"".join(field(3, f) for f in fetches) + b"".join(field(4, t) for t in targets) + field(7, 1)
            + (field(8, request_id) if request_id else b""))  # fmt: skip


def first_field(data, number):
    """The bytes of a field, or its number; None when it is not there."""
    at = 0

    def take():
        nonlocal at
        n = shift = 0
        while True:
            byte = data[at]
            at += 1
            n |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return n

    while at < len(data):
        key = take()
        size = take()
        value = size
        if key & 7 == 2:
            value = data[at : at + size]
            at += size
        if key >> 3 == number:
            return value
    return None


MASTER, WORKER = b"/tensorflow.MasterService/", b"/tensorflow.WorkerService/"


# ---- connections


class Connection:
    """One that behaves. Not for several threads."""

    def __init__(self, port, window=LARGEST_WINDOW):
        self.port = port
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.stream, self.come = 1, b""
        self.socket.sendall(PREFACE + frame(SETTINGS, 0, 0, setting(4, window)))
        if window == LARGEST_WINDOW:
            self.socket.sendall(frame(WINDOW_UPDATE, 0, 0, (LARGEST_WINDOW - 65535).to_bytes(4, "big")))

    def close(self):
        self.socket.close()

    def read(self, n):
        while len(self.come) < n:
            more = self.socket.recv(1 << 18)
            if not more:
                raise Failed("the server has closed the connection")
            self.come += more
        part, self.come = self.come[:n], self.come[n:]
        return part

    def begin(self, path, data, flags=END_STREAM):
        """Sends a call; returns its stream."""
        stream, self.stream = self.stream, self.stream + 2
        body, parts = message(data), [frame(HEADERS, END_HEADERS, stream, call_headers(path))]
        for at in range(0, len(body), 16384):
            is_last = at + 16384 >= len(body)
            parts.append(frame(DATA, flags if is_last else 0, stream, body[at : at + 16384]))
        self.socket.sendall(b"".join(parts))
        return stream

    def end(self, stream):
        """Waits for the answer."""
        return self.end_all([stream])[0]

    def end_all(self, streams):
        """The answers to several calls, whose order is free."""
        bodies, left = {stream: b"" for stream in streams}, set(streams)
        while left:
            head = self.read(9)
            data = self.read(int.from_bytes(head[:3], "big"))
            kind, flags, of = head[3], head[4], int.from_bytes(head[5:], "big")
            if kind == SETTINGS and not flags & ACK:
                self.socket.sendall(frame(SETTINGS, ACK, 0))
            elif kind == PING and not flags & ACK:
                self.socket.sendall(frame(PING, ACK, 0, data))
            elif kind == GOAWAY:
                raise Failed("GOAWAY")
            elif of in left:
                if kind == RST_STREAM:
                    raise Failed("RST_STREAM")
                bodies[of] += data if kind == DATA else b""
                if kind in (DATA, HEADERS) and flags & END_STREAM:
                    left.remove(of)
        for body in bodies.values():
            if len(body) < 5 or len(body) != 5 + int.from_bytes(body[1:5], "big"):
                raise Failed("the call has failed")
        return [bodies[stream][5:] for stream in streams]

    def call(self, path, data):
        return self.end(self.begin(path, data))

    # ---- sessions

    def open_session(self, graph):
        return first_field(self.call(MASTER + b"CreateSession", field(1, graph)), 1).decode()

    def step(self, session, fetches=(), targets=(), request_id=0):
        """What came, as tensor_content by place; raises Failed."""
        answer = self.call(MASTER + b"RunStep", run_step(session, fetches, targets, request_id))
        if first_field(answer, 3):
            raise Failed(first_field(answer, 4).decode())
        return first_field(first_field(first_field(answer, 1), 2), 4) if fetches else None

    def count(self, session):
        return int.from_bytes(self.step(session, ["count:0"]) or bytes(8), "little")


# ---- servers


class Server:
    def __init__(self, command, *options):
        self.process = subprocess.Popen([command, "serve", "--cluster", "worker=127.0.0.1:0", *options], stdout=subprocess.PIPE,
                                        universal_newlines=True)  # fmt: skip
        self.lines, self.changed = [], threading.Condition()
        self.reader = threading.Thread(target=self.read)
        self.reader.start()
        self.port = int(re.search(r":(\d+)", self.wait_for("listens").split("listens")[1]).group(1))

    def read(self):
        for line in self.process.stdout:
            with self.changed:
                self.lines.append(line.rstrip("\n"))
                self.changed.notify_all()

    def wait_for(self, word, n=1):
        """The n-th line with the word."""
        with self.changed:
            found = self.changed.wait_for(lambda: len([line for line in self.lines if word in line]) >= n, PATIENCE)
            if not found:
                raise SystemExit(f"the server has not said '{word}': {self.lines[-3:]}")
            return [line for line in self.lines if word in line][n - 1]

    def state(self):
        """What it says at SIGHUP."""
        with self.changed:
            n = len([line for line in self.lines if " state " in line])
        self.process.send_signal(signal.SIGHUP)
        return {name: int(number) for name, number in re.findall(r"(\w+) (\d+)(?:,|$)", self.wait_for(" state ", n + 1))}

    def wait_for_peace(self):
        """Until nothing of clients that have gone is left, but for one connection; what is left after a while."""
        end = time.monotonic() + 30
        while True:
            state = self.state()
            if (state["connections"] <= 1 and state["calls"] == 0 and state["steps"] == 0) or time.monotonic() > end:
                return state
            time.sleep(0.2)

    def memory(self, name="VmRSS"):
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith(name + ":")) * 1024

    def threads(self):
        return len(os.listdir(f"/proc/{self.process.pid}/task"))

    def end(self):
        """The exit status."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(PATIENCE)
        finally:
            if self.process.poll() is None:
                self.process.kill()
            self.reader.join()
            self.process.stdout.close()


def repeat(seconds, what, pause=0.0):
    """Does it again and again for a while; connections may be closed meanwhile."""
    end, done = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        try:
            what()
            done += 1
        except (OSError, Failed):
            pass
        time.sleep(pause)
    return done


def seconds_of(name, otherwise):
    return float(os.environ.get(name, otherwise))
