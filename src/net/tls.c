/* TLS by OpenSSL: its sockets are ours (no SIGPIPE, faults for tests), its certificates files. */
#include "net/tls.h"

#if !SL_HAVE_OPENSSL
sl_code sl_tls_context_new(struct sl_tls_context **out, const struct sl_rpc_tls *tls, bool is_server,
                           struct sl_error *err) {
    (void)out;
    (void)tls;
    (void)is_server;
    return sl_fail(err, SL_UNIMPLEMENTED, "built without OpenSSL: no TLS");
}
void sl_tls_context_free(struct sl_tls_context *context) { (void)context; }
sl_code sl_tls_new(struct sl_tls **out, const struct sl_tls_context *context, int fd, const char *host,
                   struct sl_error *err) {
    (void)context;
    (void)fd;
    (void)host;
    *out = NULL;
    return sl_fail(err, SL_UNIMPLEMENTED, "built without OpenSSL: no TLS");
}
void sl_tls_free(struct sl_tls *tls) { (void)tls; }
sl_code sl_tls_read(ptrdiff_t *n, struct sl_tls *tls, void *data, size_t size, struct sl_error *err) {
    (void)n;
    (void)tls;
    (void)data;
    (void)size;
    return sl_fail(err, SL_UNIMPLEMENTED, "no TLS");
}
sl_code sl_tls_write(ptrdiff_t *n, struct sl_tls *tls, const struct sl_socket_piece *pieces, int n_pieces,
                     struct sl_error *err) {
    (void)n;
    (void)tls;
    (void)pieces;
    (void)n_pieces;
    return sl_fail(err, SL_UNIMPLEMENTED, "no TLS");
}
bool sl_tls_wants_room(const struct sl_tls *tls) {
    (void)tls;
    return false;
}
#else
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "net/openssl_library.h"
#include "os/once.h"

struct sl_tls_context {
    const struct sl_openssl_library *lib;
    SSL_CTX *ctx;
    const BIO_METHOD *sockets;
    bool is_server;
};

struct sl_tls {
    const struct sl_openssl_library *lib;
    SSL *ssl;
    int fd;
    bool wants_room, is_open;
    struct sl_error why; /* the socket failed */
};

/* ---- errors */

static sl_code fail_ssl(struct sl_error *err, sl_code code, const struct sl_openssl_library *lib, const char *what) {
    char text[256] = "no reason given";
    unsigned long number = lib->ERR_get_error();
    if (number) lib->ERR_error_string_n(number, text, sizeof text);
    lib->ERR_clear_error();
    return sl_fail(err, code, "%s: %s", what, text);
}

static sl_code fail_file(struct sl_error *err, const struct sl_openssl_library *lib, const char *path) {
    return fail_ssl(err, SL_INVALID_ARGUMENT, lib, path);
}

/* ---- OpenSSL's idea of a socket */

static int finish_bio(BIO *bio, int flag, sl_code code, ptrdiff_t n) {
    struct sl_tls *tls;
    const struct sl_openssl_library *lib;
    sl_openssl_library(&lib, NULL);
    tls = lib->BIO_get_data(bio);
    lib->BIO_clear_flags(bio, BIO_FLAGS_RWS | BIO_FLAGS_SHOULD_RETRY);
    if (code != SL_OK) return -1;
    if (n != SL_SOCKET_WAIT) return (int)n;
    lib->BIO_set_flags(bio, flag | BIO_FLAGS_SHOULD_RETRY);
    if (flag == BIO_FLAGS_WRITE) tls->wants_room = true;
    return -1;
}

static struct sl_tls *tls_of(BIO *bio) {
    const struct sl_openssl_library *lib;
    sl_openssl_library(&lib, NULL);
    return lib->BIO_get_data(bio);
}

static int read_bio(BIO *bio, char *data, int size) {
    struct sl_tls *tls = tls_of(bio);
    ptrdiff_t n;
    sl_code code = sl_socket_read(&n, tls->fd, data, (size_t)size, &tls->why);
    return finish_bio(bio, BIO_FLAGS_READ, code, n);
}

static int write_bio(BIO *bio, const char *data, int size) {
    struct sl_tls *tls = tls_of(bio);
    struct sl_socket_piece piece = {data, (size_t)size};
    ptrdiff_t n;
    sl_code code = sl_socket_write(&n, tls->fd, &piece, 1, &tls->why);
    return finish_bio(bio, BIO_FLAGS_WRITE, code, n);
}

static long control_bio(BIO *bio, int what, long number, void *pointer) {
    (void)bio;
    (void)number;
    (void)pointer;
    return what == BIO_CTRL_FLUSH;
}

