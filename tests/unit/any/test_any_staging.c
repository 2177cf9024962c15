/* What waits beside queues: staging areas, accumulators, barriers. Who waits, what wakes it, what ends it. */
#include "unit/any/one_node.h"

#include <pthread.h>

#include "kernel/variable.h"

#define LIST(name, ...) "attr { key: '" name "' value { list { " __VA_ARGS__ " } } }"
#define SHARED(name)    "attr { key: 'shared_name' value { s: '" name "' } }"
#define ONE_INT         LIST("dtypes", "type: DT_INT32")
#define TWO_INTS        LIST("dtypes", "type: DT_INT32 type: DT_INT32")
#define FAKE(types)     LIST("fake_dtypes", types)

/* A node with an error of its own, begun with inputs. */
struct begun {
    struct node node;
    struct bench bench;
};
static void begin(struct begun *w, struct bench *b, const char *op, const char *attrs, const struct sl_value *ins,
                  int n) {
    w->bench = *b;
    sl_error_clear(&w->bench.err);
    node_make(&w->node, &w->bench, op, attrs);
    assert_int_equal(w->node.fixed.n_in, n);
    for (int i = 0; i < n; i++) node_in(&w->node, i, ins[i]);
    node_start(&w->node);
}
static void end_with(struct begun *w, const char *shape, const char *elements) {
    assert_ok(w->bench.err, node_wait(&w->node));
    take_and_expect(node_take(&w->node, 0), shape, elements);
    node_end(&w->node);
}
static void end_failed(struct begun *w, sl_code code, const char *message) {
    assert_int_equal(node_wait(&w->node), code);
    assert_non_null(strstr(w->bench.err.message, message));
    node_end(&w->node);
}

/* ---- staging areas */

static void stage(struct bench *b, const char *attrs, int32_t i) {
    assert_ok(b->err, run_once(b, NULL, "Stage", attrs, INPUTS(i32(i))));
}

static void stages_in_order_and_within_limits(void **state) {
    struct bench *b = *state;
    const char *area = ONE_INT SHARED("a") "attr { key: 'capacity' value { i: 2 } }";
    struct begun full, early, peek;
    begin(&early, b, "Unstage", area, NULL, 0);
    begin(&peek, b, "StagePeek", area, INPUTS(i32(1)));
    assert_false(early.node.is_done || peek.node.is_done);
    stage(b, area, 1);
    end_with(&early, "[]", "1");
    stage(b, area, 2);
    stage(b, area, 3);
    end_with(&peek, "[]", "3");
    begin(&full, b, "Stage", area, INPUTS(i32(4)));
    assert_false(full.node.is_done);
    take_and_expect(run_one(b, "StageSize", area, NULL, 0), "[]", "2");
    take_and_expect(run_one(b, "Unstage", area, NULL, 0), "[]", "2");
    assert_ok(full.bench.err, node_wait(&full.node));
    node_end(&full.node);
    take_and_expect(run_one(b, "Unstage", area, NULL, 0), "[]", "3");
    assert_fails(b->err, SL_INVALID_ARGUMENT, "Mismatch stage/unstage: 1 vs. 2",
                 run_once(b, NULL, "Unstage", TWO_INTS SHARED("a"), NULL, 0));
}

static void refuses_what_never_fits(void **state) {
    struct bench *b = *state;
    REFUSED(b, SL_RESOURCE_EXHAUSTED, "combined size of '12' bytes into Staging Area with a memory limit of '8'",
            "Stage", ONE_INT "attr { key: 'memory_limit' value { i: 8 } }", VEC_I32(1, 2, 3));
    REFUSED(b, SL_INVALID_ARGUMENT, "must not be negative", "StagePeek", ONE_INT, i32(-1));
}

/* To the last byte, and not beyond. */
static void areas_fill_to_their_limit(void **state) {
    struct bench *b = *state;
    const char *area = ONE_INT SHARED("f") "attr { key: 'memory_limit' value { i: 8 } }";
    struct begun third;
    stage(b, area, 1);
    stage(b, area, 2);
    begin(&third, b, "Stage", area, INPUTS(i32(3)));
    assert_false(third.node.is_done);
    take_and_expect(run_one(b, "Unstage", area, NULL, 0), "[]", "1");
    assert_ok(third.bench.err, node_wait(&third.node));
    node_end(&third.node);
    take_and_expect(run_one(b, "StageSize", area, NULL, 0), "[]", "2");
}

static void put_piece(struct bench *b, int64_t key, int32_t index, int32_t value) {
    assert_ok(b->err, run_once(b, NULL, "MapStage", TWO_INTS FAKE("type: DT_INT32") SHARED("m"),
                               INPUTS(i64(key), VEC_I32(index), i32(value))));
}

