#!/usr/bin/env python3
"""What Keras costs on a module: bench_keras.py MODULE prints name, least and median nanoseconds of each case.

MODULE is sluice or tensorflow, and Keras is the same. The cases end with the most resident memory, in bytes.
"""

import os
import resource
import statistics
import sys
import time

os.environ["KERAS_BACKEND"] = "tensorflow"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"


def say(name, times):
    print(name, min(times), statistics.median(times), sep="\t", flush=True)


def timed(call):
    begin = time.perf_counter_ns()
    call()
    return time.perf_counter_ns() - begin


def start():
    if sys.argv[1] == "sluice":
        import sluice

        sluice.install_as_tensorflow()
    import keras

    keras.ops.ones(1)  # both load the most of what they have when the first op runs


say("import", [timed(start)])

import keras  # noqa: E402
import numpy as np  # noqa: E402

L = keras.layers
random = np.random.RandomState(0)


def dense():
    return keras.Sequential([keras.Input((32,)), L.Dense(64, activation="relu"), L.Dense(64, activation="relu"), L.Dense(10)])


def convolutions():
    return keras.Sequential([
        keras.Input((16, 16, 3)), L.Conv2D(16, 3, activation="relu"), L.MaxPooling2D(), L.Conv2D(32, 3, activation="relu"),
        L.GlobalAveragePooling2D(), L.Dense(10),
    ])  # fmt: skip


def recurrent():
    return keras.Sequential([keras.Input((20, 8)), L.LSTM(32), L.Dense(10)])


def compiled(make):
    model = make()
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    return model


def measure(name, make, steps, rows=32):
    models = []
    built = timed(lambda: models.append(compiled(make)))
    model = models[0]
    x = random.normal(size=(steps * rows, *model.input_shape[1:])).astype("float32")
    y = random.randint(0, 10, steps * rows)
    first = timed(lambda: model.fit(x[:rows], y[:rows], batch_size=rows, verbose=0))
    fits = [timed(lambda: model.fit(x, y, batch_size=rows, verbose=0)) / steps for _ in range(5)]
    one = x[:1]
    model.predict(one, verbose=0)
    predicts = [timed(lambda: model.predict(one, verbose=0)) for _ in range(30)]
    model(one)
    called = [timed(lambda: model(one)) for _ in range(30)]
    for what, times in (("build, compile", [built]), ("first step", [first]), ("a step of fit", fits),
                        ("predict of a row", predicts), ("call with a row", called)):  # fmt: skip
        say(f"{name}: {what}", times)


measure("dense", dense, 200)
measure("convolutions", convolutions, 50)
measure("LSTM", recurrent, 50)
say("most memory", [resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024])
