/* The local session: what stays between runs (resources, kernel states, programs), and one run. */
#include "session/session.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/env.h"
#include "base/hash.h"
#include "exec/trace.h"
#include "os/clock.h"
#include "passes/optimise/optimise.h"
#include "session/session_state.h"
#include "tensor/block.h"
#include "tensor/value.h"

/* ---- making and ending */

/* device_count {CPU: n}: that many CPU devices; one without it. */
static sl_code make_devices(struct sl_session *s, const struct sl_pb_ConfigProto *config, struct sl_error *err) {
    int n = 1;
    for (size_t i = 0; config && i < config->device_count.n; i++)
        if (sl_str_is(config->device_count.items[i].key, "CPU")) n = config->device_count.items[i].value;
    return sl_device_set_new(&s->devices, SL_STR("/job:localhost/replica:0/task:0"), n, 1, err);
}

static sl_code set_options(struct sl_session *s, const struct sl_session_options *options, struct sl_error *err) {
    const struct sl_pb_ConfigProto *config = options ? options->config : NULL;
    if (options && options->target.n && !sl_str_is(options->target, "local"))
        return sl_fail(err, SL_UNIMPLEMENTED,
                       "No session factory registered for the given session options: {target: \"%.*s\"}",
                       SL_STR_ARG(options->target));
    const char *engine = sl_env_text(SL_ENV_EXEC);
    if (engine) s->engine = !strcmp(engine, "frames") ? SL_ENGINE_TOKENS : SL_ENGINE_AUTO;
    int threads = config ? config->intra_op_parallelism_threads : 0;
    if (threads > 0)
        SL_TRY(sl_pool_create(&s->pool, threads < SL_POOL_THREADS_MAX ? threads : SL_POOL_THREADS_MAX, err));
    else s->pool = sl_pool_ref(sl_pool_shared());
    s->timeout_ms = config ? config->operation_timeout_in_ms : 0;
    const char *trace = sl_env_text(SL_ENV_TRACE);
    if (trace) SL_TRY(sl_trace_open(&s->trace, trace, err));
    s->optimise_toggles = sl_optimise_toggles(config);
    s->is_soft_placement = config && config->allow_soft_placement;
    s->keep_functional = config && config->experimental && config->experimental->disable_functional_ops_lowering;
    s->logs_placement = config && config->log_device_placement;
    const char *place = sl_env_text(SL_ENV_PLACE);
    s->places_by_cost = (options && options->places_by_cost) || (place && !strcmp(place, "cost"));
    return make_devices(s, config, err);
}

sl_code sl_session_new(struct sl_session **out, struct sl_runtime *runtime, const struct sl_session_options *options,
                       struct sl_error *err) {
    struct sl_session *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(err, sizeof *s);
    s->runtime = runtime;
    sl_mutex_init(&s->mutex);
    sl_condition_init(&s->idle);
    sl_state_store_init(&s->states);
    sl_function_store_init(&s->functions, s);
    sl_code code = set_options(s, options, err);
    if (code == SL_OK) code = sl_graph_new(&s->library, runtime->ops, err);
    if (code == SL_OK) code = sl_resources_new(&s->resources, err);
    if (code == SL_OK) code = sl_cancellation_new(&s->cancellation, NULL, err);
    if (code != SL_OK) {
        sl_session_free(s);
        return code;
    }
    *out = s;
    return SL_OK;
}

sl_code sl_session_close(struct sl_session *s, struct sl_error *err) {
    (void)err;
    atomic_fetch_or(&s->runs, SL_SESSION_CLOSED);
    if (s->cancellation) sl_cancellation_start(s->cancellation, SL_CANCELLED, "Session has been closed.");
    return SL_OK;
}

static void executable_free(struct sl_executable *x) {
    sl_program_free(x->program);
    sl_free(x);
}

/* Steps keep as much memory as they may need again; without them less of it. */
static const size_t IDLE_KEPT = (size_t)256 << 20;