static void maps_wait_for_the_key_and_all_its_pieces(void **state) {
    struct bench *b = *state;
    struct begun five, seven;
    begin(&five, b, "MapUnstage", TWO_INTS SHARED("m"), INPUTS(i64(5), VEC_I32(0, 1)));
    begin(&seven, b, "MapPeek", ONE_INT SHARED("m"), INPUTS(i64(7), VEC_I32(1)));
    put_piece(b, 5, 1, 51);
    put_piece(b, 7, 0, 70);
    assert_false(five.node.is_done || seven.node.is_done);
    take_and_expect(run_one(b, "MapIncompleteSize", TWO_INTS SHARED("m"), NULL, 0), "[]", "2");
    REFUSED(b, SL_INVALID_ARGUMENT, "was already initialized", "MapStage", TWO_INTS FAKE("type: DT_INT32") SHARED("m"),
            i64(7), VEC_I32(0), i32(1));
    REFUSED(b, SL_INVALID_ARGUMENT, "was out of bounds '2'", "MapStage", TWO_INTS FAKE("type: DT_INT32") SHARED("m"),
            i64(7), VEC_I32(2), i32(1));
    REFUSED(b, SL_INVALID_ARGUMENT, "Indices are not strictly ordered", "MapStage",
            TWO_INTS FAKE("type: DT_INT32 type: DT_INT32") SHARED("m"), i64(7), VEC_I32(1, 0), i32(1), i32(1));
    put_piece(b, 7, 1, 71);
    end_with(&seven, "[]", "71");
    put_piece(b, 5, 0, 50);
    end_with(&five, "[]", "50");
    take_and_expect(run_one(b, "MapSize", TWO_INTS SHARED("m"), NULL, 0), "[]", "1");
    take_and_expect(RUN(b, "MapUnstage", ONE_INT SHARED("m"), i64(7), VEC_I32(0)), "[]", "70");
    REFUSED(b, SL_INVALID_ARGUMENT, "has already been removed", "MapUnstage", ONE_INT SHARED("m"), i64(7), VEC_I32(0));
}

static void ordered_maps_give_the_smallest_key(void **state) {
    struct bench *b = *state;
    for (int64_t key = 3; key > 0; key--)
        assert_ok(b->err, run_once(b, NULL, "OrderedMapStage", ONE_INT FAKE("type: DT_INT32") SHARED("o"),
                                   INPUTS(i64(key), VEC_I32(0), i32((int32_t)key * 10))));
    for (int i = 1; i <= 3; i++) {
        char key[2] = {(char)('0' + i), 0};
        take_and_expect(RUN(b, "OrderedMapUnstageNoKey", ONE_INT SHARED("o"), VEC_I32(0)), "[]", key);
    }
}

static void clearing_leaves_nothing(void **state) {
    struct bench *b = *state;
    const char *ops[][4] = {{"MapStage", "MapClear", "MapSize", "MapIncompleteSize"},
                            {"OrderedMapStage", "OrderedMapClear", "OrderedMapSize", "OrderedMapIncompleteSize"}};
    for (int i = 0; i < 2; i++) {
        const char *put_two = TWO_INTS FAKE("type: DT_INT32 type: DT_INT32") SHARED("z");
        const char *put_one = TWO_INTS FAKE("type: DT_INT32") SHARED("z"), *all = TWO_INTS SHARED("z");
        assert_ok(b->err, run_once(b, NULL, ops[i][0], put_two, INPUTS(i64(1), VEC_I32(0, 1), i32(1), i32(2))));
        assert_ok(b->err, run_once(b, NULL, ops[i][0], put_one, INPUTS(i64(2), VEC_I32(0), i32(1))));
        take_and_expect(run_one(b, ops[i][2], all, NULL, 0), "[]", "1");
        take_and_expect(run_one(b, ops[i][3], all, NULL, 0), "[]", "1");
        assert_ok(b->err, run_once(b, NULL, ops[i][1], all, NULL, 0));
        take_and_expect(run_one(b, ops[i][2], all, NULL, 0), "[]", "0");
        take_and_expect(run_one(b, ops[i][3], all, NULL, 0), "[]", "0");
        assert_ok(b->err, run_once(b, NULL, ops[i][0], put_two, INPUTS(i64(4), VEC_I32(0, 1), i32(7), i32(8))));
    }
    take_and_expect(RUN(b, "OrderedMapUnstage", ONE_INT SHARED("z"), i64(4), VEC_I32(1)), "[]", "8");
    take_and_expect(RUN(b, "MapUnstageNoKey", ONE_INT SHARED("z"), VEC_I32(1)), "[]", "4");
    stage(b, ONE_INT SHARED("z"), 1);
    assert_ok(b->err, run_once(b, NULL, "StageClear", ONE_INT SHARED("z"), NULL, 0));
    take_and_expect(run_one(b, "StageSize", ONE_INT SHARED("z"), NULL, 0), "[]", "0");
}

