"""Tracebacks of what goes wrong while a function is traced: of the program's lines, without those of this package."""

from __future__ import annotations

import types

_PACKAGE = __name__.partition(".")[0] + "."

filters = True  # tf.debugging.disable_traceback_filtering


def of_program(error):
    """The exception, its traceback without the package's own frames."""
    if filters:
        kept, at = [], error.__traceback__
        while at is not None:
            if not at.tb_frame.f_globals.get("__name__", "").startswith(_PACKAGE):
                kept.append(at)
            at = at.tb_next
        made = None
        for at in reversed(kept):
            made = types.TracebackType(made, at.tb_frame, at.tb_lasti, at.tb_lineno)
        error.__traceback__ = made
    return error
