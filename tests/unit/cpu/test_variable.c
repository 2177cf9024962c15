/* Changing the elements of variables: in place when nobody else holds them, a copy when somebody reads; scatters and
 * gathers; many threads on one variable. */
#include "unit/cpu/kernel_rows.h"

#include <pthread.h>
#include <stdio.h>

#include "base/alloc.h"
#include "kernel/variable.h"
#include "tensor/summary.h"

static struct sl_variable *variable(bool is_reference, const char *value) {
    struct sl_variable *v;
    struct sl_value first = {0};
    if (value) first = value_of(value);
    struct sl_variable_spec spec = {.type = is_reference ? &sl_ref_variable_type : &sl_variable_type,
                                    .dtype = value ? first.dtype : SL_FLOAT,
                                    .container = SL_STR("localhost"),
                                    .name = SL_STR("v")};
    assert_int_equal(sl_variable_new(&v, &spec, NULL), SL_OK);
    sl_variable_write(v, first);
    return v;
}

static void drop(struct sl_variable *v) { sl_object_unref(&v->object); }

enum { MOST_INPUTS = 5 };

/* Runs an op whose input 0 is the variable; the others are texts, "|" between them. `out` may be NULL. */
static sl_code run_on(struct sl_value *out, struct sl_variable *v, const char *op, const char *attrs,
                      const char *inputs, struct sl_error *err) {
    bool is_reference = v->object.type == &sl_ref_variable_type;
    struct sl_value in[MOST_INPUTS] = {{.kind = is_reference ? SL_VALUE_REF : SL_VALUE_OBJECT,
                                        .dtype = is_reference ? v->dtype : SL_RESOURCE,
                                        .object = &v->object}};
    struct sl_value got = {0};
    int n = 1;
    char copy[512];
    snprintf(copy, sizeof copy, "%s", inputs);
    for (char *rest = copy, *text; (text = strtok_r(rest, "|", &rest));) in[n++] = value_of(text);
    sl_code code = run_kernel(&got, op, attrs, in, n, false, NULL, err);
    for (int i = 1; i < n; i++) sl_value_clear(&in[i]);
    if (code == SL_OK && is_reference) assert_ptr_equal(got.object, v); /* it goes on */
    if (out) *out = got;
    else sl_value_clear(&got);
    return code;
}

static void expect(struct sl_value value, const char *wanted) {
    struct sl_value w = value_of(wanted);
    char *a, *b;
    assert_int_equal(sl_view_summary(&a, sl_value_view(&value), -1, NULL), SL_OK);
    assert_int_equal(sl_view_summary(&b, sl_value_view(&w), -1, NULL), SL_OK);
    assert_string_equal(a, b);
    assert_true(sl_shape_equal(sl_view_shape(sl_value_view(&value)), sl_view_shape(sl_value_view(&w))));
    sl_free(a);
    sl_free(b);
    sl_value_clear(&w);
}

struct change_row {
    const char *before, *op, *resource_op, *attrs, *inputs, *after; /* after: a value, or code and message */
};

