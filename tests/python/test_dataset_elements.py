"""What datasets give, element by element. The expected elements are TensorFlow 2.21's (data/dataset_elements.json, by
data/record_dataset_elements.py); files are written by the cases themselves."""

import json
import pathlib

import pytest

from data import dataset_cases

import sluice as tf

EXPECTED = json.loads((pathlib.Path(__file__).parent / "data" / "dataset_elements.json").read_text())
CASES = dataset_cases.cases(tf)


@pytest.mark.parametrize("name", CASES)
def test_elements(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert dataset_cases.elements(tf, CASES[name]) == EXPECTED[name]


def test_all_cases_are_recorded():
    assert set(CASES) == set(EXPECTED)
