/* The client's side of the eager service: an eager context whose cluster has the fixture's tasks "a:1" and "b:1". */
#include <pthread.h>
#include <unistd.h>

#include "dist/far_cluster.h"
#include "dist/far_state.h"
#include "proto/text_format.h"
#include "unit/dist/dist_fixture.h"
#include "unit/dist/graph_words.h"

#define HERE "/job:client/replica:0/task:0/device:CPU:0"
#define W0   "/job:worker/replica:0/task:0/device:CPU:0"
#define W1   "/job:worker/replica:0/task:1/device:CPU:0"

static const char cluster[] =
    "cluster { job { name: 'worker' tasks { key: 0 value: 'a:1' } tasks { key: 1 value: 'b:1' } } "
    "job { name: 'client' tasks { key: 0 value: '127.0.0.1:1' } } } job_name: 'client' protocol: 'grpc' ";

struct far_fixture {
    struct dist_fixture *f;
    struct sl_eager_context *context;
};

static struct sl_str encode(struct dist_fixture *f, const struct sl_pb_message *type, const char *text) {
    void *message = sl_arena_zalloc(&f->arena, 4096);
    struct sl_str bytes;
    assert_ok(f->err, sl_pb_text_parse(message, type, sl_str_of(text), &f->arena, &f->err));
    assert_ok(f->err, sl_pb_encode(&bytes, type, message, 0, &f->arena, &f->err));
    return bytes;
}

static int far_setup(void **state) {
    struct far_fixture *x = calloc(1, sizeof *x);
    const struct sl_registries *registries;
    const struct sl_eager_joining how = {.keep_alive_secs = 60, .timeout_ms = 0};
    dist_setup((void **)&x->f);
    struct dist_fixture *f = x->f;
    assert_ok(f->err, sl_root_registries(&registries, &f->err));
    assert_ok(f->err, sl_eager_context_new(&x->context, registries, NULL, &f->err));
    assert_ok(f->err, sl_eager_become_task(x->context, SL_STR("client"), 0, true, &f->err));
    assert_ok(f->err,
              sl_far_cluster_join(x->context, f->net, encode(f, SL_PB_TYPE(ServerDef), cluster), &how, &f->err));
    *state = x;
    return 0;
}

static int far_teardown(void **state) {
    struct far_fixture *x = *state;
    sl_eager_context_unref(x->context);
    dist_teardown((void **)&x->f);
    free(x);
    return 0;
}

/* ---- values and ops */

static struct sl_eager_handle *number(struct far_fixture *x, float value) {
    struct sl_value v = {.kind = SL_VALUE_SCALAR, .dtype = SL_FLOAT};
    memcpy(v.bits, &value, sizeof value);
    struct sl_eager_handle *h = sl_eager_handle_new(x->context, v, 0);
    assert_non_null(h);
    return h;
}

static sl_code try_op(struct sl_eager_handle **outputs, int n, struct far_fixture *x, const char *name,
                      const char *device, struct sl_eager_handle *a, struct sl_eager_handle *b) {
    struct sl_eager_op *op;
    struct sl_error *err = &x->f->err;
    SL_TRY(sl_eager_op_new(&op, x->context, sl_str_of(name), err));
    sl_code code = sl_eager_op_set_device(op, sl_str_of(device), err);
    if (code == SL_OK && a) code = sl_eager_op_add(op, a, err);
    if (code == SL_OK && b) code = sl_eager_op_add(op, b, err);
    if (code == SL_OK) code = sl_eager_execute(outputs, &n, op, err);
    sl_eager_op_free(op);
    return code;
}

static struct sl_eager_handle *op(struct far_fixture *x, const char *name, const char *device,
                                  struct sl_eager_handle *a, struct sl_eager_handle *b) {
    struct sl_eager_handle *out = NULL;
    assert_ok(x->f->err, try_op(&out, 1, x, name, device, a, b));
    return out;
}

static float value_of(struct far_fixture *x, struct sl_eager_handle *h) {
    struct sl_tensor *t;
    assert_ok(x->f->err, sl_eager_handle_tensor(&t, h, &x->f->err));
    assert_int_equal(t->dtype, SL_FLOAT);
    const float v = *(float *)t->data;
    sl_tensor_unref(t);
    return v;
}

