/* Sums up a trace by op or by node. */
#include "step_times.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

/* A row of the table. */
struct row {
    const char *name, *op;
    int64_t times, bytes;
    double own;
};

static int order(double a, double b) { return (a > b) - (a < b); }

static int by_op(const void *a, const void *b) {
    return strcmp(((const struct row *)a)->op, ((const struct row *)b)->op);
}
static int by_name(const void *a, const void *b) {
    int c = strcmp(((const struct row *)a)->name, ((const struct row *)b)->name);
    return c ? c : by_op(a, b);
}
static int by_time(const void *a, const void *b) {
    int c = order(((const struct row *)b)->own, ((const struct row *)a)->own);
    return c ? c : by_name(a, b);
}

/* Rows of the events, those alike in one; how many. */
static size_t sum_up(struct row *rows, const struct trace_events *all, int (*compare)(const void *, const void *)) {
    size_t n_rows = 0, n = 0;
    for (size_t i = 0; i < all->n; i++) {
        const struct trace_event *e = &all->items[i];
        if (e->is_wait) continue;
        double own = e->own > 0 ? e->own : 0; /* what others stand for is not exact */
        rows[n_rows++] = (struct row){e->name, e->op, e->weight, e->bytes * e->weight, own * (double)e->weight};
    }
    if (n_rows) qsort(rows, n_rows, sizeof *rows, compare);
    for (size_t i = 0; i < n_rows; i++) {
        if (n > 0 && compare(&rows[n - 1], &rows[i]) == 0) {
            rows[n - 1].times += rows[i].times;
            rows[n - 1].bytes += rows[i].bytes;
            rows[n - 1].own += rows[i].own;
        } else {
            rows[n++] = rows[i];
        }
    }
    if (n) qsort(rows, n, sizeof *rows, by_time);
    return n;
}

static void print_rows(FILE *out, const struct row *rows, size_t n, bool by_node) {
    double total = 0;
    int64_t times = 0;
    int width = 5, op_width = 2;
    for (size_t i = 0; i < n; i++) {
        const char *name = by_node ? rows[i].name : rows[i].op;
        if ((int)strlen(name) > width) width = (int)strlen(name);
        if ((int)strlen(rows[i].op) > op_width) op_width = (int)strlen(rows[i].op);
        total += rows[i].own;
        times += rows[i].times;
    }
    if (!by_node) op_width = -1;
    fprintf(out, "%-*s %*s%8s %12s %7s %14s\n", width, by_node ? "node" : "op", -(op_width + 1), by_node ? "op" : "",
            "times", "total us", "share", "bytes");
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%-*s %*s%8" PRId64 " %12.1f %6.1f%% %14" PRId64 "\n", width, by_node ? rows[i].name : rows[i].op,
                -(op_width + 1), by_node ? rows[i].op : "", rows[i].times, rows[i].own,
                total > 0 ? 100 * rows[i].own / total : 0, rows[i].bytes);
    fprintf(out, "%-*s %*s%8" PRId64 " %12.1f\n", width, "total", -(op_width + 1), "", times, total);
}

bool step_times_end(FILE *out, const char *folder, bool by_node) {
    struct trace_events all = {0};
    bool ok = !out || trace_read(&all, folder);
    if (ok && out) {
        trace_find_own_times(&all);
        struct row *rows = must_allocate(NULL, (all.n + 1) * sizeof *rows);
        print_rows(out, rows, sum_up(rows, &all, by_node ? by_name : by_op), by_node);
        free(rows);
    }
    trace_clear(&all);
    trace_end(folder);
    return ok;
}
