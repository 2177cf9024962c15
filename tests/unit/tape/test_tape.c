/* Tapes over ops that run at once. */
#include "unit/tape/tape_bench.h"

static void ops_run_at_once(void **state) {
    struct bench *b = *state;
    struct sl_term x = VECTOR(1, 2, 3), y = RUN("Mul", x, NUMBER(2));
    ASSERT_VALUES(y, 2, 4, 6);
    assert_int_equal(b->e.base.dtype(&b->e.base, y), SL_DOUBLE);
    assert_int_equal(b->e.base.shape(&b->e.base, y).dims[0], 3);
    const struct sl_tensor *known = b->e.base.constant(&b->e.base, y);
    assert_int_equal(known->count, 3);
    struct sl_term two = RUN("Unique", x);
    ASSERT_VALUES(((struct sl_term){two.of, 1}), 0, 1, 2);
    assert_fails(b->err, SL_INVALID_ARGUMENT, "Incompatible shapes",
                 try_emit(&y, b, "Mul", (struct sl_term[]){x, VECTOR(1, 2)}, 2, NULL, 0));
    assert_fails(b->err, SL_NOT_FOUND, "Op type not registered 'Mull'",
                 try_emit(&y, b, "Mull", (struct sl_term[]){x, x}, 2, NULL, 0));
    assert_fails(b->err, SL_UNIMPLEMENTED, "moves the tokens of a graph",
                 try_emit(&y, b, "LoopCond", (struct sl_term[]){RUN("Less", NUMBER(1), NUMBER(2))}, 1, NULL, 0));
}

static void gradients_that_meet_are_added(void **state) {
    struct bench *b = *state;
    struct sl_term x = VECTOR(1, 2, 3), w = VECTOR(4, 5, 6);
    listen(b, false);
    watch(b, x);
    struct sl_term y = RUN("AddV2", RUN("Mul", x, w), RUN("Square", x));
    y = RUN("AddV2", y, x);
    ASSERT_VALUES(gradient(b, 0, y, x), 4 + 2 + 1, 5 + 4 + 1, 6 + 6 + 1);
}

static void what_was_broadcast_is_summed(void **state) {
    struct bench *b = *state;
    struct sl_term x = NUMBER(3), y;
    listen(b, false);
    watch(b, x);
    y = RUN("Mul", x, VECTOR(1, 2, 3));
    ASSERT_VALUES(gradient(b, 0, y, x), 6);
}

static void what_is_not_followed_has_no_gradient(void **state) {
    struct bench *b = *state;
    struct sl_term x = VECTOR(1, 2), other = VECTOR(3, 4), seen = VECTOR(5, 6);
    listen(b, true);
    watch(b, x);
    watch(b, seen);
    struct sl_term y = RUN("Mul", x, other);
    assert_false(sl_term_is(gradient(b, 0, y, other)));
    assert_false(sl_term_is(gradient(b, 0, y, seen)));
    ASSERT_VALUES(gradient_as(b, 0, y, seen, (struct sl_recording_spec){.gives_zeros = true}).values, 0, 0);
    ASSERT_VALUES(gradient_as(b, 0, y, other, (struct sl_recording_spec){.gives_zeros = true}).values, 0, 0);
    ASSERT_VALUES(gradient(b, 0, x, x), 1, 1);
}

/* Of a value and of what was made of it, at once. */
static void xs_may_lie_between(void **state) {
    struct bench *b = *state;
    struct sl_term x = VECTOR(1, 2), square, y;
    struct sl_term_gradient dx[2];
    listen(b, false);
    watch(b, x);
    watch(b, x); /* once more changes nothing */
    square = RUN("Square", x);
    y = RUN("Mul", square, square);
    watch(b, x);
    const struct sl_term xs[] = {square, x};
    const struct sl_recording_spec spec = {.ys = &y, .xs = xs, .n_ys = 1, .n_xs = 2};
    b->e.n_tapes = 0;
    assert_ok(b->err, sl_recording_gradient(dx, b->tapes[0], &b->e, &spec, &b->err));
    ASSERT_VALUES(dx[0].values, 2, 8);
    ASSERT_VALUES(dx[1].values, 4, 32);
}

/* Each input's shape, of values that the record does not have. */
static void shapes_are_each_inputs_own(void **state) {
    struct bench *b = *state;
    struct sl_term one = VECTOR(5), y;
    listen(b, true);
    watch(b, one);
    y = RUN("AddV2", VECTOR(1, 2, 3), one);
    ASSERT_VALUES(gradient(b, 0, y, one), 3);
    b->e.n_tapes = 1;
    y = RUN("Sub", one, VECTOR(1, 2, 3));
    ASSERT_VALUES(gradient(b, 0, y, one), 3);
}

