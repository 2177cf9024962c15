/* The kernel table: which row serves, and when sources are loaded. */
#include "kernel/table.h"
#include "unit/unit.h"

static struct sl_error err;

static sl_code run(struct sl_kernel_context *k) {
    (void)k;
    return SL_OK;
}
static const struct sl_kernel_def own_rows[] = {{.op = "Here", .run = run}, {.op = NULL}};
static const struct sl_kernel_def there_rows[] = {{.op = "There", .run = run},
                                                  {.op = "There", .run = run},
                                                  {.op = NULL}};
static const struct sl_kernel_def added_here = {.op = "Here", .run = run}, added_there = {.op = "There", .run = run};
static const struct sl_kernel_family own = {own_rows}, there = {there_rows};

static int loads;
static bool is_missing;
static int source_of(struct sl_str op) { return sl_str_is(op, "There") ? 5 : -1; }
static sl_code load(const struct sl_kernel_family **families, size_t *n, int source, struct sl_error *error) {
    assert_int_equal(source, 5);
    loads++;
    if (is_missing) return sl_fail(error, SL_NOT_FOUND, "it is on the moon");
    *families = &there;
    *n = 1;
    return SL_OK;
}
static const struct sl_kernel_sources sources = {source_of, load};

static int set_up(void **state) {
    loads = 0;
    is_missing = false;
    return sl_kernel_table_new((struct sl_kernel_table **)state, &own, 1, &sources, NULL);
}
static int tear_down(void **state) {
    sl_kernel_table_free(*state);
    return 0;
}

static sl_code find(const struct sl_kernel_def **def, struct sl_kernel_table *t, const char *op) {
    return sl_kernel_find(def, t, sl_str_of(op), SL_STR("n"), NULL, &(struct sl_attrs){NULL, 0}, &err);
}

static void a_source_is_loaded_when_asked(void **state) {
    const struct sl_kernel_def *def;
    assert_ok(err, find(&def, *state, "Here"));
    assert_ptr_equal(def, &own_rows[0]);
    assert_false(sl_kernel_table_has(*state, SL_STR("Nowhere")));
    assert_int_equal(loads, 0);
    assert_ok(err, find(&def, *state, "There"));
    assert_ptr_equal(def, &there_rows[0]);
    assert_true(sl_kernel_table_has(*state, SL_STR("There")));
    assert_int_equal(loads, 1);
}

/* A plug-in may come first; its row stays the last one. */
static void rows_of_plug_ins_come_last(void **state) {
    const struct sl_kernel_def *wanted[] = {&there_rows[0], &there_rows[1], &added_there}, *def;
    size_t at = 0;
    assert_ok(err, sl_kernel_table_add(*state, &added_there, &err));
    assert_ok(err, sl_kernel_table_add(*state, &added_here, &err));
    assert_int_equal(loads, 0);
    while ((def = sl_kernel_table_next(*state, SL_STR("There"), &at))) assert_ptr_equal(def, wanted[at - 1]);
    assert_int_equal(at, 3);
    assert_ok(err, find(&def, *state, "Here"));
    assert_ptr_equal(def, &own_rows[0]);
}

static void what_cannot_be_loaded_is_told_and_tried_again(void **state) {
    const struct sl_kernel_def *def;
    is_missing = true;
    assert_fails(err, SL_INVALID_ARGUMENT, "<no registered kernels>\nit is on the moon", find(&def, *state, "There"));
    assert_ok(err, sl_kernel_table_add(*state, &added_there, &err));
    assert_ok(err, find(&def, *state, "There")); /* of the plug-in */
    assert_ptr_equal(def, &added_there);
    is_missing = false;
    assert_ok(err, find(&def, *state, "There"));
    assert_ptr_equal(def, &there_rows[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_source_is_loaded_when_asked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rows_of_plug_ins_come_last, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_cannot_be_loaded_is_told_and_tried_again, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
