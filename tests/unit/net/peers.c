/* The server and the clients of the tests. */
#include "unit/net/peers.h"

#include <stdio.h>
#include <stdlib.h>

#include "os/clock.h"
#include "os/task_threads.h"

static const int64_t patience_ns = INT64_C(60000000000);

/* ---- requests */

static void asked_done(struct sl_rpc_request *request, sl_code code, const char *text, struct sl_rpc_body *body) {
    struct asked *a = request->arg;
    sl_mutex_lock(&a->mutex);
    a->code = code;
    snprintf(a->text, sizeof a->text, "%s", text);
    a->body = body;
    assert_false(a->is_done);
    a->is_done = true;
    sl_condition_broadcast(&a->changed);
    sl_mutex_unlock(&a->mutex);
}

void asked_init(struct asked *a, const char *path, const void *data, size_t size) {
    memset(a, 0, sizeof *a);
    sl_mutex_init(&a->mutex);
    sl_condition_init(&a->changed);
    a->request.path = sl_str_of(path);
    a->request.done = asked_done;
    a->request.arg = a;
    struct sl_rpc_piece piece = {data, size, NULL, NULL};
    assert_int_equal(sl_rpc_message_add(&a->request.message, piece, NULL), SL_OK);
}

void asked_wait(struct asked *a) {
    int64_t most = sl_clock_ns() + patience_ns;
    sl_mutex_lock(&a->mutex);
    while (!a->is_done) {
        if (sl_condition_wait_until(&a->changed, &a->mutex, most)) continue;
        sl_mutex_unlock(&a->mutex);
        fail_msg("%.*s: no answer in a minute", SL_STR_ARG(a->request.path));
    }
    sl_mutex_unlock(&a->mutex);
}

void asked_clear(struct asked *a) {
    sl_rpc_body_unref(a->body);
    sl_mutex_clear(&a->mutex);
    sl_condition_clear(&a->changed);
}

sl_code ask(struct asked *a, struct sl_rpc_channel *channel, const char *path, const void *data, size_t size) {
    asked_init(a, path, data, size);
    sl_rpc_channel_call(channel, &a->request);
    asked_wait(a);
    return a->code;
}

/* ---- methods */

static void unref_body(void *body) { sl_rpc_body_unref(body); }

/* The answer keeps the memory of the message. */
static void echo(void *service, struct sl_rpc_call *call) {
    struct sl_rpc_message m = {0};
    struct sl_rpc_body *body = sl_rpc_body_ref(call->body);
    struct peers *p = service;
    sl_mutex_lock(&p->mutex);
    p->n_called++;
    sl_mutex_unlock(&p->mutex);
    sl_rpc_message_add(&m, (struct sl_rpc_piece){body->bytes.p, body->bytes.n, unref_body, body}, NULL);
    sl_rpc_call_answer(call, &m);
}

static void echo_now(void *arg) {
    struct sl_rpc_call *call = arg;
    echo(call->arg, call);
}

static void echo_later(void *service, struct sl_rpc_call *call) {
    call->arg = service;
    sl_task_threads_run(echo_now, call);
}

static void fail_call(void *service, struct sl_rpc_call *call) {
    (void)service;
    char text[8192];
    struct sl_str bytes = call->body->bytes;
    snprintf(text, sizeof text, "%.*s", (int)bytes.n - 1, bytes.p + 1);
    sl_rpc_call_fail(call, (sl_code)bytes.p[0], text);
}

static void send_size(void *service, struct sl_rpc_call *call) {
    (void)service;
    uint32_t size;
    memcpy(&size, call->body->bytes.p, 4);
    unsigned char *data = malloc(size);
    for (uint32_t i = 0; i < size; i++) data[i] = (unsigned char)(i * 7 + i / 251);
    struct sl_rpc_message m = {0};
    sl_rpc_message_add(&m, (struct sl_rpc_piece){data, size, free, data}, NULL);
    sl_rpc_call_answer(call, &m);
}

static void sum(void *service, struct sl_rpc_call *call) {
    (void)service;
    uint64_t out[2] = {0, call->body->bytes.n};
    for (size_t i = 0; i < call->body->bytes.n; i++) out[0] += (unsigned char)call->body->bytes.p[i];
    struct sl_rpc_message m = {0};
    sl_rpc_message_add_bytes(&m, (struct sl_str){(const char *)out, sizeof out}, NULL);
    sl_rpc_call_answer(call, &m);
}

static void answer_held(struct sl_rpc_call *call) {
    struct sl_rpc_message m = {0};
    sl_rpc_message_add_bytes(&m, SL_STR("held"), NULL);
    sl_rpc_call_answer(call, &m);
}

