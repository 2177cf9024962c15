/* Collectives whose members are in several tasks: the same bits as within one process, for few elements and for many, and
 * ends in bounded time with names when a member does not come, does not fit, or goes. */
#include <pthread.h>
#include <unistd.h>

#include "dist/tensor_wire.h"
#include "unit/dist/dist_fixture.h"
#include "unit/dist/graph_words.h"

static const char *const places[SERVERS] = {WORKER_0, WORKER_1, PS};
static const int rank_of_place[SERVERS] = {1, 2, 0}; /* by name: ps before worker */

static const char *key(struct dist_fixture *f, const char *name, int value, const char *place) {
    return sl_arena_format(&f->arena,
                           NODE("%s", "Const",
                                "attr { key: 'dtype' value { type: DT_INT32 } } attr { key: 'value' value { tensor { "
                                "dtype: DT_INT32 tensor_shape { } int_val: %d } } } %s"),
                           name, value, place);
}

/* "x<i>" at a place: `n` elements that differ, and so do their sums in another order. */
static const char *vector(struct dist_fixture *f, int i, int n) {
    return sl_arena_format(
        &f->arena,
        NODE("one%d", "Const",
             FLOAT "attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: %d } } float_val: "
                   "%d.37 } } } %s"),
        i, n, 1 << (11 * i), places[i]);
}

/* "y<i> = op(one<i>, size<i>, group<i>, instance<i>)". */
static const char *member(struct dist_fixture *f, int i, const char *op, const char *attrs, int size, int elements) {
    const char *k[3] = {"size", "group", "instance"};
    const int values[3] = {size, 7, 70};
    const char *keys = "";
    for (int n = 0; n < 3; n++)
        keys = sl_arena_format(&f->arena, "%s%s", keys,
                               key(f, sl_arena_format(&f->arena, "%s%d", k[n], i), values[n], places[i]));
    return sl_arena_format(&f->arena,
                           "%s%s" NODE("y%d", "%s",
                                       T_FLOAT IN("one%d") IN("size%d") IN("group%d") IN("instance%d") "%s %s"),
                           vector(f, i, elements), keys, i, op, i, i, i, i, attrs, places[i]);
}

#define SUM_ATTRS  "attr { key: 'merge_op' value { s: 'Add' } } attr { key: 'final_op' value { s: 'Id' } } "
#define SECONDS(s) "attr { key: 'timeout_seconds' value { f: " s " } } "

/* What a place gets; all three are fetched. */
static void run_all(struct dist_fixture *f, const char *graph, struct sl_tensor *got[SERVERS]) {
    struct sl_pb_RunStepResponse answer;
    create_session(f, graph, "");
    const char *text = sl_arena_format(
        &f->arena, "session_handle: '%s' store_errors_in_response_body: true fetch: 'y0:0' fetch: 'y1:0' fetch: 'y2:0'",
        f->session);
    for (int again = 0; again < 3; again++) {
        assert_ok(f->err, CALL(f, "a:1", "MasterService", RunStep, text, &answer));
        if (answer.status_code) fail_msg("%.*s", SL_STR_ARG(answer.status_error_message));
        assert_int_equal(answer.tensor.n, SERVERS);
        for (size_t i = 0; i < SERVERS; i++) {
            struct sl_tensor *t;
            assert_ok(f->err, sl_wire_read_tensor(&t, answer.tensor.items[i].tensor, NULL, &f->err));
            int place = answer.tensor.items[i].name.p[1] - '0';
            if (again) sl_tensor_unref(got[place]);
            got[place] = t;
        }
    }
    close_session(f);
}

static float element(int rank) {
    for (int i = 0; i < SERVERS; i++)
        if (rank_of_place[i] == rank) return (float)(1 << (11 * i)) + .37f;
    return 0;
}

static void sums_are_by_rank(struct dist_fixture *f, int n) {
    struct sl_tensor *got[SERVERS];
    const char *graph = "";
    const volatile float first = element(0) + element(1);
    const volatile float sum = first + element(2);
    for (int i = 0; i < SERVERS; i++)
        graph = sl_arena_format(&f->arena, "%s%s", graph, member(f, i, "CollectiveReduceV2", SUM_ATTRS, SERVERS, n));
    run_all(f, graph, got);
    for (int i = 0; i < SERVERS; i++) {
        assert_int_equal(got[i]->count, n);
        for (int e = 0; e < n; e++)
            if (((float *)got[i]->data)[e] != sum) fail_msg("element %d of %d at %d", e, n, i);
        sl_tensor_unref(got[i]);
    }
}

