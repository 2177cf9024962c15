#include "unit/dist/fake_net.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "os/mutex.h"
#include "os/task_threads.h"

enum { PATHS = 64, DELAY_NS = 1000000 };

struct fake_net;

struct fake_server {
    struct sl_rpc_server base;
    struct fake_net *net;
    char address[128];
    struct sl_rpc_service services[8];
    size_t n_services;
    size_t n_open;
    struct fake_server *next;
};

struct fake_channel {
    struct sl_rpc_channel base;
    struct fake_net *net;
    char address[128];
};

/* A call: both sides. Freed when neither has it any more. */
struct fake_call {
    struct sl_rpc_call server_side;
    struct fake_net *net;
    struct fake_server *server;     /* while the server has it */
    struct sl_rpc_request *request; /* until `done` is called */
    char address[128], path[128];
    struct sl_rpc_body *message;
    const struct sl_rpc_listener *listener;
    int64_t deadline_ns;
    bool waits_for_ready, is_at_server, has_ended, is_done, is_gone, gone_is_running;
    sl_code gone_code;
    struct fake_call *next; /* of the net: all that live */
};

enum kind { DELIVER, DONE, GONE };
struct event {
    int64_t at;
    uint64_t order;
    enum kind kind;
    struct fake_call *call;
    sl_code code;
    char text[512];
    struct sl_rpc_body *body;
    struct event *next;
};

struct fake_net {
    struct sl_net base;
    struct sl_mutex mutex;
    struct sl_condition changed;
    pthread_t thread;
    bool ends;
    int64_t now;
    uint64_t random, order;
    struct event *events; /* by time */
    struct fake_call *calls;
    struct fake_server *servers;
    struct sl_net_timer *timers; /* linked by state[0]; state[1]: time */
    struct sl_net_timer *due;    /* that is running */
    char cut[8][128], silent[8][128];
    struct {
        char path[128];
        unsigned n;
    } counts[PATHS];
};

static const struct sl_net_methods methods;

static struct fake_net *net_of(struct sl_net *net) { return (struct fake_net *)net; }

/* ---- bodies */

static void free_body(struct sl_rpc_body *body) {
    free((void *)body->bytes.p);
    free(body);
}

static struct sl_rpc_body *flatten(struct sl_rpc_message *m) {
    struct sl_rpc_body *body = calloc(1, sizeof *body);
    char *bytes = malloc(m->size + 1), *at = bytes;
    for (size_t i = 0; i < m->n; i++) {
        if (m->pieces[i].size) memcpy(at, m->pieces[i].data, m->pieces[i].size);
        at += m->pieces[i].size;
    }
    body->bytes = (struct sl_str){bytes, m->size};
    body->free = free_body;
    atomic_store(&body->refs, 1);
    sl_rpc_message_clear(m);
    return body;
}

/* ---- events; with the mutex */

static int64_t delay(struct fake_net *n) {
    n->random = n->random * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)(n->random >> 33) % DELAY_NS;
}

static void post(struct fake_net *n, enum kind kind, struct fake_call *call, sl_code code, const char *text,
                 struct sl_rpc_body *body) {
    struct event *e = calloc(1, sizeof *e), **at = &n->events;
    *e = (struct event){
        .at = n->now + delay(n), .order = n->order++, .kind = kind, .call = call, .code = code, .body = body};
    snprintf(e->text, sizeof e->text, "%s", text ? text : "");
    while (*at && (*at)->at <= e->at) at = &(*at)->next;
    e->next = *at;
    *at = e;
    sl_condition_broadcast(&n->changed);
}

static void release_call(struct fake_net *n, struct fake_call *c) {
    bool is_used = !c->is_done || (c->is_at_server && !c->has_ended) || c->gone_is_running;
    for (struct event *e = n->events; e; e = e->next) is_used |= e->call == c;
    if (is_used) return;
    struct fake_call **at = &n->calls;
    while (*at != c) at = &(*at)->next;
    *at = c->next;
    sl_rpc_body_unref(c->message); /* of one that was never delivered */
    free(c);
}

static bool is_cut(const struct fake_net *n, const char *address) {
    for (int i = 0; i < 8; i++)
        if (!strcmp(n->cut[i], address)) return true;
    return false;
}

static bool is_silent(const struct fake_net *n, const char *address) {
    for (int i = 0; i < 8; i++)
        if (!strcmp(n->silent[i], address)) return true;
    return false;
}

