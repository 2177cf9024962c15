"""compat.v1.flags: absl's flags, under its names and with the old names of their parameters."""

from __future__ import annotations

import functools

try:
    from absl import flags as _flags
except ImportError as error:
    raise NotImplementedError("tf.compat.v1.flags needs the package absl-py") from error

_RENAMED = {"flag_name": "name", "default_value": "default", "docstring": "help"}


def _with_old_names(define):
    @functools.wraps(define)
    def call(*args, **kwargs):
        return define(*args, **{_RENAMED.get(k, k): v for k, v in kwargs.items()})

    return call


class _Flags:
    """The flags of the program, which are read from the command line when the first is asked for."""

    def __getattr__(self, name):
        self._read()
        return getattr(_flags.FLAGS, name)

    def __setattr__(self, name, value):
        setattr(_flags.FLAGS, name, value)

    def __delattr__(self, name):
        delattr(_flags.FLAGS, name)

    def __dir__(self):
        return dir(_flags.FLAGS)

    def __getitem__(self, name):
        return _flags.FLAGS[name]

    def __setitem__(self, name, flag):
        _flags.FLAGS[name] = flag

    def __contains__(self, name):
        return name in _flags.FLAGS

    def __iter__(self):
        return iter(_flags.FLAGS)

    def __len__(self):
        return len(_flags.FLAGS)

    def __call__(self, *args, **kwargs):
        return _flags.FLAGS(*args, **kwargs)

    def _read(self):
        import sys

        if not _flags.FLAGS.is_parsed():
            _flags.FLAGS(sys.argv, known_only=True)


FLAGS = _Flags()
for _name in dir(_flags):
    if not _name.startswith("_") and _name not in globals():
        _value = getattr(_flags, _name)
        globals()[_name] = (
            _with_old_names(_value) if _name.startswith("DEFINE_") and _name != "DEFINE_alias" else _value
        )
