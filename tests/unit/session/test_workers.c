/* Many threads in one step of the token form: queues that several steps share, errors, deadlines. Every node goes
 * from thread to thread (SLUICE_HEAVY_NS=0). test_random_programs compares whole programs this way; this is what
 * they do not have. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "os/thread.h"
#include "proto/gen/messages.h"
#include "root/root.h"
#include "session/local_session.h"
#include "unit/graph/graph_fixture.h"

enum { PAIRS = 40, CALLERS = 4, RUNS = 25, THREADS = 6 };

#define FLOAT  "T type: DT_FLOAT"
#define TYPES  "component_types list { type: DT_FLOAT }"
#define TCOMPS "Tcomponents list { type: DT_FLOAT }"

struct text {
    char bytes[65536];
    size_t n;
};

static void add(struct text *t, const char *format, ...) SL_PRINTF(2, 3);
static void add(struct text *t, const char *format, ...) {
    va_list args;
    va_start(args, format);
    t->n += (size_t)vsnprintf(t->bytes + t->n, sizeof t->bytes - t->n, format, args);
    va_end(args);
    assert_true(t->n < sizeof t->bytes);
}

static struct sl_session *session_of(struct graph_fixture *f, const char *text) {
    const struct sl_registries *registries;
    struct sl_session *session;
    struct sl_pb_ConfigProto config = {.intra_op_parallelism_threads = THREADS};
    struct sl_session_options options = {.config = &config};
    assert_ok(f->err, sl_root_registries(&registries, &f->err));
    sl_graph_free(f->graph);
    assert_ok(f->err, sl_graph_new(&f->graph, registries->ops, &f->err));
    import_text(f, text, NULL);
    assert_ok(f->err, sl_local_session_new(&session, registries, &options, &f->err));
    assert_ok(f->err, sl_session_extend(session, f->graph, &f->err));
    return session;
}

/* ---- queues */

/* What one caller does: each run puts PAIRS ones into the queue and takes as many out, whoever's they are. */
struct caller {
    struct sl_session *session;
    struct sl_port fetch;
    atomic_int *failures;
};

static void call(void *arg) {
    const struct caller *c = arg;
    for (int i = 0; i < RUNS; i++) {
        struct sl_error err = {0};
        struct sl_tensor *t;
        struct sl_run run = {.fetches = &c->fetch, .fetch_tensors = &t, .n_fetches = 1};
        if (sl_session_run(c->session, &run, &err) != SL_OK) {
            atomic_fetch_add(c->failures, 1);
            continue;
        }
        if (*(const float *)t->data != PAIRS) atomic_fetch_add(c->failures, 1);
        sl_tensor_unref(t);
    }
}

GRAPH_TEST(steps_share_a_queue) {
    static struct text t;
    struct sl_thread threads[CALLERS];
    atomic_int failures = 0;
    t.n = 0;
    add(&t, "q = FIFOQueueV2() " TYPES
            "; capacity i: 7\n x = RandomUniformInt(s, lo, hi) Tout type: DT_INT32; T type: DT_INT32\n"
            " s = Const() dtype type: DT_INT32; value tensor { dtype: DT_INT32 tensor_shape { dim { size: 0 } } }\n"
            " lo = Const() dtype type: DT_INT32; value tensor { dtype: DT_INT32 tensor_shape {} int_val: 1 }\n"
            " hi = Const() dtype type: DT_INT32; value tensor { dtype: DT_INT32 tensor_shape {} int_val: 2 }\n"
            " one = Cast(x) SrcT type: DT_INT32; DstT type: DT_FLOAT\n");
    for (int i = 0; i < PAIRS; i++)
        add(&t,
            "a%d = Mul(one, one) " FLOAT "\n e%d = QueueEnqueueV2(q, a%d) " TCOMPS "\n d%d = QueueDequeueV2(q) " TYPES
            "\n n%d = Neg(d%d, ^e%d) " FLOAT "\n",
            i, i, i, i, i, i, (i + 3) % PAIRS);
    add(&t, "sum = AddN(");
    for (int i = 0; i < PAIRS; i++) add(&t, "%sn%d", i ? ", " : "", i);
    add(&t, ") " FLOAT "; N i: %d\n y = Neg(sum) " FLOAT "\n", PAIRS);
    struct caller caller = {session_of(f, t.bytes), {0}, &failures};
    caller.fetch = port_of(f, "y", 0);
    for (int i = 0; i < CALLERS; i++)
        assert_ok(f->err, sl_thread_start(&threads[i], "caller", 0, call, &caller, &f->err));
    for (int i = 0; i < CALLERS; i++) sl_thread_join(&threads[i]);
    assert_int_equal(atomic_load(&failures), 0);
    sl_session_free(caller.session);
}