static void a_sum_of_few(void **state) { sums_are_by_rank(*state, 5); }
static void a_sum_of_many(void **state) { sums_are_by_rank(*state, 100001); }
static void a_sum_of_none(void **state) { sums_are_by_rank(*state, 0); }

static void rows_are_by_rank(struct dist_fixture *f, int n) {
    struct sl_tensor *got[SERVERS];
    const char *graph = "";
    for (int i = 0; i < SERVERS; i++)
        graph = sl_arena_format(&f->arena, "%s%s", graph, member(f, i, "CollectiveGatherV2", "", SERVERS, n));
    run_all(f, graph, got);
    for (int i = 0; i < SERVERS; i++) {
        assert_int_equal(got[i]->count, SERVERS * n);
        for (int e = 0; e < SERVERS * n; e++) assert_true(((float *)got[i]->data)[e] == element(e / n));
        sl_tensor_unref(got[i]);
    }
}

static void rows_of_few(void **state) { rows_are_by_rank(*state, 3); }
static void rows_of_many(void **state) { rows_are_by_rank(*state, 40000); }

/* The elements of place 1 go to all. */
static void a_broadcast(struct dist_fixture *f, int n) {
    struct sl_tensor *got[SERVERS];
    const char *graph = "";
    for (int i = 0; i < SERVERS; i++) {
        const char *shape = sl_arena_format(
            &f->arena,
            "attr { key: 'shape' value { shape { dim { size: %d } } } } attr { key: 'group_size' value { i: 3 } "
            "} attr { key: 'group_key' value { i: 9 } } attr { key: 'instance_key' value { i: 90 } } ",
            n);
        const char *node =
            i == 1
                ? sl_arena_format(&f->arena, "%s" NODE("y1", "CollectiveBcastSend", T_FLOAT IN("one1") "%s %s"),
                                  vector(f, 1, n), shape, places[1])
                : sl_arena_format(&f->arena, NODE("y%d", "CollectiveBcastRecv", T_FLOAT "%s %s"), i, shape, places[i]);
        graph = sl_arena_format(&f->arena, "%s%s", graph, node);
    }
    run_all(f, graph, got);
    for (int i = 0; i < SERVERS; i++) {
        assert_int_equal(got[i]->count, n);
        for (int e = 0; e < n; e++) assert_true(((float *)got[i]->data)[e] == element(rank_of_place[1]));
        sl_tensor_unref(got[i]);
    }
}

static void a_broadcast_of_few(void **state) { a_broadcast(*state, 7); }
static void a_broadcast_of_many(void **state) { a_broadcast(*state, 50000); }

/* ---- what goes wrong */

static void shapes_that_differ(void **state) {
    struct dist_fixture *f = *state;
    const char *graph = "";
    for (int i = 0; i < SERVERS; i++)
        graph = sl_arena_format(&f->arena, "%s%s", graph,
                                member(f, i, "CollectiveReduceV2", SUM_ATTRS, SERVERS, i == 2 ? 4 : 5));
    create_session(f, graph, "");
    assert_int_equal(run_step(NULL, f, "fetch: 'y0:0' target: 'y1' target: 'y2'"), SL_INVALID_ARGUMENT);
    assert_non_null(strstr(f->err.message, "Shape mismatch in the collective instance 70"));
    close_session(f);
}

static void sizes_that_differ(void **state) {
    struct dist_fixture *f = *state;
    const char *graph = "";
    for (int i = 0; i < SERVERS; i++)
        graph = sl_arena_format(&f->arena, "%s%s", graph,
                                member(f, i, "CollectiveReduceV2", SUM_ATTRS SECONDS("5"), i == 2 ? 4 : 3, 5));
    create_session(f, graph, "");
    assert_int_equal(run_step(NULL, f, "fetch: 'y0:0' target: 'y1' target: 'y2'"), SL_INTERNAL);
    assert_non_null(strstr(f->err.message, "is joining a group with size"));
    close_session(f);
}

struct late_step {
    struct dist_fixture f;
    const char *more;
    pthread_t thread;
    atomic_bool has_ended;
    sl_code code;
};

static void *run_late(void *arg) {
    struct late_step *l = arg;
    l->code = run_step(NULL, &l->f, l->more);
    atomic_store(&l->has_ended, true);
    return NULL;
}

