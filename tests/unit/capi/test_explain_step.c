/* What steps wait for: queues, mutexes, staging areas, accumulators and loops tell it while they do, and nothing of what
 * asking does disturbs steps that come and go. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "sluice/explain.h"
#include "sluice/flow.h"
#include "sluice/ops.h"
#include "unit/capi/front_fixture.h"

/* One run on a thread of its own. */
struct step {
    TF_Session *session;
    TF_Output y;
    TF_Status *status;
    pthread_t thread;
};

static void *run_step(void *arg) {
    struct step *s = arg;
    TF_Tensor *result = NULL;
    TF_SessionRun(s->session, NULL, NULL, NULL, 0, &s->y, &result, 1, NULL, 0, NULL, s->status);
    if (result) TF_DeleteTensor(result);
    return NULL;
}

static void step_begin(struct step *s, TF_Session *session, TF_Output y) {
    *s = (struct step){.session = session, .y = y, .status = TF_NewStatus()};
    assert_int_equal(pthread_create(&s->thread, NULL, run_step, s), 0);
}

static void step_end(struct step *s, TF_Code code) {
    pthread_join(s->thread, NULL);
    if (TF_GetCode(s->status) != code) fail_msg("%d: %s", TF_GetCode(s->status), TF_Message(s->status));
    TF_DeleteStatus(s->status);
}

/* Asks until the answer has the text: the step needs its time to come there. */
static void ask_until(TF_Session *session, const char *text) {
    const time_t late = time(NULL) + 120;
    TF_Status *status = TF_NewStatus();
    for (bool found = false; !found;) {
        TF_Buffer *answer = sl_explain_step(session, status);
        assert_int_equal(TF_GetCode(status), TF_OK);
        char *lines = calloc(1, answer->length + 1);
        memcpy(lines, answer->data, answer->length);
        found = strstr(lines, text) != NULL;
        if (!found && time(NULL) > late) fail_msg("wanted: %s\nlast said: %s", text, lines);
        free(lines);
        TF_DeleteBuffer(answer);
    }
    TF_DeleteStatus(status);
}

/* Fetching y waits, for what the texts say, and ends when the session is closed. */
static void waits(struct front *f, TF_Output y, const char *const *texts) {
    static const char *const engines[] = {"linear", "frames"};
    for (int e = 0; e < 2; e++) {
        struct step step;
        TF_Status *status = TF_NewStatus();
        setenv("SLUICE_EXEC", engines[e], 1);
        front_open(f);
        unsetenv("SLUICE_EXEC");
        step_begin(&step, f->session, y);
        for (const char *const *t = texts; *t; t++) ask_until(f->session, *t);
        TF_CloseSession(f->session, status);
        step_end(&step, TF_CANCELLED);
        TF_DeleteSession(f->session, status);
        f->session = NULL;
        TF_DeleteStatus(status);
    }
}
#define WAITS(f, y, ...) waits(f, y, (const char *const[]){__VA_ARGS__, NULL})

static const TF_DataType one_float[] = {TF_FLOAT};

static TF_Output queue_of(struct sl_scope *s, int64_t capacity) {
    return sl_fifo_queue_v2(s, (struct sl_fifo_queue_v2_attrs){.component_types = {one_float, 1},
                                                               .capacity = capacity,
                                                               .shared_name = "q"});
}

static TF_Output taken_from(struct sl_scope *s, TF_Output queue) {
    const struct sl_queue_dequeue_v2_attrs attrs = {.component_types = {one_float, 1}, .timeout_ms = -1};
    return (TF_Output){sl_queue_dequeue_v2(s, queue, attrs), 0};
}

static void an_empty_queue_is_told(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output y = taken_from(f.s, queue_of(f.s, 4));
    WAITS(&f, y, "node 'QueueDequeueV2' (QueueDequeueV2) waits on 'q', which is empty\n",
          "empty\n  no node of the graph puts something in\n");
    front_delete(&f);
}