/* One for all, as long as the process: connections may last longer than their context. */
static sl_code make_sockets(void *arg, struct sl_error *err) {
    BIO_METHOD **sockets = arg;
    const struct sl_openssl_library *lib;
    SL_TRY(sl_openssl_library(&lib, err));
    *sockets = lib->BIO_meth_new(BIO_TYPE_SOURCE_SINK, "sluice");
    if (!*sockets) return fail_ssl(err, SL_RESOURCE_EXHAUSTED, lib, "TLS");
    lib->BIO_meth_set_read(*sockets, read_bio);
    lib->BIO_meth_set_write(*sockets, write_bio);
    lib->BIO_meth_set_ctrl(*sockets, control_bio);
    return SL_OK;
}

/* ---- contexts */

static const unsigned char protocols[] = {2, 'h', '2'};

static int select_protocol(SSL *ssl, const unsigned char **out, unsigned char *n, const unsigned char *offered,
                           unsigned n_offered, void *arg) {
    const struct sl_openssl_library *lib = arg;
    unsigned char *chosen;
    (void)ssl;
    if (lib->SSL_select_next_proto(&chosen, n, protocols, sizeof protocols, offered, n_offered) !=
        OPENSSL_NPN_NEGOTIATED)
        return SSL_TLSEXT_ERR_ALERT_FATAL;
    *out = chosen;
    return SSL_TLSEXT_ERR_OK;
}

static sl_code take_files(struct sl_tls_context *c, const struct sl_rpc_tls *tls, struct sl_error *err) {
    const struct sl_openssl_library *lib = c->lib;
    if (c->is_server && (!tls->certificate || !tls->key))
        return sl_fail(err, SL_INVALID_ARGUMENT, "a server with TLS needs a certificate and a key");
    if (!tls->certificate != !tls->key)
        return sl_fail(err, SL_INVALID_ARGUMENT, "a certificate and its key go together");
    if (tls->certificate) {
        if (lib->SSL_CTX_use_certificate_chain_file(c->ctx, tls->certificate) != 1)
            return fail_file(err, lib, tls->certificate);
        if (lib->SSL_CTX_use_PrivateKey_file(c->ctx, tls->key, SSL_FILETYPE_PEM) != 1)
            return fail_file(err, lib, tls->key);
        if (lib->SSL_CTX_check_private_key(c->ctx) != 1) return fail_file(err, lib, tls->key);
    }
    if (tls->authorities) {
        if (lib->SSL_CTX_load_verify_locations(c->ctx, tls->authorities, NULL) != 1)
            return fail_file(err, lib, tls->authorities);
        if (c->is_server) lib->SSL_CTX_set_client_CA_list(c->ctx, lib->SSL_load_client_CA_file(tls->authorities));
    } else if (!c->is_server) {
        lib->SSL_CTX_set_default_verify_paths(c->ctx);
    }
    return SL_OK;
}

static sl_code make(struct sl_tls_context *c, const struct sl_rpc_tls *tls, struct sl_error *err) {
    const struct sl_openssl_library *lib = c->lib;
    static BIO_METHOD *sockets;
    static struct sl_once once = SL_ONCE_INIT;
    SL_TRY(sl_once_run(&once, make_sockets, &sockets, err));
    c->sockets = sockets;
    c->ctx = lib->SSL_CTX_new(c->is_server ? lib->TLS_server_method() : lib->TLS_client_method());
    if (!c->ctx) return fail_ssl(err, SL_RESOURCE_EXHAUSTED, lib, "a TLS context");
    lib->SSL_CTX_ctrl(c->ctx, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_2_VERSION, NULL);
    lib->SSL_CTX_ctrl(c->ctx, SSL_CTRL_MODE, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER, NULL);
    lib->SSL_CTX_set_options(c->ctx, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_IGNORE_UNEXPECTED_EOF);
    if (c->is_server) lib->SSL_CTX_set_alpn_select_cb(c->ctx, select_protocol, (void *)(uintptr_t)lib);
    else lib->SSL_CTX_set_alpn_protos(c->ctx, protocols, sizeof protocols);
    bool asks = !c->is_server || tls->authorities;
    int verify = asks ? SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT : SSL_VERIFY_NONE;
    lib->SSL_CTX_set_verify(c->ctx, verify, NULL);
    return take_files(c, tls, err);
}

sl_code sl_tls_context_new(struct sl_tls_context **out, const struct sl_rpc_tls *tls, bool is_server,
                           struct sl_error *err) {
    const struct sl_openssl_library *lib;
    SL_TRY(sl_openssl_library(&lib, err));
    struct sl_tls_context *c = sl_calloc(1, sizeof *c);
    if (!c) return sl_fail_memory(err, sizeof *c);
    c->lib = lib;
    c->is_server = is_server;
    sl_code code = make(c, tls, err);
    if (code == SL_OK) *out = c;
    else sl_tls_context_free(c);
    return code;
}

void sl_tls_context_free(struct sl_tls_context *c) {
    if (!c) return;
    c->lib->SSL_CTX_free(c->ctx);
    sl_free(c);
}

/* ---- connections */

static bool is_number(const char *host) { return strchr(host, ':') || strspn(host, "0123456789.") == strlen(host); }

