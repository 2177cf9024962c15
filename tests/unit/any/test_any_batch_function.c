/* BatchFunction: which calls run together, what each gets back, what fails, who may leave. */
#include "unit/any/one_node.h"

#include <pthread.h>
#include <stdio.h>

/* ---- functions of vectors; they wait while the gate is shut */

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool is_shut;
    int n_inside;
} gate = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, 0};

static void set_gate(bool is_shut) {
    pthread_mutex_lock(&gate.mutex);
    gate.is_shut = is_shut;
    pthread_cond_broadcast(&gate.changed);
    pthread_mutex_unlock(&gate.mutex);
}
static void pass_gate(void) {
    pthread_mutex_lock(&gate.mutex);
    gate.n_inside++;
    pthread_cond_broadcast(&gate.changed);
    while (gate.is_shut) pthread_cond_wait(&gate.changed, &gate.mutex);
    gate.n_inside--;
    pthread_mutex_unlock(&gate.mutex);
}
static void wait_until_inside(int n) {
    pthread_mutex_lock(&gate.mutex);
    while (gate.n_inside < n) pthread_cond_wait(&gate.changed, &gate.mutex);
    pthread_mutex_unlock(&gate.mutex);
}

/* Each element times 100, and the sum of all. */
static sl_code scale_and_sum(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    (void)err;
    pass_gate();
    struct sl_view v = sl_value_view(&args[0]);
    const float *x = v.data;
    float y[32], total[32], sum = 0;
    for (int64_t i = 0; i < v.count; i++) sum += x[i];
    for (int64_t i = 0; i < v.count; i++) {
        y[i] = x[i] * 100;
        total[i] = sum;
    }
    rets[0] = vec_f32(v.count, y);
    rets[1] = vec_f32(v.count, total);
    return SL_OK;
}
static sl_code refuse(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    (void)args, (void)rets;
    return sl_fail(err, SL_DATA_LOSS, "no such rows");
}
static sl_code lose_a_row(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    (void)err;
    const float *x = sl_value_view(&args[0]).data;
    rets[0] = vec_f32(sl_value_view(&args[0]).count - 1, x);
    rets[1] = share(args[0]);
    return SL_OK;
}
static sl_code lose_all(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    (void)err;
    rets[0] = f32(0);
    rets[1] = share(args[0]);
    return SL_OK;
}
static sl_code times(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    (void)err;
    struct sl_view v = sl_value_view(&args[0]);
    float y[32];
    for (int64_t i = 0; i < v.count; i++) y[i] = ((const float *)v.data)[i] * args[1].f32;
    rets[0] = vec_f32(v.count, y);
    return SL_OK;
}

static struct fake_function functions[] = {
    {"scale_and_sum", 1, 2, {SL_FLOAT}, {SL_FLOAT, SL_FLOAT}, scale_and_sum, 0},
    {"refuse", 1, 2, {SL_FLOAT}, {SL_FLOAT, SL_FLOAT}, refuse, 0},
    {"lose_a_row", 1, 2, {SL_FLOAT}, {SL_FLOAT, SL_FLOAT}, lose_a_row, 0},
    {"lose_all", 1, 2, {SL_FLOAT}, {SL_FLOAT, SL_FLOAT}, lose_all, 0},
    {"times", 2, 1, {SL_FLOAT, SL_FLOAT}, {SL_FLOAT}, times, 0},
};
static struct fake_functions fake;

static struct bench *use(void **state) {
    struct bench *b = *state;
    fake_functions_use(&fake, b, functions, (int)(sizeof functions / sizeof *functions));
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) functions[i].calls = 0;
    set_gate(false);
    return b;
}

/* ---- nodes */

#define INT(key, value) "attr { key: '" key "' value { i: " value " } }"
#define SIZES(values)   "attr { key: 'allowed_batch_sizes' value { list { i: [" values "] } } }"
#define SPLITS          "attr { key: 'enable_large_batch_splitting' value { b: true } }"
#define SIGNATURE                                                                                                      \
    "attr { key: 'Tin' value { list { type: DT_FLOAT } } } attr { key: 'Tcaptured' value { list { } } }"               \
    "attr { key: 'Tout' value { list { type: [DT_FLOAT, DT_FLOAT] } } }"
#define ATTRS(f, rows, timeout_us)                                                                                     \
    SIGNATURE "attr { key: 'f' value { func { name: '" f "' } } }" INT("num_batch_threads", "2")                       \
        INT("max_batch_size", rows) INT("batch_timeout_micros", timeout_us)
