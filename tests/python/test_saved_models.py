"""Saved models: what is saved is there again after loading, also from models that TensorFlow wrote."""

import gc
import pathlib

import pytest

import sluice as tf
from sluice import _native

DATA = pathlib.Path(__file__).parent.parent / "data" / "saved_model"


class Model(tf.Module):
    def __init__(self, folder):
        super().__init__()
        self.v = tf.Variable(2.0, name="v")
        self.list = [tf.Variable(1.0, name="in_list"), 3]
        self.constant = tf.constant([5.0])
        (folder / "vocabulary").write_text("a\nb\n")
        self.vocabulary = tf.saved_model.Asset(str(folder / "vocabulary"))

    @tf.function
    def f(self, x, training=False, k=None):
        return {"y": x * self.v + self.constant if training else x * self.v, "z": (x,)}

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32, name="q")])
    def g(self, x):
        return x + self.list[0]

    @tf.function(input_signature=[])
    def path(self):
        return self.vocabulary.asset_path


@pytest.fixture
def saved(tmp_path):
    model = Model(tmp_path)
    model.f(tf.constant(1.0))
    model.f(tf.constant([1.0]), True)
    model.concrete = model.f.get_concrete_function(tf.TensorSpec([2]))
    tf.saved_model.save(model, str(tmp_path / "m"), signatures=model.g)
    return str(tmp_path / "m")


def test_objects_and_functions(saved):
    assert tf.saved_model.contains_saved_model(saved)
    model = tf.saved_model.load(saved)
    assert model.v.numpy() == 2 and model.v.name == "v:0" and model.list[0].numpy() == 1
    assert model.f(tf.constant(3.0))["y"].numpy() == 6
    assert model.f(tf.constant([3.0]), training=True)["y"].numpy().tolist() == [11]
    assert model.concrete(tf.constant([1.0, 2.0]))["z"][0].numpy().tolist() == [1, 2]
    with open(model.path().numpy()) as f:
        assert f.read() == "a\nb\n"
    model.v.assign(10.0)
    assert model.f(tf.constant(3.0))["y"].numpy() == 30


def test_calls_that_were_not_traced_are_refused(saved):
    model = tf.saved_model.load(saved)
    with pytest.raises(
        ValueError, match="Could not find matching concrete function to call loaded from the SavedModel"
    ):
        model.f(tf.constant("text"))
    with pytest.raises(TypeError, match="Binding inputs to tf.function failed"):
        model.g(tf.constant(1.0))


def test_gradients_reach_loaded_variables(saved):
    model = tf.saved_model.load(saved)
    with tf.GradientTape() as tape:
        y = model.f(tf.constant(3.0))["y"]
    assert tape.gradient(y, model.v).numpy() == 3 and tape.watched_variables() == (model.v,)


def test_signatures(saved, tmp_path):
    model = tf.saved_model.load(saved)
    assert list(model.signatures) == ["serving_default"]
    serve = model.signatures["serving_default"]
    assert serve(q=tf.constant([1.0]))["output_0"].numpy().tolist() == [2]
    assert serve(tf.constant([1.0]))["output_0"].numpy().tolist() == [2]
    with pytest.raises(TypeError):
        model.signatures["other"] = 3
    own = {"mine": model.g.get_concrete_function()}
    tf.saved_model.save(model, str(tmp_path / "again"), signatures=own)
    again = tf.saved_model.load(str(tmp_path / "again"))
    assert again.signatures["mine"](q=tf.constant([2.0]))["output_0"].numpy().tolist() == [3]
    with pytest.raises(ValueError, match="Got a non-Tensor value"):
        tf.saved_model.save(model, str(tmp_path / "x"), signatures=model.f.get_concrete_function(tf.TensorSpec([])))


def test_the_only_function_that_can_be_a_signature_is_one(tmp_path):
    spec = [tf.TensorSpec([], tf.float32)]
    model = tf.Module()

    def default():
        tf.saved_model.save(model, str(tmp_path / "m"))
        return {k: list(f.structured_outputs) for k, f in tf.saved_model.load(str(tmp_path / "m")).signatures.items()}

    model.nothing = tf.function(lambda x: None, input_signature=spec)
    model.untold = tf.function(lambda x: x)
    assert default() == {}
    model.f = tf.function(lambda x: {"a": x}, input_signature=spec)
    assert default() == {"serving_default": ["a"]}
    model.g = tf.function(lambda x: x, input_signature=spec)
    assert default() == {}


