/* Nodes that pass values on, stand for values, or check them. */
#include "unit/any/one_node.h"

#include <stdio.h>

#include "kernel/variable.h"

#define OF_FLOAT "attr { key: 'T' value { type: DT_FLOAT } }"

static void switch_kills_the_other_side(void **state) {
    struct bench *b = *state;
    struct node n;
    node_make(&n, b, "Switch", OF_FLOAT);
    for (int taken = 0; taken < 2; taken++) {
        node_in(&n, 0, VEC_F32(1, 2));
        node_in(&n, 1, boolean(taken));
        assert_ok(b->err, node_run(&n));
        assert_int_equal(node_out(&n, 1 - taken)->kind, SL_VALUE_DEAD);
        take_and_expect(node_take(&n, taken), "[2]", "1 2");
    }
    node_end(&n);
    REFUSED(b, SL_INVALID_ARGUMENT, "The second input must be a scalar, but it has shape [1]", "_SwitchN",
            OF_FLOAT "attr { key: 'num_outs' value { i: 2 } }", f32(1), VEC_I32(0));
}

static void merge_takes_the_live_one(void **state) {
    struct bench *b = *state;
    const struct sl_value dead = {.kind = SL_VALUE_DEAD};
    struct sl_value outs[2];
    assert_ok(b->err,
              run_once(b, outs, "Merge", OF_FLOAT "attr { key: 'N' value { i: 3 } }", INPUTS(dead, f32(7), dead)));
    take_and_expect(outs[0], "[]", "7");
    take_and_expect(outs[1], "[]", "1");
}

static void placeholders_say_what_they_lack(void **state) {
    struct bench *b = *state;
    assert_fails(
        b->err, SL_INVALID_ARGUMENT,
        "You must feed a value for placeholder tensor 'n' with dtype float and shape [2,?]",
        run_once(b, NULL, "Placeholder",
                 "attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'shape' value { shape { dim { size: "
                 "2 } dim { size: -1 } } } }",
                 NULL, 0));
    assert_fails(b->err, SL_INVALID_ARGUMENT, "and shape [3]",
                 run_once(b, NULL, "PlaceholderV2",
                          "attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'shape' value { shape { dim { "
                          "size: 3 } } } }",
                          NULL, 0));
    sl_code code = run_once(b, NULL, "Placeholder", "attr { key: 'dtype' value { type: DT_INT64 } }", NULL, 0);
    assert_int_equal(code, SL_INVALID_ARGUMENT);
    assert_string_equal(b->err.message, "You must feed a value for placeholder tensor 'n' with dtype int64");
}

static void assert_shows_its_data(void **state) {
    struct bench *b = *state;
    const float numbers[] = {1.5f, 2, 1.0f / 3, 4};
    struct sl_value strings = text("a\"\n\x01");
    sl_code code =
        run_once(b, NULL, "Assert", "attr { key: 'T' value { list { type: [DT_FLOAT, DT_STRING, DT_INT32] } } }",
                 INPUTS(boolean(false), mat_f32(2, 2, numbers), strings, VEC_I32(1, 2, 3)));
    assert_int_equal(code, SL_INVALID_ARGUMENT);
    assert_string_equal(b->err.message, "assertion failed: [[1.5 2][0.333333343...]...] [a\\\"\\n\\001] [1 2 3]");
    code = run_once(b, NULL, "Assert",
                    "attr { key: 'T' value { list { type: [DT_FLOAT] } } } attr { key: 'summarize' value { i: -1 } }",
                    INPUTS(boolean(false), mat_f32(2, 2, numbers)));
    assert_string_equal(b->err.message, "assertion failed: [[1.5 2][0.333333343 4]]");
    assert_ok(b->err, run_once(b, NULL, "Assert", "attr { key: 'T' value { list { type: [DT_FLOAT] } } }",
                               INPUTS(boolean(true), f32(1))));
    REFUSED(b, SL_INVALID_ARGUMENT, "In[0] should be a scalar: [0]", "Assert",
            "attr { key: 'T' value { list { type: [DT_FLOAT] } } }", vec_i32(0, NULL), f32(1));
    (void)code;
}

static void ensure_shape_lets_fitting_tensors_by(void **state) {
    struct bench *b = *state;
    const char *attrs = OF_FLOAT "attr { key: 'shape' value { shape { dim { size: 2 } dim { size: -1 } } } }";
    struct sl_value m = mat_f32(2, 1, (const float[]){1, 2});
    void *memory = m.tensor;
    struct sl_value same = RUN(b, "EnsureShape", attrs, m);
    assert_ptr_equal(same.tensor, memory);
    sl_value_clear(&same);
    REFUSED(b, SL_INVALID_ARGUMENT, "Shape of tensor input [3] is not compatible with expected shape [2,?].",
            "EnsureShape", attrs, VEC_F32(1, 2, 3));
}

