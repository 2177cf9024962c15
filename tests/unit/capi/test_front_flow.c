/* Loops, conditionals and walks over elements of sluice/flow.h: values, gradients, captures, nesting, mistakes. */
#include "sluice/flow.h"
#include "sluice/gradient.h"
#include "sluice/ops.h"
#include "sluice/train.h"

#include "unit/capi/front_fixture.h"

/* Every test runs twice: its loops and conditionals in both forms. */
static struct front form_new(void **state) {
    struct front f = front_new();
    sl_push_functional(f.s, *state != NULL);
    return f;
}
static bool has_op(struct front *f, const char *type) {
    size_t at = 0;
    for (TF_Operation *op; (op = TF_GraphNextOperation(f->graph, &at));)
        if (strcmp(TF_OperationOpType(op), type) == 0) return true;
    return false;
}

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

/* ---- results where the inputs are */
static TF_Output below(struct sl_scope *s, const TF_Output *v, void *arg) {
    return sl_less(s, v[0], *(TF_Output *)arg);
}
static void swap_and_double(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    (void)arg;
    next[0] = sl_add_v2(s, v[1], v[1]);
    next[1] = sl_add_v2(s, v[0], v[0]);
}
static void swap_and_double_by(struct sl_scope *s, TF_Output *next, const TF_Output *v, TF_Output by, void *arg) {
    (void)arg;
    next[0] = sl_mul(s, v[1], by);
    next[1] = sl_mul(s, v[0], by);
}

