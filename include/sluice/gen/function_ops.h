/* Wrappers of the function ops, made by tools/gen_ops.py from src/ops/function.def; see sluice/ops.h. */
#ifndef SLUICE_GEN_FUNCTION_OPS_H
#define SLUICE_GEN_FUNCTION_OPS_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_batch_attrs {
    int64_t num_batch_threads; /* must be given */
    int64_t max_batch_size; /* must be given */
    int64_t max_enqueued_batches; /* 10 */
    int64_t batch_timeout_micros; /* must be given */
    struct sl_ints allowed_batch_sizes; /* [] */
    int64_t grad_timeout_micros; /* must be given */
    const char *container; /* '' */
    const char *shared_name; /* '' */
    const char *batching_queue; /* '' */
};
/* Batch: in_tensors: T -> batched_tensors: T, batch_index: int64, id: int64 */
static inline TF_Operation *sl_batch(struct sl_scope *scope, const TF_Output *in_tensors, int num_in_tensors, struct sl_batch_attrs attrs) {
    const struct sl_op_input inputs_[] = {{in_tensors, num_in_tensors}};
    const struct sl_attr_given attrs_[] = {{"num_batch_threads", SL_GIVEN_INT_NEEDED, &attrs.num_batch_threads}, {"max_batch_size", SL_GIVEN_INT_NEEDED, &attrs.max_batch_size}, {"max_enqueued_batches", SL_GIVEN_INT, &attrs.max_enqueued_batches}, {"batch_timeout_micros", SL_GIVEN_INT_NEEDED, &attrs.batch_timeout_micros}, {"allowed_batch_sizes", SL_GIVEN_INTS, &attrs.allowed_batch_sizes}, {"grad_timeout_micros", SL_GIVEN_INT_NEEDED, &attrs.grad_timeout_micros}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}, {"batching_queue", SL_GIVEN_STRING, &attrs.batching_queue}};
    return sl_op(scope, "Batch", inputs_, 1, attrs_, 9);
}

struct sl_batch_function_attrs {
    const char *f; /* must be given */
    int64_t num_batch_threads; /* must be given */
    int64_t max_batch_size; /* must be given */
    int64_t batch_timeout_micros; /* must be given */
    int64_t max_enqueued_batches; /* 10 */
    struct sl_ints allowed_batch_sizes; /* [] */
    const char *container; /* '' */
    const char *shared_name; /* '' */
    const char *batching_queue; /* '' */
    int64_t low_priority_max_batch_size; /* 0 */
    int64_t low_priority_batch_timeout_micros; /* 0 */
    struct sl_ints low_priority_allowed_batch_sizes; /* [] */
    int64_t low_priority_max_enqueued_batches; /* 0 */
    const char *mixed_priority_policy; /* 'low_priority_padding_with_max_batch_size' */
    const char *batch_padding_policy; /* 'PAD_UP' */
    struct sl_types Tout; /* must be given */
    bool enable_large_batch_splitting; /* false */
};
/* BatchFunction: in_tensors: Tin, captured_tensors: Tcaptured -> out_tensors: Tout */
static inline TF_Operation *sl_batch_function(struct sl_scope *scope, const TF_Output *in_tensors, int num_in_tensors, const TF_Output *captured_tensors, int num_captured_tensors, struct sl_batch_function_attrs attrs) {
    const struct sl_op_input inputs_[] = {{in_tensors, num_in_tensors}, {captured_tensors, num_captured_tensors}};
    const struct sl_attr_given attrs_[] = {{"f", SL_GIVEN_FUNCTION, &attrs.f}, {"num_batch_threads", SL_GIVEN_INT_NEEDED, &attrs.num_batch_threads}, {"max_batch_size", SL_GIVEN_INT_NEEDED, &attrs.max_batch_size}, {"batch_timeout_micros", SL_GIVEN_INT_NEEDED, &attrs.batch_timeout_micros}, {"max_enqueued_batches", SL_GIVEN_INT, &attrs.max_enqueued_batches}, {"allowed_batch_sizes", SL_GIVEN_INTS, &attrs.allowed_batch_sizes}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}, {"batching_queue", SL_GIVEN_STRING, &attrs.batching_queue}, {"low_priority_max_batch_size", SL_GIVEN_INT, &attrs.low_priority_max_batch_size}, {"low_priority_batch_timeout_micros", SL_GIVEN_INT, &attrs.low_priority_batch_timeout_micros}, {"low_priority_allowed_batch_sizes", SL_GIVEN_INTS, &attrs.low_priority_allowed_batch_sizes}, {"low_priority_max_enqueued_batches", SL_GIVEN_INT, &attrs.low_priority_max_enqueued_batches}, {"mixed_priority_policy", SL_GIVEN_STRING, &attrs.mixed_priority_policy}, {"batch_padding_policy", SL_GIVEN_STRING, &attrs.batch_padding_policy}, {"Tout", SL_GIVEN_TYPES_NEEDED, &attrs.Tout}, {"enable_large_batch_splitting", SL_GIVEN_BOOL, &attrs.enable_large_batch_splitting}};
    return sl_op(scope, "BatchFunction", inputs_, 2, attrs_, 17);
}

