/* Servers. The order of the end: the net ends the calls, then the master its sessions, then the worker. */
#include "dist/dist_server.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/env.h"
#include "dist/collective_tasks.h"
#include "dist/eager_service.h"
#include "dist/explain_service.h"
#include "dist/grpc_session.h"
#include "dist/health_service.h"
#include "dist/task_watch.h"

enum { SERVICES = 5 };
static const char protocol_of_tls[] = "grpcs";

struct sl_dist_server {
    struct sl_net *net;
    struct sl_cluster *cluster;
    struct sl_task_watch *watch;
    struct sl_worker *worker;
    struct sl_worker_service worker_service;
    struct sl_eager_service eager_service;
    struct sl_collectives *collectives; /* NULL: the cluster has one task */
    struct sl_master master;
    struct sl_rpc_service services[SERVICES];
    struct sl_rpc_server *listening;
    struct sl_arena arena;            /* of the next */
    struct sl_pb_ConfigProto *config; /* of sessions, as far as they say nothing else; may be NULL */
    struct sl_rpc_tls tls;            /* the same; all NULL: none */
    struct sl_rpc_limits limits;
    bool has_master;
    char target[256];
    struct sl_mutex mutex; /* guards the rest */
    struct sl_condition stopped;
    bool stops, has_stopped;
};

/* ---- where it listens */

static struct sl_str host_of(struct sl_str address) {
    const char *colon = NULL;
    for (size_t i = 0; i < address.n; i++)
        if (address.p[i] == ':') colon = address.p + i;
    return colon ? (struct sl_str){address.p, (size_t)(colon - address.p)} : address;
}

/* The port of the own entry, at this host alone. */
static void own_address(char *out, size_t size, const struct sl_dist_server *s, const struct sl_pb_ServerDef *def) {
    struct sl_str own = sl_str_of(s->cluster->tasks[s->cluster->own].address), host = host_of(own);
    if (sl_str_starts(own, SL_STR("unix:"))) (void)snprintf(out, size, "%.*s", SL_STR_ARG(own));
    else if (def->port > 0 || host.n == own.n) (void)snprintf(out, size, "127.0.0.1:%d", def->port);
    else (void)snprintf(out, size, "127.0.0.1%.*s", (int)(own.n - host.n), own.p + host.n);
}

static sl_code listen_at(struct sl_dist_server *s, const char *address, struct sl_error *err) {
    const struct sl_rpc_serving how = {.address = address,
                                       .services = s->services,
                                       .n_services = SERVICES,
                                       .limits = s->limits,
                                       .tls = s->tls,
                                       .tell = s->master.tell,
                                       .arg_of_tell = s->master.arg_of_tell};
    struct sl_str host = host_of(sl_str_of(address));
    const char *scheme = s->tls.certificate ? "grpcs" : "grpc";
    SL_TRY(sl_net_serve(&s->listening, s->net, &how, err));
    int port = sl_rpc_server_port(s->listening);
    if (!port) (void)snprintf(s->target, sizeof s->target, "%s://%s", scheme, address);
    else if (sl_str_is(host, "0.0.0.0") || sl_str_is(host, "[::]"))
        (void)snprintf(s->target, sizeof s->target, "%s://localhost:%d", scheme, port);
    else (void)snprintf(s->target, sizeof s->target, "%s://%.*s:%d", scheme, SL_STR_ARG(host), port);
    return SL_OK;
}

/* ---- making and ending */

/* The definition need not outlive the server. */
static sl_code keep_config(struct sl_dist_server *s, const struct sl_pb_ConfigProto *config, struct sl_error *err) {
    const struct sl_pb_message *type = SL_PB_TYPE_OF(ConfigProto);
    struct sl_str bytes;
    if (!config) return SL_OK;
    SL_TRY(sl_pb_encode(&bytes, type, config, 0, &s->arena, err));
    s->config = SL_ARENA_NEW(&s->arena, struct sl_pb_ConfigProto);
    return s->config ? sl_pb_decode(s->config, type, bytes, &s->arena, err) : sl_fail_memory(err, sizeof *s->config);
}

static sl_code keep_text(const char **out, struct sl_dist_server *s, const char *text, struct sl_error *err) {
    *out = text ? sl_arena_str(&s->arena, sl_str_of(text)).p : NULL;
    return *out || !text ? SL_OK : sl_fail_memory(err, strlen(text));
}

