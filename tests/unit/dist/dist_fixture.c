#include "unit/dist/dist_fixture.h"

#include <stdio.h>

#include "base/alloc.h"
#include "dist/tensor_wire.h"
#include "proto/text_format.h"

static const char cluster[] = "job { name: 'worker' tasks { key: 0 value: 'a:1' } tasks { key: 1 value: 'b:1' } } "
                              "job { name: 'ps' tasks { key: 0 value: 'c:1' } }";
static const struct {
    const char *job, *address;
    int task;
} places[SERVERS] = {{"worker", "a:1", 0}, {"worker", "b:1", 1}, {"ps", "c:1", 0}};

void start_server(struct dist_fixture *f, int i) {
    const struct sl_registries *registries;
    struct sl_pb_ServerDef def;
    const char *text = sl_arena_format(&f->arena, "job_name: '%s' task_index: %d protocol: 'grpc' cluster { %s }",
                                       places[i].job, places[i].task, cluster);
    assert_ok(f->err, sl_root_registries(&registries, &f->err));
    assert_ok(f->err, sl_pb_text_parse(&def, SL_PB_TYPE(ServerDef), sl_str_of(text), &f->arena, &f->err));
    const struct sl_server_options listening = {.listen = places[i].address};
    const uint64_t seed = (uint64_t)(++f->n_started) * 7919; /* one that is started again is another process */
    const struct sl_dist_server_options how = {
        .registries = registries, .net = f->net, .def = &def, .how = &listening, .seed = seed};
    assert_ok(f->err, sl_dist_server_new(&f->servers[i], &how, &f->err));
}

void stop_server(struct dist_fixture *f, int i) {
    sl_dist_server_free(f->servers[i]);
    f->servers[i] = NULL;
}

int dist_setup(void **state) {
    struct dist_fixture *f = calloc(1, sizeof *f);
    sl_arena_init(&f->arena);
    f->net = fake_net_new(1);
    for (int i = 0; i < SERVERS; i++) start_server(f, i);
    *state = f;
    return 0;
}

int dist_teardown(void **state) {
    struct dist_fixture *f = *state;
    for (int i = 0; i < SERVERS; i++) stop_server(f, i);
    sl_net_free(f->net);
    sl_arena_clear(&f->arena);
    free(f);
    return 0;
}

sl_code call_text(struct dist_fixture *f, const char *address, const char *path, const struct sl_pb_message *type,
                  const char *text, const struct sl_pb_message *answer_type, void *answer) {
    void *request = sl_arena_zalloc(&f->arena, 4096);
    struct sl_str bytes;
    struct sl_rpc_message m = {.n = 0};
    assert_ok(f->err, sl_pb_text_parse(request, type, sl_str_of(text), &f->arena, &f->err));
    assert_ok(f->err, sl_pb_encode(&bytes, type, request, 0, &f->arena, &f->err));
    assert_ok(f->err, sl_rpc_message_add_bytes(&m, bytes, &f->err));
    struct fake_answer a = fake_net_call(f->net, address, path, &m);
    if (a.code != SL_OK) {
        assert_null(a.body);
        return sl_fail(&f->err, a.code, "%s", a.text);
    }
    struct sl_str kept = sl_arena_str(&f->arena, a.body->bytes);
    sl_rpc_body_unref(a.body);
    if (answer) assert_ok(f->err, sl_pb_decode(answer, answer_type, kept, &f->arena, &f->err));
    return SL_OK;
}

void create_session(struct dist_fixture *f, const char *graph, const char *config) {
    struct sl_pb_CreateSessionResponse answer;
    const char *text = sl_arena_format(&f->arena, "graph_def { %s } config { %s } target: 'grpc://a:1'", graph, config);
    assert_ok(f->err, CALL(f, "a:1", "MasterService", CreateSession, text, &answer));
    assert_int_equal(answer.session_handle.n, 16);
    snprintf(f->session, sizeof f->session, "%.*s", SL_STR_ARG(answer.session_handle));
}

void close_session(struct dist_fixture *f) {
    const char *text = sl_arena_format(&f->arena, "session_handle: '%s'", f->session);
    assert_ok(f->err, CALL(f, "a:1", "MasterService", CloseSession, text, NULL));
}

sl_code run_step(float *out, struct dist_fixture *f, const char *more) {
    struct sl_pb_RunStepResponse answer;
    const char *text =
        sl_arena_format(&f->arena, "session_handle: '%s' store_errors_in_response_body: true %s", f->session, more);
    sl_code code = CALL(f, "a:1", "MasterService", RunStep, text, &answer);
    if (code != SL_OK) return code;
    if (answer.status_code)
        return sl_fail(&f->err, (sl_code)answer.status_code, "%.*s", SL_STR_ARG(answer.status_error_message));
    if (out) {
        assert_int_equal(answer.tensor.n, 1);
        struct sl_tensor *t;
        assert_ok(f->err, sl_wire_read_tensor(&t, answer.tensor.items[0].tensor, NULL, &f->err));
        assert_int_equal(t->dtype, SL_FLOAT);
        *out = *(float *)t->data;
        sl_tensor_unref(t);
    }
    return SL_OK;
}

float run_float(struct dist_fixture *f, const char *more) {
    float x = 0;
    assert_ok(f->err, run_step(&x, f, more));
    return x;
}
