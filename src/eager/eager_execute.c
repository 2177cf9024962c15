/* Executing an op: its kernel is found or prepared, inputs are looked at, then it runs here or on an executor.
 *
 * A call of an op that was called before with the same attrs: one look-up by integers, inputs put in a row on the
 * stack, the kernel, a handle for each output. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "device/transfer.h"
#include "eager/eager_executor.h"
#include "eager/eager_listener.h"
#include "eager/eager_opaque.h"
#include "eager/eager_prepare.h"
#include "kernel/cancellation.h"
#include "kernel/metered_node.h"
#include "kernel/numerics.h"
#include "kernel/variable.h"
#include "ops/op_effects.h"
#include "runtime/instances.h"

enum { FEW = 16 };

/* ---- inputs */

/* Scalars in tensors (the caller's, who may change them) are read now. */
static inline void share_value(struct sl_value *to, const struct sl_value *v) {
    if (v->kind != SL_VALUE_TENSOR || v->tensor->rank || !sl_dtype_is_plain(v->dtype) || sl_value_memory(v)) {
        *to = sl_value_share(v);
        return;
    }
    to->kind = SL_VALUE_SCALAR;
    to->dtype = v->dtype;
    memcpy(to->bits, v->tensor->data, sl_dtype_size(v->dtype));
}

static sl_code fail_type(const struct sl_eager_kernel *k, int i, int given, struct sl_error *err) {
    return sl_fail(err, SL_INVALID_ARGUMENT,
                   "cannot compute %.*s as input #%d(zero-based) was expected to be a %s tensor but is a %s tensor",
                   SL_STR_ARG(k->op->name), i, sl_dtype_name(k->in_types[i]), sl_dtype_name(given));
}

static sl_code fail_count(const struct sl_eager_kernel *k, int n, struct sl_error *err) {
    if (k->function)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "InstantiateOptions.input_devices must have the same length as the number of arguments: "
                       "input_devices length = %d number of arguments = %d",
                       n, k->n_in);
    return sl_fail(err, SL_INVALID_ARGUMENT, "expected %d inputs, got %d", k->n_in, n);
}

static void say(const struct sl_eager_context *c, const char *format, ...) SL_PRINTF(2, 3);
static void say(const struct sl_eager_context *c, const char *format, ...) {
    char line[2 * SL_DEVICE_TEXT + 512];
    va_list args;
    if (!c->log) return;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    c->log(line);
}

/* An input on another device than the op: whether that is allowed. `at` and `wanted` differ. */
static sl_code check_place(struct sl_eager_context *c, const struct sl_eager_kernel *k, int i, int at, int dtype,
                           struct sl_error *err) {
    const struct sl_device *devices = c->runtime->devices.items;
    const enum sl_eager_policy policy = sl_eager_policy_of_thread(c);
    const char *op_device = devices[k->device].name;
    if (policy == SL_EAGER_SILENT || (policy == SL_EAGER_SILENT_FOR_INT32 && dtype == SL_INT32)) return SL_OK;
    if (policy == SL_EAGER_WARN) {
        say(c,
            "before computing %.*s input #%d was expected to be on %s but is actually on %s (operation running on %s). "
            "This triggers a copy which can be a performance bottleneck.",
            SL_STR_ARG(k->op->name), i, op_device, devices[at].name, op_device);
        return SL_OK;
    }
    if (sl_str_is(k->op->name, "Identity") || sl_str_is(k->op->name, "IdentityN") ||
        sl_str_is(k->op->name, "_EagerConst"))
        return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT,
                   "Tensors on conflicting devices: cannot compute %.*s as input #%d was expected to be on %s but is "
                   "actually on %s (operation running on %s) Tensors can be copied explicitly using:  "
                   "copy_to_device / TFE_TensorHandleCopyToDevice",
                   SL_STR_ARG(k->op->name), i, op_device, devices[at].name, op_device);
}

