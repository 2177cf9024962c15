/* If, Case, calls, While and For: on functions written here, called at once, later, and from other threads. */
#include "unit/any/one_node.h"

#include <sched.h>

#define ATTR_FUNC(key, name)   "attr { key: '" key "' value { func { name: '" name "' } } }"
#define ATTR_TYPES(key, types) "attr { key: '" key "' value { list { type: [" types "] } } }"
#define ATTR_TYPE(key, type)   "attr { key: '" key "' value { type: " type " } }"

static sl_code add_1(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    (void)err;
    rets[0] = f32(args[0].f32 + 1);
    return SL_OK;
}
static sl_code add_2(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    (void)err;
    rets[0] = f32(args[0].f32 + 2);
    return SL_OK;
}
static sl_code below_10000(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    (void)err;
    rets[0] = boolean(args[0].i32 < 10000);
    return SL_OK;
}
static sl_code count(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    (void)err;
    rets[0] = i32(args[0].i32 + 1);
    rets[1] = sl_value_move(&args[1]);
    return SL_OK;
}
static sl_code fail_at_7(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    if (args[0].i32 == 7) return sl_fail(err, SL_DATA_LOSS, "seven");
    return count(args, rets, err);
}
static sl_code sum(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    (void)err;
    rets[0] = f32(args[1].f32 + (float)args[0].i32);
    return SL_OK;
}

enum { MANY = 80 };
static sl_code sum_many(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    float total = 0;
    (void)err;
    for (int i = 0; i < MANY; i++) total += args[i].f32;
    rets[0] = f32(total);
    return SL_OK;
}

static struct fake_function functions[] = {
    {"add_1", 1, 1, {SL_FLOAT}, {SL_FLOAT}, add_1, 0},
    {"add_2", 1, 1, {SL_FLOAT}, {SL_FLOAT}, add_2, 0},
    {"below", 2, 1, {SL_INT32, SL_FLOAT}, {SL_BOOL}, below_10000, 0},
    {"count", 2, 2, {SL_INT32, SL_FLOAT}, {SL_INT32, SL_FLOAT}, count, 0},
    {"fail_at_7", 2, 2, {SL_INT32, SL_FLOAT}, {SL_INT32, SL_FLOAT}, fail_at_7, 0},
    {"sum", 2, 1, {SL_INT32, SL_FLOAT}, {SL_FLOAT}, sum, 0},
    {"sum_many", MANY, 1, {0}, {SL_FLOAT}, sum_many, 0},
};
static struct fake_functions fake;

static struct bench *use(void **state) {
    struct bench *b = *state;
    fake_functions_use(&fake, b, functions, (int)(sizeof functions / sizeof *functions));
    return b;
}

#define IF_ATTRS(type)                                                                                                 \
    ATTR_TYPE("Tcond", type)                                                                                           \
    ATTR_TYPES("Tin", "DT_FLOAT")                                                                                      \
    ATTR_TYPES("Tout", "DT_FLOAT") ATTR_FUNC("then_branch", "add_1") ATTR_FUNC("else_branch", "add_2")

static void if_takes_the_branch_of_its_condition(void **state) {
    struct bench *b = use(state);
    const struct {
        const char *attrs;
        struct sl_value condition;
        const char *result;
    } cases[] = {
        {IF_ATTRS("DT_BOOL"), boolean(true), "2"}, {IF_ATTRS("DT_BOOL"), boolean(false), "3"},
        {IF_ATTRS("DT_INT32"), i32(-5), "2"},      {IF_ATTRS("DT_INT32"), i32(0), "3"},
        {IF_ATTRS("DT_FLOAT"), f32(0.5f), "2"},    {IF_ATTRS("DT_FLOAT"), f32(-0.0f), "3"},
        {IF_ATTRS("DT_STRING"), text("x"), "2"},   {IF_ATTRS("DT_STRING"), text(""), "3"},
        {IF_ATTRS("DT_INT32"), VEC_I32(0), "2"},   {IF_ATTRS("DT_INT32"), vec_i32(0, NULL), "3"},
    };
    static const char *const ops[] = {"If", "StatelessIf", "_If"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct node n;
        node_make(&n, b, ops[i % 3], cases[i].attrs);
        node_in(&n, 0, cases[i].condition);
        node_in(&n, 1, f32(1));
        assert_ok(b->err, node_run(&n));
        take_and_expect(node_take(&n, 0), "[]", cases[i].result);
        node_end(&n);
    }
}

