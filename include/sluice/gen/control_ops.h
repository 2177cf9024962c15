/* Wrappers of the control ops, made by tools/gen_ops.py from src/ops/control.def; see sluice/ops.h. */
#ifndef SLUICE_GEN_CONTROL_OPS_H
#define SLUICE_GEN_CONTROL_OPS_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_abort_attrs {
    const char *error_msg; /* '' */
    bool exit_without_error; /* false */
};
/* Abort: () -> () */
static inline TF_Operation *sl_abort_with(struct sl_scope *scope, struct sl_abort_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"error_msg", SL_GIVEN_STRING, &attrs.error_msg}, {"exit_without_error", SL_GIVEN_BOOL, &attrs.exit_without_error}};
    return sl_op(scope, "Abort", NULL, 0, attrs_, 2);
}
static inline TF_Operation *sl_abort(struct sl_scope *scope) {
    const struct sl_abort_attrs attrs = SL_DEFAULTS;
    return sl_abort_with(scope, attrs);
}

/* ControlTrigger: () -> () */
static inline TF_Operation *sl_control_trigger(struct sl_scope *scope) {
    return sl_op(scope, "ControlTrigger", NULL, 0, NULL, 0);
}

struct sl_enter_attrs {
    const char *frame_name; /* must be given */
    bool is_constant; /* false */
    int64_t parallel_iterations; /* 10 */
};
/* Enter: data: T -> output: T */
static inline TF_Output sl_enter(struct sl_scope *scope, TF_Output data, struct sl_enter_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&data, -1}};
    const struct sl_attr_given attrs_[] = {{"frame_name", SL_GIVEN_STRING, &attrs.frame_name}, {"is_constant", SL_GIVEN_BOOL, &attrs.is_constant}, {"parallel_iterations", SL_GIVEN_INT, &attrs.parallel_iterations}};
    return sl_op_first(sl_op(scope, "Enter", inputs_, 1, attrs_, 3));
}

/* Exit: data: T -> output: T */
static inline TF_Output sl_exit(struct sl_scope *scope, TF_Output data) {
    const struct sl_op_input inputs_[] = {{&data, -1}};
    return sl_op_first(sl_op(scope, "Exit", inputs_, 1, NULL, 0));
}

/* LoopCond: input: bool -> output: bool */
static inline TF_Output sl_loop_cond(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "LoopCond", inputs_, 1, NULL, 0));
}

struct sl_merge_outputs {
    TF_Output output, value_index;
};
/* Merge: inputs: N * T -> output: T, value_index: int32 */
static inline struct sl_merge_outputs sl_merge(struct sl_scope *scope, const TF_Output *inputs, int num_inputs) {
    const struct sl_op_input inputs_[] = {{inputs, num_inputs}};
    TF_Operation *const op_ = sl_op(scope, "Merge", inputs_, 1, NULL, 0);
    const struct sl_merge_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

/* NextIteration: data: T -> output: T */
static inline TF_Output sl_next_iteration(struct sl_scope *scope, TF_Output data) {
    const struct sl_op_input inputs_[] = {{&data, -1}};
    return sl_op_first(sl_op(scope, "NextIteration", inputs_, 1, NULL, 0));
}

/* NoOp: () -> () */
static inline TF_Operation *sl_no_op(struct sl_scope *scope) {
    return sl_op(scope, "NoOp", NULL, 0, NULL, 0);
}

struct sl_recv_attrs {
    TF_DataType tensor_type; /* must be given */
    const char *tensor_name; /* must be given */
    const char *send_device; /* must be given */
    int64_t send_device_incarnation; /* must be given */
    const char *recv_device; /* must be given */
    bool client_terminated; /* false */
};
/* Recv: () -> tensor: tensor_type */
static inline TF_Output sl_recv(struct sl_scope *scope, struct sl_recv_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"tensor_type", SL_GIVEN_TYPE, &attrs.tensor_type}, {"tensor_name", SL_GIVEN_STRING, &attrs.tensor_name}, {"send_device", SL_GIVEN_STRING, &attrs.send_device}, {"send_device_incarnation", SL_GIVEN_INT_NEEDED, &attrs.send_device_incarnation}, {"recv_device", SL_GIVEN_STRING, &attrs.recv_device}, {"client_terminated", SL_GIVEN_BOOL, &attrs.client_terminated}};
    return sl_op_first(sl_op(scope, "Recv", NULL, 0, attrs_, 6));
}

