/* Loops, conditionals and walks over elements of sluice/flow.h: values, gradients, captures, nesting, mistakes. */
#include "sluice/flow.h"
#include "sluice/gradient.h"
#include "sluice/ops.h"
#include "sluice/variables.h"

#include "unit/capi/front_fixture.h"

static TF_Output number(struct sl_scope *s, double value) { return sl_scalar(s, TF_FLOAT, value); }
static TF_Output input(struct sl_scope *s) { return sl_placeholder(s, "x", TF_FLOAT, SL_SCALAR); }
static TF_Output gradient(struct front *f, TF_Output y, TF_Output x) {
    struct sl_slices dx;
    if (!sl_scope_ok(f->s)) fail_msg("%s", sl_scope_message(f->s));
    TF_Status *status = TF_NewStatus();
    sl_add_gradients(f->graph, &y, NULL, 1, &x, 1, NULL, &dx, status);
    if (TF_GetCode(status) != TF_OK) fail_msg("%s", TF_Message(status));
    TF_DeleteStatus(status);
    return dx.values;
}
static void expect(struct front *f, TF_Output x, float value, TF_Output y, float wanted) {
    float got;
    front_feed_floats(f, x, value, y, &got, 1);
    if (!(fabsf(got - wanted) < 1e-4f * fmaxf(1, fabsf(wanted)))) fail_msg("%.9g, not %.9g", got, wanted);
}

/* ---- loops: x, and outside of it a factor and how often */
struct outside {
    TF_Output factor, times;
};
static TF_Output not_yet(struct sl_scope *s, const TF_Output *v, void *arg) {
    return sl_less(s, v[0], ((struct outside *)arg)->times);
}
static void multiply(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    next[0] = sl_add_v2(s, v[0], number(s, 1));
    next[1] = sl_mul(s, v[1], ((struct outside *)arg)->factor);
}

static void loops_use_what_lies_outside(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output x = input(f.s);
    struct outside o = {sl_mul(f.s, x, number(f.s, 2)), number(f.s, 3)};
    TF_Output start[] = {number(f.s, 0), x}, end[2];
    sl_while(f.s, end, start, 2, not_yet, multiply, &o, NULL);
    TF_Output dx = gradient(&f, end[1], x), ddx = gradient(&f, dx, x);
    front_open(&f);
    expect(&f, x, 3, end[0], 3);
    expect(&f, x, 3, end[1], 648); /* 8 x^4 */
    expect(&f, x, 3, dx, 864);     /* 32 x^3 */
    expect(&f, x, 3, ddx, 864);    /* 96 x^2 */
    front_delete(&f);
}

/* ---- nested: a sum over i of the power x^i, with a conditional within */
struct powers {
    TF_Output x;
    TF_Output i; /* of the loop around */
};
static TF_Output below_i(struct sl_scope *s, const TF_Output *v, void *arg) {
    return sl_less(s, v[0], ((struct powers *)arg)->i);
}
static void by_x(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    next[0] = sl_add_v2(s, v[0], number(s, 1));
    next[1] = sl_mul(s, v[1], ((struct powers *)arg)->x);
}
static TF_Output below_four(struct sl_scope *s, const TF_Output *v, void *arg) {
    (void)arg;
    return sl_less(s, v[0], number(s, 4));
}
struct sides {
    TF_Output sum, power;
};
static void add_it(struct sl_scope *s, TF_Output *out, void *arg) {
    const struct sides *of = arg;
    out[0] = sl_add_v2(s, of->sum, of->power);
}
static void leave_it(struct sl_scope *s, TF_Output *out, void *arg) {
    (void)s;
    out[0] = ((struct sides *)arg)->sum;
}
static void add_power(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    struct powers inner = *(struct powers *)arg;
    TF_Output start[] = {number(s, 0), number(s, 1)}, end[2];
    inner.i = v[0];
    sl_while(s, end, start, 2, below_i, by_x, &inner, NULL);
    struct sides of = {v[1], end[1]};
    sl_cond(s, &next[1], 1, sl_not_equal(s, v[0], number(s, 2)), add_it, leave_it, &of);
    next[0] = sl_add_v2(s, v[0], number(s, 1));
}

