/* sluice/tape.h: Jacobians, which go back for many targets at once, and forward mode. */
#include <math.h>

#include "unit/eager/tape_fixture.h"

/* ---- functions of a matrix [2, 3]; ops with rules for batches, and without */

static TFE_TensorHandle *products(struct taping *t, TFE_TensorHandle *x) {
    TFE_TensorHandle *w = matrix(t, 3, 2, (float[]){1, -2, 3, 4, -5, 6});
    TFE_TensorHandle *y = RUN("MatMul", RUN("Tanh", RUN("MatMul", x, w)), RUN("MatMul", x, w));
    return RUN("Mul", y, FLOATS(2, 3));
}

static TFE_TensorHandle *sums(struct taping *t, TFE_TensorHandle *x) {
    TFE_TensorHandle *y = RUN("Sum", RUN("Square", x), INTS(-1));
    y = RUN("AddV2", y, RUN("Mean", RUN("Exp", x), INTS(1)));
    return RUN("Mul", RUN("Max", x, INTS(1)), y);
}

static TFE_TensorHandle *shapes(struct taping *t, TFE_TensorHandle *x) {
    TFE_TensorHandle *y = RUN("Transpose", RUN("Sigmoid", x), INTS(1, 0));
    y = RUN("Reshape", RUN("Mul", y, y), INTS(-1));
    y = RUN("Tile", RUN("Slice", y, INTS(1), INTS(4)), INTS(2));
    return RUN("SelectV2", RUN("Greater", y, NUMBER(.3f)), y, RUN("Neg", y));
}

static TFE_TensorHandle *cumulated(struct taping *t, TFE_TensorHandle *x) {
    TFE_TensorHandle *y = RUN("Softmax", RUN("BiasAdd", x, FLOATS(1, 2, 3)));
    return RUN("LogSoftmax", RUN("Cumsum", RUN("Elu", y), INTEGER(1)));
}

static TFE_TensorHandle *gathered(struct taping *t, TFE_TensorHandle *x) {
    return RUN("Mul", RUN("GatherV2", x, INTS(1, 1, 0), INTEGER(0)), NUMBER(3));
}

typedef TFE_TensorHandle *function(struct taping *t, TFE_TensorHandle *x);
static function *const functions[] = {products, sums, shapes, cumulated, gathered};
enum { FUNCTIONS = sizeof functions / sizeof *functions, MOST = 256 };

static int read_floats(struct taping *t, float *to, TFE_TensorHandle *h) {
    TF_Tensor *tensor = TFE_TensorHandleResolve(h, t->status);
    assert_status_ok(t->status);
    const int n = (int)TF_TensorElementCount(tensor);
    assert_true(n <= MOST);
    memcpy(to, TF_TensorData(tensor), (size_t)n * sizeof *to);
    TF_DeleteTensor(tensor);
    return n;
}

static void assert_close(const float *got, const float *wanted, int n, int which) {
    for (int i = 0; i < n; i++)
        if (!(fabsf(got[i] - wanted[i]) <= 2e-5f * (1 + fabsf(wanted[i]))))
            fail_msg("function %d, element %d: %g, not %g", which, i, (double)got[i], (double)wanted[i]);
}

static TFE_TensorHandle *input(struct taping *t) { return matrix(t, 2, 3, (float[]){.3f, -.7f, 1.1f, .5f, .2f, -.4f}); }

/* A target's gradients, element by element. */
static int by_rows(struct taping *t, float *to, struct sl_tape *tape, TFE_TensorHandle *y, TFE_TensorHandle *x) {
    float row[MOST];
    int n_x = 0;
    const int n = read_floats(t, row, y), rank = TFE_TensorHandleNumDims(y, t->status);
    for (int i = 0; i < n; i++) {
        float unit[MOST] = {0};
        unit[i] = 1;
        TFE_TensorHandle *dy = rank == 1 ? floats(t, n, unit)
                                         : matrix(t, (int)TFE_TensorHandleDim(y, 0, t->status),
                                                  (int)TFE_TensorHandleDim(y, 1, t->status), unit),
                         *dx;
        const struct sl_tape_options options = SL_OPTIONS(sl_tape_options, .dys = &dy);
        sl_tape_gradient(&dx, tape, &y, 1, &x, 1, &options, t->status);
        assert_status_ok(t->status);
        n_x = read_floats(t, to + i * n_x, keep(t, dx));
    }
    return n * n_x;
}

