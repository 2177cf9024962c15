"""tf.io.gfile: files and folders of this machine, with TensorFlow's errors.

Paths may be texts, bytes or path objects, with or without "file://". Other schemes are not supported.
"""

from __future__ import annotations

import errno
import glob as python_glob
import os
import shutil
from collections import namedtuple
from contextlib import contextmanager

from ..core import errors

FileStatistics = namedtuple("FileStatistics", "length mtime_nsec is_directory")

_BY_ERRNO = {
    errno.ENOENT: errors.NotFoundError,
    errno.EEXIST: errors.AlreadyExistsError,
    errno.EACCES: errors.PermissionDeniedError,
    errno.EPERM: errors.PermissionDeniedError,
    errno.EISDIR: errors.FailedPreconditionError,
    errno.ENOTDIR: errors.FailedPreconditionError,
    errno.ENOTEMPTY: errors.FailedPreconditionError,
    errno.ENOSPC: errors.ResourceExhaustedError,
    errno.EINVAL: errors.InvalidArgumentError,
}
_MODES = ("r", "w", "a", "r+", "w+", "a+")


def local_path(path) -> str:
    """A path as the operating system has it; UnimplementedError for files elsewhere."""
    path = os.fspath(path)
    path = path.decode() if isinstance(path, bytes) else path
    if path.startswith("file://"):
        return path[len("file://") :]
    if "://" in path:
        raise errors.UnimplementedError(
            None, None, f"File system scheme '{path.partition(':')[0]}' not implemented (file: '{path}')"
        )
    return path


@contextmanager
def _told(path):
    """The operating system's errors as TensorFlow's."""
    try:
        yield
    except OSError as error:
        kind = _BY_ERRNO.get(error.errno, errors.UnknownError)
        raise kind(None, None, f"{path}; {os.strerror(error.errno) if error.errno else error}") from None


class GFile:
    """A file. mode: r, w, a, with + for both ways, with b for bytes. It is opened when it is first used.

    Reading gives texts (UTF-8), or bytes with b; texts and bytes may be written.
    """

    def __init__(self, name, mode="r"):
        self._name, self._mode = name, mode
        self._binary = "b" in mode
        kind = mode.replace("b", "")
        if kind not in _MODES:
            raise errors.InvalidArgumentError(None, None, "mode is not 'r' or 'w' or 'a' or 'r+' or 'w+' or 'a+'")
        self._kind = kind
        self._reads = kind in ("r", "r+", "w+", "a+")
        self._writes = kind != "r"
        self._file = None

    name = property(lambda self: self._name)
    mode = property(lambda self: self._mode)

    def _open(self):
        if self._file is None:
            path = local_path(self._name)
            with _told(path):
                self._file = open(path, self._kind[0] + "b" + self._kind[1:])
                if self._kind == "a+":
                    self._file.seek(0)
        return self._file

    def _reading(self):
        if not self._reads:
            raise errors.PermissionDeniedError(None, None, "File isn't open for reading")
        return self._open()

    def _out(self, data: bytes):
        return data if self._binary else data.decode()

    def size(self):
        """Its length in bytes."""
        return stat(self._name).length

    def write(self, file_content):
        """Adds a text or bytes."""
        if not self._writes:
            raise errors.PermissionDeniedError(None, None, "File isn't open for writing")
        self._open().write(file_content.encode() if isinstance(file_content, str) else bytes(file_content))

    def read(self, n=-1):
        """What is left, or at most n bytes of it."""
        file = self._reading()
        with _told(self._name):
            return self._out(file.read(-1 if n is None else n))

    def readline(self):
        """The next line with its end, or nothing at the file's."""
        return self._out(self._reading().readline())

    def readlines(self):
        return [self._out(line) for line in self._reading()]

    def seek(self, offset=None, whence=0, position=None):
        """Goes to a place: from the start (0), from here (1), from the end (2)."""
        if offset is None and position is None:
            raise TypeError("seek(): offset argument required")
        offset = position if offset is None else offset
        file = self._reading()
        if whence not in (0, 1, 2):
            raise errors.InvalidArgumentError(
                None, None, f"Invalid whence argument: {whence}. Valid values are 0, 1, or 2."
            )
        at = offset + (0, file.tell(), self.size())[whence]
        if at < 0 or at > self.size():
            raise errors.OutOfRangeError(None, None, f"{self._name}: no place {at}")
        file.seek(at)

    def seekable(self):
        return True

    def tell(self):
        """Where the next byte is read."""
        if self._reads:
            return self._open().tell()
        return 0 if self._file is None else self._file.tell()

    def flush(self):
        if self._file is not None:
            self._file.flush()

    def close(self):
        if self._file is None and self._writes:
            self._open()
        if self._file is not None:
            self._file.close()
            self._file = None

    def __iter__(self):
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    next = __next__

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def __del__(self):
        if getattr(self, "_file", None) is not None:
            self._file.close()


