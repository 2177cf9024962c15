/* Times of the clock that only goes forward, memory as the system counts it. */
#include "run_times.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "command.h"

enum { BAR = 24 };

static int64_t peak_bytes(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) ? 0 : (int64_t)usage.ru_maxrss * 1024;
}

void run_times_begin(struct run_times *t, bool has_details) {
    *t = (struct run_times){.began = seconds_now() * 1e3,
                            .has_details = has_details,
                            .has_terminal = isatty(STDERR_FILENO)};
}

void run_times_loaded(struct run_times *t) { t->loaded = seconds_now() * 1e3 - t->began; }

void run_times_ready(struct run_times *t, int64_t wanted) {
    t->runs = must_allocate(NULL, (size_t)wanted * sizeof *t->runs);
    t->wanted = wanted;
    t->bytes_before = peak_bytes();
    t->shown = seconds_now() * 1e3;
    t->ready = t->shown - t->began;
}

double run_times_start(void) { return seconds_now() * 1e3; }

/* [=====>      ] 1200 of 10000  0.312 ms each, 3 s left */
static void draw_bar(struct run_times *t, double now) {
    double each = (now - t->began - t->ready) / (double)t->done;
    int filled = (int)(t->done * BAR / t->wanted);
    t->shown = now;
    fprintf(stderr, "\r[%.*s>%*s] %" PRId64 " of %" PRId64 "  %.3f ms each, %.0f s left\033[K", filled,
            "========================", BAR - filled, "", t->done, t->wanted, each,
            each * (double)(t->wanted - t->done) / 1e3);
}

void run_times_add(struct run_times *t, double start) {
    double now = seconds_now() * 1e3;
    t->runs[t->done++] = now - start;
    if (!t->has_terminal || t->wanted == 1) return;
    if (t->done == t->wanted) fputs("\r\033[K", stderr);
    else if (now - t->shown > 200) draw_bar(t, now);
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void run_times_print(struct run_times *t) {
    const double megabyte = 1 << 20;
    if (t->has_terminal && t->wanted > 1) fputs("\r\033[K", stderr);
    if (!t->done) return;
    double first = t->runs[0];
    if (t->has_details) {
        fprintf(stderr, "loading %.3f ms, ", t->loaded);
        if (t->ready - t->loaded >= 0.05) fprintf(stderr, "preparing %.3f ms, ", t->ready - t->loaded);
        fprintf(stderr, "first run %.3f ms; memory at most %.1f MB, %.1f MB before the first run\n", first,
                (double)peak_bytes() / megabyte, (double)t->bytes_before / megabyte);
    }
    if (t->wanted == 1) return;
    qsort(t->runs, (size_t)t->done, sizeof *t->runs, by_value);
    fprintf(stderr, "%" PRId64 " runs: first %.3f ms, median %.3f ms, best %.3f ms\n", t->done, first,
            t->runs[t->done / 2], t->runs[0]);
}

void run_times_clear(struct run_times *t) { free(t->runs); }