static void held_gone(struct sl_rpc_call *call, sl_code code) {
    struct peers *p = call->arg;
    sl_mutex_lock(&p->mutex);
    p->n_gone++;
    p->gone_code = code;
    sl_condition_broadcast(&p->changed);
    sl_mutex_unlock(&p->mutex);
}
static const struct sl_rpc_listener held_listener = {.gone = held_gone};

static void hold(void *service, struct sl_rpc_call *call) {
    struct peers *p = service;
    call->arg = p;
    sl_rpc_call_listen(call, &held_listener);
    sl_mutex_lock(&p->mutex);
    bool is_kept = !p->is_released;
    if (is_kept) p->held[p->n_held++] = call;
    sl_condition_broadcast(&p->changed);
    sl_mutex_unlock(&p->mutex);
    if (!is_kept) answer_held(call);
}

static void talk_message(struct sl_rpc_call *call, struct sl_rpc_body *body) {
    struct sl_rpc_message m = {0};
    if (!body) {
        sl_rpc_call_answer(call, NULL);
        return;
    }
    sl_rpc_message_add_bytes(&m, body->bytes, NULL);
    sl_rpc_body_unref(body);
    sl_rpc_call_send(call, &m);
}

static void talk_gone(struct sl_rpc_call *call, sl_code code) {
    struct peers *p = call->arg;
    sl_mutex_lock(&p->mutex);
    p->n_gone++;
    p->gone_code = code;
    p->held[p->n_held++] = call; /* to be ended */
    sl_condition_broadcast(&p->changed);
    sl_mutex_unlock(&p->mutex);
}
static const struct sl_rpc_listener talk_listener = {.gone = talk_gone, .message = talk_message};

static void talk(void *service, struct sl_rpc_call *call) {
    call->arg = service;
    sl_rpc_call_listen(call, &talk_listener);
}

static const struct sl_rpc_method methods[] = {
    {"/test/Echo", false, echo},        {"/test/Fail", false, fail_call},
    {"/test/Hold", false, hold},        {"/test/Size", false, send_size},
    {"/test/Sum", false, sum},          {"/test/Talk", true, talk},
    {"/test/Later", false, echo_later}, {0},
};

/* ---- a server */

void peers_serve(struct peers *p, const char *address, const struct sl_rpc_limits *limits,
                 const struct sl_rpc_tls *tls) {
    struct sl_error err;
    p->service = (struct sl_rpc_service){methods, p};
    struct sl_rpc_serving serving = {.address = address, .services = &p->service, .n_services = 1};
    if (limits) serving.limits = *limits;
    if (tls) serving.tls = *tls;
    assert_ok(err, sl_net_serve(&p->server, p->net, &serving, &err));
    int port = sl_rpc_server_port(p->server);
    if (port) snprintf(p->address, sizeof p->address, "127.0.0.1:%d", port);
    else snprintf(p->address, sizeof p->address, "%s", address);
}

void peers_begin(struct peers *p, const char *address, const struct sl_rpc_limits *limits,
                 const struct sl_rpc_tls *server_tls, const struct sl_rpc_tls *client_tls) {
    struct sl_error err;
    memset(p, 0, sizeof *p);
    sl_mutex_init(&p->mutex);
    sl_condition_init(&p->changed);
    assert_ok(err, sl_http2_net_new(&p->net, &err));
    peers_serve(p, address, limits, server_tls);
    assert_ok(err, sl_net_dial(&p->channel, p->net, p->address, client_tls, &err));
}

void peers_end(struct peers *p) {
    peers_release(p);
    sl_rpc_channel_free(p->channel);
    sl_rpc_server_free(p->server);
    sl_net_free(p->net);
    sl_mutex_clear(&p->mutex);
    sl_condition_clear(&p->changed);
}

static void wait_for(struct peers *p, const int *count, int n) {
    int64_t most = sl_clock_ns() + patience_ns;
    sl_mutex_lock(&p->mutex);
    while (*count < n) {
        if (sl_condition_wait_until(&p->changed, &p->mutex, most)) continue;
        int got = *count;
        sl_mutex_unlock(&p->mutex);
        fail_msg("only %d of %d calls in a minute", got, n);
    }
    sl_mutex_unlock(&p->mutex);
}

void peers_wait_held(struct peers *p, int n) { wait_for(p, &p->n_held, n); }
void peers_wait_gone(struct peers *p, int n) { wait_for(p, &p->n_gone, n); }

void peers_release(struct peers *p) {
    sl_mutex_lock(&p->mutex);
    p->is_released = true;
    while (p->n_held) {
        struct sl_rpc_call *call = p->held[--p->n_held];
        sl_mutex_unlock(&p->mutex);
        answer_held(call);
        sl_mutex_lock(&p->mutex);
    }
    sl_mutex_unlock(&p->mutex);
}
