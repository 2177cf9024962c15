#include "unit/tape/tape_bench.h"

int bench_begin(void **state) {
    struct bench *b = calloc(1, sizeof *b);
    assert_ok(b->err, executing_begin(&b->x, &b->err));
    sl_execute_emitter_init(&b->e, &b->x.env);
    b->e.tapes = b->tapes;
    *state = b;
    return 0;
}

int bench_end(void **state) {
    struct bench *b = *state;
    for (int i = 0; i < MOST_TAPES; i++) sl_recording_free(b->tapes[i]);
    sl_execute_emitter_clear(&b->e);
    executing_end(&b->x);
    free(b);
    return 0;
}

struct sl_term constant(struct bench *b, int dtype, int n, const double *v) {
    struct sl_tensor *t;
    struct sl_term out;
    int64_t dims[] = {n};
    assert_ok(b->err, sl_tensor_new(&t, dtype, (struct sl_shape){n > 0, dims}, &b->err));
    for (int i = 0; i < (n ? n : 1); i++)
        if (dtype == SL_FLOAT) ((float *)t->data)[i] = (float)v[i];
        else if (dtype == SL_DOUBLE) ((double *)t->data)[i] = v[i];
        else if (dtype == SL_INT64) ((int64_t *)t->data)[i] = (int64_t)v[i];
        else ((int32_t *)t->data)[i] = (int32_t)v[i];
    assert_ok(b->err, b->e.base.literal(&out, &b->e.base, t, &b->err));
    sl_tensor_unref(t);
    return out;
}

sl_code try_emit(struct sl_term *out, struct bench *b, const char *op, const struct sl_term *inputs, int n,
                 const struct sl_attr *attrs, int n_attrs) {
    const struct sl_emission what = {sl_str_of(op), inputs, n, attrs, n_attrs};
    return b->e.base.add(out, &b->e.base, &what, &b->err);
}

struct sl_term run(struct bench *b, const char *op, const struct sl_term *inputs, int n, const struct sl_attr *attrs,
                   int n_attrs) {
    struct sl_term out;
    assert_ok(b->err, try_emit(&out, b, op, inputs, n, attrs, n_attrs));
    return out;
}

void listen(struct bench *b, bool is_persistent) {
    assert_ok(b->err, sl_recording_new(&b->tapes[b->e.n_tapes], &b->x.env, is_persistent, &b->err));
    b->e.n_tapes++;
}

void watch(struct bench *b, struct sl_term t) {
    for (int i = 0; i < b->e.n_tapes; i++)
        assert_ok(b->err, sl_recording_watch(b->tapes[i], sl_term_value(t), &b->err));
}

struct sl_term_gradient gradient_as(struct bench *b, int tape, struct sl_term y, struct sl_term x,
                                    struct sl_recording_spec spec) {
    struct sl_term_gradient dx;
    spec.ys = &y;
    spec.xs = &x;
    spec.n_ys = spec.n_xs = 1;
    b->e.n_tapes = tape;
    assert_ok(b->err, sl_recording_gradient(&dx, b->tapes[tape], &b->e, &spec, &b->err));
    return dx;
}

struct sl_term gradient(struct bench *b, int tape, struct sl_term y, struct sl_term x) {
    return gradient_as(b, tape, y, x, (struct sl_recording_spec){0}).values;
}

void assert_values(struct sl_term t, int n, const double *wanted) {
    assert_true(sl_term_is(t));
    struct sl_view v = sl_value_view(&sl_term_value(t)->value);
    assert_int_equal(v.count, n);
    for (int i = 0; i < n; i++) {
        double got = v.dtype == SL_DOUBLE  ? ((double *)v.data)[i]
                     : v.dtype == SL_FLOAT ? ((float *)v.data)[i]
                                           : ((int32_t *)v.data)[i];
        if (!(fabs(got - wanted[i]) <= 1e-9 * (1 + fabs(wanted[i]))))
            fail_msg("element %d: %g, not %g", i, got, wanted[i]);
    }
}