static void *cancel_later(void *arg) {
    sl_cancellation_start(arg, SL_CANCELLED, "enough");
    return NULL;
}

static void cancellation_ends_all_waits(void **state) {
    struct bench *b = *state;
    struct begun w[3];
    pthread_t thread;
    begin(&w[0], b, "Unstage", ONE_INT SHARED("c"), NULL, 0);
    begin(&w[1], b, "MapUnstage", ONE_INT SHARED("c"), INPUTS(i64(5), VEC_I32(0)));
    begin(&w[2], b, "OrderedMapPeek", ONE_INT SHARED("c"), INPUTS(i64(5), VEC_I32(0)));
    assert_int_equal(pthread_create(&thread, NULL, cancel_later, b->env.cancellation), 0);
    for (int i = 0; i < 3; i++) end_failed(&w[i], SL_CANCELLED, "operation was cancelled");
    pthread_join(thread, NULL);
}

/* ---- accumulators */

#define FLOATS      "attr { key: 'dtype' value { type: DT_FLOAT } }"
#define SHAPE(dims) "attr { key: 'shape' value { shape { " dims " } } }"
#define SUM         "attr { key: 'reduction_type' value { s: 'SUM' } }"

static void apply(struct bench *b, struct sl_value a, int64_t step, struct sl_value gradient) {
    assert_ok(b->err,
              run_once(b, NULL, "ResourceAccumulatorApplyGradient", FLOATS, INPUTS(share(a), i64(step), gradient)));
}

static void accumulators_wait_for_enough(void **state) {
    struct bench *b = *state;
    struct node n;
    node_make(&n, b, "ResourceConditionalAccumulator", FLOATS SHAPE("dim { size: 2 }"));
    assert_ok(b->err, node_run(&n));
    struct sl_value a = node_take(&n, 0);
    struct begun take;
    begin(&take, b, "ResourceAccumulatorTakeGradient", FLOATS, INPUTS(share(a), i32(2)));
    apply(b, a, 0, VEC_F32(1, 2));
    assert_false(take.node.is_done);
    apply(b, a, 0, VEC_F32(3, 5));
    end_with(&take, "[2]", "2 3.5");
    apply(b, a, 0, VEC_F32(9, 9)); /* of an earlier step */
    take_and_expect(RUN(b, "ResourceAccumulatorNumAccumulated", "", share(a)), "[]", "0");
    REFUSED(b, SL_INVALID_ARGUMENT, "Shape mismatch: expected [2], got [3]", "ResourceAccumulatorApplyGradient", FLOATS,
            share(a), i64(1), VEC_F32(1, 2, 3));
    REFUSED(b, SL_INVALID_ARGUMENT, "num_required must be positive, but was 0", "ResourceAccumulatorTakeGradient",
            FLOATS, share(a), i32(0));
    begin(&take, b, "ResourceAccumulatorTakeGradient", FLOATS, INPUTS(share(a), i32(1)));
    sl_cancellation_start(b->env.cancellation, SL_CANCELLED, "enough");
    end_failed(&take, SL_CANCELLED, "TakeGrad operation was cancelled");
    sl_value_clear(&a);
    node_end(&n);
}

static void accumulators_by_reference_sum(void **state) {
    struct bench *b = *state;
    struct sl_value a = run_one(b, "ConditionalAccumulator", FLOATS SHAPE("") SUM, NULL, 0);
    struct sl_value r = run_one(b, "ResourceConditionalAccumulator", FLOATS SHAPE("") SUM SHARED("r"), NULL, 0);
    assert_int_equal(a.kind, SL_VALUE_REF);
    assert_ok(b->err, run_once(b, NULL, "AccumulatorSetGlobalStep", "", INPUTS(share(a), i64(5))));
    assert_ok(b->err, run_once(b, NULL, "ResourceAccumulatorSetGlobalStep", "", INPUTS(share(r), i64(5))));
    assert_ok(b->err, run_once(b, NULL, "AccumulatorApplyGradient", FLOATS, INPUTS(share(a), i64(4), f32(9))));
    assert_ok(b->err, run_once(b, NULL, "AccumulatorApplyGradient", FLOATS, INPUTS(share(a), i64(5), f32(1))));
    assert_ok(b->err, run_once(b, NULL, "AccumulatorApplyGradient", FLOATS, INPUTS(share(a), i64(6), f32(2))));
    take_and_expect(RUN(b, "AccumulatorNumAccumulated", "", share(a)), "[]", "2");
    take_and_expect(RUN(b, "AccumulatorTakeGradient", FLOATS, share(a), i32(1)), "[]", "3");
    apply(b, r, 4, f32(1));
    take_and_expect(RUN(b, "ResourceAccumulatorNumAccumulated", "", share(r)), "[]", "0");
    sl_value_clear(&a);
    sl_value_clear(&r);
}

