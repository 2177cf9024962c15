"""What Keras exports runs without Python: by the command and by the C library, with the numbers of `predict`."""

import ctypes as C
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest
from installed import installed

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "compat"))

pytestmark = pytest.mark.skipif(not installed("keras"), reason="keras is not installed")

# Writes a model, what it is given and what it predicts into the current folder.
EXPORT = """
import os
os.environ["KERAS_BACKEND"] = "tensorflow"
import keras
import numpy as np

keras.utils.set_random_seed(7)
layers, random = keras.layers, np.random.default_rng(3)


def dense():
    return keras.Sequential([keras.Input([6], name="x"), layers.Dense(8, "relu"), layers.BatchNormalization(), layers.Dense(3, "softmax")])


def convolutions():
    return keras.Sequential([keras.Input([12, 12, 3], name="x"), layers.Conv2D(4, 3, activation="gelu"), layers.MaxPooling2D(),
                             layers.SeparableConv2D(6, 3, padding="same"), layers.GlobalAveragePooling2D(), layers.Dense(2)])


def recurrent():
    return keras.Sequential([keras.Input([9, 4], name="x"), layers.Bidirectional(layers.LSTM(5, return_sequences=True)), layers.GRU(4),
                             layers.Dense(1)])


def attention():
    x = keras.Input([7, 8], name="x")
    y = layers.LayerNormalization()(x + layers.MultiHeadAttention(2, 4)(x, x))
    return keras.Model(x, layers.Dense(2)(layers.Flatten()(y)))


model = MODEL()
model.compile("adam", "mse")
x = random.normal(size=(5, *model.input_shape[1:])).astype(np.float32)
model.fit(x, random.normal(size=(5, *model.output_shape[1:])).astype(np.float32), epochs=2, verbose=0)
model.export("model", verbose=False)
np.save("x.npy", x)
np.save("predicted.npy", model.predict(x, verbose=0))
"""


@pytest.fixture(scope="module", params=["dense", "convolutions", "recurrent", "attention"])
def folder(request, tmp_path_factory):
    place = tmp_path_factory.mktemp(request.param)
    program = place / "export.py"
    program.write_text(EXPORT.replace("MODEL", request.param))
    done = subprocess.run(
        [sys.executable, "-m", "sluice", str(program)], capture_output=True, text=True, timeout=900, cwd=place
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return place


def command():
    """The command of the build that the package under test is of."""
    import sluice

    for place in (
        os.environ.get("SLUICE_COMMAND"),
        *(p / "bin" / "sluice" for p in pathlib.Path(sluice.__file__).resolve().parents),
    ):
        if place and os.access(place, os.X_OK):
            return str(place)
    pytest.skip("the command sluice is not beside the package")


def test_the_command_gives_what_predict_gave(folder):
    show = subprocess.run([command(), "show", "model"], capture_output=True, text=True, timeout=300, cwd=folder)
    assert show.returncode == 0 and "serving_default" in show.stdout and "no kernel" not in show.stdout, (
        show.stdout + show.stderr
    )
    run = [command(), "run", "model", "--feed", "x=x.npy", "--fetch", "output_0=out.npy"]
    done = subprocess.run(run, capture_output=True, text=True, timeout=300, cwd=folder)
    assert done.returncode == 0, done.stderr
    np.testing.assert_allclose(np.load(folder / "out.npy"), np.load(folder / "predicted.npy"), rtol=1e-5, atol=1e-6)


def by_c_library(folder, x):
    """TF_LoadSessionFromSavedModel and TF_SessionRun, by the names in the signature of its MetaGraphDef."""
    import sluice as tf
    from c_library import Buffer, Library, Output

    library = Library(str(pathlib.Path(command()).parents[1] / "lib" / "libtensorflow.so.2"))
    graph, meta = library.call("NewGraph"), Buffer()
    tags = (C.c_char_p * 1)(b"serve")
    options, path = library.call("NewSessionOptions"), str(folder / "model").encode()
    session = library.call(
        "LoadSessionFromSavedModel", options, None, path, tags, 1, graph, C.byref(meta), library.status
    )
    assert library.failure() is None
    signature = tf.compat.v1.MetaGraphDef.FromString(C.string_at(meta.data, meta.length)).signature_def[
        "serving_default"
    ]

    def port(info):
        name, index = info.name.split(":")
        return (Output * 1)(Output(library.call("GraphOperationByName", graph, name.encode()), int(index)))

    fed, got = (C.c_void_p * 1)(library.tensor(1, x)), (C.c_void_p * 1)()
    given, wanted = port(signature.inputs["x"]), port(signature.outputs["output_0"])
    library.call("SessionRun", session, None, given, fed, 1, wanted, got, 1, None, 0, None, library.status)
    assert library.failure() is None
    value = library.value(got[0]).copy()
    library.call("CloseSession", session, library.status)
    library.call("DeleteSession", session, library.status)
    library.call("DeleteGraph", graph)
    return value


def test_the_c_library_gives_what_predict_gave(folder):
    found = by_c_library(folder, np.load(folder / "x.npy"))
    np.testing.assert_allclose(found, np.load(folder / "predicted.npy"), rtol=1e-5, atol=1e-6)