def test_inputs_in_one_argument_are_told_apart(tmp_path):
    model = tf.Module()
    model.f = tf.function(lambda pair: pair[0] - pair[1], input_signature=[[tf.TensorSpec([]), tf.TensorSpec([])]])
    tf.saved_model.save(model, str(tmp_path / "m"))
    serve = tf.saved_model.load(str(tmp_path / "m")).signatures["serving_default"]
    assert serve(pair=tf.constant(5.0), pair_1=tf.constant(3.0))["output_0"].numpy() == 2


def test_signatures_name_inputs_as_the_graph_does(tmp_path):
    spec = tf.TensorSpec([])
    cases = [
        (lambda d: d["a"] - d["b"], [{"a": spec, "b": spec}], ["d", "d_1"]),
        (lambda *args: args[0] - args[1], [spec, spec], ["args_0", "args_1"]),
        (lambda x, *args: x - args[0][1], [spec, [spec, spec]], ["args_0", "args_0_1", "x"]),
        (
            lambda x, y: x - y[0] + y[1],
            [tf.TensorSpec([], name="p"), [tf.TensorSpec([], name="q"), spec]],
            ["p", "q", "y"],
        ),
    ]
    for i, (function, signature, names) in enumerate(cases):
        model, folder = tf.Module(), str(tmp_path / f"m{i}")
        model.f = tf.function(function, input_signature=signature)
        tf.saved_model.save(model, folder)
        loaded = tf.saved_model.load(folder)
        serve = loaded.signatures["serving_default"]
        assert serve._arg_keywords == sorted(serve.structured_input_signature[1]) == names
        numbers = tf.nest.map_structure(lambda s: tf.constant(2.0), signature)
        assert loaded.f(*numbers).numpy() == function(*numbers).numpy()


class OfPackage(tf.__internal__.tracking.Trackable):
    """As packages have: a variable that stands for another one, children in plain lists and dictionaries."""

    _should_act_as_resource_variable = True

    def __init__(self, value):
        self.value = value
        self._shared_name = value._shared_name

    def _serialize_to_tensors(self):
        return self.value._serialize_to_tensors()

    def _restore_from_tensors(self, restored_tensors):
        return self.value._restore_from_tensors(restored_tensors)


class HoldsPlainOnes(tf.__internal__.tracking.AutoTrackable):
    def __init__(self):
        self.__dict__["parts"] = [OfPackage(tf.Variable(3.0, name="v"))]

    def _trackable_children(self, save_type="checkpoint", **kwargs):
        plain = {"parts": list(self.parts), "by_name": {"first": self.parts[0]}} if save_type == "savedmodel" else {}
        return {**super()._trackable_children(save_type, **kwargs), **plain}

    @tf.function(input_signature=[tf.TensorSpec([])])
    def f(self, x):
        return x * self.parts[0].value


def test_variables_that_stand_for_others(tmp_path):
    model = HoldsPlainOnes()
    tf.saved_model.save(model, str(tmp_path / "m"))
    loaded = tf.saved_model.load(str(tmp_path / "m"))
    assert loaded.f(tf.constant(2.0)).numpy() == 6 and loaded.parts[0] is loaded.by_name["first"]
    loaded.parts[0].assign(5.0)
    assert loaded.f(tf.constant(2.0)).numpy() == 10


def test_views_ask_their_own_children():
    model = tf.Module()
    model.v, model.w = tf.Variable(1.0), [tf.Variable(2.0)]

    class Without(tf.train.TrackableView):
        @classmethod
        def children(cls, obj, save_type="checkpoint", **kwargs):
            return {k: v for k, v in super().children(obj, save_type, **kwargs).items() if k != "w"}

    assert len(tf.train.TrackableView(model).descendants()) == 4
    assert Without(model).descendants() == [model, model.v]


def test_saved_again(saved, tmp_path):
    model = tf.saved_model.load(saved)
    model.v.assign(7.0)
    tf.saved_model.save(model, str(tmp_path / "again"))
    again = tf.saved_model.load(str(tmp_path / "again"))
    assert again.f(tf.constant(1.0))["y"].numpy() == 7


