/* Names of devices, in whole and in part, and sets of them. */
#include "device/device.h"
#include "unit/unit.h"

static const char *printed(const char *name) {
    static char text[SL_DEVICE_TEXT];
    struct sl_device_name parsed;
    static struct sl_error err;
    if (sl_device_parse(&parsed, sl_str_of(name), &err) != SL_OK) return err.message;
    return sl_device_print(text, &parsed);
}

static void names_have_many_forms(void **state) {
    (void)state;
    assert_string_equal(printed(""), "");
    assert_string_equal(printed("/"), "");
    assert_string_equal(printed("/cpu:1"), "/device:CPU:1");
    assert_string_equal(printed("GPU:0"), "/device:GPU:0");
    assert_string_equal(printed("/device:CPU:*/job:a_1"), "/job:a_1/device:CPU:*");
    assert_string_equal(printed("/task:1/task:2/replica:*"), "/task:2");
    assert_string_equal(printed("/job:w/replica:0/task:3/device:XPU:4"), "/job:w/replica:0/task:3/device:XPU:4");
    assert_string_equal(printed("/task:999999999"), "/task:999999999");
    const char *const malformed[] = {"/job:1", "/cpu:x",  "//",     "/job:a/",          "/device:CPU:-1", "/jobs:a",
                                     "/cpu:",  "/job:a-", "/task:", "/task:4294967297", "/job:"};
    for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++)
        assert_non_null(strstr(printed(malformed[i]), "Malformed device specification"));
}

static sl_code merged(char text[SL_DEVICE_TEXT], const char *a, const char *b, bool is_soft, struct sl_error *err) {
    struct sl_device_name x, y;
    SL_TRY(sl_device_parse(&x, sl_str_of(a), err));
    SL_TRY(sl_device_parse(&y, sl_str_of(b), err));
    SL_TRY(sl_device_merge(&x, &y, is_soft, err));
    sl_device_print(text, &x);
    return SL_OK;
}

static void requests_merge(void **state) {
    (void)state;
    char text[SL_DEVICE_TEXT];
    struct sl_error err = {0};
    assert_ok(err, merged(text, "/job:a", "/cpu:1", false, &err));
    assert_string_equal(text, "/job:a/device:CPU:1");
    assert_fails(err, SL_INVALID_ARGUMENT,
                 "Cannot merge devices with incompatible ids: '/device:CPU:1' and '/device:CPU:0'",
                 merged(text, "/cpu:1", "/cpu:0", false, &err));
    assert_fails(err, SL_INVALID_ARGUMENT, "incompatible types", merged(text, "/cpu:1", "/gpu:1", false, &err));
    assert_ok(err, merged(text, "/task:2/cpu:1", "/cpu:0", true, &err));
    assert_string_equal(text, "/task:2/device:CPU:*");
    assert_ok(err, merged(text, "/task:2/cpu:1", "/gpu:0", true, &err));
    assert_string_equal(text, "/task:2");
    assert_fails(err, SL_INVALID_ARGUMENT, "incompatible jobs", merged(text, "/job:a", "/job:b", true, &err));
}

static void a_task_is_job_replica_and_number(void **state) {
    static const char *const names[] = {"/job:w/replica:0/task:1/device:CPU:0", "/job:w/replica:0/task:1/device:CPU:3",
                                        "/job:w/replica:0/task:2/device:CPU:0", "/job:w/replica:1/task:1/device:CPU:0",
                                        "/job:v/replica:0/task:1/device:CPU:0"};
    struct sl_device_name first, other;
    struct sl_error err;
    (void)state;
    assert_ok(err, sl_device_parse(&first, sl_str_of(names[0]), &err));
    for (int i = 0; i < 5; i++) {
        assert_ok(err, sl_device_parse(&other, sl_str_of(names[i]), &err));
        assert_int_equal(sl_device_is_same_task(&first, &other), i < 2);
    }
}

static void requests_match_names(void **state) {
    (void)state;
    static const struct {
        const char *spec, *name;
        bool is_match;
    } rows[] = {{"", "/job:w/task:1/device:CPU:1", true},
                {"/cpu:0", "/job:w/task:1/device:CPU:1", false},
                {"/cpu:1", "/job:w/task:1/device:CPU:1", true},
                {"/cpu:*", "/job:w/task:1/device:CPU:1", true},
                {"/gpu:1", "/job:w/task:1/device:CPU:1", false},
                {"/task:0", "/job:w/replica:0/task:1/device:CPU:1", false},
                {"/replica:1", "/job:w/replica:0/task:1/device:CPU:1", false},
                {"/job:v", "/job:w/task:1/device:CPU:1", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sl_device_name spec, name;
        struct sl_error err;
        assert_ok(err, sl_device_parse(&spec, sl_str_of(rows[i].spec), &err));
        assert_ok(err, sl_device_parse(&name, sl_str_of(rows[i].name), &err));
        assert_int_equal(sl_device_matches(&spec, &name), rows[i].is_match);
    }
}

static void sets_have_a_limit(void **state) {
    (void)state;
    const struct sl_device_request many[] = {{&sl_host_device_type, 1000}, {&sl_host_device_type, 100}},
                                   enough[] = {{&sl_host_device_type, 1000}, {&sl_host_device_type, 24}};
    struct sl_device_set set;
    struct sl_error err;
    assert_fails(err, SL_INVALID_ARGUMENT, "device_count asks for 100 CPU devices, 0 to 24 are possible",
                 sl_device_set_open(&set, SL_STR("/job:w/replica:0/task:1"), many, 2, 7, &err));
    assert_ok(err, sl_device_set_open(&set, SL_STR("/job:w/replica:0/task:1"), enough, 2, 7, &err));
    assert_int_equal(set.n, SL_DEVICES_MAX);
    sl_device_set_clear(&set);
}

static void sets_are_numbered(void **state) {
    (void)state;
    struct sl_device_set set = {.n = 0};
    struct sl_device_name spec;
    struct sl_error err = {0};
    assert_ok(err, sl_device_set_new(&set, SL_STR("/job:w/replica:0/task:1"), 3, 7, &err));
    assert_int_equal(set.n, 3);
    assert_string_equal(set.items[2].name, "/job:w/replica:0/task:1/device:CPU:2");
    assert_int_equal(set.items[1].incarnation, 7);
    assert_int_equal(sl_device_find(&set, SL_STR("/job:w/replica:0/task:1/device:CPU:1")), 1);
    assert_int_equal(sl_device_find(&set, SL_STR("/cpu:1")), -1);
    assert_ok(err, sl_device_parse(&spec, SL_STR("/cpu:1"), &err));
    assert_int_equal(sl_device_first(&set, &spec), 1);
    assert_int_equal(sl_device_first(&set, &SL_DEVICE_ANY), 0);
    assert_ok(err, sl_device_parse(&spec, SL_STR("/gpu:0"), &err));
    assert_int_equal(sl_device_first(&set, &spec), -1);
    sl_device_set_clear(&set);
    assert_fails(err, SL_INVALID_ARGUMENT, "0 CPU devices", sl_device_set_new(&set, SL_STR("/job:w"), 0, 7, &err));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_have_many_forms),
                                       cmocka_unit_test(requests_merge),
                                       cmocka_unit_test(a_task_is_job_replica_and_number),
                                       cmocka_unit_test(requests_match_names),
                                       cmocka_unit_test(sets_have_a_limit),
                                       cmocka_unit_test(sets_are_numbered)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
