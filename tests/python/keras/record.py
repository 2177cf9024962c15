"""Writes what TensorFlow gives for rows: python tests/python/keras/record.py [GROUP...], by a Python that has TensorFlow.

With --compare RESULTS, a folder with GROUP.json that run_rows.py wrote under Sluice, it writes nothing and says how far those
are from what is stored; --table prints this as tables for docs/keras.md.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
EXPECTED = os.path.join(HERE, "expected")
PAGE = os.path.join(HERE, "..", "..", "..", "docs", "keras.md")
GROUPS = "layers losses metrics optimizers initializers activations regularizers constraints programs trainings".split()


def rounded(value):
    if isinstance(value, float):
        return float(f"{value:.8g}")
    if isinstance(value, list):
        return [rounded(v) for v in value]
    return {k: rounded(v) for k, v in value.items()} if isinstance(value, dict) else value


def stored(group):
    with open(os.path.join(EXPECTED, group + ".json")) as file:
        return json.load(file)


def write(group, results):
    lines = ",\n".join(f"{json.dumps(n)}: {json.dumps(rounded(r), separators=(',', ':'))}" for n, r in results.items())
    with open(os.path.join(EXPECTED, group + ".json"), "w") as file:
        file.write("{\n" + lines + "\n}\n")


def record(group, names):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.json")
        command = [sys.executable, os.path.join(HERE, "run_rows.py"), group, out]
        subprocess.run(command + (["--names", names] if names else []), check=True)
        with open(out) as file:
            results = json.load(file)
    failed = {name: row["error"] for name, row in results.items() if "error" in row}
    for name, error in failed.items():
        print(f"{group} {name}: {error}", file=sys.stderr)
    results = {name: row for name, row in results.items() if name not in failed}
    write(group, {**stored(group), **results} if names else results)


def compared(group, folder):
    """[(row, largest relative difference, whether saving gives what it gives there)] of what ran."""
    from differences import difference

    with open(os.path.join(folder, group + ".json")) as file:
        found = json.load(file)
    for name, expected in stored(group).items():
        ours = found.get(name, {"error": "it did not run"})
        if "error" in ours:
            yield name, float("inf"), False
        else:
            yield name, difference(ours["numbers"], expected["numbers"]), ours["saved"] == expected["saved"]


def table(group, rows):
    """One line for each name of Keras; further words of a row's name say what is particular about it."""
    names = {}
    for row, far, saved in rows:
        name, _, kind = row.partition(" ")
        names.setdefault(name, []).append((kind, far, saved))
    yield f"| {group} | also | difference |"
    yield "|---|---|---|"
    for name, found in sorted(names.items(), key=lambda item: item[0].lower()):
        far = max(f for _, f, _ in found)
        kinds = ", ".join(kind for kind, _, _ in found if kind)
        lost = "" if all(s for _, _, s in found) else ", not saved"
        yield f"| `{name}` | {kinds} | {'0' if not far else f'{far:.0e}'}{lost} |"
    yield ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("groups", nargs="*")
    parser.add_argument("--names")
    parser.add_argument("--compare")
    parser.add_argument("--table", action="store_true")
    given = parser.parse_args()
    groups = given.groups or GROUPS
    if not given.compare:
        for group in groups:
            record(group, given.names)
        return
    lines = []
    for group in groups:
        rows = list(compared(group, given.compare))
        far = [r for r in rows if r[1] > 1e-5 or not r[2]]
        print(f"{group}: {len(rows) - len(far)} of {len(rows)} within 1e-5", *far)
        lines += table(group, rows)
    if given.table:
        with open(PAGE) as file:
            page = file.read()
        text = "<!-- rows -->\n" + "\n".join(lines) + "<!-- end of rows -->"
        with open(PAGE, "w") as file:
            file.write(re.sub(r"<!-- rows -->.*<!-- end of rows -->", lambda _: text, page, flags=re.S))


if __name__ == "__main__":
    main()
