/* Runs that wait for other runs: what ends the wait, and with which words. */
#include <pthread.h>
#include <time.h>

#include "sluice/cancel.h"
#include "tensorflow/c/c_api.h"
#include "unit/capi/capi_fixture.h"

static TF_Output queue(struct fixture *f, const char *name) {
    TF_OperationDescription *d = TF_NewOperation(f->graph, "FIFOQueueV2", name);
    const TF_DataType type = TF_INT32;
    TF_SetAttrTypeList(d, "component_types", &type, 1);
    TF_Operation *op = TF_FinishOperation(d, f->status);
    assert_status_ok(f->status);
    return (TF_Output){op, 0};
}
static TF_Operation *put(struct fixture *f, const char *name, TF_Output q, TF_Output value) {
    TF_OperationDescription *d = TF_NewOperation(f->graph, "QueueEnqueueV2", name);
    TF_AddInput(d, q);
    TF_AddInputList(d, &value, 1);
    TF_Operation *op = TF_FinishOperation(d, f->status);
    assert_status_ok(f->status);
    return op;
}
/* Takes the next; after `first` has run, unless that is NULL. */
static TF_Output take(struct fixture *f, const char *name, TF_Output q, TF_Operation *first) {
    TF_OperationDescription *d = TF_NewOperation(f->graph, "QueueDequeueV2", name);
    const TF_DataType type = TF_INT32;
    TF_AddInput(d, q);
    TF_SetAttrTypeList(d, "component_types", &type, 1);
    if (first) TF_AddControlInput(d, first);
    TF_Operation *op = TF_FinishOperation(d, f->status);
    assert_status_ok(f->status);
    return (TF_Output){op, 0};
}

/* A run of its own thread. */
struct other {
    pthread_t thread;
    TF_Session *session;
    TF_Output fetch;
    TF_Tensor *value;
    TF_Status *status;
};
static void *run_other(void *arg) {
    struct other *o = arg;
    TF_SessionRun(o->session, NULL, NULL, NULL, 0, &o->fetch, &o->value, 1, NULL, 0, NULL, o->status);
    return NULL;
}
static void other_begin(struct other *o, TF_Session *session, TF_Output fetch) {
    *o = (struct other){.session = session, .fetch = fetch, .status = TF_NewStatus()};
    assert_int_equal(pthread_create(&o->thread, NULL, run_other, o), 0);
}

static void runs_hand_values_over(void **state) {
    struct fixture *f = *state;
    TF_Output q = queue(f, "q");
    TF_Output next = take(f, "next", q, NULL);
    const TF_Operation *give = put(f, "give", q, constant(f->graph, f->status, "c", 42));
    TF_Session *session = new_session(f->graph, f->status);
    struct other o;
    other_begin(&o, session, next);
    TF_SessionRun(session, NULL, NULL, NULL, 0, NULL, NULL, 0, &give, 1, NULL, f->status);
    assert_status_ok(f->status);
    pthread_join(o.thread, NULL);
    assert_status_ok(o.status);
    assert_int_equal(int_of(o.value), 42);
    TF_DeleteStatus(o.status);
    TF_DeleteSession(session, f->status);
}

static void the_time_of_a_run_ends_its_wait(void **state) {
    struct fixture *f = *state;
    TF_Output next = take(f, "next", queue(f, "q"), NULL);
    TF_Session *session = new_session(f->graph, f->status);
    const unsigned char timeout_in_ms[] = {0x10, 20};
    const TF_Buffer options = {.data = timeout_in_ms, .length = sizeof timeout_in_ms};
    TF_Tensor *value = NULL;
    TF_SessionRun(session, &options, NULL, NULL, 0, &next, &value, 1, NULL, 0, NULL, f->status);
    assert_status(f->status, TF_DEADLINE_EXCEEDED, "Timed out waiting for notification");
    assert_status(f->status, TF_DEADLINE_EXCEEDED, "node 'next' (QueueDequeueV2) waits on ");
    assert_null(value);
    TF_DeleteSession(session, f->status);
}

/* operation_timeout_in_ms of the session: for runs that say nothing, and those that say 0; a run's own comes first. */
static void the_time_of_a_session_ends_the_waits_of_its_runs(void **state) {
    struct fixture *f = *state;
    TF_Output next = take(f, "next", queue(f, "q"), NULL);
    const unsigned char operation_timeout_in_ms[] = {0x58, 20}, no_timeout_in_ms[] = {0x10, 0};
    const TF_Buffer options = {.data = no_timeout_in_ms, .length = sizeof no_timeout_in_ms};
    TF_SessionOptions *config = TF_NewSessionOptions();
    TF_SetConfig(config, operation_timeout_in_ms, sizeof operation_timeout_in_ms, f->status);
    assert_status_ok(f->status);
    TF_Session *session = TF_NewSession(f->graph, config, f->status);
    TF_DeleteSessionOptions(config);
    assert_status_ok(f->status);
    for (int i = 0; i < 2; i++) {
        TF_Tensor *value = NULL;
        TF_SessionRun(session, i ? &options : NULL, NULL, NULL, 0, &next, &value, 1, NULL, 0, NULL, f->status);
        assert_status(f->status, TF_DEADLINE_EXCEEDED, "Timed out waiting for notification");
        assert_null(value);
    }
    TF_DeleteSession(session, f->status);
}

