/* The local session: what it keeps between runs, and one run. */
#include "session/local_session.h"

#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "passes/place.h"
#include "proto/wire.h"
#include "runtime/runtime_config.h"
#include "session/run_metadata.h"
#include "tensor/value.h"

/* ---- making and ending */

static sl_code make_runtime(struct sl_local_session *s, const struct sl_registries *registries,
                            const struct sl_session_options *options, struct sl_error *err) {
    const struct sl_pb_ConfigProto *config = options ? options->config : NULL;
    struct sl_runtime_options how;
    struct sl_device_set devices;
    sl_runtime_read_options(&how, config);
    if (options && options->places_by_cost) how.places_by_cost = true;
    if (options) how.step_memory = options->step_memory;
    if (options && options->watch) how.watch = options->watch;
    s->timeout_ms = config ? config->operation_timeout_in_ms : 0;
    s->places_pruned = config && config->graph_options && config->graph_options->place_pruned_graph;
    s->costs_every = config && config->graph_options ? config->graph_options->build_cost_model : 0;
    s->costs_after = s->costs_every > 0 ? config->graph_options->build_cost_model_after : 0;
    SL_TRY(sl_runtime_local_devices(&devices, registries, config, err));
    SL_TRY(sl_runtime_new(&s->runtime, registries, &devices, &how, err));
    return config ? sl_pb_encode(&s->runtime->config, SL_PB_TYPE(ConfigProto), config, 0, NULL, err) : SL_OK;
}

static sl_code close_session(struct sl_session *base, struct sl_error *err) {
    struct sl_local_session *s = sl_local_session_of(base);
    (void)err;
    atomic_fetch_or(&s->runs, SL_SESSION_CLOSED);
    if (s->cancellation) sl_cancellation_start(s->cancellation, SL_CANCELLED, "Session has been closed.");
    return SL_OK;
}

static void executable_free(struct sl_executable *x) {
    sl_program_free(x->program);
    sl_free(x);
}

static void free_session(struct sl_session *base) {
    struct sl_local_session *s = sl_local_session_of(base);
    close_session(base, NULL);
    sl_mutex_lock(&s->mutex);
    while (atomic_load(&s->runs) >= SL_SESSION_RUN) sl_condition_wait(&s->idle, &s->mutex);
    sl_mutex_unlock(&s->mutex);
    while (s->partial_runs) sl_local_partial_detach(s->partial_runs);
    for (int b = 0; b < SL_EXECUTABLE_BUCKETS; b++)
        for (struct sl_executable *x = atomic_load(&s->executables[b]), *next; x; x = next) {
            next = x->next;
            executable_free(x);
        }
    sl_runtime_free(s->runtime);
    sl_cancellation_free(s->cancellation);
    sl_wait_partners_clear(&s->partners);
    sl_condition_clear(&s->idle);
    sl_mutex_clear(&s->mutex);
    sl_free(s);
}

static sl_code extend(struct sl_session *base, struct sl_graph *graph, struct sl_error *err) {
    struct sl_local_session *s = sl_local_session_of(base);
    sl_mutex_lock(&s->mutex);
    sl_code code = s->places_pruned ? SL_OK
                                    : sl_place_check(graph, atomic_load(&s->n_nodes_seen), &s->runtime->devices,
                                                     s->runtime->options.is_soft_placement, err);
    if (code == SL_OK) code = sl_runtime_add_functions(&s->seen, s->runtime, graph, err);
    if (code == SL_OK) code = sl_wait_partners_add(&s->partners, graph, atomic_load(&s->n_nodes_seen), err);
    if (code == SL_OK) atomic_store(&s->n_nodes_seen, graph->nodes.n);
    sl_mutex_unlock(&s->mutex);
    return code;
}

/* ---- finding the program of a run */

sl_code sl_local_session_front(struct sl_front *out, struct sl_local_session *s, const struct sl_run *run,
                               bool is_partial, bool wants_records, struct sl_error *err) {
    const struct sl_prune_request request = {.feeds = run->feeds,
                                             .fetches = run->fetches,
                                             .targets = run->targets,
                                             .n_feeds = run->n_feeds,
                                             .n_fetches = run->n_fetches,
                                             .n_targets = run->n_targets,
                                             .is_partial = is_partial,
                                             .n_nodes = atomic_load(&s->n_nodes_seen)};
    return sl_pipeline_front(out, s->runtime, &request, wants_records, err);
}

sl_code sl_local_session_compile(struct sl_program **out, struct sl_local_session *s, const struct sl_run *run,
                                 bool is_partial, struct sl_error *err) {
    struct sl_front front;
    const struct sl_back_options options = {.is_soft = s->runtime->options.is_soft_placement, .is_partial = is_partial};
    SL_TRY(sl_local_session_front(&front, s, run, is_partial, false, err));
    sl_code code = sl_pipeline_back(out, s->runtime, &front.parts[0], &options, err);
    sl_front_clear(&front);
    return code;
}

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

