/* Components: the parts of a function over several tasks, as the task that calls it has cut it. A component is a function
 * whose nodes _Send and _Recv meet those of other components. It is compiled by its first call, and a call is a step of the
 * worker, known to all tasks by its number. */
#include "base/alloc.h"
#include "device/transfer.h"
#include "dist/served_context.h"
#include "dist/service_call.h"
#include "dist/worker_state.h"
#include "runtime/pipeline.h"

struct sl_served_component {
    struct sl_function_def *def;
    struct sl_mutex mutex;         /* held by who compiles it; guards the rest */
    struct sl_worker_graph *graph; /* NULL: nobody has called it */
    int device;
    int16_t *ret_devices;
    uint8_t *arg_types;
    atomic_uint references;
};

/* ---- the context's components */

static void component_unref(struct sl_served_component *k) {
    if (!k || atomic_fetch_sub(&k->references, 1) != 1) return;
    sl_worker_graph_unref(k->graph);
    sl_function_unref(k->def);
    sl_free(k->ret_devices);
    sl_free(k->arg_types);
    sl_mutex_clear(&k->mutex);
    sl_free(k);
}

void sl_served_free_components(struct sl_served_context *c) {
    for (struct sl_str_map_entry *e = sl_str_map_first(&c->components); e; e = sl_str_map_next(&c->components, e))
        component_unref(e->value);
    sl_str_map_free(&c->components);
}

/* One that is there with the same content stays. */
static sl_code list_component(struct sl_served_context *c, struct sl_served_component *k, struct sl_error *err) {
    sl_code code = SL_OK;
    sl_mutex_lock(&c->mutex);
    const struct sl_served_component *old = sl_str_map_get(&c->components, k->def->name);
    if (old && !sl_function_equal(old->def, k->def))
        code =
            sl_fail(err, SL_INVALID_ARGUMENT,
                    "Attempting to add a duplicate function with name: %.*s where the previous and current definitions "
                    "differ.",
                    SL_STR_ARG(k->def->name));
    else if (!old && sl_str_map_put(&c->components, k->def->name, k)) code = sl_fail_memory(err, sizeof *k);
    else if (!old) atomic_fetch_add(&k->references, 1);
    sl_mutex_unlock(&c->mutex);
    return code;
}

sl_code sl_served_add_component(struct sl_served_context *c, const struct sl_pb_FunctionDef *def,
                                struct sl_error *err) {
    struct sl_served_component *k = sl_calloc(1, sizeof *k);
    if (!k) return sl_fail_memory(err, sizeof *k);
    sl_code code = sl_function_new(&k->def, def, err);
    if (code != SL_OK) {
        sl_free(k);
        return code;
    }
    atomic_init(&k->references, 1);
    sl_mutex_init(&k->mutex);
    code = list_component(c, k, err);
    component_unref(k);
    return code;
}

bool sl_served_remove_component(struct sl_served_context *c, struct sl_str name) {
    sl_mutex_lock(&c->mutex);
    struct sl_served_component *k = sl_str_map_remove(&c->components, name);
    sl_mutex_unlock(&c->mutex);
    component_unref(k);
    return k != NULL;
}

static sl_code find(struct sl_served_component **out, struct sl_served_context *c, struct sl_str name,
                    struct sl_error *err) {
    sl_mutex_lock(&c->mutex);
    *out = sl_str_map_get(&c->components, name);
    if (*out) atomic_fetch_add(&(*out)->references, 1);
    sl_mutex_unlock(&c->mutex);
    return *out ? SL_OK
                : sl_fail(err, SL_INTERNAL, "Could not find function library for registered component function: %.*s",
                          SL_STR_ARG(name));
}

/* ---- compiling */

