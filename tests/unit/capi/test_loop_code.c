/* Loops over scalars as machine code and without: the same values and the same errors, whatever they are fed. */
#include "sluice/flow.h"
#include "sluice/ops.h"
#include "sluice/train.h"

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

/* ---- gradients: what the loop before made comes back from the ends of lists */
static TF_Output gradient_of(struct sl_scope *s, TF_Output y, TF_Output x) {
    TF_Output dx;
    sl_gradients(s, &dx, &y, 1, &x, 1);
    return dx;
}
static TF_Output below_x(struct sl_scope *s, const TF_Output *v, void *x) {
    return sl_less(s, as_float(s, v[0]), *(TF_Output *)x);
}
static void bend(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    (void)arg;
    next[0] = sl_add_v2(s, v[0], whole(s, 1));
    next[1] = sl_tanh(s, sl_add_v2(s, sl_mul(s, v[1], number(s, 0.9)), sl_mul(s, v[1], v[1])));
}
/* As many turns as x says. */
static TF_Output bent(struct sl_scope *s, TF_Output x) {
    const TF_Output start[2] = {whole(s, 0), sl_mul(s, x, number(s, 0.01))};
    TF_Output last[2];
    sl_while(s, last, start, 2, below_x, bend, &x, NULL);
    return last[1];
}
static TF_Output slope(struct sl_scope *s, TF_Output x) { return gradient_of(s, bent(s, x), x); }
static TF_Output curvature(struct sl_scope *s, TF_Output x) { return gradient_of(s, slope(s, x), x); }
static TF_Output third(struct sl_scope *s, TF_Output x) { return gradient_of(s, curvature(s, x), x); }
static TF_Output many_ops_slope(struct sl_scope *s, TF_Output x) { return gradient_of(s, many_ops(s, x), x); }
static TF_Output nested_slope(struct sl_scope *s, TF_Output x) { return gradient_of(s, nested(s, x), x); }
static TF_Output division_slope(struct sl_scope *s, TF_Output x) { return gradient_of(s, division(s, x), x); }
static TF_Output scaled_slope(struct sl_scope *s, TF_Output x) { return gradient_of(s, scaled(s, x), x); }
static TF_Output root_slope(struct sl_scope *s, TF_Output x) { return gradient_of(s, root(s, x), x); }

/* One of three ways a turn: values that are kept of some turns only. */
static void twist(struct sl_scope *s, TF_Output *out, void *x) {
    out[0] = sl_sin(s, sl_mul(s, *(TF_Output *)x, *(TF_Output *)x));
}
static void keep(struct sl_scope *s, TF_Output *out, void *x) { out[0] = sl_identity(s, *(TF_Output *)x); }
static void cube(struct sl_scope *s, TF_Output *out, void *x) {
    TF_Output y = *(TF_Output *)x;
    out[0] = sl_mul(s, sl_mul(s, y, y), sl_mul(s, y, number(s, 0.5)));
}
static void cube_or_keep(struct sl_scope *s, TF_Output *out, void *x) {
    sl_cond(s, out, 1, sl_greater(s, *(TF_Output *)x, number(s, 1)), cube, keep, x);
}
static void take_a_way(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    (void)arg;
    TF_Output x = sl_mul(s, v[1], number(s, 1.25));
    next[0] = sl_add_v2(s, v[0], whole(s, 1));
    sl_cond(s, &next[1], 1, sl_equal(s, sl_floor_mod(s, v[0], whole(s, 3)), whole(s, 1)), twist, cube_or_keep, &x);
}
static TF_Output ways_slope(struct sl_scope *s, TF_Output x) {
    return gradient_of(s, loop_of(s, x, below_100, take_a_way), x);
}

