/* The order of the end: nobody is accepted, calls end, then versions are unloaded. */
#include "serving/serving_server.h"

#include <stdio.h>

#include "base/alloc.h"
#include "serving/grpc_service.h"
#include "serving/http_listener.h"

enum { ADDRESS_TEXT = 256, HEADER_BYTES = 32 << 10 };
static const int64_t ns_of_ms = 1000000;

struct sl_model_server {
    struct sl_model_server_options options;                      /* with the defaults; its strings are not kept */
    char rest_address[ADDRESS_TEXT], grpc_address[ADDRESS_TEXT]; /* "": does not listen */
    sl_code (*net_of)(struct sl_net **net, struct sl_error *err);
    struct sl_model_hosts hosts;
    struct sl_rpc_limits limits; /* of gRPC */
    char *files[3];              /* copies of paths: certificate, key, authorities; NULL: none */
    struct sl_http_listener *rest;
    struct sl_grpc_serving grpc;
    struct sl_rpc_service service;
    struct sl_rpc_server *grpc_server;
    bool was_started;
};

/* ---- options */

/* "8501" is at this host alone. */
static sl_code read_address(char *out, const char *text, struct sl_error *err) {
    if (!text) return SL_OK;
    bool is_port = *text && strspn(text, "0123456789") == strlen(text);
    if (snprintf(out, ADDRESS_TEXT, "%s%s", is_port ? "127.0.0.1:" : "", text) < ADDRESS_TEXT && *text) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "'%s' is no address to listen at", text);
}

static sl_code copy_file(char **out, const char *path, struct sl_error *err) {
    size_t n = path ? strlen(path) + 1 : 0;
    if (!path) return SL_OK;
    *out = sl_malloc(n);
    if (!*out) return sl_fail_memory(err, n);
    memcpy(*out, path, n);
    return SL_OK;
}

static sl_code read_tls(struct sl_model_server *s, const struct sl_model_server_options *o, struct sl_error *err) {
    if (!o->certificate != !o->key || (o->authorities && !o->certificate))
        return sl_fail(err, SL_INVALID_ARGUMENT, "a server with TLS needs a certificate and a key");
    SL_TRY(copy_file(&s->files[0], o->certificate, err));
    SL_TRY(copy_file(&s->files[1], o->key, err));
    return copy_file(&s->files[2], o->authorities, err);
}

static void set_default(int64_t *value, int64_t to) {
    if (*value == 0) *value = to;
}

static sl_code read_options(struct sl_model_server *s, const struct sl_model_server_options *given,
                            struct sl_error *err) {
    struct sl_model_server_options *o = &s->options;
    *o = *given;
    SL_TRY(read_tls(s, o, err));
    SL_TRY(read_address(s->rest_address, o->rest, err));
    SL_TRY(read_address(s->grpc_address, o->grpc, err));
    if (!o->rest && !o->grpc)
        return sl_fail(err, SL_INVALID_ARGUMENT, "a server of models listens for REST, for gRPC or for both");
    set_default(&o->batch_timeout_us, 1000);
    set_default(&o->poll_ms, 1000);
    set_default(&o->request_bytes, 64 << 20);
    set_default(&o->idle_ms, 30000);
    set_default(&o->body_ms, 60000);
    set_default(&o->drain_ms, 30000);
    if (!o->connections) o->connections = 256;
    s->limits.message_bytes = (size_t)o->request_bytes;
    s->limits.connections = (unsigned)o->connections;
    SL_TRY(sl_rpc_limits_parse(&s->limits, o->limits, err));
    const int64_t most_ms = INT64_MAX / ns_of_ms / 4;
    if (o->batch_size < 0 || o->batch_timeout_us < 0 || o->batch_timeout_us > 3600000000 || o->request_bytes < 0 ||
        o->connections < 0 || o->idle_ms < 0 || o->idle_ms > INT32_MAX || o->body_ms < 0 || o->body_ms > most_ms ||
        o->drain_ms < 0 || o->drain_ms > most_ms || o->poll_ms < -1 || o->poll_ms > most_ms)
        return sl_fail(err, SL_INVALID_ARGUMENT, "an option of the server of models is out of range");
    return SL_OK;
}

/* ---- life */

static sl_code make(struct sl_model_server *s, const struct sl_registries *registries, const char *dir,
                    const struct sl_model_server_options *options, struct sl_error *err) {
    SL_TRY(read_options(s, options, err));
    const struct sl_model_host_options how = {
        .registries = registries,
        .dir = dir,
        .name = options->name,
        .poll_ns = s->options.poll_ms < 0 ? 0 : s->options.poll_ms * ns_of_ms,
        .batching = {s->options.batch_size, s->options.batch_timeout_us * 1000},
        .tell = options->tell,
        .arg = options->arg,
    };
    return sl_model_hosts_open(&s->hosts, &how, options->models, err);
}

