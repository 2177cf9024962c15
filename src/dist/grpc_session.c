/* The session of a server, as its client sees it. The handle and the graph's version are the server's; `sent` counts what
 * it has of the graph. */
#include "dist/grpc_session.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/env.h"
#include "base/str_map.h"
#include "base/vec.h"
#include "dist/call_ids.h"
#include "dist/tensor_wire.h"
#include "dist/waited_call.h"
#include "kernel/cancellation.h"

struct grpc_session {
    struct sl_session base;
    struct sl_net *net;
    struct sl_rpc_channel *channel;
    struct sl_id_source ids;
    char *target, *config; /* the ConfigProto, encoded */
    size_t n_config;
    int64_t timeout_ms;
    struct sl_mutex mutex; /* guards the rest; held while the session is made or grows */
    struct sl_condition idle;
    char *handle; /* NULL: there is no session at the server yet */
    int64_t version;
    size_t n_nodes_sent, n_functions_sent, n_gradients_sent;
    bool is_closed;
    size_t n_running;
    struct sl_arena listing_arena;
    struct sl_pb_ListDevicesResponse devices;
    SL_VEC(char *) device_names; /* NUL-terminated names and types */
};

static struct grpc_session *session_of(struct sl_session *s) { return (struct grpc_session *)s; }

/* ---- calls */

static int64_t deadline(const struct grpc_session *s, int64_t timeout_ms) {
    if (timeout_ms <= 0) return 0;
    int64_t now = sl_net_now(s->net), most = (INT64_MAX - now) / 1000000;
    return now + (timeout_ms < most ? timeout_ms : most) * 1000000;
}

/* A server that is not there any more keeps nobody: these neither wait for it nor for long. */
static const char close_path[] = "/tensorflow.MasterService/CloseSession";
static const char explain_path[] = "/sluice.ExplainService/Session";
enum { CLOSE_MS = 10000, EXPLAIN_MS = 5000, GRACE_MS = 2000 };

/* Sends a message, and reads the answer if `answer` is given; it lies in the arena. */
static sl_code call(void *answer, const struct sl_pb_message *answer_type, struct grpc_session *s, const char *path,
                    const struct sl_pb_message *type, const void *request, struct sl_arena *arena,
                    struct sl_error *err) {
    struct sl_rpc_message m = {.n = 0};
    struct sl_rpc_body *body;
    SL_TRY(sl_wire_add_message(&m, type, request, err));
    const bool is_short = path == close_path || path == explain_path;
    const int64_t timeout_ms = path == close_path ? CLOSE_MS : path == explain_path ? EXPLAIN_MS : s->timeout_ms;
    SL_TRY(sl_waited_call(&body, s->channel, path, &m, deadline(s, timeout_ms), !is_short, err));
    sl_code code = SL_OK;
    if (answer) {
        struct sl_str bytes = sl_arena_str(arena, body->bytes);
        code = bytes.p ? sl_pb_decode(answer, answer_type, bytes, arena, err) : sl_fail_memory(err, body->bytes.n);
    }
    sl_rpc_body_unref(body);
    return code;
}

