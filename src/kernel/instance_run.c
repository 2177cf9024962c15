/* Running an instance on an array of values, without a program. Called by tapes, constant folding and tests. */
#include <string.h>

#include "kernel/instance.h"
#include "kernel/variable.h"
#include "os/float_mode.h"
#include "os/park.h"

bool sl_kernel_run_scalar(struct sl_value *out, const struct sl_kernel_node *node, const struct sl_value *a,
                          const struct sl_value *b) {
    if (!node->scalar || a->kind != SL_VALUE_SCALAR || b->kind != SL_VALUE_SCALAR) return false;
    uint64_t mode = sl_float_mode_enter();
    node->scalar(out->bits, a->bits, b->bits);
    sl_float_mode_leave(mode);
    out->kind = SL_VALUE_SCALAR;
    out->dtype = (uint8_t)sl_dtype_base(node->out_types[0]);
    return true;
}

static void clear_outputs(struct sl_kernel_context *k) {
    for (uint32_t o = 0; o < k->node->n_out; o++) sl_value_clear(&k->slots[k->node->out + o]);
}

static sl_code begin(struct sl_kernel_context *k, struct sl_kernel_instance *i, struct sl_step_env *env,
                     struct sl_value *values, uint64_t may_take, struct sl_error *err) {
    *k = (struct sl_kernel_context){
        .node = &i->node, .state = i->node.state, .slots = values, .may_take = may_take, .env = env, .err = err};
    return sl_values_deref(values, i->node.in_types, i->node.n_in, err);
}

/* ---- waiting for a kernel that has no `run` */

struct waiting {
    struct sl_kernel_call call;
    sl_code code;
    sl_park_word is_done;
};

static void wake(struct sl_kernel_call *call, sl_code code) {
    struct waiting *w = (struct waiting *)call;
    w->code = code;
    atomic_store_explicit(&w->is_done, 1, memory_order_release);
    sl_unpark(&w->is_done, 1);
}

static sl_code start_and_wait(struct sl_kernel_instance *i, struct sl_step_env *env, struct sl_value *values,
                              uint64_t may_take, struct sl_error *err) {
    struct waiting w = {.call.done = wake};
    atomic_init(&w.is_done, 0);
    sl_kernel_instance_start(&w.call, i, env, values, may_take, err);
    while (!atomic_load_explicit(&w.is_done, memory_order_acquire)) sl_park(&w.is_done, 0, 0);
    return w.code;
}

/* ---- */

sl_code sl_kernel_instance_run(struct sl_kernel_instance *i, struct sl_step_env *env, struct sl_value *values,
                               uint64_t may_take, struct sl_error *err) {
    struct sl_kernel_context k;
    const struct sl_kernel_node *node = &i->node;
    if (sl_kernel_run_scalar(values + node->n_in, node, values, values + node->n_in - 1)) return SL_OK;
    if (!i->node.def->run) return start_and_wait(i, env, values, may_take, err);
    SL_TRY(begin(&k, i, env, values, may_take, err));
    uint64_t mode = sl_float_mode_enter();
    sl_code code = sl_kernel_status(&k, i->node.def->run(&k));
    sl_float_mode_leave(mode);
    if (code != SL_OK) clear_outputs(&k);
    return code;
}

static void finish(struct sl_kernel_context *k, sl_code code) {
    struct sl_kernel_call *call = (struct sl_kernel_call *)k;
    if (code != SL_OK) clear_outputs(k);
    call->done(call, code);
}

void sl_kernel_instance_start(struct sl_kernel_call *call, struct sl_kernel_instance *i, struct sl_step_env *env,
                              struct sl_value *values, uint64_t may_take, struct sl_error *err) {
    const struct sl_kernel_def *def = i->node.def;
    sl_code code = begin(&call->k, i, env, values, may_take, err);
    if (code != SL_OK || !def->start) {
        call->done(call, code == SL_OK ? sl_kernel_instance_run(i, env, values, may_take, err) : code);
        return;
    }
    call->k.done = finish;
    uint64_t mode = sl_float_mode_enter();
    def->start(&call->k);
    sl_float_mode_leave(mode);
}
