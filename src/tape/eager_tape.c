/* Tapes over eager handles: what a thread has, and what happens to an op that some tape follows.
 *
 *     execute ─► followed by none ─────────► as if there were no tape
 *             ─► an op ────────────────────► records begin ─► it runs ─► records are finished
 *             ─► an op that calls functions ► execute_call.c
 *
 * All tapes of a thread on one context share an environment, which the context keeps while nobody tapes. */
#include "tape/eager_tape.h"

#include "base/alloc.h"
#include "grad/sums.h"
#include "os/float_mode.h"
#include "runtime/evaluate.h"
#include "tape/call_cache.h"
#include "tape/derivatives.h"
#include "tape/execute_call.h"

/* What ops of a context run in, for one thread at a time. */
struct tape_env {
    struct sl_eager_kept base; /* first */
    struct sl_execute_env env;
    struct sl_step_env step;          /* with resources of its own, from the first tape to the last */
    struct sl_step_env *there;        /* the same for devices with memory of their own, by device; NULL: none */
    struct sl_eager_context *context; /* which has this, or whose tapes have */
    struct sl_evaluator evaluator;
    size_t n_removed, n_taken_back; /* from the context's library, when that was last looked at */
    unsigned tapes;                 /* that use it */
    char mark[24];
};

struct sl_tape {
    struct sl_recording *recording;
    struct tape_env *env;
    struct tape_thread *thread;
    bool is_paused;
};

struct tape_thread {
    struct sl_eager_listener listener; /* first */
    SL_VEC(struct sl_tape *) tapes;    /* the outermost first */
};
static _Thread_local struct tape_thread mine;

/* ---- environments */
static void free_env(struct sl_eager_kept *kept) {
    struct tape_env *t = (struct tape_env *)kept;
    sl_execute_env_clear(&t->env);
    sl_graph_free(t->env.library);
    sl_resources_free(t->step.step_resources);
    sl_free(t->there);
    sl_free(t);
}

static sl_code new_library(struct tape_env *t, struct sl_error *err) {
    SL_TRY(sl_graph_new(&t->env.library, t->env.ops, err));
    t->env.library->evaluator = &t->evaluator;
    return SL_OK;
}

/* What gradients have made is part of the context's library as long as one of them lives. */
static sl_code publish(void *arg, struct sl_function_def *const *needed, int n_own, int n, struct sl_error *err) {
    return sl_runtime_publish(((struct tape_env *)arg)->context->runtime, needed, n_own, n, err);
}

static void take_back(void *arg, struct sl_function_def *const *needed, int n) {
    sl_runtime_take_back(((struct tape_env *)arg)->context->runtime, needed, n);
}

static sl_code fill_steps(struct tape_env *t, const struct sl_eager_context *c, struct sl_error *err) {
    const struct sl_device_set *devices = &c->runtime->devices;
    t->step = c->envs[0];
    t->step.step_resources = NULL;
    SL_TRY(sl_resources_new(&t->step.step_resources, err));
    if (devices->is_host_alone) return SL_OK;
    t->there = sl_calloc((size_t)devices->room, sizeof *t->there);
    if (!t->there) return sl_fail_memory(err, (size_t)devices->room * sizeof *t->there);
    for (int d = 0; d < devices->n; d++) {
        t->there[d] = c->envs[d];
        t->there[d].step_resources = t->step.step_resources;
    }
    return SL_OK;
}

static sl_code fill_env(struct tape_env *t, struct sl_eager_context *c, struct sl_error *err) {
    struct sl_runtime *r = c->runtime;
    t->context = c;
    SL_TRY(fill_steps(t, c, err));
    t->evaluator = sl_registries_evaluator(r->registries);
    snprintf(t->mark, sizeof t->mark, "t%llu_", (unsigned long long)sl_eager_number());
    t->env = (struct sl_execute_env){.ops = r->registries->ops,
                                     .kernels = r->registries->instances,
                                     .step = &t->step,
                                     .device_type = r->devices.items[0].type->name,
                                     .steps_there = t->there,
                                     .call_by_name = r->registries->call_by_name,
                                     .publish = publish,
                                     .take_back = take_back,
                                     .mark = sl_str_of(t->mark),
                                     .publish_arg = t,
                                     .find_rule = c->find_rule};
    SL_TRY(sl_execute_env_init(&t->env, err));
    return new_library(t, err);
}

static sl_code new_env(struct tape_env **out, struct sl_eager_context *c, struct sl_error *err) {
    struct tape_env *t = sl_calloc(1, sizeof *t);
    if (!t) return sl_fail_memory(err, sizeof *t);
    t->base.free = free_env;
    sl_code code = fill_env(t, c, err);
    if (code == SL_OK) *out = t;
    else free_env(&t->base);
    return code;
}

static sl_code take_env(struct tape_env **out, struct sl_eager_context *c, struct sl_error *err) {
    *out = NULL;
    for (size_t i = 0; i < mine.tapes.n && !*out; i++)
        if (mine.tapes.items[i]->env->context == c) *out = mine.tapes.items[i]->env;
    if (!*out) *out = (struct tape_env *)atomic_exchange(&c->kept, NULL);
    if (!*out) SL_TRY(new_env(out, c, err));
    if ((*out)->tapes++ == 0) sl_eager_context_ref(c);
    return SL_OK;
}

static void give_env(struct tape_env *t) {
    struct sl_eager_context *c = t->context;
    if (--t->tapes) return;
    sl_resources_clear(t->step.step_resources, (struct sl_str){NULL, 0});
    struct sl_eager_kept *old = atomic_exchange(&c->kept, &t->base);
    if (old) old->free(old);
    sl_eager_context_unref(c);
}

