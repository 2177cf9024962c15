/* What steps at a server cost when the client costs next to nothing: messages are made once, and go as bare frames.
 *
 *     bench_steps ADDRESS GRAPH [CLIENTS]
 *
 * GRAPH is a file with a GraphDef that bench_server.py has made: "nothing", "made", "took" after a feed of "fed", "large:0"
 * to fetch, and "moved", which takes as much from another task. Prints name, least and median nanoseconds of each case; the
 * rows "..., p99" have the 99th percentile in place of the median. With CLIENTS so many do steps at the same time, each
 * with a connection and a session of its own. The server listens on all of 127.0.0.0/8. */
#include <stdarg.h>

#include "measure.h"
#include "net/http2_net.h"
#include "os/clock.h"
#include "os/mutex.h"

enum { STEPS = 5000, WARM = 200, LARGE = 100 << 20, LARGE_STEPS = 9, MOST_CLIENTS = 1000, STEPS_OF_CLIENT = 20 };

static void must(bool is_good, const char *what, const char *text) {
    if (is_good) return;
    fprintf(stderr, "bench_steps: %s: %s\n", what, text);
    exit(1);
}

/* ---- protobuf */

struct bytes {
    unsigned char *data;
    size_t size, room;
};

static void add(struct bytes *b, const void *data, size_t size) {
    if (b->size + size > b->room) {
        b->room = 2 * b->room + size + 64;
        b->data = realloc(b->data, b->room);
        must(b->data != NULL, "realloc", "out of memory");
    }
    memcpy(b->data + b->size, data, size);
    b->size += size;
}

static void add_number(struct bytes *b, uint64_t number) {
    for (; number > 127; number >>= 7) add(b, &(unsigned char){(unsigned char)(number | 128)}, 1);
    add(b, &(unsigned char){(unsigned char)number}, 1);
}

static void add_varint(struct bytes *b, unsigned field, uint64_t number) {
    add_number(b, field << 3);
    add_number(b, number);
}

/* Tag and length; what it has follows. */
static void begin_field(struct bytes *b, unsigned field, size_t size) {
    add_number(b, field << 3 | 2);
    add_number(b, size);
}

static void add_field(struct bytes *b, unsigned field, const void *data, size_t size) {
    begin_field(b, field, size);
    add(b, data, size);
}

static void add_text(struct bytes *b, unsigned field, const char *text) { add_field(b, field, text, strlen(text)); }

/* ---- calls */

struct waiting {
    struct sl_rpc_request request;
    struct sl_mutex mutex;
    struct sl_condition changed;
    struct sl_rpc_body *body;
    bool is_done;
};

static void done(struct sl_rpc_request *request, sl_code code, const char *text, struct sl_rpc_body *body) {
    struct waiting *w = request->arg;
    must(code == SL_OK, sl_code_name(code), text);
    sl_mutex_lock(&w->mutex);
    w->body = body;
    w->is_done = true;
    sl_condition_signal(&w->changed);
    sl_mutex_unlock(&w->mutex);
}

/* The message's memory stays the caller's. */
static struct sl_rpc_body *call(struct sl_rpc_channel *channel, const char *path, const struct bytes *message) {
    static struct waiting w = {.mutex = SL_MUTEX_INIT, .changed = SL_CONDITION_INIT};
    w.is_done = false;
    w.request = (struct sl_rpc_request){.path = sl_str_of(path), .done = done, .arg = &w, .waits_for_ready = true};
    sl_rpc_message_add(&w.request.message, (struct sl_rpc_piece){message->data, message->size, NULL, NULL}, NULL);
    sl_rpc_channel_call(channel, &w.request);
    sl_mutex_lock(&w.mutex);
    while (!w.is_done) sl_condition_wait(&w.changed, &w.mutex);
    sl_mutex_unlock(&w.mutex);
    return w.body;
}

/* A step whose answer says that it failed: field 3. The first field of an answer is a tensor (1), metadata (2) or that. */
static void check_step(struct sl_rpc_body *body) {
    must(!body->bytes.n || body->bytes.p[0] != 0x18, "a step has failed", "RunStep");
}

struct session {
    struct sl_rpc_channel *channel;
    char handle[64];
};