struct sl_case_op_attrs {
    struct sl_types Tout; /* must be given */
    struct sl_strings branches; /* must be given */
    struct sl_shapes output_shapes; /* [] */
};
/* Case: branch_index: int32, input: Tin -> output: Tout */
static inline TF_Operation *sl_case_op(struct sl_scope *scope, TF_Output branch_index, const TF_Output *input, int num_input, struct sl_case_op_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&branch_index, -1}, {input, num_input}};
    const struct sl_attr_given attrs_[] = {{"Tout", SL_GIVEN_TYPES_NEEDED, &attrs.Tout}, {"branches", SL_GIVEN_FUNCTIONS_NEEDED, &attrs.branches}, {"output_shapes", SL_GIVEN_SHAPES, &attrs.output_shapes}};
    return sl_op(scope, "Case", inputs_, 2, attrs_, 3);
}

struct sl_device_index_attrs {
    struct sl_strings device_names; /* must be given */
};
/* DeviceIndex: () -> index: int32 */
static inline TF_Output sl_device_index(struct sl_scope *scope, struct sl_device_index_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"device_names", SL_GIVEN_STRINGS_NEEDED, &attrs.device_names}};
    return sl_op_first(sl_op(scope, "DeviceIndex", NULL, 0, attrs_, 1));
}

struct sl_eager_py_func_attrs {
    const char *token; /* must be given */
    bool is_async; /* false */
    struct sl_types Tout; /* must be given */
};
/* EagerPyFunc: input: Tin -> output: Tout */
static inline TF_Operation *sl_eager_py_func(struct sl_scope *scope, const TF_Output *input, int num_input, struct sl_eager_py_func_attrs attrs) {
    const struct sl_op_input inputs_[] = {{input, num_input}};
    const struct sl_attr_given attrs_[] = {{"token", SL_GIVEN_STRING, &attrs.token}, {"is_async", SL_GIVEN_BOOL, &attrs.is_async}, {"Tout", SL_GIVEN_TYPES_NEEDED, &attrs.Tout}};
    return sl_op(scope, "EagerPyFunc", inputs_, 1, attrs_, 3);
}

struct sl_fake_param_attrs {
    TF_DataType dtype; /* must be given */
    struct sl_dims shape; /* must be given */
};
/* FakeParam: () -> output: dtype */
static inline TF_Output sl_fake_param(struct sl_scope *scope, struct sl_fake_param_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}, {"shape", SL_GIVEN_SHAPE, &attrs.shape}};
    return sl_op_first(sl_op(scope, "FakeParam", NULL, 0, attrs_, 2));
}

struct sl_for_attrs {
    const char *body; /* must be given */
};
/* For: start: int32, limit: int32, delta: int32, input: T -> output: T */
static inline TF_Operation *sl_for(struct sl_scope *scope, TF_Output start, TF_Output limit, TF_Output delta, const TF_Output *input, int num_input, struct sl_for_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&start, -1}, {&limit, -1}, {&delta, -1}, {input, num_input}};
    const struct sl_attr_given attrs_[] = {{"body", SL_GIVEN_FUNCTION, &attrs.body}};
    return sl_op(scope, "For", inputs_, 4, attrs_, 1);
}

