"""What errors tell beside their message, and the lines of the program in files."""

import inspect
import os
import subprocess
import sys
import time

import pytest
import sluice as tf
from sluice.saving import source_lines

v1 = tf.compat.v1


def line_of(text):
    """The number of this file's first line with a text."""
    lines, start = inspect.getsourcelines(inspect.getmodule(line_of))
    return next(i for i, line in enumerate(lines, max(start, 1)) if text in line)


def test_notes_tell_what_the_node_reads_and_what_would_be_right():
    with tf.Graph().as_default() as g:
        x, y = v1.placeholder(tf.float32, [None], name="x"), v1.placeholder(tf.float32, [None], name="y")
        total = tf.add(x, y, name="total")  # the sum
        with v1.Session(graph=g) as session, pytest.raises(tf.errors.InvalidArgumentError) as told:
            session.run(total, {x: [1.0, 2.0], y: [1.0, 2.0, 3.0]})
    assert told.value.__notes__ == [
        "node 'total' (AddV2) reads 'x:0' (float [?]), 'y:0' (float [?])",
        "shapes are compared from the last axis on: two lengths must be equal, or one of them 1",
    ]
    assert f"line {line_of('# the sum')}, in" in told.value.message


def test_notes_tell_the_calls():
    @tf.function
    def inner(x, i):
        return tf.gather(x, i, name="picked")

    @tf.function
    def outer(x, i):
        return inner(x, i) * 2.0

    with pytest.raises(tf.errors.InvalidArgumentError) as told:
        outer(tf.constant([1.0, 2.0]), tf.constant(7))
    notes = told.value.__notes__
    assert "(GatherV2) reads 'x:0' (float [2])" in notes[0]
    assert notes[1].startswith("it is in a function that is called by ")
    assert notes[-1].startswith("an index lies outside of what is indexed")


class Model(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def half(self, x):
        return tf.math.log(x - 1.0, name="log")  # the logarithm


def frames(info):
    """(file, line, function) by the name of each node."""
    made = {}
    for name, trace in info.name_to_trace_id.items():
        frame = info.frames_by_id[info.traces_by_id[trace].frame_id[-1]]
        made[name] = (info.files[frame.file_index], frame.line, frame.func)
    return made


def read(path):
    from sluice.core import messages

    return messages.GraphDebugInfo.FromString(path.read_bytes())


def test_lines_are_saved_with_a_model(tmp_path):
    model = Model()
    tf.saved_model.save(model, tmp_path / "plain")
    assert not (tmp_path / "plain" / "debug").exists()
    tf.saved_model.save(model, tmp_path / "model", options=tf.saved_model.SaveOptions(save_debug_info=True))
    found = frames(read(tmp_path / "model" / "debug" / "saved_model_debug_info.pb"))
    [log] = [place for name, place in found.items() if name.startswith("log@__inference_half")]
    assert log == (__file__, line_of("# the logarithm"), "half")


def test_lines_are_saved_with_a_graph(tmp_path):
    with tf.Graph().as_default() as g:
        v = v1.get_variable("v", [], use_resource=True)
        tf.identity(v, name="value")  # the value
        saver = v1.train.Saver()
        saver.export_meta_graph(tmp_path / "plain.meta")
        saver.export_meta_graph(tmp_path / "graph.meta", save_debug_info=True)
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            saver.save(session, tmp_path / "saved", save_debug_info=True)
    assert not (tmp_path / "plain.debug").exists()
    for name in "graph.debug", "saved.debug":
        assert frames(read(tmp_path / name))["value"] == (
            __file__,
            line_of("# the value"),
            "test_lines_are_saved_with_a_graph",
        )
    assert source_lines.debug_info(g).name_to_trace_id.keys() == {o.name for o in g.get_operations()}


def test_eager_errors_tell_what_would_be_right():
    with pytest.raises(tf.errors.InvalidArgumentError) as told:
        tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))
    assert told.value.__notes__[0].startswith("the first matrix must have as many columns as the second has rows")
    with pytest.raises(tf.errors.InvalidArgumentError) as told:
        tf.gather(tf.ones([2]), 7)
    assert told.value.__notes__ == [
        "an index lies outside of what is indexed: a table of N rows has the rows 0 to N - 1"
    ]


def test_watched_numbers_tell_what_they_came_from():
    program = """
import sluice as tf
@tf.function
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.sqrt(x)
    return tape.gradient(y, x)
try:
    slope(tf.zeros([2]))
except tf.errors.InvalidArgumentError as error:
    print("\\n".join(error.__notes__))
"""
    environment = {**os.environ, "SLUICE_WATCH_NAN": "all"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=100)
    lines = done.stdout.splitlines()
    assert lines[-1] == "it is infinite at 0: add a small number before the root", done.stderr
    assert any("(Sqrt), of the forward pass" in line for line in lines)


