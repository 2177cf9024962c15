"""Trains rows with the module that `tensorflow` is here, and writes their numbers.

python [-m sluice] run_rows.py GROUP OUT.json [--folder FOLDER] [--names A,B]
"""

import argparse
import json
import os
import sys
import tempfile
import traceback

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ["KERAS_BACKEND"] = "tensorflow"


def rows_of(group):
    import layer_rows
    import name_rows
    import programs
    import trainings

    whole = {"layers": layer_rows, "programs": programs, "trainings": trainings}
    return whole[group].rows() if group in whole else getattr(name_rows, group)()


def two_devices():
    """Two logical CPUs, of which rows use the first unless they say otherwise."""
    import tensorflow as tf

    cpu = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("group")
    parser.add_argument("out")
    parser.add_argument("--folder")
    parser.add_argument("--names")
    given = parser.parse_args()
    if given.group == "trainings":
        two_devices()
    from ten_steps import measure, run

    results = {}
    with tempfile.TemporaryDirectory() as temporary:
        for name, row in rows_of(given.group).items():
            if given.names and name not in given.names.split(","):
                continue
            try:
                if given.group in ("programs", "trainings"):
                    results[name] = {"numbers": run(row), "saved": True}
                else:
                    found, same = measure(row, given.folder or temporary, name.replace(" ", "_"))
                    results[name] = {"numbers": found, "saved": same}
            except Exception as error:
                results[name] = {"error": "".join(traceback.format_exception(error)[-6:])}
                print(f"{given.group} {name}: {type(error).__name__}: {str(error)[:300]}", file=sys.stderr)
    with open(given.out, "w") as file:
        json.dump(results, file)


if __name__ == "__main__":
    main()
