"""Graphs and sessions of TensorFlow 1: names, scopes, collections, feeds and fetches, variables, steps in parts, callbacks, errors."""

import collections
import threading

import numpy as np
import pytest

import sluice as tf

v1 = tf.compat.v1


@pytest.fixture
def g():
    with tf.Graph().as_default() as graph:
        yield graph


def run(fetches, feed=None, **options):
    with v1.Session(**options) as session:
        session.run(v1.global_variables_initializer())
        return session.run(fetches, feed)


# ---- names and scopes


def test_names_are_unique(g):
    names = [tf.constant(1, name="a").op.name for _ in range(3)]
    with tf.name_scope("s"):
        names.append(tf.constant(1, name="a").op.name)
    with tf.name_scope("s") as scope:
        names.append(tf.constant(1, name="a").op.name)
    with tf.name_scope(scope):
        names.append(tf.constant(1, name="a").op.name)
    names.append(tf.constant(1, name="A").op.name)
    assert names == ["a", "a_1", "a_2", "s/a", "s_1/a", "s_1/a_1", "A_3"]


def test_elements_by_name(g):
    a = tf.constant(1, name="a")
    assert g.get_tensor_by_name("a:0") is a and g.get_operation_by_name("a") is a.op and g.as_graph_element("a") is a.op
    for name, error, text in (
        ("b:0", KeyError, "The operation, 'b', does not exist in the graph"),
        ("a:1", KeyError, "exists but only has 1 outputs"),
        ("b", KeyError, "refers to an Operation not in the graph"),
        ("a:x", ValueError, "not a valid one"),
    ):
        with pytest.raises(error, match=text):
            g.as_graph_element(name)
    with tf.Graph().as_default(), pytest.raises(ValueError, match="is not an element of this graph"):
        v1.get_default_graph().as_graph_element(a)


def test_control_dependencies(g):
    a, b = tf.constant(1, name="a"), tf.constant(2, name="b")
    with tf.control_dependencies([a]):
        with tf.control_dependencies([b.op]):
            c = tf.constant(3)
            d = c + 1  # waits by way of c
        with tf.control_dependencies(None):
            e = tf.constant(4)
    assert {o.name for o in c.op.control_inputs} == {"a", "b"}
    assert d.op.control_inputs == [] and e.op.control_inputs == []


def test_devices(g):
    with tf.device("/job:w"), tf.device("/device:CPU:0"):
        a = tf.constant(1)
    with tf.device(lambda op: "/cpu:1" if op.type == "Const" else ""):
        b = tf.constant(1)
        c = tf.identity(b)
    with tf.device("/cpu:0"), tf.device(None):
        d = tf.constant(1)
    assert [t.op.device for t in (a, b, c, d)] == ["/job:w/device:CPU:0", "/device:CPU:1", "", ""]


def test_collections(g):
    v1.add_to_collection("c", 1)
    g.add_to_collections(("c", "d", "c"), 2)
    assert v1.get_collection("c") == [1, 2] and v1.get_collection("d") == [2] and v1.get_collection("none") == []
    v = v1.Variable(1.0, name="inner/v")
    assert v1.get_collection(v1.GraphKeys.GLOBAL_VARIABLES, scope="inner") == [v]


def test_a_finished_graph_stays_as_it_is(g):
    tf.constant(1)
    g.finalize()
    with pytest.raises(RuntimeError, match="Graph is finalized and cannot be modified"):
        tf.constant(2)


def test_graphs_are_imported(g):
    x = v1.placeholder(tf.float32, name="x")
    tf.multiply(x, 2.0, name="y")
    with tf.Graph().as_default():
        (y,) = tf.import_graph_def(g.as_graph_def(), {"x:0": tf.constant(4.0)}, ["y:0"], name="copy")
        assert y.name == "copy/y:0" and run(y) == 8
        with pytest.raises(ValueError, match="Attempted to map inputs that were not found in graph_def: \\[z:0\\]"):
            tf.import_graph_def(g.as_graph_def(), {"z:0": tf.constant(1.0)})


# ---- steps


def test_fetches_of_all_structures(g):
    Pair = collections.namedtuple("Pair", "left right")
    a, b = tf.constant(1.0), tf.constant([2, 3])
    made = run({"p": Pair(a, [b, a]), "op": a.op, "t": (a, "Const:0"), "none": []})
    assert type(made["p"]) is Pair and made["p"].left == 1 and made["p"].right[0].tolist() == [2, 3]
    assert made["op"] is None and made["t"] == (1, 1) and made["none"] == []