struct sl_if_attrs {
    struct sl_types Tout; /* must be given */
    const char *then_branch; /* must be given */
    const char *else_branch; /* must be given */
    struct sl_shapes output_shapes; /* [] */
};
/* If: cond: Tcond, input: Tin -> output: Tout */
static inline TF_Operation *sl_if(struct sl_scope *scope, TF_Output cond, const TF_Output *input, int num_input, struct sl_if_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&cond, -1}, {input, num_input}};
    const struct sl_attr_given attrs_[] = {{"Tout", SL_GIVEN_TYPES_NEEDED, &attrs.Tout}, {"then_branch", SL_GIVEN_FUNCTION, &attrs.then_branch}, {"else_branch", SL_GIVEN_FUNCTION, &attrs.else_branch}, {"output_shapes", SL_GIVEN_SHAPES, &attrs.output_shapes}};
    return sl_op(scope, "If", inputs_, 2, attrs_, 4);
}

struct sl_map_defun_attrs {
    struct sl_types output_types; /* must be given */
    struct sl_shapes output_shapes; /* must be given */
    const char *f; /* must be given */
    int64_t max_intra_op_parallelism; /* 1 */
};
/* MapDefun: arguments: Targuments, captured_inputs: Tcaptured -> output: output_types */
static inline TF_Operation *sl_map_defun(struct sl_scope *scope, const TF_Output *arguments, int num_arguments, const TF_Output *captured_inputs, int num_captured_inputs, struct sl_map_defun_attrs attrs) {
    const struct sl_op_input inputs_[] = {{arguments, num_arguments}, {captured_inputs, num_captured_inputs}};
    const struct sl_attr_given attrs_[] = {{"output_types", SL_GIVEN_TYPES_NEEDED, &attrs.output_types}, {"output_shapes", SL_GIVEN_SHAPES_NEEDED, &attrs.output_shapes}, {"f", SL_GIVEN_FUNCTION, &attrs.f}, {"max_intra_op_parallelism", SL_GIVEN_INT, &attrs.max_intra_op_parallelism}};
    return sl_op(scope, "MapDefun", inputs_, 2, attrs_, 4);
}

struct sl_partitioned_call_attrs {
    struct sl_types Tout; /* must be given */
    const char *f; /* must be given */
    const char *config; /* '' */
    const char *config_proto; /* '' */
    const char *executor_type; /* '' */
};
/* PartitionedCall: args: Tin -> output: Tout */
static inline TF_Operation *sl_partitioned_call(struct sl_scope *scope, const TF_Output *args, int num_args, struct sl_partitioned_call_attrs attrs) {
    const struct sl_op_input inputs_[] = {{args, num_args}};
    const struct sl_attr_given attrs_[] = {{"Tout", SL_GIVEN_TYPES_NEEDED, &attrs.Tout}, {"f", SL_GIVEN_FUNCTION, &attrs.f}, {"config", SL_GIVEN_STRING, &attrs.config}, {"config_proto", SL_GIVEN_STRING, &attrs.config_proto}, {"executor_type", SL_GIVEN_STRING, &attrs.executor_type}};
    return sl_op(scope, "PartitionedCall", inputs_, 1, attrs_, 5);
}

struct sl_py_func_attrs {
    const char *token; /* must be given */
    struct sl_types Tout; /* must be given */
};
/* PyFunc: input: Tin -> output: Tout */
static inline TF_Operation *sl_py_func(struct sl_scope *scope, const TF_Output *input, int num_input, struct sl_py_func_attrs attrs) {
    const struct sl_op_input inputs_[] = {{input, num_input}};
    const struct sl_attr_given attrs_[] = {{"token", SL_GIVEN_STRING, &attrs.token}, {"Tout", SL_GIVEN_TYPES_NEEDED, &attrs.Tout}};
    return sl_op(scope, "PyFunc", inputs_, 1, attrs_, 2);
}

struct sl_py_func_stateless_attrs {
    const char *token; /* must be given */
    struct sl_types Tout; /* must be given */
};
/* PyFuncStateless: input: Tin -> output: Tout */
static inline TF_Operation *sl_py_func_stateless(struct sl_scope *scope, const TF_Output *input, int num_input, struct sl_py_func_stateless_attrs attrs) {
    const struct sl_op_input inputs_[] = {{input, num_input}};
    const struct sl_attr_given attrs_[] = {{"token", SL_GIVEN_STRING, &attrs.token}, {"Tout", SL_GIVEN_TYPES_NEEDED, &attrs.Tout}};
    return sl_op(scope, "PyFuncStateless", inputs_, 1, attrs_, 2);
}

