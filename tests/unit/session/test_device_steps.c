/* Steps on several CPU devices: values cross and come back, in functions too; an error, a deadline or a closed
 * session ends the parts that wait. test_random_programs compares whole programs. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "proto/gen/messages.h"
#include "root/root.h"
#include "session/local_session.h"
#include "unit/graph/graph_fixture.h"

#define OF_FLOAT "T type: DT_FLOAT"
#define CONST(v) "dtype type: DT_FLOAT; value tensor { dtype: DT_FLOAT tensor_shape {} float_val: " #v " }"
#define INT(v)   "dtype type: DT_INT32; value tensor { dtype: DT_INT32 tensor_shape {} int_val: " #v " }"
#define OF_INT   "T type: DT_INT32"

static struct sl_session *session_on(struct graph_fixture *f, int devices, const char *graph) {
    const struct sl_registries *registries;
    struct sl_session *session;
    struct sl_pb_ConfigProto config = {.intra_op_parallelism_threads = 2};
    __typeof__(*config.device_count.items) cpus = {.key = SL_STR("CPU"), .value = devices};
    config.device_count.items = &cpus;
    config.device_count.n = 1;
    struct sl_session_options options = {.config = &config};
    assert_ok(f->err, sl_root_registries(&registries, &f->err));
    sl_graph_free(f->graph);
    assert_ok(f->err, sl_graph_new(&f->graph, registries->ops, &f->err));
    import_text(f, graph, NULL);
    assert_ok(f->err, sl_local_session_new(&session, registries, &options, &f->err));
    assert_ok(f->err, sl_session_extend(session, f->graph, &f->err));
    return session;
}

/* Runs a node, with its output 0 as the one result. */
static sl_code run(struct graph_fixture *f, struct sl_session *s, const char *name, int64_t timeout_ms, double *value) {
    struct sl_port fetch = port_of(f, name, 0);
    struct sl_tensor *t = NULL;
    struct sl_pb_RunOptions options = {.timeout_in_ms = timeout_ms};
    struct sl_run r = {.fetches = &fetch, .fetch_tensors = &t, .n_fetches = 1, .options = &options};
    sl_code code = sl_session_run(s, &r, &f->err);
    if (code == SL_OK) {
        *value = t->dtype == SL_FLOAT ? *(const float *)t->data : *(const int32_t *)t->data;
        sl_tensor_unref(t);
    }
    return code;
}

#define GIVES(wanted, s, name)                                                                                         \
    do {                                                                                                               \
        double value_ = 0;                                                                                             \
        assert_ok(f->err, run(f, s, name, 0, &value_));                                                                \
        assert_true(value_ == (wanted));                                                                               \
    } while (0)

GRAPH_TEST(values_cross_and_come_back) {
    struct sl_session *s =
        session_on(f, 3,
                   "a = Const()@/cpu:0 " CONST(3) "\n b = Square(a)@/cpu:1 " OF_FLOAT "\n c = Neg(b)@/cpu:2 " OF_FLOAT
                                                  "\n d = Add(a, c)@/cpu:1 " OF_FLOAT);
    for (int i = 0; i < 3; i++) GIVES(-6, s, "d");
    struct sl_node *target = node_called(f, "c");
    struct sl_run r = {.targets = &target, .n_targets = 1};
    assert_ok(f->err, sl_session_run(s, &r, &f->err));
    sl_session_free(s);
}

GRAPH_TEST(one_device_alone_needs_no_other) {
    struct sl_session *s =
        session_on(f, 2,
                   "v = VarHandleOp()@/cpu:1 dtype type: DT_FLOAT; shape shape {}; shared_name s: 'v'\n"
                   "c = Const()@/cpu:1 " CONST(3) "\n w = AssignVariableOp(v, c)@/cpu:1 dtype "
                                                  "type: DT_FLOAT\n r = ReadVariableOp(v)@/cpu:1 dtype type: DT_FLOAT");
    struct sl_node *target = node_called(f, "w");
    struct sl_run r = {.targets = &target, .n_targets = 1};
    assert_ok(f->err, sl_session_run(s, &r, &f->err));
    GIVES(3, s, "r");
    sl_session_free(s);
}