static void gradients_agree(void **state) {
    (void)state;
    static const float turns[] = {0, 1, 2, 31, 32, 33, 100, 1500};
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        assert_int_equal(both(slope, turns[i], 0, 0).code, TF_OK);
        assert_int_equal(both(curvature, turns[i], 0, 0).code, TF_OK);
    }
    assert_int_equal(both(third, 70, 0, 0).code, TF_OK);
    for (float x = -4; x < 4; x += 0.93f) {
        assert_int_equal(both(many_ops_slope, x, 0, 0).code, TF_OK);
        assert_int_equal(both(ways_slope, x, 0, 0).code, TF_OK);
        assert_int_equal(both(nested_slope, x, 0, 0).code, TF_OK);
    }
    assert_int_equal(both(root_slope, 3, 0, 0).code, TF_OK);
    assert_int_equal(both(scaled_slope, 0.5f, 1, 0).code, TF_OK);
    assert_int_equal(both(division_slope, 1, 0, 0).code, TF_INVALID_ARGUMENT);
}

/* ---- lists that are variables */
struct list_loop {
    TF_DataType type;
    int most; /* turns */
};
static TF_Output below_most(struct sl_scope *s, const TF_Output *v, void *arg) {
    return sl_less(s, v[0], whole(s, ((const struct list_loop *)arg)->most));
}
static void push_number(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    const struct list_loop *l = arg;
    TF_Output number = sl_cast(s, sl_sub(s, v[0], whole(s, 3)), (struct sl_cast_attrs){.DstT = l->type});
    next[0] = sl_add_v2(s, v[0], whole(s, 1));
    next[1] = sl_tensor_list_push_back(s, v[1], number);
}
static TF_Output list_of_numbers(struct sl_scope *s, TF_Output shape, struct list_loop l, int most) {
    TF_Output last[2], start[2] = {whole(s, 0), sl_empty_tensor_list(s, shape, whole(s, most),
                                                                     (struct sl_empty_tensor_list_attrs){l.type})};
    sl_while(s, last, start, 2, below_most, push_number, &l, NULL);
    return last[1];
}
static void pop_number(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    const struct list_loop *l = arg;
    const struct sl_tensor_list_pop_back_outputs last =
        sl_tensor_list_pop_back(s, v[1], whole(s, -1), (struct sl_tensor_list_pop_back_attrs){l->type});
    next[0] = sl_add_v2(s, v[0], whole(s, 1));
    next[1] = last.output_handle;
    next[2] = sl_add_v2(s, sl_mul(s, v[2], number(s, 0.9)), as_float(s, last.tensor));
}
static TF_Output sum_from(struct sl_scope *s, TF_Output list, TF_Output x, struct list_loop l) {
    const TF_Output start[3] = {whole(s, 0), list, x};
    TF_Output last[3];
    const struct sl_while_options vary = SL_OPTIONS(sl_while_options, .shapes_vary = true);
    sl_while(s, last, start, 3, below_most, pop_number, &l, &vary);
    return sl_add_v2(s, last[2], as_float(s, sl_tensor_list_length(s, last[1])));
}
#define LIST_CASE(name, expression)                                                                                    \
    static TF_Output name(struct sl_scope *s, TF_Output x) { return expression; }
LIST_CASE(floats, sum_from(s, list_of_numbers(s, whole(s, -1), (struct list_loop){TF_FLOAT, 500}, -1), x,
                           (struct list_loop){TF_FLOAT, 400}))
LIST_CASE(doubles, sum_from(s, list_of_numbers(s, whole(s, -1), (struct list_loop){TF_DOUBLE, 99}, 99), x,
                            (struct list_loop){TF_DOUBLE, 99}))
LIST_CASE(longs, sum_from(s, list_of_numbers(s, whole(s, -1), (struct list_loop){TF_INT64, 40}, -1), x,
                          (struct list_loop){TF_INT64, 7}))
LIST_CASE(ints, sum_from(s, list_of_numbers(s, whole(s, -1), (struct list_loop){TF_INT32, 40}, -1), x,
                         (struct list_loop){TF_INT32, 40}))