/* Functions that the context has gained, or lost, since. With its library's mutex held. */
static sl_code share_library(struct tape_env *t, struct sl_error *err) {
    struct sl_runtime *r = t->context->runtime;
    struct sl_graph *before = t->env.library;
    sl_code code = new_library(t, err);
    if (code == SL_OK) sl_graph_free(before);
    else t->env.library = before;
    if (code == SL_OK) code = sl_graph_share_library(t->env.library, r->library, err);
    t->n_removed = r->n_removed;
    t->n_taken_back = r->n_taken_back;
    return code;
}

static sl_code see_library(struct tape_env *t, struct sl_error *err) {
    struct sl_runtime *r = t->context->runtime;
    sl_code code = SL_OK;
    sl_mutex_lock(&r->library_mutex);
    if (t->n_removed != r->n_removed) { /* what was made for one function does not go for another one of its name */
        sl_mutex_unlock(&r->library_mutex);
        sl_call_cache_clear(&t->env); /* which takes functions back */
        sl_mutex_lock(&r->library_mutex);
    }
    const bool is_same = t->n_removed == r->n_removed && t->n_taken_back == r->n_taken_back &&
                         t->env.library->functions.n == r->library->functions.n &&
                         t->env.library->gradients.n == r->library->gradients.n;
    if (!is_same) code = share_library(t, err);
    sl_mutex_unlock(&r->library_mutex);
    return code;
}

/* ---- values */
static inline void trace(struct sl_traced *out, const struct sl_eager_handle *h) {
    const struct sl_value *v = &h->value;
    out->value = *v;
    out->id = atomic_load_explicit(&h->number, memory_order_relaxed);
    if (v->kind != SL_VALUE_TENSOR || v->tensor->rank || !sl_dtype_is_plain(v->dtype) || sl_value_memory(v)) return;
    out->value.kind = SL_VALUE_SCALAR; /* which kernels take at once */
    memcpy(out->value.bits, v->tensor->data, sl_dtype_size(v->dtype));
}

static void number(struct sl_eager_handle *h, struct sl_execute_env *env) {
    unsigned long long none = 0;
    if (atomic_load_explicit(&h->number, memory_order_relaxed)) return;
    atomic_compare_exchange_strong_explicit(&h->number, &none, sl_execute_next_id(env), memory_order_relaxed,
                                            memory_order_relaxed);
}

static sl_code wait_for(struct sl_eager_handle *const *handles, int n, struct sl_error *err) {
    for (int i = 0; i < n; i++) {
        if (!handles[i]) return sl_fail(err, SL_INVALID_ARGUMENT, "Invalid handle");
        SL_TRY(sl_eager_handle_wait(handles[i], err));
    }
    return SL_OK;
}

static sl_code check_kinds(struct sl_eager_handle *const *handles, int n, struct sl_error *err) {
    for (int i = 0; i < n; i++)
        if (handles[i]->opaque)
            return sl_fail(err, SL_UNIMPLEMENTED, "The gradient by, or of, a value of a custom device");
    return SL_OK;
}

/* Handles as terms of an emitter; `handles` with NULLs give no terms there. */
static sl_code bring(struct sl_term *terms, struct sl_execute_emitter *e, struct sl_eager_handle *const *handles, int n,
                     struct sl_error *err) {
    struct sl_traced *values = SL_ARENA_ARRAY(&e->room.scratch, struct sl_traced, (size_t)n + 1);
    struct sl_term all;
    if (!values) return sl_fail_memory(err, (size_t)n * sizeof *values);
    for (int i = 0; i < n; i++)
        if (handles[i]) trace(&values[i], handles[i]);
    SL_TRY(sl_execute_bring(&all, e, values, NULL, n, err));
    for (int i = 0; i < n; i++) terms[i] = handles[i] ? (struct sl_term){all.of, i} : SL_NO_TERM;
    return SL_OK;
}

/* A handle of a term's value, known to tapes by the same number. */
static sl_code handle_of(struct sl_eager_handle **out, struct sl_eager_context *c, struct sl_term t,
                         struct sl_error *err) {
    *out = NULL;
    if (!sl_term_is(t)) return SL_OK;
    const struct sl_traced *v = sl_term_value(t);
    const struct sl_memory *memory = sl_value_memory(&v->value);
    const int device = memory ? (int)(sl_memory_device(memory) - c->runtime->devices.items) : 0;
    *out = sl_eager_handle_new(c, sl_value_share(&v->value), device);
    if (!*out) return sl_fail_memory(err, sizeof **out);
    atomic_store_explicit(&(*out)->number, v->id, memory_order_relaxed);
    return SL_OK;
}

/* ---- the thread's tapes */
static bool listens(const struct sl_tape *tape, const struct sl_eager_context *c) {
    return !tape->is_paused && tape->env->context == c;
}

/* Those of a context that record now, the outermost first; `out` has room for all. */
static int list_recordings(struct sl_recording **out, const struct tape_thread *t, const struct sl_eager_context *c,
                           const struct sl_tape *but) {
    int n = 0;
    for (size_t i = 0; i < t->tapes.n; i++)
        if (t->tapes.items[i] != but && listens(t->tapes.items[i], c)) out[n++] = t->tapes.items[i]->recording;
    return n;
}

static bool is_followed(const struct tape_thread *t, const struct sl_eager_op *op) {
    for (int i = 0; i < op->n_inputs; i++) {
        if (!atomic_load_explicit(&op->inputs[i]->number, memory_order_relaxed)) continue;
        for (size_t k = 0; k < t->tapes.n; k++)
            if (listens(t->tapes.items[k], op->context) && sl_eager_tape_follows(t->tapes.items[k], op->inputs[i]))
                return true;
    }
    return false;
}

/* ---- ops */
struct op_under_way {
    struct sl_ran ran;
    struct sl_tape *const *tapes;
    struct sl_recorded_op **records; /* by tape; NULL: it has none */
    size_t n_tapes;
};

static sl_code begin_records(struct op_under_way *u, const struct sl_eager_op *op, struct sl_error *err) {
    for (size_t i = 0; i < u->n_tapes; i++)
        if (listens(u->tapes[i], op->context))
            SL_TRY(sl_recording_begin(&u->records[i], u->tapes[i]->recording, &u->ran, err));
    return SL_OK;
}

