/* Wrappers of the variable ops, made by tools/gen_ops.py from src/ops/variable.def; see sluice/ops.h. */
#ifndef SLUICE_GEN_VARIABLE_OPS_H
#define SLUICE_GEN_VARIABLE_OPS_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_assign_attrs {
    enum sl_choice validate_shape; /* true */
    enum sl_choice use_locking; /* true */
};
/* Assign: ref: Ref(T), value: T -> output_ref: Ref(T) */
static inline TF_Output sl_assign_with(struct sl_scope *scope, TF_Output ref, TF_Output value, struct sl_assign_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&ref, -1}, {&value, -1}};
    const struct sl_attr_given attrs_[] = {{"validate_shape", SL_GIVEN_CHOICE, &attrs.validate_shape}, {"use_locking", SL_GIVEN_CHOICE, &attrs.use_locking}};
    return sl_op_first(sl_op(scope, "Assign", inputs_, 2, attrs_, 2));
}
static inline TF_Output sl_assign(struct sl_scope *scope, TF_Output ref, TF_Output value) {
    const struct sl_assign_attrs attrs = SL_DEFAULTS;
    return sl_assign_with(scope, ref, value, attrs);
}

struct sl_assign_add_attrs {
    bool use_locking; /* false */
};
/* AssignAdd: ref: Ref(T), value: T -> output_ref: Ref(T) */
static inline TF_Output sl_assign_add_with(struct sl_scope *scope, TF_Output ref, TF_Output value, struct sl_assign_add_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&ref, -1}, {&value, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op_first(sl_op(scope, "AssignAdd", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_assign_add(struct sl_scope *scope, TF_Output ref, TF_Output value) {
    const struct sl_assign_add_attrs attrs = SL_DEFAULTS;
    return sl_assign_add_with(scope, ref, value, attrs);
}

/* AssignAddVariableOp: resource: resource, value: dtype -> () */
static inline TF_Operation *sl_assign_add_variable_op(struct sl_scope *scope, TF_Output resource, TF_Output value) {
    const struct sl_op_input inputs_[] = {{&resource, -1}, {&value, -1}};
    return sl_op(scope, "AssignAddVariableOp", inputs_, 2, NULL, 0);
}

struct sl_assign_sub_attrs {
    bool use_locking; /* false */
};
/* AssignSub: ref: Ref(T), value: T -> output_ref: Ref(T) */
static inline TF_Output sl_assign_sub_with(struct sl_scope *scope, TF_Output ref, TF_Output value, struct sl_assign_sub_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&ref, -1}, {&value, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op_first(sl_op(scope, "AssignSub", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_assign_sub(struct sl_scope *scope, TF_Output ref, TF_Output value) {
    const struct sl_assign_sub_attrs attrs = SL_DEFAULTS;
    return sl_assign_sub_with(scope, ref, value, attrs);
}

/* AssignSubVariableOp: resource: resource, value: dtype -> () */
static inline TF_Operation *sl_assign_sub_variable_op(struct sl_scope *scope, TF_Output resource, TF_Output value) {
    const struct sl_op_input inputs_[] = {{&resource, -1}, {&value, -1}};
    return sl_op(scope, "AssignSubVariableOp", inputs_, 2, NULL, 0);
}

struct sl_assign_variable_op_attrs {
    bool validate_shape; /* false */
};
/* AssignVariableOp: resource: resource, value: dtype -> () */
static inline TF_Operation *sl_assign_variable_op_with(struct sl_scope *scope, TF_Output resource, TF_Output value, struct sl_assign_variable_op_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&resource, -1}, {&value, -1}};
    const struct sl_attr_given attrs_[] = {{"validate_shape", SL_GIVEN_BOOL, &attrs.validate_shape}};
    return sl_op(scope, "AssignVariableOp", inputs_, 2, attrs_, 1);
}
static inline TF_Operation *sl_assign_variable_op(struct sl_scope *scope, TF_Output resource, TF_Output value) {
    const struct sl_assign_variable_op_attrs attrs = SL_DEFAULTS;
    return sl_assign_variable_op_with(scope, resource, value, attrs);
}

/* ConsumeMutexLock: mutex_lock: variant -> () */
static inline TF_Operation *sl_consume_mutex_lock(struct sl_scope *scope, TF_Output mutex_lock) {
    const struct sl_op_input inputs_[] = {{&mutex_lock, -1}};
    return sl_op(scope, "ConsumeMutexLock", inputs_, 1, NULL, 0);
}

struct sl_count_up_to_attrs {
    int64_t limit; /* must be given */
};
/* CountUpTo: ref: Ref(T) -> output: T */
static inline TF_Output sl_count_up_to(struct sl_scope *scope, TF_Output ref, struct sl_count_up_to_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&ref, -1}};
    const struct sl_attr_given attrs_[] = {{"limit", SL_GIVEN_INT_NEEDED, &attrs.limit}};
    return sl_op_first(sl_op(scope, "CountUpTo", inputs_, 1, attrs_, 1));
}

/* DeleteSessionTensor: handle: string -> () */
static inline TF_Operation *sl_delete_session_tensor(struct sl_scope *scope, TF_Output handle) {
    const struct sl_op_input inputs_[] = {{&handle, -1}};
    return sl_op(scope, "DeleteSessionTensor", inputs_, 1, NULL, 0);
}

struct sl_destroy_resource_op_attrs {
    enum sl_choice ignore_lookup_error; /* true */
};
/* DestroyResourceOp: resource: resource -> () */
static inline TF_Operation *sl_destroy_resource_op_with(struct sl_scope *scope, TF_Output resource, struct sl_destroy_resource_op_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&resource, -1}};
    const struct sl_attr_given attrs_[] = {{"ignore_lookup_error", SL_GIVEN_CHOICE, &attrs.ignore_lookup_error}};
    return sl_op(scope, "DestroyResourceOp", inputs_, 1, attrs_, 1);
}
static inline TF_Operation *sl_destroy_resource_op(struct sl_scope *scope, TF_Output resource) {
    const struct sl_destroy_resource_op_attrs attrs = SL_DEFAULTS;
    return sl_destroy_resource_op_with(scope, resource, attrs);
}

