/* kernels.h, registering: TF_KernelBuilder, and the row that it becomes. */
#include <string.h>

#include "base/alloc.h"
#include "kernel/cancellation.h"
#include "kernel/table.h"
#include "ops/op_signature.h"
#include "plugin/plugin_kernel.h"
#include "proto/wire.h"
#include "root/root.h"

/* ---- making the kernel of a node */
static void fill_ranges(struct sl_arg_range *ranges, const struct TF_KernelBuilder *builder, const struct sl_op *op,
                        const struct sl_op_arg *args, int n, const struct sl_attrs *attrs,
                        void (*range)(int *first, int *n, const struct sl_op *op, int arg,
                                      const struct sl_attrs *bound)) {
    for (int i = 0; i < n; i++) {
        range(&ranges[i].first, &ranges[i].n, op, i, attrs);
        for (size_t h = 0; h < builder->host_args.n; h++)
            if (sl_str_eq(builder->host_args.items[h], args[i].name)) ranges[i].is_on_host = true;
    }
}

static sl_code plugin_create(void **state, struct sl_kernel_setup *setup) {
    const struct TF_KernelBuilder *builder = setup->def->data;
    const struct sl_op *op = setup->op;
    struct sl_plugin_kernel *s =
        sl_calloc(1, sizeof *s + ((size_t)op->n_inputs + op->n_outputs) * sizeof(struct sl_arg_range));
    if (!s) return sl_fail_memory(setup->err, sizeof *s);
    s->builder = builder;
    s->inputs = (struct sl_arg_range *)(s + 1);
    s->outputs = s->inputs + op->n_inputs;
    s->graph_version = setup->graph_version;
    fill_ranges(s->inputs, builder, op, op->inputs, op->n_inputs, setup->attrs, sl_op_input_range);
    fill_ranges(s->outputs, builder, op, op->outputs, op->n_outputs, setup->attrs, sl_op_output_range);
    TF_OpKernelConstruction construction = {setup, SL_OK};
    if (builder->create) s->kernel = builder->create(&construction);
    if (construction.failed != SL_OK) {
        if (builder->free && s->kernel) builder->free(s->kernel);
        sl_free(s);
        return construction.failed;
    }
    *state = s;
    return SL_OK;
}

static void plugin_destroy(void *state) {
    struct sl_plugin_kernel *s = state;
    if (s->builder->free) s->builder->free(s->kernel);
    sl_free(s);
}

/* ---- running it */
static sl_code begin(TF_OpKernelContext *c, struct sl_kernel_context *k) {
    size_t n = (size_t)sl_out_count(k);
    c->k = k;
    c->state = k->state;
    c->failed = SL_OK;
    c->outputs = n <= SL_PLUGIN_FEW_OUTPUTS ? c->few : sl_malloc(n * sizeof *c->outputs);
    if (!c->outputs) return sl_fail_memory(k->err, n * sizeof *c->outputs);
    memset(c->outputs, 0, n * sizeof *c->outputs);
    return SL_OK;
}

/* Hands the outputs over, or drops them. */
static sl_code end(TF_OpKernelContext *c) {
    struct sl_kernel_context *k = c->k;
    int n = sl_out_count(k);
    for (int o = 0; o < n && c->failed == SL_OK; o++)
        if (!c->outputs[o] && sl_out_value(k, o)->kind != SL_VALUE_REF)
            c->failed =
                sl_fail(k->err, SL_INTERNAL, "Missing %d-th output from {{node %.*s}}", o, SL_STR_ARG(k->node->name));
    for (int o = 0; o < n; o++) {
        if (c->failed == SL_OK && c->outputs[o]) {
            sl_out_tensor(k, o, c->outputs[o]);
            c->failed = sl_out_settle(k, o); /* TF_SetOutput takes any tensor */
        } else {
            sl_tensor_unref(c->outputs[o]);
        }
    }
    if (c->outputs != c->few) sl_free(c->outputs);
    return c->failed;
}

static void tell(void *arg, struct sl_wait_listener *to) {
    const struct sl_kernel_node *node = arg;
    sl_wait_say(to, "node '%.*s' (%.*s) has not come back", SL_STR_ARG(node->name), SL_STR_ARG(node->op->name));
}
static void go_on(void *arg) { (void)arg; } /* nobody can stop it */

/* Who made it knows what it does, which may be to wait: so it tells, and when its time is over in it, that is looked at when
 * it comes back. */
static void compute(TF_OpKernelContext *context) {
    struct sl_cancellation *cancellation = context->k->env->cancellation;
    struct sl_cancellation_callback callback = {.fn = go_on, .arg = (void *)context->k->node, .tell = tell};
    const bool is_heard = cancellation && sl_cancellation_register(cancellation, &callback);
    context->state->builder->compute(context->state->kernel, context);
    if (!is_heard) return;
    (void)sl_cancellation_is_on(cancellation);
    sl_cancellation_unregister(cancellation, &callback);
}