static void sparse_accumulators_merge_rows(void **state) {
    struct bench *b = *state;
    const char *known = FLOATS "attr { key: 'has_known_shape' value { b: true } }";
    struct node n;
    node_make(&n, b, "SparseConditionalAccumulator", FLOATS SHAPE("dim { size: 4 } dim { size: 1 }"));
    assert_ok(b->err, node_run(&n));
    struct sl_value a = node_take(&n, 0), outs[3];
    assert_int_equal(a.kind, SL_VALUE_REF);
    assert_ok(b->err, run_once(b, NULL, "SparseAccumulatorApplyGradient", known,
                               INPUTS(share(a), i64(0), VEC_I64(0, 2), mat_f32(2, 1, (float[]){1, 3}), VEC_I64(4, 1))));
    assert_ok(b->err, run_once(b, NULL, "SparseAccumulatorApplyGradient", known,
                               INPUTS(share(a), i64(0), VEC_I64(2, 3), mat_f32(2, 1, (float[]){5, 7}), VEC_I64(4, 1))));
    REFUSED(b, SL_INVALID_ARGUMENT, "index is 4 exceeded 4", "SparseAccumulatorApplyGradient", known, share(a), i64(0),
            VEC_I64(4), mat_f32(1, 1, (float[]){5}), VEC_I64(4, 1));
    REFUSED(b, SL_INVALID_ARGUMENT, "expected shape dim 1 to be 1, got 2", "SparseAccumulatorApplyGradient", known,
            share(a), i64(0), VEC_I64(1), mat_f32(1, 2, (float[]){5, 6}), VEC_I64(4, 2));
    REFUSED(b, SL_INVALID_ARGUMENT, "Expected 2 non-empty input values, got 1", "SparseAccumulatorApplyGradient", known,
            share(a), i64(0), VEC_I64(0, 1), mat_f32(1, 1, (float[]){5}), VEC_I64(4, 1));
    assert_ok(b->err, run_once(b, outs, "SparseAccumulatorTakeGradient", FLOATS, INPUTS(share(a), i32(2))));
    take_and_expect(outs[0], "[3]", "0 2 3");
    take_and_expect(outs[1], "[3,1]", "[1][4][7]");
    take_and_expect(outs[2], "[2]", "4 1");
    sl_value_clear(&a);
    node_end(&n);
    /* a scalar's gradient: its own shape may be said to be [] */
    node_make(&n, b, "SparseConditionalAccumulator", FLOATS SHAPE("") SHARED("scalar"));
    assert_ok(b->err, node_run(&n));
    a = node_take(&n, 0);
    float one[] = {3};
    for (int times = 0; times < 2; times++)
        assert_ok(b->err, run_once(b, NULL, "SparseAccumulatorApplyGradient", known,
                                   INPUTS(share(a), i64(0), VEC_I64(0), vec_f32(1, one), vec_i64(0, NULL))));
    assert_ok(b->err, run_once(b, outs, "SparseAccumulatorTakeGradient", FLOATS, INPUTS(share(a), i32(2))));
    take_and_expect(outs[0], "[1]", "0");
    take_and_expect(outs[1], "[1]", "3");
    take_and_expect(outs[2], "[1]", "-1");
    sl_value_clear(&a);
    node_end(&n);
}

/* ---- barriers */

#define COMPONENTS LIST("component_types", "type: DT_INT32 type: DT_INT32")
#define INSERT(i)  "attr { key: 'T' value { type: DT_INT32 } } attr { key: 'component_index' value { i: " #i " } }"
#define SMALL      "attr { key: 'allow_small_batch' value { b: true } }"

static struct sl_value keys(const char *first, const char *second) {
    struct sl_error err;
    struct sl_value v = {0};
    int64_t n = second ? 2 : 1;
    assert_ok(err, sl_value_new(&v, SL_STRING, (struct sl_shape){1, &n}, &err));
    assert_ok(err, sl_string_set(v.tensor->data, sl_str_of(first), &err));
    if (second) assert_ok(err, sl_string_set((TF_TString *)v.tensor->data + 1, sl_str_of(second), &err));
    return v;
}