/* Each row by reference and by resource. */
static const struct change_row changes[] = {
    {"float[2] 1 2", "AssignAdd", "AssignAddVariableOp", "", "float[2] 10 20", "float[2] 11 22"},
    {"float[2] 1 2", "AssignSub", "AssignSubVariableOp", "", "float[2] 10 20", "float[2] -9 -18"},
    {"int64 5", "AssignAdd", "AssignAddVariableOp", "", "int64 1", "int64 6"},
    {"half[2] 1 2", "AssignAdd", "AssignAddVariableOp", "", "half[2] .5 .5", "half[2] 1.5 2.5"},
    {"float[0]", "AssignAdd", "AssignAddVariableOp", "", "float[0]", "float[0]"},
    {"float[3,2] 1 2 3 4 5 6", "ScatterAdd", "ResourceScatterAdd", "", "int32[2] 2 2|float[2,2] 1 1 2 2",
     "float[3,2] 1 2 3 4 8 9"},
    {"float[3,2] 1 2 3 4 5 6", "ScatterUpdate", "ResourceScatterUpdate", "", "int64 1|float[2] 7 8",
     "float[3,2] 1 2 7 8 5 6"},
    {"float[3,2] 1 2 3 4 5 6", "ScatterSub", "ResourceScatterSub", "", "int32[1] 0|float 1", "float[3,2] 0 1 3 4 5 6"},
    {"float[3] 1 2 3", "ScatterMul", "ResourceScatterMul", "", "int32[2] 0 2|float[2] 4 5", "float[3] 4 2 15"},
    {"int32[2] 7 -7", "ScatterDiv", "ResourceScatterDiv", "", "int32[2] 0 1|int32 2", "int32[2] 3 -3"},
    {"int32[2] 7 -7", "ScatterDiv", "ResourceScatterDiv", "", "int32[2] 0 1|int32 0",
     "INVALID_ARGUMENT Integer division by zero"},
    {"float[2] 1 5", "ScatterMin", "ResourceScatterMin", "", "int32[2] 0 1|float[2] 3 3", "float[2] 1 3"},
    {"float[2] 1 5", "ScatterMax", "ResourceScatterMax", "", "int32[2] 0 1|float[2] 3 3", "float[2] 3 5"},
    {"float[2] 1 5", "ScatterAdd", "ResourceScatterAdd", "", "int32[0]|float[0]", "float[2] 1 5"},
    {"float[3] 1 2 3", "ScatterAdd", "ResourceScatterAdd", "", "int32[1,1] 3|float[1,1] 1",
     "INVALID_ARGUMENT indices[0,0] = 3 is not in [0, 3)"},
    {"float[3] 1 2 3", "ScatterAdd", "ResourceScatterAdd", "", "int32[1] -1|float[1] 1",
     "INVALID_ARGUMENT indices[0] = -1 is not in [0, 3)"},
    {"float[3,2] 0", "ScatterAdd", "ResourceScatterAdd", "", "int32[1] 0|float[2] 1 1",
     "INVALID_ARGUMENT Must have updates.shape = indices.shape + params.shape[1:] or updates.shape = [], got "
     "updates.shape [2], indices.shape [1], params.shape [3,2]"},
    {"float 1", "ScatterAdd", "ResourceScatterAdd", "", "int32[1] 0|float[1] 1",
     "INVALID_ARGUMENT params must be at least 1-D, got shape []"},
    {"float[2,2] 1 2 3 4", "ScatterNdAdd", "ResourceScatterNdAdd", "", "int32[2,2] 0 1 1 0|float[2] 10 20",
     "float[2,2] 1 12 23 4"},
    {"float[2,2] 1 2 3 4", "ScatterNdUpdate", "ResourceScatterNdUpdate", "", "int32[1,1] 1|float[1,2] 8 9",
     "float[2,2] 1 2 8 9"},
    {"float[2,2] 1 2 3 4", "ScatterNdSub", "ResourceScatterNdSub", "", "int32[1,1] 1|float[1,2] 1 1",
     "float[2,2] 1 2 2 3"},
    {"float[2,2] 1 2 3 4", "ScatterNdMin", "ResourceScatterNdMin", "", "int32[1,1] 0|float[1,2] 0 9",
     "float[2,2] 0 2 3 4"},
    {"float[2,2] 1 2 3 4", "ScatterNdMax", "ResourceScatterNdMax", "", "int32[1,1] 0|float[1,2] 0 9",
     "float[2,2] 1 9 3 4"},
    {"bool[3] 1 1 0", "ScatterNdSub", "ResourceScatterNdSub", "", "int32[2,1] 0 2|bool[2] 1 1", "bool[3] 0 1 1"},
    {"float[2,2] 1 2 3 4", "ScatterNdAdd", "ResourceScatterNdAdd", "", "int32[1,2] 2 0|float[1] 1",
     "INVALID_ARGUMENT indices[0] = [2, 0] does not index into shape [2,2]"},
    {"float[2,2] 1 2 3 4", "ScatterNdAdd", "ResourceScatterNdAdd", "bad_indices_policy s: 'IGNORE'",
     "int32[2,2] 2 0 1 1|float[2] 1 1", "float[2,2] 1 2 3 5"},
    {"float[4] 1 2 3 4", "StridedSliceAssign", "ResourceStridedSliceAssign", "",
     "int32[1] 1|int32[1] 4|int32[1] 2|float[2] 8 9", "float[4] 1 8 3 9"},
    {"float[4] 1 2 3 4", "StridedSliceAssign", "ResourceStridedSliceAssign", "",
     "int32[1] 0|int32[1] 2|int32[1] 1|float 7", "float[4] 7 7 3 4"},
    {"float[4] 1 2 3 4", "StridedSliceAssign", "ResourceStridedSliceAssign", "",
     "int32[1] 0|int32[1] 2|int32[1] 1|float[3] 7 7 7",
     "INVALID_ARGUMENT Cannot broadcast input shape [3] into final shape [2]"},
    {"string[2] a b", "ScatterUpdate", "ResourceScatterUpdate", "", "int32[1] 1|string[1] z", "string[2] a z"},
};