struct sl_ref_enter_attrs {
    const char *frame_name; /* must be given */
    bool is_constant; /* false */
    int64_t parallel_iterations; /* 10 */
};
/* RefEnter: data: Ref(T) -> output: Ref(T) */
static inline TF_Output sl_ref_enter(struct sl_scope *scope, TF_Output data, struct sl_ref_enter_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&data, -1}};
    const struct sl_attr_given attrs_[] = {{"frame_name", SL_GIVEN_STRING, &attrs.frame_name}, {"is_constant", SL_GIVEN_BOOL, &attrs.is_constant}, {"parallel_iterations", SL_GIVEN_INT, &attrs.parallel_iterations}};
    return sl_op_first(sl_op(scope, "RefEnter", inputs_, 1, attrs_, 3));
}

/* RefExit: data: Ref(T) -> output: Ref(T) */
static inline TF_Output sl_ref_exit(struct sl_scope *scope, TF_Output data) {
    const struct sl_op_input inputs_[] = {{&data, -1}};
    return sl_op_first(sl_op(scope, "RefExit", inputs_, 1, NULL, 0));
}

/* RefIdentity: input: Ref(T) -> output: Ref(T) */
static inline TF_Output sl_ref_identity(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "RefIdentity", inputs_, 1, NULL, 0));
}

struct sl_ref_merge_outputs {
    TF_Output output, value_index;
};
/* RefMerge: inputs: Ref(N * T) -> output: Ref(T), value_index: int32 */
static inline struct sl_ref_merge_outputs sl_ref_merge(struct sl_scope *scope, const TF_Output *inputs, int num_inputs) {
    const struct sl_op_input inputs_[] = {{inputs, num_inputs}};
    TF_Operation *const op_ = sl_op(scope, "RefMerge", inputs_, 1, NULL, 0);
    const struct sl_ref_merge_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

/* RefNextIteration: data: Ref(T) -> output: Ref(T) */
static inline TF_Output sl_ref_next_iteration(struct sl_scope *scope, TF_Output data) {
    const struct sl_op_input inputs_[] = {{&data, -1}};
    return sl_op_first(sl_op(scope, "RefNextIteration", inputs_, 1, NULL, 0));
}

/* RefSelect: index: int32, inputs: Ref(N * T) -> output: Ref(T) */
static inline TF_Output sl_ref_select(struct sl_scope *scope, TF_Output index, const TF_Output *inputs, int num_inputs) {
    const struct sl_op_input inputs_[] = {{&index, -1}, {inputs, num_inputs}};
    return sl_op_first(sl_op(scope, "RefSelect", inputs_, 2, NULL, 0));
}

struct sl_ref_switch_outputs {
    TF_Output output_false, output_true;
};
/* RefSwitch: data: Ref(T), pred: bool -> output_false: Ref(T), output_true: Ref(T) */
static inline struct sl_ref_switch_outputs sl_ref_switch(struct sl_scope *scope, TF_Output data, TF_Output pred) {
    const struct sl_op_input inputs_[] = {{&data, -1}, {&pred, -1}};
    TF_Operation *const op_ = sl_op(scope, "RefSwitch", inputs_, 2, NULL, 0);
    const struct sl_ref_switch_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_send_attrs {
    const char *tensor_name; /* must be given */
    const char *send_device; /* must be given */
    int64_t send_device_incarnation; /* must be given */
    const char *recv_device; /* must be given */
    bool client_terminated; /* false */
};
/* Send: tensor: T -> () */
static inline TF_Operation *sl_send(struct sl_scope *scope, TF_Output tensor, struct sl_send_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&tensor, -1}};
    const struct sl_attr_given attrs_[] = {{"tensor_name", SL_GIVEN_STRING, &attrs.tensor_name}, {"send_device", SL_GIVEN_STRING, &attrs.send_device}, {"send_device_incarnation", SL_GIVEN_INT_NEEDED, &attrs.send_device_incarnation}, {"recv_device", SL_GIVEN_STRING, &attrs.recv_device}, {"client_terminated", SL_GIVEN_BOOL, &attrs.client_terminated}};
    return sl_op(scope, "Send", inputs_, 1, attrs_, 5);
}

struct sl_switch_outputs {
    TF_Output output_false, output_true;
};
/* Switch: data: T, pred: bool -> output_false: T, output_true: T */
static inline struct sl_switch_outputs sl_switch(struct sl_scope *scope, TF_Output data, TF_Output pred) {
    const struct sl_op_input inputs_[] = {{&data, -1}, {&pred, -1}};
    TF_Operation *const op_ = sl_op(scope, "Switch", inputs_, 2, NULL, 0);
    const struct sl_switch_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

#ifdef __cplusplus
}
#endif

#endif