/* The client is told, once. */
static void tell_client(struct fake_net *n, struct event *e) {
    struct fake_call *c = e->call;
    struct sl_rpc_request *request = c->request;
    if (c->is_done) {
        sl_mutex_unlock(&n->mutex);
        sl_rpc_body_unref(e->body);
        sl_mutex_lock(&n->mutex);
        return;
    }
    c->is_done = true;
    c->request = NULL;
    sl_mutex_unlock(&n->mutex);
    request->done(request, e->code, e->text, e->body);
    sl_mutex_lock(&n->mutex);
}

static void tell_server(struct fake_net *n, struct event *e) {
    struct fake_call *c = e->call;
    if (!c->is_at_server || c->has_ended || c->is_gone) return;
    c->is_gone = true;
    c->gone_code = e->code;
    if (!c->listener || !c->listener->gone) return;
    c->gone_is_running = true;
    sl_mutex_unlock(&n->mutex);
    c->listener->gone(&c->server_side, e->code);
    sl_mutex_lock(&n->mutex);
    c->gone_is_running = false;
    sl_condition_broadcast(&n->changed);
}

static struct fake_server *find_server(struct fake_net *n, const char *address) {
    struct fake_server *s = n->servers;
    while (s && strcmp(s->address, address) != 0) s = s->next;
    return s && !is_cut(n, address) ? s : NULL;
}

static void count(struct fake_net *n, const char *path) {
    int i = 0;
    while (n->counts[i].n && strcmp(n->counts[i].path, path) != 0) i++;
    snprintf(n->counts[i].path, sizeof n->counts[i].path, "%s", path);
    n->counts[i].n++;
}

static void deliver(struct fake_net *n, struct fake_call *c) {
    struct fake_server *s = find_server(n, c->address);
    if (c->is_done) { /* cancelled before it came */
        sl_rpc_body_unref(c->message);
        c->message = NULL;
        return;
    }
    if (!s || is_silent(n, c->address)) {
        if (c->waits_for_ready || s) {
            c->is_at_server = false; /* fake_net_cut and serve post it again */
            return;
        }
        sl_rpc_body_unref(c->message);
        c->message = NULL;
        post(n, DONE, c, SL_UNAVAILABLE, "failed to connect to all addresses", NULL);
        return;
    }
    const struct sl_rpc_method *method = NULL;
    void *service = NULL;
    for (size_t k = 0; k < s->n_services && !method; k++)
        for (const struct sl_rpc_method *m = s->services[k].methods; m->path && !method; m++)
            if (!strcmp(m->path, c->path)) {
                method = m;
                service = s->services[k].arg;
            }
    count(n, c->path);
    if (!method) {
        sl_rpc_body_unref(c->message);
        c->message = NULL;
        post(n, DONE, c, SL_UNIMPLEMENTED, "no such method", NULL);
        return;
    }
    c->is_at_server = true;
    c->server = s;
    s->n_open++;
    c->server_side =
        (struct sl_rpc_call){.methods = &methods, .body = c->message, .deadline_ns = c->deadline_ns, .peer = "fake"};
    c->message = NULL;
    sl_mutex_unlock(&n->mutex);
    method->called(service, &c->server_side);
    sl_mutex_lock(&n->mutex);
}

static void deadlines(struct fake_net *n) {
    for (struct fake_call *c = n->calls; c; c = c->next)
        if (c->deadline_ns && c->deadline_ns <= n->now && !c->is_done) {
            c->deadline_ns = 0;
            post(n, GONE, c, SL_DEADLINE_EXCEEDED, "", NULL);
            post(n, DONE, c, SL_DEADLINE_EXCEEDED, "Deadline Exceeded", NULL);
        }
}

static void run_timers(struct fake_net *n) {
    for (struct sl_net_timer **at = &n->timers; *at;) {
        struct sl_net_timer *t = *at;
        if ((int64_t)(intptr_t)t->state[1] > n->now) {
            at = (struct sl_net_timer **)&t->state[0];
            continue;
        }
        *at = t->state[0];
        t->state[2] = NULL;
        n->due = t;
        sl_mutex_unlock(&n->mutex);
        t->due(t);
        sl_mutex_lock(&n->mutex);
        n->due = NULL;
        sl_condition_broadcast(&n->changed);
        at = &n->timers;
    }
}