static sl_code compile_body(struct sl_served_component *k, struct sl_served_context *c, struct sl_body *body,
                            struct sl_error *err) {
    const struct sl_function_place where = {.device = k->device};
    struct sl_program *program;
    sl_free(k->ret_devices);
    sl_free(k->arg_types);
    k->ret_devices = sl_calloc((size_t)body->n_rets + 1, sizeof *k->ret_devices);
    k->arg_types = sl_malloc((size_t)body->n_args + 1);
    if (!k->ret_devices || !k->arg_types)
        return sl_fail_memory(err, (size_t)body->n_rets * sizeof *k->ret_devices + (size_t)body->n_args);
    for (int i = 0; i < body->n_args; i++) k->arg_types[i] = (uint8_t)sl_dtype_base(body->args[i]->out_types[0]);
    SL_TRY(sl_pipeline_function(&program, k->ret_devices, c->eager->runtime, body, &where, err));
    struct sl_worker_session *session = sl_served_session(c);
    sl_code code = sl_worker_graph_new(&k->graph, session, program, err);
    sl_worker_session_unref(session);
    return code;
}

/* Bodies look functions up in a library that nobody changes meanwhile. */
static sl_code copy_library(struct sl_graph **out, struct sl_runtime *r, struct sl_error *err) {
    SL_TRY(sl_graph_new(out, r->registries->ops, err));
    sl_mutex_lock(&r->library_mutex);
    sl_code code = sl_graph_share_library(*out, r->library, err);
    sl_mutex_unlock(&r->library_mutex);
    if (code != SL_OK) sl_graph_free(*out);
    return code;
}

static sl_code compile(struct sl_served_component *k, struct sl_served_context *c, int device, struct sl_error *err) {
    struct sl_body body = {.graph = NULL};
    struct sl_graph *library;
    k->device = device;
    SL_TRY(copy_library(&library, c->eager->runtime, err));
    sl_code code = sl_function_instantiate(&body, k->def, NULL, library, err);
    if (code == SL_OK) code = compile_body(k, c, &body, err);
    sl_graph_free(body.graph);
    sl_graph_free(library);
    if (code == SL_OK) return SL_OK;
    sl_free(k->ret_devices);
    sl_free(k->arg_types);
    k->ret_devices = NULL;
    k->arg_types = NULL;
    return code;
}

/* Gives the graph, a new reference. */
static sl_code make_ready(struct sl_worker_graph **out, struct sl_served_component *k, struct sl_served_context *c,
                          struct sl_str device, struct sl_error *err) {
    const struct sl_device_set *devices = &c->eager->runtime->devices;
    const int at = device.n ? sl_device_find(devices, device) : 0;
    if (at < 0) return sl_fail(err, SL_INVALID_ARGUMENT, "%.*s unknown device.", SL_STR_ARG(device));
    sl_mutex_lock(&k->mutex);
    sl_code code = k->graph ? SL_OK : compile(k, c, at, err);
    if (code == SL_OK && k->device != at)
        code = sl_fail(err, SL_INVALID_ARGUMENT, "%.*s was called on %s before", SL_STR_ARG(k->def->name),
                       devices->items[k->device].name);
    if (code == SL_OK) *out = sl_worker_graph_ref(k->graph);
    sl_mutex_unlock(&k->mutex);
    return code;
}

static void forget_program(struct sl_served_component *k) {
    sl_mutex_lock(&k->mutex);
    struct sl_worker_graph *graph = k->graph;
    k->graph = NULL;
    sl_mutex_unlock(&k->mutex);
    sl_worker_graph_unref(graph);
}

/* A component's mutex comes before the context's. */
void sl_served_forget_programs(struct sl_served_context *c) {
    SL_VEC(struct sl_served_component *) all = {NULL, 0, 0};
    sl_mutex_lock(&c->mutex);
    for (struct sl_str_map_entry *e = sl_str_map_first(&c->components); e; e = sl_str_map_next(&c->components, e)) {
        struct sl_served_component *k = e->value;
        if (sl_vec_push(&all, k)) break; /* it calls the addresses of before */
        atomic_fetch_add(&k->references, 1);
    }
    sl_mutex_unlock(&c->mutex);
    for (size_t i = 0; i < all.n; i++) {
        forget_program(all.items[i]);
        component_unref(all.items[i]);
    }
    sl_vec_free(&all);
}

/* ---- calls */

void sl_component_call_clear(struct sl_component_call *call) {
    for (int i = 0; i < call->n_args; i++) sl_value_clear(&call->args[i]);
    for (int i = 0; i < call->n_rets; i++) sl_value_clear(&call->rets[i]);
    if (call->has_step) sl_worker_step_clear(&call->step);
    sl_worker_graph_unref(call->step.graph);
    component_unref(call->component);
    sl_served_context_unref(call->context);
    sl_free(call->args);
}

