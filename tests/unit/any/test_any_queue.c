/* Queues: who waits, for how long, and what ends it; the order of tuples; many threads. */
#include "unit/any/one_node.h"

#include <pthread.h>

#include "kernel/variable.h"

#define INTS  "attr { key: 'component_types' value { list { type: DT_INT32 } } }"
#define ROWS  INTS "attr { key: 'shapes' value { list { shape { } } } }"
#define T_INT "attr { key: 'Tcomponents' value { list { type: DT_INT32 } } }"

static struct sl_value queue_of(struct bench *b, const char *attrs) {
    struct node n;
    node_make(&n, b, "FIFOQueueV2", attrs);
    assert_ok(b->err, node_run(&n));
    struct sl_value q = node_take(&n, 0);
    node_end(&n);
    return q;
}

static void put(struct bench *b, struct sl_value q, int32_t i) {
    assert_ok(b->err, run_once(b, NULL, "QueueEnqueueV2", T_INT, INPUTS(share(q), i32(i))));
}
static void expect_next(struct bench *b, struct sl_value q, const char *elements) {
    take_and_expect(RUN(b, "QueueDequeueV2", INTS, share(q)), "[]", elements);
}
static void expect_size(struct bench *b, struct sl_value q, const char *n) {
    take_and_expect(RUN(b, "QueueSizeV2", "", share(q)), "[]", n);
}
static void close_queue(struct bench *b, struct sl_value q, bool cancels) {
    assert_ok(b->err,
              run_once(b, NULL, "QueueCloseV2",
                       cancels ? "attr { key: 'cancel_pending_enqueues' value { b: true } }" : "", INPUTS(share(q))));
}

/* A node with an error of its own, begun. */
struct begun {
    struct node node;
    struct bench bench;
};
static void begin(struct begun *w, struct bench *b, const char *op, const char *attrs, struct sl_value q,
                  struct sl_value more) {
    w->bench = *b;
    sl_error_clear(&w->bench.err);
    node_make(&w->node, &w->bench, op, attrs);
    node_in(&w->node, 0, share(q));
    if (more.kind != SL_VALUE_NONE) node_in(&w->node, 1, more);
    node_start(&w->node);
}
static const struct sl_value nothing = {0};

static void end_failed(struct begun *w, sl_code code, const char *message) {
    assert_int_equal(node_wait(&w->node), code);
    assert_non_null(strstr(w->bench.err.message, message));
    node_end(&w->node);
}

static void waits_until_there_is_something(void **state) {
    struct bench *b = *state;
    struct sl_value q = queue_of(b, ROWS);
    struct begun one, many;
    begin(&one, b, "QueueDequeueV2", INTS, q, nothing);
    begin(&many, b, "QueueDequeueManyV2", INTS, q, i32(2));
    assert_false(one.node.is_done || many.node.is_done);
    put(b, q, 1);
    assert_true(one.node.is_done && !many.node.is_done);
    put(b, q, 2);
    assert_false(many.node.is_done);
    expect_size(b, q, "0");
    put(b, q, 3);
    put(b, q, 4);
    assert_ok(one.bench.err, node_wait(&one.node));
    take_and_expect(node_take(&one.node, 0), "[]", "1");
    assert_ok(many.bench.err, node_wait(&many.node));
    take_and_expect(node_take(&many.node, 0), "[2]", "2 3");
    node_end(&one.node);
    node_end(&many.node);
    expect_next(b, q, "4");
    sl_value_clear(&q);
}

static void waits_until_there_is_room(void **state) {
    struct bench *b = *state;
    struct sl_value q = queue_of(b, ROWS "attr { key: 'capacity' value { i: 2 } }");
    struct begun batch, closing;
    begin(&batch, b, "QueueEnqueueManyV2", T_INT, q, VEC_I32(1, 2, 3));
    begin(&closing, b, "QueueCloseV2", "", q, nothing);
    assert_false(batch.node.is_done || closing.node.is_done);
    take_and_expect(RUN(b, "QueueIsClosedV2", "", share(q)), "[]", "0");
    expect_next(b, q, "1");
    assert_ok(batch.bench.err, node_wait(&batch.node));
    assert_ok(closing.bench.err, node_wait(&closing.node));
    node_end(&batch.node);
    node_end(&closing.node);
    take_and_expect(RUN(b, "QueueDequeueUpToV2", INTS, share(q), i32(5)), "[2]", "2 3");
    REFUSED(b, SL_OUT_OF_RANGE,
            "FIFOQueue '_0_n' is closed and has insufficient elements (requested 1, current size 0)", "QueueDequeueV2",
            INTS, share(q));
    REFUSED(b, SL_CANCELLED, "FIFOQueue '_0_n' is closed.", "QueueEnqueueV2", T_INT, share(q), i32(1));
    REFUSED(b, SL_CANCELLED, "is already closed.", "QueueCloseV2", "", share(q));
    sl_value_clear(&q);
}