sl_code sl_model_server_make(struct sl_model_server **out, const struct sl_registries *registries,
                             sl_code (*net_of)(struct sl_net **net, struct sl_error *err), const char *dir,
                             const struct sl_model_server_options *options, struct sl_error *err) {
    struct sl_model_server *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(err, sizeof *s);
    s->net_of = net_of;
    sl_grpc_serving_init(&s->grpc, &s->hosts);
    sl_code code = make(s, registries, dir, options, err);
    if (code == SL_OK) *out = s;
    else sl_model_server_free(s);
    return code;
}

static void serve_rest(struct sl_rest_answer *out, void *arg, const struct sl_rest_request *request) {
    sl_rest_serve(out, arg, request);
}

static sl_code listen_rest(struct sl_model_server *s, struct sl_error *err) {
    const struct sl_model_server_options *o = &s->options;
    const struct sl_http_options how = {.address = s->rest_address,
                                        .serve = serve_rest,
                                        .arg = &s->hosts,
                                        .certificate = s->files[0],
                                        .key = s->files[1],
                                        .authorities = s->files[2],
                                        .body_bytes = (size_t)o->request_bytes,
                                        .header_bytes = HEADER_BYTES,
                                        .connections = (unsigned)o->connections,
                                        .idle_ns = o->idle_ms * ns_of_ms,
                                        .body_ns = o->body_ms * ns_of_ms,
                                        .drain_ns = o->drain_ms * ns_of_ms};
    return sl_http_listener_new(&s->rest, &how, err);
}

static sl_code listen_grpc(struct sl_model_server *s, struct sl_error *err) {
    struct sl_net *net;
    SL_TRY(s->net_of(&net, err));
    SL_TRY(sl_grpc_serving_open(&s->grpc, net, sl_rpc_limits_or_default(&s->limits).step_threads, err));
    s->service = (struct sl_rpc_service){sl_grpc_serving_methods, &s->grpc};
    const struct sl_rpc_serving how = {.address = s->grpc_address,
                                       .services = &s->service,
                                       .n_services = 1,
                                       .limits = s->limits,
                                       .tls = {.certificate = s->files[0],
                                               .key = s->files[1],
                                               .authorities = s->files[2]},
                                       .tell = s->options.tell,
                                       .arg_of_tell = s->options.arg};
    return sl_net_serve(&s->grpc_server, net, &how, err);
}

/* "http://127.0.0.1:8501/v1/models/half". */
static void tell_listens(struct sl_model_server *s, const char *scheme, const char *address, int port,
                         const char *path) {
    const char *colon = strrchr(address, ':'), *with = s->files[0] ? "s" : "";
    struct sl_model_host *host = s->hosts.items[0];
    if (port && colon)
        sl_model_host_tell(host, "listens", "%s%s://%.*s:%d%s", scheme, with, (int)(colon - address), address, port,
                           path);
    else sl_model_host_tell(host, "listens", "%s%s://%s%s", scheme, with, address, path);
}

void sl_model_server_say_state(struct sl_model_server *s) {
    for (int i = 0; i < s->hosts.n; i++) sl_model_host_tell_state(s->hosts.items[i]);
}

sl_code sl_model_server_listen(struct sl_model_server *s, struct sl_error *err) {
    char path[ADDRESS_TEXT];
    if (s->was_started) return sl_fail(err, SL_FAILED_PRECONDITION, "The server has been started before");
    sl_code code = *s->rest_address ? listen_rest(s, err) : SL_OK;
    if (code == SL_OK && *s->grpc_address) code = listen_grpc(s, err);
    if (code != SL_OK) {
        sl_model_server_drain(s);
        return code;
    }
    s->was_started = true;
    (void)snprintf(path, sizeof path, "/v1/models%s%s", s->hosts.n == 1 ? "/" : "",
                   s->hosts.n == 1 ? s->hosts.items[0]->name : "");
    if (s->rest) tell_listens(s, "http", s->rest_address, sl_http_listener_port(s->rest), path);
    if (s->grpc_server) tell_listens(s, "grpc", s->grpc_address, sl_rpc_server_port(s->grpc_server), "");
    return SL_OK;
}

int sl_model_server_port_of_rest(const struct sl_model_server *s) {
    return s->rest ? sl_http_listener_port(s->rest) : 0;
}
int sl_model_server_port_of_grpc(const struct sl_model_server *s) {
    return s->grpc_server ? sl_rpc_server_port(s->grpc_server) : 0;
}

void sl_model_server_drain(struct sl_model_server *s) {
    if (s->grpc_server) {
        sl_rpc_server_drain(s->grpc_server);
        sl_grpc_serving_drain(&s->grpc);
        sl_rpc_server_free(s->grpc_server);
    }
    sl_http_listener_free(s->rest);
    s->grpc_server = NULL;
    s->rest = NULL;
}

void sl_model_server_free(struct sl_model_server *s) {
    if (!s) return;
    sl_model_server_drain(s);
    sl_model_hosts_close(&s->hosts);
    for (int i = 0; i < 3; i++) sl_free(s->files[i]);
    sl_grpc_serving_clear(&s->grpc);
    sl_free(s);
}
