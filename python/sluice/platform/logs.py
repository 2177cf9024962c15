"""Logs: the logger of the package, and compat.v1.logging over it."""

from __future__ import annotations

import logging
import sys

from ..core import fork_locks

DEBUG, INFO, WARN, ERROR, FATAL = logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR, logging.CRITICAL

_NAMES = {FATAL: "FATAL", ERROR: "ERROR", WARN: "WARN", INFO: "INFO", DEBUG: "DEBUG"}
_lock = fork_locks.rlock()
_logger: logging.Logger | None = None
_counts: dict = {}  # line of a program -> how often it has asked


def get_logger() -> logging.Logger:
    """The logger of the package. It writes to stderr, unless the program has handlers of its own."""
    global _logger
    with _lock:
        if _logger is None:
            made = logging.getLogger("sluice")
            made.setLevel(max(made.level, 0) or (INFO if hasattr(sys, "ps1") else WARN))
            if not logging.getLogger().handlers and not made.handlers:
                handler = logging.StreamHandler(sys.stderr)
                handler.setFormatter(logging.Formatter(logging.BASIC_FORMAT, None))
                made.addHandler(handler)
            _logger = made
    return _logger


def log(level, msg, *args, **kwargs):
    get_logger().log(level, msg, *args, **kwargs)


def debug(msg, *args, **kwargs):
    get_logger().debug(msg, *args, **kwargs)


def info(msg, *args, **kwargs):
    get_logger().info(msg, *args, **kwargs)


def warning(msg, *args, **kwargs):
    get_logger().warning(msg, *args, **kwargs)


def warn(msg, *args, **kwargs):
    get_logger().warning(msg, *args, **kwargs)


def error(msg, *args, **kwargs):
    get_logger().error(msg, *args, **kwargs)


def fatal(msg, *args, **kwargs):
    get_logger().fatal(msg, *args, **kwargs)


def vlog(level, msg, *args, **kwargs):
    get_logger().log(level, msg, *args, **kwargs)


def flush():
    """What was logged is written."""
    for handler in get_logger().handlers:
        handler.flush()


def get_verbosity():
    """The least level that is logged."""
    return get_logger().getEffectiveLevel()


def set_verbosity(v):
    """Logs from this level (DEBUG, INFO, WARN, ERROR, FATAL) on."""
    get_logger().setLevel(v)


def _turn():
    """How often the program's line that called the caller has been there, from 0."""
    frame = sys._getframe(2)
    line = frame.f_code.co_filename, frame.f_lineno
    _counts[line] = _counts.get(line, -1) + 1
    return _counts[line]


def log_every_n(level, msg, n, *args):
    """Logs each n-th time that this line is reached, beginning with the first."""
    log_if(level, msg, not _turn() % n, *args)


def log_first_n(level, msg, n, *args):
    """Logs the first n times that this line is reached."""
    log_if(level, msg, _turn() < n, *args)


def log_if(level, msg, condition, *args):
    if condition:
        log(level, msg, *args)


def TaskLevelStatusMessage(msg):
    error(msg)