def test_what_cannot_be_saved(tmp_path):
    outside = tf.Variable(1.0)
    module = tf.Module()
    module.f = tf.function(lambda: outside + 1.0, input_signature=[])
    with pytest.raises(AssertionError, match="untracked"):
        tf.saved_model.save(module, str(tmp_path / "m"))
    with pytest.raises(ValueError, match="Expected an object of type `Trackable`"):
        tf.saved_model.save(3, str(tmp_path / "m"))
    with pytest.raises(OSError, match="SavedModel file does not exist at"):
        tf.saved_model.load(str(tmp_path / "nothing"))


def test_tensorflows_own(tmp_path):
    model = tf.saved_model.load(str(DATA / "objects"))
    assert model.tensorflow_version and model.signatures is not None


def _session_model(folder, use_resource):
    v1 = tf.compat.v1
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [None], name="x")
        v = v1.Variable(3.0, name="v", use_resource=use_resource)
        y = tf.multiply(x, v, name="y")
        session.run(v.initializer)
        v1.saved_model.simple_save(session, folder, {"x": x}, {"y": y})


@pytest.mark.parametrize("use_resource", [True, False])
def test_models_of_sessions(tmp_path, use_resource):
    v1, folder = tf.compat.v1, str(tmp_path / "m")
    _session_model(folder, use_resource)
    with tf.Graph().as_default(), v1.Session() as session:
        meta_graph = v1.saved_model.load(session, ["serve"], folder)
        signature = meta_graph.signature_def["serving_default"]
        assert v1.saved_model.is_valid_signature(signature)
        assert session.run(signature.outputs["y"].name, {signature.inputs["x"].name: [2.0]}).tolist() == [6]
        with pytest.raises(RuntimeError, match="could not be found in SavedModel"):
            v1.saved_model.load(session, ["other"], folder)
    model = tf.saved_model.load(folder)
    assert model.signatures["serving_default"](x=tf.constant([2.0]))["y"].numpy().tolist() == [6]
    assert model.prune("x:0", "y:0")(tf.constant([1.0])).numpy().tolist() == [3]
    with pytest.raises(AssertionError, match="already exists, and isn't empty"):
        v1.saved_model.Builder(folder)


def test_models_of_sessions_are_functions_with_variables(tmp_path):
    folder = str(tmp_path / "m")
    _session_model(folder, True)
    model = tf.saved_model.load(folder)
    model.variables[0].assign(5.0)
    with tf.GradientTape() as tape:
        y = model.signatures["serving_default"](x=tf.constant([2.0]))["y"]
    assert y.numpy().tolist() == [10] and tape.gradient(y, model.variables[0]).numpy() == 2
    tf.saved_model.save(model, str(tmp_path / "n"), model.signatures)
    again = tf.saved_model.load(str(tmp_path / "n"))
    assert again.signatures["serving_default"](x=tf.constant([2.0]))["y"].numpy().tolist() == [10]


class Tables(tf.Module):
    def __init__(self, folder):
        super().__init__()
        (folder / "words").write_text("a\nb\nc\n")
        index = tf.lookup.TextFileIndex
        lines = tf.lookup.TextFileInitializer(
            str(folder / "words"), tf.string, index.WHOLE_LINE, tf.int64, index.LINE_NUMBER
        )
        pairs = tf.lookup.KeyValueTensorInitializer(tf.constant(["x", "y"]), tf.constant([1, 2], tf.int64))
        self.of_file = tf.lookup.StaticHashTable(lines, -1)
        self.of_pairs = tf.lookup.StaticHashTable(pairs, -1)
        self.mutable = tf.lookup.experimental.MutableHashTable(tf.string, tf.float32, -1.0)
        self.mutable.insert(tf.constant(["k"]), tf.constant([7.0]))

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="words")])
    def look(self, words):
        return {"f": self.of_file.lookup(words), "p": self.of_pairs.lookup(words), "m": self.mutable.lookup(words)}


def test_tables(tmp_path):
    folder = str(tmp_path / "m")
    tf.saved_model.save(Tables(tmp_path), folder)
    (tmp_path / "words").unlink()
    expected = {"f": [-1, 1, -1], "p": [1, -1, -1], "m": [-1, -1, 7]}
    found = tf.saved_model.load(folder).look(tf.constant(["x", "b", "k"]))
    assert {k: v.numpy().tolist() for k, v in found.items()} == expected
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        signature = tf.compat.v1.saved_model.load(session, ["serve"], folder).signature_def["serving_default"]
        outputs = {k: info.name for k, info in signature.outputs.items()}
        found = session.run(outputs, {signature.inputs["words"].name: ["x", "b", "k"]})
    assert {k: v.tolist() for k, v in found.items()} == expected


