"""compat.v1.app: runs a program's main(argv) once its flags are read, where absl is installed."""

from __future__ import annotations

import sys


def run(main=None, argv=None):
    """Calls main(argv), by default the program's own, with what is left of the command line; exits with what it gives."""
    main = main or sys.modules["__main__"].main
    try:
        from absl import app, flags
    except ImportError:
        sys.exit(main(sys.argv if argv is None else argv))
    app.run(main=main, argv=argv, flags_parser=lambda args: flags.FLAGS(args, known_only=True))