def test_composite_values_are_fed_and_fetched(g):
    sparse = v1.sparse_placeholder(tf.float32)
    dense = tf.sparse.to_dense(sparse)
    value = v1.SparseTensorValue([[0, 1]], [5.0], [1, 3])
    made, again = run([dense, sparse], {sparse: value})
    assert made.tolist() == [[0, 5, 0]] and again.values.tolist() == [5]
    slices = tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([2]), tf.constant([4, 1]))
    assert run(slices).indices.tolist() == [2]


@pytest.mark.parametrize(
    "feed, error, text",
    [
        (
            lambda x: {x: [1.0, 2.0, 3.0]},
            ValueError,
            r"Cannot feed value of shape \(3,\) for Tensor x:0, which has shape \(2,\)",
        ),
        (lambda x: {x: tf.identity(x)}, TypeError, "The value of a feed cannot be a tf.Tensor object"),
        (lambda x: {"nothing:0": 1}, TypeError, "Cannot interpret feed_dict key as Tensor"),
        (lambda x: {}, tf.errors.InvalidArgumentError, "You must feed a value for placeholder tensor 'x'"),
        (lambda x: [x], TypeError, "must be a dictionary"),
    ],
)
def test_bad_feeds(g, feed, error, text):
    x = v1.placeholder(tf.float32, [2], name="x")
    with pytest.raises(error, match=text):
        run(x * 2, feed(x))


def test_bad_fetches(g):
    tf.constant(1)
    with pytest.raises(TypeError, match="has invalid type"):
        run(None)
    with pytest.raises(TypeError, match="must be a string or Tensor"):
        run(1.5)
    with pytest.raises(ValueError, match="cannot be interpreted as a Tensor"):
        run("nothing:0")


def test_errors_name_the_operation_and_its_line(g):
    x = v1.placeholder(tf.float32, name="x")
    bad = tf.linalg.inv(x, name="bad")
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        run(bad, {x: np.zeros((2, 2))})
    assert caught.value.op is bad.op and f'File "{__file__}"' in str(caught.value)


def test_closed_and_empty_sessions(g):
    session = v1.Session()
    with pytest.raises(RuntimeError, match="The Session graph is empty"):
        session.run(tf.Graph())
    a = tf.constant(1)
    session.close()
    with pytest.raises(RuntimeError, match="Attempted to use a closed Session"):
        session.run(a)


def test_default_session(g):
    a = tf.constant(3)
    with pytest.raises(ValueError, match="No default session is registered"):
        a.eval()
    with v1.Session() as session:
        assert a.eval() == 3 and v1.get_default_session() is session
    assert v1.get_default_session() is None


def test_steps_in_parts_and_callables(g):
    a, b = v1.placeholder(tf.float32, []), v1.placeholder(tf.float32, [])
    first, both = a * 2, a * 2 + b
    with v1.Session() as session:
        handle = session.partial_run_setup([first, both], [a, b])
        assert session.partial_run(handle, first, {a: 3}) == 6
        assert session.partial_run(handle, both, {b: 1}) == 7
        call = session.make_callable(both, [a, b])
        assert [call(1, 2), call(2, 3)] == [4, 7]
        with pytest.raises(TypeError, match="takes 2 values, got 1"):
            call(1)


def test_metadata(g):
    x = v1.placeholder(tf.float32)
    options, metadata = v1.RunOptions(trace_level=v1.RunOptions.FULL_TRACE), v1.RunMetadata()
    with v1.Session() as session:
        session.run(x + 1, {x: 1}, options, metadata)
    assert len(metadata.step_stats.dev_stats) == 1