static void if_refuses_conditions_without_truth(void **state) {
    struct bench *b = use(state);
    struct node n;
    node_make(&n, b, "If", IF_ATTRS("DT_COMPLEX64"));
    struct sl_value complex = {.kind = SL_VALUE_SCALAR, .dtype = SL_COMPLEX64};
    node_in(&n, 0, complex);
    node_in(&n, 1, f32(1));
    assert_fails(b->err, SL_INVALID_ARGUMENT, "complex64 cannot be converted to a boolean", node_run(&n));
    node_end(&n);
}

static void functions_that_do_not_fit_fail_when_run(void **state) {
    struct bench *b = use(state);
    const struct {
        const char *attrs;
        sl_code code;
        const char *message;
        int n;
    } cases[] = {
        {ATTR_TYPES("Tin", "DT_FLOAT") ATTR_TYPES("Tout", "DT_FLOAT") ATTR_FUNC("f", "nope"), SL_NOT_FOUND,
         "Failed to find definition for function \"nope\"", 1},
        {ATTR_TYPES("Tin", "DT_FLOAT, DT_FLOAT") ATTR_TYPES("Tout", "DT_FLOAT") ATTR_FUNC("f", "add_1"),
         SL_INVALID_ARGUMENT, "input_devices length = 2 number of arguments = 1", 2},
        {ATTR_TYPES("Tin", "DT_INT32") ATTR_TYPES("Tout", "DT_FLOAT") ATTR_FUNC("f", "add_1"), SL_INVALID_ARGUMENT,
         "Expects arg[0] to be float but int32 is provided", 1},
        {ATTR_TYPES("Tin", "DT_FLOAT") ATTR_TYPES("Tout", "DT_FLOAT, DT_FLOAT") ATTR_FUNC("f", "add_1"), SL_INTERNAL,
         "Expect to produce 2 tensors, but only get 1", 1},
        {ATTR_TYPES("Tin", "DT_FLOAT") ATTR_TYPES("Tout", "DT_INT32") ATTR_FUNC("f", "add_1"), SL_INTERNAL,
         "Expect 0-th output is of type int32 but get float", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct node n;
        node_make(&n, b, "PartitionedCall", cases[i].attrs);
        for (int j = 0; j < cases[i].n; j++) node_in(&n, j, f32(1));
        assert_fails(b->err, cases[i].code, cases[i].message, node_run(&n));
        node_end(&n);
    }
}

static void case_takes_the_last_branch_for_any_other_index(void **state) {
    struct bench *b = use(state);
    const int32_t indices[] = {0, 1, 2, 3, INT32_MAX, -1, INT32_MIN};
    const char *results[] = {"1", "2", "2", "2", "2", "2", "2"};
    for (int i = 0; i < 7; i++) {
        struct node n;
        node_make(&n, b, "Case",
                  ATTR_TYPES("Tin", "DT_FLOAT")
                      ATTR_TYPES("Tout", "DT_FLOAT") "attr { key: 'branches' value { list { func { name: 'add_1' } "
                                                     "func { name: 'add_2' } } } }");
        node_in(&n, 0, i32(indices[i]));
        node_in(&n, 1, f32(0));
        assert_ok(b->err, node_run(&n));
        take_and_expect(node_take(&n, 0), "[]", results[i]);
        node_end(&n);
    }
}

/* Who needs an input beyond the 64th later on is not said: those are shared, the others may be taken. */
static void calls_take_what_nobody_needs(void **state) {
    struct bench *b = use(state);
    struct node n;
    char attrs[128 + MANY * 10] = "attr { key: 'Tin' value { list { ";
    for (int i = 0; i < MANY; i++) {
        strcat(attrs, "type: 1 ");
        functions[6].arg_types[i] = SL_FLOAT;
    }
    strcat(attrs, "} } } " ATTR_TYPES("Tout", "DT_FLOAT") ATTR_FUNC("f", "sum_many"));
    node_make(&n, b, "PartitionedCall", attrs);
    for (int i = 0; i < MANY; i++) node_in(&n, i, f32((float)i));
    n.k.may_take = ~UINT64_C(0) << 1; /* somebody needs the first */
    node_start(&n);
    assert_true(n.is_done && n.code == SL_OK);
    for (int i = 0; i < MANY; i++) assert_int_equal(n.slots[i].kind, i > 0 && i < 64 ? SL_VALUE_NONE : SL_VALUE_SCALAR);
    take_and_expect(node_take(&n, 0), "[]", "3160");
    node_end(&n);
}

#define WHILE_ATTRS(body) ATTR_TYPES("T", "DT_INT32, DT_FLOAT") ATTR_FUNC("cond", "below") ATTR_FUNC("body", body)

static void while_moves_its_variables(void **state) {
    struct bench *b = use(state);
    static const char *const ops[] = {"While", "StatelessWhile", "_While"};
    for (int i = 0; i < 3; i++) {
        struct node n;
        node_make(&n, b, ops[i], WHILE_ATTRS("count"));
        struct sl_value big = VEC_F32(1, 2, 3);
        void *memory = big.tensor->data;
        node_in(&n, 0, i32(0));
        node_in(&n, 1, big);
        functions[3].calls = 0;
        assert_ok(b->err, node_run(&n));
        assert_int_equal(functions[3].calls, 10000);
        take_and_expect(node_take(&n, 0), "[]", "10000");
        assert_ptr_equal(node_out(&n, 1)->tensor->data, memory);
        assert_true(sl_tensor_is_sole(node_out(&n, 1)->tensor));
        take_and_expect(node_take(&n, 1), "[3]", "1 2 3");
        node_end(&n);
    }
}

static void wait_for(struct node *n) {
    while (!__atomic_load_n(&n->is_done, __ATOMIC_ACQUIRE))
        if (!fake_finish(&fake)) sched_yield();
}

/* The same loop when its functions wait: no stack grows, however they end. */
static void while_goes_on_when_calls_end(void **state) {
    struct bench *b = use(state);
    const enum fake_way ways[] = {FAKE_AT_ONCE, FAKE_LATER, FAKE_OTHER_THREAD};
    for (int i = 0; i < 3; i++) {
        struct node n;
        fake.way = ways[i];
        node_make(&n, b, "While", WHILE_ATTRS("count"));
        node_in(&n, 0, i32(ways[i] == FAKE_OTHER_THREAD ? 9900 : 0));
        node_in(&n, 1, VEC_F32(1, 2, 3));
        node_start(&n);
        wait_for(&n);
        assert_int_equal(n.code, SL_OK);
        take_and_expect(node_take(&n, 0), "[]", "10000");
        take_and_expect(node_take(&n, 1), "[3]", "1 2 3");
        node_end(&n);
    }
}

static void while_gives_up_on_failure(void **state) {
    struct bench *b = use(state);
    struct node n;
    node_make(&n, b, "While", WHILE_ATTRS("fail_at_7"));
    node_in(&n, 0, i32(0));
    node_in(&n, 1, VEC_F32(1, 2, 3));
    assert_fails(b->err, SL_DATA_LOSS, "seven", node_run(&n));
    node_in(&n, 0, i32(0));
    node_in(&n, 1, VEC_F32(1, 2, 3));
    fake.way = FAKE_LATER;
    node_start(&n);
    wait_for(&n);
    assert_int_equal(n.code, SL_DATA_LOSS);
    node_end(&n);
}

static void while_stops_when_cancelled(void **state) {
    struct bench *b = use(state);
    struct node n;
    node_make(&n, b, "While", WHILE_ATTRS("count"));
    node_in(&n, 0, i32(0));
    node_in(&n, 1, f32(0));
    fake.way = FAKE_LATER;
    node_start(&n);
    for (int i = 0; i < 6; i++) assert_true(fake_finish(&fake));
    assert_false(n.is_done);
    sl_cancellation_start(b->env.cancellation, SL_CANCELLED, "stop");
    wait_for(&n);
    assert_int_equal(n.code, SL_CANCELLED);
    node_end(&n);
}

static void while_body_must_give_back_its_variables(void **state) {
    struct bench *b = use(state);
    struct node n;
    node_make(&n, b, "While",
              ATTR_TYPES("T", "DT_INT32, DT_FLOAT") ATTR_FUNC("cond", "below") ATTR_FUNC("body", "sum"));
    node_in(&n, 0, i32(0));
    node_in(&n, 1, f32(0));
    assert_fails(b->err, SL_INVALID_ARGUMENT, "Expect to produce 2 tensors, but only get 1", node_run(&n));
    node_end(&n);
}

static void for_counts(void **state) {
    struct bench *b = use(state);
    const struct {
        int32_t start, limit, delta;
        const char *result; /* NULL: refused */
    } cases[] = {{0, 5, 1, "10"}, {5, 0, -2, "9"},  {3, 3, 0, "0"}, {0, 5, 0, NULL},
                 {5, 0, 1, NULL}, {0, 5, -1, NULL}, {0, 5, 2, "6"}, {2147483640, 2147483647, 5, "4.2949673e+09"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct node n;
        node_make(&n, b, "For", ATTR_TYPES("T", "DT_FLOAT") ATTR_FUNC("body", "sum"));
        node_in(&n, 0, i32(cases[i].start));
        node_in(&n, 1, i32(cases[i].limit));
        node_in(&n, 2, i32(cases[i].delta));
        node_in(&n, 3, f32(0));
        if (cases[i].result) {
            assert_ok(b->err, node_run(&n));
            take_and_expect(node_take(&n, 0), "[]", cases[i].result);
        } else {
            assert_fails(b->err, SL_INVALID_ARGUMENT, "Invalid start/limit/delta", node_run(&n));
        }
        node_end(&n);
    }
}

static void remote_call_stays_in_the_process(void **state) {
    struct bench *b = use(state);
    const struct {
        const char *target;
        sl_code code;
    } cases[] = {{"", SL_OK},
                 {"/device:CPU:0", SL_OK},
                 {"/cpu:0", SL_OK},
                 {"/job:localhost/replica:0/task:0/device:CPU:0", SL_OK},
                 {"/device:GPU:7", SL_INTERNAL},
                 {"xx", SL_INVALID_ARGUMENT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct node n;
        node_make(&n, b, "RemoteCall",
                  ATTR_TYPES("Tin", "DT_FLOAT") ATTR_TYPES("Tout", "DT_FLOAT") ATTR_FUNC("f", "add_1"));
        node_in(&n, 0, text(cases[i].target));
        node_in(&n, 1, f32(1));
        assert_int_equal(node_run(&n), cases[i].code);
        if (cases[i].code == SL_OK) take_and_expect(node_take(&n, 0), "[]", "2");
        node_end(&n);
    }
}

static void gradients_of_functions_need_the_session(void **state) {
    struct bench *b = use(state);
    struct node n;
    node_make(&n, b, "SymbolicGradient",
              ATTR_TYPES("Tin", "DT_FLOAT, DT_FLOAT") ATTR_TYPES("Tout", "DT_FLOAT") ATTR_FUNC("f", "add_1"));
    node_in(&n, 0, f32(1));
    node_in(&n, 1, f32(1));
    assert_fails(b->err, SL_UNIMPLEMENTED, "SymbolicGradient of function add_1", node_run(&n));
    node_end(&n);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, bench_setup, bench_teardown)
    const struct CMUnitTest tests[] = {
        TEST(if_takes_the_branch_of_its_condition),
        TEST(if_refuses_conditions_without_truth),
        TEST(functions_that_do_not_fit_fail_when_run),
        TEST(case_takes_the_last_branch_for_any_other_index),
        TEST(calls_take_what_nobody_needs),
        TEST(while_moves_its_variables),
        TEST(while_goes_on_when_calls_end),
        TEST(while_gives_up_on_failure),
        TEST(while_stops_when_cancelled),
        TEST(while_body_must_give_back_its_variables),
        TEST(for_counts),
        TEST(remote_call_stays_in_the_process),
        TEST(gradients_of_functions_need_the_session),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