void sl_session_free(struct sl_session *s) {
    if (!s) return;
    sl_session_close(s, NULL);
    sl_mutex_lock(&s->mutex);
    while (atomic_load(&s->runs) >= SL_SESSION_RUN) sl_condition_wait(&s->idle, &s->mutex);
    sl_mutex_unlock(&s->mutex);
    while (s->partial_runs) sl_partial_run_detach(s->partial_runs);
    for (int b = 0; b < SL_EXECUTABLE_BUCKETS; b++)
        for (struct sl_executable *x = atomic_load(&s->executables[b]), *next; x; x = next) {
            next = x->next;
            executable_free(x);
        }
    sl_function_store_clear(&s->functions);
    sl_state_store_clear(&s->states);
    sl_resources_free(s->resources);
    sl_cancellation_free(s->cancellation);
    sl_graph_free(s->library);
    sl_pool_unref(s->pool);
    sl_trace_close(s->trace);
    sl_device_set_clear(&s->devices);
    sl_condition_clear(&s->idle);
    sl_mutex_clear(&s->mutex);
    sl_free(s);
    sl_block_trim(IDLE_KEPT);
}

sl_code sl_session_extend(struct sl_session *s, struct sl_graph *graph, struct sl_error *err) {
    sl_code code = SL_OK;
    sl_mutex_lock(&s->mutex);
    s->client = graph;
    for (; s->n_functions_seen < graph->functions.n && code == SL_OK; s->n_functions_seen++)
        code = sl_graph_add_function(s->library, graph->functions.items[s->n_functions_seen], err);
    for (; s->n_gradients_seen < graph->gradients.n && code == SL_OK; s->n_gradients_seen++) {
        const struct sl_gradient_of *g = &graph->gradients.items[s->n_gradients_seen];
        code = sl_graph_set_gradient(s->library, g->function, g->gradient, err);
    }
    atomic_store(&s->n_nodes_seen, graph->nodes.n);
    sl_mutex_unlock(&s->mutex);
    return code;
}

/* ---- finding the program of a run */

static uint64_t hash_run(const struct sl_run *run) {
    uint64_t h = sl_hash_mix((uint64_t)run->n_feeds, (uint64_t)run->n_fetches);
    for (int i = 0; i < run->n_feeds; i++)
        h = sl_hash_mix(h, (uint64_t)(uintptr_t)run->feeds[i].node + (uint64_t)run->feeds[i].index);
    for (int i = 0; i < run->n_fetches; i++)
        h = sl_hash_mix(h, (uint64_t)(uintptr_t)run->fetches[i].node + (uint64_t)run->fetches[i].index);
    for (int i = 0; i < run->n_targets; i++) h = sl_hash_mix(h, (uint64_t)(uintptr_t)run->targets[i]);
    return h;
}

static bool same_ports(const struct sl_port *a, const struct sl_port *b, int n) {
    for (int i = 0; i < n; i++)
        if (a[i].node != b[i].node || a[i].index != b[i].index) return false;
    return true;
}

static struct sl_executable *find_executable(struct sl_session *s, const struct sl_run *run, uint64_t hash) {
    _Atomic(struct sl_executable *) *bucket = &s->executables[hash % SL_EXECUTABLE_BUCKETS];
    for (struct sl_executable *x = atomic_load_explicit(bucket, memory_order_acquire); x; x = x->next)
        if (x->hash == hash && x->n_feeds == run->n_feeds && x->n_fetches == run->n_fetches &&
            x->n_targets == run->n_targets && same_ports(x->ports, run->feeds, run->n_feeds) &&
            same_ports(x->ports + run->n_feeds, run->fetches, run->n_fetches) &&
            (!run->n_targets || !memcmp(x->targets, run->targets, (size_t)run->n_targets * sizeof *run->targets)))
            return x;
    return NULL;
}

static sl_code make_executable(struct sl_executable **out, struct sl_session *s, const struct sl_run *run,
                               uint64_t hash, struct sl_error *err) {
    size_t n_ports = (size_t)run->n_feeds + (size_t)run->n_fetches, n_targets = (size_t)run->n_targets;
    struct sl_executable *x =
        sl_calloc(1, sizeof *x + n_ports * sizeof(struct sl_port) + n_targets * sizeof(struct sl_node *));
    if (!x) return sl_fail_memory(err, sizeof *x);
    x->hash = hash;
    x->n_feeds = run->n_feeds;
    x->n_fetches = run->n_fetches;
    x->n_targets = run->n_targets;
    x->ports = (struct sl_port *)(x + 1);
    x->targets = (struct sl_node **)(x->ports + n_ports);
    for (int i = 0; i < run->n_feeds; i++) x->ports[i] = run->feeds[i];
    for (int i = 0; i < run->n_fetches; i++) x->ports[run->n_feeds + i] = run->fetches[i];
    for (int i = 0; i < run->n_targets; i++) x->targets[i] = run->targets[i];
    sl_code code = sl_pipeline_run(&x->program, s, run, false, err);
    if (code != SL_OK) {
        sl_free(x);
        return code;
    }
    *out = x;
    return SL_OK;
}

