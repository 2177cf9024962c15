/* What happens when steps are cancelled, time is over, tasks go away, and peers say what makes no sense. */
#include <pthread.h>
#include <unistd.h>

#include "unit/dist/dist_fixture.h"
#include "unit/dist/graph_words.h"

/* ---- steps that wait, on a thread of their own */
struct waiting_step {
    struct dist_fixture f; /* of the thread: the net and the session */
    const char *more;
    pthread_t thread;
    atomic_bool has_ended;
    sl_code code;
};

static void *run_waiting(void *arg) {
    struct waiting_step *w = arg;
    w->code = run_step(NULL, &w->f, w->more);
    atomic_store(&w->has_ended, true);
    return NULL;
}

static void begin_waiting(struct waiting_step *w, struct dist_fixture *f, const char *more) {
    *w = (struct waiting_step){.more = more};
    w->f.net = f->net;
    sl_arena_init(&w->f.arena);
    memcpy(w->f.session, f->session, sizeof f->session);
    unsigned before = fake_net_count(f->net, "/tensorflow.MasterService/RunStep");
    pthread_create(&w->thread, NULL, run_waiting, w);
    while (fake_net_count(f->net, "/tensorflow.MasterService/RunStep") == before) usleep(1000);
}

static void end_waiting(struct waiting_step *w) {
    pthread_join(w->thread, NULL);
    sl_arena_clear(&w->f.arena);
}

static const char waiting_everywhere[] =
    WAITING("a", WORKER_0) WAITING("b", WORKER_1) WAITING("c", PS) NODE("ab", "Add", T_FLOAT WORKER_0 IN("a") IN("b"))
        NODE("abc", "Add", T_FLOAT WORKER_0 IN("ab") IN("c")) CONST("one", "1", PS);

static void closing_ends_the_steps(void **state) {
    struct dist_fixture *f = *state;
    struct waiting_step w;
    create_session(f, waiting_everywhere, "");
    begin_waiting(&w, f, "fetch: 'abc:0'");
    while (fake_net_count(f->net, "/tensorflow.WorkerService/RunGraph") < 2) usleep(1000);
    close_session(f);
    end_waiting(&w);
    assert_int_equal(w.code, SL_CANCELLED);
    assert_string_equal(w.f.err.message, "Step was cancelled by an explicit call to `Session::Close()`.");
}

static void time_ends_a_step_and_the_session_goes_on(void **state) {
    struct dist_fixture *f = *state;
    struct waiting_step w;
    create_session(f, waiting_everywhere, "");
    begin_waiting(&w, f, "fetch: 'abc:0' options { timeout_in_ms: 50 }");
    for (int i = 0; i < 3; i++) assert_true(run_float(f, "fetch: 'one:0'") == 1);
    while (!atomic_load(&w.has_ended)) {
        fake_net_advance(f->net, 10000000);
        usleep(1000);
    }
    end_waiting(&w);
    assert_int_equal(w.code, SL_DEADLINE_EXCEEDED);
    static const char *const wanted[] = {
        "Timed out waiting for notification. Waiting: at /job:worker/replica:0/task:0: ",
        "at /job:worker/replica:0/task:0: node 'a' (QueueDequeueV2) waits on '_0_a_q', which is empty",
        "at /job:worker/replica:0/task:1: node 'b' (QueueDequeueV2) waits on '_0_b_q', which is empty",
        "at /job:ps/replica:0/task:0: node 'c' (QueueDequeueV2) waits on '_0_c_q', which is empty",
        "waits on '_0_b_q', which is empty (no node of the graph puts something in)"};
    for (size_t i = 0; i < 5; i++)
        if (!strstr(w.f.err.message, wanted[i])) fail_msg("no '%s' in '%s'", wanted[i], w.f.err.message);
    assert_true(run_float(f, "fetch: 'one:0'") == 1);
    close_session(f);
}

/* All of it in one text. */
static void explain(char *out, size_t size, struct dist_fixture *f) {
    char request[64];
    struct sl_pb_sluice_ExplainResponse answer;
    (void)snprintf(request, sizeof request, "session_handle: '%s'", f->session);
    assert_ok(f->err, call_text(f, "a:1", "/sluice.ExplainService/Session", SL_PB_TYPE(sluice_ExplainRequest), request,
                                SL_PB_TYPE(sluice_ExplainResponse), &answer));
    size_t n = 0;
    *out = '\0';
    for (size_t i = 0; i < answer.sentence.n && n < size; i++)
        n += (size_t)snprintf(out + n, size - n, "%.*s\n", SL_STR_ARG(answer.sentence.items[i]));
}

