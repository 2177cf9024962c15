"""SignatureDefs and TensorInfos: which tensors of a graph a signature takes and gives."""

from __future__ import annotations

from ..core import dtypes, graph, messages, nest, tensor, tensor_shape, variables
from . import saved_model_constants as names
from ..core.structured_values import encode, shape_message, shape_of, tensor_of


def tensor_info(value):
    """A TensorInfo of a tensor, of a SparseTensor, or of another composite tensor, of a graph."""
    made = messages.TensorInfo()
    if isinstance(value, (tensor.Tensor, variables.Variable)):
        made.name = value.name
        made.dtype = value.dtype.as_datatype_enum
        made.tensor_shape.CopyFrom(shape_message(value.shape))
        return made
    spec = nest.spec_of(value)
    if spec is None:
        raise ValueError(f"Expected a tensor or composite tensor, got {value!r}")
    if type(spec).__name__ == "SparseTensorSpec":
        made.coo_sparse.values_tensor_name = value.values.name
        made.coo_sparse.indices_tensor_name = value.indices.name
        made.coo_sparse.dense_shape_tensor_name = value.dense_shape.name
        made.dtype = value.dtype.as_datatype_enum
        made.tensor_shape.CopyFrom(shape_message(value.shape))
        return made
    made.composite_tensor.type_spec.CopyFrom(encode(spec).type_spec_value)
    made.composite_tensor.components.extend(tensor_info(t) for t in spec.to_tensors(value))
    return made


def build_tensor_info(tensor):
    """A TensorInfo of a tensor of a graph, dense or not. RuntimeError when ops run at once."""
    if graph.current() is None:
        raise RuntimeError("`build_tensor_info` is not supported in eager execution.")
    return tensor_info(tensor)


def get_tensor_from_tensor_info(tensor_info, graph=None, import_scope=None):
    """The tensor that a TensorInfo speaks of. ValueError or KeyError when the graph has none."""
    from ..core import graph as graphs

    g = graph or graphs.default_graph()

    def find(name):
        return g.get_tensor_by_name(f"{import_scope}/{name}" if import_scope else name)

    kind = tensor_info.WhichOneof("encoding")
    if kind == "name":
        return find(tensor_info.name)
    if kind == "coo_sparse":
        from .. import SparseTensor

        coo = tensor_info.coo_sparse
        return SparseTensor(
            find(coo.indices_tensor_name), find(coo.values_tensor_name), find(coo.dense_shape_tensor_name)
        )
    if kind == "composite_tensor":
        from ..core.structured_values import _decode_type_spec

        spec = _decode_type_spec(tensor_info.composite_tensor.type_spec)
        return spec.from_tensors(iter([find(c.name) for c in tensor_info.composite_tensor.components]))
    raise ValueError(
        f"Invalid TensorInfo.encoding: {kind}. Expected `coo_sparse`, `composite_tensor`, or `name` for a dense tensor."
    )


def build_signature_def(inputs=None, outputs=None, method_name=None, defaults=None):
    """A SignatureDef of TensorInfos by name."""
    made = messages.SignatureDef()
    for held, given in ((made.inputs, inputs), (made.outputs, outputs)):
        for key, info in (given or {}).items():
            held[key].CopyFrom(info)
    if method_name is not None:
        made.method_name = method_name
    for key, value in (defaults or {}).items():
        if isinstance(value, graph.SymbolicTensor):
            if value.op.type != "Const":
                raise ValueError(f"Default value {value} of a signature has to be a constant.")
            value = tensor_of(value.op.node_def.attr["value"].tensor)
        if not isinstance(value, messages.TensorProto):
            from ..ops.tensor_protos import make_tensor_proto

            value = make_tensor_proto(value.numpy() if isinstance(value, tensor.Tensor) else value)
        made.defaults[key].CopyFrom(value)
    return made


def regression_signature_def(examples, predictions):
    """A SignatureDef for regression: texts in, floats out. ValueError for others."""
    _need(examples, "Regression examples", dtypes.string)
    _need(predictions, "Regression predictions", dtypes.float32)
    return build_signature_def(
        {names.REGRESS_INPUTS: build_tensor_info(examples)},
        {names.REGRESS_OUTPUTS: build_tensor_info(predictions)},
        names.REGRESS_METHOD_NAME,
    )


def _need(value, what, dtype):
    if value is None:
        raise ValueError(f"{what} cannot be None.")
    if not isinstance(value, tensor.Tensor):
        raise ValueError(f"{what} must be a string Tensor. Found `{value}` of type {type(value)}.")
    if value.dtype != dtype:
        raise ValueError(f"{what} must be of type {dtype.name}. Found `{value.dtype}`.")


def classification_signature_def(examples, classes, scores):
    """A SignatureDef for classification: texts in, classes (texts), scores (floats) or both out."""
    _need(examples, "Classification `examples`", dtypes.string)
    if classes is None and scores is None:
        raise ValueError("Classification `classes` and `scores` cannot both be None.")
    outputs = {}
    if classes is not None:
        _need(classes, "Classification `classes`", dtypes.string)
        outputs[names.CLASSIFY_OUTPUT_CLASSES] = build_tensor_info(classes)
    if scores is not None:
        _need(scores, "Classification `scores`", dtypes.float32)
        outputs[names.CLASSIFY_OUTPUT_SCORES] = build_tensor_info(scores)
    return build_signature_def(
        {names.CLASSIFY_INPUTS: build_tensor_info(examples)}, outputs, names.CLASSIFY_METHOD_NAME
    )


def predict_signature_def(inputs, outputs):
    """A SignatureDef of tensors by name."""
    if inputs is None or not inputs:
        raise ValueError("Prediction `inputs` cannot be None or empty.")
    if outputs is None or not outputs:
        raise ValueError("Prediction `outputs` cannot be None or empty.")
    return build_signature_def(
        {k: build_tensor_info(t) for k, t in inputs.items()},
        {k: build_tensor_info(t) for k, t in outputs.items()},
        names.PREDICT_METHOD_NAME,
    )


def is_valid_signature(signature_def):
    """Whether a SignatureDef is one of the three kinds, and has what its kind has."""
    if signature_def is None:
        return False
    check = {
        names.CLASSIFY_METHOD_NAME: _is_classification,
        names.REGRESS_METHOD_NAME: _is_regression,
        names.PREDICT_METHOD_NAME: lambda s: bool(s.inputs) and bool(s.outputs),
    }.get(signature_def.method_name)
    return check is not None and check(signature_def)


def _has(infos, wanted) -> bool:
    return set(infos) == set(wanted) and all(infos[k].dtype == wanted[k].as_datatype_enum for k in wanted)


def _is_regression(s) -> bool:
    return _has(s.inputs, {names.REGRESS_INPUTS: dtypes.string}) and _has(
        s.outputs, {names.REGRESS_OUTPUTS: dtypes.float32}
    )


def _is_classification(s) -> bool:
    allowed = {names.CLASSIFY_OUTPUT_CLASSES: dtypes.string, names.CLASSIFY_OUTPUT_SCORES: dtypes.float32}
    wanted = {k: d for k, d in allowed.items() if k in s.outputs}
    return _has(s.inputs, {names.CLASSIFY_INPUTS: dtypes.string}) and bool(wanted) and _has(s.outputs, wanted)


def shape_in(info):
    """The shape that a TensorInfo tells."""
    return shape_of(info.tensor_shape) if info.HasField("tensor_shape") else tensor_shape.TensorShape(None)
