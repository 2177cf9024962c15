"""tf.version and tf.sysconfig: what the package is, and where its files are."""

from __future__ import annotations

import os

from .. import _native

# The version of TensorFlow whose API this is: programs and files compare with it.
VERSION = "2.21.0"
GIT_VERSION = f"v{VERSION}-sluice-{_native.version()}"
COMPILER_VERSION = "C11"
GRAPH_DEF_VERSION, GRAPH_DEF_VERSION_MIN_CONSUMER, GRAPH_DEF_VERSION_MIN_PRODUCER = 2474, 0, 0
CXX11_ABI_FLAG, CXX_VERSION, MONOLITHIC_BUILD = 1, 201703, 0


def _here() -> str:
    return os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def get_include() -> str:
    """The directory of the C headers."""
    return os.path.join(_here(), "include")


def get_lib() -> str:
    """The directory of the library."""
    return _here()


def get_compile_flags() -> list[str]:
    """Flags with which a program in C is compiled."""
    return [f"-I{get_include()}"]


def get_link_flags() -> list[str]:
    """Flags with which a program in C is linked."""
    return [f"-L{get_lib()}", "-lsluice"]


def get_build_info():
    """What the library was built with: no accelerator's kit."""
    return {"is_cuda_build": False, "is_rocm_build": False, "is_tensorrt_build": False}