static void run_while_time_passes(struct late_step *l, struct dist_fixture *f, const char *more) {
    *l = (struct late_step){.more = more};
    l->f.net = f->net;
    sl_arena_init(&l->f.arena);
    memcpy(l->f.session, f->session, sizeof f->session);
    pthread_create(&l->thread, NULL, run_late, l);
    while (!atomic_load(&l->has_ended)) {
        fake_net_advance(f->net, 100000000);
        usleep(1000);
    }
    pthread_join(l->thread, NULL);
    sl_arena_clear(&l->f.arena);
}

/* Twice: before the group is known, and when it is. */
static void a_member_that_does_not_come(void **state) {
    struct dist_fixture *f = *state;
    struct late_step l;
    const char *graph = "";
    for (int i = 0; i < SERVERS; i++)
        graph = sl_arena_format(&f->arena, "%s%s", graph,
                                member(f, i, "CollectiveReduceV2", SUM_ATTRS SECONDS("20"), SERVERS, 5));
    create_session(f, graph, "");
    run_while_time_passes(&l, f, "target: 'y0' target: 'y1'");
    assert_int_equal(l.code, SL_DEADLINE_EXCEEDED);
    assert_non_null(strstr(l.f.err.message, "Collective has timed out waiting for other workers: 2 of 3 members"));
    assert_ok(f->err, run_step(NULL, f, "target: 'y0' target: 'y1' target: 'y2'"));
    run_while_time_passes(&l, f, "target: 'y0' target: 'y2'");
    assert_int_equal(l.code, SL_DEADLINE_EXCEEDED);
    assert_non_null(strstr(l.f.err.message, "missing: /job:worker/replica:0/task:1/device:CPU:0"));
    assert_ok(f->err, run_step(NULL, f, "target: 'y0' target: 'y1' target: 'y2'"));
    close_session(f);
}

/* Cut off: those that wait hear of it, and once it is back all goes on. */
static void a_task_that_is_cut_off(void **state) {
    struct dist_fixture *f = *state;
    const char *graph = "";
    for (int i = 0; i < SERVERS; i++)
        graph =
            sl_arena_format(&f->arena, "%s%s", graph, member(f, i, "CollectiveReduceV2", SUM_ATTRS, SERVERS, 60000));
    create_session(f, graph, "");
    assert_ok(f->err, run_step(NULL, f, "target: 'y0' target: 'y1' target: 'y2'"));
    fake_net_cut(f->net, "b:1", true);
    assert_int_equal(run_step(NULL, f, "target: 'y0' target: 'y1' target: 'y2'"), SL_UNAVAILABLE);
    fake_net_cut(f->net, "b:1", false);
    assert_ok(f->err, run_step(NULL, f, "target: 'y0' target: 'y1' target: 'y2'"));
    close_session(f);
}

/* ---- members that call the leader by themselves, as programs do that have no master in common */

#define JOINS(device, incarnation)                                                                                     \
    "group_key: 5 group_size: 2 device_type: 'CPU' is_own_kind: true device_attributes { incarnation: " incarnation    \
    " name: '" device "' } "
#define MEMBER_0 "/job:worker/replica:0/task:0/device:CPU:0"
#define MEMBER_1 "/job:worker/replica:0/task:1/device:CPU:0"

struct own_call {
    struct dist_fixture f;
    const char *text;
    bool joins;
    pthread_t thread;
    atomic_bool has_ended;
    sl_code code;
};

static void *call_leader(void *arg) {
    struct own_call *c = arg;
    c->code = c->joins ? CALL(&c->f, "c:1", "WorkerService", CompleteGroup, c->text, NULL)
                       : CALL(&c->f, "c:1", "WorkerService", CompleteInstance, c->text, NULL);
    atomic_store(&c->has_ended, true);
    return NULL;
}

static void begin_own(struct own_call *c, struct dist_fixture *f, bool joins, const char *text) {
    const char *path = joins ? "/tensorflow.WorkerService/CompleteGroup" : "/tensorflow.WorkerService/CompleteInstance";
    unsigned before = fake_net_count(f->net, path);
    *c = (struct own_call){.text = text, .joins = joins};
    c->f.net = f->net;
    sl_arena_init(&c->f.arena);
    pthread_create(&c->thread, NULL, call_leader, c);
    while (fake_net_count(f->net, path) == before) usleep(1000);
}

static void end_own(struct own_call *c) {
    while (!atomic_load(&c->has_ended)) {
        fake_net_advance(c->f.net, 100000000);
        usleep(1000);
    }
    pthread_join(c->thread, NULL);
    sl_arena_clear(&c->f.arena);
}

