"""tensorflow.python.X: a module made of public names and of a few more. A row of MODULES is a module by its path below
tensorflow.python: the public namespaces in which a name is looked up in turn, and what it has besides, by the module here
that has it (`name=own` where that calls it otherwise). `name_v1` and `name_v2` are the public names of either version.
"""

from __future__ import annotations

import importlib
import types

_PACKAGE = __package__.rpartition(".")[0]

MODULES: dict[str, tuple[str, dict[str, str]]] = {
    # AutoGraph's parts: packages import them and fail where they use them, as the conversion here has other parts.
    "autograph.converters.break_statements": ("", {}),
    "autograph.converters.continue_statements": ("", {}),
    "autograph.converters.return_statements": ("", {}),
    "autograph.core.converter": ("", {}),
    "autograph.pyct.anno": ("", {}),
    "autograph.pyct.common_transformers.anf": ("", {}),
    "autograph.pyct.inspect_utils": ("", {}),
    "autograph.pyct.loader": ("", {}),
    "autograph.pyct.naming": ("", {}),
    "autograph.pyct.parser": ("", {}),
    "autograph.pyct.qual_names": ("", {}),
    "autograph.pyct.static_analysis.activity": ("", {}),
    "autograph.pyct.templates": ("", {}),
    "autograph.pyct.transformer": ("", {"internal.contexts": "Base=SourceTransformer"}),
    "client.device_lib": ("", {"internal.contexts": "list_local_devices"}),
    "client.session": ("compat.v1", {}),
    "client.timeline": ("", {"training.timeline": "Timeline"}),
    "data.experimental.ops.distribute": ("", {"internal.keras_hooks": "compute_batch_size"}),
    "data.ops.from_generator_op": ("", {"internal.keras_hooks": "_GeneratorDataset=DatasetOfKind"}),
    "data.ops.from_sparse_tensor_slices_op": ("", {"internal.keras_hooks": "_SparseTensorSliceDataset=DatasetOfKind"}),
    "data.ops.from_tensor_slices_op": ("", {"internal.keras_hooks": "_TensorSliceDataset=DatasetOfKind"}),
    "data.ops.from_tensors_op": ("", {"internal.keras_hooks": "_TensorDataset=DatasetOfKind"}),
    "data.ops.range_op": ("", {"internal.keras_hooks": "_RangeDataset=DatasetOfKind"}),
    "distribute.distribute_utils": ("", {"internal.keras_hooks": "cache_variable_reads"}),
    "distribute.input_lib": ("distribute", {}),
    "distribute.input_ops": ("", {"internal.keras_hooks": "auto_shard_dataset"}),
    "data.ops.dataset_ops": ("data compat.v1.data", {"datasets.dataset": "DatasetV2=Dataset"}),
    "data.ops.iterator_ops": ("data", {"datasets.iterators": "OwnedIterator IteratorBase"}),
    "data.util.nest": ("nest", {}),
    "data.util.structure": (
        "",
        {"core.type_spec": "type_spec_from_value", "datasets.elements": "NoneTensorSpec"},
    ),
    "distribute.distribute_lib": ("distribute", {}),
    "distribute.ps_values": ("", {"training.mirrored_variables": "AggregatingVariable=DistributedVariable"}),
    "distribute.strategy_combinations": ("", {"internal.processors": "set_virtual_cpus_to_at_least"}),
    "distribute.values": (
        "",
        {
            "training.mirrored_variables": "AggregatingVariable=DistributedVariable DistributedVariable MirroredVariable "
            "SyncOnReadVariable",
            "training.replica_values": "DistributedValues Mirrored PerReplica",
        },
    ),
    "eager.backprop": ("", {"core.gradient_tape": "GradientTape"}),
    "eager.context": (
        "compat.v1",
        {
            "core.scopes": "executing_eagerly",
            "internal.contexts": "async_wait context eager_mode ensure_initialized get_config get_device_name graph_mode "
            "in_eager_mode in_graph_mode num_gpus EAGER_MODE GRAPH_MODE _reset_context",
        },
    ),
    "eager.def_function": ("", {"core.function": "Function function"}),
    "eager.monitoring": (
        "",
        {"internal.monitoring": "BoolGauge Counter IntGauge Sampler StringGauge ExponentialBuckets"},
    ),
    "eager.polymorphic_function.polymorphic_function": ("", {"core.function": "Function function"}),
    "feature_column.feature_column": ("compat.v1.feature_column", {}),
    "feature_column.feature_column_lib": ("compat.v1.feature_column __internal__.feature_column", {}),
    "feature_column.feature_column_v2": ("feature_column __internal__.feature_column compat.v1.feature_column", {}),
    "framework.function_def_to_graph": ("", {"internal.function_defs": "function_def_to_graph"}),
    "framework.c_api_util": ("", {"internal.contexts": "ApiDefMap"}),
    "framework.composite_tensor": ("", {"core.composite_tensor": "CompositeTensor"}),
    "framework.config": (
        "config config.experimental",
        {"internal.contexts": "disable_op_determinism is_op_determinism_enabled"},
    ),
    "framework.convert_to_constants": ("", {"platform.frozen_functions": "convert_variables_to_constants_v2"}),
    "framework.constant_op": (
        "compat.v1",
        {"ops.array_ops": "constant", "internal.contexts": "_tensor_shape_tensor_conversion_function"},
    ),
    "framework.device_spec": ("", {"core.device_spec": "DeviceSpecV1 DeviceSpecV2=DeviceSpec"}),
    "framework.dtypes": ("dtypes", {"internal.contexts": "float32_ref float64_ref int32_ref int64_ref"}),
    "framework.errors": ("errors", {}),
    "framework.errors_impl": ("errors", {}),
    "framework.extension_type": ("experimental", {}),
    "framework.func_graph": ("", {"core.func_graph": "FuncGraph"}),
    "framework.graph_util": ("compat.v1.graph_util", {}),
    "framework.importer": ("tf", {}),
    "framework.indexed_slices": ("tf", {}),
    "framework.load_library": ("", {}),
    "framework.ops": (
        "tf compat.v1",
        {
            "_native": "EagerTensor",
            "core.graph": "SymbolicTensor get_default_graph=default_graph",
            "core.composite_tensor": "CompositeTensor",
            "internal.contexts": "NullContextmanager _get_graph_from_inputs convert_to_tensor convert_to_tensor_or_composite "
            "get_name_scope is_dense_tensor_like name_from_scope_name numpy_text register_dense_tensor_like_type uid",
            "ops.array_ops": "convert_to_tensor_v2=convert_to_tensor",
            "core.scopes": "executing_eagerly_outside_functions name_scope_v2=name_scope name_scope=name_scope_v1 name_scope_v1 "
            "inside_function colocate_with",
        },
    ),
    "framework.random_seed": ("compat.v1 random", {"internal.contexts": "DEFAULT_GRAPH_SEED"}),
    "framework.smart_cond": ("", {"internal.contexts": "smart_cond smart_constant_value smart_case"}),
    "framework.sparse_tensor": ("sparse compat.v1", {}),
    "framework.tensor": ("tf", {}),
    "framework.tensor_conversion": ("tf", {"ops.array_ops": "convert_to_tensor_v2=convert_to_tensor"}),
    "framework.tensor_shape": (
        "tf compat.v1",
        {"internal.contexts": "as_shape as_dimension unknown_shape", "core.tensor_shape": "Dimension"},
    ),
    "framework.tensor_spec": (
        "tf",
        {"core.type_spec": "TensorSpec DenseSpec=TensorSpec", "core.bounded_spec": "BoundedTensorSpec"},
    ),
    "framework.tensor_util": (
        "tf",
        {
            "internal.contexts": "constant_value_as_shape is_tf_type try_evaluate_constant",
            "core.static_values": "constant_value=get_static_value",
            "ops.tensor_protos": "MakeNdarray=make_ndarray",
        },
    ),
    "framework.test_util": (
        "compat.v1.test",
        {
            "internal.test_modes": "TensorFlowTestCase deprecated_graph_mode_only run_all_in_graph_and_eager_modes "
            "run_deprecated_v1 run_in_graph_and_eager_modes run_v1_only run_v2_only is_xla_enabled IsMklEnabled "
            "disable_cudnn_autotune disable_xla run_all_without_tensor_float_32 run_without_tensor_float_32 "
            "InstallStackTraceHandler"
        },
    ),
    "framework.type_spec": ("tf", {"core.type_spec": "BatchableTypeSpec register_type_spec_from_value_converter"}),
    "framework.type_spec_registry": (
        "",
        {
            "internal.contexts": "get_name=name_of_spec lookup=spec_of_name",
            "core.type_spec": "register _NAME_TO_TYPE_SPEC=registered_classes _TYPE_SPEC_TO_NAME=registered_names",
        },
    ),
    "framework.versions": ("version compat.v1", {}),
    "layers.base": ("compat.v1.layers", {}),
    "layers.convolutional": (
        "compat.v1.layers",
        {
            "layers.convolutional_layers": "Convolution1D=Conv1D Convolution2D=Conv2D Convolution2DTranspose=Conv2DTranspose "
            "Convolution3D=Conv3D Convolution3DTranspose=Conv3DTranspose SeparableConvolution2D=SeparableConv2D"
        },
    ),
    "layers.core": ("compat.v1.layers", {}),
    "layers.layers": ("compat.v1.layers", {}),
    "layers.normalization": ("compat.v1.layers", {}),
    "layers.pooling": ("compat.v1.layers", {}),
    "layers.utils": ("", {"internal.contexts": "smart_cond constant_value=smart_constant_value"}),
    "keras.engine.input_spec": ("compat.v1.layers", {}),
    "keras.layers.legacy_rnn.rnn_cell_impl": (
        "compat.v1.nn.rnn_cell",
        {"layers.rnn_cells": "LayerRNNCell assert_like_rnncell=check_cell"},
    ),
    "lib.io.file_io": (
        "",
        {"files.gfile": "FileIO=GFile", "internal.contexts": "write_string_to_file read_file_to_string"},
    ),
    "lib.io.tf_record": ("compat.v1.io io compat.v1", {}),
    "module.module": ("tf", {}),
    "ops.array_ops": (
        "compat.v1 linalg",
        {"internal.contexts": "prevent_gradient shape_internal", "ops.array_ops": "constant"},
    ),
    "ops.array_ops_stack": ("tf", {}),
    "ops.bitwise_ops": ("bitwise", {}),
    "ops.candidate_sampling_ops": ("random nn", {}),
    "ops.check_ops": ("compat.v1 compat.v1.debugging", {}),
    "ops.clip_ops": ("tf compat.v1", {}),
    "ops.cond": ("compat.v1", {}),
    "ops.confusion_matrix": ("compat.v1", {"internal.contexts": "remove_squeezable_dimensions"}),
    "ops.control_flow_assert": ("debugging", {}),
    "ops.control_flow_case": ("tf", {}),
    "ops.control_flow_ops": (
        "compat.v1",
        {"internal.contexts": "with_dependencies", "internal.keras_hooks": "get_enclosing_xla_context"},
    ),
    "ops.control_flow_util": (
        "",
        {
            "internal.contexts": "EnableControlFlowV2 GraphOrParentsInXlaContext IsInXLAContext InXlaContext smart_cond "
            "smart_constant_value",
            "core.modes": "ENABLE_CONTROL_FLOW_V2=control_flow_v2",
        },
    ),
    "ops.custom_gradient": ("tf", {}),
    "ops.data_flow_ops": ("compat.v1 queue", {}),
    "ops.embedding_ops": ("compat.v1.nn nn", {}),
    "ops.functional_ops": ("compat.v1", {}),
    "ops.gradient_checker": ("compat.v1.test", {}),
    "ops.gradient_checker_v2": ("test", {}),
    "ops.gradients": ("compat.v1", {}),
    "ops.gradients_impl": ("compat.v1", {}),
    "ops.gradients_util": ("", {}),
    "ops.histogram_ops": ("tf", {}),
    "ops.image_ops": ("compat.v1.image", {}),
    "ops.image_ops_impl": ("compat.v1.image", {}),
    "ops.init_ops": (
        "compat.v1 compat.v1.initializers",
        {
            "ops.initializers_v1": "Constant GlorotNormal GlorotUniform Identity Initializer Ones Orthogonal RandomNormal RandomUniform "
            "TruncatedNormal UniformUnitScaling VarianceScaling Zeros"
        },
    ),
    "ops.init_ops_v2": (
        "tf",
        {
            "ops.initializers": "Constant Initializer Ones RandomNormal RandomUniform Zeros",
            "ops.initializers_v1": "GlorotNormal GlorotUniform glorot_normal=GlorotNormal glorot_uniform=GlorotUniform",
        },
    ),
    "grappler.tf_optimizer": ("", {"internal.contexts": "OptimizeGraph"}),
    "ops.io_ops": ("compat.v1 io", {}),
    "ops.linalg.linear_operator_addition": ("", {}),
    "ops.linalg.sparse.sparse": ("", {"ops.csr_matrix": "CSRSparseMatrix matmul"}),
    "ops.linalg.linear_operator": ("linalg", {"internal.contexts": "make_composite_tensor"}),
    "ops.linalg_ops": ("linalg compat.v1", {}),
    "ops.list_ops": (
        "",
        {
            "internal.list_ops": "empty_tensor_list tensor_list_concat tensor_list_from_tensor tensor_list_gather "
            "tensor_list_get_item tensor_list_length tensor_list_pop_back tensor_list_push_back tensor_list_reserve "
            "tensor_list_resize tensor_list_scatter tensor_list_set_item tensor_list_stack"
        },
    ),
    "ops.logging_ops": ("compat.v1", {}),
    "ops.lookup_ops": (
        "compat.v1.lookup lookup compat.v1 lookup.experimental",
        {"ops.lookup_ops": "LookupInterface TableInitializerBase"},
    ),
    "ops.losses.losses": ("compat.v1.losses", {}),
    "ops.losses.losses_impl": ("compat.v1.losses", {}),
    "ops.losses.util": ("compat.v1.losses", {}),
    "ops.manip_ops": ("compat.v1.manip", {}),
    "ops.map_fn": ("compat.v1", {}),
    "ops.math_ops": (
        "math tf dtypes compat.v1",
        {"ops.math_ops": "argmax=argmax_v1 argmin=argmin_v1 div", "internal.contexts": "_bucketize tensor_equals"},
    ),
    "ops.metrics": ("compat.v1.metrics", {}),
    "ops.metrics_impl": (
        "compat.v1.metrics",
        {
            "internal.contexts": "_remove_squeezable_dimensions=remove_squeezable_dimensions",
            "ops.metrics_v1": "metric_variable",
        },
    ),
    "ops.nn": ("compat.v1.nn nn", {}),
    "ops.nn_impl": ("compat.v1.nn nn", {}),
    "ops.nn_ops": ("compat.v1.nn nn", {}),
    "ops.numpy_ops.np_config": (
        "experimental.numpy",
        {"ops.numpy_behaviour": "enable_numpy_behavior=experimental_enable_numpy_behavior"},
    ),
    "ops.op_selector": ("", {"internal.contexts": "get_backward_walk_ops"}),
    "ops.parallel_for.control_flow_ops": ("tf", {"internal.contexts": "for_loop pfor"}),
    "ops.parsing_ops": ("compat.v1.io compat.v1 io", {}),
    "ops.partitioned_variables": ("compat.v1", {}),
    "ops.ragged.ragged_factory_ops": ("ragged", {}),
    "ops.ragged.ragged_map_ops": ("", {"internal.keras_hooks": "map_fn=ragged_map_fn"}),
    "ops.ragged.ragged_util": ("", {"internal.keras_hooks": "assert_splits_match"}),
    "ops.ragged.ragged_tensor": ("tf compat.v1.ragged", {}),
    "ops.random_ops": (
        "compat.v1.random compat.v1 random",
        {"ops.random_ops": "parameterized_truncated_normal"},
    ),
    "ops.ref_variable": ("", {"core.ref_variables": "RefVariable"}),
    "ops.resource_variable_ops": (
        "",
        {
            "core.variables": "BaseResourceVariable=ResourceVariable ResourceVariable",
            "core.variable_spec": "VariableSpec",
            "internal.contexts": "is_resource_variable variable_accessed resource_scatter_add",
        },
    ),
    "ops.resources": (
        "",
        {"internal.contexts": "initialize_resources report_uninitialized_resources shared_resources"},
    ),
    "ops.rnn": ("compat.v1.nn", {}),
    "ops.rnn_cell": ("compat.v1.nn.rnn_cell", {}),
    "ops.rnn_cell_impl": ("compat.v1.nn.rnn_cell", {"layers.rnn_cells": "LayerRNNCell assert_like_rnncell=check_cell"}),
    "ops.script_ops": ("compat.v1", {}),
    "ops.sets": ("sets", {}),
    "ops.signal": ("signal", {}),
    "ops.sort_ops": ("tf", {}),
    "ops.sparse_ops": ("compat.v1.sparse compat.v1", {}),
    "ops.special_math_ops": ("math math.special tf", {}),
    "ops.standard_ops": ("compat.v1", {}),
    "ops.state_ops": ("compat.v1", {}),
    "ops.stateless_random_ops": ("random", {}),
    "ops.string_ops": ("compat.v1.strings compat.v1", {}),
    "ops.summary_ops_v2": ("summary summary.experimental", {}),
    "ops.template": ("compat.v1", {}),
    "ops.tensor_array_ops": ("tf", {}),
    "ops.tensor_getitem_override": ("", {}),
    "ops.unconnected_gradients": ("tf", {}),
    "ops.variable_scope": ("compat.v1", {"internal.contexts": "with_variable_store"}),
    "ops.variables": ("compat.v1", {"ops.variable_scope": "PartitionedVariable", "core.variables": "VariableV1"}),
    "ops.weights_broadcast_ops": ("", {"ops.weights_broadcast": "broadcast_weights"}),
    "ops.while_loop": ("compat.v1", {}),
    "platform.app": ("compat.v1.app", {}),
    "platform.flags": ("compat.v1.flags", {}),
    "platform.gfile": ("compat.v1.gfile", {}),
    "platform.resource_loader": ("compat.v1.resource_loader", {}),
    "platform.test": ("compat.v1.test test", {"internal.test_modes": "TestCase=TensorFlowTestCase"}),
    "platform.tf_logging": ("compat.v1.logging", {}),
    "pywrap_tfe": ("", {"internal.keras_hooks": "TF_ListPluggablePhysicalDevices"}),
    "pywrap_tensorflow": ("", {"saving.checkpoint_reader": "NewCheckpointReader"}),
    "saved_model.nested_structure_coder": ("", {"internal.contexts": "decode_proto encode_structure StructureCoder"}),
    "saved_model.model_utils.mode_keys": ("", {"internal.keras_hooks": "KerasModeKeys"}),
    "saved_model.load": ("saved_model", {"saving.saved_model_load": "load_partial"}),
    "saved_model.load_context": ("", {"saving.saved_model_load": "get_load_options load_context"}),
    "saved_model.save": ("saved_model", {"saving.saved_model_save": "save_and_return_nodes"}),
    "saved_model.loader": ("compat.v1.saved_model.loader", {}),
    "saved_model.signature_constants": ("compat.v1.saved_model.signature_constants", {}),
    "saved_model.signature_def_utils": ("compat.v1.saved_model.signature_def_utils", {}),
    "saved_model.tag_constants": ("compat.v1.saved_model.tag_constants", {}),
    "saved_model.utils": ("compat.v1.saved_model.utils", {}),
    "saved_model.builder": ("compat.v1.saved_model.builder", {}),
    "summary.summary": ("compat.v1.summary", {}),
    "summary.summary_iterator": ("compat.v1.train", {}),
    "summary.writer.writer": ("compat.v1.summary", {}),
    "tf2": ("", {"internal.contexts": "enabled"}),
    "trackable.autotrackable": ("__internal__.tracking", {}),
    "trackable.base": ("__internal__.tracking", {"core.trackable": "no_automatic_dependency_tracking_scope"}),
    "trackable.data_structures": (
        "__internal__.tracking",
        {
            "core.trackable_structures": "ListWrapper _DictWrapper=DictWrapper wrap_or_unwrap",
            "core.trackable": "NoDependency",
        },
    ),
    "trackable.resource": (
        "saved_model.experimental",
        {
            "core.capturable_resource": "CapturableResource",
            "saving.saved_model_load": "RestoredResource=_RestoredResource",
        },
    ),
    "training.adam": ("compat.v1.train", {}),
    "training.basic_session_run_hooks": ("compat.v1.train", {}),
    "training.checkpoint_management": ("train compat.v1.train", {}),
    "training.checkpoint_utils": ("train compat.v1.train", {}),
    "training.coordinator": ("train", {}),
    "training.device_setter": ("compat.v1.train", {}),
    "training.evaluation": (
        "",
        {
            "training.evaluation": "_MultiStepStopAfterNEvalsHook _StopAfterNEvalsHook _evaluate_once "
            "_get_latest_eval_step_value _get_or_create_eval_step"
        },
    ),
    "training.gradient_descent": ("compat.v1.train", {}),
    "training.input": ("compat.v1.train", {}),
    "training.learning_rate_decay": ("compat.v1.train", {}),
    "training.momentum": ("compat.v1.train", {}),
    "training.monitored_session": ("compat.v1.train", {}),
    "training.moving_averages": (
        "train",
        {"training.moving_averages": "assign_moving_average"},
    ),
    "training.optimizer": ("compat.v1.train", {}),
    "training.queue_runner": ("compat.v1.train", {}),
    "training.queue_runner_impl": ("compat.v1.train", {}),
    "training.rmsprop": ("compat.v1.train", {}),
    "training.saver": ("compat.v1.train train", {}),
    "training.server_lib": ("compat.v1.train train", {}),
    "training.session_run_hook": ("compat.v1.train", {}),
    "training.slot_creator": ("", {}),
    "training.supervisor": ("compat.v1.train", {}),
    "training.sync_replicas_optimizer": ("compat.v1.train", {}),
    "training.training": ("compat.v1.train train", {}),
    "training.training_util": ("compat.v1.train", {}),
    "types.core": ("types.experimental", {"core.tensor_like": "Tensor=TensorBase TensorLike"}),
    "types.trace": ("types.experimental", {}),
    "util.all_util": ("", {"internal.decorators": "make_all remove_undocumented reveal_undocumented"}),
    "util.compat": ("compat", {}),
    "util.deprecation": (
        "",
        {
            "internal.decorators": "deprecated deprecated_alias deprecated_arg_values deprecated_args deprecated_argument_lookup "
            "deprecated_endpoints silence"
        },
    ),
    "util.dispatch": ("", {"internal.decorators": "add_dispatch_support dispatch_for_types"}),
    "util.nest": (
        "nest",
        {
            "internal.structures": "_is_attrs _is_mapping _is_namedtuple _sequence_like _yield_sorted_items _yield_value assert_shallow_structure "
            "flatten_dict_items flatten_up_to flatten_with_joined_string_paths flatten_with_tuple_paths "
            "flatten_with_tuple_paths_up_to get_traverse_shallow_structure is_attrs is_mapping is_namedtuple is_nested_or_composite "
            "list_to_tuple map_structure_up_to map_structure_with_paths map_structure_with_tuple_paths "
            "map_structure_with_tuple_paths_up_to same_namedtuples yield_flat_paths"
        },
    ),
    "util.object_identity": ("", {"internal.identity": "ObjectIdentityDictionary ObjectIdentitySet Reference"}),
    "util.tf_contextlib": ("", {"internal.decorators": "contextmanager"}),
    "util.tf_decorator": ("", {"internal.decorators": "TFDecorator make_decorator rewrap unwrap"}),
    "util.tf_export": (
        "",
        {"internal.decorators": "get_canonical_name_for_symbol get_symbol_from_name keras_export kwarg_only tf_export"},
    ),
    "util.tf_inspect": ("", {}),
    "util.variable_utils": ("", {"internal.contexts": "convert_variables_to_tensors"}),
    # TPUs: packages import these, and fail where they use them, unless they only ask whether they run on one.
    "tpu.device_assignment": ("", {"internal.processors": "DeviceAssignment"}),
    "tpu.ops.tpu_ops": ("", {}),
    "tpu.topology": ("", {"internal.processors": "Topology"}),
    "tpu.tpu": ("", {}),
    "tpu.tpu_config": ("", {"internal.processors": "RunConfig"}),
    "tpu.tpu_estimator": ("", {"internal.processors": "TPUEstimator"}),
    "tpu.tpu_feed": ("", {}),
    "tpu.tpu_function": ("", {"internal.processors": "get_tpu_context"}),
}