static void barriers_wait_for_whole_tuples(void **state) {
    struct bench *b = *state;
    struct node n;
    node_make(&n, b, "Barrier", COMPONENTS LIST("shapes", "shape { } shape { }"));
    assert_ok(b->err, node_run(&n));
    struct sl_value a = node_take(&n, 0), outs[4];
    struct begun take;
    begin(&take, b, "BarrierTakeMany", COMPONENTS, INPUTS(share(a), i32(1)));
    assert_ok(b->err,
              run_once(b, NULL, "BarrierInsertMany", INSERT(0), INPUTS(share(a), keys("x", "y"), VEC_I32(1, 2))));
    assert_false(take.node.is_done);
    assert_ok(b->err,
              run_once(b, NULL, "BarrierInsertMany", INSERT(1), INPUTS(share(a), keys("y", NULL), VEC_I32(20))));
    assert_ok(take.bench.err, node_wait(&take.node));
    take_and_expect(node_take(&take.node, 1), "[1]", "y");
    take_and_expect(node_take(&take.node, 3), "[1]", "20");
    node_end(&take.node);
    take_and_expect(RUN(b, "BarrierReadySize", "", share(a)), "[]", "0");
    take_and_expect(RUN(b, "BarrierIncompleteSize", "", share(a)), "[]", "1");
    REFUSED(b, SL_INVALID_ARGUMENT, "Key x already has a value for component 0", "BarrierInsertMany", INSERT(0),
            share(a), keys("x", NULL), VEC_I32(1));
    REFUSED(b, SL_INVALID_ARGUMENT, "Shape mismatch", "BarrierInsertMany", INSERT(0), share(a), keys("p", "q"),
            VEC_I32(1));
    assert_ok(b->err, run_once(b, NULL, "BarrierClose", "", INPUTS(share(a))));
    REFUSED(b, SL_CANCELLED, "attempted to insert a brand new key: z", "BarrierInsertMany", INSERT(0), share(a),
            keys("z", NULL), VEC_I32(1));
    REFUSED(b, SL_OUT_OF_RANGE, "(requested 2, total size 1)", "BarrierTakeMany", COMPONENTS, share(a), i32(2));
    assert_ok(b->err,
              run_once(b, NULL, "BarrierInsertMany", INSERT(1), INPUTS(share(a), keys("x", NULL), VEC_I32(10))));
    assert_ok(b->err, run_once(b, outs, "BarrierTakeMany", COMPONENTS SMALL, INPUTS(share(a), i32(9))));
    take_and_expect(outs[1], "[1]", "x");
    take_and_expect(outs[2], "[1]", "1");
    sl_value_clear(&outs[0]);
    sl_value_clear(&outs[3]);
    sl_value_clear(&a);
    node_end(&n);
}

/* ---- tensors of the session */

static void sessions_keep_tensors(void **state) {
    struct bench *b = *state;
    const char *ints = "attr { key: 'T' value { type: DT_INT32 } }",
               *as_int = "attr { key: 'dtype' value { type: DT_INT32 } }";
    struct sl_value handle = RUN(b, "GetSessionHandle", ints, VEC_I32(1, 2));
    take_and_expect(RUN(b, "GetSessionTensor", as_int, share(handle)), "[2]", "1 2");
    REFUSED(b, SL_INVALID_ARGUMENT, "is of type int32, not float", "GetSessionTensor",
            "attr { key: 'dtype' value { type: DT_FLOAT } }", share(handle));
    assert_ok(b->err, run_once(b, NULL, "DeleteSessionTensor", "", INPUTS(share(handle))));
    REFUSED(b, SL_INVALID_ARGUMENT, "is not in the session store", "GetSessionTensor", as_int, share(handle));
    REFUSED(b, SL_INVALID_ARGUMENT, "is not in the session store", "DeleteSessionTensor", "", share(handle));
    sl_value_clear(&handle);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, bench_setup, bench_teardown)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(stages_in_order_and_within_limits),  TEST(refuses_what_never_fits),
        TEST(areas_fill_to_their_limit),          TEST(maps_wait_for_the_key_and_all_its_pieces),
        TEST(ordered_maps_give_the_smallest_key), TEST(cancellation_ends_all_waits),
        TEST(accumulators_wait_for_enough),       TEST(sparse_accumulators_merge_rows),
        TEST(accumulators_by_reference_sum),      TEST(clearing_leaves_nothing),
        TEST(barriers_wait_for_whole_tuples),     TEST(sessions_keep_tensors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