static uint64_t incarnation_of(struct dist_fixture *f, const char *address) {
    struct sl_pb_GetStatusResponse told;
    assert_ok(f->err, CALL(f, address, "WorkerService", GetStatus, "", &told));
    return told.device_attributes.items[0].incarnation;
}

static const char *joins_as(struct dist_fixture *f, const char *device, uint64_t incarnation) {
    return sl_arena_format(&f->arena, JOINS("%s", "%llu"), (unsigned long long)incarnation, device);
}

static void fill_group(struct dist_fixture *f) {
    struct own_call c;
    begin_own(&c, f, true, joins_as(f, MEMBER_0, incarnation_of(f, "a:1")));
    assert_ok(f->err,
              CALL(f, "c:1", "WorkerService", CompleteGroup, joins_as(f, MEMBER_1, incarnation_of(f, "b:1")), NULL));
    end_own(&c);
    assert_int_equal(c.code, SL_OK);
}

/* A run of the group, of which one member's element comes along. */
static const char *run_of(struct dist_fixture *f, const char *device, uint64_t incarnation, const char *more) {
    return sl_arena_format(&f->arena,
                           "type: 0 data_type: DT_FLOAT shape { } group_key: 5 group_size: 2 instance_key: 8 "
                           "incarnation: %llu part { device: '%s' content: '1234' } %s",
                           (unsigned long long)incarnation, device, more);
}

static const char *run_of_0(struct dist_fixture *f) { return run_of(f, MEMBER_0, incarnation_of(f, "a:1"), ""); }

static void run_both(struct dist_fixture *f, uint64_t incarnation_1) {
    struct own_call c;
    begin_own(&c, f, false, run_of_0(f));
    assert_ok(f->err, CALL(f, "c:1", "WorkerService", CompleteInstance, run_of(f, MEMBER_1, incarnation_1, ""), NULL));
    end_own(&c);
    assert_int_equal(c.code, SL_OK);
}

/* Nobody calls the member that does not come, so the leader asks whether it is there. */
static void a_member_that_falls_silent(void **state) {
    struct dist_fixture *f = *state;
    struct own_call c;
    fill_group(f);
    fake_net_silence(f->net, "b:1", true);
    begin_own(&c, f, false, run_of_0(f));
    end_own(&c);
    assert_int_equal(c.code, SL_UNAVAILABLE);
    assert_non_null(strstr(c.f.err.message, "/job:worker/replica:0/task:1 has not answered for 10.0 s"));
    fake_net_silence(f->net, "b:1", false);
}

/* Member 1 is started anew while member 0 waits for it, and once more while member 0 does something else: it hears of it
 * in any case, and goes on once it has joined again. */
static void a_member_that_joins_anew(void **state) {
    struct dist_fixture *f = *state;
    struct own_call c;
    const char *join_0 = joins_as(f, MEMBER_0, incarnation_of(f, "a:1"));
    fill_group(f);
    run_both(f, incarnation_of(f, "b:1"));
    begin_own(&c, f, false, run_of_0(f));
    assert_ok(f->err, CALL(f, "c:1", "WorkerService", CompleteGroup, joins_as(f, MEMBER_1, 77), NULL));
    end_own(&c);
    assert_int_equal(c.code, SL_ABORTED);
    assert_non_null(strstr(c.f.err.message, MEMBER_1 " has been started anew"));
    assert_ok(f->err, CALL(f, "c:1", "WorkerService", CompleteGroup, join_0, NULL));
    run_both(f, 77);
    assert_ok(f->err, CALL(f, "c:1", "WorkerService", CompleteGroup, joins_as(f, MEMBER_1, 78), NULL));
    assert_int_equal(CALL(f, "c:1", "WorkerService", CompleteInstance, run_of_0(f), NULL), SL_ABORTED);
    assert_non_null(strstr(f->err.message, "another member of group 5 than " MEMBER_0));
}