struct sl_remote_call_attrs {
    struct sl_types Tout; /* must be given */
    const char *f; /* must be given */
};
/* RemoteCall: target: string, args: Tin -> output: Tout */
static inline TF_Operation *sl_remote_call(struct sl_scope *scope, TF_Output target, const TF_Output *args, int num_args, struct sl_remote_call_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&target, -1}, {args, num_args}};
    const struct sl_attr_given attrs_[] = {{"Tout", SL_GIVEN_TYPES_NEEDED, &attrs.Tout}, {"f", SL_GIVEN_FUNCTION, &attrs.f}};
    return sl_op(scope, "RemoteCall", inputs_, 2, attrs_, 2);
}

struct sl_stateful_partitioned_call_attrs {
    struct sl_types Tout; /* must be given */
    const char *f; /* must be given */
    const char *config; /* '' */
    const char *config_proto; /* '' */
    const char *executor_type; /* '' */
};
/* StatefulPartitionedCall: args: Tin -> output: Tout */
static inline TF_Operation *sl_stateful_partitioned_call(struct sl_scope *scope, const TF_Output *args, int num_args, struct sl_stateful_partitioned_call_attrs attrs) {
    const struct sl_op_input inputs_[] = {{args, num_args}};
    const struct sl_attr_given attrs_[] = {{"Tout", SL_GIVEN_TYPES_NEEDED, &attrs.Tout}, {"f", SL_GIVEN_FUNCTION, &attrs.f}, {"config", SL_GIVEN_STRING, &attrs.config}, {"config_proto", SL_GIVEN_STRING, &attrs.config_proto}, {"executor_type", SL_GIVEN_STRING, &attrs.executor_type}};
    return sl_op(scope, "StatefulPartitionedCall", inputs_, 1, attrs_, 5);
}

struct sl_stateless_case_attrs {
    struct sl_types Tout; /* must be given */
    struct sl_strings branches; /* must be given */
    struct sl_shapes output_shapes; /* [] */
};
/* StatelessCase: branch_index: int32, input: Tin -> output: Tout */
static inline TF_Operation *sl_stateless_case(struct sl_scope *scope, TF_Output branch_index, const TF_Output *input, int num_input, struct sl_stateless_case_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&branch_index, -1}, {input, num_input}};
    const struct sl_attr_given attrs_[] = {{"Tout", SL_GIVEN_TYPES_NEEDED, &attrs.Tout}, {"branches", SL_GIVEN_FUNCTIONS_NEEDED, &attrs.branches}, {"output_shapes", SL_GIVEN_SHAPES, &attrs.output_shapes}};
    return sl_op(scope, "StatelessCase", inputs_, 2, attrs_, 3);
}

struct sl_stateless_if_attrs {
    struct sl_types Tout; /* must be given */
    const char *then_branch; /* must be given */
    const char *else_branch; /* must be given */
    struct sl_shapes output_shapes; /* [] */
};
/* StatelessIf: cond: Tcond, input: Tin -> output: Tout */
static inline TF_Operation *sl_stateless_if(struct sl_scope *scope, TF_Output cond, const TF_Output *input, int num_input, struct sl_stateless_if_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&cond, -1}, {input, num_input}};
    const struct sl_attr_given attrs_[] = {{"Tout", SL_GIVEN_TYPES_NEEDED, &attrs.Tout}, {"then_branch", SL_GIVEN_FUNCTION, &attrs.then_branch}, {"else_branch", SL_GIVEN_FUNCTION, &attrs.else_branch}, {"output_shapes", SL_GIVEN_SHAPES, &attrs.output_shapes}};
    return sl_op(scope, "StatelessIf", inputs_, 2, attrs_, 4);
}

