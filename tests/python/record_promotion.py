#!/usr/bin/env python3
"""Records what TensorFlow gives for the expressions of data/promotion into these files; needs tensorflow-cpu.

Rows keep their expression; new ones are added with nothing behind it.
"""

import subprocess
import sys

import promotion_cases

for mode in promotion_cases.MODES:
    command = [sys.executable, promotion_cases.__file__, "tensorflow", mode]
    made = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    (promotion_cases.DATA / f"{mode}.tsv").write_text(made, encoding="utf-8")
