/* Threads that are bounded: how many there are, and that what waits does not keep out what it waits for. A test that
 * fails in the latter never ends. */
#include "os/bounded_threads.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "os/mutex.h"
#include "os/thread.h"
#include "unit/unit.h"

enum { MOST = 2 };

struct scene {
    struct sl_bounded_threads *threads;
    struct sl_mutex mutex; /* guards the next three */
    struct sl_condition changed;
    bool is_open;
    int n_done;
    atomic_bool is_told;
    atomic_int n_now, n_most;
    struct sl_error err;
};

static int setup(void **state) {
    struct scene *s = calloc(1, sizeof *s);
    sl_mutex_init(&s->mutex);
    sl_condition_init(&s->changed);
    assert_ok(s->err, sl_bounded_threads_new(&s->threads, MOST, &s->err));
    *state = s;
    return 0;
}

static int teardown(void **state) {
    struct scene *s = *state;
    sl_bounded_threads_free(s->threads);
    sl_condition_clear(&s->changed);
    sl_mutex_clear(&s->mutex);
    free(s);
    return 0;
}

/* The last that a task does with the scene. */
static void done(struct scene *s) {
    sl_mutex_lock(&s->mutex);
    s->n_done++;
    sl_condition_broadcast(&s->changed);
    sl_mutex_unlock(&s->mutex);
}

static void wait_for(struct scene *s, int n) {
    sl_mutex_lock(&s->mutex);
    while (s->n_done < n) sl_condition_wait(&s->changed, &s->mutex);
    sl_mutex_unlock(&s->mutex);
}

static void run(struct scene *s, void (*fn)(void *arg), int n) {
    for (int i = 0; i < n; i++) sl_bounded_threads_run(s->threads, fn, s);
}

static void compute(void *arg) {
    struct scene *s = arg;
    const int now = atomic_fetch_add(&s->n_now, 1) + 1;
    int most = atomic_load(&s->n_most);
    while (now > most && !atomic_compare_exchange_weak(&s->n_most, &most, now)) {}
    for (volatile int i = 0; i < 20000; i++) {}
    atomic_fetch_sub(&s->n_now, 1);
    done(s);
}

static void wait_until_open(void *arg) {
    struct scene *s = arg;
    sl_mutex_lock(&s->mutex);
    while (!s->is_open) sl_condition_wait(&s->changed, &s->mutex);
    sl_mutex_unlock(&s->mutex);
    done(s);
}

static void open_up(void *arg) {
    struct scene *s = arg;
    sl_mutex_lock(&s->mutex);
    s->is_open = true;
    sl_condition_broadcast(&s->changed);
    sl_mutex_unlock(&s->mutex);
    done(s);
}

static void spin_until_told(void *arg) {
    struct scene *s = arg;
    while (!atomic_load(&s->is_told)) sl_thread_yield();
    done(s);
}

static void tell(void *arg) {
    struct scene *s = arg;
    atomic_store(&s->is_told, true);
    done(s);
}

/* A machine that is busy may let all of them stand for a tenth of a second now and then: one more each time. */
static void few_compute_at_a_time(void **state) {
    struct scene *s = *state;
    run(s, compute, 5000);
    wait_for(s, 5000);
    assert_in_range(atomic_load(&s->n_most), 1, 10 * MOST);
}

static void what_waits_lets_others_by(void **state) {
    struct scene *s = *state;
    run(s, wait_until_open, 60);
    run(s, compute, 10);
    run(s, open_up, 1);
    wait_for(s, 71);
}

static void what_spins_lets_others_by(void **state) {
    struct scene *s = *state;
    run(s, spin_until_told, MOST + 2);
    run(s, tell, 1);
    wait_for(s, MOST + 3);
}

/* Nobody else would end those that run, and nothing of what queues may begin. */
static void urgent_tasks_go_beside_all_others(void **state) {
    struct scene *s = *state;
    run(s, spin_until_told, MOST);
    run(s, compute, 5);
    sl_bounded_threads_run_first(s->threads, tell, s);
    wait_for(s, MOST + 6);
}

/* Each gives the next one and waits for its end, so deep. */
struct nested {
    struct scene *scene;
    int depth;
    bool is_done; /* guarded by the scene's mutex */
};

static void give_the_next(void *arg) {
    struct nested *me = arg, next = {me->scene, me->depth - 1, me->depth == 0};
    struct scene *s = me->scene;
    if (me->depth) sl_bounded_threads_run(s->threads, give_the_next, &next);
    sl_mutex_lock(&s->mutex);
    while (!next.is_done) sl_condition_wait(&s->changed, &s->mutex);
    me->is_done = true;
    sl_condition_broadcast(&s->changed);
    sl_mutex_unlock(&s->mutex);
}

static void tasks_wait_for_those_that_they_give(void **state) {
    struct scene *s = *state;
    struct nested first = {s, 8, false};
    sl_bounded_threads_run(s->threads, give_the_next, &first);
    sl_mutex_lock(&s->mutex);
    while (!first.is_done) sl_condition_wait(&s->changed, &s->mutex);
    sl_mutex_unlock(&s->mutex);
}

static void free_self(void *arg) {
    struct scene *s = arg;
    sl_bounded_threads_free(s->threads);
    s->threads = NULL;
    done(s);
}

static void what_was_given_runs_after_the_end(void **state) {
    struct scene *s = *state;
    run(s, wait_until_open, 8);
    run(s, compute, 100);
    sl_bounded_threads_free(s->threads);
    s->threads = NULL;
    open_up(s);
    wait_for(s, 109);
}

static void a_task_may_end_them(void **state) {
    struct scene *s = *state;
    run(s, compute, 10);
    run(s, free_self, 1);
    wait_for(s, 11);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
int main(void) {
    const struct CMUnitTest tests[] = {TEST(few_compute_at_a_time),
                                       TEST(what_waits_lets_others_by),
                                       TEST(what_spins_lets_others_by),
                                       TEST(urgent_tasks_go_beside_all_others),
                                       TEST(tasks_wait_for_those_that_they_give),
                                       TEST(what_was_given_runs_after_the_end),
                                       TEST(a_task_may_end_them)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
