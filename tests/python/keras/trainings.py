"""Ways of training one small model: callbacks, weights, sources of data, steps, devices. A function gives numbers."""

import csv
import os
import tempfile

import keras
import numpy as np
import tensorflow as tf

L, ops = keras.layers, keras.ops


def data(seed=0, rows=40):
    r = np.random.RandomState(seed)
    x = r.normal(size=(rows, 4)).astype("float32")
    return x, (x[:, :1] - 0.5 * x[:, 1:2] + 0.1 * r.normal(size=(rows, 1))).astype("float32")


def net(**kwargs):
    model = keras.Sequential([keras.Input((4,)), L.Dense(6, activation="tanh"), L.Dense(1)])
    model.compile(**{"optimizer": keras.optimizers.Adam(0.02), "loss": "mse", "metrics": ["mae"], **kwargs})
    return model


def told(history):
    return [float(v) for key in sorted(history.history) for v in history.history[key]]


def fitted(model=None, x=None, y=None, **kwargs):
    model = model or net()
    if x is None:
        x, y = data()
    history = model.fit(x, y, **{"epochs": 3, "batch_size": 8, "verbose": 0, "shuffle": False, **kwargs})
    return {"losses": told(history), "predictions": np.ravel(model.predict(data()[0][:6], verbose=0)).tolist()}


# ---- callbacks


def checkpoints():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "{epoch}-{val_loss:.3f}.weights.h5")
        best = os.path.join(folder, "best.keras")
        model = net()
        callbacks = [
            keras.callbacks.ModelCheckpoint(path, save_weights_only=True),
            keras.callbacks.ModelCheckpoint(best, monitor="val_loss", save_best_only=True),
        ]
        found = fitted(model, validation_split=0.2, callbacks=callbacks)
        files = sorted(f for f in os.listdir(folder) if f.endswith(".h5"))
        again = net()
        again.load_weights(os.path.join(folder, files[0]))
        x, y = data()
        first = again.evaluate(x[32:], y[32:], verbose=0)
        loaded = keras.saving.load_model(best).evaluate(x[32:], y[32:], verbose=0)
    return {**found, "names": [float(f.split("-")[1][:5]) for f in files], "first": first, "best": loaded}


def backup():
    """Training that broke off goes on where it was."""

    class Break(keras.callbacks.Callback):
        def on_epoch_begin(self, epoch, logs=None):
            if epoch == 2:
                raise RuntimeError("broken off")

    with tempfile.TemporaryDirectory() as folder:
        restore = lambda: keras.callbacks.BackupAndRestore(os.path.join(folder, "backup"))
        try:
            fitted(net(), epochs=4, callbacks=[restore(), Break()])
        except RuntimeError:
            pass
        return fitted(net(), epochs=4, callbacks=[restore()])


def early_stopping():
    stop = keras.callbacks.EarlyStopping("val_loss", patience=2, restore_best_weights=True)
    found = fitted(net(optimizer=keras.optimizers.SGD(0.3)), epochs=12, validation_split=0.25, callbacks=[stop])
    return {**found, "stopped": [float(stop.stopped_epoch)]}


def csv_log():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "log.csv")
        found = fitted(callbacks=[keras.callbacks.CSVLogger(path)])
        with open(path) as file:
            rows = list(csv.DictReader(file))
    return {**found, "rows": [float(row[key]) for row in rows for key in sorted(row) if row[key] != "NA"]}


def functions_as_callbacks():
    """What each is called with, in order."""
    seen = []
    noted = keras.callbacks.LambdaCallback(
        on_epoch_end=lambda epoch, logs: seen.append(logs["loss"]),
        on_train_batch_end=lambda batch, logs: seen.append(logs["loss"]),
        on_train_begin=lambda logs: seen.append(0.0),
    )
    return {**fitted(callbacks=[noted]), "seen": [float(v) for v in seen]}


def schedules():
    callbacks = [
        keras.callbacks.LearningRateScheduler(lambda epoch, rate: rate * 0.5 if epoch else rate),
        keras.callbacks.ReduceLROnPlateau("loss", factor=0.1, patience=1, min_delta=1.0, min_lr=1e-4),
    ]
    model = net()
    found = fitted(model, epochs=5, callbacks=callbacks)
    return {**found, "rate": [float(model.optimizer.learning_rate.numpy())]}


def terminated():
    x, y = data()
    y[20] = np.nan
    found = fitted(net(), x, y, callbacks=[keras.callbacks.TerminateOnNaN()])
    return {"epochs": [float(len(found["losses"]))]}


def averaged():
    model = net(optimizer=keras.optimizers.SGD(0.05, use_ema=True, ema_momentum=0.9))
    return fitted(model, validation_split=0.2, callbacks=[keras.callbacks.SwapEMAWeights()])