static void gradients_end_where_ops_have_none_by_design(void **state) {
    struct bench *b = *state;
    struct sl_term x = VECTOR(1.5, 2.5);
    listen(b, true);
    watch(b, x);
    struct sl_term y = RUN("Mul", RUN("Floor", x), x);
    ASSERT_VALUES(gradient(b, 0, y, x), 1, 2);
    assert_false(sl_term_is(gradient(b, 0, RUN("Floor", x), x)));
}

static void ys_and_dys(void **state) {
    struct bench *b = *state;
    struct sl_term x = VECTOR(1, 2);
    listen(b, false);
    watch(b, x);
    const struct sl_term ys[] = {RUN("Square", x), RUN("Neg", x)}, dys[] = {VECTOR(10, 100), SL_NO_TERM};
    const struct sl_recording_spec spec = {.ys = ys, .dys = dys, .xs = &x, .n_ys = 2, .n_xs = 1};
    struct sl_term_gradient dx;
    b->e.n_tapes = 0;
    assert_ok(b->err, sl_recording_gradient(&dx, b->tapes[0], &b->e, &spec, &b->err));
    ASSERT_VALUES(dx.values, 20 - 1, 400 - 1);
}

static struct sl_term gather(struct bench *b, struct sl_term table, struct sl_term rows) {
    return RUN("GatherV2", table, rows, INTEGER(0));
}

static void gathers_give_rows(void **state) {
    struct bench *b = *state;
    struct sl_term x = VECTOR(1, 2, 3, 4);
    listen(b, true);
    watch(b, x);
    struct sl_term y = RUN("AddV2", gather(b, x, INTS(1, 1)), gather(b, x, INTS(3, 0)));
    struct sl_term_gradient rows = gradient_as(b, 0, y, x, (struct sl_recording_spec){.keeps_slices = true});
    ASSERT_VALUES(rows.values, 1, 1, 1, 1);
    assert_int_equal(sl_value_view(&sl_term_value(rows.indices)->value).count, 4);
    ASSERT_VALUES(rows.dense_shape, 4);
    ASSERT_VALUES(gradient(b, 0, y, x), 1, 2, 0, 1);
    b->e.n_tapes = 1; /* rows and a tensor: a tensor */
    y = RUN("AddV2", y, RUN("Slice", x, INTS(0), INTS(2)));
    assert_false(sl_term_is(gradient_as(b, 0, y, x, (struct sl_recording_spec){.keeps_slices = true}).indices));
}

/* Whichever comes first on the way back; and rows whose indices are of several types. */
static void rows_meet_others(void **state) {
    struct bench *b = *state;
    const struct sl_recording_spec keeps = {.keeps_slices = true};
    struct sl_term x = VECTOR(1, 2, 3, 4), first, y;
    listen(b, true);
    watch(b, x);
    for (int i = 0; i < 2; i++) {
        b->e.n_tapes = 1;
        first = RUN("Slice", x, INTS(0), INTS(2));
        y = i ? RUN("AddV2", gather(b, x, INTS(1, 3)), first) : RUN("AddV2", first, gather(b, x, INTS(1, 3)));
        assert_false(sl_term_is(gradient_as(b, 0, y, x, keeps).indices));
        ASSERT_VALUES(gradient(b, 0, y, x), 1, 2, 0, 1);
    }
    b->e.n_tapes = 1;
    struct sl_term longs = constant(b, SL_INT64, 2, (double[]){3, 0});
    for (int i = 0; i < 2; i++) {
        b->e.n_tapes = 1;
        y = i ? RUN("AddV2", gather(b, x, INTS(1, 1)), gather(b, x, longs))
              : RUN("AddV2", gather(b, x, longs), gather(b, x, INTS(1, 1)));
        struct sl_term_gradient rows = gradient_as(b, 0, y, x, keeps);
        assert_int_equal(sl_value_view(&sl_term_value(rows.indices)->value).count, 4);
        ASSERT_VALUES(gradient(b, 0, y, x), 1, 2, 0, 1);
    }
}

static void sums_in_pairs(void **state) {
    struct bench *b = *state;
    struct sl_term x = VECTOR(1, 2), y = VECTOR(0, 0);
    listen(b, false);
    watch(b, x);
    for (int i = 0; i < 5; i++) y = RUN("AddV2", y, RUN("Mul", x, NUMBER(i)));
    ASSERT_VALUES(gradient_as(b, 0, y, x, (struct sl_recording_spec){.sums_in_pairs = true}).values, 10, 10);
}

