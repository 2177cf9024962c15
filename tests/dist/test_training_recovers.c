/* The training loop of sluice/training.h at a cluster: tasks, the master among them, are killed and started anew, or stopped, at
 * steps that a seed gives. sl_training_recover goes on from the latest checkpoint, and the weights in the end are those of a
 * training without harm, to the bit. SL_CHAOS_RUNS=n and SL_CHAOS_SEED=n run more, and others. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dist/task_processes.h"
#include "sluice/layers.h"
#include "sluice/ops.h"
#include "sluice/train.h"
#include "sluice/training.h"
#include "unit/capi/front_fixture.h"
#include "unit/unit.h"

enum { TASKS = 3, STEPS = 14, SAVES = 4, HARMS = 3, SIDE = 6 };

struct model {
    struct front f;
    TF_Output x;
    struct sl_var weights[2];
    struct sl_training_options o;
    char target[128];
};

static void make_model(struct model *m, const struct task_processes *tasks, const char *folder) {
    *m = (struct model){.f = front_new()};
    struct sl_scope *s = m->f.s;
    struct sl_var step = sl_step_counter(s);
    m->x = sl_placeholder(s, "x", TF_FLOAT, SL_SCALAR);
    sl_seed(s, 3);
    TF_Output y = {NULL, 0};
    for (int i = 0; i < 2; i++) {
        sl_push_device(s, i ? "/job:worker/task:2" : "/job:worker/task:1");
        m->weights[i] = sl_variable(s, i ? "v" : "w", sl_initial_uniform(s, TF_FLOAT, SL_SHAPE(SIDE, SIDE), -1, 1));
        y = i ? sl_matmul(s, y, m->weights[i].value) : sl_square(s, m->weights[i].value);
        sl_pop(s);
    }
    TF_Output loss = sl_mean_all(s, sl_square(s, sl_sub(s, y, m->x)));
    const struct sl_optimizer adam = {.kind = SL_ADAM, .rate = .1}; /* with slots, where their variables are */
    snprintf(m->target, sizeof m->target, "grpc://unix:%s/0", tasks->folder);
    m->o = (struct sl_training_options){.size = sizeof m->o,
                                        .step = step,
                                        .train = sl_minimize(s, &adam, loss, &step),
                                        .loss = loss,
                                        .last_step = STEPS,
                                        .save_every = SAVES,
                                        .folder = folder,
                                        .target = m->target,
                                        .timeout_ms = 30000};
}

/* What is done to a task before a step, once. */
struct harm {
    int step, task;
    bool stops;
};

static uint64_t roll(uint64_t *state, uint64_t n) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*state >> 33) % n;
}

static void do_harm(struct task_processes *tasks, const struct harm *h) {
    task_signal(tasks, h->task, h->stops ? SIGSTOP : SIGKILL);
    if (!h->stops) task_start(tasks, h->task);
}

static void one_step(struct sl_training *t, const struct model *m, TF_Status *status) {
    TF_Tensor *fed = TF_AllocateTensor(TF_FLOAT, NULL, 0, sizeof(float));
    *(float *)TF_TensorData(fed) = (float)(sl_training_step(t) % 5);
    sl_training_run(t, &m->x, &fed, 1, NULL, NULL, 0, status);
    TF_DeleteTensor(fed);
}

static void read_weights(float out[2][SIDE * SIDE], struct sl_training *t, const struct model *m, TF_Status *status) {
    for (int i = 0; i < 2; i++) {
        TF_Tensor *value = NULL;
        TF_SessionRun(sl_training_session(t), NULL, NULL, NULL, 0, &m->weights[i].value, &value, 1, NULL, 0, NULL,
                      status);
        if (TF_GetCode(status) != TF_OK) return;
        memcpy(out[i], TF_TensorData(value), sizeof *out);
        TF_DeleteTensor(value);
    }
}