def test_each_load_has_tables_of_its_own(tmp_path):
    class Table(tf.Module):
        def __init__(self):
            self.table = tf.lookup.experimental.MutableHashTable(tf.string, tf.float32, -1.0)

        @tf.function(input_signature=[tf.TensorSpec([], tf.string), tf.TensorSpec([], tf.float32)])
        def put(self, key, value):
            self.table.insert(key, value)
            return self.table.size()

        @tf.function(input_signature=[tf.TensorSpec([], tf.string)])
        def look(self, key):
            return self.table.lookup(key)

    def size_of(name):
        table = tf.raw_ops.MutableHashTableV2(shared_name=name, key_dtype=tf.string, value_dtype=tf.float32)
        return tf.raw_ops.LookupTableSizeV2(table_handle=table).numpy()

    tf.saved_model.save(Table(), str(tmp_path))
    a, b = (tf.saved_model.load(str(tmp_path)) for _ in range(2))
    assert a.put("x", 1.0) == 1
    assert a.look("x") == 1 and b.look("x") == -1
    (create,) = a.table._saved_functions["_create_resource"].concrete_functions
    (name,) = [n.attr["shared_name"].s for n in create.graph.as_graph_def().node if n.op == "MutableHashTableV2"]
    assert size_of(name) == 1
    look = a.look.concrete_functions[0]
    del a, create
    gc.collect()
    assert look(tf.constant("x")).numpy() == 1
    del look
    gc.collect()
    _native.context_call("clear_caches", "")  # the op in size_of keeps what it has found
    assert size_of(name) == 0  # a new one: it has gone with the model


def test_types_of_functions(tmp_path):
    module = tf.Module()
    module.f = tf.function(lambda x, flag=True: [x, {"y": x}]).get_concrete_function(tf.TensorSpec([2], name="x"))
    tf.saved_model.save(module, str(tmp_path / "m"))
    loaded = tf.saved_model.load(str(tmp_path / "m")).f
    assert loaded.pretty_printed_signature() == (
        "Input Parameters:\n  x (POSITIONAL_OR_KEYWORD): TensorSpec(shape=(2,), dtype=tf.float32, name='x')\n"
        "  flag (POSITIONAL_OR_KEYWORD): Literal[True]\nOutput Type:\n  List[TensorSpec(shape=(2,), dtype=tf.float32, "
        "name='tensor_0'), Dict[['y', TensorSpec(shape=(2,), dtype=tf.float32, name='tensor_1_y')]]]\nCaptures:\n  None"
    )


def test_ragged_and_sparse_arguments(tmp_path):
    module = tf.Module()
    module.ragged = tf.function(lambda r: r + 1.0, input_signature=[tf.RaggedTensorSpec([None, None], tf.float32)])
    module.dense = tf.function(tf.sparse.to_dense, input_signature=[tf.SparseTensorSpec([None, None], tf.float32)])
    tf.saved_model.save(module, str(tmp_path / "m"))
    loaded = tf.saved_model.load(str(tmp_path / "m"))
    assert loaded.ragged(tf.ragged.constant([[1.0], [2.0, 3.0]])).to_list() == [[2], [3, 4]]
    assert loaded.dense(tf.SparseTensor([[0, 1]], [5.0], [1, 2])).numpy().tolist() == [[0, 5]]


def test_a_table_of_an_asset(tmp_path):
    class Words(tf.Module):
        def __init__(self, path):
            super().__init__()
            self.file = tf.saved_model.Asset(path)
            rows = tf.lookup.TextFileIndex
            self.table = tf.lookup.StaticVocabularyTable(
                tf.lookup.TextFileInitializer(self.file, tf.string, rows.WHOLE_LINE, tf.int64, rows.LINE_NUMBER), 2
            )

        @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
        def lookup(self, words):
            return self.table.lookup(words)

    path = tmp_path / "words.txt"
    path.write_text("a\nb\nc\n")
    words = Words(str(path))
    assert words.lookup(tf.constant(["b", "c"])).numpy().tolist() == [1, 2]
    tf.saved_model.save(words, str(tmp_path / "model"))
    path.unlink()
    loaded = tf.saved_model.load(str(tmp_path / "model"))
    assert loaded.lookup(tf.constant(["b", "c"])).numpy().tolist() == [1, 2]
    with open(loaded.file.asset_path.numpy()) as f:
        assert f.read() == "a\nb\nc\n"


