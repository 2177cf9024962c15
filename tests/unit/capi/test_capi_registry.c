/* What is registered, as messages; the log; what is not implemented. */
#include "tensorflow/c/c_api.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <unistd.h>

#include "tensorflow/c/c_api_experimental.h"
#include "tensorflow/c/logging.h"
#include "unit/capi/capi_fixture.h"

static void all_ops_are_listed(void **state) {
    (void)state;
    TF_Buffer *list = TF_GetAllOpList();
    assert_non_null(list);
    assert_true(list->length > 100000);
    assert_true(buffer_contains(list, "\x0a\x05"
                                      "AddV2"));
    assert_false(buffer_contains(list, "\x0a\x04"
                                       "_Arg")); /* the system's own */
    TF_DeleteBuffer(list);
}

static void kernels_are_listed(void **state) {
    struct fixture *f = *state;
    TF_Buffer *all = TF_GetAllRegisteredKernels(f->status);
    assert_status_ok(f->status);
    assert_true(buffer_contains(all, "Identity") && buffer_contains(all, "Neg"));
    TF_Buffer *some = TF_GetRegisteredKernelsForOp("Neg", f->status);
    assert_status_ok(f->status);
    assert_true(some->length > 0 && some->length < all->length);
    assert_true(buffer_contains(some, "\x0a\x03"
                                      "Neg\x12\x03"
                                      "CPU"));
    assert_false(buffer_contains(some, "Identity"));
    TF_Buffer *none = TF_GetRegisteredKernelsForOp("NoSuchOp", f->status);
    assert_status_ok(f->status);
    assert_int_equal(none->length, 0);
    TF_DeleteBuffer(all);
    TF_DeleteBuffer(some);
    TF_DeleteBuffer(none);
}

static void single_ops_are_described(void **state) {
    struct fixture *f = *state;
    assert_int_equal(TF_OpIsStateful("VariableV2", f->status), 1);
    assert_status_ok(f->status);
    assert_int_equal(TF_OpIsStateful("AddV2", f->status), 0);
    assert_string_equal(TF_GetNumberAttrForOpListInput("AddN", 0, f->status), "N");
    assert_status_ok(f->status);
    assert_null(TF_GetNumberAttrForOpListInput("Neg", 0, f->status));
    assert_status(f->status, TF_NOT_FOUND, "Neg does not have number_attr() defined.");
    TF_GetNumberAttrForOpListInput("Neg", 4, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "4 out of range for Neg");
    TF_OpIsStateful("Nope", f->status);
    assert_status(f->status, TF_NOT_FOUND, "Op type not registered 'Nope'");
}

/* ---- wrappers' definitions */
static void put(TF_ApiDefMap *map, const char *text, TF_Status *s) { TF_ApiDefMapPut(map, text, strlen(text), s); }

static void api_definitions_can_be_overwritten(void **state) {
    struct fixture *f = *state;
    TF_Buffer *ops = TF_GetAllOpList();
    TF_ApiDefMap *map = TF_NewApiDefMap(ops, f->status);
    assert_status_ok(f->status);
    TF_DeleteBuffer(ops);
    put(map, "op: <graph_op_name: 'AddV2' summary: 'a new summary' in_arg: <name: 'x' rename_to: 'left'>>", f->status);
    assert_status_ok(f->status);
    put(map, "op: <graph_op_name: 'NoSuchOp'>", f->status); /* passed over */
    assert_status_ok(f->status);
    put(map, "op: <graph_op_name: 'AddV2' in_arg: <name: 'q'>>", f->status);
    assert_status(f->status, TF_FAILED_PRECONDITION, "Argument q not defined in base api for AddV2");
    put(map, "nonsense", f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "nonsense");

    TF_Buffer *def = TF_ApiDefMapGet(map, "AddV2", 5, f->status);
    assert_status_ok(f->status);
    assert_true(buffer_contains(def, "a new summary") && buffer_contains(def, "left"));
    TF_DeleteBuffer(def);
    assert_null(TF_ApiDefMapGet(map, "NoSuchOp", 8, f->status));
    assert_status_ok(f->status);
    put(map, "op: <graph_op_name: 'AddV2'>", f->status);
    assert_status(f->status, TF_FAILED_PRECONDITION, "TF_ApiDefMapPut cannot be called after TF_ApiDefMapGet");
    TF_DeleteApiDefMap(map);

    TF_Buffer *junk = TF_NewBufferFromString("\xff", 1);
    assert_null(TF_NewApiDefMap(junk, f->status));
    assert_status(f->status, TF_INVALID_ARGUMENT, "Unparseable OpList");
    TF_DeleteBuffer(junk);
}