static void who_could_end_a_wait_is_told(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output q = queue_of(f.s, 4), one = sl_scalar(f.s, TF_FLOAT, 1), y = taken_from(f.s, q);
    sl_queue_enqueue_v2(f.s, q, &one, 1);
    sl_queue_enqueue_v2(f.s, q, &y, 1);
    WAITS(&f, y, "  node 'QueueEnqueueV2', which puts something in, is not part of this run, and there is no other\n",
          "  node 'QueueEnqueueV2_1', which puts something in, is not part of this run");
    struct step other, step;
    TF_Status *status = TF_NewStatus();
    TF_Output end = taken_from(f.s, queue_of(f.s, 4)); /* of the same name */
    front_open(&f);
    step_begin(&other, f.session, y);
    step_begin(&step, f.session, end);
    ask_until(f.session,
              "  node 'QueueEnqueueV2', which puts something in, is not part of this run; another may have it\n");
    TF_CloseSession(f.session, status);
    step_end(&other, TF_CANCELLED);
    step_end(&step, TF_CANCELLED);
    TF_DeleteStatus(status);
    front_delete(&f);
}

/* The text of a step whose time is over has the same sentences. */
static void time_that_runs_out_tells_the_chain(void **state) {
    static const unsigned char options[] = {0x10, 100}; /* timeout_in_ms: 100 */
    (void)state;
    struct front f = front_new();
    TF_Output q = queue_of(f.s, 4), y = taken_from(f.s, q);
    sl_queue_enqueue_v2(f.s, q, &y, 1);
    TF_Operation *put = TF_GraphOperationByName(f.graph, "QueueEnqueueV2");
    TF_Status *status = TF_NewStatus();
    TF_Buffer *run_options = TF_NewBufferFromString(options, sizeof options);
    TF_Tensor *result = NULL;
    front_open(&f);
    TF_SessionRun(f.session, run_options, NULL, NULL, 0, &y, &result, 1, (const TF_Operation *const *)&put, 1, NULL,
                  status);
    assert_int_equal(TF_GetCode(status), TF_DEADLINE_EXCEEDED);
    assert_non_null(strstr(TF_Message(status),
                           "Waiting: node 'QueueDequeueV2' (QueueDequeueV2) waits on 'q', which is empty (node "
                           "'QueueEnqueueV2', which puts something in, runs only after node 'QueueDequeueV2')"));
    TF_DeleteBuffer(run_options);
    TF_DeleteStatus(status);
    front_delete(&f);
}

static TF_Output one_after(struct sl_scope *s, TF_Operation *before) {
    sl_push_control(s, &before, 1);
    TF_Output one = sl_identity(s, sl_scalar(s, TF_FLOAT, 1));
    sl_pop(s);
    return one;
}

static void a_full_queue_is_told(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output q = queue_of(f.s, 1), one = sl_scalar(f.s, TF_FLOAT, 1);
    TF_Output put = one_after(f.s, sl_queue_enqueue_v2(f.s, q, &one, 1));
    WAITS(&f, one_after(f.s, sl_queue_enqueue_v2(f.s, q, &put, 1)),
          "node 'QueueEnqueueV2_1' (QueueEnqueueV2) waits on 'q', which is full with 1\n");
    front_delete(&f);
}

static void all_that_wait_are_told(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output q = queue_of(f.s, 1);
    WAITS(&f, sl_add_v2(f.s, taken_from(f.s, q), taken_from(f.s, q)), "which is empty; 2 nodes wait there\n",
          "node 'QueueDequeueV2' (", "node 'QueueDequeueV2_1' (");
    front_delete(&f);
}

static void who_holds_a_mutex_is_told(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output m = sl_mutex_v2(f.s), first = sl_mutex_lock_op(f.s, m);
    TF_Operation *before = first.oper;
    sl_push_control(f.s, &before, 1);
    TF_Operation *second = sl_mutex_lock_op(f.s, m).oper;
    sl_pop(f.s);
    sl_push_control(f.s, &second, 1);
    TF_Operation *after = sl_consume_mutex_lock(f.s, first); /* keeps the first lock until the second is there */
    sl_pop(f.s);
    WAITS(&f, one_after(f.s, after),
          "node 'MutexLock_1' (MutexLock) waits for a mutex, which node 'MutexLock' holds\n"
          "  node 'ConsumeMutexLock', which releases it, runs only after node 'MutexLock_1'\n");
    front_delete(&f);
}