static void make_session(struct session *s, struct sl_rpc_channel *channel, const struct bytes *graph) {
    struct bytes request = {NULL, 0, 0};
    s->channel = channel;
    add_field(&request, 1, graph->data, graph->size);
    struct sl_rpc_body *body = call(channel, "/tensorflow.MasterService/CreateSession", &request);
    size_t n = body->bytes.n > 2 ? (size_t)body->bytes.p[1] : 0;
    must(n && n < sizeof s->handle && n + 2 <= body->bytes.n && body->bytes.p[0] == 0x0a, "CreateSession", "no handle");
    memcpy(s->handle, body->bytes.p + 2, n);
    s->handle[n] = 0;
    sl_rpc_body_unref(body);
    free(request.data);
}

/* A RunStepRequest: a fetch (field 3) or a target (4), and perhaps a feed of so many bytes. */
static struct bytes step_of(const struct session *s, unsigned field, const char *name, size_t feed) {
    struct bytes b = {NULL, 0, 0}, tensor = {NULL, 0, 0}, shape = {NULL, 0, 0}, dim = {NULL, 0, 0};
    add_text(&b, 1, s->handle);
    if (feed) {
        add_varint(&dim, 1, feed / sizeof(float));
        add_field(&shape, 2, dim.data, dim.size);
        add_varint(&tensor, 1, 1);
        add_field(&tensor, 2, shape.data, shape.size);
        begin_field(&tensor, 4, feed);
        size_t named = strlen("fed:0") + 2;
        struct bytes head = {NULL, 0, 0};
        begin_field(&head, 2, tensor.size + feed);
        begin_field(&b, 2, named + head.size + tensor.size + feed);
        add_text(&b, 1, "fed:0");
        add(&b, head.data, head.size);
        add(&b, tensor.data, tensor.size);
        void *content = calloc(1, feed);
        must(content != NULL, "calloc", "out of memory");
        add(&b, content, feed);
        free(content);
        free(head.data);
    }
    add_text(&b, field, name);
    add_varint(&b, 7, 1);
    free(tensor.data);
    free(shape.data);
    free(dim.data);
    return b;
}

static void run(const struct session *s, const struct bytes *step) {
    struct sl_rpc_body *body = call(s->channel, "/tensorflow.MasterService/RunStep", step);
    check_step(body);
    sl_rpc_body_unref(body);
}

/* ---- cases */

static void say(const char *name, double *taken, int n) {
    qsort(taken, (size_t)n, sizeof *taken, measure_compare);
    printf("%s\t%.0f\t%.0f\n", name, taken[0], taken[n / 2]);
    if (n >= 1000) printf("%s, p99\t%.0f\t%.0f\n", name, taken[0], taken[n / 100 * 99]);
    fflush(stdout);
}

static void time_steps(const char *name, const struct session *s, struct bytes step, int n, int warm) {
    double *taken = calloc((size_t)n, sizeof *taken);
    must(taken != NULL, "calloc", "out of memory");
    for (int i = 0; i < warm + n; i++) {
        double from = measure_now();
        run(s, &step);
        if (i >= warm) taken[i - warm] = measure_now() - from;
    }
    say(name, taken, n);
    free(taken);
    free(step.data);
}

static void one_client(const struct session *s) {
    struct bytes make = step_of(s, 4, "made", 0);
    time_steps("null step, bare frames", s, step_of(s, 4, "nothing", 0), STEPS, WARM);
    time_steps("feed of 100 MB, bare frames", s, step_of(s, 4, "took", LARGE), LARGE_STEPS, 2);
    run(s, &make);
    free(make.data);
    time_steps("fetch of 100 MB, bare frames", s, step_of(s, 3, "large:0", 0), LARGE_STEPS, 2);
    time_steps("100 MB from another task, bare frames", s, step_of(s, 4, "moved", 0), LARGE_STEPS, 2);
}

/* ---- many clients: each asks again when it has its answer */

struct client {
    struct session session;
    struct sl_rpc_request request;
    struct bytes step;
    double begun;
    int left;
};

