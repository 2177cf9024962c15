/* Random programs under every engine: nested conditionals and loops made of the five primitives, some of them
 * fetched where no value may arrive, and gradients of such programs. The linear and the token form must give the
 * same values or the same error, for any number of threads; and so must the nodes spread over several devices, and loops
 * that are not machine code, also when numbers are watched: then they name the same node in the same iteration. The graph is
 * checked after each pass, and what is cut for each device.
 *
 * SL_RANDOM_PROGRAMS=n and SL_RANDOM_SEED=n run more, and others. A failing program is told by its seed. */
#include <stdio.h>
#include <stdlib.h>

#include "base/error_place.h"
#include "grad/graph/backprop.h"
#include "kernel/numerics.h"
#include "root/root.h"
#include "session/local_session.h"
#include "unit/session/random_program.h"
#include "unit/unit.h"

enum { MOST_XS = 4, ALL_FETCHES = RANDOM_FETCHES + MOST_XS };

struct outcome {
    sl_code code;
    int n;
    uint32_t values[ALL_FETCHES]; /* bits */
    char message[1024];           /* of an error, with its place */
};

static unsigned watch; /* what sessions watch */

static struct outcome run(struct random_program *p, const struct sl_port *fetches, int n, const char *engine,
                          int threads, int devices) {
    struct outcome o = {.n = n};
    const struct sl_registries *registries;
    struct sl_session *session;
    struct sl_tensor *tensors[ALL_FETCHES];
    struct sl_error err = {0};
    struct sl_pb_ConfigProto config = {.intra_op_parallelism_threads = threads, .allow_soft_placement = true};
    __typeof__(*config.device_count.items) cpus = {.key = SL_STR("CPU"), .value = devices};
    config.device_count.items = &cpus;
    config.device_count.n = 1;
    struct sl_session_options options = {.config = &config, .watch = watch};
    setenv("SLUICE_EXEC", engine, 1);
    assert_int_equal(sl_root_registries(&registries, &err), SL_OK);
    assert_int_equal(sl_local_session_new(&session, registries, &options, &err), SL_OK);
    assert_int_equal(sl_session_extend(session, p->graph, &err), SL_OK);
    struct sl_run r = {.fetches = fetches, .fetch_tensors = tensors, .n_fetches = n};
    for (int again = 0; again < 2; again++) { /* the second run finds used slabs */
        o.code = sl_session_run(session, &r, &err);
        for (int i = 0; i < n && o.code == SL_OK; i++) {
            uint32_t v = *(const uint32_t *)tensors[i]->data;
            if (again && v != o.values[i]) fail_msg("%s: fetch %d changes from run to run", engine, i);
            o.values[i] = v;
            sl_tensor_unref(tensors[i]);
        }
        if (o.code == SL_OK) continue;
        snprintf(o.message, sizeof o.message, "%.700s, %.300s", err.message, sl_error_place(&err));
        break;
    }
    sl_session_free(session);
    return o;
}

static void expect_same(struct outcome got, struct outcome want, const char *what, int threads, long seed) {
    if (got.code != want.code)
        fail_msg("seed %ld: %s end with %s, linear with %s", seed, what, sl_code_name(got.code),
                 sl_code_name(want.code));
    for (int i = 0; i < got.n && want.code == SL_OK; i++)
        if (got.values[i] != want.values[i])
            fail_msg("seed %ld, %d threads: fetch %d is %x with %s, %x linear", seed, threads, i, got.values[i], what,
                     want.values[i]);
}

/* Whether there were values to compare, not errors. */
static bool compare(struct random_program *p, const struct sl_port *fetches, int n, long seed) {
    struct outcome linear = run(p, fetches, n, "linear", 1, 1);
    setenv("SLUICE_HEAVY_NS", seed % 2 ? "0" : "5000", 1); /* with 0 nodes go from thread to thread */
    for (int threads = 1; threads <= 8; threads = threads == 1 ? 2 : threads * 4)
        expect_same(run(p, fetches, n, "frames", threads, 1), linear, "tokens", threads, seed);
    int devices = 2 + (int)(seed % (RANDOM_DEVICES - 1)), threads = 1 + (int)(seed / 4 % 4);
    expect_same(run(p, fetches, n, "linear", threads, devices), linear, "devices", threads, seed);
    setenv("SLUICE_JIT", "off", 1);
    expect_same(run(p, fetches, n, "linear", 1, 1), linear, "interpreted loops", 1, seed);
    unsetenv("SLUICE_JIT");
    return linear.code == SL_OK;
}

