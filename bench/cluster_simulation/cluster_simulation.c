/* The code of masters, workers and collectives in clusters of up to thousands of tasks, in simulated time (sim_net.h): how long what
 * they do together takes, and what limits it. A line of CSV for each case.
 *
 *     cluster_simulation [TASKS]...          default: 2 4 8 64 256 1000 10000 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cluster_simulation/cluster_member.h"
#include "cluster_simulation/sim_net.h"
#include "dist/dist_server.h"
#include "dist/tensor_wire.h"
#include "proto/text_format.h"
#include "root/root.h"

/* What a message costs is fitted to `make bench BENCH=cluster/` (docs/scaling.md); links and latency are assumptions. */
static const struct sim_machine machines[] = {
    {"one host of two cores", 13000, .05, 0, 1e9, 2, 1 << 30},
    {"10 GbE", 13000, .05, 25000, 1.25, 4, 1},
    {"100 GbE", 13000, .05, 5000, 12.5, 4, 1},
};

/* All vectors are in this process, and a sum of n tasks takes some 2 n^2 calls. A group is n^2, too: each member has the names
 * of all. What a master does is not. */
static const int64_t MOST_BYTES = INT64_C(400000000);
enum { MOST_SUMMED = 256, MOST_JOINED = 1000 };

struct cluster {
    struct sim *sim;
    int n;
    struct sl_dist_server **servers;
    struct sl_arena arena;
};

static void check(sl_code code, const struct sl_error *err) {
    if (code == SL_OK) return;
    fprintf(stderr, "cluster_simulation: %s\n", err->message);
    exit(1);
}

struct starting {
    struct cluster *c;
    struct sl_pb_ServerDef def;
    int task;
};

static void start_server(void *arg) {
    struct starting *s = arg;
    const struct sl_registries *registries;
    const struct sl_server_options listening = {.listen = "sim"};
    struct sl_error err;
    check(sl_root_registries(&registries, &err), &err);
    const struct sl_dist_server_options how = {.registries = registries,
                                               .net = sim_net_of(s->c->sim, s->task),
                                               .def = &s->def,
                                               .how = &listening,
                                               .like = s->task ? s->c->servers[0] : NULL,
                                               .seed = (uint64_t)s->task + 1,
                                               .incarnation = (uint64_t)s->task + 1};
    check(sl_dist_server_new(&s->c->servers[s->task], &how, &err), &err);
}

static void cluster_start(struct cluster *c, const struct sim_machine *machine, int n) {
    const size_t room = 200 + (size_t)n * 48;
    size_t at = 0;
    bool never = false;
    struct sl_error err;
    *c = (struct cluster){.sim = sim_new(machine, n + 1, 1), .n = n};
    sl_arena_init(&c->arena);
    c->servers = calloc((size_t)n, sizeof *c->servers);
    char *text = malloc(room);
    at +=
        (size_t)snprintf(text + at, room - at,
                         "job_name: 'worker' protocol: 'grpc' default_session_config { intra_op_parallelism_threads: 1 "
                         "inter_op_parallelism_threads: 1 } cluster { job { name: 'worker' ");
    for (int t = 0; t < n; t++) at += (size_t)snprintf(text + at, room - at, "tasks { key: %d value: 't%d:1' } ", t, t);
    (void)snprintf(text + at, room - at, "} }");
    struct starting *all = calloc((size_t)n, sizeof *all);
    check(sl_pb_text_parse(&all[0].def, SL_PB_TYPE(ServerDef), sl_str_of(text), &c->arena, &err), &err);
    for (int t = 0; t < n; t++) {
        all[t] = (struct starting){.c = c, .def = all[0].def, .task = t};
        all[t].def.task_index = t;
        start_server(&all[t]);
    }
    (void)sim_run(c->sim, &never);
}

/* ---- collectives */

struct together {
    int left;
    bool done;
};

static void one_ended(struct member *m, sl_code code, const struct sl_error *err) {
    struct together *t = m->arg;
    if (code != SL_OK && code != SL_UNAVAILABLE && code != SL_ABORTED) check(code, err);
    t->done = --t->left == 0;
}

