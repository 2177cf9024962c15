/* Contexts that programs of other processes use: their life, and the values that they know by numbers. */
#include "dist/served_context.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "device/transfer.h"
#include "dist/spread_function.h"
#include "dist/tensor_wire.h"
#include "dist/worker_state.h"

/* ---- life */

/* A context has the worker's resources, so that programs find variables of each other by name. */
static sl_code make_eager(struct sl_served_context *c, const struct sl_served_spec *spec, struct sl_error *err) {
    struct sl_device_set devices;
    struct sl_eager_options options = {.config = spec->server ? spec->server->default_session_config : NULL,
                                       .devices = &devices,
                                       .resources = c->worker->base->resources,
                                       .policy = SL_EAGER_SILENT};
    if (!options.config) options.config = c->worker->options.config;
    SL_TRY(sl_worker_open_devices(&devices, c->worker, spec->server, err));
    return sl_eager_context_new(&c->eager, c->worker->options.registries, &options, err);
}

static sl_code open_session(struct sl_worker_session **out, struct sl_served_context *c,
                            const struct sl_pb_ServerDef *server, struct sl_error *err) {
    char handle[32];
    (void)snprintf(handle, sizeof handle, "eager_%" PRIu64, c->id);
    const struct sl_worker_session_spec spec = {.handle = sl_str_of(handle),
                                                .server = server,
                                                .runtime = c->eager->runtime};
    return sl_worker_open_session(out, c->worker, &spec, err);
}

static sl_code make_spread(struct sl_spread **out, struct sl_served_context *c, const struct sl_worker_session *session,
                           const struct sl_pb_array_DeviceAttributes *devices, struct sl_error *err) {
    *out = NULL;
    return sl_worker_session_cluster(session)->n > 1 ? sl_spread_new(out, c, devices, err) : SL_OK;
}

static sl_code fill(struct sl_served_context *c, const struct sl_served_spec *spec, struct sl_error *err) {
    SL_TRY(sl_cancellation_new(&c->end, NULL, err));
    c->is_borrowed = spec->eager != NULL;
    c->eager = spec->eager;
    if (!c->eager) SL_TRY(make_eager(c, spec, err));
    SL_TRY(open_session(&c->session, c, spec->server, err));
    SL_TRY(make_spread(&c->spread, c, c->session, &spec->devices, err));
    if (c->is_borrowed) return SL_OK; /* nobody asks it for values */
    SL_TRY(sl_rendezvous_table_find(&c->exchange, c->worker->table, spec->id, false, err));
    sl_code code = sl_step_rendezvous_exchange(c->exchange, err);
    if (code == SL_OK) return SL_OK;
    sl_step_rendezvous_unref(c->exchange); /* somebody else's */
    c->exchange = NULL;
    return code;
}

sl_code sl_served_context_new(struct sl_served_context **out, struct sl_worker *worker,
                              const struct sl_served_spec *spec, struct sl_error *err) {
    enum { SECS_MAX = 1 << 30 };
    struct sl_served_context *c = sl_calloc(1, sizeof *c);
    if (!c) return sl_fail_memory(err, sizeof *c);
    atomic_init(&c->references, 1);
    sl_mutex_init(&c->mutex);
    c->worker = worker;
    c->id = spec->id;
    c->view_id = spec->view_id;
    if (spec->keep_alive_secs > 0)
        c->keep_alive_ns =
            INT64_C(1000000000) * (spec->keep_alive_secs < SECS_MAX ? spec->keep_alive_secs : (int64_t)SECS_MAX);
    sl_code code = fill(c, spec, err);
    if (code == SL_OK) *out = c;
    else sl_served_context_unref(c);
    return code;
}

struct served_handle {
    struct {
        int64_t op, output;
    } key;
    struct sl_eager_handle *h;
};

static struct sl_str key_of(const struct served_handle *s) {
    return (struct sl_str){(const char *)&s->key, sizeof s->key};
}

static void free_served(struct served_handle *s) {
    if (!s) return;
    sl_eager_handle_unref(s->h);
    sl_free(s);
}

static void free_handles(struct sl_str_map *handles) {
    for (struct sl_str_map_entry *e = sl_str_map_first(handles); e; e = sl_str_map_next(handles, e))
        free_served(e->value);
    sl_str_map_free(handles);
}

static void clean_up_all(struct sl_served_context *c);