static sl_code plugin_run(struct sl_kernel_context *k) {
    TF_OpKernelContext context;
    SL_TRY(begin(&context, k));
    compute(&context);
    return end(&context);
}

struct TF_AsyncOpKernelDoneCallback {
    TF_OpKernelContext context;
};

static void plugin_start(struct sl_kernel_context *k) {
    TF_AsyncOpKernelDoneCallback *done = sl_malloc(sizeof *done);
    sl_code code = done ? begin(&done->context, k) : sl_fail_memory(k->err, sizeof *done);
    if (code == SL_OK) {
        const struct sl_plugin_kernel *state = done->context.state;
        state->builder->compute_async(state->kernel, &done->context, done);
        return;
    }
    sl_free(done);
    sl_kernel_done(k, code);
}

void TF_RunAsyncOpKernelDoneCallback(TF_AsyncOpKernelDoneCallback *done) {
    struct sl_kernel_context *k = done->context.k;
    sl_code code = end(&done->context);
    sl_free(done);
    sl_kernel_done(k, code);
}

/* ---- the builder */
static const char *copy_text(TF_KernelBuilder *builder, const char *text) {
    const char *copy = sl_arena_str(&builder->arena, sl_str_of(text ? text : "")).p;
    if (!copy) builder->is_out_of_memory = true;
    return copy;
}

static TF_KernelBuilder *builder_new(const char *op_name, const char *device_name,
                                     void *(*create)(TF_OpKernelConstruction *), void (*free_kernel)(void *)) {
    TF_KernelBuilder *builder = sl_calloc(1, sizeof *builder);
    if (!builder) return NULL;
    sl_arena_init(&builder->arena);
    builder->create = create;
    builder->free = free_kernel;
    builder->def = (struct sl_kernel_def){.op = copy_text(builder, op_name),
                                          .device = copy_text(builder, device_name),
                                          .flags = SL_KERNEL_OWN, /* what it looks at and keeps is not known */
                                          .create = plugin_create,
                                          .destroy = plugin_destroy,
                                          .data = builder};
    return builder;
}

TF_KernelBuilder *TF_NewKernelBuilder(const char *op_name, const char *device_name,
                                      void *(*create_func)(TF_OpKernelConstruction *),
                                      void (*compute_func)(void *, TF_OpKernelContext *), void (*delete_func)(void *)) {
    TF_KernelBuilder *builder = builder_new(op_name, device_name, create_func, delete_func);
    if (!builder) return NULL;
    builder->compute = compute_func;
    builder->def.run = plugin_run;
    return builder;
}

TF_KernelBuilder *TF_NewAsyncKernelBuilder(const char *op_name, const char *device_name,
                                           void *(*create_func)(TF_OpKernelConstruction *),
                                           void (*compute_async_func)(void *, TF_OpKernelContext *,
                                                                      TF_AsyncOpKernelDoneCallback *done),
                                           void (*delete_func)(void *)) {
    TF_KernelBuilder *builder = builder_new(op_name, device_name, create_func, delete_func);
    if (!builder) return NULL;
    builder->compute_async = compute_async_func;
    builder->def.start = plugin_start;
    builder->def.flags |= SL_KERNEL_ASYNC;
    return builder;
}

void TF_DeleteKernelBuilder(TF_KernelBuilder *builder) {
    if (!builder) return;
    sl_vec_free(&builder->host_args);
    sl_arena_clear(&builder->arena);
    sl_free(builder);
}

static sl_code add_rule(TF_KernelBuilder *builder, const char *attr, sl_dtype_set allowed, struct sl_error *err) {
    for (int i = 0; i < builder->n_rules; i++)
        if (strcmp(builder->def.types[i].attr, attr) == 0) { /* both have to hold */
            builder->def.types[i].allowed &= allowed;
            return SL_OK;
        }
    if (builder->n_rules == SL_KERNEL_RULES)
        return sl_fail(err, SL_UNIMPLEMENTED, "A kernel can have at most %d type constraints", SL_KERNEL_RULES);
    builder->def.types[builder->n_rules++] = (struct sl_type_rule){copy_text(builder, attr), allowed};
    return SL_OK;
}

void TF_KernelBuilder_TypeConstraint(TF_KernelBuilder *builder, const char *attr_name, TF_DataType dtype,
                                     TF_Status *status) {
    struct sl_error err;
    int type = (int)dtype;
    if (!sl_dtype_is_valid(type)) {
        sl_status_fail(status, SL_UNIMPLEMENTED, "Unexpected type %d", type);
        return;
    }
    sl_status_take(status, add_rule(builder, attr_name, UINT64_C(1) << type, &err), &err);
}