/* Whether the op may run on these inputs; does not wait for them. */
static sl_code check_inputs(const struct sl_eager_op *op, const struct sl_eager_kernel *k, struct sl_error *err) {
    if (op->n_inputs != k->n_in) return fail_count(k, op->n_inputs, err);
    const bool one_place = op->context->runtime->devices.n == 1;
    for (int i = 0; i < k->n_in; i++) {
        const struct sl_eager_handle *h = op->inputs[i];
        if (h->dtype != k->in_types[i]) return fail_type(k, i, h->dtype, err);
        if (one_place || k->function) continue;
        const int at =
            h->backing < 0 || h->context != op->context ? 0 : h->backing; /* another context's are not ours */
        if (at != k->device) SL_TRY(check_place(op->context, k, i, at, h->dtype, err));
    }
    return SL_OK;
}

/* Where an input has to lie: a function's, on the device that it is called on. */
static struct sl_memory *memory_of(const struct sl_eager_context *c, const struct sl_eager_kernel *k, int input) {
    if (!k->instance) return sl_eager_memory(c, k->device, k->in_types[input]);
    const struct sl_kernel_node *node = &k->instance->node;
    return node->device && !node->on_host[input] ? node->device->memory : NULL;
}

/* TensorArrays and stacks end with their step, whoever has handles of them. */
static sl_code check_step(const struct sl_eager_call *call, const struct sl_eager_handle *h, struct sl_error *err) {
    if (!h->step || h->step == atomic_load_explicit(&call->context->step_number, memory_order_relaxed)) return SL_OK;
    return sl_fail(err, SL_NOT_FOUND,
                   "Container __per_step_0 does not exist. (Could not find resource: the step that had the input of "
                   "%.*s is over)",
                   SL_STR_ARG(call->kernel->op->name));
}

/* Puts the inputs in a row: moved out of a handle that nobody else has. The handles' references go. */
static sl_code take_inputs(struct sl_value *to, uint64_t *may_take, const struct sl_eager_call *call, uint64_t step,
                           struct sl_error *err) {
    sl_code code = SL_OK;
    *may_take = 0;
    for (int i = 0; i < call->n_inputs; i++) {
        struct sl_eager_handle *h = call->inputs[i];
        to[i].kind = SL_VALUE_NONE;
        if (code == SL_OK) code = sl_eager_handle_wait(h, err);
        if (code == SL_OK && h->step) code = check_step(call, h, err);
        if (code == SL_OK) {
            const bool is_sole =
                sl_eager_handle_is_sole(h) && h->value.kind == SL_VALUE_TENSOR && h->value.tensor->rank;
            if (is_sole) to[i] = sl_value_move(&h->value);
            else share_value(&to[i], &h->value);
            if (is_sole && i < 64) *may_take |= UINT64_C(1) << i;
            code = sl_value_settle(&to[i], memory_of(call->context, call->kernel, i), step, err);
        }
        sl_eager_handle_unref(h);
    }
    return code;
}

/* ---- running */

/* What a handle can hold: a value that is there. What a Switch does not give is an empty tensor, and a reference is
 * what it refers to. */
static sl_code settle_output(struct sl_value *v, int dtype, struct sl_error *err) {
    static const int64_t nothing[] = {0};
    if (v->kind == SL_VALUE_REF) {
        struct sl_variable *variable = (struct sl_variable *)v->object;
        struct sl_value read;
        sl_code code = sl_variable_read(&read, variable, NULL);
        sl_value_clear(v);
        if (code == SL_OK) *v = read;
    }
    if (v->kind > SL_VALUE_DEAD) return SL_OK;
    return sl_value_new(v, dtype, (struct sl_shape){1, nothing}, err);
}