static void closing_ends_waits(void **state) {
    struct bench *b = *state;
    struct sl_value q = queue_of(b, ROWS "attr { key: 'capacity' value { i: 1 } }");
    struct begun w;
    put(b, q, 1);
    begin(&w, b, "QueueEnqueueV2", T_INT, q, i32(2));
    close_queue(b, q, true);
    end_failed(&w, SL_CANCELLED, "Enqueue operation was cancelled");
    expect_next(b, q, "1");
    sl_value_clear(&q);

    q = queue_of(b, ROWS);
    put(b, q, 1);
    begin(&w, b, "QueueDequeueManyV2", INTS, q, i32(3));
    close_queue(b, q, false);
    end_failed(&w, SL_OUT_OF_RANGE, "requested 2, current size 0");
    expect_next(b, q, "1"); /* it was put back */
    sl_value_clear(&q);

    q = queue_of(b, ROWS);
    for (int i = 1; i <= 3; i++) put(b, q, i);
    begin(&w, b, "QueueDequeueManyV2", INTS, q, i32(4));
    close_queue(b, q, false);
    end_failed(&w, SL_OUT_OF_RANGE, "requested 1, current size 0");
    take_and_expect(RUN(b, "QueueDequeueManyV2", INTS, share(q), i32(3)), "[3]", "1 2 3"); /* in their order */
    sl_value_clear(&q);
}

static void *cancel_later(void *arg) {
    sl_cancellation_start(arg, SL_CANCELLED, "enough");
    return NULL;
}

static void cancellation_ends_waits(void **state) {
    struct bench *b = *state;
    struct sl_value q = queue_of(b, ROWS "attr { key: 'capacity' value { i: 1 } }");
    struct begun w[4];
    put(b, q, 1);
    for (int i = 0; i < 4; i++) begin(&w[i], b, "QueueEnqueueV2", T_INT, q, i32(i));
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, cancel_later, b->env.cancellation), 0);
    for (int i = 0; i < 4; i++) end_failed(&w[i], SL_CANCELLED, "Enqueue operation was cancelled");
    pthread_join(thread, NULL);
    begin(&w[0], b, "QueueDequeueV2", INTS, q, nothing);
    end_failed(&w[0], SL_CANCELLED, "Dequeue operation was cancelled");
    expect_size(b, q, "1");
    sl_value_clear(&q);
}

static void refuses_what_does_not_fit(void **state) {
    struct bench *b = *state;
    struct sl_value q = queue_of(b, ROWS);
    REFUSED(b, SL_INVALID_ARGUMENT, "Shape mismatch in tuple component 0. Expected [], got [1]", "QueueEnqueueV2",
            T_INT, share(q), VEC_I32(1));
    REFUSED(b, SL_INVALID_ARGUMENT, "Signature mismatch, have: resource, float-> expected: resource, int32->",
            "QueueEnqueueV2", "attr { key: 'Tcomponents' value { list { type: DT_FLOAT } } }", share(q), f32(1));
    REFUSED(b, SL_INVALID_ARGUMENT, "DequeueManyOp requested -1 < 0 elements", "QueueDequeueManyV2", INTS, share(q),
            i32(-1));
    REFUSED(b, SL_INVALID_ARGUMENT, "using the wrong type", "QueueSizeV2", "",
            (struct sl_value){.kind = SL_VALUE_OBJECT, .dtype = SL_RESOURCE});
    sl_value_clear(&q);
    q = queue_of(b, INTS);
    REFUSED(b, SL_INVALID_ARGUMENT, "require the components to have specified shapes", "QueueDequeueManyV2", INTS,
            share(q), i32(1));
    REFUSED(b, SL_INVALID_ARGUMENT, "at least one dimension", "QueueEnqueueManyV2", T_INT, share(q), i32(1));
    sl_value_clear(&q);
    q = queue_of(b, "attr { key: 'component_types' value { list { type: [DT_INT32, DT_INT32] } } }");
    REFUSED(b, SL_INVALID_ARGUMENT, "Component 1 has 3, and should have 2", "QueueEnqueueManyV2",
            "attr { key: 'Tcomponents' value { list { type: [DT_INT32, DT_INT32] } } }", share(q), VEC_I32(1, 2),
            VEC_I32(1, 2, 3));
    sl_value_clear(&q);
}

