"""Protocol buffers as Python objects: fields, presence, oneofs, maps, bytes and text, as protobuf's own have them."""

import copy
import pickle

import pytest

import sluice as tf
from sluice.core import message_text, messages

v1 = tf.compat.v1


def _graph():
    graph = v1.GraphDef()
    node = graph.node.add(name="x", op="Const", input=["a", "^b"])
    node.attr["T"].type = messages.DT_FLOAT
    node.attr["l"].list.i.extend([1, 2, -3])
    node.attr["s"].s = b"a\x00\xff'\"\n"
    node.attr["shape"].shape.dim.add(size=-1)
    node.attr["f"].f = 0.1
    graph.versions.producer = 1
    return graph


def test_bytes_are_protobufs():
    node = v1.NodeDef(name="n", input=["a", "b"])
    node.attr["T"].type = 1
    node.attr["A"].i = -1
    expected = "0a016e1a01611a01622a100a0141120b18ffffffffffffffffff012a070a015412023001"
    assert node.SerializeToString(deterministic=True).hex() == expected
    assert v1.NodeDef.FromString(bytes.fromhex(expected)) == node
    assert tf.train.Int64List(value=[1, -1]).SerializeToString().hex() == "0a0b01ffffffffffffffffff01"
    assert tf.train.FloatList(value=[1.5]).SerializeToString().hex() == "0a040000c03f"
    number = messages.StructuredValue(int64_value=-3)
    assert number.SerializeToString().hex() == "6005" and messages.StructuredValue.FromString(b"\x60\x05") == number


def test_round_trips():
    graph = _graph()
    assert v1.GraphDef.FromString(graph.SerializeToString()) == graph
    assert pickle.loads(pickle.dumps(graph)) == graph and copy.deepcopy(graph) == graph
    assert message_text.merge_text(str(graph), v1.GraphDef()) == graph
    assert graph.ByteSize() == len(graph.SerializeToString())


def test_text():
    assert str(v1.NodeDef(name="n", attr={"f": v1.AttrValue(f=0.1), "a": v1.AttrValue(s=b"\xc3'\n")})) == (
        'name: "n"\nattr {\n  key: "a"\n  value {\n    s: "\\303\\\'\\n"\n  }\n}\n'
        'attr {\n  key: "f"\n  value {\n    f: 0.1\n  }\n}\n'
    )
    read = message_text.merge_text("device_count <key: 'GPU' value: 2>; graph_options { # why\n }", v1.ConfigProto())
    assert read.device_count == {"GPU": 2} and read.HasField("graph_options")
    assert list(message_text.merge_text("value: [1, 2] value: 3", tf.train.Int64List()).value) == [1, 2, 3]
    with pytest.raises(message_text.ParseError, match='no field named "nothing"'):
        message_text.merge_text("nothing: 1", v1.ConfigProto())


def test_protobufs_text_format_reads_and_prints_them():
    text_format = pytest.importorskip("google.protobuf.text_format")
    graph = _graph()
    read = text_format.Merge(str(graph), v1.GraphDef())
    assert read == graph
    assert text_format.Merge(text_format.MessageToString(graph), v1.GraphDef()) == graph


def test_presence():
    config = v1.ConfigProto()
    assert not config.gpu_options.allow_growth and not config.HasField("gpu_options")
    config.gpu_options.experimental.virtual_devices.add(memory_limit_mb=[1.5])
    assert config.HasField("gpu_options") and config.gpu_options.HasField("experimental")
    held = config.gpu_options
    config.ClearField("gpu_options")
    held.allow_growth = True
    assert not config.HasField("gpu_options")
    config.graph_options.SetInParent()
    assert [f.name for f, _ in config.ListFields()] == ["graph_options"]
    with pytest.raises(ValueError, match="does not have presence"):
        config.HasField("allow_soft_placement")


def test_oneofs():
    value = v1.AttrValue(i=3)
    assert value.WhichOneof("value") == "i"
    value.list.s.append(b"x")
    assert value.WhichOneof("value") == "list" and value.i == 0
    value.b = False
    assert value.HasField("b") and value.HasField("value") and not value.HasField("list")
    value.ClearField("value")
    assert value.WhichOneof("value") is None


def test_maps():
    config = v1.ConfigProto(device_count={"CPU": 1})
    config.device_count["GPU"] += 2
    assert dict(config.device_count) == {"CPU": 1, "GPU": 2} and "TPU" not in config.device_count
    node = v1.NodeDef()
    assert node.attr["T"].type == 0 and "T" in node.attr
    with pytest.raises(ValueError, match="may not be assigned"):
        node.attr["x"] = v1.AttrValue()


def test_merge_and_copy():
    a, b = v1.NodeDef(name="a", input=["x"]), v1.NodeDef(op="Op", input=["y"])
    a.MergeFrom(b)
    assert a == v1.NodeDef(name="a", op="Op", input=["x", "y"])
    a.CopyFrom(b)
    assert a == b and a is not b
    with pytest.raises(TypeError, match="must be instance of same class"):
        a.CopyFrom(v1.GraphDef())


def test_unknown_fields_are_kept():
    node = v1.NodeDef.FromString(b"\x0a\x01n\xfa\x01\x02hi")
    assert node.name == "n" and node.SerializeToString() == b"\x0a\x01n\xfa\x01\x02hi"


@pytest.mark.parametrize(
    "change, error",
    [
        (lambda n: v1.NodeDef(nothing=1), ValueError),
        (lambda n: setattr(n, "nothing", 1), AttributeError),
        (lambda n: setattr(n, "attr", {}), AttributeError),
        (lambda n: setattr(n, "name", 3), TypeError),
        (lambda n: setattr(n.attr["a"], "s", "text"), TypeError),
        (lambda n: setattr(n.attr["a"], "i", 1.5), TypeError),
        (lambda n: setattr(n.attr["a"], "i", 1 << 63), ValueError),
        (lambda n: n.ParseFromString(b"\x0a\x05ab"), messages.DecodeError),
    ],
)
def test_refusals(change, error):
    with pytest.raises(error):
        change(v1.NodeDef())


def test_enums():
    options = v1.RunOptions(trace_level="FULL_TRACE")
    assert options.trace_level == v1.RunOptions.FULL_TRACE == 3
    assert v1.RunOptions.TraceLevel.Name(3) == "FULL_TRACE" and v1.RunOptions.TraceLevel.Value("NO_TRACE") == 0


def test_protobufs_messages_are_taken():
    class Foreign:
        class DESCRIPTOR:
            full_name = "tensorflow.NodeDef"

        def SerializeToString(self):
            return v1.NodeDef(name="n").SerializeToString()

    graph = v1.GraphDef(node=[Foreign()])
    assert graph.node[0].name == "n" and graph.node[0] == Foreign()