static void all_tasks_tell_what_they_wait_for(void **state) {
    struct dist_fixture *f = *state;
    struct waiting_step w;
    char told[2048];
    create_session(f, waiting_everywhere, "");
    explain(told, sizeof told, f);
    assert_string_equal(told, "");
    begin_waiting(&w, f, "fetch: 'abc:0'");
    do {
        usleep(1000);
        explain(told, sizeof told, f);
    } while (!strstr(told, "task:1: node 'b' (QueueDequeueV2) waits on '_0_b_q', which is empty\n"
                           "  no node of the graph puts something in\n") ||
             !strstr(told, "at /job:ps/replica:0/task:0: node 'c'") || !strstr(told, "task:0: node 'a'"));
    close_session(f);
    end_waiting(&w);
    assert_int_equal(run_step(NULL, f, "fetch: 'one:0'"), SL_ABORTED);
}

static void reset_closes_all(void **state) {
    struct dist_fixture *f = *state;
    struct waiting_step w;
    create_session(f, waiting_everywhere, "");
    begin_waiting(&w, f, "fetch: 'abc:0'");
    while (fake_net_count(f->net, "/tensorflow.WorkerService/RunGraph") < 2) usleep(1000);
    assert_ok(f->err, CALL(f, "a:1", "MasterService", Reset, "", NULL));
    end_waiting(&w);
    assert_int_equal(w.code, SL_CANCELLED);
    assert_int_equal(run_step(NULL, f, "fetch: 'one:0'"), SL_ABORTED);
}

static void a_server_that_stops_ends_its_steps(void **state) {
    struct dist_fixture *f = *state;
    struct waiting_step w;
    create_session(f, waiting_everywhere, "");
    begin_waiting(&w, f, "fetch: 'abc:0'");
    while (fake_net_count(f->net, "/tensorflow.WorkerService/RunGraph") < 2) usleep(1000);
    stop_server(f, 2);
    end_waiting(&w);
    assert_int_equal(w.code, SL_UNAVAILABLE);
    start_server(f, 2);
    assert_int_equal(run_step(NULL, f, "fetch: 'one:0'"), SL_ABORTED);
    assert_non_null(strstr(f->err.message, "Session handle is not found"));
    close_session(f);
    create_session(f, waiting_everywhere, "");
    assert_true(run_float(f, "fetch: 'one:0'") == 1);
    close_session(f);
}

static void a_task_that_cannot_be_reached(void **state) {
    struct dist_fixture *f = *state;
    create_session(f, CONST("one", "1", PS) NODE("y", "Neg", T_FLOAT WORKER_0 IN("one")), "");
    assert_true(run_float(f, "fetch: 'y:0'") == -1);
    fake_net_cut(f->net, "c:1", true);
    assert_int_equal(run_step(NULL, f, "fetch: 'y:0'"), SL_UNAVAILABLE);
    fake_net_cut(f->net, "c:1", false);
    assert_true(run_float(f, "fetch: 'y:0'") == -1);
    close_session(f);
}

struct passing {
    struct sl_net *net;
    atomic_bool *ends;
};

static void *pass_time(void *arg) {
    struct passing *passing = arg;
    while (!atomic_load(passing->ends)) {
        fake_net_advance(passing->net, 100000000);
        usleep(1000);
    }
    return NULL;
}

static void end_as_time_passes(struct waiting_step *w, struct dist_fixture *f) {
    while (!atomic_load(&w->has_ended)) {
        fake_net_advance(f->net, 100000000);
        usleep(1000);
    }
    end_waiting(w);
}

/* Stopped, or cut off: nothing comes from it, and no connection breaks. Others wait for it only where they need it. */
static void a_task_that_falls_silent(void **state) {
    struct dist_fixture *f = *state;
    struct waiting_step w;
    create_session(f,
                   CONST("one", "1", PS) NODE("y", "Neg", T_FLOAT WORKER_1 IN("one"))
                       NODE("z", "Neg", T_FLOAT WORKER_0 IN("y")) CONST("two", "2", WORKER_1),
                   "");
    assert_true(run_float(f, "fetch: 'z:0'") == 1);
    fake_net_silence(f->net, "c:1", true);
    assert_true(run_float(f, "fetch: 'two:0'") == 2);
    begin_waiting(&w, f, "fetch: 'z:0'");
    end_as_time_passes(&w, f);
    assert_int_equal(w.code, SL_UNAVAILABLE);
    assert_non_null(strstr(w.f.err.message, "/job:ps/replica:0/task:0 has not answered for 10.0 s"));
    fake_net_silence(f->net, "c:1", false);
    assert_true(run_float(f, "fetch: 'z:0'") == 1);
    close_session(f);
}