struct sl_destroy_temporary_variable_attrs {
    const char *var_name; /* must be given */
};
/* DestroyTemporaryVariable: ref: Ref(T) -> value: T */
static inline TF_Output sl_destroy_temporary_variable(struct sl_scope *scope, TF_Output ref, struct sl_destroy_temporary_variable_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&ref, -1}};
    const struct sl_attr_given attrs_[] = {{"var_name", SL_GIVEN_STRING, &attrs.var_name}};
    return sl_op_first(sl_op(scope, "DestroyTemporaryVariable", inputs_, 1, attrs_, 1));
}

/* DisableCopyOnRead: resource: resource -> () */
static inline TF_Operation *sl_disable_copy_on_read(struct sl_scope *scope, TF_Output resource) {
    const struct sl_op_input inputs_[] = {{&resource, -1}};
    return sl_op(scope, "DisableCopyOnRead", inputs_, 1, NULL, 0);
}

/* GetSessionHandle: value: T -> handle: string */
static inline TF_Output sl_get_session_handle(struct sl_scope *scope, TF_Output value) {
    const struct sl_op_input inputs_[] = {{&value, -1}};
    return sl_op_first(sl_op(scope, "GetSessionHandle", inputs_, 1, NULL, 0));
}

/* GetSessionHandleV2: value: T -> handle: resource */
static inline TF_Output sl_get_session_handle_v2(struct sl_scope *scope, TF_Output value) {
    const struct sl_op_input inputs_[] = {{&value, -1}};
    return sl_op_first(sl_op(scope, "GetSessionHandleV2", inputs_, 1, NULL, 0));
}

struct sl_get_session_tensor_attrs {
    TF_DataType dtype; /* must be given */
};
/* GetSessionTensor: handle: string -> value: dtype */
static inline TF_Output sl_get_session_tensor(struct sl_scope *scope, TF_Output handle, struct sl_get_session_tensor_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "GetSessionTensor", inputs_, 1, attrs_, 1));
}

/* IsResourceHandleRefCounting: handle: resource -> result: bool */
static inline TF_Output sl_is_resource_handle_ref_counting(struct sl_scope *scope, TF_Output handle) {
    const struct sl_op_input inputs_[] = {{&handle, -1}};
    return sl_op_first(sl_op(scope, "IsResourceHandleRefCounting", inputs_, 1, NULL, 0));
}

/* IsVariableInitialized: ref: Ref(dtype) -> is_initialized: bool */
static inline TF_Output sl_is_variable_initialized(struct sl_scope *scope, TF_Output ref) {
    const struct sl_op_input inputs_[] = {{&ref, -1}};
    return sl_op_first(sl_op(scope, "IsVariableInitialized", inputs_, 1, NULL, 0));
}

/* MakeWeakResourceHandle: handle: resource -> dup: resource */
static inline TF_Output sl_make_weak_resource_handle(struct sl_scope *scope, TF_Output handle) {
    const struct sl_op_input inputs_[] = {{&handle, -1}};
    return sl_op_first(sl_op(scope, "MakeWeakResourceHandle", inputs_, 1, NULL, 0));
}