def test_outputs_of_loaded_functions_are_specs(tmp_path):
    class Both(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
        def f(self, x):
            return {"a": x, "b": (x + 1.0, x[0])}

        @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
        def g(self, x):
            return x

    both = Both()
    tf.saved_model.save(both, str(tmp_path / "1"), signatures={"s": both.g})
    loaded = tf.saved_model.load(str(tmp_path / "1"))
    (f,), (g,) = loaded.f.concrete_functions, loaded.g.concrete_functions
    x, scalar = tf.TensorSpec([None], tf.float32, "a"), tf.TensorSpec([], tf.float32, "b_1")
    assert f.structured_outputs == {"a": x, "b": (tf.TensorSpec([None], tf.float32, "b_0"), scalar)}
    assert f.output_shapes == {"a": x.shape, "b": (x.shape, scalar.shape)} and g.structured_outputs.name == "unknown"
    assert loaded.signatures["s"].structured_outputs == {"output_0": tf.TensorSpec([None], tf.float32, "output_0")}
    tf.saved_model.save(loaded, str(tmp_path / "2"), signatures=loaded.signatures)
    again = tf.saved_model.load(str(tmp_path / "2"))
    assert again.signatures["s"](tf.constant([3.0]))["output_0"].numpy().tolist() == [3.0]
    assert again.f(tf.constant([3.0]))["b"][0].numpy().tolist() == [4.0]


def test_fingerprints(tmp_path):
    module = tf.Module()
    module.v = tf.Variable([1.0, 2.0])
    tf.saved_model.save(module, str(tmp_path))
    read = tf.saved_model.experimental.read_fingerprint(str(tmp_path))
    hashed = tf.fingerprint([(tmp_path / "variables" / "variables.index").read_bytes()])[0].numpy()
    assert read.checkpoint_hash == int.from_bytes(hashed.tobytes(), "little")
    hashed = tf.fingerprint([(tmp_path / "saved_model.pb").read_bytes()])[0].numpy()
    assert read.saved_model_checksum == int.from_bytes(hashed.tobytes(), "little")
    assert read == tf.saved_model.experimental.read_fingerprint(tmp_path) != tf.saved_model.experimental.Fingerprint()
    assert read.version.producer == 4 and len(read.singleprint().split("/")) == 4
    numbers = ", ".join(
        str(getattr(read, name))
        for name in "saved_model_checksum graph_def_program_hash signature_def_hash saved_object_graph_hash "
        "checkpoint_hash".split()
    )
    assert repr(read) == f"Fingerprint({numbers})" and str(read).startswith("SavedModel Fingerprint\n  saved_model_c")
    with pytest.raises(ValueError, match="no graph_def_program_hash"):
        tf.saved_model.experimental.Fingerprint(1).singleprint()
    with pytest.raises(FileNotFoundError, match="Could not find fingerprint in directory"):
        tf.saved_model.experimental.read_fingerprint(str(tmp_path / "none"))


def test_assets_of_a_loaded_model_are_in_its_meta_graph(tmp_path):
    v1 = tf.compat.v1
    vocabulary = tmp_path / "words.txt"
    vocabulary.write_text("a\nb\n")
    with tf.Graph().as_default(), v1.Session() as s:
        v1.add_to_collection(v1.GraphKeys.ASSET_FILEPATHS, tf.constant(str(vocabulary)))
        builder = v1.saved_model.builder.SavedModelBuilder(str(tmp_path / "m"))
        assets = v1.get_collection(v1.GraphKeys.ASSET_FILEPATHS)
        builder.add_meta_graph_and_variables(s, ["serve"], assets_collection=assets)
        builder.save()
    with tf.Graph().as_default(), v1.Session() as s:
        v1.saved_model.loader.load(s, ["serve"], str(tmp_path / "m"))
        made = v1.train.export_meta_graph()
        (packed,) = made.collection_def["saved_model_assets"].any_list.value
        assert packed.type_url.endswith("tensorflow.AssetFileDef") and b"words.txt" in packed.value
