/* Companions: found, missing, foreign, bound to another copy of the library; loaded on first use, by many threads at
 * once. The tests run in this order: the first ones load nothing for good. */
#include <stdlib.h>

#include "companion/companion.h"
#include "os/thread.h"
#include "root/companions.h"
#include "root/root.h"
#include "unit/capi/capi_fixture.h"
#include "unit/unit.h"

extern const struct sl_core sl_core;

static struct sl_error err;

static void look_in(const char *folder) { assert_int_equal(setenv("SLUICE_COMPANIONS", folder, 1), 0); }

static bool has_op(const struct sl_companion *c, const char *op) {
    for (size_t f = 0; f < c->n; f++)
        for (const struct sl_kernel_def *row = c->families[f].rows; row->op; row++)
            if (strcmp(row->op, op) == 0) return true;
    return false;
}

static void what_is_missing_says_where(void **state) {
    const struct sl_companion *c;
    (void)state;
    look_in(TESTS "/nowhere");
    assert_fails(err, SL_NOT_FOUND, TESTS "/nowhere/libsluice_images.so: cannot open shared object file",
                 sl_companion_load(&c, "images", &sl_core, &err));
    assert_int_equal(unsetenv("SLUICE_COMPANIONS"), 0); /* beside this program, then, which has none */
    assert_fails(err, SL_NOT_FOUND, "libsluice_images.so", sl_companion_load(&c, "images", &sl_core, &err));
}

static void what_is_foreign_is_refused(void **state) {
    const struct sl_companion *c;
    (void)state;
    look_in(TESTS "/foreign");
    assert_fails(err, SL_FAILED_PRECONDITION, "libsluice_images.so: it is of another build",
                 sl_companion_load(&c, "images", &sl_core, &err));
    look_in(TESTS "/strange");
    assert_fails(err, SL_FAILED_PRECONDITION, "libsluice_images.so: it is no companion",
                 sl_companion_load(&c, "images", &sl_core, &err));
    assert_fails(err, SL_NOT_FOUND, "libsluice_kernels.so", sl_companion_load(&c, "kernels", &sl_core, &err));
}

static void find_op(const char *op, sl_code *code, struct sl_error *error) {
    const struct sl_registries *registries;
    const struct sl_kernel_def *def;
    struct sl_pb_AttrValue type = {.which = SL_PB_AttrValue_type, .type = SL_FLOAT};
    struct sl_attr attr = {SL_STR("T"), &type};
    struct sl_attrs attrs = {&attr, 1};
    *code = sl_root_registries(&registries, error);
    if (*code == SL_OK)
        *code = sl_kernel_find(&def, registries->kernels, sl_str_of(op), SL_STR("n"), NULL, &attrs, error);
}

static void an_op_says_which_companion_it_lacks(void **state) {
    sl_code code;
    (void)state;
    look_in(TESTS "/nowhere");
    find_op("Cholesky", &code, &err);
    assert_int_equal(code, SL_INVALID_ARGUMENT);
    assert_non_null(strstr(err.message, "No OpKernel was registered to support Op 'Cholesky'"));
    assert_non_null(strstr(err.message, "Its kernels are in libsluice_kernels.so"));
    assert_non_null(strstr(err.message, TESTS "/nowhere/libsluice_kernels.so"));
    find_op("Square", &code, &err);
    assert_int_equal(code, SL_OK);
}

enum { THREADS = 8 };
struct user {
    struct sl_thread thread;
    const char *op;
    sl_code code;
    struct sl_error err;
};
static void use(void *arg) {
    struct user *user = arg;
    find_op(user->op, &user->code, &user->err);
}

static void threads_load_at_once(void **state) {
    struct user users[THREADS];
    (void)state;
    look_in(COMPANIONS);
    for (int i = 0; i < THREADS; i++) {
        users[i].op = i % 2 ? "Cholesky" : "RGBToHSV";
        assert_ok(err, sl_thread_start(&users[i].thread, "user", 0, use, &users[i], &err));
    }
    for (int i = 0; i < THREADS; i++) sl_thread_join(&users[i].thread);
    for (int i = 0; i < THREADS; i++)
        if (users[i].code != SL_OK) fail_msg("%s: %s", users[i].op, users[i].err.message);
}

static void a_companion_serves_one_copy(void **state) {
    const struct sl_companion *first, *again;
    const struct sl_core other = sl_core;
    (void)state;
    assert_ok(err, sl_companion_load(&first, "images", &sl_core, &err));
    assert_true(has_op(first, "DecodePng"));
    assert_ok(err, sl_companion_load(&again, "images", &sl_core, &err));
    assert_ptr_equal(first, again);
    assert_fails(err, SL_FAILED_PRECONDITION, "it serves another copy of the library",
                 sl_companion_load(&again, "images", &other, &err));
}

/* Cholesky of [[9]], in a session. */
static void its_kernels_run(void **state) {
    struct fixture *f = *state;
    const int64_t dims[] = {1, 1};
    TF_Output nine = constant(f->graph, f->status, "nine", 9);
    TF_OperationDescription *d = TF_NewOperation(f->graph, "Cast", "float");
    TF_AddInput(d, nine);
    TF_SetAttrType(d, "DstT", TF_FLOAT);
    TF_Output x = {TF_FinishOperation(d, f->status), 0};
    TF_Tensor *shape = TF_AllocateTensor(TF_INT64, (const int64_t[]){2}, 1, sizeof dims);
    memcpy(TF_TensorData(shape), dims, sizeof dims);
    d = TF_NewOperation(f->graph, "Const", "shape");
    TF_SetAttrTensor(d, "value", shape, f->status);
    TF_SetAttrType(d, "dtype", TF_INT64);
    TF_Output matrix =
        binary(f->graph, f->status, "Reshape", "matrix", x, (TF_Output){TF_FinishOperation(d, f->status), 0});
    TF_Output root = unary(f->graph, f->status, "Cholesky", "root", matrix);
    TF_Session *session = new_session(f->graph, f->status);
    TF_Tensor *out = NULL;
    TF_SessionRun(session, NULL, NULL, NULL, 0, &root, &out, 1, NULL, 0, NULL, f->status);
    assert_status_ok(f->status);
    assert_true(*(float *)TF_TensorData(out) == 3);
    TF_DeleteTensor(out);
    TF_DeleteTensor(shape);
    TF_DeleteSession(session, f->status);
}

static void all_kernels_are_listed(void **state) {
    struct fixture *f = *state;
    TF_Buffer *all = TF_GetAllRegisteredKernels(f->status);
    assert_status_ok(f->status);
    assert_true(buffer_contains(all, "DecodePng") && buffer_contains(all, "Cholesky") &&
                buffer_contains(all, "Square"));
    TF_DeleteBuffer(all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_missing_says_where),
        cmocka_unit_test(what_is_foreign_is_refused),
        cmocka_unit_test(an_op_says_which_companion_it_lacks),
        cmocka_unit_test(threads_load_at_once),
        cmocka_unit_test(a_companion_serves_one_copy),
        cmocka_unit_test_setup_teardown(its_kernels_run, fixture_set_up, fixture_tear_down),
        cmocka_unit_test_setup_teardown(all_kernels_are_listed, fixture_set_up, fixture_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