def test_errors_of_building_tell_what_would_be_right():
    with tf.Graph().as_default():
        x = v1.placeholder(tf.float32, [2, 3])
        with pytest.raises(ValueError) as told:
            tf.matmul(x, x)
        assert told.value.__notes__ == [
            "the two lengths must be the same; of a product those are the columns of the first and the rows of the second"
        ]
        with pytest.raises(ValueError) as told:
            tf.reshape(x, [5])
        assert told.value.__notes__[0].startswith("a new shape must have as many elements")


def test_who_waits_is_told_with_its_line():
    with tf.Graph().as_default() as g:
        queue = tf.queue.FIFOQueue(2, tf.float32, [[]])
        taken = queue.dequeue(name="take")  # the wait
        config = v1.ConfigProto(operation_timeout_in_ms=1000)
        with v1.Session(graph=g, config=config) as session, pytest.raises(tf.errors.DeadlineExceededError) as told:
            session.run(taken)
    assert "Waiting: node 'take' (QueueDequeueV2) waits on " in told.value.message
    assert "which is empty (no node of the graph puts something in)" in told.value.message
    assert f"line {line_of('# the wait')}, in" in told.value.message


def test_queue_runners_that_were_not_started_are_told():
    with tf.Graph().as_default() as g:
        queue = tf.queue.FIFOQueue(2, tf.float32, [[]])
        queue.enqueue(1.0, name="put")
        taken = queue.dequeue(name="take")
        with v1.Session(graph=g) as session, pytest.raises(tf.errors.DeadlineExceededError) as told:
            session.run(taken, options=v1.RunOptions(timeout_in_ms=300))
    told_of = "(node 'put', which puts something in, is not part of this run, and there is no other)"
    assert told_of in told.value.message


def test_a_python_function_that_takes_too_long_ends_the_step():
    with tf.Graph().as_default() as g:
        y = tf.py_function(lambda: time.sleep(0.5) or 1.0, [], tf.float32, name="slow")
        with v1.Session(graph=g) as session:
            with pytest.raises(tf.errors.DeadlineExceededError) as told:
                session.run(y, options=v1.RunOptions(timeout_in_ms=100))
            assert session.run(y) == 1.0
    assert "Waiting: node 'slow' (EagerPyFunc) has not come back" in told.value.message


def test_of_a_fused_chain_the_line_is_that_of_the_node_that_made_the_number():
    program = """
import sluice as tf
@tf.function
def loss(p):
    l = tf.math.log(p)
    return p * l
try:
    loss(tf.constant([0.0, 1.0]))
except tf.errors.InvalidArgumentError as error:
    print(error.message)
"""
    environment = {**os.environ, "SLUICE_WATCH_NAN": "all"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=100)
    assert "(Log) makes an infinity" in done.stdout and "line 5, in loss" in done.stdout, done.stdout + done.stderr


def ran_in(error):
    """The note that tells the iterations."""
    return next(note for note in error.__notes__ if note.startswith("it ran in "))


def test_iterations_of_loops_are_told():
    @tf.function
    def rows(x):
        total = tf.constant(0)
        for i in tf.range(3):
            for j in tf.range(5):
                total += tf.gather(x, i * 4 + j)
        return total

    with pytest.raises(tf.errors.InvalidArgumentError) as told:
        rows(tf.range(7))
    first, _, second = ran_in(told.value).partition(", in ")
    assert first.startswith("it ran in iteration 3 of loop '") and second == "iteration 1 of loop 'while'"
    assert "iteration" not in told.value.message.splitlines()[0]


@pytest.mark.parametrize("v2", [True, False])
def test_iterations_of_loops_of_graphs_are_told(v2):
    was = v1.control_flow_v2_enabled()
    (v1.enable_control_flow_v2 if v2 else v1.disable_control_flow_v2)()
    try:
        with tf.Graph().as_default() as g:
            x = v1.placeholder(tf.float32, [None])
            total = v1.while_loop(lambda i, a: i < 9, lambda i, a: [i + 1, a + tf.gather(x, i)], [0, 0.0])[1]
            with v1.Session(graph=g) as session, pytest.raises(tf.errors.InvalidArgumentError) as told:
                session.run(total, {x: [1.0, 2.0, 3.0]})
    finally:
        (v1.enable_control_flow_v2 if was else v1.disable_control_flow_v2)()
    assert ran_in(told.value) == "it ran in iteration 3 of loop 'while'"