/* Machine code and the interpreter find the same bad number, or both none. Whether there was one. */
static bool compare_watched(struct random_program *p, const struct sl_port *fetches, int n, long seed) {
    watch = SL_WATCHES_NAN | (seed % 4 ? SL_WATCHES_INFINITY : 0);
    struct outcome code = run(p, fetches, n, "linear", 1, 1);
    setenv("SLUICE_JIT", "off", 1);
    struct outcome interpreted = run(p, fetches, n, "linear", 1, 1);
    unsetenv("SLUICE_JIT");
    watch = 0;
    expect_same(code, interpreted, "watched machine code", 1, seed);
    if (code.code != SL_OK && strcmp(code.message, interpreted.message) != 0)
        fail_msg("seed %ld: machine code says\n%s\nthe interpreter\n%s", seed, code.message, interpreted.message);
    return strstr(code.message, "Watching numbers") != NULL;
}

static void one_program(long seed, struct sl_op_registry *ops) {
    struct random_program p;
    random_program_make(&p, ops, seed, SL_INT32);
    if (p.n) compare(&p, p.fetches, p.n, seed);
    for (int i = 0; i < p.n_odd; i++) compare(&p, &p.odd[i], 1, seed); /* alive or dead: the same in both */
    random_program_clear(&p);
}

/* Adds the gradients of half of what can be fetched with respect to some of the values, on devices at random. How
 * many; 0 when they are refused. */
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
    if (sl_graph_gradients(dxs, p->graph, &spec, &err) != SL_OK) {
        if (getenv("SL_RANDOM_SEED")) print_message("%s\n", err.message);
        return 0;
    }
    for (size_t i = n_before; i < p->graph->nodes.n && !spec.colocates; i++)
        p->graph->nodes.items[i]->device = random_device(p);
    for (int i = 0; i < n; i++) fetches[i] = dxs[i].values;
    return n;
}

/* 1: values were compared. */
static int one_gradient(long seed, struct sl_op_registry *ops) {
    struct random_program p;
    struct sl_port fetches[ALL_FETCHES];
    random_program_make(&p, ops, seed, SL_FLOAT);
    int n = p.n ? add_gradients(fetches, &p) : 0;
    bool has_values = false;
    if (n) {
        for (int i = 0; i < p.n; i++) fetches[n + i] = p.fetches[i];
        has_values = compare(&p, fetches, n + p.n, seed);
    }
    random_program_clear(&p);
    return has_values;
}

static long setting(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text ? atol(text) : otherwise;
}

static struct sl_op_registry *all_ops(void) {
    const struct sl_registries *registries;
    struct sl_error err = {0};
    assert_int_equal(sl_root_registries(&registries, &err), SL_OK);
    return registries->ops;
}

static void engines_agree(void **state) {
    (void)state;
    long n = setting("SL_RANDOM_PROGRAMS", 2000), start = setting("SL_RANDOM_SEED", 1);
    for (long i = 0; i < n; i++) one_program(start + i, all_ops());
}

static void gradients_agree(void **state) {
    (void)state;
    long n = setting("SL_RANDOM_PROGRAMS", 2000), start = setting("SL_RANDOM_SEED", 1), compared = 0;
    for (long i = 0; i < n; i++) compared += one_gradient(start + i, all_ops());
    print_message("%ld of %ld gradients compared\n", compared, n);
    assert_true(compared * 10 >= n * 9);
}

static void bad_numbers_are_found(void **state) {
    (void)state;
    long n = setting("SL_RANDOM_PROGRAMS", 2000) / 2, start = setting("SL_RANDOM_SEED", 1), bad = 0;
    for (long i = 0; i < n; i++) {
        struct random_program p;
        struct sl_port fetches[ALL_FETCHES];
        random_program_make_wild(&p, all_ops(), start + i);
        int n_gradients = p.n ? add_gradients(fetches, &p) : 0;
        if (p.n) bad += compare_watched(&p, p.fetches, p.n, start + i);
        if (n_gradients) bad += compare_watched(&p, fetches, n_gradients, start + i);
        random_program_clear(&p);
    }
    print_message("%ld bad numbers in %ld programs\n", bad, n);
    assert_true(bad * 20 >= n);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(engines_agree), cmocka_unit_test(gradients_agree),
                                       cmocka_unit_test(bad_numbers_are_found)};
    setenv("SLUICE_CHECK", "1", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