def test_threads_run_one_session(g):
    x = v1.placeholder(tf.int32, [])
    y, made = x * x, []
    with v1.Session() as session:
        threads = [threading.Thread(target=lambda i=i: made.append(session.run(y, {x: i}))) for i in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    assert sorted(made) == [i * i for i in range(8)]


# ---- variables


@pytest.mark.parametrize("resource", [True, False])
def test_variables_of_graphs(g, resource):
    v = v1.get_variable("v", [2], initializer=v1.ones_initializer(), use_resource=resource)
    twice = v.assign(v * 2)
    with v1.Session() as session:
        with pytest.raises(tf.errors.FailedPreconditionError):
            session.run(v)
        session.run(v1.global_variables_initializer())
        assert session.run([twice, twice])[0].tolist() == [2, 2]
        assert session.run(v.assign_add([1.0, 2.0])).tolist() == [3, 4]
        v.load([7.0, 7.0], session)
        assert v.eval(session).tolist() == [7, 7]
    assert v in v1.trainable_variables() and v.name == "v:0"


def test_variables_by_name(g):
    with v1.variable_scope("outer", initializer=v1.zeros_initializer()) as scope:
        a = v1.get_variable("a", [1])
        with v1.variable_scope("inner"):
            assert v1.get_variable("a", [1]).name == "outer/inner/a:0"
    with v1.variable_scope(scope, reuse=True):
        assert v1.get_variable("a") is a
        with pytest.raises(ValueError, match="Variable outer/b does not exist"):
            v1.get_variable("b", [1])
    with v1.variable_scope("outer"), pytest.raises(ValueError, match="Variable outer/a already exists, disallowed"):
        v1.get_variable("a", [1])
    with v1.variable_scope("outer", reuse=v1.AUTO_REUSE):
        with pytest.raises(ValueError, match=r"specified shape \(2,\) and found shape \(1,\)"):
            v1.get_variable("a", [2])
        assert v1.get_variable("c", [1]) is v1.get_variable("c", [1])


def test_partitioned_variables(g):
    v = v1.get_variable("v", [5, 2], partitioner=v1.fixed_size_partitioner(2), initializer=v1.ones_initializer())
    assert [p.shape.as_list() for p in v] == [[3, 2], [2, 2]]
    assert run(tf.convert_to_tensor(v)).sum() == 10


# ---- Python functions as nodes


def test_python_functions(g):
    x = v1.placeholder(tf.float32, [None])
    doubled = tf.numpy_function(lambda a: a * 2, [x], tf.float32)
    pair = tf.py_function(lambda t: (t + 1, tf.size(t)), [x], [tf.float32, tf.int32])
    assert [np.asarray(a).tolist() for a in run([doubled, *pair], {x: [1, 2]})] == [[2, 4], [2, 3], 2]


def test_exceptions_of_python_functions(g):
    class Own(Exception):
        pass

    def fail(kind):
        def f():
            raise kind("it went wrong")

        return f

    for kind, error in (
        (ValueError, tf.errors.InvalidArgumentError),
        (NotImplementedError, tf.errors.UnimplementedError),
        (Own, tf.errors.UnknownError),
    ):
        with pytest.raises(error, match="it went wrong") as caught:
            run(tf.numpy_function(fail(kind), [], tf.float32))
        assert type(caught.value.__cause__) is kind


# ---- the modes of TensorFlow 1


def test_version_1_in_a_process(tmp_path):
    import subprocess
    import sys

    program = tmp_path / "program.py"
    program.write_text(
        "import sluice.compat.v1 as tf\n"
        "tf.disable_v2_behavior()\n"
        "x = tf.placeholder(tf.float32, [None, 3])\n"
        "w = tf.get_variable('w', [x.get_shape()[1].value, 1])\n"
        "assert not tf.executing_eagerly() and x.shape[0].value is None and isinstance({x: 1}, dict)\n"
        "loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - 1.0))\n"
        "train = tf.train.AdamOptimizer(0.1).minimize(loss)\n"
        "with tf.Session() as session:\n"
        "    session.run(tf.global_variables_initializer())\n"
        "    losses = [session.run([loss, train], {x: [[1, 2, 3], [0, 1, 0]]})[0] for _ in range(200)]\n"
        "print(losses[-1] < 0.01)\n"
    )
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_fetched_references_are_read_last():
    """What is fetched of a reference variable is its value after the run; what computes with it reads it before or after."""
    with tf.Graph().as_default(), v1.Session() as s:
        v = v1.get_variable("v", [], tf.float32, v1.zeros_initializer(), use_resource=False)
        product = tf.reduce_sum(tf.matmul(tf.ones([64, 64]), tf.ones([64, 64])))  # comes after what only reads
        add = v1.assign_add(v, 1 + 0 * product)
        old = tf.identity(v)
        with tf.control_dependencies([old]):
            ordered = v1.assign(v, 7 + 0 * product)
        step = v1.Variable(0, trainable=False, dtype=tf.int64, use_resource=False)
        train = v1.train.GradientDescentOptimizer(0.1).minimize(tf.square(v - 3), global_step=step)
        yes = v1.placeholder(tf.bool, [])
        with tf.control_dependencies([tf.identity(tf.raw_ops.Switch(data=1.0, pred=yes)[1])]):
            maybe = v1.assign_add(v, 10)
        s.run(v1.global_variables_initializer())
        for fetch, expected in ((v, 1), (tf.identity(v), 2), (v.value(), 3), (v.read_value(), 4)):
            assert s.run([fetch, add])[0] == expected
        assert s.run([old, ordered]) == [7, 7]  # also where the write waits for the read
        assert [s.run([step, train])[0] for _ in range(3)] == [1, 2, 3]
        before = s.run(v)
        assert s.run([v, maybe.op], {yes: False})[0] == before  # what may not run is not waited for
        s.run(maybe, {yes: True})
        handle = s.partial_run_setup([v, maybe], [yes])
        assert s.partial_run(handle, v) == before + 10
        assert s.partial_run(handle, maybe, {yes: True}) == before + 20
