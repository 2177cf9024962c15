"""Modules whose functions are called as they are: Python's own, this package, and those that work on numbers or test."""

import sys

PACKAGE = __name__.partition(".")[0]
MODULES = set(sys.stdlib_module_names) - {"__main__"} | {
    PACKAGE, "absl", "builtins", "google", "h5py", "IPython", "keras", "matplotlib", "ml_dtypes", "mock", "numpy", "pandas", "PIL", "pytest",
    "scipy", "_pytest", "tensorflow", "tensorflow_datasets", "tensorflow_probability", "tf_keras", "wrapt",
}  # fmt: skip


def is_module_called_as_it_is(name) -> bool:
    """Whether what a module has needs no conversion. The functions of builtins do: tensors have their own of some."""
    return name != "builtins" and name.partition(".")[0] in MODULES
