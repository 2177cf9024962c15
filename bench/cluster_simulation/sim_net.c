#include "cluster_simulation/sim_net.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "os/bounded_threads.h"
#include "os/mutex.h"

enum { SERVICES = 8, CORES_MOST = 64 };

struct sim_task {
    struct sl_net base;
    struct sim *sim;
    int number;
    bool is_dead, serves;
    struct sl_rpc_service services[SERVICES];
    size_t n_services;
    double egress, ingress; /* when the link is free */
    int64_t bytes;
};
struct sim_host {
    double cores[CORES_MOST]; /* when each is free */
    double busy;
};
struct sim_channel {
    struct sl_rpc_channel base;
    struct sim_task *from;
    int to;
};
struct sim_call {
    struct sl_rpc_call server_side;
    struct sim_task *from, *to;
    struct sl_rpc_request *request; /* until the client has been told */
    const struct sl_rpc_method *method;
    void *service;
    struct sl_rpc_body *message;
    const struct sl_rpc_listener *listener;
    bool is_at_server, has_ended, is_gone;
    sl_code gone_code;
    int events;
    struct sim_call *next, **at; /* of all that live */
};

enum kind { ARRIVES, CALLED, RETURNS, TOLD, GONE, RUNS, TIMER };
struct event {
    double at;
    uint64_t order;
    enum kind kind;
    struct sim_call *call;
    struct sim_task *task;
    sl_code code;
    char *text;
    struct sl_rpc_body *body;
    void (*fn)(void *arg);
    void *arg;
    struct sl_net_timer *timer;
    uint64_t timer_order;
    bool is_urgent;
};

struct sim {
    struct sim_machine machine;
    int n;
    struct sim_task *tasks;
    struct sim_host *hosts;
    struct event *heap;
    size_t n_events, room;
    uint64_t order, random;
    double now;   /* of the event */
    double began; /* processor time, when what runs began */
    struct sim_task *current;
    struct sim_call *calls;
    int64_t messages, bytes;
};
static struct sim *the_sim; /* for bounded threads, which are given no net */
static const struct sl_net_methods methods;

static double processor_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* The clock of the task that runs. */
static double clock_of(const struct sim *s) { return s->current ? s->now + processor_ns() - s->began : s->now; }
double sim_now(const struct sim *s) { return s->now; }

static struct sim_task *task_of(struct sl_net *net) { return (struct sim_task *)net; }
struct sl_net *sim_net_of(struct sim *s, int task) {
    return &s->tasks[task].base;
}

/* ---- the queue: a heap by time, then by order */

static bool is_before(const struct event *a, const struct event *b) {
    return a->at != b->at ? a->at < b->at : a->order < b->order;
}

static void post(struct sim *s, struct event e) {
    if (s->n_events == s->room) {
        s->room = s->room ? 2 * s->room : 1024;
        s->heap = realloc(s->heap, s->room * sizeof *s->heap);
    }
    e.order = s->order++;
    if (e.call) e.call->events++;
    size_t i = s->n_events++;
    for (; i && is_before(&e, &s->heap[(i - 1) / 2]); i = (i - 1) / 2) s->heap[i] = s->heap[(i - 1) / 2];
    s->heap[i] = e;
}

static struct event take(struct sim *s) {
    struct event first = s->heap[0], last = s->heap[--s->n_events];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < s->n_events; i = child) {
        if (child + 1 < s->n_events && is_before(&s->heap[child + 1], &s->heap[child])) child++;
        if (!is_before(&s->heap[child], &last)) break;
        s->heap[i] = s->heap[child];
    }
    s->heap[i] = last;
    return first;
}

/* ---- what messages cost */

static struct sim_host *host_of(struct sim *s, const struct sim_task *t) {
    return &s->hosts[t->number / s->machine.tasks_per_host];
}

/* The core that is free first; when it begins is at least `at`. */
static double *core_of(struct sim *s, const struct sim_task *t) {
    struct sim_host *h = host_of(s, t);
    double *first = &h->cores[0];
    for (int c = 1; c < s->machine.cores; c++)
        if (h->cores[c] < *first) first = &h->cores[c];
    return first;
}

static double occupy(struct sim *s, struct sim_task *t, double at, double ns) {
    double *core = core_of(s, t);
    const double begin = *core > at ? *core : at;
    *core = begin + ns;
    host_of(s, t)->busy += ns;
    return *core;
}

static double cost(const struct sim *s, size_t bytes) {
    return s->machine.message_ns + s->machine.byte_ns * (double)bytes;
}