static struct sl_executable *find_executable(struct sl_local_session *s, const struct sl_run *run, uint64_t hash) {
    _Atomic(struct sl_executable *) *bucket = &s->executables[hash % SL_EXECUTABLE_BUCKETS];
    for (struct sl_executable *x = atomic_load_explicit(bucket, memory_order_acquire); x; x = x->next)
        if (x->hash == hash && x->n_feeds == run->n_feeds && x->n_fetches == run->n_fetches &&
            x->n_targets == run->n_targets && same_ports(x->ports, run->feeds, run->n_feeds) &&
            same_ports(x->ports + run->n_feeds, run->fetches, run->n_fetches) &&
            (!run->n_targets || !memcmp(x->targets, run->targets, (size_t)run->n_targets * sizeof *run->targets)))
            return x;
    return NULL;
}

static sl_code make_executable(struct sl_executable **out, struct sl_local_session *s, const struct sl_run *run,
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
    sl_code code = sl_local_session_compile(&x->program, s, run, false, err);
    if (code != SL_OK) {
        sl_free(x);
        return code;
    }
    *out = x;
    return SL_OK;
}

/* The program of this signature: from the cache, or made now. Two threads may make the same one at once; the first
 * to finish is kept. */
static sl_code get_executable(struct sl_executable **out, struct sl_local_session *s, const struct sl_run *run,
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

sl_code sl_local_session_enter(struct sl_local_session *s, struct sl_error *err) {
    unsigned runs = atomic_load_explicit(&s->runs, memory_order_relaxed);
    do {
        if (runs & SL_SESSION_CLOSED) return sl_fail(err, SL_CANCELLED, "Session has been closed.");
    } while (!atomic_compare_exchange_weak(&s->runs, &runs, runs + SL_SESSION_RUN));
    return SL_OK;
}

/* Somebody may wait for the last run of a closed session, and only then: the mutex makes sure that they are there. */
void sl_local_session_leave(struct sl_local_session *s) {
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

/* A step whose time was over before it ended has failed, though nothing in it waited where it could be stopped. */
static sl_code check_time(struct sl_step_env *env, const struct sl_run *run, struct sl_value *rets,
                          struct sl_error *err) {
    struct sl_error late;
    if (sl_cancellation_status(env->cancellation, &late) != SL_DEADLINE_EXCEEDED) return SL_OK;
    for (int i = 0; i < run->n_fetches; i++) sl_value_clear(&rets[i]);
    return sl_fail(err, late.code, "%s", late.message);
}

/* `trace` looks on; NULL: what the runtime says. */
static sl_code run_step(struct sl_local_session *s, const struct sl_run *run, struct sl_trace *trace,
                        struct sl_error *err) {
    enum { FEW = 32 };
    struct sl_value few[FEW], *values = few;
    struct sl_executable *x;
    struct sl_cancellation_link link = {.from = NULL};
    SL_TRY(get_executable(&x, s, run, err));
    size_t n = (size_t)run->n_feeds + (size_t)run->n_fetches;
    if (n > FEW) values = sl_malloc(n * sizeof *values);
    if (!values) return sl_fail_memory(err, n * sizeof *values);
    for (size_t i = 0; i < n; i++) values[i].kind = SL_VALUE_NONE;
    struct sl_step_env env;
    int64_t timeout_ms = run->options && run->options->timeout_in_ms > 0 ? run->options->timeout_in_ms : s->timeout_ms;
    sl_code code = sl_runtime_begin_step(&env, s->runtime, s->cancellation, timeout_ms, err);
    if (code == SL_OK) sl_cancellation_link(&link, env.cancellation, sl_cancellation_of_thread());
    if (code == SL_OK) sl_cancellation_set_subject(env.cancellation, run);
    if (trace) env.trace = trace;
    if (code == SL_OK) code = fill_args(values, run, x->program, err);
    if (code == SL_OK) code = sl_runtime_run_step(&env, x->program, values, values + run->n_feeds, err);
    if (code == SL_OK && timeout_ms > 0) code = check_time(&env, run, values + run->n_feeds, err);
    if (code == SL_OK) code = give_fetches(run, values + run->n_feeds, err);
    sl_cancellation_unlink(&link);
    sl_runtime_end_step(&env);
    if (values != few) sl_free(values);
    return code;
}

/* One that tells of itself. */
static sl_code run_watched(struct sl_local_session *s, const struct sl_run *run, struct sl_run_wishes wishes,
                           struct sl_error *err) {
    struct sl_run_plan plan;
    struct sl_step_record record;
    SL_TRY(sl_local_session_plan(&plan, &s->base, run, true, err));
    sl_step_record_init(&record, s->runtime->trace);
    sl_code code = run_step(s, run, sl_run_wishes_record(wishes) ? &record.base : NULL, err);
    if (code == SL_OK) {
        code = sl_run_metadata_encode(run->metadata, &plan, &record, wishes, err);
        for (int i = 0; i < run->n_fetches && code != SL_OK; i++) {
            sl_tensor_unref(run->fetch_tensors[i]);
            run->fetch_tensors[i] = NULL;
        }
    }
    sl_step_record_clear(&record);
    sl_run_plan_clear(&plan);
    return code;
}

/* Counts a run of a signature. What tells of its costs tells of its steps, too. */
static void count_run(struct sl_run_wishes *wishes, struct sl_local_session *s, const struct sl_run *run) {
    struct sl_executable *x;
    struct sl_error err;
    if (get_executable(&x, s, run, &err) != SL_OK) return; /* the run fails likewise */
    const int64_t n = (int64_t)atomic_fetch_add(&x->n_runs, 1);
    if (!run->metadata || n < s->costs_after) return;
    wishes->steps = wishes->costs = sl_run_tells_costs(n, s->costs_every, s->costs_after);
}

static sl_code run_once(struct sl_session *base, const struct sl_run *run, struct sl_error *err) {
    struct sl_local_session *s = sl_local_session_of(base);
    for (int i = 0; i < run->n_fetches; i++) run->fetch_tensors[i] = NULL;
    struct sl_run_wishes wishes = {.steps = false};
    if (__builtin_expect(run->metadata != NULL, 0)) {
        *run->metadata = (struct sl_str){NULL, 0};
        wishes = sl_run_wishes_of(run);
    }
    SL_TRY(sl_local_session_enter(s, err));
    if (__builtin_expect(s->costs_every > 0, 0)) count_run(&wishes, s, run);
    sl_code code = sl_run_wishes_any(wishes) ? run_watched(s, run, wishes, err) : run_step(s, run, NULL, err);
    sl_local_session_leave(s);
    return code;
}

/* ---- the rest */

static bool device(const char **name, const char **type, int64_t *memory, uint64_t *incarnation,
                   const struct sl_session *base, int i) {
    const struct sl_device_set *devices = &((const struct sl_local_session *)base)->runtime->devices;
    if (i < 0 || i >= devices->n) return false;
    const struct sl_device *d = &devices->items[i];
    *name = d->name;
    *type = d->parsed.type;
    *memory = d->memory_bytes;
    *incarnation = d->incarnation;
    return true;
}

static void reset(struct sl_session *base, struct sl_str container) {
    sl_resources_clear(sl_local_session_of(base)->runtime->resources, container);
}

static void tell(struct sl_session *base, struct sl_wait_listener *to) {
    struct sl_local_session *s = sl_local_session_of(base);
    const unsigned runs = atomic_load(&s->runs) / SL_SESSION_RUN;
    sl_cancellation_tell(s->cancellation, to);
    if (runs && !to->n)
        sl_wait_say(to, "%u step%s: nothing waits, and no loop has gone round for 0.2 s: a node computes", runs,
                    runs == 1 ? " runs" : "s run");
}

/* The list may grow while somebody follows, so that one has a copy. */
static void follow(struct sl_wait_follower *self, const void *subject, const char *lines, struct sl_wait_listener *to) {
    struct sl_local_session *s =
        (struct sl_local_session *)(void *)((char *)self - offsetof(struct sl_local_session, follower));
    const bool is_alone = atomic_load(&s->runs) / SL_SESSION_RUN == 1;
    const enum sl_wait_runs runs = is_alone ? SL_WAIT_ONLY_RUN : SL_WAIT_ONE_RUN;
    sl_mutex_lock(&s->mutex);
    const size_t n = s->partners.nodes.n;
    struct sl_node **nodes = n ? sl_malloc(n * sizeof(struct sl_node *)) : NULL;
    if (nodes) memcpy(nodes, s->partners.nodes.items, n * sizeof(struct sl_node *));
    sl_mutex_unlock(&s->mutex);
    sl_wait_chain_say(to, nodes, nodes ? n : 0, subject, runs, lines);
    sl_free(nodes);
}

static const struct sl_session_methods methods = {.free = free_session,
                                                  .close = close_session,
                                                  .extend = extend,
                                                  .run = run_once,
                                                  .prun_setup = sl_local_session_prun_setup,
                                                  .prun = sl_local_session_prun,
                                                  .plan = sl_local_session_plan,
                                                  .device = device,
                                                  .reset = reset,
                                                  .tell = tell};

bool sl_local_session_accepts(struct sl_str target) { return target.n == 0 || sl_str_is(target, "local"); }

sl_code sl_local_session_new(struct sl_session **out, const struct sl_registries *registries,
                             const struct sl_session_options *options, struct sl_error *err) {
    struct sl_local_session *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(err, sizeof *s);
    s->base.methods = &methods;
    s->follower.follow = follow;
    sl_mutex_init(&s->mutex);
    sl_condition_init(&s->idle);
    sl_code code = make_runtime(s, registries, options, err);
    if (code == SL_OK) code = sl_cancellation_new(&s->cancellation, NULL, err);
    if (code == SL_OK) sl_cancellation_set_follower(s->cancellation, &s->follower);
    if (code == SL_OK) *out = &s->base;
    else free_session(&s->base);
    return code;
}
