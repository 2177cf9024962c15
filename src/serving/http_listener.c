/* Requests as libmicrohttpd gives them: its handler is called once with the headers, then for each piece of the body,
 * then at the end. */
#include "serving/http_listener.h"

#if SL_HAVE_MICROHTTPD
#include <stdlib.h>

#include "base/alloc.h"
#include "os/address.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/mutex.h"
#include "os/socket.h"
#include "serving/microhttpd_library.h"

enum { STACK_BYTES = 1 << 20 }; /* of a connection's thread: kernels run on it */
enum { PEM_MOST = 1 << 20 };

struct sl_http_listener {
    struct sl_http_options options;
    const struct sl_microhttpd_library *library;
    struct MHD_Daemon *daemon;
    char *certificate, *key, *authorities; /* what the files have, ending in NUL; NULL: no TLS, no authorities */
    int port;
    struct sl_mutex mutex; /* guards the rest */
    struct sl_condition changed;
    int n_requests; /* under way */
    bool drains;
};

struct request {
    struct sl_text body;
    int64_t due_ns; /* when the body has to be there */
    bool is_answered;
};

/* ---- answers */

/* Takes the body of the answer. */
static enum MHD_Result answer(struct sl_http_listener *l, struct MHD_Connection *connection, struct sl_rest_answer *a) {
    const struct sl_microhttpd_library *lib = l->library;
    static const char no_memory[] = "{\"error\": \"out of memory\"}\n";
    bool is_broken = a->body.is_broken || !a->body.p;
    struct MHD_Response *response =
        is_broken ? lib->MHD_create_response_from_buffer(sizeof no_memory - 1, (void *)(uintptr_t)no_memory,
                                                         MHD_RESPMEM_PERSISTENT)
                  : lib->MHD_create_response_from_buffer_with_free_callback(a->body.n, a->body.p, sl_free);
    if (is_broken || !response) sl_text_free(&a->body);
    if (!response) return MHD_NO;
    sl_mutex_lock(&l->mutex);
    bool drains = l->drains;
    sl_mutex_unlock(&l->mutex);
    (void)lib->MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE,
                                       is_broken ? "application/json" : a->type);
    if (drains) (void)lib->MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
    enum MHD_Result result =
        lib->MHD_queue_response(connection, is_broken ? MHD_HTTP_INTERNAL_SERVER_ERROR : (unsigned)a->status, response);
    lib->MHD_destroy_response(response);
    return result;
}

static enum MHD_Result refuse(struct sl_http_listener *l, struct MHD_Connection *connection, struct request *r) {
    struct sl_rest_answer a = {.status = 0};
    char text[96];
    (void)snprintf(text, sizeof text, "The body has more than %zu bytes", l->options.body_bytes);
    sl_rest_fail(&a, 413, text);
    r->is_answered = true;
    return answer(l, connection, &a);
}

static enum MHD_Result turn_away(struct sl_http_listener *l, struct MHD_Connection *connection, struct request *r) {
    struct sl_rest_answer a = {.status = 0};
    sl_rest_fail(&a, 403, "The client shows no certificate that this server knows the authority of");
    r->is_answered = true;
    return answer(l, connection, &a);
}

/* ---- requests */

static enum MHD_Result begin(struct sl_http_listener *l, struct MHD_Connection *connection, void **state) {
    struct request *r = sl_calloc(1, sizeof *r);
    if (!r) return MHD_NO;
    *state = r;
    r->due_ns = sl_clock_ns() + l->options.body_ns;
    sl_mutex_lock(&l->mutex);
    l->n_requests++;
    sl_mutex_unlock(&l->mutex);
    const char *length =
        l->library->MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);
    if (length && strtoull(length, NULL, 10) > l->options.body_bytes) return refuse(l, connection, r);
    return MHD_YES;
}

static enum MHD_Result handle(void *arg, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *data, size_t *size, void **state) {
    struct sl_http_listener *l = arg;
    struct request *r = *state;
    (void)version;
    if (!r) return begin(l, connection, state);
    if (*size) {
        if (sl_clock_ns() > r->due_ns) return MHD_NO;
        if (*size > l->options.body_bytes - r->body.n) return MHD_NO; /* of a body without a length */
        sl_text_add(&r->body, (struct sl_str){data, *size});
        *size = 0;
        return r->body.is_broken ? MHD_NO : MHD_YES;
    }
    if (r->is_answered) return MHD_YES;
    if (l->authorities && !sl_microhttpd_client_is_known(l->library, connection)) return turn_away(l, connection, r);
    struct sl_rest_request request = {sl_str_of(method), sl_str_of(url), sl_text_str(&r->body)};
    struct sl_rest_answer a;
    r->is_answered = true;
    l->options.serve(&a, l->options.arg, &request);
    return answer(l, connection, &a);
}

static void ended(void *arg, struct MHD_Connection *connection, void **state, enum MHD_RequestTerminationCode why) {
    struct sl_http_listener *l = arg;
    struct request *r = *state;
    (void)connection;
    (void)why;
    if (!r) return;
    sl_text_free(&r->body);
    sl_free(r);
    *state = NULL;
    sl_mutex_lock(&l->mutex);
    if (--l->n_requests == 0) sl_condition_broadcast(&l->changed);
    sl_mutex_unlock(&l->mutex);
}

/* ---- life */