static void *loop(void *arg) {
    struct fake_net *n = arg;
    sl_mutex_lock(&n->mutex);
    while (!n->ends) {
        deadlines(n);
        run_timers(n);
        struct event *e = n->events;
        if (!e) {
            sl_condition_wait(&n->changed, &n->mutex);
            continue;
        }
        n->events = e->next;
        if (e->at > n->now) n->now = e->at;
        if (e->kind == DELIVER) deliver(n, e->call);
        else if (e->kind == DONE) tell_client(n, e);
        else tell_server(n, e);
        release_call(n, e->call);
        free(e);
    }
    sl_mutex_unlock(&n->mutex);
    return NULL;
}

/* ---- the client's side */

static sl_code dial(struct sl_rpc_channel **out, struct sl_net *net, const char *address, unsigned lane,
                    const struct sl_rpc_tls *tls, struct sl_error *err) {
    struct fake_channel *channel = calloc(1, sizeof *channel);
    (void)lane;
    (void)tls;
    (void)err;
    channel->base.methods = &methods;
    channel->net = net_of(net);
    snprintf(channel->address, sizeof channel->address, "%s", address);
    *out = &channel->base;
    return SL_OK;
}

static void hang_up(struct sl_rpc_channel *channel) { free(channel); }

static void start_call(struct sl_rpc_channel *channel, struct sl_rpc_request *request) {
    struct fake_channel *ch = (struct fake_channel *)channel;
    struct fake_net *n = ch->net;
    struct fake_call *c = calloc(1, sizeof *c);
    c->net = n;
    c->request = request;
    c->deadline_ns = request->deadline_ns;
    c->waits_for_ready = request->waits_for_ready;
    snprintf(c->address, sizeof c->address, "%s", ch->address);
    snprintf(c->path, sizeof c->path, "%.*s", SL_STR_ARG(request->path));
    c->message = flatten(&request->message);
    request->call = c;
    sl_mutex_lock(&n->mutex);
    c->next = n->calls;
    n->calls = c;
    post(n, DELIVER, c, SL_OK, NULL, NULL);
    sl_mutex_unlock(&n->mutex);
}

static void cancel(struct sl_rpc_channel *channel, struct sl_rpc_request *request) {
    struct fake_net *n = ((struct fake_channel *)channel)->net;
    sl_mutex_lock(&n->mutex);
    for (struct fake_call *c = n->calls; c; c = c->next)
        if (c->request == request && !c->is_done) {
            post(n, DONE, c, SL_CANCELLED, "CANCELLED", NULL);
            post(n, GONE, c, SL_CANCELLED, "", NULL);
        }
    sl_mutex_unlock(&n->mutex);
}

/* ---- the server's side */

static void deliver_waiting(struct fake_net *n, const char *address) {
    for (struct fake_call *c = n->calls; c; c = c->next) {
        bool is_posted = false;
        for (struct event *e = n->events; e; e = e->next) is_posted |= e->call == c && e->kind == DELIVER;
        if (!is_posted && !c->is_at_server && !c->is_done && c->message && !strcmp(c->address, address))
            post(n, DELIVER, c, SL_OK, NULL, NULL);
    }
}

static sl_code serve(struct sl_rpc_server **out, struct sl_net *net, const struct sl_rpc_serving *how,
                     struct sl_error *err) {
    struct fake_net *n = net_of(net);
    struct fake_server *s = calloc(1, sizeof *s);
    (void)err;
    s->base.methods = &methods;
    s->net = n;
    snprintf(s->address, sizeof s->address, "%s", how->address);
    memcpy(s->services, how->services, how->n_services * sizeof *how->services);
    s->n_services = how->n_services;
    sl_mutex_lock(&n->mutex);
    s->next = n->servers;
    n->servers = s;
    deliver_waiting(n, s->address);
    sl_mutex_unlock(&n->mutex);
    *out = &s->base;
    return SL_OK;
}

static int port(const struct sl_rpc_server *server) {
    const char *colon = strrchr(((const struct fake_server *)server)->address, ':');
    return colon ? atoi(colon + 1) : 0;
}

static void drain(struct sl_rpc_server *server) { (void)server; }