GRAPH_TEST(devices_are_listed) {
    const char *name, *type;
    int64_t memory;
    uint64_t incarnation;
    struct sl_session *s = session_on(f, 2, "a = Const()@/cpu:1 " CONST(3));
    assert_true(sl_session_device(&name, &type, &memory, &incarnation, s, 1));
    assert_string_equal(name, "/job:localhost/replica:0/task:0/device:CPU:1");
    assert_string_equal(type, "CPU");
    assert_false(sl_session_device(&name, &type, &memory, &incarnation, s, 2));
    import_text(f, "b = Const()@/cpu:5 " CONST(3), NULL);
    for (int i = 0; i < 2; i++)
        assert_fails(f->err, SL_INVALID_ARGUMENT, "{{node b}} was explicitly assigned to /device:CPU:5",
                     sl_session_extend(s, f->graph, &f->err));
    GIVES(3, s, "a");
    sl_session_free(s);
}

GRAPH_TEST(an_error_ends_the_parts_that_wait) {
    struct sl_session *s = session_on(f, 3,
                                      "a = Const()@/cpu:1 dtype type: DT_FLOAT; value tensor { dtype: DT_FLOAT "
                                      "tensor_shape {} float_val: nan }\n b = CheckNumerics(a)@/cpu:1 " OF_FLOAT
                                      "; message s: 'bad'\n c = Neg(b)@/cpu:2 " OF_FLOAT
                                      "\n d = Neg(c)@/cpu:0 " OF_FLOAT "\n e = Neg(d)@/cpu:2 " OF_FLOAT);
    double value;
    for (int i = 0; i < 20; i++) {
        sl_error_clear(&f->err);
        assert_fails(f->err, SL_INVALID_ARGUMENT, "bad : Tensor had NaN values\n\t [[{{node b}}]]",
                     run(f, s, "e", 0, &value));
    }
    sl_session_free(s);
}

/* A loop across two devices, endless unless `limit` is small. */
#define LOOP(limit)                                                                                                    \
    "zero = Const()@/cpu:0 " INT(0) "\n limit = Const()@/cpu:0 " INT(limit) "\n one = Const()@/cpu:1 " INT(            \
        1) "\n enter = Enter(zero)@/cpu:0 " OF_INT "; frame_name s: 'f'\n"                                             \
           "to = Enter(limit)@/cpu:0 " OF_INT "; frame_name s: 'f'; is_constant b: true\n"                             \
           "by = Enter(one)@/cpu:1 " OF_INT "; frame_name s: 'f'; is_constant b: true\n"                               \
           "merge = Merge(enter, next)@/cpu:0 " OF_INT "; N i: 2\n less = Less(merge, to)@/cpu:0 " OF_INT              \
           "\n cond = LoopCond(less)@/cpu:0\n switch = Switch(merge, cond)@/cpu:0 " OF_INT                             \
           "\n body = Add(switch:1, by)@/cpu:1 " OF_INT "\n next = NextIteration(body)@/cpu:0 " OF_INT                 \
           "\n exit = Exit(switch)@/cpu:0 " OF_INT "\n after = Neg(exit)@/cpu:1 " OF_INT

GRAPH_TEST(loops_cross) {
    struct sl_session *s = session_on(f, 2, LOOP(1000));
    GIVES(-1000, s, "after");
    GIVES(1000, s, "exit");
    sl_session_free(s);
}

GRAPH_TEST(a_deadline_ends_a_loop_that_crosses) {
    struct sl_session *s = session_on(f, 2, LOOP(2000000000));
    double value;
    assert_fails(f->err, SL_DEADLINE_EXCEEDED, "Timed out", run(f, s, "after", 30, &value));
    sl_session_free(s);
}

static void *close_soon(void *session) {
    const struct timespec a_while = {.tv_nsec = 20000000};
    nanosleep(&a_while, NULL);
    sl_session_close(session, NULL);
    return NULL;
}

GRAPH_TEST(closing_ends_a_loop_that_crosses) {
    struct sl_session *s = session_on(f, 2, LOOP(2000000000));
    double value;
    pthread_t closer;
    pthread_create(&closer, NULL, close_soon, s);
    assert_int_equal(run(f, s, "after", 0, &value), SL_CANCELLED);
    pthread_join(closer, NULL);
    sl_session_free(s);
}

