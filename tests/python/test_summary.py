"""tf.summary and compat.v1.summary: what is in the event files."""

import glob

import numpy as np
import pytest

import sluice as tf

v1 = tf.compat.v1


def _events(directory):
    (path,) = glob.glob(str(directory / "*tfevents*"))
    return list(v1.train.summary_iterator(path))


def _array(proto):
    return tf.io.parse_tensor(proto.SerializeToString(), tf.as_dtype(proto.dtype)).numpy()


def _values(directory):
    return {v.tag: (e.step, v) for e in _events(directory) for v in e.summary.value}


def test_kinds_of_summaries(tmp_path):
    writer = tf.summary.create_file_writer(str(tmp_path))
    with writer.as_default(step=3):
        assert tf.summary.scalar("loss", 2.5, description="of a batch").numpy()
        tf.summary.histogram("h", [1.0, 2.0, 3.0, 3.0, 9.0], buckets=4)
        tf.summary.histogram("equal", [2.0, 2.0], buckets=2)
        tf.summary.text("t", ["x", "y"])
    found = _values(tmp_path)
    assert {step for step, _ in found.values()} == {3}
    kinds = {tag: (v.metadata.plugin_data.plugin_name, v.metadata.data_class) for tag, (_, v) in found.items()}
    assert kinds == {
        "loss": ("scalars", 1),
        "h": ("histograms", 2),
        "equal": ("histograms", 2),
        "t": ("text", 2),
    }
    assert found["loss"][1].metadata.summary_description == "of a batch"
    rows = _array(found["h"][1].tensor)
    assert rows.tolist() == [[1, 3, 2], [3, 5, 2], [5, 7, 0], [7, 9, 1]]
    assert _array(found["equal"][1].tensor).tolist() == [[2, 2, 0], [2, 2, 2]]


@pytest.mark.parametrize(
    "kind, begins, more",
    [("image", b"\x89PNG", {}), ("audio", b"RIFF", {"sample_rate": 8000})],
)
def test_images_and_sounds_are_files(tmp_path, kind, begins, more):
    data = np.zeros([5, 2, 4, 3] if kind == "image" else [5, 3, 1], np.float32)
    with tf.summary.create_file_writer(str(tmp_path)).as_default(step=0):
        try:
            getattr(tf.summary, kind)("x", data, **more)
        except tf.errors.NotFoundError:
            pytest.skip("the library that encodes them is not there")
    _, value = _values(tmp_path)["x"]
    files = _array(value.tensor)
    if kind == "image":
        assert files.tolist()[:2] == [b"4", b"2"]
        files = files[2:]
    else:
        assert files.shape == (3, 2)
        files = files[:, 0]
    assert len(files) == 3 and files[0].startswith(begins)
    assert value.metadata.data_class == 3


def test_nothing_is_written_without_a_writer_or_when_not_recording(tmp_path):
    assert not tf.summary.write("tag", 1, step=0).numpy()
    with tf.summary.create_file_writer(str(tmp_path)).as_default():
        with tf.summary.record_if(False):
            assert not tf.summary.write("off", 1).numpy()
        with pytest.raises(ValueError, match="No step set"):
            tf.summary.write("tag", 1)
    assert _values(tmp_path) == {}


def test_a_function_writes_at_the_step_of_a_variable(tmp_path):
    writer, step = tf.summary.create_file_writer(str(tmp_path)), tf.Variable(0, dtype=tf.int64)

    @tf.function
    def f():
        with writer.as_default():
            tf.summary.write("tag", 1.0, step=step)

    for at in (4, 6):
        step.assign(at)
        f()
    writer.flush()
    assert [e.step for e in _events(tmp_path)][1:] == [4, 6]


def test_ops_of_summaries_have_their_scopes_in_the_tags():
    with tf.Graph().as_default(), v1.Session() as session:
        with v1.name_scope("outer"):
            plain = v1.summary.scalar("inner", 3)
            family = v1.summary.scalar("inner", 7, family="f")
        every = v1.summary.merge_all()
        for op, tag, value in ((plain, "outer/inner", 3.0), (family, "f/outer/f/inner", 7.0)):
            (found,) = v1.Summary.FromString(session.run(op)).value
            assert (found.tag, found.simple_value) == (tag, value)
        assert len(v1.Summary.FromString(session.run(every)).value) == 2


def test_a_file_writer_writes_graphs_and_what_is_said_once(tmp_path):
    with tf.Graph().as_default() as graph:
        tf.constant(0, name="zero")
        with v1.summary.FileWriter(str(tmp_path), graph) as writer:
            summary = v1.Summary(value=[v1.Summary.Value(tag="t", simple_value=1.0)])
            summary.value[0].metadata.plugin_data.plugin_name = "p"
            for step in (1, 2):
                writer.add_summary(summary.SerializeToString(), step)
    events = _events(tmp_path)
    assert events[0].file_version == "brain.Event:2"
    assert [n.name for n in v1.GraphDef.FromString(events[1].graph_def).node] == ["zero"]
    assert v1.MetaGraphDef.FromString(events[2].meta_graph_def).graph_def.node[0].name == "zero"
    assert [e.summary.value[0].HasField("metadata") for e in events[3:]] == [True, False]
    with pytest.warns(UserWarning, match="closed"):
        writer.add_summary(summary, 3)
