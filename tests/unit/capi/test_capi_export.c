/* SavedModels that are written: what comes back when they are loaded, what is refused, that a killed export leaves
 * nothing that looks like one. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/fault.h"
#include "sluice/graph_file.h"
#include "sluice/meta_graph_file.h"
#include "sluice/saved_model_file.h"
#include "unit/capi/capi_fixture.h"

#define SAMPLE SL_TEST_DATA "/graphs/average.meta"

static char folder[64];

static int enter_folder(void **state) {
    strcpy(folder, "/tmp/sluice-export-XXXXXX");
    return !mkdtemp(folder) || chdir(folder) || fixture_set_up(state);
}

static int leave_folder(void **state) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return fixture_tear_down(state) || chdir("/") || system(command);
}

static TF_Output output(struct fixture *f, const char *name) {
    TF_Output found = {TF_GraphOperationByName(f->graph, name), 0};
    assert_non_null(found.oper);
    return found;
}

static void run_target(struct fixture *f, TF_Session *session, const char *name) {
    const TF_Operation *target = output(f, name).oper;
    TF_SessionRun(session, NULL, NULL, NULL, 0, NULL, NULL, 0, &target, 1, NULL, f->status);
    assert_status_ok(f->status);
}

/* The sample after one step: mean 2, steps 1. */
static TF_Session *trained(struct fixture *f) {
    sl_graph_read(f->graph, SAMPLE, NULL, f->status);
    assert_status_ok(f->status);
    TF_Session *session = new_session(f->graph, f->status);
    run_target(f, session, "init");
    run_target(f, session, "train");
    return session;
}

static TF_Session *load(struct fixture *f, const char *dir, const char *tag) {
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_DeleteGraph(f->graph);
    f->graph = TF_NewGraph();
    TF_Session *session = TF_LoadSessionFromSavedModel(options, NULL, dir, &tag, 1, f->graph, NULL, f->status);
    TF_DeleteSessionOptions(options);
    return session;
}

static double number(struct fixture *f, TF_Session *session, const char *name) {
    TF_Output from = output(f, name);
    TF_Tensor *t = NULL;
    TF_SessionRun(session, NULL, NULL, NULL, 0, &from, &t, 1, NULL, 0, NULL, f->status);
    assert_status_ok(f->status);
    double value =
        TF_TensorType(t) == TF_FLOAT ? (double)*(float *)TF_TensorData(t) : (double)*(int64_t *)TF_TensorData(t);
    TF_DeleteTensor(t);
    return value;
}

/* Names in the current directory that do not end with ".tmp". */
static int files_here(void) {
    DIR *dir = opendir(".");
    int n = 0;
    for (struct dirent *e; (e = readdir(dir));) {
        size_t length = strlen(e->d_name);
        n += e->d_name[0] != '.' && (length < 5 || strcmp(e->d_name + length - 4, ".tmp") != 0);
    }
    closedir(dir);
    return n;
}

/* ---- killed; first of all, while this process has no threads that a child would miss */

static void export_and_exit(struct fixture *f, int kill_at) {
    TF_Session *session = trained(f);
    sl_fault_arm(0, 0, kill_at);
    sl_model_write("model", session, NULL, f->status);
    _exit(TF_GetCode(f->status) == TF_OK ? 0 : 1);
}

/* In a child, too: nothing of the directory, or all of it. */
static void check_and_exit(struct fixture *f) {
    TF_Session *session = load(f, "model", "serve");
    if (!session) _exit(access("model", F_OK) == 0);
    _exit(number(f, session, "mean/Read") == 2 ? 2 : 1);
}