static void rows_of_a_jacobian_are_gradients(void **state) {
    struct taping *t = *state;
    for (int f = 0; f < FUNCTIONS; f++) {
        float wanted[MOST], got[MOST];
        TFE_TensorHandle *x = input(t), *all;
        struct sl_tape *tape = tape_of(t, true, x);
        TFE_TensorHandle *y = functions[f](t, x);
        sl_tape_jacobian(&all, tape, y, &x, 1, t->status);
        assert_status_ok(t->status);
        const int n = read_floats(t, got, keep(t, all));
        assert_int_equal(TFE_TensorHandleNumDims(all, t->status), TFE_TensorHandleNumDims(y, t->status) + 2);
        assert_int_equal(by_rows(t, wanted, tape, y, x), n);
        assert_close(got, wanted, n, f);
        sl_tape_delete(tape);
    }
}

/* J t is what the Jacobian says. */
static void forward_mode_is_the_jacobian_times_a_vector(void **state) {
    struct taping *t = *state;
    const float along[] = {1, -2, .5f, 3, .25f, -1};
    for (int f = 0; f < FUNCTIONS; f++) {
        float all[MOST], wanted[MOST] = {0}, got[MOST];
        TFE_TensorHandle *x = input(t), *j, *ty, *tx = matrix(t, 2, 3, along);
        struct sl_tape *tape = tape_of(t, true, x);
        TFE_TensorHandle *y = functions[f](t, x);
        sl_tape_jacobian(&j, tape, y, &x, 1, t->status);
        assert_status_ok(t->status);
        const int n = read_floats(t, all, keep(t, j)) / 6;
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 6; k++) wanted[i] += all[6 * i + k] * along[k];
        sl_tape_jvp(&ty, tape, &y, 1, &x, &tx, 1, t->status);
        assert_status_ok(t->status);
        assert_int_equal(read_floats(t, got, keep(t, ty)), n);
        assert_close(got, wanted, n, f);
        sl_tape_delete(tape);
    }
}

static void jacobians_by_example(void **state) {
    struct taping *t = *state;
    TFE_TensorHandle *x = input(t), *j;
    struct sl_tape *tape = tape_of(t, false, x);
    TFE_TensorHandle *y = RUN("MatMul", RUN("Square", x), matrix(t, 3, 2, (float[]){1, 2, 3, 4, 5, 6}));
    sl_tape_jacobian_by_example(&j, tape, y, &x, 1, t->status);
    assert_status_ok(t->status);
    keep(t, j);
    assert_int_equal(TFE_TensorHandleNumDims(j, t->status), 3);
    ASSERT_FLOATS(j, .6f * 1, -1.4f * 3, 2.2f * 5, .6f * 2, -1.4f * 4, 2.2f * 6, /* first example */
                  1 * 1, .4f * 3, -.8f * 5, 1 * 2, .4f * 4, -.8f * 6);
    sl_tape_jacobian(&j, tape, y, &x, 1, t->status);
    assert_status(t->status, TF_FAILED_PRECONDITION, "has given its gradients already");
    sl_tape_delete(tape);
    tape = tape_of(t, false, x);
    y = RUN("Sum", x, INTEGER(0));
    sl_tape_jacobian_by_example(&j, tape, y, &x, 1, t->status);
    assert_status(t->status, TF_INVALID_ARGUMENT, "source 0 has shape [2,3], and the target [3]");
    sl_tape_delete(tape);
}

/* The Jacobian of a gradient. */
static void hessians(void **state) {
    struct taping *t = *state;
    TFE_TensorHandle *x = FLOATS(1, 2), *h;
    struct sl_tape *outer = tape_of(t, false, x), *inner = tape_of(t, false, x);
    TFE_TensorHandle *y = RUN("Mul", RUN("Square", x), RUN("Sum", x, INTEGER(0)));
    TFE_TensorHandle *dx = gradient(t, inner, y, x);
    sl_tape_delete(inner);
    sl_tape_jacobian(&h, outer, dx, &x, 1, t->status);
    assert_status_ok(t->status);
    /* y = (a^2 + b^2)(a + b): d2/da2 = 6a + 2b, d2/dadb = 2a + 2b */
    ASSERT_FLOATS(keep(t, h), 6 * 1 + 2 * 2, 2 * 1 + 2 * 2, 2 * 1 + 2 * 2, 6 * 2 + 2 * 1);
    sl_tape_delete(outer);
}

