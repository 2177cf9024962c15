/* How loops over many devices scale, in simulated time: prints a line for each run, of which
 * bench/scaling/write_page makes docs/scaling.md. Programs are made with the C front end and cut by the library's
 * own passes: what is simulated is what would run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capi/handles.h"
#include "passes/place.h"
#include "simulation.h"
#include "sluice/flow.h"
#include "sluice/ops.h"

/* In one process: the executor's figures, fitted to the group `devices` of bench/results.csv. Between hosts:
 * assumptions about two networks, 100 GbE with kernel bypass and 10 GbE through the kernel's TCP and an RPC layer. */
static const struct simulated_machine one_process = {"one process, 2 cores", 2, SL_DEVICES_MAX, 65, 90, 90, 0, 0},
                                      fast_network = {"100 GbE, bypassing the kernel", 1, 1, 65, 90, 700, 3e3, 0.08},
                                      slow_network = {"10 GbE, RPC over TCP", 1, 1, 65, 90, 8e3, 30e3, 0.8};

enum { ROUNDS = 100 };

static void fail(const char *message) {
    fprintf(stderr, "scaling: %s\n", message);
    exit(1);
}

/* ---- programs */
struct program {
    const char *name;
    int n; /* devices */
    int parallel;
    void (*body)(struct sl_scope *, TF_Output *next, const TF_Output *v, void *arg);
    bool has_value_each; /* a variable for each device, or one in all */
    /* All of the loop but the devices' work asks for the first device, as in bench/compare/make_graphs.py. */
    bool asks_for_first;
};

static const char *device(int d) {
    static char text[32];
    snprintf(text, sizeof text, "/cpu:%d", d);
    return text;
}

static TF_Output below(struct sl_scope *s, const TF_Output *v, void *arg) {
    (void)arg;
    return sl_less(s, v[0], sl_scalar(s, TF_INT32, ROUNDS));
}

static TF_Output count(struct sl_scope *s, TF_Output i) { return sl_add_v2(s, i, sl_scalar(s, TF_INT32, 1)); }

static TF_Output work_on(struct sl_scope *s, int d, TF_Output value) {
    sl_push_device(s, device(d));
    TF_Output out = sl_tanh(s, value);
    sl_pop(s);
    return out;
}

/* Each device has a value of its own; only the condition is sent. */
static void side_by_side(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    const struct program *p = arg;
    next[0] = count(s, v[0]);
    for (int d = 0; d < p->n; d++) next[1 + d] = work_on(s, d, v[1 + d]);
}

/* After each iteration all wait for all: the values are added on the first device, and everybody goes on with the
 * sum. */
static void with_barrier(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    const struct program *p = arg;
    side_by_side(s, next, v, arg);
    TF_Output sum = sl_add_n(s, next + 1, p->n);
    for (int d = 0; d < p->n; d++) {
        sl_push_device(s, device(d));
        next[1 + d] = sl_identity(s, sum);
        sl_pop(s);
    }
}

/* One value, which goes through all devices in each iteration. */
static void in_turn(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    const struct program *p = arg;
    next[0] = count(s, v[0]);
    next[1] = v[1];
    for (int d = 0; d < p->n; d++) next[1] = work_on(s, d, next[1]);
}

/* Each iteration begins with a value of its own, which goes through all devices: the results are added
 * up on the first. */
static void in_a_pipeline(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    const struct program *p = arg;
    next[0] = count(s, v[0]);
    TF_Output value = sl_cast(s, v[0], (struct sl_cast_attrs){.DstT = TF_FLOAT});
    for (int d = 0; d < p->n; d++) value = work_on(s, d, value);
    sl_push_device(s, device(0));
    next[1] = sl_add_v2(s, v[1], value);
    sl_pop(s);
}