/* The sum of the quotients 6 / (3 - i), computed on CPU:1 while CPU:2 waits for each: the fourth cannot be. */
#define DIVIDING_LOOP                                                                                                  \
    "zero = Const()@/cpu:0 " INT(0) "\n one = Const()@/cpu:0 " INT(1) "\n three = Const()@/cpu:1 " INT(                \
        3) "\n six = Const()@/cpu:1 " INT(6) "\n enter = Enter(zero)@/cpu:0 " OF_INT                                   \
                                             "; frame_name s: 'f'\n sum_enter = Enter(zero)@/cpu:2 " OF_INT            \
                                             "; frame_name s: 'f'\n"                                                   \
                                             "by = Enter(one)@/cpu:0 " OF_INT                                          \
                                             "; frame_name s: 'f'; is_constant b: true\n"                              \
                                             "from = Enter(three)@/cpu:1 " OF_INT                                      \
                                             "; frame_name s: 'f'; is_constant b: true\n"                              \
                                             "all = Enter(six)@/cpu:1 " OF_INT                                         \
                                             "; frame_name s: 'f'; is_constant b: true\n"                              \
                                             "merge = Merge(enter, next)@/cpu:0 " OF_INT                               \
                                             "; N i: 2\n less = Less(merge, to)@/cpu:0 " OF_INT                        \
                                             "\n hundred = Const()@/cpu:0 " INT(                                       \
                                                 100) "\n to = Enter(hundred)@/cpu:0 " OF_INT                          \
                                                      "; frame_name s: 'f'; is_constant b: true\n cond = "             \
                                                      "LoopCond(less)@/cpu:0\n"                                        \
                                                      "switch = Switch(merge, cond)@/cpu:0 " OF_INT                    \
                                                      "\n body = Add(switch:1, by)@/cpu:0 " OF_INT                     \
                                                      "\n next = NextIteration(body)@/cpu:0 " OF_INT                   \
                                                      "\n sum_merge = Merge(sum_enter, sum_next)@/cpu:2 " OF_INT       \
                                                      "; N i: 2\n sum_switch = Switch(sum_merge, cond)@/cpu:2 " OF_INT \
                                                      "\n left = Sub(from, switch:1)@/cpu:1 " OF_INT                   \
                                                      "\n part = FloorDiv(all, left)@/cpu:1 " OF_INT                   \
                                                      "\n sum = Add(sum_switch:1, part)@/cpu:2 " OF_INT                \
                                                      "\n sum_next = NextIteration(sum)@/cpu:2 " OF_INT                \
                                                      "\n exit = Exit(sum_switch)@/cpu:2 " OF_INT

GRAPH_TEST(an_error_within_a_loop_ends_it) {
    struct sl_session *s = session_on(f, 3, DIVIDING_LOOP);
    double value;
    assert_fails(f->err, SL_INVALID_ARGUMENT, "[[{{node part}}]]", run(f, s, "exit", 0, &value));
    sl_session_free(s);
}

GRAPH_TEST(dead_values_cross) {
    struct sl_session *s = session_on(f, 3,
                                      "a = Const()@/cpu:0 " CONST(
                                          3) "\n b = Const()@/cpu:1 dtype type: DT_BOOL; value tensor { dtype: DT_BOOL "
                                             "tensor_shape {} bool_val: true }\n c = Switch(a, b)@/cpu:0 " OF_FLOAT
                                             "\n d = Neg(c)@/cpu:2 " OF_FLOAT "\n e = Square(c:1)@/cpu:1 " OF_FLOAT
                                             "\n g = Merge(d, e)@/cpu:2 " OF_FLOAT "; N i: 2");
    double value;
    GIVES(9, s, "g");
    assert_fails(f->err, SL_INVALID_ARGUMENT, "does not have value", run(f, s, "d", 0, &value));
    sl_session_free(s);
}

GRAPH_TEST(requests_that_cannot_be_met_together) {
    struct sl_session *s =
        session_on(f, 2,
                   "a = Const()@/cpu:0 " CONST(3) "\n b = Neg(a)@/cpu:1 " OF_FLOAT "; _class list { s: 'loc:@a' }");
    double value;
    assert_fails(f->err, SL_INVALID_ARGUMENT, "{{node ", run(f, s, "b", 0, &value));
    sl_session_free(s);
}

/* A variable by reference stays on its device with all that write to it, whatever these ask for; its value goes
 * anywhere. */
GRAPH_TEST(references_stay_together) {
    struct sl_session *s =
        session_on(f, 2,
                   "v = VariableV2()@/cpu:0 dtype type: DT_FLOAT; shape shape {}\n a = Const()@/cpu:1 " CONST(
                       3) "\n w = Assign(v, a)@/cpu:1 " OF_FLOAT "\n r = Neg(w)@/cpu:1 " OF_FLOAT);
    GIVES(-3, s, "r");
    sl_session_free(s);
}

