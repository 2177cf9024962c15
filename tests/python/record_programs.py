#!/usr/bin/env python3
"""Records what TensorFlow gives for the programs of programs/ into data/programs.json; needs tensorflow-cpu.

record_programs.py [NAME...]     of programs whose names start so; all without names, and then what is no program any more goes
"""

import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ["PROGRAMS_ON"] = "tensorflow"
import program_outcomes  # noqa: E402
import programs  # noqa: E402

programs.tf.get_logger().setLevel("ERROR")
programs.tf.autograph.set_verbosity(0)
names = tuple(sys.argv[1:])
stored = program_outcomes.read() if names else {}
for name, program in programs.load().items():
    if not names or name.startswith(names):
        stored[name] = made = program_outcomes.outcomes(program)
        failed = [one["error"][0] for case in made for one in case if "error" in one]
        if failed:
            print(f"{name}: {' '.join(failed)}")
program_outcomes.write(stored)