# Modules of which all names are those of one here.
WHOLE = {"util.tf_inspect": "internal.inspection"}

# Modules of functions for ops by position or name, beside gen_*_ops; with what the names of those ops begin.
GENERATED = {
    "ops.clustering_ops": "",
    "ops.linalg.sparse.sparse_csr_matrix_ops": "",
    "compiler.tf2xla.python.xla": "xla",
}

# The same for modules outside of tensorflow.python.
OTHERS: dict[str, tuple[str, dict[str, str]]] = {
    "core.function.trace_type": ("", {"core.type_spec": "from_value=type_spec_from_value"}),
    "core.util.event_pb2": ("", {}),
    "tools.docs.doc_controls": (
        "",
        {
            "internal.decorators": "do_not_doc_inheritable do_not_generate_docs doc_in_current_and_subclasses doc_private "
            "for_subclass_implementers inheritable_header"
        },
    ),
}

_ROWS = {**{"python." + path: row for path, row in MODULES.items()}, **OTHERS}
_WHOLE = {"python." + path: module for path, module in WHOLE.items()}
_GENERATED = {path if path.startswith("compiler.") else "python." + path: prefix for path, prefix in GENERATED.items()}


def _tree() -> set[str]:
    found = {"python", "python.ops", "core.framework", "core.protobuf", "core.util", "core.example"}
    for path in (*_ROWS, *_WHOLE, *_GENERATED):
        while path:
            found.add(path)
            path = path.rpartition(".")[0]
    return found


