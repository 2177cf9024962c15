/* Every name answers, also where there is nothing behind it: UNIMPLEMENTED with the name, or nothing at all. */
#include "tensorflow/c/c_api_experimental.h"
#include "tensorflow/c/experimental/filesystem/filesystem_interface.h"
#include "tensorflow/c/kernels.h"
#include "unit/capi/capi_fixture.h"

static void a_status_tells_the_name(void **state) {
    struct fixture *f = *state;
    assert_null(TF_GraphImportGraphDefWithResultsNoSerialization(f->graph, NULL, NULL, f->status));
    assert_status(f->status, TF_UNIMPLEMENTED, "TF_GraphImportGraphDefWithResultsNoSerialization");
}

static void without_a_status_nothing_happens(void **state) {
    (void)state;
    TF_InitPlugin(NULL);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_set_up, fixture_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_status_tells_the_name),
        TEST(without_a_status_nothing_happens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