static sl_code run_kernel(struct sl_value *slots, uint64_t may_take, const struct sl_eager_call *call,
                          struct sl_step_env *env, struct sl_error *err) {
    const struct sl_eager_kernel *k = call->kernel;
    for (int o = 0; o < k->n_out; o++) slots[k->n_in + o].kind = SL_VALUE_NONE;
    struct sl_step_env own;
    struct sl_cancellation *end = NULL;
    if (k->has_functions) { /* which may be in parts */
        own = *env;
        SL_TRY(sl_cancellation_new(&end, env->cancellation, err));
        own.cancellation = end;
        env = &own;
    }
    sl_code code = sl_kernel_instance_run(k->instance, env, slots, may_take, err);
    sl_cancellation_free(end);
    if (code != SL_OK) return code;
    for (int o = 0; o < k->n_out && code == SL_OK; o++)
        code = settle_output(&slots[k->n_in + o], sl_dtype_base(k->out_types[o]), err);
    for (int o = 0; o < k->n_out && code != SL_OK; o++) sl_value_clear(&slots[k->n_in + o]);
    return code;
}

/* Of a context whose numbers are watched. */
static __attribute__((noinline)) sl_code run_numbered(struct sl_value *slots, uint64_t may_take,
                                                      const struct sl_eager_call *call, struct sl_step_env *env,
                                                      struct sl_error *err) {
    struct sl_kernel_context k = {.node = &call->kernel->instance->node, .slots = slots, .env = env, .err = err};
    sl_code code = run_kernel(slots, sl_numerics_keep(&k, may_take), call, env, err);
    code = sl_numerics_settle(&k, code);
    for (int o = 0; o < call->kernel->n_out && code != SL_OK; o++) sl_value_clear(&slots[call->kernel->n_in + o]);
    return code;
}

/* A function's results come where it was called; they go to the devices that computed them. */
static sl_code settle_results(struct sl_value *results, const struct sl_eager_call *call, uint64_t step,
                              struct sl_error *err) {
    const struct sl_eager_kernel *k = call->kernel;
    sl_code code = SL_OK;
    for (int o = 0; o < k->n_out && code == SL_OK; o++)
        code = sl_value_settle(&results[o], sl_eager_memory(call->context, sl_eager_backing(k, o), results[o].dtype),
                               step, err);
    for (int o = 0; o < k->n_out && code != SL_OK; o++) sl_value_clear(&results[o]);
    return code;
}

/* What is computed in parts cancels the rest when one fails: that is an end of this call, not of all that its caller, or the
 * context, does. `out` is NULL for a function without parts. */
static sl_code new_end(struct sl_cancellation **out, struct sl_step_env *own, struct sl_function *f,
                       struct sl_error *err) {
    bool cancels;
    *out = NULL;
    SL_TRY(sl_instance_cancels(&cancels, f, err));
    if (!cancels) return SL_OK;
    SL_TRY(sl_cancellation_new(out, own->cancellation, err));
    own->cancellation = *out;
    return SL_OK;
}

static sl_code call_function(struct sl_value *slots, const struct sl_eager_kernel *k, struct sl_step_env *own,
                             struct sl_error *err) {
    struct sl_cancellation *end;
    SL_TRY(new_end(&end, own, k->function, err));
    sl_code code = sl_instance_call(k->function, own, slots, slots + k->n_in, err);
    sl_cancellation_free(end);
    return code;
}

/* A call of a function has TensorArrays and stacks of its own. */
static sl_code run_function(struct sl_value *slots, const struct sl_eager_call *call, struct sl_step_env *env,
                            struct sl_error *err) {
    const struct sl_eager_kernel *k = call->kernel;
    struct sl_step_env own = *env;
    own.session_resources = call->context->runtime->resources;
    own.step_resources = atomic_exchange(&call->context->spare, NULL);
    if (!own.step_resources) SL_TRY(sl_resources_new(&own.step_resources, err));
    if (call->cancellation && sl_cancellation_is_on(call->cancellation)) {
        sl_resources_free(own.step_resources);
        return sl_fail(err, SL_CANCELLED, "Function was cancelled before it was started");
    }
    own.step_id = atomic_fetch_add(&call->context->runtime->last_step, 1) + 1;
    sl_code code = call_function(slots, k, &own, err);
    sl_resources_clear(own.step_resources, (struct sl_str){NULL, 0});
    sl_resources_free(atomic_exchange(&call->context->spare, own.step_resources));
    if (!call->context->runtime->devices.is_host_alone && code == SL_OK)
        code = settle_results(slots + k->n_in, call, env->step_id, err);
    return code;
}

