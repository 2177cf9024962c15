"""Files: gfile, TFRecords, and the ops that read and write whole files."""

import gzip

import pytest

import sluice as tf

gfile = tf.io.gfile


def test_gfile(tmp_path):
    path = str(tmp_path / "a.txt")
    with gfile.GFile(path, "w") as f:
        f.write("héllo\n")
        f.write(b"world")
        assert f.tell() == 12
    assert gfile.GFile(path).read() == "héllo\nworld" and gfile.GFile(path, "rb").read(3) == b"h\xc3\xa9"
    assert list(gfile.GFile(path)) == ["héllo\n", "world"] and gfile.GFile(path).readline() == "héllo\n"
    with gfile.GFile(path, "r") as f:
        f.seek(7)
        assert f.read() == "world" and f.size() == 12
        with pytest.raises(tf.errors.OutOfRangeError):
            f.seek(-1)
    with gfile.GFile("file://" + path, "a") as f:
        f.write("!")
    assert gfile.stat(path).length == 13 and not gfile.stat(path).is_directory


def test_folders(tmp_path):
    top = str(tmp_path)
    gfile.makedirs(gfile.join(top, "a", "b"))
    gfile.GFile(gfile.join(top, "a", "x"), "w").close()
    assert gfile.listdir(top) == ["a"] and gfile.isdir(gfile.join(top, "a/b"))
    assert list(gfile.walk(top)) == [(top, ["a"], []), (top + "/a", ["b"], ["x"]), (top + "/a/b", [], [])]
    assert gfile.glob(top + "/a/*") == [top + "/a/b", top + "/a/x"]
    gfile.copy(top + "/a/x", top + "/y")
    with pytest.raises(tf.errors.AlreadyExistsError, match="file already exists"):
        gfile.copy(top + "/a/x", top + "/y")
    gfile.rename(top + "/y", top + "/z")
    gfile.rmtree(top + "/a")
    assert tf.compat.v1.gfile.ListDirectory(top) == ["z"]


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda p: gfile.listdir(p), tf.errors.NotFoundError, "Could not find directory {p}"),
        (lambda p: gfile.remove(p), tf.errors.NotFoundError, "{p}; No such file or directory"),
        (lambda p: gfile.rmtree(p), tf.errors.NotFoundError, "{p} not found"),
        (lambda p: gfile.GFile(p).read(), tf.errors.NotFoundError, "{p}; No such file or directory"),
        (lambda p: gfile.GFile(p, "w").read(), tf.errors.PermissionDeniedError, "File isn't open for reading"),
        (lambda p: gfile.GFile(p, "q"), tf.errors.InvalidArgumentError, "mode is not"),
        (lambda p: tf.io.read_file(p), tf.errors.NotFoundError, "No such file"),
    ],
)
def test_errors(call, error, message, tmp_path):
    path = str(tmp_path / "none")
    with pytest.raises(error) as raised:
        call(path)
    assert message.format(p=path) in raised.value.message


def test_records(tmp_path):
    path = str(tmp_path / "r")
    read = tf.compat.v1.io.tf_record_iterator
    for kind in ("", "GZIP", "ZLIB"):
        with tf.io.TFRecordWriter(path, kind) as w:
            w.write(b"abc")
            w.flush()
            w.write("text")
        assert list(read(path, kind)) == [b"abc", b"text"]
        with pytest.raises(tf.errors.FailedPreconditionError, match="Writer is closed"):
            w.write(b"x")
    assert gzip.compress(b"")[:2] != open(path, "rb").read()[:2]
    with tf.io.TFRecordWriter(path) as w:
        w.write(b"abc")
    data = open(path, "rb").read()
    assert data.hex() == "0300000000000000b099490e6162636e57f121"
    for damaged, message in ((data[:-2], "truncated record at 0'"), (data[:-1] + b"z", "corrupted record at 0")):
        open(path, "wb").write(damaged)
        with pytest.raises(tf.errors.DataLossError, match=message):
            list(read(path))
    with pytest.raises(ValueError, match='Not a valid compression_type: "LZ4"'):
        tf.io.TFRecordOptions("LZ4")


def test_whole_files(tmp_path):
    path = str(tmp_path / "folder" / "f")
    tf.io.write_file(path, "contents")
    assert tf.io.read_file(path).numpy() == b"contents"
    assert tf.io.matching_files(str(tmp_path / "folder" / "*")).numpy().tolist() == [path.encode()]
    graph_def = tf.compat.v1.GraphDef()
    graph_def.node.add(name="n", op="NoOp")
    assert tf.io.write_graph(graph_def, str(tmp_path), "g.pbtxt") == str(tmp_path / "g.pbtxt")
    assert (tmp_path / "g.pbtxt").read_text() == 'node {\n  name: "n"\n  op: "NoOp"\n}\n'