static void loops_and_conditionals_nest(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output x = input(f.s), start[] = {number(f.s, 0), number(f.s, 0)}, end[2];
    struct powers p = {.x = x};
    sl_while(f.s, end, start, 2, below_four, add_power, &p, &(struct sl_while_options){.parallel_iterations = 1});
    TF_Output dx = gradient(&f, end[1], x);
    front_open(&f);
    expect(&f, x, 2, end[1], 11); /* 1 + x + x^3 */
    expect(&f, x, 2, dx, 13);     /* 1 + 3 x^2 */
    front_delete(&f);
}

static void double_length(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    (void)arg;
    TF_Output both[] = {v[1], v[1]};
    next[0] = sl_add_v2(s, v[0], number(s, 1));
    next[1] = sl_concat_v2(s, both, 2, sl_scalar(s, TF_INT32, 0));
}

static void shapes_may_vary_when_told(void **state) {
    (void)state;
    for (int varies = 0; varies < 2; varies++) {
        struct front f = front_new();
        TF_Output start[] = {number(f.s, 2), sl_float_vector(f.s, FLOATS(1, 2))}, end[2];
        sl_while(f.s, end, start, 2, below_four, double_length, NULL,
                 &(struct sl_while_options){.shapes_vary = varies != 0});
        if (varies) {
            front_open(&f);
            expect_floats(&f, end[1], 1, 2, 1, 2, 1, 2, 1, 2);
        } else {
            assert_int_equal(sl_scope_code(f.s), TF_INVALID_ARGUMENT);
            assert_non_null(strstr(sl_scope_message(f.s), "shapes_vary"));
            assert_null(end[0].oper);
            assert_null(TF_GraphOperationByName(f.graph, "while/Enter"));
        }
        front_delete(&f);
    }
}

static TF_Output leaked;
static void leak(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    (void)arg;
    next[0] = leaked = sl_add_v2(s, v[0], number(s, 1));
}

static void values_within_stay_within(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output start = number(f.s, 0), end;
    sl_while(f.s, &end, &start, 1, below_four, leak, NULL, NULL);
    assert_true(sl_scope_ok(f.s));
    assert_null(sl_neg(f.s, leaked).oper);
    assert_int_equal(sl_scope_code(f.s), TF_INVALID_ARGUMENT);
    assert_non_null(strstr(sl_scope_message(f.s), "belongs to a loop"));
    front_delete(&f);
}

/* A variable counts how often the body ran, by an operation that reads nothing of the loop. */
static void count(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    struct sl_var *counter = arg;
    TF_Operation *add = sl_variable_add(s, *counter, number(s, 1));
    sl_push_control(s, &add, 1);
    next[0] = sl_add_v2(s, v[0], number(s, 1));
    sl_pop(s);
}

static void bodies_run_as_often_as_they_should(void **state) {
    (void)state;
    struct front f = front_new();
    struct sl_var counter = sl_variable(f.s, "counter", number(f.s, 0));
    TF_Output start = number(f.s, 0), end;
    sl_while(f.s, &end, &start, 1, below_four, count, &counter, NULL);
    front_open(&f);
    expect_floats(&f, end, 4);
    expect_floats(&f, counter.value, 4);
    front_delete(&f);
}

/* ---- conditionals */
static void square(struct sl_scope *s, TF_Output *out, void *arg) { out[0] = sl_square(s, *(TF_Output *)arg); }
static void ten(struct sl_scope *s, TF_Output *out, void *arg) {
    (void)arg;
    out[0] = number(s, 10);
}
static void itself(struct sl_scope *s, TF_Output *out, void *arg) {
    (void)s;
    out[0] = *(TF_Output *)arg;
}

