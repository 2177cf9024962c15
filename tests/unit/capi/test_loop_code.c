/* Loops over scalars as machine code and without: the same values and the same errors, whatever they are fed. */
#include "sluice/flow.h"
#include "sluice/ops.h"

#include <stdio.h>
#include <stdlib.h>

#include "unit/capi/front_fixture.h"

struct outcome {
    TF_Code code;
    char message[512];
    unsigned char bytes[16];
    size_t n_bytes;
};

/* One run with `x` fed by a float tensor of this rank, with one element. */
static struct outcome run(struct front *f, TF_Output x, float value, int rank, TF_Output y, int milliseconds) {
    struct outcome o = {.n_bytes = 0};
    const int64_t one = 1;
    const unsigned char timeout_in_ms[] = {0x10, (unsigned char)milliseconds};
    const TF_Buffer options = {.data = timeout_in_ms, .length = milliseconds ? sizeof timeout_in_ms : 0};
    TF_Status *status = TF_NewStatus();
    TF_Tensor *fed = TF_AllocateTensor(TF_FLOAT, &one, rank, sizeof value), *got = NULL;
    memcpy(TF_TensorData(fed), &value, sizeof value);
    TF_SessionRun(f->session, &options, &x, &fed, 1, &y, &got, 1, NULL, 0, NULL, status);
    o.code = TF_GetCode(status);
    snprintf(o.message, sizeof o.message, "%s", TF_Message(status));
    if (got) {
        o.n_bytes = TF_TensorByteSize(got);
        assert_true(o.n_bytes <= sizeof o.bytes);
        memcpy(o.bytes, TF_TensorData(got), o.n_bytes);
        TF_DeleteTensor(got);
    }
    TF_DeleteTensor(fed);
    TF_DeleteStatus(status);
    return o;
}

typedef TF_Output (*build_fn)(struct sl_scope *s, TF_Output x);

/* The graph's outcome for x, with and without code; the values are compared here. */
static struct outcome both(build_fn build, float value, int rank, int milliseconds) {
    struct outcome o[2];
    for (int is_off = 0; is_off < 2; is_off++) {
        if (is_off) setenv("SLUICE_JIT", "off", 1);
        struct front f = front_new();
        TF_Output x = sl_placeholder(f.s, "x", TF_FLOAT, rank ? SL_ANY_SHAPE : SL_SCALAR), y = build(f.s, x);
        front_open(&f);
        for (int again = 0; again < 2; again++) o[is_off] = run(&f, x, value, rank, y, milliseconds);
        front_delete(&f);
        unsetenv("SLUICE_JIT");
    }
    assert_int_equal(o[0].code, o[1].code);
    assert_int_equal(o[0].n_bytes, o[1].n_bytes);
    assert_memory_equal(o[0].bytes, o[1].bytes, o[0].n_bytes);
    if (!milliseconds) assert_string_equal(o[0].message, o[1].message);
    return o[0];
}

static TF_Output number(struct sl_scope *s, double value) { return sl_scalar(s, TF_FLOAT, value); }
static TF_Output as_float(struct sl_scope *s, TF_Output x) {
    return sl_cast(s, x, (struct sl_cast_attrs){.DstT = TF_FLOAT});
}
static TF_Output whole(struct sl_scope *s, double value) { return sl_scalar(s, TF_INT32, value); }

/* ---- variables: a whole number that counts, a float */
static TF_Output below_100(struct sl_scope *s, const TF_Output *v, void *arg) {
    (void)arg;
    return sl_less(s, v[0], whole(s, 100));
}
static TF_Output always(struct sl_scope *s, const TF_Output *v, void *arg) {
    (void)arg;
    return sl_greater_equal(s, v[0], whole(s, 0));
}
typedef TF_Output (*condition_fn)(struct sl_scope *s, const TF_Output *v, void *arg);
typedef void (*body_fn)(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg);
static TF_Output loop_of(struct sl_scope *s, TF_Output x, condition_fn condition, body_fn body) {
    const TF_Output start[2] = {whole(s, 0), x};
    TF_Output last[2];
    sl_while(s, last, start, 2, condition, body, NULL, NULL);
    return last[1];
}

static void of_many_ops(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    (void)arg;
    TF_Output i = as_float(s, v[0]), odd = sl_floor_mod(s, v[0], whole(s, 3)), is_odd = sl_equal(s, odd, whole(s, 1)),
              root = sl_sqrt(s, sl_add_v2(s, i, number(s, 1)));
    TF_Output turned = sl_sin(s, sl_mul(s, v[1], root)), other = sl_neg(s, sl_real_div(s, v[1], root));
    next[0] = sl_add_v2(s, v[0], sl_maximum(s, whole(s, 1), sl_floor_div(s, odd, whole(s, 2))));
    next[1] = sl_select_v2(s, is_odd, turned, other);
}
static TF_Output many_ops(struct sl_scope *s, TF_Output x) { return loop_of(s, x, below_100, of_many_ops); }

static void many_ops_agree(void **state) {
    (void)state;
    for (float x = -4; x < 4; x += 0.37f) assert_int_equal(both(many_ops, x, 0, 0).code, TF_OK);
    assert_int_equal(both(many_ops, INFINITY, 0, 0).code, TF_OK);
}

/* What was fed is no scalar: the code, which is there, is not for it. */
static void scale(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    (void)arg;
    next[0] = sl_add_v2(s, v[0], whole(s, 1));
    next[1] = sl_mul(s, v[1], number(s, 0.75));
}
static TF_Output scaled(struct sl_scope *s, TF_Output x) { return loop_of(s, x, below_100, scale); }

