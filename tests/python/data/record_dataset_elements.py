"""Writes dataset_elements.json: what TensorFlow's datasets give. Run with a Python that has TensorFlow:

python tests/python/data/record_dataset_elements.py
"""

import json
import os
import pathlib
import tempfile

import dataset_cases
import tensorflow as tf

HERE = pathlib.Path(__file__).resolve().parent


def main():
    recorded = {}
    for name, make in dataset_cases.cases(tf).items():
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            recorded[name] = dataset_cases.elements(tf, make)
        os.chdir(HERE)
    rows = [f" {json.dumps(name)}: {json.dumps(value)}" for name, value in recorded.items()]
    (HERE / "dataset_elements.json").write_text("{\n" + ",\n".join(rows) + "\n}\n")


main()