#define WAY                                                                                                            \
    "; tensor_name s: 'way'; send_device s: '/cpu:0'; recv_device s: '/cpu:1'; send_device_incarnation i: 1; _pair "   \
    "i: 77"
#define WRITTEN                                                                                                        \
    "a = Const()@/cpu:0 " CONST(3) "\n s = _Send(a)@/cpu:0 " OF_FLOAT WAY                                              \
                                   "\n r = _Recv()@/cpu:1 tensor_type type: DT_FLOAT" WAY                              \
                                   "\n b = Neg(r)@/cpu:1 " OF_FLOAT

/* Transfers of the client's own meet, on one device too; the number that it gives them is not believed. */
GRAPH_TEST(written_transfers_meet) {
    for (int devices = 1; devices <= 2; devices++) {
        struct sl_session *s =
            session_on(f, devices,
                       devices == 2 ? WRITTEN
                                    : "a = Const() " CONST(3) "\n s = _Send(a) " OF_FLOAT WAY
                                                              "\n r = _Recv() tensor_type type: "
                                                              "DT_FLOAT" WAY "\n b = Neg(r) " OF_FLOAT);
        struct sl_node *send = node_called(f, "s");
        struct sl_port fetch = port_of(f, "b", 0);
        struct sl_tensor *t;
        struct sl_run r = {.fetches = &fetch, .fetch_tensors = &t, .n_fetches = 1, .targets = &send, .n_targets = 1};
        for (int i = 0; i < 3; i++) {
            assert_ok(f->err, sl_session_run(s, &r, &f->err));
            assert_true(*(const float *)t->data == -3);
            sl_tensor_unref(t);
        }
        double value;
        assert_fails(f->err, SL_FAILED_PRECONDITION, "waits for 'way' in iteration 0, which nothing on",
                     run(f, s, "b", 0, &value)); /* nobody sends */
        sl_session_free(s);
    }
}

/* The second variable is dead when the loop begins, so in further iterations it is not even that: where it crosses,
 * it is waited for in vain. */
GRAPH_TEST(a_value_that_never_comes_is_an_error) {
#define WITHIN OF_INT "; frame_name s: 'f'"
    const char *graph = "zero = Const()@/cpu:0 " INT(0) "\n three = Const()@/cpu:0 " INT(
        3) "\n"
           "no = Less(three, zero)@/cpu:0 " OF_INT "\n way = Switch(zero, no)@/cpu:0 " OF_INT "\n"
           "e = Enter(zero)@/cpu:0 " WITHIN "\n e2 = Enter(way:1)@/cpu:0 " WITHIN "\n"
           "l = Enter(three)@/cpu:0 " WITHIN "; is_constant b: true\n"
           "m = Merge(e, n)@/cpu:0 " OF_INT "; N i: 2\n m2 = Merge(e2, n2)@/cpu:0 " OF_INT "; N i: 2\n"
           "less = Less(m, l)@/cpu:0 " OF_INT "\n c = LoopCond(less)@/cpu:0\n"
           "s = Switch(m, c)@/cpu:0 " OF_INT "\n s2 = Switch(m2, c)@/cpu:0 " OF_INT "\n"
           "one = Const(^s)@/cpu:0 " INT(1) "\n more = Add(s:1, one)@/cpu:0 " OF_INT "\n"
                                            "n = NextIteration(more)@/cpu:0 " OF_INT
                                            "\n there = Neg(s2:1)@/cpu:1 " OF_INT "\n"
                                            "back = Neg(there)@/cpu:0 " OF_INT
                                            "\n n2 = NextIteration(back)@/cpu:0 " OF_INT "\n"
                                            "x = Exit(s)@/cpu:0 " OF_INT "\n x2 = Exit(s2)@/cpu:0 " OF_INT "\n"
                                            "either = Merge(x, x2)@/cpu:0 " OF_INT "; N i: 2";
    struct sl_session *s = session_on(f, 2, graph);
    double value;
    assert_fails(f->err, SL_FAILED_PRECONDITION,
                 "which nothing on /job:localhost/replica:0/task:0/device:CPU:", run(f, s, "either", 0, &value));
    GIVES(3, s, "x"); /* without the second variable */
    sl_session_free(s);
}