/* Also after a failure: then records are let go. */
static sl_code finish_records(struct op_under_way *u, struct sl_eager_handle *const *outputs, struct sl_traced *values,
                              sl_code code, struct sl_error *err) {
    bool any = false;
    for (size_t i = 0; i < u->n_tapes; i++) any = any || u->records[i];
    if (!any) return code;
    for (int o = 0; o < u->ran.n_outputs && code == SL_OK; o++) {
        /* Nobody else has it yet, and no tape knows it. */
        atomic_store_explicit(&outputs[o]->number, sl_execute_next_id(&u->tapes[0]->env->env), memory_order_relaxed);
        trace(&values[o], outputs[o]);
    }
    for (size_t i = 0; i < u->n_tapes; i++) {
        if (!u->records[i]) continue;
        if (code == SL_OK) code = sl_recording_finish(u->tapes[i]->recording, u->records[i], values, err);
        else sl_record_let_go(u->records[i]);
    }
    return code;
}

static sl_code trace_inputs(struct op_under_way *u, const struct sl_eager_op *op, struct sl_traced *values,
                            struct sl_error *err) {
    const struct sl_traced **inputs = (const struct sl_traced **)u->ran.inputs;
    for (int i = 0; i < u->ran.n_inputs; i++) {
        SL_TRY(sl_eager_handle_wait(op->inputs[i], err));
        SL_TRY(check_kinds(&op->inputs[i], 1, err));
        trace(&values[i], op->inputs[i]);
        inputs[i] = &values[i];
    }
    return SL_OK;
}

static sl_code run_and_record(struct sl_eager_handle **outputs, int *n, struct sl_eager_op *op,
                              struct sl_eager_kernel *k, struct op_under_way *u, struct sl_traced *values,
                              struct sl_error *err) {
    sl_code code = trace_inputs(u, op, values, err);
    if (code == SL_OK) code = begin_records(u, op, err);
    if (code == SL_OK) code = sl_eager_execute_here(outputs, n, op, k, err);
    const bool has_run = code == SL_OK;
    code = finish_records(u, outputs, values, code, err);
    for (int o = 0; o < k->n_out && has_run && code != SL_OK; o++) sl_eager_handle_unref(outputs[o]);
    return code;
}

static sl_code execute_recorded(struct sl_eager_handle **outputs, int *n, struct sl_eager_op *op,
                                struct sl_eager_kernel *k, struct tape_thread *t, struct sl_error *err) {
    enum { FEW = 12, FEW_TAPES = 4 };
    struct sl_traced few_values[FEW], *values = few_values;
    const struct sl_traced *few_inputs[FEW], **inputs = few_inputs;
    struct sl_recorded_op *few_records[FEW_TAPES] = {NULL}, **records = few_records;
    const size_t most = (size_t)(k->n_in > k->n_out ? k->n_in : k->n_out);
    void *more = NULL;
    if (most > FEW || t->tapes.n > FEW_TAPES) {
        more = sl_calloc(1, most * (sizeof *values + sizeof *inputs) + t->tapes.n * sizeof *records);
        if (!more) return sl_fail_memory(err, most * sizeof *values);
        values = more;
        inputs = (const struct sl_traced **)(values + most);
        records = (struct sl_recorded_op **)(inputs + most);
    }
    struct op_under_way u = {.ran = {.op = k->op,
                                     .instance = k->instance,
                                     .attrs = k->instance->request.attrs,
                                     .inputs = inputs,
                                     .n_inputs = k->n_in,
                                     .n_outputs = k->n_out},
                             .tapes = t->tapes.items,
                             .records = records,
                             .n_tapes = t->tapes.n};
    sl_code code = run_and_record(outputs, n, op, k, &u, values, err);
    sl_free(more);
    return code;
}

/* ---- ops that call functions */
/* What says how a call runs, and not what it computes. */
static bool is_call_option(struct sl_str name) {
    return sl_str_is(name, "executor_type") || sl_str_is(name, "config_proto") ||
           (name.n && name.p[0] == '_' && !sl_str_is(name, "_Tout"));
}

/* A function that is called by its name runs as StatefulPartitionedCall, whose gradient keeps what it reads. */
static sl_code call_function(struct sl_term *out, struct sl_execute_emitter *e, const struct sl_eager_op *op,
                             const struct sl_eager_kernel *k, const struct sl_term *inputs, struct sl_error *err) {
    struct sl_attrs given;
    struct sl_pb_NameAttrList *called = SL_ARENA_NEW(&e->room.scratch, struct sl_pb_NameAttrList);
    struct sl_pb_AttrValue_ListValue *list = SL_ARENA_NEW(&e->room.scratch, struct sl_pb_AttrValue_ListValue);
    struct sl_pb_AttrValue *values = SL_ARENA_ARRAY(&e->room.scratch, struct sl_pb_AttrValue, 2);
    int32_t *types = SL_ARENA_ARRAY(&e->room.scratch, int32_t, (size_t)k->n_out + 1);
    SL_TRY(sl_eager_attrs_given(&given, &e->room.scratch, &op->attrs, err));
    struct sl_pb_entry_string_AttrValue *own =
        SL_ARENA_ARRAY(&e->room.scratch, struct sl_pb_entry_string_AttrValue, (size_t)given.n + 1);
    if (!called || !list || !values || !types || !own) return sl_fail_memory(err, sizeof *called);
    *called = (struct sl_pb_NameAttrList){.name = op->function->name, .attr = {.items = own}};
    for (int i = 0; i < given.n; i++) {
        if (is_call_option(given.items[i].name)) continue;
        own[called->attr.n].key = given.items[i].name;
        own[called->attr.n++].value = *given.items[i].value;
    }
    for (int o = 0; o < k->n_out; o++) types[o] = sl_dtype_base(k->out_types[o]);
    *list = (struct sl_pb_AttrValue_ListValue){.type = {types, (size_t)k->n_out}};
    values[0] = (struct sl_pb_AttrValue){.which = SL_PB_AttrValue_func, .func = called};
    values[1] = (struct sl_pb_AttrValue){.which = SL_PB_AttrValue_list, .list = list};
    const struct sl_attr attrs[] = {{SL_STR("f"), &values[0]}, {SL_STR("Tout"), &values[1]}};
    const struct sl_emission what = {SL_STR("StatefulPartitionedCall"), inputs, op->n_inputs, attrs, 2};
    return e->base.add(out, &e->base, &what, err);
}

