"""The fields of messages and the values of enums. Made by tools/gen_messages.py of src/proto: do not edit.

A message is a text of fields, `name=number type`, parted by ";". Types: a scalar's name, a message, #enum, *repeated, {map's
key: value}; `kind|name` is a field of the oneof `kind`. Names are those within `tensorflow`, others begin with ".".
"""

MESSAGES = {
    ".google.protobuf.Any": "type_url=1 string; value=2 bytes",
    ".google.protobuf.BoolValue": "value=1 bool",
    "AllocationDescription": (
        "requested_bytes=1 int64; allocated_bytes=2 int64; allocator_name=3 string; allocation_id=4 int64; "
        "has_single_reference=5 bool; ptr=6 uint64"
    ),
    "AllocationRecord": "alloc_micros=1 int64; alloc_bytes=2 int64",
    "AllocatorMemoryUsed": (
        "allocator_name=1 string; total_bytes=2 int64; peak_bytes=3 int64; live_bytes=4 int64; allocation_records=6 "
        "*AllocationRecord; allocator_bytes_in_use=5 int64"
    ),
    "ApiDef": (
        "graph_op_name=1 string; deprecation_message=12 string; deprecation_version=13 int32; visibility=2 "
        "#ApiDef.Visibility; endpoint=3 *ApiDef.Endpoint; in_arg=4 *ApiDef.Arg; out_arg=5 *ApiDef.Arg; arg_order=11 "
        "*string; attr=6 *ApiDef.Attr; summary=7 string; description=8 string; description_prefix=9 string; "
        "description_suffix=10 string"
    ),
    "ApiDef.Arg": "name=1 string; rename_to=2 string; description=3 string",
    "ApiDef.Attr": "name=1 string; rename_to=2 string; default_value=3 AttrValue; description=4 string",
    "ApiDef.Endpoint": "name=1 string; deprecated=3 bool; deprecation_version=4 int32",
    "ApiDefs": "op=1 *ApiDef",
    "AssetFileDef": "tensor_info=1 TensorInfo; filename=2 string",
    "AttrValue": (
        "value|s=2 bytes; value|i=3 int64; value|f=4 float; value|b=5 bool; value|type=6 #DataType; value|shape=7 "
        "TensorShapeProto; value|tensor=8 TensorProto; value|list=1 AttrValue.ListValue; value|func=10 NameAttrList; "
        "value|placeholder=9 string"
    ),
    "AttrValue.ListValue": (
        "s=2 *bytes; i=3 *int64; f=4 *float; b=5 *bool; type=6 *#DataType; shape=7 *TensorShapeProto; tensor=8 "
        "*TensorProto; func=9 *NameAttrList"
    ),
    "AutoParallelOptions": "enable=1 bool; num_replicas=2 int32",
    "BatchingOptions": (
        "num_batch_threads=1 int32; max_batch_size=2 int32; batch_timeout_micros=3 int32; allowed_batch_sizes=4 "
        "*int32; max_enqueued_batches=5 int32"
    ),
    "BoundedTensorSpecProto": (
        "name=1 string; shape=2 TensorShapeProto; dtype=3 #DataType; minimum=4 TensorProto; maximum=5 TensorProto"
    ),
    "BundleEntryProto": (
        "dtype=1 #DataType; shape=2 TensorShapeProto; shard_id=3 int32; offset=4 int64; size=5 int64; crc32c=6 "
        "fixed32; slices=7 *TensorSliceProto"
    ),
    "BundleHeaderProto": "num_shards=1 int32; endianness=2 #BundleHeaderProto.Endianness; version=3 VersionDef",
    "BytesList": "value=1 *bytes",
    "CallableOptions": (
        "feed=1 *string; fetch=2 *string; target=3 *string; run_options=4 RunOptions; tensor_connection=5 "
        "*TensorConnection; feed_devices=6 {string: string}; fetch_devices=7 {string: string}; fetch_skip_sync=8 bool"
    ),
    "CapturedTensor": "name=1 string; concrete_function=2 string",
    "CheckpointState": (
        "model_checkpoint_path=1 string; all_model_checkpoint_paths=2 *string; all_model_checkpoint_timestamps=3 "
        "*double; last_preserved_timestamp=4 double"
    ),
    "ClusterDef": "job=1 *JobDef",
    "ClusterDeviceFilters": "jobs=1 *JobDeviceFilters",
    "CollectionDef": (
        "kind|node_list=1 CollectionDef.NodeList; kind|bytes_list=2 CollectionDef.BytesList; kind|int64_list=3 "
        "CollectionDef.Int64List; kind|float_list=4 CollectionDef.FloatList; kind|any_list=5 CollectionDef.AnyList"
    ),
    "CollectionDef.AnyList": "value=1 *.google.protobuf.Any",
    "CollectionDef.BytesList": "value=1 *bytes",
    "CollectionDef.FloatList": "value=1 *float",
    "CollectionDef.Int64List": "value=1 *int64",
    "CollectionDef.NodeList": "value=1 *string",
    "CompositeTensorVariantMetadata": "type_spec_proto=1 TypeSpecProto",
    "CondContextDef": (
        "context_name=1 string; pred_name=2 string; pivot_name=3 string; branch=4 int32; values_def=5 ValuesDef; "
        "nested_contexts=6 *ControlFlowContextDef"
    ),
    "ConfigProto": (
        "device_count=1 {string: int32}; intra_op_parallelism_threads=2 int32; inter_op_parallelism_threads=5 int32; "
        "use_per_session_threads=9 bool; session_inter_op_thread_pool=12 *ThreadPoolOptionProto; placement_period=3 "
        "int32; device_filters=4 *string; gpu_options=6 GPUOptions; pluggable_device_options=18 GPUOptions; "
        "allow_soft_placement=7 bool; log_device_placement=8 bool; graph_options=10 GraphOptions; "
        "operation_timeout_in_ms=11 int64; rpc_options=13 RPCOptions; cluster_def=14 ClusterDef; "
        "isolate_session_state=15 bool; share_cluster_devices_in_session=17 bool; experimental=16 "
        "ConfigProto.Experimental"
    ),
    "ConfigProto.Experimental": (
        "collective_group_leader=1 string; executor_type=3 string; recv_buf_max_chunk=4 int32; use_numa_affinity=5 "
        "bool; collective_deterministic_sequential_execution=6 bool; collective_nccl=7 bool; "
        "share_session_state_in_clusterspec_propagation=8 bool; disable_thread_spinning=9 bool; "
        "share_cluster_devices_in_session=10 bool; session_metadata=11 SessionMetadata; optimize_for_static_graph=12 "
        "bool; enable_mlir_bridge=13 bool; mlir_bridge_rollout=17 #ConfigProto.Experimental.MlirBridgeRollout; "
        "enable_mlir_graph_optimization=16 bool; disable_output_partition_graphs=14 bool; "
        "xla_fusion_autotuner_thresh=15 int64; use_tfrt=18 bool; enable_multi_host=27 bool; tfrt_use_ifrt=32 bool; "
        "backend_server_port=28 int32; target_tpu=29 bool; target_gpu=30 bool; stream_merge_threshold=31 int32; "
        "disable_functional_ops_lowering=21 bool; xla_prefer_single_graph_cluster=22 bool; coordination_config=23 "
        "CoordinationServiceConfig; disable_optimize_for_static_graph=24 bool; "
        "disable_eager_executor_streaming_enqueue=26 bool; finalize_function_library_runtime=33 bool; "
        "finalize_resource_manager=34 bool; tf2xla_dump_dir=35 string; online_cost_analysis=36 bool"
    ),
    "ControlFlowContextDef": "ctxt|cond_ctxt=1 CondContextDef; ctxt|while_ctxt=2 WhileContextDef",
    "CoordinatedJob": "name=1 string; num_tasks=2 int32",
    "CoordinationServiceConfig": (
        "service_type=1 string; service_leader=2 string; enable_health_check=3 bool; cluster_register_timeout_in_ms=4 "
        "int64; cluster_register_with_barrier=14 bool; heartbeat_timeout_in_ms=5 int64; coordinated_job_list=10 "
        "*CoordinatedJob; shutdown_barrier_timeout_in_ms=7 int64; agent_destruction_without_shutdown=8 bool; "
        "recoverable_jobs=9 *string; allow_new_incarnation_to_reconnect=11 bool; force_disable=12 bool; "
        "poll_for_error_from_service_at_startup=13 bool"
    ),
    "CostGraphDef": "node=1 *CostGraphDef.Node; cost=2 *CostGraphDef.AggregatedCost",
    "CostGraphDef.AggregatedCost": "cost=1 float; dimension=2 string",
    "CostGraphDef.Node": (
        "name=1 string; device=2 string; id=3 int32; input_info=4 *CostGraphDef.Node.InputInfo; output_info=5 "
        "*CostGraphDef.Node.OutputInfo; temporary_memory_size=6 int64; persistent_memory_size=12 int64; "
        "host_temp_memory_size=10 int64; device_temp_memory_size=11 int64; device_persistent_memory_size=16 int64; "
        "compute_cost=9 int64; compute_time=14 int64; memory_time=15 int64; is_final=7 bool; control_input=8 *int32; "
        "inaccurate=17 bool"
    ),
    "CostGraphDef.Node.InputInfo": "preceding_node=1 int32; preceding_port=2 int32",
    "CostGraphDef.Node.OutputInfo": (
        "size=1 int64; alias_input_port=2 int64; shape=3 TensorShapeProto; dtype=4 #DataType"
    ),
    "CppShapeInferenceResult": "shape=1 TensorShapeProto; handle_data=4 CppShapeInferenceResult.HandleData",
    "CppShapeInferenceResult.HandleData": "is_set=1 bool; shape_and_type=2 *CppShapeInferenceResult.HandleShapeAndType",
    "CppShapeInferenceResult.HandleShapeAndType": "shape=1 TensorShapeProto; dtype=2 #DataType; type=4 FullTypeDef",
    "DebugOptions": "debug_tensor_watch_opts=4 *DebugTensorWatch; global_step=10 int64; reset_disk_byte_usage=11 bool",
    "DebugTensorWatch": (
        "node_name=1 string; output_slot=2 int32; debug_ops=3 *string; debug_urls=4 *string; "
        "tolerate_debug_op_creation_failures=5 bool"
    ),
    "DebuggedSourceFile": "host=1 string; file_path=2 string; last_modified=3 int64; bytes=4 int64; lines=5 *string",
    "DebuggedSourceFiles": "source_files=1 *DebuggedSourceFile",
    "DeviceAttributes": (
        "name=1 string; device_type=2 string; memory_limit=4 int64; locality=5 DeviceLocality; incarnation=6 fixed64; "
        "physical_device_desc=7 string; xla_global_id=8 int64"
    ),
    "DeviceLocality": "bus_id=1 int32; numa_node=2 int32; links=3 LocalLinks",
    "DeviceStepStats": "device=1 string; node_stats=2 *NodeExecStats; thread_names=3 {uint32: string}",
    "DictValue": "fields=1 {string: StructuredValue}",
    "Event": (
        "wall_time=1 double; step=2 int64; what|file_version=3 string; what|graph_def=4 bytes; what|summary=5 "
        "Summary; what|log_message=6 LogMessage; what|session_log=7 SessionLog; what|tagged_run_metadata=8 "
        "TaggedRunMetadata; what|meta_graph_def=9 bytes; source_metadata=10 SourceMetadata"
    ),
    "Example": "features=1 Features",
    "Feature": "kind|bytes_list=1 BytesList; kind|float_list=2 FloatList; kind|int64_list=3 Int64List",
    "FeatureList": "feature=1 *Feature",
    "FeatureLists": "feature_list=1 {string: FeatureList}",
    "Features": "feature=1 {string: Feature}",
    "FingerprintDef": (
        "saved_model_checksum=1 uint64; graph_def_program_hash=2 uint64; signature_def_hash=3 uint64; "
        "saved_object_graph_hash=4 uint64; checkpoint_hash=5 uint64; uuid=7 string; version=6 VersionDef"
    ),
    "FloatList": "value=1 *float",
    "FullTypeDef": "type_id=1 #FullTypeId; args=2 *FullTypeDef; attr|s=3 string; attr|i=4 int64",
    "FunctionDef": (
        "signature=1 OpDef; attr=5 {string: AttrValue}; arg_attr=7 {uint32: FunctionDef.ArgAttrs}; "
        "resource_arg_unique_id=8 {uint32: uint32}; node_def=3 *NodeDef; ret=4 {string: string}; control_ret=6 "
        "{string: string}"
    ),
    "FunctionDef.ArgAttrs": "attr=1 {string: AttrValue}",
    "FunctionDefLibrary": (
        "function=1 *FunctionDef; gradient=2 *GradientDef; registered_gradients=3 *RegisteredGradient"
    ),
    "FunctionSpec": (
        "fullargspec=1 StructuredValue; is_method=2 bool; input_signature=5 StructuredValue; jit_compile=6 "
        "#FunctionSpec.JitCompile"
    ),
    "GPUOptions": (
        "per_process_gpu_memory_fraction=1 double; allow_growth=4 bool; allocator_type=2 string; "
        "deferred_deletion_bytes=3 int64; visible_device_list=5 string; polling_active_delay_usecs=6 int32; "
        "polling_inactive_delay_msecs=7 int32; force_gpu_compatible=8 bool; experimental=9 GPUOptions.Experimental"
    ),
    "GPUOptions.Experimental": (
        "virtual_devices=1 *GPUOptions.Experimental.VirtualDevices; num_virtual_devices_per_gpu=15 int32; "
        "use_unified_memory=2 bool; num_dev_to_dev_copy_streams=3 int32; collective_ring_order=4 string; "
        "timestamped_allocator=5 bool; kernel_tracker_max_interval=7 int32; kernel_tracker_max_bytes=8 int32; "
        "kernel_tracker_max_pending=9 int32; internal_fragmentation_fraction=10 double; use_cuda_malloc_async=11 "
        "bool; disallow_retry_on_allocation_failure=12 bool; gpu_host_mem_limit_in_mb=13 float; "
        "gpu_host_mem_disallow_growth=14 bool; gpu_system_memory_size_in_mb=16 int32; "
        "populate_pjrt_gpu_client_creation_info=17 bool; node_id=18 int32; stream_merge_options=19 "
        "GPUOptions.Experimental.StreamMergeOptions"
    ),
    "GPUOptions.Experimental.StreamMergeOptions": (
        "merge_host_to_device_stream=1 bool; merge_device_to_host_stream=2 bool; merge_device_to_device_stream=3 bool"
    ),
    "GPUOptions.Experimental.VirtualDevices": "memory_limit_mb=1 *float; priority=2 *int32; device_ordinal=3 *int32",
    "GradientDef": "function_name=1 string; gradient_func=2 string",
    "GraphDebugInfo": (
        "files=1 *string; frames_by_id=4 {fixed64: GraphDebugInfo.FileLineCol}; traces_by_id=6 {fixed64: "
        "GraphDebugInfo.StackTrace}; traces=2 {string: GraphDebugInfo.StackTrace}; name_to_trace_id=5 {string: "
        "fixed64}"
    ),
    "GraphDebugInfo.FileLineCol": "file_index=1 int32; line=2 int32; col=3 int32; func=4 string; code=5 string",
    "GraphDebugInfo.StackTrace": "file_line_cols=1 *GraphDebugInfo.FileLineCol; frame_id=2 *fixed64",
    "GraphDef": (
        "node=1 *NodeDef; versions=4 VersionDef; version=3 int32; library=2 FunctionDefLibrary; debug_info=5 "
        "GraphDebugInfo"
    ),
    "GraphOptions": (
        "enable_recv_scheduling=2 bool; optimizer_options=3 OptimizerOptions; build_cost_model=4 int64; "
        "build_cost_model_after=9 int64; infer_shapes=5 bool; place_pruned_graph=6 bool; enable_bfloat16_sendrecv=7 "
        "bool; timeline_step=8 int32; rewrite_options=10 RewriterConfig"
    ),
    "HistogramProto": (
        "min=1 double; max=2 double; num=3 double; sum=4 double; sum_squares=5 double; bucket_limit=6 *double; "
        "bucket=7 *double"
    ),
    "Int64List": "value=1 *int64",
    "InterconnectLink": "device_id=1 int32; type=2 string; strength=3 int32",
    "JobDef": "name=1 string; tasks=2 {int32: string}",
    "JobDeviceFilters": "name=1 string; tasks=2 {int32: TaskDeviceFilters}",
    "KernelDef": (
        "op=1 string; device_type=2 string; constraint=3 *KernelDef.AttrConstraint; host_memory_arg=4 *string; "
        "label=5 string; priority=6 int32"
    ),
    "KernelDef.AttrConstraint": "name=1 string; allowed_values=2 AttrValue",
    "KernelList": "kernel=1 *KernelDef",
    "ListValue": "values=1 *StructuredValue",
    "LocalLinks": "link=1 *InterconnectLink",
    "LogMessage": "level=1 #LogMessage.Level; message=2 string",
    "MemoryLogRawAllocation": (
        "step_id=1 int64; operation=2 string; num_bytes=3 int64; ptr=4 uint64; allocation_id=5 int64; "
        "allocator_name=6 string"
    ),
    "MemoryLogRawDeallocation": (
        "step_id=1 int64; operation=2 string; allocation_id=3 int64; allocator_name=4 string; deferred=5 bool"
    ),
    "MemoryLogStep": "step_id=1 int64; handle=2 string",
    "MemoryLogTensorAllocation": "step_id=1 int64; kernel_name=2 string; tensor=3 TensorDescription",
    "MemoryLogTensorDeallocation": "allocation_id=1 int64; allocator_name=2 string",
    "MemoryLogTensorOutput": "step_id=1 int64; kernel_name=2 string; index=3 int32; tensor=4 TensorDescription",
    "MemoryStats": (
        "temp_memory_size=1 int64; persistent_memory_size=3 int64; persistent_tensor_alloc_ids=5 *int64; "
        "device_temp_memory_size=2 int64; device_persistent_memory_size=4 int64; device_persistent_tensor_alloc_ids=6 "
        "*int64"
    ),
    "MetaGraphDef": (
        "meta_info_def=1 MetaGraphDef.MetaInfoDef; graph_def=2 GraphDef; saver_def=3 SaverDef; collection_def=4 "
        "{string: CollectionDef}; signature_def=5 {string: SignatureDef}; asset_file_def=6 *AssetFileDef; "
        "object_graph_def=7 SavedObjectGraph"
    ),
    "MetaGraphDef.MetaInfoDef": (
        "meta_graph_version=1 string; stripped_op_list=2 OpList; any_info=3 .google.protobuf.Any; tags=4 *string; "
        "tensorflow_version=5 string; tensorflow_git_version=6 string; stripped_default_attrs=7 bool; "
        "function_aliases=8 {string: string}"
    ),
    "NameAttrList": "name=1 string; attr=2 {string: AttrValue}",
    "NamedTensorProto": "name=1 string; tensor=2 TensorProto",
    "NamedTupleValue": "name=1 string; values=2 *PairValue",
    "NodeDef": (
        "name=1 string; op=2 string; input=3 *string; device=4 string; attr=5 {string: AttrValue}; "
        "experimental_debug_info=6 NodeDef.ExperimentalDebugInfo; experimental_type=7 FullTypeDef"
    ),
    "NodeDef.ExperimentalDebugInfo": "original_node_names=1 *string; original_func_names=2 *string",
    "NodeExecStats": (
        "node_name=1 string; all_start_micros=2 int64; op_start_rel_micros=3 int64; op_end_rel_micros=4 int64; "
        "all_end_rel_micros=5 int64; memory=6 *AllocatorMemoryUsed; output=7 *NodeOutput; timeline_label=8 string; "
        "scheduled_micros=9 int64; thread_id=10 uint32; referenced_tensor=11 *AllocationDescription; memory_stats=12 "
        "MemoryStats; all_start_nanos=13 int64; op_start_rel_nanos=14 int64; op_end_rel_nanos=15 int64; "
        "all_end_rel_nanos=16 int64; scheduled_nanos=17 int64"
    ),
    "NodeOutput": "slot=1 int32; tensor_description=3 TensorDescription",
    "NoneValue": "",
    "OpDef": (
        "name=1 string; input_arg=2 *OpDef.ArgDef; output_arg=3 *OpDef.ArgDef; control_output=20 *string; attr=4 "
        "*OpDef.AttrDef; deprecation=8 OpDeprecation; summary=5 string; description=6 string; is_commutative=18 bool; "
        "is_aggregate=16 bool; is_stateful=17 bool; allows_uninitialized_input=19 bool; "
        "is_distributed_communication=21 bool"
    ),
    "OpDef.ArgDef": (
        "name=1 string; description=2 string; type=3 #DataType; type_attr=4 string; number_attr=5 string; "
        "type_list_attr=6 string; handle_data=7 *ResourceHandleProto.DtypeAndShape; is_ref=16 bool; "
        "experimental_full_type=17 FullTypeDef"
    ),
    "OpDef.AttrDef": (
        "name=1 string; type=2 string; default_value=3 AttrValue; description=4 string; has_minimum=5 bool; minimum=6 "
        "int64; allowed_values=7 AttrValue"
    ),
    "OpDeprecation": "version=1 int32; explanation=2 string",
    "OpList": "op=1 *OpDef",
    "OptimizerOptions": (
        "do_common_subexpression_elimination=1 bool; do_constant_folding=2 bool; max_folded_constant_in_bytes=6 "
        "int64; do_function_inlining=4 bool; opt_level=3 #OptimizerOptions.Level; global_jit_level=5 "
        "#OptimizerOptions.GlobalJitLevel; cpu_global_jit=7 bool"
    ),
    "PairValue": "key=1 string; value=2 StructuredValue",
    "QueueRunnerDef": (
        "queue_name=1 string; enqueue_op_name=2 *string; close_op_name=3 string; cancel_op_name=4 string; "
        "queue_closed_exception_types=5 *#.tensorflow.error.Code"
    ),
    "RPCOptions": (
        "use_rpc_for_inprocess_master=1 bool; compression_algorithm=2 string; compression_level=3 int32; "
        "cache_rpc_response=4 bool; disable_session_connection_sharing=5 bool; num_channels_per_target=6 int32"
    ),
    "ReaderBaseState": (
        "work_started=1 int64; work_finished=2 int64; num_records_produced=3 int64; current_work=4 bytes"
    ),
    "RegisteredGradient": "gradient_func=1 string; registered_op_type=2 string",
    "RegisteredSaver": "name=1 string; object_name=2 string",
    "RequestedExitCode": "exit_code=1 int32",
    "ResourceHandleProto": (
        "device=1 string; container=2 string; name=3 string; hash_code=4 uint64; maybe_type_name=5 string; "
        "dtypes_and_shapes=6 *ResourceHandleProto.DtypeAndShape"
    ),
    "ResourceHandleProto.DtypeAndShape": "dtype=1 #DataType; shape=2 TensorShapeProto",
    "RewriterConfig": (
        "cpu_layout_conversion=50 #RewriterConfig.CpuLayout; layout_optimizer=1 #RewriterConfig.Toggle; "
        "constant_folding=3 #RewriterConfig.Toggle; shape_optimization=13 #RewriterConfig.Toggle; remapping=14 "
        "#RewriterConfig.Toggle; common_subgraph_elimination=24 #RewriterConfig.Toggle; arithmetic_optimization=7 "
        "#RewriterConfig.Toggle; dependency_optimization=8 #RewriterConfig.Toggle; loop_optimization=9 "
        "#RewriterConfig.Toggle; function_optimization=10 #RewriterConfig.Toggle; debug_stripper=11 "
        "#RewriterConfig.Toggle; disable_model_pruning=2 bool; scoped_allocator_optimization=15 "
        "#RewriterConfig.Toggle; pin_to_host_optimization=18 #RewriterConfig.Toggle; implementation_selector=22 "
        "#RewriterConfig.Toggle; auto_mixed_precision=23 #RewriterConfig.Toggle; auto_mixed_precision_mkl=25 "
        "#RewriterConfig.Toggle; auto_mixed_precision_onednn_bfloat16=31 #RewriterConfig.Toggle; "
        "auto_mixed_precision_cpu=29 #RewriterConfig.Toggle; disable_meta_optimizer=19 bool; disable_tfg_optimizer=32 "
        "bool; use_plugin_optimizers=28 #RewriterConfig.Toggle; experimental_conditional_code_motion=30 "
        "#RewriterConfig.Toggle; meta_optimizer_iterations=12 #RewriterConfig.NumIterationsType; min_graph_nodes=17 "
        "int32; experimental_disable_compressed_tensor_optimization=26 bool; "
        "experimental_disable_folding_quantization_emulation=27 bool; memory_optimization=4 "
        "#RewriterConfig.MemOptType; memory_optimizer_target_node_name_scope=6 string; meta_optimizer_timeout_ms=20 "
        "int64; auto_parallel=5 AutoParallelOptions; fail_on_optimizer_errors=21 bool; scoped_allocator_opts=16 "
        "ScopedAllocatorOptions; optimizers=100 *string; custom_optimizers=200 *RewriterConfig.CustomGraphOptimizer; "
        "inter_optimizer_verifier_config=300 VerifierConfig; post_optimization_verifier_config=301 VerifierConfig"
    ),
    "RewriterConfig.CustomGraphOptimizer": "name=1 string; parameter_map=2 {string: AttrValue}",
    "RunMetadata": (
        "step_stats=1 StepStats; cost_graph=2 CostGraphDef; partition_graphs=3 *GraphDef; function_graphs=4 "
        "*RunMetadata.FunctionGraphs; session_metadata=5 SessionMetadata"
    ),
    "RunMetadata.FunctionGraphs": (
        "partition_graphs=1 *GraphDef; pre_optimization_graph=2 GraphDef; post_optimization_graph=3 GraphDef"
    ),
    "RunOptions": (
        "trace_level=1 #RunOptions.TraceLevel; timeout_in_ms=2 int64; inter_op_thread_pool=3 int32; "
        "output_partition_graphs=5 bool; debug_options=6 DebugOptions; report_tensor_allocations_upon_oom=7 bool; "
        "experimental=8 RunOptions.Experimental"
    ),
    "RunOptions.Experimental": (
        "collective_graph_key=1 int64; use_run_handler_pool=2 bool; run_handler_pool_options=3 "
        "RunOptions.Experimental.RunHandlerPoolOptions"
    ),
    "RunOptions.Experimental.RunHandlerPoolOptions": "priority=1 int64",
    "SaveSliceInfoDef": "full_name=1 string; full_shape=2 *int64; var_offset=3 *int64; var_shape=4 *int64",
    "SaveableObject": "save_function=2 int32; restore_function=3 int32",
    "SavedAsset": "asset_file_def_index=1 int32",
    "SavedBareConcreteFunction": (
        "concrete_function_name=1 string; argument_keywords=2 *string; allowed_positional_arguments=3 int64; "
        "function_spec=4 FunctionSpec"
    ),
    "SavedConcreteFunction": (
        "bound_inputs=2 *int32; canonicalized_input_signature=3 StructuredValue; output_signature=4 StructuredValue"
    ),
    "SavedConstant": "operation=1 string",
    "SavedFunction": "concrete_functions=1 *string; function_spec=2 FunctionSpec",
    "SavedModel": "saved_model_schema_version=1 int64; meta_graphs=2 *MetaGraphDef",
    "SavedObject": (
        "children=1 *TrackableObjectGraph.TrackableObject.ObjectReference; dependencies=15 "
        "*TrackableObjectGraph.TrackableObject.ObjectReference; slot_variables=3 "
        "*TrackableObjectGraph.TrackableObject.SlotVariableReference; kind|user_object=4 SavedUserObject; "
        "kind|asset=5 SavedAsset; kind|function=6 SavedFunction; kind|variable=7 SavedVariable; "
        "kind|bare_concrete_function=8 SavedBareConcreteFunction; kind|constant=9 SavedConstant; kind|resource=10 "
        "SavedResource; kind|captured_tensor=12 CapturedTensor; saveable_objects=11 {string: SaveableObject}; "
        "registered_name=13 string; serialized_user_proto=14 .google.protobuf.Any; registered_saver=16 string"
    ),
    "SavedObjectGraph": "nodes=1 *SavedObject; concrete_functions=2 {string: SavedConcreteFunction}",
    "SavedResource": "device=1 string",
    "SavedSlice": "name=1 string; slice=2 TensorSliceProto; data=3 TensorProto",
    "SavedSliceMeta": "name=1 string; shape=2 TensorShapeProto; type=3 #DataType; slice=4 *TensorSliceProto",
    "SavedTensorSliceMeta": "tensor=1 *SavedSliceMeta; versions=2 VersionDef",
    "SavedTensorSlices": "meta=1 SavedTensorSliceMeta; data=2 SavedSlice",
    "SavedUserObject": "identifier=1 string; version=2 VersionDef; metadata=3 string",
    "SavedVariable": (
        "dtype=1 #DataType; shape=2 TensorShapeProto; trainable=3 bool; synchronization=4 #VariableSynchronization; "
        "aggregation=5 #VariableAggregation; name=6 string; device=7 string; "
        "experimental_distributed_variable_components=8 *SavedVariable"
    ),
    "SaverDef": (
        "filename_tensor_name=1 string; save_tensor_name=2 string; restore_op_name=3 string; max_to_keep=4 int32; "
        "sharded=5 bool; keep_checkpoint_every_n_hours=6 float; version=7 #SaverDef.CheckpointFormatVersion"
    ),
    "ScopedAllocatorOptions": "enable_op=1 *string",
    "SequenceExample": "context=1 Features; feature_lists=2 FeatureLists",
    "SerializedDType": "datatype=1 #DataType",
    "ServerDef": (
        "cluster=1 ClusterDef; job_name=2 string; replica=8 int32; task_index=3 int32; default_session_config=4 "
        "ConfigProto; protocol=5 string; port=6 int32; cluster_device_filters=7 ClusterDeviceFilters"
    ),
    "SessionLog": "status=1 #SessionLog.SessionStatus; checkpoint_path=2 string; msg=3 string",
    "SessionMetadata": "name=1 string; version=2 int64",
    "SignatureDef": (
        "inputs=1 {string: TensorInfo}; outputs=2 {string: TensorInfo}; method_name=3 string; defaults=4 {string: "
        "TensorProto}"
    ),
    "SourceMetadata": "writer=1 string",
    "StatusProto": "code=1 #.tensorflow.error.Code; message=2 string; payload=3 {string: bytes}",
    "StepStats": "dev_stats=1 *DeviceStepStats",
    "StructuredValue": (
        "kind|none_value=1 NoneValue; kind|float64_value=11 double; kind|int64_value=12 sint64; kind|string_value=13 "
        "string; kind|bool_value=14 bool; kind|tensor_shape_value=31 TensorShapeProto; kind|tensor_dtype_value=32 "
        "#DataType; kind|tensor_spec_value=33 TensorSpecProto; kind|type_spec_value=34 TypeSpecProto; "
        "kind|bounded_tensor_spec_value=35 BoundedTensorSpecProto; kind|list_value=51 ListValue; kind|tuple_value=52 "
        "TupleValue; kind|dict_value=53 DictValue; kind|named_tuple_value=54 NamedTupleValue; kind|tensor_value=55 "
        "TensorProto; kind|numpy_value=56 TensorProto"
    ),
    "Summary": "value=1 *Summary.Value",
    "Summary.Audio": (
        "sample_rate=1 float; num_channels=2 int64; length_frames=3 int64; encoded_audio_string=4 bytes; "
        "content_type=5 string"
    ),
    "Summary.Image": "height=1 int32; width=2 int32; colorspace=3 int32; encoded_image_string=4 bytes",
    "Summary.Value": (
        "node_name=7 string; tag=1 string; metadata=9 SummaryMetadata; value|simple_value=2 float; "
        "value|obsolete_old_style_histogram=3 bytes; value|image=4 Summary.Image; value|histo=5 HistogramProto; "
        "value|audio=6 Summary.Audio; value|tensor=8 TensorProto"
    ),
    "SummaryDescription": "type_hint=1 string",
    "SummaryMetadata": (
        "plugin_data=1 SummaryMetadata.PluginData; display_name=2 string; summary_description=3 string; data_class=4 "
        "#DataClass"
    ),
    "SummaryMetadata.PluginData": "plugin_name=1 string; content=2 bytes",
    "TaggedRunMetadata": "tag=1 string; run_metadata=2 bytes",
    "TaskDeviceFilters": "device_filters=1 *string",
    "TensorConnection": "from_tensor=1 string; to_tensor=2 string",
    "TensorDescription": "dtype=1 #DataType; shape=2 TensorShapeProto; allocation_description=4 AllocationDescription",
    "TensorInfo": (
        "encoding|name=1 string; encoding|coo_sparse=4 TensorInfo.CooSparse; encoding|composite_tensor=5 "
        "TensorInfo.CompositeTensor; dtype=2 #DataType; tensor_shape=3 TensorShapeProto"
    ),
    "TensorInfo.CompositeTensor": "type_spec=1 TypeSpecProto; components=2 *TensorInfo",
    "TensorInfo.CooSparse": (
        "values_tensor_name=1 string; indices_tensor_name=2 string; dense_shape_tensor_name=3 string"
    ),
    "TensorProto": (
        "dtype=1 #DataType; tensor_shape=2 TensorShapeProto; version_number=3 int32; tensor_content=4 bytes; "
        "half_val=13 *int32; float_val=5 *float; double_val=6 *double; int_val=7 *int32; string_val=8 *bytes; "
        "scomplex_val=9 *float; int64_val=10 *int64; bool_val=11 *bool; dcomplex_val=12 *double; "
        "resource_handle_val=14 *ResourceHandleProto; variant_val=15 *VariantTensorDataProto; uint32_val=16 *uint32; "
        "uint64_val=17 *uint64; float8_val=18 bytes"
    ),
    "TensorShapeProto": "dim=2 *TensorShapeProto.Dim; unknown_rank=3 bool",
    "TensorShapeProto.Dim": "size=1 int64; name=2 string",
    "TensorSliceProto": "extent=1 *TensorSliceProto.Extent",
    "TensorSliceProto.Extent": "start=1 int64; has_length|length=2 int64",
    "TensorSpecProto": "name=1 string; shape=2 TensorShapeProto; dtype=3 #DataType",
    "ThreadPoolOptionProto": "num_threads=1 int32; global_name=2 string",
    "TrackableObjectGraph": "nodes=1 *TrackableObjectGraph.TrackableObject",
    "TrackableObjectGraph.TrackableObject": (
        "children=1 *TrackableObjectGraph.TrackableObject.ObjectReference; attributes=2 "
        "*TrackableObjectGraph.TrackableObject.SerializedTensor; slot_variables=3 "
        "*TrackableObjectGraph.TrackableObject.SlotVariableReference; registered_saver=4 RegisteredSaver; "
        "has_checkpoint_values=5 .google.protobuf.BoolValue"
    ),
    "TrackableObjectGraph.TrackableObject.ObjectReference": "node_id=1 int32; local_name=2 string",
    "TrackableObjectGraph.TrackableObject.SerializedTensor": (
        "name=1 string; full_name=2 string; checkpoint_key=3 string"
    ),
    "TrackableObjectGraph.TrackableObject.SlotVariableReference": (
        "original_variable_node_id=1 int32; slot_name=2 string; slot_variable_node_id=3 int32"
    ),
    "TupleValue": "values=1 *StructuredValue",
    "TypeSpecProto": (
        "type_spec_class=1 #TypeSpecProto.TypeSpecClass; type_state=2 StructuredValue; type_spec_class_name=3 string; "
        "num_flat_components=4 int32"
    ),
    "ValuesDef": "values=1 *string; external_values=2 {string: string}",
    "VariableDef": (
        "variable_name=1 string; initial_value_name=6 string; initializer_name=2 string; snapshot_name=3 string; "
        "save_slice_info_def=4 SaveSliceInfoDef; is_resource=5 bool; trainable=7 bool; synchronization=8 "
        "#VariableSynchronization; aggregation=9 #VariableAggregation"
    ),
    "VariantTensorDataProto": "type_name=1 string; metadata=2 bytes; tensors=3 *TensorProto",
    "VerifierConfig": "verification_timeout_in_ms=1 int64; structure_verifier=2 #VerifierConfig.Toggle",
    "VersionDef": "producer=1 int32; min_consumer=2 int32; bad_consumers=3 *int32",
    "WatchdogConfig": "timeout_ms=1 int64",
    "WhileContextDef": (
        "context_name=1 string; parallel_iterations=2 int32; back_prop=3 bool; swap_memory=4 bool; pivot_name=5 "
        "string; pivot_for_pred_name=6 string; pivot_for_body_name=7 string; loop_exit_names=8 *string; "
        "loop_enter_names=10 *string; values_def=9 ValuesDef; maximum_iterations_name=11 string; nested_contexts=12 "
        "*ControlFlowContextDef"
    ),
    "WorkerHeartbeatRequest": (
        "shutdown_mode=1 #WorkerShutdownMode; watchdog_config=2 WatchdogConfig; exit_code=3 RequestedExitCode"
    ),
    "WorkerHeartbeatResponse": "health_status=1 #WorkerHealth; worker_log=2 *Event; hostname=3 string",
}

