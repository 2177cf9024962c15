#!/usr/bin/env python3
"""Reads handwritten digits with a small convolutional net, saves it as one file, and reads with what was saved.

KERAS_BACKEND=tensorflow python -m sluice examples/keras/digits_net.py [DATA]     data: ../train_digits/data beside this file
"""

import gzip
import os
import sys
import tempfile

import keras
import numpy as np
from keras import layers

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "..", "train_digits", "data")


def read(name):
    """An array in MNIST's format: a magic number whose last byte is the rank, the dimensions, the bytes."""
    with gzip.open(os.path.join(DATA, name)) as file:
        data = file.read()
    start = 4 + 4 * data[3]
    return np.frombuffer(data, np.uint8, offset=start).reshape(np.frombuffer(data[4:start], ">i4"))


keras.utils.set_random_seed(1)
images, labels = read("pictures.gz")[..., None], read("labels.gz").astype("int32")
held_out = len(images) // 5

model = keras.Sequential(
    [
        keras.Input((28, 28, 1)),
        layers.Rescaling(1 / 255),
        layers.Conv2D(16, 3, activation="relu"),
        layers.MaxPooling2D(),
        layers.Conv2D(32, 3, activation="relu"),
        layers.MaxPooling2D(),
        layers.Flatten(),
        layers.Dropout(0.3),
        layers.Dense(10, activation="softmax"),
    ]
)
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(images[held_out:], labels[held_out:], batch_size=64, epochs=6, verbose=2)
loss, accuracy = model.evaluate(images[:held_out], labels[:held_out], verbose=0)
print(f"of digits that it has not seen it reads {accuracy:.1%}")

with tempfile.TemporaryDirectory() as folder:
    file = os.path.join(folder, "digits.keras")
    model.save(file)
    again = keras.models.load_model(file)
same = np.array_equal(model.predict(images[:32], verbose=0), again.predict(images[:32], verbose=0))
print("what was saved reads the same" if same else "what was saved reads otherwise")
sys.exit(0 if accuracy > 0.9 and same else 1)
