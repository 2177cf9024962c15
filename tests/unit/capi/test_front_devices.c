/* What tensors on several devices become together, and sessions that have several. */
#include "sluice/devices.h"
#include "sluice/layers.h"
#include "sluice/ops.h"
#include "sluice/train.h"
#include "unit/capi/front_fixture.h"

enum { N = 3 };
static const char *const cpus[N] = {"/cpu:0", "/cpu:1", "/cpu:2"};

static void open_on(struct front *f, int n, bool by_cost) {
    TF_Status *status = TF_NewStatus();
    TF_SessionOptions *options = TF_NewSessionOptions();
    if (!sl_scope_ok(f->s)) fail_msg("%s", sl_scope_message(f->s));
    sl_options_set_cpus(options, 1, status);
    sl_options_set_cpus(options, n, status); /* the last one counts */
    sl_options_place_by_cost(options, by_cost);
    f->session = TF_NewSession(f->graph, options, status);
    assert_int_equal(TF_GetCode(status), TF_OK);
    TF_DeleteSessionOptions(options);
    TF_DeleteStatus(status);
}

static void vectors(struct sl_scope *s, TF_Output *out) {
    out[0] = sl_float_vector(s, FLOATS(1, 5));
    out[1] = sl_float_vector(s, FLOATS(2, 7));
    out[2] = sl_float_vector(s, FLOATS(4, 6));
}

/* Fetches the parts together, as all must take part. */
static TF_Output row(struct sl_scope *s, const TF_Output *parts) {
    return sl_concat_v2(s, parts, N, sl_scalar(s, TF_INT32, 0));
}

static void devices_reduce_together(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output in[N], sum[N], prod[N], least[N], most[N], all[N];
    vectors(f.s, in);
    sl_all_sum(f.s, sum, in, cpus, N);
    sl_all_prod(f.s, prod, in, cpus, N);
    sl_all_min(f.s, least, in, cpus, N);
    sl_all_max(f.s, most, in, cpus, N);
    sl_all_gather(f.s, all, in, cpus, N);
    TF_Output rows[] = {row(f.s, sum), row(f.s, prod), row(f.s, least), row(f.s, most), row(f.s, all)};
    open_on(&f, N, false);
    expect_floats(&f, rows[0], 7, 18, 7, 18, 7, 18);
    expect_floats(&f, rows[1], 8, 210, 8, 210, 8, 210);
    expect_floats(&f, rows[2], 1, 5, 1, 5, 1, 5);
    expect_floats(&f, rows[3], 4, 7, 4, 7, 4, 7);
    expect_floats(&f, rows[4], 1, 5, 2, 7, 4, 6, 1, 5, 2, 7, 4, 6, 1, 5, 2, 7, 4, 6);
    front_delete(&f);
}

static void transfers_have_gradients(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output in[N], copies[N], squares[N], dx[N];
    vectors(f.s, in);
    sl_send_to_all(f.s, copies, in[1], cpus, N);
    for (int i = 0; i < N; i++) squares[i] = sl_mul(f.s, copies[i], in[i]);
    TF_Output sum = sl_reduce_to(f.s, cpus[2], squares, N, SL_REDUCE_SUM),
              most = sl_reduce_to(f.s, cpus[1], in, N, SL_REDUCE_MAX),
              product = sl_reduce_to(f.s, cpus[0], in, N, SL_REDUCE_PROD),
              least = sl_reduce_to(f.s, cpus[0], in, N, SL_REDUCE_MIN);
    sl_gradients(f.s, dx, &sum, 1, in, N);
    open_on(&f, N, true);
    expect_floats(&f, sum, 14, 126);
    expect_floats(&f, most, 4, 7);
    expect_floats(&f, product, 8, 210);
    expect_floats(&f, least, 1, 5);
    expect_floats(&f, dx[0], 2, 7);
    expect_floats(&f, dx[1], 1 + 2 + 2 + 4, 5 + 7 + 7 + 6);
    front_delete(&f);
}

/* Variable 0 has dense gradients, one is missing; variable 1 rows; variable 2 both; variable 3 none. */
static void gradients_of_towers_are_averaged(void **state) {
    (void)state;
    struct front f = front_new();
    struct sl_scope *s = f.s;
    TF_Output shape = sl_int_vector(s, SL_INTS(2)), here = sl_int_vector(s, SL_INTS(1)),
              there = sl_int_vector(s, SL_INTS(0)), one = sl_float_vector(s, FLOATS(6)), in[N];
    vectors(s, in);
    struct sl_slices towers[N][4] = {{{.values = in[0]}, {one, here, shape}, {one, here, shape}},
                                     {{.values = in[1]}, {one, there, shape}, {.values = in[1]}},
                                     {{.values = {NULL, 0}}, {one, here, shape}, {.values = in[2]}}},
                     *const mean = towers[0]; /* may lie where a tower's are */
    const struct sl_slices *const list[N] = {towers[0], towers[1], towers[2]};
    sl_average_gradients(s, mean, list, N, 4, cpus[0]);
    assert_null(mean[0].indices.oper);
    assert_non_null(mean[1].indices.oper);
    assert_null(mean[2].indices.oper);
    assert_null(mean[3].values.oper);
    open_on(&f, N, false);
    expect_floats(&f, mean[0].values, 1, 4);
    expect_floats(&f, mean[1].values, 2, 2, 2);
    expect_floats(&f, mean[2].values, 2, (7 + 6 + 6) / 3.f);
    front_delete(&f);
}

static void errors_are_told(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Status *status = TF_NewStatus();
    TF_SessionOptions *options = TF_NewSessionOptions();
    sl_options_set_cpus(options, 0, status);
    assert_int_equal(TF_GetCode(status), TF_INVALID_ARGUMENT);
    sl_options_set_cpus(options, 1025, status);
    assert_int_equal(TF_GetCode(status), TF_INVALID_ARGUMENT);
    TF_Output out[N];
    sl_all_sum(f.s, out, NULL, cpus, 0);
    assert_int_equal(sl_scope_code(f.s), TF_INVALID_ARGUMENT);
    TF_DeleteSessionOptions(options);
    TF_DeleteStatus(status);
    front_delete(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_reduce_together),
        cmocka_unit_test(transfers_have_gradients),
        cmocka_unit_test(gradients_of_towers_are_averaged),
        cmocka_unit_test(errors_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
