/* Threads that tell waiters: each once, with its error, and none held up by one that waits. */
#include "device/callbacks.h"

#include <dirent.h>
#include <stdlib.h>

#include "os/mutex.h"
#include "unit/unit.h"

/* What the waiters of a test share. */
struct stage {
    struct sl_callbacks *callbacks;
    struct sl_mutex mutex; /* for what follows */
    struct sl_condition changed;
    int n_told, n_inside;
    bool is_open;
    struct sl_error err;
};

struct waiter {
    struct sl_device_waiter base;
    struct stage *stage;
    int place; /* in the order of calls */
    sl_code code;
    struct sl_error err;
};

static int setup(void **state) {
    struct stage *s = calloc(1, sizeof *s);
    sl_mutex_init(&s->mutex);
    sl_condition_init(&s->changed);
    assert_ok(s->err, sl_callbacks_new(&s->callbacks, "test", &s->err));
    *state = s;
    return 0;
}

static int teardown(void **state) {
    struct stage *s = *state;
    sl_callbacks_free(s->callbacks);
    sl_condition_clear(&s->changed);
    sl_mutex_clear(&s->mutex);
    free(s);
    return 0;
}

/* Until so many have been told. */
static void wait_for(struct stage *s, int n) {
    sl_mutex_lock(&s->mutex);
    while (s->n_told < n) sl_condition_wait(&s->changed, &s->mutex);
    sl_mutex_unlock(&s->mutex);
}

static void be_told(struct sl_device_waiter *base, sl_code code, const struct sl_error *err) {
    struct waiter *w = (struct waiter *)base;
    struct stage *s = w->stage;
    w->code = code;
    w->err = *err;
    sl_mutex_lock(&s->mutex);
    w->place = s->n_told++;
    sl_condition_broadcast(&s->changed);
    sl_mutex_unlock(&s->mutex);
}

/* Holds its thread until all of them are inside. */
enum { AT_ONCE = 5 };
static void meet(struct sl_device_waiter *base, sl_code code, const struct sl_error *err) {
    struct stage *s = ((struct waiter *)base)->stage;
    sl_mutex_lock(&s->mutex);
    s->n_inside++;
    sl_condition_broadcast(&s->changed);
    while (s->n_inside < AT_ONCE) sl_condition_wait(&s->changed, &s->mutex);
    sl_mutex_unlock(&s->mutex);
    be_told(base, code, err);
}

/* Holds its thread until the stage is open. */
static void wait_until_open(struct sl_device_waiter *base, sl_code code, const struct sl_error *err) {
    struct stage *s = ((struct waiter *)base)->stage;
    sl_mutex_lock(&s->mutex);
    s->n_inside++;
    sl_condition_broadcast(&s->changed);
    while (!s->is_open) sl_condition_wait(&s->changed, &s->mutex);
    sl_mutex_unlock(&s->mutex);
    be_told(base, code, err);
}

static void post(struct stage *s, struct waiter *w, sl_code code, const struct sl_error *err) {
    w->stage = s;
    if (!w->base.done) w->base.done = be_told;
    sl_callbacks_post(s->callbacks, &w->base, code, err);
}

static void errors_are_copied(void **state) {
    struct waiter good = {.code = SL_UNKNOWN}, bad = {.code = SL_OK};
    struct sl_error err = {0};
    sl_fail(&err, SL_INTERNAL, "the stream broke");
    post(*state, &bad, SL_INTERNAL, &err);
    sl_fail(&err, SL_ABORTED, "something else"); /* the caller's again */
    post(*state, &good, SL_OK, NULL);
    wait_for(*state, 2);
    assert_int_equal(bad.code, SL_INTERNAL);
    assert_string_equal(bad.err.message, "the stream broke");
    assert_int_equal(good.code, SL_OK);
    assert_string_equal(good.err.message, "");
}

static int n_threads(void) {
    DIR *tasks = opendir("/proc/self/task");
    int n = 0;
    assert_non_null(tasks);
    while (readdir(tasks)) n++;
    closedir(tasks);
    return n;
}

/* Threads are used again: one or two do when nobody waits. */
static void one_after_the_other(void **state) {
    enum { MANY = 1000 };
    for (int i = 0; i < MANY; i++) {
        struct waiter w = {.place = -1};
        post(*state, &w, SL_OK, NULL);
        wait_for(*state, i + 1);
        assert_int_equal(w.place, i);
    }
    assert_true(n_threads() < MANY / 4);
}

static void who_waits_holds_nobody_up(void **state) {
    struct waiter all[AT_ONCE] = {{.place = 0}};
    for (int i = 0; i < AT_ONCE; i++) {
        all[i].base.done = meet; /* returns when all have been called */
        post(*state, &all[i], SL_OK, NULL);
    }
    wait_for(*state, AT_ONCE);
}

/* A waiter posts another one, and waits for it. */
static void post_and_wait(struct sl_device_waiter *base, sl_code code, const struct sl_error *err) {
    struct waiter *w = (struct waiter *)base, inner = {.place = 0};
    post(w->stage, &inner, SL_OK, NULL);
    wait_for(w->stage, 1);
    be_told(base, code, err);
}

static void waiters_may_post(void **state) {
    struct waiter w = {.base.done = post_and_wait};
    post(*state, &w, SL_OK, NULL);
    wait_for(*state, 2);
    assert_int_equal(w.place, 1);
}

static void *open_later(void *arg) {
    struct stage *s = arg;
    sl_mutex_lock(&s->mutex);
    while (s->n_inside < 1) sl_condition_wait(&s->changed, &s->mutex);
    s->is_open = true;
    sl_condition_broadcast(&s->changed);
    sl_mutex_unlock(&s->mutex);
    return NULL;
}

/* None is forgotten when the end comes. */
static void the_end_waits_for_all(void **state) {
    struct stage *s = *state;
    struct waiter all[50] = {{.place = 0}};
    pthread_t thread;
    for (int i = 0; i < 50; i++) {
        all[i].base.done = wait_until_open;
        post(s, &all[i], SL_OK, NULL);
    }
    pthread_create(&thread, NULL, open_later, s);
    sl_callbacks_free(s->callbacks);
    s->callbacks = NULL; /* freeing nothing is fine */
    assert_int_equal(s->n_told, 50);
    pthread_join(thread, NULL);
}

#define callbacks_unit_test(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {callbacks_unit_test(errors_are_copied), callbacks_unit_test(one_after_the_other),
                                       callbacks_unit_test(who_waits_holds_nobody_up),
                                       callbacks_unit_test(waiters_may_post),
                                       callbacks_unit_test(the_end_waits_for_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