_PATHS = _tree()


def is_private(path: str) -> bool:
    """Whether a path below tensorflow is none of a public module."""
    return path.partition(".")[0] in ("python", "core", "compiler", "tools")


def exists(path: str) -> bool:
    """Whether there is a module for a path below tensorflow."""
    return path in _PATHS or _prefix(path) is not None or _is_of_messages(path)


def _prefix(path: str):
    """With what the names of the ops begin for which a module has functions; None of other modules."""
    if path.startswith("python.ops.gen_") and path.endswith("_ops") and path.count(".") == 2:
        return ""
    return _GENERATED.get(path)


def _is_of_messages(path: str) -> bool:
    return path.startswith("core.") and path.endswith("_pb2")


class PrivateModule(types.ModuleType):
    """A module of TensorFlow that is not public, for packages that import from it."""

    def __init__(self, path: str):
        super().__init__("tensorflow." + path)
        self.__path__ = []
        self.__dict__["_path"] = path

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        path = self.__dict__["_path"]
        below = f"{path}.{name}"
        if exists(below):
            made = importlib.import_module(f"tensorflow.{below}")
        elif (found := _find(path, name)) is not None:
            made = found[0]
        else:
            raise AttributeError(
                f"module {self.__name__!r} has no attribute {name!r}: {_PACKAGE} stands for tensorflow, and has the private "
                f"names that {_PACKAGE}/internal/modules.py lists",
                name=name,
            )
        self.__dict__[name] = made
        return made


