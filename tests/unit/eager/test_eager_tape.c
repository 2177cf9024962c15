/* sluice/tape.h: gradients of what TFE_Execute ran. */
#include <pthread.h>

#include "unit/eager/tape_fixture.h"

/* ---- what is recorded */

static void products_and_sums(void **state) {
    struct taping *t = *state;
    TFE_TensorHandle *x = FLOATS(1, 2, 3), *w = FLOATS(4, 5, 6);
    struct sl_tape *tape = tape_of(t, false, x);
    TFE_TensorHandle *y = RUN("AddV2", RUN("AddV2", RUN("Mul", x, w), RUN("Square", x)), x);
    ASSERT_FLOATS(gradient(t, tape, y, x), 4 + 2 + 1, 5 + 4 + 1, 6 + 6 + 1);
    sl_tape_delete(tape);
}

static void matrices(void **state) {
    struct taping *t = *state;
    TFE_TensorHandle *x = matrix(t, 2, 2, (float[]){1, 2, 3, 4}), *w = matrix(t, 2, 1, (float[]){5, 7}), *dxs[2];
    struct sl_tape *tape = tape_of(t, false, x);
    sl_tape_watch(tape, w, t->status);
    TFE_TensorHandle *y = RUN("MatMul", x, w);
    sl_tape_gradient(dxs, tape, &y, 1, HANDLES(x, w), 2, NULL, t->status);
    assert_status_ok(t->status);
    ASSERT_FLOATS(keep(t, dxs[0]), 5, 7, 5, 7);
    ASSERT_FLOATS(keep(t, dxs[1]), 1 + 3, 2 + 4);
    sl_tape_delete(tape);
}

static void what_is_not_watched_is_constant(void **state) {
    struct taping *t = *state;
    TFE_TensorHandle *x = NUMBER(3), *w = NUMBER(4);
    struct sl_tape *tape = tape_of(t, true, x);
    TFE_TensorHandle *before = RUN("Square", w), *y = RUN("Mul", before, x);
    assert_true(sl_tape_follows(tape, x));
    assert_true(sl_tape_follows(tape, y));
    assert_false(sl_tape_follows(tape, before));
    assert_null(gradient(t, tape, y, w));
    assert_null(gradient(t, tape, before, x));
    ASSERT_FLOATS(gradient(t, tape, y, x), 16);
    ASSERT_FLOATS(gradient(t, tape, x, x), 1);
    sl_tape_delete(tape);
}

static void a_paused_tape_records_nothing(void **state) {
    struct taping *t = *state;
    TFE_TensorHandle *x = NUMBER(3);
    struct sl_tape *tape = tape_of(t, false, x);
    sl_tape_pause(tape, t->status);
    TFE_TensorHandle *constant = RUN("Square", x);
    sl_tape_resume(tape, t->status);
    ASSERT_FLOATS(gradient(t, tape, RUN("Mul", constant, x), x), 9);
    sl_tape_delete(tape);
}

/* Inputs that are deleted, and results that take their memory, do not change what was kept. */
static void inputs_may_go(void **state) {
    struct taping *t = *state;
    TFE_TensorHandle *x = FLOATS(1, 2, 3);
    struct sl_tape *tape = tape_of(t, false, x);
    TFE_TensorHandle *last = RUN("Square", x);
    for (int i = 0; i < 6; i++) { /* the handle of each input goes as soon as it is used */
        TFE_TensorHandle *next = RUN(i % 2 ? "Square" : "Sqrt", last);
        drop(t, last);
        last = next;
    }
    ASSERT_FLOATS(gradient(t, tape, last, x), 2, 4, 6);
    ASSERT_FLOATS(last, 1, 4, 9);
    sl_tape_delete(tape);
}

static void float_type(TFE_Op *op) { TFE_OpSetAttrType(op, "DstT", TF_FLOAT); }