/* The program of this signature: from the cache, or made now. Two threads may make the same one at once; the first to finish is kept. */
static sl_code get_executable(struct sl_executable **out, struct sl_session *s, const struct sl_run *run,
                              struct sl_error *err) {
    uint64_t hash = hash_run(run);
    *out = find_executable(s, run, hash);
    if (*out) return SL_OK;
    struct sl_executable *fresh = NULL;
    SL_TRY(make_executable(&fresh, s, run, hash, err));
    sl_mutex_lock(&s->mutex);
    *out = find_executable(s, run, hash);
    if (!*out) {
        _Atomic(struct sl_executable *) *bucket = &s->executables[hash % SL_EXECUTABLE_BUCKETS];
        fresh->next = atomic_load_explicit(bucket, memory_order_relaxed);
        atomic_store_explicit(bucket, fresh, memory_order_release);
        *out = fresh;
        fresh = NULL;
    }
    sl_mutex_unlock(&s->mutex);
    if (fresh) executable_free(fresh);
    return SL_OK;
}

/* ---- one run */

sl_code sl_session_enter(struct sl_session *s, struct sl_error *err) {
    unsigned runs = atomic_load_explicit(&s->runs, memory_order_relaxed);
    do {
        if (runs & SL_SESSION_CLOSED) return sl_fail(err, SL_CANCELLED, "Session has been closed.");
    } while (!atomic_compare_exchange_weak(&s->runs, &runs, runs + SL_SESSION_RUN));
    return SL_OK;
}

/* Somebody may wait for the last run of a closed session, and only then: the mutex makes sure that they are there. */
void sl_session_leave(struct sl_session *s) {
    unsigned runs = atomic_load_explicit(&s->runs, memory_order_relaxed);
    while (!(runs & SL_SESSION_CLOSED))
        if (atomic_compare_exchange_weak(&s->runs, &runs, runs - SL_SESSION_RUN)) return;
    sl_mutex_lock(&s->mutex);
    if (atomic_fetch_sub(&s->runs, SL_SESSION_RUN) - SL_SESSION_RUN < SL_SESSION_RUN) sl_condition_broadcast(&s->idle);
    sl_mutex_unlock(&s->mutex);
}

static sl_code fill_args(struct sl_value *args, const struct sl_run *run, const struct sl_program *program,
                         struct sl_error *err) {
    for (int i = 0; i < run->n_feeds; i++) {
        struct sl_tensor *t = run->feed_tensors[i];
        if (!t) return sl_fail(err, SL_INVALID_ARGUMENT, "no tensor was given for feed %d", i);
        if (t->dtype != program->arg_types[i])
            return sl_fail(err, SL_INVALID_ARGUMENT, "Type mismatch: %.*s:%d was fed a %s tensor but expects %s",
                           SL_STR_ARG(run->feeds[i].node->name), run->feeds[i].index, sl_dtype_name(t->dtype),
                           sl_dtype_name(program->arg_types[i]));
    }
    for (int i = 0; i < run->n_feeds; i++) args[i] = sl_value_of_tensor(sl_tensor_ref(run->feed_tensors[i]));
    return SL_OK;
}