void TF_KernelBuilder_HostMemory(TF_KernelBuilder *builder, const char *arg_name) {
    struct sl_str name = sl_str_of(copy_text(builder, arg_name));
    if (sl_vec_push(&builder->host_args, name)) builder->is_out_of_memory = true;
}

void TF_KernelBuilder_Priority(TF_KernelBuilder *builder, int32_t priority_number) {
    builder->def.priority = priority_number;
}

void TF_KernelBuilder_Label(TF_KernelBuilder *builder, const char *label) {
    builder->def.label = copy_text(builder, label);
}

/* ---- registering */

/* The arguments in host memory, as rows list them. */
static void list_host_args(TF_KernelBuilder *builder) {
    const char *list = NULL;
    for (size_t h = 0; h < builder->host_args.n && !builder->is_out_of_memory; h++) {
        const struct sl_str name = builder->host_args.items[h];
        list = sl_arena_format(&builder->arena, "%s%s%.*s", list ? list : "", list ? ", " : "", SL_STR_ARG(name));
        if (!list) builder->is_out_of_memory = true;
    }
    builder->def.host = list;
}

static sl_code register_kernel(TF_KernelBuilder *builder, struct sl_error *err) {
    const struct sl_registries *registries;
    list_host_args(builder);
    if (builder->is_out_of_memory) return sl_fail(err, SL_RESOURCE_EXHAUSTED, "out of memory");
    if (!builder->compute && !builder->compute_async)
        return sl_fail(err, SL_INVALID_ARGUMENT, "A kernel for %s has no compute function", builder->def.op);
    SL_TRY(sl_root_registries(&registries, err));
    return sl_kernel_table_add(registries->kernels, &builder->def, err);
}

void TF_RegisterKernelBuilder(const char *kernel_name, TF_KernelBuilder *builder, TF_Status *status) {
    (void)kernel_name;
    struct sl_error err;
    if (!sl_status_take(status, register_kernel(builder, &err), &err)) TF_DeleteKernelBuilder(builder);
}

/* Replaces what the builder says by what the message does. */
static sl_code take_def(TF_KernelBuilder *builder, const struct sl_pb_KernelDef *def, struct sl_error *err) {
    char *op = sl_arena_format(&builder->arena, "%.*s", SL_STR_ARG(def->op));
    char *device = sl_arena_format(&builder->arena, "%.*s", SL_STR_ARG(def->device_type));
    char *label = def->label.n ? sl_arena_format(&builder->arena, "%.*s", SL_STR_ARG(def->label)) : NULL;
    if (!op || !device || (def->label.n && !label)) return sl_fail_memory(err, def->op.n);
    builder->def.op = op;
    builder->def.device = device;
    builder->def.label = label;
    builder->def.priority = def->priority;
    builder->n_rules = 0;
    memset(builder->def.types, 0, sizeof builder->def.types);
    for (size_t i = 0; i < def->constraint.n; i++) {
        const struct sl_pb_KernelDef_AttrConstraint *constraint = &def->constraint.items[i];
        const struct sl_pb_AttrValue *allowed = constraint->allowed_values;
        char *name = sl_arena_format(&builder->arena, "%.*s", SL_STR_ARG(constraint->name));
        sl_dtype_set types = 0;
        if (!name) return sl_fail_memory(err, constraint->name.n);
        if (!allowed || allowed->which != SL_PB_AttrValue_list)
            return sl_fail(err, SL_INVALID_ARGUMENT, "KernelDef: the constraint of '%s' is no list", name);
        for (size_t t = 0; t < allowed->list->type.n; t++)
            if (sl_dtype_is_valid(allowed->list->type.items[t])) types |= UINT64_C(1) << allowed->list->type.items[t];
        SL_TRY(add_rule(builder, name, types, err));
    }
    for (size_t i = 0; i < def->host_memory_arg.n; i++) {
        struct sl_str name = sl_arena_str(&builder->arena, def->host_memory_arg.items[i]);
        if (!name.p || sl_vec_push(&builder->host_args, name)) return sl_fail_memory(err, sizeof name);
    }
    return SL_OK;
}

void TF_RegisterKernelBuilderWithKernelDef(const char *serialized_kernel_def, const char *name,
                                           TF_KernelBuilder *builder, TF_Status *status) {
    (void)name;
    struct sl_error err;
    struct sl_arena arena;
    struct sl_pb_KernelDef def;
    sl_arena_init(&arena);
    sl_code code = sl_pb_decode(&def, SL_PB_TYPE(KernelDef), sl_str_of(serialized_kernel_def), &arena, &err);
    if (code == SL_OK) code = take_def(builder, &def, &err);
    if (code == SL_OK) code = register_kernel(builder, &err);
    sl_arena_clear(&arena);
    if (!sl_status_take(status, code, &err)) TF_DeleteKernelBuilder(builder);
}
