/* Savers: variables of both kinds there and back, TensorFlow's own Saver in a graph, what is kept, what cannot be
 * restored. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sluice/checkpoint_file.h"
#include "sluice/event_file.h"
#include "sluice/graph_file.h"
#include "sluice/meta_graph_file.h"
#include "sluice/saved_model_file.h"
#include "sluice/saver.h"
#include "unit/capi/capi_fixture.h"

static char folder[64];

static int enter_folder(void **state) {
    strcpy(folder, "/tmp/sluice-saver-XXXXXX");
    return !mkdtemp(folder) || chdir(folder) || fixture_set_up(state);
}

static int leave_folder(void **state) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return fixture_tear_down(state) || chdir("/") || system(command);
}

/* A variable of int32 and a node that assigns what is fed. */
struct variable {
    TF_Output handle, value;
    TF_Operation *assigner;
};

static struct variable add_variable(struct fixture *f, const char *name, const char *type) {
    struct variable v;
    char text[64];
    bool is_resource = !strcmp(type, "VarHandleOp");
    TF_OperationDescription *d = TF_NewOperation(f->graph, type, name);
    TF_SetAttrType(d, "dtype", TF_INT32);
    TF_SetAttrShape(d, "shape", NULL, 0);
    v.handle = (TF_Output){TF_FinishOperation(d, f->status), 0};
    assert_status_ok(f->status);
    snprintf(text, sizeof text, "%s/in", name);
    v.value = placeholder(f->graph, f->status, text);
    snprintf(text, sizeof text, "%s/assign", name);
    d = TF_NewOperation(f->graph, is_resource ? "AssignVariableOp" : "Assign", text);
    TF_AddInput(d, v.handle);
    TF_AddInput(d, v.value);
    v.assigner = TF_FinishOperation(d, f->status);
    assert_status_ok(f->status);
    return v;
}

static void assign(TF_Session *session, struct fixture *f, const struct variable *v, int32_t value) {
    TF_Tensor *t = int_tensor(value);
    const TF_Operation *target = v->assigner;
    TF_SessionRun(session, NULL, &v->value, &t, 1, NULL, NULL, 0, &target, 1, NULL, f->status);
    assert_status_ok(f->status);
    TF_DeleteTensor(t);
}

static int32_t saved_int(const char *prefix, const char *name, TF_Status *s) {
    struct sl_checkpoint_reader *r = sl_checkpoint_reader_new(prefix, s);
    assert_status_ok(s);
    TF_Tensor *t = sl_checkpoint_reader_read(r, name, s);
    assert_status_ok(s);
    sl_checkpoint_reader_delete(r);
    return int_of(t);
}

static void variables_there_and_back(void **state) {
    struct fixture *f = *state;
    char latest[128];
    int64_t step = 0;
    struct variable a = add_variable(f, "a", "VariableV2"), r = add_variable(f, "scope/r", "VarHandleOp");
    struct sl_saver *saver = sl_saver_new(f->graph, NULL, f->status);
    assert_status_ok(f->status);
    int nodes = count_operations(f->graph);
    sl_saver_delete(sl_saver_new(f->graph, NULL, f->status)); /* a second one adds nothing */
    assert_status_ok(f->status);
    assert_int_equal(count_operations(f->graph), nodes);
    TF_Session *session = new_session(f->graph, f->status);

    sl_saver_save(saver, session, "m/model", 1, f->status);
    assert_status(f->status, TF_FAILED_PRECONDITION, "uninitialized");
    assert_false(sl_saver_latest(latest, sizeof latest, &step, "m", f->status));
    assert_status_ok(f->status);

    assign(session, f, &a, 5);
    assign(session, f, &r, 7);
    sl_saver_save(saver, session, "m/model", 12, f->status);
    assert_status_ok(f->status);
    assert_true(sl_saver_latest(latest, sizeof latest, &step, "m", f->status));
    assert_string_equal(latest, "m/model-12");
    assert_int_equal(step, 12);
    assert_int_equal(saved_int(latest, "a", f->status), 5);
    assert_int_equal(saved_int(latest, "scope/r", f->status), 7);
    assert_false(sl_saver_latest(latest, 4, &step, "m", f->status));
    assert_status(f->status, TF_OUT_OF_RANGE, "bytes");

    TF_Session *other = new_session(f->graph, f->status); /* with variables that have no value yet */
    sl_saver_restore(saver, other, "m/model-12", f->status);
    assert_status_ok(f->status);
    sl_saver_save(saver, other, "m/model", 13, f->status);
    assert_status_ok(f->status);
    assert_int_equal(saved_int("m/model-13", "a", f->status) * 10 + saved_int("m", "scope/r", f->status), 57);
    TF_DeleteSession(session, f->status);
    TF_DeleteSession(other, f->status);
    sl_saver_delete(saver);
}