/* Drops the handle. */
static float take(struct far_fixture *x, struct sl_eager_handle *h) {
    const float v = value_of(x, h);
    sl_eager_handle_unref(h);
    return v;
}

static void assert_at(struct sl_eager_handle *h, const char *device) {
    assert_non_null(h->opaque);
    assert_string_equal(h->opaque->device, device);
}

static void add_function(struct far_fixture *x, const char *text) {
    struct sl_pb_FunctionDef def;
    struct sl_function_def *f;
    struct sl_error *err = &x->f->err;
    assert_ok(x->f->err, sl_pb_text_parse(&def, SL_PB_TYPE(FunctionDef), sl_str_of(text), &x->f->arena, err));
    assert_ok(x->f->err, sl_function_new(&f, &def, err));
    assert_ok(x->f->err, sl_eager_add_function(x->context, f, err));
    sl_function_unref(f);
}

/* ---- */

static void ops_run_at_their_task(void **state) {
    struct far_fixture *x = *state;
    struct sl_eager_handle *three = number(x, 3), *square = op(x, "Square", W0, three, NULL);
    int rank = -1;
    assert_at(square, W0);
    assert_ok(x->f->err, sl_eager_handle_rank(&rank, square, &x->f->err));
    assert_int_equal(rank, 0);
    struct sl_eager_handle *sum = op(x, "AddV2", "/job:worker/task:1", square, three);
    assert_at(sum, W1);
    assert_true(value_of(x, sum) == 12);
    struct sl_eager_handle *here = op(x, "Neg", "", sum, NULL); /* asks for nothing: here */
    assert_null(here->opaque);
    assert_true(take(x, here) == -12);
    sl_eager_handle_unref(sum);
    sl_eager_handle_unref(square);
    sl_eager_handle_unref(three);
    assert_int_equal(x->context->cluster->devices->n, 3);
}

static void values_are_copied(void **state) {
    struct far_fixture *x = *state;
    struct sl_eager_handle *five = number(x, 5), *first, *second, *back;
    struct sl_eager_custom_device *w0 = sl_eager_find_custom(x->context, SL_STR(W0)),
                                  *w1 = sl_eager_find_custom(x->context, SL_STR("/job:worker/task:1"));
    assert_ok(x->f->err, w0->methods->copy_in(&first, w0, x->context, five, &x->f->err));
    assert_ok(x->f->err, w1->methods->copy_in(&second, w1, x->context, first, &x->f->err));
    assert_at(second, W1);
    assert_ok(x->f->err, second->opaque->methods->copy_out(&back, second, HERE, &x->f->err));
    assert_true(take(x, back) == 5);
    sl_eager_handle_unref(second);
    sl_eager_handle_unref(first);
    sl_eager_handle_unref(five);
    assert_null(sl_eager_find_custom(x->context, SL_STR("/device:CPU:0"))); /* that is here */
    assert_null(sl_eager_find_custom(x->context, SL_STR("/job:worker/task:7")));
}

static struct sl_eager_handle *variable(struct far_fixture *x, const char *device) {
    struct sl_eager_handle *handle;
    struct sl_eager_op *v;
    int n = 1;
    static const struct sl_pb_TensorShapeProto scalar = {.unknown = NULL};
    const struct sl_pb_AttrValue shape = {.which = SL_PB_AttrValue_shape,
                                          .shape = (struct sl_pb_TensorShapeProto *)&scalar};
    const struct sl_pb_AttrValue dtype = {.which = SL_PB_AttrValue_type, .type = SL_FLOAT};
    assert_ok(x->f->err, sl_eager_op_new(&v, x->context, SL_STR("VarHandleOp"), &x->f->err));
    assert_ok(x->f->err, sl_eager_attrs_put(&v->attrs, SL_STR("dtype"), &dtype, &x->f->err));
    assert_ok(x->f->err, sl_eager_attrs_put(&v->attrs, SL_STR("shape"), &shape, &x->f->err));
    assert_ok(x->f->err, sl_eager_op_set_device(v, sl_str_of(device), &x->f->err));
    assert_ok(x->f->err, sl_eager_execute(&handle, &n, v, &x->f->err));
    sl_eager_op_free(v);
    return handle;
}