static void stop(struct sl_rpc_server *server) {
    struct fake_server *s = (struct fake_server *)server, **at;
    struct fake_net *n = s->net;
    sl_mutex_lock(&n->mutex);
    for (at = &n->servers; *at != s;) at = &(*at)->next;
    *at = s->next;
    for (struct fake_call *c = n->calls; c; c = c->next)
        if (c->server == s && !c->has_ended) {
            post(n, GONE, c, SL_UNAVAILABLE, "", NULL);
            post(n, DONE, c, SL_UNAVAILABLE, "Socket closed", NULL);
        }
    while (s->n_open) sl_condition_wait(&n->changed, &n->mutex);
    sl_mutex_unlock(&n->mutex);
    free(s);
}

static void listen_to(struct sl_rpc_call *call, const struct sl_rpc_listener *listener) {
    struct fake_call *c = (struct fake_call *)call;
    struct fake_net *n = c->net;
    sl_mutex_lock(&n->mutex);
    c->listener = listener;
    bool is_gone = c->is_gone;
    sl_mutex_unlock(&n->mutex);
    if (is_gone && listener->gone) listener->gone(call, c->gone_code);
}

static void send_message(struct sl_rpc_call *call, struct sl_rpc_message *message) {
    (void)call;
    sl_rpc_message_clear(message);
}

static void pause_call(struct sl_rpc_call *call, bool is_paused) { (void)call, (void)is_paused; }

static void end_call(struct sl_rpc_call *call, sl_code code, const char *text, struct sl_rpc_message *message) {
    struct fake_call *c = (struct fake_call *)call;
    struct fake_net *n = c->net;
    struct sl_rpc_body *body = NULL, *request = call->body;
    if (code == SL_OK) {
        struct sl_rpc_message none = {.n = 0};
        body = flatten(message ? message : &none);
    }
    sl_mutex_lock(&n->mutex);
    while (c->gone_is_running) sl_condition_wait(&n->changed, &n->mutex);
    c->has_ended = true;
    c->server->n_open--;
    c->server = NULL;
    if (is_cut(n, c->address)) post(n, DONE, c, SL_UNAVAILABLE, "Socket closed", body);
    else post(n, DONE, c, code, text, body);
    sl_condition_broadcast(&n->changed);
    sl_mutex_unlock(&n->mutex);
    sl_rpc_body_unref(request);
}

/* ---- time */

static int64_t now(struct sl_net *net) {
    sl_mutex_lock(&net_of(net)->mutex);
    int64_t t = net_of(net)->now;
    sl_mutex_unlock(&net_of(net)->mutex);
    return t;
}

static void unlink_timer(struct fake_net *n, struct sl_net_timer *timer) {
    for (struct sl_net_timer **at = &n->timers; *at; at = (struct sl_net_timer **)&(*at)->state[0])
        if (*at == timer) {
            *at = timer->state[0];
            return;
        }
}

static void set_timer(struct sl_net *net, struct sl_net_timer *timer, int64_t at_ns) {
    struct fake_net *n = net_of(net);
    sl_mutex_lock(&n->mutex);
    unlink_timer(n, timer);
    timer->state[0] = n->timers;
    timer->state[1] = (void *)(intptr_t)at_ns;
    timer->state[2] = timer;
    n->timers = timer;
    sl_condition_broadcast(&n->changed);
    sl_mutex_unlock(&n->mutex);
}

static void cancel_timer(struct sl_net *net, struct sl_net_timer *timer) {
    struct fake_net *n = net_of(net);
    sl_mutex_lock(&n->mutex);
    unlink_timer(n, timer);
    while (n->due == timer) sl_condition_wait(&n->changed, &n->mutex);
    sl_mutex_unlock(&n->mutex);
}

void fake_net_advance(struct sl_net *net, int64_t ns) {
    sl_mutex_lock(&net_of(net)->mutex);
    net_of(net)->now += ns;
    sl_condition_broadcast(&net_of(net)->changed);
    sl_mutex_unlock(&net_of(net)->mutex);
}

void fake_net_cut(struct sl_net *net, const char *address, bool cuts) {
    struct fake_net *n = net_of(net);
    sl_mutex_lock(&n->mutex);
    for (int i = 0; i < 8; i++)
        if (cuts ? !n->cut[i][0] : !strcmp(n->cut[i], address)) {
            snprintf(n->cut[i], sizeof n->cut[i], "%s", cuts ? address : "");
            break;
        }
    for (struct fake_call *c = n->calls; c && cuts; c = c->next)
        if (!strcmp(c->address, address) && c->is_at_server) {
            post(n, GONE, c, SL_UNAVAILABLE, "", NULL);
            post(n, DONE, c, SL_UNAVAILABLE, "Socket closed", NULL);
        }
    if (!cuts) deliver_waiting(n, address);
    sl_mutex_unlock(&n->mutex);
}