/* A queue that nobody fills, on CPU:1; the loop on CPU:0 and CPU:2 would go on for ever. */
GRAPH_TEST(waiting_ends_with_the_step) {
    const char *graph =
        sl_arena_format(&f->arena, "%s",
                        LOOP(2000000000) "\n q = FIFOQueueV2()@/cpu:1 component_types list { type: "
                                         "DT_INT32 }\n d = QueueDequeueV2(q)@/cpu:1 component_types "
                                         "list { type: DT_INT32 }\n both = Add(after, d)@/cpu:2 " OF_INT);
    struct sl_session *s = session_on(f, 3, graph);
    double value;
    pthread_t closer;
    assert_fails(f->err, SL_DEADLINE_EXCEEDED, "Timed out", run(f, s, "both", 20, &value));
    pthread_create(&closer, NULL, close_soon, s);
    assert_int_equal(run(f, s, "both", 0, &value), SL_CANCELLED);
    pthread_join(closer, NULL);
    sl_session_free(s);
}

static void *run_often(void *argument) {
    struct graph_fixture own = *(struct graph_fixture *)((void **)argument)[0], *f = &own;
    for (int i = 0; i < 50; i++) GIVES(-20, ((void **)argument)[1], "after");
    return NULL;
}

GRAPH_TEST(steps_run_side_by_side) {
    enum { THREADS = 4 };
    struct sl_session *s = session_on(f, 2, LOOP(20));
    pthread_t threads[THREADS];
    void *argument[] = {f, s};
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, run_often, argument);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    sl_session_free(s);
}

GRAPH_TEST(heavy_nodes_find_threads) {
    struct sl_session *s =
        session_on(f, 3,
                   "n = Const()@/cpu:0 dtype type: DT_INT32; value tensor { dtype: DT_INT32 tensor_shape { dim { size: "
                   "2 } } int_val: 64 }\n"
                   "axes = Const()@/cpu:0 dtype type: DT_INT32; value tensor { dtype: DT_INT32 tensor_shape { dim { "
                   "size: 2 } } int_val: "
                   "0 int_val: 1 }\n v = Const()@/cpu:0 " CONST(
                       0.015625) "\n a = Fill(n, v)@/cpu:0 " OF_FLOAT "\n b = MatMul(a, a)@/cpu:1 " OF_FLOAT
                                 "\n c = MatMul(a, b)@/cpu:2 " OF_FLOAT "\n d = MatMul(b, a)@/cpu:1 " OF_FLOAT
                                 "\n e = MatMul(a, a)@/cpu:0 " OF_FLOAT "\n g = MatMul(d, e)@/cpu:0 " OF_FLOAT
                                 "\n h = MatMul(c, g)@/cpu:2 " OF_FLOAT "\n max = Max(h, axes)@/cpu:1 " OF_FLOAT);
    for (int i = 0; i < 50; i++) GIVES(0.015625, s, "max");
    sl_session_free(s);
}

/* Minus twice x, doubled on one device and negated on the other; and whether x < 100. */
#define FUNCTION                                                                                                       \
    "\n| library { function { signature { name: 'g' input_arg { name: 'x' type: DT_FLOAT } output_arg { name: 'y' "    \
    "type: DT_FLOAT } } node_def { name: 'd' op: 'Add' input: 'x' input: 'x' device: '/cpu:1' attr { key: 'T' value "  \
    "{ type: DT_FLOAT } } } node_def { name: 'e' op: 'Neg' input: 'd:z:0' device: '/cpu:0' attr { key: 'T' value { "   \
    "type: DT_FLOAT } } } ret { key: 'y' value: 'e:y:0' } } function { signature { name: 'c' input_arg { name: 'x' "   \
    "type: DT_FLOAT } output_arg { name: 'y' type: DT_BOOL } } node_def { name: 'k' op: 'Const' device: '/cpu:1' "     \
    "attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'value' value { tensor { dtype: DT_FLOAT "             \
    "tensor_shape {} float_val: 100 } } } } node_def { name: 'l' op: 'Less' input: 'x' input: 'k:output:0' device: "   \
    "'/cpu:0' attr { key: 'T' value { type: DT_FLOAT } } } ret { key: 'y' value: 'l:z:0' } } }"

