/* Written by tools/gen_proto.py from the .proto files of src/proto; do not edit. */
#include "proto/gen/messages.h"

/* S names the struct, F the field, T the type of one value, M the index of its message or enum. */
#define ROW(S, F, T, NAME, NUMBER, WIRE, KIND, LABEL, M)                                                               \
    {NAME, NUMBER, NUMBER << 3 | SL_PB_WIRE_##WIRE, offsetof(struct S, F), sizeof(T), M, SL_PB_##KIND, SL_PB_##LABEL}

const struct sl_pb_field sl_pb_fields[1198] = {
    ROW(sl_pb_AttrValue, list, struct sl_pb_AttrValue_ListValue, 21, 1, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_AttrValue_ListValue),
    ROW(sl_pb_AttrValue, s, struct sl_str, 26, 2, BYTES, BYTES, ONEOF, 0),
    ROW(sl_pb_AttrValue, i, int64_t, 28, 3, VARINT, INT64, ONEOF, 0),
    ROW(sl_pb_AttrValue, f, float, 30, 4, 32, FLOAT, ONEOF, 0),
    ROW(sl_pb_AttrValue, b, bool, 32, 5, VARINT, BOOL, ONEOF, 0),
    ROW(sl_pb_AttrValue, type, int32_t, 34, 6, VARINT, ENUM, ONEOF, SL_PB_ENUM_INDEX_DataType),
    ROW(sl_pb_AttrValue, shape, struct sl_pb_TensorShapeProto, 39, 7, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_TensorShapeProto),
    ROW(sl_pb_AttrValue, tensor, struct sl_pb_TensorProto, 45, 8, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_TensorProto),
    ROW(sl_pb_AttrValue, placeholder, struct sl_str, 52, 9, BYTES, STRING, ONEOF, 0),
    ROW(sl_pb_AttrValue, func, struct sl_pb_NameAttrList, 64, 10, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_NameAttrList),
    ROW(sl_pb_AttrValue_ListValue, s, struct sl_str, 26, 2, BYTES, BYTES, REPEATED, 0),
    ROW(sl_pb_AttrValue_ListValue, i, int64_t, 28, 3, VARINT, INT64, REPEATED, 0),
    ROW(sl_pb_AttrValue_ListValue, f, float, 30, 4, 32, FLOAT, REPEATED, 0),
    ROW(sl_pb_AttrValue_ListValue, b, bool, 32, 5, VARINT, BOOL, REPEATED, 0),
    ROW(sl_pb_AttrValue_ListValue, type, int32_t, 34, 6, VARINT, ENUM, REPEATED, SL_PB_ENUM_INDEX_DataType),
    ROW(sl_pb_AttrValue_ListValue, shape, struct sl_pb_TensorShapeProto, 39, 7, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_TensorShapeProto),
    ROW(sl_pb_AttrValue_ListValue, tensor, struct sl_pb_TensorProto, 45, 8, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_TensorProto),
    ROW(sl_pb_AttrValue_ListValue, func, struct sl_pb_NameAttrList, 64, 9, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_NameAttrList),
    ROW(sl_pb_NameAttrList, name, struct sl_str, 124, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_NameAttrList, attr, struct sl_pb_entry_string_AttrValue, 129, 2, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_string_AttrValue),
    ROW(sl_pb_FullTypeDef, type_id, int32_t, 157, 1, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_FullTypeId),
    ROW(sl_pb_FullTypeDef, args, struct sl_pb_FullTypeDef, 165, 2, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_FullTypeDef),
    ROW(sl_pb_FullTypeDef, s, struct sl_str, 26, 3, BYTES, STRING, ONEOF, 0),
    ROW(sl_pb_FullTypeDef, i, int64_t, 28, 4, VARINT, INT64, ONEOF, 0),
    ROW(sl_pb_BundleHeaderProto, num_shards, int32_t, 199, 1, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_BundleHeaderProto, endianness, int32_t, 210, 2, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_BundleHeaderProto_Endianness),
    ROW(sl_pb_BundleHeaderProto, version, struct sl_pb_VersionDef, 221, 3, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_VersionDef),
    ROW(sl_pb_BundleEntryProto, dtype, int32_t, 257, 1, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_DataType),
    ROW(sl_pb_BundleEntryProto, shape, struct sl_pb_TensorShapeProto, 39, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_TensorShapeProto),
    ROW(sl_pb_BundleEntryProto, shard_id, int32_t, 263, 3, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_BundleEntryProto, offset, int64_t, 272, 4, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_BundleEntryProto, size, int64_t, 279, 5, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_BundleEntryProto, crc32c, uint32_t, 284, 6, 32, FIXED32, SINGULAR, 0),
    ROW(sl_pb_BundleEntryProto, slices, struct sl_pb_TensorSliceProto, 291, 7, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_TensorSliceProto),
    ROW(sl_pb_SavedSliceMeta, name, struct sl_str, 124, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_SavedSliceMeta, shape, struct sl_pb_TensorShapeProto, 39, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_TensorShapeProto),
    ROW(sl_pb_SavedSliceMeta, type, int32_t, 34, 3, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_DataType),
    ROW(sl_pb_SavedSliceMeta, slice, struct sl_pb_TensorSliceProto, 324, 4, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_TensorSliceProto),
    ROW(sl_pb_SavedTensorSliceMeta, tensor, struct sl_pb_SavedSliceMeta, 45, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_SavedSliceMeta),
    ROW(sl_pb_SavedTensorSliceMeta, versions, struct sl_pb_VersionDef, 362, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_VersionDef),
    ROW(sl_pb_SavedSlice, name, struct sl_str, 124, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_SavedSlice, slice, struct sl_pb_TensorSliceProto, 324, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_TensorSliceProto),
    ROW(sl_pb_SavedSlice, data, struct sl_pb_TensorProto, 393, 3, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_TensorProto),
    ROW(sl_pb_SavedTensorSlices, meta, struct sl_pb_SavedTensorSliceMeta, 427, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_SavedTensorSliceMeta),
    ROW(sl_pb_SavedTensorSlices, data, struct sl_pb_SavedSlice, 393, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_SavedSlice),
    ROW(sl_pb_CheckpointState, model_checkpoint_path, struct sl_str, 459, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_CheckpointState, all_model_checkpoint_paths, struct sl_str, 481, 2, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_CheckpointState, all_model_checkpoint_timestamps, double, 508, 3, 64, DOUBLE, REPEATED, 0),
    ROW(sl_pb_CheckpointState, last_preserved_timestamp, double, 540, 4, 64, DOUBLE, SINGULAR, 0),
    ROW(sl_pb_SaverDef, filename_tensor_name, struct sl_str, 585, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_SaverDef, save_tensor_name, struct sl_str, 606, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_SaverDef, restore_op_name, struct sl_str, 623, 3, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_SaverDef, max_to_keep, int32_t, 639, 4, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_SaverDef, sharded, bool, 651, 5, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_SaverDef, keep_checkpoint_every_n_hours, float, 659, 6, 32, FLOAT, SINGULAR, 0),
    ROW(sl_pb_SaverDef, version, int32_t, 221, 7, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_SaverDef_CheckpointFormatVersion),
    ROW(sl_pb_TrackableObjectGraph, nodes, struct sl_pb_TrackableObjectGraph_TrackableObject, 721, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_TrackableObjectGraph_TrackableObject),
    ROW(sl_pb_TrackableObjectGraph_TrackableObject, children, struct sl_pb_TrackableObjectGraph_TrackableObject_ObjectReference, 775, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_TrackableObjectGraph_TrackableObject_ObjectReference),
    ROW(sl_pb_TrackableObjectGraph_TrackableObject, attributes, struct sl_pb_TrackableObjectGraph_TrackableObject_SerializedTensor, 784, 2, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_TrackableObjectGraph_TrackableObject_SerializedTensor),
    ROW(sl_pb_TrackableObjectGraph_TrackableObject, slot_variables, struct sl_pb_TrackableObjectGraph_TrackableObject_SlotVariableReference, 795, 3, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_TrackableObjectGraph_TrackableObject_SlotVariableReference),
    ROW(sl_pb_TrackableObjectGraph_TrackableObject, registered_saver, struct sl_pb_RegisteredSaver, 810, 4, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_RegisteredSaver),
    ROW(sl_pb_TrackableObjectGraph_TrackableObject, has_checkpoint_values, struct sl_pb_BoolValue, 827, 5, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_BoolValue),
    ROW(sl_pb_TrackableObjectGraph_TrackableObject_ObjectReference, node_id, int32_t, 913, 1, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_TrackableObjectGraph_TrackableObject_ObjectReference, local_name, struct sl_str, 921, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_TrackableObjectGraph_TrackableObject_SerializedTensor, name, struct sl_str, 124, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_TrackableObjectGraph_TrackableObject_SerializedTensor, full_name, struct sl_str, 997, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_TrackableObjectGraph_TrackableObject_SerializedTensor, checkpoint_key, struct sl_str, 1007, 3, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_TrackableObjectGraph_TrackableObject_SlotVariableReference, original_variable_node_id, int32_t, 1092, 1, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_TrackableObjectGraph_TrackableObject_SlotVariableReference, slot_name, struct sl_str, 1118, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_TrackableObjectGraph_TrackableObject_SlotVariableReference, slot_variable_node_id, int32_t, 1128, 3, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_RegisteredSaver, name, struct sl_str, 124, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_RegisteredSaver, object_name, struct sl_str, 1177, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_ReaderBaseState, work_started, int64_t, 1216, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_ReaderBaseState, work_finished, int64_t, 1229, 2, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_ReaderBaseState, num_records_produced, int64_t, 1243, 3, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_ReaderBaseState, current_work, struct sl_str, 1264, 4, BYTES, BYTES, SINGULAR, 0),
    ROW(sl_pb_JobDef, name, struct sl_str, 124, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_JobDef, tasks, struct sl_pb_entry_int32_string, 1295, 2, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_int32_string),
    ROW(sl_pb_ClusterDef, job, struct sl_pb_JobDef, 1323, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_JobDef),
    ROW(sl_pb_RPCOptions, use_rpc_for_inprocess_master, bool, 1349, 1, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_RPCOptions, compression_algorithm, struct sl_str, 1378, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_RPCOptions, compression_level, int32_t, 1400, 3, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_RPCOptions, cache_rpc_response, bool, 1418, 4, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_RPCOptions, disable_session_connection_sharing, bool, 1437, 5, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_RPCOptions, num_channels_per_target, int32_t, 1472, 6, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_CoordinatedJob, name, struct sl_str, 124, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_CoordinatedJob, num_tasks, int32_t, 1522, 2, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_CoordinationServiceConfig, service_type, struct sl_str, 1569, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_CoordinationServiceConfig, service_leader, struct sl_str, 1582, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_CoordinationServiceConfig, enable_health_check, bool, 1597, 3, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_CoordinationServiceConfig, cluster_register_timeout_in_ms, int64_t, 1617, 4, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_CoordinationServiceConfig, heartbeat_timeout_in_ms, int64_t, 1648, 5, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_CoordinationServiceConfig, shutdown_barrier_timeout_in_ms, int64_t, 1672, 7, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_CoordinationServiceConfig, agent_destruction_without_shutdown, bool, 1703, 8, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_CoordinationServiceConfig, recoverable_jobs, struct sl_str, 1738, 9, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_CoordinationServiceConfig, coordinated_job_list, struct sl_pb_CoordinatedJob, 1755, 10, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_CoordinatedJob),
    ROW(sl_pb_CoordinationServiceConfig, allow_new_incarnation_to_reconnect, bool, 1776, 11, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_CoordinationServiceConfig, force_disable, bool, 1811, 12, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_CoordinationServiceConfig, poll_for_error_from_service_at_startup, bool, 1825, 13, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_CoordinationServiceConfig, cluster_register_with_barrier, bool, 1864, 14, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_GPUOptions, per_process_gpu_memory_fraction, double, 1916, 1, 64, DOUBLE, SINGULAR, 0),
    ROW(sl_pb_GPUOptions, allocator_type, struct sl_str, 1948, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_GPUOptions, deferred_deletion_bytes, int64_t, 1963, 3, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_GPUOptions, allow_growth, bool, 1987, 4, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_GPUOptions, visible_device_list, struct sl_str, 2000, 5, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_GPUOptions, polling_active_delay_usecs, int32_t, 2020, 6, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_GPUOptions, polling_inactive_delay_msecs, int32_t, 2047, 7, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_GPUOptions, force_gpu_compatible, bool, 2076, 8, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_GPUOptions, experimental, struct sl_pb_GPUOptions_Experimental, 2097, 9, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_GPUOptions_Experimental),
    ROW(sl_pb_GPUOptions_Experimental, virtual_devices, struct sl_pb_GPUOptions_Experimental_VirtualDevices, 2145, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_GPUOptions_Experimental_VirtualDevices),
    ROW(sl_pb_GPUOptions_Experimental, use_unified_memory, bool, 2161, 2, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_GPUOptions_Experimental, num_dev_to_dev_copy_streams, int32_t, 2180, 3, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_GPUOptions_Experimental, collective_ring_order, struct sl_str, 2208, 4, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_GPUOptions_Experimental, timestamped_allocator, bool, 2230, 5, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_GPUOptions_Experimental, kernel_tracker_max_interval, int32_t, 2252, 7, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_GPUOptions_Experimental, kernel_tracker_max_bytes, int32_t, 2280, 8, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_GPUOptions_Experimental, kernel_tracker_max_pending, int32_t, 2305, 9, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_GPUOptions_Experimental, internal_fragmentation_fraction, double, 2332, 10, 64, DOUBLE, SINGULAR, 0),
    ROW(sl_pb_GPUOptions_Experimental, use_cuda_malloc_async, bool, 2364, 11, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_GPUOptions_Experimental, disallow_retry_on_allocation_failure, bool, 2386, 12, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_GPUOptions_Experimental, gpu_host_mem_limit_in_mb, float, 2423, 13, 32, FLOAT, SINGULAR, 0),
    ROW(sl_pb_GPUOptions_Experimental, gpu_host_mem_disallow_growth, bool, 2448, 14, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_GPUOptions_Experimental, num_virtual_devices_per_gpu, int32_t, 2477, 15, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_GPUOptions_Experimental, gpu_system_memory_size_in_mb, int32_t, 2505, 16, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_GPUOptions_Experimental, populate_pjrt_gpu_client_creation_info, bool, 2534, 17, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_GPUOptions_Experimental, node_id, int32_t, 913, 18, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_GPUOptions_Experimental, stream_merge_options, struct sl_pb_GPUOptions_Experimental_StreamMergeOptions, 2573, 19, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_GPUOptions_Experimental_StreamMergeOptions),
    ROW(sl_pb_GPUOptions_Experimental_VirtualDevices, memory_limit_mb, float, 2644, 1, 32, FLOAT, REPEATED, 0),
    ROW(sl_pb_GPUOptions_Experimental_VirtualDevices, priority, int32_t, 2660, 2, VARINT, INT32, REPEATED, 0),
    ROW(sl_pb_GPUOptions_Experimental_VirtualDevices, device_ordinal, int32_t, 2669, 3, VARINT, INT32, REPEATED, 0),
    ROW(sl_pb_GPUOptions_Experimental_StreamMergeOptions, merge_host_to_device_stream, bool, 2738, 1, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_GPUOptions_Experimental_StreamMergeOptions, merge_device_to_host_stream, bool, 2766, 2, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_GPUOptions_Experimental_StreamMergeOptions, merge_device_to_device_stream, bool, 2794, 3, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_OptimizerOptions, do_common_subexpression_elimination, bool, 2852, 1, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_OptimizerOptions, do_constant_folding, bool, 2888, 2, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_OptimizerOptions, opt_level, int32_t, 2908, 3, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_OptimizerOptions_Level),
    ROW(sl_pb_OptimizerOptions, do_function_inlining, bool, 2918, 4, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_OptimizerOptions, global_jit_level, int32_t, 2939, 5, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_OptimizerOptions_GlobalJitLevel),
    ROW(sl_pb_OptimizerOptions, max_folded_constant_in_bytes, int64_t, 2956, 6, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_OptimizerOptions, cpu_global_jit, bool, 2985, 7, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_GraphOptions, enable_recv_scheduling, bool, 3024, 2, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_GraphOptions, optimizer_options, struct sl_pb_OptimizerOptions, 3047, 3, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_OptimizerOptions),
    ROW(sl_pb_GraphOptions, build_cost_model, int64_t, 3065, 4, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_GraphOptions, infer_shapes, bool, 3082, 5, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_GraphOptions, place_pruned_graph, bool, 3095, 6, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_GraphOptions, enable_bfloat16_sendrecv, bool, 3114, 7, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_GraphOptions, timeline_step, int32_t, 3139, 8, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_GraphOptions, build_cost_model_after, int64_t, 3153, 9, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_GraphOptions, rewrite_options, struct sl_pb_RewriterConfig, 3176, 10, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_RewriterConfig),
    ROW(sl_pb_ThreadPoolOptionProto, num_threads, int32_t, 3225, 1, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_ThreadPoolOptionProto, global_name, struct sl_str, 3237, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_SessionMetadata, name, struct sl_str, 124, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_SessionMetadata, version, int64_t, 221, 2, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_ConfigProto, device_count, struct sl_pb_entry_string_int32, 3299, 1, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_string_int32),
    ROW(sl_pb_ConfigProto, intra_op_parallelism_threads, int32_t, 3312, 2, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_ConfigProto, placement_period, int32_t, 3341, 3, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_ConfigProto, device_filters, struct sl_str, 3358, 4, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_ConfigProto, inter_op_parallelism_threads, int32_t, 3373, 5, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_ConfigProto, gpu_options, struct sl_pb_GPUOptions, 3402, 6, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_GPUOptions),
    ROW(sl_pb_ConfigProto, allow_soft_placement, bool, 3414, 7, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_ConfigProto, log_device_placement, bool, 3435, 8, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_ConfigProto, use_per_session_threads, bool, 3456, 9, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_ConfigProto, graph_options, struct sl_pb_GraphOptions, 3480, 10, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_GraphOptions),
    ROW(sl_pb_ConfigProto, operation_timeout_in_ms, int64_t, 3494, 11, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_ConfigProto, session_inter_op_thread_pool, struct sl_pb_ThreadPoolOptionProto, 3518, 12, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_ThreadPoolOptionProto),
    ROW(sl_pb_ConfigProto, rpc_options, struct sl_pb_RPCOptions, 3547, 13, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_RPCOptions),
    ROW(sl_pb_ConfigProto, cluster_def, struct sl_pb_ClusterDef, 3559, 14, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_ClusterDef),
    ROW(sl_pb_ConfigProto, isolate_session_state, bool, 3571, 15, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_ConfigProto, experimental, struct sl_pb_ConfigProto_Experimental, 2097, 16, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_ConfigProto_Experimental),
    ROW(sl_pb_ConfigProto, share_cluster_devices_in_session, bool, 3593, 17, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_ConfigProto, pluggable_device_options, struct sl_pb_GPUOptions, 3626, 18, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_GPUOptions),
    ROW(sl_pb_ConfigProto_Experimental, collective_group_leader, struct sl_str, 3687, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_ConfigProto_Experimental, executor_type, struct sl_str, 3711, 3, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_ConfigProto_Experimental, recv_buf_max_chunk, int32_t, 3725, 4, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_ConfigProto_Experimental, use_numa_affinity, bool, 3744, 5, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_ConfigProto_Experimental, collective_deterministic_sequential_execution, bool, 3762, 6, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_ConfigProto_Experimental, collective_nccl, bool, 3808, 7, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_ConfigProto_Experimental, share_session_state_in_clusterspec_propagation, bool, 3824, 8, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_ConfigProto_Experimental, disable_thread_spinning, bool, 3871, 9, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_ConfigProto_Experimental, share_cluster_devices_in_session, bool, 3593, 10, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_ConfigProto_Experimental, session_metadata, struct sl_pb_SessionMetadata, 3895, 11, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_SessionMetadata),
    ROW(sl_pb_ConfigProto_Experimental, optimize_for_static_graph, bool, 3912, 12, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_ConfigProto_Experimental, enable_mlir_bridge, bool, 3938, 13, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_ConfigProto_Experimental, disable_output_partition_graphs, bool, 3957, 14, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_ConfigProto_Experimental, xla_fusion_autotuner_thresh, int64_t, 3989, 15, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_ConfigProto_Experimental, enable_mlir_graph_optimization, bool, 4017, 16, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_ConfigProto_Experimental, mlir_bridge_rollout, int32_t, 4048, 17, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_ConfigProto_Experimental_MlirBridgeRollout),
    ROW(sl_pb_ConfigProto_Experimental, use_tfrt, bool, 4068, 18, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_ConfigProto_Experimental, disable_functional_ops_lowering, bool, 4077, 21, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_ConfigProto_Experimental, xla_prefer_single_graph_cluster, bool, 4109, 22, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_ConfigProto_Experimental, coordination_config, struct sl_pb_CoordinationServiceConfig, 4141, 23, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_CoordinationServiceConfig),
    ROW(sl_pb_ConfigProto_Experimental, disable_optimize_for_static_graph, bool, 4161, 24, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_ConfigProto_Experimental, disable_eager_executor_streaming_enqueue, bool, 4195, 26, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_ConfigProto_Experimental, enable_multi_host, bool, 4236, 27, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_ConfigProto_Experimental, backend_server_port, int32_t, 4254, 28, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_ConfigProto_Experimental, target_tpu, bool, 4274, 29, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_ConfigProto_Experimental, target_gpu, bool, 4285, 30, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_ConfigProto_Experimental, stream_merge_threshold, int32_t, 4296, 31, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_ConfigProto_Experimental, tfrt_use_ifrt, bool, 4319, 32, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_ConfigProto_Experimental, finalize_function_library_runtime, bool, 4333, 33, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_ConfigProto_Experimental, finalize_resource_manager, bool, 4367, 34, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_ConfigProto_Experimental, tf2xla_dump_dir, struct sl_str, 4393, 35, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_ConfigProto_Experimental, online_cost_analysis, bool, 4409, 36, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_DebugTensorWatch, node_name, struct sl_str, 4458, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_DebugTensorWatch, output_slot, int32_t, 4468, 2, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_DebugTensorWatch, debug_ops, struct sl_str, 4480, 3, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_DebugTensorWatch, debug_urls, struct sl_str, 4490, 4, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_DebugTensorWatch, tolerate_debug_op_creation_failures, bool, 4501, 5, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_DebugOptions, debug_tensor_watch_opts, struct sl_pb_DebugTensorWatch, 4561, 4, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_DebugTensorWatch),
    ROW(sl_pb_DebugOptions, global_step, int64_t, 4585, 10, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_DebugOptions, reset_disk_byte_usage, bool, 4597, 11, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_DebuggedSourceFile, host, struct sl_str, 4649, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_DebuggedSourceFile, file_path, struct sl_str, 4654, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_DebuggedSourceFile, last_modified, int64_t, 4664, 3, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_DebuggedSourceFile, bytes, int64_t, 4678, 4, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_DebuggedSourceFile, lines, struct sl_str, 4684, 5, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_DebuggedSourceFiles, source_files, struct sl_pb_DebuggedSourceFile, 4721, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_DebuggedSourceFile),
    ROW(sl_pb_RunOptions, trace_level, int32_t, 4756, 1, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_RunOptions_TraceLevel),
    ROW(sl_pb_RunOptions, timeout_in_ms, int64_t, 4768, 2, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_RunOptions, inter_op_thread_pool, int32_t, 4782, 3, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_RunOptions, output_partition_graphs, bool, 4803, 5, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_RunOptions, debug_options, struct sl_pb_DebugOptions, 4827, 6, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_DebugOptions),
    ROW(sl_pb_RunOptions, report_tensor_allocations_upon_oom, bool, 4841, 7, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_RunOptions, experimental, struct sl_pb_RunOptions_Experimental, 2097, 8, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_RunOptions_Experimental),
    ROW(sl_pb_RunOptions_Experimental, collective_graph_key, int64_t, 4911, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_RunOptions_Experimental, use_run_handler_pool, bool, 4932, 2, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_RunOptions_Experimental, run_handler_pool_options, struct sl_pb_RunOptions_Experimental_RunHandlerPoolOptions, 4953, 3, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_RunOptions_Experimental_RunHandlerPoolOptions),
    ROW(sl_pb_RunOptions_Experimental_RunHandlerPoolOptions, priority, int64_t, 2660, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_RunMetadata, step_stats, struct sl_pb_StepStats, 5058, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_StepStats),
    ROW(sl_pb_RunMetadata, cost_graph, struct sl_pb_CostGraphDef, 5069, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_CostGraphDef),
    ROW(sl_pb_RunMetadata, partition_graphs, struct sl_pb_GraphDef, 5080, 3, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_GraphDef),
    ROW(sl_pb_RunMetadata, function_graphs, struct sl_pb_RunMetadata_FunctionGraphs, 5097, 4, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_RunMetadata_FunctionGraphs),
    ROW(sl_pb_RunMetadata, session_metadata, struct sl_pb_SessionMetadata, 3895, 5, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_SessionMetadata),
    ROW(sl_pb_RunMetadata_FunctionGraphs, partition_graphs, struct sl_pb_GraphDef, 5080, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_GraphDef),
    ROW(sl_pb_RunMetadata_FunctionGraphs, pre_optimization_graph, struct sl_pb_GraphDef, 5151, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_GraphDef),
    ROW(sl_pb_RunMetadata_FunctionGraphs, post_optimization_graph, struct sl_pb_GraphDef, 5174, 3, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_GraphDef),
    ROW(sl_pb_TensorConnection, from_tensor, struct sl_str, 5226, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_TensorConnection, to_tensor, struct sl_str, 5238, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_CallableOptions, feed, struct sl_str, 5275, 1, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_CallableOptions, fetch, struct sl_str, 5280, 2, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_CallableOptions, target, struct sl_str, 5286, 3, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_CallableOptions, run_options, struct sl_pb_RunOptions, 5293, 4, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_RunOptions),
    ROW(sl_pb_CallableOptions, tensor_connection, struct sl_pb_TensorConnection, 5305, 5, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_TensorConnection),
    ROW(sl_pb_CallableOptions, feed_devices, struct sl_pb_entry_string_string, 5323, 6, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_string_string),
    ROW(sl_pb_CallableOptions, fetch_devices, struct sl_pb_entry_string_string, 5336, 7, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_string_string),
    ROW(sl_pb_CallableOptions, fetch_skip_sync, bool, 5350, 8, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_BatchingOptions, num_batch_threads, int32_t, 5393, 1, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_BatchingOptions, max_batch_size, int32_t, 5411, 2, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_BatchingOptions, batch_timeout_micros, int32_t, 5426, 3, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_BatchingOptions, allowed_batch_sizes, int32_t, 5447, 4, VARINT, INT32, REPEATED, 0),
    ROW(sl_pb_BatchingOptions, max_enqueued_batches, int32_t, 5467, 5, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_CompressedComponentMetadata, dtype, int32_t, 257, 1, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_DataType),
    ROW(sl_pb_CompressedComponentMetadata, tensor_shape, struct sl_pb_TensorShapeProto, 5532, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_TensorShapeProto),
    ROW(sl_pb_CompressedComponentMetadata, uncompressed_bytes, uint64_t, 5545, 4, VARINT, UINT64, REPEATED, 0),
    ROW(sl_pb_CompressedElement, data, struct sl_str, 393, 1, BYTES, BYTES, SINGULAR, 0),
    ROW(sl_pb_CompressedElement, component_metadata, struct sl_pb_CompressedComponentMetadata, 5598, 2, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_CompressedComponentMetadata),
    ROW(sl_pb_CompressedElement, version, int32_t, 221, 3, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_SnapshotMetadataRecord, graph_hash, struct sl_str, 5656, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_SnapshotMetadataRecord, run_id, struct sl_str, 5667, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_SnapshotMetadataRecord, creation_timestamp, int64_t, 5674, 3, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_SnapshotMetadataRecord, version, int64_t, 221, 4, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_SnapshotMetadataRecord, dtype, int32_t, 257, 5, VARINT, ENUM, REPEATED, SL_PB_ENUM_INDEX_DataType),
    ROW(sl_pb_SnapshotMetadataRecord, num_elements, int64_t, 5693, 6, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_SnapshotMetadataRecord, finalized, bool, 5706, 1000, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_SnapshotRecord, tensor, struct sl_pb_TensorProto, 45, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_TensorProto),
    ROW(sl_pb_TensorMetadata, tensor_shape, struct sl_pb_TensorShapeProto, 5532, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_TensorShapeProto),
    ROW(sl_pb_TensorMetadata, tensor_size_bytes, int64_t, 5778, 3, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_SnapshotTensorMetadata, tensor_metadata, struct sl_pb_TensorMetadata, 5835, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_TensorMetadata),
    ROW(sl_pb_InterconnectLink, device_id, int32_t, 5879, 1, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_InterconnectLink, type, struct sl_str, 34, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_InterconnectLink, strength, int32_t, 5889, 3, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_LocalLinks, link, struct sl_pb_InterconnectLink, 5920, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_InterconnectLink),
    ROW(sl_pb_DeviceLocality, bus_id, int32_t, 5951, 1, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_DeviceLocality, numa_node, int32_t, 5958, 2, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_DeviceLocality, links, struct sl_pb_LocalLinks, 5968, 3, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_LocalLinks),
    ROW(sl_pb_DeviceAttributes, name, struct sl_str, 124, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_DeviceAttributes, device_type, struct sl_str, 6002, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_DeviceAttributes, memory_limit, int64_t, 6014, 4, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_DeviceAttributes, locality, struct sl_pb_DeviceLocality, 6027, 5, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_DeviceLocality),
    ROW(sl_pb_DeviceAttributes, incarnation, uint64_t, 6036, 6, 64, FIXED64, SINGULAR, 0),
    ROW(sl_pb_DeviceAttributes, physical_device_desc, struct sl_str, 6048, 7, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_DeviceAttributes, xla_global_id, int64_t, 6069, 8, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_eager_ResourceDtypeAndShape, dtype, int32_t, 257, 1, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_DataType),
    ROW(sl_pb_eager_ResourceDtypeAndShape, shape, struct sl_pb_TensorShapeProto, 39, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_TensorShapeProto),
    ROW(sl_pb_eager_RemoteTensorHandle, op_id, int64_t, 6158, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_eager_RemoteTensorHandle, output_num, int32_t, 6164, 2, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_eager_RemoteTensorHandle, device, struct sl_str, 6175, 3, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_eager_RemoteTensorHandle, op_device, struct sl_str, 6182, 4, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_eager_RemoteTensorHandle, dtype, int32_t, 257, 5, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_DataType),
    ROW(sl_pb_eager_RemoteTensorHandle, resource_dtypes_and_shapes, struct sl_pb_eager_ResourceDtypeAndShape, 6192, 6, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_eager_ResourceDtypeAndShape),
    ROW(sl_pb_eager_Operation, id, int64_t, 6246, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_eager_Operation, name, struct sl_str, 124, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_eager_Operation, control_op_ids, int64_t, 6249, 4, VARINT, INT64, REPEATED, 0),
    ROW(sl_pb_eager_Operation, attrs, struct sl_pb_entry_string_AttrValue, 6264, 5, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_string_AttrValue),
    ROW(sl_pb_eager_Operation, device, struct sl_str, 6175, 6, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_eager_Operation, is_component_function, bool, 6270, 7, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_eager_Operation, func_step_id, int64_t, 6292, 8, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_eager_Operation, is_function, bool, 6305, 9, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_eager_Operation, op_inputs, struct sl_pb_eager_Operation_Input, 6317, 10, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_eager_Operation_Input),
    ROW(sl_pb_eager_Operation_Input, remote_handle, struct sl_pb_eager_RemoteTensorHandle, 6360, 1, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_eager_RemoteTensorHandle),
    ROW(sl_pb_eager_Operation_Input, tensor, struct sl_pb_TensorProto, 45, 2, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_TensorProto),
    ROW(sl_pb_eager_QueueItem, handle_to_decref, struct sl_pb_eager_RemoteTensorHandle, 6401, 1, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_eager_RemoteTensorHandle),
    ROW(sl_pb_eager_QueueItem, operation, struct sl_pb_eager_Operation, 6418, 2, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_eager_Operation),
    ROW(sl_pb_eager_QueueItem, send_tensor, struct sl_pb_eager_SendTensorOp, 6428, 3, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_eager_SendTensorOp),
    ROW(sl_pb_eager_QueueItem, register_function, struct sl_pb_eager_RegisterFunctionOp, 6440, 4, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_eager_RegisterFunctionOp),
    ROW(sl_pb_eager_QueueItem, cleanup_function, struct sl_pb_eager_CleanupFunctionOp, 6458, 5, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_eager_CleanupFunctionOp),
    ROW(sl_pb_eager_QueueItem, sync_remote_executor_for_stream, struct sl_pb_eager_SyncRemoteExecutorForStream, 6475, 6, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_eager_SyncRemoteExecutorForStream),
    ROW(sl_pb_eager_QueueItem, send_packed_handle, struct sl_pb_eager_SendPackedHandleOp, 6507, 7, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_eager_SendPackedHandleOp),
    ROW(sl_pb_eager_QueueItem, remove_function, struct sl_pb_eager_RemoveFunctionOp, 6526, 8, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_eager_RemoveFunctionOp),
    ROW(sl_pb_eager_QueueResponse, shape, struct sl_pb_TensorShapeProto, 39, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_TensorShapeProto),
    ROW(sl_pb_eager_QueueResponse, tensor, struct sl_pb_TensorProto, 45, 2, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_TensorProto),
    ROW(sl_pb_eager_QueueResponse, device, struct sl_str, 6175, 3, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_eager_CreateContextRequest, server_def, struct sl_pb_ServerDef, 6611, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_ServerDef),
    ROW(sl_pb_eager_CreateContextRequest, async, bool, 6622, 2, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_eager_CreateContextRequest, keep_alive_secs, int64_t, 6628, 3, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_eager_CreateContextRequest, version_def, struct sl_pb_VersionDef, 6644, 4, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_VersionDef),
    ROW(sl_pb_eager_CreateContextRequest, cluster_device_attributes, struct sl_pb_DeviceAttributes, 6656, 6, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_DeviceAttributes),
    ROW(sl_pb_eager_CreateContextRequest, context_id, uint64_t, 6682, 7, 64, FIXED64, SINGULAR, 0),
    ROW(sl_pb_eager_CreateContextRequest, context_view_id, uint64_t, 6693, 8, 64, FIXED64, SINGULAR, 0),
    ROW(sl_pb_eager_CreateContextRequest, lazy_copy_remote_function_inputs, bool, 6709, 9, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_eager_CreateContextRequest, clear_existing_contexts, bool, 6742, 10, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_eager_CreateContextResponse, device_attributes, struct sl_pb_DeviceAttributes, 6805, 2, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_DeviceAttributes),
    ROW(sl_pb_eager_UpdateContextRequest, server_def, struct sl_pb_ServerDef, 6611, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_ServerDef),
    ROW(sl_pb_eager_UpdateContextRequest, cluster_device_attributes, struct sl_pb_DeviceAttributes, 6656, 2, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_DeviceAttributes),
    ROW(sl_pb_eager_UpdateContextRequest, context_id, uint64_t, 6682, 3, 64, FIXED64, SINGULAR, 0),
    ROW(sl_pb_eager_UpdateContextRequest, context_view_id, uint64_t, 6693, 4, 64, FIXED64, SINGULAR, 0),
    ROW(sl_pb_eager_UpdateContextResponse, device_attributes, struct sl_pb_DeviceAttributes, 6805, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_DeviceAttributes),
    ROW(sl_pb_eager_EnqueueRequest, context_id, uint64_t, 6682, 1, 64, FIXED64, SINGULAR, 0),
    ROW(sl_pb_eager_EnqueueRequest, queue, struct sl_pb_eager_QueueItem, 6932, 3, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_eager_QueueItem),
    ROW(sl_pb_eager_EnqueueResponse, queue_response, struct sl_pb_eager_QueueResponse, 6971, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_eager_QueueResponse),
    ROW(sl_pb_eager_WaitQueueDoneRequest, context_id, uint64_t, 6682, 1, 64, FIXED64, SINGULAR, 0),
    ROW(sl_pb_eager_WaitQueueDoneRequest, op_id, int64_t, 6158, 2, VARINT, INT64, REPEATED, 0),
    ROW(sl_pb_eager_RunComponentFunctionRequest, context_id, uint64_t, 6682, 1, 64, FIXED64, SINGULAR, 0),
    ROW(sl_pb_eager_RunComponentFunctionRequest, operation, struct sl_pb_eager_Operation, 6418, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_eager_Operation),
    ROW(sl_pb_eager_RunComponentFunctionRequest, output_num, int32_t, 6164, 3, VARINT, INT32, REPEATED, 0),
    ROW(sl_pb_eager_RunComponentFunctionResponse, shape, struct sl_pb_TensorShapeProto, 39, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_TensorShapeProto),
    ROW(sl_pb_eager_RunComponentFunctionResponse, tensor, struct sl_pb_TensorProto, 45, 2, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_TensorProto),
    ROW(sl_pb_eager_KeepAliveRequest, context_id, uint64_t, 6682, 1, 64, FIXED64, SINGULAR, 0),
    ROW(sl_pb_eager_KeepAliveResponse, context_view_id, uint64_t, 6693, 1, 64, FIXED64, SINGULAR, 0),
    ROW(sl_pb_eager_CloseContextRequest, context_id, uint64_t, 6682, 1, 64, FIXED64, SINGULAR, 0),
    ROW(sl_pb_eager_CloseContextRequest, context_view_id, uint64_t, 6693, 2, 64, FIXED64, SINGULAR, 0),
    ROW(sl_pb_eager_RegisterFunctionOp, function_def, struct sl_pb_FunctionDef, 7334, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_FunctionDef),
    ROW(sl_pb_eager_RegisterFunctionOp, is_component_function, bool, 6270, 2, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_eager_RegisterFunctionOp, library, struct sl_pb_FunctionDefLibrary, 7347, 3, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_FunctionDefLibrary),
    ROW(sl_pb_eager_RemoveFunctionOp, function_name, struct sl_str, 7389, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_eager_CleanupFunctionOp, step_id, int64_t, 7438, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_eager_SendTensorOp, op_id, int64_t, 6158, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_eager_SendTensorOp, tensors, struct sl_pb_TensorProto, 7521, 2, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_TensorProto),
    ROW(sl_pb_eager_SendTensorOp, device_name, struct sl_str, 7529, 3, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_eager_SendPackedHandleOp, op_id, int64_t, 6158, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_eager_SendPackedHandleOp, handles, struct sl_pb_eager_SendPackedHandleOp_Handle, 7577, 2, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_eager_SendPackedHandleOp_Handle),
    ROW(sl_pb_eager_SendPackedHandleOp, device_name, struct sl_str, 7529, 3, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_eager_SendPackedHandleOp_LocalTensorHandle, tensor, struct sl_pb_TensorProto, 45, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_TensorProto),
    ROW(sl_pb_eager_SendPackedHandleOp_LocalTensorHandle, device, struct sl_str, 6175, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_eager_SendPackedHandleOp_Handle, local_handle, struct sl_pb_eager_SendPackedHandleOp_LocalTensorHandle, 7682, 1, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_eager_SendPackedHandleOp_LocalTensorHandle),
    ROW(sl_pb_eager_SendPackedHandleOp_Handle, remote_handle, struct sl_pb_eager_RemoteTensorHandle, 6360, 2, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_eager_RemoteTensorHandle),
    ROW(sl_pb_SummaryDescription, type_hint, struct sl_str, 7725, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_SummaryMetadata, plugin_data, struct sl_pb_SummaryMetadata_PluginData, 7762, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_SummaryMetadata_PluginData),
    ROW(sl_pb_SummaryMetadata, display_name, struct sl_str, 7774, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_SummaryMetadata, summary_description, struct sl_str, 7787, 3, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_SummaryMetadata, data_class, int32_t, 7807, 4, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_DataClass),
    ROW(sl_pb_SummaryMetadata_PluginData, plugin_name, struct sl_str, 7856, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_SummaryMetadata_PluginData, content, struct sl_str, 7868, 2, BYTES, BYTES, SINGULAR, 0),
    ROW(sl_pb_Summary, value, struct sl_pb_Summary_Value, 7895, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_Summary_Value),
    ROW(sl_pb_Summary_Image, height, int32_t, 7926, 1, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_Summary_Image, width, int32_t, 7933, 2, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_Summary_Image, colorspace, int32_t, 7939, 3, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_Summary_Image, encoded_image_string, struct sl_str, 7950, 4, BYTES, BYTES, SINGULAR, 0),
    ROW(sl_pb_Summary_Audio, sample_rate, float, 7996, 1, 32, FLOAT, SINGULAR, 0),
    ROW(sl_pb_Summary_Audio, num_channels, int64_t, 8008, 2, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_Summary_Audio, length_frames, int64_t, 8021, 3, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_Summary_Audio, encoded_audio_string, struct sl_str, 8035, 4, BYTES, BYTES, SINGULAR, 0),
    ROW(sl_pb_Summary_Audio, content_type, struct sl_str, 8056, 5, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_Summary_Value, tag, struct sl_str, 8094, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_Summary_Value, simple_value, float, 8098, 2, 32, FLOAT, ONEOF, 0),
    ROW(sl_pb_Summary_Value, obsolete_old_style_histogram, struct sl_str, 8111, 3, BYTES, BYTES, ONEOF, 0),
    ROW(sl_pb_Summary_Value, image, struct sl_pb_Summary_Image, 8140, 4, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_Summary_Image),
    ROW(sl_pb_Summary_Value, histo, struct sl_pb_HistogramProto, 8146, 5, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_HistogramProto),
    ROW(sl_pb_Summary_Value, audio, struct sl_pb_Summary_Audio, 8152, 6, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_Summary_Audio),
    ROW(sl_pb_Summary_Value, node_name, struct sl_str, 4458, 7, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_Summary_Value, tensor, struct sl_pb_TensorProto, 45, 8, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_TensorProto),
    ROW(sl_pb_Summary_Value, metadata, struct sl_pb_SummaryMetadata, 8158, 9, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_SummaryMetadata),
    ROW(sl_pb_HistogramProto, min, double, 8193, 1, 64, DOUBLE, SINGULAR, 0),
    ROW(sl_pb_HistogramProto, max, double, 8197, 2, 64, DOUBLE, SINGULAR, 0),
    ROW(sl_pb_HistogramProto, num, double, 8201, 3, 64, DOUBLE, SINGULAR, 0),
    ROW(sl_pb_HistogramProto, sum, double, 8205, 4, 64, DOUBLE, SINGULAR, 0),
    ROW(sl_pb_HistogramProto, sum_squares, double, 8209, 5, 64, DOUBLE, SINGULAR, 0),
    ROW(sl_pb_HistogramProto, bucket_limit, double, 8221, 6, 64, DOUBLE, REPEATED, 0),
    ROW(sl_pb_HistogramProto, bucket, double, 8234, 7, 64, DOUBLE, REPEATED, 0),
    ROW(sl_pb_Event, wall_time, double, 8258, 1, 64, DOUBLE, SINGULAR, 0),
    ROW(sl_pb_Event, step, int64_t, 8268, 2, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_Event, file_version, struct sl_str, 8273, 3, BYTES, STRING, ONEOF, 0),
    ROW(sl_pb_Event, graph_def, struct sl_str, 8286, 4, BYTES, BYTES, ONEOF, 0),
    ROW(sl_pb_Event, summary, struct sl_pb_Summary, 8296, 5, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_Summary),
    ROW(sl_pb_Event, log_message, struct sl_pb_LogMessage, 8304, 6, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_LogMessage),
    ROW(sl_pb_Event, session_log, struct sl_pb_SessionLog, 8316, 7, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_SessionLog),
    ROW(sl_pb_Event, tagged_run_metadata, struct sl_pb_TaggedRunMetadata, 8328, 8, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_TaggedRunMetadata),
    ROW(sl_pb_Event, meta_graph_def, struct sl_str, 8348, 9, BYTES, BYTES, ONEOF, 0),
    ROW(sl_pb_Event, source_metadata, struct sl_pb_SourceMetadata, 8363, 10, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_SourceMetadata),
    ROW(sl_pb_SourceMetadata, writer, struct sl_str, 8405, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_LogMessage, level, int32_t, 8434, 1, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_LogMessage_Level),
    ROW(sl_pb_LogMessage, message, struct sl_str, 8440, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_SessionLog, status, int32_t, 8470, 1, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_SessionLog_SessionStatus),
    ROW(sl_pb_SessionLog, checkpoint_path, struct sl_str, 8477, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_SessionLog, msg, struct sl_str, 8493, 3, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_TaggedRunMetadata, tag, struct sl_str, 8094, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_TaggedRunMetadata, run_metadata, struct sl_str, 8526, 2, BYTES, BYTES, SINGULAR, 0),
    ROW(sl_pb_WatchdogConfig, timeout_ms, int64_t, 8565, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_RequestedExitCode, exit_code, int32_t, 8605, 1, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_WorkerHeartbeatRequest, shutdown_mode, int32_t, 8649, 1, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_WorkerShutdownMode),
    ROW(sl_pb_WorkerHeartbeatRequest, watchdog_config, struct sl_pb_WatchdogConfig, 8663, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_WatchdogConfig),
    ROW(sl_pb_WorkerHeartbeatRequest, exit_code, struct sl_pb_RequestedExitCode, 8605, 3, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_RequestedExitCode),
    ROW(sl_pb_WorkerHeartbeatResponse, health_status, int32_t, 8714, 1, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_WorkerHealth),
    ROW(sl_pb_WorkerHeartbeatResponse, worker_log, struct sl_pb_Event, 8728, 2, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_Event),
    ROW(sl_pb_WorkerHeartbeatResponse, hostname, struct sl_str, 8739, 3, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_BytesList, value, struct sl_str, 7895, 1, BYTES, BYTES, REPEATED, 0),
    ROW(sl_pb_FloatList, value, float, 7895, 1, 32, FLOAT, REPEATED, 0),
    ROW(sl_pb_Int64List, value, int64_t, 7895, 1, VARINT, INT64, REPEATED, 0),
    ROW(sl_pb_Feature, bytes_list, struct sl_pb_BytesList, 8830, 1, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_BytesList),
    ROW(sl_pb_Feature, float_list, struct sl_pb_FloatList, 8841, 2, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_FloatList),
    ROW(sl_pb_Feature, int64_list, struct sl_pb_Int64List, 8852, 3, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_Int64List),
    ROW(sl_pb_Features, feature, struct sl_pb_entry_string_Feature, 8883, 1, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_string_Feature),
    ROW(sl_pb_FeatureList, feature, struct sl_pb_Feature, 8883, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_Feature),
    ROW(sl_pb_FeatureLists, feature_list, struct sl_pb_entry_string_FeatureList, 8938, 1, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_string_FeatureList),
    ROW(sl_pb_Example, features, struct sl_pb_Features, 8970, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_Features),
    ROW(sl_pb_SequenceExample, context, struct sl_pb_Features, 9006, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_Features),
    ROW(sl_pb_SequenceExample, feature_lists, struct sl_pb_FeatureLists, 9014, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_FeatureLists),
    ROW(sl_pb_sluice_ExplainRequest, session_handle, struct sl_str, 9050, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_sluice_ExplainRequest, step_id, uint64_t, 7438, 2, VARINT, UINT64, SINGULAR, 0),
    ROW(sl_pb_sluice_ExplainResponse, sentence, struct sl_str, 9088, 1, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_VersionDef, producer, int32_t, 9119, 1, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_VersionDef, min_consumer, int32_t, 9128, 2, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_VersionDef, bad_consumers, int32_t, 9141, 3, VARINT, INT32, REPEATED, 0),
    ROW(sl_pb_NodeDef, name, struct sl_str, 124, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_NodeDef, op, struct sl_str, 9174, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_NodeDef, input, struct sl_str, 9177, 3, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_NodeDef, device, struct sl_str, 6175, 4, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_NodeDef, attr, struct sl_pb_entry_string_AttrValue, 129, 5, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_string_AttrValue),
    ROW(sl_pb_NodeDef, experimental_debug_info, struct sl_pb_NodeDef_ExperimentalDebugInfo, 9183, 6, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_NodeDef_ExperimentalDebugInfo),
    ROW(sl_pb_NodeDef, experimental_type, struct sl_pb_FullTypeDef, 9207, 7, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_FullTypeDef),
    ROW(sl_pb_NodeDef_ExperimentalDebugInfo, original_node_names, struct sl_str, 9266, 1, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_NodeDef_ExperimentalDebugInfo, original_func_names, struct sl_str, 9286, 2, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_GraphDebugInfo, files, struct sl_str, 9332, 1, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_GraphDebugInfo, traces, struct sl_pb_entry_string_GraphDebugInfo_StackTrace, 9338, 2, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_string_GraphDebugInfo_StackTrace),
    ROW(sl_pb_GraphDebugInfo, frames_by_id, struct sl_pb_entry_fixed64_GraphDebugInfo_FileLineCol, 9345, 4, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_fixed64_GraphDebugInfo_FileLineCol),
    ROW(sl_pb_GraphDebugInfo, name_to_trace_id, struct sl_pb_entry_string_fixed64, 9358, 5, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_string_fixed64),
    ROW(sl_pb_GraphDebugInfo, traces_by_id, struct sl_pb_entry_fixed64_GraphDebugInfo_StackTrace, 9375, 6, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_fixed64_GraphDebugInfo_StackTrace),
    ROW(sl_pb_GraphDebugInfo_FileLineCol, file_index, int32_t, 9426, 1, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_GraphDebugInfo_FileLineCol, line, int32_t, 9437, 2, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_GraphDebugInfo_FileLineCol, col, int32_t, 9442, 3, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_GraphDebugInfo_FileLineCol, func, struct sl_str, 64, 4, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_GraphDebugInfo_FileLineCol, code, struct sl_str, 9446, 5, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_GraphDebugInfo_StackTrace, file_line_cols, struct sl_pb_GraphDebugInfo_FileLineCol, 9488, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_GraphDebugInfo_FileLineCol),
    ROW(sl_pb_GraphDebugInfo_StackTrace, frame_id, uint64_t, 9503, 2, 64, FIXED64, REPEATED, 0),
    ROW(sl_pb_FunctionDefLibrary, function, struct sl_pb_FunctionDef, 9542, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_FunctionDef),
    ROW(sl_pb_FunctionDefLibrary, gradient, struct sl_pb_GradientDef, 9551, 2, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_GradientDef),
    ROW(sl_pb_FunctionDefLibrary, registered_gradients, struct sl_pb_RegisteredGradient, 9560, 3, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_RegisteredGradient),
    ROW(sl_pb_FunctionDef, signature, struct sl_pb_OpDef, 9604, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_OpDef),
    ROW(sl_pb_FunctionDef, node_def, struct sl_pb_NodeDef, 9614, 3, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_NodeDef),
    ROW(sl_pb_FunctionDef, ret, struct sl_pb_entry_string_string, 9623, 4, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_string_string),
    ROW(sl_pb_FunctionDef, attr, struct sl_pb_entry_string_AttrValue, 129, 5, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_string_AttrValue),
    ROW(sl_pb_FunctionDef, control_ret, struct sl_pb_entry_string_string, 9627, 6, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_string_string),
    ROW(sl_pb_FunctionDef, arg_attr, struct sl_pb_entry_uint32_FunctionDef_ArgAttrs, 9639, 7, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_uint32_FunctionDef_ArgAttrs),
    ROW(sl_pb_FunctionDef, resource_arg_unique_id, struct sl_pb_entry_uint32_uint32, 9648, 8, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_uint32_uint32),
    ROW(sl_pb_FunctionDef_ArgAttrs, attr, struct sl_pb_entry_string_AttrValue, 129, 1, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_string_AttrValue),
    ROW(sl_pb_GradientDef, function_name, struct sl_str, 7389, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_GradientDef, gradient_func, struct sl_str, 9726, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_RegisteredGradient, gradient_func, struct sl_str, 9726, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_RegisteredGradient, registered_op_type, struct sl_str, 9770, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_GraphDef, node, struct sl_pb_NodeDef, 9809, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_NodeDef),
    ROW(sl_pb_GraphDef, library, struct sl_pb_FunctionDefLibrary, 7347, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_FunctionDefLibrary),
    ROW(sl_pb_GraphDef, version, int32_t, 221, 3, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_GraphDef, versions, struct sl_pb_VersionDef, 362, 4, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_VersionDef),
    ROW(sl_pb_GraphDef, debug_info, struct sl_pb_GraphDebugInfo, 9814, 5, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_GraphDebugInfo),
    ROW(sl_pb_CreateSessionRequest, graph_def, struct sl_pb_GraphDef, 8286, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_GraphDef),
    ROW(sl_pb_CreateSessionRequest, config, struct sl_pb_ConfigProto, 9857, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_ConfigProto),
    ROW(sl_pb_CreateSessionRequest, target, struct sl_str, 5286, 3, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_CreateSessionResponse, session_handle, struct sl_str, 9050, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_CreateSessionResponse, graph_version, int64_t, 9897, 2, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_ExtendSessionRequest, session_handle, struct sl_str, 9050, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_ExtendSessionRequest, graph_def, struct sl_pb_GraphDef, 8286, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_GraphDef),
    ROW(sl_pb_ExtendSessionRequest, current_graph_version, int64_t, 9943, 3, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_ExtendSessionResponse, new_graph_version, int64_t, 9998, 4, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_RunStepRequest, session_handle, struct sl_str, 9050, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_RunStepRequest, feed, struct sl_pb_NamedTensorProto, 5275, 2, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_NamedTensorProto),
    ROW(sl_pb_RunStepRequest, fetch, struct sl_str, 5280, 3, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_RunStepRequest, target, struct sl_str, 5286, 4, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_RunStepRequest, options, struct sl_pb_RunOptions, 10042, 5, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_RunOptions),
    ROW(sl_pb_RunStepRequest, partial_run_handle, struct sl_str, 10050, 6, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_RunStepRequest, store_errors_in_response_body, bool, 10069, 7, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_RunStepRequest, request_id, int64_t, 10099, 8, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_RunStepResponse, tensor, struct sl_pb_NamedTensorProto, 45, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_NamedTensorProto),
    ROW(sl_pb_RunStepResponse, metadata, struct sl_pb_RunMetadata, 8158, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_RunMetadata),
    ROW(sl_pb_RunStepResponse, status_code, int32_t, 10137, 3, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_error_Code),
    ROW(sl_pb_RunStepResponse, status_error_message, struct sl_str, 10149, 4, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_PartialRunSetupRequest, session_handle, struct sl_str, 9050, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_PartialRunSetupRequest, feed, struct sl_str, 5275, 2, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_PartialRunSetupRequest, fetch, struct sl_str, 5280, 3, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_PartialRunSetupRequest, target, struct sl_str, 5286, 4, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_PartialRunSetupRequest, request_id, int64_t, 10099, 5, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_PartialRunSetupResponse, partial_run_handle, struct sl_str, 10050, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_CloseSessionRequest, session_handle, struct sl_str, 9050, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_ResetRequest, container, struct sl_str, 10326, 1, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_ResetRequest, device_filters, struct sl_str, 3358, 2, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_ListDevicesRequest, session_handle, struct sl_str, 9050, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_ListDevicesResponse, local_device, struct sl_pb_DeviceAttributes, 10422, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_DeviceAttributes),
    ROW(sl_pb_ListDevicesResponse, remote_device, struct sl_pb_DeviceAttributes, 10435, 2, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_DeviceAttributes),
    ROW(sl_pb_MakeCallableRequest, session_handle, struct sl_str, 9050, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_MakeCallableRequest, options, struct sl_pb_CallableOptions, 10042, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_CallableOptions),
    ROW(sl_pb_MakeCallableRequest, request_id, int64_t, 10099, 3, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_MakeCallableResponse, handle, int64_t, 10512, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_RunCallableRequest, session_handle, struct sl_str, 9050, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_RunCallableRequest, handle, int64_t, 10512, 2, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_RunCallableRequest, feed, struct sl_pb_TensorProto, 5275, 3, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_TensorProto),
    ROW(sl_pb_RunCallableRequest, request_id, int64_t, 10099, 4, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_RunCallableResponse, fetch, struct sl_pb_TensorProto, 5280, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_TensorProto),
    ROW(sl_pb_RunCallableResponse, metadata, struct sl_pb_RunMetadata, 8158, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_RunMetadata),
    ROW(sl_pb_ReleaseCallableRequest, session_handle, struct sl_str, 9050, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_ReleaseCallableRequest, handle, int64_t, 10512, 2, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_OpDef, name, struct sl_str, 124, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_OpDef, input_arg, struct sl_pb_OpDef_ArgDef, 10666, 2, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_OpDef_ArgDef),
    ROW(sl_pb_OpDef, output_arg, struct sl_pb_OpDef_ArgDef, 10676, 3, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_OpDef_ArgDef),
    ROW(sl_pb_OpDef, attr, struct sl_pb_OpDef_AttrDef, 129, 4, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_OpDef_AttrDef),
    ROW(sl_pb_OpDef, summary, struct sl_str, 8296, 5, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_OpDef, description, struct sl_str, 10687, 6, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_OpDef, deprecation, struct sl_pb_OpDeprecation, 10699, 8, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_OpDeprecation),
    ROW(sl_pb_OpDef, is_aggregate, bool, 10711, 16, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_OpDef, is_stateful, bool, 10724, 17, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_OpDef, is_commutative, bool, 10736, 18, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_OpDef, allows_uninitialized_input, bool, 10751, 19, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_OpDef, control_output, struct sl_str, 10778, 20, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_OpDef, is_distributed_communication, bool, 10793, 21, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_OpDef_ArgDef, name, struct sl_str, 124, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_OpDef_ArgDef, description, struct sl_str, 10687, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_OpDef_ArgDef, type, int32_t, 34, 3, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_DataType),
    ROW(sl_pb_OpDef_ArgDef, type_attr, struct sl_str, 10846, 4, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_OpDef_ArgDef, number_attr, struct sl_str, 10856, 5, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_OpDef_ArgDef, type_list_attr, struct sl_str, 10868, 6, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_OpDef_ArgDef, handle_data, struct sl_pb_ResourceHandleProto_DtypeAndShape, 10883, 7, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_ResourceHandleProto_DtypeAndShape),
    ROW(sl_pb_OpDef_ArgDef, is_ref, bool, 10895, 16, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_OpDef_ArgDef, experimental_full_type, struct sl_pb_FullTypeDef, 10902, 17, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_FullTypeDef),
    ROW(sl_pb_OpDef_AttrDef, name, struct sl_str, 124, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_OpDef_AttrDef, type, struct sl_str, 34, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_OpDef_AttrDef, default_value, struct sl_pb_AttrValue, 10950, 3, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_AttrValue),
    ROW(sl_pb_OpDef_AttrDef, description, struct sl_str, 10687, 4, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_OpDef_AttrDef, has_minimum, bool, 10964, 5, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_OpDef_AttrDef, minimum, int64_t, 10976, 6, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_OpDef_AttrDef, allowed_values, struct sl_pb_AttrValue, 10984, 7, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_AttrValue),
    ROW(sl_pb_OpDeprecation, version, int32_t, 221, 1, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_OpDeprecation, explanation, struct sl_str, 11024, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_OpList, op, struct sl_pb_OpDef, 9174, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_OpDef),
    ROW(sl_pb_ApiDef, graph_op_name, struct sl_str, 11072, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_ApiDef, visibility, int32_t, 11086, 2, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_ApiDef_Visibility),
    ROW(sl_pb_ApiDef, endpoint, struct sl_pb_ApiDef_Endpoint, 11097, 3, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_ApiDef_Endpoint),
    ROW(sl_pb_ApiDef, in_arg, struct sl_pb_ApiDef_Arg, 11106, 4, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_ApiDef_Arg),
    ROW(sl_pb_ApiDef, out_arg, struct sl_pb_ApiDef_Arg, 11113, 5, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_ApiDef_Arg),
    ROW(sl_pb_ApiDef, attr, struct sl_pb_ApiDef_Attr, 129, 6, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_ApiDef_Attr),
    ROW(sl_pb_ApiDef, summary, struct sl_str, 8296, 7, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_ApiDef, description, struct sl_str, 10687, 8, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_ApiDef, description_prefix, struct sl_str, 11121, 9, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_ApiDef, description_suffix, struct sl_str, 11140, 10, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_ApiDef, arg_order, struct sl_str, 11159, 11, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_ApiDef, deprecation_message, struct sl_str, 11169, 12, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_ApiDef, deprecation_version, int32_t, 11189, 13, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_ApiDef_Endpoint, name, struct sl_str, 124, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_ApiDef_Endpoint, deprecated, bool, 11236, 3, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_ApiDef_Endpoint, deprecation_version, int32_t, 11189, 4, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_ApiDef_Arg, name, struct sl_str, 124, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_ApiDef_Arg, rename_to, struct sl_str, 11269, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_ApiDef_Arg, description, struct sl_str, 10687, 3, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_ApiDef_Attr, name, struct sl_str, 124, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_ApiDef_Attr, rename_to, struct sl_str, 11269, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_ApiDef_Attr, default_value, struct sl_pb_AttrValue, 10950, 3, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_AttrValue),
    ROW(sl_pb_ApiDef_Attr, description, struct sl_str, 10687, 4, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_ApiDefs, op, struct sl_pb_ApiDef, 9174, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_ApiDef),
    ROW(sl_pb_KernelDef, op, struct sl_str, 9174, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_KernelDef, device_type, struct sl_str, 6002, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_KernelDef, constraint, struct sl_pb_KernelDef_AttrConstraint, 11342, 3, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_KernelDef_AttrConstraint),
    ROW(sl_pb_KernelDef, host_memory_arg, struct sl_str, 11353, 4, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_KernelDef, label, struct sl_str, 11369, 5, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_KernelDef, priority, int32_t, 2660, 6, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_KernelDef_AttrConstraint, name, struct sl_str, 124, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_KernelDef_AttrConstraint, allowed_values, struct sl_pb_AttrValue, 10984, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_AttrValue),
    ROW(sl_pb_KernelList, kernel, struct sl_pb_KernelDef, 11433, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_KernelDef),
    ROW(sl_pb_AutoParallelOptions, enable, bool, 11471, 1, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_AutoParallelOptions, num_replicas, int32_t, 11478, 2, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_ScopedAllocatorOptions, enable_op, struct sl_str, 11525, 1, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_RewriterConfig, layout_optimizer, int32_t, 11561, 1, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_RewriterConfig_Toggle),
    ROW(sl_pb_RewriterConfig, disable_model_pruning, bool, 11578, 2, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_RewriterConfig, constant_folding, int32_t, 11600, 3, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_RewriterConfig_Toggle),
    ROW(sl_pb_RewriterConfig, memory_optimization, int32_t, 11617, 4, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_RewriterConfig_MemOptType),
    ROW(sl_pb_RewriterConfig, auto_parallel, struct sl_pb_AutoParallelOptions, 11637, 5, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_AutoParallelOptions),
    ROW(sl_pb_RewriterConfig, memory_optimizer_target_node_name_scope, struct sl_str, 11651, 6, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_RewriterConfig, arithmetic_optimization, int32_t, 11691, 7, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_RewriterConfig_Toggle),
    ROW(sl_pb_RewriterConfig, dependency_optimization, int32_t, 11715, 8, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_RewriterConfig_Toggle),
    ROW(sl_pb_RewriterConfig, loop_optimization, int32_t, 11739, 9, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_RewriterConfig_Toggle),
    ROW(sl_pb_RewriterConfig, function_optimization, int32_t, 11757, 10, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_RewriterConfig_Toggle),
    ROW(sl_pb_RewriterConfig, debug_stripper, int32_t, 11779, 11, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_RewriterConfig_Toggle),
    ROW(sl_pb_RewriterConfig, meta_optimizer_iterations, int32_t, 11794, 12, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_RewriterConfig_NumIterationsType),
    ROW(sl_pb_RewriterConfig, shape_optimization, int32_t, 11820, 13, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_RewriterConfig_Toggle),
    ROW(sl_pb_RewriterConfig, remapping, int32_t, 11839, 14, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_RewriterConfig_Toggle),
    ROW(sl_pb_RewriterConfig, scoped_allocator_optimization, int32_t, 11849, 15, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_RewriterConfig_Toggle),
    ROW(sl_pb_RewriterConfig, scoped_allocator_opts, struct sl_pb_ScopedAllocatorOptions, 11879, 16, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_ScopedAllocatorOptions),
    ROW(sl_pb_RewriterConfig, min_graph_nodes, int32_t, 11901, 17, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_RewriterConfig, pin_to_host_optimization, int32_t, 11917, 18, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_RewriterConfig_Toggle),
    ROW(sl_pb_RewriterConfig, disable_meta_optimizer, bool, 11942, 19, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_RewriterConfig, meta_optimizer_timeout_ms, int64_t, 11965, 20, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_RewriterConfig, fail_on_optimizer_errors, bool, 11991, 21, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_RewriterConfig, implementation_selector, int32_t, 12016, 22, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_RewriterConfig_Toggle),
    ROW(sl_pb_RewriterConfig, auto_mixed_precision, int32_t, 12040, 23, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_RewriterConfig_Toggle),
    ROW(sl_pb_RewriterConfig, common_subgraph_elimination, int32_t, 12061, 24, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_RewriterConfig_Toggle),
    ROW(sl_pb_RewriterConfig, auto_mixed_precision_mkl, int32_t, 12089, 25, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_RewriterConfig_Toggle),
    ROW(sl_pb_RewriterConfig, experimental_disable_compressed_tensor_optimization, bool, 12114, 26, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_RewriterConfig, experimental_disable_folding_quantization_emulation, bool, 12166, 27, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_RewriterConfig, use_plugin_optimizers, int32_t, 12218, 28, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_RewriterConfig_Toggle),
    ROW(sl_pb_RewriterConfig, auto_mixed_precision_cpu, int32_t, 12240, 29, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_RewriterConfig_Toggle),
    ROW(sl_pb_RewriterConfig, experimental_conditional_code_motion, int32_t, 12265, 30, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_RewriterConfig_Toggle),
    ROW(sl_pb_RewriterConfig, auto_mixed_precision_onednn_bfloat16, int32_t, 12302, 31, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_RewriterConfig_Toggle),
    ROW(sl_pb_RewriterConfig, disable_tfg_optimizer, bool, 12339, 32, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_RewriterConfig, cpu_layout_conversion, int32_t, 12361, 50, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_RewriterConfig_CpuLayout),
    ROW(sl_pb_RewriterConfig, optimizers, struct sl_str, 12383, 100, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_RewriterConfig, custom_optimizers, struct sl_pb_RewriterConfig_CustomGraphOptimizer, 12394, 200, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_RewriterConfig_CustomGraphOptimizer),
    ROW(sl_pb_RewriterConfig, inter_optimizer_verifier_config, struct sl_pb_VerifierConfig, 12412, 300, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_VerifierConfig),
    ROW(sl_pb_RewriterConfig, post_optimization_verifier_config, struct sl_pb_VerifierConfig, 12444, 301, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_VerifierConfig),
    ROW(sl_pb_RewriterConfig_CustomGraphOptimizer, name, struct sl_str, 124, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_RewriterConfig_CustomGraphOptimizer, parameter_map, struct sl_pb_entry_string_AttrValue, 12525, 2, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_string_AttrValue),
    ROW(sl_pb_VerifierConfig, verification_timeout_in_ms, int64_t, 12565, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_VerifierConfig, structure_verifier, int32_t, 12592, 2, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_VerifierConfig_Toggle),
    ROW(sl_pb_SavedModel, saved_model_schema_version, int64_t, 12633, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_SavedModel, meta_graphs, struct sl_pb_MetaGraphDef, 12660, 2, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_MetaGraphDef),
    ROW(sl_pb_MetaGraphDef, meta_info_def, struct sl_pb_MetaGraphDef_MetaInfoDef, 12696, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_MetaGraphDef_MetaInfoDef),
    ROW(sl_pb_MetaGraphDef, graph_def, struct sl_pb_GraphDef, 8286, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_GraphDef),
    ROW(sl_pb_MetaGraphDef, saver_def, struct sl_pb_SaverDef, 12710, 3, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_SaverDef),
    ROW(sl_pb_MetaGraphDef, collection_def, struct sl_pb_entry_string_CollectionDef, 12720, 4, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_string_CollectionDef),
    ROW(sl_pb_MetaGraphDef, signature_def, struct sl_pb_entry_string_SignatureDef, 12735, 5, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_string_SignatureDef),
    ROW(sl_pb_MetaGraphDef, asset_file_def, struct sl_pb_AssetFileDef, 12749, 6, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_AssetFileDef),
    ROW(sl_pb_MetaGraphDef, object_graph_def, struct sl_pb_SavedObjectGraph, 12764, 7, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_SavedObjectGraph),
    ROW(sl_pb_MetaGraphDef_MetaInfoDef, meta_graph_version, struct sl_str, 12817, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_MetaGraphDef_MetaInfoDef, stripped_op_list, struct sl_pb_OpList, 12836, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_OpList),
    ROW(sl_pb_MetaGraphDef_MetaInfoDef, any_info, struct sl_pb_Any, 12853, 3, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_Any),
    ROW(sl_pb_MetaGraphDef_MetaInfoDef, tags, struct sl_str, 12862, 4, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_MetaGraphDef_MetaInfoDef, tensorflow_version, struct sl_str, 12867, 5, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_MetaGraphDef_MetaInfoDef, tensorflow_git_version, struct sl_str, 12886, 6, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_MetaGraphDef_MetaInfoDef, stripped_default_attrs, bool, 12909, 7, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_MetaGraphDef_MetaInfoDef, function_aliases, struct sl_pb_entry_string_string, 12932, 8, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_string_string),
    ROW(sl_pb_CollectionDef, node_list, struct sl_pb_CollectionDef_NodeList, 12974, 1, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_CollectionDef_NodeList),
    ROW(sl_pb_CollectionDef, bytes_list, struct sl_pb_CollectionDef_BytesList, 8830, 2, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_CollectionDef_BytesList),
    ROW(sl_pb_CollectionDef, int64_list, struct sl_pb_CollectionDef_Int64List, 8852, 3, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_CollectionDef_Int64List),
    ROW(sl_pb_CollectionDef, float_list, struct sl_pb_CollectionDef_FloatList, 8841, 4, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_CollectionDef_FloatList),
    ROW(sl_pb_CollectionDef, any_list, struct sl_pb_CollectionDef_AnyList, 12984, 5, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_CollectionDef_AnyList),
    ROW(sl_pb_CollectionDef_NodeList, value, struct sl_str, 7895, 1, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_CollectionDef_BytesList, value, struct sl_str, 7895, 1, BYTES, BYTES, REPEATED, 0),
    ROW(sl_pb_CollectionDef_Int64List, value, int64_t, 7895, 1, VARINT, INT64, REPEATED, 0),
    ROW(sl_pb_CollectionDef_FloatList, value, float, 7895, 1, 32, FLOAT, REPEATED, 0),
    ROW(sl_pb_CollectionDef_AnyList, value, struct sl_pb_Any, 7895, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_Any),
    ROW(sl_pb_TensorInfo, name, struct sl_str, 124, 1, BYTES, STRING, ONEOF, 0),
    ROW(sl_pb_TensorInfo, dtype, int32_t, 257, 2, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_DataType),
    ROW(sl_pb_TensorInfo, tensor_shape, struct sl_pb_TensorShapeProto, 5532, 3, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_TensorShapeProto),
    ROW(sl_pb_TensorInfo, coo_sparse, struct sl_pb_TensorInfo_CooSparse, 13187, 4, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_TensorInfo_CooSparse),
    ROW(sl_pb_TensorInfo, composite_tensor, struct sl_pb_TensorInfo_CompositeTensor, 13198, 5, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_TensorInfo_CompositeTensor),
    ROW(sl_pb_TensorInfo_CooSparse, values_tensor_name, struct sl_str, 13247, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_TensorInfo_CooSparse, indices_tensor_name, struct sl_str, 13266, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_TensorInfo_CooSparse, dense_shape_tensor_name, struct sl_str, 13286, 3, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_TensorInfo_CompositeTensor, type_spec, struct sl_pb_TypeSpecProto, 13348, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_TypeSpecProto),
    ROW(sl_pb_TensorInfo_CompositeTensor, components, struct sl_pb_TensorInfo, 13358, 2, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_TensorInfo),
    ROW(sl_pb_SignatureDef, inputs, struct sl_pb_entry_string_TensorInfo, 13393, 1, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_string_TensorInfo),
    ROW(sl_pb_SignatureDef, outputs, struct sl_pb_entry_string_TensorInfo, 13400, 2, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_string_TensorInfo),
    ROW(sl_pb_SignatureDef, method_name, struct sl_str, 13408, 3, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_SignatureDef, defaults, struct sl_pb_entry_string_TensorProto, 13420, 4, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_string_TensorProto),
    ROW(sl_pb_AssetFileDef, tensor_info, struct sl_pb_TensorInfo, 13453, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_TensorInfo),
    ROW(sl_pb_AssetFileDef, filename, struct sl_str, 13465, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_SavedObjectGraph, nodes, struct sl_pb_SavedObject, 721, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_SavedObject),
    ROW(sl_pb_SavedObjectGraph, concrete_functions, struct sl_pb_entry_string_SavedConcreteFunction, 13502, 2, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_string_SavedConcreteFunction),
    ROW(sl_pb_SavedObject, children, struct sl_pb_TrackableObjectGraph_TrackableObject_ObjectReference, 775, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_TrackableObjectGraph_TrackableObject_ObjectReference),
    ROW(sl_pb_SavedObject, slot_variables, struct sl_pb_TrackableObjectGraph_TrackableObject_SlotVariableReference, 795, 3, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_TrackableObjectGraph_TrackableObject_SlotVariableReference),
    ROW(sl_pb_SavedObject, user_object, struct sl_pb_SavedUserObject, 13544, 4, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_SavedUserObject),
    ROW(sl_pb_SavedObject, asset, struct sl_pb_SavedAsset, 13556, 5, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_SavedAsset),
    ROW(sl_pb_SavedObject, function, struct sl_pb_SavedFunction, 9542, 6, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_SavedFunction),
    ROW(sl_pb_SavedObject, variable, struct sl_pb_SavedVariable, 13562, 7, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_SavedVariable),
    ROW(sl_pb_SavedObject, bare_concrete_function, struct sl_pb_SavedBareConcreteFunction, 13571, 8, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_SavedBareConcreteFunction),
    ROW(sl_pb_SavedObject, constant, struct sl_pb_SavedConstant, 13594, 9, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_SavedConstant),
    ROW(sl_pb_SavedObject, resource, struct sl_pb_SavedResource, 13603, 10, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_SavedResource),
    ROW(sl_pb_SavedObject, saveable_objects, struct sl_pb_entry_string_SaveableObject, 13612, 11, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_string_SaveableObject),
    ROW(sl_pb_SavedObject, captured_tensor, struct sl_pb_CapturedTensor, 13629, 12, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_CapturedTensor),
    ROW(sl_pb_SavedObject, registered_name, struct sl_str, 13645, 13, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_SavedObject, serialized_user_proto, struct sl_pb_Any, 13661, 14, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_Any),
    ROW(sl_pb_SavedObject, dependencies, struct sl_pb_TrackableObjectGraph_TrackableObject_ObjectReference, 13683, 15, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_TrackableObjectGraph_TrackableObject_ObjectReference),
    ROW(sl_pb_SavedObject, registered_saver, struct sl_str, 810, 16, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_SavedUserObject, identifier, struct sl_str, 13723, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_SavedUserObject, version, struct sl_pb_VersionDef, 221, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_VersionDef),
    ROW(sl_pb_SavedUserObject, metadata, struct sl_str, 8158, 3, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_SavedAsset, asset_file_def_index, int32_t, 13756, 1, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_SavedFunction, concrete_functions, struct sl_str, 13502, 1, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_SavedFunction, function_spec, struct sl_pb_FunctionSpec, 13802, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_FunctionSpec),
    ROW(sl_pb_CapturedTensor, name, struct sl_str, 124, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_CapturedTensor, concrete_function, struct sl_str, 13842, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_SavedConcreteFunction, bound_inputs, int32_t, 13893, 2, VARINT, INT32, REPEATED, 0),
    ROW(sl_pb_SavedConcreteFunction, canonicalized_input_signature, struct sl_pb_StructuredValue, 13906, 3, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_StructuredValue),
    ROW(sl_pb_SavedConcreteFunction, output_signature, struct sl_pb_StructuredValue, 13936, 4, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_StructuredValue),
    ROW(sl_pb_SavedBareConcreteFunction, concrete_function_name, struct sl_str, 13990, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_SavedBareConcreteFunction, argument_keywords, struct sl_str, 14013, 2, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_SavedBareConcreteFunction, allowed_positional_arguments, int64_t, 14031, 3, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_SavedBareConcreteFunction, function_spec, struct sl_pb_FunctionSpec, 13802, 4, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_FunctionSpec),
    ROW(sl_pb_SavedConstant, operation, struct sl_str, 6418, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_SavedVariable, dtype, int32_t, 257, 1, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_DataType),
    ROW(sl_pb_SavedVariable, shape, struct sl_pb_TensorShapeProto, 39, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_TensorShapeProto),
    ROW(sl_pb_SavedVariable, trainable, bool, 14110, 3, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_SavedVariable, synchronization, int32_t, 14120, 4, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_VariableSynchronization),
    ROW(sl_pb_SavedVariable, aggregation, int32_t, 14136, 5, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_VariableAggregation),
    ROW(sl_pb_SavedVariable, name, struct sl_str, 124, 6, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_SavedVariable, device, struct sl_str, 6175, 7, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_SavedVariable, experimental_distributed_variable_components, struct sl_pb_SavedVariable, 14148, 8, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_SavedVariable),
    ROW(sl_pb_FunctionSpec, fullargspec, struct sl_pb_StructuredValue, 14217, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_StructuredValue),
    ROW(sl_pb_FunctionSpec, is_method, bool, 14229, 2, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_FunctionSpec, input_signature, struct sl_pb_StructuredValue, 14239, 5, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_StructuredValue),
    ROW(sl_pb_FunctionSpec, jit_compile, int32_t, 14255, 6, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_FunctionSpec_JitCompile),
    ROW(sl_pb_SavedResource, device, struct sl_str, 6175, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_SaveableObject, save_function, int32_t, 14318, 2, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_SaveableObject, restore_function, int32_t, 14332, 3, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_FingerprintDef, saved_model_checksum, uint64_t, 14375, 1, VARINT, UINT64, SINGULAR, 0),
    ROW(sl_pb_FingerprintDef, graph_def_program_hash, uint64_t, 14396, 2, VARINT, UINT64, SINGULAR, 0),
    ROW(sl_pb_FingerprintDef, signature_def_hash, uint64_t, 14419, 3, VARINT, UINT64, SINGULAR, 0),
    ROW(sl_pb_FingerprintDef, saved_object_graph_hash, uint64_t, 14438, 4, VARINT, UINT64, SINGULAR, 0),
    ROW(sl_pb_FingerprintDef, checkpoint_hash, uint64_t, 14462, 5, VARINT, UINT64, SINGULAR, 0),
    ROW(sl_pb_FingerprintDef, version, struct sl_pb_VersionDef, 221, 6, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_VersionDef),
    ROW(sl_pb_FingerprintDef, uuid, struct sl_str, 14478, 7, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_ServerDef, cluster, struct sl_pb_ClusterDef, 14504, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_ClusterDef),
    ROW(sl_pb_ServerDef, job_name, struct sl_str, 14512, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_ServerDef, task_index, int32_t, 14521, 3, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_ServerDef, default_session_config, struct sl_pb_ConfigProto, 14532, 4, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_ConfigProto),
    ROW(sl_pb_ServerDef, protocol, struct sl_str, 14555, 5, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_ServerDef, port, int32_t, 14564, 6, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_ServerDef, cluster_device_filters, struct sl_pb_ClusterDeviceFilters, 14569, 7, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_ClusterDeviceFilters),
    ROW(sl_pb_ServerDef, replica, int32_t, 14592, 8, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_TaskDeviceFilters, device_filters, struct sl_str, 3358, 1, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_JobDeviceFilters, name, struct sl_str, 124, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_JobDeviceFilters, tasks, struct sl_pb_entry_int32_TaskDeviceFilters, 1295, 2, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_int32_TaskDeviceFilters),
    ROW(sl_pb_ClusterDeviceFilters, jobs, struct sl_pb_JobDeviceFilters, 14689, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_JobDeviceFilters),
    ROW(sl_pb_serving_ModelSpec, name, struct sl_str, 124, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_serving_ModelSpec, version, struct sl_pb_Int64Value, 221, 2, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_Int64Value),
    ROW(sl_pb_serving_ModelSpec, signature_name, struct sl_str, 14723, 3, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_serving_ModelSpec, version_label, struct sl_str, 14738, 4, BYTES, STRING, ONEOF, 0),
    ROW(sl_pb_serving_PredictRequest, model_spec, struct sl_pb_serving_ModelSpec, 14786, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_serving_ModelSpec),
    ROW(sl_pb_serving_PredictRequest, inputs, struct sl_pb_entry_string_TensorProto, 13393, 2, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_string_TensorProto),
    ROW(sl_pb_serving_PredictRequest, output_filter, struct sl_str, 14797, 3, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_serving_PredictResponse, outputs, struct sl_pb_entry_string_TensorProto, 13400, 1, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_string_TensorProto),
    ROW(sl_pb_serving_PredictResponse, model_spec, struct sl_pb_serving_ModelSpec, 14786, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_serving_ModelSpec),
    ROW(sl_pb_serving_ExampleList, examples, struct sl_str, 14877, 1, BYTES, BYTES, REPEATED, 0),
    ROW(sl_pb_serving_ExampleListWithContext, examples, struct sl_str, 14877, 1, BYTES, BYTES, REPEATED, 0),
    ROW(sl_pb_serving_ExampleListWithContext, context, struct sl_str, 9006, 2, BYTES, BYTES, SINGULAR, 0),
    ROW(sl_pb_serving_Input, example_list, struct sl_pb_serving_ExampleList, 14953, 1, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_serving_ExampleList),
    ROW(sl_pb_serving_Input, example_list_with_context, struct sl_pb_serving_ExampleListWithContext, 14966, 2, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_serving_ExampleListWithContext),
    ROW(sl_pb_serving_Class, label, struct sl_str, 11369, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_serving_Class, score, float, 15017, 2, 32, FLOAT, SINGULAR, 0),
    ROW(sl_pb_serving_Classifications, classes, struct sl_pb_serving_Class, 15058, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_serving_Class),
    ROW(sl_pb_serving_ClassificationResult, classifications, struct sl_pb_serving_Classifications, 15106, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_serving_Classifications),
    ROW(sl_pb_serving_ClassificationRequest, model_spec, struct sl_pb_serving_ModelSpec, 14786, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_serving_ModelSpec),
    ROW(sl_pb_serving_ClassificationRequest, input, struct sl_pb_serving_Input, 9177, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_serving_Input),
    ROW(sl_pb_serving_ClassificationResponse, result, struct sl_pb_serving_ClassificationResult, 15205, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_serving_ClassificationResult),
    ROW(sl_pb_serving_ClassificationResponse, model_spec, struct sl_pb_serving_ModelSpec, 14786, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_serving_ModelSpec),
    ROW(sl_pb_serving_Regression, value, float, 7895, 1, 32, FLOAT, SINGULAR, 0),
    ROW(sl_pb_serving_RegressionResult, regressions, struct sl_pb_serving_Regression, 15278, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_serving_Regression),
    ROW(sl_pb_serving_RegressionRequest, model_spec, struct sl_pb_serving_ModelSpec, 14786, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_serving_ModelSpec),
    ROW(sl_pb_serving_RegressionRequest, input, struct sl_pb_serving_Input, 9177, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_serving_Input),
    ROW(sl_pb_serving_RegressionResponse, result, struct sl_pb_serving_RegressionResult, 15205, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_serving_RegressionResult),
    ROW(sl_pb_serving_RegressionResponse, model_spec, struct sl_pb_serving_ModelSpec, 14786, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_serving_ModelSpec),
    ROW(sl_pb_serving_SignatureDefMap, signature_def, struct sl_pb_entry_string_SignatureDef, 12735, 1, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_string_SignatureDef),
    ROW(sl_pb_serving_GetModelMetadataRequest, model_spec, struct sl_pb_serving_ModelSpec, 14786, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_serving_ModelSpec),
    ROW(sl_pb_serving_GetModelMetadataRequest, metadata_field, struct sl_str, 15443, 2, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_serving_GetModelMetadataResponse, model_spec, struct sl_pb_serving_ModelSpec, 14786, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_serving_ModelSpec),
    ROW(sl_pb_serving_GetModelMetadataResponse, metadata, struct sl_pb_entry_string_Any, 8158, 2, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_string_Any),
    ROW(sl_pb_serving_StatusProto, error_code, int32_t, 15533, 1, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_error_Code),
    ROW(sl_pb_serving_StatusProto, error_message, struct sl_str, 15544, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_serving_GetModelStatusRequest, model_spec, struct sl_pb_serving_ModelSpec, 14786, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_serving_ModelSpec),
    ROW(sl_pb_serving_ModelVersionStatus, version, int64_t, 221, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_serving_ModelVersionStatus, state, int32_t, 15637, 2, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_serving_ModelVersionStatus_State),
    ROW(sl_pb_serving_ModelVersionStatus, status, struct sl_pb_serving_StatusProto, 8470, 3, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_serving_StatusProto),
    ROW(sl_pb_serving_GetModelStatusResponse, model_version_status, struct sl_pb_serving_ModelVersionStatus, 15685, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_serving_ModelVersionStatus),
    ROW(sl_pb_serving_InferenceTask, model_spec, struct sl_pb_serving_ModelSpec, 14786, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_serving_ModelSpec),
    ROW(sl_pb_serving_InferenceTask, method_name, struct sl_str, 13408, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_serving_InferenceResult, model_spec, struct sl_pb_serving_ModelSpec, 14786, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_serving_ModelSpec),
    ROW(sl_pb_serving_InferenceResult, classification_result, struct sl_pb_serving_ClassificationResult, 15774, 2, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_serving_ClassificationResult),
    ROW(sl_pb_serving_InferenceResult, regression_result, struct sl_pb_serving_RegressionResult, 15796, 3, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_serving_RegressionResult),
    ROW(sl_pb_serving_MultiInferenceRequest, tasks, struct sl_pb_serving_InferenceTask, 1295, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_serving_InferenceTask),
    ROW(sl_pb_serving_MultiInferenceRequest, input, struct sl_pb_serving_Input, 9177, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_serving_Input),
    ROW(sl_pb_serving_MultiInferenceResponse, results, struct sl_pb_serving_InferenceResult, 15897, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_serving_InferenceResult),
    ROW(sl_pb_serving_ServableVersionPolicy, latest, struct sl_pb_serving_ServableVersionPolicy_Latest, 15946, 100, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_serving_ServableVersionPolicy_Latest),
    ROW(sl_pb_serving_ServableVersionPolicy, all, struct sl_pb_serving_ServableVersionPolicy_All, 15953, 101, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_serving_ServableVersionPolicy_All),
    ROW(sl_pb_serving_ServableVersionPolicy, specific, struct sl_pb_serving_ServableVersionPolicy_Specific, 15957, 102, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_serving_ServableVersionPolicy_Specific),
    ROW(sl_pb_serving_ServableVersionPolicy_Latest, num_versions, uint32_t, 16014, 1, VARINT, UINT32, SINGULAR, 0),
    ROW(sl_pb_serving_ServableVersionPolicy_Specific, versions, int64_t, 362, 1, VARINT, INT64, REPEATED, 0),
    ROW(sl_pb_serving_ModelConfig, name, struct sl_str, 124, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_serving_ModelConfig, base_path, struct sl_str, 16153, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_serving_ModelConfig, model_platform, struct sl_str, 16163, 4, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_serving_ModelConfig, model_version_policy, struct sl_pb_serving_ServableVersionPolicy, 16178, 7, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_serving_ServableVersionPolicy),
    ROW(sl_pb_serving_ModelConfig, version_labels, struct sl_pb_entry_string_int64, 16199, 8, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_string_int64),
    ROW(sl_pb_serving_ModelConfigList, config, struct sl_pb_serving_ModelConfig, 9857, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_serving_ModelConfig),
    ROW(sl_pb_serving_ModelServerConfig, model_config_list, struct sl_pb_serving_ModelConfigList, 16286, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_serving_ModelConfigList),
    ROW(sl_pb_CppShapeInferenceResult, shape, struct sl_pb_TensorShapeProto, 39, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_TensorShapeProto),
    ROW(sl_pb_CppShapeInferenceResult, handle_data, struct sl_pb_CppShapeInferenceResult_HandleData, 10883, 4, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_CppShapeInferenceResult_HandleData),
    ROW(sl_pb_CppShapeInferenceResult_HandleShapeAndType, shape, struct sl_pb_TensorShapeProto, 39, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_TensorShapeProto),
    ROW(sl_pb_CppShapeInferenceResult_HandleShapeAndType, dtype, int32_t, 257, 2, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_DataType),
    ROW(sl_pb_CppShapeInferenceResult_HandleShapeAndType, type, struct sl_pb_FullTypeDef, 34, 4, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_FullTypeDef),
    ROW(sl_pb_CppShapeInferenceResult_HandleData, is_set, bool, 16439, 1, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_CppShapeInferenceResult_HandleData, shape_and_type, struct sl_pb_CppShapeInferenceResult_HandleShapeAndType, 16446, 2, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_CppShapeInferenceResult_HandleShapeAndType),
    ROW(sl_pb_AllocationDescription, requested_bytes, int64_t, 16494, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_AllocationDescription, allocated_bytes, int64_t, 16510, 2, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_AllocationDescription, allocator_name, struct sl_str, 16526, 3, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_AllocationDescription, allocation_id, int64_t, 16541, 4, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_AllocationDescription, has_single_reference, bool, 16555, 5, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_AllocationDescription, ptr, uint64_t, 16576, 6, VARINT, UINT64, SINGULAR, 0),
    ROW(sl_pb_TensorDescription, dtype, int32_t, 257, 1, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_DataType),
    ROW(sl_pb_TensorDescription, shape, struct sl_pb_TensorShapeProto, 39, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_TensorShapeProto),
    ROW(sl_pb_TensorDescription, allocation_description, struct sl_pb_AllocationDescription, 16609, 4, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_AllocationDescription),
    ROW(sl_pb_AllocationRecord, alloc_micros, int64_t, 16660, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_AllocationRecord, alloc_bytes, int64_t, 16673, 2, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_AllocatorMemoryUsed, allocator_name, struct sl_str, 16526, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_AllocatorMemoryUsed, total_bytes, int64_t, 16716, 2, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_AllocatorMemoryUsed, peak_bytes, int64_t, 16728, 3, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_AllocatorMemoryUsed, live_bytes, int64_t, 16739, 4, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_AllocatorMemoryUsed, allocator_bytes_in_use, int64_t, 16750, 5, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_AllocatorMemoryUsed, allocation_records, struct sl_pb_AllocationRecord, 16773, 6, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_AllocationRecord),
    ROW(sl_pb_NodeOutput, slot, int32_t, 16814, 1, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_NodeOutput, tensor_description, struct sl_pb_TensorDescription, 16819, 3, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_TensorDescription),
    ROW(sl_pb_MemoryStats, temp_memory_size, int64_t, 16861, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_MemoryStats, device_temp_memory_size, int64_t, 16878, 2, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_MemoryStats, persistent_memory_size, int64_t, 16902, 3, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_MemoryStats, device_persistent_memory_size, int64_t, 16925, 4, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_MemoryStats, persistent_tensor_alloc_ids, int64_t, 16955, 5, VARINT, INT64, REPEATED, 0),
    ROW(sl_pb_MemoryStats, device_persistent_tensor_alloc_ids, int64_t, 16983, 6, VARINT, INT64, REPEATED, 0),
    ROW(sl_pb_NodeExecStats, node_name, struct sl_str, 4458, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_NodeExecStats, all_start_micros, int64_t, 17043, 2, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_NodeExecStats, op_start_rel_micros, int64_t, 17060, 3, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_NodeExecStats, op_end_rel_micros, int64_t, 17080, 4, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_NodeExecStats, all_end_rel_micros, int64_t, 17098, 5, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_NodeExecStats, memory, struct sl_pb_AllocatorMemoryUsed, 17117, 6, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_AllocatorMemoryUsed),
    ROW(sl_pb_NodeExecStats, output, struct sl_pb_NodeOutput, 17124, 7, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_NodeOutput),
    ROW(sl_pb_NodeExecStats, timeline_label, struct sl_str, 17131, 8, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_NodeExecStats, scheduled_micros, int64_t, 17146, 9, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_NodeExecStats, thread_id, uint32_t, 17163, 10, VARINT, UINT32, SINGULAR, 0),
    ROW(sl_pb_NodeExecStats, referenced_tensor, struct sl_pb_AllocationDescription, 17173, 11, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_AllocationDescription),
    ROW(sl_pb_NodeExecStats, memory_stats, struct sl_pb_MemoryStats, 17191, 12, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_MemoryStats),
    ROW(sl_pb_NodeExecStats, all_start_nanos, int64_t, 17204, 13, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_NodeExecStats, op_start_rel_nanos, int64_t, 17220, 14, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_NodeExecStats, op_end_rel_nanos, int64_t, 17239, 15, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_NodeExecStats, all_end_rel_nanos, int64_t, 17256, 16, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_NodeExecStats, scheduled_nanos, int64_t, 17274, 17, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_DeviceStepStats, device, struct sl_str, 6175, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_DeviceStepStats, node_stats, struct sl_pb_NodeExecStats, 17317, 2, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_NodeExecStats),
    ROW(sl_pb_DeviceStepStats, thread_names, struct sl_pb_entry_uint32_string, 17328, 3, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_uint32_string),
    ROW(sl_pb_StepStats, dev_stats, struct sl_pb_DeviceStepStats, 17362, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_DeviceStepStats),
    ROW(sl_pb_CostGraphDef, node, struct sl_pb_CostGraphDef_Node, 9809, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_CostGraphDef_Node),
    ROW(sl_pb_CostGraphDef, cost, struct sl_pb_CostGraphDef_AggregatedCost, 17396, 2, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_CostGraphDef_AggregatedCost),
    ROW(sl_pb_CostGraphDef_Node, name, struct sl_str, 124, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_CostGraphDef_Node, device, struct sl_str, 6175, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_CostGraphDef_Node, id, int32_t, 6246, 3, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_CostGraphDef_Node, input_info, struct sl_pb_CostGraphDef_Node_InputInfo, 17430, 4, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_CostGraphDef_Node_InputInfo),
    ROW(sl_pb_CostGraphDef_Node, output_info, struct sl_pb_CostGraphDef_Node_OutputInfo, 17441, 5, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_CostGraphDef_Node_OutputInfo),
    ROW(sl_pb_CostGraphDef_Node, temporary_memory_size, int64_t, 17453, 6, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_CostGraphDef_Node, is_final, bool, 17475, 7, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_CostGraphDef_Node, control_input, int32_t, 17484, 8, VARINT, INT32, REPEATED, 0),
    ROW(sl_pb_CostGraphDef_Node, compute_cost, int64_t, 17498, 9, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_CostGraphDef_Node, host_temp_memory_size, int64_t, 17511, 10, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_CostGraphDef_Node, device_temp_memory_size, int64_t, 16878, 11, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_CostGraphDef_Node, persistent_memory_size, int64_t, 16902, 12, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_CostGraphDef_Node, compute_time, int64_t, 17533, 14, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_CostGraphDef_Node, memory_time, int64_t, 17546, 15, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_CostGraphDef_Node, device_persistent_memory_size, int64_t, 16925, 16, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_CostGraphDef_Node, inaccurate, bool, 17558, 17, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_CostGraphDef_Node_InputInfo, preceding_node, int32_t, 17608, 1, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_CostGraphDef_Node_InputInfo, preceding_port, int32_t, 17623, 2, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_CostGraphDef_Node_OutputInfo, size, int64_t, 279, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_CostGraphDef_Node_OutputInfo, alias_input_port, int64_t, 17678, 2, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_CostGraphDef_Node_OutputInfo, shape, struct sl_pb_TensorShapeProto, 39, 3, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_TensorShapeProto),
    ROW(sl_pb_CostGraphDef_Node_OutputInfo, dtype, int32_t, 257, 4, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_DataType),
    ROW(sl_pb_CostGraphDef_AggregatedCost, cost, float, 17396, 1, 32, FLOAT, SINGULAR, 0),
    ROW(sl_pb_CostGraphDef_AggregatedCost, dimension, struct sl_str, 17734, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_MemoryLogStep, step_id, int64_t, 7438, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_MemoryLogStep, handle, struct sl_str, 10512, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_MemoryLogTensorAllocation, step_id, int64_t, 7438, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_MemoryLogTensorAllocation, kernel_name, struct sl_str, 17806, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_MemoryLogTensorAllocation, tensor, struct sl_pb_TensorDescription, 45, 3, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_TensorDescription),
    ROW(sl_pb_MemoryLogTensorDeallocation, allocation_id, int64_t, 16541, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_MemoryLogTensorDeallocation, allocator_name, struct sl_str, 16526, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_MemoryLogTensorOutput, step_id, int64_t, 7438, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_MemoryLogTensorOutput, kernel_name, struct sl_str, 17806, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_MemoryLogTensorOutput, index, int32_t, 17890, 3, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_MemoryLogTensorOutput, tensor, struct sl_pb_TensorDescription, 45, 4, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_TensorDescription),
    ROW(sl_pb_MemoryLogRawAllocation, step_id, int64_t, 7438, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_MemoryLogRawAllocation, operation, struct sl_str, 6418, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_MemoryLogRawAllocation, num_bytes, int64_t, 17930, 3, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_MemoryLogRawAllocation, ptr, uint64_t, 16576, 4, VARINT, UINT64, SINGULAR, 0),
    ROW(sl_pb_MemoryLogRawAllocation, allocation_id, int64_t, 16541, 5, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_MemoryLogRawAllocation, allocator_name, struct sl_str, 16526, 6, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_MemoryLogRawDeallocation, step_id, int64_t, 7438, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_MemoryLogRawDeallocation, operation, struct sl_str, 6418, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_MemoryLogRawDeallocation, allocation_id, int64_t, 16541, 3, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_MemoryLogRawDeallocation, allocator_name, struct sl_str, 16526, 4, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_MemoryLogRawDeallocation, deferred, bool, 17976, 5, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_StatusProto, code, int32_t, 9446, 1, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_error_Code),
    ROW(sl_pb_StatusProto, message, struct sl_str, 8440, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_StatusProto, payload, struct sl_pb_entry_string_bytes, 18008, 3, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_string_bytes),
    ROW(sl_pb_StructuredValue, none_value, struct sl_pb_NoneValue, 18043, 1, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_NoneValue),
    ROW(sl_pb_StructuredValue, float64_value, double, 18054, 11, 64, DOUBLE, ONEOF, 0),
    ROW(sl_pb_StructuredValue, int64_value, int64_t, 18068, 12, VARINT, SINT64, ONEOF, 0),
    ROW(sl_pb_StructuredValue, string_value, struct sl_str, 18080, 13, BYTES, STRING, ONEOF, 0),
    ROW(sl_pb_StructuredValue, bool_value, bool, 18093, 14, VARINT, BOOL, ONEOF, 0),
    ROW(sl_pb_StructuredValue, tensor_shape_value, struct sl_pb_TensorShapeProto, 18104, 31, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_TensorShapeProto),
    ROW(sl_pb_StructuredValue, tensor_dtype_value, int32_t, 18123, 32, VARINT, ENUM, ONEOF, SL_PB_ENUM_INDEX_DataType),
    ROW(sl_pb_StructuredValue, tensor_spec_value, struct sl_pb_TensorSpecProto, 18142, 33, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_TensorSpecProto),
    ROW(sl_pb_StructuredValue, type_spec_value, struct sl_pb_TypeSpecProto, 18160, 34, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_TypeSpecProto),
    ROW(sl_pb_StructuredValue, bounded_tensor_spec_value, struct sl_pb_BoundedTensorSpecProto, 18176, 35, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_BoundedTensorSpecProto),
    ROW(sl_pb_StructuredValue, list_value, struct sl_pb_ListValue, 18202, 51, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_ListValue),
    ROW(sl_pb_StructuredValue, tuple_value, struct sl_pb_TupleValue, 18213, 52, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_TupleValue),
    ROW(sl_pb_StructuredValue, dict_value, struct sl_pb_DictValue, 18225, 53, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_DictValue),
    ROW(sl_pb_StructuredValue, named_tuple_value, struct sl_pb_NamedTupleValue, 18236, 54, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_NamedTupleValue),
    ROW(sl_pb_StructuredValue, tensor_value, struct sl_pb_TensorProto, 18254, 55, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_TensorProto),
    ROW(sl_pb_StructuredValue, numpy_value, struct sl_pb_TensorProto, 18267, 56, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_TensorProto),
    ROW(sl_pb_ListValue, values, struct sl_pb_StructuredValue, 18321, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_StructuredValue),
    ROW(sl_pb_TupleValue, values, struct sl_pb_StructuredValue, 18321, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_StructuredValue),
    ROW(sl_pb_DictValue, fields, struct sl_pb_entry_string_StructuredValue, 18371, 1, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_string_StructuredValue),
    ROW(sl_pb_PairValue, key, struct sl_str, 18399, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_PairValue, value, struct sl_pb_StructuredValue, 7895, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_StructuredValue),
    ROW(sl_pb_NamedTupleValue, name, struct sl_str, 124, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_NamedTupleValue, values, struct sl_pb_PairValue, 18321, 2, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_PairValue),
    ROW(sl_pb_TensorSpecProto, name, struct sl_str, 124, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_TensorSpecProto, shape, struct sl_pb_TensorShapeProto, 39, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_TensorShapeProto),
    ROW(sl_pb_TensorSpecProto, dtype, int32_t, 257, 3, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_DataType),
    ROW(sl_pb_BoundedTensorSpecProto, name, struct sl_str, 124, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_BoundedTensorSpecProto, shape, struct sl_pb_TensorShapeProto, 39, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_TensorShapeProto),
    ROW(sl_pb_BoundedTensorSpecProto, dtype, int32_t, 257, 3, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_DataType),
    ROW(sl_pb_BoundedTensorSpecProto, minimum, struct sl_pb_TensorProto, 10976, 4, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_TensorProto),
    ROW(sl_pb_BoundedTensorSpecProto, maximum, struct sl_pb_TensorProto, 18491, 5, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_TensorProto),
    ROW(sl_pb_TypeSpecProto, type_spec_class, int32_t, 18524, 1, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_TypeSpecProto_TypeSpecClass),
    ROW(sl_pb_TypeSpecProto, type_state, struct sl_pb_StructuredValue, 18540, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_StructuredValue),
    ROW(sl_pb_TypeSpecProto, type_spec_class_name, struct sl_str, 18551, 3, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_TypeSpecProto, num_flat_components, int32_t, 18572, 4, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_CompositeTensorVariantMetadata, type_spec_proto, struct sl_pb_TypeSpecProto, 18634, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_TypeSpecProto),
    ROW(sl_pb_TensorShapeProto, dim, struct sl_pb_TensorShapeProto_Dim, 18678, 2, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_TensorShapeProto_Dim),
    ROW(sl_pb_TensorShapeProto, unknown_rank, bool, 18682, 3, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_TensorShapeProto_Dim, size, int64_t, 279, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_TensorShapeProto_Dim, name, struct sl_str, 124, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_ResourceHandleProto, device, struct sl_str, 6175, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_ResourceHandleProto, container, struct sl_str, 10326, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_ResourceHandleProto, name, struct sl_str, 124, 3, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_ResourceHandleProto, hash_code, uint64_t, 18758, 4, VARINT, UINT64, SINGULAR, 0),
    ROW(sl_pb_ResourceHandleProto, maybe_type_name, struct sl_str, 18768, 5, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_ResourceHandleProto, dtypes_and_shapes, struct sl_pb_ResourceHandleProto_DtypeAndShape, 18784, 6, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_ResourceHandleProto_DtypeAndShape),
    ROW(sl_pb_ResourceHandleProto_DtypeAndShape, dtype, int32_t, 257, 1, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_DataType),
    ROW(sl_pb_ResourceHandleProto_DtypeAndShape, shape, struct sl_pb_TensorShapeProto, 39, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_TensorShapeProto),
    ROW(sl_pb_TensorProto, dtype, int32_t, 257, 1, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_DataType),
    ROW(sl_pb_TensorProto, tensor_shape, struct sl_pb_TensorShapeProto, 5532, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_TensorShapeProto),
    ROW(sl_pb_TensorProto, version_number, int32_t, 18870, 3, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_TensorProto, tensor_content, struct sl_str, 18885, 4, BYTES, BYTES, SINGULAR, 0),
    ROW(sl_pb_TensorProto, float_val, float, 18900, 5, 32, FLOAT, REPEATED, 0),
    ROW(sl_pb_TensorProto, double_val, double, 18910, 6, 64, DOUBLE, REPEATED, 0),
    ROW(sl_pb_TensorProto, int_val, int32_t, 18921, 7, VARINT, INT32, REPEATED, 0),
    ROW(sl_pb_TensorProto, string_val, struct sl_str, 18929, 8, BYTES, BYTES, REPEATED, 0),
    ROW(sl_pb_TensorProto, scomplex_val, float, 18940, 9, 32, FLOAT, REPEATED, 0),
    ROW(sl_pb_TensorProto, int64_val, int64_t, 18953, 10, VARINT, INT64, REPEATED, 0),
    ROW(sl_pb_TensorProto, bool_val, bool, 18963, 11, VARINT, BOOL, REPEATED, 0),
    ROW(sl_pb_TensorProto, dcomplex_val, double, 18972, 12, 64, DOUBLE, REPEATED, 0),
    ROW(sl_pb_TensorProto, half_val, int32_t, 18985, 13, VARINT, INT32, REPEATED, 0),
    ROW(sl_pb_TensorProto, resource_handle_val, struct sl_pb_ResourceHandleProto, 18994, 14, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_ResourceHandleProto),
    ROW(sl_pb_TensorProto, variant_val, struct sl_pb_VariantTensorDataProto, 19014, 15, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_VariantTensorDataProto),
    ROW(sl_pb_TensorProto, uint32_val, uint32_t, 19026, 16, VARINT, UINT32, REPEATED, 0),
    ROW(sl_pb_TensorProto, uint64_val, uint64_t, 19037, 17, VARINT, UINT64, REPEATED, 0),
    ROW(sl_pb_TensorProto, float8_val, struct sl_str, 19048, 18, BYTES, BYTES, SINGULAR, 0),
    ROW(sl_pb_VariantTensorDataProto, type_name, struct sl_str, 19093, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_VariantTensorDataProto, metadata, struct sl_str, 8158, 2, BYTES, BYTES, SINGULAR, 0),
    ROW(sl_pb_VariantTensorDataProto, tensors, struct sl_pb_TensorProto, 7521, 3, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_TensorProto),
    ROW(sl_pb_NamedTensorProto, name, struct sl_str, 124, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_NamedTensorProto, tensor, struct sl_pb_TensorProto, 45, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_TensorProto),
    ROW(sl_pb_TensorSliceProto, extent, struct sl_pb_TensorSliceProto_Extent, 19159, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_TensorSliceProto_Extent),
    ROW(sl_pb_TensorSliceProto_Extent, start, int64_t, 19201, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_TensorSliceProto_Extent, length, int64_t, 19207, 2, VARINT, INT64, ONEOF, 0),
    ROW(sl_pb_SerializedDType, datatype, int32_t, 19241, 1, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_DataType),
    ROW(sl_pb_VariableDef, variable_name, struct sl_str, 19273, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_VariableDef, initializer_name, struct sl_str, 19287, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_VariableDef, snapshot_name, struct sl_str, 19304, 3, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_VariableDef, save_slice_info_def, struct sl_pb_SaveSliceInfoDef, 19318, 4, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_SaveSliceInfoDef),
    ROW(sl_pb_VariableDef, is_resource, bool, 19338, 5, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_VariableDef, initial_value_name, struct sl_str, 19350, 6, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_VariableDef, trainable, bool, 14110, 7, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_VariableDef, synchronization, int32_t, 14120, 8, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_VariableSynchronization),
    ROW(sl_pb_VariableDef, aggregation, int32_t, 14136, 9, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_VariableAggregation),
    ROW(sl_pb_SaveSliceInfoDef, full_name, struct sl_str, 997, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_SaveSliceInfoDef, full_shape, int64_t, 19397, 2, VARINT, INT64, REPEATED, 0),
    ROW(sl_pb_SaveSliceInfoDef, var_offset, int64_t, 19408, 3, VARINT, INT64, REPEATED, 0),
    ROW(sl_pb_SaveSliceInfoDef, var_shape, int64_t, 19419, 4, VARINT, INT64, REPEATED, 0),
    ROW(sl_pb_QueueRunnerDef, queue_name, struct sl_str, 19455, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_QueueRunnerDef, enqueue_op_name, struct sl_str, 19466, 2, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_QueueRunnerDef, close_op_name, struct sl_str, 19482, 3, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_QueueRunnerDef, cancel_op_name, struct sl_str, 19496, 4, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_QueueRunnerDef, queue_closed_exception_types, int32_t, 19511, 5, VARINT, ENUM, REPEATED, SL_PB_ENUM_INDEX_error_Code),
    ROW(sl_pb_ValuesDef, values, struct sl_str, 18321, 1, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_ValuesDef, external_values, struct sl_pb_entry_string_string, 19561, 2, BYTES, MESSAGE, MAP, SL_PB_INDEX_entry_string_string),
    ROW(sl_pb_ControlFlowContextDef, cond_ctxt, struct sl_pb_CondContextDef, 19610, 1, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_CondContextDef),
    ROW(sl_pb_ControlFlowContextDef, while_ctxt, struct sl_pb_WhileContextDef, 19620, 2, BYTES, MESSAGE, ONEOF, SL_PB_INDEX_WhileContextDef),
    ROW(sl_pb_CondContextDef, context_name, struct sl_str, 19657, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_CondContextDef, pred_name, struct sl_str, 19670, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_CondContextDef, pivot_name, struct sl_str, 19680, 3, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_CondContextDef, branch, int32_t, 19691, 4, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_CondContextDef, values_def, struct sl_pb_ValuesDef, 19698, 5, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_ValuesDef),
    ROW(sl_pb_CondContextDef, nested_contexts, struct sl_pb_ControlFlowContextDef, 19709, 6, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_ControlFlowContextDef),
    ROW(sl_pb_WhileContextDef, context_name, struct sl_str, 19657, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_WhileContextDef, parallel_iterations, int32_t, 19752, 2, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_WhileContextDef, back_prop, bool, 19772, 3, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_WhileContextDef, swap_memory, bool, 19782, 4, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_WhileContextDef, pivot_name, struct sl_str, 19680, 5, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_WhileContextDef, pivot_for_pred_name, struct sl_str, 19794, 6, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_WhileContextDef, pivot_for_body_name, struct sl_str, 19814, 7, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_WhileContextDef, loop_exit_names, struct sl_str, 19834, 8, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_WhileContextDef, values_def, struct sl_pb_ValuesDef, 19698, 9, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_ValuesDef),
    ROW(sl_pb_WhileContextDef, loop_enter_names, struct sl_str, 19850, 10, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_WhileContextDef, maximum_iterations_name, struct sl_str, 19867, 11, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_WhileContextDef, nested_contexts, struct sl_pb_ControlFlowContextDef, 19709, 12, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_ControlFlowContextDef),
    ROW(sl_pb_Any, type_url, struct sl_str, 19911, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_Any, value, struct sl_str, 7895, 2, BYTES, BYTES, SINGULAR, 0),
    ROW(sl_pb_BoolValue, value, bool, 7895, 1, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_Int64Value, value, int64_t, 7895, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_GetStatusResponse, device_attributes, struct sl_pb_DeviceAttributes, 6805, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_DeviceAttributes),
    ROW(sl_pb_CreateWorkerSessionRequest, session_handle, struct sl_str, 9050, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_CreateWorkerSessionRequest, server_def, struct sl_pb_ServerDef, 6611, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_ServerDef),
    ROW(sl_pb_CreateWorkerSessionRequest, isolate_session_state, bool, 3571, 3, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_CreateWorkerSessionRequest, cluster_device_attributes, struct sl_pb_DeviceAttributes, 6656, 4, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_DeviceAttributes),
    ROW(sl_pb_CreateWorkerSessionRequest, master_task, struct sl_str, 20068, 5, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_CreateWorkerSessionRequest, master_incarnation, int64_t, 20080, 6, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_DeleteWorkerSessionRequest, session_handle, struct sl_str, 9050, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_RegisterGraphRequest, session_handle, struct sl_str, 9050, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_RegisterGraphRequest, graph_def, struct sl_pb_GraphDef, 8286, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_GraphDef),
    ROW(sl_pb_RegisterGraphRequest, has_control_flow, bool, 20247, 3, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_RegisterGraphRequest, graph_options, struct sl_pb_GraphOptions, 3480, 4, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_GraphOptions),
    ROW(sl_pb_RegisterGraphRequest, debug_options, struct sl_pb_DebugOptions, 4827, 5, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_DebugOptions),
    ROW(sl_pb_RegisterGraphRequest, create_worker_session_called, bool, 20264, 6, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_RegisterGraphRequest, collective_graph_key, int64_t, 4911, 7, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_RegisterGraphRequest, config_proto, struct sl_pb_ConfigProto, 20293, 8, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_ConfigProto),
    ROW(sl_pb_RegisterGraphResponse, graph_handle, struct sl_str, 20339, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_DeregisterGraphRequest, graph_handle, struct sl_str, 20339, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_DeregisterGraphRequest, session_handle, struct sl_str, 9050, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_DeregisterGraphRequest, create_worker_session_called, bool, 20264, 3, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_CleanupAllRequest, container, struct sl_str, 10326, 1, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_ExecutorOpts, record_costs, bool, 20504, 1, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_ExecutorOpts, record_timeline, bool, 20517, 3, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_ExecutorOpts, record_partition_graphs, bool, 20533, 4, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_ExecutorOpts, report_tensor_allocations_upon_oom, bool, 4841, 5, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_RunGraphRequest, graph_handle, struct sl_str, 20339, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_RunGraphRequest, step_id, int64_t, 7438, 2, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_RunGraphRequest, send, struct sl_pb_NamedTensorProto, 20584, 3, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_NamedTensorProto),
    ROW(sl_pb_RunGraphRequest, recv_key, struct sl_str, 20589, 4, BYTES, STRING, REPEATED, 0),
    ROW(sl_pb_RunGraphRequest, exec_opts, struct sl_pb_ExecutorOpts, 20598, 5, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_ExecutorOpts),
    ROW(sl_pb_RunGraphRequest, is_partial, bool, 20608, 6, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_RunGraphRequest, is_last_partial_run, bool, 20619, 7, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_RunGraphRequest, session_handle, struct sl_str, 9050, 8, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_RunGraphRequest, store_errors_in_response_body, bool, 10069, 9, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_RunGraphRequest, create_worker_session_called, bool, 20264, 10, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_RunGraphRequest, request_id, int64_t, 10099, 11, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_RunGraphResponse, recv, struct sl_pb_NamedTensorProto, 20667, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_NamedTensorProto),
    ROW(sl_pb_RunGraphResponse, step_stats, struct sl_pb_StepStats, 5058, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_StepStats),
    ROW(sl_pb_RunGraphResponse, cost_graph, struct sl_pb_CostGraphDef, 5069, 3, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_CostGraphDef),
    ROW(sl_pb_RunGraphResponse, partition_graph, struct sl_pb_GraphDef, 20672, 4, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_GraphDef),
    ROW(sl_pb_RunGraphResponse, status_code, int32_t, 10137, 5, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_error_Code),
    ROW(sl_pb_RunGraphResponse, status_error_message, struct sl_str, 10149, 6, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_CleanupGraphRequest, step_id, int64_t, 7438, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_RecvTensorRequest, step_id, int64_t, 7438, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_RecvTensorRequest, rendezvous_key, struct sl_str, 20780, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_RecvTensorRequest, dma_ok, bool, 20795, 3, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_RecvTensorRequest, client_locality, struct sl_pb_DeviceLocality, 20802, 4, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_DeviceLocality),
    ROW(sl_pb_RecvTensorRequest, server_locality, struct sl_pb_DeviceLocality, 20818, 5, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_DeviceLocality),
    ROW(sl_pb_RecvTensorRequest, transport_options, struct sl_pb_Any, 20834, 6, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_Any),
    ROW(sl_pb_RecvTensorRequest, request_id, int64_t, 10099, 7, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_RecvTensorResponse, tensor, struct sl_pb_TensorProto, 45, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_TensorProto),
    ROW(sl_pb_RecvTensorResponse, is_dead, bool, 20882, 2, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_RecvTensorResponse, send_start_micros, int64_t, 20890, 3, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_RecvTensorResponse, transport_options, struct sl_pb_Any, 20834, 4, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_Any),
    ROW(sl_pb_RecvTensorResponse, require_ack, bool, 20908, 5, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_MarkRecvFinishedRequest, request_id, int64_t, 10099, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_LoggingRequest, enable_rpc_logging, bool, 21017, 1, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_LoggingRequest, clear, bool, 21036, 2, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_LoggingRequest, fetch_step_id, int64_t, 21042, 3, VARINT, INT64, REPEATED, 0),
    ROW(sl_pb_LoggingRequest, disable_rpc_logging, bool, 21056, 4, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_LabeledStepStats, step_id, int64_t, 7438, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_LabeledStepStats, step_stats, struct sl_pb_StepStats, 5058, 2, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_StepStats),
    ROW(sl_pb_LoggingResponse, step, struct sl_pb_LabeledStepStats, 8268, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_LabeledStepStats),
    ROW(sl_pb_TraceOpts, duration, double, 21152, 1, 64, DOUBLE, SINGULAR, 0),
    ROW(sl_pb_TraceOpts, use_step_profiler, bool, 21161, 2, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_TraceOpts, use_kernel_profiler, bool, 21179, 3, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_TraceOpts, use_extended_profiler, bool, 21199, 4, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_TraceOpts, use_gpu_profiler, bool, 21221, 5, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_TraceOpts, use_sample_profiler, bool, 21238, 6, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_TracingRequest, options, struct sl_pb_TraceOpts, 10042, 1, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_TraceOpts),
    ROW(sl_pb_RecvBufRequest, step_id, int64_t, 7438, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_RecvBufRequest, buf_rendezvous_key, struct sl_str, 21337, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_RecvBufRequest, num_bytes, int64_t, 17930, 3, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_RecvBufRequest, buf_ptr, uint64_t, 21356, 4, 64, FIXED64, SINGULAR, 0),
    ROW(sl_pb_RecvBufRequest, client_locality, struct sl_pb_DeviceLocality, 20802, 5, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_DeviceLocality),
    ROW(sl_pb_RecvBufRequest, server_locality, struct sl_pb_DeviceLocality, 20818, 6, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_DeviceLocality),
    ROW(sl_pb_RecvBufRequest, transport_options, struct sl_pb_Any, 20834, 7, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_Any),
    ROW(sl_pb_RecvBufRequest, src_device, struct sl_str, 21364, 8, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_RecvBufRequest, dst_device, struct sl_str, 21375, 9, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_RecvBufRequest, request_id, int64_t, 10099, 10, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_RecvBufRequest, src_incarnation, uint64_t, 21386, 11, VARINT, UINT64, SINGULAR, 0),
    ROW(sl_pb_RecvBufResponse, buf_ptr, uint64_t, 21356, 1, 64, FIXED64, SINGULAR, 0),
    ROW(sl_pb_RecvBufResponse, num_bytes, int64_t, 17930, 2, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_RecvBufResponse, is_dead, bool, 20882, 3, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_RecvBufResponse, transport_options, struct sl_pb_Any, 20834, 4, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_Any),
    ROW(sl_pb_RecvBufResponse, send_start_micros, int64_t, 20890, 5, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_RecvBufResponse, require_ack, bool, 20908, 6, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_CompleteGroupRequest, group_key, int32_t, 21461, 1, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_CompleteGroupRequest, group_size, int32_t, 21471, 2, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_CompleteGroupRequest, device_type, struct sl_str, 6002, 3, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_CompleteGroupRequest, collective_type, int32_t, 21482, 5, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_CompleteGroupRequest, device_attributes, struct sl_pb_DeviceAttributes, 6805, 6, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_DeviceAttributes),
    ROW(sl_pb_CompleteGroupRequest, timeout_in_ms, int64_t, 4768, 1003, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_CompleteGroupRequest, is_own_kind, bool, 21498, 1005, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_CompleteGroupResponse, group_key, int32_t, 21461, 1, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_CompleteGroupResponse, group_size, int32_t, 21471, 2, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_CompleteGroupResponse, device_type, struct sl_str, 6002, 3, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_CompleteGroupResponse, num_tasks, int32_t, 1522, 4, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_CompleteGroupResponse, communicator_key, struct sl_str, 21543, 7, BYTES, BYTES, SINGULAR, 0),
    ROW(sl_pb_CompleteGroupResponse, device_attributes, struct sl_pb_DeviceAttributes, 6805, 8, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_DeviceAttributes),
    ROW(sl_pb_CompleteGroupResponse, is_own_kind, bool, 21498, 1005, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_CompleteInstanceRequest, name, struct sl_str, 124, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_CompleteInstanceRequest, type, int32_t, 34, 2, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_CompleteInstanceRequest, data_type, int32_t, 21595, 3, VARINT, ENUM, SINGULAR, SL_PB_ENUM_INDEX_DataType),
    ROW(sl_pb_CompleteInstanceRequest, shape, struct sl_pb_TensorShapeProto, 39, 4, BYTES, MESSAGE, SINGULAR, SL_PB_INDEX_TensorShapeProto),
    ROW(sl_pb_CompleteInstanceRequest, group_key, int32_t, 21461, 5, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_CompleteInstanceRequest, group_size, int32_t, 21471, 6, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_CompleteInstanceRequest, instance_key, int32_t, 21605, 7, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_CompleteInstanceRequest, device_type, struct sl_str, 6002, 8, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_CompleteInstanceRequest, subdiv_offset, int32_t, 21618, 9, VARINT, INT32, REPEATED, 0),
    ROW(sl_pb_CompleteInstanceRequest, device, struct sl_str, 6175, 10, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_CompleteInstanceRequest, is_source, bool, 21632, 11, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_CompleteInstanceRequest, step_id, int64_t, 7438, 12, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_CompleteInstanceRequest, frame, uint64_t, 21642, 1001, VARINT, UINT64, SINGULAR, 0),
    ROW(sl_pb_CompleteInstanceRequest, iteration, uint64_t, 21648, 1002, VARINT, UINT64, SINGULAR, 0),
    ROW(sl_pb_CompleteInstanceRequest, timeout_in_ms, int64_t, 4768, 1003, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_CompleteInstanceRequest, part, struct sl_pb_CollectivePart, 21658, 1004, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_CollectivePart),
    ROW(sl_pb_CompleteInstanceRequest, incarnation, uint64_t, 6036, 1006, 64, FIXED64, SINGULAR, 0),
    ROW(sl_pb_CompleteInstanceResponse, instance_key, int32_t, 21605, 1, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_CompleteInstanceResponse, source_rank, int32_t, 21699, 2, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_CompleteInstanceResponse, part, struct sl_pb_CollectivePart, 21658, 1004, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_CollectivePart),
    ROW(sl_pb_CollectivePart, device, struct sl_str, 6175, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_CollectivePart, content, struct sl_str, 7868, 2, BYTES, BYTES, SINGULAR, 0),
    ROW(sl_pb_CollectivePart, is_source, bool, 21632, 3, VARINT, BOOL, SINGULAR, 0),
    ROW(sl_pb_GetStepSequenceRequest, graph_key, int64_t, 21771, 1, VARINT, INT64, REPEATED, 0),
    ROW(sl_pb_StepSequence, graph_key, int64_t, 21771, 1, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_StepSequence, next_step_id, int64_t, 21805, 2, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_GetStepSequenceResponse, step_sequence, struct sl_pb_StepSequence, 21853, 1, BYTES, MESSAGE, REPEATED, SL_PB_INDEX_StepSequence),
    ROW(sl_pb_RecvBufRespExtra, tensor_content, struct sl_str, 18885, 1, BYTES, BYTES, REPEATED, 0),
    ROW(sl_pb_entry_fixed64_GraphDebugInfo_FileLineCol, key, uint64_t, 18399, 1, 64, FIXED64, SINGULAR, 0),
    ROW(sl_pb_entry_fixed64_GraphDebugInfo_FileLineCol, value, struct sl_pb_GraphDebugInfo_FileLineCol, 7895, 2, BYTES, MESSAGE, INLINE, SL_PB_INDEX_GraphDebugInfo_FileLineCol),
    ROW(sl_pb_entry_fixed64_GraphDebugInfo_StackTrace, key, uint64_t, 18399, 1, 64, FIXED64, SINGULAR, 0),
    ROW(sl_pb_entry_fixed64_GraphDebugInfo_StackTrace, value, struct sl_pb_GraphDebugInfo_StackTrace, 7895, 2, BYTES, MESSAGE, INLINE, SL_PB_INDEX_GraphDebugInfo_StackTrace),
    ROW(sl_pb_entry_int32_TaskDeviceFilters, key, int32_t, 18399, 1, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_entry_int32_TaskDeviceFilters, value, struct sl_pb_TaskDeviceFilters, 7895, 2, BYTES, MESSAGE, INLINE, SL_PB_INDEX_TaskDeviceFilters),
    ROW(sl_pb_entry_int32_string, key, int32_t, 18399, 1, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_entry_int32_string, value, struct sl_str, 7895, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_entry_string_Any, key, struct sl_str, 18399, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_entry_string_Any, value, struct sl_pb_Any, 7895, 2, BYTES, MESSAGE, INLINE, SL_PB_INDEX_Any),
    ROW(sl_pb_entry_string_AttrValue, key, struct sl_str, 18399, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_entry_string_AttrValue, value, struct sl_pb_AttrValue, 7895, 2, BYTES, MESSAGE, INLINE, SL_PB_INDEX_AttrValue),
    ROW(sl_pb_entry_string_CollectionDef, key, struct sl_str, 18399, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_entry_string_CollectionDef, value, struct sl_pb_CollectionDef, 7895, 2, BYTES, MESSAGE, INLINE, SL_PB_INDEX_CollectionDef),
    ROW(sl_pb_entry_string_Feature, key, struct sl_str, 18399, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_entry_string_Feature, value, struct sl_pb_Feature, 7895, 2, BYTES, MESSAGE, INLINE, SL_PB_INDEX_Feature),
    ROW(sl_pb_entry_string_FeatureList, key, struct sl_str, 18399, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_entry_string_FeatureList, value, struct sl_pb_FeatureList, 7895, 2, BYTES, MESSAGE, INLINE, SL_PB_INDEX_FeatureList),
    ROW(sl_pb_entry_string_GraphDebugInfo_StackTrace, key, struct sl_str, 18399, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_entry_string_GraphDebugInfo_StackTrace, value, struct sl_pb_GraphDebugInfo_StackTrace, 7895, 2, BYTES, MESSAGE, INLINE, SL_PB_INDEX_GraphDebugInfo_StackTrace),
    ROW(sl_pb_entry_string_SaveableObject, key, struct sl_str, 18399, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_entry_string_SaveableObject, value, struct sl_pb_SaveableObject, 7895, 2, BYTES, MESSAGE, INLINE, SL_PB_INDEX_SaveableObject),
    ROW(sl_pb_entry_string_SavedConcreteFunction, key, struct sl_str, 18399, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_entry_string_SavedConcreteFunction, value, struct sl_pb_SavedConcreteFunction, 7895, 2, BYTES, MESSAGE, INLINE, SL_PB_INDEX_SavedConcreteFunction),
    ROW(sl_pb_entry_string_SignatureDef, key, struct sl_str, 18399, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_entry_string_SignatureDef, value, struct sl_pb_SignatureDef, 7895, 2, BYTES, MESSAGE, INLINE, SL_PB_INDEX_SignatureDef),
    ROW(sl_pb_entry_string_StructuredValue, key, struct sl_str, 18399, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_entry_string_StructuredValue, value, struct sl_pb_StructuredValue, 7895, 2, BYTES, MESSAGE, INLINE, SL_PB_INDEX_StructuredValue),
    ROW(sl_pb_entry_string_TensorInfo, key, struct sl_str, 18399, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_entry_string_TensorInfo, value, struct sl_pb_TensorInfo, 7895, 2, BYTES, MESSAGE, INLINE, SL_PB_INDEX_TensorInfo),
    ROW(sl_pb_entry_string_TensorProto, key, struct sl_str, 18399, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_entry_string_TensorProto, value, struct sl_pb_TensorProto, 7895, 2, BYTES, MESSAGE, INLINE, SL_PB_INDEX_TensorProto),
    ROW(sl_pb_entry_string_bytes, key, struct sl_str, 18399, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_entry_string_bytes, value, struct sl_str, 7895, 2, BYTES, BYTES, SINGULAR, 0),
    ROW(sl_pb_entry_string_fixed64, key, struct sl_str, 18399, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_entry_string_fixed64, value, uint64_t, 7895, 2, 64, FIXED64, SINGULAR, 0),
    ROW(sl_pb_entry_string_int32, key, struct sl_str, 18399, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_entry_string_int32, value, int32_t, 7895, 2, VARINT, INT32, SINGULAR, 0),
    ROW(sl_pb_entry_string_int64, key, struct sl_str, 18399, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_entry_string_int64, value, int64_t, 7895, 2, VARINT, INT64, SINGULAR, 0),
    ROW(sl_pb_entry_string_string, key, struct sl_str, 18399, 1, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_entry_string_string, value, struct sl_str, 7895, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_entry_uint32_FunctionDef_ArgAttrs, key, uint32_t, 18399, 1, VARINT, UINT32, SINGULAR, 0),
    ROW(sl_pb_entry_uint32_FunctionDef_ArgAttrs, value, struct sl_pb_FunctionDef_ArgAttrs, 7895, 2, BYTES, MESSAGE, INLINE, SL_PB_INDEX_FunctionDef_ArgAttrs),
    ROW(sl_pb_entry_uint32_string, key, uint32_t, 18399, 1, VARINT, UINT32, SINGULAR, 0),
    ROW(sl_pb_entry_uint32_string, value, struct sl_str, 7895, 2, BYTES, STRING, SINGULAR, 0),
    ROW(sl_pb_entry_uint32_uint32, key, uint32_t, 18399, 1, VARINT, UINT32, SINGULAR, 0),
    ROW(sl_pb_entry_uint32_uint32, value, uint32_t, 7895, 2, VARINT, UINT32, SINGULAR, 0),
};

const struct sl_pb_message sl_pb_messages[SL_PB_MESSAGE_COUNT] = {
    {0, sizeof(struct sl_pb_AttrValue), offsetof(struct sl_pb_AttrValue, unknown), offsetof(struct sl_pb_AttrValue, which), 0, 10, 0, 11, 0},
    {69, sizeof(struct sl_pb_AttrValue_ListValue), offsetof(struct sl_pb_AttrValue_ListValue, unknown), SL_PB_NO_ONEOF, 10, 8, 11, 10, 0},
    {100, sizeof(struct sl_pb_NameAttrList), offsetof(struct sl_pb_NameAttrList, unknown), SL_PB_NO_ONEOF, 18, 2, 21, 3, 0},
    {134, sizeof(struct sl_pb_FullTypeDef), offsetof(struct sl_pb_FullTypeDef, unknown), offsetof(struct sl_pb_FullTypeDef, which), 20, 4, 24, 5, 0},
    {170, sizeof(struct sl_pb_BundleHeaderProto), offsetof(struct sl_pb_BundleHeaderProto, unknown), SL_PB_NO_ONEOF, 24, 3, 29, 4, 0},
    {229, sizeof(struct sl_pb_BundleEntryProto), offsetof(struct sl_pb_BundleEntryProto, unknown), SL_PB_NO_ONEOF, 27, 7, 33, 8, 0},
    {298, sizeof(struct sl_pb_SavedSliceMeta), offsetof(struct sl_pb_SavedSliceMeta, unknown), SL_PB_NO_ONEOF, 34, 4, 41, 5, 0},
    {330, sizeof(struct sl_pb_SavedTensorSliceMeta), offsetof(struct sl_pb_SavedTensorSliceMeta, unknown), SL_PB_NO_ONEOF, 38, 2, 46, 3, 0},
    {371, sizeof(struct sl_pb_SavedSlice), offsetof(struct sl_pb_SavedSlice, unknown), SL_PB_NO_ONEOF, 40, 3, 49, 4, 0},
    {398, sizeof(struct sl_pb_SavedTensorSlices), offsetof(struct sl_pb_SavedTensorSlices, unknown), SL_PB_NO_ONEOF, 43, 2, 53, 3, 0},
    {432, sizeof(struct sl_pb_CheckpointState), offsetof(struct sl_pb_CheckpointState, unknown), SL_PB_NO_ONEOF, 45, 4, 56, 5, 0},
    {565, sizeof(struct sl_pb_SaverDef), offsetof(struct sl_pb_SaverDef, unknown), SL_PB_NO_ONEOF, 49, 7, 61, 8, 0},
    {689, sizeof(struct sl_pb_TrackableObjectGraph), offsetof(struct sl_pb_TrackableObjectGraph, unknown), SL_PB_NO_ONEOF, 56, 1, 69, 2, 0},
    {727, sizeof(struct sl_pb_TrackableObjectGraph_TrackableObject), offsetof(struct sl_pb_TrackableObjectGraph_TrackableObject, unknown), SL_PB_NO_ONEOF, 57, 5, 71, 6, 0},
    {849, sizeof(struct sl_pb_TrackableObjectGraph_TrackableObject_ObjectReference), offsetof(struct sl_pb_TrackableObjectGraph_TrackableObject_ObjectReference, unknown), SL_PB_NO_ONEOF, 62, 2, 77, 3, 0},
    {932, sizeof(struct sl_pb_TrackableObjectGraph_TrackableObject_SerializedTensor), offsetof(struct sl_pb_TrackableObjectGraph_TrackableObject_SerializedTensor, unknown), SL_PB_NO_ONEOF, 64, 3, 80, 4, 0},
    {1022, sizeof(struct sl_pb_TrackableObjectGraph_TrackableObject_SlotVariableReference), offsetof(struct sl_pb_TrackableObjectGraph_TrackableObject_SlotVariableReference, unknown), SL_PB_NO_ONEOF, 67, 3, 84, 4, 0},
    {1150, sizeof(struct sl_pb_RegisteredSaver), offsetof(struct sl_pb_RegisteredSaver, unknown), SL_PB_NO_ONEOF, 70, 2, 88, 3, 0},
    {1189, sizeof(struct sl_pb_ReaderBaseState), offsetof(struct sl_pb_ReaderBaseState, unknown), SL_PB_NO_ONEOF, 72, 4, 91, 5, 0},
    {1277, sizeof(struct sl_pb_JobDef), offsetof(struct sl_pb_JobDef, unknown), SL_PB_NO_ONEOF, 76, 2, 96, 3, 0},
    {1301, sizeof(struct sl_pb_ClusterDef), offsetof(struct sl_pb_ClusterDef, unknown), SL_PB_NO_ONEOF, 78, 1, 99, 2, 0},
    {1327, sizeof(struct sl_pb_RPCOptions), offsetof(struct sl_pb_RPCOptions, unknown), SL_PB_NO_ONEOF, 79, 6, 101, 7, 0},
    {1496, sizeof(struct sl_pb_CoordinatedJob), offsetof(struct sl_pb_CoordinatedJob, unknown), SL_PB_NO_ONEOF, 85, 2, 108, 3, 0},
    {1532, sizeof(struct sl_pb_CoordinationServiceConfig), offsetof(struct sl_pb_CoordinationServiceConfig, unknown), SL_PB_NO_ONEOF, 87, 13, 111, 15, 0},
    {1894, sizeof(struct sl_pb_GPUOptions), offsetof(struct sl_pb_GPUOptions, unknown), SL_PB_NO_ONEOF, 100, 9, 126, 10, 0},
    {2110, sizeof(struct sl_pb_GPUOptions_Experimental), offsetof(struct sl_pb_GPUOptions_Experimental, unknown), SL_PB_NO_ONEOF, 109, 18, 136, 20, 0},
    {2594, sizeof(struct sl_pb_GPUOptions_Experimental_VirtualDevices), offsetof(struct sl_pb_GPUOptions_Experimental_VirtualDevices, unknown), SL_PB_NO_ONEOF, 127, 3, 156, 4, 0},
    {2684, sizeof(struct sl_pb_GPUOptions_Experimental_StreamMergeOptions), offsetof(struct sl_pb_GPUOptions_Experimental_StreamMergeOptions, unknown), SL_PB_NO_ONEOF, 130, 3, 160, 4, 0},
    {2824, sizeof(struct sl_pb_OptimizerOptions), offsetof(struct sl_pb_OptimizerOptions, unknown), SL_PB_NO_ONEOF, 133, 7, 164, 8, 0},
    {3000, sizeof(struct sl_pb_GraphOptions), offsetof(struct sl_pb_GraphOptions, unknown), SL_PB_NO_ONEOF, 140, 9, 172, 11, 0},
    {3192, sizeof(struct sl_pb_ThreadPoolOptionProto), offsetof(struct sl_pb_ThreadPoolOptionProto, unknown), SL_PB_NO_ONEOF, 149, 2, 183, 3, 0},
    {3249, sizeof(struct sl_pb_SessionMetadata), offsetof(struct sl_pb_SessionMetadata, unknown), SL_PB_NO_ONEOF, 151, 2, 186, 3, 0},
    {3276, sizeof(struct sl_pb_ConfigProto), offsetof(struct sl_pb_ConfigProto, unknown), SL_PB_NO_ONEOF, 153, 18, 189, 19, 0},
    {3651, sizeof(struct sl_pb_ConfigProto_Experimental), offsetof(struct sl_pb_ConfigProto_Experimental, unknown), SL_PB_NO_ONEOF, 171, 32, 208, 37, 0},
    {4430, sizeof(struct sl_pb_DebugTensorWatch), offsetof(struct sl_pb_DebugTensorWatch, unknown), SL_PB_NO_ONEOF, 203, 5, 245, 6, 0},
    {4537, sizeof(struct sl_pb_DebugOptions), offsetof(struct sl_pb_DebugOptions, unknown), SL_PB_NO_ONEOF, 208, 3, 251, 12, 0},
    {4619, sizeof(struct sl_pb_DebuggedSourceFile), offsetof(struct sl_pb_DebuggedSourceFile, unknown), SL_PB_NO_ONEOF, 211, 5, 263, 6, 0},
    {4690, sizeof(struct sl_pb_DebuggedSourceFiles), offsetof(struct sl_pb_DebuggedSourceFiles, unknown), SL_PB_NO_ONEOF, 216, 1, 269, 2, 0},
    {4734, sizeof(struct sl_pb_RunOptions), offsetof(struct sl_pb_RunOptions, unknown), SL_PB_NO_ONEOF, 217, 7, 271, 9, 0},
    {4876, sizeof(struct sl_pb_RunOptions_Experimental), offsetof(struct sl_pb_RunOptions_Experimental, unknown), SL_PB_NO_ONEOF, 224, 3, 280, 4, 0},
    {4978, sizeof(struct sl_pb_RunOptions_Experimental_RunHandlerPoolOptions), offsetof(struct sl_pb_RunOptions_Experimental_RunHandlerPoolOptions, unknown), SL_PB_NO_ONEOF, 227, 1, 284, 2, 0},
    {5035, sizeof(struct sl_pb_RunMetadata), offsetof(struct sl_pb_RunMetadata, unknown), SL_PB_NO_ONEOF, 228, 5, 286, 6, 0},
    {5113, sizeof(struct sl_pb_RunMetadata_FunctionGraphs), offsetof(struct sl_pb_RunMetadata_FunctionGraphs, unknown), SL_PB_NO_ONEOF, 233, 3, 292, 4, 0},
    {5198, sizeof(struct sl_pb_TensorConnection), offsetof(struct sl_pb_TensorConnection, unknown), SL_PB_NO_ONEOF, 236, 2, 296, 3, 0},
    {5248, sizeof(struct sl_pb_CallableOptions), offsetof(struct sl_pb_CallableOptions, unknown), SL_PB_NO_ONEOF, 238, 8, 299, 9, 0},
    {5366, sizeof(struct sl_pb_BatchingOptions), offsetof(struct sl_pb_BatchingOptions, unknown), SL_PB_NO_ONEOF, 246, 5, 308, 6, 0},
    {5488, sizeof(struct sl_pb_CompressedComponentMetadata), offsetof(struct sl_pb_CompressedComponentMetadata, unknown), SL_PB_NO_ONEOF, 251, 3, 314, 5, 0},
    {5564, sizeof(struct sl_pb_CompressedElement), offsetof(struct sl_pb_CompressedElement, unknown), SL_PB_NO_ONEOF, 254, 3, 319, 4, 0},
    {5617, sizeof(struct sl_pb_SnapshotMetadataRecord), offsetof(struct sl_pb_SnapshotMetadataRecord, unknown), SL_PB_NO_ONEOF, 257, 7, 323, 64, 0},
    {5716, sizeof(struct sl_pb_SnapshotRecord), offsetof(struct sl_pb_SnapshotRecord, unknown), SL_PB_NO_ONEOF, 264, 1, 387, 2, 0},
    {5747, sizeof(struct sl_pb_TensorMetadata), offsetof(struct sl_pb_TensorMetadata, unknown), SL_PB_NO_ONEOF, 265, 2, 389, 4, 0},
    {5796, sizeof(struct sl_pb_SnapshotTensorMetadata), offsetof(struct sl_pb_SnapshotTensorMetadata, unknown), SL_PB_NO_ONEOF, 267, 1, 393, 2, 0},
    {5851, sizeof(struct sl_pb_InterconnectLink), offsetof(struct sl_pb_InterconnectLink, unknown), SL_PB_NO_ONEOF, 268, 3, 395, 4, 0},
    {5898, sizeof(struct sl_pb_LocalLinks), offsetof(struct sl_pb_LocalLinks, unknown), SL_PB_NO_ONEOF, 271, 1, 399, 2, 0},
    {5925, sizeof(struct sl_pb_DeviceLocality), offsetof(struct sl_pb_DeviceLocality, unknown), SL_PB_NO_ONEOF, 272, 3, 401, 4, 0},
    {5974, sizeof(struct sl_pb_DeviceAttributes), offsetof(struct sl_pb_DeviceAttributes, unknown), SL_PB_NO_ONEOF, 275, 7, 405, 9, 0},
    {6083, sizeof(struct sl_pb_eager_ResourceDtypeAndShape), offsetof(struct sl_pb_eager_ResourceDtypeAndShape, unknown), SL_PB_NO_ONEOF, 282, 2, 414, 3, 0},
    {6122, sizeof(struct sl_pb_eager_RemoteTensorHandle), offsetof(struct sl_pb_eager_RemoteTensorHandle, unknown), SL_PB_NO_ONEOF, 284, 6, 417, 7, 0},
    {6219, sizeof(struct sl_pb_eager_Operation), offsetof(struct sl_pb_eager_Operation, unknown), SL_PB_NO_ONEOF, 290, 9, 424, 11, 0},
    {6327, sizeof(struct sl_pb_eager_Operation_Input), offsetof(struct sl_pb_eager_Operation_Input, unknown), offsetof(struct sl_pb_eager_Operation_Input, which), 299, 2, 435, 3, 0},
    {6374, sizeof(struct sl_pb_eager_QueueItem), offsetof(struct sl_pb_eager_QueueItem, unknown), offsetof(struct sl_pb_eager_QueueItem, which), 301, 8, 438, 9, 0},
    {6542, sizeof(struct sl_pb_eager_QueueResponse), offsetof(struct sl_pb_eager_QueueResponse, unknown), SL_PB_NO_ONEOF, 309, 3, 447, 4, 0},
    {6573, sizeof(struct sl_pb_eager_CreateContextRequest), offsetof(struct sl_pb_eager_CreateContextRequest, unknown), SL_PB_NO_ONEOF, 312, 9, 451, 11, 0},
    {6766, sizeof(struct sl_pb_eager_CreateContextResponse), offsetof(struct sl_pb_eager_CreateContextResponse, unknown), SL_PB_NO_ONEOF, 321, 1, 462, 3, 0},
    {6823, sizeof(struct sl_pb_eager_UpdateContextRequest), offsetof(struct sl_pb_eager_UpdateContextRequest, unknown), SL_PB_NO_ONEOF, 322, 4, 465, 5, 0},
    {6861, sizeof(struct sl_pb_eager_UpdateContextResponse), offsetof(struct sl_pb_eager_UpdateContextResponse, unknown), SL_PB_NO_ONEOF, 326, 1, 470, 2, 0},
    {6900, sizeof(struct sl_pb_eager_EnqueueRequest), offsetof(struct sl_pb_eager_EnqueueRequest, unknown), SL_PB_NO_ONEOF, 327, 2, 472, 4, 0},
    {6938, sizeof(struct sl_pb_eager_EnqueueResponse), offsetof(struct sl_pb_eager_EnqueueResponse, unknown), SL_PB_NO_ONEOF, 329, 1, 476, 2, 0},
    {6986, sizeof(struct sl_pb_eager_WaitQueueDoneRequest), offsetof(struct sl_pb_eager_WaitQueueDoneRequest, unknown), SL_PB_NO_ONEOF, 330, 2, 478, 3, 0},
    {7024, sizeof(struct sl_pb_eager_WaitQueueDoneResponse), offsetof(struct sl_pb_eager_WaitQueueDoneResponse, unknown), SL_PB_NO_ONEOF, 332, 0, 481, 1, 0},
    {7063, sizeof(struct sl_pb_eager_RunComponentFunctionRequest), offsetof(struct sl_pb_eager_RunComponentFunctionRequest, unknown), SL_PB_NO_ONEOF, 332, 3, 482, 4, 0},
    {7108, sizeof(struct sl_pb_eager_RunComponentFunctionResponse), offsetof(struct sl_pb_eager_RunComponentFunctionResponse, unknown), SL_PB_NO_ONEOF, 335, 2, 486, 3, 0},
    {7154, sizeof(struct sl_pb_eager_KeepAliveRequest), offsetof(struct sl_pb_eager_KeepAliveRequest, unknown), SL_PB_NO_ONEOF, 337, 1, 489, 2, 0},
    {7188, sizeof(struct sl_pb_eager_KeepAliveResponse), offsetof(struct sl_pb_eager_KeepAliveResponse, unknown), SL_PB_NO_ONEOF, 338, 1, 491, 2, 0},
    {7223, sizeof(struct sl_pb_eager_CloseContextRequest), offsetof(struct sl_pb_eager_CloseContextRequest, unknown), SL_PB_NO_ONEOF, 339, 2, 493, 3, 0},
    {7260, sizeof(struct sl_pb_eager_CloseContextResponse), offsetof(struct sl_pb_eager_CloseContextResponse, unknown), SL_PB_NO_ONEOF, 341, 0, 496, 1, 0},
    {7298, sizeof(struct sl_pb_eager_RegisterFunctionOp), offsetof(struct sl_pb_eager_RegisterFunctionOp, unknown), SL_PB_NO_ONEOF, 341, 3, 497, 4, 0},
    {7355, sizeof(struct sl_pb_eager_RemoveFunctionOp), offsetof(struct sl_pb_eager_RemoveFunctionOp, unknown), SL_PB_NO_ONEOF, 344, 1, 501, 2, 0},
    {7403, sizeof(struct sl_pb_eager_CleanupFunctionOp), offsetof(struct sl_pb_eager_CleanupFunctionOp, unknown), SL_PB_NO_ONEOF, 345, 1, 503, 2, 0},
    {7446, sizeof(struct sl_pb_eager_SyncRemoteExecutorForStream), offsetof(struct sl_pb_eager_SyncRemoteExecutorForStream, unknown), SL_PB_NO_ONEOF, 346, 0, 505, 1, 0},
    {7491, sizeof(struct sl_pb_eager_SendTensorOp), offsetof(struct sl_pb_eager_SendTensorOp, unknown), SL_PB_NO_ONEOF, 346, 3, 506, 4, 0},
    {7541, sizeof(struct sl_pb_eager_SendPackedHandleOp), offsetof(struct sl_pb_eager_SendPackedHandleOp, unknown), SL_PB_NO_ONEOF, 349, 3, 510, 4, 0},
    {7585, sizeof(struct sl_pb_eager_SendPackedHandleOp_LocalTensorHandle), offsetof(struct sl_pb_eager_SendPackedHandleOp_LocalTensorHandle, unknown), SL_PB_NO_ONEOF, 352, 2, 514, 3, 0},
    {7639, sizeof(struct sl_pb_eager_SendPackedHandleOp_Handle), offsetof(struct sl_pb_eager_SendPackedHandleOp_Handle, unknown), offsetof(struct sl_pb_eager_SendPackedHandleOp_Handle, which), 354, 2, 517, 3, 0},
    {7695, sizeof(struct sl_pb_SummaryDescription), offsetof(struct sl_pb_SummaryDescription, unknown), SL_PB_NO_ONEOF, 356, 1, 520, 2, 0},
    {7735, sizeof(struct sl_pb_SummaryMetadata), offsetof(struct sl_pb_SummaryMetadata, unknown), SL_PB_NO_ONEOF, 357, 4, 522, 5, 0},
    {7818, sizeof(struct sl_pb_SummaryMetadata_PluginData), offsetof(struct sl_pb_SummaryMetadata_PluginData, unknown), SL_PB_NO_ONEOF, 361, 2, 527, 3, 0},
    {7876, sizeof(struct sl_pb_Summary), offsetof(struct sl_pb_Summary, unknown), SL_PB_NO_ONEOF, 363, 1, 530, 2, 0},
    {7901, sizeof(struct sl_pb_Summary_Image), offsetof(struct sl_pb_Summary_Image, unknown), SL_PB_NO_ONEOF, 364, 4, 532, 5, 0},
    {7971, sizeof(struct sl_pb_Summary_Audio), offsetof(struct sl_pb_Summary_Audio, unknown), SL_PB_NO_ONEOF, 368, 5, 537, 6, 0},
    {8069, sizeof(struct sl_pb_Summary_Value), offsetof(struct sl_pb_Summary_Value, unknown), offsetof(struct sl_pb_Summary_Value, which), 373, 9, 543, 10, 0},
    {8167, sizeof(struct sl_pb_HistogramProto), offsetof(struct sl_pb_HistogramProto, unknown), SL_PB_NO_ONEOF, 382, 7, 553, 8, 0},
    {8241, sizeof(struct sl_pb_Event), offsetof(struct sl_pb_Event, unknown), offsetof(struct sl_pb_Event, which), 389, 10, 561, 11, 0},
    {8379, sizeof(struct sl_pb_SourceMetadata), offsetof(struct sl_pb_SourceMetadata, unknown), SL_PB_NO_ONEOF, 399, 1, 572, 2, 0},
    {8412, sizeof(struct sl_pb_LogMessage), offsetof(struct sl_pb_LogMessage, unknown), SL_PB_NO_ONEOF, 400, 2, 574, 3, 0},
    {8448, sizeof(struct sl_pb_SessionLog), offsetof(struct sl_pb_SessionLog, unknown), SL_PB_NO_ONEOF, 402, 3, 577, 4, 0},
    {8497, sizeof(struct sl_pb_TaggedRunMetadata), offsetof(struct sl_pb_TaggedRunMetadata, unknown), SL_PB_NO_ONEOF, 405, 2, 581, 3, 0},
    {8539, sizeof(struct sl_pb_WatchdogConfig), offsetof(struct sl_pb_WatchdogConfig, unknown), SL_PB_NO_ONEOF, 407, 1, 584, 2, 0},
    {8576, sizeof(struct sl_pb_RequestedExitCode), offsetof(struct sl_pb_RequestedExitCode, unknown), SL_PB_NO_ONEOF, 408, 1, 586, 2, 0},
    {8615, sizeof(struct sl_pb_WorkerHeartbeatRequest), offsetof(struct sl_pb_WorkerHeartbeatRequest, unknown), SL_PB_NO_ONEOF, 409, 3, 588, 4, 0},
    {8679, sizeof(struct sl_pb_WorkerHeartbeatResponse), offsetof(struct sl_pb_WorkerHeartbeatResponse, unknown), SL_PB_NO_ONEOF, 412, 3, 592, 4, 0},
    {8748, sizeof(struct sl_pb_BytesList), offsetof(struct sl_pb_BytesList, unknown), SL_PB_NO_ONEOF, 415, 1, 596, 2, 0},
    {8769, sizeof(struct sl_pb_FloatList), offsetof(struct sl_pb_FloatList, unknown), SL_PB_NO_ONEOF, 416, 1, 598, 2, 0},
    {8790, sizeof(struct sl_pb_Int64List), offsetof(struct sl_pb_Int64List, unknown), SL_PB_NO_ONEOF, 417, 1, 600, 2, 0},
    {8811, sizeof(struct sl_pb_Feature), offsetof(struct sl_pb_Feature, unknown), offsetof(struct sl_pb_Feature, which), 418, 3, 602, 4, 0},
    {8863, sizeof(struct sl_pb_Features), offsetof(struct sl_pb_Features, unknown), SL_PB_NO_ONEOF, 421, 1, 606, 2, 0},
    {8891, sizeof(struct sl_pb_FeatureList), offsetof(struct sl_pb_FeatureList, unknown), SL_PB_NO_ONEOF, 422, 1, 608, 2, 0},
    {8914, sizeof(struct sl_pb_FeatureLists), offsetof(struct sl_pb_FeatureLists, unknown), SL_PB_NO_ONEOF, 423, 1, 610, 2, 0},
    {8951, sizeof(struct sl_pb_Example), offsetof(struct sl_pb_Example, unknown), SL_PB_NO_ONEOF, 424, 1, 612, 2, 0},
    {8979, sizeof(struct sl_pb_SequenceExample), offsetof(struct sl_pb_SequenceExample, unknown), SL_PB_NO_ONEOF, 425, 2, 614, 3, 0},
    {9028, sizeof(struct sl_pb_sluice_ExplainRequest), offsetof(struct sl_pb_sluice_ExplainRequest, unknown), SL_PB_NO_ONEOF, 427, 2, 617, 3, 0},
    {9065, sizeof(struct sl_pb_sluice_ExplainResponse), offsetof(struct sl_pb_sluice_ExplainResponse, unknown), SL_PB_NO_ONEOF, 429, 1, 620, 2, 0},
    {9097, sizeof(struct sl_pb_VersionDef), offsetof(struct sl_pb_VersionDef, unknown), SL_PB_NO_ONEOF, 430, 3, 622, 4, 0},
    {9155, sizeof(struct sl_pb_NodeDef), offsetof(struct sl_pb_NodeDef, unknown), SL_PB_NO_ONEOF, 433, 7, 626, 8, 0},
    {9225, sizeof(struct sl_pb_NodeDef_ExperimentalDebugInfo), offsetof(struct sl_pb_NodeDef_ExperimentalDebugInfo, unknown), SL_PB_NO_ONEOF, 440, 2, 634, 3, 0},
    {9306, sizeof(struct sl_pb_GraphDebugInfo), offsetof(struct sl_pb_GraphDebugInfo, unknown), SL_PB_NO_ONEOF, 442, 5, 637, 7, 0},
    {9388, sizeof(struct sl_pb_GraphDebugInfo_FileLineCol), offsetof(struct sl_pb_GraphDebugInfo_FileLineCol, unknown), SL_PB_NO_ONEOF, 447, 5, 644, 6, 0},
    {9451, sizeof(struct sl_pb_GraphDebugInfo_StackTrace), offsetof(struct sl_pb_GraphDebugInfo_StackTrace, unknown), SL_PB_NO_ONEOF, 452, 2, 650, 3, 0},
    {9512, sizeof(struct sl_pb_FunctionDefLibrary), offsetof(struct sl_pb_FunctionDefLibrary, unknown), SL_PB_NO_ONEOF, 454, 3, 653, 4, 0},
    {9581, sizeof(struct sl_pb_FunctionDef), offsetof(struct sl_pb_FunctionDef, unknown), SL_PB_NO_ONEOF, 457, 7, 657, 9, 0},
    {9671, sizeof(struct sl_pb_FunctionDef_ArgAttrs), offsetof(struct sl_pb_FunctionDef_ArgAttrs, unknown), SL_PB_NO_ONEOF, 464, 1, 666, 2, 0},
    {9703, sizeof(struct sl_pb_GradientDef), offsetof(struct sl_pb_GradientDef, unknown), SL_PB_NO_ONEOF, 465, 2, 668, 3, 0},
    {9740, sizeof(struct sl_pb_RegisteredGradient), offsetof(struct sl_pb_RegisteredGradient, unknown), SL_PB_NO_ONEOF, 467, 2, 671, 3, 0},
    {9789, sizeof(struct sl_pb_GraphDef), offsetof(struct sl_pb_GraphDef, unknown), SL_PB_NO_ONEOF, 469, 5, 674, 6, 0},
    {9825, sizeof(struct sl_pb_CreateSessionRequest), offsetof(struct sl_pb_CreateSessionRequest, unknown), SL_PB_NO_ONEOF, 474, 3, 680, 4, 0},
    {9864, sizeof(struct sl_pb_CreateSessionResponse), offsetof(struct sl_pb_CreateSessionResponse, unknown), SL_PB_NO_ONEOF, 477, 2, 684, 3, 0},
    {9911, sizeof(struct sl_pb_ExtendSessionRequest), offsetof(struct sl_pb_ExtendSessionRequest, unknown), SL_PB_NO_ONEOF, 479, 3, 687, 4, 0},
    {9965, sizeof(struct sl_pb_ExtendSessionResponse), offsetof(struct sl_pb_ExtendSessionResponse, unknown), SL_PB_NO_ONEOF, 482, 1, 691, 5, 0},
    {10016, sizeof(struct sl_pb_RunStepRequest), offsetof(struct sl_pb_RunStepRequest, unknown), SL_PB_NO_ONEOF, 483, 8, 696, 9, 0},
    {10110, sizeof(struct sl_pb_RunStepResponse), offsetof(struct sl_pb_RunStepResponse, unknown), SL_PB_NO_ONEOF, 491, 4, 705, 5, 0},
    {10170, sizeof(struct sl_pb_PartialRunSetupRequest), offsetof(struct sl_pb_PartialRunSetupRequest, unknown), SL_PB_NO_ONEOF, 495, 5, 710, 6, 0},
    {10204, sizeof(struct sl_pb_PartialRunSetupResponse), offsetof(struct sl_pb_PartialRunSetupResponse, unknown), SL_PB_NO_ONEOF, 500, 1, 716, 2, 0},
    {10239, sizeof(struct sl_pb_CloseSessionRequest), offsetof(struct sl_pb_CloseSessionRequest, unknown), SL_PB_NO_ONEOF, 501, 1, 718, 2, 0},
    {10270, sizeof(struct sl_pb_CloseSessionResponse), offsetof(struct sl_pb_CloseSessionResponse, unknown), SL_PB_NO_ONEOF, 502, 0, 720, 1, 0},
    {10302, sizeof(struct sl_pb_ResetRequest), offsetof(struct sl_pb_ResetRequest, unknown), SL_PB_NO_ONEOF, 502, 2, 721, 3, 0},
    {10336, sizeof(struct sl_pb_ResetResponse), offsetof(struct sl_pb_ResetResponse, unknown), SL_PB_NO_ONEOF, 504, 0, 724, 1, 0},
    {10361, sizeof(struct sl_pb_ListDevicesRequest), offsetof(struct sl_pb_ListDevicesRequest, unknown), SL_PB_NO_ONEOF, 504, 1, 725, 2, 0},
    {10391, sizeof(struct sl_pb_ListDevicesResponse), offsetof(struct sl_pb_ListDevicesResponse, unknown), SL_PB_NO_ONEOF, 505, 2, 727, 3, 0},
    {10449, sizeof(struct sl_pb_MakeCallableRequest), offsetof(struct sl_pb_MakeCallableRequest, unknown), SL_PB_NO_ONEOF, 507, 3, 730, 4, 0},
    {10480, sizeof(struct sl_pb_MakeCallableResponse), offsetof(struct sl_pb_MakeCallableResponse, unknown), SL_PB_NO_ONEOF, 510, 1, 734, 2, 0},
    {10519, sizeof(struct sl_pb_RunCallableRequest), offsetof(struct sl_pb_RunCallableRequest, unknown), SL_PB_NO_ONEOF, 511, 4, 736, 5, 0},
    {10549, sizeof(struct sl_pb_RunCallableResponse), offsetof(struct sl_pb_RunCallableResponse, unknown), SL_PB_NO_ONEOF, 515, 2, 741, 3, 0},
    {10580, sizeof(struct sl_pb_ReleaseCallableRequest), offsetof(struct sl_pb_ReleaseCallableRequest, unknown), SL_PB_NO_ONEOF, 517, 2, 744, 3, 0},
    {10614, sizeof(struct sl_pb_ReleaseCallableResponse), offsetof(struct sl_pb_ReleaseCallableResponse, unknown), SL_PB_NO_ONEOF, 519, 0, 747, 1, 0},
    {10649, sizeof(struct sl_pb_OpDef), offsetof(struct sl_pb_OpDef, unknown), SL_PB_NO_ONEOF, 519, 13, 748, 22, 0},
    {10822, sizeof(struct sl_pb_OpDef_ArgDef), offsetof(struct sl_pb_OpDef_ArgDef, unknown), SL_PB_NO_ONEOF, 532, 9, 770, 18, 0},
    {10925, sizeof(struct sl_pb_OpDef_AttrDef), offsetof(struct sl_pb_OpDef_AttrDef, unknown), SL_PB_NO_ONEOF, 541, 7, 788, 8, 0},
    {10999, sizeof(struct sl_pb_OpDeprecation), offsetof(struct sl_pb_OpDeprecation, unknown), SL_PB_NO_ONEOF, 548, 2, 796, 3, 0},
    {11036, sizeof(struct sl_pb_OpList), offsetof(struct sl_pb_OpList, unknown), SL_PB_NO_ONEOF, 550, 1, 799, 2, 0},
    {11054, sizeof(struct sl_pb_ApiDef), offsetof(struct sl_pb_ApiDef, unknown), SL_PB_NO_ONEOF, 551, 13, 801, 14, 0},
    {11209, sizeof(struct sl_pb_ApiDef_Endpoint), offsetof(struct sl_pb_ApiDef_Endpoint, unknown), SL_PB_NO_ONEOF, 564, 3, 815, 5, 0},
    {11247, sizeof(struct sl_pb_ApiDef_Arg), offsetof(struct sl_pb_ApiDef_Arg, unknown), SL_PB_NO_ONEOF, 567, 3, 820, 4, 0},
    {11279, sizeof(struct sl_pb_ApiDef_Attr), offsetof(struct sl_pb_ApiDef_Attr, unknown), SL_PB_NO_ONEOF, 570, 4, 824, 5, 0},
    {11302, sizeof(struct sl_pb_ApiDefs), offsetof(struct sl_pb_ApiDefs, unknown), SL_PB_NO_ONEOF, 574, 1, 829, 2, 0},
    {11321, sizeof(struct sl_pb_KernelDef), offsetof(struct sl_pb_KernelDef, unknown), SL_PB_NO_ONEOF, 575, 6, 831, 7, 0},
    {11375, sizeof(struct sl_pb_KernelDef_AttrConstraint), offsetof(struct sl_pb_KernelDef_AttrConstraint, unknown), SL_PB_NO_ONEOF, 581, 2, 838, 3, 0},
    {11411, sizeof(struct sl_pb_KernelList), offsetof(struct sl_pb_KernelList, unknown), SL_PB_NO_ONEOF, 583, 1, 841, 2, 0},
    {11440, sizeof(struct sl_pb_AutoParallelOptions), offsetof(struct sl_pb_AutoParallelOptions, unknown), SL_PB_NO_ONEOF, 584, 2, 843, 3, 0},
    {11491, sizeof(struct sl_pb_ScopedAllocatorOptions), offsetof(struct sl_pb_ScopedAllocatorOptions, unknown), SL_PB_NO_ONEOF, 586, 1, 846, 2, 0},
    {11535, sizeof(struct sl_pb_RewriterConfig), offsetof(struct sl_pb_RewriterConfig, unknown), SL_PB_NO_ONEOF, 587, 37, 848, 64, 0},
    {12478, sizeof(struct sl_pb_RewriterConfig_CustomGraphOptimizer), offsetof(struct sl_pb_RewriterConfig_CustomGraphOptimizer, unknown), SL_PB_NO_ONEOF, 624, 2, 912, 3, 0},
    {12539, sizeof(struct sl_pb_VerifierConfig), offsetof(struct sl_pb_VerifierConfig, unknown), SL_PB_NO_ONEOF, 626, 2, 915, 3, 0},
    {12611, sizeof(struct sl_pb_SavedModel), offsetof(struct sl_pb_SavedModel, unknown), SL_PB_NO_ONEOF, 628, 2, 918, 3, 0},
    {12672, sizeof(struct sl_pb_MetaGraphDef), offsetof(struct sl_pb_MetaGraphDef, unknown), SL_PB_NO_ONEOF, 630, 7, 921, 8, 0},
    {12781, sizeof(struct sl_pb_MetaGraphDef_MetaInfoDef), offsetof(struct sl_pb_MetaGraphDef_MetaInfoDef, unknown), SL_PB_NO_ONEOF, 637, 8, 929, 9, 0},
    {12949, sizeof(struct sl_pb_CollectionDef), offsetof(struct sl_pb_CollectionDef, unknown), offsetof(struct sl_pb_CollectionDef, which), 645, 5, 938, 6, 0},
    {12993, sizeof(struct sl_pb_CollectionDef_NodeList), offsetof(struct sl_pb_CollectionDef_NodeList, unknown), SL_PB_NO_ONEOF, 650, 1, 944, 2, 0},
    {13027, sizeof(struct sl_pb_CollectionDef_BytesList), offsetof(struct sl_pb_CollectionDef_BytesList, unknown), SL_PB_NO_ONEOF, 651, 1, 946, 2, 0},
    {13062, sizeof(struct sl_pb_CollectionDef_Int64List), offsetof(struct sl_pb_CollectionDef_Int64List, unknown), SL_PB_NO_ONEOF, 652, 1, 948, 2, 0},
    {13097, sizeof(struct sl_pb_CollectionDef_FloatList), offsetof(struct sl_pb_CollectionDef_FloatList, unknown), SL_PB_NO_ONEOF, 653, 1, 950, 2, 0},
    {13132, sizeof(struct sl_pb_CollectionDef_AnyList), offsetof(struct sl_pb_CollectionDef_AnyList, unknown), SL_PB_NO_ONEOF, 654, 1, 952, 2, 0},
    {13165, sizeof(struct sl_pb_TensorInfo), offsetof(struct sl_pb_TensorInfo, unknown), offsetof(struct sl_pb_TensorInfo, which), 655, 5, 954, 6, 0},
    {13215, sizeof(struct sl_pb_TensorInfo_CooSparse), offsetof(struct sl_pb_TensorInfo_CooSparse, unknown), SL_PB_NO_ONEOF, 660, 3, 960, 4, 0},
    {13310, sizeof(struct sl_pb_TensorInfo_CompositeTensor), offsetof(struct sl_pb_TensorInfo_CompositeTensor, unknown), SL_PB_NO_ONEOF, 663, 2, 964, 3, 0},
    {13369, sizeof(struct sl_pb_SignatureDef), offsetof(struct sl_pb_SignatureDef, unknown), SL_PB_NO_ONEOF, 665, 4, 967, 5, 0},
    {13429, sizeof(struct sl_pb_AssetFileDef), offsetof(struct sl_pb_AssetFileDef, unknown), SL_PB_NO_ONEOF, 669, 2, 972, 3, 0},
    {13474, sizeof(struct sl_pb_SavedObjectGraph), offsetof(struct sl_pb_SavedObjectGraph, unknown), SL_PB_NO_ONEOF, 671, 2, 975, 3, 0},
    {13521, sizeof(struct sl_pb_SavedObject), offsetof(struct sl_pb_SavedObject, unknown), offsetof(struct sl_pb_SavedObject, which), 673, 15, 978, 17, 0},
    {13696, sizeof(struct sl_pb_SavedUserObject), offsetof(struct sl_pb_SavedUserObject, unknown), SL_PB_NO_ONEOF, 688, 3, 995, 4, 0},
    {13734, sizeof(struct sl_pb_SavedAsset), offsetof(struct sl_pb_SavedAsset, unknown), SL_PB_NO_ONEOF, 691, 1, 999, 2, 0},
    {13777, sizeof(struct sl_pb_SavedFunction), offsetof(struct sl_pb_SavedFunction, unknown), SL_PB_NO_ONEOF, 692, 2, 1001, 3, 0},
    {13816, sizeof(struct sl_pb_CapturedTensor), offsetof(struct sl_pb_CapturedTensor, unknown), SL_PB_NO_ONEOF, 694, 2, 1004, 3, 0},
    {13860, sizeof(struct sl_pb_SavedConcreteFunction), offsetof(struct sl_pb_SavedConcreteFunction, unknown), SL_PB_NO_ONEOF, 696, 3, 1007, 5, 0},
    {13953, sizeof(struct sl_pb_SavedBareConcreteFunction), offsetof(struct sl_pb_SavedBareConcreteFunction, unknown), SL_PB_NO_ONEOF, 699, 4, 1012, 5, 0},
    {14060, sizeof(struct sl_pb_SavedConstant), offsetof(struct sl_pb_SavedConstant, unknown), SL_PB_NO_ONEOF, 703, 1, 1017, 2, 0},
    {14085, sizeof(struct sl_pb_SavedVariable), offsetof(struct sl_pb_SavedVariable, unknown), SL_PB_NO_ONEOF, 704, 8, 1019, 9, 0},
    {14193, sizeof(struct sl_pb_FunctionSpec), offsetof(struct sl_pb_FunctionSpec, unknown), SL_PB_NO_ONEOF, 712, 4, 1028, 7, 0},
    {14267, sizeof(struct sl_pb_SavedResource), offsetof(struct sl_pb_SavedResource, unknown), SL_PB_NO_ONEOF, 716, 1, 1035, 2, 0},
    {14292, sizeof(struct sl_pb_SaveableObject), offsetof(struct sl_pb_SaveableObject, unknown), SL_PB_NO_ONEOF, 717, 2, 1037, 4, 0},
    {14349, sizeof(struct sl_pb_FingerprintDef), offsetof(struct sl_pb_FingerprintDef, unknown), SL_PB_NO_ONEOF, 719, 7, 1041, 8, 0},
    {14483, sizeof(struct sl_pb_ServerDef), offsetof(struct sl_pb_ServerDef, unknown), SL_PB_NO_ONEOF, 726, 8, 1049, 9, 0},
    {14600, sizeof(struct sl_pb_TaskDeviceFilters), offsetof(struct sl_pb_TaskDeviceFilters, unknown), SL_PB_NO_ONEOF, 734, 1, 1058, 2, 0},
    {14629, sizeof(struct sl_pb_JobDeviceFilters), offsetof(struct sl_pb_JobDeviceFilters, unknown), SL_PB_NO_ONEOF, 735, 2, 1060, 3, 0},
    {14657, sizeof(struct sl_pb_ClusterDeviceFilters), offsetof(struct sl_pb_ClusterDeviceFilters, unknown), SL_PB_NO_ONEOF, 737, 1, 1063, 2, 0},
    {14694, sizeof(struct sl_pb_serving_ModelSpec), offsetof(struct sl_pb_serving_ModelSpec, unknown), offsetof(struct sl_pb_serving_ModelSpec, which), 738, 4, 1065, 5, 0},
    {14752, sizeof(struct sl_pb_serving_PredictRequest), offsetof(struct sl_pb_serving_PredictRequest, unknown), SL_PB_NO_ONEOF, 742, 3, 1070, 4, 0},
    {14811, sizeof(struct sl_pb_serving_PredictResponse), offsetof(struct sl_pb_serving_PredictResponse, unknown), SL_PB_NO_ONEOF, 745, 2, 1074, 3, 0},
    {14846, sizeof(struct sl_pb_serving_ExampleList), offsetof(struct sl_pb_serving_ExampleList, unknown), SL_PB_NO_ONEOF, 747, 1, 1077, 2, 0},
    {14886, sizeof(struct sl_pb_serving_ExampleListWithContext), offsetof(struct sl_pb_serving_ExampleListWithContext, unknown), SL_PB_NO_ONEOF, 748, 2, 1079, 3, 0},
    {14928, sizeof(struct sl_pb_serving_Input), offsetof(struct sl_pb_serving_Input, unknown), offsetof(struct sl_pb_serving_Input, which), 750, 2, 1082, 3, 0},
    {14992, sizeof(struct sl_pb_serving_Class), offsetof(struct sl_pb_serving_Class, unknown), SL_PB_NO_ONEOF, 752, 2, 1085, 3, 0},
    {15023, sizeof(struct sl_pb_serving_Classifications), offsetof(struct sl_pb_serving_Classifications, unknown), SL_PB_NO_ONEOF, 754, 1, 1088, 2, 0},
    {15066, sizeof(struct sl_pb_serving_ClassificationResult), offsetof(struct sl_pb_serving_ClassificationResult, unknown), SL_PB_NO_ONEOF, 755, 1, 1090, 2, 0},
    {15122, sizeof(struct sl_pb_serving_ClassificationRequest), offsetof(struct sl_pb_serving_ClassificationRequest, unknown), SL_PB_NO_ONEOF, 756, 2, 1092, 3, 0},
    {15163, sizeof(struct sl_pb_serving_ClassificationResponse), offsetof(struct sl_pb_serving_ClassificationResponse, unknown), SL_PB_NO_ONEOF, 758, 2, 1095, 3, 0},
    {15212, sizeof(struct sl_pb_serving_Regression), offsetof(struct sl_pb_serving_Regression, unknown), SL_PB_NO_ONEOF, 760, 1, 1098, 2, 0},
    {15242, sizeof(struct sl_pb_serving_RegressionResult), offsetof(struct sl_pb_serving_RegressionResult, unknown), SL_PB_NO_ONEOF, 761, 1, 1100, 2, 0},
    {15290, sizeof(struct sl_pb_serving_RegressionRequest), offsetof(struct sl_pb_serving_RegressionRequest, unknown), SL_PB_NO_ONEOF, 762, 2, 1102, 3, 0},
    {15327, sizeof(struct sl_pb_serving_RegressionResponse), offsetof(struct sl_pb_serving_RegressionResponse, unknown), SL_PB_NO_ONEOF, 764, 2, 1105, 3, 0},
    {15365, sizeof(struct sl_pb_serving_SignatureDefMap), offsetof(struct sl_pb_serving_SignatureDefMap, unknown), SL_PB_NO_ONEOF, 766, 1, 1108, 2, 0},
    {15400, sizeof(struct sl_pb_serving_GetModelMetadataRequest), offsetof(struct sl_pb_serving_GetModelMetadataRequest, unknown), SL_PB_NO_ONEOF, 767, 2, 1110, 3, 0},
    {15458, sizeof(struct sl_pb_serving_GetModelMetadataResponse), offsetof(struct sl_pb_serving_GetModelMetadataResponse, unknown), SL_PB_NO_ONEOF, 769, 2, 1113, 3, 0},
    {15502, sizeof(struct sl_pb_serving_StatusProto), offsetof(struct sl_pb_serving_StatusProto, unknown), SL_PB_NO_ONEOF, 771, 2, 1116, 3, 0},
    {15558, sizeof(struct sl_pb_serving_GetModelStatusRequest), offsetof(struct sl_pb_serving_GetModelStatusRequest, unknown), SL_PB_NO_ONEOF, 773, 1, 1119, 2, 0},
    {15599, sizeof(struct sl_pb_serving_ModelVersionStatus), offsetof(struct sl_pb_serving_ModelVersionStatus, unknown), SL_PB_NO_ONEOF, 774, 3, 1121, 4, 0},
    {15643, sizeof(struct sl_pb_serving_GetModelStatusResponse), offsetof(struct sl_pb_serving_GetModelStatusResponse, unknown), SL_PB_NO_ONEOF, 777, 1, 1125, 2, 0},
    {15706, sizeof(struct sl_pb_serving_InferenceTask), offsetof(struct sl_pb_serving_InferenceTask, unknown), SL_PB_NO_ONEOF, 778, 2, 1127, 3, 0},
    {15739, sizeof(struct sl_pb_serving_InferenceResult), offsetof(struct sl_pb_serving_InferenceResult, unknown), offsetof(struct sl_pb_serving_InferenceResult, which), 780, 3, 1130, 4, 0},
    {15814, sizeof(struct sl_pb_serving_MultiInferenceRequest), offsetof(struct sl_pb_serving_MultiInferenceRequest, unknown), SL_PB_NO_ONEOF, 783, 2, 1134, 3, 0},
    {15855, sizeof(struct sl_pb_serving_MultiInferenceResponse), offsetof(struct sl_pb_serving_MultiInferenceResponse, unknown), SL_PB_NO_ONEOF, 785, 1, 1137, 2, 0},
    {15905, sizeof(struct sl_pb_serving_ServableVersionPolicy), offsetof(struct sl_pb_serving_ServableVersionPolicy, unknown), offsetof(struct sl_pb_serving_ServableVersionPolicy, which), 786, 3, 1139, 64, 0},
    {15966, sizeof(struct sl_pb_serving_ServableVersionPolicy_Latest), offsetof(struct sl_pb_serving_ServableVersionPolicy_Latest, unknown), SL_PB_NO_ONEOF, 789, 1, 1203, 2, 0},
    {16027, sizeof(struct sl_pb_serving_ServableVersionPolicy_All), offsetof(struct sl_pb_serving_ServableVersionPolicy_All, unknown), SL_PB_NO_ONEOF, 790, 0, 1205, 1, 0},
    {16072, sizeof(struct sl_pb_serving_ServableVersionPolicy_Specific), offsetof(struct sl_pb_serving_ServableVersionPolicy_Specific, unknown), SL_PB_NO_ONEOF, 790, 1, 1206, 2, 0},
    {16122, sizeof(struct sl_pb_serving_ModelConfig), offsetof(struct sl_pb_serving_ModelConfig, unknown), SL_PB_NO_ONEOF, 791, 5, 1208, 9, 0},
    {16214, sizeof(struct sl_pb_serving_ModelConfigList), offsetof(struct sl_pb_serving_ModelConfigList, unknown), SL_PB_NO_ONEOF, 796, 1, 1217, 2, 0},
    {16249, sizeof(struct sl_pb_serving_ModelServerConfig), offsetof(struct sl_pb_serving_ModelServerConfig, unknown), SL_PB_NO_ONEOF, 797, 1, 1219, 2, 0},
    {16304, sizeof(struct sl_pb_CppShapeInferenceResult), offsetof(struct sl_pb_CppShapeInferenceResult, unknown), SL_PB_NO_ONEOF, 798, 2, 1221, 5, 0},
    {16339, sizeof(struct sl_pb_CppShapeInferenceResult_HandleShapeAndType), offsetof(struct sl_pb_CppShapeInferenceResult_HandleShapeAndType, unknown), SL_PB_NO_ONEOF, 800, 3, 1226, 5, 0},
    {16393, sizeof(struct sl_pb_CppShapeInferenceResult_HandleData), offsetof(struct sl_pb_CppShapeInferenceResult_HandleData, unknown), SL_PB_NO_ONEOF, 803, 2, 1231, 3, 0},
    {16461, sizeof(struct sl_pb_AllocationDescription), offsetof(struct sl_pb_AllocationDescription, unknown), SL_PB_NO_ONEOF, 805, 6, 1234, 7, 0},
    {16580, sizeof(struct sl_pb_TensorDescription), offsetof(struct sl_pb_TensorDescription, unknown), SL_PB_NO_ONEOF, 811, 3, 1241, 5, 0},
    {16632, sizeof(struct sl_pb_AllocationRecord), offsetof(struct sl_pb_AllocationRecord, unknown), SL_PB_NO_ONEOF, 814, 2, 1246, 3, 0},
    {16685, sizeof(struct sl_pb_AllocatorMemoryUsed), offsetof(struct sl_pb_AllocatorMemoryUsed, unknown), SL_PB_NO_ONEOF, 816, 6, 1249, 7, 0},
    {16792, sizeof(struct sl_pb_NodeOutput), offsetof(struct sl_pb_NodeOutput, unknown), SL_PB_NO_ONEOF, 822, 2, 1256, 4, 0},
    {16838, sizeof(struct sl_pb_MemoryStats), offsetof(struct sl_pb_MemoryStats, unknown), SL_PB_NO_ONEOF, 824, 6, 1260, 7, 0},
    {17018, sizeof(struct sl_pb_NodeExecStats), offsetof(struct sl_pb_NodeExecStats, unknown), SL_PB_NO_ONEOF, 830, 17, 1267, 18, 0},
    {17290, sizeof(struct sl_pb_DeviceStepStats), offsetof(struct sl_pb_DeviceStepStats, unknown), SL_PB_NO_ONEOF, 847, 3, 1285, 4, 0},
    {17341, sizeof(struct sl_pb_StepStats), offsetof(struct sl_pb_StepStats, unknown), SL_PB_NO_ONEOF, 850, 1, 1289, 2, 0},
    {17372, sizeof(struct sl_pb_CostGraphDef), offsetof(struct sl_pb_CostGraphDef, unknown), SL_PB_NO_ONEOF, 851, 2, 1291, 3, 0},
    {17401, sizeof(struct sl_pb_CostGraphDef_Node), offsetof(struct sl_pb_CostGraphDef_Node, unknown), SL_PB_NO_ONEOF, 853, 16, 1294, 18, 0},
    {17569, sizeof(struct sl_pb_CostGraphDef_Node_InputInfo), offsetof(struct sl_pb_CostGraphDef_Node_InputInfo, unknown), SL_PB_NO_ONEOF, 869, 2, 1312, 3, 0},
    {17638, sizeof(struct sl_pb_CostGraphDef_Node_OutputInfo), offsetof(struct sl_pb_CostGraphDef_Node_OutputInfo, unknown), SL_PB_NO_ONEOF, 871, 4, 1315, 5, 0},
    {17695, sizeof(struct sl_pb_CostGraphDef_AggregatedCost), offsetof(struct sl_pb_CostGraphDef_AggregatedCost, unknown), SL_PB_NO_ONEOF, 875, 2, 1320, 3, 0},
    {17744, sizeof(struct sl_pb_MemoryLogStep), offsetof(struct sl_pb_MemoryLogStep, unknown), SL_PB_NO_ONEOF, 877, 2, 1323, 3, 0},
    {17769, sizeof(struct sl_pb_MemoryLogTensorAllocation), offsetof(struct sl_pb_MemoryLogTensorAllocation, unknown), SL_PB_NO_ONEOF, 879, 3, 1326, 4, 0},
    {17818, sizeof(struct sl_pb_MemoryLogTensorDeallocation), offsetof(struct sl_pb_MemoryLogTensorDeallocation, unknown), SL_PB_NO_ONEOF, 882, 2, 1330, 3, 0},
    {17857, sizeof(struct sl_pb_MemoryLogTensorOutput), offsetof(struct sl_pb_MemoryLogTensorOutput, unknown), SL_PB_NO_ONEOF, 884, 4, 1333, 5, 0},
    {17896, sizeof(struct sl_pb_MemoryLogRawAllocation), offsetof(struct sl_pb_MemoryLogRawAllocation, unknown), SL_PB_NO_ONEOF, 888, 6, 1338, 7, 0},
    {17940, sizeof(struct sl_pb_MemoryLogRawDeallocation), offsetof(struct sl_pb_MemoryLogRawDeallocation, unknown), SL_PB_NO_ONEOF, 894, 5, 1345, 6, 0},
    {17985, sizeof(struct sl_pb_StatusProto), offsetof(struct sl_pb_StatusProto, unknown), SL_PB_NO_ONEOF, 899, 3, 1351, 4, 0},
    {18016, sizeof(struct sl_pb_StructuredValue), offsetof(struct sl_pb_StructuredValue, unknown), offsetof(struct sl_pb_StructuredValue, which), 902, 16, 1355, 57, 0},
    {18279, sizeof(struct sl_pb_NoneValue), offsetof(struct sl_pb_NoneValue, unknown), SL_PB_NO_ONEOF, 918, 0, 1412, 1, 0},
    {18300, sizeof(struct sl_pb_ListValue), offsetof(struct sl_pb_ListValue, unknown), SL_PB_NO_ONEOF, 918, 1, 1413, 2, 0},
    {18328, sizeof(struct sl_pb_TupleValue), offsetof(struct sl_pb_TupleValue, unknown), SL_PB_NO_ONEOF, 919, 1, 1415, 2, 0},
    {18350, sizeof(struct sl_pb_DictValue), offsetof(struct sl_pb_DictValue, unknown), SL_PB_NO_ONEOF, 920, 1, 1417, 2, 0},
    {18378, sizeof(struct sl_pb_PairValue), offsetof(struct sl_pb_PairValue, unknown), SL_PB_NO_ONEOF, 921, 2, 1419, 3, 0},
    {18403, sizeof(struct sl_pb_NamedTupleValue), offsetof(struct sl_pb_NamedTupleValue, unknown), SL_PB_NO_ONEOF, 923, 2, 1422, 3, 0},
    {18430, sizeof(struct sl_pb_TensorSpecProto), offsetof(struct sl_pb_TensorSpecProto, unknown), SL_PB_NO_ONEOF, 925, 3, 1425, 4, 0},
    {18457, sizeof(struct sl_pb_BoundedTensorSpecProto), offsetof(struct sl_pb_BoundedTensorSpecProto, unknown), SL_PB_NO_ONEOF, 928, 5, 1429, 6, 0},
    {18499, sizeof(struct sl_pb_TypeSpecProto), offsetof(struct sl_pb_TypeSpecProto, unknown), SL_PB_NO_ONEOF, 933, 4, 1435, 5, 0},
    {18592, sizeof(struct sl_pb_CompositeTensorVariantMetadata), offsetof(struct sl_pb_CompositeTensorVariantMetadata, unknown), SL_PB_NO_ONEOF, 937, 1, 1440, 2, 0},
    {18650, sizeof(struct sl_pb_TensorShapeProto), offsetof(struct sl_pb_TensorShapeProto, unknown), SL_PB_NO_ONEOF, 938, 2, 1442, 4, 0},
    {18695, sizeof(struct sl_pb_TensorShapeProto_Dim), offsetof(struct sl_pb_TensorShapeProto_Dim, unknown), SL_PB_NO_ONEOF, 940, 2, 1446, 3, 0},
    {18727, sizeof(struct sl_pb_ResourceHandleProto), offsetof(struct sl_pb_ResourceHandleProto, unknown), SL_PB_NO_ONEOF, 942, 6, 1449, 7, 0},
    {18802, sizeof(struct sl_pb_ResourceHandleProto_DtypeAndShape), offsetof(struct sl_pb_ResourceHandleProto_DtypeAndShape, unknown), SL_PB_NO_ONEOF, 948, 2, 1456, 3, 0},
    {18847, sizeof(struct sl_pb_TensorProto), offsetof(struct sl_pb_TensorProto, unknown), SL_PB_NO_ONEOF, 950, 18, 1459, 19, 0},
    {19059, sizeof(struct sl_pb_VariantTensorDataProto), offsetof(struct sl_pb_VariantTensorDataProto, unknown), SL_PB_NO_ONEOF, 968, 3, 1478, 4, 0},
    {19103, sizeof(struct sl_pb_NamedTensorProto), offsetof(struct sl_pb_NamedTensorProto, unknown), SL_PB_NO_ONEOF, 971, 2, 1482, 3, 0},
    {19131, sizeof(struct sl_pb_TensorSliceProto), offsetof(struct sl_pb_TensorSliceProto, unknown), SL_PB_NO_ONEOF, 973, 1, 1485, 2, 0},
    {19166, sizeof(struct sl_pb_TensorSliceProto_Extent), offsetof(struct sl_pb_TensorSliceProto_Extent, unknown), offsetof(struct sl_pb_TensorSliceProto_Extent, which), 974, 2, 1487, 3, 0},
    {19214, sizeof(struct sl_pb_SerializedDType), offsetof(struct sl_pb_SerializedDType, unknown), SL_PB_NO_ONEOF, 976, 1, 1490, 2, 0},
    {19250, sizeof(struct sl_pb_VariableDef), offsetof(struct sl_pb_VariableDef, unknown), SL_PB_NO_ONEOF, 977, 9, 1492, 10, 0},
    {19369, sizeof(struct sl_pb_SaveSliceInfoDef), offsetof(struct sl_pb_SaveSliceInfoDef, unknown), SL_PB_NO_ONEOF, 986, 4, 1502, 5, 0},
    {19429, sizeof(struct sl_pb_QueueRunnerDef), offsetof(struct sl_pb_QueueRunnerDef, unknown), SL_PB_NO_ONEOF, 990, 5, 1507, 6, 0},
    {19540, sizeof(struct sl_pb_ValuesDef), offsetof(struct sl_pb_ValuesDef, unknown), SL_PB_NO_ONEOF, 995, 2, 1513, 3, 0},
    {19577, sizeof(struct sl_pb_ControlFlowContextDef), offsetof(struct sl_pb_ControlFlowContextDef, unknown), offsetof(struct sl_pb_ControlFlowContextDef, which), 997, 2, 1516, 3, 0},
    {19631, sizeof(struct sl_pb_CondContextDef), offsetof(struct sl_pb_CondContextDef, unknown), SL_PB_NO_ONEOF, 999, 6, 1519, 7, 0},
    {19725, sizeof(struct sl_pb_WhileContextDef), offsetof(struct sl_pb_WhileContextDef, unknown), SL_PB_NO_ONEOF, 1005, 12, 1526, 13, 0},
    {19891, sizeof(struct sl_pb_Any), offsetof(struct sl_pb_Any, unknown), SL_PB_NO_ONEOF, 1017, 2, 1539, 3, 0},
    {19920, sizeof(struct sl_pb_BoolValue), offsetof(struct sl_pb_BoolValue, unknown), SL_PB_NO_ONEOF, 1019, 1, 1542, 2, 0},
    {19946, sizeof(struct sl_pb_Int64Value), offsetof(struct sl_pb_Int64Value, unknown), SL_PB_NO_ONEOF, 1020, 1, 1544, 2, 0},
    {19973, sizeof(struct sl_pb_GetStatusRequest), offsetof(struct sl_pb_GetStatusRequest, unknown), SL_PB_NO_ONEOF, 1021, 0, 1546, 1, 0},
    {20001, sizeof(struct sl_pb_GetStatusResponse), offsetof(struct sl_pb_GetStatusResponse, unknown), SL_PB_NO_ONEOF, 1021, 1, 1547, 2, 0},
    {20030, sizeof(struct sl_pb_CreateWorkerSessionRequest), offsetof(struct sl_pb_CreateWorkerSessionRequest, unknown), SL_PB_NO_ONEOF, 1022, 6, 1549, 7, 0},
    {20099, sizeof(struct sl_pb_CreateWorkerSessionResponse), offsetof(struct sl_pb_CreateWorkerSessionResponse, unknown), SL_PB_NO_ONEOF, 1028, 0, 1556, 1, 0},
    {20138, sizeof(struct sl_pb_DeleteWorkerSessionRequest), offsetof(struct sl_pb_DeleteWorkerSessionRequest, unknown), SL_PB_NO_ONEOF, 1028, 1, 1557, 2, 0},
    {20176, sizeof(struct sl_pb_DeleteWorkerSessionResponse), offsetof(struct sl_pb_DeleteWorkerSessionResponse, unknown), SL_PB_NO_ONEOF, 1029, 0, 1559, 1, 0},
    {20215, sizeof(struct sl_pb_RegisterGraphRequest), offsetof(struct sl_pb_RegisterGraphRequest, unknown), SL_PB_NO_ONEOF, 1029, 8, 1560, 9, 0},
    {20306, sizeof(struct sl_pb_RegisterGraphResponse), offsetof(struct sl_pb_RegisterGraphResponse, unknown), SL_PB_NO_ONEOF, 1037, 1, 1569, 2, 0},
    {20352, sizeof(struct sl_pb_DeregisterGraphRequest), offsetof(struct sl_pb_DeregisterGraphRequest, unknown), SL_PB_NO_ONEOF, 1038, 3, 1571, 4, 0},
    {20386, sizeof(struct sl_pb_DeregisterGraphResponse), offsetof(struct sl_pb_DeregisterGraphResponse, unknown), SL_PB_NO_ONEOF, 1041, 0, 1575, 1, 0},
    {20421, sizeof(struct sl_pb_CleanupAllRequest), offsetof(struct sl_pb_CleanupAllRequest, unknown), SL_PB_NO_ONEOF, 1041, 1, 1576, 2, 0},
    {20450, sizeof(struct sl_pb_CleanupAllResponse), offsetof(struct sl_pb_CleanupAllResponse, unknown), SL_PB_NO_ONEOF, 1042, 0, 1578, 1, 0},
    {20480, sizeof(struct sl_pb_ExecutorOpts), offsetof(struct sl_pb_ExecutorOpts, unknown), SL_PB_NO_ONEOF, 1042, 4, 1579, 6, 0},
    {20557, sizeof(struct sl_pb_RunGraphRequest), offsetof(struct sl_pb_RunGraphRequest, unknown), SL_PB_NO_ONEOF, 1046, 11, 1585, 12, 0},
    {20639, sizeof(struct sl_pb_RunGraphResponse), offsetof(struct sl_pb_RunGraphResponse, unknown), SL_PB_NO_ONEOF, 1057, 6, 1597, 7, 0},
    {20688, sizeof(struct sl_pb_CleanupGraphRequest), offsetof(struct sl_pb_CleanupGraphRequest, unknown), SL_PB_NO_ONEOF, 1063, 1, 1604, 2, 0},
    {20719, sizeof(struct sl_pb_CleanupGraphResponse), offsetof(struct sl_pb_CleanupGraphResponse, unknown), SL_PB_NO_ONEOF, 1064, 0, 1606, 1, 0},
    {20751, sizeof(struct sl_pb_RecvTensorRequest), offsetof(struct sl_pb_RecvTensorRequest, unknown), SL_PB_NO_ONEOF, 1064, 7, 1607, 8, 0},
    {20852, sizeof(struct sl_pb_RecvTensorResponse), offsetof(struct sl_pb_RecvTensorResponse, unknown), SL_PB_NO_ONEOF, 1071, 5, 1615, 6, 0},
    {20920, sizeof(struct sl_pb_MarkRecvFinishedRequest), offsetof(struct sl_pb_MarkRecvFinishedRequest, unknown), SL_PB_NO_ONEOF, 1076, 1, 1621, 2, 0},
    {20955, sizeof(struct sl_pb_MarkRecvFinishedResponse), offsetof(struct sl_pb_MarkRecvFinishedResponse, unknown), SL_PB_NO_ONEOF, 1077, 0, 1623, 1, 0},
    {20991, sizeof(struct sl_pb_LoggingRequest), offsetof(struct sl_pb_LoggingRequest, unknown), SL_PB_NO_ONEOF, 1077, 4, 1624, 5, 0},
    {21076, sizeof(struct sl_pb_LabeledStepStats), offsetof(struct sl_pb_LabeledStepStats, unknown), SL_PB_NO_ONEOF, 1081, 2, 1629, 3, 0},
    {21104, sizeof(struct sl_pb_LoggingResponse), offsetof(struct sl_pb_LoggingResponse, unknown), SL_PB_NO_ONEOF, 1083, 1, 1632, 2, 0},
    {21131, sizeof(struct sl_pb_TraceOpts), offsetof(struct sl_pb_TraceOpts, unknown), SL_PB_NO_ONEOF, 1084, 6, 1634, 7, 0},
    {21258, sizeof(struct sl_pb_TracingRequest), offsetof(struct sl_pb_TracingRequest, unknown), SL_PB_NO_ONEOF, 1090, 1, 1641, 2, 0},
    {21284, sizeof(struct sl_pb_TracingResponse), offsetof(struct sl_pb_TracingResponse, unknown), SL_PB_NO_ONEOF, 1091, 0, 1643, 1, 0},
    {21311, sizeof(struct sl_pb_RecvBufRequest), offsetof(struct sl_pb_RecvBufRequest, unknown), SL_PB_NO_ONEOF, 1091, 11, 1644, 12, 0},
    {21402, sizeof(struct sl_pb_RecvBufResponse), offsetof(struct sl_pb_RecvBufResponse, unknown), SL_PB_NO_ONEOF, 1102, 6, 1656, 7, 0},
    {21429, sizeof(struct sl_pb_CompleteGroupRequest), offsetof(struct sl_pb_CompleteGroupRequest, unknown), SL_PB_NO_ONEOF, 1108, 7, 1663, 64, 0},
    {21510, sizeof(struct sl_pb_CompleteGroupResponse), offsetof(struct sl_pb_CompleteGroupResponse, unknown), SL_PB_NO_ONEOF, 1115, 7, 1727, 64, 0},
    {21560, sizeof(struct sl_pb_CompleteInstanceRequest), offsetof(struct sl_pb_CompleteInstanceRequest, unknown), SL_PB_NO_ONEOF, 1122, 17, 1791, 64, 0},
    {21663, sizeof(struct sl_pb_CompleteInstanceResponse), offsetof(struct sl_pb_CompleteInstanceResponse, unknown), SL_PB_NO_ONEOF, 1139, 3, 1855, 64, 0},
    {21711, sizeof(struct sl_pb_CollectivePart), offsetof(struct sl_pb_CollectivePart, unknown), SL_PB_NO_ONEOF, 1142, 3, 1919, 4, 0},
    {21737, sizeof(struct sl_pb_GetStepSequenceRequest), offsetof(struct sl_pb_GetStepSequenceRequest, unknown), SL_PB_NO_ONEOF, 1145, 1, 1923, 2, 0},
    {21781, sizeof(struct sl_pb_StepSequence), offsetof(struct sl_pb_StepSequence, unknown), SL_PB_NO_ONEOF, 1146, 2, 1925, 3, 0},
    {21818, sizeof(struct sl_pb_GetStepSequenceResponse), offsetof(struct sl_pb_GetStepSequenceResponse, unknown), SL_PB_NO_ONEOF, 1148, 1, 1928, 2, 0},
    {21867, sizeof(struct sl_pb_RecvBufRespExtra), offsetof(struct sl_pb_RecvBufRespExtra, unknown), SL_PB_NO_ONEOF, 1149, 1, 1930, 2, 0},
    {21895, sizeof(struct sl_pb_entry_fixed64_GraphDebugInfo_FileLineCol), offsetof(struct sl_pb_entry_fixed64_GraphDebugInfo_FileLineCol, unknown), SL_PB_NO_ONEOF, 1150, 2, 1932, 3, 1},
    {21947, sizeof(struct sl_pb_entry_fixed64_GraphDebugInfo_StackTrace), offsetof(struct sl_pb_entry_fixed64_GraphDebugInfo_StackTrace, unknown), SL_PB_NO_ONEOF, 1152, 2, 1935, 3, 1},
    {21998, sizeof(struct sl_pb_entry_int32_TaskDeviceFilters), offsetof(struct sl_pb_entry_int32_TaskDeviceFilters, unknown), SL_PB_NO_ONEOF, 1154, 2, 1938, 3, 1},
    {22039, sizeof(struct sl_pb_entry_int32_string), offsetof(struct sl_pb_entry_int32_string, unknown), SL_PB_NO_ONEOF, 1156, 2, 1941, 3, 1},
    {22058, sizeof(struct sl_pb_entry_string_Any), offsetof(struct sl_pb_entry_string_Any, unknown), SL_PB_NO_ONEOF, 1158, 2, 1944, 3, 1},
    {22091, sizeof(struct sl_pb_entry_string_AttrValue), offsetof(struct sl_pb_entry_string_AttrValue, unknown), SL_PB_NO_ONEOF, 1160, 2, 1947, 3, 1},
    {22125, sizeof(struct sl_pb_entry_string_CollectionDef), offsetof(struct sl_pb_entry_string_CollectionDef, unknown), SL_PB_NO_ONEOF, 1162, 2, 1950, 3, 1},
    {22163, sizeof(struct sl_pb_entry_string_Feature), offsetof(struct sl_pb_entry_string_Feature, unknown), SL_PB_NO_ONEOF, 1164, 2, 1953, 3, 1},
    {22195, sizeof(struct sl_pb_entry_string_FeatureList), offsetof(struct sl_pb_entry_string_FeatureList, unknown), SL_PB_NO_ONEOF, 1166, 2, 1956, 3, 1},
    {22231, sizeof(struct sl_pb_entry_string_GraphDebugInfo_StackTrace), offsetof(struct sl_pb_entry_string_GraphDebugInfo_StackTrace, unknown), SL_PB_NO_ONEOF, 1168, 2, 1959, 3, 1},
    {22281, sizeof(struct sl_pb_entry_string_SaveableObject), offsetof(struct sl_pb_entry_string_SaveableObject, unknown), SL_PB_NO_ONEOF, 1170, 2, 1962, 3, 1},
    {22320, sizeof(struct sl_pb_entry_string_SavedConcreteFunction), offsetof(struct sl_pb_entry_string_SavedConcreteFunction, unknown), SL_PB_NO_ONEOF, 1172, 2, 1965, 3, 1},
    {22366, sizeof(struct sl_pb_entry_string_SignatureDef), offsetof(struct sl_pb_entry_string_SignatureDef, unknown), SL_PB_NO_ONEOF, 1174, 2, 1968, 3, 1},
    {22403, sizeof(struct sl_pb_entry_string_StructuredValue), offsetof(struct sl_pb_entry_string_StructuredValue, unknown), SL_PB_NO_ONEOF, 1176, 2, 1971, 3, 1},
    {22443, sizeof(struct sl_pb_entry_string_TensorInfo), offsetof(struct sl_pb_entry_string_TensorInfo, unknown), SL_PB_NO_ONEOF, 1178, 2, 1974, 3, 1},
    {22478, sizeof(struct sl_pb_entry_string_TensorProto), offsetof(struct sl_pb_entry_string_TensorProto, unknown), SL_PB_NO_ONEOF, 1180, 2, 1977, 3, 1},
    {22514, sizeof(struct sl_pb_entry_string_bytes), offsetof(struct sl_pb_entry_string_bytes, unknown), SL_PB_NO_ONEOF, 1182, 2, 1980, 3, 1},
    {22533, sizeof(struct sl_pb_entry_string_fixed64), offsetof(struct sl_pb_entry_string_fixed64, unknown), SL_PB_NO_ONEOF, 1184, 2, 1983, 3, 1},
    {22554, sizeof(struct sl_pb_entry_string_int32), offsetof(struct sl_pb_entry_string_int32, unknown), SL_PB_NO_ONEOF, 1186, 2, 1986, 3, 1},
    {22573, sizeof(struct sl_pb_entry_string_int64), offsetof(struct sl_pb_entry_string_int64, unknown), SL_PB_NO_ONEOF, 1188, 2, 1989, 3, 1},
    {22592, sizeof(struct sl_pb_entry_string_string), offsetof(struct sl_pb_entry_string_string, unknown), SL_PB_NO_ONEOF, 1190, 2, 1992, 3, 1},
    {22612, sizeof(struct sl_pb_entry_uint32_FunctionDef_ArgAttrs), offsetof(struct sl_pb_entry_uint32_FunctionDef_ArgAttrs, unknown), SL_PB_NO_ONEOF, 1192, 2, 1995, 3, 1},
    {22657, sizeof(struct sl_pb_entry_uint32_string), offsetof(struct sl_pb_entry_uint32_string, unknown), SL_PB_NO_ONEOF, 1194, 2, 1998, 3, 1},
    {22677, sizeof(struct sl_pb_entry_uint32_uint32), offsetof(struct sl_pb_entry_uint32_uint32, unknown), SL_PB_NO_ONEOF, 1196, 2, 2001, 3, 1},
};

const size_t sl_pb_message_count = SL_PB_MESSAGE_COUNT;

const uint8_t sl_pb_dense[2004] = {
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 0, 1, 2, 3, 4, 0, 1, 2, 3, 0, 1, 2, 3, 4,
    5, 6, 7, 0, 1, 2, 3, 4, 0, 1, 2, 0, 1, 2, 3, 0, 1, 2, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 0, 1, 2, 3, 4,
    5, 0, 1, 2, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 0, 1, 2, 3, 4, 0, 1, 2, 0, 1, 0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 0, 1, 2,
    3, 4, 5, 0, 6, 7, 8, 9, 10, 11, 12, 13, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 0, 6, 7, 8, 9, 10, 11, 12,
    13, 14, 15, 16, 17, 18, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2,
    0, 1, 2, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 0, 1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
    12, 13, 14, 15, 16, 17, 0, 0, 18, 19, 20, 21, 0, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 0, 1, 2, 3, 4, 5, 0,
    0, 0, 0, 1, 0, 0, 0, 0, 0, 2, 3, 0, 1, 2, 3, 4, 5, 0, 1, 0, 1, 2, 3, 0, 4, 5, 6, 7, 0, 1, 2, 3, 0, 1, 0, 1, 2, 3,
    4, 5, 0, 1, 2, 3, 0, 1, 2, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 0, 1, 2, 0, 3, 0, 1, 2, 3, 0, 1, 2, 3, 4,
    5, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 2, 0, 1, 0, 1, 2, 3, 0, 1, 0, 1, 2,
    3, 0, 1, 2, 0, 3, 4, 5, 6, 7, 0, 1, 2, 0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 0, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 0, 1, 2, 3,
    4, 5, 6, 7, 8, 0, 1, 2, 3, 0, 1, 2, 3, 4, 0, 5, 6, 7, 8, 9, 0, 0, 1, 0, 1, 2, 3, 4, 0, 1, 0, 1, 0, 2, 0, 1, 0, 1,
    2, 0, 0, 1, 2, 3, 0, 1, 2, 0, 1, 0, 1, 0, 1, 2, 0, 0, 1, 2, 3, 0, 1, 0, 1, 0, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 0,
    1, 2, 0, 1, 0, 1, 2, 3, 4, 0, 1, 2, 0, 1, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2,
    3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 1, 0, 1, 2, 0, 1, 2, 3, 0, 1, 2, 0, 1, 0, 1, 0, 1, 2, 3, 0, 1,
    2, 3, 0, 1, 0, 1, 0, 1, 0, 1, 2, 3, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 2, 0, 1, 2, 0, 1, 0, 1, 2, 3, 0, 1, 2, 3, 4, 5,
    6, 7, 0, 1, 2, 0, 1, 2, 0, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 0, 1, 2, 3, 0, 1, 0, 2, 3, 4, 5, 6, 7, 0, 1, 0, 1,
    2, 0, 1, 2, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 0, 1, 2, 0, 1, 2, 3, 0, 0, 0, 0, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2,
    3, 4, 0, 1, 2, 3, 4, 5, 0, 1, 0, 1, 0, 0, 1, 2, 0, 0, 1, 0, 1, 2, 0, 1, 2, 3, 0, 1, 0, 1, 2, 3, 4, 0, 1, 2, 0, 1,
    2, 0, 0, 1, 2, 3, 4, 5, 6, 0, 7, 0, 0, 0, 0, 0, 0, 0, 8, 9, 10, 11, 12, 13, 0, 1, 2, 3, 4, 5, 6, 7, 0, 0, 0, 0, 0,
    0, 0, 0, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 0, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0, 1, 0, 2, 3,
    0, 1, 2, 3, 0, 1, 2, 3, 4, 0, 1, 0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 0, 1, 0, 1, 2, 0, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
    10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 33, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 3, 4, 5,
    6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 0,
    1, 2, 0, 1, 2, 3, 4, 0, 1, 2, 0, 1, 2, 0, 1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 0, 1,
    0, 1, 2, 0, 1, 2, 0, 0, 1, 2, 3, 0, 1, 2, 3, 4, 0, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 0, 0, 3, 4, 0, 1, 0, 0,
    1, 2, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 0, 1, 2, 0, 1, 0, 1, 2, 3, 4, 0, 1, 2, 3, 0, 1, 2,
    0, 1, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 0, 1, 0, 1, 2, 0, 1, 2, 0, 1, 0, 1, 0, 1, 2, 0, 1, 2, 0, 1, 0, 1, 2, 0, 1,
    2, 0, 1, 2, 0, 1, 0, 1, 2, 3, 0, 1, 0, 1, 2, 0, 1, 2, 3, 0, 1, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 2, 0, 3, 0, 0, 4, 5, 0, 1, 0, 1, 0, 1, 0, 0, 2, 0, 1, 2,
    0, 3, 0, 1, 2, 0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 0, 3, 0, 1, 2, 0, 1, 2, 3, 4, 5, 6, 0, 1, 0, 2, 0, 1, 2, 3, 4, 5, 6,
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 0, 1, 2, 3, 0, 1, 0, 1, 2, 0, 1, 2, 3, 4, 5, 6, 7, 8,
    9, 10, 11, 12, 0, 13, 14, 15, 16, 0, 1, 2, 0, 1, 2, 3, 4, 0, 1, 2, 0, 1, 2, 0, 1, 2, 3, 0, 1, 2, 0, 1, 2, 3, 4, 0,
    1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 3, 4, 5, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 7, 8, 9, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 11, 12, 13, 14, 15, 16, 0,
    0, 1, 0, 1, 0, 1, 0, 1, 2, 0, 1, 2, 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 0, 1, 0, 0, 1, 2, 0, 1, 2, 0, 1,
    2, 3, 4, 5, 6, 0, 1, 2, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 0, 1, 2, 3, 0, 1, 2, 0,
    1, 0, 1, 2, 0, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 5, 0, 1, 2, 0, 1, 2, 0, 1, 2, 3, 4,
    5, 6, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 1, 2, 0, 1, 0, 1, 0, 0, 1, 0, 1, 2, 3, 4, 5, 6, 0, 0, 1, 0, 0,
    1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 0, 1, 2, 3, 0, 0, 1, 0, 0, 1, 0, 2, 3, 4, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 1,
    2, 3, 4, 5, 6, 0, 1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 0, 1, 0, 0, 1, 2, 3, 4, 0, 1, 2, 0, 1, 0, 1, 2,
    3, 4, 5, 6, 0, 1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 0, 4, 5, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 5, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 0, 1, 0, 1, 2, 0, 1, 0, 1, 0, 1, 2, 0, 1, 2, 0, 1,
    2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0,
    1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2,
};

const struct sl_pb_enum sl_pb_enums[SL_PB_ENUM_COUNT] = {
    {22697, 0, 34},
    {23112, 34, 2},
    {23163, 36, 3},
    {23220, 39, 2},
    {23260, 41, 4},
    {23325, 45, 3},
    {23468, 48, 4},
    {23551, 52, 18},
    {23865, 70, 4},
    {23966, 74, 6},
    {24026, 80, 4},
    {24103, 84, 4},
    {24181, 88, 4},
    {24270, 92, 4},
    {24338, 96, 6},
    {24421, 102, 3},
    {24504, 105, 3},
    {24574, 108, 7},
    {24723, 115, 3},
    {24756, 118, 3},
    {24791, 121, 6},
    {24867, 127, 13},
    {25124, 140, 67},
    {26035, 207, 4},
    {26197, 211, 4},
};

const struct sl_pb_enum_value sl_pb_enum_values[215] = {
    {22719, 0}, /* TFT_UNSET */
    {22729, 1}, /* TFT_VAR */
    {22737, 2}, /* TFT_ANY */
    {22745, 3}, /* TFT_PRODUCT */
    {22757, 4}, /* TFT_NAMED */
    {22767, 20}, /* TFT_FOR_EACH */
    {22780, 100}, /* TFT_CALLABLE */
    {22793, 200}, /* TFT_BOOL */
    {22802, 201}, /* TFT_UINT8 */
    {22812, 202}, /* TFT_UINT16 */
    {22823, 203}, /* TFT_UINT32 */
    {22834, 204}, /* TFT_UINT64 */
    {22845, 205}, /* TFT_INT8 */
    {22854, 206}, /* TFT_INT16 */
    {22864, 207}, /* TFT_INT32 */
    {22874, 208}, /* TFT_INT64 */
    {22884, 209}, /* TFT_HALF */
    {22893, 210}, /* TFT_FLOAT */
    {22903, 211}, /* TFT_DOUBLE */
    {22914, 212}, /* TFT_COMPLEX64 */
    {22928, 213}, /* TFT_COMPLEX128 */
    {22943, 214}, /* TFT_STRING */
    {22954, 215}, /* TFT_BFLOAT16 */
    {22967, 1000}, /* TFT_TENSOR */
    {22978, 1001}, /* TFT_ARRAY */
    {22988, 1002}, /* TFT_OPTIONAL */
    {23001, 1003}, /* TFT_LITERAL */
    {23013, 1004}, /* TFT_ENCODED */
    {23025, 1005}, /* TFT_SHAPE_TENSOR */
    {23042, 10102}, /* TFT_DATASET */
    {23054, 10103}, /* TFT_RAGGED */
    {23065, 10104}, /* TFT_ITERATOR */
    {23078, 10202}, /* TFT_MUTEX_LOCK */
    {23093, 10203}, /* TFT_LEGACY_VARIANT */
    {23152, 0}, /* LITTLE */
    {23159, 1}, /* BIG */
    {23207, 0}, /* LEGACY */
    {23214, 1}, /* V1 */
    {23217, 2}, /* V2 */
    {23254, -1}, /* L0 */
    {23257, 0}, /* L1 */
    {23303, -1}, /* OFF */
    {23307, 0}, /* DEFAULT */
    {23315, 1}, /* ON_1 */
    {23320, 2}, /* ON_2 */
    {23379, 0}, /* MLIR_BRIDGE_ROLLOUT_UNSPECIFIED */
    {23411, 1}, /* MLIR_BRIDGE_ROLLOUT_ENABLED */
    {23439, 2}, /* MLIR_BRIDGE_ROLLOUT_DISABLED */
    {23501, 0}, /* NO_TRACE */
    {23510, 1}, /* SOFTWARE_TRACE */
    {23525, 2}, /* HARDWARE_TRACE */
    {23540, 3}, /* FULL_TRACE */
    {23573, 0}, /* OK */
    {23576, 1}, /* CANCELLED */
    {23586, 2}, /* UNKNOWN */
    {23594, 3}, /* INVALID_ARGUMENT */
    {23611, 4}, /* DEADLINE_EXCEEDED */
    {23629, 5}, /* NOT_FOUND */
    {23639, 6}, /* ALREADY_EXISTS */
    {23654, 7}, /* PERMISSION_DENIED */
    {23672, 8}, /* RESOURCE_EXHAUSTED */
    {23691, 9}, /* FAILED_PRECONDITION */
    {23711, 10}, /* ABORTED */
    {23719, 11}, /* OUT_OF_RANGE */
    {23732, 12}, /* UNIMPLEMENTED */
    {23746, 13}, /* INTERNAL */
    {23755, 14}, /* UNAVAILABLE */
    {23767, 15}, /* DATA_LOSS */
    {23777, 16}, /* UNAUTHENTICATED */
    {23793, 20}, /* DO_NOT_USE_RESERVED_FOR_FUTURE_EXPANSION_USE_DEFAULT_IN_SWITCH_INSTEAD_ */
    {23886, 0}, /* DATA_CLASS_UNKNOWN */
    {23905, 1}, /* DATA_CLASS_SCALAR */
    {23923, 2}, /* DATA_CLASS_TENSOR */
    {23941, 3}, /* DATA_CLASS_BLOB_SEQUENCE */
    {23586, 0}, /* UNKNOWN */
    {23994, 10}, /* DEBUGGING */
    {24004, 20}, /* INFO */
    {24009, 30}, /* WARN */
    {24014, 40}, /* ERROR */
    {24020, 50}, /* FATAL */
    {24062, 0}, /* STATUS_UNSPECIFIED */
    {24081, 1}, /* START */
    {24087, 2}, /* STOP */
    {24092, 3}, /* CHECKPOINT */
    {23573, 0}, /* OK */
    {24127, 1}, /* RECEIVED_SHUTDOWN_SIGNAL */
    {24152, 2}, /* INTERNAL_ERROR */
    {24167, 3}, /* SHUTTING_DOWN */
    {23307, 0}, /* DEFAULT */
    {24211, 1}, /* NOT_CONFIGURED */
    {24226, 2}, /* WAIT_FOR_COORDINATOR */
    {24247, 3}, /* SHUTDOWN_AFTER_TIMEOUT */
    {24299, 0}, /* DEFAULT_VISIBILITY */
    {24318, 1}, /* VISIBLE */
    {24326, 2}, /* SKIP */
    {24331, 3}, /* HIDDEN */
    {23307, 0}, /* DEFAULT */
    {24371, 1}, /* ON */
    {23303, 2}, /* OFF */
    {24374, 3}, /* AGGRESSIVE */
    {24385, 4}, /* EXPERIMENTAL_MLIR */
    {24403, 5}, /* EXPERIMENTAL_BOTH */
    {24457, 0}, /* NO_CONVERSION_ON_CPU */
    {24478, 1}, /* NCHW_TO_NHWC */
    {24491, 2}, /* NHWC_TO_NCHW */
    {24548, 0}, /* DEFAULT_NUM_ITERS */
    {24566, 1}, /* ONE */
    {24570, 2}, /* TWO */
    {24611, 0}, /* DEFAULT_MEM_OPT */
    {24627, 1}, /* NO_MEM_OPT */
    {24638, 2}, /* MANUAL */
    {24645, 3}, /* HEURISTICS */
    {24656, 4}, /* SWAPPING_HEURISTICS */
    {24676, 5}, /* RECOMPUTATION_HEURISTICS */
    {24701, 6}, /* SCHEDULING_HEURISTICS */
    {23307, 0}, /* DEFAULT */
    {24371, 1}, /* ON */
    {23303, 2}, /* OFF */
    {23307, 0}, /* DEFAULT */
    {24371, 1}, /* ON */
    {23303, 2}, /* OFF */
    {23586, 0}, /* UNKNOWN */
    {24081, 10}, /* START */
    {24835, 20}, /* LOADING */
    {24843, 30}, /* AVAILABLE */
    {24853, 40}, /* UNLOADING */
    {24863, 50}, /* END */
    {23586, 0}, /* UNKNOWN */
    {24906, 1}, /* SPARSE_TENSOR_SPEC */
    {24925, 2}, /* INDEXED_SLICES_SPEC */
    {24945, 3}, /* RAGGED_TENSOR_SPEC */
    {24964, 4}, /* TENSOR_ARRAY_SPEC */
    {24982, 5}, /* DATA_DATASET_SPEC */
    {25000, 6}, /* DATA_ITERATOR_SPEC */
    {25019, 7}, /* OPTIONAL_SPEC */
    {25033, 8}, /* PER_REPLICA_SPEC */
    {25050, 9}, /* VARIABLE_SPEC */
    {25064, 10}, /* ROW_PARTITION_SPEC */
    {25083, 12}, /* REGISTERED_TYPE_SPEC */
    {25104, 13}, /* EXTENSION_TYPE_SPEC */
    {25144, 0}, /* DT_INVALID */
    {25155, 1}, /* DT_FLOAT */
    {25164, 2}, /* DT_DOUBLE */
    {25174, 3}, /* DT_INT32 */
    {25183, 4}, /* DT_UINT8 */
    {25192, 5}, /* DT_INT16 */
    {25201, 6}, /* DT_INT8 */
    {25209, 7}, /* DT_STRING */
    {25219, 8}, /* DT_COMPLEX64 */
    {25232, 9}, /* DT_INT64 */
    {25241, 10}, /* DT_BOOL */
    {25249, 11}, /* DT_QINT8 */
    {25258, 12}, /* DT_QUINT8 */
    {25268, 13}, /* DT_QINT32 */
    {25278, 14}, /* DT_BFLOAT16 */
    {25290, 15}, /* DT_QINT16 */
    {25300, 16}, /* DT_QUINT16 */
    {25311, 17}, /* DT_UINT16 */
    {25321, 18}, /* DT_COMPLEX128 */
    {25335, 19}, /* DT_HALF */
    {25343, 20}, /* DT_RESOURCE */
    {25355, 21}, /* DT_VARIANT */
    {25366, 22}, /* DT_UINT32 */
    {25376, 23}, /* DT_UINT64 */
    {25386, 24}, /* DT_FLOAT8_E5M2 */
    {25401, 25}, /* DT_FLOAT8_E4M3FN */
    {25418, 26}, /* DT_FLOAT8_E4M3FNUZ */
    {25437, 27}, /* DT_FLOAT8_E4M3B11FNUZ */
    {25459, 28}, /* DT_FLOAT8_E5M2FNUZ */
    {25478, 29}, /* DT_INT4 */
    {25486, 30}, /* DT_UINT4 */
    {25495, 31}, /* DT_INT2 */
    {25503, 32}, /* DT_UINT2 */
    {25512, 33}, /* DT_FLOAT4_E2M1FN */
    {25529, 101}, /* DT_FLOAT_REF */
    {25542, 102}, /* DT_DOUBLE_REF */
    {25556, 103}, /* DT_INT32_REF */
    {25569, 104}, /* DT_UINT8_REF */
    {25582, 105}, /* DT_INT16_REF */
    {25595, 106}, /* DT_INT8_REF */
    {25607, 107}, /* DT_STRING_REF */
    {25621, 108}, /* DT_COMPLEX64_REF */
    {25638, 109}, /* DT_INT64_REF */
    {25651, 110}, /* DT_BOOL_REF */
    {25663, 111}, /* DT_QINT8_REF */
    {25676, 112}, /* DT_QUINT8_REF */
    {25690, 113}, /* DT_QINT32_REF */
    {25704, 114}, /* DT_BFLOAT16_REF */
    {25720, 115}, /* DT_QINT16_REF */
    {25734, 116}, /* DT_QUINT16_REF */
    {25749, 117}, /* DT_UINT16_REF */
    {25763, 118}, /* DT_COMPLEX128_REF */
    {25781, 119}, /* DT_HALF_REF */
    {25793, 120}, /* DT_RESOURCE_REF */
    {25809, 121}, /* DT_VARIANT_REF */
    {25824, 122}, /* DT_UINT32_REF */
    {25838, 123}, /* DT_UINT64_REF */
    {25852, 124}, /* DT_FLOAT8_E5M2_REF */
    {25871, 125}, /* DT_FLOAT8_E4M3FN_REF */
    {25892, 126}, /* DT_FLOAT8_E4M3FNUZ_REF */
    {25915, 127}, /* DT_FLOAT8_E4M3B11FNUZ_REF */
    {25941, 128}, /* DT_FLOAT8_E5M2FNUZ_REF */
    {25964, 129}, /* DT_INT4_REF */
    {25976, 130}, /* DT_UINT4_REF */
    {25989, 131}, /* DT_INT2_REF */
    {26001, 132}, /* DT_UINT2_REF */
    {26014, 133}, /* DT_FLOAT4_E2M1FN_REF */
    {26070, 0}, /* VARIABLE_SYNCHRONIZATION_AUTO */
    {26100, 1}, /* VARIABLE_SYNCHRONIZATION_NONE */
    {26130, 2}, /* VARIABLE_SYNCHRONIZATION_ON_WRITE */
    {26164, 3}, /* VARIABLE_SYNCHRONIZATION_ON_READ */
    {26228, 0}, /* VARIABLE_AGGREGATION_NONE */
    {26254, 1}, /* VARIABLE_AGGREGATION_SUM */
    {26279, 2}, /* VARIABLE_AGGREGATION_MEAN */
    {26305, 3}, /* VARIABLE_AGGREGATION_ONLY_FIRST_REPLICA */
};

const char sl_pb_names[26346] =
    "tensorflow.AttrValue\0"
    "list\0"
    "s\0"
    "i\0"
    "f\0"
    "b\0"
    "type\0"
    "shape\0"
    "tensor\0"
    "placeholder\0"
    "func\0"
    "tensorflow.AttrValue.ListValue\0"
    "tensorflow.NameAttrList\0"
    "name\0"
    "attr\0"
    "tensorflow.FullTypeDef\0"
    "type_id\0"
    "args\0"
    "tensorflow.BundleHeaderProto\0"
    "num_shards\0"
    "endianness\0"
    "version\0"
    "tensorflow.BundleEntryProto\0"
    "dtype\0"
    "shard_id\0"
    "offset\0"
    "size\0"
    "crc32c\0"
    "slices\0"
    "tensorflow.SavedSliceMeta\0"
    "slice\0"
    "tensorflow.SavedTensorSliceMeta\0"
    "versions\0"
    "tensorflow.SavedSlice\0"
    "data\0"
    "tensorflow.SavedTensorSlices\0"
    "meta\0"
    "tensorflow.CheckpointState\0"
    "model_checkpoint_path\0"
    "all_model_checkpoint_paths\0"
    "all_model_checkpoint_timestamps\0"
    "last_preserved_timestamp\0"
    "tensorflow.SaverDef\0"
    "filename_tensor_name\0"
    "save_tensor_name\0"
    "restore_op_name\0"
    "max_to_keep\0"
    "sharded\0"
    "keep_checkpoint_every_n_hours\0"
    "tensorflow.TrackableObjectGraph\0"
    "nodes\0"
    "tensorflow.TrackableObjectGraph.TrackableObject\0"
    "children\0"
    "attributes\0"
    "slot_variables\0"
    "registered_saver\0"
    "has_checkpoint_values\0"
    "tensorflow.TrackableObjectGraph.TrackableObject.ObjectReference\0"
    "node_id\0"
    "local_name\0"
    "tensorflow.TrackableObjectGraph.TrackableObject.SerializedTensor\0"
    "full_name\0"
    "checkpoint_key\0"
    "tensorflow.TrackableObjectGraph.TrackableObject.SlotVariableReference\0"
    "original_variable_node_id\0"
    "slot_name\0"
    "slot_variable_node_id\0"
    "tensorflow.RegisteredSaver\0"
    "object_name\0"
    "tensorflow.ReaderBaseState\0"
    "work_started\0"
    "work_finished\0"
    "num_records_produced\0"
    "current_work\0"
    "tensorflow.JobDef\0"
    "tasks\0"
    "tensorflow.ClusterDef\0"
    "job\0"
    "tensorflow.RPCOptions\0"
    "use_rpc_for_inprocess_master\0"
    "compression_algorithm\0"
    "compression_level\0"
    "cache_rpc_response\0"
    "disable_session_connection_sharing\0"
    "num_channels_per_target\0"
    "tensorflow.CoordinatedJob\0"
    "num_tasks\0"
    "tensorflow.CoordinationServiceConfig\0"
    "service_type\0"
    "service_leader\0"
    "enable_health_check\0"
    "cluster_register_timeout_in_ms\0"
    "heartbeat_timeout_in_ms\0"
    "shutdown_barrier_timeout_in_ms\0"
    "agent_destruction_without_shutdown\0"
    "recoverable_jobs\0"
    "coordinated_job_list\0"
    "allow_new_incarnation_to_reconnect\0"
    "force_disable\0"
    "poll_for_error_from_service_at_startup\0"
    "cluster_register_with_barrier\0"
    "tensorflow.GPUOptions\0"
    "per_process_gpu_memory_fraction\0"
    "allocator_type\0"
    "deferred_deletion_bytes\0"
    "allow_growth\0"
    "visible_device_list\0"
    "polling_active_delay_usecs\0"
    "polling_inactive_delay_msecs\0"
    "force_gpu_compatible\0"
    "experimental\0"
    "tensorflow.GPUOptions.Experimental\0"
    "virtual_devices\0"
    "use_unified_memory\0"
    "num_dev_to_dev_copy_streams\0"
    "collective_ring_order\0"
    "timestamped_allocator\0"
    "kernel_tracker_max_interval\0"
    "kernel_tracker_max_bytes\0"
    "kernel_tracker_max_pending\0"
    "internal_fragmentation_fraction\0"
    "use_cuda_malloc_async\0"
    "disallow_retry_on_allocation_failure\0"
    "gpu_host_mem_limit_in_mb\0"
    "gpu_host_mem_disallow_growth\0"
    "num_virtual_devices_per_gpu\0"
    "gpu_system_memory_size_in_mb\0"
    "populate_pjrt_gpu_client_creation_info\0"
    "stream_merge_options\0"
    "tensorflow.GPUOptions.Experimental.VirtualDevices\0"
    "memory_limit_mb\0"
    "priority\0"
    "device_ordinal\0"
    "tensorflow.GPUOptions.Experimental.StreamMergeOptions\0"
    "merge_host_to_device_stream\0"
    "merge_device_to_host_stream\0"
    "merge_device_to_device_stream\0"
    "tensorflow.OptimizerOptions\0"
    "do_common_subexpression_elimination\0"
    "do_constant_folding\0"
    "opt_level\0"
    "do_function_inlining\0"
    "global_jit_level\0"
    "max_folded_constant_in_bytes\0"
    "cpu_global_jit\0"
    "tensorflow.GraphOptions\0"
    "enable_recv_scheduling\0"
    "optimizer_options\0"
    "build_cost_model\0"
    "infer_shapes\0"
    "place_pruned_graph\0"
    "enable_bfloat16_sendrecv\0"
    "timeline_step\0"
    "build_cost_model_after\0"
    "rewrite_options\0"
    "tensorflow.ThreadPoolOptionProto\0"
    "num_threads\0"
    "global_name\0"
    "tensorflow.SessionMetadata\0"
    "tensorflow.ConfigProto\0"
    "device_count\0"
    "intra_op_parallelism_threads\0"
    "placement_period\0"
    "device_filters\0"
    "inter_op_parallelism_threads\0"
    "gpu_options\0"
    "allow_soft_placement\0"
    "log_device_placement\0"
    "use_per_session_threads\0"
    "graph_options\0"
    "operation_timeout_in_ms\0"
    "session_inter_op_thread_pool\0"
    "rpc_options\0"
    "cluster_def\0"
    "isolate_session_state\0"
    "share_cluster_devices_in_session\0"
    "pluggable_device_options\0"
    "tensorflow.ConfigProto.Experimental\0"
    "collective_group_leader\0"
    "executor_type\0"
    "recv_buf_max_chunk\0"
    "use_numa_affinity\0"
    "collective_deterministic_sequential_execution\0"
    "collective_nccl\0"
    "share_session_state_in_clusterspec_propagation\0"
    "disable_thread_spinning\0"
    "session_metadata\0"
    "optimize_for_static_graph\0"
    "enable_mlir_bridge\0"
    "disable_output_partition_graphs\0"
    "xla_fusion_autotuner_thresh\0"
    "enable_mlir_graph_optimization\0"
    "mlir_bridge_rollout\0"
    "use_tfrt\0"
    "disable_functional_ops_lowering\0"
    "xla_prefer_single_graph_cluster\0"
    "coordination_config\0"
    "disable_optimize_for_static_graph\0"
    "disable_eager_executor_streaming_enqueue\0"
    "enable_multi_host\0"
    "backend_server_port\0"
    "target_tpu\0"
    "target_gpu\0"
    "stream_merge_threshold\0"
    "tfrt_use_ifrt\0"
    "finalize_function_library_runtime\0"
    "finalize_resource_manager\0"
    "tf2xla_dump_dir\0"
    "online_cost_analysis\0"
    "tensorflow.DebugTensorWatch\0"
    "node_name\0"
    "output_slot\0"
    "debug_ops\0"
    "debug_urls\0"
    "tolerate_debug_op_creation_failures\0"
    "tensorflow.DebugOptions\0"
    "debug_tensor_watch_opts\0"
    "global_step\0"
    "reset_disk_byte_usage\0"
    "tensorflow.DebuggedSourceFile\0"
    "host\0"
    "file_path\0"
    "last_modified\0"
    "bytes\0"
    "lines\0"
    "tensorflow.DebuggedSourceFiles\0"
    "source_files\0"
    "tensorflow.RunOptions\0"
    "trace_level\0"
    "timeout_in_ms\0"
    "inter_op_thread_pool\0"
    "output_partition_graphs\0"
    "debug_options\0"
    "report_tensor_allocations_upon_oom\0"
    "tensorflow.RunOptions.Experimental\0"
    "collective_graph_key\0"
    "use_run_handler_pool\0"
    "run_handler_pool_options\0"
    "tensorflow.RunOptions.Experimental.RunHandlerPoolOptions\0"
    "tensorflow.RunMetadata\0"
    "step_stats\0"
    "cost_graph\0"
    "partition_graphs\0"
    "function_graphs\0"
    "tensorflow.RunMetadata.FunctionGraphs\0"
    "pre_optimization_graph\0"
    "post_optimization_graph\0"
    "tensorflow.TensorConnection\0"
    "from_tensor\0"
    "to_tensor\0"
    "tensorflow.CallableOptions\0"
    "feed\0"
    "fetch\0"
    "target\0"
    "run_options\0"
    "tensor_connection\0"
    "feed_devices\0"
    "fetch_devices\0"
    "fetch_skip_sync\0"
    "tensorflow.BatchingOptions\0"
    "num_batch_threads\0"
    "max_batch_size\0"
    "batch_timeout_micros\0"
    "allowed_batch_sizes\0"
    "max_enqueued_batches\0"
    "tensorflow.data.CompressedComponentMetadata\0"
    "tensor_shape\0"
    "uncompressed_bytes\0"
    "tensorflow.data.CompressedElement\0"
    "component_metadata\0"
    "tensorflow.data.SnapshotMetadataRecord\0"
    "graph_hash\0"
    "run_id\0"
    "creation_timestamp\0"
    "num_elements\0"
    "finalized\0"
    "tensorflow.data.SnapshotRecord\0"
    "tensorflow.data.TensorMetadata\0"
    "tensor_size_bytes\0"
    "tensorflow.data.SnapshotTensorMetadata\0"
    "tensor_metadata\0"
    "tensorflow.InterconnectLink\0"
    "device_id\0"
    "strength\0"
    "tensorflow.LocalLinks\0"
    "link\0"
    "tensorflow.DeviceLocality\0"
    "bus_id\0"
    "numa_node\0"
    "links\0"
    "tensorflow.DeviceAttributes\0"
    "device_type\0"
    "memory_limit\0"
    "locality\0"
    "incarnation\0"
    "physical_device_desc\0"
    "xla_global_id\0"
    "tensorflow.eager.ResourceDtypeAndShape\0"
    "tensorflow.eager.RemoteTensorHandle\0"
    "op_id\0"
    "output_num\0"
    "device\0"
    "op_device\0"
    "resource_dtypes_and_shapes\0"
    "tensorflow.eager.Operation\0"
    "id\0"
    "control_op_ids\0"
    "attrs\0"
    "is_component_function\0"
    "func_step_id\0"
    "is_function\0"
    "op_inputs\0"
    "tensorflow.eager.Operation.Input\0"
    "remote_handle\0"
    "tensorflow.eager.QueueItem\0"
    "handle_to_decref\0"
    "operation\0"
    "send_tensor\0"
    "register_function\0"
    "cleanup_function\0"
    "sync_remote_executor_for_stream\0"
    "send_packed_handle\0"
    "remove_function\0"
    "tensorflow.eager.QueueResponse\0"
    "tensorflow.eager.CreateContextRequest\0"
    "server_def\0"
    "async\0"
    "keep_alive_secs\0"
    "version_def\0"
    "cluster_device_attributes\0"
    "context_id\0"
    "context_view_id\0"
    "lazy_copy_remote_function_inputs\0"
    "clear_existing_contexts\0"
    "tensorflow.eager.CreateContextResponse\0"
    "device_attributes\0"
    "tensorflow.eager.UpdateContextRequest\0"
    "tensorflow.eager.UpdateContextResponse\0"
    "tensorflow.eager.EnqueueRequest\0"
    "queue\0"
    "tensorflow.eager.EnqueueResponse\0"
    "queue_response\0"
    "tensorflow.eager.WaitQueueDoneRequest\0"
    "tensorflow.eager.WaitQueueDoneResponse\0"
    "tensorflow.eager.RunComponentFunctionRequest\0"
    "tensorflow.eager.RunComponentFunctionResponse\0"
    "tensorflow.eager.KeepAliveRequest\0"
    "tensorflow.eager.KeepAliveResponse\0"
    "tensorflow.eager.CloseContextRequest\0"
    "tensorflow.eager.CloseContextResponse\0"
    "tensorflow.eager.RegisterFunctionOp\0"
    "function_def\0"
    "library\0"
    "tensorflow.eager.RemoveFunctionOp\0"
    "function_name\0"
    "tensorflow.eager.CleanupFunctionOp\0"
    "step_id\0"
    "tensorflow.eager.SyncRemoteExecutorForStream\0"
    "tensorflow.eager.SendTensorOp\0"
    "tensors\0"
    "device_name\0"
    "tensorflow.eager.SendPackedHandleOp\0"
    "handles\0"
    "tensorflow.eager.SendPackedHandleOp.LocalTensorHandle\0"
    "tensorflow.eager.SendPackedHandleOp.Handle\0"
    "local_handle\0"
    "tensorflow.SummaryDescription\0"
    "type_hint\0"
    "tensorflow.SummaryMetadata\0"
    "plugin_data\0"
    "display_name\0"
    "summary_description\0"
    "data_class\0"
    "tensorflow.SummaryMetadata.PluginData\0"
    "plugin_name\0"
    "content\0"
    "tensorflow.Summary\0"
    "value\0"
    "tensorflow.Summary.Image\0"
    "height\0"
    "width\0"
    "colorspace\0"
    "encoded_image_string\0"
    "tensorflow.Summary.Audio\0"
    "sample_rate\0"
    "num_channels\0"
    "length_frames\0"
    "encoded_audio_string\0"
    "content_type\0"
    "tensorflow.Summary.Value\0"
    "tag\0"
    "simple_value\0"
    "obsolete_old_style_histogram\0"
    "image\0"
    "histo\0"
    "audio\0"
    "metadata\0"
    "tensorflow.HistogramProto\0"
    "min\0"
    "max\0"
    "num\0"
    "sum\0"
    "sum_squares\0"
    "bucket_limit\0"
    "bucket\0"
    "tensorflow.Event\0"
    "wall_time\0"
    "step\0"
    "file_version\0"
    "graph_def\0"
    "summary\0"
    "log_message\0"
    "session_log\0"
    "tagged_run_metadata\0"
    "meta_graph_def\0"
    "source_metadata\0"
    "tensorflow.SourceMetadata\0"
    "writer\0"
    "tensorflow.LogMessage\0"
    "level\0"
    "message\0"
    "tensorflow.SessionLog\0"
    "status\0"
    "checkpoint_path\0"
    "msg\0"
    "tensorflow.TaggedRunMetadata\0"
    "run_metadata\0"
    "tensorflow.WatchdogConfig\0"
    "timeout_ms\0"
    "tensorflow.RequestedExitCode\0"
    "exit_code\0"
    "tensorflow.WorkerHeartbeatRequest\0"
    "shutdown_mode\0"
    "watchdog_config\0"
    "tensorflow.WorkerHeartbeatResponse\0"
    "health_status\0"
    "worker_log\0"
    "hostname\0"
    "tensorflow.BytesList\0"
    "tensorflow.FloatList\0"
    "tensorflow.Int64List\0"
    "tensorflow.Feature\0"
    "bytes_list\0"
    "float_list\0"
    "int64_list\0"
    "tensorflow.Features\0"
    "feature\0"
    "tensorflow.FeatureList\0"
    "tensorflow.FeatureLists\0"
    "feature_list\0"
    "tensorflow.Example\0"
    "features\0"
    "tensorflow.SequenceExample\0"
    "context\0"
    "feature_lists\0"
    "sluice.ExplainRequest\0"
    "session_handle\0"
    "sluice.ExplainResponse\0"
    "sentence\0"
    "tensorflow.VersionDef\0"
    "producer\0"
    "min_consumer\0"
    "bad_consumers\0"
    "tensorflow.NodeDef\0"
    "op\0"
    "input\0"
    "experimental_debug_info\0"
    "experimental_type\0"
    "tensorflow.NodeDef.ExperimentalDebugInfo\0"
    "original_node_names\0"
    "original_func_names\0"
    "tensorflow.GraphDebugInfo\0"
    "files\0"
    "traces\0"
    "frames_by_id\0"
    "name_to_trace_id\0"
    "traces_by_id\0"
    "tensorflow.GraphDebugInfo.FileLineCol\0"
    "file_index\0"
    "line\0"
    "col\0"
    "code\0"
    "tensorflow.GraphDebugInfo.StackTrace\0"
    "file_line_cols\0"
    "frame_id\0"
    "tensorflow.FunctionDefLibrary\0"
    "function\0"
    "gradient\0"
    "registered_gradients\0"
    "tensorflow.FunctionDef\0"
    "signature\0"
    "node_def\0"
    "ret\0"
    "control_ret\0"
    "arg_attr\0"
    "resource_arg_unique_id\0"
    "tensorflow.FunctionDef.ArgAttrs\0"
    "tensorflow.GradientDef\0"
    "gradient_func\0"
    "tensorflow.RegisteredGradient\0"
    "registered_op_type\0"
    "tensorflow.GraphDef\0"
    "node\0"
    "debug_info\0"
    "tensorflow.CreateSessionRequest\0"
    "config\0"
    "tensorflow.CreateSessionResponse\0"
    "graph_version\0"
    "tensorflow.ExtendSessionRequest\0"
    "current_graph_version\0"
    "tensorflow.ExtendSessionResponse\0"
    "new_graph_version\0"
    "tensorflow.RunStepRequest\0"
    "options\0"
    "partial_run_handle\0"
    "store_errors_in_response_body\0"
    "request_id\0"
    "tensorflow.RunStepResponse\0"
    "status_code\0"
    "status_error_message\0"
    "tensorflow.PartialRunSetupRequest\0"
    "tensorflow.PartialRunSetupResponse\0"
    "tensorflow.CloseSessionRequest\0"
    "tensorflow.CloseSessionResponse\0"
    "tensorflow.ResetRequest\0"
    "container\0"
    "tensorflow.ResetResponse\0"
    "tensorflow.ListDevicesRequest\0"
    "tensorflow.ListDevicesResponse\0"
    "local_device\0"
    "remote_device\0"
    "tensorflow.MakeCallableRequest\0"
    "tensorflow.MakeCallableResponse\0"
    "handle\0"
    "tensorflow.RunCallableRequest\0"
    "tensorflow.RunCallableResponse\0"
    "tensorflow.ReleaseCallableRequest\0"
    "tensorflow.ReleaseCallableResponse\0"
    "tensorflow.OpDef\0"
    "input_arg\0"
    "output_arg\0"
    "description\0"
    "deprecation\0"
    "is_aggregate\0"
    "is_stateful\0"
    "is_commutative\0"
    "allows_uninitialized_input\0"
    "control_output\0"
    "is_distributed_communication\0"
    "tensorflow.OpDef.ArgDef\0"
    "type_attr\0"
    "number_attr\0"
    "type_list_attr\0"
    "handle_data\0"
    "is_ref\0"
    "experimental_full_type\0"
    "tensorflow.OpDef.AttrDef\0"
    "default_value\0"
    "has_minimum\0"
    "minimum\0"
    "allowed_values\0"
    "tensorflow.OpDeprecation\0"
    "explanation\0"
    "tensorflow.OpList\0"
    "tensorflow.ApiDef\0"
    "graph_op_name\0"
    "visibility\0"
    "endpoint\0"
    "in_arg\0"
    "out_arg\0"
    "description_prefix\0"
    "description_suffix\0"
    "arg_order\0"
    "deprecation_message\0"
    "deprecation_version\0"
    "tensorflow.ApiDef.Endpoint\0"
    "deprecated\0"
    "tensorflow.ApiDef.Arg\0"
    "rename_to\0"
    "tensorflow.ApiDef.Attr\0"
    "tensorflow.ApiDefs\0"
    "tensorflow.KernelDef\0"
    "constraint\0"
    "host_memory_arg\0"
    "label\0"
    "tensorflow.KernelDef.AttrConstraint\0"
    "tensorflow.KernelList\0"
    "kernel\0"
    "tensorflow.AutoParallelOptions\0"
    "enable\0"
    "num_replicas\0"
    "tensorflow.ScopedAllocatorOptions\0"
    "enable_op\0"
    "tensorflow.RewriterConfig\0"
    "layout_optimizer\0"
    "disable_model_pruning\0"
    "constant_folding\0"
    "memory_optimization\0"
    "auto_parallel\0"
    "memory_optimizer_target_node_name_scope\0"
    "arithmetic_optimization\0"
    "dependency_optimization\0"
    "loop_optimization\0"
    "function_optimization\0"
    "debug_stripper\0"
    "meta_optimizer_iterations\0"
    "shape_optimization\0"
    "remapping\0"
    "scoped_allocator_optimization\0"
    "scoped_allocator_opts\0"
    "min_graph_nodes\0"
    "pin_to_host_optimization\0"
    "disable_meta_optimizer\0"
    "meta_optimizer_timeout_ms\0"
    "fail_on_optimizer_errors\0"
    "implementation_selector\0"
    "auto_mixed_precision\0"
    "common_subgraph_elimination\0"
    "auto_mixed_precision_mkl\0"
    "experimental_disable_compressed_tensor_optimization\0"
    "experimental_disable_folding_quantization_emulation\0"
    "use_plugin_optimizers\0"
    "auto_mixed_precision_cpu\0"
    "experimental_conditional_code_motion\0"
    "auto_mixed_precision_onednn_bfloat16\0"
    "disable_tfg_optimizer\0"
    "cpu_layout_conversion\0"
    "optimizers\0"
    "custom_optimizers\0"
    "inter_optimizer_verifier_config\0"
    "post_optimization_verifier_config\0"
    "tensorflow.RewriterConfig.CustomGraphOptimizer\0"
    "parameter_map\0"
    "tensorflow.VerifierConfig\0"
    "verification_timeout_in_ms\0"
    "structure_verifier\0"
    "tensorflow.SavedModel\0"
    "saved_model_schema_version\0"
    "meta_graphs\0"
    "tensorflow.MetaGraphDef\0"
    "meta_info_def\0"
    "saver_def\0"
    "collection_def\0"
    "signature_def\0"
    "asset_file_def\0"
    "object_graph_def\0"
    "tensorflow.MetaGraphDef.MetaInfoDef\0"
    "meta_graph_version\0"
    "stripped_op_list\0"
    "any_info\0"
    "tags\0"
    "tensorflow_version\0"
    "tensorflow_git_version\0"
    "stripped_default_attrs\0"
    "function_aliases\0"
    "tensorflow.CollectionDef\0"
    "node_list\0"
    "any_list\0"
    "tensorflow.CollectionDef.NodeList\0"
    "tensorflow.CollectionDef.BytesList\0"
    "tensorflow.CollectionDef.Int64List\0"
    "tensorflow.CollectionDef.FloatList\0"
    "tensorflow.CollectionDef.AnyList\0"
    "tensorflow.TensorInfo\0"
    "coo_sparse\0"
    "composite_tensor\0"
    "tensorflow.TensorInfo.CooSparse\0"
    "values_tensor_name\0"
    "indices_tensor_name\0"
    "dense_shape_tensor_name\0"
    "tensorflow.TensorInfo.CompositeTensor\0"
    "type_spec\0"
    "components\0"
    "tensorflow.SignatureDef\0"
    "inputs\0"
    "outputs\0"
    "method_name\0"
    "defaults\0"
    "tensorflow.AssetFileDef\0"
    "tensor_info\0"
    "filename\0"
    "tensorflow.SavedObjectGraph\0"
    "concrete_functions\0"
    "tensorflow.SavedObject\0"
    "user_object\0"
    "asset\0"
    "variable\0"
    "bare_concrete_function\0"
    "constant\0"
    "resource\0"
    "saveable_objects\0"
    "captured_tensor\0"
    "registered_name\0"
    "serialized_user_proto\0"
    "dependencies\0"
    "tensorflow.SavedUserObject\0"
    "identifier\0"
    "tensorflow.SavedAsset\0"
    "asset_file_def_index\0"
    "tensorflow.SavedFunction\0"
    "function_spec\0"
    "tensorflow.CapturedTensor\0"
    "concrete_function\0"
    "tensorflow.SavedConcreteFunction\0"
    "bound_inputs\0"
    "canonicalized_input_signature\0"
    "output_signature\0"
    "tensorflow.SavedBareConcreteFunction\0"
    "concrete_function_name\0"
    "argument_keywords\0"
    "allowed_positional_arguments\0"
    "tensorflow.SavedConstant\0"
    "tensorflow.SavedVariable\0"
    "trainable\0"
    "synchronization\0"
    "aggregation\0"
    "experimental_distributed_variable_components\0"
    "tensorflow.FunctionSpec\0"
    "fullargspec\0"
    "is_method\0"
    "input_signature\0"
    "jit_compile\0"
    "tensorflow.SavedResource\0"
    "tensorflow.SaveableObject\0"
    "save_function\0"
    "restore_function\0"
    "tensorflow.FingerprintDef\0"
    "saved_model_checksum\0"
    "graph_def_program_hash\0"
    "signature_def_hash\0"
    "saved_object_graph_hash\0"
    "checkpoint_hash\0"
    "uuid\0"
    "tensorflow.ServerDef\0"
    "cluster\0"
    "job_name\0"
    "task_index\0"
    "default_session_config\0"
    "protocol\0"
    "port\0"
    "cluster_device_filters\0"
    "replica\0"
    "tensorflow.TaskDeviceFilters\0"
    "tensorflow.JobDeviceFilters\0"
    "tensorflow.ClusterDeviceFilters\0"
    "jobs\0"
    "tensorflow.serving.ModelSpec\0"
    "signature_name\0"
    "version_label\0"
    "tensorflow.serving.PredictRequest\0"
    "model_spec\0"
    "output_filter\0"
    "tensorflow.serving.PredictResponse\0"
    "tensorflow.serving.ExampleList\0"
    "examples\0"
    "tensorflow.serving.ExampleListWithContext\0"
    "tensorflow.serving.Input\0"
    "example_list\0"
    "example_list_with_context\0"
    "tensorflow.serving.Class\0"
    "score\0"
    "tensorflow.serving.Classifications\0"
    "classes\0"
    "tensorflow.serving.ClassificationResult\0"
    "classifications\0"
    "tensorflow.serving.ClassificationRequest\0"
    "tensorflow.serving.ClassificationResponse\0"
    "result\0"
    "tensorflow.serving.Regression\0"
    "tensorflow.serving.RegressionResult\0"
    "regressions\0"
    "tensorflow.serving.RegressionRequest\0"
    "tensorflow.serving.RegressionResponse\0"
    "tensorflow.serving.SignatureDefMap\0"
    "tensorflow.serving.GetModelMetadataRequest\0"
    "metadata_field\0"
    "tensorflow.serving.GetModelMetadataResponse\0"
    "tensorflow.serving.StatusProto\0"
    "error_code\0"
    "error_message\0"
    "tensorflow.serving.GetModelStatusRequest\0"
    "tensorflow.serving.ModelVersionStatus\0"
    "state\0"
    "tensorflow.serving.GetModelStatusResponse\0"
    "model_version_status\0"
    "tensorflow.serving.InferenceTask\0"
    "tensorflow.serving.InferenceResult\0"
    "classification_result\0"
    "regression_result\0"
    "tensorflow.serving.MultiInferenceRequest\0"
    "tensorflow.serving.MultiInferenceResponse\0"
    "results\0"
    "tensorflow.serving.ServableVersionPolicy\0"
    "latest\0"
    "all\0"
    "specific\0"
    "tensorflow.serving.ServableVersionPolicy.Latest\0"
    "num_versions\0"
    "tensorflow.serving.ServableVersionPolicy.All\0"
    "tensorflow.serving.ServableVersionPolicy.Specific\0"
    "tensorflow.serving.ModelConfig\0"
    "base_path\0"
    "model_platform\0"
    "model_version_policy\0"
    "version_labels\0"
    "tensorflow.serving.ModelConfigList\0"
    "tensorflow.serving.ModelServerConfig\0"
    "model_config_list\0"
    "tensorflow.CppShapeInferenceResult\0"
    "tensorflow.CppShapeInferenceResult.HandleShapeAndType\0"
    "tensorflow.CppShapeInferenceResult.HandleData\0"
    "is_set\0"
    "shape_and_type\0"
    "tensorflow.AllocationDescription\0"
    "requested_bytes\0"
    "allocated_bytes\0"
    "allocator_name\0"
    "allocation_id\0"
    "has_single_reference\0"
    "ptr\0"
    "tensorflow.TensorDescription\0"
    "allocation_description\0"
    "tensorflow.AllocationRecord\0"
    "alloc_micros\0"
    "alloc_bytes\0"
    "tensorflow.AllocatorMemoryUsed\0"
    "total_bytes\0"
    "peak_bytes\0"
    "live_bytes\0"
    "allocator_bytes_in_use\0"
    "allocation_records\0"
    "tensorflow.NodeOutput\0"
    "slot\0"
    "tensor_description\0"
    "tensorflow.MemoryStats\0"
    "temp_memory_size\0"
    "device_temp_memory_size\0"
    "persistent_memory_size\0"
    "device_persistent_memory_size\0"
    "persistent_tensor_alloc_ids\0"
    "device_persistent_tensor_alloc_ids\0"
    "tensorflow.NodeExecStats\0"
    "all_start_micros\0"
    "op_start_rel_micros\0"
    "op_end_rel_micros\0"
    "all_end_rel_micros\0"
    "memory\0"
    "output\0"
    "timeline_label\0"
    "scheduled_micros\0"
    "thread_id\0"
    "referenced_tensor\0"
    "memory_stats\0"
    "all_start_nanos\0"
    "op_start_rel_nanos\0"
    "op_end_rel_nanos\0"
    "all_end_rel_nanos\0"
    "scheduled_nanos\0"
    "tensorflow.DeviceStepStats\0"
    "node_stats\0"
    "thread_names\0"
    "tensorflow.StepStats\0"
    "dev_stats\0"
    "tensorflow.CostGraphDef\0"
    "cost\0"
    "tensorflow.CostGraphDef.Node\0"
    "input_info\0"
    "output_info\0"
    "temporary_memory_size\0"
    "is_final\0"
    "control_input\0"
    "compute_cost\0"
    "host_temp_memory_size\0"
    "compute_time\0"
    "memory_time\0"
    "inaccurate\0"
    "tensorflow.CostGraphDef.Node.InputInfo\0"
    "preceding_node\0"
    "preceding_port\0"
    "tensorflow.CostGraphDef.Node.OutputInfo\0"
    "alias_input_port\0"
    "tensorflow.CostGraphDef.AggregatedCost\0"
    "dimension\0"
    "tensorflow.MemoryLogStep\0"
    "tensorflow.MemoryLogTensorAllocation\0"
    "kernel_name\0"
    "tensorflow.MemoryLogTensorDeallocation\0"
    "tensorflow.MemoryLogTensorOutput\0"
    "index\0"
    "tensorflow.MemoryLogRawAllocation\0"
    "num_bytes\0"
    "tensorflow.MemoryLogRawDeallocation\0"
    "deferred\0"
    "tensorflow.StatusProto\0"
    "payload\0"
    "tensorflow.StructuredValue\0"
    "none_value\0"
    "float64_value\0"
    "int64_value\0"
    "string_value\0"
    "bool_value\0"
    "tensor_shape_value\0"
    "tensor_dtype_value\0"
    "tensor_spec_value\0"
    "type_spec_value\0"
    "bounded_tensor_spec_value\0"
    "list_value\0"
    "tuple_value\0"
    "dict_value\0"
    "named_tuple_value\0"
    "tensor_value\0"
    "numpy_value\0"
    "tensorflow.NoneValue\0"
    "tensorflow.ListValue\0"
    "values\0"
    "tensorflow.TupleValue\0"
    "tensorflow.DictValue\0"
    "fields\0"
    "tensorflow.PairValue\0"
    "key\0"
    "tensorflow.NamedTupleValue\0"
    "tensorflow.TensorSpecProto\0"
    "tensorflow.BoundedTensorSpecProto\0"
    "maximum\0"
    "tensorflow.TypeSpecProto\0"
    "type_spec_class\0"
    "type_state\0"
    "type_spec_class_name\0"
    "num_flat_components\0"
    "tensorflow.CompositeTensorVariantMetadata\0"
    "type_spec_proto\0"
    "tensorflow.TensorShapeProto\0"
    "dim\0"
    "unknown_rank\0"
    "tensorflow.TensorShapeProto.Dim\0"
    "tensorflow.ResourceHandleProto\0"
    "hash_code\0"
    "maybe_type_name\0"
    "dtypes_and_shapes\0"
    "tensorflow.ResourceHandleProto.DtypeAndShape\0"
    "tensorflow.TensorProto\0"
    "version_number\0"
    "tensor_content\0"
    "float_val\0"
    "double_val\0"
    "int_val\0"
    "string_val\0"
    "scomplex_val\0"
    "int64_val\0"
    "bool_val\0"
    "dcomplex_val\0"
    "half_val\0"
    "resource_handle_val\0"
    "variant_val\0"
    "uint32_val\0"
    "uint64_val\0"
    "float8_val\0"
    "tensorflow.VariantTensorDataProto\0"
    "type_name\0"
    "tensorflow.NamedTensorProto\0"
    "tensorflow.TensorSliceProto\0"
    "extent\0"
    "tensorflow.TensorSliceProto.Extent\0"
    "start\0"
    "length\0"
    "tensorflow.SerializedDType\0"
    "datatype\0"
    "tensorflow.VariableDef\0"
    "variable_name\0"
    "initializer_name\0"
    "snapshot_name\0"
    "save_slice_info_def\0"
    "is_resource\0"
    "initial_value_name\0"
    "tensorflow.SaveSliceInfoDef\0"
    "full_shape\0"
    "var_offset\0"
    "var_shape\0"
    "tensorflow.QueueRunnerDef\0"
    "queue_name\0"
    "enqueue_op_name\0"
    "close_op_name\0"
    "cancel_op_name\0"
    "queue_closed_exception_types\0"
    "tensorflow.ValuesDef\0"
    "external_values\0"
    "tensorflow.ControlFlowContextDef\0"
    "cond_ctxt\0"
    "while_ctxt\0"
    "tensorflow.CondContextDef\0"
    "context_name\0"
    "pred_name\0"
    "pivot_name\0"
    "branch\0"
    "values_def\0"
    "nested_contexts\0"
    "tensorflow.WhileContextDef\0"
    "parallel_iterations\0"
    "back_prop\0"
    "swap_memory\0"
    "pivot_for_pred_name\0"
    "pivot_for_body_name\0"
    "loop_exit_names\0"
    "loop_enter_names\0"
    "maximum_iterations_name\0"
    "google.protobuf.Any\0"
    "type_url\0"
    "google.protobuf.BoolValue\0"
    "google.protobuf.Int64Value\0"
    "tensorflow.GetStatusRequest\0"
    "tensorflow.GetStatusResponse\0"
    "tensorflow.CreateWorkerSessionRequest\0"
    "master_task\0"
    "master_incarnation\0"
    "tensorflow.CreateWorkerSessionResponse\0"
    "tensorflow.DeleteWorkerSessionRequest\0"
    "tensorflow.DeleteWorkerSessionResponse\0"
    "tensorflow.RegisterGraphRequest\0"
    "has_control_flow\0"
    "create_worker_session_called\0"
    "config_proto\0"
    "tensorflow.RegisterGraphResponse\0"
    "graph_handle\0"
    "tensorflow.DeregisterGraphRequest\0"
    "tensorflow.DeregisterGraphResponse\0"
    "tensorflow.CleanupAllRequest\0"
    "tensorflow.CleanupAllResponse\0"
    "tensorflow.ExecutorOpts\0"
    "record_costs\0"
    "record_timeline\0"
    "record_partition_graphs\0"
    "tensorflow.RunGraphRequest\0"
    "send\0"
    "recv_key\0"
    "exec_opts\0"
    "is_partial\0"
    "is_last_partial_run\0"
    "tensorflow.RunGraphResponse\0"
    "recv\0"
    "partition_graph\0"
    "tensorflow.CleanupGraphRequest\0"
    "tensorflow.CleanupGraphResponse\0"
    "tensorflow.RecvTensorRequest\0"
    "rendezvous_key\0"
    "dma_ok\0"
    "client_locality\0"
    "server_locality\0"
    "transport_options\0"
    "tensorflow.RecvTensorResponse\0"
    "is_dead\0"
    "send_start_micros\0"
    "require_ack\0"
    "tensorflow.MarkRecvFinishedRequest\0"
    "tensorflow.MarkRecvFinishedResponse\0"
    "tensorflow.LoggingRequest\0"
    "enable_rpc_logging\0"
    "clear\0"
    "fetch_step_id\0"
    "disable_rpc_logging\0"
    "tensorflow.LabeledStepStats\0"
    "tensorflow.LoggingResponse\0"
    "tensorflow.TraceOpts\0"
    "duration\0"
    "use_step_profiler\0"
    "use_kernel_profiler\0"
    "use_extended_profiler\0"
    "use_gpu_profiler\0"
    "use_sample_profiler\0"
    "tensorflow.TracingRequest\0"
    "tensorflow.TracingResponse\0"
    "tensorflow.RecvBufRequest\0"
    "buf_rendezvous_key\0"
    "buf_ptr\0"
    "src_device\0"
    "dst_device\0"
    "src_incarnation\0"
    "tensorflow.RecvBufResponse\0"
    "tensorflow.CompleteGroupRequest\0"
    "group_key\0"
    "group_size\0"
    "collective_type\0"
    "is_own_kind\0"
    "tensorflow.CompleteGroupResponse\0"
    "communicator_key\0"
    "tensorflow.CompleteInstanceRequest\0"
    "data_type\0"
    "instance_key\0"
    "subdiv_offset\0"
    "is_source\0"
    "frame\0"
    "iteration\0"
    "part\0"
    "tensorflow.CompleteInstanceResponse\0"
    "source_rank\0"
    "tensorflow.CollectivePart\0"
    "tensorflow.GetStepSequenceRequest\0"
    "graph_key\0"
    "tensorflow.StepSequence\0"
    "next_step_id\0"
    "tensorflow.GetStepSequenceResponse\0"
    "step_sequence\0"
    "tensorflow.RecvBufRespExtra\0"
    "map<fixed64, tensorflow.GraphDebugInfo.FileLineCol>\0"
    "map<fixed64, tensorflow.GraphDebugInfo.StackTrace>\0"
    "map<int32, tensorflow.TaskDeviceFilters>\0"
    "map<int32, string>\0"
    "map<string, google.protobuf.Any>\0"
    "map<string, tensorflow.AttrValue>\0"
    "map<string, tensorflow.CollectionDef>\0"
    "map<string, tensorflow.Feature>\0"
    "map<string, tensorflow.FeatureList>\0"
    "map<string, tensorflow.GraphDebugInfo.StackTrace>\0"
    "map<string, tensorflow.SaveableObject>\0"
    "map<string, tensorflow.SavedConcreteFunction>\0"
    "map<string, tensorflow.SignatureDef>\0"
    "map<string, tensorflow.StructuredValue>\0"
    "map<string, tensorflow.TensorInfo>\0"
    "map<string, tensorflow.TensorProto>\0"
    "map<string, bytes>\0"
    "map<string, fixed64>\0"
    "map<string, int32>\0"
    "map<string, int64>\0"
    "map<string, string>\0"
    "map<uint32, tensorflow.FunctionDef.ArgAttrs>\0"
    "map<uint32, string>\0"
    "map<uint32, uint32>\0"
    "tensorflow.FullTypeId\0"
    "TFT_UNSET\0"
    "TFT_VAR\0"
    "TFT_ANY\0"
    "TFT_PRODUCT\0"
    "TFT_NAMED\0"
    "TFT_FOR_EACH\0"
    "TFT_CALLABLE\0"
    "TFT_BOOL\0"
    "TFT_UINT8\0"
    "TFT_UINT16\0"
    "TFT_UINT32\0"
    "TFT_UINT64\0"
    "TFT_INT8\0"
    "TFT_INT16\0"
    "TFT_INT32\0"
    "TFT_INT64\0"
    "TFT_HALF\0"
    "TFT_FLOAT\0"
    "TFT_DOUBLE\0"
    "TFT_COMPLEX64\0"
    "TFT_COMPLEX128\0"
    "TFT_STRING\0"
    "TFT_BFLOAT16\0"
    "TFT_TENSOR\0"
    "TFT_ARRAY\0"
    "TFT_OPTIONAL\0"
    "TFT_LITERAL\0"
    "TFT_ENCODED\0"
    "TFT_SHAPE_TENSOR\0"
    "TFT_DATASET\0"
    "TFT_RAGGED\0"
    "TFT_ITERATOR\0"
    "TFT_MUTEX_LOCK\0"
    "TFT_LEGACY_VARIANT\0"
    "tensorflow.BundleHeaderProto.Endianness\0"
    "LITTLE\0"
    "BIG\0"
    "tensorflow.SaverDef.CheckpointFormatVersion\0"
    "LEGACY\0"
    "V1\0"
    "V2\0"
    "tensorflow.OptimizerOptions.Level\0"
    "L0\0"
    "L1\0"
    "tensorflow.OptimizerOptions.GlobalJitLevel\0"
    "OFF\0"
    "DEFAULT\0"
    "ON_1\0"
    "ON_2\0"
    "tensorflow.ConfigProto.Experimental.MlirBridgeRollout\0"
    "MLIR_BRIDGE_ROLLOUT_UNSPECIFIED\0"
    "MLIR_BRIDGE_ROLLOUT_ENABLED\0"
    "MLIR_BRIDGE_ROLLOUT_DISABLED\0"
    "tensorflow.RunOptions.TraceLevel\0"
    "NO_TRACE\0"
    "SOFTWARE_TRACE\0"
    "HARDWARE_TRACE\0"
    "FULL_TRACE\0"
    "tensorflow.error.Code\0"
    "OK\0"
    "CANCELLED\0"
    "UNKNOWN\0"
    "INVALID_ARGUMENT\0"
    "DEADLINE_EXCEEDED\0"
    "NOT_FOUND\0"
    "ALREADY_EXISTS\0"
    "PERMISSION_DENIED\0"
    "RESOURCE_EXHAUSTED\0"
    "FAILED_PRECONDITION\0"
    "ABORTED\0"
    "OUT_OF_RANGE\0"
    "UNIMPLEMENTED\0"
    "INTERNAL\0"
    "UNAVAILABLE\0"
    "DATA_LOSS\0"
    "UNAUTHENTICATED\0"
    "DO_NOT_USE_RESERVED_FOR_FUTURE_EXPANSION_USE_DEFAULT_IN_SWITCH_INSTEAD_\0"
    "tensorflow.DataClass\0"
    "DATA_CLASS_UNKNOWN\0"
    "DATA_CLASS_SCALAR\0"
    "DATA_CLASS_TENSOR\0"
    "DATA_CLASS_BLOB_SEQUENCE\0"
    "tensorflow.LogMessage.Level\0"
    "DEBUGGING\0"
    "INFO\0"
    "WARN\0"
    "ERROR\0"
    "FATAL\0"
    "tensorflow.SessionLog.SessionStatus\0"
    "STATUS_UNSPECIFIED\0"
    "START\0"
    "STOP\0"
    "CHECKPOINT\0"
    "tensorflow.WorkerHealth\0"
    "RECEIVED_SHUTDOWN_SIGNAL\0"
    "INTERNAL_ERROR\0"
    "SHUTTING_DOWN\0"
    "tensorflow.WorkerShutdownMode\0"
    "NOT_CONFIGURED\0"
    "WAIT_FOR_COORDINATOR\0"
    "SHUTDOWN_AFTER_TIMEOUT\0"
    "tensorflow.ApiDef.Visibility\0"
    "DEFAULT_VISIBILITY\0"
    "VISIBLE\0"
    "SKIP\0"
    "HIDDEN\0"
    "tensorflow.RewriterConfig.Toggle\0"
    "ON\0"
    "AGGRESSIVE\0"
    "EXPERIMENTAL_MLIR\0"
    "EXPERIMENTAL_BOTH\0"
    "tensorflow.RewriterConfig.CpuLayout\0"
    "NO_CONVERSION_ON_CPU\0"
    "NCHW_TO_NHWC\0"
    "NHWC_TO_NCHW\0"
    "tensorflow.RewriterConfig.NumIterationsType\0"
    "DEFAULT_NUM_ITERS\0"
    "ONE\0"
    "TWO\0"
    "tensorflow.RewriterConfig.MemOptType\0"
    "DEFAULT_MEM_OPT\0"
    "NO_MEM_OPT\0"
    "MANUAL\0"
    "HEURISTICS\0"
    "SWAPPING_HEURISTICS\0"
    "RECOMPUTATION_HEURISTICS\0"
    "SCHEDULING_HEURISTICS\0"
    "tensorflow.VerifierConfig.Toggle\0"
    "tensorflow.FunctionSpec.JitCompile\0"
    "tensorflow.serving.ModelVersionStatus.State\0"
    "LOADING\0"
    "AVAILABLE\0"
    "UNLOADING\0"
    "END\0"
    "tensorflow.TypeSpecProto.TypeSpecClass\0"
    "SPARSE_TENSOR_SPEC\0"
    "INDEXED_SLICES_SPEC\0"
    "RAGGED_TENSOR_SPEC\0"
    "TENSOR_ARRAY_SPEC\0"
    "DATA_DATASET_SPEC\0"
    "DATA_ITERATOR_SPEC\0"
    "OPTIONAL_SPEC\0"
    "PER_REPLICA_SPEC\0"
    "VARIABLE_SPEC\0"
    "ROW_PARTITION_SPEC\0"
    "REGISTERED_TYPE_SPEC\0"
    "EXTENSION_TYPE_SPEC\0"
    "tensorflow.DataType\0"
    "DT_INVALID\0"
    "DT_FLOAT\0"
    "DT_DOUBLE\0"
    "DT_INT32\0"
    "DT_UINT8\0"
    "DT_INT16\0"
    "DT_INT8\0"
    "DT_STRING\0"
    "DT_COMPLEX64\0"
    "DT_INT64\0"
    "DT_BOOL\0"
    "DT_QINT8\0"
    "DT_QUINT8\0"
    "DT_QINT32\0"
    "DT_BFLOAT16\0"
    "DT_QINT16\0"
    "DT_QUINT16\0"
    "DT_UINT16\0"
    "DT_COMPLEX128\0"
    "DT_HALF\0"
    "DT_RESOURCE\0"
    "DT_VARIANT\0"
    "DT_UINT32\0"
    "DT_UINT64\0"
    "DT_FLOAT8_E5M2\0"
    "DT_FLOAT8_E4M3FN\0"
    "DT_FLOAT8_E4M3FNUZ\0"
    "DT_FLOAT8_E4M3B11FNUZ\0"
    "DT_FLOAT8_E5M2FNUZ\0"
    "DT_INT4\0"
    "DT_UINT4\0"
    "DT_INT2\0"
    "DT_UINT2\0"
    "DT_FLOAT4_E2M1FN\0"
    "DT_FLOAT_REF\0"
    "DT_DOUBLE_REF\0"
    "DT_INT32_REF\0"
    "DT_UINT8_REF\0"
    "DT_INT16_REF\0"
    "DT_INT8_REF\0"
    "DT_STRING_REF\0"
    "DT_COMPLEX64_REF\0"
    "DT_INT64_REF\0"
    "DT_BOOL_REF\0"
    "DT_QINT8_REF\0"
    "DT_QUINT8_REF\0"
    "DT_QINT32_REF\0"
    "DT_BFLOAT16_REF\0"
    "DT_QINT16_REF\0"
    "DT_QUINT16_REF\0"
    "DT_UINT16_REF\0"
    "DT_COMPLEX128_REF\0"
    "DT_HALF_REF\0"
    "DT_RESOURCE_REF\0"
    "DT_VARIANT_REF\0"
    "DT_UINT32_REF\0"
    "DT_UINT64_REF\0"
    "DT_FLOAT8_E5M2_REF\0"
    "DT_FLOAT8_E4M3FN_REF\0"
    "DT_FLOAT8_E4M3FNUZ_REF\0"
    "DT_FLOAT8_E4M3B11FNUZ_REF\0"
    "DT_FLOAT8_E5M2FNUZ_REF\0"
    "DT_INT4_REF\0"
    "DT_UINT4_REF\0"
    "DT_INT2_REF\0"
    "DT_UINT2_REF\0"
    "DT_FLOAT4_E2M1FN_REF\0"
    "tensorflow.VariableSynchronization\0"
    "VARIABLE_SYNCHRONIZATION_AUTO\0"
    "VARIABLE_SYNCHRONIZATION_NONE\0"
    "VARIABLE_SYNCHRONIZATION_ON_WRITE\0"
    "VARIABLE_SYNCHRONIZATION_ON_READ\0"
    "tensorflow.VariableAggregation\0"
    "VARIABLE_AGGREGATION_NONE\0"
    "VARIABLE_AGGREGATION_SUM\0"
    "VARIABLE_AGGREGATION_MEAN\0"
    "VARIABLE_AGGREGATION_ONLY_FIRST_REPLICA\0";