def tensorboard():
    """The scalars that its files have."""
    with tempfile.TemporaryDirectory() as folder:
        log = keras.callbacks.TensorBoard(folder, histogram_freq=1, write_graph=True, update_freq="epoch")
        found = fitted(validation_split=0.2, callbacks=[log])
        scalars = {}
        for kind in ("train", "validation"):
            for name in os.listdir(os.path.join(folder, kind)):
                for event in tf.compat.v1.train.summary_iterator(os.path.join(folder, kind, name)):
                    for value in event.summary.value:
                        if value.metadata.plugin_data.plugin_name == "scalars":
                            made = float(tf.make_ndarray(value.tensor))
                            scalars.setdefault(f"{kind}/{value.tag}", []).append(made)
    return {**found, "names": [float(len(scalars))], "scalars": [v for key in sorted(scalars) for v in scalars[key]]}


# ---- what examples count, and where they come from


def class_weights():
    x, y = data()
    model = keras.Sequential([keras.Input((4,)), L.Dense(3, activation="softmax")])
    model.compile(keras.optimizers.SGD(0.1), "sparse_categorical_crossentropy", weighted_metrics=["accuracy"])
    kinds = (x[:, 0] > 0).astype("int32") + (x[:, 1] > 0)
    return fitted(model, x, kinds, class_weight={0: 0.5, 1: 2.0, 2: 1.0})


def sample_weights():
    model = net(weighted_metrics=["mae"])
    return fitted(model, sample_weight=np.linspace(0.1, 2.0, 40, dtype="float32"))


def generator():
    def batches():
        x, y = data()
        while True:
            for at in range(0, 40, 8):
                yield x[at : at + 8], y[at : at + 8], np.full(8, 0.5, "float32")

    return fitted(net(), batches(), None, batch_size=None, steps_per_epoch=5)


class Halves(keras.utils.PyDataset):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.x, self.y = data()
        self.epochs = 0

    def __len__(self):
        return 5

    def __getitem__(self, at):
        return self.x[8 * at : 8 * at + 8], self.y[8 * at : 8 * at + 8]

    def on_epoch_end(self):
        self.epochs += 1
        self.y = self.y * 0.9


def py_dataset():
    return fitted(net(), Halves(), None, batch_size=None)


def py_dataset_of_workers():
    return fitted(net(), Halves(workers=2, max_queue_size=3), None, batch_size=None)


def datasets():
    rows = tf.data.Dataset.from_tensor_slices(data()).shuffle(40, seed=4).batch(8, drop_remainder=True)
    whole = rows.map(lambda x, y: (x + 0.1, y), num_parallel_calls=tf.data.AUTOTUNE).prefetch(2)
    return fitted(net(), whole, None, batch_size=None, validation_data=rows.take(2))


def endless_dataset():
    rows = tf.data.Dataset.from_tensor_slices(data()).repeat().batch(8)
    return fitted(net(), rows, None, batch_size=None, steps_per_epoch=4, validation_data=rows, validation_steps=2)


def validation():
    return fitted(validation_split=0.3, validation_freq=2, epochs=4, initial_epoch=1)


def validation_data():
    x, y = data(1)
    return fitted(validation_data=(x, y, np.ones(40, "float32")), validation_batch_size=16)


def shuffled():
    return fitted(shuffle=True)


def sparse_inputs():
    x, y = data()
    x = np.where(np.abs(x) > 0.5, x, 0)
    inputs = keras.Input((4,), sparse=True)
    model = keras.Model(inputs, L.Dense(1)(inputs))
    model.compile(keras.optimizers.SGD(0.1), "mse")
    rows = tf.data.Dataset.from_tensor_slices((tf.sparse.from_dense(x), y)).batch(8)
    history = model.fit(rows, epochs=3, verbose=0)
    return {"losses": told(history)}


def ragged_inputs():
    """Rows of several lengths through a layer of text."""
    words = tf.ragged.constant([["a", "b"], ["c"], ["a", "c", "b"], ["b"]] * 5)
    ids = L.StringLookup(vocabulary=["a", "b", "c"])(words).to_tensor(shape=(20, 3))
    model = keras.Sequential([L.Embedding(5, 3, mask_zero=True), L.GRU(4), L.Dense(1)])
    model.compile(keras.optimizers.Adam(0.02), "mse")
    history = model.fit(ids, np.arange(20.0) % 4, epochs=3, batch_size=5, shuffle=False, verbose=0)
    return {"losses": told(history)}


# ---- steps


