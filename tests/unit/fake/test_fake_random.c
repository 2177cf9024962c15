/* Random programs and their gradients over the fake accelerator and the CPU: nodes that ask for nothing, for one of
 * two accelerators or for the CPU, in loops and conditionals within each other, give the bits that the CPU gives
 * alone. Floats are computed by the device's kernels, int32 by the host's in the device's programs.
 *
 * SL_RANDOM_PROGRAMS=n and SL_RANDOM_SEED=n run more, and others. A failing program is told by its seed. */
#include <stdlib.h>

#include "grad/graph/backprop.h"
#include "root/root.h"
#include "session/local_session.h"
#include "unit/fake/fake_device.h"
#include "unit/session/random_program.h"
#include "unit/unit.h"

enum { MOST_XS = 3, ALL_FETCHES = RANDOM_FETCHES + MOST_XS };

struct outcome {
    sl_code code;
    int n;
    uint32_t values[ALL_FETCHES]; /* bits */
    char message[SL_ERROR_MESSAGE_MAX];
};

static struct outcome run(struct random_program *p, const struct sl_port *fetches, int n, const char *engine,
                          int fakes) {
    struct outcome o = {.n = n};
    const struct sl_registries *registries;
    struct sl_session *session;
    struct sl_tensor *tensors[ALL_FETCHES];
    struct sl_error err = {0};
    struct sl_pb_ConfigProto config = {.intra_op_parallelism_threads = 3, .allow_soft_placement = true};
    __typeof__(*config.device_count.items) counts[] = {{.key = SL_STR(SL_HOST_DEVICE), .value = 1},
                                                       {.key = SL_STR(FAKE_DEVICE), .value = fakes}};
    config.device_count.items = counts;
    config.device_count.n = 2;
    struct sl_session_options options = {.config = &config};
    setenv("SLUICE_EXEC", engine, 1);
    assert_ok(err, sl_root_registries(&registries, &err));
    assert_ok(err, sl_local_session_new(&session, registries, &options, &err));
    assert_ok(err, sl_session_extend(session, p->graph, &err));
    struct sl_run r = {.fetches = fetches, .fetch_tensors = tensors, .n_fetches = n};
    for (int again = 0; again < 2; again++) { /* the second run finds used slabs and blocks */
        o.code = sl_session_run(session, &r, &err);
        if (o.code != SL_OK) break;
        for (int i = 0; i < n; i++) {
            uint32_t v = *(const uint32_t *)tensors[i]->data;
            if (again && v != o.values[i]) fail_msg("%s: fetch %d changes from run to run", engine, i);
            o.values[i] = v;
            sl_tensor_unref(tensors[i]);
        }
    }
    if (o.code != SL_OK) memcpy(o.message, err.message, sizeof o.message);
    sl_session_free(session);
    return o;
}

static void expect_same(const struct outcome *got, const struct outcome *want, const char *what, long seed) {
    if (got->code != want->code)
        fail_msg("seed %ld: %s ends with %s (%s), the CPU with %s", seed, what, sl_code_name(got->code), got->message,
                 sl_code_name(want->code));
    for (int i = 0; i < got->n && want->code == SL_OK; i++)
        if (got->values[i] != want->values[i])
            fail_msg("seed %ld: fetch %d of %d is %x with %s, %x on the CPU", seed, i, got->n, got->values[i], what,
                     want->values[i]);
}

/* Nobody asks; then nodes ask for either accelerator, the CPU, or nothing. */
static bool compare(struct random_program *p, const struct sl_port *fetches, int n, long seed) {
    static const char *const places[] = {"", "/device:FAKE:0", "/device:FAKE:1", "/cpu:0"};
    fake_set_pauses((uint64_t)seed, seed % 4 ? 0 : 20000);
    SL_GRAPH_EACH(node, p->graph) node->device = SL_STR("");
    const struct outcome host = run(p, fetches, n, "linear", 0), alone = run(p, fetches, n, "linear", 1),
                         tokens = run(p, fetches, n, "frames", 1);
    SL_GRAPH_EACH(node, p->graph) node->device = sl_str_of(places[random_roll(p, 4)]);
    const struct outcome spread = run(p, fetches, n, "linear", 2);
    expect_same(&alone, &host, "an accelerator", seed);
    expect_same(&tokens, &host, "an accelerator and tokens", seed);
    expect_same(&spread, &host, "accelerators and the CPU", seed);
    return host.code == SL_OK;
}

static int add_gradients(struct sl_port *fetches, struct random_program *p) {
    struct sl_gradient dxs[MOST_XS];
    struct sl_port xs[MOST_XS];
    struct sl_error err = {0};
    int n_ys = (p->n + 1) / 2, n = 0;
    for (; n < MOST_XS; n++) xs[n] = p->fetches[random_roll(p, p->n)];
    struct sl_gradient_spec spec = {.ys = p->fetches + p->n - n_ys,
                                    .n_ys = n_ys,
                                    .xs = xs,
                                    .n_xs = n,
                                    .scope = SL_STR("gradients"),
                                    .unconnected = SL_UNCONNECTED_ZEROS};
    if (sl_graph_gradients(dxs, p->graph, &spec, &err) != SL_OK) return 0;
    for (int i = 0; i < n; i++) fetches[i] = dxs[i].values;
    return n;
}

static struct sl_op_registry *all_ops(void) {
    const struct sl_registries *registries;
    struct sl_error err = {0};
    assert_ok(err, sl_root_registries(&registries, &err));
    return registries->ops;
}

static long setting(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text ? atol(text) : otherwise;
}

/* How many of `n` programs had values to compare. */
static long compare_many(int dtype, bool with_gradients, long n) {
    long compared = 0, start = setting("SL_RANDOM_SEED", 1);
    n = setting("SL_RANDOM_PROGRAMS", n);
    for (long seed = start; seed < start + n; seed++) {
        struct random_program p;
        struct sl_port fetches[ALL_FETCHES];
        random_program_make(&p, all_ops(), seed, dtype);
        int more = with_gradients && p.n ? add_gradients(fetches, &p) : 0;
        for (int i = 0; i < p.n; i++) fetches[more + i] = p.fetches[i];
        if (p.n && (more || !with_gradients)) compared += compare(&p, fetches, more + p.n, seed);
        random_program_clear(&p);
    }
    print_message("%ld of %ld programs compared\n", compared, n);
    return n ? compared * 100 / n : 100;
}

static void floats_agree(void **state) {
    (void)state;
    unsigned long before = fake_counts().kernels;
    assert_true(compare_many(SL_FLOAT, false, 200) >= 80);
    assert_true(fake_counts().kernels > before);
}

static void integers_agree(void **state) {
    (void)state;
    assert_true(compare_many(SL_INT32, false, 100) >= 80);
}

static void gradients_agree(void **state) {
    (void)state;
    assert_true(compare_many(SL_FLOAT, true, 100) >= 80);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(floats_agree), cmocka_unit_test(integers_agree),
                                       cmocka_unit_test(gradients_agree)};
    struct sl_error err = {0};
    setenv("SLUICE_CHECK", "1", 1);
    if (sl_root_add_backend(&fake_backend, &err) != SL_OK) return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