/* Whether an argument is as long as the attr says. */
static bool is_length(const struct sl_op *op, int attr) {
    for (int i = 0; i < op->n_inputs; i++)
        if (op->inputs[i].number_attr == attr || op->inputs[i].type_list_attr == attr) return true;
    for (int o = 0; o < op->n_outputs; o++)
        if (op->outputs[o].number_attr == attr || op->outputs[o].type_list_attr == attr) return true;
    return false;
}

/* "__wrapped__Pack_N_2_device_/job:...": the function that an op is the body of. Ops that run as functions differ from
 * others in what their errors say, and so no function is made. */
static sl_code name_wrapper(const struct sl_eager_call *call, sl_code code, struct sl_error *err) {
    char lengths[256] = "";
    size_t n = 0;
    struct sl_error why;
    const struct sl_eager_kernel *k = call->kernel;
    if (!err) return code;
    for (int a = 0; a < k->op->n_attrs && n < sizeof lengths; a++) {
        const struct sl_eager_attr *attr = &k->attrs.items[a];
        const bool is_types = attr->which == SL_PB_AttrValue_list && is_length(k->op, a);
        const bool is_number = attr->which == SL_PB_AttrValue_i && is_length(k->op, a);
        if (is_types || is_number)
            n += (size_t)snprintf(lengths + n, sizeof lengths - n, "_%.*s_%lld", SL_STR_ARG(k->op->attrs[a].name),
                                  is_types ? (long long)attr->value->list->type.n : (long long)attr->word);
    }
    why = *err;
    return sl_fail(err, code, "{{function_node __wrapped__%.*s%s_device_%s}} %s", SL_STR_ARG(k->op->name), lengths,
                   call->context->runtime->devices.items[k->device].name, why.message);
}

/* With a limit: each call of an op or a function has a meter of its own. */
static __attribute__((noinline)) sl_code run_metered(struct sl_value *slots, uint64_t may_take,
                                                     const struct sl_eager_call *call, const struct sl_step_env *env,
                                                     struct sl_error *err) {
    const struct sl_eager_kernel *k = call->kernel;
    struct sl_step_env own = *env;
    SL_TRY(sl_meter_new(&own.meter, call->context->runtime->options.step_memory, err));
    sl_code code;
    if (k->function) {
        code = run_function(slots, call, &own, err);
    } else {
        struct sl_metered_node metered;
        sl_metered_node_begin(&metered, own.meter, &k->instance->node);
        code = (own.watch ? run_numbered : run_kernel)(slots, may_take, call, &own, err);
        sl_metered_node_settle(own.meter, &k->instance->node, slots + k->n_in, code, err);
        sl_metered_node_end(&metered);
    }
    sl_meter_close(own.meter);
    return code;
}

static sl_code run_on(struct sl_value *slots, const struct sl_eager_call *call, struct sl_error *err) {
    const struct sl_eager_kernel *k = call->kernel;
    struct sl_step_env *env = &call->context->envs[k->device], cancelled;
    uint64_t may_take;
    if (call->cancellation) {
        cancelled = *env;
        cancelled.cancellation = call->cancellation;
        env = &cancelled;
    }
    sl_code code = take_inputs(slots, &may_take, call, env->step_id, err);
    if (code == SL_OK) {
        if (__builtin_expect(call->context->runtime->options.step_memory != 0, 0))
            code = run_metered(slots, may_take, call, env, err);
        else if (k->function) code = run_function(slots, call, env, err);
        else code = (env->watch ? run_numbered : run_kernel)(slots, may_take, call, env, err);
    }
    for (int i = 0; i < k->n_in; i++) sl_value_clear(&slots[i]);
    if (code != SL_OK && k->is_wrapped) return name_wrapper(call, code, err);
    return code;
}

