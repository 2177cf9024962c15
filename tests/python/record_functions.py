#!/usr/bin/env python3
"""Records what TensorFlow's functions give: the second column of data/functions.tsv anew from the first, which are calls.

record_functions.py > functions.tsv         Needs tensorflow-cpu; test_functions.py compares this package with the result.
"""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import tensorflow as tf  # noqa: E402
from function_rows import read, result  # noqa: E402

for call, _ in read():
    print(call, result(tf, call), sep="\t")