static sl_code call_op(struct sl_term *out, struct sl_execute_emitter *e, const struct sl_eager_op *op,
                       const struct sl_term *inputs, struct sl_error *err) {
    struct sl_attrs *bound = SL_ARENA_NEW(&e->room.scratch, struct sl_attrs);
    if (!bound) return sl_fail_memory(err, sizeof *bound);
    SL_TRY(sl_eager_op_bind(bound, &e->room.scratch, op, err));
    return sl_execute(out, e, op->op, bound, inputs, op->n_inputs, err);
}

/* What the environment runs from here on stops with this one; NULL: with the thread's, if that has one. Gives the one
 * before. */
static struct sl_cancellation *stop_with(struct tape_env *env, struct sl_cancellation *c) {
    struct sl_cancellation *before = env->step.cancellation;
    if (!c) c = sl_cancellation_of_thread();
    if (c) env->step.cancellation = c;
    return before;
}

static sl_code run_call(struct sl_eager_handle **outputs, struct sl_eager_op *op, const struct sl_eager_kernel *k,
                        struct sl_execute_emitter *e, struct tape_env *env, struct sl_error *err) {
    struct sl_term *inputs = SL_ARENA_ARRAY(&e->room.scratch, struct sl_term, (size_t)op->n_inputs + 1), out;
    if (!inputs) return sl_fail_memory(err, (size_t)op->n_inputs * sizeof *inputs);
    SL_TRY(see_library(env, err));
    SL_TRY(bring(inputs, e, op->inputs, op->n_inputs, err));
    SL_TRY(op->function ? call_function(&out, e, op, k, inputs, err) : call_op(&out, e, op, inputs, err));
    for (int o = 0; o < k->n_out; o++) {
        sl_code code = handle_of(&outputs[o], op->context, (struct sl_term){out.of, o}, err);
        while (code != SL_OK && o--) sl_eager_handle_unref(outputs[o]);
        SL_TRY(code);
    }
    return SL_OK;
}

static sl_code execute_call(struct sl_eager_handle **outputs, int *n, struct sl_eager_op *op,
                            const struct sl_eager_kernel *k, struct tape_thread *t, struct sl_error *err) {
    struct sl_execute_emitter e;
    struct tape_env *env = NULL;
    for (size_t i = 0; i < t->tapes.n && !env; i++)
        if (listens(t->tapes.items[i], op->context)) env = t->tapes.items[i]->env;
    struct sl_recording **recordings = sl_malloc(t->tapes.n * sizeof *recordings);
    if (!recordings) return sl_fail_memory(err, t->tapes.n * sizeof *recordings);
    struct sl_cancellation *never = stop_with(env, op->cancellation);
    sl_execute_emitter_init(&e, &env->env);
    e.tapes = recordings;
    e.n_tapes = list_recordings(recordings, t, op->context, NULL);
    sl_code code = wait_for(op->inputs, op->n_inputs, err);
    if (code == SL_OK) code = sl_eager_get_ready(op, k, *n, err);
    if (code == SL_OK) code = check_kinds(op->inputs, op->n_inputs, err);
    if (code == SL_OK) code = run_call(outputs, op, k, &e, env, err);
    if (code == SL_OK) *n = k->n_out;
    sl_execute_emitter_clear(&e);
    env->step.cancellation = never;
    sl_eager_op_drop_inputs(op);
    sl_free(recordings);
    return code;
}

/* ---- listening */
static sl_code execute(struct sl_eager_listener *self, struct sl_eager_handle **outputs, int *n, struct sl_eager_op *op,
                       struct sl_eager_kernel *k, struct sl_error *err) {
    struct tape_thread *t = (struct tape_thread *)self;
    if (op->n_inputs != k->n_in || !is_followed(t, op)) return sl_eager_execute_kernel(outputs, n, op, k, err);
    if (k->function || sl_op_calls_functions(k->op) || sl_execute_has_callers_rule(op->context->find_rule, k->op))
        return execute_call(outputs, n, op, k, t, err);
    return execute_recorded(outputs, n, op, k, t, err);
}

/* ---- devices of the caller's own: what they run has no gradient, which the tape says when it is asked for that */
struct seen_custom {
    const struct sl_op *op;
    struct sl_eager_context *context;
    int n;
    struct sl_traced inputs[]; /* without values */
};

static struct sl_traced traced_unseen(const struct sl_eager_handle *h) {
    return (struct sl_traced){{.kind = SL_VALUE_NONE, .dtype = h->dtype}, h->number};
}

static void *before_custom(struct sl_eager_listener *self, const struct sl_eager_op *op) {
    if (!is_followed((struct tape_thread *)self, op)) return NULL;
    struct seen_custom *seen = sl_malloc(sizeof *seen + (size_t)op->n_inputs * sizeof *seen->inputs);
    if (!seen) return NULL;
    static const struct sl_op call = {.name = {"Call", sizeof "Call" - 1}, .index = SL_OP_NO_ROW};
    *seen = (struct seen_custom){.op = op->function ? &call : op->op, .context = op->context, .n = op->n_inputs};
    for (int i = 0; i < op->n_inputs; i++) seen->inputs[i] = traced_unseen(op->inputs[i]);
    return seen;
}

