/* Clocks over clock_gettime, which the C library answers without a system call where it can. */
#include "os/clock.h"

#include <errno.h>
#include <time.h>

int64_t sl_clock_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t sl_thread_clock_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t sl_wall_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

void sl_sleep_ns(int64_t ns) {
    if (ns <= 0) return;
    struct timespec left = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
    while (nanosleep(&left, &left) != 0 && errno == EINTR) {}
}