static int status_of(pid_t child) {
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void a_killed_export_is_none(void **state) {
    int before = 0, n = 0;
    for (int status = SL_FAULT_EXIT; status;) {
        assert_true(++n < 1000);
        pid_t child = fork();
        if (child == 0) export_and_exit(*state, n);
        status = status_of(child);
        assert_true(status == 0 || status == SL_FAULT_EXIT);
        bool is_there = access("model", F_OK) == 0;
        child = fork();
        if (child == 0) check_and_exit(*state);
        assert_int_equal(status_of(child), is_there ? 2 : 0);
        assert_true(is_there || status);
        before += !is_there;
        if (is_there && status) assert_int_equal(system("rm -rf model"), 0);
    }
    assert_true(before > 20);          /* calls before the last rename */
    assert_int_equal(files_here(), 1); /* what was cut off is called otherwise */
}

/* ---- written and loaded */

static void a_session_there_and_back(void **state) {
    struct fixture *f = *state;
    struct sl_model_signature s;
    TF_Session *session = trained(f);
    struct sl_export_port in = {"x", output(f, "x")}, out[] = {{"loss", output(f, "loss")}, {"far", output(f, "far")}};
    struct sl_export_signature signature = {"serving_default", NULL, 1, 2, &in, out};
    struct sl_meta_graph *meta = sl_meta_graph_read(SAMPLE, f->status);
    const char *const tags[] = {"train"};
    struct sl_export parts = {.tags = tags, .num_tags = 1, .signatures = &signature, .num_signatures = 1, .meta = meta};
    int nodes = count_operations(f->graph);
    sl_model_write("deep/below/model/", session, &parts, f->status);
    assert_status_ok(f->status);
    sl_meta_graph_delete(meta);
    assert_int_equal(count_operations(f->graph), nodes);
    TF_DeleteSession(session, f->status);

    struct sl_model *model = sl_model_read("deep/below/model", f->status);
    assert_status_ok(f->status);
    assert_true(sl_model_signature_at(&s, model, 0, 0));
    assert_string_equal(s.method, "tensorflow/serving/predict");
    assert_string_equal(s.outputs[1].tensor, "loss:0");
    assert_int_equal(s.outputs[1].num_dims, 0);
    assert_int_equal(s.inputs[0].type, TF_FLOAT);
    sl_model_delete(model);

    session = load(f, "deep/below/model", "train");
    assert_status_ok(f->status);
    assert_true(number(f, session, "mean/Read") == 2 && number(f, session, "steps/read") == 1);
    run_target(f, session, "train"); /* goes on, and is written again */
    parts = (struct sl_export){.init = output(f, "steps/AssignAdd").oper};
    sl_model_write("again", session, &parts, f->status);
    assert_status_ok(f->status);
    TF_DeleteSession(session, f->status);
    session = load(f, "again", "serve");
    assert_status_ok(f->status);
    assert_true(number(f, session, "mean/Read") == 3 && number(f, session, "steps/read") == 3); /* once by `init` */
    TF_DeleteSession(session, f->status);
}

static void assets_go_along(void **state) {
    struct fixture *f = *state;
    const char *const paths[] = {"a/words", "b/words", "a/words"};
    struct sl_export_asset assets[3];
    struct stat info;
    assert_int_equal(system("mkdir a b && echo one >a/words && echo two and three >b/words"), 0);
    TF_Session *session = trained(f);
    for (int i = 0; i < 3; i++) {
        char name[8];
        snprintf(name, sizeof name, "asset%d", i);
        assets[i] = (struct sl_export_asset){typed_placeholder(f->graph, f->status, name, TF_STRING), paths[i]};
    }
    struct sl_export parts = {.assets = assets, .num_assets = 3};
    sl_model_write("model", session, &parts, f->status);
    assert_status_ok(f->status);
    assert_true(stat("model/assets/words", &info) == 0 && info.st_size == 4);
    assert_true(stat("model/assets/words_1", &info) == 0 && info.st_size == 14);
    assert_int_not_equal(stat("model/assets/words_2", &info), 0);
    assets[1].path = "missing";
    sl_model_write("other", session, &parts, f->status);
    assert_status(f->status, TF_NOT_FOUND, "missing");
    TF_DeleteSession(session, f->status);
}

static void what_is_refused(void **state) {
    struct fixture *f = *state;
    sl_graph_read(f->graph, SAMPLE, NULL, f->status);
    TF_Session *session = new_session(f->graph, f->status);
    sl_model_write("model", session, NULL, f->status);
    assert_status(f->status, TF_FAILED_PRECONDITION, "uninitialized");
    run_target(f, session, "init");
    struct sl_export_port far = {"far", output(f, "far")}, ports[] = {far, far}, wrong = {"w", {far.tensor.oper, 1}};
    struct sl_export_signature twice = {"a", NULL, 0, 2, NULL, ports}, bad = {"a", NULL, 1, 0, &wrong, NULL},
                               fine = {"a", NULL, 0, 1, NULL, ports},
                               init = {"__saved_model_init_op", NULL, 0, 0, NULL, NULL};
    const struct {
        struct sl_export_signature signatures[2];
        int n;
        TF_Code code;
        const char *why;
    } rows[] = {{{twice, fine}, 1, TF_INVALID_ARGUMENT, "two tensors 'far'"},
                {{bad, fine}, 1, TF_OUT_OF_RANGE, ""},
                {{fine, fine}, 2, TF_INVALID_ARGUMENT, "two signatures 'a'"},
                {{init, fine}, 1, TF_INVALID_ARGUMENT, "two signatures '__"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sl_export parts = {.signatures = rows[i].signatures, .num_signatures = rows[i].n};
        sl_model_write("model", session, &parts, f->status);
        assert_int_not_equal(TF_GetCode(f->status), TF_OK);
        assert_non_null(strstr(TF_Message(f->status), rows[i].why));
    }
    assert_int_equal(files_here(), 0); /* nothing is left of all these */
    assert_int_equal(mkdir("model", 0777), 0);
    sl_model_write("model", session, NULL, f->status); /* an empty directory will do */
    assert_status_ok(f->status);
    sl_model_write("model", session, NULL, f->status);
    assert_status(f->status, TF_ALREADY_EXISTS, "isn't empty");
    TF_DeleteSession(session, f->status);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, enter_folder, leave_folder)
    const struct CMUnitTest tests[] = {
        TEST(a_killed_export_is_none),
        TEST(a_session_there_and_back),
        TEST(assets_go_along),
        TEST(what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
