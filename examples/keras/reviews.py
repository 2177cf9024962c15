#!/usr/bin/env python3
"""Tells praise from complaint: words become numbers within the model, so that it takes plain sentences.

KERAS_BACKEND=tensorflow python -m sluice examples/keras/reviews.py
"""

import random
import sys

import keras
import numpy as np
import tensorflow as tf
from keras import layers

THINGS = ["room", "soup", "waiter", "garden", "film", "bed", "view", "music", "coffee", "service"]
GOOD = ["lovely", "fresh", "kind", "bright", "quiet", "warm", "excellent"]
BAD = ["cold", "rude", "noisy", "dirty", "dull", "stale", "dreadful"]


def sentence(chance, praise):
    """A sentence on two things; "not" turns a word round, so that single words do not tell."""
    parts = []
    for _ in range(2):
        turned = chance.random() < 0.3
        word = chance.choice(GOOD if praise != turned else BAD)
        parts.append(f"the {chance.choice(THINGS)} was {'not ' if turned else 'so '}{word}")
    return " and ".join(parts)


keras.utils.set_random_seed(1)
chance = random.Random(1)
labels = np.array([chance.random() < 0.5 for _ in range(2500)], "float32")
texts = [sentence(chance, bool(label)) for label in labels]

words = layers.TextVectorization(output_sequence_length=16)
words.adapt(texts[:2000])
text = keras.Input((), dtype="string")
x = layers.Embedding(words.vocabulary_size(), 16, mask_zero=True)(words(text))
x = layers.Bidirectional(layers.GRU(16))(x)
model = keras.Model(text, layers.Dense(1, activation="sigmoid")(x))
model.compile(keras.optimizers.Adam(0.01), "binary_crossentropy", metrics=["accuracy"])

learn = tf.data.Dataset.from_tensor_slices((texts[:2000], labels[:2000])).shuffle(2000, seed=1).batch(50).prefetch(1)
test = tf.data.Dataset.from_tensor_slices((texts[2000:], labels[2000:])).batch(100)
model.fit(learn, validation_data=test, epochs=5, verbose=2)
loss, accuracy = model.evaluate(test, verbose=0)
for line in ["the soup was not cold and the waiter was so kind", "the bed was not warm and the film was so dull"]:
    print(f"{model.predict(tf.constant([line]), verbose=0)[0, 0]:.3f}  {line}")
print(f"of sentences that it has not seen it judges {accuracy:.1%} rightly")
sys.exit(0 if accuracy > 0.95 else 1)