class OwnStep(keras.Model):
    """A step with a loss of its own, on what compile and the base class have made ready."""

    def __init__(self):
        super().__init__()
        self.body = keras.Sequential([L.Dense(6, activation="tanh"), L.Dense(1)])

    def call(self, x, training=False):
        return self.body(x)

    def train_step(self, batch):
        x, y = batch
        with tf.GradientTape() as tape:
            answer = self(x, training=True)
            loss = self.compute_loss(x=x, y=y, y_pred=answer) + 0.01 * tf.add_n(
                [tf.nn.l2_loss(w.value) for w in self.trainable_variables]
            )
            loss = self.optimizer.scale_loss(loss)
        found = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply(found, self.trainable_variables)
        for metric in self.metrics:
            if metric.name == "loss":
                metric.update_state(loss)
            else:
                metric.update_state(y, answer)
        return {m.name: m.result() for m in self.metrics}

    def test_step(self, batch):
        x, y = batch
        return {"error": tf.reduce_mean(tf.abs(y - self(x)))}

    def predict_step(self, batch):
        return self(batch[0] if isinstance(batch, tuple) else batch) * 2.0


def own_step():
    model = OwnStep()
    model.compile(keras.optimizers.SGD(0.05, momentum=0.9), "mse", metrics=["mae"])
    found = fitted(model)
    return {**found, "evaluated": list(map(float, model.evaluate(*data(), verbose=0, return_dict=True).values()))}


def several_steps_per_call():
    return fitted(net(steps_per_execution=3), validation_split=0.2)


def all_steps_in_one_call():
    return fitted(net(steps_per_execution=5))


def compiled():
    return fitted(net(jit_compile=True))


def compiled_by_itself():
    return fitted(net(jit_compile="auto"))


def eagerly():
    return fitted(net(run_eagerly=True), epochs=2)


def by_batch():
    model, (x, y) = net(), data()
    losses = [model.train_on_batch(x[at : at + 8], y[at : at + 8], return_dict=True)["loss"] for at in range(0, 40, 8)]
    tested = model.test_on_batch(x, y)
    return {
        "losses": list(map(float, losses + tested)),
        "predictions": np.ravel(model.predict_on_batch(x[:6])).tolist(),
    }


def layers_frozen_later():
    model = net()
    first = fitted(model)["losses"]
    model.layers[0].trainable = False
    model.compile(keras.optimizers.SGD(0.05), "mae")
    return {"losses": first + fitted(model)["losses"]}


def traces():
    """How often the step is traced: once for each shape of batch, and not again in later epochs and calls."""
    counted = []

    class Counting(L.Layer):
        def call(self, x):
            if not isinstance(x, keras.KerasTensor) and not tf.executing_eagerly():
                counted.append(x.shape.as_list())
            return x

    model = keras.Sequential([keras.Input((4,)), Counting(), L.Dense(1)])
    model.compile("sgd", "mse")
    fitted(model, epochs=2)
    before = len(counted)
    fitted(model, epochs=4)
    model.evaluate(*data(), batch_size=8, verbose=0)
    after = len(counted)
    model.evaluate(*data(), batch_size=8, verbose=0)
    model.predict(data()[0], batch_size=8, verbose=0)
    model.predict(data()[0], batch_size=8, verbose=0)
    return {"again": [float(after - before <= 2), float(len(counted) - after <= 2)]}


# ---- devices


def mirrored():
    with tf.distribute.MirroredStrategy(["/cpu:0"]).scope():
        model = net()
    return fitted(model)


def two():
    return tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])


def normalized(synchronized=False):
    model = keras.Sequential(
        [
            keras.Input((4,)),
            L.Dense(6, activation="tanh"),
            L.BatchNormalization(synchronized=synchronized),
            L.Dropout(0.3, seed=1),
            L.Dense(1),
        ]
    )
    model.compile(keras.optimizers.SGD(0.05), "mse", metrics=["mae"])
    return model


def on_two_devices():
    """Each of them takes half of a batch; the last batch has six rows."""
    with two().scope():
        model = normalized()
    x, y = data(rows=46)
    found = fitted(model, x, y, validation_split=0.25)
    weights = np.linspace(0.1, 2.0, 46).astype("float32")
    weighted = fitted(model, x, y, sample_weight=weights)
    return {**found, "evaluated": model.evaluate(x, y, batch_size=16, verbose=0), "weighted": weighted["losses"]}


def on_two_devices_eagerly():
    with two().scope():
        model = normalized()
        model.compile(keras.optimizers.SGD(0.05), "mse", metrics=["mae"], run_eagerly=True)
    return fitted(model, epochs=2)


def on_two_devices_synchronized():
    with two().scope():
        model = normalized(synchronized=True)
    return fitted(model)


def on_two_devices_embedded():
    """Gradients that are IndexedSlices, and a loop in each replica."""
    x = np.random.RandomState(3).randint(0, 20, (30, 5))
    with two().scope():
        model = keras.Sequential([keras.Input((5,), dtype="int32"), L.Embedding(20, 3), L.LSTM(4), L.Dense(1)])
        model.compile(keras.optimizers.Adam(0.01), "mse")
    history = model.fit(x, x.sum(1) / 20.0, epochs=2, batch_size=8, verbose=0, shuffle=False)
    return {"losses": told(history), "predictions": np.ravel(model.predict(x, verbose=0)).tolist()}