sl_code sl_eager_call_run(struct sl_value *outputs, const struct sl_eager_call *call, struct sl_error *err) {
    struct sl_value few[FEW], *slots = few;
    const struct sl_eager_kernel *k = call->kernel;
    const size_t n = (size_t)k->n_in + (size_t)k->n_out;
    if (n > FEW) slots = sl_malloc(n * sizeof *slots);
    if (!slots) {
        for (int i = 0; i < call->n_inputs; i++) sl_eager_handle_unref(call->inputs[i]);
        return sl_fail_memory(err, n * sizeof *slots);
    }
    sl_code code = run_on(slots, call, err);
    if (code == SL_OK && k->n_out) memcpy(outputs, slots + k->n_in, (size_t)k->n_out * sizeof *outputs);
    if (slots != few) sl_free(slots);
    return code;
}

/* ---- executing */

/* Handles of resources, and shapes, lie on the host. */
int sl_eager_backing(const struct sl_eager_kernel *k, int output) {
    if (k->function) return sl_instance_ret_device(k->function, output);
    return k->out_types[output] == SL_RESOURCE || sl_op_has(k->op, SL_OP_TELLS_SHAPE) ? 0 : k->device;
}

static sl_code run_now(struct sl_eager_handle **outputs, struct sl_eager_op *op, struct sl_eager_kernel *k,
                       struct sl_error *err) {
    struct sl_value few[FEW], *values = few;
    const struct sl_eager_call call = {op->context, k, op->inputs, op->n_inputs,
                                       op->cancellation ? op->cancellation : sl_cancellation_of_thread()};
    if (k->n_out > FEW && !(values = sl_malloc((size_t)k->n_out * sizeof *values)))
        return sl_fail_memory(err, (size_t)k->n_out * sizeof *values);
    op->n_inputs = op->next_arg = 0;
    sl_code code = sl_eager_call_run(values, &call, err);
    for (int o = 0; o < k->n_out && code == SL_OK; o++) {
        outputs[o] = sl_eager_handle_new(op->context, values[o], k->device);
        if (outputs[o]) {
            atomic_store_explicit(&outputs[o]->backing, (int16_t)sl_eager_backing(k, o), memory_order_relaxed);
            if (outputs[o]->dtype == SL_RESOURCE) sl_eager_handle_note_step(outputs[o]);
            continue;
        }
        code = sl_fail_memory(err, sizeof *outputs[o]);
        for (int later = o + 1; later < k->n_out; later++) sl_value_clear(&values[later]);
        while (o--) sl_eager_handle_unref(outputs[o]);
        break;
    }
    if (values != few) sl_free(values);
    return code;
}

static sl_code run_later(struct sl_eager_handle **outputs, struct sl_eager_executor *e, struct sl_eager_op *op,
                         struct sl_eager_kernel *k, struct sl_error *err) {
    const struct sl_eager_call call = {op->context, k, op->inputs, op->n_inputs, op->cancellation};
    sl_code code = SL_OK;
    int made = 0;
    for (; made < k->n_out && code == SL_OK; made++) {
        outputs[made] = sl_eager_handle_new_pending(op->context, sl_dtype_base(k->out_types[made]), k->device);
        if (!outputs[made]) code = sl_fail_memory(err, sizeof *outputs[made]);
    }
    atomic_fetch_add_explicit(&k->refs, 1, memory_order_relaxed);
    if (code == SL_OK) code = sl_eager_executor_add(e, &call, outputs, err);
    if (code == SL_OK) {
        op->n_inputs = op->next_arg = 0;
        return SL_OK;
    }
    while (made--) sl_eager_handle_unref(outputs[made]);
    sl_eager_kernel_unref(k);
    return code;
}

