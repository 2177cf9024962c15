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

/* Each type of a list counts, and a row may say that this machine cannot run it. */
static bool never(void) { return false; }
static void rows_serve_what_they_list(void **state) {
    static const struct sl_kernel_def rows[] = {
        {.op = "Typed", .run = run, .available = never},
        {.op = "Typed", .run = run, .types = {{"Ts", SL_SET(FLOAT) | SL_SET(INT32)}}},
    };
    static const struct {
        int32_t types[2];
        bool is_served;
    } lists[] = {{{SL_FLOAT, SL_INT32}, true}, {{SL_STRING, SL_FLOAT}, false}, {{SL_FLOAT, SL_STRING}, false}};
    for (size_t i = 0; i < 2; i++) assert_ok(err, sl_kernel_table_add(*state, &rows[i], &err));
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct sl_pb_AttrValue_ListValue list = {.type = {(int32_t *)(uintptr_t)lists[i].types, 2}};
        struct sl_pb_AttrValue value = {.which = SL_PB_AttrValue_list, .list = &list};
        struct sl_attr attr = {SL_STR("Ts"), &value};
        const struct sl_kernel_def *def = NULL;
        sl_code code =
            sl_kernel_find(&def, *state, SL_STR("Typed"), SL_STR("n"), NULL, &(struct sl_attrs){&attr, 1}, &err);
        assert_int_equal(code == SL_OK, lists[i].is_served);
        if (code == SL_OK) assert_ptr_equal(def, &rows[1]);
    }
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
        cmocka_unit_test_setup_teardown(rows_serve_what_they_list, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_cannot_be_loaded_is_told_and_tried_again, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