static void vectors_are_interpreted(void **state) {
    (void)state;
    assert_int_equal(both(scaled, 0.5f, 1, 0).n_bytes, sizeof(float));
    assert_int_equal(both(scaled, 0.5f, 0, 0).n_bytes, sizeof(float));
}

/* ---- errors of a turn are the kernel's */
static void divide_by_countdown(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    (void)arg;
    TF_Output left = sl_sub(s, whole(s, 50), v[0]);
    next[0] = sl_add_v2(s, v[0], whole(s, 1));
    next[1] = sl_add_v2(s, v[1], as_float(s, sl_floor_div(s, whole(s, 1000), left)));
}
static TF_Output division(struct sl_scope *s, TF_Output x) { return loop_of(s, x, below_100, divide_by_countdown); }
static void divide_by_minus_one(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    (void)arg;
    next[0] = sl_add_v2(s, v[0], whole(s, 1));
    next[1] = sl_add_v2(s, v[1], as_float(s, sl_floor_mod(s, whole(s, 7), sl_sub(s, v[0], whole(s, 30)))));
}
static TF_Output to_thirty(struct sl_scope *s, const TF_Output *v, void *arg) {
    (void)arg;
    return sl_less(s, v[0], whole(s, 30));
}
static TF_Output remainders(struct sl_scope *s, TF_Output x) { return loop_of(s, x, to_thirty, divide_by_minus_one); }

static void divisions_by_zero_are_errors(void **state) {
    (void)state;
    const struct outcome o = both(division, 1, 0, 0);
    assert_int_equal(o.code, TF_INVALID_ARGUMENT);
    assert_non_null(strstr(o.message, "division by zero"));
    assert_int_equal(both(remainders, 1, 0, 0).code, TF_OK);
}

/* ---- conditions of several ops, of which some are one kernel */
static TF_Output far_from_root(struct sl_scope *s, const TF_Output *v, void *arg) {
    (void)arg;
    return sl_greater(s, sl_abs(s, sl_sub(s, sl_mul(s, v[1], v[1]), number(s, 2))), number(s, 1e-5));
}
static void improve_root(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    (void)arg;
    next[0] = sl_add_v2(s, v[0], whole(s, 1));
    next[1] = sl_mul(s, sl_add_v2(s, v[1], sl_real_div(s, number(s, 2), v[1])), number(s, 0.5));
}
static TF_Output root(struct sl_scope *s, TF_Output x) { return loop_of(s, x, far_from_root, improve_root); }

static void conditions_may_be_long(void **state) {
    (void)state;
    for (float x = 0.5f; x < 9; x += 0.7f) {
        const struct outcome o = both(root, x, 0, 0);
        float y;
        memcpy(&y, o.bytes, sizeof y);
        assert_int_equal(o.code, TF_OK);
        assert_true(fabsf(y * y - 2) < 1e-4f);
    }
}

/* ---- loops in loops, conditionals in them */
static void add_up(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    (void)arg;
    next[0] = sl_add_v2(s, v[0], whole(s, 1));
    next[1] = sl_add_v2(s, sl_mul(s, v[1], number(s, 0.75)), as_float(s, v[0]));
}
static void halve(struct sl_scope *s, TF_Output *results, void *arg) {
    results[0] = sl_mul(s, *(TF_Output *)arg, number(s, 0.5));
}
static void count_in_it(struct sl_scope *s, TF_Output *results, void *arg) {
    results[0] = loop_of(s, *(TF_Output *)arg, to_thirty, add_up);
}
static void loop_or_halve(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    (void)arg;
    TF_Output x = v[1], is_small = sl_less(s, x, number(s, 10));
    next[0] = sl_add_v2(s, v[0], whole(s, 1));
    sl_cond(s, &next[1], 1, is_small, count_in_it, halve, &x);
}
static TF_Output nested(struct sl_scope *s, TF_Output x) { return loop_of(s, x, below_100, loop_or_halve); }

static void nests_agree(void **state) {
    (void)state;
    for (float x = -40; x < 40; x += 3.7f) assert_int_equal(both(nested, x, 0, 0).code, TF_OK);
}

/* ---- loops that do not end by themselves */
static void turn_in_place(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    (void)arg;
    next[0] = sl_bitwise_and(s, sl_add_v2(s, v[0], whole(s, 1)), whole(s, 1023));
    next[1] = sl_mul(s, v[1], number(s, 0.5));
}
static TF_Output endless(struct sl_scope *s, TF_Output x) { return loop_of(s, x, always, turn_in_place); }
static TF_Output endless_in_a_loop(struct sl_scope *s, TF_Output x) {
    return loop_of(s, endless(s, x), below_100, add_up);
}

static void deadlines_hold(void **state) {
    (void)state;
    struct outcome o = both(endless, 1, 0, 50);
    assert_int_equal(o.code, TF_DEADLINE_EXCEEDED);
    assert_non_null(strstr(o.message, "iterations so far"));
    assert_non_null(strstr(o.message, "decides by"));
    o = both(endless_in_a_loop, 1, 0, 50);
    assert_int_equal(o.code, TF_DEADLINE_EXCEEDED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_ops_agree),
        cmocka_unit_test(vectors_are_interpreted),
        cmocka_unit_test(divisions_by_zero_are_errors),
        cmocka_unit_test(conditions_may_be_long),
        cmocka_unit_test(nests_agree),
        cmocka_unit_test(deadlines_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
