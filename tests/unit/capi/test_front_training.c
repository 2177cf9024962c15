/* The training loop of sluice/training.h: where it ends, what it saves, resuming to the same bits, hooks, curves,
 * losses that are no numbers. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sluice/layers.h"
#include "sluice/ops.h"
#include "sluice/saver.h"
#include "sluice/train.h"
#include "sluice/training.h"

#include "ckpt/record.h"
#include "unit/capi/front_fixture.h"

static char folder[64];

static int enter_folder(void **state) {
    (void)state;
    strcpy(folder, "/tmp/sluice-training-XXXXXX");
    return !mkdtemp(folder) || chdir(folder);
}
static int leave_folder(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir("/") || system(command);
}

/* A small network with dropout, whose feed is the number of the step. */
struct model {
    struct front f;
    TF_Output x, loss;
    struct sl_training_options o;
};

static struct model model_new(void) {
    struct model m = {.f = front_new()};
    struct sl_scope *s = m.f.s;
    struct sl_var step = sl_step_counter(s);
    m.x = sl_placeholder(s, "x", TF_FLOAT, SL_SCALAR);
    sl_seed(s, 3);
    sl_seed_by_step(s, step.value);
    struct sl_var w = sl_variable(s, "w", sl_initial_uniform(s, TF_FLOAT, SL_SHAPE(8, 8), -1, 1));
    TF_Output y = sl_layer_dropout(s, sl_matmul(s, w.value, w.value), .5, (TF_Output){NULL, 0});
    m.loss = sl_mean_all(s, sl_square(s, sl_sub(s, y, m.x)));
    const struct sl_optimizer adam = {.kind = SL_ADAM, .rate = .01};
    m.o = (struct sl_training_options){
        .step = step, .train = sl_minimize(s, &adam, m.loss, &step), .loss = m.loss, .last_step = 12, .save_every = 5};
    return m;
}

static void feed_step(struct sl_training *t, const struct model *m, float x, TF_Status *status) {
    TF_Tensor *fed = TF_AllocateTensor(TF_FLOAT, NULL, 0, sizeof x);
    *(float *)TF_TensorData(fed) = x;
    sl_training_run(t, &m->x, &fed, 1, NULL, NULL, 0, status);
    TF_DeleteTensor(fed);
}

/* Trains until the end, or for so many steps, after which the process might as well have been killed; where it
 * began. */
static int64_t train(const char *to, int steps) {
    struct model m = model_new();
    TF_Status *status = TF_NewStatus();
    m.o.folder = to;
    struct sl_training *t = sl_training_new(m.f.s, &m.o, status);
    if (!t) fail_msg("%s", TF_Message(status));
    int64_t first = sl_training_first(t);
    assert_int_equal(sl_training_step(t), first);
    while (steps-- && sl_training_goes_on(t, status)) feed_step(t, &m, (float)sl_training_step(t), status);
    if (TF_GetCode(status) != TF_OK) fail_msg("%s", TF_Message(status));
    sl_training_delete(t);
    TF_DeleteStatus(status);
    front_delete(&m.f);
    return first;
}

static void resumed_training_ends_with_the_same_bits(void **state) {
    (void)state;
    assert_int_equal(train("whole", -1), 0);
    assert_int_equal(train("parts", 7), 0); /* saved after 5 */
    assert_int_equal(train("parts", 1), 5);
    assert_int_equal(train("parts", -1), 5);
    assert_int_equal(train("parts", -1), 12); /* nothing is left to do */
    assert_int_equal(system("cmp whole/model.ckpt-10.data-00000-of-00001 parts/model.ckpt-10.data-00000-of-00001"), 0);
    assert_int_equal(system("cmp whole/model.ckpt-12.data-00000-of-00001 parts/model.ckpt-12.data-00000-of-00001"), 0);
    assert_int_not_equal(access("whole/model.ckpt-7.index", F_OK), 0);
}

/* ---- hooks */
struct heard {
    int64_t last, stop_at;
    int n;
    float sum;
};
static void hear(struct sl_training *training, int64_t step, TF_Tensor *const *values, void *arg, TF_Status *status) {
    struct heard *h = arg;
    (void)status;
    h->n++;
    h->last = step;
    h->sum += *(float *)TF_TensorData(values[0]);
    if (step == h->stop_at) sl_training_stop(training);
}
static void refuse(struct sl_training *training, int64_t step, TF_Tensor *const *values, void *arg, TF_Status *status) {
    (void)training, (void)values, (void)arg;
    if (step == 3) TF_SetStatus(status, TF_ABORTED, "enough");
}

