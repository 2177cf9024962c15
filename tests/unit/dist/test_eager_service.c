/* The eager service: contexts, ops one by one, values by numbers, functions over two tasks, and peers that say what makes
 * no sense. */
#include <pthread.h>
#include <unistd.h>

#include "dist/tensor_wire.h"
#include "unit/dist/dist_fixture.h"
#include "unit/dist/graph_words.h"

#define W0     "/job:worker/replica:0/task:0/device:CPU:0"
#define W1     "/job:worker/replica:0/task:1/device:CPU:0"
#define CLIENT "/job:client/replica:0/task:0/device:CPU:0"

#define EAGER(f, address, method, text, answer)                                                                        \
    call_text(f, address, "/tensorflow.eager.EagerService/" #method, SL_PB_TYPE(eager_##method##Request), text,        \
              SL_PB_TYPE(eager_##method##Response), answer)

/* ---- what a client says */

static const char cluster[] =
    "cluster { job { name: 'worker' tasks { key: 0 value: 'a:1' } tasks { key: 1 value: 'b:1' } } "
    "job { name: 'client' tasks { key: 0 value: 'd:1' } } } job_name: 'worker' protocol: 'grpc' ";

static uint64_t incarnation_of(struct dist_fixture *f, const char *address) {
    struct sl_pb_GetStatusResponse answer;
    assert_ok(f->err, CALL(f, address, "WorkerService", GetStatus, "", &answer));
    assert_int_equal(answer.device_attributes.n, 1);
    return answer.device_attributes.items[0].incarnation;
}

/* Both tasks of the job "worker", as a client does that names itself "client". */
static void create_contexts(struct dist_fixture *f, int id, int keep_alive_secs) {
    static const char *const addresses[] = {"a:1", "b:1"};
    char *devices =
        sl_arena_format(&f->arena,
                        "cluster_device_attributes { name: '" W0 "' device_type: 'CPU' incarnation: %llu } "
                        "cluster_device_attributes { name: '" W1 "' device_type: 'CPU' incarnation: %llu } ",
                        (unsigned long long)incarnation_of(f, "a:1"), (unsigned long long)incarnation_of(f, "b:1"));
    for (int t = 0; t < 2; t++) {
        struct sl_pb_eager_CreateContextResponse answer;
        const char *text =
            sl_arena_format(&f->arena, "server_def { %s task_index: %d } %s context_id: %d keep_alive_secs: %d",
                            cluster, t, devices, id, keep_alive_secs);
        assert_ok(f->err, EAGER(f, addresses[t], CreateContext, text, &answer));
        assert_int_equal(answer.device_attributes.n, 1);
        assert_true(sl_str_is(answer.device_attributes.items[0].name, t ? W1 : W0));
    }
}

static sl_code enqueue_in(struct sl_pb_eager_EnqueueResponse *answer, struct dist_fixture *f, const char *address,
                          int context, const char *items) {
    return EAGER(f, address, Enqueue, sl_arena_format(&f->arena, "context_id: %d %s", context, items), answer);
}

static sl_code enqueue(struct dist_fixture *f, const char *address, const char *items) {
    return enqueue_in(NULL, f, address, 7, items);
}

#define ITEM(what) "queue { " what " } "
#define HANDLE_AT(op, output, device)                                                                                  \
    "op_inputs { remote_handle { op_id: " #op " output_num: " #output " device: '" device "' op_device: '" device      \
    "' dtype: DT_FLOAT } } "
#define HANDLE(op)         HANDLE_AT(op, 0, W0)
#define T                  "attrs { key: 'T' value { type: DT_FLOAT } } "
#define OP(id, name, rest) ITEM("operation { id: " #id " name: '" name "' device: '" W0 "' " rest " }")
#define TENSOR(id, x)                                                                                                  \
    ITEM("send_tensor { op_id: " #id " tensors { dtype: DT_FLOAT tensor_shape { } float_val: " x " } }")

#define EDGE(name, from, number)                                                                                       \
    "attrs { key: 'tensor_name' value { s: '" name "' } } attrs { key: 'send_device' value { s: '" from "' } } "       \
    "attrs { key: 'send_device_incarnation' value { i: " number " } } "

/* The value that the program knows by these numbers: an op _Send, and RecvTensor. */
static sl_code fetch(float *out, struct dist_fixture *f, const char *address, const char *device, int context, int op,
                     int output) {
    struct sl_pb_RecvTensorResponse answer;
    const uint64_t incarnation = incarnation_of(f, address);
    const char *send =
        sl_arena_format(&f->arena,
                        "queue { operation { name: '_Send' " T EDGE(
                            "x%d", "%s", "%lld") "attrs { key: 'recv_device' value { s: '" CLIENT
                                                 "' } } device: '%s' op_inputs { remote_handle { op_id: %d "
                                                 "output_num: %d device: '%s' } } } } ",
                        op, device, (long long)incarnation, device, op, output, device);
    sl_code code = enqueue_in(NULL, f, address, context, send);
    if (code != SL_OK) return code;
    const char *text = sl_arena_format(&f->arena, "step_id: %d rendezvous_key: '%s;%016llx;" CLIENT ";x%d;0:0'",
                                       context, device, (unsigned long long)incarnation, op);
    code = CALL(f, address, "WorkerService", RecvTensor, text, &answer);
    if (code != SL_OK) return code;
    struct sl_tensor *t;
    assert_ok(f->err, sl_wire_read_tensor(&t, answer.tensor, NULL, &f->err));
    assert_int_equal(t->dtype, SL_FLOAT);
    *out = *(float *)t->data;
    sl_tensor_unref(t);
    return SL_OK;
}

static float fetched(struct dist_fixture *f, const char *address, const char *device, int op, int output) {
    float x = 0;
    assert_ok(f->err, fetch(&x, f, address, device, 7, op, output));
    return x;
}

static int with_contexts(void **state) {
    dist_setup(state);
    create_contexts(*state, 7, 0);
    return 0;
}

/* ---- ops */

static void ops_run_one_by_one(void **state) {
    struct dist_fixture *f = *state;
    struct sl_pb_eager_EnqueueResponse answer;
    assert_ok(f->err, enqueue_in(&answer, f, "a:1", 7,
                                 TENSOR(1, "3") TENSOR(2, "4") OP(3, "Mul", T HANDLE(1) HANDLE(2))
                                     OP(4, "Neg", T "op_inputs { tensor { dtype: DT_FLOAT float_val: 5 } }")));
    assert_int_equal(answer.queue_response.n, 4);
    assert_int_equal(answer.queue_response.items[2].shape.n, 1);
    assert_int_equal(answer.queue_response.items[2].shape.items[0].dim.n, 0);
    assert_true(fetched(f, "a:1", W0, 3, 0) == 12);
    assert_true(fetched(f, "a:1", W0, 4, 0) == -5);
}

static void outputs_have_numbers_and_shapes(void **state) {
    struct dist_fixture *f = *state;
    struct sl_pb_eager_EnqueueResponse answer;
    assert_ok(f->err,
              enqueue_in(&answer, f, "a:1", 7,
                         OP(5, "Unpack",
                            T "attrs { key: 'num' value { i: 3 } } op_inputs { tensor { dtype: DT_FLOAT "
                              "tensor_shape { dim { size: 3 } } float_val: [1, 2, 3] } }")
                             OP(6, "ExpandDims", T HANDLE_AT(5, 2, W0) "op_inputs { tensor { dtype: DT_INT32 } }")));
    assert_int_equal(answer.queue_response.items[0].shape.n, 3);
    assert_int_equal(answer.queue_response.items[1].shape.items[0].dim.items[0].size, 1);
    assert_true(fetched(f, "a:1", W0, 5, 1) == 2);
    assert_true(fetched(f, "a:1", W0, 6, 0) == 3);
}

#define VARIABLE(id)                                                                                                   \
    OP(id, "VarHandleOp",                                                                                              \
       "attrs { key: 'dtype' value { type: DT_FLOAT } } attrs { key: 'shape' value { shape { } } } "                   \
       "attrs { key: 'shared_name' value { s: 'v' } } ")
#define DTYPE "attrs { key: 'dtype' value { type: DT_FLOAT } } "

static void contexts_share_variables_by_name(void **state) {
    struct dist_fixture *f = *state;
    float x = 0;
    create_contexts(f, 8, 0);
    assert_ok(f->err,
              enqueue(f, "a:1", VARIABLE(1) TENSOR(2, "6") OP(3, "AssignVariableOp", DTYPE HANDLE(1) HANDLE(2))));
    assert_ok(f->err, enqueue_in(NULL, f, "a:1", 8, VARIABLE(1) OP(2, "ReadVariableOp", DTYPE HANDLE(1))));
    assert_ok(f->err, fetch(&x, f, "a:1", W0, 8, 2, 0));
    assert_true(x == 6);
    /* tensors, they do not share */
    assert_int_equal(enqueue_in(NULL, f, "a:1", 8, OP(9, "Neg", T HANDLE(3))), SL_INVALID_ARGUMENT);
}

static void values_go_from_task_to_task(void **state) {
    struct dist_fixture *f = *state;
    const long long number = (long long)incarnation_of(f, "a:1");
    const char *send =
        sl_arena_format(&f->arena,
                        OP(2, "_Send",
                           T EDGE("e", W0, "%lld") "attrs { key: 'recv_device' value { s: '" W1 "' } } " HANDLE(1)),
                        number);
    const char *receive =
        sl_arena_format(&f->arena,
                        "queue { operation { id: 3 name: '_Recv' device: '" W1
                        "' " EDGE("e", W0, "%lld") "attrs { key: 'recv_device' value { s: '" W1 "' } } "
                                                   "attrs { key: 'tensor_type' value { type: DT_FLOAT } } } } ",
                        number);
    assert_ok(f->err, enqueue(f, "a:1", TENSOR(1, "8")));
    assert_ok(f->err, enqueue(f, "a:1", send));
    assert_ok(f->err, enqueue(f, "b:1", receive));
    assert_true(fetched(f, "b:1", W1, 3, 0) == 8);
}

/* ---- functions */

#define ARG            "input_arg { name: 'x' type: DT_FLOAT } output_arg { name: 'y' type: DT_FLOAT } "
#define BODY(op, rest) "node_def { name: 'n' op: '" op "' " rest "attr { key: 'T' value { type: DT_FLOAT } } } "
#define FUNCTION(name, body)                                                                                           \
    ITEM("register_function { function_def { signature { name: '" name "' " ARG "} " body                              \
         "ret { key: 'y' value: 'n:y:0' } } }")
#define CALL_OF(id, name, rest) OP(id, name, "is_function: true " rest)

static void functions_are_ops(void **state) {
    struct dist_fixture *f = *state;
    struct sl_pb_eager_EnqueueResponse answer;
    assert_ok(f->err, enqueue(f, "a:1", FUNCTION("minus", BODY("Neg", "input: 'x' ")) TENSOR(1, "3")));
    assert_ok(f->err, enqueue(f, "a:1", FUNCTION("minus", BODY("Neg", "input: 'x' "))));
    assert_ok(f->err, enqueue_in(&answer, f, "a:1", 7, CALL_OF(2, "minus", HANDLE(1))));
    assert_int_equal(answer.queue_response.items[0].device.n, 1);
    assert_int_equal(answer.queue_response.items[0].device.items[0].n, 0);
    assert_true(fetched(f, "a:1", W0, 2, 0) == -3);
    assert_int_equal(enqueue(f, "a:1", FUNCTION("minus", BODY("Abs", "input: 'x' "))), SL_INVALID_ARGUMENT);
    assert_non_null(strstr(f->err.message, "Attempting to add a duplicate function with name: minus"));
    for (int i = 0; i < 2; i++) /* it was registered twice */
        assert_ok(f->err, enqueue(f, "a:1", ITEM("remove_function { function_name: 'minus' }")));
    assert_int_equal(enqueue(f, "a:1", CALL_OF(3, "minus", HANDLE(1))), SL_NOT_FOUND);
    assert_int_equal(enqueue(f, "a:1", ITEM("remove_function { function_name: 'minus' }")), SL_INVALID_ARGUMENT);
}

/* A body whose middle is at the other task: -(x * x) there, + x here. */
#define OVER_TASKS                                                                                                     \
    ITEM("register_function { function_def { signature { name: 'over' " ARG                                            \
         "output_arg { name: 'z' type: DT_FLOAT } } "                                                                  \
         "node_def { name: 's' op: 'Square' input: 'x' " WORKER_1 "attr { key: 'T' value { type: DT_FLOAT } } } "      \
         "node_def { name: 'm' op: 'Neg' input: 's:y:0' " WORKER_1 "attr { key: 'T' value { type: DT_FLOAT } } } "     \
         "node_def { name: 'p' op: 'AddV2' input: 'm:y:0' input: 'x' attr { key: 'T' value { type: DT_FLOAT } } } "    \
         "ret { key: 'y' value: 'p:z:0' } ret { key: 'z' value: 'm:y:0' } } }")

static void functions_run_over_tasks(void **state) {
    struct dist_fixture *f = *state;
    struct sl_pb_eager_EnqueueResponse answer;
    assert_ok(f->err, enqueue(f, "a:1", OVER_TASKS TENSOR(1, "3")));
    for (int i = 0; i < 3; i++) {
        assert_ok(f->err, enqueue_in(&answer, f, "a:1", 7, CALL_OF(2, "over", HANDLE(1))));
        assert_true(sl_str_is(answer.queue_response.items[0].device.items[1], W1));
        assert_int_equal(answer.queue_response.items[0].shape.n, 2);
        assert_true(fetched(f, "a:1", W0, 2, 0) == -6);
        assert_true(fetched(f, "b:1", W1, 2, 1) == -9);
    }
    assert_int_equal(fake_net_count(f->net, "/tensorflow.eager.EagerService/RunComponentFunction"), 3);
}

static void arguments_may_be_at_another_task(void **state) {
    struct dist_fixture *f = *state;
    assert_ok(f->err, enqueue(f, "b:1", ITEM("send_tensor { op_id: 1 tensors { dtype: DT_FLOAT float_val: 5 } }")));
    assert_ok(f->err, enqueue(f, "a:1", FUNCTION("minus", BODY("Neg", "input: 'x' "))));
    assert_ok(f->err, enqueue(f, "a:1", CALL_OF(2, "minus", HANDLE_AT(1, 0, W1))));
    assert_true(fetched(f, "a:1", W0, 2, 0) == -5);
    assert_int_equal(enqueue(f, "a:1", CALL_OF(3, "minus", HANDLE_AT(99, 0, W1))), SL_INVALID_ARGUMENT);
    assert_non_null(strstr(f->err.message, "Op ID: 99, Output num: 0"));
}

static void an_error_of_a_part_is_the_calls(void **state) {
    struct dist_fixture *f = *state;
    assert_ok(f->err, enqueue(f, "a:1",
                              FUNCTION("bad", "node_def { name: 'n' op: 'CheckNumerics' input: 'x' " WORKER_1
                                              "attr { key: 'T' value { type: DT_FLOAT } } "
                                              "attr { key: 'message' value { s: 'so it is' } } } ") TENSOR(1, "inf")));
    const char *text =
        "queue { register_function { function_def { signature { name: 'worse' " ARG
        "} node_def { name: 'n' op: 'CheckNumerics' input: 'x' " WORKER_1
        "attr { key: 'T' value { type: DT_FLOAT } } attr { key: 'message' value { s: 'so it is' } } } "
        "node_def { name: 'p' op: 'Neg' input: 'n:output:0' attr { key: 'T' value { type: DT_FLOAT } } } "
        "ret { key: 'y' value: 'p:y:0' } } } } ";
    assert_ok(f->err, enqueue(f, "a:1", text));
    assert_int_equal(enqueue(f, "a:1", CALL_OF(2, "worse", HANDLE(1))), SL_INVALID_ARGUMENT);
    assert_non_null(strstr(f->err.message, "so it is"));
    assert_null(strstr(f->err.message, "[_Derived_]"));
    assert_ok(f->err, enqueue(f, "a:1", TENSOR(3, "2") CALL_OF(4, "worse", HANDLE(3)))); /* and the next one is well */
    assert_true(fetched(f, "a:1", W0, 4, 0) == -2);
}

/* ---- what makes no sense */

struct refused {
    sl_code code;
    const char *items, *text;
};

static void the_senseless_is_refused(void **state) {
    static const struct refused rows[] = {
        {SL_INVALID_ARGUMENT, ITEM("handle_to_decref { op_id: 99 }"), "Op ID: 99, Output num: 0"},
        {SL_INVALID_ARGUMENT, OP(1, "Neg", T HANDLE(98)), "Op ID: 98, Output num: 0"},
        {SL_INVALID_ARGUMENT, OP(1, "Neg", T), "expected inputs 'float' do not match 0 inputs"},
        {SL_INVALID_ARGUMENT, OP(1, "Neg", T "op_inputs { }"), "neither a handle nor a tensor"},
        {SL_NOT_FOUND, OP(1, "NoSuchOp", ""), "'NoSuchOp' is neither a type of a primitive operation"},
        {SL_INVALID_ARGUMENT, ITEM("operation { name: 'Neg' device: 'nowhere' }"), "Malformed device"},
        {SL_INVALID_ARGUMENT,
         ITEM("send_tensor { op_id: 1 tensors { dtype: DT_FLOAT float_val: 1 } device_name: '" W1 "' }"),
         "unknown device."},
        {SL_INVALID_ARGUMENT,
         ITEM("send_tensor { op_id: 1 tensors { dtype: DT_FLOAT tensor_shape { dim { size: 9 } } tensor_content: "
              "'abcd' } }"),
         "bytes for"},
        {SL_INVALID_ARGUMENT, ITEM("remove_function { function_name: 'none' }"), "non-existent function 'none'"},
        {SL_INVALID_ARGUMENT, ITEM("register_function { }"), "without a name"},
        {SL_INVALID_ARGUMENT, ITEM("send_packed_handle { op_id: 1 }"), "should not be empty"},
        {SL_INVALID_ARGUMENT, ITEM("send_packed_handle { op_id: 1 handles { } }"), "neither a handle nor a tensor"},
        {SL_INVALID_ARGUMENT, OP(1, "_Send", T), "expected 1 inputs, got 0"},
        {SL_INVALID_ARGUMENT, OP(1, "_Recv", ""), "lacks one of send_device"},
        {SL_INVALID_ARGUMENT,
         OP(1, "_Recv",
            EDGE("e", "/job:none/replica:0/task:0/device:CPU:0", "1") "attrs { key: 'recv_device' value { s: '" W0
                                                                      "' } }"),
         "is of no task of the cluster"},
    };
    struct dist_fixture *f = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(enqueue(f, "a:1", rows[i].items), rows[i].code);
        if (!strstr(f->err.message, rows[i].text)) fail_msg("%s: %s", rows[i].items, f->err.message);
    }
    assert_ok(f->err, enqueue(f, "a:1", TENSOR(1, "1") OP(2, "Neg", T HANDLE(1)))); /* it goes on */
    assert_ok(f->err,
              enqueue(f, "a:1",
                      ITEM("") ITEM("cleanup_function { step_id: 99 }") ITEM("sync_remote_executor_for_stream { }")));
}

static void components_must_be_known_and_fit(void **state) {
    struct dist_fixture *f = *state;
    const char *component =
        "queue { register_function { is_component_function: true function_def { signature { name: 'k' " ARG
        "} " BODY("Neg", "input: 'x' ") "ret { key: 'y' value: 'n:y:0' } } } } ";
#define RUN(name, rest)                                                                                                \
    EAGER(f, "a:1", RunComponentFunction, "context_id: 7 operation { id: 5 name: '" name "' func_step_id: 3 " rest,    \
          NULL)
    assert_int_equal(RUN("none", "}"), SL_INTERNAL);
    assert_int_equal(EAGER(f, "a:1", RunComponentFunction, "context_id: 7", NULL), SL_INVALID_ARGUMENT);
    assert_ok(f->err, enqueue(f, "a:1", component));
    assert_int_equal(RUN("k", "} output_num: 0"), SL_INVALID_ARGUMENT);
    assert_int_equal(RUN("k", "op_inputs { tensor { dtype: DT_INT32 int_val: 1 } } } output_num: 0"),
                     SL_INVALID_ARGUMENT);
    assert_int_equal(RUN("k", "op_inputs { tensor { dtype: DT_FLOAT float_val: 4 } } }"), SL_INVALID_ARGUMENT);
    assert_int_equal(RUN("k", "device: '" W1 "' op_inputs { tensor { dtype: DT_FLOAT float_val: 4 } } } output_num: 0"),
                     SL_INVALID_ARGUMENT);
    assert_ok(f->err, RUN("k", "op_inputs { tensor { dtype: DT_FLOAT float_val: 4 } } } output_num: 6"));
    assert_true(fetched(f, "a:1", W0, 5, 6) == -4);
    /* a step runs once, until somebody has cleaned up */
    assert_int_equal(RUN("k", "op_inputs { tensor { dtype: DT_FLOAT float_val: 4 } } } output_num: 6"),
                     SL_FAILED_PRECONDITION);
}

/* ---- contexts */

static void contexts_have_ids_and_views(void **state) {
    struct dist_fixture *f = *state;
    struct sl_pb_eager_KeepAliveResponse alive;
    const char *again = sl_arena_format(&f->arena, "server_def { %s } context_id: 7", cluster);
    assert_int_equal(EAGER(f, "a:1", CreateContext, again, NULL), SL_INVALID_ARGUMENT);
    assert_string_equal(f->err.message, "EagerService:CreateContext failed. Context id: <7> already exists.");
    const char *absent =
        "server_def { cluster { job { name: 'x' tasks { value: 'a:1' } } } job_name: 'y' } context_id: 9";
    assert_int_equal(EAGER(f, "a:1", CreateContext, absent, NULL), SL_INVALID_ARGUMENT);
    assert_int_equal(enqueue_in(NULL, f, "a:1", 5, ""), SL_ABORTED);
    assert_string_equal(f->err.message,
                        "Unable to find a context_id matching the specified one (5). Perhaps the worker was "
                        "restarted, or the context was GC'd?");
    assert_int_equal(EAGER(f, "a:1", KeepAlive, "context_id: 5", NULL), SL_ABORTED);
    assert_int_equal(EAGER(f, "a:1", WaitQueueDone, "context_id: 5", NULL), SL_ABORTED);
    assert_int_equal(EAGER(f, "a:1", WaitQueueDone, "context_id: 7 op_id: 3", NULL), SL_UNIMPLEMENTED);
    assert_ok(f->err, EAGER(f, "a:1", WaitQueueDone, "context_id: 7", NULL));
    assert_int_equal(EAGER(f, "a:1", UpdateContext, "context_id: 7 context_view_id: 3", NULL), SL_INVALID_ARGUMENT);
    assert_ok(f->err,
              EAGER(f, "a:1", UpdateContext,
                    sl_arena_format(&f->arena, "server_def { %s } context_id: 7 context_view_id: 1", cluster), NULL));
    assert_int_equal(
        EAGER(f, "a:1", UpdateContext,
              "context_id: 7 context_view_id: 2 server_def { cluster { job { name: 'x' tasks { value: 'a:1' } } } "
              "job_name: 'x' }",
              NULL),
        SL_INVALID_ARGUMENT);
    assert_ok(f->err, EAGER(f, "a:1", KeepAlive, "context_id: 7", &alive));
    assert_int_equal(alive.context_view_id, 2);
    assert_ok(f->err,
              EAGER(f, "a:1", CloseContext, "context_id: 7 context_view_id: 1", NULL)); /* of an older view: stays */
    assert_ok(f->err, enqueue(f, "a:1", ""));
    assert_ok(f->err, EAGER(f, "a:1", CloseContext, "context_id: 7 context_view_id: 2", NULL));
    assert_int_equal(enqueue(f, "a:1", ""), SL_ABORTED);
    assert_ok(f->err, EAGER(f, "a:1", CloseContext, "context_id: 7", NULL));
}

static void contexts_without_a_sign_of_life_end(void **state) {
    struct dist_fixture *f = *state;
    create_contexts(f, 10, 60);
    for (int i = 0; i < 5; i++) {
        fake_net_advance(f->net, INT64_C(40000000000));
        assert_ok(f->err, EAGER(f, "a:1", KeepAlive, "context_id: 10", NULL));
    }
    sl_code code = SL_OK;
    for (int i = 0; i < 1000 && code == SL_OK; i++) { /* "a:1" is not asked for it */
        fake_net_advance(f->net, INT64_C(2000000000));
        usleep(1000);
        if (i > 100) code = EAGER(f, "b:1", KeepAlive, "context_id: 10", NULL);
    }
    assert_int_equal(code, SL_ABORTED);
    assert_ok(f->err, enqueue(f, "a:1", "")); /* one that needs none */
}

static void new_programs_may_end_the_old(void **state) {
    struct dist_fixture *f = *state;
    const char *text =
        sl_arena_format(&f->arena, "server_def { %s } context_id: 11 clear_existing_contexts: true", cluster);
    assert_ok(f->err, EAGER(f, "a:1", CreateContext, text, NULL));
    assert_int_equal(enqueue(f, "a:1", ""), SL_ABORTED);
    assert_ok(f->err, enqueue_in(NULL, f, "a:1", 11, TENSOR(1, "1")));
}

/* ---- what waits */

struct waiting {
    struct dist_fixture f;
    const char *items;
    int context;
    pthread_t thread;
    sl_code code;
};

static void *wait_for_it(void *arg) {
    struct waiting *w = arg;
    w->code = enqueue_in(NULL, &w->f, "a:1", w->context, w->items);
    return NULL;
}

static void closing_ends_what_waits(void **state) {
    struct dist_fixture *f = *state;
    static const char *const senders[] = {W0, W1}; /* this task, and another one that never sends */
    for (int i = 0; i < 2; i++) {
        struct waiting w = {.f.net = f->net, .context = 30 + i};
        const char *close = sl_arena_format(&f->arena, "context_id: %d", w.context);
        create_contexts(f, w.context, 0);
        sl_arena_init(&w.f.arena);
        w.items = sl_arena_format(&f->arena,
                                  OP(3, "_Recv",
                                     EDGE("never", "%s", "%lld") "attrs { key: 'recv_device' value { s: '" W0 "' } } "),
                                  senders[i], (long long)incarnation_of(f, i ? "b:1" : "a:1"));
        pthread_create(&w.thread, NULL, wait_for_it, &w);
        usleep(20000);
        assert_ok(f->err, EAGER(f, "a:1", CloseContext, close, NULL));
        pthread_join(w.thread, NULL);
        assert_true(w.code == SL_CANCELLED || w.code == SL_ABORTED);
        sl_arena_clear(&w.f.arena);
    }
}

/* ---- several at once */

enum { PROGRAMS = 4, ROUNDS = 12 };

struct program {
    struct dist_fixture f;
    int id, wrong;
    pthread_t thread;
};

static void *run_program(void *arg) {
    struct program *p = arg;
    for (int round = 0; round < ROUNDS; round++) {
        float x = 0;
        const int context = 100 + p->id * ROUNDS + round;
        create_contexts(&p->f, context, 0);
        p->wrong +=
            enqueue_in(NULL, &p->f, "a:1", context, OVER_TASKS TENSOR(1, "2") CALL_OF(2, "over", HANDLE(1))) != SL_OK;
        p->wrong += fetch(&x, &p->f, "a:1", W0, context, 2, 0) != SL_OK || x != -2;
        const char *close = sl_arena_format(&p->f.arena, "context_id: %d", context);
        p->wrong += EAGER(&p->f, "a:1", CloseContext, close, NULL) != SL_OK;
        p->wrong += EAGER(&p->f, "b:1", CloseContext, close, NULL) != SL_OK;
    }
    return NULL;
}

static void programs_do_not_meet(void **state) {
    struct dist_fixture *f = *state;
    struct program programs[PROGRAMS] = {{.id = 0}};
    for (int i = 0; i < PROGRAMS; i++) {
        programs[i].f.net = f->net;
        programs[i].id = i;
        sl_arena_init(&programs[i].f.arena);
        pthread_create(&programs[i].thread, NULL, run_program, &programs[i]);
    }
    for (int i = 0; i < PROGRAMS; i++) {
        pthread_join(programs[i].thread, NULL);
        assert_int_equal(programs[i].wrong, 0);
        sl_arena_clear(&programs[i].f.arena);
    }
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, with_contexts, dist_teardown)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(ops_run_one_by_one),
        TEST(outputs_have_numbers_and_shapes),
        TEST(contexts_share_variables_by_name),
        TEST(values_go_from_task_to_task),
        TEST(functions_are_ops),
        TEST(functions_run_over_tasks),
        TEST(arguments_may_be_at_another_task),
        TEST(an_error_of_a_part_is_the_calls),
        TEST(the_senseless_is_refused),
        TEST(components_must_be_known_and_fit),
        TEST(contexts_have_ids_and_views),
        TEST(contexts_without_a_sign_of_life_end),
        TEST(new_programs_may_end_the_old),
        TEST(closing_ends_what_waits),
        TEST(programs_do_not_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