static void a_tape_around_gives_second_gradients(void **state) {
    struct bench *b = *state;
    struct sl_term x = VECTOR(1, 2), dx;
    listen(b, false);
    listen(b, false);
    watch(b, x);
    struct sl_term y = RUN("Mul", RUN("Square", x), x);
    dx = gradient(b, 1, y, x);
    ASSERT_VALUES(dx, 3, 12);
    ASSERT_VALUES(gradient(b, 0, dx, x), 6, 12);
}

/* A persistent tape that hears its own gradient. */
static void a_persistent_tape_may_listen_to_itself(void **state) {
    struct bench *b = *state;
    struct sl_term x = VECTOR(1, 2), y, dx;
    listen(b, true);
    watch(b, x);
    y = RUN("Mul", RUN("Square", x), x);
    struct sl_term_gradient first;
    const struct sl_recording_spec spec = {.ys = &y, .xs = &x, .n_ys = 1, .n_xs = 1};
    assert_ok(b->err, sl_recording_gradient(&first, b->tapes[0], &b->e, &spec, &b->err));
    dx = first.values;
    ASSERT_VALUES(dx, 3, 12);
    ASSERT_VALUES(gradient(b, 0, dx, x), 6, 12);
    ASSERT_VALUES(gradient(b, 0, y, x), 3, 12);
}

static void others_give_their_gradients_once(void **state) {
    struct bench *b = *state;
    struct sl_term x = VECTOR(1, 2);
    struct sl_term_gradient dx;
    listen(b, false);
    watch(b, x);
    struct sl_term y = RUN("Square", x);
    ASSERT_VALUES(gradient(b, 0, y, x), 2, 4);
    const struct sl_recording_spec spec = {.ys = &y, .xs = &x, .n_ys = 1, .n_xs = 1};
    assert_fails(b->err, SL_FAILED_PRECONDITION, "a persistent one",
                 sl_recording_gradient(&dx, b->tapes[0], &b->e, &spec, &b->err));
}

static void failures_name_the_op(void **state) {
    struct bench *b = *state;
    struct sl_term x = VECTOR(0.5, 0.25), y;
    struct sl_term_gradient dx;
    const struct sl_recording_spec spec = {.ys = &y, .xs = &x, .n_ys = 1, .n_xs = 1};
    listen(b, true);
    watch(b, x);
    y = RUN("PreventGradient", x);
    assert_fails(b->err, SL_INVALID_ARGUMENT, ": the gradient of op PreventGradient",
                 sl_recording_gradient(&dx, b->tapes[0], &b->e, &spec, &b->err));
    y = RUN("Neg", RUN("GuaranteeConst", x));
    assert_fails(b->err, SL_NOT_FOUND, "No gradient defined for op: GuaranteeConst",
                 sl_recording_gradient(&dx, b->tapes[0], &b->e, &spec, &b->err));
    y = RUN("Neg", x);
    assert_ok(b->err, sl_recording_gradient(&dx, b->tapes[0], &b->e, &spec, &b->err));
}

/* A gradient that does not fit: the kernel of the rule's first op fails, midway. */
static void nothing_is_left_when_a_kernel_fails(void **state) {
    struct bench *b = *state;
    struct sl_term x = VECTOR(1, 2, 3), y, dy;
    struct sl_term_gradient dx;
    const struct sl_recording_spec spec = {.ys = &y, .dys = &dy, .xs = &x, .n_ys = 1, .n_xs = 1};
    listen(b, true);
    watch(b, x);
    y = RUN("Exp", RUN("AddV2", RUN("Square", x), gather(b, x, INTS(2, 1, 0))));
    dy = VECTOR(1, 2);
    b->e.n_tapes = 0;
    size_t n_made = b->e.room.made.n;
    assert_fails(b->err, SL_INVALID_ARGUMENT, "Incompatible shapes",
                 sl_recording_gradient(&dx, b->tapes[0], &b->e, &spec, &b->err));
    assert_int_equal(b->e.room.made.n, n_made);
    dy = VECTOR(1, 1, 1);
    assert_ok(b->err, sl_recording_gradient(&dx, b->tapes[0], &b->e, &spec, &b->err));
}

/* Values that only the record holds go as the gradient passes. */
static void records_go_on_the_way(void **state) {
    struct bench *b = *state;
    double many[100] = {0};
    struct sl_term x = constant(b, SL_DOUBLE, 100, many), y = x;
    listen(b, false);
    watch(b, x);
    for (int i = 0; i < 3; i++) y = RUN("Exp", y);
    struct sl_tensor *last = sl_tensor_ref(sl_term_value(y)->value.tensor);
    sl_term_keep(x);
    sl_term_keep(y);
    sl_execute_emitter_release(&b->e);
    assert_int_equal(atomic_load(&last->refs), 3); /* this one, the term, the record */
    gradient(b, 0, y, x);
    assert_int_equal(atomic_load(&last->refs), 2);
    sl_term_drop(x);
    sl_term_drop(y);
    sl_tensor_unref(last);
}