static size_t count_records(const char *pattern) {
    char path[256] = {0};
    struct sl_error err;
    struct sl_record_reader *r;
    struct sl_str record;
    bool at_end = false;
    size_t n = 0;
    FILE *list = popen(pattern, "r");
    assert_non_null(fgets(path, sizeof path - 1, list));
    pclose(list);
    path[strcspn(path, "\n")] = 0;
    assert_int_equal(sl_record_reader_open(&r, path, SL_COMPRESSION_NONE, &err), SL_OK);
    while (sl_record_reader_next(&record, &at_end, r, &err) == SL_OK && !at_end) n++;
    sl_record_reader_close(r);
    return n;
}

static void hooks_hear_of_their_steps(void **state) {
    (void)state;
    struct model m = model_new();
    TF_Status *status = TF_NewStatus();
    TF_Output x = sl_identity(m.f.s, m.x);
    struct heard each = {.stop_at = 6}, second = {0};
    const struct sl_hook hooks[] = {{.fetches = &x, .num_fetches = 1, .after = hear, .arg = &each},
                                    {.every = 2, .fetches = &x, .num_fetches = 1, .after = hear, .arg = &second}};
    const struct sl_curve curve = {"x", x};
    m.o.hooks = hooks;
    m.o.num_hooks = 2;
    m.o.curves = &curve;
    m.o.num_curves = 1;
    m.o.curves_every = 3;
    m.o.summary = sl_scalar_summary(m.f.s, sl_string_scalar(m.f.s, "loss"), m.loss);
    m.o.folder = "hooks";
    struct sl_training *t = sl_training_new(m.f.s, &m.o, status);
    if (!t) fail_msg("%s", TF_Message(status));
    while (sl_training_goes_on(t, status)) feed_step(t, &m, 1, status);
    assert_int_equal(TF_GetCode(status), TF_OK);
    assert_int_equal(each.n, 6);
    assert_int_equal(each.last, 6);
    assert_int_equal(second.n, 3);
    assert_true(second.sum == 3);
    assert_int_equal(access("hooks/model.ckpt-6.index", F_OK), 0); /* the end was asked for, so it is saved */
    sl_training_delete(t);
    assert_int_equal(count_records("ls hooks/events*"), 1 + 4); /* the version; two of each curve */
    TF_DeleteStatus(status);
    front_delete(&m.f);
}

static void failures_end_it_before_anything_is_saved(void **state) {
    (void)state;
    for (int by_hook = 0; by_hook < 2; by_hook++) {
        struct model m = model_new();
        TF_Status *status = TF_NewStatus();
        const struct sl_hook hook = {.after = refuse};
        m.o.hooks = &hook;
        m.o.num_hooks = by_hook;
        m.o.folder = "failed";
        m.o.save_every = 1;
        struct sl_training *t = sl_training_new(m.f.s, &m.o, status);
        if (!t) fail_msg("%s", TF_Message(status));
        while (sl_training_goes_on(t, status)) feed_step(t, &m, sl_training_step(t) == 2 && !by_hook ? NAN : 1, status);
        assert_int_equal(TF_GetCode(status), by_hook ? TF_ABORTED : TF_INVALID_ARGUMENT);
        if (!by_hook) assert_non_null(strstr(TF_Message(status), "NaN loss during training: after step 3"));
        assert_int_equal(sl_training_step(t), 3);
        assert_int_not_equal(access("failed/model.ckpt-3.index", F_OK), 0);
        assert_int_equal(access("failed/model.ckpt-2.index", F_OK), 0);
        sl_training_delete(t);
        TF_DeleteStatus(status);
        front_delete(&m.f);
    }
}

static void options_are_checked(void **state) {
    (void)state;
    struct model m = model_new();
    TF_Status *status = TF_NewStatus();
    struct sl_training_options o = m.o;
    o.train = NULL;
    assert_null(sl_training_new(m.f.s, &o, status));
    assert_int_equal(TF_GetCode(status), TF_INVALID_ARGUMENT);
    o = m.o;
    o.step.value = m.loss;
    assert_null(sl_training_new(m.f.s, &o, status));
    assert_int_equal(TF_GetCode(status), TF_INVALID_ARGUMENT);
    assert_non_null(strstr(TF_Message(status), "counter"));
    sl_scope_fail(m.f.s, TF_OUT_OF_RANGE, "the graph is not right"); /* that is the reason, whatever else is missing */
    assert_null(sl_training_new(m.f.s, &o, status));
    assert_int_equal(TF_GetCode(status), TF_OUT_OF_RANGE);
    assert_string_equal(TF_Message(status), "the graph is not right");
    TF_DeleteStatus(status);
    front_delete(&m.f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(resumed_training_ends_with_the_same_bits, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(hooks_hear_of_their_steps, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(failures_end_it_before_anything_is_saved, enter_folder, leave_folder),
        cmocka_unit_test(options_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