static sl_code record_custom_device(const struct tape_thread *t, const struct seen_custom *seen,
                                    struct sl_eager_handle *const *outputs, int n, struct sl_arena *arena,
                                    struct sl_error *err) {
    struct sl_error refusal;
    const struct sl_traced **inputs = SL_ARENA_ARRAY(arena, const struct sl_traced *, (size_t)seen->n + 1);
    struct sl_traced *made = SL_ARENA_ARRAY(arena, struct sl_traced, (size_t)n + 1);
    if (!inputs || !made) return sl_fail_memory(err, sizeof *made);
    sl_error_clear(&refusal);
    sl_fail(&refusal, SL_UNIMPLEMENTED, "The gradient of op %.*s, which ran on a custom device",
            SL_STR_ARG(seen->op->name));
    for (int i = 0; i < seen->n; i++) inputs[i] = &seen->inputs[i];
    for (int o = 0; o < n; o++) {
        number(outputs[o], &t->tapes.items[0]->env->env);
        made[o] = traced_unseen(outputs[o]);
    }
    const struct sl_ran ran = {
        .op = seen->op, .inputs = inputs, .outputs = made, .n_inputs = seen->n, .n_outputs = n, .refusal = &refusal};
    for (size_t i = 0; i < t->tapes.n; i++)
        if (listens(t->tapes.items[i], seen->context))
            SL_TRY(sl_recording_add(t->tapes.items[i]->recording, &ran, err));
    return SL_OK;
}

/* When memory is out here, the outputs are constants to the tapes. */
static void after_custom(struct sl_eager_listener *self, void *arg, struct sl_eager_handle *const *outputs, int n) {
    struct sl_arena arena;
    sl_arena_init(&arena);
    if (n >= 0) record_custom_device((struct tape_thread *)self, arg, outputs, n, &arena, NULL);
    sl_arena_clear(&arena);
    sl_free(arg);
}

static sl_code check_thread(const struct sl_tape *tape, struct sl_error *err) {
    if (tape->thread == &mine) return SL_OK;
    return sl_fail(err, SL_FAILED_PRECONDITION, "The tape was started by another thread, which alone may use it");
}

sl_code sl_eager_tape_start(struct sl_tape **out, struct sl_eager_context *context, bool is_persistent,
                            struct sl_error *err) {
    struct sl_tape *tape = sl_calloc(1, sizeof *tape);
    if (!tape || sl_vec_reserve(&mine.tapes, 1)) {
        sl_free(tape);
        return sl_fail_memory(err, sizeof *tape);
    }
    tape->thread = &mine;
    sl_code code = take_env(&tape->env, context, err);
    if (code == SL_OK) code = sl_recording_new(&tape->recording, &tape->env->env, is_persistent, err);
    if (code != SL_OK) {
        if (tape->env) give_env(tape->env);
        sl_free(tape);
        return code;
    }
    mine.listener = (struct sl_eager_listener){execute, before_custom, after_custom};
    mine.tapes.items[mine.tapes.n++] = tape;
    if (mine.tapes.n == 1) sl_eager_listen(&mine.listener);
    *out = tape;
    return SL_OK;
}

void sl_eager_tape_free(struct sl_tape *tape) {
    if (!tape) return;
    struct tape_thread *t = tape->thread;
    size_t at = 0;
    while (at < t->tapes.n && t->tapes.items[at] != tape) at++;
    if (at < t->tapes.n) memmove(&t->tapes.items[at], &t->tapes.items[at + 1], (--t->tapes.n - at) * sizeof tape);
    if (!t->tapes.n) {
        sl_eager_listen(NULL);
        sl_vec_free(&t->tapes);
    }
    sl_recording_free(tape->recording);
    give_env(tape->env);
    sl_free(tape);
}

sl_code sl_eager_tape_pause(struct sl_tape *tape, bool is_paused, struct sl_error *err) {
    SL_TRY(check_thread(tape, err));
    tape->is_paused = is_paused;
    return SL_OK;
}

bool sl_eager_tape_is_paused(const struct sl_tape *tape) { return tape->is_paused; }

sl_code sl_eager_tape_watch(struct sl_tape *tape, struct sl_eager_handle *h, struct sl_error *err) {
    SL_TRY(check_thread(tape, err));
    if (!h) return sl_fail(err, SL_INVALID_ARGUMENT, "Invalid handle");
    if (!sl_is_trainable(h->dtype))
        return sl_fail(err, SL_INVALID_ARGUMENT, "A tape cannot watch a value of type %s, which has no gradients",
                       sl_dtype_name(h->dtype));
    number(h, &tape->env->env);
    const struct sl_traced value = {{.kind = SL_VALUE_NONE, .dtype = h->dtype}, h->number};
    return sl_recording_watch(tape->recording, &value, err);
}

bool sl_eager_tape_follows(const struct sl_tape *tape, const struct sl_eager_handle *h) {
    const struct sl_traced value = {{.kind = SL_VALUE_NONE, .dtype = h->dtype}, h->number};
    return value.id && sl_recording_follows(tape->recording, &value);
}

/* ---- gradients */
/* Whether what goes with value `i` is of its type and shape. */
static sl_code check_like(const char *what, const char *of, int i, const struct sl_eager_handle *given,
                          const struct sl_eager_handle *value, struct sl_error *err) {
    char text[2][SL_SHAPE_TEXT];
    if (given->dtype != value->dtype)
        return sl_fail(err, SL_INVALID_ARGUMENT, "The %s of %s %d is of type %s, the %s of type %s", what, of, i,
                       sl_dtype_name(given->dtype), of, sl_dtype_name(value->dtype));
    const struct sl_shape wanted = sl_view_shape(sl_value_view(&value->value)),
                          shape = sl_view_shape(sl_value_view(&given->value));
    if (sl_shape_equal(shape, wanted)) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "The %s of %s %d has shape %s, the %s %s", what, of, i,
                   sl_shape_text(text[0], shape), of, sl_shape_text(text[1], wanted));
}