static bool is_there(const char *prefix) {
    char path[128];
    snprintf(path, sizeof path, "%s.index", prefix);
    return access(path, F_OK) == 0;
}

static void the_oldest_go(void **state) {
    struct fixture *f = *state;
    struct variable a = add_variable(f, "a", "VarHandleOp");
    struct sl_saver_options options = {.max_to_keep = 2};
    TF_Session *session = new_session(f->graph, f->status);
    assign(session, f, &a, 1);
    for (int step = 1; step <= 3; step++) { /* another saver each time: what is kept is in the file */
        struct sl_saver *saver = sl_saver_new(f->graph, &options, f->status);
        sl_saver_save(saver, session, "model", step, f->status);
        assert_status_ok(f->status);
        sl_saver_delete(saver);
    }
    assert_false(is_there("model-1"));
    assert_true(is_there("model-2") && is_there("model-3"));
    TF_DeleteSession(session, f->status);
}

static void note_name(void *arg, const char *name) { strcat(strcat(arg, name), " "); }

static void what_is_found_is_restored(void **state) {
    struct fixture *f = *state;
    char missing[64] = "";
    struct variable a = add_variable(f, "a", "VarHandleOp"), b = add_variable(f, "b", "VariableV2");
    TF_Session *session = new_session(f->graph, f->status);
    struct sl_saver *saver = sl_saver_new(f->graph, NULL, f->status);
    assign(session, f, &a, 1);
    assign(session, f, &b, 2);
    TF_Tensor *number = int_tensor(5);
    struct sl_checkpoint_writer *w = sl_checkpoint_writer_new("some", f->status);
    sl_checkpoint_writer_add(w, "b", number, f->status);
    sl_checkpoint_writer_finish(w, f->status);
    TF_DeleteTensor(number);
    sl_saver_restore(saver, session, "some", f->status);
    assert_status(f->status, TF_NOT_FOUND, "Key a not found");
    sl_saver_restore_found(saver, session, "some", note_name, missing, f->status);
    assert_status_ok(f->status);
    assert_string_equal(missing, "a ");
    sl_saver_save(saver, session, "all", 1, f->status);
    assert_status_ok(f->status);
    assert_int_equal(saved_int("all-1", "a", f->status) * 10 + saved_int("all-1", "b", f->status), 15);

    w = sl_checkpoint_writer_new("none", f->status);
    sl_checkpoint_writer_finish(w, f->status);
    sl_saver_restore_found(saver, session, "none", NULL, NULL, f->status);
    assert_status(f->status, TF_NOT_FOUND, "none of the variables");
    sl_saver_delete(saver);
    TF_DeleteSession(session, f->status);
}

static void a_saver_must_be_there(void **state) {
    struct fixture *f = *state;
    const struct sl_saver_names names = {"path:0", "saved:0", "restore"};
    struct sl_saver_options options = SL_OPTIONS(sl_saver_options, .names = &names);
    add_variable(f, "a", "VarHandleOp");
    assert_null(sl_saver_new(f->graph, &options, f->status));
    assert_status(f->status, TF_INVALID_ARGUMENT, "restore");
}