static struct sl_eager_handle *read_variable(struct far_fixture *x, struct sl_eager_handle *v) {
    struct sl_eager_handle *out;
    struct sl_eager_op *r;
    int n = 1;
    const struct sl_pb_AttrValue dtype = {.which = SL_PB_AttrValue_type, .type = SL_FLOAT};
    assert_ok(x->f->err, sl_eager_op_new(&r, x->context, SL_STR("ReadVariableOp"), &x->f->err));
    assert_ok(x->f->err, sl_eager_attrs_put(&r->attrs, SL_STR("dtype"), &dtype, &x->f->err));
    assert_ok(x->f->err, sl_eager_op_add(r, v, &x->f->err));
    assert_ok(x->f->err, sl_eager_execute(&out, &n, r, &x->f->err));
    sl_eager_op_free(r);
    return out;
}

static void ops_follow_their_variable(void **state) {
    struct far_fixture *x = *state;
    struct sl_eager_handle *v = variable(x, W1), *six = number(x, 6);
    assert_at(v, W1);
    assert_ok(x->f->err, try_op(NULL, 0, x, "AssignVariableOp", "", v, six));
    struct sl_eager_handle *back = read_variable(x, v);
    assert_at(back, W1);
    assert_true(take(x, back) == 6);
    sl_eager_handle_unref(six);
    sl_eager_handle_unref(v);
}

#define ARG "input_arg { name: 'x' type: DT_FLOAT } output_arg { name: 'y' type: DT_FLOAT } "
#define F   "attr { key: 'T' value { type: DT_FLOAT } } "

static void functions_go_to_tasks(void **state) {
    struct far_fixture *x = *state;
    struct sl_eager_handle *three = number(x, 3), *both[2];
    add_function(x, "signature { name: 'minus' " ARG "} node_def { name: 'n' op: 'Neg' input: 'x' " F
                    "} ret { key: 'y' value: 'n:y:0' }");
    add_function(x, "signature { name: 'over' " ARG "output_arg { name: 'z' type: DT_FLOAT } } "
                    "node_def { name: 's' op: 'Square' input: 'x' " WORKER_1 F "} "
                    "node_def { name: 'm' op: 'minus' input: 's:y:0' " WORKER_0 "} "
                    "node_def { name: 'p' op: 'AddV2' input: 'm:y:0' input: 'x' " F "} "
                    "ret { key: 'y' value: 'p:z:0' } ret { key: 'z' value: 's:y:0' }");
    struct sl_eager_handle *there = op(x, "minus", W0, three, NULL);
    assert_at(there, W0);
    for (int i = 0; i < 3; i++) { /* called here, with an argument that is here, and with one that is not */
        assert_ok(x->f->err, try_op(both, 2, x, "over", "", i < 2 ? three : there, NULL));
        assert_null(both[0]->opaque);
        assert_at(both[1], W1);
        assert_true(take(x, both[1]) == 9);
        assert_true(take(x, both[0]) == (i < 2 ? -6 : -12));
    }
    assert_ok(x->f->err, try_op(both, 2, x, "over", W0, there, NULL)); /* and called there */
    assert_at(both[0], W0);
    assert_true(take(x, both[1]) == 9);
    assert_true(take(x, both[0]) == -12);
    assert_ok(x->f->err, sl_eager_remove_function(x->context, SL_STR("over"), &x->f->err));
    assert_int_equal(try_op(both, 2, x, "over", "", three, NULL), SL_NOT_FOUND);
    sl_eager_handle_unref(there);
    sl_eager_handle_unref(three);
}