def _find(path: str, name: str):
    """A tuple of what a module has under a name; None when it has nothing."""
    if path in _WHOLE:
        whole = importlib.import_module(f"{_PACKAGE}.{_WHOLE[path]}")
        return (getattr(whole, name),) if hasattr(whole, name) else None
    if (prefix := _prefix(path)) is not None:
        return _generated(prefix + name)
    if _is_of_messages(path):
        messages = importlib.import_module(f"{_PACKAGE}.core.messages")
        return (getattr(messages, name),) if hasattr(messages, name) else None
    if path not in _ROWS:
        return _of_keras(path, name)
    spaces, own = _ROWS[path]
    for module, names in own.items():
        for pair in names.split():
            public, _, inner = pair.partition("=")
            if public == name:
                return (getattr(importlib.import_module(f"{_PACKAGE}.{module}"), inner or public),)
    return _public(spaces.split(), name)


def _of_keras(path: str, name: str):
    """What a module of Keras 2 has, where rows above are below the same path."""
    if path not in ("python.keras", "python.keras.engine"):
        return None
    from . import keras

    module = keras.private_module(path)
    return (getattr(module, name),) if hasattr(module, name) else None


def _public(spaces: list[str], name: str):
    for space in spaces:
        owner = importlib.import_module(_PACKAGE if space == "tf" else f"{_PACKAGE}.{space}")
        if hasattr(owner, name):
            return (getattr(owner, name),)
    for suffix, order in (("_v2", ["tf", *[s for s in spaces if not s.startswith("compat")]]), ("_v1", ["compat.v1"])):
        if name.endswith(suffix) and spaces:
            return _public(order, name[: -len(suffix)])
    return None


_ops_by_name: dict[str, str] = {}


def _generated(name: str):
    """The function of an op by its name in small letters."""
    from ..core import op_defs

    if not _ops_by_name:
        _ops_by_name.update((n.lower(), n) for n in op_defs.names())
    found = _ops_by_name.get(name.replace("_", "").lower())
    return None if found is None else (op_defs.op(found),)