static void integers_have_no_gradient(void **state) {
    struct taping *t = *state;
    TFE_TensorHandle *x = FLOATS(1, 2), *n = INTS(3, 4), *dx;
    struct sl_tape *tape = tape_of(t, true, x);
    ASSERT_FLOATS(gradient(t, tape, RUN("Mul", x, execute(t, "Cast", &n, 1, float_type)), x), 3, 4);
    sl_tape_watch(tape, n, t->status);
    assert_status(t->status, TF_INVALID_ARGUMENT, "type int32, which has no gradients");
    sl_tape_gradient(&dx, tape, &n, 1, &x, 1, NULL, t->status);
    assert_status(t->status, TF_INVALID_ARGUMENT, "Target 0 is of type int32");
    sl_tape_delete(tape);
}

/* ---- variables */

static void variables(void **state) {
    struct taping *t = *state;
    TFE_TensorHandle *v = variable(t, FLOATS(2, 3));
    struct sl_tape *tape = tape_of(t, false, v);
    TFE_TensorHandle *before = read_variable(t, v);
    RUN("AssignVariableOp", v, FLOATS(5, 7));
    TFE_TensorHandle *y = RUN("Mul", before, RUN("Square", read_variable(t, v)));
    ASSERT_FLOATS(gradient(t, tape, y, v), 25 + 2 * 2 * 5, 49 + 3 * 2 * 7);
    sl_tape_delete(tape);
}

static void gather_attrs(TFE_Op *op) { TFE_OpSetAttrType(op, "dtype", TF_FLOAT); }

static void gathers_give_rows(void **state) {
    struct taping *t = *state;
    TFE_TensorHandle *v = variable(t, FLOATS(1, 2, 3, 4));
    struct sl_tape *tape = tape_of(t, true, v);
    struct sl_handle_slices rows;
    TFE_TensorHandle *y = execute(t, "ResourceGather", HANDLES(v, INTS(2, 2)), 2, gather_attrs);
    sl_tape_gradient_slices(&rows, tape, &y, 1, &v, 1, NULL, t->status);
    assert_status_ok(t->status);
    ASSERT_FLOATS(keep(t, rows.values), 1, 1);
    assert_non_null(keep(t, rows.indices));
    assert_non_null(keep(t, rows.dense_shape));
    ASSERT_FLOATS(gradient(t, tape, y, v), 0, 0, 2, 0);
    sl_tape_delete(tape);
}

/* ---- options */

static void targets_with_gradients_of_their_own(void **state) {
    struct taping *t = *state;
    TFE_TensorHandle *x = FLOATS(1, 2), *dx;
    struct sl_tape *tape = tape_of(t, true, x);
    TFE_TensorHandle *ys[] = {RUN("Square", x), RUN("Neg", x)}, *dys[] = {FLOATS(10, 100), NULL};
    const struct sl_tape_options options = SL_OPTIONS(sl_tape_options, .dys = dys, .aggregation = SL_ADD_PAIRS);
    sl_tape_gradient(&dx, tape, ys, 2, &x, 1, &options, t->status);
    assert_status_ok(t->status);
    ASSERT_FLOATS(keep(t, dx), 20 - 1, 400 - 1);
    dys[1] = NUMBER(1);
    sl_tape_gradient(&dx, tape, ys, 2, &x, 1, &options, t->status);
    assert_status(t->status, TF_INVALID_ARGUMENT, "The gradient of target 1 has shape [], the target [2]");
    dys[1] = INTS(1, 1);
    sl_tape_gradient(&dx, tape, ys, 2, &x, 1, &options, t->status);
    assert_status(t->status, TF_INVALID_ARGUMENT, "of type int32, the target of type float");
    assert_null(dx);
    sl_tape_delete(tape);
}

