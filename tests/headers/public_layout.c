/* Sizes, field offsets and numbers that programs compiled against the original rely on (64-bit machines). Compiled as C
 * and as C++; nothing here runs. */
#include <assert.h>
#include <stddef.h>

#include "all_public_headers.h"

#define SIZE(type, bytes)      static_assert(sizeof(type) == (bytes), #type)
#define FIELD(type, field, at) static_assert(offsetof(type, field) == (at), #type "." #field)
#define NUMBER(name, value)    static_assert((int)(name) == (value), #name)

SIZE(void *, 8);
SIZE(TF_Bool, 1);

SIZE(TF_Buffer, 24);
FIELD(TF_Buffer, data, 0);
FIELD(TF_Buffer, length, 8);
FIELD(TF_Buffer, data_deallocator, 16);

SIZE(TF_Output, 16);
FIELD(TF_Output, oper, 0);
FIELD(TF_Output, index, 8);
SIZE(TF_Input, 16);
FIELD(TF_Input, oper, 0);
FIELD(TF_Input, index, 8);

SIZE(TF_StringView, 16);
FIELD(TF_StringView, data, 0);
FIELD(TF_StringView, len, 8);

SIZE(TF_AttrMetadata, 32);
FIELD(TF_AttrMetadata, is_list, 0);
FIELD(TF_AttrMetadata, list_size, 8);
FIELD(TF_AttrMetadata, type, 16);
FIELD(TF_AttrMetadata, total_size, 24);

SIZE(TF_WhileParams, 72);
FIELD(TF_WhileParams, ninputs, 0);
FIELD(TF_WhileParams, cond_graph, 8);
FIELD(TF_WhileParams, cond_inputs, 16);
FIELD(TF_WhileParams, cond_output, 24);
FIELD(TF_WhileParams, body_graph, 40);
FIELD(TF_WhileParams, body_inputs, 48);
FIELD(TF_WhileParams, body_outputs, 56);
FIELD(TF_WhileParams, name, 64);

SIZE(TF_AllocatorAttributes, 16);
FIELD(TF_AllocatorAttributes, on_host, 8);
NUMBER(TF_ALLOCATOR_ATTRIBUTES_STRUCT_SIZE, 9);

SIZE(TF_FileStatistics, 24);
FIELD(TF_FileStatistics, length, 0);
FIELD(TF_FileStatistics, mtime_nsec, 8);
FIELD(TF_FileStatistics, is_directory, 16);

SIZE(TF_ThreadOptions, 24);
FIELD(TF_ThreadOptions, stack_size, 0);
FIELD(TF_ThreadOptions, guard_size, 8);
FIELD(TF_ThreadOptions, numa_node, 16);

SIZE(TF_InputRange_Args, 32);
FIELD(TF_InputRange_Args, priv, 8);
FIELD(TF_InputRange_Args, start, 16);
FIELD(TF_InputRange_Args, stop, 20);
FIELD(TF_InputRange_Args, status, 24);
NUMBER(TF_InputRange_Args_STRUCT_SIZE, 32);

SIZE(TF_ShapeAndType, 24);
FIELD(TF_ShapeAndType, dims, 8);
FIELD(TF_ShapeAndType, dtype, 16);
SIZE(TF_ShapeAndTypeList, 16);
FIELD(TF_ShapeAndTypeList, items, 8);

SIZE(TFE_CancelCallback, 16);
SIZE(TFE_CancellationToken, 8);
SIZE(TFE_CustomDevice, 56);
FIELD(TFE_CustomDevice, version, 0);
FIELD(TFE_CustomDevice, copy_tensor_to_device, 8);
FIELD(TFE_CustomDevice, copy_tensor_from_device, 16);
FIELD(TFE_CustomDevice, execute, 24);
FIELD(TFE_CustomDevice, delete_device, 32);
FIELD(TFE_CustomDevice, pack, 40);
FIELD(TFE_CustomDevice, shall_pin_to_this_device, 48);
SIZE(TFE_CustomDeviceTensorHandle, 40);
FIELD(TFE_CustomDeviceTensorHandle, num_dims, 8);
FIELD(TFE_CustomDeviceTensorHandle, dim, 16);
FIELD(TFE_CustomDeviceTensorHandle, deallocator, 24);
FIELD(TFE_CustomDeviceTensorHandle, summarize, 32);

SIZE(TFDevice_AllocatorAttributes, 8);
SIZE(TF_RendezvousArgsStruct, 24);
FIELD(TF_RendezvousArgsStruct, alloc_attrs, 8);
FIELD(TF_RendezvousArgsStruct, cancellation_manager, 16);
SIZE(TF_RendezvousParsedKey, 16);
SIZE(TF_RendezvousSend_Params, 40);
FIELD(TF_RendezvousSend_Params, tensor, 16);
FIELD(TF_RendezvousSend_Params, is_dead, 24);
FIELD(TF_RendezvousSend_Params, status, 32);
SIZE(TF_RendezvousDoneCallback_Params, 32);
FIELD(TF_RendezvousDoneCallback_Params, is_dead, 24);
SIZE(TF_RendezvousDoneCallbackImpl, 16);
SIZE(TF_RendezvousAsyncRecv_Params, 40);
FIELD(TF_RendezvousAsyncRecv_Params, on_done, 24);
SIZE(TF_RendezvousThunk, 32);
FIELD(TF_RendezvousThunk, send_func, 8);
FIELD(TF_RendezvousThunk, async_recv_func, 16);
FIELD(TF_RendezvousThunk, start_abort_func, 24);