#define HOUR_US "3600000000"

/* A step of its own with one node, begun. All nodes are of one name, so they meet. */
struct step {
    struct bench bench;
    struct node node;
};
static void begin(struct step *s, struct bench *b, const char *attrs, struct sl_value x) {
    s->bench = *b;
    sl_error_clear(&s->bench.err);
    assert_ok(s->bench.err, sl_cancellation_new(&s->bench.env.cancellation, NULL, &s->bench.err));
    node_make(&s->node, &s->bench, "BatchFunction", attrs);
    node_in(&s->node, 0, x);
    node_start(&s->node);
}
static bool is_done(struct step *s) { return __atomic_load_n(&s->node.is_done, __ATOMIC_ACQUIRE); }
static void cancel(struct step *s) { sl_cancellation_start(s->bench.env.cancellation, SL_CANCELLED, "enough"); }

static void end(struct step *s) {
    node_end(&s->node);
    sl_cancellation_free(s->bench.env.cancellation);
}
static void expect(struct step *s, const char *shape, const char *y, const char *sum) {
    assert_ok(s->bench.err, node_wait(&s->node));
    take_and_expect(node_take(&s->node, 0), shape, y);
    take_and_expect(node_take(&s->node, 1), shape, sum);
    end(s);
}
static void expect_failure(struct step *s, sl_code code, const char *message) {
    assert_int_equal(node_wait(&s->node), code);
    if (!strstr(s->bench.err.message, message)) fail_msg("%s", s->bench.err.message);
    end(s);
}

/* ---- tests */

static void calls_run_together_when_the_batch_is_full(void **state) {
    struct bench *b = use(state);
    struct step s[3];
    begin(&s[0], b, ATTRS("scale_and_sum", "4", HOUR_US), VEC_F32(1, 2));
    begin(&s[1], b, ATTRS("scale_and_sum", "4", HOUR_US), VEC_F32(3));
    assert_false(is_done(&s[0]) || is_done(&s[1]));
    begin(&s[2], b, ATTRS("scale_and_sum", "4", HOUR_US), VEC_F32(4));
    expect(&s[0], "[2]", "100 200", "10 10");
    expect(&s[1], "[1]", "300", "10");
    expect(&s[2], "[1]", "400", "10");
    assert_int_equal(functions[0].calls, 1);
}

static void a_call_that_does_not_fit_sends_the_others_off(void **state) {
    struct bench *b = use(state);
    struct step s[2];
    begin(&s[0], b, ATTRS("scale_and_sum", "4", HOUR_US), VEC_F32(1, 2));
    begin(&s[1], b, ATTRS("scale_and_sum", "4", HOUR_US), VEC_F32(3, 4, 5));
    expect(&s[0], "[2]", "100 200", "3 3");
    assert_false(is_done(&s[1]));
    cancel(&s[1]);
    expect_failure(&s[1], SL_CANCELLED, "Batched call was cancelled");
}

static void time_sends_a_batch_off_padded_to_an_allowed_size(void **state) {
    struct bench *b = use(state);
    struct step s;
    begin(&s, b, ATTRS("scale_and_sum", "8", "1") SIZES("2, 5, 8"), VEC_F32(1, 2, 3));
    expect(&s, "[3]", "100 200 300", "8 8 8"); /* 1 2 3 1 1 */
}

static void large_calls_are_split(void **state) {
    struct bench *b = use(state);
    struct step s[2];
    begin(&s[0], b, ATTRS("scale_and_sum", "8", "100000") SIZES("2, 4") SPLITS, VEC_F32(1, 2, 3, 4, 5));
    begin(&s[1], b, ATTRS("scale_and_sum", "8", "100000") SIZES("2, 4") SPLITS, VEC_F32(6, 7, 8));
    expect(&s[0], "[5]", "100 200 300 400 500", "10 10 10 10 26");
    expect(&s[1], "[3]", "600 700 800", "26 26 26");
    assert_int_equal(functions[0].calls, 2);
}