static void sources_that_nothing_depends_on(void **state) {
    struct taping *t = *state;
    TFE_TensorHandle *x = FLOATS(1, 2), *seen = FLOATS(3, 4), *other = FLOATS(5, 6), *dx;
    struct sl_tape *tape = tape_of(t, true, x);
    sl_tape_watch(tape, seen, t->status);
    TFE_TensorHandle *y = RUN("Square", x), *apart = RUN("Square", other);
    struct sl_tape_options options = SL_OPTIONS(sl_tape_options, .no_gradient = SL_NO_GRADIENT_ZEROS);
    sl_tape_gradient(&dx, tape, &y, 1, &seen, 1, &options, t->status);
    ASSERT_FLOATS(keep(t, dx), 0, 0);
    options.no_gradient = SL_NO_GRADIENT_ERROR;
    sl_tape_gradient(&dx, tape, &y, 1, &seen, 1, &options, t->status);
    assert_status(t->status, TF_INVALID_ARGUMENT, "No target depends on source 0");
    sl_tape_gradient(&dx, tape, &y, 1, &other, 1, &options, t->status);
    assert_status(t->status, TF_INVALID_ARGUMENT, "does not watch source 0");
    sl_tape_gradient(&dx, tape, &apart, 1, &x, 1, &options, t->status);
    assert_status(t->status, TF_INVALID_ARGUMENT, "has recorded none of the targets");
    sl_tape_delete(tape);
}

/* ---- several tapes */

static void a_tape_around_gives_second_gradients(void **state) {
    struct taping *t = *state;
    TFE_TensorHandle *x = FLOATS(1, 2);
    struct sl_tape *outer = tape_of(t, false, x), *inner = tape_of(t, false, x);
    TFE_TensorHandle *dx = gradient(t, inner, RUN("Mul", RUN("Square", x), x), x);
    sl_tape_delete(inner);
    ASSERT_FLOATS(dx, 3, 12);
    ASSERT_FLOATS(gradient(t, outer, dx, x), 6, 12);
    sl_tape_delete(outer);
}

static void a_persistent_tape_records_its_own_gradients(void **state) {
    struct taping *t = *state;
    TFE_TensorHandle *x = FLOATS(1, 2);
    struct sl_tape *tape = tape_of(t, true, x);
    TFE_TensorHandle *dx = gradient(t, tape, RUN("Mul", RUN("Square", x), x), x);
    TFE_TensorHandle *ddx = gradient(t, tape, dx, x);
    ASSERT_FLOATS(ddx, 6, 12);
    ASSERT_FLOATS(gradient(t, tape, ddx, x), 6, 6);
    sl_tape_delete(tape);
}

static void tapes_may_end_in_any_order(void **state) {
    struct taping *t = *state;
    TFE_TensorHandle *x = NUMBER(3);
    struct sl_tape *first = tape_of(t, false, x), *second = tape_of(t, false, x), *third = tape_of(t, false, x);
    TFE_TensorHandle *y = RUN("Square", x);
    sl_tape_delete(second);
    ASSERT_FLOATS(gradient(t, first, y, x), 6);
    sl_tape_delete(first);
    ASSERT_FLOATS(gradient(t, third, y, x), 6);
    sl_tape_delete(third);
    sl_tape_delete(NULL);
}

/* ---- what a caller does wrong */

static void a_tape_gives_its_gradients_once(void **state) {
    struct taping *t = *state;
    TFE_TensorHandle *x = NUMBER(3), *dx;
    struct sl_tape *tape = tape_of(t, false, x);
    TFE_TensorHandle *y = RUN("Square", x);
    ASSERT_FLOATS(gradient(t, tape, y, x), 6);
    sl_tape_gradient(&dx, tape, &y, 1, &x, 1, NULL, t->status);
    assert_status(t->status, TF_FAILED_PRECONDITION, "has given its gradients already; a persistent one");
    sl_tape_delete(tape);
}