/* MutexLock: mutex: resource -> mutex_lock: variant as mutex_lock */
static inline TF_Output sl_mutex_lock_op(struct sl_scope *scope, TF_Output mutex) {
    const struct sl_op_input inputs_[] = {{&mutex, -1}};
    return sl_op_first(sl_op(scope, "MutexLock", inputs_, 1, NULL, 0));
}

struct sl_mutex_v2_attrs {
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* MutexV2: () -> resource: resource */
static inline TF_Output sl_mutex_v2_with(struct sl_scope *scope, struct sl_mutex_v2_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op_first(sl_op(scope, "MutexV2", NULL, 0, attrs_, 2));
}
static inline TF_Output sl_mutex_v2(struct sl_scope *scope) {
    const struct sl_mutex_v2_attrs attrs = SL_DEFAULTS;
    return sl_mutex_v2_with(scope, attrs);
}

struct sl_read_variable_op_attrs {
    TF_DataType dtype; /* must be given */
};
/* ReadVariableOp: resource: resource -> value: dtype */
static inline TF_Output sl_read_variable_op(struct sl_scope *scope, TF_Output resource, struct sl_read_variable_op_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&resource, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "ReadVariableOp", inputs_, 1, attrs_, 1));
}

struct sl_resource_count_up_to_attrs {
    int64_t limit; /* must be given */
    TF_DataType T; /* must be given */
};
/* ResourceCountUpTo: resource: resource -> output: T */
static inline TF_Output sl_resource_count_up_to(struct sl_scope *scope, TF_Output resource, struct sl_resource_count_up_to_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&resource, -1}};
    const struct sl_attr_given attrs_[] = {{"limit", SL_GIVEN_INT_NEEDED, &attrs.limit}, {"T", SL_GIVEN_TYPE, &attrs.T}};
    return sl_op_first(sl_op(scope, "ResourceCountUpTo", inputs_, 1, attrs_, 2));
}

struct sl_resource_strided_slice_assign_attrs {
    int64_t begin_mask; /* 0 */
    int64_t end_mask; /* 0 */
    int64_t ellipsis_mask; /* 0 */
    int64_t new_axis_mask; /* 0 */
    int64_t shrink_axis_mask; /* 0 */
};
/* ResourceStridedSliceAssign: ref: resource, begin: Index, end: Index, strides: Index, value: T -> () */
static inline TF_Operation *sl_resource_strided_slice_assign_with(struct sl_scope *scope, TF_Output ref, TF_Output begin, TF_Output end, TF_Output strides, TF_Output value, struct sl_resource_strided_slice_assign_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&ref, -1}, {&begin, -1}, {&end, -1}, {&strides, -1}, {&value, -1}};
    const struct sl_attr_given attrs_[] = {{"begin_mask", SL_GIVEN_INT, &attrs.begin_mask}, {"end_mask", SL_GIVEN_INT, &attrs.end_mask}, {"ellipsis_mask", SL_GIVEN_INT, &attrs.ellipsis_mask}, {"new_axis_mask", SL_GIVEN_INT, &attrs.new_axis_mask}, {"shrink_axis_mask", SL_GIVEN_INT, &attrs.shrink_axis_mask}};
    return sl_op(scope, "ResourceStridedSliceAssign", inputs_, 5, attrs_, 5);
}
static inline TF_Operation *sl_resource_strided_slice_assign(struct sl_scope *scope, TF_Output ref, TF_Output begin, TF_Output end, TF_Output strides, TF_Output value) {
    const struct sl_resource_strided_slice_assign_attrs attrs = SL_DEFAULTS;
    return sl_resource_strided_slice_assign_with(scope, ref, begin, end, strides, value, attrs);
}