static sl_code take_arg(struct sl_component_call *call, int i, struct sl_eager_handle *h, struct sl_error *err) {
    struct sl_eager_context *eager = call->context->eager;
    const int type = call->component->arg_types[i];
    SL_TRY(sl_eager_handle_wait(h, err));
    if (h->opaque || h->dtype != type)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Argument %d of %.*s is a %s tensor, and it takes %s", i,
                       SL_STR_ARG(call->component->def->name), sl_dtype_name(h->dtype), sl_dtype_name(type));
    call->args[i] = sl_value_share(&h->value);
    call->n_args = i + 1;
    return sl_value_settle(&call->args[i], sl_eager_memory(eager, call->component->device, type),
                           eager->envs[0].step_id, err);
}

static sl_code take_args(struct sl_component_call *call, struct sl_eager_handle *const *args, size_t n,
                         struct sl_error *err) {
    const struct sl_program *program = sl_worker_graph_program(call->step.graph);
    const size_t n_args = (size_t)program->n_args, n_rets = (size_t)program->n_rets;
    if (n != n_args)
        return sl_fail(err, SL_INVALID_ARGUMENT, "%.*s takes %zu arguments, and got %zu",
                       SL_STR_ARG(call->component->def->name), n_args, n);
    call->args = sl_calloc(n_args + n_rets + 1, sizeof *call->args);
    if (!call->args) return sl_fail_memory(err, (n_args + n_rets) * sizeof *call->args);
    call->rets = call->args + n_args;
    for (size_t i = 0; i < n; i++) SL_TRY(take_arg(call, (int)i, args[i], err));
    return SL_OK;
}

static void step_done(struct sl_worker_step *step, sl_code code, const struct sl_error *err) {
    struct sl_component_call *call = step->arg;
    call->n_args = 0; /* taken */
    if (code == SL_OK) call->n_rets = sl_worker_graph_program(step->graph)->n_rets;
    call->done(call, code, err);
}

sl_code sl_component_call_init(struct sl_component_call *call, struct sl_served_context *c,
                               const struct sl_component_request *request, struct sl_error *err) {
    call->context = sl_served_context_ref(c);
    SL_TRY(find(&call->component, c, request->name, err));
    SL_TRY(make_ready(&call->step.graph, call->component, c, request->device, err));
    SL_TRY(take_args(call, request->args, request->n_args, err));
    SL_TRY(sl_served_note_step(c, request->step_id, err));
    call->step.step_id = request->step_id;
    call->step.args = call->args;
    call->step.rets = call->rets;
    call->step.done = step_done;
    call->step.arg = call;
    SL_TRY(sl_worker_step_init(&call->step, err));
    call->has_step = true;
    return SL_OK;
}

sl_code sl_component_call_ret(struct sl_eager_handle **out, struct sl_component_call *call, int i,
                              struct sl_error *err) {
    const struct sl_device_set *devices = &call->context->eager->runtime->devices;
    struct sl_value value = sl_value_move(&call->rets[i]);
    if (value.kind <= SL_VALUE_DEAD)
        return sl_fail(err, SL_INVALID_ARGUMENT, "result %d of %.*s is dead", i,
                       SL_STR_ARG(call->component->def->name));
    return sl_served_place(out, call->context, value, sl_str_of(devices->items[call->component->ret_devices[i]].name),
                           err);
}

/* ---- calls of other tasks. One belongs to itself, and to whoever is told that the peer has gone. */
struct component_run {
    struct sl_component_call component;
    struct sl_rpc_call *call;
    struct sl_arena arena;
    const struct sl_pb_eager_RunComponentFunctionRequest *request; /* in the arena, and in the call's body */
    atomic_uint holders;
};

static void run_release(struct component_run *run) {
    if (atomic_fetch_sub(&run->holders, 1) != 1) return;
    sl_component_call_clear(&run->component);
    sl_arena_clear(&run->arena);
    sl_free(run);
}

