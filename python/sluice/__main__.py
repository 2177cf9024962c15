"""Runs a program to which `import tensorflow` means Sluice.

python -m sluice script.py [ARGUMENT ...]
python -m sluice -m module [ARGUMENT ...]
python -m sluice -c code [ARGUMENT ...]
"""

from __future__ import annotations

import os
import runpy
import sys

from .as_tensorflow import install_as_tensorflow


def main(arguments: list[str]) -> int:
    if arguments[:1] in (["-h"], ["--help"]) or not arguments:
        print(__doc__.strip(), file=sys.stdout if arguments else sys.stderr)
        return 0 if arguments else 2
    install_as_tensorflow()
    if arguments[0] in ("-m", "-c") and len(arguments) > 1:
        sys.argv = [arguments[0], *arguments[2:]]
        sys.path.insert(0, "")
        if arguments[0] == "-m":
            runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        else:
            exec(compile(arguments[1], "<string>", "exec"), {"__name__": "__main__"})
        return 0
    sys.argv = arguments
    if not sys.flags.safe_path and sys.path:  # the folder of the script in place of the current one, which -m has put there
        sys.path[0] = os.path.dirname(os.path.abspath(arguments[0]))
    runpy.run_path(arguments[0], run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