static void change(const struct change_row *row, bool is_reference) {
    struct sl_error err;
    struct sl_variable *v = variable(is_reference, row->before);
    bool is_error = row->after[0] >= 'A' && row->after[0] <= 'Z';
    const char *op = is_reference ? row->op : row->resource_op;
    struct sl_value reader = sl_value_share(&v->value); /* somebody who read before */
    sl_error_clear(&err);
    sl_code code = run_on(NULL, v, op, row->attrs, row->inputs, &err);
    if (is_error) {
        const char *message = strchr(row->after, ' ') + 1;
        if (code == SL_OK || strncmp(sl_code_name(code), row->after, (size_t)(message - row->after - 1)) != 0 ||
            !strstr(err.message, message))
            fail_msg("%s: got %s: %s", op, sl_code_name(code), err.message);
    } else {
        if (code != SL_OK) fail_msg("%s: %s: %s", op, sl_code_name(code), err.message);
        expect(v->value, row->after);
    }
    expect(reader, row->before);
    sl_value_clear(&reader);
    drop(v);
}

static void changes_are_made_and_readers_keep_what_they_have(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        for (int is_reference = 0; is_reference < 2; is_reference++) {
            /* a scalar resource says it with the shapes; references of bool are not scattered to */
            if (strncmp(changes[i].before, is_reference ? "bool" : "float 1", is_reference ? 4 : 8) == 0) continue;
            change(&changes[i], is_reference);
        }
}

static void a_bad_index_leaves_what_was_done_before_it(void **state) {
    static const struct change_row rows[] = {
        {"float[5] 0 1 2 3 4", "ScatterUpdate", "ResourceScatterUpdate", "", "int32[3] 1 7 2|float[3] 10 20 30",
         "float[5] 0 10 2 3 4"},
        {"float[5] 0 1 2 3 4", "ScatterSub", "ResourceScatterSub", "", "int32[3] 1 2 -1|float 10",
         "float[5] 0 -9 -8 3 4"},
        {"float[5] 0 1 2 3 4", "ScatterNdAdd", "ResourceScatterNdAdd", "", "int32[3,1] 1 7 2|float[3] 10 20 30",
         "float[5] 0 11 32 3 4"}, /* here what comes after it too */
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int is_reference = 0; is_reference < 2; is_reference++) {
            struct sl_error err;
            struct sl_variable *v = variable(is_reference, rows[i].before);
            assert_fails(err, SL_INVALID_ARGUMENT, "indices[",
                         run_on(NULL, v, is_reference ? rows[i].op : rows[i].resource_op, rows[i].attrs, rows[i].inputs,
                                &err));
            expect(v->value, rows[i].after);
            drop(v);
        }
}