static void what_cannot_be_restored(void **state) {
    struct fixture *f = *state;
    int64_t step;
    char latest[64];
    struct variable a = add_variable(f, "a", "VarHandleOp");
    TF_Session *session = new_session(f->graph, f->status);
    struct sl_saver *saver = sl_saver_new(f->graph, NULL, f->status);
    assign(session, f, &a, 1);
    sl_saver_restore(saver, session, "nothing", f->status);
    assert_status(f->status, TF_NOT_FOUND, "nothing");

    struct sl_checkpoint_writer *w = sl_checkpoint_writer_new("other", f->status);
    sl_checkpoint_writer_finish(w, f->status);
    sl_saver_restore(saver, session, "other", f->status);
    assert_status(f->status, TF_NOT_FOUND, "Key a not found");

    int64_t dims[] = {1};
    TF_Tensor *vector = TF_AllocateTensor(TF_INT32, dims, 1, 4), *number = TF_AllocateTensor(TF_FLOAT, NULL, 0, 4);
    memset(TF_TensorData(vector), 0, 4);
    memset(TF_TensorData(number), 0, 4);
    for (int i = 0; i < 2; i++) {
        w = sl_checkpoint_writer_new("other", f->status);
        sl_checkpoint_writer_add(w, "a", i ? number : vector, f->status);
        sl_checkpoint_writer_finish(w, f->status);
        assert_status_ok(f->status);
        sl_saver_restore(saver, session, "other", f->status);
        assert_status(f->status, TF_INVALID_ARGUMENT, i ? "dtype" : "another shape for the variable a");
    }
    TF_DeleteTensor(vector);
    TF_DeleteTensor(number);

    sl_saver_save(saver, session, "gone", 4, f->status);
    assert_status_ok(f->status);
    assert_int_equal(unlink("gone-4.index"), 0);
    assert_false(sl_saver_latest(latest, sizeof latest, &step, ".", f->status));
    assert_status(f->status, TF_NOT_FOUND, "gone-4");
    sl_saver_delete(saver);
    TF_DeleteSession(session, f->status);
}

static void a_graph_without_variables(void **state) {
    struct fixture *f = *state;
    assert_null(sl_saver_new(f->graph, NULL, f->status));
    assert_status(f->status, TF_NOT_FOUND, "no variables");
}

static void the_saver_of_a_graph(void **state) {
    struct fixture *f = *state;
    sl_graph_read(f->graph, SL_TEST_DATA "/training/mlp.pb", NULL, f->status);
    assert_status_ok(f->status);
    int nodes = count_operations(f->graph);
    struct sl_saver *saver = sl_saver_new(f->graph, NULL, f->status);
    assert_status_ok(f->status);
    assert_int_equal(count_operations(f->graph), nodes);
    TF_Session *session = new_session(f->graph, f->status);
    sl_saver_save(saver, session, "m", 0, f->status);
    assert_status(f->status, TF_FAILED_PRECONDITION, "");
    const TF_Operation *init = TF_GraphOperationByName(f->graph, "init");
    TF_SessionRun(session, NULL, NULL, NULL, 0, NULL, NULL, 0, &init, 1, NULL, f->status);
    sl_saver_save(saver, session, "m", 0, f->status);
    assert_status_ok(f->status);
    TF_Session *other = new_session(f->graph, f->status);
    sl_saver_restore(saver, other, "m-0", f->status);
    assert_status_ok(f->status);
    sl_saver_save(saver, other, "m", 1, f->status);
    assert_status_ok(f->status);
    assert_int_equal(system("cmp m-0.data-00000-of-00001 m-1.data-00000-of-00001 && cmp m-0.index m-1.index"), 0);
    TF_DeleteSession(session, f->status);
    TF_DeleteSession(other, f->status);
    sl_saver_delete(saver);
}

static void events_of_summary_ops(void **state) {
    struct fixture *f = *state;
    struct sl_event_writer *w = sl_event_writer_new("logs", f->status);
    assert_status_ok(f->status);
    sl_event_writer_scalar(w, "loss", 1, 2, f->status);
    assert_status_ok(f->status);
    TF_Tensor *t = int_tensor(3);
    sl_event_writer_summary(w, t, 1, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "one string");
    TF_DeleteTensor(t);
    t = TF_AllocateTensor(TF_STRING, NULL, 0, sizeof(TF_TString));
    TF_StringInit(TF_TensorData(t)); /* an empty Summary */
    sl_event_writer_summary(w, t, 2, f->status);
    assert_status_ok(f->status);
    TF_DeleteTensor(t);
    sl_event_writer_flush(w, f->status);
    assert_status_ok(f->status);
    sl_event_writer_delete(w, f->status);
    assert_status_ok(f->status);
    sl_event_writer_delete(NULL, f->status);
    assert_null(sl_event_writer_new("/dev/null/x", f->status));
    assert_true(TF_GetCode(f->status) != TF_OK);
}