static void constants_are_what_their_attr_says(void **state) {
    struct bench *b = *state;
    take_and_expect(
        run_one(b, "Const",
                "attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'value' value { tensor { dtype: "
                "DT_FLOAT tensor_shape { dim { size: 2 } } float_val: 3 } } }",
                NULL, 0),
        "[2]", "3 3");
    take_and_expect(
        run_one(b, "FakeParam",
                "attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'shape' value { shape { dim { size: "
                "2 } } } }",
                NULL, 0),
        "[2]", "0 0");
}

static void names_shards(void **state) {
    struct bench *b = *state;
    take_and_expect(RUN(b, "ShardedFilename", "", text("/x/a"), i32(3), i32(10)), "[]", "/x/a-00003-of-00010");
    REFUSED(b, SL_INVALID_ARGUMENT, "shard must be a scalar, got shape [1]", "ShardedFilename", "", text("a"),
            VEC_I32(3), i32(10));
}

static void device_index_finds_its_type(void **state) {
    struct bench *b = *state;
    const char *lists[] = {"'CPU', 'GPU'", "'GPU', 'CPU'", "'GPU', 'TPU'"}, *results[] = {"0", "1", "2"};
    for (int i = 0; i < 3; i++) {
        char attrs[128];
        snprintf(attrs, sizeof attrs, "attr { key: 'device_names' value { list { s: [%s] } } }", lists[i]);
        take_and_expect(run_one(b, "DeviceIndex", attrs, NULL, 0), "[]", results[i]);
    }
}

static void select_forwards_the_reference(void **state) {
    struct bench *b = *state;
    struct sl_variable *v;
    struct sl_variable_spec spec = {.type = &sl_ref_variable_type, .dtype = SL_FLOAT, .name = SL_STR("v")};
    assert_ok(b->err, sl_variable_new(&v, &spec, &b->err));
    struct sl_value reference = {.kind = SL_VALUE_REF, .dtype = SL_FLOAT, .object = &v->object};
    const char *attrs = OF_FLOAT "attr { key: 'N' value { i: 2 } }";
    struct sl_value got = RUN(b, "RefSelect", attrs, i32(1), share(reference), share(reference));
    assert_int_equal(got.kind, SL_VALUE_REF);
    assert_ptr_equal(got.object, reference.object);
    sl_value_clear(&got);
    REFUSED(b, SL_INVALID_ARGUMENT, "Index must be in the range [0, 2) but got 2", "RefSelect", attrs, i32(2),
            share(reference), reference);
}

static void references_pass_as_they_are(void **state) {
    struct bench *b = *state;
    static const char *const ops[][2] = {
        {"RefIdentity", OF_FLOAT},      {"RefEnter", OF_FLOAT "attr { key: 'frame_name' value { s: 'f' } }"},
        {"RefNextIteration", OF_FLOAT}, {"DebugGradientRefIdentity", OF_FLOAT},
        {"RefExit", OF_FLOAT},
    };
    struct sl_variable *v;
    struct sl_variable_spec spec = {.type = &sl_ref_variable_type, .dtype = SL_FLOAT, .name = SL_STR("v")};
    assert_ok(b->err, sl_variable_new(&v, &spec, &b->err));
    struct sl_value reference = {.kind = SL_VALUE_REF, .dtype = SL_FLOAT, .object = &v->object};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        struct sl_value got = RUN(b, ops[i][0], ops[i][1], share(reference));
        assert_int_equal(got.kind, SL_VALUE_REF);
        assert_ptr_equal(got.object, reference.object);
        sl_value_clear(&got);
    }
    sl_value_clear(&reference);
}

/* What a CPU did is done when its kernel returns. */
static void a_device_is_in_step(void **state) {
    struct bench *b = *state;
    assert_ok(b->err, run_once(b, NULL, "SyncDevice", "", NULL, 0));
}

static void abort_ends_the_step_alone(void **state) {
    struct bench *b = *state;
    assert_fails(b->err, SL_ABORTED, "enough",
                 run_once(b, NULL, "Abort", "attr { key: 'error_msg' value { s: 'enough' } }", NULL, 0));
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, bench_setup, bench_teardown)
    const struct CMUnitTest tests[] = {
        TEST(switch_kills_the_other_side),
        TEST(merge_takes_the_live_one),
        TEST(placeholders_say_what_they_lack),
        TEST(assert_shows_its_data),
        TEST(ensure_shape_lets_fitting_tensors_by),
        TEST(constants_are_what_their_attr_says),
        TEST(names_shards),
        TEST(device_index_finds_its_type),
        TEST(select_forwards_the_reference),
        TEST(references_pass_as_they_are),
        TEST(a_device_is_in_step),
        TEST(abort_ends_the_step_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