static void nobody_else_means_in_place(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_variable *v = variable(false, "float[4] 1 2 3 4");
    const void *data = v->value.tensor->data;
    assert_ok(err, run_on(NULL, v, "AssignAddVariableOp", "", "float[4] 1 1 1 1", &err));
    assert_ok(err, run_on(NULL, v, "ResourceScatterAdd", "", "int32[1] 0|float[1] 1", &err));
    assert_true(v->copy_on_read);
    struct sl_value got;
    assert_ok(err, sl_variable_read(&got, v, &err)); /* a copy */
    assert_ok(err, run_on(NULL, v, "ResourceScatterAdd", "", "int32[1] 0|float[1] 1", &err));
    assert_ptr_equal(v->value.tensor->data, data);
    expect(got, "float[4] 3 3 4 5");
    expect(v->value, "float[4] 4 3 4 5");
    sl_value_clear(&got);
    drop(v);
}

static void shapes_and_types_must_match(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_variable *v = variable(false, "float[2] 1 2"), *r = variable(true, "float[2] 1 2");
    assert_fails(err, SL_INVALID_ARGUMENT,
                 "Cannot update variable with shape [2] using a Tensor with shape [3], shapes must be equal.",
                 run_on(NULL, v, "AssignAddVariableOp", "", "float[3] 1", &err));
    assert_fails(err, SL_INVALID_ARGUMENT, "Parameters and update must be the same size",
                 run_on(NULL, r, "AssignSub", "", "float 1", &err));
    assert_fails(err, SL_INVALID_ARGUMENT, "DType of variable handle and value does not match.",
                 run_on(NULL, v, "AssignAddVariableOp", "", "int32[2] 1", &err));
    assert_fails(err, SL_INVALID_ARGUMENT, "DType of scatter resource and updates does not match.",
                 run_on(NULL, v, "ResourceScatterAdd", "", "int32[1] 0|int32[1] 1", &err));
    assert_fails(err, SL_INVALID_ARGUMENT, "l-value dtype float does not match r-value dtype int32",
                 run_on(NULL, v, "ResourceStridedSliceAssign", "", "int32[1] 0|int32[1] 2|int32[1] 1|int32[2] 1 2",
                        &err));
    drop(v);
    drop(r);
}

static void without_a_value_all_fail(void **state) {
    static const struct {
        const char *reference, *resource, *inputs;
    } ops[] = {{"AssignAdd", "AssignAddVariableOp", "float[1] 1"},
               {"ScatterAdd", "ResourceScatterAdd", "int32[1] 0|float[1] 1"},
               {"ScatterNdAdd", "ResourceScatterNdAdd", "int32[1,1] 0|float[1] 1"},
               {"StridedSliceAssign", "ResourceStridedSliceAssign", "int32[1] 0|int32[1] 2|int32[1] 1|float[2] 1 2"},
               {NULL, "ResourceGather", "int32[1] 0"},
               {NULL, "ResourceGatherNd", "int32[1,1] 0"}};
    (void)state;
    struct sl_error err;
    struct sl_variable *v = variable(false, NULL), *r = variable(true, NULL);
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        const char *attrs = ops[i].reference ? "" : "dtype type: DT_FLOAT";
        assert_fails(err, SL_NOT_FOUND, "Resource localhost/v/N10tensorflow3VarE does not exist.",
                     run_on(NULL, v, ops[i].resource, attrs, ops[i].inputs, &err));
        if (ops[i].reference)
            assert_fails(err, SL_FAILED_PRECONDITION, "Attempting to use uninitialized value v",
                         run_on(NULL, r, ops[i].reference, "", ops[i].inputs, &err));
    }
    drop(v);
    drop(r);
}