static struct client clients[MOST_CLIENTS];
static double *answered; /* how long each step took */
static int n_answered, n_active;
static struct sl_mutex mutex = SL_MUTEX_INIT;
static struct sl_condition changed = SL_CONDITION_INIT;

static void ask(struct client *c);

/* Runs on the net's thread alone. */
static void client_done(struct sl_rpc_request *request, sl_code code, const char *text, struct sl_rpc_body *body) {
    struct client *c = request->arg;
    must(code == SL_OK, sl_code_name(code), text);
    check_step(body);
    sl_rpc_body_unref(body);
    sl_mutex_lock(&mutex);
    answered[n_answered++] = measure_now() - c->begun;
    bool is_over = --c->left == 0;
    if (is_over && !--n_active) sl_condition_signal(&changed);
    sl_mutex_unlock(&mutex);
    if (!is_over) ask(c);
}

static void ask(struct client *c) {
    c->request =
        (struct sl_rpc_request){.path = SL_STR("/tensorflow.MasterService/RunStep"), .done = client_done, .arg = c};
    sl_rpc_message_add(&c->request.message, (struct sl_rpc_piece){c->step.data, c->step.size, NULL, NULL}, NULL);
    c->begun = measure_now();
    sl_rpc_channel_call(c->session.channel, &c->request);
}

static void many_clients(struct sl_net *net, const char *port, const struct bytes *graph, int n) {
    struct sl_error err;
    answered = calloc((size_t)n * STEPS_OF_CLIENT, sizeof *answered);
    must(answered != NULL, "calloc", "out of memory");
    for (int i = 0; i < n; i++) { /* addresses of their own, so that they share no connection */
        char address[64];
        struct sl_rpc_channel *channel;
        snprintf(address, sizeof address, "127.0.%d.%d%s", i / 250, i % 250 + 1, port);
        must(sl_net_dial(&channel, net, address, NULL, &err) == SL_OK, address, err.message);
        make_session(&clients[i].session, channel, graph);
        clients[i].step = step_of(&clients[i].session, 4, "nothing", 0);
        run(&clients[i].session, &clients[i].step);
    }
    double from = measure_now();
    n_active = n;
    for (int i = 0; i < n; i++) {
        clients[i].left = STEPS_OF_CLIENT;
        ask(&clients[i]);
    }
    sl_mutex_lock(&mutex);
    while (n_active) sl_condition_wait(&changed, &mutex);
    sl_mutex_unlock(&mutex);
    double each = (measure_now() - from) / n_answered;
    printf("a step of %d clients\t%.0f\t%.0f\n", n, each, each);
    char name[64];
    snprintf(name, sizeof name, "answer to one of %d clients", n);
    say(name, answered, n_answered);
    for (int i = 0; i < n; i++) {
        sl_rpc_channel_free(clients[i].session.channel);
        free(clients[i].step.data);
    }
    free(answered);
}

static struct bytes read_file(const char *path) {
    struct bytes b = {NULL, 0, 0};
    FILE *file = fopen(path, "rb");
    char part[65536];
    must(file != NULL, path, "cannot be read");
    for (size_t n; (n = fread(part, 1, sizeof part, file)) > 0;) add(&b, part, n);
    fclose(file);
    return b;
}

int main(int argc, char **argv) {
    struct sl_net *net;
    struct sl_error err;
    const char *port = argc > 2 ? strrchr(argv[1], ':') : NULL;
    must(port != NULL, "usage", "bench_steps HOST:PORT GRAPH [CLIENTS]");
    int n = argc > 3 ? atoi(argv[3]) : 0;
    must(n >= 0 && n <= MOST_CLIENTS, argv[argc - 1], "too many clients");
    struct bytes graph = read_file(argv[2]);
    must(sl_http2_net_new(&net, &err) == SL_OK, "net", err.message);
    if (n) {
        many_clients(net, port, &graph, n);
    } else {
        struct session s;
        must(sl_net_dial(&s.channel, net, argv[1], NULL, &err) == SL_OK, argv[1], err.message);
        make_session(&s, s.channel, &graph);
        one_client(&s);
        sl_rpc_channel_free(s.channel);
    }
    sl_net_free(net);
    free(graph.data);
    return 0;
}
