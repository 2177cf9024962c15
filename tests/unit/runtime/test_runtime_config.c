/* What a ConfigProto asks of a runtime, and what it gets. */
#include "passes/optimise/optimise.h"
#include "runtime/runtime_config.h"
#include "unit/runtime/runtime_fixture.h"

GRAPH_TEST(nothing_asked_for) {
    struct sl_runtime_options o;
    const struct sl_pb_ConfigProto none = {0};
    for (int i = 0; i < 2; i++) {
        sl_runtime_read_options(&o, i ? &none : NULL);
        assert_int_equal(o.n_threads, 0);
        assert_int_equal(o.optimise_toggles, SL_TOGGLE_ALL);
        assert_false(o.is_soft_placement || o.logs_placement || o.keep_functional || o.places_by_cost);
    }
}

GRAPH_TEST(options_are_read_one_by_one) {
    struct sl_runtime_options o;
    struct sl_pb_ConfigProto_Experimental experimental = {0};
    struct sl_pb_ConfigProto config = {.experimental = &experimental};
    sl_runtime_read_options(&o, &config);
    assert_false(o.keep_functional);
    experimental.disable_functional_ops_lowering = true;
    config.intra_op_parallelism_threads = 3;
    sl_runtime_read_options(&o, &config);
    assert_true(o.keep_functional);
    assert_int_equal(o.n_threads, 3);
    assert_false(o.is_soft_placement || o.logs_placement);
    config = (struct sl_pb_ConfigProto){.allow_soft_placement = true, .intra_op_parallelism_threads = -1};
    sl_runtime_read_options(&o, &config);
    assert_true(o.is_soft_placement && !o.logs_placement && !o.keep_functional);
    assert_int_equal(o.n_threads, 0);
    config = (struct sl_pb_ConfigProto){.log_device_placement = true};
    sl_runtime_read_options(&o, &config);
    assert_true(o.logs_placement && !o.is_soft_placement);
}

GRAPH_TEST(threads_are_a_pool_of_its_own) {
    const struct sl_pb_ConfigProto three = {.intra_op_parallelism_threads = 3};
    for (int i = 0; i < 2; i++) {
        struct sl_runtime_options o;
        struct sl_device_set devices;
        struct sl_runtime *runtime;
        sl_runtime_read_options(&o, i ? &three : NULL);
        assert_ok(f->err, sl_runtime_local_devices(&devices, registries_of(f), NULL, &f->err));
        assert_ok(f->err, sl_runtime_new(&runtime, registries_of(f), &devices, &o, &f->err));
        assert_int_equal(runtime->pool == sl_pool_shared(), !i);
        if (i) assert_int_equal(sl_pool_threads(runtime->pool), 3);
        sl_runtime_free(runtime);
    }
}

GRAPH_TEST(devices_are_as_many_as_are_asked_for) {
    struct sl_pb_entry_string_int32 counts[] = {{.key = SL_STR("GPU"), .value = 7}, {.key = SL_STR("CPU"), .value = 3}};
    struct sl_pb_ConfigProto config = {.device_count = {.items = counts, .n = 2}};
    struct sl_device_set devices;
    assert_ok(f->err, sl_runtime_local_devices(&devices, registries_of(f), NULL, &f->err));
    assert_int_equal(devices.n, 1);
    sl_device_set_clear(&devices);
    assert_ok(f->err, sl_runtime_local_devices(&devices, registries_of(f), &config, &f->err));
    assert_int_equal(devices.n, 3);
    assert_string_equal(devices.items[2].name, "/job:localhost/replica:0/task:0/device:CPU:2");
    sl_device_set_clear(&devices);
    counts[1].value = -1;
    assert_int_equal(sl_runtime_local_devices(&devices, registries_of(f), &config, &f->err), SL_INVALID_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {graph_unit_test(nothing_asked_for), graph_unit_test(options_are_read_one_by_one),
                                       graph_unit_test(threads_are_a_pool_of_its_own),
                                       graph_unit_test(devices_are_as_many_as_are_asked_for)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