static sl_code check_call(const struct sl_eager_op *op, const struct sl_eager_kernel *k, int n, struct sl_error *err) {
    if (n < k->n_out)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Expecting %d outputs, but *num_retvals is %d", k->n_out, n);
    SL_TRY(check_inputs(op, k, err));
    if (atomic_load_explicit(&op->context->logs_placement, memory_order_relaxed))
        say(op->context, "Executing op %.*s in device %s", SL_STR_ARG(k->op->name),
            op->context->runtime->devices.items[k->device].name);
    return SL_OK;
}

sl_code sl_eager_get_ready(const struct sl_eager_op *op, const struct sl_eager_kernel *k, int n_outputs,
                           struct sl_error *err) {
    SL_TRY(check_call(op, k, n_outputs, err));
    if (sl_eager_runs_at_once(op->context)) return SL_OK;
    struct sl_eager_executor *e = sl_eager_executor_of_thread(op->context);
    sl_code code = sl_eager_executor_is_async(e) ? sl_eager_executor_wait(e, err) : SL_OK;
    sl_eager_executor_unref(e);
    return code;
}

sl_code sl_eager_execute_kernel(struct sl_eager_handle **outputs, int *n, struct sl_eager_op *op,
                                struct sl_eager_kernel *k, struct sl_error *err) {
    SL_TRY(check_call(op, k, *n, err));
    sl_code code;
    if (sl_eager_runs_at_once(op->context)) {
        code = run_now(outputs, op, k, err);
    } else {
        struct sl_eager_executor *e = sl_eager_executor_of_thread(op->context);
        code = sl_eager_executor_is_async(e) ? run_later(outputs, e, op, k, err) : run_now(outputs, op, k, err);
        sl_eager_executor_unref(e);
    }
    if (code == SL_OK) *n = k->n_out;
    return code;
}

sl_code sl_eager_execute_here(struct sl_eager_handle **outputs, int *n, struct sl_eager_op *op,
                              struct sl_eager_kernel *k, struct sl_error *err) {
    SL_TRY(sl_eager_get_ready(op, k, *n, err));
    SL_TRY(run_now(outputs, op, k, err));
    *n = k->n_out;
    return SL_OK;
}

static sl_code execute_opaque(bool *is_done, struct sl_eager_handle **outputs, int *n, struct sl_eager_op *op,
                              struct sl_error *err) {
    struct sl_eager_listener *listener = sl_eager_listener();
    void *seen = listener ? listener->before_custom(listener, op) : NULL;
    sl_code code = sl_eager_execute_opaque(is_done, outputs, n, op, err);
    if (seen) listener->after_custom(listener, seen, outputs, code == SL_OK && *is_done ? *n : -1);
    return code;
}

sl_code sl_eager_execute(struct sl_eager_handle **outputs, int *n, struct sl_eager_op *op, struct sl_error *err) {
    struct sl_eager_kernel *k;
    if (!op->op) return sl_fail(err, SL_INVALID_ARGUMENT, "the op has no name: resetting it failed");
    if (atomic_load_explicit(&op->context->has_opaque, memory_order_acquire)) {
        bool is_done;
        SL_TRY(execute_opaque(&is_done, outputs, n, op, err));
        if (is_done) return SL_OK;
    }
    SL_TRY(sl_eager_prepare(&k, op, err));
    struct sl_eager_listener *listener = sl_eager_listener();
    sl_code code = listener ? listener->execute(listener, outputs, n, op, k, err)
                            : sl_eager_execute_kernel(outputs, n, op, k, err);
    sl_eager_kernel_unref(k);
    return code;
}