/* Member 1 does not hear how a run ended, and joins again: member 0, which has gone on, does not wait for it in the next. */
static void a_member_that_lost_an_answer(void **state) {
    struct dist_fixture *f = *state;
    struct own_call c;
    const char *join_0 = joins_as(f, MEMBER_0, incarnation_of(f, "a:1"));
    const char *join_1 = joins_as(f, MEMBER_1, incarnation_of(f, "b:1"));
    fill_group(f);
    run_both(f, incarnation_of(f, "b:1"));
    begin_own(&c, f, false, run_of_0(f));
    assert_ok(f->err, CALL(f, "c:1", "WorkerService", CompleteGroup, join_1, NULL));
    end_own(&c);
    assert_int_equal(c.code, SL_ABORTED);
    assert_non_null(strstr(c.f.err.message, MEMBER_1 " has been started anew, or has lost what a run gave it"));
    assert_ok(f->err, CALL(f, "c:1", "WorkerService", CompleteGroup, join_1, NULL)); /* no run since: as once */
    assert_int_equal(CALL(f, "c:1", "WorkerService", CompleteInstance, run_of_0(f), NULL), SL_ABORTED);
    assert_ok(f->err, CALL(f, "c:1", "WorkerService", CompleteGroup, join_0, NULL));
    run_both(f, incarnation_of(f, "b:1"));
}

/* Of a group that the leader does not know, since it is another process now; of a process that another one has replaced. */
static void who_is_no_member(void **state) {
    struct dist_fixture *f = *state;
    assert_int_equal(CALL(f, "c:1", "WorkerService", CompleteInstance, run_of_0(f), NULL), SL_ABORTED);
    assert_non_null(strstr(f->err.message, MEMBER_0 " of this incarnation is no member of group 5"));
    fill_group(f);
    assert_int_equal(CALL(f, "c:1", "WorkerService", CompleteInstance, run_of(f, MEMBER_0, 3, ""), NULL), SL_ABORTED);
}

/* The leader asks a process that has taken the place of the member. */
static void a_member_that_is_another_now(void **state) {
    struct dist_fixture *f = *state;
    struct own_call c;
    fill_group(f);
    assert_ok(f->err, CALL(f, "c:1", "WorkerService", CompleteGroup, joins_as(f, MEMBER_1, 77), NULL));
    begin_own(&c, f, false, run_of(f, MEMBER_0, 0, "step_id: 2"));
    end_own(&c);
    assert_int_equal(c.code, SL_ABORTED);
    assert_non_null(strstr(c.f.err.message, "/job:worker/replica:0/task:1 has been started anew"));
}

static void step_sequences(void **state) {
    struct dist_fixture *f = *state;
    struct sl_pb_GetStepSequenceResponse told;
    assert_ok(f->err, CALL(f, "c:1", "WorkerService", GetStepSequence, "graph_key: 5 graph_key: 6", &told));
    assert_int_equal(told.step_sequence.n, 2);
    assert_int_equal(told.step_sequence.items[0].graph_key, 5);
    int64_t first = told.step_sequence.items[0].next_step_id;
    assert_ok(f->err, CALL(f, "c:1", "WorkerService", GetStepSequence, "graph_key: 5", &told));
    assert_int_equal(told.step_sequence.items[0].next_step_id, first);
}

static void peers_that_make_no_sense(void **state) {
    struct dist_fixture *f = *state;
#define GROUP(size, device)                                                                                            \
    "group_key: 3 group_size: " size " device_type: 'CPU' device_attributes { name: '" device "' } "
    assert_int_equal(CALL(f, "c:1", "WorkerService", CompleteGroup,
                          GROUP("1", "/job:no/task:9/cpu:0") "is_own_kind: true", NULL),
                     SL_INVALID_ARGUMENT);
    assert_int_equal(CALL(f, "c:1", "WorkerService", CompleteGroup,
                          GROUP("-1", "/job:ps/task:0/cpu:0") "is_own_kind: true", NULL),
                     SL_INVALID_ARGUMENT);
    assert_int_equal(CALL(f, "c:1", "WorkerService", CompleteInstance, "group_size: 1", NULL), SL_ABORTED);
    assert_int_equal(CALL(f, "c:1", "WorkerService", CompleteInstance, "group_size: 0", NULL), SL_ABORTED);
    assert_int_equal(CALL(f, "c:1", "WorkerService", CompleteInstance,
                          "group_size: 0 instance_key: 5 part { device: 'x' }", NULL),
                     SL_INVALID_ARGUMENT);
    assert_int_equal(CALL(f, "c:1", "WorkerService", CompleteInstance,
                          "group_size: 2 instance_key: 4 part { device: 'x' } part { device: 'x' }", NULL),
                     SL_INVALID_ARGUMENT);
    assert_int_equal(CALL(f, "c:1", "WorkerService", RecvBuf, "buf_rendezvous_key: 'x'", NULL), SL_INVALID_ARGUMENT);
    assert_int_equal(CALL(f, "c:1", "WorkerService", RecvBuf, "buf_rendezvous_key: '1:2:x'", NULL),
                     SL_INVALID_ARGUMENT);
}

