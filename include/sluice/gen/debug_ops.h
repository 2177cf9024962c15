/* Wrappers of the debug ops, made by tools/gen_ops.py from src/ops/debug.def; see sluice/ops.h. */
#ifndef SLUICE_GEN_DEBUG_OPS_H
#define SLUICE_GEN_DEBUG_OPS_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_assert_attrs {
    int64_t summarize; /* 3 */
};
/* Assert: condition: bool, data: T -> () */
static inline TF_Operation *sl_assert_with(struct sl_scope *scope, TF_Output condition, const TF_Output *data, int num_data, struct sl_assert_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&condition, -1}, {data, num_data}};
    const struct sl_attr_given attrs_[] = {{"summarize", SL_GIVEN_INT, &attrs.summarize}};
    return sl_op(scope, "Assert", inputs_, 2, attrs_, 1);
}
static inline TF_Operation *sl_assert(struct sl_scope *scope, TF_Output condition, const TF_Output *data, int num_data) {
    const struct sl_assert_attrs attrs = SL_DEFAULTS;
    return sl_assert_with(scope, condition, data, num_data, attrs);
}

struct sl_check_numerics_attrs {
    const char *message; /* must be given */
};
/* CheckNumerics: tensor: T -> output: T */
static inline TF_Output sl_check_numerics(struct sl_scope *scope, TF_Output tensor, struct sl_check_numerics_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&tensor, -1}};
    const struct sl_attr_given attrs_[] = {{"message", SL_GIVEN_STRING, &attrs.message}};
    return sl_op_first(sl_op(scope, "CheckNumerics", inputs_, 1, attrs_, 1));
}

struct sl_check_numerics_v2_attrs {
    const char *message; /* must be given */
};
/* CheckNumericsV2: tensor: T -> output: T */
static inline TF_Output sl_check_numerics_v2(struct sl_scope *scope, TF_Output tensor, struct sl_check_numerics_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&tensor, -1}};
    const struct sl_attr_given attrs_[] = {{"message", SL_GIVEN_STRING, &attrs.message}};
    return sl_op_first(sl_op(scope, "CheckNumericsV2", inputs_, 1, attrs_, 1));
}

/* CheckPinned: tensor: T -> output: T */
static inline TF_Output sl_check_pinned(struct sl_scope *scope, TF_Output tensor) {
    const struct sl_op_input inputs_[] = {{&tensor, -1}};
    return sl_op_first(sl_op(scope, "CheckPinned", inputs_, 1, NULL, 0));
}

struct sl_copy_attrs {
    const char *tensor_name; /* '' */
    struct sl_strings debug_ops_spec; /* [] */
};
/* Copy: input: T -> output: T */
static inline TF_Output sl_copy_with(struct sl_scope *scope, TF_Output input, struct sl_copy_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"tensor_name", SL_GIVEN_STRING, &attrs.tensor_name}, {"debug_ops_spec", SL_GIVEN_STRINGS, &attrs.debug_ops_spec}};
    return sl_op_first(sl_op(scope, "Copy", inputs_, 1, attrs_, 2));
}
static inline TF_Output sl_copy(struct sl_scope *scope, TF_Output input) {
    const struct sl_copy_attrs attrs = SL_DEFAULTS;
    return sl_copy_with(scope, input, attrs);
}

struct sl_copy_host_attrs {
    const char *tensor_name; /* '' */
    struct sl_strings debug_ops_spec; /* [] */
};
/* CopyHost: input: T -> output: T */
static inline TF_Output sl_copy_host_with(struct sl_scope *scope, TF_Output input, struct sl_copy_host_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"tensor_name", SL_GIVEN_STRING, &attrs.tensor_name}, {"debug_ops_spec", SL_GIVEN_STRINGS, &attrs.debug_ops_spec}};
    return sl_op_first(sl_op(scope, "CopyHost", inputs_, 1, attrs_, 2));
}
static inline TF_Output sl_copy_host(struct sl_scope *scope, TF_Output input) {
    const struct sl_copy_host_attrs attrs = SL_DEFAULTS;
    return sl_copy_host_with(scope, input, attrs);
}