/* The bytes a client knows by heart: definitions without changes. */
static void api_definitions_follow_from_ops(void **state) {
    struct fixture *f = *state;
    TF_Buffer *ops = TF_GetAllOpList();
    TF_ApiDefMap *map = TF_NewApiDefMap(ops, f->status);
    TF_Buffer *def = TF_ApiDefMapGet(map, "Add", 3, f->status);
    assert_status_ok(f->status);
    static const char wanted[] = "\x0a\x03"
                                 "Add\x10\x01\x1a\x05\x0a\x03"
                                 "Add\x22\x06\x0a\x01x\x12\x01x\x22\x06\x0a\x01y\x12\x01y\x2a\x06\x0a\x01z\x12\x01z"
                                 "2\x06\x0a\x01T\x12\x01TZ\x01xZ\x01y";
    assert_int_equal(def->length, sizeof wanted - 1);
    assert_memory_equal(def->data, wanted, sizeof wanted - 1);
    TF_DeleteBuffer(def);
    TF_DeleteApiDefMap(map);
    TF_DeleteBuffer(ops);
}

/* ---- ports */
static void an_unused_port_can_be_listened_at(void **state) {
    (void)state;
    struct sockaddr_in at = {.sin_family = AF_INET};
    int port = TF_PickUnusedPortOrDie(), fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(port > 0 && port < 65536);
    at.sin_port = htons((uint16_t)port);
    assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
    close(fd);
}

/* ---- ready-made options */
static void options_are_made(void **state) {
    struct fixture *f = *state;
    TF_Buffer *trace = TF_CreateRunOptions(1), *config = TF_CreateConfig(1, 0, 2);
    assert_int_equal(trace->length, 2);
    assert_memory_equal(trace->data, "\x08\x03", 2);
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_SetConfig(options, config->data, config->length, f->status);
    assert_status_ok(f->status);
    TF_EnableXLACompilation(options, 1);
    TF_Session *session = TF_NewSession(f->graph, options, f->status);
    assert_status_ok(f->status);
    TF_DeleteSession(session, f->status);
    TF_DeleteSessionOptions(options);
    TF_DeleteBuffer(trace);
    TF_DeleteBuffer(config);
}

static void server_definitions_are_parsed(void **state) {
    struct fixture *f = *state;
    TF_Buffer *def = TFE_GetServerDef("job_name: 'worker' task_index: 1 protocol: 'grpc'", f->status);
    assert_status_ok(f->status);
    assert_true(buffer_contains(def, "worker"));
    TF_DeleteBuffer(def);
    assert_null(TFE_GetServerDef("junk", f->status));
    assert_status(f->status, TF_INVALID_ARGUMENT, "Invalid text proto for ServerDef: junk");
}

/* ---- log */
static char heard[256];
static void hear(const char *line) {
    if (strstr(line, "number 7")) strncpy(heard, line, sizeof heard - 1);
}

static void listeners_hear_the_log(void **state) {
    (void)state;
    TF_RegisterLogListener(hear);
    TF_Log(TF_INFO, "number %d", 7);
    assert_non_null(strstr(heard, "number 7"));
    heard[0] = '\0';
    TF_VLog(100, "number 7");
    assert_string_equal(heard, "");
}

int main(void) {
    setenv("TF_CPP_MIN_LOG_LEVEL", "3", 1);
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_set_up, fixture_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(all_ops_are_listed),
        TEST(kernels_are_listed),
        TEST(single_ops_are_described),
        TEST(api_definitions_can_be_overwritten),
        TEST(api_definitions_follow_from_ops),
        TEST(an_unused_port_can_be_listened_at),
        TEST(options_are_made),
        TEST(server_definitions_are_parsed),
        TEST(listeners_hear_the_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
