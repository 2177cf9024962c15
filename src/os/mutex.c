/* The timed wait, the one operation of mutex.h that is more than a pthread call. */
#include "os/mutex.h"

#include <errno.h>
#include <time.h>

#include "os/clock.h"

static struct timespec timespec_of(int64_t ns) {
    if (ns < 0) ns = 0;
    return (struct timespec){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
}

bool sl_condition_wait_until(struct sl_condition *c, struct sl_mutex *m, int64_t deadline_ns) {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 30)
    struct timespec until = timespec_of(deadline_ns);
    return pthread_cond_clockwait(&c->native, &m->native, CLOCK_MONOTONIC, &until) != ETIMEDOUT;
#else
    /* Only waits by the calendar's clock exist. Waiting a second at most at a time bounds what a jump of it can do. */
    int64_t now = sl_clock_ns();
    if (now >= deadline_ns) return false;
    int64_t slice = deadline_ns - now < 1000000000 ? deadline_ns - now : 1000000000;
    struct timespec until = timespec_of(sl_wall_us() * 1000 + slice);
    return pthread_cond_timedwait(&c->native, &m->native, &until) != ETIMEDOUT || sl_clock_ns() < deadline_ns;
#endif
}