/* DebugGradientIdentity: input: T -> output: T */
static inline TF_Output sl_debug_gradient_identity(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "DebugGradientIdentity", inputs_, 1, NULL, 0));
}

/* DebugGradientRefIdentity: input: Ref(T) -> output: Ref(T) */
static inline TF_Output sl_debug_gradient_ref_identity(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "DebugGradientRefIdentity", inputs_, 1, NULL, 0));
}

struct sl_debug_identity_attrs {
    const char *device_name; /* '' */
    const char *tensor_name; /* '' */
    struct sl_strings debug_urls; /* [] */
    bool gated_grpc; /* false */
};
/* DebugIdentity: input: T -> output: T */
static inline TF_Output sl_debug_identity_with(struct sl_scope *scope, TF_Output input, struct sl_debug_identity_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"device_name", SL_GIVEN_STRING, &attrs.device_name}, {"tensor_name", SL_GIVEN_STRING, &attrs.tensor_name}, {"debug_urls", SL_GIVEN_STRINGS, &attrs.debug_urls}, {"gated_grpc", SL_GIVEN_BOOL, &attrs.gated_grpc}};
    return sl_op_first(sl_op(scope, "DebugIdentity", inputs_, 1, attrs_, 4));
}
static inline TF_Output sl_debug_identity(struct sl_scope *scope, TF_Output input) {
    const struct sl_debug_identity_attrs attrs = SL_DEFAULTS;
    return sl_debug_identity_with(scope, input, attrs);
}

struct sl_debug_identity_v2_attrs {
    const char *tfdbg_context_id; /* '' */
    const char *op_name; /* '' */
    int64_t output_slot; /* -1 */
    int64_t tensor_debug_mode; /* -1 */
    struct sl_strings debug_urls; /* [] */
    int64_t circular_buffer_size; /* 1000 */
    const char *tfdbg_run_id; /* '' */
};
/* DebugIdentityV2: input: T -> output: T */
static inline TF_Output sl_debug_identity_v2_with(struct sl_scope *scope, TF_Output input, struct sl_debug_identity_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"tfdbg_context_id", SL_GIVEN_STRING, &attrs.tfdbg_context_id}, {"op_name", SL_GIVEN_STRING, &attrs.op_name}, {"output_slot", SL_GIVEN_INT, &attrs.output_slot}, {"tensor_debug_mode", SL_GIVEN_INT, &attrs.tensor_debug_mode}, {"debug_urls", SL_GIVEN_STRINGS, &attrs.debug_urls}, {"circular_buffer_size", SL_GIVEN_INT, &attrs.circular_buffer_size}, {"tfdbg_run_id", SL_GIVEN_STRING, &attrs.tfdbg_run_id}};
    return sl_op_first(sl_op(scope, "DebugIdentityV2", inputs_, 1, attrs_, 7));
}
static inline TF_Output sl_debug_identity_v2(struct sl_scope *scope, TF_Output input) {
    const struct sl_debug_identity_v2_attrs attrs = SL_DEFAULTS;
    return sl_debug_identity_v2_with(scope, input, attrs);
}