static struct member *members_of(struct cluster *c) {
    struct member *all = calloc((size_t)c->n, sizeof *all);
    for (int t = 0; t < c->n; t++)
        all[t] = (struct member){
            .n = c->n, .task = t, .peers = sl_dist_server_peers(c->servers[t]), .dims = {256}, .ended = one_ended};
    return all;
}

/* Of all members: until all have ended. Simulated ns. */
static double together(struct cluster *c, struct member *all, void (*begin)(void *arg), bool *finished) {
    struct together t = {.left = c->n};
    const double began = sim_now(c->sim);
    for (int m = 0; m < c->n; m++) {
        all[m].arg = &t;
        sim_as(c->sim, m, begin, &all[m]);
    }
    *finished = sim_run(c->sim, &t.done);
    return sim_now(c->sim) - began;
}

static void row(const struct cluster *c, const struct sim_machine *m, const char *what, double ns, bool finished) {
    struct sim_counts counts;
    sim_count(&counts, c->sim);
    printf("%s,%s,%d,%s,%.0f,%lld,%lld,%.3f\n", m->name, what, c->n, finished ? "ended" : "HANGS", ns / 1000,
           (long long)counts.messages, (long long)counts.most_bytes, ns > 0 ? counts.most_busy_ns / ns : 0.0);
    fflush(stdout);
}

static void sums(struct cluster *c, const struct sim_machine *machine, const int64_t *bytes, int n_sizes) {
    struct member *all = members_of(c);
    char what[64];
    bool finished;
    double ns = together(c, all, member_join, &finished);
    row(c, machine, "join", ns, finished);
    for (int i = 0; i < n_sizes && finished; i++) {
        if (bytes[i] * c->n > MOST_BYTES || c->n > MOST_SUMMED) continue;
        for (int t = 0; t < c->n; t++) all[t].dims[0] = bytes[i] / 4;
        double least = 0;
        struct sim_counts dropped;
        for (int again = 0; again < 3;
             again++) { /* the least, as make bench has it; channels are dialled the first time */
            sim_count(&dropped, c->sim);
            ns = together(c, all, member_sum, &finished);
            if (!again || ns < least) least = ns;
        }
        (void)snprintf(what, sizeof what, "sum of %lld bytes", (long long)bytes[i]);
        row(c, machine, what, least, finished);
    }
    free(all);
}

/* ---- a step of a master */

struct client {
    struct cluster *c;
    struct sl_rpc_channel *channel;
    struct sl_rpc_request request;
    struct sl_str bytes;
    const char *path;
    sl_code code;
    struct sl_rpc_body *body;
    bool done;
};

static void answered(struct sl_rpc_request *request, sl_code code, const char *text, struct sl_rpc_body *body) {
    struct client *client = request->arg;
    client->code = code;
    client->body = body;
    client->done = true;
    if (code != SL_OK) fprintf(stderr, "cluster_simulation: %s: %s\n", client->path, text);
}

static void begin_call(void *arg) {
    struct client *client = arg;
    struct sl_error err;
    client->request = (struct sl_rpc_request){.path = sl_str_of(client->path), .done = answered, .arg = client};
    check(sl_rpc_message_add_bytes(&client->request.message, client->bytes, &err), &err);
    sl_rpc_channel_call(client->channel, &client->request);
}

static double call(struct client *client, const char *path, const struct sl_pb_message *type, const char *text) {
    struct cluster *c = client->c;
    struct sl_error err;
    void *message = sl_arena_zalloc(&c->arena, 4096);
    check(sl_pb_text_parse(message, type, sl_str_of(text), &c->arena, &err), &err);
    check(sl_pb_encode(&client->bytes, type, message, 0, &c->arena, &err), &err);
    client->path = path;
    client->done = false;
    const double began = sim_now(c->sim);
    sim_as(c->sim, c->n, begin_call, client);
    if (!sim_run(c->sim, &client->done)) client->code = SL_DEADLINE_EXCEEDED;
    return sim_now(c->sim) - began;
}