static sl_code keep_result(struct sl_rpc_message *m, struct component_run *run, int i, struct sl_error *err) {
    struct sl_eager_handle *h;
    SL_TRY(sl_component_call_ret(&h, &run->component, i, err));
    sl_code code = sl_served_add_shape(m, h, err);
    if (code == SL_OK)
        return sl_served_put(run->component.context, run->request->operation->id, run->request->output_num.items[i], h,
                             err);
    sl_eager_handle_unref(h);
    return code;
}

static void run_done(struct sl_component_call *component, sl_code code, const struct sl_error *err) {
    struct component_run *run = (struct component_run *)component;
    struct sl_rpc_message m = {.n = 0};
    struct sl_error own;
    if (code == SL_OK) {
        err = &own;
        for (int i = 0; i < component->n_rets && code == SL_OK; i++) code = keep_result(&m, run, i, &own);
    }
    sl_service_end(run->call, &m, code, err);
    run_release(run);
}

static void cancel_run(void *arg) {
    struct component_run *run = arg;
    sl_component_call_cancel(&run->component, "RunComponentFunction was cancelled");
    run_release(run);
}

/* The call must not end within this. */
static void peer_gone(struct sl_rpc_call *call, sl_code code) {
    struct component_run *run = call->arg;
    (void)code;
    atomic_fetch_add(&run->holders, 1);
    sl_worker_spawn(run->component.context->worker, cancel_run, run);
}

static sl_code begin_with(struct component_run *run, struct sl_served_context *c, struct sl_eager_handle **args,
                          struct sl_error *err) {
    const struct sl_pb_eager_Operation *op = run->request->operation;
    size_t n = 0;
    sl_code code = SL_OK;
    for (; n < op->op_inputs.n && code == SL_OK; n += code == SL_OK)
        code = sl_served_input(&args[n], c, &op->op_inputs.items[n], run->call->body, err);
    const struct sl_component_request request = {op->name, op->device, (uint64_t)op->func_step_id, args, n};
    if (code == SL_OK) code = sl_component_call_init(&run->component, c, &request, err);
    while (n--) sl_eager_handle_unref(args[n]);
    SL_TRY(code);
    const int n_rets = sl_worker_graph_program(run->component.step.graph)->n_rets;
    if (run->request->output_num.n == (size_t)n_rets) return SL_OK;
    sl_worker_step_abandon(&run->component.step);
    run->component.has_step = false;
    return sl_fail(err, SL_INVALID_ARGUMENT, "%.*s has %d results, and %zu numbers came for them", SL_STR_ARG(op->name),
                   n_rets, run->request->output_num.n);
}

static sl_code begin(struct component_run *run, struct sl_served_context *c, struct sl_error *err) {
    const struct sl_pb_eager_Operation *op = run->request->operation;
    if (!op) return sl_fail(err, SL_INVALID_ARGUMENT, "RunComponentFunction without an operation");
    struct sl_eager_handle **args = sl_calloc(op->op_inputs.n + 1, sizeof *args);
    if (!args) return sl_fail_memory(err, op->op_inputs.n * sizeof *args);
    run->component.done = run_done;
    sl_code code = begin_with(run, c, args, err);
    sl_free(args);
    return code;
}

void sl_served_run_component(struct sl_served_context *c, const struct sl_pb_eager_RunComponentFunctionRequest *request,
                             struct sl_arena *arena, struct sl_rpc_call *call) {
    static const struct sl_rpc_listener listener = {.gone = peer_gone};
    struct component_run *run = sl_calloc(1, sizeof *run);
    struct sl_error err;
    if (!run) {
        sl_arena_clear(arena);
        sl_rpc_call_fail(call, SL_RESOURCE_EXHAUSTED, "out of memory");
        return;
    }
    run->call = call;
    run->arena = *arena;
    run->request = request;
    atomic_init(&run->holders, 1);
    call->arg = run;
    sl_code code = begin(run, c, &err);
    if (code != SL_OK) {
        sl_rpc_call_fail(call, code, err.message);
        run_release(run);
        return;
    }
    atomic_fetch_add(&run->holders, 1); /* this function */
    sl_rpc_call_listen(call, &listener);
    sl_component_call_start(&run->component);
    run_release(run);
}