static void nothing_where_something_should_be(void **state) {
    struct taping *t = *state;
    TFE_TensorHandle *x = NUMBER(3), *none = NULL, *dx;
    struct sl_tape *tape = tape_of(t, false, x);
    assert_null(sl_tape_start(NULL, false, t->status));
    assert_status(t->status, TF_INVALID_ARGUMENT, "Invalid Context");
    sl_tape_watch(NULL, x, t->status);
    assert_status(t->status, TF_INVALID_ARGUMENT, "there is no tape");
    sl_tape_watch(tape, NULL, t->status);
    assert_status(t->status, TF_INVALID_ARGUMENT, "Invalid handle");
    assert_false(sl_tape_follows(tape, NULL));
    sl_tape_gradient(&dx, tape, &none, 1, &x, 1, NULL, t->status);
    assert_status(t->status, TF_INVALID_ARGUMENT, "Invalid handle");
    sl_tape_gradient(&dx, tape, &x, 1, &none, 1, NULL, t->status);
    assert_status(t->status, TF_INVALID_ARGUMENT, "Invalid handle");
    sl_tape_gradient(&dx, NULL, &x, 1, &x, 1, NULL, t->status);
    assert_status(t->status, TF_INVALID_ARGUMENT, "there is no tape");
    sl_tape_gradient(NULL, tape, NULL, 0, NULL, 0, NULL, t->status);
    assert_status_ok(t->status);
    sl_tape_delete(tape);
}

struct elsewhere {
    struct taping *t;
    struct sl_tape *tape;
    TFE_TensorHandle *x, *y;
};

static void *use_elsewhere(void *arg) {
    struct elsewhere *e = arg;
    struct taping *t = e->t;
    TFE_TensorHandle *dx;
    e->y = RUN("Square", e->x); /* the other thread's tape does not hear of it */
    sl_tape_gradient(&dx, e->tape, &e->y, 1, &e->x, 1, NULL, t->status);
    assert_status(t->status, TF_FAILED_PRECONDITION, "was started by another thread");
    sl_tape_watch(e->tape, e->x, t->status);
    assert_status(t->status, TF_FAILED_PRECONDITION, "was started by another thread");
    struct sl_tape *own = tape_of(t, false, e->x);
    ASSERT_FLOATS(gradient(t, own, RUN("Square", e->x), e->x), 6);
    sl_tape_delete(own);
    return NULL;
}

static void a_tape_belongs_to_its_thread(void **state) {
    struct taping *t = *state;
    struct elsewhere e = {.t = t, .x = NUMBER(3)};
    pthread_t thread;
    e.tape = tape_of(t, false, e.x);
    pthread_create(&thread, NULL, use_elsewhere, &e);
    pthread_join(thread, NULL);
    assert_false(sl_tape_follows(e.tape, e.y));
    ASSERT_FLOATS(gradient(t, e.tape, RUN("Square", e.x), e.x), 6);
    sl_tape_delete(e.tape);
}

static void an_op_without_gradient_is_named(void **state) {
    struct taping *t = *state;
    TFE_TensorHandle *x = NUMBER(3), *dx;
    struct sl_tape *tape = tape_of(t, true, x);
    TFE_TensorHandle *y = RUN("NextAfter", x, NUMBER(4));
    ASSERT_FLOATS(gradient(t, tape, y, x), 1);
    y = RUN("Igamma", x, NUMBER(4));
    y = RUN("IgammaGradA", x, y);
    sl_tape_gradient(&dx, tape, &y, 1, &x, 1, NULL, t->status);
    assert_status(t->status, TF_NOT_FOUND, "No gradient defined for op: IgammaGradA");
    assert_null(dx);
    sl_tape_delete(tape);
}

/* An op that fails is not recorded, and neither tape nor handles are worse for it. */
static void an_op_that_fails_is_not_recorded(void **state) {
    struct taping *t = *state;
    TFE_TensorHandle *x = FLOATS(1, 2), *out[1];
    struct sl_tape *tape = tape_of(t, false, x);
    TFE_Op *op = TFE_NewOp(t->context, "Mul", t->status);
    int n = 1;
    TFE_OpAddInput(op, x, t->status);
    TFE_OpAddInput(op, FLOATS(1, 2, 3), t->status);
    TFE_Execute(op, out, &n, t->status);
    assert_status(t->status, TF_INVALID_ARGUMENT, "Incompatible shapes");
    TFE_DeleteOp(op);
    ASSERT_FLOATS(gradient(t, tape, RUN("Square", x), x), 2, 4);
    sl_tape_delete(tape);
}