LIST_CASE(none, sum_from(s, list_of_numbers(s, whole(s, -1), (struct list_loop){TF_FLOAT, 0}, -1), x,
                         (struct list_loop){TF_FLOAT, 0}))
LIST_CASE(too_many, sum_from(s, list_of_numbers(s, whole(s, -1), (struct list_loop){TF_FLOAT, 50}, 41), x,
                             (struct list_loop){TF_FLOAT, 1}))
LIST_CASE(too_few, sum_from(s, list_of_numbers(s, whole(s, -1), (struct list_loop){TF_FLOAT, 50}, -1), x,
                            (struct list_loop){TF_FLOAT, 51}))
LIST_CASE(no_scalars, sum_from(s, list_of_numbers(s, sl_int_vector(s, SL_INTS(2)), (struct list_loop){TF_FLOAT, 5}, -1),
                               x, (struct list_loop){TF_FLOAT, 5}))
LIST_CASE(other_type, sum_from(s, list_of_numbers(s, whole(s, -1), (struct list_loop){TF_INT32, 5}, -1), x,
                               (struct list_loop){TF_INT64, 5}))
/* Two loops take from one list: the second one needs it whole. */
static TF_Output shared(struct sl_scope *s, TF_Output x) {
    const struct list_loop l = {TF_FLOAT, 60};
    TF_Output list = list_of_numbers(s, whole(s, -1), l, -1);
    return sum_from(s, list, sum_from(s, list, x, l), l);
}
/* The values are not all scalars: those before are vectors of one element. */
static TF_Output mixed(struct sl_scope *s, TF_Output x) {
    const struct list_loop l = {TF_FLOAT, 60};
    TF_Output list = sl_empty_tensor_list(s, whole(s, -1), whole(s, -1), (struct sl_empty_tensor_list_attrs){TF_FLOAT});
    for (int i = 0; i < 20; i++) list = sl_tensor_list_push_back(s, list, sl_expand_dims(s, number(s, i), whole(s, 0)));
    TF_Output last[2], start[2] = {whole(s, 10), list};
    sl_while(s, last, start, 2, below_most, push_number, (void *)&l, NULL);
    return sum_from(s, last[1], x, l);
}

static void lists_agree(void **state) {
    (void)state;
    static const build_fn fine[] = {floats, doubles, longs, ints, none, shared, mixed};
    static const build_fn wrong[] = {too_many, too_few, no_scalars, other_type};
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) assert_int_equal(both(fine[i], 2, 0, 0).code, TF_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(both(wrong[i], 2, 0, 0).code, TF_INVALID_ARGUMENT);
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

static void turn_and_bend(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    bend(s, next, v, arg);
    next[0] = sl_bitwise_and(s, next[0], whole(s, 1023));
}
static TF_Output endless_slope(struct sl_scope *s, TF_Output x) {
    return gradient_of(s, loop_of(s, x, always, turn_and_bend), x);
}

static void deadlines_hold(void **state) {
    (void)state;
    struct outcome o = both(endless, 1, 0, 50);
    assert_int_equal(o.code, TF_DEADLINE_EXCEEDED);
    assert_non_null(strstr(o.message, "iterations so far"));
    assert_non_null(strstr(o.message, "decides by"));
    o = both(endless_in_a_loop, 1, 0, 50);
    assert_int_equal(o.code, TF_DEADLINE_EXCEEDED);
    o = both(endless_slope, 1, 0, 20);
    assert_int_equal(o.code, TF_DEADLINE_EXCEEDED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_ops_agree),
        cmocka_unit_test(vectors_are_interpreted),
        cmocka_unit_test(divisions_by_zero_are_errors),
        cmocka_unit_test(conditions_may_be_long),
        cmocka_unit_test(nests_agree),
        cmocka_unit_test(gradients_agree),
        cmocka_unit_test(lists_agree),
        cmocka_unit_test(deadlines_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