ENUMS = {
    "ApiDef.Visibility": "DEFAULT_VISIBILITY=0 VISIBLE=1 SKIP=2 HIDDEN=3",
    "BundleHeaderProto.Endianness": "LITTLE=0 BIG=1",
    "ConfigProto.Experimental.MlirBridgeRollout": (
        "MLIR_BRIDGE_ROLLOUT_UNSPECIFIED=0 MLIR_BRIDGE_ROLLOUT_ENABLED=1 MLIR_BRIDGE_ROLLOUT_DISABLED=2"
    ),
    "DataClass": "DATA_CLASS_UNKNOWN=0 DATA_CLASS_SCALAR=1 DATA_CLASS_TENSOR=2 DATA_CLASS_BLOB_SEQUENCE=3",
    "DataType": (
        "DT_INVALID=0 DT_FLOAT=1 DT_DOUBLE=2 DT_INT32=3 DT_UINT8=4 DT_INT16=5 DT_INT8=6 DT_STRING=7 DT_COMPLEX64=8 "
        "DT_INT64=9 DT_BOOL=10 DT_QINT8=11 DT_QUINT8=12 DT_QINT32=13 DT_BFLOAT16=14 DT_QINT16=15 DT_QUINT16=16 "
        "DT_UINT16=17 DT_COMPLEX128=18 DT_HALF=19 DT_RESOURCE=20 DT_VARIANT=21 DT_UINT32=22 DT_UINT64=23 "
        "DT_FLOAT8_E5M2=24 DT_FLOAT8_E4M3FN=25 DT_FLOAT8_E4M3FNUZ=26 DT_FLOAT8_E4M3B11FNUZ=27 DT_FLOAT8_E5M2FNUZ=28 "
        "DT_INT4=29 DT_UINT4=30 DT_INT2=31 DT_UINT2=32 DT_FLOAT4_E2M1FN=33 DT_FLOAT_REF=101 DT_DOUBLE_REF=102 "
        "DT_INT32_REF=103 DT_UINT8_REF=104 DT_INT16_REF=105 DT_INT8_REF=106 DT_STRING_REF=107 DT_COMPLEX64_REF=108 "
        "DT_INT64_REF=109 DT_BOOL_REF=110 DT_QINT8_REF=111 DT_QUINT8_REF=112 DT_QINT32_REF=113 DT_BFLOAT16_REF=114 "
        "DT_QINT16_REF=115 DT_QUINT16_REF=116 DT_UINT16_REF=117 DT_COMPLEX128_REF=118 DT_HALF_REF=119 "
        "DT_RESOURCE_REF=120 DT_VARIANT_REF=121 DT_UINT32_REF=122 DT_UINT64_REF=123 DT_FLOAT8_E5M2_REF=124 "
        "DT_FLOAT8_E4M3FN_REF=125 DT_FLOAT8_E4M3FNUZ_REF=126 DT_FLOAT8_E4M3B11FNUZ_REF=127 DT_FLOAT8_E5M2FNUZ_REF=128 "
        "DT_INT4_REF=129 DT_UINT4_REF=130 DT_INT2_REF=131 DT_UINT2_REF=132 DT_FLOAT4_E2M1FN_REF=133"
    ),
    "FullTypeId": (
        "TFT_UNSET=0 TFT_VAR=1 TFT_ANY=2 TFT_PRODUCT=3 TFT_NAMED=4 TFT_FOR_EACH=20 TFT_CALLABLE=100 TFT_TENSOR=1000 "
        "TFT_ARRAY=1001 TFT_OPTIONAL=1002 TFT_LITERAL=1003 TFT_ENCODED=1004 TFT_SHAPE_TENSOR=1005 TFT_BOOL=200 "
        "TFT_UINT8=201 TFT_UINT16=202 TFT_UINT32=203 TFT_UINT64=204 TFT_INT8=205 TFT_INT16=206 TFT_INT32=207 "
        "TFT_INT64=208 TFT_HALF=209 TFT_FLOAT=210 TFT_DOUBLE=211 TFT_BFLOAT16=215 TFT_COMPLEX64=212 "
        "TFT_COMPLEX128=213 TFT_STRING=214 TFT_DATASET=10102 TFT_RAGGED=10103 TFT_ITERATOR=10104 TFT_MUTEX_LOCK=10202 "
        "TFT_LEGACY_VARIANT=10203"
    ),
    "FunctionSpec.JitCompile": "DEFAULT=0 ON=1 OFF=2",
    "LogMessage.Level": "UNKNOWN=0 DEBUGGING=10 INFO=20 WARN=30 ERROR=40 FATAL=50",
    "OptimizerOptions.GlobalJitLevel": "DEFAULT=0 OFF=-1 ON_1=1 ON_2=2",
    "OptimizerOptions.Level": "L1=0 L0=-1",
    "RewriterConfig.CpuLayout": "NO_CONVERSION_ON_CPU=0 NCHW_TO_NHWC=1 NHWC_TO_NCHW=2",
    "RewriterConfig.MemOptType": (
        "DEFAULT_MEM_OPT=0 NO_MEM_OPT=1 MANUAL=2 SWAPPING_HEURISTICS=4 RECOMPUTATION_HEURISTICS=5 "
        "SCHEDULING_HEURISTICS=6 HEURISTICS=3"
    ),
    "RewriterConfig.NumIterationsType": "DEFAULT_NUM_ITERS=0 ONE=1 TWO=2",
    "RewriterConfig.Toggle": "DEFAULT=0 ON=1 OFF=2 AGGRESSIVE=3 EXPERIMENTAL_MLIR=4 EXPERIMENTAL_BOTH=5",
    "RunOptions.TraceLevel": "NO_TRACE=0 SOFTWARE_TRACE=1 HARDWARE_TRACE=2 FULL_TRACE=3",
    "SaverDef.CheckpointFormatVersion": "LEGACY=0 V1=1 V2=2",
    "SessionLog.SessionStatus": "STATUS_UNSPECIFIED=0 START=1 STOP=2 CHECKPOINT=3",
    "TypeSpecProto.TypeSpecClass": (
        "UNKNOWN=0 SPARSE_TENSOR_SPEC=1 INDEXED_SLICES_SPEC=2 RAGGED_TENSOR_SPEC=3 TENSOR_ARRAY_SPEC=4 "
        "DATA_DATASET_SPEC=5 DATA_ITERATOR_SPEC=6 OPTIONAL_SPEC=7 PER_REPLICA_SPEC=8 VARIABLE_SPEC=9 "
        "ROW_PARTITION_SPEC=10 REGISTERED_TYPE_SPEC=12 EXTENSION_TYPE_SPEC=13"
    ),
    "VariableAggregation": (
        "VARIABLE_AGGREGATION_NONE=0 VARIABLE_AGGREGATION_SUM=1 VARIABLE_AGGREGATION_MEAN=2 "
        "VARIABLE_AGGREGATION_ONLY_FIRST_REPLICA=3"
    ),
    "VariableSynchronization": (
        "VARIABLE_SYNCHRONIZATION_AUTO=0 VARIABLE_SYNCHRONIZATION_NONE=1 VARIABLE_SYNCHRONIZATION_ON_WRITE=2 "
        "VARIABLE_SYNCHRONIZATION_ON_READ=3"
    ),
    "VerifierConfig.Toggle": "DEFAULT=0 ON=1 OFF=2",
    "WorkerHealth": "OK=0 RECEIVED_SHUTDOWN_SIGNAL=1 INTERNAL_ERROR=2 SHUTTING_DOWN=3",
    "WorkerShutdownMode": "DEFAULT=0 NOT_CONFIGURED=1 WAIT_FOR_COORDINATOR=2 SHUTDOWN_AFTER_TIMEOUT=3",
    ".tensorflow.error.Code": (
        "OK=0 CANCELLED=1 UNKNOWN=2 INVALID_ARGUMENT=3 DEADLINE_EXCEEDED=4 NOT_FOUND=5 ALREADY_EXISTS=6 "
        "PERMISSION_DENIED=7 UNAUTHENTICATED=16 RESOURCE_EXHAUSTED=8 FAILED_PRECONDITION=9 ABORTED=10 OUT_OF_RANGE=11 "
        "UNIMPLEMENTED=12 INTERNAL=13 UNAVAILABLE=14 DATA_LOSS=15 "
        "DO_NOT_USE_RESERVED_FOR_FUTURE_EXPANSION_USE_DEFAULT_IN_SWITCH_INSTEAD_=20"
    ),
}
