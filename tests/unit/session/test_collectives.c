/* Collectives between CPU devices of one session: what all get, in which order, and how an instance that fails ends
 * for all. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "proto/gen/messages.h"
#include "root/root.h"
#include "session/local_session.h"
#include "unit/graph/graph_fixture.h"

enum { MOST = 12 };

/* A graph that grows line by line. */
struct text {
    char bytes[16384];
    size_t n;
};

SL_PRINTF(2, 3) static void add(struct text *t, const char *format, ...) {
    va_list args;
    va_start(args, format);
    t->n += (size_t)vsnprintf(t->bytes + t->n, sizeof t->bytes - t->n, format, args);
    va_end(args);
    assert_true(t->n < sizeof t->bytes);
}

/* "x<d>" on device d: a vector of floats. */
static void add_vector(struct text *t, int device, const char *values) {
    add(t, "x%d = Const()@/cpu:%d dtype type: DT_FLOAT; value tensor { dtype: DT_FLOAT tensor_shape { dim { size: ",
        device, device);
    int n = 1;
    for (const char *c = values; *c; c++) n += *c == ' ';
    add(t, "%d } }", n);
    for (const char *v = values; v; v = strchr(v, ' ') ? strchr(v, ' ') + 1 : NULL)
        add(t, " float_val: %.*s", (int)strcspn(v, " "), v);
    add(t, " }\n");
}

static void add_key(struct text *t, const char *name, int device, int value) {
    add(t,
        "%s%d = Const()@/cpu:%d dtype type: DT_INT32; value tensor { dtype: DT_INT32 tensor_shape {} int_val: %d }\n",
        name, device, device, value);
}

static void add_keys(struct text *t, int device, int size, int group, int instance) {
    add_key(t, "size", device, size);
    add_key(t, "group", device, group);
    add_key(t, "instance", device, instance);
}

/* "y<d> = op(x<d>, keys)". */
static void add_member(struct text *t, int device, const char *op, const char *attrs, int size, int instance) {
    add_keys(t, device, size, 1, instance);
    add(t, "y%d = %s(x%d, size%d, group%d, instance%d)@/cpu:%d T type: DT_FLOAT; %s\n", device, op, device, device,
        device, device, device, attrs);
}

#define MERGE(op, final) "merge_op s: '" op "'; final_op s: '" final "'"
#define SECONDS(s)       "; timeout_seconds f: " #s

#define SUM "CollectiveReduceV2"
#define ADD MERGE("Add", "Id")

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

/* Fetches y<first> ... y<last>. */
static sl_code run(struct graph_fixture *f, struct sl_session *s, int first, int last, int64_t timeout_ms,
                   struct sl_tensor **values) {
    struct sl_port fetches[MOST];
    char name[16];
    struct sl_pb_RunOptions options = {.timeout_in_ms = timeout_ms};
    for (int d = first; d <= last; d++) {
        snprintf(name, sizeof name, "y%d", d);
        fetches[d - first] = port_of(f, name, 0);
    }
    struct sl_run r = {.fetches = fetches, .fetch_tensors = values, .n_fetches = last - first + 1, .options = &options};
    return sl_session_run(s, &r, &f->err);
}