struct sl_strided_slice_assign_attrs {
    int64_t begin_mask; /* 0 */
    int64_t end_mask; /* 0 */
    int64_t ellipsis_mask; /* 0 */
    int64_t new_axis_mask; /* 0 */
    int64_t shrink_axis_mask; /* 0 */
};
/* StridedSliceAssign: ref: Ref(T), begin: Index, end: Index, strides: Index, value: T -> output_ref: Ref(T) */
static inline TF_Output sl_strided_slice_assign_with(struct sl_scope *scope, TF_Output ref, TF_Output begin, TF_Output end, TF_Output strides, TF_Output value, struct sl_strided_slice_assign_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&ref, -1}, {&begin, -1}, {&end, -1}, {&strides, -1}, {&value, -1}};
    const struct sl_attr_given attrs_[] = {{"begin_mask", SL_GIVEN_INT, &attrs.begin_mask}, {"end_mask", SL_GIVEN_INT, &attrs.end_mask}, {"ellipsis_mask", SL_GIVEN_INT, &attrs.ellipsis_mask}, {"new_axis_mask", SL_GIVEN_INT, &attrs.new_axis_mask}, {"shrink_axis_mask", SL_GIVEN_INT, &attrs.shrink_axis_mask}};
    return sl_op_first(sl_op(scope, "StridedSliceAssign", inputs_, 5, attrs_, 5));
}
static inline TF_Output sl_strided_slice_assign(struct sl_scope *scope, TF_Output ref, TF_Output begin, TF_Output end, TF_Output strides, TF_Output value) {
    const struct sl_strided_slice_assign_attrs attrs = SL_DEFAULTS;
    return sl_strided_slice_assign_with(scope, ref, begin, end, strides, value, attrs);
}

struct sl_temporary_variable_attrs {
    struct sl_dims shape; /* must be given */
    TF_DataType dtype; /* must be given */
    const char *var_name; /* '' */
};
/* TemporaryVariable: () -> ref: Ref(dtype) */
static inline TF_Output sl_temporary_variable(struct sl_scope *scope, struct sl_temporary_variable_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"shape", SL_GIVEN_SHAPE, &attrs.shape}, {"dtype", SL_GIVEN_TYPE, &attrs.dtype}, {"var_name", SL_GIVEN_STRING, &attrs.var_name}};
    return sl_op_first(sl_op(scope, "TemporaryVariable", NULL, 0, attrs_, 3));
}

struct sl_var_handle_op_attrs {
    const char *container; /* '' */
    const char *shared_name; /* '' */
    const char *debug_name; /* '' */
    TF_DataType dtype; /* must be given */
    struct sl_dims shape; /* must be given */
    struct sl_strings allowed_devices; /* [] */
};
/* VarHandleOp: () -> resource: resource */
static inline TF_Output sl_var_handle_op(struct sl_scope *scope, struct sl_var_handle_op_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}, {"debug_name", SL_GIVEN_STRING, &attrs.debug_name}, {"dtype", SL_GIVEN_TYPE, &attrs.dtype}, {"shape", SL_GIVEN_SHAPE, &attrs.shape}, {"allowed_devices", SL_GIVEN_STRINGS, &attrs.allowed_devices}};
    return sl_op_first(sl_op(scope, "VarHandleOp", NULL, 0, attrs_, 6));
}

/* VarIsInitializedOp: resource: resource -> is_initialized: bool */
static inline TF_Output sl_var_is_initialized_op(struct sl_scope *scope, TF_Output resource) {
    const struct sl_op_input inputs_[] = {{&resource, -1}};
    return sl_op_first(sl_op(scope, "VarIsInitializedOp", inputs_, 1, NULL, 0));
}

struct sl_variable_op_attrs {
    struct sl_dims shape; /* must be given */
    TF_DataType dtype; /* must be given */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* Variable: () -> ref: Ref(dtype) */
static inline TF_Output sl_variable_op(struct sl_scope *scope, struct sl_variable_op_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"shape", SL_GIVEN_SHAPE, &attrs.shape}, {"dtype", SL_GIVEN_TYPE, &attrs.dtype}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op_first(sl_op(scope, "Variable", NULL, 0, attrs_, 4));
}

struct sl_variable_shape_attrs {
    TF_DataType out_type; /* DT_INT32 */
};
/* VariableShape: input: resource -> output: out_type */
static inline TF_Output sl_variable_shape_with(struct sl_scope *scope, TF_Output input, struct sl_variable_shape_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}};
    return sl_op_first(sl_op(scope, "VariableShape", inputs_, 1, attrs_, 1));
}
static inline TF_Output sl_variable_shape(struct sl_scope *scope, TF_Output input) {
    const struct sl_variable_shape_attrs attrs = SL_DEFAULTS;
    return sl_variable_shape_with(scope, input, attrs);
}

struct sl_variable_v2_attrs {
    struct sl_dims shape; /* must be given */
    TF_DataType dtype; /* must be given */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* VariableV2: () -> ref: Ref(dtype) */
static inline TF_Output sl_variable_v2(struct sl_scope *scope, struct sl_variable_v2_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"shape", SL_GIVEN_SHAPE, &attrs.shape}, {"dtype", SL_GIVEN_TYPE, &attrs.dtype}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op_first(sl_op(scope, "VariableV2", NULL, 0, attrs_, 4));
}

#ifdef __cplusplus
}
#endif

#endif