/* Of protocol grpcs is a server whose files the environment names, as those of a session at grpcs://. */
static sl_code find_tls(struct sl_rpc_tls *out, const struct sl_pb_ServerDef *def, const struct sl_server_options *how,
                        struct sl_error *err) {
    *out = (struct sl_rpc_tls){.certificate = how->certificate, .key = how->key, .authorities = how->authorities};
    if (how->authorities && !how->certificate)
        return sl_fail(err, SL_INVALID_ARGUMENT, "a server with authorities needs a certificate and a key");
    if (how->certificate || !sl_str_is(def->protocol, protocol_of_tls)) return SL_OK;
    *out = sl_dist_tls_of_environment();
    if (out->certificate && out->key) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "a server of protocol %s needs SLUICE_TLS_CERTIFICATE and SLUICE_TLS_KEY",
                   protocol_of_tls);
}

static sl_code keep_options(struct sl_dist_server *s, const struct sl_pb_ServerDef *def,
                            const struct sl_server_options *how, struct sl_error *err) {
    struct sl_rpc_tls tls;
    SL_TRY(find_tls(&tls, def, how, err));
    SL_TRY(keep_text(&s->tls.certificate, s, tls.certificate, err));
    SL_TRY(keep_text(&s->tls.key, s, tls.key, err));
    SL_TRY(keep_text(&s->tls.authorities, s, tls.authorities, err));
    return sl_rpc_limits_parse(&s->limits, how->limits, err);
}

/* Where TensorFlow's servers have the bound of theirs. */
static int64_t heartbeat_ms(const struct sl_pb_ConfigProto *config) {
    const struct sl_pb_ConfigProto_Experimental *more = config ? config->experimental : NULL;
    int64_t ms = more && more->coordination_config ? more->coordination_config->heartbeat_timeout_in_ms : 0;
    return ms ? ms : sl_env_number(SL_ENV_HEARTBEAT_MS, 0);
}

static sl_code fill(struct sl_dist_server *s, const struct sl_dist_server_options *options, struct sl_error *err) {
    static const struct sl_server_options otherwise;
    const struct sl_server_options *how = options->how ? options->how : &otherwise;
    const struct sl_pb_ServerDef *def = options->def;
    char address[256];
    SL_TRY(keep_config(s, def->default_session_config, err));
    SL_TRY(keep_options(s, def, how, err));
    if (options->like)
        SL_TRY(sl_cluster_new_like(&s->cluster, s->net, options->like->cluster, def->job_name, def->task_index, err));
    else SL_TRY(sl_cluster_new(&s->cluster, s->net, def->cluster, def->job_name, def->task_index, err));
    s->cluster->bound_ms = heartbeat_ms(s->config);
    if (s->cluster->n > 1) SL_TRY(sl_task_watch_new(&s->watch, s->cluster, s->cluster->bound_ms, err));
    s->cluster->watch = s->watch;
    if (s->tls.certificate) s->cluster->tls = &s->tls;
    const struct sl_worker_options worker = {.registries = options->registries,
                                             .cluster = s->cluster,
                                             .config = s->config,
                                             .seed = options->seed,
                                             .incarnation = options->incarnation,
                                             .step_threads = sl_rpc_limits_or_default(&s->limits).step_threads};
    SL_TRY(sl_worker_new(&s->worker, &worker, err));
    sl_worker_service_init(&s->worker_service, s->worker);
    sl_eager_service_init(&s->eager_service, s->worker);
    sl_master_init(&s->master, s->worker);
    s->master.tell = how->tell;
    s->master.arg_of_tell = how->arg;
    s->has_master = true;
    if (s->cluster->n > 1) {
        SL_TRY(sl_collectives_new(&s->collectives, s->worker, err));
        SL_TRY(sl_worker_set_peers(s->worker, s->collectives->peers, err));
        s->worker_service.collectives = s->collectives;
    }
    s->services[0] = (struct sl_rpc_service){sl_master_methods, &s->master};
    s->services[1] = (struct sl_rpc_service){sl_worker_methods, &s->worker_service};
    s->services[2] = (struct sl_rpc_service){sl_eager_methods, &s->eager_service};
    s->services[3] = (struct sl_rpc_service){sl_health_methods, NULL};
    s->services[4] = (struct sl_rpc_service){sl_explain_methods, &s->master};
    own_address(address, sizeof address, s, def);
    return listen_at(s, how->listen && *how->listen ? how->listen : address, err);
}