void sl_served_context_unref(struct sl_served_context *c) {
    if (!c || atomic_fetch_sub(&c->references, 1) != 1) return;
    if (c->exchange) sl_rendezvous_table_drop(c->worker->table, c->id);
    sl_step_rendezvous_unref(c->exchange);
    free_handles(&c->handles);
    sl_spread_unref(c->spread);
    sl_served_free_components(c);
    clean_up_all(c);
    sl_worker_session_unref(c->session);
    if (!c->is_borrowed) sl_eager_context_unref(c->eager);
    sl_cancellation_free(c->end);
    sl_mutex_clear(&c->mutex);
    sl_free(c);
}

void sl_served_context_close(struct sl_served_context *c) {
    sl_cancellation_start(c->end, SL_CANCELLED, "The context was closed.");
    sl_rendezvous_table_drop(c->worker->table, c->id);
    sl_mutex_lock(&c->mutex);
    struct sl_str_map handles = c->handles;
    struct sl_worker_session *session = sl_worker_session_ref(c->session);
    c->handles = (struct sl_str_map){.n = 0};
    c->is_closed = true;
    sl_mutex_unlock(&c->mutex);
    sl_worker_session_cancel(session);
    sl_worker_session_unref(session);
    free_handles(&handles);
}

/* ---- steps */

sl_code sl_served_note_step(struct sl_served_context *c, uint64_t step_id, struct sl_error *err) {
    enum { STEPS_MAX = 1 << 16 };
    sl_mutex_lock(&c->mutex);
    const bool is_full = c->steps.n >= STEPS_MAX, is_closed = c->is_closed;
    const bool failed = is_full || is_closed || sl_vec_push(&c->steps, step_id);
    sl_mutex_unlock(&c->mutex);
    if (is_closed) return sl_fail(err, SL_CANCELLED, "The context was closed.");
    if (is_full) return sl_fail(err, SL_RESOURCE_EXHAUSTED, "Nobody cleans up after %d steps.", (int)STEPS_MAX);
    return failed ? sl_fail_memory(err, sizeof step_id) : SL_OK;
}

/* Steps end soon after they began: the newest is looked at first. */
static bool forget_step(struct sl_served_context *c, uint64_t step_id) {
    sl_mutex_lock(&c->mutex);
    size_t i = c->steps.n;
    while (i && c->steps.items[i - 1] != step_id) i--;
    if (i) c->steps.items[i - 1] = c->steps.items[--c->steps.n];
    sl_mutex_unlock(&c->mutex);
    return i != 0;
}

void sl_served_cleanup(struct sl_served_context *c, uint64_t step_id) {
    if (forget_step(c, step_id)) sl_worker_cleanup(c->worker, step_id);
}

static void clean_up_all(struct sl_served_context *c) {
    for (size_t i = 0; i < c->steps.n; i++) sl_worker_cleanup(c->worker, c->steps.items[i]);
    sl_vec_free(&c->steps);
}

/* ---- the cluster */

struct sl_worker_session *sl_served_session(struct sl_served_context *c) {
    sl_mutex_lock(&c->mutex);
    struct sl_worker_session *s = sl_worker_session_ref(c->session);
    sl_mutex_unlock(&c->mutex);
    return s;
}

struct sl_spread *sl_served_spread(struct sl_served_context *c) {
    sl_mutex_lock(&c->mutex);
    struct sl_spread *s = c->spread;
    if (s) sl_spread_ref(s);
    sl_mutex_unlock(&c->mutex);
    return s;
}

static sl_code check_name(const struct sl_served_context *c, const struct sl_worker_session *s, struct sl_error *err) {
    const struct sl_cluster *cluster = sl_worker_session_cluster(s);
    const struct sl_device *own = &c->eager->runtime->devices.items[0];
    if (sl_device_is_same_task(&own->parsed, &cluster->tasks[cluster->own].parsed)) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "The context is of the task of %s, and cannot become %s", own->name,
                   sl_cluster_own_name(cluster));
}

/* Steps that are under way end. */
sl_code sl_served_set_cluster(struct sl_served_context *c, const struct sl_pb_ServerDef *server,
                              const struct sl_pb_array_DeviceAttributes *devices, struct sl_error *err) {
    struct sl_worker_session *session;
    struct sl_spread *spread = NULL;
    SL_TRY(open_session(&session, c, server, err));
    sl_code code = check_name(c, session, err);
    if (code == SL_OK) code = make_spread(&spread, c, session, devices, err);
    sl_mutex_lock(&c->mutex);
    if (code == SL_OK && c->is_closed) code = sl_fail(err, SL_CANCELLED, "The context was closed.");
    if (code == SL_OK) {
        struct sl_worker_session *old = c->session;
        struct sl_spread *old_spread = c->spread;
        c->session = session;
        c->spread = spread;
        session = old;
        spread = old_spread;
    }
    sl_mutex_unlock(&c->mutex);
    sl_worker_session_cancel(session);
    sl_worker_session_unref(session);
    sl_spread_unref(spread);
    if (code == SL_OK) sl_served_forget_programs(c);
    return code;
}