static sl_code listen_at(int *fd, struct sl_http_listener *l, struct sl_error *err) {
    enum { MOST = 8 };
    struct sl_address addresses[MOST], bound;
    const char *text = l->options.address;
    int n;
    SL_TRY(sl_address_resolve(addresses, &n, MOST, text, err));
    sl_code code = SL_OK;
    for (int i = 0; i < n; i++)
        if ((code = sl_socket_listen(fd, &addresses[i], err)) == SL_OK) break;
    SL_TRY(code);
    code = sl_socket_local(&bound, *fd, err);
    if (code != SL_OK) {
        sl_socket_close(*fd);
        return code;
    }
    l->port = sl_address_port(&bound);
    return SL_OK;
}

static sl_code read_pem(char **out, const char *path, struct sl_error *err) {
    size_t n;
    if (!path) return SL_OK;
    SL_TRY(sl_file_read(out, &n, path, PEM_MOST, err));
    char *longer = sl_realloc(*out, n + 1);
    if (!longer) return sl_fail_memory(err, n);
    longer[n] = '\0';
    *out = longer;
    return SL_OK;
}

/* Options for TLS, to the one that ends them. */
static sl_code prepare_tls(struct MHD_OptionItem out[4], struct sl_http_listener *l, struct sl_error *err) {
    const struct sl_http_options *o = &l->options;
    int n = 0;
    SL_TRY(read_pem(&l->certificate, o->certificate, err));
    SL_TRY(read_pem(&l->key, o->key, err));
    SL_TRY(read_pem(&l->authorities, o->authorities, err));
    if (l->certificate && l->library->MHD_is_feature_supported(MHD_FEATURE_TLS) != MHD_YES)
        return sl_fail(err, SL_UNIMPLEMENTED, "this libmicrohttpd has no TLS");
    if (l->certificate) out[n++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_CERT, 0, l->certificate};
    if (l->key) out[n++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_KEY, 0, l->key};
    if (l->authorities) out[n++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_TRUST, 0, l->authorities};
    out[n] = (struct MHD_OptionItem){MHD_OPTION_END, 0, NULL};
    return SL_OK;
}

static sl_code start(struct sl_http_listener *l, struct sl_error *err) {
    struct MHD_OptionItem tls[4];
    int fd;
    SL_TRY(sl_microhttpd_library(&l->library, err));
    SL_TRY(prepare_tls(tls, l, err));
    SL_TRY(listen_at(&fd, l, err));
    unsigned with_tls = l->certificate ? MHD_USE_TLS : 0;
    unsigned idle_s = (unsigned)((l->options.idle_ns + 999999999) / 1000000000);
    l->daemon =
        l->library->MHD_start_daemon(MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL |
                                         MHD_USE_ITC | with_tls,
                                     0, NULL, NULL, handle, l, MHD_OPTION_LISTEN_SOCKET, fd,
                                     MHD_OPTION_CONNECTION_LIMIT, l->options.connections, MHD_OPTION_CONNECTION_TIMEOUT,
                                     idle_s, MHD_OPTION_CONNECTION_MEMORY_LIMIT, l->options.header_bytes,
                                     MHD_OPTION_THREAD_STACK_SIZE, (size_t)STACK_BYTES, MHD_OPTION_NOTIFY_COMPLETED,
                                     ended, l, MHD_OPTION_ARRAY, tls, MHD_OPTION_END);
    if (l->daemon) return SL_OK;
    sl_socket_close(fd);
    return sl_fail(err, l->certificate ? SL_INVALID_ARGUMENT : SL_UNAVAILABLE, "libmicrohttpd cannot listen at %s%s",
                   l->options.address, l->certificate ? ": perhaps certificate and key do not fit together" : "");
}

sl_code sl_http_listener_new(struct sl_http_listener **out, const struct sl_http_options *options,
                             struct sl_error *err) {
    struct sl_http_listener *l = sl_calloc(1, sizeof *l);
    if (!l) return sl_fail_memory(err, sizeof *l);
    l->options = *options;
    sl_mutex_init(&l->mutex);
    sl_condition_init(&l->changed);
    sl_code code = start(l, err);
    if (code == SL_OK) *out = l;
    else sl_http_listener_free(l);
    return code;
}

int sl_http_listener_port(const struct sl_http_listener *listener) { return listener->port; }

static void drain(struct sl_http_listener *l) {
    int64_t deadline = sl_clock_ns() + l->options.drain_ns;
    MHD_socket fd = l->library->MHD_quiesce_daemon(l->daemon);
    if (fd != MHD_INVALID_SOCKET) sl_socket_close(fd);
    sl_mutex_lock(&l->mutex);
    l->drains = true;
    while (l->n_requests && sl_condition_wait_until(&l->changed, &l->mutex, deadline)) continue;
    sl_mutex_unlock(&l->mutex);
    l->library->MHD_stop_daemon(l->daemon);
}

void sl_http_listener_free(struct sl_http_listener *l) {
    if (!l) return;
    if (l->daemon) drain(l);
    sl_free(l->certificate);
    sl_free(l->key);
    sl_free(l->authorities);
    sl_condition_clear(&l->changed);
    sl_mutex_clear(&l->mutex);
    sl_free(l);
}

#else
sl_code sl_http_listener_new(struct sl_http_listener **out, const struct sl_http_options *options,
                             struct sl_error *err) {
    (void)out;
    (void)options;
    return sl_fail(err, SL_UNIMPLEMENTED, "HTTP needs libmicrohttpd, which the library was built without");
}
int sl_http_listener_port(const struct sl_http_listener *listener) {
    (void)listener;
    return 0;
}
void sl_http_listener_free(struct sl_http_listener *listener) { (void)listener; }
#endif