static sl_code check_ys(const struct sl_eager_gradient_spec *spec, struct sl_error *err) {
    for (int i = 0; i < spec->n_ys; i++) {
        const struct sl_eager_handle *y = spec->ys[i], *dy = spec->dys ? spec->dys[i] : NULL;
        if (!sl_is_trainable(y->dtype) || y->dtype == SL_RESOURCE)
            return sl_fail(err, SL_INVALID_ARGUMENT, "Target %d is of type %s, which has no gradients", i,
                           sl_dtype_name(y->dtype));
        if (dy && y->dtype != SL_VARIANT) SL_TRY(check_like("gradient", "target", i, dy, y, err));
    }
    return SL_OK;
}

/* When there is nothing between the xs and a y, why. */
static sl_code fail_unconnected(const struct sl_tape *tape, const struct sl_eager_gradient_spec *spec, int x,
                                struct sl_error *err) {
    bool any = false;
    for (int i = 0; i < spec->n_ys; i++) any = any || sl_eager_tape_follows(tape, spec->ys[i]);
    if (!any)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "The tape has recorded none of the targets: they were computed before it started, while it was "
                       "paused, or of nothing that it watches");
    if (!sl_eager_tape_follows(tape, spec->xs[x]))
        return sl_fail(err, SL_INVALID_ARGUMENT, "The tape does not watch source %d", x);
    return sl_fail(err, SL_INVALID_ARGUMENT, "No target depends on source %d", x);
}

static sl_code go_back(struct sl_eager_slices *dxs, struct sl_tape *tape, struct sl_execute_emitter *e,
                       const struct sl_eager_gradient_spec *spec, struct sl_error *err) {
    const size_t n_ys = (size_t)spec->n_ys, n_xs = (size_t)spec->n_xs;
    struct sl_term *ys = SL_ARENA_ARRAY(&e->room.scratch, struct sl_term, 2 * n_ys + n_xs + 1), *dys = ys + n_ys,
                   *xs = dys + n_ys;
    struct sl_term_gradient *found = SL_ARENA_ARRAY(&e->room.scratch, struct sl_term_gradient, n_xs + 1);
    if (!ys || !found) return sl_fail_memory(err, (n_ys + n_xs) * sizeof *found);
    SL_TRY(bring(ys, e, spec->ys, spec->n_ys, err));
    SL_TRY(bring(xs, e, spec->xs, spec->n_xs, err));
    if (spec->dys) SL_TRY(bring(dys, e, spec->dys, spec->n_ys, err));
    const struct sl_recording_spec what = {.ys = ys,
                                           .dys = spec->dys ? dys : NULL,
                                           .xs = xs,
                                           .n_ys = spec->n_ys,
                                           .n_xs = spec->n_xs,
                                           .gives_zeros = spec->unconnected == SL_EAGER_UNCONNECTED_ZEROS,
                                           .keeps_slices = spec->keeps_slices,
                                           .sums_in_pairs = spec->sums_in_pairs};
    SL_TRY(sl_recording_gradient(found, tape->recording, e, &what, err));
    for (int i = 0; i < spec->n_xs; i++) {
        if (!sl_term_is(found[i].values) && spec->unconnected == SL_EAGER_UNCONNECTED_FAILS)
            return fail_unconnected(tape, spec, i, err);
        SL_TRY(handle_of(&dxs[i].values, tape->env->context, found[i].values, err));
        SL_TRY(handle_of(&dxs[i].indices, tape->env->context, found[i].indices, err));
        SL_TRY(handle_of(&dxs[i].dense_shape, tape->env->context, found[i].dense_shape, err));
    }
    return SL_OK;
}

static sl_code check_gradient(const struct sl_tape *tape, const struct sl_eager_gradient_spec *spec,
                              struct sl_error *err) {
    SL_TRY(check_thread(tape, err));
    SL_TRY(wait_for(spec->ys, spec->n_ys, err));
    SL_TRY(wait_for(spec->xs, spec->n_xs, err));
    SL_TRY(check_kinds(spec->ys, spec->n_ys, err));
    SL_TRY(check_kinds(spec->xs, spec->n_xs, err));
    for (int i = 0; i < spec->n_ys && spec->dys; i++)
        if (spec->dys[i]) {
            SL_TRY(wait_for(&spec->dys[i], 1, err));
            SL_TRY(check_kinds(&spec->dys[i], 1, err));
        }
    return check_ys(spec, err);
}

/* An emitter that the tapes listen to which record now; without this one when it is asked for. `never`: what the
 * environment stopped with before, for close_emitter. */
static sl_code open_emitter(struct sl_execute_emitter *e, struct sl_cancellation **never, const struct sl_tape *tape,
                            bool hears_itself, struct sl_error *err) {
    struct sl_recording **recordings = sl_malloc(mine.tapes.n * sizeof *recordings);
    if (!recordings) return sl_fail_memory(err, mine.tapes.n * sizeof *recordings);
    sl_execute_emitter_init(e, &tape->env->env);
    e->tapes = recordings;
    e->n_tapes = list_recordings(recordings, &mine, tape->env->context, hears_itself ? NULL : tape);
    *never = stop_with(tape->env, NULL);
    return SL_OK;
}

static void close_emitter(struct sl_execute_emitter *e, struct sl_cancellation *never, const struct sl_tape *tape) {
    tape->env->step.cancellation = never;
    sl_free((void *)e->tapes);
    sl_execute_emitter_clear(e);
}

sl_code sl_eager_tape_gradient(struct sl_eager_slices *dxs, struct sl_tape *tape,
                               const struct sl_eager_gradient_spec *spec, struct sl_error *err) {
    struct sl_execute_emitter e;
    struct sl_cancellation *never;
    for (int i = 0; i < spec->n_xs; i++) dxs[i] = (struct sl_eager_slices){NULL, NULL, NULL};
    SL_TRY(check_gradient(tape, spec, err));
    /* A tape that gives its gradients once records no more. */
    SL_TRY(open_emitter(&e, &never, tape, sl_recording_is_persistent(tape->recording), err));
    sl_code code = go_back(dxs, tape, &e, spec, err);
    for (int i = 0; i < spec->n_xs && code != SL_OK; i++) {
        sl_eager_handle_unref(dxs[i].values);
        sl_eager_handle_unref(dxs[i].indices);
        sl_eager_handle_unref(dxs[i].dense_shape);
        dxs[i] = (struct sl_eager_slices){NULL, NULL, NULL};
    }
    close_emitter(&e, never, tape);
    return code;
}

