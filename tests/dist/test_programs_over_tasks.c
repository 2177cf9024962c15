/* Random programs over several processes: nested conditionals and loops, and gradients of such programs, whose nodes are on
 * tasks at random. They give the same bits as in one process, or fail as there. What crosses tasks are values of every
 * iteration, dead ones too, and the loops' conditions.
 *
 * SL_RANDOM_PROGRAMS=n and SL_RANDOM_SEED=n run more, and others. A failing program is told by its seed. */
#include <stdio.h>
#include <stdlib.h>

#include "dist/task_processes.h"
#include "grad/graph/backprop.h"
#include "root/root.h"
#include "session/local_session.h"
#include "unit/session/random_program.h"
#include "unit/unit.h"

enum { MOST_XS = 4, ALL_FETCHES = RANDOM_FETCHES + MOST_XS };

struct outcome {
    sl_code code;
    int n;
    uint32_t values[ALL_FETCHES]; /* bits */
    char text[512];
};

static struct task_processes tasks[3]; /* of two, three and four processes */

static const struct sl_registries *registries(void) {
    const struct sl_registries *all;
    struct sl_error err;
    assert_ok(err, sl_root_registries(&all, &err));
    return all;
}

static struct outcome run_in(struct sl_session *session, struct random_program *p, const struct sl_port *fetches,
                             int n) {
    struct outcome o = {.n = n};
    struct sl_tensor *tensors[ALL_FETCHES];
    struct sl_error err = {0};
    struct sl_run r = {.fetches = fetches, .fetch_tensors = tensors, .n_fetches = n};
    assert_ok(err, sl_session_extend(session, p->graph, &err));
    for (int again = 0; again < 2; again++) { /* the second run finds what the first one has left at the tasks */
        o.code = sl_session_run(session, &r, &err);
        if (o.code != SL_OK) {
            (void)snprintf(o.text, sizeof o.text, "%.500s", err.message);
            break;
        }
        for (int i = 0; i < n; i++) {
            uint32_t v = *(const uint32_t *)tensors[i]->data;
            if (again && v != o.values[i]) fail_msg("fetch %d changes from run to run", i);
            o.values[i] = v;
            sl_tensor_unref(tensors[i]);
        }
    }
    sl_session_free(session);
    return o;
}

static struct outcome run_here(struct random_program *p, const struct sl_port *fetches, int n) {
    struct sl_pb_ConfigProto config = {.allow_soft_placement = true};
    struct sl_session_options options = {.config = &config};
    struct sl_session *session;
    struct sl_error err;
    assert_ok(err, sl_local_session_new(&session, registries(), &options, &err));
    return run_in(session, p, fetches, n);
}

/* "/cpu:3" becomes a task, if it is not one yet. */
static void spread(struct random_program *p, int n_tasks) {
    for (size_t i = 0; i < p->graph->nodes.n; i++) {
        struct sl_node *node = p->graph->nodes.items[i];
        int device;
        if (node && sscanf(sl_arena_format(&p->arena, "%.*s", SL_STR_ARG(node->device)), "/cpu:%d", &device) == 1)
            node->device = sl_str_of(sl_arena_format(&p->arena, "/job:worker/task:%d", device % n_tasks));
    }
}

/* A zero that is added is dropped where the sum and the zero are in one task, so that a sum may be -0 there. */
static bool are_zeros(const struct random_program *p, uint32_t a, uint32_t b) {
    return p->dtype == SL_FLOAT && !(a & INT32_MAX) && !(b & INT32_MAX);
}

static bool compare(struct random_program *p, const struct sl_port *fetches, int n, long seed, struct outcome want) {
    struct task_processes *where = &tasks[seed % 3];
    spread(p, where->n);
    struct outcome got = run_in(tasks_session(where, "allow_soft_placement: true"), p, fetches, n);
    /* What is dead cannot be fetched; the codes differ, as in TensorFlow. */
    if ((got.code == SL_OK) != (want.code == SL_OK))
        fail_msg("seed %ld: over %d tasks %s %s, here %s %s", seed, where->n, sl_code_name(got.code), got.text,
                 sl_code_name(want.code), want.text);
    for (int i = 0; i < n && want.code == SL_OK; i++)
        if (got.values[i] != want.values[i] && !(are_zeros(p, got.values[i], want.values[i])))
            fail_msg("seed %ld: fetch %d is %x over %d tasks, %x here", seed, i, got.values[i], where->n,
                     want.values[i]);
    return want.code == SL_OK;
}

