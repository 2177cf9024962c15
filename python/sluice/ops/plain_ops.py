"""Public functions that are an op as it is: inputs, then attrs, then the name."""

from __future__ import annotations

import inspect

from ..core import raw_ops
from ..core.op_defs import op

_OPS = {
    "approx_top_k": "ApproxTopK",
    "check_pinned": "CheckPinned",
    "conv2d_backprop_filter_v2": "Conv2DBackpropFilterV2",
    "conv2d_backprop_input_v2": "Conv2DBackpropInputV2",
    "extract_volume_patches": "ExtractVolumePatches",
    "fftnd": "FFTND",
    "ifftnd": "IFFTND",
    "irfftnd": "IRFFTND",
    "ragged_fill_empty_rows": "RaggedFillEmptyRows",
    "ragged_fill_empty_rows_grad": "RaggedFillEmptyRowsGrad",
    "rfftnd": "RFFTND",
}


def __getattr__(name: str):
    if name not in _OPS:
        raise AttributeError(name)
    made = op(_OPS[name])

    def call(*args, **kwargs):
        return made(*args, **kwargs)

    globals()[name] = raw_ops.described(call, made, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    call.__name__ = call.__qualname__ = name
    return call