GRAPH_TEST(functions_cross) {
    struct sl_session *s =
        session_on(f, 2,
                   "a = Const()@/cpu:1 " CONST(
                       3) "\n p = PartitionedCall(a)@/cpu:0 Tin list { type: DT_FLOAT }; Tout list { type: "
                          "DT_FLOAT }; f func { name: 'g' }\n"
                          "q = Neg(p)@/cpu:1 " OF_FLOAT
                          "\n w = While(a)@/cpu:1 T list { type: DT_FLOAT }; cond func { name: 'c' }; body "
                          "func { name: 'g' }\n b = RemoteCall(t, a)@/cpu:0 Tin list { type: DT_FLOAT }; Tout "
                          "list { type: DT_FLOAT }; f func { name: 'g' }\n"
                          "t = Const() dtype type: DT_STRING; value tensor { dtype: DT_STRING tensor_shape {} "
                          "string_val: '/cpu:0' }" FUNCTION);
    GIVES(6, s, "q");
    GIVES(192, s, "w"); /* 3, -6, 12, -24, 48, -96, 192 */
    GIVES(-6, s, "b");
    sl_session_free(s);
}

#define MATRIX(v)                                                                                                      \
    "dtype type: DT_FLOAT; value tensor { dtype: DT_FLOAT tensor_shape { dim { size: 64 } dim { size: 64 } } "         \
    "float_val: " #v " }\n"

GRAPH_TEST(work_may_be_spread_by_cost) {
    setenv("SLUICE_PLACE", "cost", 1);
    struct sl_session *s = session_on(f, 3,
                                      "x = Const() " MATRIX(1) "y = Const() " MATRIX(2) "a = MatMul(x, x) " OF_FLOAT
                                                                                        "\n b = MatMul(y, y) " OF_FLOAT
                                                                                        "\n c = Add(a, b) " OF_FLOAT);
    unsetenv("SLUICE_PLACE");
    for (int i = 0; i < 5; i++) GIVES(320, s, "c"); /* 64 and 256 */
    sl_session_free(s);
}

GRAPH_TEST(partial_runs_take_place_in_one_piece) {
    struct sl_session *s = session_on(f, 2,
                                      "x = Placeholder()@/cpu:0 dtype type: DT_FLOAT\n y = Neg(x)@/cpu:1 " OF_FLOAT
                                      "\n z = Neg(y)@/cpu:0 " OF_FLOAT);
    struct sl_partial_run *partial;
    struct sl_port feed = port_of(f, "x", 0), fetches[] = {port_of(f, "y", 0), port_of(f, "z", 0)};
    const struct sl_run all = {.feeds = &feed, .n_feeds = 1, .fetches = fetches, .n_fetches = 2};
    struct sl_tensor *t, *in;
    assert_ok(f->err, sl_session_prun_setup(&partial, s, &all, &f->err));
    assert_ok(f->err, sl_tensor_new(&in, SL_FLOAT, (struct sl_shape){0, NULL}, &f->err));
    *(float *)in->data = 5;
    struct sl_run r = {
        .feeds = &feed, .feed_tensors = &in, .n_feeds = 1, .fetches = fetches, .fetch_tensors = &t, .n_fetches = 1};
    assert_ok(f->err, sl_session_prun(s, partial, &r, &f->err));
    assert_true(*(const float *)t->data == -5);
    sl_tensor_unref(t);
    sl_tensor_unref(in);
    sl_partial_run_free(partial);
    sl_session_free(s);
}

/* SL_REPEAT=n runs all of them n times. */
int main(void) {
    setenv("SLUICE_PASSES", "off", 1); /* else constants leave nothing to send */
    const struct CMUnitTest tests[] = {
        graph_unit_test(values_cross_and_come_back),
        graph_unit_test(one_device_alone_needs_no_other),
        graph_unit_test(devices_are_listed),
        graph_unit_test(an_error_ends_the_parts_that_wait),
        graph_unit_test(loops_cross),
        graph_unit_test(a_deadline_ends_a_loop_that_crosses),
        graph_unit_test(closing_ends_a_loop_that_crosses),
        graph_unit_test(an_error_within_a_loop_ends_it),
        graph_unit_test(dead_values_cross),
        graph_unit_test(requests_that_cannot_be_met_together),
        graph_unit_test(references_stay_together),
        graph_unit_test(written_transfers_meet),
        graph_unit_test(a_value_that_never_comes_is_an_error),
        graph_unit_test(waiting_ends_with_the_step),
        graph_unit_test(steps_run_side_by_side),
        graph_unit_test(heavy_nodes_find_threads),
        graph_unit_test(functions_cross),
        graph_unit_test(work_may_be_spread_by_cost),
        graph_unit_test(partial_runs_take_place_in_one_piece),
    };
    const char *repeat = getenv("SL_REPEAT");
    int failed = 0;
    for (long n = repeat ? atol(repeat) : 1; n > 0 && !failed; n--) failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed;
}