struct sl_stateless_while_attrs {
    const char *cond; /* must be given */
    const char *body; /* must be given */
    struct sl_shapes output_shapes; /* [] */
    int64_t parallel_iterations; /* 10 */
};
/* StatelessWhile: input: T -> output: T */
static inline TF_Operation *sl_stateless_while(struct sl_scope *scope, const TF_Output *input, int num_input, struct sl_stateless_while_attrs attrs) {
    const struct sl_op_input inputs_[] = {{input, num_input}};
    const struct sl_attr_given attrs_[] = {{"cond", SL_GIVEN_FUNCTION, &attrs.cond}, {"body", SL_GIVEN_FUNCTION, &attrs.body}, {"output_shapes", SL_GIVEN_SHAPES, &attrs.output_shapes}, {"parallel_iterations", SL_GIVEN_INT, &attrs.parallel_iterations}};
    return sl_op(scope, "StatelessWhile", inputs_, 1, attrs_, 4);
}

struct sl_symbolic_gradient_attrs {
    struct sl_types Tout; /* must be given */
    const char *f; /* must be given */
};
/* SymbolicGradient: input: Tin -> output: Tout */
static inline TF_Operation *sl_symbolic_gradient(struct sl_scope *scope, const TF_Output *input, int num_input, struct sl_symbolic_gradient_attrs attrs) {
    const struct sl_op_input inputs_[] = {{input, num_input}};
    const struct sl_attr_given attrs_[] = {{"Tout", SL_GIVEN_TYPES_NEEDED, &attrs.Tout}, {"f", SL_GIVEN_FUNCTION, &attrs.f}};
    return sl_op(scope, "SymbolicGradient", inputs_, 1, attrs_, 2);
}

/* ToBool: input: T -> output: bool */
static inline TF_Output sl_to_bool(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "ToBool", inputs_, 1, NULL, 0));
}

struct sl_unbatch_attrs {
    int64_t timeout_micros; /* must be given */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* Unbatch: batched_tensor: T, batch_index: int64, id: int64 -> unbatched_tensor: T */
static inline TF_Output sl_unbatch(struct sl_scope *scope, TF_Output batched_tensor, TF_Output batch_index, TF_Output id, struct sl_unbatch_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&batched_tensor, -1}, {&batch_index, -1}, {&id, -1}};
    const struct sl_attr_given attrs_[] = {{"timeout_micros", SL_GIVEN_INT_NEEDED, &attrs.timeout_micros}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op_first(sl_op(scope, "Unbatch", inputs_, 3, attrs_, 3));
}

struct sl_unbatch_grad_attrs {
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* UnbatchGrad: original_input: T, batch_index: int64, grad: T, id: int64 -> batched_grad: T */
static inline TF_Output sl_unbatch_grad_with(struct sl_scope *scope, TF_Output original_input, TF_Output batch_index, TF_Output grad, TF_Output id, struct sl_unbatch_grad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&original_input, -1}, {&batch_index, -1}, {&grad, -1}, {&id, -1}};
    const struct sl_attr_given attrs_[] = {{"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op_first(sl_op(scope, "UnbatchGrad", inputs_, 4, attrs_, 2));
}
static inline TF_Output sl_unbatch_grad(struct sl_scope *scope, TF_Output original_input, TF_Output batch_index, TF_Output grad, TF_Output id) {
    const struct sl_unbatch_grad_attrs attrs = SL_DEFAULTS;
    return sl_unbatch_grad_with(scope, original_input, batch_index, grad, id, attrs);
}

struct sl_while_op_attrs {
    const char *cond; /* must be given */
    const char *body; /* must be given */
    struct sl_shapes output_shapes; /* [] */
    int64_t parallel_iterations; /* 10 */
};
/* While: input: T -> output: T */
static inline TF_Operation *sl_while_op(struct sl_scope *scope, const TF_Output *input, int num_input, struct sl_while_op_attrs attrs) {
    const struct sl_op_input inputs_[] = {{input, num_input}};
    const struct sl_attr_given attrs_[] = {{"cond", SL_GIVEN_FUNCTION, &attrs.cond}, {"body", SL_GIVEN_FUNCTION, &attrs.body}, {"output_shapes", SL_GIVEN_SHAPES, &attrs.output_shapes}, {"parallel_iterations", SL_GIVEN_INT, &attrs.parallel_iterations}};
    return sl_op(scope, "While", inputs_, 1, attrs_, 4);
}

#ifdef __cplusplus
}
#endif

#endif