static void one_program(long seed) {
    struct random_program p;
    struct outcome odd[RANDOM_FETCHES], all;
    random_program_make(&p, registries()->ops, seed, SL_INT32);
    if (p.n) all = run_here(&p, p.fetches, p.n);
    for (int i = 0; i < p.n_odd; i++) odd[i] = run_here(&p, &p.odd[i], 1); /* alive or dead: the same in both */
    if (p.n) compare(&p, p.fetches, p.n, seed, all);
    for (int i = 0; i < p.n_odd; i++) compare(&p, &p.odd[i], 1, seed, odd[i]);
    random_program_clear(&p);
}

/* Gradients of half of what can be fetched with respect to some of the values, on devices at random. */
static int add_gradients(struct sl_port *fetches, struct random_program *p) {
    struct sl_gradient dxs[MOST_XS];
    struct sl_port xs[MOST_XS];
    struct sl_error err = {0};
    size_t n_before = p->graph->nodes.n;
    int n_ys = (p->n + 1) / 2, n = 0;
    for (; n < MOST_XS; n++) xs[n] = p->fetches[random_roll(p, p->n)];
    struct sl_gradient_spec spec = {.ys = p->fetches + p->n - n_ys,
                                    .n_ys = n_ys,
                                    .xs = xs,
                                    .n_xs = n,
                                    .scope = SL_STR("gradients"),
                                    .unconnected = SL_UNCONNECTED_ZEROS,
                                    .colocates = random_roll(p, 2)};
    if (sl_graph_gradients(dxs, p->graph, &spec, &err) != SL_OK) return 0;
    for (size_t i = n_before; i < p->graph->nodes.n && !spec.colocates; i++)
        p->graph->nodes.items[i]->device = random_device(p);
    for (int i = 0; i < n; i++) fetches[i] = dxs[i].values;
    return n;
}

/* 1: values were compared. */
static int one_gradient(long seed) {
    struct random_program p;
    struct sl_port fetches[ALL_FETCHES];
    bool has_values = false;
    random_program_make(&p, registries()->ops, seed, SL_FLOAT);
    int n = p.n ? add_gradients(fetches, &p) : 0;
    if (n) {
        for (int i = 0; i < p.n; i++) fetches[n + i] = p.fetches[i];
        has_values = compare(&p, fetches, n + p.n, seed, run_here(&p, fetches, n + p.n));
    }
    random_program_clear(&p);
    return has_values;
}

static long setting(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text ? atol(text) : otherwise;
}

static void programs_agree(void **state) {
    (void)state;
    long n = setting("SL_RANDOM_PROGRAMS", 30), start = setting("SL_RANDOM_SEED", 1);
    for (long i = 0; i < n; i++) one_program(start + i);
}

static void gradients_agree(void **state) {
    (void)state;
    long n = setting("SL_RANDOM_PROGRAMS", 30), start = setting("SL_RANDOM_SEED", 1), compared = 0;
    for (long i = 0; i < n; i++) compared += one_gradient(start + i);
    print_message("%ld of %ld gradients compared\n", compared, n);
    assert_true(compared * 10 >= n * 9);
}

static int start_all(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) tasks_start(&tasks[i], i + 2, NULL);
    return 0;
}

static int end_all(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) tasks_end(&tasks[i]);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(programs_agree), cmocka_unit_test(gradients_agree)};
    if (!tasks_may_run()) {
        print_message("no HTTP/2 in this build: no clusters\n");
        return 0;
    }
    return cmocka_run_group_tests(tests, start_all, end_all);
}