static sl_code prepare(struct sl_tls *tls, const struct sl_tls_context *context, const char *host,
                       struct sl_error *err) {
    const struct sl_openssl_library *lib = tls->lib;
    tls->ssl = lib->SSL_new(context->ctx);
    BIO *bio = tls->ssl ? lib->BIO_new(context->sockets) : NULL;
    if (!bio) return fail_ssl(err, SL_RESOURCE_EXHAUSTED, lib, "a TLS connection");
    lib->BIO_set_data(bio, tls);
    lib->BIO_set_init(bio, 1);
    lib->SSL_set_bio(tls->ssl, bio, bio);
    if (context->is_server) {
        lib->SSL_set_accept_state(tls->ssl);
        return SL_OK;
    }
    lib->SSL_set_connect_state(tls->ssl);
    int is_set = is_number(host) ? lib->X509_VERIFY_PARAM_set1_ip_asc(lib->SSL_get0_param(tls->ssl), host)
                                 : lib->SSL_set1_host(tls->ssl, host);
    if (!is_number(host))
        lib->SSL_ctrl(tls->ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, (void *)(uintptr_t)host);
    return is_set ? SL_OK : fail_ssl(err, SL_INVALID_ARGUMENT, lib, host);
}

sl_code sl_tls_new(struct sl_tls **out, const struct sl_tls_context *context, int fd, const char *host,
                   struct sl_error *err) {
    struct sl_tls *tls = sl_calloc(1, sizeof *tls);
    if (!tls) return sl_fail_memory(err, sizeof *tls);
    tls->lib = context->lib;
    tls->fd = fd;
    sl_code code = prepare(tls, context, host, err);
    if (code == SL_OK) *out = tls;
    else sl_tls_free(tls);
    return code;
}

void sl_tls_free(struct sl_tls *tls) {
    if (!tls) return;
    tls->lib->SSL_free(tls->ssl);
    sl_free(tls);
}

/* The other side has to speak HTTP/2, too. */
static sl_code check_protocol(struct sl_tls *tls, struct sl_error *err) {
    const unsigned char *chosen;
    unsigned n;
    if (tls->is_open || !tls->lib->SSL_is_init_finished(tls->ssl)) return SL_OK;
    tls->lib->SSL_get0_alpn_selected(tls->ssl, &chosen, &n);
    if (n != 2 || memcmp(chosen, "h2", 2) != 0)
        return sl_fail(err, SL_UNAVAILABLE, "TLS: the peer does not offer HTTP/2 (ALPN h2)");
    tls->is_open = true;
    return SL_OK;
}

/* What a call of OpenSSL that gave nothing has come to. */
static sl_code explain(ptrdiff_t *n, struct sl_tls *tls, int rc, struct sl_error *err) {
    const struct sl_openssl_library *lib = tls->lib;
    char text[128] = "TLS";
    *n = SL_SOCKET_WAIT;
    switch (lib->SSL_get_error(tls->ssl, rc)) {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE: return check_protocol(tls, err);
    case SSL_ERROR_ZERO_RETURN: *n = SL_SOCKET_END; return SL_OK;
    case SSL_ERROR_SYSCALL:
        if (tls->why.code != SL_OK) return sl_fail(err, tls->why.code, "%s", tls->why.message);
        *n = SL_SOCKET_END;
        return SL_OK;
    default: break;
    }
    long verdict = lib->SSL_get_verify_result(tls->ssl);
    if (verdict != X509_V_OK) snprintf(text, sizeof text, "TLS: %s", lib->X509_verify_cert_error_string(verdict));
    return fail_ssl(err, SL_UNAVAILABLE, lib, text);
}

sl_code sl_tls_read(ptrdiff_t *n, struct sl_tls *tls, void *data, size_t size, struct sl_error *err) {
    size_t got;
    tls->wants_room = false;
    tls->lib->ERR_clear_error();
    int rc = tls->lib->SSL_read_ex(tls->ssl, data, size, &got);
    if (rc != 1) return explain(n, tls, rc, err);
    *n = (ptrdiff_t)got;
    return check_protocol(tls, err);
}

sl_code sl_tls_write(ptrdiff_t *n, struct sl_tls *tls, const struct sl_socket_piece *pieces, int n_pieces,
                     struct sl_error *err) {
    size_t all = 0, put = 0;
    tls->wants_room = false;
    for (int i = 0; i < n_pieces; i++) {
        for (size_t at = 0; at < pieces[i].size; at += put, all += put) {
            tls->lib->ERR_clear_error();
            int rc = tls->lib->SSL_write_ex(tls->ssl, (const char *)pieces[i].data + at, pieces[i].size - at, &put);
            if (rc == 1) continue;
            SL_TRY(explain(n, tls, rc, err));
            if (all) *n = (ptrdiff_t)all;
            return SL_OK;
        }
    }
    *n = (ptrdiff_t)all;
    return check_protocol(tls, err);
}

bool sl_tls_wants_room(const struct sl_tls *tls) { return tls->wants_room; }
#endif