static void pads_batches(void **state) {
    struct bench *b = *state;
    const char *attrs = "attr { key: 'component_types' value { list { type: DT_INT32 } } }"
                        "attr { key: 'shapes' value { list { shape { dim { size: -1 } } } } }";
    struct sl_value q = run_one(b, "PaddingFIFOQueueV2", attrs, NULL, 0);
    assert_ok(b->err, run_once(b, NULL, "QueueEnqueueV2", T_INT, INPUTS(share(q), VEC_I32(1, 2))));
    assert_ok(b->err, run_once(b, NULL, "QueueEnqueueV2", T_INT, INPUTS(share(q), VEC_I32(3))));
    take_and_expect(RUN(b, "QueueDequeueManyV2", INTS, share(q), i32(2)), "[2,2]", "[1 2][3 0]");
    take_and_expect(RUN(b, "QueueDequeueManyV2", INTS, share(q), i32(0)), "[0,0]", "");
    sl_value_clear(&q);
}

/* ---- the other kinds, the old handles */

static struct sl_value numbered(struct bench *b, int n) {
    int32_t v[64];
    (void)b;
    for (int i = 0; i < n; i++) v[i] = i;
    return vec_i32(n, v);
}

static void shuffles_as_the_seeds_say(void **state) {
    struct bench *b = *state;
    struct sl_value q = run_one(b, "RandomShuffleQueueV2",
                                ROWS "attr { key: 'seed' value { i: 87654321 } } attr { key: 'seed2' value { i: 12 } }"
                                     "attr { key: 'min_after_dequeue' value { i: 2 } }",
                                NULL, 0);
    struct begun w;
    assert_ok(b->err, run_once(b, NULL, "QueueEnqueueManyV2", T_INT, INPUTS(share(q), numbered(b, 20))));
    take_and_expect(RUN(b, "QueueDequeueManyV2", INTS, share(q), i32(8)), "[8]", "2 1 9 19 3 14 8 13");
    expect_next(b, q, "17");
    struct sl_value nine = RUN(b, "QueueDequeueManyV2", INTS, share(q), i32(9));
    sl_value_clear(&nine);
    begin(&w, b, "QueueDequeueV2", INTS, q, nothing); /* two must stay */
    assert_false(w.node.is_done);
    close_queue(b, q, false);
    assert_ok(w.bench.err, node_wait(&w.node));
    struct sl_value one = node_take(&w.node, 0);
    sl_value_clear(&one);
    node_end(&w.node);
    expect_size(b, q, "1");
    sl_value_clear(&q);
}

static void gives_the_smallest_priority_first(void **state) {
    struct bench *b = *state;
    const char *two = "attr { key: 'component_types' value { list { type: DT_INT64 type: DT_INT32 } } }",
               *put_two = "attr { key: 'Tcomponents' value { list { type: DT_INT64 type: DT_INT32 } } }";
    struct sl_value q = run_one(b, "PriorityQueueV2", ROWS, NULL, 0), outs[2];
    assert_ok(b->err, run_once(b, NULL, "QueueEnqueueManyV2", put_two,
                               INPUTS(share(q), VEC_I64(3, 1, 2, 1, 3, 2, 1, 1, 2, 3, 0), numbered(b, 11))));
    assert_ok(b->err, run_once(b, outs, "QueueDequeueManyV2", two, INPUTS(share(q), i32(11))));
    take_and_expect(outs[0], "[11]", "0 1 1 1 1 2 2 2 3 3 3");
    take_and_expect(outs[1], "[11]", "10 6 1 3 7 2 5 8 4 0 9");
    /* A batch is taken when all of it is there, whatever the order in which it comes. */
    struct begun batch;
    begin(&batch, b, "QueueDequeueManyV2", two, q, i32(3));
    for (int64_t priority = 3; priority > 0; priority--) {
        assert_false(batch.node.is_done);
        expect_size(b, q, priority == 3 ? "0" : priority == 2 ? "1" : "2");
        assert_ok(b->err, run_once(b, NULL, "QueueEnqueueV2", put_two, INPUTS(share(q), i64(priority), i32(7))));
    }
    assert_ok(batch.bench.err, node_wait(&batch.node));
    take_and_expect(node_take(&batch.node, 0), "[3]", "1 2 3");
    take_and_expect(node_take(&batch.node, 1), "[3]", "7 7 7");
    node_end(&batch.node);
    sl_value_clear(&q);
}