static void tripled(TFE_TensorHandle **dxs, TFE_TensorHandle *const *dys, void *arg, TF_Status *status) {
    struct taping *t = arg;
    dxs[0] = TFE_TensorHandleCopySharingTensor(RUN("Mul", dys[0], NUMBER(3)), status);
}

/* The caller's gradients are called for each row. */
static void gradients_that_are_not_stacked(void **state) {
    struct taping *t = *state;
    TFE_TensorHandle *x = FLOATS(1, 2), *j;
    struct sl_tape *tape = tape_of(t, false, x);
    TFE_TensorHandle *y = RUN("Identity", x);
    sl_tape_record(t->context, &y, 1, &x, 1, (struct sl_custom_gradient){tripled, t, NULL}, t->status);
    y = RUN("Square", y);
    sl_tape_jacobian(&j, tape, y, &x, 1, t->status);
    assert_status_ok(t->status);
    ASSERT_FLOATS(keep(t, j), 3 * 2, 0, 0, 3 * 4);
    sl_tape_delete(tape);
}

static void what_does_not_depend(void **state) {
    struct taping *t = *state;
    TFE_TensorHandle *x = FLOATS(1, 2), *other = FLOATS(3, 4), *js[2], *ty, *txs[2] = {NULL, NULL};
    struct sl_tape *tape = tape_of(t, true, x);
    sl_tape_watch(tape, other, t->status);
    TFE_TensorHandle *y = RUN("Square", x), *both[] = {x, other}, *n = INTS(1, 2), *wrong = NUMBER(1);
    sl_tape_jacobian(js, tape, y, both, 2, t->status);
    assert_status_ok(t->status);
    ASSERT_FLOATS(keep(t, js[0]), 2, 0, 0, 4);
    assert_null(js[1]);
    sl_tape_jvp(&ty, tape, &y, 1, both, txs, 2, t->status);
    assert_status_ok(t->status);
    assert_null(ty);
    sl_tape_jvp(&ty, tape, &y, 1, &x, &n, 1, t->status);
    assert_status(t->status, TF_INVALID_ARGUMENT, "The tangent of source 0 is of type int32, the source of type float");
    sl_tape_jvp(&ty, tape, &y, 1, &x, &wrong, 1, t->status);
    assert_status(t->status, TF_INVALID_ARGUMENT, "The tangent of source 0 has shape [], the source [2]");
    sl_tape_jacobian(js, tape, n, &x, 1, t->status);
    assert_status(t->status, TF_INVALID_ARGUMENT, "Target 0 is of type int32");
    sl_tape_jacobian(js, NULL, y, &x, 1, t->status);
    assert_status(t->status, TF_INVALID_ARGUMENT, "there is no tape");
    sl_tape_jacobian(js, tape, NULL, &x, 1, t->status);
    assert_status(t->status, TF_INVALID_ARGUMENT, "Invalid handle");
    sl_tape_delete(tape);
}

/* More rows than go at once. */
static void many_rows(void **state) {
    enum { N = 1500 };
    struct taping *t = *state;
    static float values[N];
    for (int i = 0; i < N; i++) values[i] = (float)i;
    TFE_TensorHandle *x = NUMBER(2), *j;
    struct sl_tape *tape = tape_of(t, false, x);
    TFE_TensorHandle *y = RUN("Mul", floats(t, N, values), x);
    sl_tape_jacobian(&j, tape, y, &x, 1, t->status);
    assert_status_ok(t->status);
    assert_floats(t, keep(t, j), N, values);
    sl_tape_delete(tape);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TAPING(rows_of_a_jacobian_are_gradients),
        TAPING(forward_mode_is_the_jacobian_times_a_vector),
        TAPING(jacobians_by_example),
        TAPING(hessians),
        TAPING(gradients_that_are_not_stacked),
        TAPING(what_does_not_depend),
        TAPING(many_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