static void errors_are_the_callers(void **state) {
    struct far_fixture *x = *state;
    struct sl_eager_handle *out, *one = number(x, 1), *there = op(x, "Neg", W0, one, NULL);
    assert_int_equal(try_op(&out, 1, x, "AddV2", W0, there, NULL), SL_INVALID_ARGUMENT);
    assert_int_equal(try_op(&out, 0, x, "Neg", W0, there, NULL), SL_INVALID_ARGUMENT);
    assert_non_null(strstr(x->f->err.message, "Expecting 1 outputs"));
    fake_net_cut(x->f->net, "a:1", true);
    assert_int_equal(try_op(&out, 1, x, "Neg", W0, there, NULL), SL_UNAVAILABLE);
    fake_net_cut(x->f->net, "a:1", false);
    assert_true(take(x, op(x, "Neg", W0, there, NULL)) == 1);
    sl_eager_handle_unref(there);
    sl_eager_handle_unref(one);
}

static uint64_t id_of(struct far_fixture *x) { return ((struct sl_far_cluster *)x->context->cluster)->id; }

static sl_code ask(struct far_fixture *x, uint64_t id, const char *item) {
    const char *text = sl_arena_format(&x->f->arena, "context_id: %llu %s", (unsigned long long)id, item);
    return call_text(x->f, "a:1", "/tensorflow.eager.EagerService/Enqueue", SL_PB_TYPE(eager_EnqueueRequest), text,
                     SL_PB_TYPE(eager_EnqueueResponse), NULL);
}

static void tasks_hear_of_what_is_dropped(void **state) {
    struct far_fixture *x = *state;
    struct sl_eager_handle *one = number(x, 1), *there = op(x, "Neg", W0, one, NULL);
    const struct sl_far_number n = ((struct sl_far_value *)there->opaque)->number;
    const char *use =
        sl_arena_format(&x->f->arena,
                        "queue { operation { id: 999 name: 'Neg' attrs { key: 'T' value { type: DT_FLOAT } } "
                        "op_inputs { remote_handle { op_id: %lld } } } } ",
                        (long long)n.op);
    assert_ok(x->f->err, ask(x, id_of(x), use));
    sl_eager_handle_unref(there);
    sl_eager_handle_unref(op(x, "Neg", W0, one, NULL));
    assert_int_equal(ask(x, id_of(x), use), SL_INVALID_ARGUMENT);
    sl_eager_handle_unref(one);
}

static void contexts_are_kept_alive_and_closed(void **state) {
    struct far_fixture *x = *state;
    const uint64_t id = id_of(x);
    struct sl_eager_handle *one = number(x, 1), *there = op(x, "Neg", W0, one, NULL);
    for (int i = 0; i < 6; i++) {
        const unsigned before = fake_net_count(x->f->net, "/tensorflow.eager.EagerService/KeepAlive");
        fake_net_advance(x->f->net, INT64_C(31000000000));
        while (fake_net_count(x->f->net, "/tensorflow.eager.EagerService/KeepAlive") < before + 2) usleep(1000);
    }
    assert_true(value_of(x, there) == -1);
    assert_ok(x->f->err, x->context->cluster->methods->check_alive(x->context->cluster,
                                                                   SL_STR("/job:worker/replica:0/task:1"), &x->f->err));
    assert_int_equal(x->context->cluster->methods->check_alive(x->context->cluster, SL_STR("/job:x/replica:0/task:1"),
                                                               &x->f->err),
                     SL_INVALID_ARGUMENT);
    sl_eager_context_unref(x->context);
    x->context = NULL;
    assert_int_equal(ask(x, id, ""), SL_ABORTED);
    sl_eager_handle_unref(there); /* of a context that has ended */
    sl_eager_handle_unref(one);
}

static void clusters_may_change(void **state) {
    struct far_fixture *x = *state;
    struct sl_eager_cluster *c = x->context->cluster;
    struct sl_eager_handle *one = number(x, 1);
    assert_ok(x->f->err, c->methods->update(c, encode(x->f, SL_PB_TYPE(ServerDef), cluster), &x->f->err));
    struct sl_eager_handle *there = op(x, "Neg", W0, one, NULL), *next = op(x, "Neg", W1, there, NULL);
    assert_true(value_of(x, next) == 1);
    assert_int_equal(x->context->cluster->devices->n, 3);
    const char *other = "cluster { job { name: 'other' tasks { key: 0 value: '127.0.0.1:1' } } } job_name: 'other'";
    assert_int_not_equal(c->methods->update(c, encode(x->f, SL_PB_TYPE(ServerDef), other), &x->f->err), SL_OK);
    sl_eager_handle_unref(next);
    sl_eager_handle_unref(there);
    sl_eager_handle_unref(one);
}

