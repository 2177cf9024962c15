"""Which packages of the index there are, told by their metadata: a folder of tests may have the name of a package."""

import importlib.metadata


def installed(name):
    try:
        importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True