def on_two_devices_scaled():
    with two().scope():
        model = net(optimizer=keras.optimizers.LossScaleOptimizer(keras.optimizers.SGD(0.05)))
    return fitted(model)


def on_two_devices_from_files():
    """A model that was trained on two devices goes on there, read from each kind of file."""
    x, y = data()
    with two().scope():
        model = normalized()
    fitted(model)
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        model.save(os.path.join(folder, "m.keras"))
        path = tf.train.Checkpoint(model=model).save(os.path.join(folder, "c"))
        found["names"] = float(len([n for n, _ in tf.train.list_variables(path) if n.startswith("model")]))
        plain = keras.saving.load_model(os.path.join(folder, "m.keras"))
        found["plain"] = plain.evaluate(x, y, verbose=0)
        with two().scope():
            again = keras.saving.load_model(os.path.join(folder, "m.keras"))
        found["again"] = fitted(again)["losses"]
        tf.train.Checkpoint(model=again).restore(path)
        found["restored"] = again.evaluate(x, y, verbose=0)
    return found


def on_two_devices_from_function():
    x, y = data(rows=48)
    strategy = two()
    with strategy.scope():
        model = net()

    def make(context):
        rows = context.get_per_replica_batch_size(16)
        return tf.data.Dataset.from_tensor_slices((x, y)).batch(rows)

    history = model.fit(strategy.distribute_datasets_from_function(make), verbose=0)
    return {"losses": told(history)}


def on_one_device():
    with tf.distribute.OneDeviceStrategy("/cpu:0").scope():
        model = net()
    return fitted(model)


# ---- files


def exported():
    """What a SavedModel answers that was exported, of two endpoints."""
    model = net()
    found = fitted(model)
    with tempfile.TemporaryDirectory() as folder:
        model.export(os.path.join(folder, "whole"), verbose=False)
        whole = tf.saved_model.load(os.path.join(folder, "whole"))
        served = whole.serve(data()[0][:6])
        archive = keras.export.ExportArchive()
        archive.track(model)
        archive.add_endpoint("answer", model.__call__, [tf.TensorSpec([None, 4])])
        archive.write_out(os.path.join(folder, "archive"), verbose=False)
        part = tf.saved_model.load(os.path.join(folder, "archive"))
        answer = part.answer(data()[0][:6])
    return {**found, "served": np.ravel(served).tolist(), "answer": np.ravel(answer).tolist()}


def old_files():
    """Whole models in files of HDF5, of Keras 2."""
    model = net()
    found = fitted(model)
    with tempfile.TemporaryDirectory() as folder:
        model.save(os.path.join(folder, "model.h5"))
        loaded = keras.saving.load_model(os.path.join(folder, "model.h5"), compile=False)
    return {**found, "loaded": np.ravel(loaded.predict(data()[0][:6], verbose=0)).tolist()}


def checkpoints_of_tensorflow():
    model = net()
    fitted(model)
    with tempfile.TemporaryDirectory() as folder:
        path = tf.train.Checkpoint(model=model, optimizer=model.optimizer).save(os.path.join(folder, "c"))
        again = net()
        again.optimizer.build(again.trainable_variables)
        tf.train.Checkpoint(model=again, optimizer=again.optimizer).restore(path).assert_consumed()
        return fitted(again)


def copied():
    model = net()
    fitted(model)
    twin = keras.models.clone_model(model)
    twin.set_weights(model.get_weights())
    twin.compile("sgd", "mse")
    return {"predictions": np.ravel(twin.predict(data()[0][:6], verbose=0)).tolist(), "losses": fitted(twin)["losses"]}


def quantised():
    model = net()
    fitted(model)
    model.quantize("int8")
    return {"predictions": np.ravel(model.predict(data()[0][:6], verbose=0)).tolist(), "within": 1e-3}


def rows():
    made = (
        checkpoints, backup, early_stopping, csv_log, functions_as_callbacks, schedules, terminated, averaged, tensorboard,
        class_weights, sample_weights, generator, py_dataset, py_dataset_of_workers, datasets, endless_dataset, validation,
        validation_data, shuffled, sparse_inputs, ragged_inputs, own_step, several_steps_per_call, all_steps_in_one_call,
        compiled, compiled_by_itself, eagerly, by_batch, layers_frozen_later, traces, mirrored, on_one_device, exported,
        on_two_devices, on_two_devices_eagerly, on_two_devices_synchronized, on_two_devices_embedded, on_two_devices_scaled,
        on_two_devices_from_files,  on_two_devices_from_function,
        old_files, checkpoints_of_tensorflow, copied, quantised,
    )  # fmt: skip
    return {f.__name__: f for f in made}