/* When a message that is sent now has come to the other side's host. */
static double sent(struct sim *s, struct sim_task *from, struct sim_task *to, size_t bytes) {
    const double ready = occupy(s, from, clock_of(s), cost(s, bytes));
    s->messages++;
    s->bytes += (int64_t)bytes;
    from->bytes += (int64_t)bytes;
    to->bytes += (int64_t)bytes;
    if (from->number / s->machine.tasks_per_host == to->number / s->machine.tasks_per_host) return ready;
    const double wire = (double)(bytes + 100) / s->machine.bytes_per_ns;
    from->egress = (ready > from->egress ? ready : from->egress) + wire;
    const double there = from->egress + s->machine.latency_ns;
    to->ingress = there > to->ingress + wire ? there : to->ingress + wire;
    return to->ingress;
}

/* ---- bodies */

static void free_body(struct sl_rpc_body *body) {
    free((void *)body->bytes.p);
    free(body);
}

static struct sl_rpc_body *flatten(struct sl_rpc_message *m) {
    struct sl_rpc_body *body = calloc(1, sizeof *body);
    char *bytes = aligned_alloc(64, (m->size + 128) / 64 * 64), *at = bytes;
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

/* ---- events */

static void release(struct sim_call *c) {
    if (c->events || c->request || (c->is_at_server && !c->has_ended)) return;
    *c->at = c->next;
    if (c->next) c->next->at = c->at;
    sl_rpc_body_unref(c->message);
    free(c);
}

static void answer_later(struct sim *s, struct sim_call *c, sl_code code, const char *text, struct sl_rpc_body *body) {
    post(s, (struct event){.at = sent(s, c->to, c->from, body ? body->bytes.n : 64),
                           .kind = RETURNS,
                           .call = c,
                           .task = c->from,
                           .code = code,
                           .text = strdup(text ? text : ""),
                           .body = body});
}

static void fail_later(struct sim *s, struct sim_call *c, sl_code code, const char *text) {
    post(s, (struct event){.at = clock_of(s) + 2 * s->machine.latency_ns,
                           .kind = RETURNS,
                           .call = c,
                           .task = c->from,
                           .code = code,
                           .text = strdup(text)});
}

static void call_method(struct sim *s, struct sim_call *c) {
    struct sl_str path = c->request ? c->request->path : SL_STR("");
    if (!c->request) return; /* cancelled on its way */
    for (size_t k = 0; k < c->to->n_services && !c->method; k++)
        for (const struct sl_rpc_method *m = c->to->services[k].methods; m->path && !c->method; m++)
            if (sl_str_is(path, m->path)) {
                c->method = m;
                c->service = c->to->services[k].arg;
            }
    if (!c->method) {
        answer_later(s, c, SL_UNIMPLEMENTED, "no such method", NULL);
        return;
    }
    c->is_at_server = true;
    c->server_side = (struct sl_rpc_call){.methods = &methods, .body = c->message, .peer = "simulated"};
    c->message = NULL;
    c->method->called(c->service, &c->server_side);
}

static void tell_gone(struct sim_call *c, sl_code code) {
    if (!c->is_at_server || c->has_ended || c->is_gone) return;
    c->is_gone = true;
    c->gone_code = code;
    if (c->listener && c->listener->gone) c->listener->gone(&c->server_side, code);
}

static void tell_client(struct event *e) {
    struct sl_rpc_request *request = e->call->request;
    e->call->request = NULL;
    if (request) request->done(request, e->code, e->text, e->body);
    else sl_rpc_body_unref(e->body);
}

/* As a task: what it computes moves its clock, and occupies a core. */
static void run(struct sim *s, struct event *e) {
    double *core = core_of(s, e->task);
    s->current = e->task;
    s->began = processor_ns();
    if (e->kind == CALLED) call_method(s, e->call);
    else if (e->kind == TOLD) tell_client(e);
    else if (e->kind == GONE) tell_gone(e->call, e->code);
    else if (e->kind == TIMER) e->timer->due(e->timer);
    else e->fn(e->arg);
    const double took = processor_ns() - s->began;
    s->current = NULL;
    host_of(s, e->task)->busy += took;
    *core = (*core > s->now ? *core : s->now) + took;
}

static void arrive(struct sim *s, struct event e) {
    const size_t bytes = e.kind == ARRIVES ? (e.call->message ? e.call->message->bytes.n : 0)
                         : e.body          ? e.body->bytes.n
                                           : 0;
    const struct sim_task *other = e.kind == ARRIVES ? e.call->to : e.call->from;
    if (e.task->is_dead || other->is_dead || (e.kind == ARRIVES && !e.call->to->serves)) {
        if (e.kind == ARRIVES) fail_later(s, e.call, SL_UNAVAILABLE, "connect to a task that is not there");
        return;
    }
    e.at = occupy(s, e.task, s->now, cost(s, bytes));
    e.kind = e.kind == ARRIVES ? CALLED : TOLD;
    post(s, e);
}

bool sim_run(struct sim *s, const bool *done) {
    while (!*done && s->n_events) {
        struct event e = take(s);
        s->now = e.at;
        if (e.call) e.call->events--;
        const bool is_stale =
            e.kind == TIMER && (!e.timer->state[0] || (uint64_t)(uintptr_t)e.timer->state[1] != e.timer_order);
        if (e.kind == TIMER && !is_stale) e.timer->state[0] = NULL;
        if (e.kind == ARRIVES || e.kind == RETURNS) arrive(s, e);
        else if (!is_stale && !e.task->is_dead) run(s, &e);
        if (e.kind != RETURNS) free(e.text);
        if (e.call) release(e.call);
    }
    return *done;
}

void sim_as(struct sim *s, int task, void (*fn)(void *arg), void *arg) {
    post(s, (struct event){.at = s->now, .kind = RUNS, .task = &s->tasks[task], .fn = fn, .arg = arg});
}

/* ---- the client's side */

static sl_code dial(struct sl_rpc_channel **out, struct sl_net *net, const char *address, unsigned lane,
                    const struct sl_rpc_tls *tls, struct sl_error *err) {
    struct sim_channel *c = calloc(1, sizeof *c);
    (void)lane, (void)tls, (void)err;
    *c = (struct sim_channel){.base = {&methods}, .from = task_of(net), .to = atoi(address + 1)};
    *out = &c->base;
    return SL_OK;
}

static void hang_up(struct sl_rpc_channel *channel) { free(channel); }

static void start_call(struct sl_rpc_channel *channel, struct sl_rpc_request *request) {
    struct sim_channel *ch = (struct sim_channel *)channel;
    struct sim *s = ch->from->sim;
    struct sim_call *c = calloc(1, sizeof *c);
    *c = (struct sim_call){
        .from = ch->from, .to = &s->tasks[ch->to], .request = request, .next = s->calls, .at = &s->calls};
    if (c->next) c->next->at = &c->next;
    s->calls = c;
    c->message = flatten(&request->message);
    request->call = c;
    post(s,
         (struct event){.at = sent(s, c->from, c->to, c->message->bytes.n), .kind = ARRIVES, .call = c, .task = c->to});
    if (request->deadline_ns > 0)
        post(s, (struct event){.at = (double)request->deadline_ns,
                               .kind = RETURNS,
                               .call = c,
                               .task = c->from,
                               .code = SL_DEADLINE_EXCEEDED,
                               .text = strdup("Deadline Exceeded")});
}

static void cancel(struct sl_rpc_channel *channel, struct sl_rpc_request *request) {
    struct sim_call *c = request->call;
    struct sim *s = ((struct sim_channel *)channel)->from->sim;
    if (!c || c->request != request) return;
    fail_later(s, c, SL_CANCELLED, "CANCELLED");
    post(s,
         (struct event){
             .at = clock_of(s) + s->machine.latency_ns, .kind = GONE, .call = c, .task = c->to, .code = SL_CANCELLED});
}

/* ---- the server's side */

static sl_code serve(struct sl_rpc_server **out, struct sl_net *net, const struct sl_rpc_serving *how,
                     struct sl_error *err) {
    struct sim_task *t = task_of(net);
    struct sl_rpc_server *server = calloc(1, sizeof *server);
    (void)err;
    memcpy(t->services, how->services, how->n_services * sizeof *how->services);
    t->n_services = how->n_services;
    t->serves = true;
    server->methods = &methods;
    *out = server;
    return SL_OK;
}

static int port(const struct sl_rpc_server *server) { return server ? 1 : 0; }
static void drain(struct sl_rpc_server *server) { (void)server; }
static void stop(struct sl_rpc_server *server) { free(server); }
static void free_net(struct sl_net *net) { (void)net; }
static void pause_call(struct sl_rpc_call *call, bool is_paused) { (void)call, (void)is_paused; }

static void listen_to(struct sl_rpc_call *call, const struct sl_rpc_listener *listener) {
    struct sim_call *c = (struct sim_call *)call;
    c->listener = listener;
    if (c->is_gone && listener->gone) listener->gone(call, c->gone_code);
}

static void send_message(struct sl_rpc_call *call, struct sl_rpc_message *message) {
    (void)call;
    sl_rpc_message_clear(message);
}

static void end_call(struct sl_rpc_call *call, sl_code code, const char *text, struct sl_rpc_message *message) {
    struct sim_call *c = (struct sim_call *)call;
    struct sl_rpc_message none = {.n = 0};
    struct sl_rpc_body *request = call->body;
    answer_later(c->to->sim, c, code, text, code == SL_OK ? flatten(message ? message : &none) : NULL);
    c->has_ended = true;
    sl_rpc_body_unref(request);
}

/* ---- time */

static int64_t now(struct sl_net *net) { return (int64_t)clock_of(task_of(net)->sim); }

/* state[0]: it is set; state[1]: for which event */
static void set_timer(struct sl_net *net, struct sl_net_timer *timer, int64_t at_ns) {
    struct sim_task *t = task_of(net);
    const uint64_t order = t->sim->order;
    timer->state[0] = timer;
    timer->state[1] = (void *)(uintptr_t)order;
    const double at = (double)at_ns, least = clock_of(t->sim);
    post(t->sim,
         (struct event){.at = at > least ? at : least, .kind = TIMER, .task = t, .timer = timer, .timer_order = order});
}
static void cancel_timer(struct sl_net *net, struct sl_net_timer *timer) {
    (void)net;
    timer->state[0] = NULL;
}

static const struct sl_net_methods methods = {free_net, dial,  hang_up,   start_call,   cancel,       serve,
                                              port,     drain, stop,      listen_to,    send_message, pause_call,
                                              end_call, now,   set_timer, cancel_timer, NULL,         NULL};

/* ---- os/bounded_threads.h */

struct sl_bounded_threads {
    int unused;
};
sl_code sl_bounded_threads_new(struct sl_bounded_threads **out, unsigned most, struct sl_error *err) {
    (void)most, (void)err;
    *out = calloc(1, sizeof **out);
    return SL_OK;
}
void sl_bounded_threads_run(struct sl_bounded_threads *threads, void (*fn)(void *arg), void *arg) {
    struct sim *s = the_sim;
    (void)threads;
    post(s, (struct event){.at = clock_of(s), .kind = RUNS, .task = s->current, .fn = fn, .arg = arg});
}
void sl_bounded_threads_run_first(struct sl_bounded_threads *threads, void (*fn)(void *arg), void *arg) {
    sl_bounded_threads_run(threads, fn, arg);
}
void sl_bounded_threads_free(struct sl_bounded_threads *threads) { free(threads); }

/* ---- the simulation */

struct sim *sim_new(const struct sim_machine *machine, int n, uint64_t seed) {
    struct sim *s = calloc(1, sizeof *s);
    *s = (struct sim){.machine = *machine, .n = n, .random = seed, .now = 1e9};
    s->tasks = calloc((size_t)n, sizeof *s->tasks);
    s->hosts = calloc((size_t)n, sizeof *s->hosts);
    for (int t = 0; t < n; t++) s->tasks[t] = (struct sim_task){.base = {&methods}, .sim = s, .number = t};
    the_sim = s;
    return s;
}

void sim_kill(struct sim *s, int task) {
    s->tasks[task].is_dead = true;
    for (struct sim_call *c = s->calls, *next; c; c = next) {
        next = c->next;
        if (c->to->number == task && c->request) fail_later(s, c, SL_UNAVAILABLE, "Socket closed");
        if (c->from->number == task && c->is_at_server)
            post(s, (struct event){.at = s->now + s->machine.latency_ns,
                                   .kind = GONE,
                                   .call = c,
                                   .task = c->to,
                                   .code = SL_CANCELLED});
    }
}

void sim_count(struct sim_counts *out, struct sim *s) {
    *out = (struct sim_counts){.messages = s->messages, .bytes = s->bytes};
    s->messages = s->bytes = 0;
    for (int t = 0; t < s->n; t++) {
        if (s->tasks[t].bytes > out->most_bytes) out->most_bytes = s->tasks[t].bytes;
        if (s->hosts[t].busy > out->most_busy_ns) out->most_busy_ns = s->hosts[t].busy;
        s->tasks[t].bytes = 0;
        s->hosts[t].busy = 0;
    }
}
