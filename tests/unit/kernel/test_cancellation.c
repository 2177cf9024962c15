/* Cancellation: reasons, deadlines, children, callbacks. */
#include <pthread.h>
#include <sched.h>

#include "kernel/cancellation.h"
#include "os/clock.h"
#include "unit/unit.h"

static struct sl_error err;

static struct sl_cancellation *cancellation(struct sl_cancellation *parent) {
    struct sl_cancellation *c;
    assert_ok(err, sl_cancellation_new(&c, parent, &err));
    return c;
}

static void the_first_reason_stays(void **state) {
    (void)state;
    struct sl_cancellation *c = cancellation(NULL);
    assert_false(sl_cancellation_is_on(c));
    assert_ok(err, sl_cancellation_status(c, &err));
    sl_cancellation_start(c, SL_ABORTED, "first");
    sl_cancellation_start(c, SL_INTERNAL, "second");
    assert_true(sl_cancellation_is_on(c));
    assert_fails(err, SL_ABORTED, "first", sl_cancellation_status(c, &err));
    sl_cancellation_free(c);
}

static void a_deadline_ends_it_and_not_before(void **state) {
    (void)state;
    struct sl_cancellation *c = cancellation(NULL), *late = cancellation(NULL);
    sl_cancellation_set_deadline(c, sl_clock_ns() + INT64_C(3600000000000));
    assert_false(sl_cancellation_is_on(c));
    sl_cancellation_set_deadline(late, sl_clock_ns() - 1);
    assert_fails(err, SL_DEADLINE_EXCEEDED, "Timed out", sl_cancellation_status(late, &err));
    sl_cancellation_free(c);
    sl_cancellation_free(late);
}

/* A child ends as its parent does, also when the parent has ended before; a parent does not end with a child. */
static void children_end_with_the_reason_of_their_parent(void **state) {
    (void)state;
    struct sl_cancellation *parent = cancellation(NULL), *child = cancellation(parent), *other = cancellation(parent);
    sl_cancellation_start(other, SL_ABORTED, "alone");
    assert_false(sl_cancellation_is_on(parent) || sl_cancellation_is_on(child));
    sl_cancellation_start(parent, SL_DEADLINE_EXCEEDED, "too late");
    assert_fails(err, SL_DEADLINE_EXCEEDED, "too late", sl_cancellation_status(child, &err));
    assert_fails(err, SL_ABORTED, "alone", sl_cancellation_status(other, &err));
    sl_cancellation_free(child);
    child = cancellation(parent);
    assert_fails(err, SL_DEADLINE_EXCEEDED, "too late", sl_cancellation_status(child, &err));
    sl_cancellation_free(child);
    sl_cancellation_free(other);
    sl_cancellation_free(parent);
}

static void count(void *n) { ++*(int *)n; }

static void callbacks_are_called_once_or_taken_back(void **state) {
    (void)state;
    struct sl_cancellation *c = cancellation(NULL);
    int n[3] = {0};
    struct sl_cancellation_callback callbacks[3];
    for (int i = 0; i < 3; i++) {
        callbacks[i] = (struct sl_cancellation_callback){.fn = count, .arg = &n[i]};
        assert_true(sl_cancellation_register(c, &callbacks[i]));
    }
    assert_true(sl_cancellation_unregister(c, &callbacks[1])); /* from the middle */
    sl_cancellation_start(c, SL_CANCELLED, "now");
    sl_cancellation_start(c, SL_CANCELLED, "again");
    assert_true(n[0] == 1 && n[1] == 0 && n[2] == 1);
    assert_false(sl_cancellation_unregister(c, &callbacks[0]));
    assert_false(sl_cancellation_register(c, &callbacks[1]));
    assert_int_equal(n[1], 0);
    sl_cancellation_free(c);
}

struct slow {
    atomic_int began, ended;
};
static void begin_and_end(void *arg) {
    struct slow *s = arg;
    atomic_store(&s->began, 1);
    sl_sleep_ns(20000000); /* what unregister must wait for */
    atomic_store(&s->ended, 1);
}
static void *start(void *c) {
    sl_cancellation_start(c, SL_CANCELLED, "now");
    return NULL;
}

/* A callback that runs on another thread is over when it is taken back: what it works on may go then. */
static void taking_back_waits_for_what_runs(void **state) {
    (void)state;
    struct sl_cancellation *c = cancellation(NULL);
    struct slow s = {0, 0};
    struct sl_cancellation_callback callback = {.fn = begin_and_end, .arg = &s};
    pthread_t thread;
    assert_true(sl_cancellation_register(c, &callback));
    assert_int_equal(pthread_create(&thread, NULL, start, c), 0);
    while (!atomic_load(&s.began)) sched_yield();
    assert_false(sl_cancellation_unregister(c, &callback));
    assert_int_equal(atomic_load(&s.ended), 1);
    pthread_join(thread, NULL);
    sl_cancellation_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_reason_stays),
        cmocka_unit_test(a_deadline_ends_it_and_not_before),
        cmocka_unit_test(children_end_with_the_reason_of_their_parent),
        cmocka_unit_test(callbacks_are_called_once_or_taken_back),
        cmocka_unit_test(taking_back_waits_for_what_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
