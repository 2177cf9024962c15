/* Meters: what is charged and to whom, the limit, reports, charges that outlive their meter. */
#include "tensor/meter.h"

#include <string.h>

#include "tensor/tensor.h"
#include "unit/unit.h"

static struct sl_error err;

static struct sl_meter *meter_of(size_t limit) {
    struct sl_meter *m;
    assert_ok(err, sl_meter_new(&m, limit, &err));
    return m;
}

static struct sl_meter_scope scope_of(struct sl_meter *m, const char *node) {
    return (struct sl_meter_scope){.meter = m, .node = sl_str_of(node), .op = SL_STR("Op")};
}

static sl_code bytes_by(struct sl_tensor **out, struct sl_meter *m, const char *node, int64_t n) {
    struct sl_meter_scope scope = scope_of(m, node), *outer = sl_meter_enter(&scope);
    sl_code code = sl_tensor_new(out, SL_UINT8, (struct sl_shape){1, &n}, &err);
    if (code != SL_OK) sl_meter_explain(m, sl_str_of(node), &err);
    sl_meter_leave(&scope, outer);
    return code;
}

/* Small blocks as well as large ones; only within a scope, and until they are freed, whoever frees them. */
static void tensors_count_from_their_making_to_their_end(void **state) {
    (void)state;
    static const int64_t sizes[] = {1, 3000, 1 << 20};
    struct sl_meter *m = meter_of(2 << 20);
    struct sl_tensor *t, *other;
    for (int i = 0; i < 3; i++) {
        assert_ok(err, bytes_by(&t, m, "a", sizes[i]));
        const size_t used = sl_meter_used(m);
        assert_true(used >= (size_t)sizes[i] && used < (size_t)sizes[i] + 256);
        assert_ok(err, sl_tensor_new(&other, SL_UINT8, (struct sl_shape){1, &sizes[i]}, &err));
        assert_int_equal(sl_meter_used(m), used);
        sl_tensor_unref(t);
        sl_tensor_unref(other);
        assert_int_equal(sl_meter_used(m), 0);
    }
    sl_meter_close(m);
}

static void the_limit_is_told_with_those_who_hold_the_most(void **state) {
    (void)state;
    struct sl_meter *m = meter_of(10 << 20);
    struct sl_tensor *t[10], *refused = NULL;
    assert_ok(err, bytes_by(&t[0], m, "large", 4 << 20));
    assert_ok(err, bytes_by(&t[1], m, "twice", 1 << 20));
    assert_ok(err, bytes_by(&t[2], m, "twice", 2 << 20));
    static const char *const others[] = {"c", "d", "e", "f", "g"};
    for (int i = 0; i < 5; i++) assert_ok(err, bytes_by(&t[3 + i], m, others[i], (5 - i) << 10));
    assert_fails(err, SL_RESOURCE_EXHAUSTED, "may hold 10.00 MiB", bytes_by(&refused, m, "asker", 6 << 20));
    assert_non_null(strstr(err.message, "holds 7.02 MiB, and node 'asker' (Op) asked for 6.00 MiB."));
    assert_non_null(strstr(err.message,
                           "It holds: 'large' (Op) 4.00 MiB in 1 block, 'twice' (Op) 3.00 MiB in 2 blocks, "
                           "'c' (Op) 5.06 KiB in 1 block, "));
    assert_non_null(strstr(err.message, ", 2 others 3.12 KiB"));
    /* Others that fail for another reason keep their text; who asks next is told anew. */
    struct sl_error own = {0};
    sl_fail(&own, SL_RESOURCE_EXHAUSTED, "a queue is full");
    sl_meter_explain(m, SL_STR("large"), &own);
    assert_string_equal(own.message, "a queue is full");
    sl_tensor_unref(t[0]);
    assert_fails(err, SL_RESOURCE_EXHAUSTED, "node 'later' (Op)", bytes_by(&refused, m, "later", 8 << 20));
    assert_null(strstr(err.message, "large"));
    for (int i = 1; i < 8; i++) sl_tensor_unref(t[i]);
    assert_int_equal(sl_meter_used(m), 0);
    sl_meter_close(m);
}

static void a_tensor_may_outlive_the_meter(void **state) {
    (void)state;
    struct sl_meter *m = meter_of(1 << 20);
    struct sl_tensor *t[2];
    for (int i = 0; i < 2; i++) assert_ok(err, bytes_by(&t[i], m, "a", 1000));
    sl_meter_close(m);
    for (int i = 0; i < 2; i++) sl_tensor_unref(t[i]);
}

/* While a node sets them, and with the tensor afterwards. */
static void strings_count_with_their_bytes(void **state) {
    (void)state;
    enum { N = 10, LONG = 1000 };
    static char text[LONG];
    const int64_t n = N;
    struct sl_meter *m = meter_of(15000);
    struct sl_meter_scope scope = scope_of(m, "a"), *outer = sl_meter_enter(&scope);
    struct sl_tensor *t;
    assert_ok(err, sl_tensor_new(&t, SL_STRING, (struct sl_shape){1, &n}, &err));
    const size_t elements = sl_meter_used(m);
    TF_TString *s = t->data;
    for (int i = 0; i < N; i++) assert_ok(err, sl_string_set(&s[i], (struct sl_str){text, LONG}, &err));
    assert_int_equal(sl_string_set(&s[0], (struct sl_str){text, 10}, &err), SL_OK); /* lies in the element */
    for (int i = 1; i < N && sl_string_set(&s[0], (struct sl_str){text, LONG}, NULL) == SL_OK; i++)
        assert_int_not_equal(i, N - 1);
    sl_tensor_charge_strings(t);
    sl_meter_leave(&scope, outer);
    size_t settled = sl_meter_used(m);
    assert_true(settled >= elements + (N - 1) * LONG && settled <= elements + N * LONG);
    sl_tensor_unref(t);
    assert_int_equal(sl_meter_used(m), 0);
    sl_meter_close(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tensors_count_from_their_making_to_their_end),
        cmocka_unit_test(the_limit_is_told_with_those_who_hold_the_most),
        cmocka_unit_test(a_tensor_may_outlive_the_meter),
        cmocka_unit_test(strings_count_with_their_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