#define CALL(method, answer, s, request, arena, err)                                                                   \
    call(answer, SL_PB_TYPE_OF(method##Response), s, "/tensorflow.MasterService/" #method,                             \
         SL_PB_TYPE_OF(method##Request), request, arena, err)

static char *copy_text(struct sl_str text) {
    char *copy = sl_malloc(text.n + 1);
    if (!copy) return NULL;
    if (text.n) memcpy(copy, text.p, text.n);
    copy[text.n] = '\0';
    return copy;
}

/* ---- the graph; with the mutex */

static sl_code create(struct grpc_session *s, struct sl_pb_GraphDef *def, struct sl_arena *arena,
                      struct sl_error *err) {
    struct sl_pb_ConfigProto config;
    struct sl_pb_CreateSessionRequest request = {.graph_def = def, .target = sl_str_of(s->target)};
    struct sl_pb_CreateSessionResponse answer;
    if (s->n_config) {
        SL_TRY(sl_pb_decode(&config, SL_PB_TYPE_OF(ConfigProto), (struct sl_str){s->config, s->n_config}, arena, err));
        request.config = &config;
    }
    SL_TRY(CALL(CreateSession, &answer, s, &request, arena, err));
    s->handle = copy_text(answer.session_handle);
    s->version = answer.graph_version;
    return s->handle ? SL_OK : sl_fail_memory(err, answer.session_handle.n);
}

static sl_code grow(struct grpc_session *s, struct sl_pb_GraphDef *def, struct sl_arena *arena, struct sl_error *err) {
    struct sl_pb_ExtendSessionRequest request = {.session_handle = sl_str_of(s->handle),
                                                 .graph_def = def,
                                                 .current_graph_version = s->version};
    struct sl_pb_ExtendSessionResponse answer;
    SL_TRY(CALL(ExtendSession, &answer, s, &request, arena, err));
    s->version = answer.new_graph_version;
    return SL_OK;
}

static sl_code send_news(struct grpc_session *s, struct sl_graph *graph, struct sl_arena *arena, struct sl_error *err) {
    struct sl_pb_GraphDef *def;
    bool has_news = graph->nodes.n != s->n_nodes_sent || graph->functions.n != s->n_functions_sent ||
                    graph->gradients.n != s->n_gradients_sent;
    if (s->handle && !has_news) return SL_OK;
    SL_TRY(sl_graph_export(&def, graph, arena, err));
    size_t n_before = 0; /* exported nodes that the server has */
    for (size_t i = 0; i < s->n_nodes_sent; i++) n_before += !graph->nodes.items[i]->is_removed;
    def->node.items += n_before;
    def->node.n -= n_before;
    SL_TRY(s->handle ? grow(s, def, arena, err) : create(s, def, arena, err));
    s->n_nodes_sent = graph->nodes.n;
    s->n_functions_sent = graph->functions.n;
    s->n_gradients_sent = graph->gradients.n;
    return SL_OK;
}

static sl_code fail_closed(struct sl_error *err) { return sl_fail(err, SL_CANCELLED, "Session has been closed."); }

static sl_code extend(struct sl_session *base, struct sl_graph *graph, struct sl_error *err) {
    struct grpc_session *s = session_of(base);
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_mutex_lock(&s->mutex);
    sl_code code = s->is_closed ? fail_closed(err) : send_news(s, graph, &arena, err);
    sl_mutex_unlock(&s->mutex);
    sl_arena_clear(&arena);
    return code;
}

/* A session without a graph, for who asks before the first run. */
static sl_code have_session(struct grpc_session *s, struct sl_error *err) {
    struct sl_pb_GraphDef empty = {.unknown = NULL};
    struct sl_arena arena;
    if (s->is_closed) return fail_closed(err);
    if (s->handle) return SL_OK;
    sl_arena_init(&arena);
    sl_code code = create(s, &empty, &arena, err);
    sl_arena_clear(&arena);
    return code;
}

static sl_code enter(struct grpc_session *s, struct sl_error *err) {
    sl_mutex_lock(&s->mutex);
    sl_code code = have_session(s, err);
    if (code == SL_OK) s->n_running++;
    sl_mutex_unlock(&s->mutex);
    return code;
}

static void leave(struct grpc_session *s) {
    sl_mutex_lock(&s->mutex);
    if (--s->n_running == 0) sl_condition_broadcast(&s->idle);
    sl_mutex_unlock(&s->mutex);
}

/* ---- names of what a run feeds and fetches */

static sl_code name_of(struct sl_str *out, struct sl_port port, struct sl_arena *arena, struct sl_error *err) {
    char *text = sl_arena_format(arena, "%.*s:%d", SL_STR_ARG(port.node->name), port.index);
    if (!text) return sl_fail_memory(err, port.node->name.n);
    *out = sl_str_of(text);
    return SL_OK;
}

struct names {
    struct sl_str *feeds, *fetches, *targets;
    size_t n_fetches; /* each once */
};

static sl_code name_all(struct names *out, const struct sl_run *run, struct sl_arena *arena, struct sl_error *err) {
    struct sl_str_map seen = {.n = 0};
    sl_code code = SL_OK;
    *out = (struct names){.feeds = SL_ARENA_ARRAY(arena, struct sl_str, (size_t)run->n_feeds + 1),
                          .fetches = SL_ARENA_ARRAY(arena, struct sl_str, (size_t)run->n_fetches + 1),
                          .targets = SL_ARENA_ARRAY(arena, struct sl_str, (size_t)run->n_targets + 1)};
    if (!out->feeds || !out->fetches || !out->targets) return sl_fail_memory(err, sizeof *out->feeds);
    for (int i = 0; i < run->n_feeds; i++) SL_TRY(name_of(&out->feeds[i], run->feeds[i], arena, err));
    for (int i = 0; i < run->n_targets; i++) out->targets[i] = run->targets[i]->name;
    for (int i = 0; i < run->n_fetches && code == SL_OK; i++) {
        struct sl_str *name = &out->fetches[out->n_fetches];
        code = name_of(name, run->fetches[i], arena, err);
        if (code != SL_OK || sl_str_map_get(&seen, *name)) continue;
        if (sl_str_map_put(&seen, *name, out)) code = sl_fail_memory(err, name->n);
        out->n_fetches++;
    }
    sl_str_map_free(&seen);
    return code;
}

/* ---- a run */

static sl_code write_options(struct sl_rpc_message *m, const struct sl_pb_RunOptions *options, struct sl_arena *arena,
                             struct sl_error *err) {
    static const char none[] = {0x2a, 0};
    struct sl_str bytes = {NULL, 0};
    if (options) SL_TRY(sl_pb_encode(&bytes, SL_PB_TYPE_OF(RunOptions), options, 0, arena, err));
    return bytes.n ? sl_wire_add_text(m, 5, bytes, err)
                   : sl_rpc_message_add_bytes(m, (struct sl_str){none, sizeof none}, err);
}

static sl_code write_run(struct sl_rpc_message *m, struct grpc_session *s, const struct names *names,
                         const struct sl_run *run, struct sl_str partial, struct sl_arena *arena,
                         struct sl_error *err) {
    SL_TRY(sl_wire_add_text(m, 1, sl_str_of(s->handle), err));
    for (int i = 0; i < run->n_feeds; i++) {
        if (!run->feed_tensors[i]) return sl_fail(err, SL_INVALID_ARGUMENT, "no tensor was given for feed %d", i);
        SL_TRY(sl_wire_add_tensor(m, 2, names->feeds[i], run->feed_tensors[i], err));
    }
    for (size_t i = 0; i < names->n_fetches; i++) SL_TRY(sl_wire_add_text(m, 3, names->fetches[i], err));
    for (int i = 0; i < run->n_targets; i++) SL_TRY(sl_wire_add_text(m, 4, names->targets[i], err));
    SL_TRY(write_options(m, run->options, arena, err));
    SL_TRY(sl_wire_add_text(m, 6, partial, err));
    SL_TRY(sl_wire_add_number(m, 7, 1, err));
    return sl_wire_add_number(m, 8, sl_id_source_next(&s->ids), err);
}

static sl_code take_fetches(const struct sl_run *run, const struct sl_pb_RunStepResponse *answer,
                            struct sl_rpc_body *body, struct sl_arena *arena, struct sl_error *err) {
    struct sl_str_map by_name = {.n = 0};
    sl_code code = SL_OK;
    for (size_t i = 0; i < answer->tensor.n && code == SL_OK; i++)
        if (sl_str_map_put(&by_name, answer->tensor.items[i].name, &answer->tensor.items[i]))
            code = sl_fail_memory(err, sizeof by_name);
    for (int i = 0; i < run->n_fetches && code == SL_OK; i++) {
        struct sl_str name;
        code = name_of(&name, run->fetches[i], arena, err);
        const struct sl_pb_NamedTensorProto *found = code == SL_OK ? sl_str_map_get(&by_name, name) : NULL;
        if (code == SL_OK && !found)
            code = sl_fail(err, SL_INTERNAL, "The server has sent no tensor for %.*s.", SL_STR_ARG(name));
        if (code == SL_OK) code = sl_wire_read_tensor(&run->fetch_tensors[i], found->tensor, body, err);
    }
    sl_str_map_free(&by_name);
    return code;
}

static sl_code take_metadata(const struct sl_run *run, struct sl_rpc_body *body, struct sl_error *err) {
    struct sl_str bytes;
    if (!run->metadata || !sl_pb_field_bytes(&bytes, SL_PB_TYPE_OF(RunStepResponse), body->bytes, 2, 0) || !bytes.n)
        return SL_OK;
    char *copy = sl_malloc(bytes.n);
    if (!copy) return sl_fail_memory(err, bytes.n);
    memcpy(copy, bytes.p, bytes.n);
    *run->metadata = (struct sl_str){copy, bytes.n};
    return SL_OK;
}

static sl_code take_answer(const struct sl_run *run, struct sl_rpc_body *body, struct sl_arena *arena,
                           struct sl_error *err) {
    struct sl_pb_RunStepResponse answer;
    SL_TRY(sl_pb_decode(&answer, SL_PB_TYPE_OF(RunStepResponse), body->bytes, arena, err));
    if (answer.status_code)
        return sl_fail(err, (sl_code)answer.status_code, "%.*s", SL_STR_ARG(answer.status_error_message));
    sl_code code = take_fetches(run, &answer, body, arena, err);
    if (code == SL_OK) code = take_metadata(run, body, err);
    for (int i = 0; i < run->n_fetches && code != SL_OK; i++) {
        sl_tensor_unref(run->fetch_tensors[i]);
        run->fetch_tensors[i] = NULL;
    }
    return code;
}

static sl_code send_run(struct grpc_session *s, const struct sl_run *run, struct sl_str partial, struct sl_arena *arena,
                        struct sl_error *err) {
    struct sl_rpc_message m = {.n = 0};
    struct sl_rpc_body *body;
    struct names names;
    int64_t timeout_ms = run->options && run->options->timeout_in_ms > 0 ? run->options->timeout_in_ms : s->timeout_ms;
    SL_TRY(name_all(&names, run, arena, err));
    sl_code code = write_run(&m, s, &names, run, partial, arena, err);
    if (code != SL_OK) {
        sl_rpc_message_clear(&m);
        return code;
    }
    /* The server ends the step in time, and then says what it waited for. */
    const int64_t at_most = deadline(s, timeout_ms > 0 ? timeout_ms + GRACE_MS : 0);
    SL_TRY(sl_waited_call(&body, s->channel, "/tensorflow.MasterService/RunStep", &m, at_most, true, err));
    code = take_answer(run, body, arena, err);
    sl_rpc_body_unref(body);
    return code;
}

static sl_code run_as(struct grpc_session *s, const struct sl_run *run, struct sl_str partial, struct sl_error *err) {
    struct sl_arena arena;
    for (int i = 0; i < run->n_fetches; i++) run->fetch_tensors[i] = NULL;
    if (run->metadata) *run->metadata = (struct sl_str){NULL, 0};
    SL_TRY(enter(s, err));
    sl_arena_init(&arena);
    sl_code code = send_run(s, run, partial, &arena, err);
    sl_arena_clear(&arena);
    leave(s);
    return code;
}

static sl_code run_once(struct sl_session *base, const struct sl_run *run, struct sl_error *err) {
    return run_as(session_of(base), run, (struct sl_str){NULL, 0}, err);
}

/* ---- partial runs: the server has them; here is a handle */

struct partial {
    struct sl_partial_run base;
    struct grpc_session *session; /* to compare with; it may be gone */
    char handle[];
};

static void free_partial(struct sl_partial_run *partial) { sl_free(partial); }

static sl_code ask_for_partial(struct sl_partial_run **out, struct grpc_session *s, const struct sl_run *all,
                               struct sl_arena *arena, struct sl_error *err) {
    struct names names;
    struct sl_pb_PartialRunSetupResponse answer;
    SL_TRY(name_all(&names, all, arena, err));
    const struct sl_pb_PartialRunSetupRequest request = {.session_handle = sl_str_of(s->handle),
                                                         .feed = {names.feeds, (size_t)all->n_feeds},
                                                         .fetch = {names.fetches, names.n_fetches},
                                                         .target = {names.targets, (size_t)all->n_targets},
                                                         .request_id = (int64_t)sl_id_source_next(&s->ids)};
    SL_TRY(CALL(PartialRunSetup, &answer, s, &request, arena, err));
    struct partial *p = sl_calloc(1, sizeof *p + answer.partial_run_handle.n + 1);
    if (!p) return sl_fail_memory(err, sizeof *p);
    p->base.free = free_partial;
    p->session = s;
    memcpy(p->handle, answer.partial_run_handle.p ? answer.partial_run_handle.p : "", answer.partial_run_handle.n);
    *out = &p->base;
    return SL_OK;
}

static sl_code prun_setup(struct sl_partial_run **out, struct sl_session *base, const struct sl_run *all,
                          struct sl_error *err) {
    struct grpc_session *s = session_of(base);
    struct sl_arena arena;
    SL_TRY(enter(s, err));
    sl_arena_init(&arena);
    sl_code code = ask_for_partial(out, s, all, &arena, err);
    sl_arena_clear(&arena);
    leave(s);
    return code;
}

static sl_code prun(struct sl_session *base, struct sl_partial_run *partial, const struct sl_run *run,
                    struct sl_error *err) {
    struct partial *p = (struct partial *)partial;
    for (int i = 0; i < run->n_fetches; i++) run->fetch_tensors[i] = NULL;
    if (!p || p->session != session_of(base))
        return sl_fail(err, SL_INVALID_ARGUMENT, "the partial run belongs to another session");
    return run_as(p->session, run, sl_str_of(p->handle), err);
}

static sl_code plan(struct sl_run_plan *out, struct sl_session *base, const struct sl_run *run, bool is_cut,
                    struct sl_error *err) {
    (void)out;
    (void)base;
    (void)run;
    (void)is_cut;
    return sl_fail(err, SL_UNIMPLEMENTED, "Plans of sessions at a server are not implemented");
}

/* ---- devices; with the mutex */

static void forget_devices(struct grpc_session *s) {
    for (size_t i = 0; i < s->device_names.n; i++) sl_free(s->device_names.items[i]);
    s->device_names.n = 0;
    s->devices = (struct sl_pb_ListDevicesResponse){.unknown = NULL};
    sl_arena_clear(&s->listing_arena);
}

static sl_code add_names(struct grpc_session *s, const struct sl_pb_array_DeviceAttributes *devices,
                         struct sl_error *err) {
    for (size_t i = 0; i < devices->n; i++) {
        char *name = copy_text(devices->items[i].name), *type = copy_text(devices->items[i].device_type);
        if (!name || !type || sl_vec_reserve(&s->device_names, 2)) {
            sl_free(name);
            sl_free(type);
            return sl_fail_memory(err, devices->items[i].name.n);
        }
        s->device_names.items[s->device_names.n++] = name;
        s->device_names.items[s->device_names.n++] = type;
    }
    return SL_OK;
}

static sl_code ask_for_devices(struct grpc_session *s, struct sl_error *err) {
    forget_devices(s);
    SL_TRY(have_session(s, err));
    const struct sl_pb_ListDevicesRequest request = {.session_handle = sl_str_of(s->handle)};
    SL_TRY(CALL(ListDevices, &s->devices, s, &request, &s->listing_arena, err));
    SL_TRY(add_names(s, &s->devices.local_device, err));
    return add_names(s, &s->devices.remote_device, err);
}

/* The first one is asked for anew. */
static bool device(const char **name, const char **type, int64_t *memory, uint64_t *incarnation,
                   const struct sl_session *base, int i) {
    struct grpc_session *s = (struct grpc_session *)base;
    if (i < 0) return false;
    sl_mutex_lock(&s->mutex);
    bool is_there = i > 0 || ask_for_devices(s, NULL) == SL_OK;
    is_there = is_there && (size_t)i < s->device_names.n / 2;
    if (is_there) {
        size_t n_local = s->devices.local_device.n, at = (size_t)i;
        const struct sl_pb_DeviceAttributes *d =
            at < n_local ? &s->devices.local_device.items[at] : &s->devices.remote_device.items[at - n_local];
        *name = s->device_names.items[2 * at];
        *type = s->device_names.items[2 * at + 1];
        *memory = d->memory_limit;
        *incarnation = d->incarnation;
    }
    sl_mutex_unlock(&s->mutex);
    return is_there;
}

static void reset(struct sl_session *base, struct sl_str container) {
    struct grpc_session *s = session_of(base);
    struct sl_arena arena;
    const struct sl_pb_ResetRequest request = {.container = {&container, container.p != NULL}};
    sl_arena_init(&arena);
    (void)CALL(Reset, NULL, s, &request, &arena, NULL);
    sl_arena_clear(&arena);
}

/* ---- what its steps wait for */

static void tell(struct sl_session *base, struct sl_wait_listener *to) {
    struct grpc_session *s = session_of(base);
    struct sl_pb_sluice_ExplainResponse answer = {.unknown = NULL};
    struct sl_arena arena;
    struct sl_error err;
    sl_mutex_lock(&s->mutex);
    const struct sl_pb_sluice_ExplainRequest request = {.session_handle = sl_str_of(s->handle)};
    sl_mutex_unlock(&s->mutex);
    if (!request.session_handle.n || enter(s, NULL) != SL_OK) return;
    sl_arena_init(&arena);
    const sl_code code = call(&answer, SL_PB_TYPE_OF(sluice_ExplainResponse), s, explain_path,
                              SL_PB_TYPE_OF(sluice_ExplainRequest), &request, &arena, &err);
    for (size_t i = 0; i < answer.sentence.n; i++) sl_wait_say(to, "%.*s", SL_STR_ARG(answer.sentence.items[i]));
    if (code == SL_UNIMPLEMENTED)
        sl_wait_say(to, "the server is not one of ours, and does not tell what its steps wait for");
    else if (code != SL_OK) sl_wait_say(to, "the server does not answer: %s", err.message);
    sl_arena_clear(&arena);
    leave(s);
}

/* ---- the end */

static sl_code close_session(struct sl_session *base, struct sl_error *err) {
    struct grpc_session *s = session_of(base);
    struct sl_arena arena;
    sl_mutex_lock(&s->mutex);
    bool is_open = !s->is_closed && s->handle;
    s->is_closed = true;
    sl_mutex_unlock(&s->mutex);
    if (!is_open) return SL_OK;
    sl_arena_init(&arena);
    const struct sl_pb_CloseSessionRequest request = {.session_handle = sl_str_of(s->handle)};
    sl_code code = call(NULL, NULL, s, close_path, SL_PB_TYPE_OF(CloseSessionRequest), &request, &arena, err);
    sl_arena_clear(&arena);
    return code;
}

static void free_session(struct sl_session *base) {
    struct grpc_session *s = session_of(base);
    (void)close_session(base, NULL);
    sl_mutex_lock(&s->mutex);
    while (s->n_running) sl_condition_wait(&s->idle, &s->mutex);
    sl_mutex_unlock(&s->mutex);
    forget_devices(s);
    sl_vec_free(&s->device_names);
    sl_rpc_channel_free(s->channel);
    sl_id_source_clear(&s->ids);
    sl_condition_clear(&s->idle);
    sl_mutex_clear(&s->mutex);
    sl_free(s->handle);
    sl_free(s->config);
    sl_free(s->target);
    sl_free(s);
}

static const struct sl_session_methods methods = {.free = free_session,
                                                  .close = close_session,
                                                  .extend = extend,
                                                  .run = run_once,
                                                  .prun_setup = prun_setup,
                                                  .prun = prun,
                                                  .plan = plan,
                                                  .device = device,
                                                  .reset = reset,
                                                  .tell = tell};

struct sl_rpc_tls sl_dist_tls_of_environment(void) {
    return (struct sl_rpc_tls){.certificate = sl_env_text(SL_ENV_TLS_CERTIFICATE),
                               .key = sl_env_text(SL_ENV_TLS_KEY),
                               .authorities = sl_env_text(SL_ENV_TLS_AUTHORITIES)};
}

/* Where the address begins, and whether it is reached by TLS. */
static const char *read_target(struct sl_rpc_tls *tls, bool *is_tls, const char *target) {
    *tls = sl_dist_tls_of_environment();
    *is_tls = sl_str_starts(sl_str_of(target), SL_STR("grpcs://"));
    return strstr(target, "://") + 3;
}

static sl_code fill(struct grpc_session *s, const struct sl_session_options *options, struct sl_error *err) {
    struct sl_str config = {NULL, 0};
    struct sl_rpc_tls tls;
    bool is_tls;
    s->target = copy_text(options->target);
    if (!s->target) return sl_fail_memory(err, options->target.n);
    if (options->config) SL_TRY(sl_pb_encode(&config, SL_PB_TYPE_OF(ConfigProto), options->config, 0, NULL, err));
    s->config = (char *)config.p;
    s->n_config = config.n;
    s->timeout_ms = options->config ? options->config->operation_timeout_in_ms : 0;
    const char *address = read_target(&tls, &is_tls, s->target);
    return sl_net_dial(&s->channel, s->net, address, is_tls ? &tls : NULL, err);
}

sl_code sl_grpc_session_new(struct sl_session **out, struct sl_net *net, const struct sl_session_options *options,
                            struct sl_error *err) {
    struct grpc_session *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(err, sizeof *s);
    s->base.methods = &methods;
    s->net = net;
    sl_mutex_init(&s->mutex);
    sl_condition_init(&s->idle);
    sl_arena_init(&s->listing_arena);
    sl_id_source_init(&s->ids, 0);
    sl_code code = fill(s, options, err);
    if (code == SL_OK) *out = &s->base;
    else {
        s->is_closed = true;
        free_session(&s->base);
    }
    return code;
}