/* ---- Keras's archives, which have each variable twice */

#define ARCHIVE SL_TEST_DATA "/saved_model/keras"
#define FIRST   "variables/1/.ATTRIBUTES/VARIABLE_VALUE"
#define SECOND  "_all_variables/2/.ATTRIBUTES/VARIABLE_VALUE"

/* The model's checkpoint, but for the variable `name`, a vector of floats, which is all sevens. */
static void write_sevens(const char *prefix, const char *name, TF_Status *s) {
    struct sl_checkpoint_reader *r = sl_checkpoint_reader_new(ARCHIVE "/variables/variables", s);
    struct sl_checkpoint_writer *w = sl_checkpoint_writer_new(prefix, s);
    struct sl_checkpoint_tensor t;
    assert_status_ok(s);
    for (int i = 0; sl_checkpoint_reader_tensor(&t, r, i); i++) {
        TF_Tensor *value = sl_checkpoint_reader_read(r, t.name, s);
        assert_status_ok(s);
        for (int64_t k = 0; !strcmp(t.name, name) && k < TF_TensorElementCount(value); k++)
            ((float *)TF_TensorData(value))[k] = 7;
        sl_checkpoint_writer_add(w, t.name, value, s);
        TF_DeleteTensor(value);
    }
    sl_checkpoint_writer_finish(w, s);
    assert_status_ok(s);
    sl_checkpoint_reader_delete(r);
}

static float first_float(const char *prefix, const char *name, TF_Status *s) {
    struct sl_checkpoint_reader *r = sl_checkpoint_reader_new(prefix, s);
    assert_status_ok(s);
    TF_Tensor *t = sl_checkpoint_reader_read(r, name, s);
    assert_status_ok(s);
    float value = *(const float *)TF_TensorData(t);
    TF_DeleteTensor(t);
    sl_checkpoint_reader_delete(r);
    return value;
}

/* Python trains the first of the two, the graph the second: what is restored is the first, what is saved the second. */
static void variables_that_are_there_twice(void **state) {
    struct fixture *f = *state;
    TF_SessionOptions *options = TF_NewSessionOptions();
    const char *tags[] = {"serve"};
    TF_Session *session = TF_LoadSessionFromSavedModel(options, NULL, ARCHIVE, tags, 1, f->graph, NULL, f->status);
    assert_status_ok(f->status);
    TF_DeleteSessionOptions(options);
    struct sl_model *model = sl_model_read(ARCHIVE, f->status);
    struct sl_saver_names names;
    assert_true(sl_model_saver(&names, model, 0));
    struct sl_saver_options how = SL_OPTIONS(sl_saver_options, .names = &names, .like = ARCHIVE "/variables/variables");
    struct sl_saver *saver = sl_saver_new(f->graph, &how, f->status);
    assert_status_ok(f->status);
    write_sevens("first", FIRST, f->status);
    write_sevens("second", SECOND, f->status);
    sl_saver_restore(saver, session, "first", f->status);
    assert_status_ok(f->status);
    sl_saver_save(saver, session, "again", 1, f->status);
    assert_status_ok(f->status);
    assert_true(first_float("again-1", FIRST, f->status) == 7 && first_float("again-1", SECOND, f->status) == 7);
    sl_saver_restore(saver, session, "second", f->status);
    assert_status_ok(f->status);
    sl_saver_save(saver, session, "again", 2, f->status);
    assert_status_ok(f->status);
    assert_true(first_float("again-2", FIRST, f->status) != 7 && first_float("again-2", SECOND, f->status) != 7);
    sl_saver_delete(saver);
    sl_model_delete(model);
    TF_DeleteSession(session, f->status);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, enter_folder, leave_folder)
    const struct CMUnitTest tests[] = {
        TEST(variables_there_and_back),  TEST(the_oldest_go),         TEST(what_cannot_be_restored),
        TEST(what_is_found_is_restored), TEST(a_saver_must_be_there), TEST(a_graph_without_variables),
        TEST(the_saver_of_a_graph),      TEST(events_of_summary_ops), TEST(variables_that_are_there_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