static void staging_and_accumulators_are_told(void **state) {
    (void)state;
    struct front f = front_new();
    struct sl_unstage_attrs staged = {.dtypes = {one_float, 1}, .shared_name = "area"};
    WAITS(&f, ((TF_Output){sl_unstage(f.s, staged), 0}), "(Unstage) waits on 'area', which holds 0\n");
    TF_Output sum = sl_resource_conditional_accumulator(
        f.s, (struct sl_resource_conditional_accumulator_attrs){
                 .dtype = TF_FLOAT, .shape = SL_SCALAR, .shared_name = "sum", .reduction_type = "MEAN"});
    WAITS(&f,
          sl_resource_accumulator_take_gradient(f.s, sum, sl_scalar(f.s, TF_INT32, 2),
                                                (struct sl_resource_accumulator_take_gradient_attrs){.dtype =
                                                                                                         TF_FLOAT}),
          "waits on 'sum', which has 0 gradients of step 0\n");
    front_delete(&f);
}

static TF_Output is_less(struct sl_scope *s, const TF_Output *v, void *arg) {
    (void)arg;
    return sl_less(s, v[0], v[1]);
}
static void stay(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    (void)arg;
    next[0] = sl_mul(s, v[0], v[0]);
    next[1] = v[1];
}
static void loops_answer(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output v[2] = {sl_scalar(f.s, TF_INT32, 1), sl_scalar(f.s, TF_INT32, 7)};
    sl_while(f.s, v, v, 2, is_less, stay, NULL, NULL);
    WAITS(&f, v[0], "loop '", "' goes round, ", " iterations so far; ");
    front_delete(&f);
}

static void nothing_runs_and_nothing_is_told(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Status *status = TF_NewStatus();
    front_open(&f);
    TF_Buffer *answer = sl_explain_step(f.session, status);
    assert_int_equal(TF_GetCode(status), TF_OK);
    assert_int_equal(answer->length, 0);
    TF_DeleteBuffer(answer);
    TF_DeleteStatus(status);
    front_delete(&f);
}

/* ---- those that ask, beside steps that wait for a moment */
enum { ROUNDS = 300 };
static void *ask_often(void *arg) {
    TF_Status *status = TF_NewStatus();
    for (int i = 0; i < ROUNDS / 10; i++) {
        TF_Buffer *answer = sl_explain_step(arg, status);
        if (answer) TF_DeleteBuffer(answer);
    }
    TF_DeleteStatus(status);
    return NULL;
}
static void asking_disturbs_nobody(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output q = queue_of(f.s, 1), one = sl_scalar(f.s, TF_FLOAT, 1), y = taken_from(f.s, q);
    TF_Output put = one_after(f.s, sl_queue_enqueue_v2(f.s, q, &one, 1));
    pthread_t askers[2];
    front_open(&f);
    for (int a = 0; a < 2; a++) assert_int_equal(pthread_create(&askers[a], NULL, ask_often, f.session), 0);
    for (int i = 0; i < ROUNDS; i++) {
        struct step taker, putter;
        step_begin(&taker, f.session, y);
        step_begin(&putter, f.session, put);
        step_end(&putter, TF_OK);
        step_end(&taker, TF_OK);
    }
    for (int a = 0; a < 2; a++) pthread_join(askers[a], NULL);
    front_delete(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_queue_is_told),
        cmocka_unit_test(who_could_end_a_wait_is_told),
        cmocka_unit_test(time_that_runs_out_tells_the_chain),
        cmocka_unit_test(a_full_queue_is_told),
        cmocka_unit_test(all_that_wait_are_told),
        cmocka_unit_test(who_holds_a_mutex_is_told),
        cmocka_unit_test(staging_and_accumulators_are_told),
        cmocka_unit_test(loops_answer),
        cmocka_unit_test(nothing_runs_and_nothing_is_told),
        cmocka_unit_test(asking_disturbs_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