/* ---- TensorFlow's ring among our own tasks */

static int ring_setup(void **state) {
    setenv("SLUICE_COLLECTIVES", "ring", 1);
    int failed = dist_setup(state);
    unsetenv("SLUICE_COLLECTIVES");
    return failed;
}

/* Chunk c, of a multiple of 64 bytes, is added up from rank c on. */
static void ring_sums(struct dist_fixture *f, int n, int chunk) {
    struct sl_tensor *got[SERVERS];
    const char *graph = "";
    for (int i = 0; i < SERVERS; i++)
        graph = sl_arena_format(&f->arena, "%s%s", graph, member(f, i, "CollectiveReduceV2", SUM_ATTRS, SERVERS, n));
    run_all(f, graph, got);
    for (int i = 0; i < SERVERS; i++) {
        assert_int_equal(got[i]->count, n);
        for (int e = 0; e < n; e++) {
            const int c = e / chunk;
            const volatile float first = element(c % SERVERS) + element((c + 1) % SERVERS);
            const volatile float sum = first + element((c + 2) % SERVERS);
            if (((float *)got[i]->data)[e] != sum) fail_msg("element %d of %d at %d", e, n, i);
        }
        sl_tensor_unref(got[i]);
    }
}

static void a_ring_of_one(void **state) { ring_sums(*state, 1, 16); }
static void a_ring_of_few(void **state) { ring_sums(*state, 50, 32); }
static void a_ring_of_many(void **state) { ring_sums(*state, 100001, 33344); }

/* The keys are those that TensorFlow's servers ask for: what nobody has offered waits, and a range of another size is an
 * error, also for those who take part. */
static void a_ring_that_is_asked_for_other_sizes(void **state) {
    struct dist_fixture *f = *state;
    struct sl_pb_RecvBufResponse told;
    const char *graph = "";
    for (int i = 0; i < SERVERS; i++)
        graph = sl_arena_format(&f->arena, "%s%s", graph, member(f, i, "CollectiveReduceV2", SUM_ATTRS, SERVERS, 5));
    create_session(f, graph, "");
    assert_ok(f->err, run_step(NULL, f, "target: 'y0' target: 'y1' target: 'y2'"));
    assert_int_equal(CALL(f, "b:1", "WorkerService", RecvBuf,
                          "buf_rendezvous_key: '' num_bytes: 4 src_device: '/job:worker/task:1/cpu:0'", &told),
                     SL_INVALID_ARGUMENT);
    assert_int_equal(CALL(f, "b:1", "WorkerService", RecvBuf,
                          "buf_rendezvous_key: '7:70:0:0:0:0:1' num_bytes: -4 src_device: '/job:worker/task:1/cpu:0'",
                          &told),
                     SL_INVALID_ARGUMENT);
    close_session(f);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, dist_setup, dist_teardown)
#define RING(name) cmocka_unit_test_setup_teardown(name, ring_setup, dist_teardown)

int main(void) {
    const struct CMUnitTest tests[] = {TEST(a_sum_of_few),
                                       TEST(a_sum_of_many),
                                       TEST(a_sum_of_none),
                                       TEST(rows_of_few),
                                       TEST(rows_of_many),
                                       TEST(a_broadcast_of_few),
                                       TEST(a_broadcast_of_many),
                                       TEST(shapes_that_differ),
                                       TEST(sizes_that_differ),
                                       TEST(a_member_that_does_not_come),
                                       TEST(a_task_that_is_cut_off),
                                       TEST(a_member_that_falls_silent),
                                       TEST(a_member_that_joins_anew),
                                       TEST(a_member_that_lost_an_answer),
                                       TEST(a_member_that_is_another_now),
                                       TEST(who_is_no_member),
                                       TEST(step_sequences),
                                       TEST(peers_that_make_no_sense),
                                       RING(a_ring_of_one),
                                       RING(a_ring_of_few),
                                       RING(a_ring_of_many),
                                       RING(a_sum_of_none),
                                       RING(rows_of_few),
                                       RING(rows_of_many),
                                       RING(a_broadcast_of_few),
                                       RING(a_broadcast_of_many),
                                       RING(shapes_that_differ),
                                       RING(sizes_that_differ),
                                       RING(a_task_that_is_cut_off),
                                       RING(a_ring_that_is_asked_for_other_sizes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