/* ---- values by numbers */

sl_code sl_served_put(struct sl_served_context *c, int64_t op, int32_t output, struct sl_eager_handle *h,
                      struct sl_error *err) {
    struct served_handle *old = NULL, *s = sl_malloc(sizeof *s);
    if (!s) {
        sl_eager_handle_unref(h);
        return sl_fail_memory(err, sizeof *s);
    }
    *s = (struct served_handle){{op, output}, h};
    sl_mutex_lock(&c->mutex);
    const bool is_full = c->handles.n >= SL_SERVED_HANDLES_MAX;
    if (!is_full) old = sl_str_map_remove(&c->handles, key_of(s));
    const bool failed = is_full || sl_str_map_put(&c->handles, key_of(s), s);
    sl_mutex_unlock(&c->mutex);
    free_served(old);
    if (!failed) return SL_OK;
    free_served(s);
    if (!is_full) return sl_fail_memory(err, sizeof *s);
    return sl_fail(err, SL_RESOURCE_EXHAUSTED, "The context has %d tensors, and may have no more.",
                   (int)SL_SERVED_HANDLES_MAX);
}

static sl_code fail_missing(const struct sl_pb_eager_RemoteTensorHandle *which, struct sl_error *err) {
    return sl_fail(err, SL_INVALID_ARGUMENT,
                   "Unable to find the relevant tensor remote_handle: Op ID: %" PRId64 ", Output num: %d", which->op_id,
                   which->output_num);
}

sl_code sl_served_get(struct sl_eager_handle **out, struct sl_served_context *c,
                      const struct sl_pb_eager_RemoteTensorHandle *which, struct sl_error *err) {
    const struct served_handle asked = {{which->op_id, which->output_num}, NULL};
    sl_mutex_lock(&c->mutex);
    const struct served_handle *s = sl_str_map_get(&c->handles, key_of(&asked));
    if (s) *out = sl_eager_handle_ref(s->h);
    sl_mutex_unlock(&c->mutex);
    return s ? SL_OK : fail_missing(which, err);
}

sl_code sl_served_drop(struct sl_served_context *c, const struct sl_pb_eager_RemoteTensorHandle *which,
                       struct sl_error *err) {
    const struct served_handle asked = {{which->op_id, which->output_num}, NULL};
    sl_mutex_lock(&c->mutex);
    struct served_handle *s = sl_str_map_remove(&c->handles, key_of(&asked));
    sl_mutex_unlock(&c->mutex);
    free_served(s);
    return s ? SL_OK : fail_missing(which, err);
}

sl_code sl_served_place(struct sl_eager_handle **out, struct sl_served_context *c, struct sl_value value,
                        struct sl_str device, struct sl_error *err) {
    struct sl_eager_context *eager = c->eager;
    const int at = device.n ? sl_device_find(&eager->runtime->devices, device) : 0;
    sl_code code = at < 0 ? sl_fail(err, SL_INVALID_ARGUMENT, "%.*s unknown device.", SL_STR_ARG(device)) : SL_OK;
    if (code == SL_OK)
        code = sl_value_settle(&value, sl_eager_memory(eager, at, value.dtype), eager->envs[at].step_id, err);
    if (code != SL_OK) {
        sl_value_clear(&value);
        return code;
    }
    *out = sl_eager_handle_new(eager, value, at);
    return *out ? SL_OK : sl_fail_memory(err, sizeof **out);
}

sl_code sl_served_take_tensor(struct sl_eager_handle **out, struct sl_served_context *c,
                              const struct sl_pb_TensorProto *proto, struct sl_str device, struct sl_rpc_body *body,
                              struct sl_error *err) {
    struct sl_value value;
    SL_TRY(sl_wire_read_value(&value, proto, body, err));
    return sl_served_place(out, c, value, device, err);
}

sl_code sl_served_input(struct sl_eager_handle **out, struct sl_served_context *c,
                        const struct sl_pb_eager_Operation_Input *input, struct sl_rpc_body *body,
                        struct sl_error *err) {
    if (input->which == SL_PB_eager_Operation_Input_remote_handle)
        return sl_served_get(out, c, input->remote_handle, err);
    if (input->which == SL_PB_eager_Operation_Input_tensor)
        return sl_served_take_tensor(out, c, input->tensor, SL_STR(""), body, err);
    return sl_fail(err, SL_INVALID_ARGUMENT, "an input of an operation has neither a handle nor a tensor");
}