/* ---- other derivatives */
static sl_code take_handles(struct sl_eager_handle **out, const struct sl_tape *tape, const struct sl_term *terms,
                            int n, struct sl_error *err) {
    sl_code code = SL_OK;
    int i = 0;
    for (; i < n && code == SL_OK; i++) code = handle_of(&out[i], tape->env->context, terms[i], err);
    while (code != SL_OK && i--) {
        sl_eager_handle_unref(out[i]);
        out[i] = NULL;
    }
    return code;
}

static sl_code go_forward(struct sl_eager_handle **tys, struct sl_tape *tape, struct sl_execute_emitter *e,
                          const struct sl_eager_jvp_spec *spec, struct sl_error *err) {
    const size_t n_ys = (size_t)spec->n_ys, n_xs = (size_t)spec->n_xs;
    struct sl_term *ys = SL_ARENA_ARRAY(&e->room.scratch, struct sl_term, 2 * (n_ys + n_xs) + 1), *found = ys + n_ys,
                   *xs = found + n_ys, *txs = xs + n_xs;
    if (!ys) return sl_fail_memory(err, (n_ys + n_xs) * sizeof *ys);
    SL_TRY(bring(ys, e, spec->ys, spec->n_ys, err));
    SL_TRY(bring(xs, e, spec->xs, spec->n_xs, err));
    SL_TRY(bring(txs, e, spec->txs, spec->n_xs, err));
    const struct sl_jvp_spec what = {ys, xs, txs, spec->n_ys, spec->n_xs};
    SL_TRY(sl_recording_jvp(found, tape->recording, e, &what, err));
    return take_handles(tys, tape, found, spec->n_ys, err);
}

sl_code sl_eager_tape_jvp(struct sl_eager_handle **tys, struct sl_tape *tape, const struct sl_eager_jvp_spec *spec,
                          struct sl_error *err) {
    struct sl_execute_emitter e;
    struct sl_cancellation *never;
    const struct sl_eager_gradient_spec seen = {.ys = spec->ys, .xs = spec->xs, .n_ys = spec->n_ys, .n_xs = spec->n_xs};
    for (int i = 0; i < spec->n_ys; i++) tys[i] = NULL;
    SL_TRY(check_gradient(tape, &seen, err));
    for (int i = 0; i < spec->n_xs; i++) {
        if (!spec->txs[i]) continue;
        SL_TRY(wait_for(&spec->txs[i], 1, err));
        SL_TRY(check_kinds(&spec->txs[i], 1, err));
        if (spec->xs[i]->dtype != SL_RESOURCE)
            SL_TRY(check_like("tangent", "source", i, spec->txs[i], spec->xs[i], err));
    }
    SL_TRY(open_emitter(&e, &never, tape, false, err));
    sl_code code = go_forward(tys, tape, &e, spec, err);
    close_emitter(&e, never, tape);
    return code;
}

static sl_code take_jacobian(struct sl_eager_handle **dxs, struct sl_tape *tape, struct sl_execute_emitter *e,
                             const struct sl_eager_gradient_spec *spec, bool by_example, struct sl_error *err) {
    const size_t n_xs = (size_t)spec->n_xs;
    struct sl_term *xs = SL_ARENA_ARRAY(&e->room.scratch, struct sl_term, 2 * n_xs + 1), *found = xs + n_xs, y;
    if (!xs) return sl_fail_memory(err, n_xs * sizeof *xs);
    SL_TRY(bring(&y, e, spec->ys, 1, err));
    SL_TRY(bring(xs, e, spec->xs, spec->n_xs, err));
    const struct sl_jacobian_spec what = {y, xs, spec->n_xs, by_example};
    SL_TRY(sl_recording_jacobian(found, tape->recording, e, &what, err));
    return take_handles(dxs, tape, found, spec->n_xs, err);
}

sl_code sl_eager_tape_jacobian(struct sl_eager_handle **dxs, struct sl_tape *tape, struct sl_eager_handle *y,
                               struct sl_eager_handle *const *xs, int n_xs, bool by_example, struct sl_error *err) {
    struct sl_execute_emitter e;
    struct sl_cancellation *never;
    const struct sl_eager_gradient_spec spec = {.ys = &y, .xs = xs, .n_ys = 1, .n_xs = n_xs};
    for (int i = 0; i < n_xs; i++) dxs[i] = NULL;
    SL_TRY(check_gradient(tape, &spec, err));
    for (int i = 0; i < n_xs; i++)
        if (xs[i]->dtype == SL_VARIANT)
            return sl_fail(err, SL_UNIMPLEMENTED,
                           "A Jacobian by source %d, of type %s: take that by what was read of it", i,
                           sl_dtype_name(xs[i]->dtype));
    SL_TRY(open_emitter(&e, &never, tape, false, err));
    sl_code code = take_jacobian(dxs, tape, &e, &spec, by_example, err);
    close_emitter(&e, never, tape);
    return code;
}