/* No master: who waits for a value of the task finds out by itself, and says which value it was. */
static void a_sender_that_falls_silent(void **state) {
    struct dist_fixture *f = *state;
    struct sl_pb_RegisterGraphResponse made;
    struct sl_pb_RunGraphResponse answer;
    struct sl_pb_GetStatusResponse status;
    assert_ok(f->err, call_text(f, "c:1", "/tensorflow.WorkerService/GetStatus", SL_PB_TYPE(GetStatusRequest), "",
                                SL_PB_TYPE(GetStatusResponse), &status));
    const char *graph = sl_arena_format(
        &f->arena,
        "graph_def { node { name: 'r' op: '_Recv' device: '/job:worker/replica:0/task:0/device:CPU:0' "
        "attr { key: 'tensor_type' value { type: DT_FLOAT } } attr { key: 'tensor_name' value { s: 'edge_1_far' } } "
        "attr { key: 'send_device' value { s: '/job:ps/replica:0/task:0/device:CPU:0' } } "
        "attr { key: 'send_device_incarnation' value { i: %lld } } "
        "attr { key: 'recv_device' value { s: '/job:worker/replica:0/task:0/device:CPU:0' } } } }",
        (long long)status.device_attributes.items[0].incarnation);
    assert_ok(f->err, CALL(f, "a:1", "WorkerService", RegisterGraph, graph, &made));
    const char *run = sl_arena_format(&f->arena, "graph_handle: '%.*s' step_id: 9 store_errors_in_response_body: true",
                                      SL_STR_ARG(made.graph_handle));
    fake_net_silence(f->net, "c:1", true);
    atomic_bool ends = false;
    pthread_t thread;
    struct passing passing = {f->net, &ends};
    pthread_create(&thread, NULL, pass_time, &passing);
    assert_ok(f->err, CALL(f, "a:1", "WorkerService", RunGraph, run, &answer));
    atomic_store(&ends, true);
    pthread_join(thread, NULL);
    assert_int_equal(answer.status_code, SL_UNAVAILABLE);
    const char *said = sl_arena_format(&f->arena, "%.*s", SL_STR_ARG(answer.status_error_message));
    assert_non_null(strstr(said, "/job:ps/replica:0/task:0 has not answered for 10.0 s. What waits: "));
    assert_non_null(strstr(said, "edge_1_far"));
    fake_net_silence(f->net, "c:1", false);
}

/* ---- peers that say what makes no sense */

static void unknown_handles(void **state) {
    struct dist_fixture *f = *state;
    assert_int_equal(CALL(f, "a:1", "MasterService", RunStep, "session_handle: 'x'", NULL), SL_ABORTED);
    assert_string_equal(f->err.message, "Session x is not found.");
    assert_int_equal(CALL(f, "a:1", "MasterService", CloseSession, "session_handle: 'x'", NULL), SL_ABORTED);
    assert_string_equal(f->err.message, "Session x is not found. Possibly, this master has restarted.");
    assert_int_equal(CALL(f, "a:1", "MasterService", ListDevices, "session_handle: 'x'", NULL), SL_INVALID_ARGUMENT);
    assert_int_equal(CALL(f, "a:1", "WorkerService", RunGraph,
                          "session_handle: 'x' create_worker_session_called: true graph_handle: '1'", NULL),
                     SL_ABORTED);
    assert_non_null(strstr(f->err.message, "Session handle is not found: x. Possibly this worker (\"/job:worker/"
                                           "replica:0/task:0\") just restarted."));
    assert_int_equal(CALL(f, "a:1", "WorkerService", RunGraph, "graph_handle: '1'", NULL), SL_ABORTED);
    assert_non_null(strstr(f->err.message, "Graph handle is not found: 1."));
    assert_int_equal(CALL(f, "a:1", "WorkerService", DeregisterGraph, "graph_handle: '1'", NULL), SL_ABORTED);
    assert_int_equal(CALL(f, "a:1", "WorkerService", DeleteWorkerSession, "session_handle: 'x'", NULL), SL_ABORTED);
    assert_int_equal(CALL(f, "a:1", "WorkerService", DeleteWorkerSession, "session_handle: ''", NULL), SL_ABORTED);
}

