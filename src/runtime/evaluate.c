/* One node, without a program: its kernel runs on values of its own. */
#include "runtime/evaluate.h"

#include <string.h>

#include "base/alloc.h"
#include "ops/op_effects.h"

static const char device[] = "/job:localhost/replica:0/task:0/device:CPU:0";

static bool may_be_evaluated(const struct sl_node *n) {
    if (!sl_op_is_pure(n->op) || sl_flow_kind_of(n->op) != SL_FLOW_NONE || sl_op_takes_functions(n->op)) return false;
    for (int i = 0; i < n->n_inputs; i++)
        if (!sl_dtype_is_plain(n->in_types[i]) && n->in_types[i] != SL_STRING) return false;
    for (int o = 0; o < n->n_outputs; o++)
        if (!sl_dtype_is_plain(n->out_types[o]) && n->out_types[o] != SL_STRING) return false;
    return n->n_outputs > 0;
}

static sl_code run(struct sl_tensor **outs, struct sl_kernel_instance *kernel, const struct sl_tensor *const *inputs,
                   struct sl_error *err) {
    const uint32_t n_in = kernel->node.n_in, n_out = kernel->node.n_out, n = n_in + n_out;
    struct sl_step_env env = {.device = device};
    struct sl_value *values = sl_calloc(n, sizeof *values);
    if (!values) return sl_fail_memory(err, n * sizeof *values);
    for (uint32_t i = 0; i < n_in; i++)
        values[i] = sl_value_of_tensor(sl_tensor_ref((struct sl_tensor *)(uintptr_t)inputs[i]));
    sl_code code = sl_kernel_instance_run(kernel, &env, values, 0, err);
    for (uint32_t o = 0; o < n_out && code == SL_OK; o++)
        if (values[n_in + o].kind > SL_VALUE_DEAD) code = sl_value_to_tensor(&outs[o], &values[n_in + o], err);
    for (uint32_t i = 0; i < n; i++) sl_value_clear(&values[i]);
    sl_free(values);
    for (uint32_t o = 0; o < n_out && code != SL_OK; o++) {
        sl_tensor_unref(outs[o]);
        outs[o] = NULL;
    }
    return code;
}

static sl_code evaluate(struct sl_tensor **outs, void *arg, const struct sl_node *n,
                        const struct sl_tensor *const *inputs, struct sl_error *err) {
    const struct sl_registries *registries = arg;
    const struct sl_kernel_request request = {.op = n->op,
                                              .attrs = &n->attrs,
                                              .in_types = n->in_types,
                                              .out_types = n->out_types,
                                              .n_in = n->n_inputs,
                                              .n_out = n->n_outputs,
                                              .device = device,
                                              .device_type = SL_HOST_DEVICE,
                                              .node = n->name,
                                              .graph_version = n->graph->producer};
    struct sl_kernel_instance *kernel;
    for (int o = 0; o < n->n_outputs; o++) outs[o] = NULL;
    if (!may_be_evaluated(n))
        return sl_fail(err, SL_UNIMPLEMENTED, "%.*s is not evaluated ahead", SL_STR_ARG(n->op->name));
    SL_TRY(sl_kernel_prepare(&kernel, registries->instances, &request, err));
    sl_code code = kernel->node.is_async ? sl_fail(err, SL_UNIMPLEMENTED, "an asynchronous kernel")
                                         : run(outs, kernel, inputs, err);
    sl_kernel_instance_unref(kernel);
    return code;
}

struct sl_evaluator sl_registries_evaluator(const struct sl_registries *registries) {
    return (struct sl_evaluator){evaluate, (void *)(uintptr_t)registries};
}
