"""Saved models: what is saved is there again after loading, also from models that TensorFlow wrote."""

import pathlib

import pytest

import sluice as tf

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
    tf.saved_model.save(model, str(tmp_path / "m"))
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