static void foreign_keys(void **state) {
    struct dist_fixture *f = *state;
    assert_int_equal(CALL(f, "a:1", "WorkerService", RecvTensor, "step_id: 1 rendezvous_key: 'nonsense'", NULL),
                     SL_INVALID_ARGUMENT);
    assert_int_equal(CALL(f, "a:1", "WorkerService", RecvTensor,
                          "step_id: 1 rendezvous_key: '/job:worker/replica:0/task:0/device:CPU:0;0000000000000001;"
                          "/job:ps/replica:0/task:0/device:CPU:0;edge_1_a;0:0'",
                          NULL),
                     SL_ABORTED);
    assert_non_null(strstr(f->err.message, "RecvTensor expects a different device incarnation: 1 vs. "));
}

static void messages_that_are_none(void **state) {
    struct dist_fixture *f = *state;
    static const char *const paths[] = {
        "/tensorflow.MasterService/CreateSession",   "/tensorflow.MasterService/RunStep",
        "/tensorflow.MasterService/PartialRunSetup", "/tensorflow.MasterService/Reset",
        "/tensorflow.MasterService/RunCallable",     "/tensorflow.WorkerService/RegisterGraph",
        "/tensorflow.WorkerService/RunGraph",        "/tensorflow.WorkerService/RecvTensor",
        "/tensorflow.WorkerService/CleanupGraph"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct sl_rpc_message m = {.n = 0};
        assert_ok(f->err, sl_rpc_message_add_bytes(&m, SL_STR("\x0a\xff\xff\xff\xff\x0f"), &f->err));
        struct fake_answer a = fake_net_call(f->net, "a:1", paths[i], &m);
        assert_int_equal(a.code, SL_INVALID_ARGUMENT);
    }
}

/* What a worker is told to run is a program of its own devices, and what it is sent must fit. */
static void graphs_of_peers(void **state) {
    struct dist_fixture *f = *state;
    assert_int_equal(CALL(f, "a:1", "WorkerService", RegisterGraph,
                          "graph_def { " CONST("c", "1", "device: '/job:ps/replica:0/task:0/device:CPU:0' ") " }",
                          NULL),
                     SL_INVALID_ARGUMENT);
    struct sl_pb_RegisterGraphResponse made;
    assert_ok(f->err,
              CALL(f, "a:1", "WorkerService", RegisterGraph,
                   "graph_def { " CONST("c", "1", "device: '/job:worker/replica:0/task:0/device:CPU:0' ") " }", &made));
    const char *foreign =
        sl_arena_format(&f->arena, "graph_handle: '%.*s' step_id: 5 recv_key: 'a;0000000000000001;b;c;0:0'",
                        SL_STR_ARG(made.graph_handle));
    assert_int_equal(CALL(f, "a:1", "WorkerService", RunGraph, foreign, NULL), SL_NOT_FOUND);
    const char *lie = sl_arena_format(&f->arena,
                                      "graph_handle: '%.*s' step_id: 6 send { name: 'a;0000000000000001;b;c;0:0' "
                                      "tensor { dtype: DT_FLOAT tensor_shape "
                                      "{ dim { size: 1000000 } } tensor_content: '1234' } }",
                                      SL_STR_ARG(made.graph_handle));
    assert_int_equal(CALL(f, "a:1", "WorkerService", RunGraph, lie, NULL), SL_INVALID_ARGUMENT);
    const char *good = sl_arena_format(&f->arena, "graph_handle: '%.*s' step_id: 7", SL_STR_ARG(made.graph_handle));
    assert_ok(f->err, CALL(f, "a:1", "WorkerService", RunGraph, good, NULL));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, dist_setup, dist_teardown)
int main(void) {
    const struct CMUnitTest tests[] = {TEST(closing_ends_the_steps),
                                       TEST(time_ends_a_step_and_the_session_goes_on),
                                       TEST(all_tasks_tell_what_they_wait_for),
                                       TEST(reset_closes_all),
                                       TEST(a_server_that_stops_ends_its_steps),
                                       TEST(a_task_that_cannot_be_reached),
                                       TEST(a_task_that_falls_silent),
                                       TEST(a_sender_that_falls_silent),
                                       TEST(unknown_handles),
                                       TEST(foreign_keys),
                                       TEST(messages_that_are_none),
                                       TEST(graphs_of_peers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