static void serves_references_too(void **state) {
    struct bench *b = *state;
    const char *makers[] = {"FIFOQueue", "PaddingFIFOQueue", "RandomShuffleQueue"};
    for (size_t i = 0; i < 3; i++) {
        struct sl_value q = run_one(b, makers[i], ROWS, NULL, 0);
        assert_int_equal(q.kind, SL_VALUE_REF);
        assert_ok(b->err, run_once(b, NULL, "QueueEnqueue", T_INT, INPUTS(share(q), i32(5))));
        assert_ok(b->err, run_once(b, NULL, "QueueEnqueueMany", T_INT, INPUTS(share(q), VEC_I32(5, 5, 5))));
        take_and_expect(RUN(b, "QueueSize", "", share(q)), "[]", "4");
        take_and_expect(RUN(b, "QueueDequeue", INTS, share(q)), "[]", "5");
        take_and_expect(RUN(b, "QueueDequeueMany", INTS, share(q), i32(2)), "[2]", "5 5");
        assert_ok(b->err, run_once(b, NULL, "QueueClose", "", INPUTS(share(q))));
        take_and_expect(RUN(b, "QueueIsClosed", "", share(q)), "[]", "1");
        take_and_expect(RUN(b, "QueueDequeueUpTo", INTS, share(q), i32(9)), "[1]", "5");
        sl_value_clear(&q);
    }
    struct sl_value q = queue_of(b, ROWS), fake = RUN(b, "FakeQueue", "", share(q));
    put(b, q, 7);
    take_and_expect(RUN(b, "QueueSize", "", fake), "[]", "1");
    sl_value_clear(&q);
    q = run_one(b, "PriorityQueue", ROWS, NULL, 0);
    assert_int_equal(q.kind, SL_VALUE_REF);
    sl_value_clear(&q);
}

