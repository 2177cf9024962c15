/* The benchmark harness: repeats a body, prints one CSV row. One thread.
 *
 * Each row is: name, median ns per item, fastest, 90th percentile, items per repetition, repetitions. A repetition is
 * the body run once; the harness repeats until a quarter of a second is spent, at least 15 times, after one run that
 * does not count. */
#ifndef SL_BENCH_MEASURE_H
#define SL_BENCH_MEASURE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline double measure_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int measure_compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Keeps the compiler from dropping the computation of `p`'s target. */
static inline void measure_use(const void *p) { __asm__ volatile("" : : "r"(p) : "memory"); }

/* Runs `body(state)`, which does `items` items, and prints the row. */
static inline void measure(const char *name, double items, void (*body)(void *), void *state) {
    enum { MOST = 10000, LEAST = 15 };
    static double taken[MOST];
    body(state);
    int n = 0;
    for (double start = measure_now(), end = start; n < MOST && (n < LEAST || end - start < 0.25e9); n++) {
        double from = measure_now();
        body(state);
        end = measure_now();
        taken[n] = (end - from) / items;
    }
    qsort(taken, (size_t)n, sizeof *taken, measure_compare);
    printf("%s,%.2f,%.2f,%.2f,%.0f,%d\n", name, taken[n / 2], taken[0], taken[n * 9 / 10], items, n);
    fflush(stdout);
}

#endif
