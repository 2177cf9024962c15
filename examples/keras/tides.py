#!/usr/bin/env python3
"""Foretells a tide-gauge from its last two days, by an LSTM, and compares that with saying "as a day ago".

KERAS_BACKEND=tensorflow python -m sluice examples/keras/tides.py
"""

import sys

import keras
import numpy as np
from keras import layers

WINDOW, HOURS = 48, 4000

keras.utils.set_random_seed(1)
hours = np.arange(HOURS)
noise = np.random.default_rng(1).normal(0, 0.05, HOURS)
level = np.sin(2 * np.pi * hours / 12.42) + 0.4 * np.sin(2 * np.pi * hours / 23.93) + noise
level = level.astype("float32")

first_of_test = 3200
learn = keras.utils.timeseries_dataset_from_array(
    level[: first_of_test - WINDOW, None], level[WINDOW:first_of_test], WINDOW, batch_size=64, shuffle=True, seed=1
)
test = keras.utils.timeseries_dataset_from_array(
    level[first_of_test:-WINDOW, None], level[first_of_test + WINDOW :], WINDOW, batch_size=64
)

model = keras.Sequential([keras.Input((WINDOW, 1)), layers.LSTM(24), layers.Dense(1)])
model.compile(keras.optimizers.Adam(0.01), "mse", metrics=["mae"])
stop = keras.callbacks.EarlyStopping("val_mae", patience=3, restore_best_weights=True)
model.fit(learn, validation_data=test, epochs=8, callbacks=[stop], verbose=2)

_, error = model.evaluate(test, verbose=0)
plain = np.abs(level[first_of_test + 24 :] - level[first_of_test:-24]).mean()
print(f"mean error {error:.3f}; of the level a day ago {plain:.3f}")
sys.exit(0 if error < plain / 2 else 1)