void fake_net_silence(struct sl_net *net, const char *address, bool silences) {
    struct fake_net *n = net_of(net);
    sl_mutex_lock(&n->mutex);
    for (int i = 0; i < 8; i++)
        if (silences ? !n->silent[i][0] : !strcmp(n->silent[i], address)) {
            snprintf(n->silent[i], sizeof n->silent[i], "%s", silences ? address : "");
            break;
        }
    if (!silences) deliver_waiting(n, address);
    sl_mutex_unlock(&n->mutex);
}

unsigned fake_net_count(struct sl_net *net, const char *path) {
    struct fake_net *n = net_of(net);
    unsigned found = 0;
    sl_mutex_lock(&n->mutex);
    for (int i = 0; i < PATHS; i++)
        if (!strcmp(n->counts[i].path, path)) found = n->counts[i].n;
    sl_mutex_unlock(&n->mutex);
    return found;
}

static void run_task(void *arg) {
    struct sl_net_task *task = arg;
    task->run(task);
}

/* Every other time, on another thread: as the net's own would be none of the net's meanwhile. */
static bool run_here(struct sl_net *net, struct sl_net_task *task) {
    struct fake_net *n = net_of(net);
    sl_mutex_lock(&n->mutex);
    const bool is_now = delay(n) % 2;
    sl_mutex_unlock(&n->mutex);
    if (is_now) sl_task_threads_run(run_task, task);
    return is_now;
}

static void free_net(struct sl_net *net) {
    struct fake_net *n = net_of(net);
    sl_mutex_lock(&n->mutex);
    while (n->events) sl_mutex_unlock(&n->mutex), sched_yield(), sl_mutex_lock(&n->mutex);
    n->ends = true;
    sl_condition_broadcast(&n->changed);
    sl_mutex_unlock(&n->mutex);
    pthread_join(n->thread, NULL);
    for (struct fake_call *c = n->calls, *next; c; c = next) {
        next = c->next;
        sl_rpc_body_unref(c->message);
        free(c);
    }
    free(n);
}

static const struct sl_net_methods methods = {free_net, dial,  hang_up,   start_call,   cancel,       serve,
                                              port,     drain, stop,      listen_to,    send_message, pause_call,
                                              end_call, now,   set_timer, cancel_timer, NULL,         run_here};

struct sl_net *fake_net_new(uint64_t seed) {
    struct fake_net *n = calloc(1, sizeof *n);
    n->base.methods = &methods;
    n->random = seed;
    n->now = 1000000000;
    sl_mutex_init(&n->mutex);
    sl_condition_init(&n->changed);
    pthread_create(&n->thread, NULL, loop, n);
    return &n->base;
}

/* ---- a call of a test */

struct waiting {
    struct sl_rpc_request request;
    struct fake_answer answer;
    struct sl_mutex mutex;
    struct sl_condition come;
    bool is_come;
};

static void answered(struct sl_rpc_request *request, sl_code code, const char *text, struct sl_rpc_body *body) {
    struct waiting *w = request->arg;
    sl_mutex_lock(&w->mutex);
    w->answer.code = code;
    w->answer.body = body;
    snprintf(w->answer.text, sizeof w->answer.text, "%s", text);
    w->is_come = true;
    sl_condition_signal(&w->come);
    sl_mutex_unlock(&w->mutex);
}

struct fake_answer fake_net_call(struct sl_net *net, const char *address, const char *path,
                                 struct sl_rpc_message *message) {
    struct waiting w = {.mutex = SL_MUTEX_INIT, .come = SL_CONDITION_INIT};
    struct sl_rpc_channel *channel;
    dial(&channel, net, address, 0, NULL, NULL);
    w.request = (struct sl_rpc_request){.path = sl_str_of(path), .message = *message, .done = answered, .arg = &w};
    *message = (struct sl_rpc_message){.n = 0};
    sl_rpc_channel_call(channel, &w.request);
    sl_mutex_lock(&w.mutex);
    while (!w.is_come) sl_condition_wait(&w.come, &w.mutex);
    sl_mutex_unlock(&w.mutex);
    hang_up(channel);
    return w.answer;
}