struct sl_debug_identity_v3_attrs {
    const char *device_name; /* '' */
    const char *tensor_name; /* '' */
    const char *io_of_node; /* '' */
    bool is_input; /* false */
    int64_t io_index; /* -1 */
    struct sl_strings debug_urls; /* [] */
    bool gated_grpc; /* false */
};
/* DebugIdentityV3: input: T -> output: T */
static inline TF_Output sl_debug_identity_v3_with(struct sl_scope *scope, TF_Output input, struct sl_debug_identity_v3_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"device_name", SL_GIVEN_STRING, &attrs.device_name}, {"tensor_name", SL_GIVEN_STRING, &attrs.tensor_name}, {"io_of_node", SL_GIVEN_STRING, &attrs.io_of_node}, {"is_input", SL_GIVEN_BOOL, &attrs.is_input}, {"io_index", SL_GIVEN_INT, &attrs.io_index}, {"debug_urls", SL_GIVEN_STRINGS, &attrs.debug_urls}, {"gated_grpc", SL_GIVEN_BOOL, &attrs.gated_grpc}};
    return sl_op_first(sl_op(scope, "DebugIdentityV3", inputs_, 1, attrs_, 7));
}
static inline TF_Output sl_debug_identity_v3(struct sl_scope *scope, TF_Output input) {
    const struct sl_debug_identity_v3_attrs attrs = SL_DEFAULTS;
    return sl_debug_identity_v3_with(scope, input, attrs);
}

struct sl_debug_nan_count_attrs {
    const char *device_name; /* '' */
    const char *tensor_name; /* '' */
    struct sl_strings debug_urls; /* [] */
    bool gated_grpc; /* false */
};
/* DebugNanCount: input: T -> output: int64 */
static inline TF_Output sl_debug_nan_count_with(struct sl_scope *scope, TF_Output input, struct sl_debug_nan_count_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"device_name", SL_GIVEN_STRING, &attrs.device_name}, {"tensor_name", SL_GIVEN_STRING, &attrs.tensor_name}, {"debug_urls", SL_GIVEN_STRINGS, &attrs.debug_urls}, {"gated_grpc", SL_GIVEN_BOOL, &attrs.gated_grpc}};
    return sl_op_first(sl_op(scope, "DebugNanCount", inputs_, 1, attrs_, 4));
}
static inline TF_Output sl_debug_nan_count(struct sl_scope *scope, TF_Output input) {
    const struct sl_debug_nan_count_attrs attrs = SL_DEFAULTS;
    return sl_debug_nan_count_with(scope, input, attrs);
}

struct sl_debug_numeric_summary_attrs {
    const char *device_name; /* '' */
    const char *tensor_name; /* '' */
    struct sl_strings debug_urls; /* [] */
    float lower_bound; /* -inf */
    float upper_bound; /* inf */
    bool mute_if_healthy; /* false */
    bool gated_grpc; /* false */
};
/* DebugNumericSummary: input: T -> output: double */
static inline TF_Output sl_debug_numeric_summary_with(struct sl_scope *scope, TF_Output input, struct sl_debug_numeric_summary_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"device_name", SL_GIVEN_STRING, &attrs.device_name}, {"tensor_name", SL_GIVEN_STRING, &attrs.tensor_name}, {"debug_urls", SL_GIVEN_STRINGS, &attrs.debug_urls}, {"lower_bound", SL_GIVEN_FLOAT, &attrs.lower_bound}, {"upper_bound", SL_GIVEN_FLOAT, &attrs.upper_bound}, {"mute_if_healthy", SL_GIVEN_BOOL, &attrs.mute_if_healthy}, {"gated_grpc", SL_GIVEN_BOOL, &attrs.gated_grpc}};
    return sl_op_first(sl_op(scope, "DebugNumericSummary", inputs_, 1, attrs_, 7));
}
static inline TF_Output sl_debug_numeric_summary(struct sl_scope *scope, TF_Output input) {
    const struct sl_debug_numeric_summary_attrs attrs = SL_DEFAULTS;
    return sl_debug_numeric_summary_with(scope, input, attrs);
}