SIZE(TF_TString, 24);
SIZE(TF_TString_Union, 24);
SIZE(TF_TString_Small, 24);
FIELD(TF_TString_Small, str, 1);
FIELD(TF_TString_Large, cap, 8);
FIELD(TF_TString_Large, ptr, 16);
SIZE(TF_TString_Offset, 12);
FIELD(TF_TString_Offset, offset, 4);
FIELD(TF_TString_Offset, count, 8);
FIELD(TF_TString_View, ptr, 8);
FIELD(TF_TString_View, owner_ref, 16);
SIZE(TStringOwnerCApi, 24);
FIELD(TStringOwnerCApi, unref, 8);
FIELD(TStringOwnerCApi, obj, 16);
NUMBER(TF_TString_SmallCapacity, 22);
NUMBER(TF_TSTR_SMALL, 0);
NUMBER(TF_TSTR_LARGE, 1);
NUMBER(TF_TSTR_OFFSET, 2);
NUMBER(TF_TSTR_VIEW, 3);
NUMBER(TF_TSTR_TYPE_MASK, 3);

/* Enums are passed as int. */
SIZE(TF_DataType, 4);
SIZE(TF_Code, 4);
SIZE(TF_AttrType, 4);
SIZE(TF_TString_Type, 4);
SIZE(TFE_ContextDevicePlacementPolicy, 4);
SIZE(TF_LogLevel, 4);

NUMBER(TF_FLOAT, 1);
NUMBER(TF_DOUBLE, 2);
NUMBER(TF_INT32, 3);
NUMBER(TF_UINT8, 4);
NUMBER(TF_INT16, 5);
NUMBER(TF_INT8, 6);
NUMBER(TF_STRING, 7);
NUMBER(TF_COMPLEX64, 8);
NUMBER(TF_COMPLEX, 8);
NUMBER(TF_INT64, 9);
NUMBER(TF_BOOL, 10);
NUMBER(TF_QINT8, 11);
NUMBER(TF_QUINT8, 12);
NUMBER(TF_QINT32, 13);
NUMBER(TF_BFLOAT16, 14);
NUMBER(TF_QINT16, 15);
NUMBER(TF_QUINT16, 16);
NUMBER(TF_UINT16, 17);
NUMBER(TF_COMPLEX128, 18);
NUMBER(TF_HALF, 19);
NUMBER(TF_RESOURCE, 20);
NUMBER(TF_VARIANT, 21);
NUMBER(TF_UINT32, 22);
NUMBER(TF_UINT64, 23);
NUMBER(TF_FLOAT8_E5M2, 24);
NUMBER(TF_FLOAT8_E4M3FN, 25);
NUMBER(TF_FLOAT8_E4M3FNUZ, 26);
NUMBER(TF_FLOAT8_E4M3B11FNUZ, 27);
NUMBER(TF_FLOAT8_E5M2FNUZ, 28);
NUMBER(TF_INT4, 29);
NUMBER(TF_UINT4, 30);
NUMBER(TF_INT2, 31);
NUMBER(TF_UINT2, 32);
NUMBER(TF_FLOAT4_E2M1FN, 33);

NUMBER(TF_OK, 0);
NUMBER(TF_CANCELLED, 1);
NUMBER(TF_UNKNOWN, 2);
NUMBER(TF_INVALID_ARGUMENT, 3);
NUMBER(TF_DEADLINE_EXCEEDED, 4);
NUMBER(TF_NOT_FOUND, 5);
NUMBER(TF_ALREADY_EXISTS, 6);
NUMBER(TF_PERMISSION_DENIED, 7);
NUMBER(TF_RESOURCE_EXHAUSTED, 8);
NUMBER(TF_FAILED_PRECONDITION, 9);
NUMBER(TF_ABORTED, 10);
NUMBER(TF_OUT_OF_RANGE, 11);
NUMBER(TF_UNIMPLEMENTED, 12);
NUMBER(TF_INTERNAL, 13);
NUMBER(TF_UNAVAILABLE, 14);
NUMBER(TF_DATA_LOSS, 15);
NUMBER(TF_UNAUTHENTICATED, 16);

NUMBER(TF_ATTR_STRING, 0);
NUMBER(TF_ATTR_INT, 1);
NUMBER(TF_ATTR_FLOAT, 2);
NUMBER(TF_ATTR_BOOL, 3);
NUMBER(TF_ATTR_TYPE, 4);
NUMBER(TF_ATTR_SHAPE, 5);
NUMBER(TF_ATTR_TENSOR, 6);
NUMBER(TF_ATTR_PLACEHOLDER, 7);
NUMBER(TF_ATTR_FUNC, 8);

NUMBER(TFE_DEVICE_PLACEMENT_EXPLICIT, 0);
NUMBER(TFE_DEVICE_PLACEMENT_WARN, 1);
NUMBER(TFE_DEVICE_PLACEMENT_SILENT, 2);
NUMBER(TFE_DEVICE_PLACEMENT_SILENT_FOR_INT32, 3);
NUMBER(TFE_CUSTOM_DEVICE_VERSION, 4);
NUMBER(TF_INFO, 0);
NUMBER(TF_WARNING, 1);
NUMBER(TF_ERROR, 2);
NUMBER(TF_FATAL, 3);

/* Programs choose their string code by this guard. */
#ifndef TENSORFLOW_C_TF_TSTRING_H_
#error "the guard of tf_tstring.h has another name"
#endif