/* How often it recovered. */
static int train(float out[2][SIDE * SIDE], struct harm *harms, int n) {
    static const char *const options[] = {"--heartbeat", "2", NULL};
    struct task_processes tasks;
    struct model m;
    char folder[] = "/tmp/sluice-recovers-XXXXXX", command[64];
    int recoveries = 0;
    assert_non_null(mkdtemp(folder));
    tasks_start(&tasks, TASKS, options);
    make_model(&m, &tasks, folder);
    TF_Status *status = TF_NewStatus();
    struct sl_training *t = sl_training_new(m.f.s, &m.o, status);
    if (!t) fail_msg("%s", TF_Message(status));
    for (;; recoveries++) {
        while (sl_training_goes_on(t, status)) {
            for (int h = 0; h < n; h++) {
                if (harms[h].step != sl_training_step(t)) continue;
                do_harm(&tasks, &harms[h]);
                harms[h].step = -1;
            }
            one_step(t, &m, status);
        }
        for (int i = 0; i < TASKS; i++) task_signal(&tasks, i, SIGCONT);
        if (TF_GetCode(status) == TF_OK) read_weights(out, t, &m, status);
        if (TF_GetCode(status) == TF_OK) break;
        if (!sl_training_recover(&t, m.f.s, &m.o, 120, status)) fail_msg("%s", TF_Message(status));
        assert_true(sl_training_step(t) % SAVES == 0 || sl_training_step(t) == STEPS);
    }
    assert_int_equal(sl_training_step(t), STEPS);
    sl_training_delete(t);
    TF_DeleteStatus(status);
    front_delete(&m.f);
    tasks_end(&tasks);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
    return recoveries;
}

static long setting(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text ? atol(text) : otherwise;
}

static void training_recovers(void **state) {
    float want[2][SIDE * SIDE], got[2][SIDE * SIDE];
    const long n = setting("SL_CHAOS_RUNS", 3), start = setting("SL_CHAOS_SEED", 1);
    (void)state;
    assert_int_equal(train(want, NULL, 0), 0);
    for (long seed = start; seed < start + n; seed++) {
        uint64_t drawn = (uint64_t)seed * 7919;
        struct harm harms[HARMS];
        for (int h = 0; h < HARMS; h++)
            harms[h] = (struct harm){(int)roll(&drawn, STEPS), (int)roll(&drawn, TASKS), roll(&drawn, 3) == 0};
        const int recoveries = train(got, harms, HARMS);
        if (!recoveries) fail_msg("seed %ld: nothing failed", seed);
        if (memcmp(got, want, sizeof got) != 0) fail_msg("seed %ld: other weights", seed);
    }
}

/* What is no fault of a task, and tasks that do not come back. */
static void what_does_not_recover(void **state) {
    struct task_processes tasks;
    struct model m;
    TF_Status *status = TF_NewStatus();
    (void)state;
    tasks_start(&tasks, TASKS, NULL);
    make_model(&m, &tasks, NULL);
    struct sl_training *t = sl_training_new(m.f.s, &m.o, status);
    if (!t) fail_msg("%s", TF_Message(status));
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "no");
    assert_false(sl_training_recover(&t, m.f.s, &m.o, 60, status));
    assert_string_equal(TF_Message(status), "no");
    assert_non_null(t);
    task_signal(&tasks, 1, SIGKILL);
    TF_SetStatus(status, TF_OK, "");
    one_step(t, &m, status);
    assert_int_equal(TF_GetCode(status), TF_UNAVAILABLE);
    m.o.timeout_ms = 300; /* task 1 stays away */
    assert_false(sl_training_recover(&t, m.f.s, &m.o, 1, status));
    assert_int_not_equal(TF_GetCode(status), TF_OK);
    assert_null(t);
    TF_DeleteStatus(status);
    front_delete(&m.f);
    tasks_end(&tasks);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(training_recovers), cmocka_unit_test(what_does_not_recover)};
    if (!tasks_may_run()) {
        print_message("no HTTP/2 in this build: no clusters\n");
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