/* ---- gradients of the caller's own */
static sl_code call_custom(struct sl_rule *g, const struct sl_eager_custom *custom, struct sl_eager_context *c) {
    struct sl_eager_handle **dys = SL_ARENA_ARRAY(g->arena, struct sl_eager_handle *, (size_t)g->n_y + 1),
                           **dxs = SL_ARENA_ARRAY(g->arena, struct sl_eager_handle *, (size_t)g->n_x + 1);
    struct sl_term *terms = SL_ARENA_ARRAY(g->arena, struct sl_term, (size_t)g->n_x + 1);
    if (!dys || !dxs || !terms) return sl_fail_memory(g->err, sizeof *dys);
    for (int i = 0; i < g->n_y; i++)
        if (sl_term_is(g->dy[i].values) && sl_term_is_batch(g->dy[i].values))
            return sl_fail(g->err, SL_UNIMPLEMENTED, "A gradient of the caller's own for many values at once");
    sl_code code = SL_OK;
    for (int i = 0; i < g->n_y && code == SL_OK; i++) {
        struct sl_term dy = sl_term_is(g->dy[i].values) ? sl_rule_dy(g, i) : SL_NO_TERM;
        code = g->code != SL_OK ? g->code : handle_of(&dys[i], c, dy, g->err);
    }
    sl_float_mode_leave(0); /* the caller's code has denormals */
    if (code == SL_OK) code = custom->gradient(dxs, dys, custom->arg, g->err);
    sl_float_mode_enter();
    for (int i = 0; i < g->n_x && code == SL_OK; i++)
        if (dxs[i]) code = sl_eager_handle_wait(dxs[i], g->err);
    if (code == SL_OK) code = bring(terms, (struct sl_execute_emitter *)g->emitter, dxs, g->n_x, g->err);
    for (int i = 0; i < g->n_x && code == SL_OK; i++) g->dx[i] = (struct sl_term_gradient){.values = terms[i]};
    for (int i = 0; i < g->n_y; i++) sl_eager_handle_unref(dys[i]);
    for (int i = 0; i < g->n_x; i++) sl_eager_handle_unref(dxs[i]);
    return code;
}

struct custom_arg {
    struct sl_eager_custom custom;
    struct sl_eager_context *context; /* that of the tape */
};

static void custom_rule(struct sl_rule *g, void *arg) {
    const struct custom_arg *a = arg;
    g->code = call_custom(g, &a->custom, a->context);
}

static void free_custom(void *arg) {
    struct custom_arg *a = arg;
    if (a->custom.free_arg) a->custom.free_arg(a->custom.arg);
    sl_free(a);
}

static sl_code new_custom(struct sl_custom_rule **out, struct sl_eager_context *c, const struct sl_eager_custom *custom,
                          struct sl_error *err) {
    struct sl_custom_rule *made = sl_calloc(1, sizeof *made);
    struct custom_arg *arg = sl_calloc(1, sizeof *arg);
    if (!made || !arg) {
        if (custom->free_arg) custom->free_arg(custom->arg);
        sl_free(made);
        sl_free(arg);
        return sl_fail_memory(err, sizeof *arg);
    }
    *arg = (struct custom_arg){*custom, c};
    *made = (struct sl_custom_rule){.refs = 1, .rule = custom_rule, .arg = arg, .free_arg = free_custom};
    *out = made;
    return SL_OK;
}

static bool any_follows(const struct sl_eager_context *c, const struct sl_traced *values, int n) {
    for (size_t k = 0; k < mine.tapes.n; k++)
        for (int i = 0; i < n && listens(mine.tapes.items[k], c); i++)
            if (sl_recording_follows(mine.tapes.items[k]->recording, &values[i])) return true;
    return false;
}

static sl_code record_custom(struct sl_eager_context *c, struct sl_eager_handle *const *ys, int n_ys,
                             struct sl_eager_handle *const *xs, int n_xs, struct sl_custom_rule *custom,
                             struct sl_arena *arena, struct sl_error *err) {
    static const struct sl_op op = {.name = {"CustomGradient", sizeof "CustomGradient" - 1}, .index = SL_OP_NO_ROW};
    struct sl_traced *values = SL_ARENA_ARRAY(arena, struct sl_traced, (size_t)(n_xs + n_ys) + 1),
                     *outputs = values + n_xs;
    const struct sl_traced **inputs = SL_ARENA_ARRAY(arena, const struct sl_traced *, (size_t)n_xs + 1);
    if (!values || !inputs) return sl_fail_memory(err, sizeof *values);
    SL_TRY(wait_for(xs, n_xs, err));
    SL_TRY(wait_for(ys, n_ys, err));
    bool is_new = false;
    for (int i = 0; i < n_xs; i++) {
        for (int y = 0; y < n_ys; y++)
            if (ys[y] == xs[i])
                return sl_fail(err, SL_INVALID_ARGUMENT, "Target %d is source %d itself: copy it by Identity", y, i);
        trace(&values[i], xs[i]);
        inputs[i] = &values[i];
    }
    if (!any_follows(c, values, n_xs)) return SL_OK; /* the ys stay what they were made of */
    for (size_t k = 0; k < mine.tapes.n; k++) {
        if (!listens(mine.tapes.items[k], c)) continue;
        for (int i = 0; i < n_ys; i++) { /* as a new value: what it was made of before no longer counts */
            trace(&outputs[i], ys[i]);
            if (!is_new) outputs[i].id = sl_execute_next_id(&mine.tapes.items[k]->env->env);
            atomic_store_explicit(&ys[i]->number, outputs[i].id, memory_order_relaxed);
        }
        is_new = true;
        const struct sl_ran ran = {
            .op = &op, .inputs = inputs, .outputs = outputs, .n_inputs = n_xs, .n_outputs = n_ys, .custom = custom};
        SL_TRY(sl_recording_add(mine.tapes.items[k]->recording, &ran, err));
    }
    return SL_OK;
}

sl_code sl_eager_tape_record(struct sl_eager_context *context, struct sl_eager_handle *const *ys, int n_ys,
                             struct sl_eager_handle *const *xs, int n_xs, const struct sl_eager_custom *custom,
                             struct sl_error *err) {
    struct sl_custom_rule *rule = NULL;
    struct sl_arena arena;
    SL_TRY(new_custom(&rule, context, custom, err));
    sl_arena_init(&arena);
    sl_code code = record_custom(context, ys, n_ys, xs, n_xs, rule, &arena, err);
    sl_arena_clear(&arena);
    sl_custom_rule_unref(rule);
    return code;
}