FastGFile = Open = GFile


def exists(path):
    """Whether there is a file or folder."""
    return os.path.exists(local_path(path))


def isdir(path):
    """Whether there is a folder of this name."""
    return os.path.isdir(local_path(path))


def remove(path):
    """Removes a file. NotFoundError when there is none."""
    path = local_path(path)
    with _told(path):
        os.unlink(path)


def glob(pattern):
    """The paths that a pattern, or one of a list of patterns, fits."""
    patterns = [pattern] if isinstance(pattern, (str, bytes, os.PathLike)) else pattern
    return [found for p in patterns for found in sorted(python_glob.glob(local_path(p)))]


def mkdir(path):
    """Makes a folder. NotFoundError when that which it would be in is not there."""
    path = local_path(path)
    with _told(path):
        if not os.path.isdir(path):
            os.mkdir(path)


def makedirs(path):
    """Makes a folder and those that it is in."""
    path = local_path(path)
    with _told(path):
        os.makedirs(path, exist_ok=True)


def copy(src, dst, overwrite=False):
    """Copies a file. AlreadyExistsError when there is one already, unless overwrite."""
    src, dst = local_path(src), local_path(dst)
    with _told(src):
        os.stat(src)
    if not overwrite and os.path.exists(dst):
        raise errors.AlreadyExistsError(None, None, "file already exists")
    with _told(src if os.path.isdir(src) else dst):
        shutil.copyfile(src, dst)


def rename(src, dst, overwrite=False):
    """Gives a file or folder another name. AlreadyExistsError when there is one already, unless overwrite."""
    src, dst = local_path(src), local_path(dst)
    if not overwrite and os.path.exists(dst):
        raise errors.AlreadyExistsError(None, None, "file already exists")
    with _told(src):
        os.replace(src, dst)


def rmtree(path):
    """Removes a folder with all that is in it."""
    path = local_path(path)
    if not os.path.exists(path):
        raise errors.NotFoundError(None, None, f"{path} not found")
    with _told(path):
        shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)


def listdir(path):
    """The names of what is in a folder. NotFoundError when there is no such folder."""
    local = local_path(path)
    if not os.path.isdir(local):
        raise errors.NotFoundError(None, None, f"Could not find directory {local}")
    with _told(local):
        return sorted(os.listdir(local))


def stat(path):
    """length, mtime_nsec, is_directory of a file."""
    path = local_path(path)
    with _told(path):
        found = os.stat(path)
        return FileStatistics(found.st_size, found.st_mtime_ns, os.path.isdir(path))


def walk(top, topdown=True, onerror=None):
    """(folder, folders in it, files in it) of a folder and all below it."""
    for folder, folders, names in os.walk(local_path(top), topdown, onerror):
        folders.sort()
        yield folder, folders, sorted(names)


def join(path, *paths):
    """One path of several: an absolute one begins anew."""
    return os.path.join(path, *paths)


def get_registered_schemes():
    """The schemes of paths that can be read."""
    return ["file", ""]


# ---- compat.v1.gfile: the same under other names


def Copy(oldpath, newpath, overwrite=False):
    """See tf.io.gfile.copy."""
    copy(oldpath, newpath, overwrite)


def DeleteRecursively(dirname):
    """See tf.io.gfile.rmtree."""
    rmtree(dirname)


def Exists(filename):
    """See tf.io.gfile.exists."""
    return exists(filename)


def Glob(filename):
    """See tf.io.gfile.glob."""
    return glob(filename)


def IsDirectory(dirname):
    """See tf.io.gfile.isdir."""
    return isdir(dirname)


def ListDirectory(dirname):
    """See tf.io.gfile.listdir."""
    return listdir(dirname)


def MakeDirs(dirname):
    """See tf.io.gfile.makedirs."""
    makedirs(dirname)


def MkDir(dirname):
    """See tf.io.gfile.mkdir."""
    mkdir(dirname)


def Remove(filename):
    """See tf.io.gfile.remove."""
    remove(filename)


def Rename(oldname, newname, overwrite=False):
    """See tf.io.gfile.rename."""
    rename(oldname, newname, overwrite)


def Stat(filename):
    """See tf.io.gfile.stat."""
    return stat(filename)


def Walk(top, in_order=True):
    """See tf.io.gfile.walk; folders before what is in them if in_order."""
    return walk(top, in_order)