struct sl_debug_numeric_summary_v2_attrs {
    TF_DataType output_dtype; /* DT_FLOAT */
    int64_t tensor_debug_mode; /* -1 */
    int64_t tensor_id; /* -1 */
};
/* DebugNumericSummaryV2: input: T -> output: output_dtype */
static inline TF_Output sl_debug_numeric_summary_v2_with(struct sl_scope *scope, TF_Output input, struct sl_debug_numeric_summary_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"output_dtype", SL_GIVEN_TYPE, &attrs.output_dtype}, {"tensor_debug_mode", SL_GIVEN_INT, &attrs.tensor_debug_mode}, {"tensor_id", SL_GIVEN_INT, &attrs.tensor_id}};
    return sl_op_first(sl_op(scope, "DebugNumericSummaryV2", inputs_, 1, attrs_, 3));
}
static inline TF_Output sl_debug_numeric_summary_v2(struct sl_scope *scope, TF_Output input) {
    const struct sl_debug_numeric_summary_v2_attrs attrs = SL_DEFAULTS;
    return sl_debug_numeric_summary_v2_with(scope, input, attrs);
}

struct sl_dump_tensor_attrs {
    const char *log_dir_path; /* must be given */
    const char *file_name; /* must be given */
    bool enabled; /* must be given */
    const char *func_name; /* must be given */
    const char *node_name; /* must be given */
};
/* DumpTensor: tensor_data: T -> () */
static inline TF_Operation *sl_dump_tensor(struct sl_scope *scope, TF_Output tensor_data, struct sl_dump_tensor_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&tensor_data, -1}};
    const struct sl_attr_given attrs_[] = {{"log_dir_path", SL_GIVEN_STRING, &attrs.log_dir_path}, {"file_name", SL_GIVEN_STRING, &attrs.file_name}, {"enabled", SL_GIVEN_BOOL_NEEDED, &attrs.enabled}, {"func_name", SL_GIVEN_STRING, &attrs.func_name}, {"node_name", SL_GIVEN_STRING, &attrs.node_name}};
    return sl_op(scope, "DumpTensor", inputs_, 1, attrs_, 5);
}

struct sl_print_op_attrs {
    const char *message; /* '' */
    int64_t first_n; /* -1 */
    int64_t summarize; /* 3 */
};
/* Print: input: T, data: U -> output: T */
static inline TF_Output sl_print_op_with(struct sl_scope *scope, TF_Output input, const TF_Output *data, int num_data, struct sl_print_op_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {data, num_data}};
    const struct sl_attr_given attrs_[] = {{"message", SL_GIVEN_STRING, &attrs.message}, {"first_n", SL_GIVEN_INT, &attrs.first_n}, {"summarize", SL_GIVEN_INT, &attrs.summarize}};
    return sl_op_first(sl_op(scope, "Print", inputs_, 2, attrs_, 3));
}
static inline TF_Output sl_print_op(struct sl_scope *scope, TF_Output input, const TF_Output *data, int num_data) {
    const struct sl_print_op_attrs attrs = SL_DEFAULTS;
    return sl_print_op_with(scope, input, data, num_data, attrs);
}

struct sl_print_v2_attrs {
    const char *output_stream; /* 'stderr' */
    const char *end; /* '\n' */
};
/* PrintV2: input: string -> () */
static inline TF_Operation *sl_print_v2_with(struct sl_scope *scope, TF_Output input, struct sl_print_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"output_stream", SL_GIVEN_STRING, &attrs.output_stream}, {"end", SL_GIVEN_STRING, &attrs.end}};
    return sl_op(scope, "PrintV2", inputs_, 1, attrs_, 2);
}
static inline TF_Operation *sl_print_v2(struct sl_scope *scope, TF_Output input) {
    const struct sl_print_v2_attrs attrs = SL_DEFAULTS;
    return sl_print_v2_with(scope, input, attrs);
}

/* SyncDevice: () -> () */
static inline TF_Operation *sl_sync_device(struct sl_scope *scope) {
    return sl_op(scope, "SyncDevice", NULL, 0, NULL, 0);
}

/* Timestamp: () -> ts: double */
static inline TF_Output sl_timestamp(struct sl_scope *scope) {
    return sl_op_first(sl_op(scope, "Timestamp", NULL, 0, NULL, 0));
}

#ifdef __cplusplus
}
#endif

#endif