static void conditionals_choose(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output x = input(f.s), y, z;
    sl_cond(f.s, &y, 1, sl_less(f.s, x, number(f.s, 0)), square, itself, &x);
    TF_Output dx = gradient(&f, y, x);
    sl_cond(f.s, &z, 1, sl_less(f.s, x, number(f.s, 0)), ten, square, &x);
    TF_Output dz = gradient(&f, z, x);
    front_open(&f);
    expect(&f, x, -3, y, 9);
    expect(&f, x, 3, y, 3);
    expect(&f, x, -3, dx, -6);
    expect(&f, x, 3, dx, 1);
    expect(&f, x, -3, z, 10);
    expect(&f, x, -3, dz, 0);
    expect(&f, x, 3, dz, 6);
    front_delete(&f);
}

static void cases_take_one_branch(void **state) {
    (void)state;
    struct front f = front_new();
    static void (*const branches[])(struct sl_scope *, TF_Output *, void *) = {square, ten, itself};
    TF_Output x = input(f.s), y, index = sl_cast(f.s, x, (struct sl_cast_attrs){.DstT = TF_INT32});
    sl_case(f.s, &y, 1, index, branches, 3, &x);
    TF_Output dx = gradient(&f, y, x);
    front_open(&f);
    expect(&f, x, .5, y, .25);
    expect(&f, x, 1, y, 10);
    expect(&f, x, 2, y, 2);
    expect(&f, x, 7, y, 7);
    expect(&f, x, -1, y, -1);
    expect(&f, x, .5, dx, 1);
    expect(&f, x, 7, dx, 1);
    front_delete(&f);
}

/* ---- walks */
static TF_Output times_x(struct sl_scope *s, TF_Output element, void *x) { return sl_mul(s, element, *(TF_Output *)x); }
static TF_Output power_sum(struct sl_scope *s, TF_Output state, TF_Output element, void *x) {
    return sl_add_v2(s, sl_mul(s, state, *(TF_Output *)x), element);
}
static void running(struct sl_scope *s, TF_Output *next, const TF_Output *states, TF_Output element, void *x) {
    next[0] = sl_add_v2(s, states[0], sl_mul(s, element, *(TF_Output *)x));
    next[1] = sl_mul(s, states[1], element);
}

static void walks_go_through_elements(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output x = input(f.s), list = sl_float_vector(f.s, FLOATS(1, 2, 3)), stacked, last[2];
    TF_Output mapped = sl_map(f.s, list, (TF_DataType)0, times_x, &x);
    TF_Output folded = sl_fold(f.s, number(f.s, 0), list, power_sum, &x);
    TF_Output initial[] = {number(f.s, 0), number(f.s, 1)};
    sl_scan(f.s, &stacked, 1, last, initial, 2, list, running, &x);
    TF_Output all = sl_int_vector(f.s, SL_INTS(0));
    TF_Output d_map = gradient(&f, sl_sum(f.s, sl_square(f.s, mapped), all), x), d_fold = gradient(&f, folded, x),
              d_scan = gradient(&f, sl_sum(f.s, stacked, all), x);
    front_open(&f);
    float got[3];
    front_feed_floats(&f, x, 2, mapped, got, 3);
    assert_true(got[0] == 2 && got[1] == 4 && got[2] == 6);
    front_feed_floats(&f, x, 2, stacked, got, 3);
    assert_true(got[0] == 2 && got[1] == 6 && got[2] == 12);
    expect(&f, x, 2, last[0], 12);
    expect(&f, x, 2, last[1], 6);
    expect(&f, x, 2, folded, 11); /* x^2 + 2 x + 3 */
    expect(&f, x, 2, d_map, 56);  /* 28 x */
    expect(&f, x, 2, d_fold, 6);
    expect(&f, x, 2, d_scan, 10); /* 1 + 3 + 6 */
    front_delete(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_use_what_lies_outside),
        cmocka_unit_test(loops_and_conditionals_nest),
        cmocka_unit_test(shapes_may_vary_when_told),
        cmocka_unit_test(values_within_stay_within),
        cmocka_unit_test(bodies_run_as_often_as_they_should),
        cmocka_unit_test(conditionals_choose),
        cmocka_unit_test(cases_take_one_branch),
        cmocka_unit_test(walks_go_through_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
