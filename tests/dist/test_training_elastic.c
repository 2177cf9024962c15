/* An elastic training of sluice/training.h: a task goes for good or comes back, and the weights in the end are those that follow
 * from which tasks were there in which step: their mean. */
#include <math.h>
#include <signal.h>
#include <stdlib.h>

#include "dist/task_processes.h"
#include "sluice/devices.h"
#include "sluice/ops.h"
#include "sluice/train.h"
#include "sluice/training.h"
#include "unit/unit.h"

enum { TASKS = 3, STEPS = 24, SAVES = 4 };

static const char *const names[TASKS - 1] = {"/job:worker/task:1", "/job:worker/task:2"};

struct story {
    struct task_processes tasks;
    const char *folder;
    int killed_at, back_at; /* steps of task 2; -1: never */
    int there[STEPS];       /* who computed each step: bits */
    int lives;
    TF_Output value; /* of the weight, in the present life */
    float weight;
};

static int number_of(const char *name) { return name[strlen(name) - 1] - '0'; }

/* Each task's loss is least at ten times its number. */
static void build(struct sl_scope *s, const char *const *tasks, int n, struct sl_training_options *o, void *arg) {
    struct story *story = arg;
    sl_push_device(s, "/job:worker/task:0");
    struct sl_var step = sl_step_counter(s),
                  weight = sl_variable(s, "weight", sl_initial_zeros(s, TF_FLOAT, SL_SCALAR));
    sl_pop(s);
    struct sl_slices towers[TASKS][1], mean[1];
    const struct sl_slices *all[TASKS];
    const struct sl_optimizer descent = {.kind = SL_SGD, .rate = .1};
    for (int i = 0; i < n; i++) {
        sl_push_device(s, tasks[i]);
        TF_Output loss = sl_square(s, sl_sub(s, weight.value, sl_scalar(s, TF_FLOAT, 10 * number_of(tasks[i]))));
        sl_compute_gradients(s, loss, &weight, 1, towers[i]);
        sl_pop(s);
        all[i] = towers[i];
    }
    sl_average_gradients(s, mean, all, n, 1, "/job:worker/task:0");
    story->value = weight.value;
    o->step = step;
    o->train = sl_apply_gradients(s, &descent, &weight, 1, mean, &step);
    o->last_step = STEPS;
    o->save_every = SAVES;
    o->folder = story->folder;
    o->max_to_keep = STEPS;
    story->lives++;
}

static void run(struct sl_training *t, const char *const *tasks, int n, void *arg, TF_Status *status) {
    struct story *story = arg;
    const int step = (int)sl_training_step(t);
    if (step == story->killed_at) {
        task_signal(&story->tasks, 2, SIGKILL);
        story->killed_at = -1;
    } else if (step == story->back_at) {
        task_start(&story->tasks, 2);
        story->back_at = -1;
    }
    story->there[step] = 0;
    for (int i = 0; i < n; i++) story->there[step] |= 1 << number_of(tasks[i]);
    sl_training_run(t, NULL, NULL, 0, NULL, NULL, 0, status);
}

static void ended(struct sl_training *t, void *arg, TF_Status *status) {
    struct story *story = arg;
    TF_Tensor *value = NULL;
    TF_SessionRun(sl_training_session(t), NULL, NULL, NULL, 0, &story->value, &value, 1, NULL, 0, NULL, status);
    if (TF_GetCode(status) == TF_OK) story->weight = *(const float *)TF_TensorData(value);
    TF_DeleteTensor(value);
}

static void tell(struct story *story, int killed_at, int back_at) {
    static const char *const options[] = {"--heartbeat", "5", NULL};
    char folder[] = "/tmp/sluice-elastic-XXXXXX", target[128], command[64];
    TF_Status *status = TF_NewStatus();
    *story = (struct story){.killed_at = killed_at, .back_at = back_at, .folder = mkdtemp(folder)};
    assert_non_null(story->folder);
    tasks_start(&story->tasks, TASKS, options);
    (void)snprintf(target, sizeof target, "grpc://unix:%s/0", story->tasks.folder);
    const struct sl_elastic_options o = {.size = sizeof o,
                                         .target = target,
                                         .tasks = names,
                                         .num_tasks = TASKS - 1,
                                         .least = 1,
                                         .wait_seconds = 1,
                                         .patience_seconds = 60,
                                         .build = build,
                                         .run = run,
                                         .ended = ended,
                                         .arg = story};
    sl_training_elastic(&o, status);
    if (TF_GetCode(status) != TF_OK) fail_msg("%s", TF_Message(status));
    TF_DeleteStatus(status);
    tasks_end(&story->tasks);
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
    double weight = 0;
    for (int step = 0; step < STEPS; step++) {
        double sum = 0;
        int n = 0;
        for (int t = 1; t < TASKS; t++) {
            if (!(story->there[step] >> t & 1)) continue;
            sum += 2 * (weight - 10 * t);
            n++;
        }
        weight -= .1 * sum / n;
    }
    if (fabs(weight - story->weight) > 1e-4) fail_msg("the weight is %g, not %g", story->weight, weight);
}

enum { BOTH = 6, ONE = 2 };

static void a_task_stays_away(void **state) {
    struct story story;
    (void)state;
    tell(&story, 6, -1);
    assert_int_equal(story.lives, 2);
    for (int step = 0; step < STEPS; step++) assert_int_equal(story.there[step], step < 4 ? BOTH : ONE);
}

/* It comes back after step 9, and is there from the checkpoint after step 12 on. */
static void a_task_comes_back(void **state) {
    struct story story;
    (void)state;
    tell(&story, 6, 9);
    assert_int_equal(story.lives, 3);
    for (int step = 0; step < STEPS; step++) assert_int_equal(story.there[step], step < 4 || step >= 12 ? BOTH : ONE);
}

static void nobody_goes(void **state) {
    struct story story;
    (void)state;
    tell(&story, -1, -1);
    assert_int_equal(story.lives, 1);
}

static void too_few_are_there(void **state) {
    struct task_processes tasks;
    struct sl_elastic_options o = {.size = sizeof o, .tasks = names, .num_tasks = TASKS - 1, .least = 3};
    char target[128];
    TF_Status *status = TF_NewStatus();
    (void)state;
    sl_training_elastic(&o, status);
    assert_int_equal(TF_GetCode(status), TF_INVALID_ARGUMENT);
    tasks_start(&tasks, TASKS, NULL);
    (void)snprintf(target, sizeof target, "grpc://unix:%s/0", tasks.folder);
    task_signal(&tasks, 1, SIGKILL);
    o = (struct sl_elastic_options){.size = sizeof o,
                                    .target = target,
                                    .tasks = names,
                                    .num_tasks = TASKS - 1,
                                    .least = 2,
                                    .wait_seconds = .1,
                                    .patience_seconds = 1,
                                    .build = build,
                                    .run = run};
    sl_training_elastic(&o, status);
    assert_int_equal(TF_GetCode(status), TF_DEADLINE_EXCEEDED);
    assert_non_null(strstr(TF_Message(status), "1 of 2 tasks are there for the training at grpc://unix:"));
    TF_DeleteStatus(status);
    tasks_end(&tasks);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nobody_goes), cmocka_unit_test(a_task_stays_away),
                                       cmocka_unit_test(a_task_comes_back), cmocka_unit_test(too_few_are_there)};
    if (!tasks_may_run()) {
        print_message("no HTTP/2 in this build: no clusters\n");
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
