"""tf.test, tf.profiler, graph_util and tf.print."""

import glob

import numpy as np
import pytest

import sluice as tf

v1 = tf.compat.v1


class _Case(tf.test.TestCase):
    def runTest(self):
        pass


def test_a_test_case_compares():
    case = _Case()
    case.assertAllClose({"a": [1.0, tf.constant(2.0)]}, {"a": [1.0, 2.0 + 1e-7]})
    case.assertAllEqual(tf.constant([1.0, np.nan]), [1.0, np.nan])
    case.assertAllCloseAccordingToType(np.float16(1.0), np.float16(1.0009))
    for check in (
        lambda: case.assertAllClose([1.0], [1.1]),
        lambda: case.assertAllEqual([1, 2], [1, 3]),
        lambda: case.assertAllEqual([1, 2], [[1, 2]]),
        lambda: case.assertAllInRange([1, 5], 0, 4),
    ):
        with pytest.raises(AssertionError):
            check()
    with case.assertRaisesOpError("Incompatible shapes"):
        tf.constant([1, 2]) + tf.constant([1, 2, 3])


def test_a_test_case_evaluates_in_graphs():
    case = _Case()
    with tf.Graph().as_default(), case.session() as session:
        assert case.evaluate([tf.constant(1) + 1]) == [2] and session is not None
    assert case.evaluate({"a": tf.constant(3)}) == {"a": 3}


def test_spans_of_a_profile_are_in_its_file(tmp_path):
    with tf.profiler.experimental.Profile(str(tmp_path)):
        with tf.profiler.experimental.Trace("step", step_num=7):
            pass
        with pytest.raises(tf.errors.AlreadyExistsError):
            tf.profiler.experimental.start(str(tmp_path))
    (path,) = glob.glob(str(tmp_path / "plugins/profile/*/*.xplane.pb"))
    with open(path, "rb") as f:
        assert b"step#step_num=7#" in f.read()
    with pytest.raises(tf.errors.UnavailableError):
        tf.profiler.experimental.stop()


def test_parts_of_graphs():
    with tf.Graph().as_default() as graph:
        a = tf.constant(1.0, name="a")
        tf.identity(tf.identity(a, name="b"), name="c")
    graph_def = graph.as_graph_def()
    assert [n.name for n in v1.graph_util.extract_sub_graph(graph_def, ["b"]).node] == ["a", "b"]
    rest = v1.graph_util.remove_training_nodes(graph_def, ["c"]).node
    assert [(n.name, list(n.input)) for n in rest] == [("a", []), ("c", ["a"])]
    with pytest.raises(AssertionError, match="x is not in graph"):
        v1.graph_util.extract_sub_graph(graph_def, ["x"])


@pytest.mark.parametrize("use_resource", [True, False])
def test_variables_become_constants(use_resource):
    with tf.Graph().as_default() as graph, v1.Session() as session:
        w = v1.Variable([1.0, 2.0], name="w", use_resource=use_resource)
        tf.multiply(w, 3.0, name="out")
        session.run(w.initializer)
        frozen = v1.graph_util.convert_variables_to_constants(session, graph.as_graph_def(), ["out"])
    with tf.Graph().as_default(), v1.Session() as session:
        (out,) = tf.graph_util.import_graph_def(frozen, return_elements=["out:0"])
        assert session.run(out).tolist() == [3.0, 6.0]


def test_tensors_are_printed_in_structures(capfd):
    tf.print("a:", tf.range(10), {"b": [tf.constant(1.5), 2]}, sep="|", end="<end>")
    tf.print(tf.constant("text"), output_stream="stdout")
    out, err = capfd.readouterr()
    assert err == "a:|[0 1 2 ... 7 8 9]|{'b': [1.5, 2]}<end>" and out == "text\n"
    with pytest.raises(ValueError, match="Unsupported output stream"):
        tf.print("x", output_stream="nowhere")


def test_protos_of_arrays():
    for value in ([1.0, 2.0], 3, [["a", "b"]], 1j, np.zeros([2, 0]), True):
        array = tf.make_ndarray(tf.make_tensor_proto(value))
        np.testing.assert_array_equal(array, np.array(value, array.dtype if array.dtype != object else "S"))
    assert tf.make_ndarray(tf.make_tensor_proto([1, 2], shape=[3])).tolist() == [1, 2, 2]
    with pytest.raises(ValueError, match="Too many elements"):
        tf.make_tensor_proto([1, 2, 3], shape=[2])


def test_dlpack_and_back():
    capsule = tf.experimental.dlpack.to_dlpack(tf.constant([1.0, 2.0]))
    assert tf.experimental.dlpack.from_dlpack(capsule).numpy().tolist() == [1.0, 2.0]


# ---- TPUs


def test_programs_that_look_for_a_tpu_go_on_without(monkeypatch):
    monkeypatch.delenv("TPU_NAME", raising=False)
    for look in (
        tf.distribute.cluster_resolver.TPUClusterResolver,
        tf.distribute.cluster_resolver.TPUClusterResolver.connect,
        tf.distribute.TPUStrategy,
        tf.tpu.experimental.initialize_tpu_system,
    ):
        with pytest.raises(ValueError, match="Please provide a TPU Name to connect to."):
            look()
    with pytest.raises(NotImplementedError, match="no TPUs"):
        tf.distribute.cluster_resolver.TPUClusterResolver("local")
    with pytest.raises(tf.errors.NotFoundError, match="TPUs not found"):
        tf.tpu.experimental.initialize_tpu_system(object())


def test_tables_of_embeddings_are_described():
    embedding = tf.tpu.experimental.embedding
    table = embedding.TableConfig(10, 4, optimizer=embedding.Adam(0.1, clipvalue=2.0), combiner="sum")
    feature = embedding.FeatureConfig(table, name="f")
    assert (feature.table.dim, feature.name, table.optimizer.beta_2) == (4, "f", 0.999)
    assert (table.optimizer.clip_gradient_min, table.optimizer.clip_gradient_max) == (-2.0, 2.0)
    assert repr(embedding.TableConfig(10, 4)) == (
        "TableConfig(vocabulary_size=10, dim=4, initializer=None, optimizer=None, combiner='mean', name=None, "
        "quantization_config=None)"
    )
    for bad in ({"vocabulary_size": 0, "dim": 4}, {"vocabulary_size": 1, "dim": 4, "combiner": "x"}):
        with pytest.raises(ValueError):
            embedding.TableConfig(**bad)
    with pytest.raises(NotImplementedError, match="no TPUs"):
        embedding.TPUEmbedding(feature, None)


def test_flags_of_app_are_those_of_flags():
    pytest.importorskip("absl")
    assert tf.compat.v1.app.flags.FLAGS is tf.compat.v1.flags.FLAGS
    assert tf.compat.v1.app.flags.DEFINE_string is tf.compat.v1.flags.DEFINE_string