static void check_values(const struct sl_tensor *t, const char *wanted) {
    const float *have = t->data;
    char text[256];
    size_t n = 0;
    for (int64_t e = 0; e < t->count; e++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%g", e ? " " : "", (double)have[e]);
    assert_text(text, wanted);
}

/* All of `n` devices get `wanted`, or device d gets wanted[d]. */
static void all_get(struct graph_fixture *f, struct sl_session *s, int n, const char *const *wanted, bool is_same) {
    struct sl_tensor *values[MOST] = {NULL};
    assert_ok(f->err, run(f, s, 0, n - 1, 0, values));
    for (int d = 0; d < n; d++) {
        check_values(values[d], wanted[is_same ? 0 : d]);
        sl_tensor_unref(values[d]);
    }
}

static void reduces_to(struct graph_fixture *f, const char *attrs, const char *wanted) {
    static const char *const values[] = {"1e8 5 -3", "1 4 nan", "-1e8 3 2", "1 2 8"};
    struct text t = {.n = 0};
    for (int d = 0; d < 4; d++) {
        add_vector(&t, d, values[d]);
        add_member(&t, d, "CollectiveReduceV2", attrs, 4, 7);
    }
    struct sl_session *s = session_on(f, 4, t.bytes);
    for (int i = 0; i < 5; i++) all_get(f, s, 4, &wanted, true);
    sl_session_free(s);
}

/* 1e8 + 1 rounds to 1e8, so only the sum in the order of ranks is 1. */
GRAPH_TEST(members_are_reduced_in_the_order_of_ranks) {
    reduces_to(f, MERGE("Add", "Id"), "1 14 nan");
    reduces_to(f, MERGE("Add", "Div"), "0.25 3.5 nan");
    reduces_to(f, MERGE("Min", "Id"), "-1e+08 2 nan");
    reduces_to(f, MERGE("Max", "Id"), "1e+08 5 nan");
    reduces_to(f, MERGE("Mul", "Id"), "-1e+16 120 nan");
}

GRAPH_TEST(ranks_follow_numbers_of_devices) {
    struct text t = {.n = 0};
    const char *wanted = "0 1 2 3 4 5 6 7 8 9 10 11";
    char value[8];
    for (int d = MOST - 1; d >= 0; d--) {
        snprintf(value, sizeof value, "%d", d);
        add_vector(&t, d, value);
        add_member(&t, d, "CollectiveGatherV2", "", MOST, 1);
    }
    struct sl_session *s = session_on(f, MOST, t.bytes);
    all_get(f, s, MOST, &wanted, true);
    sl_session_free(s);
}

GRAPH_TEST(parts_are_exchanged_and_scattered) {
    static const char *const values[] = {"1 2 3 4", "5 6 7 8"}, *const swapped[] = {"1 2 5 6", "3 4 7 8"},
                             *const sums[] = {"6 8", "10 12"};
    struct text exchange = {.n = 0}, scatter = {.n = 0};
    for (int d = 0; d < 2; d++) {
        add_vector(&exchange, d, values[d]);
        add_vector(&scatter, d, values[d]);
        add_member(&exchange, d, "CollectiveAllToAllV2", "", 2, 1);
        add_member(&scatter, d, "CollectiveReduceScatterV2", MERGE("Add", "Id"), 2, 1);
    }
    struct sl_session *s = session_on(f, 2, exchange.bytes);
    all_get(f, s, 2, swapped, false);
    sl_session_free(s);
    s = session_on(f, 2, scatter.bytes);
    all_get(f, s, 2, sums, false);
    sl_session_free(s);
}

/* Device `source` sends, the others receive; -1: nobody sends. */
static void add_broadcast(struct text *t, int n, int source, const char *wanted_shape) {
    for (int d = 0; d < n; d++) {
        if (d == source) {
            add_vector(t, d, "3 1 4");
            add_member(t, d, "CollectiveBcastSendV2", "", n, 1);
            continue;
        }
        add_keys(t, d, n, 1, 1);
        add(t,
            "s%d = Const()@/cpu:%d dtype type: DT_INT32; value tensor { dtype: DT_INT32 tensor_shape { dim { size: 1 } "
            "} int_val: %s }\n y%d = CollectiveBcastRecvV2(size%d, group%d, instance%d, s%d)@/cpu:%d T type: "
            "DT_FLOAT; Tshape type: DT_INT32\n",
            d, d, wanted_shape, d, d, d, d, d, d);
    }
}

GRAPH_TEST(one_sends_to_all) {
    const char *wanted = "3 1 4";
    for (int source = 0; source < 3; source++) {
        struct text t = {.n = 0};
        add_broadcast(&t, 3, source, "3");
        struct sl_session *s = session_on(f, 3, t.bytes);
        all_get(f, s, 3, &wanted, true);
        sl_session_free(s);
    }
}

/* The first versions have their keys, and the shape of what is sent, as attrs. */
GRAPH_TEST(keys_may_be_attrs) {
    static const char *const wanted[] = {"3 5", "1 2 2 3", "2 3"};
    static const char *const format[] = {
        "y%d = CollectiveReduce(x%d)@/cpu:%d T type: DT_FLOAT; instance_key i: 1; subdiv_offsets list {}; " ADD,
        "y%d = CollectiveGather(x%d)@/cpu:%d T type: DT_FLOAT; instance_key i: 1; shape shape { dim { size: 4 } }",
        "y%d = CollectiveBcastSend(x%d)@/cpu:%d T type: DT_FLOAT; instance_key i: 1; shape shape { dim { size: 2 } }"};
    for (int v = 0; v < 3; v++) {
        struct text t = {.n = 0};
        add_vector(&t, 0, "1 2");
        add_vector(&t, 1, "2 3");
        for (int d = v == 2; d < 2; d++) {
            add(&t, format[v], d, d, d);
            add(&t, "; group_size i: 2; group_key i: 1\n");
        }
        if (v == 2)
            add(&t,
                "y0 = CollectiveBcastRecv()@/cpu:0 T type: DT_FLOAT; instance_key i: 1; shape shape { dim { size: 2 } "
                "}; group_size i: 2; group_key i: 1\n");
        struct sl_session *s = session_on(f, 2, t.bytes);
        all_get(f, s, 2, &wanted[v], true);
        sl_session_free(s);
    }
}

/* ---- instances that cannot be */

static void refused(struct graph_fixture *f, const struct text *t, int devices, int last, sl_code code,
                    const char *message) {
    struct sl_tensor *values[MOST] = {NULL};
    struct sl_session *s = session_on(f, devices, t->bytes);
    for (int i = 0; i < 3; i++) assert_fails(f->err, code, message, run(f, s, 0, last, 0, values));
    sl_session_free(s);
}

GRAPH_TEST(shapes_and_ops_must_agree) {
    struct text shapes = {.n = 0}, kinds = {.n = 0}, none = {.n = 0}, two = {.n = 0}, received = {.n = 0};
    add_vector(&shapes, 0, "1 2");
    add_vector(&shapes, 1, "1 2 3");
    add_member(&shapes, 0, SUM, ADD, 2, 10);
    add_member(&shapes, 1, SUM, ADD, 2, 10);
    refused(f, &shapes, 2, 1, SL_INVALID_ARGUMENT, "Shape mismatch in the collective instance 10. Op at device /job:");
    add_vector(&kinds, 0, "1 2");
    add_vector(&kinds, 1, "1");
    add_member(&kinds, 0, SUM, ADD, 2, 10);
    add_member(&kinds, 1, "CollectiveGatherV2", "", 2, 10);
    refused(f, &kinds, 2, 1, SL_INTERNAL, "Collective instance 10 expected type ");
    add_broadcast(&none, 2, -1, "3");
    refused(f, &none, 2, 1, SL_INTERNAL, "found no source for broadcast");
    add_broadcast(&received, 2, 0, "4");
    refused(f, &received, 2, 1, SL_INVALID_ARGUMENT, "Shape mismatch");
    for (int d = 0; d < 2; d++) {
        add_vector(&two, d, "1 2");
        add_member(&two, d, "CollectiveBcastSendV2", "", 2, 10);
    }
    refused(f, &two, 2, 1, SL_INTERNAL, "Instance 10 already has source 0, received second claim from 1");
}

GRAPH_TEST(groups_have_so_many_different_devices) {
    struct text none = {.n = 0}, twice = {.n = 0}, sizes = {.n = 0}, full = {.n = 0};
    add_vector(&none, 0, "1");
    add_member(&none, 0, SUM, ADD, 0, 1);
    refused(f, &none, 1, 0, SL_INVALID_ARGUMENT, "group_size must be positive integer but got 0");
    add_vector(&twice, 0, "1");
    add_member(&twice, 0, SUM, ADD, 2, 1);
    add(&twice, "y1 = CollectiveReduceV2(x0, size0, group0, instance0)@/cpu:0 T type: DT_FLOAT; " ADD);
    refused(f, &twice, 2, 1, SL_INVALID_ARGUMENT, "takes part twice");
    for (int d = 0; d < 2; d++) {
        add_vector(&sizes, d, "1");
        add_member(&sizes, d, SUM, ADD, d + 2, 1);
    }
    refused(f, &sizes, 2, 1, SL_INTERNAL, "but that group has size");
    for (int d = 0; d < 3; d++) {
        add_vector(&full, d, "1");
        add_member(&full, d, SUM, ADD, 2, 1);
    }
    refused(f, &full, 3, 2, SL_INTERNAL, "is joining a group that is already full (group_key=1)");
}

GRAPH_TEST(waiting_ends) {
    struct text alone = {.n = 0}, apart = {.n = 0};
    struct sl_tensor *values[2] = {NULL};
    for (int d = 0; d < 2; d++) {
        add_vector(&alone, d, "1");
        add_vector(&apart, d, "1");
        add_member(&alone, d, SUM, ADD SECONDS(0.02), 2, 1);
        add_member(&apart, d, SUM, ADD SECONDS(0.02), 2, d);
    }
    refused(f, &alone, 2, 0, SL_DEADLINE_EXCEEDED, "Collective has timed out waiting for other workers.");
    refused(f, &apart, 2, 1, SL_DEADLINE_EXCEEDED, "Collective has timed out during execution.");
    struct sl_session *s = session_on(f, 2, alone.bytes);
    assert_fails(f->err, SL_DEADLINE_EXCEEDED, "Collective has timed out", run(f, s, 1, 1, 0, values));
    const char *wanted = "2"; /* a group is what it was when its time was over */
    all_get(f, s, 2, &wanted, true);
    sl_session_free(s);
}

GRAPH_TEST(a_step_that_ends_takes_those_who_wait_along) {
    struct text t = {.n = 0};
    struct sl_tensor *values[2] = {NULL};
    add_vector(&t, 0, "1");
    add_vector(&t, 1, "nan");
    add_member(&t, 0, SUM, ADD, 2, 1);
    add(&t, "y1 = CheckNumerics(x1)@/cpu:1 T type: DT_FLOAT; message s: 'bad'\n");
    struct sl_session *s = session_on(f, 2, t.bytes);
    for (int i = 0; i < 20; i++)
        assert_fails(f->err, SL_INVALID_ARGUMENT, "bad : Tensor had NaN", run(f, s, 0, 1, 0, values));
    assert_fails(f->err, SL_DEADLINE_EXCEEDED, "Timed out", run(f, s, 0, 0, 20, values));
    sl_session_free(s);
}

/* ---- communicators */

/* Device d has rank `ranks[d]`; `assignment` is two by two. */
static void add_communicator(struct text *t, int devices, const int *ranks, const char *assignment) {
    for (int d = 0; d < devices; d++) {
        add_keys(t, d, devices, 3, 0);
        add_key(t, "rank", d, ranks[d]);
        add(t,
            "c%d = CollectiveInitializeCommunicator(group%d, rank%d, size%d)@/cpu:%d\n"
            "a%d = Const()@/cpu:%d dtype type: DT_INT32; value tensor { dtype: DT_INT32 tensor_shape { dim { size: 2 } "
            "dim { size: 2 } } %s }\n"
            "x%d = Const()@/cpu:%d dtype type: DT_FLOAT; value tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 } "
            "} float_val: %d float_val: 1 }\n"
            "r%d = CollectiveReduceV3(x%d, c%d, a%d)@/cpu:%d T type: DT_FLOAT; reduction s: 'Add'\n"
            "y%d = CollectiveAllToAllV3(r%d, c%d, a%d)@/cpu:%d T type: DT_FLOAT\n",
            d, d, d, d, d, d, d, assignment, d, d, 10 * d, d, d, d, d, d, d, d, d, d, d);
    }
}

GRAPH_TEST(subgroups_of_a_communicator_meet_by_themselves) {
    static const int ranks[] = {3, 2, 1, 0}, same[] = {1, 2, 1, 0};
    /* Ranks 0 and 2 are devices 3 and 1: 40; ranks 3 and 1 devices 0 and 2: 20. */
    static const char *const wanted[] = {"20 20", "2 2", "2 2", "40 40"};
    struct text t = {.n = 0}, twice = {.n = 0}, missing = {.n = 0};
    add_communicator(&t, 4, ranks, "int_val: 0 int_val: 2 int_val: 3 int_val: 1");
    struct sl_session *s = session_on(f, 4, t.bytes);
    for (int i = 0; i < 5; i++) all_get(f, s, 4, wanted, false);
    sl_session_free(s);
    add_communicator(&twice, 4, same, "int_val: 0 int_val: 1 int_val: 2 int_val: 3");
    refused(f, &twice, 4, 3, SL_INVALID_ARGUMENT, "have the same rank 1 in group 3");
    add_communicator(&missing, 4, ranks, "int_val: 0 int_val: 1 int_val: 2 int_val: 1");
    refused(f, &missing, 4, 3, SL_INVALID_ARGUMENT, "rank 3 is not found in group_assignment");
}

GRAPH_TEST(devices_are_assigned_to_groups) {
    const char *graph =
        "a = Const() dtype type: DT_INT32; value tensor { dtype: DT_INT32 tensor_shape { dim { size: 2 } dim { "
        "size: 2 } } int_val: 0 int_val: 1 int_val: 2 int_val: 3 }\n"
        "i = Const() dtype type: DT_INT32; value tensor { dtype: DT_INT32 tensor_shape {} int_val: 2 }\n"
        "b = Const() dtype type: DT_INT32; value tensor { dtype: DT_INT32 tensor_shape {} int_val: 10 }\n"
        "g = CollectiveAssignGroupV2(a, i, b)\n y0 = Identity(g) T type: DT_INT32\n"
        "y1 = Identity(g:1) T type: DT_INT32";
    struct sl_tensor *values[2];
    struct sl_session *s = session_on(f, 1, graph);
    assert_ok(f->err, run(f, s, 0, 1, 0, values));
    assert_int_equal(*(const int32_t *)values[0]->data, 2);
    assert_int_equal(*(const int32_t *)values[1]->data, 11);
    sl_tensor_unref(values[0]);
    sl_tensor_unref(values[1]);
    sl_session_free(s);
}

/* ---- many steps at once */

static void *run_often(void *argument) {
    struct graph_fixture own = *(struct graph_fixture *)((void **)argument)[0];
    const char *wanted = "6 4";
    for (int i = 0; i < 50; i++) all_get(&own, ((void **)argument)[1], 4, &wanted, true);
    return NULL;
}

GRAPH_TEST(steps_meet_by_themselves) {
    enum { THREADS = 4 };
    struct text t = {.n = 0};
    static const char *const values[] = {"0 1", "1 1", "2 1", "3 1"};
    for (int d = 0; d < 4; d++) {
        add_vector(&t, d, values[d]);
        add_keys(&t, d, 4, 1, 1);
        add(&t,
            "u%d = CollectiveReduceV2(x%d, size%d, group%d, instance%d)@/cpu:%d T type: DT_FLOAT; " MERGE("Add", "Id")
                SECONDS(60) "\n o%d = Const()@/cpu:%d dtype type: DT_INT32; value tensor { dtype: DT_INT32 "
                            "tensor_shape {} int_val: 2 }\n y%d = CollectiveReduceV2(u%d, size%d, group%d, "
                            "o%d)@/cpu:%d T type: DT_FLOAT; " MERGE("Min", "Id") "\n",
            d, d, d, d, d, d, d, d, d, d, d, d, d, d);
    }
    add(&t, "done = NoOp()");
    struct sl_session *s = session_on(f, 4, t.bytes);
    pthread_t threads[THREADS];
    void *argument[] = {f, s};
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, run_often, argument);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    sl_session_free(s);
}

int main(void) {
    setenv("SLUICE_PASSES", "off", 1);
    const struct CMUnitTest tests[] = {
        graph_unit_test(members_are_reduced_in_the_order_of_ranks),
        graph_unit_test(ranks_follow_numbers_of_devices),
        graph_unit_test(parts_are_exchanged_and_scattered),
        graph_unit_test(one_sends_to_all),
        graph_unit_test(keys_may_be_attrs),
        graph_unit_test(shapes_and_ops_must_agree),
        graph_unit_test(groups_have_so_many_different_devices),
        graph_unit_test(waiting_ends),
        graph_unit_test(a_step_that_ends_takes_those_who_wait_along),
        graph_unit_test(subgroups_of_a_communicator_meet_by_themselves),
        graph_unit_test(devices_are_assigned_to_groups),
        graph_unit_test(steps_meet_by_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