/* ---- gradients of the caller's own */

struct custom {
    struct taping *t;
    int times, frees;
    bool fails;
};

/* Twice what it would be. */
static void doubled(TFE_TensorHandle **dxs, TFE_TensorHandle *const *dys, void *arg, TF_Status *status) {
    struct custom *custom = arg;
    struct taping *t = custom->t;
    custom->times++;
    if (custom->fails) {
        TF_SetStatus(status, TF_ABORTED, "the caller's gradient says no");
        return;
    }
    TFE_TensorHandle *dx = RUN("Mul", dys[0], NUMBER(2));
    dxs[0] = TFE_TensorHandleCopySharingTensor(dx, status);
}

static void count_free(void *arg) { ((struct custom *)arg)->frees++; }

static TFE_TensorHandle *identity_doubled(struct taping *t, struct sl_tape *tape, struct custom *custom,
                                          TFE_TensorHandle *x) {
    sl_tape_pause(tape, t->status);
    TFE_TensorHandle *y = RUN("Identity", x);
    sl_tape_resume(tape, t->status);
    sl_tape_record(t->context, &y, 1, &x, 1, (struct sl_custom_gradient){doubled, custom, count_free}, t->status);
    assert_status_ok(t->status);
    return y;
}

static void gradients_of_the_callers_own(void **state) {
    struct taping *t = *state;
    struct custom custom = {.t = t};
    TFE_TensorHandle *x = NUMBER(3);
    struct sl_tape *tape = tape_of(t, false, x);
    TFE_TensorHandle *y = RUN("Square", identity_doubled(t, tape, &custom, RUN("Square", x)));
    ASSERT_FLOATS(gradient(t, tape, y, x), 2 * 4 * 27);
    assert_int_equal(custom.times, 1);
    assert_int_equal(custom.frees, 1); /* the tape has passed it */
    sl_tape_delete(tape);
    assert_int_equal(custom.frees, 1);
}

static void outer_tapes_record_the_callers_gradients(void **state) {
    struct taping *t = *state;
    struct custom custom = {.t = t};
    TFE_TensorHandle *x = NUMBER(3);
    struct sl_tape *outer = tape_of(t, false, x), *inner = tape_of(t, false, x);
    TFE_TensorHandle *y = RUN("Identity", x); /* recorded, which then does not count */
    sl_tape_record(t->context, &y, 1, &x, 1, (struct sl_custom_gradient){doubled, &custom, count_free}, t->status);
    TFE_TensorHandle *dx = gradient(t, inner, RUN("Mul", RUN("Square", y), y), x);
    ASSERT_FLOATS(dx, 2 * 27);
    ASSERT_FLOATS(gradient(t, outer, dx, x), 2 * 2 * 18);
    sl_tape_delete(inner);
    sl_tape_delete(outer);
    assert_int_equal(custom.frees, 1);
}