static sl_code give_fetches(const struct sl_run *run, struct sl_value *rets, struct sl_error *err) {
    sl_code code = SL_OK;
    for (int i = 0; i < run->n_fetches && code == SL_OK; i++) {
        if (rets[i].kind <= SL_VALUE_DEAD)
            code = sl_fail(err, SL_INVALID_ARGUMENT,
                           "Retval[%d] does not have value: %.*s:%d is on a branch that was not taken", i,
                           SL_STR_ARG(run->fetches[i].node->name), run->fetches[i].index);
        else code = sl_value_to_tensor(&run->fetch_tensors[i], &rets[i], err);
    }
    for (int i = 0; i < run->n_fetches; i++) {
        sl_value_clear(&rets[i]);
        if (code != SL_OK && run->fetch_tensors[i]) {
            sl_tensor_unref(run->fetch_tensors[i]);
            run->fetch_tensors[i] = NULL;
        }
    }
    return code;
}

sl_code sl_session_begin_env(struct sl_step_env *env, struct sl_session *s, const struct sl_pb_RunOptions *options,
                             struct sl_error *err) {
    *env = (struct sl_step_env){.step_id = atomic_fetch_add(&s->next_step, 1) + 1,
                                .pool = s->pool,
                                .session_resources = s->resources,
                                .functions = &s->functions.base,
                                .device = s->devices.items[0].name,
                                .trace = s->trace};
    SL_TRY(sl_cancellation_new(&env->cancellation, s->cancellation, err));
    int64_t timeout = options && options->timeout_in_ms > 0 ? options->timeout_in_ms : s->timeout_ms;
    if (timeout > 0) {
        int64_t now = sl_clock_ns(), most = (INT64_MAX - now) / 1000000;
        sl_cancellation_set_deadline(env->cancellation, now + (timeout < most ? timeout : most) * 1000000);
    }
    return sl_resources_new(&env->step_resources, err);
}

void sl_session_end_env(struct sl_step_env *env) {
    sl_resources_free(env->step_resources);
    sl_cancellation_free(env->cancellation);
}

/* A step that ends because its wait was cancelled says why that was: the failure of another node, or its time. */
static sl_code explain_cancellation(struct sl_step_env *env, struct sl_error *err) {
    struct sl_error reason;
    sl_error_clear(&reason);
    sl_code code = env->cancellation ? sl_cancellation_status(env->cancellation, &reason) : SL_OK;
    if (code == SL_OK || code == SL_CANCELLED) return SL_CANCELLED;
    return sl_fail(err, code, "%s", reason.message);
}

static sl_code run_step(struct sl_session *s, const struct sl_run *run, struct sl_error *err) {
    enum { FEW = 32 };
    struct sl_value few[FEW], *values = few;
    struct sl_executable *x;
    SL_TRY(get_executable(&x, s, run, err));
    size_t n = (size_t)run->n_feeds + (size_t)run->n_fetches;
    if (n > FEW) values = sl_malloc(n * sizeof *values);
    if (!values) return sl_fail_memory(err, n * sizeof *values);
    for (size_t i = 0; i < n; i++) values[i].kind = SL_VALUE_NONE;
    struct sl_step_env env;
    sl_code code = sl_session_begin_env(&env, s, run->options, err);
    if (code == SL_OK) code = fill_args(values, run, x->program, err);
    if (code == SL_OK) code = sl_step_run(x->program, &env, values, values + run->n_feeds, err);
    if (code == SL_CANCELLED) code = explain_cancellation(&env, err);
    if (code == SL_OK) code = give_fetches(run, values + run->n_feeds, err);
    sl_session_end_env(&env);
    if (values != few) sl_free(values);
    return code;
}

sl_code sl_session_run(struct sl_session *s, const struct sl_run *run, struct sl_error *err) {
    for (int i = 0; i < run->n_fetches; i++) run->fetch_tensors[i] = NULL;
    SL_TRY(sl_session_enter(s, err));
    sl_code code = run_step(s, run, err);
    sl_session_leave(s);
    if (code == SL_OK && run->metadata) *run->metadata = (struct sl_str){NULL, 0};
    return code;
}

/* ---- the rest */

bool sl_session_device(const char **name, const char **type, int64_t *memory, uint64_t *incarnation,
                       const struct sl_session *s, int i) {
    if (i < 0 || i >= s->devices.n) return false;
    const struct sl_device *d = &s->devices.items[i];
    *name = d->name;
    *type = d->parsed.type;
    *memory = d->memory;
    *incarnation = d->incarnation;
    return true;
}

void sl_session_reset(struct sl_session *s, struct sl_str container) { sl_resources_clear(s->resources, container); }