/* ---- errors and deadlines: everything that is ready or runs is given up, and the next step is not the worse for it */

GRAPH_TEST(one_error_of_many_is_told) {
    static struct text t;
    t.n = 0;
    add(&t, "q = FIFOQueueV2() " TYPES "\n p = Placeholder() dtype type: DT_FLOAT\n z = QueueSizeV2(q)\n");
    for (int i = 0; i < PAIRS; i++)
        add(&t,
            "a%d = Exp(p) " FLOAT "\n b%d = MatMul(a%d, p) " FLOAT "\n w%d = QueueDequeueV2(q) " TYPES
            "\n c%d = Add(b%d, w%d) " FLOAT "\n",
            i, i, i, i, i, i, i);
    add(&t, "sum = AddN(");
    for (int i = 0; i < PAIRS; i++) add(&t, "%sc%d", i ? ", " : "", i);
    add(&t, ") " FLOAT "; N i: %d\n", PAIRS);
    struct sl_session *s = session_of(f, t.bytes);
    const int64_t dims[2] = {3, 2}; /* cannot be multiplied by itself */
    struct sl_tensor *fed, *got = NULL;
    assert_ok(f->err, sl_tensor_new(&fed, SL_FLOAT, (struct sl_shape){2, dims}, &f->err));
    memset(fed->data, 0, 6 * sizeof(float));
    struct sl_port feed = port_of(f, "p", 0), fetch = port_of(f, "sum", 0), size = port_of(f, "z", 0);
    struct sl_run run = {
        .feeds = &feed, .feed_tensors = &fed, .n_feeds = 1, .fetches = &fetch, .fetch_tensors = &got, .n_fetches = 1};
    struct sl_run after = {.fetches = &size, .fetch_tensors = &got, .n_fetches = 1};
    for (int i = 0; i < RUNS; i++) {
        assert_fails(f->err, SL_INVALID_ARGUMENT, "{{node b", sl_session_run(s, &run, &f->err));
        assert_ok(f->err, sl_session_run(s, &after, &f->err));
        assert_int_equal(*(const int32_t *)got->data, 0);
        sl_tensor_unref(got);
    }
    sl_tensor_unref(fed);
    sl_session_free(s);
}

GRAPH_TEST(a_deadline_ends_all_waits) {
    static struct text t;
    t.n = 0;
    add(&t, "q = FIFOQueueV2() " TYPES "\n");
    for (int i = 0; i < PAIRS; i++) add(&t, "w%d = QueueDequeueV2(q) " TYPES "\n", i);
    add(&t, "sum = AddN(");
    for (int i = 0; i < PAIRS; i++) add(&t, "%sw%d", i ? ", " : "", i);
    add(&t, ") " FLOAT "; N i: %d\n", PAIRS);
    struct sl_session *s = session_of(f, t.bytes);
    struct sl_port fetch = port_of(f, "sum", 0);
    struct sl_tensor *got = NULL;
    struct sl_pb_RunOptions options = {.timeout_in_ms = 20};
    struct sl_run run = {.fetches = &fetch, .fetch_tensors = &got, .n_fetches = 1, .options = &options};
    for (int i = 0; i < 3; i++) assert_fails(f->err, SL_DEADLINE_EXCEEDED, "", sl_session_run(s, &run, &f->err));
    sl_session_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        graph_unit_test(steps_share_a_queue),
        graph_unit_test(one_error_of_many_is_told),
        graph_unit_test(a_deadline_ends_all_waits),
    };
    setenv("SLUICE_EXEC", "frames", 1);
    setenv("SLUICE_HEAVY_NS", "0", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