static void captured_inputs_come_after_the_batch(void **state) {
    struct bench *b = use(state);
    struct step s;
    s.bench = *b;
    node_make(&s.node, &s.bench, "BatchFunction",
              "attr { key: 'Tin' value { list { type: DT_FLOAT } } } attr { key: 'Tcaptured' value { list { type: "
              "DT_FLOAT } } } attr { key: 'Tout' value { list { type: DT_FLOAT } } } attr { key: 'f' value { func { "
              "name: 'times' } } }" INT("num_batch_threads", "0") INT("max_batch_size", "2")
                  INT("batch_timeout_micros", "0"));
    node_in(&s.node, 0, VEC_F32(1, 2));
    node_in(&s.node, 1, f32(3));
    node_start(&s.node);
    assert_ok(s.bench.err, node_wait(&s.node));
    take_and_expect(node_take(&s.node, 0), "[2]", "3 6");
    node_end(&s.node);
}

static void all_of_a_batch_fail_together(void **state) {
    struct bench *b = use(state);
    const struct {
        const char *attrs;
        sl_code code;
        const char *message;
    } cases[] = {
        {ATTRS("refuse", "2", HOUR_US), SL_DATA_LOSS, "no such rows"},
        {ATTRS("lose_a_row", "2", HOUR_US) "attr { key: 'shared_name' value { s: 'a' } }", SL_FAILED_PRECONDITION,
         "0th dimension size: 1; batch size: 2; unbatched tasks size: 0; padding size: 0"},
        {ATTRS("lose_all", "2", HOUR_US) "attr { key: 'shared_name' value { s: 'b' } }", SL_FAILED_PRECONDITION,
         "Batched output tensor has 0 dimensions"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct step s[2];
        begin(&s[0], b, cases[i].attrs, VEC_F32(1));
        begin(&s[1], b, cases[i].attrs, VEC_F32(2));
        expect_failure(&s[0], cases[i].code, cases[i].message);
        expect_failure(&s[1], cases[i].code, cases[i].message);
    }
}

static void inputs_must_fit_each_other(void **state) {
    struct bench *b = use(state);
    struct step s[2];
    begin(&s[0], b, ATTRS("scale_and_sum", "2", HOUR_US), mat_f32(1, 2, (const float[]){1, 2}));
    begin(&s[1], b, ATTRS("scale_and_sum", "2", HOUR_US), VEC_F32(3));
    expect_failure(&s[0], SL_INVALID_ARGUMENT, "shape[0] = [1,2] vs. shape[1] = [1]");
    expect_failure(&s[1], SL_INVALID_ARGUMENT, "Ranks of all input tensors should match");
    begin(&s[0], b, ATTRS("scale_and_sum", "2", HOUR_US), f32(1));
    expect_failure(&s[0], SL_INVALID_ARGUMENT, "must have at least one dimension");
    begin(&s[0], b, ATTRS("scale_and_sum", "2", HOUR_US), VEC_F32(1, 2, 3));
    expect_failure(&s[0], SL_INVALID_ARGUMENT, "Task size 3 is larger than maximum input batch size 2");
    begin(&s[0], b, ATTRS("scale_and_sum", "2", HOUR_US), vec_f32(0, NULL));
    expect(&s[0], "[0]", "", "");
    assert_int_equal(functions[0].calls, 0);
}

static void wrong_attributes_are_refused(void **state) {
    struct bench *b = use(state);
    static const struct {
        int64_t threads, rows, timeout, sizes[2];
        bool splits;
        const char *message;
    } cases[] = {
        {1, 4, 0, {4, 3}, false, "must be monotonically increasing"},
        {1, 4, 0, {2, 3}, false, "final entry in allowed_batch_sizes must equal max_batch_size"},
        {1, 4, 0, {2, 5}, true, "must be greater than or equal to max_execution_batch_size"},
        {1, 0, 0, {0, 0}, false, "input_batch_size_limit must be positive; was 0"},
        {1, 4, -5, {2, 4}, false, "batch_timeout_micros must be non-negative; was -5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char attrs[1024];
        snprintf(attrs, sizeof attrs,
                 SIGNATURE "attr { key: 'f' value { func { name: 'refuse' } } }" INT("num_batch_threads", "%d")
                     INT("max_batch_size", "%d") INT("batch_timeout_micros", "%d") SIZES("%d, %d") "%s",
                 (int)cases[i].threads, (int)cases[i].rows, (int)cases[i].timeout, (int)cases[i].sizes[0],
                 (int)cases[i].sizes[1], cases[i].splits ? SPLITS : "");
        assert_fails(b->err, SL_INVALID_ARGUMENT, cases[i].message, node_try_to_make(b, "BatchFunction", attrs));
    }
}

static void a_full_queue_takes_no_more(void **state) {
    struct bench *b = use(state);
    struct step s[3];
    const char *attrs = ATTRS("scale_and_sum", "2", HOUR_US) INT("max_enqueued_batches", "1");
    begin(&s[0], b, attrs, VEC_F32(1));
    begin(&s[1], b, attrs, VEC_F32(2, 3));
    expect_failure(&s[1], SL_UNAVAILABLE, "currently 1 batches enqueued and max_enqueued_batches is 1");
    begin(&s[2], b, attrs, VEC_F32(4));
    expect(&s[0], "[1]", "100", "5");
    expect(&s[2], "[1]", "400", "5");
}

static void who_is_cancelled_leaves_a_batch_that_waits(void **state) {
    struct bench *b = use(state);
    struct step s[4];
    begin(&s[0], b, ATTRS("scale_and_sum", "4", HOUR_US), VEC_F32(1, 2));
    begin(&s[1], b, ATTRS("scale_and_sum", "4", HOUR_US), VEC_F32(3));
    cancel(&s[0]);
    expect_failure(&s[0], SL_CANCELLED, "Batched call was cancelled");
    begin(&s[2], b, ATTRS("scale_and_sum", "4", HOUR_US), VEC_F32(4, 5));
    assert_false(is_done(&s[1]) || is_done(&s[2]));
    begin(&s[3], b, ATTRS("scale_and_sum", "4", HOUR_US), VEC_F32(6));
    expect(&s[1], "[1]", "300", "18");
    expect(&s[2], "[2]", "400 500", "18 18");
    expect(&s[3], "[1]", "600", "18");
}

static void who_is_cancelled_waits_for_a_batch_that_runs(void **state) {
    struct bench *b = use(state);
    struct step s[2];
    fake.way = FAKE_OTHER_THREAD;
    set_gate(true);
    begin(&s[0], b, ATTRS("scale_and_sum", "2", HOUR_US), VEC_F32(1));
    begin(&s[1], b, ATTRS("scale_and_sum", "2", HOUR_US), VEC_F32(2));
    wait_until_inside(1);
    cancel(&s[0]);
    assert_false(is_done(&s[0]));
    set_gate(false);
    expect_failure(&s[0], SL_CANCELLED, "Batched call was cancelled");
    expect(&s[1], "[1]", "200", "3");
}

static void batches_run_beside_each_other_on_their_threads(void **state) {
    struct bench *b = use(state);
    struct step s[3];
    set_gate(true);
    for (int i = 0; i < 3; i++) begin(&s[i], b, ATTRS("scale_and_sum", "1", HOUR_US), VEC_F32((float)i));
    wait_until_inside(2);
    set_gate(false);
    expect(&s[0], "[1]", "0", "0");
    expect(&s[1], "[1]", "100", "1");
    expect(&s[2], "[1]", "200", "2");
}

/* Many threads call, some cancel: every call ends, with its own rows or cancelled. */
static void *call_and_cancel(void *arg) {
    struct bench *b = arg;
    for (int round = 0; round < 100; round++) {
        struct step s;
        float x = (float)(round % 50 + 1);
        begin(&s, b, ATTRS("scale_and_sum", "3", "50"), VEC_F32(x, x));
        if (round % 3 == 0) cancel(&s);
        sl_code code = node_wait(&s.node);
        if (code == SL_OK) assert_true(((float *)node_out(&s.node, 0)->tensor->data)[1] == x * 100);
        else assert_int_equal(code, SL_CANCELLED);
        end(&s);
    }
    return NULL;
}
static void many_threads_call_and_cancel(void **state) {
    struct bench *b = use(state);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) assert_int_equal(pthread_create(&threads[i], NULL, call_and_cancel, b), 0);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, bench_setup, bench_teardown)
    const struct CMUnitTest tests[] = {
        TEST(calls_run_together_when_the_batch_is_full),
        TEST(a_call_that_does_not_fit_sends_the_others_off),
        TEST(time_sends_a_batch_off_padded_to_an_allowed_size),
        TEST(large_calls_are_split),
        TEST(captured_inputs_come_after_the_batch),
        TEST(all_of_a_batch_fail_together),
        TEST(inputs_must_fit_each_other),
        TEST(wrong_attributes_are_refused),
        TEST(a_full_queue_takes_no_more),
        TEST(who_is_cancelled_leaves_a_batch_that_waits),
        TEST(who_is_cancelled_waits_for_a_batch_that_runs),
        TEST(batches_run_beside_each_other_on_their_threads),
        TEST(many_threads_call_and_cancel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