static void results_may_lie_where_inputs_do(void **state) {
    struct front f = form_new(state);
    TF_Output loop[3] = {number(f.s, 1), number(f.s, 3), number(f.s, 100)}, limit = number(f.s, 20);
    sl_while(f.s, loop, loop, 2, below, swap_and_double, &limit, NULL);
    TF_Output shifted[3] = {number(f.s, 1), number(f.s, 3), {NULL, 0}};
    sl_while(f.s, shifted + 1, shifted, 2, below, swap_and_double, &limit, NULL);
    TF_Output again[2] = {number(f.s, 1), number(f.s, 3)};
    sl_recomputed(f.s, again, 2, again, 2, swap_and_double, NULL);
    TF_Output walk[2] = {number(f.s, 1), number(f.s, 3)};
    sl_scan(f.s, NULL, 0, walk, walk, 2, sl_float_vector(f.s, FLOATS(2, 5, 7)), swap_and_double_by, NULL);
    TF_Output x[2] = {number(f.s, 5), number(f.s, 7)}, y = sl_mul(f.s, x[0], x[1]);
    sl_gradients(f.s, x, &y, 1, x, 2);
    front_open(&f);
    expect_floats(&f, loop[0], 24); /* 1 3, 6 2, 4 12, 24 8 */
    expect_floats(&f, loop[1], 8);
    expect_floats(&f, loop[2], 100);
    expect_floats(&f, shifted[1], 24);
    expect_floats(&f, shifted[2], 8);
    expect_floats(&f, again[0], 6);
    expect_floats(&f, again[1], 2);
    expect_floats(&f, walk[0], 210);
    expect_floats(&f, walk[1], 70);
    expect_floats(&f, x[0], 7);
    expect_floats(&f, x[1], 5);
    front_delete(&f);
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
    struct front f = form_new(state);
    TF_Output x = input(f.s);
    struct outside o = {sl_mul(f.s, x, number(f.s, 2)), number(f.s, 3)};
    TF_Output start[] = {number(f.s, 0), x}, end[2];
    sl_while(f.s, end, start, 2, not_yet, multiply, &o, NULL);
    TF_Output dx = gradient(&f, end[1], x), ddx = gradient(&f, dx, x);
    assert_int_equal(has_op(&f, "StatelessWhile"), *state != NULL);
    assert_int_equal(has_op(&f, "Enter"), *state == NULL);
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
    struct front f = form_new(state);
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
    for (int varies = 0; varies < 2; varies++) {
        struct front f = form_new(state);
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
    struct front f = form_new(state);
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
    struct front f = form_new(state);
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
    struct front f = form_new(state);
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
    struct front f = form_new(state);
    static void (*const branches[])(struct sl_scope *, TF_Output *, void *) = {square, ten, itself};
    TF_Output x = input(f.s), y, index = sl_cast(f.s, x, (struct sl_cast_attrs){.DstT = TF_INT32});
    sl_case(f.s, &y, 1, index, branches, 3, &x);
    TF_Output dx = gradient(&f, y, x);
    front_open(&f);
    expect(&f, x, .5, y, .25);
    expect(&f, x, 1, y, 10);
    expect(&f, x, 2, y, 2);
    expect(&f, x, 3, y, 3); /* any other index: the last branch */
    expect(&f, x, 7, y, 7);
    expect(&f, x, -1, y, -1);
    expect(&f, x, .5, dx, 1);
    expect(&f, x, 3, dx, 1);
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
    struct front f = form_new(state);
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

/* ---- gradients that are asked for within a body */
struct descent {
    TF_Output rate;
    struct sl_var target;
};
/* One step down the gradient of (x - target)^2 / 2, which comes from within. */
static void descend(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    const struct descent *d = arg;
    TF_Output loss = sl_l2_loss(s, sl_sub(s, v[1], d->target.value));
    struct sl_slices of_target;
    TF_Output slope;
    sl_gradients(s, &slope, &loss, 1, &v[1], 1);
    sl_compute_gradients(s, loss, &d->target, 1, &of_target); /* the same, the other way round */
    TF_Output both = sl_mul(s, sl_sub(s, slope, of_target.values), number(s, .5));
    next[0] = sl_add_v2(s, v[0], number(s, 1));
    next[1] = sl_sub(s, v[1], sl_mul(s, d->rate, both));
}

static void bodies_may_ask_for_gradients(void **state) {
    struct front f = form_new(state);
    TF_Output x = input(f.s), start[] = {number(f.s, 0), x}, end[2];
    struct descent d = {number(f.s, .5), sl_variable(f.s, "target", number(f.s, 1))};
    sl_while(f.s, end, start, 2, below_four, descend, &d, NULL);
    TF_Output dx = gradient(&f, end[1], x), d_rate = gradient(&f, end[1], d.rate);
    front_open(&f);
    expect(&f, x, 17, end[1], 2); /* 1 + 16 (1 - rate)^4 */
    expect(&f, x, 17, dx, .0625f);
    expect(&f, x, 17, d_rate, -8);
    front_delete(&f);
}

/* The same of a loop and a conditional within the body: x -= rate d/dx (|x| x^2), and a variable is trained as well. */
static TF_Output below_two(struct sl_scope *s, const TF_Output *v, void *arg) {
    (void)arg;
    return sl_less(s, v[0], number(s, 2));
}
static void turn(struct sl_scope *s, TF_Output *out, void *arg) { out[0] = sl_neg(s, *(TF_Output *)arg); }
static void descend_deeper(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    const struct descent *d = arg;
    struct outside o = {v[1], number(s, 2)};
    TF_Output start[] = {number(s, 0), sl_op_first(NULL)}, end[2], slope, x = v[1];
    sl_cond(s, &start[1], 1, sl_less(s, x, number(s, 0)), turn, itself, &x);
    sl_while(s, end, start, 2, not_yet, multiply, &o, NULL);
    sl_gradients(s, &slope, &end[1], 1, &x, 1);
    TF_Output error = sl_square(s, sl_sub(s, sl_read(s, d->target), number(s, 3)));
    const struct sl_optimizer adam = {.kind = SL_ADAM, .rate = 1};
    TF_Operation *train = sl_minimize(s, &adam, error, NULL);
    sl_push_control(s, &train, 1);
    next[0] = sl_add_v2(s, v[0], number(s, 1));
    next[1] = sl_sub(s, x, sl_mul(s, d->rate, slope));
    sl_pop(s);
}

static void bodies_may_train(void **state) {
    struct front f = form_new(state);
    TF_Output x = input(f.s), start[] = {number(f.s, 0), x}, end[2];
    struct descent d = {number(f.s, .25), sl_variable(f.s, "target", number(f.s, 9))};
    sl_while(f.s, end, start, 2, below_two, descend_deeper, &d, NULL);
    front_open(&f);
    expect(&f, x, 1, end[1], .25f - .25f * 3 * .0625f);
    expect_floats(&f, d.target.value, 7.0088306f); /* Adam goes almost one whole step, twice */
    front_delete(&f);
}

/* Neither of what is outside by what is within, nor the other way round. */
static void expect_refused(struct front *f, TF_Output y, TF_Output x, const char *message) {
    struct sl_slices dx;
    TF_Status *status = TF_NewStatus();
    sl_add_gradients(f->graph, &y, NULL, 1, &x, 1, NULL, &dx, status);
    assert_int_equal(TF_GetCode(status), TF_INVALID_ARGUMENT);
    assert_non_null(strstr(TF_Message(status), message));
    TF_DeleteStatus(status);
}

static void gradients_stay_on_their_side(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output x = input(f.s), end;
    sl_while(f.s, &end, &x, 1, below_four, leak, NULL, NULL);
    expect_refused(&f, leaked, x, "is not computed in loop 'while'");
    expect_refused(&f, end, leaked, "gradients are of loops as a whole");
    front_delete(&f);
}

/* ---- resources within functions */
static void add_row(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    const struct sl_var *table = arg;
    TF_Output at = sl_cast(s, v[0], (struct sl_cast_attrs){.DstT = TF_INT32});
    TF_Output row = sl_resource_gather(s, table->handle, at, (struct sl_resource_gather_attrs){.dtype = TF_FLOAT});
    assert_int_equal(sl_rank_of(s, row), 1); /* what the resource holds is known within */
    next[0] = sl_add_v2(s, v[0], number(s, 1));
    next[1] = sl_add_v2(s, v[1], sl_mul(s, row, v[0]));
}
static TF_Output below_three(struct sl_scope *s, const TF_Output *v, void *arg) {
    (void)arg;
    return sl_less(s, v[0], number(s, 3));
}

static void variables_are_read_within(void **state) {
    struct front f = form_new(state);
    struct sl_var table = sl_variable(f.s, "table", sl_constant_of(f.s, TF_FLOAT, SL_SHAPE(3, 1), (float[]){1, 2, 4}));
    TF_Output start[] = {number(f.s, 0), sl_float_vector(f.s, FLOATS(0))}, end[2];
    sl_while(f.s, end, start, 2, below_three, add_row, &table, NULL);
    struct sl_slices slope;
    sl_compute_gradients(f.s, sl_sum(f.s, end[1], sl_int_vector(f.s, SL_INTS(0))), &table, 1, &slope);
    front_open(&f);
    expect_floats(&f, end[1], 10);
    if (!slope.indices.oper) expect_floats(&f, slope.values, 0, 1, 2);
    front_delete(&f);
}

/* ---- options, and mistakes */
static void gradients_end_where_they_should(void **state) {
    struct front f = form_new(state);
    TF_Output x = input(f.s), end[2];
    struct outside o = {x, number(f.s, 3)};
    TF_Output start[] = {number(f.s, 0), x};
    sl_while(f.s, end, start, 2, not_yet, multiply, &o, &(struct sl_while_options){.no_gradient = true});
    TF_Output y = sl_add_v2(f.s, end[1], sl_square(f.s, x)), dx = gradient(&f, y, x);
    front_open(&f);
    expect(&f, x, 2, y, 20);
    expect(&f, x, 2, dx, 4);
    front_delete(&f);
}

static void to_integers(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    (void)arg;
    next[0] = sl_cast(s, v[0], (struct sl_cast_attrs){.DstT = TF_INT32});
}
static void nothing(struct sl_scope *s, TF_Output *out, void *arg) {
    (void)s, (void)arg;
    out[0] = (TF_Output){NULL, 0};
}

static void mistakes_within_leave_nothing(void **state) {
    for (int which = 0; which < 3; which++) {
        struct front f = form_new(state);
        TF_Output start = number(f.s, 0), end;
        size_t at = 0, before = 0, after = 0;
        while (TF_GraphNextOperation(f.graph, &at)) before++;
        if (which == 0) sl_while(f.s, &end, &start, 1, below_four, to_integers, NULL, NULL);
        if (which == 1) sl_cond(f.s, &end, 1, start, ten, nothing, NULL);
        if (which == 2) sl_while(f.s, &end, &start, 0, below_four, leak, NULL, NULL);
        assert_int_equal(sl_scope_code(f.s), TF_INVALID_ARGUMENT);
        if (which != 2) assert_null(end.oper);
        at = 0;
        while (TF_GraphNextOperation(f.graph, &at)) after++;
        assert_int_equal(before, after);
        assert_int_equal(TF_GraphNumFunctions(f.graph), 0);
        front_delete(&f);
    }
}

/* ---- what gradients keep */
enum { UNITS = 3, LONG = 1000 };
static TF_Output below_long(struct sl_scope *s, const TF_Output *v, void *arg) {
    (void)arg;
    return sl_less(s, v[0], number(s, LONG));
}
/* h = tanh(h W): what is kept is h before and after. And with more of it, of which every tanh is. */
static void roll(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *w) {
    next[0] = sl_add_v2(s, v[0], number(s, 1));
    next[1] = sl_tanh(s, sl_matmul(s, v[1], *(TF_Output *)w));
}
static void roll_softly(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *w) {
    roll(s, next, v, w);
    for (int i = 0; i < 4; i++) next[1] = sl_tanh(s, sl_sin(s, next[1]));
}

static const float weights[] = {.9f, .5f, -.2f, -.5f, .9f, .1f, .3f, -.1f, .8f}, first_row[] = {.3f, -.1f, .2f};

/* The gradient of the sum of the last h with respect to W, by hand. */
static void differentiate_by_hand(double dw[UNITS * UNITS]) {
    static double h[LONG + 1][UNITS];
    double dh[UNITS] = {1, 1, 1};
    for (int i = 0; i < UNITS; i++) h[0][i] = (double)first_row[i];
    for (int t = 0; t < LONG; t++)
        for (int i = 0; i < UNITS; i++) {
            double sum = 0;
            for (int k = 0; k < UNITS; k++) sum += h[t][k] * (double)weights[k * UNITS + i];
            h[t + 1][i] = tanh(sum);
        }
    for (int t = LONG; t-- > 0;) {
        double before[UNITS] = {0};
        for (int i = 0; i < UNITS; i++) {
            double slope = dh[i] * (1 - h[t + 1][i] * h[t + 1][i]);
            for (int k = 0; k < UNITS; k++) {
                dw[k * UNITS + i] += slope * h[t][k];
                before[k] += slope * (double)weights[k * UNITS + i];
            }
        }
        memcpy(dh, before, sizeof dh);
    }
}

/* Lists of the forward loop: each keeps a tensor an iteration. */
static int count_lists(struct front *f) {
    size_t at = 0;
    int n = 0;
    for (TF_Operation *op; (op = TF_GraphNextOperation(f->graph, &at));) {
        n += strcmp(TF_OperationOpType(op), "TensorListPushBack") == 0;
        n += strcmp(TF_OperationOpType(op), "EmptyTensorList") == 0 && has_op(f, "StatelessWhile");
    }
    return n;
}

static void long_loops_keep_what_they_need(void **state) {
    static const struct {
        bool softly, recompute;
        int lists;
    } cases[] = {{false, false, 2}, {true, false, 6}, {true, true, 2}, {false, true, 2}};
    double wanted[UNITS * UNITS] = {0};
    float got[4][UNITS * UNITS];
    differentiate_by_hand(wanted);
    for (int c = 0; c < 4; c++) {
        struct front f = form_new(state);
        TF_Output w = sl_constant_of(f.s, TF_FLOAT, SL_SHAPE(UNITS, UNITS), weights), dw, end[2];
        TF_Output start[] = {number(f.s, 0), sl_constant_of(f.s, TF_FLOAT, SL_SHAPE(1, UNITS), first_row)};
        sl_while(f.s, end, start, 2, below_long, cases[c].softly ? roll_softly : roll, &w,
                 &(struct sl_while_options){.recompute = cases[c].recompute});
        TF_Output sum = sl_sum(f.s, end[1], sl_int_vector(f.s, SL_INTS(0, 1)));
        sl_gradients(f.s, &dw, &sum, 1, &w, 1);
        front_open(&f);
        front_floats(&f, dw, got[c], UNITS * UNITS);
        assert_int_equal(count_lists(&f), cases[c].lists);
        front_delete(&f);
        for (int i = 0; i < UNITS * UNITS && !cases[c].softly; i++)
            assert_true(fabs((double)got[c][i] - wanted[i]) < 1e-4 * fmax(1, fabs(wanted[i])));
    }
    for (int i = 0; i < UNITS * UNITS; i++)
        assert_true(fabsf(got[1][i] - got[2][i]) < 1e-5f * fmaxf(1, fabsf(got[1][i])));
}

/* ---- functions that are there already: of (x, by) */
static TF_Function *function_of(const char *name, const char *op, bool hands_on) {
    struct front f = front_new();
    TF_Output args[] = {sl_placeholder(f.s, "a", TF_FLOAT, SL_SCALAR), sl_placeholder(f.s, "b", TF_FLOAT, SL_SCALAR)};
    const struct sl_op_input inputs[] = {{&args[0], -1}, {&args[1], -1}};
    TF_Output results[] = {sl_op_first(sl_op(f.s, op, inputs, 2, NULL, 0)), sl_identity(f.s, args[1])};
    TF_Status *status = TF_NewStatus();
    TF_Function *function =
        TF_GraphToFunction(f.graph, name, 0, -1, NULL, 2, args, hands_on ? 2 : 1, results, NULL, NULL, NULL, status);
    if (!function) fail_msg("%s", TF_Message(status));
    TF_DeleteStatus(status);
    front_delete(&f);
    return function;
}

static void functions_may_be_given(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Function *below_five = function_of("below", "Less", false), *product = function_of("times", "Mul", true),
                *sum = function_of("plus", "AddV2", true);
    TF_Output x = input(f.s), start[] = {number(f.s, 2), x}, end[2], y[2], z[2];
    sl_while_of(f.s, end, (TF_Output[]){number(f.s, 1), x}, 2, below_five, product, NULL);
    const TF_Function *both[] = {product, sum};
    TF_Output here[] = {number(f.s, 1), x}; /* results and inputs in one array */
    sl_while_of(f.s, here, here, 2, below_five, product, NULL);
    sl_case_of(f.s, here, 2, sl_scalar(f.s, TF_INT32, 1), both, 2, here, 2);
    sl_case_of(f.s, y, 2, sl_less(f.s, x, number(f.s, 0)), both, 2, start, 2);
    sl_case_of(f.s, z, 2, sl_cast(f.s, x, (struct sl_cast_attrs){.DstT = TF_INT32}), both, 2, start, 2);
    TF_Output dy = gradient(&f, y[0], x);
    front_open(&f);
    expect(&f, x, 3, end[0], 3);
    expect(&f, x, 3, here[0], 6);
    expect(&f, x, -3, y[0], -6);
    expect(&f, x, 3, y[0], 5);
    expect(&f, x, -3, dy, 2);
    expect(&f, x, 0, z[0], 0);
    expect(&f, x, 7, z[0], 9);
    TF_Output one;
    sl_case_of(f.s, &one, 1, x, both, 2, start, 2);
    assert_int_equal(sl_scope_code(f.s), TF_INVALID_ARGUMENT);
    TF_DeleteFunction(below_five);
    TF_DeleteFunction(product);
    TF_DeleteFunction(sum);
    front_delete(&f);
}

/* A loop of one form within a conditional of the other. */
static void powers_by_functions(struct sl_scope *s, TF_Output *out, void *arg) {
    struct outside o = {*(TF_Output *)arg, number(s, 2)};
    TF_Output start[] = {number(s, 0), *(TF_Output *)arg}, end[2];
    sl_push_functional(s, true);
    sl_while(s, end, start, 2, not_yet, multiply, &o, NULL);
    sl_pop(s);
    out[0] = end[1];
}

static void forms_may_be_mixed(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output x = input(f.s), y;
    sl_cond(f.s, &y, 1, sl_less(f.s, x, number(f.s, 3)), powers_by_functions, itself, &x);
    TF_Output dx = gradient(&f, y, x);
    assert_true(has_op(&f, "Switch") && has_op(&f, "StatelessWhile"));
    front_open(&f);
    expect(&f, x, 2, y, 8);
    expect(&f, x, 2, dx, 12);
    expect(&f, x, 4, dx, 1);
    front_delete(&f);
}

#define BOTH(test)                                                                                                     \
    {#test, test, NULL, NULL, NULL}, { #test " by functions", test, NULL, NULL, (void *)"functions" }

int main(void) {
    const struct CMUnitTest tests[] = {
        BOTH(results_may_lie_where_inputs_do),
        BOTH(loops_use_what_lies_outside),
        BOTH(loops_and_conditionals_nest),
        BOTH(shapes_may_vary_when_told),
        BOTH(values_within_stay_within),
        BOTH(bodies_run_as_often_as_they_should),
        BOTH(conditionals_choose),
        BOTH(cases_take_one_branch),
        BOTH(walks_go_through_elements),
        BOTH(variables_are_read_within),
        BOTH(gradients_end_where_they_should),
        BOTH(mistakes_within_leave_nothing),
        BOTH(long_loops_keep_what_they_need),
        BOTH(bodies_may_ask_for_gradients),
        BOTH(bodies_may_train),
        cmocka_unit_test(gradients_stay_on_their_side),
        cmocka_unit_test(functions_may_be_given),
        cmocka_unit_test(forms_may_be_mixed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