/* A node at each task, and one at the first that waits for all. */
static void steps(struct cluster *c, const struct sim_machine *machine) {
    const size_t room = 400 + (size_t)c->n * 200;
    char *text = malloc(room);
    size_t at = (size_t)snprintf(text, room,
                                 "target: 'grpc://t0:1' graph_def { versions { producer: 1882 } node { name: 'all' op: "
                                 "'NoOp' device: '/job:worker/task:0' ");
    struct client client = {.c = c};
    struct sl_pb_CreateSessionResponse made;
    struct sl_error err;
    for (int t = 0; t < c->n; t++) at += (size_t)snprintf(text + at, room - at, "input: '^n%d' ", t);
    at += (size_t)snprintf(text + at, room - at, "} ");
    for (int t = 0; t < c->n; t++)
        at += (size_t)snprintf(text + at, room - at, "node { name: 'n%d' op: 'NoOp' device: '/job:worker/task:%d' } ",
                               t, t);
    (void)snprintf(text + at, room - at, "}");
    check(sl_net_dial(&client.channel, sim_net_of(c->sim, c->n), "t0:1", NULL, &err), &err);
    double ns = call(&client, "/tensorflow.MasterService/CreateSession", SL_PB_TYPE(CreateSessionRequest), text);
    row(c, machine, "make a session", ns, client.code == SL_OK);
    if (client.code != SL_OK) return;
    check(sl_pb_decode(&made, SL_PB_TYPE(CreateSessionResponse), client.body->bytes, &c->arena, &err), &err);
    (void)snprintf(text, room, "session_handle: '%.*s' target: 'all'", SL_STR_ARG(made.session_handle));
    for (int again = 0; again < 3 && client.code == SL_OK; again++) {
        struct sim_counts dropped;
        if (again == 2) sim_count(&dropped, c->sim);
        ns = call(&client, "/tensorflow.MasterService/RunStep", SL_PB_TYPE(RunStepRequest), text);
        if (!again) row(c, machine, "the first step", ns, client.code == SL_OK);
    }
    row(c, machine, "a step", ns, client.code == SL_OK);
    free(text);
}

/* ---- a task dies while all add up */

static void fault(struct cluster *c, const struct sim_machine *machine) {
    struct member *all = members_of(c);
    struct together others = {.left = c->n - 1};
    bool finished;
    (void)together(c, all, member_join, &finished);
    for (int t = 0; t < c->n - 1; t++) {
        all[t].arg = &others;
        sim_as(c->sim, t, member_sum, &all[t]);
    }
    sim_kill(c->sim, c->n - 1);
    const double began = sim_now(c->sim);
    finished = sim_run(c->sim, &others.done);
    row(c, machine, "all have heard of a task that died", sim_now(c->sim) - began, finished);
    free(all);
}

int main(int argc, char **argv) {
    static const int64_t sizes[] = {1000, 100000, 1000000, 10000000, 100000000};
    static const int64_t network_sizes[] = {1000, 1000000};
    static const int otherwise[] = {2, 4, 8, 64, 256, 1000, 10000};
    const int n = argc > 1 ? argc - 1 : (int)(sizeof otherwise / sizeof *otherwise);
    printf("machine,what,tasks,outcome,us,messages,most bytes of a task,cores busy\n");
    for (size_t m = 0; m < sizeof machines / sizeof *machines; m++)
        for (int k = 0; k < n; k++) {
            const int tasks = argc > 1 ? atoi(argv[k + 1]) : otherwise[k];
            struct cluster c; /* they are not ended: the process is */
            if (tasks < 2 || (m == 0 && tasks > 8)) continue;
            cluster_start(&c, &machines[m], tasks);
            if (tasks > MOST_JOINED) {
                steps(&c, &machines[m]);
                continue;
            }
            if (m == 0) sums(&c, &machines[m], sizes, sizeof sizes / sizeof *sizes);
            else sums(&c, &machines[m], network_sizes, sizeof network_sizes / sizeof *network_sizes);
            steps(&c, &machines[m]);
            cluster_start(&c, &machines[m], tasks);
            fault(&c, &machines[m]);
        }
    fflush(stdout);
    _Exit(0);
}