static void gathers(void **state) {
    static const struct change_row rows[] = {
        {"float[3,2] 1 2 3 4 5 6", NULL, "ResourceGather", "", "int32[2] 2 0", "float[2,2] 5 6 1 2"},
        {"float[3,2] 1 2 3 4 5 6", NULL, "ResourceGather", "", "int64 1", "float[2] 3 4"},
        {"float[2,2] 1 2 3 4", NULL, "ResourceGather", "batch_dims i: 1", "int32[2,1] 1 0", "float[2,1] 2 3"},
        {"float[3,2] 1 2 3 4 5 6", NULL, "ResourceGather", "", "int32[1] 3", "indices[0] = 3 is not in [0, 3)"},
        {"float[3,2] 1 2 3 4 5 6", NULL, "ResourceGatherNd", "", "int32[1,2] 2 1", "float[1] 6"},
        {"float[3,2] 1 2 3 4 5 6", NULL, "ResourceGatherNd", "", "int32[1,1] 5",
         "does not index into param shape [3,2]"},
        {"float 1", NULL, "ResourceGather", "", "int32[1] 0", "params must be at least 1 dimensional"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sl_variable *v = variable(false, rows[i].before);
        struct sl_value got = {0};
        struct sl_error err;
        char attrs[96];
        snprintf(attrs, sizeof attrs, "dtype type: DT_FLOAT%s%s", *rows[i].attrs ? "; " : "", rows[i].attrs);
        sl_error_clear(&err);
        sl_code code = run_on(&got, v, rows[i].resource_op, attrs, rows[i].inputs, &err);
        if (code == SL_OK) expect(got, rows[i].after);
        else if (code != SL_INVALID_ARGUMENT || !strstr(err.message, rows[i].after))
            fail_msg("%s: %s: %s", rows[i].resource_op, sl_code_name(code), err.message);
        sl_value_clear(&got);
        drop(v);
    }
}

/* ---- generators of random numbers in variables */

static void expect_state(struct sl_variable *v, const char *state) {
    struct sl_value now;
    struct sl_error err;
    assert_ok(err, sl_variable_read(&now, v, &err));
    expect(now, state);
    sl_value_clear(&now);
}

/* What TensorFlow makes of the counter 5, 7 and the key 11, and where it leaves the counter. */
static void generators_go_on(void **state) {
    static const struct {
        const char *op, *attrs, *inputs, *numbers, *after;
    } rows[] = {
        {"RngReadAndSkip", "", "int32 1|uint64 3", "int64[3] 5 7 11", "int64[4] 773 7 11 1"},
        {"RngReadAndSkip", "", "int32 3|uint64 0", "int64[3] 5 7 11", "int64[4] 5 7 11 1"},
        {"RngSkip", "", "int64 1|int64 2", NULL, "int64[4] 517 7 11 1"},
        {"RngSkip", "", "int64 3|int64 -2", NULL, "int64[4] -507 7 11 1"},
        {"StatefulUniform", "dtype type: DT_FLOAT", "int64 1|int64[1] 3",
         "float[3] 0.3664005994796753 0.7981644868850708 0.25775814056396484", "int64[4] 773 7 11 1"},
        {"StatefulUniform", "dtype type: DT_DOUBLE", "int64 3|int32[1] 1", "double[1] 0.9312054306234503",
         "int64[4] 261 7 11 1"},
        {"StatefulStandardNormalV2", "dtype type: DT_FLOAT", "int64 1|int64[1] 5",
         "float[5] -1.352663516998291 0.42232394218444824 0.371599942445755 -1.6041759252548218 -0.6199131011962891",
         "int64[4] 1285 7 11 1"},
        {"StatefulTruncatedNormal", "dtype type: DT_FLOAT", "int64 1|int64[1] 5",
         "float[5] -1.352663516998291 0.42232394218444824 0.371599942445755 -1.6041759252548218 -0.2840080261230469",
         "int64[4] 1285 7 11 1"},
        {"StatefulUniformFullInt", "dtype type: DT_UINT64", "int64 1|int64[1] 2",
         "uint64[2] 12278547894800148023 773313867615895096", "int64[4] 517 7 11 1"},
        {"StatefulUniformInt", "dtype type: DT_INT32", "int64 1|int64[1] 4|int32 -3|int32 10", "int32[4] 4 6 0 5",
         "int64[4] 1029 7 11 1"},
        {"StatefulUniform", "dtype type: DT_FLOAT", "int64 1|int64[1] 0", "float[0]", "int64[4] 5 7 11 1"},
        {"StatefulRandomBinomial", "T type: DT_FLOAT; dtype type: DT_INT64",
         "int64 1|int64[2] 2 2|float[2] 10 30|float[2] 0.4 0.5", "int64[2,2] 4 12 6 14", "int64[4] 128005 7 11 1"},
        {"StatefulRandomBinomial", "T type: DT_DOUBLE; dtype type: DT_FLOAT", "int64 1|int32[1] 3|double 10|double 0.4",
         "float[3] 4 6 6", "int64[4] 76805 7 11 1"},
        {"StatefulRandomBinomial", "T type: DT_DOUBLE; dtype type: DT_FLOAT", "int64 1|int32[1] 0|double 10|double 0.4",
         "float[0]", "int64[4] 38405 7 11 1"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sl_variable *v = variable(false, "int64[4] 5 7 11 1");
        struct sl_value got = {0};
        struct sl_error err;
        assert_ok(err, run_on(&got, v, rows[i].op, rows[i].attrs, rows[i].inputs, &err));
        if (rows[i].numbers) expect(got, rows[i].numbers);
        expect_state(v, rows[i].after);
        sl_value_clear(&got);
        drop(v);
    }
}

static void generators_carry_into_the_high_half(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_variable *v = variable(false, "int64[3] -1 7 11");
    assert_ok(err, run_on(NULL, v, "RngReadAndSkip", "", "int32 1|uint64 1", &err));
    expect_state(v, "int64[3] 255 8 11");
    drop(v);
}

static void generators_refuse(void **state) {
    static const struct {
        const char *value, *inputs;
        sl_code code;
        const char *message;
    } rows[] = {
        {"int64[3] 1", "int64 0|int64[1] 1", SL_INVALID_ARGUMENT, "Unsupported algorithm id: 0"},
        {"int64[3] 1", "int64 2|int64[1] 1", SL_UNIMPLEMENTED, "don't support the ThreeFry algorithm"},
        {"int64[3] 1", "int64[1] 1|int64[1] 1", SL_INVALID_ARGUMENT, "input 1 (0-based) must have shape [], not [1]"},
        {"int64[3] 1", "int64 1|int64[1] -2", SL_INVALID_ARGUMENT, "must be >= 0, got -2"},
        {"int64[2] 1", "int64 1|int64[1] 1", SL_INVALID_ARGUMENT, "the size of state must be at least 3; got 2"},
        {"float[3] 1", "int64 1|int64[1] 1", SL_INVALID_ARGUMENT, "variable must be int64, not float"},
        {"int64[1,3] 1", "int64 1|int64[1] 1", SL_INVALID_ARGUMENT, "must have one and only one dimension, not 2"},
    };
    (void)state;
    struct sl_error err;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sl_variable *v = variable(false, rows[i].value);
        assert_fails(err, rows[i].code, rows[i].message,
                     run_on(NULL, v, "StatefulUniform", "dtype type: DT_FLOAT", rows[i].inputs, &err));
        drop(v);
    }
    struct sl_variable *v = variable(false, "int64[3] 1");
    const char *attrs = "T type: DT_DOUBLE; dtype type: DT_INT64";
    assert_fails(err, SL_INVALID_ARGUMENT, "Unsupported algorithm id: 3",
                 run_on(NULL, v, "StatefulRandomBinomial", attrs, "int64 3|int64[1] 1|double 1|double 1", &err));
    assert_fails(err, SL_INVALID_ARGUMENT, "Shape passed in must end with broadcasted shape.",
                 run_on(NULL, v, "StatefulRandomBinomial", attrs, "int64 1|int64[1] 3|double[2] 1 2|double 1", &err));
    assert_fails(err, SL_INVALID_ARGUMENT, "Need minval < maxval, got 3 >= 3",
                 run_on(NULL, v, "StatefulUniformInt", "dtype type: DT_INT64", "int64 1|int64[1] 4|int64 3|int64 3",
                        &err));
    drop(v);
}

static void numbers_of_the_system_differ(void **state) {
    (void)state;
    struct sl_value shape = value_of("int64[1] 4"), a, b;
    struct sl_error err;
    const char *attrs = "dtype type: DT_INT64";
    assert_ok(err, run_kernel(&a, "NonDeterministicInts", attrs, &shape, 1, false, NULL, &err));
    assert_ok(err, run_kernel(&b, "NonDeterministicInts", attrs, &shape, 1, false, NULL, &err));
    assert_memory_not_equal(a.tensor->data, b.tensor->data, 32);
    sl_value_clear(&a);
    sl_value_clear(&b);
    sl_value_clear(&shape);
}

/* ---- threads */

enum { TIMES = 400, WRITERS = 2 };
struct worker {
    struct sl_variable *v;
    sl_code code;
    int torn; /* reads that saw half an update */
};

static void *add_often(void *arg) {
    struct worker *w = arg;
    struct sl_error err;
    for (int i = 0; i < TIMES && w->code == SL_OK; i++)
        w->code = run_on(NULL, w->v, "AssignAddVariableOp", "", "float[64] 1", &err);
    return NULL;
}

static void *read_often(void *arg) {
    struct worker *w = arg;
    struct sl_error err;
    for (int i = 0; i < TIMES && w->code == SL_OK; i++) {
        struct sl_value got = {0};
        w->code = sl_variable_read(&got, w->v, &err);
        if (w->code != SL_OK) break;
        const float *x = got.tensor->data;
        for (int j = 1; j < 64; j++) w->torn += x[j] != x[0];
        sl_value_clear(&got);
    }
    return NULL;
}

static void no_addition_is_lost_and_no_read_is_torn(void **state) {
    (void)state;
    struct sl_variable *v = variable(false, "float[64] 0");
    struct worker w[WRITERS + 1];
    pthread_t threads[WRITERS + 1];
    for (int i = 0; i <= WRITERS; i++) {
        w[i] = (struct worker){v, SL_OK, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, i < WRITERS ? add_often : read_often, &w[i]), 0);
    }
    for (int i = 0; i <= WRITERS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(w[i].code, SL_OK);
        assert_int_equal(w[i].torn, 0);
    }
    assert_true(((float *)v->value.tensor->data)[63] == TIMES * WRITERS);
    drop(v);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_are_made_and_readers_keep_what_they_have),
        cmocka_unit_test(a_bad_index_leaves_what_was_done_before_it),
        cmocka_unit_test(nobody_else_means_in_place),
        cmocka_unit_test(shapes_and_types_must_match),
        cmocka_unit_test(without_a_value_all_fail),
        cmocka_unit_test(gathers),
        cmocka_unit_test(generators_go_on),
        cmocka_unit_test(generators_carry_into_the_high_half),
        cmocka_unit_test(generators_refuse),
        cmocka_unit_test(numbers_of_the_system_differ),
        cmocka_unit_test(no_addition_is_lost_and_no_read_is_torn),
    };
    return cmocka_run_group_tests(tests, kernels_setup, kernels_teardown);
}