static TF_Graph *build(struct program *p) {
    TF_Graph *graph = TF_NewGraph();
    struct sl_scope *s = sl_scope_new(graph);
    int n = 1 + (p->has_value_each ? p->n : 1);
    TF_Output *values = calloc(2 * (size_t)n, sizeof *values);
    if (!values) abort();
    if (p->asks_for_first) sl_push_device(s, device(0));
    values[0] = sl_scalar(s, TF_INT32, 0);
    for (int i = 1; i < n; i++) {
        sl_push_device(s, device(i - 1));
        values[i] = sl_scalar(s, TF_FLOAT, 1);
        sl_pop(s);
    }
    sl_while(s, values + n, values, n, below, p->body, p,
             &SL_OPTIONS(sl_while_options, .parallel_iterations = p->parallel));
    free(values);
    if (!sl_scope_ok(s)) fail(sl_scope_message(s));
    sl_scope_delete(s);
    return graph;
}

/* ---- runs */
static double cost(const struct sl_node *n, void *work) { return sl_node_is(n, "Tanh") ? *(double *)work : 0; }

static struct simulation_result run(struct program p, const struct simulated_machine *machine, double work) {
    struct sl_error err = {0};
    struct sl_device_set devices;
    struct sl_partitions parts = {0};
    struct simulation_result result;
    TF_Graph *graph = build(&p);
    const struct sl_place_options place = {.devices = &devices};
    const struct simulation_request request = {&parts, machine, ROUNDS, cost, &work};
    if (sl_device_set_new(&devices, SL_STR("/job:localhost/replica:0/task:0"), p.n, 1, &err) != SL_OK ||
        sl_pass_place(graph->graph, &place, &err) != SL_OK ||
        sl_pass_partition(&parts, graph->graph, &devices, SL_CUT_BY_DEVICE, &err) != SL_OK ||
        simulate(&result, &request, &err) != SL_OK)
        fail(err.message);
    sl_partitions_clear(&parts);
    sl_device_set_clear(&devices);
    TF_DeleteGraph(graph);
    return result;
}

static void print_run(const char *group, struct program p, const struct simulated_machine *machine, double work) {
    struct simulation_result r = run(p, machine, work);
    printf("%s,\"%s\",%s,%d,%d,%.0f,%.0f,%.2f,%.2f,%.3f,%.3f\n", group, machine->name, p.name, p.n, p.parallel, work,
           r.time / ROUNDS, (double)r.messages / ROUNDS, (double)r.conditions / (ROUNDS + 1), r.busiest / r.time,
           r.sending / r.busiest);
    fflush(stdout);
}

static const struct program side = {"side by side", .body = side_by_side, .has_value_each = true},
                            barrier = {"barrier", .body = with_barrier, .has_value_each = true},
                            turn = {"in turn", .body = in_turn}, pipe = {"pipeline", .body = in_a_pipeline};

static struct program on(struct program p, int n, int parallel) {
    p.n = n;
    p.parallel = parallel;
    return p;
}

int main(void) {
    static const int counts[] = {1, 2, 4, 8, 16, 64, 256, 1000}, windows[] = {1, 2, 4, 8, 16, 32};
    const struct simulated_machine *networks[] = {&fast_network, &slow_network};
    puts("group,machine,program,devices,parallel iterations,work ns,iteration ns,messages,conditions,busiest,sending");
    for (int n = 2; n <= 8; n *= 2) {
        struct program first_side = side, first_turn = turn;
        first_side.asks_for_first = first_turn.asks_for_first = true;
        for (int w = 0; w < 6; w++) print_run("fit", on(first_turn, n, windows[w]), &one_process, 100);
        print_run("fit", on(first_turn, n, 10), &one_process, 100);
        print_run("fit", on(first_side, n, 10), &one_process, 100);
    }
    for (int m = 0; m < 2; m++) {
        for (double work = 1e3; work <= 1e6; work *= 1e3)
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
                print_run("devices", on(side, counts[c], 32), networks[m], work);
                print_run("devices", on(barrier, counts[c], 32), networks[m], work);
                if (work == 1e3) print_run("devices", on(turn, counts[c], 32), networks[m], work);
            }
        for (int w = 0; w < 6; w++) print_run("window", on(pipe, 8, windows[w]), networks[m], 1e5);
    }
}