/* A second node of a name is the same queue if it asks for the same; else it says what differs. */
static void shared_queues_are_as_they_were_made(void **state) {
    struct bench *b = *state;
#define NAMED ROWS "attr { key: 'shared_name' value { s: 'shared' } }"
#define WITH(capacity, least, seed)                                                                                    \
    NAMED "attr { key: 'capacity' value { i: " capacity " } } attr { key: 'min_after_dequeue' value { i: " least       \
          " } } attr { key: 'seed' value { i: " seed " } }"
    struct sl_value q = run_one(b, "RandomShuffleQueueV2", WITH("9", "4", "7"), NULL, 0),
                    same = run_one(b, "RandomShuffleQueueV2", WITH("9", "4", "7"), NULL, 0);
    assert_ptr_equal(q.object, same.object);
    sl_value_clear(&same);
    same = run_one(b, "RandomShuffleQueueV2", WITH("9", "4", "0"), NULL, 0); /* no seeds: whatever it has */
    assert_ptr_equal(q.object, same.object);
    sl_value_clear(&same);
    const struct {
        const char *op, *attrs, *message;
    } rows[] = {
        {"RandomShuffleQueueV2", WITH("9", "3", "7"), "has min_after_dequeue 4 but requested min_after_dequeue was 3."},
        {"RandomShuffleQueueV2", WITH("9", "5", "7"), "has min_after_dequeue 4 but requested min_after_dequeue was 5."},
        {"RandomShuffleQueueV2", WITH("8", "4", "7"), "has capacity 9 but requested capacity was 8"},
        {"RandomShuffleQueueV2", WITH("-1", "4", "7"), "has capacity 9 but requested capacity was -1"},
        {"RandomShuffleQueueV2", WITH("9", "4", "8"), "has random seeds (7, 0) but requested seeds are (8, 0)."},
        {"FIFOQueueV2", NAMED "attr { key: 'capacity' value { i: 9 } }",
         "Expected RandomShuffleQueue, found FIFOQueue"},
        {"RandomShuffleQueueV2",
         "attr { key: 'component_types' value { list { type: DT_FLOAT } } } attr { key: 'shapes' value { list { shape "
         "{ "
         "} } } } attr { key: 'shared_name' value { s: 'shared' } } attr { key: 'capacity' value { i: 9 } }",
         "has component types int32 but requested component types were float"},
        {"RandomShuffleQueueV2",
         INTS
         "attr { key: 'shapes' value { list { shape { dim { size: 2 } } } } } attr { key: 'shared_name' value { s: "
         "'shared' } } attr { key: 'capacity' value { i: 9 } }",
         "has component shapes [[]] but requested component shapes were [[2]]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_fails(b->err, SL_INVALID_ARGUMENT, rows[i].message,
                     run_once(b, NULL, rows[i].op, rows[i].attrs, NULL, 0));
        assert_non_null(strstr(b->err.message, i == 5 ? "Expected" : "Shared queue 'shared'"));
    }
    sl_value_clear(&q);
    assert_fails(b->err, SL_INVALID_ARGUMENT, "min_after_dequeue 9 must be < capacity 9",
                 node_try_to_make(b, "RandomShuffleQueueV2", WITH("9", "9", "0")));
    assert_fails(b->err, SL_INVALID_ARGUMENT, "min_after_dequeue -1 must be >= 0",
                 node_try_to_make(b, "RandomShuffleQueueV2", WITH("9", "-1", "0")));
    assert_ok(b->err, node_try_to_make(b, "RandomShuffleQueueV2", WITH("9", "8", "0")));
}

/* ---- many threads: each puts numbers and takes as many; nothing is lost */

enum { THREADS = 4, EACH = 300 };
struct worker {
    struct bench bench;
    struct sl_value queue;
    int64_t sum;
};

static void *put_many(void *arg) {
    struct worker *w = arg;
    for (int i = 0; i < EACH; i++) {
        struct begun e;
        begin(&e, &w->bench, "QueueEnqueueV2", T_INT, w->queue, i32(i));
        node_wait(&e.node);
        node_end(&e.node);
    }
    return NULL;
}

static void *take_many(void *arg) {
    struct worker *w = arg;
    for (int i = 0; i < EACH; i += 2) {
        struct begun d;
        begin(&d, &w->bench, "QueueDequeueManyV2", INTS, w->queue, i32(2));
        node_wait(&d.node);
        struct sl_value pair = node_take(&d.node, 0);
        const int32_t *v = pair.tensor->data;
        w->sum += v[0] + v[1];
        sl_value_clear(&pair);
        node_end(&d.node);
    }
    return NULL;
}

static void loses_nothing_among_threads(void **state) {
    struct bench *b = *state;
    struct sl_value q = queue_of(b, ROWS "attr { key: 'capacity' value { i: 3 } }");
    struct worker w[2 * THREADS];
    pthread_t threads[2 * THREADS];
    int64_t sum = 0;
    for (int i = 0; i < 2 * THREADS; i++) {
        w[i] = (struct worker){*b, q, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, i % 2 ? put_many : take_many, &w[i]), 0);
    }
    for (int i = 0; i < 2 * THREADS; i++) {
        pthread_join(threads[i], NULL);
        sum += w[i].sum;
    }
    assert_int_equal(sum, (int64_t)THREADS * EACH * (EACH - 1) / 2);
    expect_size(b, q, "0");
    sl_value_clear(&q);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, bench_setup, bench_teardown)
int main(void) {
    const struct CMUnitTest tests[] = {TEST(waits_until_there_is_something),
                                       TEST(waits_until_there_is_room),
                                       TEST(closing_ends_waits),
                                       TEST(cancellation_ends_waits),
                                       TEST(refuses_what_does_not_fit),
                                       TEST(pads_batches),
                                       TEST(shuffles_as_the_seeds_say),
                                       TEST(gives_the_smallest_priority_first),
                                       TEST(serves_references_too),
                                       TEST(shared_queues_are_as_they_were_made),
                                       TEST(loses_nothing_among_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