static void the_callers_gradients_may_fail(void **state) {
    struct taping *t = *state;
    struct custom custom = {.t = t, .fails = true};
    TFE_TensorHandle *x = NUMBER(3), *dx, *other = NUMBER(1);
    struct sl_tape *tape = tape_of(t, false, x);
    TFE_TensorHandle *y = identity_doubled(t, tape, &custom, x);
    sl_tape_gradient(&dx, tape, &y, 1, &x, 1, NULL, t->status);
    assert_status(t->status, TF_ABORTED, "the caller's gradient says no");
    sl_tape_delete(tape);
    assert_int_equal(custom.frees, 1);
    const struct sl_custom_gradient how = {doubled, &custom, count_free};
    sl_tape_record(t->context, &x, 1, &x, 1, how, t->status);
    assert_status(t->status, TF_INVALID_ARGUMENT, "Target 0 is source 0 itself");
    assert_int_equal(custom.frees, 2);
    sl_tape_record(t->context, &x, 1, &other, 1, (struct sl_custom_gradient){NULL, &custom, count_free}, t->status);
    assert_status(t->status, TF_INVALID_ARGUMENT, "no function for the gradient");
    assert_int_equal(custom.frees, 3);
    sl_tape_record(t->context, &x, 1, &other, 1, how, t->status); /* there is no tape */
    assert_status_ok(t->status);
    assert_int_equal(custom.frees, 4);
}

/* A gradient from something that no tape follows: then the result stays what it was computed from. */
static void nothing_is_forgotten_for_what_nobody_follows(void **state) {
    struct taping *t = *state;
    struct custom custom = {.t = t};
    TFE_TensorHandle *x = NUMBER(3), *other = NUMBER(1);
    struct sl_tape *tape = tape_of(t, false, x);
    TFE_TensorHandle *y = RUN("Square", x);
    sl_tape_record(t->context, &y, 1, &other, 1, (struct sl_custom_gradient){doubled, &custom, count_free}, t->status);
    assert_status_ok(t->status);
    ASSERT_FLOATS(gradient(t, tape, y, x), 6);
    assert_int_equal(custom.times, 0);
    assert_int_equal(custom.frees, 1);
    sl_tape_delete(tape);
}

/* dy, ten times: as a sum of ten. */
static void ten_times(const struct sl_gradient_node *node, void *arg, TF_Status *status) {
    TF_Output ten[10];
    (void)arg;
    for (int i = 0; i < 10; i++) ten[i] = node->dys[0];
    TF_OperationDescription *d = TF_NewOperation(node->graph, "AddN", "ten_times");
    TF_AddInputList(d, ten, 10);
    node->dxs[0] = (TF_Output){TF_FinishOperation(d, status), 0};
}

static void registered_rules_hold_for_ops_that_were_executed(void **state) {
    struct taping *t = *state;
    sl_register_gradient("Rint", ten_times, NULL, t->status);
    assert_status_ok(t->status);
    TFE_TensorHandle *x = NUMBER(3);
    struct sl_tape *tape = tape_of(t, false, x);
    ASSERT_FLOATS(gradient(t, tape, RUN("Square", RUN("Rint", x)), x), 60);
    sl_tape_delete(tape);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TAPING(products_and_sums),
        TAPING(matrices),
        TAPING(what_is_not_watched_is_constant),
        TAPING(a_paused_tape_records_nothing),
        TAPING(inputs_may_go),
        TAPING(integers_have_no_gradient),
        TAPING(variables),
        TAPING(gathers_give_rows),
        TAPING(targets_with_gradients_of_their_own),
        TAPING(sources_that_nothing_depends_on),
        TAPING(a_tape_around_gives_second_gradients),
        TAPING(a_persistent_tape_records_its_own_gradients),
        TAPING(tapes_may_end_in_any_order),
        TAPING(a_tape_gives_its_gradients_once),
        TAPING(nothing_where_something_should_be),
        TAPING(a_tape_belongs_to_its_thread),
        TAPING(an_op_without_gradient_is_named),
        TAPING(an_op_that_fails_is_not_recorded),
        TAPING(gradients_of_the_callers_own),
        TAPING(outer_tapes_record_the_callers_gradients),
        TAPING(the_callers_gradients_may_fail),
        TAPING(nothing_is_forgotten_for_what_nobody_follows),
        TAPING(registered_rules_hold_for_ops_that_were_executed),
        TAPING_ASYNC(products_and_sums),
        TAPING_ASYNC(variables),
        TAPING_ASYNC(a_tape_around_gives_second_gradients),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