/* Of what the rules do not read, records have no more than type and shape. */
static void records_keep_what_rules_read(void **state) {
    struct bench *b = *state;
    double many[100] = {0};
    struct sl_term x = constant(b, SL_DOUBLE, 100, many);
    listen(b, false);
    watch(b, x);
    struct sl_term read = RUN("Exp", x), unread = RUN("Neg", read), y = RUN("AddV2", unread, NUMBER(1));
    struct sl_tensor *kept = sl_tensor_ref(sl_term_value(read)->value.tensor),
                     *not_kept = sl_tensor_ref(sl_term_value(unread)->value.tensor);
    sl_term_keep(x);
    sl_term_keep(y);
    sl_execute_emitter_release(&b->e);
    assert_int_equal(atomic_load(&kept->refs), 2);
    assert_int_equal(atomic_load(&not_kept->refs), 1);
    struct sl_term apart = RUN("Exp", constant(b, SL_DOUBLE, 100, many)); /* nothing of it is followed: no record */
    struct sl_tensor *not_followed = sl_tensor_ref(sl_term_value(apart)->value.tensor);
    sl_execute_emitter_release(&b->e);
    assert_int_equal(atomic_load(&not_followed->refs), 1);
    sl_tensor_unref(not_followed);
    struct sl_term dx = gradient(b, 0, y, x);
    assert_true(((double *)sl_value_view(&sl_term_value(dx)->value).data)[99] == -1);
    assert_int_equal(atomic_load(&kept->refs), 1);
    sl_term_drop(x);
    sl_term_drop(y);
    sl_tensor_unref(kept);
    sl_tensor_unref(not_kept);
}

/* A rule that takes the gradient of what it emitted. */
static void rules_may_derive(void **state) {
    struct bench *b = *state;
    float ones[16] = {0};
    struct sl_tensor *t;
    struct sl_term in[5], dx;
    const int64_t dims[] = {2, 2, 2, 2};
    for (int i = 0; i < 16; i++) ones[i] = (float)(i % 5) * 0.3F;
    assert_ok(b->err, sl_tensor_new(&t, SL_FLOAT, (struct sl_shape){4, dims}, &b->err));
    memcpy(t->data, ones, sizeof ones);
    assert_ok(b->err, b->e.base.literal(&in[0], &b->e.base, t, &b->err));
    sl_tensor_unref(t);
    in[1] = constant(b, SL_FLOAT, 2, (double[]){1, 2});
    for (int i = 2; i < 5; i++) in[i] = constant(b, SL_FLOAT, 2, (double[]){0.5, 0.25});
    listen(b, false);
    listen(b, false);
    watch(b, in[0]);
    const struct sl_attr attrs[] = {{SL_STR("is_training"), SL_ATTR_VALUE(b, false)}};
    struct sl_term y;
    assert_ok(b->err, try_emit(&y, b, "FusedBatchNormV3", in, 5, attrs, 1));
    y = RUN("Square", y);
    dx = gradient(b, 1, y, in[0]);
    dx = gradient(b, 0, dx, in[0]);
    /* d2/dx2 (scale (x - mean) / sqrt(variance + epsilon) + offset)^2 = 2 (scale / sqrt(...))^2 */
    struct sl_view v = sl_value_view(&sl_term_value(dx)->value);
    for (int i = 0; i < 16; i++) {
        double scale = i % 2 ? 2 : 1, variance = i % 2 ? 0.25 : 0.5;
        assert_true(fabs(((float *)v.data)[i] - 2 * scale * scale / (variance + 1e-4)) < 1e-3);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(ops_run_at_once),
        TEST(gradients_that_meet_are_added),
        TEST(what_was_broadcast_is_summed),
        TEST(what_is_not_followed_has_no_gradient),
        TEST(xs_may_lie_between),
        TEST(shapes_are_each_inputs_own),
        TEST(gradients_end_where_ops_have_none_by_design),
        TEST(ys_and_dys),
        TEST(gathers_give_rows),
        TEST(rows_meet_others),
        TEST(sums_in_pairs),
        TEST(a_tape_around_gives_second_gradients),
        TEST(a_persistent_tape_may_listen_to_itself),
        TEST(others_give_their_gradients_once),
        TEST(failures_name_the_op),
        TEST(nothing_is_left_when_a_kernel_fails),
        TEST(records_go_on_the_way),
        TEST(records_keep_what_rules_read),
        TEST(rules_may_derive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
