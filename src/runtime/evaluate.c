/* One node, without a program: its kernel is made, run on slots of its own, and dropped. */
#include "runtime/evaluate.h"

#include <string.h>

#include "base/alloc.h"
#include "os/float_mode.h"

static bool may_be_evaluated(const struct sl_node *n) {
    if (sl_op_is_stateful(n->op) || sl_flow_kind_of(n->op) != SL_FLOW_NONE || n->op->index == SL_OP_NO_ROW)
        return false;
    for (int i = 0; i < n->attrs.n; i++)
        if (n->attrs.items[i].value->which == SL_PB_AttrValue_func) return false;
    for (int i = 0; i < n->n_inputs; i++)
        if (!sl_dtype_is_plain(n->in_types[i]) && n->in_types[i] != SL_STRING) return false;
    for (int o = 0; o < n->n_outputs; o++)
        if (!sl_dtype_is_plain(n->out_types[o]) && n->out_types[o] != SL_STRING) return false;
    return n->n_outputs > 0;
}

static sl_code run(struct sl_tensor **outs, struct sl_kernel_node *k, struct sl_value *slots,
                   const struct sl_tensor *const *inputs, struct sl_error *err) {
    struct sl_step_env env = {.device = "/job:localhost/replica:0/task:0/device:CPU:0"};
    struct sl_kernel_context context = {.node = k, .state = k->state, .slots = slots, .env = &env, .err = err};
    for (uint32_t i = 0; i < k->n_in; i++)
        slots[i] = sl_value_of_tensor(sl_tensor_ref((struct sl_tensor *)(uintptr_t)inputs[i]));
    uint64_t mode = sl_float_mode_enter(); /* as in a step: the same values */
    sl_code code = k->def->run(&context);
    sl_float_mode_leave(mode);
    for (uint32_t o = 0; o < k->n_out && code == SL_OK; o++)
        if (slots[k->out + o].kind > SL_VALUE_DEAD) code = sl_value_to_tensor(&outs[o], &slots[k->out + o], err);
    for (uint32_t s = 0; s < k->n_in + k->n_out; s++) sl_value_clear(&slots[s]);
    for (uint32_t o = 0; o < k->n_out && code != SL_OK; o++) {
        sl_tensor_unref(outs[o]);
        outs[o] = NULL;
    }
    return code;
}

static sl_code evaluate(struct sl_tensor **outs, void *arg, const struct sl_node *n,
                        const struct sl_tensor *const *inputs, struct sl_error *err) {
    const struct sl_registries *registries = arg;
    struct sl_kernel_node k = {.op = n->op,
                               .name = n->name,
                               .n_in = (uint32_t)n->n_inputs,
                               .n_out = (uint32_t)n->n_outputs,
                               .in_types = n->in_types,
                               .out_types = n->out_types,
                               .outputs_used = ~UINT64_C(0)};
    k.out = k.n_in;
    for (int o = 0; o < n->n_outputs; o++) outs[o] = NULL;
    if (!may_be_evaluated(n))
        return sl_fail(err, SL_UNIMPLEMENTED, "%.*s is not evaluated ahead", SL_STR_ARG(n->op->name));
    SL_TRY(sl_kernel_find(&k.def, registries->kernels, n->op->name, n->name, "CPU", &n->attrs, err));
    if (!k.def->run || (k.def->flags & SL_KERNEL_ASYNC))
        return sl_fail(err, SL_UNIMPLEMENTED, "an asynchronous kernel");
    struct sl_kernel_setup setup = {.def = k.def,
                                    .op = n->op,
                                    .name = n->name,
                                    .attrs = &n->attrs,
                                    .in_types = n->in_types,
                                    .out_types = n->out_types,
                                    .n_in = n->n_inputs,
                                    .n_out = n->n_outputs,
                                    .graph_version = n->graph->producer,
                                    .err = err};
    size_t n_slots = (size_t)k.n_in + k.n_out;
    struct sl_value *slots = sl_calloc(n_slots, sizeof *slots + sizeof(uint32_t));
    if (!slots) return sl_fail_memory(err, n_slots * sizeof *slots);
    uint32_t *in = (uint32_t *)(slots + n_slots);
    for (uint32_t i = 0; i < k.n_in; i++) in[i] = i;
    k.in = in;
    sl_code code = k.def->create ? k.def->create(&k.state, &setup) : SL_OK;
    if (code == SL_OK) {
        code = run(outs, &k, slots, inputs, err);
        if (k.def->destroy) k.def->destroy(k.state);
    }
    sl_free(slots);
    return code;
}

struct sl_evaluator sl_registries_evaluator(const struct sl_registries *registries) {
    return (struct sl_evaluator){evaluate, (void *)(uintptr_t)registries};
}
