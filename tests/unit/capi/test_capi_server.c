/* TF_Server, and sessions of its target: over a socket of this host, or not at all where the library was built without
 * connections. */
#include <stdio.h>
#include <stdlib.h>

#include "sluice/dataset.h"
#include "sluice/ops.h"
#include "tensorflow/c/c_api_experimental.h"
#include "unit/capi/capi_fixture.h"

/* NULL: there are no connections in this build. */
static TF_Server *new_server(TF_Status *s, const char *more) {
    char text[256];
    (void)snprintf(text, sizeof text,
                   "cluster { job { name: 'local' tasks { key: 0 value: 'localhost:0' } } } job_name: 'local' %s",
                   more);
    TF_Buffer *def = TFE_GetServerDef(text, s);
    assert_status_ok(s);
    TF_Server *server = TF_NewServer(def->data, def->length, s);
    TF_DeleteBuffer(def);
    if (TF_GetCode(s) == TF_UNIMPLEMENTED) skip();
    return server;
}

static TF_Session *session_at(TF_Server *server, TF_Graph *graph, TF_Status *s) {
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_SetTarget(options, TF_ServerTarget(server));
    TF_Session *session = TF_NewSession(graph, options, s);
    assert_status_ok(s);
    TF_DeleteSessionOptions(options);
    return session;
}

static void sessions_run_at_a_server(void **state) {
    struct fixture *f = *state;
    TF_Server *server = new_server(f->status, "protocol: 'grpc'");
    assert_status_ok(f->status);
    TF_ServerStart(server, f->status);
    assert_status_ok(f->status);
    assert_ptr_equal(strstr(TF_ServerTarget(server), "grpc://127.0.0.1:"), TF_ServerTarget(server));
    TF_Output feed = placeholder(f->graph, f->status, "feed");
    TF_Output neg = unary(f->graph, f->status, "Neg", "neg", feed);
    TF_Session *session = session_at(server, f->graph, f->status);
    assert_int_equal(run_int(session, f->status, feed, 3, neg), -3);
    TF_Output more = binary(f->graph, f->status, "AddV2", "more", neg, neg);
    assert_int_equal(run_int(session, f->status, feed, 7, more), -14);
    TF_DeviceList *devices = TF_SessionListDevices(session, f->status);
    assert_status_ok(f->status);
    assert_string_equal(TF_DeviceListName(devices, 0, f->status), "/job:local/replica:0/task:0/device:CPU:0");
    TF_DeleteDeviceList(devices);
    TF_CloseSession(session, f->status);
    assert_status_ok(f->status);
    TF_DeleteSession(session, f->status);
    TF_ServerStop(server, f->status);
    assert_status_ok(f->status);
    TF_ServerJoin(server, f->status);
    TF_DeleteServer(server);
}

static void a_server_may_go_before_its_sessions(void **state) {
    struct fixture *f = *state;
    TF_Server *server = new_server(f->status, "");
    assert_status_ok(f->status);
    TF_Output feed = placeholder(f->graph, f->status, "feed");
    TF_Output neg = unary(f->graph, f->status, "Neg", "neg", feed);
    TF_Session *session = session_at(server, f->graph, f->status);
    assert_int_equal(run_int(session, f->status, feed, 3, neg), -3);
    TF_DeleteServer(server);
    server = new_server(f->status, "");
    assert_status_ok(f->status);
    TF_DeleteServer(server);
    TF_DeleteSession(session, f->status); /* what it says does not matter: it ends */
}

static void next(struct sl_scope *s, TF_Output *outputs, const TF_Output *element, void *arg) {
    (void)arg;
    outputs[0] = sl_add(s, element[0], sl_scalar(s, TF_INT64, 1));
}

/* An iterator whose functions are of a session that has closed: it ends with the server, and they with it. */
static void what_a_session_leaves_ends_with_the_server(void **state) {
    struct fixture *f = *state;
    TF_Server *server = new_server(f->status, "protocol: 'grpc'");
    assert_status_ok(f->status);
    TF_ServerStart(server, f->status);
    struct sl_scope *s = sl_scope_new(f->graph);
    struct sl_data data = sl_data_map(s, sl_data_range(s, 0, 4, 1), "next", next, 1, NULL);
    struct sl_data_iterator iterator = sl_data_iterate(s, "numbers", data);
    TF_Output element;
    assert_true(sl_data_next(s, &element, iterator));
    assert_int_equal(sl_scope_code(s), TF_OK);
    TF_Session *session = session_at(server, f->graph, f->status);
    const TF_Operation *begin = iterator.initialise;
    TF_SessionRun(session, NULL, NULL, NULL, 0, NULL, NULL, 0, &begin, 1, NULL, f->status);
    assert_status_ok(f->status);
    TF_Tensor *value;
    TF_SessionRun(session, NULL, NULL, NULL, 0, &element, &value, 1, NULL, 0, NULL, f->status);
    assert_status_ok(f->status);
    assert_int_equal(*(const int64_t *)TF_TensorData(value), 1);
    TF_DeleteTensor(value);
    sl_scope_delete(s);
    TF_DeleteSession(session, f->status);
    TF_DeleteServer(server);
}

static void definitions_that_make_no_sense(void **state) {
    struct fixture *f = *state;
    assert_null(TF_NewServer("\xff\xff", 2, f->status));
    if (TF_GetCode(f->status) == TF_UNIMPLEMENTED) skip();
    assert_int_not_equal(TF_GetCode(f->status), TF_OK);
    assert_null(new_server(f->status, "task_index: 3"));
    assert_status(f->status, TF_INVALID_ARGUMENT, "Task 3 was not defined in job \"local\"");
    assert_null(new_server(f->status, "protocol: 'pigeon'"));
    assert_status(f->status, TF_NOT_FOUND, "No server factory registered for the given ServerDef");
    TF_DeleteServer(NULL);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_set_up, fixture_tear_down)
    const struct CMUnitTest tests[] = {TEST(sessions_run_at_a_server), TEST(a_server_may_go_before_its_sessions),
                                       TEST(what_a_session_leaves_ends_with_the_server),
                                       TEST(definitions_that_make_no_sense)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