def test_iterations_of_gradients_and_of_eager_loops_are_told():
    @tf.custom_gradient
    def odd(x):
        return x, lambda dy: tf.gather(tf.stack([dy, dy]), tf.cast(x, tf.int32))

    @tf.function
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in tf.range(4):
                y = odd(y) + 1.0
        return tape.gradient(y, x)

    with pytest.raises(tf.errors.InvalidArgumentError) as told:
        slope(tf.constant(0.0))
    assert ran_in(told.value).startswith("it ran in iteration 0 of loop 'gradient")
    assert any(note.startswith("the loop of a gradient goes backwards") for note in told.value.__notes__)
    with pytest.raises(tf.errors.InvalidArgumentError) as told:
        tf.while_loop(lambda i: i < 5, lambda i: [i + tf.gather([1, 1], i)], [tf.constant(0)])
    assert ran_in(told.value) == "it ran in iteration 2 of tf.while_loop"


def test_gradients_of_eager_tapes_are_watched():
    program = """
import sluice as tf
x = tf.zeros([3])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.norm(x)
try:
    tape.gradient(y, x)
except tf.errors.InvalidArgumentError as error:
    print(error.message)
"""
    environment = {**os.environ, "SLUICE_WATCH_NAN": "all"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=100)
    assert "(SqrtGrad) makes an infinity" in done.stdout, done.stderr


def test_a_filter_that_lets_nothing_pass_tells_so():
    with tf.Graph().as_default() as g:
        data = tf.data.Dataset.range(10).repeat().filter(lambda x: x < 0)
        element = v1.data.make_one_shot_iterator(data).get_next()
        with v1.Session(graph=g) as session, pytest.raises(tf.errors.DeadlineExceededError) as told:
            session.run(element, options=v1.RunOptions(timeout_in_ms=300))
    assert "a Filter dataset has let 0 of " in told.value.message


def test_errors_out_of_a_pipeline_tell_the_iteration():
    @tf.function
    def total(n):
        i, sum, table = tf.constant(0), tf.constant(0.0), tf.constant([1.0, 2.0, 3.0])
        while i < n:
            sum += tf.gather(table, i)
            i += 1
        return sum

    def data():
        return tf.data.Dataset.from_tensors(5).map(total)

    with pytest.raises(tf.errors.InvalidArgumentError) as told:
        next(iter(data()))
    assert "it ran in iteration 3 of loop 'PartitionedCall/while'" in told.value.__notes__
    with tf.Graph().as_default() as g:
        element = v1.data.make_one_shot_iterator(data()).get_next()
        with v1.Session(graph=g) as session, pytest.raises(tf.errors.InvalidArgumentError) as told:
            session.run(element)
    assert "it ran in iteration 3 of loop 'PartitionedCall/while'" in told.value.__notes__


class Rows(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec([], tf.int32)])
    def row(self, i):
        return self.within(i) * 2.0

    @tf.function(input_signature=[tf.TensorSpec([], tf.int32)])
    def within(self, i):
        return tf.gather(tf.constant([1.0, 2.0]), i, name="picked")  # the row


def test_errors_of_loaded_models_name_their_lines(tmp_path):
    options = tf.saved_model.SaveOptions(save_debug_info=True)
    model = Rows()
    tf.saved_model.save(model, tmp_path / "model", signatures=model.row, options=options)
    loaded = tf.saved_model.load(tmp_path / "model")
    assert loaded.graph_debug_info.name_to_trace_id
    line = f'File "{__file__}", line {line_of("# the row")}, in within'
    for call in (
        lambda: loaded.within(tf.constant(7)),
        lambda: loaded.row(tf.constant(7)),
        lambda: loaded.signatures["serving_default"](i=tf.constant(7)),
    ):
        with pytest.raises(tf.errors.InvalidArgumentError) as told:
            call()
        assert line in told.value.message
        assert told.value.__notes__[-1].startswith("an index lies outside of what is indexed")
    again = tmp_path / "again"
    tf.saved_model.save(loaded, again, options=options)  # lines go on from file to file
    with pytest.raises(tf.errors.InvalidArgumentError) as told:
        tf.saved_model.load(again).row(tf.constant(7))
    assert line in told.value.message
    tf.saved_model.save(model, tmp_path / "plain")
    with pytest.raises(tf.errors.InvalidArgumentError) as told:
        tf.saved_model.load(tmp_path / "plain").row(tf.constant(7))
    assert "was made here" not in told.value.message
    (tmp_path / "model" / "debug" / "saved_model_debug_info.pb").write_bytes(b"\xff\xff")
    assert float(tf.saved_model.load(tmp_path / "model").row(tf.constant(1))) == 4.0