sl_code sl_dist_server_new(struct sl_dist_server **out, const struct sl_dist_server_options *options,
                           struct sl_error *err) {
    struct sl_dist_server *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(err, sizeof *s);
    s->net = options->net;
    sl_arena_init(&s->arena);
    sl_mutex_init(&s->mutex);
    sl_condition_init(&s->stopped);
    const struct sl_str protocol = options->def->protocol;
    if (protocol.n && !sl_str_is(protocol, "grpc") && !sl_str_is(protocol, protocol_of_tls)) {
        sl_dist_server_free(s);
        return sl_fail(err, SL_NOT_FOUND, "No server factory registered for the given ServerDef: protocol \"%.*s\"",
                       SL_STR_ARG(protocol));
    }
    sl_code code = fill(s, options, err);
    if (code == SL_OK) *out = s;
    else sl_dist_server_free(s);
    return code;
}

sl_code sl_dist_server_start(struct sl_dist_server *s, struct sl_error *err) {
    sl_mutex_lock(&s->mutex);
    bool stops = s->stops;
    sl_mutex_unlock(&s->mutex);
    return stops ? sl_fail(err, SL_FAILED_PRECONDITION, "Server has been stopped.") : SL_OK;
}

sl_code sl_dist_server_stop(struct sl_dist_server *s, struct sl_error *err) {
    (void)err;
    sl_mutex_lock(&s->mutex);
    bool is_first = !s->stops;
    s->stops = true;
    while (!is_first && !s->has_stopped) sl_condition_wait(&s->stopped, &s->mutex);
    sl_mutex_unlock(&s->mutex);
    if (!is_first) return SL_OK;
    sl_rpc_server_free(s->listening);
    sl_collectives_stop(s->collectives);
    if (s->has_master) {
        sl_master_clear(&s->master);
        sl_eager_service_clear(&s->eager_service);
        sl_worker_service_clear(&s->worker_service);
    }
    sl_worker_free(s->worker);
    sl_collectives_free(s->collectives);
    sl_task_watch_free(s->watch);
    sl_cluster_free(s->cluster);
    sl_mutex_lock(&s->mutex);
    s->has_stopped = true;
    sl_condition_broadcast(&s->stopped);
    sl_mutex_unlock(&s->mutex);
    return SL_OK;
}

/* Until it stops nothing that is asked here goes away. */
void sl_dist_server_state(struct sl_dist_server *s, struct sl_server_state *out) {
    struct sl_rpc_counts net = {.calls = 0};
    *out = (struct sl_server_state){.sessions = 0};
    sl_mutex_lock(&s->mutex);
    if (!s->stops) {
        sl_rpc_server_count(&net, s->listening);
        sl_worker_count(&out->worker_sessions, &out->graphs, &out->steps, s->worker);
        sl_mutex_lock(&s->master.mutex);
        out->sessions = s->master.n_sessions;
        out->sessions_ever = s->master.n_sessions_ever;
        sl_mutex_unlock(&s->master.mutex);
    }
    sl_mutex_unlock(&s->mutex);
    out->connections = net.connections;
    out->calls = net.calls;
    out->message_bytes = net.unfinished_bytes;
    out->connections_ever = net.accepted;
    out->calls_ever = net.called;
    out->turned_away = net.turned_away;
    out->closed = net.closed;
}

void sl_dist_server_join(struct sl_dist_server *s) {
    sl_mutex_lock(&s->mutex);
    while (!s->has_stopped) sl_condition_wait(&s->stopped, &s->mutex);
    sl_mutex_unlock(&s->mutex);
}

const char *sl_dist_server_target(const struct sl_dist_server *s) { return s->target; }
struct sl_worker *sl_dist_server_worker(struct sl_dist_server *s) {
    return s->worker;
}
struct sl_collective_peers *sl_dist_server_peers(struct sl_dist_server *s) {
    return s->collectives ? s->collectives->peers : NULL;
}

void sl_dist_server_free(struct sl_dist_server *s) {
    if (!s) return;
    (void)sl_dist_server_stop(s, NULL);
    sl_arena_clear(&s->arena);
    sl_condition_clear(&s->stopped);
    sl_mutex_clear(&s->mutex);
    sl_free(s);
}