static void the_failure_of_another_node_ends_the_wait(void **state) {
    struct fixture *f = *state;
    TF_Output next = take(f, "next", queue(f, "q"), NULL);
    TF_Output one = constant(f->graph, f->status, "one", 1), zero = constant(f->graph, f->status, "zero", 0);
    TF_Output fetches[] = {next, binary(f->graph, f->status, "FloorDiv", "wrong", one, zero)};
    TF_Session *session = new_session(f->graph, f->status);
    TF_Tensor *values[2] = {NULL, NULL};
    TF_SessionRun(session, NULL, NULL, NULL, 0, fetches, values, 2, NULL, 0, NULL, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "{{node wrong}}");
    TF_DeleteSession(session, f->status);
}

/* A thread that stops with a manager, and the one that cancels it. */
static void *cancel_soon(void *manager) {
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    TFE_CancellationManagerStartCancel(manager);
    return NULL;
}

static void a_manager_of_the_thread_ends_the_wait(void **state) {
    struct fixture *f = *state;
    TF_Output q = queue(f, "q"), next = take(f, "next", q, NULL);
    const TF_Operation *give = put(f, "give", q, constant(f->graph, f->status, "c", 42));
    TF_Session *session = new_session(f->graph, f->status);
    TFE_CancellationManager *manager = TFE_NewCancellationManager();
    TF_Tensor *value = NULL;
    pthread_t thread;
    sl_thread_stops_with(manager);
    assert_int_equal(pthread_create(&thread, NULL, cancel_soon, manager), 0);
    TF_SessionRun(session, NULL, NULL, NULL, 0, &next, &value, 1, NULL, 0, NULL, f->status);
    assert_status(f->status, TF_CANCELLED, "The operation was cancelled.");
    pthread_join(thread, NULL);
    TF_SessionRun(session, NULL, NULL, NULL, 0, &next, &value, 1, NULL, 0, NULL, f->status);
    assert_status(f->status, TF_CANCELLED, "The operation was cancelled.");
    sl_thread_stops_with(NULL);
    TFE_DeleteCancellationManager(manager);
    TF_SessionRun(session, NULL, NULL, NULL, 0, NULL, NULL, 0, &give, 1, NULL, f->status);
    TF_SessionRun(session, NULL, NULL, NULL, 0, &next, &value, 1, NULL, 0, NULL, f->status);
    assert_status_ok(f->status);
    assert_int_equal(int_of(value), 42);
    TF_DeleteSession(session, f->status);
}

static void a_manager_of_the_thread_ends_a_partial_run(void **state) {
    struct fixture *f = *state;
    TF_Output next = take(f, "next", queue(f, "q"), NULL);
    TF_Session *session = new_session(f->graph, f->status);
    TFE_CancellationManager *manager = TFE_NewCancellationManager();
    const char *handle = NULL;
    TF_Tensor *value = NULL;
    pthread_t thread;
    TF_SessionPRunSetup(session, NULL, 0, &next, 1, NULL, 0, &handle, f->status);
    assert_status_ok(f->status);
    sl_thread_stops_with(manager);
    assert_int_equal(pthread_create(&thread, NULL, cancel_soon, manager), 0);
    TF_SessionPRun(session, handle, NULL, NULL, 0, &next, &value, 1, NULL, 0, f->status);
    assert_status(f->status, TF_CANCELLED, "");
    pthread_join(thread, NULL);
    sl_thread_stops_with(NULL);
    TFE_DeleteCancellationManager(manager);
    TF_DeletePRunHandle(handle);
    TF_DeleteSession(session, f->status);
}

static void closing_the_session_ends_the_wait(void **state) {
    struct fixture *f = *state;
    TF_Output started = queue(f, "started");
    TF_Operation *tell = put(f, "tell", started, constant(f->graph, f->status, "c", 1));
    TF_Output next = take(f, "next", queue(f, "q"), tell), heard = take(f, "heard", started, NULL);
    TF_Session *session = new_session(f->graph, f->status);
    struct other o;
    other_begin(&o, session, next);
    assert_int_equal(run_int(session, f->status, (TF_Output){NULL, 0}, 0, heard), 1);
    TF_CloseSession(session, f->status);
    assert_status_ok(f->status);
    pthread_join(o.thread, NULL);
    assert_status(o.status, TF_CANCELLED, "Dequeue operation was cancelled");
    assert_null(o.value);
    TF_DeleteStatus(o.status);
    TF_DeleteSession(session, f->status);
}

static void partial_runs_end_while_they_wait(void **state) {
    struct fixture *f = *state;
    TF_Output next = take(f, "next", queue(f, "q"), NULL);
    TF_Session *session = new_session(f->graph, f->status);
    const char *handle = NULL;
    TF_SessionPRunSetup(session, NULL, 0, &next, 1, NULL, 0, &handle, f->status);
    assert_status_ok(f->status);
    TF_DeletePRunHandle(handle);
    TF_DeleteSession(session, f->status);
}

#define TEST(t) cmocka_unit_test_setup_teardown(t, fixture_set_up, fixture_tear_down)
int main(void) {
    const struct CMUnitTest tests[] = {TEST(runs_hand_values_over),
                                       TEST(the_time_of_a_run_ends_its_wait),
                                       TEST(the_time_of_a_session_ends_the_waits_of_its_runs),
                                       TEST(the_failure_of_another_node_ends_the_wait),
                                       TEST(a_manager_of_the_thread_ends_the_wait),
                                       TEST(a_manager_of_the_thread_ends_a_partial_run),
                                       TEST(closing_the_session_ends_the_wait),
                                       TEST(partial_runs_end_while_they_wait)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