/* The other tasks go on; the new process gets a context of its own, and what it needs to know of functions. */
static void a_task_that_is_started_anew(void **state) {
    struct far_fixture *x = *state;
    struct sl_eager_cluster *c = x->context->cluster;
    const struct sl_str def = encode(x->f, SL_PB_TYPE(ServerDef), cluster);
    struct sl_eager_handle *one = number(x, 1), *old = op(x, "Neg", W1, one, NULL), *out = NULL;
    stop_server(x->f, 1);
    assert_int_equal(try_op(&out, 1, x, "Neg", W1, one, NULL), SL_UNAVAILABLE);
    assert_ok(x->f->err, c->methods->update(c, def, &x->f->err));
    assert_true(take(x, op(x, "Neg", W0, one, NULL)) == -1);
    start_server(x->f, 1);
    assert_ok(x->f->err, c->methods->update(c, def, &x->f->err));
    assert_true(take(x, op(x, "Neg", W1, one, NULL)) == -1);
    assert_int_equal(try_op(&out, 1, x, "Neg", W1, old, NULL), SL_INVALID_ARGUMENT); /* it does not have it */
    stop_server(x->f, 1);
    start_server(x->f, 1); /* nobody has noticed */
    assert_int_equal(try_op(&out, 1, x, "Neg", W1, one, NULL), SL_ABORTED);
    assert_ok(x->f->err, c->methods->update(c, def, &x->f->err));
    assert_true(take(x, op(x, "Neg", W1, one, NULL)) == -1);
    fake_net_cut(x->f->net, "b:1", true); /* it is there, but nobody reaches it meanwhile */
    assert_ok(x->f->err, c->methods->update(c, def, &x->f->err));
    fake_net_cut(x->f->net, "b:1", false);
    assert_ok(x->f->err, c->methods->update(c, def, &x->f->err));
    assert_true(take(x, op(x, "Neg", W1, one, NULL)) == -1);
    sl_eager_handle_unref(old);
    sl_eager_handle_unref(one);
}

struct silent_op {
    struct far_fixture *x;
    struct sl_eager_handle *one;
    sl_code code;
    atomic_bool has_ended;
};

static void *run_silent(void *arg) {
    struct silent_op *s = arg;
    struct sl_eager_handle *out;
    s->code = try_op(&out, 1, s->x, "Neg", W1, s->one, NULL);
    atomic_store(&s->has_ended, true);
    return NULL;
}

static void a_task_that_falls_silent(void **state) {
    struct far_fixture *x = *state;
    struct silent_op s = {.x = x, .one = number(x, 1)};
    pthread_t thread;
    fake_net_silence(x->f->net, "b:1", true);
    pthread_create(&thread, NULL, run_silent, &s);
    while (!atomic_load(&s.has_ended)) {
        fake_net_advance(x->f->net, 100000000);
        usleep(1000);
    }
    pthread_join(thread, NULL);
    assert_int_equal(s.code, SL_UNAVAILABLE);
    assert_non_null(strstr(x->f->err.message, "/job:worker/replica:0/task:1 has not answered for 10.0 s"));
    fake_net_silence(x->f->net, "b:1", false);
    sl_eager_handle_unref(s.one);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, far_setup, far_teardown)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(ops_run_at_their_task),
        TEST(values_are_copied),
        TEST(ops_follow_their_variable),
        TEST(functions_go_to_tasks),
        TEST(errors_are_the_callers),
        TEST(tasks_hear_of_what_is_dropped),
        TEST(contexts_are_kept_alive_and_closed),
        TEST(clusters_may_change),
        TEST(a_task_that_is_started_anew),
        TEST(a_task_that_falls_silent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
